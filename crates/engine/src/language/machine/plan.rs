//! Path searches over linked areas, and steps on the drawn plan.

use super::super::code::{Program, WaySearchId};
use super::super::schema::AttributeStorage;
use super::interrupt::Interrupt;
use super::lists::push_members;
use super::run::Run;
use super::{Host, MAX_REPEATS, NO_WAY, World};

/// The areas that a search has reached. For each area, by its row, this holds the area from which it
/// was first reached.
#[derive(Default)]
struct ReachedAreas(Vec<Option<u32>>);

impl ReachedAreas {
    fn add(&mut self, area: u32, origin: u32) {
        let index = area as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        self.0[index] = Some(origin);
    }

    fn contains(&self, area: u32) -> bool {
        self.origin(area).is_some()
    }

    fn origin(&self, area: u32) -> Option<u32> {
        self.0.get(area as usize).copied().flatten()
    }
}

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Searches for the shortest path, breadth first. Returns its number of steps, or the list of
    /// its areas without the first. If there is no path, returns [`NO_WAY`] or an empty list. If
    /// there are several shortest paths, the one whose areas come first in the lists of neighbours
    /// is chosen.
    pub(super) fn find_way(&mut self, way: WaySearchId) -> Result<i64, Interrupt> {
        let way = self.machine.program.ways[way.0 as usize];
        let from = self.row(way.from)?;
        let to = self.row(way.to)?;
        let captured: Vec<i64> =
            (1..=way.captured).map(|argument| self.value(way.base + argument)).collect();
        let mut reached = ReachedAreas::default();
        reached.add(from, from);
        let mut front = vec![from];
        let mut steps = 0;
        while !front.is_empty() && !reached.contains(to) {
            steps += 1;
            let mut next = Vec::new();
            for &area in &front {
                self.machine.check_may_go_on()?;
                let linked = self.linked_areas(way.along, area)?;
                self.machine.steps += linked.len() as u64;
                for neighbour in linked {
                    if reached.contains(neighbour) {
                        continue;
                    }
                    if let Some(filter) = way.filter {
                        let mut arguments = vec![i64::from(neighbour)];
                        arguments.extend_from_slice(&captured);
                        if self.machine.call(filter, &arguments, self.table, self.host)? == 0 {
                            continue;
                        }
                    }
                    reached.add(neighbour, area);
                    next.push(neighbour);
                }
            }
            self.machine.steps += front.len() as u64;
            self.machine.check_may_go_on()?;
            front = next;
        }
        let found = reached.contains(to);
        if !way.wants_areas {
            return Ok(if found { steps } else { NO_WAY });
        }
        let mut areas = Vec::new();
        let mut area = to;
        while found && area != from {
            areas.push(area);
            area = reached.origin(area).unwrap_or(from);
        }
        areas.reverse();
        Ok(push_members(&mut self.machine.store, &areas)?)
    }

    /// Returns the areas next to an area, for the search.
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

/// Returns the area `count` steps from another in a direction, ignoring obstacles; `None` if there
/// is no such area. `count` is limited to [`MAX_REPEATS`] steps in either direction.
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
