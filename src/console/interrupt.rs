//! Ctrl-C: stops the command that is being resolved, or ends the program.

use std::io::{self, BufRead, Read, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use adjutant_engine::console::StopHandle;

use super::quiet::restore_terminal;

/// The exit code after Ctrl-C, as shells expect it.
const EXIT_CODE: i32 = 130;

/// The number of presses of Ctrl-C in a row that the program may leave unanswered at the keyboard.
/// The next one ends the program.
const MAX_UNANSWERED: u32 = 3;

/// Makes Ctrl-C end the program with this message. This is for subcommands that write files only at
/// the end, or not at all.
pub(crate) fn end_at_interrupt(message: &'static str) {
    // On a system without such handlers, Ctrl-C ends the program anyway.
    let _ = ctrlc::set_handler(move || end_program(message));
}

/// Returns a counter of presses of Ctrl-C, for a subcommand that ends at the first one, with its
/// results so far. A second press ends the program with this message.
pub(crate) fn count_interrupts(message: &'static str) -> Arc<AtomicU32> {
    let count = Arc::<AtomicU32>::default();
    let shared = count.clone();
    let _ = ctrlc::set_handler(move || {
        if shared.fetch_add(1, Ordering::SeqCst) > 0 {
            end_program(message);
        }
    });
    count
}

/// Lets Ctrl-C stop the current action of a game at the keyboard. While a line is typed, the editor
/// handles Ctrl-C itself. Displaying the game can't be stopped. If it never ends, several presses
/// of Ctrl-C end the program.
pub(super) fn stop_at_interrupt(stop: StopHandle) {
    let mut unanswered = 0;
    // The game can still be played on a system without such handlers.
    let _ = ctrlc::set_handler(move || {
        unanswered = if stop.stop() { unanswered + 1 } else { 1 };
        if unanswered > MAX_UNANSWERED {
            end_program("ended: everything stored so far is still there");
        }
    });
}

/// The input from a pipe. It ends at Ctrl-C.
pub(crate) struct InterruptibleInput<R> {
    from: R,
    signal: Arc<Signal>,
}

/// The state that the Ctrl-C handler and the reader of a pipe share.
#[derive(Default)]
struct Signal {
    /// True while the reader waits for lines.
    is_waiting: AtomicBool,
    /// The number of presses of Ctrl-C so far.
    count: AtomicU32,
}

impl<R: BufRead> InterruptibleInput<R> {
    /// Returns the input from `from`. Ctrl-C stops the current action of the game, and no further
    /// line is read. If the game is waiting for a line, or at the second press, Ctrl-C ends the
    /// program.
    pub(crate) fn new(from: R, stop: StopHandle) -> InterruptibleInput<R> {
        let signal = Arc::<Signal>::default();
        let shared = signal.clone();
        let _ = ctrlc::set_handler(move || {
            let before = shared.count.fetch_add(1, Ordering::SeqCst);
            stop.stop();
            if before > 0 || shared.is_waiting.load(Ordering::SeqCst) {
                end_program(
                    "stopped: the earlier lines have been carried out, but the rest have not",
                );
            }
        });
        InterruptibleInput { from, signal }
    }
}

impl<R: BufRead> Read for InterruptibleInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for InterruptibleInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.signal.is_waiting.store(true, Ordering::SeqCst);
        if self.signal.count.load(Ordering::SeqCst) > 0 {
            return Err(io::Error::other("stopped by Ctrl-C"));
        }
        let bytes = self.from.fill_buf();
        self.signal.is_waiting.store(false, Ordering::SeqCst);
        bytes
    }

    fn consume(&mut self, count: usize) {
        self.from.consume(count);
    }
}

/// Ends the program with a message.
#[expect(clippy::exit, reason = "a signal handler has no other way to end the program")]
fn end_program(message: &str) {
    restore_terminal();
    let _ = writeln!(io::stderr(), "\n{message}");
    process::exit(EXIT_CODE);
}
