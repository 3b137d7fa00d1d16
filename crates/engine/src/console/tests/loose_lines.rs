//! Tests of lines with words that a command has no place for: the goal of a movement, `both` after a list,
//! `too`, and what the umpire says after the odds of a command.

use super::conversation::played_with;

const RULES: &str = r#"
[words.side]
values = ["red", "blue"]
[sides]
are = "side"
[kind.man]
plural = "men"
marker = "man"
side = { one_of = "side" }
grenades = { from = 0, to = 9, start = 2 }
gone = { from = 0, to = 99 }
[kind.crate]
marker = "crate"
[rule.move]
usage = "move <who:man> <inches:1..9>"
phases = ["fight"]
after = 'who.gone += inches'
[rule.shoot]
usage = "shoot <who:man> at <foe:man> [range <range:1..60>]"
default = { range = '9' }
phases = ["fight"]
require = [{ that = 'who.side != foe.side', because = "{foe} is a friend" }]
roll = '1d6'
needs = '>= 4'
label = "{who}"
pass = 'foe.gone += 1'
[rule.fetch]
usage = "fetch <goods:crate>"
phases = ["fight"]
after = 'let who = first m in men where m.side = red; who.gone += 1'
[[phase]]
name = "fight"
verbs = ["move", "shoot", "fetch"]
[[phase]]
name = "close"
by = "side"
verbs = ["move"]
[scenario.one.pieces.crate]
tea = {}
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "red" }
carl = { side = "blue" }
dora = { side = "blue", grenades = 0 }
"#;

fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

#[test]
fn the_goal_of_a_movement_is_left_out() {
    for line in [
        "ann 6 inches towards the wall",
        "ann 6 past carl's post",
        "ann 6 along the hedge to the gate",
    ] {
        let (commands, shown) = played(&[line, "yes"]);
        assert_eq!(commands, ["move ann 6"], "{line}: {shown}");
        assert!(shown.contains("(without `"), "{line}: {shown}");
    }
    let both = ["ann and bob both 6 towards the wall", "yes", "yes"];
    assert_eq!(played(&both).0, ["move ann 6", "move bob 6"]);
}

#[test]
fn a_word_for_the_whole_list_adds_nothing() {
    for line in ["ann and bob both shoot carl", "ann and bob together shoot carl"] {
        let (commands, shown) = played(&[line, "yes", "yes"]);
        assert_eq!(commands, ["shoot ann carl", "shoot bob carl"], "{line}: {shown}");
        assert!(!shown.contains("without"), "{line}: {shown}");
    }
}

#[test]
fn too_after_a_target_is_no_further_command() {
    let typed = ["shoot ann at carl", "and bob shoots carl too", "yes", "yes"];
    let (commands, shown) = played(&typed);
    assert_eq!(commands[1..], ["shoot bob carl"], "{shown}");
    assert!(!shown.contains("carl too`"), "{shown}");
}

#[test]
fn a_question_about_the_chances_of_a_shot_needs_no_verb() {
    for line in ["what are ann's chances on carl at 12", "ann's odds against carl at 12?"] {
        let (_, shown) = played(&[line]);
        assert!(shown.contains("odds shoot ann at carl 12"), "{line}: {shown}");
    }
    // Nobody shoots at a friend.
    let (_, shown) = played(&["what are ann's chances on bob"]);
    assert!(!shown.contains("1  odds"), "{shown}");
}

#[test]
fn what_is_said_after_the_odds_agrees_to_the_command() {
    for line in ["ok do it", "he takes it", "right then, go for it"] {
        let (commands, shown) = played(&["odds shoot ann at carl", line, "yes"]);
        assert_eq!(commands, ["shoot ann at carl"], "{line}: {shown}");
    }
    // Without odds, it agrees to nothing.
    assert!(played(&["he takes it", "yes"]).0.is_empty());
}

#[test]
fn a_question_for_a_value_is_not_about_who_can_act() {
    for line in ["which men still have grenades", "who still has grenades left"] {
        let (_, shown) = played(&["move bob 1", line]);
        // Dora has none.
        assert!(shown.contains("men (3 of 4)"), "{shown}");
        assert!(!shown.contains("left in this phase"), "{shown}");
    }
}

#[test]
fn a_part_of_a_line_may_call_the_other_side() {
    for line in ["that's all for red, blue turn", "ok, blue next"] {
        let (_, shown) = played(&["move bob 1", "next to close", line]);
        assert!(shown.contains("1  next"), "{line}: {shown}");
    }
}

#[test]
fn a_piece_that_the_rules_chose_has_acted() {
    let (_, shown) = played(&["fetch tea", "what has ann done this turn", "has bob done anything"]);
    assert!(shown.contains("ann this turn: 2 `fetch tea`"), "{shown}");
    assert!(shown.contains("bob has not acted this turn"), "{shown}");
}
