//! The rest of a line whose first part has a meaning: whether it only adds something to the first
//! part, and whether it will be possible after it.

use super::left_out_words;
use super::play::Play;
use super::suggest::{self, LineSearch};
use crate::command::{self, LineError, NearestBudget, Proposal};
use crate::language::machine::Halt;
use crate::referee::{Action, Dice, Inputs};
use crate::tabletop::Tabletop;
use adjutant_dice::ConstantSource;

/// Returns an error that proposes lines for the first part of a line, completed by the rest of the
/// line if the rest only adds something to them. Otherwise, the error states why the rest would be
/// refused after the first of them, if this is known. Any other error is returned unchanged.
pub(super) fn with_later_part(play: &Play, error: LineError) -> LineError {
    let Some(Proposal::Part(part)) = error.proposal.as_deref() else { return error };
    let ([first, ..], Some(rest)) = (part.lines.as_slice(), &part.rest) else { return error };
    if names_action(play, first, rest) {
        let lines = part.lines.clone();
        let without = part.without.clone();
        return error.proposing_part(lines, None, without);
    }
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    let longer = |line: &String| left_out_words::with_rest(play, line, rest, &search);
    let complete: Vec<String> = part.lines.iter().filter_map(longer).collect();
    if !complete.is_empty() {
        let unknown = command::unknown_words(play.referee(), play.session.table(), rest);
        let unknown = unknown.into_iter().map(|(word, _)| word);
        let without = part.without.iter().cloned().chain(unknown).collect();
        return error.proposing_part(complete, None, without);
    }
    if let Some(error) = left_out_words::rest_without_place(play, &error, first, rest) {
        return LineError { proposal: None, ..error };
    }
    with_later_command(play, error)
}

/// Returns an error that proposes lines for the first part of a line with the option that makes the rest
/// possible or, if there is none, with the reason why the rest would be refused after the first of them.
/// Any other error is returned unchanged.
pub(super) fn with_later_command(play: &Play, mut error: LineError) -> LineError {
    let Some(Proposal::Part(part)) = error.proposal.as_deref() else { return error };
    let ([first, ..], Some(rest)) = (part.lines.as_slice(), &part.rest) else { return error };
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if let Some(allowing) = line_that_allows(play, first, rest, &search) {
        let without = part.without.clone();
        let rest = Some(rest.clone());
        return error.proposing_part(vec![allowing], rest, without);
    }
    let obstacle = table_after(play, first, None).and_then(|after| refusal_of(play, &after, rest));
    if let Some(Proposal::Part(proposed)) = error.proposal.as_deref_mut() {
        proposed.obstacle = obstacle;
    }
    error
}

/// Returns true if a text only names the action of a line, by its verb or by the title of its rule.
fn names_action(play: &Play, line: &str, text: &str) -> bool {
    let command = command::parse(play.referee(), play.session.table(), line).ok().flatten();
    let Some(Action::Rule { rule, .. }) = command.map(|command| command.action) else {
        return false;
    };
    let title = play.referee().ruleset().schema.rules[rule.index()].title.to_lowercase();
    let is_name =
        |word: &str| line.split(' ').next() == Some(word) || title.split(' ').any(|w| w == word);
    text.to_lowercase().split(' ').all(|word| is_name(word.trim_end_matches(['.', '!', ','])))
}

/// The faces that all dice show when it is tried what will be possible after a line: a low and a high one.
const FACES: [u32; 2] = [1, 6];

/// The maximum number of values of an optional part that are tried.
const MAX_VALUES: i64 = 3;

/// Returns a line with an optional part that makes the rest possible, if the rest would be refused after
/// the line without it, whatever the dice show: `fire ann at bob then 1` if `ann ducks` follows. Returns
/// `None` if there is no such part, or no need for one.
fn line_that_allows(
    play: &Play,
    line: &str,
    rest: &str,
    search: &LineSearch<'_>,
) -> Option<String> {
    let is_refused = |first: &str, face: u32| {
        let after = table_after(play, first, Some(face))?;
        let again = repeats(play, line, rest).then_some(line);
        Some(refusal_of(play, &after, again.unwrap_or(rest)).is_some())
    };
    let always = |first: &str, refused: bool| {
        FACES.iter().all(|face| is_refused(first, *face) == Some(refused))
    };
    if !always(line, true) {
        return None;
    }
    let left = command::options_left(play.referee(), play.session.table(), line);
    let parts = left.iter().flat_map(|part| match part.rsplit_once(' ') {
        // In `then 0..2`, the lowest number that makes a difference is 1.
        Some((word, values)) => {
            match values.split_once("..").map(|(_, high)| high.parse::<i64>()) {
                Some(Ok(high)) => {
                    (1..=high.min(MAX_VALUES)).map(|n| format!("{word} {n}")).collect()
                }
                _ => Vec::new(),
            }
        }
        None => vec![part.clone()],
    });
    let mut longer = parts.map(|part| format!("{line} {part}"));
    longer.find(|one| search.accepts(one) && always(one, false))
}

/// Returns true if a text does the same as a line once more: `ann fires again` for `fire ann at bob`.
fn repeats(play: &Play, line: &str, text: &str) -> bool {
    let verbs = command::verbs_in(play.referee(), play.session.table(), text);
    let is_again = text.split(' ').any(|word| word.trim_end_matches(['.', '!']) == "again");
    is_again && verbs.iter().any(|verb| line.split(' ').next() == Some(verb))
}

/// Returns the table after a line whose dice all show this face. Returns `None` if the line would be
/// refused or asks a question or, without a face, if it needs dice.
fn table_after(play: &Play, line: &str, face: Option<u32>) -> Option<Tabletop> {
    let table = play.session.table();
    let command = command::parse(play.referee(), table, line).ok()??;
    let inputs = match face {
        Some(face) => Inputs::with_dice(Dice::Constant(ConstantSource::new(face))),
        None => Inputs::without_dice(),
    };
    let attempted = play.referee().attempt(table, &command.action, &inputs);
    attempted.done.ok()?;
    attempted.table
}

/// Returns the reason why a line would be refused on a table. Returns `None` if it would be accepted, or
/// if that isn't known.
fn refusal_of(play: &Play, after: &Tabletop, line: &str) -> Option<String> {
    let referee = play.referee();
    let meant = match command::parse(referee, after, line) {
        Ok(Some(command)) => command.restated.unwrap_or_else(|| line.to_owned()),
        _ => {
            let budget = NearestBudget::new();
            let near = command::nearest_lines(referee, after, line, &budget);
            near.into_iter().find(|near| near.is_likely())?.line
        }
    };
    if suggest::would_be_accepted(play.words, referee, after, &meant) {
        return None;
    }
    let command = command::parse(referee, after, &meant).ok()??;
    match referee.resolve(after, &command.action, &Inputs::without_dice()) {
        Err(Halt::Refused(reason)) => Some(reason),
        _ => None,
    }
}
