//! Changes to the table, in a form that uses names. They can be made, undone, saved and displayed.
//!
//! The number of a column is valid only for one compiled ruleset, but a name is valid for all
//! versions of the ruleset. Any program that has the ruleset can therefore read a change without
//! running a rule, and the change stays valid even if the ruleset is edited during the game.

use adjutant_dice::DiceValue;
use serde::{Deserialize, Serialize};

use super::Tabletop;
use crate::language::machine::World;
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, ColumnId, Element, KindId, KindRole, ListId, STATE_KIND, Schema,
    Type,
};

/// A value in the form used in changes, which refers to pieces and words by name. The type of the
/// attribute determines whether a text is a word, a name or free text.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(untagged, try_from = "serde_json::Value")]
pub enum Value {
    /// A flag.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A text, a word, the name of a piece or row, dice notation, or a fraction such as `7/2`.
    Text(String),
    /// No piece, or no word.
    Nothing,
}

/// Chooses the variant by the JSON type. An untagged enum would try one variant after another,
/// which would take a third of the time needed to resume a session.
impl TryFrom<serde_json::Value> for Value {
    type Error = &'static str;

    fn try_from(json: serde_json::Value) -> Result<Value, &'static str> {
        match json {
            serde_json::Value::Bool(flag) => Ok(Value::Flag(flag)),
            serde_json::Value::Number(n) => n.as_i64().map(Value::Whole).ok_or(NO_VALUE),
            serde_json::Value::String(words) => Ok(Value::Text(words)),
            serde_json::Value::Null => Ok(Value::Nothing),
            serde_json::Value::Array(_) | serde_json::Value::Object(_) => Err(NO_VALUE),
        }
    }
}

const NO_VALUE: &str = "expected a flag, a whole number, a text or null";

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            Value::Whole(n) => n.fmt(f),
            Value::Text(words) => f.write_str(words),
            Value::Nothing => f.write_str("none"),
        }
    }
}

/// The names of a kind, a piece and one of its attributes. The attribute is empty if the path
/// refers to the piece itself. A piece that reuses the name of a removed piece is written with a
/// number, such as `name#2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AttributePath {
    /// The name of the kind, which may be `state` or `option`, or `deck` in an inventory.
    pub kind: String,
    /// The name of the piece.
    pub piece: String,
    /// The name of the attribute.
    pub attribute: String,
}

/// The replacement of a range of members in a list or deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice<V = Value> {
    /// The index of the first member that is replaced.
    pub at: usize,
    /// The old members.
    pub old: Vec<V>,
    /// The new members.
    pub new: Vec<V>,
}

impl<V: Clone + PartialEq> Splice<V> {
    /// Returns the splice that turns `old` into `new`, without the members that they share at the
    /// beginning and the end.
    pub(crate) fn between(old: &[V], new: &[V]) -> Splice<V> {
        let at = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let old = &old[at..];
        let new = &new[at..];
        let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let inner = |all: &[V]| all[..all.len() - end].to_vec();
        Splice { at, old: inner(old), new: inner(new) }
    }
}

impl<V> Splice<V> {
    /// Returns the splice that reverses this one.
    pub(crate) fn inverse(self) -> Splice<V> {
        Splice { at: self.at, old: self.new, new: self.old }
    }

    /// Returns the splice with `each` applied to its members.
    pub(crate) fn map<W>(&self, each: impl Fn(&V) -> W) -> Splice<W> {
        let all = |members: &[V]| members.iter().map(&each).collect();
        Splice { at: self.at, old: all(&self.old), new: all(&self.new) }
    }
}

/// One change to the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// An attribute with a single value was set.
    Set {
        /// The attribute that was set.
        #[serde(flatten)]
        of: AttributePath,
        /// The old value.
        old: Value,
        /// The new value.
        new: Value,
    },
    /// An attribute with a list of values was set.
    List {
        /// The attribute that was set.
        #[serde(flatten)]
        of: AttributePath,
        /// The old members.
        old: Vec<Value>,
        /// The new members.
        new: Vec<Value>,
    },
    /// The members of a deck or cup changed.
    Deck {
        /// The name of the deck.
        deck: String,
        /// The range of members that changed.
        #[serde(flatten)]
        splice: Splice,
    },
    /// A piece was added.
    Made {
        /// The kind of the piece.
        kind: String,
        /// The name of the piece.
        piece: String,
    },
    /// A piece was removed.
    Removed {
        /// The kind of the piece.
        kind: String,
        /// The name of the piece.
        piece: String,
    },
}

