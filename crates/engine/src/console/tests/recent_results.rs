//! Tests of questions about results that changed nothing, of the refusal to set what is computed, and of
//! questions about the parts and the targets of pieces and about phases.

use super::conversation::{Typist, played_on_one_line};

/// Huts in which a fire never grows, a cart with two hands, and a rally that is always skipped.
const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[kind.hut]
plural = "huts"
marker = "hut"
fire = { from = 0, to = 3 }
[kind.cart]
plural = "carts"
marker = "cart"
side = { one_of = "army" }
load = { from = 0, to = 9 }
heavy = { is = 'self.load > 3' }
[kind.hand]
plural = "hands"
marker = "man"
cart = { of = "cart" }
lost = { flag = true }
[sides]
are = "army"
[rule.grow]
title = "The fire grows"
each = 'hut in huts where hut.fire > 0'
roll = "1d6"
needs = ">= 7"
pass = 'hut.fire += 1'
[rule.pelt]
title = "Stones"
usage = "pelt <target:hut> with <who:cart>"
phases = ["throw"]
roll = "1d6"
needs = ">= 1"
pass = 'target.fire = 0'
[rule.push]
title = "Push"
usage = "push <who:cart>"
phases = ["push"]
after = 'who.load = 1'
[[phase]]
name = "grow"
do = "grow()"
[[phase]]
name = "throw"
verbs = ["pelt"]
[[phase]]
name = "rally"
reads = "Tired carts rest."
skip = 'true'
[[phase]]
name = "push"
verbs = ["push"]
[scenario.one.pieces.hut]
mill = { fire = 1 }
barn = { fire = 2 }
shed = {}
[scenario.one.pieces.cart]
red1 = { side = "red" }
blue1 = { side = "blue" }
[scenario.one.pieces.hand]
ann = { cart = "red1" }
bob = { cart = "red1", lost = true }
carl = { cart = "blue1" }
"#;

#[test]
fn a_roll_without_a_change_explains_why_nothing_happened() {
    for question in ["why didn't the mill grow", "what happened to mill", "why mill"] {
        let (_, shown) = played_on_one_line(RULES, &[question]);
        let results = shown.split("last results about mill:").nth(1).unwrap_or_default();
        assert!(results.contains("1 next"), "{question}: {shown}");
        assert!(results.contains("≥ 7") && !results.contains("barn"), "{question}: {shown}");
    }
    // Nothing was rolled for the shed.
    let (_, shown) = played_on_one_line(RULES, &["what happened to shed"]);
    assert!(!shown.contains("last results"), "{shown}");
}

#[test]
fn a_question_about_the_past_is_answered_with_results() {
    let (_, shown) = played_on_one_line(RULES, &["next", "pelt mill with red1", "did red1 get it"]);
    let after = shown.rsplit("the last results about red1:").next().unwrap_or_default();
    assert!(after.contains("pelt mill with red1") && after.contains("≥ 1"), "{shown}");
}

#[test]
fn what_is_computed_is_set_by_what_it_follows_from() {
    let mut typist = Typist::playing(RULES);
    typist.types(&["next"]);
    let refused = typist.refusal("set red1.heavy yes");
    assert!(refused.contains("`set red1.load VALUE`"), "{refused}");
}

#[test]
fn the_targets_and_the_parts_of_a_piece_are_listed() {
    // The usage names the target first.
    let (_, shown) = played_on_one_line(RULES, &["next", "what can red1 hit"]);
    assert!(shown.contains("pelt: mill, barn, shed"), "{shown}");
    let (_, elsewhere) = played_on_one_line(RULES, &["next", "what can red1 push"]);
    assert!(elsewhere.contains("`push` belongs to phase 4, push"), "{elsewhere}");
    let (_, parts) = played_on_one_line(RULES, &["what hands has red1 got left"]);
    assert!(parts.contains("hands (2 of 3)") && parts.contains("lost"), "{parts}");
    let (_, side) = played_on_one_line(RULES, &["show blues"]);
    assert!(side.contains("carts (1 of 2) side blue1 blue"), "{side}");
}

#[test]
fn a_skipped_phase_is_explained_by_its_text() {
    let (_, shown) =
        played_on_one_line(RULES, &["next", "next", "next", "why was the rally skipped"]);
    assert!(shown.contains("phase 3, rally, was skipped in turn 1"), "{shown}");
    assert!(shown.contains("Tired carts rest."), "{shown}");
    let (_, held) = played_on_one_line(RULES, &["next", "why was the throw skipped"]);
    assert!(!held.contains("was skipped"), "{held}");
}

#[test]
fn a_question_how_something_is_done_lists_the_commands_for_its_piece() {
    let (_, shown) = played_on_one_line(RULES, &["next", "how do I get red1 away"]);
    assert!(shown.contains("pelt <target:hut> with <who:cart> (Stones)"), "{shown}");
    assert!(shown.contains("push <who:cart> (Push, phase 4)"), "{shown}");
}

#[test]
fn the_cards_that_decided_a_result_are_shown_with_it() {
    let omens = r#"
[list.sign]
columns = ["luck"]
luck = { from = 0, to = 9 }
[list.sign.rows]
raven = [0]
[deck.omens]
of = "sign"
[rule.omen]
usage = "omen"
after = 'shuffle omens; let card = draw from omens; say "mill is doomed by {card}"'
"#;
    let rules = format!("{RULES}{omens}");
    let (_, shown) = played_on_one_line(&rules, &["omen", "what happened to mill"]);
    let results = shown.split("last results about mill:").nth(1).unwrap_or_default();
    assert!(
        results.contains("drawn from the omens") && results.contains("mill is doomed"),
        "{shown}"
    );
}

#[test]
fn a_bare_attribute_lists_the_values_of_all() {
    let (_, shown) = played_on_one_line(RULES, &["set red1.load 4", "loads"]);
    assert!(shown.contains("load: red1 4"), "{shown}");
}

#[test]
fn a_statement_that_something_should_not_have_happened_offers_the_values_before() {
    let lines = ["next", "pelt mill with red1", "mill should not be out, it rained", "yes"];
    let (commands, shown) = played_on_one_line(RULES, &lines);
    let ruling = "overrule mill.fire 1: it rained";
    assert_eq!(commands.last().map(String::as_str), Some(ruling), "{shown}");
    // What can't be said by a ruling isn't offered as one.
    let (_, other) =
        played_on_one_line(RULES, &["next", "pelt mill with red1", "mill is not far away"]);
    assert!(!other.contains("overrule mill"), "{other}");
}

#[test]
fn a_question_about_a_kind_lists_those_who_are_in_one() {
    let (_, shown) = played_on_one_line(RULES, &["is anyone in a cart"]);
    assert!(shown.contains("in the carts: ann (red1), bob (red1), carl (blue1)"), "{shown}");
    let (_, nobody) = played_on_one_line(RULES, &["is anyone in a hut"]);
    assert!(nobody.contains("nobody is in any of the huts"), "{nobody}");
}
