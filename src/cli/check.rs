//! `adjutant check`: faults, warnings and worked examples of rulesets.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use adjutant_dice::Seed;
use adjutant_engine::check::Report;
use adjutant_engine::check::play::PlayReport;
use adjutant_engine::diagnostic::{Diagnostic, MOST, Severity};
use adjutant_engine::names::counted;
use adjutant_engine::referee::simulate::MAX_GAMES;
use adjutant_engine::render::json::array;
use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::source::Sources;
use adjutant_engine::{check, render, ruleset};
use serde_json::{Value, json};

use crate::cli::library::RulesetFiles;
use crate::cli::output::Screen;
use crate::cli::{Code, Ended, Failed, explain, library, simulate};
use crate::shipped;

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant check\n  adjutant check my-rules/ other.toml\n  adjutant check my-rules/ --only tank\n  adjutant check --watch my-rules/\n  adjutant check --play 1000 my-rules/\n  adjutant check --explain unknown-name"
)]
pub(super) struct Arguments {
    /// Rulesets: folders or files, or shipped names; without any, all shipped ones
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Run only the examples in whose title this stands
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Play this many games at random, and report what goes wrong and what is never reached
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    play: Option<u64>,
    /// A text that fixes the games of `--play`
    #[arg(long, value_name = "TEXT", default_value = "check", requires = "play")]
    seed: String,
    /// Check again whenever a file is written, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Explain the code of a fault with a bad and a good sample; without a code, list them all
    #[arg(long, value_name = "CODE", num_args = 0..=1, conflicts_with_all = ["paths", "only", "watch"])]
    explain: Option<Option<String>>,
}

/// The most time for the examples of one ruleset. Those of the largest shipped game take a fifth of a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most faults shown to people; the summary counts them all.
const SHOWN: usize = 100;

/// The time between two looks at the files. Asking for their times is cheap and works on every kind of disk.
const POLL: Duration = Duration::from_millis(125);

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    if let Some(code) = &arguments.explain {
        return explain::run(code.as_deref(), screen);
    }
    let names = if arguments.paths.is_empty() { shipped::names() } else { arguments.paths.clone() };
    if arguments.watch { watch(&names, arguments, screen) } else { all(&names, arguments, screen) }
}

