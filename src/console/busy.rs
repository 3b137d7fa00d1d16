//! The sign that is shown while a long answer is being computed.

use std::io::{self, Write};
use std::time::Duration;

use super::waiting_thread::WaitingThread;

/// The time after which an umpire wonders whether anything is happening.
const PATIENCE: Duration = Duration::from_millis(500);
/// The sign, without a line end.
const WORDS: &str = "still computing; Ctrl-C stops it";
/// Goes back to the beginning of the line and erases it.
const ERASE_LINE: &str = "\r\x1b[K";

/// Shows the sign if it isn't dropped within half a second, and erases it when it is dropped.
#[derive(Debug)]
pub struct BusySign {
    _thread: WaitingThread<()>,
}

impl BusySign {
    /// Begins to wait. If `keep` is true, the sign remains on a line of its own: for screen readers,
    /// and for terminals that can't erase.
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

/// Prints words. Errors are ignored: if the terminal is gone, this is noticed when the answer is
/// printed.
fn print(words: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
}