impl Change {
    /// Returns the change that reverses this one.
    pub(crate) fn inverse(&self) -> Change {
        match self.clone() {
            Change::Set { of, old, new } => Change::Set { of, old: new, new: old },
            Change::List { of, old, new } => Change::List { of, old: new, new: old },
            Change::Deck { deck, splice } => Change::Deck { deck, splice: splice.inverse() },
            Change::Made { kind, piece } => Change::Removed { kind, piece },
            Change::Removed { kind, piece } => Change::Made { kind, piece },
        }
    }

    /// Returns the kind and the name of the changed piece; `None` for a deck.
    pub(crate) fn piece(&self) -> Option<(&str, &str)> {
        match self {
            Change::Set { of, .. } | Change::List { of, .. } => Some((&of.kind, &of.piece)),
            Change::Made { kind, piece } | Change::Removed { kind, piece } => Some((kind, piece)),
            Change::Deck { .. } => None,
        }
    }

    /// Returns the changed attribute, if any.
    pub(crate) fn attribute_path(&self) -> Option<&AttributePath> {
        match self {
            Change::Set { of, .. } | Change::List { of, .. } => Some(of),
            Change::Made { .. } | Change::Removed { .. } | Change::Deck { .. } => None,
        }
    }
}

/// The attribute index that refers to the piece itself, not to an attribute.
pub const WHOLE_PIECE: usize = usize::MAX;

/// The reason why a recorded change or value does not fit a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// Nothing of this type (such as `kind`) has this name.
    #[error("there is no {0} `{1}`")]
    Unknown(String, String),
    /// The kind has no such attribute, or stores it differently.
    #[error("a {0} has no `{1}` of that type")]
    Attribute(String, String),
    /// The value does not have this type, which is given in words.
    #[error("`{0}` is not {1}")]
    Type(Value, String),
    /// The deck does not have the members to be replaced at the position in the change.
    #[error("a list differs from the one in the change")]
    Splice,
    /// The piece cannot be added.
    #[error(transparent)]
    Piece(#[from] super::PieceError),
    /// The texts of the game take up more memory than is allowed.
    #[error("this game has too much text to store")]
    Room,
}

impl Attribute {
    /// Returns the name that the attribute gives to a number; `None` if the number has no name, or
    /// if the value is not a whole number.
    pub(crate) fn name_of_value(&self, value: &Value) -> Option<&str> {
        if let Value::Whole(n) = value { self.name_of_number(*n) } else { None }
    }
}

impl Schema {
    /// Returns the attribute at a path; `None` if there is no such kind or attribute.
    pub(crate) fn attribute_at(&self, of: &AttributePath) -> Option<&Attribute> {
        self.kind(self.kind_named(&of.kind)?).attribute(&of.attribute)
    }

    /// Returns the type of the members of a list or deck.
    fn member_type(&self, list: ListId) -> Type {
        match self.list_attribute(list).map(|a| a.ty) {
            Some(Type::List(element)) => element.member_type(),
            Some(ty) => ty,
            None => {
                let deck = self.decks.iter().find(|d| d.list == list);
                deck.map_or(Type::Whole, |d| Element::Piece(d.of).member_type())
            }
        }
    }
}

impl Tabletop {
    /// Returns the name of a piece or row in the form used in changes.
    pub(crate) fn piece_name(&self, kind: KindId, row: u32) -> String {
        let name = self.name(kind, row);
        match self.schema.kind(kind).role {
            KindRole::Pieces => match self.namesake_number(kind, row) {
                1 => name.to_owned(),
                nth => format!("{name}#{nth}"),
            },
            KindRole::List | KindRole::Single => name.to_owned(),
        }
    }

