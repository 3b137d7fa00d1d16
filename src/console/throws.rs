//! What the dice are for that the players are to throw.
//!
//! A check is told when it is over, but who throws wants to know before. So the command is gone through once more
//! with faces that nobody has thrown; what it tells next is what is being thrown for. Nothing of it is kept.

use super::play::Play;
use crate::language::schema::RuleId;
use crate::referee::{Action, Check, Event, Outcome};
use crate::session::Found;

/// So many faces are supposed at most to come to the end of a check.
const SUPPOSED: usize = 200;

/// Up to so many sides, what each face stands for is told.
const SPELT_OUT: u32 = 12;

/// A command in which dice are thrown by hand.
pub(super) struct Throwing<'a> {
    pub play: &'a Play,
    pub verb: &'a str,
    pub action: &'a Action,
    pub insist: bool,
    /// The rule the dice were last thrown for.
    rule: Option<RuleId>,
    /// How many events had been told when the check under way was begun, and how many faces had fallen.
    begun: Option<(usize, usize)>,
}

impl<'a> Throwing<'a> {
    pub fn new(play: &'a Play, verb: &'a str, action: &'a Action, insist: bool) -> Throwing<'a> {
        Throwing { play, verb, action, insist, rule: None, begun: None }
    }

    /// What so many dice are for, in a few words; empty if that is not known.
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

    /// What would come of the command if these faces fell next.
    fn supposing(&self, found: &Found, faces: &[u32]) -> Outcome {
        let mut found = found.clone();
        found.faces.extend_from_slice(faces);
        self.play.session.up_to_halt(self.verb, self.action, self.insist, &found).0
    }

    /// The rule, if it is another than before, whose check it is, and the how manieth throw of how many.
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

    /// What each face of a die stands for that takes one of several.
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

/// How many dice each throw of a check takes, if all are of one pool from which nothing is thrown again.
fn alike(check: &Check) -> Option<usize> {
    let (pool, _) = check.pools.first()?;
    let same = check.pools.iter().all(|(p, _)| p == pool);
    let (count, sides) = pool.split_once('d')?;
    let plain = !sides.is_empty() && sides.bytes().all(|b| b.is_ascii_digit());
    let count = if count.is_empty() { Some(1) } else { count.parse().ok().filter(|&n| n > 0) };
    count.filter(|_| same && plain && check.pools.len() == check.throws.len())
}
