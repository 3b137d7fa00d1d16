//! Whatever is typed or loaded, nothing panics, nothing runs for ever, and every fault lies inside its file.

#[path = "../../fuzz/front_door.rs"]
mod front_door;

use std::path::Path;
use std::sync::Arc;

use adjutant::shipped;
use adjutant_engine::command;
use adjutant_engine::language::{parser, statements};
use adjutant_engine::referee::{Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use adjutant_engine::source::{Sources, Span, StringMap};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::kit::adjutant;

/// Always the same cases, so that a failure can be seen again; `.ci/long` takes twenty times as many.
fn runner(cases: u32) -> TestRunner {
    let cases = cases * if std::env::var_os("LONG").is_some() { 20 } else { 1 };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(Config { cases, failure_persistence: None, ..Config::default() }, rng)
}

/// Text that looks like rule text, and text that does not.
fn scraps() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        Just("a in areas where".to_owned()),
        Just("any x in xs:".to_owned()),
        Just("let x =".to_owned()),
        Just("if ".to_owned()),
        Just("{ ".to_owned()),
        Just(" }".to_owned()),
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just("[a, b]".to_owned()),
        Just("\"text {a.b} more\"".to_owned()),
        Just("\"{".to_owned()),
        Just("2d6kh1".to_owned()),
        Just("999999999d6".to_owned()),
        Just("1..".to_owned()),
        Just("way from a to b along c where x:".to_owned()),
        Just("not ".to_owned()),
        Just("-".to_owned()),
        Just("= ".to_owned()),
        Just("\n".to_owned()),
        Just("roll ".to_owned()),
        "[a-z.+*/<>=!:; ]{0,6}",
        "\\PC{0,3}",
        any::<i64>().prop_map(|n| n.to_string()),
    ];
    proptest::collection::vec(words, 0..30).prop_map(|w| w.concat())
}

fn map_of(text: &str) -> (Sources, StringMap, usize) {
    let mut sources = Sources::new();
    let quoted = format!("'''{text}'''");
    let length = quoted.len();
    let file = sources.add("scrap", quoted);
    let map = StringMap::new(&sources, Span::new(file, 0..length));
    (sources, map, length)
}

