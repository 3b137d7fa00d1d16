//! The players' requests at the umpire's console: the ones that are waiting, and the announcements
//! of new ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_engine::console::{EffectFault, PlayerWish, WaitingRequest};
use adjutant_engine::session::{Session, TakenRequest};
use indexmap::IndexMap;

use crate::requests::{DecisionLog, Request, RequestKind, RequestReader, SentBack};

/// The requests of a session, shared by the game and the thread that announces them.
pub(super) type SharedRequests = Arc<Mutex<RequestDesk>>;

/// Returns the requests, even if a thread panicked while it held the lock.
pub(super) fn lock(requests: &SharedRequests) -> MutexGuard<'_, RequestDesk> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The requests of a session.
#[derive(Debug)]
pub(super) struct RequestDesk {
    folder: PathBuf,
    reader: RequestReader,
    /// All requests by id, the oldest first.
    all: IndexMap<String, Request>,
    /// The ids of the requests that were carried out or sent back.
    decided: BTreeSet<String>,
    /// The players of the game.
    players: BTreeSet<String>,
    /// The turn, the phase, and the time at which the console saw the phase begin, in milliseconds
    /// since 1970; 1 if it had begun before the program was started.
    stage: (i64, Option<String>, u64),
    /// The number of the pending question for dice.
    question: Option<u64>,
    /// The waiting requests, as they were last announced.
    announced: String,
    /// The largest number of ready players announced in this phase.
    announced_ready: usize,
}

impl RequestDesk {
    /// Returns the requests of the session in a folder.
    #[cfg(feature = "screen")]
    pub(super) fn shared(folder: &Path) -> SharedRequests {
        Arc::new(Mutex::new(RequestDesk::of(folder)))
    }

    #[cfg(any(feature = "screen", test))]
    fn of(folder: &Path) -> RequestDesk {
        RequestDesk {
            folder: folder.to_owned(),
            reader: RequestReader::of(folder),
            all: IndexMap::new(),
            decided: DecisionLog::read(folder).into_iter().map(|decision| decision.id).collect(),
            players: BTreeSet::new(),
            stage: (0, None, 0),
            question: None,
            announced: String::new(),
            announced_ready: 0,
        }
    }

    /// Sets the new path of the session's folder. The requests are read again from there, but known
    /// requests don't count as new.
    pub(super) fn set_folder(&mut self, folder: &Path) {
        self.folder = folder.to_owned();
        self.reader = RequestReader::of(folder);
    }

    /// Notes which requests the session has carried out, who the players are, and the beginning of
    /// a new phase. `at` is the time in milliseconds since 1970.
    pub(super) fn follow(&mut self, session: &Session, at: u64) {
        let (referee, table) = (session.referee(), session.table());
        self.players = referee.players(table).into_iter().map(|player| player.name).collect();
        self.decided.extend(session.taken_requests().map(|request| request.id.clone()));
        let turn = referee.turn_number(table);
        let phase = session.phase();
        if (self.stage.0, &self.stage.1) != (turn, &phase) {
            // If the program was started in the middle of a phase, all `ready` marks of this turn
            // count.
            let since = if self.stage.2 == 0 { 1 } else { at };
            self.stage = (turn, phase, since);
            self.announced_ready = 0;
        }
    }

    /// Sets the number of the pending question for dice; `None` if there is none.
    #[cfg(feature = "screen")]
    pub(super) fn set_question(&mut self, question: Option<u64>) {
        self.question = question;
    }

    /// Returns the number of the pending question for dice; `None` if there is none.
    #[cfg(feature = "screen")]
    pub(super) fn question(&self) -> Option<u64> {
        self.question
    }

    /// Reads the requests that have arrived.
    fn catch_up(&mut self) {
        for request in self.reader.catch_up() {
            // A file that replaced the first one may contain the same requests again.
            self.all.entry(request.id.clone()).or_insert(request);
        }
    }

    /// Returns the requests that are waiting, the oldest first.
    pub(super) fn waiting(&mut self) -> Vec<WaitingRequest> {
        self.catch_up();
        self.undecided().collect()
    }

    fn undecided(&self) -> impl Iterator<Item = WaitingRequest> + '_ {
        let waits = |request: &&Request| {
            !self.decided.contains(&request.id) && self.players.contains(&request.player)
        };
        self.all.values().filter(waits).filter_map(|request| {
            let wish = match &request.kind {
                RequestKind::Orders(orders) => PlayerWish::Orders(orders.clone()),
                // Dice for a question that was answered in another way are no longer needed.
                RequestKind::Faces { question, faces } => {
                    (self.question == Some(*question)).then(|| PlayerWish::Faces(faces.clone()))?
                }
                RequestKind::Ready { .. } => return None,
            };
            let (id, player) = (request.id.clone(), request.player.clone());
            Some(WaitingRequest { request: TakenRequest { id, player }, wish })
        })
    }

    /// Sends a request back to its player. `at` is the time in milliseconds since 1970. Fails if
    /// the decision can't be stored.
    pub(super) fn send_back(
        &mut self,
        id: String,
        reason: String,
        at: u64,
    ) -> Result<(), EffectFault> {
        let decision = SentBack { id: id.clone(), at, reason };
        DecisionLog::append(&self.folder, &decision).map_err(EffectFault::of)?;
        self.decided.insert(id);
        Ok(())
    }

    /// Returns the line that announces the waiting requests and the ready players, such as
    /// `horn: orders (2) · ready 3 of 6`. Returns `None` if there is nothing to announce, or if the
    /// waiting requests have not changed and no more players are ready than before in this phase,
    /// so that a player who keeps switching between ready and not ready doesn't fill the screen.
    pub(super) fn news(&mut self) -> Option<String> {
        self.catch_up();
        let waiting = self.waiting_in_words();
        let ready = self.ready().len();
        let is_new = waiting != self.announced || ready > self.announced_ready;
        self.announced.clone_from(&waiting);
        self.announced_ready = self.announced_ready.max(ready);
        let ready = (ready > 0).then(|| format!("ready {ready} of {}", self.players.len()));
        let parts = [(!waiting.is_empty()).then_some(waiting), ready];
        let line = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        (is_new && !line.is_empty()).then_some(line)
    }

    /// Returns the waiting requests of each player, in words.
    fn waiting_in_words(&self) -> String {
        let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for waiting in self.undecided() {
            let wish = match waiting.wish {
                PlayerWish::Orders(_) => "orders",
                PlayerWish::Faces(_) => "dice",
            };
            *counts.entry((waiting.request.player, wish)).or_default() += 1;
        }
        let waiting = counts.into_iter().map(|((player, wish), count)| match count {
            1 => format!("{player}: {wish}"),
            count => format!("{player}: {wish} ({count})"),
        });
        waiting.collect::<Vec<_>>().join(" · ")
    }

    /// Returns the players who are ready in this phase.
    fn ready(&self) -> BTreeSet<&str> {
        let mut ready = BTreeSet::new();
        for request in self.all.values() {
            let RequestKind::Ready { ready: is_ready } = request.kind else { continue };
            let player = request.player.as_str();
            let is_now = request.turn == self.stage.0 && request.at >= self.stage.2;
            if !is_now || !self.players.contains(player) {
                continue;
            }
            if is_ready {
                ready.insert(player);
            } else {
                ready.remove(player);
            }
        }
        ready
    }
}

#[cfg(test)]
mod tests;
