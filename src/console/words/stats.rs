//! `stats`: luck and pace.

use super::{Run, Word};
use crate::command::{Candidates, Completer, Token, TypedLine, short};
use crate::console::play::{Frontend, Play};
use crate::console::reply::{Failure, Reply};
use crate::render::luck;

/// The slowest waits shown.
const WAITS: usize = 5;

pub(super) const STATS: Word = Word {
    name: "stats",
    usage: "stats [pace]",
    help: "expected against actual dice",
    complete,
    ..Word::of(stats as Run)
};

fn stats(play: &mut Play, typed: &TypedLine<'_>, _: &mut dyn Frontend) -> Result<Reply, Failure> {
    match typed.text().as_deref() {
        None | Some("dice" | "luck") => {
            let luck = play.session.luck();
            Ok(Reply::new(luck::luck(&luck), luck::luck_data(&luck)))
        }
        Some("pace") => {
            let pace = play.session.pace(WAITS);
            Ok(Reply::new(luck::pace(&pace), luck::pace_data(&pace)))
        }
        Some(other) => {
            let shown = short(other);
            Err(Failure::of(format!("stats are of `dice` or `pace`, not `{shown}`")))
        }
    }
}

fn complete(_: &Completer<'_>, given: &[Token], to: &mut Candidates) {
    if given.is_empty() {
        to.offer("pace");
    }
}
