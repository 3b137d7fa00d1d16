//! Programs of the rule language as trees, and how they are written as rulesets.

use std::fmt::Write;

/// The words of a figure's health, in order.
pub(crate) const HEALTH: [&str; 3] = ["well", "wounded", "dead"];
/// The cards: name, title and worth.
pub(crate) const CARDS: [(&str, &str, i64); 3] =
    [("ace", "Ace", 2), ("knave", "Knave", 1), ("blank", "Blank", 0)];
/// The values of the chart, from 0 up. The last one holds for all higher numbers.
pub(crate) const CHART: [i64; 4] = [1, 0, 3, 2];
/// The values of the chart with two axes: a row for each number from 0 up, the last one for all higher numbers, and a
/// column for each word of health.
pub(crate) const FATES: [[i64; 3]; 3] = [[0, 2, 1], [1, 3, 0], [2, 0, 3]];
/// The highest number of an attribute.
pub(crate) const HIGHEST: i64 = 9;

/// The phases of a turn, in order. The game is in the first.
pub(crate) const PHASES: [&str; 3] = ["zero", "one", "two"];

/// The sides, in order.
pub(crate) const SIDES: [&str; 2] = ["red", "blue"];

/// The phase in which one figure acts at a time.
pub(crate) const ACTIVE_PHASE: usize = 1;
/// The most actions of a figure, which has one for each hit.
pub(crate) const MOST_ACTIONS: i64 = 2;

/// A ruleset with three figures, and what is done with them.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) figures: Vec<FigureSetup>,
    pub(crate) mines: Vec<MineSetup>,
    /// The number of each card that `shuffle` puts into the pack and the cup.
    pub(crate) pack: [u32; 3],
    pub(crate) cup: [u32; 3],
    pub(crate) rules: Vec<Rule>,
    /// What the umpire does, one line after the other.
    pub(crate) lines: Vec<Line>,
    pub(crate) turn: Option<Turn>,
    /// The phase that play goes on to after the lines.
    pub(crate) until: Option<Goal>,
    /// True if the umpire insists on the phases up to there.
    pub(crate) insists_until: bool,
    /// What is asked for besides: how likely is it that this holds at the end?
    pub(crate) condition: Condition,
    /// The number of questions that are answered beforehand.
    pub(crate) answered: usize,
}

/// A line that the umpire types.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    Verb {
        body: Vec<Statement>,
        insists: bool,
    },
    /// `next`: a phase is left and the next begins.
    Next,
}

/// What is done in the phases of a turn. The second may be passed over.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) skip: Condition,
    pub(crate) by_side: Option<BySide>,
    pub(crate) begin: [Vec<Statement>; 3],
    pub(crate) end: [Vec<Statement>; 3],
}

/// A phase that each side plays in its turn.
#[derive(Clone, Debug)]
pub(crate) struct BySide {
    /// The index of the phase.
    pub(crate) phase: usize,
    /// The side for which this is lowest plays first.
    pub(crate) order: Option<Number>,
    /// True if all sides share the phase, and one piece acts at a time.
    pub(crate) alternates: bool,
}

/// What a rule ends, the smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ends {
    /// The phase; if the sides take turns in it, only that of the side to move.
    OwnPhase,
    PhaseForAll,
    /// The turn of the side to move. Where no side is to move, the turn of all.
    OwnTurn,
    TurnForAll,
}

/// A point up to which play goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    Phase(usize),
    NextTurn,
}

/// The attributes of a figure at the beginning.
#[derive(Clone, Debug)]
pub(crate) struct FigureSetup {
    pub(crate) hits: i64,
    pub(crate) health: usize,
    pub(crate) cover: bool,
    pub(crate) next: Option<usize>,
    pub(crate) seen: Vec<usize>,
    pub(crate) punch: Punch,
}

/// The dice that a figure keeps as an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Punch {
    pub(crate) count: u32,
    pub(crate) sides: u32,
}

impl Punch {
    /// The dice of a figure that is set out during the game.
    pub(crate) const START: Punch = Punch { count: 1, sides: 2 };

    /// Returns the dice as they are written and shown.
    pub(crate) fn text(self) -> String {
        let count = if self.count == 1 { String::new() } else { self.count.to_string() };
        format!("{count}d{}", self.sides)
    }
}

/// The attributes of a mine at the beginning.
#[derive(Clone, Debug)]
pub(crate) struct MineSetup {
    pub(crate) power: i64,
    pub(crate) owner: Option<usize>,
}

/// A rule that others call.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// Each figure that meets the condition rolls.
    Sweep {
        condition: Condition,
        /// For each of the figures that it sees, instead of once.
        sees: Option<Condition>,
        before: Vec<Statement>,
        check: Box<Check>,
        pass: Vec<Statement>,
        fail: Vec<Statement>,
        after: Vec<Statement>,
    },
    /// Rolls one die `n` times, at most three, and gives the number of passes and that of the highest faces.
    Volley { sides: u32, needs: i64, rerolls: Reroll, more: bool, pass: Vec<Statement> },
    /// Looks a roll up, or this many rolls, at most two, one after the other.
    Table { times: Option<Number>, dice: Dice, rows: Vec<(i64, i64, String, Vec<Statement>)> },
    /// Both sides roll, and the first row that applies says what comes of it.
    Duel { own: Contender, other: Contender, rows: Vec<(Verdict, String, Vec<Statement>)> },
    /// Takes a figure and a number, and gives a number. What it requires may be refused.
    Function { requires: Option<Condition>, body: Vec<Statement>, gives: Number },
}

