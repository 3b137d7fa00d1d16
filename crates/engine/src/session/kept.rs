//! The outcome of a command, as a session stores it.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};

use super::record::Record;
use crate::referee::{Event, Outcome};

/// The outcome of a command. That of a command which was played before the session was resumed is read from its record
/// in the journal when somebody asks for it: a long game goes on without most of its past.
#[derive(Clone, Deserialize)]
#[serde(from = "Outcome")]
pub struct KeptOutcome {
    /// The record as it is written, which has been read once.
    written: Bytes,
    read: OnceLock<Box<Outcome>>,
}

impl KeptOutcome {
    /// Returns the outcome in the record of a command that is written so.
    pub(super) fn written(written: Bytes) -> KeptOutcome {
        KeptOutcome { written, read: OnceLock::new() }
    }
}

impl Default for KeptOutcome {
    fn default() -> KeptOutcome {
        Outcome::default().into()
    }
}

impl From<Outcome> for KeptOutcome {
    fn from(outcome: Outcome) -> KeptOutcome {
        KeptOutcome { written: Bytes::new(), read: Box::new(outcome).into() }
    }
}

impl Deref for KeptOutcome {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        let written = std::str::from_utf8(&self.written).unwrap_or_default();
        self.read.get_or_init(|| match serde_json::from_str(written) {
            // A copy has no room to spare, as lists that were read have.
            Ok(Record::Command(read)) => Outcome::clone(&read.outcome).into(),
            // What was read once is read in the same way again. If not, that is reported: no command may look as
            // if it had no effect.
            Ok(_) | Err(_) => {
                let words = "the journal's record of this command can no longer be read";
                let events = vec![Event::Said(words.to_owned())];
                Outcome { events, ..Outcome::default() }.into()
            }
        })
    }
}

impl PartialEq for KeptOutcome {
    fn eq(&self, other: &KeptOutcome) -> bool {
        **self == **other
    }
}

impl fmt::Debug for KeptOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for KeptOutcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}
