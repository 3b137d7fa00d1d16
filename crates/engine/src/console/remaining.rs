//! Questions about what a piece has left: `how far can ann still go`, `how many shots has bob left`.

use super::play::Play;
use super::question_words;
use super::questions::{self, names_of_pieces};
use super::reply::Reply;
use super::suggest::LineSearch;
use crate::command;
use crate::language::schema::{Attribute, KindId, Type};

/// Words in the name or the title of an attribute that holds what is left of something.
const LEFT: [&str; 2] = ["left", "remaining"];

/// The minimum number of letters in a word that names what is left.
const MIN_LETTERS: usize = 4;

/// Words that begin a question about what is left.
const ASKS: [&str; 10] =
    ["how", "what", "any", "has", "does", "is", "moves", "movement", "inches", "points"];

/// Words after `how far` with which a question asks how far a piece can go.
const CAN: [&str; 6] = ["can", "may", "could", "does", "will", "is"];

/// Verbs of movement in such a question.
const GOES: [&str; 8] = ["go", "move", "run", "walk", "get", "travel", "drive", "sail"];

/// Numbers that are more than any piece can go, the largest first. The first that a usage allows is
/// tried.
const FAR: [&str; 9] = ["600", "200", "100", "60", "48", "36", "24", "12", "6"];

/// Answers a question about what a single piece has left: the values of its attributes that say so,
/// or else the reason why it couldn't go farther. Returns `None` for any other question, and if the
/// rules say neither.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let first = words.first()?.as_str();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let asks_far = first == "how"
        && words.get(1).is_some_and(|second| ["far", "much"].contains(&second.as_str()))
        && words.get(2).is_some_and(|third| CAN.contains(&third.as_str()))
        && has(&GOES);
    // `how many moves has ann got` names what is left.
    let counts = first == "how" && has(&["many", "much"]) && has(&["got", "has", "have"]);
    let asks_left = ASKS.contains(&first) && has(&LEFT);
    if !(asks_far || counts || asks_left) {
        return None;
    }
    let names_it = |value: &String| {
        let mut known = value.split([' ', '-']).map(str::to_lowercase);
        known.any(|known| {
            let is_it = |word: &String| {
                word.len() >= MIN_LETTERS
                    && !LEFT.contains(&word.as_str())
                    && question_words::has_same_stem(word, &known)
            };
            words.iter().any(is_it)
        })
    };
    let names = names_of_pieces(play, words);
    let name = match names.as_slice() {
        [name] => name,
        [] if asks_left => return left_of_anybody(play, names_it),
        _ => return None,
    };
    // How far a piece can go on other ground is another question.
    let is_value = |word: &String| command::is_parameter_value(play.referee(), word);
    if words.iter().any(is_value) {
        return None;
    }
    let (kind, row) = play.session.table().find(name)?;
    let mut left = values_left(play, kind, row);
    if counts {
        left.retain(names_it);
    }
    if !left.is_empty() {
        return Some(questions::reply(format!("{name}: {}", left.join(", ")), Vec::new()));
    }
    let reason = if asks_far { why_no_farther(play, name) } else { None }?;
    Some(questions::reply(reason, Vec::new()))
}

/// The maximum number of pieces named in an answer.
const MAX_NAMED: usize = 6;

/// Answers what the pieces of the side to move have left of something. Returns `None` if none of them has
/// anything of the kind left, or if too many have.
fn left_of_anybody(play: &Play, names_it: impl Fn(&String) -> bool) -> Option<Reply> {
    let table = play.session.table();
    let kinds = play.referee().ruleset().schema.piece_kinds().filter(|(_, kind)| !kind.plan);
    let pieces = kinds.flat_map(|(kind, _)| table.present_pieces(kind).map(move |row| (kind, row)));
    let moving = play.referee().side_to_move(table);
    let has_sides = !play.referee().sides(table).is_empty();
    // What belongs to no side isn't asked for.
    let is_own = |&(kind, row): &(KindId, u32)| {
        let side = play.referee().side_of_piece(table, kind, row);
        !has_sides || side.is_some() && (moving.is_none() || side == moving)
    };
    let left = pieces.filter(is_own).filter_map(|(kind, row)| {
        let mut left = values_left(play, kind, row);
        left.retain(&names_it);
        let name = table.piece_name(kind, row);
        (!left.is_empty()).then(|| format!("{name}: {}", left.join(", ")))
    });
    let left: Vec<String> = left.take(MAX_NAMED + 1).collect();
    let is_short = (1..=MAX_NAMED).contains(&left.len());
    is_short.then(|| questions::reply(left.join("; "), Vec::new()))
}

/// Returns the numbers among a piece's attributes that hold what is left of something, with their
/// titles. Secret attributes aren't listed. Neither is a 0, because a piece that hasn't acted may have
/// it, too.
fn values_left(play: &Play, kind: KindId, row: u32) -> Vec<String> {
    let referee = play.referee();
    let says_left = |attribute: &Attribute| {
        let title = attribute.title.as_deref().unwrap_or_default();
        let mut words = title.split(' ').chain(attribute.name.split('-'));
        words.any(|word| LEFT.contains(&word))
    };
    let attributes = referee.ruleset().schema.kind(kind).attributes.iter().enumerate();
    let is_number = |a: &Attribute| matches!(a.ty, Type::Whole | Type::Number);
    let asked = attributes.filter(|(_, a)| a.secret.is_none() && is_number(a) && says_left(a));
    asked
        .filter_map(|(index, attribute)| {
            let value = referee.attribute_text(play.session.table(), kind, row, index)?;
            if value == "0" {
                return None;
            }
            let title = attribute.title.as_deref().unwrap_or(&attribute.name);
            Some(format!("{value} {title}"))
        })
        .collect()
}

/// Returns the reason why a piece can't go as far as the usage of a verb allows, for the first verb
/// of this phase that takes only the piece and a distance.
fn why_no_farther(play: &Play, name: &str) -> Option<String> {
    let referee = play.referee();
    let table = play.session.table();
    let phase = referee.phase_index(table)?;
    let search = LineSearch::new(play.words, referee, table);
    let verbs = referee.ruleset().phases[phase].verbs.iter();
    verbs.map(|(verb, _)| verb).filter(|verb| question_words::is_verb(play, verb)).find_map(
        |verb| {
            let line = search.readable_line(verb, &[name])?;
            let mut parts = line.split(' ').skip(1);
            let goes = parts.next() == Some(name)
                && parts.next().is_some_and(|number| number.parse::<f64>().is_ok())
                && parts.next().is_none();
            let farthest = |far: &&str| {
                let longer = format!("{verb} {name} {far}");
                command::parse(referee, table, &longer).is_ok().then_some(longer)
            };
            let farthest = if goes { FAR.iter().find_map(farthest) } else { None }?;
            // A reason that also holds for the shortest way says nothing about the distance.
            let reason = questions::reason_for_refusal(play, &farthest)?;
            if questions::reason_for_refusal(play, &line).as_ref() == Some(&reason) {
                return None;
            }
            Some(questions::as_refused(&farthest, &reason))
        },
    )
}
