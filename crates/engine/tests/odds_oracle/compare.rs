//! Compares the answer of the engine with what comes of every path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_dice::{Fraction, Seed};
use adjutant_engine::command::{self, read_condition};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::odds::{
    ConditionOdds, Marginal, Odds, OddsMethod, OddsQuestion, OddsStep, OddsUntil, PassedOverLine,
    PossibleChange,
};
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use adjutant_engine::tabletop::Tabletop;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::brute::{Ending, Figure, Mine, NoEndings, Table, all_endings};
use crate::program::{CARDS, Dice, Goal, HEALTH, Line, PHASES, Program, SIDES, Statement, VERBS};

/// The most paths of a program.
const MOST_PATHS: usize = 1_000;

/// The most lines with numbers that odds list.
const MOST_NUMBERS: usize = 12;

/// The most parts that an answer lists one by one.
const MOST_PARTS: usize = 60;

/// The attributes without a marker. They are shown if nothing else is different.
const UNMARKED: [&str; 3] = ["phase", "turn", "side"];

/// More values than are followed. A program that begins with them is sampled.
const TOO_MANY_VALUES: Dice = Dice::Sum(6, 1_000);

/// The beginning of what is returned for a program that is wrong in itself.
pub(crate) const WRONG: &str = "the program is wrong";

/// How a program was compared.
#[derive(Debug)]
pub(crate) enum Agreement {
    /// The odds were exact, through this number of states and with this number of steps.
    Exact { states: usize, steps: u64 },
    /// They were sampled this many times, and are near what is expected.
    Sampled(u64),
    /// There were too many paths.
    TooLarge,
}

/// The titles and values of what is different on the table after a path. A piece that is set out or taken off has no
/// attribute.
type Changes = BTreeMap<String, String>;

/// Returns what of the table is different, as the answer names it.
fn changes(program: &Program, after: &Table) -> Changes {
    let before = Table::at_start(program);
    let mut changes = Changes::new();
    let old = state(&before);
    changes.extend(state(after).into_iter().filter(|(title, value)| old[title] != *value));
    for (index, figure) in after.figures.iter().enumerate() {
        let piece = format!("f{}", index + 1);
        let old = before.figures.get(index).map(|old| figure_attributes(old, &piece));
        let new = figure_attributes(figure, &piece);
        let fresh = figure_attributes(&Figure::new(), &piece);
        piece_changes(&mut changes, &piece, figure.is_there, old, new, &fresh);
    }
    for (index, mine) in after.mines.iter().enumerate() {
        let piece = format!("m{}", index + 1);
        let old = before.mines.get(index).map(|old| mine_attributes(old, &piece));
        let new = mine_attributes(mine, &piece);
        piece_changes(&mut changes, &piece, mine.is_there, old, new, &fresh_mine(&piece));
    }
    changes
}

/// Adds the changes of a piece that was on the table with its `old` attributes, or was not.
fn piece_changes(
    changes: &mut Changes,
    piece: &str,
    is_there: bool,
    old: Option<Changes>,
    new: Changes,
    fresh: &Changes,
) {
    match (old, is_there) {
        (None, false) => {}
        (None, true) => {
            changes.insert(piece.to_owned(), "set out".to_owned());
            changes.extend(new.into_iter().filter(|(title, value)| fresh[title] != *value));
        }
        (Some(_), false) => {
            changes.insert(piece.to_owned(), "taken off".to_owned());
        }
        (Some(old), true) => {
            changes.extend(new.into_iter().filter(|(title, value)| old[title] != *value));
        }
    }
}

/// Returns the attributes of the game as a whole as the answer shows them.
fn state(table: &Table) -> Changes {
    let open = table.open.map_or("none", |card| CARDS[card].0);
    let mut state = Changes::from([
        ("shots".to_owned(), table.shots.to_string()),
        ("open".to_owned(), open.to_owned()),
    ]);
    if table.turn > 0 {
        state.insert("turn".to_owned(), table.turn.to_string());
        state.insert("phase".to_owned(), PHASES[table.phase].to_owned());
        let side = table.side.checked_sub(1).map_or("none", |side| SIDES[side]);
        state.insert("side".to_owned(), side.to_owned());
    }
    state
}

