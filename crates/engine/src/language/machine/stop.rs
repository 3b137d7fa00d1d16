//! A handle that stops runs from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops runs of rules. It can be used from another thread or a signal handler. A run asks it at least once in
/// `STEPS_BETWEEN_CHECKS` steps.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

/// The most instructions that run before a machine checks whether it was stopped.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 100_000;

impl StopHandle {
    /// Asks for a stop. Returns true if one was asked for before and nobody has taken notice yet.
    pub fn stop(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Returns true if a stop was asked for.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns true if a stop was asked for, and forgets it.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}
