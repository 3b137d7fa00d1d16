//! The host for odds: a run stops wherever chance decides, and continues once for each possible
//! result.

use std::collections::BTreeSet;
use std::rc::Rc;

use adjutant_dice::{Pool, SeededSource};
use indexmap::IndexMap;
use num_bigint::BigUint;

use crate::language::machine::{Answers, Halt, Host, Question, RandomLot};
use crate::language::schema::{DeckId, KindId};
use crate::names;
use crate::referee::chance::RandomHost;

/// The maximum number of results of one roll, draw or question. If there are more, the odds are
/// sampled.
const MAX_OUTCOMES: usize = 5_000;
/// The maximum number of steps for computing the odds of all pools at an effort of 1. An unmodified
/// pool takes roughly as many steps as its number of dice times its number of values.
const DICE_STEPS: u64 = 20_000_000;

/// The possible values, with their weights.
pub(super) type Outcomes = Rc<Vec<(i64, BigUint)>>;

/// The last text: a verdict or a line, or the card drawn.
#[derive(Clone, Debug)]
pub(super) enum LastWords {
    Text(String),
    Taken(KindId, u32),
}

/// The texts shown since the last stop.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// The last text.
    pub words: Option<LastWords>,
    /// The numbers in the printed lines.
    pub numbers: Vec<(String, i64)>,
    /// The number of texts shown since the tree was begun.
    pub count: u64,
}

impl Said {
    fn say(&mut self, words: LastWords) {
        self.words = Some(words);
        self.count += 1;
    }

    /// Forgets the last text and the numbers.
    pub(super) fn forget(&mut self) {
        self.words = None;
        self.numbers.clear();
    }
}

/// A host that stops wherever chance decides, or chooses at random, and records the last text.
#[derive(Debug, Default)]
pub(super) struct OddsHost {
    /// The dice of a sample; if there are none, the run stops wherever chance decides and reports
    /// the possible results.
    chance: Option<Box<RandomHost>>,
    /// The value with which the stopped run continues.
    pub next: Option<i64>,
    /// The possible values at the stop; `None` if there are too many.
    pub outcomes: Option<Outcomes>,
    /// The deck from which the stopped run draws a card.
    pub drawn: Option<DeckId>,
    /// True if the umpire insists on the current line.
    pub insist: bool,
    /// The answers to the first questions on each path. All other questions get the best answer if
    /// the rule states one, otherwise a random answer.
    answers: Vec<String>,
    /// The number of these answers that the path has used.
    pub answered: usize,
    pub said: Said,
    /// Every question that was answered at random.
    pub asked: BTreeSet<String>,
    /// Every question that was given the best answer.
    pub chosen: BTreeSet<String>,
    pools: Vec<(Pool, Outcomes)>,
    /// The number of steps used for the odds of all pools, and its limit.
    dice_steps: u64,
    most_dice_steps: u64,
    /// The number of dice rolled so far.
    pub thrown: usize,
    /// The number of iterations of counted loops that may begin before the run stops; `None` for no
    /// limit.
    pub turns: Option<u32>,
}

impl OddsHost {
    /// Returns a host that gives these answers to the first questions on each path, and stops
    /// wherever chance decides.
    pub(super) fn new(answers: Vec<String>, effort: u32) -> Self {
        let most_dice_steps = DICE_STEPS.saturating_mul(effort.into());
        OddsHost { answers, most_dice_steps, ..OddsHost::default() }
    }

    /// Returns true if the host chooses at random instead of stopping the run.
    pub(super) fn is_sampling(&self) -> bool {
        self.chance.is_some()
    }

    /// Makes the host roll these dice and choose at random, instead of stopping.
    pub(super) fn sample_with(&mut self, dice: SeededSource) {
        self.chance = Some(Box::new(RandomHost::new(dice)));
    }

    /// Forgets the results of an abandoned run.
    pub(super) fn forget_run(&mut self) {
        self.said.forget();
        self.next = None;
        self.outcomes = None;
        self.drawn = None;
    }

    /// Returns the value with which the run continues, or stops the run with the possible values.
    fn branch(
        &mut self,
        outcomes: impl FnOnce(&mut Self) -> Option<Outcomes>,
    ) -> Result<i64, Halt> {
        if let Some(value) = self.next.take() {
            return Ok(value);
        }
        self.outcomes = outcomes(self);
        Err(Halt::Branch)
    }