fn mine_attributes(mine: &Mine, piece: &str) -> Changes {
    let owner = mine.owner.map_or("none".to_owned(), |figure| format!("f{}", figure + 1));
    Changes::from([
        (format!("{piece} power"), mine.power.to_string()),
        (format!("{piece} owner"), owner),
        (format!("{piece} fuse"), mine.fuse.to_string()),
    ])
}

/// Returns the attributes of a mine as it is set out.
fn fresh_mine(piece: &str) -> Changes {
    mine_attributes(&Mine::new(), piece)
}

/// Returns the attributes of a figure as the answer shows them.
fn figure_attributes(figure: &Figure, piece: &str) -> Changes {
    let names = |all: &[usize]| -> String {
        let names: Vec<String> = all.iter().map(|other| format!("f{}", other + 1)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    let next: Vec<usize> = figure.next.into_iter().collect();
    let reach = match figure.reach {
        halves if halves % 2 == 0 => (halves / 2).to_string(),
        halves => format!("{}.5", halves / 2),
    };
    let rolled = match &figure.rolled[..] {
        [] => "none".to_owned(),
        rolled => rolled.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
    };
    Changes::from([
        (format!("{piece} hits"), figure.hits.to_string()),
        (format!("{piece} health"), HEALTH[figure.health].to_owned()),
        (format!("{piece} cover"), if figure.cover { "yes" } else { "no" }.to_owned()),
        (format!("{piece} next"), names(&next)),
        (format!("{piece} seen"), names(&figure.seen)),
        (format!("{piece} reach"), reach),
        (format!("{piece} tag"), figure.note.clone()),
        (format!("{piece} rolled"), rolled),
        (format!("{piece} punch"), figure.punch.text()),
    ])
}

/// Returns the value of something that a path has left as it was.
fn unchanged_value(program: &Program, title: &str) -> String {
    let start = Table::at_start(program);
    if let Some(value) = state(&start).get(title) {
        return value.clone();
    }
    let (piece, attribute) = title.split_once(' ').unwrap_or((title, ""));
    let number: usize = piece[1..].parse().unwrap();
    let (old, fresh) = if piece.starts_with('f') {
        let old = start.figures.get(number - 1);
        (old.map(|old| figure_attributes(old, piece)), figure_attributes(&Figure::new(), piece))
    } else {
        let old = start.mines.get(number - 1);
        (old.map(|old| mine_attributes(old, piece)), fresh_mine(piece))
    };
    match (old, attribute) {
        (Some(_), "") => "stays".to_owned(),
        (None, "") => "not there".to_owned(),
        (old, _) => old.unwrap_or(fresh)[title].clone(),
    }
}

/// Returns the title of a part in the words of the game: the piece and its marker.
fn shown_title(title: &str) -> String {
    let (piece, attribute) = title.rsplit_once(' ').unwrap_or(("", title));
    let marker = match attribute {
        "hits" => "red die",
        "power" => "black die",
        "fuse" => "wick",
        "shots" => "clock",
        "cover" => "",
        attribute => attribute,
    };
    format!("{piece} {marker}").trim().to_owned()
}

pub(crate) fn rational(fraction: &Fraction) -> BigRational {
    BigRational::new(fraction.numerator().clone(), BigInt::from(fraction.denominator().clone()))
}

pub(crate) type Shares<K> = BTreeMap<K, BigRational>;

fn add<K: Ord>(shares: &mut Shares<K>, key: K, share: &BigRational) {
    *shares.entry(key).or_insert_with(BigRational::zero) += share;
}

pub(crate) fn agree<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}:\n  the odds give {found:?}\n  the paths give {expected:?}"))
    }
}

/// Compares the odds of a program, and the probability of its condition, with all its paths.
///
/// # Errors
///
/// Returns what differs.
pub(crate) fn compare(program: &Program) -> Result<Agreement, String> {
    compare_text(program, &program.to_toml(), 1, false)
}

/// Compares the odds of a program with all its paths, with this multiple of the usual effort. They are sampled, unless
/// it is refused whatever the dice show.
///
/// # Errors
///
/// Returns what is too far off.
pub(crate) fn compare_sampled(program: &Program, effort: u32) -> Result<Agreement, String> {
    let unread = Statement::LetRoll("unread".to_owned(), TOO_MANY_VALUES);
    compare_text(program, &program.beginning_with(unread).to_toml(), effort, true)
}

