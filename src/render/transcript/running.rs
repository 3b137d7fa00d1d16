//! The transcript of a game under way, in Markdown: what is new is added, and all is written anew only when
//! something written before no longer stands.

use super::{Block, Scribe, markdown};
use crate::session::{Record, Session, Standing, WalkError};

/// A change of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// Nothing.
    Nothing,
    /// This is added at its end.
    Add(String),
    /// It holds this, and nothing else.
    All(String),
}

/// The transcript of a game under way. What is counted at the end, such as luck, is left to the end.
#[derive(Clone, Debug, Default)]
pub struct Running {
    scribe: Scribe,
    /// For each thing that happened: its blocks, and whether they are struck out.
    parts: Vec<Vec<Part>>,
}

/// A block as it is written.
#[derive(Clone, Debug)]
enum Part {
    /// As it is for good.
    Fixed(String),
    /// A command: its head, which may be struck out, and what came of it.
    Command { number: Option<u64>, lines: Vec<String>, struck: Option<&'static str>, told: String },
}

impl Running {
    /// Nothing is written of what happened so far: the next update has all of it.
    pub fn forget(&mut self) {
        *self = Running::default();
    }

    /// Returns the change since the last time.
    pub fn update(&mut self, session: &Session, game: &str) -> Result<Update, WalkError> {
        let known = self.parts.len();
        let Some(new) = session.log().get(known..).filter(|new| !new.is_empty()) else {
            return Ok(Update::Nothing);
        };
        if known == 0 {
            let (scribe, parts) = (&mut self.scribe, &mut self.parts);
            session.walk(|board, logged| {
                let blocks = scribe.blocks(game, board, logged, Standing::Stands);
                parts.push(blocks.iter().map(part).collect());
            })?;
            return Ok(Update::All(self.all(session)));
        }
        let mut added = String::new();
        for logged in new {
            let blocks = self.scribe.blocks(game, session.board(), logged, Standing::Stands);
            let parts: Vec<Part> = blocks.iter().map(part).collect();
            parts.iter().for_each(|part| part.write(&mut added));
            self.parts.push(parts);
        }
        // Words and the seed stand in the head, and what is taken back is struck out.
        let only_adds = new.iter().all(|logged| match logged.what {
            Record::Command(_) | Record::Dice(_) | Record::AskRandom(_) => true,
            Record::Reload(_) | Record::Resume(_) => true,
            Record::Undo(_) | Record::Redo(_) | Record::Amend(_) => false,
            Record::Start(_) | Record::Words(_) | Record::Reveal(_) => false,
        });
        Ok(match only_adds {
            true => Update::Add(added),
            false => Update::All(self.all(session)),
        })
    }

    /// All of it, with what no longer stands struck out.
    fn all(&mut self, session: &Session) -> String {
        let head = session.transcript();
        for (parts, standing) in self.parts.iter_mut().zip(&head.standing) {
            for part in parts {
                if let Part::Command { struck, .. } = part {
                    *struck = super::struck(*standing);
                }
            }
        }
        let mut out = markdown::head(&head);
        self.parts.iter().flatten().for_each(|part| part.write(&mut out));
        out
    }
}

fn part(block: &Block) -> Part {
    match block {
        Block::Command { number, lines, struck, told } => Part::Command {
            number: *number,
            lines: lines.clone(),
            struck: *struck,
            told: markdown::told(told),
        },
        other => Part::Fixed(markdown::block(other)),
    }
}

impl Part {
    fn write(&self, out: &mut String) {
        match self {
            Part::Fixed(words) => out.push_str(words),
            Part::Command { number, lines, struck, told } => {
                markdown::typed(*number, lines, *struck, out);
                out.push_str(told);
            }
        }
    }
}
