//! Places in the rules whose texts have the words of a question in them: `can a routed lot fire`. The
//! sentence that fits best is quoted, and other places are named. A question that no text fits well is
//! left unanswered, because a wrong answer is worse than none.

use std::collections::BTreeSet;

use super::play::Play;
use super::question_words::{QuestionAnswer, stem};
use super::questions;
use super::reply::Reply;
use super::rule_library::{RuleLibrary, stems_of};
use super::suggest::LineSearch;
use super::text_index::{self, Asked, Fit};
use super::topics::{self, Topic};
use super::words::show;
use crate::command::{self, HintKind, LineError};
use crate::language::schema::{Chart, KindRole, Type};
use crate::render::markup::{Line, Role, Text};
use crate::render::paper::passages::{self, Passage, PassageKind, RuleSection, SectionOf};
use crate::render::table::Listing;

/// The maximum number of tables named.
const MAX_PLACES: usize = 3;

/// The maximum number of places named beside a quoted one.
const MAX_OTHERS: usize = 2;

/// The minimum number of letters in a word that says what a line about a table is about.
const MIN_LETTERS: usize = 3;

/// The part of a question that a quoted place has in its texts.
const COVERED: f64 = 0.7;

/// The part of a question that a place has if it is named below another answer.
const COVERED_BY_REMARK: f64 = 0.8;

/// The part of a question that the quoted sentence itself has.
const COVERED_BY_TEXT: f64 = 0.3;

/// The part of a question that a named place has in its texts.
const COVERED_BY_NAMED: f64 = 0.45;

/// The weight of a place that is named beside another, as a part of the weight of the better one.
const OF_BEST: f64 = 0.75;

/// The weight of a sentence that is quoted beside a better one from the same place, likewise.
const OF_BEST_SENTENCE: f64 = 0.6;

/// The weight of an attribute, compared with a rule that has the same words.
const OF_ATTRIBUTE: f64 = 0.8;

/// The weight of a printed list, likewise.
const OF_LIST: f64 = 0.75;

/// The weight of a rule whose name is in the question, likewise.
const OF_NAMED_RULE: f64 = 1.5;

/// The weight of a rule whose name is the whole question, likewise.
const OF_NAME: f64 = 3.0;

/// Words that begin a question which a reason for a refusal may answer.
const ASKS_ABILITY: [&str; 14] = [
    "why", "can", "can't", "could", "may", "must", "should", "is", "are", "does", "do", "will",
    "would", "how far",
];

/// The weight of a reason for a refusal in any other question, as a part of its usual weight.
const OF_OTHER_REFUSAL: f64 = 0.5;

/// The maximum number of characters quoted.
const MAX_QUOTED: usize = 230;

