//! The shape of the house: arrows between modules point downwards, no code names a thing of one game, no text that
//! was rendered is read back, and what is still to be mended only grows less.

mod answers;
mod circles;
mod type_names;

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of each crate with arrows to check, from the top to the ground, as the documentation of the crate lists
/// them. Which crate may use which, cargo knows.
const ORDER: [(&str, &[&str]); 2] = [
    (
        "src",
        &["cli", "console", "screen", "requests", "session_folder", "shipped", "files", "clock"],
    ),
    (
        "crates/engine/src",
        &[
            "console",
            "check",
            "render",
            "session",
            "command",
            "referee",
            "ruleset",
            "tabletop",
            "language",
            "diagnostic",
            "names",
            "source",
        ],
    ),
];

/// The folders of all crates.
const CRATES: [&str; 3] = ["src", "crates/engine/src", "crates/dice/src"];

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

/// Every source file but those of tests, by its path, with its text.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in CRATES {
        rust_files(&root.join(folder), &mut files);
    }
    // Unit tests are in files and folders of these names.
    files.retain(|f| !f.ends_with("tests.rs") && !f.iter().any(|part| part == "tests"));
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The module that a file belongs to, below the `src` of its crate.
fn module(file: &str) -> &str {
    let (_, below) = file.rsplit_once("src/").unwrap();
    below.split('/').next().unwrap().trim_end_matches(".rs")
}

/// True if a file is one of the program, not of a library.
fn is_program(file: &str) -> bool {
    file.starts_with("src/")
}

/// The code of a file without its tests and comments. Unit tests come last in a file, or have a file of their own.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            if lines.next().is_some_and(|declaration| declaration.ends_with(';')) {
                continue;
            }
            break;
        }
        if !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

