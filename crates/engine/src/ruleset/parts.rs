//! The parts of a ruleset other than its schema and its program.

use std::ops::RangeInclusive;

use crate::language::schema::{FunctionId, KindId, Type};
use crate::language::syntax::Expr;
use crate::ruleset::raw::RawText;
use crate::source::Span;

/// A phase of the turn.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The name in rule text.
    pub name: String,
    /// The title, which people see; rule text uses the name.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// A description, in sentences, of the statements run when the phase begins and ends; may be
    /// empty.
    pub reads: String,
    /// The sides' turns in this phase, or in its round; `None` if the sides don't take turns.
    pub turns: Option<SideTurns>,
    /// The index of the round to which the phase belongs, if any.
    pub round: Option<usize>,
    /// The pieces that act one at a time in this phase, if any do.
    pub activation: Option<PhaseActivation>,
    /// The condition for skipping the phase, if any.
    pub skip: Option<FunctionId>,
    /// True if the sides' written orders are revealed when the phase begins.
    pub reveals_orders: bool,
    /// The statements to run when the phase begins, if any.
    pub begin: Option<FunctionId>,
    /// The verbs, or names of rules, that the phase or its round lists. Rules that list the phase
    /// can be used in it, too.
    pub verbs: Vec<(String, Span)>,
    /// The reminders shown after the phase has begun.
    pub reminders: Vec<FunctionId>,
    /// The things that may be left to do in the phase.
    pub left: Vec<LeftRemark>,
    /// The statements that a simulation runs in place of the players, if any.
    pub orders: Option<FunctionId>,
    /// The statements to run when the phase ends, if any.
    pub end: Option<FunctionId>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// Phases that each side plays through before the next side does.
#[derive(Clone, Debug)]
pub struct Round {
    /// The name in rule text.
    pub name: String,
    /// The title, which people see.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// The indices of the phases in the round.
    pub phases: RangeInclusive<usize>,
    /// The reminders shown when a side begins the round.
    pub reminders: Vec<FunctionId>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// The sides' turns in a phase or a round.
#[derive(Clone, Debug)]
pub struct SideTurns {
    /// The function that returns the number of a side; the side with the lowest number is first.
    /// Without it, the sides take turns in the order in which they are declared.
    pub order: Option<FunctionId>,
    /// The name of the flag that marks a piece as having acted, if the sides alternate piece by
    /// piece.
    pub alternate: Option<String>,
}

/// A phase with an activation, before its rule text is written.
#[derive(Clone, Debug)]
pub(super) struct DeclaredActivation {
    pub(super) phase: String,
    pub(super) kind: KindId,
    pub(super) actions: Expr,
    /// True if the sides take turns, one piece at a time.
    pub(super) alternates: bool,
}

/// The pieces that act one at a time in a phase, and the statements for their activations.
#[derive(Clone, Debug)]
pub struct PhaseActivation {
    /// The kind of the pieces.
    pub kind: KindId,
    /// The number of actions of a piece, as an expression in which `self` is the piece.
    pub actions: Expr,
    /// The statements to run when the phase begins.
    pub begin: FunctionId,
    /// The statements to run when the phase ends. They end all activations.
    pub end: FunctionId,
}

/// Something that may be left to do in a phase.
#[derive(Clone, Debug)]
pub struct LeftRemark {
    /// The words before the texts; may be empty.
    pub title: String,
    /// The function that returns the texts to show.
    pub function: FunctionId,
    /// True if the umpire is warned of it once before the phase ends.
    pub warns: bool,
}

/// Something that must not be forgotten.
#[derive(Clone, Debug)]
pub struct WatchItem {
    /// The words before the texts; may be empty.
    pub title: String,
    /// The function that returns the texts to show.
    pub function: FunctionId,
}

/// A number that a simulation collects.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The name of the measure in the results.
    pub name: String,
    /// The title, which people see; rule text uses the name.
    pub title: String,
    /// The name under which the players' pages show the measure as the score; `None` if they don't
    /// show it.
    pub score: Option<String>,
    /// The numbers that the players want; `None` if the measure doesn't show who is doing well.
    pub better: Option<BetterNumbers>,
    /// The type of the pieces, rows or words that are measured separately; `None` if there is only
    /// one number.
    pub each: Option<Type>,
    /// The function that computes the measure; if the measure has `each`, its parameter is the
    /// piece, row or word.
    pub function: FunctionId,
}