/// Returns the places that fit a question, the best first, each with its passages that fit, the best
/// first.
fn places<'l>(
    library: &'l RuleLibrary,
    play: &Play,
    asked: &Asked,
    words: &[String],
) -> Vec<FittingPlace<'l>> {
    let spoken = words.join(" ");
    let asks_ability = ASKS_ABILITY.iter().any(|begins| {
        spoken.strip_prefix(begins).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    let mut places: Vec<FittingPlace<'l>> = Vec::new();
    let mut ranked = library.index.ranked(asked);
    for (index, fit) in &mut ranked {
        let (group, at) = library.texts[*index];
        let kind = at.map_or(PassageKind::Report, |at| library.sections[group].passages[at].kind);
        fit.weight *= weight_of(kind);
        if kind == PassageKind::Refusal && !asks_ability {
            fit.weight *= OF_OTHER_REFUSAL;
        }
    }
    ranked.sort_by(|one, other| other.1.weight.total_cmp(&one.1.weight));
    for (index, fit) in ranked {
        let (group, at) = library.texts[index];
        let section = &library.sections[group];
        let known = places.iter().position(|place| place.group == group);
        let place = known.unwrap_or_else(|| {
            places.push(FittingPlace { group, section, best: fit, passages: Vec::new() });
            places.len() - 1
        });
        if let Some(at) = at {
            places[place].passages.push((at, &section.passages[at], fit));
        }
    }
    let weight = |place: &FittingPlace<'l>| place.weight(play, asked);
    places.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    places
}

/// Returns how much a passage of this kind counts, compared with a sentence that has the same words.
fn weight_of(kind: PassageKind) -> f64 {
    match kind {
        PassageKind::Sentence => 1.0,
        PassageKind::Modifier | PassageKind::Row { .. } => 0.9,
        PassageKind::Roll | PassageKind::Value => 0.8,
        PassageKind::Refusal => 0.75,
        PassageKind::Report => 0.7,
    }
}

/// A place that fits a question.
struct FittingPlace<'l> {
    group: usize,
    section: &'l RuleSection,
    /// The fit of its best passage, or of its headings if there is none.
    best: Fit,
    /// Its passages that fit, the best first, each with its index.
    passages: Vec<(usize, &'l Passage, Fit)>,
}

impl FittingPlace<'_> {
    fn weight(&self, play: &Play, asked: &Asked) -> f64 {
        let part = match &self.section.of {
            SectionOf::Attribute(..) => OF_ATTRIBUTE,
            SectionOf::Table(name) => {
                let is_list = play.referee().ruleset().schema.charts.named(name).is_none();
                if is_list { OF_LIST } else { 1.0 }
            }
            SectionOf::Rule(name) => {
                let parts: Vec<&str> = name.split('-').collect();
                let is_part = |part: &&str| text_index::stems(part).iter().all(|s| asked.has(s));
                if !parts.iter().all(is_part) {
                    1.0
                } else if parts.len() == asked.len() {
                    OF_NAME
                } else {
                    OF_NAMED_RULE
                }
            }
            SectionOf::Option(_) | SectionOf::Phase(_) | SectionOf::Game => 1.0,
        };
        self.best.weight * part * (1.0 + self.best.covered) / 2.0
    }

    /// Returns the line that shows the place; `None` if no line does.
    fn line(&self, play: &Play) -> Option<String> {
        match &self.section.of {
            SectionOf::Rule(name) => Some(format!("rule {name}")),
            SectionOf::Table(name) => Some(format!("table {name}")),
            SectionOf::Option(_) => Some("option".to_owned()),
            SectionOf::Attribute(kind, name) => {
                let shown = format!("show {name}");
                if show::is_shown(play, &shown) {
                    return Some(shown);
                }
                let schema = &play.referee().ruleset().schema;
                let of = schema.kinds.named(kind)?;
                let can_be_set = of.attribute(name).is_some_and(|a| a.can_be_set());
                let is_piece = of.role == KindRole::Pieces;
                (can_be_set && is_piece)
                    .then(|| format!("set {}.{name} VALUE", kind.to_uppercase()))
            }
            SectionOf::Phase(_) | SectionOf::Game => None,
        }
    }

    /// Returns the place as a noun: its line in code style, and its title.
    fn in_words(&self, play: &Play) -> String {
        let title = match self.section.title.as_str() {
            "" => String::new(),
            title => format!(" ({title})"),
        };
        match (&self.section.of, self.line(play)) {
            (SectionOf::Option(name), _) => format!("`option {name}`"),
            (SectionOf::Phase(index), _) => format!("phase {}{title}", index + 1),
            (SectionOf::Attribute(..), Some(line)) => format!("`{line}`"),
            (_, Some(line)) => format!("`{line}`{title}"),
            (SectionOf::Attribute(_, name), None) => format!("`{name}`"),
            (_, None) => self.section.title.clone(),
        }
    }
}

/// A text of the rules about a question.
struct RuleQuote {
    /// The part of the ruleset.
    of: SectionOf,
    /// The place, in words.
    place: String,
    /// Its sentences or rows that fit best.
    quote: String,
    /// The stems of the words of its headings.
    headings: BTreeSet<String>,
    /// Other places, in words.
    others: Vec<String>,
    /// The part of the question that is covered.
    covered: f64,
    /// True if the place is an option, which changes a rule but doesn't state it.
    is_option: bool,
}

impl RuleQuote {
    /// Returns the heading above the quoted text.
    fn heading(&self) -> String {
        format!("{} has this:", self.place)
    }

    /// Returns the quoted text and, on a line of its own, the other places.
    fn text(&self) -> String {
        match self.others.as_slice() {
            [] => self.quote.clone(),
            others => format!("{}\nsee also {}", self.quote, others.join(", ")),
        }
    }
}

