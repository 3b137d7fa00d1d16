//! Dice that a line reports in words: `that die was a 3`, `ann fires at bob, her dice were 3 and
//! 5`. Such dice are never used without confirmation.

use super::corrections;
use super::play::Play;
use crate::command::{self, LineError, TypedLine};

/// Words that may accompany the faces in a line that reports only dice.
const BESIDE: [&str; 48] = [
    "to", "not", "a", "an", "and", "the", "it", "it's", "its", "was", "were", "is", "are", "that",
    "that's", "they", "he", "she", "we", "i", "his", "her", "their", "my", "dice", "die", "roll",
    "rolls", "rolled", "rolling", "threw", "throws", "throw", "got", "gets", "came", "up", "then",
    "first", "second", "with", "for", "of", "says", "say", "two", "both", "another",
];

/// Returns the faces that a line reports, if it states that dice were rolled or contains little
/// else. Returns no faces for any other line.
pub(super) fn faces(line: &str) -> Vec<u32> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let mut faces = Vec::new();
    let mut says_else = false;
    for word in words_of(&typed) {
        match number_of(&word) {
            Some(number) => faces.push(number),
            None => says_else |= !word.is_empty() && !BESIDE.contains(&word.as_str()),
        }
    }
    if says_else && !command::says_rolled(&typed) { Vec::new() } else { faces }
}

/// Returns the words of a line in lower case, without the marks around them.
fn words_of(typed: &TypedLine<'_>) -> Vec<String> {
    let marks = |c: char| matches!(c, ',' | ';' | '.' | ':' | '!' | '(' | ')');
    let words = typed.tokens.iter().map(|token| token.text.trim_matches(marks));
    words.map(str::to_lowercase).collect()
}

/// Returns the number that a word states in figures or in letters.
fn number_of(word: &str) -> Option<u32> {
    let is_clear = word.bytes().all(|b| b.is_ascii_digit()) || word.len() > 2;
    command::spoken_number(word).filter(|_| is_clear)
}

/// Words for several dice that show the same face, with their number. `None` means all of the dice.
const OF_A_KIND: [(&str, Option<u32>); 6] = [
    ("double", Some(2)),
    ("pair", Some(2)),
    ("both", Some(2)),
    ("triple", Some(3)),
    ("all", None),
    ("every", None),
];

/// The maximum number of dice that may be said to show the same face.
const MAX_OF_A_KIND: u32 = 60;

/// Returns the numbers in an answer for `count` dice, whatever else it says. `double three`, `two
/// sixes` and `all ones` are several numbers.
pub(super) fn numbers(line: &str, count: u32) -> Vec<u32> {
    let Ok(typed) = TypedLine::read(line) else { return Vec::new() };
    let mut faces = Vec::new();
    let mut times = None;
    for word in words_of(&typed) {
        if let Some((_, same)) = OF_A_KIND.iter().find(|(said, _)| *said == word) {
            times = Some(same.unwrap_or(count).min(MAX_OF_A_KIND));
            continue;
        }
        if let Some(number) = number_of(&word) {
            let same = times.take().unwrap_or(1);
            faces.extend((0..same).map(|_| number));
            continue;
        }
        // `two sixes`
        let singular = ["es", "s"].iter().find_map(|end| number_of(word.strip_suffix(end)?));
        if let Some(number) = singular {
            let same = times.take().or_else(|| faces.pop()).unwrap_or(1).min(MAX_OF_A_KIND);
            faces.extend((0..same).map(|_| number));
        }
    }
    faces
}

/// Words that mark the part of a line that reports dice.
const SAYS_DICE: [&str; 11] = [
    "rolled", "rolls", "threw", "throws", "dice", "die", "roll", "throw", "rolling", "scored",
    "drew",
];

/// Words that may stand between an action and the report of its dice.
const SEPARATES: [&str; 8] = ["-", "–", "and", "they", "he", "she", "we", "i"];