/// The direction in which a measure gets better for the players. They compare the numbers of their
/// side, or those of the whole table if the measure isn't taken separately for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetterNumbers {
    /// Higher numbers are better, as for houses taken.
    More,
    /// Lower numbers are better, as for men lost.
    Fewer,
}

/// A condition that ends the game, with the result of the game.
#[derive(Clone, Debug)]
pub struct GameEnd {
    /// The scenario to which the end belongs; empty for the whole game.
    pub scenario: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// The function that returns true if the game ends.
    pub when: FunctionId,
    /// The function that returns the side that wins, or none; `None` if the ruleset doesn't state a
    /// winner.
    pub winner: Option<FunctionId>,
    /// The function that returns the margin of victory, if the ruleset states one.
    pub margin: Option<FunctionId>,
    /// The function that returns the text to show, if any.
    pub say: Option<FunctionId>,
    /// The keys of the end whose values are texts, with these texts as written.
    pub(crate) written: Vec<(String, String)>,
    /// The function that returns the sentence that ends the battle report, if this is not the text
    /// shown.
    pub notable: Option<FunctionId>,
}

impl GameEnd {
    /// Returns true if the end applies to this scenario.
    pub(crate) fn counts_in(&self, scenario: &str) -> bool {
        self.scenario.is_empty() || self.scenario == scenario
    }
}

/// A worked example.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// A sentence that explains the point of the example to people.
    pub title: String,
    /// The pages or elements of the rule book that the example shows.
    pub shows: Vec<String>,
    /// The scenario in which the example is played.
    pub scenario: String,
    /// The options that the example changes: their names, and their values as people would type
    /// them.
    pub options: Vec<(String, String)>,
    /// The phase in which the example begins, if one is stated.
    pub phase: Option<String>,
    /// The lines typed before the example begins.
    pub set: Vec<(String, Span)>,
    /// The faces of the dice, in the order in which the dice are rolled.
    pub dice: Vec<u32>,
    /// The names of the cards, in the order in which they are drawn.
    pub draws: Vec<String>,
    /// The answers to questions, in the order in which the questions are asked.
    pub answers: Vec<String>,
    /// The lines that the example types after it begins.
    pub run: Vec<(String, Span)>,
    /// The conditions that must be true after the lines of `run`, each with its text.
    pub expect: Vec<(Expr, RawText)>,
    /// The texts that the output of the lines must contain.
    pub says: Vec<(String, Span)>,
    /// For each viewer by name, the texts that the viewer must see.
    pub seen: Vec<ViewerTexts>,
    /// For each viewer by name, the texts that the viewer must not see.
    pub unseen: Vec<ViewerTexts>,
    /// The text that the refusal of the last line must contain, if this line must be refused.
    pub refused: Option<(String, Span)>,
    /// The span of the example in the ruleset.
    pub span: Span,
    /// The span of its key `dice`, or of the whole example if the key is missing.
    pub dice_span: Span,
}

/// The texts that an example expects a viewer to see, or not to see.
#[derive(Clone, Debug)]
pub struct ViewerTexts {
    /// The name of the viewer: a side, a player, or `players` for all players together.
    pub viewer: String,
    /// The span of the name.
    pub span: Span,
    /// The texts that must, or must not, occur in the viewer's output.
    pub texts: Vec<(String, Span)>,
}

/// A silenced warning.
#[derive(Clone, Debug)]
pub struct AllowedWarning {
    /// The code of the warning.
    pub code: String,
    /// The name of the subject, or of one part of it; empty for any subject.
    pub about: String,
    /// The reason why the warning does not apply.
    pub because: String,
    /// The span of the entry.
    pub span: Span,
}

impl AllowedWarning {
    /// Returns true if the entry silences warnings with this code about this subject. If a subject
    /// has two parts (`listen: boat`), the entry may name either of them.
    pub fn silences(&self, code: &str, about: &str) -> bool {
        let mut parts = about.split(": ");
        self.code == code
            && (self.about.is_empty()
                || self.about == about
                || parts.any(|part| part == self.about))
    }
}
