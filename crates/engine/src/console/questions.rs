//! Questions about the game as people ask them: what a piece may do now, who can do something, how
//! far it is, and why something is as it is. A question never changes the game.

use super::play::Play;
use super::question_words::{self, QuestionAnswer, bare_name};
use super::reply::{Replied, Reply};
use super::standings;
use super::suggest::LineSearch;
use crate::command::{self, LineError, TypedLine};
use crate::language::machine::World;
use crate::language::schema::{Attribute, KindId, STATE_KIND, Type};
use crate::names;
use crate::referee::Action;
use crate::render::markup::{Line, Role, Text};
use crate::tabletop::Argument;

/// The maximum number of lines listed for a piece.
const MAX_LISTED: usize = 8;

/// The maximum number of lines proposed in place of one that can't be read.
pub(super) const MAX_PROPOSED: usize = 3;

/// Words in a question about a piece that carry no information about its subject.
pub(super) const QUESTION_WORDS: [&str; 33] = [
    "what",
    "which",
    "who",
    "how",
    "is",
    "are",
    "was",
    "does",
    "do",
    "did",
    "has",
    "have",
    "had",
    "got",
    "left",
    "the",
    "a",
    "an",
    "any",
    "much",
    "many",
    "of",
    "its",
    "it",
    "now",
    "still",
    "been",
    "taken",
    "remaining",
    "there",
    "s",
    "at",
    "where",
];

/// Questions about the people who play.
const PLAYERS: [&str; 8] = [
    "who is playing tonight",
    "how many players have we got",
    "who is playing",
    "who plays",
    "who are the players",
    "how many players",
    "how many are playing",
    "how many people",
];

/// Words of a question about chances.
pub(super) const CHANCES: [&str; 11] = [
    "odds",
    "chance",
    "chances",
    "probability",
    "likely",
    "likelihood",
    "need",
    "needs",
    "needed",
    "modifiers",
    "modifier",
];

/// Returns the words of a line that may be a question; `None` if it begins with a verb of the game.
pub(super) fn words_of_question(play: &Play, typed: &TypedLine<'_>) -> Option<Vec<String>> {
    let first = typed.tokens.first().filter(|word| !word.quoted)?;
    let is_command = play.referee().ruleset().has_verb(&first.text);
    (!is_command).then(|| question_words::question_words(typed))
}

/// Answers a question. Returns `None` if the line isn't a question that is answered here.
pub(super) fn answer(play: &Play, typed: &TypedLine<'_>) -> Option<Replied> {
    let words = words_of_question(play, typed)?;
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if let ["what", "can" | "may" | "could" | "does" | "is" | "should", rest @ ..] =
        texts.as_slice()
        && let Some(reply) = what_somebody_may_do(play, rest)
    {
        return Some(Ok(reply));
    }
    if PLAYERS.contains(&texts.join(" ").as_str()) {
        return Some(Ok(who_plays(play)));
    }
    if standings::is_asked_plainly(&texts)
        && let Some(lines) = standings::measured(play, &words)
    {
        return Some(Ok(how_it_stands(lines)));
    }
    match texts.as_slice() {
        ["what", "else", "can" | "may" | "could", rest @ ..] => {
            what_somebody_may_do(play, rest).map(Ok)
        }
        ["what", piece] => {
            let (kind, row) = play.session.table().find(piece)?;
            Some(Ok(what_it_may_do(play, kind, row)))
        }
        ["what", "is", "the" | "distance" | "range", ..]
            if texts.contains(&"distance") || texts.contains(&"range") =>
        {
            let names = names_of_pieces(play, &words);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            how_far(play, &names)
        }
        ["what" | "who" | "which", "is" | "are", near, rest @ ..] if NEAR.contains(near) => {
            what_is_near(play, rest)
        }
        [
            "is" | "are" | "who" | "any",
            "is" | "anyone" | "anybody" | "anything" | "men" | "people",
            within @ ("on" | "in" | "at" | "aboard" | "inside"),
            rest @ ..,
        ] if kind_in(play, rest).is_some() => {
            kind_in(play, rest).map(|kind| Ok(who_is_in_kind(play, kind, within)))
        }
        [
            "what" | "who",
            "is" | "are",
            "on" | "in" | "at" | "aboard" | "inside" | "with",
            rest @ ..,
        ] => who_is_with(play, rest),
        ["who" | "what" | "which", verb, at @ ("at" | "on" | "against"), rest @ ..]
            if !rest.is_empty() && question_words::is_verb(play, verb) =>
        {
            who_can(play, &[&["can", singular_verb(verb), *at], rest].concat(), None)
        }
        ["who" | "what" | "which", rest @ ..] if rest.len() > 1 => who_can(play, rest, None),
        ["are" | "is" | "any" | "anyone" | "anybody", rest @ ..]
            if rest.windows(2).any(|pair| matches!(pair, ["who", "can" | "could"])) =>
        {
            let who = rest.iter().position(|word| *word == "who")?;
            let sides = play.referee().sides(play.session.table());
            let is_named = |side: &&String| {
                let plural = format!("{side}s");
                let mut before = rest[..who].iter();
                before.any(|word| [side.as_str(), &plural].contains(word))
            };
            let side = sides.iter().find(is_named);
            who_can(play, &rest[who + 1..], side.map(String::as_str))
        }
        ["range" | "distance", "from" | "between" | "of", ..] => {
            let names = names_of_pieces(play, &words);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if names.len() == 2 { how_far(play, &names) } else { None }
        }
        ["whose", what, ..] if TURN_WORDS.contains(what) => Some(Ok(whose_turn_it_is(play))),
        ["how", "far", rest @ ..] => how_far(play, rest),
        _ => None,
    }
}

