//! Amendments: a new line replaces an earlier command, and all later commands are resolved again
//! with the same dice.

use std::sync::Arc;

use indexmap::IndexMap;

use super::action::RecordedAction;
use super::decision::CommandDecision;
use super::history::{AmendRecord, Amendment, Entry, HistoryStep, UndoDirection};
use super::input::CommandInput;
use super::record::Record;
use super::replay::{LineMisfit, MadeNames, Replay};
use super::{Session, SessionError, phase_name};
use crate::language::machine::Halt;
use crate::referee::Action;
use crate::tabletop::{AttributePath, Tabletop, Value, inventory};

/// An amendment that has been planned but not made yet.
#[derive(Clone, Debug)]
pub struct AmendmentPlan {
    /// The command as amended.
    entry: Option<Arc<Entry>>,
    record: Arc<AmendRecord>,
    /// The number of records in the log when the amendment was planned.
    length: usize,
    /// The amended command and the later commands, as far as they would have a different line or
    /// result or would no longer be possible.
    pub differences: Vec<ChangedCommand>,
    /// The values on the table that would differ, each with its path, its current value and its new
    /// value. A value is `None` if the table does not have it, for example because the piece does
    /// not exist.
    pub table: Vec<(AttributePath, Option<Value>, Option<Value>)>,
}

/// A command that would have a different line or result after an amendment, or would no longer be
/// possible.
#[derive(Clone, Debug)]
pub struct ChangedCommand {
    /// The number of the command.
    pub number: u64,
    /// The command before the amendment.
    pub before: Arc<Entry>,
    /// The new command, or the reason why it is no longer possible.
    pub now: Result<Arc<Entry>, LineMisfit>,
}

impl AmendmentPlan {
    /// Returns true if the amendment would change no line, no result and no value on the table.
    pub fn changes_nothing(&self) -> bool {
        self.differences.is_empty() && self.table.is_empty()
    }

    /// Returns the command as amended.
    pub(crate) fn entry(&self) -> Option<&Arc<Entry>> {
        self.entry.as_ref()
    }
}

impl Session {
    /// Returns the table as it was before a command; `None` if no command in force has this number.
    pub(crate) fn table_before(&self, number: u64) -> Option<Tabletop> {
        let (_, tail) = self.history.split_at(self.history.index_of(number)?);
        let mut board = self.board.clone();
        board.reverse(tail).ok()?;
        Some(board.table().clone())
    }

    /// Plans the replacement of a command by another line. A question that was asked before gets
    /// its recorded answer; new questions get the answers in `input`. If the command used real
    /// dice, they have their recorded faces unless `input` has new ones. Fails if the command isn't
    /// in force, or if the line can't be parsed or resolved.
    pub fn plan_amend(
        &self,
        number: u64,
        line: &str,
        input: &CommandInput,
    ) -> Result<AmendmentPlan, LineMisfit> {
        self.plan_replacement(number, |replay, standing, old| {
            let command = replay.read_replacement(number, standing, line)?;
            let (referee, table) = replay.board.referee_and_table_of(number);
            let overrules = command.verb == super::overrule::OVERRULE_VERB;
            let reason = line.split_once(':').filter(|_| overrules);
            let decision = CommandDecision {
                line: line.to_owned(),
                action: RecordedAction::of(&command.action, referee, table),
                insist: command.insist,
                reason: reason.map(|(_, reason)| reason.trim().to_owned()),
                requests: Vec::new(),
                given: CommandInput::from_outcome(&old.outcome).with_amended(input),
            };
            Ok((command.action, decision))
        })
    }

    /// Returns the record of the amendment that replaces command `number` by this decision, or
    /// fails if the decision can't be carried out.
    pub(super) fn amend_record(
        &self,
        number: u64,
        decision: &CommandDecision,
    ) -> Result<Arc<AmendRecord>, LineMisfit> {
        let plan = self.plan_replacement(number, |replay, _, _| {
            Ok((replay.recorded_action(number, &decision.action)?, decision.clone()))
        })?;
        Ok(plan.record)
    }

