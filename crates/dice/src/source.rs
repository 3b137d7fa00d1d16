//! Sources of dice faces. All dice in Adjutant come from them.

use std::fmt;

use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// An error from a [`Source`] that could not roll the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The list has fewer faces left than there are dice to roll.
    #[error("the dice script ended (faces used: {used}); expected a d{sides} next")]
    Exhausted {
        /// The number of faces in the list.
        used: usize,
        /// The number of sides of the die to be rolled next.
        sides: u32,
    },
    /// A face is not on the die.
    #[error("face {} is `{face}`, which is not on a d{sides}", index + 1)]
    OutOfRange {
        /// The face that was given.
        face: u32,
        /// The number of sides of the die to be rolled.
        sides: u32,
        /// The index of the face in the list.
        index: usize,
    },
    /// The players must roll dice. The caller asks for the faces and runs the command again with a
    /// longer list.
    #[error("the players must roll {count}d{sides}")]
    Wanted {
        /// The number of dice to roll.
        count: u32,
        /// The number of sides of each of these dice.
        sides: u32,
    },
    /// A die was rerolled so often that the source must be faulty.
    #[error("a d{sides} was rerolled {} times without a final result", super::REROLL_LIMIT)]
    Stuck {
        /// The number of sides of that die.
        sides: u32,
    },
    /// There is no die with this number of sides.
    #[error("there is no die with {sides} sides")]
    NoSuchDie {
        /// The number of sides that was requested.
        sides: u32,
    },
}

/// A source of faces.
pub trait Source {
    /// Fills `faces` with rolls of a die with `sides` sides. Every face is from 1 to `sides`.
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError>;

    /// Rolls `count` dice and appends their faces. Appends nothing if there is an error.
    fn roll(&mut self, count: u32, sides: u32, faces: &mut Vec<u32>) -> Result<(), SourceError> {
        let start = faces.len();
        faces.resize(start + count as usize, 0);
        let result = self.fill(sides, &mut faces[start..]);
        if result.is_err() {
            faces.truncate(start);
        }
        result
    }

    /// Rolls one die, and returns its face.
    fn face(&mut self, sides: u32) -> Result<u32, SourceError> {
        let mut face = [0];
        self.fill(sides, &mut face)?;
        Ok(face[0])
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        (**self).fill(sides, faces)
    }
}

/// The 32 bytes from which a session's dice are generated. Anyone who knows them can predict every
/// roll, so `Debug` hides them; [`Seed::seal`] is safe to show.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Returns the seed with these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// Returns the seed whose bytes are the SHA-256 hash of the text in UTF-8.
    pub fn from_text(text: &str) -> Seed {
        Seed(Sha256::digest(text.as_bytes()).into())
    }

    /// Parses 64 hexadecimal digits; `None` for any other text.
    pub fn from_hex(text: &str) -> Option<Seed> {
        let mut bytes = [0; 32];
        let read = base16ct::mixed::decode(text, &mut bytes).ok()?;
        (read.len() == 32).then_some(Seed(bytes))
    }

    /// Returns the bytes themselves. The journal stores them, and they are revealed at the end of
    /// the session.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Writes the bytes as 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        base16ct::lower::encode_string(&self.0)
    }

    /// Returns the SHA-256 hash of the bytes in hexadecimal. The hash is shown at the start of the
    /// session, so that nobody can replace the seed unnoticed.
    pub fn seal(&self) -> String {
        base16ct::lower::encode_string(&Sha256::digest(self.0))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

/// Dice that are generated from a seed.
///
/// The recipe, for other implementations: Bernstein's original form of ChaCha20, with the seed as
/// the key, a 64-bit block counter that starts at 0, and the stream number, little-endian, as the
/// 64-bit nonce. The key stream is read as 32-bit words, little-endian, each used once and in
/// order. For a die of `sides` sides, a word `w` is skipped if `w >= 2^32 - (2^32 mod sides)`, so
/// that every face is equally likely; otherwise the face is `w mod sides + 1`. The distributions of
/// the crate `rand` map words to faces differently, so they cannot be used.
#[derive(Debug)]
pub struct SeededSource {
    words: ChaCha20Rng,
}

impl SeededSource {
    /// Returns the dice of one stream of the seed.
    pub fn new(seed: &Seed, stream: u64) -> SeededSource {
        let mut words = ChaCha20Rng::from_seed(seed.0);
        words.set_stream(stream);
        SeededSource { words }
    }
}

impl Clone for SeededSource {
    /// Returns a copy that continues the same stream from the same position.
    fn clone(&self) -> SeededSource {
        let mut words = ChaCha20Rng::from_seed(self.words.get_seed());
        words.set_stream(self.words.get_stream());
        words.set_word_pos(self.words.get_word_pos());
        SeededSource { words }
    }
}

impl Source for SeededSource {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        if sides == 0 {
            return Err(SourceError::NoSuchDie { sides });
        }
        for face in faces {
            *face = loop {
                let word = self.words.next_u32();
                // 2^32 mod sides is less than `sides`, so only the highest words need the division.
                if word <= u32::MAX - sides || word <= u32::MAX - (sides.wrapping_neg() % sides) {
                    break word % sides + 1;
                }
            };
        }
        Ok(())
    }
}

