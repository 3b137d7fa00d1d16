//! Questions whose words aren't all understood. The nearest answer is given, and it makes clear
//! which question it answers. A question never changes the game, so a wrong guess does no harm.

use super::attribute_lists;
use super::corrections;
use super::likely_lines::unknown_words;
use super::lookups;
use super::play::Play;
use super::question_forms;
use super::question_words::{self, is_verb};
use super::questions;
use super::recent_results;
use super::reply::Reply;
use super::rule_search;
use super::standings;
use super::suggest::LineSearch;
use super::verb_relevance;
use super::words::show;
use crate::command::{self, NearestBudget, TypedLine};
use crate::language::schema::KindRole;
use crate::render::markup::Text;

/// The maximum number of pieces shown for one question.
const MAX_SHOWN: usize = 3;

/// Words for all pieces in a question about where they are.
const EVERYBODY: [&str; 6] = ["everybody", "everyone", "everything", "they", "all", "people"];

/// The maximum number of pieces of a group that are shown for one question.
const MAX_OF_GROUP: usize = 12;

/// Words with which a question asks who still has to act.
const STILL: [&str; 12] = [
    "first",
    "next",
    "yet",
    "still",
    "left",
    "not",
    "hasn't",
    "hasnt",
    "haven't",
    "havent",
    "last",
    "remaining",
];

/// Words after `can` that show that a question isn't about what a piece can do.
const SPEAKERS: [&str; 7] = ["you", "we", "i", "they", "he", "she", "it"];

/// Words for the pieces of the last command.
const PRONOUNS: [&str; 5] = ["he", "she", "him", "her", "they"];

/// Words of a question that ask for a distance between two pieces.
const ABOUT_DISTANCE: [&str; 8] =
    ["reach", "reaches", "range", "distance", "near", "close", "adjacent", "beside"];

/// The answer closest to a question.
pub(super) enum NearestAnswer {
    /// A complete answer.
    Reply(Box<Reply>),
    /// A line that looks up the answer.
    Look(String),
}

