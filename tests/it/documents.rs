//! The documents for whoever carries on name files of the project: each is there.

use crate::kit::path;

#[test]
fn every_file_that_is_named_is_there() {
    let mut missing = Vec::new();
    for document in ["CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "README.md"] {
        let text = std::fs::read_to_string(path(document)).unwrap();
        for named in text.split('`').skip(1).step_by(2) {
            let ours = ["src/", "tests/", "docs/", "rulesets/", "fuzz/", ".ci/"];
            let sample = named.contains(|c: char| c.is_whitespace() || c.is_uppercase());
            if ours.iter().any(|o| named.starts_with(o)) && !sample && !path(named).exists() {
                missing.push(format!("{document}: {named}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
