//! Runs the program, and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    adjutant::cli::run()
}
