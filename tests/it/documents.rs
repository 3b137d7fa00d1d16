//! The documents for whoever carries on name files of the project: each is there.

use crate::kit::path;

#[test]
fn every_file_that_is_named_is_there() {
    let mut missing = Vec::new();
    for document in ["CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "README.md"] {
        let text = std::fs::read_to_string(path(document)).unwrap();
        for named in text.split('`').skip(1).step_by(2) {
            let ours = ["src/", "crates/", "tests/", "docs/", "rulesets/", "fuzz/", ".ci/"];
            let sample = named.contains(|c: char| c.is_whitespace() || c.is_uppercase());
            if ours.iter().any(|o| named.starts_with(o)) && !sample && !path(named).exists() {
                missing.push(format!("{document}: {named}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Prose is wrapped at 100 columns. Code, tables, and lines that are only a link or a code span can be longer.
#[test]
fn prose_is_wrapped_at_100_columns() {
    let folders = ["", "docs", "docs/decisions", "docs/examples", "docs/games"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(path(folder)).unwrap());
    let mut pages: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    assert!(pages.len() > 40, "{pages:?}");
    let mut too_long = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut is_in_code = false;
        for (index, line) in text.lines().enumerate() {
            let words = line.trim();
            is_in_code ^= words.starts_with("```");
            let is_code = is_in_code || line.starts_with("    ");
            let is_one_part =
                words.starts_with("![") || words.starts_with('`') && words.ends_with('`');
            let is_exempt = is_code || is_one_part || words.starts_with('|');
            if !is_exempt && line.chars().count() > 100 {
                too_long.push(format!("{}:{}", page.display(), index + 1));
            }
        }
    }
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}

#[test]
fn the_books_of_the_games_are_in_words() {
    for (game, words) in [
        ("blitz", "each area with fire above 0 and that was not lit in this step"),
        ("tarr", "it is the turn of the"),
        ("firefight", "at most the value in the chart"),
        ("house-clearing", "only the second man of a gun"),
        ("mtb", "is in action"),
    ] {
        let ruleset = adjutant_engine::ruleset::load(adjutant::shipped::files(game).unwrap());
        let ruleset = ruleset.unwrap_or_else(|faulty| panic!("{:?}", faulty.faults));
        let text =
            adjutant_engine::render::paper::game_book(&std::sync::Arc::new(ruleset)).plain(120);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "no `{words}` in the book of {game}");
        assert!(!text.contains("REACHED BY NOTHING"), "{game}");
    }
}

/// The names of the records of a journal, read from their definition, so that a new one can't be left out.
pub fn record_names() -> Vec<String> {
    let source = include_str!("../../crates/engine/src/session/record.rs");
    let (_, after) = source.split_once("pub enum Record {").unwrap();
    let (variants, _) = after.split_once("\n}").unwrap();
    let lines = variants.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let variants = lines.filter_map(|line| Some(line.split_once('(')?.0));
    let kebab = |variant: &str| {
        let mut name = String::new();
        for c in variant.chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.extend(c.to_lowercase());
        }
        name
    };
    let names: Vec<String> = variants.map(kebab).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

#[test]
fn every_record_of_the_journal_is_described() {
    let document = include_str!("../../docs/sessions.md");
    for name in record_names() {
        let row = document.lines().any(|line| {
            let first = line.split('|').nth(1).unwrap_or_default();
            first.contains(&format!("`{name}`"))
        });
        assert!(row, "docs/sessions.md doesn't describe the record `{name}`");
    }
}
