//! Corrections in the umpire's own words: `sorry, that was ann`, `oops 14`. Finds lines that could
//! replace the command to be corrected: either a complete new line, or the line of that command
//! with the pieces, numbers and words that the correction names. Only lines that the amendment
//! would accept are proposed.

use std::sync::Arc;

use super::left_out_words;
use super::likely_lines::number_of;
use super::play::Play;
use super::question_words;
use super::questions::{names_of_pieces, verb_of};
use super::suggest::LineSearch;
use crate::command::{self, NearestBudget, TypedLine};
use crate::language::machine::Halt;
use crate::session::{CommandInput, Entry, LineMisfit};

/// The maximum number of lines proposed.
const MAX_PROPOSED: usize = 3;

/// The maximum number of lines tried for one word of a correction.
const MAX_TRIES: usize = 12;

/// The maximum number of words of a correction that are considered.
const MAX_WORDS: usize = 24;

/// Words that begin a correction. Several of them may come one after another.
const BEGIN: [&str; 15] = [
    "change",
    "fix",
    "correct",
    "sorry",
    "actually",
    "no",
    "nope",
    "wait",
    "wrong",
    "correction",
    "oops",
    "whoops",
    "hang",
    "scrub",
    "scratch",
];

/// Phrases that ask to do the last command again, with a change after them.
const AGAIN_WITH: [&str; 8] = [
    "redo that shot",
    "redo the shot",
    "redo that",
    "do that shot again",
    "do that again",
    "do the shot again",
    "do it again",
    "that again",
];

/// Returns the lines that replace the last command by the same one with a change, as in `redo that with
/// cover`. Returns no lines for any other line.
pub(super) fn again_with_change(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let spoken = bare_words(typed).join(" ");
    let spoken = spoken.strip_prefix("so ").unwrap_or(&spoken);
    let Some(change) = AGAIN_WITH.iter().find_map(|phrase| question_words::after(spoken, phrase))
    else {
        return Vec::new();
    };
    let with = ["with ", "but ", "from ", "at "].iter().find_map(|with| change.strip_prefix(with));
    let said = with.unwrap_or(change);
    last_replaceable(play).map_or_else(Vec::new, |last| oops_lines(play, last, said))
}

/// Phrases of two words that begin a correction.
const BEGIN_WITH_TWO: [[&str; 2]; 11] = [
    ["make", "that"],
    ["make", "it"],
    ["i", "mean"],
    ["i", "meant"],
    ["that", "was"],
    ["that", "should"],
    ["it", "was"],
    ["it", "should"],
    ["should", "have"],
    ["range", "was"],
    ["distance", "was"],
];

/// Words in front of a correction.
const BEFORE: [&str; 6] = ["oh", "ah", "er", "erm", "um", "the"];

/// Words that begin a correction when they follow `no`.
const AFTER_NO: [&str; 11] =
    ["wait", "hang", "that", "it", "not", "sorry", "i", "make", "actually", "just", "only"];

/// Words of a correction that don't belong to the line that should have been typed.
const LITTLE: [&str; 36] = [
    "just", "only", "on", "that", "was", "is", "it", "its", "it's", "should", "have", "been", "be",
    "i", "mean", "meant", "make", "the", "a", "an", "my", "mistake", "and", "of", "said", "to",
    "not", "inches", "inch", "he", "she", "they", "his", "her", "away", "call",
];

/// The word that means the last command when it follows `amend`.
pub(super) const LAST: &str = "last";

/// The first words of lines that undo the last command.
const TAKES_BACK: [&str; 10] =
    ["take", "undo", "scrub", "scratch", "cancel", "strike", "forget", "delete", "ignore", "scrap"];

/// Words that don't identify a command in a line that undoes it.
const OF_COMMANDS: [&str; 24] = [
    "back", "the", "that", "last", "shot", "shots", "move", "moves", "command", "line", "one",
    "of", "his", "her", "its", "my", "please", "again", "all", "go", "fire", "bit", "thing",
    "just",
];

/// Phrases at the end of a line that undo the last command.
const UNDOES_AT_END: [&[&str]; 6] = [
    &["undo", "that"],
    &["undo", "it"],
    &["take", "that", "back"],
    &["take", "it", "back"],
    &["scratch", "that"],
    &["strike", "that"],
];

