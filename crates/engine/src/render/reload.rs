//! The changes in a ruleset that was reloaded.

use crate::render::markup::{Role, Text};
use crate::session::{ChangedPart, PartChange};

/// Returns a line for each type of change, with the changed parts by section, as in
/// `changed: rule spread, grow; chart cover`.
pub(crate) fn rule_changes(all: &[ChangedPart]) -> Text {
    let mut text = Text::new();
    let kinds = [
        (PartChange::Added, "added"),
        (PartChange::Changed, "changed"),
        (PartChange::Removed, "removed"),
    ];
    for (became, word) in kinds {
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for change in all.iter().filter(|c| c.became == became) {
            match parts.last_mut() {
                Some((section, names)) if *section == change.section => names.push(&change.name),
                _ => parts.push((&change.section, vec![&change.name])),
            }
        }
        if parts.is_empty() {
            continue;
        }
        let parts: Vec<String> =
            parts.into_iter().map(|(s, names)| format!("{s} {}", names.join(", "))).collect();
        text.line(Role::Plain, format!("  {word}: {}", parts.join("; ")));
    }
    text
}
