//! One screen: what `next` or a verb prints at a terminal of 80 by 24, over the recorded evenings.

use std::collections::VecDeque;

use adjutant::console::{Frontend, PromptInput};
use adjutant_engine::console::{Flow, Prompt, Reply, is_word};
use adjutant_engine::render::document::Document;

use crate::kit::{Table, cases};

const WIDTH: usize = 80;
/// The rows between the line that was typed and the next prompt.
const HEIGHT: usize = 22;

/// A frontend that keeps what is shown.
#[derive(Default)]
struct Script {
    lines: VecDeque<String>,
    shown: Document,
}

impl Frontend for Script {
    fn show(&mut self, reply: &Reply) {
        self.shown.extend(reply.text.clone());
    }

    fn ask(&mut self, _: &Prompt) -> PromptInput {
        self.lines.pop_front().map_or(PromptInput::End, PromptInput::Line)
    }

    fn width(&self) -> usize {
        WIDTH
    }
}

/// Returns what the hands must do in a printed answer, phase by phase.
fn hands(printed: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut inside = false;
    for line in printed.lines() {
        let begins = line.starts_with("On the table:");
        inside = begins || (inside && line.starts_with(&" ".repeat(15)));
        match found.last_mut() {
            Some(last) if inside && !begins => last.extend(["\n", line]),
            _ if begins => found.push(line.to_owned()),
            _ => {}
        }
    }
    found
}

#[test]
fn an_answer_fits_the_screen_and_shows_what_the_hands_must_do() {
    let mut long: Vec<String> = Vec::new();
    for (name, script) in cases("tests/evenings", "txt") {
        let arguments = script.lines().next().unwrap().trim_start_matches("# play ");
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let of = |option: &str| {
            words.iter().position(|w| *w == option).map_or("", |place| words[place + 1])
        };
        let mut table =
            Table::at(words[0], of("--scenario"), of("--seed")).ask_random(of("--ask") == "random");
        let lines = script.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
        let mut ui = Script { lines: lines.map(str::to_owned).collect(), ..Script::default() };
        while let Some(line) = ui.lines.pop_front() {
            ui.shown = Document::new();
            match table.game.line(&line, &mut ui) {
                Ok(Flow::On) => {}
                Ok(Flow::Leave) => break,
                Err(failure) => panic!("{name}: {line}: {failure:?}"),
            }
            let full = ui.shown.plain(WIDTH);
            let folded = ui.shown.folded(WIDTH, HEIGHT).plain(WIDTH);
            let word = line.split_whitespace().next().unwrap_or_default();
            if is_word(word) && word != "next" {
                continue;
            }
            if folded.lines().count() > HEIGHT {
                long.push(format!("{name}: {line}\n{folded}"));
            }
            for hands in hands(&full) {
                assert!(folded.contains(&hands), "{name}: {line}\n{hands}\n\n{folded}");
            }
            // Every card that was drawn is read out, however short the rest is.
            let cards = |text: &str| text.matches(['♣', '♦', '♥', '♠']).count();
            assert_eq!(cards(&folded), cards(&full), "{name}: {line}\n{folded}");
            if std::env::var_os("SHOW_FOLDED").is_some() && folded != full {
                println!("{name}> {line}\n{folded}");
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
