//! What the program offers would be accepted: in random states of all five games, every word that Tab lists leads to a line
//! that the rules accept, and so is every line that an error proposes.

use std::collections::BTreeSet;

use adjutant_dice::ScriptedSource;
use adjutant_engine::command;
use adjutant_engine::console::{complete, suggest};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::{Dice, Inputs};
use adjutant_engine::session::Session;

use crate::kit::typist::Typist;
use crate::kit::{self, Table};

const GAMES: [&str; 5] = ["blitz", "firefight", "house-clearing", "mtb", "tarr"];

/// Numbers that are typed where nothing is offered.
const NUMBERS: [&str; 4] = ["1", "2", "6", "12"];

/// The most of them in a line.
const MAX_NUMBERS: usize = 3;

/// Numbers in a random line.
const ANY_NUMBERS: [&str; 12] = ["0", "1", "2", "3", "4", "6", "8", "12", "20", "45", "90", "0.5"];

/// The most words of a line.
const MAX_WORDS: usize = 10;

/// At most one in this many words that are followed leads nowhere: dice or an answer may end in a refusal.
const NOWHERE: usize = 100;

/// At most one in this many words of accepted lines isn't offered, because the trials for one key ran out.
const LEFT_OUT: usize = 2000;

/// Words that make a line of the game unreadable.
const WRONG: [&str; 4] = ["quickly", "zzz", "bravely", "somewhere"];

/// Returns a game after some random lines.
fn state(game: &str, number: u64) -> Table {
    let mut table = Table::of(game).ask_random(true);
    let mut typist = Typist::new(number);
    for _ in 0..typist.below(24) {
        let line = match typist.below(3) {
            0 => "next".to_owned(),
            _ => typist.line(table.session()),
        };
        // A refused line does nothing, and a revealed seed ends the session.
        if !line.starts_with("reveal") {
            let _ = table.feed(&line);
        }
    }
    let _ = table.feed("dice auto");
    table
}

/// Returns true if a line is carried out; it is taken back.
fn is_accepted(table: &mut Table, line: &str) -> bool {
    let before = table.session().entries().len();
    let refused = table.feed(line);
    let done = table.session().entries().len().saturating_sub(before);
    if done > 0 {
        assert_eq!(table.feed(&format!("undo {done}")), None);
    }
    refused.is_none()
}

/// Returns a line that goes on from this one as the program offers it, and is accepted. Of the words offered a random one
/// is taken, as each claims to lead there. `Err` has the line at which nothing more is offered.
fn follow(table: &mut Table, typist: &mut Typist, line: &str) -> Result<String, String> {
    let session = table.session();
    if matches!(command::parse(session.referee(), session.table(), line), Ok(Some(_)))
        && is_accepted(table, line)
    {
        return Ok(line.to_owned());
    }
    if line.split(' ').count() == MAX_WORDS {
        return Err(line.to_owned());
    }
    let line = format!("{line} ");
    let session = table.session();
    let mut offered = suggest(session.referee(), session.table(), &line, line.len()).all;
    let numbers = line.split(' ').filter(|word| NUMBERS.contains(word)).count();
    if offered.is_empty() && numbers == MAX_NUMBERS {
        return Err(line);
    }
    if offered.is_empty() {
        let numbers = NUMBERS.iter();
        let mut followed = numbers.map(|number| follow(table, typist, &format!("{line}{number}")));
        return followed.find(Result::is_ok).unwrap_or(Err(line.clone()));
    }
    let next = offered.swap_remove(typist.below(offered.len())).word;
    follow(table, typist, &format!("{line}{next}"))
}

/// Returns the lines that an error proposes.
fn proposed(printed: &str) -> Vec<String> {
    let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((_, proposal)) = words.split_once("did you mean `") else { return Vec::new() };
    let proposal = proposal.split("`?").next().unwrap_or_default();
    let lines = proposal.split("` or `").map(str::to_owned);
    lines.filter(|line| line.contains(' ')).collect()
}

