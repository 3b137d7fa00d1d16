//! Broken rulesets, one fault each: `tests/check/NAME.toml`, and beside it, in `snapshots`, what is told of it.

use std::fs;
use std::path::Path;

use adjutant::render::diagnostic::diagnostic;
use adjutant::ruleset::{FileText, load};

/// All that is told of a ruleset, warnings too.
fn told(name: &str, text: &str) -> String {
    let file = FileText { name: name.to_owned(), text: text.to_owned(), scenario: None };
    let (faults, sources) = match load(vec![file]) {
        Ok(ruleset) => {
            let ruleset = std::sync::Arc::new(ruleset);
            // The check runs the lints and the examples.
            let report = adjutant::check::check(&ruleset, None);
            let faults = ruleset.warnings.iter().chain(&report.faults).cloned().collect();
            (faults, (*ruleset.sources).clone())
        }
        Err(faulty) => (faulty.faults, faulty.sources),
    };
    let shown: Vec<String> = faults.iter().map(|f| diagnostic(f, &sources, false, 100)).collect();
    shown.join("\n\n")
}

#[test]
fn every_fault_is_told_with_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 80, "the corpus has shrunk to {}", files.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder.join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in &files {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = fs::read_to_string(path).unwrap();
            let told = told(&format!("{name}.toml"), &text);
            assert!(!told.is_empty(), "`{name}` has no fault");
            insta::assert_snapshot!(name, told);
        }
    });
}
