//! Proposals for a line that can't be read: whole lines that would be accepted, or else the nearest
//! match.

use super::corrections;
use super::likely_lines::{self, LikelyLines};
use super::lookups;
use super::losses;
use super::play::Play;
use super::progress_phrases;
use super::question_words::{self, bare_name};
use super::questions::{
    CHANCES, MAX_PROPOSED, QUESTION_WORDS, asks_chances, can_do_nothing, lines_about,
    lines_of_side, names_of_pieces, refusal_of, verb_of,
};
use super::reported_dice;
use super::rulings;
use super::same_again;
use super::sentences;
use super::suggest::{self, LineSearch};
use super::words::show;
use crate::command::{
    self, HintKind, LineError, NearLine, NearestBudget, Proposal, Token, TypedLine,
};
use crate::language::schema::{AttributeStorage, KindId};
use crate::names;

/// Returns an error with lines that would be accepted in place of the typed line or, if there are
/// none, with the best help for it, such as the nearest match. If nothing can be proposed for the
/// whole line, its first part is tried: the first piece of a list, or the first clause.
pub(super) fn with_proposals(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    let meant = with_proposals_for_whole(play, error.clone(), typed);
    if meant.proposed_lines().is_some()
        || question_words::is_question(typed)
        || corrections::takes_back(typed)
    {
        return meant;
    }
    let first_part =
        sentences::for_first_of_list(play, typed).or_else(|| sentences::first_clause(play, typed));
    match first_part.and_then(|(first, rest)| with_first_part(play, error, &first, &rest)) {
        Some(partly) => partly,
        None => meant,
    }
}

/// Returns the error with the lines that the first part of a line means, and with the rest of the
/// line. Returns `None` if the first part means nothing.
fn with_first_part(play: &Play, error: &LineError, first: &str, rest: &str) -> Option<LineError> {
    let meant = with_meaning(play, error, first)?;
    let lines = meant.proposed_lines()?.to_vec();
    let (without, options, own_rest) = match meant.proposal.as_deref() {
        Some(Proposal::Part(part)) => {
            (part.without.clone(), part.options.clone(), part.rest.clone())
        }
        _ => Default::default(),
    };
    // The rest for the other pieces of a list has all that follows the list.
    let own_rest = own_rest.filter(|own| !rest.ends_with(own.as_str()));
    let rest = own_rest.map_or(rest.to_owned(), |own| format!("{own}, {rest}"));
    Some(error.clone().proposing_part(lines, Some(rest), without).with_options(options))
}

