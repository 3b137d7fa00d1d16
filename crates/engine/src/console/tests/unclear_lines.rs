//! Tests of lines that can't be read as they stand: about everyone, without an actor, or with no known
//! meaning at all; and of questions about who has acted.

use super::conversation::Typist;

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[kind.post]
plural = "posts"
[kind.man]
plural = "men"
marker = "man"
side = { one_of = "army" }
steps = { from = 0, to = 9 }
hurt = { flag = true, title = "hurt" }
loaded = { flag = true }
[rule.walk]
usage = "walk <who:man+> <inches:1..60>"
title = "March"
phases = ["firefight"]
require = [{ that = 'all m in who: m.steps < 1', because = "he has walked" }]
after = 'each m in who { m.steps = 1 }'
[rule.shoot]
usage = "shoot <who:man> at <target:man> <inches:1..60> [rapid]"
title = "Shoot at an enemy"
phases = ["firefight"]
require = [{ that = 'who.side != target.side', because = "{target} is a friend" }]
after = 'target.hurt = true'
[rule.grab]
usage = "grab <who:man>"
title = "Pick up the flag"
phases = ["firefight"]
require = [{ that = 'who.steps > 0', because = "{who} has not reached the flag" }]
after = 'who.steps += 1'
[rule.rest]
usage = "rest <who:man>"
title = "Rest"
phases = ["rest"]
after = 'who.steps = 0'
[rule.guess]
usage = "guess <who:man>"
phases = ["firefight"]
after = 'who.steps = ask "How many men are visible?" between 0 and 7'
[rule.peek]
usage = "peek <who:man>"
phases = ["firefight"]
after = 'who.steps = ask "How much is visible? 1 head, 2 chest, 5 boots" between 1 and 5'
[rule.toss]
usage = "toss <who:man>"
phases = ["firefight"]
roll = "1d6"
needs = ">= 4"
pass = 'who.steps = 9'
[rule.salute]
usage = "salute <flag:post> with <who:man>"
phases = ["firefight"]
after = 'who.loaded = true'
[rule.setup]
usage = "setup <who:man>"
phases = ["firefight"]
after = 'who.loaded = true'
[sides]
are = "army"
[[phase]]
name = "march"
[[phase]]
name = "firefight"
verbs = ["walk", "shoot", "grab", "guess", "peek", "toss", "setup", "salute"]
[[phase]]
name = "rest"
verbs = ["rest"]
[scenario.one.pieces.post]
gate = {}
[scenario.one.pieces.man]
Anna = { side = "red" }
eve = { side = "red" }
bob = { side = "blue" }
carl = { side = "blue" }
"#;

/// Returns the commands after the second `next`, and everything that was shown.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    let mut typist = Typist::playing(RULES);
    let commands = typist.types(&["next", "next"]).types(lines).commands();
    println!("{lines:?}\n{}\n", typist.shown());
    (commands[2..].to_vec(), typist.shown().to_owned())
}

#[test]
fn a_line_without_a_meaning_lists_what_the_piece_can_do() {
    let (commands, shown) = played(&["walk bob 3", "bob zigzags 5"]);
    assert_eq!(commands, ["walk bob 3"]);
    assert!(shown.contains("bob could do this now"), "{shown}");
    assert!(shown.contains("walk bob 5: refused now: he has walked"), "{shown}");
    assert!(shown.contains("shoot bob at Anna 5: Shoot at an enemy"), "{shown}");
    assert!(shown.contains("grab bob: Pick up the flag"), "{shown}");
}

#[test]
fn a_word_of_a_title_shows_why_the_rule_would_be_refused() {
    let (_, shown) = played(&["bob zooms off with the flag"]);
    let refused = "grab bob: refused now: bob has not reached the flag";
    assert!(shown.contains(refused), "{shown}");
    let at = |text: &str| shown.find(text).expect(text);
    assert!(at("walk bob") < at("grab bob"), "{shown}");
}

#[test]
fn without_a_piece_the_commands_of_the_phase_are_listed() {
    let (_, shown) = played(&["zounds and gadzooks"]);
    assert!(shown.contains("some commands of this phase, firefight"), "{shown}");
    assert!(shown.contains("walk Anna 1: March"), "{shown}");
    assert!(!shown.contains("rest Anna"), "{shown}");
}

#[test]
fn everyone_means_the_pieces_for_which_the_line_is_accepted() {
    assert_eq!(played(&["everybody walks 5", "yes"]).0, ["walk Anna,eve,bob,carl 5"]);
    assert_eq!(played(&["walk bob 5", "walk the lot 3", "yes"]).0[1..], ["walk Anna,eve,carl 3"]);
    // The name of a piece isn't a phrase, even if it begins like one.
    assert!(played(&["everyonesz walks 5", "yes"]).0.is_empty());
}

