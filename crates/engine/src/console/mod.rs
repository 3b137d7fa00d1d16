//! The console: a game played line by line, without input or output.
//!
//! [`Console::line`] takes a line as the umpire types it and returns a [`Step`]: a question, a
//! record to be stored, a reply to be shown, an effect that only the program can carry out, or the
//! end of the line. The program does what the step asks for and calls [`Console::respond`], until
//! the line is done. A keyboard, a pipe, a web page and a chat therefore play the same game, and
//! none of them contains any word of the console.
//!
//! Each word of the console has a file in `words` with everything about it: its usage, its help,
//! its completion, and its function. The module `dispatch` finds the word of a line. The module
//! `act` carries out a verb of the game, and uses `resolve` and `ask` for missing answers and dice.
//! The caller passes in the time with each call.
//!
//! ```
//! use adjutant_engine::console::{Console, Desk, Response, Step};
//! # use adjutant_dice::Seed;
//! # use adjutant_engine::{referee::Referee, ruleset::{self, FileText}, session::{Beginning, Session}};
//! # let text = r#"
//! # [game]
//! # title = "Duel"
//! # [kind.man]
//! # hits = { from = 0, to = 3 }
//! # [[phase]]
//! # name = "fight"
//! # [scenario.duel]
//! # pieces.man = { ann = {} }
//! # "#.to_owned();
//! # let files = [FileText { name: "duel.toml".into(), text, scenario: None }];
//! # let ruleset = ruleset::load(files.to_vec()).map_err(|_| "faults")?;
//! # let scenario = ruleset.scenarios[0].clone();
//! # let referee = Referee::new(std::sync::Arc::new(ruleset));
//! # let (session, _) = Session::begin(referee, Beginning {
//! #     game: "duel", files: &files, shipped: |_| None, scenario: &scenario,
//! #     seed: Seed::from_text("candle"), seed_text: None, at: 0,
//! # })?;
//! let mut journal = session.journal();
//! let mut console = Console::new(session, Desk::default());
//! let mut shown = String::new();
//! let mut step = console.line("roll 2d6", 1_000);
//! loop {
//!     let response = match step {
//!         Step::Store(record) => {
//!             journal.extend(record);
//!             Response::Stored(Ok(()))
//!         }
//!         Step::Show(reply) => {
//!             shown += &reply.text.plain(80);
//!             Response::Shown
//!         }
//!         Step::Ask(_) => Response::Cancelled,
//!         Step::Effect(_) => Response::End,
//!         Step::Done(_) => break,
//!     };
//!     step = console.respond(response, 2_000);
//! }
//! assert!(shown.contains("2d6"), "{shown}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ability_questions;
mod act;
mod acted;
mod agreed_odds;
mod answers;
mod ask;
mod attribute_lists;
mod automatic_rules;
mod claims;
mod clock;
mod closing;
mod company;
mod complete;
mod confirm;
mod corrections;
mod dispatch;
mod earlier_commands;
mod ellipsis;
mod everyone;
mod game_statements;
mod labelled_rolls;
mod last_result;
mod later_parts;
mod left_out_words;
mod likely_lines;
mod longer_answers;
mod lookups;
mod losses;
mod missing_names;
mod missing_parts;
mod nearest_answers;
mod notes;
mod phrases;
mod play;
mod progress_phrases;
mod pronouns;
mod proposals;
mod purpose;
mod question_forms;
mod question_words;
mod questions;
mod recent_results;
mod remaining;
mod reply;
mod reported_dice;
mod requests;
mod resolve;
mod reversals;
mod rule_library;
mod rule_search;
mod rulings;
mod said_states;
mod same_again;
mod sentences;
mod shorthand;
mod skipped_phases;
mod speakers;
mod standings;
mod state_words;
mod step;
mod suggest;
#[cfg(test)]
mod tests;
mod text_index;
mod topics;
mod tour;
mod untracked_moves;
mod value_questions;
mod verb_relevance;
mod why_questions;
mod wish;
mod words;

use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use self::play::Play;
use self::step::Channel;
use self::tour::Tour;
use crate::command::Completion;
use crate::referee::Referee;
use crate::render::json::CommandAnswer;
use crate::render::markup::Text;
use crate::session::{Entry, Session};
use crate::tabletop::{Tabletop, TourLine};