/// Returns a reply with an answer and a list below it.
pub(super) fn reply(answer: String, listed: Vec<String>) -> Reply {
    let mut text = text_of_answer(&answer);
    for line in &listed {
        text.push(Line::of(Role::Plain, "  ").and(Role::Strong, line));
    }
    Reply::new(text, QuestionAnswer { answer, listed })
}

/// Returns the reply to a question about how the game stands.
pub(super) fn how_it_stands(measured: Vec<String>) -> Reply {
    reply("how the game stands:".to_owned(), measured)
}

/// Returns a reply with an answer that already contains the names in `listed`.
fn reply_with_names(answer: String, listed: Vec<String>) -> Reply {
    Reply::new(text_of_answer(&answer), QuestionAnswer { answer, listed })
}

fn text_of_answer(answer: &str) -> Text {
    Text::from_iter([Line::of(Role::Plain, answer).with_hanging_indent(2)])
}

/// Lists the players. If the ruleset has none, lists the sides.
fn who_plays(play: &Play) -> Reply {
    let table = play.session.table();
    let players = play.referee().players(table);
    let players: Vec<String> = players.into_iter().map(|player| player.name).collect();
    let (names, noun) = if players.is_empty() {
        (play.referee().sides(table).into_iter().collect(), "side")
    } else {
        (players, "player")
    };
    let count = names::count_with_noun(names.len(), noun);
    let list = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    reply(format!("{count}{list}"), Vec::new())
}

/// Endings of a question about what somebody can do.
const TO_DO: [&str; 9] = [
    "do",
    "allowed to do",
    "able to do",
    "still do",
    "do now",
    "do next",
    "still do now",
    "do this phase",
    "do here",
];

/// Lists what a piece or side may do now. The words name that piece or side, as in `the pak do` or
/// `jones allowed to do`. Returns `None` for any other words.
fn what_somebody_may_do(play: &Play, words: &[&str]) -> Option<Reply> {
    let words: Vec<&str> =
        words.iter().copied().filter(|word| !["the", "else"].contains(word)).collect();
    let (who, rest) = words.split_first()?;
    if !TO_DO.contains(&rest.join(" ").as_str()) {
        return None;
    }
    let table = play.session.table();
    let name = names_of_pieces(play, &[(*who).to_owned()]).pop();
    let singular = who.strip_suffix('s').unwrap_or(who);
    let mut sides = play.referee().sides(table).into_iter();
    let is_side = |side: &String| {
        [*who, singular].iter().any(|word| side.eq_ignore_ascii_case(word))
            || name.as_ref() == Some(side)
    };
    if let Some(side) = sides.find(is_side) {
        return Some(what_side_may_do(play, &side));
    }
    // For a group, the first of them shows what they may do.
    let first = name.or_else(|| command::groups_in(play.referee(), table, who).into_iter().next());
    let (kind, row) = table.find(&first?)?;
    Some(what_it_may_do(play, kind, row))
}

/// Lists what the pieces of a side may do now, a line for each verb of the phase.
pub(super) fn what_side_may_do(play: &Play, side: &str) -> Reply {
    let lines = lines_of_side(play, side, MAX_LISTED);
    let moving = play.referee().side_to_move(play.session.table());
    let answer = match (lines.is_empty(), moving) {
        (true, Some(moving)) if moving != side => {
            format!("{side} can do nothing now: {moving} is to move")
        }
        (true, _) => {
            let later = verbs_in_later_phase(play, side);
            format!("{side} has nothing to do in this phase{}", later.unwrap_or_default())
        }
        (false, _) => format!("{side} can do this now, for example:"),
    };
    reply(answer, lines)
}

/// The maximum number of verbs named for a later phase.
const MAX_LATER: usize = 6;

/// Returns a clause that names the next phase in which pieces of a side act, with some of its verbs; `None` if
/// there is none in this turn.
fn verbs_in_later_phase(play: &Play, side: &str) -> Option<String> {
    let table = play.session.table();
    let referee = play.referee();
    let phases = &referee.ruleset().phases;
    let here = referee.phase_index(table)?;
    let is_of_side = |kind: KindId| {
        let mut rows = table.present_pieces(kind);
        rows.any(|row| referee.side_of_piece(table, kind, row).as_deref() == Some(side))
    };
    let verbs_of = |index: &usize| {
        let verbs = phases[*index].verbs.iter().map(|(verb, _)| verb.as_str());
        let acts = |verb: &&str| {
            let kinds = acting_kinds(play, std::iter::once(*verb));
            kinds.into_iter().any(is_of_side)
        };
        verbs.filter(acts).take(MAX_LATER).collect::<Vec<_>>()
    };
    let index = (here + 1..phases.len()).find(|index| !verbs_of(index).is_empty())?;
    let verbs = names::quote_names(&verbs_of(&index));
    Some(format!(", but in phase {}, {}: {verbs}", index + 1, phases[index].title))
}

