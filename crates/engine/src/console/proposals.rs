//! Proposals for a line that can't be read: whole lines that would be accepted, or else the nearest
//! match.

mod hints;
mod phase_lines;
mod possible_lines;
mod steps;
mod topic_lines;
mod whole_lines;

use super::claims;
use super::closing;
use super::company;
use super::corrections;
use super::earlier_commands;
use super::ellipsis;
use super::everyone;
use super::game_statements;
use super::labelled_rolls;
use super::later_parts;
use super::left_out_words;
use super::likely_lines::{self, LikelyLines};
use super::lookups;
use super::losses;
use super::missing_names;
use super::missing_parts::{self, CompletedLine};
use super::notes;
use super::play::Play;
use super::progress_phrases;
use super::pronouns;
use super::question_words;
use super::questions::{
    CHANCES, MAX_PROPOSED, as_refused, asks_chances, can_do_nothing, lines_about, lines_of_side,
    names_of_pieces, reason_for_refusal, refusal_of, verb_of,
};
use super::reported_dice;
use super::reversals;
use super::rule_search;
use super::rulings;
use super::said_states;
use super::same_again;
use super::sentences;
use super::suggest::{self, LineSearch};
use super::untracked_moves;
use super::words::show;
use crate::command::{self, HintKind, LineError, NearLine, NearestBudget, Proposal, TypedLine};
use crate::language::schema::KindId;
use crate::names;
use crate::session::Entry;
pub(super) use hints::how_to_set;
use hints::{
    NEED_A_LINE, colon_after_word, help_about_verbs, help_with_distance, how_to_go_on,
    refused_instead, with_example_of_verb, with_help_for_question, word_with_comment,
};
use phase_lines::{accepted_lines, lines_asked_for, lines_with_verb};
use possible_lines::{
    with_lines_without_pieces, with_lines_without_word, with_possible_lines, with_refused_first,
    with_topics, with_topics_beside,
};

/// Returns an error with lines that would be accepted in place of a whole typed line or, if there are none,
/// with the best help for it. A statement about what was done before corrects that command, and one that the
/// game doesn't keep may become a note.
pub(super) fn for_typed_line(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    if let Some(note) = notes::asked_for(play, typed) {
        return error.clone().proposing(vec![note]);
    }
    if let Some(help) = closing::help(play, typed) {
        return help;
    }
    let found = with_proposals(play, error, typed);
    if question_words::is_question(typed) {
        return found;
    }
    if let Some(lines) = found.proposed_lines() {
        if !notes::contradicts(play, typed, lines) {
            return found;
        }
        let unclear = LineError::new(None, command::UNCLEAR).help(how_to_go_on(play));
        let unclear = LineError { is_unclear: true, ..unclear };
        return notes::for_statement(play, typed, &unclear).unwrap_or(unclear);
    }
    let corrected = earlier_commands::lines_for_statement(play, typed);
    if !corrected.is_empty() {
        return error.clone().proposing(corrected);
    }
    if let Some(untracked) = untracked_moves::error(play, typed) {
        return untracked;
    }
    let reversed = reversals::lines(play, typed);
    if !reversed.is_empty() {
        return error.clone().proposing(reversed);
    }
    if found.is_unclear && sentences::is_idle(play, typed.line) {
        return nothing_to_type(play, typed);
    }
    if let Some(spelled) = sentences::with_group_spelled_out(play, typed)
        && let Some(meant) = with_meaning(play, error, &spelled)
    {
        return meant;
    }
    let otherwise = company::line(play, typed).or_else(|| company::without_place(play, typed));
    if let Some(going) = otherwise
        && let Some(meant) = with_meaning_or_reason(play, error, &going)
    {
        return meant;
    }
    notes::for_statement(play, typed, &found).unwrap_or(found)
}

/// Returns an error with lines that would be accepted in place of the typed line or, if there are
/// none, with the best help for it, such as the nearest match. If a proposed line lacks words that mean
/// something, the error names them.
pub(super) fn with_proposals(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    let meant = with_proposals_of_any_kind(play, error, typed);
    let meaning = |line: &str| with_meaning(play, error, line);
    whole_lines::with_all_words(play, error, typed, meant, &meaning)
}

/// Returns an error with lines that would be accepted in place of the typed line or, if there are
/// none, with the best help for it. If nothing can be proposed for the whole line, its first part is
/// tried: the first piece of a list, or the first clause.
fn with_proposals_of_any_kind(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    if let Some(unit) = command::inches_error(play.referee(), play.session.table(), typed) {
        return unit;
    }
    let is_question = question_words::is_question(typed);
    if !is_question {
        let completed = missing_parts::completed(play, typed);
        let lines = match &completed {
            Some(CompletedLine::Lines(lines)) => lines.clone(),
            _ => missing_parts::lines_instead(play, typed),
        };
        if !lines.is_empty() {
            return error.clone().proposing(lines);
        }
        if let Some(CompletedLine::Refused(reason)) = completed {
            return refused_instead(error.clone(), reason);
        }
    }
    // `do that again with cover` is no question.
    let again = corrections::again_with_change(play, typed);
    if !again.is_empty() {
        return error.clone().proposing(again);
    }
    let is_finished = !is_question && sentences::says_finished(typed);
    if is_finished
        && progress_phrases::lines(play, typed).is_none()
        && sentences::is_idle(play, typed.line)
    {
        return nothing_to_type(play, typed);
    }
    if !is_question {
        let mut corrected = earlier_commands::lines_for_wrong_value(play, typed);
        // `ann only went 6 earlier` is no command, even if she could go again.
        if corrected.is_empty() && earlier_commands::says_what_was_less(typed) {
            corrected = earlier_commands::lines_for_statement(play, typed);
        }
        if !corrected.is_empty() {
            return error.clone().proposing(corrected);
        }
        if let Some(line) = claims::taken_off(play, typed) {
            return error.clone().proposing(vec![line]);
        }
        if let Some(line) = losses::of_part(play, typed)
            && let Ok(lost) = TypedLine::read(&line)
            && let Some(stated) = with_said_state(play, error, &lost)
        {
            return stated;
        }
        let of_state = game_statements::value_stated(play, &question_words::question_words(typed));
        if !of_state.is_empty() {
            return with_lines_of_game(error, &of_state);
        }
        if corrections::asks_other_dice(play, typed) {
            return dice_stand(play);
        }
        if let Some(help) = corrections::help_with_forgotten(play, typed) {
            let forgotten = LineError::new(None, "a forgotten command goes in before the last one");
            return LineError { wants_sample: false, ..forgotten }.help(help);
        }
        if rulings::has_entered_state(play, typed)
            && let Some(line) = rulings::stated(play, typed)
        {
            return with_stated_line(play, error.clone(), typed, line);
        }
    }
    // `ann's hurt so next`
    let at_end = if is_question { None } else { progress_phrases::split_at_end(play, typed) };
    if let Some((first, rest)) = &at_end
        && let Some(stated) =
            TypedLine::read(first).ok().and_then(|first| with_said_state(play, error, &first))
    {
        // What is so already needs no command.
        return match stated.proposed_lines() {
            Some(lines) => {
                error.clone().proposing_part(lines.to_vec(), Some(rest.clone()), Vec::new())
            }
            None => with_meaning(play, error, rest).unwrap_or(stated),
        };
    }
    if !is_question && let Some(stated) = with_said_state(play, error, typed) {
        return stated;
    }
    if !is_question
        && let Some(line) = sentences::with_groups_in_list(play, typed)
            .or_else(|| sentences::without_word_for_list(play, typed))
            .or_else(|| sentences::without_too(play, typed))
        && let Some(meant) = with_meaning_or_reason(play, error, &line)
    {
        return meant;
    }
    if !is_question
        && let Some((before, purpose)) = sentences::before_purpose(typed)
        && let Some(meant) = with_meaning_or_reason(play, error, before)
    {
        let part = meant.partial_proposal().cloned().unwrap_or_default();
        return match meant.proposed_lines().map(<[String]>::to_vec) {
            Some(lines) => {
                let without = [part.without, vec![purpose.to_owned()]].concat();
                error.clone().proposing_part(lines, part.rest, without).with_options(part.options)
            }
            None => meant,
        };
    }
    if !is_question
        && let Some(line) = pronouns::with_object_of_verb(play, typed)
        && let Some(meant) = with_meaning_or_reason(play, error, &line)
    {
        return meant;
    }
    if let Some(missing) = missing_names::error(play, error, typed) {
        return missing;
    }
    let table = play.session.table();
    if let Some((first, rest)) = &at_end
        && let Some(partly) = with_first_part(play, error, first, rest)
    {
        return partly;
    }
    // A semicolon ends a command.
    if !is_question
        && let Some((first, rest)) = typed.line.split_once(';')
        && let Some(partly) = with_first_part(play, error, first.trim(), rest.trim())
    {
        return partly;
    }
    if !is_question
        && sentences::passes_piece(play, typed)
        && let Some(moved) = with_movement_without_goal(play, error, typed)
    {
        return moved;
    }
    let said = (!is_question)
        .then(|| command::in_words_of_rules(play.referee(), table, typed.line))
        .flatten();
    let is_ruling = || rulings::overrules(&question_words::question_words(typed));
    if !is_ruling()
        && let Some(meant) = said.as_ref().and_then(|said| with_meaning(play, error, said))
    {
        return meant;
    }
    let meant = with_proposals_for_whole(play, error.clone(), typed);
    // The reason why a line would be refused says more than a list of other lines.
    let is_list = matches!(meant.proposal.as_deref(), Some(Proposal::Possible(_)));
    let begins_with_piece = |line: &str| {
        let first = line.split(' ').next().unwrap_or_default();
        command::find_spoken(table, first).is_some()
    };
    // In `fire at ann with bob`, only the other form names the piece that acts first.
    let has_actor = |form: &String| begins_with_piece(form) && !begins_with_piece(typed.line);
    let is_open = meant.proposed_lines().is_none();
    // Without a part of a piece, such as one of two weapons, a line means something else.
    let lacks_piece = |form: &String| {
        let mut parts = form.split([' ', ',']).filter(|part| table.find(part).is_some());
        let lines = meant.proposed_lines().unwrap_or_default();
        !is_open
            && meant.rest_of_line().is_none()
            && parts.any(|part| !lines.iter().any(|line| left_out_words::has_word(line, part)))
    };
    let said = said.filter(|said| is_list || is_open && has_actor(said) || lacks_piece(said));
    if let Some(reason) = said.and_then(|said| reason_for_part(play, &said)) {
        return refused_instead(error.clone(), reason);
    }
    if meant.proposed_lines().is_some() || is_question || corrections::takes_back(typed) {
        let in_order = with_first_act(play, error, typed, &meant)
            .or_else(|| with_later_act(play, error, typed, &meant));
        return later_parts::with_later_part(play, in_order.unwrap_or(meant));
    }
    if let Some(moved) = with_movement_without_goal(play, error, typed) {
        return moved;
    }
    let first_part = sentences::before_others(play, typed)
        .or_else(|| sentences::for_first_of_list(play, typed))
        .or_else(|| sentences::first_clause(play, typed))
        .or_else(|| sentences::first_act(play, typed));
    let Some((first, rest)) = first_part else { return meant };
    // In `fire ann at bob, then duck`, the last word is no option of the shot.
    let is_command = rest.split(' ').next().is_some_and(|word| verb_of(play, word) == Some(word));
    if let Some(partly) = with_first_part(play, error, &first, &rest) {
        if is_command {
            return later_parts::with_later_command(play, partly);
        }
        return later_parts::with_later_part(play, partly);
    }
    match reason_for_part(play, &first).filter(|_| is_list) {
        Some(reason) => refused_instead(error.clone(), format!("{reason}; not done: `{rest}`")),
        None => meant,
    }
}

