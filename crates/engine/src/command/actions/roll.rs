//! `roll`: rolls dice that no rule asked for.

use super::super::{ANY_NUMBER, LineError, Reading, TypedLine, Word, is_dice, typed_text};
use super::ReadAction;
use crate::referee::Action;

/// The word `roll`, which rolls dice that no rule asked for.
pub const ROLL: Word<ReadAction> = Word {
    name: "roll",
    usage: "roll [secret] DICE…",
    help: "roll dice, for example `roll 2d6+1`",
    sample: &[
        "`roll 2d6+1`, `roll 4d6kh3`, `roll 5d10>=7`, `roll d66`; `roll 2d6 d100` throws both",
        "`roll secret 2d6` keeps the throw out of the players' transcripts",
    ],
    most: ANY_NUMBER,
    ..Word::of(read as ReadAction)
};

fn read(_: &Reading<'_>, typed: &TypedLine<'_>) -> Result<Action, LineError> {
    // The verb can be left out: `2d6` means `roll 2d6`.
    let words = match typed.tokens.first() {
        Some(first) if is_dice(first) => typed.tokens.as_slice(),
        _ => typed.words_after_first(),
    };
    let (secret, words) = match words {
        [first, rest @ ..] if first.text == "secret" => (true, rest),
        words => (false, words),
    };
    let Some(first) = words.first() else {
        return Err(LineError::new(None, "roll what?").help("for example `roll 2d6+1`"));
    };
    let all = adjutant_dice::parse(&typed_text(typed.line, words)).map(|one| vec![one]).or_else(
        |error| {
            words
                .iter()
                .map(|word| adjutant_dice::parse(&word.text).ok())
                .collect::<Option<_>>()
                .ok_or(error)
        },
    );
    all.map(|dice| Action::Roll { dice, secret }).map_err(|error| LineError {
        span: Some((first.start + error.span.start, first.start + error.span.end)),
        ..LineError::new(None, error.to_string())
            .help(error.help.unwrap_or_else(|| format!("write `{}`", ROLL.usage)))
    })
}
