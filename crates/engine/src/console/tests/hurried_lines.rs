//! Tests of lines typed in a hurry: lists of directions, pronouns, repetitions, several commands in one
//! line, and what is undone while the rest of a line is still proposed.

use super::conversation::played_with;

const RULES: &str = r#"
[words.side]
values = ["raid", "guard"]
[words.heading]
values = ["north", "east", "south", "north-east"]
[kind.boat]
plural = "boats"
marker = "boat"
side = { one_of = "side" }
course = { one_of = "heading", many = true }
shot = { flag = true }
left = { from = 0, to = 2 }
tired = { flag = true }
low = { flag = true }
sailed = { from = 0, to = 99 }
[kind.cart]
plural = "carts"
marker = "cart"
side = { one_of = "side" }
pulled = { from = 0, to = 99 }
[rule.plot]
usage = "plot <boat:boat> <course:heading+>"
phases = ["sail"]
require = [{ that = 'size(course) <= 2', because = "two steps at most" }]
after = 'boat.course = course'
[rule.shoot]
title = "A shot is fired"
usage = "shoot <who:boat> at <foe:boat> [range <range:1..60>] [then <later:0..2>]"
default = { range = '9', later = '0' }
phases = ["sail"]
require = [{ that = 'who.side != foe.side', because = "{foe} is a friend" }]
after = '''
let die = roll(1d6)
who.shot = true
who.left = later
'''
[rule.hide]
usage = "hide <who:boat>"
phases = ["sail"]
require = [{ that = 'not who.shot or who.left > 0', because = "{who} has shot" }]
after = 'who.shot = true'
[rule.glide]
usage = "glide <who:boat> <steps:1..9> [low]"
phases = ["sail"]
after = '''
who.low = low
who.sailed += steps
'''
[rule.scale]
usage = "scale <who:boat> <height:1..9>"
phases = ["sail"]
require = [{ that = 'height < 6', because = "too high" }]
after = 'who.sailed += height'
[rule.cart]
usage = "pull <cart:cart> <steps:1..9>"
phases = ["sail"]
after = 'cart.pulled += steps'
[sides]
are = "side"
[[phase]]
name = "sail"
verbs = ["plot", "shoot", "hide", "glide", "scale", "pull"]
[[phase]]
name = "rest"
verbs = ["hide"]
[scenario.one.pieces.boat]
ann = { side = "raid" }
bob = { side = "raid" }
carl = { side = "guard" }
dora = { side = "guard" }
[scenario.one.pieces.cart]
wain = { side = "raid" }
"#;

fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

#[test]
fn a_list_of_words_may_be_said_in_several_ways() {
    for line in ["ann goes north then east", "ann: north, then east", "ann north and east"] {
        assert_eq!(played(&[line, "yes"]).0, ["plot ann north,east"], "{line}");
    }
    assert_eq!(played(&["plot ann east 2"]).0, ["plot ann east,east"]);
    assert_eq!(played(&["plot ann ne then s"]).0, ["plot ann north-east,south"]);
    // Two words may be one or two steps.
    for (answer, plotted) in [("1", "plot ann north-east"), ("2", "plot ann north east")] {
        assert_eq!(played(&["ann goes north east", answer]).0, [plotted]);
    }
    let (commands, shown) = played(&["ann: east, east, south"]);
    assert!(commands.is_empty() && shown.contains("two steps at most"), "{shown}");
}

#[test]
fn a_pronoun_after_the_verb_means_a_piece_that_can_act_with_it() {
    let pulled = ["glide ann 3", "pull wain 2"];
    assert_eq!(played(&["pull wain 2", "glide ann 3", "pull it 4", "yes"]).0[2..], ["pull wain 4"]);
    assert_eq!(played(&[&pulled[..], &["glide her 4", "yes"]].concat()).0[2..], ["glide ann 4"]);
    // `both` means the two pieces that acted last.
    let both = ["glide ann 3", "glide bob 3", "both hide", "yes", "yes"];
    assert_eq!(played(&both).0[2..], ["hide ann", "hide bob"]);
}

