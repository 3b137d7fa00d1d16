//! Corrections of what was done before, in the past tense: `bob was shooting at carl, not dora`, `ann only
//! moved 6`, `ann didn't climb`. Finds the command that is meant, and the line that replaces it, leaves it
//! out or undoes it. The module `corrections` reads corrections that begin like one and are about the last
//! command.

use super::corrections::{self, bare_words};
use super::left_out_words::has_word;
use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use super::rulings;
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};
use crate::language::schema::KindId;
use crate::session::Entry;

/// The maximum number of commands that are searched for the one that is meant.
const MAX_BACK: usize = 30;

/// The maximum number of lines proposed.
const MAX_PROPOSED: usize = 2;

/// Words for what was done or was so, apart from verbs that end in `ed`.
const PAST: [&str; 18] = [
    "was", "were", "had", "went", "flew", "ran", "drove", "threw", "laid", "took", "came", "stood",
    "fought", "fell", "did", "sent", "wasn't", "weren't",
];

/// Words that deny a value which follows them.
const NOT: [&str; 10] =
    ["not", "wasn't", "weren't", "isn't", "didn't", "wasnt", "didnt", "hasn't", "never", "instead"];

/// Those of [`NOT`] that deny something in the past.
const NOT_DONE: [&str; 6] = ["wasn't", "weren't", "didn't", "wasnt", "didnt", "never"];

/// The maximum number of words between a denial and the value that it denies.
const MAX_BETWEEN: usize = 4;

/// A value that can stand in a command.
#[derive(Clone, Debug, PartialEq)]
struct SaidValue {
    /// The value, as it stands in a command.
    text: String,
    sort: ValueSort,
}

/// The sort of a value. A value can only take the place of another one of its sort.
#[derive(Clone, Debug, PartialEq)]
enum ValueSort {
    Piece(KindId),
    Number,
    Word,
}

/// Returns the value that a word means; `None` for any other word.
fn value(play: &Play, words: &[String], at: usize) -> Option<SaidValue> {
    let table = play.session.table();
    let word = words.get(at)?;
    if let Some(number) = corrections::number_at(words, at) {
        return Some(SaidValue { text: number, sort: ValueSort::Number });
    }
    let names = command::names_in(play.referee(), table, word);
    if let [name] = names.as_slice()
        && !command::is_common_word(word)
    {
        let (kind, _) = table.find(name)?;
        return Some(SaidValue { text: name.clone(), sort: ValueSort::Piece(kind) });
    }
    let is_word = command::is_usage_word(play.referee(), word)
        || command::is_parameter_value(play.referee(), word);
    (is_word && !command::is_common_word(word) && !corrections::is_little(word))
        .then(|| SaidValue { text: word.clone(), sort: ValueSort::Word })
}

/// The values of a statement about what was done.
struct Claim {
    /// The values that were wrong.
    denied: Vec<SaidValue>,
    /// The other values.
    stated: Vec<SaidValue>,
    /// True if the statement denies something, but no value.
    denies_act: bool,
}

impl Claim {
    fn read(play: &Play, words: &[String]) -> Claim {
        let mut denied_at = Vec::new();
        let mut denies_act = false;
        // In `bob isn't tired`, no act is denied.
        let is_past = |at: usize| {
            let is_not = words[at] == "not";
            let has = at.checked_sub(1).is_some_and(|before| words[before].ends_with("'s"));
            let next = words.get(at + 1);
            NOT_DONE.contains(&words[at].as_str())
                || is_not && has && next.is_some_and(|next| next.ends_with("ed"))
        };
        for (at, _) in words.iter().enumerate().filter(|(_, word)| NOT.contains(&word.as_str())) {
            let after = at + 1..words.len().min(at + 1 + MAX_BETWEEN);
            // In `not moved at all`, no value is denied.
            let found = after.into_iter().find(|&index| value(play, words, index).is_some());
            match found {
                Some(index) => denied_at.push(index),
                None => denies_act |= is_past(at),
            }
        }
        let values = |is_denied: bool| {
            let at = (0..words.len()).filter(|at| denied_at.contains(at) == is_denied);
            at.filter_map(|at| value(play, words, at)).collect::<Vec<_>>()
        };
        Claim { denied: values(true), stated: values(false), denies_act }
    }
}

