//! Lines to propose for a line that can't be read. Each contains a verb, and the pieces and numbers
//! that the typed line mentions.

use super::play::Play;
use super::question_words;
use super::questions::{self, MAX_PROPOSED, QUESTION_WORDS};
use super::suggest::LineSearch;
use crate::command::{self, LineError, TypedLine, UNCLEAR};
use crate::language::schema::Type;
use crate::names;

/// The maximum number of verbs for which a line is sought.
const MAX_VERBS: usize = 4;

/// The maximum number of words that a message lists as not understood.
const MAX_UNKNOWN: usize = 4;

/// The maximum number of pieces that are listed because it isn't clear who acts.
const MAX_ACTING: usize = 6;

/// Returns the names of the pieces that act with a verb, of the side to move if there is one.
fn able_names(play: &Play, verb: &str) -> Vec<String> {
    let table = play.session.table();
    let kinds = questions::acting_kinds(play, std::iter::once(verb)).into_iter();
    let pieces = kinds.flat_map(|kind| table.present_pieces(kind).map(move |row| (kind, row)));
    let able = pieces.filter(|&(kind, row)| questions::may_move(play, kind, row));
    able.map(|(kind, row)| table.piece_name(kind, row)).collect()
}

/// Lines that are close to the intended line, or help with writing it.
pub(super) enum LikelyLines {
    /// Lines with all the pieces and numbers that were typed, and no others.
    Meant(Vec<String>),
    /// Help that gives an example which would be accepted.
    Example(String),
    /// Help with a `help` line that shows how to write the line.
    Usage(String),
    /// A line that would be refused.
    RefusedLine(String),
    /// Help that gives the reason why a line with a certain verb would be refused.
    Refused(String),
}

/// Returns the words of a line that are known neither to the rules nor to the console, each with its
/// range in bytes.
fn all_unknown_words(play: &Play, line: &str) -> Vec<(String, (usize, usize))> {
    let mut unknown = command::unknown_words(play.referee(), play.session.table(), line);
    unknown.retain(|(word, _)| !play.words.iter().any(|known| known.name == word));
    unknown
}

/// Returns the first few words of a line that aren't understood.
pub(super) fn unknown_words(play: &Play, line: &str) -> Vec<String> {
    all_unknown_words(play, line).into_iter().take(MAX_UNKNOWN).map(|(word, _)| word).collect()
}

/// Returns the error with a message that names the words that aren't understood, or that states
/// that the line isn't clear if there are none. If the first word isn't understood, returns the
/// error unchanged.
pub(super) fn with_unknown_words(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
) -> LineError {
    let unknown = all_unknown_words(play, typed.line);
    let first = typed.tokens.first().map(|token| token.start);
    match unknown.first() {
        Some((_, (start, _))) if Some(*start) == first => error,
        Some((_, span)) => {
            let words: Vec<&str> =
                unknown.iter().take(MAX_UNKNOWN).map(|(word, _)| word.as_str()).collect();
            let message = format!("not understood: {}", names::quote_names(&words));
            LineError { message, span: Some(*span), is_unclear: true, ..error }
        }
        None => LineError { message: UNCLEAR.to_owned(), span: None, is_unclear: true, ..error },
    }
}