/// Returns the nearest answer to a question that can't be read in any other way. Returns `None` if
/// the line is neither a question nor a lookup, or if nothing in it is known.
pub(super) fn find(play: &Play, typed: &TypedLine<'_>) -> Option<NearestAnswer> {
    if typed.insist {
        return None;
    }
    let words = question_words::question_words(typed);
    // Without the name of a table, all of them are listed.
    if words.iter().any(|word| word == "tables" || word == "charts") {
        return None;
    }
    if let Some(look) = question_forms::what_was_rolled(play, &words) {
        return Some(NearestAnswer::Look(look));
    }
    if let Some(look) = lookups::line(play, typed).filter(|look| look != typed.line.trim()) {
        return Some(NearestAnswer::Look(look));
    }
    if !question_words::is_question(typed) {
        let listed = attribute_lists::of_bare_name(play, &words)?;
        return Some(NearestAnswer::Reply(Box::new(listed)));
    }
    let first = words.first()?.as_str();
    if let Some(rule) = rule_with_modifiers(play, &words) {
        return Some(NearestAnswer::Look(rule));
    }
    if questions::asks_chances(&words) {
        return odds_of_that(play, typed, &words).map(NearestAnswer::Look);
    }
    let asks_ability = matches!(first, "can" | "could" | "would" | "will");
    // `why` and `how far` report the questions about reasons and distances that they can't answer.
    let is_of_far = !asks_ability && words.get(1).is_some_and(|second| second == "far");
    if is_of_far
        && words.get(2).is_some_and(|word| ["can", "could", "does", "may"].contains(&word.as_str()))
        && let [table] = lookups::tables_of_distances(play).as_slice()
    {
        return Some(NearestAnswer::Look(table.clone()));
    }
    if first == "why" || is_of_far {
        return None;
    }
    let names = questions::names_of_pieces(play, &words);
    if let [one, other] = names.as_slice()
        && words.iter().any(|word| ABOUT_DISTANCE.contains(&word.as_str()))
        && let Some(reply) = questions::distance_between(play, one, other)
    {
        return Some(NearestAnswer::Reply(Box::new(reply)));
    }
    if asks_ability {
        let reply = what_it_could_do(play, typed, &words)?;
        return Some(NearestAnswer::Reply(Box::new(reply)));
    }
    if let [name] = names.as_slice()
        && matches!(first, "what" | "which" | "who")
        && words.iter().any(|word| ["can", "could", "may"].contains(&word.as_str()))
        && let Some((kind, row)) = play.session.table().find(name)
        && let Some(reply) = questions::belongs_elsewhere(play, &words)
            .or_else(|| questions::what_it_can_act_on(play, kind, row))
            .or_else(|| {
                let asks_all = ["reach", "hit", "do"];
                let asks_all = words.iter().any(|word| asks_all.contains(&word.as_str()));
                asks_all.then(|| questions::what_it_may_do(play, kind, row))
            })
    {
        return Some(NearestAnswer::Reply(Box::new(reply)));
    }
    if let [name] = names.as_slice()
        && let Some(line) = shows_parts(play, name, &words)
    {
        return Some(NearestAnswer::Look(line));
    }
    if let Some(line) = what_if(play, typed) {
        return Some(line);
    }
    if matches!(first, "what" | "which" | "where")
        && let Some(line) = looking_line(play, &words, &names)
    {
        return Some(NearestAnswer::Look(line));
    }
    let sides = play.referee().sides(play.session.table());
    // `who can search for casualties` doesn't ask how many there are.
    let asks_who_can =
        words.get(1).is_some_and(|second| ["can", "could", "may"].contains(&second.as_str()));
    if names.iter().all(|name| sides.contains(name))
        && !asks_who_can
        && let Some(lines) = standings::measured(play, &words)
    {
        return Some(NearestAnswer::Reply(Box::new(questions::how_it_stands(lines))));
    }
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if first == "how" && standings::is_asked_plainly(&texts) {
        // A game that measures nothing has only its pieces to show.
        return Some(NearestAnswer::Look("show".to_owned()));
    }
    if !names.is_empty() && names.len() <= MAX_SHOWN {
        return Some(NearestAnswer::Look(format!("show {}", names.join(" "))));
    }
    if names.is_empty() && matches!(first, "where" | "how" | "what" | "who" | "which") {
        // In `how do I` and `what is`, no row `i` of the plan is meant.
        let may_name = |word: &&str| !["i", "is"].contains(word);
        let spoken: Vec<&str> = words.iter().map(String::as_str).filter(may_name).collect();
        let spoken = spoken.join(" ");
        let members = command::groups_in(play.referee(), play.session.table(), &spoken);
        if (1..=MAX_OF_GROUP).contains(&members.len()) {
            return Some(NearestAnswer::Look(format!("show {}", members.join(" "))));
        }
    }
    let is_about_all = || {
        words.iter().any(|word| EVERYBODY.contains(&word.as_str()))
            || unknown_words(play, typed.line).is_empty()
    };
    let mut of_sides = sides.iter();
    if let Some(side) = of_sides.find(|side| words.iter().any(|w| w.eq_ignore_ascii_case(side)))
        && matches!(first, "where" | "who" | "which" | "what" | "how")
        && !words.iter().any(|word| is_verb(play, word))
    {
        let shown = format!("show {side}");
        if show::is_shown(play, &shown) {
            return Some(NearestAnswer::Look(shown));
        }
    }
    if first == "where" && names.is_empty() && is_about_all() {
        return Some(NearestAnswer::Look("show".to_owned()));
    }
    // `is he hit` is about the pieces of the last command.
    if names.is_empty()
        && first != "whose"
        && words.iter().skip(1).any(|word| PRONOUNS.contains(&word.as_str()))
        && let Some(last) = play.session.entries().last()
    {
        let line: Vec<String> = last.line.split([' ', ',']).map(str::to_owned).collect();
        let of_last = questions::names_of_pieces(play, &line);
        if !of_last.is_empty() && of_last.len() <= MAX_SHOWN {
            return Some(NearestAnswer::Look(format!("show {}", of_last.join(" "))));
        }
    }
    let is_under_way = play.referee().phase_index(play.session.table()).is_some();
    let asks_who = matches!(first, "who" | "which" | "what");
    let is_left = words.iter().any(|w| STILL.contains(&w.as_str()));
    if is_under_way && asks_who && is_left && !questions::names_value(play, &words) {
        let acts = words.iter().any(|word| is_verb(play, word));
        return acts.then(|| NearestAnswer::Look("left".to_owned()));
    }
    if names.is_empty()
        && let Some(look) = rule_search::looking_line(play, &words)
    {
        return Some(NearestAnswer::Look(look));
    }
    let mut kinds = play.referee().ruleset().schema.all_kinds();
    let kind = kinds.find_map(|(_, kind)| {
        let at = words.iter().position(|word| word.eq_ignore_ascii_case(&kind.plural))?;
        (kind.role == KindRole::Pieces).then(|| (at, kind.plural.clone()))
    });
    let Some((at, plural)) = kind else {
        let reply = attribute_lists::answer(play, &words).filter(|_| names.is_empty())?;
        return Some(NearestAnswer::Reply(Box::new(reply)));
    };
    // The words that follow may select some of the pieces.
    let rest: Vec<&str> = words[at + 1..]
        .iter()
        .map(String::as_str)
        .filter(|word| !questions::QUESTION_WORDS.contains(word) && *word != "in")
        .collect();
    let described = format!("show {plural} {}", rest.join(" "));
    let is_shown = !rest.is_empty() && show::is_shown(play, &described);
    Some(NearestAnswer::Look(if is_shown { described } else { format!("show {plural}") }))
}

