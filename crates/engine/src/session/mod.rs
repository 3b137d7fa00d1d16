//! A running game: the table, the history, the dice to come, and the journal that records the game.
//!
//! - A command is first attempted, which changes nothing in the session, and then accepted. A
//!   session writes no files: the caller stores the new lines of the journal before it shows the
//!   result, and rolls back to a [`Savepoint`] if they cannot be stored.
//! - Every accepted command that rolls dice from the seed has a throw number, and takes its dice
//!   from the stream with that number. No two commands have the same throw number, even if one of
//!   them is undone. An amended command keeps its number.
//! - The journal is only ever appended to. Undo, redo, amend and overrule are records in it.
//! - A session is resumed by applying its recorded changes, without running any rule. The game is
//!   therefore exactly as it was, even if the program is newer or the ruleset outside the session's
//!   folder has changed.
//! - If the rules are reloaded during the game, every command still belongs to the rules it was
//!   played with.
//!
//! Each of these parts has its own file:
//!
//! - the journal: `record` (its content), `action` (the recorded form of a command), `journal` (its
//!   lines and their checksums), `load` (resuming);
//! - storing the journal: `savepoint` (the lines to store, and rollback), `copies` and `error`;
//! - the table: `board` (across all rulesets), `migrate` (from one ruleset to the next), `history`
//!   (undo and redo), `input` (answers and faces), `replay` (resolving a recorded command again),
//!   `amend`, `overrule`, `reload`;
//! - the dice: `sides` (who rolls them), `seal` (the secret, the players' words, the streams),
//!   `head` (a short code for everything so far), `decision` (the decisions of people), `verify`,
//!   `review` (facts that a player may have questions about);
//! - views of the session: `why`, `transcript`, `luck`, `pace`.
//!
//! A session reads no clock: the caller passes in the time, which is stored with each record and
//! does not affect the game.

mod action;
mod amend;
mod board;
mod copies;
mod date;
mod decision;
mod error;
mod head;
mod history;
mod input;
mod journal;
mod load;
mod luck;
mod migrate;
mod overrule;
mod pace;
mod record;
mod reload;
mod replay;
mod report_item;
mod review;
mod savepoint;
mod scenario_text;
mod seal;
mod sides;
mod stored_outcome;
mod transcript;
mod verify;
mod why;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::language::machine::{Halt, StopHandle};
use crate::referee::{Action, AttemptResult, Dice, Event, Inputs, Outcome, Referee};
use crate::ruleset::{FileText, ShippedFiles};
use crate::tabletop::{Scenario, Tabletop};
use adjutant_dice::{Seed, SeededSource, SuppliedSource};

pub use action::{ActionError, RecordedAction, RecordedValue};
pub use amend::{AmendmentPlan, ChangedCommand};
pub use board::Board;
pub use copies::RULESET_FOLDER;
pub use decision::LedgerEntry;
pub use error::SessionError;
pub use head::{Head, HeadError};
pub use history::{AmendRecord, Amendment, Entry, HistoryStep, HistoryStepName, TakenRequest};
pub use input::CommandInput;
pub use journal::{DamagedLine, JournalLine, other_form, records_backwards};
pub use load::{JournalEnd, JournalOrigin, LoadedSession, Notice, OpenedSession};
pub(crate) use luck::check_chance;
pub use luck::{Luck, LuckGroup, LuckKind, TOO_FEW};
pub use overrule::{OverruleError, Ruling};
pub use pace::{CommandWait, Pace, TurnPace};
pub use record::{LookRecord, Record, ReloadRecord, StartRecord};
pub use reload::{ChangedPart, PartChange, ReloadError, RulesReload};
pub(crate) use replay::quote_answer;
pub use replay::{LineMisfit, read_command};
pub use report_item::{Photo, ReportItem};
pub use review::{Receipt, Review, ReviewedCommand, RulesReceipt};
pub use savepoint::Savepoint;
pub use seal::{MAX_WORDS, WordsError, plain_words};
pub use stored_outcome::StoredOutcome;
pub(crate) use transcript::WitnessedCorrection;
pub use transcript::{Standing, WalkError, Witnessed};
pub use verify::{Mismatch, Verification, Verifier};
pub use why::{Cause, CauseThread, Why, WhyError};

use head::HistoryHash;
use history::History;
pub(crate) use history::UndoDirection;
use journal::ChecksumChain;
use record::RecordError;
use seal::DiceKeys;

