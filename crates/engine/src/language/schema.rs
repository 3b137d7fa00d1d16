//! The things rule text can speak of: kinds, attributes, words, lists, decks, charts, definitions and rules.
//!
//! The ruleset builds a [`Schema`]; the checker resolves every name against it; the tabletop lays out its
//! columns by it. Nothing here knows TOML, and nothing here holds the state of a game.

use std::collections::BTreeMap;

use super::grid::Grid;
use super::named::{HasName, Named};
use super::rule::RuleText;
use super::syntax::{Block, Expr};
use crate::source::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// As an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// From an index; a schema holds far fewer than 65,535 of anything.
            pub fn from_index(index: usize) -> Self {
                $name(u16::try_from(index).unwrap_or(u16::MAX))
            }
        }
    )* };
}

ids! {
    /// A kind of piece, a printed list, or the state.
    KindId,
    /// A column of single values: one attribute of one kind.
    ColumnId,
    /// A column of lists: one list attribute of one kind, or a deck.
    ListId,
    /// A set of words.
    WordsId,
    /// A deck or cup.
    DeckId,
    /// A chart.
    ChartId,
    /// A definition.
    DefineId,
    /// A rule.
    RuleId,
    /// Something compiled.
    FunctionId,
}

/// The kind that holds the state of the game as a whole; it has one row.
pub const STATE: KindId = KindId(0);
/// The kind that holds the options; it has one row.
pub const OPTION: KindId = KindId(1);
/// The compass, always there.
pub const DIRECTION: WordsId = WordsId(0);

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number.
    Whole,
    /// A number with fractions.
    Number,
    /// Dice that stand for a number, or a fixed number: `2d6+1`.
    Dice,
    /// True or false.
    Flag,
    /// A word of a set.
    Word(WordsId),
    /// A piece or a row of a list; may be `none`.
    Piece(KindId),
    /// A list.
    List(Element),
    /// Text.
    Text,
    /// The type of `none` alone.
    Nothing,
    /// The type of what was faulty, so that no derived fault follows.
    #[default]
    Unknown,
}

impl Type {
    /// Returns the type of one of its members, of a list; otherwise itself.
    pub fn single(self) -> Type {
        match self {
            Type::List(element) => element.member(),
            ty => ty,
        }
    }

    /// Returns what a list of such values holds; any, if there is no such list.
    pub fn element(self) -> Element {
        match self {
            Type::Piece(kind) => Element::Piece(kind),
            Type::Word(set) => Element::Word(set),
            Type::Whole => Element::Whole,
            Type::List(element) => element,
            Type::Number | Type::Dice | Type::Flag | Type::Text => Element::Any,
            Type::Nothing | Type::Unknown => Element::Any,
        }
    }
}

/// The kind of members that a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Pieces or rows.
    Piece(KindId),
    /// Words.
    Word(WordsId),
    /// Whole numbers.
    Whole,
    /// The empty list, which fits every list.
    Any,
}

impl Storage {
    /// Returns the column of single values.
    pub fn cell(self) -> Option<ColumnId> {
        if let Storage::Cell(column) = self { Some(column) } else { None }
    }

    /// Returns the column of lists.
    pub fn list(self) -> Option<ListId> {
        if let Storage::List(list) = self { Some(list) } else { None }
    }
}

impl Default for Storage {
    fn default() -> Storage {
        Storage::Cell(ColumnId(u16::MAX))
    }
}

impl Element {
    /// The type of one member.
    pub fn member(self) -> Type {
        match self {
            Element::Piece(k) => Type::Piece(k),
            Element::Word(w) => Type::Word(w),
            Element::Whole => Type::Whole,
            Element::Any => Type::Unknown,
        }
    }
}

/// The role of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Pieces on the table.
    #[default]
    Pieces,
    /// A printed list whose rows never change.
    List,
    /// The state or the options: one row.
    Single,
}

