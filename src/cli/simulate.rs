//! `adjutant simulate`: plays a scenario many times without players, and counts the results.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use adjutant_engine::referee::Referee;
use adjutant_engine::referee::simulate::{
    MAX_FIRST_GAME, MAX_GAMES, MAX_THREADS, MAX_TURNS, SimulationPlan,
};
use adjutant_engine::referee::study::SimulationDocument;
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::{message, simulation};
use adjutant_engine::session::RulesReceipt;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output::Screen;
use crate::cli::usage::number_between;
use crate::cli::{
    Code, Ended, Failed, candidates, check_not_foreign, library, own_files, play, shown, write_file,
};
use crate::console::interrupt;
use crate::{files, shipped};

/// The maximum size of a shard's file, in bytes.
const MAX_SHARD: u64 = 1 << 28;

/// Who acts instead of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Orders {
    /// No one
    None,
    /// The standing orders of the ruleset
    Standing,
}

/// The arguments of `simulate`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  adjutant simulate blitz --turns 20 --games 1000\n  adjutant simulate blitz --scenario st-pauls --orders standing --svg fires.svg\n  adjutant simulate my-rules/ --seed candle --from 5000 --games 5000 --json > shard-2.json\n  adjutant simulate merge shard-1.json shard-2.json"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<SimulateAction>,
    /// A game that comes with the program, or the path of a ruleset
    #[arg(required = true, add = candidates::games())]
    game: Option<String>,
    /// The name of a scenario, or your own .toml file [default: the first that isn't hidden]
    #[arg(long, value_name = "NAME", add = candidates::scenarios())]
    scenario: Option<String>,
    /// The maximum number of turns in each game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_between::<u32>(1, u64::from(MAX_TURNS)))]
    turns: u32,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number_between::<u64>(1, MAX_GAMES))]
    games: u64,
    /// The number of the first game, from 0, to play one part of a larger simulation (a shard); needs --seed
    #[arg(long, value_name = "N", default_value_t = 0, requires = "seed", value_parser = number_between::<u64>(0, MAX_FIRST_GAME))]
    from: u64,
    /// Any text, as the seed for the dice; the same text gives the same dice [default: random]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// The number of games played at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = number_between::<u64>(1, MAX_THREADS as u64))]
    threads: Option<u64>,
    /// Who acts instead of the players
    #[arg(long, value_enum, default_value_t = Orders::Standing)]
    orders: Orders,
    /// Plot each measure turn by turn, and write the plots to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// An action on the results of simulations.
