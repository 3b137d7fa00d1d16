//! A game under way: the table, everything done so far, the dice that come next, and the journal that keeps it.
//!
//! - A command is first attempted, which changes nothing, and then accepted: its record is on disk before
//!   [`Session::accept`] returns, so what was shown is never lost.
//! - Command `n` takes its dice from stream `n` of the seed. Only what was accepted uses a number up, and no
//!   number is used twice; undoing gives the old command no other dice.
//! - The journal is only ever added to. Undo, redo, amend and overrule are records in it.
//! - A session is resumed by making its recorded changes; no rule is run, so a newer program, and a ruleset
//!   changed on disk, find the game exactly where it was.
//!
//! - When the rules are read again in the middle of a game, every command keeps those it was played by.
//!
//! The parts, a file each: `names` and `record` (what stands in the journal), `journal` (its lines and their
//! checksums), `store` (the folder on disk), `load` (resuming), `board` and `carry` (the table, through every
//! ruleset), `history` and `steps` (undo and redo), `replay` (resolving a recorded command again), `amend`,
//! `overrule`, `reload`, `sides` (whose dice), `seal`, `verify`, `why`, `transcript`, `luck`, `pace`.
//!
//! No clock is read here: whoever calls hands in the time, which is kept beside the records and never takes part
//! in what is reproduced.

mod amend;
mod board;
mod carry;
mod history;
mod journal;
mod load;
mod luck;
mod names;
mod overrule;
mod pace;
mod record;
mod reload;
mod replay;
mod seal;
mod sides;
mod steps;
mod store;
mod transcript;
mod verify;
mod why;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::dice::{Seed, Seeded, Supplied};
use crate::language::machine::Halt;
use crate::referee::{Action, Answer, Dice, Inputs, Outcome, Referee};
use crate::ruleset::FileText;
use crate::tabletop::{Scenario, Tabletop};

pub use amend::{AmendError, Difference, Plan};
pub use board::Board;
pub use history::{Amendment, Entry, Step};
pub use journal::Damage;
pub use load::{Notice, Opened};
pub use luck::{Luck, LuckGroup, LuckKind, TOO_FEW};
pub use names::inventory;
pub use overrule::OverruleError;
pub use pace::{Pace, TurnPace, Wait};
pub use reload::{Became, PartChanged, ReloadError, Reloaded};
pub use replay::{Typed, read};
pub use seal::MAX_WORDS;
pub use store::{Keep, StoreError, Summary, check_session_name, free_name, list, summary};
pub use transcript::{Fate, Item, Transcript, script_of};
pub use verify::{Found as Verified, Mismatch};
pub use why::{Cause, Thread, Why};

use history::History;
use journal::Chain;
use record::{Body, CommandRecord, Record, StartRecord, VERSION, write_outcome};
use seal::Keys;
use store::Folder;

/// What was found out while a command was attempted: answers, and faces of real dice.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Answers to questions, in order.
    pub answers: Vec<Answer>,
    /// Faces rolled by hand, in order.
    pub faces: Vec<u32>,
    /// For a command that is amended: its real dice are told anew, and do not count as they fell.
    pub anew: bool,
}

/// Whose dice are thrown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealDice {
    /// All dice are real.
    pub all: bool,
    /// The dice of these verbs, and of the pieces of these sides, are real.
    pub of: BTreeSet<String>,
}

/// How a session begins.
#[derive(Clone, Debug)]
pub struct Beginning<'a> {
    /// The game as it was chosen: a shipped name or a path.
    pub game: &'a str,
    /// The files the ruleset was loaded from; they are kept with the session.
    pub files: &'a [FileText],
    /// What stands where.
    pub scenario: &'a Scenario,
    /// The secret all dice follow from.
    pub seed: Seed,
    /// The text the seed was made from, if it was.
    pub seed_text: Option<&'a str>,
    /// Words of the players, mixed into all dice.
    pub words: Vec<String>,
    /// Now, in milliseconds since 1970.
    pub at: u64,
}

