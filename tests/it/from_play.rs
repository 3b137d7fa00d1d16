//! `example`: a command that was played, pasted into its ruleset as a worked example, passes `check`.

use std::collections::BTreeMap;

use adjutant::shipped;

use crate::kit::{Table, cases, faults, file, shown};

/// The first command of each verb, among the first lines of an evening.
const LINES: usize = 30;

#[test]
fn what_was_played_becomes_examples_that_pass() {
    for (game, evening) in [
        ("blitz", "blitz-surrey-docks"),
        ("firefight", "firefight"),
        ("house-clearing", "house-clearing"),
        ("mtb", "mtb-coal-by-night"),
        ("tarr", "tarr"),
    ] {
        let script = cases("tests/evenings", "txt").into_iter().find(|(name, _)| name == evening);
        let script = script.unwrap().1;
        let words: Vec<&str> = script.lines().next().unwrap().split_whitespace().collect();
        let after = |key| words[words.iter().position(|w| *w == key).unwrap() + 1];
        let mut table = Table::at(game, after("--scenario"), after("--seed"))
            .ask_random(words.contains(&"random"));
        table.types(&script.lines().take(LINES).collect::<Vec<_>>().join("\n"));
        let entries = table.session().entries().iter().rev();
        let verbs: BTreeMap<String, u64> =
            entries.map(|e| (e.line.split(' ').next().unwrap().to_owned(), e.number)).collect();
        let mut pasted = String::new();
        let mut made = Vec::new();
        for (verb, number) in verbs.iter().filter(|v| *v.1 > 0 && v.0 != "note") {
            table.types(&format!("example {number}"));
            pasted += &format!("\n{}\n", table.printed);
            made.push(verb.as_str());
        }
        assert!(made.len() >= 4, "{game}: {made:?}");
        let files = shipped::files(game).unwrap();
        let files = files.into_iter().chain([file("pasted.toml", pasted.clone())]).collect();
        let mut faults = faults(files);
        faults.retain(|(fault, _)| fault.code == "example");
        assert!(faults.is_empty(), "{game}:\n{pasted}\n{}", shown(&faults));
    }
}

#[test]
fn the_last_command_with_real_dice_and_named_cards() {
    let mut table = Table::of("firefight").lines("next\ndraw\nexample last");
    for part in ["draws    = [", "run      = [", "says     = ["] {
        assert!(table.printed.contains(part), "no `{part}` in\n{}", table.printed);
    }
    assert!(table.refuses("example 99").contains("there is no command 99"));
    assert!(Table::of("firefight").refuses("example last").contains("nothing has been played yet"));
}
