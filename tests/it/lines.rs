//! Lines that call rules: what may be shortened, what is refused, and that none is tried for ever.

use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant::console::{Game, pipe};
use adjutant_engine::command::{self, Command, LineError};
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use adjutant_engine::session::{Beginning, Session};
use adjutant_engine::tabletop::Tabletop;

use crate::kit::LAYOUT;

const GAME: &str = r#"
[game]
title = "Lines"

[words.mode]
values = ["steady", "allowing"]

[kind.team]
[kind.area]
heat = { from = 0, to = 9 }

[scenario.yard.pieces.team]
t1 = {}
t2 = {}
raft = {}
[scenario.yard.pieces.area]
b1 = {}
b2 = {}

[rule.fire]
usage = "fire <t:team+> on <a:area> [range <range:1..3>] [<mode:mode>] [twice] [alone] [ranked]"
default = { range = '1', mode = 'steady' }
after = 'a.heat += range'

[rule.sail]
usage = "sail <a:area> [rafted] [raffled]"
after = 'a.heat = 0'

[rule.tell]
usage = "tell [loudly] <words:text>"
after = 'say "{words}"'

[rule.hush]
usage = "hush <a:area>"
require = [{ that = 'a.heat > 0', because = "it is quiet at {a}" }]
after = 'a.heat = 0'

[rule.many]
usage = "many NUMBERS"
default = { DEFAULTS }
after = 'say "{n1}"'

[rule.tally]
usage = "tally <n:whole>"
after = 'say "{n}"'

[rule.far]
usage = "far <n:1..70368744177664>"
after = 'say "{n}"'
"#;

fn game() -> (Referee, Tabletop) {
    let numbers: Vec<String> = (1..=16).map(|i| format!("[<n{i}:whole>]")).collect();
    let defaults: Vec<String> = (1..=16).map(|i| format!("n{i} = '0'")).collect();
    let text =
        GAME.replace("NUMBERS", &numbers.join(" ")).replace("DEFAULTS", &defaults.join(", "));
    let file = FileText { name: "lines.toml".into(), text, scenario: None };
    let ruleset = load(vec![file]).unwrap_or_else(|f| panic!("{:?}", f.faults));
    let referee = Referee::new(Arc::new(ruleset));
    let scenario = referee.ruleset().scenarios[0].clone();
    let seed = adjutant_dice::Seed::from_text("lines");
    let (table, _) = referee.set_up(&scenario, &Inputs::seeded(&seed, 0)).unwrap();
    (referee, table)
}

fn read(line: &str) -> Result<String, LineError> {
    let (referee, table) = game();
    match command::parse(&referee, &table, line)? {
        Some(Command { action: Action::Rule { rule, arguments, .. }, .. }) => {
            Ok(format!("{rule:?} {arguments:?}"))
        }
        other => panic!("{other:?}"),
    }
}

fn same(short: &str, long: &str) {
    assert_eq!(read(short).unwrap(), read(long).unwrap(), "{short}");
}

#[test]
fn a_line_is_not_tried_for_ever() {
    let line = format!("many {}", "7 ".repeat(17));
    let begun = Instant::now();
    let error = read(&line).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(error.message.contains("fit"), "{error:?}");
    assert!(read(&format!("many {}", "7 ".repeat(16))).is_ok());
}

#[test]
fn words_of_a_usage_may_be_shortened() {
    same("fire t1 on b2 rang 2", "fire t1 on b2 range 2");
    same("fire t1 on b2 twi", "fire t1 on b2 twice");
    same("fire t1 on b2 twi rang 3", "fire t1 on b2 range 3 twice");
    same("fire t1 t2 b2 TWI", "fire t1,t2 on b2 twice");
}

fn completed(line: &str) -> Vec<String> {
    let (referee, table) = game();
    adjutant_engine::console::complete(&referee, &table, line, line.len()).words
}

#[test]
fn a_tab_offers_what_could_stand_there() {
    assert_eq!(completed("fire t1 on b2 rang"), ["range"]);
    assert_eq!(completed("fire t1 o"), ["on"]);
    // After words that are shortened or left out themselves.
    assert_eq!(completed("fire t1 o b2 rang"), ["range"]);
    assert_eq!(completed("fire t1 b2 tw"), ["twice"]);
    // What may be left out in another order than it is told in; what stands there already is not offered again.
    assert_eq!(completed("fire t1 on b2 twice rang"), ["range"]);
    assert_eq!(completed("fire t1 on b2 alone range 2 al"), ["allowing"]);
    assert_eq!(completed("fire t1 on b2 twice range 2 twi"), Vec::<String>::new());
    assert_eq!(completed("fire t1 on b2 range "), ["1", "2", "3"]);
    // A wide blank, as it comes with a pasted text.
    assert_eq!(completed("fire t1 on\u{2000}b2\u{a0}rang"), ["range"]);
}

