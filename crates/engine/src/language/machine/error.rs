//! Errors that are still possible in checked rule text.

use super::limits::{MAX_CALLS, MAX_MEMBERS, MAX_REPEATS, MAX_STEPS, MAX_TEXT};
use crate::source::Span;

/// An error during play, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}, in `{rule}`")]
pub struct PlayError {
    /// The cause, without its location.
    pub fault: PlayFault,
    /// The name of the rule, definition, attribute or other rule text in which the error happened.
    pub rule: String,
    /// The span of the failed rule text in the ruleset.
    pub span: Span,
}

/// The cause of an error during play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum PlayFault {
    #[error("a number is divided by zero")]
    DividedByZero,
    #[error("a number becomes too large")]
    TooLarge,
    #[error("a number becomes too large or too precise")]
    TooLargeOrFine,
    #[error("a fraction becomes too precise")]
    TooFine,
    #[error("an attribute of `none` is read")]
    OfNone,
    #[error("this takes more than {MAX_STEPS} steps")]
    TooLong,
    #[error("this command or view takes more than {MAX_STEPS} steps in all")]
    TooLongTogether,
    #[error("rules call each other more than {MAX_CALLS} levels deep")]
    TooDeep,
    #[error("this command has too many events")]
    TooMuch,
    #[error("lists have more than {MAX_MEMBERS} members in all")]
    TooManyMembers,
    #[error("a list can hold neither `none` nor a negative number")]
    NoSuchMember,
    #[error("`none` cannot be added to a list")]
    NoneAdded,
    #[error("this list has become too long")]
    ListTooLong,
    #[error("`none` cannot be put into a deck")]
    NonePut,
    #[error("this deck has become too large")]
    DeckTooLarge,
    #[error("there is no item {place} in a list of length {size}")]
    NoPlace { place: i64, size: usize },
    #[error("there is nothing to choose from")]
    NothingToChoose,
    #[error("there is no possible answer to \"{0}\"")]
    NoAnswer(String),
    #[error("`{attribute}` would become {value}, but must be from {low} to {high}")]
    BeyondLimits { attribute: String, value: String, low: i64, high: i64 },
    #[error("`{name}` would be {value}, but must be from {low} to {high}")]
    Argument { name: String, value: String, low: String, high: String },
    #[error("`{0}` has been removed, so nothing can point to it")]
    TakenOff(String),
    #[error("the chart `{chart}` has no value for {value}")]
    NotInChart { chart: String, value: i64 },
    #[error("no row of the table covers a total of {0}")]
    NoRow(i64),
    #[error("{0} times is over the limit of {MAX_REPEATS}")]
    TooOften(i64),
    #[error("a roll cannot have {count} {what}")]
    BadDice { count: i64, what: &'static str },
    #[error("a text is longer than {MAX_TEXT} bytes")]
    TextTooLong,
    #[error("this game has too much text to store")]
    TooMuchText,
    #[error(transparent)]
    Piece(#[from] PieceError),
    #[error("a thread of the simulation stopped early")]
    ThreadLost,
}

/// The reason why a piece cannot be added, or cannot have the values that a scenario gives it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum PieceError {
    #[error("a name has at most {0} characters")]
    NameTooLong(usize),
    #[error(
        "`{0}` cannot be a name: use letters, digits, `-`, `_` and `.`, beginning with a letter"
    )]
    NotAName(String),
    #[error("`{0}` cannot be a name: it is a word of the rule language")]
    Reserved(String),
    #[error("the name `{0}` is already in use")]
    NameInUse(String),
    #[error("there are {0} pieces already")]
    TooMany(usize),
    #[error("there is no `{0}`")]
    Unknown(String),
    #[error("this game has too much text to store")]
    TooMuchText,
}