#[test]
fn a_piece_does_again_what_it_did_before() {
    let before = ["shoot ann at carl range 7", "shoot bob at dora range 8"];
    for line in ["ann again", "ann shoots again", "ann as before", "ann at carl again"] {
        let (commands, _) = played(&[&before[..], &[line, "yes"]].concat());
        assert_eq!(commands[2..], ["shoot ann at carl range 7"], "{line}");
    }
    let (commands, _) = played(&[&before[..], &["ann same again", "yes"]].concat());
    assert_eq!(commands[2..], ["shoot ann at dora range 8"]);
    let (commands, _) = played(&[&before[..], &["ann at dora, same range", "yes"]].concat());
    assert_eq!(commands[2..], ["shoot ann at dora range 7"]);
}

#[test]
fn a_part_that_allows_the_rest_of_a_line_is_proposed() {
    let typed = ["ann shoots at carl, then hides", "yes", "yes"];
    assert_eq!(played(&typed).0, ["shoot ann at carl then 1", "hide ann"]);
    assert_eq!(played(&["shoot ann at carl then hide", "yes", "yes"]).0, played(&typed).0);
    // What the piece does next is no phase of that name.
    let (_, shown) = played(&["ann gladly at carl 9, then hides", "yes"]);
    assert!(!shown.contains("next to"), "{shown}");
    // Without a need for it, it isn't.
    let typed = ["ann shoots at carl, then bob hides", "yes", "yes"];
    assert_eq!(played(&typed).0, ["shoot ann at carl", "hide bob"]);
    assert_eq!(played(&["ann glides 4 and goes low", "yes"]).0, ["glide ann 4 low"]);
}

#[test]
fn words_that_only_name_the_action_are_no_further_command() {
    let (commands, shown) = played(&["ann at carl, a shot", "yes"]);
    assert_eq!(commands, ["shoot ann at carl"], "{shown}");
    assert!(!shown.contains("and then"), "{shown}");
}

#[test]
fn the_rest_of_a_line_can_be_declined_or_undone_with_the_first_part() {
    let typed = "ann glides 4, bob glides 5";
    assert_eq!(played(&[typed, "yes", "no"]).0, ["glide ann 4"]);
    for answer in ["undo", "no, undo that", "take that back"] {
        let (commands, shown) = played(&[typed, "yes", answer]);
        assert!(commands.is_empty(), "{answer}: {shown}");
    }
    for answer in ["no, just ann", "just that", "yes but only ann"] {
        let (commands, shown) = played(&[typed, answer]);
        assert_eq!(commands, ["glide ann 4"], "{answer}: {shown}");
        assert!(!shown.contains("and then"), "{shown}");
    }
    for answer in ["no, just the first one", "only that", "just ann"] {
        let (commands, shown) = played(&[typed, "yes", answer]);
        assert_eq!(commands, ["glide ann 4"], "{answer}: {shown}");
    }
    // The reason for undoing isn't another command.
    let (commands, shown) = played(&["glide ann 4", "undo, ann glided already", "yes"]);
    assert!(commands.is_empty() && !shown.contains("then comes"), "{shown}");
}

#[test]
fn a_semicolon_ends_a_command() {
    let typed = "glide ann 4; ann and bob at carl";
    let (commands, shown) = played(&[typed, "yes", "no"]);
    assert_eq!(commands, ["glide ann 4"], "{shown}");
    assert!(shown.contains("then comes `ann and bob at carl`"), "{shown}");
}

#[test]
fn a_number_takes_the_place_of_the_one_that_was_refused() {
    let refused = "plot ann north north north";
    for number in ["4 then", "ok 4", "4"] {
        let (commands, shown) = played(&["scale ann 9", number, "yes"]);
        assert_eq!(commands, ["scale ann 4"], "{number}: {shown}");
        // What isn't in the line takes the place of nothing.
        assert!(played(&[refused, number]).0.is_empty());
    }
}

