//! A session on a disk of which every call fails once, in every way, or is the last before the power goes.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use adjutant::files::{self, Disk};
use adjutant::session_folder::{self, Folder, ResumedSession, StoreError};
use adjutant_dice::Seed;
use adjutant_engine::session::{Notice, Session};

use crate::kit::disk::{Fault, Left, SimulatedDisk};
use crate::kit::session::{
    Stored, Unrecorded, begin_game, keep, keep_on, record_in, state, tiny_files, type_line,
};

const GAME: &str = "/sessions/game";
const MOVED: &str = "/sessions/moved";

fn shared(disk: &SimulatedDisk) -> Arc<dyn Disk> {
    Arc::new(disk.clone())
}

/// Something done to a session.
#[derive(Clone, Copy, Debug)]
enum Act {
    Keep,
    Type(&'static str),
    Save,
    Reopen,
}

const EVENING: [Act; 15] = [
    Act::Keep,
    Act::Type("next"),
    Act::Type("hit ann"),
    Act::Type("hit bob"),
    Act::Type("undo 2"),
    Act::Type("redo 2"),
    Act::Type("amend 2 hit bob"),
    Act::Type("undo"),
    Act::Reopen,
    Act::Type("dice physical"),
    Act::Type("hit ann"),
    Act::Save,
    Act::Type("overrule bob.hits 3: x"),
    Act::Reopen,
    Act::Type("hit bob"),
];

/// What a run of the evening came to.
struct Evening {
    /// The state after each act.
    states: Vec<Vec<String>>,
    /// True if the session was kept.
    kept: bool,
    /// The act that was not acknowledged and may all the same be on the disk.
    open: Option<usize>,
    /// The errors that were told.
    errors: Vec<String>,
}

/// A session that is saved, or not yet.
struct Playing {
    session: Session,
    folder: Option<Folder>,
}

impl Stored for Playing {
    fn session(&self) -> &Session {
        &self.session
    }
    fn record<T, E>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, Unrecorded<E>> {
        match &mut self.folder {
            Some(folder) => record_in(folder, &mut self.session, act),
            None => act(&mut self.session).map_err(Unrecorded::Refused),
        }
    }
}

fn play(disk: &SimulatedDisk) -> Evening {
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let mut playing = Playing { session, folder: None };
    let mut evening = Evening { states: Vec::new(), kept: false, open: None, errors: Vec::new() };
    for (number, act) in EVENING.into_iter().enumerate() {
        let before = state(&playing.session);
        let done = match (act, &mut playing.folder) {
            (Act::Keep, _) => {
                let kept =
                    session_folder::save_new_on(&shared(disk), &playing.session, Path::new(GAME));
                evening.kept = kept.is_ok();
                kept.map(|folder| playing.folder = Some(folder)).map_err(|e| e.to_string())
            }
            (Act::Type(line), _) => type_line(&mut playing, line, 1),
            (Act::Save | Act::Reopen, None) => Ok(()),
            (Act::Save, Some(folder)) => {
                session_folder::rename(folder, "moved").map_err(|e| e.to_string())
            }
            (Act::Reopen, Some(folder)) => {
                let path = folder.path().to_owned();
                // The lock goes with the old session, as with its program.
                playing.folder = None;
                match session_folder::open_on(&shared(&disk.unlocked()), &path, 1) {
                    Ok(resumed) => {
                        let ResumedSession { session, folder, .. } = resumed;
                        playing = Playing { session, folder: Some(folder) };
                        Ok(())
                    }
                    Err(error) => {
                        evening.errors.push(error.to_string());
                        return evening;
                    }
                }
            }
        };
        if let Err(error) = done {
            assert_eq!(state(&playing.session), before, "{act:?}: {error}");
            let unsure = error.contains("may be missing") || disk.is_off();
            if evening.open.is_none() && unsure {
                evening.open = Some(number);
            }
            evening.errors.push(error);
        }
        evening.states.push(state(&playing.session));
        if disk.is_off() {
            break;
        }
    }
    evening
}

/// Opens the session under whichever of its names it has; none if it has none.
fn reopened(disk: &SimulatedDisk) -> Option<Vec<String>> {
    let folder =
        [GAME, MOVED].into_iter().find(|f| disk.has(&Path::new(f).join("journal.jsonl")))?;
    let opened = session_folder::open_on(&shared(disk), Path::new(folder), 5);
    Some(state(&opened.unwrap_or_else(|e| panic!("{e}")).session))
}

#[test]
fn every_call_to_the_disk_may_fail_or_be_the_last() {
    let healthy = SimulatedDisk::new();
    let whole = play(&healthy);
    assert!(whole.errors.is_empty(), "{:?}", whole.errors);
    assert_eq!(reopened(&healthy.after_kill()), whole.states.last().cloned());
    let faults = [
        Fault::Refused(ErrorKind::Other),
        Fault::Refused(ErrorKind::StorageFull),
        Fault::Half,
        Fault::ReadOnly,
        Fault::Power,
        Fault::Vanished,
    ];
    let mut told = 0;
    for call in 0..healthy.calls() {
        for fault in faults {
            let disk = SimulatedDisk::failing(call, fault);
            let evening = play(&disk);
            told += evening.errors.len();
            if fault == Fault::Vanished || !evening.kept {
                continue;
            }
            let acknowledged = evening.states.last().cloned();
            let allowed = [acknowledged, evening.open.and_then(|n| whole.states.get(n).cloned())];
            let mut disks = vec![disk.after_kill()];
            if fault == Fault::Power {
                let left = [Left::Synced, Left::All, Left::Half, Left::Hole, Left::Nameless];
                disks.extend(left.map(|left| disk.after_power_cut(left)));
            }
            for (number, disk) in disks.iter().enumerate() {
                let found = reopened(disk);
                assert!(
                    found.is_some() && allowed.contains(&found),
                    "call {call}, {fault:?}, disk {number}: {found:?}, not one of {allowed:?}; {:?}",
                    evening.errors
                );
            }
        }
    }
    assert!(told > 500, "{told} errors told");
}

#[test]
fn what_a_killed_start_left_is_cleared_by_the_next() {
    let healthy = SimulatedDisk::new();
    play(&healthy);
    for call in 0..healthy.calls() {
        let disk = SimulatedDisk::failing(call, Fault::Power);
        if play(&disk).kept {
            return;
        }
        let disk = disk.after_kill();
        let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
        let name = if disk.has(Path::new(GAME)) { MOVED } else { GAME };
        let _session = keep_on(&shared(&disk), session, Path::new(name));
        let half = disk.names().into_iter().find(|p| p.to_string_lossy().contains(".making"));
        assert_eq!(half, None, "call {call}");
    }
    panic!("the session was never kept");
}

#[test]
fn an_unfinished_line_is_kept_beside_the_journal() {
    let disk = SimulatedDisk::new();
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let session = keep_on(&shared(&disk), session, Path::new(GAME));
    drop(session);
    let journal = Path::new(GAME).join("journal.jsonl");
    let disk = disk.unlocked();
    disk.open(&journal).unwrap().append(b"{\"sum\":\"half a line").unwrap();
    let opened = session_folder::open_on(&shared(&disk), Path::new(GAME), 1).unwrap();
    assert!(opened.notices.contains(&Notice::SetAside("journal.torn-1".into())));
    let aside = disk.read(&Path::new(GAME).join("journal.torn-1"), 100).unwrap();
    assert_eq!(aside, b"{\"sum\":\"half a line");
}

#[test]
fn a_disk_that_can_neither_write_nor_take_back_says_what_is_known() {
    let healthy = SimulatedDisk::new();
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let mut session = keep_on(&shared(&healthy), session, Path::new(GAME));
    type_line(&mut session, "next", 1).unwrap();
    let line = healthy.calls();
    // The next line: its length is looked at, it is written, it is synced; then the disk is gone.
    let disk = SimulatedDisk::failing(line + 2, Fault::Power);
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let mut session = keep_on(&shared(&disk), session, Path::new(GAME));
    type_line(&mut session, "next", 1).unwrap();
    let error = session.undo(1, 2).unwrap_err();
    assert!(matches!(error, StoreError::Unsure(..)), "{error}");
    assert!(error.can_go_on() && error.to_string().contains("may be missing"), "{error}");
}

#[test]
fn a_disk_without_locks_is_played_on_with_a_warning() {
    let disk = SimulatedDisk::new().without_locks();
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let session = keep_on(&shared(&disk), session, Path::new(GAME));
    assert!(!session.folder.is_locked());
    drop(session);
    let opened = session_folder::open_on(&shared(&disk), Path::new(GAME), 1).unwrap();
    assert!(opened.notices.contains(&Notice::NoLocks));
}

#[test]
fn a_name_is_one_that_every_system_can_give_a_folder() {
    use adjutant::session_folder::{check_session_name, free_name};
    for name in ["con", "NUL.evening", "com1", "lpt9.2", "club.", ".club", "a/b", "a:b", ""] {
        assert!(check_session_name(name).is_err(), "{name}");
    }
    for name in ["console", "com", "com10", "club-night", "1940.12"] {
        assert!(check_session_name(name).is_ok(), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(free_name(folder.path(), "Con"), "Con-2");
    assert_eq!(free_name(folder.path(), "club."), "club");
}

#[cfg(unix)]
#[test]
fn nothing_is_replaced_through_a_link() {
    use adjutant::files::{FileKind, SystemDisk, replace};
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let link = folder.path().join("battle.md");
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    assert!(replace(&SystemDisk, &link, b"lines of a stranger").is_err());
    assert!(replace(&SystemDisk, folder.path(), b"lines").is_err());
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(replace(&SystemDisk, &pipe, b"lines").is_err());
    assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    let new = folder.path().join("new.md");
    for text in ["one", "two"] {
        replace(&SystemDisk, &new, text.as_bytes()).unwrap();
        assert_eq!(std::fs::read(&new).unwrap(), text.as_bytes());
    }
    assert_eq!(SystemDisk.kind(&link).unwrap(), Some(FileKind::Other));
}

#[test]
fn a_new_file_outlasts_a_power_cut() {
    let (disk, path) = (SimulatedDisk::new(), Path::new("/games/duel/game.toml"));
    files::create(&disk, path, b"rules").unwrap();
    let after = disk.after_power_cut(Left::Synced);
    assert_eq!(after.read(path, 100).unwrap(), b"rules");
    // Nothing is written over.
    assert!(files::create(&disk, path, b"others").is_err());
    assert_eq!(disk.read(path, 100).unwrap(), b"rules");
}

#[test]
fn a_journal_that_cannot_be_looked_at_is_not_said_to_be_missing() {
    let kept = |disk: &SimulatedDisk| {
        let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
        let _session = keep_on(&shared(disk), session, Path::new(GAME));
    };
    let healthy = SimulatedDisk::new();
    kept(&healthy);
    let disk = SimulatedDisk::failing(healthy.calls(), Fault::Refused(ErrorKind::PermissionDenied));
    kept(&disk);
    let error = session_folder::open_on(&shared(&disk.unlocked()), Path::new(GAME), 1).unwrap_err();
    assert!(matches!(&error, StoreError::Io { path, .. } if path.contains("journal")), "{error}");
}

#[test]
fn the_copies_of_a_hundred_files_and_more_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin_game("tiny", &tiny_files(), Seed::from_text("candle"), Vec::new());
    let session = keep(session, &path);
    drop(session);
    std::fs::write(path.join("ruleset/100-late.toml"), "").unwrap();
    assert_eq!(adjutant::session_folder::remove_session(&path).unwrap(), Vec::<String>::new());
    assert!(!path.exists());
}
