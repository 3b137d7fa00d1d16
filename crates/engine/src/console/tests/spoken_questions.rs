//! Tests of questions about values and possible actions, of statements about values, of messages, and
//! of pieces that are called by what they are.

use super::conversation::played_with;

const RULES: &str = r#"
[option.fog-on-the-river]
title = "There is fog"
default = true
[words.army]
values = ["red", "blue"]
[words.float]
values = ["afloat", "aground", "sunk"]
[list.craft]
columns = ["title", "crew"]
crew = { from = 1, to = 20 }
[list.craft.rows]
row-boat = ["Green punt, small", 4]
sail-boat-old = ["Lugger", 6]
[kind.boat]
prefix = "b"
plural = "boats"
marker = "boat"
side = { one_of = "army" }
craft = { of = "craft" }
leaks = { from = 0, to = 9, also = ["leaking"] }
ducked = { flag = true }
trim = { one_of = "float" }
hull = { one_of = "float" }
fired = { flag = true }
[kind.runner]
plural = "runners"
marker = "man"
side = { one_of = "army" }
aboard = { of = "boat" }
[kind.note]
plural = "notes"
marker = "slip"
says = { text = true }
[rule.row]
usage = "row <who:boat> <steps:1..9>"
phases = ["river"]
[rule.throw]
usage = "throw <who:boat> at <target:boat> [lobbed]"
also = ["pelt"]
phases = ["river"]
require = [
  { that = 'who.side != target.side', because = "{who} and {target} are friends" },
  { that = 'not who.fired', because = "{who} has thrown this turn" },
]
roll = "1d6"
needs = ">= 4"
pass = 'target.leaks += 1'
after = 'who.fired = true'
[rule.board]
usage = "board <boat:boat> with <who:runner>"
also = ["get in"]
phases = ["river"]
after = 'who.aboard = boat'
[rule.bail]
usage = "bail <boat:boat> <buckets:1..9>"
also = ["bail out"]
phases = ["river"]
after = 'boat.leaks = max(0, boat.leaks - buckets)'
[rule.omen]
usage = "omen"
phases = ["river"]
after = 'say "a heron"'
[rule.bearings]
usage = "bearings <boat:boat>"
title = "Who can be seen"
phases = ["river"]
after = 'say "{boat} sees the bank"'
[rule.send]
usage = "send <text:text> to <whom:boat> by <runner:runner>"
phases = ["river"]
after = 'say "{runner} runs to {whom}: {text}"'
[rule.send-home]
usage = "send <text:text> to headquarters by <runner:runner>"
phases = ["river"]
after = 'say "{runner} runs home: {text}"'
[rule.grapple]
usage = "grapple <who:boat> with <target:boat>"
title = "Fight hand to hand"
phases = ["boarding"]
[sides]
are = "army"
[[phase]]
name = "river"
verbs = ["row", "throw", "board", "bail", "bearings", "send", "omen"]
[[phase]]
name = "boarding"
verbs = ["grapple"]
[scenario.one.pieces.boat]
b1 = { side = "red", craft = "row-boat", trim = "afloat", hull = "afloat", leaks = 2 }
b2 = { side = "red", craft = "sail-boat-old", trim = "afloat", hull = "afloat" }
gull = { side = "blue", craft = "sail-boat-old", trim = "afloat", hull = "afloat" }
[scenario.one.pieces.runner]
ned = { side = "red" }
"#;

/// Returns the commands after the first `next`, and everything that was shown.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

#[test]
fn a_name_that_no_piece_has_is_reported_before_anything_else() {
    let (commands, shown) = played(&["b7 leaks 2", "yes"]);
    assert!(commands.is_empty(), "{commands:?}");
    assert!(shown.contains("there is no boat called `b7`"), "{shown}");
    assert!(shown.contains("there are `b1`, `b2`"), "{shown}");
    let (_, shown) = played(&["k4 rows 2"]);
    assert!(shown.contains("there is no `k4`"), "{shown}");
}

#[test]
fn a_question_about_a_value_is_answered_with_the_value() {
    for (question, answer) in [
        ("how many leaks has b1", "b1: leaks 2"),
        ("is b1 leaking?", "b1: leaks 2"),
        ("is b1 ducked", "b1: ducked no"),
        ("what's gull's trim", "gull: trim afloat"),
        ("what craft is b2", "b2: craft sail-boat-old"),
    ] {
        let (commands, shown) = played(&[question]);
        assert!(commands.is_empty() && shown.contains(answer), "{question}: {shown}");
    }
    // Other words ask for more than a value.
    let (_, shown) = played(&["how many leaks has b1 had on fire"]);
    assert!(!shown.contains("b1: leaks"), "{shown}");
}

