//! The tutorial is true: its blocks, put together step by step, load and check, and its games print what it says.

use std::sync::Arc;

use adjutant::ruleset::{FileText, load};

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
        "require = [{ that = 'wall.strength > 0', because = \"nobody stands to {wall}\" }]",
        "require = [{ that = 'wall.strength > 0', because = \"nobody stands to {wall}\" }, \
         { that = 'not option.wet-powder', because = \"wet powder\" }]",
    )
    .replace(
        "because = \"short of crew\" },",
        "because = \"short of crew\" }, { by = '-1', when = 'option.wet-powder', because = \"wet powder\" },",
    )
}

fn check(text: &str) {
    let file = FileText { name: "stockade.toml".into(), text: text.to_owned(), scenario: None };
    let ruleset = load(vec![file]).unwrap_or_else(|faulty| {
        let shown: Vec<String> = faulty
            .faults
            .iter()
            .map(|f| adjutant::render::diagnostic::diagnostic(f, &faulty.sources, false, 100))
            .collect();
        panic!("{}", shown.join("\n"))
    });
    let ruleset = Arc::new(ruleset);
    let report = adjutant::check::check(&ruleset, None);
    let grave: Vec<String> = report
        .faults
        .iter()
        .filter(|f| f.severity == adjutant::diagnostic::Severity::Error)
        .map(|f| adjutant::render::diagnostic::diagnostic(f, &ruleset.sources, false, 100))
        .collect();
    assert!(grave.is_empty(), "{}", grave.join("\n"));
    assert_eq!(report.passed, ruleset.examples.len());
}

/// Plays the lines of a console block; gives what was printed, standard error behind standard output.
fn play(text: &str, block: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stockade.toml");
    std::fs::write(&path, text).unwrap();
    let lines: Vec<&str> = block.lines().filter_map(|l| l.strip_prefix("> ")).collect();
    let mut printed = String::new();
    // One line more each time shows what each line printed.
    let mut before = String::new();
    for count in 1..=lines.len() {
        let output = assert_cmd::Command::cargo_bin("adjutant")
            .unwrap()
            .args(["play", &path.to_string_lossy(), "--seed", "learn"])
            .env("XDG_DATA_HOME", folder.path())
            .env("COLUMNS", "80")
            .write_stdin(lines[..count].join("\n") + "\n")
            .output()
            .unwrap();
        let all =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        printed.push_str(&format!("> {}\n", lines[count - 1]));
        printed.push_str(all.strip_prefix(&before).unwrap_or(&all));
        before = all;
    }
    printed
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
                let printed = play(&text, block);
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

/// The codes of all that is told of a ruleset in one file, each with how it is shown.
fn told(name: &str, text: &str) -> Vec<(String, String)> {
    let file = FileText { name: name.to_owned(), text: text.to_owned(), scenario: None };
    let (faults, sources) = match load(vec![file]) {
        Ok(ruleset) => {
            let ruleset = Arc::new(ruleset);
            // The check runs the lints and the examples.
            let report = adjutant::check::check(&ruleset, None);
            let faults = ruleset.warnings.iter().chain(&report.faults).cloned().collect();
            (faults, (*ruleset.sources).clone())
        }
        Err(faulty) => (faulty.faults, faulty.sources),
    };
    let shown = |f| adjutant::render::diagnostic::diagnostic(f, &sources, false, 100);
    faults.iter().map(|f| (f.code.to_string(), shown(f))).collect()
}

fn shown(told: &[(String, String)]) -> String {
    let all: Vec<&str> = told.iter().map(|(_, shown)| shown.as_str()).collect();
    all.join("\n\n")
}

#[test]
fn the_examples_of_the_reference_are_without_fault() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let told = told(&path.to_string_lossy(), &std::fs::read_to_string(&path).unwrap());
            assert!(told.is_empty(), "{}", shown(&told));
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}

const REFERENCE: &str = include_str!("../../docs/rule-language.md");

/// The blocks of the reference are one ruleset, with what its samples speak of and do not declare themselves.
#[test]
fn every_block_of_the_reference_holds() {
    let file = |name: &str, text: &str| FileText {
        name: name.to_owned(),
        text: text.to_owned(),
        scenario: None,
    };
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
            "toml ruleset" => files.push(file(&name, block)),
            "toml scenario" => {
                files.push(FileText { scenario: Some(format!("s{place}")), ..file(&name, block) });
            }
            "expression" => {
                let define = |(n, line): (usize, &str)| {
                    format!("[define.{}]\ntakes = \"{names}\"\nis = '{line}'\n", sample(n))
                };
                let text: Vec<String> = block.lines().enumerate().map(define).collect();
                files.push(file(&name, &text.concat()));
            }
            "statement" => {
                let text =
                    format!("[rule.{}]\ntakes = \"{names}\"\nafter = '''\n{block}'''\n", sample(0));
                files.push(file(&name, &text));
            }
            other => panic!("a block of `{other}`: mark what it is"),
        }
        *counts.entry(*language).or_insert(0) += 1;
    }
    assert!(counts.values().all(|n| *n >= 1) && counts.len() == 4, "{counts:?}");
    let ruleset = load(files).unwrap_or_else(|faulty| {
        let shown = |f| adjutant::render::diagnostic::diagnostic(f, &faulty.sources, false, 100);
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

#[test]
fn every_sample_of_a_fault_brings_it_and_no_mended_one_does() {
    let mut wrong = Vec::new();
    for (code, section) in sections() {
        for bad in samples(section, "bad") {
            let told = told(&format!("bad {code}"), bad);
            if told.is_empty() || told.iter().any(|(c, _)| c != code) {
                wrong.push(format!("the bad sample of `{code}` tells:\n{}", shown(&told)));
            }
        }
        for good in samples(section, "good") {
            let told = told(&format!("good {code}"), good);
            if !told.is_empty() {
                wrong.push(format!("the good sample of `{code}` tells:\n{}", shown(&told)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// All sources of the program.
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
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    let mut codes = std::collections::BTreeSet::new();
    for text in &texts {
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
        for call in ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::general("] {
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
    assert!(listed.is_sorted(), "the codes are in the order of the alphabet");
}
