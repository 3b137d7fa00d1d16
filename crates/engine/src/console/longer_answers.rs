//! Answers to proposed lines that say more than yes, no or a number: `yes, and t2 too`, `no, 5.5
//! inches`, `make that a burst`, `1 rapid`, `on the road`.

use super::confirm::{self, Verdict};
use super::corrections;
use super::left_out_words;
use super::phrases;
use super::play::Play;
use super::progress_phrases;
use super::question_words;
use super::questions::{asks_chances, names_of_pieces, verb_of};
use super::reported_dice;
use super::same_again;
use super::suggest::LineSearch;
use crate::command::{self, NearestBudget, TypedLine};

/// Words that join the rest of an answer to its yes.
const JOINS: [&str; 4] = ["and", "then", "but", "also"];

/// Words that add something to a proposed line.
const ADDS: [&str; 4] = ["add", "with", "plus", "only"];

/// Words that agree to everything that was proposed.
const ALL: [&str; 19] = [
    "to",
    "both",
    "all",
    "them",
    "of",
    "everything",
    "lot",
    "go",
    "on",
    "ahead",
    "do",
    "it",
    "that",
    "please",
    "thanks",
    "then",
    "now",
    "fine",
    "sure",
];

/// The meaning of an answer.
pub(super) enum LongerAnswer {
    /// The proposed line with this index is carried out, and then the rest of the answer, if there
    /// is one, is offered.
    Chosen(usize, Option<String>),
    /// The proposed line with this index is carried out with these dice.
    WithDice(usize, Vec<u32>),
    /// These lines are proposed instead. They leave out some known words of the answer.
    Changed { lines: Vec<String>, without: Vec<String> },
    /// The proposed line with this index is carried out, but not the rest of the typed line.
    Alone(usize),
    /// Nothing is carried out.
    Discarded,
    /// The umpire asks this question first.
    Looks(String),
    /// It isn't clear what these words add to the proposed line, so nothing is carried out yet.
    Unclear { line: String, words: String },
    /// Another line was typed.
    Other(String),
}

/// Answers that ask for the odds of the proposed line.
const ASKS_ODDS: [&str; 6] =
    ["odds", "what odds", "what are the odds", "how likely", "how likely is that", "chances"];

