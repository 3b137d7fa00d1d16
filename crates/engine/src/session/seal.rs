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

#[cfg(test)]
mod tests {
    use super::{Keys, MAX_WORDS, WordsError, check_words, mixed, sha256};
    use crate::session::history::Entry;
    use crate::session::testing::{Game, MEN};
    use crate::session::{Record, StartRecord};
    use adjutant_dice::Seed;

    fn secret() -> Seed {
        Seed::from_bytes([0; 32])
    }

    // By sha256sum: of 32 zero bytes and `abc`, and of these 32 bytes and `zwei`.
    const ONE: &str = "365aa7d8f7f9402c4b9434502b4cc89ddb09fe50d7cd95b493b834c62d5a5370";
    const TWO: &str = "9923a2807f8a7e7be326116e6d563c636c3069956a068ab246f31d4576283285";

    #[test]
    fn hashes_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(mixed(&secret(), "abc").to_hex(), ONE);
        assert_eq!(mixed(&mixed(&secret(), "abc"), "zwei").to_hex(), TWO);
    }

    #[test]
    fn words_are_what_everybody_can_read() {
        assert_eq!(check_words("three herons"), Ok(()));
        assert_eq!(check_words("7"), Ok(()));
        assert_eq!(check_words(""), Err(WordsError::Empty));
        assert_eq!(check_words("  \t"), Err(WordsError::Empty));
        assert_eq!(check_words(&"a".repeat(MAX_WORDS)), Ok(()));
        assert_eq!(check_words(&"a".repeat(MAX_WORDS + 1)), Err(WordsError::Long));
        for unseen in ["a\tb", "a\u{200b}b", "a\u{a0}b", "a\u{7}"] {
            assert!(matches!(check_words(unseen), Err(WordsError::Invisible(_))), "{unseen:?}");
        }
        for blanks in [" a", "a ", "a  b"] {
            assert_eq!(check_words(blanks), Err(WordsError::Blanks), "{blanks:?}");
        }
    }

    #[test]
    fn words_count_for_the_throws_that_come_after_them() {
        let mut keys = Keys::new(secret(), &[], 3);
        assert_eq!(keys.of(0), secret());
        let thrown = Entry { throw: Some(1), ..Entry::default() };
        keys.take(&thrown);
        assert_eq!(keys.next(), 2);
        keys.mix("abc");
        assert_eq!(keys.words(), [(2, "abc".to_owned())]);
        assert_eq!(keys.of(1), secret());
        assert_eq!([keys.of(2).to_hex(), keys.of(9).to_hex()], [ONE, ONE]);
        keys.take(&Entry { throw: Some(2), ..Entry::default() });
        keys.mix("zwei");
        assert_eq!([keys.of(2).to_hex(), keys.of(3).to_hex()], [ONE, TWO]);
        assert_eq!(*keys.secret(), secret());
        // Words said at the beginning count for everything.
        let keys = Keys::new(secret(), &["abc".to_owned(), "zwei".to_owned()], 3);
        assert_eq!(keys.of(0).to_hex(), TWO);
    }

    #[test]
    fn only_what_throws_uses_a_throw_up() {
        let mut game = Game::of(MEN);
        let throws = |game: &Game| game.session.keys.next();
        assert_eq!(throws(&game), 1);
        assert_eq!(game.types("note so").throw, None);
        assert_eq!((game.types("shoot ann").throw, throws(&game)), (Some(1), 2));
        assert_eq!((game.types("shoot ann").throw, throws(&game)), (Some(2), 3));
        // What was taken back has used its throw up.
        game.session.undo(1, 0).unwrap();
        assert_eq!(game.types("shoot ann").throw, Some(3));
        assert_eq!((game.throws("shoot ann", &[4]).throw, throws(&game)), (None, 4));
    }

    #[test]
    fn under_the_first_recipe_every_command_has_its_stream() {
        let keys = |recipe| Keys::new(secret(), &[], recipe);
        let entry = Entry { number: 7, throw: None, ..Entry::default() };
        let thrown = Entry { number: 7, throw: Some(4), ..Entry::default() };
        assert_eq!(keys(1).stream_of(&entry), Some(7));
        assert_eq!((keys(2).stream_of(&entry), keys(2).stream_of(&thrown)), (None, Some(4)));
        let game = Game::of(MEN);
        let outcome = game.outcome("shoot ann", &Default::default());
        let recipes = [1, 2, 3].map(|recipe| keys(recipe).throw(&outcome));
        assert_eq!(recipes, [None, Some(1), Some(1)]);
        assert_eq!(keys(3).throw(&Default::default()), None);
        let mut first = keys(1);
        first.take(&entry);
        assert_eq!(first.next(), 8);
        // A throw that is before others takes none of theirs.
        let mut third = keys(3);
        third.take(&thrown);
        third.take(&Entry { throw: Some(2), ..Entry::default() });
        assert_eq!(third.next(), 5);
    }

    #[test]
    fn words_that_are_mixed_in_change_the_dice_that_follow() {
        let dice = |words: Option<&str>| {
            let mut game = Game::of(MEN);
            let before = game.types("shoot-twice ann").outcome.dice.clone();
            if let Some(words) = words {
                game.session.mix(words, 5).unwrap();
            }
            let after: Vec<_> =
                (0..4).map(|_| game.types("shoot-twice ann").outcome.dice.clone()).collect();
            (before, after, game)
        };
        let (plain, with) = (dice(None), dice(Some("three herons")));
        assert_eq!(plain.0, with.0);
        assert_ne!(plain.1, with.1);
        assert_eq!(with.2.session.words(), [(2, "three herons".to_owned())]);
        assert_eq!(with.2.session.verify().words, 1);
    }

    #[test]
    fn dice_that_were_looked_at_are_on_record() {
        let mut game = Game::of(MEN);
        game.session.looked(Some(3), "shoot ann", 9).unwrap();
        let last = game.session.log().last().unwrap();
        let Record::Look(look) = &last.what else { panic!("{last:?}") };
        assert_eq!((look.number, look.line.as_str(), last.at), (Some(3), "shoot ann", 9));
    }

    #[test]
    fn a_seed_that_is_revealed_is_that_of_the_seal() {
        let mut game = Game::of(MEN);
        assert_eq!(game.session.recipe(), 3);
        game.types("hit ann");
        game.types("hit bob");
        assert_eq!(game.session.revealed(), None);
        let seed = game.session.reveal(9).unwrap();
        assert_eq!(seed, Seed::from_text("candle"));
        assert_eq!(seed.sealed(), game.session.seal());
        game.types("hit bob");
        // What came later came when all was known.
        assert_eq!(game.session.revealed(), Some(2));
        let early = {
            let mut game = Game::of(MEN);
            game.session.reveal(0).unwrap();
            game.session.revealed()
        };
        assert_eq!(early, Some(0));
        let older = StartRecord { recipe: 1, ..StartRecord::clone(&game.session.start) };
        game.session.start = older.into();
        assert_eq!(game.session.recipe(), 1);
    }
}
