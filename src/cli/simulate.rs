//! `adjutant simulate`: plays a scenario many times by the rules alone, and counts.

use std::time::Instant;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::screen::Screen;
use super::{Ended, Failed, library, play};
use crate::files::{self, SystemDisk};
use crate::referee::Referee;
use crate::referee::simulate::{MAX_GAMES, MAX_THREADS, MAX_TURNS, Plan};
use crate::render::markup::clean;
use crate::render::{message, simulation};

/// Who acts in place of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Orders {
    /// Nobody
    None,
    /// The standing orders of the ruleset
    Standing,
}

/// The arguments of `simulate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant simulate blitz --turns 20 --games 1000\n  adjutant simulate blitz --scenario st-pauls --orders standing --svg fires.svg\n  adjutant simulate my-rules/ --seed candle --json"
)]
pub(super) struct Arguments {
    /// A shipped game or the path of a ruleset
    game: String,
    /// The scenario; else the first
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// The turns of each game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TURNS)))]
    turns: u32,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    games: u64,
    /// A text that fixes the dice; without it they are random
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// The number of games played at a time; without it, as many as the machine can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS as u64))]
    threads: Option<u64>,
    /// Who acts in place of the players
    #[arg(long, value_enum, default_value_t = Orders::Standing)]
    orders: Orders,
    /// A picture of each measure by turn, written to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<std::path::PathBuf>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let (found, ruleset) = library::load(&arguments.game, screen)?;
    let scenario = play::scenario(&ruleset, arguments.scenario.as_deref())?;
    if ruleset.measures.is_empty() && ruleset.ends.is_empty() {
        return Err(Failed::Message(format!(
            "`{}` has no `[measure.NAME]` and no `[end]`, so there is nothing to count",
            found.name
        )));
    }
    let seed = play::seed(arguments.seed.as_deref())?;
    let told = arguments.seed.clone().unwrap_or_else(|| seed.to_hex());
    let available = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = arguments.threads.map_or(available, |n| n as usize).clamp(1, MAX_THREADS);
    let plan = Plan {
        turns: arguments.turns,
        games: arguments.games,
        seed,
        threads,
        orders: arguments.orders == Orders::Standing,
    };
    let referee = Referee::new(ruleset.clone());
    let began = Instant::now();
    let progress = progress(arguments.games);
    let result = referee.simulate(scenario, &plan, &|done| {
        progress.set_position(done);
        true
    });
    progress.finish_and_clear();
    let simulated = match result {
        Ok(simulated) => simulated,
        Err(halt) => {
            screen.tell_error(&message::halt(&halt, &ruleset.sources));
            return Err(Failed::Message(format!("`{}` cannot be simulated", scenario.name)));
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    if let Some(path) = &arguments.svg {
        let title = format!("{}: {}", ruleset.game.title, scenario.title);
        let plot = simulation::svg(&simulated, &title);
        files::replace(&SystemDisk, path, plot.as_bytes()).map_err(|error| {
            Failed::Message(format!(
                "cannot write `{}`: {error}",
                clean(&path.display().to_string())
            ))
        })?;
    }
    let text = simulation::simulation(&simulated, screen.width());
    screen.answer(&text, &simulation::json(&simulated, &told, threads, seconds))
}

/// Returns a bar on standard error with the time left, hidden where standard error is no terminal.
pub(super) fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("[{bar:30}] {percent:>3}%  {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("#--");
    ProgressBar::new(games).with_style(style)
}
