//! Everything that is printed for other programs is a struct, and `docs/json.md` describes it.

use std::collections::BTreeSet;

use super::type_names::defined;
use super::{code, sources};
use crate::json::answers;

/// Files in which JSON is built by hand, each with the reason.
const BUILT_BY_HAND: [(&str, &str); 3] = [
    ("crates/engine/src/render/json.rs", "schemas"),
    ("crates/engine/src/ruleset/format/schema.rs", "schemas for editors"),
    ("crates/engine/src/session/head.rs", "the text whose hash is a head"),
];

#[test]
fn no_answer_is_built_by_hand() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        if code(&text).contains("json!(") && !BUILT_BY_HAND.iter().any(|(f, _)| *f == file) {
            found.push(file);
        }
    }
    assert!(found.is_empty(), "these answers need structs:\n{}", found.join("\n"));
}

/// Returns the types that derive a schema, and those whose keys become keys of another.
fn types_with_schemas() -> (Vec<String>, BTreeSet<String>) {
    let mut types = Vec::new();
    let mut flattened = BTreeSet::new();
    for (_, text) in sources() {
        let code = code(&text);
        let mut lines = code.lines().map(str::trim);
        let mut has_schema = false;
        while let Some(line) = lines.next() {
            has_schema |= line.starts_with("#[derive(") && line.contains("JsonSchema");
            if let Some(name) = defined(line) {
                if std::mem::take(&mut has_schema) {
                    types.push(name.to_owned());
                }
            } else if line == "#[serde(flatten)]" {
                let field = lines.next().unwrap_or_default();
                let mut words =
                    field.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
                flattened.extend(words.next_back().map(str::to_owned));
            }
        }
    }
    (types, flattened)
}

/// An answer that is printed, but isn't in a list of answers, isn't described anywhere.
#[test]
fn every_type_with_a_schema_is_part_of_an_answer() {
    let answers = answers();
    let described: BTreeSet<&str> = answers
        .iter()
        .flat_map(|answer| {
            let title = answer.schema["title"].as_str();
            let within = answer.schema["$defs"].as_object().into_iter().flat_map(|all| all.keys());
            title.into_iter().chain(within.map(String::as_str))
        })
        .collect();
    let (types, flattened) = types_with_schemas();
    assert!(types.len() > answers.len(), "{types:?}");
    let missing: Vec<&String> = types
        .iter()
        .filter(|name| !described.contains(name.as_str()) && !flattened.contains(*name))
        .collect();
    assert!(
        missing.is_empty(),
        "these types derive `JsonSchema`, but belong to no answer in `adjutant::cli::answers`, or in the `answering` of a \
         word: {missing:?}"
    );
}
