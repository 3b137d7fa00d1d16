//! Rules, tables, options and states whose texts have the words of a question in them: `can a routed
//! lot fire`. Nothing is answered here; the umpire is told where to look.

use super::play::Play;
use super::question_words::stem;
use super::topics::{self, Topic};
use super::words::show;
use crate::language::schema::{KindRole, Type};
use crate::language::syntax::TemplatePart;
use crate::render::table::Listing;

/// The maximum number of places named.
const MAX_PLACES: usize = 3;

/// The minimum number of letters in a word that says what a question is about.
const MIN_LETTERS: usize = 3;

/// Returns the places in the rules where an answer may be found: the rules, the other tables and the
/// options.
fn places(play: &Play) -> Vec<Topic> {
    let ruleset = play.referee().ruleset();
    let schema = &ruleset.schema;
    let rules = schema.rules.iter().map(|rule| {
        let line = format!("rule {}", rule.name);
        let headings = [rule.name.as_str(), &rule.title];
        let texts = [rule.reads.as_str(), &rule.note, &rule.cite];
        let refused = rule.require.iter().flat_map(|one| &one.because.parts);
        let refused = refused.filter_map(|part| match part {
            TemplatePart::Text(text) => Some(text.as_str()),
            TemplatePart::Value(_) | TemplatePart::Counted(..) => None,
        });
        Topic::new(line, &rule.title, headings, texts.into_iter().chain(refused))
    });
    let tables = Listing::all(ruleset).filter_map(|(name, listing)| {
        let line = format!("table {name}");
        match listing {
            // The rule is a place of its own.
            Listing::Rows(_) => None,
            Listing::Chart(chart) => {
                let chart = &schema.charts[chart.index()];
                let texts = [chart.note.as_str()];
                Some(Topic::new(line, &chart.title, [name, chart.title.as_str()], texts))
            }
            Listing::List(kind) => {
                let plural = &schema.kind(kind).plural;
                Some(Topic::new(line, plural, [name, plural.as_str()], []))
            }
        }
    });
    let options = ruleset.options().iter().map(|option| {
        let title = option.title.as_deref().unwrap_or_default();
        // A list of the options shows its name.
        let shown = if title.is_empty() { &option.name } else { title };
        Topic::new("option".to_owned(), shown, [option.name.as_str(), title], [])
    });
    rules.chain(tables).chain(options).collect()
}

/// Returns the attributes by which `show` finds pieces now.
fn states(play: &Play) -> Vec<Topic> {
    let kinds = play.referee().ruleset().schema.piece_kinds();
    let kinds = kinds.filter(|(_, kind)| kind.role == KindRole::Pieces);
    let states = kinds.flat_map(|(_, kind)| {
        let shown = kind.attributes.iter().filter(|a| a.can_be_set() && a.secret.is_none());
        shown.map(|a| {
            let others = a.also.iter().map(|(other, _)| other.as_str());
            let says = a.says.as_deref().filter(|_| a.ty == Type::Flag).unwrap_or_default();
            let named = [a.name.as_str(), says];
            Topic::new(format!("show {}", a.name), "", named.into_iter().chain(others), [])
        })
    });
    states.filter(|state| show::is_shown(play, &state.line)).collect()
}

/// Returns help that names the rules, or the states to show, which a question may be about, the
/// likeliest first. Returns `None` if none has the rarer words of the question in its texts.
pub(super) fn help(play: &Play, words: &[String]) -> Option<String> {
    let mut all = places(play);
    all.extend(states(play));
    help_with(play, words, all)
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

/// Returns help that names only the rules which a question may be about.
pub(super) fn rules(play: &Play, words: &[String]) -> Option<String> {
    help_with(play, words, places(play))
}

fn help_with(play: &Play, words: &[String], places: Vec<Topic>) -> Option<String> {
    let asked = topics::subject_stems(play, words, MIN_LETTERS);
    let likely = topics::likeliest(places, &asked);
    let likely: Vec<String> = likely.iter().take(MAX_PLACES).map(Topic::in_words).collect();
    (!likely.is_empty()).then(|| format!("see {}", likely.join(", ")))
}
