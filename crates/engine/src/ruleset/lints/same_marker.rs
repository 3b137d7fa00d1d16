//! Warns about two attributes of one kind that have the same marker, unless either is a reference
//! or a list.
//!
//! ```toml
//! [kind.area]
//! fire  = { from = 0, to = 5, marker = "red die" }
//! smoke = { from = 0, to = 3, marker = "red die" }   # which of them does a red die show?
//! ```

use crate::diagnostic::Fault;
use crate::language::schema::{Attribute, Type};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    for kind in &ruleset.schema.kinds {
        for (index, attribute) in kind.attributes.iter().enumerate() {
            let mut before = kind.attributes.iter().take(index);
            // The marker of a reference can be put where the reference points, so it can't be
            // confused with others.
            let refers = |a: &Attribute| matches!(a.ty, Type::Piece(_) | Type::List(_));
            let same = before.find(|a| a.marker.is_some() && a.marker == attribute.marker);
            let same = same.filter(|first| !refers(first) && !refers(attribute));
            let (Some(first), Some(marker)) = (same, &attribute.marker) else { continue };
            let about = format!("{}.{}", kind.name, attribute.name);
            let message = format!(
                "`{}` and `{}` have the same marker, “{marker}”",
                first.name, attribute.name
            );
            let fault = found.add("same-marker", &about, attribute.span, message);
            let fault = fault.other_span(first.span, "this one has it too");
            fault.help("give each its own marker");
        }
    }
}
