//! Questions whether somebody can do something: `can bob still fire`, `bob can fire?`, `is bob able to
//! reach ann`. The answer is yes or no, with a line or the reason why it would be refused.

use super::play::Play;
use super::questions::{
    STILL, TriedLine, acting_rows, names_of_pieces, reply, tried_line, verb_of, who_can,
    words_of_question,
};
use super::reply::Replied;
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};
use crate::referee::Action;

/// Answers a question whether somebody can do something. Returns `None` for any other line.
pub(super) fn answer(play: &Play, typed: &TypedLine<'_>) -> Option<Replied> {
    let words = words_of_question(play, typed)?;
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(each) = can_each(play, &texts) {
        return Some(each.into_reply());
    }
    match texts.as_slice() {
        ["can" | "could" | "may", "we" | "they" | "anyone" | "anybody" | "somebody", rest @ ..]
            if !rest.is_empty() =>
        {
            who_can(play, &[&["can"], rest].concat(), None)
        }
        ["can" | "could" | "may", piece, rest @ ..] if !rest.is_empty() => {
            can(play, &[&[*piece], rest].concat()).map(Ability::into_reply)
        }
        ["does" | "do" | "is" | "are", piece, "able" | "allowed" | "get", "to", rest @ ..]
            if !rest.is_empty() =>
        {
            can(play, &[&[*piece], rest].concat()).map(Ability::into_reply)
        }
        [piece, "can" | "could" | "may", rest @ ..]
            if typed.line.trim_end().ends_with('?') && !rest.is_empty() =>
        {
            can(play, &[&[*piece], rest].concat()).map(Ability::into_reply)
        }
        _ => None,
    }
}

/// The answer to a question whether somebody can do something.
struct Ability {
    answer: String,
    /// Lines that would be accepted.
    listed: Vec<String>,
}

impl Ability {
    /// Returns an answer without lines.
    fn of(answer: String) -> Ability {
        Ability { answer, listed: Vec::new() }
    }

    fn into_reply(self) -> Replied {
        Ok(reply(self.answer, self.listed))
    }
}

/// Answers a question about one of several pieces, such as `ann or bob can still fire`, for each of them.
fn can_each(play: &Play, words: &[&str]) -> Option<Ability> {
    let is_can = |word: &&str| ["can", "could", "may"].contains(word);
    let at = words.iter().position(is_can)?;
    let others = [&words[..at], &words[at + 1..]].concat();
    let or = others.iter().position(|word| *word == "or")?;
    let [one, other] = [or.checked_sub(1)?, or + 1].map(|index| others.get(index).copied());
    let names = [one?, other?];
    let is_piece = |name: &&str| command::find_spoken(play.session.table(), name).is_some();
    let rest = others.get(or + 2..)?;
    if !names.iter().all(is_piece) || rest.is_empty() || or != 1 {
        return None;
    }
    let mut answers = Vec::new();
    let mut listed = Vec::new();
    for name in names {
        let ability = can(play, &[&[name], rest].concat())?;
        answers.push(format!("{name}: {}", ability.answer));
        listed.extend(ability.listed);
    }
    Some(Ability { answer: answers.join("; "), listed })
}

/// Words that may stand for pieces that a question doesn't name.
const ANYBODY: [&str; 16] = [
    "any",
    "anybody",
    "anyone",
    "anything",
    "somebody",
    "someone",
    "something",
    "at",
    "on",
    "to",
    "the",
    "it",
    "a",
    "this",
    "turn",
    "phase",
];

/// Answers whether these words would be accepted as a line. If they are only pieces and a verb, gives
/// an example of an accepted line or the reason for the refusal.
fn can(play: &Play, words: &[&str]) -> Option<Ability> {
    let words: Vec<&str> = words.iter().copied().filter(|word| !STILL.contains(word)).collect();
    let line = words.join(" ");
    let Ok(Some(command)) = command::parse(play.referee(), play.session.table(), &line) else {
        return can_somehow(play, &words);
    };
    let meant = command.restated.as_deref().unwrap_or(&line).to_owned();
    Some(match play.refusal(&command) {
        None => Ability { answer: format!("yes: `{meant}`"), listed: vec![meant] },
        Some(reason) => Ability::of(format!("no: {reason}")),
    })
}

/// Answers whether a piece could act with a verb, perhaps on a second piece. Returns `None` if there
/// are other words.
fn can_somehow(play: &Play, words: &[&str]) -> Option<Ability> {
    let table = play.session.table();
    let said: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let names = names_of_pieces(play, &said);
    let (name, others) = names.split_first()?;
    let (kind, row) = table.find(name)?;
    let mut single = said.iter().filter_map(|word| verb_of(play, word));
    let single = single.next().filter(|_| single.next().is_none()).map(str::to_owned);
    let asked = words.join(" ");
    let mut of_phrase = command::verbs_in(play.referee(), table, &asked).into_iter();
    let verb = single.or_else(|| of_phrase.next().filter(|_| of_phrase.next().is_none()))?;
    let verb = verb.as_str();
    let phrase = command::words_for_verb(play.referee(), table, &asked, verb);
    let schema = &play.referee().ruleset().schema;
    let is_kind =
        |word: &str| schema.piece_kinds().any(|(_, of)| of.name == word || of.plural == word);
    let says_more = |word: &&&str| {
        !ANYBODY.contains(*word)
            && command::find_spoken(table, word).is_none()
            && !phrase.iter().any(|part| part == **word)
            && verb_of(play, word).is_none()
            && !is_kind(word)
    };
    if others.len() > 1 || words.iter().filter(says_more).count() > 0 {
        return None;
    }
    let pieces: Vec<&str> = names.iter().map(String::as_str).collect();
    let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let search = LineSearch::new(play.words, play.referee(), table);
    if let Some(example) = search.line_with(verb, &pieces, &acting) {
        let answer = format!("yes, for example `{example}`");
        return Some(Ability { answer, listed: vec![example] });
    }
    Some(Ability::of(match tried_line(play, &search, verb, &pieces) {
        Some(TriedLine { line, refused: Some(reason) }) => {
            let later = later_phases(play, verb).unwrap_or_default();
            format!("no: `{line}` would be refused now: {reason}{later}")
        }
        _ => format!("no way was found for {name} to `{verb}` now"),
    }))
}

/// The maximum number of later phases named.
const MAX_LATER: usize = 3;

/// Returns a clause that names the later phases of this turn to which a verb belongs; `None` if there are none.
fn later_phases(play: &Play, verb: &str) -> Option<String> {
    let phases = &play.referee().ruleset().phases;
    let here = play.referee().phase_index(play.session.table())?;
    let has = |index: &usize| phases[*index].verbs.iter().any(|(own, _)| own == verb);
    if !has(&here) {
        // The reason for the refusal names the phase.
        return None;
    }
    let later = (here + 1..phases.len()).filter(has).take(MAX_LATER);
    let later: Vec<String> =
        later.map(|index| format!("{} {}", index + 1, phases[index].title)).collect();
    (!later.is_empty()).then(|| {
        format!("; `{verb}` also belongs to later phases of this turn: {}", later.join(", "))
    })
}