/// The result of a search.
enum Found {
    Quote(RuleQuote),
    /// Places that may fit, in words.
    Named(Vec<String>),
    Nothing,
}

/// Returns the words of a question without the names of pieces.
fn without_pieces(play: &Play, words: &[String]) -> Vec<String> {
    let table = play.session.table();
    let is_piece = |word: &String| command::find_spoken(table, word).is_some();
    words.iter().filter(|word| !is_piece(word)).cloned().collect()
}

/// Returns the words of the ruleset that a typed word can stand for.
fn synonyms(play: &Play, word: &str) -> Vec<String> {
    let sets = play.referee().ruleset().schema.words.iter();
    let also = sets.flat_map(|set| set.also.iter());
    let meant = also.filter(|(other, _)| other.eq_ignore_ascii_case(word));
    meant.map(|(_, value)| value.clone()).collect()
}

/// The minimum number of words of the rules in a question for somebody that the rules may answer: `who can
/// carry a sick friend`.
const MIN_KNOWN_OF_WHO: usize = 3;

/// Words of a question about how much there is at the moment.
const AT_THE_MOMENT: [&str; 8] = ["have", "has", "got", "get", "left", "now", "still", "remain"];

/// Returns true if a question asks how much somebody has at the moment, which no rule says: `how many
/// points do we have`.
fn asks_count_now(words: &[String]) -> bool {
    let is =
        |word: Option<&String>, known: &[&str]| word.is_some_and(|w| known.contains(&w.as_str()));
    is(words.first(), &["how"])
        && is(words.get(1), &["many", "much"])
        && words.iter().any(|word| AT_THE_MOMENT.contains(&word.as_str()))
}

fn find(play: &Play, words: &[String]) -> Found {
    // A place on the table isn't in the rules, nor what happened there.
    let is_past = matches!(words, [what, happened, ..] if what == "what" && happened == "happened");
    if words.first().is_some_and(|first| first == "where") || is_past {
        return Found::Nothing;
    }
    let words = without_pieces(play, words);
    let library = play.rule_library.get_or_init(|| RuleLibrary::of(play.referee().ruleset()));
    let asked = library.index.read(&words, &|word| synonyms(play, word));
    if asked.is_empty() || asked.known() == 0 {
        return Found::Nothing;
    }
    let places = places(library, play, &asked, &words);
    let Some(first) = places.first() else { return Found::Nothing };
    let fit = first.best;
    let others = |least: f64| {
        let others = places.iter().skip(1);
        let least_weight = first.weight(play, &asked) * OF_BEST;
        let others = others.take_while(|place| place.weight(play, &asked) >= least_weight);
        let likely = others.filter(|place| place.best.covered >= least);
        let named = likely.filter(|place| place.line(play).is_some());
        named.take(MAX_OTHERS).map(|place| place.in_words(play)).collect::<Vec<String>>()
    };
    // A single word may stand in any sentence, and an attribute has many words in common with others.
    let is_attribute = matches!(first.section.of, SectionOf::Attribute(..));
    let is_headed = || {
        let headings = first.section.headings.iter().chain(&first.section.synonyms);
        stems_of(headings).iter().any(|stem| asked.has(stem))
    };
    // A short question for somebody is about the table.
    let asks_for_somebody =
        words.first().is_some_and(|word| word == "who") && asked.known() < MIN_KNOWN_OF_WHO;
    let may_quote = !asks_for_somebody
        && (asked.len() > 1 && !is_attribute || is_headed())
        && !asks_count_now(&words);
    if fit.covered >= COVERED
        && may_quote
        && let Some(quote) = quoted_text(play, first, &asked, &words)
    {
        let place = first.in_words(play);
        let covered = fit.covered;
        let mut others = others(COVERED);
        others.retain(|other| *other != place);
        let headings = stems_of(&first.section.headings);
        let is_option = matches!(first.section.of, SectionOf::Option(_));
        let of = first.section.of.clone();
        return Found::Quote(RuleQuote { of, place, quote, headings, others, covered, is_option });
    }
    if fit.covered < COVERED_BY_NAMED || asks_for_somebody && !is_headed() {
        return Found::Nothing;
    }
    let mut named = others(COVERED_BY_NAMED);
    if first.line(play).is_some() {
        named.insert(0, first.in_words(play));
    }
    named.truncate(MAX_OTHERS);
    if named.is_empty() { Found::Nothing } else { Found::Named(named) }
}

