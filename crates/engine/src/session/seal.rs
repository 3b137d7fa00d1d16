//! The seal, which ensures that neither the umpire nor the players can choose the dice.
//!
//! At the start, the program shows the seal, which is the hash of the secret seed. At any time, the
//! players can supply words, which are mixed into all later dice. At the end, the seed is revealed,
//! and anyone can derive every die again. `docs/fair-dice.md` describes the method in enough detail
//! for another program to do the same.

use adjutant_dice::Seed;
use sha2::{Digest, Sha256};
use unicode_width::UnicodeWidthChar;

use super::history::Entry;
use super::record::{LookRecord, Record};
use super::{LoggedRecord, Session, SessionError};
use crate::names::is_invisible;
use crate::referee::Outcome;

/// The maximum length of words to mix in, in bytes.
pub const MAX_WORDS: usize = 1000;

/// The reason why words cannot be mixed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The text has no letters or digits.
    #[error("type some words, or a number")]
    Empty,
    /// The words have more than [`MAX_WORDS`] bytes.
    #[error("the words to mix in can have at most {MAX_WORDS} bytes")]
    Long,
    /// The words contain this letter with an accent or from another alphabet, this digit of another
    /// script, this combining accent or this invisible character, which people could hear or read
    /// in different ways.
    #[error(
        "`{0}` can't be mixed in: only the letters a to z and digits can, because everyone hears them the same way"
    )]
    Letter(String),
}

/// Returns the plain form of words, which is the form that is mixed into the dice: lower-case
/// letters from a to z, digits, and single spaces. Capitals and punctuation therefore make no
/// difference to the dice, and no one can try different spellings.
///
/// # Errors
/// Fails if there are no letters or digits, if the words are too long, or if they contain letters
/// or digits of other alphabets, accents, or invisible characters.
pub fn plain_words(words: &str) -> Result<String, WordsError> {
    if words.len() > MAX_WORDS {
        return Err(WordsError::Long);
    }
    let mut plain = String::new();
    let mut apart = false;
    for c in words.chars() {
        let lower = c.to_ascii_lowercase();
        if lower.is_ascii_alphanumeric() {
            if apart && !plain.is_empty() {
                plain.push(' ');
            }
            plain.push(lower);
            apart = false;
        } else if c != ' ' && (is_invisible(c) || c.width() == Some(0)) {
            return Err(WordsError::Letter(c.escape_unicode().to_string()));
        } else if c.is_alphanumeric() {
            return Err(WordsError::Letter(c.to_string()));
        } else {
            apart = true;
        }
    }
    if plain.is_empty() { Err(WordsError::Empty) } else { Ok(plain) }
}

/// The secret seed and the players' words, from which the dice of every throw are derived.
#[derive(Clone, Debug)]
pub(super) struct DiceKeys {
    secret: Seed,
    /// The words that the players mixed in. Each entry also has the number of the first throw that
    /// its words affect.
    words: Vec<(u64, String)>,
    /// The number of the next throw, which is also the number of its stream.
    next: u64,
}

impl DiceKeys {
    pub(super) fn new(secret: Seed) -> DiceKeys {
        DiceKeys { secret, words: Vec::new(), next: 1 }
    }

    /// Returns the number of the next throw, which is also the number of its stream.
    pub(super) fn next_throw(&self) -> u64 {
        self.next
    }

    /// Returns the throw number to record with a new command; `None` if the command rolled no dice
    /// from the seed.
    pub(super) fn throw_number(&self, outcome: &Outcome) -> Option<u64> {
        outcome.has_seeded_dice().then_some(self.next)
    }

    /// Marks the throw number of a command, if it has one, as used.
    pub(super) fn mark_used(&mut self, entry: &Entry) {
        let used = entry.throw.map_or(0, |stream| stream + 1);
        self.next = self.next.max(used);
    }

    /// Returns the blind: a secret derived from the seed that is hashed into every head. Without
    /// it, anyone could test guesses about secret orders against a head.
    pub(super) fn blind(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(b"adjutant blind")
            .chain_update(self.secret.bytes())
            .finalize()
            .into()
    }

    /// Returns the secret seed.
    pub(super) fn secret(&self) -> &Seed {
        &self.secret
    }

    /// Mixes words into the dice of all throws from the next one on.
    pub(super) fn mix(&mut self, words: &str) {
        self.words.push((self.next, words.to_owned()));
    }

    /// Returns all words that the players mixed in. Each entry also has the number of the first
    /// throw that its words affect.
    pub(super) fn words(&self) -> &[(u64, String)] {
        &self.words
    }

