//! Ways to cheat that were thought up from the list of those that were found once: each comes to nothing, or is seen.

use std::fs;
use std::path::Path;

use adjutant::session_folder;
use adjutant_dice::Seed;
use adjutant_engine::session::{Head, Session};
use adjutant_second_verifier::check;

use crate::kit::session::{begin, begin_with, keep, open, type_line};
use crate::kit::{Table, adjutant};
use crate::session_fair_dice::unsealed;
use crate::session_fields::{Journal, JournalText, bits_and_pieces, sealed, verdict};
use crate::session_forged::seal_lines;

/// What somebody does to the lines of a journal.
type Rewrite<'a> = &'a dyn Fn(&mut Vec<String>);

/// An evening in two sittings: words, throws, a resume in the middle. Returns its closing head.
fn evening(path: &Path) -> Head {
    let session = begin_with(Seed::from_text("candle"), vec!["six will do".to_owned()]);
    let mut session = keep(session, path);
    for line in ["next", "strike c3", "next"] {
        type_line(&mut session, line, 1).unwrap();
    }
    drop(session);
    let mut session = open(path, 2);
    for line in ["note on we go", "strike b2", "next", "note the last word"] {
        type_line(&mut session, line, 3).unwrap();
    }
    session.head().unwrap()
}

/// Returns the session of these lines, sound in all else; `None` if it is refused.
fn read(path: &Path, lines: &[String]) -> Option<Session> {
    // Of another length than was written, but nobody counts where the line ends well.
    let lines: Vec<String> =
        lines.iter().map(|line| format!("{{{}", line.split_once(',').unwrap().1)).collect();
    seal_lines(path, &lines);
    Some(session_folder::read_session(path).ok()?.session)
}

fn place_of(lines: &[String], part: &str) -> usize {
    lines.iter().position(|line| line.contains(part)).unwrap()
}

#[test]
fn the_closing_head_fits_no_evening_that_ends_or_was_resumed_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let head = evening(&path);
    let lines = unsealed(&path);
    assert!(read(&path, &lines).unwrap().has_head(&head));
    let resumed = place_of(&lines, "\"resume\":");
    let last = lines.len() - 1;
    let changes: [(&str, Rewrite<'_>); 6] = [
        ("the last line is cut", &|lines| drop(lines.pop())),
        ("the last turn is cut", &|lines| lines.truncate(last - 1)),
        ("the last word is another", &|lines| {
            lines[last] = lines[last].replace("the last word", "a lasting word");
        }),
        ("a resume is left out", &|lines| drop(lines.remove(resumed))),
        ("a resume is put in", &|lines| lines.insert(resumed, lines[resumed].clone())),
        ("a resume comes later", &|lines| lines.swap(resumed, resumed + 1)),
    ];
    for (what, change) in changes {
        let mut changed = lines.clone();
        change(&mut changed);
        assert_ne!(changed, lines, "{what}");
        assert!(read(&path, &changed).is_none_or(|session| !session.has_head(&head)), "{what}");
    }
}

#[test]
fn words_that_were_mixed_in_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let head = evening(&path);
    let lines = unsealed(&path);
    let words = place_of(&lines, "\"words\":");
    let changes: [(&str, Rewrite<'_>); 3] = [
        ("they are left out", &|lines| drop(lines.remove(words))),
        ("they are typed twice", &|lines| lines.insert(words, lines[words].clone())),
        ("they are others", &|lines| lines[words] = lines[words].replace("six", "sixes")),
    ];
    for (what, change) in changes {
        let mut changed = lines.clone();
        change(&mut changed);
        let session = read(&path, &changed);
        let is_seen =
            |session: Session| session.verify().mismatch.is_some() && !session.has_head(&head);
        assert!(session.is_none_or(is_seen), "{what}");
    }
    // They are no step that could be undone.
    let home = tempfile::tempdir().unwrap();
    let told = |lines: &str| {
        adjutant(["play", "tests/fixtures/orchard", "--seed", "x", "--in-memory"])
            .home(home.path())
            .stdin(lines)
            .success()
    };
    let once = told("next\nmix six will do\nharvest\n");
    assert!(told("next\nmix six will do\nnote a\nundo\nharvest\n").contains(dice_of(&once)));
    assert!(!told("next\nmix sixes will do\nharvest\n").contains(dice_of(&once)));
    adjutant(["play", "tests/fixtures/orchard", "--seed", "x", "--in-memory"])
        .stdin("mix six will do\nundo\n")
        .failure();
    // Nor can they be given before the seal was shown.
    adjutant(["play", "tests/fixtures/orchard", "--words", "six will do"]).status(2);
}

