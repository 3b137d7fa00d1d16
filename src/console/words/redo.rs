//! `redo`: does again what was taken back.

use super::prelude::*;
use super::undo::step_data;
use crate::command::positive;
use crate::render;
use crate::session::Step;

pub(super) const REDO: Word = Word {
    name: "redo",
    usage: "redo [N]",
    help: "do again what was taken back",
    most: 1,
    ..Word::of(redo as Run)
};

fn redo(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let n = typed.rest().first().map(positive).transpose()?.unwrap_or(1);
    let steps = play.record(ui, |session, at| session.redo(n, at))?;
    if steps.is_empty() {
        return Err(Failure::of("there is nothing to do again"));
    }
    let mut text = Text::new();
    for step in &steps {
        match step {
            Step::Rules(_) => {}
            Step::Command(entry) => {
                let words = format!("again {}: {}", entry.number, entry.line);
                text.line(Role::Plain, words);
                let view = play.view(ui.width()).of_command(play.session.board(), entry.number);
                let number = Some(entry.number);
                text.extend(render::outcome::outcome(&view, &entry.outcome, number));
            }
            Step::Amendment(amendment) => {
                let line = amendment.now.first().map_or("", |e| e.line.as_str());
                let words = format!("amended again {}: {line}", amendment.number);
                text.line(Role::Plain, words);
                let changes = render::hands::swapped(&amendment.before, &amendment.now);
                text.extend(render::hands::lines(&play.view(ui.width()), changes.iter()));
            }
        }
    }
    Ok(Reply::new(text, json!({ "redone": array(&steps, step_data) })))
}