/// Returns true if a line asks to undo the last command, either in general (`take that back`) or by
/// naming its action (`take back the pak shot`).
pub(super) fn undoes_last(play: &Play, typed: &TypedLine<'_>) -> bool {
    // `no no, take that back`
    let words = bare_words(typed).into_iter();
    let words: Vec<String> =
        words.skip_while(|word| ["no", "oh"].contains(&word.as_str())).collect();
    let Some(last) = last_replaceable(play) else { return false };
    let begins = |phrase: &[&str]| {
        words.len() >= phrase.len() && words.iter().zip(phrase).all(|(a, b)| a == b)
    };
    let phrase_back = [&["go", "back"][..], &["step", "back"], &["back", "to"], &["back", "a"]];
    let is_about_pieces =
        words.iter().any(|word| command::find_spoken(play.session.table(), word).is_some());
    if last.line.starts_with("next") && !is_about_pieces && phrase_back.into_iter().any(begins) {
        return true;
    }
    // `carl was too far off, so undo that`
    let ends = |phrase: &[&str]| {
        words.len() > phrase.len()
            && words.iter().rev().zip(phrase.iter().rev()).all(|(a, b)| a == b)
    };
    if UNDOES_AT_END.into_iter().any(ends) {
        return true;
    }
    let first = words.first().map(String::as_str).unwrap_or_default();
    let is_take = first != "take" || words.iter().any(|word| word == "back");
    let old: Vec<String> = last.line.split([' ', ',']).map(str::to_lowercase).collect();
    let is_of_last = |word: &String| {
        let piece = command::find_spoken(play.session.table(), word);
        piece.map_or(old.contains(word), |piece| old.contains(&piece.to_lowercase()))
    };
    let takes_it_back = [&["take", "that", "back"][..], &["take", "it", "back"]];
    if takes_it_back.into_iter().any(begins) {
        return true;
    }
    // After `take that`, any noun without a number names the last command.
    let is_noun = |word: &String| {
        first == "take"
            && word.chars().all(char::is_alphabetic)
            && command::find_spoken(play.session.table(), word).is_none()
    };
    let mut rest = words.iter().skip(1);
    TAKES_BACK.contains(&first)
        && is_take
        && words.len() > 1
        && rest
            .all(|word| OF_COMMANDS.contains(&word.as_str()) || is_of_last(word) || is_noun(word))
}

/// Words that may stand beside those in [`LEAVES_OUT`].
const OF_LEFT_OUT: [&str; 14] = [
    "take", "the", "command", "line", "number", "no", "that", "just", "please", "how", "do", "i",
    "again", "whole",
];

/// Words that leave out a command which is named by its number.
const LEAVES_OUT: [&str; 11] = [
    "remove", "drop", "delete", "cancel", "scrub", "scratch", "strike", "scrap", "skip", "out",
    "back",
];

/// Returns the line that leaves out an earlier command, if a line asks for that by the command's
/// number: `drop line 20`. The commands after it are kept.
pub(super) fn line_without_command(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    // In `scratch 53, ann stayed at home`, the reason follows.
    let clause = typed.line.split([',', ';']).next().unwrap_or_default();
    let words = bare_words(&TypedLine::read(clause).ok()?);
    let asks = words.iter().any(|word| LEAVES_OUT.contains(&word.as_str()));
    let (last, others) = words.split_last()?;
    let number: u64 = last.parse().ok().filter(|_| asks)?;
    let says_else = others
        .iter()
        .any(|word| !LEAVES_OUT.contains(&word.as_str()) && !OF_LEFT_OUT.contains(&word.as_str()));
    let entry = play.session.entries().iter().find(|entry| entry.number == number)?;
    let begins = !play.referee().ruleset().has_verb(words.first()?);
    (!says_else && begins && !entry.outcome.only_looks())
        .then(|| format!("amend {number} note left out"))
}

/// Words with which a line says that a command is missing.
const FORGOT: [&str; 4] = ["forgot", "forgotten", "missed", "omitted"];

/// Returns help for a line that says that something was forgotten before the last command: it is typed before
/// that command is typed again. Returns `None` for any other line, or if there is no command.
pub(super) fn help_with_forgotten(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = bare_words(typed);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let last = last_replaceable(play)?;
    let is_before = has(&["before", "first", "earlier"]);
    (has(&FORGOT) && is_before && !question_words::is_question(typed))
        .then(|| format!("type `undo`, then the forgotten line, and then `{}` again", last.line))
}

/// Words that ask for other dice or cards.
const OTHER_DICE: [&str; 6] = ["reroll", "redraw", "re-roll", "re-draw", "rethrow", "reshuffle"];

/// Phrases that ask for other dice or cards.
const OTHER_DICE_PHRASES: [&str; 8] = [
    "roll again",
    "roll that again",
    "roll it again",
    "roll them again",
    "draw again",
    "draw that again",
    "draw that card again",
    "throw again",
];

/// Returns true if a line asks to roll or draw again, and the game has no such command.
pub(super) fn asks_other_dice(play: &Play, typed: &TypedLine<'_>) -> bool {
    let words = bare_words(typed);
    let spoken = words.join(" ");
    let is_verb = play.referee().ruleset().has_verb(typed.verb());
    let asks = words.first().is_some_and(|first| OTHER_DICE.contains(&first.as_str()))
        || OTHER_DICE_PHRASES.contains(&spoken.as_str());
    asks && !is_verb && last_replaceable(play).is_some()
}

