//! The letterbox receives the players' requests, and reports the state of each request to its
//! player.
//!
//! Each player has a budget, so a page that sends too many requests slows down only itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use adjutant_engine::referee::Player;
use adjutant_engine::session::Session;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};

use crate::requests::{
    DecisionReader, DiceQuestion, QueueError, QueueLock, Request, RequestKind, RequestQueue, is_id,
};

/// The maximum size of a request, in bytes.
pub(super) const MAX_REQUEST_BYTES: usize = 2 << 10;
/// The number of requests that a player may send at once.
const BURST: u32 = 10;
/// The time after which a player may send one more request.
const REFILL: Duration = Duration::from_millis(500);
/// The number of recent requests that a player's page shows. Older requests are shown only while
/// they are waiting.
const MOST_SHOWN: usize = 12;
/// The number of waiting requests from one player at which no further orders from that player are
/// accepted.
const MOST_WAITING: usize = 20;

/// The players' requests, and the pending question for dice.
#[derive(Debug)]
pub(super) struct Letterbox {
    /// The stored requests; `None` if players may not send any.
    queue: Option<RequestQueue>,
    /// The lock that is held while players may send requests.
    _lock: Option<QueueLock>,
    decisions: DecisionReader,
    question: Option<DiceQuestion>,
    /// The numbers of the pending question and of all questions asked since the journal last grew.
    /// The command that asked them may not have ended yet.
    asked: Vec<u64>,
    budgets: BTreeMap<String, Budget>,
    stage: ReadyStage,
}

/// The turn and phase to which the players' `ready` marks apply.
#[derive(Debug)]
struct ReadyStage {
    turn: i64,
    phase: Option<String>,
    /// The time when the screen noticed the beginning of the phase, in milliseconds since 1970. It
    /// is 0 if the screen was started in the middle of the phase. All marks of this turn then
    /// count.
    since: u64,
}

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestState<'r> {
    Waiting,
    Accepted,
    /// Sent back, with the reason.
    SentBack(&'r str),
    /// Dice for a question that was answered in another way.
    NotNeeded,
}

impl RequestState<'_> {
    /// Returns the name that pages show for this state.
    fn name(self) -> &'static str {
        match self {
            RequestState::Waiting => "waiting",
            RequestState::Accepted => "accepted",
            RequestState::SentBack(_) => "sent back",
            RequestState::NotNeeded => "not needed",
        }
    }
}

/// A player's budget: the number of requests that the player may still send at once, and the time
/// of the last refill.
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

/// A request as its player's page shows it.
#[derive(Debug, Serialize)]
struct ShownRequest<'r> {
    id: &'r str,
    kind: &'r RequestKind,
    state: &'static str,
    reason: &'r str,
}

/// A question for dice, as a player's page shows it.
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
    /// True if the player is ready in this phase.
    ready: bool,
    question: Option<ShownQuestion>,
    requests: Vec<ShownRequest<'r>>,
    /// The names of the player's pieces.
    pieces: Vec<String>,
}

/// The HTTP status and the message for a request that was not accepted.
pub(super) type Refusal = (StatusCode, String);

impl Letterbox {
    /// Opens the letterbox of the session in a folder. If `requests` is false, players can't send
    /// anything. Otherwise, fails if another screen is taking their requests, or the disk reports
    /// an error.
    pub(super) fn open(
        folder: &Path,
        requests: bool,
        session: &Session,
    ) -> Result<Letterbox, QueueError> {
        let lock = if requests { Some(QueueLock::take(folder)?) } else { None };
        let queue = if requests { Some(RequestQueue::open(folder)?) } else { None };
        let stage = ReadyStage {
            turn: session.referee().turn_number(session.table()),
            phase: session.phase(),
            since: 0,
        };
        Ok(Letterbox {
            queue,
            _lock: lock,
            decisions: DecisionReader::of(folder),
            question: None,
            asked: Vec::new(),
            budgets: BTreeMap::new(),
            stage,
        })
    }

