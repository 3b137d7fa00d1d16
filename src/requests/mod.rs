//! The requests that players send from their pages. They wait in a file next to the journal until
//! the umpire decides.
//!
//! The players' screen appends requests to one file ([`RequestQueue`]). If the umpire sends a
//! request back, the console appends this decision to another file ([`DecisionLog`]). Each file has
//! one writer. A request counts as carried out if the journal contains its id. Therefore no request
//! is lost or carried out twice, whatever the order of the writes, even if a process is killed
//! between two of them.

mod decisions;
mod lines;
mod queue;
#[cfg(test)]
mod tests;

use adjutant_engine::console::WrittenOrders;
use adjutant_engine::names::sanitize;
use serde::{Deserialize, Serialize};

use crate::session_folder::{DECISIONS_FILE, REQUESTS_FILE, REQUESTS_LOCK_FILE};

pub use decisions::{DecisionLog, DecisionReader, SentBack};
pub use queue::{QueueError, QueueLock, RequestQueue, RequestReader};

/// The maximum size of each of the two files, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// The valid lengths of an id, in characters.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 8..=40;
/// The maximum length of each text in a request, in characters.
pub const MAX_TEXT: usize = 120;
/// The maximum number of faces in a request.
const MAX_FACES: usize = 100;
/// The highest face that a request can contain.
const MAX_FACE: u32 = 1000;

/// A player's request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The id that the player's page gave the request: 8 to 40 characters from a to z, 0 to 9 and
    /// `-`.
    pub id: String,
    /// The name of the player.
    pub player: String,
    /// The time when it arrived, in milliseconds since 1970.
    pub at: u64,
    /// The turn of the game when it arrived.
    pub turn: i64,
    /// The content of the request.
    pub kind: RequestKind,
}

/// The content of a player's request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RequestKind {
    /// Orders for the player's pieces.
    Orders(WrittenOrders),
    /// The faces of dice that the player has rolled.
    Faces {
        /// The number of the question for dice that these faces answer.
        question: u64,
        /// The faces, from 1.
        faces: Vec<u32>,
    },
    /// A mark that the player has nothing more to do in this phase, or has something to do after
    /// all.
    Ready {
        /// True if the player is ready.
        ready: bool,
    },
}

/// Dice that the program is waiting for, as the console reports them to the players' screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceQuestion {
    /// The number of the question. No later question of the session has the same number.
    pub id: u64,
    /// The player or the side that rolls; empty if any player may roll.
    pub whose: String,
    /// The question in words, such as `roll 1d6 (or 10 rolls at once)`.
    pub asked: String,
    /// The number of dice. Any further faces are for the dice that follow.
    pub count: u32,
    /// The number of sides of each die.
    pub sides: u32,
}

impl RequestKind {
    /// Returns the request with its texts cleaned of special characters.
    ///
    /// # Errors
    /// Fails with a reason for the player if something is missing, too long or not a face.
    pub fn cleaned(self) -> Result<RequestKind, &'static str> {
        match self {
            RequestKind::Orders(orders) => {
                let WrittenOrders { who, to, until, otherwise } = orders;
                let [who, to, until, otherwise] = [who, to, until, otherwise].map(|t| clean(&t));
                let texts = [&who, &to, &until, &otherwise];
                if to.is_empty() {
                    return Err("orders need a goal");
                }
                if texts.iter().any(|text| text.chars().count() > MAX_TEXT) {
                    return Err("a text can have at most 120 characters");
                }
                Ok(RequestKind::Orders(WrittenOrders { who, to, until, otherwise }))
            }
            RequestKind::Faces { faces, question } => {
                let are_faces = faces.iter().all(|face| (1..=MAX_FACE).contains(face));
                if faces.is_empty() || faces.len() > MAX_FACES || !are_faces {
                    return Err("expected at most 100 faces, each from 1 to 1000");
                }
                Ok(RequestKind::Faces { question, faces })
            }
            ready @ RequestKind::Ready { .. } => Ok(ready),
        }
    }
}

/// Returns true if a text can be the id of a request.
pub fn is_id(id: &str) -> bool {
    ID_LENGTHS.contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Returns a text on one line, without characters that change how other characters are shown, and
/// without characters that have a meaning in a typed line or a message: quotation marks, backticks,
/// `!`, `#`, `;` and `\`.
fn clean(text: &str) -> String {
    let kept = |c: char| match c {
        '"' | '!' | '#' | ';' | '\\' | '`' => ' ',
        c if c.is_control() || c.is_whitespace() || is_formatting(c) => ' ',
        c => c,
    };
    let text: String = text.chars().map(kept).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true for a character that is invisible or changes the direction of a text. These are the
/// characters that [`sanitize`](adjutant_engine::names::sanitize) replaces.
fn is_formatting(c: char) -> bool {
    let mut bytes = [0; 4];
    let text: &str = c.encode_utf8(&mut bytes);
    sanitize(text) != text
}
