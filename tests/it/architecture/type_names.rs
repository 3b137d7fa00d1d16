//! A name of a type occurs once in the workspace, so that a reader knows which is meant.

use std::collections::BTreeMap;

use super::{code, sources};

/// Names that several types have, each with the reason.
const SHARED: [(&str, &str); 3] = [
    ("Arguments", "each subcommand of the command line has a type of this name"),
    ("Result", "the usual alias, with the error of a module"),
    ("Word", "a word of the console, and the same with the type of its function"),
];

/// Returns the type that a line defines, if it does. A type that belongs to a trait or to its implementation is none.
pub(super) fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next()?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait")
        || keyword == "type" && !line.starts_with(' ');
    let name = words.next().filter(|_| is_type)?;
    Some(&name[..name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len())])
}

/// The files that define a type of each name.
fn definitions() -> BTreeMap<String, Vec<String>> {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in sources() {
        for name in code(&text).lines().filter_map(defined) {
            definitions.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    definitions
}

#[test]
fn type_names_occur_once() {
    let definitions = definitions();
    let mut wrong = Vec::new();
    for (name, files) in &definitions {
        if files.len() > 1 && !SHARED.iter().any(|(shared, _)| shared == name) {
            wrong.push(format!("{name}: {}", files.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "these types need names of their own:\n{}", wrong.join("\n"));
}