#[test]
fn arrows_point_downwards() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let Some((_, order)) = ORDER.iter().find(|(folder, _)| file.starts_with(folder)) else {
            continue;
        };
        let from = module(&file);
        let Some(height) = order.iter().position(|m| *m == from) else {
            assert!(matches!(from, "lib" | "main"), "`{file}` is in no module of the map");
            continue;
        };
        for (line, words) in code(&text).lines().enumerate() {
            let mut rest = words;
            while let Some(at) = rest.find("crate::") {
                rest = &rest[at + "crate::".len()..];
                let to: String =
                    rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                let depth = order.iter().position(|m| *m == to);
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
        if is_program(&file) && matches!(module(&file), "main" | "cli" | "console") {
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
fn the_libraries_read_no_clock_and_no_files() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        if is_program(&file) {
            continue;
        }
        for (line, words) in code(&text).lines().enumerate() {
            let outside = ["std::fs", "std::env", "std::time", "std::net", "std::process"];
            if outside.iter().any(|o| words.contains(o)) {
                wrong.push(format!("{file}:{}: {}", line + 1, words.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "the libraries ask nothing of the machine:\n{}", wrong.join("\n"));
}

/// Methods that look into a text.
const READS: [&str; 18] = [
    "contains",
    "starts_with",
    "ends_with",
    "strip_prefix",
    "strip_suffix",
    "find",
    "rfind",
    "split",
    "splitn",
    "rsplit",
    "split_once",
    "rsplit_once",
    "split_whitespace",
    "lines",
    "matches",
    "match_indices",
    "trim_start_matches",
    "trim_end_matches",
];

/// Names that stand for text made for people, and methods that make it.
const RENDERED: [&str; 13] = [
    "message",
    "label",
    "verdict",
    "said",
    "told",
    "shown",
    "rendered",
    "reason",
    "because",
    "plain",
    "markdown",
    "html",
    "to_string",
];

/// Reads that only look so, each with its file and reason.
const READ_RIGHTLY: [(&str, &str, &str); 11] = [
    (
        "crates/engine/src/render/summary.rs",
        "label.ends_with(",
        "a colon follows a word, but not a sign",
    ),
    (
        "crates/engine/src/check/examples.rs",
        "self.shown.contains(",
        "an example says which words it wants to see",
    ),
    (
        "crates/engine/src/check/from_play.rs",
        "shown.contains(",
        "an example says which words it wants to see",
    ),
    ("src/cli/output.rs", "message.lines()", "lines are broken to the width of the screen"),
    (
        "crates/dice/src/parser.rs",
        "label.contains(",
        "a label that the author wrote into the notation",
    ),
    (
        "crates/engine/src/render/plan/svg.rs",
        "notes.plain(",
        "each line of the notes has a place in the picture",
    ),
    (
        "crates/engine/src/render/print/markdown.rs",
        "told.split(",
        "a fence is longer than any in the text",
    ),
    (
        "crates/engine/src/ruleset/raw.rs",
        "message.",
        "the parser of TOML says what it misses in words alone",
    ),
    ("crates/engine/src/ruleset/raw.rs", "line.", "a line that the author wrote"),
    (
        "crates/engine/src/ruleset/charts.rs",
        "text.strip_suffix(\"or more\")",
        "a row that the author wrote",
    ),
    (
        "crates/engine/src/ruleset/charts.rs",
        "text.strip_suffix(\"or less\")",
        "a row that the author wrote",
    ),
];

/// The name a method is called on: `message` in `fault.message.find(`, `plain` in `text.plain(80).find(`.
fn receiver(before: &str) -> &str {
    let mut end = before.trim_end_matches('?');
    if end.ends_with(')') {
        let mut depth = 0;
        let open = end.char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == ')') - i32::from(*c == '(');
            depth == 0
        });
        end = &end[..open.map_or(0, |(at, _)| at)];
    }
    let name = |c: char| c.is_alphanumeric() || c == '_';
    &end[end.rfind(|c| !name(c)).map_or(0, |at| at + 1)..]
}

/// Text read back is a reading method on a name of rendered text, or one that looks for a sentence: words with a
/// blank between them. A machine cannot see more; where a text has another name, only a reader can tell.
#[test]
fn nothing_reads_back_what_was_rendered() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        // A chain of calls is one line.
        let code = code(&text);
        let joined: Vec<&str> = code.lines().map(str::trim).collect();
        let joined = joined.join("\n").replace("\n.", ".");
        for line in joined.lines() {
            for method in READS {
                for (at, _) in line.match_indices(&format!(".{method}(")) {
                    let argument = &line[at + method.len() + 2..];
                    let literal = argument.strip_prefix('"').and_then(|a| a.split('"').next());
                    let sentence = literal.is_some_and(|l| l.trim().contains(' '));
                    if sentence || RENDERED.contains(&receiver(&line[..at])) {
                        found.push((file.clone(), line.to_owned()));
                    }
                }
            }
        }
    }
    found.dedup();
    found.retain(|(file, line)| {
        !READ_RIGHTLY.iter().any(|(f, read, _)| f == file && line.contains(read))
    });
    let shown: Vec<String> = found.iter().map(|(file, line)| format!("{file}: {line}")).collect();
    assert!(found.is_empty(), "rendered text is read back:\n{}", shown.join("\n"));
}

/// No error is bare text.
#[test]
fn errors_are_typed() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        let code = code(&text);
        // A signature may be broken over lines: what is looked for is its end.
        let bare = code.lines().filter(|line| {
            line.contains("Result<") && line.contains(", String>") || line.trim() == "String,"
        });
        found.extend(bare.map(|line| format!("{file}: {}", line.trim())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// No doc comment begins like a question.
#[test]
fn doc_comments_say_what_a_thing_is_or_returns() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            let doc = |line: &str| line.starts_with("///") || line.starts_with("//!");
            let words = line.trim().trim_start_matches(['/', '!']).trim_start();
            let asks =
                ["What ", "How ", "Whether ", "So many "].iter().any(|w| words.starts_with(w));
            if asks && doc(line.trim()) && !doc(before) {
                found.push(format!("{file}:{}: {words}", number + 1));
            }
            before = line.trim();
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A suite that is not in `main.rs` would never run.
#[test]
fn every_suite_is_in_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !matches!(name.as_str(), "main" | "snapshots") {
            assert!(main.contains(&format!("mod {name};\n")), "`{name}` is not in `main.rs`");
        }
    }
}

/// A comparison with one grid would silently treat a new one like all others.
#[test]
fn grids_are_matched_exhaustively() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        // The name of a grid of hexes is read there: squares have none.
        let code = code(&text).replace("*grid != Grid::Square && grid.name()", "");
        for (index, line) in code.lines().enumerate() {
            if ["== Grid::", "!= Grid::"].iter().any(|comparison| line.contains(comparison)) {
                found.push(format!("{file}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "use a `match` or `Grid::is_hexes`:\n{}", found.join("\n"));
}
