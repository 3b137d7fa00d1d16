//! Operations on the lists in the machine's list store and on the lists of pieces.

use super::cells::{check_present, out_of_range};
use super::run::Run;
use super::{Host, MAX_MEMBERS, Machine, PlayFault, World};
use crate::language::code::{ListChange, pack, unpack};
use crate::language::number::Number;
use crate::language::schema::{Attribute, Element, ListId, Type};

/// The maximum number of members of a piece's list, of a deck, or of any list to which a statement
/// adds members.
pub(super) const MAX_LIST_MEMBERS: usize = MAX_MEMBERS / 10;
/// The maximum number of members that can be copied without extra steps. In a longer list, each
/// member costs one step.
pub(super) const MAX_FREE_COPY: usize = 1000;
/// The number of members that can be compared in one step.
pub(super) const MEMBERS_COMPARED_PER_STEP: u64 = 16;

/// Appends members to the list store and returns them as a list value.
pub(super) fn push_members(store: &mut Vec<u32>, members: &[u32]) -> Result<i64, PlayFault> {
    let start = store.len();
    if start + members.len() > MAX_MEMBERS {
        return Err(PlayFault::TooManyMembers);
    }
    store.extend_from_slice(members);
    Ok(pack(start, members.len()))
}

/// Appends a member to the list store.
#[inline]
pub(super) fn push_member(store: &mut Vec<u32>, member: i64) -> Result<(), PlayFault> {
    let member = u32::try_from(member).map_err(|_| PlayFault::NoSuchMember)?;
    if store.len() >= MAX_MEMBERS {
        return Err(PlayFault::TooManyMembers);
    }
    store.push(member);
    Ok(())
}

/// Returns a list with the members of list `a`, followed by the members of list `b`.
pub(super) fn join_lists(store: &mut Vec<u32>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (first, length) = unpack(a);
    let (second, more) = unpack(b);
    if more == 0 || length == 0 {
        return Ok(if more == 0 { a } else { b });
    }
    let start = store.len();
    if start + length + more > MAX_MEMBERS {
        return Err(PlayFault::TooManyMembers);
    }
    for index in (first..first + length).chain(second..second + more) {
        store.extend(store.get(index).copied());
    }
    Ok(pack(start, length + more))
}

/// Returns a list with one member added, and the number of members that were copied. A list at the
/// end of the list store grows in place, because nothing is stored after it.
pub(super) fn append_member(
    store: &mut Vec<u32>,
    list: i64,
    member: i64,
) -> Result<(i64, usize), PlayFault> {
    let (from, length) = unpack(list);
    let is_last = from + length == store.len();
    let copied = if is_last { 0 } else { length };
    if u32::try_from(member).is_err() {
        return Err(PlayFault::NoneAdded);
    }
    if length >= MAX_LIST_MEMBERS {
        return Err(PlayFault::ListTooLong);
    }
    if store.len() + copied + 1 > MAX_MEMBERS {
        return Err(PlayFault::TooManyMembers);
    }
    let start = if is_last { from } else { store.len() };
    if !is_last {
        store.extend_from_within(from..from + length);
    }
    push_member(store, member)?;
    Ok((pack(start, length + 1), copied))
}

/// Returns the list without the first member that has this value.
pub(super) fn without_member(
    store: &mut Vec<u32>,
    list: i64,
    member: i64,
) -> Result<i64, PlayFault> {
    let (start, length) = unpack(list);
    let mut members = store.get(start..start + length).unwrap_or_default().to_vec();
    let Some(index) = members.iter().position(|&m| i64::from(m) == member) else {
        return Ok(list);
    };
    members.remove(index);
    push_members(store, &members)
}

/// Appends a 64-bit sort key to the list store, split into two elements.
pub(super) fn push_key(store: &mut Vec<u32>, key: i64) -> Result<(), PlayFault> {
    let [a, b, c, d, e, f, g, h] = key.to_be_bytes();
    let words = [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])];
    push_members(store, &words).map(|_| ())
}

