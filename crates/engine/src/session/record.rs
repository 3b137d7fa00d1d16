//! The records of a journal, one per line. They refer to everything by name.
//!
//! A record is one complete command, or one complete event of the session. A missing optional key
//! has its default value. A record or key that this program doesn't know is refused, because it
//! could not be verified. A later version can therefore add records and keys without a new format
//! number; only a change to existing records or keys needs one.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::history::{
    AmendRecord, Amendment, Entry, History, HistoryStep, HistoryStepName, UndoDirection,
};
use super::journal::JournalLine;
use super::report_item::ReportItem;
use super::review::{Review, ReviewedCommand};
use super::stored_outcome::StoredOutcome;
use super::{LoggedRecord, RealDice, Session};
use crate::referee::Outcome;
use crate::ruleset::{MAX_FILE, MAX_FILES, MAX_TOTAL};

/// The version number of the journal format that this program reads and writes. Each number is used
/// for only one format.
pub(super) const FORM: u32 = 3;

/// An event of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// The session began.
    Start(Arc<StartRecord>),
    /// A command was accepted.
    Command(Arc<Entry>),
    /// Steps were undone. The latest comes first.
    Undo(Vec<HistoryStepName>),
    /// Steps were redone, in this order.
    Redo(Vec<HistoryStepName>),
    /// A command was replaced, and all later commands were resolved again.
    Amend(Arc<AmendRecord>),
    /// The dice that the players roll from now on were chosen.
    Dice(RealDice),
    /// The players mixed words into the dice of all later throws.
    Words(String),
    /// The names of the players were entered. The names are stored as typed.
    Players(String),
    /// Something was added to the battle report.
    Report(ReportItem),
    /// The rules were reloaded. The new rules apply to all later commands.
    Reload(Arc<ReloadRecord>),
    /// The umpire chose who answers questions from now on: chance if true, the umpire if false.
    AskRandom(bool),
    /// Dice were shown but not used, because the planned amendment was not made or the command was
    /// stopped.
    Look(LookRecord),
    /// The seed, in hexadecimal, was revealed.
    Reveal(String),
    /// This version of the program resumed the session.
    Resume(String),
}

impl Record {
    /// Returns the direction in which the record's steps are applied.
    pub(super) fn direction(&self) -> UndoDirection {
        if matches!(self, Record::Undo(_)) {
            UndoDirection::Backward
        } else {
            UndoDirection::Forward
        }
    }

    /// Returns the command, if the record is an accepted command.
    pub(super) fn command(&self) -> Option<&Arc<Entry>> {
        match self {
            Record::Command(entry) => Some(entry),
            _ => None,
        }
    }

    /// Returns the commands whose changes a record makes or reverses, in the order in which the
    /// changes happen. `steps` is the result of [`Record::steps`].
    pub(super) fn acts<'e>(
        &'e self,
        steps: &'e [HistoryStep],
    ) -> impl DoubleEndedIterator<Item = (UndoDirection, &'e Arc<Entry>)> {
        let own = self.command().map(|entry| (UndoDirection::Forward, entry));
        own.into_iter().chain(steps.iter().flat_map(|step| step.acts(self.direction())))
    }

    /// Finds the steps of a record in a history. Only undo, redo and amend records have such steps;
    /// for all other records, the result is empty. Fails if a step is not possible now.
    pub(super) fn steps(&self, history: &History) -> Result<Vec<HistoryStep>, RecordError> {
        match self {
            Record::Undo(names) | Record::Redo(names) => {
                history.find_steps(names, self.direction())
            }
            Record::Amend(amend) => {
                Ok(vec![HistoryStep::Amendment(Arc::new(history.amendment(amend)?))])
            }
            Record::Start(_) | Record::Command(_) | Record::Reload(_) => Ok(Vec::new()),
            Record::Dice(_) | Record::Words(_) | Record::Players(_) => Ok(Vec::new()),
            Record::Report(_) => Ok(Vec::new()),
            Record::AskRandom(_) | Record::Look(_) => Ok(Vec::new()),
            Record::Reveal(_) | Record::Resume(_) => Ok(Vec::new()),
        }
    }

    /// Returns the line that represents this record in a list of sessions; `None` if the list skips
    /// such records.
    pub fn list_line(&self) -> Option<String> {
        match self {
            Record::Command(entry) => Some(entry.line.clone()),
            Record::Undo(_) => Some("undo".to_owned()),
            Record::Redo(_) => Some("redo".to_owned()),
            Record::Amend(amend) => {
                let line = amend.now.first().map_or("", |e| e.line.as_str());
                Some(format!("amend {} {line}", amend.number))
            }
            Record::Reload(_) => Some("reload".to_owned()),
            Record::Start(_) | Record::Dice(_) | Record::Words(_) | Record::Players(_) => None,
            Record::Report(_) => None,
            Record::AskRandom(_) | Record::Look(_) | Record::Reveal(_) | Record::Resume(_) => None,
        }
    }
}

