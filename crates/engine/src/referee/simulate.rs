//! Simulates a scenario: plays many complete games without players.
//!
//! The phases run as at the table, under the same rules. Chance answers questions unless a rule
//! states the best answer, and the `orders` of phases can replace the players. Game `i` takes its
//! dice from streams `2i` and `2i + 1` of the seed, and results are only counted. The figures are
//! therefore the same for any number of threads and shards.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use adjutant_dice::{Seed, SeededSource};
use serde::{Deserialize, Serialize};

use super::act::RuleRun;
use super::chance::RandomHost;
use super::phases::Successor;
use super::{Inputs, Referee};
use crate::language::code::Program;
use crate::language::machine::{Halt, Machine, PlayError, PlayFault, World, value_text};
use crate::language::number::Number;
use crate::language::schema::{FunctionId, Type};
use crate::language::syntax::Period;
use crate::referee::tally::Histogram;
use crate::ruleset::{GameEnd, Measure};
use crate::tabletop::{Scenario, Tabletop};

/// The maximum number of games in one simulation.
pub const MAX_GAMES: u64 = 100_000_000;
/// The highest number that the first game may have.
pub const MAX_FIRST_GAME: u64 = 1_000_000_000_000;
/// The maximum number of turns in a game.
pub const MAX_TURNS: u32 = 10_000;
/// The maximum number of threads.
pub const MAX_THREADS: usize = 256;
/// The maximum number of pieces or words for which a measure is counted separately. Further ones
/// are left out.
pub const MAX_MEASURED_PIECES: usize = 200;
/// The number of games in a block, which a thread plays before it checks whether the simulation
/// was stopped.
const GAMES_PER_BLOCK: u64 = 16;

/// The settings of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// The number of turns in each game.
    pub turns: u32,
    /// The number of the first game, counted from 0. Later shards of a study begin with a higher
    /// number.
    pub from: u64,
    /// The number of games to play.
    pub games: u64,
    /// The seed that all dice are derived from.
    pub seed: Seed,
    /// The number of threads. Each thread plays one game at a time.
    pub threads: usize,
    /// True if the orders of phases replace the players.
    pub orders: bool,
}

/// The counts of the values of one measure, or of one piece or word of a measure, turn by turn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MeasureCourse {
    /// The name of the measure.
    pub name: String,
    /// The title of the measure.
    pub title: String,
    /// The name of the piece or word, if the measure has a value for each of them.
    pub piece: Option<String>,
    /// The counts after the set-up, and after each turn.
    #[serde(rename = "by_turn")]
    pub turns: Vec<Histogram>,
}

/// The result of a simulation, or of a shard of one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SimulationResult {
    /// The number of the first game.
    pub from: u64,
    /// The number of games that were played to the end. It is lower than requested if the
    /// simulation was stopped.
    pub games: u64,
    /// The number of turns in each game.
    pub turns: u32,
    /// The counts of the measures, in the order of the ruleset.
    pub measures: Vec<MeasureCourse>,
    /// The ends of the games by winner, the most frequent first; `None` if the scenario has no end.
    pub ends: Option<Vec<SimulatedEnd>>,
    /// The orders of phases that the rules refused; `None` if there were none.
    pub refusals: Option<Refusals>,
}

/// The games that one side won, or that ended without a winner.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SimulatedEnd {
    /// The winning side; `None` if no side won.
    pub winner: Option<String>,
    /// The number of games with this end.
    pub games: u64,
    /// The sum of the numbers of the turns in which these games ended.
    pub turns: u64,
}

/// The orders that the rules refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals {
    /// The number of refusals.
    pub count: u64,
    /// The reason for the first refusal in the first game that had a refusal.
    pub first: String,
    /// The number of that game.
    pub game: u64,
}

impl SimulatedEnd {
    /// Returns the average turn in which these games ended.
    pub fn mean_turn(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }
}

/// The function of one measure, or of one piece or word of a measure. Its value is computed after
/// the set-up and after each turn.
struct MeasureProbe {
    function: FunctionId,
    /// The type and the value of the piece or word, if the measure has a value for each of them.
    of: Option<(Type, u32)>,
}

