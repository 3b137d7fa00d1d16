//! The odds of made-up programs, against a second implementation that follows every path.
//!
//! [`generate`] makes up programs as trees, [`program`] writes them as rulesets, and [`brute`] works out what comes of them
//! from the tree alone. Endings, every cell, what always happens, what is said and asked, means and totals are compared as
//! exact fractions. A program that differs is [shrunk](shrink) before it is printed. [`large`] has rules with too many
//! paths to follow, whose odds are known by arithmetic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};

mod brute;
mod compare;
mod generate;
mod large;
mod program;
mod shrink;

use compare::{Agreement, compare, compare_rulesets, compare_sampled};
use program::{Dice, Program, Statement};

/// Compares the programs with these numbers, and returns how many were answered exactly.
fn check_programs(
    numbers: std::ops::Range<u64>,
    compare: impl Fn(&Program) -> Result<Agreement, String>,
) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let program = generate::program(number);
        match compare(&program) {
            Ok(Agreement::Exact { states, steps }) => {
                tally.exact += 1;
                tally.states += states;
                tally.steps += steps;
            }
            Ok(Agreement::Sampled(_)) => {
                tally.sampled += 1;
                tally.sampled_rules += u64::from(program.is_one_rule());
            }
            Ok(Agreement::TooLarge) => tally.too_large += 1,
            Err(difference) if std::env::var_os("ADJUTANT_UNSHRUNK").is_some() => {
                end_at_once(&format!("program {number}: {difference}"));
            }
            Err(_) => {
                let smallest = shrink::shrink(program, &compare);
                let difference = compare(&smallest).unwrap_err();
                panic!(
                    "program {number}: {difference}\n{}{:#?}\nuntil {:?}, condition {:?}, {} answered",
                    smallest.to_toml(),
                    smallest.lines,
                    smallest.until,
                    smallest.condition.text(),
                    smallest.answered
                );
            }
        }
    }
    tally
}

/// Ends all tests: where it only counts whether one of them fails, the others needn't run.
#[allow(clippy::print_stderr, clippy::exit, reason = "no test can end the others")]
fn end_at_once(difference: &str) -> ! {
    eprintln!("{difference}");
    std::process::exit(101);
}

/// What became of programs.
#[derive(Debug, Default)]
struct Tally {
    exact: u64,
    /// The states through which the exact answers were found, all together.
    states: usize,
    /// The steps that these answers took, all together.
    steps: u64,
    sampled: u64,
    /// The sampled programs that are a single rule.
    sampled_rules: u64,
    /// With too many paths to list, or wrong in themselves.
    too_large: u64,
}

#[test]
fn odds_of_made_up_programs_agree_with_every_path() {
    let halves = std::thread::scope(|scope| {
        [0..300, 300..600].map(|half| scope.spawn(|| check_programs(half, compare))).map(|half| {
            half.join().unwrap_or_else(|difference| std::panic::resume_unwind(difference))
        })
    });
    for tally in &halves {
        assert!(tally.exact > 150 && tally.sampled_rules == 0, "{tally:?}");
    }
    // Answers are the same if less is merged or if work is done twice, but states and steps are not.
    // Steps are counted, so these numbers are the same on every machine. A change of the rule
    // language or of the generator changes them, too: then put in the new ones.
    let states: usize = halves.iter().map(|tally| tally.states).sum();
    let steps: u64 = halves.iter().map(|tally| tally.steps).sum();
    let sampled: u64 = halves.iter().map(|tally| tally.sampled).sum();
    assert_eq!((states, steps, sampled), (1_418, 3_182_999, 29));
}

/// There are 20,000 tries, and a multiple of them for more effort. Large programs have fewer.
#[test]
fn samples_of_made_up_programs_are_near_every_path() {
    // A program that is refused whatever the dice show isn't sampled.
    let mut sampled = 0;
    let mut complete = [false; 2];
    for number in 700..900 {
        let program = generate::program(number);
        if !matches!(compare(&program), Ok(Agreement::Exact { .. })) {
            continue;
        }
        let effort = [1, 2][sampled % 2];
        match compare_sampled(&program, effort) {
            Ok(Agreement::Sampled(runs)) => {
                let most = 20_000 * u64::from(effort);
                assert!(runs <= most, "{runs} of {most}:\n{}", program.to_toml());
                complete[sampled % 2] |= runs == most;
                sampled += 1;
            }
            Ok(Agreement::Exact { .. } | Agreement::TooLarge) => {}
            Err(difference) => panic!("program {number}: {difference}\n{}", program.to_toml()),
        }
        if sampled >= 24 && complete == [true; 2] {
            return;
        }
    }
    panic!("only {sampled} programs were sampled, all tries were made for {complete:?}");
}

