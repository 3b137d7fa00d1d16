//! `clock`: sets a time limit for each turn, or for each side's move.

use crate::command::{TypedLine, parse_count};
use crate::render::json::answers::answer;

use crate::console::clock::Clock;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{RemarkAnswer, Replied, Reply};

pub(super) const CLOCK: Word = Word {
    name: "clock",
    usage: "clock [MINUTES|off]",
    help: "give each turn, or each side's move, a number of minutes; the prompt counts them down",
    sample: &[
        "`clock 5` sets five minutes; nothing is enforced, but `stats pace` shows who took longer",
    ],
    complete: |_, given, to| to.offer_first(given, ["off"]),
    most: 1,
    yields: true,
    looks: true,
    ..Word::of(
        Handler::immediate(clock)
            .with_answers(&[|| answer::<RemarkAnswer>("answers to clock", "`clock` and others")]),
    )
};

fn clock(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    match typed.words_after_first().first() {
        None => {}
        Some(word) if word.text == "off" => play.clock = None,
        Some(word) => {
            let minutes = parse_count(word)? as u64;
            play.clock =
                Some(Clock::new(minutes, play.referee(), play.session.table(), play.now()));
        }
    }
    Ok(Reply::remark(match &play.clock {
        None => "there is no clock: `clock 5` gives each turn five minutes".to_owned(),
        Some(clock) => clock.setting_words(),
    }))
}