    /// Returns the seed of a stream: the secret seed, mixed with all words that affect this stream.
    pub(super) fn stream_seed(&self, stream: u64) -> Seed {
        let mut seed = self.secret.clone();
        for (_, words) in self.words.iter().filter(|w| w.0 <= stream) {
            seed = mix_seed(&seed, words);
        }
        seed
    }
}

impl Session {
    /// Records the players' words, and mixes them into the dice of all later throws. The words must
    /// be in their [plain form](plain_words).
    ///
    /// # Errors
    /// Fails if the words aren't in their plain form.
    pub fn mix(&mut self, words: &str, at: u64) -> Result<(), SessionError> {
        self.commit(at, Record::Words(words.to_owned())).map(drop)
    }

    /// Records that dice were shown but not used. `number` is the command that was to be amended;
    /// `None` for a new command.
    pub fn record_look(
        &mut self,
        number: Option<u64>,
        line: &str,
        at: u64,
    ) -> Result<(), SessionError> {
        let look = LookRecord { number, line: line.to_owned() };
        self.commit(at, Record::Look(look)).map(|_| ())
    }

    /// Returns the seed, and records that it was revealed.
    pub fn reveal(&mut self, at: u64) -> Result<Seed, SessionError> {
        self.commit(at, Record::Reveal(self.start.seed.clone()))?;
        Ok(self.keys.secret().clone())
    }

    /// Returns the number of the last command before the seed was first revealed, or 0 if there was
    /// none. Returns `None` if the seed has not been revealed.
    pub fn last_before_reveal(&self) -> Option<u64> {
        let index = self.log.iter().position(|logged| matches!(logged.what, Record::Reveal(_)))?;
        let before = &self.log[..index];
        Some(before.iter().rev().find_map(LoggedRecord::command).map_or(0, |entry| entry.number))
    }
}

/// Returns a seed: the SHA-256 of the 32 bytes of this seed followed by the words in UTF-8.
fn mix_seed(seed: &Seed, words: &str) -> Seed {
    let mut hash = Sha256::new();
    hash.update(seed.bytes());
    hash.update(words.as_bytes());
    Seed::from_bytes(hash.finalize().into())
}

