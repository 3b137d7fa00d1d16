//! Topics of lines: places in the rules, phases, values and words of the console, each with the line
//! that shows or does it. A typed line is about the topics whose texts have its rarer words.
//! Nothing is tried on the table here, and nothing is proposed.

use std::collections::BTreeSet;

use super::play::Play;
use super::question_words::stem;
use super::questions;
use super::text_index::{IndexedText, TextIndex};
use crate::command;

/// Words that say nothing about the subject of a line.
const LITTLE: [&str; 32] = [
    "need", "needs", "they", "them", "their", "then", "than", "this", "that", "from", "with",
    "when", "some", "again", "another", "does", "should", "would", "could", "must", "allowed",
    "says", "mean", "means", "what", "which", "turn", "about", "into", "only", "rule", "rules",
];

/// Something that a line may be about.
pub(super) struct Topic {
    /// The line that shows it or does it.
    pub line: String,
    /// Its title, or the effect of the line; may be empty.
    pub title: String,
    /// The stems of the words of its names and its title.
    heading: BTreeSet<String>,
    /// The stems of the words of its other texts.
    text: BTreeSet<String>,
    /// The minimum number of words of its heading that a line about it has.
    min_words: usize,
}

impl Topic {
    /// Returns a topic with the words of these headings and of these other texts.
    pub(super) fn new<'t>(
        line: String,
        title: &str,
        headings: impl IntoIterator<Item = &'t str>,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Topic {
        let heading = headings.into_iter().flat_map(stems).collect();
        let text = texts.into_iter().flat_map(stems).collect();
        Topic { line, title: title.to_owned(), heading, text, min_words: 0 }
    }

    /// Returns the topic if lines about it have at least this many words of its heading.
    pub(super) fn with_min_words(self, min_words: usize) -> Topic {
        Topic { min_words, ..self }
    }

    /// Returns the topic as text: its line in code style, and its title.
    pub(super) fn in_words(&self) -> String {
        match self.title.as_str() {
            "" => format!("`{}`", self.line),
            title => format!("`{}` ({title})", self.line),
        }
    }
}

/// Returns the stems of the words of a text.
fn stems(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| stem(&word.to_lowercase()).to_owned()).collect()
}

/// Returns the stems of the words with at least this many letters that say what a line is about.
pub(super) fn subject_stems<'w>(
    play: &Play,
    words: &'w [String],
    min_letters: usize,
) -> BTreeSet<&'w str> {
    let table = play.session.table();
    let is_subject = |word: &&String| {
        word.chars().count() >= min_letters
            && !LITTLE.contains(&word.as_str())
            && !questions::QUESTION_WORDS.contains(&word.as_str())
            && !command::is_common_word(word)
            && command::find_spoken(table, word).is_none()
    };
    words.iter().filter(is_subject).map(|word| stem(word)).collect()
}

/// Returns the likeliest topics of a line with these stems, the likeliest first. Topics that match much
/// less well than the first are left out, because they only take up the umpire's time.
pub(super) fn likeliest(topics: Vec<Topic>, asked: &BTreeSet<&str>) -> Vec<Topic> {
    let text = |(group, topic): (usize, &Topic)| IndexedText {
        group,
        words: topic.text.iter().cloned().collect(),
        headings: topic.heading.clone(),
        ..IndexedText::default()
    };
    let index = TextIndex::new(topics.iter().enumerate().map(text).collect());
    let asked_words = index.asked(asked.iter().copied());
    let headed = |topic: &Topic| asked.iter().filter(|one| topic.heading.contains(**one)).count();
    let mut ranked = index.ranked(&asked_words);
    ranked.retain(|(at, _)| headed(&topics[*at]) >= topics[*at].min_words);
    let best = ranked.first().map_or(0.0, |(_, fit)| fit.weight);
    ranked.retain(|(_, fit)| fit.weight * 2.0 > best);
    let mut topics: Vec<Option<Topic>> = topics.into_iter().map(Some).collect();
    ranked.into_iter().filter_map(|(at, _)| topics[at].take()).collect()
}
