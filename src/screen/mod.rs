//! The players' screen: a process next to the game that follows its journal and shows it to
//! browsers. If it crashes, the game is not affected. It writes only the players' requests, to a
//! file of their own, and only if the umpire allows them.
//!
//! `hall` holds the pages and their viewers, `keys` decides about access, `guests` limits
//! connections, `door` answers browsers, `letterbox` takes the players' requests, and `reach` finds
//! addresses. A page is a view like any other: [`adjutant_engine::render::screen`].

mod door;
mod guests;
mod hall;
mod keys;
mod letterbox;
mod reach;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::cell::RefCell;
use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::sleep;

use adjutant_engine::console::{ScreenFacts, ScreenReport};
use adjutant_engine::session::WalkError;
use hall::Hall;

use crate::requests::QueueError;
use crate::session_folder::StoreError;

/// The preferred port.
const USUAL_PORT: u16 = 7373;
/// The time between two reads of the journal, with and without viewers.
const WATCHED_INTERVAL: Duration = Duration::from_millis(20);
const UNWATCHED_INTERVAL: Duration = Duration::from_millis(250);

/// The settings of the screen.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// The session's folder.
    pub folder: PathBuf,
    /// True if others on the network may watch, not only this machine.
    pub lan: bool,
    /// The port; by default the one that the screen had before, or any free port.
    pub port: Option<u16>,
    /// Names of this machine in addresses of the pages.
    pub hosts: Vec<String>,
    /// True if players may send requests.
    pub requests: bool,
}

/// Returns a report in words, without data for machines.
fn text_report(words: impl Into<String>) -> ScreenReport {
    ScreenReport { lines: vec![words.into()], data: ScreenFacts::Nothing }
}

/// The reason why the screen cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScreenError {
    /// The session cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The session cannot be replayed.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The port is taken.
    #[error("port {0} cannot be used: {1}")]
    Port(u16, io::Error),
    /// The operating system refuses.
    #[error("the screen cannot be opened: {0}")]
    Io(#[from] io::Error),
    /// There are no random numbers for keys.
    #[error("the operating system provides no random numbers for keys: {0}")]
    Random(String),
    /// There is no such side or player.
    #[error("there is no side or player `{0}`")]
    Side(String),
    /// The players' requests cannot be stored.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The word is unknown.
    #[error("type `who`, `where`, `where SIDE`, `players`, `hold`, `show` or `new SIDE`")]
    Word,
}

/// Runs the screen until the commands end. `say` shows the umpire its address, and then the result
/// of each command.
///
/// # Errors
/// Fails if the session cannot be read, or no port can be used.
pub fn run(
    options: &ScreenOptions,
    mut commands: UnboundedReceiver<String>,
    mut say: impl FnMut(&ScreenReport),
) -> Result<(), ScreenError> {
    let mut hall = Hall::new(options)?;
    let listener = listener(options, hall.keys.port())?;
    hall.open(listener.local_addr()?.port())?;
    say(&hall.page_addresses(None)?);
    let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
    let hall = Rc::new(RefCell::new(hall));
    LocalSet::new().block_on(&runtime, async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        spawn_local(accept_browsers(listener, hall.clone()));
        spawn_local(follow_journal(hall.clone()));
        while let Some(line) = commands.recv().await {
            if let Some(said) = hall.borrow_mut().command(&line) {
                say(&said);
            }
        }
        Ok(())
    })
}

/// Returns a socket at the requested port, or else at the one used before, the usual one, or any
/// free port.
fn listener(options: &ScreenOptions, last: u16) -> Result<TcpListener, ScreenError> {
    let host = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let bind = |port: u16| TcpListener::bind((IpAddr::V4(host), port));
    match options.port {
        Some(port) => bind(port).map_err(|e| ScreenError::Port(port, e)),
        None => {
            let last = if last == 0 { USUAL_PORT } else { last };
            Ok(bind(last).or_else(|_| bind(USUAL_PORT)).or_else(|_| bind(0))?)
        }
    }
}

/// Accepts connections from browsers.
async fn accept_browsers(listener: tokio::net::TcpListener, hall: Rc<RefCell<Hall>>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Too many files are open: some will be closed.
            sleep(UNWATCHED_INTERVAL).await;
            continue;
        };
        let hall = hall.clone();
        spawn_local(async move {
            // Messages are small and should arrive at once.
            let _ = stream.set_nodelay(true);
            door::serve_connection(stream, from.ip(), hall).await;
        });
    }
}

/// Follows the journal.
async fn follow_journal(hall: Rc<RefCell<Hall>>) {
    loop {
        let watched = !hall.borrow().watchers.is_empty();
        sleep(if watched { WATCHED_INTERVAL } else { UNWATCHED_INTERVAL }).await;
        hall.borrow_mut().catch_up();
    }
}
