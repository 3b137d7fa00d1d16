//! Tests of the lines that are listed for a line that no command fits, of answers that add something to
//! a proposal, and of lists of pieces that haven't acted.

use super::conversation::played_with;

const RULES: &str = r#"
[option.ghosts-walk]
title = "Ghosts come out at midnight"
default = true
[words.army]
values = ["red", "blue"]
[words.flood]
values = ["ebb", "spring"]
[words.cut]
values = ["high-line", "low-line"]
[words.cut.also]
"over the ears" = "high-line"
ankle = "low-line"
[state]
tide = { one_of = "flood" }
pips = { from = 0, to = 6, start = 3, title = "command pips left" }
[chart.falls]
title = "Falls from a wall"
by = "cut: cut"
[chart.falls.rows]
high-line = 4
low-line = 1
[kind.wall]
plural = "walls"
marker = "wall"
breached = { flag = true }
[kind.guard]
plural = "guards"
marker = "guard"
side = { one_of = "army" }
asleep = { flag = true }
hurt = { flag = true }
acted = { flag = true }
[rule.scale]
usage = "scale <who:guard> over <wall:wall>"
phases = ["march"]
require = [{ that = 'not wall.breached', because = "{wall} is breached" }]
after = 'wall.breached = true'
[rule.strike]
usage = "strike <who:guard> at <foe:guard> [edge <edge:-2..2>] [behind] [<cut:cut>]"
also = ["hits", "charges"]
default = { edge = '0', cut = 'low-line' }
phases = ["march"]
require = [{ that = 'who.side != foe.side', because = "{foe} is a friend" }]
after = 'foe.hurt = true'
[rule.aim]
usage = "aim <who:guard>"
phases = ["march"]
after = '''
let aimed = ask "Where to? 1 high-line, 2 low-line" between 1 and 2
if aimed = 2 { who.acted = true }
'''
[rule.hold]
usage = "hold <who:guard>"
phases = ["march"]
after = 'who.acted = true'
[rule.wake]
title = "Call a guard who sleeps"
usage = "wake <who:guard>"
phases = ["dawn"]
after = 'who.asleep = false'
[sides]
are = "army"
[[phase]]
name = "march"
title = "Marches"
verbs = ["scale", "strike", "aim", "hold"]
[[phase]]
name = "dawn"
title = "The night is over"
verbs = ["wake"]
[scenario.one.pieces.wall]
keep = {}
[scenario.one.pieces.guard]
ann = { side = "red" }
bob = { side = "red" }
carl = { side = "blue" }
dora = { side = "blue" }
"#;

fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

#[test]
fn a_line_may_be_about_a_phase_an_option_a_value_or_the_console() {
    for (line, listed) in [
        ("that was a long night", "next to dawn"),
        ("and suddenly ghosts", "option ghosts-walk no"),
        ("the tide!", "set state.tide VALUE"),
        ("a real deck, ours", "dice physical"),
        ("poor souls, all asleep", "set PIECE.asleep yes"),
    ] {
        let (commands, shown) = played(&[line]);
        assert!(commands.is_empty() && shown.contains(listed), "{line}: {shown}");
    }
    // The title of an option is no subject, and an option is none of a line with a piece.
    let (_, shown) = played(&["midnight struck"]);
    assert!(!shown.contains("option"), "{shown}");
    let (_, shown) = played(&["ann fears ghosts"]);
    assert!(!shown.contains("option"), "{shown}");
    // What can't be done isn't listed.
    let restored = "restore the banner, put it up";
    let (_, shown) = played(&[restored]);
    assert!(!shown.contains("redo"), "{shown}");
    let (_, shown) = played(&["strike ann at carl", "undo", restored]);
    assert!(shown.contains("redo"), "{shown}");
    // One word of the console is too little.
    let (_, shown) = played(&["a deck with railings"]);
    assert!(!shown.contains("dice physical"), "{shown}");
}

