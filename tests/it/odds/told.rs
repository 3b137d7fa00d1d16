//! The answers as they are read out, at 80 columns: each game in its own words.

use adjutant_engine::render::chances;

use super::lines;
use super::referee_of;

fn told(game: &str, wanted: &[&str]) -> String {
    let referee = referee_of(lines::files(game));
    let all = lines::all(&referee);
    let mut answers = String::new();
    for (i, text) in wanted.iter().enumerate() {
        let uncertain = |line: &&lines::Line| {
            let odds = || referee.odds(&line.table, &line.action, line.insist);
            line.text == *text && odds().is_ok_and(|odds| odds.words.len() + odds.parts.len() > 1)
        };
        let line = all.iter().find(uncertain).unwrap_or_else(|| panic!("{game}: {text}"));
        let odds = referee.odds(&line.table, &line.action, line.insist).unwrap();
        let answer = chances::verb_text(text, &odds, i == 0, 80).plain(80);
        for row in answer.lines() {
            assert!(row.chars().count() <= 80, "{row}");
        }
        answers.push_str(&answer);
        answers.push('\n');
    }
    answers
}

#[test]
fn every_game_speaks_its_own_words() {
    let mut all = String::new();
    for (game, wanted) in [
        ("blitz", &["spread c3 d3", "move t1 c3", "destroy c1", "bomb-load", "wind"][..]),
        ("firefight", &["damage braun", "fire smith at braun range 12", "draw"]),
        ("house-clearing", &["fire braun at doxey range 7 seen 3", "roll-up"]),
        ("mtb", &["damage s1", "enter s1", "continuing s1"]),
        ("tarr", &["wind-force", "fire battery1 at house range 40 observed", "mine-throws"]),
    ] {
        all.push_str(&format!("== {game}\n\n{}", told(game, wanted)));
    }
    insta::assert_snapshot!(all);
}
