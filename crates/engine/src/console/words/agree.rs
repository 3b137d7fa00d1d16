//! `agree`: compares the game with the real table, place by place.

use schemars::JsonSchema;
use serde::Serialize;

use crate::referee::Viewer;
use crate::render::document::Block;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::render::standing::{self, PlaceAnswer};
use crate::render::view::View;

use crate::console::dispatch::carry_out_one_reading;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::step::{Flow, Prompt};

/// The answer to `agree`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct AgreeAnswer {
    /// The places that have pieces or markers now, or had them at the last `agree`.
    pub places: Vec<PlaceAnswer>,
    /// The places that have changed since the last `agree`; all places if there was none.
    pub changed: Vec<String>,
}

pub(super) const AGREE: Word = Word {
    name: "agree",
    usage: "agree",
    help: "compare the real table with the game",
    sample: &[
        "asks about each place that has changed since the last `agree`: press Enter if the table is right, or type the line that corrects the game; Ctrl-C leaves the remaining places for the next `agree`",
    ],
    yields: true,
    ..Word::of(
        Handler::stepwise(|play, _| Box::pin(agree(play)))
            .with_answers(&[|| answer::<AgreeAnswer>("answers to agree", "`agree`")]),
    )
};

/// Returns the places of the table as all players may see them. Fails if that takes too long to
/// compute.
fn places_now(play: &Play) -> Result<Vec<PlaceAnswer>, Failure> {
    let referee = play.referee().with_budget();
    let table = play.session.table();
    let sight = referee.has_secrets().then(|| referee.seen_table(table, &Viewer::Players));
    let view = View { referee: &referee, ..play.view(play.width) };
    let places = standing::places(&view.seen_by(&sight));
    referee.check_budget()?;
    Ok(places)
}

/// Returns the place with this name from a list, or an empty place if the list doesn't have it.
fn place_named(places: &[PlaceAnswer], name: &str) -> PlaceAnswer {
    let found = places.iter().find(|place| place.place == name).cloned();
    found.unwrap_or_else(|| PlaceAnswer { place: name.to_owned(), pieces: Vec::new() })
}

/// Replaces the agreed state of a place. An empty place is removed from the list.
fn agree_on(play: &mut Play, place: PlaceAnswer) {
    let agreed = play.agreed.get_or_insert_default();
    agreed.retain(|other| other.place != place.place);
    if !place.pieces.is_empty() {
        agreed.push(place);
    }
}

/// Returns the places that have pieces or markers now, or had them at the last `agree`.
fn places_and_gone(play: &Play) -> Result<Vec<PlaceAnswer>, Failure> {
    let mut places = places_now(play)?;
    for old in play.agreed.iter().flatten() {
        if !places.iter().any(|now| now.place == old.place) {
            places.push(PlaceAnswer { place: old.place.clone(), pieces: Vec::new() });
        }
    }
    Ok(places)
}

/// Returns the names of the places that have changed since the last `agree`.
fn changed_places(play: &Play, places: &[PlaceAnswer]) -> Vec<String> {
    let agreed = play.agreed.as_deref().unwrap_or_default();
    let changed = places.iter().filter(|now| place_named(agreed, &now.place) != **now);
    changed.map(|now| now.place.clone()).collect()
}

async fn agree(play: &mut Play) -> Replied {
    let mut places = places_and_gone(play)?;
    let mut changed = changed_places(play, &places);
    let text = overview(&places, &changed, play.agreed.is_some());
    let answer = AgreeAnswer { places: places.clone(), changed: changed.clone() };
    let reply = Reply::new(text, answer);
    if !play.is_interactive {
        places.retain(|place| !place.pieces.is_empty());
        play.agreed = Some(places);
        return Ok(reply);
    }
    if changed.is_empty() {
        return Ok(reply);
    }
    play.show(reply).await;
    play.agreed.get_or_insert_default();
    // A correction can change other places, too.
    while let Some(place) = changed.first() {
        match ask_about(play, place).await {
            Ok(Agreed::Place) => {}
            Ok(Agreed::All) => {
                for other in places_and_gone(play)? {
                    agree_on(play, other);
                }
            }
            Ok(Agreed::Leave) => return Ok(Reply::default().leaving()),
            Err(Failure::Cancelled) => {
                let left = changed.join(", ");
                let words = format!("not agreed yet; the next `agree` will ask about {left}");
                let line = Line::of(Role::Quiet, words).with_hanging_indent(2);
                return Ok(Reply::for_people(Text::from_iter([line])));
            }
            Err(failure) => return Err(failure),
        }
        changed = changed_places(play, &places_and_gone(play)?);
    }
    Ok(Reply::for_people(Text::of(Role::Quiet, "agreed")))
}

