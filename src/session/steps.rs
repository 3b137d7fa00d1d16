//! Steps back and forth: undo and redo, each on disk before it is made.

use super::history::{Entry, Step};
use super::record::Record;
use super::{Happening, Session, StoreError};

impl Session {
    /// Takes back so many steps, each a command or an amendment; fewer if there are no more. What was taken
    /// back is given, the last first.
    pub fn undo(&mut self, steps: usize, at: u64) -> Result<Vec<Step>, StoreError> {
        let mut taken = Vec::new();
        for _ in 0..steps {
            let Some(step) = self.history.step_back() else { break };
            match &step {
                Step::Command(entry) => self.undo_command(entry, at)?,
                Step::Amendment(amendment) => {
                    let turn = self.turn_after(|b| b.swap(&amendment.now, &amendment.before));
                    self.write_in(turn, at, Record::UndoAmend(amendment.number))?;
                    self.history.take_back_amendment(&mut self.board);
                    self.logged(at, Happening::TookBack(step.clone()));
                }
            }
            taken.push(step);
        }
        Ok(taken)
    }

    /// Takes back all commands after this one. Amendments stay.
    pub fn undo_to(&mut self, number: u64, at: u64) -> Result<Vec<Step>, StoreError> {
        let mut taken = Vec::new();
        while let Some(entry) = self.history.standing().last().cloned() {
            if entry.number <= number {
                break;
            }
            self.undo_command(&entry, at)?;
            taken.push(Step::Command(entry));
        }
        Ok(taken)
    }

    fn undo_command(&mut self, entry: &Entry, at: u64) -> Result<(), StoreError> {
        let turn = self.turn_after(|board| board.revert(entry));
        self.write_in(turn, at, Record::Undo(entry.number))?;
        if let Some(entry) = self.history.take_back_command(&mut self.board) {
            self.logged(at, Happening::TookBack(Step::Command(entry)));
        }
        Ok(())
    }

    /// Does again so many steps that were taken back; fewer if there are no more.
    pub fn redo(&mut self, steps: usize, at: u64) -> Result<Vec<Step>, StoreError> {
        let mut again = Vec::new();
        for _ in 0..steps {
            let Some(step) = self.history.step_again().cloned() else { break };
            let (turn, record) = match &step {
                Step::Command(entry) => {
                    (self.turn_after(|board| board.apply(entry)), Record::Redo(entry.number))
                }
                Step::Amendment(amendment) => {
                    let turn = self.turn_after(|b| b.swap(&amendment.before, &amendment.now));
                    (turn, Record::RedoAmend(amendment.number))
                }
            };
            self.write_in(turn, at, record)?;
            if let Some(step) = self.history.again(&mut self.board) {
                self.logged(at, Happening::DidAgain(step.clone()));
                again.push(step);
            }
        }
        Ok(again)
    }
}
