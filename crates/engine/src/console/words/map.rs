//! `map`: shows the drawn plan, or writes a picture of it to a file.

use crate::command::{ANY_NUMBER, LineError, TypedLine, parse_whole_number};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::render::plan;
use crate::render::plan::PlanAnswer;

use super::log::WrittenAnswer;
use crate::render::view::View;

use super::viewers::{offer_viewers, split_viewer};
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const MAP: Word = Word {
    name: "map",
    usage: "map [LEVEL]… [--svg FILE]",
    help: "show the plan, or write it to a file as a picture",
    sample: &[
        "`map 2` shows only level 2, and `map 1 2` levels 1 and 2; `map as red` shows the part that red may see",
        "`map --svg plan.svg` writes a picture that can be opened in a browser and printed",
    ],
    complete: |reading, given, to| {
        offer_viewers(reading, given, to);
        to.offer_later("--svg");
    },
    most: ANY_NUMBER,
    looks: true,
    shows_table: true,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(map(play, typed))).with_answers(&[|| {
        answer::<PlanAnswer>("answers to map", "`map` and `map LEVEL`, if there is a plan")
    }]))
};

async fn map(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let (viewer, words) = split_viewer(play, typed.words_after_first())?;
    let (file, words) = match words.iter().position(|word| word.text == "--svg") {
        Some(at) => match &words[at + 1..] {
            [file] => (Some(file), &words[..at]),
            [] => return Err(LineError::new(words.get(at), "to which file?").into()),
            [_, other, ..] => {
                return Err(
                    LineError::new(Some(other), "nothing may follow the name of the file").into()
                );
            }
        },
        None => (None, words),
    };
    let levels: Vec<i64> =
        words.iter().map(parse_whole_number).collect::<Result<_, LineError>>()?;
    let referee = play.referee().with_budget();
    let sight = referee.sight(play.session.table(), &viewer);
    let view = View { referee: &referee, ..play.view(play.width) }.seen_by(&sight);
    let schema = &play.referee().ruleset().schema;
    let has_web = schema.kinds.iter().any(|kind| kind.web.is_some());
    // A web can only be drawn as a picture.
    if schema.plan_kind().is_none() && !(has_web && file.is_some()) {
        return Err(LineError::new(None, "this game has no drawn plan").help(instead(play)).into());
    }
    if let Some(level) = levels.iter().find(|level| plan::plan_text(&view, &[**level]).is_none()) {
        return Err(LineError::new(None, format!("the plan has no level {level}"))
            .help("`map` shows all levels")
            .into());
    }
    if let Some(file) = file {
        let too_large =
            || LineError::new(None, "the plan is too large for a picture; name a level");
        let picture = plan::plan_svg(&view, &levels, None, true).ok_or_else(too_large)?;
        referee.check_budget()?;
        let path = &file.text;
        play.write_named_file(path, picture.into_bytes()).await?;
        let text = Text::of(Role::Plain, format!("written to {path}"));
        return Ok(Reply::new(text, WrittenAnswer { written: path.clone() }));
    }
    let text = plan::plan_text(&view, &levels).unwrap_or_default();
    let answer = plan::plan_answer(&view, &levels);
    referee.check_budget()?;
    Ok(Reply::new(text, answer))
}

/// Returns help for a game without a drawn plan: the verb that players also call the map, or `show`.
fn instead(play: &Play) -> String {
    let ruleset = play.referee().ruleset();
    let verb = ruleset.synonyms().find(|(phrase, _)| *phrase == "show the map");
    match verb {
        Some((_, verb)) => format!("`{verb}` lists what is where; `show` lists the pieces"),
        None => "`show` lists the pieces".to_owned(),
    }
}
