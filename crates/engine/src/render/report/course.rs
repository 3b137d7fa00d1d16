//! The course of a game: when it turned, by the first measure that shows who is doing well
//! (`better` in the ruleset) and that changed in this game.
//!
//! Key moments are single commands and are chosen by their dice. The course is about whole turns,
//! and doesn't depend on dice.

use indexmap::IndexMap;

use super::game_story::GameStory;
use super::naming::{Namer, listed, whose};
use super::notables::Notable;
use super::sentences::{sentence, sentences_of_turn, with_number_in_words};
use super::standing::{CoursePoint, course_measures, values_in_words};
use crate::names::capitalized;
use crate::referee::{MeasuredValue, Referee};
use crate::render::chart::{self, TurnChart};
use crate::render::view::lower_first_letter;
use crate::ruleset::{BetterNumbers, Measure};
use crate::tabletop::Tabletop;

/// The maximum number of sentences that explain a change.
const MAX_REASONS: usize = 2;

/// When the game turned, and the measure that shows it.
#[derive(Clone, Debug)]
pub(super) struct GameCourse {
    /// When the game turned and why, in a few sentences.
    pub words: String,
    /// The title of the measure.
    pub measure: String,
    /// The measure turn by turn: a chart as SVG for each side, or one for the whole table.
    pub charts: String,
}

/// Returns when the game turned and why; `None` if no measure shows it.
pub(super) fn course_of_game(
    referee: &Referee,
    table: &Tabletop,
    story: &GameStory,
) -> Option<GameCourse> {
    courses(referee, table, story).find_map(|course| {
        Some(GameCourse {
            words: course.in_words()?,
            measure: course.measure.title.clone(),
            charts: chart::charts_for_page(&course.charts()),
        })
    })
}

/// Returns the courses in the measures that show who is doing well and that changed.
fn courses<'s>(
    referee: &'s Referee,
    table: &'s Tabletop,
    story: &'s GameStory,
) -> impl Iterator<Item = Course<'s>> {
    let measures = course_measures(referee).enumerate();
    let courses = measures.filter_map(move |(index, measure)| {
        Some(Course { referee, table, story, measure, index, better: measure.better? })
    });
    courses.filter(Course::changes)
}

/// The turn in which a figure grew most.
struct GreatestStep {
    turn: i64,
    /// The point at the end of the turn before.
    from: usize,
    /// The point at the end of the turn.
    to: usize,
    /// The later turns in which it grew by as much.
    equal: Vec<i64>,
}

/// The course of a game in one measure.
struct Course<'s> {
    referee: &'s Referee,
    table: &'s Tabletop,
    story: &'s GameStory,
    measure: &'s Measure,
    /// The index of the measure among the values of a point.
    index: usize,
    better: BetterNumbers,
}

