//! The seal: dice that neither side can choose.
//!
//! At the start the hash of the secret seed is shown. The players may then say words, which are mixed into the
//! dice. At the end the seed is told, and everyone can derive every die again. `docs/fair-dice.md` states it so
//! that another program can do the same.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::history::Entry;
use super::record::Record;
use super::{Logged, Session, StoreError};
use crate::dice::Seed;

/// The most bytes of words the players may mix in at once.
pub const MAX_WORDS: usize = 1000;

/// The secret and the players' words, from which the dice of every command follow.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    secret: Seed,
    /// The first command the words count for, and the words.
    words: Vec<(u64, String)>,
}

impl Keys {
    pub(super) fn new(secret: Seed, words: &[String]) -> Keys {
        Keys { secret, words: words.iter().map(|w| (0, w.clone())).collect() }
    }

    /// The secret itself.
    pub(super) fn secret(&self) -> &Seed {
        &self.secret
    }

    /// Mixes words into the dice of all commands from this one on.
    pub(super) fn mix(&mut self, from: u64, words: &str) {
        self.words.push((from, words.to_owned()));
    }

    /// All words with the first command each counts for.
    pub(super) fn words(&self) -> &[(u64, String)] {
        &self.words
    }

    /// The seed of the dice of a command: the secret, each of the words up to there mixed into it.
    pub(super) fn of(&self, number: u64) -> Seed {
        let mut seed = self.secret.clone();
        for (_, words) in self.words.iter().filter(|w| w.0 <= number) {
            seed = mixed(&seed, words);
        }
        seed
    }
}

impl Session {
    /// Mixes words of the players into the dice of all commands from now on.
    pub fn mix(&mut self, words: &str, at: u64) -> Result<(), StoreError> {
        self.commit(at, Record::Words(words.to_owned()))?;
        Ok(())
    }

    /// Tells the seed, and keeps that it was told.
    pub fn reveal(&mut self, at: u64) -> Result<Seed, StoreError> {
        self.commit(at, Record::Reveal(self.start.seed.clone()))?;
        Ok(self.keys.secret().clone())
    }

    /// The first command in which dice of the seed fell, whether or not it stands.
    pub fn first_dice(&self) -> Option<&Arc<Entry>> {
        let mut commands = self.log.iter().filter_map(Logged::command);
        commands.find(|e| !e.outcome.dice.is_empty() && !e.outcome.physical)
    }

    /// The number of the last command before the seed was told; none if it is still secret.
    pub fn revealed(&self) -> Option<u64> {
        let mut last = 0;
        for logged in &self.log {
            match &logged.what {
                Record::Command(entry) => last = entry.number,
                Record::Reveal(_) => return Some(last),
                _ => {}
            }
        }
        None
    }
}

/// The SHA-256 of the 32 bytes of the seed followed by the words in UTF-8.
fn mixed(seed: &Seed, words: &str) -> Seed {
    let mut hash = Sha256::new();
    hash.update(seed.bytes());
    hash.update(words.as_bytes());
    Seed::from_bytes(hash.finalize().into())
}

/// The SHA-256 of bytes in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}
