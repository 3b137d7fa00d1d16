//! The texts of a ruleset with an index of their words, for the searches of one console.

use std::collections::BTreeSet;

use super::text_index::{self, IndexedText, TextIndex};
use crate::render::paper::passages::{self, RuleSection};
use crate::ruleset::Ruleset;

/// The texts of the rules, and their index.
#[derive(Debug)]
pub(super) struct RuleLibrary {
    pub sections: Vec<RuleSection>,
    pub index: TextIndex,
    /// For each text of the index, the index of its section, and of its passage in the section.
    pub texts: Vec<(usize, Option<usize>)>,
}

impl RuleLibrary {
    pub(super) fn of(ruleset: &Ruleset) -> RuleLibrary {
        let sections = passages::sections(ruleset);
        let mut texts = Vec::new();
        let mut indexed = Vec::new();
        for (group, section) in sections.iter().enumerate() {
            let entry = IndexedText {
                group,
                words: Vec::new(),
                headings: stems_of(&section.headings),
                synonyms: stems_of(&section.synonyms),
                context: stems_of(section.passages.iter().map(|one| &one.text)),
            };
            // Without a passage, only the headings are searched.
            if section.passages.is_empty() {
                texts.push((group, None));
                indexed.push(entry.clone());
            }
            for (at, passage) in section.passages.iter().enumerate() {
                texts.push((group, Some(at)));
                let words = text_index::stems(&passage.text);
                indexed.push(IndexedText { words, ..entry.clone() });
            }
        }
        RuleLibrary { sections, index: TextIndex::new(indexed), texts }
    }
}

/// Returns the stems of the words of several texts.
pub(super) fn stems_of<'t>(texts: impl IntoIterator<Item = &'t String>) -> BTreeSet<String> {
    texts.into_iter().flat_map(|text| text_index::stems(text)).collect()
}
