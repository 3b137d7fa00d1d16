//! Commands that no longer count.

use crate::session::Standing;

/// Returns the reason why a command is crossed out; `None` if the command still counts.
pub(super) fn reason_struck_out(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::TakenBack => Some("undone later"),
        Standing::Amended => Some("amended later"),
        Standing::Stands => None,
    }
}
