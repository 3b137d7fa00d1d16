//! The players' screen: a separate process that follows the journal of a game and shows the game in
//! browsers. If it crashes, the game is not affected. It writes only the keys of its pages and, if
//! the umpire allows them, the players' requests.
//!
//! `hall` manages the pages and their viewers, `keys` controls access, `guests` limits connections,
//! `door` answers browsers, `letterbox` receives the players' requests, and `reach` finds
//! addresses. The content of the pages comes from [`adjutant_engine::render::screen`].

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

/// The port that is tried if the session has not used one before, or if that one can't be used.
const USUAL_PORT: u16 = 7373;
/// The time between two reads of the journal, while any page is open and while none is.
const WATCHED_INTERVAL: Duration = Duration::from_millis(20);
const UNWATCHED_INTERVAL: Duration = Duration::from_millis(250);

/// The settings of the screen.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// The session's folder.
    pub folder: PathBuf,
    /// True if other machines on the network may watch, not only this one.
    pub lan: bool,
    /// The port. `None` means the port that the session used before or, if it can't be used, the
    /// usual port or any free port.
    pub port: Option<u16>,
    /// More names of this machine that browsers may use in addresses.
    pub hosts: Vec<String>,
    /// True if players may send requests.
    pub requests: bool,
}

/// Returns a report with one line of text, and no data for other programs.
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
    /// The requested port can't be used.
    #[error("port {0} cannot be used: {1}")]
    Port(u16, io::Error),
    /// Another error from the operating system.
    #[error("the screen cannot be opened: {0}")]
    Io(#[from] io::Error),
    /// The operating system provides no random numbers for keys.
    #[error("the operating system provides no random numbers for keys: {0}")]
    Random(String),
    /// There is no such side or player.
    #[error("there is no side or player `{0}`")]
    Side(String),
    /// The players' requests cannot be stored.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The umpire's command is unknown.
    #[error("type `who`, `where`, `where SIDE`, `players`, `hold`, `show` or `new SIDE`")]
    Word,
}

/// Runs the screen until the sender of `commands` is closed. Calls `say` with the addresses of the
/// pages, and then with the answer to each command that needs one.
///
/// # Errors
/// Fails if the session cannot be read, another screen is taking its requests, no port can be used,
/// or the operating system or the disk reports an error.
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

/// Returns a socket at the requested port. If no port was requested, tries the port used before,
/// then the usual port, then any free port.
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

/// Accepts connections from browsers, forever, and serves each of them in a separate task.
async fn accept_browsers(listener: tokio::net::TcpListener, hall: Rc<RefCell<Hall>>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Too many files are open. Some of them will soon be closed.
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

/// Reads the new records of the journal at regular intervals, forever.
async fn follow_journal(hall: Rc<RefCell<Hall>>) {
    loop {
        let watched = !hall.borrow().watchers.is_empty();
        sleep(if watched { WATCHED_INTERVAL } else { UNWATCHED_INTERVAL }).await;
        hall.borrow_mut().catch_up();
    }
}
