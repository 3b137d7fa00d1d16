//! Questions about reasons that name a piece: why it is as it is, why something didn't happen to it, and why it
//! can't do something.
//!
//! Questions about the last result in general are answered in `last_result`, and those about skipped phases in
//! `skipped_phases`.

use super::play::Play;
use super::question_words::{QuestionAnswer, bare_name};
use super::questions::{
    QUESTION_WORDS, TriedLine, attribute_asked, names_of_pieces, reply, tried_line,
    words_of_question,
};
use super::recent_results;
use super::reply::{Replied, Reply};
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};
use crate::render::markup::{Line, Role, Text};

/// Answers a question about a reason. Returns `None` for any other question.
pub(super) fn answer(play: &Play, typed: &TypedLine<'_>) -> Option<Replied> {
    let words = words_of_question(play, typed)?;
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    match texts.as_slice() {
        ["what", "happened", "to", ..] | ["what", "has", "happened", "to", ..] => {
            what_happened_to(play, &names_of_pieces(play, &words)).map(Ok)
        }
        ["why", rest @ ..] if rest.len() > 1 => why(play, rest),
        _ => None,
    }
}

/// Answers why something is as it is, if the question names a piece and one of its attributes or
/// values. Fails for any other question about a piece.
fn why(play: &Play, words: &[&str]) -> Option<Replied> {
    let table = play.session.table();
    let said: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    // `why did the tank stop` names the only tank.
    let by_name = words.iter().find_map(|word| table.find(bare_name(word)));
    // In `why did the freighter get nothing`, one of them is in the last results.
    let meant = || {
        let names = names_of_pieces(play, &said);
        let of_group = || {
            let group = command::groups_in(play.referee(), table, &words.join(" "));
            recent_results::latest_of(play, &group)
        };
        table.find(&names.into_iter().next().or_else(of_group)?)
    };
    let (kind, row) = by_name.or_else(meant)?;
    let name = table.piece_name(kind, row);
    let rest: Vec<&str> = words
        .iter()
        .filter(|word| !QUESTION_WORDS.contains(word) && table.find(bare_name(word)).is_none())
        .copied()
        .collect();
    if words.iter().filter(|word| table.find(bare_name(word)).is_some()).count() == 1
        && let [asked] = rest.as_slice()
        && let Some(attribute) = attribute_asked(play, kind, asked)
    {
        let line = format!("why {name}.{attribute}");
        let typed = TypedLine::read(&line).ok()?;
        return Some(super::words::why::explain(play, &typed));
    }
    if words == [name.as_str()] {
        return None;
    }
    // What didn't happen is past, but what can't be done is asked for now.
    let is_past =
        ["did", "didn't", "didnt", "wasn't", "wasnt"].iter().any(|did| words.contains(did));
    if is_past && let Some(reply) = what_happened_to(play, &asked_names(play, &said, &name)) {
        return Some(Ok(reply));
    }
    if let Some(reason) = why_not(play, words) {
        return Some(Ok(reply(reason, Vec::new())));
    }
    // What happened, or how the piece came to be as it is, may answer the question.
    let line = format!("why {name}");
    if asks_what_happened(words)
        && let Some(reply) = what_happened_to(play, &asked_names(play, &said, &name))
    {
        return Some(Ok(reply));
    }
    if let Some(hint) = hint_to_rule(play, words) {
        return Some(Ok(reply(
            format!("{hint}; `{line}` shows what happened to {name}"),
            Vec::new(),
        )));
    }
    let explained = super::words::why::explain(play, &TypedLine::read(&line).ok()?);
    let told = Text::of(Role::Notice, format!("read as `{line}`"));
    Some(explained.map(|mut answer| {
        let mut text = told;
        text.extend(std::mem::take(&mut answer.text));
        answer.text = text;
        answer
    }))
}

/// Words of a question about a result that may have changed nothing.
const HAPPENED: [&str; 6] = ["did", "no", "nothing", "only", "never", "get"];

