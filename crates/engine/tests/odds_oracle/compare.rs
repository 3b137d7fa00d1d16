//! Compares the answer of the engine with what comes of every path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_dice::{Fraction, Seed};
use adjutant_engine::command;
use adjutant_engine::referee::odds::{Odds, OddsMethod};
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::brute::{Ending, Table, all_endings};
use crate::program::{Entry, HEALTH, Program};

/// The most paths of a program.
const MOST_PATHS: usize = 4_000;

/// The most parts that an answer lists one by one.
const MOST_PARTS: usize = 60;

/// The only attribute without a marker. It is shown if nothing else is different.
const PHASE: &str = "phase";

/// The beginning of what is returned for a program that is wrong in itself.
pub(crate) const WRONG: &str = "the program is wrong";

/// How a program was compared.
#[derive(Debug)]
pub(crate) enum Agreement {
    /// The odds were exact.
    Exact,
    /// They were sampled; only that they add up to 1 was checked.
    Sampled,
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
    let name = |figure: usize| format!("f{}", figure + 1);
    if after.shots != before.shots {
        changes.insert("shots".to_owned(), after.shots.to_string());
    }
    if after.phase != before.phase {
        changes.insert(PHASE.to_owned(), after.phase.to_owned());
    }
    for (index, figure) in after.figures.iter().enumerate() {
        let piece = name(index);
        let Some(old) = before.figures.get(index) else {
            if figure.is_there {
                changes.insert(piece.clone(), "set out".to_owned());
                changes.extend(attributes(figure, &piece).into_iter().filter(|(title, value)| {
                    let title = title.split_once(' ').map_or("", |parts| parts.1);
                    !matches!(
                        (title, value.as_str()),
                        ("hits", "0")
                            | ("health", "well")
                            | ("cover", "no")
                            | ("next" | "seen", "none")
                    )
                }));
            }
            continue;
        };
        if !figure.is_there {
            changes.insert(piece, "taken off".to_owned());
            continue;
        }
        let old = attributes(old, &piece);
        let new = attributes(figure, &piece);
        changes.extend(new.into_iter().filter(|(title, value)| old[title] != *value));
    }
    changes
}