/// Returns the last command that changed the game, if there is one.
pub(super) fn last_replaceable(play: &Play) -> Option<&Entry> {
    let mut latest = play.session.entries().iter().rev();
    latest.find(|entry| !entry.outcome.only_looks()).map(|entry| &**entry)
}

/// Returns true if a command is the last one that changed the game.
pub(super) fn is_last(play: &Play, entry: &Entry) -> bool {
    last_replaceable(play).is_some_and(|last| last.number == entry.number)
}

/// The maximum number of words in a line that undoes what a piece did.
const MAX_UNDO: usize = 7;

/// Returns the lines for a line such as `undo bob` or `undo the shot at bob`, which undoes a command before the
/// last one: the first leaves out that command, and the second also undoes all that came after it. Returns no
/// lines for any other line.
pub(super) fn lines_to_undo(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let words = bare_words(typed);
    let undoes = words.first().is_some_and(|first| first == "undo") && words.len() <= MAX_UNDO;
    let names = pieces_named(play, typed.line);
    let Some(last) = last_replaceable(play).filter(|_| undoes && !names.is_empty()) else {
        return Vec::new();
    };
    let table = play.session.table();
    let verbs = command::verbs_in(play.referee(), table, typed.line);
    let is_meant = |entry: &&Arc<Entry>| {
        let parts: Vec<&str> = entry.line.split([' ', ',']).collect();
        let has_verb = verbs.is_empty() || verbs.iter().any(|verb| parts[0] == verb);
        !entry.outcome.only_looks()
            && has_verb
            && names.iter().all(|name| parts.contains(&name.as_str()))
    };
    let mut latest = play.session.entries().iter().rev().take(MAX_BACK);
    match latest.find(is_meant) {
        Some(entry) if entry.number == last.number => vec!["undo".to_owned()],
        Some(entry) => vec![
            format!("amend {} note left out", entry.number),
            format!("undo to {}", entry.number.saturating_sub(1)),
        ],
        None => Vec::new(),
    }
}

/// Returns the command that would be replaced by a line typed after these words: `oops`, `amend 3`.
/// Returns `None` for any other words, or if there is no such command.
pub(super) fn command_to_replace<'p>(play: &'p Play, outer: &str) -> Option<&'p Entry> {
    let mut words = outer.split_whitespace();
    let word = words.next()?.to_lowercase();
    let which = words.next();
    let number = which.map(str::parse::<u64>);
    match (word.as_str(), number) {
        (word, None) if "oops".starts_with(word) => last_replaceable(play),
        (word, Some(Err(_))) if "amend".starts_with(word) => last_replaceable(play)
            .filter(|_| which.is_some_and(|which| which.eq_ignore_ascii_case(LAST))),
        (word, Some(Ok(number))) if "amend".starts_with(word) => {
            let entry = play.session.entries().iter().find(|entry| entry.number == number);
            entry.map(|entry| &**entry)
        }
        _ => None,
    }
}

/// Returns true if a word, in lower case, only begins a correction: `sorry`, `wait`.
pub(super) fn begins_correction(word: &str) -> bool {
    BEGIN.contains(&word)
}

/// Returns true if a line begins with a word that retracts something: `sorry`, `no, wait`.
pub(super) fn takes_back(typed: &TypedLine<'_>) -> bool {
    let words = bare_words(typed);
    let skipped = words.iter().take_while(|word| BEFORE.contains(&word.as_str())).count();
    let words = &words[skipped..];
    let Some(first) = words.first() else { return false };
    // `no water left` retracts nothing, but `no 2` and `no c` do.
    let is_answer = || {
        let marked = typed.tokens.get(skipped).is_some_and(|token| token.text.ends_with(','));
        let is_value = |next: &String| number_of(next).is_some() || next.chars().count() == 1;
        marked
            || words.get(1).is_some_and(|next| AFTER_NO.contains(&next.as_str()) || is_value(next))
    };
    BEGIN.contains(&first.as_str()) && (first != "no" || is_answer())
}

/// Returns the part of a line that states the correct words, such as the words after
/// `sorry, that was`. Returns `None` if the line doesn't begin like a correction.
pub(super) fn corrected_part<'t>(typed: &'t TypedLine<'_>) -> Option<&'t str> {
    let words = bare_words(typed);
    let begun: Vec<&String> =
        words.iter().skip_while(|word| BEFORE.contains(&word.as_str())).collect();
    let begins_with =
        |pair: &[&str; 2]| begun.iter().zip(pair).filter(|(a, b)| a == b).count() == 2;
    if !takes_back(typed)
        && !BEGIN_WITH_TWO.iter().any(begins_with)
        && !corrects_action_of_piece(&begun)
    {
        return None;
    }
    let says = |word: &String| !is_little(word) && !BEFORE.contains(&word.as_str());
    let first = words.iter().position(says).and_then(|index| typed.tokens.get(index));
    Some(first.map_or("", |token| &typed.line[token.start..]))
}

/// Words for what a piece did, in a correction such as `bob's shot was at 20`.
const OF_PIECE: [&str; 6] = ["shot", "move", "range", "distance", "roll", "throw"];