/// Returns an error with lines that would be accepted in place of the whole typed line, or with the
/// best help for it.
fn with_proposals_for_whole(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
    let is_question = question_words::is_question(typed);
    // A word that is nearly a name is more likely to mean that name.
    let is_name = typed.tokens.len() == 1 && error.hint_kind == HintKind::NearName;
    if let Some((lines, rest)) = progress_phrases::lines(play, typed)
        .filter(|_| !is_question && !is_name)
        .filter(|_| error.choices.is_empty() || typed.verb().eq_ignore_ascii_case("next"))
    {
        return error.proposing_part(lines, rest, Vec::new());
    }
    if !is_question && let Some((line, rest)) = sentences::command_beside_remark(play, typed) {
        return error.proposing_part(vec![line], rest, Vec::new());
    }
    if !is_question
        && let Some(last) = corrections::last_replaceable(play)
        && let Some(line) = corrections::line_without_pieces(play, &last.line, typed.line)
    {
        return error.proposing(vec![format!("oops {line}")]);
    }
    if !is_question && corrections::undoes_last(play, typed) {
        return error.proposing(vec!["undo".to_owned()]);
    }
    if let Some(line) = corrections::line_without_command(play, typed) {
        return error.proposing(vec![line]);
    }
    if !is_question && let Some(error) = with_repetition(play, &error, typed) {
        return error;
    }
    let error = without_farther_name(play, error, typed);
    if let Some(Proposal::Name(name)) = error.proposal.as_deref()
        && let Some((start, end)) = error.span
        && let (Some(before), Some(after)) = (typed.line.get(..start), typed.line.get(end..))
    {
        let table = play.session.table();
        // In a list, only the mistyped name is replaced.
        let wrong = typed.line.get(start..end).unwrap_or_default().trim_end_matches(',');
        let parts = wrong.split(',').map(|part| match command::find_spoken(table, part) {
            Some(known) if wrong.contains(',') => known,
            _ => name.clone(),
        });
        let list = parts.collect::<Vec<_>>().join(",");
        let line = format!("{before}{list}{after}").trim().to_owned();
        let is_next = line.eq_ignore_ascii_case("next");
        if is_next || suggest::would_be_accepted(play.words, play.referee(), table, &line) {
            return error.proposing(vec![line]);
        }
    }
    // A mistyped name, or a word with several possible meanings, has its own, better help. A comma
    // after `oops` is not a mistake.
    let is_marked = typed.tokens.first().is_some_and(|first| first.text.ends_with(','));
    let proposes_name = matches!(error.proposal.as_deref(), Some(Proposal::Name(_)))
        || error.proposed_lines().is_some();
    let has_better_help =
        proposes_name || !error.choices.is_empty() || error.hint_kind == HintKind::NearName;
    if has_better_help && !(is_marked && corrections::takes_back(typed)) {
        return error;
    }
    if !is_question && let Some(error) = with_correction(play, &error, typed) {
        return error;
    }
    let words = question_words::question_words(typed);
    if !is_question && let Some(error) = with_dice_beside(play, &error, typed) {
        return error;
    }
    if let Some(help) = help_with_distance(play, &words).filter(|_| !is_question) {
        return LineError { wants_sample: false, ..error }.help(help);
    }
    let budget = NearestBudget::new();
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if asks_chances(&words) {
        let mut lines = lines_asked_for(play, &words, &budget, &search);
        if lines.is_empty() && !is_question {
            let rest: Vec<String> =
                words.iter().filter(|word| !CHANCES.contains(&word.as_str())).cloned().collect();
            let near = lines_with_verb(play, &rest.join(" "), &rest, &budget);
            lines = accepted_lines(&near, &search);
        }
        if !lines.is_empty() {
            return error.proposing(lines.into_iter().map(|line| format!("odds {line}")).collect());
        }
        let names_all =
            |line: &String| names_of_pieces(play, &words).iter().all(|name| line.contains(name));
        let mut examples = lines_about(play, &words).into_iter();
        if let Some(example) = examples.find(|line| names_all(line) && search.throws(line)) {
            let help = format!("`odds LINE` shows the chances of a line: `odds {example}`");
            return LineError { wants_sample: false, ..error }.help(help);
        }
        if let Some(LikelyLines::Help(help)) = likely_lines::find(play, typed.line, &words) {
            return LineError { wants_sample: false, ..error }
                .help(format!("`odds LINE` shows the chances of a line; {help}"));
        }
    }
    if let Some(line) = same_again::with_last_values(play, typed)
        && let Some(error) = with_meaning(play, &error, &line)
    {
        return error;
    }
    let is_complete = error.span.is_some();
    if !is_question && is_complete {
        let near =
            command::nearest_lines(play.referee(), play.session.table(), typed.line, &budget);
        let accepted = accepted_lines(&near, &search);
        if !accepted.is_empty() {
            return with_near_lines(play, error, typed.line, &near, accepted);
        }
        let is_only = near.len() == 1;
        if let Some(near) = near
            .first()
            .filter(|near| is_only || near.is_likely())
            .filter(|near| keeps_the_acting_piece(play, typed, &near.line))
            && let Some(reason) = refusal_of(play, &near.line)
        {
            return refused_instead(error, reason);
        }
    }
    if command::says_rolled(typed) && !is_question {
        return reported_dice::with_help(play, &error, typed);
    }
    if is_question {
        return with_help_for_question(play, error, &words);
    }
    if error.hint_kind == HintKind::Overview {
        return with_help_without_verb(play, error, typed, &words, &budget, &search);
    }
    if let Some(line) = colon_after_word(play, typed) {
        return error.proposing(vec![line]);
    }
    if is_complete && let Some(meant) = with_mended_line(play, &error, typed, &search) {
        return meant;
    }
    if is_complete
        && let Some(LikelyLines::Meant(lines)) = likely_lines::find(play, typed.line, &words)
    {
        let unknown = likely_lines::unknown_words(play, typed.line);
        return error.proposing_part(lines, None, unknown);
    }
    with_example_of_verb(play, error, typed)
}

/// Returns the error without the word that it proposes for the first word of the line, if a piece has
/// a name that is nearer to this word: `siren` means the ship `sirene` and not the word `screen`.
/// Likewise for a word such as `same`, which repeats a command and doesn't mean `save`.
fn without_farther_name(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
    let Some(first) = typed.tokens.first() else { return error };
    let Some(Proposal::Name(name)) = error.proposal.as_deref() else { return error };
    if error.span != Some((first.start, first.end)) {
        return error;
    }
    let table = play.session.table();
    let pieces = table.names().map(|(piece, ..)| piece);
    let nearest = names::nearest(&first.text, pieces.chain([name.as_str()]));
    let is_nearest = nearest.is_none_or(|nearest| nearest == name);
    if is_nearest && !same_again::asks_same(&first.text) {
        return error;
    }
    LineError { proposal: None, help: None, hint_kind: HintKind::Overview, ..error }
}

