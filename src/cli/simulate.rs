//! `adjutant simulate`: what a scenario leads to, played many times by the rules alone.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::screen::Screen;
use super::{Code, Ended, Failed, library, play};
use crate::referee::Referee;
use crate::referee::simulate::{MAX_GAMES, MAX_THREADS, MAX_TURNS, Plan};
use crate::render::markup::clean;
use crate::render::{message, simulation};

/// How often the progress is told.
const PACE: Duration = Duration::from_millis(100);

/// Who acts in place of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Orders {
    /// Nobody
    None,
    /// The standing orders of the ruleset
    Standing,
}

/// What `simulate` can be told.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant simulate blitz --turns 20 --games 1000\n  adjutant simulate blitz --scenario st-pauls --orders standing --svg fires.svg\n  adjutant simulate my-rules/ --seed candle --json"
)]
pub struct Arguments {
    /// A shipped game or the path of a ruleset
    game: String,
    /// The scenario; else the first
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// How many turns a game has
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TURNS)))]
    turns: u32,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    games: u64,
    /// What the dice follow from; without it, chance
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// How many games are played at a time; else as many as the machine can
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
    let (name, ruleset) = library::load(&arguments.game, screen)?;
    let scenario = play::scenario(&ruleset, arguments.scenario.as_deref())?;
    if ruleset.measures.is_empty() {
        return Err(Failed::Message(format!(
            "`{name}` has no `[measure.NAME]`, so there is nothing to count"
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
    let progress = Progress::new(arguments.games, began);
    let result = referee.simulate(scenario, &plan, &|done| progress.tell(done));
    progress.clear();
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
        std::fs::write(path, simulation::svg(&simulated, &title)).map_err(|error| {
            Failed::Message(format!(
                "cannot write `{}`: {error}",
                clean(&path.display().to_string())
            ))
        })?;
    }
    match screen.json {
        true => screen.document(&simulation::json(&simulated, &told, threads, seconds))?,
        false => {
            let text = simulation::simulation(&simulated, screen.width());
            screen.show(&text)?;
        }
    }
    Ok(Code::Done)
}

/// A bar on standard error with the time left, if somebody sees it.
struct Progress {
    games: u64,
    began: Instant,
    last: Option<Mutex<Instant>>,
}

impl Progress {
    fn new(games: u64, began: Instant) -> Progress {
        let last = std::io::stderr().is_terminal().then(|| Mutex::new(began));
        Progress { games, began, last }
    }

    /// Tells how far it is; always says to go on.
    fn tell(&self, done: u64) -> bool {
        let Some(last) = &self.last else { return true };
        let Ok(mut last) = last.try_lock() else { return true };
        if last.elapsed() < PACE {
            return true;
        }
        *last = Instant::now();
        let part = done as f64 / self.games.max(1) as f64;
        let left = self.began.elapsed().as_secs_f64() * (1.0 / part.max(1e-9) - 1.0);
        let full = (part * 30.0) as usize;
        let bar = format!("{}{}", "#".repeat(full), "-".repeat(30 - full.min(30)));
        let percent = part * 100.0;
        // If standard error is closed, nobody is there to be told.
        let _ = write!(std::io::stderr(), "\r[{bar}] {percent:3.0}%  {left:.0} s left  ");
        true
    }

    fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(60));
        }
    }
}