/// Checks some of what is offered in a state. Returns the number of lines followed to their end, the lines that lead
/// nowhere, and the number of proposals tried.
fn check(game: &str, number: u64) -> (usize, Vec<String>, usize) {
    let mut table = state(game, number);
    let mut typist = Typist::new(number + 1_000_000);
    let session = table.session();
    let ruleset = session.referee().ruleset();
    let mut verbs = suggest(session.referee(), session.table(), "", 0).all;
    verbs.retain(|suggestion| ruleset.has_verb(&suggestion.word));
    let mut followed = 0;
    let mut nowhere = Vec::new();
    let mut tried = 0;
    for _ in 0..verbs.len().min(4) {
        let verb = verbs.swap_remove(typist.below(verbs.len())).word;
        let line = follow(&mut table, &mut typist, &verb);
        let line = match line {
            Ok(line) => line,
            Err(line) => {
                nowhere.push(format!("{game} {number}: {line}"));
                continue;
            }
        };
        followed += 1;
        let mut words: Vec<&str> = line.split(' ').collect();
        match typist.below(3) {
            0 if words.len() > 2 => words.swap(1, 2),
            1 if words.len() > 2 => words.rotate_left(1),
            _ => words.insert(1 + typist.below(words.len()), WRONG[typist.below(WRONG.len())]),
        }
        let mistyped = words.join(" ");
        let before = table.session().entries().len();
        let error = table.feed(&mistyped).unwrap_or_default();
        let done = table.session().entries().len().saturating_sub(before);
        if done > 0 {
            assert_eq!(table.feed(&format!("undo {done}")), None);
        }
        for proposal in proposed(&error) {
            tried += 1;
            let accepted = is_accepted(&mut table, &proposal);
            assert!(accepted, "{game} {number}: `{proposal}` is proposed for `{mistyped}`");
        }
    }
    (followed, nowhere, tried)
}

/// Checks this many states of each game.
fn check_states(states: u64) -> (usize, usize) {
    let mut nowhere = Vec::new();
    let mut followed = 0;
    let mut tried = 0;
    for game in GAMES {
        for number in 0..states {
            let (of_state, mut nowhere_of_state, proposals) = check(game, number);
            followed += of_state;
            nowhere.append(&mut nowhere_of_state);
            tried += proposals;
        }
    }
    let count = nowhere.len();
    let lines = nowhere.join("\n");
    assert!(count * NOWHERE <= followed, "{count} lines lead nowhere, {followed} don't:\n{lines}");
    (followed, tried)
}

/// Rulesets that nothing was written for.
const EXAMPLES: [&str; 4] = ["modern-skirmish", "night-raid", "plain-sail", "shrovetide"];

