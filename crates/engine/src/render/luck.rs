//! Luck and pace, as tables.

use crate::names::count_with_noun;
use crate::render::markup::{Line, Role, Text};
use crate::session::{Luck, LuckGroup, LuckKind, Pace, TOO_FEW};

/// Compares the dice rolled with their averages.
pub(crate) fn luck(luck: &Luck) -> Text {
    if luck.all.dice.is_none() {
        return Text::of(Role::Quiet, "no check has been rolled yet");
    }
    let words = format!("fewer than {TOO_FEW} rolls are too few to judge luck");
    let mut text = Text::of(Role::Quiet, words);
    add_group("all dice", &luck.all, &mut text);
    for side in &luck.sides {
        add_group(side.side.as_deref().unwrap_or(""), side, &mut text);
    }
    for verb in &luck.verbs {
        let name = verb.verb.as_deref().unwrap_or("");
        match &verb.side {
            Some(side) => add_group(&format!("{side}: {name}"), verb, &mut text),
            None => add_group(name, verb, &mut text),
        }
    }
    if luck.left_out > 0 {
        let left_out = luck.left_out;
        text.line(Role::Quiet, format!("{left_out} rolls are left out: their odds are unknown"));
    }
    text
}

fn add_group(name: &str, group: &LuckGroup, text: &mut Text) {
    text.line(Role::Strong, name);
    text.extend(group.dice.iter().map(|dice| kind_line("dice", dice)).collect());
    text.extend(group.passes.iter().map(|passes| kind_line("passed", passes)).collect());
}

fn kind_line(what: &str, kind: &LuckKind) -> Line {
    let throws = if kind.throws == 1 { "throw, " } else { "throws," };
    let words = format!(
        "  {what:<7}{:>4} {throws}{:>8.1} expected,{:>6} actual",
        kind.throws, kind.expected, kind.actual
    );
    let line = Line::of(Role::Plain, words).with_hanging_indent(10);
    if kind.has_too_few_throws() {
        return line.and(Role::Quiet, "; too few to judge");
    }
    let (part, word) = if kind.at_least <= kind.at_most {
        (kind.at_least, "more")
    } else {
        (kind.at_most, "less")
    };
    let about = if kind.exact { "" } else { "about " };
    line.and(Role::Plain, format!("; chance of that or {word}: {about}{}", percent(part)))
}

fn percent(part: f64) -> String {
    match part * 100.0 {
        p if p < 0.01 => "less than 0.01 %".to_owned(),
        p if p < 1.0 => format!("{p:.2} %"),
        p => format!("{p:.1} %"),
    }
}

/// Returns the duration of each turn, and the longest waits.
pub(crate) fn pace(pace: &Pace) -> Text {
    if pace.turns.is_empty() {
        return Text::of(Role::Quiet, "nothing has been played yet");
    }
    let breaks = match pace.breaks {
        0 => String::new(),
        n => format!(", {} not counted", count_with_noun(n, "break")),
    };
    let played = format!("played for {}{breaks}", minutes(pace.played));
    let mut text = Text::of(Role::Strong, played);
    for turn in &pace.turns {
        let name = if turn.turn == 0 { "set-up".to_owned() } else { format!("turn {}", turn.turn) };
        let commands = count_with_noun(turn.commands, "command");
        text.line(Role::Plain, format!("  {name:<9} {:>9}  {commands}", minutes(turn.time)));
    }
    // A delay of less than a second doesn't count as a wait.
    let mut waits = pace.waits.iter().filter(|w| w.time >= 1000).peekable();
    if waits.peek().is_some() {
        text.line(Role::Strong, "the longest waits");
    }
    for wait in waits {
        let words = format!("  {:>9}  before {} {}", minutes(wait.time), wait.number, wait.line);
        text.push(Line::of(Role::Plain, words).with_hanging_indent(13));
    }
    text
}

