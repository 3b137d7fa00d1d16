//! Tests of lines in which one piece takes several steps, of lines that leave out what the last command had, and
//! of words that no proposal may drop.

use super::conversation::{Typist, played_on_one_line};

/// Ships that sail as plotted: some hexes ahead, a turn, and more hexes. Kites take one step at a time.
const RULES: &str = r#"
[words.flag]
values = ["red", "blue"]
[words.order]
values = ["ahead", "left", "right"]
also = { port = "left", starboard = "right" }
[kind.ship]
plural = "ships"
marker = "ship"
side = { one_of = "flag" }
hits = { from = 0, to = 9 }
course = { from = 0, to = 9 }
[kind.kite]
plural = "kites"
marker = "kite"
side = { one_of = "flag" }
turned = { flag = true, title = "turned" }
[rule.plot]
usage = "plot <ship:ship> <far:0..5> [<helm:order>] [<more:0..5>]"
default = { helm = 'ahead', more = '0' }
phases = ["plot"]
require = [{ that = 'far + more <= 5', because = "{ship} makes only 5" }]
after = 'ship.course = far + more'
[rule.rake]
usage = "rake <ship:ship> at <target:ship> [<shots:1..3>]"
default = { shots = '1' }
phases = ["plot"]
require = [{ that = 'ship.side != target.side', because = "{target} is a friend" }]
after = 'target.hits += 1'
[rule.fly]
usage = "fly <kite:kite> <far:1..8>"
phases = ["plot"]
after = 'say "{kite} flies {far}"'
[rule.bank]
usage = "bank <kite:kite> [right]"
also = ["turn", "bank left", "turn left"]
phases = ["plot"]
require = [{ that = 'not kite.turned', because = "{kite} has turned" }]
after = 'kite.turned = true'
[sides]
are = "flag"
[[phase]]
name = "plot"
verbs = ["plot", "rake", "fly", "bank"]
[scenario.one.pieces.ship]
wren = { side = "red" }
swan = { side = "red" }
gull = { side = "blue" }
tern = { side = "blue" }
[scenario.one.pieces.kite]
dot = { side = "red" }
"#;

/// Returns the commands after the first `next`, and everything that was shown.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_on_one_line(RULES, lines)
}

/// Returns the commands that lines lead to.
fn commands(lines: &[&str]) -> Vec<String> {
    played(lines).0
}

#[test]
fn steps_that_a_verb_takes_together_are_one_line() {
    // A turn needs a distance of 0 in front of it.
    assert_eq!(commands(&["wren turns right then 2", "yes"]), ["plot wren 0 right 2"]);
    assert_eq!(
        commands(&["wren turns to starboard, then 2 ahead", "yes"]),
        ["plot wren 0 right 2"]
    );
    assert_eq!(commands(&["wren port 2", "yes"]), ["plot wren 0 left 2"]);
    assert_eq!(commands(&["wren goes 1, then left and 3", "yes"]), ["plot wren 1 left 3"]);
    assert_eq!(commands(&["wren tacks left and goes 2", "yes"]), ["plot wren 0 left 2"]);
}

#[test]
fn steps_that_would_be_refused_together_are_not_divided() {
    let (done, shown) = played(&["wren goes 3, then left and 3", "yes"]);
    assert_eq!(done, [""; 0]);
    assert!(shown.contains("wren makes only 5"), "{shown}");
}

#[test]
fn other_steps_follow_one_by_one_and_none_is_dropped() {
    let (done, shown) = played(&["dot right then 6", "yes", "yes"]);
    assert_eq!(done, ["bank dot right", "fly dot 6"]);
    assert!(shown.contains("then comes `dot 6`"), "{shown}");
    // The words of sailors mean the same where the rules don't know them.
    let rules = RULES.replace(r#"also = { port = "left", starboard = "right" }"#, "");
    let mut typist = Typist::playing(&rules);
    let done = typist.types(&["next", "dot swings to starboard and flies 3", "yes"]).commands();
    assert_eq!(done[1..], ["bank dot right"], "{}", typist.shown());
    // Nothing stands between these two.
    assert_eq!(commands(&["dot left 6", "yes", "yes"]), ["bank dot", "fly dot 6"]);
    let (done, shown) = played(&["dot banks right then 2 forward and dives", "yes", "yes"]);
    assert_eq!(done, ["bank dot right", "fly dot 2"]);
    assert!(shown.contains("not done: `dot dives`"), "{shown}");
}

#[test]
fn a_turn_is_never_dropped() {
    let (_, shown) = played(&["dot goes right for a bit"]);
    assert!(shown.contains("bank dot right") && !shown.contains("bank dot:"), "{shown}");
}

#[test]
fn a_line_without_an_actor_repeats_the_last_command_with_its_own_words() {
    let first = "rake wren at gull";
    assert_eq!(commands(&[first, "again at tern", "yes"]), [first, "rake wren at tern"]);
    assert_eq!(commands(&[first, "and then at tern", "yes"]), [first, "rake wren at tern"]);
    let (done, shown) = played(&["bank dot right", "and again right", "yes"]);
    assert_eq!(done, ["bank dot right"]);
    assert!(shown.contains("dot has turned"), "{shown}");
    // Nobody rakes a friend.
    let (done, shown) = played(&[first, "again at swan"]);
    assert_eq!(done, [first]);
    assert!(!shown.contains("1 rake wren at swan"), "{shown}");
}

#[test]
fn a_correction_may_turn_the_other_way() {
    let left = commands(&["bank dot right", "oops left", "yes"]);
    assert_eq!(left, ["bank dot"]);
    let steps = commands(&["plot wren 2 right", "no, left then 3", "yes"]);
    assert_eq!(steps, ["plot wren 0 left 3"]);
    let answered = commands(&["wren goes 2", "no, left then 3", "yes"]);
    assert_eq!(answered, ["plot wren 0 left 3"]);
    // Nothing is being asked.
    let (done, shown) = played(&["plot wren 2", "no, just the first one", "yes"]);
    assert_eq!(done, ["plot wren 2"]);
    assert!(shown.contains("`undo` undoes it"), "{shown}");
}

#[test]
fn a_correction_with_the_verb_of_the_last_command_passes_over_a_refused_line() {
    let done = commands(&["plot wren 3", "rake wren at swan", "sorry, wren only plotted 2", "yes"]);
    assert_eq!(done, ["plot wren 2"]);
}