#[derive(Debug, clap::Subcommand)]
enum SimulateAction {
    /// Merge the parts (shards) of a simulation; the figures are the same as those of a single run
    Merge {
        /// Files written by `simulate … --from N --games N --json`, in any order
        #[arg(required = true, value_name = "FILE")]
        shards: Vec<PathBuf>,
        /// Plot each measure turn by turn, and write the plots to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let mut own = own_files();
    let picture = match &arguments.action {
        Some(SimulateAction::Merge { svg, .. }) => svg,
        None => &arguments.svg,
    };
    // Failing now is better than failing after an hour.
    if let Some(path) = picture {
        check_not_foreign(&own, path)?;
    }
    let study = match (&arguments.action, &arguments.game) {
        (Some(SimulateAction::Merge { shards, .. }), _) => merged(shards)?,
        (None, Some(game)) => simulated(game, arguments, screen)?,
        (None, None) => return Err(Failed::Usage("name a game".to_owned())),
    };
    if let Some(path) = picture {
        let plot = simulation::svg(&study.simulated, &study.title);
        write_file(&mut own, path, plot.as_bytes())?;
    }
    let text = simulation::simulation_text(&study.simulated, &study.orders, screen.width());
    screen.answer(&text, &simulation::study_answer(&study))?;
    let is_whole = arguments.action.is_some() || study.simulated.games == arguments.games;
    Ok(if is_whole { Code::Done } else { Code::Failed })
}

/// Plays the games, and shows the progress.
fn simulated(
    game: &str,
    arguments: &Arguments,
    screen: &mut Screen,
) -> Result<SimulationDocument, Failed> {
    let interrupted = interrupt::count_interrupts("stopped: there are no results");
    let wanted = arguments.scenario.as_deref();
    let (found, ruleset) = library::load(game, wanted, screen)?;
    let scenario = play::scenario(&ruleset, wanted)?;
    if ruleset.measures.is_empty() && ruleset.ends.is_empty() {
        return Err(Failed::Message(format!(
            "`{}` has no `[measure.NAME]` and no `[end]`, so there is nothing to measure",
            found.name
        )));
    }
    let seed = play::seed(arguments.seed.as_deref())?;
    let told = arguments.seed.clone().unwrap_or_else(|| seed.to_hex());
    let available = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = arguments.threads.map_or(available, |n| n as usize).clamp(1, MAX_THREADS);
    let plan = SimulationPlan {
        turns: arguments.turns,
        from: arguments.from,
        games: arguments.games,
        seed,
        threads,
        orders: arguments.orders == Orders::Standing,
    };
    let referee = Referee::new(ruleset.clone());
    let began = Instant::now();
    let progress = progress(arguments.games, screen);
    let result = referee.simulate(scenario, &plan, &|done| {
        progress.set_position(done);
        interrupted.load(Ordering::Relaxed) == 0
    });
    progress.finish_and_clear();
    let simulated = result.map_err(|halt| {
        screen.tell_error(&message::halt(&halt, &ruleset.sources));
        Failed::Message(format!("`{}` cannot be simulated", scenario.name))
    })?;
    let asked = arguments.games;
    match simulated.games {
        0 => return Err(Failed::Message("stopped before the first game was over".to_owned())),
        played if played < asked => {
            let words = format!("stopped: {played} of {asked} games were played");
            screen.tell_error(&Text::of(Role::Notice, words));
        }
        _ => {}
    }
    let has_orders = ruleset.phases.iter().any(|phase| phase.orders.is_some());
    let orders = if has_orders { arguments.orders } else { Orders::None }.to_possible_value();
    Ok(SimulationDocument {
        rules: RulesReceipt::of(&found.name, &found.files, shipped::files).hash,
        game: found.name,
        scenario: scenario.name.clone(),
        title: format!("{}: {}", ruleset.game.title, scenario.title),
        seed: told,
        orders: orders.map_or_else(String::new, |value| value.get_name().to_owned()),
        threads,
        seconds: began.elapsed().as_secs_f64(),
        simulated,
    })
}

/// Reads shards, and merges them in the order of their games.
fn merged(paths: &[PathBuf]) -> Result<SimulationDocument, Failed> {
    let mut shards = Vec::new();
    for path in paths {
        shards.push((path, read_shard(path)?));
    }
    shards.sort_by_key(|(_, shard)| shard.simulated.from);
    let mut shards = shards.into_iter();
    let Some((_, mut whole)) = shards.next() else {
        return Err(Failed::Usage("name the shards".to_owned()));
    };
    for (path, shard) in shards {
        whole.merge(shard).map_err(|e| bad_shard(path, &e.to_string()))?;
    }
    Ok(whole)
}

/// Reads a shard, and checks that its content is consistent.
fn read_shard(path: &Path) -> Result<SimulationDocument, Failed> {
    let bytes = files::read_named(path, MAX_SHARD)
        .map_err(|e| bad_shard(path, &format!("cannot be read: {e}")))?;
    let study: SimulationDocument = serde_json::from_slice(&bytes)
        .map_err(|e| bad_shard(path, &format!("is not what `simulate --json` prints: {e}")))?;
    study.validate().map_err(|e| bad_shard(path, &e.to_string()))
}

fn bad_shard(path: &Path, reason: &str) -> Failed {
    Failed::Message(format!("`{}` {reason}", shown(path)))
}

/// Returns a progress bar with the time left, on standard error. It is hidden if standard error is
/// not a terminal. With `--plain` it is hidden too, because no screen reader can follow a bar that
/// is constantly redrawn.
pub(super) fn progress(games: u64, screen: &Screen) -> ProgressBar {
    if screen.plain {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("[{bar:30}] {percent:>3}%  {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("#--");
    ProgressBar::new(games).with_style(style)
}