#[test]
fn whether_a_piece_can_act_is_answered_with_the_reason() {
    for question in ["can b1 still throw", "b1 can throw?", "is b1 able to throw at gull"] {
        let (_, shown) = played(&[question]);
        assert!(shown.contains("yes") && shown.contains("throw b1 at gull"), "{question}: {shown}");
        let (_, shown) = played(&["dice auto", "throw b1 at gull", question]);
        assert!(shown.contains("b1 has thrown this turn"), "{question}: {shown}");
    }
    // Without a target in the question, the reason isn't that a friend was tried.
    let (_, shown) = played(&["dice auto", "throw b1 at gull", "can b1 throw anything"]);
    assert!(!shown.contains("friends"), "{shown}");
}

#[test]
fn who_can_act_may_be_asked_of_one_side() {
    let (_, shown) = played(&["are there any red boats who can throw"]);
    assert!(shown.contains("these can throw now: b1, b2;"), "{shown}");
}

#[test]
fn a_question_about_a_possible_action_shows_its_odds() {
    let (commands, shown) = played(&["what happens if b1 throws at gull"]);
    assert!(commands.is_empty(), "{commands:?}");
    assert!(shown.contains("odds of throw b1 at gull") && shown.contains("50.0%"), "{shown}");
}

#[test]
fn a_question_may_be_answered_by_a_verb_that_only_looks() {
    let (_, shown) = played(&["what bears on gull"]);
    assert!(shown.contains("gull sees the bank"), "{shown}");
    // A verb that does something is never carried out for a question.
    assert!(played(&["what boards b1"]).0.is_empty());
}

#[test]
fn whose_turn_it_is_is_said() {
    let (_, shown) = played(&["whose go is it"]);
    assert!(shown.contains("isn't the turn of one side"), "{shown}");
}

#[test]
fn a_statement_about_a_value_sets_it() {
    for (statement, line) in [
        ("gull ducks", "set gull.ducked yes"),
        ("b1 has 3 leaks", "set b1.leaks 3"),
        ("b1 no leaks", "set b1.leaks 0"),
        ("b1 isn't leaking", "set b1.leaks 0"),
        ("the leaks at b1 are 4 now", "set b1.leaks 4"),
        ("gull should be ducked", "overrule gull.ducked yes: umpire's ruling"),
    ] {
        assert_eq!(played(&[statement, "yes"]).0, [line], "{statement}");
    }
    // Two attributes can have this value.
    let (commands, _) = played(&["gull should be sunk", "2"]);
    assert_eq!(commands, ["overrule gull.hull sunk: umpire's ruling"]);
    let (_, shown) = played(&["gull isn't ducked"]);
    assert!(shown.contains("gull.ducked is already `no`"), "{shown}");
}

#[test]
fn messages_are_sent_as_they_are_spoken() {
    for line in [
        "ned runs to b2, tell him to come back",
        "ned takes a note to b2 saying come back",
        "message for b2: come back, carried by ned",
        "ned to b2 with a message 'come back'",
    ] {
        assert_eq!(played(&[line, "yes"]).0, ["send come back to b2 by ned"], "{line}");
    }
    let (commands, _) = played(&["message to headquarters: more men, by ned", "yes"]);
    assert_eq!(commands, ["send more men to headquarters by ned"]);
    // Somebody who isn't on the table gets no message, and one without a text isn't sent.
    assert!(played(&["ned runs to Frank with a message come back", "yes"]).0.is_empty());
    assert!(played(&["ned takes a message to b2", "yes"]).0.is_empty());
}

#[test]
fn the_words_of_a_verb_may_stand_around_its_object() {
    assert_eq!(played(&["bail b1 out 2", "yes"]).0, ["bail b1 2"]);
    assert_eq!(played(&["put ned in b1", "yes"]).0, ["board b1 ned"]);
}

#[test]
fn pieces_are_called_by_the_rows_of_their_lists() {
    for name in ["rowboat", "row boat", "rowbaot", "green punt", "greenpunt"] {
        assert_eq!(played(&[&format!("{name} rows 2"), "yes"]).0, ["row b1 2"], "{name}");
    }
    // Two boats are of the other type.
    assert!(played(&["sailboat rows 2", "yes"]).0.is_empty());
}

#[test]
fn a_phase_is_called_by_the_title_of_its_only_rule() {
    let (commands, _) = played(&["row b1 1", "hand to hand", "yes"]);
    // The session records the phase that follows anyway as `next`.
    assert_eq!(commands, ["row b1 1", "next"]);
}

