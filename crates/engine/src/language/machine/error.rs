//! Faults that can still happen in rule text that has been checked.

use super::limits::{MAX_CALLS, MAX_MEMBERS, MAX_REPEATS, MAX_STEPS, MAX_TEXT};
use crate::source::Span;

/// A fault at play, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}, in `{rule}`")]
pub struct PlayError {
    /// The fault.
    pub fault: PlayFault,
    /// The rule, definition or attribute.
    pub rule: String,
    /// The place in the ruleset.
    pub span: Span,
}

/// A fault at play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum PlayFault {
    #[error("something is divided by zero")]
    DividedByZero,
    #[error("a number grows too large")]
    TooLarge,
    #[error("a number grows too large or too fine")]
    TooLargeOrFine,
    #[error("a fraction grows too fine")]
    TooFine,
    #[error("an attribute of `none` is asked")]
    OfNone,
    #[error("this runs longer than {MAX_STEPS} steps")]
    TooLong,
    #[error("all that is computed for this command or view takes more than {MAX_STEPS} steps")]
    TooLongTogether,
    #[error("rules call each other more than {MAX_CALLS} deep")]
    TooDeep,
    #[error("more happens here than one command may bring about")]
    TooMuch,
    #[error("lists have more than {MAX_MEMBERS} members")]
    TooManyMembers,
    #[error("a list can hold neither `none` nor a negative number")]
    NoSuchMember,
    #[error("`none` cannot be added to a list")]
    NoneAdded,
    #[error("this list has grown too long")]
    ListTooLong,
    #[error("`none` cannot be put into a deck")]
    NonePut,
    #[error("this deck has grown too large")]
    DeckTooLarge,
    #[error("place {place} of a list of {size} is asked for")]
    NoPlace { place: i64, size: usize },
    #[error("there is nothing to choose from")]
    NothingToChoose,
    #[error("nothing can be the answer to \"{0}\"")]
    NoAnswer(String),
    #[error("`{attribute}` would become {value}, but is from {low} to {high}")]
    BeyondLimits { attribute: String, value: String, low: i64, high: i64 },
    #[error("`{name}` would be {value}, but is from {low} to {high}")]
    Argument { name: String, value: String, low: String, high: String },
    #[error("`{0}` has been taken off, so nothing can point to it")]
    TakenOff(String),
    #[error("the chart `{chart}` has nothing for {value}")]
    NotInChart { chart: String, value: i64 },
    #[error("no row of the table has the total {0}")]
    NoRow(i64),
    #[error("{0} times is more often than {MAX_REPEATS}")]
    TooOften(i64),
    #[error("{count} {what} cannot be rolled")]
    BadDice { count: i64, what: &'static str },
    #[error("a text is longer than {MAX_TEXT} bytes")]
    TextTooLong,
    #[error("this game has more text than can be kept")]
    TooMuchText,
    #[error(transparent)]
    Piece(#[from] PieceError),
    #[error("a thread of the simulation broke off")]
    ThreadLost,
}

/// Why a piece cannot be set out, or be given what a scenario says of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is its message")]
pub enum PieceError {
    #[error("a name has at most {0} characters")]
    NameTooLong(usize),
    #[error("`{0}` cannot be a name: letters, digits, `-`, `_` and `.`, a letter first")]
    NotAName(String),
    #[error("`{0}` cannot be a name: it is a word of the rule language")]
    Reserved(String),
    #[error("the name `{0}` is in use already")]
    NameInUse(String),
    #[error("there are {0} pieces already")]
    TooMany(usize),
    #[error("there is no `{0}`")]
    Unknown(String),
    #[error("this game has more text than can be kept")]
    TooMuchText,
}
