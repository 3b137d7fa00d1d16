//! What a model reads of the program: the dice of a line in their order, the cards, and the markers after it.

use std::collections::{BTreeMap, VecDeque};

use adjutant_engine::referee::Event;
use adjutant_engine::ruleset::FileText;
use adjutant_engine::tabletop::inventory;

use crate::kit::Table;

/// What the program did otherwise than the book.
pub type Wrong = String;

/// Dice that were rolled for one thing.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The dice as they are written: `2d6`.
    pub dice: String,
    /// The faces, of all rolls one after another.
    pub faces: Vec<i64>,
    /// The total of each roll, with its modifiers.
    pub totals: Vec<i64>,
    /// Whether each roll passed, if it was judged.
    pub passed: Vec<Option<bool>>,
}

/// A game of the program.
pub struct Page {
    table: Table,
    line: String,
    throws: VecDeque<Thrown>,
    /// The cards drawn by the line, and each shuffle as an empty name.
    pub cards: VecDeque<String>,
    markers: BTreeMap<(String, String), String>,
}

impl Page {
    /// Begins a scenario.
    pub fn new(game: &str, files: &[FileText], scenario: &str, seed: u64) -> Page {
        let table = Table::by(game, files, scenario, &format!("model {seed}"));
        let mut page = Page {
            table,
            line: String::new(),
            throws: VecDeque::new(),
            cards: VecDeque::new(),
            markers: BTreeMap::new(),
        };
        page.read();
        page
    }

    fn read(&mut self) {
        let values = inventory(self.table.session().table()).into_iter();
        self.markers =
            values.map(|(of, value)| ((of.piece, of.attribute), value.to_string())).collect();
    }

    /// Types a line with its answers; it must be played.
    pub fn types(&mut self, line: &str, answers: &[i64]) -> Result<(), Wrong> {
        let mut answers = answers.iter();
        self.asks(line, |_| answers.next().map_or_else(String::new, ToString::to_string))?;
        if answers.len() > 0 {
            return Err(format!(
                "`{line}` asks {} questions fewer than in the book",
                answers.len()
            ));
        }
        Ok(())
    }

    /// Types a line that must be played, and answers what it asks. Returns the answers.
    pub fn asks(
        &mut self,
        line: &str,
        mut answer: impl FnMut(&str) -> String,
    ) -> Result<Vec<String>, Wrong> {
        line.clone_into(&mut self.line);
        let before = self.table.session().entries().len();
        let mut answers = Vec::new();
        // A line that lacks an answer leaves all as it was, and throws the same dice when it is typed again.
        while let Some(fault) = self.table.feed(&format!("{line}\n{}", answers.concat())) {
            let asked = fault.contains("an answer was expected");
            let given = if asked { answer(&fault) } else { String::new() };
            if given.is_empty() || answers.len() > 20 {
                return Err(format!("`{line}` is not played: {fault}"));
            }
            answers.push(given + "\n");
        }
        let entries = self.table.session().entries();
        let events = entries[before..].iter().flat_map(|entry| entry.outcome.events.iter());
        for event in events {
            match event {
                Event::Check(check) => {
                    let pools = check.rolls.iter().filter_map(|roll| roll.pool.as_ref());
                    let whole = |number: &str| number.parse().unwrap_or(i64::MIN);
                    let digits = |shown: &str| {
                        let faces = shown.split(|c: char| !c.is_ascii_digit());
                        faces.filter_map(|face| face.parse().ok()).collect::<Vec<i64>>()
                    };
                    let throws = &check.throws;
                    self.throws.push_back(Thrown {
                        dice: pools.map(ToString::to_string).collect::<Vec<_>>().join(" "),
                        faces: check.rolls.iter().flat_map(|roll| digits(&roll.shown)).collect(),
                        totals: throws.iter().map(|t| whole(&t.total.to_string())).collect(),
                        passed: throws.iter().map(|t| t.passed).collect(),
                    });
                }
                Event::Taken { what, .. } => self.cards.push_back(what.clone()),
                Event::Shuffled { .. } => self.cards.push_back(String::new()),
                _ => {}
            }
        }
        self.read();
        Ok(answers.iter().map(|given| given.trim_end().to_owned()).collect())
    }

    /// Forgets the dice of the line, which another model judges.
    pub fn passes_over(&mut self) {
        self.throws.clear();
        self.cards.clear();
    }

    /// Types a line that the book forbids; it must be refused.
    pub fn refuses(&mut self, line: &str) -> Result<(), Wrong> {
        match self.table.feed(line) {
            Some(_) => Ok(()),
            None => Err(format!("`{line}` is played, against the book")),
        }
    }

    /// The next dice of the line, which must be these.
    pub fn throw(&mut self, dice: &str, what: &str) -> Result<Thrown, Wrong> {
        match self.throws.pop_front() {
            Some(thrown) if thrown.dice == dice => Ok(thrown),
            found => {
                Err(format!("`{}`: {what} is {dice} in the book, and is {found:?}", self.line))
            }
        }
    }

    /// So many single dice thrown together, each of which must have been judged so. Returns how many pass.
    pub fn judged(
        &mut self,
        (count, die): (usize, &str),
        what: &str,
        passes: impl Fn(i64) -> bool,
    ) -> Result<usize, Wrong> {
        if count == 0 {
            return Ok(0);
        }
        let thrown = self.throw(&vec![die; count].join(" "), what)?;
        let size = thrown.faces.len() / count;
        let totals = thrown.faces.chunks(size).map(|faces| faces.iter().sum());
        let success: Vec<_> = totals.map(|total| Some(passes(total))).collect();
        if thrown.passed == success {
            return Ok(success.iter().filter(|&&passed| passed == Some(true)).count());
        }
        Err(format!("`{}`: {what} is {success:?} in the book, {thrown:?}", self.line))
    }

    /// No dice and cards of the line may be left.
    pub fn is_done(&mut self) -> Result<(), Wrong> {
        match (self.throws.pop_front(), self.cards.pop_front()) {
            (None, None) => Ok(()),
            extra => Err(format!("`{}`: the book has no {extra:?}", self.line)),
        }
    }

    /// A marker as the program shows it.
    pub fn marker(&self, piece: &str, marker: &str) -> &str {
        let key = (piece.to_owned(), marker.to_owned());
        self.markers.get(&key).unwrap_or_else(|| panic!("{piece} has no {marker}"))
    }

    /// A marker must have this value in the book.
    #[allow(clippy::needless_pass_by_value, reason = "callers pass numbers and texts as they are")]
    pub fn expect(&self, piece: &str, marker: &str, value: impl ToString) -> Result<(), Wrong> {
        let (found, value) = (self.marker(piece, marker), value.to_string());
        if found == value {
            return Ok(());
        }
        Err(format!("after `{}` {piece} {marker} is {found}, in the book {value}", self.line))
    }
}

/// Plays games of a model until one differs. Returns the lines that were compared.
pub fn games(
    count: u64,
    mut play: impl FnMut(u64) -> Result<usize, Wrong>,
) -> Result<usize, Wrong> {
    let mut lines = 0;
    for game in 0..count {
        lines += play(game).map_err(|wrong| format!("game {game}: {wrong}"))?;
    }
    Ok(lines)
}