/// Returns the sentences or rows of a place that answer a question best; `None` if only its title fits, and
/// no sentence explains it.
fn quoted_text(
    play: &Play,
    place: &FittingPlace<'_>,
    asked: &Asked,
    words: &[String],
) -> Option<String> {
    let (_, best, fit) = place.passages.first()?;
    let is_table = matches!(place.section.of, SectionOf::Table(_));
    let has_text = fit.covered_by_text >= COVERED_BY_TEXT;
    if matches!(best.kind, PassageKind::Row { .. }) || is_table && !has_text {
        return Some(rows(play, place, asked, words));
    }
    let kind = match best.kind {
        // The sentences explain what is reported.
        PassageKind::Report => PassageKind::Sentence,
        kind if has_text || kind == PassageKind::Sentence => kind,
        _ => return None,
    };
    let of_kind = |passage: &Passage| passage.kind == kind;
    let mut fitting = place.passages.iter().filter(|(_, passage, _)| of_kind(passage));
    // Without any of its words, the first sentences say what the place is about.
    let first_of_kind = || place.section.passages.iter().position(of_kind);
    let (first, least) = match fitting.next().filter(|_| has_text) {
        Some((at, _, own)) => (*at, own.weight * OF_BEST_SENTENCE),
        None => (first_of_kind()?, 0.0),
    };
    let text = |at: usize| place.section.passages[at].text.as_str();
    let mut quoted = vec![first];
    let mut length = text(first).chars().count();
    for (at, passage) in place.section.passages.iter().enumerate() {
        let own = place.passages.iter().find(|(other, ..)| *other == at);
        let weight = own.map_or(0.0, |(.., of_own)| of_own.weight);
        let count = passage.text.chars().count();
        if at != first && of_kind(passage) && weight >= least && length + count <= MAX_QUOTED {
            length += count;
            quoted.push(at);
        }
    }
    quoted.sort_unstable();
    let joint = if kind == PassageKind::Sentence { " " } else { "; " };
    Some(quoted.into_iter().map(text).collect::<Vec<_>>().join(joint))
}

/// Returns the rows of a table that have the words of a question or its numbers, with the columns that
/// do, or with all of them.
fn rows(play: &Play, place: &FittingPlace<'_>, asked: &Asked, words: &[String]) -> String {
    let ruleset = play.referee().ruleset();
    let SectionOf::Table(name) = &place.section.of else {
        return listed_rows(place, asked);
    };
    let Some(chart) = ruleset.schema.charts.named(name) else {
        return listed_rows(place, asked);
    };
    let numbers: Vec<i64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let has_number = |axis: usize, index: usize| {
        let ranges = if axis == 0 { &chart.rows } else { &chart.columns };
        is_counted(chart, axis)
            && ranges.get(index).is_some_and(|range| numbers.iter().any(|n| range.holds(*n)))
    };
    let is_labelled = |label: &String| text_index::stems(label).iter().any(|one| asked.has(one));
    let column_count = chart.columns.len();
    let columns: Vec<usize> = (0..column_count)
        .filter(|&index| is_labelled(&chart.column_labels[index]) || has_number(1, index))
        .collect();
    let all: Vec<usize> = (0..chart.rows.len()).collect();
    let is_row = |row: &usize| is_labelled(&chart.row_labels[*row]) || has_number(0, *row);
    let mut shown: Vec<usize> = all.iter().copied().filter(is_row).collect();
    if shown.is_empty() {
        shown = all;
    }
    let is_column = |index: usize| columns.is_empty() || columns.contains(&index);
    let lines = shown.into_iter().map(|row| passages::chart_row(ruleset, chart, row, &is_column));
    let axes: Vec<&str> = chart.axes.iter().map(|axis| axis.name.as_str()).collect();
    let heading = match axes.as_slice() {
        [down, along] => format!("by {down} and {along}: "),
        _ => format!("by {}: ", axes.join(", ")),
    };
    format!("{heading}{}", within_limit(lines))
}

/// Returns true if the values along an axis of a chart are whole numbers.
fn is_counted(chart: &Chart, axis: usize) -> bool {
    chart.axes.get(axis).is_some_and(|axis| axis.ty == Type::Whole)
}

