//! An index that ranks texts by the words that they share with a question.
//!
//! The weight of a text is BM25F, as in Robertson and Zaragoza, "The Probabilistic Relevance Framework:
//! BM25 and Beyond" (2009), section 3.6: a word counts for more if few texts have it, if it is in a heading,
//! and if the text is short. The words are compared by their stems, which the Snowball stemmer for English
//! finds (<https://snowballstem.org/algorithms/english/stemmer.html>).

use std::collections::{BTreeMap, BTreeSet};

use rust_stemmers::{Algorithm, Stemmer};

/// The number of occurrences after which a word hardly counts for more: `k1` of BM25.
const SATURATION: f64 = 1.2;

/// The degree to which a long text counts for less than a short one: `b` of BM25.
const LENGTH: f64 = 0.4;

/// The length of the shortest texts, compared with the mean length. Shorter ones count as this long,
/// because a few words alone don't answer a question.
const MIN_LENGTH: f64 = 0.7;

/// The weight of a word in another form of the question, such as a synonym.
const SYNONYM: f64 = 0.6;

/// The weight of a number, which is in many texts that have nothing to do with each other.
const NUMBER: f64 = 0.5;

/// The added weight of two neighbouring words of a question that are also neighbours in a text, as a
/// part of the weight of the rarer one.
const NEIGHBOURS: f64 = 0.5;

/// The maximum distance between two words of a text that are neighbours.
const MAX_DISTANCE: usize = 3;

/// Words that say nothing about the subject of a text.
const LITTLE: [&str; 183] = [
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "there",
    "here",
    "it",
    "its",
    "he",
    "him",
    "his",
    "she",
    "her",
    "they",
    "them",
    "their",
    "i",
    "me",
    "my",
    "we",
    "us",
    "our",
    "you",
    "your",
    "who",
    "whom",
    "whose",
    "which",
    "what",
    "whats",
    "when",
    "where",
    "why",
    "how",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "am",
    "do",
    "does",
    "did",
    "done",
    "doing",
    "has",
    "have",
    "had",
    "having",
    "can",
    "can't",
    "cant",
    "could",
    "may",
    "might",
    "must",
    "shall",
    "should",
    "will",
    "would",
    "isn't",
    "isnt",
    "aren't",
    "wasn't",
    "doesn't",
    "doesnt",
    "don't",
    "dont",
    "didn't",
    "didnt",
    "won't",
    "to",
    "of",
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "with",
    "as",
    "and",
    "or",
    "but",
    "if",
    "then",
    "than",
    "so",
    "into",
    "now",
    "please",
    "tell",
    "say",
    "says",
    "said",
    "again",
    "some",
    "any",
    "also",
    "just",
    "really",
    "about",
    "s",
    "t",
    "mean",
    "means",
    "rule",
    "rules",
    "book",
    "not",
    "no",
    "yes",
    "only",
    "still",
    "yet",
    "ever",
    "many",
    "much",
    "long",
    "often",
    "happen",
    "happens",
    "happened",
    "happening",
    "work",
    "works",
    "get",
    "gets",
    "getting",
    "got",
    "way",
    "know",
    "want",
    "wants",
    "like",
    "well",
    "go",
    "goes",
    "going",
    "gone",
    "thing",
    "things",
    "anything",
    "something",
    "anybody",
    "anyone",
    "somebody",
    "everything",
    "all",
    "each",
    "every",
    "other",
    "others",
    "more",
    "most",
    "else",
    "one",
    "same",
    "actually",
    "explain",
    "describe",
    "show",
    "find",
    "look",
    "make",
    "makes",
    "need",
    "needs",
    "let",
    "lets",
    "try",
    "ok",
    "okay",
    "supposed",
    "allowed",
    "able",
    "use",
    "used",
];

