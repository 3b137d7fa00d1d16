//! The table as far as recorded changes tell it: each change names the value before it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::shown::{ShownDie, shown_dice};

/// The direction in which changes are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// As they are recorded.
    Forward,
    /// From the last to the first, each from its new value to its old one.
    Backward,
}

/// Everything that is known of a table.
#[derive(Default)]
pub(crate) struct Table {
    /// The values of attributes by kind, piece and attribute.
    values: BTreeMap<[String; 3], KnownValue>,
    /// Which pieces are on the table, by kind and name.
    pieces: BTreeMap<[String; 2], bool>,
    /// The decks by name.
    decks: BTreeMap<String, Deck>,
    /// The number of times that the rules were read again.
    readings: u32,
}

/// A deck, as far as it is known.
#[derive(Default)]
struct Deck {
    /// The members, `None` where one isn't known yet. More may follow.
    members: Vec<Option<Value>>,
    /// The number of members, once a card was drawn from it.
    size: Option<u64>,
}

/// The greatest index of a member of a deck. A journal could name any.
const MAX_INDEX: u64 = 1_000_000;

/// A value that was recorded.
struct KnownValue {
    value: Value,
    /// The number of times that the rules had been read again then.
    reading: u32,
}

impl Table {
    /// Goes on under rules that were read again. Pieces, values and decks stay as they are, by their names. Only an
    /// attribute that is taken out of the rules, and put in again later, begins anew.
    pub(crate) fn read_rules_again(&mut self) {
        self.readings += 1;
        let readings = self.readings;
        self.values.retain(|_, known| readings - known.reading < 2);
    }

    /// Returns the members of the deck that a card was drawn from, as far as they are known.
    fn deck(&self, taken: &Value) -> Option<&[Option<Value>]> {
        self.decks.get(taken["deck"].as_str()?).map(|deck| deck.members.as_slice())
    }

    /// Checks that a card was drawn from as many as its deck has.
    fn count_cards(&mut self, taken: &Value) -> Result<(), String> {
        let Some(name) = taken["deck"].as_str() else { return Ok(()) };
        let of = taken["of"].as_u64().ok_or("no number of cards")?;
        let deck = self.decks.entry(name.to_owned()).or_default();
        match deck.size.replace(of) {
            Some(size) if size != of => Err(format!("{taken}: the deck had {size} cards")),
            _ if deck.members.len() as u64 > of => {
                Err(format!("{taken}: the deck had at least {} cards", deck.members.len()))
            }
            _ => Ok(()),
        }
    }

    /// Makes the changes of an outcome. Returns the number of changes whose old value was known.
    pub(crate) fn apply(&mut self, out: &Value, direction: Direction) -> Result<usize, String> {
        let none = Vec::new();
        let events = out["events"].as_array().unwrap_or(&none);
        let mut changes: Vec<&Value> = Vec::new();
        let mut linked = 0;
        for (index, event) in events.iter().enumerate() {
            if let (Direction::Forward, Some(taken)) = (direction, event.get("taken")) {
                self.count_cards(taken)?;
            }
            let Some(changed) = event.get("changed") else { continue };
            let check = changed.get("check").and_then(Value::as_u64);
            let is_check =
                |at: u64| (at as usize) < index && events[at as usize].get("check").is_some();
            if check.is_some_and(|at| !is_check(at)) {
                return Err("a change names no check before it".to_owned());
            }
            match direction {
                Direction::Forward => {
                    linked += usize::from(self.change(&changed["change"], direction)?);
                }
                Direction::Backward => changes.push(&changed["change"]),
            }
        }
        for change in changes.into_iter().rev() {
            linked += usize::from(self.change(change, direction)?);
        }
        Ok(linked)
    }