/// Compares the odds of a ruleset. The condition is sampled only if the caller asks for it.
fn compare_text(
    program: &Program,
    text: &str,
    effort: u32,
    samples_condition: bool,
) -> Result<Agreement, String> {
    let mut given = Vec::new();
    let mut paths = all_endings(program, &given, MOST_PATHS);
    if let (Ok(paths_without), true) = (&paths, program.answered > 0) {
        // Those of some path, so that they fit the first question.
        let (ending, _) = &paths_without[paths_without.len() / 2];
        given = ending.answers.iter().take(program.answered).cloned().collect();
        paths = all_endings(program, &given, MOST_PATHS);
    }
    let mut asked = Asked::new(program, text, given)?;
    asked.question.effort = effort;
    let paths = match paths {
        Ok(paths) => paths,
        Err(NoEndings::TooMany) => return Ok(Agreement::TooLarge),
        Err(NoEndings::Fault(fault)) => return Err(format!("{WRONG}: {fault}")),
        Err(NoEndings::NoSuchAnswer) => {
            return match asked.odds() {
                Err(Halt::NoSuchAnswer(_)) => Ok(Agreement::Exact { states: 0, steps: 0 }),
                other => Err(format!("an answer that does not fit gives {other:?}")),
            };
        }
    };
    let expected = Expected::new(program, &paths);
    let odds = asked.odds();
    let is_sampled = matches!(&odds, Ok(Odds { basis: OddsMethod::Sampled(_), .. }));
    if samples_condition || !is_sampled {
        expected.compare_condition(asked.condition(program))?;
    }
    let odds = match odds {
        Ok(_) if expected.done.is_empty() => {
            return Err("there are odds, though it is always refused".to_owned());
        }
        Ok(odds) => odds,
        Err(Halt::Refused(reason)) => {
            // Whatever the dice show, it is refused.
            agree("refused", &true, &expected.done.is_empty())?;
            agree("the reason is the likeliest", &true, &expected.is_likeliest_refusal(&reason))?;
            return Ok(Agreement::Exact { states: 0, steps: 0 });
        }
        Err(halt) => return Err(format!("it goes wrong: {halt:?}")),
    };
    let total: BigRational = odds.endings.iter().map(|ending| rational(&ending.chance)).sum();
    let rest = odds.rest.as_ref().map_or_else(BigRational::zero, |(_, chance)| rational(chance));
    agree("total of the endings", &(total + rest), &BigRational::one())?;
    check_order(&odds)?;
    match odds.basis {
        OddsMethod::Sampled(runs) => {
            expected.compare_sampled(&odds, runs)?;
            Ok(Agreement::Sampled(runs))
        }
        OddsMethod::Exact(states) => {
            expected.compare(&odds)?;
            Ok(Agreement::Exact { states, steps: odds.steps })
        }
    }
}

/// Checks that the likeliest comes first, and of numbers the lowest.
fn check_order(odds: &Odds) -> Result<(), String> {
    let descends = |chances: Vec<&Fraction>| {
        let chances: Vec<BigRational> = chances.into_iter().map(rational).collect();
        chances.is_sorted_by(|a, b| a >= b)
    };
    let endings = descends(odds.endings.iter().map(|ending| &ending.chance).collect());
    let words = descends(odds.words.iter().map(|(_, chance)| chance).collect());
    let parts = odds.parts.iter().all(|part| match part.mean {
        Some(_) => part.values.is_sorted_by_key(|(n, _)| n.parse::<i64>().unwrap()),
        None => descends(part.values.iter().map(|(_, chance)| chance).collect()),
    });
    agree(
        "order of the endings, the words and the values",
        &(endings, words, parts),
        &(true, true, true),
    )
}

