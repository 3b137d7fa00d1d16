//! Lines that need the line before them: they only have what it lacked, as `into d3` after `ann charges` or
//! `range 11` after `ann throws at bob`, or another act in its place, as `ann shoots instead`.

use super::left_out_words;
use super::likely_lines;
use super::play::Play;
use super::question_words;
use super::questions::{MAX_PROPOSED, names_of_pieces, refusal_of};
use super::suggest::LineSearch;
use crate::command::{self, NearestBudget, TypedLine};

/// The maximum number of words in such a line.
const MAX_WORDS: usize = 8;

/// Words that begin such a line, besides numbers and the words of usages.
const BEGIN: [&str; 14] = [
    "at", "on", "onto", "into", "to", "towards", "against", "with", "from", "by", "for", "in",
    "over", "via",
];

/// The meaning of the refused line before and a typed line together.
pub(super) enum CompletedLine {
    /// Lines that would be accepted.
    Lines(Vec<String>),
    /// Help with the reason why the line would be refused.
    Refused(String),
}

/// Returns what the refused line before and a typed line mean together, if the refused line was incomplete.
/// Returns `None` for any other line.
pub(super) fn completed(play: &Play, typed: &TypedLine<'_>) -> Option<CompletedLine> {
    let whole = whole_line(play, typed)?;
    let readable = readable_lines(play, &whole);
    match accepted_lines(play, &whole, &readable) {
        lines if lines.is_empty() => {
            refusal_of(play, readable.first()?).map(CompletedLine::Refused)
        }
        lines => Some(CompletedLine::Lines(lines)),
    }
}

/// Returns the refused line before and a typed line as one line, if the refused line was incomplete and the typed
/// one only has what it lacked.
fn whole_line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let refused = play.refused.as_deref()?;
    let table = play.session.table();
    let referee = play.referee();
    let bare = refused.trim_end_matches(['!', '.', '?', ' ', ',', '…']);
    let is_incomplete = command::parse(referee, table, bare).is_err()
        && TypedLine::read(bare).is_ok_and(|before| !question_words::is_question(&before));
    let words = question_words::question_words(typed);
    let begins = words.first().is_some_and(|first| {
        BEGIN.contains(&first.as_str())
            || first.parse::<f64>().is_ok()
            || command::is_usage_word(referee, first)
                && !referee.ruleset().is_typed_verb(first)
                && command::find_spoken(table, first).is_none()
    });
    (is_incomplete && begins && words.len() <= MAX_WORDS)
        .then(|| format!("{bare} {}", typed.line.trim()))
}

/// Returns the lines for an act in place of the refused one, with its target and its numbers: `ann shoots
/// instead` after `ann throws at bob, 10` means that she shoots at Bob. Returns no lines for any other line.
pub(super) fn lines_instead(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let Some(refused) = play.refused.as_deref() else { return Vec::new() };
    let Some(act) = typed.line.trim_end_matches(['.', '!', ' ']).strip_suffix(" instead") else {
        return Vec::new();
    };
    let act = act.trim_end_matches(',');
    let actors = names_of_pieces(play, &[act.to_owned()]);
    let mut parts = names_of_pieces(play, &[refused.to_owned()]);
    if actors.is_empty() || actors.iter().any(|name| !parts.contains(name)) {
        return Vec::new();
    }
    parts.retain(|name| !actors.contains(name));
    parts.extend(likely_lines::numbers_in(play, refused));
    let whole = format!("{act} {}", parts.join(" "));
    accepted_lines(play, &whole, &readable_lines(play, &whole))
}

/// Returns the lines that a text may mean as a whole, whether or not they would be accepted.
fn readable_lines(play: &Play, whole: &str) -> Vec<String> {
    let table = play.session.table();
    let near = command::nearest_lines(play.referee(), table, whole, &NearestBudget::new());
    let restated = command::restated(play.referee(), table, whole).into_iter();
    let nearest = near.into_iter().filter(|one| one.rest.is_none() && one.dropped.is_empty());
    restated.chain(nearest.map(|one| one.line)).collect()
}

/// Returns those of the lines for a text that would be accepted and leave out nothing of it.
fn accepted_lines(play: &Play, whole: &str, readable: &[String]) -> Vec<String> {
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    let mut found: Vec<String> = Vec::new();
    for line in readable {
        let is_whole = left_out_words::known_words_left_out(play, whole, line).is_empty();
        if is_whole && search.accepts(line) && !found.contains(line) {
            found.push(line.clone());
        }
    }
    found.truncate(MAX_PROPOSED);
    found
}