/// Returns lines with which a piece of a side could act now, one for each verb of the phase, at
/// most `most`.
pub(super) fn lines_of_side(play: &Play, side: &str, most: usize) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return Vec::new() };
    let ruleset = referee.ruleset();
    let search = LineSearch::new(play.words, referee, table);
    let mut lines = Vec::new();
    for (verb, _) in &ruleset.phases[phase].verbs {
        let rules = ruleset.rules_for_verb(verb);
        let acting = rules.iter().find_map(|id| {
            let rule = &ruleset.schema.rules[id.index()];
            let Type::Piece(kind) = rule.params[rule.acting_piece()?].ty.member_or_self() else {
                return None;
            };
            Some(kind)
        });
        let Some(kind) = acting else { continue };
        let of_side = |row: &u32| referee.side_of_piece(table, kind, *row).as_deref() == Some(side);
        let mut rows = table.present_pieces(kind).filter(of_side);
        let line = rows.find_map(|row| {
            let acts = |action: &Action| acting_rows(play, action, kind).contains(&row);
            search.line_with(verb, &[&table.piece_name(kind, row)], &acts)
        });
        lines.extend(line);
        if lines.len() == most {
            break;
        }
    }
    lines
}

/// Lists what a piece may do now, a line for each verb.
pub(super) fn what_it_may_do(play: &Play, kind: KindId, row: u32) -> Reply {
    let name = play.session.table().piece_name(kind, row);
    let mut lines = lines_of_piece(play, kind, row, MAX_LISTED, true);
    if lines.is_empty() {
        lines = lines_of_piece(play, kind, row, MAX_LISTED, false);
    }
    let answer = if lines.is_empty() {
        let nothing = can_do_nothing(play, kind, row);
        format!("{nothing}; `show {name}` shows all that is known about it")
    } else {
        format!("{name} can do this now, for example:")
    };
    reply(answer, lines)
}

/// Returns a sentence to report that a piece can do nothing now. If another side is to move, the
/// sentence gives that as the reason.
pub(super) fn can_do_nothing(play: &Play, kind: KindId, row: u32) -> String {
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let moving = play.referee().side_to_move(table);
    match (moving, play.referee().side_of_piece(table, kind, row)) {
        (Some(moving), Some(side)) if moving != side => {
            format!("{name} can do nothing now: {moving} is to move")
        }
        _ => {
            let nothing = format!("{name} can do nothing in this phase");
            if let Some((other, line)) = line_of_related_piece(play, kind, row) {
                return format!("{nothing}, but {other} can, for example `{line}`");
            }
            match why_nothing(play, kind, row) {
                Some((line, reason)) => format!("{nothing}; `{line}` would be refused: {reason}"),
                None => nothing,
            }
        }
    }
}

/// Returns a piece that refers to this one, or that this one refers to, and that could act now, with
/// a line for it: the hose that a team holds, or the crew of a gun. Areas of the plan and pieces of
/// other sides don't count.
fn line_of_related_piece(play: &Play, kind: KindId, row: u32) -> Option<(String, String)> {
    let table = play.session.table();
    let schema = &play.referee().ruleset().schema;
    let side = |of: KindId, other: u32| play.referee().side_of_piece(table, of, other);
    let own = side(kind, row);
    let mut related: Vec<(KindId, u32)> = Vec::new();
    for attribute in schema.kind(kind).attributes.iter().filter(|a| !a.bookkeeping) {
        let (Type::Piece(of), Some(cell)) = (attribute.ty, attribute.storage.cell()) else {
            continue;
        };
        let other = u32::try_from(table.get(cell, row)).ok();
        related.extend(
            other.filter(|other| table.present_pieces(of).any(|r| r == *other)).map(|r| (of, r)),
        );
    }
    for (of, described) in schema.piece_kinds() {
        let refers = |a: &&Attribute| a.ty == Type::Piece(kind) && !a.bookkeeping;
        for cell in described.attributes.iter().filter(refers).filter_map(|a| a.storage.cell()) {
            let holders =
                table.present_pieces(of).filter(|&r| table.get(cell, r) == i64::from(row));
            related.extend(holders.map(|r| (of, r)));
        }
    }
    related.retain(|&(of, r)| !schema.kind(of).plan && of != kind && side(of, r) == own);
    related.into_iter().take(MAX_RELATED).find_map(|(of, r)| {
        let line = lines_of_piece(play, of, r, 1, true).pop()?;
        Some((table.piece_name(of, r), line))
    })
}

/// The maximum number of related pieces for which a line is sought.
const MAX_RELATED: usize = 4;

/// The maximum number of verbs that are tried to find out why a piece can do nothing.
const MAX_REASONS: usize = 3;

/// Returns a line with one of this phase's verbs and the reason why it would be refused, if the line
/// names no other piece, or if the reason is the same with another piece. Only the first few verbs
/// are tried.
fn why_nothing(play: &Play, kind: KindId, row: u32) -> Option<(String, String)> {
    let referee = play.referee();
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let phase = &referee.ruleset().phases[referee.phase_index(table)?];
    let search = LineSearch::new(play.words, referee, table);
    let verbs = phase.verbs.iter().map(|(verb, _)| verb.as_str());
    let mut verbs = verbs.filter(|verb| takes_kind(play, verb, kind)).take(MAX_REASONS);
    let refusal = |line: &str| {
        let command = command::parse(referee, table, line).ok()??;
        let acts = acting_rows(play, &command.action, kind).contains(&row);
        play.refusal(&command).filter(|_| acts)
    };
    verbs.find_map(|verb| {
        let line = search.readable_line(verb, &[&name])?;
        let reason = refusal(&line)?;
        // With another piece in the line, the reason may be that piece, unless a third one gets
        // the same reason.
        let others = names_of_pieces(play, std::slice::from_ref(&line));
        let Some(other) = others.iter().find(|other| **other != name) else {
            return Some((line, reason));
        };
        let third = similar_piece(play, other, &others)?;
        let words = line.split(' ').map(|word| if word == other { &third } else { word });
        let with_third = words.collect::<Vec<_>>().join(" ");
        (refusal(&with_third).as_ref() == Some(&reason)).then_some((line, reason))
    })
}

