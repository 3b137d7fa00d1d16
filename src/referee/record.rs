//! The host of a command at the table: takes dice from the session, answers from the umpire, and keeps
//! everything that happens.

use super::outcome::{Check, Event, Outcome, Throw};
use super::{Answer, Dice, Inputs};
use crate::dice::{Pool, Source, SourceError};
use crate::language::machine::{Answers, Bound, Halt, Host, Lot, Question};
use crate::language::number::Number;
use crate::language::schema::{ColumnId, DeckId, KindId, ListId, RuleId, Schema};
use crate::language::syntax::Operator;
use crate::tabletop::{Cell, Change, Tabletop};

/// A change as the machine tells it; texts are still numbers.
#[derive(Clone, Debug)]
enum Told {
    Event(Event),
    Cell(ColumnId, u32, i64, i64),
}

/// Counts the faces that fall.
struct Counted<'a> {
    dice: &'a mut Dice,
    faces: &'a mut Vec<u32>,
    sides: &'a mut Vec<u32>,
    prompts: &'a mut Vec<u32>,
}

impl Source for Counted<'_> {
    fn fill(&mut self, sides: u32, faces: &mut [u32]) -> Result<(), SourceError> {
        match self.dice {
            Dice::Seeded(s) => s.fill(sides, faces)?,
            Dice::Scripted(s) => s.fill(sides, faces)?,
            Dice::Physical(s) => s.fill(sides, faces)?,
        }
        self.faces.extend_from_slice(faces);
        self.sides.resize(self.faces.len(), sides);
        if !faces.is_empty() {
            self.prompts.push(u32::try_from(faces.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}

/// Keeps what happens in a command.
pub(super) struct Recorder<'a> {
    schema: &'a Schema,
    inputs: &'a Inputs,
    dice: Dice,
    told: Vec<Told>,
    faces: Vec<u32>,
    sides: Vec<u32>,
    prompts: Vec<u32>,
    answers: usize,
    draws: usize,
    check: Option<Check>,
    rules: Vec<RuleId>,
    /// About how much memory what was told takes.
    bytes: usize,
}

impl<'a> Recorder<'a> {
    pub fn new(schema: &'a Schema, inputs: &'a Inputs) -> Self {
        Recorder {
            schema,
            inputs,
            dice: inputs.dice.clone(),
            told: Vec::new(),
            faces: Vec::new(),
            sides: Vec::new(),
            prompts: Vec::new(),
            answers: 0,
            draws: 0,
            check: None,
            rules: Vec::new(),
            bytes: 0,
        }
    }

    /// Takes in something that happened outside rule text.
    pub fn tell(&mut self, event: Event) {
        self.bytes += size_of::<Told>()
            + match &event {
                Event::Said(text) | Event::Reminded(text) => text.len(),
                Event::Changed(Change::List { old, new, .. }) => 4 * (old.len() + new.len()),
                Event::Check(check) => check.dice.iter().map(|d| d.len() + 64).sum(),
                _ => 0,
            };
        self.told.push(Told::Event(event));
    }

    /// How many faces of a script, and how many named cards, were not used.
    pub fn left_over(&self) -> (usize, usize) {
        let faces = match &self.dice {
            Dice::Scripted(s) => s.remaining(),
            Dice::Physical(s) => s.remaining(),
            Dice::Seeded(_) => 0,
        };
        (faces, self.inputs.draws.len().saturating_sub(self.draws))
    }

    /// The dice, for a roll outside rule text.
    pub fn source(&mut self) -> impl Source + '_ {
        Counted {
            dice: &mut self.dice,
            faces: &mut self.faces,
            sides: &mut self.sides,
            prompts: &mut self.prompts,
        }
    }

    /// Everything, with the words of texts taken from the table the command ran on.
    pub fn outcome(self, table: &Tabletop) -> Outcome {
        let event = |told| match told {
            Told::Event(event) => event,
            Told::Cell(column, row, old, new) => Event::Changed(Change::Cell {
                column,
                row,
                old: table.cell(column, old),
                new: table.cell(column, new),
            }),
        };
        let physical = matches!(self.dice, Dice::Physical(_));
        Outcome {
            events: self.told.into_iter().map(event).collect(),
            faces: self.faces,
            sides: self.sides,
            // Nobody was asked for the faces of the machine.
            prompts: if physical { self.prompts } else { Vec::new() },
            physical,
            answers: self.answers,
        }
    }

    /// One of so many, each equally likely.
    fn chance(&mut self, count: usize) -> Result<usize, Halt> {
        let sides = u32::try_from(count).unwrap_or(u32::MAX);
        let face = self.source().face(sides).map_err(Halt::Dice)?;
        Ok(face as usize - 1)
    }

    fn name_of(&self, lot: Lot<'_>, place: usize) -> String {
        let row = lot.members.get(place).copied().unwrap_or_default();
        let printed = self.schema.kind(lot.kind).rows.get(row as usize);
        printed.map(|row| self.schema.row_title(lot.kind, row)).unwrap_or_default()
    }

    /// The card a script or the umpire names.
    fn named_card(&mut self, lot: Lot<'_>, names: &[String]) -> Result<Option<usize>, Halt> {
        let deck = lot.deck.map(|d| self.schema.decks[d.index()].name.clone());
        let Some(deck) = deck else { return Ok(None) };
        if let Some(name) = self.inputs.draws.get(self.draws) {
            self.draws += 1;
            let place = names.iter().position(|n| n == name);
            return match place {
                Some(place) => Ok(Some(place)),
                None => Err(Halt::Refused(format!("there is no `{name}` left in the {deck}"))),
            };
        }
        if !matches!(self.dice, Dice::Physical(_)) {
            return Ok(None);
        }
        let mut options: Vec<(u32, String)> =
            lot.members.iter().copied().zip(names.iter().cloned()).collect();
        options.sort();
        options.dedup();
        let ty = crate::language::schema::Type::Piece(lot.kind);
        let question = Question {
            text: format!("What came from the {deck}?"),
            answers: Answers::Among(ty, options.iter().map(|o| o.0).collect()),
            options: options.into_iter().map(|o| o.1).collect(),
        };
        let row = self.ask(question)?;
        Ok(lot.members.iter().position(|&m| i64::from(m) == row))
    }
}

/// How much memory the outcome of one command may take, in bytes.
const MAX_OUTCOME: usize = 64 * 1024 * 1024;
/// What a face takes until it stands in the journal: itself, its die, and both as text.
const A_FACE: usize = 64;

impl Host for Recorder<'_> {
    fn is_full(&self) -> bool {
        self.bytes + self.faces.len() * A_FACE > MAX_OUTCOME
    }

    fn reports(&self) -> bool {
        true
    }

    fn roll(&mut self, pool: &Pool) -> Result<i64, Halt> {
        let rolled = pool.roll(&mut self.source()).map_err(Halt::Dice)?;
        if let Some(check) = &mut self.check {
            check.dice.push(rolled.to_string());
            check.pools.push((pool.to_string(), rolled.total));
        }
        Ok(rolled.total)
    }

    fn dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt> {
        let mut faces = Vec::new();
        self.source().roll(count, sides, &mut faces).map_err(Halt::Dice)?;
        let total = faces.iter().copied().map(i64::from).sum();
        if let Some(check) = &mut self.check {
            let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
            check.dice.push(format!("[{}]", shown.join(" ")));
            check.pools.push((format!("{count}d{sides}"), total));
        }
        Ok(total)
    }

    fn lot(&mut self, lot: Lot<'_>, names: &[String]) -> Result<usize, Halt> {
        if lot.deck.is_some()
            && let Some(place) = self.named_card(lot, names)?
        {
            return Ok(place);
        }
        self.chance(lot.members.len())
    }

    fn ask(&mut self, question: Question) -> Result<i64, Halt> {
        let answer = self.inputs.answers.get(self.answers).copied();
        // Before chance answers, as its dice come after the answer.
        self.prompts.push(0);
        let (value, random) = match answer {
            Some(Answer::Value(value)) => (value, false),
            Some(Answer::Random) => (self.random_answer(&question)?, true),
            None if self.inputs.ask_random => (self.random_answer(&question)?, true),
            None => return Err(Halt::Question(question)),
        };
        if answer.is_some() {
            self.answers += 1;
        }
        let shown = match &question.answers {
            Answers::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
            Answers::Between(..) => value.to_string(),
            Answers::Among(_, members) => {
                let place = members.iter().position(|&m| i64::from(m) == value);
                place.and_then(|p| question.options.get(p)).cloned().unwrap_or_default()
            }
        };
        self.tell(Event::Asked { question: question.text, answer: shown, random });
        Ok(value)
    }

    fn refused(&mut self, reason: String) -> bool {
        if self.inputs.insist {
            self.tell(Event::Insisted(reason));
        }
        self.inputs.insist
    }

    fn call_begins(&mut self, rule: RuleId, _bound: &[Bound<'_>]) {
        let depth = self.rules.len();
        self.rules.push(rule);
        self.tell(Event::Rule(rule, depth));
    }

    fn call_ends(&mut self, _value_used: bool) {
        self.rules.pop();
    }

    fn check_begins(&mut self) {
        let rule = self.rules.last().copied();
        let physical = matches!(self.dice, Dice::Physical(_));
        self.check = Some(Check { rule, physical, ..Check::default() });
    }

    fn modifier(&mut self, value: Number, reason: String) {
        if let Some(check) = &mut self.check {
            check.modifiers.push((value, reason));
        }
    }

    fn thrown(&mut self, natural: Number, total: Number, passed: Option<bool>) {
        if let Some(check) = &mut self.check {
            check.throws.push(Throw { natural, total, passed });
        }
    }

    fn need(&mut self, operator: Operator, value: Number) {
        if let Some(check) = &mut self.check {
            check.need = Some((operator, value));
        }
    }

    fn verdict(&mut self, words: String) {
        if let Some(check) = &mut self.check {
            check.verdict = Some(words);
        }
    }

    fn check_ends(&mut self, label: String) {
        if let Some(mut check) = self.check.take() {
            check.label = label;
            self.tell(Event::Check(check));
        }
    }

    fn said(&mut self, text: String) {
        self.tell(Event::Said(text));
    }

    fn reminded(&mut self, text: String) {
        self.tell(Event::Reminded(text));
    }

    fn cell_changed(&mut self, column: ColumnId, row: u32, old: i64, new: i64) {
        self.told.push(Told::Cell(column, row, old, new));
    }

    fn list_changed(&mut self, list: ListId, row: u32, old: &[u32], new: &[u32]) {
        let (old, new) = (old.to_vec(), new.to_vec());
        self.tell(Event::Changed(Change::List { list, row, old, new }));
    }

    fn made(&mut self, kind: KindId, row: u32, name: &str) {
        self.tell(Event::Changed(Change::Made { kind, row, name: name.to_owned() }));
    }

    fn removed(&mut self, kind: KindId, row: u32) {
        self.tell(Event::Changed(Change::Removed { kind, row }));
    }

    fn taken(&mut self, lot: Lot<'_>, place: usize, names: &[String]) {
        let deck = lot.deck.map(|d| self.schema.decks[d.index()].name.clone());
        let printed = self.name_of(lot, place);
        let name = names.get(place).cloned().unwrap_or_default();
        let what = if printed.is_empty() { name } else { printed };
        self.tell(Event::Taken { deck, what, of: lot.members.len() });
    }

    fn phase(&mut self, turn: i64, place: usize, skipped: bool) {
        self.tell(Event::Phase { turn, place, skipped });
    }

    fn shuffled(&mut self, deck: DeckId, count: usize) {
        let name = self.schema.decks[deck.index()].name.clone();
        self.tell(Event::Shuffled(name, count));
    }
}

impl Recorder<'_> {
    fn random_answer(&mut self, question: &Question) -> Result<i64, Halt> {
        Ok(match &question.answers {
            Answers::Flag => self.chance(2)? as i64,
            Answers::Between(low, high) => {
                low + self.chance(usize::try_from(high - low + 1).unwrap_or(1))? as i64
            }
            Answers::Among(_, members) => {
                let place = self.chance(members.len())?;
                members.get(place).map_or(-1, |&m| i64::from(m))
            }
        })
    }

    /// A cell changed outside rule text, with what it was.
    pub fn changed_cell(&mut self, column: ColumnId, row: u32, old: Cell, new: Cell) {
        if old != new {
            self.tell(Event::Changed(Change::Cell { column, row, old, new }));
        }
    }
}
