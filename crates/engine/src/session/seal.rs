//! The seal: dice that neither side can choose.
//!
//! At the start the hash of the secret seed is shown. At any time the players may say words, which are mixed into the
//! dice that follow. At the end the seed is revealed, and everyone can derive every die again. `docs/fair-dice.md`
//! describes it exactly, so that another program can do the same.

use adjutant_dice::Seed;
use sha2::{Digest, Sha256};

use super::history::Entry;
use super::record::{LookRecord, Record};
use super::{Logged, Session, StoreError};
use crate::names::is_unseen;
use crate::referee::Outcome;

/// The most bytes of words the players may mix in at once.
pub const MAX_WORDS: usize = 1000;

/// Words that cannot be mixed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// There are none.
    #[error("type some words, or a number")]
    Empty,
    /// They are too long.
    #[error("words of at most {MAX_WORDS} bytes can be mixed in")]
    Long,
    /// Something in them cannot be seen, so that nobody could tell what was mixed in.
    #[error("`{0}` cannot be seen; only what everybody can read is mixed in")]
    Invisible(String),
    /// Blanks that nobody hears.
    #[error("one blank between words, and none at the ends")]
    Blanks,
}

/// Checks that words can be read out and typed again by everybody who hears them.
pub fn check_words(words: &str) -> Result<(), WordsError> {
    if words.trim().is_empty() {
        return Err(WordsError::Empty);
    }
    if words.len() > MAX_WORDS {
        return Err(WordsError::Long);
    }
    let unseen = |c: &char| *c != ' ' && (c.is_whitespace() || is_unseen(*c));
    if let Some(c) = words.chars().find(unseen) {
        return Err(WordsError::Invisible(c.escape_unicode().to_string()));
    }
    if words.trim() != words || words.contains("  ") {
        return Err(WordsError::Blanks);
    }
    Ok(())
}

/// The secret and the players' words, from which the dice of every throw follow.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    secret: Seed,
    /// The first stream the words count for, and the words.
    words: Vec<(u64, String)>,
    recipe: u32,
    /// The stream of the next throw.
    next: u64,
}

impl Keys {
    pub(super) fn new(secret: Seed, words: &[String], recipe: u32) -> Keys {
        Keys { secret, words: words.iter().map(|w| (0, w.clone())).collect(), recipe, next: 1 }
    }

    /// Returns the stream of the next throw. Under the first recipe every command has one.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Returns the stream of the dice of a command that has been resolved, as it is or would be recorded.
    pub(super) fn stream_of(&self, entry: &Entry) -> Option<u64> {
        if self.recipe == 1 { Some(entry.number) } else { entry.throw }
    }

    /// Returns the throw that is recorded with a new command.
    pub(super) fn throw(&self, outcome: &Outcome) -> Option<u64> {
        (self.recipe > 1 && outcome.throws()).then_some(self.next)
    }

    /// Marks the stream of a command as used.
    pub(super) fn take(&mut self, entry: &Entry) {
        let used = self.stream_of(entry).map_or(0, |stream| stream + 1);
        self.next = self.next.max(used);
    }

    /// Returns the secret itself.
    pub(super) fn secret(&self) -> &Seed {
        &self.secret
    }

    /// Mixes words into the dice of all throws to come.
    pub(super) fn mix(&mut self, words: &str) {
        self.words.push((self.next, words.to_owned()));
    }

    /// Returns all words with the first throw each counts for.
    pub(super) fn words(&self) -> &[(u64, String)] {
        &self.words
    }

    /// Returns the seed of a stream: the secret with the words up to there mixed into it.
    pub(super) fn of(&self, stream: u64) -> Seed {
        let mut seed = self.secret.clone();
        for (_, words) in self.words.iter().filter(|w| w.0 <= stream) {
            seed = mixed(&seed, words);
        }
        seed
    }
}

impl Session {
    /// Mixes words of the players into the dice of all throws to come.
    pub fn mix(&mut self, words: &str, at: u64) -> Result<(), StoreError> {
        self.commit(at, Record::Words(words.to_owned())).map(drop)
    }

    /// Records that dice were shown and not taken: those of an amendment of this command, or of a new one.
    pub fn looked(&mut self, number: Option<u64>, line: &str, at: u64) -> Result<(), StoreError> {
        let look = LookRecord { number, line: line.to_owned() };
        self.commit(at, Record::Look(look)).map(|_| ())
    }

    /// Returns the recipe: 1 counts commands, 2 counts throws; by 3 heads fix all of the beginning.
    pub fn recipe(&self) -> u32 {
        self.start.recipe
    }

    /// Returns the seed, and records that it was revealed.
    pub fn reveal(&mut self, at: u64) -> Result<Seed, StoreError> {
        self.commit(at, Record::Reveal(self.start.seed.clone()))?;
        Ok(self.keys.secret().clone())
    }

    /// Returns the number of the last command before the seed was revealed; none if it is still secret.
    pub fn revealed(&self) -> Option<u64> {
        let is_told = |logged: &Logged| matches!(logged.what, Record::Reveal(_));
        let before = &self.log[..self.log.iter().position(is_told)?];
        Some(before.iter().rev().find_map(Logged::command).map_or(0, |entry| entry.number))
    }
}

/// Returns the SHA-256 of the 32 bytes of the seed followed by the words in UTF-8.
fn mixed(seed: &Seed, words: &str) -> Seed {
    let mut hash = Sha256::new();
    hash.update(seed.bytes());
    hash.update(words.as_bytes());
    Seed::from_bytes(hash.finalize().into())
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}
