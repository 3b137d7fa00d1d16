//! Commands that no longer count.

use crate::session::Standing;

/// Returns why a command is struck out.
pub(super) fn reason_struck_out(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::TakenBack => Some("taken back later"),
        Standing::Amended => Some("amended later"),
        Standing::Stands => None,
    }
}
