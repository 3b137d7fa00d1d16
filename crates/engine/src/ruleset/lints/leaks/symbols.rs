//! Values, identified by the way they are computed. Two registers can thus be known to hold the
//! same piece or the same side, although the piece or side itself is unknown.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use crate::language::code::Reg;
use crate::language::schema::{ColumnId, FunctionId};

/// The maximum depth of a term. A value that needs a deeper term is unknown.
const MAX_DEPTH: u8 = 12;

/// The value of some expression. Equal expressions have equal values, unless a cell that they read
/// changes in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Symbol(u32);

/// The way a value is computed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// The viewing side in a condition of `seen_by`, which can be any side.
    Viewer,
    /// A parameter of the function.
    Param(Reg),
    /// The value that the function returns.
    Returned,
    /// A fixed number, flag, word or row.
    Constant(i64),
    /// A cell of a piece.
    Cell(ColumnId, Symbol),
    /// The value that a function without effects returns for these arguments.
    Called(FunctionId, Vec<Symbol>),
    /// The condition that two values are equal.
    Same(Symbol, Symbol),
    /// The condition that another condition is false.
    Not(Symbol),
    /// The value that an instruction of a function writes to a register: the member of a loop, a
    /// card, or a value that depends on the path.
    Made(FunctionId, usize, Reg),
    /// The unchanged value of a register, after an instruction has changed the cell from which the
    /// value was read.
    Outdated(FunctionId, usize, Reg),
    /// A list that an instruction of a function collects.
    Collected(FunctionId, usize),
    /// A member of a list, which an instruction of a function writes to a register.
    Member(FunctionId, usize, Symbol),
}

/// All terms of an analysis. A term states how a value is computed.
#[derive(Default)]
pub(super) struct Symbols {
    terms: IndexSet<Origin>,
    depths: Vec<u8>,
    /// The columns that each function followed so far reads, directly or through the functions that
    /// it calls.
    pub(super) read_by: BTreeMap<FunctionId, BTreeSet<ColumnId>>,
}

impl Symbols {
    /// Returns the symbol of a term; `None` if the term is too deep.
    pub(super) fn of(&mut self, term: Origin) -> Option<Symbol> {
        if let Some(index) = self.terms.get_index_of(&term) {
            return Some(Symbol(index as u32));
        }
        let depth = |symbol: &Symbol| self.depths[symbol.0 as usize];
        let depth = 1 + match &term {
            Origin::Cell(_, a) | Origin::Not(a) | Origin::Member(_, _, a) => depth(a),
            Origin::Same(a, b) => depth(a).max(depth(b)),
            Origin::Called(_, arguments) => arguments.iter().map(depth).max().unwrap_or(0),
            Origin::Viewer | Origin::Param(_) | Origin::Returned | Origin::Constant(_) => 0,
            Origin::Made(..) | Origin::Collected(..) | Origin::Outdated(..) => 0,
        };
        if depth > MAX_DEPTH {
            return None;
        }
        self.depths.push(depth);
        Some(Symbol(self.terms.insert_full(term).0 as u32))
    }

    /// Returns the symbol of a term that doesn't contain other terms.
    pub(super) fn leaf(&mut self, term: Origin) -> Symbol {
        // Only terms that contain other terms can be too deep.
        self.of(term).unwrap_or(Symbol(0))
    }

    /// Returns the symbol of a fixed value.
    pub(super) fn constant(&mut self, n: i64) -> Symbol {
        self.leaf(Origin::Constant(n))
    }

    /// Returns the way a value is computed.
    pub(super) fn term(&self, symbol: Symbol) -> &Origin {
        &self.terms[symbol.0 as usize]
    }