/// Compares the odds of a program with those of a ruleset that should mean the same, in which `original` gives pieces
/// their names back.
pub(crate) fn compare_rulesets(
    program: &Program,
    other: &Program,
    text: &str,
    original: impl Fn(String) -> String,
) -> Result<(), String> {
    let is_exact = |odds: &Result<Odds, Halt>| {
        odds.as_ref().map_or(true, |odds| matches!(odds.basis, OddsMethod::Exact(_)))
    };
    let found = Asked::new(program, &program.to_toml(), Vec::new())?.odds();
    let expected = Asked::new(other, text, Vec::new())?.odds();
    if !is_exact(&found) || !is_exact(&expected) {
        return Ok(());
    }
    if let (Err(Halt::Refused(_)), Err(Halt::Refused(_))) = (&found, &expected) {
        // Which of several reasons is the likeliest may have been sampled.
        return Ok(());
    }
    // The number of states and steps may differ.
    let plain = |odds: Result<Odds, Halt>| {
        let odds = odds.map(|odds| Odds { basis: OddsMethod::Exact(0), steps: 0, ..odds });
        format!("{odds:#?}")
    };
    agree("in the other ruleset", &original(plain(expected)), &plain(found))
}

/// Returns the game of a ruleset, with the pieces of the scenario `start`.
///
/// # Errors
///
/// Returns what is wrong with the ruleset.
pub(crate) fn set_up(text: &str) -> Result<(Referee, Tabletop), String> {
    let file = FileText { name: "game.toml".into(), text: text.to_owned(), scenario: None };
    let rules = load(vec![file]).map_err(|failed| format!("{WRONG}: {:?}", failed.faults))?;
    let referee = Referee::new(Arc::new(rules));
    let scenario = referee.ruleset().scenario("start").expect("it has a scenario");
    let inputs = Inputs::seeded(&Seed::from_text("set out"), 0);
    let (table, _) = referee.set_up(scenario, &inputs).map_err(|halt| format!("{halt:?}"))?;
    Ok((referee, table))
}

/// A program as a game of the engine, and the question what comes of its lines.
struct Asked {
    referee: Referee,
    table: Tabletop,
    question: OddsQuestion,
}

impl Asked {
    fn new(program: &Program, text: &str, answers: Vec<String>) -> Result<Asked, String> {
        let (referee, mut table) = set_up(text)?;
        if program.turn.is_some() {
            referee.put_into_phase(&mut table, PHASES[0]);
        }
        let mut steps = Vec::new();
        for (index, line) in program.lines.iter().enumerate() {
            steps.push(match line {
                Line::Next => OddsStep { action: Action::Next, insist: false },
                Line::Verb { insists, .. } => {
                    let command = command::parse(&referee, &table, VERBS[index]);
                    let command = command.map_err(|error| format!("{error:?}"))?;
                    OddsStep { action: command.expect("a command").action, insist: *insists }
                }
            });
        }
        let until = program.until.map(|goal| match goal {
            Goal::Phase(index) => OddsUntil::Phase(index),
            Goal::NextTurn => OddsUntil::Turn,
        });
        let insist_until = program.insists_until;
        let question =
            OddsQuestion { steps, until, insist_until, answers, ..OddsQuestion::default() };
        Ok(Asked { referee, table, question })
    }

    fn odds(&self) -> Result<Odds, Halt> {
        self.referee.odds_of_question(&self.table, &self.question)
    }

    fn condition(&self, program: &Program) -> Result<ConditionOdds, Halt> {
        let condition =
            read_condition(&self.referee, &self.table, &[], &program.condition.text()).unwrap();
        self.referee.chance_of_condition(&self.table, &self.question, &condition)
    }
}

/// What comes of all paths.
struct Expected<'p> {
    program: &'p Program,
    /// Each path that is not refused: what it changes, its last words, its probability.
    done: Vec<(Changes, &'p str, &'p BigRational)>,
    refused: Shares<String>,
    words: Shares<String>,
    numbers: BTreeMap<String, Shares<i64>>,
    /// For each of these lines, the turns of loops and the rules that had begun when it was said.
    stages: BTreeMap<String, BTreeSet<usize>>,
    /// The lines that are said several times on some path.
    often: BTreeSet<String>,
    asked: BTreeSet<String>,
    chosen: BTreeSet<String>,
    passed_over: BTreeSet<(usize, String)>,
    carried_out: BTreeSet<usize>,
    /// The probability that the condition holds.
    holds: BigRational,
}