/// Returns the lines for a statement that names a wrong value of an earlier command and the right one, as in
/// `bob was shooting at carl, not dora`. Returns no lines for any other line.
pub(super) fn lines_for_wrong_value(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let words = bare_words(typed);
    if !words.iter().any(|word| NOT.contains(&word.as_str())) {
        return Vec::new();
    }
    let claim = Claim::read(play, &words);
    if claim.denied.is_empty() {
        return Vec::new();
    }
    // `no, not in cover` may be about the line that was just discarded.
    if let Some(refused) = &play.refused
        && claim.stated.is_empty()
        && claim.denied.iter().all(|v| v.sort == ValueSort::Word && has_word(refused, &v.text))
    {
        let line =
            claim.denied.iter().fold(refused.clone(), |line, v| without_word(&line, &v.text));
        let search = LineSearch::new(play.words, play.referee(), play.session.table());
        return if search.accepts(&line) { vec![line] } else { Vec::new() };
    }
    let mut found = Vec::new();
    // What begins like a correction is about the last command, if that has the pieces.
    let last = corrections::last_replaceable(play).filter(|last| {
        let parts: Vec<&str> = last.line.split([' ', ',']).collect();
        let mut pieces = claim.stated.iter().filter(|v| matches!(v.sort, ValueSort::Piece(_)));
        corrections::takes_back(typed)
            && claim.stated.iter().any(|v| matches!(v.sort, ValueSort::Piece(_)))
            && pieces.all(|piece| parts.contains(&piece.text.as_str()))
    });
    let considered = match last {
        Some(last) => vec![last],
        None => latest(play),
    };
    for entry in considered {
        let parts: Vec<&str> = entry.line.split([' ', ',']).collect();
        let has = |value: &SaidValue| parts.contains(&value.text.as_str());
        // A piece or the verb shows that the command is meant.
        let names_piece =
            || claim.stated.iter().any(|v| matches!(v.sort, ValueSort::Piece(_)) && has(v));
        let denies_piece =
            || claim.denied.iter().any(|value| matches!(value.sort, ValueSort::Piece(_)));
        let is_last = corrections::is_last(play, entry);
        let is_about = (names_piece() || denies_piece() || is_last) && has_verb(play, typed, entry);
        if !is_about || !claim.denied.iter().all(has) {
            continue;
        }
        let mut line = entry.line.clone();
        let mut is_replaced = true;
        for wrong in &claim.denied {
            let is_right = |one: &&SaidValue| one.sort == wrong.sort && !has(one);
            match claim.stated.iter().find(is_right) {
                Some(right) => line = with_value(&line, &wrong.text, &right.text),
                // In `no, not in cover`, nothing takes the place of the word.
                None if wrong.sort == ValueSort::Word && claim.stated.is_empty() => {
                    line = without_word(&line, &wrong.text);
                }
                None => is_replaced = false,
            }
        }
        // In `he turned left, not right`, `left` may be what the verb means without that word.
        let line = if is_replaced {
            Some(line).filter(|line| corrections::is_accepted(play, entry, line))
        } else {
            corrections::replacing_lines(play, entry, typed.line).into_iter().next()
        };
        if let Some(line) = line {
            found.push(as_amendment(play, entry, &line));
            if found.len() == MAX_PROPOSED {
                break;
            }
        }
    }
    found
}

/// Returns true if a line says in the past tense that less was done, as in `ann only went 6`, or takes back
/// what was counted, as in `no, ann was in cover`.
pub(super) fn says_what_was_less(typed: &TypedLine<'_>) -> bool {
    let words = bare_words(typed);
    let describes = words.iter().any(|word| ["was", "were"].contains(&word.as_str()));
    if describes && corrections::takes_back(typed) {
        return true;
    }
    words.windows(2).any(|pair| {
        pair[0] == "only" && (PAST.contains(&pair[1].as_str()) || pair[1].ends_with("ed"))
    })
}