/// Returns a piece of the same kind and side as a piece, other than those known already.
fn similar_piece(play: &Play, name: &str, known: &[String]) -> Option<String> {
    let table = play.session.table();
    let (kind, row) = table.find(name)?;
    let side = |piece: u32| play.referee().side_of_piece(table, kind, piece);
    let mut others = table.present_pieces(kind).filter(|&other| side(other) == side(row));
    others.find_map(|other| Some(table.piece_name(kind, other)).filter(|one| !known.contains(one)))
}

/// Returns a line for each verb with which a piece could act now, at most `most`. The verbs are
/// those of this phase if `here` is true, and otherwise all others, which are mostly for corrections
/// by the umpire.
fn lines_of_piece(play: &Play, kind: KindId, row: u32, most: usize, here: bool) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let name = table.piece_name(kind, row);
    let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let ruleset = referee.ruleset();
    let phase = referee.phase_index(table).map(|index| &ruleset.phases[index]);
    let belongs = |verb: &&str| phase.is_some_and(|p| p.verbs.iter().any(|(v, _)| v == verb));
    let search = LineSearch::new(play.words, referee, table).about_one();
    let verbs = ruleset.verbs().filter(|verb| takes_kind(play, verb, kind));
    let verbs = verbs.filter(|verb| belongs(verb) == here);
    let lines = verbs.filter_map(|verb| search.line_with(verb, &[&name], &acting));
    lines.take(most).collect()
}

/// Returns lines of this phase's verbs that would be accepted and name all of these pieces, in any
/// role; at most [`MAX_PROPOSED`].
fn lines_naming(play: &Play, names: &[String]) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let Some(phase) = referee.phase_index(table) else { return Vec::new() };
    let search = LineSearch::new(play.words, referee, table);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let verbs = referee.ruleset().phases[phase].verbs.iter();
    let lines = verbs.filter_map(|(verb, _)| search.line_with(verb, &names, &|_| true));
    lines.take(MAX_PROPOSED).collect()
}

/// Returns true if a verb has a usage that takes a piece of this kind and no free text.
pub(super) fn takes_kind(play: &Play, verb: &str, kind: KindId) -> bool {
    let ruleset = play.referee().ruleset();
    ruleset.rules_for_verb(verb).iter().any(|id| {
        let rule = &ruleset.schema.rules[id.index()];
        rule.usage.is_some()
            && !rule.takes_text()
            && rule.params.iter().any(|param| param.ty.member_or_self() == Type::Piece(kind))
    })
}

/// Returns the pieces that an action gives for the first parameter of this kind.
pub(super) fn acting_rows(play: &Play, action: &Action, kind: KindId) -> Vec<u32> {
    let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
    let rule = &play.referee().ruleset().schema.rules[rule.index()];
    let index = rule.params.iter().position(|p| p.ty.member_or_self() == Type::Piece(kind));
    let rows = index.and_then(|index| arguments.get(index)?.as_ref()).map(Argument::piece_rows);
    rows.unwrap_or_default()
}

/// Lists the pieces that refer to a piece: the pieces in an area, the men of a squad, the crew of a
/// vehicle. The words must name exactly one piece.
fn who_is_with(play: &Play, words: &[&str]) -> Option<Replied> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let names = names_of_pieces(play, &words);
    let [name] = names.as_slice() else { return None };
    let table = play.session.table();
    let (kind, row) = table.find(name)?;
    let schema = &play.referee().ruleset().schema;
    let mut listed = Vec::new();
    for (other, of) in schema.piece_kinds().filter(|(_, of)| !of.plan) {
        let refers = |attribute: &&Attribute| {
            attribute.ty == Type::Piece(kind)
                && !attribute.bookkeeping
                && attribute.secret.is_none()
        };
        let columns = of.attributes.iter().filter(refers).filter_map(|a| a.storage.cell());
        let columns: Vec<_> = columns.collect();
        let is_here = |member: &u32| {
            columns.iter().any(|column| table.get(*column, *member) == i64::from(row))
        };
        listed.extend(
            table.present_pieces(other).filter(is_here).map(|at| table.piece_name(other, at)),
        );
    }
    if listed.is_empty() {
        return None;
    }
    let answer = format!("{name}: {}", listed.join(", "));
    Some(Ok(reply_with_names(answer, listed)))
}

/// Returns the kind that some words name in the singular or the plural, as in `a cart`; `None` if they say more.
fn kind_in(play: &Play, words: &[&str]) -> Option<KindId> {
    let is_noun = |word: &&&str| !["a", "an", "the", "any", "one"].contains(*word);
    let nouns: Vec<&&str> = words.iter().filter(is_noun).collect();
    let [word] = nouns.as_slice() else { return None };
    let mut kinds = play.referee().ruleset().schema.piece_kinds();
    let is_named = |name: &String| name.eq_ignore_ascii_case(word);
    kinds.find(|(_, of)| is_named(&of.name) || is_named(&of.plural)).map(|(kind, _)| kind)
}