/// Reads an answer that is more than a number, a yes or a no. `follows` is true if the lines are proposed
/// for the rest of a line whose first part has been carried out.
pub(super) fn read(play: &Play, proposed: &[String], answer: &str, follows: bool) -> LongerAnswer {
    let other = || LongerAnswer::Other(answer.to_owned());
    // What has been done can be undone.
    if let Some(undoing) = confirm::undoing(answer).filter(|_| follows) {
        return LongerAnswer::Other(undoing.to_owned());
    }
    let bare = answer.trim().trim_end_matches(['?', '.']).to_lowercase();
    let asks_odds = || {
        let asked: Vec<String> = bare.split(' ').map(str::to_owned).collect();
        asks_chances(&asked) && names_of_pieces(play, &asked).is_empty()
    };
    if let [line] = proposed
        && (ASKS_ODDS.contains(&bare.as_str()) || asks_odds())
    {
        return LongerAnswer::Looks(format!("odds {line}"));
    }
    // `fire!` agrees to a line with this verb.
    if let [line] = proposed
        && line.split(' ').next() == Some(bare.trim_end_matches('!'))
    {
        return LongerAnswer::Chosen(0, None);
    }
    // `same for bob` and `and bob too` agree to the line for ann, too.
    if let ([_], Ok(typed)) = (proposed, TypedLine::read(answer))
        && let Some(first) = typed.tokens.first()
        && (same_again::asks_same(&first.text)
            || first.bare() == "and"
                && typed.tokens.iter().any(|word| same_again::asks_same(&word.bare())))
        && !names_of_pieces(play, &words_of(answer)).is_empty()
    {
        return LongerAnswer::Chosen(0, Some(answer.to_owned()));
    }
    if TypedLine::read(answer).is_ok_and(|typed| question_words::is_question(&typed)) {
        return LongerAnswer::Looks(answer.to_owned());
    }
    // In `go on to the next phase`, the first word agrees to nothing.
    if let Ok(typed) = TypedLine::read(answer)
        && typed.tokens.len() > 2
        && typed.tokens[0].bare() == "go"
        && progress_phrases::lines(play, &typed).is_some()
    {
        return other();
    }
    // If the first part has already been carried out, "only that" leaves nothing to do.
    let alone = || if follows { LongerAnswer::Discarded } else { LongerAnswer::Alone(0) };
    if says_alone(proposed, &words_of(answer)) {
        return alone();
    }
    let Some((verdict, more)) = confirm::split_verdict(answer, proposed.len()) else {
        return match changed_line(play, proposed, answer) {
            Some(lines) => changed(play, lines, answer),
            None if let Some(lines) = changed_in_parts(play, proposed, answer) => {
                changed(play, lines, answer)
            }
            None if repeats(play, proposed, answer) => LongerAnswer::Chosen(0, None),
            None => other(),
        };
    };
    let more = if matches!(verdict, Verdict::No) { confirm::after_discarding(more) } else { more };
    let in_words = command::answer_in_words_of_rules(play.referee(), play.session.table(), more);
    let more = in_words.as_deref().unwrap_or(more);
    let in_figures = with_figures(more);
    let more = in_figures.as_deref().filter(|_| matches!(verdict, Verdict::No)).unwrap_or(more);
    let words = words_of(more);
    match verdict {
        Verdict::No | Verdict::Yes if says_alone(proposed, &words) => alone(),
        Verdict::No if confirm::discards(more) => LongerAnswer::Discarded,
        // In `no, ann and bob 5`, both belong to the line.
        Verdict::No if names_more(play, proposed, &words) => {
            let verb = proposed.first().and_then(|line| line.split(' ').next()).unwrap_or_default();
            let has_verb =
                !command::verbs_in(play.referee(), play.session.table(), more).is_empty();
            LongerAnswer::Other(if has_verb { more.to_owned() } else { format!("{verb} {more}") })
        }
        // What follows the no may be a line of its own.
        Verdict::No if is_line(play, more) || is_nearly_line(play, proposed, more) => {
            LongerAnswer::Other(more.to_owned())
        }
        Verdict::No
            if let [line] = proposed
                && let Some(line) = corrections::line_without_pieces(play, line, more) =>
        {
            changed(play, vec![line], more)
        }
        // `left then 3` alone would ask what is left to do.
        Verdict::No if begins_with_turn(&words) => LongerAnswer::Other(format!("no, {more}")),
        Verdict::No => match lines_with(play, proposed, more) {
            lines if lines.is_empty() => LongerAnswer::Other(more.to_owned()),
            lines => changed(play, lines, more),
        },
        // It isn't clear which of several lines is agreed to.
        Verdict::Yes if proposed.len() > 1 => other(),
        Verdict::Yes | Verdict::Line(_) => {
            let index = if let Verdict::Line(index) = verdict { index } else { 0 };
            let Some(line) = proposed.get(index) else { return other() };
            if words.iter().all(|word| ALL.contains(&word.as_str())) {
                return LongerAnswer::Chosen(index, None);
            }
            let search = LineSearch::new(play.words, play.referee(), play.session.table());
            if let Some(line) = left_out_words::with_rest(play, line, more, &search) {
                return changed(play, vec![line], more);
            }
            let faces = reported_dice::faces(more);
            // `yes, 2` states how many if the program rolls and the line has no number yet.
            if let ([_], false) = (faces.as_slice(), says_rolled(more))
                && !reported_dice::are_rolled_by_players(play, line)
                && !has_number(line)
            {
                let lines = corrections::lines_in_place_of(play, line, more);
                if !lines.is_empty() {
                    return changed(play, lines, more);
                }
            }
            if !faces.is_empty() && only_reports_dice(more) {
                return LongerAnswer::WithDice(index, faces);
            }
            if let Some(line) = corrections::line_without_pieces(play, line, more) {
                return changed(play, vec![line], more);
            }
            let joins = words.first().is_some_and(|first| JOINS.contains(&first.as_str()));
            let table = play.session.table();
            let named =
                [names_of_pieces(play, &words), command::groups_in(play.referee(), table, more)];
            let names_others =
                named.concat().iter().any(|name| line.split([' ', ',']).all(|part| part != name));
            if !names_others {
                let lines = corrections::lines_in_place_of(play, line, more);
                if !lines.is_empty() {
                    return changed(play, lines, more);
                }
            }
            if !joins
                && !names_others
                && !is_remark(play, more)
                && !acts_otherwise(play, line, more)
            {
                return LongerAnswer::Unclear { line: line.clone(), words: more.to_owned() };
            }
            let start = if joins { more.find(' ').map_or(0, |at| at + 1) } else { 0 };
            LongerAnswer::Chosen(index, Some(more[start..].trim().to_owned()))
        }
    }
}