/// Returns the attributes of a figure as the answer shows them.
fn attributes(figure: &crate::brute::Figure, piece: &str) -> Changes {
    let names = |all: &[usize]| -> String {
        let names: Vec<String> = all.iter().map(|other| format!("f{}", other + 1)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    };
    let next: Vec<usize> = figure.next.into_iter().collect();
    Changes::from([
        (format!("{piece} hits"), figure.hits.to_string()),
        (format!("{piece} health"), HEALTH[figure.health].to_owned()),
        (format!("{piece} cover"), if figure.cover { "yes" } else { "no" }.to_owned()),
        (format!("{piece} next"), names(&next)),
        (format!("{piece} seen"), names(&figure.seen)),
    ])
}

/// Returns the value of something that a path has left as it was.
fn unchanged_value(program: &Program, title: &str) -> String {
    let start = Table::at_start(program);
    let Some((piece, _)) = title.split_once(' ') else {
        let number: usize = title.strip_prefix('f').and_then(|n| n.parse().ok()).unwrap_or(0);
        return match number {
            0 if title == PHASE => start.phase.to_owned(),
            0 => start.shots.to_string(),
            n if n <= start.figures.len() => "stays".to_owned(),
            _ => "not there".to_owned(),
        };
    };
    let number: usize = piece[1..].parse().unwrap();
    match start.figures.get(number - 1) {
        Some(figure) => attributes(figure, piece)[title].clone(),
        None => match title.rsplit_once(' ').unwrap().1 {
            "hits" => "0".to_owned(),
            "health" => "well".to_owned(),
            "cover" => "no".to_owned(),
            _ => "none".to_owned(),
        },
    }
}

fn rational(fraction: &Fraction) -> BigRational {
    BigRational::new(fraction.numerator().clone(), BigInt::from(fraction.denominator().clone()))
}

type Shares<K> = BTreeMap<K, BigRational>;

fn add<K: Ord>(shares: &mut Shares<K>, key: K, share: &BigRational) {
    *shares.entry(key).or_insert_with(BigRational::zero) += share;
}

fn agree<T: PartialEq + std::fmt::Debug>(
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

/// Compares the odds of a program with all its paths.
///
/// # Errors
///
/// Returns what differs.
pub(crate) fn compare(program: &Program) -> Result<Agreement, String> {
    let paths = all_endings(program, MOST_PATHS).map_err(|fault| format!("{WRONG}: {fault}"))?;
    let Some(paths) = paths else { return Ok(Agreement::TooLarge) };
    let expected = Expected::new(program, &paths);
    let Some(odds) = odds_of(program, &program.to_toml())? else {
        // Whatever the dice show, it is refused.
        let refused = paths.iter().all(|(ending, _)| ending.result.is_err());
        return agree("refused", &true, &refused).map(|()| Agreement::Exact);
    };
    let total: BigRational = odds.endings.iter().map(|ending| rational(&ending.chance)).sum();
    let rest = odds.rest.as_ref().map_or_else(BigRational::zero, |(_, chance)| rational(chance));
    agree("total of the endings", &(total + rest), &BigRational::one())?;
    if let OddsMethod::Sampled(_) = odds.basis {
        return Ok(Agreement::Sampled);
    }
    expected.compare(&odds)?;
    Ok(Agreement::Exact)
}

/// Compares the odds of a program with those of a ruleset that should mean the same, in which `original` gives pieces
/// their names back.
pub(crate) fn compare_rulesets(
    program: &Program,
    other: &Program,
    text: &str,
    original: impl Fn(String) -> String,
) -> Result<(), String> {
    let is_exact = |odds: &Option<Odds>| {
        odds.as_ref().is_none_or(|odds| matches!(odds.basis, OddsMethod::Exact(_)))
    };
    let found = odds_of(program, &program.to_toml())?;
    let expected = odds_of(other, text)?;
    if !is_exact(&found) || !is_exact(&expected) {
        return Ok(());
    }
    // The number of states may differ.
    let plain = |odds: Option<Odds>| {
        let odds = odds.map(|odds| Odds { basis: OddsMethod::Exact(0), ..odds });
        format!("{odds:#?}")
    };
    agree("in the other ruleset", &original(plain(expected)), &plain(found))
}

/// Returns the odds of the engine for a program that is written like this; `None` if the rules refuse whatever comes.
fn odds_of(program: &Program, text: &str) -> Result<Option<Odds>, String> {
    let file = FileText { name: "game.toml".into(), text: text.to_owned(), scenario: None };
    let rules = load(vec![file]).map_err(|failed| format!("{WRONG}: {:?}", failed.faults))?;
    let referee = Referee::new(Arc::new(rules));
    let scenario = referee.ruleset().scenario("start").expect("it has a scenario");
    let inputs = Inputs::seeded(&Seed::from_text("set out"), 0);
    let (mut table, _) = referee.set_up(scenario, &inputs).map_err(|halt| format!("{halt:?}"))?;
    let action = match &program.entry {
        Entry::Verb(_) => {
            command::parse(&referee, &table, "run")
                .map_err(|error| format!("{error:?}"))?
                .expect("a command")
                .action
        }
        Entry::Phases { .. } => {
            let begun = referee.resolve(&table, &Action::Next, &inputs);
            begun.map_err(|halt| format!("{halt:?}"))?.apply(&mut table).expect("it fits");
            Action::Next
        }
    };
    Ok(referee.odds(&table, &action, false).ok())
}

/// What comes of all paths.
struct Expected<'p> {
    program: &'p Program,
    /// Each path that is not refused: what it changes, its last words, its probability.
    done: Vec<(Changes, &'p str, &'p BigRational)>,
    refused: Shares<String>,
    words: Shares<String>,
    numbers: BTreeMap<String, Shares<i64>>,
    /// The lines that are said several times on some path.
    often: BTreeSet<String>,
    asked: BTreeSet<String>,
}

impl<'p> Expected<'p> {
    fn new(program: &'p Program, paths: &'p [(Ending, BigRational)]) -> Expected<'p> {
        let mut expected = Expected {
            program,
            done: Vec::new(),
            refused: Shares::new(),
            words: Shares::new(),
            numbers: BTreeMap::new(),
            often: BTreeSet::new(),
            asked: BTreeSet::new(),
        };
        for (ending, share) in paths {
            add(&mut expected.words, ending.words.clone(), share);
            expected.asked.extend(ending.asked.iter().cloned());
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
            let mut expected = Shares::new();
            for (changes, _, share) in &self.done {
                let value = changes.get(&part.what).cloned();
                let value = value.unwrap_or_else(|| unchanged_value(self.program, &part.what));
                add(&mut expected, value, share);
            }
            for share in self.refused.values() {
                add(&mut expected, unchanged_value(self.program, &part.what), share);
            }
            let found = part.values.iter().map(|(value, chance)| (value.clone(), rational(chance)));
            agree(&part.what, &found.collect(), &expected)?;
            if let Some(mean) = &part.mean {
                let whole = |value: &String| BigRational::from(value.parse::<BigInt>().unwrap());
                let sum: BigRational = expected.iter().map(|(value, p)| whole(value) * p).sum();
                agree(&format!("mean of {}", part.what), &rational(mean), &sum)?;
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
        agree("what is asked", &asked, &self.asked)
    }

    fn compare_always(&self, odds: &Odds) -> Result<(), String> {
        let always = self.always();
        let expected = visible(always.keys().cloned().collect());
        let expected: BTreeSet<String> =
            expected.iter().map(|title| change_text(title, &always[title])).collect();
        let found = odds.always.iter().map(|change| change.text.clone()).collect();
        agree("what always happens", &found, &expected)
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

    fn compare_numbers(&self, odds: &Odds) -> Result<(), String> {
        for said in &odds.numbers {
            if self.often.contains(&said.what) {
                return Err(format!("`{}` may be said several times", said.what));
            }
            let expected = self.numbers.get(&said.what).cloned().unwrap_or_default();
            let found =
                said.values.iter().map(|(n, chance)| (n.parse().unwrap(), rational(chance)));
            agree(&said.what, &found.collect(), &expected)?;
        }
        Ok(())
    }
}

/// Returns what is shown of these titles.
fn visible(mut titles: BTreeSet<String>) -> BTreeSet<String> {
    if titles.len() > 1 {
        titles.remove(PHASE);
    }
    titles
}

fn change_text(title: &str, value: &str) -> String {
    if value == "set out" { format!("figure {title} set out") } else { format!("{title} {value}") }
}
