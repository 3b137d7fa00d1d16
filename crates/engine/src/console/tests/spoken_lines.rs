//! Tests of longer answers to proposals, of rulings and questions in the umpire's own words, and of
//! other words for those of the rules.

use super::conversation::played_with;

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[words.hand]
values = ["port", "starboard"]
also = { left = "port", right = "starboard" }
[option.lame-men-carry]
title = "A lame man may carry a flag"
default = false
[kind.man]
plural = "men"
marker = "man"
side = { one_of = "army" }
facing = { one_of = "hand" }
hurts = { from = 0, to = 9, title = "wounds", also = ["hurt", "wounded"] }
lame = { flag = true }
orders = { text = true }
boss = { flag = true }
walked = { from = 0, to = 60, bookkeeping = true }
left = { is = '12 - self.walked', title = "inches left" }
[kind.sling]
man = { of = "man" }
[rule.walk]
usage = "walk <who:man+> <inches:1..60> [crouched]"
title = "March across the field"
phases = ["field"]
require = [{ that = 'all m in who: m.walked + inches <= 12', because = "no man walks more than 12 inches" }]
after = 'each m in who { m.walked += inches }'
[rule.shoot]
usage = "shoot <who:man> at <target:man> [<stones:1..3>] [with <arms:sling+>] [lobbed]"
also = ["pelt"]
title = "Shoot stones"
phases = ["field"]
require = [
  { that = 'who.side != target.side', because = "{target} is a friend of {who}" },
  { that = 'who.walked < 6', because = "{who} is out of breath" },
]
after = 'target.hurts += stones'
default = { stones = '1' }
[rule.aim]
usage = "aim <who:man> at <target:man> <distance:1..60> [<stones:1..3>]"
phases = ["field"]
after = 'target.hurts += stones'
default = { stones = '1' }
[rule.turn]
usage = "turn <who:man> <hand:hand> [<points:1..4>]"
default = { points = '1' }
phases = ["field"]
after = 'who.facing = hand'
[rule.tell]
usage = "tell <who:man> to <what:text> [by <boss:man>]"
default = { boss = 'first m in men where m.boss' }
phases = ["field"]
require = [{ that = 'boss.boss', because = "{boss} is nobody's boss" }]
after = 'who.orders = what'
[rule.limp]
title = "A lame man limps home"
reads = "He can carry nothing while he limps."
takes = "who: man"
after = 'who.lame = true'
[sides]
are = "army"
[[phase]]
name = "field"
verbs = ["walk", "shoot", "aim", "turn", "tell"]
[[phase]]
name = "night"
[scenario.one.pieces.man]
anna = { side = "red", boss = true }
eve = { side = "red" }
bob = { side = "blue" }
carl = { side = "blue" }
[scenario.one.pieces.sling]
anna-left = { man = "anna" }
anna-best = { man = "anna" }
eve-best = { man = "eve" }
"#;

/// Returns the commands after the first `next`, and everything that was shown.
fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, lines)
}

#[test]
fn agreeing_after_odds_means_the_line_whose_odds_were_shown() {
    for answer in ["go on then", "do it", "go on then, do it", "yes"] {
        let (commands, _) = played(&["odds shoot anna at bob", answer, "yes"]);
        assert_eq!(commands, ["shoot anna at bob"], "{answer}");
    }
    // After another command, the odds are forgotten.
    assert_eq!(played(&["odds shoot anna at bob", "walk eve 3", "do it"]).0, ["walk eve 3"]);
    // What may end the phase is asked.
    let (commands, shown) = played(&["odds shoot anna at bob", "go on", "1"]);
    assert_eq!(commands, ["shoot anna at bob"]);
    assert!(shown.contains("2  next"), "{shown}");
}

#[test]
fn a_yes_with_more_words_changes_the_proposed_line() {
    assert_eq!(played(&["eve 3", "yes, crouched", "yes"]).0, ["walk eve 3 crouched"]);
    // The program rolls no dice for it, so the number is the one that the line lacks.
    assert_eq!(played(&["anna at bob", "yes, 2", "yes"]).0, ["shoot anna at bob 2"]);
}

#[test]
fn a_no_may_be_followed_by_a_line_of_its_own() {
    for answer in ["no, turn anna port first", "no scratch that, turn anna port"] {
        let (commands, _) = played(&["eve 3", answer, "yes"]);
        assert_eq!(commands, ["turn anna port"], "{answer}");
    }
    // The Kelvin sign is a capital k that takes up more bytes than `k`.
    assert!(played(&["eve 3", "no, s\u{212a}ip it, turn anna port"]).0.is_empty());
    // A complete sentence isn't taken for a change of the proposed line.
    let (commands, _) = played(&["anna at bob", "no eve shoots at carl", "yes"]);
    assert_eq!(commands, ["shoot eve at carl"]);
}

