//! `next`: on to the next phase, or through several.

use super::super::{Candidates, LineError, MANY, Reading, Token, TypedLine, Word, short};
use super::Read;
use crate::names::{self, Match};
use crate::referee::Action;
use crate::ruleset::Ruleset;

pub(crate) const NEXT: Word<Read> = Word {
    name: "next",
    short: &["n"],
    usage: "next [N|turn|to PHASE]",
    help: "go on to the next phase and run what it does by itself",
    sample: &[
        "`next` is one phase, `next 3` three, `next turn` all up to the next turn, `next to PHASE` up to a phase by name or number",
    ],
    complete,
    most: MANY,
    ..Word::of(read as Read)
};

/// Where `next` stops.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Onward {
    /// This many phases.
    Phases(usize),
    /// To the phase at this place.
    Phase(usize),
    /// To the first phase of the next turn.
    Turn,
}

/// Reads what stands behind `next`.
pub(crate) fn onward(ruleset: &Ruleset, typed: &TypedLine<'_>) -> Result<Onward, LineError> {
    let phases = &ruleset.phases;
    let all: Vec<&str> = phases.iter().map(|p| p.name.as_str()).collect();
    let listing = || format!("there is: {}", names::list(&all));
    let words = match typed.rest() {
        [] => return Ok(Onward::Phases(1)),
        [one] if one.text == "turn" => return Ok(Onward::Turn),
        [one] if one.text.parse::<u32>().is_ok() => match one.text.parse() {
            Ok(n @ 1..=1000) => return Ok(Onward::Phases(n)),
            _ => {
                let error = LineError::new(Some(one), "go on by 1 to 1000 phases");
                return Err(error.help("`next` is one, `next turn` all up to the next turn"));
            }
        },
        [to] if to.text == "to" => {
            return Err(LineError::new(None, "to which phase?").help(listing()));
        }
        [to, name @ ..] if to.text == "to" => name,
        name => name,
    };
    let text = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Ok(Onward::Phases(1));
    };
    let name = &Token { text, end: last.end, ..first.clone() };
    let by_number = name.text.parse().ok().filter(|n| (1..=phases.len()).contains(n));
    let matched = match names::find(&name.text, all.iter().copied()) {
        Match::None(_) => names::find(&name.text.replace(' ', "-"), all.iter().copied()),
        matched => matched,
    };
    // By words of the title, in their order.
    let titled = phases.iter().filter(|phase| by_words(&phase.title, words));
    let titled: Vec<&str> = titled.map(|phase| phase.name.as_str()).collect();
    let matched = match (matched.one(), titled.as_slice()) {
        (Some(_), _) | (None, []) => matched,
        (None, [one]) => Match::Beginning(one),
        (None, _) => Match::Several(titled),
    };
    let by_name = matched.one().and_then(|found| all.iter().position(|n| *n == found));
    by_number.map(|n| n - 1).or(by_name).map(Onward::Phase).ok_or_else(|| {
        let message = format!("there is no phase `{}`", short(&name.text));
        LineError::unmatched(name, &matched, message, Some(listing()))
    })
}

/// Returns true if words of the title begin with these words, in their order.
fn by_words(title: &str, words: &[Token]) -> bool {
    let lower = title.to_lowercase();
    let mut title = lower.split(|c: char| !c.is_alphanumeric());
    words.iter().all(|word| {
        let begun = word.text.to_lowercase();
        !begun.is_empty() && title.any(|t| t.starts_with(&begun))
    })
}

/// Reads `next` alone: what goes through several phases is several commands.
fn read(_: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    match typed.rest() {
        [] => Ok(Action::Next),
        [one] if one.text == "1" => Ok(Action::Next),
        [first, ..] => {
            let message = "only `next` by itself is one command";
            Err(LineError::new(Some(first), message))
        }
    }
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    match given {
        [] => ["turn", "to"].iter().for_each(|word| to.offer(word)),
        [to] if to.text == "to" => {}
        _ => return,
    }
    reading.ruleset().phases.iter().for_each(|p| to.offer(&p.name));
}
