//! Makes up programs from a grammar. The same number makes the same program on every machine.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::program::{
    BySide, Check, Choice, Condition, Contender, Deck, Dice, Ends, FigureSetup, Goal, Line,
    MineSetup, Number, Program, Punch, Reroll, Rule, Source, Statement, Turn, Verdict,
};

/// Returns the program with a number.
pub(crate) fn program(number: u64) -> Program {
    Generator {
        random: ChaCha8Rng::seed_from_u64(number),
        names: 0,
        rules: Vec::new(),
        has_phases: false,
        has_sides: false,
        closed: Vec::new(),
    }
    .program()
}

/// The names that may be used at some place of a program.
#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    figures: Vec<String>,
    cards: Vec<String>,
    mines: Vec<String>,
    /// How deep the place is nested.
    depth: u32,
    /// True inside of a rule that `stop` may end.
    may_stop: bool,
    /// True inside of a loop.
    is_loop: bool,
    /// True inside of a rule that gives a number.
    gives: bool,
    /// True inside of a rule. It may call only those made up before it.
    is_rule: bool,
}

struct Generator {
    random: ChaCha8Rng,
    /// The number of names given so far.
    names: u32,
    rules: Vec<Rule>,
    /// True if the game has phases, which may end.
    has_phases: bool,
    /// True if the sides take turns in a phase.
    has_sides: bool,
    /// The decks that no rule looks into: the cards in them count as equal until one is drawn.
    closed: Vec<Deck>,
}

const DECKS: [&str; 4] = ["pack", "cup", "hat", "bag"];
const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

impl Generator {
    fn below(&mut self, count: u32) -> u32 {
        self.random.random_range(0..count)
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        self.random.random_range(low..=high)
    }