/// Returns true if a line names a piece and begins with a verb of the game or names one after it.
fn is_command(play: &Play, line: &str) -> bool {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    !names_of_pieces(play, &words).is_empty()
        && !command::verbs_in(play.referee(), play.session.table(), line).is_empty()
}

/// Returns the error with the accepted ones of the lines near to a typed line, with what they leave
/// out and what comes after them.
fn with_near_lines(
    play: &Play,
    error: LineError,
    line: &str,
    near: &[NearLine],
    accepted: Vec<String>,
) -> LineError {
    let first = near.iter().find(|near| accepted.contains(&near.line));
    let rest = first.and_then(|found| found.rest.clone());
    let said = first.map_or(line, |found| found.part.as_str());
    let dropped = first.map(|found| found.dropped.clone()).unwrap_or_default();
    let in_line = |word: &String| {
        let mut parts = accepted.iter().flat_map(|one| one.split([' ', ',', '-']));
        parts.any(|part| part.eq_ignore_ascii_case(word))
    };
    let mut unknown = [dropped, likely_lines::unknown_words(play, said)].concat();
    unknown.retain(|word| !in_line(word));
    let mut options = Vec::new();
    if let Some(meant) = accepted.first() {
        for word in known_words_left_out(play, said, meant) {
            if !unknown.contains(&word) && !in_line(&word) {
                unknown.push(word);
            }
        }
        options = command::options_left(play.referee(), play.session.table(), meant);
    }
    let faces = rest.as_deref().map(reported_dice::faces).unwrap_or_default();
    if let [meant, ..] = accepted.as_slice()
        && !faces.is_empty()
        && !reported_dice::are_rolled_by_players(play, meant)
    {
        let help = reported_dice::help_before(meant);
        return LineError { wants_sample: false, ..error }.help(help);
    }
    error.proposing_part(accepted, rest, unknown).with_options(options)
}

/// Returns the error with the lines meant by the typed line once its mistyped words, ranges and
/// captions are replaced; `None` if there are no such words, or if no line is meant.
fn with_mended_line(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    search: &LineSearch<'_>,
) -> Option<LineError> {
    let table = play.session.table();
    let mended = command::mended_line(play.referee(), table, typed.line)?;
    if let Ok(Some(command)) = command::parse(play.referee(), table, &mended) {
        let line = command.restated.unwrap_or(mended);
        return search.accepts(&line).then(|| error.clone().proposing(vec![line]));
    }
    let corrected = TypedLine::read(&mended).ok()?;
    let meant = with_proposals(play, error, &corrected);
    if meant.proposed_lines().is_some() {
        return Some(meant);
    }
    let near = command::nearest_lines(play.referee(), table, &mended, &NearestBudget::new());
    let near = near.first().filter(|near| near.is_likely())?;
    let reason = refusal_of(play, &near.line)?;
    Some(refused_instead(error.clone(), reason))
}

/// Returns the error for a line that was understood, but would be refused for this reason.
fn refused_instead(error: LineError, reason: String) -> LineError {
    let error = LineError { wants_sample: false, ..error };
    if error.hint_kind != HintKind::Overview {
        return error.help(reason);
    }
    // That the first word is no command doesn't matter.
    LineError { message: "this can't be done now".to_owned(), span: None, ..error }.help(reason)
}

/// Returns the error for a line that repeats the last command for other pieces, with that command or
/// with the reason why it would be refused. `None` for any other line.
fn with_repetition(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    if let Some((part, change)) = same_again::split_change(typed)
        && let Ok(repeated) = TypedLine::read(part)
        && let Some(same) = same_again::find(play, &repeated)
    {
        let lines = corrections::lines_in_place_of(play, &same.together, change);
        return (!lines.is_empty()).then(|| error.clone().proposing(lines));
    }
    let repetition = same_again::find(play, typed)?;
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if search.accepts(&repetition.together) {
        return Some(error.clone().proposing(vec![repetition.together]));
    }
    if let Some((line, rest)) = &repetition.one_by_one
        && search.accepts(line)
    {
        let rest = Some(rest.clone());
        return Some(error.clone().proposing_part(vec![line.clone()], rest, Vec::new()));
    }
    let line = repetition.one_by_one.map_or(repetition.together, |(line, _)| line);
    let reason = refusal_of(play, &line)?;
    Some(refused_instead(error.clone(), reason))
}

