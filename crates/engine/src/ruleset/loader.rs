//! A ruleset in the making, and how its tables are read into it.

use indexmap::IndexMap;
use toml::de::DeValue;

use crate::diagnostic::{Declaration, Diagnostic};
use crate::language::schema::{FunctionId, KindId, Param, Schema, Type, Unit, WordsId};
use crate::language::syntax::{Expr, Name, Statements};
use crate::language::{parser, statements};
use crate::ruleset::Ruleset;
use crate::ruleset::format::Form;
use crate::ruleset::raw::{Reader, Section, Text, TomlNode};
use crate::source::{Sources, Span, StringMap};

/// The most phases, scenarios, or words of a set.
const MAX_NAMED: usize = 1_000;

/// The name of the phase before the first turn.
pub const SET_UP: &str = "set-up";

/// A named table of a section: `[rule.spread]`.
pub(super) struct NamedTable<'a> {
    pub(super) section: String,
    pub(super) name: Name,
    pub(super) node: TomlNode<'a>,
}

/// A ruleset in the making.
pub(super) struct Loader<'s> {
    pub(super) r: Reader<'s>,
    pub(super) schema: Schema,
    /// The parts that are ready; the ends of scenarios come before those of the game.
    pub(super) made: Ruleset,
    /// References to lists that begin with a row: kind, attribute, list, row.
    pub(super) starts: Vec<(KindId, String, KindId, Name)>,
    /// The number of the step whose texts are being read.
    pub(super) step: Option<i64>,
    /// The sets of words without a name, so that the same words are found again.
    pub(super) anonymous: IndexMap<Vec<String>, WordsId>,
    pub(super) care: LoadExtent,
}

/// The extent to which a ruleset is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadExtent {
    /// All of it; every scenario is set out once.
    Whole,
    /// As far as it is played: no worked examples.
    ToPlay,
}

impl<'s> Loader<'s> {
    pub(super) fn new(sources: &'s Sources, care: LoadExtent) -> Self {
        Loader {
            r: Reader::new(sources),
            schema: Schema::default(),
            made: Ruleset::default(),
            starts: Vec::new(),
            step: None,
            anonymous: IndexMap::new(),
            care,
        }
    }

    /// Returns true if there are as many of something as there may be, after a fault.
    pub(super) fn enough(&mut self, count: usize, what: &str, span: Span) -> bool {
        let enough = count >= MAX_NAMED;
        if enough {
            self.r.error("too-large", span, format!("there are at most {MAX_NAMED} {what}"));
        }
        enough
    }

    /// Returns the tables of a section that may be given several times, or the one.
    pub(super) fn one_or_more<'a>(&mut self, node: TomlNode<'a>) -> Vec<TomlNode<'a>> {
        match node.value {
            DeValue::Table(_) => vec![node],
            _ => self.r.array(node).unwrap_or_default(),
        }
    }

    /// Runs `read`; the faults it reports spoil the declaration.
    pub(super) fn spoiling<T>(
        &mut self,
        cause: &Declaration,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.r.faults.len();
        let value = read(self);
        for fault in &mut self.r.faults[before..] {
            fault.spoils.push(cause.clone());
        }
        value
    }

    /// Reads tables of one form, such as the modifiers of a rule.
    pub(super) fn parts<'a, T>(
        &mut self,
        nodes: impl IntoIterator<Item = TomlNode<'a>>,
        what: &str,
        form: &Form,
        mut read: impl FnMut(&mut Self, &Section<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for node in nodes {
            if let Some(part) = self.r.section(what, node) {
                found.extend(read(self, &part));
                part.finish(form, &mut self.r);
            }
        }
        found
    }

    /// Parses an expression; `None` after a fault.
    pub(super) fn expr(&mut self, text: &Text) -> Option<Expr> {
        parser::expression(&text.value, &text.map, &mut self.r.faults)
    }

    /// Adds a function; none of its text is compiled after a fault.
    pub(super) fn function(&mut self, unit: Option<Unit>) -> FunctionId {
        let function = self.schema.new_function();
        let unit = unit.map(|unit| match self.step {
            Some(step) => Unit::Step(step, Box::new(unit)),
            None => unit,
        });
        self.schema.units[function.index()] = unit;
        function
    }

    /// Parses the rule text of a key; `None` if it is not there, or after a fault.
    pub(super) fn parsed<T>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        parse: fn(&str, &StringMap, &mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let text = section.text(key, &mut self.r)?;
        parse(&text.value, &text.map, &mut self.r.faults)
    }

    /// Parses the expression of a key; `None` if it is not there, or after a fault.
    pub(super) fn expr_in(&mut self, section: &Section<'_>, key: &str) -> Option<Expr> {
        self.parsed(section, key, parser::expression)
    }

    /// Reads the expression of a key, which must have this type, as a function; `None` if it is not there.
    pub(super) fn value_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        ty: Option<Type>,
    ) -> Option<FunctionId> {
        let expr = self.expr_in(section, key);
        section.has(key).then(|| self.function(expr.map(|e| Unit::Value(Vec::new(), ty, e))))
    }

    /// Reads the statements of a key; empty if it is not there.
    pub(super) fn block(&mut self, section: &Section<'_>, key: &str) -> Statements {
        self.parsed(section, key, statements::block).unwrap_or_default()
    }

    /// Reads the statements of a key as a function, with `self` of that kind; `None` if it is not there.
    pub(super) fn block_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        of: Option<KindId>,
    ) -> Option<FunctionId> {
        let block = self.parsed(section, key, statements::block);
        let itself = of.map(|kind| Param::of("self", Type::Piece(kind))).into_iter().collect();
        section.has(key).then(|| self.function(block.map(|b| Unit::Block(itself, b))))
    }
}
