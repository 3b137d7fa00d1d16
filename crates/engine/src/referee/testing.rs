//! A referee with a table, for unit tests: it loads rules from a text and resolves one action after
//! another.

use std::sync::Arc;

use super::{Action, Dice, Event, Inputs, Outcome, Referee, SeenTable, Viewer};
use crate::language::machine::Halt;
use crate::language::schema::{KindId, Type};
use crate::ruleset::{FileText, Ruleset, load};
use crate::tabletop::{Argument, Change, PieceSetup, Tabletop, Value, join_values};
use adjutant_dice::ScriptedSource;

/// Returns the only file of a ruleset with these rules and a title.
pub(crate) fn ruleset_files(rules: &str) -> Vec<FileText> {
    let text = format!("[game]\ntitle = \"Trial\"\n{rules}");
    vec![FileText { name: "trial.toml".into(), text, scenario: None }]
}

/// Loads a ruleset with these rules and a title. Panics if it has faults.
pub(crate) fn load_ruleset(rules: &str) -> Arc<Ruleset> {
    match load(ruleset_files(rules)) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(faulty) => panic!("{:?}", faulty.faults),
    }
}

/// A table for tests, on which actions are resolved and immediately applied.
pub(crate) struct Trial {
    pub(crate) referee: Referee,
    pub(crate) table: Tabletop,
    /// The outcome of the last action.
    pub(crate) outcome: Outcome,
    /// The faces for the dice of the next action.
    pub(crate) faces: Vec<u32>,
    /// True if the umpire overrides refusals.
    pub(crate) insist: bool,
}

impl Trial {
    /// Sets up the first scenario of these rules.
    pub(crate) fn set_up(rules: &str) -> Trial {
        let referee = Referee::new(load_ruleset(rules));
        let scenario = referee.ruleset().scenarios[0].clone();
        let (table, outcome) = referee.set_up(&scenario, &Inputs::without_dice()).unwrap();
        Trial { referee, table, outcome, faces: Vec::new(), insist: false }
    }

    /// Resolves an action with the faces in `faces`, and applies its changes.
    pub(crate) fn act(&mut self, action: &Action) -> Result<&Outcome, Halt> {
        let faces = std::mem::take(&mut self.faces);
        let dice = Dice::Scripted(ScriptedSource::new(faces));
        let inputs = Inputs { insist: self.insist, ..Inputs::with_dice(dice) };
        self.outcome = self.referee.resolve(&self.table, action, &inputs)?;
        self.outcome.apply(&mut self.table).unwrap();
        Ok(&self.outcome)
    }

    /// Returns the call of a rule, with an argument for each of its first parameters.
    pub(crate) fn rule_action(&mut self, name: &str, arguments: &[&str]) -> Action {
        let schema = self.table.schema().clone();
        let rule = schema.rule_named(name).unwrap();
        let params = schema.rules[rule.index()].params.iter();
        let given = params
            .zip(arguments)
            .map(|(p, text)| Some(parse_argument(&mut self.table, p.ty, text)));
        Action::Rule { rule, arguments: given.collect(), only: Vec::new() }
    }

    /// Returns the action that sets the attribute `piece.attribute`.
    pub(crate) fn set_action(&mut self, spot: &str, value: &str) -> Action {
        let (piece, attribute) = spot.split_once('.').unwrap();
        let (kind, row) = self.find_piece(piece);
        let index = self.table.schema().kind(kind).attributes.index_of(attribute).unwrap();
        let ty = self.table.schema().kind(kind).attributes[index].ty;
        let values = vec![(index, parse_argument(&mut self.table, ty, value))];
        Action::Set { kind, rows: vec![row], values }
    }

