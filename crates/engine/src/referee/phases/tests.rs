use super::{RuleRun, Successor};
use crate::language::syntax::Period;
use crate::referee::Inputs;
use crate::referee::record::Recorder;
use crate::referee::testing::Trial;

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[state]
calm = { flag = true }
still = { flag = true }
dark = { flag = true }
waits = { one_of = "army" }
[kind.man]
plural = "men"
side = { one_of = "army" }
out = { flag = true }
hits = { from = 0, to = 9 }
[rule.shoot]
usage = "shoot <who:man>"
phases = ["fire"]
after = 'say "bang"'
[rule.rest]
usage = "rest <who:man>"
after = 'say "zzz"'
[[phase]]
name = "fire"
title = "Fire and smoke"
skip = 'state.calm'
do = 'say "fire begins"'
remind = ["one", { when = 'state.still', say = "two" }, "three"]
end = 'say "fire ends"'
left = [
  { title = "to fire", each = 'm in men where not m.out', say = "{m}", warn = true },
  { title = "to fire", each = 'm in men where m.out', say = "not {m}" },
  { each = 'm in men where m.hits > 0', say = "{m} is hit" },
]
[[watch]]
title = "hurt"
each = 'm in men where m.hits > 0'
say = "{m}"
[[watch]]
when = 'state.dark'
say = "nobody sees"
phases = ["fire"]
[[phase]]
name = "march"
by = "side"
skip = 'state.still or state.waits = state.side and state.calm'
do = 'say "{state.side} marches"'
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
"#;

/// Goes on to the next phase, and returns the reported events without changes of the state.
fn next_phase(trial: &mut Trial) -> Vec<String> {
    let mut told = trial.next_phase();
    told.retain(|line| !line.starts_with("state."));
    told
}

fn turn_phase_and_side(trial: &Trial) -> (i64, Option<usize>, String) {
    let referee = &trial.referee;
    let table = &trial.table;
    (referee.turn_number(table), referee.phase_index(table), referee.phase_name(table).to_owned())
}

#[test]
fn a_turn_goes_through_its_phases_and_the_sides_in_them() {
    let mut trial = Trial::set_up(RULES);
    assert_eq!(turn_phase_and_side(&trial), (0, None, "set-up".to_owned()));
    assert_eq!(
        next_phase(&mut trial),
        ["turn 1 fire", "fire begins", "remember one", "remember three"]
    );
    assert_eq!(turn_phase_and_side(&trial), (1, Some(0), "fire".to_owned()));
    assert_eq!(next_phase(&mut trial), ["fire ends", "turn 1 march red", "red marches"]);
    assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("red"));
    assert_eq!(next_phase(&mut trial), ["turn 1 march blue", "blue marches"]);
    assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
    assert_eq!(next_phase(&mut trial)[0], "turn 2 fire");
    assert_eq!(turn_phase_and_side(&trial), (2, Some(0), "fire".to_owned()));
    assert_eq!(trial.referee.side_to_move(&trial.table), None);
    // Fire is one step, and marching is one step for each side.
    assert_eq!(trial.referee.steps_of_turn(&trial.table), 3);
}

#[test]
fn a_phase_that_is_passed_over_runs_nothing() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("state.calm", "yes");
    trial.set_attribute("state.waits", "red");
    let told =
        ["turn 1 fire skipped", "turn 1 march red skipped", "turn 1 march blue", "blue marches"];
    assert_eq!(next_phase(&mut trial), told);
    assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
    // The last side of the turn waits, so the next turn begins.
    trial.set_attribute("state.waits", "blue");
    let skipped = ["turn 2 fire skipped", "turn 2 march red", "red marches"];
    assert_eq!(next_phase(&mut trial), skipped);
    let both_skipped =
        ["turn 2 march blue skipped", "turn 3 fire skipped", "turn 3 march red", "red marches"];
    assert_eq!(next_phase(&mut trial), both_skipped);
}

