//! The drawn plan: ways, distances, directions, steps.

use std::collections::BTreeMap;

use super::super::schema::Storage;
use super::{Host, Interrupt, MAX_REPEATS, Machine, NO_WAY, World};

impl Machine<'_> {
    /// Breadth first: the steps of the shortest way, or the list of its places without the first. Of ways
    /// of one length the one whose places stand first in the lists.
    pub(super) fn way<T: World, H: Host>(
        &mut self,
        index: u32,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Interrupt> {
        let way = self.program.ways[index as usize];
        let (from, to) = (self.row(base, way.from)?, self.row(base, way.to)?);
        let first = base + way.base as usize + 1;
        let captured =
            self.registers.get(first..first + way.captured as usize).unwrap_or(&[]).to_vec();
        // From where each place was reached first.
        let mut reached = BTreeMap::from([(from, from)]);
        let mut front = vec![from];
        let mut steps = 0;
        while !front.is_empty() && !reached.contains_key(&to) {
            steps += 1;
            let mut next = Vec::new();
            for &place in &front {
                for neighbour in self.leads(way.along, place, table, host)? {
                    if reached.contains_key(&neighbour) {
                        continue;
                    }
                    if let Some(filter) = way.filter {
                        let mut arguments = vec![i64::from(neighbour)];
                        arguments.extend_from_slice(&captured);
                        if self.call(filter, &arguments, table, host)? == 0 {
                            continue;
                        }
                    }
                    reached.insert(neighbour, place);
                    next.push(neighbour);
                }
            }
            self.steps += front.len() as u64;
            self.tick()?;
            front = next;
        }
        let found = reached.contains_key(&to);
        if !way.places {
            return Ok(if found { steps } else { NO_WAY });
        }
        let mut places = Vec::new();
        let mut place = to;
        while found && place != from {
            places.push(place);
            place = reached.get(&place).copied().unwrap_or(from);
        }
        places.reverse();
        Ok(self.push_all(&places)?)
    }

    /// Where a place leads on to.
    fn leads<T: World, H: Host>(
        &mut self,
        along: Storage,
        place: u32,
        table: &mut T,
        host: &mut H,
    ) -> Result<Vec<u32>, Interrupt> {
        Ok(match along {
            Storage::List(list) => table.list(list, place).to_vec(),
            Storage::Computed(function) => {
                let lists = self.store.len();
                let list = self.call(function, &[i64::from(place)], table, host)?;
                let members = self.members(list).to_vec();
                self.store.truncate(lists);
                members
            }
            Storage::Cell(_) => Vec::new(),
        })
    }

    /// The area so many steps from another in a direction, whatever lies between.
    pub(super) fn area_beyond<T: World>(
        &self,
        from: u32,
        direction: i64,
        count: i64,
        table: &T,
    ) -> Option<u32> {
        const COMPASS: [(i64, i64); 8] =
            [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        let plan = self.program.plan?;
        let (across, down) = COMPASS[direction.rem_euclid(8) as usize];
        let at = |column| table.get(column, from);
        let count = count.clamp(-MAX_REPEATS, MAX_REPEATS);
        table.area_at(at(plan.column) + across * count, at(plan.row) + down * count, at(plan.level))
    }
}