/// Returns a new game of an example of the manual.
fn example(name: &str) -> Table {
    let path = kit::path(&format!("docs/examples/{name}.toml"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut table = Table::by(name, &[kit::file(name, text)], "", "candle");
    assert_eq!(table.feed("next"), None);
    table
}

/// Returns true if a line that is read as it is typed can be resolved up to its first dice or question.
fn resolves(session: &Session, line: &str) -> bool {
    let Ok(Some(command)) = command::parse(session.referee(), session.table(), line) else {
        return false;
    };
    let inputs = Inputs::with_dice(Dice::Scripted(ScriptedSource::new([])));
    let done = session.referee().resolve(session.table(), &command.action, &inputs);
    command.restated.is_none() && !matches!(done, Err(Halt::Refused(_) | Halt::Fault(_)))
}

/// Returns a random line that is accepted, if this walk through the words that can follow finds one.
fn accepted_line(session: &Session, typist: &mut Typist, verb: &str) -> Option<String> {
    let mut line = verb.to_owned();
    for _ in 0..MAX_WORDS {
        if typist.below(3) > 0 && resolves(session, &line) {
            break;
        }
        line.push(' ');
        let mut words = complete(session.referee(), session.table(), &line, line.len()).words;
        let next = match typist.below(4) {
            1.. if !words.is_empty() => words.swap_remove(typist.below(words.len())),
            _ => ANY_NUMBERS[typist.below(ANY_NUMBERS.len())].to_owned(),
        };
        line.push_str(&next);
    }
    resolves(session, &line).then_some(line)
}

/// Returns the number of words of random accepted lines, and those of them that aren't offered.
fn left_out(session: &Session, name: &str, number: u64, walks: usize) -> (usize, Vec<String>) {
    let (referee, table) = (session.referee(), session.table());
    let mut typist = Typist::new(number + 2_000_000);
    let mut verbs = complete(referee, table, "", 0).words;
    verbs.retain(|verb| referee.ruleset().has_verb(verb));
    let mut words = BTreeSet::new();
    for walk in 0..walks {
        let verb = verbs[walk % verbs.len()].as_str();
        let line = accepted_line(session, &mut typist, verb).unwrap_or_default();
        let ends = line.split_inclusive(' ').scan(0, |end, word| {
            let start = *end;
            *end += word.len();
            Some((start, *end))
        });
        for (start, end) in ends {
            words.insert((line[..start].to_owned(), line[start..end].trim_end().to_owned()));
        }
    }
    let mut checked = 0;
    let mut missing = Vec::new();
    for (before, word) in &words {
        let can_follow = complete(referee, table, before, before.len()).words;
        if can_follow.contains(word) {
            checked += 1;
            let offered = suggest(referee, table, before, before.len()).all;
            if offered.iter().all(|offered| offered.word != *word) {
                missing.push(format!("{name} {number}: {before}{word}"));
            }
        }
    }
    (checked, missing)
}

/// Checks this many states of each game, and the examples of the manual.
fn check_accepted_lines(states: u64, walks: usize) -> usize {
    let mut checked = 0;
    let mut missing = Vec::new();
    let mut check = |table: &Table, name: &str, number: u64| {
        let (words, mut left_out) = left_out(table.session(), name, number, walks);
        checked += words;
        missing.append(&mut left_out);
    };
    for game in GAMES {
        (0..states).for_each(|number| check(&state(game, number), game, number));
    }
    EXAMPLES.iter().for_each(|name| check(&example(name), name, 0));
    let count = missing.len();
    let lines = missing.join("\n");
    assert!(count * LEFT_OUT <= checked, "{count} of {checked} words aren't offered:\n{lines}");
    checked
}

#[test]
fn words_of_accepted_lines_are_offered() {
    let checked = check_accepted_lines(3, 300);
    assert!(checked >= 200, "{checked} words checked");
}

/// 500 states of the five games.
#[test]
#[ignore = "500 states: many minutes"]
fn words_of_accepted_lines_are_offered_in_500_states_long() {
    let checked = check_accepted_lines(100, 600);
    assert!(checked >= 10_000, "{checked} words checked");
}

#[test]
fn what_is_offered_is_accepted() {
    let (followed, tried) = check_states(5);
    assert!(followed >= 25 && tried >= 5, "{followed} words followed, {tried} proposals tried");
}

/// 500 states of the five games.
#[test]
#[ignore = "500 states: many minutes"]
fn what_is_offered_in_500_states_is_accepted_long() {
    let (followed, tried) = check_states(100);
    assert!(followed >= 500 && tried >= 100, "{followed} words followed, {tried} proposals tried");
}

/// The number that follows a list of pieces is found, however many pieces could join the list.
#[test]
fn the_main_command_of_a_phase_is_offered() {
    let mut table = Table::of("tarr");
    for _ in 0..2 {
        assert_eq!(table.feed("next"), None);
    }
    let session = table.session();
    let offered = suggest(session.referee(), session.table(), "mo", 2).all;
    assert!(offered.iter().any(|word| word.word == "move"), "{offered:?}");
}