/// Returns the lines closest to the intended line; `None` if the typed line contains no verb of the
/// game, or if there is nothing to propose.
pub(super) fn find(play: &Play, typed: &str, words: &[String]) -> Option<LikelyLines> {
    let table = play.session.table();
    let referee = play.referee();
    let names = questions::names_of_pieces(play, words);
    let mut verbs = command::verbs_in(referee, table, typed);
    // A piece that is named either acts or is acted upon.
    // No example can be given for the umpire's own words.
    verbs.retain(|verb| !referee.ruleset().takes_text(verb));
    verbs.retain(|verb| names.is_empty() || !names_for(play, verb, &names).is_empty());
    verbs.truncate(MAX_VERBS);
    if actor_is_unknown(play, typed) {
        let verb = verbs.first()?;
        let able = able_names(play, verb);
        let able: Vec<&str> = able.iter().map(String::as_str).collect();
        let who = if (1..=MAX_ACTING).contains(&able.len()) {
            names::there_are(&able)
        } else {
            "`show` lists the pieces".to_owned()
        };
        return Some(LikelyLines::Usage(format!(
            "it isn't clear who acts: {who}, `help {verb}` shows how to write it"
        )));
    }
    let numbers = numbers_in(play, typed);
    let search = LineSearch::new(play.words, referee, table).preferring(&numbers, words);
    let mut accepted: Vec<String> = Vec::new();
    let mut refused = None;
    for verb in &verbs {
        let orders = orders(play, &names_for(play, verb, &names));
        let mut lines = orders.iter().filter_map(|order| search.line_with(verb, order, &|_| true));
        // A line without the first of the typed pieces would mean something else.
        let has_names = |line: &String| {
            names.first().is_none_or(|name| line.split([' ', ',']).any(|word| word == name))
        };
        if let Some(line) = lines.next().filter(has_names) {
            let line = with_numbers(line, &numbers, &search);
            if !accepted.contains(&line) {
                accepted.push(line);
            }
        }
        if refused.is_none() {
            let readable = orders.iter().filter_map(|order| search.readable_line(verb, order));
            let mut readable = readable.filter(has_names);
            refused = readable.find_map(|line| refused_line(play, verb, &line, &names));
        }
    }
    let unknown = unknown_words(play, typed);
    // A word that isn't understood may mean another of the alternatives.
    let had_accepted = !accepted.is_empty();
    accepted.retain(|line| unknown.is_empty() || !invents_choice(play, line, words));
    let invents_nothing = |line: &&String| {
        let parts: Vec<&str> = line.split([' ', ',']).skip(1).collect();
        let is_said = |part: &str| {
            command::is_usage_word(referee, part) && !command::is_parameter_value(referee, part)
                || names.iter().any(|name| name == part)
                || words.iter().any(|word| word == part)
                || numbers.iter().any(|number| number == part)
        };
        let has = |wanted: &String| parts.contains(&wanted.as_str());
        !names.is_empty()
            && names.iter().all(has)
            && numbers.iter().all(has)
            && parts.iter().all(|part| is_said(part))
    };
    let meant: Vec<String> = accepted.iter().filter(invents_nothing).cloned().collect();
    if !meant.is_empty() {
        return Some(LikelyLines::Meant(meant));
    }
    let lines: Vec<&str> = accepted.iter().take(MAX_PROPOSED).map(String::as_str).collect();
    if names.is_empty() && !unknown.is_empty() {
        let verb = verbs.first()?;
        return Some(LikelyLines::Usage(format!("`help {verb}` shows how to write it")));
    }
    if !lines.is_empty() {
        let help = format!("write it like this: {}", names::quote_names(&lines));
        return Some(LikelyLines::Example(help));
    }
    let usage = || {
        let verb = verbs.first().filter(|_| had_accepted)?;
        Some(LikelyLines::Usage(format!("`help {verb}` shows how to write it")))
    };
    refused.or_else(usage)
}

/// Returns the words of a line in lower case. A name that was typed as two words, such as `hose 2`, is
/// one word, so that its number isn't taken for another.
pub(super) fn words_with_whole_names(play: &Play, line: &str) -> Vec<String> {
    let mended = command::mended_line(play.referee(), play.session.table(), line);
    let line = mended.as_deref().unwrap_or(line);
    let words = line.split([' ', ',']).map(|word| word.trim_end_matches(['.', ';', '!', '?']));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns true if a line contains a word that chooses among alternatives but wasn't typed: a value
/// of a parameter, or a word that only some of the verb's usages have.
fn invents_choice(play: &Play, line: &str, words: &[String]) -> bool {
    let referee = play.referee();
    let mut parts = line.split([' ', ',']);
    let verb = parts.next().unwrap_or_default();
    parts.any(|part| {
        let is_choice = command::is_parameter_value(referee, part)
            || command::is_alternative(referee, verb, part);
        is_choice && !words.iter().any(|word| word.eq_ignore_ascii_case(part))
    })
}

/// Adds the typed numbers that a line lacks to its end, if the line is then still accepted.
fn with_numbers(line: String, numbers: &[String], search: &LineSearch<'_>) -> String {
    let is_missing = |number: &&String| line.split(' ').all(|word| word != number.as_str());
    let missing: Vec<&str> = numbers.iter().filter(is_missing).map(String::as_str).collect();
    if missing.is_empty() {
        return line;
    }
    let longer = format!("{line} {}", missing.join(" "));
    if search.accepts(&longer) { longer } else { line }
}

/// Returns a line with a verb if it would be refused. If it names pieces that weren't typed, only the
/// phase counts as a reason, and help with this reason is returned.
fn refused_line(play: &Play, verb: &str, line: &str, names: &[String]) -> Option<LikelyLines> {
    let table = play.session.table();
    let mut pieces = line.split([' ', ',']).filter(|part| table.find(part).is_some());
    if pieces.all(|piece| names.iter().any(|name| name == piece)) {
        questions::refusal_of(play, line)?;
        return Some(LikelyLines::RefusedLine(line.to_owned()));
    }
    let command = command::parse(play.referee(), table, line).ok()??;
    let reason = play.refusal(&command)?;
    let is_of_phase = !LineSearch::new(play.words, play.referee(), table).belongs_here(verb);
    let help = format!("{reason}; `help {verb}` shows how to write it");
    is_of_phase.then_some(LikelyLines::Refused(help))
}

/// Returns true if the words before the verb of a line name someone, but none of the pieces.
fn actor_is_unknown(play: &Play, line: &str) -> bool {
    let table = play.session.table();
    let Some(at) = command::verb_at(play.referee(), table, line) else { return false };
    let before = &line[..at];
    // In `full speed ml1`, nobody in front of the verb acts.
    let mut after = line[at..].split_whitespace();
    let is_base = after.next().is_some_and(|verb| play.referee().ruleset().has_verb(verb));
    let orders = is_base
        && after.next().is_some_and(|next| command::find_spoken(table, next).is_some())
        && before.split_whitespace().count() == 1;
    if orders {
        return false;
    }
    let names_any = !questions::names_of_pieces(play, &[before.to_owned()]).is_empty();
    !names_any && !command::unknown_words(play.referee(), table, before).is_empty()
}

/// Returns the names among these whose pieces a verb can take.
fn names_for<'n>(play: &Play, verb: &str, names: &'n [String]) -> Vec<&'n str> {
    let table = play.session.table();
    let ruleset = play.referee().ruleset();
    let rules = ruleset.rules_for_verb(verb);
    let takes = |name: &&str| {
        table.find(name).is_some_and(|(kind, _)| {
            let mut params = rules.iter().flat_map(|id| &ruleset.schema.rules[id.index()].params);
            params.any(|param| param.ty.member_or_self() == Type::Piece(kind))
        })
    };
    names.iter().map(String::as_str).filter(takes).collect()
}

