//! What came of a command, as data: checks with their dice and modifiers, lines, changes.

use crate::dice::RolledExpression;
use crate::language::number::Number;
use crate::language::schema::RuleId;
use crate::language::syntax::Operator;
use crate::tabletop::Change;

/// What came of a command.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Every face that fell, in order.
    pub faces: Vec<u32>,
    /// The sides of each die that fell.
    pub sides: Vec<u32>,
    /// Whether the dice were real.
    pub physical: bool,
    /// What was wanted from outside, in order: so many dice at once, or 0 for an answer.
    pub prompts: Vec<u32>,
    /// How many answers were used.
    pub answers: usize,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A rule began; how deep it was called.
    Rule(RuleId, usize),
    /// A phase began, or was passed over.
    Phase {
        /// The turn.
        turn: i64,
        /// Its place in the turn, from 0.
        place: usize,
        /// Whether it was passed over.
        skipped: bool,
    },
    /// Dice were thrown for something.
    Check(Check),
    /// Dice were thrown for their own sake.
    Rolled(RolledExpression, String),
    /// A card or chit was drawn, or a piece picked.
    Taken {
        /// The deck, if it was one.
        deck: Option<String>,
        /// What came.
        what: String,
        /// How many there were.
        of: usize,
    },
    /// A deck was shuffled and holds so many.
    Shuffled(String, usize),
    /// The umpire was asked, and what was answered.
    Asked {
        /// The question.
        question: String,
        /// The answer.
        answer: String,
        /// Whether chance answered.
        random: bool,
    },
    /// A line of a rule.
    Said(String),
    /// A line under "Remember".
    Reminded(String),
    /// The umpire insisted against this reason.
    Insisted(String),
    /// The table was changed.
    Changed(Change),
}

/// Dice thrown for something.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The rule it belongs to, if one was called.
    pub rule: Option<RuleId>,
    /// Whose roll it is.
    pub label: String,
    /// The dice of each throw, as shown: `[5 3]`.
    pub dice: Vec<String>,
    /// What was thrown: the pool in the notation of dice, and its total. As many as `dice`.
    pub pools: Vec<(String, i64)>,
    /// Each throw.
    pub throws: Vec<Throw>,
    /// What was added, and why.
    pub modifiers: Vec<(Number, String)>,
    /// What the total was compared with.
    pub need: Option<(Operator, Number)>,
    /// What came out, in words.
    pub verdict: Option<String>,
    /// Whether real dice were thrown.
    pub physical: bool,
}

/// One throw of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throw {
    /// The dice.
    pub natural: Number,
    /// With the modifiers.
    pub total: Number,
    /// Whether it passed, if it was judged.
    pub passed: Option<bool>,
}

impl Outcome {
    /// The changes of the table, in order.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &Change> + '_ {
        self.events.iter().filter_map(|e| match e {
            Event::Changed(change) => Some(change),
            _ => None,
        })
    }

    /// The checks, in order.
    pub fn checks(&self) -> impl Iterator<Item = &Check> + '_ {
        self.events.iter().filter_map(|e| match e {
            Event::Check(check) => Some(check),
            _ => None,
        })
    }
}
