//! Sessions as they read: `tests/sessions/NAME.txt` holds lines behind `> `, each with what it prints.
//!
//! The first line is a remark with the game, and perhaps its scenario and a seed: `# blitz st-pauls candle`. To add a
//! case, write that remark and the lines; `UPDATE_SESSIONS=1 cargo test --test it sessions::` adds what is printed.

use std::collections::VecDeque;

use adjutant_engine::console::{Console, Desk, Effect, EffectFault, Response, Step};
use adjutant_engine::render::markup::Role;
use adjutant_engine::session::Session;

use crate::kit::{Table, cases, path};

/// The game, scenario and seed in the first line of a case.
fn table_of(head: &str) -> Table {
    let mut words = head.trim_start_matches('#').split_whitespace();
    let game = words.next().unwrap();
    let scenario = words.next().unwrap_or("");
    let seed = words.next().unwrap_or("candle");
    Table::at(game, scenario, seed)
}

#[test]
fn every_session_reads_as_it_should() {
    let mut wrong = Vec::new();
    for (name, text) in cases("tests/sessions", "txt") {
        let (head, block) = text.split_once('\n').unwrap();
        let found = table_of(head).retype(block);
        if found.trim_end() == block.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE_SESSIONS").is_some() {
            let file = path("tests/sessions").join(format!("{name}.txt"));
            std::fs::write(file, format!("{head}\n{}\n", found.trim_end())).unwrap();
        } else {
            wrong.push(format!("{name} reads:\n{block}\nbut it prints:\n{found}"));
        }
    }
    let help = "UPDATE_SESSIONS=1 cargo test --test it sessions:: writes what is printed";
    assert!(wrong.is_empty(), "{}\n{help}", wrong.join("\n"));
}

/// The lines of a case that are still to be typed, and everything printed so far.
struct Typing {
    lines: VecDeque<String>,
    typed: usize,
    printed: String,
}

impl Typing {
    /// Types the next line, which shows in what is printed.
    fn line(&mut self) -> Option<String> {
        let line = self.lines.pop_front()?;
        self.typed += 1;
        self.printed += &format!("> {line}\n");
        Some(line)
    }
}

/// Plays a case by the console's steps alone, without the program's loop.
fn step_by_step(session: Session, block: &str) -> String {
    let mut console = Console::new(session, Desk::default());
    let lines = block.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned);
    let mut typing = Typing { lines: lines.collect(), typed: 0, printed: String::new() };
    while let Some(line) = typing.line() {
        let mut step = console.line(&line, 0);
        loop {
            let response = match step {
                Step::Store(_) => Response::Stored(Ok(())),
                Step::Show(reply) => {
                    typing.printed += &reply.text.plain(80);
                    Response::Shown
                }
                Step::Ask(_) => typing.line().map_or(Response::End, Response::Answer),
                Step::Effect(Effect::WriteFile { .. }) => Response::Written(Ok(())),
                Step::Effect(Effect::Reread { .. }) => {
                    Response::Files(Err(EffectFault::of("the rules cannot be reloaded here")))
                }
                Step::Effect(effect) => panic!("{effect:?}"),
                Step::Done(Ok(_)) => break,
                Step::Done(Err(failure)) => {
                    let mut text = console.failure(&failure, &line);
                    text.prefix(Role::Bad, format!("line {}: ", typing.typed));
                    return typing.printed + &text.plain(80);
                }
            };
            step = console.respond(response, 0);
        }
    }
    typing.printed
}

#[test]
fn every_session_reads_the_same_step_by_step() {
    for (name, text) in cases("tests/sessions", "txt") {
        let (head, block) = text.split_once('\n').unwrap();
        let through_the_pipe = table_of(head).retype(block);
        let stepwise = step_by_step(table_of(head).into_session(), block);
        assert_eq!(stepwise.trim_end(), through_the_pipe.trim_end(), "{name}");
    }
}
