//! The terminal between two lines: keys that are typed ahead are neither echoed nor interpreted
//! before they are read.

#[cfg(unix)]
use std::io;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

#[cfg(unix)]
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

/// The terminals from which the line editor can only read plain lines, without editing. The list is
/// copied from the editor.
#[cfg(unix)]
const WITHOUT_EDITOR: [&str; 3] = ["dumb", "cons25", "emacs"];

/// The mode in which the program found the terminal; `None` while that mode is in force.
#[cfg(unix)]
static ORIGINAL: Mutex<Option<Termios>> = Mutex::new(None);

/// A guard that keeps the terminal quiet, without echo or line editing, until it is dropped.
#[derive(Debug)]
pub(super) struct QuietTerminal;

impl QuietTerminal {
    /// Makes the terminal quiet. If that is impossible, the terminal stays as it is.
    pub(super) fn begin() -> QuietTerminal {
        silence();
        QuietTerminal
    }

    /// Runs a function with the terminal in the mode in which the program found it.
    pub(super) fn loudly<T>(&self, act: impl FnOnce() -> T) -> T {
        restore_terminal();
        let done = act();
        silence();
        done
    }
}

impl Drop for QuietTerminal {
    fn drop(&mut self) {
        restore_terminal();
    }
}

#[cfg(unix)]
fn silence() {
    let term = std::env::var("TERM").unwrap_or_default().to_lowercase();
    if WITHOUT_EDITOR.contains(&term.as_str()) {
        return;
    }
    let Ok(found) = tcgetattr(io::stdin()) else { return };
    let mut quiet = found.clone();
    quiet.local_flags.remove(LocalFlags::ECHO | LocalFlags::ICANON);
    if tcsetattr(io::stdin(), SetArg::TCSADRAIN, &quiet).is_ok() {
        ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
    }
}

/// Restores the mode in which the program found the terminal.
#[cfg(unix)]
pub(super) fn restore_terminal() {
    let original = ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(original) = original {
        // If the terminal is gone, its mode doesn't matter.
        let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &original);
    }
}

#[cfg(not(unix))]
fn silence() {}

/// Does nothing: on other systems, the program never changes the mode of the terminal.
#[cfg(not(unix))]
pub(super) fn restore_terminal() {}
