//! Dice with words for what they are: `roll d6 collapse`, `2d6: does the wall hold`. In dice notation, such
//! words are a label in brackets.

use super::play::Play;
use super::suggest;
use crate::command::TypedLine;

/// Words for the roll at the beginning of a line.
const ROLLS: [&str; 3] = ["roll", "throw", "dice"];

/// Words in front of what the dice are for.
const BEFORE: [&str; 7] = ["for", "to", "see", "on", "the", "a", "an"];

/// Returns the `roll` line with a label for a line that consists of dice and of words for what they are.
/// Returns `None` for any other line.
pub(super) fn line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let rolls = typed.tokens.first().filter(|first| ROLLS.contains(&first.bare().as_str()));
    let words = &typed.tokens[usize::from(rolls.is_some())..];
    let (dice, words) = words.split_first()?;
    let first = words.iter().find(|word| !BEFORE.contains(&word.bare().as_str()))?;
    let dice = dice.text.trim_end_matches([':', ',', ';']);
    let is_word = first.text.starts_with(char::is_alphabetic);
    let label = typed.line[first.start..].trim();
    let line = format!("roll {dice} [{label}]");
    let table = play.session.table();
    let rolled = || suggest::would_be_accepted(play.words, play.referee(), table, &line);
    // A place may have the name of a die.
    let is_place = rolls.is_none() && table.find(dice).is_some();
    let is_roll = is_dice(dice) && !is_place && !is_dice(&first.text) && is_word && rolled();
    is_roll.then_some(line)
}

/// Returns true if a word is dice notation, such as `2d6`.
fn is_dice(word: &str) -> bool {
    word.contains(['d', 'D']) && adjutant_dice::parse(word).is_ok()
}
