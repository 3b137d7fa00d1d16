//! Lines that could be typed instead of one that isn't understood: what the named piece could do
//! now, or the commands of the phase, each with the title of its rule. Unlike a proposal, they
//! don't claim to mean what was typed.

use super::topic_lines::topic_lines;
use crate::command::{self, HintKind, LineError, PossibleLine, Proposal, TypedLine, usage_text};
use crate::console::left_out_words;
use crate::console::likely_lines;
use crate::console::play::Play;
use crate::console::question_words;
use crate::console::questions::{
    self, TriedLine, acting_rows, names_of_pieces, takes_kind, tried_line,
};
use crate::console::suggest::LineSearch;
use crate::console::verb_relevance::{self, rules_of};
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, Type};
use crate::names;
use crate::referee::Action;

/// The maximum number of lines listed.
const MAX_LISTED: usize = 6;

/// The maximum number of lines listed that would be refused.
const MAX_REFUSED: usize = 2;

/// The maximum number of verbs for which a line is sought.
const MAX_VERBS: usize = 10;

/// The minimum number of points with which a line is probably about a verb.
const LIKELY: u32 = 4;

/// Returns the error with a list of lines that could be typed instead: for the first named piece that
/// can act now or, if there is none, for the phase. Lines with the verbs that the typed words may mean
/// come first. `None` if nothing can be listed.
pub(super) fn with_possible_lines(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    words: &[String],
) -> Option<LineError> {
    let table = play.session.table();
    let names = names_of_pieces(play, words);
    let pieces = names.iter().filter_map(|name| table.find(name));
    let mut able = pieces.filter(|&(kind, row)| {
        let is_plan = play.referee().ruleset().schema.kind(kind).plan;
        !is_plan && questions::may_move(play, kind, row)
    });
    let of_piece = able.find_map(|(kind, row)| {
        let mut lines = lines_of_piece(play, typed, words, kind, row);
        if let Some(Proposal::Verb(verb)) = error.proposal.as_deref().filter(|_| !lines.is_empty())
        {
            lines.splice(..0, rules_of(play, verb).map(usage_with_title));
            lines.truncate(MAX_LISTED);
        }
        (!lines.is_empty()).then(|| {
            let name = table.piece_name(kind, row);
            (format!("{name} could do this now (`what {name}` lists more):"), lines)
        })
    });
    if let Some((_, lines)) = &of_piece
        && let Some(line) = only_complete_line(play, typed, words, lines)
    {
        return Some(error.clone().proposing(vec![line]));
    }
    // The reason why a piece can't act says more than the commands of the others.
    if of_piece.is_none() && names.iter().any(|name| is_no_place(play, name)) {
        return None;
    }
    let about = topic_lines(play, typed, words, &names);
    let of_phase = || {
        let phase = &play.referee().ruleset().phases[play.referee().phase_index(table)?];
        let lines = lines_of_phase(play, typed, words);
        let help = if about.is_empty() {
            format!("some commands of this phase, {} (`help` lists all):", phase.title)
        } else {
            format!("{HEADING_OF_TOPICS} (`help` lists all commands):")
        };
        (!lines.is_empty()).then_some((help, lines))
    };
    let is_of_piece = of_piece.is_some();
    let (help, mut lines) = of_piece.or_else(of_phase)?;
    if !is_of_piece && !about.is_empty() {
        lines.truncate(MAX_BESIDE_TOPICS);
    }
    lines.extend(lines_of_other_phases(play, typed, words, &names));
    let at = if is_of_piece { lines.len() } else { 0 };
    lines.splice(at..at, about);
    Some(listing(error, lines, help))
}

/// Returns the error with a list of lines below a heading.
fn listing(error: &LineError, lines: Vec<PossibleLine>, heading: String) -> LineError {
    let proposal = Some(Box::new(Proposal::Possible(lines)));
    LineError { wants_sample: false, proposal, ..error.clone() }.help(heading)
}

/// The maximum number of commands of the phase that are listed beside lines for other topics.
const MAX_BESIDE_TOPICS: usize = 4;

/// The heading of lines that share words with the typed line.
const HEADING_OF_TOPICS: &str = "this line may be about one of these";

