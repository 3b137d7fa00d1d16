//! What the suites are written with: [`Test`] runs the program, [`Table`] plays lines without a process, [`session`]
//! drives a session from below, and [`cases`] lists the files of a folder, so that a new case needs no code.

pub mod disk;
pub mod driver;
mod program;
pub mod session;
mod table;
pub mod typist;

pub use program::{Output, Test, adjutant};
pub use table::{LAYOUT, Table};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjutant_engine::check::check;
use adjutant_engine::diagnostic::Diagnostic;
use adjutant_engine::render::diagnostic::diagnostic;
use adjutant_engine::ruleset::{FileText, load};

/// A file of rules.
pub fn file(name: &str, text: impl Into<String>) -> FileText {
    FileText { name: name.to_owned(), text: text.into(), scenario: None }
}

/// All that loading, lints and examples find wrong in a ruleset, each fault with the way it is shown.
pub fn faults(files: Vec<FileText>) -> Vec<(Diagnostic, String)> {
    let (faults, sources) = match load(files) {
        Ok(ruleset) => {
            let ruleset = Arc::new(ruleset);
            let report = check(&ruleset, None);
            let all = ruleset.warnings.iter().chain(&report.faults);
            // Most samples are too small for examples.
            let is_about_samples =
                |fault: &&Diagnostic| fault.code == "no-example" && ruleset.examples.is_empty();
            let faults = all.filter(|fault| !is_about_samples(fault)).cloned().collect();
            (faults, (*ruleset.sources).clone())
        }
        Err(faulty) => (faulty.faults, faulty.sources),
    };
    let shown = |fault| diagnostic(fault, &sources, false, 100);
    faults.iter().map(|fault| (fault.clone(), shown(fault))).collect()
}

/// The faults as they are shown.
pub fn shown(faults: &[(Diagnostic, String)]) -> String {
    let all: Vec<&str> = faults.iter().map(|(_, shown)| shown.as_str()).collect();
    all.join("\n\n")
}

/// The blocks of a language in a document.
pub fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let opened = format!("```{language}\n");
    text.split(opened.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// A path in the project.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of a folder with that ending, by name: each its stem and its text.
pub fn cases(folder: &str, ending: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|e| e == ending))
        .map(|file| {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&file).unwrap())
        })
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {folder}");
    cases
}

/// Compares each case with `FOLDER/snapshots/NAME.snap`.
pub fn snapshots(folder: &str, cases: impl IntoIterator<Item = (String, String)>) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path(folder).join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, found) in cases {
            insta::assert_snapshot!(name, found);
        }
    });
}
