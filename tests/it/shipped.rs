//! The rulesets that come with Adjutant: they load, nothing in them is suspicious, and their examples hold.

use std::sync::Arc;

use adjutant::render::diagnostic::diagnostic;
use adjutant::ruleset::{load, shipped};

#[test]
fn shipped_rulesets_are_without_fault_and_their_examples_hold() {
    let names = shipped::names();
    assert!(!names.is_empty());
    let mut told = Vec::new();
    for name in &names {
        let ruleset = match load(shipped::files(name).unwrap()) {
            Ok(ruleset) => Arc::new(ruleset),
            Err(faulty) => {
                told.extend(
                    faulty.faults.iter().map(|f| diagnostic(f, &faulty.sources, false, 100)),
                );
                continue;
            }
        };
        // The check runs the lints and the examples.
        let report = adjutant::check::check(&ruleset, None);
        let faults = ruleset.warnings.iter().chain(&report.faults);
        told.extend(faults.map(|f| diagnostic(f, &ruleset.sources, false, 100)));
        assert!(!ruleset.examples.is_empty(), "`{name}` has no examples");
        if report.passed != ruleset.examples.len() {
            told.push(format!("{name}: {} of {} hold", report.passed, ruleset.examples.len()));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n\n"));
}
