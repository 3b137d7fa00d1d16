//! Views: the game and the table to show, and the width to show them in.

use crate::language::rule::RuleText;
use crate::referee::{HiddenCells, Outcome, Referee, SeenOutcome, SeenTable, Viewer};
use crate::render::markup::{Line, Role};
use crate::session::{Board, Session};
use crate::tabletop::{Change, Tabletop};

/// The data from which a view is made: the game, the rules, the table, the width, and the cells
/// that are hidden.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The name of the game in headings; empty on the players' screen, which leaves it out.
    pub game: &'a str,
    /// The referee for the rules of the table.
    pub referee: &'a Referee,
    /// The table after the outcome.
    pub table: &'a Tabletop,
    /// The width in columns.
    pub width: usize,
    /// The cells that are hidden from the viewer; `None` for the umpire. The table does not contain
    /// their values, and the events are filtered.
    pub hidden: Option<&'a HiddenCells>,
}

impl<'a> View<'a> {
    /// Returns the umpire's view of a table.
    pub fn of(game: &'a str, referee: &'a Referee, table: &'a Tabletop, width: usize) -> View<'a> {
        View { game, referee, table, width, hidden: None }
    }

    /// Returns the umpire's view of a session, on this board.
    pub fn of_session(session: &'a Session, board: &'a Board, width: usize) -> View<'a> {
        View::of(session.heading(), board.referee(), board.table(), width)
    }

    /// Returns the same view under the rules that applied to a command. The rules may have been
    /// reloaded since then.
    pub(crate) fn of_command(self, board: &'a Board, number: u64) -> View<'a> {
        let (referee, table) = board.referee_and_table_of(number);
        View { referee, table, ..self }
    }

    /// Returns this view with the table as a given viewer sees it, or unchanged if `sight` is
    /// `None`.
    pub(crate) fn seen_by(self, sight: impl Into<Option<&'a SeenTable>>) -> View<'a> {
        match sight.into() {
            Some(sight) => View { table: &sight.table, hidden: Some(&sight.hidden), ..self },
            None => self,
        }
    }

    /// Returns true if the view can show more than all players may see.
    pub(super) fn shows_secrets(&self) -> bool {
        self.hidden.is_none() && self.referee.has_secrets()
    }

    /// Returns the table and the last changes as all players see them, and as the real table shows
    /// them. Returns `None` if all players may see everything that the view shows.
    pub(super) fn seen_by_players<'c>(
        &self,
        changes: impl DoubleEndedIterator<Item = &'c Change> + Clone,
    ) -> Option<(SeenTable, Vec<Change>)> {
        if !self.shows_secrets() {
            return None;
        }
        self.referee.seen_changes(self.table, changes, &Viewer::Players)
    }

    /// Returns the part of the last outcome that a viewer sees, and the table as the viewer sees
    /// it. Returns `None` if all players may see everything that the view shows.
    pub(super) fn outcome_seen_by(
        &self,
        outcome: &Outcome,
        viewer: &Viewer,
    ) -> Option<SeenOutcome> {
        self.shows_secrets().then(|| self.referee.seen_outcome(self.table, outcome, viewer))
    }

    /// Returns true if the view is for the players' screen. It leaves out everything that only the
    /// umpire needs: the numbers of phases, the phases that were skipped, and the sources of rules.
    pub(super) fn is_for_players(&self) -> bool {
        self.game.is_empty()
    }

    /// Returns the rule with this name, if there is one.
    pub fn rule(&self, name: &str) -> Option<&'a RuleText> {
        self.referee.ruleset().schema.rules.named(name)
    }

    /// Returns the heading of the events in a phase.
    pub(super) fn phase_line(
        &self,
        turn: i64,
        name: &str,
        index: usize,
        side: Option<&str>,
    ) -> Line {
        let game = if self.is_for_players() { "" } else { &format!("{} · ", self.game) };
        let line = Line::of(Role::Quiet, format!("{game}turn {turn} · "));
        line.and(Role::Header, self.phase_heading(name, index, side)).with_hanging_indent(2)
    }

    /// Returns the heading of a phase: its number in the turn (counted from 1), its title, and the
    /// side to move, if there is one. The players' screen leaves out the number, because players
    /// would read it as a result (`3 damage`).
    pub(crate) fn phase_heading(&self, name: &str, index: usize, side: Option<&str>) -> String {
        let side = side.map_or(String::new(), |side| format!(" · {side}"));
        let number = if self.is_for_players() { String::new() } else { format!("{} ", index + 1) };
        format!("{number}{}{side}", self.phase_title(name))
    }

    /// Returns a phase for the middle of a line that has other numbers: `phase 3 (mines, then
    /// firing)`, with the side to move. Players see only its title.
    pub(crate) fn phase_in_a_line(&self, name: &str, index: usize, side: Option<&str>) -> String {
        let side = side.map_or(String::new(), |side| format!(" · {side}"));
        let title = self.phase_title(name);
        if self.is_for_players() {
            format!("{title}{side}")
        } else {
            format!("phase {} ({title}){side}", index + 1)
        }
    }

    /// Returns the title of a phase for the middle of a line.
    pub(crate) fn phase_title(&self, name: &str) -> String {
        let phase = self.referee.ruleset().phases.iter().find(|p| p.name == name);
        lower_first_letter(phase.map_or(name, |p| &p.title))
    }
}

/// Returns a title in the form used in the middle of a line: with a lower-case first letter, unless
/// the second letter is a capital.
pub(crate) fn lower_first_letter(title: &str) -> String {
    let mut chars = title.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().collect::<String>() + &title[first.len_utf8()..]
        }
        _ => title.to_owned(),
    }
}