/// Returns the lines for a statement about what somebody did, in the past tense, that differs from an
/// earlier command: `ann only moved 6`, `ann didn't climb`. Returns no lines for any other line.
pub(super) fn lines_for_statement(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let words = bare_words(typed);
    let claim = Claim::read(play, &words);
    let is_past = |word: &String| {
        PAST.contains(&word.as_str())
            || word.ends_with("ed")
                && command::base_forms(word).iter().any(|f| question_words::is_verb(play, f))
    };
    if !claim.denies_act && claim.denied.is_empty() && !words.iter().any(is_past) {
        return Vec::new();
    }
    if rulings::overrules(&words) {
        return Vec::new();
    }
    let mut named = names_of_pieces(play, &[typed.line.to_owned()]);
    let groups = command::groups_in(play.referee(), play.session.table(), typed.line);
    // A squad stands for its men.
    if !groups.is_empty() {
        named = groups;
    }
    let Some(first) = named.first() else { return Vec::new() };
    let acting = |entry: &Entry| -> Vec<String> {
        let second = entry.line.split(' ').nth(1).unwrap_or_default();
        second.split(',').map(str::to_owned).collect()
    };
    let is_about = |entry: &&Entry| {
        let parts: Vec<&str> = entry.line.split([' ', ',']).collect();
        let has_all = named.iter().all(|name| parts.contains(&name.as_str()));
        let acting = acting(entry);
        // `carl was in cover when ann shot`
        let describes = words.iter().any(|word| ["was", "were"].contains(&word.as_str()))
            && (corrections::takes_back(typed) || named.iter().any(|name| acting.contains(name)));
        (acting.contains(first) || describes) && has_all && has_verb(play, typed, entry)
    };
    let Some(entry) = latest(play).into_iter().find(is_about) else { return Vec::new() };
    let is_last = corrections::is_last(play, entry);
    if claim.denies_act {
        let left_out = format!("amend {} note left out", entry.number);
        return vec![if is_last { "undo".to_owned() } else { left_out }];
    }
    // A wrong value without the right one says nothing about what was done instead.
    if !claim.denied.is_empty() {
        return Vec::new();
    }
    let said = corrections::corrected_part(typed).unwrap_or(typed.line);
    let same_actor = |line: &String| {
        let mut parts = line.split(' ');
        parts.next() == entry.line.split(' ').next()
            && parts.next().is_some_and(|second| second.split(',').eq(acting(entry)))
    };
    let mut lines = corrections::replacing_lines(play, entry, said);
    lines.retain(same_actor);
    lines.truncate(MAX_PROPOSED);
    lines.iter().map(|line| as_amendment(play, entry, line)).collect()
}

/// Returns the commands that changed the game, the latest first.
fn latest(play: &Play) -> Vec<&Entry> {
    let board = play.session.board();
    let latest = play.session.entries().iter().rev().take(MAX_BACK).map(|entry| &**entry);
    latest
        .filter(|entry| !entry.outcome.only_looks() && board.is_current(entry.number))
        .filter(|entry| entry.line.split(' ').next() != Some("next"))
        .collect()
}

/// Returns true if a line has the verb of a command, or no verb at all.
fn has_verb(play: &Play, typed: &TypedLine<'_>, entry: &Entry) -> bool {
    let verbs = command::verbs_in(play.referee(), play.session.table(), typed.line);
    verbs.is_empty() || verbs.iter().any(|verb| entry.line.split(' ').next() == Some(verb))
}

/// Returns a line with another value in place of one.
fn with_value(line: &str, old: &str, new: &str) -> String {
    let part = |part: &str| if part == old { new.to_owned() } else { part.to_owned() };
    let word = |word: &str| word.split(',').map(part).collect::<Vec<_>>().join(",");
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns a line without a word.
fn without_word(line: &str, word: &str) -> String {
    line.split(' ').filter(|one| *one != word).collect::<Vec<_>>().join(" ")
}

/// Returns the line that replaces a command with another line.
fn as_amendment(play: &Play, entry: &Entry, line: &str) -> String {
    if corrections::is_last(play, entry) {
        format!("oops {line}")
    } else {
        format!("amend {} {line}", entry.number)
    }
}