#[test]
fn a_value_of_the_game_can_be_set_by_its_name() {
    assert_eq!(played(&["set tide spring", "yes"]).0, ["set state.tide spring"]);
    assert_eq!(played(&["set tide to spring", "yes"]).0, ["set state.tide spring"]);
    let (commands, shown) = played(&["set tide off"]);
    assert!(commands.is_empty() && shown.contains("VALUE is `ebb`, `spring`"), "{shown}");
    let (_, shown) = played(&["how many command pips do we have"]);
    assert!(shown.contains("command pips left: 3"), "{shown}");
    let (_, shown) = played(&["how many command pips left"]);
    assert!(shown.contains("command pips left: 3"), "{shown}");
}

#[test]
fn a_refused_line_is_one_of_several_if_it_leaves_words_out() {
    let scaled = "scale ann over keep";
    let (_, shown) = played(&[scaled, "ann scales keep wobbling"]);
    assert!(shown.contains("refused now: keep is breached"), "{shown}");
    assert!(shown.contains("strike ann at carl"), "{shown}");
    // Without such words, the reason is enough.
    let (_, shown) = played(&[scaled, "ann scales keep"]);
    assert!(!shown.contains("strike ann"), "{shown}");
}

#[test]
fn a_yes_with_words_that_have_no_place_does_nothing_yet() {
    let line = "ann gladly charges carl";
    for (answer, done) in [
        ("yes behind", "strike ann carl behind"),
        ("edge 1", "strike ann carl edge 1"),
        ("yes, edge -1", "strike ann carl -1"),
        ("yes, over the ears", "strike ann carl high-line"),
        ("yes, poor devil", "strike ann carl"),
    ] {
        assert_eq!(played(&[line, answer, "yes"]).0.first().unwrap(), done, "{answer}");
    }
    for answer in ["yes, from the flank", "yes, a charge"] {
        let (commands, shown) = played(&[line, answer]);
        assert!(commands.is_empty(), "{answer}: {commands:?}");
        assert!(shown.contains("nothing has been done yet"), "{shown}");
        assert!(shown.contains("edge -2..2"), "{shown}");
        assert_eq!(played(&[line, answer, "yes"]).0, ["strike ann carl"]);
    }
    // Another action comes afterwards.
    let (commands, _) = played(&[line, "yes, bob strikes dora", "yes"]);
    assert_eq!(commands, ["strike ann carl", "strike bob dora"]);
}

#[test]
fn other_phrases_for_a_word_of_the_rules_may_have_several_words() {
    let done = ["strike ann at carl high-line"];
    assert_eq!(played(&["strike ann at carl over the ears", "yes"]).0, done);
    let done = ["strike ann at carl low-line"];
    assert_eq!(played(&["ann strikes at carl ankle", "yes"]).0, done);
    // So may the answer to a question.
    let (_, shown) = played(&["aim ann", "ankle"]);
    assert!(shown.contains("low-line: 2"), "{shown}");
    let (_, shown) = played(&["aim ann", "over the ears"]);
    assert!(shown.contains("low-line: 1"), "{shown}");
    // What is in the line isn't reported as left out.
    let (_, shown) = played(&["ann hastily strikes at carl high-line"]);
    assert!(shown.contains("without `hastily`;"), "{shown}");
}

#[test]
fn pieces_without_a_command_in_this_phase_are_listed() {
    let (_, shown) = played(&["strike ann at carl", "left"]);
    assert!(shown.contains("so far: bob, dora"), "{shown}");
    let (_, shown) = played(&["strike ann at carl", "next to dawn", "who hasn't gone yet"]);
    assert!(shown.contains("so far: ann, bob, carl, dora"), "{shown}");
}

#[test]
fn who_can_do_what_belongs_to_another_phase_names_that_phase() {
    let (_, shown) = played(&["who can wake"]);
    assert!(shown.contains("belongs to phase 2, The night is over"), "{shown}");
}

#[test]
fn pairs_of_pieces_are_commands_of_their_own() {
    let (commands, _) = played(&["ann at carl and bob at dora", "yes", "yes"]);
    assert_eq!(commands, ["strike ann at carl", "strike bob at dora"]);
    let (commands, _) = played(&["strike ann at carl", "bob was too far off, so undo that", "yes"]);
    assert_eq!(commands, [""; 0]);
}

