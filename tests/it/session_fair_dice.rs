//! Every die of a journal derived again from `docs/fair-dice.md` alone: the cipher, the words, the faces are
//! written out here, and nothing of the crate's dice is used.

use adjutant::session_folder;
use adjutant_dice::Seed;
use adjutant_engine::session::{Head, Session};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::kit::session::{Saved, begin_with, keep, line, type_line};

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

/// The faces of dice with these sides in throw `n`.
pub fn faces(key: &[u8; 32], n: u64, sides: &[u64]) -> Vec<u64> {
    let mut words = (0..).flat_map(|counter| block(key, counter, n));
    let mut face = |s: u64| loop {
        let w = u64::from(words.next().unwrap());
        if w < (1 << 32) - (1 << 32) % s {
            return w % s + 1;
        }
    };
    sides.iter().map(|&s| face(s)).collect()
}

/// The hash of these parts.
pub fn sha(parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(parts.concat()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Compares the dice of a throw; how many there were.
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
    assert_eq!(faces(key, n, &sides), told, "throw {n}");
    told.len()
}

/// The head after these bytes.
pub fn head(mut hash: [u8; 32]) -> String {
    for _ in 0..65_536 {
        hash = sha(&[&hash]);
    }
    let bit = |n: usize| usize::from(hash[n / 8] >> (7 - n % 8) & 1);
    let letter = |n: usize| (0..5).fold(0, |value, i| value * 2 + bit(5 * n + i));
    (0..12).map(|n| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[letter(n)])).collect()
}

/// An evening with a bit of everything, kept in a folder.
fn evening(path: &std::path::Path) -> Saved {
    let words = vec!["six will do".to_owned(), "fuer uns".to_owned()];
    let session = begin_with(Seed::from_bytes(sha(&[b"candle"])), words);
    let mut session = keep(session, path);
    for number in 0..400u64 {
        let _ = type_line(&mut session, &line(number.wrapping_mul(0x9e37_79b9_7f4a) >> 9), number);
        match number {
            150 | 300 => session.mix("and now mine", 0).unwrap(),
            60 | 200 => {
                session.undo(2, 0).unwrap();
            }
            250 => {
                let entry = session.entries()[3].clone();
                type_line(&mut session, &format!("amend {} strike b2", entry.number), 1).unwrap();
            }
            350 => session.looked(Some(3), "strike c3", 0).unwrap(),
            _ => {}
        }
    }
    session
}

/// The lines of a journal without their checksums.
pub fn unsealed(path: &std::path::Path) -> Vec<String> {
    let journal = std::fs::read_to_string(path.join("journal.jsonl")).unwrap();
    journal.lines().map(|line| format!("{{{}", line.split_once("\",").unwrap().1)).collect()
}

#[test]
fn every_die_and_head_follows_from_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = evening(&path);
    assert_eq!(session.verify().mismatch, None);
    let seed = sha(&[b"candle"]);
    let mut key = seed;
    let mut keys: Vec<(u64, [u8; 32])> = vec![(0, key)];
    let mut hash = [0; 32];
    let mut dice = 0;
    let mut next = 1;
    let mut heads = Vec::new();
    for line in std::fs::read_to_string(path.join("journal.jsonl")).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let what = &record["do"];
        let of = |keys: &[(u64, [u8; 32])], n: u64| keys.iter().rev().find(|k| k.0 <= n).unwrap().1;
        let mut thrown = |command: &serde_json::Value, next: &mut u64| {
            let Some(n) = command["throw"].as_u64() else {
                assert!(command["out"]["by_hand"] == true || command["out"].get("dice").is_none());
                return;
            };
            assert!(n <= *next, "a throw was passed over");
            *next = (*next).max(n + 1);
            dice += check(&of(&keys, n), n, &command["out"]);
        };
        let mut written = &line[line.find("\"do\":").unwrap() + 5..line.len() - 1];
        if let Some(start) = what.get("start") {
            let seal = hex(&sha(&[&seed]));
            assert_eq!((&start["seal"], &start["recipe"]), (&seal.into(), &4.into()));
            let files = start["files"].as_array().unwrap().iter();
            let files: Vec<_> = files.map(|f| json!([f["sha256"], f["scenario"]])).collect();
            let all = json!([
                record["v"],
                start["recipe"],
                start["seal"],
                start["seed_text"],
                start["scenario"],
                files,
                start["set_up"]
            ]);
            let blind = sha(&[b"adjutant blind", &seed]);
            hash = sha(&[&blind, format!("adjutant head\n{all}").as_bytes()]);
            dice += check(&key, 0, &start["set_up"]);
            continue;
        } else if let Some(words) = what.get("words") {
            key = sha(&[&key, words.as_str().unwrap().as_bytes()]);
            keys.push((next, key));
        } else if let Some(command) = what.get("command") {
            thrown(command, &mut next);
        } else if let Some(amend) = what.get("amend") {
            amend["now"].as_array().unwrap().iter().for_each(|command| thrown(command, &mut next));
        } else if what.get("resume").is_some() {
            written = "resume";
        }
        hash = sha(&[&hash, written.as_bytes()]);
        heads.push(format!("{}:{}", record["turn"], head(hash)));
    }
    assert!(dice > 200, "{dice}");
    assert_eq!(session.head().map(|head| head.to_string()), heads.last().cloned());
    let read_out: Vec<String> = session
        .log()
        .iter()
        .filter_map(|logged| session.head_at(logged))
        .map(|head| head.to_string())
        .collect();
    assert!(read_out.len() > 5, "{read_out:?}");
    assert!(read_out.iter().all(|head| heads.contains(head)), "{read_out:?}");
}

