//! Rules, tables and options whose texts have the words of a question in them: `can a routed lot
//! fire`. Nothing is answered here; the umpire is told where to look.

use std::collections::BTreeSet;

use super::play::Play;
use super::question_words::stem;
use super::questions;
use crate::command;
use crate::render::table::Listing;

/// The maximum number of places named.
const MAX_PLACES: usize = 3;

/// The minimum number of letters in a word that says what a question is about.
const MIN_LETTERS: usize = 4;

/// Words that say nothing about the subject of a question.
const LITTLE: [&str; 30] = [
    "need", "needs", "they", "them", "their", "then", "than", "this", "that", "from", "with",
    "when", "some", "again", "another", "does", "should", "would", "could", "must", "allowed",
    "says", "mean", "means", "what", "which", "turn", "about", "into", "only",
];

/// A place in the rules.
struct RulePlace {
    /// The line that shows it.
    line: String,
    title: String,
    /// The stems of the words of its name and its title.
    heading: BTreeSet<String>,
    /// The stems of the words of its other texts.
    text: BTreeSet<String>,
}

impl RulePlace {
    fn new(line: String, title: &str, name: &str, texts: &[&str]) -> RulePlace {
        let stems = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(|word| stem(&word.to_lowercase()).to_owned()).collect::<Vec<_>>()
        };
        let heading = [name, title].into_iter().flat_map(stems).collect();
        let text = texts.iter().flat_map(|text| stems(text)).collect();
        RulePlace { line, title: title.to_owned(), heading, text }
    }

    fn has(&self, stem: &str) -> bool {
        self.heading.contains(stem) || self.text.contains(stem)
    }
}

/// Returns all places in the rules of the game: the rules, the other tables and the options.
fn places(play: &Play) -> Vec<RulePlace> {
    let ruleset = play.referee().ruleset();
    let rules = ruleset.schema.rules.iter().map(|rule| {
        let line = format!("rule {}", rule.name);
        RulePlace::new(line, &rule.title, &rule.name, &[&rule.reads, &rule.note])
    });
    let tables = Listing::all(ruleset).filter_map(|(name, listing)| {
        let line = format!("table {name}");
        match listing {
            // The rule is a place of its own.
            Listing::Rows(_) => None,
            Listing::Chart(chart) => {
                let chart = &ruleset.schema.charts[chart.index()];
                Some(RulePlace::new(line, &chart.title, name, &[&chart.note]))
            }
            Listing::List(kind) => {
                Some(RulePlace::new(line, &ruleset.schema.kind(kind).plural, name, &[]))
            }
        }
    });
    let options = ruleset.options().iter().map(|option| {
        let title = option.title.as_deref().unwrap_or_default();
        // A list of the options shows its name.
        let shown = if title.is_empty() { &option.name } else { title };
        RulePlace::new("option".to_owned(), shown, &option.name, &[])
    });
    rules.chain(tables).chain(options).collect()
}

/// Returns help that names the rules which a question may be about, the likeliest first. Returns
/// `None` if no rule has the rarer words of the question in its texts.
pub(super) fn help(play: &Play, words: &[String]) -> Option<String> {
    let table = play.session.table();
    let is_subject = |word: &&String| {
        word.chars().count() >= MIN_LETTERS
            && !LITTLE.contains(&word.as_str())
            && !questions::QUESTION_WORDS.contains(&word.as_str())
            && !command::is_common_word(word)
            && command::find_spoken(table, word).is_none()
    };
    let asked: BTreeSet<&str> = words.iter().filter(is_subject).map(|word| stem(word)).collect();
    let places = places(play);
    // A word that few places have says more. In a heading, it says more than elsewhere.
    let weighed: Vec<(&str, u32)> = asked
        .iter()
        .filter_map(|word| {
            let count = places.iter().filter(|place| place.has(word)).count();
            Some((*word, places.len().checked_div(count)?.checked_ilog2()? + 1))
        })
        .collect();
    let score = |place: &RulePlace| {
        let of_word =
            |(word, weight): &(&str, u32)| match (place.heading.contains(*word), place.has(word)) {
                (true, _) => weight * 2,
                (false, true) => *weight,
                (false, false) => 0,
            };
        weighed.iter().map(of_word).sum::<u32>()
    };
    let mut scored: Vec<(u32, &RulePlace)> =
        places.iter().map(|place| (score(place), place)).collect();
    scored.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let best = scored.first().map(|(points, _)| *points).filter(|points| *points > 0)?;
    // Places that match much less well only take up the umpire's time.
    let likely = scored.into_iter().take_while(|(points, _)| *points * 2 > best);
    let likely: Vec<String> = likely
        .take(MAX_PLACES)
        .map(|(_, place)| match place.title.as_str() {
            "" => format!("`{}`", place.line),
            title => format!("`{}` ({title})", place.line),
        })
        .collect();
    Some(format!("see {}", likely.join(", ")))
}