#[test]
fn words_that_advance_the_turn_may_end_a_line() {
    let (commands, _) = played(&["ann gladly charges carl and next", "yes", "yes"]);
    assert_eq!(commands, ["strike ann carl", "next"]);
    // If nothing else is in the line, it isn't divided.
    let (_, shown) = played(&["all done, on to the next turn"]);
    assert!(shown.contains("1  next turn") && !shown.contains("then comes"), "{shown}");
}

#[test]
fn what_is_said_of_a_piece_after_its_name_needs_no_subject() {
    let done = ["strike ann carl behind"];
    assert_eq!(played(&["ann charges carl, he's behind", "yes"]).0, done);
    assert_eq!(played(&["ann gladly charges carl, who is behind", "yes"]).0, done);
}

#[test]
fn the_same_may_be_done_to_another_piece() {
    let (commands, _) = played(&["strike ann carl", "bob does the same at dora", "yes"]);
    assert_eq!(commands, ["strike ann carl", "strike bob dora"]);
    let (commands, _) = played(&["strike ann carl", "bob same target", "yes"]);
    assert_eq!(commands, ["strike ann carl", "strike bob carl"]);
    // A line without a target can't be repeated at it.
    assert_eq!(played(&["aim ann", "ankle", "bob same target", "yes"]).0, ["aim ann"]);
    // At a proposal, the others come afterwards.
    let (commands, _) = played(&["ann gladly strikes carl", "and bob too", "yes"]);
    assert_eq!(commands, ["strike ann carl", "strike bob carl"]);
}

#[test]
fn the_name_of_a_kind_is_no_mistyped_piece() {
    let (_, shown) = played(&["how many walls are breached"]);
    assert!(!shown.contains("keep:"), "{shown}");
    let (_, shown) = played(&["who has the ghosts"]);
    assert!(shown.contains("option"), "{shown}");
}

#[test]
fn a_piece_that_does_nothing_may_make_use_of_a_verb() {
    assert_eq!(played(&["ann holds fire", "yes"]).0, ["hold ann"]);
    let (commands, shown) = played(&["ann doesn't hold anything", "yes"]);
    assert!(commands.is_empty(), "{shown}");
}

#[test]
fn the_rest_of_a_line_that_is_not_wanted_is_reported() {
    let (commands, shown) = played(&["ann gladly charges carl and bob strikes dora", "yes", "no"]);
    assert_eq!(commands, ["strike ann carl"]);
    assert!(shown.contains("not done: `bob strikes dora`"), "{shown}");
}

#[test]
fn help_for_a_word_names_the_other_verbs_that_it_may_mean() {
    let (_, shown) = played(&["help charges"]);
    assert!(shown.contains("read as `help strike`"), "{shown}");
    let (_, shown) = played(&["help sleepers"]);
    assert!(shown.contains("rule wake"), "{shown}");
}

#[test]
fn a_line_may_ask_for_a_table_or_for_the_words_of_a_set() {
    let (_, shown) = played(&["fall chart please"]);
    assert!(shown.contains("`table falls` (Falls from a wall)"), "{shown}");
    let (_, shown) = played(&["which tables are there"]);
    assert!(shown.contains("falls  Falls from a wall"), "{shown}");
    let (_, shown) = played(&["which cuts are there?"]);
    assert!(shown.contains("cut: high-line, low-line"), "{shown}");
    // The models stand on another table.
    let (_, shown) = played(&["ann falls off the table"]);
    assert!(!shown.contains("tables"), "{shown}");
}

#[test]
fn dice_for_something_that_is_not_understood_are_not_all_dice() {
    let (_, shown) = played(&["our own dice for the falls"]);
    assert!(!shown.contains("the players roll the dice:"), "{shown}");
    let (_, shown) = played(&["our own dice for everything"]);
    assert!(shown.contains("the players roll the dice:"), "{shown}");
    let (_, shown) = played(&["our own dice for waking"]);
    assert!(shown.contains("the players roll the dice for `wake`"), "{shown}");
}

#[test]
fn a_question_for_the_reason_without_a_piece_is_about_the_last_result() {
    let (_, shown) = played(&["strike ann carl", "why so badly"]);
    assert_eq!(shown.matches("carl: hurt").count(), 2, "{shown}");
}
