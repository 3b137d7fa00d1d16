//! The result of a line: a reply, or a failure.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::{Arc, LazyLock};

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
    /// The text for people.
    pub text: Text,
    /// The data for machines, made from the same source as the text, not from the text itself.
    data: MachineAnswer,
    /// True if the umpire leaves the game after this reply.
    pub leaves: bool,
}

impl Reply {
    /// Returns a reply for people and for machines.
    pub fn new(text: Text, data: impl Serialize + JsonSchema) -> Reply {
        let data = render::json::to_json(&data);
        Reply { text, data: MachineAnswer::of(move || data), leaves: false }
    }

    /// Returns a reply whose data for machines is made only on request, because it is large.
    pub(super) fn with_large_data<T: Serialize + JsonSchema>(
        text: Text,
        data: impl FnOnce() -> T + Send + 'static,
    ) -> Reply {
        let data = MachineAnswer::of(move || render::json::to_json(&data()));
        Reply { text, data, leaves: false }
    }

    /// Returns a reply without data for machines.
    pub fn for_people(text: Text) -> Reply {
        Reply { text, ..Reply::default() }
    }

    /// Returns the same reply, after which the umpire leaves the game.
    pub(super) fn leaving(self) -> Reply {
        Reply { leaves: true, ..self }
    }

    /// Returns the answer for machines; null if there is none.
    pub fn data(&self) -> &Value {
        &self.data.0
    }

    /// Returns a notice, which contains no data except its words.
    pub(super) fn remark(words: impl AsRef<str>) -> Reply {
        let words = words.as_ref();
        Reply::new(Text::of(Role::Quiet, words), RemarkAnswer { remark: words.to_owned() })
    }
}

/// An answer for machines, which is made on the first request.
#[derive(Clone, Debug)]
struct MachineAnswer(Arc<LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>>);

impl MachineAnswer {
    fn of(make: impl FnOnce() -> Value + Send + 'static) -> MachineAnswer {
        MachineAnswer(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl Default for MachineAnswer {
    fn default() -> MachineAnswer {
        MachineAnswer::of(|| Value::Null)
    }
}

/// The answer to a word that replies only with a message.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct RemarkAnswer {
    /// The message, in one sentence.
    pub remark: String,
}

/// A reply, or a failure.
pub(super) type Replied = Result<Reply, Failure>;

/// The reason why a line failed. The line changed nothing, unless a reply before the failure
/// reports a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The line, or a line given within it, cannot be read.
    Line(LineError, Option<String>),
    /// The rules refuse the line, for this reason. The list contains hints.
    Refused(String, Vec<String>),
    /// A rule failed while the line was carried out.
    Halt(Halt),
    /// The line failed for another reason, given in one sentence, with notes.
    Message(String, Text),
    /// The umpire cancelled the line.
    Cancelled,
    /// The input ended at this question.
    End(String),
}

impl Failure {
    /// Returns a failure described by one sentence.
    pub fn of(message: impl Display) -> Failure {
        Failure::Message(message.to_string(), Text::new())
    }

    /// Returns the reason in one sentence.
    fn message(&self) -> String {
        match self {
            Failure::Line(error, _) => error.message.clone(),
            Failure::Refused(message, _) | Failure::Message(message, _) => message.clone(),
            Failure::Halt(halt) => halt.to_string(),
            Failure::Cancelled => "undone".to_owned(),
            Failure::End(_) => "an answer was expected, but there are no more lines".to_owned(),
        }
    }

    /// Returns the failure for people. `line` is the line that was typed.
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
                help: Some(error.help_on_one_line()),
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

/// The reason why a line failed, for machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailureAnswer {
    /// The error, in one sentence.
    pub message: String,
    /// A hint about what to type instead, or `null`. It is present only if the line itself is
    /// wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Option<String>>,
    /// The range of the error in the line, in bytes: its first byte, and the byte after its last;
    /// or `null`. It is present only if the line itself is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Option<(usize, usize)>>,
    /// True if the rules refuse the line; left out otherwise. A `!` at the end of the line may
    /// overrule them.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{RemarkAnswer, Reply};
    use crate::render::markup::Text;

    #[test]
    fn large_data_is_made_once_and_only_for_machines() {
        let made = Arc::new(AtomicU32::new(0));
        let counter = made.clone();
        let reply = Reply::with_large_data(Text::new(), move || {
            counter.fetch_add(1, Ordering::Relaxed);
            RemarkAnswer { remark: "ready".to_owned() }
        });
        let copy = reply.clone();
        assert_eq!(made.load(Ordering::Relaxed), 0);
        assert_eq!(reply.data()["remark"], "ready");
        assert_eq!(copy.data()["remark"], "ready");
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}
