//! Whole games, typed line by line: `tests/evenings/NAME.txt`, and beside it, in `snapshots`, what was printed.
//!

//! The first line of a script is a remark with the arguments it is played with: `# play blitz --seed candle`.

use std::fs;
use std::path::Path;

#[test]
fn evenings_are_played_to_their_end_and_always_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evenings");
    let mut scripts: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    scripts.sort();
    let data = tempfile::tempdir().unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder.join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in &scripts {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let script = fs::read_to_string(path).unwrap();
            let arguments = script.lines().next().unwrap().trim_start_matches('#');
            let output = assert_cmd::Command::cargo_bin("adjutant")
                .unwrap()
                .args(arguments.split_whitespace())
                .env("XDG_DATA_HOME", data.path())
                .env("COLUMNS", "80")
                .write_stdin(script.clone())
                .output()
                .unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "`{name}`: {complaint}");
            insta::assert_snapshot!(name, String::from_utf8_lossy(&output.stdout));
        }
    });
}