/// Words that mean nearly the same to players of most games. A ruleset declares its own synonyms.
const ALIKE: [&[&str]; 22] = [
    &["shoot", "shot", "fire"],
    &["move", "movement", "walk", "march"],
    &["men", "man", "troops", "soldier", "figure", "infantry"],
    &["ship", "vessel", "boat"],
    &["plane", "aircraft"],
    &["vehicle", "car", "lorry", "truck"],
    &["dead", "killed", "die", "destroyed"],
    &["hurt", "injured"],
    &["extinguish", "out", "douse"],
    &["burn", "blaze"],
    &["hidden", "hide", "concealed"],
    &["distance", "range", "far", "reach"],
    &["see", "sight", "visible", "spot"],
    &["chance", "odds", "probability", "likely", "roll"],
    &["start", "begin"],
    &["end", "finish"],
    &["modifier", "bonus", "penalty"],
    &["melee", "hand-to-hand"],
    &["win", "victory"],
    &["fast", "speed", "quick"],
    &["house", "building"],
    &["sight", "seen"],
];

/// Returns the stems of the words of a text, in order.
pub(super) fn stems(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let lower = text.to_lowercase().replace('’', "'");
    let mut stems = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-') {
        let parts = word.split('-').map(|part| part.trim_matches('\''));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        stems.extend(parts.iter().map(|part| stemmer.stem(part).into_owned()));
        // `flame-thrower` is also written as one word.
        if parts.len() > 1 {
            stems.push(stemmer.stem(&parts.concat()).into_owned());
        }
    }
    stems
}

/// Returns true if a word says nothing about the subject of a text.
pub(super) fn is_little(word: &str) -> bool {
    LITTLE.contains(&word)
}

/// A text with its headings.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexedText {
    /// The number of the group of texts to which it belongs. The groups are counted when the rarity of a
    /// word is measured.
    pub group: usize,
    /// The stems of its words in order.
    pub words: Vec<String>,
    /// The stems of the words of its headings.
    pub headings: BTreeSet<String>,
    /// The stems of the words of other phrases for its headings.
    pub synonyms: BTreeSet<String>,
    /// The stems of the words around it.
    pub context: BTreeSet<String>,
}

/// A word of a question.
#[derive(Clone, Debug)]
struct AskedWord {
    /// The stem, and the stems that mean nearly the same, with their weights.
    forms: Vec<(String, f64)>,
    /// The rarity of the word, which is its share in the question.
    rarity: f64,
}

/// The words of a question that say something about its subject.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    words: Vec<AskedWord>,
}

/// The fit of a text to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Fit {
    /// The weight, which grows with the number of shared words.
    pub weight: f64,
    /// The part of the question, weighed by the rarity of its words, that is in the text, its headings or,
    /// to a lesser degree, around it; 0 to 1.
    pub covered: f64,
    /// The part of the question that is in the text without its headings.
    pub covered_by_text: f64,
}

/// Texts that can be ranked.
#[derive(Debug)]
pub(super) struct TextIndex {
    texts: Vec<IndexedText>,
    /// The number of groups that have a stem.
    counts: BTreeMap<String, usize>,
    groups: usize,
    mean_length: f64,
}

/// The weights of a word in a text, in its headings, in other phrases for them, and around it.
const IN_TEXT: f64 = 1.0;
const IN_HEADINGS: f64 = 1.3;
const IN_SYNONYMS: f64 = 0.5;
const IN_CONTEXT: f64 = 0.3;

/// The part of a word that is covered if it is only in another phrase for a heading, or only around the text.
const COVERED_BY_SYNONYM: f64 = 0.6;
const COVERED_BY_CONTEXT: f64 = 0.25;

impl TextIndex {
    pub(super) fn new(texts: Vec<IndexedText>) -> TextIndex {
        let mut with_stem: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut groups = BTreeSet::new();
        for text in &texts {
            groups.insert(text.group);
            let headings = text.headings.iter().chain(&text.synonyms);
            let all = text.words.iter().chain(headings).chain(&text.context);
            for stem in all {
                with_stem.entry(stem).or_default().insert(text.group);
            }
        }
        let counts = with_stem.into_iter().map(|(stem, of)| (stem.to_owned(), of.len())).collect();
        let length: usize = texts.iter().map(|text| text.words.len()).sum();
        let mean_length = (length as f64 / texts.len().max(1) as f64).max(1.0);
        TextIndex { counts, groups: groups.len(), mean_length, texts }
    }

    /// Returns the rarity of a stem: its inverse document frequency. A stem that no text has is as rare
    /// as one in a single text.
    fn rarity(&self, stem: &str) -> f64 {
        let count = self.counts.get(stem).copied().unwrap_or(1) as f64;
        ((self.groups as f64 - count + 0.5) / (count + 0.5) + 1.0).ln()
    }