#[test]
fn a_turn_in_which_all_is_passed_over_ends_with_its_last_phase() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("state.calm", "yes");
    trial.set_attribute("state.still", "yes");
    let skipped = |turn: i64| {
        ["fire", "march red", "march blue"].map(|phase| format!("turn {turn} {phase} skipped"))
    };
    assert_eq!(next_phase(&mut trial), skipped(1));
    assert_eq!(turn_phase_and_side(&trial), (1, Some(1), "march".to_owned()));
    assert_eq!(next_phase(&mut trial), skipped(2));
    assert_eq!(turn_phase_and_side(&trial), (2, Some(1), "march".to_owned()));
}

#[test]
fn reminders_are_asked_one_after_the_other() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("state.still", "yes");
    let told = next_phase(&mut trial);
    assert_eq!(told[2..], ["remember one", "remember two", "remember three"]);
}

#[test]
fn what_is_left_of_a_title_stands_in_one_line() {
    let mut trial = Trial::set_up(RULES);
    let left = |of: &Trial| -> Vec<(String, bool)> {
        let left = of.referee.unfinished_business(&of.table).unwrap();
        left.iter().map(|business| (business.in_words(), business.warns)).collect()
    };
    assert_eq!(left(&trial), []);
    next_phase(&mut trial);
    assert_eq!(left(&trial), [("ann, bob (to fire)".to_owned(), true)]);
    trial.set_attribute("bob.out", "yes");
    trial.set_attribute("bob.hits", "1");
    let both = [("ann, not bob (to fire)".to_owned(), true), ("bob is hit".to_owned(), false)];
    assert_eq!(left(&trial), both);
}

#[test]
fn a_verb_belongs_to_its_phases() {
    let mut trial = Trial::set_up(RULES);
    let reason = trial.refusal_reason("shoot", &["ann"]);
    assert_eq!(reason, "`shoot` belongs to phase 1, Fire and smoke, but this is the set-up");
    assert_eq!(trial.call_rule("rest", &["ann"])[1], "zzz");
    next_phase(&mut trial);
    assert_eq!(trial.call_rule("shoot", &["ann"])[1], "bang");
    next_phase(&mut trial);
    let outside = trial.refusal_reason("shoot", &["ann"]);
    assert!(
        outside.ends_with("but this is phase 2, march") || outside.ends_with("phase 2, March"),
        "{outside}"
    );
    trial.insist = true;
    assert_eq!(trial.call_rule("shoot", &["ann"])[2], "bang");
}

#[test]
fn a_game_is_put_into_a_phase_without_running_it() {
    let trial = Trial::set_up(RULES);
    let mut table = trial.table.clone();
    trial.referee.put_into_phase(&mut table, "march");
    assert_eq!(
        (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
        (1, Some(1))
    );
    assert_eq!(trial.referee.side_to_move(&table), None);
    trial.referee.put_into_phase(&mut table, "fire");
    assert_eq!(
        (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
        (1, Some(0))
    );
    trial.referee.put_into_phase(&mut table, "tea");
    assert_eq!(
        (trial.referee.turn_number(&table), trial.referee.phase_index(&table)),
        (1, Some(0))
    );
}

#[test]
fn a_game_without_phases_does_not_go_on() {
    let mut trial = Trial::set_up("[kind.man]\n[scenario.one.pieces.man]\nann = {}\n");
    let refused = trial.act(&crate::referee::Action::Next).unwrap_err();
    assert_eq!(refused.to_string(), "this game has no phases");
}

#[test]
fn a_phase_that_is_begun_by_itself_tells_whether_it_was_passed_over() {
    let mut trial = Trial::set_up(RULES);
    let begin = |of: &mut Trial, index: usize, following: Successor| {
        let inputs = Inputs::without_dice();
        let schema = &of.referee.ruleset.schema;
        let machine = &mut of.referee.new_machine();
        let host = &mut Recorder::new(schema, &inputs);
        let referee = &of.referee;
        let table = &mut of.table;
        let mut run = RuleRun { referee, machine, table, host };
        if following == Successor::NextSide {
            assert_eq!(run.leave_phase(index, Period::Phase).unwrap(), following);
        }
        run.begin_phase(index, following).unwrap()
    };
    assert!(begin(&mut trial, 0, Successor::Phase(0)));
    // One side after the other, until none has a turn left.
    assert!(begin(&mut trial, 1, Successor::Phase(1)));
    assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("red"));
    assert!(begin(&mut trial, 1, Successor::NextSide));
    assert_eq!(trial.referee.side_to_move(&trial.table).as_deref(), Some("blue"));
    assert_eq!(trial.referee.turn_number(&trial.table), 1);
    trial.set_attribute("state.calm", "yes");
    assert!(!begin(&mut trial, 0, Successor::Phase(0)));
    // For the first side, the phase is skipped.
    trial.set_attribute("state.waits", "red");
    assert!(!begin(&mut trial, 1, Successor::Phase(1)));
}

const ROUNDS: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[state]
trap = { one_of = ["none", "do", "done", "fire", "line", "last"] }
idle = { one_of = "army" }
idles = { flag = true }
[kind.man]
plural = "men"
side = { one_of = "army" }
[rule.fall]
usage = "fall <who:man>"
after = 'stumble(who); say "never"'
[rule.stumble]
takes = "who: man"
after = 'each m in men { say "{m} is down"; if m = who { end turn } }'
[rule.rout]
usage = "rout"
phases = ["bound"]
after = 'end turn for all'
[rule.halt]
usage = "halt"
after = 'if state.side = red { end phase }; end phase for all'
[[phase]]
name = "dawn"
do = 'if state.trap = do { end phase }'
end = 'say "dawn ends"'
[[phase]]
name = "march"
skip = 'state.idles and state.side = state.idle'
end = 'say "march ends"; if state.trap = done { end turn }'
remind = ["keep step"]
[[phase]]
name = "fire"
do = 'if state.trap = fire { end phase }; say "ready"'
[[phase]]
name = "dusk"
by = "side"
[[round]]
name = "bound"
by = "side"
order = 'if state.side = blue then 1 else 2'
phases = ["march", "fire"]
remind = ["a new bound"]
[[watch]]
each = 'm in men where m.side = state.side'
say = "{m} is up"
phases = ["bound"]
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "blue" }
"#;

