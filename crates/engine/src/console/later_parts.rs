//! The rest of a line whose first part has a meaning: whether it only adds something to the first
//! part, and whether it will be possible after it.

use super::left_out_words;
use super::play::Play;
use super::suggest::{self, LineSearch};
use crate::command::{self, LineError, NearestBudget, Proposal};
use crate::language::machine::Halt;
use crate::referee::Inputs;
use crate::tabletop::Tabletop;

/// Returns an error that proposes lines for the first part of a line, completed by the rest of the
/// line if the rest only adds something to them. Otherwise, the error states why the rest would be
/// refused after the first of them, if this is known. Any other error is returned unchanged.
pub(super) fn with_later_part(play: &Play, mut error: LineError) -> LineError {
    let Some(Proposal::Part(part)) = error.proposal.as_deref() else { return error };
    let ([first, ..], Some(rest)) = (part.lines.as_slice(), &part.rest) else { return error };
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
    let obstacle = refusal_after(play, first, rest);
    if let Some(Proposal::Part(proposed)) = error.proposal.as_deref_mut() {
        proposed.obstacle = obstacle;
    }
    error
}

/// Returns the table after a line, if the line needs neither dice nor answers.
fn table_after(play: &Play, line: &str) -> Option<Tabletop> {
    let table = play.session.table();
    let command = command::parse(play.referee(), table, line).ok()??;
    let attempted = play.referee().attempt(table, &command.action, &Inputs::without_dice());
    attempted.done.ok()?;
    attempted.table
}

/// Returns the reason why the rest of a line would be refused after a line. Returns `None` if it
/// would be accepted, or if that isn't known.
fn refusal_after(play: &Play, line: &str, rest: &str) -> Option<String> {
    let after = table_after(play, line)?;
    let referee = play.referee();
    let meant = match command::parse(referee, &after, rest) {
        Ok(Some(command)) => command.restated.unwrap_or_else(|| rest.to_owned()),
        _ => {
            let budget = NearestBudget::new();
            let near = command::nearest_lines(referee, &after, rest, &budget);
            near.into_iter().find(|near| near.is_likely())?.line
        }
    };
    if suggest::would_be_accepted(play.words, referee, &after, &meant) {
        return None;
    }
    let command = command::parse(referee, &after, &meant).ok()??;
    match referee.resolve(&after, &command.action, &Inputs::without_dice()) {
        Err(Halt::Refused(reason)) => Some(reason),
        _ => None,
    }
}