    /// Returns true once in `n` times.
    fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn one_of(&mut self, names: &[String]) -> Option<String> {
        if names.is_empty() {
            None
        } else {
            Some(names[self.below(names.len() as u32) as usize].clone())
        }
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn program(mut self) -> Program {
        let form = self.below(14);
        self.has_phases = form <= 4;
        self.has_sides = self.has_phases && self.once_in(2);
        self.closed = match self.below(9) {
            0 => vec![Deck::Pack, Deck::Cup],
            1..=3 => vec![self.deck()],
            _ => Vec::new(),
        };
        let figures = (0..3).map(|_| self.figure_setup()).collect();
        let pack = [self.below(3), self.below(3), self.below(4)];
        let cup = [self.below(2), self.below(3), self.below(2)];
        // Two more often than not, so that those of different kinds meet.
        for _ in 0..[0, 1, 2, 2][self.below(4) as usize] {
            let rule = self.rule();
            self.rules.push(rule);
        }
        let mines = (0..self.below(3)).map(|_| self.mine_setup()).collect();
        let (lines, length) = match form {
            0 | 1 => (vec![Line::Next], 0),
            2..=4 | 12 => (Vec::new(), 2),
            13 => (Vec::new(), 3),
            _ => (Vec::new(), 1),
        };
        let mut lines = lines;
        for index in 0..length {
            let size = match length {
                1 => 2 + self.below(6),
                _ => 1 + self.below(2),
            };
            let mut body = self.body(size);
            if index > 0 && self.once_in(2) {
                self.add_refusal(&mut body);
            }
            let insists = self.once_in(8);
            lines.push(Line::Verb { body, insists });
            if index == 0 && (form == 3 || form == 4) && self.once_in(2) {
                lines.push(Line::Next);
            }
        }
        let turn = if self.has_phases { Some(self.turn()) } else { None };
        let until = match form {
            1 | 2 => Some(Goal::Phase(self.below(3) as usize)),
            0 | 3 if self.once_in(2) => Some(Goal::NextTurn),
            _ => None,
        };
        let insists_until = until.is_some() && self.once_in(3);
        let condition = self.condition(&Scope::default(), 2);
        let answered = if self.once_in(3) { 1 + self.below(2) as usize } else { 0 };
        let rules = self.rules;
        Program {
            figures,
            mines,
            pack,
            cup,
            rules,
            lines,
            turn,
            until,
            insists_until,
            condition,
            answered,
        }
    }

    /// Adds something to a line that refuses it in some cases. The other lines are then still played.
    fn add_refusal(&mut self, body: &mut Vec<Statement>) {
        let scope = Scope::default();
        let refusal = vec![Statement::Refuse(self.name('x'))];
        let refused = if self.once_in(2) {
            Statement::If(self.condition(&scope, 1), refusal, Vec::new())
        } else {
            Statement::IfRoll(self.dice(&scope), self.between(2, 3), refusal, Vec::new())
        };
        let index = self.below(body.len() as u32 + 1) as usize;
        body.insert(index, refused);
        if self.once_in(3) {
            // Said, though it may be refused afterwards.
            body.insert(index, Statement::Say(self.name('s'), None));
        }
    }

    fn turn(&mut self) -> Turn {
        let skip = self.condition(&Scope::default(), 1);
        let ends = [true, self.once_in(3), self.once_in(3)];
        let by_side = self.has_sides.then(|| BySide {
            phase: 1 + self.below(2) as usize,
            order: self.once_in(2).then(|| match self.below(3) {
                // The last one first.
                0 => Number::Subtract(Box::new(Number::Constant(3)), Box::new(Number::SideToMove)),
                _ => Number::Distance(
                    Box::new(self.number(&Scope::default(), 1)),
                    Box::new(Number::SideToMove),
                ),
            }),
            alternates: self.once_in(3),
        });
        let mut part = |in_use: bool| {
            if in_use {
                let length = 1 + self.below(3) / 2;
                self.body(length)
            } else {
                Vec::new()
            }
        };
        let begin = [part(true), part(true), part(true)];
        let end = ends.map(part);
        Turn { skip, by_side, begin, end }
    }

    fn mine_setup(&mut self) -> MineSetup {
        let power = i64::from(self.below(4));
        let owner = if self.once_in(2) { Some(self.below(3) as usize) } else { None };
        MineSetup { power, owner }
    }

    fn figure_setup(&mut self) -> FigureSetup {
        let list = (0..self.below(3)).map(|_| self.below(3) as usize).collect();
        FigureSetup {
            hits: i64::from(self.below(4)),
            health: self.below(3) as usize,
            cover: self.once_in(2),
            next: if self.once_in(2) { Some(self.below(3) as usize) } else { None },
            seen: list,
            punch: Punch { count: 1 + self.below(4) / 3, sides: 2 + self.below(2) },
        }
    }

    fn rule(&mut self) -> Rule {
        let mut scope = Scope { is_rule: true, may_stop: true, depth: 2, ..Scope::default() };
        match self.below(5) {
            0 => {
                let one = Scope { figures: vec!["f".to_owned()], is_loop: true, ..scope };
                let modifiers = (0..self.below(3))
                    .map(|_| (self.between(-1, 2).max(1), self.condition(&one, 1)));
                let modifiers = modifiers.collect();
                let check = Check {
                    dice: self.dice(&one),
                    modifiers,
                    needs: Number::Constant(self.between(2, 4)),
                    choice: match self.below(6) {
                        0 => Some(None),
                        1 | 2 => Some(Some(self.condition(&one, 1))),
                        _ => None,
                    },
                    pass_say: if self.once_in(2) { Some("it holds".to_owned()) } else { None },
                    fail_say: if self.once_in(2) { Some("it breaks".to_owned()) } else { None },
                };
                let condition = self.condition(&one, 1);
                let mut inner = one.clone();
                let sees = if self.once_in(4) {
                    inner.figures.push("g".to_owned());
                    Some(self.condition(&inner, 1))
                } else {
                    None
                };
                let before =
                    if self.once_in(3) { self.statements(&mut inner, 1) } else { Vec::new() };
                let pass = self.statements(&mut inner.clone(), 1);
                let fail = if self.once_in(2) {
                    self.statements(&mut inner.clone(), 1)
                } else {
                    Vec::new()
                };
                let after =
                    if self.once_in(3) { self.statements(&mut inner, 1) } else { Vec::new() };
                Rule::Sweep { condition, sees, before, check: Box::new(check), pass, fail, after }
            }
            1 => {
                let sides = 2 + self.below(2);
                Rule::Volley {
                    sides,
                    needs: self.between(2, 3),
                    rerolls: [Reroll::None, Reroll::Ones, Reroll::Misses][self.below(3) as usize],
                    more: self.once_in(4),
                    pass: if self.once_in(2) {
                        self.statements(&mut Scope { is_loop: true, ..scope }, 1)
                    } else {
                        Vec::new()
                    },
                }
            }
            2 => {
                let sides = 2 + self.below(3);
                let (dice, highest) = if self.once_in(2) {
                    (Dice::Sum(1, sides), i64::from(sides))
                } else {
                    (Dice::Sum(2, sides), 2 * i64::from(sides))
                };
                let lowest = if matches!(dice, Dice::Sum(2, _)) { 2 } else { 1 };
                let middle = self.between(lowest, highest - 1);
                let times = self.once_in(2).then(|| self.number(&Scope::default(), 1));
                scope.is_loop = times.is_some();
                scope.numbers.extend(["natural".to_owned(), "total".to_owned()]);
                let rows = vec![
                    (lowest, middle, "low".to_owned(), self.statements(&mut scope.clone(), 1)),
                    (middle + 1, highest, "high".to_owned(), self.statements(&mut scope, 1)),
                ];
                Rule::Table { times, dice, rows }
            }
            3 => {
                let own = self.contender();
                let other = self.contender();
                for name in ["natural", "total", "theirs", "margin"] {
                    scope.numbers.push(name.to_owned());
                }
                let mut rows = Vec::new();
                for words in ["rout", "push", "hold"].into_iter().take(1 + self.below(3) as usize) {
                    let verdict = match self.below(5) {
                        0 => Verdict::Doubled,
                        1 => Verdict::Ahead(self.between(-1, 1)),
                        2 => Verdict::Tied,
                        3 => Verdict::Natural(self.between(2, 3)),
                        _ => Verdict::When(self.condition(&scope, 1)),
                    };
                    rows.push((verdict, words.to_owned(), self.statements(&mut scope.clone(), 1)));
                }
                let body = self.statements(&mut scope, 1);
                rows.push((Verdict::Otherwise, "yield".to_owned(), body));
                Rule::Duel { own, other, rows }
            }
            _ => {
                let mut inner = Scope {
                    figures: vec!["one".to_owned()],
                    numbers: vec!["n".to_owned()],
                    gives: true,
                    ..scope
                };
                let mut body = self.statements(&mut inner, 2);
                if self.once_in(2) {
                    let condition = self.condition(&inner, 1);
                    let early = match self.between(1, 4) {
                        1 => Statement::Stop,
                        _ => Statement::Return(self.number(&inner, 1)),
                    };
                    body.push(Statement::If(condition, vec![early], Vec::new()));
                }
                let known = Scope {
                    figures: vec!["one".to_owned()],
                    numbers: vec!["n".to_owned()],
                    ..Scope::default()
                };
                let requires = if self.once_in(4) { Some(self.condition(&known, 1)) } else { None };
                Rule::Function { requires, body, gives: self.number(&known, 2) }
            }
        }
    }

    fn contender(&mut self) -> Contender {
        let scope = Scope::default();
        let dice = Dice::Sum(1, 2 + self.below(3));
        let modifiers = (0..self.below(3))
            .map(|_| (self.between(-1, 2).max(1), self.condition(&scope, 1)))
            .collect();
        Contender { dice, modifiers }
    }

    fn body(&mut self, length: u32) -> Vec<Statement> {
        let mut scope = Scope::default();
        let mut statements = Vec::new();
        for deck in DECKS {
            if self.once_in(if deck == "bag" { 4 } else { 2 }) {
                statements.push(Statement::Shuffle(deck));
            }
        }
        for deck in self.closed.clone() {
            if length >= 2 && self.once_in(2) {
                statements.extend(self.draws_behind_rolls(deck));
            }
        }
        statements.extend(self.statements(&mut scope, length));
        statements
    }

    /// Returns draws whose last one is reached on two paths: on one it is known which cards are left, on the other it isn't.
    fn draws_behind_rolls(&mut self, deck: Deck) -> Vec<Statement> {
        let scope = Scope::default();
        let mut unknown = Vec::new();
        for _ in 0..1 + self.below(2) {
            let drawn = self.draw(&scope, deck);
            unknown.push(Statement::IfRoll(self.dice(&scope), 2, vec![drawn], Vec::new()));
        }
        unknown.push(Statement::LetRoll(self.name('r'), self.dice(&scope)));
        let known = self.optional_block(&scope);
        let first = Statement::IfRoll(self.dice(&scope), 2, unknown, known);
        vec![Statement::Shuffle(deck.name()), first, self.draw(&scope, deck)]
    }

    fn draw(&mut self, scope: &Scope, deck: Deck) -> Statement {
        let name = self.name('c');
        let some = self.block(scope, |inner| inner.cards.push(name.clone()));
        Statement::Draw(deck, name, some, self.optional_block(scope))
    }

    /// Returns some statements. Names that they give stay in the scope.
    fn statements(&mut self, scope: &mut Scope, count: u32) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.push(self.statement(scope));
        }
        statements
    }

    /// Returns the statements of a block, whose names nobody knows outside.
    fn block(&mut self, scope: &Scope, add: impl FnOnce(&mut Scope)) -> Vec<Statement> {
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        add(&mut inner);
        let count = 1 + self.below(2);
        self.statements(&mut inner, count)
    }

    /// Returns the statements of a loop.
    fn loop_block(&mut self, scope: &Scope, add: impl FnOnce(&mut Scope)) -> Vec<Statement> {
        self.block(&Scope { is_loop: true, ..scope.clone() }, add)
    }

    fn optional_block(&mut self, scope: &Scope) -> Vec<Statement> {
        if self.once_in(3) { self.block(scope, |_| ()) } else { Vec::new() }
    }

    fn statement(&mut self, scope: &mut Scope) -> Statement {
        if scope.depth >= 3 || self.once_in(3) {
            return self.simple_statement(scope);
        }
        match self.below(19) {
            0 | 1 => {
                let condition = self.condition(scope, 2);
                Statement::If(condition, self.block(scope, |_| ()), self.optional_block(scope))
            }
            2 | 3 => {
                let dice = self.dice(scope);
                let needs = self.between(2, 3);
                Statement::IfRoll(
                    dice,
                    needs,
                    self.block(scope, |_| ()),
                    self.optional_block(scope),
                )
            }
            4 => {
                let question = format!("Is it {}?", self.name('q'));
                Statement::IfYes(question, self.block(scope, |_| ()), self.optional_block(scope))
            }
            5 | 6 => {
                let name = self.name('e');
                let source = self.source(scope);
                let mut with = scope.clone();
                with.figures.push(name.clone());
                let condition = self.condition(&with, 1);
                let mut body = self.loop_block(scope, |inner| inner.figures.push(name.clone()));
                if self.once_in(6) && !scope.is_rule && scope.figures.is_empty() {
                    body.push(Statement::Remove(name.clone()));
                }
                Statement::Each(source, name, condition, body)
            }
            7 | 8 => {
                let n = if self.once_in(2) {
                    Number::Constant(self.between(1, 3))
                } else {
                    self.number(scope, 1)
                };
                Statement::Repeat(n, self.loop_block(scope, |_| ()))
            }
            9..=11 => {
                let name = self.name('w');
                let choice = self.choice(scope);
                let mut body = self.block(scope, |inner| inner.figures.push(name.clone()));
                if scope.figures.is_empty() && !scope.is_rule && self.once_in(6) {
                    body.push(Statement::Remove(name.clone()));
                }
                Statement::With(name, choice, body)
            }
            12 => {
                let name = self.name('a');
                let mut with = scope.clone();
                with.figures.push(format!("{name}x"));
                let best =
                    self.once_in(2).then(|| (self.condition(&with, 1), self.number(&with, 1)));
                let body = self.block(scope, |inner| inner.figures.push(name.clone()));
                match best {
                    Some((condition, by)) => Statement::AskBest(name, condition, by, body),
                    None => Statement::AskWho(name, body),
                }
            }
            13 | 14 => {
                let deck = self.deck();
                self.draw(scope, deck)
            }
            15 if self.once_in(2) => {
                let name = self.name('l');
                let source = if self.once_in(2) { Some(self.source(scope)) } else { None };
                let mut with = scope.clone();
                with.figures.push(format!("{name}x"));
                let condition = self.condition(&with, 1);
                let by = self.number(&with, 1);
                let body = self.loop_block(scope, |inner| inner.figures.push(name.clone()));
                match source {
                    Some(source) => Statement::Gather(source, name, condition, body),
                    None => Statement::EachSorted(name, condition, by, body),
                }
            }
            15 => {
                let name = self.name('t');
                let Some(deck) = self.open_deck() else { return self.simple_statement(scope) };
                let each = self.below(3);
                let asked = if each == 0 { name.clone() } else { format!("{name}x") };
                let condition =
                    if self.once_in(2) { Condition::Always } else { self.card_condition(&asked) };
                let add = |inner: &mut Scope| inner.cards.push(name.clone());
                let body =
                    if each == 0 { self.loop_block(scope, add) } else { self.block(scope, add) };
                match each {
                    0 => Statement::EachCard(deck, name, condition, body),
                    1 => Statement::PickCard(deck, name, condition, body),
                    _ => Statement::Top(deck, name, condition, body),
                }
            }
            16 => {
                let name = self.name('m');
                let power = self.number(scope, 1);
                let owner = self.one_of(&scope.figures);
                let body = self.block(scope, |inner| inner.mines.push(name.clone()));
                Statement::Lay(name, power, owner, body)
            }
            17 => {
                let name = self.name('m');
                let mut body = self.loop_block(scope, |inner| inner.mines.push(name.clone()));
                self.remove_mine_after(scope, &name, &mut body);
                Statement::EachMine(name, self.between(0, 2), body)
            }
            _ => {
                let name = self.name('m');
                let mut body = self.block(scope, |inner| inner.mines.push(name.clone()));
                self.remove_mine_after(scope, &name, &mut body);
                Statement::DrawMine(name, body)
            }
        }
    }

    /// Sometimes removes a mine at the end of its block, where no other name can mean it.
    fn remove_mine_after(&mut self, scope: &Scope, name: &str, body: &mut Vec<Statement>) {
        if scope.mines.is_empty() && !scope.is_rule && self.once_in(4) {
            body.push(Statement::RemoveMine(name.to_owned()));
        }
    }

    fn simple_statement(&mut self, scope: &mut Scope) -> Statement {
        let figure = self.one_of(&scope.figures);
        let other = self.one_of(&scope.figures);
        if let (Some(figure), Some(other), false) = (figure, other, self.once_in(3)) {
            return match self.below(if self.has_phases { 25 } else { 23 }) {
                20 => Statement::CopyPunch(figure, other),
                21 => Statement::Link(figure, other),
                22 => Statement::Unlink(figure, other),
                23 | 24 => Statement::Activate(figure),
                0 | 1 => Statement::SetHits(figure, self.number(scope, 2)),
                2 | 3 => Statement::AddHits(figure, self.number(scope, 1)),
                4 => Statement::SubtractHits(figure, self.number(scope, 1)),
                5 => Statement::SetHealth(figure, self.below(3) as usize),
                6 => Statement::NextHealth(figure),
                7 => Statement::SetCover(figure, self.condition(scope, 1)),
                8 => {
                    let next = if self.once_in(3) { None } else { Some(other) };
                    Statement::SetNext(figure, next)
                }
                9 => Statement::AddSeen(figure, other),
                10 => Statement::TakeSeen(figure, other),
                11 => Statement::ClearSeen(figure),
                12 => Statement::SetReach(figure, self.number(scope, 1)),
                13 => Statement::AddReach(figure, self.number(scope, 1)),
                14 | 15 => {
                    let number = if self.once_in(2) { Some(self.number(scope, 1)) } else { None };
                    Statement::SetNote(figure, self.note(), number)
                }
                16 => Statement::AppendNote(figure, self.note()),
                17 => Statement::AddRolled(figure, self.number(scope, 1)),
                18 => Statement::ClearRolled(figure),
                _ => Statement::PutFigure(figure),
            };
        }
        if let (Some(mine), true) = (self.one_of(&scope.mines), self.once_in(3)) {
            return if self.once_in(3) {
                Statement::PutMine(mine)
            } else {
                Statement::AddPower(mine, self.number(scope, 1))
            };
        }
        if let (Some(card), true) = (self.one_of(&scope.cards), self.once_in(3)) {
            return if self.once_in(2) {
                Statement::SetOpen(Some(card))
            } else {
                Statement::PutCard(card, self.deck())
            };
        }
        match self.below(18) {
            0 | 1 => {
                let dice = self.dice(scope);
                let name = self.name('r');
                scope.numbers.push(name.clone());
                Statement::LetRoll(name, dice)
            }
            2 => {
                let number = self.number(scope, 2);
                let name = self.name('n');
                scope.numbers.push(name.clone());
                Statement::Let(name, number)
            }
            3 => {
                let name = self.name('k');
                scope.numbers.push(name.clone());
                Statement::LetAnswer(name, 1, 2 + i64::from(self.below(2)))
            }
            4 | 5 => Statement::AddShots(self.number(scope, 2)),
            6 => Statement::SetShots(self.number(scope, 2)),
            7 => match self.variable(scope) {
                Some(name) => {
                    let more = self.number(scope, 1);
                    let sum = Number::Add(Box::new(Number::Variable(name.clone())), Box::new(more));
                    let most = Box::new(Number::Constant(9));
                    Statement::Assign(name, Number::Smaller(Box::new(sum), most))
                }
                None => Statement::AddShots(Number::Constant(1)),
            },
            8 => Statement::Put(1 + self.below(2), self.below(3) as usize, self.deck()),
            9 => Statement::Shuffle(DECKS[self.below(4) as usize]),
            10 | 11 => {
                let words = self.name('s');
                if self.once_in(6) {
                    return Statement::Instruct(words);
                }
                if self.once_in(6) {
                    return Statement::Tell(words);
                }
                let number = if self.once_in(2) { Some(self.number(scope, 2)) } else { None };
                Statement::Say(words, number)
            }
            12 if scope.depth > 0 && self.once_in(2) => Statement::Refuse(self.name('x')),
            12 if scope.may_stop && scope.depth > 2 => Statement::Stop,
            17 if self.has_phases => match self.one_of(&scope.figures) {
                Some(figure) if !self.once_in(3) => Statement::Activate(figure),
                _ => Statement::EndActivation,
            },
            12 | 16 if self.has_phases && scope.depth > 0 => Statement::End(self.ends()),
            13 if !scope.gives || self.once_in(2) => Statement::SetOpen(None),
            13 if scope.gives => Statement::Return(self.number(scope, 2)),
            14 if scope.is_loop => {
                if self.once_in(2) {
                    Statement::Continue
                } else {
                    Statement::Break
                }
            }
            _ => self.call(scope).unwrap_or(Statement::AddShots(Number::Constant(2))),
        }
    }

    fn ends(&mut self) -> Ends {
        match self.below(6) {
            0 | 1 => Ends::OwnPhase,
            2 | 3 => Ends::OwnTurn,
            4 => Ends::PhaseForAll,
            _ => Ends::TurnForAll,
        }
    }

    /// Returns a variable that may be changed.
    fn variable(&mut self, scope: &Scope) -> Option<String> {
        let is_fixed = |name: &str| ["n", "natural", "total", "theirs", "margin"].contains(&name);
        let all = scope.numbers.iter().filter(|name| !is_fixed(name)).cloned().collect::<Vec<_>>();
        self.one_of(&all)
    }

    fn call(&mut self, scope: &mut Scope) -> Option<Statement> {
        if self.rules.is_empty() {
            return None;
        }
        let rule = self.below(self.rules.len() as u32) as usize;
        Some(match &self.rules[rule] {
            Rule::Sweep { .. } | Rule::Table { .. } | Rule::Duel { .. } => Statement::Call(rule),
            Rule::Volley { .. } => {
                let n = self.number(scope, 1);
                let passes = self.name('v');
                let tops = self.name('v');
                scope.numbers.extend([passes.clone(), tops.clone()]);
                Statement::LetVolley(passes, tops, rule, n)
            }
            Rule::Function { .. } => {
                let figure = self.one_of(&scope.figures)?;
                let n = self.number(scope, 1);
                let name = self.name('g');
                scope.numbers.push(name.clone());
                Statement::LetFunction(name, rule, figure, n)
            }
        })
    }

    fn deck(&mut self) -> Deck {
        if self.once_in(2) { Deck::Pack } else { Deck::Cup }
    }

    /// Returns a deck that rules look into, if there is one.
    fn open_deck(&mut self) -> Option<Deck> {
        match self.closed[..] {
            [] => Some(self.deck()),
            [Deck::Pack] => Some(Deck::Cup),
            [Deck::Cup] => Some(Deck::Pack),
            _ => None,
        }
    }

    fn dice(&mut self, scope: &Scope) -> Dice {
        if let (Some(figure), true) = (self.one_of(&scope.figures), self.once_in(5)) {
            return Dice::PunchOf(figure);
        }
        match self.below(12) {
            10 => Dice::Lowest(2, 3),
            11 => Dice::DropLowest(3, 2),
            0 => Dice::Sum(2, 2),
            1 => Dice::Highest(2, 3),
            2 => Dice::AtLeast(2, 3, self.between(2, 3)),
            3 => Dice::OnceAgain(3),
            4 if self.once_in(2) => Dice::Exploding(3),
            5 => Dice::Many(Box::new(self.number(scope, 1)), 2),
            _ => Dice::Sum(1, 2 + self.below(3)),
        }
    }

    fn source(&mut self, scope: &Scope) -> Source {
        match (self.below(5), self.one_of(&scope.figures)) {
            (0, _) => Source::Hat,
            (1, Some(figure)) => Source::Seen(figure),
            _ => Source::Figures,
        }
    }

    fn choice(&mut self, scope: &Scope) -> Choice {
        if let (Some(mine), true) = (self.one_of(&scope.mines), self.once_in(3)) {
            return Choice::OwnerOf(mine);
        }
        match self.below(9) {
            8 => Choice::Nearest(self.name('b'), Number::Hits(format!("b{}", self.names))),
            0 => Choice::Best(self.name('b'), Number::Hits(format!("b{}", self.names))),
            1 => match self.one_of(&scope.figures) {
                Some(figure) => Choice::NextOf(figure),
                None => Choice::DrawFromHat,
            },
            2 | 3 => {
                let (source, name, condition) = self.those(scope);
                Choice::Pick(source, name, condition)
            }
            4 => Choice::DrawFromHat,
            5 => Choice::Make(self.number(scope, 1), self.once_in(2)),
            _ => {
                let (source, name, condition) = self.those(scope);
                Choice::First(source, name, condition)
            }
        }
    }

    fn those(&mut self, scope: &Scope) -> (Source, String, Condition) {
        let name = self.name('f');
        let source = self.source(scope);
        let mut with = scope.clone();
        with.figures.push(name.clone());
        let condition = self.condition(&with, 1);
        (source, name, condition)
    }

    fn number(&mut self, scope: &Scope, depth: u32) -> Number {
        if depth == 0 || self.once_in(3) {
            return self.simple_number(scope);
        }
        let less = |generator: &mut Self| Box::new(generator.number(scope, depth - 1));
        if let (Some(figure), true) = (self.one_of(&scope.figures), self.once_in(12)) {
            return Number::Fate(less(self), figure);
        }
        match self.below(13) {
            9 => match self.open_deck() {
                Some(deck) => Number::SumCards(deck, self.name('p')),
                None => self.simple_number(scope),
            },
            10 => Number::Distance(less(self), less(self)),
            11 => Number::Half(less(self)),
            12 => Number::Remainder(less(self), 2 + i64::from(self.once_in(2))),
            0 => Number::Add(less(self), less(self)),
            1 => Number::Subtract(less(self), less(self)),
            2 => Number::Smaller(less(self), less(self)),
            3 => Number::Larger(less(self), less(self)),
            4 => {
                let condition = self.condition(scope, 1);
                Number::If(Box::new(condition), less(self), less(self))
            }
            5 => Number::Chart(less(self)),
            6 => {
                let (source, name, condition) = self.those(scope);
                Number::Count(source, name, Box::new(condition))
            }
            7 => {
                let name = self.name('u');
                let source = self.source(scope);
                let of = if self.once_in(2) {
                    Number::Hits(name.clone())
                } else {
                    Number::Health(name.clone())
                };
                Number::Sum(source, name, Box::new(of))
            }
            _ => {
                let name = self.name('p');
                let Some(deck) = self.open_deck() else { return self.simple_number(scope) };
                let condition = self.card_condition(&name);
                Number::CountCards(deck, name, Box::new(condition))
            }
        }
    }

    fn card_condition(&mut self, card: &str) -> Condition {
        let sign = SIGNS[self.below(6) as usize];
        let worth = Number::Worth(card.to_owned());
        Condition::Compare(worth, sign, Number::Constant(i64::from(self.below(3))))
    }

    fn simple_number(&mut self, scope: &Scope) -> Number {
        let figure = self.one_of(&scope.figures);
        let variable = self.one_of(&scope.numbers);
        let card = self.one_of(&scope.cards);
        if let (Some(mine), true) = (self.one_of(&scope.mines), self.once_in(3)) {
            return if self.once_in(3) { Number::Fuse(mine) } else { Number::Power(mine) };
        }
        match (self.below(14), figure, variable, card) {
            (9, Some(figure), ..) => Number::SumRolled(figure),
            (10, Some(figure), ..) => Number::Score(figure),
            (11, figure, ..) => Number::CountMines(figure),
            (12, ..) => Number::OpenWorth,
            (13, Some(figure), ..) if self.has_phases && self.once_in(2) => {
                Number::ActionsLeft(figure)
            }
            (13, ..) if self.has_sides && self.once_in(2) => {
                if self.once_in(3) {
                    Number::SidesLeft
                } else {
                    Number::SideToMove
                }
            }
            (13, ..) => Number::Turn,
            (0 | 1, _, Some(name), _) => Number::Variable(name),
            (2 | 3, Some(figure), ..) => Number::Hits(figure),
            (4, Some(figure), ..) => Number::Health(figure),
            (5, Some(figure), ..) => Number::SeenBy(figure),
            (6, ..) => Number::Shots,
            (7 | 8, _, _, Some(card)) => Number::Worth(card),
            _ => Number::Constant(self.between(0, 3)),
        }
    }

    fn condition(&mut self, scope: &Scope, depth: u32) -> Condition {
        let figure = self.one_of(&scope.figures);
        let other = self.one_of(&scope.figures);
        let branch = if depth == 0 { 4 + self.below(6) } else { self.below(17) };
        if let (Some(mine), true) = (self.one_of(&scope.mines), self.once_in(4)) {
            return Condition::HasOwner(mine);
        }
        match (branch, figure, other) {
            (13, Some(figure), _) => Condition::Strong(figure),
            (14, Some(figure), _) => Condition::Reaches(figure, self.between(0, 2)),
            (15, Some(figure), _) => Condition::Note(figure, self.note()),
            (16, ..) => {
                let low = self.between(0, 2);
                Condition::Between(self.simple_number(scope), low, low + self.between(0, 2))
            }
            (0, ..) => Condition::And(
                Box::new(self.condition(scope, depth - 1)),
                Box::new(self.condition(scope, depth - 1)),
            ),
            (1, ..) => Condition::Or(
                Box::new(self.condition(scope, depth - 1)),
                Box::new(self.condition(scope, depth - 1)),
            ),
            (2, ..) => Condition::Not(Box::new(self.condition(scope, depth - 1))),
            (4, Some(figure), _) if self.has_phases && self.once_in(2) => Condition::IsDone(figure),
            (4, Some(figure), _) => Condition::Cover(figure),
            (5, Some(figure), Some(other)) if figure != other => Condition::Same(figure, other),
            (6, Some(figure), _) => Condition::HasNext(figure),
            (7, Some(figure), Some(other)) => Condition::IsSeen(figure, other),
            (10, ..) => {
                let (source, name, condition) = self.those_simple(scope);
                Condition::Any(source, name, Box::new(condition))
            }
            (11, ..) => {
                let (source, name, condition) = self.those_simple(scope);
                Condition::All(source, name, Box::new(condition))
            }
            (12, ..) => {
                let name = self.name('p');
                let Some(deck) = self.open_deck() else { return self.condition(scope, 0) };
                let condition = self.card_condition(&name);
                Condition::AnyCard(deck, name, Box::new(condition))
            }
            _ => {
                let sign = SIGNS[self.below(6) as usize];
                let number = self.simple_number(scope);
                Condition::Compare(number, sign, Number::Constant(self.between(0, 3)))
            }
        }
    }

    fn those_simple(&mut self, scope: &Scope) -> (Source, String, Condition) {
        let name = self.name('f');
        let source = self.source(scope);
        let mut with = scope.clone();
        with.figures.push(name.clone());
        let condition = self.condition(&with, 0);
        (source, name, condition)
    }

    /// Returns one of a few texts, so that equal ones meet.
    fn note(&mut self) -> String {
        ["", "a", "b", "a 1", "ab"][self.below(5) as usize].to_owned()
    }
}