impl LoggedRecord {
    /// Returns the lines that repeat the record when they are typed. Some records, such as reloads,
    /// have none.
    pub(crate) fn script(&self) -> Vec<String> {
        match &self.what {
            Record::Command(entry) => entry.script(),
            Record::Undo(_) => vec!["undo".to_owned(); self.steps.len()],
            Record::Redo(_) => vec!["redo".to_owned(); self.steps.len()],
            Record::Amend(_) => self.amendments().flat_map(|a| a.script()).collect(),
            Record::Dice(dice) => dice.script(),
            Record::Words(words) => vec![format!("mix {words}")],
            Record::Players(players) => vec![format!("players {players}")],
            Record::Report(item) => vec![item.line()],
            // A script runs under the rules it is given; the rule files may have changed since.
            Record::Start(_) | Record::Reload(_) => Vec::new(),
            Record::AskRandom(_) | Record::Look(_) | Record::Reveal(_) | Record::Resume(_) => {
                Vec::new()
            }
        }
    }

    /// Returns true if the record at most adds to a transcript. Otherwise, the record changes the
    /// header, which names the players and the revealed seed.
    pub fn only_adds(&self) -> bool {
        match &self.what {
            Record::Command(_) | Record::Dice(_) | Record::AskRandom(_) | Record::Words(_) => true,
            Record::Reload(_) | Record::Resume(_) | Record::Look(_) => true,
            Record::Undo(_) | Record::Redo(_) | Record::Amend(_) | Record::Report(_) => true,
            Record::Start(_) | Record::Players(_) | Record::Reveal(_) => false,
        }
    }

    /// Adds the facts about this record that a player may have questions about.
    pub(super) fn add_to_review(&self, review: &mut Review, session: &Session) {
        match &self.what {
            Record::Command(entry) => review.add_command(entry),
            Record::Amend(_) => self.amendments().for_each(|a| review.add_amendment(a)),
            Record::Look(look) => {
                review
                    .looked
                    .push(ReviewedCommand { number: look.number, words: look.line.clone() });
            }
            Record::Reload(_) => {
                if let [HistoryStep::Rules(rules)] = self.steps.as_slice() {
                    review.add_reload(rules, session);
                }
            }
            Record::Resume(version) => review.add_resume(version),
            Record::Start(_) | Record::Undo(_) | Record::Redo(_) | Record::Dice(_) => {}
            Record::Words(_) | Record::Players(_) | Record::AskRandom(_) => {}
            Record::Report(_) => {}
            Record::Reveal(_) => review.is_revealed = true,
        }
    }

    fn amendments(&self) -> impl Iterator<Item = &Amendment> {
        self.steps.iter().filter_map(|step| match step {
            HistoryStep::Amendment(amendment) => Some(&**amendment),
            HistoryStep::Command(_) | HistoryStep::Rules(_) => None,
        })
    }
}

impl Session {
    /// Applies a line of the journal to the session, without running rules; `of` has the bytes that
    /// contain the line. Fails if the record is impossible at this point. Some of its changes may
    /// then have been made.
    pub(super) fn apply_line(
        &mut self,
        body: JournalLine<'_>,
        of: &Bytes,
    ) -> Result<(), RecordError> {
        let JournalLine { at, mut what, written, .. } = body;
        let steps = self.apply_record(&what)?;
        if let Record::Command(entry) = &mut what
            && let Some(entry) = Arc::get_mut(entry)
        {
            entry.outcome = StoredOutcome::from_record(of.slice_ref(written.as_bytes()));
        }
        self.log_record(at, what, steps, written);
        Ok(())
    }

    /// Adds a record to the log, and updates the history, the dice and the settings. The board must
    /// already have changed. `written` is the JSON text of the record.
    pub(super) fn log_record(
        &mut self,
        at: u64,
        what: Record,
        steps: Vec<HistoryStep>,
        written: &str,
    ) {
        self.history.apply_steps(&what, &steps);
        match &what {
            Record::Command(entry) => {
                self.next = entry.number + 1;
                self.keys.mark_used(entry);
            }
            Record::Amend(amend) => amend.now.iter().for_each(|entry| self.keys.mark_used(entry)),
            Record::Dice(dice) => self.real_dice = dice.clone(),
            Record::Words(words) => self.keys.mix(words),
            Record::AskRandom(random) => self.ask_random = *random,
            Record::Reload(_) => {
                if let Some(HistoryStep::Rules(rules)) = steps.last() {
                    self.rules = rules.files.clone();
                }
            }
            Record::Start(_) | Record::Undo(_) | Record::Redo(_) | Record::Players(_) => {}
            Record::Report(_) => {}
            Record::Look(_) | Record::Reveal(_) | Record::Resume(_) => {}
        }
        let turn = self.turn();
        let begins_turn = what.command().is_some_and(|entry| entry.turn != turn);
        self.digested = self.digested.after(&what, written);
        let digested = self.digested;
        let head = OnceLock::new();
        self.log.push(LoggedRecord { at, turn, what, steps, begins_turn, digested, head });
    }
}

