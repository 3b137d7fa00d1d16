//! Tests of lines typed at a keyboard that lead to a proposal or consist of several sentences. Each test
//! types lines as people do and checks the commands recorded afterwards.

use crate::console::{Console, Desk, Failure, Flow, Response, Step};
use crate::session::testing::TestGame;

const RULES: &str = r#"
[kind.man]
plural = "men"
marker = "man"
hits = { from = 0, to = 9 }
at = { of = "man" }
[rule.shoot]
usage = "shoot <who:man> at <target:man> <inches:1..60>"
phases = ["fire"]
after = 'target.hits += 1'
[rule.walk]
usage = "walk <who:man> <inches:1..60>"
phases = ["march", "fire"]
after = 'who.hits += 1'
[rule.tally]
usage = "tally <who:man>"
after = 'say "{who} has {who.hits} hits"'
[rule.reckon]
usage = "reckon <who:man>"
after = 'who.hits = ask "How many? 1 head, 2 chest, 5 boots" between 1 and 5'
[[phase]]
name = "march"
verbs = ["walk"]
[[phase]]
name = "rest"
verbs = ["walk"]
[[phase]]
name = "fire"
verbs = ["shoot", "walk"]
[scenario.one.pieces.man]
ann = {}
bob = {}
carl = {}
"#;

/// A console at a keyboard, with everything that it has shown.
pub(super) struct Typist {
    console: Console,
    shown: String,
}

impl Typist {
    fn new() -> Typist {
        Typist::playing(RULES)
    }

    pub(super) fn playing(rules: &str) -> Typist {
        let desk = Desk { is_interactive: true, width: 80, ..Desk::default() };
        Typist { console: Console::new(TestGame::of(rules).session, desk), shown: String::new() }
    }

    /// Types lines, each at the prompt or as the answer to the question that is being asked.
    pub(super) fn types(&mut self, lines: &[&str]) -> &mut Typist {
        for line in lines {
            let mut step = self.console.line(line, 0);
            loop {
                let response = match step {
                    Step::Ask(prompt) => {
                        self.shown.push_str(&prompt.text.plain(80));
                        break;
                    }
                    Step::Store(_) => Response::Stored(Ok(())),
                    Step::Show(reply) => {
                        self.shown.push_str(&reply.text.plain(80));
                        self.shown.push('\n');
                        Response::Shown
                    }
                    Step::Effect(effect) => panic!("{effect:?}"),
                    Step::Done(Ok(Flow::On | Flow::Leave)) => break,
                    Step::Done(Err(failure)) => {
                        if let Failure::Line(error, within) = &failure {
                            if let Some(line) = within {
                                self.shown.push_str(&format!("in `{line}`: "));
                            }
                            self.shown.push_str(&error.message);
                            self.shown.push_str(error.help.as_deref().unwrap_or_default());
                            for possible in error.possible_lines() {
                                self.shown
                                    .push_str(&format!("\n{}: {}", possible.line, possible.note));
                            }
                        }
                        break;
                    }
                };
                step = self.console.respond(response, 0);
            }
        }
        self
    }

