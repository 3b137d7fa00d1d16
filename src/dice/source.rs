//! Where faces come from. Nothing else in Adjutant is random.

use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// Why a source gave no faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The list of faces is at its end.
    #[error("the dice script is at its end after {used} faces; a d{sides} is wanted next")]
    Exhausted {
        /// How many faces the list held.
        used: usize,
        /// The die that is wanted.
        sides: u32,
    },
    /// A face is not on the die.
    #[error("face {} is `{face}`, which is not on a d{sides}", index + 1)]
    OutOfRange {
        /// The face given.
        face: u32,
        /// The die that was wanted.
        sides: u32,
        /// Its place in the list, from 0.
        index: usize,
    },
    /// These dice are to be rolled by hand; ask, and start again with the longer list.
    #[error("{count}d{sides} must be rolled by hand")]
    Wanted {
        /// How many dice are still to be rolled.
        count: u32,
        /// Their sides.
        sides: u32,
    },
    /// A die came up to be rerolled so often that the source must be stuck.
    #[error("a d{sides} was rerolled {} times and never stayed", super::REROLL_LIMIT)]
    Stuck {
        /// The die.
        sides: u32,
    },
    /// No die has this many sides.
    #[error("there is no die with {sides} sides")]
    NoSuchDie {
        /// The sides asked for.
        sides: u32,
    },
}

/// Gives the faces of dice.
pub trait Source {
    /// Throws as many dice of `sides` sides as `faces` has places; every face is from 1 to `sides`.
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError>;

    /// Throws `count` dice and appends their faces; after an error none is appended.
    fn roll(&mut self, count: u32, sides: u32, faces: &mut Vec<u32>) -> Result<(), SourceError> {
        let start = faces.len();
        faces.resize(start + count as usize, 0);
        let result = self.fill(sides, &mut faces[start..]);
        if result.is_err() {
            faces.truncate(start);
        }
        result
    }

    /// Throws one die.
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

/// What all dice of a session follow from: 32 bytes. Who knows them can tell every roll, so they
/// are never shown by accident; [`Seed::sealed`] is for showing.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed of these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// The SHA-256 of the text in UTF-8.
    pub fn from_text(text: &str) -> Seed {
        Seed(Sha256::digest(text.as_bytes()).into())
    }

    /// The seed written in 64 hexadecimal digits; none if it is anything else.
    pub fn from_hex(text: &str) -> Option<Seed> {
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        Some(Seed(bytes))
    }

