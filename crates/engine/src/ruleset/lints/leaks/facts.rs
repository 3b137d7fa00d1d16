//! The facts that are known at a point in a function because of the conditions that led there and
//! the changes made on the way.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::secrets::SecretThing;
use super::symbols::{Origin, Symbol, Symbols};
use crate::language::schema::ColumnId;

/// The maximum number of facts that are stored for one point. Further facts are ignored.
const MAX_FACTS: usize = 64;

/// A known fact about values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// Every piece of a kind has this value in this column.
    Every(ColumnId, Symbol),
    /// A piece has left the table.
    Gone(Symbol),
    /// Two values are equal.
    Equal(Symbol, Symbol),
    /// Two values are different.
    Different(Symbol, Symbol),
    /// Something secret about a piece has been revealed to a side.
    RevealedTo(SecretThing, Symbol, Symbol),
    /// If the first two values are equal, so are the other two. For example, after `if seen {
    /// reveal mine }`, the mine is revealed if it was seen.
    When([Symbol; 4]),
}

impl Fact {
    /// Returns true if the fact compares the value itself. A fact about the piece that the value
    /// refers to, such as that it has left the table, is not a comparison.
    pub(super) fn compares(self, symbol: Symbol) -> bool {
        match self {
            Fact::Every(_, value) => value == symbol,
            Fact::Equal(a, b) | Fact::Different(a, b) => a == symbol || b == symbol,
            Fact::Gone(_) | Fact::RevealedTo(..) => false,
            Fact::When(all) => all.contains(&symbol),
        }
    }

    /// Returns the piece that has left the table; `None` for other facts.
    fn gone_piece(&self) -> Option<Symbol> {
        match *self {
            Fact::Gone(piece) => Some(piece),
            _ => None,
        }
    }

    /// Returns true if the fact states that a cell of the piece equals some value.
    fn is_about_cell_of(&self, symbols: &Symbols, piece: Symbol) -> bool {
        let is_cell =
            |symbol: Symbol| matches!(symbols.term(symbol), Origin::Cell(_, of) if *of == piece);
        matches!(*self, Fact::Equal(a, b) if is_cell(a) || is_cell(b))
    }

    /// Returns the fact with `change` applied to its values, or `None` if `change` returns `None`
    /// for one of them.
    pub(super) fn map(self, mut change: impl FnMut(Symbol) -> Option<Symbol>) -> Option<Fact> {
        Some(match self {
            Fact::Every(column, value) => Fact::Every(column, change(value)?),
            Fact::Gone(piece) => Fact::Gone(change(piece)?),
            Fact::Equal(a, b) => {
                let (a, b) = pair(change(a)?, change(b)?);
                Fact::Equal(a, b)
            }
            Fact::Different(a, b) => {
                let (a, b) = pair(change(a)?, change(b)?);
                Fact::Different(a, b)
            }
            Fact::RevealedTo(thing, piece, side) => {
                Fact::RevealedTo(thing, change(piece)?, change(side)?)
            }
            Fact::When([a, b, c, d]) => {
                let ((a, b), (c, d)) = (pair(change(a)?, change(b)?), pair(change(c)?, change(d)?));
                Fact::When([a, b, c, d])
            }
        })
    }
}

/// The facts that are known at one point.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Facts(Rc<BTreeSet<Fact>>);

fn pair(a: Symbol, b: Symbol) -> (Symbol, Symbol) {
    (a.min(b), a.max(b))
}

impl Facts {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// Forgets the facts for which `is_stale` returns true.
    fn forget(&mut self, is_stale: impl Fn(&Fact) -> bool) {
        if self.0.iter().any(&is_stale) {
            Rc::make_mut(&mut self.0).retain(|fact| !is_stale(fact));
        }
    }

    pub(super) fn add(&mut self, fact: Fact) {
        if self.0.len() < MAX_FACTS && !self.0.contains(&fact) {
            Rc::make_mut(&mut self.0).insert(fact);
        }
    }