/// Returns the error with the lines for a movement, without the words for its goal or its way: `move ann 9`
/// for `ann 9 inches towards the shop`. Returns `None` if the line states no movement with a distance.
fn with_movement_without_goal(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
) -> Option<LineError> {
    let (before, goal) = sentences::before_goal(typed)?;
    let meant = with_meaning(play, error, &before)?;
    let lines = meant.proposed_lines()?.to_vec();
    let table = play.session.table();
    let moves = |line: &String| {
        let mut words = line.split(' ');
        let verb = words.next();
        let piece = words.next().unwrap_or_default();
        let moving = command::moving_verbs(play.referee(), table, &format!("{piece} to {goal}"));
        moving.iter().any(|one| Some(one.as_str()) == verb)
    };
    if !lines.iter().all(moves) {
        return None;
    }
    let mut part = meant.partial_proposal().cloned().unwrap_or_default();
    part.without.push(goal);
    let moved = error.clone().proposing_part(lines, part.rest, part.without);
    Some(moved.with_options(part.options))
}

/// Returns the reason why the line that a part of the typed line means would be refused; `None` if it
/// could mean several lines that would be refused for different reasons, or if it wouldn't be refused.
fn reason_for_part(play: &Play, part: &str) -> Option<String> {
    let budget = NearestBudget::new();
    let mut near = command::nearest_lines(play.referee(), play.session.table(), part, &budget);
    if near.is_empty() {
        let words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
        near = lines_with_verb(play, part, &words, &budget);
    }
    // A line with other pieces, or with another verb, isn't meant. A squad stands for its men.
    let table = play.session.table();
    let verbs = command::verbs_in(play.referee(), table, part);
    let mut named = names_of_pieces(play, &[part.to_owned()]);
    named.extend(command::groups_in(play.referee(), table, part));
    near.retain(|one| {
        let words: Vec<&str> = one.line.split([' ', ',']).collect();
        let is_squad = matches!(named.as_slice(), [only] if !words.contains(&only.as_str()));
        let mut pieces = words.iter().filter(|word| table.find(word).is_some());
        let are_named = pieces.all(|piece| named.iter().any(|name| name == piece));
        (are_named || is_squad) && verbs.first().is_none_or(|first| words[0] == first)
    });
    let (first, others) = near.split_first()?;
    let reason = reason_for_refusal(play, &first.line)?;
    // Different lines may be refused for the same reason.
    let is_same =
        others.iter().all(|other| reason_for_refusal(play, &other.line).as_ref() == Some(&reason));
    is_same.then(|| as_refused(&first.line, &reason))
}

/// Returns the error with the lines for the first clause of a line, if the lines that were found for
/// the whole of it only have the verb of a later clause: in `ann goes 4 and fights bob`, the movement
/// comes first. Returns `None` otherwise.
fn with_first_act(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    meant: &LineError,
) -> Option<LineError> {
    let lines = meant.proposed_lines()?;
    let (first, rest) =
        sentences::first_act(play, typed).or_else(|| sentences::first_clause(play, typed))?;
    let table = play.session.table();
    let verbs = |text: &str| command::verbs_in(play.referee(), table, text);
    let has_verb = |text: &str, line: &String| {
        verbs(text).iter().any(|verb| line.split(' ').next() == Some(verb))
    };
    let is_later = |line: &String| !has_verb(&first, line) && has_verb(&rest, line);
    if verbs(&first).is_empty() || !lines.iter().all(is_later) {
        return None;
    }
    with_first_part(play, error, &first, &rest)
}

/// Returns the error with the same lines and a later clause as the rest, if the lines have neither the
/// verb of the clause nor any of its words: in `wake bob, load bob`, both are meant. Returns `None`
/// otherwise.
fn with_later_act(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    meant: &LineError,
) -> Option<LineError> {
    let lines = match meant.proposal.as_deref()? {
        Proposal::Lines(lines) => lines,
        Proposal::Part(part) if part.rest.is_none() => &part.lines,
        _ => return None,
    };
    let (first, rest) = sentences::first_act(play, typed)?;
    let table = play.session.table();
    let verbs = |text: &str| command::verbs_in(play.referee(), table, text);
    let later = TypedLine::read(&rest).ok()?;
    let verb = verbs(&later.tokens.first()?.text);
    if command::says_rolled(&later) {
        return None;
    }
    let has_verb = |line: &String| verb.iter().any(|verb| line.split(' ').next() == Some(verb));
    // In `ann goes 4, then takes cover`, the line may have the words of the clause as a flag.
    let words = question_words::question_words(&later);
    let has_words = |line: &String| {
        let parts = line.split([' ', ',', '-']).skip(1).map(str::to_lowercase);
        let parts: Vec<String> = parts.collect();
        let is_said = |word: &String| {
            table.find(word).is_none() && word.parse::<f64>().is_err() && parts.contains(word)
        };
        words.iter().any(is_said)
    };
    let is_dropped = |line: &String| !has_verb(line) && !has_words(line);
    let mut without = meant.words_left_out().to_vec();
    without.retain(|word| !words.contains(word));
    let rest = with_acting_piece(play, lines.first()?, &rest);
    (!verb.is_empty() && !verbs(&first).is_empty() && lines.iter().all(is_dropped))
        .then(|| error.clone().proposing_part(lines.clone(), Some(rest), without))
}

/// Returns the rest of a line with the pieces that act in the line for its first part in front of it, if
/// the rest begins with a verb or a step and names no piece: in `fire ann at bob, then duck`, `ann` ducks.
fn with_acting_piece(play: &Play, line: &str, rest: &str) -> String {
    let table = play.session.table();
    let is_verb =
        |word: &str| command::base_forms(word).iter().any(|form| verb_of(play, form).is_some());
    let begins_with_verb = command::verb_at(play.referee(), table, rest) == Some(0)
        || rest.split(' ').next().is_some_and(is_verb)
        || steps::begins_with_step(rest);
    let is_act = begins_with_verb && names_of_pieces(play, &[rest.to_owned()]).is_empty();
    let acting = line.split(' ').nth(1).filter(|_| is_act);
    match acting.filter(|acting| acting.split(',').all(|name| table.find(name).is_some())) {
        Some(acting) => format!("{acting} {rest}"),
        None => rest.to_owned(),
    }
}