/// One thing that happened to a session, with its time.
#[derive(Clone, Debug)]
pub struct Logged {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The turn after it.
    pub turn: i64,
    /// What.
    pub what: Happening,
}

/// Something that happened to a session.
#[derive(Clone, Debug)]
pub enum Happening {
    /// It began; what came of the set-up.
    Began(Arc<Outcome>),
    /// A command was accepted.
    Did(Arc<Entry>),
    /// A step was taken back.
    TookBack(Step),
    /// A step was done again.
    DidAgain(Step),
    /// A command got other words.
    Amended(Arc<Amendment>),
    /// Whose dice are thrown from here on.
    Dice(RealDice),
    /// Words were mixed into the dice.
    Words(String),
    /// The rules were read again.
    Reloaded(Arc<Reloaded>),
    /// Who answers questions from here on: chance, or the umpire.
    AskRandom(bool),
    /// The seed was told.
    Revealed,
    /// A program of this version went on with it.
    Resumed(String),
}

/// A game under way.
#[derive(Debug)]
pub struct Session {
    board: Board,
    keys: Keys,
    next: u64,
    history: History,
    log: Vec<Logged>,
    real_dice: RealDice,
    start: Box<StartRecord>,
    /// The ruleset's files as they were at the start.
    files: Arc<[FileText]>,
    /// The ruleset's files as they are in force now.
    rules: Arc<[FileText]>,
    /// The journal, byte for byte as it is or would be on disk.
    journal: Vec<u8>,
    chain: Chain,
    keep: Option<Box<dyn Keep>>,
    /// Whether chance answers all questions.
    ask_random: bool,
}

impl Session {
    /// Sets a scenario out and begins, in memory; and what came of the set-up.
    pub fn start(
        referee: Referee,
        scenario: &Scenario,
        seed: Seed,
    ) -> Result<(Session, Outcome), Halt> {
        let beginning = Beginning {
            game: "",
            files: &[],
            scenario,
            seed,
            seed_text: None,
            words: Vec::new(),
            at: 0,
        };
        Session::begin(referee, beginning)
    }

    /// As [`Session::start`], with all that a session can have. [`Session::keep`] writes it to disk.
    pub fn begin(referee: Referee, beginning: Beginning<'_>) -> Result<(Session, Outcome), Halt> {
        let keys = Keys::new(beginning.seed, &beginning.words);
        let (table, outcome) = set_out(&referee, beginning.scenario, &keys.of(0))?;
        let start = Box::new(StartRecord {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            game: beginning.game.to_owned(),
            title: referee.ruleset().game.title.clone(),
            scenario: beginning.scenario.name.clone(),
            seed: keys.secret().to_hex(),
            seed_text: beginning.seed_text.map(str::to_owned),
            seal: keys.secret().sealed(),
            words: beginning.words,
            files: store::file_records(beginning.files),
            set_up: write_outcome(&referee, &table, &outcome),
        });
        let turn = referee.turn(&table);
        let what = Happening::Began(Arc::new(outcome.clone()));
        let files: Arc<[FileText]> = beginning.files.into();
        let mut session = Session {
            board: Board::new(referee, table, beginning.scenario),
            keys,
            next: 1,
            history: History::default(),
            log: vec![Logged { at: beginning.at, turn, what }],
            real_dice: RealDice::default(),
            start: start.clone(),
            rules: files.clone(),
            files,
            journal: Vec::new(),
            chain: Chain::new(),
            keep: None,
            ask_random: false,
        };
        // In memory nothing can fail but writing what cannot be written, which records are not.
        let written = session.write(beginning.at, Record::Start(start));
        match written {
            Ok(()) => Ok((session, outcome)),
            Err(error) => Err(Halt::Refused(error.to_string())),
        }
    }