/// Returns the line that shows the pieces of another kind that belong to a piece, if a question names the piece
/// and that kind: `show guns bob` for `what guns has bob got left`.
fn shows_parts(play: &Play, name: &str, words: &[String]) -> Option<String> {
    let mut kinds = play.referee().ruleset().schema.piece_kinds().filter(|(_, of)| !of.plan);
    let line = kinds.find_map(|(_, of)| {
        let is_named = words.iter().any(|word| word.eq_ignore_ascii_case(&of.plural));
        is_named.then(|| format!("show {} {name}", of.plural))
    })?;
    show::is_shown(play, &line).then_some(line)
}

/// The maximum number of other verbs to which `help` refers.
const MAX_OTHER_VERBS: usize = 4;

/// The minimum number of points with which `help` refers to a verb.
const LIKELY: u32 = 4;

/// Returns help that names the rules which a question may be about, if it is answered only by showing
/// the pieces that it names, or the other verbs that the word after `help` may mean.
pub(super) fn places_beside(play: &Play, typed: &TypedLine<'_>, look: &str) -> Option<String> {
    if let Some(verb) = look.strip_prefix("help ") {
        let ruleset = play.referee().ruleset();
        let words = question_words::question_words(typed);
        let others = ruleset.verbs().filter(|one| ruleset.is_typed_verb(one) && *one != verb);
        let about = words.get(1..).unwrap_or_default();
        let likely = verb_relevance::by_relevance(play, others, typed, about).into_iter();
        let likely = likely.filter(|(_, points)| *points >= LIKELY).take(MAX_OTHER_VERBS);
        let lines: Vec<String> = likely.map(|(other, _)| format!("`help {other}`")).collect();
        return (!lines.is_empty()).then(|| format!("see also {}", lines.join(", ")));
    }
    let shows = look.starts_with("show ") && question_words::is_question(typed);
    let words = question_words::question_words(typed);
    shows.then(|| rule_search::remark(play, &words))?
}

/// Returns the line that shows a rule, for a question about its modifiers that names no piece: `rule charge` for
/// `what modifiers does a charge have`.
fn rule_with_modifiers(play: &Play, words: &[String]) -> Option<String> {
    let asks = words.iter().any(|word| ["modifier", "modifiers"].contains(&word.as_str()));
    if !asks || !questions::names_of_pieces(play, words).is_empty() {
        return None;
    }
    let verbs = command::verbs_in(play.referee(), play.session.table(), &words.join(" "));
    let [verb] = verbs.as_slice() else { return None };
    Some(format!("rule {verb}"))
}

/// Words of a question about something that has happened.
const HAPPENED: [&str; 5] = ["did", "was", "were", "got", "happened"];

/// Returns the last results about the pieces of a question, if it asks what happened and is answered only by
/// showing them: `so did they get it`.
pub(super) fn results_beside(play: &Play, typed: &TypedLine<'_>, look: &str) -> Option<Text> {
    let words = question_words::question_words(typed);
    let is_past = words.iter().any(|word| HAPPENED.contains(&word.as_str()));
    let pieces = look.strip_prefix("show ").filter(|_| is_past && words.len() > 2)?;
    let names = questions::names_of_pieces(play, &[pieces.to_owned()]);
    recent_results::about(play, &names)
}

/// Answers a question about the outcome of a possible line, such as `what happens if bob fires at
/// ann`, with its odds or the reason for its refusal.
fn what_if(play: &Play, typed: &TypedLine<'_>) -> Option<NearestAnswer> {
    let (asked, condition) = typed.line.split_once(" if ")?;
    if !asked.to_lowercase().starts_with("what") {
        return None;
    }
    let condition = condition.trim_end_matches(['?', ' ']);
    let begun = ["it had been ", "it was ", "it were ", "it is ", "they had "];
    let condition =
        begun.iter().find_map(|words| condition.strip_prefix(words)).unwrap_or(condition);
    let table = play.session.table();
    let search = LineSearch::new(play.words, play.referee(), table);
    let near = command::nearest_lines(play.referee(), table, condition, &NearestBudget::new());
    if let Some(line) = near.iter().find(|near| search.accepts(&near.line)) {
        return Some(NearestAnswer::Look(format!("odds {}", line.line)));
    }
    let refused = questions::refusal_of(play, &near.first()?.line)?;
    Some(NearestAnswer::Reply(Box::new(questions::reply(refused, Vec::new()))))
}