/// Where the value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// In a column of single values.
    Cell(ColumnId),
    /// In a column of lists.
    List(ListId),
    /// Computed when asked.
    Computed(FunctionId),
}

/// An attribute of a kind.
#[derive(Clone, Debug, Default)]
pub struct Attribute {
    /// Its name in rule text.
    pub name: String,
    /// A heading for people, if given.
    pub title: Option<String>,
    /// Its phrase in a sentence, if given: `on fire`, `can burn`, `draught`.
    pub says: Option<String>,
    /// The page of the rule book.
    pub cite: String,
    /// Its type.
    pub ty: Type,
    /// Where its value is.
    pub storage: Storage,
    /// Lowest value of a whole number.
    pub low: i64,
    /// Highest value of a whole number.
    pub high: i64,
    /// The value at the beginning.
    pub start: i64,
    /// The marker on the table that shows it.
    pub marker: Option<String>,
    /// The word that stands for no marker, besides `none`.
    pub unmarked: Option<String>,
    /// Its signs on the map: one, or one for each word; empty if it has none.
    pub signs: Vec<String>,
    /// A name for each value from `low` up.
    pub names: Vec<String>,
    /// True if rules may not change it.
    pub fixed: bool,
    /// True if the rules keep it for themselves: it explains nothing to people.
    pub bookkeeping: bool,
    /// The sides that may see it, of a piece that they see; none if everybody may.
    pub secret: Option<Secrecy>,
    /// Where it was declared.
    pub span: Span,
}

/// The sides that may see something that not everybody may.
#[derive(Clone, Copy, Debug)]
pub struct Secrecy {
    /// The condition under which a side may see it, of the side and the piece. Without it, the side of the piece may.
    pub seen_by: Option<FunctionId>,
    /// The flag that opens it to all; the umpire and `reveal` set it.
    pub revealed: ColumnId,
    /// The sides it was revealed to, if the ruleset declares its sides.
    pub revealed_to: Option<ListId>,
}

impl Attribute {
    /// Returns the name of a number, where its numbers have names.
    pub fn named(&self, number: i64) -> Option<&str> {
        let place = number.checked_sub(self.low).and_then(|place| usize::try_from(place).ok())?;
        self.names.get(place).map(String::as_str)
    }
}

/// A kind of piece, a list, or the state.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// Its name in rule text.
    pub name: String,
    /// The name of all of them.
    pub plural: String,
    /// A heading for people.
    pub title: String,
    /// Its role.
    pub role: Role,
    /// Its pieces are the areas of the drawn plan.
    pub plan: bool,
    /// The shape of these areas.
    pub grid: Grid,
    /// The beginning of names that are given to its pieces.
    pub prefix: String,
    /// The marker that stands on the table for a piece of it.
    pub marker: Option<String>,
    /// Its attributes in the order written.
    pub attributes: Named<Attribute>,
    /// The reference that says where a piece is, as an index of `attributes`.
    pub place_attribute: Option<usize>,
    /// The attribute that says whose a piece is, as an index of `attributes`.
    pub side_attribute: Option<usize>,
    /// For lists: the text by which a row is shown, as an index of `attributes`.
    pub title_attribute: Option<usize>,
    /// The attributes that a roster shows, as indices of `attributes`; empty if the ruleset does not say.
    pub roster: Vec<usize>,
    /// Run with `self` when one is set out by the umpire or a scenario.
    pub on_add: Option<FunctionId>,
    /// Run with `self` when the umpire has set an attribute of one.
    pub on_set: Option<FunctionId>,
    /// The sides that may see its pieces; none if everybody may.
    pub secret: Option<Secrecy>,
    /// For lists: the names of the rows in order.
    pub rows: Named<ListRow>,
    /// Where it was declared.
    pub span: Span,
}

