//! The figures of a simulation: a table, plots in plain text, a picture, and JSON.

use schemars::JsonSchema;
use serde::Serialize;

use crate::language::number::Number;
use crate::referee::simulate::{MeasureCourse, Refusals, SimulatedEnd, SimulationResult};
use crate::referee::study::SimulationDocument;
use crate::referee::tally::Histogram;
use crate::render::chart::{self, TurnChart};
use crate::render::document::Block;
use crate::render::json::{counts_schema, number_schema};
use crate::render::markup::{Line, Role, Text};

/// The height of a text plot, in lines.
const PLOT_HEIGHT: usize = 10;
/// The maximum width of a text plot without its scale, in columns.
const PLOT_WIDTH: usize = 60;
/// The maximum width of one turn in a plot, in columns.
const TURN_WIDTH: usize = 4;
/// The maximum number of pieces that get separate plots.
const MOST_DRAWN: usize = 4;

/// The quantiles shown: their names and percentages.
const QUANTILES: [(&str, u32); 5] = [("5%", 5), ("25%", 25), ("50%", 50), ("75%", 75), ("95%", 95)];

/// The results of a simulation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StudyAnswer {
    /// The game, as typed.
    pub game: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The titles of the game and the scenario.
    pub title: String,
    /// The first digits of the hash of the rules.
    pub rules: String,
    /// The orders that replaced the players: `standing` or `none`.
    pub orders: String,
    /// The number of the first game.
    pub from: u64,
    /// The number of games that were played.
    pub games: u64,
    /// The maximum number of turns in each game.
    pub turns: u32,
    /// The text of `--seed`, or the seed in hexadecimal.
    pub seed: String,
    /// The number of games played at the same time.
    pub threads: usize,
    /// The time that the simulation took, in seconds. This differs from run to run.
    pub seconds: f64,
    /// The number of games played per second. This differs from run to run.
    pub games_per_second: f64,
    /// The standing orders that the rules refused, if any.
    pub refusals: Option<RefusedOrders>,
    /// The measures of the ruleset.
    pub measures: Vec<MeasureAnswer>,
    /// The games that ended, by winner. Missing if no end is defined for the scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<Vec<EndShare>>,
}

/// The standing orders that the rules refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RefusedOrders {
    /// The number of refusals.
    pub count: u64,
    /// The reason for the first refusal.
    pub first: String,
    /// The number of the game with the first refusal.
    pub game: u64,
}

/// A measure of the ruleset, or its values for one piece.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureAnswer {
    /// The name of the measure.
    pub name: String,
    /// The title of the measure.
    pub title: String,
    /// The piece or word, if the measure is taken for each of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// The figures after the last turn.
    #[serde(flatten)]
    pub at_the_end: Option<MeasureFigures>,
    /// The figures after the set-up and after each turn.
    pub by_turn: Vec<MeasureFigures>,
}

/// The figures of a measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureFigures {
    /// The mean over all games.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The lowest value. A fraction is a text.
    #[schemars(schema_with = "number_schema")]
    pub lowest: Number,
    /// The highest value.
    #[schemars(schema_with = "number_schema")]
    pub highest: Number,
    /// Five quantiles.
    pub quantiles: MeasureQuantiles,
    /// Pairs of a value and the number of games with that value.
    #[schemars(schema_with = "counts_schema")]
    pub counts: Vec<(Number, u64)>,
}

/// Quantiles of a measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureQuantiles {
    /// The value that 5% of the games don't exceed.
    #[serde(rename = "5%")]
    #[schemars(schema_with = "number_schema")]
    pub five: Number,
    /// The value that a quarter of the games don't exceed.
    #[serde(rename = "25%")]
    #[schemars(schema_with = "number_schema")]
    pub quarter: Number,
    /// The value that half of the games don't exceed.
    #[serde(rename = "50%")]
    #[schemars(schema_with = "number_schema")]
    pub half: Number,
    /// The value that three quarters of the games don't exceed.
    #[serde(rename = "75%")]
    #[schemars(schema_with = "number_schema")]
    pub three_quarters: Number,
    /// The value that 95% of the games don't exceed.
    #[serde(rename = "95%")]
    #[schemars(schema_with = "number_schema")]
    pub ninety_five: Number,
}

/// The games that the same side won, or that nobody won.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EndShare {
    /// The side that won; `None` if nobody won.
    pub winner: Option<String>,
    /// The number of these games.
    pub games: u64,
    /// The share of these games in all games.
    pub share: f64,
    /// The average turn in which these games ended.
    pub turn: f64,
    /// The sum of the turns in which these games ended.
    pub turns: u64,
}

fn measure_heading(course: &MeasureCourse) -> String {
    match &course.piece {
        Some(piece) => format!("{}, {piece}", course.title),
        None => course.title.clone(),
    }
}