/// Returns the numbers and the words of the rules in a part of a typed line that the line found for
/// it leaves out, such as `inside` or `chest`. Without them, the line may mean something else.
fn known_words_left_out(play: &Play, said: &str, line: &str) -> Vec<String> {
    let Ok(typed) = TypedLine::read(said) else { return Vec::new() };
    let verb = line.split(' ').next();
    let found: Vec<String> =
        line.split([' ', ',', '-']).map(|word| command::bare_number(word).to_lowercase()).collect();
    let marks = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')');
    let words = typed.tokens.iter().filter(|token| !token.quoted);
    let words = words.map(|token| token.text.to_lowercase().trim_matches(marks).to_owned());
    let is_left_out = |word: &String| {
        let bare = command::bare_number(word);
        let is_number = bare.parse::<f64>().is_ok();
        let counts = is_number
            || command::is_usage_word(play.referee(), word)
            || command::is_parameter_value(play.referee(), word)
            || verb.is_some_and(|verb| command::is_form_of_other_verb(play.referee(), word, verb))
            || (QUANTITIES.contains(&word.as_str()) && !line.contains(','));
        let is_little = LITTLE.contains(&word.as_str()) || QUESTION_WORDS.contains(&word.as_str());
        counts
            && !is_little
            && !found.iter().any(|known| known == bare)
            && verb_of(play, word).is_none_or(|other| Some(other) != verb)
            && command::find_spoken(play.session.table(), word).is_none()
    };
    words.filter(is_left_out).collect()
}

/// Words for a quantity that a line with a single piece doesn't have.
const QUANTITIES: [&str; 4] = ["both", "all", "twice", "each"];

/// Returns false if a piece acts in the line that was found, but was typed after the verb, where the
/// target belongs: `harker bursts krause` doesn't mean `burst krause at harker`.
fn keeps_the_acting_piece(play: &Play, typed: &TypedLine<'_>, found: &str) -> bool {
    let table = play.session.table();
    let named = |text: &str| names_of_pieces(play, &[text.to_owned()]);
    let Some(at) = command::verb_at(play.referee(), table, typed.line) else { return true };
    let before = named(&typed.line[..at]);
    let after = named(&typed.line[at..]);
    let Ok(Some(command)) = command::parse(play.referee(), table, found) else { return true };
    let acting = play.acting_pieces(&command.action);
    let actor_kind = before.first().and_then(|name| table.find(name)).map(|(kind, _)| kind);
    // A target of another kind can't be mistaken for the acting piece.
    let mut acting = acting.into_iter().filter(|(kind, _)| Some(*kind) == actor_kind);
    let is_target = |name: &String| after.contains(name) && !before.contains(name);
    !acting.any(|(kind, row)| is_target(&table.piece_name(kind, row)))
}

/// Returns the line without the colon after its first word, if the word can take the rest: `note:
/// ann is late`.
fn colon_after_word(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let word = first.text.strip_suffix(':')?;
    let rest = typed.line.get(first.end..)?.trim();
    let line = format!("{} {rest}", word.to_lowercase());
    let is_known = play.words.iter().any(|known| known.is(&word.to_lowercase()));
    let accepted =
        suggest::would_be_accepted(play.words, play.referee(), play.session.table(), &line);
    (is_known && !rest.is_empty() && accepted).then_some(line)
}

/// Returns an error with lines or help for the first part of a line that also reports dice:
/// `ann fires at bob, she rolled a 5`. Returns `None` if the line reports no dice, or if its first
/// part means nothing.
fn with_dice_beside(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let (first, dice) = reported_dice::split(typed)?;
    let meant = with_meaning(play, error, first)?;
    let lines = meant.proposed_lines()?.to_vec();
    if reported_dice::are_rolled_by_players(play, lines.first()?) {
        return Some(error.clone().proposing_part(lines, Some(dice.to_owned()), Vec::new()));
    }
    let help = reported_dice::help_before(lines.first()?);
    Some(LineError { wants_sample: false, ..error.clone() }.help(help))
}