    /// Removes the facts that aren't in `other`.
    pub(super) fn keep_common(&mut self, other: &Facts) {
        if !self.0.is_subset(&other.0) {
            Rc::make_mut(&mut self.0).retain(|fact| other.0.contains(fact));
        }
    }

    /// Merges the facts of two paths. The facts that are known on both paths remain. If an equality
    /// known on one path is known to be false on the other, the other equalities that are known
    /// only on the first path remain as [`Fact::When`]. If a piece has left the table on one path,
    /// the facts about its cells on the other path remain.
    pub(super) fn keep_common_or_when(&mut self, symbols: &Symbols, other: &Facts) {
        let mut when = Vec::new();
        for (here, there) in [(&*self, other), (other, &*self)] {
            let alone = |fact: &&Fact| !there.0.contains(*fact);
            for piece in there.0.iter().filter_map(Fact::gone_piece) {
                let of_piece = |fact: &&Fact| fact.is_about_cell_of(symbols, piece);
                when.extend(here.0.iter().filter(alone).filter(of_piece).copied());
            }
            let signs = here.0.iter().filter(alone).filter_map(|fact| match *fact {
                Fact::Equal(a, b) if there.compare(symbols, a, b) == Some(false) => Some((a, b)),
                _ => None,
            });
            // One condition is enough, and the first is as good as any.
            let Some((a, b)) = signs.take(1).next() else { continue };
            let follows = here.0.iter().filter(alone).filter_map(|fact| match *fact {
                Fact::Equal(c, d) if (c, d) != (a, b) => Some(Fact::When([a, b, c, d])),
                _ => None,
            });
            when.extend(follows);
        }
        self.keep_common(other);
        when.into_iter().for_each(|fact| self.add(fact));
    }

    /// Adds the fact that a condition is true or false.
    pub(super) fn add_condition(&mut self, symbols: &mut Symbols, condition: Symbol, holds: bool) {
        match *symbols.term(condition) {
            Origin::Not(inner) => self.add_condition(symbols, inner, !holds),
            Origin::Same(a, b) => self.add_comparison(a, b, holds),
            Origin::Constant(_) => {}
            _ => {
                let value = symbols.constant(i64::from(holds));
                self.add_comparison(condition, value, true);
            }
        }
    }

    /// Adds the fact that two values are equal or different. If they are equal, also adds the
    /// equalities that follow from it.
    pub(super) fn add_comparison(&mut self, a: Symbol, b: Symbol, equal: bool) {
        let (a, b) = pair(a, b);
        if !equal {
            return self.add(Fact::Different(a, b));
        }
        self.add(Fact::Equal(a, b));
        let follows = self.0.iter().filter_map(|fact| match *fact {
            Fact::When([x, y, c, d]) if (x, y) == (a, b) => Some(Fact::Equal(c, d)),
            _ => None,
        });
        let follows: Vec<Fact> = follows.collect();
        follows.into_iter().for_each(|fact| self.add(fact));
    }

    /// Returns true if two values are known to be equal.
    pub(super) fn are_equal(&self, symbols: &mut Symbols, a: Symbol, b: Symbol) -> bool {
        let simplest = [a, b].map(|symbol| self.simplest(symbols, symbol));
        self.compare(symbols, simplest[0], simplest[1]) == Some(true)
    }

