//! Captions of pieces with names such as `x2`: a reader of a report who wasn't there doesn't know what they are.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::names::proper_name;
use crate::render::looks;
use crate::render::view::View;

/// The words by which players know pieces, by name. Only pieces whose names contain a digit have some: `Stark` needs none.
pub(super) type Captions = IndexMap<String, String>;

/// Adds the captions of the pieces in a view that have none yet.
pub(super) fn collect(view: &View<'_>, captions: &mut Captions) {
    let kinds = view.referee.ruleset().schema.piece_kinds().filter(|(_, kind)| !kind.plan);
    for (kind, _) in kinds {
        for row in view.table.present_pieces(kind) {
            let name = view.table.piece_name(kind, row);
            if !name.contains(|c: char| c.is_ascii_digit()) || captions.contains_key(&name) {
                continue;
            }
            if let Some(caption) = looks::caption(view, kind, row) {
                captions.insert(name, in_a_sentence(&caption));
            }
        }
    }
}

/// Returns the first part of a title, in lower case unless it contains a name or an abbreviation: `long cart` for
/// `Long Cart, two horses`, but `Bren D` and `K-9`.
fn in_a_sentence(title: &str) -> String {
    let short = title.split(',').next().unwrap_or_default();
    let is_ordinary = |word: &str| {
        let mut letters = word.chars().skip(1).peekable();
        letters.peek().is_some_and(|second| second.is_lowercase())
            && letters.all(|c| c.is_lowercase() || c == '-')
    };
    if short.split(' ').all(is_ordinary) { short.to_lowercase() } else { short.to_owned() }
}

/// Returns a sentence with the caption after each name that is in no list and not in `introduced`:
/// `x2 (German, cook) killed a10 (baker)`.
pub(super) fn introduce<'c>(
    sentence: &str,
    captions: &'c Captions,
    introduced: &mut HashSet<&'c str>,
) -> String {
    let mut told = sentence.to_owned();
    for (name, caption) in captions {
        if introduced.contains(name.as_str()) {
            continue;
        }
        let shown = proper_name(name);
        let Some(at) = find_word(&told, &shown) else { continue };
        let end = at + shown.len();
        let is_listed = ["and ", ", ", "by "].iter().any(|word| told[..at].ends_with(word))
            || told[end..].starts_with(" and ")
            || told[end..].starts_with(", ");
        if is_listed {
            continue;
        }
        introduced.insert(name);
        // A side may be there already.
        match told[end..].strip_prefix(" (").and_then(|rest| rest.find([',', ')'])) {
            Some(length) => told.insert_str(end + 2 + length, &format!(", {caption}")),
            None => told.insert_str(end, &format!(" ({caption})")),
        }
    }
    told
}

/// Returns the position of a name in a text, as a whole word.
fn find_word(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    text.match_indices(name).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentences: &[&str]) -> Vec<String> {
        let captions = [("x2", "cook"), ("a1", "smith"), ("a10", "baker")];
        let captions: Captions =
            captions.map(|(name, words)| (name.to_owned(), words.to_owned())).into();
        let mut introduced = HashSet::new();
        sentences.iter().map(|words| introduce(words, &captions, &mut introduced)).collect()
    }

    #[test]
    fn a_name_outside_a_list_is_explained_once() {
        let sentences = told(&["x2 (German) killed a10.", "x2 killed a1 and a10.", "a1 fell."]);
        let expected =
            ["x2 (German, cook) killed a10 (baker).", "x2 killed a1 and a10.", "a1 (smith) fell."];
        assert_eq!(sentences, expected);
    }

    #[test]
    fn who_did_it_follows_what_it_is() {
        assert_eq!(told(&["a1 (American, by x2)."]), ["a1 (American, smith, by x2)."]);
    }

    #[test]
    fn ordinary_titles_are_small_in_a_sentence() {
        let titles = ["Long-legged Cart, two horses", "Bren D", "K-9", "KG", "cook"];
        let told = titles.map(in_a_sentence);
        assert_eq!(told, ["long-legged cart", "Bren D", "K-9", "KG", "cook"]);
    }
}