/// Lists the pieces that are in any piece of a kind, each with that piece.
fn who_is_in_kind(play: &Play, kind: KindId, within: &str) -> Reply {
    let table = play.session.table();
    let schema = &play.referee().ruleset().schema;
    let mut listed = Vec::new();
    for (other, of) in schema.piece_kinds().filter(|(other, of)| !of.plan && *other != kind) {
        let refers =
            |a: &&Attribute| a.ty == Type::Piece(kind) && !a.bookkeeping && a.secret.is_none();
        for cell in of.attributes.iter().filter(refers).filter_map(|a| a.storage.cell()) {
            for row in table.present_pieces(other) {
                let place = u32::try_from(table.get(cell, row)).ok();
                let place = place.filter(|place| table.present_pieces(kind).any(|r| r == *place));
                listed.extend(place.map(|place| {
                    format!("{} ({})", table.piece_name(other, row), table.piece_name(kind, place))
                }));
            }
        }
    }
    let plural = &schema.kind(kind).plural;
    let answer = if listed.is_empty() {
        format!("nobody is {within} any of the {plural}")
    } else {
        format!("{within} the {plural}: {}", listed.join(", "))
    };
    reply(answer, Vec::new())
}

/// Returns the verb that a word names, by the verb's own name or by a synonym.
pub(super) fn verb_of<'p>(play: &'p Play, word: &str) -> Option<&'p str> {
    let ruleset = play.referee().ruleset();
    let mut verbs = ruleset.verbs().filter(|verb| ruleset.is_typed_verb(verb));
    let verb = verbs.find(|verb| verb.eq_ignore_ascii_case(word));
    verb.or_else(|| ruleset.synonyms().find(|(phrase, _)| *phrase == word).map(|(_, meant)| meant))
}

/// Returns the kinds of the pieces that act with these verbs, each once. An area of the plan doesn't
/// act, even if the usage begins with it.
pub(super) fn acting_kinds<'v>(play: &Play, verbs: impl Iterator<Item = &'v str>) -> Vec<KindId> {
    let ruleset = play.referee().ruleset();
    let mut kinds = Vec::new();
    for id in verbs.flat_map(|verb| ruleset.rules_for_verb(verb)) {
        let rule = &ruleset.schema.rules[id.index()];
        let acting = rule.acting_piece().map(|index| rule.params[index].ty.member_or_self());
        if let Some(Type::Piece(kind)) = acting
            && !kinds.contains(&kind)
            && !ruleset.schema.kind(kind).plan
        {
            kinds.push(kind);
        }
    }
    kinds
}

/// Returns a clause that names the first phase to which a verb belongs; `None` if it belongs to none.
fn phase_with_verb(play: &Play, verb: &str) -> Option<String> {
    let phases = &play.referee().ruleset().phases;
    let index = phases.iter().position(|phase| phase.verbs.iter().any(|(own, _)| own == verb))?;
    Some(format!(": `{verb}` belongs to phase {}, {}", index + 1, phases[index].title))
}

/// Lists the pieces that could act with a verb now, perhaps on a certain piece: `can fire`,
/// `ships can still fire at s5`. If a side is given, only its pieces are listed. Returns `None` for
/// any other question.
pub(super) fn who_can(play: &Play, words: &[&str], side: Option<&str>) -> Option<Replied> {
    let can = words.iter().position(|word| ["can", "could", "may"].contains(word))?;
    let rest = words[can + 1..].iter().filter(|word| !STILL.contains(word));
    let rest: Vec<&str> = rest.copied().collect();
    let (word, after) = rest.split_first()?;
    let verb = verb_of(play, word)?;
    let others: Vec<String> = after.iter().map(|&other| other.to_owned()).collect();
    let targets = names_of_pieces(play, &others);
    // Other words, such as `twice`, ask for something else.
    let after: Vec<&str> = after
        .iter()
        .copied()
        .filter(|other| !["who", "whom", "what", "anyone", "anybody"].contains(other))
        .collect();
    let says_more = |other: &&&str| !["at", "on", "with", "to", "the", "against"].contains(other);
    if after.iter().filter(says_more).count() != targets.len() || targets.len() > 1 {
        return None;
    }
    let asked = rest.join(" ");
    let table = play.session.table();
    let kinds = acting_kinds(play, std::iter::once(verb));
    if kinds.is_empty() {
        return None;
    }
    let search = LineSearch::new(play.words, play.referee(), table).among_many();
    // A piece for which the quick search gives up is tried once more.
    let thorough = LineSearch::new(play.words, play.referee(), table).about_one();
    let mut able = Vec::new();
    let mut untried = Vec::new();
    let mut example = None;
    for kind in kinds {
        for row in table.present_pieces(kind) {
            let name = table.piece_name(kind, row);
            let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
            let pieces: Vec<&str> =
                [&name].into_iter().chain(&targets).map(String::as_str).collect();
            let of_side =
                |one| play.referee().side_of_piece(table, kind, row).as_deref() == Some(one);
            if targets.contains(&name) || !side.is_none_or(of_side) {
                continue;
            }
            let mut line = search.line_with(verb, &pieces, &acting);
            let mut is_unsure = line.is_none() && search.gave_up();
            if is_unsure {
                line = thorough.line_with(verb, &pieces, &acting);
                is_unsure = line.is_none() && thorough.gave_up();
            }
            if let Some(line) = line {
                example.get_or_insert(line);
                able.push(name);
            } else if is_unsure {
                untried.push(name);
            }
        }
    }
    let mut answer = match example {
        None if untried.is_empty() => {
            let elsewhere = phase_with_verb(play, verb).filter(|_| !search.belongs_here(verb));
            format!("nobody can {asked} now{}", elsewhere.unwrap_or_default())
        }
        None => format!("no `{verb}` line was found that would be accepted now"),
        Some(line) => format!("these can {asked} now: {}; for example `{line}`", able.join(", ")),
    };
    match untried.len() {
        0 => {}
        1..=MAX_LISTED => answer.push_str(&format!("; not certain: {}", untried.join(", "))),
        many => answer
            .push_str(&format!("; {many} others are not certain: `left` lists who has not acted")),
    }
    Some(Ok(reply_with_names(answer, able)))
}

