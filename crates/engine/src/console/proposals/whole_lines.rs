//! Proposals that lack words which mean something in the game: a number, a direction, `both`. Another line is
//! found that has them, or the proposal names them.

use super::hints::refused_instead;
use super::possible_lines::with_lines_without_pieces;
use super::steps::{self, Steps, StepsMeant};
use crate::command::{self, LineError, TypedLine};
use crate::console::corrections;
use crate::console::later_parts;
use crate::console::left_out_words::{has_word, is_turn, without_place, words_not_proposed};
use crate::console::losses;
use crate::console::play::Play;
use crate::console::question_words;
use crate::console::questions::refusal_of;
use crate::console::rulings;

/// Returns an error whose proposed lines have all the words of the typed line that mean something, if there
/// are such lines. Otherwise, the error names the words that the lines lack; if the verb itself could have
/// them, it proposes no line, because the line may mean something else. `meaning` returns the error with the
/// lines that another text means.
pub(super) fn with_all_words(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    meant: LineError,
    meaning: &dyn Fn(&str) -> Option<LineError>,
) -> LineError {
    let words = question_words::question_words(typed);
    let is_other = question_words::is_question(typed)
        || rulings::overrules(&words)
        || rulings::states_something(typed)
        || losses::states_loss(&words)
        || corrections::takes_back(typed)
        || command::says_rolled(typed)
        || play.referee().ruleset().takes_text(typed.verb());
    if is_other {
        return meant;
    }
    let mut lost = words_not_proposed(play, typed, &meant);
    if (meant.proposed_lines().is_none() || !lost.is_empty())
        && let Some(found) = without_adjective_of_group(play, error, typed, meaning)
    {
        return found;
    }
    if let Some(listed) = without_second_actor(play, error, typed, &meant) {
        return listed;
    }
    let Some(lines) = meant.proposed_lines().map(<[String]>::to_vec) else {
        return match steps::find(play, typed, false).filter(|_| error.choices.is_empty()) {
            Some(StepsMeant::Steps(steps)) => with_steps(play, error, steps),
            Some(StepsMeant::Refused(line)) => match refusal_of(play, &line) {
                Some(reason) if meant.proposal.is_some() => refused_instead(error.clone(), reason),
                _ => meant,
            },
            None => meant,
        };
    };
    let is_reordered = lines.first().is_some_and(|line| is_in_another_order(play, typed, line));
    let has_rest = meant.rest_of_line().is_some();
    let steps = if error.choices.is_empty() { steps::find(play, typed, true) } else { None };
    match steps {
        Some(StepsMeant::Steps(steps)) => {
            let still_lost = steps.without.iter().filter(|word| lost.contains(word)).count();
            let is_whole = steps.rest.is_none()
                && steps.without.iter().all(|word| meant.words_left_out().contains(word));
            if still_lost < lost.len()
                || (is_reordered || has_rest) && is_whole && !lacks_actor(play, &meant, &steps)
                || drops_rest(&meant, &steps)
            {
                return with_steps(play, error, steps);
            }
        }
        Some(StepsMeant::Refused(line)) if !lost.is_empty() => {
            if let Some(reason) = refusal_of(play, &line) {
                return refused_instead(error.clone(), reason);
            }
        }
        Some(StepsMeant::Refused(_)) | None => {}
    }
    let without = meant.words_left_out().to_vec();
    let rest = meant.rest_of_line().map(str::to_owned);
    let options = meant.partial_proposal().map_or_else(Vec::new, |part| part.options.clone());
    lost.retain(|word| !without.iter().any(|one| one.split(' ').any(|part| part == word)));
    if lost.is_empty() {
        return meant;
    }
    if let Some(first) = lines.first()
        && let Some(refused) = without_place(play, error, first, &lost)
    {
        return LineError { proposal: None, ..refused };
    }
    let without = [without, lost].concat();
    meant.proposing_part(lines, rest, without).with_options(options)
}

/// Words for all pieces of a group.
const ALL: [&str; 3] = ["both", "all", "every"];