#[test]
fn a_correction_names_the_known_words_that_it_leaves_out() {
    let (_, shown) = played(&["walk eve 3", "no 4 lobbed"]);
    assert!(shown.contains("(without `lobbed`)"), "{shown}");
    assert!(shown.contains("1  oops walk eve 4"), "{shown}");
}

#[test]
fn a_ruling_in_other_words_is_proposed_with_its_reason() {
    let ruled = |line| played(&["shoot anna at bob 2", line, "yes"]).0;
    assert_eq!(ruled("i say bob is lame, he fell")[1], "overrule bob.lame yes: he fell");
    let denied = ruled("i rule bob isn't lame");
    assert_eq!(denied[1], "overrule bob.lame no: umpire's ruling");
    assert_eq!(ruled("bob goes to 0 hurts, my ruling")[1], "overrule bob.hurts 0: my ruling");
    // `overrule` itself needs no attribute if only one can be meant.
    assert_eq!(ruled("overrule bob lame: he fell")[1], "overrule bob.lame yes: he fell");
    // A claim that isn't about a value puts the piece back, as before.
    let (_, shown) = played(&["shoot anna at bob 2", "overrule bob was behind the wall: so"]);
    assert!(shown.contains("bob.hurts 2 → 0"), "{shown}");
}

#[test]
fn a_question_about_what_is_left_is_answered() {
    let (_, shown) = played(&["walk eve 5", "how far can eve still go"]);
    assert!(shown.contains("eve: 7 inches left"), "{shown}");
    assert!(played(&["how many inches has bob got"]).1.contains("bob: 12 inches left"));
    // What isn't counted isn't answered with another count.
    assert!(!played(&["how many stones has bob got"]).1.contains("12 inches left"));
}

#[test]
fn a_question_why_not_is_answered_with_the_reason() {
    let (_, shown) = played(&["walk eve 7", "why can't eve shoot"]);
    assert!(shown.contains("would be refused now: eve is out of breath"), "{shown}");
    // A friend as the target says nothing about the firer.
    let (_, shown) = played(&["why didn't anna shoot"]);
    assert!(shown.contains("`shoot anna at bob` would be accepted now"), "{shown}");
    // A rule that nobody types is named.
    assert!(played(&["why doesn't bob limp"]).1.contains("`rule limp` explains when it happens"));
}

#[test]
fn a_question_about_the_rules_names_where_to_look() {
    let (_, shown) = played(&["can a lame man carry things"]);
    let quote = "`option lame-men-carry` has this:\nA lame man may carry a flag";
    assert!(shown.contains(quote), "{shown}");
    assert!(!shown.contains("`rule turn`"), "{shown}");
    let (_, shown) = played(&["what is the capital of France"]);
    assert!(!shown.contains("see `") && !shown.contains("has this"), "{shown}");
}

#[test]
fn another_word_for_an_attribute_lists_the_pieces_that_have_it() {
    for question in ["who's hurt", "show wounded", "who has been hurt", "is anyone still wounded"] {
        let (_, shown) = played(&["shoot anna at bob 2", question]);
        assert!(shown.contains("men (1 of 4)") && shown.contains("bob"), "{question}: {shown}");
    }
}

#[test]
fn another_word_for_a_word_of_the_rules_is_recorded_as_that_word() {
    assert_eq!(played(&["turn eve left"]).0, ["turn eve port"]);
    assert_eq!(played(&["eve turns 2 to the right", "yes"]).0, ["turn eve starboard 2"]);
}

#[test]
fn a_part_of_the_acting_piece_may_be_named_without_it() {
    let (commands, _) = played(&["shoot anna at bob with best"]);
    assert_eq!(commands, ["shoot anna at bob with anna-best"]);
    let (commands, _) = played(&["shoot anna at bob", "and his best at carl", "yes"]);
    assert_eq!(commands[1], "shoot anna at carl with anna-best");
}

