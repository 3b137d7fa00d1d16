//! Lines that repeat the last command for other pieces, in the umpire's own words: `s2 too`, `same
//! for t4`, `b6 does the same`, `again`.

use std::sync::Arc;

use super::corrections;
use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use crate::command::{self, Token, TypedLine};
use crate::session::{Entry, RecordedAction, RecordedValue};

/// Words that ask for the same action. A line without one of them isn't a repetition.
const SAME: [&str; 9] =
    ["too", "same", "likewise", "ditto", "again", "repeat", "similarly", "follows", "follow"];

/// Words with which one piece does what another did.
const FOLLOWS: [&str; 2] = ["follows", "follow"];

/// Phrases that ask for the same action.
const SAME_PHRASES: [&str; 2] = ["as well", "so does"];

/// Phrases that ask for what the same piece did before.
const AS_BEFORE: [&str; 6] =
    ["again", "as before", "like before", "as last", "like last", "repeat"];

/// Words of a repetition that don't change its meaning.
const LITTLE: [&str; 25] = [
    "before", "last", "time", "turn", "like", "target", "targets", "and", "for", "the", "with",
    "does", "do", "it", "that", "thing", "now", "please", "then", "goes", "as", "well", "so",
    "suit", "a",
];

/// Words in front of a target: the piece that another acts on.
pub(super) const BEFORE_TARGETS: [&str; 3] = ["at", "on", "against"];

/// The maximum number of commands that are searched for the last action.
const MAX_BACK: usize = 6;

/// The maximum number of commands that are searched for the last action of a certain piece.
const MAX_BACK_OF_PIECE: usize = 60;

/// The last command, for other pieces.
pub(super) struct Repetition {
    /// The command for all pieces together; if the line names none, the last command itself.
    pub together: String,
    /// The command for the first piece only, and a line that repeats it for the others; `None` if
    /// there are no others.
    pub one_by_one: Option<(String, String)>,
}

/// Returns true if a word asks for the same action again.
pub(super) fn asks_same(word: &str) -> bool {
    SAME.contains(&word.to_lowercase().as_str())
}

/// Splits a repetition that also changes something, such as `same for wren but left` or `wren does the
/// same at carl`, into the repetition and the change.
pub(super) fn split_change<'t>(typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    let same = typed.tokens.iter().position(|token| asks_same(&token.bare()));
    // `bob too, 34 inches`
    let names_target = |at: &usize| {
        typed.tokens.get(at + 1).is_some_and(|word| word.bare().trim_end_matches('s') == "target")
    };
    let same = same.map(|same| if names_target(&same) { same + 1 } else { same });
    if let Some(same) = same.filter(|same| *same > 0)
        && typed.tokens[same].text.ends_with(',')
        && let Some(change) = typed.tokens.get(same + 1)
    {
        let repetition = typed.line[..typed.tokens[same].end].trim_end_matches(',');
        return Some((repetition, typed.line[change.start..].trim()));
    }
    let (at, token) = typed.tokens.iter().enumerate().find(|(index, token)| {
        let word = token.text.to_lowercase();
        let is_target =
            same.is_some_and(|same| same < *index) && BEFORE_TARGETS.contains(&word.as_str());
        (["but", "except"].contains(&word.as_str()) || is_target) && !token.quoted
    })?;
    let after = typed.tokens.get(at + 1)?;
    // The preposition belongs to the change.
    let is_target = !["but", "except"].contains(&token.text.to_lowercase().as_str());
    let change = if is_target { token } else { after };
    let repetition = typed.line[..token.start].trim_end_matches([' ', ',']);
    (at > 0).then(|| (repetition, typed.line[change.start..].trim()))
}

/// Returns the last command for the pieces of a text that names nothing but pieces and words such as `too`.
/// Returns `None` for any other text.
pub(super) fn for_bare_pieces(play: &Play, typed: &TypedLine<'_>) -> Option<Repetition> {
    let table = play.session.table();
    let is_bare = typed.tokens.iter().all(|word| {
        let word = word.bare();
        ["and", "too", "also", "as", "well", "then"].contains(&word.as_str())
            || command::find_spoken(table, &word).is_some()
    });
    if !is_bare || typed.tokens.is_empty() {
        return None;
    }
    let line = format!("{} too", typed.line.trim_end_matches(['.', '!', ' ']));
    find(play, &TypedLine::read(&line).ok()?)
}

