//! `overrule`: the umpire's word above the machine's, with the reason on record.

use super::{Run, Word};
use crate::command::{TypedLine, actions};
use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Reply};
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::session::OverruleError;

pub(super) const OVERRULE: Word = Word {
    name: "overrule",
    usage: "overrule PIECE.ATTRIBUTE VALUE: REASON",
    help: "change a result, with the reason on record",
    complete: actions::complete_set,
    ..Word::of(overrule as Run)
};

fn overrule(
    play: &mut Play,
    typed: &TypedLine<'_>,
    ui: &mut dyn Frontend,
) -> Result<Reply, Failure> {
    let ruling = typed.need_text(OVERRULE.usage)?;
    let entry = play.record(ui, |session, at| match session.overrule(&ruling, at) {
        Err(OverruleError::Store(error)) => Err(error),
        other => Ok(other),
    })?;
    let entry = entry.map_err(Failure::of)?;
    let mut line = Line::of(Role::Quiet, format!("{} · ", entry.number));
    line.push(Role::Header, "the umpire rules: ");
    line.push(Role::Plain, entry.reason.as_deref().unwrap_or_default());
    let mut text = Text::new();
    text.push(line.hanging(4));
    text.extend(render::outcome::outcome(&play.view(ui.width()), &entry.outcome, None));
    let mut data = play.entry_data(&entry);
    data["reason"] = entry.reason.as_deref().into();
    Ok(Reply::new(text, data))
}