    /// Notes that the journal has grown: earlier questions have ended, and a new phase may have
    /// begun. `at` is the time in milliseconds since 1970.
    pub(super) fn follow(&mut self, session: &Session, at: u64) {
        let current = self.question.as_ref().map(|question| question.id);
        self.asked.retain(|asked| Some(*asked) == current);
        let turn = session.referee().turn_number(session.table());
        let phase = session.phase();
        if (self.stage.turn, &self.stage.phase) != (turn, &phase) {
            self.stage = ReadyStage { turn, phase, since: at };
        }
    }

    /// Reads the decisions of the umpire. Returns true if there are new ones.
    pub(super) fn catch_up(&mut self) -> bool {
        self.decisions.catch_up()
    }

    /// Returns true if players may send requests.
    pub(super) fn is_open(&self) -> bool {
        self.queue.is_some()
    }

    /// Sets the pending question for dice, which is given as JSON; any other text means no
    /// question. Returns true if the question changed.
    pub(super) fn set_question(&mut self, question: &str) -> bool {
        let question: Option<DiceQuestion> = serde_json::from_str(question).ok();
        self.asked.extend(question.as_ref().map(|question| question.id));
        std::mem::replace(&mut self.question, question.clone()) != question
    }

    /// Returns the pending question for dice, if this player may answer it.
    fn question_for(&self, player: &Player) -> Option<&DiceQuestion> {
        let concerns = |question: &&DiceQuestion| {
            let whose = question.whose.as_str();
            whose.is_empty() || whose == player.name || player.side.as_deref() == Some(whose)
        };
        self.question.as_ref().filter(|_| self.is_open()).filter(concerns)
    }

    /// Checks that a player may send a request now, and deducts it from the player's budget.
    ///
    /// # Errors
    /// Fails if no player may send requests, or this player has sent too many.
    pub(super) fn admit(&mut self, player: &Player) -> Result<(), Refusal> {
        if !self.is_open() {
            let words = "the umpire isn't accepting requests".to_owned();
            // A page that gets this answer stores the request until requests are allowed again.
            return Err((StatusCode::SERVICE_UNAVAILABLE, words));
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
            None => Err((
                StatusCode::TOO_MANY_REQUESTS,
                "too many requests at once; try again later".to_owned(),
            )),
        }
    }

    /// Stores a player's request. `at` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// Fails with an answer for the page. After a disk error, the request may have been stored anyway; the page can send it again.
    pub(super) fn take(
        &mut self,
        session: &Session,
        player: &Player,
        body: &[u8],
        at: u64,
    ) -> Result<(), Refusal> {
        let malformed = |words: &str| (StatusCode::BAD_REQUEST, words.to_owned());
        let letter: Letter =
            serde_json::from_slice(body).map_err(|_| malformed("expected a request"))?;
        if !is_id(&letter.id) {
            return Err(malformed("this is not the id of a request"));
        }
        let kind = letter.kind.cleaned().map_err(malformed)?;
        let question = self.question_for(player).cloned();
        let turn = session.referee().turn_number(session.table());
        let request = Request { id: letter.id, player: player.name.clone(), at, turn, kind };
        let waiting = self.waiting_count(session, &player.name);
        let Some(queue) = &mut self.queue else {
            return Err((StatusCode::FORBIDDEN, "the umpire isn't accepting requests".to_owned()));
        };
        let is_known = queue.get(&request.id).is_some();
        match &request.kind {
            // A page that didn't get the answer sends the request again.
            _ if is_known => {}
            RequestKind::Faces { question: asked, faces } => {
                let fit = question.is_some_and(|question| {
                    question.id == *asked
                        && question.count as usize <= faces.len()
                        && faces.iter().all(|face| *face <= question.sides)
                });
                if !fit {
                    let words = "these dice are no longer asked for".to_owned();
                    return Err((StatusCode::CONFLICT, words));
                }
            }
            RequestKind::Orders(_) if waiting >= MOST_WAITING => {
                let words =
                    format!("{MOST_WAITING} of your requests are already waiting for the umpire");
                return Err((StatusCode::CONFLICT, words));
            }
            RequestKind::Orders(_) | RequestKind::Ready { .. } => {}
        }
        queue.add(request).map_err(|error| {
            let status = match error {
                QueueError::OtherContent => StatusCode::CONFLICT,
                QueueError::Full => StatusCode::FORBIDDEN,
                QueueError::Busy | QueueError::Disk(_) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, error.to_string())
        })
    }