/// Phrases in front of a change that keep everything else.
const SAME_TARGET: [&str; 4] = ["same target", "the same target", "same targets", "same again"];

/// Returns a change without a phrase in front of it that keeps everything else: `8 inches` for `same target, 8
/// inches`.
pub(super) fn without_same(change: &str) -> &str {
    let after = SAME_TARGET.iter().find_map(|phrase| change.strip_prefix(phrase));
    after.map_or(change, |rest| rest.trim_start_matches([',', ' ', '.']))
}

/// Returns the last command for the pieces that a line names instead of the first piece of the same
/// kind in it. Returns `None` if the line isn't a repetition.
pub(super) fn find(play: &Play, typed: &TypedLine<'_>) -> Option<Repetition> {
    let words = question_words::question_words(typed);
    let is_piece = |word: &String| command::find_spoken(play.session.table(), word).is_some();
    // `against` isn't `again`.
    let says = |phrase: &str| {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        words.windows(wanted.len()).any(|window| window.iter().eq(wanted.iter().copied()))
    };
    // `and ihde` adds a piece to the last command.
    let adds = words.first().is_some_and(|first| ["and", "then"].contains(&first.as_str()))
        && words.len() > 1
        && words.iter().all(|word| is_piece(word) || LITTLE.contains(&word.as_str()));
    let asks_same = adds
        || words.iter().any(|word| SAME.contains(&word.as_str()))
        || SAME_PHRASES.iter().chain(&AS_BEFORE).any(|phrase| says(phrase));
    if !asks_same {
        return None;
    }
    let table = play.session.table();
    // In `ann fires again`, the verb only names the action.
    let mut verbs: Option<Vec<String>> = None;
    // In `ann same again`, she does what was just done.
    let as_before = AS_BEFORE.iter().any(|phrase| says(phrase))
        && (!words.iter().any(|word| word == "same") || words.iter().any(|word| word == "target"));
    let mut names_target = false;
    let mut pieces: Vec<String> = Vec::new();
    for part in words.iter().flat_map(|word| word.split(',')).filter(|part| !part.is_empty()) {
        match command::find_spoken(table, part) {
            Some(piece) => pieces.push(piece),
            None if SAME.contains(&part) || LITTLE.contains(&part) => {}
            None if as_before && BEFORE_TARGETS.contains(&part) => names_target = true,
            None => {
                let meant = command::verbs_in(play.referee(), table, part);
                if meant.is_empty() || verbs.replace(meant).is_some() {
                    return None;
                }
            }
        }
    }
    let has_verb = |line: &str| {
        let verb = line.split(' ').next();
        verbs.as_ref().is_none_or(|meant| meant.iter().any(|one| Some(one.as_str()) == verb))
    };
    if as_before && let Some(own) = last_of_piece(play, &pieces, has_verb) {
        return Some(Repetition { together: own, one_by_one: None });
    }
    if names_target {
        return None;
    }
    let last = corrections::last_replaceable(play)?;
    if !has_verb(&last.line) {
        return None;
    }
    // In `s2 follows s1`, the second piece only shows which command is meant.
    let leader = match pieces.as_slice() {
        [_, _] if words.iter().any(|word| FOLLOWS.contains(&word.as_str())) => pieces.pop(),
        _ => None,
    };
    let Some((first, others)) = pieces.split_first() else {
        return Some(Repetition { together: last.line.clone(), one_by_one: None });
    };
    // A new phase may have begun since the last action.
    let mut latest = play.session.entries().iter().rev().filter(|one| !one.outcome.only_looks());
    let is_of_leader = |line: &str| {
        let mut parts = line.split([' ', ',']).skip(1);
        leader.as_ref().is_none_or(|leader| parts.any(|part| part == leader))
    };
    let is_action =
        |line: &str| is_of_leader(line) && with_acting_pieces(play, line, first).is_some();
    let former = &latest.by_ref().take(MAX_BACK).find(|entry| is_action(&entry.line))?.line;
    let together = with_acting_pieces(play, former, &pieces.join(","))?;
    // Without another piece, a line has no target.
    let has_target = together.split(' ').filter(|part| is_piece(&(*part).to_owned())).count() > 1;
    if !has_target && words.iter().any(|word| word.starts_with("target")) {
        return None;
    }
    let one_by_one = with_acting_pieces(play, former, first).filter(|_| !others.is_empty());
    let one_by_one = one_by_one.map(|line| (line, format!("{} too", others.join(" and "))));
    Some(Repetition { together, one_by_one })
}

