//! The players' screen: a process beside the game that follows its journal and shows it to browsers. It reads alone: its
//! end cannot hurt the game, and nothing that a browser sends is stored.
//!
//! `hall` holds the pages and who looks at them, `keys` says who may, `guests` who stays when too many come, `door` answers requests, and `reach` says where.
//! A page is a view like any other: [`adjutant_engine::render::screen`].

mod door;
mod guests;
mod hall;
mod keys;
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

use crate::session_folder::StoreError;

/// The port, if it is free.
const USUAL_PORT: u16 = 7373;
/// The time between two looks at the journal, while somebody watches and while nobody does.
const WATCHED_INTERVAL: Duration = Duration::from_millis(20);
const UNWATCHED_INTERVAL: Duration = Duration::from_millis(250);

/// The session that is shown, and to whom.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// The session's folder.
    pub folder: PathBuf,
    /// Others on the network may look, not this machine alone.
    pub lan: bool,
    /// The port; else the one it had before, or any that is free.
    pub port: Option<u16>,
    /// Names of this machine under which the pages may be asked for.
    pub hosts: Vec<String>,
}

/// Returns a report in words that carries nothing for machines.
fn text_report(words: impl Into<String>) -> ScreenReport {
    ScreenReport { lines: vec![words.into()], data: ScreenFacts::Nothing }
}

/// Why the screen cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScreenError {
    /// The session cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The session cannot be gone through.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The port is taken.
    #[error("port {0} cannot be used: {1}")]
    Port(u16, io::Error),
    /// The system refuses.
    #[error("the screen cannot be opened: {0}")]
    Io(#[from] io::Error),
    /// There are no random numbers for keys.
    #[error("the system gives no randomness for keys: {0}")]
    Random(String),
    /// There is no such side.
    #[error("there is no side `{0}`")]
    Side(String),
    /// A word that is not known.
    #[error("type `who`, `where`, `where SIDE`, `hold`, `show` or `new SIDE`")]
    Word,
}

/// Shows the screen until the commands end. `say` shows the umpire where it is, and then the result of each command.
///
/// # Errors
/// If the session cannot be read, or no port can be used.
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

/// Returns a socket at the port that was asked for, else at the one used before, the usual one, or any.
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

/// Lets browsers in.
async fn accept_browsers(listener: tokio::net::TcpListener, hall: Rc<RefCell<Hall>>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Too many files are open: some will be closed.
            sleep(UNWATCHED_INTERVAL).await;
            continue;
        };
        let hall = hall.clone();
        spawn_local(async move {
            // What is sent is small, and to be there at once.
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
