//! `mix`: words of the players go into the dice, before the first falls.

use super::prelude::*;
use crate::session::MAX_WORDS;

pub(super) const MIX: Word = Word {
    name: "mix",
    usage: "mix WORDS",
    help: "mix words of the players into the dice, before the first falls",
    sample: &[
        "`mix six will do`: before the first die of the seed falls, once for each who likes; see docs/fair-dice.md",
    ],
    yields: true,
    most: MANY,
    ..Word::of(mix as Run)
};

fn mix(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let words = typed.need_text(MIX.usage)?;
    if words.len() > MAX_WORDS {
        return Err(Failure::of(format!("words of at most {MAX_WORDS} bytes can be mixed in")));
    }
    if let Some(entry) = play.session.first_dice() {
        let (number, line) = (entry.number, &entry.line);
        let remark = "words said now would change dice that somebody may have looked at; they are \
                      mixed in before the first die falls";
        let message = format!("dice have fallen already, in command {number}: `{line}`");
        return Err(Failure::Message(message, Text::of(Role::Plain, remark)));
    }
    play.record(ui, |session, at| session.mix(&words, at))?;
    let mut text = Text::new();
    let mixed = format!("mixed into the dice from here on: {words}");
    text.push(Line::of(Role::Plain, mixed).hanging(2));
    Ok(Reply::new(text, json!({ "words": words })))
}