/// The dice of a side in an opposed roll, and its modifiers.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub(crate) dice: Dice,
    pub(crate) modifiers: Vec<(i64, Condition)>,
}

/// When a row of an opposed roll applies.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// The total is at least twice the other.
    Doubled,
    /// The total is higher by more than this.
    Ahead(i64),
    Tied,
    /// The dice show at least this, without modifiers.
    Natural(i64),
    When(Condition),
    Otherwise,
}

/// The dice of a volley that are rolled again, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reroll {
    None,
    Ones,
    Misses,
}

/// A roll with modifiers that must reach a number.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) dice: Dice,
    pub(crate) modifiers: Vec<(i64, Condition)>,
    pub(crate) needs: Number,
    /// A miss may be rolled again for a shot, which is asked after the dice. With a condition, yes is the best answer if
    /// it holds.
    pub(crate) choice: Option<Option<Condition>>,
    pub(crate) pass_say: Option<String>,
    pub(crate) fail_say: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Dice {
    /// So many dice of so many sides, added up.
    Sum(u32, u32),
    /// The highest of them.
    Highest(u32, u32),
    /// The lowest of them.
    Lowest(u32, u32),
    /// Their sum without the lowest.
    DropLowest(u32, u32),
    /// The number of those that show at least this.
    AtLeast(u32, u32, i64),
    /// One die; a 1 is rolled again, once.
    OnceAgain(u32),
    /// One die that explodes on its highest face.
    Exploding(u32),
    /// As many dice as a number says, at least one and at most two.
    Many(Box<Number>, u32),
    /// The dice that a figure keeps.
    PunchOf(String),
}

/// The figures or cards that are gone through.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Figures,
    Hat,
    /// The list of a figure.
    Seen(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deck {
    Pack,
    Cup,
}

#[derive(Clone, Debug)]
pub(crate) enum Number {
    Constant(i64),
    Variable(String),
    Hits(String),
    ActionsLeft(String),
    /// The number of the side to move, from 1; 0 if no side is.
    SideToMove,
    /// The number of sides that are still to move.
    SidesLeft,
    Shots,
    Health(String),
    /// The number of a figure that has stood there from the beginning; 0 of others.
    Rank(String),
    Worth(String),
    /// The worth of the card that lies open; 0 without one.
    OpenWorth,
    Power(String),
    Fuse(String),
    Turn,
    /// The mines of a figure, or all.
    CountMines(Option<String>),
    SumRolled(String),
    /// A definition: hits and the number of figures seen.
    Score(String),
    Count(Source, String, Box<Condition>),
    Sum(Source, String, Box<Number>),
    SeenBy(String),
    CountCards(Deck, String, Box<Condition>),
    SumCards(Deck, String),
    Add(Box<Number>, Box<Number>),
    Subtract(Box<Number>, Box<Number>),
    Smaller(Box<Number>, Box<Number>),
    Larger(Box<Number>, Box<Number>),
    Distance(Box<Number>, Box<Number>),
    Half(Box<Number>),
    Remainder(Box<Number>, i64),
    If(Box<Condition>, Box<Number>, Box<Number>),
    Chart(Box<Number>),
    /// Looked up by a number and by the health of a figure.
    Fate(Box<Number>, String),
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Always,
    Compare(Number, &'static str, Number),
    Cover(String),
    /// It has no actions left in this phase.
    IsDone(String),
    /// Derived: at least two hits, and no cover.
    Strong(String),
    /// The reach of a figure, a fraction, is at least this.
    Reaches(String, i64),
    /// The text of a figure is this.
    Note(String, String),
    Between(Number, i64, i64),
    HasOwner(String),
    Same(String, String),
    HasNext(String),
    IsSeen(String, String),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
    Any(Source, String, Box<Condition>),
    All(Source, String, Box<Condition>),
    AnyCard(Deck, String, Box<Condition>),
}

/// A figure that may be none.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    First(Source, String, Condition),
    Best(String, Number),
    Nearest(String, Number),
    OwnerOf(String),
    NextOf(String),
    Pick(Source, String, Condition),
    DrawFromHat,
    Make(Number, bool),
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Let(String, Number),
    LetRoll(String, Dice),
    LetAnswer(String, i64, i64),
    /// A call of a rule that gives two numbers.
    LetVolley(String, String, usize, Number),
    LetFunction(String, usize, String, Number),
    Call(usize),
    Assign(String, Number),
    SetHits(String, Number),
    AddHits(String, Number),
    SubtractHits(String, Number),
    SetHealth(String, usize),
    NextHealth(String),
    /// The first figure gets the dice of the second.
    CopyPunch(String, String),
    SetCover(String, Condition),
    SetNext(String, Option<String>),
    AddSeen(String, String),
    TakeSeen(String, String),
    /// Each sees the other.
    Link(String, String),
    Unlink(String, String),
    ClearSeen(String),
    AddShots(Number),
    SetShots(Number),
    /// Half of a number.
    SetReach(String, Number),
    AddReach(String, Number),
    SetNote(String, String, Option<Number>),
    AppendNote(String, String),
    AddRolled(String, Number),
    ClearRolled(String),
    /// The card lies open, or none does.
    SetOpen(Option<String>),
    AddPower(String, Number),
    RemoveMine(String),
    PutMine(String),
    /// A mine is set out, and something is done with it.
    Lay(String, Number, Option<String>, Vec<Statement>),
    EachMine(String, i64, Vec<Statement>),
    DrawMine(String, Vec<Statement>),
    If(Condition, Vec<Statement>, Vec<Statement>),
    IfRoll(Dice, i64, Vec<Statement>, Vec<Statement>),
    IfYes(String, Vec<Statement>, Vec<Statement>),
    Each(Source, String, Condition, Vec<Statement>),
    Repeat(Number, Vec<Statement>),
    /// A figure that is chosen, and what is done with it if there is one.
    With(String, Choice, Vec<Statement>),
    AskWho(String, Vec<Statement>),
    /// A figure that meets a condition is chosen by the one who wants the highest number.
    AskBest(String, Condition, Number, Vec<Statement>),
    Draw(Deck, String, Vec<Statement>, Vec<Statement>),
    /// The first card of a deck that meets a condition.
    Top(Deck, String, Condition, Vec<Statement>),
    PickCard(Deck, String, Condition, Vec<Statement>),
    EachCard(Deck, String, Condition, Vec<Statement>),
    Put(u32, usize, Deck),
    PutCard(String, Deck),
    PutFigure(String),
    Shuffle(&'static str),
    Say(String, Option<Number>),
    /// Said to the umpire, who asks for the odds.
    Tell(String),
    /// An item under "On the table", which changes nothing that the odds show.
    Instruct(String),
    Refuse(String),
    Remove(String),
    /// The first two figures that meet a condition are put into a list, and something is done with each.
    Gather(Source, String, Condition, Vec<Statement>),
    /// The figures that meet a condition, those with the lowest number first.
    EachSorted(String, Condition, Number, Vec<Statement>),
    Return(Number),
    /// A figure begins to act.
    Activate(String),
    EndActivation,
    End(Ends),
    Stop,
    Continue,
    Break,
}

impl Deck {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Deck::Pack => "pack",
            Deck::Cup => "cup",
        }
    }
}

