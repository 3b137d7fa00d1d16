//! Tests of statements and remarks: corrections of earlier commands in the past tense, notes, reasons, and
//! what players of the club say or want; and of questions in forms that are only spoken.

use super::conversation::played_on_one_line;

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[words.hand]
values = ["port", "starboard"]
[kind.place]
plural = "places"
plan = true
[kind.squad]
plural = "squads"
side = { one_of = "army" }
[kind.man]
plural = "men"
marker = "man"
squad = { of = "squad" }
side = { one_of = "army" }
at = { of = "place" }
cart-loads = { from = 0, to = 20 }
hurts = { from = 0, to = 9 }
walked = { from = 0, to = 60, bookkeeping = true }
[state]
wind = { one_of = "hand" }
[rule.walk]
usage = "walk <who:man> <inches:1..60> [crouched]"
title = "March across the field"
reads = "A man may march before he shoots, unless he carries the flag."
phases = ["field"]
require = [{ that = 'who.walked = 0', because = "{who} has walked" }]
after = 'who.walked = inches; if crouched { who.cart-loads += 1 }'
[rule.shoot]
usage = "shoot <who:man> at <target:man> <inches:1..60>"
title = "Shoot an arrow"
reads = "An arrow hurts whoever it hits."
phases = ["field"]
after = 'target.hurts += 1'
[rule.stroll]
usage = "stroll <who:man> to <goal:place>"
phases = ["field"]
after = 'who.at = goal'
[rule.quiver]
usage = "quiver"
title = "Arrows left in the quiver"
phases = ["field"]
after = 'say "seven arrows"'
[rule.dawn]
title = "The sun rises over the hill"
after = 'say "dawn"'
[sides]
are = "army"
[[phase]]
name = "field"
title = "The field"
verbs = ["walk", "shoot", "stroll", "quiver"]
[[phase]]
name = "dusk"
title = "Dusk falls"
[scenario.one.legend]
x = {}
[[scenario.one.level]]
plan = """
xx"""
[scenario.one.pieces.squad]
able = { side = "red" }
[scenario.one.pieces.man]
ann = { squad = "able", side = "red", at = "a1" }
bob = { squad = "able", side = "red", at = "b1" }
carl = { side = "blue", at = "b1" }
dora = { side = "blue", at = "b1" }
"#;

/// Returns the commands after the first `next`, and everything that was shown, on one line.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_on_one_line(RULES, lines)
}

#[test]
fn a_wrong_value_of_an_earlier_command_is_replaced_by_the_right_one() {
    let begun = ["walk ann 5", "shoot bob at carl 7"];
    for (line, corrected) in [
        ("bob was shooting at dora, not carl", ["walk ann 5", "shoot bob at dora 7"]),
        ("sorry, that was ann shooting, not bob", ["walk ann 5", "shoot ann at carl 7"]),
        ("ann went 6, not 5", ["walk ann 6", "shoot bob at carl 7"]),
    ] {
        let lines = [&begun[..], &[line, "yes", "yes"]].concat();
        assert_eq!(played(&lines).0, corrected, "{line}");
    }
    // A value that no command has corrects none.
    let (done, _) = played(&[&begun[..], &["bob is tired, not 9"]].concat());
    assert_eq!(done, begun);
}

#[test]
fn what_was_done_in_the_past_tense_corrects_the_command() {
    let begun = ["walk ann 5", "walk bob 4"];
    let after = |line| played(&[&begun[..], &[line, "yes", "yes"]].concat()).0;
    assert_eq!(after("ann only walked 3"), ["walk ann 3", "walk bob 4"]);
    assert_eq!(after("ann went 3, crouched"), ["walk ann 3 crouched", "walk bob 4"]);
    // What wasn't done is left out, or undone if it was the last command.
    assert_eq!(after("ann didn't walk at all"), ["note left out", "walk bob 4"]);
    assert_eq!(after("bob never walked"), ["walk ann 5"]);
    // Who isn't moving says nothing about what he did.
    assert_eq!(after("ann isn't walking"), begun);
}

#[test]
fn a_statement_that_is_no_command_may_become_a_note() {
    for line in ["ann is behind the big oak", "the hedge is too high, I say nobody crosses it"] {
        let (done, shown) = played(&[line, "yes"]);
        assert_eq!(done, [format!("note {line}")]);
        assert!(shown.contains("no command is understood in this"), "{shown}");
    }
    assert!(played(&["ann is behind the big oak"]).1.contains("`set ann.ATTRIBUTE VALUE`"));
    assert!(played(&["the wind has dropped a bit"]).1.contains("`set state.wind VALUE`"));
    // An order, a question and a line about what was typed before are no notes.
    for line in ["put ann's hat behind the oak", "is ann behind the oak", "no, it's too far"] {
        assert!(!played(&[line]).1.contains("Write a note"), "{line}");
    }
}

#[test]
fn a_note_may_be_asked_for_in_other_words() {
    for (line, note) in [
        ("write down that ann owes a pint", "note ann owes a pint"),
        ("remind me to check the oak", "note to check the oak"),
        ("ann has the only key, make a note", "note ann has the only key"),
    ] {
        assert_eq!(played(&[line, "yes"]).0, [note], "{line}");
    }
    assert!(played(&["walk ann 5", "remind me what ann did"]).1.contains("`walk ann 5`"));
}