/// Words with which a question asks for what is near a piece.
const NEAR: [&str; 6] = ["near", "nearest", "closest", "nearby", "around", "beside"];

/// Answers a question about what is near a piece, which only the real table shows.
fn what_is_near(play: &Play, words: &[&str]) -> Option<Replied> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let name = names_of_pieces(play, &words).into_iter().next()?;
    let answer = format!(
        "that is for you to see on the table; `show {name}` shows what is known about {name}"
    );
    Some(Ok(reply(answer, Vec::new())))
}

/// Returns the base form of a verb in the third person: `fire` for `fires`.
fn singular_verb(verb: &str) -> &str {
    verb.strip_suffix('s').unwrap_or(verb)
}

/// Lists the pieces that a piece could act upon now, with each verb of the phase. Returns `None` if
/// none was found.
pub(super) fn what_it_can_act_on(play: &Play, kind: KindId, row: u32) -> Option<Reply> {
    let referee = play.referee();
    let table = play.session.table();
    let ruleset = referee.ruleset();
    let name = table.piece_name(kind, row);
    let phase = &ruleset.phases[referee.phase_index(table)?];
    let search = LineSearch::new(play.words, referee, table).among_many();
    let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
    let side = referee.side_of_piece(table, kind, row);
    let mut listed = Vec::new();
    // A verb for which the thorough search finds no target at all needn't be tried with each of them.
    let thorough = LineSearch::new(play.words, referee, table).about_one();
    let acts = |verb: &&str| thorough.line_with(verb, &[&name], &acting).is_some();
    let verbs = phase.verbs.iter().map(|(verb, _)| verb.as_str());
    for verb in verbs.filter(|verb| takes_kind(play, verb, kind)).filter(acts) {
        let rules = ruleset.rules_for_verb(verb);
        let params = rules.iter().flat_map(|id| &ruleset.schema.rules[id.index()].params);
        let kinds = params.filter_map(|param| match param.ty.member_or_self() {
            Type::Piece(of) => Some(of),
            _ => None,
        });
        let kinds: std::collections::BTreeSet<KindId> = kinds.collect();
        let mut reached = Vec::new();
        for of in kinds {
            // The pieces of its own side aren't what the question is about.
            let is_own =
                |other: u32| side.is_some() && referee.side_of_piece(table, of, other) == side;
            let is_itself = |other: u32| (of, other) == (kind, row);
            let others = table.present_pieces(of);
            for other in others.filter(|&other| !is_own(other) && !is_itself(other)) {
                let target = table.piece_name(of, other);
                // A usage may name the target first.
                let orders = [[name.as_str(), &target], [&target, name.as_str()]];
                if orders.iter().any(|order| search.line_with(verb, order, &acting).is_some()) {
                    reached.push(target);
                }
            }
        }
        if !reached.is_empty() {
            listed.push(format!("{verb}: {}", reached.join(", ")));
        }
    }
    (!listed.is_empty())
        .then(|| reply(format!("{name} could act on these now (ranges are not checked):"), listed))
}

/// Returns the answer that the verb of a question belongs to another phase. Returns `None` if the question has no
/// verb, or one of this phase.
pub(super) fn belongs_elsewhere(play: &Play, words: &[String]) -> Option<Reply> {
    let table = play.session.table();
    let index = play.referee().phase_index(table)?;
    let phase = &play.referee().ruleset().phases[index];
    let verbs = command::verbs_in(play.referee(), table, &words.join(" "));
    let is_here = |verb: &String| phase.verbs.iter().any(|(own, _)| own == verb);
    let verb = verbs.first().filter(|_| !verbs.iter().any(is_here))?;
    let elsewhere = phase_with_verb(play, verb)?;
    let answer =
        format!("nobody can do that now{elsewhere}; this is phase {}, {}", index + 1, phase.title);
    Some(reply(answer, Vec::new()))
}

/// Words of a question about possible actions that don't change what it asks.
pub(super) const STILL: [&str; 8] =
    ["still", "also", "even", "now", "ever", "actually", "legally", "yet"];

/// Words after `whose` in a question about the side to move.
const TURN_WORDS: [&str; 6] = ["turn", "go", "move", "side", "phase", "is"];

/// Answers which side is to move.
fn whose_turn_it_is(play: &Play) -> Reply {
    let table = play.session.table();
    let answer = match (play.referee().phase_index(table), play.referee().side_to_move(table)) {
        (None, _) => "the game hasn't begun: `next` begins the first turn".to_owned(),
        (Some(_), Some(side)) => {
            format!("{side} is to move; `left {side}` lists who can still act")
        }
        (Some(index), None) => {
            let title = &play.referee().ruleset().phases[index].title;
            format!(
                "this phase, {title}, isn't the turn of one side; `left` lists who can still act"
            )
        }
    };
    reply(answer, Vec::new())
}

/// Returns the reply to a question about the distance between two pieces: the steps on the plan, or
/// else the advice to measure it. Returns `None` if one of them isn't on the plan.
pub(super) fn distance_between(play: &Play, one: &str, other: &str) -> Option<Reply> {
    match how_far(play, &[one, other])? {
        Ok(reply) => Some(reply),
        Err(_) => Some(reply(
            format!(
                "that is for you to measure on the table; `show {one} {other}` shows what is known"
            ),
            Vec::new(),
        )),
    }
}

