//! The question that odds answer: the lines, and the point up to which play then continues. A run's progress through
//! it.

use super::super::{Action, Referee};
use crate::diagnostic::Diagnostic;
use crate::language::code::Program;
use crate::language::schema::{FunctionId, Type};
use crate::language::syntax::Expr;
use crate::referee::phases::PhaseChange;
use crate::tabletop::Tabletop;

/// The greatest multiple of the usual effort. It takes about a minute and a half.
pub const MAX_EFFORT: u32 = 100;

/// A line to be foretold.
#[derive(Clone, Debug)]
pub struct OddsStep {
    /// Its action.
    pub action: Action,
    /// True if the umpire insists on what the rules refuse.
    pub insist: bool,
}

/// The point up to which play continues after the last line.
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
    /// The lines, one after the other. What the rules refuse of several is left out, as at the table.
    pub steps: Vec<OddsStep>,
    /// The point up to which play continues after them; `None` if it stops after the last line.
    pub until: Option<OddsUntil>,
    /// True if the umpire insists on what the rules refuse on the way there.
    pub insist_until: bool,
    /// The answers to the first questions of the rules, in order, as people write them. Chance answers the others.
    pub answers: Vec<String>,
    /// A multiple of the usual effort, up to [`MAX_EFFORT`]; 0 counts as 1.
    pub effort: u32,
}

impl OddsQuestion {
    /// Returns the multiple of the usual effort.
    pub(super) fn effort(&self) -> u32 {
        self.effort.clamp(1, MAX_EFFORT)
    }

    /// Returns the question what comes of one action.
    pub fn of_action(action: &Action, insist: bool) -> OddsQuestion {
        let steps = vec![OddsStep { action: action.clone(), insist }];
        OddsQuestion { steps, ..OddsQuestion::default() }
    }
}

/// The progress of a run. What is left of the run depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The number of lines begun.
    pub steps: usize,
    /// The number of changes of phase begun after the last line.
    pub changes: usize,
    /// The change of phase under way.
    pub phase_change: Option<PhaseChange>,
    /// True if the line under way may already have changed the table.
    pub touched: bool,
    /// True if the condition is asked.
    pub judging: bool,
}

/// A condition over the table, compiled.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The rules with the condition.
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