/// Returns a line that only looks something up, if a question has a form of its verb in it and names
/// its pieces and no others: `what are ann's orders` for `orders ann`.
fn looking_line(play: &Play, words: &[String], names: &[String]) -> Option<String> {
    let table = play.session.table();
    let ruleset = play.referee().ruleset();
    let search = LineSearch::new(play.words, play.referee(), table);
    let pieces: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_asked = |verb: &&str| {
        words.iter().any(|word| {
            word.len() >= MIN_VERB
                && command::find_spoken(table, word).is_none()
                && question_words::has_same_stem(verb, word)
        })
    };
    let verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb)).filter(is_asked);
    let with_pieces = |verb: &str| {
        // `which guns of ann bear on bob` may be answered for ann alone.
        let some = [&pieces[..], pieces.get(..1).unwrap_or_default()].into_iter();
        some.filter_map(|some| search.line_with(verb, some, &|_| true)).next()
    };
    let mut lines = verbs.filter_map(with_pieces);
    lines.find(|line| search.only_looks(line))
}

/// The minimum number of letters in a form of a verb that only looks something up.
const MIN_VERB: usize = 4;

/// Words for the line that was proposed or typed before.
const THAT: [&str; 4] = ["that", "this", "it", "one"];

/// Returns the `odds` line for a question such as `how likely is that`, which is about the proposed
/// line that was discarded, or else about the last command.
fn odds_of_that(play: &Play, typed: &TypedLine<'_>, words: &[String]) -> Option<String> {
    // `odds` alone lacks its line, but `odds?` asks about the last one.
    let is_bare = words.len() == 1 && typed.line.trim().ends_with('?');
    let asks = is_bare || words.last().is_some_and(|last| THAT.contains(&last.as_str()));
    let last = || corrections::last_replaceable(play).map(|last| last.line.as_str());
    let line = play.refused.as_deref().or_else(last).filter(|_| asks)?;
    let verb = line.split(' ').next()?;
    play.referee().ruleset().has_verb(verb).then(|| format!("odds {line}"))
}

/// The minimum number of words in a question about a possible action that the rules may answer.
const MIN_WORDS_ABOUT_RULES: usize = 5;

/// Answers a question about a possible action of a piece, with the nearest line or the reason why
/// the rules refuse it. If there is no such line, the answer leaves the decision to the umpire and,
/// if the question contains a verb, shows some possible lines. Returns `None` if the question is
/// not about a piece.
fn what_it_could_do(play: &Play, typed: &TypedLine<'_>, words: &[String]) -> Option<Reply> {
    let asked = words.get(1)?;
    if SPEAKERS.contains(&asked.as_str()) {
        return None;
    }
    let table = play.session.table();
    let name = words.iter().find_map(|word| command::find_spoken(table, word))?;
    let (kind, row) = table.find(&name)?;
    let text = command::typed_text(typed.line, typed.words_after_first());
    let asked_line = text.trim_end_matches(['?', ' ']);
    let search = LineSearch::new(play.words, play.referee(), table);
    let near = command::nearest_lines(play.referee(), table, asked_line, &NearestBudget::new());
    if let Some(accepted) = near.iter().find(|near| search.accepts(&near.line)) {
        let line = accepted.line.clone();
        return Some(questions::reply(format!("`{line}` would be accepted now"), vec![line]));
    }
    if let [only] = near.as_slice()
        && let Some(refused) = questions::refusal_of(play, &only.line)
    {
        return Some(questions::reply(refused, Vec::new()));
    }
    let may_act = command::verbs_in(play.referee(), table, asked_line);
    let is_general = command::find_spoken(table, asked).is_none();
    if is_general
        && may_act.is_empty()
        && words.len() >= MIN_WORDS_ABOUT_RULES
        && let Some(quote) = rule_search::quoted_reply(play, words)
    {
        return Some(quote);
    }
    let lines = if may_act.is_empty() { Vec::new() } else { questions::lines_about(play, words) };
    let answer = if may_act.is_empty() {
        format!("that is for you to judge on the table; `what {name}` lists what {name} can do now")
    } else if lines.is_empty() {
        let nothing = questions::can_do_nothing(play, kind, row);
        format!("that is for you to judge on the table; {nothing}")
    } else {
        format!("that is for you to judge on the table; {name} can do this now, for example:")
    };
    Some(questions::reply(answer, lines))
}
