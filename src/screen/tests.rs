//! Tests of held outcomes, of a replaced journal, and of browsers that read their updates slowly or
//! not at all.

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use adjutant_engine::referee::Viewer;
use adjutant_engine::session::{CommandInput, Session, TakenRequest, read_command};
use tokio::net::UnixStream;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{sleep, timeout};

use super::hall::Hall;
use super::{Builder, ScreenOptions, door};
use crate::session_folder::{self, Folder, testing};

/// A session and the folder it is saved in.
pub(super) struct Saved {
    pub(super) session: Session,
    pub(super) folder: Folder,
}

/// Begins a game in a folder. Returns its pages, and the saved game.
fn game(folder: &Path) -> (Rc<RefCell<Hall>>, Saved) {
    begun(folder, "blitz", "lamb-alley", true)
}

/// Begins a scenario in a folder. Returns its pages, and the saved game. If `requests` is true,
/// players may send requests.
pub(super) fn begun(
    folder: &Path,
    game: &str,
    scenario: &str,
    requests: bool,
) -> (Rc<RefCell<Hall>>, Saved) {
    let (session, saved) = testing::begin(folder, game, scenario);
    let options = ScreenOptions {
        folder: folder.to_owned(),
        lan: false,
        port: None,
        hosts: Vec::new(),
        requests,
    };
    let mut hall = Hall::new(&options).unwrap();
    hall.open(7373).unwrap();
    (Rc::new(RefCell::new(hall)), Saved { session, folder: saved })
}

fn hall(folder: &Path) -> Rc<RefCell<Hall>> {
    game(folder).0
}

/// Carries out a line, and stores it.
pub(super) fn do_line(saved: &mut Saved, line: &str) {
    do_requested_line(saved, line, &[]);
}

/// Carries out a line that takes these players' requests, and stores it.
pub(super) fn do_requested_line(saved: &mut Saved, line: &str, requests: &[TakenRequest]) {
    let typed = read_command(saved.session.referee(), saved.session.table(), line).unwrap();
    let Saved { session, folder } = saved;
    folder.record(session, |session| session.set_ask_random(true, 0)).unwrap();
    let attempted = session.attempt(&typed.verb, &typed.action, true, &CommandInput::default());
    attempted.done.unwrap();
    let outcome = attempted.outcome;
    let requests = requests.to_vec();
    let accepted = folder
        .record(session, |session| session.accept_requested(line, &typed, requests, outcome, 0));
    accepted.unwrap();
}

/// Returns the part of a page that shows the last command.
fn last(hall: &Rc<RefCell<Hall>>, path: &str) -> String {
    let mut hall = hall.borrow_mut();
    hall.catch_up();
    let page = hall.find_page(path, None, true).unwrap();
    let sections: serde_json::Value =
        serde_json::from_str(&hall.page_state(&page).unwrap().0).unwrap();
    sections["last"].as_str().unwrap().to_owned()
}

#[test]
fn dice_that_are_held_stay_so() {
    const HELD: &str = "the umpire holds the dice";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening");
    let (hall, mut session) = game(&path);
    do_line(&mut session, "next");
    do_line(&mut session, "next");
    assert!(!last(&hall, "/").contains(HELD));
    hall.borrow_mut().command("hold").unwrap();
    do_line(&mut session, "note one");
    assert!(last(&hall, "/").contains(HELD));
    // A command is played after more commands were undone than are held back.
    session.folder.record(&mut session.session, |session| session.undo(3, 0)).unwrap();
    do_line(&mut session, "note two");
    let shown = last(&hall, "/");
    assert!(shown.contains(HELD) && shown.contains("The umpire notes"), "{shown}");
    // A page is opened for the first time.
    let mut page = hall.borrow().find_page("/", None, true).unwrap();
    page.viewer = Viewer::Side("fire".to_owned());
    let (sections, _) = hall.borrow_mut().page_state(&page).unwrap();
    assert!(sections.contains(HELD), "{sections}");
    // The journal was repaired in the meantime.
    let journal = path.join("journal.jsonl");
    std::fs::write(path.join("other"), std::fs::read(&journal).unwrap()).unwrap();
    std::fs::rename(path.join("other"), &journal).unwrap();
    drop(session);
    let resumed = session_folder::open(&path, 0).unwrap();
    let mut session = Saved { session: resumed.session, folder: resumed.folder };
    do_line(&mut session, "note three");
    let shown = last(&hall, "/");
    assert!(shown.contains(HELD) && shown.contains("The umpire notes"), "{shown}");
    hall.borrow_mut().command("show").unwrap();
    assert!(!last(&hall, "/").contains(HELD));
}