/// Checks again whenever a file has been written, until interrupted.
fn watch(names: &[String], arguments: &Arguments, screen: &mut Screen) -> Ended {
    if screen.json {
        return Err(Failed::Usage("`--watch` is for people: it gives no document".into()));
    }
    let stamps = || -> Vec<_> { names.iter().map(|n| library::stamp(n)).collect() };
    loop {
        let seen = stamps();
        if io::stdout().is_terminal() {
            screen.write("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
        }
        all(names, arguments, screen)?;
        screen
            .show(&Text::of(Role::Quiet, "checked; it is checked again when a file is written"))?;
        screen.flush()?;
        // Editors write a file in several steps: wait until they are done.
        let mut before = seen.clone();
        loop {
            thread::sleep(POLL);
            let now = stamps();
            if now == before && now != seen {
                break;
            }
            before = now;
        }
    }
}

fn all(names: &[String], arguments: &Arguments, screen: &mut Screen) -> Ended {
    let mut documents: Vec<Value> = Vec::new();
    let mut good = true;
    for name in names {
        let document = match library::find(name) {
            Ok(found) => one(found, arguments, screen)?,
            Err(error) => {
                if !screen.json {
                    screen.error(&error.to_string());
                }
                json!({ "name": name, "ok": false, "error": error.to_string() })
            }
        };
        good &= document["ok"] == json!(true);
        documents.push(document);
    }
    if screen.json {
        screen.document(&json!({ "ok": good, "rulesets": documents }))?;
    } else if names.is_empty() {
        screen.show(&Text::of(Role::Plain, "no rulesets come with this build: name a path"))?;
    }
    Ok(if good { Code::Done } else { Code::Failed })
}

/// Checks one ruleset: shows its faults to people, or returns them for machines.
fn one(found: RulesetFiles, arguments: &Arguments, screen: &mut Screen) -> std::io::Result<Value> {
    let name = found.name;
    let only = arguments.only.as_deref();
    let mut played = None;
    let (sources, faults, report) = match ruleset::load(found.files) {
        Err(faulty) => (Arc::new(faulty.sources), faulty.faults, None),
        Ok(ruleset) => {
            let ruleset = Arc::new(ruleset);
            let begun = Instant::now();
            let report = check::check_while(&ruleset, only, &mut || begun.elapsed() < PATIENCE);
            let mut faults = ruleset.warnings.clone();
            faults.extend(report.faults.iter().cloned());
            if report.left_out > 0 {
                let message = format!(
                    "{} examples were not run: the others took {} seconds",
                    report.left_out,
                    PATIENCE.as_secs()
                );
                faults.push(Diagnostic::general("examples-too-slow", message));
            }
            if let Some(games) = arguments.play {
                let bar = simulate::progress(games);
                let seed = Seed::from_text(&arguments.seed);
                let playing = check::play::play(&ruleset, games, &seed, &mut |done| {
                    bar.set_position(done);
                    true
                });
                bar.finish_and_clear();
                faults.extend(playing.faults.iter().cloned());
                played = Some(playing);
            }
            (ruleset.sources.clone(), faults, Some(report))
        }
    };
    let errors = faults.iter().filter(|f| f.severity == Severity::Error).count();
    let warnings = faults.len() - errors;
    if !screen.json {
        let styled = screen.styled();
        let width = screen.width();
        for fault in faults.iter().take(SHOWN) {
            let text = render::diagnostic::diagnostic(fault, &sources, styled, width);
            screen.write(&format!("{text}\n\n"))?;
        }
        if faults.len() > SHOWN {
            let more = format!("… and {} more\n\n", faults.len() - SHOWN);
            screen.write(&more)?;
        }
        if let Some(PlayReport { games, lines, .. }) = &played {
            screen.show(&Text::of(
                Role::Plain,
                format!("{name}: {games} games of {lines} lines played"),
            ))?;
        }
        screen.show(&summary(&name, report.as_ref(), errors, warnings))?;
        if let Some(fault) = faults.first() {
            let words = format!("  a code explained: adjutant check --explain {}", fault.code);
            screen.show(&Text::of(Role::Quiet, words))?;
        }
    }
    let counts = report.map(|r| {
        let examples = [("examples", r.examples), ("passed", r.passed)];
        let all = r.counts.into_iter().chain(examples);
        let mut counts = serde_json::Map::new();
        counts.extend(all.map(|(what, n)| (what.to_owned(), json!(n))));
        counts
    });
    let faults = array(faults.iter().take(MOST), |fault| form(fault, &sources));
    let mut document = json!({
        "name": name, "ok": errors == 0, "counts": counts,
        "errors": errors, "warnings": warnings, "faults": faults,
    });
    if let Some(PlayReport { games, lines, .. }) = played {
        document["played"] = json!({ "games": games, "lines": lines });
    }
    Ok(document)
}

fn summary(name: &str, report: Option<&Report>, errors: usize, warnings: usize) -> Text {
    let mut line = Line::of(Role::Header, format!("{name}: "));
    if let Some(report) = report {
        let counts: Vec<String> =
            report.counts.iter().map(|(what, n)| counted(*n, what.trim_end_matches('s'))).collect();
        line.push(Role::Plain, format!("{}; ", counts.join(", ")));
        let passed = format!("{} of {} passed", report.passed, counted(report.examples, "example"));
        let role = if report.passed == report.examples { Role::Good } else { Role::Bad };
        line.push(role, passed).push(Role::Plain, "; ");
    }
    let role = if errors == 0 { Role::Good } else { Role::Bad };
    let faults = if errors == 0 { "no faults".to_owned() } else { counted(errors, "fault") };
    line.push(role, faults);
    if warnings > 0 {
        line.push(Role::Plain, format!(", {}", counted(warnings, "warning")));
    }
    Text::from_iter([line.hanging(2)])
}

/// Returns a fault for machines.
fn form(fault: &Diagnostic, sources: &Sources) -> Value {
    let place = fault.span.and_then(|span| {
        let file = sources.get(span.file)?;
        let (line, column) = sources.line_column(span.file, span.start as usize);
        Some(json!({ "file": file.name, "line": line, "column": column }))
    });
    json!({
        "code": fault.code,
        "severity": match fault.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": fault.message, "place": place, "help": fault.help,
    })
}
