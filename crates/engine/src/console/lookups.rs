//! Lines that ask to look something up, in everyday words: `look up the morale table`, `anything
//! left`, `how did b1 catch fire`. Looking something up never changes the game.

use super::likely_lines;
use super::play::Play;
use super::question_words::{self, after, is_alike};
use super::questions;
use super::words::show;
use crate::command::{self, TypedLine};
use crate::render::table::Listing;
use crate::ruleset::Ruleset;

/// Words that carry no information about the subject of a lookup.
const LITTLE: [&str; 44] = [
    "explain", "describe", "the", "a", "an", "up", "look", "lookup", "find", "show", "me", "us",
    "table", "tables", "chart", "charts", "list", "rule", "rules", "for", "about", "on", "of",
    "in", "what", "is", "was", "are", "please", "to", "with", "and", "help", "check", "read",
    "get", "do", "does", "how", "i", "we", "you", "my", "tell",
];

/// Words that begin a line that looks up a table.
const OPENS_LOOKUP: [&str; 13] = [
    "table", "tables", "chart", "charts", "look", "lookup", "check", "show", "what", "which",
    "see", "find", "consult",
];

/// Phrases that begin a question about the actions that are still possible.
const LEFT: [&str; 26] = [
    "what have i forgotten",
    "what have we forgotten",
    "has everybody",
    "has everyone",
    "who is up",
    "what is up",
    "who has not",
    "who hasnt",
    "anything left",
    "anything else",
    "anyone left",
    "anyone else",
    "anybody left",
    "anybody else",
    "what else is there",
    "what else can",
    "what else",
    "what is there left",
    "what is there to do",
    "what is there still to do",
    "what is left",
    "who is left",
    "who else",
    "whos left",
    "who still",
    "what still",
];

/// Questions about the pieces to lay out.
const SETUP: [&str; 18] = [
    "what do i have to set out",
    "what do we have to set out",
    "what do i set out",
    "what should i put on the table",
    "what should we put on the table",
    "what has to be set out",
    "what do i put out",
    "what do we put out",
    "what do i put on the table",
    "what do we put on the table",
    "what goes on the table",
    "what do i lay out",
    "what do we lay out",
    "what do i need on the table",
    "what do i set up",
    "how do i set up",
    "how do we set up",
    "what goes where",
];

/// Lines during the set-up that ask for the pieces.
const LISTS_FORCES: [&str; 13] = [
    "list forces",
    "list units",
    "list troops",
    "what have we got",
    "what have i got",
    "what is on the table",
    "what troops",
    "what forces",
    "list the troops",
    "list the forces",
    "list the pieces",
    "list everything",
    "list all",
];

/// Questions about past events.
const LOG: [&str; 19] = [
    "what is gone on",
    "what has gone on",
    "what went on",
    "what is happened",
    "what have they done",
    "what they did",
    "what was the last",
    "what have i typed",
    "what did i type",
    "what did we roll",
    "what was rolled",
    "what did we do",
    "what have we done",
    "what did i do",
    "what has happened",
    "what was done",
    "what just happened",
    "what did they do",
    "what was that",
];

/// Phrases that begin a question about the last result.
const ABOUT_THE_LAST: [&str; 5] = ["was that", "were those", "did that", "is that with", "was it"];

/// Phrases that begin a question about a reason.
const WHY: [&str; 12] = [
    "how did",
    "how come",
    "why did",
    "why has",
    "why is",
    "why was",
    "why are",
    "why does",
    "what happened to",
    "what has happened to",
    "how has",
    "how was",
];

/// Words for `rule` at the beginning of a line.
pub(super) const EXPLAINS: [&str; 2] = ["explain", "describe"];