/// A session kept in a folder, in which these lines were typed.
fn kept(path: &std::path::Path, lines: &[&str]) -> Saved {
    let session = begin_with(Seed::from_text("candle"), Vec::new());
    let mut session = keep(session, path);
    lines.iter().for_each(|line| type_line(&mut session, line, 1).unwrap());
    session
}

/// The whole list of what a dishonest umpire could try, and what finds it; `docs/fair-dice.md` says the same.
#[test]
fn cheats_are_found_or_come_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let mut session = kept(&path, &["next", "strike c3", "next"]);
    let copy = |to: &str| {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.join("ruleset")).unwrap();
        std::fs::copy(path.join("journal.jsonl"), to.join("journal.jsonl")).unwrap();
        for entry in std::fs::read_dir(path.join("ruleset")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join("ruleset").join(entry.file_name())).unwrap();
        }
        to
    };
    let dice = |session: &adjutant_engine::session::Session| {
        session.entries().last().map(|entry| entry.outcome.dice.clone()).unwrap()
    };
    // Idle commands pass over no dice.
    let looked = copy("copy");
    let mut ahead = crate::kit::session::open(&looked, 1);
    type_line(&mut ahead, "strike b2", 1).unwrap();
    let seen = dice(&ahead);
    for idle in ["note one", "note two", "set a1.heat 1"] {
        type_line(&mut session, idle, 1).unwrap();
    }
    type_line(&mut session, "strike b2", 1).unwrap();
    assert_eq!(dice(&session), seen);
    // Rolling back to a copy gives the same dice; another story has another head.
    let back = copy("back");
    for line in ["next", "next", "next", "next"] {
        type_line(&mut session, line, 1).unwrap();
    }
    let head = second_turn(&session);
    let mut other = crate::kit::session::open(&back, 1);
    for line in ["undo", "strike a1", "next", "next", "next", "next"] {
        type_line(&mut other, line, 1).unwrap();
    }
    assert_eq!(other.verify().mismatch, None);
    assert!(!other.has_head(&head));
    assert_eq!(other.review().undone.len(), 1, "{:?}", other.review());
    // Looking at dice and saying no uses none up, and is on record.
    session.looked(Some(2), "strike c3", 1).unwrap();
    let mut without = crate::kit::session::open(&copy("without"), 1);
    type_line(&mut without, "strike c1", 1).unwrap();
    type_line(&mut session, "strike c1", 1).unwrap();
    assert_eq!(dice(&session), dice(&without));
    // What remains is told.
    type_line(&mut session, "dice physical", 1).unwrap();
    type_line(&mut session, "strike c2", 1).unwrap();
    type_line(&mut session, "amend 2 strike b2", 1).unwrap();
    type_line(&mut session, "overrule a1.heat 3: it rained", 1).unwrap();
    assert!(crate::kit::session::reload(&mut session, 1));
    session.mix("late words", 1).unwrap();
    let review = session.review();
    for (what, list) in [
        ("amended", &review.amended),
        ("looked", &review.looked),
        ("overruled", &review.overruled),
        ("by hand", &review.by_hand),
        ("reloads", &review.reloads),
    ] {
        assert_eq!(list.len(), 1, "{what}: {list:?}");
    }
    assert_eq!(review.words.len(), 1);
    assert!(!session.receipt().rules.as_shipped);
    assert_eq!(session.receipt().seed_text, None);
}