/// Returns the error with the line that a part of the typed line means: the part itself if it can be
/// read, or else the lines that would be proposed for it, with what they leave out. Returns `None` if
/// it means nothing, or if the line would be refused.
fn with_meaning(play: &Play, error: &LineError, part: &str) -> Option<LineError> {
    let table = play.session.table();
    if let Ok(Some(command)) = command::parse(play.referee(), table, part) {
        let line = command.restated.unwrap_or_else(|| part.to_owned());
        let search = LineSearch::new(play.words, play.referee(), table);
        return search.accepts(&line).then(|| error.clone().proposing(vec![line]));
    }
    let typed = TypedLine::read(part).ok()?;
    let general = LineError::new(typed.tokens.first(), String::new());
    let general = LineError { hint_kind: HintKind::Overview, ..general };
    let meant = with_proposals(play, &general, &typed);
    meant.proposed_lines()?.first()?;
    Some(LineError { message: error.message.clone(), span: error.span, ..meant })
}

/// Returns the error with the lines that a correction means, such as `no, at bob` or `no port`: the
/// corrected form of a refused line, of a proposed line or of the last command, or a new line.
/// Returns `None` for a line that isn't a correction, or if nothing fits it.
fn with_correction(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let some = |lines: Vec<String>| (!lines.is_empty()).then(|| error.clone().proposing(lines));
    let Some(said) = corrections::corrected_part(typed) else {
        // `no port` corrects a single word.
        let words = question_words::question_words(typed);
        let [no, said] = words.as_slice() else { return None };
        let entry = corrections::last_replaceable(play).filter(|_| no == "no")?;
        return some(corrections::oops_lines(play, entry, said));
    };
    if let Some(refused) = &play.refused
        && let Some(meant) = some(corrections::lines_in_place_of(play, refused, said))
    {
        return Some(meant);
    }
    // What follows a refused command corrects that command, not the one before it.
    let corrects_refused = play.refused.as_ref().is_some_and(|refused| is_command(play, refused));
    if let Some(entry) = corrections::last_replaceable(play).filter(|_| !corrects_refused) {
        if reported_dice::corrects_dice(play, said) {
            return Some(reported_dice::with_help(play, error, typed));
        }
        if let Some((without, line)) = corrections::for_some_of_list(play, entry, said) {
            let rest = Some(line);
            return Some(error.clone().proposing_part(vec![without], rest, Vec::new()));
        }
        if let Some(earlier) = corrections::earlier_command(play, entry, said) {
            let lines = corrections::replacing_lines(play, earlier, said).into_iter();
            let lines = lines.map(|line| format!("amend {} {line}", earlier.number)).collect();
            if let Some(meant) = some(lines) {
                return Some(meant);
            }
        }
        if let Some(meant) = some(corrections::oops_lines(play, entry, said)) {
            return Some(meant);
        }
    }
    // The line that was meant may need no correction of another: `no, group able`.
    let is_shorter = said.len() < typed.line.trim().len();
    is_shorter.then(|| with_meaning(play, error, said))?
}

/// Pronouns for the first piece of the last command.
const PRONOUNS: [&str; 3] = ["he", "she", "it"];

/// Pronouns for all the pieces that act in the last command.
const PLURAL_PRONOUNS: [&str; 4] = ["they", "both", "all", "everyone"];

/// Returns the line with pieces of the last command in place of the pronoun at its beginning: `and he
/// ducks`, `both of them run 8`. Returns `None` if the line doesn't begin with a pronoun, or if there
/// are no such pieces.
fn without_pronoun(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let is_one_of = |token: &Token, words: &[&str]| {
        !token.quoted && words.contains(&token.text.to_lowercase().as_str())
    };
    let tokens: Vec<&Token> = typed
        .tokens
        .iter()
        .skip_while(|token| is_one_of(token, &["and", "then", "so", "but"]))
        .collect();
    let first = tokens.first()?;
    let is_plural = is_one_of(first, &PLURAL_PRONOUNS);
    if !is_plural && !is_one_of(first, &PRONOUNS) {
        return None;
    }
    // In `both of them` and `they all`, all these words are the pronoun.
    let taken = match tokens.get(1..3) {
        Some([of, them]) if is_one_of(of, &["of"]) && is_one_of(them, &["them"]) => 3,
        Some([all, _]) if is_one_of(all, &["all", "both"]) => 2,
        _ => 1,
    };
    let rest = typed.line.get(tokens[taken - 1].end..)?.trim();
    let last = corrections::last_replaceable(play)?;
    let table = play.session.table();
    let is_piece = |word: &str| table.find(word).is_some();
    let list = last.line.split(' ').find(|part| part.split(',').all(is_piece))?;
    let names = if is_plural { list } else { list.split(',').next()? };
    // One piece isn't `both`.
    let fits = !is_plural || list.contains(',');
    (fits && !rest.is_empty()).then(|| format!("{names} {rest}"))
}