pub use crate::language::machine::StopHandle;
pub use play::Desk;
pub use reply::{Failure, FailureAnswer, Reply};
pub use requests::TAKE_LINE;
pub use step::{
    Effect, EffectFault, Flow, HandDice, PageWatchers, Prompt, Response, ScreenFacts, ScreenReport,
    ScreenRequest, SessionCopy, Step, StorageFault,
};
pub use suggest::{Suggestion, Suggestions};
pub use wish::{PlayerWish, WaitingRequest, WrittenOrders};
pub use words::{answers, hides_verb, is_word, words, words_for_play};

/// A line that is being carried out. The line owns the game until it is done.
type LineFuture = Pin<Box<dyn Future<Output = (Box<Play>, Result<Flow, Failure>)> + Send>>;

/// A game played line by line.
pub struct Console {
    /// The game; `None` in the middle of a line.
    play: Option<Box<Play>>,
    /// The line that is waiting for a response.
    line: Option<LineFuture>,
    host: Channel,
    stop: StopHandle,
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("play", &self.play).finish_non_exhaustive()
    }
}

/// Returns the completions of the word before `cursor`, a byte offset in the line.
pub fn complete(referee: &Referee, table: &Tabletop, line: &str, cursor: usize) -> Completion {
    complete::complete(words::WORDS, referee, table, line, cursor)
}

/// Returns the part of the usage that may follow a line that ends in a space. Returns `None` if the
/// line is empty or ends in no space, if nothing may follow, or if the usage isn't known.
pub fn hint(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    complete::hint(words::WORDS, referee, table, line)
}

/// Returns the completions of the word before `cursor` that would be accepted now, each with a
/// description. For a line that insists, refusals are ignored.
pub fn suggest(referee: &Referee, table: &Tabletop, line: &str, cursor: usize) -> Suggestions {
    suggest::suggest(words::WORDS, referee, table, line, cursor)
}

/// Returns the byte range of the first word that can't be right in a line, if there is one. The
/// word that ends at `cursor` is exempt if more letters could still make it right.
pub fn unknown_word(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    cursor: usize,
) -> Option<Range<usize>> {
    suggest::unknown_word(words::WORDS, referee, table, line, cursor)
}

/// Returns true if a complete line could be carried out now. For a word of the console, only the
/// number of words is checked.
pub fn would_be_accepted(referee: &Referee, table: &Tabletop, line: &str) -> bool {
    suggest::would_be_accepted(words::WORDS, referee, table, line)
}

impl Console {
    /// Returns a console for a session that has been started or resumed. The current content of the
    /// session must already be stored, unless the session is never stored.
    pub fn new(session: Session, desk: Desk) -> Console {
        let host = Channel::default();
        let stop = session.stop_handle().clone();
        let play = Play::new(session, desk, words::WORDS, host.clone(), stop.clone());
        Console { play: Some(Box::new(play)), line: None, host, stop }
    }

    /// Begins to carry out a line, and returns its first step. `at` is the time in milliseconds
    /// since 1970. In the middle of a line, `line` is the answer to the last question.
    pub fn line(&mut self, line: &str, at: u64) -> Step {
        let Some(mut play) = self.play.take() else { return self.answer(line, at) };
        // A stop between two lines applies to neither of them.
        self.stop.take();
        self.host.set_time(at);
        // A request that an earlier line did not carry out is still waiting.
        self.host.taken_requests();
        let line = line.to_owned();
        self.line = Some(Box::pin(async move {
            let done = dispatch::carry_out_line(&mut play, &line).await;
            (play, done)
        }));
        self.run_to_next_step()
    }

    /// Answers the last question. Returns a failure if there is no question.
    pub fn answer(&mut self, answer: &str, at: u64) -> Step {
        self.respond(Response::Answer(answer.to_owned()), at)
    }

    /// Responds to the last step. Returns a failure if no step is waiting.
    pub fn respond(&mut self, response: Response, at: u64) -> Step {
        // A response that no step is waiting for must not answer a later question.
        if self.line.is_some() {
            self.host.respond(response, at);
        }
        self.run_to_next_step()
    }

