//! A referee at a table, for unit tests: rules from a text, then one action after the other.

use std::sync::Arc;

use super::{Action, Dice, Event, Inputs, Outcome, Referee, Sight, Viewer};
use crate::language::machine::Halt;
use crate::language::schema::{KindId, Type};
use crate::ruleset::{FileText, Ruleset, load};
use crate::tabletop::{Argument, Change, PieceSetup, Tabletop, Value, joined};
use adjutant_dice::Scripted;

/// Returns the file of a ruleset; its title is added.
pub(crate) fn files(rules: &str) -> Vec<FileText> {
    let text = format!("[game]\ntitle = \"Trial\"\n{rules}");
    vec![FileText { name: "trial.toml".into(), text, scenario: None }]
}

/// Loads a ruleset.
pub(crate) fn ruleset(rules: &str) -> Arc<Ruleset> {
    match load(files(rules)) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(faulty) => panic!("{:?}", faulty.faults),
    }
}

/// A table on which actions are resolved, and each is made when it is resolved.
pub(crate) struct Trial {
    pub(crate) referee: Referee,
    pub(crate) table: Tabletop,
    /// The outcome of the last action.
    pub(crate) outcome: Outcome,
    /// The faces that are rolled next.
    pub(crate) faces: Vec<u32>,
    /// True if the umpire insists.
    pub(crate) insist: bool,
}

impl Trial {
    /// Sets out the first scenario of these rules.
    pub(crate) fn of(rules: &str) -> Trial {
        let referee = Referee::new(ruleset(rules));
        let scenario = referee.ruleset().scenarios[0].clone();
        let (table, outcome) = referee.set_out(&scenario, &Inputs::none()).unwrap();
        Trial { referee, table, outcome, faces: Vec::new(), insist: false }
    }

    /// Resolves an action with the faces that were given, and makes its changes.
    pub(crate) fn act(&mut self, action: &Action) -> Result<&Outcome, Halt> {
        let faces = std::mem::take(&mut self.faces);
        let dice = Dice::Scripted(Scripted::new(faces));
        let inputs = Inputs { insist: self.insist, ..Inputs::of(dice) };
        self.outcome = self.referee.resolve(&self.table, action, &inputs)?;
        self.outcome.apply(&mut self.table).unwrap();
        Ok(&self.outcome)
    }

    /// Returns the call of a rule, with an argument for each of its first parameters.
    pub(crate) fn rule(&mut self, name: &str, arguments: &[&str]) -> Action {
        let schema = self.table.schema().clone();
        let rule = schema.rule_named(name).unwrap();
        let params = schema.rules[rule.index()].params.iter();
        let given = params.zip(arguments).map(|(p, text)| Some(given(&mut self.table, p.ty, text)));
        Action::Rule { rule, arguments: given.collect(), only: Vec::new() }
    }

    /// Returns the action that sets an attribute, named `piece.attribute`.
    pub(crate) fn setting(&mut self, spot: &str, value: &str) -> Action {
        let (piece, attribute) = spot.split_once('.').unwrap();
        let (kind, row) = self.piece(piece);
        let place = self.table.schema().kind(kind).attributes.index_of(attribute).unwrap();
        let ty = self.table.schema().kind(kind).attributes[place].ty;
        Action::Set { kind, row, values: vec![(place, given(&mut self.table, ty, value))] }
    }

    /// Returns the action that sets out a piece with these attributes.
    pub(crate) fn adding(&mut self, kind: &str, name: &str, values: &[(&str, &str)]) -> Action {
        let schema = self.table.schema().clone();
        let id = schema.kind_named(kind).unwrap();
        let attributes = &schema.kind(id).attributes;
        let mut all = Vec::new();
        for (attribute, value) in values {
            let place = attributes.index_of(attribute).unwrap();
            all.push((place, given(&mut self.table, attributes[place].ty, value)));
        }
        Action::Add(PieceSetup { kind: id, name: name.to_owned(), values: all })
    }

    /// Calls a rule and returns what happened.
    pub(crate) fn call(&mut self, rule: &str, arguments: &[&str]) -> Vec<String> {
        let action = self.rule(rule, arguments);
        told(self.act(&action).unwrap())
    }

    /// Calls a rule with these faces.
    pub(crate) fn throw(&mut self, faces: &[u32], rule: &str, arguments: &[&str]) -> Vec<String> {
        self.faces = faces.to_vec();
        self.call(rule, arguments)
    }

    /// Goes on to the next phase.
    pub(crate) fn next(&mut self) -> Vec<String> {
        told(self.act(&Action::Next).unwrap())
    }

    /// Sets an attribute, named `piece.attribute`.
    pub(crate) fn set(&mut self, spot: &str, value: &str) {
        let action = self.setting(spot, value);
        self.act(&action).unwrap();
    }

