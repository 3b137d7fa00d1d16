//! The parts of a ruleset in addition to its schema and its program.

use std::ops::RangeInclusive;

use crate::language::schema::{FunctionId, KindId, Type};
use crate::language::syntax::Expr;
use crate::ruleset::raw::RawText;
use crate::source::Span;

/// A phase of the turn.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Its name in rule text.
    pub name: String,
    /// The title, for people; rule text uses the name.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// A description in sentences of what happens automatically; may be empty.
    pub reads: String,
    /// The turns of the sides in it, or in its round, if they take turns.
    pub turns: Option<SideTurns>,
    /// The index of its round, if it belongs to one.
    pub round: Option<usize>,
    /// The pieces that act one at a time in it, if they do.
    pub activation: Option<PhaseActivation>,
    /// The condition for skipping it.
    pub skip: Option<FunctionId>,
    /// True if the sides' written orders are revealed when it begins.
    pub reveals_orders: bool,
    /// The statements to run when it begins.
    pub begin: Option<FunctionId>,
    /// The verbs to use in it.
    pub verbs: Vec<(String, Span)>,
    /// The reminders shown after its beginning.
    pub reminders: Vec<FunctionId>,
    /// The things that may be left to do in it.
    pub left: Vec<LeftRemark>,
    /// The statements that replace the players in a simulation.
    pub orders: Option<FunctionId>,
    /// The statements to run when it ends.
    pub end: Option<FunctionId>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// Phases that each side plays through before the next side.
#[derive(Clone, Debug)]
pub struct Round {
    /// Its name in rule text.
    pub name: String,
    /// The title, for people.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// The indices of its phases.
    pub phases: RangeInclusive<usize>,
    /// The reminders shown when a side begins it.
    pub reminders: Vec<FunctionId>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// The turns of the sides in a phase or a round.
#[derive(Clone, Debug)]
pub struct SideTurns {
    /// The number that determines their order, lowest first; without it, the order of declaration.
    pub order: Option<FunctionId>,
    /// The flag for a piece that has acted, if the sides alternate piece by piece.
    pub alternate: Option<String>,
}

/// A phase with an activation, before its rule text is written.
#[derive(Clone, Debug)]
pub(super) struct DeclaredActivation {
    pub(super) phase: String,
    pub(super) kind: KindId,
    pub(super) actions: Expr,
    /// True if the sides act by turns, a piece at a time.
    pub(super) alternates: bool,
}

/// The pieces that act one at a time in a phase.
#[derive(Clone, Debug)]
pub struct PhaseActivation {
    /// Their kind.
    pub kind: KindId,
    /// The number of actions of a piece, as written.
    pub actions: Expr,
    /// The statements at the beginning of the phase.
    pub begin: FunctionId,
    /// The statements that end an activation.
    pub end: FunctionId,
}

/// Something that may be left to do in a phase.
#[derive(Clone, Debug)]
pub struct LeftRemark {
    /// The words before the texts; may be empty.
    pub title: String,
    /// The function that returns its texts.
    pub function: FunctionId,
    /// True if the umpire is warned of it before the phase ends.
    pub warns: bool,
}

/// Something that must not be forgotten.
#[derive(Clone, Debug)]
pub struct WatchItem {
    /// The words before the texts; may be empty.
    pub title: String,
    /// The function that returns its texts.
    pub function: FunctionId,
}

/// A number that a simulation collects.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name in the results.
    pub name: String,
    /// The title, for people; rule text uses the name.
    pub title: String,
    /// The name by which the players' pages show it as the score; `None` if they don't.
    pub score: Option<String>,
    /// The type of the pieces or words that are measured separately.
    pub each: Option<Type>,
    /// The function that computes it; its parameter is the piece, if the measure has `each`.
    pub function: FunctionId,
}

/// A condition that ends the game.
#[derive(Clone, Debug)]
pub struct GameEnd {
    /// The scenario it belongs to; empty for the whole game.
    pub scenario: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// The condition that ends the game.
    pub when: FunctionId,
    /// The side that wins.
    pub winner: Option<FunctionId>,
    /// The margin of victory.
    pub margin: Option<FunctionId>,
    /// The text to show.
    pub say: Option<FunctionId>,
    /// Its keys and texts as written.
    pub(crate) written: Vec<(String, String)>,
    /// The sentence that ends the battle report, instead of the text.
    pub notable: Option<FunctionId>,
}

impl GameEnd {
    /// Returns true if it applies to this scenario.
    pub(crate) fn counts_in(&self, scenario: &str) -> bool {
        self.scenario.is_empty() || self.scenario == scenario
    }
}

/// A worked example.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The title, for people; rule text uses the name.
    pub title: String,
    /// The pages or elements of the rule book that it shows.
    pub shows: Vec<String>,
    /// The scenario in which it is played.
    pub scenario: String,
    /// Options: names and values, as typed.
    pub options: Vec<(String, String)>,
    /// The phase it plays in, if any.
    pub phase: Option<String>,
    /// The lines typed before it.
    pub set: Vec<(String, Span)>,
    /// The faces of the dice, in the order they are rolled.
    pub dice: Vec<u32>,
    /// Cards, in the order they are drawn.
    pub draws: Vec<String>,
    /// Answers to questions, in order.
    pub answers: Vec<String>,
    /// The lines typed.
    pub run: Vec<(String, Span)>,
    /// The conditions that must hold afterwards.
    pub expect: Vec<(Expr, RawText)>,
    /// The texts that the outcome must contain.
    pub says: Vec<(String, Span)>,
    /// The text of the refusal that the last line must get.
    pub refused: Option<(String, Span)>,
    /// The span of the example in the ruleset.
    pub span: Span,
    /// The span of its dice.
    pub dice_span: Span,
}

/// A silenced warning.
#[derive(Clone, Debug)]
pub struct AllowedWarning {
    /// The code of the warning.
    pub code: String,
    /// The name of the subject; empty for any subject.
    pub about: String,
    /// The reason why the warning does not apply.
    pub because: String,
    /// The span of the entry.
    pub span: Span,
}

impl AllowedWarning {
    /// Returns true if it silences warnings with this code about this subject.
    pub fn silences(&self, code: &str, about: &str) -> bool {
        self.code == code && (self.about.is_empty() || self.about == about)
    }
}
