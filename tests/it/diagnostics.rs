//! Broken rulesets, one fault each: `tests/check/NAME.toml`, and beside it, in `snapshots`, what is told of it.

use crate::kit::{cases, faults, file, shown, snapshots};

#[test]
fn every_fault_is_told_with_its_place() {
    let cases = cases("tests/check", "toml");
    assert!(cases.len() >= 80, "the corpus has shrunk to {}", cases.len());
    let found = cases.into_iter().map(|(name, text)| {
        let faults = faults(vec![file(&format!("{name}.toml"), text)]);
        assert!(!faults.is_empty(), "`{name}` has no fault");
        (name, shown(&faults))
    });
    snapshots("tests/check", found);
}
