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
struct Typist {
    console: Console,
    shown: String,
}

impl Typist {
    fn new() -> Typist {
        Typist::playing(RULES)
    }

    fn playing(rules: &str) -> Typist {
        let desk = Desk { is_interactive: true, width: 80, ..Desk::default() };
        Typist { console: Console::new(TestGame::of(rules).session, desk), shown: String::new() }
    }

    /// Types lines, each at the prompt or as the answer to the question that is being asked.
    fn types(&mut self, lines: &[&str]) -> &mut Typist {
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
                        if let Failure::Line(error, _) = &failure {
                            self.shown.push_str(&error.message);
                            self.shown.push_str(error.help.as_deref().unwrap_or_default());
                        }
                        break;
                    }
                };
                step = self.console.respond(response, 0);
            }
        }
        self
    }

    fn commands(&mut self) -> Vec<String> {
        // Cancels a question that is still being asked, because the session can't be read meanwhile.
        if self.console.session().is_none() {
            self.console.respond(Response::Cancelled, 0);
        }
        let session = self.console.session().expect("no session");
        session.entries().iter().map(|entry| entry.line.clone()).collect()
    }
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
