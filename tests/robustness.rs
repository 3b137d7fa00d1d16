//! Whatever is typed or loaded, nothing panics, nothing runs for ever, and every fault lies inside its file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use adjutant::command;
use adjutant::language::{parser, statements};
use adjutant::referee::{Inputs, Referee};
use adjutant::ruleset::{FileText, load, shipped};
use adjutant::source::{Sources, Span, StringMap};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Always the same cases, so that a failure can be seen again.
fn runner(cases: u32) -> TestRunner {
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
fn scraps_of_rule_text_give_faults_inside_the_file() {
    runner(3000)
        .run(&scraps(), |text| {
            let (_, map, length) = map_of(&text);
            let mut faults = Vec::new();
            let _ = parser::expression(&text, &map, &mut faults);
            let _ = parser::comparison(&text, &map, &mut faults);
            let _ = parser::sources(&text, &map, &mut faults);
            let _ = parser::template(&text, &map, &mut faults);
            let _ = statements::block(&text, &map, &mut faults);
            for fault in faults {
                let span = fault.span.unwrap();
                prop_assert!(span.start <= span.end && span.end as usize <= length, "{fault:?}");
            }
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
        assert!(parser::expression(&text, &map, &mut faults).is_none());
        assert_eq!(faults.len(), 1);
    }
    let text = "if true { ".repeat(6_000);
    let (_, map, _) = map_of(&text);
    let mut faults = Vec::new();
    assert!(statements::block(&text, &map, &mut faults).is_none());
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
    let file = FileText { name: "trial.toml".into(), text: text.to_owned(), scenario: None };
    let (faults, sources) = match load(vec![file]) {
        Ok(ruleset) => (ruleset.warnings.clone(), (*ruleset.sources).clone()),
        Err(faulty) => (faulty.faults, faulty.sources),
    };
    for fault in &faults {
        if let Some(span) = fault.span {
            assert!(span.end as usize <= text.len(), "{fault:?}");
        }
        let shown = adjutant::render::diagnostic::diagnostic(fault, &sources, false, 100);
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

#[test]
fn any_line_is_read_or_refused() {
    let ruleset =
        load(shipped::files("blitz").unwrap()).unwrap_or_else(|f| panic!("{:?}", f.faults));
    let referee = Referee::new(Arc::new(ruleset));
    let scenario = referee.ruleset().scenarios[0].clone();
    let seed = adjutant::dice::Seed::from_text("robust");
    let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
    let (table, _) = referee.set_out(&scenario, &inputs).unwrap();
    let verbs: Vec<String> = referee.ruleset().verbs().into_iter().map(String::from).collect();
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
                Ok(Some(command::Command::Act(action, insist))) => {
                    let inputs = Inputs { insist, ask_random: true, ..Inputs::seeded(&seed, 1) };
                    let _ = referee.resolve(&table, &action, &inputs);
                }
                Ok(_) => {}
                Err(error) => {
                    if let Some((start, end)) = error.place {
                        prop_assert!(start <= end && end <= line.len(), "{line:?} {error:?}");
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}