/// Returns true if several words begin with a turn to one side.
fn begins_with_turn(words: &[String]) -> bool {
    words.len() > 1 && left_out_words::is_turn(&words[0])
}

/// Returns true if an answer names several pieces one after another, more than stand at the beginning of
/// the proposed line.
fn names_more(play: &Play, proposed: &[String], words: &[String]) -> bool {
    let [line] = proposed else { return false };
    let table = play.session.table();
    let is_piece = |word: &&String| table.find(word).is_some();
    let joins = |word: &&String| ["and", "&"].contains(&word.as_str());
    let listed =
        words.iter().take_while(|word| is_piece(word) || joins(word)).filter(is_piece).count();
    let acting = line.split(' ').nth(1).unwrap_or_default().split(',').count();
    listed > acting && listed > 1 && words.len() > listed
}

/// Words that limit what is done to the proposed line.
const ONLY: [&str; 2] = ["just", "only"];

/// Words for the proposed line in an answer that limits what is done to it.
const OF_ALONE: [&str; 10] =
    ["that", "this", "the", "first", "one", "part", "bit", "but", "sorry", "please"];

/// Returns true if an answer limits what is done to the proposed line, and says nothing else: `just to
/// c2` for `move bob to c2`.
fn says_alone(proposed: &[String], words: &[String]) -> bool {
    let [line] = proposed else { return false };
    // In `only ann`, somebody else of a list is left out.
    let names_one = |list: &str| {
        list.contains(',') && words.iter().any(|word| list.split(',').any(|one| one == word))
    };
    if line.split(' ').any(names_one) {
        return false;
    }
    let begins = words.iter().find(|word| *word != "but");
    let is_of_line = |word: &&str| {
        left_out_words::has_word(line, word)
            || OF_ALONE.contains(word)
            || left_out_words::PREPOSITIONS.contains(word)
    };
    let mut others = words.iter().map(String::as_str).filter(|word| !ONLY.contains(word));
    begins.is_some_and(|word| ONLY.contains(&word.as_str())) && others.all(|word| is_of_line(&word))
}

/// Words after a yes that describe the action of the proposed line, although the rules have no such
/// word: `yes, from behind`.
const DESCRIBES: [&str; 22] = [
    "from", "behind", "in", "into", "on", "onto", "at", "over", "through", "under", "inside",
    "with", "without", "to", "towards", "along", "against", "round", "around", "by", "up", "down",
];

/// Returns true if the words after a yes mean nothing to the rules, and don't describe the action of
/// the proposed line: `yes, poor man`.
fn is_remark(play: &Play, more: &str) -> bool {
    let words = words_of(more);
    let describes = words.first().is_some_and(|first| DESCRIBES.contains(&first.as_str()));
    let table = play.session.table();
    let unknown = command::unknown_words(play.referee(), table, more);
    let is_unknown = |word: &String| {
        unknown.iter().any(|(other, _)| other.eq_ignore_ascii_case(word))
            || command::is_common_word(word)
            || LITTLE.contains(&word.as_str())
    };
    !describes && words.iter().all(is_unknown)
}

/// Returns true if the words after a yes do something other than the proposed line: they have a verb
/// of the game that isn't the line's own, or are a line of the console.
fn acts_otherwise(play: &Play, line: &str, more: &str) -> bool {
    let table = play.session.table();
    let own = line.split(' ').next().unwrap_or_default();
    let verbs = command::verbs_in(play.referee(), table, more);
    let Ok(typed) = TypedLine::read(more) else { return false };
    let first = typed.tokens.first().map(command::Token::bare).unwrap_or_default();
    let is_word = || play.words.iter().any(|word| word.is(&first));
    !verbs.is_empty() && verbs.iter().all(|verb| verb != own)
        || is_word()
        || phrases::replace_phrase(play, &typed).is_some()
        || progress_phrases::lines(play, &typed).is_some()
}