/// Returns the orders in which pieces are tried in a line: as typed, in reverse if they are all of
/// different kinds, and then fewer of them.
fn orders<'n>(play: &Play, names: &[&'n str]) -> Vec<Vec<&'n str>> {
    let table = play.session.table();
    let mut orders = vec![names.to_vec()];
    let kinds: Vec<_> = names.iter().map(|name| table.find(name).map(|(kind, _)| kind)).collect();
    let differ = kinds.iter().enumerate().all(|(at, kind)| !kinds[..at].contains(kind));
    if names.len() > 1 && differ {
        orders.push(names.iter().rev().copied().collect());
    }
    orders.extend((1..names.len()).rev().map(|count| names[..count].to_vec()));
    orders
}

/// Returns the numbers of a line, without their units and in the order in which they stand.
pub(super) fn numbers_in(play: &Play, line: &str) -> Vec<String> {
    let said = words_with_whole_names(play, line);
    said.iter().filter_map(|word| number_of(word)).collect()
}

/// Returns the number that a word states, without its unit; `None` for any other word.
pub(super) fn number_of(word: &str) -> Option<String> {
    let number = command::bare_number(word);
    let is_number =
        number.parse::<f64>().is_ok() && number.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| number.to_owned())
}

/// Returns the verbs whose titles share a word with a line. The verbs of this phase come first.
/// Returns no verbs if there are more than `MAX_PROPOSED`.
pub(super) fn verbs_about(play: &Play, words: &[String]) -> Vec<String> {
    let ruleset = play.referee().ruleset();
    let phase = play.referee().phase_index(play.session.table());
    let here = |verb: &str| {
        phase.is_some_and(|phase| ruleset.phases[phase].verbs.iter().any(|(v, _)| v == verb))
    };
    let asked: Vec<&String> = words
        .iter()
        .filter(|word| word.len() > 3 && !QUESTION_WORDS.contains(&word.as_str()))
        .collect();
    let is_about = |verb: &&str| {
        ruleset.rules_for_verb(verb).iter().any(|id| {
            let title = ruleset.schema.rules[id.index()].title.to_lowercase();
            let mut title = title.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 3);
            title.any(|known| asked.iter().any(|word| question_words::has_same_stem(known, word)))
        })
    };
    let verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb)).filter(is_about);
    let (mut verbs, others): (Vec<&str>, Vec<&str>) = verbs.partition(|verb| here(verb));
    verbs.extend(others);
    // If many titles share a word with the line, the word says little.
    if verbs.len() > MAX_PROPOSED {
        return Vec::new();
    }
    verbs.into_iter().map(str::to_owned).collect()
}
