//! A console driven step by step, as a program around the library does it, without the program's own loop.

use adjutant_engine::console::{
    Console, Desk, Effect, Failure, Flow, Prompt, Response, Step, StorageFault,
};
use adjutant_engine::session::Session;

/// Stores a record, or says why it can't.
pub type Store = Box<dyn FnMut(&[u8]) -> Result<(), StorageFault>>;
/// Answers what is asked.
pub type Answer = Box<dyn FnMut(&Prompt) -> Response>;

/// A console, and what it was told and showed.
pub struct Driver {
    pub console: Console,
    pub store: Store,
    pub answer: Answer,
    /// The replies since it was last taken.
    pub shown: String,
    /// The questions so far, each with its text.
    pub asked: Vec<String>,
    /// The milliseconds that each step takes.
    pub pace: u64,
    time: u64,
}

impl Driver {
    /// A console at a desk, with a disk on which everything can be stored, and nobody to answer.
    pub fn at(desk: Desk, session: Session) -> Driver {
        Driver {
            console: Console::new(session, desk),
            store: Box::new(|_| Ok(())),
            answer: Box::new(|_| Response::End),
            shown: String::new(),
            asked: Vec::new(),
            pace: 0,
            time: 0,
        }
    }

    /// A console at which an umpire answers every question with yes.
    pub fn with_willing_umpire(session: Session) -> Driver {
        let desk = Desk { is_interactive: true, ..Desk::default() };
        let mut driver = Driver::at(desk, session);
        driver.answer = Box::new(|_| Response::Answer("yes".to_owned()));
        driver
    }

    /// Types a line and does what its steps ask for.
    pub fn line(&mut self, line: &str) -> Result<Flow, Failure> {
        let mut step = self.console.line(line, self.time);
        loop {
            let response = match step {
                Step::Done(done) => return done,
                Step::Show(reply) => {
                    self.shown += &reply.text.plain(80);
                    Response::Shown
                }
                Step::Store(record) => Response::Stored((self.store)(&record)),
                Step::Ask(prompt) => {
                    self.asked.push(format!("{}{}", prompt.text.plain(80), prompt.prompt));
                    (self.answer)(&prompt)
                }
                Step::Effect(Effect::WriteFile { .. }) => Response::Written(Ok(())),
                Step::Effect(Effect::Save { name, .. }) => Response::Saved(Ok(name)),
                Step::Effect(Effect::ListRequests) => Response::Requests(Vec::new()),
                Step::Effect(
                    Effect::Reread { .. } | Effect::Screen(_) | Effect::SendBack { .. },
                ) => Response::End,
            };
            self.time += self.pace;
            step = self.console.respond(response, self.time);
        }
    }

    /// The session as it is.
    pub fn session(&self) -> &Session {
        self.console.session().unwrap()
    }
}
