//! Tests of lines that need the line before them, and of lines that ask for nothing in the game.

use super::conversation::{played_on_one_line, played_with};

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[words.weather]
values = ["calm", "stormy"]
[words.from]
values = ["north", "west"]
[state]
sky = { one_of = "weather" }
breeze = { one_of = "from" }
[kind.man]
plural = "men"
marker = "man"
side = { one_of = "army" }
tired = { flag = true }
hits = { from = 0, to = 99 }
[sides]
are = "army"
[rule.shoot]
title = "Shoot"
usage = "shoot <who:man> at <target:man> range <inches:1..60> [rapid]"
phases = ["fight"]
require = [{ that = 'who.side != target.side', because = "they are friends" }]
after = 'target.hits += 1'
[rule.throw]
title = "Throw a stone"
usage = "throw <who:man> at <target:man> range <inches:1..60>"
phases = ["fight"]
require = [{ that = 'not who.tired', because = "{who} is tired" }]
[rule.sky]
usage = "sky"
phases = ["fight"]
after = 'state.sky = calm'
[[phase]]
name = "fight"
verbs = ["shoot", "throw", "sky"]
[scenario.one.pieces.man]
ann = { side = "red", tired = true }
bob = { side = "blue" }
carl = { side = "blue" }
dora = { side = "red" }
"#;

fn commands(lines: &[&str]) -> Vec<String> {
    played_with(RULES, lines).0
}

#[test]
fn what_a_line_lacked_may_follow_it() {
    assert_eq!(commands(&["ann shoots at bob", "range 11", "yes"]), ["shoot ann at bob range 11"]);
    assert_eq!(commands(&["shoot ann", "at bob range 9", "yes"]), ["shoot ann at bob range 9"]);
    // Nothing is completed with a line of its own.
    assert_eq!(commands(&["ann shoots at bob", "set dora.tired yes"]), ["set dora.tired yes"]);
}

#[test]
fn another_act_takes_the_target_of_the_refused_one() {
    let lines = ["throw ann at bob range 9", "ann shoots instead", "yes"];
    assert_eq!(commands(&lines), ["shoot ann bob 9"]);
}

#[test]
fn a_line_that_takes_itself_back_does_nothing() {
    for line in ["shoot ann at bob range 9.. no wait", "shoot ann at bob range 9, never mind"] {
        let (done, shown) = played_with(RULES, &[line]);
        assert!(done.is_empty() && shown.contains("takes itself back"), "{shown}");
    }
    // A note may end with these words.
    assert_eq!(commands(&["note bob fell, never mind"]), ["note bob fell, never mind"]);
}

#[test]
fn a_statement_about_the_state_goes_before_a_verb_of_the_same_name() {
    let lines = ["sky is stormy from the west", "yes", "yes"];
    assert_eq!(commands(&lines), ["set state.sky stormy", "set state.breeze west"]);
    // With a piece in front, the value isn't about the sky.
    let (done, _) = played_with(RULES, &["ruling: ann stands calm", "yes"]);
    assert!(!done.iter().any(|line| line.starts_with("set state")), "{done:?}");
}

#[test]
fn a_command_may_be_left_out_by_its_number_with_the_reason_after_it() {
    let lines = ["shoot ann at bob range 9", "shoot dora at carl range 9", "scratch 2, ann slept"];
    let (_, shown) = played_on_one_line(RULES, &lines);
    assert!(shown.contains("amend 2 note left out"), "{shown}");
}

#[test]
fn one_more_piece_in_a_rest_does_the_same_and_is_not_shown() {
    let lines = ["ann shoots bob range 9, dora too", "yes", "yes"];
    assert_eq!(commands(&lines), ["shoot ann bob range 9", "shoot dora bob range 9"]);
    let changed = ["shoot ann at bob range 9", "dora too, 12 inches", "yes"];
    assert_eq!(commands(&changed)[1..], ["shoot dora at bob range 12"]);
}

#[test]
fn lines_about_the_end_and_other_dice_are_answered() {
    let (_, ends) = played_on_one_line(RULES, &["red gives up, game over"]);
    assert!(ends.contains("`quit` leaves the game"), "{ends}");
    let (_, report) = played_on_one_line(RULES, &["battle report please"]);
    assert!(report.contains("--format report"), "{report}");
    let (_, dice) = played_on_one_line(RULES, &["shoot ann at bob range 9", "reroll"]);
    assert!(dice.contains("what was rolled or drawn stands"), "{dice}");
    let (_, moves) = played_on_one_line(RULES, &["dora advances 5"]);
    assert!(moves.contains("don't keep where the pieces stand"), "{moves}");
}

#[test]
fn a_number_of_shots_is_no_distance() {
    // The 3 isn't the range, which the line then lacks.
    let (done, shown) = played_with(RULES, &["ann shoots bob, 3 shots", "yes"]);
    assert!(done.is_empty() && shown.contains("`3 shots`"), "{shown}");
}

#[test]
fn several_details_may_be_added_to_a_proposal() {
    let lines = ["ann shoots bob range 9 wildly", "range 12, rapid", "yes"];
    assert_eq!(commands(&lines), ["shoot ann bob range 12 rapid"]);
}

/// The same game with a third red man, whose name has a hyphen.
fn with_third_man(lines: &[&str]) -> (Vec<String>, String) {
    let rules = RULES.replace("dora =", "big-bert = { side = \"red\" }\ndora =");
    played_with(&rules, lines)
}

#[test]
fn a_name_with_a_hyphen_may_be_typed_as_two_words() {
    let (done, shown) = with_third_man(&["shoot big bert at bob range 9", "yes"]);
    assert_eq!(done, ["shoot big-bert at bob range 9"], "{shown}");
}

#[test]
fn several_others_do_the_same_one_after_another() {
    let lines = ["ann shoots at bob range 9, dora and big-bert too", "yes", "yes", "yes"];
    let (done, shown) = with_third_man(&lines);
    let all = ["ann", "dora", "big-bert"].map(|man| format!("shoot {man} at bob range 9"));
    assert_eq!(done, all, "{shown}");
}

#[test]
fn a_side_may_be_called_before_anybody_moves() {
    assert_eq!(commands(&["blue moves", "yes", "next"]), ["next"]);
}

#[test]
fn the_reason_against_a_completed_line_is_given() {
    let (done, shown) = played_on_one_line(RULES, &["ann throws at bob", "range 11"]);
    assert!(done.is_empty() && shown.contains("ann is tired"), "{shown}");
}