#[test]
fn a_denied_word_is_no_part_of_the_line() {
    assert_eq!(played(&["ann glides 4 not low", "yes"]).0, ["glide ann 4"]);
}

#[test]
fn the_piece_in_front_of_at_is_the_one_that_acts() {
    let (_, shown) = played(&["next", "ann at carl 7"]);
    assert!(!shown.contains("shoot carl at ann"), "{shown}");
}

#[test]
fn a_correction_of_several_pieces_keeps_them_all() {
    let typed = ["ann gladly glides 4", "no, ann and bob 5", "yes", "yes"];
    assert_eq!(played(&typed).0, ["glide ann 5", "glide bob 5"]);
}

#[test]
fn a_refused_line_may_be_allowed() {
    for line in ["I allow it", "I allow it, the wall is low", "ann scales 9 up there!"] {
        let (commands, shown) = played(&["scale ann 9", line, "yes"]);
        assert_eq!(commands.len(), 1, "{line}: {shown}");
        assert!(commands[0].starts_with("scale ann 9"), "{line}: {commands:?}");
    }
    assert!(played(&["I allow it", "yes"]).0.is_empty());
}

#[test]
fn a_line_for_one_piece_is_not_proposed_for_both() {
    let (commands, shown) = played(&["ann glides 4 with both", "yes"]);
    assert!(commands.is_empty() && shown.contains("glide ann 4: without `both`"), "{shown}");
}

#[test]
fn a_phrase_for_a_going_on_agrees_to_nothing() {
    let (commands, _) = played(&["glide bob 1", "ann gladly glides 4", "go on to rest", "yes"]);
    assert_eq!(commands, ["glide bob 1", "next"]);
}

#[test]
fn the_rest_of_a_line_is_not_proposed_if_it_would_be_refused() {
    let (commands, shown) = played(&["ann gladly glides 4, scale bob 9", "yes", "yes"]);
    assert_eq!(commands, ["glide ann 4"]);
    assert!(shown.contains("it would be refused: too high"), "{shown}");
}

#[test]
fn next_typed_twice_goes_on_twice() {
    for line in ["next, then next", "next and next"] {
        assert_eq!(played(&["glide ann 4", line, "yes", "yes"]).0[1..], ["next", "next"], "{line}");
    }
}

#[test]
fn a_line_that_leaves_out_a_piece_is_only_listed() {
    let (commands, shown) = played(&["ann glides 4 with wain", "yes"]);
    assert!(commands.is_empty() && shown.contains("glide ann 4: without `wain`"), "{shown}");
    // A landmark is no companion.
    assert_eq!(played(&["ann glides 4 past wain", "yes"]).0, ["glide ann 4"]);
}

#[test]
fn a_ruling_may_be_about_several_pieces_or_have_a_reason() {
    assert_eq!(played(&["mark ann and bob tired", "yes"]).0, ["set ann,bob.tired yes"]);
    let (commands, shown) = played(&["make ann tired, it was a long way", "yes"]);
    assert_eq!(commands, ["set ann.tired yes"]);
    assert!(shown.contains("(without `it was a long way`)"), "{shown}");
}

#[test]
fn dice_may_have_a_label() {
    for line in ["roll d6 wind", "roll d6: wind", "d6 for wind"] {
        assert_eq!(played(&[line, "yes"]).0, ["roll d6 [wind]"], "{line}");
    }
    assert_eq!(played(&["roll 2d6 + 1"]).0, ["roll 2d6 + 1"]);
}

#[test]
fn nothing_is_shown_in_place_of_a_command_or_a_correction() {
    let (_, shown) = played(&["glide ann 4", "no, dora"]);
    assert!(!shown.contains("show dora"), "{shown}");
    let (_, shown) = played(&["ann low"]);
    assert!(!shown.contains("show ann"), "{shown}");
}
