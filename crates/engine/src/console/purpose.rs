//! The purpose of the dice that the players roll next.
//!
//! A check becomes an event only when it is complete, but the player wants to know its purpose
//! before the roll. So the command is resolved again with invented faces: the next event then shows
//! the purpose. The outcome is discarded.

use crate::language::named::Named;
use crate::language::rule::RuleText;
use crate::referee::{Binding, Check, Event, Outcome};

/// The maximum number of invented faces, or of cards, used to reach the end of a check.
pub(super) const MAX_SUPPOSED_FACES: usize = 200;

/// The maximum number of sides of a die for which each face is explained.
const MAX_EXPLAINED_SIDES: u32 = 12;

/// The purpose of a roll.
#[derive(Default)]
pub(super) struct ThrowPurpose {
    /// The purpose in a few words; empty if unknown.
    pub words: String,
    /// The piece or answer that each face of a die chooses; empty if the die doesn't choose one.
    pub names: Vec<String>,
    /// The later rolls of the same rule. Their faces can be typed on the same line.
    pub following: Following,
}

/// The number of later rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Following {
    /// No later rolls are known.
    #[default]
    None,
    /// Exactly this many later rolls, whatever the dice show.
    Exactly(usize),
    /// At least this many later rolls.
    AtLeast(usize),
}

/// A command with real dice.
#[derive(Default)]
pub(super) struct ThrowingCommand {
    /// The rule of the last dice, and the number of events before its first check.
    rule: Option<(Option<String>, usize)>,
    /// The number of events before the current check, and the number of faces rolled before it
    /// began.
    begun: Option<(usize, usize)>,
}

/// A function that returns the outcome of the command if the next dice show these faces, as far as
/// the outcome is known.
pub(super) type SupposeFaces<'s> = &'s dyn Fn(&[u32]) -> Option<Outcome>;

impl ThrowingCommand {
    /// Returns the purpose of the next dice. `fallen` is the number of faces so far, and `wanted`
    /// holds the number of the next dice and their number of sides.
    pub(super) fn purpose(
        &mut self,
        rules: &Named<RuleText>,
        supposing: SupposeFaces<'_>,
        fallen: usize,
        wanted: (u32, u32),
    ) -> ThrowPurpose {
        // Equal faces may give a tie, which may be rerolled again and again.
        let [ahead, other] = [1, 2].map(|face| {
            let faces: [u32; MAX_SUPPOSED_FACES] =
                std::array::from_fn(|i| if i % 2 == 0 { face } else { 1 });
            supposing(&faces)
        });
        let (Some(ahead), Some(other)) = (ahead, other) else { return ThrowPurpose::default() };
        // The purpose of the dice is the first event that depends on their faces.
        let same = ahead.events.iter().zip(&other.events).take_while(|(one, two)| one == two);
        let told = same.count();
        let names = || face_names(supposing, told, wanted).unwrap_or_default();
        match next_shown_event(&ahead, told) {
            Some(Event::Check(check)) => {
                let start = match self.begun {
                    Some((at, start)) if at == told => start,
                    _ => fallen,
                };
                self.begun = Some((told, start));
                let mut words = self.check_purpose(rules, check, told, fallen - start);
                let [one, two] =
                    [&ahead, &other].map(|outcome| checks_following(outcome, told, check));
                let following = match one.min(two) {
                    0 => Following::None,
                    more if one == two => Following::Exactly(more),
                    more => Following::AtLeast(more),
                };
                match following {
                    Following::None => {}
                    Following::Exactly(n) => words.push_str(&format!(", {n} more to roll")),
                    Following::AtLeast(n) => {
                        words.push_str(&format!(", at least {n} more to roll"));
                    }
                }
                ThrowPurpose { words, names: Vec::new(), following }
            }
            Some(Event::Taken { .. }) => {
                let names = names();
                let words = format!("one at random{}", explain_faces(&names));
                ThrowPurpose { words, names, following: Following::None }
            }
            Some(Event::Asked { question, .. }) => {
                let names = names();
                let question = question.trim_end_matches('?');
                let words = format!("at random: {question}{}", explain_faces(&names));
                ThrowPurpose { words, names, following: Following::None }
            }
            _ => ThrowPurpose::default(),
        }
    }

