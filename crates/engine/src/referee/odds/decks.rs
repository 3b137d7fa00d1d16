//! Draws from decks whose cards the rules do not distinguish.
//!
//! At first, all cards of a deck count as equal, and drawing any of them is one result. If a run
//! continues differently with some of them, the tree is built again with these cards in separate
//! groups.

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_integer::Integer;

use super::effort::Effort;
use super::joint::{Belief, Beliefs, JointDistribution, RandomVariable, TableState, factorize};
use super::names::{NumberedNames, drawn_card_title};
use crate::language::code::Program;
use crate::language::machine::LiveRegisters;
use crate::language::schema::{DeckId, KindId, KindRole, ListId, Schema};
use crate::tabletop::Tabletop;

/// The cost of a draw, in steps, for each row of the deck's distribution.
const DRAW_STEPS: u64 = 16;

/// The cards of a deck in groups. As far as is known, no rule distinguishes the cards of a group.
pub(super) type CardGroups = Vec<Vec<u32>>;

/// A draw of a card from a group whose cards no rule distinguishes.
pub(super) struct PossibleDraw {
    /// The number of the last text.
    pub words: i64,
    /// The cards, all equally likely.
    pub cards: Vec<u32>,
    /// The number of copies of a card that the deck on the table holds when a run continues.
    pub left: usize,
    /// The beliefs about the table afterwards.
    pub known: Beliefs,
    pub weight: BigUint,
    pub total: BigUint,
}

/// The decks of a ruleset, with their cards in groups whose cards no rule distinguishes.
pub(super) struct DeckGroups<'a> {
    schema: &'a Schema,
    /// The closed decks, which no rule looks into: only the number of cards in them matters until
    /// one is drawn. Only these decks may contain substitutes for their cards.
    closed: Vec<ListId>,
    /// The groups of each closed deck that a run has reached.
    groups: IndexMap<ListId, CardGroups>,
    /// True if cards that counted as equal have turned out to be different.
    pub told_apart: bool,
}

impl<'a> DeckGroups<'a> {
    pub(super) fn new(
        schema: &'a Schema,
        program: &Program,
        flow: &mut LiveRegisters,
    ) -> DeckGroups<'a> {
        DeckGroups {
            schema,
            closed: closed_decks(schema, program, flow),
            groups: IndexMap::new(),
            told_apart: false,
        }
    }

    /// Returns the list of the cards that are left in a deck.
    pub(super) fn card_list(&self, deck: DeckId) -> ListId {
        self.schema.decks[deck.index()].list
    }

    /// Returns true if the deck may contain substitutes for its cards.
    pub(super) fn is_grouped(&self, list: ListId) -> bool {
        let groups = self.groups.get(&list);
        groups.is_some_and(|groups| groups.iter().any(|group| group.len() > 1))
    }

    /// Returns the variable of a deck if its cards are uncertain and the deck may be empty. A draw
    /// from an empty deck has no result, so the run must know first whether there is a card.
    pub(super) fn may_be_empty(
        &self,
        deck: DeckId,
        state: &TableState,
        names: &NumberedNames,
    ) -> Option<RandomVariable> {
        let var = RandomVariable::List(self.card_list(deck), 0);
        let Some(Belief::In(joint)) = state.get(var) else { return None };
        let index = joint.vars.binary_search(&var).ok()?;
        let may = joint.rows.iter().any(|row| names.list_members(row.0[index]).is_empty());
        may.then_some(var)
    }

    /// Returns the cards of a deck in groups. If some rule looks into the deck, each card is a
    /// separate group. Otherwise, all cards form one group at first.
    pub(super) fn card_groups(&mut self, list: ListId, table: &Tabletop) -> CardGroups {
        let Some(deck) = self.schema.decks.iter().find(|deck| deck.list == list) else {
            return Vec::new();
        };
        let printed = self.schema.kind(deck.of).rows.len() as u32;
        // The cards include the pieces that have been set out during the game.
        let cards = 0..printed.max(table.row_count(deck.of));
        if !self.closed.contains(&list) {
            return cards.map(|card| vec![card]).collect();
        }
        self.groups.entry(list).or_insert_with(|| vec![cards.collect()]).clone()
    }

    /// Splits the groups of a deck wherever a rule distinguishes the cards in one of these sets
    /// from the others.
    pub(super) fn split_groups(&mut self, list: ListId, parted: &[Vec<u32>]) {
        self.told_apart = true;
        let Some(groups) = self.groups.get_mut(&list) else { return };
        for part in parted {
            for group in std::mem::take(groups) {
                let (inside, outside): (Vec<u32>, Vec<u32>) =
                    group.into_iter().partition(|card| part.contains(card));
                groups.extend([inside, outside].into_iter().filter(|cards| !cards.is_empty()));
            }
        }
    }

    /// Makes each card of a deck a separate group.
    pub(super) fn split_into_cards(&mut self, list: ListId, table: &Tabletop) {
        let groups = self.card_groups(list, table);
        let each: CardGroups = groups.concat().into_iter().map(|card| vec![card]).collect();
        self.told_apart = true;
        self.groups.insert(list, each);
    }

    /// Returns all possible draws from a deck, with the probability of each group and the remaining
    /// cards. Returns `None` if the deck may be empty (see [`DeckGroups::may_be_empty`]).
    pub(super) fn possible_draws(
        &self,
        list: ListId,
        groups: &CardGroups,
        state: &TableState,
        table: &Tabletop,
        names: &mut NumberedNames,
        effort: &mut Effort,
    ) -> Option<Vec<PossibleDraw>> {
        let kind = self.schema.decks.iter().find(|deck| deck.list == list)?.of;
        let before = DeckBelief::from_state(RandomVariable::List(list, 0), state, names)?;
        let mut draws = Vec::new();
        for &whole in &before.wholes {
            for group in groups {
                let mut cards: Vec<u32> = names.list_members(whole).to_vec();
                cards.retain(|card| group.contains(card));
                let one_of_many = cards.iter().any(|card| *card != cards[0]);
                let rows = self.rows_after_draw(list, &before, whole, group, one_of_many, names);
                effort.spend_each(before.joint.rows.len(), DRAW_STEPS);
                if rows.is_empty() {
                    continue;
                }
                let weight = rows.iter().map(|row| &row.1).sum();
                let words = self.drawn_card_words(kind, &cards, one_of_many, table, names);
                cards.sort_unstable();
                cards.dedup();
                draws.push(PossibleDraw {
                    words,
                    cards,
                    left: before.lengths.iter().copied().max().unwrap_or(1),
                    known: factorize(before.joint.vars.clone(), rows, effort),
                    weight,
                    total: &before.joint.total * &before.common,
                });
            }
        }
        Some(draws)
    }

    /// Returns the weighted contents of the deck `whole` after a card of the group has been drawn.
    fn rows_after_draw(
        &self,
        list: ListId,
        before: &DeckBelief,
        whole: i64,
        group: &[u32],
        one_of_many: bool,
        names: &mut NumberedNames,
    ) -> Vec<(Box<[i64]>, BigUint)> {
        let mut rows = Vec::new();
        for ((values, weight), length) in before.joint.rows.iter().zip(&before.lengths) {
            let number = values[before.index];
            if names.whole_deck(number) != whole {
                continue;
            }
            let members = names.list_members(number).to_vec();
            let indices: Vec<usize> =
                (0..members.len()).filter(|&index| group.contains(&members[index])).collect();
            let mut taken: Vec<(usize, usize)> = indices.iter().map(|&index| (index, 1)).collect();
            if self.closed.contains(&list) {
                // The order of the remaining cards doesn't matter.
                taken = indices.last().map(|&last| (last, indices.len())).into_iter().collect();
            }
            let vague = one_of_many || whole != number;
            for (index, count) in taken {
                let mut left = members.clone();
                left.remove(index);
                let mut values_after = values.clone();
                values_after[before.index] = names.list_number(&left, vague.then_some(whole));
                rows.push((values_after, weight * &before.common * count / length));
            }
        }
        rows
    }

    /// Returns the number of the last text after one of these cards is drawn.
    fn drawn_card_words(
        &self,
        kind: KindId,
        cards: &[u32],
        one_of_many: bool,
        table: &Tabletop,
        names: &mut NumberedNames,
    ) -> i64 {
        let titles: Vec<String> =
            cards.iter().map(|&card| drawn_card_title(self.schema, table, kind, card)).collect();
        if one_of_many { names.cards_number(titles) } else { names.text_number(&titles[0]) }
    }
}