/// Answers how many steps apart two places on the plan are. Fails in a game without a drawn plan,
/// and returns `None` if the words don't name two places.
fn how_far(play: &Play, words: &[&str]) -> Option<Replied> {
    let little = ["is", "it", "from", "to", "between", "and", "away", "the", "of"];
    let mut places = words.iter().filter(|word| !little.contains(word));
    let one = places.next()?;
    let other = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let table = play.session.table();
    let Some(plan) = play.referee().ruleset().schema.plan_kind() else {
        let error = LineError::new(None, "this game has no drawn plan, so distances aren't known");
        return Some(Err(error
            .help(format!(
                "measure on the table, and type the distance in the line that needs it; `show {one} {other}` shows what is known"
            ))
            .into()));
    };
    let place = |typed: &str| {
        let (kind, row) = table.find(typed)?;
        let name = table.piece_name(kind, row);
        if kind == plan {
            return Some(name);
        }
        let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
        let at = attributes.iter().find(|a| a.ty == Type::Piece(plan) && !a.bookkeeping)?;
        Some(format!("{name}.{}", at.name))
    };
    let steps = play.evaluate(&format!("steps({}, {})", place(one)?, place(other)?))?;
    let steps = names::count_with_noun(usize::try_from(steps).ok()?, "step");
    Some(Ok(reply(format!("from {one} to {other}: {steps} on the plan"), Vec::new())))
}

/// Returns the attribute that a word names, or the only attribute that can have the word as its
/// value.
pub(super) fn attribute_asked<'p>(play: &'p Play, kind: KindId, word: &str) -> Option<&'p str> {
    let schema = &play.referee().ruleset().schema;
    let attributes = || schema.kind(kind).attributes.iter().filter(|a| !a.bookkeeping);
    let named = |a: &&Attribute| a.is_called(word);
    let is_value = |a: &&Attribute| question_words::is_value(schema, a, word);
    let mut values = attributes().filter(is_value);
    let by_value = values.next().filter(|_| values.next().is_none());
    attributes().find(named).or(by_value).map(|a| a.name.as_str())
}

/// Returns the line that shows a piece, if the piece's attributes explain every word of a question
/// about it, so that showing the piece answers the question.
pub(super) fn shows_piece(play: &Play, words: &[String]) -> Option<String> {
    let table = play.session.table();
    let first = words.first()?.as_str();
    let asks = ["what", "which", "how", "is", "are", "does", "do", "has", "have", "where", "did"];
    let mut pieces = words.iter().filter_map(|word| table.find(bare_name(word)));
    let (kind, row) = pieces.next().filter(|_| asks.contains(&first))?;
    if pieces.next().is_some() {
        return None;
    }
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let explains = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        attributes.iter().filter(|a| !a.bookkeeping).any(|a| {
            let title = a.title.as_deref().unwrap_or_default().to_lowercase();
            let mut known = a.name.split('-').chain(title.split(' '));
            known.any(|known| known.strip_suffix('s').unwrap_or(known) == one)
        }) || attribute_asked(play, kind, word).is_some()
    };
    let understood = words.iter().all(|word| {
        QUESTION_WORDS.contains(&word.as_str())
            || table.find(bare_name(word)).is_some()
            || explains(word)
    });
    understood.then(|| format!("show {}", table.piece_name(kind, row)))
}

/// Returns the line that shows the state, if a question names no piece but an attribute of the
/// state: `is it night`.
pub(super) fn shows_state(play: &Play, words: &[String]) -> Option<String> {
    let table = play.session.table();
    if words.iter().any(|word| table.find(bare_name(word)).is_some()) {
        return None;
    }
    let attributes = &play.referee().ruleset().schema.kind(STATE_KIND).attributes;
    let is_asked = |word: &String| {
        let mut shown = attributes.iter().filter(|attribute| !attribute.bookkeeping);
        word.len() > 3 && shown.any(|a| a.name.eq_ignore_ascii_case(word))
    };
    // A word about actions asks for something else: `what did we do this turn`.
    let asks_else = |word: &String| ASKS_ELSE.contains(&word.as_str());
    let mut rest = words.iter().skip(1);
    (rest.any(is_asked) && !words.iter().any(asks_else)).then(|| "show state".to_owned())
}

/// Words that show that a question isn't about the values of the state.
const ASKS_ELSE: [&str; 9] =
    ["do", "did", "done", "else", "left", "can", "could", "happened", "anything"];

/// The minimum number of letters in the name of a value that a question is about.
const MIN_VALUE: usize = 5;

/// Returns true if some words name a number that pieces have, such as `arrows`.
pub(super) fn names_value(play: &Play, words: &[String]) -> bool {
    let kinds = play.referee().ruleset().schema.piece_kinds();
    let mut numbers = kinds.flat_map(|(_, kind)| &kind.attributes);
    numbers.any(|a| {
        let is_called =
            |word: &String| word.len() >= MIN_VALUE && a.is_called_in_either_number(word);
        a.ty == Type::Whole && !a.bookkeeping && words.iter().any(is_called)
    })
}

/// Returns true if a question is about chances.
pub(super) fn asks_chances(words: &[String]) -> bool {
    words.iter().any(|word| CHANCES.contains(&word.as_str()))
}

/// Returns help with the reason why a line would be refused; `None` if the line wouldn't be
/// refused, or can't be read.
pub(super) fn refusal_of(play: &Play, line: &str) -> Option<String> {
    Some(as_refused(line, &reason_for_refusal(play, line)?))
}

/// Returns help that gives the reason why a line would be refused.
pub(super) fn as_refused(line: &str, reason: &str) -> String {
    format!("read as `{line}`, it would be refused: {reason}")
}