/// Words in front of a `one` that isn't a number.
const BEFORE_ONE: [&str; 8] = ["the", "this", "that", "other", "another", "last", "first", "no"];

/// Returns an answer with figures in place of the numbers that it spells out; `None` if it has figures
/// already, or no numbers.
fn with_figures(answer: &str) -> Option<String> {
    if answer.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let typed = TypedLine::read(answer).ok()?;
    let mut figures = answer.to_owned();
    for at in (0..typed.tokens.len()).rev() {
        let token = &typed.tokens[at];
        let word = token.text.trim_end_matches([',', '.', ';', '!']).to_lowercase();
        let before = at.checked_sub(1).map(|at| typed.tokens[at].text.to_lowercase());
        let is_pronoun = word == "one" && before.is_some_and(|b| BEFORE_ONE.contains(&b.as_str()));
        let number = command::spoken_number(&word).filter(|_| word.len() > 2 && !is_pronoun);
        if let Some(number) = number {
            let end = token.end_before(&[',', '.', ';', '!']);
            figures.replace_range(token.start..end, &number.to_string());
        }
    }
    (figures != answer).then_some(figures)
}

/// Words that begin a description of somebody in the proposed line.
const DESCRIBED: [&str; 8] = ["he", "she", "it", "they", "he's", "she's", "it's", "they're"];

/// Returns the lines that the words of an answer make of the proposed lines, if the answer isn't a
/// line of its own: `fire ann at bob` and `add rapid`, or `make that a burst`.
fn changed_line(play: &Play, proposed: &[String], answer: &str) -> Option<Vec<String>> {
    let typed = TypedLine::read(answer).ok()?;
    if question_words::is_question(&typed) {
        return None;
    }
    let words = words_of(answer);
    let first = words.first()?;
    let said = if ADDS.contains(&first.as_str()) { answer.split_once(' ')?.1 } else { answer };
    // `he was at the window, chest up` says more about the one who is meant.
    let describes = DESCRIBED.contains(&first.as_str())
        && words.iter().any(|word| command::is_parameter_value(play.referee(), word));
    let is_correction =
        corrections::corrected_part(&typed).is_some() || said.len() < answer.len() || describes;
    // Without such a word, only words that can belong to the proposed line count.
    let belongs = |word: &String| {
        command::is_usage_word(play.referee(), word)
            || command::is_parameter_value(play.referee(), word)
            || LITTLE.contains(&word.as_str())
            || words.len() > 1 && word.parse::<f64>().is_ok()
    };
    let is_own_line = names_of_pieces(play, &words).is_empty() && words.iter().all(belongs);
    if !is_correction && (!is_own_line || is_line(play, answer)) {
        return None;
    }
    let said = corrections::corrected_part(&typed).unwrap_or(said);
    let lines = lines_with(play, proposed, said);
    (!lines.is_empty()).then_some(lines)
}

/// Returns the lines that the parts of an answer make of a proposed line, one after another, if some of them
/// belong to it: in `range 20, two shots`, both or only the range may be understood. Returns `None` for an answer
/// of one part, or with a piece that the line lacks.
fn changed_in_parts(play: &Play, proposed: &[String], answer: &str) -> Option<Vec<String>> {
    let [line] = proposed else { return None };
    let typed = TypedLine::read(answer).ok()?;
    let first = words_of(answer).into_iter().next()?;
    let is_other = question_words::is_question(&typed)
        || is_line(play, answer)
        || !(command::is_usage_word(play.referee(), &first)
            || command::is_parameter_value(play.referee(), &first)
            || first.parse::<f64>().is_ok());
    let names_other = names_of_pieces(play, &words_of(answer))
        .iter()
        .any(|name| !left_out_words::has_word(line, name));
    if is_other || names_other || !answer.contains(',') {
        return None;
    }
    let mut changed = vec![line.clone()];
    for part in answer.split(',').map(str::trim) {
        let in_words =
            command::answer_in_words_of_rules(play.referee(), play.session.table(), part);
        let lines = lines_with(play, &changed, in_words.as_deref().unwrap_or(part));
        if !lines.is_empty() {
            changed = lines;
        }
    }
    (changed != [line.clone()]).then_some(changed)
}