impl<'p> Expected<'p> {
    fn new(program: &'p Program, paths: &'p [(Ending, BigRational)]) -> Expected<'p> {
        let mut expected = Expected {
            program,
            done: Vec::new(),
            refused: Shares::new(),
            words: Shares::new(),
            numbers: BTreeMap::new(),
            stages: BTreeMap::new(),
            often: BTreeSet::new(),
            asked: BTreeSet::new(),
            chosen: BTreeSet::new(),
            passed_over: BTreeSet::new(),
            carried_out: BTreeSet::new(),
            holds: BigRational::zero(),
        };
        for (ending, share) in paths {
            expected.passed_over.extend(ending.passed_over.iter().cloned());
            expected.carried_out.extend(&ending.carried_out);
            if ending.holds {
                expected.holds += share;
            }
            add(&mut expected.words, ending.words.clone(), share);
            expected.asked.extend(ending.asked.iter().cloned());
            expected.chosen.extend(ending.chosen.iter().cloned());
            for (line, stages) in &ending.stages {
                expected.stages.entry(line.clone()).or_default().extend(stages);
            }
            for (line, numbers) in &ending.numbers {
                if numbers.len() > 1 {
                    expected.often.insert(line.clone());
                }
                for number in numbers {
                    add(expected.numbers.entry(line.clone()).or_default(), *number, share);
                }
            }
            match &ending.result {
                Ok(table) => expected.done.push((changes(program, table), &ending.words, share)),
                Err(reason) => add(&mut expected.refused, reason.clone(), share),
            }
        }
        expected
    }

    /// Returns what happens on every path, with its value.
    fn always(&self) -> Changes {
        let Some((first, ..)) = self.done.first() else { return Changes::new() };
        let mut always = first.clone();
        always.retain(|title, value| {
            self.refused.is_empty()
                && self.done.iter().all(|(changes, ..)| changes.get(title) == Some(value))
        });
        always
    }

    /// Returns the titles of what differs between paths.
    fn varying(&self) -> BTreeSet<String> {
        let always = self.always();
        let titles = self.done.iter().flat_map(|(changes, ..)| changes.keys());
        visible(titles.filter(|title| !always.contains_key(*title)).cloned().collect())
    }

    fn compare(&self, odds: &Odds) -> Result<(), String> {
        let words = odds.words.iter().map(|(words, chance)| (words.clone(), rational(chance)));
        agree("last words", &words.collect(), &self.words)?;
        self.compare_always(odds)?;
        let varying = self.varying();
        let titles: BTreeSet<String> = odds.parts.iter().map(|part| part.what.clone()).collect();
        // Of very many only the first are listed.
        if varying.len() > MOST_PARTS {
            agree("the number of parts", &titles.len(), &MOST_PARTS)?;
            agree("parts that do not vary", &titles.difference(&varying).count(), &0)?;
        } else {
            agree("what varies", &titles, &varying)?;
        }
        for part in &odds.parts {
            let expected = self.values_of(&part.what);
            let found = part.values.iter().map(|(value, chance)| (value.clone(), rational(chance)));
            agree(&part.what, &found.collect(), &expected)?;
            agree("its title", &part.title, &shown_title(&part.what))?;
            let is_flag = part.what.ends_with(" cover");
            let words = is_flag.then(|| ("cover".to_owned(), "not cover".to_owned()));
            agree("its words", &part.flag_words, &words)?;
            let is_number = ["hits", "power", "fuse", "shots", "turn"]
                .iter()
                .any(|name| part.what.ends_with(name));
            agree("it has a mean", &part.mean.is_some(), &is_number)?;
            if is_number {
                compare_mean(part, &expected)?;
            }
        }
        let mut counts = Shares::new();
        for (changes, _, share) in &self.done {
            let count = changes.keys().filter(|title| varying.contains(*title)).count();
            add(&mut counts, count, share);
        }
        for share in self.refused.values() {
            add(&mut counts, 0, share);
        }
        let found = odds.changed.iter().map(|(count, chance)| (*count, rational(chance)));
        agree("number of changes", &found.collect(), &counts)?;
        self.compare_endings(odds, &varying)?;
        self.compare_numbers(odds)?;
        let asked: BTreeSet<String> = odds.asked.iter().cloned().collect();
        agree("what is asked", &asked, &self.asked)?;
        let chosen: BTreeSet<String> = odds.chosen.iter().cloned().collect();
        agree("what gets the best answer", &chosen, &self.chosen)?;
        agree("the lines that are left out", &odds.passed_over, &self.lines_left_out())
    }

    /// Returns true if no reason for a refusal is more likely than this one, by more than samples may be wrong.
    fn is_likeliest_refusal(&self, reason: &str) -> bool {
        let margin = BigRational::new(BigInt::from(3), BigInt::from(100));
        let share = self.refused.get(reason);
        share.is_some_and(|share| self.refused.values().all(|other| *other <= share + &margin))
    }

    /// Returns the lines that are refused on some path.
    fn lines_left_out(&self) -> Vec<PassedOverLine> {
        let mut lines = Vec::new();
        for (number, reason) in &self.passed_over {
            let one_reason =
                self.passed_over.iter().all(|(n, other)| n != number || other == reason);
            let always = one_reason && !self.carried_out.contains(number);
            lines.push(PassedOverLine { number: *number, reason: reason.clone(), always });
        }
        lines
    }

    /// Returns the values of a part with their probabilities.
    fn values_of(&self, title: &str) -> Shares<String> {
        let mut values = Shares::new();
        for (changes, _, share) in &self.done {
            let value = changes.get(title).cloned();
            let value = value.unwrap_or_else(|| unchanged_value(self.program, title));
            add(&mut values, value, share);
        }
        for share in self.refused.values() {
            add(&mut values, unchanged_value(self.program, title), share);
        }
        values
    }

    /// Compares odds that were sampled so many times.
    fn compare_sampled(&self, odds: &Odds, runs: u64) -> Result<(), String> {
        let words = odds.words.iter().map(|(words, chance)| (words.clone(), rational(chance)));
        near("last words", &words.collect(), &self.words, runs)?;
        for part in &odds.parts {
            let found = part.values.iter().map(|(value, chance)| (value.clone(), rational(chance)));
            near(&part.what, &found.collect(), &self.values_of(&part.what), runs)?;
        }
        for said in &odds.numbers {
            let found =
                said.values.iter().map(|(n, chance)| (n.parse().unwrap(), rational(chance)));
            let expected = self.numbers.get(&said.what).cloned().unwrap_or_default();
            near(&said.what, &found.collect(), &expected, runs)?;
        }
        self.compare_sampled_lines(odds, runs)?;
        let refused = odds.endings.iter().filter(|ending| ending.refused);
        let refused = refused.map(|ending| (ending.words.clone(), rational(&ending.chance)));
        near_or_rare("refusals", &refused.collect(), &self.refused, runs, odds.rest.is_some())
    }

    /// Checks that the numbers of each line that is said often enough are listed, unless a value of a piece is listed in
    /// their place.
    fn compare_sampled_lines(&self, odds: &Odds, runs: u64) -> Result<(), String> {
        let rare = BigRational::new(BigInt::from(50), BigInt::from(runs));
        for (line, numbers) in &self.numbers {
            let varies = numbers.values().filter(|share| **share > rare).count() > 1;
            let listed = odds.numbers.iter().any(|said| said.what == *line);
            let is_a_value = odds.parts.iter().any(|part| {
                numbers.keys().all(|n| part.values.iter().any(|(value, _)| *value == n.to_string()))
            });
            let is_counted = self.refused.is_empty() && !self.often.contains(line);
            if varies && is_counted && !listed && !is_a_value && odds.numbers.len() < MOST_NUMBERS {
                return Err(format!("`{line}` has numbers that are not listed: {numbers:?}"));
            }
        }
        Ok(())
    }

    /// Compares the probability of the condition.
    fn compare_condition(&self, odds: Result<ConditionOdds, Halt>) -> Result<(), String> {
        let odds = match odds {
            Ok(_) if self.done.is_empty() => {
                return Err("the condition has odds, though it is always refused".to_owned());
            }
            Ok(odds) => odds,
            Err(Halt::Refused(_)) => return agree("refused", &true, &self.done.is_empty()),
            Err(halt) => return Err(format!("the condition goes wrong: {halt:?}")),
        };
        let found = Shares::from([(true, rational(&odds.chance))]);
        let expected = Shares::from([(true, self.holds.clone())]);
        let refused =
            odds.refused.iter().map(|(reason, chance)| (reason.clone(), rational(chance)));
        let refused: Shares<String> = refused.collect();
        let in_order = odds.refused.is_sorted_by(|(_, a), (_, b)| rational(a) >= rational(b));
        agree("the likeliest refusal is first", &in_order, &true)?;
        if let OddsMethod::Sampled(runs) = odds.basis {
            near("the condition", &found, &expected, runs)?;
            return near("refused before the condition", &refused, &self.refused, runs);
        }
        agree("the condition", &found, &expected)?;
        agree("refused before the condition", &refused, &self.refused)?;
        agree("asked before the condition", &odds.asked.into_iter().collect(), &self.asked)?;
        agree("chosen before the condition", &odds.chosen.into_iter().collect(), &self.chosen)?;
        agree("left out before the condition", &odds.passed_over, &self.lines_left_out())
    }

    fn compare_always(&self, odds: &Odds) -> Result<(), String> {
        let always = self.always();
        let expected = visible(always.keys().cloned().collect());
        let expected: BTreeSet<String> =
            expected.iter().map(|title| change_text(title, &always[title])).collect();
        let found = odds.always.iter().map(|change| change.text.clone()).collect();
        agree("what always happens", &found, &expected)?;
        self.compare_shown(&odds.always)
    }

    /// Compares the words and markers of changes with their names.
    fn compare_shown(&self, changes: &[PossibleChange]) -> Result<(), String> {
        for change in changes {
            let shown = match change.text.rsplit_once(' ') {
                Some((title, "yes")) => title.to_owned(),
                Some((title, "no")) => title.replace(" cover", " not cover"),
                _ => {
                    let (piece, rest) = change.text.split_once(' ').unwrap_or_default();
                    let rest = rest.replacen("hits", "red die", 1);
                    let rest = rest.replacen("power", "black die", 1).replacen("fuse", "wick", 1);
                    format!("{piece} {rest}").replacen("shots", "clock", 1)
                }
            };
            agree("a change as it is shown", &change.shown, &shown)?;
        }
        Ok(())
    }

    /// Compares each ending that is shown with the paths that lead to it.
    fn compare_endings(&self, odds: &Odds, varying: &BTreeSet<String>) -> Result<(), String> {
        for ending in &odds.endings {
            let found = rational(&ending.chance);
            if ending.refused {
                let expected = self.refused.get(&ending.words).cloned();
                agree("a refusal", &found, &expected.unwrap_or_else(BigRational::zero))?;
                continue;
            }
            let shown: BTreeSet<String> =
                ending.changes.iter().map(|change| change.text.clone()).collect();
            self.compare_shown(&ending.changes)?;
            let mut by_words: Shares<&str> = Shares::new();
            for (changes, words, share) in &self.done {
                let vary = changes.iter().filter(|(title, _)| varying.contains(*title));
                let texts: BTreeSet<String> =
                    vary.map(|(title, value)| change_text(title, value)).collect();
                if texts == shown {
                    add(&mut by_words, words, share);
                }
            }
            let same = by_words.get(ending.words.as_str()).cloned();
            let all: BigRational = by_words.values().sum();
            // Words are left out, or cut after what they have in common, where there are many.
            let together = ending.words.is_empty()
                || by_words.keys().all(|words| words.starts_with(&ending.words));
            if same != Some(found.clone()) && !(together && all == found) {
                return agree(&format!("{ending:?}"), &found, &same.unwrap_or(all));
            }
        }
        Ok(())
    }

    /// Compares the numbers in the lines that are said.
    fn compare_numbers(&self, odds: &Odds) -> Result<(), String> {
        // Where something is refused, it isn't known whether what was said counts.
        let varying = self.numbers.iter().filter(|(line, numbers)| {
            self.refused.is_empty() && numbers.len() > 1 && !self.often.contains(*line)
        });
        let varying: BTreeSet<&str> = varying.map(|(line, _)| line.as_str()).collect();
        let listed: BTreeSet<&str> = odds.numbers.iter().map(|said| said.what.as_str()).collect();
        agree("lines that have no numbers", &listed.difference(&varying).count(), &0)?;
        for line in varying.difference(&listed) {
            // A value of a piece may be listed in its place.
            let expected = &self.numbers[*line];
            let is_a_value = odds.parts.iter().any(|part| {
                part.values.len() == expected.len()
                    && part.values.iter().all(|(value, chance)| {
                        let number = value.parse().ok();
                        number.and_then(|n: i64| expected.get(&n)) == Some(&rational(chance))
                    })
            });
            // Paths that meet may have said it in different turns, so that it can't be told from a line said twice.
            let is_said_in_one_turn = self.stages[*line].len() == 1;
            if !is_a_value && is_said_in_one_turn && odds.numbers.len() < MOST_NUMBERS {
                return Err(format!("`{line}` has numbers that are not listed: {expected:?}"));
            }
        }
        for said in &odds.numbers {
            if self.often.contains(&said.what) {
                return Err(format!("`{}` may be said several times", said.what));
            }
            let expected = self.numbers.get(&said.what).cloned().unwrap_or_default();
            let found =
                said.values.iter().map(|(n, chance)| (n.parse().unwrap(), rational(chance)));
            agree(&said.what, &found.collect(), &expected)?;
            let expected = expected.into_iter().map(|(n, chance)| (n.to_string(), chance));
            compare_mean(said, &expected.collect())?;
        }
        Ok(())
    }
}

