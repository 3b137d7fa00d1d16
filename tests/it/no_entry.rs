//! “No units can enter a fire area”, says BLITZ!: no verb of it brings a stand or a vehicle into one, nor a crew out of a
//! vehicle that stands in one. Every verb is typed with every piece of a small street in flames.

use std::collections::{BTreeMap, BTreeSet};

use adjutant::shipped;
use adjutant_engine::command;
use adjutant_engine::console::complete;
use adjutant_engine::ruleset::FileText;
use adjutant_engine::session::{CommandInput, Session};
use adjutant_engine::tabletop::{Change, Value, inventory};

use crate::kit::{Table, file};

/// The street b burns, and the house behind it; a and c beside it do not. `trapped` and its crew are in the fire, with a
/// hose, a ladder and a pump beside it.
const STREET: &str = r##"
title = "A street in flames"
[legend]
"S" = { surface = "building", stairs = true }
"=" = { surface = "road" }
[[level]]
plan = """
SSS
===
=S="""
[[level]]
plan = """
SSS"""
[pieces.area]
a2 = { hydrant = 2 }
b2 = { hydrant = 2 }
[pieces.vehicle]
engine  = { type = "small-pump-team", at = "a2" }
trapped = { type = "heavy-unit", at = "b2" }
lorry   = { type = "hose-laying-lorry", at = "c2" }
absent  = { type = "ambulance" }
barrow  = { type = "wheelbarrow-pump", at = "b2" }
[pieces.hose]
h1 = { pump = "trapped", stock = "trapped", route = ["b2"] }
h2 = { pump = "engine", stock = "engine", route = ["a2"], lengths = 1 }
h3 = { pump = "engine", stock = "engine", route = ["a2", "b2", "c2"], lengths = 2 }
[pieces.ladder]
ladder8 = { type = "hand-ladder", home = "trapped", foot = "b2", against = "b1", reached = 1 }
ladder9 = { type = "hand-ladder", home = "lorry", foot = "c2", against = "c1", reached = 1 }
[pieces.team]
crew    = { type = "fire-team", at = "c2", hose = "h3" }
bearers = { type = "ambulance-crew", at = "a2" }
boy     = { type = "messenger-boy", at = "c2" }
away    = { type = "despatch-rider" }
[pieces.casualty]
x1 = { who = "a lodger", at = "a2", stage = "recovered", state = "lightly-injured" }
"##;

/// The areas that burn.
const BURNING: [&str; 3] = ["b2", "b1", "b1.1"];
/// The areas that are typed: those, and others beside them.
const TYPED: [&str; 7] = ["b2", "b1", "b1.1", "a1", "c1.1", "c2", "c3"];
/// No line has more words, nor more areas.
const WORDS: usize = 9;
const AREAS: usize = 2;

fn street(phase: &str) -> Table {
    let mut files = shipped::files("blitz").unwrap();
    files.push(FileText { scenario: Some("flames".into()), ..file("flames.toml", STREET) });
    let mut table = Table::by("blitz", &files, "flames", "candle");
    table.types(&format!("set state.all-clear on\nset trapped.hydrant-hose 1\nnext to {phase}"));
    for area in BURNING {
        table.types(&format!("set {area}.fire 1"));
    }
    table
}

/// Returns all lines that begin with a verb and can be read, of the pieces at hand.
fn lines(session: &Session, verb: &str) -> BTreeSet<String> {
    let (referee, table) = (session.referee(), session.table());
    let areas = table.names().filter(|(_, kind, _)| referee.ruleset().schema.kind(*kind).plan);
    let left_out: BTreeSet<&str> =
        areas.map(|(name, ..)| name).filter(|name| !TYPED.contains(name)).collect();
    let mut found = BTreeSet::new();
    let mut begun = vec![format!("{verb} ")];
    while let Some(line) = begun.pop() {
        let areas = line.split(' ').filter(|word| TYPED.contains(word)).count();
        for word in complete(referee, table, &line, line.len()).words {
            let too_many = areas == AREAS && TYPED.contains(&word.as_str());
            let again = line.split(' ').any(|before| before == word);
            if left_out.contains(word.as_str()) || too_many || again {
                continue;
            }
            let longer = format!("{line}{word}");
            if matches!(command::parse(referee, table, &longer), Ok(Some(_))) {
                found.insert(longer.clone());
            }
            if longer.split(' ').count() < WORDS {
                begun.push(format!("{longer} "));
            }
        }
    }
    found
}

/// Returns the units that a line brings into a fire, or out of a vehicle in one; `None` if it is refused.
fn entering(session: &Session, stood: &BTreeMap<String, Value>, line: &str) -> Option<Vec<String>> {
    let typed = command::parse(session.referee(), session.table(), line).ok()??;
    let attempted = session.attempt(&typed.verb, &typed.action, false, &CommandInput::default());
    attempted.done.ok()?;
    let burns =
        |place: &Value| matches!(place, Value::Text(area) if BURNING.contains(&area.as_str()));
    let moved: BTreeMap<&str, &Value> = attempted
        .outcome
        .changes()
        .filter_map(|change| match change {
            Change::Set { of, new, .. } if of.attribute == "at" => Some((of.piece.as_str(), new)),
            _ => None,
        })
        .collect();
    let entered = attempted.outcome.changes().filter_map(|change| match change {
        Change::Set { of, new, .. } if ["team", "vehicle"].contains(&of.kind.as_str()) => {
            let place = moved.get(of.piece.as_str()).copied().or(stood.get(&of.piece))?;
            let arrives = of.attribute == "at";
            let gets_out = of.attribute == "aboard" && *new == Value::Nothing;
            let enters = burns(place) && (arrives || gets_out);
            enters.then(|| format!("`{line}` brings {} into the fire", of.piece))
        }
        _ => None,
    });
    Some(entered.collect())
}

#[test]
fn no_verb_brings_a_unit_into_a_fire() {
    let mut wrong = Vec::new();
    let mut accepted = BTreeSet::new();
    for phase in ["move", "fight"] {
        let table = street(phase);
        let session = table.session();
        let places = inventory(session.table()).into_iter().filter(|(of, _)| of.attribute == "at");
        let stood = places.map(|(of, value)| (of.piece, value)).collect();
        let rules = session.referee().ruleset().schema.rules.iter();
        let now = rules.filter(|rule| {
            rule.phases.is_empty() || rule.phases.iter().any(|(name, _)| name == phase)
        });
        let verbs: BTreeSet<&str> =
            now.filter_map(|rule| Some(rule.usage.as_ref()?.verb.as_str())).collect();
        for verb in verbs {
            for line in lines(session, verb) {
                let Some(entered) = entering(session, &stood, &line) else { continue };
                accepted.insert(verb.to_owned());
                wrong.extend(entered);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Many a line is accepted, so that something could have been found.
    for verb in ["back", "board", "climb", "drive", "lay", "move", "pitch", "return", "run-out"] {
        assert!(accepted.contains(verb), "no line with `{verb}` is accepted");
    }
}