    /// Returns the recipient of the next real card and the number of cards that follow, in words.
    /// The text is empty if the question isn't about a card.
    pub(super) fn card_purpose(ahead: &Outcome, told: usize) -> String {
        let Some(Event::Taken { deck: Some(_), .. }) = ahead.events.get(told + 1) else {
            return String::new();
        };
        let (before, after) = ahead.events.split_at(told + 2);
        let mut calls: Vec<Option<&Binding>> = Vec::new();
        for event in before {
            match event {
                Event::Call { bound, .. } => calls.push(bound.first()),
                Event::Bound(bound) => {
                    if let Some(last) = calls.last_mut() {
                        *last = bound.first();
                    }
                }
                Event::End => drop(calls.pop()),
                _ => {}
            }
        }
        let mut words: Vec<String> = Vec::new();
        let piece = calls.into_iter().flatten().find(|b| b.kind.is_some());
        words.extend(piece.map(|piece| format!("for {}", piece.value)));
        // Count only the cards of the same call.
        let mut depth = 0;
        let here = after.iter().take_while(|event| {
            depth += match event {
                Event::Call { .. } => 1,
                Event::End => -1,
                _ => 0,
            };
            depth >= 0
        });
        match here.filter(|e| matches!(e, Event::Taken { deck: Some(_), .. })).count() {
            0 => {}
            more => words.push(format!("{more} more to come")),
        }
        words.join(", ")
    }

    /// Returns a description of a check: its rule (unless the rule was named before and the check
    /// has a label), its label and, if the check has several throws, the number of the throw, as in
    /// "3 of 12".
    fn check_purpose(
        &mut self,
        rules: &Named<RuleText>,
        check: &Check,
        told: usize,
        fallen: usize,
    ) -> String {
        if self.rule.as_ref().is_none_or(|(rule, _)| *rule != check.rule) {
            self.rule = Some((check.rule.clone(), told));
        }
        // The umpire may be asked for the same throw again.
        let first = self.rule.as_ref().is_some_and(|(_, at)| *at == told);
        let another = first || check.label.is_empty();
        let rule = check.rule.as_ref().filter(|_| another).and_then(|r| rules.named(r));
        let title = rule.map_or("", |r| r.title.as_str());
        let mut words = match (title, check.label.as_str()) {
            (title, "") => title.to_owned(),
            ("", label) => label.to_owned(),
            (title, label) if title == label => label.to_owned(),
            (title, label) => format!("{title}: {label}"),
        };
        let throws = check.throws.len();
        if let Some(dice) = dice_per_throw(check).filter(|_| throws > 1) {
            words.push_str(&format!(", {} of {throws}", fallen / dice + 1));
        }
        words
    }
}

/// Returns a name for each face of a single die: the piece or answer that the face chooses. Returns
/// `None` if the die chooses neither, if it has too many sides, or if the names are just the
/// numbers of the faces.
fn face_names(
    supposing: SupposeFaces<'_>,
    told: usize,
    (count, sides): (u32, u32),
) -> Option<Vec<String>> {
    let name = |face| match next_shown_event(&supposing(&[face])?, told)? {
        Event::Taken { what, of, .. } if *of == sides as usize => Some(what.clone()),
        Event::Asked { answer, .. } => Some(answer.clone()),
        _ => None,
    };
    let names: Option<Vec<String>> =
        (1..=sides).map(name).take_while(|_| count == 1 && sides <= MAX_EXPLAINED_SIDES).collect();
    names.filter(|names| names.iter().zip(1u32..).any(|(given, face)| *given != face.to_string()))
}

/// Returns each name with its face, as one text.
fn explain_faces(names: &[String]) -> String {
    // A number beside a number needs a word between them.
    let stands_for = |name: &String| if name.parse::<i64>().is_ok() { " is" } else { "" };
    let faces = names.iter().zip(1u32..);
    let faces = faces.map(|(name, face)| format!("{face}{} {name}", stands_for(name)));
    let faces: Vec<String> = faces.collect();
    if faces.is_empty() { String::new() } else { format!(" ({})", faces.join(", ")) }
}

/// Returns the number of checks of the same rule that follow this one before a check of another
/// rule.
fn checks_following(outcome: &Outcome, told: usize, first: &Check) -> usize {
    let events = outcome.events.get(told..).unwrap_or_default().iter();
    let checks = events.filter_map(|event| match event {
        Event::Check(check) => Some(check),
        _ => None,
    });
    checks.take_while(|check| check.rule == first.rule).count().saturating_sub(1)
}

/// Returns the first displayed event at or after an index.
fn next_shown_event(outcome: &Outcome, index: usize) -> Option<&Event> {
    outcome.events.get(index..)?.iter().find(|e| !e.is_silent())
}

/// Returns the number of dice in each roll of a check, if all dice come from one pool without
/// rerolls.
fn dice_per_throw(check: &Check) -> Option<usize> {
    let pool = check.rolls.first()?.pool.as_ref()?;
    let same = check.rolls.iter().all(|r| r.pool.as_ref() == Some(pool));
    let each =
        (same && pool.is_plain() && check.rolls.len() == check.throws.len()).then(|| pool.count());
    each.and_then(|count| usize::try_from(count).ok())
}