    /// The bytes themselves, to be kept in the journal and revealed at the end.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The bytes as 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// The SHA-256 of the 32 bytes, in hexadecimal: shown at the start, it binds the umpire to the
    /// seed.
    pub fn sealed(&self) -> String {
        hex(&Sha256::digest(self.0))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Dice from a seed.
///
/// The recipe, so that another program can do the same: ChaCha20 as Bernstein wrote it, with the
/// seed as key, a 64-bit block counter from 0, and the stream number, little-endian, as the 64-bit
/// nonce. The key stream is read as 32-bit words, little-endian, each used once and in order. For a
/// die of `sides` sides a word `w` is passed over if `w >= 2^32 - (2^32 mod sides)`, so that every
/// face is equally likely; otherwise the face is `w mod sides + 1`.
#[derive(Clone, Debug)]
pub struct Seeded {
    words: ChaCha20Rng,
}

impl Seeded {
    /// The dice of one stream of a seed.
    pub fn new(seed: &Seed, stream: u64) -> Seeded {
        let mut words = ChaCha20Rng::from_seed(seed.0);
        words.set_stream(stream);
        Seeded { words }
    }
}

impl Source for Seeded {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        if sides == 0 {
            return Err(SourceError::NoSuchDie { sides });
        }
        for face in faces {
            *face = loop {
                let word = self.words.next_u32();
                // 2^32 mod sides is less than `sides`, so only the last few words need a closer
                // look.
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
pub struct Scripted {
    faces: Vec<u32>,
    used: usize,
}

impl Scripted {
    /// The faces in the order they will fall.
    pub fn new(faces: impl Into<Vec<u32>>) -> Scripted {
        Scripted { faces: faces.into(), used: 0 }
    }

    /// How many faces are left.
    pub fn remaining(&self) -> usize {
        self.faces.len() - self.used
    }
}

impl Source for Scripted {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        if self.remaining() < faces.len() {
            return Err(SourceError::Exhausted { used: self.faces.len(), sides });
        }
        take(&self.faces, &mut self.used, sides, faces)
    }
}

/// Faces the players rolled by hand. When they run out it says what must be rolled next; the caller
/// asks, adds the faces, and runs the command again from the start.
#[derive(Clone, Debug)]
pub struct Supplied {
    faces: Vec<u32>,
    used: usize,
}

impl Supplied {
    /// The faces told so far.
    pub fn new(faces: impl Into<Vec<u32>>) -> Supplied {
        Supplied { faces: faces.into(), used: 0 }
    }

    /// How many faces were told and not needed.
    pub fn remaining(&self) -> usize {
        self.faces.len() - self.used
    }
}

impl Source for Supplied {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        let there = self.remaining().min(faces.len());
        take(&self.faces, &mut self.used, sides, &mut faces[..there])?;
        match u32::try_from(faces.len() - there) {
            Ok(0) => Ok(()),
            Ok(count) => Err(SourceError::Wanted { count, sides }),
            Err(_) => Err(SourceError::Wanted { count: u32::MAX, sides }),
        }
    }
}

/// Hands out the next faces of a list that is long enough, if the die has them.
fn take(list: &[u32], used: &mut usize, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
    for place in faces {
        let face = list.get(*used).copied().unwrap_or(0);
        if face == 0 || face > sides {
            return Err(SourceError::OutOfRange { face, sides, index: *used });
        }
        *place = face;
        *used += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_plain_chacha20() {
        // The key stream of the all-zero key and nonce, as published with the cipher.
        let mut words = Seeded::new(&Seed::from_bytes([0; 32]), 0);
        let mut faces = Vec::new();
        words.roll(3, u32::MAX, &mut faces).unwrap();
        assert_eq!(faces, [0xade0_b876 + 1, 0x903d_f1a0 + 1, 0xe56a_5d40 + 1]);
        let mut dice = Seeded::new(&Seed::from_bytes([0; 32]), 0);
        dice.roll(5, 100, &mut faces).unwrap();
        assert_eq!(faces[3..], [55, 57, 53, 32, 94]);
        // From another program that follows `docs/dice.md`.
        let mut dice = Seeded::new(&Seed::from_text("candle"), 7 << 32 | 5);
        faces.clear();
        dice.roll(70, 100, &mut faces).unwrap();
        assert_eq!(faces[..6], [93, 24, 75, 38, 26, 58]);
        assert_eq!(faces[64..], [1, 58, 22, 46, 17, 66]);
    }

    #[test]
    fn streams_differ_and_a_clone_goes_on_alike() {
        let seed = Seed::from_text("candle");
        let throw = |mut s: Seeded| {
            let mut faces = Vec::new();
            s.roll(20, 100, &mut faces).unwrap();
            faces
        };
        assert_ne!(throw(Seeded::new(&seed, 1)), throw(Seeded::new(&seed, 2)));
        let mut a = Seeded::new(&seed, 1);
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
        assert_ne!(seed.sealed(), seed.to_hex());
    }

    #[test]
    fn scripts_say_what_is_wrong() {
        let mut script = Scripted::new([3, 7]);
        assert_eq!(script.face(6), Ok(3));
        assert_eq!(script.face(6), Err(SourceError::OutOfRange { face: 7, sides: 6, index: 1 }));
        assert_eq!(script.remaining(), 1);
        let mut supplied = Supplied::new([3]);
        let mut faces = Vec::new();
        let wanted = supplied.roll(3, 6, &mut faces);
        assert_eq!(wanted, Err(SourceError::Wanted { count: 2, sides: 6 }));
        assert!(faces.is_empty());
    }
}
