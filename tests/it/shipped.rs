//! The rulesets that come with Adjutant: they load, nothing in them is suspicious, and their examples hold.

use adjutant::ruleset::{load, shipped};

use crate::kit::{faults, shown};

#[test]
fn shipped_rulesets_are_without_fault_and_their_examples_hold() {
    let names = shipped::names();
    assert!(!names.is_empty());
    for name in names {
        let files = shipped::files(&name).unwrap();
        let found = faults(files.clone());
        assert!(found.is_empty(), "{name}: {}", shown(&found));
        assert!(!load(files).unwrap().examples.is_empty(), "`{name}` has no examples");
    }
}
