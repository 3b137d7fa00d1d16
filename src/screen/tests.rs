//! Readers that take what is sent slowly, or not at all.

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{sleep, timeout};

use super::hall::Hall;
use super::{Builder, Options, door};
use crate::dice::Seed;
use crate::referee::Referee;
use crate::ruleset::{load, shipped};
use crate::session::{Beginning, Session};

/// The pages of a game that is kept in a folder.
fn hall(folder: &std::path::Path) -> Rc<RefCell<Hall>> {
    let files = shipped::files("blitz").unwrap();
    let rules = Arc::new(load(files.clone()).unwrap());
    let scenario = rules.scenarios[0].clone();
    let (seed, words) = (Seed::from_text("candle"), Vec::new());
    let beginning = Beginning {
        game: "blitz",
        files: &files,
        scenario: &scenario,
        seed,
        seed_text: None,
        words,
        at: 0,
    };
    let (mut session, _) = Session::begin(Referee::new(rules), beginning).unwrap();
    session.keep(folder).unwrap();
    let options = Options { folder: folder.to_owned(), lan: false, port: None, hosts: Vec::new() };
    let mut hall = Hall::new(&options).unwrap();
    hall.begin(7373).unwrap();
    Rc::new(RefCell::new(hall))
}

/// Follows a page whose messages are read by `read`.
async fn follow<F: Future>(hall: &Rc<RefCell<Hall>>, read: impl FnOnce(UnixStream) -> F) -> F {
    let (page, door) = UnixStream::pair().unwrap();
    let from = IpAddr::V4(Ipv4Addr::LOCALHOST);
    spawn_local(door::connection(door, from, hall.clone()));
    page.writable().await.unwrap();
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    assert_eq!(page.try_write(request.as_bytes()).unwrap(), request.len());
    read(page)
}

/// Takes what is there; returns false at the end.
async fn take(page: &UnixStream) -> bool {
    page.readable().await.unwrap();
    // There may be nothing after all.
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
        let (stopped, slow) = (spawn_local(stopped.await), spawn_local(slow.await));
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
