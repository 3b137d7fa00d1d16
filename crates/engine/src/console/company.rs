//! Lines in which a piece goes where another is, or takes another along: `bob goes with ann`, `carl follows
//! bob`, `ann takes the cart to b2`, `ann sends bob and carl to c1`.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use crate::command::{self, TypedLine};
use crate::language::schema::Type;

/// Words with which a piece goes where another is.
const FOLLOWS: [&str; 12] = [
    "with",
    "follows",
    "follow",
    "joins",
    "join",
    "after",
    "beside",
    "alongside",
    "accompanies",
    "behind",
    "escorts",
    "to",
];

/// Words that may come before one of [`FOLLOWS`], as in `goes along with`.
const GOES: [&str; 14] = [
    "goes", "go", "comes", "come", "moves", "walks", "runs", "tags", "gets", "stays", "along",
    "up", "over", "straight",
];

/// Verbs with which a piece takes or sends another somewhere.
const TAKES: [&str; 16] = [
    "takes", "take", "brings", "bring", "sends", "send", "leads", "lead", "gets", "drives",
    "pulls", "drags", "moves", "walks", "has", "puts",
];

/// Returns the line in which only the pieces go that a piece takes or sends somewhere, or in which a piece
/// goes to the place of another one. Returns `None` for any other line.
pub(super) fn line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    goes_with(play, typed).or_else(|| takes_along(play, typed))
}

/// Returns `bob to PLACE` for `bob goes along with ann`, who is in that place on the plan.
fn goes_with(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    let table = play.session.table();
    let (last, before) = words.split_last()?;
    let leader = command::find_spoken(table, last)?;
    let start = before.iter().rposition(|word| !is_one_of(word, &["the", "his", "her"]))?;
    let follows = &before[start];
    let goes = before[..start].iter().rev().take_while(|word| is_one_of(word, &GOES)).count();
    let subject = before.get(..start - goes)?;
    let is_joined = |word: &String| {
        is_one_of(word, &["and", "the"])
            || word.split(',').all(|w| command::find_spoken(table, w).is_some())
    };
    let only_follows =
        is_one_of(follows, &FOLLOWS) && (goes > 0 || !is_one_of(follows, &["with", "to"]));
    if !only_follows || subject.is_empty() || !subject.iter().all(is_joined) {
        return None;
    }
    let place = place_of(play, &leader)?;
    Some(format!("{} to {place}", subject.join(" ")))
}

/// Returns the place on the plan where a piece is; `None` if it is in none.
fn place_of(play: &Play, name: &str) -> Option<String> {
    let table = play.session.table();
    let (kind, row) = table.find(name)?;
    let schema = &play.referee().ruleset().schema;
    let plan = schema.plan_kind().filter(|plan| *plan != kind)?;
    let attributes = &schema.kind(kind).attributes;
    let at = attributes.iter().position(|a| a.ty == Type::Piece(plan) && !a.bookkeeping)?;
    let place = play.referee().attribute_text(table, kind, row, at)?;
    table.find(&place).is_some().then_some(place)
}

/// Returns `the cart to b2` for `ann takes the cart to b2`.
fn takes_along(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let (boss, rest) = typed.tokens.split_first()?;
    let (verb, taken) = rest.split_first()?;
    let bare = verb.bare();
    command::find_spoken(table, &boss.bare()).filter(|_| is_one_of(&bare, &TAKES))?;
    let line = &typed.line[taken.first()?.start..];
    // The pieces that are taken come first, and then where they go.
    let to = taken.iter().position(|word| {
        is_one_of(&word.bare(), &["to", "into", "onto", "up", "over", "across"])
    })?;
    let taken = &typed.line[taken.first()?.start..taken[to].start];
    (!names_of_pieces(play, &[taken.to_owned()]).is_empty()).then(|| line.to_owned())
}

/// Words between a piece and the place where it is.
const WHERE: [&str; 9] = ["from", "in", "at", "behind", "inside", "on", "by", "near", "under"];

/// Returns a line without the place of the acting piece, if the line gives it before the verb: `gm fires at
/// r1` for `gm from the farm fires at r1`. Returns `None` for any other line.
pub(super) fn without_place(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let little =
        |word: &&command::Token| is_one_of(&word.bare(), &["the", "a", "his", "her", "their"]);
    let tokens: Vec<&command::Token> = typed.tokens.iter().collect();
    let start = tokens.iter().take_while(|word| little(word)).count();
    let [subject, preposition, after @ ..] = tokens.get(start..)? else { return None };
    command::find_spoken(table, &subject.bare())?;
    let noun = after.iter().take_while(|word| little(word)).count();
    let verb = after.get(noun + 1)?;
    let verbs = command::verbs_in(play.referee(), table, &verb.text);
    (is_one_of(&preposition.bare(), &WHERE) && !verbs.is_empty())
        .then(|| format!("{} {}", subject.text, &typed.line[verb.start..]))
}

fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.contains(&word)
}
