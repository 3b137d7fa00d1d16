//! Lines that a typed line may be about although no command fits it: to another phase, for an option
//! or a value of the game, or a word of the console. They are listed with the lines that could be
//! typed, and don't claim to mean the same.

use crate::command::{self, PossibleLine, TypedLine};
use crate::console::likely_lines;
use crate::console::play::Play;
use crate::console::question_words::{self, stem};
use crate::console::questions;
use crate::console::topics::{self, Topic};
use crate::language::schema::{Attribute, KindId, KindRole, OPTION_KIND, STATE_KIND, Type};
use crate::ruleset::Phase;

/// The maximum number of lines listed.
const MAX_LISTED: usize = 3;

/// The minimum number of letters in a word that says what a line is about.
const MIN_LETTERS: usize = 3;

/// Lines of the console, each with its effect and the words that people have for it.
const CONSOLE_LINES: [(&str, &str, &str); 13] = [
    ("undo", "undo the last command", "undo take back scratch mistake wrong put away reverse"),
    ("redo", "restore what was undone", "redo restore put back undone"),
    (
        "dice physical",
        "the players roll the dice and draw the cards",
        "own real players ourselves themselves roll throw dice cards deck draw pull",
    ),
    (
        "dice auto",
        "the program rolls the dice and draws the cards",
        "computer program machine roll throw dice cards deck draw deal",
    ),
    ("dice", "who rolls which dice", "who whose rolls dice cards"),
    ("log", "the commands so far with their results", "log result happened drew rolled earlier"),
    ("left", "who can still act", "left acted gone yet waiting still everyone"),
    ("next turn", "end the turn", "new next turn over end finish"),
    ("note TEXT", "write a remark into the log", "note write remember record down"),
    (
        "overrule PIECE.ATTRIBUTE VALUE: REASON",
        "change a result by a ruling",
        "overrule ruling rule calling call judge umpire decide stays counts",
    ),
    ("roll 2d6", "roll any dice", "roll throw dice random chance"),
    ("agree", "compare the table with the program", "agree check table board pieces set"),
    (
        "quit",
        "leave the game, which is saved",
        "stop pack home bye finish tonight time up leave save",
    ),
];

/// The minimum number of its words that a line about a line of the console has.
const MIN_WORDS_OF_CONSOLE: usize = 2;

/// Returns the lines of phases, options, values and the console that a typed line may be about, the
/// likeliest first.
pub(super) fn topic_lines(
    play: &Play,
    typed: &TypedLine<'_>,
    words: &[String],
    names: &[String],
) -> Vec<PossibleLine> {
    let mut asked = topics::subject_stems(play, words, MIN_LETTERS);
    // With a piece, a verb is about what the piece does.
    if !names.is_empty() {
        let verbs = words.iter().filter(|word| questions::verb_of(play, word).is_some());
        for verb in verbs {
            asked.remove(stem(verb));
        }
    }
    let stated = Stated::new(play, typed, words);
    let topics: Vec<Topic> = phases(play)
        .into_iter()
        .chain(attributes(play, &stated, names))
        .chain(console_lines(play))
        .collect();
    let mut lines: Vec<PossibleLine> = Vec::new();
    for topic in topics::likeliest(topics, &asked) {
        // Of several phases, the next one is meant.
        let is_phase = |line: &str| line.starts_with(NEXT_TO);
        let is_known = |one: &PossibleLine| {
            one.line == topic.line || is_phase(&topic.line) && is_phase(&one.line)
        };
        if lines.iter().any(is_known) {
            continue;
        }
        lines.push(PossibleLine { line: topic.line, note: topic.title });
    }
    lines.truncate(MAX_LISTED);
    lines
}

/// The beginning of the line that goes on to a phase.
const NEXT_TO: &str = "next to ";

/// Returns the other phases of the turn, the next one first.
fn phases(play: &Play) -> Vec<Topic> {
    let phases = &play.referee().ruleset().phases;
    let Some(here) = play.referee().phase_index(play.session.table()) else { return Vec::new() };
    let others = (here + 1..phases.len()).chain(0..here);
    let topic = |index: usize| {
        let phase = &phases[index];
        let title = format!("go on to phase {}, {}", index + 1, phase.title);
        let headings = [phase.name.as_str(), &phase.title];
        let texts = words_of_verbs(play, phase).chain([phase.reads.as_str()]);
        Topic::new(format!("{NEXT_TO}{}", phase.name), &title, headings, texts)
    };
    others.map(topic).collect()
}