/// The version number of the recipe that derives dice and heads from the seed. Each number is used
/// for only one recipe.
pub const RECIPE: u32 = 4;

/// The dice that the players roll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RealDice {
    /// True if the players roll all dice.
    pub all: bool,
    /// The verbs and sides whose dice the players roll; not used if `all` is true.
    pub of: BTreeSet<String>,
}

/// The parameters for a new session.
#[derive(Clone, Debug)]
pub struct Beginning<'a> {
    /// The game that was chosen: the name of a game that comes with the program, or a path.
    pub game: &'a str,
    /// The files that the ruleset was loaded from, which are stored with the session.
    pub files: &'a [FileText],
    /// The function that returns the rulesets that come with the program. Receipts compare these
    /// with the files.
    pub shipped: ShippedFiles,
    /// The scenario to set up.
    pub scenario: &'a Scenario,
    /// The secret that all dice are derived from.
    pub seed: Seed,
    /// The text that the seed was made from, if any.
    pub seed_text: Option<&'a str>,
    /// The current time, in milliseconds since 1970.
    pub at: u64,
}

/// The reason why a session cannot begin.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BeginError {
    /// The set-up failed.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The first record cannot be written.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// A record in the log of a session, with its time.
#[derive(Clone, Debug)]
pub struct LoggedRecord {
    /// The time, in milliseconds since 1970.
    pub at: u64,
    /// The number of the turn after the record.
    pub turn: i64,
    /// The record, as it is stored in the journal.
    pub what: Record,
    /// The steps that were made or reversed, in order: those of an undo, redo or amendment, or the
    /// reload. Empty for all other records.
    pub steps: Vec<HistoryStep>,
    /// True if the record is a command after which the game is in another turn.
    begins_turn: bool,
    /// The hash of everything up to and including this record.
    digested: HistoryHash,
    /// The head after this record. It is computed on the first request, because the computation
    /// takes time.
    head: OnceLock<Head>,
}

impl LoggedRecord {
    /// Returns the command, if the record is an accepted command.
    pub fn command(&self) -> Option<&Arc<Entry>> {
        self.what.command()
    }

    /// Returns the commands whose changes the record makes or reverses, in the order in which the
    /// changes happen.
    pub(crate) fn acts(&self) -> impl DoubleEndedIterator<Item = (UndoDirection, &Arc<Entry>)> {
        self.what.acts(&self.steps)
    }

    /// Makes the record's changes again on a board.
    fn replay(&self, board: &mut Board) -> Result<(), RecordError> {
        if let [HistoryStep::Rules(rules)] = self.steps.as_slice() {
            board.change_rules(rules.from, rules.referee.clone()).map_err(RecordError::NoPlace)?;
        }
        Ok(board.apply(self.acts())?)
    }

    /// Reverses the record's changes on a board to which no later record has been applied.
    fn reverse(&self, board: &mut Board) -> Result<(), RecordError> {
        if matches!(self.what, Record::Reload(_)) {
            board.restore_earlier_rules();
        }
        let acts = self.what.acts(&self.steps).rev();
        Ok(board.apply(acts.map(|(direction, entry)| (direction.reversed(), entry)))?)
    }
}

/// A running game.
#[derive(Clone, Debug)]
pub struct Session {
    board: Board,
    keys: DiceKeys,
    next: u64,
    history: History,
    log: Vec<LoggedRecord>,
    real_dice: RealDice,
    start: Arc<StartRecord>,
    /// The ruleset's files as they were at the start.
    files: Arc<[FileText]>,
    /// The function that returns the rulesets that come with the program.
    shipped: ShippedFiles,
    /// The files of the ruleset in force.
    rules: Arc<[FileText]>,
    /// The journal, byte for byte as it is stored: the part that was read when the session was
    /// opened, if any, and then each new line.
    journal: Vec<Bytes>,
    chain: ChecksumChain,
    /// The hash of everything so far, from which the next record's hash is computed.
    digested: HistoryHash,
    /// True if chance answers the questions to which no answer is given.
    ask_random: bool,
    /// The handle that can stop a command while it is being resolved.
    stop: StopHandle,
}

impl Session {
    /// Sets up a scenario and begins a session in memory; [`Session::files`] and
    /// [`Session::journal`] return the data to store. Returns the session with the outcome of the
    /// set-up.
    pub fn begin(
        referee: Referee,
        beginning: Beginning<'_>,
    ) -> Result<(Session, Outcome), BeginError> {
        Session::begin_as(env!("CARGO_PKG_VERSION"), referee, beginning)
    }

