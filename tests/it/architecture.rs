//! The shape of the house: arrows between modules point downwards, and no code names a thing of one game.

use std::fs;
use std::path::{Path, PathBuf};

/// From the top to the ground, as the crate's documentation draws it.
const ORDER: [&str; 14] = [
    "cli",
    "console",
    "check",
    "render",
    "session",
    "command",
    "referee",
    "ruleset",
    "tabletop",
    "language",
    "dice",
    "diagnostic",
    "names",
    "source",
];

/// Words of the shipped games. Rules belong in `rulesets/`.
const GAME_WORDS: [&str; 34] = [
    "incendiary",
    "incendiaries",
    "hydrant",
    "hydrants",
    "torpedo",
    "torpedoes",
    "ember",
    "embers",
    "petrol",
    "firefighter",
    "firefighters",
    "appliance",
    "appliances",
    "rubble",
    "dampness",
    "suppressed",
    "stunned",
    "wounded",
    "grenade",
    "grenades",
    "rifle",
    "rifles",
    "platoon",
    "minefield",
    "paratroops",
    "flak",
    "enfilade",
    "bomber",
    "gunboat",
    "depth charge",
    "fire level",
    "all clear",
    "bomb run",
    "duck back",
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.retain(|f| !f.ends_with("tests.rs"));
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The module of `src` a file belongs to.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// The code of a file without its tests, comments and texts' contents.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn arrows_point_downwards() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let from = module(&file);
        let Some(height) = ORDER.iter().position(|m| *m == from) else {
            assert!(matches!(from, "lib" | "main"), "`{file}` is in no module of the map");
            continue;
        };
        for (line, words) in code(&text).lines().enumerate() {
            let mut rest = words;
            while let Some(at) = rest.find("crate::") {
                rest = &rest[at + "crate::".len()..];
                let to: String =
                    rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                let depth = ORDER.iter().position(|m| *m == to);
                if depth.is_some_and(|d| d < height) {
                    wrong.push(format!("{file}:{} {from} -> {to}", line + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these imports point upwards:\n{}", wrong.join("\n"));
}

#[test]
fn no_code_names_a_thing_of_one_game() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        // Comments are looked at, too: what they explain is the machinery, not a game.
        let text = text.split("#[cfg(test)]").next().unwrap().to_lowercase();
        for (line, words) in text.lines().enumerate() {
            for word in GAME_WORDS {
                let found = words.match_indices(word).any(|(at, _)| {
                    let letter = |c: char| c.is_alphanumeric();
                    let before = words[..at].chars().next_back().is_some_and(letter);
                    let after = words[at + word.len()..].chars().next().is_some_and(letter);
                    !before && !after
                });
                if found {
                    wrong.push(format!("{file}:{}: {word}", line + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "rules belong in rulesets/:\n{}", wrong.join("\n"));
}

#[test]
fn only_the_outermost_modules_print() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        if matches!(module(&file), "main" | "cli" | "console") {
            continue;
        }
        for (line, words) in code(&text).lines().enumerate() {
            let prints = ["println!(", "print!(", "eprintln!(", "eprint!(", "stdout()", "stderr()"];
            if prints.iter().any(|p| words.contains(p)) {
                wrong.push(format!("{file}:{}: {}", line + 1, words.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "only main, cli and console print:\n{}", wrong.join("\n"));
}

#[test]
fn the_core_reads_no_clock_and_no_files() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        if matches!(module(&file), "main" | "cli" | "console" | "session") {
            continue;
        }
        for (line, words) in code(&text).lines().enumerate() {
            let outside = ["std::fs", "std::env", "std::time", "std::net", "std::process"];
            if outside.iter().any(|o| words.contains(o)) {
                wrong.push(format!("{file}:{}: {}", line + 1, words.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "the core asks nothing of the machine:\n{}", wrong.join("\n"));
}
