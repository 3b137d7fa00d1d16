//! Steps: the console's requests to the program around it, and the channel through which a word
//! waits for the response.
//!
//! The words of the console are asynchronous functions. A word that needs an answer or a stored
//! record awaits it. The console then returns the step to the program, and continues when the
//! program responds. There is no executor and no thread: responding polls the only future.

use std::fmt::Display;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reply::{Failure, Reply};
use super::wish::WaitingRequest;
use crate::render::markup::Text;
use crate::ruleset::FileText;
use crate::session::{Session, TakenRequest};

/// The next thing that a console needs, or the end of the line.
#[derive(Clone, Debug)]
pub enum Step {
    /// Ask the umpire; respond with [`Response::Answer`], [`Response::Cancelled`] or
    /// [`Response::End`].
    Ask(Prompt),
    /// Append these bytes to the journal, so that they survive a power cut; respond with
    /// [`Response::Stored`].
    Store(Vec<u8>),
    /// Show this reply; respond with [`Response::Shown`].
    Show(Reply),
    /// Carry out this effect; the variants of [`Effect`] list the responses.
    Effect(Effect),
    /// The line is finished. After a failure, nothing has changed, unless a reply before it reports
    /// a change.
    Done(Result<Flow, Failure>),
}

/// An effect that only the program around the console can carry out.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Write a file for the umpire; respond with [`Response::Written`].
    WriteFile {
        /// The path as typed.
        path: String,
        /// The content of the file.
        bytes: Vec<u8>,
        /// True if any file may be replaced. Otherwise only a file that the program wrote earlier
        /// may be replaced; respond with [`EffectFault::foreign_file`] if another file exists
        /// there.
        replace: bool,
    },
    /// Save the session under a name; respond with [`Response::Saved`].
    Save {
        /// The new name.
        name: String,
        /// Everything to save, if nothing is saved yet. Otherwise the saved session is renamed.
        copy: Option<SessionCopy>,
    },
    /// Read the files of the game again; respond with [`Response::Files`].
    Reread {
        /// The game that was chosen: the name of a shipped game, or a path.
        game: String,
    },
    /// Control the players' screen; respond with [`Response::Screen`].
    Screen(ScreenRequest),
    /// List the players' waiting requests, oldest first; respond with [`Response::Requests`].
    ListRequests,
    /// Send a request back to its player; respond with [`Response::SentBack`].
    SendBack {
        /// The id of the request.
        id: String,
        /// The reason, for the player.
        reason: String,
    },
}

/// A session as it is stored: the files of its ruleset and its journal.
#[derive(Clone, Debug)]
pub struct SessionCopy {
    /// The paths of the files within the session, and their texts.
    pub files: Vec<(String, String)>,
    /// The journal, byte for byte as it is stored.
    pub journal: Vec<u8>,
}

impl SessionCopy {
    /// Returns a copy of a session.
    pub fn of(session: &Session) -> SessionCopy {
        let files = session.files().map(|(path, text)| (path.to_owned(), text.to_owned()));
        SessionCopy { files: files.collect(), journal: session.journal() }
    }
}

/// A request to the players' screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenRequest {
    /// Start the screen unless it is running, and report who is watching. With `lan`, the screen is
    /// open to the local network.
    Start {
        /// True if others on the network may watch.
        lan: bool,
    },
    /// Show modifiers and odds, but no dice.
    Hold,
    /// Show the dice again.
    Release,
    /// Give a new key to the page of this side or player, or to the page for everyone if it is
    /// `all`.
    NewKey(String),
    /// Report the address of a side's or a player's page.
    Address(String),
    /// Allow or forbid requests from the players' pages. Start the screen for the network if
    /// necessary.
    Requests(bool),
    /// Stop the screen.
    Off,
}

/// The report of the players' screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScreenReport {
    /// The answer for people, line by line.
    pub lines: Vec<String>,
    /// The answer for machines.
    pub data: ScreenFacts,
}

/// The report of the players' screen for machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ScreenFacts {
    /// The addresses of a page.
    Addresses {
        /// The addresses at which the page can be opened.
        addresses: Vec<String>,
    },
    /// The pages that are open.
    Watchers {
        /// The open pages, and who is watching them.
        looking: Vec<PageWatchers>,
    },
    /// No data beyond the text for people.
    #[default]
    Nothing,
}

