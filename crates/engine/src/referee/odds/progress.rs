//! The progress of a question through its lines, the phases after them, and its condition.

use super::answer::PassedOverLine;
use super::question::{LineBegin, OddsUntil, Progress};
use super::tree::Tree;
use crate::language::machine::{Halt, Machine};
use crate::language::schema::FunctionId;
use crate::language::syntax::Period;
use crate::referee::Action;
use crate::referee::act::RuleRun;

/// A function to run, with its arguments.
type NextFunction = (FunctionId, Vec<i64>);

impl<'a> Tree<'a> {
    /// Goes back to the beginning of the question, and returns a machine for it.
    pub(super) fn begin_question(&mut self) -> Machine<'a> {
        self.progress = Progress::default();
        self.begun = 0;
        self.new_machine()
    }

    fn new_machine(&self) -> Machine<'a> {
        self.referee.new_machine_for(self.program)
    }

    /// Returns true if the run ended by evaluating the condition.
    pub(super) fn has_judged(&self) -> bool {
        self.progress.judging
    }

    /// Runs until the next stop or the end of the question.
    pub(super) fn run_to_stop(&mut self, machine: &mut Machine<'a>) -> Result<i64, Halt> {
        self.line_begin = self.here();
        self.obey_insistence();
        loop {
            let result = machine.resume(&mut self.table, &mut self.host);
            self.effort.spend(machine.steps_run());
            let value = match result {
                Err(Halt::Ended(period)) => {
                    self.end_early(period)?;
                    Some(0)
                }
                Err(halt) if self.passes_over(&halt) => None,
                result => Some(result.inspect_err(|_| self.note_changes())?),
            };
            let mut next = self.new_machine();
            let call = self.next_call(machine, &mut next, value);
            if self.table.missing_value().is_some() {
                // The value was read between two functions, where no run can stop.
                self.lost = true;
                return Err(Halt::Branch);
            }
            let Some((function, arguments)) = call? else { return Ok(value.unwrap_or_default()) };
            next.begin(function, &arguments);
            *machine = next;
            self.begun += 1;
        }
    }

    /// Ends the phase or the turn, as a line or the statements of a phase require.
    fn end_early(&mut self, period: Period) -> Result<(), Halt> {
        // A line that ends the phase doesn't pass the move on within it.
        self.progress.left_to_move = None;
        match &mut self.progress.phase_change {
            Some(change) => change.end_early(period),
            None => {
                let change = self.referee.start_end_of_period(&self.table, period)?;
                self.progress.phase_change = Some(change);
            }
        }
        Ok(())
    }

    /// Returns the current position as the beginning of a line.
    fn here(&self) -> LineBegin {
        LineBegin { table: self.table.under.savepoint(), said: self.host.said.clone() }
    }

    /// Records whether the current line has changed the table or printed anything. Only lines after
    /// the first can be skipped; for the first line, the record would only separate runs that could
    /// merge.
    fn note_changes(&mut self) {
        let may_be_left_out = self.progress.steps > 1;
        // A card drawn at the last stop leaves its deck without changing the underlying table.
        let has_changed = self.table.under.savepoint() != self.line_begin.table
            || self.host.said.count != self.line_begin.said.count
            || self.card.is_some();
        self.progress.touched |= may_be_left_out && has_changed;
    }

    /// Returns true if a line after the first was refused, in which case the other lines are still
    /// played. Texts that the line has printed since the last stop are forgotten. The line's
    /// changes are undone only in a sample; otherwise, the tree is given up if the line has already
    /// had effects.
    fn passes_over(&mut self, halt: &Halt) -> bool {
        let Halt::Refused(reason) = halt else { return false };
        if self.progress.steps < 2 || self.progress.changes > 0 || self.progress.judging {
            return false;
        }
        self.host.said.clone_from(&self.line_begin.said);
        self.note_changes();
        if self.host.is_sampling() {
            self.table.under.roll_back(self.line_begin.table);
        } else if self.progress.touched {
            // The line's changes, and the texts that it printed before the last stop, can't be
            // undone here.
            self.lost = true;
            return false;
        }
        self.progress.phase_change = None;
        self.passed_over.insert((self.progress.steps, reason.clone()));
        true
    }

    /// Returns the lines that were refused on some path.
    pub(super) fn passed_over_lines(&self) -> Vec<PassedOverLine> {
        let lines = self.passed_over.iter().map(|(number, reason)| {
            let reasons = self.passed_over.iter().filter(|(other, _)| other == number).count();
            let always = reasons == 1 && !self.carried_out.contains(number);
            PassedOverLine { number: *number, reason: reason.clone(), always }
        });
        lines.collect()
    }

    /// Makes the host override refusals if the umpire insists on the current line, or on the phases
    /// after the lines.
    pub(super) fn obey_insistence(&mut self) {
        let line = self.progress.steps.checked_sub(1).and_then(|at| self.question.steps.get(at));
        self.host.insist = if self.progress.changes > 0 {
            self.question.insist_until
        } else {
            line.is_some_and(|line| line.insist)
        };
    }

    /// Returns the next function of the question; `None` at its end. `value` is the value of the
    /// last function, or `None` if the rules refused the line.
    fn next_call(
        &mut self,
        machine: &mut Machine<'a>,
        next: &mut Machine<'a>,
        value: Option<i64>,
    ) -> Result<Option<NextFunction>, Halt> {
        let mut is_refused = value.is_none();
        let mut value = value.unwrap_or_default();
        loop {
            if let Some(mut change) = self.progress.phase_change {
                let table = &mut self.table;
                let host = &mut self.host;
                let mut field = RuleRun { referee: self.referee, machine, table, host };
                let function = field.phase_change_step(&mut change, value)?;
                self.progress.phase_change = Some(change);
                if let Some(function) = function {
                    return Ok(Some((function, Vec::new())));
                }
                self.progress.phase_change = None;
            }
            value = 0;
            let is_line = self.progress.steps > 0 && self.progress.changes == 0;
            if is_line && !is_refused && !self.progress.judging {
                self.carried_out.insert(self.progress.steps);
                let before = self.progress.left_to_move;
                let table = &mut self.table;
                let host = &mut self.host;
                let mut line = RuleRun { referee: self.referee, machine, table, host };
                line.pass_move_if_piece_acted(before);
            }
            self.progress.left_to_move = None;
            is_refused = false;
            if let Some(line) = self.question.steps.get(self.progress.steps) {
                self.progress.steps += 1;
                self.progress.touched = false;
                self.line_begin = self.here();
                self.obey_insistence();
                let Action::Rule { rule, arguments, only } = &line.action else {
                    self.progress.phase_change = Some(self.referee.start_phase_change(&self.table));
                    continue;
                };
                self.progress.left_to_move = self.referee.count_left_to_move(&self.table);
                let call = self.referee.prepare_call(*rule, arguments, only, next, &mut self.table);
                return Ok(Some(call));
            }
            if self.has_farther_to_go()? {
                self.progress.changes += 1;
                self.obey_insistence();
                self.progress.phase_change = Some(self.referee.start_phase_change(&self.table));
                continue;
            }
            let condition = self.condition.filter(|_| !self.progress.judging);
            self.progress.judging |= condition.is_some();
            return Ok(condition.map(|function| (function, Vec::new())));
        }
    }

    /// Returns true if the question includes a phase that has not been reached. Fails if that phase
    /// is skipped.
    fn has_farther_to_go(&self) -> Result<bool, Halt> {
        let Some(until) = self.question.until else { return Ok(false) };
        let arrived = match until {
            OddsUntil::Phase(index) => self.referee.phase_index(&self.table) == Some(index),
            OddsUntil::Turn => self.referee.turn_number(&self.table) > self.first_turn,
        };
        if arrived && self.progress.changes > 0 {
            return Ok(false);
        }
        if self.progress.changes < self.most_changes {
            return Ok(true);
        }
        let reason = "the phase is skipped: there is nothing to do in it";
        Err(Halt::Refused(reason.to_owned()))
    }
}
