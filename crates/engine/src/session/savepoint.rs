//! The state of a session before a change, to roll back to if the change can't be stored.
//!
//! A session changes in memory first. The caller takes a savepoint, makes a change, stores the new
//! lines of the journal, and rolls back to the savepoint if it cannot store them. The session is
//! then as it was before the change.

use std::sync::Arc;

use super::board::Board;
use super::head::HistoryHash;
use super::history::History;
use super::journal::ChecksumChain;
use super::seal::DiceKeys;
use super::{RealDice, Session};
use crate::ruleset::FileText;

/// A saved state of a session, to which the session can be rolled back.
#[derive(Debug)]
pub struct Savepoint {
    board: Board,
    keys: DiceKeys,
    next: u64,
    history: History,
    real_dice: RealDice,
    rules: Arc<[FileText]>,
    chain: ChecksumChain,
    digested: HistoryHash,
    ask_random: bool,
    /// The numbers of records in the log and of parts in the journal. Both only grow, except when a
    /// session is rolled back.
    log: usize,
    journal: usize,
}

impl Session {
    /// Returns a savepoint for the current state of the session.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            board: self.board.clone(),
            keys: self.keys.clone(),
            next: self.next,
            history: self.history.clone(),
            real_dice: self.real_dice.clone(),
            rules: self.rules.clone(),
            chain: self.chain.clone(),
            digested: self.digested,
            ask_random: self.ask_random,
            log: self.log.len(),
            journal: self.journal.len(),
        }
    }

    /// Returns the lines that were added to the journal since a savepoint, as bytes; empty if there
    /// are none.
    pub fn journal_since(&self, savepoint: &Savepoint) -> Vec<u8> {
        self.journal.get(savepoint.journal..).unwrap_or_default().concat()
    }

    /// Rolls back to a savepoint of this session, and discards all later changes.
    pub fn roll_back(&mut self, savepoint: Savepoint) {
        self.board = savepoint.board;
        self.keys = savepoint.keys;
        self.next = savepoint.next;
        self.history = savepoint.history;
        self.real_dice = savepoint.real_dice;
        self.rules = savepoint.rules;
        self.chain = savepoint.chain;
        self.digested = savepoint.digested;
        self.ask_random = savepoint.ask_random;
        self.log.truncate(savepoint.log);
        self.journal.truncate(savepoint.journal);
    }
}

#[cfg(test)]
mod tests {
    use crate::session::RealDice;
    use crate::session::testing::{MEN, TestGame};

    #[test]
    fn rolled_back_a_session_is_what_it_would_have_been() {
        let start = |game: &mut TestGame| {
            game.types("hit ann");
            game.types("shoot bob");
            game.session.undo(1, 0).unwrap();
        };
        let mut there_and_back = TestGame::of(MEN);
        start(&mut there_and_back);
        let savepoint = there_and_back.session.savepoint();
        let before = there_and_back.session.journal();
        there_and_back.session.redo(1, 0).unwrap();
        there_and_back.session.mix("herons", 0).unwrap();
        there_and_back.types("shoot cat");
        let real = RealDice { all: true, ..RealDice::default() };
        there_and_back.session.set_real_dice(real, 0).unwrap();
        there_and_back.session.set_ask_random(true, 0).unwrap();
        let gained = there_and_back.session.journal_since(&savepoint);
        assert_eq!([before.clone(), gained].concat(), there_and_back.session.journal());
        there_and_back.session.roll_back(savepoint);
        assert_eq!(there_and_back.session.journal(), before);

        // From here on, both games must be the same: the journal contains every number, hash and
        // die.
        let mut straight = TestGame::of(MEN);
        start(&mut straight);
        for game in [&mut there_and_back, &mut straight] {
            game.session.redo(1, 0).unwrap();
            game.types("shoot ann");
            game.types("hit cat");
            game.session.undo(3, 0).unwrap();
        }
        assert_eq!(there_and_back.session.journal(), straight.session.journal());
        assert_eq!(there_and_back.value("ann.hits"), straight.value("ann.hits"));
        let heads = |game: &TestGame| {
            let log = game.session.log().last().unwrap();
            (game.session.log().len(), log.turn, game.session.head_at(log).map(|h| h.to_string()))
        };
        assert_eq!(heads(&there_and_back), heads(&straight));
    }
}
