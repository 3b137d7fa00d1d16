//! Tests of lines from which a proposal could leave something out: words of the verb itself, pieces that
//! are only described, and what follows the first clause.

use super::conversation::{Typist, played_on_one_line};

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[words.stance]
values = ["upright", "kneeling", "prone"]
[words.weapon]
values = ["rifle", "mortar"]
[kind.team]
plural = "teams"
side = { one_of = "army" }
[kind.man]
plural = "men"
marker = "man"
team = { of = "team" }
weapon = { one_of = "weapon" }
side = { is = 'self.team.side' }
hits = { from = 0, to = 9 }
tired = { flag = true, title = "tired" }
[rule.shoot]
usage = "shoot <who:man> at <target:man> <inches:1..60> [<shots:1..4>] [rapid] [<stance:stance>]"
default = { shots = '1', stance = 'upright' }
phases = ["fire"]
require = [{ that = 'not rapid or who.weapon = rifle', because = "only rifles fire rapidly" }]
after = 'target.hits += 1'
[rule.walk]
usage = "walk <who:man+> <inches:1..60> [lie-down] [low]"
phases = ["fire"]
require = [{ that = 'all m in who: m.hits < 1', because = "he has walked" }]
after = 'each m in who { m.hits = 1 }'
[rule.rest]
usage = "rest <who:man>"
phases = ["fire"]
require = [{ that = 'who.hits < 1', because = "{who} is too restless" }]
after = 'who.tired = true'
[sides]
are = "army"
[[phase]]
name = "fire"
verbs = ["shoot", "walk", "rest"]
[scenario.one.pieces.team]
lions = { side = "red" }
bears = { side = "blue" }
[scenario.one.pieces.man]
anna = { team = "lions", weapon = "rifle" }
eve = { team = "lions", weapon = "mortar" }
bob = { team = "bears", weapon = "mortar" }
carl = { team = "bears", weapon = "rifle" }
dora = { team = "bears", weapon = "rifle" }
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
fn words_of_the_verb_are_put_back() {
    let rapid = commands(&["anna shoots nicely and rapid at bob 9", "yes"]);
    assert_eq!(rapid, ["shoot anna at bob 9 rapid"]);
    let prone = commands(&["anna gladly shoots at bob 9 prone", "yes"]);
    assert_eq!(prone, ["shoot anna at bob 9 prone"]);
    // The beginning of a word is enough.
    let kneeling = commands(&["anna gladly shoots at bob 9 kneel", "yes"]);
    assert_eq!(kneeling, ["shoot anna at bob 9 kneeling"]);
    let twice = commands(&["anna gladly shoots at bob 9 twice", "yes"]);
    assert_eq!(twice, ["shoot anna at bob 9 2"]);
    let both = commands(&["anna gladly shoots at bob 9 with both", "yes"]);
    assert_eq!(both, ["shoot anna at bob 9 2"]);
    // Here, it means the two who shoot.
    let (_, shown) = played(&["anna and eve both shoot gladly at bob 9"]);
    assert!(shown.contains("shoot anna at bob 9") && !shown.contains("9 2"), "{shown}");
}

#[test]
fn a_line_that_would_be_refused_with_such_a_word_is_not_proposed_without_it() {
    let (done, shown) = played(&["bob gladly shoots at anna 9 rapid", "yes"]);
    assert_eq!(done, [""; 0]);
    assert!(shown.contains("only rifles fire rapidly"), "{shown}");
}

#[test]
fn a_word_without_a_place_is_not_left_out() {
    // `shoot` takes no second stance, and no `lie-down`.
    let (done, shown) = played(&["anna gladly shoots at bob 9 lie-down kneeling", "1"]);
    assert_eq!(done, ["shoot anna at bob 9 kneeling"]);
    assert!(shown.contains("without `gladly`, `lie-down`"), "{shown}");
    let (done, shown) = played(&["anna walks gladly 4 rapid prone low", "yes"]);
    assert_eq!(done, ["walk anna 4 low"]);
    assert!(shown.contains("`rapid`"), "{shown}");
    let both = commands(&["anna gladly shoots at bob 9 kneeling prone", "2"]);
    assert_eq!(both, ["shoot anna at bob 9 kneeling"]);
}

#[test]
fn what_only_adds_to_the_first_clause_belongs_to_it() {
    assert_eq!(commands(&["anna walks gladly 4, then lies down", "yes"]), ["walk anna 4 lie-down"]);
    assert_eq!(commands(&["anna walks gladly 4 and then low", "yes"]), ["walk anna 4 low"]);
    let either = commands(&["anna gladly shoots at bob 9 kneeling prone, then rapid", "2"]);
    assert_eq!(either, ["shoot anna at bob 9 kneeling rapid"]);
}

#[test]
fn a_second_clause_that_would_be_refused_is_said_to_be() {
    let (_, shown) = played(&["anna walks gladly 4, then anna rests"]);
    assert!(shown.contains("would be refused: anna is too restless"), "{shown}");
    let (_, shown) = played(&["anna walks gladly 4, then bob rests"]);
    assert!(shown.contains("then comes `bob rests`"), "{shown}");
}

#[test]
fn described_pieces_are_named() {
    assert_eq!(commands(&["the bears mortar shoots at eve 9", "yes"]), ["shoot bob at eve 9"]);
    assert_eq!(commands(&["ann shoots at bob 9", "yes"]), ["shoot anna at bob 9"]);
    assert_eq!(commands(&["lions shoot at bob 9", "2"]), ["shoot eve at bob 9"]);
    // Three men of the team could shoot.
    assert_eq!(commands(&["bears shoot at anna 9", "2"]), ["shoot carl at anna 9"]);
    // A description of two words fits fewer of them.
    assert_eq!(commands(&["the bears rifle shoots at anna 9", "2"]), ["shoot dora at anna 9"]);
}

#[test]
fn a_pronoun_after_the_verb_means_the_opponent() {
    let back = commands(&["shoot anna at bob 9", "bob shoots back at her 9", "yes"]);
    assert_eq!(back, ["shoot anna at bob 9", "shoot bob at anna 9"]);
    let more = commands(&["shoot anna at bob 9", "anna gladly shoots at him 12", "yes"]);
    assert_eq!(more, ["shoot anna at bob 9", "shoot anna at bob 12"]);
}

#[test]
fn a_way_is_no_part_of_the_usage() {
    let rules = RULES.replace("[low]", "[down]");
    let mut typist = Typist::playing(&rules);
    let done = typist.types(&["next", "anna walks gladly 4 down the lane", "yes"]).commands();
    assert_eq!(done, ["next", "walk anna 4"], "{}", typist.shown());
}

#[test]
fn a_statement_about_a_piece_sets_a_value() {
    assert_eq!(commands(&["bob is tired", "yes"]), ["set bob.tired yes"]);
}

#[test]
fn taking_back_agrees_to_a_proposed_undo() {
    let undone = commands(&["rest bob", "take back the rest", "take that back"]);
    assert_eq!(undone, [""; 0]);
}

#[test]
fn another_word_for_a_verb_is_not_short_for_a_word_of_the_console() {
    let rules = RULES
        .replace("usage = \"rest <who:man>\"", "usage = \"rest <who:man>\"\nalso = [\"play\"]");
    let mut typist = Typist::playing(&rules);
    let done = typist.types(&["next", "play bob"]).commands();
    assert_eq!(done, ["next", "rest bob"], "{}", typist.shown());
    // `players` sets the names of the people who play.
    let done = typist.types(&["play bob on the piano"]).commands();
    assert_eq!(done, ["next", "rest bob"], "{}", typist.shown());
}
