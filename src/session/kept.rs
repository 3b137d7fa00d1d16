//! The outcome of a command, as a session keeps it.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use bytes::Bytes;
use serde::{Deserialize, Serialize, Serializer};

use super::journal::backwards;
use super::record::{Body, Record};
use crate::referee::Outcome;

/// The outcome of a command. That of a command which was played before the session was resumed is read from its line of
/// the journal when somebody asks for it: a long game goes on without most of its past.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Outcome")]
pub struct KeptOutcome {
    /// The line of the journal, which has been read once and is sound.
    pub(super) line: Bytes,
    pub(super) read: OnceLock<Box<Outcome>>,
}

impl From<Outcome> for KeptOutcome {
    fn from(outcome: Outcome) -> KeptOutcome {
        KeptOutcome { read: Box::new(outcome).into(), ..KeptOutcome::default() }
    }
}

impl Deref for KeptOutcome {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        self.read.get_or_init(|| match backwards(&self.line).next() {
            // A copy has no room to spare, as lists that were read have.
            Some(Body { what: Record::Command(read), .. }) => Outcome::clone(&read.outcome).into(),
            _ => Box::default(),
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