/// Compares the mean of a number, where there is one, and the probability of each value or more.
fn compare_mean(part: &Marginal, expected: &Shares<String>) -> Result<(), String> {
    let whole = |value: &str| value.parse::<BigInt>().unwrap();
    let total: BigRational = expected.values().sum();
    let sum: BigRational =
        expected.iter().map(|(value, p)| BigRational::from(whole(value)) * p).sum();
    let mean = part.mean.as_ref().map(rational);
    agree(&format!("mean of {}", part.what), &mean, &Some(sum / total))?;
    let found: Vec<(String, BigRational)> =
        part.at_least().into_iter().map(|(n, chance)| (n.to_owned(), rational(&chance))).collect();
    let mut values: Vec<&String> = expected.keys().collect();
    values.sort_by_key(|value| whole(value));
    let at_least = values.iter().skip(1).map(|value| {
        let more = expected.iter().filter(|(other, _)| whole(other) >= whole(value));
        ((*value).clone(), more.map(|(_, chance)| chance).sum())
    });
    agree(&format!("at least, of {}", part.what), &found, &at_least.collect())
}

/// Compares shares of a sample with what they should be near.
fn near<K: Ord + Clone + std::fmt::Debug>(
    what: &str,
    found: &Shares<K>,
    expected: &Shares<K>,
    runs: u64,
) -> Result<(), String> {
    near_or_rare(what, found, expected, runs, false)
}

