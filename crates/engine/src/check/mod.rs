//! Checks a whole ruleset: counts its contents, runs the lints and the worked examples, and plays
//! random games.

mod examples;
pub mod from_play;
pub mod pages;
pub mod play;
mod random;
mod text;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::language::schema::KindRole;
use crate::ruleset::Ruleset;

/// The result of checking a ruleset.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// The size of the ruleset.
    pub counts: RulesetCounts,
    /// The number of examples selected.
    pub examples: usize,
    /// The number of examples that passed.
    pub passed: usize,
    /// The number of selected examples that were not run.
    pub left_out: usize,
    /// The titles of the examples that showed a reminder.
    pub reminding: Vec<String>,
    /// The warnings of the lints, and the errors of the examples.
    pub faults: Vec<Diagnostic>,
}

/// The size of a ruleset: the numbers of its kinds, lists, rules and other parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesetCounts {
    /// The number of kinds of pieces.
    pub kinds: usize,
    /// The number of printed lists.
    pub lists: usize,
    /// The number of rules.
    pub rules: usize,
    /// The number of tables and charts.
    pub tables: usize,
    /// The number of rows in all tables and charts.
    pub rows: usize,
    /// The number of scenarios.
    pub scenarios: usize,
}

impl RulesetCounts {
    /// Returns each number with its noun in the singular.
    pub fn named(&self) -> [(&'static str, usize); 6] {
        [
            ("kind", self.kinds),
            ("list", self.lists),
            ("rule", self.rules),
            ("table", self.tables),
            ("row", self.rows),
            ("scenario", self.scenarios),
        ]
    }
}

/// Counts the contents of a ruleset, runs the lints, and runs the worked examples or, if a text is
/// given, only those whose title contains it.
pub fn check(ruleset: &Arc<Ruleset>, only: Option<&str>) -> CheckReport {
    check_while(ruleset, only, &mut || true)
}

/// Checks like [`check`], but runs no more examples once `go_on`, which is called before each
/// example, returns false. The examples left out are counted in [`CheckReport::left_out`].
pub fn check_while(
    ruleset: &Arc<Ruleset>,
    only: Option<&str>,
    go_on: &mut dyn FnMut() -> bool,
) -> CheckReport {
    let schema = &ruleset.schema;
    let declared = || schema.kinds.iter().filter(|k| !k.is_built_in());
    let kinds = |role| declared().filter(|k| k.role == role).count();
    let tables = schema.rules.iter().filter(|r| !r.table.is_empty());
    let rows = tables.clone().map(|r| r.table.len()).sum::<usize>()
        + schema.charts.iter().map(|c| c.rows.len()).sum::<usize>();
    let mut report = CheckReport {
        counts: RulesetCounts {
            kinds: kinds(KindRole::Pieces),
            lists: kinds(KindRole::List),
            rules: schema.rules.len(),
            tables: tables.count() + schema.charts.len(),
            rows,
            scenarios: ruleset.scenarios.len(),
        },
        ..CheckReport::default()
    };
    let mut common = examples::SharedWork::default();
    let wanted = only.map(str::to_lowercase);
    for example in &ruleset.examples {
        if wanted.as_ref().is_some_and(|w| !example.title.to_lowercase().contains(w)) {
            continue;
        }
        report.examples += 1;
        if report.left_out > 0 || !go_on() {
            report.left_out += 1;
            continue;
        }
        let faults = examples::run_example(ruleset, example, &mut common);
        report.passed += usize::from(faults.is_empty());
        report.faults.extend(faults);
    }
    // If examples were left out or failed, it is unknown which rules they would have reached.
    report.reminding = std::mem::take(&mut common.reminding).into_iter().collect();
    let all = only.is_none() && report.passed == ruleset.examples.len();
    let reached = &common.asked | &common.called;
    let warnings = crate::ruleset::lints::lint(ruleset, all.then_some(&reached));
    report.faults.splice(0..0, warnings);
    report
}

/// Removes items from a list for as long as the rest still satisfies `holds`. No single item of the
/// result can be removed.
fn minimize<T: Clone>(mut all: Vec<T>, mut holds: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut piece = all.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        let before = all.len();
        while at < all.len() {
            let end = all.len().min(at + piece);
            let without = [&all[..at], &all[end..]].concat();
            if holds(&without) { all = without } else { at = end }
        }
        // An item may be removable once an item that needed it is gone.
        if piece > 1 || all.len() == before {
            piece /= 2;
        }
    }
    all
}