/// Returns the SHA-256 of these bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::{DiceKeys, MAX_WORDS, WordsError, mix_seed, plain_words, sha256};
    use crate::session::Record;
    use crate::session::history::Entry;
    use crate::session::testing::{MEN, TestGame};
    use adjutant_dice::Seed;

    fn secret() -> Seed {
        Seed::from_bytes([0; 32])
    }

    // Computed with sha256sum: the hash of 32 zero bytes and `abc`, and the hash of that result and
    // `zwei`.
    const ONE: &str = "365aa7d8f7f9402c4b9434502b4cc89ddb09fe50d7cd95b493b834c62d5a5370";
    const TWO: &str = "9923a2807f8a7e7be326116e6d563c636c3069956a068ab246f31d4576283285";

    #[test]
    fn hashes_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(mix_seed(&secret(), "abc").to_hex(), ONE);
        assert_eq!(mix_seed(&mix_seed(&secret(), "abc"), "zwei").to_hex(), TWO);
    }

    #[test]
    fn the_blind_follows_from_the_seed() {
        // Computed with sha256sum from `adjutant blind` and 32 zero bytes.
        let blind = base16ct::lower::encode_string(&DiceKeys::new(secret()).blind());
        assert_eq!(blind, "25f31af52a40f3a1f2809b894877e786da6c4b524e4fbd790fd5b8ec106f9535");
    }

    #[test]
    fn words_that_sound_alike_have_one_plain_form() {
        let plain = |words: &str| plain_words(words).unwrap();
        for spelt in
            ["six will do", "Six will do.", " SIX  will,do!", "six-will-do", "“Six” … will do?"]
        {
            assert_eq!(plain(spelt), "six will do", "{spelt}");
        }
        assert_eq!(plain("7"), "7");
        assert_eq!(plain("it's 4 o’clock"), "it s 4 o clock");
        // The plain form of a plain form is the same.
        assert_eq!(plain(&plain("Three  Herons")), "three herons");
        for none in ["", "  ", "…!"] {
            assert_eq!(plain_words(none), Err(WordsError::Empty), "{none:?}");
        }
        assert_eq!(plain(&"a".repeat(MAX_WORDS)).len(), MAX_WORDS);
        assert_eq!(plain_words(&"a".repeat(MAX_WORDS + 1)), Err(WordsError::Long));
        // A Cyrillic i, a letter with an umlaut, a digit of another script, two invisible
        // characters, and a combining accent.
        for foreign in ["s\u{456}x", "für", "\u{661}", "a\u{200b}b", "a\u{7}", "wi\u{301}ll"] {
            let refused = plain_words(foreign);
            assert!(matches!(refused, Err(WordsError::Letter(_))), "{foreign:?}: {refused:?}");
        }
        // A visible character is shown as it is; an invisible one is escaped.
        assert_eq!(plain_words("für"), Err(WordsError::Letter("ü".to_owned())));
        assert_eq!(plain_words("a\u{200b}"), Err(WordsError::Letter("\\u{200b}".to_owned())));
    }

    #[test]
    fn words_count_for_the_throws_that_come_after_them() {
        let mut keys = DiceKeys::new(secret());
        assert_eq!(keys.stream_seed(0), secret());
        let thrown = Entry { throw: Some(1), ..Entry::default() };
        keys.mark_used(&thrown);
        assert_eq!(keys.next_throw(), 2);
        keys.mix("abc");
        assert_eq!(keys.words(), [(2, "abc".to_owned())]);
        assert_eq!(keys.stream_seed(1), secret());
        assert_eq!([keys.stream_seed(2).to_hex(), keys.stream_seed(9).to_hex()], [ONE, ONE]);
        keys.mark_used(&Entry { throw: Some(2), ..Entry::default() });
        keys.mix("zwei");
        assert_eq!([keys.stream_seed(2).to_hex(), keys.stream_seed(3).to_hex()], [ONE, TWO]);
        assert_eq!(*keys.secret(), secret());
    }

    #[test]
    fn only_what_throws_uses_a_throw_up() {
        let mut game = TestGame::of(MEN);
        let throws = |game: &TestGame| game.session.keys.next_throw();
        assert_eq!(throws(&game), 1);
        assert_eq!(game.types("note so").throw, None);
        assert_eq!((game.types("shoot ann").throw, throws(&game)), (Some(1), 2));
        assert_eq!((game.types("shoot ann").throw, throws(&game)), (Some(2), 3));
        // The throw number of an undone command is not used again.
        game.session.undo(1, 0).unwrap();
        assert_eq!(game.types("shoot ann").throw, Some(3));
        assert_eq!((game.throws("shoot ann", &[4]).throw, throws(&game)), (None, 4));
    }

    #[test]
    fn a_throw_that_is_before_others_takes_none_of_theirs() {
        let mut keys = DiceKeys::new(secret());
        keys.mark_used(&Entry { throw: Some(4), ..Entry::default() });
        keys.mark_used(&Entry { throw: Some(2), ..Entry::default() });
        keys.mark_used(&Entry { number: 7, throw: None, ..Entry::default() });
        assert_eq!(keys.next_throw(), 5);
        assert_eq!(keys.throw_number(&Default::default()), None);
    }

    #[test]
    fn words_in_another_form_than_the_plain_one_are_refused() {
        let mut game = TestGame::of(MEN);
        assert!(game.session.mix("Three herons", 0).is_err());
        assert!(game.session.players_words().is_empty());
        game.session.mix("three herons", 0).unwrap();
        assert_eq!(game.session.players_words().len(), 1);
    }

    #[test]
    fn words_that_are_mixed_in_change_the_dice_that_follow() {
        let dice = |words: Option<&str>| {
            let mut game = TestGame::of(MEN);
            let before = game.types("shoot-twice ann").outcome.dice.clone();
            if let Some(words) = words {
                game.session.mix(words, 5).unwrap();
            }
            let after: Vec<_> =
                (0..4).map(|_| game.types("shoot-twice ann").outcome.dice.clone()).collect();
            (before, after, game)
        };
        let plain = dice(None);
        let with = dice(Some("three herons"));
        assert_eq!(plain.0, with.0);
        assert_ne!(plain.1, with.1);
        assert_eq!(with.2.session.players_words(), [(2, "three herons".to_owned())]);
        assert_eq!(with.2.session.verify().words, 1);
    }

    #[test]
    fn dice_that_were_looked_at_are_on_record() {
        let mut game = TestGame::of(MEN);
        game.session.record_look(Some(3), "shoot ann", 9).unwrap();
        let last = game.session.log().last().unwrap();
        let Record::Look(look) = &last.what else { panic!("{last:?}") };
        assert_eq!((look.number, look.line.as_str(), last.at), (Some(3), "shoot ann", 9));
    }

    #[test]
    fn a_seed_that_is_revealed_is_that_of_the_seal() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        game.types("hit bob");
        assert_eq!(game.session.last_before_reveal(), None);
        let seed = game.session.reveal(9).unwrap();
        assert_eq!(seed, Seed::from_text("candle"));
        assert_eq!(seed.seal(), game.session.seal());
        game.types("hit bob");
        // Commands after the reveal don't count.
        assert_eq!(game.session.last_before_reveal(), Some(2));
        let early = {
            let mut game = TestGame::of(MEN);
            game.session.reveal(0).unwrap();
            game.session.last_before_reveal()
        };
        assert_eq!(early, Some(0));
    }
}
