//! Runs a line at the console: finds its meaning, and the word or verb that carries it out.

use super::agreed_odds;
use super::answers;
use super::automatic_rules;
use super::confirm;
use super::corrections;
use super::ellipsis;
use super::longer_answers::{self, LongerAnswer};
use super::nearest_answers::{self, NearestAnswer};
use super::phrases;
use super::play::{LineOfSeveral, Play};
use super::progress_phrases;
use super::pronouns;
use super::proposals;
use super::question_forms;
use super::question_words;
use super::questions;
use super::reply::{Failure, Replied, Reply};
use super::reported_dice;
use super::rule_search;
use super::same_again::{self, Repetition};
use super::sentences;
use super::shorthand;
use super::speakers;
use super::step::Flow;
use super::words::{help, log};
use crate::command::{self, Command, HintKind, LineError, TypedLine};
use crate::language::machine::Halt;
use crate::names;
use crate::render::markup::{Line, Role, Text};
use crate::render::message;
use crate::session::CommandInput;

/// Carries out a line. An empty line means the next line of the guided turn, or `next` if the
/// umpire chose that.
pub(super) async fn carry_out_line(play: &mut Play, line: &str) -> Result<Flow, Failure> {
    let Some(line) = play.tour.replace_empty_line(line.to_owned()) else { return Ok(Flow::On) };
    let goes_on = play.enter_goes_on && play.is_interactive && line.trim().is_empty();
    let line = if goes_on { "next".to_owned() } else { line };
    let done = carry_out_one_reading(play, &line).await;
    if matches!(done, Ok(Flow::On)) {
        let words = play.tour.advance(&line);
        if !words.is_empty() {
            play.host.show(Reply::for_people(words)).await;
        }
    }
    done
}

/// The maximum number of times that a line is put into another form.
const MAX_REWORDED: usize = 3;

