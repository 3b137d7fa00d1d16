//! Tests of statements about the state of pieces.

use super::conversation::played_with;

/// A squad of two, a man of another squad, a commander with both kinds of place, and a verb that says
/// where men stand. Cover is given with each shot.
const RULES: &str = r#"
[words.side]
values = ["red", "blue"]
[words.ground]
values = ["open", "wood", "wall"]
also = { trees = "wood" }
[words.footing]
values = ["level", "ditch", "ledge"]
[kind.squad]
marker = "squad"
side = { one_of = "side" }
[kind.man]
plural = "men"
marker = "man"
side = { one_of = "side" }
squad = { of = "squad" }
ground = { one_of = "ground", start = "open" }
tired = { flag = true, says = "worn out" }
burning = { flag = true, marker = "on fire" }
status = { one_of = ["fit", "wounded", "out"] }
shots = { from = 0, to = 30, start = 9 }
[rule.shoot]
usage = "shoot <who:man> at <foe:man> [cover] [seen <part:part>]"
default = { part = 'part.body' }
phases = ["fire"]
after = 'foe.shots = if cover then 1 else 2'
[words.part]
values = ["body", "head", "chest"]
[rule.place]
usage = "stand <who:man> on <footing:footing>"
also = ["take position"]
phases = ["fire"]
after = 'say "{who}: {footing}"'
[[phase]]
name = "fire"
verbs = ["shoot", "stand"]
[scenario.one.pieces.squad]
able = { side = "red" }
[scenario.one.pieces.man]
ann = { side = "red", squad = "able" }
bob = { side = "red", squad = "able" }
carl = { side = "blue" }
"#;

/// Returns the commands recorded after these lines, and what was shown.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

fn commands(lines: &[&str]) -> Vec<String> {
    played(lines).0
}

#[test]
fn a_squad_or_a_list_is_given_a_state_together() {
    for line in ["able is in the wood", "all of able are among the trees", "put able in the trees"]
    {
        let (done, shown) = played(&[line, "yes"]);
        assert!(done.last().unwrap().ends_with(".ground wood"), "{line}: {done:?} {shown}");
        assert!(!done.last().unwrap().contains("carl"), "{line}: {done:?}");
    }
    assert_eq!(commands(&["ann and carl are worn out", "yes"]), ["set ann,carl.tired yes"]);
    assert_eq!(
        commands(&["ann, bob and carl are wounded", "yes"]),
        ["set ann,bob,carl.status wounded"]
    );
    assert_eq!(commands(&["mark tired on bob", "yes"]), ["set bob.tired yes"]);
    assert_eq!(commands(&["give carl a tired marker", "yes"]), ["set carl.tired yes"]);
    assert_eq!(commands(&["ann is on fire", "yes"]), ["set ann.burning yes"]);
}

#[test]
fn a_pronoun_means_the_pieces_that_were_named_or_acted() {
    let shot = ["shoot ann at carl"];
    let tired = commands(&[&shot[..], &["she's worn out", "yes"]].concat());
    assert_eq!(tired[1..], ["set ann.tired yes"]);
    // `it was` corrects the last command.
    let corrected = commands(&[&shot[..], &["no, it was the wood", "yes"]].concat());
    assert_eq!(corrected, shot);
    let given = commands(&["bob was in the trees all along, give him 14 shots", "yes"]);
    assert_eq!(given.len(), 1, "{given:?}");
}

#[test]
fn what_should_be_or_isnt_is_a_ruling_with_its_reason() {
    assert_eq!(
        commands(&["carl has 11 shots, should be 14", "yes"]),
        ["overrule carl.shots 14: carl has 11 shots"]
    );
    let out = ["set carl.status out"];
    let back = commands(&[&out[..], &["carl isn't out, he only fell", "yes"]].concat());
    assert_eq!(back[1..], ["overrule carl.status fit: he only fell"]);
    // The value at the beginning of the game is the opposite of no other value.
    assert!(commands(&["carl isn't fit", "yes"]).is_empty());
    assert_eq!(commands(&["ann has no shots", "yes"]), ["set ann.shots 0"]);
}

#[test]
fn a_state_that_holds_already_needs_no_line() {
    let (done, shown) = played(&["set ann,bob.ground wood", "able is in the wood"]);
    assert_eq!(done.len(), 1);
    assert!(shown.contains("able.ground is already `wood`"), "{shown}");
}

#[test]
fn a_state_that_only_a_verb_knows_leads_to_its_lines() {
    assert_eq!(commands(&["ann is in the ditch", "yes"]), ["stand ann ditch"]);
    assert_eq!(
        commands(&["ann and bob are on the ledge", "yes", "yes"]),
        ["stand ann ledge", "stand bob ledge",]
    );
    // The verb needs no ruling.
    assert_eq!(commands(&["ann should be in the ditch", "yes"]), ["stand ann ditch"]);
    // `take position` is another word for the verb.
    let (_, shown) = played(&["ann is in position"]);
    assert!(shown.contains("stand ann ditch") && shown.contains("stand ann ledge"), "{shown}");
}

#[test]
fn what_is_said_with_a_command_is_not_kept() {
    for (line, word) in [("carl is in cover", "`cover`"), ("carl now shows his head", "`head`")] {
        let (done, shown) = played(&[line]);
        assert!(done.is_empty(), "{line}: {done:?}");
        assert!(shown.contains(word) && shown.contains("`shoot`"), "{line}: {shown}");
    }
}

#[test]
fn a_clause_with_other_words_states_nothing() {
    let (done, shown) = played(&["ann is out of the ditch"]);
    assert!(done.is_empty() && !shown.contains("set ann.status"), "{shown}");
    assert!(!shown.contains("the game doesn't keep this"), "{shown}");
}