/// Returns the error with the lines that the first part of a line means, and with the rest of the
/// line. Returns `None` if the first part means nothing.
fn with_first_part(play: &Play, error: &LineError, first: &str, rest: &str) -> Option<LineError> {
    let meant = with_meaning(play, error, first)?;
    let lines = meant.proposed_lines()?.to_vec();
    // In `ann's gun and bob's gun at carl`, nobody is to be shown.
    if lines.first().is_some_and(|line| line.starts_with("show ")) {
        return None;
    }
    let of_first = meant.partial_proposal().cloned().unwrap_or_default();
    let own_rest = of_first.rest;
    let mut without = of_first.without;
    // The rest for the other pieces of a list has all that follows the list, also a detail that the
    // first line lacks.
    let is_detail = |own: &String| {
        rest.ends_with(own.as_str())
            && names_of_pieces(play, std::slice::from_ref(own)).is_empty()
            && command::verbs_in(play.referee(), play.session.table(), own).is_empty()
    };
    let detail = own_rest.clone().filter(is_detail).filter(|own| !without.contains(own));
    without.extend(detail);
    let own_rest = own_rest.filter(|own| !rest.ends_with(own.as_str()));
    let whole = lines.first().map(|line| with_acting_piece(play, line, rest));
    let rest = whole.as_deref().unwrap_or(rest);
    let rest = own_rest.map_or(rest.to_owned(), |own| format!("{own}, {rest}"));
    Some(error.clone().proposing_part(lines, Some(rest), without).with_options(of_first.options))
}

/// Returns the lines that roll dice for words that only name an acting piece, its target and details:
/// `ann bob at 9`, from a question about her chances on bob.
fn lines_against_target(
    play: &Play,
    error: &LineError,
    words: &[String],
    search: &LineSearch<'_>,
) -> Vec<String> {
    let bare: Vec<&str> = words.iter().map(|word| question_words::bare_name(word)).collect();
    let is_piece = |word: &&str| command::find_spoken(play.session.table(), word).is_some();
    let [actor, target, details @ ..] = bare.as_slice() else { return Vec::new() };
    if !is_piece(actor) || !is_piece(target) {
        return Vec::new();
    }
    let details: Vec<&str> = details.iter().copied().filter(|word| *word != "at").collect();
    let said = format!("{actor} at {target} {}", details.join(" "));
    let meant = with_meaning(play, error, said.trim());
    let lines = meant.and_then(|meant| meant.proposed_lines().map(<[String]>::to_vec));
    lines.unwrap_or_default().into_iter().filter(|line| search.throws(line)).collect()
}