/// The first record of a session: everything that is fixed before the first command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRecord {
    /// The version of the program that began the session.
    pub program: String,
    /// The game that was chosen: the name of a game that comes with the program, or a path.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The name of the scenario.
    pub scenario: String,
    /// The secret seed, in hexadecimal.
    pub(super) seed: String,
    /// The text that the seed was made from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_text: Option<String>,
    /// The seal: the hash of the seed.
    pub seal: String,
    /// The version number of the recipe that derives dice and heads from the seed.
    pub recipe: u32,
    /// The files of the ruleset, whose copies are stored in the session's folder.
    pub(super) files: Vec<FileRecord>,
    /// The outcome of the set-up.
    pub set_up: Outcome,
}

/// A preview: dice that were shown but not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookRecord {
    /// The number of the command that was to be amended; `None` for a new command.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The line of the command.
    pub line: String,
}

/// A file of the ruleset as it was at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileRecord {
    /// The file name that messages show.
    pub name: String,
    /// The name of the scenario, if the file holds only a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The path of the copy in the session's folder.
    pub copy: String,
    /// The SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
}

/// A reload of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReloadRecord {
    /// The number that the first command under these rules gets.
    pub from: u64,
    /// All files of the ruleset.
    pub(super) files: Vec<RuleFile>,
}

/// A file of the reloaded rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    /// The file name that messages show.
    pub name: String,
    /// The name of the scenario, if the file holds only a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The SHA-256 of the file's text, in hexadecimal.
    pub sha256: String,
    /// The text; `None` if the file is the same as before the reload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

fn throw_words(throw: Option<u64>) -> String {
    throw.map_or_else(|| "none".to_owned(), |throw| throw.to_string())
}

/// The reason why a record is impossible at its position in the journal.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    /// The journal has a second `start` record, or no `start` record at its beginning.
    #[error("a journal must begin with its only `start` record")]
    Start,
    /// A command or reload has the first number, but the second number was expected.
    #[error("command {0} is where command {1} should be")]
    Number(u64, u64),
    /// A command took its dice from the wrong throw. The fields are the number of the command, its
    /// throw, and the expected throw: the next one, or the earlier throw of an amended command.
    #[error("command {} has its dice from throw {}, not from {}", .0, throw_words(*.1), throw_words(*.2))]
    Throw(u64, Option<u64>, Option<u64>),
    /// This step cannot be undone, redone or amended now.
    #[error("{0} can't be undone, redone or amended here")]
    HistoryStep(HistoryStepName),
    /// The outcome names a rule or phase that the rules lack, or a check that comes later in the
    /// outcome.
    #[error("the rules have no `{0}`")]
    Unknown(String),
    /// A change does not fit the table.
    #[error(transparent)]
    Change(#[from] crate::tabletop::ChangeError),
    /// The table does not fit the reloaded rules, for these reasons.
    #[error("{}", .0.join("; "))]
    NoPlace(Vec<String>),
    /// The reloaded rules cannot be loaded.
    #[error(transparent)]
    Rules(#[from] super::SessionError),
    /// The rules were reloaded more often than a session allows.
    #[error("the rules were reloaded more than {} times", super::reload::MAX_RELOADS)]
    TooManyReloads,
    /// Commands given before a reload were undone, redone or amended too often.
    #[error("commands given before a reload of the rules were undone, redone or amended too often")]
    TooManyTransfers,
    /// There are more files, or they are larger in total, than a ruleset can have.
    #[error(
        "its files are too large: a ruleset has at most {MAX_FILES} files of at most {MAX_FILE} bytes, \
         and {MAX_TOTAL} bytes in all"
    )]
    TooLarge,
    /// Words that were mixed in are not in their plain form.
    #[error("`{0}` can't have been mixed in: it isn't in plain form")]
    Words(String),
    /// The text of a rule file does not match its hash, or is missing.
    #[error("the text of `{0}` does not match its hash")]
    Hash(String),
}
