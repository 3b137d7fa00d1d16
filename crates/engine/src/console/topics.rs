//! Topics of lines: places in the rules, phases, values and words of the console, each with the line
//! that shows or does it. A typed line is about the topics whose texts have its rarer words.
//! Nothing is tried on the table here, and nothing is proposed.

use std::collections::BTreeSet;

use super::play::Play;
use super::question_words::stem;
use super::questions;
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

    fn has(&self, stem: &str) -> bool {
        self.heading.contains(stem) || self.text.contains(stem)
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

/// Returns the likeliest topics of a line with these stems, the likeliest first. A stem that few topics
/// have says more; in a heading, it says more than elsewhere. Topics that match much less well than the
/// first are left out, because they only take up the umpire's time.
pub(super) fn likeliest(topics: Vec<Topic>, asked: &BTreeSet<&str>) -> Vec<Topic> {
    let weighed: Vec<(&str, u32)> = asked
        .iter()
        .filter_map(|word| {
            let count = topics.iter().filter(|topic| topic.has(word)).count();
            Some((*word, topics.len().checked_div(count)?.checked_ilog2()? + 1))
        })
        .collect();
    let points_of = |topic: &Topic| {
        let headed = weighed.iter().filter(|(word, _)| topic.heading.contains(*word)).count();
        if headed < topic.min_words {
            return 0;
        }
        let of_word =
            |(word, weight): &(&str, u32)| match (topic.heading.contains(*word), topic.has(word)) {
                (true, _) => weight * 2,
                (false, true) => *weight,
                (false, false) => 0,
            };
        weighed.iter().map(of_word).sum::<u32>()
    };
    let mut scored: Vec<(u32, Topic)> =
        topics.into_iter().map(|topic| (points_of(&topic), topic)).collect();
    scored.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let best = scored.first().map_or(0, |(points, _)| *points);
    let likely = scored.into_iter().take_while(|(points, _)| points * 2 > best);
    likely.map(|(_, topic)| topic).collect()
}