/// Returns the head that was read out last as the second turn began.
fn second_turn(session: &Session) -> Head {
    let read_out = session.log().iter().filter_map(|logged| session.head_at(logged));
    read_out.filter(|head| head.turn == 2).last().expect("a second turn began")
}

/// Returns the head of the second turn of a journal of these lines, which is sound in all else; none if it is refused.
fn head_of(path: &std::path::Path, lines: &[String]) -> Option<Head> {
    crate::session_forged::seal_lines(path, lines);
    let session = session_folder::read_session(path).ok()?.session;
    Some(second_turn(&session))
}

/// An umpire who writes the journal anew before a turn begins can exchange nothing of it later, however it is written.
#[test]
fn a_head_binds_all_that_is_read_of_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = kept(&path, &["next", "note a truce", "next", "next", "next", "next"]);
    let read_out = second_turn(&session);
    drop(session);
    let lines = unsealed(&path);
    assert_eq!(head_of(&path, &lines), Some(read_out));
    // The same record, the blank before the colon, a word nobody knows behind it, a line feed within.
    let rewrite: [fn(&str) -> String; 4] = [
        |line| line.to_owned(),
        |line| line.replacen("\"do\":", "\"do\" :", 1),
        |line| format!("{},\"x\":{{\"do\":1}}}}", line.strip_suffix('}').unwrap()),
        |line| line.replacen("\"do\":", "\"do\":\n", 1),
    ];
    for rewrite in rewrite {
        let heads = ["a truce", "no truce"].map(|words| {
            let mut lines = lines.clone();
            let place = lines.iter().position(|line| line.contains("a truce")).unwrap();
            let said = lines[place].replace("a truce", words);
            let rest = rewrite(&said).split_once(",").unwrap().1.to_owned();
            lines[place] = format!("{{\"len\":{},{rest}", rest.len());
            head_of(&path, &lines)
        });
        assert!(heads[0].is_none() || heads[0] != heads[1]);
    }
    // An outcome that is read again later is the one that was read first.
    let mut lines = lines;
    let rest = lines[1].split_once(",").unwrap().1.replacen("\"do\":", "\"do\":\n", 1);
    lines[1] = format!("{{\"len\":{},{rest}", rest.len());
    assert!(head_of(&path, &lines).is_some());
}

/// Nobody can change later if the seed was given and which file is which scenario.
#[test]
fn a_head_binds_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin_with(Seed::from_text("candle"), Vec::new());
    let mut session = keep(session, &path);
    for line in ["next"; 5] {
        type_line(&mut session, line, 1).unwrap();
    }
    drop(session);
    let mut lines = unsealed(&path);
    // Of another length than was written, but nobody counts where the line ends well.
    lines.iter_mut().for_each(|line| *line = format!("{{{}", line.split_once(",").unwrap().1));
    let head = head_of(&path, &lines).unwrap();
    for (old, new) in [
        ("\"seal\":", "\"seed_text\":\"candle\",\"seal\":"),
        ("\"copy\":", "\"scenario\":\"night\",\"copy\":"),
    ] {
        let mut forged = lines.clone();
        forged[0] = forged[0].replacen(old, new, 1);
        assert_ne!(forged[0], lines[0], "{old}");
        crate::session_forged::seal_lines(&path, &forged);
        let Ok(opened) = session_folder::read_session(&path) else { continue };
        assert!(!opened.session.has_head(&head), "{new}");
    }
}

/// A journal in which a throw was passed over, so that a better one could be taken, does not load.
#[test]
fn no_throw_can_be_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let mut session = begin_with(Seed::from_text("candle"), Vec::new());
    type_line(&mut session, "next", 1).unwrap();
    type_line(&mut session, "strike c3", 1).unwrap();
    let session = keep(session, &path);
    drop(session);
    let text = std::fs::read_to_string(path.join("journal.jsonl")).unwrap();
    let mut records: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = records.last_mut().unwrap();
    let throw = last["do"]["command"]["throw"].as_u64().unwrap();
    last["do"]["command"]["throw"] = (throw + 1).into();
    crate::session_forged::seal(&path, &records);
    let error = session_folder::read_session(&path).unwrap_err().to_string();
    assert!(error.contains("has its dice from throw"), "{error}");
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
