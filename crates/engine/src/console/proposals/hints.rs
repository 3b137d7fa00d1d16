//! Hints for lines for which no other line is proposed: the reason why a line would be refused, an
//! example, or the word that explains more.

use indexmap::IndexSet;

use crate::command::{self, HintKind, LineError, Proposal, TypedLine};
use crate::console::likely_lines;
use crate::console::lookups;
use crate::console::play::{Play, Word};
use crate::console::progress_phrases;
use crate::console::questions::{lines_about, names_of_pieces};
use crate::console::rule_search;
use crate::console::suggest::{self, LineSearch};
use crate::language::schema::{AttributeStorage, KindId, KindRole, Type};
use crate::names;

/// Words of the console whose lines need a certain form, so that the word alone is no proposal.
pub(super) const NEED_A_LINE: [&str; 2] = ["overrule", "oops"];

/// Returns the error for a line that was understood, but would be refused for this reason.
pub(super) fn refused_instead(error: LineError, reason: String) -> LineError {
    let error = LineError { wants_sample: false, is_unclear: false, ..error };
    if error.hint_kind != HintKind::Overview {
        return error.help(reason);
    }
    // That the first word is no command doesn't matter.
    LineError { message: "this can't be done now".to_owned(), span: None, ..error }.help(reason)
}

/// Returns a phrase that shows what to type once everyone has acted: `next` or, while that is
/// refused, a verb of the phase that needs no pieces, such as `draw`.
pub(super) fn how_to_go_on(play: &Play) -> String {
    let line = progress_phrases::line_to_go_on(play);
    format!("type `{line}` once everyone has acted")
}