    /// Returns the outcomes of a pool; `None` if there are too many, or if computing the outcomes of
    /// all pools so far would take too long.
    fn pool_outcomes(&mut self, pool: &Pool) -> Option<Outcomes> {
        if let Some((_, known)) = self.pools.iter().find(|(p, _)| p == pool) {
            return Some(known.clone());
        }
        let bounds = pool.bounds();
        let span = bounds.highest.abs_diff(bounds.lowest);
        // A rough estimate: in a modified pool, the cost grows with the square of the number of
        // dice.
        let dice = u64::from(pool.count());
        let each = if pool.is_modified() { dice.saturating_mul(dice) } else { dice };
        self.dice_steps = self.dice_steps.saturating_add(span.saturating_mul(each));
        if span >= MAX_OUTCOMES as u64 || self.dice_steps > self.most_dice_steps {
            return None;
        }
        let outcomes = Rc::new(pool.distribution().ok()?.entries().to_vec());
        self.pools.push((pool.clone(), outcomes.clone()));
        Some(outcomes)
    }
}

/// Counts how often each value occurs and returns the outcomes, in order of first occurrence. `key`
/// returns the outcome for the index and the value of a first occurrence. Returns `None` if there
/// are too many outcomes.
fn count_outcomes(
    values: impl Iterator<Item = i64>,
    key: impl Fn(usize, i64) -> i64,
) -> Option<Outcomes> {
    let mut found: IndexMap<i64, (i64, u32)> = IndexMap::new();
    for (index, value) in values.enumerate() {
        found.entry(value).or_insert_with(|| (key(index, value), 0)).1 += 1;
        if found.len() > MAX_OUTCOMES {
            return None;
        }
    }
    Some(Rc::new(found.into_values().map(|(value, n)| (value, BigUint::from(n))).collect()))
}

impl Host for OddsHost {
    fn wants_reports(&self) -> bool {
        false
    }

    fn wants_words(&self) -> bool {
        true
    }

    fn roll_pool(&mut self, pool: &Pool) -> Result<i64, Halt> {
        self.thrown += pool.count() as usize;
        match &mut self.chance {
            Some(chance) => chance.roll_pool(pool),
            None => self.branch(|host| host.pool_outcomes(pool)),
        }
    }

    fn roll_dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        self.thrown += count as usize;
        match &mut self.chance {
            Some(chance) => chance.roll_dice(count, sides),
            None => self.branch(|host| host.pool_outcomes(&Pool::plain(count, sides)?)),
        }
    }

    fn draw_lot(&mut self, lot: RandomLot<'_>, names: &[String]) -> Result<usize, Halt> {
        match &mut self.chance {
            Some(chance) => chance.draw_lot(lot, names),
            None if self.next.is_none() && lot.deck.is_some() => {
                self.drawn = lot.deck;
                Err(Halt::Branch)
            }
            None => {
                let members = lot.members.iter().map(|&m| i64::from(m));
                let index = self.branch(|_| count_outcomes(members, |index, _| index as i64))?;
                Ok(usize::try_from(index).unwrap_or(0))
            }
        }
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        if let Some(answer) = self.answers.get(self.answered) {
            let value = question.value_of_answer(answer).or_else(|| match &question.answers {
                Answers::Named(all) => {
                    names::find(answer, all.iter().map(|(value, name)| (name.as_str(), *value)))
                        .only()
                }
                Answers::Between(..) => None,
            });
            self.answered += 1;
            return value.ok_or_else(|| Halt::NoSuchAnswer(answer.clone()));
        }
        if let Some(best) = question.best {
            if !self.chosen.contains(&question.text) {
                self.chosen.insert(question.text.clone());
            }
            return Ok(best);
        }
        if !self.asked.contains(&question.text) {
            self.asked.insert(question.text.clone());
        }
        match &mut self.chance {
            Some(chance) => chance.ask(question),
            None => self.branch(|_| match question.answers {
                Answers::Named(all) => count_outcomes(all.into_iter().map(|(v, _)| v), |_, v| v),
                Answers::Between(low, high) => count_outcomes(low..=high, |_, v| v),
            }),
        }
    }

    fn overrides_refusal(&mut self, _reason: String) -> bool {
        self.insist
    }

    fn on_verdict(&mut self, words: String) {
        self.said.say(LastWords::Text(words));
    }

    fn wants_numbers(&self) -> bool {
        true
    }

    fn stops_at_turn(&mut self) -> bool {
        let stops = self.turns == Some(0);
        self.turns = self.turns.map(|turns| turns.saturating_sub(1));
        stops
    }

    fn on_number(&mut self, what: String, number: i64) {
        self.said.numbers.push((what, number));
    }

    fn on_say(&mut self, text: String) {
        self.said.say(LastWords::Text(text));
    }

    fn on_lot_drawn(&mut self, lot: RandomLot<'_>, index: usize, _names: &[String]) {
        if lot.deck.is_some()
            && let Some(&row) = lot.members.get(index)
        {
            self.said.say(LastWords::Taken(lot.kind, row));
        }
    }
}