/// Returns help for a line that only states the distance from one piece to another.
fn help_with_distance(play: &Play, words: &[String]) -> Option<String> {
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
fn with_example_of_verb(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
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
fn with_help_for_question(play: &Play, error: LineError, words: &[String]) -> LineError {
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
            return error;
        }
        return error.help(format!("the distances are in {}", names::quote_names(&tables)));
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
    // A question that begins with `who` is about pieces, not about a verb.
    if words.first().is_some_and(|first| first.starts_with("who")) {
        return error;
    }
    match help_about_verbs(play, words) {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns the error for a line without a verb. It proposes the lines that may be meant. If there
/// are none, its help explains how to correct the last command, why a line would be refused, what
/// the first piece in the line could do, or which verbs the line may be about.
fn with_help_without_verb(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
    words: &[String],
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> LineError {
    let corrects = "`oops LINE` replaces the last command, `undo` undoes it";
    if corrections::takes_back(typed) {
        return error.help(corrects);
    }
    let is_correction = corrections::corrected_part(typed).is_some();
    let stated = word_with_comment(play, typed)
        .filter(|_| !is_correction)
        .or_else(|| rulings::stated(play, typed))
        .or_else(|| rulings::stated_of_game(play, words));
    if let Some(line) = stated {
        return match rulings::already(play, &line) {
            Some(fact) => error.help(fact),
            None => error.proposing(vec![line]),
        };
    }
    let losses = losses::lines_for_loss(play, typed);
    if !losses.is_empty() {
        return error.proposing(losses);
    }
    let is_agreed = words.iter().all(|word| AGREEING.contains(&word.as_str()));
    if is_agreed || words.first().is_some_and(|first| NO_ONE.contains(&first.as_str())) {
        return error.help(format!("nothing has to be typed for that; {}", how_to_go_on(play)));
    }
    if let Some(name) = command::idle_piece(play.session.table(), &typed.tokens) {
        let go_on = how_to_go_on(play);
        return error.help(format!("nothing has to be typed if {name} does nothing; {go_on}"));
    }
    if command::says_nothing_is_done(&typed.tokens) {
        return error.help(format!("nothing has to be typed for that; {}", how_to_go_on(play)));
    }
    let mut near = lines_with_verb(play, typed.line, words, budget);
    // A line that only states where someone goes means a movement, even if that is refused.
    let table = play.session.table();
    let moving = match command::verb_at(play.referee(), table, typed.line) {
        Some(_) => Vec::new(),
        None => command::moving_verbs(play.referee(), table, typed.line),
    };
    let moves =
        |line: &NearLine| moving.iter().any(|verb| line.line.split(' ').next() == Some(verb));
    if near.iter().any(moves) {
        near.retain(moves);
    }
    let accepted = accepted_lines(&near, search);
    // A number shows that a certain line is meant, even if it is refused.
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let is_understood = |one: &&NearLine| {
        let verbs = command::verbs_in(play.referee(), table, &one.part);
        one.dropped.is_empty()
            && verbs.iter().all(|verb| one.line.split(' ').next() == Some(verb))
            && likely_lines::unknown_words(play, &one.part).is_empty()
            && known_words_left_out(play, &one.part, &one.line).is_empty()
    };
    let refused = near.iter().find(|one| moves(one));
    let refused = refused.or_else(|| near.first().filter(|_| has_number).filter(is_understood));
    if accepted.is_empty()
        && let Some(refused) = refused
        && let Some(reason) = refusal_of(play, &refused.line)
    {
        return refused_instead(error, reason);
    }
    if !accepted.is_empty() {
        return with_near_lines(play, error, typed.line, &near, accepted);
    }
    let after_label = typed.line.split_once(": ").map(|(_, after)| after.to_owned());
    let names_any = |part: &String| !names_of_pieces(play, std::slice::from_ref(part)).is_empty();
    let other = after_label.filter(names_any).or_else(|| without_pronoun(play, typed));
    if let Some(error) = other.and_then(|other| with_meaning(play, &error, &other)) {
        return error;
    }
    let shown = format!("show {}", words.join(" "));
    let acts = |word: &String| verb_of(play, word).is_some() || question_words::is_verb(play, word);
    let names_few = names_of_pieces(play, words).len() < 2;
    let goes_somewhere = words.iter().any(|word| ["to", "into", "onto"].contains(&word.as_str()));
    if names_few
        && !goes_somewhere
        && !has_number
        && !words.iter().any(acts)
        && show::is_shown(play, &shown)
    {
        return error.proposing(vec![shown]);
    }
    if corrections::corrected_part(typed).is_some() {
        return error.help(corrects);
    }
    if let Some(meant) = with_mended_line(play, &error, typed, search) {
        return meant;
    }
    let error = likely_lines::with_unknown_words(play, error, typed);
    match likely_lines::find(play, typed.line, words) {
        Some(LikelyLines::Meant(lines)) => {
            let unknown = likely_lines::unknown_words(play, typed.line);
            return error.proposing_part(lines, None, unknown);
        }
        Some(LikelyLines::Help(help)) => {
            return LineError { wants_sample: false, ..error }.help(help);
        }
        None => {}
    }
    let names = names_of_pieces(play, words);
    if let Some((kind, row)) = names.first().and_then(|name| table.find(name)) {
        let name = table.piece_name(kind, row);
        let is_side = play.referee().sides(table).contains(&name);
        let lines = if is_side {
            lines_of_side(play, &name, MAX_PROPOSED)
        } else {
            lines_about(play, words)
        };
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let more = if rulings::states_something(typed) {
            how_to_set(play, kind, &name)
        } else {
            format!("`what {name}` lists more")
        };
        return error.help(match lines.as_slice() {
            [] if is_side => format!("`what can {name} do` lists what could be typed for {name}"),
            [] if rulings::states_something(typed) => format!(
                "{}; `show {name}` shows its values, {}",
                can_do_nothing(play, kind, row),
                how_to_set(play, kind, &name)
            ),
            [] => {
                format!("{}; `show {name}` shows its values", can_do_nothing(play, kind, row))
            }
            lines => format!("accepted now, for example: {}; {more}", names::quote_names(lines)),
        });
    }
    if let Some(line) = sentences::last_clause(play, typed) {
        return error.proposing(vec![line]);
    }
    match help_about_verbs(play, words) {
        Some(help) => error.help(help),
        None => {
            let is_under_way = play.referee().phase_index(table).is_some();
            let still_to_act = if is_under_way { "`left` lists who can still act, " } else { "" };
            error.help(format!("{still_to_act}`help` lists the commands"))
        }
    }
}

/// Returns a phrase that shows what to type once everyone has acted: `next` or, while that is
/// refused, a verb of the phase that needs no pieces, such as `draw`.
fn how_to_go_on(play: &Play) -> String {
    let table = play.session.table();
    let search = LineSearch::new(play.words, play.referee(), table);
    let phase =
        play.referee().phase_index(table).map(|index| &play.referee().ruleset().phases[index]);
    let is_refused = phase.is_some() && refusal_of(play, "next").is_some();
    let mut verbs = phase.into_iter().flat_map(|phase| phase.verbs.iter().map(|(verb, _)| verb));
    let line = verbs.find(|verb| is_refused && search.accepts(verb)).map_or("next", String::as_str);
    format!("type `{line}` once everyone has acted")
}

/// Returns the nearest lines that would be accepted, at most [`MAX_PROPOSED`].
fn accepted_lines(near: &[NearLine], search: &LineSearch<'_>) -> Vec<String> {
    let lines = near.iter().map(|near| &near.line);
    lines.filter(|line| search.accepts(line)).take(MAX_PROPOSED).cloned().collect()
}

/// Returns help that names the verbs whose titles share a word with a line; `None` if there are
/// none.
fn help_about_verbs(play: &Play, words: &[String]) -> Option<String> {
    let verbs = likely_lines::verbs_about(play, words);
    let lines: Vec<String> = verbs.iter().map(|verb| format!("help {verb}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    (!lines.is_empty()).then(|| format!("see {}", names::quote_names(&lines)))
}

/// Returns the word of the console that a line begins with, without the comment after it:
/// `undo, it was t34b`. Returns `None` if there is no such word, or if it can't be typed on its
/// own.
fn word_with_comment(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let text = first.text.strip_suffix([',', ':', ';', '.'])?.to_lowercase();
    let word = play.words.iter().find(|word| word.is(&text))?;
    suggest::would_be_accepted(play.words, play.referee(), play.session.table(), word.name)
        .then(|| word.name.to_owned())
}

/// The maximum number of attributes named in a help text.
const MAX_ATTRIBUTES: usize = 6;

/// Returns a phrase that shows how to change the values of a piece.
fn how_to_set(play: &Play, kind: KindId, name: &str) -> String {
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let settable = attributes.filter(|a| !a.bookkeeping && !a.fixed);
    let stored = settable.filter(|a| matches!(a.storage, AttributeStorage::Cell(_)));
    let names: Vec<&str> = stored.map(|a| a.name.as_str()).take(MAX_ATTRIBUTES).collect();
    let list = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!("`set {name}.ATTRIBUTE VALUE` changes a value{list}")
}

/// Words with which people agree to an answer.
const AGREEING: [&str; 20] = [
    "all", "right", "alright", "ok", "okay", "good", "great", "fine", "lovely", "cheers", "thanks",
    "thank", "you", "ta", "that's", "thats", "correct", "roger", "aye", "so",
];

/// Words that begin a line in which nothing happens.
const NO_ONE: [&str; 3] = ["nobody", "nothing", "noone"];

/// Words that don't describe an action.
const LITTLE: [&str; 16] = [
    "and", "to", "at", "on", "in", "into", "onto", "with", "from", "over", "up", "down", "off",
    "out", "by", "for",
];

/// The maximum number of other words in a line without a verb or numbers for which lines are still
/// proposed.
const MAX_UNKNOWN: usize = 2;

/// Returns the lines of this phase's verbs that come closest to a line without a verb: `ann to b2`,
/// `t34a 10 down the road`. The lines returned have all the numbers of the typed line, and at least
/// two of its words.
fn lines_with_verb(
    play: &Play,
    line: &str,
    words: &[String],
    budget: &NearestBudget,
) -> Vec<NearLine> {
    let number = |word: &str| -> Option<String> {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    };
    let said = likely_lines::words_with_whole_names(play, line);
    let numbers: Vec<String> = said.iter().filter_map(|word| number(word)).collect();
    // Without a number, a line with too many other words means something else.
    let others = words.iter().filter(|word| {
        let is_little = QUESTION_WORDS.contains(&word.as_str()) || LITTLE.contains(&word.as_str());
        !is_little && command::find_spoken(play.session.table(), word).is_none()
    });
    let says_more = numbers.is_empty() && others.count() > MAX_UNKNOWN;
    let has_all = |near: &str| {
        let parts: Vec<&str> = near.split([' ', ',']).collect();
        let has = |wanted: &String| parts.iter().any(|w| number(w).as_ref() == Some(wanted));
        !says_more && near.split(' ').count() > 2 && numbers.iter().all(has)
    };
    let mut lines = lines_of_phase(play, line, budget);
    // A word for another verb shows that this verb isn't meant.
    let is_other = |other: &str| {
        let verb = other.split(' ').next().unwrap_or_default();
        let pieces = play.session.table();
        let mut words = words.iter().filter(|word| command::find_spoken(pieces, word).is_none());
        words.any(|word| {
            !command::is_usage_word(play.referee(), word)
                && command::begins_other_verb(play.referee(), word, verb)
        })
    };
    lines.retain(|near| has_all(&near.line) && !is_other(&near.line));
    command::nearest_of(lines)
}

/// Returns the accepted lines that a question about chances may refer to: those with a verb of this
/// phase that the question contains, and with its pieces, values and numbers.
fn lines_asked_for(
    play: &Play,
    words: &[String],
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> Vec<String> {
    let rest: Vec<&str> =
        words.iter().map(|word| bare_name(word)).filter(|w| !CHANCES.contains(w)).collect();
    // Without a verb, it is unclear which of the lines the question is about.
    let is_asked = |verb: &str| {
        rest.iter().any(|word| {
            let stems = ["", "s", "es", "ed", "ing"].map(|ending| word.strip_suffix(ending));
            stems.into_iter().flatten().any(|stem| verb_of(play, stem) == Some(verb))
        })
    };
    let lines = lines_of_phase(play, &rest.join(" "), budget);
    let mut lines: Vec<String> = lines.into_iter().map(|near| near.line).collect();
    lines.retain(|near| near.split(' ').next().is_some_and(is_asked) && search.accepts(near));
    lines.truncate(MAX_PROPOSED);
    lines
}

/// Tries each verb of this phase with some words after it. Returns the lines that come close, in
/// order of the number of words that they leave out.
fn lines_of_phase(play: &Play, words: &str, budget: &NearestBudget) -> Vec<NearLine> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return Vec::new() };
    let mut found: Vec<NearLine> = Vec::new();
    for (verb, _) in &referee.ruleset().phases[phase].verbs {
        let line = format!("{verb} {words}");
        for near in command::nearest_lines(referee, table, &line, budget) {
            let is_known = found.iter().any(|other| other.line == near.line);
            if near.line.split(' ').next() == Some(verb.as_str()) && !is_known {
                found.push(near);
            }
        }
    }
    found.sort_by_key(|near| near.left_out);
    found
}
