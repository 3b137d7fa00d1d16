//! `second-verifier JOURNAL`: checks a journal, and prints what was checked.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what a program prints is its answer"
)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: adjutant-second-verifier JOURNAL");
        return ExitCode::FAILURE;
    };
    let journal = std::fs::read_to_string(path).map_err(|error| error.to_string());
    match journal.and_then(|journal| adjutant_second_verifier::check(&journal)) {
        Ok(checked) => {
            let last = checked.hashes.last().copied().map(adjutant_second_verifier::head);
            println!(
                "{} lines, {} throws, {} dice, {} drawn, {} linked changes; head {}",
                checked.lines,
                checked.throws,
                checked.dice,
                checked.drawn,
                checked.linked_changes,
                last.unwrap_or_default()
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