/// Carries out a line. If several lines could be meant, or if a line is proposed in its place, the
/// umpire is asked to choose, if possible.
pub(super) async fn carry_out_one_reading(play: &mut Play, line: &str) -> Result<Flow, Failure> {
    let typed_first = line;
    let mut line = line.to_owned();
    let mut rest = None;
    let mut has_faces = false;
    let mut was_asked = false;
    let done = loop {
        // A request may contain another form of a question: `tell me what ann did`.
        for _ in 0..MAX_REWORDED {
            let reworded = TypedLine::read(&line).ok();
            let reworded = reworded.and_then(|typed| question_forms::reworded(play, &typed));
            let Some(reworded) = reworded else { break };
            line = reworded;
        }
        if play.is_interactive
            && !std::mem::replace(&mut was_asked, true)
            && let Some(doubt) =
                automatic_rules::doubt(play, &line).or_else(|| agreed_odds::doubt(play, &line))
        {
            match choose_line(play, &doubt.heading, doubt.lines, false).await {
                Ok(choice) => {
                    rest = choice.rest;
                    line = choice.line;
                }
                Err(failure) => break Err(failure),
            }
        }
        match carry_out_typed_line(play, &line).await {
            Err(Failure::Line(error, None)) => {
                // In `and croft` and `russians now`, these words matter.
                let matters = || {
                    let typed = TypedLine::read(&line).ok();
                    typed.is_some_and(|typed| {
                        same_again::find(play, &typed).is_some()
                            || progress_phrases::calls_another_side(play, &typed)
                            || progress_phrases::goes_on_now(play, &typed)
                            || progress_phrases::ends_turn_by_number(play, &typed)
                            || corrections::refused_but_allowed(play, &typed).is_some()
                            || !question_words::is_question(&typed)
                                && corrections::of_last(play, &line).is_some()
                            || ellipsis::last_command(play, &typed).is_some()
                    })
                };
                if let Some(spelled) = phrases::with_and(&line) {
                    line = spelled;
                    continue;
                }
                let table = play.session.table();
                let of_rules = command::in_words_of_rules(play.referee(), table, &line);
                let is_command = |spelled: &String| {
                    matches!(command::parse(play.referee(), table, spelled), Ok(Some(_)))
                };
                if let Some(spelled) = of_rules.filter(is_command) {
                    line = spelled;
                    continue;
                }
                if let Some(bare) = phrases::without_courtesies(&line)
                    && !ends_session(play, &bare)
                    && !matters()
                {
                    line = bare;
                    was_asked = false;
                    continue;
                }
                let Ok(typed) = TypedLine::read(&line) else { break Err(error.into()) };
                if let Some(reported) = speakers::without_speaker(play, &typed) {
                    line = reported;
                    was_asked = false;
                    continue;
                }
                if let Some(long) = shorthand::expand(play, &typed) {
                    line = long;
                    continue;
                }
                if play.is_interactive
                    && let Some((first, then)) = sentences::split_unlike(play, &typed)
                {
                    break carry_out_sentences(play, first, then).await;
                }
                match nearest_answers::find(play, &typed) {
                    Some(NearestAnswer::Look(look)) => {
                        let told = format!("read as `{look}`");
                        play.host.show(Reply::for_people(Text::of(Role::Notice, told))).await;
                        let more = nearest_answers::places_beside(play, &typed, &look);
                        let done = carry_out_typed_line(play, &look).await;
                        let results = nearest_answers::results_beside(play, &typed, &look);
                        let more = more.map(|more| Text::of(Role::Notice, more));
                        for text in results.into_iter().chain(more).filter(|_| done.is_ok()) {
                            play.host.show(Reply::for_people(text)).await;
                        }
                        break done;
                    }
                    Some(NearestAnswer::Reply(reply)) => {
                        play.looked = true;
                        let shown = play.answers.len();
                        break finish_line(play, shown, Ok(*reply)).await;
                    }
                    None => {}
                }
                let error = proposals::for_typed_line(play, &error, &typed);
                let mut lines = error.lines_with_choices(&line);
                lines.retain(|meant| is_readable(play, meant));
                // A proposed whole line may be right even if it is the only one.
                let few = if proposed_lines(&error).is_empty() { 2 } else { 1 };
                if lines.is_empty()
                    && play.is_interactive
                    && let Some((first, then)) = sentences::split(&typed)
                    && !corrections::takes_back(&typed)
                {
                    break carry_out_sentences(play, first, then).await;
                }
                if lines.len() < few || !play.is_interactive {
                    break Err(with_sample(play, error, &line).into());
                }
                // Dice that the players rolled would be lost if the program rolled instead.
                if !reported_dice::faces_beside(&error).is_empty()
                    && !reported_dice::are_rolled_by_players(play, &lines[0])
                {
                    let help = reported_dice::help_before(&lines[0]);
                    break Err(LineError { proposal: None, ..error }.help(help).into());
                }
                let mut heading = heading_of_choice(play, &error);
                let mut is_certain = false;
                // One question is enough.
                if let [only] = lines.as_slice()
                    && let Some(doubt) = automatic_rules::doubt(play, only)
                {
                    heading = doubt.heading;
                    lines = doubt.lines;
                    is_certain = true;
                }
                match choose_line(play, &heading, lines, false).await {
                    Ok(choice) => {
                        let of_proposal = error.rest_of_line().map(str::to_owned);
                        rest = choice.rest.or(of_proposal).filter(|_| choice.is_proposed);
                        // When the chosen line asks for dice, the faces that were reported with the
                        // typed line are proposed.
                        if choice.is_proposed && play.faces_said.is_empty() {
                            play.faces_said = reported_dice::faces_beside(&error);
                        }
                        has_faces |= !play.faces_said.is_empty();
                        was_asked = is_certain;
                        line = choice.line;
                    }
                    Err(failure) => break Err(failure),
                }
            }
            Err(Failure::Line(error, Some(inner))) => {
                let error = explain_inner_line(play, error, &line, &inner);
                let lines = proposed_lines(&error);
                if lines.is_empty() || !play.is_interactive {
                    break Err(Failure::Line(error, Some(inner)));
                }
                match choose_line(play, &heading_of_choice(play, &error), lines, false).await {
                    Ok(choice) => {
                        rest = choice.rest;
                        line = choice.line;
                    }
                    Err(failure) => break Err(failure),
                }
            }
            done => break done,
        }
    };
    // The dice that are reported in the rest are used for the line itself.
    play.faces_said.clear();
    if has_faces {
        rest = None;
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_refused = done.is_err() && !"oops".starts_with(first);
    play.refused = is_refused.then(|| line.clone());
    // Another line may have been typed or chosen in place of the first.
    let done = match done {
        Err(failure) if line != typed_first => Err(within_line(failure, &line)),
        done => done,
    };
    match (done, rest) {
        (Ok(Flow::On), Some(rest)) => offer_rest(play, &rest).await,
        (done, _) => done,
    }
}

/// Carries out the first sentence of a line as a line of its own, and offers the rest of the line
/// even if the first sentence means nothing.
async fn carry_out_sentences(play: &mut Play, first: &str, rest: &str) -> Result<Flow, Failure> {
    let first = first.trim_end_matches('.');
    if sentences::is_idle(play, first) {
        show_that_nothing_is_needed(play, first).await;
        if sentences::only_gives_reason(play, rest) {
            return Ok(Flow::On);
        }
        // In `ann stays put, bob too, next`, the same goes for the second piece.
        let rest = sentences::after_same_for_another(play, rest).unwrap_or(rest);
        // The rest is a line of its own, which may be all that was asked for.
        let done = Box::pin(carry_out_one_reading(play, rest)).await;
        return done.map_err(|failure| within_line(failure, rest));
    }
    let is_remark = questions::names_of_pieces(play, &[first.to_owned()]).is_empty()
        && TypedLine::read(rest).is_ok_and(|typed| question_words::is_question(&typed));
    if is_remark_before_question(play, first, rest) {
        let words = format!("not understood: `{first}`");
        play.host.show(Reply::for_people(Text::of(Role::Quiet, words))).await;
        return carry_out_later_sentences(play, first, rest).await;
    }
    match Box::pin(carry_out_one_reading(play, first)).await {
        Ok(Flow::Leave) => return Ok(Flow::Leave),
        Ok(Flow::On) | Err(Failure::Cancelled) => {}
        // A remark in front of a question needs no list of commands.
        Err(Failure::Line(error, _)) if error.is_unclear && is_remark => {
            let words = format!("not understood: `{first}`");
            play.host.show(Reply::for_people(Text::of(Role::Quiet, words))).await;
        }
        Err(Failure::Line(error, inner)) => {
            let text = message::line_error(&error, inner.as_deref().unwrap_or(first));
            play.host.show(Reply::for_people(text)).await;
        }
        Err(failure) => return Err(failure),
    }
    carry_out_later_sentences(play, first, rest).await
}

/// Returns true if a question follows a sentence that could only become a note.
fn is_remark_before_question(play: &Play, first: &str, rest: &str) -> bool {
    let (Ok(typed), Ok(question)) = (TypedLine::read(first), TypedLine::read(rest)) else {
        return false;
    };
    if !question_words::is_question(&question) || is_readable(play, first) {
        return false;
    }
    let error = LineError::new(typed.tokens.first(), command::UNCLEAR);
    let error = LineError { hint_kind: HintKind::Overview, is_unclear: true, ..error };
    let meant = proposals::for_typed_line(play, &error, &typed);
    meant.proposed_lines().is_some_and(|lines| lines.iter().all(|line| line.starts_with("note ")))
}

/// Reports that a sentence needs no command, because some pieces do nothing in it.
async fn show_that_nothing_is_needed(play: &Play, sentence: &str) {
    let words = format!("nothing has to be typed for `{sentence}`");
    play.host.show(Reply::for_people(Text::of(Role::Quiet, words))).await;
}

/// Answers the sentences after the first one that are questions, and offers the others one by one. A pronoun in
/// a question means the piece of the first sentence.
async fn carry_out_later_sentences(
    play: &mut Play,
    first: &str,
    rest: &str,
) -> Result<Flow, Failure> {
    let Ok(typed) = TypedLine::read(rest) else { return Ok(Flow::On) };
    if sentences::is_idle(play, rest) {
        show_that_nothing_is_needed(play, rest).await;
        return Ok(Flow::On);
    }
    if question_words::is_question(&typed) {
        // An answer changes nothing, so the umpire needn't agree to it first.
        let about = pronouns::with_piece(play, first, &typed);
        let rest = about.as_deref().unwrap_or(rest);
        let done = Box::pin(carry_out_one_reading(play, rest)).await;
        return done.map_err(|failure| within_line(failure, rest));
    }
    match sentences::split(&typed) {
        Some((next, later)) => match offer_rest(play, next).await? {
            Flow::Leave => Ok(Flow::Leave),
            Flow::On => Box::pin(carry_out_later_sentences(play, first, later)).await,
        },
        None => offer_rest(play, rest).await,
    }
}

/// Offers the rest of a line whose first part was carried out, and carries it out if the umpire
/// agrees. If no line can be proposed for it, reports that it wasn't done.
async fn offer_rest(play: &mut Play, rest: &str) -> Result<Flow, Failure> {
    let Ok(typed) = TypedLine::read(rest) else { return Ok(Flow::On) };
    let mut later = None;
    let mut reason = String::new();
    let mut remark = String::new();
    // A piece that is named alone does the same as the one before it.
    let readable = match same_again::for_bare_pieces(play, &typed) {
        Some(Repetition { together, one_by_one: Some((line, others)) })
            if !is_allowed_now(play, &together) =>
        {
            later = Some(others);
            Some(line)
        }
        Some(repetition) => Some(repetition.together),
        None => readable_line(play, rest),
    };
    let lines = match readable {
        Some(line) => match questions::reason_for_refusal(play, &line) {
            None => vec![line],
            Some(refused) => {
                reason = format!("; {}", questions::as_refused(&line, &refused));
                Vec::new()
            }
        },
        None => {
            let first = typed.tokens.first();
            let error = LineError::new(first, "the rest of the line can't be read");
            let error = LineError { hint_kind: HintKind::Overview, ..error };
            let error = proposals::with_proposals(play, &error, &typed);
            // A line for three pieces has a rest within its rest.
            later = error.rest_of_line().map(str::to_owned);
            if let Some(part) = error.partial_proposal() {
                remark = format!(" {}", part.remark());
            }
            reason = match error.hint_kind {
                HintKind::FromRules => format!("; {}", error.with_help()),
                _ => error.help_on_one_line().map_or(String::new(), |help| format!("; {help}")),
            };
            proposed_lines(&error)
        }
    };
    if lines.is_empty() {
        let words = format!("not done: `{rest}`{reason}");
        let line = Line::of(Role::Notice, words).with_hanging_indent(2);
        play.host.show(Reply::for_people(Text::from_iter([line]))).await;
        return Ok(Flow::On);
    }
    let heading = format!("and then `{rest}`?{remark}");
    match choose_line(play, &heading, lines, true).await {
        Ok(choice) => {
            let later = choice.rest.or(later).filter(|_| choice.is_proposed);
            let done = Box::pin(carry_out_one_reading(play, &choice.line)).await;
            match (done.map_err(|failure| within_line(failure, &choice.line)), later) {
                (Ok(Flow::On), Some(later)) => Box::pin(offer_rest(play, &later)).await,
                (done, _) => done,
            }
        }
        Err(Failure::Cancelled) => {
            let words = format!("not done: `{rest}`");
            play.host.show(Reply::for_people(Text::of(Role::Notice, words))).await;
            Ok(Flow::On)
        }
        Err(failure) => Err(failure),
    }
}

/// Returns the failure of a line that isn't the typed line, so that its error is shown in it.
fn within_line(failure: Failure, line: &str) -> Failure {
    match failure {
        Failure::Line(error, None) => Failure::Line(error, Some(line.to_owned())),
        other => other,
    }
}

/// The umpire's answer to proposed lines.
struct Choice {
    /// The line to carry out.
    line: String,
    /// True if it is one of the proposed lines.
    is_proposed: bool,
    /// The rest of the answer, which is offered afterwards.
    rest: Option<String>,
}

/// Asks which of the proposed lines is meant, until one of them is chosen, another line is typed, or
/// they are discarded. The answer may change the proposed lines, for example `no, at g1`. `follows` is
/// true if the lines follow something that has been done, which the answer may undo.
async fn choose_line(
    play: &mut Play,
    heading: &str,
    mut lines: Vec<String>,
    follows: bool,
) -> Result<Choice, Failure> {
    let mut heading = heading.to_owned();
    loop {
        let asked = confirm::ask_which_line(&heading, lines.clone(), follows, &play.host);
        let answer = asked.await?;
        if lines.contains(&answer) {
            return Ok(Choice { line: answer, is_proposed: true, rest: None });
        }
        match longer_answers::read(play, &lines, &answer, follows) {
            LongerAnswer::Chosen(index, rest) => {
                return Ok(Choice { line: lines.swap_remove(index), is_proposed: true, rest });
            }
            LongerAnswer::Alone(index) => {
                let line = lines.swap_remove(index);
                return Ok(Choice { line, is_proposed: false, rest: None });
            }
            LongerAnswer::WithDice(index, faces) => {
                let line = lines[index].clone();
                if reported_dice::are_rolled_by_players(play, &line) {
                    play.faces_said = faces;
                    return Ok(Choice { line, is_proposed: true, rest: None });
                }
                let help = Text::of(Role::Notice, reported_dice::help_before(&line));
                play.host.show(Reply::for_people(help)).await;
            }
            LongerAnswer::Changed { lines: changed, without } => {
                heading = heading_of_lines(changed.len()).to_owned();
                if !without.is_empty() {
                    let without: Vec<&str> = without.iter().map(String::as_str).collect();
                    heading = format!("{heading} (without {})", names::quote_names(&without));
                }
                lines = changed;
            }
            LongerAnswer::Unclear { line, words } => {
                let options = command::options_left(play.referee(), play.session.table(), &line);
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let more = match options.as_slice() {
                    [] => String::new(),
                    options => format!("; you can add {}", names::quote_names(options)),
                };
                let told = format!(
                    "nothing has been done yet: it isn't clear what `{words}` changes in `{line}`{more}"
                );
                play.host.show(Reply::for_people(Text::of(Role::Notice, told))).await;
            }
            LongerAnswer::Discarded => return Err(Failure::Cancelled),
            LongerAnswer::Looks(line) => {
                // An answer changes nothing, so the proposal stands.
                match Box::pin(carry_out_one_reading(play, &line)).await {
                    Ok(Flow::On) => {}
                    Ok(Flow::Leave) => return Err(Failure::Cancelled),
                    Err(Failure::Line(error, inner)) => {
                        let text = message::line_error(&error, inner.as_deref().unwrap_or(&line));
                        play.host.show(Reply::for_people(text)).await;
                    }
                    Err(failure) => return Err(failure),
                }
            }
            LongerAnswer::Other(line) => {
                // The line may be a correction of the first proposed one.
                if let Some(first) = lines.first() {
                    play.refused = Some(first.clone());
                    let words = format!("not done: `{first}`");
                    play.host.show(Reply::for_people(Text::of(Role::Notice, words))).await;
                }
                return Ok(Choice { line, is_proposed: false, rest: None });
            }
        }
    }
}

/// Returns the question whether one of this many lines was meant.
fn heading_of_lines(count: usize) -> &'static str {
    if count == 1 { "did you mean this?" } else { "did you mean one of these?" }
}