impl Program {
    /// Returns true if all that happens is the rule of a single line. Between rules, a run can't stop for a value that is
    /// not certain, so that some programs are sampled.
    pub(crate) fn is_one_rule(&self) -> bool {
        self.turn.is_none() && self.lines.len() == 1
    }

    /// Returns the statements that are played first.
    fn first_statements(&mut self) -> &mut Vec<Statement> {
        match (&mut self.lines[0], &mut self.turn) {
            (Line::Verb { body, .. }, _) => body,
            (Line::Next, Some(turn)) => &mut turn.end[0],
            (Line::Next, None) => unreachable!("only a game with phases has a next one"),
        }
    }

    /// Returns the program with a statement before all others.
    pub(crate) fn beginning_with(&self, statement: Statement) -> Program {
        let mut program = self.clone();
        program.first_statements().insert(0, statement);
        program
    }

    /// Returns the program with its first statements played once for each figure of these groups of ranks, one group
    /// after the other.
    pub(crate) fn sweeping(&self, groups: &[std::ops::RangeInclusive<i64>]) -> Program {
        let mut program = self.clone();
        let body = program.first_statements();
        let inner = std::mem::take(body);
        let rank = || Number::Rank("swept".to_owned());
        for ranks in groups {
            let from = Condition::Compare(rank(), ">=", Number::Constant(*ranks.start()));
            let to = Condition::Compare(rank(), "<=", Number::Constant(*ranks.end()));
            let which = Condition::And(Box::new(from), Box::new(to));
            body.push(Statement::Each(Source::Figures, "swept".to_owned(), which, inner.clone()));
        }
        program
    }