#[test]
fn a_roll_for_something_names_the_rules_about_it() {
    let (_, shown) = played(&["roll for the grapple"]);
    assert!(shown.contains("`rule grapple`") && shown.contains("`next` rolls"), "{shown}");
}

#[test]
fn a_row_of_a_list_is_shown_for_a_question_about_it() {
    let (_, shown) = played(&["how many crew has a lugger", "what crew has a sail-boat-old"]);
    assert!(shown.contains("sail-boat-old: title Lugger, crew 6"), "{shown}");
}

#[test]
fn an_option_is_turned_off_by_a_word_of_its_name() {
    for line in ["no fog tonight", "fog on the river off", "turn the fog off"] {
        assert_eq!(played(&[line, "yes"]).0, ["option fog-on-the-river no"], "{line}");
    }
}

#[test]
fn the_piece_that_acts_may_come_last() {
    assert_eq!(played(&["row 3, b2", "yes"]).0, ["row b2 3"]);
    assert_eq!(played(&["3 steps for b2", "yes"]).0, ["row b2 3"]);
    assert_eq!(played(&["dice auto", "pelt gull with b2", "yes"]).0, ["throw b2 gull"]);
}

#[test]
fn words_that_are_denied_or_add_nothing_are_left_out() {
    let (commands, _) = played(&["dice auto", "b1 throws at gull, not lobbed", "yes"]);
    assert_eq!(commands, ["throw b1 at gull"]);
    assert_eq!(played(&["b1 boat rows 2", "yes"]).0, ["row b1 2"]);
}

#[test]
fn a_later_act_of_the_same_piece_is_not_dropped() {
    let (commands, _) = played(&["b1 rows 2, bails 1", "yes", "yes"]);
    assert_eq!(commands, ["row b1 2", "bail b1 1"]);
}

#[test]
fn a_verb_that_is_drawn_needs_no_piece() {
    assert_eq!(played(&["turn over another omen", "yes"]).0, ["omen"]);
}

#[test]
fn dice_may_be_the_players_for_one_verb() {
    let (_, shown) = played(&["physical dice for the throw", "throw b1 at gull", "4, a hit", ""]);
    assert!(shown.contains("the players roll the dice for `throw`"), "{shown}");
    assert!(shown.contains("read as `4`"), "{shown}");
    // Enter accepts the face, even if the terminal doesn't show it in the line.
    assert!(shown.contains("[4]"), "{shown}");
}

#[test]
fn who_has_not_acted_is_listed() {
    let (_, shown) = played(&["who's not acted yet this turn"]);
    assert!(shown.contains("its commands: `row`, `throw`"), "{shown}");
}

#[test]
fn a_proposal_is_accepted_or_discarded_in_other_words() {
    assert_eq!(played(&["rwo b1 2", "thats it"]).0, ["row b1 2"]);
    assert_eq!(played(&["rwo b1 2", "row!"]).0, ["row b1 2"]);
    assert_eq!(
        played(&["row b2 1", "rwo b1 2", "forget it. rwo b1 3", "yes"]).0,
        ["row b2 1", "row b1 3"]
    );
    assert_eq!(played(&["rwo b1 2", "no, only one", "yes"]).0, ["row b1 1"]);
}

#[test]
fn what_did_nothing_is_given_up_without_undoing_the_command_before() {
    let (commands, shown) = played(&["row b2 1", "b1 frobnicates", "forget it"]);
    assert_eq!(commands, ["row b2 1"]);
    assert!(shown.contains("nothing is undone"), "{shown}");
    assert!(played(&["row b2 1", "forget it"]).0.is_empty());
}

#[test]
fn getting_on_with_this_phase_goes_nowhere() {
    assert_eq!(played(&["row b2 1", "let's get rowing", "yes"]).0, ["row b2 1"]);
    assert_eq!(played(&["row b2 1", "let's get grappling", "yes"]).0, ["row b2 1", "next"]);
}

#[test]
fn letters_that_change_their_length_in_lower_case_do_no_harm() {
    // The Kelvin sign is shorter in lower case, and the dotted capital I is longer.
    for line in [
        "b1 boat\u{212a}, rows 2",
        "b1 \u{212a}boat",
        "message for b2: \u{130}\u{212a} come bac\u{212a}, by ned",
        "\u{130}\u{212a}\u{130} ned to b2 with a message co\u{212a}me",
        "put the \u{212a} out, ned",
        "\u{212a}9 rows 2",
        "no, only \u{130}\u{212a} one",
        "take 2 off \u{212a}1",
        "2 \u{212a} for b1",
        "b1: they \u{212a} row 2",
    ] {
        played(&[line, "no"]);
        played(&["rwo b1 2", line, "no", "no"]);
    }
}
