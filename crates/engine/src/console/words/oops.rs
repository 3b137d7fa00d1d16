//! `oops`: another line in place of the last command.

use crate::command::{LineError, MANY, TypedLine};
use crate::render::markup::{Role, Text};

use super::amend::{changes, replace};
use crate::console::play::{Play, Run, Word};
use crate::console::reply::Replied;

const USAGE: &str = "oops LINE";

pub(super) const OOPS: Word = Word {
    name: "oops",
    usage: USAGE,
    help: "put another line in place of the last command, with the same dice where they fit",
    sample: &["`amend NUMBER LINE` does so for an earlier command, `undo` only takes back"],
    line: |given| Some(given),
    most: MANY,
    ..Word::of(Run::Stepwise(|play, typed| Box::pin(oops(play, typed))))
};

async fn oops(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    typed.need_text(USAGE)?;
    let line = typed.within_to_end(typed.rest());
    changes(play, &line)?;
    let refused = play.refused;
    let entries = play.session.entries();
    let last = entries.iter().rev().find(|entry| !entry.outcome.only_looks());
    let none = || LineError::new(None, "there is no command to mend yet").help("type it by itself");
    let last = last.ok_or_else(none)?;
    let number = last.number;
    let of = &last.line;
    // What was refused cannot be mended; the command before it may be meant, above all if it began alike.
    let first = |line: &str| line.split_whitespace().next().map(str::to_lowercase);
    if refused && play.is_interactive && first(of) != first(&line) {
        let words = format!("the line before came to nothing; `oops` mends {number}: {of}");
        let no = format!("nothing was amended; `{line}` by itself is a new command");
        play.agreed(Text::of(Role::Notice, words), "put the line in its place?", &no).await?;
    }
    replace(play, number, &line).await
}
