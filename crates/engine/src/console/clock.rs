//! The clock of a turn or a side's move. Only the prompt and the players' screen show it;
//! transcripts and JSON don't contain it. Points in time are given in milliseconds since 1970.

use crate::referee::Referee;
use crate::render::luck::minutes;
use crate::tabletop::Tabletop;

/// A turn, and the side whose move it is, if the sides move in turn.
type ClockMove = (i64, Option<String>);

/// A clock that measures the time of each move.
#[derive(Debug)]
pub(super) struct Clock {
    /// The time allowed for a move, in milliseconds.
    limit: u64,
    /// The current move, and when it began.
    current: (ClockMove, u64),
    /// True if the umpire has been reminded that the time is up.
    told: bool,
    /// The moves that took too long, each with the time over the limit.
    pub over: Vec<String>,
}

/// Returns the current move.
fn current_move(referee: &Referee, table: &Tabletop) -> ClockMove {
    (referee.turn_number(table), referee.side_to_move(table))
}

fn move_name((turn, side): &ClockMove) -> String {
    side.as_ref().map_or(format!("turn {turn}"), |side| format!("turn {turn} of {side}"))
}

impl Clock {
    /// Returns a clock that starts now and allows `limit` minutes for each move.
    pub(super) fn new(limit: u64, referee: &Referee, table: &Tabletop, now: u64) -> Clock {
        let current = (current_move(referee, table), now);
        Clock { limit: limit * 60_000, current, told: false, over: Vec::new() }
    }

    fn used(&self, now: u64) -> u64 {
        now.saturating_sub(self.current.1)
    }

    /// Returns the text for the prompt: the time left, such as `4:10`, or the time over the limit,
    /// such as `+0:30`.
    pub(super) fn time_left(&self, now: u64) -> String {
        let used = self.used(now);
        let limit = self.limit;
        let sign = if used > limit { "+" } else { "" };
        let seconds = used.abs_diff(limit) / 1000;
        format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
    }

    /// Returns the clock for the players' screen: the milliseconds allowed for a move, and the
    /// milliseconds used.
    pub(super) fn for_screen(&self, now: u64) -> String {
        format!("clock {} {}", self.limit, self.used(now))
    }

    /// Returns the setting of the clock in words.
    pub(super) fn setting_words(&self) -> String {
        let of = if self.current.0.1.is_some() { "each side's move" } else { "each turn" };
        format!("{of} has {}; `clock off` stops the clock", minutes(self.limit))
    }

    /// Restarts the clock if another move has begun. Returns a line, once, when the time is up.
    pub(super) fn tick(&mut self, referee: &Referee, table: &Tabletop, now: u64) -> Option<String> {
        let now_is = current_move(referee, table);
        let over = self.used(now).checked_sub(self.limit).filter(|over| *over > 0);
        if now_is != self.current.0 {
            if let Some(over) = over {
                self.over.push(format!("{} {}", move_name(&self.current.0), minutes(over)));
            }
            (self.current, self.told) = ((now_is, now), false);
            return None;
        }
        over.filter(|_| !std::mem::replace(&mut self.told, true))?;
        Some(self.up())
    }

    fn up(&self) -> String {
        format!("time is up: {} for {}", minutes(self.limit), move_name(&self.current.0))
    }

    /// Returns the milliseconds until the time is up, and the line that reports it; `None` if it
    /// has been reported.
    pub(super) fn alarm(&self, now: u64) -> Option<(u64, String)> {
        let left = (self.limit + 1).saturating_sub(self.used(now));
        (!self.told).then(|| (left, self.up()))
    }

    /// Records that the umpire knows the time is up.
    pub(super) fn silence(&mut self) {
        self.told = true;
    }
}
