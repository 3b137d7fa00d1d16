//! Finds the declarations that rule text and examples use.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::language::code::Op;
use crate::language::schema::{Attribute, AttributeStorage, ChartId, FunctionId};
use crate::ruleset::Ruleset;

/// The declarations of a ruleset that are used.
#[derive(Default)]
pub(super) struct NameUses<'r> {
    /// The columns and lists that are read, the functions that are called, and the lists of the
    /// decks that are used.
    asked: IndexSet<AttributeStorage>,
    changed: IndexSet<AttributeStorage>,
    pub(super) charts: IndexSet<ChartId>,
    /// The names in the expectations of examples.
    expected: BTreeSet<&'r str>,
}

impl<'r> NameUses<'r> {
    /// Returns the declarations that a ruleset's rule text uses or changes, and the names in the
    /// expectations of its examples.
    pub(super) fn of(ruleset: &'r Ruleset) -> NameUses<'r> {
        let expected = ruleset.examples.iter().flat_map(|e| &e.expect);
        let expected = expected.flat_map(|(_, text)| names_in(&text.value)).collect();
        let mut used = NameUses { expected, ..NameUses::default() };
        // Attributes that every place has automatically use nothing that the author wrote.
        let attributes = ruleset.schema.kinds.iter().flat_map(|kind| &kind.attributes);
        let automatic: IndexSet<AttributeStorage> =
            attributes.filter(|a| a.pieces_there).map(|a| a.storage).collect();
        for (index, function) in ruleset.program.functions.iter().enumerate() {
            let of = AttributeStorage::Computed(FunctionId::from_index(index));
            if !automatic.contains(&of) {
                function.code.iter().for_each(|op| used.add_instruction(ruleset, op));
            }
        }
        used
    }

    fn add_instruction(&mut self, ruleset: &Ruleset, op: &Op) {
        match *op {
            Op::Get { column, .. }
            | Op::JumpCell { column, .. }
            | Op::NextMarked { column, .. } => {
                self.asked.insert(AttributeStorage::Cell(column));
            }
            Op::GetList { list, .. } | Op::Holds { list, .. } | Op::NextOf { list, .. } => {
                self.asked.insert(AttributeStorage::List(list));
            }
            Op::Draw { deck, .. } | Op::Deck { deck, .. } => {
                self.asked.insert(AttributeStorage::List(ruleset.schema.decks[deck.index()].list));
            }
            Op::Call { call } => _ = self.asked.insert(AttributeStorage::Computed(call.function)),
            Op::Way { way, .. } => {
                let way = &ruleset.program.ways[way.0 as usize];
                self.asked.insert(way.along);
                self.asked.extend(way.filter.map(AttributeStorage::Computed));
            }
            Op::Set { column, .. } => _ = self.changed.insert(AttributeStorage::Cell(column)),
            Op::SetList { list, .. } => _ = self.changed.insert(AttributeStorage::List(list)),
            Op::Chart { chart, .. } => _ = self.charts.insert(chart),
            // The other instructions use none of these declarations.
            _ => {}
        }
    }

    /// Returns true if rule text reads this storage, or if any example's expectations contain this
    /// name.
    pub(super) fn is_read(&self, name: &str, from: AttributeStorage) -> bool {
        self.asked.contains(&from) || self.expected.contains(name)
    }

    /// Returns true if rule text changes an attribute.
    pub(super) fn is_changed(&self, attribute: &Attribute) -> bool {
        self.changed.contains(&attribute.storage)
    }
}

/// Returns the names in a typed line or an expression.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
}
