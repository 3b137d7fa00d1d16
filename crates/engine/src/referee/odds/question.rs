//! A question about odds (the lines, and the point at which play stops after them), and the
//! progress of a run through it.

use super::super::{Action, Referee};
use super::host::Said;
use crate::diagnostic::Diagnostic;
use crate::language::code::Program;
use crate::language::schema::{FunctionId, Type};
use crate::language::syntax::Expr;
use crate::referee::phases::PhaseChange;
use crate::tabletop::Tabletop;

/// The maximum multiple of the usual effort. An answer at this effort takes about a minute and a
/// half.
pub const MAX_EFFORT: u32 = 100;

/// A line of the question.
#[derive(Clone, Debug)]
pub struct OddsStep {
    /// The action of the line.
    pub action: Action,
    /// True if the umpire insists on this line.
    pub insist: bool,
}

/// The point at which play stops after the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddsUntil {
    /// The phase with this index, in this turn or the next.
    Phase(usize),
    /// The first phase of the next turn.
    Turn,
}

/// A question about the results of lines.
#[derive(Clone, Debug, Default)]
pub struct OddsQuestion {
    /// The lines, in order. As at the table, any line after the first that the rules refuse is
    /// skipped.
    pub steps: Vec<OddsStep>,
    /// The point at which play stops after them; `None` if it stops directly after the last line.
    pub until: Option<OddsUntil>,
    /// True if the umpire insists on the phases up to that point.
    pub insist_until: bool,
    /// The answers to the first questions of the rules, in order, as typed. All other questions get
    /// the best answer if the rule states one, otherwise a random answer.
    pub answers: Vec<String>,
    /// A multiple of the usual effort, up to [`MAX_EFFORT`]; 0 counts as 1.
    pub effort: u32,
}

impl OddsQuestion {
    /// Returns the multiple of the usual effort.
    pub(super) fn effort(&self) -> u32 {
        self.effort.clamp(1, MAX_EFFORT)
    }

    /// Returns the question about the results of one action.
    pub fn of_action(action: &Action, insist: bool) -> OddsQuestion {
        let steps = vec![OddsStep { action: action.clone(), insist }];
        OddsQuestion { steps, ..OddsQuestion::default() }
    }
}

/// The state of a run where a line began, or where the run was continued after a stop in the line.
#[derive(Clone, Debug, Default)]
pub(super) struct LineBegin {
    /// The savepoint of the table.
    pub table: usize,
    /// The texts shown so far.
    pub said: Said,
}

/// The progress of a run. The rest of the run depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The number of lines begun.
    pub steps: usize,
    /// The number of changes of phase begun after the last line.
    pub changes: usize,
    /// The number of pieces of the side to move that had not acted when the current line began;
    /// `None` unless the line calls a rule and the sides alternate piece by piece.
    pub left_to_move: Option<usize>,
    /// The current change of phase.
    pub phase_change: Option<PhaseChange>,
    /// True if the current line may already have changed the table or printed something; always
    /// false for the first line.
    pub touched: bool,
    /// True if the condition is being evaluated.
    pub judging: bool,
}

/// A compiled condition about the table.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The program with the condition.
    pub(super) program: Program,
    pub(super) function: FunctionId,
}

impl Referee {
    /// Compiles a condition that may name the pieces on this table.
    ///
    /// # Errors
    ///
    /// Returns the faults of the expression.
    pub fn condition(&self, table: &Tabletop, expr: &Expr) -> Result<Condition, Vec<Diagnostic>> {
        let (program, function, _) = self.compile_for_table(table, Some(Type::Flag), expr)?;
        Ok(Condition { program, function })
    }
}
