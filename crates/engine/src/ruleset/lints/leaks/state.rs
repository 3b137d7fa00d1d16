//! The state before an instruction: the values of the registers, the facts, and the names set in
//! the current iterations of loops.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::facts::Facts;
use super::secrets::Secrets;
use super::symbols::{Symbol, Symbols};
use crate::language::code::Reg;
use crate::language::schema::Type;

/// The value of a register, with the secrets on which it depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) symbol: Symbol,
    pub(super) secrets: Secrets,
}

/// A name that a sweep or a loop sets in each iteration and reports to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TurnName {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) symbol: Symbol,
}

/// A list that is being collected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenList {
    /// The secrets that determine the members of the list.
    pub(super) secrets: Secrets,
    /// The first member that was added, if its value is known.
    pub(super) member: Option<Symbol>,
    /// True if different members were added.
    pub(super) is_mixed: bool,
    /// The facts that were known each time this member was added.
    pub(super) known: Facts,
}

/// The state before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) registers: Vec<Traced>,
    pub(super) facts: Facts,
    /// The names set in the current iterations of sweeps and loops.
    pub(super) turn: Rc<Vec<TurnName>>,
    /// The unfinished lists, by the register that marks the beginning of each.
    pub(super) lists: BTreeMap<Reg, OpenList>,
}

impl State {
    /// Merges the states of two paths. The registers must already have the same symbols on both.
    pub(super) fn joined(mut self, next: State, symbols: &Symbols) -> State {
        for (old, new) in self.registers.iter_mut().zip(next.registers) {
            old.secrets.extend(&new.secrets);
        }
        self.facts.keep_common_or_when(symbols, &next.facts);
        if self.turn != next.turn {
            let common = self.turn.iter().filter(|name| next.turn.contains(name));
            self.turn = Rc::new(common.cloned().collect());
        }
        for (mark, list) in next.lists {
            let old = self.lists.entry(mark).or_default();
            old.secrets.extend(&list.secrets);
            old.add_member(list.member, &list.known);
            old.is_mixed |= list.is_mixed;
        }
        self
    }
}

impl OpenList {
    /// Records a member that is added, with the facts that are known at that point. A member whose
    /// value is unknown is ignored.
    pub(super) fn add_member(&mut self, member: Option<Symbol>, known: &Facts) {
        match (self.member, member) {
            (_, None) => {}
            (None, Some(_)) => (self.member, self.known) = (member, known.clone()),
            (Some(old), Some(new)) if old == new => self.known.keep_common(known),
            (Some(_), Some(_)) => self.is_mixed = true,
        }
    }
}
