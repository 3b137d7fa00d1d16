//! Fills and shuffles decks, draws from them, and picks pieces at random.

use super::cells::check_present;
use super::interrupt::Interrupt;
use super::lists::MAX_LIST_MEMBERS;
use super::run::Run;
use super::{Host, MAX_REPEATS, PlayFault, RandomLot, World};
use crate::language::code::DeckOp;
use crate::language::schema::{DeckId, KindId};

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Executes an operation on a deck.
    pub(super) fn execute_deck_op(&mut self, op: DeckOp, deck: DeckId) -> Result<(), PlayFault> {
        let list = self.machine.schema.decks[deck.index()].list;
        match op {
            DeckOp::Empty => self.change_list(list, 0, &[]),
            DeckOp::Put { count, value } => {
                return self.put_cards(deck, self.value(count), self.value(value));
            }
            DeckOp::Shuffled => self.host.on_shuffle(deck, self.table.list(list, 0).len()),
        }
        Ok(())
    }

    /// Puts the same card into a deck `count` times.
    fn put_cards(&mut self, deck: DeckId, count: i64, member: i64) -> Result<(), PlayFault> {
        self.check_not_full()?;
        let of = &self.machine.schema.decks[deck.index()];
        let card = u32::try_from(member).map_err(|_| PlayFault::NonePut)?;
        if count > MAX_REPEATS {
            return Err(PlayFault::TooOften(count));
        }
        check_present(self.table, of.of, member)?;
        let mut members = self.table.list(of.list, 0).to_vec();
        self.machine.steps += members.len() as u64;
        members.extend(std::iter::repeat_n(card, count.max(0) as usize));
        if members.len() > MAX_LIST_MEMBERS {
            return Err(PlayFault::DeckTooLarge);
        }
        self.change_list(of.list, 0, &members);
        Ok(())
    }

    /// Draws a card from a deck and returns it, or -1 if the deck is empty.
    pub(super) fn draw_card(&mut self, deck: DeckId) -> Result<i64, Interrupt> {
        self.check_not_full()?;
        let of = &self.machine.schema.decks[deck.index()];
        let mut members = self.table.list(of.list, 0).to_vec();
        let lot = RandomLot { kind: of.of, members: &members, deck: Some(deck) };
        let Some(index) = self.draw_lot(lot)? else { return Ok(-1) };
        let drawn = members.remove(index);
        self.change_list(of.list, 0, &members);
        Ok(i64::from(drawn))
    }

    /// Picks a random piece of a kind and returns it, or -1 if there is none. The pieces are
    /// collected into a list only if some have been removed.
    pub(super) fn pick_piece(&mut self, kind: KindId) -> Result<i64, Interrupt> {
        let mut rows = std::mem::take(&mut self.machine.rows);
        let all = self
            .table
            .count_if_none_removed(kind)
            .inspect(|&all| rows.extend(rows.len() as u32..all));
        let gathered: Vec<u32>;
        let members = match all {
            Some(all) => &rows[..all as usize],
            None => {
                let next = |row: &u32| self.table.next_piece(kind, row + 1);
                gathered = std::iter::successors(self.table.next_piece(kind, 0), next).collect();
                &gathered
            }
        };
        let index = self.draw_lot(RandomLot { kind, members, deck: None });
        let picked = index.map(|index| index.map_or(-1, |index| i64::from(members[index])));
        self.machine.rows = rows;
        picked
    }

    /// Draws one member at random and returns its index, or `None` if there are no members.
    pub(super) fn draw_lot(&mut self, lot: RandomLot<'_>) -> Result<Option<usize>, Interrupt> {
        if lot.members.is_empty() {
            return Ok(None);
        }
        let names = if self.host.wants_reports() {
            lot.members.iter().map(|&m| self.table.name(lot.kind, m).to_owned()).collect()
        } else {
            Vec::new()
        };
        let index = self.host.draw_lot(lot, &names)?;
        if index >= lot.members.len() {
            return Err(PlayFault::NothingToChoose.into());
        }
        self.host.on_lot_drawn(lot, index, &names);
        Ok(Some(index))
    }
}