    /// Finds a kind and a row by their names in the form used in changes.
    pub(crate) fn piece_named(
        &self,
        kind: &str,
        piece: &str,
    ) -> Result<(KindId, u32), ChangeError> {
        let id = self.schema.kind_named(kind).ok_or_else(|| unknown_error("kind", kind))?;
        Ok((id, self.row_named(id, piece)?))
    }

    fn row_named(&self, kind: KindId, piece: &str) -> Result<u32, ChangeError> {
        let of = self.schema.kind(kind);
        let found = match of.role {
            KindRole::Pieces => match piece.rsplit_once('#') {
                Some((name, nth)) => {
                    nth.parse().ok().and_then(|nth| self.find_namesake(kind, name, nth))
                }
                None => self.find_namesake(kind, piece, 1),
            },
            KindRole::List => of.row(piece),
            KindRole::Single => Some(0),
        };
        found.ok_or_else(|| unknown_error(&of.name, piece))
    }

    /// Converts a stored value of this type to the form used in changes.
    pub(crate) fn to_value(&self, ty: Type, value: i64) -> Value {
        match ty {
            Type::Number => match Number::from_bits(value) {
                n if n.denominator() == 1 => Value::Whole(n.numerator()),
                n => Value::Text(format!("{}/{}", n.numerator(), n.denominator())),
            },
            Type::Dice => match DiceValue::from_bits(value) {
                dice if dice.count == 0 => Value::Whole(dice.fixed),
                dice => Value::Text(dice.to_string()),
            },
            Type::Flag => Value::Flag(value != 0),
            Type::Word(set) => match self.schema.word_set(set).word(value) {
                Some(word) => Value::Text(word.to_owned()),
                None => Value::Nothing,
            },
            Type::Piece(kind) => match u32::try_from(value) {
                Ok(row) => Value::Text(self.piece_name(kind, row)),
                Err(_) => Value::Nothing,
            },
            Type::Text => Value::Text(self.text(value).to_owned()),
            Type::Whole | Type::List(_) | Type::Nothing | Type::Unknown => Value::Whole(value),
        }
    }

    /// Converts a value from the form used in changes to its stored form. Adds a text to the store
    /// if it is new.
    pub(crate) fn intern_value(&mut self, ty: Type, value: &Value) -> Result<i64, ChangeError> {
        match (ty, value) {
            (Type::Text, Value::Text(words)) => self.intern(words).ok_or(ChangeError::Room),
            _ => self.resolve_value(ty, value),
        }
    }

    /// Converts a value from the form used in changes to its stored form. Fails for texts, because
    /// a new text would have to be added to the store.
    pub(crate) fn resolve_value(&self, ty: Type, value: &Value) -> Result<i64, ChangeError> {
        let wrong = || ChangeError::Type(value.clone(), self.schema.type_name(ty));
        match (ty, value) {
            (Type::Number, Value::Whole(n)) => {
                Number::whole(*n).map(Number::to_bits).ok_or_else(wrong)
            }
            (Type::Number, Value::Text(text)) => {
                Number::parse(text).map(Number::to_bits).ok_or_else(wrong)
            }
            (Type::Dice, Value::Whole(_) | Value::Text(_)) => {
                DiceValue::parse(&value.to_string()).map(DiceValue::to_bits).map_err(|_| wrong())
            }
            (Type::Flag, Value::Flag(flag)) => Ok(i64::from(*flag)),
            (Type::Word(set), Value::Text(word)) => {
                let index = self.schema.word_set(set).index_of(word);
                index.ok_or_else(|| unknown_error("word", word))
            }
            (Type::Piece(_) | Type::Word(_), Value::Nothing) => Ok(-1),
            (Type::Piece(kind), Value::Text(name)) => self.row_named(kind, name).map(i64::from),
            (Type::Whole | Type::Unknown | Type::Nothing | Type::List(_), Value::Whole(n)) => {
                Ok(*n)
            }
            _ => Err(wrong()),
        }
    }

