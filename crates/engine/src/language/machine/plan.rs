//! The drawn plan: ways, distances, directions, steps.

use std::collections::BTreeMap;

use super::super::code::{Program, WaySearchId};
use super::super::schema::AttributeStorage;
use super::interrupt::Interrupt;
use super::lists::push_members;
use super::run::Run;
use super::{Host, MAX_REPEATS, NO_WAY, World};

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Searches for the shortest way, breadth first. Returns its number of steps, or the list of its areas without the
    /// first. Of ways of equal length it is the one whose areas come first in the lists.
    pub(super) fn find_way(&mut self, way: WaySearchId) -> Result<i64, Interrupt> {
        let way = self.machine.program.ways[way.0 as usize];
        let from = self.row(way.from)?;
        let to = self.row(way.to)?;
        let captured: Vec<i64> =
            (1..=way.captured).map(|argument| self.value(way.base + argument)).collect();
        // The area from which each was reached first.
        let mut reached = BTreeMap::new();
        reached.insert(from, from);
        let mut front = vec![from];
        let mut steps = 0;
        while !front.is_empty() && !reached.contains_key(&to) {
            steps += 1;
            let mut next = Vec::new();
            for &area in &front {
                let linked = self.linked_areas(way.along, area)?;
                self.machine.steps += linked.len() as u64;
                for neighbour in linked {
                    if reached.contains_key(&neighbour) {
                        continue;
                    }
                    if let Some(filter) = way.filter {
                        let mut arguments = vec![i64::from(neighbour)];
                        arguments.extend_from_slice(&captured);
                        if self.machine.call(filter, &arguments, self.table, self.host)? == 0 {
                            continue;
                        }
                    }
                    reached.insert(neighbour, area);
                    next.push(neighbour);
                }
            }
            self.machine.steps += front.len() as u64;
            self.machine.check_step_limit()?;
            front = next;
        }
        let found = reached.contains_key(&to);
        if !way.wants_areas {
            return Ok(if found { steps } else { NO_WAY });
        }
        let mut areas = Vec::new();
        let mut area = to;
        while found && area != from {
            areas.push(area);
            area = reached.get(&area).copied().unwrap_or(from);
        }
        areas.reverse();
        Ok(push_members(&mut self.machine.store, &areas)?)
    }

    /// Returns the areas that an area leads to.
    fn linked_areas(&mut self, along: AttributeStorage, area: u32) -> Result<Vec<u32>, Interrupt> {
        Ok(match along {
            AttributeStorage::List(list) => self.table.list(list, area).to_vec(),
            AttributeStorage::Computed(function) => {
                let lists = self.machine.store.len();
                let arguments = [i64::from(area)];
                let list = self.machine.call(function, &arguments, self.table, self.host)?;
                let members = self.machine.members(list).to_vec();
                self.machine.store.truncate(lists);
                members
            }
            AttributeStorage::Cell(_) => Vec::new(),
        })
    }
}

/// Returns the area `count` steps from another in a direction, whatever lies between; at most [`MAX_REPEATS`] steps.
#[inline]
pub(super) fn area_in_direction<T: World>(
    program: &Program,
    table: &T,
    from: u32,
    direction: i64,
    count: i64,
) -> Option<u32> {
    let plan = program.plan?;
    let seat = (table.get(plan.column, from), table.get(plan.row, from));
    let count = count.clamp(-MAX_REPEATS, MAX_REPEATS);
    let (column, row) = plan.grid.seat_in_direction(seat, direction, count);
    table.area_at(column, row, table.get(plan.level, from))
}