#[test]
fn what_cannot_be_done_is_not_proposed() {
    let line = "bob can't stroll to b1 through that hedge";
    let (done, shown) = played(&[line, "yes"]);
    assert!(!shown.contains("1 stroll"), "{shown}");
    assert_eq!(done, [format!("note {line}")]);
}

#[test]
fn who_is_skipped_or_has_finished_needs_no_command() {
    for line in
        ["skip ann, she's asleep", "ann's finished", "ann and bob are done", "ann won't walk"]
    {
        let (done, shown) = played(&[line, "yes"]);
        assert!(done.is_empty(), "{line}: {done:?}");
        assert!(shown.contains("nothing has to be typed for"), "{line}: {shown}");
    }
}

#[test]
fn what_a_player_of_the_club_says_is_what_counts() {
    for line in ["Tom says ann walks 5", "Dave wants ann walking 5", "Sue's ann walks 5"] {
        assert_eq!(played(&[line, "yes"]).0, ["walk ann 5"], "{line}");
    }
    // Tom himself is no piece.
    assert!(played(&["Tom's gone for a walk"]).0.is_empty());
}

#[test]
fn a_piece_may_go_with_another_or_be_sent() {
    for line in ["ann goes along with carl", "ann follows carl", "bob sends ann to b1"] {
        assert_eq!(played(&[line, "yes"]).0, ["stroll ann to b1"], "{line}");
    }
}

#[test]
fn a_question_may_begin_with_a_request() {
    for line in ["tell me what ann did", "say again what ann did", "just tell me what ann did"] {
        let (_, shown) = played(&["walk ann 5", line]);
        assert!(shown.contains("ann this turn: 2 `walk ann 5`"), "{line}: {shown}");
    }
    assert!(played(&["walk ann 5", "read me back the last two things"]).1.contains("2 walk ann 5"));
}

#[test]
fn a_question_about_a_group_shows_its_members() {
    for line in ["who is left in able", "is anyone in able hurt"] {
        let (_, shown) = played(&[line]);
        assert!(
            shown.contains("ann") && shown.contains("bob") && !shown.contains("carl"),
            "{shown}"
        );
    }
}

#[test]
fn a_question_how_something_is_done_shows_the_help_of_the_verb() {
    assert!(played(&["how do I shoot somebody"]).1.contains("shoot <who:man> at <target:man>"));
    // The second verb isn't what is asked.
    assert!(!played(&["how do I get the walk done"]).1.contains("walk <who:man>"));
}

#[test]
fn a_question_what_follows_names_the_later_phases() {
    for line in ["what's after this", "what comes after the field", "who moves after these two"] {
        assert!(played(&[line]).1.contains("2 Dusk falls"), "{line}");
    }
}

#[test]
fn a_rule_that_only_looks_answers_a_question_and_others_are_not_run() {
    assert!(played(&["what is still left in the quiver"]).1.contains("seven arrows"));
    let (done, shown) = played(&["what happens when the sun rises over the hill"]);
    assert!(done.is_empty() && !shown.contains("dawn\n"), "{shown}");
}

#[test]
fn a_question_may_follow_a_statement() {
    for line in ["ann is behind the oak, can she walk", "bless him. can ann walk?"] {
        let (done, shown) = played(&[line]);
        assert!(done.is_empty(), "{line}: {done:?}");
        assert!(shown.contains("yes, for example `walk ann"), "{line}: {shown}");
    }
    // `who` may only say more about somebody.
    assert!(!played(&["ann shoots carl at 5, who is behind"]).1.contains("nobody"));
}

#[test]
fn a_group_is_named_piece_by_piece_if_a_verb_takes_one() {
    let (done, _) = played(&["all able walk 5", "yes", "yes"]);
    assert_eq!(done, ["walk ann 5", "walk bob 5"]);
}

#[test]
fn a_command_before_the_last_one_may_be_left_out_or_undone() {
    let begun = ["walk ann 5", "shoot bob at carl 7"];
    let after = |lines: &[&str]| played(&[&begun[..], lines].concat()).0;
    assert_eq!(after(&["undo the walk of ann", "1", "yes"]), ["note left out", begun[1]]);
    assert_eq!(after(&["undo the shot at carl", "yes"]), [begun[0]]);
}

#[test]
fn the_last_command_may_be_done_again_with_a_change() {
    assert_eq!(
        played(&["walk ann 5", "so redo that with crouched", "yes", "yes"]).0,
        ["walk ann 5 crouched"]
    );
    assert_eq!(
        played(&["walk ann 5 crouched", "no, not crouched", "yes", "yes"]).0,
        ["walk ann 5"]
    );
}

#[test]
fn where_the_acting_piece_is_may_stand_before_the_verb() {
    assert_eq!(played(&["ann from the oak walks 5", "yes"]).0, ["walk ann 5"]);
}

#[test]
fn what_a_word_means_is_looked_up_in_the_rules() {
    let (_, shown) = played(&["what does an arrow do"]);
    assert!(shown.contains("An arrow hurts whoever it hits."), "{shown}");
}

#[test]
fn curly_apostrophes_do_not_shift_the_words() {
    assert_eq!(played(&["write down that ann’s late", "yes"]).0, ["note ann's late"]);
    assert!(played(&["walk ann 5", "tell me what’s after this"]).1.contains("2 Dusk falls"));
}

#[test]
fn the_number_of_a_ruling_with_a_reason_is_not_lost() {
    let (done, _) = played(&["ann should have 7 loads, she took one more", "yes"]);
    assert_eq!(done, ["overrule ann.cart-loads 7: she took one more"]);
}
