//! Luck and pace in tables.

use super::prelude::*;
use crate::session::{Luck, LuckGroup, LuckKind, Pace, TOO_FEW};

/// Compares the dice rolled with their averages.
pub fn luck(luck: &Luck) -> Text {
    if luck.all.dice.is_none() {
        return Text::of(Role::Quiet, "no check has been rolled yet");
    }
    let words = format!("fewer than {TOO_FEW} throws tell nothing of luck");
    let mut text = Text::of(Role::Quiet, words);
    group("all dice", &luck.all, &mut text);
    for side in &luck.sides {
        group(side.side.as_deref().unwrap_or(""), side, &mut text);
    }
    for verb in &luck.verbs {
        let name = verb.verb.as_deref().unwrap_or("");
        match &verb.side {
            Some(side) => group(&format!("{side}: {name}"), verb, &mut text),
            None => group(name, verb, &mut text),
        }
    }
    if luck.left_out > 0 {
        let left_out = luck.left_out;
        text.line(Role::Quiet, format!("{left_out} throws are left out: their odds are not known"));
    }
    text
}

fn group(name: &str, group: &LuckGroup, text: &mut Text) {
    text.line(Role::Strong, name);
    text.extend(group.dice.iter().map(|dice| kind("dice", dice)).collect());
    text.extend(group.passes.iter().map(|passes| kind("passed", passes)).collect());
}

fn kind(what: &str, kind: &LuckKind) -> Line {
    let throws = if kind.throws == 1 { "throw, " } else { "throws," };
    let words = format!(
        "  {what:<7}{:>4} {throws}{:>8.1} expected,{:>6} came",
        kind.throws, kind.expected, kind.actual
    );
    let line = Line::of(Role::Plain, words).hanging(10);
    if kind.too_few() {
        return line.and(Role::Quiet, "; too few to tell");
    }
    let (part, word) = match kind.at_least <= kind.at_most {
        true => (kind.at_least, "more"),
        false => (kind.at_most, "less"),
    };
    let about = if kind.exact { "" } else { "about " };
    line.and(Role::Plain, format!("; that or {word}: {about}{}", percent(part)))
}

fn percent(part: f64) -> String {
    match part * 100.0 {
        p if p < 0.01 => "less than 0.01 %".to_owned(),
        p if p < 1.0 => format!("{p:.2} %"),
        p => format!("{p:.1} %"),
    }
}

/// Returns the minutes of each turn, and the slowest waits.
pub fn pace(pace: &Pace) -> Text {
    if pace.turns.is_empty() {
        return Text::of(Role::Quiet, "nothing has been played yet");
    }
    let breaks = match pace.breaks {
        0 => String::new(),
        n => format!(", {} not counted", counted(n, "break")),
    };
    let played = format!("played for {}{breaks}", minutes(pace.played));
    let mut text = Text::of(Role::Strong, played);
    for turn in &pace.turns {
        let name = if turn.turn == 0 { "set-up".to_owned() } else { format!("turn {}", turn.turn) };
        let commands = counted(turn.commands, "command");
        text.line(Role::Plain, format!("  {name:<9} {:>9}  {commands}", minutes(turn.time)));
    }
    // Less than a second is no wait.
    let mut waits = pace.waits.iter().filter(|w| w.time >= 1000).peekable();
    if waits.peek().is_some() {
        text.line(Role::Strong, "the longest waits");
    }
    for wait in waits {
        let words = format!("  {:>9}  before {} {}", minutes(wait.time), wait.number, wait.line);
        text.push(Line::of(Role::Plain, words).hanging(13));
    }
    text
}

/// Returns a time in milliseconds in words.
pub fn minutes(time: u64) -> String {
    let seconds = (time + 500) / 1000;
    format!("{}:{:02} min", seconds / 60, seconds % 60)
}
