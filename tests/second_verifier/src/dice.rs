//! The recipe of the dice, as `docs/fair-dice.md` describes it.

use super::sha;

/// A key of the stream cipher.
pub(crate) type Key = [u8; 32];

/// Returns the key after words of the players.
pub(crate) fn mix(key: &Key, words: &str) -> Key {
    sha(&[key, words.as_bytes()])
}

/// Returns the plain form of words.
pub(crate) fn plain(words: &str) -> String {
    let apart = |c: char| !c.is_ascii_alphanumeric();
    let parts = words.split(apart).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ").to_ascii_lowercase()
}

/// Returns the faces of dice with these sides in a throw.
pub(crate) fn faces(key: &Key, throw: u64, sides: &[u64]) -> Vec<u64> {
    let mut words = (0..).flat_map(|counter| block(key, counter, throw));
    let mut face = |sides: u64| loop {
        let word = u64::from(words.next().unwrap_or_default());
        if word < (1 << 32) - (1 << 32) % sides {
            return word % sides + 1;
        }
    };
    sides.iter().map(|&sides| face(sides)).collect()
}

/// Returns a block of ChaCha20 with a counter and a nonce of 64 bits.
fn block(key: &Key, counter: u64, nonce: u64) -> [u32; 16] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    for (word, bytes) in start[4..12].iter_mut().zip(key.chunks(4)) {
        *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
    for (at, number) in [(12, counter), (14, nonce)] {
        start[at] = (number & 0xffff_ffff) as u32;
        start[at + 1] = (number >> 32) as u32;
    }
    let mut state = start;
    for round in 0..20 {
        for column in 0..4 {
            // Columns and diagonals take turns.
            let shift = |row: usize| 4 * row + (column + row * (round % 2)) % 4;
            quarter(&mut state, [shift(0), shift(1), shift(2), shift(3)]);
        }
    }
    std::array::from_fn(|i| u32::wrapping_add(state[i], start[i]))
}

fn quarter(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[x] = state[x].wrapping_add(state[y]);
        state[z] = (state[z] ^ state[x]).rotate_left(by);
    }
}

#[cfg(test)]
mod tests {
    use super::{faces, mix, plain};
    use crate::sha;

    #[test]
    fn the_examples_of_the_document() {
        let key = sha(&[b"candle"]);
        assert_eq!(faces(&key, 1, &[6; 10]), [6, 1, 2, 6, 4, 1, 3, 5, 6, 4]);
        let key = mix(&key, &plain("Six will do."));
        assert_eq!(faces(&key, 2, &[100; 5]), [64, 67, 45, 90, 23]);
    }
}
