//! A handle that stops runs from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle that stops runs of rules. It can be used from another thread or a signal handler. A run
/// checks it at least once every `STEPS_BETWEEN_CHECKS` steps.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

/// The maximum number of instructions that run before a machine checks whether it was stopped.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 100_000;

impl StopHandle {
    /// Requests a stop. Returns true if an earlier request has not been cleared yet.
    pub fn stop(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Returns true if a stop was requested.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns true if a stop was requested, and clears the request.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}
