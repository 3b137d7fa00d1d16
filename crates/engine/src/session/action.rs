//! The action of a command as the journal stores it, with the names of rules, pieces and values.
//!
//! A record stores the meaning of a line in addition to the line. A command is resolved again if an
//! earlier one is amended or the session is verified. The meaning then stays the same, even if a
//! new piece has a similar name or a later program parses the line differently.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::language::compile::sweep_filter_kinds;
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, Type};
use crate::referee::{Action, Referee};
use crate::tabletop::{Argument, ChangeError, PieceSetup, Tabletop, Value};

/// The recorded form of an action, which refers to rules, pieces and values by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RecordedAction {
    /// A rule is called.
    Rule {
        /// The name of the rule.
        rule: String,
        /// The values that were given for parameters, by the names of the parameters.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        given: BTreeMap<String, RecordedValue>,
        /// The names of the pieces that the sweep is narrowed to, in the order of its sources;
        /// empty if it isn't narrowed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        only: Vec<String>,
    },
    /// The next phase begins.
    #[default]
    Next,
    /// Dice are rolled outside any rule.
    Roll {
        /// The dice, in dice notation.
        dice: Vec<String>,
        /// True if only the umpire sees the results.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        secret: bool,
    },
    /// A piece is added.
    Add {
        /// The kind of the piece.
        kind: String,
        /// The name of the piece; empty for an automatic name.
        name: String,
        /// The attributes that are given values, with these values.
        values: Vec<(String, RecordedValue)>,
    },
    /// The umpire sets attributes of one or several pieces.
    Set {
        /// The kind of the pieces.
        kind: String,
        /// The name of the piece, or of the first one.
        piece: String,
        /// The names of the other pieces of this kind that are given the same values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<String>,
        /// The attributes that are set, with their new values.
        values: Vec<(String, RecordedValue)>,
    },
    /// A piece is removed.
    Remove {
        /// The kind of the piece.
        kind: String,
        /// The name of the piece.
        piece: String,
    },
    /// A note for the transcript.
    Note(String),
    /// A side writes orders, or its orders are revealed.
    Order {
        /// The side that the orders belong to.
        side: Value,
        /// The text of the orders; `None` if the side's orders are revealed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
}

/// A value in a recorded action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedValue {
    /// One value.
    One(Value),
    /// The members of a list.
    Many(Vec<Value>),
    /// The names of pieces that may not exist yet.
    Named(Vec<String>),
}

