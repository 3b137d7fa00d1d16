//! The table as far as recorded changes tell it: each change names the value before it.

use std::collections::BTreeMap;

use serde_json::Value;

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
    values: BTreeMap<[String; 3], Value>,
    /// Which pieces are on the table, by kind and name.
    pieces: BTreeMap<[String; 2], bool>,
    /// The members of decks, `None` where one isn't known yet. More may follow.
    decks: BTreeMap<String, Vec<Option<Value>>>,
}

impl Table {
    /// Makes the changes of an outcome. Returns the number of changes whose old value was known.
    pub(crate) fn apply(&mut self, out: &Value, direction: Direction) -> Result<usize, String> {
        let none = Vec::new();
        let events = out["events"].as_array().unwrap_or(&none);
        let mut changes: Vec<&Value> = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let Some(changed) = event.get("changed") else { continue };
            let check = changed.get("check").and_then(Value::as_u64);
            let is_check =
                |at: u64| (at as usize) < index && events[at as usize].get("check").is_some();
            if check.is_some_and(|at| !is_check(at)) {
                return Err("a change names no check before it".to_owned());
            }
            changes.push(&changed["change"]);
        }
        if direction == Direction::Backward {
            changes.reverse();
        }
        let mut linked = 0;
        for change in changes {
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
                let known = self.values.insert(spot, to.clone());
                match &known {
                    Some(known) if known != from => Err(format!("{change}: it was {known}")),
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
        let at = of["at"].as_u64().ok_or("no place in the deck")? as usize;
        let from = from.as_array().ok_or("no members")?;
        let to = to.as_array().ok_or("no members")?;
        let members = self.decks.entry(deck).or_default();
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

/// Finds the die of everything that was drawn: in the order of the events there is a die of as many sides as there were
/// cards. Where one card was drawn and nothing else happened to its deck, its place was the face, or further on among its
/// equals. Returns the number drawn.
pub(crate) fn check_draws(out: &Value, dice: &[(u64, u64)]) -> Result<usize, String> {
    let none = Vec::new();
    let events = out["events"].as_array().unwrap_or(&none);
    let taken: Vec<&Value> = events.iter().filter_map(|event| event.get("taken")).collect();
    let mut rest = dice.iter();
    for taken in &taken {
        let of = taken["of"].as_u64().ok_or("no number of cards")?;
        if !rest.any(|(sides, _)| *sides == of) {
            return Err(format!("{taken}: no die decided it"));
        }
    }
    if let ([taken], [(_, face)]) = (&taken[..], dice) {
        let changes = events.iter().filter_map(|event| event["changed"]["change"].get("deck"));
        let own: Vec<&Value> = changes.filter(|change| change["deck"] == taken["deck"]).collect();
        if let [change] = own[..]
            && change["old"].as_array().map(Vec::len) == Some(1)
            && change["new"].as_array().is_some_and(Vec::is_empty)
            && change["at"].as_u64().is_none_or(|at| at < face - 1)
        {
            return Err(format!("{taken}: the card at another place was drawn than the die says"));
        }
    }
    Ok(taken.len())
}