/// The same, but of those that are missing it is only asked that some may be.
fn near_or_rare<K: Ord + Clone + std::fmt::Debug>(
    what: &str,
    found: &Shares<K>,
    expected: &Shares<K>,
    runs: u64,
    some_are_missing: bool,
) -> Result<(), String> {
    let runs = runs as f64;
    let keys: BTreeSet<&K> = found.keys().chain(expected.keys()).collect();
    for key in keys {
        if some_are_missing && !found.contains_key(key) {
            continue;
        }
        let share =
            |shares: &Shares<K>| shares.get(key).and_then(ToPrimitive::to_f64).unwrap_or(0.0);
        let p = share(expected);
        // Eight standard deviations, and some more for what is rare.
        let far = 8.0 * (p * (1.0 - p) / runs).sqrt() + 20.0 / runs;
        if (share(found) - p).abs() > far || (p == 0.0 && share(found) > 0.0) {
            return agree(&format!("{what} of {runs} samples, {key:?}"), found, expected);
        }
    }
    Ok(())
}

/// Returns what is shown of these titles: the side to move only if nothing else is different.
fn visible(mut titles: BTreeSet<String>) -> BTreeSet<String> {
    for unmarked in [&UNMARKED[..], &["side"]] {
        let is_shown = |title: &String| !unmarked.contains(&title.as_str());
        if titles.iter().any(is_shown) {
            titles.retain(is_shown);
        }
    }
    titles
}

fn change_text(title: &str, value: &str) -> String {
    let kind = if title.starts_with('f') { "figure" } else { "mine" };
    if value == "set out" { format!("{kind} {title} set out") } else { format!("{title} {value}") }
}
