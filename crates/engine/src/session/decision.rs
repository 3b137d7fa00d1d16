//! Decisions, which are the inputs of records: everything in a record that cannot be derived.
//!
//! Every field of a record is either an input, which belongs to the decision, or derived from
//! inputs. `verify` replays only the decisions, and lists all of them in its ledger. A reader of
//! the ledger thus sees every input that `verify` accepts. `docs/sessions.md` lists the fields of
//! each record.

use std::fmt;

use adjutant_dice::Seed;
use schemars::JsonSchema;
use serde::Serialize;

use super::action::{RecordedAction, RecordedValue};
use super::history::{Entry, HistoryStepName, TakenRequest};
use super::input::CommandInput;
use super::record::{LookRecord, Record, RecordError, StartRecord};
use super::report_item::ReportItem;
use super::seal::sha256;
use super::{RealDice, Session};
use crate::ruleset::FileText;
use crate::tabletop::Value;

/// One decision of the umpire or a player, as `verify` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LedgerEntry {
    /// The time at which the decision was recorded, in milliseconds since 1970, according to the
    /// clock of the umpire's computer.
    pub at: u64,
    /// The number of the command that the decision enters or amends, or whose amendment it
    /// previews. `None` for any other decision.
    pub command: Option<u64>,
    /// The complete decision in words. Text that people typed is in quotes.
    pub words: String,
}

/// The inputs of a record.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    /// The beginning of the session.
    Start(StartDecision),
    /// A command.
    Command(CommandDecision),
    /// An undo.
    Undo(Vec<HistoryStepName>),
    /// A redo.
    Redo(Vec<HistoryStepName>),
    /// A replacement for the command with this number.
    Amend(u64, CommandDecision),
    /// The dice that the players roll themselves.
    Dice(RealDice),
    /// Words of the players, which are mixed into all later dice from the seed.
    Words(String),
    /// The names of the players.
    Players(String),
    /// An addition to the battle report.
    Report(ReportItem),
    /// A reload of the rules from these files.
    Reload(Vec<FileText>),
    /// The choice of who answers questions: chance if true, the umpire if false.
    AskRandom(bool),
    /// A preview of the dice of a command or an amendment that was then not carried out.
    Look(LookRecord),
    /// The reveal of the seed.
    Reveal,
    /// The resumption of the session by this version of the program.
    Resume(String),
}

/// The inputs of a `start` record.
#[derive(Clone, Debug)]
pub(super) struct StartDecision {
    pub program: String,
    pub game: String,
    pub scenario: String,
    pub seed: Seed,
    pub seed_text: Option<String>,
    pub files: Vec<FileText>,
}

/// The inputs of a command.
#[derive(Clone, Debug)]
pub(super) struct CommandDecision {
    pub line: String,
    pub action: RecordedAction,
    pub insist: bool,
    pub reason: Option<String>,
    pub requests: Vec<TakenRequest>,
    pub given: CommandInput,
}

impl StartDecision {
    /// Returns the inputs of a `start` record. `files` has the rule files, which the journal does
    /// not contain. If the seed was made from a text, it is derived from the text again; otherwise,
    /// returns `None` if the record has no valid seed.
    pub(super) fn of(start: &StartRecord, files: &[FileText]) -> Option<StartDecision> {
        let seed = match &start.seed_text {
            Some(text) => Seed::from_text(text),
            None => Seed::from_hex(&start.seed)?,
        };
        Some(StartDecision {
            program: start.program.clone(),
            game: start.game.clone(),
            scenario: start.scenario.clone(),
            seed,
            seed_text: start.seed_text.clone(),
            files: files.to_vec(),
        })
    }
}

impl CommandDecision {
    /// Returns the inputs of a command that was accepted.
    pub(super) fn of(entry: &Entry) -> CommandDecision {
        CommandDecision {
            line: entry.line.clone(),
            action: entry.action.clone(),
            insist: entry.insist,
            reason: entry.reason.clone(),
            requests: entry.requests.clone(),
            given: CommandInput::from_outcome(&entry.outcome),
        }
    }
}