/// Splits a line into its action and the dice that it reports. Returns `None` if it reports no dice
/// or only dice, or if no punctuation mark or `and` separates the two.
pub(super) fn split<'t>(typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    let bare = |text: &str| text.trim_matches([',', ';', ':', '.']).to_lowercase();
    let at =
        typed.tokens.iter().position(|token| SAYS_DICE.contains(&bare(&token.text).as_str()))?;
    let separates = |index: &usize| {
        let ends = typed.tokens[index - 1].text.ends_with([',', ';']);
        let here = typed.tokens[*index].text.as_str();
        ends || SEPARATES.contains(&here)
    };
    let start = (1..=at).rev().find(separates)?;
    let cut = typed.tokens[start].start;
    let first = typed.line[..cut].trim().trim_end_matches([',', ';', ' ']);
    let dice = typed.line[cut..].trim_start_matches(['-', '–', ' ']);
    (!faces(dice).is_empty() && !first.is_empty()).then_some((first, dice))
}

/// Returns true if the players roll the dice for a line.
pub(super) fn are_rolled_by_players(play: &Play, line: &str) -> bool {
    let dice = play.session.real_dice();
    let verb = line.split_whitespace().next().unwrap_or_default();
    dice.all || dice.of.contains(verb)
}

/// Returns the faces reported in the rest of a line whose first part is proposed.
pub(super) fn faces_beside(error: &LineError) -> Vec<u32> {
    error.rest_of_line().map(faces).unwrap_or_default()
}

/// Returns help for a line whose dice were reported with it, although the program would roll them.
pub(super) fn help_before(line: &str) -> String {
    let verb = line.split_whitespace().next().unwrap_or_default();
    format!(
        "the program would roll for `{line}`; to enter the players' dice, type `dice physical {verb}`, then the line"
    )
}

/// Returns the error for a line that reports dice, with help on how to enter them for the last
/// command.
pub(super) fn with_help(play: &Play, error: &LineError, typed: &TypedLine<'_>) -> LineError {
    let no_dice = LineError { span: error.span, ..LineError::no_dice_asked(typed.tokens.first()) };
    let Some(last) = corrections::last_replaceable(play) else { return no_dice };
    let line = &last.line;
    if last.outcome.dice.is_empty() {
        return if play.session.real_dice().all {
            no_dice.help("type the line first; then you are asked for its dice")
        } else {
            no_dice
        };
    }
    if last.outcome.physical {
        return LineError {
            message: format!("the dice for `{line}` have already been typed"),
            ..no_dice
        }
        .proposing(vec![format!("oops {line}")]);
    }
    let verb = line.split_whitespace().next().unwrap_or_default();
    no_dice.help(format!(
        "the program rolled for `{line}`; to enter the players' dice, type `undo`, `dice physical {verb}`, \
         and the line again"
    ))
}

/// Returns true if a correction is only about dice: it reports a roll, or it consists only of faces
/// that the players' dice for the last command can show.
pub(super) fn corrects_dice(play: &Play, said: &str) -> bool {
    let Ok(typed) = TypedLine::read(said) else { return false };
    if command::says_rolled(&typed) {
        return true;
    }
    let said = faces(said);
    let Some(last) = corrections::last_replaceable(play).filter(|last| last.outcome.physical)
    else {
        return false;
    };
    let most = last.outcome.dice.iter().map(|(sides, _)| *sides).max().unwrap_or(0);
    !said.is_empty() && said.iter().all(|face| (1..=most).contains(face))
}

#[cfg(test)]
mod tests {
    use super::{faces, numbers};

    #[test]
    fn faces_need_a_line_about_dice() {
        assert_eq!(faces("that die was a 3"), [3]);
        assert_eq!(faces("they rolled 5, 5 and 4"), [5, 5, 4]);
        assert_eq!(faces("5 that is a hit"), [0_u32; 0]);
    }

    #[test]
    fn an_answer_for_dice_may_say_more() {
        assert_eq!(numbers("5 5 4, knocked out!", 3), [5, 5, 4]);
        assert_eq!(numbers("5 thats a hit", 1), [5]);
        assert_eq!(numbers("reds got 6, blues two", 2), [6, 2]);
        assert_eq!(numbers("double three", 2), [3, 3]);
        assert_eq!(numbers("two sixes and a one", 3), [6, 6, 1]);
        assert_eq!(numbers("all fives", 4), [5, 5, 5, 5]);
        assert_eq!(numbers("sixes", 1), [6]);
        assert_eq!(numbers("nobody knows", 2), [0_u32; 0]);
        assert_eq!(numbers("all ones", u32::MAX).len(), 60);
    }
}