/// Returns the rows that fit a question about as well as the best.
fn listed_rows(place: &FittingPlace<'_>, asked: &Asked) -> String {
    let best = place.best;
    let fits = place.passages.iter().filter(|(_, passage, fit)| {
        matches!(passage.kind, PassageKind::Row { .. })
            && fit.weight >= best.weight * OF_BEST_SENTENCE
            && (best.covered_by_text <= 0.0
                || text_index::stems(&passage.text).iter().any(|one| asked.has(one)))
    });
    let mut rows: Vec<(usize, &str)> =
        fits.map(|(at, passage, _)| (*at, passage.text.as_str())).collect();
    rows.sort_unstable();
    within_limit(rows.into_iter().map(|(_, text)| text.to_owned()))
}

/// Joins rows up to the length that may be quoted.
fn within_limit(rows: impl Iterator<Item = String>) -> String {
    let mut joined = String::new();
    for row in rows {
        if !joined.is_empty() && joined.chars().count() + row.chars().count() > MAX_QUOTED {
            joined.push_str("; …");
            break;
        }
        if !joined.is_empty() {
            joined.push_str("; ");
        }
        joined.push_str(&row);
    }
    joined
}

/// Answers a question that begins with `why` and names neither a piece nor a value with the text in the rules
/// that it is about. Returns `None` for any other question, or if no text fits well.
pub(super) fn answer_why(play: &Play, words: &[String]) -> Option<Reply> {
    let (first, rest) = words.split_first()?;
    if first != "why"
        || !questions::names_of_pieces(play, rest).is_empty()
        || play.session.why(&rest.join(" ")).is_ok()
    {
        return None;
    }
    quoted_reply(play, words)
}

/// Returns the reply that quotes the text of the rules about a question; `None` if no text fits it.
pub(super) fn quoted_reply(play: &Play, words: &[String]) -> Option<Reply> {
    let Found::Quote(quote) = find(play, words) else { return None };
    let answer = format!("{} {}", quote.heading(), quote.quote);
    let quoted = quote.text();
    let lines = std::iter::once(quote.heading()).chain(quoted.lines().map(str::to_owned));
    let lines = lines.map(|line| Line::of(Role::Plain, line).with_hanging_indent(2));
    Some(Reply::new(Text::from_iter(lines), QuestionAnswer { answer, listed: quote.others }))
}

/// Returns the line of the verb that only looks something up, if its rule is what fits a question best and
/// nothing else has to be typed: `chits` for `what is still in the cup`.
pub(super) fn looking_line(play: &Play, words: &[String]) -> Option<String> {
    let Found::Quote(RuleQuote { of: SectionOf::Rule(name), .. }) = find(play, words) else {
        return None;
    };
    let ruleset = play.referee().ruleset();
    // A rule without a usage is run by the phases.
    let rules = ruleset.rules_for_verb(&name);
    let is_typed = rules.iter().any(|id| ruleset.schema.rules[id.index()].usage.is_some());
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    (is_typed && search.accepts(&name) && search.only_looks(&name)).then_some(name)
}

/// Returns true if a text of the rules has words of a question that an answer to it lacks.
pub(super) fn fits_better(play: &Play, words: &[String], answer: &str) -> bool {
    let answered: BTreeSet<String> = text_index::stems(answer).into_iter().collect();
    let missing = without_pieces(play, words).into_iter();
    let says_nothing =
        |word: &str| text_index::is_little(word) || questions::QUESTION_WORDS.contains(&word);
    let missing = missing.filter(|word| !says_nothing(word));
    let missing: Vec<String> = missing
        .flat_map(|word| text_index::stems(&word))
        .filter(|stem| !answered.contains(stem) && !stem.chars().all(|c| c.is_ascii_digit()))
        .collect();
    if missing.is_empty() {
        return false;
    }
    let Found::Quote(quote) = find(play, words) else { return false };
    let quoted = text_index::stems(&quote.quote);
    !quote.is_option
        && missing.iter().any(|stem| quoted.contains(stem) || quote.headings.contains(stem))
}