    /// Plans the replacement of a command by the decision that `decide` returns. `decide` gets a
    /// replay on the board as it was before that command, the commands in force before it, and the
    /// old command.
    fn plan_replacement(
        &self,
        number: u64,
        decide: impl Fn(
            &Replay<'_>,
            &[Arc<Entry>],
            &Entry,
        ) -> Result<(Action, CommandDecision), LineMisfit>,
    ) -> Result<AmendmentPlan, LineMisfit> {
        let index = self.history.index_of(number).ok_or(LineMisfit::NoSuchCommand(number))?;
        let (before, tail) = self.history.split_at(index);
        let mut board = self.board.clone();
        board.reverse(tail)?;
        let mut standing: Vec<Arc<Entry>> = before.to_vec();
        let mut record = AmendRecord { number, now: Vec::new(), dropped: Vec::new() };
        let mut differences = Vec::new();
        let mut keys = self.keys.clone();
        let names = MadeNames::of(tail);
        for old in tail {
            let amended = old.number == number;
            let stop = &self.stop;
            let replay = Replay { board: &board, keys: &keys, names: &names, stop };
            // All other commands have the same action as before.
            let decided = if amended {
                decide(&replay, &standing, old)
            } else {
                let action = replay.recorded_action(old.number, &old.action);
                action.map(|action| (action, CommandDecision::of(old)))
            };
            let resolved = decided.and_then(|(action, decision)| {
                let same = (old.number, old.throw);
                let outcome = replay.resolve(same, (&action, decision.insist), &decision.given)?;
                Ok((decision, outcome))
            });
            if self.stop.is_stopped() {
                return Err(Halt::Stopped.into());
            }
            let difference = match resolved {
                Ok((decision, outcome)) => {
                    let (referee, table) = board.referee_and_table_of(old.number);
                    let entry = Arc::new(Entry {
                        number: old.number,
                        line: decision.line,
                        action: decision.action,
                        insist: decision.insist,
                        reason: decision.reason,
                        requests: decision.requests,
                        turn: referee.turn_number(table),
                        phase: phase_name(referee, table),
                        throw: old.throw.or_else(|| keys.throw_number(&outcome)),
                        outcome: outcome.into(),
                    });
                    board.apply([(UndoDirection::Forward, &entry)])?;
                    standing.push(entry.clone());
                    keys.mark_used(&entry);
                    if entry == *old {
                        continue;
                    }
                    record.now.push(entry.clone());
                    // A command that differs only in its turn or phase is recorded, but not listed.
                    if entry.line == old.line && entry.outcome == old.outcome {
                        continue;
                    }
                    Ok(entry)
                }
                Err(misfit) if amended => return Err(misfit),
                Err(misfit) => {
                    record.dropped.push(old.number);
                    Err(misfit)
                }
            };
            differences.push(ChangedCommand {
                number: old.number,
                before: old.clone(),
                now: difference,
            });
        }
        Ok(AmendmentPlan {
            table: changed_values(inventory(self.table()), inventory(board.table())),
            entry: standing.get(index).cloned(),
            record: Arc::new(record),
            length: self.log.len(),
            differences,
        })
    }

    /// Makes a planned amendment. Fails with [`SessionError::Stale`] if records have been added to
    /// the log since the amendment was planned.
    pub fn amend(&mut self, plan: &AmendmentPlan, at: u64) -> Result<Arc<Amendment>, SessionError> {
        if plan.length != self.log.len() {
            return Err(SessionError::Stale);
        }
        match self.commit(at, Record::Amend(plan.record.clone()))?.as_slice() {
            [HistoryStep::Amendment(amendment)] => Ok(amendment.clone()),
            _ => Err(SessionError::Stale),
        }
    }
}

/// Returns the values that differ: first the values of the current table in order, then the values
/// that only the new table has.
fn changed_values(
    old: Vec<(AttributePath, Value)>,
    new: Vec<(AttributePath, Value)>,
) -> Vec<(AttributePath, Option<Value>, Option<Value>)> {
    let mut left: IndexMap<AttributePath, Value> = new.iter().cloned().collect();
    let mut found = Vec::new();
    for (of, value) in old {
        let now = left.swap_remove(&of);
        if now.as_ref() != Some(&value) {
            found.push((of, Some(value), now));
        }
    }
    let added = new.into_iter().filter(|(of, _)| left.contains_key(of));
    found.extend(added.map(|(of, value)| (of, None, Some(value))));
    found
}

#[cfg(test)]
mod tests {
    use crate::session::CommandInput;
    use crate::session::testing::TestGame;

    const RULES: &str = r#"
[kind.area]
[kind.team]
at = { of = "area" }
[rule.recruit]
usage = "recruit <spot:area>"
after = 'make team { at = spot }'
[scenario.one.pieces.area]
c1 = {}
d1 = {}
[scenario.one.pieces.team]
officer = { at = "d1" }
"#;

    fn game(lines: &[&str]) -> TestGame {
        let mut game = TestGame::of(RULES);
        for line in lines {
            game.types(line);
        }
        game
    }

    fn amend(game: &mut TestGame, number: u64, line: &str) {
        let plan = game.session.plan_amend(number, line, &CommandInput::default()).unwrap();
        game.session.amend(&plan, 0).unwrap();
        assert_eq!(game.session.verify().mismatch, None);
    }

    #[test]
    fn a_command_that_is_not_amended_keeps_its_piece() {
        let mut game = game(&["note hello", "set off.at c1"]);
        assert_eq!(game.value("officer.at"), "c1");
        // `off` abbreviates `officer` unless another piece is named `off`.
        amend(&mut game, 1, "add team off at d1");
        assert_eq!((game.value("officer.at"), game.value("off.at")), ("c1".into(), "d1".into()));
        let entry = &game.session.entries()[1];
        assert_eq!(entry.line, "set off.at c1");
        // The recorded action is still the same.
        game.session.undo(2, 0).unwrap();
        assert_eq!(game.value("officer.at"), "d1");
    }

    #[test]
    fn pieces_that_the_machine_names_keep_their_names() {
        let lines = ["note hello", "recruit c1", "add team at c1", "set team2.at d1"];
        let mut game = game(&lines);
        let names = |game: &TestGame| -> Vec<String> {
            let names = game.session.table().names().map(|(name, ..)| name.to_owned());
            names.filter(|name| name.starts_with("team")).collect()
        };
        assert_eq!(names(&game), ["team1", "team2"]);
        // The new piece, which is made before the others, gets none of their names.
        amend(&mut game, 1, "recruit d1");
        assert_eq!(names(&game), ["team1", "team2", "team3"]);
        assert_eq!(game.value("team1.at"), "c1");
        assert_eq!(game.value("team2.at"), "d1");
        assert_eq!(game.value("team3.at"), "d1");
        // A command is dropped if its piece no longer exists.
        amend(&mut game, 3, "note nobody");
        let left: Vec<&str> = game.session.entries().iter().map(|e| e.line.as_str()).collect();
        assert_eq!(left, ["recruit d1", "recruit c1", "note nobody"]);
    }
}