fn final_spread(course: &MeasureCourse) -> Option<&Histogram> {
    course.turns.last()
}

/// Returns the results of a simulation: the games that each side won, the figures after the last
/// turn, and the plots. `orders` names the orders that replaced the players.
pub fn simulation_text(simulated: &SimulationResult, orders: &str, width: usize) -> Text {
    let mut text = Text::new();
    let games = simulated.games;
    let turns = simulated.turns;
    let from = match simulated.from {
        0 => String::new(),
        from => format!(", starting with game {from} of the study"),
    };
    text.line(Role::Header, format!("{games} games of {turns} turns{from}"));
    if let Some(Refusals { count, first, .. }) = &simulated.refusals {
        text.line(Role::Notice, format!("orders stopped early: {count}; the first: {first}"));
    }
    let ends = ends(simulated);
    if !ends.is_empty() {
        text.extend(ends);
        // Readers could mistake these odds of winning for the odds of human players, who plan
        // ahead.
        let players = match orders {
            "none" => "played without orders: only automatic rules run",
            _ => "played by the ruleset's standing orders for every side: nobody plans ahead",
        };
        text.line(Role::Quiet, format!("  {players}"));
    }
    text.blocks.push(figures_table(simulated));
    for course in courses_to_draw(simulated) {
        text.push_empty_line();
        let drawing = plot(course, width);
        text.blocks.push(Block::Drawn { drawing, described: course_by_turn(course) });
    }
    text
}

/// Returns the share of games that each side won or that had no winner, each with the average turn
/// in which they ended, and the share of games that are not over.
fn ends(simulated: &SimulationResult) -> Text {
    let Some(ends) = &simulated.ends else { return Text::new() };
    let share =
        |games: u64| format!("{:.1} %", 100.0 * games as f64 / simulated.games.max(1) as f64);
    let mut text = Text::new();
    for end in ends {
        let who = end.winner.as_ref().map_or("no winner".to_owned(), |w| format!("winner {w}"));
        let share = share(end.games);
        let turn = end.mean_turn();
        text.line(
            Role::Plain,
            format!("  {who}: {share} of the games, in turn {turn:.1} on average"),
        );
    }
    let open = simulated.games - ends.iter().map(|end| end.games).sum::<u64>();
    if open > 0 {
        text.line(Role::Plain, format!("  not over: {} of the games", share(open)));
    }
    text
}

/// Returns the measures to plot: all measures of the whole game, and each measure of single pieces
/// that has values for only a few.
fn courses_to_draw(simulated: &SimulationResult) -> impl Iterator<Item = &MeasureCourse> {
    let pieces = |name: &str| simulated.measures.iter().filter(|c| c.name == name).count();
    simulated.measures.iter().filter(move |c| c.piece.is_none() || pieces(&c.name) <= MOST_DRAWN)
}

/// Returns a table with one row of figures for each measure after the last turn.
fn figures_table(simulated: &SimulationResult) -> Block {
    let heads = ["at the end", "mean", "spread"].into_iter();
    let heads = heads.chain(QUANTILES.iter().map(|(name, _)| *name)).map(str::to_owned);
    let rows = simulated.measures.iter().filter_map(|course| {
        let spread = final_spread(course)?;
        let mean = format!("{:.2}", spread.mean());
        let sd = format!("{:.2}", spread.standard_deviation());
        let quantiles = QUANTILES.iter().map(|(_, part)| spread.quantile(*part, 100).to_string());
        Some([measure_heading(course), mean, sd].into_iter().chain(quantiles).collect())
    });
    Block::table(heads.collect(), rows.collect())
}

/// Plots a measure by turn: `*` is the mean, `:` the middle half of the games, and `.` nine in ten
/// games.
fn plot(course: &MeasureCourse, width: usize) -> Text {
    let mut text = Text::from_iter([Line::of(Role::Strong, measure_heading(course))]);
    let bands: Vec<[f64; 5]> = course.turns.iter().map(plot_bands).collect();
    let top = bands.iter().map(|b| b[4]).fold(0.0, f64::max);
    let low = bands.iter().map(|b| b[0]).fold(0.0, f64::min);
    let top = if top > low { top } else { low + 1.0 };
    let room = width.saturating_sub(12).clamp(8, PLOT_WIDTH);
    let columns = bands.len().min(room);
    let wide = (room / columns.max(1)).clamp(1, TURN_WIDTH);
    let at = |column: usize| match columns {
        0 | 1 => 0,
        n => column * (bands.len() - 1) / (n - 1),
    };
    let row_of = |v: f64| ((v - low) / (top - low) * (PLOT_HEIGHT - 1) as f64).round() as usize;
    for row in (0..PLOT_HEIGHT).rev() {
        let value = low + (top - low) * row as f64 / (PLOT_HEIGHT - 1) as f64;
        let mut line = format!("  {value:>8.1} |");
        for column in 0..columns {
            let Some(band) = bands.get(at(column)) else { continue };
            let within = |a: f64, b: f64| (row_of(a)..=row_of(b)).contains(&row);
            let sign = match () {
                () if row_of(band[2]) == row => "*",
                () if within(band[1], band[3]) => ":",
                () if within(band[0], band[4]) => ".",
                () => " ",
            };
            line.push_str(&sign.repeat(wide));
        }
        text.push(Line::of(Role::Plain, line.trim_end()).unbreakable());
    }
    let turns = course.turns.len().saturating_sub(1);
    let axis = format!("  {:>8} +{}", "", "-".repeat(columns * wide));
    text.push(Line::of(Role::Quiet, axis).unbreakable());
    let ends =
        format!("  {:>8}  turn 0 to {turns}; * mean, : half of the games, . nine in ten", "");
    text.line(Role::Quiet, ends);
    text
}

