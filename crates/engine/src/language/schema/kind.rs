//! Kinds of pieces and their attributes, with the rows of lists, sets of words, and secrets.

use std::collections::BTreeMap;

use super::looks::{Colour, Glyph, RouteLine, WebLook};
use super::types::{AttributeStorage, ColumnId, FunctionId, ListId, Type};
use crate::language::grid::Grid;
use crate::language::named::Named;
use crate::language::syntax::Expr;
use crate::source::Span;

/// The role of a kind in the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KindRole {
    /// Pieces on the table.
    #[default]
    Pieces,
    /// A printed list whose rows never change.
    List,
    /// The state or the options, which have a single row.
    Single,
}

/// An attribute of a kind.
#[derive(Clone, Debug, Default)]
pub struct Attribute {
    /// Its name in rule text.
    pub name: String,
    /// The heading shown to people, if the ruleset gives one; rule text uses the name.
    pub title: Option<String>,
    /// Its phrase in a sentence, such as `on fire`, `can burn` or `draught`, if there is one.
    pub says: Option<String>,
    /// Other words for it in the umpire's questions, such as `burning`, with their positions in the
    /// source.
    pub also: Vec<(String, Span)>,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// The type of its value.
    pub ty: Type,
    /// Where its value is stored.
    pub storage: AttributeStorage,
    /// The lowest value of a number, or of the numbers in a list.
    pub low: i64,
    /// The highest value of a number, or of the numbers in a list.
    pub high: i64,
    /// The value at the beginning of a game.
    pub start: i64,
    /// The marker on the table that shows the value, if there is one.
    pub marker: Option<String>,
    /// The word for which no marker is placed, in addition to `none`.
    pub unmarked: Option<String>,
    /// The signs that show it on the map: a single sign, or one for each word; empty if there are
    /// none.
    pub signs: Vec<String>,
    /// The colours of its marker, line or ground: a single colour, or one for each word; empty if
    /// there are none.
    pub colours: Vec<Colour>,
    /// The pictures of pieces, by the word or row that is the value of this attribute.
    pub glyphs: BTreeMap<String, Glyph>,
    /// The line that it draws over the plan, if any.
    pub line: Option<RouteLine>,
    /// A name for each number from `low` up; empty if there are none.
    pub names: Vec<String>,
    /// True if rules may not change it.
    pub fixed: bool,
    /// The expression for the start value, if it depends on other attributes of the piece; it is
    /// computed when the piece is set out.
    pub computed_start: Option<Expr>,
    /// True if it is internal to the rules, and left out of most displays.
    pub bookkeeping: bool,
    /// True for a built-in list of the pieces in a place. A kind of place has one such list for
    /// each kind of piece that is located there.
    pub pieces_there: bool,
    /// The viewers who may see the attribute, if they can see the piece; `None` if everyone may.
    pub secret: Option<Secrecy>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// The viewers who see something secret, apart from the umpire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretFor {
    /// No one: only the umpire sees it.
    Umpire,
    /// The side that the secret belongs to. For a rule, this is the side of the first piece that is
    /// on a side, among its parameters and then the names of its sweep.
    OwnSide,
    /// The player that the secret belongs to. For a rule, this is the player of the first piece
    /// that belongs to a player, among its parameters and then the names of its sweep.
    OwnPlayer,
    /// The sides that satisfy a condition. The condition can use the side and the secret piece or,
    /// for a rule, the side and all names in the rule whose value isn't a list.
    Condition(FunctionId),
}

/// The viewers who may see a secret piece or attribute, apart from the umpire.
#[derive(Clone, Copy, Debug)]
pub struct Secrecy {
    /// The viewers, apart from the umpire, who see it before it is revealed.
    pub secret_for: SecretFor,
    /// The flag that reveals it to all; `reveal` and the umpire set it.
    pub revealed: ColumnId,
    /// The sides to which it was revealed, if the ruleset declares sides.
    pub revealed_to: Option<ListId>,
}

impl Attribute {
    /// Returns true if this is its name or another word for it.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        let mut names = std::iter::once(&self.name).chain(self.also.iter().map(|(other, _)| other));
        names.any(|name| name.eq_ignore_ascii_case(word))
    }

    /// Returns true if it has this name, or another word for it, in the singular or the plural.
    pub(crate) fn is_called_in_either_number(&self, word: &str) -> bool {
        let singular = word.strip_suffix('s').unwrap_or(word);
        [word, singular, &format!("{singular}s")].iter().any(|form| self.is_called(form))
    }

    /// Returns true if the umpire can set it.
    pub(crate) fn can_be_set(&self) -> bool {
        !self.bookkeeping && !self.fixed
    }

    /// Returns true if the attribute was added by the loader and not declared by a ruleset.
    pub(crate) fn is_built_in(&self) -> bool {
        self.span == Span::default()
    }

    /// Returns the name of a number, if the numbers of the attribute have names.
    pub(crate) fn name_of_number(&self, number: i64) -> Option<&str> {
        let index = number.checked_sub(self.low).and_then(|index| usize::try_from(index).ok())?;
        self.names.get(index).map(String::as_str)
    }
}

