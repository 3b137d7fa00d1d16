//! A name of a type occurs once in the workspace, so that a reader knows which is meant.

use std::collections::BTreeMap;

use super::{code, sources};

/// Names that several types have, each with the reason.
const SHARED: [(&str, &str); 22] = [
    ("Action", "what an umpire does, and what a subcommand of `sessions` or `simulate` does"),
    ("Arguments", "each subcommand of the command line has a type of this name"),
    ("Asked", "a command a player asks about, and the words of `show`"),
    ("Chart", "a table of a rule book, and a picture of numbers turn by turn"),
    ("Clock", "the clock of a game, and what the players' screen shows of it"),
    ("Dice", "the dice of a command, and the value of the option `--dice`"),
    ("Difference", "between two plans, and between a journal and what follows from it"),
    ("Document", "what a view makes, and the JSON of a game"),
    ("Ended", "how a subcommand ended, and how a pipe did"),
    ("Found", "what was found out about a command, about a journal, and on disk"),
    ("Frame", "a call of the machine, and the first keys of a line of the journal"),
    ("Keys", "what dice are made of, and what opens the pages of players"),
    ("LineError", "of a line that was typed, and of a line of a journal"),
    ("Lines", "of a journal, and of a pipe"),
    ("Misfit", "of a line with a usage, and of a table with changed rules"),
    ("Odds", "of a verb, and of one throw"),
    ("Read", "a function that reads a line, and a journal that was read"),
    ("Result", "the usual alias, with the error of a module"),
    ("Run", "of the machine, and the function of a word of the console"),
    ("Thrown", "dice with their odds, and dice that players threw"),
    ("Which", "changes that are put into words, and kinds of files"),
    ("Word", "a word of the console, and the same with the type of its function"),
];

/// Returns the type that a line defines, if it does. A type that belongs to a trait or to its implementation is none.
fn defined(line: &str) -> Option<&str> {
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