    /// Returns the ruleset.
    pub(crate) fn to_toml(&self) -> String {
        let mut text = String::from(HEADER);
        for (name, title, worth) in CARDS {
            writeln!(text, "{name} = [\"{title}\", {worth}]").unwrap();
        }
        let fill = |deck: &str, counts: [u32; 3]| -> String {
            let cards = counts.iter().zip(CARDS).filter(|(count, _)| **count > 0);
            cards.map(|(n, (card, ..))| format!("put {n} of card.{card} into {deck}; ")).collect()
        };
        writeln!(text, "\n[deck.pack]\nof = \"card\"\nfill = '{}'", fill("pack", self.pack))
            .unwrap();
        writeln!(text, "\n[deck.cup]\nof = \"card\"\nfill = '{}'", fill("cup", self.cup)).unwrap();
        for (index, rule) in self.rules.iter().enumerate() {
            rule.write(index, &mut text);
        }
        for (index, line) in self.lines.iter().enumerate() {
            if let Line::Verb { body, .. } = line {
                let verb = VERBS[index];
                writeln!(
                    text,
                    "\n[rule.{verb}]\nusage = \"{verb}\"\nafter = '''\n{}'''",
                    block(body)
                )
                .unwrap();
            }
        }
        if let Some(turn) = &self.turn {
            if turn.by_side.is_some() {
                let sides = SIDES.map(|side| format!("\"{side}\"")).join(", ");
                writeln!(text, "\n[words.side]\nvalues = [{sides}]\n\n[sides]\nare = \"side\"")
                    .unwrap();
            }
            for (index, phase) in PHASES.into_iter().enumerate() {
                writeln!(text, "\n[[phase]]\nname = \"{phase}\"").unwrap();
                if index == ACTIVE_PHASE {
                    writeln!(
                        text,
                        "activate = {{ of = \"figure\", actions = 'min(self.hits, {MOST_ACTIONS})' }}"
                    )
                    .unwrap();
                }
                if let Some(BySide { order, alternates, .. }) =
                    turn.by_side.as_ref().filter(|by_side| by_side.phase == index)
                {
                    text.push_str("by = \"side\"\n");
                    if *alternates {
                        // No piece has a side, so that the move never passes on.
                        let flag = if index == ACTIVE_PHASE { "done" } else { "cover" };
                        writeln!(text, "alternate = \"{flag}\"").unwrap();
                    }
                    if let Some(order) = order {
                        writeln!(text, "order = '{}'", order.text()).unwrap();
                    }
                }
                if index == 1 {
                    writeln!(text, "skip = '{}'", turn.skip.text()).unwrap();
                }
                for (key, body) in [("do", &turn.begin[index]), ("end", &turn.end[index])] {
                    writeln!(text, "{key} = '''\n{}'''", block(body)).unwrap();
                }
            }
        }
        text.push_str("\n[scenario.start]\ntitle = \"Three\"\n[scenario.start.pieces.figure]\n");
        for (index, figure) in self.figures.iter().enumerate() {
            let next = figure.next.map_or(String::new(), |n| format!(", next = \"f{}\"", n + 1));
            let seen: Vec<String> = figure.seen.iter().map(|n| format!("\"f{}\"", n + 1)).collect();
            writeln!(
                text,
                "f{0} = {{ rank = {0}, hits = {1}, health = \"{2}\", cover = {3}{next}, seen = [{4}], punch = \"{5}\" }}",
                index + 1,
                figure.hits,
                HEALTH[figure.health],
                figure.cover,
                seen.join(", "),
                figure.punch.text(),
            )
            .unwrap();
        }
        if !self.mines.is_empty() {
            text.push_str("[scenario.start.pieces.mine]\n");
        }
        for (index, mine) in self.mines.iter().enumerate() {
            let owner = mine.owner.map_or(String::new(), |n| format!(", owner = \"f{}\"", n + 1));
            writeln!(text, "m{} = {{ power = {}{owner} }}", index + 1, mine.power).unwrap();
        }
        text
    }
}

/// The words of the lines, if they are verbs.
pub(crate) const VERBS: [&str; 3] = ["run", "walk", "halt"];

const HEADER: &str = r#"[game]
title = "Made up"

[words.health]
values = ["well", "wounded", "dead"]

[kind.figure]
prefix = "f"
marker = "figure"
hits   = { from = 0, to = 9, marker = "red die" }
health = { one_of = "health", marker = "counter" }
rank   = { from = 0, to = 3 }
cover  = { flag = true, marker = "ring" }
next   = { of = "figure", marker = "thread" }
seen   = { of = "figure", many = true, marker = "pin" }
reach  = { from = 0, to = 9, fractions = true, marker = "stick" }
tag    = { text = true, marker = "label" }
rolled = { from = 0, to = 9, many = true, marker = "dice" }
punch  = { dice = true, start = "D2", marker = "badge" }
strong = { is = 'self.hits >= 2 and not self.cover' }

[kind.mine]
prefix = "m"
marker = "mine"
power  = { from = 0, to = 9, marker = "black die" }
owner  = { of = "figure", marker = "flag" }
fuse   = { from = 0, to = 9, marker = "wick" }
on_add = 'self.fuse = min(state.shots + self.power, 9)'

[define.score]
takes = "one: figure"
is    = 'one.hits + size(one.seen)'

[state]
shots = { from = 0, to = 9, marker = "clock" }
open  = { of = "card", marker = "card" }

[deck.bag]
of = "mine"

[chart.effect]
by   = "number: whole"
rows = { "0 or less" = 1, "1" = 0, "2" = 3, "3 or more" = 2 }

[chart.fate]
by      = "number: whole, state: health"
columns = ["well", "wounded", "dead"]
rows    = { "0 or less" = [0, 2, 1], "1" = [1, 3, 0], "2 or more" = [2, 0, 3] }

[deck.hat]
of   = "figure"
fill = 'each f in figures { put f into hat }'

[list.card]
worth   = { from = 0, to = 9 }
columns = ["title", "worth"]
[list.card.rows]
"#;