/// Returns the line that looks up the subject of a typed line; `None` if the typed line is no
/// lookup.
pub(super) fn line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    let spoken = words.join(" ");
    let begins = |phrases: &[&str]| phrases.iter().any(|phrase| begins_with(&spoken, phrase));
    let is_set_up = play.referee().phase_index(play.session.table()).is_none();
    if begins(&SETUP) || is_set_up && begins(&LISTS_FORCES) {
        return Some("layout".to_owned());
    }
    let names = questions::names_of_pieces(play, &words);
    if begins(&WHY)
        && let [name] = names.as_slice()
    {
        return Some(format!("why {name}"));
    }
    if begins(&ABOUT_THE_LAST) && names.is_empty() && !play.session.entries().is_empty() {
        return Some("why".to_owned());
    }
    if begins(&LOG) && names.is_empty() {
        return Some("log".to_owned());
    }
    if let Some(line) = left(play, &words) {
        return Some(line);
    }
    let first = words.first()?.as_str();
    let is_table =
        words.iter().any(|word| ["table", "tables", "chart", "charts"].contains(&word.as_str()));
    // `range bands` is the title of a table.
    let titled = ["show me the ", "show the ", "what are the ", "the ", ""];
    let mut titles = titled.iter().filter_map(|begun| spoken.strip_prefix(begun));
    // A phase or a verb may have the same name.
    let is_for_play = || {
        let phases = &play.referee().ruleset().phases;
        phases.iter().any(|phase| spoken.ends_with(&phase.title.to_lowercase()))
            || !command::verbs_in(play.referee(), play.session.table(), &spoken).is_empty()
            || play.referee().ruleset().has_verb(first)
    };
    if let Some(name) = titles.find_map(|title| table_titled(play, title))
        && !is_for_play()
    {
        return Some(format!("table {name}"));
    }
    let looks_up = first == "lookup" || begins_with(&spoken, "look up");
    let content: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !LITTLE.contains(word)).collect();
    let asks = OPENS_LOOKUP.contains(&first);
    if (is_table && asks) || looks_up {
        // `the range table for a sling` names a row, too.
        let is_row = |word: &&str| command::is_parameter_value(play.referee(), word);
        let without_rows = || -> Option<String> {
            let others: Vec<&str> = content.iter().copied().filter(|word| !is_row(word)).collect();
            if others.is_empty() { None } else { table_about(play, &others) }
        };
        let table = table_about(play, &content).or_else(without_rows);
        let table = table.map(|name| format!("table {name}"));
        if table.is_some() || (is_table && !looks_up) {
            return table.or_else(|| content.is_empty().then(|| "table".to_owned()));
        }
    }
    if first.starts_with("rule") || EXPLAINS.contains(&first) || looks_up {
        return rule_about(play, &content).map(|name| format!("rule {name}"));
    }
    if first == "help" {
        return help_about(play, typed);
    }
    let is_plan = |word: &&str| ["plan", "map", "board", "layout"].contains(word);
    if play.referee().ruleset().schema.plan_kind().is_some()
        && OPENS_LOOKUP.contains(&first)
        && content.iter().any(is_plan)
        && content.iter().all(|word| is_plan(word) || ABOUT_THE_PLAN.contains(word))
    {
        return word_that_looks(play, "map");
    }
    if matches!(first, "show" | "see" | "display")
        && let [word] = content.as_slice()
    {
        return word_that_looks(play, word);
    }
    let about_anybody = ["anybody", "anyone", "anywhere", "anything"];
    if words.iter().any(|word| about_anybody.contains(&word.as_str())) {
        let rest: Vec<&str> = content.into_iter().filter(|w| !about_anybody.contains(w)).collect();
        let shown = format!("show {}", rest.join(" "));
        return (!rest.is_empty() && show::is_shown(play, &shown)).then_some(shown);
    }
    None
}

/// Returns the line that lists the actions that are still possible. If the question names a side,
/// the line lists only the actions of that side. Returns `None` if the words don't ask for these
/// actions, or if no phase has begun.
pub(super) fn left(play: &Play, words: &[String]) -> Option<String> {
    let spoken = words.join(" ");
    let is_under_way = play.referee().phase_index(play.session.table()).is_some();
    if !is_under_way || !LEFT.iter().any(|phrase| begins_with(&spoken, phrase)) {
        return None;
    }
    // `which men still have arrows` asks for a value.
    if questions::names_value(play, words) {
        return None;
    }
    let names = questions::names_of_pieces(play, words);
    let sides = play.referee().sides(play.session.table());
    let wanted = names.first().filter(|name| names.len() == 1 && sides.contains(*name));
    // `what's left in pump2's tank` isn't about those who can still act.
    let asks_who = words.first().is_some_and(|first| first.starts_with("who"));
    if wanted.is_none() && !names.is_empty() && !asks_who {
        return None;
    }
    Some(wanted.map_or("left".to_owned(), |name| format!("left {name}")))
}

fn begins_with(spoken: &str, phrase: &str) -> bool {
    spoken == phrase || after(spoken, phrase).is_some()
}