/// Turns the members stored from `start` on, each followed by its sort key, into a sorted list. The
/// member with the lowest key comes first; members with equal keys stay in order.
pub(super) fn collect_sorted(store: &mut Vec<u32>, start: usize, fraction: bool) -> i64 {
    let mut keyed: Vec<(i64, u32)> = Vec::new();
    for words in store.get(start..).unwrap_or_default().chunks_exact(3) {
        let key = i64::from(words[1] as i32) << 32 | i64::from(words[2]);
        keyed.push((key, words[0]));
    }
    if fraction {
        keyed.sort_by_key(|(key, _)| Number::from_bits(*key));
    } else {
        keyed.sort_by_key(|(key, _)| *key);
    }
    store.truncate(start);
    store.extend(keyed.iter().map(|(_, member)| member));
    pack(start, keyed.len())
}

impl Machine<'_> {
    /// Returns the members of a list that equal this piece.
    pub(super) fn narrow_to_piece(&mut self, list: i64, only: i64) -> Result<i64, PlayFault> {
        let kept = |member: &&u32| i64::from(**member) == only;
        let members: Vec<u32> = self.members(list).iter().filter(kept).copied().collect();
        push_members(&mut self.store, &members)
    }

    /// Returns the member at index `n`, which is counted from 1 or, if it is negative, from the
    /// end. For an index outside the list, returns -1 or, if `must` is true, a fault.
    pub(super) fn nth_member(&self, list: i64, n: i64, must: bool) -> Result<i64, PlayFault> {
        let members = self.members(list);
        let index = if n < 0 { members.len() as i64 + n } else { n - 1 };
        match usize::try_from(index).ok().and_then(|index| members.get(index)) {
            Some(&member) => Ok(i64::from(member)),
            None if must => Err(PlayFault::NoPlace { place: n, size: members.len() }),
            None => Ok(-1),
        }
    }
}

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Changes the list of a piece: `given` is a list, or the member to add or remove.
    pub(super) fn set_list(
        &mut self,
        how: ListChange,
        list: ListId,
        row: u32,
        given: i64,
    ) -> Result<(), PlayFault> {
        let mut members = self.table.list(list, row).to_vec();
        match how {
            ListChange::Set => {
                members = self.machine.members(given).to_vec();
                members.iter().try_for_each(|&member| self.check_may_join(list, member))?;
            }
            ListChange::Link if members.iter().any(|&m| i64::from(m) == given) => {}
            ListChange::Add | ListChange::Link => {
                self.check_not_full()?;
                let member = u32::try_from(given).map_err(|_| PlayFault::NoneAdded)?;
                if members.len() >= MAX_LIST_MEMBERS {
                    return Err(PlayFault::ListTooLong);
                }
                self.check_may_join(list, member)?;
                members.push(member);
            }
            ListChange::Take => {
                if let Some(index) = members.iter().position(|&m| i64::from(m) == given) {
                    members.remove(index);
                }
            }
        }
        self.machine.steps += members.len() as u64;
        self.change_list(list, row, &members);
        Ok(())
    }

    /// Fails if a change would add a removed piece, or a number outside the limits, to a list.
    fn check_may_join(&self, list: ListId, member: u32) -> Result<(), PlayFault> {
        match self.machine.schema.list_attribute(list).map(|attribute| attribute.ty) {
            Some(Type::List(Element::Piece(kind))) => {
                check_present(self.table, kind, i64::from(member))
            }
            Some(Type::List(Element::Whole)) => {
                let attribute = self.machine.schema.list_attribute(list);
                let within = |a: &Attribute| (a.low..=a.high).contains(&member.into());
                match attribute.filter(|attribute| !within(attribute)) {
                    Some(attribute) => Err(out_of_range(attribute, member.to_string())),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Changes a list of a piece or a deck, and reports the change if the members are different
    /// now.
    pub(super) fn change_list(&mut self, list: ListId, row: u32, members: &[u32]) {
        let old = self.table.list(list, row);
        if old != members {
            self.host.on_list_change(list, row, old, members);
            self.table.set_list(list, row, members);
        }
    }
}
