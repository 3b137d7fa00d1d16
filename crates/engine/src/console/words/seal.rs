//! `seal`: shows everything that was fixed before the first roll.

use crate::command::TypedLine;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};
use crate::render::fair;
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::session::Receipt;

pub(super) const SEAL: Word = Word {
    name: "seal",
    usage: "seal",
    help: "show the seal of the dice, and everything else that was fixed before the first roll",
    sample: &[
        "a player who writes the seal down can check at the end that the dice were fixed in advance: see docs/fair-dice.md",
    ],
    yields: true,
    looks: true,
    ..Word::of(
        Handler::immediate(seal).with_answers(&[|| answer::<Receipt>("answers to seal", "`seal`")]),
    )
};

fn seal(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let receipt = play.session.receipt();
    let mut text = Text::new();
    for line in fair::receipt(&receipt) {
        text.line(Role::Plain, line);
    }
    for line in fair::receipt_limits() {
        text.line(Role::Quiet, line);
    }
    Ok(Reply::new(text, receipt))
}