/// Returns the answer that proposes these lines instead, with the known words of the answer that they
/// leave out.
fn changed(play: &Play, lines: Vec<String>, said: &str) -> LongerAnswer {
    let said = TypedLine::read(said).ok();
    let part = said.as_ref().and_then(|typed| corrections::corrected_part(typed));
    let part = part.or(said.as_ref().map(|typed| typed.line)).unwrap_or_default();
    let without = corrections::words_lost(play, &lines, part);
    LongerAnswer::Changed { lines, without }
}

/// Returns true if a text can be read as a command of the game.
fn is_line(play: &Play, text: &str) -> bool {
    matches!(command::parse(play.referee(), play.session.table(), text), Ok(Some(_)))
}

/// Returns true if a text that can't be read as it stands is nearly a command of its own: it begins
/// with a verb that the proposed lines don't have, or a complete line can be found for all of it.
fn is_nearly_line(play: &Play, proposed: &[String], text: &str) -> bool {
    let table = play.session.table();
    let words = words_of(text);
    let begins_with_other = words
        .first()
        .and_then(|first| verb_of(play, first))
        .is_some_and(|verb| proposed.iter().all(|line| line.split(' ').next() != Some(verb)));
    if begins_with_other && !names_of_pieces(play, &words).is_empty() {
        return true;
    }
    if command::verb_at(play.referee(), table, text).is_none() {
        return false;
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let near = command::nearest_lines(play.referee(), table, text, &NearestBudget::new());
    near.iter().any(|near| {
        near.rest.is_none()
            && near.dropped.is_empty()
            && left_out_words::known_words_left_out(play, text, &near.line).is_empty()
            && search.accepts(&near.line)
    })
}

/// Returns true if a line has a number in it.
fn has_number(line: &str) -> bool {
    line.split([' ', ',']).any(|word| word.parse::<f64>().is_ok())
}

/// Words that don't change the meaning of an answer.
const LITTLE: [&str; 6] = ["the", "a", "on", "in", "at", "please"];

/// Returns the lines that these words make of the proposed lines.
fn lines_with(play: &Play, proposed: &[String], said: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in proposed {
        for changed in corrections::lines_in_place_of(play, line, said) {
            if !lines.contains(&changed) {
                lines.push(changed);
            }
        }
    }
    lines
}

/// Returns true if an answer only states again what the proposed line does, such as `they take
/// cover` for `cover p1,p2`.
fn repeats(play: &Play, proposed: &[String], answer: &str) -> bool {
    let [line] = proposed else { return false };
    let verb = line.split(' ').next();
    let words = words_of(answer);
    let table = play.session.table();
    let verbs = command::verbs_in(play.referee(), table, answer);
    let names = names_of_pieces(play, &words);
    let has_number = answer.contains(|c: char| c.is_ascii_digit());
    let begins_with_verb = words.first().is_some_and(|first| verb_of(play, first).is_some());
    !has_number
        && !begins_with_verb
        && names.is_empty()
        && verbs.len() == 1
        && verbs.first().map(String::as_str) == verb
        && command::unknown_words(play.referee(), table, answer).is_empty()
}

/// Returns true if the words of an answer report a roll, or are nothing but faces.
fn only_reports_dice(more: &str) -> bool {
    says_rolled(more)
        || more.split([' ', ',']).all(|word| word.is_empty() || word.parse::<u32>().is_ok())
}

/// Returns true if an answer says that dice were rolled.
fn says_rolled(answer: &str) -> bool {
    TypedLine::read(answer).is_ok_and(|typed| command::says_rolled(&typed))
}

/// Returns the words of an answer in lower case, without the punctuation around them.
fn words_of(answer: &str) -> Vec<String> {
    let words = answer.split([' ', ',']).map(|word| word.trim_matches(['.', '!', ';', ':']));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
