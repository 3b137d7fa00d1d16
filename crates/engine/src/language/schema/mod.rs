//! The things rule text can speak of: kinds, attributes, words, lists, decks, charts, definitions and rules.
//!
//! The ruleset builds a [`Schema`]; the checker resolves every name against it; the tabletop lays out its
//! columns by it. Nothing here knows TOML, and nothing here holds the state of a game.

mod kind;
mod looks;
mod param;
mod types;

pub use kind::{Attribute, Kind, KindRole, ListRow, Secrecy, WordSet};
pub use looks::{Colour, Glyph, RouteLine, WebLook};
pub use param::Param;
pub use types::{
    AttributeStorage, ChartId, ColumnId, DIRECTION_WORDS, DeckId, DefineId, Element, FunctionId,
    KindId, ListId, OPTION_KIND, RowRange, RuleId, STATE_KIND, Type, WordsId,
};

use super::named::{HasName, Named};
use super::rule::{ReminderText, RuleText};
use super::syntax::{Expr, Statements};
use crate::source::Span;

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

/// A part of the rule text that is compiled into one function.
#[derive(Clone, Debug)]
pub enum CodeUnit {
    /// A definition.
    Define(DefineId, Expr),
    /// A rule.
    Rule(RuleId),
    /// A rule as the umpire calls it: a flag after the parameters for each that has a default says whether it was
    /// given.
    Entry(RuleId),
    /// Statements over the parameters.
    Block(Vec<Param>, Statements),
    /// An expression over the parameters, which must have this type, if one is given.
    Value(Vec<Param>, Option<Type>, Expr),
    /// A reminder: sources, a condition, a text.
    Remind(Box<ReminderText>),
    /// A text of a phase with steps, in which `step` is this number.
    Step(i64, Box<CodeUnit>),
}

impl CodeUnit {
    /// Returns the unit without its step.
    pub(crate) fn without_step(&self) -> &CodeUnit {
        match self {
            CodeUnit::Step(_, unit) => unit.without_step(),
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

named!(Attribute, Kind, ListRow, WordSet, Deck, Chart, Define, RuleText);

/// Everything a ruleset declares.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Kinds, lists, the state; [`STATE_KIND`] and [`OPTION_KIND`] first.
    pub kinds: Named<Kind>,
    /// Sets of words; [`DIRECTION_WORDS`] first.
    pub words: Named<WordSet>,
    /// Decks.
    pub decks: Named<Deck>,
    /// Charts.
    pub charts: Named<Chart>,
    /// Definitions.
    pub defines: Named<Define>,
    /// Rules.
    pub rules: Named<RuleText>,
    /// The rule texts to be compiled, by [`FunctionId`]; `None` where reading failed.
    pub units: Vec<Option<CodeUnit>>,
    /// The attribute of each column.
    pub columns: Vec<(KindId, usize)>,
    /// The attribute of each list; decks have the state and `usize::MAX`.
    pub lists: Vec<(KindId, usize)>,
    /// Texts of list rows.
    pub texts: Vec<String>,
    /// The type of the sides, if the ruleset declares them: a set of words, a kind or a list.
    pub sides: Option<Type>,
    /// The colours of the sides, in their order; empty if the ruleset gives none.
    pub side_colours: Vec<Colour>,
}

impl Schema {
    /// Returns a kind.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// Returns the kind of that name.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        self.kinds.index_of(name).map(KindId::from_index)
    }

    /// Returns all kinds, lists and the state with their ids.
    pub(crate) fn all_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.kinds.iter().enumerate().map(|(index, kind)| (KindId::from_index(index), kind))
    }

    /// Returns the kinds of pieces on the table with their ids.
    pub(crate) fn piece_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.all_kinds().filter(|(_, kind)| kind.role == KindRole::Pieces)
    }

    /// Returns the kind of the sides' written orders. It is the only kind of pieces that no ruleset
    /// declares.
    pub(crate) fn orders_kind(&self) -> Option<KindId> {
        self.piece_kinds().find(|(_, kind)| kind.is_built_in()).map(|(id, _)| id)
    }

    /// Returns the kind of that plural.
    pub(crate) fn plural_named(&self, name: &str) -> Option<KindId> {
        let found = self.kinds.iter().position(|k| k.plural == name && !name.is_empty());
        found.map(KindId::from_index)
    }

    /// Returns a set of words.
    pub fn word_set(&self, id: WordsId) -> &WordSet {
        &self.words[id.index()]
    }

    /// Returns the set of that name.
    pub(crate) fn words_named(&self, name: &str) -> Option<WordsId> {
        self.words.index_of(name).map(WordsId::from_index)
    }

    /// Returns the value of a side that is none: of a set of words its word `none`, if it has one.
    pub(crate) fn no_side(&self) -> i64 {
        let Some(Type::Word(set)) = self.sides else { return -1 };
        self.word_set(set).index_of("none").unwrap_or(-1)
    }

    /// Returns the attribute by which a piece of a kind belongs to a side, if the piece may be hidden: the one that says
    /// so, or else the first that points to a piece which is on a side.
    pub(crate) fn owner_if_hidden(&self, kind: KindId) -> Option<usize> {
        let of = self.kind(kind);
        of.secret?;
        let points =
            |a: &Attribute| matches!(a.ty, Type::Piece(k) if self.kind(k).side().is_some());
        of.side_attribute.or_else(|| of.attributes.iter().position(points))
    }

    /// Returns the deck of that name.
    pub(crate) fn deck_named(&self, name: &str) -> Option<DeckId> {
        self.decks.index_of(name).map(DeckId::from_index)
    }

    /// Returns the chart of that name.
    pub(crate) fn chart_named(&self, name: &str) -> Option<ChartId> {
        self.charts.index_of(name).map(ChartId::from_index)
    }

    /// Returns the definition of that name.
    pub(crate) fn define_named(&self, name: &str) -> Option<DefineId> {
        self.defines.index_of(name).map(DefineId::from_index)
    }

    /// Returns the rule of that name.
    pub(crate) fn rule_named(&self, name: &str) -> Option<RuleId> {
        self.rules.index_of(name).map(RuleId::from_index)
    }

    /// Returns the attribute that a column stores.
    #[inline]
    pub(crate) fn column_attribute(&self, id: ColumnId) -> &Attribute {
        let (kind, attribute) = self.columns[id.index()];
        &self.kind(kind).attributes[attribute]
    }

    /// Returns the title of a row of a list, or its name if it has none.
    pub fn row_title(&self, list: KindId, row: &ListRow) -> String {
        let text = self.kind(list).title_column().and_then(|c| row.values.get(&c));
        let title = text.and_then(|&t| self.texts.get(usize::try_from(t).ok()?));
        title.filter(|t| !t.is_empty()).unwrap_or(&row.name).clone()
    }

    /// Returns the attribute that a list stores; `None` for a deck.
    pub(crate) fn list_attribute(&self, id: ListId) -> Option<&Attribute> {
        let (kind, attribute) = self.lists[id.index()];
        self.kind(kind).attributes.get(attribute)
    }

    /// Returns the kind that is the drawn plan, if there is one.
    pub fn plan_kind(&self) -> Option<KindId> {
        self.kinds.iter().position(|k| k.plan).map(KindId::from_index)
    }

    /// Adds a function to be compiled, and returns its id.
    pub(crate) fn new_function(&mut self) -> FunctionId {
        self.units.push(None);
        FunctionId::from_index(self.units.len() - 1)
    }

    /// Returns the type in the words of the reference: `whole`, `area`, `list of area`.
    pub(crate) fn type_name(&self, ty: Type) -> String {
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