/// Returns the error with the lines for a group whose name has a word that fits only some of the pieces, or
/// none: `both tired teams walk 5` for `both teams walk 5`. Returns `None` for any other line.
fn without_adjective_of_group(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    meaning: &dyn Fn(&str) -> Option<LineError>,
) -> Option<LineError> {
    let groups = |text: &str| command::groups_in(play.referee(), play.session.table(), text);
    let trio = typed.tokens.windows(3).find(|trio| {
        let [all, adjective, noun] = trio else { return false };
        let is_plain = noun.bare().ends_with('s') && !adjective.bare().ends_with('s');
        ALL.contains(&all.bare().as_str())
            && is_plain
            && adjective.bare().chars().all(char::is_alphabetic)
            && !["of", "the", "my", "our", "his", "their"].contains(&adjective.bare().as_str())
            && groups(&format!("{} {}", all.bare(), adjective.bare())).is_empty()
            && !groups(&format!("{} {}", all.bare(), noun.bare())).is_empty()
    })?;
    let [_, adjective, noun] = trio else { return None };
    let shorter = format!("{}{}", &typed.line[..adjective.start], typed.line.get(noun.start..)?);
    let meant = meaning(&shorter)?;
    let lines = meant.proposed_lines()?.to_vec();
    let rest = meant.rest_of_line().map(str::to_owned);
    Some(error.clone().proposing_part(lines, rest, vec![adjective.bare()]))
}

/// Returns the error with a list instead of lines that let the second piece of a list do the same as the first,
/// if the line describes only the first: in `ann and bob fire the sling at carl`, only ann has one. Returns
/// `None` for any other line.
fn without_second_actor(
    play: &Play,
    error: &LineError,
    typed: &TypedLine<'_>,
    meant: &LineError,
) -> Option<LineError> {
    let table = play.session.table();
    let rest = meant.rest_of_line()?;
    let lines = meant.proposed_lines()?;
    let acting = lines.first()?.split(' ').nth(1)?;
    let other = rest.split(' ').next().filter(|name| table.find(name).is_some())?;
    let describes =
        |name: &str, word: &str| command::is_described_by(play.referee(), table, name, word);
    let is_own = |word: &String| describes(acting, word) && !describes(other, word);
    let words = question_words::question_words(typed);
    let named = words
        .iter()
        .take_while(|word| command::find_spoken(table, word).is_some() || *word == "and");
    let is_listed = named.filter(|word| *word != "and").count() > 1;
    if !is_listed || !words.iter().any(is_own) {
        return None;
    }
    with_lines_without_pieces(play, error, typed.line, lines, &[other.to_owned()])
}

/// Returns true if a proposal says nothing of the steps after the first: none of their words is in its lines
/// or is named.
fn drops_rest(meant: &LineError, steps: &Steps) -> bool {
    let lines = meant.proposed_lines().unwrap_or_default();
    let is_named = |word: &str| {
        lines.iter().any(|line| has_word(line, word))
            || meant.words_left_out().iter().any(|other| has_word(other, word))
    };
    let rest = steps.rest.as_deref().filter(|_| meant.rest_of_line().is_none());
    // The first word is the piece that acts.
    rest.is_some_and(|rest| !rest.split(' ').skip(1).any(is_named))
}

/// Returns true if the steps are those of one piece, but the rest of a proposal is for another: in `they fire at
/// bob`, all of them act.
fn lacks_actor(play: &Play, meant: &LineError, steps: &Steps) -> bool {
    let next = meant.rest_of_line().and_then(|rest| rest.split([' ', ',']).next());
    next.is_some_and(|word| {
        play.session.table().find(word).is_some()
            && !steps.lines.iter().any(|line| has_word(line, word))
    })
}

/// Returns the error with the lines for the steps of a piece.
fn with_steps(play: &Play, error: &LineError, steps: Steps) -> LineError {
    let found = error.clone().proposing_part(steps.lines, steps.rest, steps.without);
    later_parts::with_later_command(play, found)
}

/// Returns true if the numbers and values of a line are in another order than they were typed. In `ann right
/// 2`, the turn comes first.
fn is_in_another_order(play: &Play, typed: &TypedLine<'_>, line: &str) -> bool {
    let in_words =
        command::answer_in_words_of_rules(play.referee(), play.session.table(), typed.line);
    let said = in_words.as_deref().unwrap_or(typed.line);
    let matters = |word: &&str| {
        word.parse::<f64>().is_ok()
            || is_turn(word)
            || command::is_parameter_value(play.referee(), word)
    };
    let parts = |text: &str| -> Vec<String> {
        let words = text.split([' ', ',']).map(|word| command::bare_number(word).to_lowercase());
        words.filter(|word| matters(&word.as_str())).collect()
    };
    let in_line = parts(line);
    let mut said = parts(said);
    said.retain(|word| in_line.contains(word));
    said.len() == in_line.len() && said != in_line
}