impl SimulationResult {
    /// Adds the counts of other games in the same study.
    pub fn merge(&mut self, other: SimulationResult) {
        self.from = self.from.min(other.from);
        self.games = self.games.saturating_add(other.games);
        for (ours, theirs) in self.measures.iter_mut().zip(&other.measures) {
            ours.turns.iter_mut().zip(&theirs.turns).for_each(|(a, b)| a.merge(b));
        }
        for end in other.ends.into_iter().flatten() {
            self.count_end(end);
        }
        if let Some(ends) = &mut self.ends {
            ends.sort_by(|a, b| (Reverse(a.games), &a.winner).cmp(&(Reverse(b.games), &b.winner)));
        }
        if let Some(refusals) = other.refusals {
            self.count_refusals(refusals);
        }
    }

    fn count_end(&mut self, end: SimulatedEnd) {
        let ends = self.ends.get_or_insert_default();
        match ends.iter_mut().find(|ours| ours.winner == end.winner) {
            Some(ours) => {
                ours.games = ours.games.saturating_add(end.games);
                ours.turns = ours.turns.saturating_add(end.turns);
            }
            None => ends.push(end),
        }
    }

    fn count_refusals(&mut self, other: Refusals) {
        let ours = self.refusals.get_or_insert_with(|| Refusals { count: 0, ..other.clone() });
        ours.count = ours.count.saturating_add(other.count);
        if other.game < ours.game {
            ours.first = other.first;
            ours.game = other.game;
        }
    }
}