    /// Begins a session as a program of the version `program` would.
    fn begin_as(
        program: &str,
        referee: Referee,
        beginning: Beginning<'_>,
    ) -> Result<(Session, Outcome), BeginError> {
        let keys = DiceKeys::new(beginning.seed);
        let (table, outcome) =
            set_out_scenario(&referee, beginning.scenario, &keys.stream_seed(0))?;
        let start = Arc::new(StartRecord {
            program: program.to_owned(),
            game: beginning.game.to_owned(),
            title: referee.ruleset().game.title.clone(),
            scenario: beginning.scenario.name.clone(),
            seed: keys.secret().to_hex(),
            seed_text: beginning.seed_text.map(str::to_owned),
            seal: keys.secret().seal(),
            recipe: RECIPE,
            files: copies::file_records(beginning.files),
            set_up: outcome.clone(),
        });
        let board = Board::new(referee, table, beginning.scenario);
        let mut session =
            Session::new(board, keys, start.clone(), beginning.files.into(), beginning.shipped);
        let record = Record::Start(start);
        session.write_record(beginning.at, &record)?;
        session.log_record(beginning.at, record, Vec::new(), "");
        Ok((session, outcome))
    }

    /// Returns a session with an empty log and an empty journal.
    fn new(
        board: Board,
        keys: DiceKeys,
        start: Arc<StartRecord>,
        files: Arc<[FileText]>,
        shipped: ShippedFiles,
    ) -> Session {
        Session {
            digested: HistoryHash::of(&start, &keys.blind()),
            board,
            keys,
            next: 1,
            history: History::default(),
            log: Vec::new(),
            real_dice: RealDice::default(),
            start,
            rules: files.clone(),
            files,
            shipped,
            journal: Vec::new(),
            chain: ChecksumChain::new(),
            ask_random: false,
            stop: StopHandle::default(),
        }
    }

    /// Records that this program resumes the session.
    pub fn record_resume(&mut self, at: u64) -> Result<(), SessionError> {
        self.commit(at, Record::Resume(env!("CARGO_PKG_VERSION").to_owned())).map(|_| ())
    }

    /// Returns the length of the journal so far, in bytes.
    pub fn journal_length(&self) -> u64 {
        self.journal.iter().map(Bytes::len).sum::<usize>() as u64
    }

    /// Returns the journal so far, byte for byte as it is to be stored.
    pub fn journal(&self) -> Vec<u8> {
        self.journal.concat()
    }