/// Returns the word of the console with this name, if the word only looks something up.
fn word_that_looks(play: &Play, name: &str) -> Option<String> {
    let word = play.words.iter().find(|word| word.is(name))?;
    word.looks.then(|| word.name.to_owned())
}

/// Returns the table whose name and title best match some words; `None` if no table matches all of
/// them, or if several match equally well.
fn table_about(play: &Play, words: &[&str]) -> Option<String> {
    nearest(words, tables(play.referee().ruleset()))
}

/// Returns the table with this title, up to its first comma; `None` if there is none.
fn table_titled(play: &Play, title: &str) -> Option<String> {
    let ruleset = play.referee().ruleset();
    let is_titled = |(name, text): &(&str, String)| {
        let own = text.strip_prefix(name).unwrap_or(text).trim().to_lowercase();
        own.split(',').next() == Some(title)
    };
    tables(ruleset).find(is_titled).map(|(name, _)| name.to_owned())
}

/// Returns the tables with their names and titles.
fn tables(ruleset: &Ruleset) -> impl Iterator<Item = (&str, String)> {
    Listing::all(ruleset).map(|(name, listing)| {
        let title = match listing {
            Listing::Rows(rule) => ruleset.schema.rules[rule.index()].title.as_str(),
            Listing::Chart(chart) => ruleset.schema.charts[chart.index()].title.as_str(),
            Listing::List(kind) => ruleset.schema.kind(kind).plural.as_str(),
        };
        (name, format!("{name} {title}"))
    })
}

/// Words of a question about the plan that add nothing.
const ABOUT_THE_PLAN: [&str; 5] = ["look", "looks", "like", "now", "whole"];

/// Words in the titles of tables that list how far pieces go.
const OF_DISTANCES: [&str; 6] = ["move", "moves", "movement", "distance", "rates", "allowance"];

/// The maximum number of tables named.
const MAX_TABLES: usize = 3;

/// Returns the lines that look up tables of distances.
pub(super) fn tables_of_distances(play: &Play) -> Vec<String> {
    let ruleset = play.referee().ruleset();
    let known = tables(ruleset).filter(|(_, text)| {
        let text = text.to_lowercase();
        let mut parts = text.split(|c: char| !c.is_alphanumeric());
        parts.any(|part| OF_DISTANCES.contains(&part))
    });
    known.take(MAX_TABLES).map(|(name, _)| format!("table {name}")).collect()
}

/// Returns the rule whose name and title best match some words; `None` if no rule matches all of
/// them, or if several match equally well.
fn rule_about(play: &Play, words: &[&str]) -> Option<String> {
    let rules = play.referee().ruleset().schema.rules.iter();
    nearest(words, rules.map(|rule| (rule.name.as_str(), format!("{} {}", rule.name, rule.title))))
}

/// Returns the name whose text best matches some words; `None` if no text contains all of them, or
/// if several match equally well.
fn nearest<'n>(words: &[&str], known: impl Iterator<Item = (&'n str, String)>) -> Option<String> {
    let whole = words.join("-");
    let score_of = |text: &str| {
        let text = text.to_lowercase();
        let parts: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |word: &&&str| parts.iter().any(|part| part.len() > 2 && is_alike(part, word));
        let exact = |word: &&&str| parts.contains(word);
        let count = words.iter().filter(has).count();
        let first = text.split(' ').next().unwrap_or_default();
        let is_name = first == whole || question_words::has_same_stem(first, &whole);
        if count < words.len() {
            return 0;
        }
        count * 2 + words.iter().filter(exact).count() + if is_name { 10 } else { 0 }
    };
    let mut scored: Vec<(usize, &str)> =
        known.map(|(name, text)| (score_of(&text), name)).filter(|(score, _)| *score > 0).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let (best, name) = *scored.first()?;
    let is_only = scored.get(1).is_none_or(|(second, _)| *second < best);
    is_only.then(|| name.to_owned())
}

/// Returns the `help` line for the first verb that the words after `help` mean, if they mean one.
fn help_about(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let text = command::typed_text(typed.line, typed.words_after_first());
    let verbs = command::verbs_in(play.referee(), play.session.table(), &text);
    let words = question_words::question_words(typed);
    let titled = || likely_lines::verbs_about(play, words.get(1..).unwrap_or_default());
    let verb = verbs.into_iter().next().or_else(|| titled().into_iter().next())?;
    Some(format!("help {verb}"))
}
