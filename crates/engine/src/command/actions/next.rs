//! `next`: begins the next phase, or goes through several phases.

use super::super::{
    ANY_NUMBER, CompletionCandidates, LineError, Reading, Token, TypedLine, Word, shorten_word,
};
use super::ReadAction;
use crate::names::{self, Match};
use crate::referee::Action;
use crate::ruleset::Ruleset;

/// The word `next`, which begins the next phase.
pub const NEXT: Word<ReadAction> = Word {
    name: "next",
    short: &["n"],
    usage: "next [N|turn|to PHASE]",
    help: "go on to the next phase, and resolve everything that happens automatically",
    sample: &[
        "`next` goes on by one phase, `next 3` by three, `next turn` to the next turn, `next side` to the turn of the next side, and `next to PHASE` to a phase given by name or number",
    ],
    complete,
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

/// The point at which a `next` stops.
#[derive(Clone, Copy, Debug)]
pub enum NextGoal {
    /// After this many phases.
    Phases(usize),
    /// At the phase with this index.
    Phase(usize),
    /// At the first phase of the next turn.
    Turn,
    /// When the side to move has finished, before the turn of the next side.
    Side,
}

/// Parses the words after `next`. `here` is the index of the current phase, or `None` during
/// set-up. If the names of several phases begin with the same word, as in `fire-one` and
/// `fire-two`, that word means the first of these phases after the current one.
pub fn parse_next(
    ruleset: &Ruleset,
    here: Option<usize>,
    typed: &TypedLine<'_>,
) -> Result<NextGoal, LineError> {
    let phases = &ruleset.phases;
    let all = || phases.iter().enumerate().map(|(index, phase)| (phase.name.as_str(), index));
    let listing = || {
        let names: Vec<&str> = all().map(|(name, _)| name).collect();
        format!("available: {}", names::quote_names(&names))
    };
    let (first, words) = match typed.words_after_first() {
        [] => return Ok(NextGoal::Phases(1)),
        [one] if one.text == "turn" => return Ok(NextGoal::Turn),
        [one] if one.text == "side" && all().all(|(name, _)| name != "side") => {
            return Ok(NextGoal::Side);
        }
        [one] if one.text.parse::<u32>().is_ok() => match one.text.parse() {
            Ok(n @ 1..=1000) => return Ok(NextGoal::Phases(n)),
            _ => {
                let error = LineError::new(Some(one), "expected a number of phases from 1 to 1000");
                return Err(
                    error.help("`next` goes on by one phase, and `next turn` to the next turn")
                );
            }
        },
        [to] if to.text == "to" => {
            return Err(LineError::new(None, "to which phase?").help(listing()));
        }
        [to, first, ..] if to.text == "to" => (first, &typed.words_after_first()[1..]),
        words @ [first, ..] => (first, words),
    };
    let text = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
    let by_number = text.parse().ok().filter(|n| (1..=phases.len()).contains(n));
    let matched = match names::find(&text, all()) {
        Match::None(_) => names::find(&text.replace(' ', "-"), all()),
        matched => matched,
    };
    // The phases whose titles contain words that begin with the typed words, in the same order.
    let titled: Vec<(&str, usize)> =
        all().filter(|(_, index)| title_matches(&phases[*index].title, words)).collect();
    let matched = match (matched, titled.as_slice()) {
        (matched @ Match::One(_), _) | (matched, []) => matched,
        (_, [(_, one)]) => Match::One(*one),
        _ => Match::Several(titled.iter().map(|(name, _)| *name).collect()),
    };
    match (by_number, matched) {
        (Some(number), _) => Ok(NextGoal::Phase(number - 1)),
        (None, Match::One(index)) => Ok(NextGoal::Phase(index)),
        (None, matched) => {
            if let Some(index) = first_of_same_word(ruleset, here, &text) {
                return Ok(NextGoal::Phase(index));
            }
            let message = format!("there is no phase `{}`", shorten_word(&text));
            let end = words.last().map_or(first.end, |last| last.end);
            let name = Token { text, end, ..first.clone() };
            Err(LineError::unmatched(&name, &matched, message, Some(listing())))
        }
    }
}

/// Returns the index of the next phase whose name begins with this word and a hyphen, if there is
/// one. The search starts after phase `here`, or with the first phase during set-up. After the last
/// phase, it continues with the first.
fn first_of_same_word(ruleset: &Ruleset, here: Option<usize>, word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let count = ruleset.phases.len();
    let start = here.map_or(0, |here| here + 1);
    let in_order = (0..count).map(|step| (start + step) % count);
    let begins = |index: &usize| {
        let name = ruleset.phases[*index].name.to_lowercase();
        name.strip_prefix(&word).is_some_and(|rest| rest.starts_with('-'))
    };
    in_order.into_iter().find(begins)
}

/// Returns true if a title has words that begin with these words, in the same order.
fn title_matches(title: &str, words: &[Token]) -> bool {
    let lower = title.to_lowercase();
    let mut title_words = lower.split(|c: char| !c.is_alphanumeric());
    words.iter().all(|word| {
        let begun = word.text.to_lowercase();
        !begun.is_empty() && title_words.any(|t| t.starts_with(&begun))
    })
}

/// Parses `next` for a single phase. Fails for a `next` that goes through several phases, because
/// that counts as several commands, one for each phase.
fn read(_: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    match typed.words_after_first() {
        [] => Ok(Action::Next),
        [one] if one.text == "1" => Ok(Action::Next),
        [first, ..] => {
            let message = "only `next` on its own is a single command";
            Err(LineError::new(Some(first), message))
        }
    }
}

fn complete(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    match given {
        [] => ["turn", "side", "to"].iter().for_each(|word| to.offer(word)),
        [word] if word.text == "to" => {}
        _ => return,
    }
    reading.ruleset().phases.iter().for_each(|p| to.offer(&p.name));
}