    fn has(&self, stem: &str) -> bool {
        self.counts.contains_key(stem)
    }

    /// Reads the words of a question. `synonyms` returns the words of the ruleset that a word can stand
    /// for.
    pub(super) fn read(&self, words: &[String], synonyms: &dyn Fn(&str) -> Vec<String>) -> Asked {
        let mut asked: Vec<AskedWord> = Vec::new();
        for word in words.iter().flat_map(|word| word.split(['-', '/', ',', '.'])) {
            let word = word.strip_suffix("'s").unwrap_or(word);
            let Some(stem) = stems(word).into_iter().next().filter(|_| !is_little(word)) else {
                continue;
            };
            let is_number = word.chars().all(|c| c.is_ascii_digit());
            let mut forms = vec![(stem.clone(), 1.0)];
            let own = synonyms(word);
            let is_of_group = |group: &&&[&str]| {
                group.iter().any(|other| stems(other).as_slice() == [stem.as_str()])
            };
            let common = ALIKE.iter().filter(is_of_group).copied().flatten();
            let others = own.iter().map(String::as_str).chain(common.copied());
            for other in others.flat_map(stems) {
                if forms.iter().all(|(known, _)| *known != other) && self.has(&other) {
                    forms.push((other, SYNONYM));
                }
            }
            forms.retain(|(form, _)| self.has(form));
            if asked.iter().any(|one| one.forms.first().is_some_and(|form| form.0 == stem))
                || is_number && forms.is_empty()
            {
                continue;
            }
            if is_number {
                forms.iter_mut().for_each(|(_, weight)| *weight *= NUMBER);
            }
            let rarity = match forms.first() {
                Some((form, weight)) => self.rarity(form) * weight,
                None => self.rarity("") * UNKNOWN,
            };
            asked.push(AskedWord { forms, rarity });
        }
        Asked { words: asked }
    }

    /// Returns the question that consists of these stems.
    pub(super) fn asked<'s>(&self, stems: impl Iterator<Item = &'s str>) -> Asked {
        let known = stems.filter(|stem| self.has(stem));
        let words = known.map(|stem| AskedWord {
            forms: vec![(stem.to_owned(), 1.0)],
            rarity: self.rarity(stem),
        });
        Asked { words: words.collect() }
    }

    /// Returns how well a text fits a question.
    fn fit(&self, text: &IndexedText, asked: &Asked) -> Fit {
        let length = (text.words.len() as f64 / self.mean_length).max(MIN_LENGTH);
        let shortness = 1.0 - LENGTH + LENGTH * length;
        let mut fit = Fit::default();
        let mut total = 0.0;
        for word in &asked.words {
            total += word.rarity;
            let mut best = Fit::default();
            for (form, weight) in &word.forms {
                let count = text.words.iter().filter(|one| *one == form).count();
                let is_headed = text.headings.contains(form);
                let in_headings = if is_headed {
                    IN_HEADINGS
                } else if text.synonyms.contains(form) {
                    IN_SYNONYMS
                } else {
                    0.0
                };
                let in_context = if text.context.contains(form) { IN_CONTEXT } else { 0.0 };
                let frequency = IN_TEXT * count as f64 / shortness + in_headings + in_context;
                let points = weight * self.rarity(form) * frequency / (SATURATION + frequency);
                let shared = weight * word.rarity;
                best.weight = best.weight.max(points);
                if count > 0 {
                    best.covered_by_text = best.covered_by_text.max(shared);
                }
                let part = if count > 0 || is_headed {
                    1.0
                } else if in_headings > 0.0 {
                    COVERED_BY_SYNONYM
                } else if in_context > 0.0 {
                    COVERED_BY_CONTEXT
                } else {
                    0.0
                };
                best.covered = best.covered.max(part * shared);
            }
            fit.weight += best.weight;
            fit.covered += best.covered;
            fit.covered_by_text += best.covered_by_text;
        }
        fit.weight += self.neighbours(text, asked);
        if total > 0.0 {
            fit.covered /= total;
            fit.covered_by_text /= total;
        }
        fit
    }

    /// Returns the added weight of the neighbouring words of a question that are neighbours in a text.
    fn neighbours(&self, text: &IndexedText, asked: &Asked) -> f64 {
        let positions = |word: &AskedWord| {
            let all = text.words.iter().enumerate();
            let is_form = |stem: &str| word.forms.iter().any(|(form, _)| form == stem);
            let found = all.filter(|(_, stem)| is_form(stem)).map(|(at, _)| at);
            found.collect::<Vec<usize>>()
        };
        let of_pair = |pair: &[AskedWord]| {
            let [one, other] = pair else { return 0.0 };
            let others = positions(other);
            let is_near = |at: usize| {
                others.iter().any(|near| at != *near && at.abs_diff(*near) <= MAX_DISTANCE)
            };
            let are_near = positions(one).into_iter().any(is_near);
            if are_near { NEIGHBOURS * one.rarity.min(other.rarity) } else { 0.0 }
        };
        asked.words.windows(2).map(of_pair).sum()
    }

    /// Returns the texts that fit a question, by their indices, the best first. Texts that fit equally
    /// well stay in order.
    pub(super) fn ranked(&self, asked: &Asked) -> Vec<(usize, Fit)> {
        let all = self.texts.iter().enumerate();
        let mut found: Vec<(usize, Fit)> =
            all.map(|(index, text)| (index, self.fit(text, asked))).collect();
        found.retain(|(_, fit)| fit.weight > 0.0);
        found.sort_by(|one, other| other.1.weight.total_cmp(&one.1.weight));
        found
    }
}

