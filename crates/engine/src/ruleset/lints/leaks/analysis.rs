//! The state of an analysis of a whole ruleset: the functions followed so far, and the effects of
//! each of them in terms of its parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::facts::Facts;
use super::flow::ControlFlow;
use super::secrets::{Limit, Secret, SecretThing, Secrets};
use super::showing::Showing;
use super::symbols::{Symbol, Symbols};
use crate::language::code::{Program, Reg};
use crate::language::schema::{ColumnId, Element, FunctionId, KindId, RuleId, Schema, Type};
use crate::ruleset::Ruleset;
use crate::tabletop::Scenario;

/// The number of steps (a few seconds of work) after which the analysis gives up. A step is roughly
/// the work of following one instruction of a function that uses few registers. Lionel Tarr's
/// rules, the largest of the games that come with the program, take two million steps.
pub(super) const MAX_STEPS: usize = 40_000_000;

/// The effects of calling a function, in terms of its parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// The value, if it is the same on every path through the function.
    pub(super) result: Option<Symbol>,
    /// The secrets on which the value depends.
    pub(super) secrets: Secrets,
    /// Everything that the function shows and that may reveal a secret.
    pub(super) showings: BTreeSet<Showing>,
    /// The columns that the function may change, each with the new value if that is always the same
    /// constant.
    pub(super) changed: BTreeMap<ColumnId, Option<Symbol>>,
    /// The secret things that the function may hide again from sides to which they were revealed.
    pub(super) hidden_again: BTreeSet<SecretThing>,
    /// The kinds of the pieces that the function may make.
    pub(super) made: BTreeSet<KindId>,
    /// The arguments that the function stores in secret attributes, each with the secret that it
    /// becomes. A viewer who may not see the typed line doesn't know these arguments.
    pub(super) entrusted: BTreeSet<(Reg, Secret)>,
    /// The facts that are known after the call, whichever path it takes.
    pub(super) known: Facts,
}

/// The analysis of a ruleset.
pub(super) struct Analysis<'r> {
    pub(super) schema: &'r Schema,
    pub(super) program: &'r Program,
    pub(super) scenarios: &'r [Scenario],
    /// The functions that fill decks.
    pub(super) fills: Vec<FunctionId>,
    /// The rules, by their functions.
    pub(super) rules: BTreeMap<FunctionId, RuleId>,
    pub(super) symbols: Symbols,
    pub(super) summaries: BTreeMap<FunctionId, Summary>,
    pub(super) flows: BTreeMap<FunctionId, Rc<ControlFlow>>,
    /// For each secret thing whose visibility depends on a condition (`seen_by`), the columns of
    /// its kind that the condition reads.
    pub(super) hiding: BTreeMap<SecretThing, BTreeSet<ColumnId>>,
    /// For each thing that everyone usually sees, the columns whose values can hide it.
    pub(super) usually_open: BTreeMap<SecretThing, BTreeSet<ColumnId>>,
    /// For each collected list, the member that was added to it, and the facts known about the
    /// member at that point.
    pub(super) collected: BTreeMap<Symbol, (Symbol, Facts)>,
    /// The collected lists that contain every piece of a kind.
    pub(super) complete: BTreeSet<Symbol>,
    /// True once all functions have been followed. Only then do viewers who see a piece count as
    /// members of its side.
    pub(super) all_followed: bool,
    /// True if a function could not be followed to the end.
    pub(super) gave_up: bool,
    /// The functions followed so far that do nothing but compute a value.
    pub(super) pure: BTreeSet<FunctionId>,
    pub(super) steps: usize,
}

impl<'r> Analysis<'r> {
    pub(super) fn new(ruleset: &'r Ruleset) -> Analysis<'r> {
        let rules = ruleset.schema.rules.iter().enumerate();
        let rules = rules.map(|(index, rule)| (rule.function, RuleId::from_index(index))).collect();
        Analysis {
            schema: &ruleset.schema,
            program: &ruleset.program,
            scenarios: &ruleset.scenarios,
            fills: ruleset.schema.decks.iter().filter_map(|deck| deck.fill).collect(),
            rules,
            symbols: Symbols::default(),
            summaries: BTreeMap::new(),
            flows: BTreeMap::new(),
            hiding: BTreeMap::new(),
            usually_open: BTreeMap::new(),
            collected: BTreeMap::new(),
            complete: BTreeSet::new(),
            all_followed: false,
            gave_up: false,
            pure: BTreeSet::new(),
            steps: 0,
        }
    }

    /// Returns true if a function does nothing but compute a value from its arguments and from
    /// cells.
    pub(super) fn is_pure(&self, function: FunctionId) -> bool {
        self.pure.contains(&function)
    }

    pub(super) fn summary(&self, function: FunctionId) -> Option<&Summary> {
        self.summaries.get(&function)
    }

    /// Returns the limits on the viewers of an action that involves these pieces, or lists of
    /// pieces: only viewers who see every secret piece among them.
    pub(super) fn limits_of_pieces(&self, pieces: &[(KindId, Symbol)]) -> Vec<Limit> {
        let secret = pieces.iter().filter(|(kind, _)| self.schema.kind(*kind).secret.is_some());
        secret.map(|&(kind, piece)| Limit::Sees(kind, piece)).collect()
    }
}

/// Returns the pieces among these values, with their kinds.
pub(super) fn pieces_among(
    values: impl IntoIterator<Item = (Type, Symbol)>,
) -> Vec<(KindId, Symbol)> {
    let pieces = values.into_iter().filter_map(|(ty, symbol)| match ty {
        Type::Piece(kind) => Some((kind, symbol)),
        _ => None,
    });
    pieces.collect()
}

/// Returns the lists of pieces among these values, with the kinds of the pieces. If the values are
/// arguments of a rule, the pieces are named in the typed line, so whoever types it knows them.
pub(super) fn lists_among(
    values: impl IntoIterator<Item = (Type, Symbol)>,
) -> Vec<(KindId, Symbol)> {
    let lists = values.into_iter().filter_map(|(ty, symbol)| match ty {
        Type::List(Element::Piece(kind)) => Some((kind, symbol)),
        _ => None,
    });
    lists.collect()
}
