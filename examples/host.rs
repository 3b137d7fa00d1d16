//! A program around the library, as a web page or a chat would be. It keeps the game itself, opens it from bytes for
//! each line, gets a document back, and hands questions on instead of waiting. `cargo run --example host`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::Referee;
use adjutant_engine::render::{self, Format};
use adjutant_engine::session::{Beginning, Found, Origin, Session, Storage, StoreError, read};
use adjutant_engine::{command, ruleset};

/// Bytes by name: they could as well be kept in a database or a browser.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Mutex<BTreeMap<String, Vec<u8>>>>);

impl Store {
    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the game as it was left.
    pub fn open(&self) -> Result<Session, StoreError> {
        let file = |name: &str| Ok(self.kept().get(name).cloned().unwrap_or_default());
        let origin = Origin { name: "journal", file: &file, shipped: shipped::files };
        Ok(Session::from_journal(origin, file("journal")?)?.opened.session)
    }
}

impl Storage for Store {
    fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        self.kept().entry("journal".to_owned()).or_default().extend_from_slice(line);
        Ok(())
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
        words: Vec::new(),
        at: 0,
    };
    let (session, _) = Session::begin(Referee::new(Arc::new(rules)), beginning)?;
    let files = session.files().map(|(name, text)| (name.to_owned(), text.into()));
    store.kept().extend(files.chain([("journal".to_owned(), session.journal())]));
    Ok(())
}

/// Carries out a line. `given` are the answers to its questions so far; returns what it brought about, or what it asks.
pub fn line(store: &Store, line: &str, given: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut session = store.open()?;
    session.keep_in(Box::new(store.clone()));
    let command = read(session.referee(), session.table(), line)?;
    let (mut found, mut given) = (Found::default(), given.iter());
    loop {
        let attempted = session.attempt(&command.verb, &command.action, command.insist, &found);
        match attempted.done {
            Ok(()) => {
                let entry = session.accept(line, attempted.outcome, 0)?;
                return Ok(render::entry(&session, &entry, 80).print(Format::Text, 80));
            }
            Err(Halt::Question(question)) => match given.next() {
                Some(answer) => found.answers.push(command::answer(&question, answer)?),
                None => return Ok(question.text + "\n"),
            },
            Err(halt) => return Err(halt.into()),
        }
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