/// The facts that are known about a deck from which a card is drawn.
struct DeckBelief {
    joint: JointDistribution,
    /// The index of the deck among the variables of the joint distribution.
    index: usize,
    /// For each row, the number of cards in the deck.
    lengths: Vec<usize>,
    /// The least common multiple of `lengths`.
    common: BigUint,
    /// The numbers of the whole decks from which the remaining cards may come.
    wholes: Vec<i64>,
}

impl DeckBelief {
    /// Returns the facts known about the deck; `None` if nothing is known, or if the deck may be
    /// empty.
    fn from_state(
        var: RandomVariable,
        state: &TableState,
        names: &NumberedNames,
    ) -> Option<DeckBelief> {
        let joint = match state.get(var)? {
            Belief::Sure(number) => JointDistribution::point_mass(var, *number),
            Belief::In(joint) => JointDistribution::clone(joint),
        };
        let index = joint.vars.binary_search(&var).ok()?;
        let mut lengths = Vec::new();
        let mut wholes = Vec::new();
        let mut common = BigUint::from(1u32);
        for (values, _) in &joint.rows {
            let number = values[index];
            let length = names.list_members(number).len();
            if length == 0 {
                return None;
            }
            common = common.lcm(&BigUint::from(length));
            lengths.push(length);
            wholes.push(names.whole_deck(number));
        }
        wholes.sort_unstable();
        wholes.dedup();
        Some(DeckBelief { joint, index, lengths, common, wholes })
    }
}

/// Returns the decks whose cards the rules only draw and count. Decks of pieces are excluded,
/// because a piece that is removed also leaves its decks.
fn closed_decks(schema: &Schema, program: &Program, flow: &mut LiveRegisters) -> Vec<ListId> {
    let mut closed = Vec::new();
    for deck in &schema.decks {
        let is_of_cards = schema.kind(deck.of).role == KindRole::List;
        if is_of_cards && flow.only_counts(program, deck.list) {
            closed.push(deck.list);
        }
    }
    closed
}