/// Faces from a list, for tests and worked examples.
#[derive(Clone, Debug)]
pub struct ScriptedSource {
    faces: Vec<u32>,
    used: usize,
}

impl ScriptedSource {
    /// Returns a source that supplies these faces in order.
    pub fn new(faces: impl Into<Vec<u32>>) -> ScriptedSource {
        ScriptedSource { faces: faces.into(), used: 0 }
    }

    /// Returns the number of faces left.
    pub fn remaining(&self) -> usize {
        self.faces.len() - self.used
    }

    /// Takes faces from the list until `faces` is full or the list runs out. Fails if a face isn't
    /// on the die.
    fn take(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        for (slot, &face) in faces.iter_mut().zip(&self.faces[self.used..]) {
            if face == 0 || face > sides {
                return Err(SourceError::OutOfRange { face, sides, index: self.used });
            }
            *slot = face;
            self.used += 1;
        }
        Ok(())
    }
}

impl Source for ScriptedSource {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        if self.remaining() < faces.len() {
            return Err(SourceError::Exhausted { used: self.faces.len(), sides });
        }
        self.take(sides, faces)
    }
}

/// Dice that all show the same face. If a die has fewer sides, the count starts again at 1 after
/// its highest face, so face 8 becomes 2 on a six-sided die. The faces don't depend on the number
/// of dice rolled before, so two runs that roll different dice can be compared.
#[derive(Clone, Copy, Debug)]
pub struct ConstantSource(u32);

impl ConstantSource {
    /// Returns dice that show this face, counted from 1.
    pub fn new(face: u32) -> ConstantSource {
        ConstantSource(face)
    }
}

impl Source for ConstantSource {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        if sides == 0 {
            return Err(SourceError::NoSuchDie { sides });
        }
        faces.fill(self.0.saturating_sub(1) % sides + 1);
        Ok(())
    }
}

/// Faces of dice that the players rolled. When the faces run out, the error states which dice to
/// roll next. The caller asks for them, adds their faces, and runs the command again from the
/// start.
#[derive(Clone, Debug)]
pub struct SuppliedSource(ScriptedSource);

impl SuppliedSource {
    /// Returns a source that supplies the faces typed so far.
    pub fn new(faces: impl Into<Vec<u32>>) -> SuppliedSource {
        SuppliedSource(ScriptedSource::new(faces))
    }

    /// Returns the number of faces that were typed but not used.
    pub fn remaining(&self) -> usize {
        self.0.remaining()
    }
}