/// Writes a time, given in milliseconds, in minutes and seconds, such as `2:05 min`.
pub(crate) fn minutes(time: u64) -> String {
    let seconds = (time + 500) / 1000;
    format!("{}:{:02} min", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::document::Block;
    use crate::session::{CommandWait, TurnPace};

    fn words(text: &Text) -> Vec<String> {
        let words = |block: &Block| match block {
            Block::Line(line) => line.plain_text(),
            other => panic!("{other:?}"),
        };
        text.blocks.iter().map(words).collect()
    }

    const MAX_STACK_DICE: LuckKind = LuckKind {
        throws: 11,
        expected: 38.5,
        actual: 41,
        at_least: 0.36,
        at_most: 0.7,
        exact: true,
    };

    #[test]
    fn luck_is_listed_for_all_for_sides_and_for_verbs() {
        assert_eq!(words(&luck(&Luck::default())), ["no check has been rolled yet"]);
        let of = |side: Option<&str>, verb: Option<&str>| LuckGroup {
            side: side.map(str::to_owned),
            verb: verb.map(str::to_owned),
            dice: Some(MAX_STACK_DICE),
            passes: None,
        };
        let all = LuckGroup {
            passes: Some(LuckKind { throws: 1, actual: 1, ..MAX_STACK_DICE }),
            ..of(None, None)
        };
        let verbs = vec![of(None, Some("next")), of(Some("red"), Some("shoot"))];
        let told = Luck { all, sides: vec![of(Some("red"), None)], verbs, left_out: 0 };
        let dice = "  dice     11 throws,    38.5 expected,    41 actual; too few to judge";
        let passed = "  passed    1 throw,     38.5 expected,     1 actual; too few to judge";
        let head = "fewer than 12 rolls are too few to judge luck";
        let lines = [head, "all dice", dice, passed, "red", dice, "next", dice, "red: shoot", dice];
        assert_eq!(words(&luck(&told)), lines);
        let told = Luck { left_out: 3, ..told };
        let last = words(&luck(&told)).pop().unwrap();
        assert_eq!(last, "3 rolls are left out: their odds are unknown");
    }

    #[test]
    fn the_smaller_probability_is_told() {
        let told = |at_least: f64, at_most: f64, exact: bool| {
            let line = kind_line(
                "dice",
                &LuckKind { throws: 12, at_least, at_most, exact, ..MAX_STACK_DICE },
            )
            .plain_text();
            line.split_once("; ").unwrap().1.to_owned()
        };
        assert_eq!(told(0.3, 0.8, true), "chance of that or more: 30.0 %");
        assert_eq!(told(0.8, 0.3, true), "chance of that or less: 30.0 %");
        assert_eq!(told(0.5, 0.5, true), "chance of that or more: 50.0 %");
        assert_eq!(told(0.9, 0.125, false), "chance of that or less: about 12.5 %");
    }

    #[test]
    fn small_parts_have_more_places() {
        let parts = [0.25, 0.01, 0.0099, 0.0001, 0.000_099, 0.0].map(percent);
        let nearly_nothing = "less than 0.01 %";
        assert_eq!(parts, ["25.0 %", "1.0 %", "0.99 %", "0.01 %", nearly_nothing, nearly_nothing]);
    }

    #[test]
    fn times_are_minutes_and_seconds() {
        let times = [0, 499, 500, 59_499, 59_500, 125_000, 3_600_000].map(minutes);
        let expected =
            ["0:00 min", "0:00 min", "0:01 min", "0:59 min", "1:00 min", "2:05 min", "60:00 min"];
        assert_eq!(times, expected);
    }

    #[test]
    fn the_pace_is_that_of_each_turn_with_the_longest_waits() {
        assert_eq!(words(&pace(&Pace::default())), ["nothing has been played yet"]);
        let turn = |turn, time, commands| TurnPace { turn, time, commands };
        let wait = |number, time| CommandWait { number, time, turn: 1, line: "next".to_owned() };
        let mut told = Pace {
            played: 125_000,
            breaks: 0,
            turns: vec![turn(0, 5_000, 1), turn(1, 120_000, 3)],
            waits: vec![wait(3, 61_000), wait(2, 1000), wait(1, 999)],
        };
        let lines = [
            "played for 2:05 min",
            "  set-up     0:05 min  1 command",
            "  turn 1     2:00 min  3 commands",
            "the longest waits",
            "   1:01 min  before 3 next",
            "   0:01 min  before 2 next",
        ];
        assert_eq!(words(&pace(&told)), lines);
        told.waits.clear();
        told.breaks = 2;
        let shown = words(&pace(&told));
        assert_eq!(shown[0], "played for 2:05 min, 2 breaks not counted");
        assert_eq!(shown.len(), 3);
    }
}
