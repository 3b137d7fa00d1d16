//! `oops`: replaces the last command.

use crate::command::{ANY_NUMBER, LineError, TypedLine};
use crate::render::markup::{Role, Text};

use super::amend::{replace_line, require_game_command};
use crate::console::corrections;
use crate::console::left_out_words;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied};

const USAGE: &str = "oops LINE";

pub(super) const OOPS: Word = Word {
    name: "oops",
    usage: USAGE,
    help: "replace the last command; the dice stay the same where they fit",
    sample: &["`amend NUMBER LINE` replaces an earlier command, and `undo` removes the last one"],
    line: |given| Some(given),
    most: ANY_NUMBER,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(oops(play, typed))))
};

async fn oops(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    typed.need_text(USAGE)?;
    let line = typed.inner_line_to_end(typed.words_after_first());
    // In `oops left`, the word isn't the command of that name.
    if left_out_words::is_turn(&line.to_lowercase()) {
        let error = LineError::new(None, "it isn't clear which command turns");
        return Err(Failure::Line(error, Some(line)));
    }
    require_game_command(play, &line)?;
    let refused = play.refused.is_some();
    let last = corrections::last_replaceable(play).ok_or_else(|| {
        LineError::new(None, "there is no command to replace yet").help("type it without `oops`")
    })?;
    let number = last.number;
    let of = &last.line;
    // A refused line cannot be amended. The command before it may be meant, especially if it began
    // in the same way.
    if refused && play.is_interactive && first_word(of) != first_word(&line) {
        let words =
            format!("the previous line had no effect; `oops` replaces command {number}: {of}");
        let no = format!("nothing was amended; type `{line}` without `oops` for a new command");
        play.ask_agreement(Text::of(Role::Notice, words), "replace it with this line?", &no)
            .await?;
    }
    replace_line(play, number, &line).await
}

/// Returns the first word of a line in lower case.
fn first_word(line: &str) -> Option<String> {
    line.split_whitespace().next().map(str::to_lowercase)
}
