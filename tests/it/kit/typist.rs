//! An umpire who types at random what the program offers, and now and then something else.

use adjutant_engine::command;
use adjutant_engine::console::complete;
use adjutant_engine::session::Session;

/// Words of the console that end the game or write files of their own.
const LEFT_OUT: [&str; 3] = ["quit", "log", "save"];
/// What is typed where nothing is offered: numbers, dice, texts.
const FREE: [&str; 24] = [
    "1",
    "2",
    "3",
    "5",
    "12",
    "007",
    "7/2",
    "-1",
    "+2",
    "3d6",
    "2d6+1",
    "4d6kh3 + 2",
    "10d10!>=8",
    "d66",
    "yes",
    "no",
    "none",
    "\"a # b\"",
    "\"ein Fäßchen\"",
    "it’s over: \\ done",
    "to",
    "at",
    "?",
    "1+1+1+1+1+1+1+1+1+1+1",
];

/// Types lines; the same ones for the same number.
pub struct Typist(u64);

impl Typist {
    /// A typist who begins with this number.
    pub fn new(number: u64) -> Typist {
        Typist(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns one of so many, from 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// Returns a line that is as good as any of those the program could be thought to take.
    pub fn line(&mut self, session: &Session) -> String {
        let referee = session.referee();
        let table = session.table();
        let mut line = String::new();
        for _ in 0..8 {
            let mut words = complete(referee, table, &line, line.len()).words;
            words.retain(|word| !LEFT_OUT.contains(&word.as_str()));
            let word = match self.below(if line.is_empty() { words.len() } else { words.len() + 1 })
            {
                place if place < words.len() => words.swap_remove(place),
                _ => FREE[self.below(FREE.len())].to_owned(),
            };
            line.push_str(&word);
            if self.below(3) > 0 && matches!(command::parse(referee, table, &line), Ok(Some(_))) {
                break;
            }
            line.push(' ');
        }
        if self.below(9) == 0 { format!("{line} !") } else { line }
    }
}