    /// Keeps the session in a new folder from now on, with all that happened so far.
    pub fn keep(&mut self, path: &Path) -> Result<(), StoreError> {
        let folder = Folder::create(path, &self.files, &self.journal)?;
        self.keep = Some(Box::new(folder));
        Ok(())
    }

    /// Keeps what happens from now on elsewhere.
    pub fn keep_in(&mut self, keep: Box<dyn Keep>) {
        self.keep = Some(keep);
    }

    /// Goes on in memory: nothing more is kept.
    pub fn forget_disk(&mut self) {
        self.keep = None;
    }

    /// The folder the session is kept in; none if it is only in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.keep.as_deref().map(Keep::path)
    }

    /// Keeps the session under another name beside where it is, or, if it is only in memory, in this folder of
    /// sessions.
    pub fn save(&mut self, root: &Path, name: &str) -> Result<(), StoreError> {
        check_session_name(name)?;
        match &mut self.keep {
            Some(keep) => {
                let root = keep.path().parent().unwrap_or(root).to_owned();
                keep.rename(&root.join(name))
            }
            None => self.keep(&root.join(name)),
        }
    }

    /// Writes a record that leaves the turn as it is, or comes after the change of it.
    fn write(&mut self, at: u64, what: Record) -> Result<(), StoreError> {
        self.write_in(self.turn(), at, what)
    }

    /// The turn as it will be when the board has been changed so; no step is made before it is on disk.
    fn turn_after(&self, change: impl FnOnce(&mut Board)) -> i64 {
        let mut board = self.board.clone();
        change(&mut board);
        board.settle();
        board.referee().turn(board.table())
    }

    /// Writes a record, with the turn after it: to disk first, then to memory.
    fn write_in(&mut self, turn: i64, at: u64, what: Record) -> Result<(), StoreError> {
        let line = self.chain.line(&Body { v: VERSION, at, turn, what });
        let (line, chain) =
            line.map_err(|e| StoreError::Io { path: "journal".to_owned(), reason: e.to_string() })?;
        if let Some(keep) = &mut self.keep {
            keep.append(&line)?;
        }
        self.journal.extend_from_slice(&line);
        self.chain = chain;
        Ok(())
    }

    fn logged(&mut self, at: u64, what: Happening) {
        let turn = self.turn();
        self.log.push(Logged { at, turn, what });
    }

    /// The referee.
    pub fn referee(&self) -> &Referee {
        self.board.referee()
    }

    /// The table as it stands.
    pub fn table(&self) -> &Tabletop {
        self.board.table()
    }

    /// The table through every ruleset the game was played by.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// A command in terms of the rules that are in force now.
    pub fn restated(&self, entry: &Arc<Entry>) -> Arc<Entry> {
        self.board.restated(entry, self.next)
    }

    /// The turn.
    fn turn(&self) -> i64 {
        self.referee().turn(self.table())
    }

    /// The game as it was chosen: a shipped name or a path.
    pub fn game(&self) -> &str {
        &self.start.game
    }

    /// The name of the scenario.
    pub fn scenario(&self) -> &str {
        &self.start.scenario
    }

    /// The scenario as it was at the start.
    pub fn scenario_set_out(&self) -> Option<&Scenario> {
        self.board.of(0).0.ruleset().scenario(&self.start.scenario)
    }

    /// The secret seed. Who shows it before the end gives the dice away; [`Session::seal`] is for showing.
    pub fn seed(&self) -> &Seed {
        self.keys.secret()
    }

    /// The hash of the seed, shown at the start.
    pub fn seal(&self) -> &str {
        &self.start.seal
    }

    /// The text the seed was made from, if it was.
    pub fn seed_text(&self) -> Option<&str> {
        self.start.seed_text.as_deref()
    }

    /// All words the players mixed in, each with the first command they count for.
    pub fn words(&self) -> &[(u64, String)] {
        self.keys.words()
    }

    /// The commands that stand, in order.
    pub fn entries(&self) -> &[Arc<Entry>] {
        self.history.standing()
    }

    /// Everything that happened, in order; nothing is ever taken out.
    pub fn log(&self) -> &[Logged] {
        &self.log
    }

    /// The number the next command will have.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// The seed of the next command's dice, with the players' words mixed in.
    pub fn next_seed(&self) -> Seed {
        self.keys.of(self.next)
    }

    /// Whether chance answers all questions.
    pub fn asks_random(&self) -> bool {
        self.ask_random
    }

    /// Says who answers questions from now on: chance, or the umpire.
    pub fn set_ask_random(&mut self, random: bool, at: u64) -> Result<(), StoreError> {
        if random != self.ask_random {
            self.write(at, Record::AskRandom(random))?;
            self.ask_random = random;
            self.logged(at, Happening::AskRandom(random));
        }
        Ok(())
    }

    /// Tries an action with what has been found out so far. Nothing is changed. `verb` is the first word of
    /// the line, which may have real dice of its own.
    pub fn attempt(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        found: &Found,
    ) -> Result<Outcome, Halt> {
        self.referee().resolve(self.table(), action, &self.inputs(verb, action, insist, found))
    }

    /// What happens in an action up to where it halts, and the table there. Nothing is changed.
    pub fn up_to_halt(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        found: &Found,
    ) -> (Outcome, Tabletop) {
        self.referee().up_to_halt(self.table(), action, &self.inputs(verb, action, insist, found))
    }

    fn inputs(&self, verb: &str, action: &Action, insist: bool, found: &Found) -> Inputs {
        let dice = match self.is_real(verb, action) {
            true => Dice::Physical(Supplied::new(found.faces.clone())),
            false => Dice::Seeded(Seeded::new(&self.keys.of(self.next), self.next)),
        };
        Inputs {
            answers: found.answers.clone(),
            ask_random: self.ask_random,
            insist,
            ..Inputs::of(dice)
        }
    }

    /// Takes an outcome over: it is written to the journal, the table is changed, the command has its number.
    /// After an error nothing has happened.
    pub fn accept(
        &mut self,
        line: &str,
        outcome: Outcome,
        at: u64,
    ) -> Result<Arc<Entry>, StoreError> {
        self.take_in(line, None, outcome, at)
    }

    fn take_in(
        &mut self,
        line: &str,
        reason: Option<String>,
        outcome: Outcome,
        at: u64,
    ) -> Result<Arc<Entry>, StoreError> {
        let entry = Arc::new(Entry {
            number: self.next,
            line: line.to_owned(),
            reason,
            turn: self.turn(),
            phase: self.referee().phase(self.table()),
            outcome,
        });
        // Names of what was made are known only on the changed table, where the record is written.
        self.board.apply(&entry);
        let record = command_record(&self.board, &entry);
        if let Err(error) = self.write(at, Record::Command(record)) {
            self.board.revert(&entry);
            return Err(error);
        }
        self.next += 1;
        self.history.did(entry.clone());
        self.logged(at, Happening::Did(entry.clone()));
        Ok(entry)
    }
}

/// A scenario set out on a new table. Nobody is asked during the set-up.
fn set_out(
    referee: &Referee,
    scenario: &Scenario,
    seed: &Seed,
) -> Result<(Tabletop, Outcome), Halt> {
    let inputs = Inputs { ask_random: true, ..Inputs::seeded(seed, 0) };
    referee.set_out(scenario, &inputs)
}

/// A command by names; the board is as it is after it.
fn command_record(board: &Board, entry: &Entry) -> CommandRecord {
    let (referee, table) = board.of(entry.number);
    CommandRecord {
        n: entry.number,
        line: entry.line.clone(),
        reason: entry.reason.clone(),
        outcome: write_outcome(referee, table, &entry.outcome),
    }
}