#[test]
fn made_up_programs_bring_everything_together() {
    assert_together(0..5_000, 3);
}

/// Every two constructs are together in at least a hundred of 100,000 programs.
#[test]
#[ignore = "100,000 programs: a minute in a release build"]
fn made_up_programs_bring_everything_together_a_hundred_times_long() {
    assert_together(0..100_000, 100);
}

/// Makes sure that every two constructs are together in at least so many of these programs.
fn assert_together(numbers: std::ops::Range<u64>, least: u32) {
    let programs = numbers.end - numbers.start;
    let mut together: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut all = BTreeSet::new();
    let mut draw_and_look = 0;
    for number in numbers {
        let text = format!("{:?}", generate::program(number));
        let draws = text.matches("Draw(").count() + text.matches("DrawFromHat").count();
        if draws > 1 && (text.contains("CountCards(") || text.contains("AnyCard(")) {
            draw_and_look += 1;
        }
        let has = constructs(&text);
        for one in &has {
            for other in has.range(one.clone()..).skip(1) {
                *together.entry((one.clone(), other.clone())).or_default() += 1;
            }
        }
        all.extend(has);
    }
    assert!(all.len() > 120, "{all:?}");
    let mut rare = Vec::new();
    for one in &all {
        for other in all.range(one.clone()..).skip(1) {
            let count = together.get(&(one.clone(), other.clone())).copied().unwrap_or(0);
            // A question goes on to one or the other.
            let is_either = (one.as_str(), other.as_str()) == ("NextTurn", "Phase");
            if count < least && !is_either {
                rare.push(format!("{one} and {other} are together in {count} programs"));
            }
        }
    }
    assert!(rare.is_empty(), "{}", rare.join("\n"));
    assert!(draw_and_look * 4 >= programs, "{draw_and_look} programs draw twice and look");
}

/// Returns the names of the constructs in a program, as [`program`] calls them.
fn constructs(program: &str) -> BTreeSet<String> {
    program
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(str::to_owned)
        .collect()
}

/// A die and a deck that nothing reads change nothing.
#[test]
fn what_nothing_reads_changes_nothing() {
    let spare = "\n[deck.spare]\nof = \"card\"\n";
    for number in 400..430 {
        let program = generate::program(number);
        let with_die =
            program.beginning_with(Statement::LetRoll("unread".to_owned(), Dice::Sum(1, 3)));
        let with_deck = program.beginning_with(Statement::Shuffle("spare"));
        for (other, more) in [(with_die, ""), (with_deck, spare)] {
            assert_same(number, &program, &other, &(other.to_toml() + more), |text| text);
        }
    }
}

/// The names of pieces change nothing but names.
#[test]
fn other_names_change_nothing() {
    for number in 500..530 {
        let program = generate::program(number);
        let text = program.to_toml();
        let renamed = rename(&text.replace("prefix = \"f\"", "prefix = \"g\""), 'f', 'g');
        assert_same(number, &program, &program, &renamed, |odds| rename(&odds, 'g', 'f'));
    }
}

/// A sweep over all figures means the same as one over the first and one over the others.
#[test]
fn a_sweep_can_be_split() {
    for number in 600..620 {
        let program = generate::program(number);
        let whole = program.sweeping(&[1..=3]);
        let split = program.sweeping(&[1..=1, 2..=3]);
        assert_same(number, &whole, &split, &split.to_toml(), |text| text);
    }
}

/// Replaces the letter before the number of each figure.
fn rename(text: &str, from: char, to: char) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let begins_name = !before.is_alphanumeric() && before != '-' && before != '_';
        let is_figure = rest.peek().is_some_and(char::is_ascii_digit);
        renamed.push(if c == from && begins_name && is_figure { to } else { c });
        before = c;
    }
    renamed
}

fn assert_same(
    number: u64,
    program: &Program,
    other: &Program,
    text: &str,
    original: impl Fn(String) -> String,
) {
    if let Err(difference) = compare_rulesets(program, other, text, original) {
        panic!("program {number}: {difference}\n{text}");
    }
}

/// `ADJUTANT_PROGRAMS` is the number of programs, `ADJUTANT_FIRST` that of the first.
#[test]
#[ignore = "100,000 programs: ten minutes or more in a release build"]
fn odds_of_many_made_up_programs_agree_with_every_path_long() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("ADJUTANT_FIRST", 1_000);
    let count = number("ADJUTANT_PROGRAMS", 100_000);
    println!("{:?}", check_programs(first..first + count, compare));
}
