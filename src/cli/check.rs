//! `adjutant check`: faults, warnings and worked examples of rulesets.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use adjutant_dice::Seed;
use adjutant_engine::check::play::{MAX_LENGTH, PlayOptions, PlayReport, USUAL_LENGTH};
use adjutant_engine::check::{CheckReport, RulesetCounts};
use adjutant_engine::diagnostic::{Diagnostic, MAX_FAULTS, Severity};
use adjutant_engine::names::count_with_noun;
use adjutant_engine::referee::simulate::MAX_GAMES;
use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::source::Sources;
use adjutant_engine::{check, render, ruleset};
use clap::ArgGroup;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::library::RulesetFiles;
use crate::cli::output::Screen;
use crate::cli::usage::number_between;
use crate::cli::{Code, Ended, Failed, candidates, explain, library, simulate};
use crate::console::interrupt;
use crate::shipped;

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    group = ArgGroup::new("playing").args(["play", "secrets"]).multiple(true),
    after_help = "Examples:\n  adjutant check\n  adjutant check my-rules/ other.toml\n  adjutant check my-rules/ --only tank\n  adjutant check --watch my-rules/\n  adjutant check --play 1000 my-rules/\n  adjutant check --secrets my-rules/\n  adjutant check --explain unknown-name"
)]
pub(super) struct Arguments {
    /// Rulesets: folders, files, or names of games that come with the program [default: all of
    /// those games]
    #[arg(value_name = "PATH", add = candidates::games())]
    paths: Vec<String>,
    /// Run only examples whose title contains TEXT
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Also play N games at random, and report errors as well as rules and phases that no game
    /// reaches
    #[arg(long, value_name = "N", value_parser = number_between::<u64>(1, MAX_GAMES))]
    play: Option<u64>,
    /// Also play games in pairs that differ only in secrets (the games of `--play`, or 100 games), and
    /// report the differences that a side notices
    #[arg(long)]
    secrets: bool,
    /// The length of each game of `--play` and `--secrets`: the number of lines played plus the
    /// number of phases begun
    #[arg(long, value_name = "N", default_value_t = USUAL_LENGTH, requires = "playing", value_parser = number_between::<u32>(1, MAX_LENGTH.into()))]
    length: u32,
    /// Any text, as the seed for the games of `--play` and `--secrets`
    #[arg(long, value_name = "TEXT", default_value = "check", requires = "playing")]
    seed: String,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Explain the code of a fault, with a wrong and a corrected sample; without CODE, list all codes
    #[arg(long, value_name = "CODE", num_args = 0..=1, conflicts_with_all = ["paths", "only", "watch"])]
    explain: Option<Option<String>>,
}

impl Arguments {
    /// Returns the options for the games to be played; `None` if no games were requested.
    fn play_options(&self) -> Option<PlayOptions> {
        (self.play.is_some() || self.secrets).then(|| PlayOptions {
            games: self.play.unwrap_or(GAMES_FOR_SECRETS),
            length: self.length,
            seed: Seed::from_text(&self.seed),
            reports_unreached: self.play.is_some(),
            compares_secrets: self.secrets,
        })
    }
}

/// The answer to `check`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CheckedAnswer {
    /// True if every ruleset could be read and has no faults. Warnings are allowed.
    ok: bool,
    /// The rulesets that were checked.
    rulesets: Vec<CheckedRuleset>,
}

/// A ruleset that was checked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum CheckedRuleset {
    /// A ruleset that was read.
    Read(RulesetFindings),
    /// A ruleset that cannot be read.
    Unreadable {
        /// The name or path, as it was typed.
        name: String,
        /// False, because the ruleset cannot be read.
        ok: bool,
        /// The reason why the ruleset cannot be read.
        error: String,
    },
}

impl CheckedRuleset {
    /// Returns true if the ruleset could be read and has no faults.
    fn is_ok(&self) -> bool {
        match self {
            CheckedRuleset::Read(findings) => findings.ok,
            CheckedRuleset::Unreadable { ok, .. } => *ok,
        }
    }
}

/// A ruleset that was read.
#[derive(Debug, Serialize, JsonSchema)]
struct RulesetFindings {
    /// The name or path, as it was typed.
    name: String,
    /// True if the ruleset has no faults. Warnings are allowed.
    ok: bool,
    /// The numbers of kinds, rules, tables and so on. `null` if the ruleset does not load.
    counts: Option<CheckedCounts>,
    /// The number of faults.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The faults and the warnings, at most 1,000 in all.
    faults: Vec<FaultAnswer>,
    /// The games that were played with `--play` or `--secrets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlayedGames>,
}

/// The numbers of kinds, rules, tables and so on in a ruleset, and the numbers of its examples.
#[derive(Debug, Serialize, JsonSchema)]
struct CheckedCounts {
    #[serde(flatten)]
    counts: RulesetCounts,
    /// The number of worked examples that ran.
    examples: usize,
    /// The number of worked examples that passed.
    passed: usize,
}

/// A fault or a warning.
#[derive(Debug, Serialize, JsonSchema)]
struct FaultAnswer {
    /// The code that `check --explain` takes.
    code: &'static str,
    /// The severity, `error` or `warning`.
    severity: &'static str,
    /// The fault, in words.
    message: String,
    /// A suggestion for correcting the fault.
    help: Option<String>,
    /// The position of the text at fault, if there is one.
    place: Option<FaultPlace>,
}

/// A position in a file of a ruleset.
#[derive(Debug, Serialize, JsonSchema)]
struct FaultPlace {
    /// The name of the file.
    file: String,
    /// The line, counted from 1.
    line: usize,
    /// The column, counted from 1.
    column: usize,
    /// The line on which the text at fault ends.
    end_line: usize,
    /// The column after the text at fault.
    end_column: usize,
}

