//! The declarations that rule text can use: kinds, attributes, words, lists, decks, charts,
//! definitions and rules.
//!
//! The ruleset builds a [`Schema`]; the compiler resolves every name with it, and the tabletop gets
//! its columns from it. Nothing in this module depends on TOML or holds the state of a game.

mod kind;
mod looks;
mod param;
mod types;

pub use kind::{Attribute, Kind, KindRole, ListRow, Secrecy, SecretFor, WordSet};
pub use looks::{Colour, Glyph, RouteLine, WebLook};
pub use param::Param;
pub use types::{
    AttributeStorage, ChartId, ColumnId, DIRECTION_WORDS, DeckId, DefineId, Element, FunctionId,
    KindId, ListId, OPTION_KIND, RowRange, RuleId, STATE_KIND, Type, WordsId,
};

use indexmap::IndexMap;

use super::named::{HasName, Named};
use super::rule::{ReminderText, RuleText};
use super::syntax::{Expr, MemberSource, Statements};
use crate::source::Span;

/// A deck of cards or a cup of chits.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Its name in rule text.
    pub name: String,
    /// The kind or list that the cards belong to.
    pub of: KindId,
    /// The list that holds the cards left in the deck.
    pub list: ListId,
    /// The statements that fill the deck; if there are none, it has one of each card.
    pub fill: Option<FunctionId>,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// A chart: a printed table in which rules look up values.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Its name in rule text.
    pub name: String,
    /// The title shown to people; rule text uses the name.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// A comment for the reader; may be empty.
    pub note: String,
    /// The one or two axes.
    pub axes: Vec<Param>,
    /// The rows in order, as ranges of values on the first axis.
    pub rows: Vec<RowRange>,
    /// The labels of the rows, as written in the ruleset.
    pub row_labels: Vec<String>,
    /// The span of each row.
    pub row_spans: Vec<Span>,
    /// The columns, as ranges of values on the second axis; empty if there is only one axis.
    pub columns: Vec<RowRange>,
    /// The labels of the columns, as written in the ruleset.
    pub column_labels: Vec<String>,
    /// The values in the cells, row by row.
    pub values: Vec<i64>,
    /// The type of the values in the cells.
    pub gives: Type,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// A named expression.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name in rule text.
    pub name: String,
    /// The parameters that its expression can use.
    pub params: Vec<Param>,
    /// Its phrase in a sentence, with the parameters in braces, such as `{a} can see {b}`.
    pub says: Option<String>,
    /// A comment for the reader; may be empty.
    pub note: String,
    /// The function that computes the expression.
    pub function: FunctionId,
    /// The span of the declaration, for messages.
    pub span: Span,
}

/// A part of the rule text that is compiled into one function.
#[derive(Clone, Debug)]
pub enum CodeUnit {
    /// A definition.
    Define(DefineId, Expr),
    /// A rule.
    Rule(RuleId),
    /// The entry through which a rule is called by the umpire and by rule text that leaves out
    /// values. It takes the parameters of the rule, then one flag for each parameter with a
    /// default; the flag is set if the call gives a value.
    Entry(RuleId),
    /// Statements that can use the parameters.
    Block(Vec<Param>, Statements),
    /// An expression that can use the parameters. If a type is stated, the expression must have it.
    Value(Vec<Param>, Option<Type>, Expr),
    /// The condition under which a side sees a sweep: an expression that can use the parameters and
    /// the names of the sweep.
    SeenInSweep(Vec<Param>, Vec<MemberSource>, Expr),
    /// A reminder: its sources, condition and text.
    Remind(Box<ReminderText>),
    /// A unit in a phase with `steps`. In this unit, `step` has the given number as its value.
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

/// All declarations of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Kinds, lists, the state and the options; the first two are [`STATE_KIND`] and [`OPTION_KIND`].
    pub kinds: Named<Kind>,
    /// Sets of words; the first is [`DIRECTION_WORDS`].
    pub words: Named<WordSet>,
    /// Decks.
    pub decks: Named<Deck>,
    /// The kind whose pieces act one at a time in some phases.
    pub activated: Option<KindId>,
    /// Charts.
    pub charts: Named<Chart>,
    /// Definitions.
    pub defines: Named<Define>,
    /// Rules.
    pub rules: Named<RuleText>,
    /// The rule texts to compile, by [`FunctionId`]; `None` where parsing failed.
    pub units: Vec<Option<CodeUnit>>,
    /// The names, such as `end 2 when`, that messages use for rule texts that the ruleset doesn't
    /// name.
    pub function_names: IndexMap<FunctionId, String>,
    /// The attribute stored in each column: its kind, and its index in the kind's attributes.
    pub columns: Vec<(KindId, usize)>,
    /// The attribute stored in each list, in the same form; for a deck, the kind of the state and
    /// `usize::MAX`.
    pub lists: Vec<(KindId, usize)>,
    /// The texts in list rows. A row refers to a text by its index.
    pub texts: Vec<String>,
    /// The type of the sides, if the ruleset has sides: a set of words, a kind or a list.
    pub sides: Option<Type>,
    /// The colours of the sides, in order; empty if the ruleset gives none.
    pub side_colours: Vec<Colour>,
    /// The kind whose pieces represent the players, if the ruleset names one.
    pub players: Option<KindId>,
    /// The template of the line that gives a player's orders, in a game whose sides have no
    /// written orders. Its placeholders are `{who}`, `{text}` and `{player}`.
    pub orders_line: Option<String>,
}

