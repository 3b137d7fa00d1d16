//! The parts of a ruleset beside its schema and its program.

use crate::language::schema::{FunctionId, Type};
use crate::language::syntax::Expr;
use crate::ruleset::raw::RawText;
use crate::source::Span;

/// A step of the turn.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// A heading for people.
    pub title: String,
    /// The page of the rule book.
    pub cite: String,
    /// The turns of the sides in it, if they have it one after the other.
    pub turns: Option<SideTurns>,
    /// The condition under which it is passed over.
    pub skip: Option<FunctionId>,
    /// The written orders of the sides are read out when it begins.
    pub reveals_orders: bool,
    /// The statements run when it begins.
    pub begin: Option<FunctionId>,
    /// The verbs offered in it.
    pub verbs: Vec<(String, Span)>,
    /// The reminders shown when it has begun.
    pub reminders: Vec<FunctionId>,
    /// The remarks on what is left to do.
    pub left: Vec<LeftRemark>,
    /// The statements that replace the players in a simulation.
    pub orders: Option<FunctionId>,
    /// The statements run when it is left.
    pub end: Option<FunctionId>,
    /// Where it was declared.
    pub span: Span,
}

/// The turns of the sides in a phase.
#[derive(Clone, Debug)]
pub struct SideTurns {
    /// The number by which they are sorted, the lowest first; as declared, if there is none.
    pub order: Option<FunctionId>,
    /// The flag for a piece that has acted, if the sides alternate piece by piece.
    pub alternate: Option<String>,
}

/// A remark on what is left to do in a phase.
#[derive(Clone, Debug)]
pub struct LeftRemark {
    /// The words before all that is said; may be empty.
    pub title: String,
    /// The function that returns its text.
    pub function: FunctionId,
    /// True if the umpire is warned of it before the phase is left.
    pub warns: bool,
}

/// A number that a simulation counts.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// A heading for people.
    pub title: String,
    /// The name by which the players' pages show it as the score; `None` if they don't.
    pub score: Option<String>,
    /// The type of the pieces or words that each have a count of their own.
    pub each: Option<Type>,
    /// The function that computes it; its parameter is the piece, if there is `each`.
    pub function: FunctionId,
}

/// An end of the game.
#[derive(Clone, Debug)]
pub struct GameEnd {
    /// The scenario it belongs to; empty if it is of the whole game.
    pub scenario: String,
    /// The page of the rule book.
    pub cite: String,
    /// The condition.
    pub when: FunctionId,
    /// The side that wins.
    pub winner: Option<FunctionId>,
    /// The number by which it wins.
    pub margin: Option<FunctionId>,
    /// The words said.
    pub say: Option<FunctionId>,
    /// Its keys and texts, as they were written.
    pub(crate) written: Vec<(String, String)>,
    /// The sentence that ends the battle report, in place of the words said.
    pub notable: Option<FunctionId>,
}

impl GameEnd {
    /// Returns true if it counts in this scenario.
    pub(crate) fn counts_in(&self, scenario: &str) -> bool {
        self.scenario.is_empty() || self.scenario == scenario
    }
}

/// A worked example.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// A heading for people.
    pub title: String,
    /// The ids of the rule elements it shows.
    pub shows: Vec<String>,
    /// The scenario it plays in.
    pub scenario: String,
    /// Options: names and values, as they are typed.
    pub options: Vec<(String, String)>,
    /// The phase it plays in, if any.
    pub phase: Option<String>,
    /// Lines typed before.
    pub set: Vec<(String, Span)>,
    /// Faces, in the order they are rolled.
    pub dice: Vec<u32>,
    /// Cards, in the order they are drawn.
    pub draws: Vec<String>,
    /// Answers to questions, in order.
    pub answers: Vec<String>,
    /// Lines typed.
    pub run: Vec<(String, Span)>,
    /// The conditions that must hold afterwards.
    pub expect: Vec<(Expr, RawText)>,
    /// The texts that the outcome must contain.
    pub says: Vec<(String, Span)>,
    /// The last line must be refused with this.
    pub refused: Option<(String, Span)>,
    /// Its span in the ruleset.
    pub span: Span,
    /// The span of its dice.
    pub dice_span: Span,
}

/// A warning the ruleset's author has thought about.
#[derive(Clone, Debug)]
pub struct AllowedWarning {
    /// The code of the warning.
    pub code: String,
    /// The name of the thing it is about; any, if empty.
    pub about: String,
    /// The reason why the warning does not apply.
    pub because: String,
    /// Where it was written.
    pub span: Span,
}

impl AllowedWarning {
    /// Returns true if it silences warnings of this code about this thing.
    pub fn silences(&self, code: &str, about: &str) -> bool {
        self.code == code && (self.about.is_empty() || self.about == about)
    }
}
