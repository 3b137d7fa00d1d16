//! The sign that a long answer is being computed.

use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time after which an umpire wonders whether anything happens.
const PATIENCE: Duration = Duration::from_millis(500);
/// The sign, without a line end.
const WORDS: &str = "still computing; Ctrl-C stops it";
/// Goes back to the beginning of the line and erases it.
const ERASE_LINE: &str = "\r\x1b[K";

/// Shows the sign if it isn't dropped within half a second, and erases it when it is dropped.
#[derive(Debug)]
pub struct BusySign {
    stop: mpsc::Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl BusySign {
    /// Begins to wait. If `keep` is true, the sign remains on a line of its own: for screen readers,
    /// and for terminals that can't erase.
    pub(super) fn begin(keep: bool) -> BusySign {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            print(WORDS);
            if keep {
                print("\n");
            } else {
                let _ = stopped.recv();
                print(ERASE_LINE);
            }
        });
        BusySign { stop, thread: Some(thread) }
    }
}

/// Prints words. A terminal that is gone is noticed when the answer is printed.
fn print(words: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
}

impl Drop for BusySign {
    fn drop(&mut self) {
        // A thread that keeps its sign doesn't listen any more.
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