/// Returns a session in memory in which these lines were typed; an amendment that asks is made.
fn played(seed: &str, lines: &str) -> Session {
    let mut table = Table::with(begin(seed));
    for line in lines.lines() {
        let before = table.session().journal().len();
        let refused = table.feed(&format!("{line}\nyes\n"));
        assert!(table.session().journal().len() > before, "{line}: {refused:?}");
    }
    table.into_session()
}

/// Returns a session in memory with a few throws, words and steps back.
fn small_evening(seed: &str, words: &str) -> Journal {
    let lines = format!(
        "strike c1\nmix {words}\nstrike c3\nnote so\nstrike b2\nundo\nroll 2d6\nset a1.heat 1\n\
         mix {words} again\nstrike a1\nundo 2\nredo\namend 1 strike b1\nnext\nroll secret 3d6\n"
    );
    Journal::of(&played(seed, &lines))
}

/// Leaves out each record of an evening, doubles it, moves it, changes its form, and replaces it by a record of an
/// evening with different words or another seed.
#[test]
fn a_record_that_is_left_out_doubled_or_moved_is_refused_or_listed() {
    let (mut refused, mut listed) = (0, 0);
    for journal in [small_evening("candle", "six will do"), bits_and_pieces()] {
        let lines = journal.lines();
        let honest = verdict(&journal.text, &journal.files).unwrap();
        // The closing head is made of it.
        let closing = |text: &str| *check(text).unwrap().hashes.last().unwrap();
        let honest_hash = closing(&journal.text);
        let strangers =
            [small_evening("candle", "seven will do"), small_evening("tallow", "six will do")];
        let mut forged: Vec<(String, Vec<JournalText>)> = Vec::new();
        let mut add = |what: String, change: &dyn Fn(&mut Vec<JournalText>)| {
            let mut changed = lines.clone();
            change(&mut changed);
            forged.push((what, changed));
        };
        for at in 1..lines.len() {
            add(format!("{at} left out"), &|lines| drop(lines.remove(at)));
            add(format!("{at} doubled"), &|lines| lines.insert(at, lines[at].clone()));
            add(format!("{at} twice as the last"), &|lines| lines.push(lines[at].clone()));
            add(format!("cut off at {at}"), &|lines| lines.truncate(at));
            add(format!("{at} of form 2"), &|lines| lines[at].v = 2);
            add(format!("{at} of form 4"), &|lines| lines[at].v = 4);
            for to in 1..lines.len() {
                add(format!("{at} moved to {to}"), &|lines| {
                    let moved = lines.remove(at);
                    lines.insert(to, moved);
                });
            }
            for (number, stranger) in strangers.iter().enumerate() {
                for line in stranger.lines().into_iter().skip(1) {
                    add(format!("{at} for one of stranger {number}"), &|lines| {
                        lines[at] = line.clone();
                    });
                    add(format!("before {at} one of stranger {number}"), &|lines| {
                        lines.insert(at, line.clone());
                    });
                }
            }
        }
        for (what, changed) in forged {
            let text = sealed(&changed).unwrap();
            let same = |(a, b): (&JournalText, &JournalText)| a.what == b.what && a.v == b.v;
            if changed.len() == lines.len() && changed.iter().zip(&lines).all(same) {
                continue;
            }
            match verdict(&text, &journal.files) {
                Err(_) => refused += 1,
                Ok(ledger) => {
                    assert_ne!(ledger, honest, "{what}");
                    // Whoever wrote down the closing head knows that it is another evening.
                    assert_ne!(closing(&text), honest_hash, "{what}");
                    listed += 1;
                }
            }
        }
    }
    assert!(refused > 500 && listed > 50, "{refused} refused, {listed} listed");
}

