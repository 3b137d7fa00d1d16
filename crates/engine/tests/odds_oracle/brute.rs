//! What comes of a program, one path after the other: at each point of chance, every result is followed in turn.
//!
//! Written from the reference of the rule language, for clarity and not for speed. It reads the tree of the program, never
//! its text, and shares nothing with the engine.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::program::{
    ACTIVE_PHASE, CARDS, CHART, Check, Choice, Condition, Contender, Deck, Dice, Ends, FATES, Goal,
    HEALTH, HIGHEST, Line, MOST_ACTIONS, Number, PHASES, Program, Punch, REQUIRED, Reroll, Rule,
    SIDES, Source, Statement, Turn, Verdict,
};

/// The most cards in a deck. Paths with more are not followed.
const MOST_CARDS: usize = 2_000;

/// The most dice that an exploding die brings.
const MOST_FURTHER_DICE: u32 = 20;

/// The most figures: a loop over all that makes others doubles them each time.
const MOST_FIGURES: usize = 100;

/// The most mines, each with three parts, that an answer lists one by one.
const MOST_MINES: usize = 15;

/// The most phases that begin one after the other: those of two turns.
const MOST_BEGINNINGS: usize = 2 * PHASES.len();

/// The table, as far as programs change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) figures: Vec<Figure>,
    pub(crate) mines: Vec<Mine>,
    pub(crate) shots: i64,
    /// The card that lies open.
    pub(crate) open: Option<usize>,
    pub(crate) turn: i64,
    /// The index of the phase.
    pub(crate) phase: usize,
    /// The side to move, from 1; 0 if none is.
    pub(crate) side: usize,
    /// The sides that play the phase after it.
    waiting: Vec<usize>,
    /// The figures that are acting.
    active: Vec<usize>,
    pack: Vec<usize>,
    cup: Vec<usize>,
    hat: Vec<usize>,
    bag: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) hits: i64,
    pub(crate) health: usize,
    pub(crate) cover: bool,
    pub(crate) next: Option<usize>,
    pub(crate) seen: Vec<usize>,
    /// In halves.
    pub(crate) reach: i64,
    pub(crate) note: String,
    pub(crate) rolled: Vec<i64>,
    /// True if it has begun to act in this phase.
    acted: bool,
    actions_left: i64,
    pub(crate) punch: Punch,
    pub(crate) is_there: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mine {
    pub(crate) power: i64,
    pub(crate) owner: Option<usize>,
    pub(crate) fuse: i64,
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
    /// For each such line, the turns of loops and the rules that had begun when it was said.
    pub(crate) stages: BTreeMap<String, BTreeSet<usize>>,
    pub(crate) asked: BTreeSet<String>,
    /// The questions that got the best answer.
    pub(crate) chosen: BTreeSet<String>,
    /// The answers to all questions, in order.
    pub(crate) answers: Vec<String>,
    /// The lines after the first that were refused, by number from 1, each with the reason.
    pub(crate) passed_over: BTreeSet<(usize, String)>,
    /// The numbers of the lines that were carried out.
    pub(crate) carried_out: BTreeSet<usize>,
    /// True if the condition holds in the end.
    pub(crate) holds: bool,
}

/// Why an interpretation ends before the end of the program.
#[derive(Debug)]
enum Halt {
    /// The rule ends.
    Stop,
    /// The rule ends and gives this number.
    Return(i64),
    /// The command ends, and the phase or the turn with it.
    Ended(Ends),
    /// The innermost loop goes on with its next turn.
    Continue,
    /// The innermost loop ends.
    Break,
    Refused(String),
    /// There are too many figures or mines to follow.
    TooMany,
    /// A question has no such answer.
    NoSuchAnswer,
    /// The program does what it may not: the generator should not have made it.
    Fault(&'static str),
}

/// Returns true if a loop goes on after a turn with this result.
fn goes_on(turn: Outcome<()>) -> Outcome<bool> {
    match turn {
        Ok(()) | Err(Halt::Continue) => Ok(true),
        Err(Halt::Break) => Ok(false),
        Err(halt) => Err(halt),
    }
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
    Mine(usize),
    Card(usize),
}

type Bindings = BTreeMap<String, Value>;
type Outcome<T> = Result<T, Halt>;

struct Interpreter<'p> {
    program: &'p Program,
    table: Table,
    chance: &'p mut Odometer,
    /// The answers to the first questions, which chance does not answer.
    given: &'p [String],
    /// True if the line under way insists.
    insists: bool,
    words: String,
    numbers: BTreeMap<String, Vec<i64>>,
    stages: BTreeMap<String, BTreeSet<usize>>,
    /// The number of turns of loops and of rules that have begun.
    turns: usize,
    asked: BTreeSet<String>,
    chosen: BTreeSet<String>,
    answers: Vec<String>,
    passed_over: BTreeSet<(usize, String)>,
    carried_out: BTreeSet<usize>,
}

