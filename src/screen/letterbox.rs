//! The letterbox: takes the requests of players, and tells each player what became of them.
//!
//! Each player has a budget, so that a page that sends too much slows only itself down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use adjutant_engine::referee::Player;
use adjutant_engine::session::Session;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};

use crate::requests::{
    DecisionLog, DiceQuestion, QueueError, Request, RequestKind, RequestQueue, is_id,
};

/// The maximum size of a request, in bytes.
pub(super) const MAX_REQUEST_BYTES: usize = 2 << 10;
/// The number of requests that a player may send at once.
const BURST: u32 = 10;
/// The time after which a player may send one more.
const REFILL: Duration = Duration::from_millis(500);
/// The number of requests that a player's page shows.
const MOST_SHOWN: usize = 12;

/// The requests of players, and the question that waits for dice.
#[derive(Debug)]
pub(super) struct Letterbox {
    folder: PathBuf,
    /// `None` if players may send nothing.
    queue: Option<RequestQueue>,
    question: Option<DiceQuestion>,
    budgets: BTreeMap<String, Budget>,
}

/// The number of requests that a player may still send at once, and since when.
#[derive(Clone, Copy, Debug)]
struct Budget {
    left: u32,
    since: Instant,
}

/// A request as a page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Letter {
    id: String,
    kind: RequestKind,
}

/// A request as the page of its player shows it.
#[derive(Debug, Serialize)]
struct ShownRequest<'r> {
    id: &'r str,
    kind: &'r RequestKind,
    state: &'static str,
    reason: String,
}

/// Dice that the program waits for, as the page of a player shows them.
#[derive(Debug, Serialize)]
struct ShownQuestion {
    id: u64,
    asked: String,
    count: u32,
    sides: u32,
}

/// The part of a player's page that concerns requests.
#[derive(Debug, Serialize)]
struct OwnState<'r> {
    /// True if the player may send requests.
    open: bool,
    /// True if the player is ready in this turn.
    ready: bool,
    question: Option<ShownQuestion>,
    requests: Vec<ShownRequest<'r>>,
    /// The names of the player's pieces.
    pieces: Vec<String>,
}

/// The answer to a request that was not accepted.
pub(super) type Refusal = (StatusCode, String);

impl Letterbox {
    /// Opens the letterbox of a session, if players may send requests.
    pub(super) fn open(folder: &Path, requests: bool) -> Result<Letterbox, QueueError> {
        let queue = if requests { Some(RequestQueue::open(folder)?) } else { None };
        Ok(Letterbox { folder: folder.to_owned(), queue, question: None, budgets: BTreeMap::new() })
    }

    /// Returns true if players may send requests.
    pub(super) fn is_open(&self) -> bool {
        self.queue.is_some()
    }

    /// Sets the question for dice, as JSON, or none. Returns true if it changed.
    pub(super) fn set_question(&mut self, question: &str) -> bool {
        let question = serde_json::from_str(question).ok();
        std::mem::replace(&mut self.question, question.clone()) != question
    }

    /// Returns the question for dice, if this player rolls them.
    fn question_for(&self, player: &Player) -> Option<&DiceQuestion> {
        let concerns = |question: &&DiceQuestion| {
            let whose = question.whose.as_str();
            whose.is_empty() || whose == player.name || player.side.as_deref() == Some(whose)
        };
        self.question.as_ref().filter(|_| self.is_open()).filter(concerns)
    }

    /// Checks whether a player may send something now.
    ///
    /// # Errors
    /// Fails if nobody may, or the player has sent too much.
    pub(super) fn admit(&mut self, player: &Player) -> Result<(), Refusal> {
        if !self.is_open() {
            let words = "the umpire takes no requests".to_owned();
            return Err((StatusCode::FORBIDDEN, words));
        }
        let now = Instant::now();
        let full = Budget { left: BURST, since: now };
        let budget = self.budgets.entry(player.name.clone()).or_insert(full);
        let refills = now.duration_since(budget.since).as_millis() / REFILL.as_millis();
        let refills = u32::try_from(refills).unwrap_or(BURST);
        if budget.left.saturating_add(refills) >= BURST {
            *budget = full;
        } else {
            budget.left += refills;
            budget.since += REFILL * refills;
        }
        match budget.left.checked_sub(1) {
            Some(left) => {
                budget.left = left;
                Ok(())
            }
            None => Err((StatusCode::TOO_MANY_REQUESTS, "too many at once; later".to_owned())),
        }
    }

