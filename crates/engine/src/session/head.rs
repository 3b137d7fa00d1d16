//! The head of the journal: a turn and twelve characters that identify everything up to some point
//! in a game.
//!
//! A head covers neither times nor program versions, so the same seed, rules and decisions give the
//! same heads. The hash begins with a secret *blind*, which is derived from the seed, so a head
//! that is read out reveals nothing about secret orders.

use std::fmt;
use std::str::FromStr;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::record::{FORM, Record};
use super::{LoggedRecord, Session, StartRecord};

/// The characters of a head, in Crockford's base 32, which avoids characters that look alike.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of characters in a head, without the turn.
const HEAD_LENGTH: usize = 12;
/// The number of times that the hash is repeated for a head. The repetition makes each attempt to
/// forge a journal with the same head costly.
const ROUNDS: u32 = 1 << 16;

/// The hash of everything up to some point in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HistoryHash([u8; 32]);

impl HistoryHash {
    /// Returns the hash at the start of a session, which covers the rules, the seal of the seed and
    /// the set-up. The secret blind prevents anyone from testing guesses against a head.
    pub(super) fn of(start: &StartRecord, blind: &[u8; 32]) -> HistoryHash {
        let files: Vec<_> = start.files.iter().map(|file| (&file.sha256, &file.scenario)).collect();
        let all = json!([
            FORM,
            start.recipe,
            start.seal,
            start.seed_text,
            start.scenario,
            files,
            start.set_up
        ]);
        let hash = Sha256::new().chain_update(blind).chain_update(format!("adjutant head\n{all}"));
        HistoryHash(hash.finalize().into())
    }

    /// Returns the hash after a record; `written` is the JSON text of the record. The hash covers
    /// the fact that play was resumed, but not the version of the program.
    pub(super) fn after(self, what: &Record, written: &str) -> HistoryHash {
        let written = match what {
            Record::Start(_) => return self,
            Record::Resume(_) => "resume",
            Record::Command(_) | Record::Undo(_) | Record::Redo(_) | Record::Amend(_) => written,
            Record::Dice(_) | Record::Words(_) | Record::Players(_) => written,
            Record::Report(_) => written,
            Record::Reload(_) | Record::AskRandom(_) => written,
            Record::Look(_) | Record::Reveal(_) => written,
        };
        HistoryHash(Sha256::new().chain_update(self.0).chain_update(written).finalize().into())
    }

    /// Returns the head for this hash in a turn. The computation takes a few milliseconds, which
    /// makes forgery expensive.
    fn head(self, turn: i64) -> Head {
        let mut hash = self.0;
        for _ in 0..ROUNDS {
            hash = Sha256::digest(hash).into();
        }
        let mut bits = hash.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let mut word = String::new();
        for _ in 0..HEAD_LENGTH {
            word.push(char::from(ALPHABET[(bits >> 59) as usize]));
            bits <<= 5;
        }
        Head { turn, word }
    }
}

/// The head of the journal at some point in a turn, such as `3:k7w2m9xq4tbd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the turn at this point.
    pub turn: i64,
    /// The twelve characters, which are letters and digits.
    pub word: String,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.turn, self.word)
    }
}

/// The error for a text that is not a head.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a head of a journal; type the head as it was read out, for example `3:k7w2m9xq4tbd`"
)]
pub struct HeadError(String);

/// Returns the character that people mean when they write this character in a head.
fn normalized_character(written: char) -> char {
    match written.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        c => c,
    }
}

impl FromStr for Head {
    type Err = HeadError;

    /// Parses a head as people may write it: in capitals, with spaces, with `o` instead of 0, or
    /// with `i` or `l` instead of 1.
    fn from_str(text: &str) -> Result<Head, HeadError> {
        let wrong = || HeadError(text.chars().take(40).flat_map(char::escape_default).collect());
        let (turn, word) = text.split_once(':').ok_or_else(wrong)?;
        let turn = turn.trim().parse().map_err(|_| wrong())?;
        let word: String =
            word.chars().filter(|c| !c.is_whitespace()).map(normalized_character).collect();
        if word.len() == HEAD_LENGTH && word.bytes().all(|b| ALPHABET.contains(&b)) {
            Ok(Head { turn, word })
        } else {
            Err(wrong())
        }
    }
}

impl LoggedRecord {
    /// Returns the head after this record, which covers everything up to and including it.
    fn head(&self) -> &Head {
        self.head.get_or_init(|| self.digested.head(self.turn))
    }
}

impl Session {
    /// Returns the head to read out after a record if that record began a turn; otherwise, returns
    /// `None`.
    pub fn head_at(&self, logged: &LoggedRecord) -> Option<Head> {
        logged.begins_turn.then(|| logged.head().clone())
    }

    /// Returns the head of everything so far; `None` if the log is empty.
    pub fn head(&self) -> Option<Head> {
        self.log.last().map(|logged| logged.head().clone())
    }

    /// Returns true if this was the head of the session after one of the records in its log.
    pub fn has_head(&self, head: &Head) -> bool {
        let of_turn = self.log.iter().filter(|logged| logged.turn == head.turn);
        of_turn.map(LoggedRecord::head).any(|known| known == head)
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn heads_are_read_as_people_write_them() {
        let head: Head = "3: K7W2 m9xq OtBd".parse().unwrap();
        assert_eq!(head.to_string(), "3:k7w2m9xq0tbd");
        // Letters that look like digits.
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
