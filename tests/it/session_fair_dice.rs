//! Every die of a journal derived again from `docs/fair-dice.md` alone: the cipher, the words, the faces are
//! written out here, and nothing of the crate's dice is used.

use crate::kit::session::{begin_with, line, type_line};
use adjutant::dice::Seed;
use sha2::{Digest, Sha256};

/// One block of ChaCha20: 16 words.
fn block(key: &[u8; 32], counter: u64, nonce: u64) -> [u32; 16] {
    let word = |i: usize| u32::from_le_bytes(key[4 * i..4 * i + 4].try_into().unwrap());
    let mut start =
        [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    (0..8).for_each(|i| start[4 + i] = word(i));
    (start[12], start[13]) = (counter as u32, (counter >> 32) as u32);
    (start[14], start[15]) = (nonce as u32, (nonce >> 32) as u32);
    let mut s: [u32; 16] = start;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            s[x] = s[x].wrapping_add(s[y]);
            s[z] = (s[z] ^ s[x]).rotate_left(by);
        }
    };
    for _ in 0..10 {
        for (a, b, c, d) in [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)] {
            quarter(a, b, c, d);
        }
        for (a, b, c, d) in [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)] {
            quarter(a, b, c, d);
        }
    }
    std::array::from_fn(|i| s[i].wrapping_add(start[i]))
}

/// The faces of dice with these sides, as command `n` throws them.
fn faces(key: &[u8; 32], n: u64, sides: &[u64]) -> Vec<u64> {
    let mut words = (0..).flat_map(|counter| block(key, counter, n));
    let mut face = |s: u64| loop {
        let w = u64::from(words.next().unwrap());
        if w < (1 << 32) - (1 << 32) % s {
            return w % s + 1;
        }
    };
    sides.iter().map(|&s| face(s)).collect()
}

fn sha(parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(parts.concat()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Compares the dice of one record; how many there were.
fn check(key: &[u8; 32], n: u64, out: &serde_json::Value) -> usize {
    if out["by_hand"] == true {
        return 0;
    }
    let (mut sides, mut told) = (Vec::new(), Vec::new());
    for run in out["dice"].as_array().unwrap_or(&Vec::new()) {
        for face in run[1].as_array().unwrap() {
            sides.push(run[0].as_u64().unwrap());
            told.push(face.as_u64().unwrap());
        }
    }
    assert_eq!(faces(key, n, &sides), told, "command {n}");
    told.len()
}

#[test]
fn every_die_follows_from_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let seed = sha(&[b"candle"]);
    let words = vec!["six will do".to_owned(), "für uns".to_owned()];
    let mut session = begin_with(Seed::from_bytes(seed), words);
    session.keep(&path).unwrap();
    for number in 0..400u64 {
        let _ = type_line(&mut session, &line(number.wrapping_mul(0x9e37_79b9_7f4a) >> 9), number);
        match number {
            150 => session.mix("and now mine", 0).unwrap(),
            60 | 200 => {
                session.undo(2, 0).unwrap();
            }
            250 => {
                let entry = session.entries()[3].clone();
                type_line(&mut session, &format!("amend {} strike b2", entry.number), 1).unwrap();
            }
            _ => {}
        }
    }
    assert_eq!(session.verify().mismatch, None);
    let mut key = [0; 32];
    let mut keys: Vec<(u64, [u8; 32])> = Vec::new();
    let (mut dice, mut next) = (0, 1);
    for line in std::fs::read_to_string(path.join("journal.jsonl")).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let what = &record["do"];
        let of = |keys: &[(u64, [u8; 32])], n: u64| keys.iter().rev().find(|k| k.0 <= n).unwrap().1;
        if let Some(start) = what.get("start") {
            assert_eq!(start["seal"], hex(&sha(&[&seed])));
            key = seed;
            for words in start["words"].as_array().unwrap() {
                key = sha(&[&key, words.as_str().unwrap().as_bytes()]);
            }
            keys.push((0, key));
            dice += check(&key, 0, &start["set_up"]);
        } else if let Some(words) = what.get("words") {
            key = sha(&[&key, words.as_str().unwrap().as_bytes()]);
            keys.push((next, key));
        } else if let Some(command) = what.get("command") {
            let n = command["n"].as_u64().unwrap();
            dice += check(&of(&keys, n), n, &command["out"]);
            next = n + 1;
        } else if let Some(amend) = what.get("amend") {
            for command in amend["now"].as_array().unwrap() {
                let n = command["n"].as_u64().unwrap();
                dice += check(&of(&keys, n), n, &command["out"]);
            }
        }
    }
    assert!(dice > 200, "{dice}");
}

#[test]
fn the_example_of_the_document_is_right() {
    let seed = sha(&[b"candle"]);
    let document = include_str!("../../docs/fair-dice.md").replace('\n', " ");
    assert!(document.contains(&hex(&seed)));
    assert!(document.contains(&hex(&sha(&[&seed]))));
    let first: Vec<String> = faces(&seed, 1, &[6; 10]).iter().map(u64::to_string).collect();
    let second: Vec<String> =
        faces(&sha(&[&seed, b"six will do"]), 2, &[100; 5]).iter().map(u64::to_string).collect();
    assert!(document.contains(&first.join(" ")), "{}", first.join(" "));
    assert!(document.contains(&second.join(" ")), "{}", second.join(" "));
}