impl Referee {
    /// Plays a scenario many times. After each block of games, the threads call `go_on` with the
    /// number of finished games. If `go_on` returns false, the simulation stops.
    pub fn simulate(
        &self,
        scenario: &Scenario,
        plan: &SimulationPlan,
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<SimulationResult, Halt> {
        let inputs = set_up_inputs(plan, 0);
        let (laid_out, record) = self.lay_out_scenario(scenario, &inputs)?;
        // A set-up that rolls no dice is the same for every game.
        let fixed = record.into_outcome(&laid_out).dice.is_empty();
        let program = self.simulation_program(scenario);
        let mut trial = laid_out.with_log();
        let set_out;
        let first = if fixed {
            begin_scenario(scenario, plan, 0, &mut self.new_machine(), &mut trial)?;
            &trial
        } else {
            set_out = self.set_up(scenario, &inputs)?.0;
            &set_out
        };
        let turns = plan.turns.min(MAX_TURNS);
        let (meters, measures) = self.measure_probes(first, turns);
        let from = plan.from.min(MAX_FIRST_GAME);
        let end = from + plan.games.min(MAX_GAMES);
        let nothing = SimulationResult {
            from,
            games: 0,
            turns,
            measures,
            ends: self.ruleset.ends.iter().any(|e| e.counts_in(&scenario.name)).then(Vec::new),
            refusals: None,
        };
        trial.roll_back(0);
        trial.forget_texts();
        let next = AtomicU64::new(from);
        let over = AtomicU64::new(0);
        let stopped = AtomicBool::new(false);
        let work = |table: Tabletop| {
            let play = |game: &mut SimulatedGame<'_>, number| {
                if fixed {
                    begin_scenario(scenario, plan, number, &mut game.machine, &mut game.table)?;
                } else {
                    let (fresh, _) = self.set_up(scenario, &set_up_inputs(plan, number))?;
                    game.table = fresh.with_log();
                }
                game.play_game(number)
            };
            let mut game = SimulatedGame {
                referee: self,
                machine: Machine::new(&self.ruleset.schema, &program),
                judge: Machine::new(&self.ruleset.schema, &program),
                plan,
                meters: &meters,
                tally: nothing.clone(),
                table,
                chance: RandomHost::new(SeededSource::new(&plan.seed, 1)),
                open_at: None,
            };
            loop {
                // Once a thread has taken a block, it plays the block to its end, so the numbers of
                // the games have no gaps.
                if stopped.load(Ordering::Relaxed) {
                    return Ok(game.tally);
                }
                let block = next.fetch_add(GAMES_PER_BLOCK, Ordering::Relaxed);
                if block >= end {
                    return Ok(game.tally);
                }
                let end = (block + GAMES_PER_BLOCK).min(end);
                for number in block..end {
                    if let Err(halt) = play(&mut game, number) {
                        stopped.store(true, Ordering::Relaxed);
                        return Err((number, halt));
                    }
                }
                let done = over.fetch_add(end - block, Ordering::Relaxed) + end - block;
                if !go_on(done) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        let threads = plan.threads.clamp(1, MAX_THREADS);
        let tallies: Vec<Option<Result<SimulationResult, (u64, Halt)>>> = match threads {
            1 => vec![Some(work(trial))],
            _ => std::thread::scope(|scope| {
                let running: Vec<_> =
                    (0..threads).map(|_| scope.spawn(|| work(trial.clone()))).collect();
                running.into_iter().map(|thread| thread.join().ok()).collect()
            }),
        };
        let mut whole = nothing;
        let mut failed = Vec::new();
        for tally in tallies {
            match tally.ok_or_else(|| thread_lost_halt(scenario))? {
                Ok(tally) => whole.merge(tally),
                Err(failure) => failed.push(failure),
            }
        }
        // If several games failed, the error of the game with the lowest number is returned, so the
        // error does not depend on the threads.
        let earliest = failed.into_iter().min_by_key(|(game, _)| *game);
        earliest.map_or(Ok(whole), |(_, halt)| Err(halt))
    }

    /// Returns the program for simulated games, without the reports of the rules.
    fn simulation_program(&self, scenario: &Scenario) -> Program {
        let rules = &self.ruleset;
        let phases = rules.phases.iter().flat_map(|phase| {
            let order = phase.turns.as_ref().and_then(|turns| turns.order);
            let activation = phase.activation.as_ref();
            let reset = activation.map(|activation| activation.begin);
            let settle = activation.map(|activation| activation.end);
            let others = [phase.skip, phase.begin, phase.orders, phase.end, order, reset, settle];
            others.into_iter().flatten().chain(phase.reminders.iter().copied())
        });
        let ends = rules.ends.iter().flat_map(|end| {
            [Some(end.when), end.winner, end.margin, end.say].into_iter().flatten()
        });
        let measures = rules.measures.iter().map(|measure| measure.function);
        let rounds = rules.rounds.iter().flat_map(|round| round.reminders.iter().copied());
        let run: Vec<_> =
            phases.chain(rounds).chain(ends).chain(measures).chain(scenario.begin).collect();
        rules.program.without_reports(&run)
    }

    /// Returns a probe for each measure, or for each piece or word on `table` for which a measure has
    /// a value. Also returns the counts for each probe, with empty histograms.
    fn measure_probes(
        &self,
        table: &Tabletop,
        turns: u32,
    ) -> (Vec<MeasureProbe>, Vec<MeasureCourse>) {
        let mut meters = Vec::new();
        for Measure { name, title, function, each, .. } in &self.ruleset.measures {
            let all = |ty| {
                table
                    .all_members(ty)
                    .into_iter()
                    .take(MAX_MEASURED_PIECES)
                    .map(move |of| Some((ty, of)))
            };
            let of = each.map_or_else(|| vec![None], |ty| all(ty).collect());
            meters.extend(of.into_iter().map(|of| {
                let name_of =
                    |(ty, member)| value_text(&self.ruleset.schema, table, i64::from(member), ty);
                let name = name.clone();
                let title = title.clone();
                let piece = of.map(name_of);
                let turns = vec![Histogram::default(); turns as usize + 1];
                (
                    MeasureProbe { function: *function, of },
                    MeasureCourse { name, title, piece, turns },
                )
            }));
        }
        meters.into_iter().unzip()
    }
}

fn thread_lost_halt(scenario: &Scenario) -> Halt {
    let rule = scenario.name.clone();
    let span = crate::source::Span::default();
    Halt::Fault(Box::new(PlayError { fault: PlayFault::ThreadLost, rule, span }))
}

fn set_up_inputs(plan: &SimulationPlan, game: u64) -> Inputs {
    Inputs { ask_random: true, ..Inputs::seeded(&plan.seed, 2 * game) }
}

/// Runs the statements of the scenario. Rolling back the game also reverses their changes.
fn begin_scenario(
    scenario: &Scenario,
    plan: &SimulationPlan,
    game: u64,
    machine: &mut Machine<'_>,
    table: &mut Tabletop,
) -> Result<(), Halt> {
    let Some(begin) = scenario.begin else { return Ok(()) };
    let mut chance = RandomHost::new(SeededSource::new(&plan.seed, 2 * game));
    machine.reset();
    machine.call(begin, &[], table, &mut chance).map(|_| ())
}

/// Returns the value of a run, or the period that its statements ended, such as a phase or turn.
fn ended_early<T>(result: Result<T, Halt>) -> Result<(Option<T>, Option<Period>), Halt> {
    match result {
        Ok(value) => Ok((Some(value), None)),
        Err(Halt::Ended(period)) => Ok((None, Some(period))),
        Err(halt) => Err(halt),
    }
}

/// The state of a thread that plays games one after another.
struct SimulatedGame<'a> {
    referee: &'a Referee,
    machine: Machine<'a>,
    /// The machine that tests whether the game has ended.
    judge: Machine<'a>,
    plan: &'a SimulationPlan,
    meters: &'a [MeasureProbe],
    tally: SimulationResult,
    table: Tabletop,
    chance: RandomHost,
    /// The savepoint of the table when the end of the game was last tested.
    open_at: Option<usize>,
}

impl<'a> SimulatedGame<'a> {
    /// Plays a game and counts its results. Afterwards, undoes all logged changes to the table.
    fn play_game(&mut self, number: u64) -> Result<(), Halt> {
        self.chance = RandomHost::new(SeededSource::new(&self.plan.seed, 2 * number + 1));
        self.open_at = None;
        let played = self.play_turns(number);
        self.table.roll_back(0);
        self.table.forget_texts();
        self.tally.games += 1;
        played
    }

