//! The head of the journal: one short word that fixes all that went before it.
//!
//! It leaves out times and the versions of programs, so that the same seed and the same lines give the same heads.

use std::fmt;
use std::str::FromStr;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::record::Record;
use super::{Logged, Session, StartRecord};

/// The characters of a head, in Crockford's base 32: none is easily mistaken for another.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of characters.
const LENGTH: usize = 12;
/// The number of times the hash is taken again, so that each try to forge a journal with the same head costs as much.
const ROUNDS: u32 = 1 << 16;

/// The hash of everything that happened so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digested([u8; 32]);

impl Digested {
    /// Returns the hash at the beginning.
    pub(super) fn of(start: &StartRecord) -> Digested {
        let (seal, recipe, scenario) = (&start.seal, start.recipe, &start.scenario);
        let mut text = format!("adjutant head\n{seal}\n{recipe}\n{scenario}");
        if recipe > 2 {
            let files = start.files.iter().map(|file| (&file.sha256, &file.scenario));
            let (files, given) = (files.collect::<Vec<_>>(), start.seed_text.is_some());
            let all =
                json!([seal, recipe, scenario, given, start.numbered_by_side, files, start.words]);
            return Digested(Sha256::digest(format!("adjutant head\n{all}")).into());
        }
        for part in start.files.iter().map(|file| &file.sha256).chain(&start.words) {
            text.push('\n');
            text += part;
        }
        Digested(Sha256::digest(text).into())
    }

    /// Returns the hash after a record that is written so.
    pub(super) fn after(self, what: &Record, written: &str) -> Digested {
        if matches!(what, Record::Start(_) | Record::Resume(_)) {
            return self;
        }
        Digested(Sha256::new().chain_update(self.0).chain_update(written).finalize().into())
    }

    /// Returns its head as a turn begins. This takes some milliseconds, on purpose.
    fn head(self, turn: i64) -> Head {
        let mut hash = self.0;
        for _ in 0..ROUNDS {
            hash = Sha256::digest(hash).into();
        }
        let mut bits = hash.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let mut word = String::new();
        for _ in 0..LENGTH {
            word.push(char::from(ALPHABET[(bits >> 59) as usize]));
            bits <<= 5;
        }
        Head { turn, word }
    }
}

/// The head of the journal as a turn began: `3:k7w2m9xq4tbd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The turn that began.
    pub turn: i64,
    /// Twelve letters and digits.
    pub word: String,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.turn, self.word)
    }
}

/// A text that is no head.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a head of a journal; type one as it was read out, such as `3:k7w2m9xq4tbd`")]
pub struct HeadError(String);

impl FromStr for Head {
    type Err = HeadError;

    /// Parses a head as people write it down: in capitals, with blanks, `o` for 0, `i` and `l` for 1.
    fn from_str(text: &str) -> Result<Head, HeadError> {
        let wrong = || HeadError(text.chars().take(40).flat_map(char::escape_default).collect());
        let (turn, word) = text.split_once(':').ok_or_else(wrong)?;
        let turn = turn.trim().parse().map_err(|_| wrong())?;
        let meant = |c: char| match c.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            c => c,
        };
        let word: String = word.chars().filter(|c| !c.is_whitespace()).map(meant).collect();
        match word.len() == LENGTH && word.bytes().all(|b| ALPHABET.contains(&b)) {
            true => Ok(Head { turn, word }),
            false => Err(wrong()),
        }
    }
}

impl Session {
    /// Returns the head that was read out with a command, if a turn began with it.
    pub fn head_at(&self, logged: &Logged) -> Option<Head> {
        let (before, head) = logged.head.as_deref()?;
        Some(head.get_or_init(|| before.head(logged.turn)).clone())
    }

    /// Returns all heads of a turn that were read out: several, if it was begun again.
    pub fn heads_of(&self, turn: i64) -> Vec<Head> {
        let begun = self.log.iter().filter(|logged| logged.turn == turn);
        begun.filter_map(|logged| self.head_at(logged)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn heads_are_read_as_people_write_them() {
        let head: Head = "3: K7W2 m9xq OtBd".parse().unwrap();
        assert_eq!(head.to_string(), "3:k7w2m9xq0tbd");
        // Letters that are taken for digits.
        for (written, meant) in [
            ("3:k7w2m9xqltbd", "3:k7w2m9xq1tbd"),
            ("3:k7w2m9xqLtbd", "3:k7w2m9xq1tbd"),
            ("3:k7w2m9xqitbd", "3:k7w2m9xq1tbd"),
            ("3:k7w2m9xqItbd", "3:k7w2m9xq1tbd"),
            ("3:k7w2m9xqotbd", "3:k7w2m9xq0tbd"),
            ("12 :\t0123 4567 89ab", "12:0123456789ab"),
        ] {
            assert_eq!(written.parse::<Head>().unwrap().to_string(), meant, "{written}");
        }
        for wrong in [
            "3:k7w2m9xqutbd",
            "3:",
            "",
            "3",
            "k7w2m9xq4tbd",
            "3:k7w2m9xq4tb",
            "3:k7w2m9xq4tbdd",
            "x:k7w2m9xq4tbd",
            "3:k7w2m9xq4tb!",
        ] {
            assert!(wrong.parse::<Head>().is_err(), "{wrong}");
        }
    }
}
