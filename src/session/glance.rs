//! The part of a journal's line that a list of sessions shows.

use std::sync::Arc;

use super::journal::Written;
use super::record::{Record, StartRecord};
use super::version1;

/// The part of a record that a list of sessions shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Glance {
    pub at: u64,
    pub turn: i64,
    /// For the beginning: the game, its title, the scenario.
    pub game: Option<[String; 3]>,
    /// The line typed.
    pub line: Option<String>,
}

impl Written {
    pub fn glance(self) -> Glance {
        let body = match self {
            Written::Body(body) => body,
            Written::Version1(body) => return version1::glance(body),
        };
        let mut glance = Glance { at: body.at, turn: body.turn, ..Glance::default() };
        match body.what {
            Record::Start(start) => {
                let StartRecord { game, title, scenario, .. } = Arc::unwrap_or_clone(start);
                glance.game = Some([game, title, scenario]);
            }
            Record::Command(entry) => glance.line = Some(entry.line.clone()),
            Record::Undo(_) => glance.line = Some("undo".to_owned()),
            Record::Redo(_) => glance.line = Some("redo".to_owned()),
            Record::Amend(amend) => {
                let line = amend.now.first().map_or("", |e| e.line.as_str());
                glance.line = Some(format!("amend {} {line}", amend.number));
            }
            Record::Reload(_) => glance.line = Some("reload".to_owned()),
            Record::Dice(_)
            | Record::Words(_)
            | Record::AskRandom(_)
            | Record::Reveal(_)
            | Record::Resume(_) => {}
        }
        glance
    }
}