    /// Stores a request of a player. `at` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// Fails with an answer for the page; nothing was stored then.
    pub(super) fn take(
        &mut self,
        session: &Session,
        player: &Player,
        body: &[u8],
        at: u64,
    ) -> Result<(), Refusal> {
        let malformed = |words: &str| (StatusCode::BAD_REQUEST, words.to_owned());
        let letter: Letter =
            serde_json::from_slice(body).map_err(|_| malformed("this is no request"))?;
        if !is_id(&letter.id) {
            return Err(malformed("this is no id of a request"));
        }
        let kind = letter.kind.cleaned().map_err(malformed)?;
        let question = self.question_for(player).cloned();
        let turn = session.referee().turn_number(session.table());
        let request = Request { id: letter.id, player: player.name.clone(), at, turn, kind };
        let Some(queue) = &mut self.queue else {
            return Err((StatusCode::FORBIDDEN, "the umpire takes no requests".to_owned()));
        };
        let is_known = queue.of_player(&player.name).iter().any(|known| known.id == request.id);
        if let (RequestKind::Faces { question: asked, faces }, false) = (&request.kind, is_known) {
            let fit = question.is_some_and(|question| {
                question.id == *asked
                    && question.count as usize <= faces.len()
                    && faces.iter().all(|face| *face <= question.sides)
            });
            if !fit {
                let words = "these dice are not asked for any more".to_owned();
                return Err((StatusCode::CONFLICT, words));
            }
        }
        queue.add(request).map_err(|error| {
            let status = match error {
                QueueError::OtherContent => StatusCode::CONFLICT,
                QueueError::Full => StatusCode::FORBIDDEN,
                QueueError::Disk(_) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, error.to_string())
        })
    }

    /// Returns the part of a player's page that concerns requests, as JSON. It depends on nothing
    /// that other players have sent.
    pub(super) fn own_state(&self, session: &Session, player: &Player) -> String {
        let (referee, table) = (session.referee(), session.table());
        let own = self.queue.as_ref().map_or(Vec::new(), |queue| queue.of_player(&player.name));
        let sent_back = DecisionLog::read(&self.folder);
        let turn = referee.turn_number(table);
        let marks = own.iter().filter(|request| request.turn == turn);
        let mut marks = marks.filter_map(|request| match request.kind {
            RequestKind::Ready { ready } => Some(ready),
            RequestKind::Orders(_) | RequestKind::Faces { .. } => None,
        });
        let ready = marks.next_back().unwrap_or(false);
        let mut shown: Vec<ShownRequest<'_>> = Vec::new();
        let wishes = own.iter().rev().filter(|one| !matches!(one.kind, RequestKind::Ready { .. }));
        for request in wishes.take(MOST_SHOWN) {
            let back = sent_back.iter().find(|decision| decision.id == request.id);
            let is_taken = session.taken_requests().any(|taken| taken.id == request.id);
            let state = match back {
                _ if is_taken => "accepted",
                Some(_) => "sent back",
                None => "waiting",
            };
            let reason = back.filter(|_| !is_taken).map_or(String::new(), |d| d.reason.clone());
            shown.push(ShownRequest { id: &request.id, kind: &request.kind, state, reason });
        }
        shown.reverse();
        let state = OwnState {
            open: self.is_open(),
            ready,
            question: self.question_for(player).map(|question| ShownQuestion {
                id: question.id,
                asked: question.asked.clone(),
                count: question.count,
                sides: question.sides,
            }),
            requests: shown,
            pieces: referee.pieces_of_player(table, player),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