/// The reason why a recorded action cannot be carried out with the current rules and table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The rules have no rule, kind, attribute or parameter with this name.
    #[error("the rules have no {0} `{1}`")]
    Unknown(&'static str, String),
    /// The table has no such piece or value, or has a different one.
    #[error(transparent)]
    Value(#[from] ChangeError),
    /// The text is not dice notation.
    #[error("`{0}` is not dice notation")]
    Dice(String),
    /// The game has no sides.
    #[error("this game has no sides that write orders")]
    NoSides,
}

fn no_such(what: &'static str, name: &str) -> ActionError {
    ActionError::Unknown(what, name.to_owned())
}

impl RecordedAction {
    /// Returns the recorded form of an action, with the names that its pieces and values have on
    /// the table.
    pub(super) fn of(action: &Action, referee: &Referee, table: &Tabletop) -> RecordedAction {
        let schema = &referee.ruleset().schema;
        let kind_name = |kind: KindId| schema.kind(kind).name.clone();
        let values = |kind: KindId, values: &[(usize, Argument)]| {
            let attributes = &schema.kind(kind).attributes;
            let known = values.iter().filter_map(|(index, given)| {
                let attribute = attributes.get(*index)?;
                Some((attribute.name.clone(), RecordedValue::of(given, attribute.ty, table)))
            });
            known.collect()
        };
        match action {
            Action::Rule { rule, arguments, only } => {
                let rule = &schema.rules[rule.index()];
                let given = rule.params.iter().zip(arguments).filter_map(|(param, given)| {
                    let given = RecordedValue::of(given.as_ref()?, param.ty, table);
                    Some((param.name.clone(), given))
                });
                let narrowed = sweep_filter_kinds(schema, rule).into_iter().zip(only);
                RecordedAction::Rule {
                    rule: rule.name.clone(),
                    given: given.collect(),
                    only: narrowed.map(|(kind, row)| table.piece_name(kind, *row)).collect(),
                }
            }
            Action::Next => RecordedAction::Next,
            Action::Roll { dice, secret } => RecordedAction::Roll {
                dice: dice.iter().map(ToString::to_string).collect(),
                secret: *secret,
            },
            Action::Add(piece) => RecordedAction::Add {
                kind: kind_name(piece.kind),
                name: piece.name.clone(),
                values: values(piece.kind, &piece.values),
            },
            Action::Set { kind, rows, values: given } => {
                let mut names = rows.iter().map(|&row| table.piece_name(*kind, row));
                RecordedAction::Set {
                    kind: kind_name(*kind),
                    piece: names.next().unwrap_or_default(),
                    others: names.collect(),
                    values: values(*kind, given),
                }
            }
            Action::Remove(kind, row) => RecordedAction::Remove {
                kind: kind_name(*kind),
                piece: table.piece_name(*kind, *row),
            },
            Action::Note(words) => RecordedAction::Note(words.clone()),
            Action::Order { side, text } => RecordedAction::Order {
                side: schema.sides.map_or(Value::Whole(*side), |ty| table.to_value(ty, *side)),
                text: text.clone(),
            },
        }
    }

    /// Returns the action, after looking up the recorded names in the rules and on a table.
    ///
    /// # Errors
    /// Fails if a name refers to nothing in the rules or on the table, if the dice can't be parsed,
    /// or if orders are given in a game without sides.
    pub(crate) fn to_action(
        &self,
        referee: &Referee,
        table: &Tabletop,
    ) -> Result<Action, ActionError> {
        let schema = &referee.ruleset().schema;
        let kind_of = |name: &String| schema.kind_named(name).ok_or_else(|| no_such("kind", name));
        let values = |kind: KindId, values: &[(String, RecordedValue)]| {
            let attributes = &schema.kind(kind).attributes;
            let mut read = Vec::new();
            for (name, value) in values {
                let index = attributes.index_of(name).ok_or_else(|| no_such("attribute", name))?;
                read.push((index, value.to_argument(attributes[index].ty, table)?));
            }
            Ok::<_, ActionError>(read)
        };
        match self {
            RecordedAction::Rule { rule: name, given, only } => {
                let rule = schema.rule_named(name).ok_or_else(|| no_such("rule", name))?;
                let text: &RuleText = &schema.rules[rule.index()];
                let mut unknown =
                    given.keys().filter(|key| text.params.iter().all(|param| param.name != **key));
                if let Some(key) = unknown.next() {
                    return Err(no_such("parameter", key));
                }
                let mut arguments = Vec::new();
                for param in &text.params {
                    let value = given.get(&param.name);
                    arguments
                        .push(value.map(|value| value.to_argument(param.ty, table)).transpose()?);
                }
                let mut rows = Vec::new();
                for (kind, piece) in sweep_filter_kinds(schema, text).into_iter().zip(only) {
                    let (_, row) = table.piece_named(&schema.kind(kind).name, piece)?;
                    rows.push(row);
                }
                Ok(Action::Rule { rule, arguments, only: rows })
            }
            RecordedAction::Next => Ok(Action::Next),
            RecordedAction::Roll { dice, secret } => {
                let parsed = dice.iter().map(|text| {
                    adjutant_dice::parse(text).map_err(|_| ActionError::Dice(text.clone()))
                });
                Ok(Action::Roll { dice: parsed.collect::<Result<_, _>>()?, secret: *secret })
            }
            RecordedAction::Add { kind, name, values: given } => {
                let kind = kind_of(kind)?;
                let values = values(kind, given)?;
                Ok(Action::Add(PieceSetup { kind, name: name.clone(), values }))
            }
            RecordedAction::Set { kind: name, piece, others, values: given } => {
                let (kind, first) = table.piece_named(name, piece)?;
                let mut rows = vec![first];
                for other in others {
                    rows.push(table.piece_named(name, other)?.1);
                }
                Ok(Action::Set { kind, rows, values: values(kind, given)? })
            }
            RecordedAction::Remove { kind, piece } => {
                let (kind, row) = table.piece_named(kind, piece)?;
                Ok(Action::Remove(kind, row))
            }
            RecordedAction::Note(words) => Ok(Action::Note(words.clone())),
            RecordedAction::Order { side, text } => {
                let sides = schema.sides.ok_or(ActionError::NoSides)?;
                Ok(Action::Order { side: table.resolve_value(sides, side)?, text: text.clone() })
            }
        }
    }
}

impl RecordedValue {
    fn of(given: &Argument, ty: Type, table: &Tabletop) -> RecordedValue {
        match given {
            Argument::Value(value) => RecordedValue::One(table.to_value(ty, *value)),
            Argument::Text(words) => RecordedValue::One(Value::Text(words.clone())),
            Argument::Members(members) => {
                let member = ty.member_or_self();
                let values = members.iter().map(|&m| table.to_value(member, i64::from(m)));
                RecordedValue::Many(values.collect())
            }
            Argument::Named(names) => RecordedValue::Named(names.clone()),
        }
    }

    fn to_argument(&self, ty: Type, table: &Tabletop) -> Result<Argument, ActionError> {
        match self {
            RecordedValue::One(Value::Text(words)) if ty == Type::Text => {
                Ok(Argument::Text(words.clone()))
            }
            RecordedValue::One(value) => Ok(Argument::Value(table.resolve_value(ty, value)?)),
            RecordedValue::Many(values) => {
                Ok(Argument::Members(table.resolve_members(ty.member_or_self(), values)?))
            }
            RecordedValue::Named(names) => Ok(Argument::Named(names.clone())),
        }
    }
}