impl Schema {
    /// Returns the kind with this id.
    #[inline]
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// Returns the id of the kind with this name, if there is one.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        self.kinds.index_of(name).map(KindId::from_index)
    }

    /// Returns all kinds, lists, the state and the options with their ids.
    pub(crate) fn all_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.kinds.iter().enumerate().map(|(index, kind)| (KindId::from_index(index), kind))
    }

    /// Returns the kinds of pieces on the table with their ids.
    pub(crate) fn piece_kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> + Clone {
        self.all_kinds().filter(|(_, kind)| kind.role == KindRole::Pieces)
    }

    /// Returns the id of the kind whose pieces are the sides' written orders, if there is one. It
    /// is the only kind of piece that no ruleset declares.
    pub(crate) fn orders_kind(&self) -> Option<KindId> {
        self.piece_kinds().find(|(_, kind)| kind.is_built_in()).map(|(id, _)| id)
    }

    /// Returns a clause for messages that specifies who knows a secret before it is revealed.
    pub(crate) fn knowers(&self, secrecy: Option<Secrecy>) -> &'static str {
        match secrecy.map(|secrecy| secrecy.secret_for) {
            Some(SecretFor::Umpire) | None => "only the umpire knows",
            Some(SecretFor::OwnSide) if self.sides.is_some() => "only its own side knows",
            Some(SecretFor::OwnSide | SecretFor::OwnPlayer) => "only its own player knows",
            Some(SecretFor::Condition(_)) => "not every side may see",
        }
    }

    /// Returns the id of the kind with this plural, if there is one.
    pub(crate) fn plural_named(&self, name: &str) -> Option<KindId> {
        let found = self.kinds.iter().position(|k| k.plural == name && !name.is_empty());
        found.map(KindId::from_index)
    }

    /// Returns the set of words with this id.
    pub fn word_set(&self, id: WordsId) -> &WordSet {
        &self.words[id.index()]
    }

    /// Returns the id of the set of words with this name, if there is one.
    pub(crate) fn words_named(&self, name: &str) -> Option<WordsId> {
        self.words.index_of(name).map(WordsId::from_index)
    }

    /// Returns the value that means no side: the index of the word `none`, if the sides are a set
    /// of words that has it, otherwise -1.
    pub(crate) fn no_side(&self) -> i64 {
        let Some(Type::Word(set)) = self.sides else { return -1 };
        self.word_set(set).index_of("none").unwrap_or(-1)
    }

    /// For a kind whose pieces can be hidden, returns the index of the attribute that decides which
    /// side a piece belongs to: the attribute with the side or, if there is none, the first one
    /// that points to a piece with a side. Returns `None` for any other kind, or if there is no
    /// such attribute.
    pub(crate) fn owner_if_hidden(&self, kind: KindId) -> Option<usize> {
        let of = self.kind(kind);
        of.secret?;
        let points =
            |a: &Attribute| matches!(a.ty, Type::Piece(k) if self.kind(k).side().is_some());
        of.side_attribute.or_else(|| of.attributes.iter().position(points))
    }

    /// Returns the id of the deck with this name, if there is one.
    pub(crate) fn deck_named(&self, name: &str) -> Option<DeckId> {
        self.decks.index_of(name).map(DeckId::from_index)
    }

    /// Returns the id of the chart with this name, if there is one.
    pub(crate) fn chart_named(&self, name: &str) -> Option<ChartId> {
        self.charts.index_of(name).map(ChartId::from_index)
    }

    /// Returns the id of the definition with this name, if there is one.
    pub(crate) fn define_named(&self, name: &str) -> Option<DefineId> {
        self.defines.index_of(name).map(DefineId::from_index)
    }

    /// Returns the id of the rule with this name, if there is one.
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

    /// Returns the id of the kind whose pieces are the areas of the drawn plan, if there is one.
    pub fn plan_kind(&self) -> Option<KindId> {
        self.kinds.iter().position(|k| k.plan).map(KindId::from_index)
    }

    /// Adds a function to be compiled, and returns its id.
    pub(crate) fn new_function(&mut self) -> FunctionId {
        self.units.push(None);
        FunctionId::from_index(self.units.len() - 1)
    }

    /// Returns the name of the type in messages, such as `a whole number`, `a condition` or
    /// `a word (…)`.
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
            Type::Number => "a number that may be a fraction".into(),
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
