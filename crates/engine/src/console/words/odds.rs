//! `odds`: the odds of dice, or of a line as it would be played now. Nothing is changed.

use crate::command::{self, ANY_NUMBER, Command, LineError, Token, TypedLine};
use crate::referee::Action;
use crate::render::chances;
use crate::render::chances::{DiceOdds, VerbOdds};
use crate::render::json::answers::answer;
use adjutant_dice;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

pub(super) const ODDS: Word = Word {
    name: "odds",
    usage: "odds [exactly] DICE|LINE",
    help: "the odds of dice, or of any verb, before it is rolled; `exactly`: as fractions too; \
           `answers 2 yes` at the end answers its questions",
    line: |given| match given {
        [first, rest @ ..] if first.text == "exactly" => Some(rest),
        _ => Some(given),
    },
    most: ANY_NUMBER,
    looks: true,
    ..Word::of(Handler::immediate(odds).with_answers(&[
        || answer::<DiceOdds>("answers of odds with dice", "`odds DICE`"),
        || answer::<VerbOdds>("answers of odds with a line", "`odds LINE`"),
    ]))
};

/// Splits `exactly` off, unless it is all there is.
fn split_exactly(words: &[Token]) -> (bool, &[Token]) {
    match words {
        [first, rest @ ..] if first.text == "exactly" && !first.quoted && !rest.is_empty() => {
            (true, rest)
        }
        _ => (false, words),
    }
}

/// Splits off the answers after the last `answers`, if it is followed by any.
fn split_answers(words: &[Token]) -> (&[Token], Vec<String>) {
    let is_marker = |word: &Token| word.text == "answers" && !word.quoted;
    match words.iter().rposition(is_marker) {
        Some(index) if index > 0 && index + 1 < words.len() => {
            let answers = words[index + 1..].iter().map(|word| word.text.to_string());
            (&words[..index], answers.collect())
        }
        _ => (words, Vec::new()),
    }
}

fn odds(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    typed.need_text(ODDS.usage)?;
    let (exactly, rest) = split_exactly(typed.words_after_first());
    let (rest, answers) = split_answers(rest);
    let line = typed.inner_line(rest);
    let width = play.width;
    if let Ok(expression) = adjutant_dice::parse(&line) {
        let odds = expression.distribution().map_err(Failure::of)?;
        let text = chances::dice_text(&expression, &odds, width);
        return Ok(Reply::new(text, chances::dice_json(&expression, &odds)));
    }
    let within = |error| Failure::Line(error, Some(line.clone()));
    let table = play.session.table();
    let command = match play.non_action_word(&line).map_err(within)? {
        None => command::parse(play.referee(), table, &line).map_err(within)?,
        Some(_) => None,
    };
    if let Some(Command { action: Action::Roll { .. }, .. }) = &command {
        let error = LineError::new(None, "odds are of one pool of dice");
        return Err(error.help("write them one by one, or joined as in `odds d6+d8`").into());
    }
    let command = command.ok_or_else(|| {
        let error = LineError::new(None, "only dice and what takes dice have odds");
        error.help("for example `odds 2d6+1`, or `odds` before a line of the game")
    })?;
    let referee = play.session.stoppable_referee();
    let odds = referee.odds_with_answers(table, &command.action, command.insist, &answers)?;
    let text = chances::verb_text(&line, &odds, exactly, width);
    Ok(Reply::new(text, chances::verb_json(&line, &odds)))
}
