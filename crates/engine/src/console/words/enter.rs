//! `enter`: sets the meaning of Enter on an empty line.

use crate::command::{LineError, TypedLine};
use crate::{command, names};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const ENTER: Word = Word {
    name: "enter",
    usage: "enter next|off",
    help: "let Enter on an empty line mean `next`, or nothing",
    complete: |_, given, to| to.offer_first(given, ["next", "off"]),
    most: 1,
    yields: true,
    ..Word::of(Handler::immediate(enter))
};

fn enter(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let (word, _) =
        typed.need_word("what should Enter do?", "write `enter next` or `enter off`")?;
    let goes_on = names::find(&word.text, [("next", true), ("off", false)]).only();
    play.enter_goes_on = goes_on.ok_or_else(|| {
        let message = format!("Enter cannot mean `{}`", command::shorten_word(&word.text));
        LineError::new(Some(word), message)
    })?;
    Ok(Reply::remark(if play.enter_goes_on {
        "Enter on an empty line now means `next`"
    } else {
        "Enter on an empty line now does nothing"
    }))
}