    /// Returns the action that adds a piece with these attributes.
    pub(crate) fn add_action(&mut self, kind: &str, name: &str, values: &[(&str, &str)]) -> Action {
        let schema = self.table.schema().clone();
        let id = schema.kind_named(kind).unwrap();
        let attributes = &schema.kind(id).attributes;
        let mut all = Vec::new();
        for (attribute, value) in values {
            let index = attributes.index_of(attribute).unwrap();
            all.push((index, parse_argument(&mut self.table, attributes[index].ty, value)));
        }
        Action::Add(PieceSetup { kind: id, name: name.to_owned(), values: all })
    }

    /// Calls a rule, and returns its events as short texts.
    pub(crate) fn call_rule(&mut self, rule: &str, arguments: &[&str]) -> Vec<String> {
        let action = self.rule_action(rule, arguments);
        event_texts(self.act(&action).unwrap())
    }

    /// Calls a rule with these faces, and returns its events as short texts.
    pub(crate) fn call_with_faces(
        &mut self,
        faces: &[u32],
        rule: &str,
        arguments: &[&str],
    ) -> Vec<String> {
        self.faces = faces.to_vec();
        self.call_rule(rule, arguments)
    }

    /// Begins the next phase, and returns its events as short texts.
    pub(crate) fn next_phase(&mut self) -> Vec<String> {
        event_texts(self.act(&Action::Next).unwrap())
    }

    /// Sets the attribute `piece.attribute`.
    pub(crate) fn set_attribute(&mut self, spot: &str, value: &str) {
        let action = self.set_action(spot, value);
        self.act(&action).unwrap();
    }