    /// Returns true if two values are equal, and false if they are different; `None` if this is
    /// unknown.
    pub(super) fn compare(&self, symbols: &Symbols, a: Symbol, b: Symbol) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let constants = symbols.as_constant(a).zip(symbols.as_constant(b));
        if constants.is_some() {
            return Some(false);
        }
        let (a, b) = pair(a, b);
        if self.0.contains(&Fact::Equal(a, b)) {
            return Some(true);
        }
        if self.0.contains(&Fact::Different(a, b)) {
            return Some(false);
        }
        // Compare with values that are known to equal `a`.
        for other in self.equal_to(a).chain(self.value_of_every(symbols, a)) {
            let numbers = symbols.as_constant(other).zip(symbols.as_constant(b));
            if numbers.is_some_and(|(x, y)| x != y) {
                return Some(false);
            }
            let (x, y) = pair(other, b);
            if x == y || self.0.contains(&Fact::Equal(x, y)) {
                return Some(true);
            }
            if self.0.contains(&Fact::Different(x, y)) {
                return Some(false);
            }
        }
        let mut equal = self.equal_to(b).chain(self.value_of_every(symbols, b));
        let constant = equal.find(|other| symbols.as_constant(*other).is_some());
        constant
            .zip(symbols.as_constant(a))
            .and_then(|(other, n)| symbols.as_constant(other).filter(|m| *m != n).map(|_| false))
    }

    /// Returns the value of a condition; `None` if it is unknown.
    pub(super) fn condition(&self, symbols: &mut Symbols, condition: Symbol) -> Option<bool> {
        match *symbols.term(condition) {
            Origin::Constant(n) => Some(n != 0),
            Origin::Not(inner) => self.condition(symbols, inner).map(|holds| !holds),
            Origin::Same(a, b) => self.compare(symbols, a, b),
            _ => {
                let no = symbols.constant(0);
                match self.compare(symbols, condition, no) {
                    Some(equal) => Some(!equal),
                    None => {
                        let yes = symbols.constant(1);
                        self.compare(symbols, condition, yes).filter(|equal| *equal)
                    }
                }
            }
        }
    }

    /// Returns the other values that facts state to be equal to this one.
    pub(super) fn equal_to(&self, a: Symbol) -> impl Iterator<Item = Symbol> {
        self.0.iter().filter_map(move |fact| match fact {
            Fact::Equal(x, y) if *x == a => Some(*y),
            Fact::Equal(x, y) if *y == a => Some(*x),
            _ => None,
        })
    }

    /// Returns the value of a cell, if all pieces of the kind are known to have the same value in
    /// its column. For any other symbol, returns `None`.
    fn value_of_every(&self, symbols: &Symbols, cell: Symbol) -> Option<Symbol> {
        let Origin::Cell(of, _) = *symbols.term(cell) else { return None };
        self.0.iter().find_map(|fact| match *fact {
            Fact::Every(column, value) if column == of => Some(value),
            _ => None,
        })
    }

    /// Returns the cells of this piece that are known to have a constant value, each as its column
    /// and the constant.
    pub(super) fn constant_cells(
        &self,
        symbols: &Symbols,
        piece: Symbol,
    ) -> Vec<(ColumnId, Symbol)> {
        let of_piece = |cell: Symbol, value: Symbol| match *symbols.term(cell) {
            Origin::Cell(column, row) if row == piece && symbols.as_constant(value).is_some() => {
                Some((column, value))
            }
            _ => None,
        };
        let cells = self.0.iter().filter_map(|fact| match *fact {
            Fact::Equal(a, b) => of_piece(a, b).or_else(|| of_piece(b, a)),
            _ => None,
        });
        cells.collect()
    }

    /// Forgets the facts about every piece of a kind, because they may not be true for a new piece.
    /// `is_of_kind` returns true for the columns of the kind.
    pub(super) fn forget_every(&mut self, is_of_kind: impl Fn(ColumnId) -> bool) {
        let is_stale = |fact: &Fact| matches!(*fact, Fact::Every(column, _) if is_of_kind(column));
        self.forget(is_stale);
    }

    /// Returns the facts about values that are the same in every run of the function.
    pub(super) fn lasting_facts(&self, symbols: &Symbols) -> Facts {
        let lasts = |symbol: &Symbol| !symbols.is_passing(*symbol);
        let lasting = self.0.iter().filter(|fact| match fact {
            Fact::Every(_, value) => lasts(value),
            Fact::Gone(piece) => lasts(piece),
            Fact::Equal(a, b) | Fact::Different(a, b) => lasts(a) && lasts(b),
            Fact::RevealedTo(_, piece, side) => lasts(piece) && lasts(side),
            Fact::When(all) => all.iter().all(lasts),
        });
        Facts(Rc::new(lasting.copied().collect()))
    }

    /// Returns the facts about the value `old`, rewritten as facts about `new`; nothing if `old` is
    /// a constant.
    pub(super) fn renamed(&self, symbols: &mut Symbols, old: Symbol, new: Symbol) -> Vec<Fact> {
        let mut all = Vec::new();
        if symbols.as_constant(old).is_some() {
            return all;
        }
        for fact in self.0.iter() {
            let renamed = fact.map(|symbol| symbols.replace(symbol, old, new));
            all.extend(renamed.filter(|renamed| renamed != fact));
        }
        all
    }

    /// Returns the facts in which a value occurs.
    pub(super) fn about(&self, symbols: &mut Symbols, symbol: Symbol) -> Vec<Fact> {
        let other = symbols.leaf(Origin::Viewer);
        let mut is_about =
            |fact: &&Fact| fact.map(|s| symbols.replace(s, symbol, other)) != Some(**fact);
        self.0.iter().filter(|fact| is_about(fact)).copied().collect()
    }

    /// Returns the simplest value that is known to equal this one. A value that is the same in
    /// every run of the function is simpler than one that may differ between runs. Otherwise, the
    /// value whose term is less deeply nested is simpler.
    pub(super) fn simplest(&self, symbols: &mut Symbols, symbol: Symbol) -> Symbol {
        let mut best = symbol;
        if let Origin::Cell(column, piece) = *symbols.term(symbol) {
            let piece = self.simplest(symbols, piece);
            best = symbols.of(Origin::Cell(column, piece)).unwrap_or(symbol);
        }
        let rank = |all: &Symbols, s: Symbol| (all.is_passing(s), all.depth(s), s);
        let equal = self.equal_to(best).chain(self.equal_to(symbol));
        let simpler = equal.min_by_key(|other| rank(symbols, *other));
        match simpler.filter(|other| rank(symbols, *other) < rank(symbols, best)) {
            Some(other) => other,
            None => best,
        }
    }

    /// Returns true if something about a piece is known to have been revealed to a side.
    pub(super) fn is_revealed_to(&self, thing: SecretThing, piece: Symbol, side: Symbol) -> bool {
        self.0.contains(&Fact::RevealedTo(thing, piece, side))
    }

    /// Returns true if a fact reads none of these columns.
    pub(super) fn is_about_other_cells(
        fact: &Fact,
        symbols: &Symbols,
        columns: &BTreeSet<ColumnId>,
    ) -> bool {
        let reads = |symbol: &Symbol| columns.iter().any(|c| symbols.reads_column(*symbol, *c));
        match fact {
            Fact::Every(column, value) => !columns.contains(column) && !reads(value),
            Fact::Gone(piece) => !reads(piece),
            Fact::Equal(a, b) | Fact::Different(a, b) => !reads(a) && !reads(b),
            Fact::RevealedTo(_, piece, side) => !reads(piece) && !reads(side),
            Fact::When(all) => !all.iter().any(reads),
        }
    }

    /// Removes the facts about the sides to which a secret thing was revealed, because it is hidden
    /// again.
    pub(super) fn forget_revealed_to(&mut self, hidden: SecretThing) {
        let is_stale =
            |fact: &Fact| matches!(fact, Fact::RevealedTo(thing, ..) if *thing == hidden);
        self.forget(is_stale);
    }

    /// Removes the facts that may have become false because some piece's cell in this column was
    /// set to `value`. Facts that a cell of the column equals `value` stay true, whichever piece
    /// was changed.
    pub(super) fn forget_cells(
        &mut self,
        symbols: &Symbols,
        column: ColumnId,
        value: Option<Symbol>,
    ) {
        let reads = |symbol: &Symbol| symbols.reads_column(*symbol, column);
        let is_stale = |fact: &Fact| match fact {
            Fact::Every(of, old) => *of == column && Some(*old) != value,
            Fact::Equal(a, b) if reads(a) && !reads(b) => Some(*b) != value,
            Fact::Equal(a, b) if reads(b) && !reads(a) => Some(*a) != value,
            Fact::Equal(a, b) | Fact::Different(a, b) => reads(a) || reads(b),
            Fact::Gone(_) | Fact::RevealedTo(..) => false,
            Fact::When(all) => all.iter().any(reads),
        };
        self.forget(is_stale);
    }
}
