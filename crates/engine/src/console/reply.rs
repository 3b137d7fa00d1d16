//! The result of a line: a reply, or the reason why there is none.

use std::error::Error;
use std::fmt::{self, Display};

use crate::command::LineError;
use crate::language::machine::Halt;
use crate::render::markup::{Role, Text};
use crate::render::{self, message};
use crate::session::SessionError;
use crate::source::Sources;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The answer to a line.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// For people.
    pub text: Text,
    /// For machines; made from the same data, never from the text.
    pub data: Value,
    /// True if the umpire leaves the game.
    pub leaves: bool,
}

impl Reply {
    /// Returns a reply for people and for machines.
    pub fn new(text: Text, data: impl Serialize + JsonSchema) -> Reply {
        Reply { text, data: render::json::to_json(&data), leaves: false }
    }

    /// Returns a remark that carries nothing beyond its words.
    pub(super) fn remark(words: impl AsRef<str>) -> Reply {
        let words = words.as_ref();
        Reply::new(Text::of(Role::Quiet, words), RemarkAnswer { remark: words.to_owned() })
    }
}

/// The answer of a word that has nothing to report beyond its words.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct RemarkAnswer {
    /// The answer in one sentence.
    pub remark: String,
}

/// A reply, or the reason why there is none.
pub(super) type Replied = Result<Reply, Failure>;

/// The reason why a line came to nothing. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The line cannot be read, or the one within it that is given.
    Line(LineError, Option<String>),
    /// The rules refuse it for a reason; what mends it.
    Refused(String, Vec<String>),
    /// The rules stop it.
    Halt(Halt),
    /// Any other reason in one sentence, and remarks on it.
    Message(String, Text),
    /// The umpire took it back.
    Cancelled,
    /// The input ended where this was asked.
    End(String),
}

impl Failure {
    /// Returns a failure in one sentence.
    pub fn of(message: impl Display) -> Failure {
        Failure::Message(message.to_string(), Text::new())
    }

    /// Returns the reason in one sentence.
    fn message(&self) -> String {
        match self {
            Failure::Line(error, _) => error.message.clone(),
            Failure::Refused(message, _) | Failure::Message(message, _) => message.clone(),
            Failure::Halt(halt) => halt.to_string(),
            Failure::Cancelled => "taken back".to_owned(),
            Failure::End(_) => "an answer was wanted, but the lines are at their end".to_owned(),
        }
    }

    /// Returns the failure for people; `line` is the one that was typed.
    pub(super) fn text(&self, line: &str, sources: &Sources) -> Text {
        match self {
            Failure::Line(error, within) => {
                message::line_error(error, within.as_deref().unwrap_or(line))
            }
            Failure::Refused(reason, hints) => message::refused(reason, hints),
            Failure::Halt(halt) => message::halt(halt, sources),
            Failure::Message(_, remarks) => {
                let mut text = Text::of(Role::Bad, self.message());
                text.extend(remarks.clone());
                text
            }
            Failure::Cancelled => Text::of(Role::Bad, self.message()),
            Failure::End(asked) => {
                let mut text = Text::of(Role::Bad, self.message());
                text.line(Role::Quiet, format!("the question was: {asked}"));
                text
            }
        }
    }

    /// Returns the failure for machines.
    pub fn answer(&self) -> FailureAnswer {
        let answer = FailureAnswer {
            message: self.message(),
            help: None,
            place: None,
            refused: None,
            asked: None,
        };
        match self {
            Failure::Line(error, within) => FailureAnswer {
                help: Some(error.help.as_deref().map(str::to_owned)),
                place: Some(error.span.filter(|_| within.is_none())),
                ..answer
            },
            Failure::Refused(..) | Failure::Halt(Halt::Refused(_)) => {
                FailureAnswer { refused: Some(true), ..answer }
            }
            Failure::End(asked) => FailureAnswer { asked: Some(asked.clone()), ..answer },
            Failure::Halt(_) | Failure::Message(..) | Failure::Cancelled => answer,
        }
    }
}

/// The reason why a line came to nothing, for machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailureAnswer {
    /// The error, in one sentence.
    pub message: String,
    /// The right way to write the line, or `null`. Only an error in the line itself has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Option<String>>,
    /// The first byte in the line and the one past the last, or `null`. Only an error in the line itself has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Option<(usize, usize)>>,
    /// True if the rules refuse the line, and a `!` at its end would insist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<bool>,
    /// The question, if the input ended where an answer was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

impl fmt::Display for Failure {
    /// Writes the reason in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl Error for Failure {}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Failure {
        Failure::Line(error, None)
    }
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Failure {
        Failure::Halt(halt)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        Failure::of(error)
    }
}
