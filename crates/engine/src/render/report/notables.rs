//! The notable events of a command, and the pieces that caused them.

use crate::names::proper_name;
use crate::referee::{Event, Referee};
use crate::session::{Entry, RecordedAction, RecordedValue};
use crate::tabletop::{Tabletop, Value};

/// A notable event.
#[derive(Clone, Debug)]
pub(super) struct Notable {
    /// The turn in which the event happened. Effects at the end of a turn belong to the turn that
    /// is ending.
    pub turn: i64,
    /// The index of the call among the events of its command.
    pub event: usize,
    /// The rule that was called.
    pub rule: String,
    /// The sentence that is used if the event is reported separately.
    pub sentence: String,
    /// A sentence for the same purpose that begins with the piece that caused the event, if the
    /// rule has one.
    pub active_sentence: Option<String>,
    /// The value of the rule's first parameter, such as the name of a piece.
    pub name: Option<String>,
    /// The pieces that are named in the call.
    pub pieces: Vec<String>,
    /// The whole numbers of the call, if the rule's sentences contain sums of them.
    pub amounts: Vec<i64>,
    /// The piece that caused the event; `None` if it is unknown, if it is the piece in `name`, or
    /// if it is on the side of that piece.
    pub by: Option<String>,
}

impl Notable {
    /// Returns the sentence, including who did it: `x4 of anton was killed (by b3)`.
    pub(super) fn attributed_sentence(&self) -> String {
        if let Some(active) = &self.active_sentence {
            return active.clone();
        }
        let bare = self.sentence.trim_end_matches('.');
        let bare = self.pieces.iter().fold(bare.to_owned(), |bare, name| proper(&bare, name));
        self.by.as_deref().map_or(bare.clone(), |by| format!("{bare} (by {})", proper_name(by)))
    }

    /// Returns the names of the pieces that take part.
    pub(super) fn participants(&self) -> impl Iterator<Item = &str> {
        [self.name.as_deref(), self.by.as_deref()].into_iter().flatten()
    }
}

/// Returns a sentence in which the name of a piece is written as a proper name.
fn proper(sentence: &str, name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    let mut written = String::new();
    let mut rest = sentence;
    while let Some(at) = rest.find(name) {
        let before = &rest[..at];
        let after = &rest[at + name.len()..];
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        written.push_str(before);
        written.push_str(&if is_whole { proper_name(name) } else { name.to_owned() });
        rest = after;
    }
    written + rest
}

/// Returns the notable events of a command. `turns` holds the turn of each of the command's events.
/// A piece that is no longer on the table after the command is looked up on the table before the
/// command.
pub(super) fn notables_of(
    referee: &Referee,
    entry: &Entry,
    turns: &[i64],
    [before, after]: [&Tabletop; 2],
) -> Vec<Notable> {
    let rules = &referee.ruleset().schema.rules;
    let actor = acting_piece(referee, entry);
    let mut tables: Option<[Tabletop; 2]> = None;
    let mut notables = Vec::new();
    for (index, (event, &turn)) in entry.outcome.events.iter().zip(turns).enumerate() {
        let Event::Call { rule, bound } = event else { continue };
        let Some(text) = rules.named(rule).filter(|text| text.notable.is_some()) else { continue };
        let [after, before] = tables.get_or_insert_with(|| [after.clone(), before.clone()]);
        let name = bound.first().map(|binding| binding.value.to_string());
        let sentence = referee
            .notable_sentence(text, bound, after)
            .or_else(|| referee.notable_sentence(text, bound, before))
            .filter(|sentence| !sentence.is_empty());
        let side = |piece: &str| {
            let of = |table: &Tabletop| {
                let (kind, row) = table.find(piece)?;
                referee.side_of_piece(table, kind, row)
            };
            of(after).or_else(|| of(before))
        };
        let side_of_name = name.as_deref().and_then(side);
        // The rule may name the piece that caused the event. A piece seldom harms its own side on
        // purpose, so a piece of the same side is not named.
        let said = bound.iter().find(|binding| binding.name == "actor");
        let said = said.map(|binding| binding.value.to_string()).filter(|by| by != "none");
        let by = said.as_deref().or(actor).filter(|by| {
            let is_other = name.as_deref() != Some(*by);
            is_other && (side_of_name.is_none() || side(by) != side_of_name)
        });
        let pieces = referee.pieces_of_call(text, bound);
        let amounts = referee.notable_amounts(text, bound);
        let active_sentence = by.zip(name.as_deref()).and_then(|(by, name)| {
            let name = proper_name(name);
            let names = referee.notable_name(text, &name, &amounts, after).unwrap_or(name);
            referee.notable_sentence_by(text, &proper_name(by), &names, after)
        });
        let by = by.map(str::to_owned);
        let rule = rule.clone();
        notables.extend(sentence.map(|sentence| Notable {
            turn,
            event: index,
            rule,
            sentence,
            active_sentence,
            name,
            pieces,
            amounts,
            by,
        }));
    }
    notables
}

/// Returns the turn of each event of a command. A command that goes on to the next phase may begin
/// a turn.
pub(super) fn turns_of(entry: &Entry) -> Vec<i64> {
    let mut now = entry.turn;
    let turns = entry.outcome.events.iter().map(|event| {
        if let Event::Phase { turn, .. } = event {
            now = *turn;
        }
        now
    });
    turns.collect()
}

/// Returns the piece that acts in a command: the first piece that its usage names. Returns `None`
/// if the viewer may not read the line, if no rule was called, or if several pieces act together.
fn acting_piece<'e>(referee: &Referee, entry: &'e Entry) -> Option<&'e str> {
    if entry.line.is_empty() {
        return None;
    }
    let RecordedAction::Rule { rule, given, .. } = &entry.action else { return None };
    let rule = referee.ruleset().schema.rules.named(rule)?;
    let param = &rule.params[rule.acting_piece()?];
    match given.get(&param.name)? {
        RecordedValue::One(Value::Text(name)) => Some(name),
        RecordedValue::Many(values) => match values.as_slice() {
            [Value::Text(name)] => Some(name),
            _ => None,
        },
        RecordedValue::Named(names) => {
            names.first().filter(|_| names.len() == 1).map(String::as_str)
        }
        RecordedValue::One(_) => None,
    }
}