/// The share in a question of a word that no text has, compared with a word that a single text has. Many
/// such words are about the people at the table.
const UNKNOWN: f64 = 0.6;

impl Asked {
    /// Returns true if the question has no words that say something.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the number of its words that say something.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of its words that some text has.
    pub(super) fn known(&self) -> usize {
        self.words.iter().filter(|word| !word.forms.is_empty()).count()
    }

    /// Returns true if a stem is a word of the question or means nearly the same.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.words.iter().any(|word| word.forms.iter().any(|(form, _)| form == stem))
    }
}

#[cfg(test)]
mod tests {
    use super::{IndexedText, TextIndex, stems};

    fn index(texts: &[&str]) -> TextIndex {
        let text = |(group, text): (usize, &&str)| IndexedText {
            group,
            words: stems(text),
            ..IndexedText::default()
        };
        TextIndex::new(texts.iter().enumerate().map(text).collect())
    }

    fn best(texts: &[&str], question: &str) -> Option<usize> {
        let index = index(texts);
        let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
        let asked = index.read(&words, &|_| Vec::new());
        index.ranked(&asked).first().map(|(at, _)| *at)
    }

    #[test]
    fn a_rare_word_counts_more_than_a_common_one() {
        let texts = ["the guard sleeps", "the guard wakes", "a horn wakes the dog"];
        assert_eq!(best(&texts, "guard horn"), Some(2));
    }

    #[test]
    fn a_short_text_counts_more_than_a_long_one_with_the_same_word() {
        let long = "the horn of the old town by the river is made of brass and of silver too";
        assert_eq!(
            best(&[long, "nobody is here at all today", "the horn is loud"], "horn"),
            Some(2)
        );
    }

    #[test]
    fn a_word_in_a_heading_counts_more_than_one_in_a_text() {
        let mut texts = index(&["horn", "drum"]).texts;
        texts[1].headings.insert("horn".to_owned());
        let index = TextIndex::new(texts);
        let asked = index.read(&["horn".to_owned()], &|_| Vec::new());
        assert_eq!(index.ranked(&asked)[0].0, 1);
    }

    #[test]
    fn the_part_covered_falls_with_words_that_no_text_has() {
        let index = index(&["the horn is loud", "the drum is old"]);
        let covered = |question: &str| {
            let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
            let asked = index.read(&words, &|_| Vec::new());
            index.ranked(&asked)[0].1.covered
        };
        assert!((covered("the loud horn") - 1.0).abs() < 1e-9);
        assert!(covered("loud horn zebra") < 0.9);
    }

    #[test]
    fn words_with_hyphens_match_those_without() {
        assert_eq!(best(&["a drum", "a flame-thrower"], "flamethrowers"), Some(1));
    }
}
