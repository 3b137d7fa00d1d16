//! The purpose of dice that the players are about to throw.
//!
//! A check becomes an event only when it is over, but the player who throws wants to know before. So the command is
//! resolved once more with invented faces: the next event is what the dice are for. Nothing of it is kept.

use super::play::Play;
use crate::command::Command;
use crate::referee::{Check, Event, Outcome};
use crate::session::Found;

/// The most invented faces used to reach the end of a check.
const SUPPOSED: usize = 200;

/// The most sides of a die for which each face is explained.
const SPELT_OUT: u32 = 12;

/// A command in which dice are thrown by hand.
#[derive(Default)]
pub(super) struct Throwing {
    /// The rule the dice were last thrown for.
    rule: Option<String>,
    /// The number of events before the check under way, and of faces that had fallen then.
    begun: Option<(usize, usize)>,
}

/// A command of a game.
type Given<'a> = (&'a Play, &'a Command);

/// Returns the outcome of the command if these faces fell next.
fn supposing((play, command): Given<'_>, found: &Found, faces: &[u32]) -> Outcome {
    let mut found = found.clone();
    found.faces.extend_from_slice(faces);
    let Command { verb, action, insist } = command;
    play.session.up_to_halt(verb, action, *insist, &found).0
}

impl Throwing {
    /// Returns what the next dice are for, in a few words; empty if that is not known.
    pub(crate) fn purpose(
        &mut self,
        given: Given<'_>,
        found: &Found,
        count: u32,
        sides: u32,
    ) -> String {
        let told = supposing(given, found, &[]).events.len();
        let ahead = supposing(given, found, &[1; SUPPOSED]);
        let dice = (count, sides);
        match next_told(&ahead, told) {
            Some(Event::Check(check)) => {
                let start = match self.begun {
                    Some((at, start)) if at == told => start,
                    _ => found.faces.len(),
                };
                self.begun = Some((told, start));
                self.check(given.0, check, found.faces.len() - start)
            }
            Some(Event::Taken { .. }) => {
                format!("one at random{}", spelt_out(given, found, told, dice))
            }
            Some(Event::Asked { question, .. }) => {
                let question = question.trim_end_matches('?');
                format!("at random: {question}{}", spelt_out(given, found, told, dice))
            }
            _ => String::new(),
        }
    }

    /// Returns the rule of a check, if it is another than before, its label, and throw 3 of 12.
    fn check(&mut self, play: &Play, check: &Check, fallen: usize) -> String {
        let rules = &play.referee().ruleset().schema.rules;
        let another = check.rule != self.rule || check.label.is_empty();
        let rule = check.rule.as_ref().filter(|_| another).and_then(|r| rules.named(r));
        let title = rule.map_or("", |r| r.title.as_str());
        self.rule.clone_from(&check.rule);
        let mut words = match (title, check.label.as_str()) {
            (title, "") => title.to_owned(),
            ("", label) => label.to_owned(),
            (title, label) if title == label => label.to_owned(),
            (title, label) => format!("{title}: {label}"),
        };
        let throws = check.throws.len();
        if let Some(dice) = alike(check).filter(|_| throws > 1) {
            words.push_str(&format!(", {} of {throws}", fallen / dice + 1));
        }
        words
    }
}

/// Returns what each face stands for, of a die that takes one of several.
fn spelt_out(given: Given<'_>, found: &Found, told: usize, (count, sides): (u32, u32)) -> String {
    if count != 1 || sides > SPELT_OUT {
        return String::new();
    }
    let mut names = Vec::new();
    for face in 1..=sides {
        match next_told(&supposing(given, found, &[face]), told) {
            Some(Event::Taken { what, of, .. }) if *of == sides as usize => {
                names.push(format!("{face} {what}"));
            }
            Some(Event::Asked { answer, .. }) => names.push(format!("{face} {answer}")),
            _ => return String::new(),
        }
    }
    format!(" ({})", names.join(", "))
}

/// Returns the first event from a place on that people are told of.
fn next_told(outcome: &Outcome, place: usize) -> Option<&Event> {
    outcome.events.get(place..)?.iter().find(|e| !e.is_silent())
}

/// Returns the number of dice in each throw of a check, if all are of one pool from which nothing is thrown again.
fn alike(check: &Check) -> Option<usize> {
    let pool = check.rolls.first()?.pool.as_ref()?;
    let same = check.rolls.iter().all(|r| r.pool.as_ref() == Some(pool));
    let each =
        (same && pool.is_plain() && check.rolls.len() == check.throws.len()).then(|| pool.count());
    each.and_then(|count| usize::try_from(count).ok())
}