    /// Returns true if computing a value may read a column.
    pub(super) fn reads_column(&self, symbol: Symbol, column: ColumnId) -> bool {
        match self.term(symbol) {
            Origin::Cell(of, piece) => *of == column || self.reads_column(*piece, column),
            Origin::Not(a) => self.reads_column(*a, column),
            Origin::Same(a, b) => self.reads_column(*a, column) || self.reads_column(*b, column),
            Origin::Called(function, arguments) => {
                self.read_by.get(function).is_none_or(|columns| columns.contains(&column))
                    || arguments.iter().any(|a| self.reads_column(*a, column))
            }
            Origin::Member(_, _, list) => self.reads_column(*list, column),
            Origin::Viewer | Origin::Param(_) | Origin::Returned | Origin::Constant(_) => false,
            Origin::Made(..) | Origin::Outdated(..) | Origin::Collected(..) => false,
        }
    }

    /// Returns the depth of a value's term.
    pub(super) fn depth(&self, symbol: Symbol) -> u8 {
        self.depths[symbol.0 as usize]
    }

    /// Returns the value of a constant; `None` for other symbols.
    pub(super) fn as_constant(&self, symbol: Symbol) -> Option<i64> {
        match self.term(symbol) {
            Origin::Constant(n) => Some(*n),
            _ => None,
        }
    }

    /// Returns true if a value may be different each time its function runs.
    pub(super) fn is_passing(&self, symbol: Symbol) -> bool {
        match self.term(symbol) {
            Origin::Made(..)
            | Origin::Outdated(..)
            | Origin::Member(..)
            | Origin::Collected(..) => true,
            Origin::Cell(_, a) | Origin::Not(a) => self.is_passing(*a),
            Origin::Same(a, b) => self.is_passing(*a) || self.is_passing(*b),
            Origin::Called(_, arguments) => arguments.iter().any(|a| self.is_passing(*a)),
            Origin::Viewer | Origin::Param(_) | Origin::Returned | Origin::Constant(_) => false,
        }
    }

    /// Returns a value with every occurrence of `old` in its term replaced by `new`; `None` if the
    /// resulting term is too deep.
    pub(super) fn replace(&mut self, symbol: Symbol, old: Symbol, new: Symbol) -> Option<Symbol> {
        let mut known = BTreeMap::from([(old, Some(new))]);
        let params: Vec<Symbol> = Vec::new();
        self.translate(symbol, &params, &mut known)
    }

    /// Returns a value of a called function in terms of the caller's values; `None` if the
    /// resulting term is too deep. `known` holds the symbols that were translated before.
    /// Parameters without an argument stay unchanged.
    pub(super) fn translate(
        &mut self,
        symbol: Symbol,
        arguments: &[Symbol],
        known: &mut BTreeMap<Symbol, Option<Symbol>>,
    ) -> Option<Symbol> {
        if let Some(found) = known.get(&symbol) {
            return *found;
        }
        let found = match self.term(symbol).clone() {
            Origin::Param(reg) => Some(arguments.get(usize::from(reg)).copied().unwrap_or(symbol)),
            Origin::Viewer
            | Origin::Returned
            | Origin::Constant(_)
            | Origin::Made(..)
            | Origin::Outdated(..)
            | Origin::Collected(..) => Some(symbol),
            Origin::Cell(column, piece) => {
                let piece = self.translate(piece, arguments, known);
                piece.and_then(|piece| self.of(Origin::Cell(column, piece)))
            }
            Origin::Not(a) => {
                let a = self.translate(a, arguments, known);
                a.and_then(|a| self.of(Origin::Not(a)))
            }
            Origin::Member(function, at, list) => {
                let list = self.translate(list, arguments, known);
                list.and_then(|list| self.of(Origin::Member(function, at, list)))
            }
            Origin::Same(a, b) => {
                let a = self.translate(a, arguments, known);
                let b = self.translate(b, arguments, known);
                a.zip(b).and_then(|(a, b)| self.of(Origin::Same(a.min(b), a.max(b))))
            }
            Origin::Called(function, given) => {
                let given: Option<Vec<Symbol>> =
                    given.into_iter().map(|a| self.translate(a, arguments, known)).collect();
                given.and_then(|given| self.of(Origin::Called(function, given)))
            }
        };
        known.insert(symbol, found);
        found
    }
}