/// Returns a remark with the text in the rules that may answer a question; `None` if none fits well.
pub(super) fn remark(play: &Play, words: &[String]) -> Option<String> {
    let asked: BTreeSet<String> =
        without_pieces(play, words).iter().flat_map(|word| text_index::stems(word)).collect();
    match find(play, words) {
        // A place with none of the words in its title is about something else.
        Found::Quote(quote)
            if quote.covered >= COVERED_BY_REMARK && !quote.headings.is_disjoint(&asked) =>
        {
            Some(format!("{} {}", quote.heading(), quote.quote))
        }
        Found::Quote(_) | Found::Named(_) | Found::Nothing => None,
    }
}

/// Returns a remark with the text in the rules that words may be about, or else with the names of places
/// that may fit. Returns `None` if none fits.
pub(super) fn mention(play: &Play, words: &[String]) -> Option<String> {
    match find(play, words) {
        Found::Quote(quote) => Some(format!("{} {}", quote.heading(), quote.text())),
        Found::Named(places) => Some(format!("see {}", places.join(", "))),
        Found::Nothing => None,
    }
}

/// Returns the error for a line that isn't a command, with the text in the rules that the line is about.
/// Returns `None` if no text fits well.
pub(super) fn quote(play: &Play, error: &LineError, words: &[String]) -> Option<LineError> {
    let answer = error_with_quote(play, error, words)?;
    (answer.hint_kind == HintKind::FromRules).then_some(answer)
}

/// Returns the error for a line that isn't a command, with the text in the rules that the line may be
/// about, or else with the names of places that may fit. Returns `None` if none fits.
pub(super) fn error_with_quote(
    play: &Play,
    error: &LineError,
    words: &[String],
) -> Option<LineError> {
    let error = LineError { wants_sample: false, proposal: None, ..error.clone() };
    match find(play, words) {
        Found::Quote(quote) => {
            let error = LineError { message: quote.heading(), span: None, ..error };
            let error = error.help(quote.text());
            Some(LineError { hint_kind: HintKind::FromRules, ..error })
        }
        Found::Named(places) => Some(error.help(format!("see {}", places.join(", ")))),
        Found::Nothing => None,
    }
}

/// Words for tables.
const TABLES: [&str; 4] = ["table", "tables", "chart", "charts"];

/// Returns true if a line asks for a table of the rules, such as `damage table` or `which tables are
/// there`. The models stand on another one.
pub(super) fn asks_for_table(words: &[String]) -> bool {
    let is = |word: Option<&String>, known: &[&str]| {
        word.is_some_and(|word| known.contains(&word.as_str()))
    };
    let ends = is(words.last(), &TABLES)
        && !words.iter().rev().skip(1).take(2).any(|word| ["the", "a"].contains(&word.as_str()));
    words.len() > 1 && (is(words.first(), &TABLES) || ends)
        || words.iter().any(|word| is(Some(word), &["tables", "charts", "chart"]))
}

/// Returns help for a line that asks for a table: the tables with its other words in their titles or, if
/// there are none, the line that lists all tables. Returns `None` if the game has no tables.
pub(super) fn tables(play: &Play, words: &[String]) -> Option<String> {
    let ruleset = play.referee().ruleset();
    let all = Listing::all(ruleset).map(|(name, listing)| {
        let title = listing.title(ruleset);
        Topic::new(format!("table {name}"), title, [name, title], [])
    });
    let mut asked = topics::subject_stems(play, words, MIN_LETTERS);
    asked.retain(|word| TABLES.iter().all(|table| stem(table) != *word));
    let found = topics::likeliest(all.collect(), &asked);
    let lines: Vec<String> = found.iter().take(MAX_PLACES).map(Topic::in_words).collect();
    if !lines.is_empty() {
        return Some(format!("see {}", lines.join(", ")));
    }
    Listing::all(ruleset).next().map(|_| "`table` lists the tables".to_owned())
}

/// Returns true if a line asks which tables there are, and for none of them.
pub(super) fn asks_for_all_tables(words: &[String]) -> bool {
    let known = [&TABLES[..], &OF_ALL].concat();
    words.iter().any(|word| TABLES.contains(&word.as_str()))
        && words.iter().all(|word| known.contains(&word.as_str()))
}

/// Words around `tables` in a line that asks for all of them.
const OF_ALL: [&str; 16] = [
    "which", "what", "are", "there", "the", "list", "show", "me", "us", "all", "any", "of", "have",
    "we", "got", "lookup",
];
