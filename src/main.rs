//! Passes on the command line, and returns the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    adjutant::cli::run()
}