/// Returns the verbs of a phase, the other words for them and the titles of their rules.
fn words_of_verbs<'p>(play: &'p Play, phase: &'p Phase) -> impl Iterator<Item = &'p str> {
    let ruleset = play.referee().ruleset();
    let verbs = phase.verbs.iter().map(|(verb, _)| verb.as_str());
    verbs.flat_map(move |verb| {
        let synonyms = ruleset.synonyms().filter(move |(_, of)| *of == verb);
        let rules = ruleset.rules_for_verb(verb).to_vec();
        let titles = rules.into_iter().map(|id| ruleset.schema.rules[id.index()].title.as_str());
        synonyms.map(|(phrase, _)| phrase).chain(titles).chain([verb])
    })
}

/// The words of a typed line that may be values, and its numbers.
struct Stated<'w> {
    words: &'w [String],
    numbers: Vec<String>,
}

impl<'w> Stated<'w> {
    fn new(play: &Play, typed: &TypedLine<'_>, words: &'w [String]) -> Stated<'w> {
        Stated { words, numbers: likely_lines::numbers_in(play, typed.line) }
    }

    /// Returns the value that the line gives to an attribute that has this value now, or the word that
    /// stands for the value.
    fn value(&self, play: &Play, attribute: &Attribute, now: Option<&str>) -> String {
        let schema = &play.referee().ruleset().schema;
        let is_value = |word: &&String| question_words::is_value(schema, attribute, word);
        if let Some(value) = self.words.iter().find(is_value) {
            return value.clone();
        }
        match attribute.ty {
            Type::Flag => if now == Some("yes") { "no" } else { "yes" }.to_owned(),
            Type::Whole | Type::Number => {
                self.numbers.first().cloned().unwrap_or_else(|| VALUE.to_owned())
            }
            _ => VALUE.to_owned(),
        }
    }
}

/// The word that stands for a value in a line that can't be completed.
const VALUE: &str = "VALUE";

/// Returns the values of the game, and the values of the first named piece of each kind. If no piece is
/// named, returns the options and the values of all kinds of pieces, too.
fn attributes(play: &Play, stated: &Stated<'_>, names: &[String]) -> Vec<Topic> {
    let table = play.session.table();
    let schema = &play.referee().ruleset().schema;
    let mut subjects: Vec<(KindId, Option<u32>, String)> = Vec::new();
    for (kind, row) in names.iter().filter_map(|name| table.find(name)) {
        if subjects.iter().all(|(known, ..)| *known != kind) {
            subjects.push((kind, Some(row), format!("set {}.", table.piece_name(kind, row))));
        }
    }
    if names.is_empty() {
        let kinds = schema.piece_kinds().filter(|(_, kind)| kind.role == KindRole::Pieces);
        subjects.extend(kinds.map(|(id, _)| (id, None, "set PIECE.".to_owned())));
    }
    subjects.push((STATE_KIND, Some(0), "set state.".to_owned()));
    if names.is_empty() {
        subjects.push((OPTION_KIND, Some(0), "option ".to_owned()));
    }
    let mut topics = Vec::new();
    for (kind, row, beginning) in subjects {
        let attributes = schema.kind(kind).attributes.iter().enumerate();
        for (index, attribute) in attributes.filter(|(_, a)| a.can_be_set()) {
            let now = row.and_then(|row| play.referee().attribute_text(table, kind, row, index));
            let others = attribute.also.iter().map(|(other, _)| other.as_str());
            let title = attribute.title.as_deref().unwrap_or_default();
            let says = attribute.says.as_deref().unwrap_or_default();
            let headings = [attribute.name.as_str(), says].into_iter().chain(others);
            let values = match attribute.ty {
                Type::Word(set) => schema.word_set(set).values.as_slice(),
                _ => attribute.names.as_slice(),
            };
            let value = stated.value(play, attribute, now.as_deref());
            let line = format!("{beginning}{} {value}", attribute.name);
            // Which piece is meant isn't a value that could be listed. For a named piece, the value
            // must be in the line.
            let is_listed = matches!(attribute.ty, Type::Word(_) | Type::Whole | Type::Number);
            if value == VALUE && (!is_listed || !names.is_empty()) {
                continue;
            }
            let is_complete = row.is_some() && value != VALUE;
            if is_complete && command::parse(play.referee(), table, &line).is_err() {
                continue;
            }
            let texts = values.iter().map(String::as_str).chain([title]);
            topics.push(Topic::new(line, title, headings, texts).with_min_words(1));
        }
    }
    topics
}

/// Returns the lines of the console that would be accepted now.
fn console_lines(play: &Play) -> impl Iterator<Item = Topic> {
    let is_possible = |line: &str| match line {
        "undo" => play.session.can_undo(),
        "redo" => play.session.can_redo(),
        _ => true,
    };
    let lines = CONSOLE_LINES.into_iter().filter(move |(line, ..)| is_possible(line));
    lines.map(|(line, effect, words)| {
        Topic::new(line.to_owned(), effect, [words], []).with_min_words(MIN_WORDS_OF_CONSOLE)
    })
}
