//! The busy sign: a message that is shown while a long answer is being computed.

use std::io::{self, Write};
use std::time::Duration;

use super::waiting_thread::WaitingThread;

/// The time after which an umpire wonders if anything is happening.
const PATIENCE: Duration = Duration::from_millis(500);
/// The message, without a line break.
const WORDS: &str = "still computing; Ctrl-C stops it";
/// The escape codes that return to the beginning of the line and erase it.
const ERASE_LINE: &str = "\r\x1b[K";

/// A message that appears if this value isn't dropped within half a second. The message disappears
/// when the value is dropped, unless it is to be kept.
#[derive(Debug)]
pub struct BusySign {
    _thread: WaitingThread<()>,
}

impl BusySign {
    /// Starts the wait of half a second. If `keep` is true, the message is not erased, but stays on
    /// a separate line. This is for screen readers, and for terminals that can't erase it.
    pub(super) fn begin(keep: bool) -> BusySign {
        let thread = WaitingThread::start(move |stop| {
            if stop.comes_within(PATIENCE) {
                return;
            }
            print(WORDS);
            if keep {
                print("\n");
            } else {
                stop.wait();
                print(ERASE_LINE);
            }
        });
        BusySign { _thread: thread }
    }
}

/// Prints words. Errors are ignored: if the terminal is gone, printing the answer will fail as
/// well.
fn print(words: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
}