#[test]
fn orders_may_be_typed_as_they_are_spoken() {
    let (commands, _) = played(&["tell bob to stand by the gate"]);
    assert_eq!(commands, ["tell bob to stand by the gate"]);
    let (commands, _) = played(&["tell bob to go home by anna"]);
    assert_eq!(commands, ["tell bob to go home by anna"]);
    let (commands, _) = played(&["anna tells bob to go home", "yes"]);
    assert_eq!(commands, ["tell bob to go home by anna"]);
    let (commands, _) = played(&["anna tells bob and carl to go home", "yes", "yes"]);
    assert_eq!(commands, ["tell bob to go home by anna", "tell carl to go home by anna"]);
    let (commands, shown) = played(&["eve tells bob to go home"]);
    assert!(commands.is_empty() && shown.contains("eve is nobody's boss"), "{shown}");
}

#[test]
fn a_line_in_reply_to_the_last_one_names_nobody() {
    let (commands, _) = played(&["shoot anna at bob", "bob shoots back", "yes"]);
    assert_eq!(commands[1], "shoot bob at anna");
    let (commands, _) = played(&["turn eve starboard 2", "anna follows eve", "yes"]);
    assert_eq!(commands[1], "turn anna starboard 2");
}

#[test]
fn what_is_left_alone_needs_no_line() {
    for line in ["never mind leave him like that", "never mind, leave it", "leave him there"] {
        let (commands, shown) = played(&["walk eve 3", line]);
        assert_eq!(commands, ["walk eve 3"], "{line}");
        assert!(shown.contains("nothing has to be typed for that"), "{line}: {shown}");
    }
}

#[test]
fn a_phrase_that_ends_something_goes_on() {
    assert_eq!(played(&["walk eve 3", "that's all the shooting", "yes"]).0[1], "next");
    assert_eq!(played(&["walk eve 3", "end the turn anyway", "yes"]).0[1..], ["next !", "next !"]);
    // A line that was typed twice is meant once.
    assert_eq!(played(&["walk eve 3", "night night", "yes"]).0[1..], ["next"]);
}

#[test]
fn the_first_act_of_a_line_comes_first() {
    let (commands, shown) = played(&["anna goes 4 then pelts bob", "yes", "yes"]);
    assert_eq!(commands, ["walk anna 4", "shoot anna bob"], "{shown}");
}

#[test]
fn a_number_with_a_noun_of_its_own_is_not_another_number() {
    let (commands, shown) = played(&["anna gladly aims at bob from 5, 2 yells", "yes"]);
    assert_eq!(commands, ["aim anna at bob 5"]);
    assert!(shown.contains("without `2 yells`"), "{shown}");
    assert_eq!(
        played(&["anna gladly aims at bob from 5, 2 stones", "yes"]).0,
        ["aim anna at bob 5 2"]
    );
    // The only number of a line is meant, whatever follows it.
    assert_eq!(played(&["eve gladly walks 3 straight on", "yes"]).0, ["walk eve 3"]);
}

#[test]
fn a_kind_that_the_line_lacks_is_named() {
    let (_, shown) = played(&["eve 3 over to the sling"]);
    assert!(shown.contains("without `sling`"), "{shown}");
}

#[test]
fn a_rest_that_only_adds_a_word_belongs_to_the_line() {
    let (commands, shown) = played(&["eve 3, crouched in the ditch", "yes"]);
    assert_eq!(commands, ["walk eve 3 crouched"]);
    assert!(shown.contains("`ditch`"), "{shown}");
}

#[test]
fn manners_before_a_command_for_another_piece_correct_nothing() {
    let (commands, shown) = played(&["walk eve 3", "sorry, anna walks 4", "1"]);
    assert_eq!(commands, ["walk eve 3", "walk anna 4"], "{shown}");
    // For the same piece, they do.
    assert_eq!(played(&["walk eve 3", "sorry, eve walks 4", "yes"]).0, ["walk eve 4"]);
}

#[test]
fn a_correction_without_its_own_word_is_not_proposed() {
    let (commands, shown) = played(&["shoot anna at bob lobbed", "no, crouched", "yes"]);
    assert_eq!(commands, ["shoot anna at bob lobbed"], "{shown}");
}

#[test]
fn orders_may_follow_a_colon() {
    let (commands, _) = played(&["tell bob: go home", "yes"]);
    assert_eq!(commands, ["tell bob to go home"]);
    let (commands, _) = played(&["anna tells bob: go home", "yes"]);
    assert_eq!(commands, ["tell bob to go home by anna"]);
}

#[test]
fn what_only_happens_to_a_piece_is_no_command() {
    let (commands, _) = played(&["walk eve 3", "bob only loses 2", "yes"]);
    assert_eq!(commands, ["walk eve 3"]);
}
