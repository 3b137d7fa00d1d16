//! The clock of this machine.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the current time in milliseconds since 1970; 0 if the clock is set to an earlier time.
pub(crate) fn current_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