    /// Returns the ruleset's files as they were at the start, which are stored with the journal,
    /// each as its path in the session's folder and its text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.start.files.iter().zip(self.files.iter());
        pairs.map(|(record, file)| (record.copy.as_str(), file.text.as_str()))
    }

    /// Commits a record: updates the board, appends the record to the journal, and adds it to the
    /// log. Returns the record's steps. If this fails, the session does not change.
    pub(crate) fn commit(
        &mut self,
        at: u64,
        what: Record,
    ) -> Result<Vec<HistoryStep>, SessionError> {
        let before = self.board.clone();
        let made =
            self.apply_record(&what).map_err(|error| SessionError::Misfit(error.to_string()));
        let written = made.and_then(|steps| Ok((steps, self.write_record(at, &what)?)));
        let (steps, written) = written.inspect_err(|_| self.board = before)?;
        self.log_record(at, what, steps.clone(), &written);
        Ok(steps)
    }

    /// Applies a record to the board and returns its steps. Nothing but the board changes. The
    /// board must not be used after an error.
    fn apply_record(&mut self, record: &Record) -> Result<Vec<HistoryStep>, RecordError> {
        match record {
            Record::Start(_) => return Err(RecordError::Start),
            Record::Command(entry) if entry.number != self.next => {
                return Err(RecordError::Number(entry.number, self.next));
            }
            Record::Reload(record) => {
                return Ok(vec![HistoryStep::Rules(self.apply_reload(record)?)]);
            }
            Record::Words(words) if plain_words(words).as_ref() != Ok(words) => {
                return Err(RecordError::Words(words.clone()));
            }
            Record::Command(_) | Record::Undo(_) | Record::Redo(_) | Record::Amend(_) => {}
            Record::Dice(_) | Record::Words(_) | Record::Players(_) | Record::Report(_) => {}
            Record::AskRandom(_) | Record::Look(_) | Record::Reveal(_) | Record::Resume(_) => {}
        }
        let steps = record.steps(&self.history)?;
        if matches!(record, Record::Command(_) | Record::Amend(_)) {
            self.check_record(record, &steps)?;
        }
        self.board.apply(record.acts(&steps))?;
        if self.board.has_too_many_transfers() {
            return Err(RecordError::TooManyTransfers);
        }
        Ok(steps)
    }

    /// Checks that the rules have everything that a command names, and that the command takes its
    /// dice from the next throw, or from its earlier throw if it was amended. This prevents anyone
    /// from choosing among throws.
    fn check_record(&self, record: &Record, steps: &[HistoryStep]) -> Result<(), RecordError> {
        let mut keys = self.keys.clone();
        for (_, entry) in record.acts(steps).filter(|a| a.0 == UndoDirection::Forward) {
            let is_old = |a: &(UndoDirection, &Arc<Entry>)| {
                a.0 == UndoDirection::Backward && a.1.number == entry.number
            };
            let old = record.acts(steps).find(is_old).and_then(|(_, old)| old.throw);
            let expected = old.or_else(|| keys.throw_number(&entry.outcome));
            keys.mark_used(entry);
            if entry.throw != expected {
                return Err(RecordError::Throw(entry.number, entry.throw, expected));
            }
            check_known_names(self.board.referee_and_table_of(entry.number).0, &entry.outcome)?;
        }
        Ok(())
    }

    /// Appends a record to the journal, with the number of the current turn. Returns the JSON text
    /// of the record.
    fn write_record(&mut self, at: u64, what: &Record) -> Result<String, SessionError> {
        let written =
            serde_json::to_string(what).map_err(|e| SessionError::Record(e.to_string()))?;
        let (line, chain) = self.chain.line(at, self.turn(), &written);
        self.journal.push(line.into());
        self.chain = chain;
        Ok(written)
    }

    /// Undoes this many steps, or all steps that can be undone if there are fewer. A step is a
    /// command or an amendment. Returns the undone steps, the latest first. They form one record,
    /// so either all of them are undone or none.
    pub fn undo(&mut self, steps: usize, at: u64) -> Result<Vec<HistoryStep>, SessionError> {
        let names = self.history.undo_names(steps);
        self.record_steps(names, Record::Undo, at)
    }

    /// Undoes all commands in force with a number higher than `number`. Amendments of earlier
    /// commands are not undone. Returns the undone commands, the latest first.
    pub fn undo_to(&mut self, number: u64, at: u64) -> Result<Vec<HistoryStep>, SessionError> {
        let names = self.history.commands_after(number);
        self.record_steps(names, Record::Undo, at)
    }

    /// Redoes this many steps, or all undone steps if there are fewer. Returns these steps in the
    /// order in which they were redone. They form one record.
    pub fn redo(&mut self, steps: usize, at: u64) -> Result<Vec<HistoryStep>, SessionError> {
        let names = self.history.redo_names(steps);
        self.record_steps(names, Record::Redo, at)
    }

    /// Returns true if a step can be undone.
    pub(crate) fn can_undo(&self) -> bool {
        !self.history.undo_names(1).is_empty()
    }

    /// Returns true if a step can be redone.
    pub(crate) fn can_redo(&self) -> bool {
        !self.history.redo_names(1).is_empty()
    }

    fn record_steps(
        &mut self,
        names: Vec<HistoryStepName>,
        record: fn(Vec<HistoryStepName>) -> Record,
        at: u64,
    ) -> Result<Vec<HistoryStep>, SessionError> {
        if names.is_empty() { Ok(Vec::new()) } else { self.commit(at, record(names)) }
    }

    /// Returns the referee for the current rules.
    pub fn referee(&self) -> &Referee {
        self.board.referee()
    }

    /// Returns the current table.
    pub fn table(&self) -> &Tabletop {
        self.board.table()
    }

    /// Returns the table across all rulesets that the game was played with.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the number of the current turn.
    pub(crate) fn turn(&self) -> i64 {
        self.referee().turn_number(self.table())
    }

    /// Returns the game that was chosen: the name of a game that comes with the program, or a path.
    pub fn game(&self) -> &str {
        &self.start.game
    }

    /// Returns the name of the game in headings: the name of a game that comes with the program, or
    /// the name of its folder or file without the extension.
    pub fn heading(&self) -> &str {
        let name = Path::new(self.game()).file_stem();
        name.and_then(|name| name.to_str()).unwrap_or(self.game())
    }

    /// Returns the name of the scenario.
    pub fn scenario(&self) -> &str {
        &self.start.scenario
    }

    /// Returns the scenario as the rules at the start of the session define it; `None` if these
    /// rules lack it.
    pub(crate) fn scenario_set_out(&self) -> Option<&Scenario> {
        self.board.referee_and_table_of(0).0.ruleset().scenario(&self.start.scenario)
    }

    /// Returns the title of the scenario, or its name if the rules lack the scenario.
    pub(crate) fn scenario_title(&self) -> &str {
        self.scenario_set_out().map_or(self.scenario(), |s| &s.title)
    }

    /// Returns the secret seed. Showing it before the end would give the dice away; show
    /// [`Session::seal`] instead.
    pub fn seed(&self) -> &Seed {
        self.keys.secret()
    }

    /// Returns the seal: the hash of the seed, which is shown at the start.
    pub fn seal(&self) -> &str {
        &self.start.seal
    }

    /// Returns the text that the seed was made from, if there is one.
    pub(crate) fn seed_text(&self) -> Option<&str> {
        self.start.seed_text.as_deref()
    }

    /// Returns all words that the players mixed in, in plain form. Each entry also has the number
    /// of the first throw that its words affect.
    pub fn players_words(&self) -> &[(u64, String)] {
        self.keys.words()
    }

    /// Returns the commands in force, in order.
    pub fn entries(&self) -> &[Arc<Entry>] {
        self.history.commands_in_force()
    }

    /// Returns all records, in order. Records are removed only by [`Session::roll_back`].
    pub fn log(&self) -> &[LoggedRecord] {
        &self.log
    }

    /// Returns the number of the next command.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// Records the names of the players.
    pub(crate) fn set_players(&mut self, players: &str, at: u64) -> Result<(), SessionError> {
        self.commit(at, Record::Players(players.to_owned())).map(drop)
    }

    /// Returns the UTC date on which the session began, in words.
    pub(crate) fn date(&self) -> String {
        date::date_in_words(self.log.first().map_or(0, |logged| logged.at))
    }

    /// Returns the names of the players as the umpire last entered them; `None` if they were never
    /// entered.
    pub(crate) fn players(&self) -> Option<&str> {
        self.log.iter().rev().find_map(|logged| match &logged.what {
            Record::Players(players) => Some(players.as_str()),
            _ => None,
        })
    }

    /// Records an addition to the battle report.
    pub(crate) fn add_to_report(&mut self, item: ReportItem, at: u64) -> Result<(), SessionError> {
        self.commit(at, Record::Report(item)).map(drop)
    }

    /// Records who answers questions from now on: chance if `random` is true, the umpire if it is
    /// false. Records nothing if nothing would change.
    pub fn set_ask_random(&mut self, random: bool, at: u64) -> Result<(), SessionError> {
        if random != self.ask_random {
            self.commit(at, Record::AskRandom(random))?;
        }
        Ok(())
    }

    /// Resolves an action as far as possible with the input so far. The session and the table do
    /// not change. `verb` is the verb of the line; together with the action, it determines who
    /// rolls the dice.
    pub fn attempt(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        input: &CommandInput,
    ) -> AttemptResult {
        let dice = if self.throws_real_dice(verb, action) {
            Dice::Physical(SuppliedSource::new(input.faces.clone().unwrap_or_default()))
        } else {
            Dice::Seeded(SeededSource::new(
                &self.keys.stream_seed(self.keys.next_throw()),
                self.keys.next_throw(),
            ))
        };
        let inputs = Inputs {
            answers: input.answers.clone(),
            ask_random: self.ask_random,
            insist,
            ..Inputs::with_dice(dice)
        };
        self.stoppable_referee().attempt(self.table(), action, &inputs)
    }

    /// Returns the handle that can stop a command while it is being resolved. A stopped command
    /// changes nothing.
    pub(crate) fn stop_handle(&self) -> &StopHandle {
        &self.stop
    }

    /// Returns a referee for the rules in force, which can be stopped with
    /// [`Session::stop_handle`].
    pub(crate) fn stoppable_referee(&self) -> Referee {
        self.referee().stopped_by(&self.stop)
    }

    /// Accepts the outcome of a command: numbers the command, updates the table, and appends a
    /// record to the journal. If this fails, the session does not change.
    pub fn accept(
        &mut self,
        line: &str,
        command: &Command,
        outcome: Outcome,
        at: u64,
    ) -> Result<Arc<Entry>, SessionError> {
        self.accept_on_terms(line, command, EntryTerms::default(), outcome, at)
    }

    /// Like [`Session::accept`], but for a command that carries out players' requests.
    ///
    /// # Errors
    /// Fails like [`Session::accept`].
    pub fn accept_requested(
        &mut self,
        line: &str,
        command: &Command,
        requests: Vec<TakenRequest>,
        outcome: Outcome,
        at: u64,
    ) -> Result<Arc<Entry>, SessionError> {
        let terms = EntryTerms { requests, ..EntryTerms::default() };
        self.accept_on_terms(line, command, terms, outcome, at)
    }

    /// Returns the side or verb whose dice the players roll; `None` if they roll all dice, or if
    /// there is not exactly one such side or verb.
    pub(crate) fn only_real_dice(&self) -> Option<&str> {
        let RealDice { all, of } = &self.real_dice;
        of.first().filter(|_| !all && of.len() == 1).map(String::as_str)
    }

    /// Returns the players' requests that commands carried out, including those of commands that
    /// are no longer in force.
    pub fn taken_requests(&self) -> impl Iterator<Item = &TakenRequest> {
        self.log.iter().filter_map(|logged| logged.what.command()).flat_map(|e| &e.requests)
    }

    fn accept_on_terms(
        &mut self,
        line: &str,
        command: &Command,
        terms: EntryTerms,
        outcome: Outcome,
        at: u64,
    ) -> Result<Arc<Entry>, SessionError> {
        let action = RecordedAction::of(&command.action, self.referee(), self.table());
        let terms = EntryTerms { insist: command.insist, ..terms };
        let entry = self.next_entry(line, action, terms, outcome);
        self.commit(at, Record::Command(entry.clone()))?;
        Ok(entry)
    }

    /// Returns the entry for the next command.
    fn next_entry(
        &self,
        line: &str,
        action: RecordedAction,
        EntryTerms { insist, reason, requests }: EntryTerms,
        outcome: Outcome,
    ) -> Arc<Entry> {
        Arc::new(Entry {
            number: self.next,
            line: line.to_owned(),
            action,
            insist,
            reason,
            requests,
            turn: self.turn(),
            phase: self.phase(),
            throw: self.keys.throw_number(&outcome),
            outcome: outcome.into(),
        })
    }

    /// Returns the name of the current phase; `None` during set-up.
    pub fn phase(&self) -> Option<String> {
        phase_name(self.referee(), self.table())
    }
}