#[test]
fn a_journal_that_becomes_shorter_or_another_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening");
    let (hall, mut session) = game(&path);
    let journal = path.join("journal.jsonl");
    let begun = std::fs::read(&journal).unwrap();
    do_line(&mut session, "next");
    drop(session);
    assert!(!last(&hall, "/").contains("nothing has been done yet"));
    let played = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &begun).unwrap();
    assert!(last(&hall, "/").contains("nothing has been done yet"));
    std::fs::write(&journal, &played).unwrap();
    assert!(!last(&hall, "/").contains("nothing has been done yet"));
    std::fs::write(path.join("other"), &begun).unwrap();
    std::fs::rename(path.join("other"), &journal).unwrap();
    assert!(last(&hall, "/").contains("nothing has been done yet"));
}

/// Follows a page. `read` reads its messages.
async fn follow<F: Future>(hall: &Rc<RefCell<Hall>>, read: impl FnOnce(UnixStream) -> F) -> F {
    let (page, door) = UnixStream::pair().unwrap();
    let from = IpAddr::V4(Ipv4Addr::LOCALHOST);
    spawn_local(door::serve_connection(door, from, hall.clone()));
    page.writable().await.unwrap();
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    assert_eq!(page.try_write(request.as_bytes()).unwrap(), request.len());
    read(page)
}

/// Reads the available bytes. Returns false at the end.
async fn take(page: &UnixStream) -> bool {
    page.readable().await.unwrap();
    // There may be no bytes after all.
    page.try_read(&mut [0; 64 << 10]).map_or(true, |bytes| bytes > 0)
}

#[test]
fn a_page_that_takes_nothing_is_let_go_and_a_slow_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let hall = hall(&folder.path().join("evening"));
    let runtime = Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let stopped = follow(&hall, async |page| {
            sleep(Duration::MAX).await;
            drop(page);
        });
        let slow = follow(&hall, async |page| {
            while take(&page).await {
                sleep(Duration::from_millis(10)).await;
            }
        });
        let stopped = spawn_local(stopped.await);
        let slow = spawn_local(slow.await);
        let watching = async |count: usize| {
            for limit in 300.. {
                if hall.borrow().watchers.len() == count {
                    break;
                }
                hall.borrow_mut().command(&format!("clock {limit} 0"));
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(20), watching(2)).await.expect("both follow");
        timeout(Duration::from_secs(20), watching(1)).await.expect("one is let go");
        sleep(Duration::from_millis(1_200)).await;
        assert!(!slow.is_finished() && hall.borrow().watchers.len() == 1);
        stopped.abort();
    });
}

#[test]
fn a_page_hears_a_beat_while_nothing_happens_and_while_what_happens_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let hall = hall(&folder.path().join("evening"));
    let runtime = Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let heard = follow(&hall, async |page| {
            let mut heard = String::new();
            while heard.matches("event: beat\n").count() < 3 {
                page.readable().await.unwrap();
                let mut bytes = [0; 64 << 10];
                if let Ok(count) = page.try_read(&mut bytes) {
                    assert!(count > 0, "the page was let go: {heard}");
                    heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
            }
            heard
        });
        // Watchers are woken far more often than they get a heartbeat, as they would be by events
        // that they may not see.
        let woken = hall.clone();
        let waking = spawn_local(async move {
            loop {
                woken.borrow().changed.send_modify(|_| ());
                sleep(Duration::from_millis(20)).await;
            }
        });
        let heard = timeout(Duration::from_secs(10), heard.await).await.expect("three beats");
        waking.abort();
        assert_eq!(heard.matches("\"left\":").count(), 1, "{heard}");
    });
}
