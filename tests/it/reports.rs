//! The battle reports in `docs/reports`: each is what the program writes of an evening in `tests/evenings`.

use std::path::Path;

use crate::kit::adjutant;

const EVENINGS: [&str; 5] = ["blitz", "firefight", "house-clearing", "mtb", "tarr"];

/// Setting `UPDATE_REPORTS` rewrites the reports.
#[test]
fn the_reports_of_the_documentation_are_those_of_recorded_evenings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let updates = std::env::var_os("UPDATE_REPORTS").is_some();
    let mut stale = Vec::new();
    for name in EVENINGS {
        let script = std::fs::read_to_string(root.join(format!("tests/evenings/{name}.txt")));
        let script = script.unwrap();
        let (arguments, lines) = script.split_once('\n').unwrap();
        let home = tempfile::tempdir().unwrap();
        let arguments = arguments.trim_start_matches("# ").split_whitespace();
        let arguments = arguments.chain(["--session", "evening"]);
        // Without these lines, the report would have the date of the test run.
        let lines = format!("date 20 November 2026\nvenue the club room\n{lines}");
        adjutant(arguments).home(home.path()).stdin(lines.as_str()).success();
        let written = ["transcript", "evening", "--format", "report"];
        let report = adjutant(written).home(home.path()).success();
        let path = root.join(format!("docs/reports/{name}.html"));
        if updates {
            std::fs::write(&path, &report).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != report {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "set UPDATE_REPORTS=1 to write these again: {stale:?}");
}