/// Returns help that names the verbs whose titles share a word with a line; `None` if there are
/// none.
pub(super) fn help_about_verbs(play: &Play, words: &[String]) -> Option<String> {
    let verbs = likely_lines::verbs_about(play, words);
    let lines: Vec<String> = verbs.iter().map(|verb| format!("help {verb}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    (!lines.is_empty()).then(|| format!("see {}", names::quote_names(&lines)))
}

/// Returns the word of the console that a line begins with, without the comment after it:
/// `undo, it was t34b`. Returns `None` if there is no such word, or if it can't be typed on its
/// own.
pub(super) fn word_with_comment(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let text = first.text.strip_suffix([',', ':', ';', '.'])?.to_lowercase();
    let known = play.words.iter().filter(|word| !NEED_A_LINE.contains(&word.name));
    let word = known.into_iter().find(|word| word.is(&text))?;
    suggest::would_be_accepted(play.words, play.referee(), play.session.table(), word.name)
        .then(|| word.name.to_owned())
}

/// Returns the line without the colon after its first word, if the word can take the rest: `note:
/// ann is late`.
pub(super) fn colon_after_word(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    // `red orders: wait` is `orders red: wait`.
    if let Some(orders) = typed.tokens.get(1).filter(|word| word.text.to_lowercase() == "orders:") {
        let line = format!("orders {}: {}", first.text, typed.line.get(orders.end..)?.trim());
        let table = play.session.table();
        return suggest::would_be_accepted(play.words, play.referee(), table, &line)
            .then_some(line);
    }
    let word = first.text.strip_suffix(':')?;
    let rest = typed.line.get(first.end..)?.trim();
    let line = format!("{} {rest}", word.to_lowercase());
    let is_known = play.words.iter().any(|known| known.is(&word.to_lowercase()));
    let accepted =
        suggest::would_be_accepted(play.words, play.referee(), play.session.table(), &line);
    (is_known && !rest.is_empty() && accepted).then_some(line)
}

/// The maximum number of attributes named in a help text.
const MAX_ATTRIBUTES: usize = 6;

/// Returns a phrase that shows how to change the values of a piece.
pub(in crate::console) fn how_to_set(play: &Play, kind: KindId, name: &str) -> String {
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let settable = attributes.filter(|a| !a.bookkeeping && !a.fixed);
    let stored = settable.filter(|a| matches!(a.storage, AttributeStorage::Cell(_)));
    let names: Vec<&str> = stored.map(|a| a.name.as_str()).take(MAX_ATTRIBUTES).collect();
    let list = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!("`set {name}.ATTRIBUTE VALUE` changes a value{list}")
}

/// Returns help for a line that only states the distance from one piece to another.
pub(super) fn help_with_distance(play: &Play, words: &[String]) -> Option<String> {
    let begins =
        words.iter().take(2).any(|word| ["distance", "range", "measured"].contains(&word.as_str()));
    let joins = words.iter().any(|word| ["from", "between", "is"].contains(&word.as_str()))
        || words.first().is_some_and(|first| first == "distance");
    let names = names_of_pieces(play, words);
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if !begins || !joins || names.len() != 2 || !has_number {
        return None;
    }
    let lines = lines_about(play, words);
    let example = lines.iter().find(|line| names.iter().all(|name| line.contains(name)));
    let example = example.map_or(String::new(), |line| format!(", such as `{line}`"));
    Some(format!("type the distance in the line that needs it{example}"))
}

/// If an error's help is the usage of a verb, adds an example that would be accepted, with as many
/// of the typed pieces as possible. If there is no example, returns the error unchanged.
pub(super) fn with_example_of_verb(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
) -> LineError {
    let verb = match error.proposal.as_deref() {
        Some(Proposal::Verb(verb)) if error.span.is_some() => verb,
        _ => return error,
    };
    let table = play.session.table();
    let mut names: Vec<String> = Vec::new();
    for token in typed.tokens.iter().filter(|token| !token.quoted) {
        if let Some(name) = command::find_spoken(table, &token.text)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let example = (1..=names.len()).rev().find_map(|count| {
        let names: Vec<&str> = names[..count].iter().map(String::as_str).collect();
        search.line_with(verb, &names, &|_| true)
    });
    match (example, &error.help) {
        (Some(example), Some(help)) => {
            let help = format!("{help}, for example `{example}`");
            LineError { wants_sample: false, ..error }.help(help)
        }
        _ => error,
    }
}

/// Returns the error for a question that can't be answered, with the tables of distances that it
/// may ask for, the lines that show the piece that it names, or the verbs that it may be about.
pub(super) fn with_help_for_question(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
    words: &[String],
) -> LineError {
    let error = with_unknown_words_of_question(play, error, typed);
    // A question about a distance has already been answered, or refused with a reason.
    if words.get(1).is_some_and(|second| second == "far") {
        let asks_rate = words
            .get(2)
            .is_some_and(|third| ["can", "could", "does", "may", "will"].contains(&third.as_str()));
        if !asks_rate {
            return error;
        }
        let tables = lookups::tables_of_distances(play);
        let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
        if tables.is_empty() {
            return rule_search::error_with_quote(play, &error, words).unwrap_or(error);
        }
        return error.help(format!("the distances are in {}", names::quote_names(&tables)));
    }
    // A word of the console explains itself better: `odds` lacks its line.
    if words.first().is_some_and(|first| play.words.iter().any(|word| word.is(first))) {
        return error;
    }
    if let Some(answer) = rule_search::error_with_quote(play, &error, words) {
        return answer;
    }
    let table = play.session.table();
    if let Some((kind, row)) =
        words.iter().find_map(|word| table.find(&command::find_spoken(table, word)?))
    {
        let name = table.piece_name(kind, row);
        let why = format!("`why {name}` explains how it came about");
        return error.help(format!(
            "`show {name}` shows what is known about {name}, {why}, `what {name}` lists what it can do now"
        ));
    }
    error.help(questions_that_are_answered(play))
}

/// Returns the error for a question with a message that names the words of it that aren't understood,
/// unless it is about a certain place in the line or all words are understood.
fn with_unknown_words_of_question(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
) -> LineError {
    let first = typed.tokens.first().map(|first| (first.start, first.end));
    let after_first = command::typed_text(typed.line, typed.words_after_first());
    let unknown = likely_lines::unknown_words(play, &after_first);
    let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
    if error.span != first {
        return error;
    }
    if unknown.is_empty() {
        let is_word = |word: &Word| typed.tokens.first().is_some_and(|token| word.is(&token.text));
        if play.words.iter().any(is_word) {
            return error;
        }
        return LineError {
            message: "this question can't be answered".into(),
            span: None,
            ..error
        };
    }
    let message = format!(
        "this question can't be answered: not understood: {}",
        names::quote_names(&unknown)
    );
    LineError { message, span: None, ..error }
}

/// The maximum number of states named in a help text.
const MAX_STATES: usize = 8;

/// Returns help that names questions which the console answers in this game.
fn questions_that_are_answered(play: &Play) -> String {
    let schema = &play.referee().ruleset().schema;
    let kinds = schema.piece_kinds().filter(|(_, kind)| !kind.plan);
    let mut lines = IndexSet::new();
    for (id, kind) in kinds.filter(|(_, kind)| kind.role == KindRole::Pieces) {
        if play.session.table().present_pieces(id).next().is_none() {
            continue;
        }
        let states = kind
            .attributes
            .iter()
            .filter(|a| a.ty == Type::Flag && !a.bookkeeping && !a.fixed && a.secret.is_none());
        lines.extend(states.map(|state| format!("show {}", state.name)));
    }
    let lines: Vec<&str> = lines.iter().take(MAX_STATES).map(String::as_str).collect();
    let states = if lines.is_empty() {
        String::new()
    } else {
        let list = if lines.len() == 1 { "lists" } else { "list" };
        format!("{} {list} the pieces in a state, ", names::quote_names(&lines))
    };
    format!(
        "{states}`left` lists who can still act, `show` lists all pieces, and `why PIECE` explains why"
    )
}
