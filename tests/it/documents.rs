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
