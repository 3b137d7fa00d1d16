//! Computes the pace of play (the length of each turn and the longest waits) from the times of the
//! records.

use std::collections::BTreeMap;

use super::record::Record;
use super::{HistoryStep, Session};

/// The longest wait that counts as play, in milliseconds. Any longer wait counts as a break.
const MIN_BREAK: u64 = 30 * 60 * 1000;

/// The pace of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Pace {
    /// The turns, in order, except those that consist only of breaks.
    pub turns: Vec<TurnPace>,
    /// The longest waits, the longest first.
    pub waits: Vec<CommandWait>,
    /// The time played in milliseconds, without breaks.
    pub played: u64,
    /// The number of breaks: one for each time that the session was resumed, and one for each other
    /// wait of more than half an hour.
    pub breaks: usize,
}

/// The time that a turn took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TurnPace {
    /// The number of the turn.
    pub turn: i64,
    /// The length of the turn in milliseconds, without breaks.
    pub time: u64,
    /// The number of commands typed in the turn, without those typed directly after a break.
    pub commands: usize,
}

/// The wait before a command.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct CommandWait {
    /// The number of the command that ended the wait.
    pub number: u64,
    /// The line of that command.
    pub line: String,
    /// The number of the turn in which that line was typed.
    pub turn: i64,
    /// The length of the wait in milliseconds.
    pub time: u64,
}

impl Session {
    /// Returns the pace of the session, with at most `longest` waits.
    pub fn pace(&self, longest: usize) -> Pace {
        let mut pace = Pace::default();
        let mut turns = BTreeMap::new();
        let Some(first) = self.log.first() else { return pace };
        let mut last = first.at;
        let mut turn = first.turn;
        for logged in self.log.iter().skip(1) {
            let time = logged.at.saturating_sub(last);
            last = last.max(logged.at);
            let resumed = matches!(logged.what, Record::Resume(_));
            if resumed || time > MIN_BREAK {
                pace.breaks += 1;
            } else {
                pace.played += time;
                let now = turns.entry(turn).or_insert(TurnPace { turn, time: 0, commands: 0 });
                now.time += time;
                if let Some(entry) = logged.command() {
                    now.commands += 1;
                    pace.waits.push(CommandWait {
                        number: entry.number,
                        line: entry.line.clone(),
                        turn,
                        time,
                    });
                }
            }
            turn = match (&logged.what, logged.steps.last()) {
                // If a command is undone, play returns to the turn in which it was typed.
                (Record::Undo(_), Some(HistoryStep::Command(entry))) => entry.turn,
                _ => logged.turn,
            };
        }
        pace.turns = turns.into_values().collect();
        pace.waits.sort_by(|a, b| b.time.cmp(&a.time).then(a.number.cmp(&b.number)));
        pace.waits.truncate(longest);
        pace
    }
}
