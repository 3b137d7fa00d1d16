//! The outcome of a command, in the form that a session stores.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};

use super::record::Record;
use crate::referee::{Event, Outcome};

/// The outcome of a command. If the command was read from a journal, its outcome is parsed only
/// when it is needed, so most outcomes of a long game are never held in memory in parsed form.
#[derive(Clone, Deserialize)]
#[serde(from = "Outcome")]
pub struct StoredOutcome {
    /// The JSON text of the command's record, which has been parsed once before. Empty if `read`
    /// was set from the start.
    written: Bytes,
    read: OnceLock<Box<Outcome>>,
}

impl StoredOutcome {
    /// Returns the outcome in a command's record, given as JSON text.
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
            // Parsed lists have spare capacity; their copies have none.
            Ok(Record::Command(read)) => Outcome::clone(&read.outcome).into(),
            // The record was parsed before, so this cannot happen. If it did, an empty outcome
            // would look like a command without effect, so the outcome reports the failure.
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