#[test]
fn each_side_plays_through_the_phases_of_a_round() {
    let mut trial = Trial::set_up(ROUNDS);
    let mut turn = Vec::new();
    for _ in 0..8 {
        let mut told = next_phase(&mut trial);
        told.retain(|line| !line.ends_with(" ends") && line != "ready");
        turn.push(told.join(" / "));
    }
    let expected = [
        "turn 1 dawn",
        "turn 1 march blue / remember a new bound / remember bob is up / remember keep step",
        "turn 1 fire blue",
        "turn 1 march red / remember a new bound / remember ann is up / remember keep step",
        "turn 1 fire red",
        "turn 1 dusk red",
        "turn 1 dusk blue",
        "turn 2 dawn",
    ];
    assert_eq!(turn, expected);
    assert_eq!(trial.referee.steps_of_turn(&trial.table), 7);
}

/// Calls a rule in the march of the first side, and returns the events, without changes of the
/// state and reminders.
fn led_to(trap: &str, line: (&str, &[&str])) -> Vec<String> {
    let mut trial = Trial::set_up(ROUNDS);
    next_phase(&mut trial);
    next_phase(&mut trial);
    trial.set_attribute("state.trap", trap);
    let mut told = trial.call_rule(line.0, line.1);
    told.retain(|line| !line.starts_with("state.") && !line.starts_with("remember"));
    told
}

#[test]
fn the_end_of_a_turn_is_that_of_the_side_to_move() {
    let told = led_to("none", ("fall", &["bob"]));
    let lines = ["ann is down", "bob is down", "march ends", "turn 1 march red"].map(str::to_owned);
    // A call has a line for its beginning and a line for its end.
    assert!(told.ends_with(&lines[2..]) && told.contains(&lines[1]), "{told:?}");
    assert!(!told.iter().any(|line| line == "never"), "{told:?}");
    let all = led_to("none", ("rout", &[]));
    assert!(all.ends_with(&["turn 2 dawn".to_owned()]), "{all:?}");
    assert!(all.contains(&lines[2]), "{all:?}");
}