impl Decision {
    /// Returns the inputs of a record, where `before` is the session before that record. Returns
    /// `None` for the `start` record.
    ///
    /// # Errors
    /// Fails if a rule file of a reload or an amended command is missing.
    pub(super) fn of(record: &Record, before: &Session) -> Result<Option<Decision>, RecordError> {
        Ok(Some(match record {
            Record::Start(_) => return Ok(None),
            Record::Command(entry) => Decision::Command(CommandDecision::of(entry)),
            Record::Undo(names) => Decision::Undo(names.clone()),
            Record::Redo(names) => Decision::Redo(names.clone()),
            Record::Amend(amend) => {
                let number = amend.number;
                let missing = RecordError::HistoryStep(HistoryStepName::Command(number));
                // The record leaves out a command whose result did not change. Such a command still
                // has the inputs in the history.
                let old = || before.entries().iter().find(|entry| entry.number == number);
                let now = amend.now.iter().find(|entry| entry.number == number).or_else(old);
                Decision::Amend(number, CommandDecision::of(now.ok_or(missing)?))
            }
            Record::Dice(dice) => Decision::Dice(dice.clone()),
            Record::Words(words) => Decision::Words(words.clone()),
            Record::Players(players) => Decision::Players(players.clone()),
            Record::Report(item) => Decision::Report(item.clone()),
            Record::Reload(reload) => Decision::Reload(reload.file_texts(&before.rules)?),
            Record::AskRandom(random) => Decision::AskRandom(*random),
            Record::Look(look) => Decision::Look(look.clone()),
            Record::Reveal(_) => Decision::Reveal,
            Record::Resume(version) => Decision::Resume(version.clone()),
        }))
    }

    /// Returns the ledger entry for this decision. `at` is its time in milliseconds since 1970, and
    /// `next` is the number that the next command gets.
    pub(super) fn ledger_entry(&self, at: u64, next: u64) -> LedgerEntry {
        let command = match self {
            Decision::Command(_) => Some(next),
            Decision::Amend(number, _) => Some(*number),
            Decision::Look(look) => look.number,
            Decision::Start(_) | Decision::Undo(_) | Decision::Redo(_) | Decision::Dice(_) => None,
            Decision::Words(_) | Decision::Players(_) | Decision::Reload(_) => None,
            Decision::AskRandom(_) | Decision::Reveal | Decision::Resume(_) => None,
            Decision::Report(_) => None,
        };
        LedgerEntry { at, command, words: self.to_string() }
    }
}

/// Writes the text of a ledger entry. The text contains every input, and different inputs have
/// different texts. (For the seed and the rule files, it contains hashes.)
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Start(start) => start.fmt(f),
            Decision::Command(command) => command.fmt(f),
            Decision::Undo(steps) => write!(f, "undo {}", step_names(steps)),
            Decision::Redo(steps) => write!(f, "redo {}", step_names(steps)),
            Decision::Amend(number, command) => write!(f, "amend {number} to {command}"),
            Decision::Dice(RealDice { all, of }) => {
                let of: Vec<String> = of.iter().map(|of| format!(" {of:?}")).collect();
                let all = if *all { " all" } else { "" };
                write!(f, "the players roll the dice for{all}{}", of.concat())?;
                if of.is_empty() && all.is_empty() { f.write_str(" no commands") } else { Ok(()) }
            }
            Decision::Words(words) => write!(f, "mix {words:?}"),
            Decision::Players(players) => write!(f, "players {players:?}"),
            Decision::Report(ReportItem::Date(date)) => write!(f, "date {date:?}"),
            Decision::Report(ReportItem::Venue(venue)) => write!(f, "venue {venue:?}"),
            Decision::Report(ReportItem::Paragraph(text)) => write!(f, "report {text:?}"),
            Decision::Report(ReportItem::Photo(photo)) => {
                write!(f, "photo {:?}: {:?}", photo.file, photo.caption)
            }
            Decision::Reload(files) => write!(f, "reload {}", file_names(files)),
            Decision::AskRandom(true) => f.write_str("chance answers questions"),
            Decision::AskRandom(false) => f.write_str("the umpire answers questions"),
            Decision::Look(LookRecord { number, line }) => {
                write!(f, "previewed the dice of {line:?}")?;
                number.map_or(Ok(()), |number| write!(f, " in place of command {number}"))
            }
            Decision::Reveal => f.write_str("reveal"),
            Decision::Resume(version) => write!(f, "resume with adjutant {version:?}"),
        }
    }
}

impl fmt::Display for StartDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartDecision { program, game, scenario, seed, seed_text, files } = self;
        write!(f, "start {game:?}, scenario {scenario:?}, seal {}", seed.seal())?;
        if let Some(text) = seed_text {
            write!(f, ", seed from the text {text:?}")?;
        }
        write!(f, ", adjutant {program:?}, {}", file_names(files))
    }
}

