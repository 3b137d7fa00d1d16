//! What stands in a journal: one record a line, everything by names.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::{read_change, read_number, write_change, write_number};
use crate::dice::Scripted;
use crate::language::syntax::Operator;
use crate::referee::{Check, Event, Outcome, Referee, Throw};
use crate::tabletop::Tabletop;

/// The version of the journal's form that this program writes.
pub(super) const VERSION: u32 = 1;

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What every line holds besides its checksum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Body {
    /// The version of the form.
    pub v: u32,
    /// When it was written, in milliseconds since 1970; no part of what is reproduced.
    pub at: u64,
    /// The turn when it was written, for lists of sessions.
    pub turn: i64,
    /// What happened.
    #[serde(rename = "do")]
    pub what: Record,
}

/// One thing that happened to a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Record {
    /// The beginning.
    Start(Box<StartRecord>),
    /// A command was accepted.
    Command(CommandRecord),
    /// The last command was taken back.
    Undo(u64),
    /// The amendment of this command was taken back.
    UndoAmend(u64),
    /// A command was done again.
    Redo(u64),
    /// The amendment of this command was made again.
    RedoAmend(u64),
    /// A command got other words, and what followed was resolved again.
    Amend(AmendRecord),
    /// Whose dice are thrown from here on.
    Dice(DiceRecord),
    /// The players mixed words into the dice of all commands from here on.
    Words(String),
    /// The rules were read again, and count for all commands from here on.
    Reload(ReloadRecord),
    /// Who answers questions from here on: chance, or the umpire.
    AskRandom(bool),
    /// The seed was told.
    Reveal(String),
    /// A program went on with the session; its version.
    Resume(String),
}

/// The beginning of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StartRecord {
    pub program: String,
    pub game: String,
    pub title: String,
    pub scenario: String,
    pub seed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_text: Option<String>,
    pub seal: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    pub files: Vec<FileRecord>,
    pub set_up: OutcomeRecord,
}

/// A file of the ruleset as it was at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// What it is called in messages.
    pub name: String,
    /// For a scenario: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Where the copy is, in the session's folder.
    pub copy: String,
    /// Of its bytes.
    pub sha256: String,
}

/// A command and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CommandRecord {
    pub n: u64,
    pub line: String,
    /// For an overruling: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(rename = "out")]
    pub outcome: OutcomeRecord,
}

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct OutcomeRecord {
    /// Sides and the faces that fell, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<(u32, Vec<u32>)>,
    /// The dice were real.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_hand: bool,
    /// What was asked for in order, if dice or answers were: so many dice at once, or 0 for an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventRecord>,
}

/// A command got other words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AmendRecord {
    /// Which.
    pub n: u64,
    /// It and what followed, as they came out now.
    pub now: Vec<CommandRecord>,
    /// Later commands that no longer hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<u64>,
}

/// Rules that were read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReloadRecord {
    /// The first command they count for.
    pub from: u64,
    pub files: Vec<RuleFile>,
}

/// A file of rules that were read again, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RuleFile {
    /// What it is called in messages.
    pub name: String,
    /// For a scenario: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Of its text.
    pub sha256: String,
    pub text: String,
}

/// Whose dice are thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DiceRecord {
    pub all: bool,
    pub of: Vec<String>,
}

/// One thing that happened in a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EventRecord {
    Rule(String, usize),
    Phase(i64, String, usize, bool),
    Check(Box<CheckRecord>),
    /// The dice, how they fell, the total.
    Rolled(String, String, i64),
    Taken(Option<String>, String, usize),
    Shuffled(String, usize),
    Asked(String, String, bool),
    Said(String),
    Reminded(String),
    Insisted(String),
    Changed(Value),
}