impl Kind {
    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.named(name)
    }

    /// Returns true if it is part of every game and not declared by the ruleset.
    pub fn is_built_in(&self) -> bool {
        self.span == Span::default()
    }

    /// The reference that says where a piece is.
    pub fn place(&self) -> Option<&Attribute> {
        self.attributes.get(self.place_attribute?)
    }

    /// The attribute that says whose a piece is.
    pub fn side(&self) -> Option<&Attribute> {
        self.attributes.get(self.side_attribute?)
    }

    /// The column of the text by which a row of a list is shown.
    pub fn title_column(&self) -> Option<ColumnId> {
        self.attributes.get(self.title_attribute?)?.storage.cell()
    }

    /// Returns the column of an attribute of single values.
    pub fn column(&self, name: &str) -> Option<ColumnId> {
        self.attribute(name)?.storage.cell()
    }

    /// Returns the column of an attribute that is a list.
    pub fn list(&self, name: &str) -> Option<ListId> {
        self.attribute(name)?.storage.list()
    }

    /// The row of that name.
    pub fn row(&self, name: &str) -> Option<u32> {
        self.rows.place(name).map(|i| i as u32)
    }
}

/// A row of a printed list.
#[derive(Clone, Debug)]
pub struct ListRow {
    /// Its name in rule text.
    pub name: String,
    /// Its values, one for each attribute that is a cell; text as an index into [`Schema::texts`].
    pub values: BTreeMap<ColumnId, i64>,
    /// Its lists.
    pub lists: BTreeMap<ListId, Vec<u32>>,
}

/// A set of words.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Its name; empty for a set that stands in an attribute.
    pub name: String,
    /// The words in order.
    pub values: Vec<String>,
    /// A short mark for each word, as on a card; empty if there are none.
    pub marks: Vec<String>,
    /// The phrase of each word in a sentence: `lying down`; empty if there are none.
    pub says: Vec<String>,
    /// True if the first follows the last.
    pub round: bool,
    /// Where it was declared.
    pub span: Span,
}

impl Words {
    /// Returns a word by its place.
    pub fn word(&self, place: i64) -> Option<&str> {
        self.values.get(usize::try_from(place).ok()?).map(String::as_str)
    }

    /// Returns the place of a word.
    pub fn place(&self, word: &str) -> Option<i64> {
        self.values.iter().position(|value| value == word).map(|place| place as i64)
    }
}

/// A deck or cup.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Its name.
    pub name: String,
    /// The kind of its cards.
    pub of: KindId,
    /// The list of what is left in it.
    pub list: ListId,
    /// The statements that fill it; without them it holds one of each.
    pub fill: Option<FunctionId>,
    /// Where it was declared.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug, Default)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Lowest and highest value of a number.
    pub bounds: Option<(i64, i64)>,
    /// True if the usage lets it be left out.
    pub optional: bool,
    /// Its value when it is left out.
    pub default: Option<Expr>,
    /// Where it was declared.
    pub span: Span,
}

impl Param {
    /// Returns a parameter without limits that no ruleset writes.
    pub(crate) fn of(name: &str, ty: Type) -> Param {
        Param { name: name.to_owned(), ty, ..Param::default() }
    }
}

/// A range of whole numbers that a row of a table or chart stands for, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowRange {
    /// The lowest, `i64::MIN` for "or less".
    pub low: i64,
    /// The highest, `i64::MAX` for "or more".
    pub high: i64,
}

impl RowRange {
    /// Returns true if the value is in the range.
    pub fn holds(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// A table to look up.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Its name.
    pub name: String,
    /// A heading for people.
    pub title: String,
    /// The page of the rule book.
    pub cite: String,
    /// A remark for the reader.
    pub note: String,
    /// One or two axes.
    pub axes: Vec<Param>,
    /// The rows, in order, as values of the first axis.
    pub rows: Vec<RowRange>,
    /// The rows as they were written.
    pub row_labels: Vec<String>,
    /// Where each row was written.
    pub row_spans: Vec<Span>,
    /// The columns, as values of the second axis; empty with one axis.
    pub columns: Vec<RowRange>,
    /// The columns as they were written.
    pub column_labels: Vec<String>,
    /// The values, row by row.
    pub values: Vec<i64>,
    /// The type of the values.
    pub gives: Type,
    /// Where it was declared.
    pub span: Span,
}

/// A named expression.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its phrase in a sentence, with the parameters in braces: `{a} can see {b}`.
    pub says: Option<String>,
    /// A remark for the reader.
    pub note: String,
    /// The function that computes it.
    pub function: FunctionId,
    /// Where it was declared.
    pub span: Span,
}