/// Returns a line in the form in which it would be recorded, if it can be read.
fn readable_line(play: &Play, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    if let Some(meant) = phrases::replace_phrase(play, &typed) {
        return Some(meant);
    }
    if !is_readable(play, line) {
        return None;
    }
    let command = command::parse(play.referee(), play.session.table(), line).ok().flatten();
    Some(command.and_then(|command| command.restated).unwrap_or_else(|| line.to_owned()))
}

/// Returns the error for a line inside another line, for example after `oops` or `odds`. The error
/// proposes the nearest lines. A line that is meant to replace a command is tried in that command's
/// place.
fn explain_inner_line(play: &Play, error: LineError, line: &str, inner: &str) -> LineError {
    let outer = line.strip_suffix(inner).unwrap_or_default();
    let whole = |proposed: &String| {
        if proposed.starts_with(outer) { proposed.clone() } else { format!("{outer}{proposed}") }
    };
    // `oops undo that, too far`
    let undoes = TypedLine::read(inner)
        .is_ok_and(|typed| typed.tokens.first().is_some_and(|first| first.bare() == "undo"));
    if undoes {
        return error.proposing(vec!["undo".to_owned()]);
    }
    let amends = corrections::command_to_replace(play, outer);
    if amends.is_some()
        && reported_dice::corrects_dice(play, inner)
        && let Ok(typed) = TypedLine::read(inner)
    {
        return reported_dice::with_help(play, &error, &typed);
    }
    if let Some(entry) = amends {
        let lines = corrections::replacing_lines(play, entry, inner);
        if !lines.is_empty() {
            return error.proposing(lines.iter().map(whole).collect());
        }
        let is_general = error.help.is_none() || error.hint_kind == HintKind::Overview;
        let help = format!("write the whole line that should replace `{}`", entry.line);
        return if is_general { error.help(help) } else { error };
    }
    let table = play.session.table();
    let spelled = command::in_words_of_rules(play.referee(), table, inner);
    let command =
        spelled.as_ref().and_then(|one| command::parse(play.referee(), table, one).ok()?);
    if let (Some(spelled), Some(command)) = (&spelled, command) {
        let meant = command.restated.as_ref().unwrap_or(spelled);
        return error.proposing(vec![whole(meant)]);
    }
    if error.help.is_some() && error.hint_kind != HintKind::Overview {
        return error;
    }
    let Ok(typed) = TypedLine::read(inner) else { return error };
    let error = proposals::with_proposals(play, &error, &typed);
    match proposed_lines(&error) {
        lines if lines.is_empty() => error,
        lines => error.proposing(lines.iter().map(whole).collect()),
    }
}