    /// Returns a player's requests, the oldest first.
    fn of_player<'l>(&'l self, player: &'l str) -> impl DoubleEndedIterator<Item = &'l Request> {
        self.queue.iter().flat_map(move |queue| queue.of_player(player))
    }

    /// Returns the number of a player's requests that are waiting for the umpire; `ready` marks
    /// don't count.
    fn waiting_count(&self, session: &Session, player: &str) -> usize {
        let taken = taken_ids(session);
        let wishes = self.of_player(player).filter(|request| !is_mark(request));
        wishes.filter(|request| self.state_of(request, &taken) == RequestState::Waiting).count()
    }

    /// Returns the state of a request. `taken` holds the ids of the requests that are in the
    /// journal.
    fn state_of(&self, request: &Request, taken: &BTreeSet<&str>) -> RequestState<'_> {
        if taken.contains(request.id.as_str()) {
            return RequestState::Accepted;
        }
        if let Some(decision) = self.decisions.get(&request.id) {
            return RequestState::SentBack(&decision.reason);
        }
        match request.kind {
            RequestKind::Faces { question, .. } if !self.asked.contains(&question) => {
                RequestState::NotNeeded
            }
            RequestKind::Orders(_) | RequestKind::Faces { .. } | RequestKind::Ready { .. } => {
                RequestState::Waiting
            }
        }
    }

    /// Returns true if a player is ready in this phase.
    fn is_ready(&self, player: &str) -> bool {
        let mut marks = self
            .of_player(player)
            .rev()
            .filter(|request| request.turn == self.stage.turn && request.at >= self.stage.since);
        let last = marks.find_map(|request| match request.kind {
            RequestKind::Ready { ready } => Some(ready),
            RequestKind::Orders(_) | RequestKind::Faces { .. } => None,
        });
        last.unwrap_or(false)
    }

    /// Returns the part of a player's page that concerns requests, as JSON. It depends on nothing
    /// that other players have sent.
    pub(super) fn own_state(&self, session: &Session, player: &Player) -> String {
        let taken = taken_ids(session);
        let wishes = self.of_player(&player.name).rev().filter(|request| !is_mark(request));
        let mut shown: Vec<ShownRequest<'_>> = Vec::new();
        for (index, request) in wishes.enumerate() {
            let state = self.state_of(request, &taken);
            // The umpire decides on the oldest request first, so its player must see it.
            if index >= MOST_SHOWN && state != RequestState::Waiting {
                continue;
            }
            let reason = match state {
                RequestState::SentBack(reason) => reason,
                RequestState::Waiting | RequestState::Accepted | RequestState::NotNeeded => "",
            };
            shown.push(ShownRequest {
                id: &request.id,
                kind: &request.kind,
                state: state.name(),
                reason,
            });
        }
        shown.reverse();
        let state = OwnState {
            open: self.is_open(),
            ready: self.is_ready(&player.name),
            question: self.question_for(player).map(|question| ShownQuestion {
                id: question.id,
                asked: question.asked.clone(),
                count: question.count,
                sides: question.sides,
            }),
            requests: shown,
            pieces: session.referee().pieces_of_player(session.table(), player),
        };
        serde_json::to_string(&state).unwrap_or_default()
    }
}

/// Returns the ids of the requests that were carried out.
fn taken_ids(session: &Session) -> BTreeSet<&str> {
    session.taken_requests().map(|request| request.id.as_str()).collect()
}

/// Returns true for a request that only marks a player as ready or not ready. The umpire doesn't
/// have to decide on it.
fn is_mark(request: &Request) -> bool {
    matches!(request.kind, RequestKind::Ready { .. })
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