    /// Returns the reason for which a call of a rule is refused.
    pub(crate) fn refused(&mut self, rule: &str, arguments: &[&str]) -> String {
        let action = self.rule(rule, arguments);
        match self.act(&action) {
            Err(Halt::Refused(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Writes down orders of a side.
    pub(crate) fn order(&mut self, side: &str, words: &str) {
        let side = self.referee.side_value(&self.table, side);
        self.act(&Action::Order { side, text: Some(words.to_owned()) }).unwrap();
    }

    /// Returns the kind and row of a piece by its name.
    pub(crate) fn piece(&self, name: &str) -> (KindId, u32) {
        match name {
            "state" => (crate::language::schema::STATE, 0),
            _ => self.table.find(name).unwrap(),
        }
    }

    /// Returns the value of an attribute in words.
    pub(crate) fn value(&self, spot: &str) -> String {
        value_on(&self.referee, &self.table, spot)
    }

    /// Returns what a viewer saw of the last action.
    pub(crate) fn seen(&self, viewer: &str) -> Vec<String> {
        told(&self.referee.seen(&self.table, &self.outcome, &viewing(viewer)).outcome)
    }

    /// Returns true if a viewer may read the line of the last action.
    pub(crate) fn line_is_seen(&self, viewer: &str) -> bool {
        self.referee.seen(&self.table, &self.outcome, &viewing(viewer)).line
    }

    /// Returns the table as a viewer sees it.
    pub(crate) fn sight(&self, viewer: &str) -> Sight {
        self.referee.sight(&self.table, &viewing(viewer))
    }

    /// Returns the value of an attribute as a viewer sees it; `None` if the piece is not seen.
    pub(crate) fn value_for(&self, viewer: &str, spot: &str) -> Option<String> {
        let sight = self.sight(viewer);
        let (piece, _) = spot.split_once('.').unwrap();
        (piece == "state" || sight.table.find(piece).is_some())
            .then(|| value_on(&self.referee, &sight.table, spot))
    }
}

/// Returns a viewer by name: `umpire`, `players` or a side.
pub(crate) fn viewing(name: &str) -> Viewer {
    match name {
        "umpire" => Viewer::Umpire,
        "players" => Viewer::Players,
        side => Viewer::Side(side.to_owned()),
    }
}

/// Returns the value of an attribute, named `piece.attribute`, in words.
pub(crate) fn value_on(referee: &Referee, table: &Tabletop, spot: &str) -> String {
    let (piece, attribute) = spot.split_once('.').unwrap();
    let (kind, row) = match piece {
        "state" => (crate::language::schema::STATE, 0),
        _ => table.find(piece).unwrap(),
    };
    let place = table.schema().kind(kind).attributes.index_of(attribute).unwrap();
    referee.attribute(table, kind, row, place).unwrap()
}

/// Reads a value; the members of a list are separated by spaces.
fn given(table: &mut Tabletop, ty: Type, text: &str) -> Argument {
    match ty {
        Type::Text => Argument::Text(text.to_owned()),
        Type::List(of) => {
            let members = text.split_whitespace().map(|member| value(table, of.member(), member));
            Argument::Members(members.map(|member| u32::try_from(member).unwrap()).collect())
        }
        _ => Argument::Value(value(table, ty, text)),
    }
}

fn value(table: &mut Tabletop, ty: Type, text: &str) -> i64 {
    let value = match (ty, text) {
        (Type::Piece(_), "none") => Value::Nothing,
        (Type::Flag, _) => Value::Flag(text == "yes"),
        (Type::Whole, _) => Value::Whole(text.parse().unwrap()),
        _ => Value::Text(text.to_owned()),
    };
    table.value_from(ty, &value).unwrap()
}

/// Returns the events of an outcome in short words, without the values of names of sweeps.
pub(crate) fn told(outcome: &Outcome) -> Vec<String> {
    outcome.events.iter().filter_map(event).collect()
}

fn event(event: &Event) -> Option<String> {
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
        Event::Ended { words, .. } => format!("ended {words}"),
        Event::Reminded(words) => format!("remember {words}"),
        Event::Insisted(reason) => format!("insisted {reason}"),
        Event::Changed { change, .. } => changed(change),
    })
}

/// Returns a change in short words.
pub(crate) fn changed(change: &Change) -> String {
    match change {
        Change::Set { of, old, new } => format!("{}.{} {old} -> {new}", of.piece, of.attribute),
        Change::List { of, old, new } => {
            format!("{}.{} {} -> {}", of.piece, of.attribute, joined(old), joined(new))
        }
        Change::Deck { deck, .. } => format!("deck {deck}"),
        Change::Made { kind, piece } => format!("made {kind} {piece}"),
        Change::Removed { kind, piece } => format!("removed {kind} {piece}"),
    }
}