/// Returns the last command in which the first of these pieces acted on the others, if its line fits, for
/// that piece alone.
fn last_of_piece(play: &Play, pieces: &[String], fits: impl Fn(&str) -> bool) -> Option<String> {
    let (piece, others) = pieces.split_first()?;
    let acts = |line: &str| {
        let mut parts = line.split(' ').skip(1);
        let is_acting =
            parts.next().is_some_and(|acting| acting.split(',').any(|one| one == piece));
        let rest: Vec<&str> = parts.flat_map(|part| part.split(',')).collect();
        is_acting && others.iter().all(|other| rest.contains(&other.as_str()))
    };
    let latest = play.session.entries().iter().rev().take(MAX_BACK_OF_PIECE);
    let mut latest = latest.filter(|entry| !entry.outcome.only_looks());
    let own = latest.find(|entry| acts(&entry.line) && fits(&entry.line))?;
    with_acting_pieces(play, &own.line, piece)
}

/// Returns a line in which `same range` is replaced by the range of the last action of the first piece
/// that it names, or else of the last action, and likewise for any other number of a rule. Returns `None`
/// if the line has no such words.
pub(super) fn with_last_values(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let latest = || play.session.entries().iter().rev();
    let names = names_of_pieces(play, &[typed.line.to_owned()]);
    let is_own = |line: &str| {
        let acting = line.split(' ').nth(1).unwrap_or_default();
        names.first().is_some_and(|name| acting.split(',').any(|one| one == name))
    };
    let values = |entry: &Arc<Entry>| match &entry.action {
        RecordedAction::Rule { given, .. } if !given.is_empty() => Some(given.clone()),
        _ => None,
    };
    let mut own = latest().take(MAX_BACK_OF_PIECE).filter(|entry| is_own(&entry.line));
    let given = own.find_map(values).or_else(|| latest().take(MAX_BACK).find_map(values))?;
    let marks = |c: char| matches!(c, ',' | '.' | ';' | '!');
    let bare = |token: &Token| token.text.trim_end_matches(marks).to_lowercase();
    let same = typed.tokens.windows(2).find_map(|pair| {
        let [same, name] = pair else { return None };
        let RecordedValue::One(value) = given.get(&bare(name)).filter(|_| bare(same) == "same")?
        else {
            return None;
        };
        Some((same.start, name.end, format!("{} {value}", bare(name))))
    });
    let (start, end, words) = same?;
    // The article of `the same range` goes with it.
    let before = typed.line[..start].trim_end();
    let before =
        before.strip_suffix(" the").or_else(|| before.strip_suffix(" at")).unwrap_or(before);
    Some(format!("{before} {words}{}", &typed.line[end..]))
}

/// Returns a line with these pieces in place of its first pieces of the same kind, if they are on
/// the same side. The pieces of a list are separated by commas.
fn with_acting_pieces(play: &Play, line: &str, pieces: &str) -> Option<String> {
    let table = play.session.table();
    let kind = |list: &str| {
        let mut kinds = list.split(',').map(|name| table.find(name).map(|(kind, _)| kind));
        let first = kinds.next()??;
        kinds.all(|other| other == Some(first)).then_some(first)
    };
    let side = |list: &str| {
        let (of, row) = table.find(list.split(',').next()?)?;
        play.referee().side_of_piece(table, of, row)
    };
    let wanted = kind(pieces)?;
    let mut parts: Vec<&str> = line.split(' ').collect();
    let acting = parts.iter_mut().skip(1).find(|part| kind(part) == Some(wanted))?;
    // What the other side did isn't repeated.
    if side(acting) != side(pieces) {
        return None;
    }
    let former = std::mem::replace(acting, pieces);
    // Another piece has no use for the parts of the one that acted.
    let is_own_part = |list: &str| {
        former != pieces
            && list
                .split(',')
                .all(|name| name.strip_prefix(former).is_some_and(|end| end.starts_with('-')))
    };
    if let Some(first) = parts.iter().position(|part| is_own_part(part)) {
        parts.retain(|part| !is_own_part(part));
        // The word in front of them goes with them.
        let before = first.checked_sub(1);
        if let Some(before) = before.filter(|&at| command::is_usage_word(play.referee(), parts[at]))
        {
            parts.remove(before);
        }
    }
    Some(parts.join(" "))
}
