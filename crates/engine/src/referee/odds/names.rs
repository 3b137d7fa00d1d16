//! Numbers that represent texts, names and lists.

use std::rc::Rc;

use indexmap::IndexSet;

use crate::language::machine::World;
use crate::language::schema::{KindId, Schema};
use crate::tabletop::Tabletop;

/// The maximum number of bytes that all different texts, names and lists together may take.
const MAX_BYTES: usize = 8 << 20;

/// A number for each text, list and set of card titles, so that states are rows of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberedNames {
    texts: IndexSet<String>,
    lists: IndexSet<NumberedList>,
    /// The titles of equal cards.
    cards: IndexSet<Vec<String>>,
    bytes: usize,
}

/// The members of a list. For a deck from which one of several equal cards was drawn, these are
/// substitutes for the remaining cards, with the number of the whole deck.
type NumberedList = (Rc<[u32]>, Option<i64>);

/// The number of the first set of card titles. The numbers of later sets count down from it.
const FIRST_CARDS_NUMBER: i64 = -2;

impl NumberedNames {
    /// Returns true if the texts, names and lists have become too long to continue.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// Returns the number of a text, and stores the text if it is new.
    pub(super) fn text_number(&mut self, text: &str) -> i64 {
        if let Some(index) = self.texts.get_index_of(text) {
            return index as i64;
        }
        self.bytes += text.len();
        self.texts.insert_full(text.to_owned()).0 as i64
    }

    pub(super) fn text(&self, number: i64) -> &str {
        let index = usize::try_from(number).ok();
        index.and_then(|n| self.texts.get_index(n)).map_or("", String::as_str)
    }

    /// Returns the number of a list of members, and stores the list if it is new. If the members
    /// are substitutes for the remaining cards of a deck, `whole` is the number of the whole deck.
    pub(super) fn list_number(&mut self, members: &[u32], whole: Option<i64>) -> i64 {
        let (index, is_new) = self.lists.insert_full((members.into(), whole));
        self.bytes += if is_new { members.len() * 4 } else { 0 };
        index as i64
    }

    fn numbered_list(&self, number: i64) -> Option<&NumberedList> {
        usize::try_from(number).ok().and_then(|n| self.lists.get_index(n))
    }

    pub(super) fn list_members(&self, number: i64) -> &[u32] {
        self.numbered_list(number).map_or(&[], |list| &list.0)
    }

    /// Returns the number of the whole deck whose remaining cards form this list, or the list's own
    /// number if every card is known.
    pub(super) fn whole_deck(&self, number: i64) -> i64 {
        self.numbered_list(number).and_then(|list| list.1).unwrap_or(number)
    }

    /// Returns the number of a last text that can name any of these cards, and stores their titles
    /// if they are new.
    pub(super) fn cards_number(&mut self, titles: Vec<String>) -> i64 {
        FIRST_CARDS_NUMBER - self.cards.insert_full(titles).0 as i64
    }

    /// Returns the titles of the cards that this last text can mean, all equally likely; `None` if
    /// it is a single text.
    pub(super) fn card_titles(&self, number: i64) -> Option<&[String]> {
        let index = usize::try_from(FIRST_CARDS_NUMBER - number).ok();
        index.and_then(|n| self.cards.get_index(n)).map(Vec::as_slice)
    }
}

/// Returns the title of a card or chit, or its name if it has none.
pub(super) fn drawn_card_title(
    schema: &Schema,
    table: &Tabletop,
    kind: KindId,
    row: u32,
) -> String {
    match schema.kind(kind).rows.get(row as usize) {
        Some(printed) => schema.row_title(kind, printed),
        None => table.name(kind, row).to_owned(),
    }
}