#[test]
fn those_who_act_one_by_one_come_one_after_another() {
    let (commands, shown) = played(&["everybody shoots at carl 9", "yes", "yes"]);
    assert_eq!(commands, ["shoot Anna at carl 9", "shoot eve at carl 9"]);
    assert!(shown.contains("then comes `eve too`"), "{shown}");
}

#[test]
fn a_refusal_names_the_shorter_list_that_would_be_accepted() {
    let (commands, shown) = played(&["walk bob 5", "walk bob carl eve 4"]);
    assert_eq!(commands, ["walk bob 5"]);
    let mut typist = Typist::playing(RULES);
    let refused = typist.types(&["next", "next", "walk bob 5"]).refusal("walk bob carl eve 4");
    assert!(refused.contains("without bob, `walk carl eve 4` would be accepted"), "{refused}");
    assert!(!shown.contains("without carl"), "{shown}");
}

#[test]
fn a_line_without_an_actor_means_those_who_acted_last() {
    let lines = ["walk bob 5", "then shoots at eve 7", "yes"];
    assert_eq!(played(&lines).0[1..], ["shoot bob at eve 7"]);
    // A line that names someone of their side isn't about them.
    let other = ["walk bob 5", "then carl at eve 7 rapid shoots", "yes"];
    assert!(!played(&other).0.iter().any(|line| line.starts_with("shoot bob")));
}

#[test]
fn a_question_shows_who_has_acted_this_turn() {
    let walked = |question| played(&["walk bob 5", question]).1;
    assert!(walked("has bob moved?").contains("bob this turn: 3 `walk bob 5`"));
    assert!(walked("has carl gone yet").contains("carl has not acted this turn"));
    assert!(walked("what did bob do").contains("bob this turn: 3 `walk bob 5`"));
    let both = walked("bob and carl, have they walked?");
    assert!(both.contains("acted this turn: bob 3 `walk bob 5`; not yet: carl"), "{both}");
    let all = walked("have all men moved?");
    assert!(all.contains("not yet: Anna, eve, carl"), "{all}");
    // What happened in an earlier turn doesn't count, nor does what was undone.
    let later = played(&["walk bob 5", "next turn", "next", "next", "has bob moved?"]).1;
    assert!(later.contains("bob has not acted this turn"), "{later}");
    let undone = played(&["walk bob 5", "undo", "has bob moved?"]).1;
    assert!(undone.contains("bob has not acted this turn"), "{undone}");
}

#[test]
fn a_name_with_capitals_may_be_typed_without_them() {
    assert_eq!(played(&["anna 5", "yes"]).0, ["walk anna 5"]);
    assert!(played(&["where is anna"]).1.contains("man Anna"));
}

#[test]
fn a_state_may_have_another_name_in_the_question() {
    let (_, shown) = played(&["shoot bob at eve 7", "is anyone injured?"]);
    assert!(shown.contains("men (1 of 4)") && shown.contains("eve"), "{shown}");
    let (_, shown) = played(&["who is smitten?"]);
    assert!(shown.contains("`show hurt`, `show loaded` list"), "{shown}");
}

#[test]
fn a_compound_word_names_the_phase_that_it_ends_with() {
    let mut typist = Typist::playing(RULES);
    let commands = typist.types(&["next", "on to wrestling", "yes"]).commands();
    assert_eq!(commands, ["next"], "`wrestling` has `rest` only in its middle");
    let mut typist = Typist::playing(RULES);
    let commands = typist.types(&["next", "on to bedrest", "yes"]).commands();
    assert_eq!(commands, ["next", "next", "next"]);
}

#[test]
fn agreeing_in_more_words_carries_out_only_the_proposed_line() {
    for answer in ["yes go on", "yes, do it", "y go ahead"] {
        assert_eq!(played(&["bob 5", answer]).0, ["walk bob 5"], "{answer}");
    }
    let (commands, _) = played(&["bob 5", "same for carl", "yes"]);
    assert_eq!(commands, ["walk bob 5", "walk carl 5"]);
}

#[test]
fn a_question_about_chances_at_a_proposal_is_about_its_line() {
    let (commands, shown) = played(&["bob 5", "what are the odds first", "yes"]);
    assert_eq!(commands, ["walk bob 5"]);
    assert!(shown.contains("odds of walk bob 5"), "{shown}");
}

#[test]
fn a_number_typed_for_a_die_is_its_face() {
    // The face 3 of a d8 stands for the third of the values 0 to 7.
    let (_, shown) = played(&["dice physical", "guess bob", "?", "3", "show bob"]);
    assert!(shown.contains("3 is 2") && shown.contains("steps 2"), "{shown}");
}