    /// Makes one change. Returns true if the value before it was known.
    fn change(&mut self, change: &Value, direction: Direction) -> Result<bool, String> {
        let (name, of) =
            change.as_object().and_then(|all| all.iter().next()).ok_or("an empty change")?;
        let text = |key: &str| of[key].as_str().unwrap_or_default().to_owned();
        let (from, to) = match direction {
            Direction::Forward => (&of["old"], &of["new"]),
            Direction::Backward => (&of["new"], &of["old"]),
        };
        match name.as_str() {
            "set" | "list" => {
                if self.pieces.get(&[text("kind"), text("piece")]) == Some(&false) {
                    return Err(format!("{change}: the piece is not on the table"));
                }
                let spot = [text("kind"), text("piece"), text("attribute")];
                let now = KnownValue { value: to.clone(), reading: self.readings };
                match self.values.insert(spot, now) {
                    Some(known) if known.value != *from => {
                        Err(format!("{change}: it was {}", known.value))
                    }
                    known => Ok(known.is_some()),
                }
            }
            "deck" => self.splice(text("deck"), of, from, to),
            "made" | "removed" => {
                let is_there = (name == "made") == (direction == Direction::Forward);
                let known = self.pieces.insert([text("kind"), text("piece")], is_there);
                if known == Some(is_there) {
                    return Err(format!("{change}: it was so already"));
                }
                Ok(known.is_some())
            }
            other => Err(format!("there is no change `{other}`")),
        }
    }

    /// Replaces members of a deck.
    fn splice(
        &mut self,
        deck: String,
        of: &Value,
        from: &Value,
        to: &Value,
    ) -> Result<bool, String> {
        let at = of["at"].as_u64().filter(|at| *at <= MAX_INDEX).ok_or("no place in the deck")?;
        let at = at as usize;
        let from = from.as_array().ok_or("no members")?;
        let to = to.as_array().ok_or("no members")?;
        let Deck { members, size } = self.decks.entry(deck).or_default();
        if let Some(known) = size {
            let left = known.checked_sub(from.len() as u64).filter(|left| at as u64 <= *left);
            let left = left.ok_or_else(|| format!("{of}: the deck had {known} members"))?;
            *known = left + to.len() as u64;
        }
        let end = at + from.len();
        if members.len() < end {
            members.resize(end, None);
        }
        let mut linked = false;
        for (known, old) in members[at..end].iter().zip(from) {
            if known.as_ref().is_some_and(|known| known != old) {
                return Err(format!("{of}: another member was there"));
            }
            linked |= known.is_some();
        }
        members.splice(at..end, to.iter().cloned().map(Some));
        Ok(linked)
    }
}

/// Finds the die of everything that is shown and drawn, in the order of the events. A face that a check shows is that of a
/// die. For a card there is a die of as many sides as there were cards, and where the card was taken out of its deck, its
/// place was the face less one, or further on among its equals; with `by_hand` cards have no dice. `before` is the table
/// before the command, if it is known. Returns the number drawn.
pub(crate) fn check_events(
    out: &Value,
    dice: &[(u64, u64)],
    before: Option<&Table>,
) -> Result<usize, String> {
    let is_by_hand = out["by_hand"] == true;
    let none = Vec::new();
    let events = out["events"].as_array().unwrap_or(&none);
    let mut rest = dice.iter();
    let mut count = 0;
    for (index, event) in events.iter().enumerate() {
        for ShownDie { sides, face } in shown_dice(event)? {
            let mut is_it = |(of, is): &(u64, u64)| *of == sides && *is == face;
            if !rest.any(&mut is_it) {
                return Err(format!("{event}: no die fell {face} of {sides} there"));
            }
        }
        let Some(taken) = event.get("taken").filter(|_| !is_by_hand) else { continue };
        let of = taken["of"].as_u64().ok_or("no number of cards")?;
        let place = place_in_deck(taken, &events[index + 1..])?;
        let touched = events[..index].iter().any(|event| deck_change(event, taken).is_some());
        let deck = before.filter(|_| !touched).and_then(|table| table.deck(taken));
        let fits = |face: u64| {
            place.as_ref().is_none_or(|(at, card)| face > 0 && are_equal(deck, card, face - 1, *at))
        };
        if !rest.any(|(sides, face)| *sides == of && fits(*face)) {
            return Err(format!(
                "{taken}: no die decided it, or a card at another place was drawn"
            ));
        }
        count += 1;
    }
    Ok(count)
}

/// Returns the change of the deck that a card was taken from.
fn deck_change<'e>(event: &'e Value, taken: &Value) -> Option<&'e Value> {
    let change = event["changed"]["change"].get("deck")?;
    (taken["deck"].is_string() && change["deck"] == taken["deck"]).then_some(change)
}