/// Returns true if a piece belongs to the side to move or to no side, or if all sides may move.
pub(super) fn may_move(play: &Play, kind: KindId, row: u32) -> bool {
    let table = play.session.table();
    let moving = play.referee().side_to_move(table);
    let side = play.referee().side_of_piece(table, kind, row);
    moving.is_none() || side.is_none() || side == moving
}

/// Returns the reason why a line would be refused, and the line without the pieces for which it would
/// be, if that is accepted. Returns `None` if the line wouldn't be refused, or can't be read.
pub(super) fn reason_for_refusal(play: &Play, line: &str) -> Option<String> {
    let command = command::parse(play.referee(), play.session.table(), line).ok()??;
    let reason = play.refusal(&command)?;
    let restated = command.restated.as_deref().unwrap_or(line);
    let without = play.line_without_refused_pieces(&command.action, restated);
    let without = without.map_or(String::new(), |(shorter, refused)| {
        format!("; without {refused}, `{shorter}` would be accepted")
    });
    Some(format!("{reason}{without}"))
}

/// A line that was tried.
pub(super) struct TriedLine {
    pub line: String,
    /// The reason why the rules refuse it; `None` if they don't.
    pub refused: Option<String>,
}

/// The maximum number of pieces tried in place of one that nobody has named.
const MAX_PLACED: usize = 8;

/// Returns a line with a verb that names pieces in order and can be read. If the line needs another
/// piece, one is chosen for which it isn't refused or, if there is none, for which the reason isn't
/// about that piece: a shot at one of the same side says nothing about the firer.
pub(super) fn tried_line(
    play: &Play,
    search: &LineSearch<'_>,
    verb: &str,
    pieces: &[&str],
) -> Option<TriedLine> {
    let table = play.session.table();
    let first = search.readable_line(verb, pieces)?;
    let refusal = |line: &str| {
        let command = command::parse(play.referee(), table, line).ok().flatten();
        command.map(|command| play.refusal(&command))
    };
    let has_word = |text: &str, name: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name)
    };
    let reason = refusal(&first)?;
    let is_added = |part: &&str| table.find(part).is_some() && !pieces.contains(part);
    let added = first.split(' ').skip(1).filter(is_added).collect::<Vec<_>>();
    if let ([added], Some(reason)) = (added.as_slice(), &reason)
        && has_word(reason, added)
        && let Some((kind, _)) = table.find(added)
    {
        let with = |other: &str| {
            let parts = first.split(' ').map(|part| if part == *added { other } else { part });
            parts.collect::<Vec<_>>().join(" ")
        };
        let others = table.present_pieces(kind).map(|row| table.piece_name(kind, row));
        let others = others.filter(|other| !has_word(&first, other)).take(MAX_PLACED);
        let tried = others.filter_map(|other| {
            let line = with(&other);
            let refused = refusal(&line)?;
            let is_about_it = refused.as_ref().is_some_and(|why| has_word(why, &other));
            (!is_about_it).then_some(TriedLine { line, refused })
        });
        let (accepted, refused): (Vec<TriedLine>, Vec<TriedLine>) =
            tried.partition(|tried| tried.refused.is_none());
        if let Some(better) = accepted.into_iter().chain(refused).next() {
            return Some(better);
        }
        // A reason about an enemy says more than one about a piece of the same side.
        let side = |name: &str| {
            let (of, row) = table.find(name)?;
            play.referee().side_of_piece(table, of, row)
        };
        let own = pieces.first().and_then(|acting| side(acting));
        let mut enemies = table.present_pieces(kind).map(|row| table.piece_name(kind, row));
        if own.is_some()
            && let Some(enemy) = enemies.find(|other| side(other).is_some_and(|s| Some(s) != own))
        {
            let line = with(&enemy);
            return Some(TriedLine { refused: refusal(&line)?, line });
        }
    }
    Some(TriedLine { line: first, refused: reason })
}

/// Returns the names of the pieces that a line mentions, each once.
pub(super) fn names_of_pieces(play: &Play, words: &[String]) -> Vec<String> {
    command::names_in(play.referee(), play.session.table(), &words.join(" "))
}

/// Returns examples for the pieces that a line names: lines of this phase that would be accepted,
/// name all of the pieces, and have the first piece act. If there are none, returns lines that name
/// them in another order, lines in which the first piece acts, or lines that name the first piece.
pub(super) fn lines_about(play: &Play, words: &[String]) -> Vec<String> {
    let referee = play.referee();
    let table = play.session.table();
    let names = names_of_pieces(play, words);
    let Some((kind, row)) = names.first().and_then(|name| table.find(name)) else {
        return Vec::new();
    };
    if let Some(phase) = referee.phase_index(table).filter(|_| names.len() > 1) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let acting = |action: &Action| acting_rows(play, action, kind).contains(&row);
        let search = LineSearch::new(play.words, referee, table);
        let verbs = referee.ruleset().phases[phase].verbs.iter();
        let lines = verbs.filter_map(|(verb, _)| search.line_with(verb, &names, &acting));
        let lines: Vec<String> = lines.take(MAX_PROPOSED).collect();
        if !lines.is_empty() {
            return lines;
        }
    }
    let mut lines = if names.len() > 1 { lines_naming(play, &names) } else { Vec::new() };
    if lines.is_empty() {
        lines = lines_of_piece(play, kind, row, MAX_PROPOSED, true);
    }
    if lines.is_empty() {
        lines = lines_naming(play, &names[..1]);
    }
    lines
}
