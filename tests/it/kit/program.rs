//! Runs of the program, each in a data folder of its own.

use std::ffi::OsStr;
use std::path::Path;

use assert_cmd::Command;

/// A run of the program that is being put together:
/// `Test::new().args(["roll", "2d6"]).stdin("next\n").stdout_has("turn 1").success()`.
#[must_use]
pub struct Test {
    command: Command,
    /// The data folder, unless it is the caller's.
    _home: Option<tempfile::TempDir>,
    stdout: Vec<String>,
    stderr: Vec<String>,
}

/// What a run printed.
#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// `adjutant` with these arguments.
pub fn adjutant(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Test {
    Test::new().args(arguments)
}

impl Test {
    /// A run from the project's folder, 80 columns wide.
    pub fn new() -> Test {
        let home = tempfile::tempdir().unwrap();
        let command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
        let test = Test { command, _home: None, stdout: Vec::new(), stderr: Vec::new() };
        let mut test = test.folder(&super::path("")).home(home.path()).env("COLUMNS", "80");
        test.command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        test._home = Some(home);
        test
    }

    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Test {
        self.command.args(arguments);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Test {
        self.command.env(name, value);
        self
    }

    /// Runs in this folder.
    pub fn folder(mut self, folder: &Path) -> Test {
        self.command.current_dir(folder);
        self
    }

    /// Keeps sessions under this folder, so that the next run finds them.
    pub fn home(self, home: &Path) -> Test {
        self.env("XDG_DATA_HOME", home).env("HOME", home)
    }

    pub fn stdin(mut self, lines: impl Into<Vec<u8>>) -> Test {
        self.command.write_stdin(lines);
        self
    }

    /// Standard output must hold this.
    pub fn stdout_has(mut self, part: &str) -> Test {
        self.stdout.push(part.to_owned());
        self
    }

    /// Standard error must hold this.
    pub fn stderr_has(mut self, part: &str) -> Test {
        self.stderr.push(part.to_owned());
        self
    }

    /// Runs it, whatever comes of it.
    pub fn output(mut self) -> Output {
        let output = self.command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap();
        let found = Output { code, stdout: text(output.stdout), stderr: text(output.stderr) };
        for (parts, text) in [(&self.stdout, &found.stdout), (&self.stderr, &found.stderr)] {
            for part in parts {
                assert!(text.contains(part), "no `{part}` in:\n{text}");
            }
        }
        found
    }

    /// Runs it; it must end with this code.
    pub fn status(self, code: i32) -> Output {
        let output = self.output();
        assert_eq!(output.code, code, "{}\n{}", output.stdout, output.stderr);
        output
    }

    /// Runs it; it must go well. Returns standard output.
    pub fn success(self) -> String {
        self.status(0).stdout
    }

    /// Runs it; it must fail, with code 1. Returns standard error.
    pub fn failure(self) -> String {
        self.status(1).stderr
    }

    /// Runs it; it must go well and print one document.
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.success()).unwrap()
    }
}