impl Rule {
    fn write(&self, index: usize, text: &mut String) {
        match self {
            Rule::Sweep { condition, sees, before, check, pass, fail, after } => {
                writeln!(text, "\n[rule.act-{}]", letter(index)).unwrap();
                write!(text, "each = 'f in figures where {}", condition.text()).unwrap();
                if let Some(condition) = sees {
                    write!(text, ", g in f.seen where {}", condition.text()).unwrap();
                }
                writeln!(text, "'\nbefore = '''\n{}'''", block(before)).unwrap();
                writeln!(text, "after = '''\n{}'''", block(after)).unwrap();
                writeln!(text, "roll = '{}'", check.dice.text()).unwrap();
                writeln!(text, "modifiers = {}", modifiers(&check.modifiers)).unwrap();
                writeln!(text, "needs = '>= {}'", check.needs.text()).unwrap();
                if let Some(by) = &check.choice {
                    let by =
                        by.as_ref().map_or(String::new(), |by| format!(", by = '{}'", by.text()));
                    writeln!(
                        text,
                        "reroll = {{ may = 'not passed and state.shots > 0', cost = 'state.shots -= 1', ask = \"Again?\"{by} }}"
                    )
                    .unwrap();
                }
                for (key, words) in [("pass_say", &check.pass_say), ("fail_say", &check.fail_say)] {
                    if let Some(words) = words {
                        writeln!(text, "{key} = \"{words}\"").unwrap();
                    }
                }
                writeln!(text, "pass = '''\n{}'''\nfail = '''\n{}'''", block(pass), block(fail))
                    .unwrap();
            }
            Rule::Volley { sides, needs, rerolls, more, pass } => {
                writeln!(text, "\n[rule.act-{}]\ntakes = \"n: whole\"", letter(index)).unwrap();
                writeln!(text, "times = 'min(max(n, 0), 3)'\nroll = '1d{sides}'").unwrap();
                writeln!(text, "needs = '>= {needs}'").unwrap();
                writeln!(text, "tally = {{ tops = 'natural = {sides}' }}").unwrap();
                match rerolls {
                    Reroll::None => {}
                    Reroll::Ones => writeln!(text, "reroll = 'natural = 1'").unwrap(),
                    Reroll::Misses => writeln!(text, "reroll = 'not passed'").unwrap(),
                }
                if *more {
                    writeln!(text, "more = 'natural = {sides}'").unwrap();
                }
                writeln!(text, "pass_say = \"hits\"\nfail_say = \"misses\"").unwrap();
                writeln!(text, "pass = '''\n{}'''\ngives = 'passes, tops'", block(pass)).unwrap();
            }
            Rule::Table { times, dice, rows } => {
                writeln!(text, "\n[rule.act-{}]", letter(index)).unwrap();
                if let Some(times) = times {
                    writeln!(text, "times = 'min(max({}, 0), 2)'", times.text()).unwrap();
                }
                writeln!(text, "roll = '{}'\ntable = [", dice.text()).unwrap();
                for (low, high, words, body) in rows {
                    let body = block(body).replace('\n', ";");
                    writeln!(
                        text,
                        "  {{ on = \"{low} to {high}\", say = \"{words}\", do = '''{}''' }},",
                        body.trim_end_matches(';')
                    )
                    .unwrap();
                }
                text.push_str("]\n");
            }
            Rule::Duel { own, other, rows } => {
                writeln!(text, "\n[rule.act-{}]", letter(index)).unwrap();
                writeln!(text, "roll = '{}'", own.dice.text()).unwrap();
                writeln!(text, "modifiers = {}", modifiers(&own.modifiers)).unwrap();
                writeln!(
                    text,
                    "versus = {{ roll = '{}', label = \"they\", modifiers = {} }}\ntable = [",
                    other.dice.text(),
                    modifiers(&other.modifiers)
                )
                .unwrap();
                for (verdict, words, body) in rows {
                    let when = verdict.text().map_or(String::new(), |w| format!("when = '{w}', "));
                    writeln!(text, "  {{ {when}say = \"{words}\", do = '''{}''' }},", line(body))
                        .unwrap();
                }
                text.push_str("]\n");
            }
            Rule::Function { requires, body, gives } => {
                writeln!(text, "\n[rule.act-{}]", letter(index)).unwrap();
                writeln!(text, "takes = \"one: figure, n: whole\"").unwrap();
                if let Some(condition) = requires {
                    let condition = condition.text();
                    writeln!(
                        text,
                        "require = [{{ that = '{condition}', because = \"{REQUIRED}\" }}]"
                    )
                    .unwrap();
                }
                writeln!(text, "after = '''\n{}'''\ngives = '{}'", block(body), gives.text())
                    .unwrap();
            }
        }
    }
}

/// Returns modifiers as they are written.
fn modifiers(modifiers: &[(i64, Condition)]) -> String {
    let row = |(by, when): &(i64, Condition)| {
        format!("{{ by = '{by:+}', when = '{}', because = \"so\" }}", when.text())
    };
    let rows: Vec<String> = modifiers.iter().map(row).collect();
    format!("[{}]", rows.join(", "))
}

impl Verdict {
    /// Returns the condition of a row; `None` for a row that always applies.
    fn text(&self) -> Option<String> {
        match self {
            Verdict::Doubled => Some("total >= 2 * theirs".to_owned()),
            Verdict::Ahead(by) => Some(format!("margin > {by}")),
            Verdict::Tied => Some("margin = 0".to_owned()),
            Verdict::Natural(face) => Some(format!("natural >= {face}")),
            Verdict::When(condition) => Some(condition.text()),
            Verdict::Otherwise => None,
        }
    }
}