/// Returns the heading for a choice between lines. If whole lines are proposed, the error in the
/// typed line doesn't matter.
fn heading_of_choice(play: &Play, error: &LineError) -> String {
    let which = match proposed_lines(error).len() {
        0 => return error.message.clone(),
        count => heading_of_lines(count),
    };
    let own_heading = error.partial_proposal().and_then(|part| part.heading.clone());
    if let Some(heading) = own_heading {
        return heading;
    }
    let lines = proposed_lines(error);
    let replaced = lines.first().and_then(|line| corrections::command_to_replace(play, line));
    let which = match replaced {
        Some(entry) => format!("{which} (it replaces {}, `{}`)", entry.number, entry.line),
        None => which.to_owned(),
    };
    match error.partial_proposal() {
        Some(part) => format!("{which} {}", part.remark()),
        None => which,
    }
}

/// Returns the whole lines that an error proposes.
fn proposed_lines(error: &LineError) -> Vec<String> {
    error.proposed_lines().unwrap_or_default().to_vec()
}

async fn carry_out_typed_line(play: &mut Play, line: &str) -> Result<Flow, Failure> {
    play.record_time = None;
    let typed = TypedLine::read(line)?;
    let words = question_words::question_words(&typed);
    let gives_up = phrases::gives_up_refused(play, &words);
    let nothing = || Ok(Reply::remark("nothing was done, so nothing is undone"));
    let withdrawn = || Ok(Reply::remark("nothing has been done: the line takes itself back"));
    let answered = gives_up
        .then(nothing)
        .or_else(|| phrases::withdraws(play, &typed).then(withdrawn))
        .or_else(|| answers::find(play, &typed, &words));
    if let Some(answered) = answered {
        let shown = play.answers.len();
        play.looked = true;
        return finish_line(play, shown, answered).await;
    }
    match phrases::replace_phrase(play, &typed) {
        Some(meant) => carry_out_meant_line(play, &meant).await.map_err(|failure| match failure {
            // The position of the error is shown in the line that was read, not in the typed line.
            Failure::Line(error, None) => Failure::Line(error, Some(meant)),
            other => other,
        }),
        None => match rule_search::answer_why(play, &words) {
            Some(reply) => {
                let shown = play.answers.len();
                play.looked = true;
                finish_line(play, shown, Ok(reply)).await
            }
            None => carry_out_meant_line(play, line).await,
        },
    }
}