impl Source for SuppliedSource {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        let there = self.remaining().min(faces.len());
        self.0.take(sides, &mut faces[..there])?;
        match faces.len() - there {
            0 => Ok(()),
            count => {
                Err(SourceError::Wanted { count: count.try_into().unwrap_or(u32::MAX), sides })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_plain_chacha20() {
        // The key stream of the all-zero key and nonce, as published with the cipher.
        let mut words = SeededSource::new(&Seed::from_bytes([0; 32]), 0);
        let mut faces = Vec::new();
        words.roll(3, u32::MAX, &mut faces).unwrap();
        assert_eq!(faces, [0xade0_b876 + 1, 0x903d_f1a0 + 1, 0xe56a_5d40 + 1]);
        let mut dice = SeededSource::new(&Seed::from_bytes([0; 32]), 0);
        dice.roll(5, 100, &mut faces).unwrap();
        assert_eq!(faces[3..], [55, 57, 53, 32, 94]);
        // These faces are from another program that follows `docs/dice.md`.
        let mut candle = SeededSource::new(&Seed::from_text("candle"), 7 << 32 | 5);
        faces.clear();
        candle.roll(70, 100, &mut faces).unwrap();
        assert_eq!(faces[..6], [93, 24, 75, 38, 26, 58]);
        assert_eq!(faces[64..], [1, 58, 22, 46, 17, 66]);
    }

    #[test]
    fn a_word_is_passed_over_only_where_it_would_favour_some_faces() {
        // Of 2^32 words, 294,967,296 are too many for dice of 1,000,000,000 sides.
        let seed = Seed::from_text("candle");
        let mut words = SeededSource::new(&seed, 3).words;
        let fair = std::iter::repeat_with(|| u64::from(words.next_u32()));
        let fair = fair.filter(|word| *word < 4_000_000_000).map(|word| word % 1_000_000_000 + 1);
        let mut faces = Vec::new();
        SeededSource::new(&seed, 3).roll(1000, 1_000_000_000, &mut faces).unwrap();
        assert!(fair.take(1000).eq(faces.into_iter().map(u64::from)));
    }

    #[test]
    fn streams_differ_and_a_clone_goes_on_alike() {
        let seed = Seed::from_text("candle");
        let throw = |mut s: SeededSource| {
            let mut faces = Vec::new();
            s.roll(20, 100, &mut faces).unwrap();
            faces
        };
        assert_ne!(throw(SeededSource::new(&seed, 1)), throw(SeededSource::new(&seed, 2)));
        let mut a = SeededSource::new(&seed, 1);
        a.face(6).unwrap();
        assert_eq!(throw(a.clone()), throw(a));
    }

    #[test]
    fn the_seed_does_not_show_itself() {
        let seed = Seed::from_text("abc");
        assert_eq!(
            seed.to_hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(!format!("{seed:?}").contains("ba78"));
        assert_eq!(Seed::from_hex(&seed.to_hex()), Some(seed.clone()));
        assert_eq!(Seed::from_hex("+a"), None);
        assert_ne!(seed.seal(), seed.to_hex());
    }

    #[test]
    fn the_seal_is_the_hash_of_the_bytes() {
        let seed = Seed::from_bytes([7; 32]);
        assert_eq!(seed.bytes(), &[7; 32]);
        // The output of `sha256sum` for 32 bytes of 7.
        assert_eq!(seed.seal(), "4bb06f8e4e3a7715d201d573d0aa423762e55dabd61a2c02278fa56cc6d294e0");
    }

    #[test]
    fn constant_dice_show_a_face_that_the_die_has() {
        let mut fives = ConstantSource::new(5);
        let faces: Vec<u32> = [6, 5, 4, 1, 100].map(|sides| fives.face(sides).unwrap()).into();
        assert_eq!(faces, [5, 5, 1, 1, 5]);
        assert_eq!(fives.face(0), Err(SourceError::NoSuchDie { sides: 0 }));
    }

    #[test]
    fn scripts_say_what_is_wrong() {
        let mut script = ScriptedSource::new([3, 7]);
        assert_eq!(script.face(6), Ok(3));
        assert_eq!(script.face(6), Err(SourceError::OutOfRange { face: 7, sides: 6, index: 1 }));
        assert_eq!(script.remaining(), 1);
        let mut supplied = SuppliedSource::new([3]);
        let mut faces = Vec::new();
        let wanted = supplied.roll(3, 6, &mut faces);
        assert_eq!(wanted, Err(SourceError::Wanted { count: 2, sides: 6 }));
        assert!(faces.is_empty());
    }
}
