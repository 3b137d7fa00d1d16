//! Questions in the odds: answered at random, or as the line says.

use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::odds::{Odds, OddsMethod, OddsQuestion};
use adjutant_engine::ruleset::FileText;

use super::{action, referee_of};
use adjutant_dice::Seed;
use adjutant_engine::referee::Inputs;

const RULES: &str = r#"
[game]
title = "Block"

[kind.figure]
prefix = "f"
marker = "figure"
hits   = { from = 0, to = 9, marker = "red die" }

[rule.block]
usage = "block <one:figure>"
after = '''
let n = ask "How many dice?" between 1 and 3
if ask "Push?" { one.hits += n }
let thrown = roll dice(n, 6)
if thrown >= 6 { one.hits += 1 }
'''

[scenario.start]
title = "One"
[scenario.start.pieces.figure]
f1 = {}
"#;

fn odds(answers: &[&str]) -> Result<Odds, Halt> {
    let file = FileText { name: "game.toml".into(), text: RULES.to_owned(), scenario: None };
    let referee = referee_of(vec![file]);
    let scenario = referee.ruleset().scenario("start").unwrap();
    let inputs = Inputs::seeded(&Seed::from_text("set out"), 0);
    let (table, _) = referee.set_up(scenario, &inputs).unwrap();
    let (action, insist) = action(&referee, &table, "block f1").unwrap();
    let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
    let question = OddsQuestion { answers, ..OddsQuestion::of_action(&action, insist) };
    referee.odds_of_question(&table, &question)
}

fn hits(answers: &[&str]) -> Vec<String> {
    let odds = odds(answers).unwrap();
    assert!(matches!(odds.basis, OddsMethod::Exact(_)));
    let part = odds.parts.iter().find(|part| part.what == "f1 hits").unwrap();
    part.values.iter().map(|(value, chance)| format!("{value}: {chance}")).collect()
}

/// Two dice reach 6 in 26 of 36 cases, one die in one of six.
#[test]
fn answers_fix_the_first_questions() {
    assert_eq!(hits(&["1", "yes"]), ["1: 5/6", "2: 1/6"]);
    assert_eq!(hits(&["2", "no"]), ["0: 5/18", "1: 13/18"]);
    // Chance answers the second question.
    assert_eq!(hits(&["2"]), ["0: 5/36", "1: 13/36", "2: 5/36", "3: 13/36"]);
}

#[test]
fn only_questions_that_chance_answers_are_named() {
    let asked = |answers: &[&str]| odds(answers).unwrap().asked;
    assert_eq!(asked(&[]), ["How many dice?", "Push?"]);
    assert_eq!(asked(&["3"]), ["Push?"]);
    assert!(asked(&["3", "no"]).is_empty());
}

#[test]
fn an_answer_that_does_not_fit_its_question_is_refused() {
    assert_eq!(odds(&["7"]).unwrap_err(), Halt::NoSuchAnswer("7".to_owned()));
    assert_eq!(odds(&["2", "2"]).unwrap_err(), Halt::NoSuchAnswer("2".to_owned()));
}