impl<'s> Course<'s> {
    fn points(&self) -> &'s [CoursePoint] {
        &self.story.course
    }

    fn values(&self, point: usize) -> &'s [MeasuredValue] {
        &self.points()[point].values[self.index]
    }

    /// Returns true if the measure had values throughout the game and changed.
    fn changes(&self) -> bool {
        let numbers =
            |point: usize| self.values(point).iter().map(|one| one.value.to_f64()).collect();
        let all: Vec<Vec<f64>> = (0..self.points().len()).map(numbers).collect();
        let is_complete = all.iter().all(|values| !values.is_empty());
        is_complete && all.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Returns the index of the last point of each turn, in order.
    fn ends_of_turns(&self) -> IndexMap<i64, usize> {
        let points = self.points().iter().enumerate();
        points.map(|(index, point)| (point.turn, index)).collect()
    }

    /// Returns how good a value is: the higher, the better.
    fn merit(&self, value: &MeasuredValue) -> f64 {
        match self.better {
            BetterNumbers::More => value.value.to_f64(),
            BetterNumbers::Fewer => -value.value.to_f64(),
        }
    }

    fn charts(&self) -> Vec<TurnChart> {
        let ends = self.ends_of_turns();
        let last = self.values(self.points().len() - 1);
        let chart = |(at, value): (usize, &MeasuredValue)| {
            let title = value.of.as_deref().map_or(self.measure.title.clone(), capitalized);
            // A piece that had no value in a turn counts as 0.
            let number = |point: &usize| {
                self.values(*point).get(at).map_or(0.0, |found| found.value.to_f64())
            };
            let turns = ends.values().map(|point| [number(point); 5]).collect();
            TurnChart { title, turns }
        };
        last.iter().enumerate().map(chart).collect()
    }

    fn title(&self) -> String {
        lower_first_letter(&self.measure.title)
    }

    fn in_words(&self) -> Option<String> {
        if self.measure.each.is_some() { self.of_sides() } else { self.of_the_table() }
    }

    /// Returns the side that does better than every other side at a point; `None` for a tie.
    fn leader(&self, point: usize) -> Option<&'s str> {
        let values = self.values(point);
        let best = values.iter().max_by(|a, b| self.merit(a).total_cmp(&self.merit(b)))?;
        let is_equal = |one: &&MeasuredValue| self.merit(one) == self.merit(best);
        (values.iter().filter(is_equal).count() == 1).then_some(best.of.as_deref()).flatten()
    }

    /// Returns how much better a side does than the best of the other sides at a point; negative
    /// if it does worse.
    fn lead(&self, side: &str, point: usize) -> f64 {
        let (own, others): (Vec<_>, Vec<_>) =
            self.values(point).iter().partition(|one| one.of.as_deref() == Some(side));
        let best = |values: &[&MeasuredValue]| {
            values.iter().map(|one| self.merit(one)).max_by(f64::total_cmp)
        };
        best(&own).zip(best(&others)).map_or(0.0, |(own, others)| own - others)
    }

    /// Returns the values at a point in words: `Red 3, Blue 2`.
    fn shown(&self, point: usize) -> String {
        values_in_words(self.values(point))
    }

    /// Describes the course of a measure that is taken for each side; `None` if no side ever led.
    fn of_sides(&self) -> Option<String> {
        let ends = self.ends_of_turns();
        let leaders: Vec<(i64, Option<&str>)> =
            ends.iter().map(|(turn, point)| (*turn, self.leader(*point))).collect();
        let title = self.title();
        let last = self.points().len() - 1;
        let values = self.shown(last);
        let Some(leader) = leaders.last()?.1 else {
            let (turn, earlier) =
                leaders.iter().rev().find_map(|(turn, side)| Some((turn, (*side)?)))?;
            let earlier = whose(earlier);
            return Some(format!(
                "The {earlier} side led until turn {turn}, but the sides were level at the end ({title}: {values})."
            ));
        };
        let led_by_another =
            leaders.iter().rposition(|(_, side)| side.is_some_and(|s| s != leader));
        // The first turn after which no other side was level with the leader again.
        let not_led = leaders.iter().rposition(|(_, side)| *side != Some(leader));
        let since = leaders[not_led.map_or(0, |index| index + 1)].0;
        let name = whose(leader);
        let gains =
            |before: usize, after: usize| self.lead(leader, after) > self.lead(leader, before);
        let mut words = match led_by_another {
            Some(index) => {
                let other = whose(leaders[index].1.unwrap_or_default());
                let reason = self.reasons(since, gains);
                let better = match self.better {
                    BetterNumbers::More => "the more, the better",
                    BetterNumbers::Fewer => "the fewer, the better",
                };
                format!(
                    "The game turned in turn {since}: measured by {title}, the lead passed from the {other} side to \
                     the {name} side. At the end it was {values} ({better}).{reason}"
                )
            }
            None => {
                let step = self.greatest_step(|point| self.lead(leader, point))?;
                let change = self.change_in_words(&step);
                let reason = self.reasons(step.turn, gains);
                format!(
                    "The game never turned. The {name} side led from turn {since} to the end ({title}: {values}). Its \
                     lead grew most in {change}.{reason}"
                )
            }
        };
        let winner = self.story.declared_end().and_then(|end| end.winner);
        if let Some(winner) = winner.filter(|winner| *winner != leader) {
            words.push_str(&format!(" Nevertheless, the winner was {}.", capitalized(winner)));
        }
        Some(words)
    }

    /// Describes the course of a measure that is taken once for the whole table; `None` if only one
    /// turn was played.
    fn of_the_table(&self) -> Option<String> {
        let merits: Vec<f64> = (0..self.points().len())
            .map(|point| self.values(point).first().map_or(0.0, |value| self.merit(value)))
            .collect();
        let last = merits.len() - 1;
        let is_extreme = |point: usize| {
            let middle = merits[point];
            (middle < merits[0] && middle < merits[last])
                || (middle > merits[0] && middle > merits[last])
        };
        // Of several commands after which the measure was at its worst or best, the last one is
        // where the game turned.
        let points = || (0..merits.len()).rev();
        let worst = points().min_by(|a, b| merits[*a].total_cmp(&merits[*b]));
        let best = points().rev().max_by(|a, b| merits[*a].total_cmp(&merits[*b]));
        let title = self.title();
        if let Some(point) = [worst, best].into_iter().flatten().find(|point| is_extreme(*point)) {
            let turn = self.points()[point].turn;
            let number = |index: usize| self.values(index)[0].value.to_f64();
            let is_peak = number(point) > number(last);
            let [reached, most, left] =
                if is_peak { ["rose", "most", "fell"] } else { ["fell", "fewest", "rose"] };
            let end_of_turn = self.ends_of_turns()[&turn];
            let extreme = self.shown(point);
            let recovers = merits[end_of_turn] != merits[point];
            let next = self.points().iter().map(|later| later.turn).find(|of| *of > turn);
            let moves = |before: usize, after: usize| {
                (merits[after] - merits[before]) * (merits[last] - merits[point]) > 0.0
            };
            let at_the_end = self.shown(last);
            return Some(if recovers {
                let reason =
                    self.reasons(turn, |before, after| before >= point && moves(before, after));
                let then = self.shown(end_of_turn);
                format!(
                    "The game turned in turn {turn}: {title} {reached} to {extreme}, the {most} of the game, but then {left} to {then} \
                     by the end of the turn and stood at {at_the_end} at the end of the game.{reason}"
                )
            } else {
                let reason = next.map_or(String::new(), |next| self.reasons(next, moves));
                format!(
                    "The game turned after turn {turn}: {title} had {} to {extreme}, the {most} of the game, but {left} to {at_the_end} \
                     by the end.{reason}",
                    if is_peak { "risen" } else { "fallen" }
                )
            });
        }
        let sign = if merits[last] >= merits[0] { 1.0 } else { -1.0 };
        let step = self.greatest_step(|point| sign * merits[point])?;
        let change = self.change_in_words(&step);
        let reason =
            self.reasons(step.turn, |before, after| sign * (merits[after] - merits[before]) > 0.0);
        let [start, end] = [0, last].map(|point| self.shown(point));
        Some(format!(
            "The game never turned. {}: {start} at the beginning and {end} at the end. The number changed most in \
             {change}.{reason}",
            capitalized(&title)
        ))
    }

    /// Returns the turn of the greatest change, and the values before and after it: `turn 2, from 1
    /// to 3`. Later turns with the same change are named after them.
    fn change_in_words(&self, step: &GreatestStep) -> String {
        let turn = step.turn;
        let change = format!("from {} to {}", self.shown(step.from), self.shown(step.to));
        if step.equal.is_empty() {
            return format!("turn {turn}, {change}");
        }
        let others: Vec<String> = step.equal.iter().map(i64::to_string).collect();
        let turns = if others.len() == 1 { "turn" } else { "turns" };
        format!("turn {turn}, {change}; the change in {turns} {} was as great", listed(&others))
    }

    /// Returns the turn in which a figure grew most; `None` if there is only one turn. Of equal
    /// turns, the first counts.
    fn greatest_step(&self, figure: impl Fn(usize) -> f64) -> Option<GreatestStep> {
        let ends: Vec<(i64, usize)> = self.ends_of_turns().into_iter().collect();
        let steps = ends.windows(2).map(|pair| (pair[1].0, pair[0].1, pair[1].1));
        let growth = |(_, from, to): &(i64, usize, usize)| figure(*to) - figure(*from);
        let greatest = steps.clone().rev().max_by(|a, b| growth(a).total_cmp(&growth(b)))?;
        let (turn, from, to) = greatest;
        let equal = steps.filter(|step| step.0 > turn && growth(step) == growth(&greatest));
        Some(GreatestStep { turn, from, to, equal: equal.map(|step| step.0).collect() })
    }

    /// Returns sentences, each after a space, about the notable events of a turn in commands that
    /// changed the measure as described: those of the rule with the most events.
    fn reasons(&self, turn: i64, is_change: impl Fn(usize, usize) -> bool) -> String {
        let points = self.points();
        let of_turn = (1..points.len()).filter(|&point| points[point].turn == turn);
        let commands = of_turn.filter(|&point| is_change(point - 1, point));
        let notables: Vec<&Notable> = commands
            .flat_map(|point| &self.story.notables[points[point].notables.clone()])
            .map(|(_, notable)| notable)
            .filter(|notable| notable.turn == turn)
            .collect();
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        for notable in &notables {
            *counts.entry(&notable.rule).or_default() += 1;
        }
        let Some((rule, _)) = counts.iter().rev().max_by_key(|(_, count)| **count) else {
            return String::new();
        };
        let of_rule: Vec<&Notable> =
            notables.iter().copied().filter(|notable| notable.rule == *rule).collect();
        let mut namer = Namer::new(&self.story.descriptions);
        let sentences = sentences_of_turn(self.referee, self.table, &of_rule);
        let sentences = sentences.iter().take(MAX_REASONS).map(|one| {
            let words = namer.describe_names(&one.words, &one.participants);
            format!(" {}", sentence(&with_number_in_words(&words)))
        });
        sentences.collect()
    }
}
