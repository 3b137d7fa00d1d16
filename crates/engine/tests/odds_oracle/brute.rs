//! What comes of a program, one path after the other: at each point of chance, every result is followed in turn.
//!
//! Written from the reference of the rule language, for clarity and not for speed. It reads the tree of the program, never
//! its text, and shares nothing with the engine.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::program::{
    CARDS, CHART, Check, Choice, Condition, Deck, Dice, Entry, HEALTH, HIGHEST, Number, Program,
    Rule, Source, Statement,
};

/// The most dice that an exploding die brings.
const MOST_FURTHER_DICE: u32 = 20;

/// The phase at the beginning.
const START_PHASE: &str = "zero";

/// The table, as far as programs change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) figures: Vec<Figure>,
    pub(crate) shots: i64,
    pub(crate) phase: &'static str,
    pack: Vec<usize>,
    cup: Vec<usize>,
    hat: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) hits: i64,
    pub(crate) health: usize,
    pub(crate) cover: bool,
    pub(crate) next: Option<usize>,
    pub(crate) seen: Vec<usize>,
    pub(crate) is_there: bool,
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    /// The table, or the reason why the rules refuse it.
    pub(crate) result: Result<Table, String>,
    /// The last words; empty if nothing was said.
    pub(crate) words: String,
    /// The numbers in each line that was said.
    pub(crate) numbers: BTreeMap<String, Vec<i64>>,
    pub(crate) asked: BTreeSet<String>,
}

/// Why an interpretation ends before the end of the program.
#[derive(Debug)]
enum Halt {
    /// The rule ends, or in a sweep the turn of the figure.
    Stop,
    Refused(String),
    /// The program does what it may not: the generator should not have made it.
    Fault(&'static str),
}

/// The results at the points of chance on one path: the index of each, and the number of all that can come.
#[derive(Default)]
struct Odometer {
    digits: Vec<(usize, usize)>,
    used: usize,
}

impl Odometer {
    fn next(&mut self, count: usize) -> usize {
        if self.used == self.digits.len() {
            self.digits.push((0, count));
        }
        let (index, of) = self.digits[self.used];
        assert_eq!(of, count, "the same path has the same points of chance");
        self.used += 1;
        index
    }

    fn die(&mut self, sides: u32) -> i64 {
        self.next(sides as usize) as i64 + 1
    }

    fn probability(&self) -> BigRational {
        let ways: BigInt = self.digits.iter().map(|(_, count)| BigInt::from(*count)).product();
        BigRational::new(BigInt::from(1), ways)
    }

    /// Goes to the next path. Returns false after the last.
    fn advance(&mut self) -> bool {
        self.used = 0;
        while let Some((index, count)) = self.digits.pop() {
            if index + 1 < count {
                self.digits.push((index + 1, count));
                return true;
            }
        }
        false
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Number(i64),
    Figure(usize),
    Card(usize),
}

type Bindings = BTreeMap<String, Value>;
type Outcome<T> = Result<T, Halt>;

struct Interpreter<'p> {
    program: &'p Program,
    table: Table,
    chance: &'p mut Odometer,
    words: String,
    numbers: BTreeMap<String, Vec<i64>>,
    asked: BTreeSet<String>,
}

/// Returns every path with its probability; `None` if there are more than `most`.
///
/// # Errors
///
/// Returns what a program does that it may not, such as to name a figure that is not there.
pub(crate) fn all_endings(
    program: &Program,
    most: usize,
) -> Result<Option<Vec<(Ending, BigRational)>>, &'static str> {
    let mut chance = Odometer::default();
    let mut endings = Vec::new();
    loop {
        if endings.len() == most {
            return Ok(None);
        }
        let mut interpreter = Interpreter {
            program,
            table: Table::at_start(program),
            chance: &mut chance,
            words: String::new(),
            numbers: BTreeMap::new(),
            asked: BTreeSet::new(),
        };
        let result = match interpreter.run() {
            Ok(()) => Ok(interpreter.table),
            Err(Halt::Refused(reason)) => Err(reason),
            Err(Halt::Stop) => unreachable!("a stop ends its rule"),
            Err(Halt::Fault(fault)) => return Err(fault),
        };
        let Interpreter { mut words, mut numbers, asked, .. } = interpreter;
        if let Err(reason) = &result {
            words.clone_from(reason);
            numbers.clear();
        }
        endings.push((Ending { result, words, numbers, asked }, chance.probability()));
        if !chance.advance() {
            return Ok(Some(endings));
        }
    }
}

