//! Lines that repeat the last command for other pieces, in the umpire's own words: `s2 too`, `same
//! for t4`, `b6 does the same`, `again`.

use super::corrections;
use super::play::Play;
use super::question_words;
use crate::command::{self, Token, TypedLine};
use crate::session::{RecordedAction, RecordedValue};

/// Words that ask for the same action. A line without one of them isn't a repetition.
const SAME: [&str; 9] =
    ["too", "same", "likewise", "ditto", "again", "repeat", "similarly", "follows", "follow"];

/// Words with which one piece does what another did.
const FOLLOWS: [&str; 2] = ["follows", "follow"];

/// Phrases that ask for the same action.
const SAME_PHRASES: [&str; 2] = ["as well", "so does"];

/// Words of a repetition that don't change its meaning.
const LITTLE: [&str; 20] = [
    "target", "targets", "and", "for", "the", "with", "does", "do", "it", "that", "thing", "now",
    "please", "then", "goes", "as", "well", "so", "suit", "a",
];

/// The maximum number of commands that are searched for the last action.
const MAX_BACK: usize = 6;

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
    let (at, token) = typed.tokens.iter().enumerate().find(|(index, token)| {
        let word = token.text.to_lowercase();
        let is_target = same.is_some_and(|same| same < *index)
            && ["at", "on", "against"].contains(&word.as_str());
        (["but", "except"].contains(&word.as_str()) || is_target) && !token.quoted
    })?;
    let after = typed.tokens.get(at + 1)?;
    // The preposition belongs to the change.
    let is_target = !["but", "except"].contains(&token.text.to_lowercase().as_str());
    let change = if is_target { token } else { after };
    let repetition = typed.line[..token.start].trim_end_matches([' ', ',']);
    (at > 0).then(|| (repetition, typed.line[change.start..].trim()))
}

/// Returns the last command for the pieces that a line names instead of the first piece of the same
/// kind in it. Returns `None` if the line isn't a repetition.
pub(super) fn find(play: &Play, typed: &TypedLine<'_>) -> Option<Repetition> {
    let words = question_words::question_words(typed);
    let spoken = words.join(" ");
    let is_piece = |word: &String| command::find_spoken(play.session.table(), word).is_some();
    // `and ihde` adds a piece to the last command.
    let adds = words.first().is_some_and(|first| first == "and")
        && words.len() > 1
        && words.iter().all(|word| is_piece(word) || LITTLE.contains(&word.as_str()));
    let asks_same = adds
        || words.iter().any(|word| SAME.contains(&word.as_str()))
        || SAME_PHRASES.iter().any(|phrase| spoken.contains(phrase));
    if !asks_same {
        return None;
    }
    let table = play.session.table();
    let last_verb =
        corrections::last_replaceable(play).and_then(|last| last.line.split(' ').next());
    // In `ann fires again`, the verb only names the action.
    let is_last_verb = |word: &str| {
        command::verbs_in(play.referee(), table, word)
            .iter()
            .any(|verb| Some(verb.as_str()) == last_verb)
    };
    let mut pieces: Vec<String> = Vec::new();
    for part in words.iter().flat_map(|word| word.split(',')).filter(|part| !part.is_empty()) {
        match command::find_spoken(table, part) {
            Some(piece) => pieces.push(piece),
            None if SAME.contains(&part) || LITTLE.contains(&part) || is_last_verb(part) => {}
            None => return None,
        }
    }
    // In `s2 follows s1`, the second piece only shows which command is meant.
    let leader = match pieces.as_slice() {
        [_, _] if words.iter().any(|word| FOLLOWS.contains(&word.as_str())) => pieces.pop(),
        _ => None,
    };
    let Some((first, others)) = pieces.split_first() else {
        let last = corrections::last_replaceable(play)?.line.clone();
        return Some(Repetition { together: last, one_by_one: None });
    };
    // A new phase may have begun since the last action.
    let mut latest = play.session.entries().iter().rev().filter(|one| !one.outcome.only_looks());
    let is_of_leader = |line: &str| {
        let mut parts = line.split([' ', ',']).skip(1);
        leader.as_ref().is_none_or(|leader| parts.any(|part| part == leader))
    };
    let is_action =
        |line: &str| is_of_leader(line) && with_acting_pieces(play, line, first).is_some();
    let last = &latest.by_ref().take(MAX_BACK).find(|entry| is_action(&entry.line))?.line;
    let together = with_acting_pieces(play, last, &pieces.join(","))?;
    // Without another piece, a line has no target.
    let has_target = together.split(' ').filter(|part| is_piece(&(*part).to_owned())).count() > 1;
    if !has_target && words.iter().any(|word| word.starts_with("target")) {
        return None;
    }
    let one_by_one = with_acting_pieces(play, last, first).filter(|_| !others.is_empty());
    let one_by_one = one_by_one.map(|line| (line, format!("{} too", others.join(" and "))));
    Some(Repetition { together, one_by_one })
}

/// Returns a line in which `same range` is replaced by the range of the last action, and likewise
/// for any other number of its rule. Returns `None` if the line has no such words.
pub(super) fn with_last_values(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let mut latest = play.session.entries().iter().rev().take(MAX_BACK);
    let given = latest.find_map(|entry| match &entry.action {
        RecordedAction::Rule { given, .. } if !given.is_empty() => Some(given),
        _ => None,
    })?;
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
