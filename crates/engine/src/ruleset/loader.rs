//! A ruleset that is being loaded, with functions to read its tables.

use indexmap::IndexMap;
use toml::de::DeValue;

use crate::diagnostic::{Declaration, Diagnostic};
use crate::language::schema::{CodeUnit, FunctionId, KindId, Param, Schema, Type, WordsId};
use crate::language::syntax::{Expr, Name, Statements};
use crate::language::{parser, statements};
use crate::ruleset::Ruleset;
use crate::ruleset::format::Form;
use crate::ruleset::parts::DeclaredActivation;
use crate::ruleset::raw::{RawText, Reader, Section, TomlNode};
use crate::source::{Sources, Span, StringMap};

/// The maximum number of phases, of scenarios, or of words in a set.
const MAX_NAMED: usize = 1_000;

/// The name, in rule text, of the phase before the first turn.
pub const SET_UP: &str = "set-up";

/// A table of a ruleset's file, such as `[rule.spread]`. A table without a name, such as `[game]`
/// or `[[phase]]`, has the name of its section.
pub(super) struct NamedTable<'a> {
    pub(super) section: String,
    pub(super) name: Name,
    pub(super) node: TomlNode<'a>,
}

/// A ruleset that is being loaded.
pub(super) struct Loader<'s> {
    pub(super) r: Reader<'s>,
    pub(super) schema: Schema,
    /// The parts of the ruleset that have been read. The ends of scenarios come before the ends of
    /// the game.
    pub(super) made: Ruleset,
    /// The attributes whose start value is a row of a list, each as its kind and its name, with the
    /// list and the row.
    pub(super) starts: Vec<(KindId, String, KindId, Name)>,
    /// The names of the list rows to which attributes give a picture, each with its list.
    pub(super) rows_with_pictures: Vec<(KindId, Name)>,
    /// The number of the step, while a phase that was declared with `steps` is being read.
    pub(super) step: Option<i64>,
    /// The sets of words without a name, by their words, so that attributes with the same words
    /// share a set.
    pub(super) anonymous: IndexMap<Vec<String>, WordsId>,
    pub(super) care: LoadExtent,
    /// The phases in which pieces act one at a time.
    pub(super) activations: Vec<DeclaredActivation>,
}

/// The extent to which a ruleset is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadExtent {
    /// Everything. Every scenario is set up once as a test.
    Whole,
    /// Only what is needed for play. The worked examples are left out, and only the scenarios that
    /// have `begin` are set up.
    ToPlay,
}

impl<'s> Loader<'s> {
    pub(super) fn new(sources: &'s Sources, care: LoadExtent) -> Self {
        Loader {
            r: Reader::new(sources),
            schema: Schema::default(),
            made: Ruleset::default(),
            starts: Vec::new(),
            rows_with_pictures: Vec::new(),
            step: None,
            anonymous: IndexMap::new(),
            care,
            activations: Vec::new(),
        }
    }

    /// Returns true, and reports a fault, if `count` has reached [`MAX_NAMED`]. `what` is the plural
    /// noun for the things counted.
    pub(super) fn is_at_limit(&mut self, count: usize, what: &str, span: Span) -> bool {
        let enough = count >= MAX_NAMED;
        if enough {
            self.r.error("too-large", span, format!("there can be at most {MAX_NAMED} {what}"));
        }
        enough
    }

    /// Returns the values in an array, or the node itself if it is a table; otherwise, reports a
    /// fault and returns no nodes.
    pub(super) fn tables_of_section<'a>(&mut self, node: TomlNode<'a>) -> Vec<TomlNode<'a>> {
        match node.value {
            DeValue::Table(_) => vec![node],
            _ => self.r.array(node).unwrap_or_default(),
        }
    }

    /// Runs `read`. If it reports faults, the declaration `cause` counts as faulty.
    pub(super) fn with_spoiled<T>(
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

    /// Reads tables of one form, such as the modifiers of a rule. The tables for which `read`
    /// returns `None` are left out.
    pub(super) fn read_tables<'a, T>(
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
                part.check_keys(form, &mut self.r);
            }
        }
        found
    }

    /// Parses an expression, or reports a fault and returns `None`.
    pub(super) fn parse_expr(&mut self, text: &RawText) -> Option<Expr> {
        parser::parse_expression(&text.value, &text.map, &mut self.r.faults)
    }

    /// Adds a function. If its text is faulty, `unit` is `None`, and the function is not compiled.
    pub(super) fn add_function(&mut self, unit: Option<CodeUnit>) -> FunctionId {
        let function = self.schema.new_function();
        let unit = unit.map(|unit| match self.step {
            Some(step) => CodeUnit::Step(step, Box::new(unit)),
            None => unit,
        });
        self.schema.units[function.index()] = unit;
        function
    }

    /// Parses the rule text of a key. Returns `None` if the key is missing or its text is faulty.
    pub(super) fn parse_key<T>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        parse: fn(&str, &StringMap, &mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let text = section.text(key, &mut self.r)?;
        parse(&text.value, &text.map, &mut self.r.faults)
    }

    /// Parses the expression of a key. Returns `None` if the key is missing or its text is faulty.
    pub(super) fn parse_expr_key(&mut self, section: &Section<'_>, key: &str) -> Option<Expr> {
        self.parse_key(section, key, parser::parse_expression)
    }

    /// Reads the expression of a key as a function. The expression must have the type `ty`, if one
    /// is given. Returns `None` if the key is missing.
    pub(super) fn read_value_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        ty: Option<Type>,
    ) -> Option<FunctionId> {
        let expr = self.parse_expr_key(section, key);
        section
            .has(key)
            .then(|| self.add_function(expr.map(|e| CodeUnit::Value(Vec::new(), ty, e))))
    }

    /// Gives an unnamed function the name under which an author would look for it.
    pub(super) fn name_function(&mut self, id: Option<FunctionId>, name: String) {
        if let Some(id) = id {
            self.schema.function_names.insert(id, name);
        }
    }

    /// Reads the statements of a key. The list is empty if the key is missing or its text is
    /// faulty.
    pub(super) fn read_statements(&mut self, section: &Section<'_>, key: &str) -> Statements {
        self.parse_key(section, key, statements::parse_statements).unwrap_or_default()
    }

    /// Reads the statements of a key as a function, in which `self` is a piece of the kind `of`, if
    /// one is given. Returns `None` if the key is missing.
    pub(super) fn read_statements_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        of: Option<KindId>,
    ) -> Option<FunctionId> {
        let block = self.parse_key(section, key, statements::parse_statements);
        let itself =
            of.map(|kind| Param::built_in("self", Type::Piece(kind))).into_iter().collect();
        section.has(key).then(|| self.add_function(block.map(|b| CodeUnit::Block(itself, b))))
    }
}