    /// Returns the change of a cell from an old value to a new one.
    pub(crate) fn cell_change(&self, column: ColumnId, row: u32, old: Value, new: Value) -> Change {
        let (kind, attribute) = self.schema.columns[column.index()];
        Change::Set { of: self.attribute_path(kind, row, attribute), old, new }
    }

    /// Returns the change for a splice of a deck or list. For a list, the splice must replace all
    /// members.
    pub(crate) fn list_change(&self, list: ListId, row: u32, splice: &Splice<u32>) -> Change {
        let ty = self.schema.member_type(list);
        let Splice { at, old, new } = splice.map(|&m| self.to_value(ty, i64::from(m)));
        match self.schema.decks.iter().find(|d| d.list == list) {
            Some(deck) => Change::Deck { deck: deck.name.clone(), splice: Splice { at, old, new } },
            None => {
                let (kind, attribute) = self.schema.lists[list.index()];
                Change::List { of: self.attribute_path(kind, row, attribute), old, new }
            }
        }
    }

    /// Returns the path of an attribute of a piece. The name of the attribute is empty for
    /// [`WHOLE_PIECE`].
    pub(crate) fn attribute_path(&self, kind: KindId, row: u32, attribute: usize) -> AttributePath {
        let of = self.schema.kind(kind);
        let attribute = of.attributes.get(attribute).map_or("", |a| a.name.as_str()).to_owned();
        AttributePath { kind: of.name.clone(), piece: self.piece_name(kind, row), attribute }
    }

    /// Returns all members of a list or deck in the form used in changes.
    pub(crate) fn list_values(&self, list: ListId, row: u32) -> Vec<Value> {
        let ty = self.schema.member_type(list);
        self.list(list, row).iter().map(|&m| self.to_value(ty, i64::from(m))).collect()
    }

    /// Replaces all members of a list or deck by members in the form used in changes.
    pub(crate) fn set_list_values(
        &mut self,
        list: ListId,
        row: u32,
        members: &[Value],
    ) -> Result<(), ChangeError> {
        let ty = self.schema.member_type(list);
        let members = self.resolve_members(ty, members)?;
        self.set_list(list, row, &members);
        Ok(())
    }

    /// Converts members of this type (pieces, words or numbers) from the form used in changes to
    /// their stored form.
    pub(crate) fn resolve_members(
        &self,
        ty: Type,
        members: &[Value],
    ) -> Result<Vec<u32>, ChangeError> {
        let read = |member: &Value| {
            let value = self.resolve_value(ty, member)?;
            let wrong = |_| ChangeError::Type(member.clone(), self.schema.type_name(ty));
            u32::try_from(value).map_err(wrong)
        };
        members.iter().map(read).collect()
    }

    /// Makes a recorded change.
    pub fn apply(&mut self, change: &Change) -> Result<(), ChangeError> {
        match change {
            Change::Set { of, new, .. } => self.set_value(of, new)?,
            Change::List { of, new, .. } => self.set_list_of(of, new)?,
            Change::Deck { deck, splice } => self.splice_deck(deck, splice)?,
            Change::Made { kind, piece } => {
                let id = self.schema.kind_named(kind).ok_or_else(|| unknown_error("kind", kind))?;
                self.add_piece(id, piece.rsplit_once('#').map_or(piece.as_str(), |p| p.0))?;
            }
            Change::Removed { kind, piece } => {
                let (kind, row) = self.piece_named(kind, piece)?;
                self.remove_piece(kind, row);
            }
        }
        Ok(())
    }

    /// Reverses a change. If changes are reversed from the last to the first, the table becomes
    /// exactly as it was before them, including the numbers of rows and the next automatic names.
    pub fn revert(&mut self, change: &Change) -> Result<(), ChangeError> {
        match change {
            Change::Made { kind, piece } => {
                let (kind, row) = self.piece_named(kind, piece)?;
                // If changes are reversed from the last to the first, the piece is in the last row.
                if row + 1 == self.row_count(kind) {
                    self.remove_last_row(kind);
                } else {
                    self.remove_piece(kind, row);
                }
            }
            Change::Removed { kind, piece } => {
                let (kind, row) = self.piece_named(kind, piece)?;
                self.set_present(kind, row, true);
            }
            Change::Set { .. } | Change::List { .. } | Change::Deck { .. } => {
                self.apply(&change.inverse())?;
            }
        }
        Ok(())
    }