#[test]
fn a_tab_does_not_try_for_ever() {
    let begun = Instant::now();
    completed(&format!("many {}", "7 ".repeat(12)));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn only_beginnings_that_are_clear_are_taken() {
    let asked = |line: &str| {
        let error = read(line).unwrap_err();
        (error.message, error.help.map(String::from).unwrap_or_default())
    };
    let unclear = |message: &str| (message.to_owned(), "write it in full".to_owned());
    assert_eq!(asked("fire t1 on b2 ran 2"), unclear("`ran` could be `range` or `ranked`"));
    same("fire t1 on b2 t", "fire t1 on b2 twice");
    assert!(read("fire t1 on b2 \"twi\"").is_err());
    // A word that could be a value or a flag is asked about, not guessed.
    assert_eq!(asked("fire t1 on b2 al"), unclear("`al` could be `alone` or `allowing`"));
    same("fire t1 on b2 all", "fire t1 on b2 allowing");
    same("fire t1 on b2 all twi", "fire t1 on b2 allowing twice");
    same("fire t1 on b2 alo", "fire t1 on b2 alone");
    // `raft` is the name of a piece, `raf` is not clear.
    assert!(read("sail b2 raft").is_err());
    assert!(read("sail b2 raf").is_err());
    same("sail b2 rafte", "sail b2 rafted");
    // A text is not taken apart.
    let told = read("tell lo and behold").unwrap();
    assert!(told.contains("lo and behold"), "{told}");
    // What is wrong with the value behind a shortened word is told.
    let error = read("fire t1 on b2 rang 9").unwrap_err();
    assert_eq!(error.message, "`range` must be from 1 to 3, not 9");
}

#[test]
fn a_list_names_one_at_least_and_none_twice() {
    assert_eq!(read("fire ,, b2").unwrap_err().message, "`t` needs at least one value");
    let error = read("fire t1,t2,T1 on b2").unwrap_err();
    assert_eq!(error.message, "`T1` appears twice in `t`");
    assert_eq!(error.span, Some((5, 13)));
    let error = read("fire t1 t1 on b2").unwrap_err();
    assert_eq!(error.message, "`t1` appears twice in `t`");
    assert_eq!(error.span, Some((8, 10)));
    same("fire t1,t2 on b2", "fire t1 t2 on b2");
    same("fire t1 , t2 on b2", "fire t1 t2 on b2");
}

#[test]
fn the_lowest_number_is_refused_not_overflown() {
    for n in [i64::MIN, i64::MAX] {
        assert_eq!(read(&format!("tally {n}")).unwrap_err().message, "`n` is too large");
    }
}

#[test]
fn limits_of_large_whole_numbers_hold() {
    assert!(read("far 70368744177664").is_ok());
    let error = read("far 70368744177665").unwrap_err();
    assert_eq!(error.message, "`n` must be from 1 to 70368744177664, not 70368744177665");
}

#[test]
fn words_of_the_language_are_no_names() {
    let (referee, table) = game();
    for name in ["none", "state", "option", "first", "First", "way"] {
        let error = command::parse(&referee, &table, &format!("add team {name}")).unwrap_err();
        assert!(error.message.contains("is a word of the rule language"), "{error:?}");
    }
    assert!(command::parse(&referee, &table, "add team first-aid").is_ok());
}

#[test]
fn what_is_foretold_may_be_insisted_on() {
    let (referee, _) = game();
    let scenario = referee.ruleset().scenarios[0].clone();
    let seed = adjutant_dice::Seed::from_text("lines");
    let scenario = &scenario;
    let beginning = Beginning {
        game: "",
        files: &[],
        shipped: adjutant::shipped::files,
        scenario,
        seed,
        seed_text: None,
        at: 0,
    };
    let (session, _) = Session::begin(referee, beginning).unwrap();
    let mut game = Game::new(session, None, false, false);
    let mut told = |line: &str| {
        let mut out = Vec::new();
        let ended = pipe::run(&mut game, line.as_bytes(), &mut out, LAYOUT);
        (ended, String::from_utf8(out).unwrap())
    };
    let (_, refused) = told("odds hush b1");
    assert!(refused.starts_with("the rules refuse this now: "), "{refused}");
    for line in ["odds hush b1 !", "! odds hush b1", "odds hush b1!"] {
        let (ended, odds) = told(line);
        assert!(matches!(ended, pipe::PipeEnd::Well), "`{line}`: {ended:?}");
        assert!(odds.starts_with("odds of hush b1"), "`{line}`: {odds}");
    }
    // The same holds for a line in place of another; and all of it can be taken back.
    for (n, line) in [(1, "hush b1 !"), (2, "hush b1!")] {
        let (ended, amended) = told(&format!("tell well\namend {n} {line}\nundo to 0\n"));
        assert!(matches!(ended, pipe::PipeEnd::Well), "`{line}`: {ended:?}");
        assert!(amended.contains(&format!("undoes {n}: hush b1")), "`{line}`: {amended}");
    }
}