/// The maximum number of lines listed that belong to another phase.
const MAX_OF_OTHERS: usize = 2;

/// The minimum number of points with which a line is probably about a verb of another phase.
const LIKELY_ELSEWHERE: u32 = 12;

/// Returns lines of other phases that a typed line may be about, with as many of its pieces as can be
/// read.
fn lines_of_other_phases(
    play: &Play,
    typed: &TypedLine<'_>,
    words: &[String],
    names: &[String],
) -> Vec<PossibleLine> {
    let table = play.session.table();
    let phases = &play.referee().ruleset().phases;
    let Some(here) = play.referee().phase_index(table) else { return Vec::new() };
    let is_here = |verb: &str| phases[here].verbs.iter().any(|(own, _)| own == verb);
    let others = (here + 1..phases.len()).chain(0..here);
    let mut verbs: Vec<(&str, usize)> = Vec::new();
    for index in others {
        for (verb, _) in &phases[index].verbs {
            if !is_here(verb) && verbs.iter().all(|(known, _)| known != verb) {
                verbs.push((verb, index));
            }
        }
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let pieces: Vec<&str> = names.iter().map(String::as_str).collect();
    let reversed: Vec<&str> = pieces.iter().rev().copied().collect();
    let listed = verbs.iter().map(|(verb, _)| *verb);
    let likely = verb_relevance::by_relevance(play, listed, typed, words).into_iter();
    let likely = likely.take_while(|(_, points)| *points >= LIKELY_ELSEWHERE);
    let orders = [&pieces, &reversed].into_iter().filter(|order| !order.is_empty());
    let readable = |verb: &str| orders.clone().find_map(|order| search.readable_line(verb, order));
    let with_note = |line: String, index: usize| {
        let note = format!("belongs to phase {}, {}", index + 1, phases[index].title);
        PossibleLine { line, note }
    };
    // A line with all of the pieces is likely meant, even without its verb.
    let has_all = |line: &String| pieces.iter().all(|name| left_out_words::has_word(line, name));
    let are_models = pieces.len() > 1 && names.iter().all(|name| is_no_place(play, name));
    let of_all = verbs.iter().filter(|_| are_models);
    let of_all = of_all.filter_map(|(verb, index)| Some((readable(verb).filter(has_all)?, *index)));
    let mut lines: Vec<PossibleLine> =
        of_all.take(MAX_OF_OTHERS).map(|(line, index)| with_note(line, index)).collect();
    for (verb, _) in likely {
        let is_listed = |one: &PossibleLine| one.line.split(' ').next() == Some(verb);
        if lines.len() >= MAX_OF_OTHERS || lines.iter().any(is_listed) {
            continue;
        }
        let index = verbs.iter().find(|(known, _)| *known == verb).map(|(_, index)| *index);
        let usage = || Some(usage_without_options(rules_of(play, verb).next()?));
        if let Some(index) = index
            && let Some(line) = readable(verb).or_else(usage)
        {
            lines.push(with_note(line, index));
        }
    }
    lines
}

/// Words in front of a piece that something moves away from.
const AWAY: [&str; 3] = ["out", "off", "from"];

/// Returns the only line among these that names the pieces and numbers of a typed line and no others,
/// if the typed line has at least two pieces and no words that aren't understood.
fn only_complete_line(
    play: &Play,
    typed: &TypedLine<'_>,
    words: &[String],
    lines: &[PossibleLine],
) -> Option<String> {
    let names = names_of_pieces(play, words);
    let said_verbs = command::verbs_in(play.referee(), play.session.table(), typed.line);
    // `out of the cart` and `into the cart` name the same pieces.
    if typed.tokens.iter().any(|word| AWAY.contains(&word.text.to_lowercase().as_str())) {
        return None;
    }
    if names.len() < 2 || !likely_lines::unknown_words(play, typed.line).is_empty() {
        return None;
    }
    let numbers = likely_lines::numbers_in(play, typed.line);
    let wanted: Vec<String> = names.into_iter().chain(numbers).collect();
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    // In `ann leaves the cart`, the verb isn't `enter`.
    let has_verb = |line: &str| {
        said_verbs.is_empty() || said_verbs.iter().any(|verb| line.split(' ').next() == Some(verb))
    };
    let is_complete = |line: &&String| {
        if !has_verb(line) {
            return false;
        }
        let parts: Vec<&str> = line.split([' ', ',']).collect();
        let is_value =
            |part: &&&str| part.parse::<f64>().is_ok() || play.session.table().find(part).is_some();
        let invents = parts.iter().filter(is_value).any(|part| !wanted.iter().any(|w| w == part));
        wanted.iter().all(|one| parts.contains(&one.as_str())) && !invents && search.accepts(line)
    };
    let mut complete = lines.iter().map(|possible| &possible.line).filter(is_complete);
    let only = complete.next().filter(|_| complete.next().is_none())?;
    let done = left_out_words::put_back(play, only, typed.line, &search).ok()?;
    let left_out = left_out_words::known_words_left_out(play, typed.line, &done.line);
    let (_, counts) = left_out_words::without_other_counts(play, typed.line, &done.line, &search);
    let is_whole = counts.is_empty() && left_out.iter().all(|word| done.stated.contains(word));
    is_whole.then_some(done.line)
}

/// Returns the error with a line that would be refused for a reason, and with the other lines with which
/// the first named piece could act. `None` if that piece can't act now.
pub(super) fn with_refused_first(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    line: &str,
    reason: &str,
) -> Option<LineError> {
    let table = play.session.table();
    let words = question_words::question_words(typed);
    let names = names_of_pieces(play, &words);
    let (kind, row) = table.find(names.first()?)?;
    if !questions::may_move(play, kind, row) {
        return None;
    }
    let note = format!("refused now: {reason}");
    let mut lines = vec![PossibleLine { line: line.to_owned(), note }];
    let verb = line.split(' ').next();
    let others = lines_of_piece(play, typed, &words, kind, row).into_iter();
    lines.extend(others.filter(|one| one.line.split(' ').next() != verb));
    lines.extend(topic_lines(play, typed, &words, &names));
    (lines.len() > 1).then(|| listing(error, lines, format!("{HEADING_OF_TOPICS}:")))
}

/// The maximum number of lines listed for a piece that a line leaves out.
const MAX_OF_LEFT_OUT: usize = 2;

/// Returns the error with lines that leave out pieces which were named (`dropped`), and with what these
/// pieces could do. Such lines may not be what was meant, so they aren't proposed. Returns `None` if no
/// piece is left out that could act; a piece such as a landmark only shows the way.
pub(super) fn with_lines_without_pieces(
    play: &Play,
    error: &LineError,
    said: &str,
    accepted: &[String],
    dropped: &[String],
) -> Option<LineError> {
    let table = play.session.table();
    let typed = TypedLine::read(said).ok()?;
    let words = question_words::question_words(&typed);
    let is_named = |name: &&String| !accepted.iter().any(|one| left_out_words::has_word(one, name));
    let left_out: Vec<&str> = dropped
        .iter()
        .filter(is_named)
        .filter(|name| !command::is_landmark(&typed.tokens, name))
        .filter(|name| !accepted.iter().any(|line| is_held_by_piece_of(play, name, line)))
        .map(String::as_str)
        .collect();
    let able: Vec<(KindId, u32)> = left_out
        .iter()
        .filter_map(|name| table.find(name))
        .filter(|&(kind, row)| {
            !play.referee().ruleset().schema.kind(kind).plan && questions::may_move(play, kind, row)
        })
        .collect();
    if able.is_empty() {
        return None;
    }
    let mut lines = lines_without(accepted, &names::quote_names(&left_out));
    for (kind, row) in able {
        let of_piece = lines_of_piece(play, &typed, &words, kind, row).into_iter();
        let others = of_piece.filter(|one| lines.iter().all(|known| known.line != one.line));
        let others: Vec<PossibleLine> = others.take(MAX_OF_LEFT_OUT).collect();
        lines.extend(others);
    }
    Some(listing_as_unclear(play, error, &typed, lines))
}

/// Returns the error with lines that leave out a word which states how many act, and with what the named
/// pieces could do. Such lines aren't proposed. Returns `None` if nothing can be listed.
pub(super) fn with_lines_without_word(
    play: &Play,
    error: &LineError,
    said: &str,
    accepted: &[String],
    word: &str,
) -> Option<LineError> {
    let typed = TypedLine::read(said).ok()?;
    let words = question_words::question_words(&typed);
    let mut lines = lines_without(accepted, &format!("`{word}`"));
    let names = names_of_pieces(play, &words);
    let able = names.iter().filter_map(|name| play.session.table().find(name));
    let able = able.filter(|&(kind, row)| questions::may_move(play, kind, row)).take(1);
    let verb = accepted.first().and_then(|line| line.split(' ').next());
    let of_piece = able.flat_map(|(kind, row)| lines_of_piece(play, &typed, &words, kind, row));
    lines.extend(of_piece.filter(|one| one.line.split(' ').next() != verb).take(MAX_OF_LEFT_OUT));
    lines.extend(topic_lines(play, &typed, &words, &names));
    (!lines.is_empty()).then(|| listing_as_unclear(play, error, &typed, lines))
}

/// Returns the lines, each with the note that it is without something that was typed.
fn lines_without(lines: &[String], left_out: &str) -> Vec<PossibleLine> {
    let note = format!("without {left_out}");
    let without = |line: &String| PossibleLine { line: line.clone(), note: note.clone() };
    lines.iter().map(without).collect()
}

/// Returns the error. If it is only that no command has the first word, its message becomes that the
/// line isn't clear.
pub(super) fn as_unclear(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    if error.hint_kind != HintKind::Overview {
        return error.clone();
    }
    let unclear = LineError::new(None, "it isn't clear what should be done");
    likely_lines::with_unknown_words(play, unclear, typed)
}

/// Returns the error, [as unclear](as_unclear), with at most [`MAX_LISTED`] of these lines.
fn listing_as_unclear(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    mut lines: Vec<PossibleLine>,
) -> LineError {
    lines.truncate(MAX_LISTED);
    listing(&as_unclear(play, error, typed), lines, format!("{HEADING_OF_TOPICS}:"))
}

/// Returns true if a piece of a line has this piece as a value: the vehicle that it is in, for example.
fn is_held_by_piece_of(play: &Play, name: &str, line: &str) -> bool {
    let table = play.session.table();
    let Some((kind, row)) = table.find(name) else { return false };
    let pieces = line.split([' ', ',']).filter_map(|part| table.find(part));
    let mut pieces = pieces.map(|(of, at)| (play.referee().ruleset().schema.kind(of), at));
    pieces.any(|(of, at)| {
        let value = |attribute| play.referee().attribute_value(table, at, attribute);
        let mut refers = of.attributes.iter().filter(|one| one.ty == Type::Piece(kind));
        refers.any(|attribute| value(attribute) == Some(row.into()))
    })
}

/// Returns the error with lines for topics of the typed line that no command fits, and with the line
/// that goes on from the set-up, or from a phase in which nothing is typed. `None` if nothing can be
/// listed.
pub(super) fn with_topics(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    words: &[String],
) -> Option<LineError> {
    let mut lines = topic_lines(play, typed, words, &names_of_pieces(play, words));
    let going_on = line_that_goes_on(play);
    let heading = match &going_on {
        Some((heading, _)) if lines.is_empty() => heading.clone(),
        _ => format!("{HEADING_OF_TOPICS}:"),
    };
    lines.extend(going_on.map(|(_, line)| line));
    (!lines.is_empty()).then(|| listing(error, lines, heading))
}

/// Returns the error with lines for topics of the typed line, and with other lines beside them. `None`
/// if the line has no topic.
pub(super) fn with_topics_beside(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    words: &[String],
    others: &[(&str, &str)],
) -> Option<LineError> {
    let mut lines = topic_lines(play, typed, words, &names_of_pieces(play, words));
    if lines.is_empty() {
        return None;
    }
    for (line, note) in others {
        if lines.iter().all(|one| one.line != *line) {
            lines.push(PossibleLine { line: (*line).to_owned(), note: (*note).to_owned() });
        }
    }
    Some(listing(error, lines, format!("{HEADING_OF_TOPICS}:")))
}

/// Returns the line that goes on from the set-up, or from a phase in which nothing is typed, with a
/// heading. Returns `None` in any other phase.
fn line_that_goes_on(play: &Play) -> Option<(String, PossibleLine)> {
    let phases = &play.referee().ruleset().phases;
    let (heading, next) = match play.referee().phase_index(play.session.table()) {
        None => ("the game hasn't begun:".to_owned(), phases.first()?),
        Some(index) if phases[index].verbs.is_empty() => {
            let heading = format!("no commands belong to this phase, {}:", phases[index].title);
            (heading, phases.get(index + 1).or(phases.first())?)
        }
        Some(_) => return None,
    };
    let note = format!("Go on to {}", next.title);
    Some((heading, PossibleLine { line: "next".to_owned(), note }))
}

/// Returns true if a piece has this name and isn't part of the plan.
fn is_no_place(play: &Play, name: &str) -> bool {
    let schema = &play.referee().ruleset().schema;
    play.session.table().find(name).is_some_and(|(kind, _)| !schema.kind(kind).plan)
}

/// Returns the usage of a rule with its title.
fn usage_with_title(rule: &RuleText) -> PossibleLine {
    PossibleLine { line: usage_text(rule), note: rule.title.clone() }
}

/// Returns lines with which a piece could act now, with the other pieces and the numbers of the typed
/// line as far as possible. Where the typed words mention a verb with which it couldn't, the reason
/// is given.
fn lines_of_piece(
    play: &Play,
    typed: &TypedLine<'_>,
    words: &[String],
    kind: KindId,
    row: u32,
) -> Vec<PossibleLine> {
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let names = names_of_pieces(play, words);
    let others = names.iter().filter(|other| **other != name);
    let all: Vec<&str> = [&name].into_iter().chain(others).map(String::as_str).collect();
    let reversed: Vec<&str> = all.iter().rev().copied().collect();
    // A usage may name the piece that acts last.
    let last: Vec<&str> = all.iter().skip(1).chain(all.first()).copied().collect();
    let numbers = likely_lines::numbers_in(play, typed.line);
    let search = LineSearch::new(play.words, play.referee(), table).preferring(&numbers, words);
    let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let mut possible = Vec::new();
    let mut refused = Vec::new();
    let verbs = verbs_of_phase(play, typed, words);
    let verbs = verbs.iter().filter(|(verb, _)| takes_kind(play, verb, kind)).take(MAX_VERBS);
    for (verb, points) in verbs {
        let orders = [all.as_slice(), &reversed, &last, &all[..1]];
        // A line with all the pieces that were typed, or with all the numbers, is likely meant, even
        // without its verb.
        let has_all = |line: &String| {
            let parts: Vec<&str> = line.split([' ', ',']).collect();
            all.len() > 1 && all.iter().all(|wanted| parts.contains(wanted))
        };
        let has_numbers = |line: &String| {
            !numbers.is_empty() && numbers.iter().all(|n| line.split(' ').any(|word| word == n))
        };
        let is_likely =
            |one: &TriedLine| *points >= LIKELY || has_numbers(&one.line) || has_all(&one.line);
        let refused_with = |some: &[&[&str]]| {
            let mut tried = some.iter().filter_map(|order| tried_line(play, &search, verb, order));
            tried.find(is_likely).and_then(|one| Some((one.line, one.refused?)))
        };
        let accepted_with =
            |some: &[&[&str]]| some.iter().find_map(|order| search.line_with(verb, order, &acting));
        // If it is refused, the reason says more than a line without some of the pieces, or with
        // other numbers.
        let mut accepted = accepted_with(&orders[..3]);
        let mut reason = None;
        let may_refuse = refused.len() < MAX_REFUSED;
        if accepted.is_none() && all.len() > 1 && may_refuse {
            reason = refused_with(&orders[..3]).filter(|(line, _)| has_all(line));
        }
        let has_others = accepted.as_ref().is_some_and(|line| !has_numbers(line) && has_all(line));
        if has_others && !numbers.is_empty() && may_refuse {
            let meant = refused_with(&orders[..3]);
            reason = meant.filter(|(line, _)| has_all(line) && has_numbers(line));
            accepted = accepted.filter(|_| reason.is_none());
        }
        if accepted.is_none() && reason.is_none() {
            accepted = accepted_with(&orders[3..]);
            let is_open = accepted.is_none() && may_refuse;
            reason = if is_open { refused_with(&orders) } else { None };
        }
        if let Some(line) = accepted {
            let done = left_out_words::put_back(play, &line, typed.line, &search);
            let line = done.map_or(line, |done| done.line);
            possible.push(PossibleLine { note: title_of_line(play, &line), line });
        } else if let Some((line, why)) = reason {
            refused.push(PossibleLine { line, note: format!("refused now: {why}") });
        }
    }
    let lacks_names = |one: &PossibleLine| {
        let parts: Vec<&str> = one.line.split([' ', ',']).collect();
        !all.iter().all(|wanted| parts.contains(wanted))
    };
    possible.sort_by_key(lacks_names);
    // If the piece can't act on another one that was named, somebody else may.
    if possible.iter().all(lacks_names) && !refused.is_empty() {
        let named = all.iter().skip(1).filter_map(|other| line_with_piece(play, &search, other));
        possible.splice(..0, named.collect::<Vec<_>>());
    }
    possible.truncate(MAX_LISTED);
    possible.extend(refused);
    possible
}

/// Returns a line of this phase that would be accepted and names a piece first. Areas of the plan don't
/// count.
fn line_with_piece(play: &Play, search: &LineSearch<'_>, name: &str) -> Option<PossibleLine> {
    let (kind, row) = play.session.table().find(name)?;
    if play.referee().ruleset().schema.kind(kind).plan {
        return None;
    }
    let index = play.referee().phase_index(play.session.table())?;
    let acts = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let verbs = play.referee().ruleset().phases[index].verbs.iter().map(|(verb, _)| verb);
    let mut verbs = verbs.filter(|verb| takes_kind(play, verb, kind));
    let line = verbs.find_map(|verb| search.line_with(verb, &[name], &acts))?;
    Some(PossibleLine { note: title_of_line(play, &line), line })
}

/// Returns a line for each of the verbs of this phase: an example that would be accepted, or else the
/// verb's usage.
fn lines_of_phase(play: &Play, typed: &TypedLine<'_>, words: &[String]) -> Vec<PossibleLine> {
    let numbers = likely_lines::numbers_in(play, typed.line);
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    let search = search.preferring(&numbers, words);
    let verbs = verbs_of_phase(play, typed, words);
    let lines = verbs.iter().filter_map(|(verb, _)| {
        let line = search.line_with(verb, &[], &|_| true);
        line.map(|line| PossibleLine { note: title_of_line(play, &line), line }).or_else(|| {
            let rule = rules_of(play, verb).next()?;
            Some(PossibleLine { line: usage_without_options(rule), note: rule.title.clone() })
        })
    });
    lines.take(MAX_LISTED).collect()
}

/// Returns the usage of a rule up to its first optional part.
fn usage_without_options(rule: &RuleText) -> String {
    let usage = usage_text(rule);
    let needed = usage.split(" [").next().unwrap_or_default();
    if needed.len() < usage.len() { format!("{needed} …") } else { usage }
}

/// Returns the verbs of this phase with points for how likely a typed line is about them, those with
/// the most points first.
fn verbs_of_phase<'p>(
    play: &'p Play,
    typed: &TypedLine<'_>,
    words: &[String],
) -> Vec<(&'p str, u32)> {
    let phase = play.referee().phase_index(play.session.table());
    let phases = &play.referee().ruleset().phases;
    let verbs = phase.into_iter().flat_map(|phase| &phases[phase].verbs);
    verb_relevance::by_relevance(play, verbs.map(|(verb, _)| verb.as_str()), typed, words)
}

/// Returns the title of the rule that a line calls; empty if it calls none.
fn title_of_line(play: &Play, line: &str) -> String {
    let command = command::parse(play.referee(), play.session.table(), line).ok().flatten();
    match command.map(|command| command.action) {
        Some(Action::Rule { rule, .. }) => {
            play.referee().ruleset().schema.rules[rule.index()].title.clone()
        }
        _ => String::new(),
    }
}