/// Returns true if a line says what the number of a piece's action was: `bob's shot was at 20`.
fn corrects_action_of_piece(words: &[&String]) -> bool {
    // `the shot should have been from the side`
    if let [action, should, have, ..] = words
        && OF_PIECE.contains(&action.as_str())
        && (should.as_str(), have.as_str()) == ("should", "have")
    {
        return true;
    }
    let [_, action, was, rest @ ..] = words else { return false };
    OF_PIECE.contains(&action.as_str())
        && ["was", "were", "should"].contains(&was.as_str())
        && rest.iter().any(|word| number_of(word).is_some())
}

/// Words in a correction that only denies something.
const DENIES: [&str; 10] = [
    "wasn't", "wasnt", "isn't", "isnt", "weren't", "werent", "didn't", "didnt", "hadn't", "hasn't",
];

/// Returns true if a correction only denies something. Such a correction doesn't state the correct
/// words.
fn denies(correction: &str) -> bool {
    let mut words = correction.split_whitespace().map(|word| word.to_lowercase().replace('’', "'"));
    words.any(|word| DENIES.contains(&word.as_str()))
}

/// Words between `not` and the word that it negates.
const AFTER_NOT: [&str; 9] = ["the", "a", "an", "his", "her", "its", "at", "in", "from"];

/// Returns true if the word at this index is negated, as `side` in `the front, not the side`.
fn is_denied(words: &[String], index: usize) -> bool {
    let mut before = words[..index].iter().rev();
    before.find(|word| !AFTER_NOT.contains(&word.as_str())).is_some_and(|word| word == "not")
}

pub(super) fn is_little(word: &str) -> bool {
    LITTLE.contains(&word) || BEGIN.contains(&word)
}

/// Returns the lines that could replace a command after a correction, the most likely first. They
/// differ from the command's own line, and the amendment accepts them.
pub(super) fn replacing_lines(play: &Play, entry: &Entry, said: &str) -> Vec<String> {
    if denies(said) {
        return Vec::new();
    }
    let is_accepted = |line: &String| is_accepted(play, entry, line);
    let budget = NearestBudget::new();
    let near = command::nearest_lines(play.referee(), play.session.table(), said, &budget);
    let whole = near.into_iter().map(|near| near.line);
    let whole: Vec<String> = whole.filter(is_accepted).take(MAX_PROPOSED).collect();
    // `panther only went 6` keeps the rest of `move panther 8 road`.
    let begins_alike = |line: &String| line.split(' ').take(2).eq(entry.line.split(' ').take(2));
    if whole.iter().all(begins_alike) {
        let changed = with_words_replaced(play, &entry.line, said, &is_accepted);
        if !changed.is_empty() {
            return changed;
        }
    }
    whole
}

/// Returns the `oops` lines that replace a command after a correction, the most likely first.
pub(super) fn oops_lines(play: &Play, entry: &Entry, said: &str) -> Vec<String> {
    let lines = replacing_lines(play, entry, said).into_iter();
    lines.map(|line| format!("oops {line}")).collect()
}

/// Returns the `oops` lines for a correction of the last command; `None` if a text is none, or if no line
/// fits it.
pub(super) fn of_last(play: &Play, text: &str) -> Option<Vec<String>> {
    let typed = TypedLine::read(text).ok()?;
    let said = corrected_part(&typed)?;
    let lines = oops_lines(play, last_replaceable(play)?, said);
    (!lines.is_empty()).then_some(lines)
}

/// Returns true if a correction has the verb of the last command, and the refused line has another: when
/// `climb ann` was refused, `sorry, ann only moved 4` corrects the movement before it.
pub(super) fn passes_over_refused(play: &Play, refused: &str, said: &str) -> bool {
    let verbs = command::verbs_in(play.referee(), play.session.table(), said);
    let has_verb = |line: &str| verbs.iter().any(|verb| line.split(' ').next() == Some(verb));
    last_replaceable(play).is_some_and(|last| has_verb(&last.line)) && !has_verb(refused)
}

/// Words of a line such as `no, just the first one`, apart from those in [`ONLY`].
const OF_ONE: [&str; 9] = ["no", "the", "first", "last", "second", "one", "bit", "part", "that"];

/// Returns true if a line limits what was done to a part of it that it doesn't name: `no, just the first
/// one`. Without an open question, nothing can be limited.
pub(super) fn limits_nothing(typed: &TypedLine<'_>) -> bool {
    let words = bare_words(typed);
    words.len() > 2
        && words[0] == "no"
        && words.iter().any(|word| ONLY.contains(&word.as_str()))
        && words.iter().all(|word| OF_ONE.contains(&word.as_str()) || ONLY.contains(&word.as_str()))
}

/// Words that limit a command to some of the parts of its piece.
const ONLY: [&str; 3] = ["only", "just", "but"];