/// A kind of piece, a printed list, the state or the options.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// Its name in rule text.
    pub name: String,
    /// The plural of its name.
    pub plural: String,
    /// The title shown to people; rule text uses the name.
    pub title: String,
    /// The role of its pieces in the game.
    pub role: KindRole,
    /// True if its pieces are the areas of the drawn plan.
    pub plan: bool,
    /// The shape of the areas, if its pieces are areas.
    pub grid: Grid,
    /// The prefix of the names that the program gives to its pieces.
    pub prefix: String,
    /// The marker that represents a piece of the kind on the table, if there is one.
    pub marker: Option<String>,
    /// Its attributes in the order written.
    pub attributes: Named<Attribute>,
    /// The index in `attributes` of the attribute that refers to the location of a piece.
    pub place_attribute: Option<usize>,
    /// The index in `attributes` of the attribute that gives a piece's side.
    pub side_attribute: Option<usize>,
    /// For a list, the index in `attributes` of the text that is shown for a row.
    pub title_attribute: Option<usize>,
    /// For a kind of pieces, the index in `attributes` of the attribute by which players know a
    /// piece.
    pub caption_attribute: Option<usize>,
    /// The picture used for its pieces on plans and cards.
    pub glyph: Option<Glyph>,
    /// The attributes that place its pieces on a web of rings and sectors.
    pub web: Option<WebLook>,
    /// The indices in `attributes` of the attributes in a roster; empty if the ruleset doesn't list
    /// any.
    pub roster: Vec<usize>,
    /// The statements of `on_add`, which run with `self` when the umpire, a scenario or a rule has
    /// added a piece.
    pub on_add: Option<FunctionId>,
    /// The statements that compute the start values of attributes when a piece is set out, in the
    /// order of the attributes; they run before `on_add`.
    pub computed_starts: Vec<FunctionId>,
    /// The statements of `on_set`, which run with `self` when the umpire has set an attribute of a
    /// piece.
    pub on_set: Option<FunctionId>,
    /// The viewers who may see its pieces; `None` if everyone may.
    pub secret: Option<Secrecy>,
    /// The rows of a list, in order; empty for other kinds.
    pub rows: Named<ListRow>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

impl Kind {
    /// Returns the statements that run when a piece is set out. The values given for the piece are
    /// set before each of them and again after the last.
    pub(crate) fn set_out_hooks(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.computed_starts.iter().copied().chain(self.on_add)
    }

    /// Returns the attribute with this name, if there is one.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.named(name)
    }

    /// Returns true if the kind was added by the loader and not declared by a ruleset.
    pub(crate) fn is_built_in(&self) -> bool {
        self.span == Span::default()
    }

    /// Returns the attribute that refers to the location of a piece, if there is one.
    pub(crate) fn location(&self) -> Option<&Attribute> {
        self.attributes.get(self.place_attribute?)
    }

    /// Returns the attribute that names the side of a piece, if there is one.
    pub(crate) fn side(&self) -> Option<&Attribute> {
        self.attributes.get(self.side_attribute?)
    }

    /// Returns the column of the text that is shown for a row of a list, if there is one.
    pub(crate) fn title_column(&self) -> Option<ColumnId> {
        self.attributes.get(self.title_attribute?)?.storage.cell()
    }

    /// Returns the column of the attribute with this name, if it is stored as a single value.
    pub(crate) fn column(&self, name: &str) -> Option<ColumnId> {
        self.attribute(name)?.storage.cell()
    }

    /// Returns the column of the attribute with this name, if it is stored as a list.
    pub(crate) fn list(&self, name: &str) -> Option<ListId> {
        self.attribute(name)?.storage.list()
    }

    /// Returns the index of the row with this name, if there is one.
    pub(crate) fn row(&self, name: &str) -> Option<u32> {
        self.rows.index_of(name).map(|i| i as u32)
    }
}

/// A row of a printed list.
#[derive(Clone, Debug)]
pub struct ListRow {
    /// Its name in rule text.
    pub name: String,
    /// Its single values, by the columns of their attributes; a text is an index into
    /// [`Schema::texts`](super::Schema::texts).
    pub values: BTreeMap<ColumnId, i64>,
    /// Its lists, by the columns of their attributes.
    pub lists: BTreeMap<ListId, Vec<u32>>,
}

/// A set of words.
#[derive(Clone, Debug, Default)]
pub struct WordSet {
    /// Its name; empty for a set written inside an attribute.
    pub name: String,
    /// The words in order.
    pub values: Vec<String>,
    /// A short symbol for each word, used on cards and elsewhere; empty if there are none.
    pub marks: Vec<String>,
    /// The phrase of each word in a sentence, such as `lying down`; empty if there are none.
    pub says: Vec<String>,
    /// Other words with which the umpire may type a word, each with the word that it means: `left` for
    /// `port`.
    pub also: Vec<(String, String)>,
    /// True if the first word follows the last, as with directions.
    pub round: bool,
    /// The span of the declaration, for messages.
    pub span: Span,
}

impl WordSet {
    /// Returns the word with this index, if there is one.
    pub(crate) fn word(&self, index: i64) -> Option<&str> {
        self.values.get(usize::try_from(index).ok()?).map(String::as_str)
    }

    /// Returns the index of a word, if the set has it.
    pub(crate) fn index_of(&self, word: &str) -> Option<i64> {
        self.values.iter().position(|value| value == word).map(|index| index as i64)
    }
}