/// A rule text to be compiled into a function.
#[derive(Clone, Debug)]
pub enum Unit {
    /// A definition.
    Define(DefineId, Expr),
    /// A rule.
    Rule(RuleId),
    /// A rule as the umpire calls it: a flag after the parameters for each that has a default says whether it was
    /// given.
    Entry(RuleId),
    /// Statements over the parameters.
    Block(Vec<Param>, Block),
    /// An expression over the parameters, which must have this type, if one is given.
    Value(Vec<Param>, Option<Type>, Expr),
    /// A reminder: sources, a condition, a text.
    Remind(Box<super::rule::ReminderText>),
    /// A text of a phase with steps, in which `step` is this number.
    Step(i64, Box<Unit>),
}

impl Unit {
    /// Returns the unit without its step.
    pub fn plain(&self) -> &Unit {
        match self {
            Unit::Step(_, unit) => unit.plain(),
            unit => unit,
        }
    }
}

macro_rules! named {
    ($($sort:ty),*) => { $(
        impl HasName for $sort {
            fn name(&self) -> &str {
                &self.name
            }
        }
    )* };
}

named!(Attribute, Kind, ListRow, Words, Deck, Chart, Define, RuleText);

/// Everything a ruleset declares.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Kinds, lists, the state; [`STATE`] and [`OPTION`] first.
    pub kinds: Named<Kind>,
    /// Sets of words; [`DIRECTION`] first.
    pub words: Named<Words>,
    /// Decks.
    pub decks: Named<Deck>,
    /// Charts.
    pub charts: Named<Chart>,
    /// Definitions.
    pub defines: Named<Define>,
    /// Rules.
    pub rules: Named<RuleText>,
    /// The rule texts to be compiled, by [`FunctionId`]; none where reading failed.
    pub units: Vec<Option<Unit>>,
    /// The attribute of each column.
    pub columns: Vec<(KindId, usize)>,
    /// The attribute of each list; decks have the state and `usize::MAX`.
    pub lists: Vec<(KindId, usize)>,
    /// Texts of list rows.
    pub texts: Vec<String>,
    /// The type of the sides, if the ruleset declares them: a set of words, a kind or a list.
    pub sides: Option<Type>,
    /// Pieces that may be hidden get their names together with all others, as in sessions begun by earlier programs.
    pub numbered_together: bool,
}