    fn attribute_storage(
        &self,
        of: &AttributePath,
    ) -> Result<(u32, Type, AttributeStorage), ChangeError> {
        let (kind, row) = self.piece_named(&of.kind, &of.piece)?;
        let found = self.schema.kind(kind).attribute(&of.attribute);
        let found = found.map(|a| (row, a.ty, a.storage));
        found.ok_or_else(|| unknown_attribute_error(of))
    }

    fn set_value(&mut self, of: &AttributePath, value: &Value) -> Result<(), ChangeError> {
        let (row, ty, AttributeStorage::Cell(column)) = self.attribute_storage(of)? else {
            return Err(unknown_attribute_error(of));
        };
        let value = self.intern_value(ty, value)?;
        self.set(column, row, value);
        Ok(())
    }

    fn set_list_of(&mut self, of: &AttributePath, members: &[Value]) -> Result<(), ChangeError> {
        match self.attribute_storage(of)? {
            (row, _, AttributeStorage::List(list)) => self.set_list_values(list, row, members),
            _ => Err(unknown_attribute_error(of)),
        }
    }

    fn splice_deck(&mut self, deck: &str, splice: &Splice) -> Result<(), ChangeError> {
        let found = self.schema.decks.iter().find(|d| d.name == deck).map(|d| d.list);
        let list = found.ok_or_else(|| unknown_error("deck", deck))?;
        let ty = self.schema.member_type(list);
        let mut members = self.list(list, 0).to_vec();
        let known = self.resolve_members(ty, &splice.old)?;
        let new = self.resolve_members(ty, &splice.new)?;
        let end = splice.at.saturating_add(known.len());
        if members.get(splice.at..end) != Some(&known[..]) {
            return Err(ChangeError::Splice);
        }
        members.splice(splice.at..end, new);
        self.set_list(list, 0, &members);
        Ok(())
    }
}

fn unknown_error(what: &str, name: &str) -> ChangeError {
    ChangeError::Unknown(what.to_owned(), name.to_owned())
}

fn unknown_attribute_error(of: &AttributePath) -> ChangeError {
    ChangeError::Attribute(of.kind.clone(), of.attribute.clone())
}

/// Returns the contents of a table in the form used in changes, to compare two tables. For each
/// piece that ever existed, and for the state and the options, there is a flag, which is true if
/// the piece is on the table, and the stored values. The members of each deck are also included.
pub fn inventory(table: &Tabletop) -> Vec<(AttributePath, Value)> {
    let schema = table.schema();
    let mut found = Vec::new();
    for (id, kind) in schema.all_kinds() {
        if kind.role == KindRole::List {
            continue;
        }
        for row in 0..table.row_count(id) {
            let mut here = table.attribute_path(id, row, WHOLE_PIECE);
            found.push((here.clone(), Value::Flag(table.is_on_table(id, row))));
            for (index, attribute) in kind.attributes.iter().enumerate() {
                let value = match attribute.storage {
                    AttributeStorage::Cell(column) => {
                        table.to_value(attribute.ty, table.get(column, row))
                    }
                    AttributeStorage::List(list) => {
                        Value::Text(join_values(&table.list_values(list, row)))
                    }
                    AttributeStorage::Computed(_) => continue,
                };
                here = table.attribute_path(id, row, index);
                found.push((here, value));
            }
        }
        if id == STATE_KIND {
            for deck in &schema.decks {
                let of = AttributePath {
                    kind: "deck".to_owned(),
                    piece: deck.name.clone(),
                    attribute: String::new(),
                };
                found.push((of, Value::Text(join_values(&table.list_values(deck.list, 0)))));
            }
        }
    }
    found
}

/// Returns values as text for people, separated by spaces, or `nothing` if there are none.
pub fn join_values(values: &[Value]) -> String {
    if values.is_empty() {
        return "nothing".to_owned();
    }
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
}