/// Returns an error with lines that would be accepted in place of the whole typed line, or with the
/// best help for it.
fn with_proposals_for_whole(play: &Play, error: LineError, typed: &TypedLine<'_>) -> LineError {
    let is_question = question_words::is_question(typed);
    let needs_line = matches!(error.proposal.as_deref(), Some(Proposal::Name(name))
        if NEED_A_LINE.contains(&name.as_str()) && typed.tokens.len() > 1);
    let error = if needs_line {
        LineError { proposal: None, help: None, hint_kind: HintKind::Overview, ..error }
    } else {
        error
    };
    // `draw draw` was typed twice in a hurry.
    if let [first, others @ ..] = typed.tokens.as_slice()
        && !others.is_empty()
        && others.iter().all(|word| word.text.eq_ignore_ascii_case(&first.text))
        && let Some(error) = with_meaning(play, &error, &first.text)
    {
        return error;
    }
    if sentences::leaves_somebody_alone(play, typed) {
        return nothing_to_type(play, typed);
    }
    // A word that is nearly a name is more likely to mean that name.
    let is_name = typed.tokens.len() == 1 && error.hint_kind == HintKind::NearName;
    if let Some((lines, rest)) = progress_phrases::lines(play, typed)
        .filter(|_| !is_question && !is_name)
        .filter(|_| error.choices.is_empty() || typed.verb().eq_ignore_ascii_case("next"))
    {
        return error.proposing_part(lines, rest, Vec::new());
    }
    if !is_question && let Some((line, rest)) = sentences::command_beside_remark(play, typed) {
        // In `undo that, the range was 5`, the command isn't dropped but corrected.
        if line == "undo"
            && let Some(lines) = rest.as_deref().and_then(|rest| corrections::of_last(play, rest))
        {
            return error.proposing([lines, vec![line]].concat());
        }
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
    if corrections::limits_nothing(typed) {
        return unclear_correction(play);
    }
    let undoing = if is_question { Vec::new() } else { corrections::lines_to_undo(play, typed) };
    if !undoing.is_empty() {
        return error.proposing(undoing);
    }
    if let Some(line) = corrections::line_without_command(play, typed) {
        return error.proposing(vec![line]);
    }
    if !is_question && let Some(line) = rulings::overruled(play, typed) {
        return error.proposing(vec![line]);
    }
    if !is_question && let Some(ruling) = rulings::longer_ruling(play, typed) {
        return error.proposing_part(vec![ruling.line], ruling.rest, Vec::from_iter(ruling.remark));
    }
    let spoken = question_words::question_words(typed);
    if spoken.first().is_some_and(|first| TURNS_OFF.contains(&first.as_str()))
        && let Some(line) = game_statements::option_turned(play, &spoken)
    {
        return error.proposing(vec![line]);
    }
    if let Some(line) = game_statements::value_set(play, typed) {
        return error.proposing(vec![line]);
    }
    if let Some(help) = claims::help_with_value_of_game(play, typed) {
        return LineError { wants_sample: false, ..error }.help(help);
    }
    if let Some(line) = corrections::refused_but_allowed(play, typed) {
        return error.proposing(vec![line]);
    }
    if let Some(lines) = corrections::number_for_refused(play, typed) {
        return error.proposing(lines);
    }
    if !is_question && let Some(line) = labelled_rolls::line(play, typed) {
        return error.proposing(vec![line]);
    }
    if !is_question && let Some(error) = with_repetition(play, &error, typed) {
        return error;
    }
    if !is_question && let Some(line) = corrections::with_some_parts(play, typed) {
        return error.proposing(vec![line]);
    }
    if !is_question && let Some(last) = ellipsis::last_command(play, typed) {
        return match last {
            ellipsis::LastCommand::Lines(lines) => error.proposing(lines),
            ellipsis::LastCommand::Refused(line, reason) => {
                refused_instead(error, as_refused(&line, &reason))
            }
        };
    }
    if !is_question && let Some(error) = with_everyone(play, &error, typed) {
        return error;
    }
    if !is_question && let Some(error) = with_text(play, &error, typed) {
        return error;
    }
    if spoken.first().is_some_and(|first| lookups::EXPLAINS.contains(&first.as_str()))
        && let Some(answer) = rule_search::error_with_quote(play, &error, &spoken[1..])
    {
        return answer;
    }
    if rule_search::asks_for_table(&spoken)
        && error.proposal.is_none()
        && error.choices.is_empty()
        && let Some(see) = rule_search::tables(play, &spoken)
    {
        return LineError { wants_sample: false, proposal: None, ..error }.help(see);
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
        // Other words of the line may need help, too. Each time, one word fewer means no piece.
        if command::find_spoken(table, name).is_some()
            && command::find_spoken(table, wrong).is_none()
            && let Some(meant) = with_meaning(play, &error, &line)
        {
            return meant;
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
        if lines.is_empty() {
            let says_more = |word: &&String| {
                !CHANCES.contains(&word.as_str()) && !ASKS_CHANCES.contains(&word.as_str())
            };
            let rest: Vec<String> = words.iter().filter(says_more).cloned().collect();
            let near = lines_with_verb(play, &rest.join(" "), &rest, &budget);
            lines = accepted_lines(&near, &search);
            if lines.is_empty() {
                lines = lines_against_target(play, &error, &rest, &search);
            }
        }
        if !lines.is_empty() {
            let asks = |word: &String| {
                CHANCES.contains(&word.as_str()) || ASKS_CHANCES.contains(&word.as_str())
            };
            let mut without = likely_lines::unknown_words(play, typed.line);
            without.retain(|word| !asks(word));
            let lines = lines.into_iter().map(|line| format!("odds {line}")).collect();
            return error.proposing_part(lines, None, without);
        }
        let names_all =
            |line: &String| names_of_pieces(play, &words).iter().all(|name| line.contains(name));
        let mut examples = lines_about(play, &words).into_iter();
        if let Some(example) = examples.find(|line| names_all(line) && search.throws(line)) {
            let help = format!("`odds LINE` shows the chances of a line: `odds {example}`");
            return LineError { wants_sample: false, ..error }.help(help);
        }
        let help = match likely_lines::find(play, typed.line, &words) {
            Some(
                LikelyLines::Example(help) | LikelyLines::Usage(help) | LikelyLines::Refused(help),
            ) => Some(help),
            Some(LikelyLines::RefusedLine(line)) => refusal_of(play, &line),
            Some(LikelyLines::Meant(_)) | None => None,
        };
        // Without a piece, a question such as `what is needed to hit` is about the rules.
        if names_of_pieces(play, &words).is_empty()
            && let Some(answer) = rule_search::quote(play, &error, &words)
        {
            return answer;
        }
        if let Some(help) = help {
            return LineError { wants_sample: false, ..error }
                .help(format!("`odds LINE` shows the chances of a line; {help}"));
        }
    }
    // `c2 is in cover` states something, although `cover` is a verb.
    if !is_question
        && rulings::states_only(play, typed)
        && let Some(line) = rulings::stated(play, typed)
    {
        return with_stated_line(play, error, typed, line);
    }
    if let Some(line) = same_again::with_last_values(play, typed)
        && let Some(error) = with_meaning(play, &error, &line)
    {
        return error;
    }
    if !is_question
        && let Some(line) = pronouns::replaced(play, typed)
        && let Some(error) = with_meaning_or_reason(play, &error, &line)
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
            && let Some(refused) = with_refused_line(play, &error, typed, &near.line)
        {
            return refused;
        }
    }
    if !is_question
        && let Some(error) = with_described_pieces(play, &error, typed, &budget, &search)
    {
        return error;
    }
    if command::says_rolled(typed) && !is_question {
        return reported_dice::with_help(play, &error, typed);
    }
    if is_question {
        return with_help_for_question(play, error, typed, &words);
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
        let whole = SaidPart { said: typed.line, ..SaidPart::default() };
        return with_meant_lines(play, error, whole, lines);
    }
    if !is_question && let Some(meant) = with_last_actors(play, &error, typed) {
        return meant;
    }
    if let [first, second, ..] = words.as_slice()
        && ["roll", "dice", "throw"].contains(&first.as_str())
        && second == "for"
    {
        let about = rule_search::mention(play, words.get(2..).unwrap_or_default());
        let about = about.map_or(String::new(), |see| format!("{see}\n"));
        let help = format!(
            "{about}`next` rolls the dice of an automatic phase, and `roll 2d6` any others"
        );
        let unclear = LineError::new(None, "it isn't clear which dice");
        return LineError { wants_sample: false, ..unclear }.help(help);
    }
    if words.first().is_some_and(|first| EXPLAINS.contains(&first.as_str()))
        && error.proposal.is_none()
    {
        let subject = words.get(1..).unwrap_or_default();
        // In `rule fire 2`, the number isn't a part of any name.
        let named: Vec<String> =
            subject.iter().filter(|word| word.parse::<i64>().is_err()).cloned().collect();
        if let Some(answer) = rule_search::error_with_quote(play, &error, &named) {
            return answer;
        }
        if words[0] == "rule" && subject.len() > 1 {
            let help = "no rule has these words in its title or text; `rule` lists the rules";
            return LineError { wants_sample: false, ..error }.help(help);
        }
    }
    if begins_with_console_word(play, typed) {
        let error = LineError {
            message: command::UNCLEAR.to_owned(),
            span: None,
            is_unclear: true,
            hint_kind: HintKind::Overview,
            ..error
        };
        return with_help_without_verb(play, error, typed, &words, &budget, &search);
    }
    let with_example = with_example_of_verb(play, error.clone(), typed);
    let begins_with_verb = play.referee().ruleset().has_verb(typed.verb());
    let names = names_of_pieces(play, &words);
    // In `raise the cart's ladder`, no ladder has the name of the cart.
    let is_mended = || {
        let table = play.session.table();
        let wrong = error.span.and_then(|(start, end)| typed.line.get(start..end))?;
        let names_owner = !command::names_in(play.referee(), table, wrong).is_empty();
        let mended = command::mended_line(play.referee(), table, typed.line);
        mended.filter(|_| names_owner && table.find(wrong).is_none())
    };
    let is_about_names = match error.hint_kind {
        HintKind::Listing => !begins_with_verb || is_mended().is_some(),
        _ => {
            // An example without some of the pieces doesn't show how to write the line.
            let help = with_example.help.as_deref().unwrap_or_default();
            matches!(error.proposal.as_deref(), Some(Proposal::Verb(_)))
                && !names.is_empty()
                && !names.iter().all(|name| help.contains(name))
        }
    };
    let listed = is_about_names.then(|| with_possible_lines(play, &error, typed, &words)).flatten();
    listed.unwrap_or(with_example)
}

/// Words that begin a line which turns an option on or off.
const TURNS_OFF: [&str; 4] = ["no", "without", "turn", "switch"];

/// The words of the console that explain rules and verbs.
const EXPLAINS: [&str; 2] = ["rule", "help"];

/// The minimum number of words in a line about the game that begins with a word of the console.
const MIN_LINE: usize = 3;

/// Returns true if a line begins with a word of the console, but has a verb or a piece of the game in
/// it: `more hose on h1`.
fn begins_with_console_word(play: &Play, typed: &TypedLine<'_>) -> bool {
    let first = typed.verb().to_lowercase();
    // A word that takes others has its own help.
    let is_console_word = play.words.iter().any(|word| word.is(&first) && word.most == 0)
        && !play.referee().ruleset().has_verb(&first);
    let rest = command::typed_text(typed.line, typed.words_after_first());
    is_console_word
        && typed.tokens.len() >= MIN_LINE
        && (!command::verbs_in(play.referee(), play.session.table(), &rest).is_empty()
            || !names_of_pieces(play, &[rest]).is_empty())
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
    // Nobody types a common word by mistake for a command that something else in the line fits.
    let is_meant = same_again::asks_same(&first.text)
        || command::is_common_word(&first.text)
            && !names_of_pieces(play, &[typed.line.to_owned()]).is_empty();
    if is_nearest && !is_meant {
        return error;
    }
    LineError { proposal: None, help: None, hint_kind: HintKind::Overview, ..error }
}

/// The maximum number of lines that are proposed for a description.
const MAX_DESCRIBED: usize = 4;

/// Returns the error with the accepted lines that name pieces instead of describing them, as in `the
/// hmg gunner fires at a1`. If the rules refuse all of them, returns the reason for the first. Returns
/// `None` if the line describes no pieces, or if too many lines would be accepted.
fn with_described_pieces(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    budget: &NearestBudget,
    search: &LineSearch<'_>,
) -> Option<LineError> {
    let table = play.session.table();
    let lines = command::lines_with_described_pieces(play.referee(), table, typed.line);
    let mut accepted: Vec<String> = Vec::new();
    let mut refused = None;
    for line in &lines {
        let meant = match command::parse(play.referee(), table, line) {
            Ok(Some(command)) => command.restated.unwrap_or_else(|| line.clone()),
            // For many pieces, the search would take too long.
            _ if lines.len() > MAX_DESCRIBED => continue,
            _ => {
                let near = command::nearest_lines(play.referee(), table, line, budget);
                match near.into_iter().find(|near| near.left_out == 0) {
                    Some(near) if near.rest.is_none() => near.line,
                    _ => continue,
                }
            }
        };
        if search.accepts(&meant) {
            accepted.push(meant);
        } else {
            refused = refused.or_else(|| refusal_of(play, &meant));
        }
    }
    accepted.dedup();
    match accepted.len() {
        0 => refused.map(|why| refused_instead(error.clone(), why)),
        1..=MAX_DESCRIBED => Some(error.clone().proposing(accepted)),
        _ => None,
    }
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
    let part = first.map_or(SaidPart { said: line, ..SaidPart::default() }, |found| SaidPart {
        said: &found.part,
        rest: found.rest.clone(),
        dropped: found.dropped.clone(),
    });
    with_meant_lines(play, error, part, accepted)
}

/// The part of a typed line that proposed lines restate.
#[derive(Default)]
struct SaidPart<'l> {
    /// The part, as typed.
    said: &'l str,
    /// The rest of the line.
    rest: Option<String>,
    /// The names of the pieces in the part that the proposed lines leave out.
    dropped: Vec<String>,
}