/// Ways to see dice and then have others: each is in the list of what a player may want to ask about.
#[test]
fn dice_that_were_seen_and_do_not_count_are_listed_by_whatever_steps_they_went() {
    for (lines, expected) in [
        ("strike c3\nundo\nstrike c3\n", &[1][..]),
        ("strike c3\nstrike c1\nundo 2\nnote so\n", &[1, 2]),
        // Undone and redone, it counts.
        ("strike c3\nundo\nredo\n", &[]),
        // The command was amended first, and then undone.
        ("strike c3\nnote so\namend 1 strike b2\nundo to 0\nstrike c3\n", &[1]),
        // It had no dice before it was amended.
        ("note so\nnote more\namend 1 strike b2\nundo to 0\nstrike c3\n", &[1]),
        // The amendment of an earlier command makes it impossible.
        ("add figure zoe at=a1\nshoot zoe at anna\namend 1 note so\nshoot anna at boris\n", &[2]),
    ] {
        let session = played("candle", lines);
        let review = session.review();
        let undone: Vec<u64> = review.undone.iter().filter_map(|command| command.number).collect();
        assert_eq!(undone, expected, "{lines}: {review:?}");
        assert_eq!(session.verify().mismatch, None);
    }
}

/// Two continuations of one copy: both are right in themselves, the same command has the same dice in both, and a head read
/// out since tells which one was played.
#[test]
fn of_two_continuations_a_head_tells_which_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let before = evening(&path);
    let journal = path.join("journal.jsonl");
    let copy = fs::read(&journal).unwrap();
    let mut played = open(&path, 4);
    type_line(&mut played, "strike a1", 5).unwrap();
    let head = played.head().unwrap();
    let dice = played.entries().last().unwrap().outcome.dice.clone();
    drop(played);
    for (line, same_dice) in [("strike a1", true), ("strike c2", true), ("note well", false)] {
        fs::write(&journal, &copy).unwrap();
        let mut other = open(&path, 4);
        type_line(&mut other, line, 5).unwrap();
        assert_eq!(other.verify().mismatch, None);
        assert!(other.has_head(&before), "{line}");
        assert_eq!(other.has_head(&head), line == "strike a1", "{line}");
        assert_eq!(other.entries().last().unwrap().outcome.dice == dice, same_dice, "{line}");
    }
}

/// Returns the dice of the last command.
fn dice_of(printed: &str) -> &str {
    let from = printed.rfind('[').unwrap();
    &printed[from..=from + printed[from..].find(']').unwrap()]
}

#[test]
fn a_text_that_the_seed_was_not_made_from_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let head = evening(&path);
    let lines = unsealed(&path);
    for text in ["Candle", "candle ", "candles", ""] {
        let mut changed = lines.clone();
        changed[0] =
            changed[0].replacen("\"seal\":", &format!("\"seed_text\":\"{text}\",\"seal\":"), 1);
        let session = read(&path, &changed);
        assert!(session.is_none_or(|s| s.verify().mismatch.is_some()), "{text:?}");
    }
    // The right one may be claimed, and is listed as a claim; but not behind a head that was read out.
    let mut changed = lines;
    changed[0] = changed[0].replacen("\"seal\":", "\"seed_text\":\"candle\",\"seal\":", 1);
    let session = read(&path, &changed);
    assert!(session.is_none_or(|session| !session.has_head(&head)));
}

#[cfg(unix)]
#[test]
fn files_for_the_umpire_replace_neither_links_nor_folders_nor_the_journal() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("here");
    fs::create_dir(&folder).unwrap();
    let victim = home.path().join("victim.html");
    fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, folder.join("link.html")).unwrap();
    std::os::unix::fs::symlink(home.path().join("nothing"), folder.join("dangling.html")).unwrap();
    fs::create_dir(folder.join("folder.html")).unwrap();
    let journal = home.path().join("adjutant/sessions/club/journal.jsonl");
    let play = |line: &str| {
        let _ = fs::remove_dir_all(home.path().join("adjutant/sessions"));
        adjutant(["play", "blitz", "--seed", "candle", "--session", "club"])
            .home(home.path())
            .folder(&folder)
            .stdin(format!("next\n{line}\n"))
            .failure();
    };
    for name in ["link.html", "dangling.html", "folder.html", "/dev/null", "no/such/folder.html"] {
        for word in ["log to", "map --svg"] {
            play(&format!("{word} {name}"));
        }
    }
    play(&format!("log to {}", journal.display()));
    assert!(fs::read_to_string(&journal).unwrap().starts_with("{\"sum\""));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    assert!(!home.path().join("nothing").exists());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}
