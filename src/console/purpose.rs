//! The purpose of dice that the players are about to throw.
//!
//! A check is an event only when it is over, but who throws wants to know before. So the command is resolved once more
//! with faces that nobody has thrown; the next event is what is being thrown for. Nothing of it is kept.

use super::play::Play;
use crate::command::Command;
use crate::language::schema::RuleId;
use crate::referee::{Check, Event, Outcome};
use crate::session::Found;

/// The most faces supposed to reach the end of a check.
const SUPPOSED: usize = 200;

/// The most sides of a die for which each face is explained.
const SPELT_OUT: u32 = 12;

/// A command in which dice are thrown by hand.
pub(super) struct Throwing<'a> {
    play: &'a Play,
    command: &'a Command,
    /// The rule the dice were last thrown for.
    rule: Option<RuleId>,
    /// The number of events before the check under way, and of faces that had fallen then.
    begun: Option<(usize, usize)>,
}

impl<'a> Throwing<'a> {
    pub fn new(play: &'a Play, command: &'a Command) -> Throwing<'a> {
        Throwing { play, command, rule: None, begun: None }
    }

    /// Returns what the next dice are for, in a few words; empty if that is not known.
    pub fn purpose(&mut self, found: &Found, count: u32, sides: u32) -> String {
        let told = self.supposing(found, &[]).events.len();
        let ahead = self.supposing(found, &[1; SUPPOSED]);
        match ahead.events.get(told) {
            Some(Event::Check(check)) => {
                let start = match self.begun {
                    Some((at, start)) if at == told => start,
                    _ => found.faces.len(),
                };
                self.begun = Some((told, start));
                self.check(check, found.faces.len() - start)
            }
            Some(Event::Taken { .. }) => {
                format!("one at random{}", self.spelt_out(found, told, count, sides))
            }
            Some(Event::Asked { question, .. }) => {
                let question = question.trim_end_matches('?');
                format!("at random: {question}{}", self.spelt_out(found, told, count, sides))
            }
            _ => String::new(),
        }
    }

    /// Returns the outcome of the command if these faces fell next.
    fn supposing(&self, found: &Found, faces: &[u32]) -> Outcome {
        let mut found = found.clone();
        found.faces.extend_from_slice(faces);
        let Command { verb, action, insist } = self.command;
        self.play.session.up_to_halt(verb, action, *insist, &found).0
    }

    /// Returns the rule of a check, if it is another than before, its label, and throw 3 of 12.
    fn check(&mut self, check: &Check, fallen: usize) -> String {
        let rules = &self.play.referee().ruleset().schema.rules;
        let another = check.rule.filter(|r| self.rule != Some(*r) || check.label.is_empty());
        self.rule = check.rule;
        let title = another.map_or("", |rule| rules[rule.index()].title.as_str());
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

    /// Returns what each face stands for, of a die that takes one of several.
    fn spelt_out(&self, found: &Found, told: usize, count: u32, sides: u32) -> String {
        if count != 1 || sides > SPELT_OUT {
            return String::new();
        }
        let mut names = Vec::new();
        for face in 1..=sides {
            match self.supposing(found, &[face]).events.get(told) {
                Some(Event::Taken { what, of, .. }) if *of == sides as usize => {
                    names.push(format!("{face} {what}"));
                }
                Some(Event::Asked { answer, .. }) => names.push(format!("{face} {answer}")),
                _ => return String::new(),
            }
        }
        format!(" ({})", names.join(", "))
    }
}

/// Returns the number of dice in each throw of a check, if all are of one pool from which nothing is thrown again.
fn alike(check: &Check) -> Option<usize> {
    let (pool, _) = check.pools.first()?;
    let same = check.pools.iter().all(|(p, _)| p == pool);
    let (count, sides) = pool.split_once('d')?;
    let plain = !sides.is_empty() && sides.bytes().all(|b| b.is_ascii_digit());
    let count = if count.is_empty() { Some(1) } else { count.parse().ok().filter(|&n| n > 0) };
    count.filter(|_| same && plain && check.pools.len() == check.throws.len())
}