/// A page of the players' screen, and who is watching it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageWatchers {
    /// The viewer whose page it is: `players`, a side or a player.
    pub viewer: String,
    /// The title of the page.
    pub page: String,
    /// The addresses of those who are watching; `this machine` for this one.
    pub from: Vec<String>,
}

/// The response of the program to a step.
#[derive(Clone, Debug)]
pub enum Response {
    /// The umpire's answer, as typed.
    Answer(String),
    /// The umpire cancels the command.
    Cancelled,
    /// There will be no answer, because the input has ended.
    End,
    /// Success if the record was stored; otherwise, the reason why it wasn't.
    Stored(Result<(), StorageFault>),
    /// A reply was shown.
    Shown,
    /// Success if the file was written; otherwise, the reason why it wasn't.
    Written(Result<(), EffectFault>),
    /// The folder of the saved session, for messages, or the reason why the session wasn't saved.
    Saved(Result<String, EffectFault>),
    /// The files of the game, or the reason why they can't be read.
    Files(Result<Vec<FileText>, EffectFault>),
    /// The report of the screen, or the reason why there is none. `None` if the screen wasn't
    /// running.
    Screen(Result<Option<ScreenReport>, EffectFault>),
    /// The players' waiting requests, oldest first.
    Requests(Vec<WaitingRequest>),
    /// Success if the request was sent back; otherwise, the reason why it wasn't.
    SentBack(Result<(), EffectFault>),
}

/// The reason why a record could not be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StorageFault {
    /// The reason, in one sentence.
    pub message: String,
    /// True if play can continue in memory.
    pub can_go_on: bool,
    /// True if it is unknown whether the record was stored.
    pub is_unsure: bool,
}

/// The reason why the program didn't carry out an effect, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct EffectFault {
    reason: String,
    is_foreign_file: bool,
}

impl EffectFault {
    /// Returns a fault with this reason.
    pub fn of(reason: impl Display) -> EffectFault {
        EffectFault { reason: reason.to_string(), is_foreign_file: false }
    }

    /// Returns the fault for a file that may not be replaced without asking.
    pub fn foreign_file() -> EffectFault {
        let reason = "a different file with this name exists".to_owned();
        EffectFault { reason, is_foreign_file: true }
    }

    /// Returns true if there is a file that may not be replaced without asking.
    pub(super) fn is_foreign_file(&self) -> bool {
        self.is_foreign_file
    }
}

/// A question to the umpire in the middle of a line.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// The question, in a few words.
    pub asked: String,
    /// Text to show before the question.
    pub text: Text,
    /// The names that can be answers; empty if the answer isn't a name.
    pub options: Vec<String>,
    /// The prompt for the answer.
    pub prompt: String,
    /// The number of dice to roll and their number of sides; `None` if the prompt doesn't ask for
    /// dice.
    pub dice: Option<(u32, u32)>,
    /// The dice that players are asked to roll; `None` if the prompt doesn't ask for dice, or if
    /// players may not know about them.
    pub hand_dice: Option<HandDice>,
    /// True if the prompt repeats the last question: after a lookup, an error, or a player's dice.
    pub is_repeated: bool,
    /// The beginning of the answer, which the umpire can edit.
    pub initial: String,
}

/// Real dice that players roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandDice {
    /// The player or the side that rolls; empty for anybody.
    pub whose: String,
    /// The number of sides of each die. For dice that are halved, it is twice the number in the
    /// rules.
    pub sides: u32,
}

/// The next step after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Take the next line.
    On,
    /// Leave the game.
    Leave,
}

/// The slot where a word puts its request and finds the response.
#[derive(Clone, Debug, Default)]
pub(super) struct Channel(Arc<Mutex<Exchange>>);

#[derive(Debug, Default)]
struct Exchange {
    request: Option<Step>,
    response: Option<Response>,
    /// The time of the line or of the last response to it, in milliseconds since 1970.
    time: u64,
    /// The players' requests that the current line carries out.
    taken: Vec<TakenRequest>,
}

impl Channel {
    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes out the request that was made last. Returns `None` if it has already been taken out.
    pub(super) fn next_request(&self) -> Option<Step> {
        self.exchange().request.take()
    }

    /// Stores the response to the request, and the time at which it was given.
    pub(super) fn respond(&self, response: Response, at: u64) {
        let mut exchange = self.exchange();
        exchange.response = Some(response);
        exchange.time = at;
    }

