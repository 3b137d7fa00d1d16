//! A thread that waits alongside the line editor or a computation, and acts when its time is up.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that ends when this value is dropped.
#[derive(Debug)]
pub(super) struct WaitingThread<T> {
    stop: mpsc::Sender<()>,
    thread: Option<JoinHandle<T>>,
}

/// The receiver of the signal that ends a [`WaitingThread`].
pub(super) struct EndSignal(Receiver<()>);

impl EndSignal {
    /// Waits for the signal, for at most this time. Returns true if the signal arrived, or its
    /// sender is gone.
    pub(super) fn comes_within(&self, time: Duration) -> bool {
        self.0.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
    }

    /// Waits for the signal.
    pub(super) fn wait(&self) {
        // If the sender is gone, the thread should end too.
        let _ = self.0.recv();
    }
}

impl<T: Send + 'static> WaitingThread<T> {
    /// Starts a thread, which must return soon after the signal to end.
    pub(super) fn start(act: impl FnOnce(&EndSignal) -> T + Send + 'static) -> WaitingThread<T> {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || act(&EndSignal(stopped)));
        WaitingThread { stop, thread: Some(thread) }
    }
}

impl<T> WaitingThread<T> {
    /// Ends the thread, and returns its result; `None` if it panicked.
    pub(super) fn end(mut self) -> Option<T> {
        self.stop_and_join()
    }

    fn stop_and_join(&mut self) -> Option<T> {
        // A thread that has already returned doesn't receive the signal.
        let _ = self.stop.send(());
        self.thread.take()?.join().ok()
    }
}

impl<T> Drop for WaitingThread<T> {
    fn drop(&mut self) {
        self.stop_and_join();
    }
}