/// Returns all places as one screen, with a star next to each place that has changed since the last
/// `agree`, if there was one.
fn overview(places: &[PlaceAnswer], changed: &[String], again: bool) -> Text {
    if places.is_empty() {
        return Text::of(Role::Quiet, "the table is empty");
    }
    let head = match (again, changed.is_empty()) {
        (false, _) => "The table should look like this:",
        (true, true) => "Nothing has changed since the last `agree`:",
        (true, false) => {
            "The table should look like this (* marks changes since the last `agree`):"
        }
    };
    let mut lines = Text::new();
    let mut paragraph = Line::of(Role::Plain, "  ").with_hanging_indent(2);
    for (index, place) in places.iter().enumerate() {
        let has_changed = again && changed.contains(&place.place);
        let star = if has_changed { "* " } else { "  " };
        lines.push(place.add_to(Line::of(Role::Notice, star)).with_hanging_indent(6));
        paragraph.push(Role::Quiet, if index > 0 { " · " } else { "" });
        paragraph.push(Role::Notice, if has_changed { "* " } else { "" });
        paragraph = place.add_to(paragraph);
    }
    // A small screen shows the places in one paragraph.
    let mut text = Text::of(Role::Header, head);
    text.blocks.push(Block::Fold(vec![lines, Text::from_iter([paragraph])]));
    text
}

/// The extent of an agreement.
enum Agreed {
    Place,
    /// This place and all others.
    All,
    /// The session is left.
    Leave,
}

/// Asks whether a place on the real table matches, and carries out corrections until it does.
/// Fails with [`Failure::Cancelled`] if the umpire stops the comparison.
async fn ask_about(play: &mut Play, name: &str) -> Result<Agreed, Failure> {
    let mut before = Text::new();
    loop {
        let place = place_named(&places_now(play)?, name);
        let mut text = std::mem::take(&mut before);
        text.push(place.add_to(Line::of(Role::Plain, "  ")).with_hanging_indent(6));
        let prompt = Prompt {
            asked: format!("is {name} like this?"),
            text,
            options: Vec::new(),
            prompt: "Enter if your table matches, `all`, `stop`, or a correction> ".to_owned(),
            ..Prompt::default()
        };
        let line = play.host.ask(prompt).await?;
        if agrees(&line) {
            agree_on(play, place);
            return Ok(if is_about_all(&line) { Agreed::All } else { Agreed::Place });
        }
        if STOPS.contains(&line.trim().to_lowercase().as_str()) {
            return Err(Failure::Cancelled);
        }
        let phase = play.referee().phase_index(play.session.table());
        match Box::pin(carry_out_one_reading(play, &line)).await {
            // Play goes on, so the rest is for the next comparison.
            Ok(Flow::On) if play.referee().phase_index(play.session.table()) != phase => {
                return Err(Failure::Cancelled);
            }
            Ok(Flow::On) => {}
            Ok(Flow::Leave) => return Ok(Agreed::Leave),
            Err(failure @ Failure::End(_)) => return Err(failure),
            Err(failure) => before = play.failure(&failure, &line),
        }
    }
}

/// Words with which an umpire agrees that the table matches.
const AGREES: [&str; 14] = [
    "y",
    "yes",
    "yep",
    "yeah",
    "ok",
    "okay",
    "go",
    "right",
    "correct",
    "matches",
    "same",
    "all",
    "everything",
    "agreed",
];

/// Words that may follow those.
const AFTER_AGREEING: [&str; 14] = [
    "it", "it's", "that", "that's", "they", "is", "are", "does", "do", "so", "far", "there",
    "fine", "good",
];

/// Words with which an umpire agrees on all places at once.
const ALL: [&str; 4] = ["all", "everything", "whole", "everywhere"];

/// Lines that stop the comparison.
const STOPS: [&str; 9] = [
    "stop",
    "stop checking",
    "skip",
    "skip it",
    "enough",
    "later",
    "not now",
    "never mind",
    "leave it",
];

/// Returns true if a line agrees: it is empty, or it begins with one of [`AGREES`] and has only such
/// words. Any other line may be a correction or a command.
fn agrees(line: &str) -> bool {
    let line = line.trim().to_lowercase().replace('’', "'");
    let mut words = line.split([' ', ',', '.', '!']).filter(|word| !word.is_empty());
    let agrees = |word: &str| AGREES.contains(&word);
    words.next().is_none_or(agrees)
        && words.all(|word| agrees(word) || AFTER_AGREEING.contains(&word) || ALL.contains(&word))
}

/// Returns true if a line that agrees is about all places.
fn is_about_all(line: &str) -> bool {
    line.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| ALL.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::{agrees, is_about_all};

    #[test]
    fn only_words_that_agree_agree() {
        for line in ["", " ", "yes", "Yes, it does", "right so far", "yes it all matches", "all"] {
            assert!(agrees(line), "{line}");
        }
        for line in ["right, water then fires", "go to fires", "yes t1 moves", "same again", "no"] {
            assert!(!agrees(line), "{line}");
        }
        assert!(is_about_all("yes it all matches") && is_about_all("All."));
        assert!(!is_about_all("yes") && !is_about_all("the hall matches"));
    }
}
