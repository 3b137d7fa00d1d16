//! Overruling: the umpire's decision replaces the program's result, with a recorded reason.

use std::sync::Arc;

use super::board::Board;
use super::history::Entry;
use super::replay::{LineMisfit, read_command as read_line};
use super::{EntryTerms, Session, SessionError};
use crate::command::Command;
use crate::language::machine::World;
use crate::language::schema::{AttributeStorage, KindId, Type};
use crate::referee::{Action, Inputs};
use crate::tabletop::{Argument, AttributePath, Change, Tabletop, Value, join_values};

/// The first word of a line that overrules a result.
pub(super) const OVERRULE_VERB: &str = "overrule";

/// A ruling that was parsed, but not applied yet.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The action that sets the values.
    pub(super) action: Action,
    /// The umpire's reason.
    pub reason: String,
    /// The command whose changes to the piece the ruling reverses, if any.
    pub takes_back: Option<Arc<Entry>>,
    /// The values that the ruling restores: for each attribute, its path, its current value and its
    /// restored value.
    pub puts_back: Vec<(AttributePath, Value, Value)>,
    /// The number of earlier commands that also changed the piece and could have been meant.
    pub others: usize,
}

impl Ruling {
    /// Returns the command that applies the ruling.
    pub(super) fn command(&self) -> Command {
        Command {
            verb: OVERRULE_VERB.to_owned(),
            action: self.action.clone(),
            insist: true,
            restated: None,
        }
    }
}