#[test]
fn the_end_of_a_phase_leads_to_the_next_of_the_round() {
    let told = led_to("none", ("halt", &[]));
    let lines = ["march ends", "turn 1 fire blue", "ready"].map(str::to_owned);
    assert!(told.ends_with(&lines), "{told:?}");
    // `fire` ends as it begins, so the other side marches.
    let short = led_to("fire", ("halt", &[]));
    let lines = ["march ends", "turn 1 fire blue", "turn 1 march red"].map(str::to_owned);
    assert!(short.ends_with(&lines), "{short:?}");
    // The statements at the end of a phase may end the turn.
    let turn = led_to("done", ("halt", &[]));
    let lines = ["march ends", "turn 1 march red"].map(str::to_owned);
    assert!(turn.ends_with(&lines), "{turn:?}");
}

#[test]
fn a_phase_that_all_sides_play_in_turn_ends_for_one_or_for_all() {
    let ended = |times: usize, rule: &str| {
        let mut trial = Trial::set_up(ROUNDS);
        for _ in 0..times {
            next_phase(&mut trial);
        }
        let mut told = trial.call_rule(rule, &[]);
        told.retain(|line| line.starts_with("turn "));
        told
    };
    // Red's dusk, then blue's.
    assert_eq!(ended(6, "halt"), ["turn 1 dusk blue"]);
    assert_eq!(ended(7, "halt"), ["turn 2 dawn"]);
    assert_eq!(ended(1, "halt"), ["turn 1 march blue"]);
}

#[test]
fn a_phase_that_ends_at_once_ends_before_its_reminders() {
    let mut trial = Trial::set_up(ROUNDS);
    trial.set_attribute("state.trap", "do");
    let told = next_phase(&mut trial);
    assert_eq!(told[..3], ["turn 1 dawn", "dawn ends", "turn 1 march blue"]);
}

#[test]
fn a_side_that_skips_a_phase_of_its_round_plays_the_next() {
    let mut trial = Trial::set_up(ROUNDS);
    trial.set_attribute("state.idles", "yes");
    trial.set_attribute("state.idle", "blue");
    next_phase(&mut trial);
    let told = next_phase(&mut trial);
    let lines = [
        "turn 1 march blue skipped",
        "turn 1 fire blue",
        "ready",
        "remember a new bound",
        "remember bob is up",
    ];
    assert_eq!(told[told.len() - 5..], lines);
}

#[test]
fn phases_that_all_end_at_once_do_not_go_on_for_ever() {
    let rules = "[kind.man]\n[[phase]]\nname = \"a\"\ndo = 'end turn'\n[[phase]]\nname = \"b\"\n\
                 [scenario.one.pieces.man]\nann = {}\n";
    let mut trial = Trial::set_up(rules);
    let told = next_phase(&mut trial);
    assert_eq!(told, ["turn 1 a", "turn 2 a", "turn 3 a", "turn 4 a"]);
}

#[test]
fn no_phase_ends_in_the_set_up() {
    let mut trial = Trial::set_up(ROUNDS);
    assert_eq!(trial.refusal_reason("halt", &[]), "no phase has begun, so none can end");
    let reason = trial.refusal_reason("rout", &[]);
    assert_eq!(reason, "`rout` belongs to phase 2, march or phase 3, fire, but this is the set-up");
}

#[test]
fn what_must_not_be_forgotten_is_listed_in_any_phase_and_remembered_in_its_own() {
    let mut trial = Trial::set_up(RULES);
    let listed = |trial: &Trial| {
        let all = trial.referee.watch_list(&trial.table).unwrap();
        all.iter().map(|item| item.in_words()).collect::<Vec<_>>().join(" / ")
    };
    assert_eq!(listed(&trial), "");
    trial.set_attribute("bob.hits", "2");
    trial.set_attribute("ann.hits", "1");
    assert_eq!(listed(&trial), "ann, bob (hurt)");
    assert!(!next_phase(&mut trial).iter().any(|told| told.contains("nobody sees")));
    trial.set_attribute("state.dark", "yes");
    assert_eq!(listed(&trial), "ann, bob (hurt) / nobody sees");
    // Both sides march.
    next_phase(&mut trial);
    next_phase(&mut trial);
    let told = next_phase(&mut trial).join(" / ");
    assert!(told.contains("nobody sees") && !told.contains("hurt"), "{told}");
}