/// Returns the place of a card in its deck, and its name: those of the next change of the deck. It is `None` of what is
/// picked from no deck.
fn place_in_deck(taken: &Value, later: &[Value]) -> Result<Option<(u64, Value)>, String> {
    if !taken["deck"].is_string() {
        return Ok(None);
    }
    let change = later.iter().find_map(|event| deck_change(event, taken));
    let change = change.ok_or_else(|| format!("{taken}: it was not taken out of its deck"))?;
    let is_one_out = change["new"].as_array().is_some_and(Vec::is_empty);
    let at = change["at"].as_u64().filter(|at| *at <= MAX_INDEX);
    match (change["old"].as_array().map(Vec::as_slice), at) {
        (Some([card]), Some(at)) if is_one_out => Ok(Some((at, card.clone()))),
        _ => Err(format!("{taken}: not one card was taken out of its deck")),
    }
}

/// Returns true if a card drawn at `drawn` can have been taken out at `at`: all cards from the one to the other, as far as
/// they are known, are equal.
fn are_equal(deck: Option<&[Option<Value>]>, card: &Value, drawn: u64, at: u64) -> bool {
    let between = deck.and_then(|deck| deck.get(drawn as usize..deck.len().min(at as usize + 1)));
    let is_equal = |known: &Option<Value>| known.as_ref().is_none_or(|known| known == card);
    drawn <= at && between.unwrap_or_default().iter().all(is_equal)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn out_of(cards: &[(&str, u64, u64)]) -> Value {
        let events = cards.iter().flat_map(|&(card, of, at)| {
            [
                json!({ "taken": { "deck": "cup", "what": card, "of": of } }),
                json!({ "changed": { "change": { "deck":
                    { "deck": "cup", "at": at, "old": [card], "new": [] } } } }),
            ]
        });
        json!({ "events": events.collect::<Vec<_>>() })
    }

    #[test]
    fn each_card_of_a_command_has_its_own_die() {
        // Of the cards a b b c the second is drawn, then the third of those left, with a d6 thrown in between.
        let drawn = out_of(&[("b", 4, 2), ("c", 3, 2)]);
        let dice = [(4, 2), (6, 5), (3, 3)];
        assert_eq!(check_events(&drawn, &dice, None), Ok(2));
        // Another face, another order, a card further on than its die says.
        let others = [[(4, 4), (6, 5), (3, 3)], [(3, 3), (6, 5), (4, 2)], [(4, 2), (6, 5), (4, 3)]];
        for other in others {
            assert!(check_events(&drawn, &other, None).is_err(), "{other:?}");
        }
        assert!(check_events(&out_of(&[("b", 4, 2), ("c", 3, 1)]), &dice, None).is_err());
    }

    #[test]
    fn a_card_further_on_is_an_equal_one() {
        let mut table = Table::default();
        let fill = json!({ "events": [{ "changed": { "change": { "deck":
            { "deck": "cup", "at": 0, "old": [], "new": ["a", "b", "b", "c"] } } } }] });
        table.apply(&fill, Direction::Forward).unwrap();
        let drawn = out_of(&[("b", 4, 2)]);
        assert_eq!(check_events(&drawn, &[(4, 2)], Some(&table)), Ok(1));
        assert_eq!(check_events(&drawn, &[(4, 3)], Some(&table)), Ok(1));
        // The die drew an a.
        assert!(check_events(&drawn, &[(4, 1)], Some(&table)).is_err());
        assert_eq!(check_events(&drawn, &[(4, 1)], None), Ok(1));
        // Two cards for one, and none.
        for old in [json!(["b", "b"]), json!([])] {
            let mut other = drawn.clone();
            other["events"][1]["changed"]["change"]["deck"]["old"] = old;
            assert!(check_events(&other, &[(4, 2)], None).is_err());
        }
    }

    #[test]
    fn a_value_is_remembered_through_one_reading_of_the_rules() {
        let set = |old: i64, new: i64| {
            json!({ "events": [{ "changed": { "change": { "set": { "kind": "man", "piece": "ann",
                "attribute": "hits", "old": old, "new": new } } } }] })
        };
        let mut table = Table::default();
        table.apply(&set(0, 1), Direction::Forward).unwrap();
        table.read_rules_again();
        assert!(table.apply(&set(2, 3), Direction::Forward).is_err());
        let mut table = Table::default();
        table.apply(&set(0, 1), Direction::Forward).unwrap();
        table.read_rules_again();
        assert_eq!(table.apply(&set(1, 2), Direction::Forward), Ok(1));
        // An attribute may be taken out of the rules and come back with its starting value.
        table.read_rules_again();
        table.read_rules_again();
        assert_eq!(table.apply(&set(0, 3), Direction::Forward), Ok(0));
    }
}