impl Schema {
    /// A kind.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// The kind of that name.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        self.kinds.place(name).map(KindId::from_index)
    }

    /// Returns all kinds, lists and the state with their ids.
    pub fn all_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.kinds.iter().enumerate().map(|(place, kind)| (KindId::from_index(place), kind))
    }

    /// Returns the kinds of pieces on the table with their ids.
    pub fn piece_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.all_kinds().filter(|(_, kind)| kind.role == Role::Pieces)
    }

    /// Returns the kind of the written orders of the sides: the one of pieces that no ruleset declares.
    pub(crate) fn orders(&self) -> Option<KindId> {
        self.piece_kinds().find(|(_, kind)| kind.is_built_in()).map(|(id, _)| id)
    }

    /// The kind of that plural.
    pub fn plural_named(&self, name: &str) -> Option<KindId> {
        let found = self.kinds.iter().position(|k| k.plural == name && !name.is_empty());
        found.map(KindId::from_index)
    }

    /// A set of words.
    pub fn word_set(&self, id: WordsId) -> &Words {
        &self.words[id.index()]
    }

    /// The set of that name.
    pub fn words_named(&self, name: &str) -> Option<WordsId> {
        self.words.place(name).map(WordsId::from_index)
    }

    /// Returns the value of a side that is none: of a set of words its word `none`, if it has one.
    pub fn no_side(&self) -> i64 {
        let Some(Type::Word(set)) = self.sides else { return -1 };
        self.word_set(set).place("none").unwrap_or(-1)
    }

    /// Returns the attribute by which a piece of a kind belongs to a side, if the piece may be hidden: the one that says
    /// so, or else the first that points to a piece which is on a side.
    pub fn owner_if_hidden(&self, kind: KindId) -> Option<usize> {
        let of = self.kind(kind);
        of.secret.filter(|_| !self.numbered_together)?;
        let points =
            |a: &Attribute| matches!(a.ty, Type::Piece(k) if self.kind(k).side().is_some());
        of.side_attribute.or_else(|| of.attributes.iter().position(points))
    }

    /// The deck of that name.
    pub fn deck_named(&self, name: &str) -> Option<DeckId> {
        self.decks.place(name).map(DeckId::from_index)
    }

    /// The chart of that name.
    pub fn chart_named(&self, name: &str) -> Option<ChartId> {
        self.charts.place(name).map(ChartId::from_index)
    }

    /// The definition of that name.
    pub fn define_named(&self, name: &str) -> Option<DefineId> {
        self.defines.place(name).map(DefineId::from_index)
    }

    /// The rule of that name.
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        self.rules.place(name).map(RuleId::from_index)
    }

    /// The attribute a column is.
    #[inline]
    pub fn column(&self, id: ColumnId) -> &Attribute {
        let (kind, attribute) = self.columns[id.index()];
        &self.kind(kind).attributes[attribute]
    }

    /// Returns the title of a row of a list, or its name if it has none.
    pub fn row_title(&self, list: KindId, row: &ListRow) -> String {
        let text = self.kind(list).title_column().and_then(|c| row.values.get(&c));
        let title = text.and_then(|&t| self.texts.get(usize::try_from(t).ok()?));
        title.filter(|t| !t.is_empty()).unwrap_or(&row.name).clone()
    }

    /// The attribute a list is; none for a deck.
    pub fn list(&self, id: ListId) -> Option<&Attribute> {
        let (kind, attribute) = self.lists[id.index()];
        self.kind(kind).attributes.get(attribute)
    }

    /// The kind that is the drawn plan, if there is one.
    pub fn plan_kind(&self) -> Option<KindId> {
        self.kinds.iter().position(|k| k.plan).map(KindId::from_index)
    }

    /// A place for something to be compiled.
    pub fn new_function(&mut self) -> FunctionId {
        self.units.push(None);
        FunctionId::from_index(self.units.len() - 1)
    }

    /// The type in the words of the reference: `whole`, `area`, `list of area`.
    pub fn type_name(&self, ty: Type) -> String {
        let set = |w: WordsId| {
            let set = self.word_set(w);
            if set.name.is_empty() {
                format!("one of {}", set.values.join(", "))
            } else {
                set.name.clone()
            }
        };
        match ty {
            Type::Whole => "a whole number".into(),
            Type::Number => "a number with fractions".into(),
            Type::Dice => "dice".into(),
            Type::Flag => "a condition".into(),
            Type::Word(w) => format!("a word ({})", set(w)),
            Type::Piece(k) => format!("`{}`", self.kind(k).name),
            Type::List(Element::Piece(k)) => format!("a list of `{}`", self.kind(k).plural),
            Type::List(Element::Word(w)) => format!("a list of words ({})", set(w)),
            Type::List(Element::Whole) => "a list of whole numbers".into(),
            Type::List(Element::Any) => "an empty list".into(),
            Type::Text => "a text".into(),
            Type::Nothing => "`none`".into(),
            Type::Unknown => "something unknown".into(),
        }
    }
}