/// Returns the error with accepted lines that a part of a typed line means. Words of their own verb
/// that they leave out are put back. If that isn't possible, no lines are proposed, because they may
/// mean something else; other words that they leave out are only named.
fn with_meant_lines(
    play: &Play,
    error: LineError,
    part: SaidPart<'_>,
    mut accepted: Vec<String>,
) -> LineError {
    let SaidPart { said, rest, dropped } = part;
    if let Some(listed) = with_lines_without_pieces(play, &error, said, &accepted, &dropped) {
        return listed;
    }
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    let mut used: Vec<String> = Vec::new();
    for line in &mut accepted {
        match left_out_words::put_back(play, line, said, &search) {
            Ok(done) => {
                *line = done.line;
                used.extend(done.stated);
            }
            Err(refusal) => return refused_instead(error, refusal.0),
        }
    }
    if let [line] = accepted.as_slice()
        && let Some(other) = command::with_separate_values(play.referee(), said, line)
        && search.accepts(&other)
    {
        accepted.push(other);
    }
    let mut miscounted = Vec::new();
    for line in &mut accepted {
        let (shorter, counts) = left_out_words::without_other_counts(play, said, line, &search);
        *line = shorter;
        for count in counts {
            if !miscounted.contains(&count) {
                miscounted.push(count);
            }
        }
    }
    if let Some(line) = accepted.first()
        && let Some(count) = left_out_words::count_in_line(said, line)
    {
        let verb = line.split(' ').next().unwrap_or_default();
        let taken = LineError::new(None, format!("`{count}` isn't a number that `{verb}` takes"));
        let taken = LineError { wants_sample: false, ..taken };
        return taken.help(format!("`help {verb}` shows how to write it"));
    }
    let in_line = |word: &String| {
        used.contains(word) || accepted.iter().any(|one| left_out_words::has_word(one, word))
    };
    let mut unknown = [dropped, likely_lines::unknown_words(play, said)].concat();
    unknown.retain(|word| !in_line(word));
    let is_counted =
        |word: &String| miscounted.iter().any(|count| left_out_words::has_word(count, word));
    unknown.retain(|word| !is_counted(word));
    unknown.splice(..0, miscounted.iter().cloned());
    // The text after a colon would be lost without a word.
    if let [meant, ..] = accepted.as_slice()
        && let Some(text) = text_without_use(play, said, meant)
    {
        unknown.retain(|word| !left_out_words::has_word(&text, word));
        unknown.push(text);
    }
    let mut options = Vec::new();
    if let Some(meant) = accepted.first() {
        let mut left_out = left_out_words::known_words_left_out(play, said, meant);
        left_out.retain(|word| !in_line(word));
        if let Some(error) = left_out_words::without_place(play, &error, meant, &left_out) {
            return error;
        }
        // A line for one piece isn't what was meant by `both`.
        let quantity = left_out_words::quantity_in(&left_out).filter(|_| !meant.contains(','));
        if let Some(listed) =
            quantity.and_then(|word| with_lines_without_word(play, &error, said, &accepted, word))
        {
            return listed;
        }
        for word in left_out.into_iter().filter(|word| !is_counted(word)) {
            if !unknown.contains(&word) {
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
    let first = accepted.first();
    let rest =
        rest.map(|rest| first.map_or(rest.clone(), |line| with_acting_piece(play, line, &rest)));
    error.proposing_part(accepted, rest, unknown).with_options(options)
}

/// Returns the text after a colon in a part of a typed line, if the line that was found has none of its
/// words and it names no piece and no action. Returns `None` otherwise.
fn text_without_use(play: &Play, part: &str, line: &str) -> Option<String> {
    let text = part.split_once(": ").map(|(_, text)| text.trim().trim_end_matches(['.', '!']))?;
    let is_used = text.split(' ').any(|word| left_out_words::has_word(line, word));
    let acts = || !command::verbs_in(play.referee(), play.session.table(), text).is_empty();
    let is_lost = !is_used && names_of_pieces(play, &[text.to_owned()]).is_empty() && !acts();
    is_lost.then(|| text.to_owned())
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
    let inner = match command::parse(play.referee(), table, &mended) {
        Ok(Some(command)) => {
            let line = command.restated.unwrap_or(mended);
            return search.accepts(&line).then(|| error.clone().proposing(vec![line]));
        }
        Ok(None) => None,
        Err(inner) => Some(inner),
    };
    let corrected = TypedLine::read(&mended).ok()?;
    let meant = with_proposals(play, error, &corrected);
    if meant.proposed_lines().is_some() {
        return Some(meant);
    }
    // The corrected line may have several meanings.
    let choices = inner.map(|inner| inner.lines_with_choices(&mended)).unwrap_or_default();
    if choices.len() > 1 {
        return Some(error.clone().proposing(choices));
    }
    let near = command::nearest_lines(play.referee(), table, &mended, &NearestBudget::new());
    let near = near.first().filter(|near| near.is_likely())?;
    with_refused_line(play, error, typed, &near.line)
}

/// Returns the error with the reason why the line that a typed line means would be refused. If the line
/// leaves out pieces or words of the typed line, it may mean something else, so it is only one of the
/// lines listed. Returns `None` if the line wouldn't be refused.
fn with_refused_line(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    line: &str,
) -> Option<LineError> {
    let reason = reason_for_refusal(play, line)?;
    if !keeps_the_acting_piece(play, typed, line) {
        return None;
    }
    // In `ann to the tower!`, the umpire may insist.
    let insisting = format!("{line} !");
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    if typed.line.trim_end().ends_with('!') && search.accepts(&insisting) {
        return Some(error.clone().proposing(vec![insisting]));
    }
    // The words that it lacks may be refused, too.
    let completed = left_out_words::put_back(play, line, typed.line, &search);
    let completed = completed.err().map(|refusal| refusal.0);
    let words = question_words::question_words(typed);
    let names = names_of_pieces(play, &words);
    let parts: Vec<&str> = line.split([' ', ',']).collect();
    let is_whole = likely_lines::unknown_words(play, typed.line).is_empty()
        && names.iter().all(|name| parts.contains(&name.as_str()));
    let listed = || {
        let unclear = possible_lines::as_unclear(play, error, typed);
        with_refused_first(play, &unclear, typed, line, &reason)
    };
    let listed = if is_whole { None } else { listed() };
    let refused = completed.unwrap_or_else(|| as_refused(line, &reason));
    Some(listed.unwrap_or_else(|| refused_instead(error.clone(), refused)))
}

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
    // Where two sides meet, the piece in front of the verb acts.
    let side = |(kind, row): (KindId, u32)| play.referee().side_of_piece(table, kind, row);
    let first = before.first().and_then(|name| table.find(name)).and_then(side);
    if first.is_some()
        && acting.iter().any(|piece| side(*piece).is_some_and(|own| Some(own) != first))
    {
        return false;
    }
    let actor_kind = before.first().and_then(|name| table.find(name)).map(|(kind, _)| kind);
    // A target of another kind can't be mistaken for the acting piece.
    let mut acting = acting.into_iter().filter(|(kind, _)| Some(*kind) == actor_kind);
    let is_target = |name: &String| after.contains(name) && !before.contains(name);
    !acting.any(|(kind, row)| is_target(&table.piece_name(kind, row)))
}

/// Returns false if a line turns a typed line without a verb round, so that the second piece of `ann at
/// bob` acts on the first.
fn first_piece_acts(play: &Play, typed: &TypedLine<'_>, line: &str) -> bool {
    let table = play.session.table();
    let piece = |word: &command::Token| {
        let name = command::find_spoken(table, &word.bare())?;
        table.find(&name).map(|(kind, _)| (name, kind))
    };
    let Some((first, kind)) = typed.tokens.first().and_then(piece) else { return true };
    let mut pairs = typed.tokens.windows(2);
    let target = pairs.find_map(|pair| {
        let is_before = same_again::BEFORE_TARGETS.contains(&pair[0].bare().as_str());
        piece(&pair[1]).filter(|(_, of)| is_before && *of == kind)
    });
    let Some((target, _)) = target.filter(|(name, _)| *name != first) else { return true };
    let acting = line.split(' ').nth(1).unwrap_or_default();
    !acting.split(',').any(|name| name == target)
}

/// Returns the error with the line that another form of the typed line means or, if that would be
/// refused, with the reason. Returns `None` if it means nothing.
fn with_meaning_or_reason(play: &Play, error: &LineError, line: &str) -> Option<LineError> {
    with_meaning(play, error, line).or_else(|| {
        let restated = command::restated(play.referee(), play.session.table(), line);
        let refused = restated.as_deref().unwrap_or(line);
        with_refused_line(play, error, &TypedLine::read(line).ok()?, refused)
    })
}

/// Returns an error with lines or help for the first part of a line that also reports dice:
/// `ann fires at bob, she rolled a 5`. Returns `None` if the line reports no dice, or if its first
/// part means nothing.
fn with_dice_beside(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let (first, dice) = reported_dice::split(typed)?;
    // In `ann to the kerb, four`, the number may be the distance.
    if let [number] = reported_dice::faces(dice).as_slice()
        && !command::says_rolled(typed)
        && let Some(meant) = with_meaning(play, error, &format!("{first} {number}"))
            .or_else(|| with_meaning(play, error, &format!("{} {number}", before_place(first)?)))
        && let Some(line) = meant.proposed_lines()?.first()
        && line.split(' ').any(|word| word == number.to_string())
        && !reported_dice::are_rolled_by_players(play, line)
    {
        return Some(meant);
    }
    let meant = with_meaning(play, error, first)?;
    let lines = meant.proposed_lines()?.to_vec();
    if reported_dice::are_rolled_by_players(play, lines.first()?) {
        return Some(error.clone().proposing_part(lines, Some(dice.to_owned()), Vec::new()));
    }
    let help = reported_dice::help_before(lines.first()?);
    Some(LineError { wants_sample: false, ..error.clone() }.help(help))
}

/// Returns the part of a text before a place that it ends with, as in `ann to the kerb`.
fn before_place(text: &str) -> Option<&str> {
    [" to the ", " towards the ", " up to the ", " into the "]
        .iter()
        .find_map(|to| text.split_once(to))
        .map(|(before, _)| before)
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

/// Returns the error for a line that repeats the last command for other pieces, with that command or
/// with the reason why it would be refused. `None` for any other line.
fn with_repetition(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    if let Some((part, change)) = same_again::split_change(typed)
        && let Ok(repeated) = TypedLine::read(part)
        && let Some(same) = same_again::find(play, &repeated)
    {
        // `again, same target, 8 inches`
        let change = same_again::without_same(change);
        if change.is_empty() {
            return with_repetition(play, error, &repeated);
        }
        let lines = corrections::lines_in_place_of(play, &same.together, change);
        if !lines.is_empty() {
            return Some(error.clone().proposing(lines));
        }
        let (first, rest) = same.one_by_one?;
        let of_first = corrections::lines_in_place_of(play, &first, change);
        let rest = format!("{rest}, {change}");
        return (!of_first.is_empty())
            .then(|| error.clone().proposing_part(of_first, Some(rest), Vec::new()));
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

/// Returns the error with the line that a typed line means if the pieces that acted last act again.
/// Returns `None` if the line names who acts, or if some of it isn't understood in that way.
fn with_last_actors(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let line = pronouns::with_last_actors(play, typed)?;
    let meant = with_meaning(play, error, &line)?;
    matches!(meant.proposal.as_deref(), Some(Proposal::Lines(_))).then_some(meant)
}

/// Returns the error with the line that a typed line with orders or a message means or, if that would
/// be refused, with the reason. Returns `None` if no such line can be read.
fn with_text(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let table = play.session.table();
    let search = LineSearch::new(play.words, play.referee(), table);
    let mut lines = command::lines_with_text(play.referee(), table, typed.line);
    lines.extend(command::lines_with_message(play.referee(), table, typed.line));
    let readable = |line: &String| command::restated(play.referee(), table, line);
    let readable: Vec<String> = lines.iter().filter_map(readable).collect();
    // Orders to several pieces are given one by one.
    if readable.is_empty() && !lines.is_empty() {
        let at = command::verb_at(play.referee(), table, typed.line).unwrap_or(0);
        let (boss, order) = typed.line.split_at_checked(at)?;
        let order = TypedLine::read(order).ok()?;
        let (first, rest) = sentences::for_first_of_list(play, &order)?;
        let first = format!("{boss}{first}");
        let rest = format!("{boss}{rest}");
        return with_first_part(play, error, &first, &rest);
    }
    if let Some(line) = readable.iter().find(|line| search.accepts(line)) {
        return Some(error.clone().proposing(vec![line.clone()]));
    }
    let reason = readable.iter().find_map(|line| refusal_of(play, line))?;
    Some(refused_instead(error.clone(), reason))
}

/// Returns the error with the line that a typed line about everyone means, such as `everybody forward
/// 6`. Returns `None` if it isn't about everyone, or means nothing.
fn with_everyone(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let budget = NearestBudget::new();
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    // The many other ways to find a meaning would take too long.
    let meaning = |line: &str| {
        let table = play.session.table();
        if let Ok(Some(command)) = command::parse(play.referee(), table, line) {
            let line = command.restated.unwrap_or_else(|| line.to_owned());
            return search.accepts(&line).then_some(line);
        }
        let near = command::nearest_lines(play.referee(), table, line, &budget);
        accepted_lines(&near, &search).into_iter().next().or_else(|| {
            let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
            let lines = lines_with_verb(play, line, &words, &budget);
            accepted_lines(&lines, &search).into_iter().next()
        })
    };
    // The goal is measured on the table: `everybody 4 inches towards the farm`.
    let goal = sentences::before_goal(typed);
    let found = everyone::find(play, typed.line, &meaning);
    let (found, without) = match (found, goal) {
        (Some(found), _) => (found, Vec::new()),
        (None, Some((before, goal))) => (everyone::find(play, &before, &meaning)?, vec![goal]),
        (None, None) => return None,
    };
    if let Some(reason) = reason_for_refusal(play, &found.line).filter(|_| found.rest.is_none()) {
        return Some(refused_instead(error.clone(), as_refused(&found.line, &reason)));
    }
    Some(error.clone().proposing_part(vec![found.line], found.rest, without))
}

/// Returns the error with the lines that a correction means, such as `no, at bob` or `no port`: the
/// corrected form of a refused line, of a proposed line or of the last command, or a new line.
/// Returns `None` for a line that isn't a correction, or if nothing fits it.
fn with_correction(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let part = corrections::corrected_part(typed);
    let is_piece = |line: &String| play.session.table().find(line).is_some();
    let some = |lines: Vec<String>| {
        let first = lines.first()?;
        let lost = corrections::words_lost(play, &lines, part.unwrap_or_default());
        let bare = first.strip_prefix("oops ").unwrap_or(first);
        // Without a word of its own verb, the line wouldn't be corrected.
        if let Some(error) = left_out_words::without_place(play, error, bare, &lost) {
            return Some(error);
        }
        Some(if lost.is_empty() {
            error.clone().proposing(lines)
        } else {
            error.clone().proposing_part(lines, None, lost)
        })
    };
    let Some(said) = part else {
        // `no port` corrects a single word.
        let words = question_words::question_words(typed);
        let [no, said] = words.as_slice() else { return None };
        let entry = corrections::last_replaceable(play).filter(|_| no == "no")?;
        return some(corrections::oops_lines(play, entry, said));
    };
    if let Some(meant) = steps::with_other_steps(play, error, said) {
        return Some(meant);
    }
    let passes_over = |refused: &&String| corrections::passes_over_refused(play, refused, said);
    let refused = play.refused.as_ref().filter(|refused| !passes_over(refused));
    if let Some(refused) = refused
        && let Some(meant) = some(corrections::lines_in_place_of(play, refused, said))
    {
        return Some(meant);
    }
    // What follows a refused command corrects that command, not the one before it.
    let corrects_refused = refused.is_some_and(|refused| sentences::is_command(play, refused));
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
        let lines = corrections::oops_lines(play, entry, said);
        // A complete command for another piece may be meant in addition to the last one.
        if let Some(line) = command_of_another(play, entry, said).filter(|_| !lines.is_empty()) {
            return some([vec![line], lines].concat());
        }
        if let Some(meant) = some(lines) {
            return Some(meant);
        }
    }
    // The line that was meant may need no correction of another: `no, group able`.
    let is_shorter = said.len() < typed.line.trim().len();
    let meant = is_shorter.then(|| with_meaning(play, error, said))??;
    // Nobody corrects a command with what the table shows.
    let shows = |line: &String| line.starts_with("show ") || is_piece(line);
    (!meant.proposed_lines()?.iter().all(shows)).then_some(meant)
}

/// Returns the error with the line in which the piece that acts in the refused proposal acts on the
/// pieces of a line that names nothing else: after `no`, `c1` means `fight c1 with h1`. Returns `None`
/// for any other line, or if it means nothing.
fn with_target_of_refused(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
) -> Option<LineError> {
    let table = play.session.table();
    let refused = command::parse(play.referee(), table, play.refused.as_ref()?).ok()??;
    let names_only = typed.tokens.iter().all(|word| table.find(&word.bare()).is_some());
    let &(kind, row) = play.acting_pieces(&refused.action).first().filter(|_| names_only)?;
    let acting = table.piece_name(kind, row);
    let said = typed.line.trim();
    let line = format!("{} {acting} {said}", refused.verb);
    // After `move bob to b2`, `cart1` goes there instead, with its own verb.
    let others = play.refused.as_ref()?.split([' ', ',']).skip(1);
    let others = others.filter(|part| table.find(part).is_some() && *part != acting);
    let others: Vec<&str> = others.collect();
    let instead = format!("{said} to {}", others.join(" "));
    with_meaning(play, error, &line)
        .or_else(|| (!others.is_empty()).then(|| with_meaning(play, error, &instead))?)
}

/// Returns the command that a correction makes if it is read as a line of its own, if another piece acts
/// in it than in the last command and it would be accepted.
fn command_of_another(play: &Play, last: &Entry, said: &str) -> Option<String> {
    let table = play.session.table();
    let acting = |line: &str| {
        let command = command::parse(play.referee(), table, line).ok()??;
        Some(play.acting_pieces(&command.action))
    };
    command::verb_at(play.referee(), table, said)?;
    let near = command::nearest_lines(play.referee(), table, said, &NearestBudget::new());
    let search = LineSearch::new(play.words, play.referee(), table);
    let line = near.into_iter().map(|near| near.line).find(|line| search.accepts(line))?;
    let is_other = acting(&line)? != acting(&last.line)?;
    is_other.then_some(line)
}

/// Returns the error with the line that a statement means, and with the words of the statement that
/// aren't understood. If the line would change nothing, the message reports that.
fn with_stated_line(
    play: &Play,
    error: LineError,
    typed: &TypedLine<'_>,
    line: String,
) -> LineError {
    if let Some(fact) = rulings::already(play, &line) {
        return LineError { wants_sample: false, ..LineError::new(None, fact) };
    }
    let parts: Vec<&str> = line.split([' ', '.']).collect();
    let is_left_out = |word: &String| {
        !rulings::DENIES.contains(&word.as_str())
            && !parts.iter().any(|part| part.eq_ignore_ascii_case(word))
    };
    let mut without = likely_lines::unknown_words(play, typed.line);
    without.retain(is_left_out);
    error.proposing_part(vec![line], None, without)
}

/// Returns the error with the lines that set what a line states about the state of pieces, or with the
/// fact that they have that state already. Returns `None` if the line states nothing that can be set.
fn with_said_state(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> Option<LineError> {
    let said = said_states::said_state(play, typed)?;
    // A number that no line has, as in `ann's in, 3 inside`, means something else.
    let numbers = likely_lines::numbers_in(play, typed.line);
    let has = |number: &String| {
        said.lines.iter().any(|line| line.split([' ', ',', ':']).any(|part| part == number))
    };
    if said.rest.is_none() && !numbers.is_empty() && !numbers.iter().any(has) {
        return None;
    }
    let is_so = |line: &String| {
        let (names, value) = line.strip_prefix("set ")?.split_once(' ')?;
        Some(format!("{names} is already `{value}`"))
    };
    if let Some(fact) = said.lines.first().filter(|_| said.is_so).and_then(is_so) {
        return Some(LineError { wants_sample: false, ..LineError::new(None, fact) });
    }
    Some(error.clone().proposing_part(said.lines, said.rest, Vec::from_iter(said.remark)))
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
    // In `no undo that`, the first word only introduces the line.
    if let [first, second, ..] = typed.tokens.as_slice()
        && ["no", "yes"].contains(&first.bare().as_str())
        && play.words.iter().any(|word| word.is(&second.bare()))
        && let Some(meant) = with_meaning(play, &error, &typed.line[second.start..])
    {
        return meant;
    }
    if corrections::takes_back(typed) {
        return with_topics_of_correction(play, &error, typed, words);
    }
    let is_correction = corrections::corrected_part(typed).is_some();
    let stated = word_with_comment(play, typed)
        .filter(|_| !is_correction)
        .or_else(|| rulings::stated(play, typed));
    let of_game =
        if stated.is_none() { game_statements::stated_of_game(play, words) } else { Vec::new() };
    if !of_game.is_empty() {
        return with_lines_of_game(&error, &of_game);
    }
    if let Some(line) = stated {
        return with_stated_line(play, error, typed, line);
    }
    let valued = claims::lines_with_value(play, typed);
    if !valued.is_empty() {
        return error.proposing(valued);
    }
    if let Some(help) = claims::help_with_value(play, typed) {
        return LineError {
            wants_sample: false,
            ..LineError::new(None, "it isn't clear what should change")
        }
        .help(help);
    }
    if let Some(help) = said_states::said_with_commands(play, typed) {
        return LineError {
            wants_sample: false,
            ..LineError::new(None, "the game doesn't keep this")
        }
        .help(help);
    }
    if let Some(verb) = drawing_verb(play, words) {
        return error.proposing(vec![verb]);
    }
    let named = names_of_pieces(play, words);
    if rulings::overrules(words)
        && let Some((kind, row)) = named.first().and_then(|name| play.session.table().find(name))
    {
        let name = play.session.table().piece_name(kind, row);
        let values = how_to_set(play, kind, &name);
        return error.help(format!(
            "`overrule {name}.ATTRIBUTE VALUE: REASON` overrules a result; {values}"
        ));
    }
    let losses = losses::lines_for_loss(play, typed);
    if !losses.is_empty() {
        return error.proposing(losses);
    }
    let is_agreed = words.iter().all(|word| AGREEING.contains(&word.as_str()));
    if is_agreed || words.first().is_some_and(|first| NO_ONE.contains(&first.as_str())) {
        return nothing_to_type(play, typed);
    }
    if let Some(name) = command::idle_piece(play.session.table(), &typed.tokens) {
        if let Some(line) = sentences::line_of_idle_piece(play, typed, &name) {
            return error.proposing(vec![line]);
        }
        return nothing_to_type(play, typed);
    }
    if sentences::says_nothing_is_done(play, typed) {
        return nothing_to_type(play, typed);
    }
    let mut near = lines_with_verb(play, typed.line, words, budget);
    // In `bob only loses 2`, nobody acts, nor in `bob is in cover`.
    if losses::states_loss(words) || rulings::states_position(words) {
        near.clear();
    }
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
    near.retain(|one| first_piece_acts(play, typed, &one.line));
    let accepted = accepted_lines(&near, search);
    // A number, or a line with all that was typed, shows that a certain line is meant, even if it is
    // refused.
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let has_all = |one: &&NearLine| {
        let parts: Vec<&str> = one.line.split([' ', ',']).collect();
        parts.len() > 2 && parts.iter().skip(1).all(|part| words.iter().any(|word| word == part))
    };
    let is_understood = |one: &&NearLine| {
        let verbs = command::verbs_in(play.referee(), table, &one.part);
        one.dropped.is_empty()
            && verbs.iter().all(|verb| one.line.split(' ').next() == Some(verb))
            && likely_lines::unknown_words(play, &one.part).is_empty()
            && left_out_words::known_words_left_out(play, &one.part, &one.line).is_empty()
    };
    let refused = near.iter().find(|one| moves(one));
    let refused = refused
        .or_else(|| near.first().filter(|one| has_number || has_all(one)).filter(is_understood));
    if accepted.is_empty()
        && let Some(refused) = refused
        && let Some(refused) = with_refused_line(play, &error, typed, &refused.line)
    {
        return refused;
    }
    if !accepted.is_empty() {
        return with_near_lines(play, error, typed.line, &near, accepted);
    }
    let names_any = |part: &str| !names_of_pieces(play, &[part.to_owned()]).is_empty();
    if let Some((label, other)) = typed.line.split_once(": ").filter(|(_, part)| names_any(part))
        && let Some(meant) = with_meaning(play, &error, other)
    {
        // What was said before the colon is neither done nor forgotten.
        let label = label.trim();
        return match meant.proposal.as_deref() {
            Some(Proposal::Lines(lines)) => {
                error.proposing_part(lines.clone(), None, vec![label.to_owned()])
            }
            _ => meant,
        };
    }
    if let Some(meant) = with_target_of_refused(play, &error, typed) {
        return meant;
    }
    let shown = format!("show {}", words.join(" "));
    let acts = |word: &String| verb_of(play, word).is_some() || question_words::is_verb(play, word);
    let names_few = named.len() < 2;
    let is_value = |word: &String| {
        command::is_usage_word(play.referee(), word)
            || command::is_parameter_value(play.referee(), word)
    };
    // In `ann full`, the word may belong to a command.
    let may_act = !named.is_empty() && words.iter().any(is_value);
    let goes_somewhere =
        words.iter().any(|word| ["to", "into", "onto", "at", "against"].contains(&word.as_str()));
    let is_short = words.len() <= MAX_SHOWN_WORDS;
    if names_few
        && is_short
        && !goes_somewhere
        && !has_number
        && !is_correction
        && !may_act
        && !words.iter().any(acts)
        && show::is_shown(play, &shown)
    {
        let others = [(shown.as_str(), "show what the table has")];
        let listed =
            || with_topics_beside(play, &error, typed, words, &others).filter(|_| named.is_empty());
        return listed().unwrap_or_else(|| error.clone().proposing(vec![shown.clone()]));
    }
    if is_correction {
        return with_topics_of_correction(play, &error, typed, words);
    }
    if let Some(meant) = with_mended_line(play, &error, typed, search) {
        return meant;
    }
    if let Some(meant) = with_last_actors(play, &error, typed) {
        return meant;
    }
    let error = likely_lines::with_unknown_words(play, error, typed);
    match likely_lines::find(play, typed.line, words) {
        Some(LikelyLines::Meant(lines)) => {
            let whole = SaidPart { said: typed.line, ..SaidPart::default() };
            return with_meant_lines(play, error, whole, lines);
        }
        Some(LikelyLines::Example(help)) => {
            let listed = with_possible_lines(play, &error, typed, words);
            return listed.unwrap_or(LineError { wants_sample: false, ..error }.help(help));
        }
        Some(LikelyLines::Usage(help)) => {
            let listed = with_possible_lines(play, &error, typed, words)
                .or_else(|| with_topics(play, &error, typed, words));
            return listed.unwrap_or(LineError { wants_sample: false, ..error }.help(help));
        }
        Some(LikelyLines::RefusedLine(line)) => {
            if let Some(meant) = with_refused_line(play, &error, typed, &line) {
                return meant;
            }
        }
        Some(LikelyLines::Refused(reason)) => {
            return LineError { wants_sample: false, ..error }.help(reason);
        }
        None => {}
    }
    let names = names_of_pieces(play, words);
    let states = rulings::states_something(typed);
    if !states
        && !names.is_empty()
        && let Some(listed) = with_possible_lines(play, &error, typed, words)
    {
        return listed;
    }
    if let Some((kind, row)) = names.first().and_then(|name| table.find(name)) {
        let name = table.piece_name(kind, row);
        let is_side = play.referee().sides(table).contains(&name);
        let lines = if is_side {
            lines_of_side(play, &name, MAX_PROPOSED)
        } else {
            lines_about(play, words)
        };
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let more = if states {
            how_to_set(play, kind, &name)
        } else {
            format!("`what {name}` lists more")
        };
        return error.help(match lines.as_slice() {
            [] if is_side => format!("`what can {name} do` lists what could be typed for {name}"),
            [] if states => format!(
                "{}; `show {name}` shows its values, {}",
                can_do_nothing(play, kind, row),
                how_to_set(play, kind, &name)
            ),
            [] => match refusal_in_later_phase(play, typed, &names) {
                Some(reason) => reason,
                None => {
                    format!("{}; `show {name}` shows its values", can_do_nothing(play, kind, row))
                }
            },
            lines => format!("accepted now, for example: {}; {more}", names::quote_names(lines)),
        });
    }
    if let Some(line) = sentences::last_clause(play, typed) {
        return error.proposing(vec![line]);
    }
    if let Some(listed) = with_possible_lines(play, &error, typed, words) {
        return listed;
    }
    if let Some(listed) = with_topics(play, &error, typed, words) {
        return listed;
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

/// Returns the error for a correction that can't be read, with the lines that its words may be about or,
/// if there are none, with help that explains how to correct the last command.
fn with_topics_of_correction(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    words: &[String],
) -> LineError {
    let unclear = likely_lines::with_unknown_words(play, error.clone(), typed);
    let subject = |word: &&String| !corrections::begins_correction(word);
    let words: Vec<String> = words.iter().filter(subject).cloned().collect();
    let listed = with_topics_beside(play, &unclear, typed, &words, &CORRECTING);
    listed.unwrap_or_else(|| unclear_correction(play))
}

/// Returns the error for a line in which nothing happens. If the line begins with a word that isn't
/// understood, which may be the name of a piece that isn't in the game, the error names it.
fn nothing_to_type(play: &Play, typed: &TypedLine<'_>) -> LineError {
    let words = question_words::question_words(typed);
    let mut subject = words.iter().skip_while(|word| command::is_common_word(word));
    let unknown = likely_lines::unknown_words(play, typed.line);
    let is_pronoun = |word: &&String| {
        NO_ONE.contains(&word.as_str()) || everyone::is_everyone(word) || word.as_str() == "nothing"
    };
    let subject = subject.next().filter(|word| unknown.contains(word) && !is_pronoun(word));
    let nothing = "nothing has to be typed for that";
    let told = match subject {
        None => nothing.to_owned(),
        Some(word) => format!("{nothing}; not understood: `{word}`"),
    };
    let told = LineError::new(None, told);
    LineError { wants_sample: false, ..told }.help(how_to_go_on(play))
}

/// Returns the error with the first of several lines about the whole game, and with the others as the rest.
fn with_lines_of_game(error: &LineError, lines: &[String]) -> LineError {
    let (first, others) = lines.split_at(1);
    let rest = (!others.is_empty()).then(|| others.join(". "));
    error.clone().proposing_part(first.to_vec(), rest, Vec::new())
}

/// Returns the error for a line that asks to roll or draw again.
fn dice_stand(play: &Play) -> LineError {
    let stand = LineError::new(None, "what was rolled or drawn stands");
    let number = corrections::last_replaceable(play).map_or(0, |last| last.number);
    LineError { wants_sample: false, ..stand }.help(format!(
        "`overrule PIECE.ATTRIBUTE VALUE: REASON` changes a result, `undo` takes command {number} back, \
         and `roll 2d6` rolls other dice"
    ))
}

/// Returns the error for a correction that can't be read, with help that names the last command and shows how
/// to correct it or an earlier one.
fn unclear_correction(play: &Play) -> LineError {
    let unclear = LineError::new(None, "it isn't clear what this corrects");
    let unclear = LineError { wants_sample: false, ..unclear };
    match corrections::last_replaceable(play) {
        Some(Entry { number, line, .. }) => unclear.help(format!(
            "the last command was {number} `{line}`: `oops LINE` replaces it, `undo` undoes it; `amend NUMBER LINE` \
             replaces an earlier one (`log` lists them)"
        )),
        None => unclear.help("`oops LINE` replaces the last command, `undo` undoes it"),
    }
}

/// Lines that correct the last command, each with its effect.
const CORRECTING: [(&str, &str); 2] =
    [("undo", "undo the last command"), ("oops LINE", "replace the last command")];

/// Words in front of a noun that is drawn or turned.
const DRAWS: [&str; 16] = [
    "draw", "turn", "turns", "flip", "pull", "take", "deal", "next", "another", "over", "up",
    "first", "top", "a", "the", "and",
];

/// Returns the verb of this phase that a line such as `turn a card` means: it needs no pieces, its name
/// is the noun of the line, and the other words only say that it is drawn.
fn drawing_verb(play: &Play, words: &[String]) -> Option<String> {
    let (noun, before) = words.split_last()?;
    let phase =
        &play.referee().ruleset().phases[play.referee().phase_index(play.session.table())?];
    let verb = phase.verbs.iter().map(|(verb, _)| verb).find(|verb| *verb == noun)?;
    let draws = !before.is_empty() && before.iter().all(|word| DRAWS.contains(&word.as_str()));
    let table = play.session.table();
    let accepted = suggest::would_be_accepted(play.words, play.referee(), table, verb);
    (draws && accepted).then(|| verb.clone())
}

/// Returns the reason for the refusal of a line with all of these pieces and no others that belongs to
/// another phase of the turn, the next one first. It has a verb of the typed line, if that has one.
/// Returns `None` for a single piece, or if there is no such line.
fn refusal_in_later_phase(play: &Play, typed: &TypedLine<'_>, names: &[String]) -> Option<String> {
    let referee = play.referee();
    let table = play.session.table();
    let is_understood = likely_lines::unknown_words(play, typed.line).is_empty();
    let here = referee.phase_index(table).filter(|_| names.len() > 1 && is_understood)?;
    let phases = &referee.ruleset().phases;
    let numbers = likely_lines::numbers_in(play, typed.line);
    let search = LineSearch::new(play.words, referee, table);
    let search = search.preferring(&numbers, &question_words::question_words(typed));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let reversed: Vec<&str> = names.iter().rev().copied().collect();
    let wanted = command::verbs_in(referee, table, typed.line);
    let verbs = (here + 1..phases.len()).chain(0..here).flat_map(|index| &phases[index].verbs);
    let verbs = verbs.filter(|(verb, _)| wanted.is_empty() || wanted.contains(verb));
    let mut lines = verbs.filter_map(|(verb, _)| {
        let mut orders = [&names, &reversed].into_iter();
        orders.find_map(|order| {
            let line = search.readable_line(verb, order)?;
            let parts: Vec<&str> = line.split([' ', ',']).collect();
            let is_named = |part: &&&str| table.find(part).is_none() || names.contains(part);
            let has_all = names.iter().all(|name| parts.contains(name));
            let has_numbers = numbers.iter().all(|number| parts.contains(&number.as_str()));
            let is_meant = has_all && has_numbers && parts.iter().all(|part| is_named(&part));
            is_meant.then_some(line)
        })
    });
    refusal_of(play, &lines.next()?)
}

/// Words around those of a line in a question about its chances.
const ASKS_CHANCES: [&str; 24] = [
    "if", "when", "what", "what's", "whats", "are", "is", "of", "the", "does", "do", "would",
    "will", "has", "have", "against", "for", "to", "get", "hit", "on", "he", "she", "it",
];

/// The maximum number of words of a line that is proposed after `show`.
const MAX_SHOWN_WORDS: usize = 3;

/// Words with which people agree to an answer.
const AGREEING: [&str; 20] = [
    "all", "right", "alright", "ok", "okay", "good", "great", "fine", "lovely", "cheers", "thanks",
    "thank", "you", "ta", "that's", "thats", "correct", "roger", "aye", "so",
];

/// Words that begin a line in which nothing happens.
const NO_ONE: [&str; 3] = ["nobody", "nothing", "noone"];