impl Table {
    pub(crate) fn at_start(program: &Program) -> Table {
        let figures = program.figures.iter().map(|setup| Figure {
            hits: setup.hits,
            health: setup.health,
            cover: setup.cover,
            next: setup.next,
            seen: setup.seen.clone(),
            is_there: true,
        });
        Table {
            figures: figures.collect(),
            shots: 0,
            phase: START_PHASE,
            pack: Vec::new(),
            cup: Vec::new(),
            hat: Vec::new(),
        }
    }

    fn deck(&mut self, deck: Deck) -> &mut Vec<usize> {
        match deck {
            Deck::Pack => &mut self.pack,
            Deck::Cup => &mut self.cup,
        }
    }

    fn cards(&self, deck: Deck) -> &[usize] {
        match deck {
            Deck::Pack => &self.pack,
            Deck::Cup => &self.cup,
        }
    }

    fn figures_there(&self) -> Vec<usize> {
        (0..self.figures.len()).filter(|&figure| self.figures[figure].is_there).collect()
    }
}

impl Interpreter<'_> {
    fn run(&mut self) -> Outcome<()> {
        let program = self.program;
        match &program.entry {
            Entry::Verb(body) => self.rule_body(body, &mut Bindings::new()),
            Entry::Phases { end, skip, first, second } => {
                self.rule_body(end, &mut Bindings::new())?;
                if self.holds(skip, &mut Bindings::new())? {
                    self.table.phase = "two";
                    self.rule_body(second, &mut Bindings::new())
                } else {
                    self.table.phase = "one";
                    self.rule_body(first, &mut Bindings::new())
                }
            }
        }
    }

    /// Runs the statements of a rule, which `stop` ends.
    fn rule_body(&mut self, body: &[Statement], bindings: &mut Bindings) -> Outcome<()> {
        match self.block(body, bindings) {
            Err(Halt::Stop) => Ok(()),
            result => result,
        }
    }

    fn block(&mut self, statements: &[Statement], bindings: &mut Bindings) -> Outcome<()> {
        statements.iter().try_for_each(|statement| self.execute(statement, bindings))
    }

    fn execute(&mut self, statement: &Statement, bindings: &mut Bindings) -> Outcome<()> {
        match statement {
            Statement::Let(name, number) | Statement::Assign(name, number) => {
                let value = self.number(number, bindings)?;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::LetRoll(name, dice) => {
                let value = self.roll(dice, bindings)?;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::LetAnswer(name, low, high) => {
                self.asked.insert(format!("How many for {name}?"));
                let value = low + self.chance.next((high - low + 1) as usize) as i64;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::LetVolley(name, rule, n) => {
                let n = self.number(n, bindings)?;
                let value = self.volley(*rule, n)?;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::LetFunction(name, rule, figure, n) => {
                let figure = self.figure(figure, bindings)?;
                let n = self.number(n, bindings)?;
                let value = self.function(*rule, figure, n)?;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::Call(rule) => self.call(*rule)?,
            Statement::SetHits(figure, n) => {
                let value = self.number(n, bindings)?.clamp(0, HIGHEST);
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].hits = value;
            }
            Statement::AddHits(figure, n) | Statement::SubtractHits(figure, n) => {
                let sign = if matches!(statement, Statement::AddHits(..)) { 1 } else { -1 };
                let change = sign * self.number(n, bindings)?;
                let figure = self.figure(figure, bindings)?;
                let hits = self.table.figures[figure].hits;
                self.table.figures[figure].hits = (hits + change).clamp(0, HIGHEST);
            }
            Statement::SetHealth(figure, word) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].health = *word;
            }
            Statement::NextHealth(figure) => {
                let figure = self.figure(figure, bindings)?;
                let health = self.table.figures[figure].health;
                self.table.figures[figure].health = (health + 1).min(HEALTH.len() - 1);
            }
            Statement::SetCover(figure, condition) => {
                let value = self.holds(condition, bindings)?;
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].cover = value;
            }
            Statement::SetNext(figure, next) => {
                let next = next.as_ref().map(|next| self.figure(next, bindings)).transpose()?;
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].next = next;
            }
            Statement::AddSeen(figure, by) => {
                let figure = self.figure(figure, bindings)?;
                let by = self.figure(by, bindings)?;
                self.table.figures[by].seen.push(figure);
            }
            Statement::TakeSeen(figure, by) => {
                let figure = self.figure(figure, bindings)?;
                let by = self.figure(by, bindings)?;
                let seen = &mut self.table.figures[by].seen;
                // One of them, if the list holds it several times.
                if let Some(index) = seen.iter().position(|other| *other == figure) {
                    seen.remove(index);
                }
            }
            Statement::ClearSeen(by) => {
                let by = self.figure(by, bindings)?;
                self.table.figures[by].seen.clear();
            }
            Statement::AddShots(n) => {
                let sum = self.table.shots + self.number(n, bindings)?;
                self.table.shots = sum.clamp(0, HIGHEST);
            }
            Statement::SetShots(n) => {
                self.table.shots = self.number(n, bindings)?.clamp(0, HIGHEST);
            }
            Statement::If(condition, yes, no) => {
                let body = if self.holds(condition, bindings)? { yes } else { no };
                self.block(body, bindings)?;
            }
            Statement::IfRoll(dice, needs, yes, no) => {
                let body = if self.roll(dice, bindings)? >= *needs { yes } else { no };
                self.block(body, bindings)?;
            }
            Statement::IfYes(question, yes, no) => {
                self.asked.insert(question.clone());
                let body = if self.chance.next(2) == 1 { yes } else { no };
                self.block(body, bindings)?;
            }
            Statement::Each(source, name, condition, body) => {
                self.each(source, name, condition, bindings, |run, _, bindings| {
                    run.rule_body(body, bindings)
                })?;
            }
            Statement::Repeat(n, body) => {
                for _ in 0..self.number(n, bindings)?.clamp(0, 3) {
                    self.block(body, bindings)?;
                }
            }
            Statement::With(name, choice, body) => {
                if let Some(figure) = self.choose(choice, bindings)? {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    self.block(body, bindings)?;
                }
            }
            Statement::AskWho(name, body) => {
                let all = self.table.figures_there();
                if !all.is_empty() {
                    self.asked.insert(format!("Who is {name}?"));
                    let figure = all[self.chance.next(all.len())];
                    bindings.insert(name.clone(), Value::Figure(figure));
                    self.block(body, bindings)?;
                }
            }
            Statement::Draw(deck, name, some, none) => {
                let count = self.table.cards(*deck).len();
                if count == 0 {
                    return self.block(none, bindings);
                }
                let index = self.chance.next(count);
                let card = self.table.deck(*deck).remove(index);
                CARDS[card].1.clone_into(&mut self.words);
                bindings.insert(name.clone(), Value::Card(card));
                self.block(some, bindings)?;
            }
            Statement::Top(deck, name, body) => {
                if let Some(&card) = self.table.cards(*deck).first() {
                    bindings.insert(name.clone(), Value::Card(card));
                    self.block(body, bindings)?;
                }
            }
            Statement::Put(n, card, deck) => {
                let cards = std::iter::repeat_n(*card, *n as usize);
                self.table.deck(*deck).extend(cards);
            }
            Statement::PutFigure(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.hat.push(figure);
            }
            Statement::Shuffle("hat") => self.table.hat = self.table.figures_there(),
            Statement::Shuffle(deck) => {
                let (deck, counts) = if *deck == "pack" {
                    (Deck::Pack, self.program.pack)
                } else {
                    (Deck::Cup, self.program.cup)
                };
                let cards = counts.iter().enumerate();
                *self.table.deck(deck) =
                    cards.flat_map(|(card, n)| std::iter::repeat_n(card, *n as usize)).collect();
            }
            Statement::Say(words, None) => self.words.clone_from(words),
            Statement::Say(words, Some(n)) => {
                let n = self.number(n, bindings)?;
                self.numbers.entry(format!("{words} n")).or_default().push(n);
                self.words = format!("{words} {n}");
            }
            Statement::Refuse(reason) => return Err(Halt::Refused(reason.clone())),
            Statement::Remove(figure) => {
                let gone = self.figure(figure, bindings)?;
                self.table.figures[gone].is_there = false;
                self.table.hat.retain(|figure| *figure != gone);
                for figure in &mut self.table.figures {
                    figure.seen.retain(|seen| *seen != gone);
                    if figure.next == Some(gone) {
                        figure.next = None;
                    }
                }
            }
            Statement::Stop => return Err(Halt::Stop),
        }
        Ok(())
    }

    /// Goes through the figures that meet a condition at the beginning and when their turn comes.
    fn each(
        &mut self,
        source: &Source,
        name: &str,
        condition: &Condition,
        bindings: &mut Bindings,
        mut body: impl FnMut(&mut Self, usize, &mut Bindings) -> Outcome<()>,
    ) -> Outcome<()> {
        let mut chosen = Vec::new();
        for figure in self.members(source, bindings)? {
            bindings.insert(name.to_owned(), Value::Figure(figure));
            if self.holds(condition, bindings)? {
                chosen.push(figure);
            }
        }
        for figure in chosen {
            bindings.insert(name.to_owned(), Value::Figure(figure));
            if self.table.figures[figure].is_there && self.holds(condition, bindings)? {
                body(self, figure, bindings)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, rule: usize) -> Outcome<()> {
        let program = self.program;
        match &program.rules[rule] {
            Rule::Sweep { condition, check, pass, fail } => {
                let mut bindings = Bindings::new();
                self.each(&Source::Figures, "f", condition, &mut bindings, |run, _, bindings| {
                    let passed = run.check(check, bindings)?;
                    run.rule_body(if passed { pass } else { fail }, bindings)
                })
            }
            Rule::Table { dice, rows } => {
                let total = self.roll(dice, &mut Bindings::new())?;
                let row = rows.iter().find(|row| (row.0..=row.1).contains(&total));
                let Some((_, _, words, body)) = row else { return Err(Halt::Fault("no row")) };
                self.words.clone_from(words);
                self.rule_body(body, &mut Bindings::new())
            }
            Rule::Volley { .. } | Rule::Function { .. } => Err(Halt::Fault("it gives a number")),
        }
    }

    fn check(&mut self, check: &Check, bindings: &mut Bindings) -> Outcome<bool> {
        let mut total = self.roll(&check.dice, bindings)?;
        for (by, condition) in &check.modifiers {
            if self.holds(condition, bindings)? {
                total += by;
            }
        }
        let passed = total >= self.number(&check.needs, bindings)?;
        // Without words of its own, a verdict is only shown in the line of the check.
        let words = if passed { &check.pass_say } else { &check.fail_say };
        if let Some(words) = words {
            self.words.clone_from(words);
        }
        Ok(passed)
    }

    fn volley(&mut self, rule: usize, n: i64) -> Outcome<i64> {
        let program = self.program;
        let Rule::Volley { sides, needs, rerolls_ones, pass } = &program.rules[rule] else {
            return Err(Halt::Fault("no volley"));
        };
        let count = n.clamp(0, 3);
        let mut faces: Vec<i64> = (0..count).map(|_| self.chance.die(*sides)).collect();
        if *rerolls_ones {
            for face in faces.iter_mut().filter(|face| **face == 1) {
                *face = self.chance.die(*sides);
            }
        }
        let passes = faces.iter().filter(|face| **face >= *needs).count() as i64;
        if count > 0 {
            // One verdict for the whole line.
            self.words = if passes > 0 { "hits" } else { "misses" }.to_owned();
        }
        for _ in 0..passes {
            self.rule_body(pass, &mut Bindings::new())?;
        }
        Ok(passes)
    }

    fn function(&mut self, rule: usize, figure: usize, n: i64) -> Outcome<i64> {
        let program = self.program;
        let Rule::Function { body, gives } = &program.rules[rule] else {
            return Err(Halt::Fault("no function"));
        };
        let mut bindings = Bindings::from([
            ("one".to_owned(), Value::Figure(figure)),
            ("n".to_owned(), Value::Number(n)),
        ]);
        self.rule_body(body, &mut bindings)?;
        self.number(gives, &mut bindings)
    }

    fn choose(&mut self, choice: &Choice, bindings: &mut Bindings) -> Outcome<Option<usize>> {
        Ok(match choice {
            Choice::First(source, name, condition) => {
                self.those(source, name, condition, bindings)?.first().copied()
            }
            Choice::Best(name, by) => {
                let mut best: Option<(i64, usize)> = None;
                for figure in self.table.figures_there() {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    let value = self.number(by, bindings)?;
                    if best.is_none_or(|(highest, _)| value > highest) {
                        best = Some((value, figure));
                    }
                }
                best.map(|(_, figure)| figure)
            }
            Choice::NextOf(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].next
            }
            Choice::Pick(source, name, condition) => {
                let among = self.those(source, name, condition, bindings)?;
                if among.is_empty() { None } else { Some(among[self.chance.next(among.len())]) }
            }
            Choice::DrawFromHat => {
                if self.table.hat.is_empty() {
                    None
                } else {
                    let index = self.chance.next(self.table.hat.len());
                    let figure = self.table.hat.remove(index);
                    self.words = format!("f{}", figure + 1);
                    Some(figure)
                }
            }
            Choice::Make(hits, cover) => {
                // It is on the table when its values are worked out, one after the other. So a count of figures
                // includes it, without cover yet.
                let index = self.table.figures.len();
                let new = Figure {
                    hits: 0,
                    health: 0,
                    cover: false,
                    next: None,
                    seen: Vec::new(),
                    is_there: true,
                };
                self.table.figures.push(new);
                self.table.figures[index].hits = self.number(hits, bindings)?.clamp(0, HIGHEST);
                self.table.figures[index].cover = *cover;
                Some(index)
            }
        })
    }

    /// Returns the figures of a source, one for each time they are in it.
    fn members(&mut self, source: &Source, bindings: &Bindings) -> Outcome<Vec<usize>> {
        Ok(match source {
            Source::Figures => self.table.figures_there(),
            Source::Hat => self.table.hat.clone(),
            Source::Seen(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].seen.clone()
            }
        })
    }

    /// Returns the figures of a source that meet a condition.
    fn those(
        &mut self,
        source: &Source,
        name: &str,
        condition: &Condition,
        bindings: &mut Bindings,
    ) -> Outcome<Vec<usize>> {
        let mut chosen = Vec::new();
        for figure in self.members(source, bindings)? {
            bindings.insert(name.to_owned(), Value::Figure(figure));
            if self.holds(condition, bindings)? {
                chosen.push(figure);
            }
        }
        Ok(chosen)
    }

    fn cards_that(
        &mut self,
        deck: Deck,
        name: &str,
        condition: &Condition,
        bindings: &mut Bindings,
    ) -> Outcome<usize> {
        let mut count = 0;
        for card in self.table.cards(deck).to_vec() {
            bindings.insert(name.to_owned(), Value::Card(card));
            count += usize::from(self.holds(condition, bindings)?);
        }
        Ok(count)
    }

    fn figure(&self, name: &str, bindings: &Bindings) -> Outcome<usize> {
        match bindings.get(name) {
            Some(Value::Figure(figure)) if self.table.figures[*figure].is_there => Ok(*figure),
            _ => Err(Halt::Fault("no such figure")),
        }
    }

    fn number(&mut self, number: &Number, bindings: &mut Bindings) -> Outcome<i64> {
        Ok(match number {
            Number::Constant(n) => *n,
            Number::Variable(name) => match bindings.get(name) {
                Some(Value::Number(n)) => *n,
                _ => return Err(Halt::Fault("no such number")),
            },
            Number::Hits(figure) => self.table.figures[self.figure(figure, bindings)?].hits,
            Number::Shots => self.table.shots,
            Number::Rank(figure) => {
                let figure = self.figure(figure, bindings)?;
                if figure < self.program.figures.len() { figure as i64 + 1 } else { 0 }
            }
            Number::Health(figure) => {
                self.table.figures[self.figure(figure, bindings)?].health as i64
            }
            Number::Worth(card) => match bindings.get(card) {
                Some(Value::Card(card)) => CARDS[*card].2,
                _ => return Err(Halt::Fault("no such card")),
            },
            Number::Count(source, name, condition) => {
                self.those(source, name, condition, bindings)?.len() as i64
            }
            Number::Sum(source, name, of) => {
                let mut sum = 0;
                for figure in self.members(source, bindings)? {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    sum += self.number(of, bindings)?;
                }
                sum
            }
            Number::SeenBy(figure) => {
                self.table.figures[self.figure(figure, bindings)?].seen.len() as i64
            }
            Number::CountCards(deck, name, condition) => {
                self.cards_that(*deck, name, condition, bindings)? as i64
            }
            Number::Add(a, b) => self.number(a, bindings)? + self.number(b, bindings)?,
            Number::Subtract(a, b) => self.number(a, bindings)? - self.number(b, bindings)?,
            Number::Smaller(a, b) => self.number(a, bindings)?.min(self.number(b, bindings)?),
            Number::Larger(a, b) => self.number(a, bindings)?.max(self.number(b, bindings)?),
            Number::If(condition, a, b) => {
                let number = if self.holds(condition, bindings)? { a } else { b };
                self.number(number, bindings)?
            }
            Number::Chart(n) => {
                let last = CHART.len() as i64 - 1;
                CHART[self.number(n, bindings)?.clamp(0, last) as usize]
            }
        })
    }

    fn holds(&mut self, condition: &Condition, bindings: &mut Bindings) -> Outcome<bool> {
        Ok(match condition {
            Condition::Always => true,
            Condition::Compare(a, sign, b) => {
                let a = self.number(a, bindings)?;
                let b = self.number(b, bindings)?;
                match *sign {
                    "=" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    _ => return Err(Halt::Fault("no such sign")),
                }
            }
            Condition::Cover(figure) => self.table.figures[self.figure(figure, bindings)?].cover,
            Condition::Same(a, b) => self.figure(a, bindings)? == self.figure(b, bindings)?,
            Condition::HasNext(figure) => {
                self.table.figures[self.figure(figure, bindings)?].next.is_some()
            }
            Condition::IsSeen(figure, by) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[self.figure(by, bindings)?].seen.contains(&figure)
            }
            Condition::And(a, b) => self.holds(a, bindings)? && self.holds(b, bindings)?,
            Condition::Or(a, b) => self.holds(a, bindings)? || self.holds(b, bindings)?,
            Condition::Not(a) => !self.holds(a, bindings)?,
            Condition::Any(source, name, condition) => {
                !self.those(source, name, condition, bindings)?.is_empty()
            }
            Condition::All(source, name, condition) => {
                let chosen = self.those(source, name, condition, bindings)?.len();
                chosen == self.members(source, bindings)?.len()
            }
            Condition::AnyCard(deck, name, condition) => {
                self.cards_that(*deck, name, condition, bindings)? > 0
            }
        })
    }

    fn roll(&mut self, dice: &Dice, bindings: &mut Bindings) -> Outcome<i64> {
        Ok(match dice {
            Dice::Sum(count, sides) => (0..*count).map(|_| self.chance.die(*sides)).sum(),
            Dice::Highest(count, sides) => {
                let faces = (0..*count).map(|_| self.chance.die(*sides));
                faces.max().unwrap_or(0)
            }
            Dice::AtLeast(count, sides, face) => {
                let faces = (0..*count).map(|_| self.chance.die(*sides));
                faces.filter(|shown| shown >= face).count() as i64
            }
            Dice::OnceAgain(sides) => match self.chance.die(*sides) {
                1 => self.chance.die(*sides),
                face => face,
            },
            Dice::Exploding(sides) => {
                let mut sum = 0;
                for _ in 0..=MOST_FURTHER_DICE {
                    let face = self.chance.die(*sides);
                    sum += face;
                    if face < i64::from(*sides) {
                        break;
                    }
                }
                sum
            }
            Dice::Many(count, sides) => {
                let count = self.number(count, bindings)?.clamp(1, 2);
                (0..count).map(|_| self.chance.die(*sides)).sum()
            }
        })
    }
}