fn asks_what_happened(words: &[&str]) -> bool {
    says_not(words) || words.iter().any(|word| HAPPENED.contains(word))
}

/// Returns a reply with the last results about the first of these pieces, and those about all of them first.
/// Returns `None` if there are none.
fn what_happened_to(play: &Play, names: &[String]) -> Option<Reply> {
    let name = names.first()?;
    let mut text = recent_results::about(play, names)?;
    let answer = recent_results::heading(name);
    let line = format!("why {name}");
    text.push(Line::of(Role::Notice, format!("`{line}` shows how {name} came to be as it is")));
    Some(Reply::new(text, QuestionAnswer { answer, listed: vec![line] }))
}

/// Returns the names of the pieces in a question, with the piece that it is about first.
fn asked_names(play: &Play, said: &[String], name: &str) -> Vec<String> {
    let others = names_of_pieces(play, said).into_iter().filter(|other| other != name);
    std::iter::once(name.to_owned()).chain(others).collect()
}

/// Words with which a question asks why something isn't done.
const NOT: [&str; 20] = [
    "hasn't", "hasnt", "haven't", "havent", "not", "can't", "cant", "cannot", "couldn't",
    "couldnt", "didn't", "didnt", "doesn't", "doesnt", "wasn't", "wasnt", "won't", "wont", "isn't",
    "isnt",
];

fn says_not(words: &[&str]) -> bool {
    words.iter().any(|word| NOT.contains(&word.replace('’', "'").as_str()))
}

/// Returns the reason why the rules refuse the line that a question asks about: `why can't ann
/// fire`. Returns `None` if the question isn't about something that isn't done.
fn why_not(play: &Play, words: &[&str]) -> Option<String> {
    let bare = |word: &str| word.replace('’', "'");
    if !says_not(words) {
        return None;
    }
    let said: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let said: Vec<String> = said.into_iter().filter(|word| !NOT.contains(&word.as_str())).collect();
    let table = play.session.table();
    let referee = play.referee();
    let names = names_of_pieces(play, &said);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = *names.first()?;
    let search = LineSearch::new(play.words, referee, table);
    let verbs = command::verbs_in(referee, table, &said.join(" "));
    // No piece acts on itself.
    let acts_on_itself = |one: &TriedLine| {
        let parts: Vec<&str> = one.line.split(' ').filter(|p| table.find(p).is_some()).collect();
        (1..parts.len()).any(|at| parts[..at].contains(&parts[at]))
    };
    // Rules that a phase runs automatically aren't typed.
    let phases = &referee.ruleset().phases;
    let is_typed =
        |verb: &&String| phases.iter().any(|phase| phase.verbs.iter().any(|(own, _)| own == *verb));
    for verb in verbs.iter().filter(is_typed) {
        let tried = tried_line(play, &search, verb, &names)
            .or_else(|| tried_line(play, &search, verb, &[name]))
            .filter(|one| !acts_on_itself(one));
        match tried {
            Some(TriedLine { line, refused: Some(reason) }) => {
                return Some(format!("`{line}` would be refused now: {reason}"));
            }
            Some(TriedLine { line, refused: None }) => {
                return Some(format!("`{line}` would be accepted now"));
            }
            None => {}
        }
    }
    None
}

/// Returns a hint to the rule that a question names, such as `spread` in `why didn't a2 spread`, if the
/// question is about something that wasn't done.
fn hint_to_rule(play: &Play, words: &[&str]) -> Option<String> {
    if !says_not(words) {
        return None;
    }
    let mut rules = play.referee().ruleset().schema.rules.iter().map(|rule| rule.name.as_str());
    let forms = words.iter().flat_map(|word| command::base_forms(word)).collect::<Vec<_>>();
    let rule = rules.find(|rule| forms.iter().any(|form| form == rule))?;
    Some(format!("`rule {rule}` explains when it happens"))
}