/// Returns the content of a plot in words, turn by turn.
fn course_by_turn(course: &MeasureCourse) -> Text {
    let headings = ["turn", "mean", "half of the games", "nine in ten"].map(str::to_owned).to_vec();
    let rows = course.turns.iter().enumerate().map(|(turn, spread)| {
        let between =
            |low, high| format!("{} to {}", spread.quantile(low, 100), spread.quantile(high, 100));
        let mean = format!("{:.2}", spread.mean());
        vec![turn.to_string(), mean, between(25, 75), between(5, 95)]
    });
    let mut text = Text::of(Role::Strong, measure_heading(course));
    text.blocks.push(Block::table(headings, rows.collect()));
    text
}

/// Returns the 5th and 25th percentiles, the mean, and the 75th and 95th percentiles.
fn plot_bands(spread: &Histogram) -> [f64; 5] {
    let at = |part| spread.quantile(part, 100).to_f64();
    [at(5), at(25), spread.mean(), at(75), at(95)]
}

/// Returns a simulation for machines, with the counts on which its figures are based.
pub fn study_answer(study: &SimulationDocument) -> StudyAnswer {
    let simulated = &study.simulated;
    let games = simulated.games as f64;
    let seconds = study.seconds;
    StudyAnswer {
        game: study.game.clone(),
        scenario: study.scenario.clone(),
        title: study.title.clone(),
        rules: study.rules.clone(),
        orders: study.orders.clone(),
        from: simulated.from,
        games: simulated.games,
        turns: simulated.turns,
        seed: study.seed.clone(),
        threads: study.threads,
        seconds,
        games_per_second: if seconds > 0.0 { games / seconds } else { 0.0 },
        refusals: simulated.refusals.as_ref().map(refused_orders),
        measures: simulated.measures.iter().map(measure_answer).collect(),
        ends: simulated
            .ends
            .as_ref()
            .map(|ends| ends.iter().map(|end| end_share(end, games)).collect()),
    }
}

fn end_share(end: &SimulatedEnd, games: f64) -> EndShare {
    EndShare {
        winner: end.winner.clone(),
        games: end.games,
        share: end.games as f64 / games.max(1.0),
        turn: end.mean_turn(),
        turns: end.turns,
    }
}

fn refused_orders(refusals: &Refusals) -> RefusedOrders {
    RefusedOrders { count: refusals.count, first: refusals.first.clone(), game: refusals.game }
}

fn measure_answer(course: &MeasureCourse) -> MeasureAnswer {
    MeasureAnswer {
        name: course.name.clone(),
        title: course.title.clone(),
        piece: course.piece.clone(),
        at_the_end: final_spread(course).map(measure_figures),
        by_turn: course.turns.iter().map(measure_figures).collect(),
    }
}

fn measure_figures(spread: &Histogram) -> MeasureFigures {
    let [five, quarter, half, three_quarters, ninety_five] =
        QUANTILES.map(|(_, part)| spread.quantile(part, 100));
    MeasureFigures {
        mean: spread.mean(),
        sd: spread.standard_deviation(),
        lowest: spread.lowest(),
        highest: spread.highest(),
        quantiles: MeasureQuantiles { five, quarter, half, three_quarters, ninety_five },
        counts: spread.counts().collect(),
    }
}

/// Returns an SVG file with a chart by turn for each measure that is plotted.
pub fn svg(simulated: &SimulationResult, title: &str) -> String {
    let one = |course: &MeasureCourse| TurnChart {
        title: measure_heading(course),
        turns: course.turns.iter().map(plot_bands).collect(),
    };
    chart::charts_file(title, &courses_to_draw(simulated).map(one).collect::<Vec<_>>())
}
