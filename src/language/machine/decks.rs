//! Decks: put together, shuffled, drawn from; and pieces picked at random.

use super::cells::still_there;
use super::lists::{LONGEST, change_list};
use super::{Host, Interrupt, Lot, MAX_REPEATS, Machine, PlayFault, World};
use crate::language::code::{DeckOp, Reg};
use crate::language::schema::DeckId;

impl Machine<'_> {
    /// Does something with a deck.
    pub(super) fn deck<T: World, H: Host>(
        &mut self,
        op: DeckOp,
        deck: DeckId,
        base: usize,
        table: &mut T,
        host: &mut H,
    ) -> Result<(), PlayFault> {
        let value = |reg: Reg| self.registers[base + usize::from(reg)];
        let list = self.schema.decks[deck.index()].list;
        match op {
            DeckOp::Empty => change_list(list, 0, &[], table, host),
            DeckOp::Put { count, value: card } => {
                return self.put(deck, value(count), value(card), table, host);
            }
            DeckOp::Shuffled => host.shuffled(deck, table.list(list, 0).len()),
        }
        Ok(())
    }

    /// Puts the same card into a deck `count` times.
    fn put<T: World, H: Host>(
        &mut self,
        deck: DeckId,
        count: i64,
        member: i64,
        table: &mut T,
        host: &mut H,
    ) -> Result<(), PlayFault> {
        Self::not_too_much(host)?;
        let of = &self.schema.decks[deck.index()];
        let card = u32::try_from(member).map_err(|_| PlayFault::NonePut)?;
        if count > MAX_REPEATS {
            return Err(PlayFault::TooOften(count));
        }
        still_there(of.of, member, table)?;
        let mut members = table.list(of.list, 0).to_vec();
        self.steps += members.len() as u64;
        members.extend(std::iter::repeat_n(card, count.max(0) as usize));
        if members.len() > LONGEST {
            return Err(PlayFault::DeckTooLarge);
        }
        change_list(of.list, 0, &members, table, host);
        Ok(())
    }

    /// Draws from a deck and returns the card, or -1 if the deck is empty.
    pub(super) fn draw<T: World, H: Host>(
        &mut self,
        deck: DeckId,
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Interrupt> {
        Self::not_too_much(host)?;
        let of = &self.schema.decks[deck.index()];
        let mut members = table.list(of.list, 0).to_vec();
        let lot = Lot { kind: of.of, members: &members, deck: Some(deck) };
        let Some(place) = take_lot(lot, table, host)? else { return Ok(-1) };
        let drawn = members.remove(place);
        change_list(of.list, 0, &members, table, host);
        Ok(i64::from(drawn))
    }
}

/// Takes one at random and returns its place, or none if there is nothing to take.
pub(super) fn take_lot<T: World, H: Host>(
    lot: Lot<'_>,
    table: &T,
    host: &mut H,
) -> Result<Option<usize>, Interrupt> {
    if lot.members.is_empty() {
        return Ok(None);
    }
    let names = match host.reports() {
        true => lot.members.iter().map(|&m| table.name(lot.kind, m).to_owned()).collect(),
        false => Vec::new(),
    };
    let place = host.lot(lot, &names)?;
    if place >= lot.members.len() {
        return Err(PlayFault::NothingToChoose.into());
    }
    host.taken(lot, place, &names);
    Ok(Some(place))
}
