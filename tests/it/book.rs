//! The tutorial is true: its blocks, put together step by step, load and check, and its games print what it says.

use adjutant_engine::diagnostic::Severity;
use adjutant_engine::ruleset::{FileText, load};

use crate::kit::{Table, cases, faults, file, shown};

const BOOK: &str = include_str!("../../docs/writing-a-game.md");

/// The fenced blocks in order: their language and text.
fn blocks(book: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    let mut rest = book;
    while let Some(at) = rest.find("```") {
        let block = &rest[at + 3..];
        let (language, block) = block.split_once('\n').unwrap();
        let end = block.find("```").unwrap();
        found.push((language, &block[..end]));
        rest = &block[end + 3..];
    }
    found
}

/// The two lines that the last step adds to rules that are there already.
fn with_house_rule(text: &str) -> String {
    text.replace(
        "require = [{ that = 'wall.strength > 0', because = \"nobody is left at {wall}\" }]",
        "require = [{ that = 'wall.strength > 0', because = \"nobody is left at {wall}\" }, \
         { that = 'not option.wet-powder', because = \"wet powder\" }]",
    )
    .replace(
        "because = \"short of crew\" },",
        "because = \"short of crew\" }, { by = '-1', when = 'option.wet-powder', because = \"wet powder\" },",
    )
}

fn check(text: &str) {
    let mut faults = faults(vec![file("stockade.toml", text)]);
    faults.retain(|(fault, _)| fault.severity == Severity::Error);
    assert!(faults.is_empty(), "{}", shown(&faults));
}

#[test]
fn every_block_of_the_tutorial_holds() {
    let mut text = String::new();
    let blocks = blocks(BOOK);
    let mut wrong = Vec::new();
    let mut book = BOOK.to_owned();
    for (place, (language, block)) in blocks.iter().enumerate() {
        match *language {
            "toml" => {
                text.push_str(block);
                text.push('\n');
                if text.contains("wet-powder") {
                    text = with_house_rule(&text);
                }
                // The first half of step 2 calls a rule that its second half brings.
                let next_brings_more = blocks.get(place + 1).is_some_and(|b| b.0 == "toml");
                if !next_brings_more {
                    check(&text);
                }
            }
            "console" => {
                let files = [file("stockade.toml", text.as_str())];
                let printed = Table::by("stockade", &files, "", "learn").retype(block);
                if printed.trim_end() != block.trim_end() {
                    book = book.replacen(block, &format!("{}\n", printed.trim_end()), 1);
                    wrong.push(format!("the book says:\n{block}\nbut it prints:\n{printed}"));
                }
            }
            other => panic!("a block of `{other}`"),
        }
    }
    // `UPDATE_BOOK=1 cargo test --test it book::` writes what is printed into the book, to be read over.
    if !wrong.is_empty() && std::env::var_os("UPDATE_BOOK").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/writing-a-game.md");
        std::fs::write(path, book).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_examples_of_the_reference_are_without_fault() {
    let cases = cases("docs/examples", "toml");
    assert!(cases.len() >= 3, "{}", cases.len());
    for (name, text) in cases {
        let found = faults(vec![file(&name, text)]);
        assert!(found.is_empty(), "{}", shown(&found));
    }
}

const REFERENCE: &str = include_str!("../../docs/rule-language.md");

/// The blocks of the reference are one ruleset, with what its samples speak of and do not declare themselves.
#[test]
fn every_block_of_the_reference_holds() {
    let mut files = vec![
        file("game.toml", include_str!("../reference/game.toml")),
        FileText {
            scenario: Some("example-street".into()),
            ..file("street.toml", include_str!("../reference/example-street.toml"))
        },
    ];
    let names = "a: area, b: area, team: team, engine: vehicle, hose: hose, number: whole";
    let mut counts = std::collections::BTreeMap::new();
    let blocks = blocks(REFERENCE);
    for (place, (language, block)) in blocks.iter().enumerate() {
        let name = format!("{language} {place}");
        let sample = |n: usize| {
            let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
            format!("sample-{}{}{}", letter(place), letter(n / 26), letter(n))
        };
        match *language {
            "toml ruleset" => files.push(file(&name, *block)),
            "toml scenario" => {
                files.push(FileText { scenario: Some(format!("s{place}")), ..file(&name, *block) });
            }
            "expression" => {
                let define = |(n, line): (usize, &str)| {
                    format!("[define.{}]\ntakes = \"{names}\"\nis = '{line}'\n", sample(n))
                };
                let text: Vec<String> = block.lines().enumerate().map(define).collect();
                files.push(file(&name, text.concat()));
            }
            "statement" => {
                let text =
                    format!("[rule.{}]\ntakes = \"{names}\"\nafter = '''\n{block}'''\n", sample(0));
                files.push(file(&name, text));
            }
            "toml game" => {
                let found = faults(vec![file(&name, *block)]);
                assert!(found.is_empty(), "{}", shown(&found));
            }
            other => panic!("a block of `{other}`: mark what it is"),
        }
        *counts.entry(*language).or_insert(0) += 1;
    }
    assert!(counts.values().all(|n| *n >= 1) && counts.len() == 5, "{counts:?}");
    let ruleset = load(files).unwrap_or_else(|faulty| {
        let shown =
            |f| adjutant_engine::render::diagnostic::diagnostic(f, &faulty.sources, false, 100);
        let told: Vec<String> = faulty.faults.iter().map(shown).collect();
        panic!("{}", told.join("\n\n"));
    });
    // The attributes that mean something to the program, by other names and by the usual ones.
    let schema = &ruleset.schema;
    let kind = |name: &str| &schema.kinds[schema.kind_named(name).unwrap().index()];
    let named = |kind: &'_ str, place: Option<usize>| {
        place.map(|p| schema.kinds.named(kind).unwrap().attributes[p].name.clone())
    };
    let wagon = kind("wagon");
    assert_eq!(named("wagon", wagon.place_attribute).as_deref(), Some("stands-on"));
    assert_eq!(named("wagon", wagon.side_attribute).as_deref(), Some("owner"));
    assert!(wagon.attribute("driven").unwrap().bookkeeping);
    assert!(!wagon.attribute("owner").unwrap().bookkeeping);
    assert_eq!(named("message", kind("message").title_attribute).as_deref(), Some("words"));
    assert_eq!(named("team", kind("team").place_attribute).as_deref(), Some("at"));
    assert_eq!(named("man", kind("man").side_attribute).as_deref(), Some("side"));
    let message = schema.kind_named("message").unwrap();
    assert_eq!(schema.row_title(message, &kind("message").rows[0]), "Halt where you stand");
    let card = schema.kind_named("card").unwrap();
    assert_eq!(schema.row_title(card, &kind("card").rows[0]), "♣");
}