    /// Returns the reason why a call of a rule is refused.
    pub(crate) fn refusal_reason(&mut self, rule: &str, arguments: &[&str]) -> String {
        let action = self.rule_action(rule, arguments);
        match self.act(&action) {
            Err(Halt::Refused(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Stores the written orders of a side.
    pub(crate) fn write_orders(&mut self, side: &str, words: &str) {
        let side = self.referee.side_value(&self.table, side);
        self.act(&Action::Order { side, text: Some(words.to_owned()) }).unwrap();
    }

    /// Returns the kind and row of a piece by its name.
    pub(crate) fn find_piece(&self, name: &str) -> (KindId, u32) {
        match name {
            "state" => (crate::language::schema::STATE_KIND, 0),
            _ => self.table.find(name).unwrap(),
        }
    }

    /// Returns the value of the attribute `piece.attribute` in words.
    pub(crate) fn attribute_text(&self, spot: &str) -> String {
        value_on(&self.referee, &self.table, spot)
    }

    /// Returns the viewer of this game with this name, or the side with this name if there is no
    /// such viewer.
    fn viewer(&self, name: &str) -> Viewer {
        let viewers = self.referee.viewers(&self.table);
        let found = viewers.into_iter().find(|(known, _)| known == name);
        found.map_or_else(|| parse_viewer(name), |(_, viewer)| viewer)
    }

    /// Returns the events of the last action that a viewer saw, as short texts.
    pub(crate) fn seen_events(&self, viewer: &str) -> Vec<String> {
        let viewer = self.viewer(viewer);
        event_texts(&self.referee.seen_outcome(&self.table, &self.outcome, &viewer).outcome)
    }

    /// Returns true if a viewer may see the line of the last action.
    pub(crate) fn line_is_seen(&self, viewer: &str) -> bool {
        self.referee.seen_outcome(&self.table, &self.outcome, &self.viewer(viewer)).line
    }

    /// Returns the table as a viewer sees it.
    pub(crate) fn seen_table(&self, viewer: &str) -> SeenTable {
        self.referee.seen_table(&self.table, &self.viewer(viewer))
    }

    /// Returns the value of the attribute `piece.attribute` as a viewer sees it; `None` if the
    /// viewer does not see the piece.
    pub(crate) fn value_for(&self, viewer: &str, spot: &str) -> Option<String> {
        let sight = self.seen_table(viewer);
        let (piece, _) = spot.split_once('.').unwrap();
        (piece == "state" || sight.table.find(piece).is_some())
            .then(|| value_on(&self.referee, &sight.table, spot))
    }
}

/// Returns a viewer by name: `umpire`, `players` or a side.
pub(crate) fn parse_viewer(name: &str) -> Viewer {
    match name {
        "umpire" => Viewer::Umpire,
        "players" => Viewer::Players,
        side => Viewer::Side(side.to_owned()),
    }
}

/// Returns the value of the attribute `piece.attribute` in words.
pub(crate) fn value_on(referee: &Referee, table: &Tabletop, spot: &str) -> String {
    let (piece, attribute) = spot.split_once('.').unwrap();
    let (kind, row) = match piece {
        "state" => (crate::language::schema::STATE_KIND, 0),
        _ => table.find(piece).unwrap(),
    };
    let index = table.schema().kind(kind).attributes.index_of(attribute).unwrap();
    referee.attribute_text(table, kind, row, index).unwrap()
}

/// Parses a value of this type. The members of a list are separated by spaces.
fn parse_argument(table: &mut Tabletop, ty: Type, text: &str) -> Argument {
    match ty {
        Type::Text => Argument::Text(text.to_owned()),
        Type::List(of) => {
            let members =
                text.split_whitespace().map(|member| parse_value(table, of.member_type(), member));
            Argument::Members(members.map(|member| u32::try_from(member).unwrap()).collect())
        }
        _ => Argument::Value(parse_value(table, ty, text)),
    }
}

fn parse_value(table: &mut Tabletop, ty: Type, text: &str) -> i64 {
    let value = match (ty, text) {
        (Type::Piece(_), "none") => Value::Nothing,
        (Type::Flag, _) => Value::Flag(text == "yes"),
        (Type::Whole, _) => Value::Whole(text.parse().unwrap()),
        _ => Value::Text(text.to_owned()),
    };
    table.intern_value(ty, &value).unwrap()
}

/// Returns the events of an outcome as short texts, without the values of sweep names.
pub(crate) fn event_texts(outcome: &Outcome) -> Vec<String> {
    outcome.events.iter().filter_map(event_text).collect()
}

fn event_text(event: &Event) -> Option<String> {
    Some(match event {
        Event::Call { rule, .. } => format!("call {rule}"),
        Event::End => "end".to_owned(),
        Event::Bound(_) => return None,
        Event::Phase { turn, phase, side, skipped, .. } => {
            let side = side.as_ref().map_or(String::new(), |side| format!(" {side}"));
            let skipped = if *skipped { " skipped" } else { "" };
            format!("turn {turn} {phase}{side}{skipped}")
        }
        Event::Check(check) => format!("check {}", check.label),
        Event::Rolled { written, shown, .. } => format!("{written} {shown}"),
        Event::Taken { what, .. } => format!("taken {what}"),
        Event::Shuffled { deck, .. } => format!("shuffled {deck}"),
        Event::Asked { question, answer, .. } => format!("{question} {answer}"),
        Event::Said(words) => words.clone(),
        Event::SaidTo { to, words } => format!("to {to:?}: {words}"),
        Event::Ended { words, .. } => format!("ended {words}"),
        Event::Instructed(words) => format!("on the table: {words}"),
        Event::Reminded(words) => format!("remember {words}"),
        Event::Insisted(reason) => format!("insisted {reason}"),
        Event::Changed { change, .. } => change_text(change),
    })
}

/// Returns a change as a short text.
pub(crate) fn change_text(change: &Change) -> String {
    match change {
        Change::Set { of, old, new } => format!("{}.{} {old} -> {new}", of.piece, of.attribute),
        Change::List { of, old, new } => {
            format!("{}.{} {} -> {}", of.piece, of.attribute, join_values(old), join_values(new))
        }
        Change::Deck { deck, .. } => format!("deck {deck}"),
        Change::Made { kind, piece } => format!("made {kind} {piece}"),
        Change::Removed { kind, piece } => format!("removed {kind} {piece}"),
    }
}