    /// Leaves the game at the end of the input, as `quit` does: if the game is not saved, the
    /// umpire is asked first. In the middle of a line, responds to its last step with
    /// [`Response::End`].
    pub fn end(&mut self, at: u64) -> Step {
        match &self.play {
            None => self.respond(Response::End, at),
            Some(play) if play.is_interactive => self.line("quit", at),
            Some(_) => Step::Done(Ok(Flow::Leave)),
        }
    }

    /// Runs the line until it needs something or is done.
    fn run_to_next_step(&mut self) -> Step {
        let Some(line) = &mut self.line else {
            return Step::Done(Err(Failure::of("there is no question to answer")));
        };
        match line.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready((play, done)) => {
                self.line = None;
                self.play = Some(play);
                Step::Done(done)
            }
            Poll::Pending => match self.host.next_request() {
                Some(step) => step,
                // The line still waits for the response to its last request.
                None => Step::Done(Err(Failure::of("a response is expected"))),
            },
        }
    }

    /// Returns a handle that stops the console: it stops a rule, odds or an amendment at once, and
    /// a `next` through several phases after the current one. The line then makes no further
    /// changes.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Returns the session; `None` in the middle of a line.
    pub fn session(&self) -> Option<&Session> {
        self.play.as_ref().map(|play| &play.session)
    }

    /// Returns the session and drops the console; `None` in the middle of a line.
    pub fn into_session(self) -> Option<Session> {
        self.play.map(|play| play.session)
    }

    /// Sets the width in columns for later replies. Does nothing in the middle of a line.
    pub fn set_width(&mut self, width: usize) {
        if let Some(play) = &mut self.play {
            play.width = width;
        }
    }

    /// Sets the lines of a guided turn. The next one is shown before each prompt. Does nothing in
    /// the middle of a line.
    pub fn set_tour(&mut self, lines: &[TourLine]) {
        if let Some(play) = &mut self.play {
            play.tour = Tour::of(lines);
        }
    }

    /// Returns the text in front of the prompt: the next line of the guided turn, if there is one.
    pub fn guidance(&self) -> Text {
        self.play.as_ref().map_or_else(Text::new, |play| play.tour.next())
    }

    /// Returns the prompt for a line: the game, the turn and phase, the side to move, the clock,
    /// and a remark if nothing is saved. It is empty in the middle of a line, because the question
    /// has its own prompt.
    pub fn prompt(&self, at: u64) -> String {
        self.play.as_ref().map_or_else(String::new, |play| play.prompt(at))
    }

    /// Returns true if records are stored. It is false for a game in memory, and once the umpire
    /// has chosen to continue in memory because the disk failed. In the middle of a line, it is
    /// always true.
    pub fn is_saved(&self) -> bool {
        self.play.as_ref().is_none_or(|play| !play.unsaved)
    }

    /// Returns the clock for the players' screen: `clock LIMIT USED` in milliseconds, or
    /// `clock off` if there is no clock or a line is being carried out.
    pub fn clock(&self, at: u64) -> String {
        let clock = self.play.as_ref().and_then(|play| play.clock.as_ref());
        clock.map_or("clock off".to_owned(), |clock| clock.for_screen(at))
    }

    /// Returns the milliseconds until the time of the current move is up, and the line that reports
    /// it; `None` if there is no clock, if this has been reported, or if a line is being carried
    /// out.
    pub fn clock_alarm(&self, at: u64) -> Option<(u64, String)> {
        self.play.as_ref()?.clock.as_ref()?.alarm(at)
    }

    /// Records that the umpire knows the time is up.
    pub fn silence_clock(&mut self) {
        if let Some(clock) = self.play.as_mut().and_then(|play| play.clock.as_mut()) {
            clock.silence();
        }
    }

    /// Returns a failure as text, which is empty in the middle of a line. `line` is the line that
    /// was typed.
    pub fn failure(&self, failure: &Failure, line: &str) -> Text {
        self.play.as_ref().map_or_else(Text::new, |play| play.failure(failure, line))
    }

    /// Returns a command and its outcome for machines; `None` in the middle of a line.
    pub fn entry_data(&self, entry: &Entry) -> Option<CommandAnswer> {
        self.play.as_ref().map(|play| play.entry_data(entry))
    }
}