/// The samples of the page on audiences are whole games, with examples.
#[test]
fn every_game_of_who_hears_what_holds() {
    let page = include_str!("../../docs/who-hears-what.md");
    let games: Vec<_> = blocks(page).into_iter().filter(|(kind, _)| *kind == "toml game").collect();
    assert_eq!(games.len(), 2);
    for (_, game) in games {
        let found = faults(vec![file("game.toml", game)]);
        assert!(found.is_empty(), "{}", shown(&found));
    }
}

#[test]
fn every_built_in_function_is_described() {
    let reference = include_str!("../../docs/rule-language.md");
    let (_, section) = reference.split_once("\n## 3").unwrap();
    let (section, _) = section.split_once("\n## 4").unwrap();
    for function in &adjutant_engine::language::compile::FUNCTIONS {
        let name = function.usage.split('(').next().unwrap();
        let is_described = section.contains(&format!("`{name}("));
        assert!(is_described, "docs/rule-language.md, section 3, doesn't describe `{name}`");
    }
}

const FAULTS: &str = include_str!("../../docs/faults.md");

/// The sections of the list of faults: their codes and texts.
fn sections() -> Vec<(&'static str, &'static str)> {
    FAULTS.split("\n## ").skip(1).map(|s| s.split_once('\n').unwrap()).collect()
}

/// The samples of a section that are `bad` or `good`.
fn samples(section: &'static str, which: &str) -> Vec<&'static str> {
    let fence = format!("```toml {which}\n");
    let after = section.split(fence.as_str()).skip(1);
    after.map(|s| s.split("```").next().unwrap()).collect()
}

/// Codes of faults that no sample in the document can show: they are found in play or in the size or number of files.
const WITHOUT_SAMPLES: [&str; 10] = [
    "bad-scenario",
    "endless-phase",
    "examples-too-slow",
    "fails-at-play",
    "file-too-large",
    "leak-at-play",
    "never-reached",
    "text-too-long",
    "too-large",
    "too-many-faults",
];

#[test]
fn every_code_has_samples_of_what_is_wrong_and_right() {
    for (code, section) in sections() {
        let has_both = ["bad", "good"].iter().all(|which| !samples(section, which).is_empty());
        assert_eq!(has_both, !WITHOUT_SAMPLES.contains(&code), "the samples of `{code}`");
    }
}

#[test]
fn every_sample_of_a_fault_brings_it_and_no_mended_one_does() {
    let mut wrong = Vec::new();
    for (code, section) in sections() {
        for bad in samples(section, "bad") {
            let told = faults(vec![file(&format!("bad {code}"), bad)]);
            if told.is_empty() || told.iter().any(|(fault, _)| fault.code != code) {
                let shown = if told.is_empty() { "nothing".to_owned() } else { shown(&told) };
                wrong.push(format!("the bad sample of `{code}` gives:\n{shown}"));
            }
        }
        for good in samples(section, "good") {
            let told = faults(vec![file(&format!("good {code}"), good)]);
            if !told.is_empty() {
                wrong.push(format!("the good sample of `{code}` gives:\n{}", shown(&told)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// All sources of the workspace.
fn sources(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_code_has_a_section_in_the_list_of_faults() {
    let mut texts = Vec::new();
    for folder in ["src", "crates"] {
        sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut texts);
    }
    let mut codes = std::collections::BTreeSet::new();
    for text in &texts {
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
        for call in [
            "::error(",
            "::warning(",
            "::general(",
            "r.error(",
            "self.error(",
            "advise(",
            "unknown(",
            "found.add(",
        ] {
            for after in text.split(call).skip(1) {
                if let Some(code) = after.trim_start().strip_prefix('"') {
                    codes.insert(code.split('"').next().unwrap());
                }
            }
        }
    }
    assert!(codes.len() >= 70, "{}", codes.len());
    let listed: Vec<&str> = sections().iter().map(|(code, _)| *code).collect();
    codes.retain(|code| !listed.contains(code));
    assert!(codes.is_empty(), "docs/faults.md lacks {codes:?}");
    let behind = listed.windows(2).find(|pair| pair[0] > pair[1]);
    assert_eq!(behind, None, "docs/faults.md lists codes in alphabetical order");
}
