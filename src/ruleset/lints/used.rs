//! The names that rule text and examples use.

use super::prelude::*;
use crate::language::code::Op;
use crate::language::walk::{Part, Use};

/// Names spoken of.
#[derive(Default)]
pub(super) struct Used(BTreeSet<(Use, String)>);

impl Used {
    /// Returns true if a name is used in this way.
    pub(super) fn has(&self, how: Use, name: &str) -> bool {
        self.0.contains(&(how, name.to_owned()))
    }

    /// Takes in a part of rule text.
    pub(super) fn see(&mut self, part: Part<'_>) {
        if let Part::Name(how, name) = part {
            self.0.insert((how, name.to_owned()));
        }
    }
}

/// All that a ruleset speaks of.
pub(super) fn used(ruleset: &Ruleset) -> Used {
    let mut used = Used::default();
    walk::schema(&ruleset.schema, &mut |part| used.see(part));
    for example in &ruleset.examples {
        for (expr, _) in &example.expect {
            walk::expr(expr, &mut |part| used.see(part));
        }
    }
    // What a scenario begins with is kept compiled alone.
    for begin in ruleset.scenarios.iter().filter_map(|s| s.begin) {
        let code = ruleset.program.functions.get(begin.index()).map(|f| f.code.as_slice());
        for op in code.unwrap_or_default() {
            if let Op::Call { call } = op
                && let Some(rule) = call.rule
            {
                used.0.insert((Use::Called, ruleset.schema.rules[rule.index()].name.clone()));
            }
        }
    }
    used
}