impl fmt::Display for CommandDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CommandDecision { line, action, insist, reason, requests, given } = self;
        write!(f, "{line:?}: {action}")?;
        if *insist {
            f.write_str(", insisted")?;
        }
        if let Some(reason) = reason {
            write!(f, ", because {reason:?}")?;
        }
        for TakenRequest { id, player } in requests {
            write!(f, ", requested by {player:?} as {id:?}")?;
        }
        for asked in &given.answers.recorded {
            // The answer is derived from the dice, so it is not an input.
            if asked.random {
                write!(f, ", {:?} left to chance", asked.question)?;
            } else {
                write!(f, ", {:?} answered {:?}", asked.question, asked.answer)?;
            }
        }
        if let Some(faces) = &given.faces {
            let faces: Vec<String> = faces.iter().map(u32::to_string).collect();
            write!(f, ", dice typed in: {}", list_or_none(&faces, " "))?;
        }
        Ok(())
    }
}

/// Returns the names of steps as the ledger shows them, separated by commas.
fn step_names(steps: &[HistoryStepName]) -> String {
    let names: Vec<String> = steps.iter().map(HistoryStepName::to_string).collect();
    names.join(", ")
}

/// Returns the name, the scenario (if any) and the SHA-256 of each rule file. The files are
/// separated by commas.
fn file_names(files: &[FileText]) -> String {
    let names = files.iter().map(|file| {
        let scenario = file.scenario.as_ref().map(|name| format!(" of scenario {name:?}"));
        let hash = sha256(file.text.as_bytes());
        format!("file {:?}{} {hash}", file.name, scenario.unwrap_or_default())
    });
    names.collect::<Vec<_>>().join(", ")
}

fn list_or_none(items: &[String], separator: &str) -> String {
    if items.is_empty() { "none".to_owned() } else { items.join(separator) }
}

/// A name that is displayed in quotes unless it is plain, so that it can't be mistaken for a
/// keyword or another value.
struct QuotedName<'n>(&'n str);

impl fmt::Display for QuotedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.0.starts_with(|c: char| c.is_ascii_alphabetic())
            && self.0.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '#'));
        let is_word = ["yes", "no", "none", "only", "new", "secret"].contains(&self.0);
        if is_plain && !is_word { f.write_str(self.0) } else { write!(f, "{:?}", self.0) }
    }
}

/// Writes ` NAME=VALUE` for each attribute.
fn write_values(f: &mut fmt::Formatter<'_>, values: &[(String, RecordedValue)]) -> fmt::Result {
    values.iter().try_for_each(|(name, value)| write!(f, " {}={value}", QuotedName(name)))
}

/// Returns the text of a value; different values have different texts.
fn quoted_value(value: &Value) -> String {
    match value {
        Value::Text(words) => QuotedName(words).to_string(),
        Value::Flag(_) | Value::Whole(_) | Value::Nothing => value.to_string(),
    }
}

impl fmt::Display for RecordedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedAction::Rule { rule, given, only } => {
                write!(f, "rule {}", QuotedName(rule))?;
                given
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {}={value}", QuotedName(name)))?;
                if !only.is_empty() {
                    f.write_str(" only")?;
                }
                only.iter().try_for_each(|piece| write!(f, " {}", QuotedName(piece)))
            }
            RecordedAction::Next => f.write_str("next"),
            RecordedAction::Roll { dice, secret } => {
                f.write_str(if *secret { "secret roll" } else { "roll" })?;
                dice.iter().try_for_each(|dice| write!(f, " {dice:?}"))
            }
            RecordedAction::Add { kind, name, values: given } => {
                write!(f, "add {} {}", QuotedName(kind), QuotedName(name))?;
                write_values(f, given)
            }
            RecordedAction::Set { kind, piece, others, values: given } => {
                write!(f, "set {} {}", QuotedName(kind), QuotedName(piece))?;
                others.iter().try_for_each(|other| write!(f, " and {}", QuotedName(other)))?;
                write_values(f, given)
            }
            RecordedAction::Remove { kind, piece } => {
                write!(f, "remove {} {}", QuotedName(kind), QuotedName(piece))
            }
            RecordedAction::Note(words) => write!(f, "note {words:?}"),
            RecordedAction::Order { side, text } => {
                write!(f, "orders of {}", RecordedValue::One(side.clone()))?;
                match text {
                    Some(text) => write!(f, ": {text:?}"),
                    None => f.write_str(" are revealed"),
                }
            }
        }
    }
}

impl fmt::Display for RecordedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedValue::One(value) => f.write_str(&quoted_value(value)),
            RecordedValue::Many(values) => {
                let values: Vec<String> = values.iter().map(quoted_value).collect();
                write!(f, "({})", values.join(" "))
            }
            RecordedValue::Named(names) => {
                let names: Vec<String> =
                    names.iter().map(|name| QuotedName(name).to_string()).collect();
                write!(f, "new({})", names.join(" "))
            }
        }
    }
}
