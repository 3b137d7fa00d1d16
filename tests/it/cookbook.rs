//! The cookbook is true: each recipe, put behind the game it begins with unless it is a game of its own, loads and
//! checks, and prints what it says.

use crate::kit::{Table, blocks, faults, file, path, shown};

/// The recipes with their headings; the first is the game that all of them begin with.
fn recipes(book: &str) -> Vec<(&str, &str)> {
    let parts = book.split("\n## ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

#[test]
fn every_recipe_of_the_cookbook_works() {
    let place = path("docs/cookbook.md");
    let book = std::fs::read_to_string(&place).unwrap();
    let mut written = book.clone();
    let recipes = recipes(&book);
    let base = blocks(recipes[0].1, "toml").concat();
    assert!(recipes.len() > 15, "only {} recipes", recipes.len());
    for (title, text) in &recipes {
        let own = blocks(text, "toml").concat();
        assert!(!own.is_empty() && !blocks(text, "console").is_empty(), "{title}");
        let rules = if own.contains("[game]") { own } else { format!("{base}\n{own}") };
        let mut wrong = faults(vec![file("recipe.toml", rules.as_str())]);
        // A recipe is of no book, and what it prints is its example.
        wrong.retain(|(fault, _)| !["no-cite", "no-example"].contains(&fault.code));
        assert!(wrong.is_empty(), "{title}:\n{}", shown(&wrong));
        for block in blocks(text, "console") {
            let files = [file("recipe.toml", rules.as_str())];
            let printed = Table::by("recipe", &files, "", "cook").retype(block);
            // The same lines may stand in a recipe before.
            let at = written.find(&format!("\n## {title}\n")).unwrap();
            let behind = written[at..].replacen(block, &format!("{}\n", printed.trim_end()), 1);
            written.replace_range(at.., &behind);
        }
    }
    // `UPDATE_BOOK=1 cargo test --test it cookbook::` writes what is printed into the book, to be read over.
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&place, &written).unwrap();
    }
    assert!(book == written || std::env::var_os("UPDATE_BOOK").is_some(), "{written}");
}