/// The reason why a ruling could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverruleError {
    /// The ruling cannot be parsed or carried out.
    #[error(transparent)]
    Line(#[from] LineMisfit),
    /// The ruling could not be recorded.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Parses a ruling: `PIECE.ATTRIBUTE VALUE: REASON` sets a value, and `PIECE words: REASON`
/// restores the attributes of the piece that were changed by the last command that changed any.
/// `number` is the number of the ruling's command.
pub(super) fn read_ruling(
    board: &Board,
    number: u64,
    standing: &[Arc<Entry>],
    text: &str,
) -> Result<Ruling, LineMisfit> {
    let (referee, table) = board.referee_and_table_of(number);
    let (what, reason) = text.split_once(':').ok_or(LineMisfit::NoColon)?;
    let what = what.trim();
    let reason = reason.trim().to_owned();
    if reason.is_empty() {
        return Err(LineMisfit::NoReason);
    }
    let first = what.split_whitespace().next().ok_or(LineMisfit::NothingOverruled)?;
    if let Some(piece) = table.find(first) {
        return ruling_to_restore(table, standing, piece, reason)
            .ok_or_else(|| LineMisfit::Unchanged(first.to_owned()));
    }
    let typed = read_line(referee, table, &format!("set {what}"))?;
    Ok(Ruling { action: typed.action, reason, takes_back: None, puts_back: Vec::new(), others: 0 })
}

/// Returns a ruling that reverses the changes that the last command to change a piece made to its
/// attributes. Returns `None` if no command in force changed its attributes, or if the piece is not
/// on the table.
fn ruling_to_restore(
    table: &Tabletop,
    standing: &[Arc<Entry>],
    (kind, row): (KindId, u32),
    reason: String,
) -> Option<Ruling> {
    let schema = table.schema();
    let attributes = &schema.kind(kind).attributes;
    let of = schema.kind(kind).name.as_str();
    let piece = table.piece_name(kind, row);
    // Only attributes that the rules of this table have can be restored.
    let concerns = |change: &Change| {
        let spot = change.attribute_path().filter(|s| s.kind == of && s.piece == piece)?;
        attributes.index_of(&spot.attribute)
    };
    let mut changed =
        standing.iter().rev().filter(|e| e.outcome.changes().any(|c| concerns(c).is_some()));
    let entry = changed.next()?.clone();
    let others = changed.count();
    // This copy has the piece as it was: the changes are reversed from the last to the first.
    let mut before = table.clone();
    for change in entry.outcome.changes().rev().filter(|c| concerns(c).is_some()) {
        before.revert(change).ok()?;
    }
    let mut values: Vec<(usize, Argument)> = Vec::new();
    let mut puts_back = Vec::new();
    for index in entry.outcome.changes().filter_map(concerns) {
        if values.iter().any(|v| v.0 == index) {
            continue;
        }
        let attribute = &attributes[index];
        let (value, now, then) = match attribute.storage {
            AttributeStorage::Cell(column) => {
                let shown = |t: &Tabletop| t.to_value(attribute.ty, t.get(column, row));
                let given = match (attribute.ty, before.get(column, row)) {
                    (Type::Text, text) => Argument::Text(before.text(text).to_owned()),
                    (_, value) => Argument::Value(value),
                };
                (given, shown(table), shown(&before))
            }
            AttributeStorage::List(list) => {
                let words = |t: &Tabletop| Value::Text(join_values(&t.list_values(list, row)));
                let members = before.list(list, row).to_vec();
                (Argument::Members(members), words(table), words(&before))
            }
            AttributeStorage::Computed(_) => continue,
        };
        values.push((index, value));
        puts_back.push((table.attribute_path(kind, row, index), now, then));
    }
    let action = Action::Set { kind, rows: vec![row], values };
    let takes_back = Some(entry);
    table.is_on_table(kind, row).then_some(Ruling { action, reason, takes_back, puts_back, others })
}

impl Session {
    /// Parses a ruling, and finds the changes that it would reverse, if any. The session and the
    /// table do not change.
    pub(crate) fn ruling(&self, text: &str) -> Result<Ruling, LineMisfit> {
        read_ruling(&self.board, self.next, self.history.commands_in_force(), text)
    }

    /// Parses and applies a ruling of the umpire, and returns its entry. In the history, a ruling
    /// is an ordinary command with a reason. `at` is the time in milliseconds since 1970.
    pub fn overrule(&mut self, text: &str, at: u64) -> Result<Arc<Entry>, OverruleError> {
        let ruling = self.ruling(text)?;
        let command = ruling.command();
        let inputs = Inputs::without_dice();
        let outcome = self.stoppable_referee().resolve(self.table(), &command.action, &inputs);
        let outcome = outcome.map_err(LineMisfit::Halt)?;
        let line = format!("{OVERRULE_VERB} {}", text.trim());
        let terms = EntryTerms { reason: Some(ruling.reason), ..EntryTerms::default() };
        Ok(self.accept_on_terms(&line, &command, terms, outcome, at)?)
    }
}

#[cfg(test)]
mod tests {
    use super::{LineMisfit, OverruleError};
    use crate::session::testing::{MEN, TestGame};
    use crate::session::{Entry, HistoryStep, Record, Ruling};

    fn ruling(game: &TestGame, text: &str) -> Result<Ruling, LineMisfit> {
        game.session.ruling(text)
    }

    /// Returns the values that a ruling restores: the attribute, the current value, the restored
    /// value.
    fn puts_back(ruling: &Ruling) -> Vec<String> {
        let put = ruling.puts_back.iter();
        put.map(|(of, now, then)| format!("{}.{} {now} -> {then}", of.piece, of.attribute))
            .collect()
    }

    #[test]
    fn an_overruling_needs_a_thing_and_a_reason() {
        let game = TestGame::of(MEN);
        let wrong = |text: &str| ruling(&game, text).unwrap_err();
        assert_eq!(wrong("ann.hits 3"), LineMisfit::NoColon);
        assert_eq!(wrong("ann.hits 3:"), LineMisfit::NoReason);
        assert_eq!(wrong("ann.hits 3:  "), LineMisfit::NoReason);
        assert_eq!(wrong(": he ducked"), LineMisfit::NothingOverruled);
        assert_eq!(wrong("ann was not there: so"), LineMisfit::Unchanged("ann".to_owned()));
        assert!(matches!(wrong("nobody.hits 3: so"), LineMisfit::Unread(_)));
        assert!(matches!(wrong("ann.hats 3: so"), LineMisfit::Unread(_)));
    }

    #[test]
    fn a_value_is_set_by_the_umpires_word() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let entry = game.session.overrule(" ann.hits 5: he: ducked ", 7).unwrap();
        assert_eq!((entry.number, entry.line.as_str()), (2, "overrule ann.hits 5: he: ducked"));
        assert_eq!(entry.reason.as_deref(), Some("he: ducked"));
        assert_eq!((game.value("ann.hits").as_str(), game.value("bob.hits").as_str()), ("5", "0"));
        assert_eq!(game.session.log().last().unwrap().at, 7);
        let read = ruling(&game, "ann.hits 3: so").unwrap();
        assert!(read.takes_back.is_none() && read.puts_back.is_empty());
        assert_eq!((read.reason.as_str(), read.others), ("so", 0));
        // A ruling is a command like any other.
        game.session.undo(1, 0).unwrap();
        assert_eq!(game.value("ann.hits"), "2");
        let wrong = game.session.overrule("ann.hits 99: so", 0).unwrap_err();
        assert!(matches!(wrong, OverruleError::Line(_)), "{wrong:?}");
    }

    #[test]
    fn a_piece_is_put_back_to_what_it_was_before_the_last_command_that_changed_it() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        game.types("tell ann go on");
        game.types("both ann bob");
        game.types("hit bob");
        game.types("note so");
        let read = ruling(&game, "ann was not there: bob saw it").unwrap();
        assert_eq!(read.takes_back.as_ref().map(|entry| entry.number), Some(3));
        assert_eq!(read.others, 2);
        assert_eq!(read.reason, "bob saw it");
        assert_eq!(puts_back(&read), ["ann.hits 3 -> 2"]);
        // A ruling that is refused changes nothing.
        assert_eq!(game.value("ann.hits"), "3");
        let entry = game.session.overrule("ann was not there: bob saw it", 0).unwrap();
        assert_eq!(game.value("ann.hits"), "2");
        assert_eq!(
            (game.value("bob.hits").as_str(), game.value("ann.orders").as_str()),
            ("3", "go on")
        );
        assert_eq!(entry.line, "overrule ann was not there: bob saw it");
    }

    #[test]
    fn texts_lists_and_values_set_twice_are_put_back() {
        let mut game = TestGame::of(MEN);
        game.types("tell ann wait");
        game.types("tell ann go on");
        let read = ruling(&game, "ann did not hear: so").unwrap();
        assert_eq!(puts_back(&read), ["ann.orders go on -> wait", "ann.heard ann ann -> ann"]);
        game.session.overrule("ann did not hear: so", 0).unwrap();
        assert_eq!(
            (game.value("ann.orders").as_str(), game.value("ann.heard").as_str()),
            ("wait", "ann")
        );
        // If a command changes an attribute twice, the first change has the original value.
        game.types("hit bob");
        let ducked = ruling(&game, "bob ducked: so").unwrap();
        assert_eq!(puts_back(&ducked), ["bob.hits 2 -> 0"]);
        assert_eq!(ducked.others, 0);
    }

    #[test]
    fn what_came_later_stays() {
        let mut game = TestGame::of(MEN);
        game.types("both ann bob");
        game.types("set ann.orders wait");
        game.session.undo(1, 0).unwrap();
        // The order was undone, so the last command that changed the piece is the one before it.
        let read = ruling(&game, "ann ducked: so").unwrap();
        assert_eq!(puts_back(&read), ["ann.hits 1 -> 0"]);
        game.types("remove ann");
        assert!(matches!(ruling(&game, "ann ducked: so"), Err(LineMisfit::Unread(_))));
    }

    #[test]
    fn an_overruling_is_amended_as_one() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        game.session.overrule("ann.hits 5: so", 0).unwrap();
        let plan = game.session.plan_amend(2, "overrule ann.hits 7: no", &Default::default());
        game.session.amend(&plan.unwrap(), 0).unwrap();
        assert_eq!(game.value("ann.hits"), "7");
        let entry: &Entry = &game.session.entries()[1];
        assert_eq!(entry.reason.as_deref(), Some("no"));
        let last = game.session.log().last().unwrap();
        assert!(matches!(last.what, Record::Amend(_)));
        assert!(matches!(last.steps.as_slice(), [HistoryStep::Amendment(_)]));
        assert_eq!(game.session.verify().mismatch, None);
    }
}