    /// Types a line that the rules refuse, and returns the message with its hints.
    pub(super) fn refusal(&mut self, line: &str) -> String {
        match self.console.line(line, 0) {
            Step::Done(Err(Failure::Refused(reason, hints))) => format!("{reason} {hints:?}"),
            step => panic!("not refused: {step:?}"),
        }
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn commands(&mut self) -> Vec<String> {
        // Cancels a question that is still being asked, because the session can't be read meanwhile.
        if self.console.session().is_none() {
            let mut step = self.console.respond(Response::Cancelled, 0);
            while let Step::Show(_) = step {
                step = self.console.respond(Response::Shown, 0);
            }
        }
        let session = self.console.session().expect("no session");
        session.entries().iter().map(|entry| entry.line.clone()).collect()
    }
}

/// Returns the commands after the first `next` in a game with these rules, and everything that was
/// shown.
pub(super) fn played_with(rules: &str, lines: &[&str]) -> (Vec<String>, String) {
    let mut typist = Typist::playing(rules);
    let commands = typist.types(&["next"]).types(lines).commands();
    println!("{lines:?}\n{}\n", typist.shown());
    (commands[1..].to_vec(), typist.shown().to_owned())
}

/// Returns the same as [`played_with`], with everything that was shown on one line, so that a line break
/// doesn't split what a test looks for.
pub(super) fn played_on_one_line(rules: &str, lines: &[&str]) -> (Vec<String>, String) {
    let (commands, shown) = played_with(rules, lines);
    let words: Vec<&str> = shown.split_whitespace().collect();
    (commands, words.join(" "))
}

/// Returns the commands recorded after these lines. A failing test prints everything that was shown.
fn commands(lines: &[&str]) -> Vec<String> {
    let mut typist = Typist::new();
    let recorded = typist.types(lines).commands();
    println!("{lines:?}\n{}\n", typist.shown);
    recorded
}

#[test]
fn each_sentence_is_read_as_a_line() {
    assert_eq!(commands(&["next", "bob stays here. walk ann 5", "yes"]), ["next", "walk ann 5"]);
    assert_eq!(commands(&["next", "walk ann 5. who can walk?"]), ["next", "walk ann 5"]);
    assert_eq!(commands(&["next", "who can walk? walk ann 5", "yes"]), ["next", "walk ann 5"]);
    let three = ["next", "what a mess. bob stays put. walk ann 5", "y"];
    assert_eq!(commands(&three), ["next", "walk ann 5"]);
    // Without consent, nothing that follows a sentence without a meaning is carried out.
    assert_eq!(commands(&["next", "what a mess. walk ann 5", "no"]), ["next"]);
}

#[test]
fn a_command_of_the_console_may_follow_or_precede_a_remark() {
    for line in ["bloody hell, undo", "undo that, he only moved 3", "oh no no, go back"] {
        assert_eq!(commands(&["next", "walk ann 5", line, "yes"]), ["next"], "{line}");
    }
    for line in ["all in, next", "crew done, on to the next phase", "nxt", "ok, nxt pls"] {
        let recorded = commands(&["next", "walk ann 5", line, "yes"]);
        assert_eq!(recorded, ["next", "walk ann 5", "next"], "{line}");
    }
}

#[test]
fn going_back_to_a_phase_undoes_what_came_after_its_beginning() {
    let played = ["next", "walk ann 5", "next", "next", "shoot ann at bob 5"];
    let back = |line| [&played[..], &[line, "yes"]].concat();
    assert_eq!(commands(&back("take us back to march")), ["next"]);
    assert_eq!(commands(&back("back to fire")), ["next", "walk ann 5", "next", "next"]);
}

#[test]
fn undo_after_a_line_of_several_commands_names_the_line() {
    let mut typist = Typist::new();
    typist.types(&["next to fire", "undo"]);
    assert!(
        typist.shown.contains("`next to fire` was 3 commands; `undo to 0`"),
        "{}",
        typist.shown
    );
    assert_eq!(typist.commands(), ["next", "next"]);
    // Another command ends that.
    let mut typist = Typist::new();
    typist.types(&["next to fire", "walk ann 3", "undo", "undo"]);
    assert!(!typist.shown.contains("was 3 commands"), "{}", typist.shown);
}

#[test]
fn undo_at_a_proposal_only_discards_the_proposal() {
    assert_eq!(commands(&["next", "walk ann 5", "nextt", "undo"]), ["next", "walk ann 5"]);
}

#[test]
fn undo_with_words_after_it_takes_back_a_question() {
    for line in ["undo", "u", "undo that, wrong man", "Undo, sorry"] {
        let recorded = commands(&["next", "reckon ann", line, "walk ann 5"]);
        assert_eq!(recorded, ["next", "walk ann 5"], "{line}");
    }
}

#[test]
fn an_answer_may_be_a_name_in_the_question_or_have_words_after_it() {
    for answer in ["5", "5 boots", "boots", "5, the boots"] {
        let mut typist = Typist::new();
        typist.types(&["next", "reckon ann", answer, "tally ann"]);
        assert!(typist.shown.contains("ann has 5 hits"), "{answer}: {}", typist.shown);
    }
}

#[test]
fn several_pieces_in_front_of_a_verb_act() {
    let mut typist = Typist::new();
    typist.types(&["next to fire", "bob carl shoot ann 13"]);
    assert!(!typist.shown.contains("shoot ann at"), "{}", typist.shown);
}

#[test]
fn a_long_line_of_sentences_is_not_divided() {
    let many = "x y. ".repeat(20_000);
    assert_eq!(commands(&["next", &many]), ["next"]);
    let many = "all in, ".repeat(20_000);
    assert_eq!(commands(&["next", &many]), ["next"]);
}

#[test]
fn a_halved_die_is_halved_however_its_face_is_typed() {
    // The sample begins in the middle of `[game]`.
    let rules = r#"
halved_d3 = true
[kind.man]
plural = "men"
marker = "man"
hits = { from = 0, to = 99 }
[rule.shoot]
usage = "shoot <who:man>"
after = '''
let tens = roll(1d10)
let rest = roll(1d3)
who.hits = tens * 10 + rest
say "{who} has {who.hits} hits"
'''
[[phase]]
name = "fire"
[scenario.one.pieces.man]
ann = {}
"#;
    for lines in [&["7", "5"][..], &["7 5"]] {
        let mut typist = Typist::playing(rules);
        typist.types(&["dice physical", "shoot ann"]).types(lines);
        assert!(typist.shown.contains("ann has 73 hits"), "{lines:?}: {}", typist.shown);
    }
    // A face that the second die doesn't have is asked for again, and so is a surplus one.
    let mut typist = Typist::playing(rules);
    typist.types(&["dice physical", "shoot ann", "7 9", "5"]);
    assert!(typist.shown.contains("`9` doesn't fit the next dice"), "{}", typist.shown);
    assert!(typist.shown.contains("ann has 73 hits"), "{}", typist.shown);
    let mut typist = Typist::playing(rules);
    typist.types(&["dice physical", "shoot ann", "7 5 2", "7 5"]);
    assert!(typist.shown.contains("too many") && typist.shown.contains("ann has 73 hits"));
}

#[test]
fn a_yes_may_have_more_words_but_not_a_correction() {
    for yes in ["yes thanks", "yes please", "ok, do it"] {
        assert_eq!(commands(&["next", "walk anne 5", yes]), ["next", "walk ann 5"], "{yes}");
    }
    assert_eq!(commands(&["next", "walk anne 5", "yes but 4"]), ["next"]);
}

#[test]
fn an_answer_to_a_proposal_may_change_it_or_say_what_comes_next() {
    let after = |answers: &[&str]| commands(&[&["next", "walk anne 5"], answers].concat());
    for change in ["yes but 4", "no, 4", "make that 4", "no I meant 4"] {
        assert_eq!(after(&[change, "yes"]), ["next", "walk ann 4"], "{change}");
        assert_eq!(after(&[change, "no"]), ["next"], "{change}");
    }
    assert_eq!(after(&["no, bob", "yes"]), ["next", "walk bob 5"]);
    for more in ["yes and bob too", "yes, bob 5 as well"] {
        assert_eq!(after(&[more, "yes"]), ["next", "walk ann 5", "walk bob 5"], "{more}");
    }
    assert_eq!(after(&["yes and then next"]), ["next", "walk ann 5"]);
    for no in ["no, leave it", "nah forget it", "no no"] {
        assert_eq!(after(&[no]), ["next"], "{no}");
    }
    // A refused line may be corrected in the form in which it was typed.
    assert_eq!(commands(&["next", "ann walks 500", "no, 5", "yes"]), ["next", "walk ann 5"]);
    // A no may be followed by another line.
    assert_eq!(after(&["no, walk carl 7"]), ["next", "walk carl 7"]);
}

#[test]
fn of_two_clauses_the_one_that_does_nothing_needs_no_command() {
    for line in [
        "bob stays put, ann walks 5",
        "bob doesn't move, ann walks 5",
        "bob and carl hold, ann walks 5",
        "ann walks 5, bob sits tight",
        "ann walks 5 and bob doesn't move",
    ] {
        assert_eq!(commands(&["next", line, "yes"]), ["next", "walk ann 5"], "{line}");
    }
    for line in ["bob isn't moving", "bob and carl are staying put", "bob does not shoot"] {
        assert_eq!(commands(&["next", line, "yes"]), ["next"], "{line}");
    }
}

#[test]
fn a_verb_for_one_piece_is_carried_out_for_each_of_a_list() {
    for line in ["walk ann and bob 5", "ann and bob 5", "ann, bob walk 5", "ann 5, bob 5"] {
        let recorded = commands(&["next", line, "yes", "yes"]);
        assert_eq!(recorded, ["next", "walk ann 5", "walk bob 5"], "{line}");
    }
}

#[test]
fn a_correction_is_for_the_command_of_the_piece_that_it_names() {
    let played = ["next", "walk ann 5", "walk bob 6", "walk carl 7"];
    let after = |lines: &[&str]| commands(&[&played[..], lines].concat());
    for line in ["actually ann only walked 3", "sorry, ann 3", "change ann to 3"] {
        let recorded = after(&[line, "yes", "yes"]);
        assert_eq!(recorded, ["next", "walk ann 3", "walk bob 6", "walk carl 7"], "{line}");
    }
    assert_eq!(after(&["no, 3", "yes"]), ["next", "walk ann 5", "walk bob 6", "walk carl 3"]);
    let recorded = after(&["drop command 3", "yes", "yes"]);
    assert_eq!(recorded, ["next", "walk ann 5", "note left out", "walk carl 7"]);
}

/// Returns the rules with a verb for several men together.
fn rules_with_drill() -> String {
    let drill = "[rule.drill]\nusage = \"drill <those:man+> <inches:1..60>\"\nafter = 'each m in those { m.hits += 1 }'\n";
    RULES.replace("[rule.tally]", &format!("{drill}[rule.tally]"))
}

#[test]
fn a_correction_may_be_for_some_pieces_of_a_list() {
    let mut typist = Typist::playing(&rules_with_drill());
    typist.types(&["next", "drill ann,bob,carl 20", "no, carl only 15", "yes", "yes"]);
    assert_eq!(typist.commands(), ["next", "drill ann,bob 20", "drill carl 15"]);
}

#[test]
fn a_rule_that_a_phase_runs_by_itself_is_not_run_twice_unawares() {
    let rules = r#"
[kind.man]
plural = "men"
marker = "man"
hits = { from = 0, to = 9 }
[rule.bleed]
usage = "bleed"
after = 'each m in men { m.hits += 1 }'
[[phase]]
name = "march"
[[phase]]
name = "bleed"
do = 'bleed()'
[scenario.one.pieces.man]
ann = {}
"#;
    let after = |lines: &[&str]| {
        let mut typist = Typist::playing(rules);
        typist.types(&[&["next"], lines].concat()).commands()
    };
    assert_eq!(after(&["ok bleed now", "1"]), ["next", "next"]);
    assert_eq!(after(&["bleed", "2"]), ["next", "bleed"]);
    assert_eq!(after(&["next", "bleed", "no"]), ["next", "next"]);
    assert_eq!(after(&["next", "bleed", "2"]), ["next", "next", "bleed"]);
    assert_eq!(after(&["next", "bleed", "1"]), ["next", "next", "next"]);
}

#[test]
fn undo_asks_if_its_number_may_be_that_of_a_command() {
    let mut played = vec!["next to fire"];
    played.extend(["shoot ann at bob 5"; 7]);
    let after = |lines: &[&str]| commands(&[&played[..], lines].concat()).len();
    assert_eq!(after(&["undo 7", "no"]), 10);
    assert_eq!(after(&["undo 7", "yes"]), 3);
    assert_eq!(after(&["undo 3"]), 7);
}

#[test]
fn a_question_at_a_proposal_is_answered_and_the_proposal_stands() {
    for question in ["odds?", "who can walk?", "how likely is that"] {
        let recorded = commands(&["next", "walk anne 5", question, "yes"]);
        assert_eq!(recorded, ["next", "walk ann 5"], "{question}");
    }
}

#[test]
fn pieces_can_be_taken_out_of_a_list() {
    let rules = rules_with_drill();
    let after = |lines: &[&str]| {
        let mut typist = Typist::playing(&rules);
        typist.types(&[&["next"], lines].concat()).commands()
    };
    let others = ["next", "drill ann,carl 5"];
    assert_eq!(after(&["drill anne,bob,carl 5", "yes except bob", "yes"]), others);
    assert_eq!(after(&["drill ann,bob,carl 5", "bob shouldn't have moved", "yes"]), others);
    assert_eq!(after(&["drill ann,bob,carl 5", "take bob back", "yes"]), others);
}

#[test]
fn a_number_with_its_word_replaces_no_other_number() {
    let rules = RULES.replace(
        "[rule.tally]",
        "[rule.aim]\nusage = \"aim <who:man> at <target:man> range <inches:1..60> [seen <part:1..5>]\"\ndefault = { part = '5' }\nafter = 'target.hits += 1'\n[rule.tally]",
    );
    let mut typist = Typist::playing(&rules);
    typist.types(&["next", "aim ann at bob range 12", "no, seen 3", "yes"]);
    assert_eq!(typist.commands(), ["next", "aim ann at bob range 12 seen 3"]);
    let mut typist = Typist::playing(&rules);
    typist.types(&["next", "aim anne at bob range 12", "yes, seen 3", "yes"]);
    assert_eq!(typist.commands(), ["next", "aim ann at bob range 12 seen 3"]);
}
