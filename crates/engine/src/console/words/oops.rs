//! `oops`: another line in place of the last command.

use crate::command::{ANY_NUMBER, LineError, TypedLine};
use crate::render::markup::{Role, Text};

use super::amend::{replace_line, require_game_command};
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::Replied;

const USAGE: &str = "oops LINE";

pub(super) const OOPS: Word = Word {
    name: "oops",
    usage: USAGE,
    help: "put another line in place of the last command, with the same dice where they fit",
    sample: &["`amend NUMBER LINE` does so for an earlier command, `undo` only takes back"],
    line: |given| Some(given),
    most: ANY_NUMBER,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(oops(play, typed))))
};

async fn oops(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    typed.need_text(USAGE)?;
    let line = typed.inner_line_to_end(typed.words_after_first());
    require_game_command(play, &line)?;
    let refused = play.refused;
    let entries = play.session.entries();
    let last = entries.iter().rev().find(|entry| !entry.outcome.only_looks());
    let last = last.ok_or_else(|| {
        LineError::new(None, "there is no command to mend yet").help("type it by itself")
    })?;
    let number = last.number;
    let of = &last.line;
    // What was refused cannot be mended; the command before it may be meant, above all if it began alike.
    if refused && play.is_interactive && first_word(of) != first_word(&line) {
        let words = format!("the line before came to nothing; `oops` mends {number}: {of}");
        let no = format!("nothing was amended; `{line}` by itself is a new command");
        play.ask_agreement(Text::of(Role::Notice, words), "put the line in its place?", &no)
            .await?;
    }
    replace_line(play, number, &line).await
}

/// Returns the first word of a line in lower case.
fn first_word(line: &str) -> Option<String> {
    line.split_whitespace().next().map(str::to_lowercase)
}
