//! A program that embeds the library, as a web page or a chat would. It stores the game itself,
//! opens it from bytes for each line, receives the replies, and passes on questions instead of
//! waiting for answers. `cargo run --example host`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::console::{Console, Desk, Response, Step};
use adjutant_engine::referee::Referee;
use adjutant_engine::ruleset;
use adjutant_engine::session::{Beginning, JournalOrigin, Session, SessionError};

/// Named blobs, which could just as well be stored in a database or a browser.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Mutex<BTreeMap<String, Vec<u8>>>>);

impl Store {
    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the game in its last state.
    pub fn open(&self) -> Result<Session, SessionError> {
        let file = |name: &str| Ok(self.kept().get(name).cloned().unwrap_or_default());
        let origin = JournalOrigin { name: "journal", file: &file, shipped: shipped::files };
        Ok(Session::from_journal(origin, file("journal")?)?.opened.session)
    }

    /// Adds a record to the journal.
    fn append(&self, record: &[u8]) {
        self.kept().entry("journal".to_owned()).or_default().extend_from_slice(record);
    }
}

/// Begins a shipped game in an empty store.
pub fn begin(store: &Store, game: &str, seed: &str) -> Result<(), Box<dyn Error>> {
    let files = shipped::files(game).ok_or("there is no such game")?;
    let rules = ruleset::load(files.clone()).map_err(|_| "the rules have faults")?;
    let scenario = &rules.scenarios.first().cloned().ok_or("the game has no scenario")?;
    let beginning = Beginning {
        game,
        files: &files,
        shipped: shipped::files,
        scenario,
        seed: Seed::from_text(seed),
        seed_text: None,
        at: 0,
    };
    let (session, _) = Session::begin(Referee::new(Arc::new(rules)), beginning)?;
    let files = session.files().map(|(name, text)| (name.to_owned(), text.into()));
    store.kept().extend(files.chain([("journal".to_owned(), session.journal())]));
    Ok(())
}

/// Carries out a line. `given` holds the answers to its questions so far. Returns the reply, or
/// the next question.
pub fn line(store: &Store, line: &str, given: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut console = Console::new(store.open()?, Desk::default());
    let mut given = given.iter();
    let mut shown = String::new();
    let mut step = console.line(line, 0);
    loop {
        let response = match step {
            Step::Store(record) => {
                store.append(&record);
                Response::Stored(Ok(()))
            }
            Step::Show(reply) => {
                shown += &reply.text.plain(80);
                Response::Shown
            }
            Step::Ask(prompt) => match given.next() {
                Some(answer) => Response::Answer((*answer).to_owned()),
                None => return Ok(prompt.asked + "\n"),
            },
            // This program has no files and no screen.
            Step::Effect(_) => Response::End,
            Step::Done(Ok(_)) => return Ok(shown),
            Step::Done(Err(failure)) => return Err(failure.into()),
        };
        step = console.respond(response, 0);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = Store::default();
    begin(&store, "house-clearing", "hall")?;
    let shot = "fire keller at pike range 7";
    for (typed, given) in [("next", &[][..]), (shot, &[]), (shot, &["4"]), (shot, &[])] {
        let answer = line(&store, typed, given).unwrap_or_else(|error| error.to_string());
        writeln!(std::io::stdout(), "> {typed} {}\n{answer}", given.join(" "))?;
    }
    Ok(())
}
