//! Tests of the steps of a console, and of its behaviour if the program responds wrongly.

mod conversation;
mod hurried_lines;
mod incomplete_lines;
mod left_out;
mod loose_lines;
mod phase_titles;
mod recent_results;
mod rule_questions;
mod said_states;
mod several_steps;
mod spoken_lines;
mod spoken_questions;
mod statements;
mod topics;
mod unclear_lines;

use super::{Console, Desk, Effect, Failure, Flow, Response, Step, StorageFault};
use crate::session::testing::TestGame;

const RULES: &str = r#"
[kind.man]
plural = "men"
hits = { from = 0, to = 9 }
[rule.reckon]
usage = "reckon <who:man>"
after = 'who.hits = ask "How many?" between 1 and 5'
[[phase]]
name = "march"
[[phase]]
name = "fire"
[[phase]]
name = "rally"
[scenario.one.pieces.man]
ann = {}
"#;

fn console() -> Console {
    Console::new(TestGame::of(RULES).session, Desk::default())
}

fn commands(console: &Console) -> usize {
    console.session().unwrap().entries().len()
}

/// Stores and shows everything up to the next question, effect or end. Returns that step, and the
/// number of replies.
fn go_on(console: &mut Console, mut step: Step) -> (Step, usize) {
    let mut replies = 0;
    loop {
        let response = match step {
            Step::Store(_) => Response::Stored(Ok(())),
            Step::Show(_) => {
                replies += 1;
                Response::Shown
            }
            step => return (step, replies),
        };
        step = console.respond(response, 0);
    }
}

fn done(step: &Step) -> &Result<Flow, Failure> {
    let Step::Done(done) = step else { panic!("{step:?}") };
    done
}

#[test]
fn nothing_is_shown_before_its_record_is_stored() {
    let mut console = console();
    let begun = console.session().unwrap().journal();
    let Step::Store(record) = console.line("next", 7) else { panic!("no record") };
    assert!(record.starts_with(b"{\"sum\":") && record.ends_with(b"}\n"));
    // In the middle of a line, the session can't be accessed.
    assert!(console.session().is_none() && console.prompt(0).is_empty());
    let Step::Show(reply) = console.respond(Response::Stored(Ok(())), 8) else { panic!() };
    assert!(reply.text.plain(80).contains("march"));
    assert_eq!(done(&console.respond(Response::Shown, 9)), &Ok(Flow::On));
    assert_eq!(console.session().unwrap().journal(), [begun, record].concat());
}

#[test]
fn a_record_that_is_not_stored_has_not_happened() {
    let mut console = console();
    let before = console.session().unwrap().journal();
    for can_go_on in [false, true] {
        let message = "the disk is full".to_owned();
        let fault = StorageFault { message, can_go_on, is_unsure: false };
        console.line("next", 0);
        let step = console.respond(Response::Stored(Err(fault)), 0);
        let failure = done(&step).clone().unwrap_err();
        assert_eq!(failure.to_string(), "the disk is full");
        assert_eq!(console.session().unwrap().journal(), before);
        assert_eq!(commands(&console), 0);
    }
    // A program that responds with something else hasn't stored the record, either.
    console.line("next", 0);
    assert!(done(&console.respond(Response::Shown, 0)).is_err());
    assert_eq!(console.session().unwrap().journal(), before);
}

#[test]
fn a_line_in_the_middle_of_another_is_its_answer() {
    let mut console = console();
    let Step::Ask(prompt) = console.line("reckon ann", 0) else { panic!("no question") };
    assert_eq!(prompt.asked, "How many?");
    let step = console.line("4", 0);
    let (step, _) = go_on(&mut console, step);
    assert_eq!(done(&step), &Ok(Flow::On));
    assert_eq!(console.session().unwrap().entries()[0].outcome.answered_questions().count(), 1);
}

#[test]
fn a_question_can_be_cancelled_or_left_open() {
    let mut console = console();
    for response in [Response::Cancelled, Response::End, Response::Shown] {
        assert!(matches!(console.line("reckon ann", 0), Step::Ask(_)));
        assert!(done(&console.respond(response, 0)).is_err());
        assert_eq!(commands(&console), 0);
    }
}

#[test]
fn an_answer_to_nothing_does_nothing() {
    let mut console = console();
    for step in [console.answer("yes", 0), console.respond(Response::Stored(Ok(())), 0)] {
        assert!(done(&step).is_err());
    }
    // The response doesn't answer a later question, either.
    assert!(matches!(console.line("reckon ann", 0), Step::Ask(_)));
}

#[test]
fn a_handle_stops_between_phases_and_only_the_line_that_runs() {
    let mut console = console();
    let stop = console.stop_handle();
    // A stop before the line is ignored.
    stop.stop();
    let step = console.line("next 3", 0);
    let (step, replies) = go_on(&mut console, step);
    assert_eq!((done(&step), replies, commands(&console)), (&Ok(Flow::On), 3, 3));
    let step = console.line("next 3", 0);
    assert!(matches!(step, Step::Store(_)));
    stop.stop();
    let (step, replies) = go_on(&mut console, step);
    // One phase is played, and a remark reports the stop.
    assert_eq!((done(&step), replies, commands(&console)), (&Ok(Flow::On), 2, 4));
}

#[test]
fn effects_are_left_to_the_program() {
    let mut console = console();
    let Step::Effect(Effect::WriteFile { path, bytes, .. }) = console.line("log to evening.txt", 0)
    else {
        panic!("no file");
    };
    assert_eq!(path, "evening.txt");
    assert!(!bytes.is_empty());
    // A program that can't write reports a failure, or responds with something else.
    assert!(done(&console.respond(Response::End, 0)).is_err());
    assert!(matches!(console.line("save club", 0), Step::Effect(Effect::Save { .. })));
    let step = console.respond(Response::Saved(Ok("/sessions/club".to_owned())), 0);
    let (step, replies) = go_on(&mut console, step);
    assert_eq!((done(&step), replies), (&Ok(Flow::On), 1));
}