/// The reason of a rule for refusing what it requires.
pub(crate) const REQUIRED: &str = "not now";

/// Returns the letter of a rule. Names don't end in a hyphen and a number.
fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

impl Dice {
    /// Returns the dice in the notation of rules.
    pub(crate) fn text(&self) -> String {
        match self {
            Dice::Sum(count, sides) => format!("{count}d{sides}"),
            Dice::Highest(count, sides) => format!("{count}d{sides}kh1"),
            Dice::Lowest(count, sides) => format!("{count}d{sides}kl1"),
            Dice::DropLowest(count, sides) => format!("{count}d{sides}dl1"),
            Dice::AtLeast(count, sides, face) => format!("{count}d{sides}>={face}"),
            Dice::OnceAgain(sides) => format!("1d{sides}ro1"),
            Dice::Exploding(sides) => format!("1d{sides}!"),
            Dice::Many(count, sides) => format!("dice(min(max({}, 1), 2), {sides})", count.text()),
            Dice::PunchOf(figure) => format!("{figure}.punch"),
        }
    }
}

impl Source {
    pub(crate) fn text(&self) -> String {
        match self {
            Source::Figures => "figures".to_owned(),
            Source::Hat => "hat".to_owned(),
            Source::Seen(figure) => format!("{figure}.seen"),
        }
    }
}

impl Number {
    pub(crate) fn text(&self) -> String {
        match self {
            Number::Constant(n) => n.to_string(),
            Number::Variable(name) => name.clone(),
            Number::Hits(figure) => format!("{figure}.hits"),
            Number::ActionsLeft(figure) => format!("{figure}.actions-left"),
            Number::SideToMove => format!(
                "(if state.side = none then 0 else if state.side = {} then 1 else 2)",
                SIDES[0]
            ),
            Number::SidesLeft => "size(state.sides-left)".to_owned(),
            Number::Shots => "state.shots".to_owned(),
            Number::Health(figure) => format!("number({figure}.health)"),
            Number::Rank(figure) => format!("{figure}.rank"),
            Number::Worth(card) => format!("{card}.worth"),
            Number::OpenWorth => "(if state.open = none then 0 else state.open.worth)".to_owned(),
            Number::Power(mine) => format!("{mine}.power"),
            Number::Fuse(mine) => format!("{mine}.fuse"),
            Number::Turn => "state.turn".to_owned(),
            Number::CountMines(None) => "size(mines)".to_owned(),
            Number::CountMines(Some(figure)) => format!("(count m in mines: m.owner = {figure})"),
            Number::SumRolled(figure) => format!("(sum face in {figure}.rolled: face)"),
            Number::Score(figure) => format!("score({figure})"),
            Number::Count(source, name, condition) => {
                format!("(count {name} in {}: {})", source.text(), condition.text())
            }
            Number::Sum(source, name, of) => {
                format!("(sum {name} in {}: {})", source.text(), of.text())
            }
            Number::SeenBy(figure) => format!("size({figure}.seen)"),
            Number::CountCards(deck, name, condition) => {
                format!("(count {name} in {} where {})", deck.name(), condition.text())
            }
            Number::SumCards(deck, name) => {
                format!("(sum {name} in {}: {name}.worth)", deck.name())
            }
            Number::Add(a, b) => format!("({} + {})", a.text(), b.text()),
            Number::Subtract(a, b) => format!("({} - {})", a.text(), b.text()),
            Number::Smaller(a, b) => format!("min({}, {})", a.text(), b.text()),
            Number::Larger(a, b) => format!("max({}, {})", a.text(), b.text()),
            Number::Distance(a, b) => format!("abs({} - {})", a.text(), b.text()),
            Number::Half(n) => format!("floor({} / 2)", n.text()),
            Number::Remainder(n, by) => format!("(max({}, 0) mod {by})", n.text()),
            Number::If(condition, a, b) => {
                format!("(if {} then {} else {})", condition.text(), a.text(), b.text())
            }
            Number::Chart(n) => format!("effect({})", n.text()),
            Number::Fate(n, figure) => format!("fate({}, {figure}.health)", n.text()),
        }
    }
}

impl Condition {
    pub(crate) fn text(&self) -> String {
        match self {
            Condition::Always => "true".to_owned(),
            Condition::Compare(a, sign, b) => format!("{} {sign} {}", a.text(), b.text()),
            Condition::IsDone(figure) => format!("{figure}.done"),
            Condition::Cover(figure) => format!("{figure}.cover"),
            Condition::Strong(figure) => format!("{figure}.strong"),
            Condition::Reaches(figure, n) => format!("{figure}.reach >= {n}"),
            Condition::Note(figure, text) => format!("{figure}.tag = \"{text}\""),
            Condition::Between(n, low, high) => format!("{} in {low}..{high}", n.text()),
            Condition::HasOwner(mine) => format!("{mine}.owner != none"),
            Condition::Same(a, b) => format!("{a} = {b}"),
            Condition::HasNext(figure) => format!("{figure}.next != none"),
            Condition::IsSeen(figure, by) => format!("{figure} in {by}.seen"),
            Condition::And(a, b) => format!("({} and {})", a.text(), b.text()),
            Condition::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            Condition::Not(a) => format!("not ({})", a.text()),
            Condition::Any(source, name, condition) => {
                format!("(any {name} in {}: {})", source.text(), condition.text())
            }
            Condition::All(source, name, condition) => {
                format!("(all {name} in {}: {})", source.text(), condition.text())
            }
            Condition::AnyCard(deck, name, condition) => {
                format!("(any {name} in {}: {})", deck.name(), condition.text())
            }
        }
    }
}