/// The circumstances in which a command was accepted.
#[derive(Clone, Debug, Default)]
struct EntryTerms {
    /// True if the umpire insisted, so that any refusal was overridden.
    insist: bool,
    /// The reason, if the command is a ruling.
    reason: Option<String>,
    /// The players' requests that the command carries out.
    requests: Vec<TakenRequest>,
}

/// Returns the name of the current phase on a table; `None` during set-up.
fn phase_name(referee: &Referee, table: &Tabletop) -> Option<String> {
    referee.phase_index(table).map(|index| referee.ruleset().phases[index].name.clone())
}

/// Checks that the rules have every rule and phase that the events of an outcome name, and that
/// each change comes after its check.
fn check_known_names(referee: &Referee, outcome: &Outcome) -> Result<(), RecordError> {
    let rules = referee.ruleset();
    let unknown = |name: &String| Err(RecordError::Unknown(name.clone()));
    for (index, event) in outcome.events.iter().enumerate() {
        match event {
            Event::Call { rule, .. } if rules.schema.rule_named(rule).is_none() => {
                return unknown(rule);
            }
            Event::Check(check) => match &check.rule {
                Some(rule) if rules.schema.rule_named(rule).is_none() => return unknown(rule),
                _ => {}
            },
            Event::Phase { phase, .. } if rules.phases.iter().all(|p| p.name != *phase) => {
                return unknown(phase);
            }
            Event::Changed { check: Some(check), .. } if *check >= index => {
                return unknown(&format!("event {check}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Sets up a scenario on a new table. All questions of the set-up are answered at random.
fn set_out_scenario(
    referee: &Referee,
    scenario: &Scenario,
    seed: &Seed,
) -> Result<(Tabletop, Outcome), Halt> {
    let inputs = Inputs { ask_random: true, ..Inputs::seeded(seed, 0) };
    referee.set_up(scenario, &inputs)
}

#[cfg(test)]
pub(crate) mod testing;