/// Dice thrown for something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CheckRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub label: String,
    pub dice: Vec<String>,
    pub pools: Vec<(String, i64)>,
    pub throws: Vec<(Value, Value, Option<bool>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<(Value, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need: Option<(String, Value)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
}

/// An outcome by names; the table is as it is when the changes have been made.
pub(super) fn write_outcome(
    referee: &Referee,
    table: &Tabletop,
    outcome: &Outcome,
) -> OutcomeRecord {
    let mut dice: Vec<(u32, Vec<u32>)> = Vec::new();
    for (face, sides) in outcome.faces.iter().zip(&outcome.sides) {
        match dice.last_mut() {
            Some((last, faces)) if last == sides => faces.push(*face),
            _ => dice.push((*sides, vec![*face])),
        }
    }
    let events = outcome.events.iter().map(|e| write_event(referee, table, e)).collect();
    // Without real dice only answers are asked for, and the events tell these.
    let prompts = if outcome.physical { outcome.prompts.clone() } else { Vec::new() };
    OutcomeRecord { dice, by_hand: outcome.physical, prompts, events }
}

fn write_event(referee: &Referee, table: &Tabletop, event: &Event) -> EventRecord {
    let rules = referee.ruleset();
    let rule_name = |rule: crate::language::schema::RuleId| {
        rules.schema.rules.get(rule.index()).map_or(String::new(), |r| r.name.clone())
    };
    match event {
        Event::Rule(rule, depth) => EventRecord::Rule(rule_name(*rule), *depth),
        Event::Phase { turn, place, skipped } => {
            let name = rules.phases.get(*place).map_or(String::new(), |p| p.name.clone());
            EventRecord::Phase(*turn, name, *place, *skipped)
        }
        Event::Check(check) => EventRecord::Check(Box::new(CheckRecord {
            rule: check.rule.map(rule_name),
            label: check.label.clone(),
            dice: check.dice.clone(),
            pools: check.pools.clone(),
            throws: check
                .throws
                .iter()
                .map(|t| (write_number(t.natural), write_number(t.total), t.passed))
                .collect(),
            modifiers: check
                .modifiers
                .iter()
                .map(|(by, because)| (write_number(*by), because.clone()))
                .collect(),
            need: check.need.map(|(op, n)| (op.text().to_owned(), write_number(n))),
            verdict: check.verdict.clone(),
        })),
        Event::Rolled(rolled, text) => {
            EventRecord::Rolled(text.clone(), rolled.to_string(), rolled.total)
        }
        Event::Taken { deck, what, of } => EventRecord::Taken(deck.clone(), what.clone(), *of),
        Event::Shuffled(deck, count) => EventRecord::Shuffled(deck.clone(), *count),
        Event::Asked { question, answer, random } => {
            EventRecord::Asked(question.clone(), answer.clone(), *random)
        }
        Event::Said(words) => EventRecord::Said(words.clone()),
        Event::Reminded(words) => EventRecord::Reminded(words.clone()),
        Event::Insisted(reason) => EventRecord::Insisted(reason.clone()),
        Event::Changed(change) => EventRecord::Changed(write_change(table, change)),
    }
}

/// Reads an outcome and makes its changes on the table as it goes; after an error the changes made so far are
/// taken back.
pub(super) fn read_outcome(
    referee: &Referee,
    table: &mut Tabletop,
    record: &OutcomeRecord,
) -> Result<Outcome, String> {
    let prompts = record.prompts.clone();
    let mut outcome = Outcome { physical: record.by_hand, prompts, ..Outcome::default() };
    for (sides, faces) in &record.dice {
        outcome.faces.extend(faces);
        outcome.sides.resize(outcome.faces.len(), *sides);
    }
    outcome.events.reserve_exact(record.events.len());
    for event in &record.events {
        match read_event(referee, table, event, &outcome.faces, record.by_hand) {
            Ok(event) => {
                if let Event::Changed(change) = &event {
                    table.apply(change);
                }
                outcome.answers += usize::from(matches!(event, Event::Asked { .. }));
                outcome.events.push(event);
            }
            Err(reason) => {
                for change in outcome.changes().rev() {
                    table.revert(change);
                }
                return Err(reason);
            }
        }
    }
    Ok(outcome)
}

fn read_event(
    referee: &Referee,
    table: &Tabletop,
    record: &EventRecord,
    faces: &[u32],
    by_hand: bool,
) -> Result<Event, String> {
    let rules = referee.ruleset();
    let rule_named = |name: &String| {
        rules.schema.rule_named(name).ok_or_else(|| format!("there is no rule `{name}`"))
    };
    Ok(match record {
        EventRecord::Rule(rule, depth) => Event::Rule(rule_named(rule)?, *depth),
        EventRecord::Phase(turn, name, place, skipped) => {
            let named = |place: &usize| rules.phases.get(*place).is_some_and(|p| p.name == *name);
            let found = Some(*place).filter(named);
            let place = found.or_else(|| rules.phases.iter().position(|p| p.name == *name));
            let place = place.ok_or_else(|| format!("there is no phase `{name}`"))?;
            Event::Phase { turn: *turn, place, skipped: *skipped }
        }
        EventRecord::Check(check) => Event::Check(Check {
            rule: check.rule.as_ref().map(rule_named).transpose()?,
            label: check.label.clone(),
            dice: check.dice.clone(),
            pools: check.pools.clone(),
            throws: check
                .throws
                .iter()
                .map(|(natural, total, passed)| {
                    let (natural, total) = (read_number(natural)?, read_number(total)?);
                    Ok(Throw { natural, total, passed: *passed })
                })
                .collect::<Result<_, String>>()?,
            modifiers: check
                .modifiers
                .iter()
                .map(|(by, because)| Ok((read_number(by)?, because.clone())))
                .collect::<Result<_, String>>()?,
            need: match &check.need {
                Some((sign, number)) => Some((operator(sign)?, read_number(number)?)),
                None => None,
            },
            verdict: check.verdict.clone(),
            physical: by_hand,
        }),
        EventRecord::Rolled(text, shown, total) => {
            // The dice as they fell give the same throw again.
            let again = crate::dice::parse(text).ok();
            let again = again.and_then(|e| e.roll(&mut Scripted::new(faces)).ok());
            match again {
                Some(rolled) => Event::Rolled(rolled, text.clone()),
                None => Event::Said(format!("{text}: {shown} = {total}")),
            }
        }
        EventRecord::Taken(deck, what, of) => {
            Event::Taken { deck: deck.clone(), what: what.clone(), of: *of }
        }
        EventRecord::Shuffled(deck, count) => Event::Shuffled(deck.clone(), *count),
        EventRecord::Asked(question, answer, random) => {
            Event::Asked { question: question.clone(), answer: answer.clone(), random: *random }
        }
        EventRecord::Said(words) => Event::Said(words.clone()),
        EventRecord::Reminded(words) => Event::Reminded(words.clone()),
        EventRecord::Insisted(reason) => Event::Insisted(reason.clone()),
        EventRecord::Changed(change) => Event::Changed(read_change(table, change)?),
    })
}

/// The comparison of that sign.
fn operator(sign: &str) -> Result<Operator, String> {
    use Operator::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    let all = [AtLeast, AtMost, Equal, Greater, Less, NotEqual];
    let found = all.into_iter().find(|o| o.text() == sign);
    found.ok_or_else(|| format!("`{sign}` compares nothing"))
}