/// Returns statements, one on a line.
fn block(statements: &[Statement]) -> String {
    let mut text = String::new();
    for statement in statements {
        text.push_str(&statement.text());
        text.push('\n');
    }
    text
}

/// Returns statements on one line.
fn line(statements: &[Statement]) -> String {
    let texts: Vec<String> = statements.iter().map(Statement::text).collect();
    texts.join("; ")
}

fn branches(condition: &str, yes: &[Statement], no: &[Statement]) -> String {
    let no = if no.is_empty() { String::new() } else { format!(" else {{ {} }}", line(no)) };
    format!("if {condition} {{ {} }}{no}", line(yes))
}

impl Statement {
    pub(crate) fn text(&self) -> String {
        match self {
            Statement::Let(name, number) => format!("let {name} = {}", number.text()),
            Statement::LetRoll(name, dice) => format!("let {name} = roll {}", dice.text()),
            Statement::LetAnswer(name, low, high) => {
                format!("let {name} = ask \"How many for {name}?\" between {low} and {high}")
            }
            Statement::LetVolley(passes, tops, rule, n) => {
                format!("let {passes}, {tops} = act-{}({})", letter(*rule), n.text())
            }
            Statement::LetFunction(name, rule, figure, n) => {
                format!("let {name} = act-{}({figure}, {})", letter(*rule), n.text())
            }
            Statement::Call(rule) => format!("act-{}()", letter(*rule)),
            Statement::Assign(name, number) => format!("{name} = {}", number.text()),
            Statement::SetHits(figure, n) => {
                format!("{figure}.hits = min(max({}, 0), {HIGHEST})", n.text())
            }
            Statement::AddHits(figure, n) => format!("{figure}.hits += {}", n.text()),
            Statement::SubtractHits(figure, n) => format!("{figure}.hits -= {}", n.text()),
            Statement::SetHealth(figure, word) => format!("{figure}.health = {}", HEALTH[*word]),
            Statement::NextHealth(figure) => format!("{figure}.health = next({figure}.health)"),
            Statement::CopyPunch(figure, from) => format!("{figure}.punch = {from}.punch"),
            Statement::SetCover(figure, condition) => {
                format!("{figure}.cover = {}", condition.text())
            }
            Statement::SetNext(figure, next) => {
                format!("{figure}.next = {}", next.as_deref().unwrap_or("none"))
            }
            Statement::AddSeen(figure, by) => format!("add {figure} to {by}.seen"),
            Statement::TakeSeen(figure, by) => format!("take {figure} from {by}.seen"),
            Statement::Link(figure, other) => format!("link {figure} to {other} by seen"),
            Statement::Unlink(figure, other) => format!("unlink {figure} from {other} by seen"),
            Statement::ClearSeen(by) => format!("clear {by}.seen"),
            Statement::AddShots(n) => format!("state.shots += {}", n.text()),
            Statement::SetShots(n) => format!("state.shots = min(max({}, 0), {HIGHEST})", n.text()),
            Statement::SetReach(figure, n) => {
                format!("{figure}.reach = min(max({}, 0), {HIGHEST}) / 2", n.text())
            }
            Statement::AddReach(figure, n) => format!("{figure}.reach += {} / 2", n.text()),
            Statement::SetNote(figure, words, None) => format!("{figure}.tag = \"{words}\""),
            Statement::SetNote(figure, words, Some(n)) => {
                format!("{figure}.tag = \"{words} {{{}}}\"", n.text())
            }
            Statement::AppendNote(figure, words) => {
                format!("{figure}.tag = \"{{{figure}.tag}}{words}\"")
            }
            Statement::AddRolled(figure, n) => {
                format!("add min(max({}, 0), {HIGHEST}) to {figure}.rolled", n.text())
            }
            Statement::ClearRolled(figure) => format!("clear {figure}.rolled"),
            Statement::SetOpen(card) => {
                format!("state.open = {}", card.as_deref().unwrap_or("none"))
            }
            Statement::AddPower(mine, n) => format!("{mine}.power += {}", n.text()),
            Statement::RemoveMine(mine) => format!("remove {mine}"),
            Statement::PutMine(mine) => format!("put {mine} into bag"),
            Statement::Lay(name, power, owner, body) => format!(
                "if true {{ let {name} = make mine {{ power = min(max({}, 0), {HIGHEST}), owner = {} }}; {} }}",
                power.text(),
                owner.as_deref().unwrap_or("none"),
                line(body)
            ),
            Statement::EachMine(name, power, body) => {
                format!("each {name} in mines where {name}.power >= {power} {{ {} }}", line(body))
            }
            Statement::DrawMine(name, body) => format!(
                "if true {{ let {name} = draw from bag; if {name} != none {{ {} }} }}",
                line(body)
            ),
            Statement::If(condition, yes, no) => branches(&condition.text(), yes, no),
            Statement::IfRoll(dice, needs, yes, no) => {
                branches(&format!("(roll {}) >= {needs}", dice.text()), yes, no)
            }
            Statement::IfYes(question, yes, no) => {
                branches(&format!("ask \"{question}\""), yes, no)
            }
            Statement::Each(source, name, condition, body) => {
                let source = source.text();
                format!("each {name} in {source} where {} {{ {} }}", condition.text(), line(body))
            }
            Statement::Repeat(n, body) => {
                format!("repeat min(max({}, 0), 3) times {{ {} }}", n.text(), line(body))
            }
            Statement::With(name, choice, body) => {
                let choice = choice.text();
                format!(
                    "if true {{ let {name} = {choice}; if {name} != none {{ {} }} }}",
                    line(body)
                )
            }
            Statement::AskBest(name, condition, by, body) => format!(
                "if any {name}x in figures: {} {{ let {name} = ask \"Who is best as {name}?\" among {name}x in figures where {} by {}; {} }}",
                condition.text(),
                condition.text(),
                by.text(),
                line(body)
            ),
            Statement::AskWho(name, body) => format!(
                "if any {name}x in figures: true {{ let {name} = ask \"Who is {name}?\" among figures; {} }}",
                line(body)
            ),
            Statement::Draw(deck, name, some, none) => {
                let drawn = branches(&format!("{name} != none"), some, none);
                format!("if true {{ let {name} = draw from {}; {drawn} }}", deck.name())
            }
            Statement::Top(deck, name, condition, body) => format!(
                "if true {{ let {name} = first {name}x in {} where {}; if {name} != none {{ {} }} }}",
                deck.name(),
                condition.text(),
                line(body)
            ),
            Statement::PickCard(deck, name, condition, body) => format!(
                "if true {{ let {name} = pick {name}x among {} where {}; if {name} != none {{ {} }} }}",
                deck.name(),
                condition.text(),
                line(body)
            ),
            Statement::EachCard(deck, name, condition, body) => {
                let deck = deck.name();
                format!("each {name} in {deck} where {} {{ {} }}", condition.text(), line(body))
            }
            Statement::PutCard(card, deck) => format!("put {card} into {}", deck.name()),
            Statement::Put(n, card, deck) => {
                format!("put {n} of card.{} into {}", CARDS[*card].0, deck.name())
            }
            Statement::PutFigure(figure) => format!("put {figure} into hat"),
            Statement::Shuffle(deck) => format!("shuffle {deck}"),
            Statement::Say(words, None) => format!("say \"{words}\""),
            Statement::Say(words, Some(n)) => format!("say \"{words} {{{}}}\"", n.text()),
            Statement::Tell(words) => format!("say \"{words}\" to umpire"),
            Statement::Instruct(words) => format!("instruct \"{words}\""),
            Statement::Refuse(reason) => format!("refuse \"{reason}\""),
            Statement::Remove(figure) => format!("remove {figure}"),
            Statement::Gather(source, name, condition, body) => {
                let list = format!("{name}list");
                format!(
                    "if true {{ let {list} = []; each {name}x in {} where {} {{ add {name}x to {list}; if size({list}) = 2 {{ break }} }}; each {name} in {list} {{ take {name} from {list}; {} }} }}",
                    source.text(),
                    condition.text(),
                    line(body)
                )
            }
            Statement::EachSorted(name, condition, by, body) => format!(
                "each {name} in ({name}x in figures where {} by {}) {{ {} }}",
                condition.text(),
                by.text(),
                line(body)
            ),
            Statement::Return(n) => format!("return {}", n.text()),
            Statement::Activate(figure) => format!("activate {figure}"),
            Statement::EndActivation => "end activation".to_owned(),
            Statement::End(Ends::OwnPhase) => "end phase".to_owned(),
            Statement::End(Ends::PhaseForAll) => "end phase for all".to_owned(),
            Statement::End(Ends::OwnTurn) => "end turn".to_owned(),
            Statement::End(Ends::TurnForAll) => "end turn for all".to_owned(),
            Statement::Stop => "stop".to_owned(),
            Statement::Continue => "continue".to_owned(),
            Statement::Break => "break".to_owned(),
        }
    }
}

impl Choice {
    fn text(&self) -> String {
        match self {
            Choice::First(source, name, condition) => {
                format!("first {name} in {} where {}", source.text(), condition.text())
            }
            Choice::Best(name, by) => format!("best {name} in figures by {}", by.text()),
            Choice::Nearest(name, by) => format!("nearest {name} in figures by {}", by.text()),
            Choice::OwnerOf(mine) => format!("{mine}.owner"),
            Choice::NextOf(figure) => format!("{figure}.next"),
            Choice::Pick(source, name, condition) => {
                format!("pick {name} among {} where {}", source.text(), condition.text())
            }
            Choice::DrawFromHat => "draw from hat".to_owned(),
            Choice::Make(hits, cover) => {
                format!(
                    "make figure {{ hits = min(max({}, 0), {HIGHEST}), cover = {cover} }}",
                    hits.text()
                )
            }
        }
    }
}