async fn carry_out_meant_line(play: &mut Play, line: &str) -> Result<Flow, Failure> {
    let typed = TypedLine::read(line)?;
    if typed.tokens.is_empty() {
        return Ok(Flow::On);
    }
    let shown = play.answers.len();
    let commands = play.session.entries().len();
    let before = play.session.entries().last().map_or(0, |entry| entry.number);
    let word =
        command::find_console_word(play.referee(), play.session.table(), play.words, &typed)?;
    let done = match word {
        Some(word) => {
            let done = play.run(word, &typed).await;
            play.looked = word.looks;
            done
        }
        None => {
            play.looked = false;
            play.act(&typed).await
        }
    };
    let last = play.session.entries().last().map_or(0, |entry| entry.number);
    if last > before {
        let count = play.session.entries().len().saturating_sub(commands);
        let several = LineOfSeveral { line: line.to_owned(), before, count, last };
        play.several = Some(several).filter(|_| count > 1);
    }
    finish_line(play, shown, done).await
}

/// Shows the reply to a line, and then any notices that are due after it.
async fn finish_line(play: &mut Play, shown: usize, done: Replied) -> Result<Flow, Failure> {
    let flow = match done {
        Ok(reply) if reply.leaves => {
            play.host.show(reply).await;
            Ok(Flow::Leave)
        }
        Ok(reply) => {
            play.show(reply).await;
            Ok(Flow::On)
        }
        Err(failure) => Err(failure),
    };
    if play.answers.len() > shown {
        play.answers.drain(..shown);
    }
    let notices = log::update_transcripts(play).await;
    let now = play.now();
    let referee = play.session.referee();
    let table = play.session.table();
    let up = play.clock.as_mut().and_then(|clock| clock.tick(referee, table, now));
    if let Some(words) = up.filter(|_| play.is_interactive) {
        play.host.show(Reply::for_people(Text::of(Role::Notice, words))).await;
    }
    for notice in notices {
        play.host.show(Reply::for_people(notice)).await;
    }
    flow
}

