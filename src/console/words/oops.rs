//! `oops`: another line in place of the last command.

use super::amend::{changes, replace};
use super::prelude::*;
use crate::console::complete::complete_line;

pub(super) const OOPS: Word = Word {
    name: "oops",
    usage: "oops LINE",
    help: "put another line in place of the last command, with the same dice where they fit",
    sample: &["`amend NUMBER LINE` does so for an earlier command, `undo` only takes back"],
    complete: |reading, given, to| complete_line(reading, given, to),
    most: MANY,
    ..Word::of(oops as Run)
};

fn oops(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    typed.need_text(OOPS.usage)?;
    let line = typed.within(typed.rest());
    changes(play, &line)?;
    let entries = play.session.entries();
    let last = entries.iter().rev().find(|entry| !entry.outcome.only_looks());
    let none = || LineError::new(None, "there is no command to mend yet").help("type it by itself");
    let number = last.ok_or_else(none)?.number;
    replace(play, number, &line, ui)
}