#[test]
fn an_answer_that_names_two_numbers_is_asked_again() {
    let (commands, shown) = played(&["peek bob", "head to boots", "boots"]);
    assert_eq!(commands, ["peek bob"]);
    assert!(shown.contains("`head` is 1, but `boots` is 5"), "{shown}");
    assert!(shown.contains("5 boots: 5"), "{shown}");
}

#[test]
fn dice_that_were_used_are_not_offered_again() {
    let lines = ["dice physical", "bob tosses it, he rolled a 5", "yes", "5"];
    let (commands, shown) = played(&lines);
    assert_eq!(commands, ["toss bob"]);
    assert!(!shown.contains("and then"), "{shown}");
}

#[test]
fn a_line_after_a_question_is_not_lost() {
    let (commands, shown) = played(&["has bob moved? walk bob 5", "yes"]);
    assert!(shown.contains("bob has not acted this turn"), "{shown}");
    assert_eq!(commands, ["walk bob 5"]);
}

#[test]
fn a_phase_may_be_named_by_its_number() {
    let said = |line| played(&["walk bob 5", line, "yes"]);
    assert_eq!(said("phase 3").0, ["walk bob 5", "next"]);
    assert!(said("on to the step 1").1.contains("1  next to march"));
    assert_eq!(said("phase 4").0, ["walk bob 5"]);
}

#[test]
fn a_ruling_in_other_words_is_shown_how_to_write_it() {
    for line in ["i say bob isn't hurt after all", "bob gets up again, my ruling"] {
        let (commands, shown) = played(&[line]);
        assert!(commands.is_empty(), "{line}");
        assert!(shown.contains("`overrule bob.ATTRIBUTE VALUE: REASON`"), "{line}: {shown}");
    }
}

#[test]
fn a_verb_that_hides_a_word_of_the_console_names_its_other_name() {
    let (_, shown) = played(&["setup"]);
    assert!(shown.contains("`layout`: list the pieces to lay out"), "{shown}");
}

#[test]
fn an_error_is_shown_in_the_line_that_it_is_about() {
    let (_, shown) = played(&["bob walks 5, then carl walks 6", "yes", "carl walks zz"]);
    assert!(shown.contains("in `carl walks zz`: "), "{shown}");
}

#[test]
fn the_only_line_with_everything_that_was_typed_is_proposed() {
    assert_eq!(played(&["bob on the gate", "yes"]).0, ["salute gate with bob"]);
    // The range of a shot would be invented.
    assert!(played(&["bob and his foe eve", "yes"]).0.is_empty());
    assert_eq!(played(&["bob walks twenty", "yes"]).0, ["walk bob 20"]);
}

#[test]
fn the_name_of_a_side_is_not_short_for_a_word_of_the_console() {
    for line in ["red", "red shoots at carl"] {
        let (commands, shown) = played(&["walk bob 5", "undo", line]);
        assert!(commands.is_empty(), "{line}: {shown}");
    }
    assert_eq!(played(&["walk bob 5", "undo", "redo"]).0, ["walk bob 5"]);
}

#[test]
fn where_no_commands_belong_the_next_phase_is_named() {
    let mut typist = Typist::playing(RULES);
    let shown = typist.types(&["gadzooks and zounds"]).shown().to_owned();
    assert!(shown.contains("the game hasn't begun"), "{shown}");
    assert!(shown.contains("next: Go on to march"), "{shown}");
    let shown = typist.types(&["next", "zounds and gadzooks"]).shown().to_owned();
    assert!(shown.contains("no commands belong to this phase, march"), "{shown}");
    assert!(shown.contains("next: Go on to firefight"), "{shown}");
}

#[test]
fn a_line_for_another_phase_names_that_phase() {
    let mut typist = Typist::playing(RULES);
    let shown = typist.types(&["next", "bob, eve again"]).shown().to_owned();
    assert!(shown.contains("belongs to phase 2, firefight"), "{shown}");
}

#[test]
fn a_refused_line_with_all_pieces_is_shown() {
    let (_, shown) = played(&["bob and carl hoorah"]);
    assert!(shown.contains("shoot bob at carl 1: refused now: carl is a friend"), "{shown}");
}

#[test]
fn an_answer_may_be_left_to_chance_in_words() {
    let (commands, shown) = played(&["guess bob", "at random"]);
    assert_eq!(commands, ["guess bob"]);
    assert!(shown.contains("(at random)"), "{shown}");
}

#[test]
fn who_holds_something_else_is_not_idle() {
    let (_, shown) = played(&["bob now holds Anna"]);
    assert!(!shown.contains("nothing has to be typed"), "{shown}");
    let (_, idle) = played(&["bob holds"]);
    assert!(idle.contains("nothing has to be typed"), "{idle}");
}
