//! The outcome of a command, in the form that a session stores.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};

use super::record::Record;
use crate::referee::{Event, Outcome};

/// The outcome of a command. After `resume`, outcomes of earlier commands are read from the journal
/// only when they are needed, so that a long game can be resumed without reading most of its past.
#[derive(Clone, Deserialize)]
#[serde(from = "Outcome")]
pub struct StoredOutcome {
    /// The text of the record, which has been parsed once.
    written: Bytes,
    read: OnceLock<Box<Outcome>>,
}

impl StoredOutcome {
    /// Returns the outcome in the text of a command's record.
    pub(super) fn from_record(written: Bytes) -> StoredOutcome {
        StoredOutcome { written, read: OnceLock::new() }
    }
}

impl Default for StoredOutcome {
    fn default() -> StoredOutcome {
        Outcome::default().into()
    }
}

impl From<Outcome> for StoredOutcome {
    fn from(outcome: Outcome) -> StoredOutcome {
        StoredOutcome { written: Bytes::new(), read: Box::new(outcome).into() }
    }
}

impl Deref for StoredOutcome {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        let written = std::str::from_utf8(&self.written).unwrap_or_default();
        self.read.get_or_init(|| match serde_json::from_str(written) {
            // A copy has no spare capacity, unlike lists that were just parsed.
            Ok(Record::Command(read)) => Outcome::clone(&read.outcome).into(),
            // The record was parsed before, so it can be parsed again. If it can't, that is
            // reported: no command may look as if it had no effect.
            Ok(_) | Err(_) => {
                let words = "the journal's record of this command can no longer be read";
                let events = vec![Event::Said(words.to_owned())];
                Outcome { events, ..Outcome::default() }.into()
            }
        })
    }
}

impl PartialEq for StoredOutcome {
    fn eq(&self, other: &StoredOutcome) -> bool {
        **self == **other
    }
}

impl fmt::Debug for StoredOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for StoredOutcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}