/// Games that were played at random.
#[derive(Debug, Serialize, JsonSchema)]
struct PlayedGames {
    /// The number of games.
    games: u64,
    /// The number of lines that the rules accepted.
    lines: u64,
}

/// The maximum time for the examples of one ruleset. The examples of the largest shipped game take
/// a fifth of a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of games that `--secrets` plays without `--play`.
const GAMES_FOR_SECRETS: u64 = 100;

/// The maximum number of faults shown to people; the summary counts them all.
const SHOWN: usize = 100;

/// The time between two checks of the files. Reading their modification times is cheap and works on
/// every kind of disk.
const POLL: Duration = Duration::from_millis(125);

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    if let Some(code) = &arguments.explain {
        return explain::run(code.as_deref(), screen);
    }
    let names = if arguments.paths.is_empty() { shipped::names() } else { arguments.paths.clone() };
    if arguments.watch {
        return watch(&names, arguments, screen);
    }
    interrupt::end_at_interrupt("stopped: the check is not complete");
    all(&names, arguments, screen)
}

/// Checks the rulesets, and checks them again whenever a file has been written, until Ctrl-C.
fn watch(names: &[String], arguments: &Arguments, screen: &mut Screen) -> Ended {
    if screen.json {
        return Err(Failed::Usage("`--watch` cannot be used with `--json`".into()));
    }
    let stamps = || -> Vec<_> { names.iter().map(|n| library::stamp(n)).collect() };
    loop {
        let seen = stamps();
        if io::stdout().is_terminal() && !screen.plain {
            screen.write("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
        }
        all(names, arguments, screen)?;
        screen.show(&Text::of(
            Role::Quiet,
            "checked; the check runs again whenever a file is written",
        ))?;
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
    let mut rulesets = Vec::new();
    for name in names {
        let checked = match library::find(name) {
            Ok(found) => CheckedRuleset::Read(one(found, arguments, screen)?),
            Err(error) => {
                if !screen.json {
                    screen.error(&error.to_string());
                }
                let error = error.to_string();
                CheckedRuleset::Unreadable { name: name.clone(), ok: false, error }
            }
        };
        rulesets.push(checked);
    }
    let good = rulesets.iter().all(CheckedRuleset::is_ok);
    if screen.json {
        screen.document(&CheckedAnswer { ok: good, rulesets })?;
    } else if names.is_empty() {
        screen.show(&Text::of(Role::Plain, "this build contains no rulesets: give a path"))?;
    }
    Ok(if good { Code::Done } else { Code::Failed })
}

/// Checks one ruleset and returns the findings. Also prints them, unless the answer is JSON.
fn one(
    found: RulesetFiles,
    arguments: &Arguments,
    screen: &mut Screen,
) -> std::io::Result<RulesetFindings> {
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
                    "examples not run: {}; the others took {} seconds",
                    report.left_out,
                    PATIENCE.as_secs()
                );
                faults.push(Diagnostic::without_span("examples-too-slow", message));
            }
            if let Some(options) = arguments.play_options() {
                let bar = simulate::progress(options.games, screen);
                let playing = check::play::play(&ruleset, &options, &mut |done| {
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
            if screen.plain {
                screen.show(&render::diagnostic::linear(fault, &sources))?;
                continue;
            }
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
                format!("{name}: games played: {games}; lines in all: {lines}"),
            ))?;
        }
        screen.show(&summary(&name, report.as_ref(), errors, warnings))?;
        if let Some(fault) = faults.first() {
            let words = format!("  to explain a code: adjutant check --explain {}", fault.code);
            screen.show(&Text::of(Role::Quiet, words))?;
        }
    }
    let counts = report.map(|report| CheckedCounts {
        counts: report.counts,
        examples: report.examples,
        passed: report.passed,
    });
    Ok(RulesetFindings {
        name,
        ok: errors == 0,
        counts,
        errors,
        warnings,
        faults: faults.iter().take(MAX_FAULTS).map(|fault| form(fault, &sources)).collect(),
        played: played.map(|PlayReport { games, lines, .. }| PlayedGames { games, lines }),
    })
}

fn summary(name: &str, report: Option<&CheckReport>, errors: usize, warnings: usize) -> Text {
    let mut line = Line::of(Role::Header, format!("{name}: "));
    if let Some(report) = report {
        let counts: Vec<String> =
            report.counts.named().into_iter().map(|(what, n)| count_with_noun(n, what)).collect();
        line.push(Role::Plain, format!("{}; ", counts.join(", ")));
        let passed =
            format!("{} of {} passed", report.passed, count_with_noun(report.examples, "example"));
        let role = if report.passed == report.examples { Role::Good } else { Role::Bad };
        line.push(role, passed).push(Role::Plain, "; ");
    }
    let role = if errors == 0 { Role::Good } else { Role::Bad };
    let faults =
        if errors == 0 { "no errors".to_owned() } else { count_with_noun(errors, "fault") };
    line.push(role, faults);
    if warnings > 0 {
        line.push(Role::Plain, format!(", {}", count_with_noun(warnings, "warning")));
    }
    Text::from_iter([line.with_hanging_indent(2)])
}

/// Returns a fault as data for JSON output.
fn form(fault: &Diagnostic, sources: &Sources) -> FaultAnswer {
    let place = fault.span.and_then(|span| {
        let file = sources.get(span.file)?;
        let (line, column) = sources.line_column(span.file, span.start as usize);
        let (end_line, end_column) = sources.line_column(span.file, span.end as usize);
        Some(FaultPlace { file: file.name.clone(), line, column, end_line, end_column })
    });
    FaultAnswer {
        code: fault.code,
        severity: match fault.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: fault.message.clone(),
        help: fault.help.clone(),
        place,
    }
}