    /// Sets the current time, in milliseconds since 1970.
    pub(super) fn set_time(&self, time: u64) {
        self.exchange().time = time;
    }

    /// Returns the time of the line or of the last response to it, in milliseconds since 1970.
    pub(super) fn time(&self) -> u64 {
        self.exchange().time
    }

    /// Marks a player's request as carried out by the current line.
    pub(super) fn take_request(&self, request: TakenRequest) {
        self.exchange().taken.push(request);
    }

    /// Returns the number of players' requests that the current line has carried out so far.
    pub(super) fn taken_count(&self) -> usize {
        self.exchange().taken.len()
    }

    /// Forgets all but the first `count` requests that the current line has carried out.
    pub(super) fn keep_taken(&self, count: usize) {
        self.exchange().taken.truncate(count);
    }

    /// Returns the players' requests that the current line carries out, and forgets them.
    pub(super) fn taken_requests(&self) -> Vec<TakenRequest> {
        std::mem::take(&mut self.exchange().taken)
    }

    /// Makes a request and waits for the response.
    async fn request(&self, step: Step) -> Response {
        self.exchange().request = Some(step);
        poll_fn(|_| match self.exchange().response.take() {
            Some(response) => Poll::Ready(response),
            None => Poll::Pending,
        })
        .await
    }

    /// Shows a reply.
    pub(super) async fn show(&self, reply: Reply) {
        self.request(Step::Show(reply)).await;
    }

    /// Asks the umpire, and returns the line that was typed. Fails if the umpire cancels, or if the
    /// input has ended.
    pub(super) async fn ask(&self, prompt: Prompt) -> Result<String, Failure> {
        let asked = prompt.asked.clone();
        match self.request(Step::Ask(prompt)).await {
            Response::Answer(line) => Ok(line),
            Response::Cancelled => Err(Failure::Cancelled),
            _ => Err(Failure::End(asked)),
        }
    }

    /// Stores lines of the journal.
    pub(super) async fn store(&self, lines: Vec<u8>) -> Result<(), StorageFault> {
        match self.request(Step::Store(lines)).await {
            Response::Stored(stored) => stored,
            _ => Err(StorageFault {
                message: "the program didn't report whether the record was stored".to_owned(),
                can_go_on: false,
                is_unsure: true,
            }),
        }
    }

    /// Writes a file for the umpire.
    pub(super) async fn write_file(
        &self,
        path: String,
        bytes: Vec<u8>,
        replace: bool,
    ) -> Result<(), EffectFault> {
        match self.request(Step::Effect(Effect::WriteFile { path, bytes, replace })).await {
            Response::Written(written) => written,
            _ => Err(wrong_response()),
        }
    }

    /// Saves the session. Returns its folder, for messages.
    pub(super) async fn save(
        &self,
        name: String,
        copy: Option<SessionCopy>,
    ) -> Result<String, EffectFault> {
        match self.request(Step::Effect(Effect::Save { name, copy })).await {
            Response::Saved(saved) => saved,
            _ => Err(wrong_response()),
        }
    }

    /// Reads the files of the game again.
    pub(super) async fn reread(&self, game: String) -> Result<Vec<FileText>, EffectFault> {
        match self.request(Step::Effect(Effect::Reread { game })).await {
            Response::Files(files) => files,
            _ => Err(wrong_response()),
        }
    }

    /// Sends a request to the players' screen.
    pub(super) async fn screen(
        &self,
        request: ScreenRequest,
    ) -> Result<Option<ScreenReport>, EffectFault> {
        match self.request(Step::Effect(Effect::Screen(request))).await {
            Response::Screen(report) => report,
            _ => Err(wrong_response()),
        }
    }
}

impl Channel {
    /// Returns the players' waiting requests, oldest first.
    pub(super) async fn waiting_requests(&self) -> Vec<WaitingRequest> {
        match self.request(Step::Effect(Effect::ListRequests)).await {
            Response::Requests(waiting) => waiting,
            _ => Vec::new(),
        }
    }

    /// Sends a request back to its player.
    pub(super) async fn send_back(&self, id: String, reason: String) -> Result<(), EffectFault> {
        match self.request(Step::Effect(Effect::SendBack { id, reason })).await {
            Response::SentBack(done) => done,
            _ => Err(wrong_response()),
        }
    }
}

/// Returns the fault for a response that doesn't fit the effect.
fn wrong_response() -> EffectFault {
    EffectFault::of("this program can't do that")
}