#[test]
fn any_notation_is_read_or_refused() {
    let words = prop_oneof![
        proptest::sample::select(vec![
            "2d6",
            "d66",
            "dF",
            "4d6kh3",
            "6d10!>=8",
            "1d20r1",
            "999999999d6",
            "d%",
            "kl2",
            "!",
            "d",
            "99999999999999999999",
            "min3",
            "(",
            ")",
            "+",
            "-",
            "*",
            "/2",
            "floor(",
            ">=",
            "x",
            " ",
        ])
        .prop_map(String::from),
        "\\PC{0,3}",
        any::<u64>().prop_map(|n| n.to_string()),
    ];
    let text = proptest::collection::vec(words, 0..12).prop_map(|w| w.concat());
    runner(3000)
        .run(&text, |text| {
            front_door::notation(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn scraps_of_rule_text_give_faults_inside_the_file() {
    runner(3000)
        .run(&scraps(), |text| {
            front_door::rule_language(&text);
            Ok(())
        })
        .unwrap();
    runner(400)
        .run(&scraps(), |text| {
            front_door::rule_in_game(&text);
            Ok(())
        })
        .unwrap();
}

/// Lines of TOML, right and wrong.
fn toml_scraps() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        proptest::sample::select(vec![
            "[game]\n",
            "title = \"T\"\n",
            "[kind.area]\n",
            "plan = true\n",
            "[rule.r]\n",
            "roll = '1d6'\n",
            "needs = '>= 4'\n",
            "table = [{ on = \"1-6\", say = \"x\" }]\n",
            "[[phase]]\nname = \"p\"\n",
            "[pieces.area]\n",
            "[pieces.team]\n",
            "a1 = { fire = 3 }\n",
            "t9 = { at = \"a1\" }\n",
            "[legend]\n",
            "\"#\" = { fire = 9 }\n",
            "[[level]]\n",
            "plan = \"#=\\n==\"\n",
            "walls = [\"a1|b1\"]\n",
            "begin = 'spread()'\n",
            "[state]\n",
            "[option]\n",
            "x = 1\n",
            "fire = { from = 0, to = 5 }\n",
            "[scenario.s]\n",
            "[[example]]\nrun = [\"r\"]\n",
            "is = '",
            "'\n",
            "\"",
            "{",
            "[",
            "]",
            "}",
            "=",
        ])
        .prop_map(String::from),
        "[a-z.\\[\\]='\" \\n]{0,8}",
        "\\PC{0,3}",
    ];
    proptest::collection::vec(words, 0..25).prop_map(|w| w.concat())
}

#[test]
fn any_ruleset_or_scenario_is_read_or_refused() {
    runner(1500)
        .run(&toml_scraps(), |text| {
            front_door::ruleset(&text);
            front_door::scenario(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_drawn_plan_is_read_or_refused() {
    runner(500)
        .run(&"([#=. ]{0,9}|\\PC{0,3}|\n){0,20}", |text| {
            front_door::plan(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_lines_of_an_evening_are_read_or_refused() {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "fight", "a1", "b2", "with", "t1", "t2", "range", "3", "standing", "!", "spread",
            "deal", "set", "a1.fire", "t1.named", "\"", "add", "team", "t3", "remove", "next",
            "roll", "2d6", "option", "-1", "?", "none", "a2",
        ])
        .prop_map(String::from),
        "\\PC{0,4}",
    ];
    let line = proptest::collection::vec(word, 0..6).prop_map(|w| w.join(" "));
    let lines = proptest::collection::vec(line, 0..8).prop_map(|l| l.join("\n"));
    runner(1000)
        .run(&lines, |text| {
            front_door::command_line(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn every_kept_input_goes_through_its_door() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = |target: &str| -> Vec<String> {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        let text = std::fs::read_to_string(kept.join(format!("{target}.txt"))).unwrap();
        text.split("\n%%\n").map(str::to_owned).collect()
    };
    inputs("notation").iter().for_each(|text| front_door::notation(text));
    inputs("rule_language").iter().for_each(|text| {
        front_door::rule_language(text);
        front_door::rule_in_game(text);
    });
    inputs("ruleset").iter().for_each(|text| front_door::ruleset(text));
    inputs("scenario").iter().for_each(|text| front_door::scenario(text));
    inputs("plan").iter().for_each(|text| front_door::plan(text));
    inputs("command_line").iter().for_each(|text| front_door::command_line(text));
    for text in inputs("journal") {
        front_door::journal(text.as_bytes(), &folder.path().join("session"));
    }
}

/// The records of an evening of the front door's game, which `fuzz/corpus` keeps too.
fn evening(folder: &Path) -> Vec<u8> {
    std::fs::write(folder.join("game.toml"), front_door::GAME).unwrap();
    let game = folder.join("game.toml");
    adjutant(["play", game.to_str().unwrap(), "--seed", "front door", "--session", "kept"])
        .home(folder)
        .stdin(include_str!("../../fuzz/evening.txt"))
        .success();
    let kept = folder.join("adjutant/sessions/kept/journal.jsonl");
    std::fs::read(&kept).unwrap_or_else(|e| panic!("{}: {e}", kept.display()))
}

#[test]
fn any_journal_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = evening(folder.path());
    let session = folder.path().join("session");
    // The door believes an evening that nobody forged.
    assert!(front_door::journal(&whole, &session) > 5);
    let strategy = (0..whole.len(), 0usize..60, proptest::collection::vec(any::<u8>(), 0..8));
    runner(100)
        .run(&strategy, |(at, cut, extra)| {
            let mut bytes = whole.clone();
            bytes.splice(at..(at + cut).min(whole.len()), extra);
            front_door::journal(&bytes, &session);
            Ok(())
        })
        .unwrap();
}

/// The paths of everything in a document.
fn paths(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match value {
        Value::Array(members) => members
            .iter()
            .enumerate()
            .for_each(|(place, member)| paths(member, &format!("{path}/{place}"), found)),
        Value::Object(members) => members
            .iter()
            .for_each(|(name, member)| paths(member, &format!("{path}/{name}"), found)),
        _ => {}
    }
}

#[test]
fn a_forged_record_with_its_seal_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = String::from_utf8(evening(folder.path())).unwrap();
    let records: Vec<Value> = whole.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let session = folder.path().join("session");
    let number = prop_oneof![Just(0), Just(1), Just(-1), Just(i64::MAX), Just(i64::MIN), 2..40i64];
    let forged = prop_oneof![
        number.prop_map(Value::from),
        Just(Value::Null),
        Just(Value::from("")),
        Just(Value::from("\u{1b}[31m t9")),
        Just(Value::from(vec![Value::Null; 3])),
    ];
    let strategy = (any::<u64>(), any::<u64>(), proptest::option::of(forged));
    runner(150)
        .run(&strategy, |(at, other, forged)| {
            let mut records = records.clone();
            let place = 1 + at as usize % (records.len() - 1);
            let (mut own, mut from) = (Vec::new(), Vec::new());
            let of = other as usize % records.len();
            paths(&records[place], "", &mut own);
            paths(&records[of], "", &mut from);
            // Either something made up, or a piece of another record in the place of one of its own.
            let taken = records[of].pointer(&from[other as usize / 7 % from.len()]).cloned();
            let own = &own[at as usize / 7 % own.len()];
            *records[place].pointer_mut(own).unwrap() = forged.or(taken).unwrap();
            let lines: Vec<String> = records.iter().map(Value::to_string).collect();
            front_door::journal(lines.join("\n").as_bytes(), &session);
            Ok(())
        })
        .unwrap();
}

#[test]
fn deep_nesting_is_a_fault_not_a_crash() {
    for text in ["(".repeat(60_000), "not ".repeat(15_000), "-".repeat(60_000), "[".repeat(60_000)]
    {
        let (_, map, _) = map_of(&text);
        let mut faults = Vec::new();
        assert!(parser::parse_expression(&text, &map, &mut faults).is_none());
        assert_eq!(faults.len(), 1);
    }
    let text = "if true { ".repeat(6_000);
    let (_, map, _) = map_of(&text);
    let mut faults = Vec::new();
    assert!(statements::parse_statements(&text, &map, &mut faults).is_none());
    assert_eq!(faults.len(), 1);
}

#[test]
fn long_chains_and_deep_choices_are_read_or_refused() {
    load_soundly(&format!(
        "[game]\ntitle = \"T\"\n[define.d]\nis = '{}1'\n",
        "1 + ".repeat(15_000)
    ));
    let choices = "if 1 > 2 then 1 else ".repeat(60);
    load_soundly(&format!("[game]\ntitle = \"T\"\n[define.d]\nis = '{choices}1 / 2'\n"));
    let floors = format!("{}3{}", "floor(".repeat(50), " / 2)".repeat(50));
    load_soundly(&format!("[game]\ntitle = \"T\"\n[define.d]\nis = '{floors}'\n"));
}

/// Tells the faults of a ruleset and sees that each lies in its file, at whole characters.
fn load_soundly(text: &str) {
    let file = FileText { name: "transaction.toml".into(), text: text.to_owned(), scenario: None };
    let (faults, sources) = match load(vec![file]) {
        Ok(ruleset) => (ruleset.warnings.clone(), (*ruleset.sources).clone()),
        Err(faulty) => (faulty.faults, faulty.sources),
    };
    for fault in &faults {
        if let Some(span) = fault.span {
            assert!(span.end as usize <= text.len(), "{fault:?}");
        }
        let shown = adjutant_engine::render::diagnostic::diagnostic(fault, &sources, false, 100);
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
}

#[test]
fn a_ruleset_with_pieces_cut_out_or_doubled_is_told_of() {
    let whole: String = shipped::files("house-clearing")
        .unwrap()
        .into_iter()
        .filter(|f| f.scenario.is_none())
        .map(|f| f.text + "\n")
        .collect();
    let length = whole.len();
    let strategy = (0..length, 0usize..200, 0..length, "\\PC{0,4}");
    runner(60)
        .run(&strategy, |(at, cut, to, extra)| {
            let mut text = whole.clone();
            let floor = |text: &str, mut i: usize| {
                i = i.min(text.len());
                while !text.is_char_boundary(i) {
                    i -= 1;
                }
                i
            };
            let (start, end) = (floor(&text, at), floor(&text, at + cut));
            let piece = text[start..end].to_owned();
            text.replace_range(start..end, &extra);
            let place = floor(&text, to);
            text.insert_str(place, &piece);
            load_soundly(&text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn hostile_files_end_with_a_fault() {
    load_soundly(&format!("a = {}", "[".repeat(100_000)));
    load_soundly(&"x".repeat(2_000_000));
    load_soundly("[game]\ntitle = \"\\u001b[31m\"\n[kind.\"\\u001b\"]\n");
    load_soundly(&format!(
        "[game]\ntitle = \"T\"\n[rule.r]\nbefore = '{}'\n",
        "x()\n".repeat(9_000)
    ));
    let many: String = (0..5_000).map(|i| format!("[rule.r{i}]\nroll = '999999999d6'\n")).collect();
    load_soundly(&format!("[game]\ntitle = \"T\"\n{many}"));
    let wide = format!("plan = \"\"\"\n{}\"\"\"\n", format!("{}\n", "x".repeat(900)).repeat(900));
    load_soundly(&format!(
        "[game]\ntitle = \"T\"\n[kind.area]\nplan = true\n[scenario.s]\n[[scenario.s.level]]\n{wide}"
    ));
}

/// The codes of what is told of a ruleset.
fn codes(text: &str) -> Vec<&'static str> {
    let file = FileText {
        name: "transaction.toml".into(),
        text: format!("[game]\ntitle = \"T\"\n{text}"),
        scenario: None,
    };
    match load(vec![file]) {
        Ok(ruleset) => {
            let report = adjutant_engine::check::check(&Arc::new(ruleset), None);
            report.faults.iter().map(|f| f.code).collect()
        }
        Err(faulty) => faulty.faults.iter().map(|f| f.code).collect(),
    }
}

#[test]
fn more_than_can_be_numbered_or_looked_at_is_a_fault() {
    let many = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let told = |text: &str, code: &str| {
        let codes = codes(text);
        assert!(codes.len() <= 1001 && codes.contains(&code), "{code}: {:?}", codes.first());
    };
    told(&many(20_000, &|i| format!("[define.q{i}]\nis = 'zq{i}'\n")), "too-many-faults");
    told(&format!("[rule.r]\n{}", many(30_000, &|i| format!("kay{i} = 1\n"))), "too-many-faults");
    told(&many(1_100, &|i| format!("[[phase]]\nname = \"p{i}\"\n")), "too-large");
    let words = many(1_100, &|i| format!("\"w{i}\","));
    told(&format!("[words.w]\nvalues = [{words}]\n"), "too-large");
    let params = many(200, &|i| format!("p{i}: whole,"));
    told(&format!("[rule.r]\ntakes = \"{params}\"\n"), "too-large");
    let rows = many(10_500, &|i| format!("r{i} = {{}}\n"));
    told(&format!("[list.l]\n[list.l.rows]\n{rows}"), "too-large");
}

#[test]
#[ignore = "a ruleset of 66,000 kinds: half a minute"]
fn more_attributes_than_numbers_for_them_is_a_fault_long() {
    // A file holds a mebibyte at most, so they stand in several.
    let file = |k: usize| FileText {
        name: format!("{k}.toml"),
        text: (0..22_000).map(|i| format!("[kind.k{k}-x{i}]\na = {{ flag = true }}\n")).collect(),
        scenario: None,
    };
    let game = FileText {
        name: "game.toml".into(),
        text: "[game]\ntitle = \"T\"\n".into(),
        scenario: None,
    };
    let files: Vec<FileText> = std::iter::once(game).chain((0..3).map(file)).collect();
    let Err(faulty) = load(files) else { panic!("it loads") };
    assert!(faulty.faults.iter().any(|f| f.code == "too-large"), "{:?}", faulty.faults.first());
}

#[test]
fn examples_that_never_end_are_stopped() {
    let game = |after: &str| {
        format!(
            "[state]\nn = {{ from = 0, to = 9, title = \"n\" }}\n[rule.r]\nusage = \"r\"\nafter = '{after}'\n\
             [scenario.s]\n[[example]]\nrun = [\"r\"]\nexpect = ['state.n = 1']\n"
        )
    };
    for after in [
        "if state.n < 9 { r() }",
        "repeat 1000 times { repeat 1000 times { repeat 1000 times { state.n = 1 } } }",
        "let s = \"aaaaaaaaaa\"; repeat 60 times { s = \"{s}{s}\" }; say \"{s}\"",
        "each x in 1..100000000 { say \"x\" }",
    ] {
        assert_eq!(codes(&game(after)), ["example"], "{after}");
    }
    assert_eq!(codes(&game("r()")), ["endless", "example"]);
}

#[test]
fn any_line_is_read_or_refused() {
    let ruleset =
        load(shipped::files("blitz").unwrap()).unwrap_or_else(|f| panic!("{:?}", f.faults));
    let referee = Referee::new(Arc::new(ruleset));
    let scenario = referee.ruleset().scenarios[0].clone();
    let seed = adjutant_dice::Seed::from_text("robust");
    let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
    let (table, _) = referee.set_up(&scenario, &inputs).unwrap();
    let verbs: Vec<String> = referee.ruleset().verbs().map(String::from).collect();
    let names: Vec<String> = table.names().map(|(n, ..)| n.to_owned()).collect();
    let word = prop_oneof![
        proptest::sample::select(verbs.clone()),
        proptest::sample::select(names),
        proptest::sample::select(vec![
            "with", "to", "range", "!", "?", "set", "add", "\"", "2", "-1"
        ])
        .prop_map(String::from),
        "\\PC{0,5}",
    ];
    let line = (proptest::sample::select(verbs), proptest::collection::vec(word, 0..6))
        .prop_map(|(verb, words)| format!("{verb} {}", words.join(" ")));
    runner(2000)
        .run(&line, |line| {
            match command::parse(&referee, &table, &line) {
                Ok(Some(command::Command { action, insist, .. })) => {
                    let inputs = Inputs { insist, ask_random: true, ..Inputs::seeded(&seed, 1) };
                    let _ = referee.resolve(&table, &action, &inputs);
                }
                Ok(_) => {}
                Err(error) => {
                    if let Some((start, end)) = error.span {
                        prop_assert!(start <= end && end <= line.len(), "{line:?} {error:?}");
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}
