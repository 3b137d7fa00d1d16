//! Broken rulesets, one fault each: `tests/check/NAME.toml`, and beside it, in `snapshots`, what is told of it.

use adjutant_engine::ruleset::FileText;

use crate::kit::{cases, faults, file, shown, snapshots};

/// Cases of several faults; every other has one.
const SEVERAL: [&str; 22] = [
    "activation-slips",
    "attribute-spoilt-in-one-kind",
    "bookkeeping-slips",
    "end-of-a-game",
    "hex-arc-slips",
    "hex-direction-of-the-other-grid",
    "hex-drawn-uneven",
    "hex-plan-misspelt",
    "meaning-of-wrong-type",
    "meaning-unknown-attribute",
    "no-sides",
    "reroll-slips",
    "reserved-rule-and-misspelt-attribute",
    "reserved-word-in-set",
    "round-slips",
    "round-words",
    "rule-not-read-whole",
    "scenario-kind-misspelt-and-begin",
    "several-faults-in-one-run",
    "steps-and-alternation",
    "volley-slips",
    "wrong-side",
];

/// The fault of a case stands in the line that ends in `# <-`, where there is one.
#[test]
fn every_fault_is_told_once_and_in_its_place() {
    let cases = cases("tests/check", "toml");
    assert!(cases.len() >= 200 + SEVERAL.len(), "the corpus has shrunk to {}", cases.len());
    let found = cases.into_iter().map(|(name, text)| {
        let faults = faults(vec![file(&format!("{name}.toml"), text.clone())]);
        let several = SEVERAL.contains(&name.as_str());
        assert_eq!(faults.len() > 1, several, "`{name}` has {} faults", faults.len());
        assert!(!faults.is_empty(), "`{name}` has no fault");
        if let Some(line) = text.lines().position(|line| line.ends_with("# <-")) {
            let place = format!("--> {name}.toml:{}:", line + 1);
            assert!(faults[0].1.contains(&place), "not in line {}: {}", line + 1, faults[0].1);
        }
        (name, shown(&faults))
    });
    snapshots("tests/check", found);
}

#[test]
fn every_lint_has_a_case() {
    let mut texts = Vec::new();
    for (_, text) in cases("tests/check/snapshots", "snap") {
        texts.push(text);
    }
    let shown = texts.concat();
    let mut codes = Vec::new();
    for (_, text) in cases("crates/engine/src/ruleset/lints", "rs") {
        let calls = text.split("found.add(").skip(1);
        codes.extend(calls.map(|call| call.split('"').nth(1).unwrap().to_owned()));
    }
    assert!(codes.len() > 20, "{codes:?}");
    codes.retain(|code| !shown.contains(&format!("[{code}]")));
    assert!(codes.is_empty(), "no case of tests/check shows {codes:?}");
}

fn codes(files: Vec<FileText>) -> Vec<&'static str> {
    faults(files).iter().map(|(fault, _)| fault.code).collect()
}

/// A file that is not TOML hides what its names are, but no fault that has nothing to do with them.
#[test]
fn faults_of_other_files_are_told_beside_one_that_cannot_be_read() {
    let kinds = "[kind.area]\nfire = { from = 0, to = 5, marker = \"red die\" }\n";
    let rules = "[rule.burn]\nusage = \"burn <a:area>\"\nafter = 'a.fire = 5 + true'\n\
                 [rule.both]\nafter = 'if 3 { burn() }'\n";
    let broken = "[game]\ntitle = = 3\n";
    let told = codes(vec![file("a.toml", broken), file("b.toml", kinds), file("c.toml", rules)]);
    assert_eq!(told, ["toml", "wrong-type", "wrong-type"]);
    let told = codes(vec![file("b.toml", kinds.to_owned() + broken), file("c.toml", rules)]);
    assert_eq!(told, ["toml", "wrong-type"]);
}

/// Each part of a shipped ruleset that cannot be read is told once, and nothing that only follows from it.
#[test]
fn what_follows_from_a_fault_is_not_told() {
    let files: Vec<FileText> = cases("rulesets/house-clearing", "toml")
        .into_iter()
        .map(|(name, text)| file(&format!("{name}.toml"), text))
        .collect();
    // What stands in the text, what is written instead, and the fault.
    let breaks = [
        ("fired      = { flag = true", "fired      = { of = \"nokind\"", "unknown-kind"),
        ("[kind.figure]", "[kind.figure]\nplan = 3", "wrong-toml-type"),
        ("[rule.step-ends]", "[rule.step-ends]\ngives = '1 +'", "expected-value"),
        ("takes = \"who: figure", "takes = \"who: nokind", "unknown-type"),
        ("is    = '(1 - who.spent)", "is    = '(1 - - who.spent", "expected-sign"),
    ];
    for (text, instead, code) in breaks {
        let place = files.iter().position(|f| f.text.contains(text)).expect(text);
        let mut broken = files.clone();
        broken[place].text = broken[place].text.replacen(text, instead, 1);
        assert_eq!(codes(broken), [code], "{text}");
    }
}