/// Returns the `oops` line for a correction that limits the last command to some parts of the piece that
/// acts in it: `the sling was broken, only bow and spear` for `fire ann at bob`. Returns `None` for any
/// other line.
pub(super) fn with_some_parts(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = bare_words(typed);
    let at = words.iter().position(|word| ONLY.contains(&word.as_str()))?;
    let last = last_replaceable(play)?;
    let table = play.session.table();
    let acting = last.line.split(' ').nth(1).filter(|name| table.find(name).is_some())?;
    let part_of = |word: &str| {
        let part = if word.starts_with(&format!("{acting}-")) {
            word.to_owned()
        } else {
            format!("{acting}-{word}")
        };
        table.find(&part).map(|_| part)
    };
    let mut parts: Vec<String> = Vec::new();
    for word in &words[at + 1..] {
        match part_of(word) {
            Some(part) => parts.push(part),
            None if is_little(word) || is_little_beside_parts(play, word) => {}
            None => return None,
        }
    }
    let is_part = |word: &str| word.split(',').all(|one| part_of(one).is_some() && one != acting);
    let mut kept: Vec<&str> = Vec::new();
    for word in last.line.split(' ') {
        if is_part(word) && kept.len() > 1 {
            // The word of the usage in front of the parts goes with them.
            kept.pop_if(|before| table.find(before).is_none());
        } else {
            kept.push(word);
        }
    }
    let line = kept.join(" ");
    let list = parts.join(",");
    let tried = [format!("{line} with {list}"), format!("{line} {list}")];
    let found = tried.into_iter().find(|one| is_accepted(play, last, one));
    found.filter(|_| !parts.is_empty()).map(|limited| format!("oops {limited}"))
}

/// Returns true if a word is the plural of a kind, as in `bow and stern guns`.
fn is_little_beside_parts(play: &Play, word: &str) -> bool {
    let mut kinds = play.referee().ruleset().schema.piece_kinds();
    kinds.any(|(_, kind)| kind.plural == word || kind.name == word)
}

/// The maximum number of commands that are searched for the one that a correction is about.
const MAX_BACK: usize = 30;

/// Returns the pieces that a correction names.
fn pieces_named(play: &Play, said: &str) -> Vec<String> {
    let words = [said.to_owned()];
    names_of_pieces(play, &words)
}

/// Returns the command before the last one, `last`, that a correction is about: the latest one for
/// the first piece that the correction names. Returns `None` if the last command has this piece.
pub(super) fn earlier_command<'p>(play: &'p Play, last: &Entry, said: &str) -> Option<&'p Entry> {
    let names = pieces_named(play, said);
    let first = names.first()?;
    let acts_in = |entry: &Entry| {
        let mut parts = entry.line.split(' ').skip(1);
        parts.next().is_some_and(|part| part.split(',').any(|name| name == first))
    };
    if last.line.split([' ', ',']).any(|part| part == first) {
        return None;
    }
    let latest = play.session.entries().iter().rev().take(MAX_BACK);
    let mut latest = latest.filter(|entry| !entry.outcome.only_looks());
    latest.find(|entry| acts_in(entry)).map(|entry| &**entry)
}

/// A line with a list of pieces. A correction names some of them.
struct LineWithList<'l> {
    line: &'l str,
    list: &'l str,
    named: Vec<&'l str>,
    others: Vec<&'l str>,
}