/// Why there are no endings.
#[derive(Debug)]
pub(crate) enum NoEndings {
    /// There are too many paths.
    TooMany,
    NoSuchAnswer,
    /// The program does what it may not, such as to name a figure that is not there.
    Fault(&'static str),
}

/// Returns every path with its probability, given the answers to the first questions.
///
/// # Errors
///
/// Returns why there are none; `most` is the most paths.
pub(crate) fn all_endings(
    program: &Program,
    given: &[String],
    most: usize,
) -> Result<Vec<(Ending, BigRational)>, NoEndings> {
    let mut chance = Odometer::default();
    let mut endings = Vec::new();
    loop {
        if endings.len() == most {
            return Err(NoEndings::TooMany);
        }
        let mut interpreter = Interpreter {
            program,
            table: Table::at_start(program),
            chance: &mut chance,
            given,
            insists: false,
            words: String::new(),
            numbers: BTreeMap::new(),
            stages: BTreeMap::new(),
            turns: 0,
            asked: BTreeSet::new(),
            chosen: BTreeSet::new(),
            answers: Vec::new(),
            passed_over: BTreeSet::new(),
            carried_out: BTreeSet::new(),
        };
        let result = match interpreter.run() {
            Ok(()) => Ok(()),
            Err(Halt::Refused(reason)) => Err(reason),
            Err(Halt::Stop | Halt::Return(_) | Halt::Continue | Halt::Break | Halt::Ended(_)) => {
                unreachable!("a rule, a loop or a line ends before")
            }
            Err(Halt::TooMany) => return Err(NoEndings::TooMany),
            Err(Halt::NoSuchAnswer) => return Err(NoEndings::NoSuchAnswer),
            Err(Halt::Fault(fault)) => return Err(NoEndings::Fault(fault)),
        };
        let holds = match interpreter.holds(&program.condition, &mut Bindings::new()) {
            Ok(holds) => holds && result.is_ok(),
            Err(_) => return Err(NoEndings::Fault("the condition has no value")),
        };
        let Interpreter {
            table,
            mut words,
            mut numbers,
            stages,
            asked,
            chosen,
            answers,
            passed_over,
            carried_out,
            ..
        } = interpreter;
        let result = result.map(|()| table);
        if let Err(reason) = &result {
            words.clone_from(reason);
            numbers.clear();
        }
        let ending = Ending {
            result,
            words,
            numbers,
            stages,
            asked,
            chosen,
            answers,
            passed_over,
            carried_out,
            holds,
        };
        endings.push((ending, chance.probability()));
        if !chance.advance() {
            return Ok(endings);
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
            punch: setup.punch,
            ..Figure::new()
        });
        let mines = program.mines.iter().map(|setup| Mine {
            power: setup.power,
            owner: setup.owner,
            // Nobody has shot yet.
            fuse: setup.power,
            is_there: true,
        });
        Table {
            figures: figures.collect(),
            mines: mines.collect(),
            shots: 0,
            open: None,
            turn: i64::from(program.turn.is_some()),
            phase: 0,
            side: 0,
            waiting: Vec::new(),
            active: Vec::new(),
            pack: Vec::new(),
            cup: Vec::new(),
            hat: Vec::new(),
            bag: Vec::new(),
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

    /// Returns the number of actions of a figure in this phase.
    fn actions(&self, figure: usize) -> i64 {
        if self.phase == ACTIVE_PHASE { self.figures[figure].hits.min(MOST_ACTIONS) } else { 0 }
    }

    /// The figures that are acting have no actions left.
    fn end_activation(&mut self) {
        for figure in std::mem::take(&mut self.active) {
            self.figures[figure].actions_left = 0;
        }
    }

    fn figures_there(&self) -> Vec<usize> {
        (0..self.figures.len()).filter(|&figure| self.figures[figure].is_there).collect()
    }

    fn mines_there(&self) -> Vec<usize> {
        (0..self.mines.len()).filter(|&mine| self.mines[mine].is_there).collect()
    }
}

impl Figure {
    /// Returns one as it is set out.
    pub(crate) fn new() -> Figure {
        Figure {
            hits: 0,
            health: 0,
            cover: false,
            next: None,
            seen: Vec::new(),
            reach: 0,
            note: String::new(),
            rolled: Vec::new(),
            acted: false,
            actions_left: 0,
            punch: Punch::START,
            is_there: true,
        }
    }
}

impl Mine {
    /// Returns one as it is set out, before anything is known of it.
    pub(crate) fn new() -> Mine {
        Mine { power: 0, owner: None, fuse: 0, is_there: true }
    }
}

impl<'p> Interpreter<'p> {
    fn run(&mut self) -> Outcome<()> {
        let program = self.program;
        // That in which the question is asked.
        let turn = self.table.turn;
        for (index, line) in program.lines.iter().enumerate() {
            let before = (self.table.clone(), self.words.clone(), self.numbers.clone());
            match self.line(line) {
                // The others go on: it is as if it had not been typed.
                Err(Halt::Refused(reason)) if index > 0 => {
                    (self.table, self.words, self.numbers) = before;
                    self.passed_over.insert((index + 1, reason));
                }
                result => {
                    result?;
                    self.carried_out.insert(index + 1);
                }
            }
        }
        let Some(goal) = program.until else { return Ok(()) };
        // Two turns of them.
        let has_sides = program.turn.as_ref().is_some_and(|turn| turn.by_side.is_some());
        let most_changes = 2 * (PHASES.len() + usize::from(has_sides));
        self.insists = program.insists_until;
        for _ in 0..most_changes {
            self.next_phase(Ends::OwnPhase)?;
            let arrived = match goal {
                Goal::Phase(index) => self.table.phase == index,
                Goal::NextTurn => self.table.turn > turn,
            };
            if arrived {
                return Ok(());
            }
        }
        Err(Halt::Refused("the phase is skipped: there is nothing to do in it".to_owned()))
    }

    fn line(&mut self, line: &Line) -> Outcome<()> {
        match line {
            Line::Verb { body, insists } => {
                self.insists = *insists;
                let result = match self.rule_body(body, &mut Bindings::new()) {
                    Err(Halt::Ended(ends)) => self.next_phase(ends),
                    result => result,
                };
                self.insists = false;
                result
            }
            Line::Next => self.next_phase(Ends::OwnPhase),
        }
    }

    /// Leaves the phase or the turn, and begins the next phase that is not passed over and does not end as it begins.
    fn next_phase(&mut self, ends: Ends) -> Outcome<()> {
        let Some(Turn { skip, begin, end, .. }) = &self.program.turn else {
            return Err(Halt::Fault("no phases"));
        };
        let mut ends = ends;
        let mut begun = 0;
        loop {
            if self.table.phase == ACTIVE_PHASE {
                self.table.end_activation();
            }
            match self.rule_body(&end[self.table.phase], &mut Bindings::new()) {
                // It ends as it is.
                Err(Halt::Ended(more)) => ends = ends.max(more),
                result => result?,
            }
            if begun >= MOST_BEGINNINGS {
                return Ok(());
            }
            loop {
                begun += usize::from(self.pass_on(ends)?);
                ends = Ends::OwnPhase;
                if self.table.phase != 1 || !self.holds(skip, &mut Bindings::new())? {
                    break;
                }
            }
            if self.table.phase == ACTIVE_PHASE {
                self.table.active.clear();
                for figure in &mut self.table.figures {
                    figure.acted = false;
                    figure.actions_left = 0;
                }
            }
            match self.rule_body(&begin[self.table.phase], &mut Bindings::new()) {
                Err(Halt::Ended(more)) => ends = more,
                result => return result,
            }
        }
    }

    /// Gives the move to the next side, or goes on to another phase. Returns true if it is another phase.
    fn pass_on(&mut self, ends: Ends) -> Outcome<bool> {
        let by_side = self.program.turn.as_ref().and_then(|turn| turn.by_side.as_ref());
        let is_by_side = |phase: usize| by_side.is_some_and(|by_side| by_side.phase == phase);
        let for_all = matches!(ends, Ends::PhaseForAll | Ends::TurnForAll);
        let alternates = by_side.is_some_and(|by_side| by_side.alternates);
        // Sides that share a phase leave it together.
        if !for_all && !alternates && !self.table.waiting.is_empty() {
            self.table.side = self.table.waiting.remove(0);
            return Ok(false);
        }
        let ends_turn = match ends {
            Ends::OwnPhase | Ends::PhaseForAll => false,
            Ends::OwnTurn => alternates || !is_by_side(self.table.phase),
            Ends::TurnForAll => true,
        };
        self.table.side = 0;
        self.table.waiting.clear();
        self.table.phase = if ends_turn { 0 } else { (self.table.phase + 1) % PHASES.len() };
        self.table.turn += i64::from(self.table.phase == 0);
        if let Some(by_side) = by_side.filter(|by_side| by_side.phase == self.table.phase) {
            let mut sides = Vec::new();
            for side in 1..=SIDES.len() {
                self.table.side = side;
                let rank = match &by_side.order {
                    Some(order) => self.number(order, &mut Bindings::new())?,
                    None => 0,
                };
                sides.push((rank, side));
            }
            sides.sort_unstable();
            self.table.waiting = sides.into_iter().map(|(_, side)| side).collect();
            self.table.side = self.table.waiting[0];
            if !by_side.alternates {
                self.table.waiting.remove(0);
            }
        }
        Ok(true)
    }

    /// Returns the index of the answer to a question.
    fn ask(&mut self, question: String, all: &[String]) -> Outcome<usize> {
        let index = match self.given.get(self.answers.len()) {
            Some(answer) => all.iter().position(|one| one == answer).ok_or(Halt::NoSuchAnswer)?,
            None => {
                self.asked.insert(question);
                self.chance.next(all.len())
            }
        };
        self.answers.push(all[index].clone());
        Ok(index)
    }

    /// Returns the index of the answer that was given, or of the best one.
    fn ask_for_best(&mut self, question: String, all: &[String], best: usize) -> Outcome<usize> {
        let index = match self.given.get(self.answers.len()) {
            Some(answer) => all.iter().position(|one| one == answer).ok_or(Halt::NoSuchAnswer)?,
            None => {
                self.chosen.insert(question);
                best
            }
        };
        self.answers.push(all[index].clone());
        Ok(index)
    }

    /// Runs the statements of a rule, which `stop` ends.
    fn rule_body(&mut self, body: &[Statement], bindings: &mut Bindings) -> Outcome<()> {
        self.turns += 1;
        match self.block(body, bindings) {
            Err(Halt::Stop) => Ok(()),
            Err(Halt::Continue | Halt::Break) => Err(Halt::Fault("outside a loop")),
            result => result,
        }
    }

    /// Runs the statements of a loop for one turn. Returns false if the loop ends after it.
    fn loop_body(&mut self, body: &[Statement], bindings: &mut Bindings) -> Outcome<bool> {
        self.turns += 1;
        goes_on(self.block(body, bindings))
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
                let all: Vec<String> = (*low..=*high).map(|n| n.to_string()).collect();
                let value = low + self.ask(format!("How many for {name}?"), &all)? as i64;
                bindings.insert(name.clone(), Value::Number(value));
            }
            Statement::LetVolley(passes, tops, rule, n) => {
                let n = self.number(n, bindings)?;
                let (passed, highest) = self.volley(*rule, n)?;
                bindings.insert(passes.clone(), Value::Number(passed));
                bindings.insert(tops.clone(), Value::Number(highest));
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
            Statement::CopyPunch(figure, from) => {
                let from = self.figure(from, bindings)?;
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].punch = self.table.figures[from].punch;
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
            Statement::Link(figure, other) => {
                let pair = [self.figure(figure, bindings)?, self.figure(other, bindings)?];
                for [one, seen] in [pair, [pair[1], pair[0]]] {
                    if !self.table.figures[one].seen.contains(&seen) {
                        self.table.figures[one].seen.push(seen);
                    }
                }
            }
            Statement::Unlink(figure, other) => {
                let pair = [self.figure(figure, bindings)?, self.figure(other, bindings)?];
                for [one, gone] in [pair, [pair[1], pair[0]]] {
                    let seen = &mut self.table.figures[one].seen;
                    if let Some(index) = seen.iter().position(|figure| *figure == gone) {
                        seen.remove(index);
                    }
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
            Statement::SetReach(figure, n) => {
                let halves = self.number(n, bindings)?.clamp(0, HIGHEST);
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].reach = halves;
            }
            Statement::AddReach(figure, n) => {
                let halves = self.number(n, bindings)?;
                let figure = self.figure(figure, bindings)?;
                let reach = self.table.figures[figure].reach;
                self.table.figures[figure].reach = (reach + halves).clamp(0, 2 * HIGHEST);
            }
            Statement::SetNote(figure, words, n) => {
                let note = match n {
                    Some(n) => format!("{words} {}", self.number(n, bindings)?),
                    None => words.clone(),
                };
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].note = note;
            }
            Statement::AppendNote(figure, words) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].note.push_str(words);
            }
            Statement::AddRolled(figure, n) => {
                let n = self.number(n, bindings)?.clamp(0, HIGHEST);
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].rolled.push(n);
            }
            Statement::ClearRolled(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].rolled.clear();
            }
            Statement::SetOpen(card) => {
                self.table.open = card.as_ref().map(|card| card_of(card, bindings)).transpose()?;
            }
            Statement::AddPower(mine, n) => {
                let more = self.number(n, bindings)?;
                let mine = self.mine(mine, bindings)?;
                let power = self.table.mines[mine].power;
                self.table.mines[mine].power = (power + more).clamp(0, HIGHEST);
            }
            Statement::RemoveMine(mine) => {
                let gone = self.mine(mine, bindings)?;
                self.table.mines[gone].is_there = false;
                self.table.bag.retain(|mine| *mine != gone);
            }
            Statement::PutMine(mine) => {
                let mine = self.mine(mine, bindings)?;
                self.table.bag.push(mine);
            }
            Statement::Lay(name, power, owner, body) => {
                // It is on the table when its values are worked out.
                let index = self.table.mines.len();
                if index >= MOST_MINES {
                    return Err(Halt::TooMany);
                }
                self.table.mines.push(Mine::new());
                let power = self.number(power, bindings)?.clamp(0, HIGHEST);
                self.table.mines[index].power = power;
                let owner = owner.as_ref().map(|owner| self.figure(owner, bindings)).transpose()?;
                self.table.mines[index].owner = owner;
                self.table.mines[index].fuse = (self.table.shots + power).min(HIGHEST);
                bindings.insert(name.clone(), Value::Mine(index));
                self.block(body, bindings)?;
            }
            Statement::EachMine(name, power, body) => {
                let is_meant = |table: &Table, mine: usize| {
                    table.mines[mine].is_there && table.mines[mine].power >= *power
                };
                let mut chosen = self.table.mines_there();
                chosen.retain(|&mine| is_meant(&self.table, mine));
                for mine in chosen {
                    bindings.insert(name.clone(), Value::Mine(mine));
                    if is_meant(&self.table, mine) && !self.loop_body(body, bindings)? {
                        break;
                    }
                }
            }
            Statement::DrawMine(name, body) => {
                let count = self.table.bag.len();
                if count > 0 {
                    let index = self.chance.next(count);
                    let mine = self.table.bag.remove(index);
                    self.words = format!("m{}", mine + 1);
                    bindings.insert(name.clone(), Value::Mine(mine));
                    self.block(body, bindings)?;
                }
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
                let all = ["no".to_owned(), "yes".to_owned()];
                let body = if self.ask(question.clone(), &all)? == 1 { yes } else { no };
                self.block(body, bindings)?;
            }
            Statement::Each(source, name, condition, body) => {
                self.each(source, name, condition, bindings, |run, _, bindings| {
                    run.loop_body(body, bindings)
                })?;
            }
            Statement::Repeat(n, body) => {
                for _ in 0..self.number(n, bindings)?.clamp(0, 3) {
                    if !self.loop_body(body, bindings)? {
                        break;
                    }
                }
            }
            Statement::With(name, choice, body) => {
                if let Some(figure) = self.choose(choice, bindings)? {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    self.block(body, bindings)?;
                }
            }
            Statement::AskBest(name, condition, by, body) => {
                let mut candidates = Vec::new();
                for figure in self.table.figures_there() {
                    bindings.insert(format!("{name}x"), Value::Figure(figure));
                    if self.holds(condition, bindings)? {
                        candidates.push((self.number(by, bindings)?, figure));
                    }
                }
                // The first of equal ones.
                let highest = candidates.iter().map(|(number, _)| *number).max();
                let best = candidates.iter().position(|(number, _)| Some(*number) == highest);
                if let Some(best) = best {
                    let names: Vec<String> =
                        candidates.iter().map(|(_, figure)| format!("f{}", figure + 1)).collect();
                    let question = format!("Who is best as {name}?");
                    let (_, figure) = candidates[self.ask_for_best(question, &names, best)?];
                    bindings.insert(name.clone(), Value::Figure(figure));
                    self.block(body, bindings)?;
                }
            }
            Statement::AskWho(name, body) => {
                let all = self.table.figures_there();
                if !all.is_empty() {
                    let names: Vec<String> =
                        all.iter().map(|figure| format!("f{}", figure + 1)).collect();
                    let figure = all[self.ask(format!("Who is {name}?"), &names)?];
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
            Statement::Top(deck, name, condition, body) => {
                let cards = self.cards_that(*deck, &format!("{name}x"), condition, bindings)?;
                if let Some(&card) = cards.first() {
                    bindings.insert(name.clone(), Value::Card(card));
                    self.block(body, bindings)?;
                }
            }
            Statement::PickCard(deck, name, condition, body) => {
                let cards = self.cards_that(*deck, &format!("{name}x"), condition, bindings)?;
                if !cards.is_empty() {
                    let card = cards[self.chance.next(cards.len())];
                    bindings.insert(name.clone(), Value::Card(card));
                    self.block(body, bindings)?;
                }
            }
            Statement::EachCard(deck, name, condition, body) => {
                for card in self.cards_that(*deck, name, condition, bindings)? {
                    bindings.insert(name.clone(), Value::Card(card));
                    if self.holds(condition, bindings)? && !self.loop_body(body, bindings)? {
                        break;
                    }
                }
            }
            Statement::PutCard(card, deck) => {
                let card = card_of(card, bindings)?;
                self.put(*deck, std::iter::once(card))?;
            }
            Statement::Put(n, card, deck) => {
                self.put(*deck, std::iter::repeat_n(*card, *n as usize))?;
            }
            Statement::PutFigure(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.hat.push(figure);
            }
            Statement::Shuffle("hat") => self.table.hat = self.table.figures_there(),
            Statement::Shuffle("bag") => self.table.bag = self.table.mines_there(),
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
                let line = format!("{words} n");
                self.stages.entry(line.clone()).or_default().insert(self.turns);
                self.numbers.entry(line).or_default().push(n);
                self.words = format!("{words} {n}");
            }
            Statement::Tell(words) => self.words.clone_from(words),
            Statement::Instruct(_) => {}
            Statement::Activate(figure) => {
                let name = figure;
                let figure = self.figure(name, bindings)?;
                if !self.table.active.contains(&figure) {
                    if self.table.figures[figure].acted {
                        self.refuse(&format!("f{} has already acted", figure + 1))?;
                    }
                    let actions = self.table.actions(figure);
                    if actions < 1 {
                        self.refuse(&format!("f{} has no actions now", figure + 1))?;
                    }
                    // Only a verb that the umpire types has to wait for the actions of the others.
                    self.table.end_activation();
                    self.table.active.push(figure);
                    self.table.figures[figure].acted = true;
                    self.table.figures[figure].actions_left = actions;
                }
            }
            Statement::EndActivation => self.table.end_activation(),
            Statement::Refuse(reason) => self.refuse(reason)?,
            Statement::Remove(figure) => {
                let gone = self.figure(figure, bindings)?;
                self.table.figures[gone].is_there = false;
                self.table.hat.retain(|figure| *figure != gone);
                self.table.active.retain(|figure| *figure != gone);
                for figure in &mut self.table.figures {
                    figure.seen.retain(|seen| *seen != gone);
                    if figure.next == Some(gone) {
                        figure.next = None;
                    }
                }
                for mine in self.table.mines.iter_mut().filter(|mine| mine.owner == Some(gone)) {
                    mine.owner = None;
                }
            }
            Statement::Return(n) => return Err(Halt::Return(self.number(n, bindings)?)),
            Statement::Gather(source, name, condition, body) => {
                let mut gathered = Vec::new();
                let from = format!("{name}x");
                self.each(source, &from, condition, bindings, |_, figure, _| {
                    gathered.push(figure);
                    Ok(gathered.len() < 2)
                })?;
                // The list is fixed when the loop begins, though the loop changes it.
                for figure in gathered {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    if self.table.figures[figure].is_there && !self.loop_body(body, bindings)? {
                        break;
                    }
                }
            }
            Statement::EachSorted(name, condition, by, body) => {
                let mut sorted = Vec::new();
                for figure in self.table.figures_there() {
                    bindings.insert(format!("{name}x"), Value::Figure(figure));
                    if self.holds(condition, bindings)? {
                        sorted.push((self.number(by, bindings)?, figure));
                    }
                }
                // In a stable sort, equal ones stay in the order of the table.
                sorted.sort_by_key(|(number, _)| *number);
                for (_, figure) in sorted {
                    bindings.insert(name.clone(), Value::Figure(figure));
                    if self.table.figures[figure].is_there && !self.loop_body(body, bindings)? {
                        break;
                    }
                }
            }
            Statement::End(ends) => return Err(Halt::Ended(*ends)),
            Statement::Stop => return Err(Halt::Stop),
            Statement::Continue => return Err(Halt::Continue),
            Statement::Break => return Err(Halt::Break),
        }
        Ok(())
    }

    /// Refuses the line, unless the umpire insists.
    fn refuse(&self, reason: &str) -> Outcome<()> {
        if self.insists { Ok(()) } else { Err(Halt::Refused(reason.to_owned())) }
    }

    /// Goes through the figures that meet a condition at the beginning and when their turn comes, until
    /// `body` returns false.
    fn each(
        &mut self,
        source: &Source,
        name: &str,
        condition: &Condition,
        bindings: &mut Bindings,
        mut body: impl FnMut(&mut Self, usize, &mut Bindings) -> Outcome<bool>,
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
            if self.table.figures[figure].is_there
                && self.holds(condition, bindings)?
                && !body(self, figure, bindings)?
            {
                break;
            }
        }
        Ok(())
    }

    fn call(&mut self, rule: usize) -> Outcome<()> {
        let program = self.program;
        match &program.rules[rule] {
            Rule::Sweep { condition, sees, .. } => {
                let mut bindings = Bindings::new();
                let turn = |run: &mut Self, _, bindings: &mut Bindings| {
                    let Some(sees) = sees else { return run.turn_of_sweep(rule, bindings) };
                    // The list is read when its figure has its turn, and its condition asked at each one's turn.
                    for figure in run.members(&Source::Seen("f".to_owned()), bindings)? {
                        bindings.insert("g".to_owned(), Value::Figure(figure));
                        // Both sources are one loop.
                        if run.table.figures[figure].is_there
                            && run.holds(sees, bindings)?
                            && !run.turn_of_sweep(rule, bindings)?
                        {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                };
                match self.each(&Source::Figures, "f", condition, &mut bindings, turn) {
                    Err(Halt::Stop) => Ok(()),
                    result => result,
                }
            }
            Rule::Table { times: None, .. } => {
                let (body, mut bindings) = self.look_up(rule)?;
                self.rule_body(body, &mut bindings)
            }
            Rule::Table { times: Some(times), .. } => {
                for _ in 0..self.number(times, &mut Bindings::new())?.clamp(0, 2) {
                    let (body, mut bindings) = self.look_up(rule)?;
                    match self.loop_body(body, &mut bindings) {
                        Ok(true) => {}
                        Ok(false) | Err(Halt::Stop) => break,
                        Err(halt) => return Err(halt),
                    }
                }
                Ok(())
            }
            Rule::Duel { own, other, rows } => {
                let (_, theirs) = self.contend(other)?;
                let (natural, total) = self.contend(own)?;
                let known = [
                    ("natural", natural),
                    ("total", total),
                    ("theirs", theirs),
                    ("margin", total - theirs),
                ];
                let mut bindings: Bindings =
                    known.map(|(name, n)| (name.to_owned(), Value::Number(n))).into();
                for (verdict, words, body) in rows {
                    let applies = match verdict {
                        Verdict::Doubled => total >= 2 * theirs,
                        Verdict::Ahead(by) => total - theirs > *by,
                        Verdict::Tied => total == theirs,
                        Verdict::Natural(face) => natural >= *face,
                        Verdict::When(condition) => self.holds(condition, &mut bindings)?,
                        Verdict::Otherwise => true,
                    };
                    if applies {
                        self.words.clone_from(words);
                        return self.rule_body(body, &mut bindings);
                    }
                }
                Err(Halt::Fault("no row"))
            }
            Rule::Volley { .. } | Rule::Function { .. } => Err(Halt::Fault("it gives a number")),
        }
    }

    /// Rolls and returns what the row of the roll does, and what is known there.
    fn look_up(&mut self, rule: usize) -> Outcome<(&'p [Statement], Bindings)> {
        let program = self.program;
        let Rule::Table { dice, rows, .. } = &program.rules[rule] else {
            return Err(Halt::Fault("no table"));
        };
        let total = self.roll(dice, &mut Bindings::new())?;
        let row = rows.iter().find(|row| (row.0..=row.1).contains(&total));
        let Some((_, _, words, body)) = row else { return Err(Halt::Fault("no row")) };
        self.words.clone_from(words);
        let known = ["natural", "total"].map(|name| (name.to_owned(), Value::Number(total)));
        Ok((body, known.into()))
    }

    /// Returns the dice of a side in an opposed roll, without and with its modifiers.
    fn contend(&mut self, contender: &Contender) -> Outcome<(i64, i64)> {
        let natural = self.roll(&contender.dice, &mut Bindings::new())?;
        let mut total = natural;
        for (by, condition) in &contender.modifiers {
            if self.holds(condition, &mut Bindings::new())? {
                total += by;
            }
        }
        Ok((natural, total))
    }

    /// Does what a sweep does once for each piece. Returns false if the sweep ends after it.
    fn turn_of_sweep(&mut self, rule: usize, bindings: &mut Bindings) -> Outcome<bool> {
        let program = self.program;
        let Rule::Sweep { before, check, pass, fail, after, .. } = &program.rules[rule] else {
            return Err(Halt::Fault("no sweep"));
        };
        self.turns += 1;
        goes_on(self.parts_of_turn(before, check, (pass, fail), after, bindings))
    }

    fn parts_of_turn(
        &mut self,
        before: &[Statement],
        check: &Check,
        (pass, fail): (&[Statement], &[Statement]),
        after: &[Statement],
        bindings: &mut Bindings,
    ) -> Outcome<()> {
        self.block(before, bindings)?;
        let passed = self.check(check, bindings)?;
        self.block(if passed { pass } else { fail }, bindings)?;
        self.block(after, bindings)
    }

    fn check(&mut self, check: &Check, bindings: &mut Bindings) -> Outcome<bool> {
        let mut added = 0;
        for (by, condition) in &check.modifiers {
            if self.holds(condition, bindings)? {
                added += by;
            }
        }
        let mut total = self.roll(&check.dice, bindings)? + added;
        let mut passed = total >= self.number(&check.needs, bindings)?;
        if let Some(by) = &check.choice
            && !passed
            && self.table.shots > 0
        {
            let all = ["no".to_owned(), "yes".to_owned()];
            let again = match by {
                Some(by) => {
                    let best = usize::from(self.holds(by, bindings)?);
                    self.ask_for_best("Again?".to_owned(), &all, best)?
                }
                None => self.ask("Again?".to_owned(), &all)?,
            };
            if again == 1 {
                self.table.shots -= 1;
                total = self.roll(&check.dice, bindings)? + added;
                passed = total >= self.number(&check.needs, bindings)?;
            }
        }
        // Without words of its own, a verdict is only shown in the line of the check.
        let words = if passed { &check.pass_say } else { &check.fail_say };
        if let Some(words) = words {
            self.words.clone_from(words);
        }
        Ok(passed)
    }

    /// Returns the number of passes and that of the highest faces.
    fn volley(&mut self, rule: usize, n: i64) -> Outcome<(i64, i64)> {
        let program = self.program;
        let Rule::Volley { sides, needs, rerolls, more, pass } = &program.rules[rule] else {
            return Err(Halt::Fault("no volley"));
        };
        let count = n.clamp(0, 3);
        let highest = i64::from(*sides);
        let mut faces = Vec::new();
        for _ in 0..count {
            faces.push(self.volley_die(*sides, *needs, *rerolls));
        }
        if *more {
            // Each die that shows its highest face brings one more. That one may be rolled again and bring another, too.
            for index in 0..faces.len() {
                let mut face = faces[index];
                let mut brought = 0;
                while face == highest && brought < MOST_FURTHER_DICE {
                    face = self.volley_die(*sides, *needs, *rerolls);
                    faces.push(face);
                    brought += 1;
                }
            }
        }
        let passes = faces.iter().filter(|face| **face >= *needs).count() as i64;
        let tops = faces.iter().filter(|face| **face == highest).count() as i64;
        if count > 0 {
            // One verdict for the whole line.
            self.words = if passes > 0 { "hits" } else { "misses" }.to_owned();
        }
        for _ in 0..passes {
            match self.loop_body(pass, &mut Bindings::new()) {
                Ok(true) => {}
                Ok(false) | Err(Halt::Stop) => break,
                Err(halt) => return Err(halt),
            }
        }
        Ok((passes, tops))
    }

    /// Returns what a die of a volley shows after it may have been rolled again.
    fn volley_die(&mut self, sides: u32, needs: i64, rerolls: Reroll) -> i64 {
        let face = self.chance.die(sides);
        let again = match rerolls {
            Reroll::None => false,
            Reroll::Ones => face == 1,
            Reroll::Misses => face < needs,
        };
        if again { self.chance.die(sides) } else { face }
    }

    fn function(&mut self, rule: usize, figure: usize, n: i64) -> Outcome<i64> {
        let program = self.program;
        let Rule::Function { requires, body, gives } = &program.rules[rule] else {
            return Err(Halt::Fault("no function"));
        };
        let mut bindings = Bindings::from([
            ("one".to_owned(), Value::Figure(figure)),
            ("n".to_owned(), Value::Number(n)),
        ]);
        if let Some(condition) = requires
            && !self.holds(condition, &mut bindings)?
        {
            self.refuse(REQUIRED)?;
        }
        match self.rule_body(body, &mut bindings) {
            Err(Halt::Return(n)) => return Ok(n),
            result => result?,
        }
        self.number(gives, &mut bindings)
    }

    fn choose(&mut self, choice: &Choice, bindings: &mut Bindings) -> Outcome<Option<usize>> {
        Ok(match choice {
            Choice::First(source, name, condition) => {
                self.those(source, name, condition, bindings)?.first().copied()
            }
            Choice::Best(name, by) => self.farthest(name, by, 1, bindings)?,
            Choice::Nearest(name, by) => self.farthest(name, by, -1, bindings)?,
            Choice::OwnerOf(mine) => {
                let mine = self.mine(mine, bindings)?;
                self.table.mines[mine].owner
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
                if index >= MOST_FIGURES {
                    return Err(Halt::TooMany);
                }
                self.table.figures.push(Figure::new());
                self.table.figures[index].hits = self.number(hits, bindings)?.clamp(0, HIGHEST);
                self.table.figures[index].cover = *cover;
                Some(index)
            }
        })
    }

    /// Returns the first figure for which a number times this factor is greatest.
    fn farthest(
        &mut self,
        name: &str,
        by: &Number,
        factor: i64,
        bindings: &mut Bindings,
    ) -> Outcome<Option<usize>> {
        let mut best: Option<(i64, usize)> = None;
        for figure in self.table.figures_there() {
            bindings.insert(name.to_owned(), Value::Figure(figure));
            let value = factor * self.number(by, bindings)?;
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, figure));
            }
        }
        Ok(best.map(|(_, figure)| figure))
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

    /// Puts cards into a deck. A loop over a deck that puts cards into it may double it again and again.
    fn put(&mut self, deck: Deck, cards: impl Iterator<Item = usize>) -> Outcome<()> {
        self.table.deck(deck).extend(cards);
        if self.table.cards(deck).len() > MOST_CARDS { Err(Halt::TooMany) } else { Ok(()) }
    }

    fn cards_that(
        &mut self,
        deck: Deck,
        name: &str,
        condition: &Condition,
        bindings: &mut Bindings,
    ) -> Outcome<Vec<usize>> {
        let mut chosen = Vec::new();
        for card in self.table.cards(deck).to_vec() {
            bindings.insert(name.to_owned(), Value::Card(card));
            if self.holds(condition, bindings)? {
                chosen.push(card);
            }
        }
        Ok(chosen)
    }

    fn mine(&self, name: &str, bindings: &Bindings) -> Outcome<usize> {
        match bindings.get(name) {
            Some(Value::Mine(mine)) if self.table.mines[*mine].is_there => Ok(*mine),
            _ => Err(Halt::Fault("no such mine")),
        }
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
            Number::ActionsLeft(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].actions_left
            }
            Number::SideToMove => self.table.side as i64,
            Number::SidesLeft => self.table.waiting.len() as i64,
            Number::Hits(figure) => self.table.figures[self.figure(figure, bindings)?].hits,
            Number::Shots => self.table.shots,
            Number::Rank(figure) => {
                let figure = self.figure(figure, bindings)?;
                if figure < self.program.figures.len() { figure as i64 + 1 } else { 0 }
            }
            Number::Health(figure) => {
                self.table.figures[self.figure(figure, bindings)?].health as i64
            }
            Number::Worth(card) => CARDS[card_of(card, bindings)?].2,
            Number::OpenWorth => self.table.open.map_or(0, |card| CARDS[card].2),
            Number::Power(mine) => self.table.mines[self.mine(mine, bindings)?].power,
            Number::Fuse(mine) => self.table.mines[self.mine(mine, bindings)?].fuse,
            Number::Turn => self.table.turn,
            Number::CountMines(owner) => {
                let owner = owner.as_ref().map(|owner| self.figure(owner, bindings)).transpose()?;
                let mines = self.table.mines.iter().filter(|mine| mine.is_there);
                mines.filter(|mine| owner.is_none() || mine.owner == owner).count() as i64
            }
            Number::SumRolled(figure) => {
                let figure = self.figure(figure, bindings)?;
                self.table.figures[figure].rolled.iter().sum()
            }
            Number::Score(figure) => {
                let figure = &self.table.figures[self.figure(figure, bindings)?];
                figure.hits + figure.seen.len() as i64
            }
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
                self.cards_that(*deck, name, condition, bindings)?.len() as i64
            }
            Number::SumCards(deck, _) => {
                self.table.cards(*deck).iter().map(|card| CARDS[*card].2).sum()
            }
            Number::Distance(a, b) => (self.number(a, bindings)? - self.number(b, bindings)?).abs(),
            Number::Half(n) => self.number(n, bindings)?.div_euclid(2),
            Number::Remainder(n, by) => self.number(n, bindings)?.max(0) % by,
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
            Number::Fate(n, figure) => {
                let last = FATES.len() as i64 - 1;
                let row = FATES[self.number(n, bindings)?.clamp(0, last) as usize];
                row[self.table.figures[self.figure(figure, bindings)?].health]
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
            Condition::IsDone(figure) => {
                let figure = self.figure(figure, bindings)?;
                let state = &self.table.figures[figure];
                if self.table.active.contains(&figure) {
                    state.actions_left < 1
                } else {
                    state.acted || self.table.actions(figure) < 1
                }
            }
            Condition::Cover(figure) => self.table.figures[self.figure(figure, bindings)?].cover,
            Condition::Strong(figure) => {
                let figure = &self.table.figures[self.figure(figure, bindings)?];
                figure.hits >= 2 && !figure.cover
            }
            Condition::Reaches(figure, n) => {
                self.table.figures[self.figure(figure, bindings)?].reach >= 2 * n
            }
            Condition::Note(figure, text) => {
                self.table.figures[self.figure(figure, bindings)?].note == *text
            }
            Condition::Between(n, low, high) => (low..=high).contains(&&self.number(n, bindings)?),
            Condition::HasOwner(mine) => {
                self.table.mines[self.mine(mine, bindings)?].owner.is_some()
            }
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
                !self.cards_that(*deck, name, condition, bindings)?.is_empty()
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
            Dice::Lowest(count, sides) => {
                let faces = (0..*count).map(|_| self.chance.die(*sides));
                faces.min().unwrap_or(0)
            }
            Dice::DropLowest(count, sides) => {
                let faces: Vec<i64> = (0..*count).map(|_| self.chance.die(*sides)).collect();
                faces.iter().sum::<i64>() - faces.iter().min().unwrap_or(&0)
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
            Dice::PunchOf(figure) => {
                let Punch { count, sides } =
                    self.table.figures[self.figure(figure, bindings)?].punch;
                (0..count).map(|_| self.chance.die(sides)).sum()
            }
        })
    }
}

fn card_of(name: &str, bindings: &Bindings) -> Outcome<usize> {
    match bindings.get(name) {
        Some(Value::Card(card)) => Ok(*card),
        _ => Err(Halt::Fault("no such card")),
    }
}