/// Words that end the session. They must be typed exactly, so that no one leaves by mistake.
const ENDING: [&str; 2] = ["quit", "reveal"];

/// Returns true if a line begins with a console word that ends the session.
fn ends_session(play: &Play, line: &str) -> bool {
    let Ok(typed) = TypedLine::read(line) else { return false };
    let word = command::find_console_word(play.referee(), play.session.table(), play.words, &typed);
    word.is_ok_and(|word| word.is_some_and(|word| ENDING.contains(&word.name)))
}

/// Returns true if a line can be read, whether or not the rules refuse it.
fn is_readable(play: &Play, line: &str) -> bool {
    let table = play.session.table();
    let Ok(typed) = TypedLine::read(line) else { return false };
    match command::find_console_word(play.referee(), table, play.words, &typed) {
        Ok(Some(_)) => true,
        Ok(None) => command::parse(play.referee(), table, line).is_ok(),
        Err(_) => false,
    }
}

/// Replaces a long usage in a hint with an example: everything that was typed, and a possible
/// continuation. If a word is wrong, no example is given, because the example would leave the word
/// out and perhaps mean something else.
fn with_sample(play: &Play, mut error: LineError, line: &str) -> LineError {
    let begun = line.trim();
    let first = begun.split_whitespace().next().unwrap_or_default();
    let verb = names::find_name(first, play.referee().ruleset().verbs()).only();
    if let Some(verb) = verb.filter(|_| error.wants_sample && error.span.is_none())
        && let Some(sample) = help::sample_of_verb(play, verb, begun)
        && is_allowed_now(play, &sample)
    {
        error.help = Some(format!("for example `{sample}`; more: `help {verb}`").into());
    }
    // A verb of the game hides a word of the console, which has another name.
    let hidden = play.words.iter().find(|word| word.name == begun && word.yields);
    if let Some(word) = hidden
        && let Some(other_name) = word.short.first()
        && play.referee().ruleset().has_verb(begun)
    {
        let help = error.help.as_deref().map_or(String::new(), |help| format!("{help}; "));
        let help = format!("{help}`{other_name}`: {}", word.help);
        error.help = Some(help.into());
    }
    error
}

/// Returns true if a line can be read and the rules don't refuse it now.
fn is_allowed_now(play: &Play, line: &str) -> bool {
    let parsed = command::parse(play.referee(), play.session.table(), line);
    let Ok(Some(Command { verb, action, insist, .. })) = parsed else { return false };
    let attempted = play.session.attempt(&verb, &action, insist, &CommandInput::default());
    !matches!(attempted.done, Err(Halt::Refused(_) | Halt::Fault(_)))
}