impl<'l> LineWithList<'l> {
    /// Divides the first list of a line that has one of these pieces. Returns `None` if the list has
    /// no other pieces, or lacks some of these.
    fn divide(line: &'l str, names: &[String]) -> Option<LineWithList<'l>> {
        let is_named = |one: &&str| names.iter().any(|name| name == one);
        let mut words = line.split(' ');
        let list =
            words.find(|word| word.contains(',') && word.split(',').any(|w| is_named(&w)))?;
        let (named, others): (Vec<&str>, Vec<&str>) = list.split(',').partition(is_named);
        let is_divided = !others.is_empty() && named.len() >= names.len();
        is_divided.then_some(LineWithList { line, list, named, others })
    }

    /// Returns the line with these pieces instead of its list.
    fn with(&self, pieces: &[&str]) -> String {
        let pieces = pieces.join(",");
        let words = self.line.split(' ').map(|word| if word == self.list { &pieces } else { word });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Returns the lines for a correction that concerns only some of the pieces of a list in the last
/// command: the `oops` line that leaves them out, and a line of their own. For `move t1,t2,t3 20`
/// and `t3 15`, they are `oops move t1,t2 20` and `move t3 15`.
pub(super) fn for_some_of_list(play: &Play, last: &Entry, said: &str) -> Option<(String, String)> {
    let names = pieces_named(play, said);
    let divided = LineWithList::divide(&last.line, &names)?;
    let without = divided.with(&divided.others);
    let same = divided.with(&divided.named);
    // The others' line stays the same, so the amendment must be possible without these pieces.
    let changed = with_words_replaced(play, &same, said, &|line: &String| {
        command::parse(play.referee(), play.session.table(), line).is_ok()
    });
    let own = changed.into_iter().next()?;
    is_accepted(play, last, &without).then(|| (format!("oops {without}"), own))
}

/// Words that take some pieces out of a command.
const TAKES_OUT: [&str; 12] = [
    "except",
    "not",
    "without",
    "shouldn't",
    "shouldnt",
    "didn't",
    "didnt",
    "doesn't",
    "doesnt",
    "leave",
    "take",
    "minus",
];

/// Returns a line without the pieces of its list that a text takes out: `move a,b 8` for `move a,b,c
/// 8` and `except c`, or `c shouldn't have moved`. Returns `None` if the text takes out no pieces, or
/// all of them.
pub(super) fn line_without_pieces(play: &Play, line: &str, part: &str) -> Option<String> {
    let mut words = part.split([' ', ',']).map(|word| word.to_lowercase().replace('’', "'"));
    let takes_out = words.any(|word| TAKES_OUT.iter().any(|known| *known == word));
    let names = pieces_named(play, part);
    let divided = LineWithList::divide(line, &names).filter(|_| takes_out)?;
    Some(divided.with(&divided.others))
}

/// Phrases with which the umpire allows what the rules refuse.
const ALLOWS: [&str; 8] = [
    "i allow it",
    "i'll allow it",
    "allow it",
    "i'll let it go",
    "let it go",
    "i insist",
    "insist",
    "do it anyway",
];

/// Returns the refused command with the mark that insists on it, if a line allows it: `I allow it, the
/// kerb is low`. Returns `None` for any other line.
pub(super) fn refused_but_allowed(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let refused = play.refused.as_ref()?;
    let spoken = bare_words(typed).join(" ").replace('’', "'");
    let allows = ALLOWS
        .iter()
        .any(|phrase| spoken == *phrase || question_words::after(&spoken, phrase).is_some());
    let command = command::parse(play.referee(), play.session.table(), refused).ok()??;
    let line = format!("{} !", command.restated.as_ref().unwrap_or(refused));
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    (allows && search.accepts(&line)).then_some(line)
}

/// Words around a number that is typed in place of one in a refused command.
const BESIDE_NUMBER: [&str; 12] =
    ["then", "ok", "okay", "no", "wait", "only", "just", "make", "it", "inches", "in", "oh"];

/// Returns the lines for a line that only has a number, after a command that was refused: `10 then` means
/// `move ann 10` after `move ann 12`. Returns `None` for any other line.
pub(super) fn number_for_refused(play: &Play, typed: &TypedLine<'_>) -> Option<Vec<String>> {
    let refused = play.refused.as_ref()?;
    let is_command =
        matches!(command::parse(play.referee(), play.session.table(), refused), Ok(Some(_)));
    let words = bare_words(typed);
    let mut numbers = words.iter().filter(|word| !BESIDE_NUMBER.contains(&word.as_str()));
    let number = numbers.next().and_then(|word| number_of(word)).filter(|_| is_command)?;
    let lines = lines_in_place_of(play, refused, &number);
    (numbers.next().is_none() && !lines.is_empty()).then_some(lines)
}

/// Returns the lines that a correction of a refused line may mean and that would be accepted.
pub(super) fn lines_in_place_of(play: &Play, refused: &str, said: &str) -> Vec<String> {
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    // The refused line may be in another form than the usage, such as `ann walks 5`.
    let restated = |line: &String| {
        let restated = command::restated(play.referee(), play.session.table(), line);
        restated.unwrap_or_else(|| line.clone())
    };
    let accepted = |line: &String| search.accepts(&restated(line));
    let mut lines = with_words_replaced(play, refused, said, &accepted);
    lines.truncate(MAX_PROPOSED);
    lines.iter().map(restated).collect()
}

/// Returns the lines that a correction of a line may mean and that can be read, whether or not they would be
/// accepted. They are in the form of their usage.
pub(super) fn readable_lines_in_place_of(play: &Play, earlier: &str, said: &str) -> Vec<String> {
    let restated = |line: &String| command::restated(play.referee(), play.session.table(), line);
    let mut lines = with_words_replaced(play, earlier, said, &|line| restated(line).is_some());
    lines.truncate(MAX_TRIES);
    lines.iter().filter_map(restated).collect()
}

/// Returns the known words and the numbers of a correction that none of the lines for it has. Without
/// them, the lines may mean something else.
pub(super) fn words_lost(play: &Play, lines: &[String], said: &str) -> Vec<String> {
    let Some(first) = lines.first() else { return Vec::new() };
    let bare = first.strip_prefix("oops ").unwrap_or(first);
    let mut lost = left_out_words::known_words_left_out(play, said, bare);
    let words = TypedLine::read(said).map(|typed| bare_words(&typed)).unwrap_or_default();
    let denied = |word: &String| {
        let at = words.iter().position(|other| other == word);
        at.is_some_and(|at| is_denied(&words, at))
    };
    lost.retain(|word| {
        !is_little(word)
            && !denied(word)
            && lines.iter().all(|line| !left_out_words::has_word(line, word))
    });
    lost
}

/// Returns true if a line would be accepted in place of a command and would change something. A
/// line that asks for dice or answers counts as accepted.
pub(super) fn is_accepted(play: &Play, entry: &Entry, line: &str) -> bool {
    if line == entry.line {
        return false;
    }
    match play.session.plan_amend(entry.number, line, &CommandInput::default()) {
        Ok(plan) => !plan.changes_nothing(),
        Err(LineMisfit::Halt(halt)) => matches!(halt, Halt::Dice(_) | Halt::Question(_)),
        Err(_) => false,
    }
}

/// Puts the words of a correction into a line, and returns the resulting lines that are accepted:
/// `fire ann at bob range 12` and `at carl, 14` give `fire ann at carl range 14`.
fn with_words_replaced(
    play: &Play,
    line: &str,
    said: &str,
    is_accepted: &dyn Fn(&String) -> bool,
) -> Vec<String> {
    let (Ok(typed), Ok(old)) = (TypedLine::read(said), TypedLine::read(line)) else {
        return Vec::new();
    };
    let old_words: Vec<String> = old.tokens.iter().map(|token| token.text.clone()).collect();
    // Any word could be added to a text.
    let takes_text =
        old_words.first().is_some_and(|verb| play.referee().ruleset().takes_text(verb));
    if takes_text || old.tokens.iter().any(|token| token.quoted) {
        return Vec::new();
    }
    let words = bare_words(&typed);
    let in_figures = |at: usize| number_at(&words, at).unwrap_or_else(|| words[at].clone());
    let words: Vec<String> = (0..words.len()).map(in_figures).collect();
    let mut found = vec![old_words.clone()];
    for (index, word) in words.iter().enumerate().take(MAX_WORDS) {
        let before = index.checked_sub(1).map(|before| words[before].as_str());
        if is_little(word) || is_denied(&words, index) {
            continue;
        }
        let mut tried = Vec::new();
        for earlier in &found {
            tried.extend(lines_with_word(play, &old_words, earlier, before, word));
        }
        tried.truncate(MAX_TRIES);
        tried.retain(|new| is_accepted(&new.join(" ")));
        // A number was typed for a reason, so a line without it isn't meant.
        let is_lost =
            tried.is_empty() && number_of(word).is_some_and(|number| !old_words.contains(&number));
        if is_lost {
            return Vec::new();
        }
        if !tried.is_empty() {
            tried.truncate(MAX_PROPOSED);
            // In `only head and chest`, either may be meant.
            let is_either = |earlier: &&Vec<String>| {
                earlier.last().is_some_and(|last| is_of_one_set(play, last, word))
                    && **earlier != old_words
            };
            let either: Vec<Vec<String>> = found.iter().filter(is_either).cloned().collect();
            found = tried;
            found.extend(either);
        }
    }
    // A line without one of the pieces that the correction names isn't meant.
    let named = (0..words.len()).filter(|at| !is_denied(&words, *at));
    // `the cart` is the only one.
    let by_stem = |word: &str| {
        let names = command::names_in(play.referee(), play.session.table(), word);
        names.into_iter().next().filter(|_| !command::is_common_word(word))
    };
    let piece =
        |word: &str| command::find_spoken(play.session.table(), word).or_else(|| by_stem(word));
    let groups = command::groups_in(play.referee(), play.session.table(), said);
    let named: Vec<String> = named.filter_map(|at| piece(&words[at])).chain(groups).collect();
    let has = |new: &[String], name: &String| {
        new.iter().any(|word| word.split(',').any(|part| part == name))
    };
    found.retain(|new| *new != old_words && named.iter().all(|name| has(new, name)));
    found.into_iter().map(|new| new.join(" ")).collect()
}

/// Returns copies of a line, each with a word at one possible position: a piece in place of a
/// piece, a number in place of a number, and any other word at the end. If the word before it in
/// the correction also precedes such a position, only that position counts. Returns no copies if
/// the original line, `old`, already contains the word.
fn lines_with_word(
    play: &Play,
    old: &[String],
    line: &[String],
    before: Option<&str>,
    word: &str,
) -> Vec<Vec<String>> {
    let table = play.session.table();
    let piece = command::find_spoken(table, word);
    let number = number_of(word);
    let new = piece.clone().or_else(|| number.clone()).unwrap_or_else(|| word.to_owned());
    if old.iter().any(|known| known.eq_ignore_ascii_case(&new)) {
        return Vec::new();
    }
    let kind = |name: &str| table.find(name).map(|(kind, _)| kind);
    // In `seen 3`, the word before the number names what it is for. If the line doesn't have that
    // word, no other number is meant.
    if let (Some(number), Some(before)) = (&number, before)
        && piece.is_none()
        && command::is_usage_word(play.referee(), before)
        && !is_little(before)
        && !old.iter().any(|known| known.eq_ignore_ascii_case(before))
    {
        return vec![[line, &[before.to_owned(), number.clone()]].concat()];
    }
    // In a line with `seen chest`, it takes the place of that value.
    if number.is_some()
        && piece.is_none()
        && let Some(named) = (1..line.len()).find(|&at| Some(line[at - 1].as_str()) == before)
        && command::is_usage_word(play.referee(), &line[named - 1])
        && command::is_parameter_value(play.referee(), &line[named])
    {
        let mut words = line.to_vec();
        new.clone_into(&mut words[named]);
        return vec![words];
    }
    // A word that has already been replaced isn't replaced again, except by another value of its set.
    let could_replace = |at: usize| {
        let is_new = old.get(at) != Some(&line[at]);
        (!is_new || piece.is_none() && number.is_none() && is_of_one_set(play, &line[at], word))
            && match (&piece, &number) {
                (Some(piece), _) => kind(&line[at]).is_some() && kind(&line[at]) == kind(piece),
                (None, Some(_)) => number_of(&line[at]).is_some(),
                (None, None) => {
                    let is_choice = |one: &str| {
                        let verb = line.first().map_or("", String::as_str);
                        command::is_alternative(play.referee(), verb, one)
                    };
                    is_of_one_set(play, &line[at], word) || is_choice(&line[at]) && is_choice(word)
                }
            }
    };
    let mut places: Vec<usize> = (1..line.len()).filter(|&at| could_replace(at)).collect();
    let follows =
        |at: &usize| before.is_some_and(|before| line[at - 1].eq_ignore_ascii_case(before));
    if places.iter().any(follows) {
        places.retain(follows);
    }
    // In a line with `right`, `left` may be what the verb means without that word.
    let turned = (1..line.len()).filter(|&at| turns_other_way(play, line, at, word)).map(|at| {
        let mut words = line.to_vec();
        words.remove(at);
        words
    });
    let turned: Vec<Vec<String>> = turned.collect();
    let is_added = piece.is_none() && places.is_empty() && turned.is_empty();
    let replaced = places.into_iter().map(|at| {
        let mut words = line.to_vec();
        new.clone_into(&mut words[at]);
        words
    });
    let added = is_added.then(|| [line, std::slice::from_ref(&new)].concat());
    // `make that a burst` keeps everything but the verb.
    let verb = verb_of(play, word).filter(|verb| line.first().is_some_and(|first| first != verb));
    let other_verb = verb.map(|verb| {
        let mut words = line.to_vec();
        verb.clone_into(&mut words[0]);
        words
    });
    replaced.chain(turned).chain(other_verb).chain(added).collect()
}

/// Words for turns, each with the opposite.
const OPPOSITES: [(&str, &str); 4] =
    [("left", "right"), ("right", "left"), ("port", "starboard"), ("starboard", "port")];

/// Returns true if the word at this index of a line is the opposite of a typed one, which is part of another
/// phrase for the verb: `left` in `turn left` for `turn`.
fn turns_other_way(play: &Play, line: &[String], at: usize, word: &str) -> bool {
    let is_opposite = OPPOSITES.iter().any(|(one, other)| *one == word && *other == line[at]);
    let verb = line.first().map(String::as_str);
    let mut phrases = play.referee().ruleset().synonyms().filter(|(_, of)| Some(*of) == verb);
    is_opposite && phrases.any(|(phrase, _)| phrase.split(' ').skip(1).any(|one| one == word))
}

/// Returns true if two words are values of one set of words: one may stand in place of the other.
fn is_of_one_set(play: &Play, one: &str, other: &str) -> bool {
    let mut sets = play.referee().ruleset().schema.words.iter();
    sets.any(|set| {
        let has = |word: &str| set.values.iter().any(|value| value.eq_ignore_ascii_case(word));
        has(one) && has(other)
    })
}

/// Words in front of `one` that show that it isn't a number.
const BEFORE_ONE: [&str; 10] =
    ["that", "the", "this", "last", "first", "other", "next", "which", "each", "any"];

/// Returns the number that the word at this index means, in figures; `None` for any other word.
pub(super) fn number_at(words: &[String], at: usize) -> Option<String> {
    let word = words.get(at)?;
    let before = at.checked_sub(1).map(|before| words[before].as_str());
    let is_pronoun = word == "one" && before.is_none_or(|before| BEFORE_ONE.contains(&before));
    let spelt_out = || command::spoken_number(word).filter(|_| !is_pronoun);
    number_of(word).or_else(|| spelt_out().map(|number| number.to_string()))
}

/// Returns the words of a line in lower case, without the punctuation around them.
pub(super) fn bare_words(typed: &TypedLine<'_>) -> Vec<String> {
    let marks = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '”');
    let words = typed.tokens.iter().map(|token| token.text.to_lowercase());
    words.map(|word| word.trim_matches(marks).to_owned()).collect()
}