    fn play_turns(&mut self, game: u64) -> Result<(), Halt> {
        self.take_measures(0)?;
        let phases = self.referee.ruleset.phases.len();
        let mut first = match self.referee.phase_index(&self.table) {
            Some(index) => self.rule_run().pass_on(index, Period::Phase),
            None if phases > 0 => Successor::Phase(0),
            None => Successor::Turn,
        };
        // If the game is over when it begins, its end is not counted.
        let mut over = self.current_end().is_some();
        let mut running = true;
        for turn in 1..=self.plan.turns.min(MAX_TURNS) {
            let next = if phases > 0 { Successor::Phase(0) } else { Successor::Turn };
            running = running && self.play_turn(std::mem::replace(&mut first, next), game, over)?;
            if !running && !over {
                over = true;
                let Some(end) = self.current_end() else { continue };
                let winner = self.referee.winner_name(end, &mut self.table);
                self.tally.count_end(SimulatedEnd { winner, games: 1, turns: u64::from(turn) });
            }
            self.take_measures(turn as usize)?;
        }
        Ok(())
    }

    /// Returns the first end whose condition is true, if any.
    fn current_end(&mut self) -> Option<&'a GameEnd> {
        let SimulatedGame { referee, judge, table, chance, .. } = self;
        referee.current_end_by(table, |function, table| {
            judge.reset();
            judge.call(function, &[], table, chance).ok()
        })
    }

    /// Returns true if the condition of an end is true. If the table has not changed since the last
    /// test, returns false without computing anything.
    fn has_ended(&mut self) -> bool {
        let now = Some(self.table.savepoint());
        std::mem::replace(&mut self.open_at, now) != now && self.current_end().is_some()
    }

