//! A program that plays and is killed: at its start, while it reads, in and after a write. Nothing that it told to be
//! done is lost, and nothing stands there that it was not told.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use adjutant::session_folder::{self, StoreError, list_sessions};
use adjutant::shipped;
use adjutant_engine::ruleset::FileText;
use adjutant_engine::session::SessionError;

use crate::kit::Table;
use crate::kit::session::{keep, open};
use crate::kit::typist::Typist;

/// The folder of sessions, the game, and a number, of the program that is killed.
const TABLE: [&str; 3] = ["KILLS_FOLDER", "KILLS_GAME", "KILLS_NUMBER"];
const GAMES: [&str; 5] = ["blitz", "firefight", "house-clearing", "mtb", "tarr"];

/// The rules of a game, a little different each time.
fn rules(game: &str) -> Result<Vec<FileText>, Box<dyn std::error::Error>> {
    static TIMES: AtomicU64 = AtomicU64::new(0);
    let mut files = shipped::files(game).ok_or("no such game")?;
    let times = TIMES.fetch_add(1, Ordering::Relaxed);
    files[0]
        .text
        .push_str(&format!("# read again by {} for the {times}. time\n", std::process::id()));
    Ok(files)
}

/// Not a test by itself: the program that is killed. It tells of each line that is done the number of lines in the
/// journal and the checksum of the last.
#[test]
#[ignore = "a helper of the kills"]
fn player() {
    let [Some(folder), Some(game), Some(number)] = TABLE.map(|name| std::env::var(name).ok())
    else {
        return;
    };
    let root = Path::new(&folder);
    let number: u64 = number.parse().unwrap();
    let tell = |what: &str| {
        println!("\n{what}");
        std::io::stdout().flush().unwrap();
    };
    let mut table = match list_sessions(root).unwrap().pop() {
        Some(found) => Table::saved(open(&found.path, number)),
        None => Table::saved(keep(Table::of(&game).into_session(), &root.join("evening"))),
    };
    table = table.ask_random(true);
    table.game.root = Some(root.to_owned());
    table.game.reread = Some(rules);
    tell("ready");
    let mut typist = Typist::new(number);
    loop {
        let last = table.session().next_number();
        let line = match typist.below(12) {
            0 => "undo".to_owned(),
            1 => "redo".to_owned(),
            2 => format!("amend {} roll 3d6", 1 + typist.below(last as usize)),
            3 => format!(
                "amend {} {}",
                1 + typist.below(last as usize),
                typist.line(table.session())
            ),
            4 => "reload".to_owned(),
            5 => format!("save evening-{}", typist.below(1_000_000)),
            6 => format!("log to {folder}/transcript-{}.md", typist.below(3)),
            7 => "next !".to_owned(),
            8 => "roll 4d6kh3".to_owned(),
            _ => typist.line(table.session()),
        };
        let refused = table.feed(&format!("{line}\n2 1 3 4 1\n"));
        if refused.is_none_or(|reason| !reason.starts_with("line 1:")) {
            let journal = table.game.folder.as_ref().unwrap().path().join("journal.jsonl");
            let journal = fs::read_to_string(journal).unwrap();
            let last = journal.lines().last().unwrap();
            tell(&format!("done {} {}", journal.lines().count(), &last[..40]));
        }
    }
}

/// Kills a program so many times in a game. Returns the number of lines that were done.
fn kills(game: &str, times: u64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut told: Vec<(usize, String)> = Vec::new();
    let mut done = 0;
    for time in 0..times {
        let settings = [root.to_str().unwrap().to_owned(), game.to_owned(), time.to_string()];
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "session_kills::player",
                "--exact",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .envs(TABLE.into_iter().zip(settings))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // One in eight is killed while it starts; the others after some lines, and a while.
        let wait = Duration::from_micros((time * 7_919) % 4_000);
        let after = (time % 8) as usize * 2;
        let mut take = |line: String| {
            let Some((number, sum)) = line.strip_prefix("done ").and_then(|l| l.split_once(' '))
            else {
                return false;
            };
            told.push((number.parse().unwrap(), sum.to_owned()));
            true
        };
        if after == 0 {
            thread::sleep(wait * 20);
        } else {
            lines.by_ref().find(|line| line == "ready").unwrap();
            assert_eq!(
                lines.by_ref().filter_map(|line| take(line).then_some(())).take(after).count(),
                after
            );
            thread::sleep(wait);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done += lines.filter_map(|line| take(line).then_some(())).count() + after;
        check(game, root, &told, time % 10 == 9);
    }
    done
}

/// Checks that the session in a folder is sound and holds all that was told, and now and then that it is verified.
fn check(game: &str, root: &Path, told: &[(usize, String)], verify: bool) {
    let sessions = list_sessions(root).unwrap();
    let Some(found) = sessions.first() else {
        assert!(told.is_empty(), "{game}: the session is gone");
        return;
    };
    assert_eq!(sessions.len(), 1, "{game}: {sessions:?}");
    let journal = fs::read_to_string(found.path.join("journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    for (number, sum) in told {
        // The checksum of a line is one of all lines before it, too.
        assert!(lines[number - 1].starts_with(sum.as_str()), "{game}: line {number} is another");
    }
    let session = match session_folder::read_session(&found.path) {
        Ok(opened) => opened.session,
        Err(StoreError::Session(SessionError::Empty(_))) if told.is_empty() => return,
        Err(error) => panic!("{game}: {error}"),
    };
    if verify {
        assert_eq!(session.verify().mismatch, None, "{game}");
    }
}

#[test]
fn nothing_told_is_lost_to_a_kill() {
    assert!(kills("house-clearing", 10) > 30);
}

#[test]
#[ignore = "a thousand kills, two hundred in each game: minutes"]
fn nothing_told_is_lost_to_a_thousand_kills_long() {
    for game in GAMES {
        let done = kills(game, 200);
        println!("{game}: 200 kills, {done} lines done before them");
    }
}
