//! `report`, `photo`, `date` and `venue`: the umpire's additions to the battle report.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, LineError, TypedLine};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::session::{Photo, ReportItem};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `report`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ParagraphAnswer {
    /// The paragraph, as typed.
    pub paragraph: String,
    /// The turn that the paragraph belongs to; 0 before the first turn.
    pub turn: i64,
}

/// The answer to `photo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PhotoAnswer {
    /// The file, as typed.
    pub photo: String,
    /// The words below the picture; empty if there are none.
    pub caption: String,
    /// The turn that the photo belongs to; 0 before the first turn.
    pub turn: i64,
}

/// The answer to `date`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct DateAnswer {
    /// The date, as typed.
    pub date: String,
}

/// The answer to `venue`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct VenueAnswer {
    /// The venue, as typed.
    pub venue: String,
}

const REPORT_USAGE: &str = "report TEXT";
const PHOTO_USAGE: &str = "photo FILE[: CAPTION]";
const DATE_USAGE: &str = "date TEXT";
const VENUE_USAGE: &str = "venue TEXT";

pub(super) const REPORT: Word = Word {
    name: "report",
    usage: REPORT_USAGE,
    help: "add a paragraph to this turn of the battle report",
    sample: &[
        "`report The fog lifted at last.` puts this sentence into the report of the turn; `adjutant transcript SESSION --format report` writes the report",
    ],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(report(play, typed)))
            .with_answers(&[|| answer::<ParagraphAnswer>("answers to report", "`report TEXT`")]),
    )
};

pub(super) const PHOTO: Word = Word {
    name: "photo",
    usage: PHOTO_USAGE,
    help: "put a photo into this turn of the battle report",
    sample: &[
        "`photo IMG_0412.jpg: the bridge falls` puts the picture into the report of the turn, with these words below it",
    ],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(photo(play, typed)))
            .with_answers(&[|| answer::<PhotoAnswer>("answers to photo", "`photo FILE: CAPTION`")]),
    )
};

pub(super) const DATE: Word = Word {
    name: "date",
    usage: DATE_USAGE,
    help: "set the date of the game, for the battle report",
    sample: &[
        "`date 14 March 2026`; without it, the report gives the day on which the session began",
    ],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(date(play, typed)))
            .with_answers(&[|| answer::<DateAnswer>("answers to date", "`date TEXT`")]),
    )
};

pub(super) const VENUE: Word = Word {
    name: "venue",
    usage: VENUE_USAGE,
    help: "set the venue of the game, for the battle report",
    sample: &["`venue the church hall, Deptford`"],
    yields: true,
    most: ANY_NUMBER,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(venue(play, typed)))
            .with_answers(&[|| answer::<VenueAnswer>("answers to venue", "`venue TEXT`")]),
    )
};

/// Adds an item to the report, and returns the current turn.
async fn add(play: &mut Play, item: ReportItem) -> Result<i64, Failure> {
    play.record(|session, at| session.add_to_report(item.clone(), at)).await?;
    Ok(play.session.turn())
}

/// Returns the part of the report in which an addition appears: `the set-up`, `turn 3`.
fn turn_name(turn: i64) -> String {
    if turn == 0 { "the set-up".to_owned() } else { format!("turn {turn}") }
}

async fn report(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let paragraph = typed.free_text(REPORT_USAGE)?;
    let turn = add(play, ReportItem::Paragraph(paragraph.clone())).await?;
    let text = Text::of(Role::Plain, format!("added to the report of {}", turn_name(turn)));
    Ok(Reply::new(text, ParagraphAnswer { paragraph, turn }))
}

async fn photo(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let words = typed.free_text(PHOTO_USAGE)?;
    let (file, caption) = split_photo(&words);
    if file.is_empty() {
        return Err(LineError::new(None, "which file? write `photo FILE: CAPTION`").into());
    }
    let item = Photo { file: file.to_owned(), caption: caption.to_owned() };
    let answer = PhotoAnswer { photo: item.file.clone(), caption: item.caption.clone(), turn: 0 };
    let turn = add(play, ReportItem::Photo(item)).await?;
    let added = format!("`{}` added to the report of {}", answer.photo, turn_name(turn));
    Ok(Reply::new(Text::of(Role::Plain, added), PhotoAnswer { turn, ..answer }))
}

async fn date(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let date = typed.free_text(DATE_USAGE)?;
    add(play, ReportItem::Date(date.clone())).await?;
    Ok(Reply::new(Text::of(Role::Plain, format!("the date: {date}")), DateAnswer { date }))
}

async fn venue(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let venue = typed.free_text(VENUE_USAGE)?;
    add(play, ReportItem::Venue(venue.clone())).await?;
    Ok(Reply::new(Text::of(Role::Plain, format!("the venue: {venue}")), VenueAnswer { venue }))
}

/// Splits `FILE: CAPTION` at the first colon that is followed by a space, so that the colon of a
/// drive letter (`C:\x.jpg`) or of a time doesn't split the file name.
fn split_photo(words: &str) -> (&str, &str) {
    match words.split_once(": ") {
        Some((file, caption)) => (file.trim(), caption.trim()),
        None => (words.trim().trim_end_matches(':'), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::split_photo;

    #[test]
    fn a_caption_follows_the_first_colon_with_a_space() {
        assert_eq!(split_photo("a.jpg: the bridge: lost"), ("a.jpg", "the bridge: lost"));
        assert_eq!(split_photo(r"C:\pictures\a.jpg: gone"), (r"C:\pictures\a.jpg", "gone"));
        assert_eq!(split_photo("a 10:30.jpg"), ("a 10:30.jpg", ""));
        assert_eq!(split_photo("a.jpg:"), ("a.jpg", ""));
    }
}