    fn rule_run(&mut self) -> RuleRun<'_, 'a, Tabletop, RandomHost> {
        let SimulatedGame { referee, machine, table, chance, .. } = self;
        RuleRun { referee, machine, table, host: chance }
    }

    /// Plays a turn, beginning with the phase in `first`. Returns false if the game ends in this
    /// turn. If the game was already `over`, plays the whole turn.
    fn play_turn(&mut self, first: Successor, number: u64, over: bool) -> Result<bool, Halt> {
        // The game continues even if the rules refuse to leave a phase before the players have
        // acted.
        self.chance.insist = true;
        let mut next = first;
        let mut index = 0;
        loop {
            index = match next {
                Successor::NextSide => index,
                Successor::Onward(phase) | Successor::Phase(phase) => phase,
                Successor::Turn => return Ok(true),
            };
            self.machine.reset();
            let begun = self.rule_run().begin_phase(index, next);
            let (entered, ended) = ended_early(begun)?;
            // A game doesn't end in a phase that is skipped, because `next` doesn't stop there.
            if entered == Some(false) {
                next = self.rule_run().pass_on(index, Period::Phase);
                continue;
            }
            if !over && self.has_ended() {
                return Ok(false);
            }
            let ended = match ended {
                Some(period) => period,
                None => self.give_orders(index, number)?.unwrap_or(Period::Phase),
            };
            if !over && self.has_ended() {
                return Ok(false);
            }
            next = self.rule_run().leave_phase(index, ended)?;
            if !over && self.has_ended() {
                return Ok(false);
            }
        }
    }

    /// Runs the orders of a phase. If the sides alternate piece by piece, repeats the orders, each
    /// time for the next side, until no piece is left to act or no side acts any more. Returns the
    /// period that the orders brought to an end, if any.
    fn give_orders(&mut self, index: usize, number: u64) -> Result<Option<Period>, Halt> {
        let SimulatedGame { referee, machine, table, chance, tally, plan, .. } = self;
        let Some(orders) = referee.ruleset.phases[index].orders.filter(|_| plan.orders) else {
            return Ok(None);
        };
        let activation = referee.ruleset.phases[index].activation.as_ref();
        let mut idle = 0;
        loop {
            let before = referee.count_left_to_move(table);
            let mark = table.savepoint();
            chance.insist = false;
            let done = machine.call(orders, &[], table, chance);
            chance.insist = true;
            match done {
                Ok(_) => {}
                // Like a refused command, refused orders change nothing.
                Err(Halt::Refused(first)) => {
                    table.roll_back(mark);
                    tally.count_refusals(Refusals { count: 1, first, game: number });
                }
                Err(Halt::Ended(period)) => return Ok(Some(period)),
                Err(halt) => return Err(halt),
            }
            if let (Some(activation), Some(_)) = (activation, before) {
                machine.reset();
                machine.call(activation.end, &[], table, chance)?;
            }
            idle = if before > referee.count_left_to_move(table) { 0 } else { idle + 1 };
            match before.and_then(|_| referee.next_side_to_act(table)) {
                Some((side, order)) if idle < order.len() => {
                    machine.reset();
                    RuleRun { referee, machine, table, host: chance }.pass_move_to(side);
                }
                _ => return Ok(None),
            }
        }
    }

    fn take_measures(&mut self, turn: usize) -> Result<(), Halt> {
        let SimulatedGame { machine, table, chance, .. } = self;
        machine.reset();
        for (meter, course) in self.meters.iter().zip(&mut self.tally.measures) {
            let value = match meter.of {
                None => machine.call(meter.function, &[], table, chance)?,
                // A piece that was removed counts as 0.
                Some((Type::Piece(kind), row)) if !table.is_on_table(kind, row) => {
                    Number::ZERO.to_bits()
                }
                Some((_, row)) => machine.call(meter.function, &[i64::from(row)], table, chance)?,
            };
            if let Some(spread) = course.turns.get_mut(turn) {
                spread.add(Number::from_bits(value));
            }
        }
        Ok(())
    }
}
