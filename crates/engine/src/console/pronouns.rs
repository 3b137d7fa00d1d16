//! Pronouns in a typed line, and the pieces of the last command that they stand for.

use super::corrections;
use super::play::Play;
use super::questions::{self, names_of_pieces};
use crate::command::{self, Token, TypedLine};

/// Returns the line with pieces of the last command in place of its pronouns; `None` if it has none, or
/// if the last command names no such pieces.
pub(super) fn replaced(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let with_subject = with_subject(play, typed).or_else(|| with_own_part(play, typed));
    let line = with_subject.as_deref().unwrap_or(typed.line);
    with_object(play, line).or(with_subject)
}

/// Words before an action that the same pieces do next.
const NEXT: [&str; 5] = ["and", "then", "now", "also", "so"];

/// Returns the words of a line after those in [`NEXT`].
fn after_next<'t>(typed: &'t TypedLine<'_>) -> &'t [Token] {
    let is_next = |token: &&Token| NEXT.contains(&token.text.to_lowercase().as_str());
    let skipped = typed.tokens.iter().take_while(is_next).count();
    &typed.tokens[skipped..]
}

/// The maximum number of words in a line that doesn't name who acts.
const MAX_WORDS: usize = 7;

/// Returns the line with the pieces that acted in the last command in front of it, for a line that
/// doesn't name who acts: `and now 6 inches`. Returns `None` if the line names a piece of their side,
/// or is too short or too long.
pub(super) fn with_last_actors(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let said = after_next(typed);
    let first = said.first()?;
    if !(2..=MAX_WORDS).contains(&said.len()) {
        return None;
    }
    let last = corrections::last_replaceable(play)?;
    let lists = lists_of_pieces(play, &last.line);
    let list = lists.first()?;
    let side = |name: &str| {
        let (kind, row) = play.session.table().find(name)?;
        play.referee().side_of_piece(play.session.table(), kind, row)
    };
    let own = list.split(',').next().and_then(side);
    let mut named = names_of_pieces(play, &[typed.line.to_owned()]);
    named.extend(command::groups_in(play.referee(), play.session.table(), typed.line));
    let names_own = named.iter().any(|name| side(name) == own);
    (own.is_some() && !names_own).then(|| format!("{list} {}", &typed.line[first.start..]))
}

/// Pronouns for the first piece of the last command.
const PRONOUNS: [&str; 3] = ["he", "she", "it"];

/// Pronouns for all the pieces that act in the last command.
const PLURAL_PRONOUNS: [&str; 4] = ["they", "both", "all", "everyone"];

/// Returns the line with pieces of the last command in place of the pronoun at its beginning: `and he
/// ducks`, `both of them run 8`. Returns `None` if the line doesn't begin with a pronoun, or if there
/// are no such pieces.
fn with_subject(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let is_one_of = |token: &Token, words: &[&str]| {
        !token.quoted && words.contains(&token.text.to_lowercase().as_str())
    };
    let tokens: Vec<&Token> = typed
        .tokens
        .iter()
        .skip_while(|token| is_one_of(token, &["and", "then", "so", "but"]))
        .collect();
    let first = tokens.first()?;
    let is_plural = is_one_of(first, &PLURAL_PRONOUNS);
    if !is_plural && !is_one_of(first, &PRONOUNS) {
        return None;
    }
    // In `both boats turn`, the boats are named.
    let named = tokens.get(1).map(|noun| format!("{} {}", first.text, noun.text));
    let is_group = |said: &String| {
        let groups = command::groups_in(play.referee(), play.session.table(), said);
        !groups.is_empty()
    };
    if named.is_some_and(|said| is_group(&said)) {
        return None;
    }
    // In `both of them` and `they all`, all these words are the pronoun.
    let taken = match tokens.get(1..3) {
        Some([of, them]) if is_one_of(of, &["of"]) && is_one_of(them, &["them"]) => 3,
        Some([all, _]) if is_one_of(all, &["all", "both"]) => 2,
        // `all three run 8`
        Some([count, _]) if is_plural && command::spoken_number(&count.bare()).is_some() => 2,
        _ => 1,
    };
    let rest = typed.line.get(tokens[taken - 1].end..)?.trim();
    let latest = latest_lines(play);
    let mut acting = latest.iter().filter_map(|line| acting_in(play, line));
    let list = acting.next()?;
    let names = match (is_plural, list.contains(',')) {
        (false, _) => list.split(',').next()?.to_owned(),
        (true, true) => list.split(',').collect::<Vec<_>>().join(" and "),
        // One piece isn't `both`, but two that acted one after the other are.
        (true, false) => {
            let is_alike = |other: &String| *other != list && !other.contains(',');
            let other = acting.next().filter(|_| is_one_of(first, &["both"])).filter(is_alike)?;
            let kind = |name: &str| play.session.table().find(name).map(|(kind, _)| kind);
            (kind(&other) == kind(&list)).then(|| format!("{other} and {list}"))?
        }
    };
    (!rest.is_empty()).then(|| format!("{names} {rest}"))
}

/// Returns a question with the only piece that a sentence before it names, in place of its pronoun: `can ann
/// still move` for `can she still move` after `ann is hurt`. Returns `None` if it has no pronoun, or names a
/// piece itself.
pub(super) fn with_piece(play: &Play, before: &str, question: &TypedLine<'_>) -> Option<String> {
    let names = names_of_pieces(play, &[before.to_owned()]);
    let [name] = names.as_slice() else { return None };
    if !names_of_pieces(play, &[question.line.to_owned()]).is_empty() {
        return None;
    }
    let is_pronoun = |word: &&Token| ["he", "she", "it", "they"].contains(&word.bare().as_str());
    let pronoun = question.tokens.iter().find(is_pronoun)?;
    let begun = &question.line[..pronoun.start];
    let end = pronoun.end_before(&['?', ',', '.']);
    Some(format!("{begun}{name}{}", &question.line[end..]))
}

/// The maximum number of commands that are searched for the piece of a pronoun.
const MAX_BACK: usize = 6;

/// Returns the pieces that acted last, as a list with commas; `None` if the latest commands name none.
pub(super) fn last_actors(play: &Play) -> Option<String> {
    let latest = latest_lines(play);
    let mut acting = latest.iter().filter_map(|line| lists_of_pieces(play, line).first().copied());
    acting.next().map(str::to_owned)
}

/// Returns the line that was refused last, if nothing has been done since, and the latest commands, the
/// last one first.
fn latest_lines(play: &Play) -> Vec<&str> {
    let entries = play.session.entries().iter().rev();
    let changing = entries.filter(|entry| !entry.outcome.only_looks()).take(MAX_BACK);
    play.refused.as_deref().into_iter().chain(changing.map(|entry| entry.line.as_str())).collect()
}

/// Returns the line with a piece in place of a pronoun right after the verb, as in `drive it to d4`: the
/// one named last that can act with that verb. Returns `None` if the line begins otherwise, or if there
/// is no such piece.
pub(super) fn with_object_of_verb(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let [verb, pronoun, ..] = after_next(typed) else { return None };
    if !OBJECTS.contains(&pronoun.bare().as_str()) {
        return None;
    }
    let table = play.session.table();
    let verbs = command::verbs_in(play.referee(), table, &verb.text);
    let kinds = questions::acting_kinds(play, verbs.iter().map(String::as_str));
    let named = latest_lines(play);
    let mut named = named.iter().flat_map(|line| line.split([' ', ',']));
    let name =
        named.find(|name| table.find(name).is_some_and(|(kind, _)| kinds.contains(&kind)))?;
    let end = pronoun.end_before(&[',', '.', '!', ';']);
    Some(format!("{} {name}{}", typed.line.get(verb.start..verb.end)?, typed.line.get(end..)?))
}

/// Pronouns for the owner of a part.
const OWNERS: [&str; 3] = ["his", "her", "its"];

/// Returns the line with a part of the piece that acted last, for a line that begins with such a part:
/// `and his turret at bob` means `ann at bob with ann-turret`. Returns `None` if there is no such
/// part.
fn with_own_part(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let [owner, part, rest, ..] = after_next(typed) else { return None };
    let last = corrections::last_replaceable(play)?;
    let acting = lists_of_pieces(play, &last.line).first()?.split(',').next()?;
    let part = format!("{acting}-{}", part.text.to_lowercase());
    let is_part = OWNERS.contains(&owner.text.to_lowercase().as_str())
        && play.session.table().find(&part).is_some();
    let rest = typed.line.get(rest.start..)?.trim_end();
    is_part.then(|| format!("{acting} {rest} with {part}"))
}

/// Pronouns for a piece after the verb.
const OBJECTS: [&str; 3] = ["him", "her", "it"];

/// Returns the line with the opponents of its first piece in the last command in place of a pronoun
/// after that piece: `bob shoots back at him`. Returns `None` if there is no such pronoun, or if no
/// opponents took part in that command.
fn with_object(play: &Play, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let is_word = |token: &Token, words: &[&str]| {
        let word = token.text.to_lowercase();
        !token.quoted && words.contains(&word.trim_end_matches([',', '.', '!', ';']))
    };
    let is_pronoun = |token: &Token| is_word(token, &OBJECTS) || is_word(token, &["them"]);
    let named = names_of_pieces(play, &[line.to_owned()]);
    // In `bob shoots back`, the opponents aren't even mentioned.
    let back = |token: &Token| named.len() == 1 && is_word(token, &["back"]);
    let at = typed.tokens.iter().position(is_pronoun);
    let at = at.or_else(|| typed.tokens.iter().position(back))?;
    let pronoun = &typed.tokens[at];
    let before = line.get(..pronoun.start)?;
    let first = names_of_pieces(play, &[before.to_owned()]).into_iter().next()?;
    let side = |name: &str| {
        let (kind, row) = play.session.table().find(name)?;
        play.referee().side_of_piece(play.session.table(), kind, row)
    };
    let own = side(&first)?;
    let last = corrections::last_replaceable(play)?;
    let opposes = |list: &&str| {
        let other = list.split(',').next().and_then(side);
        other.is_some_and(|other| other != own)
    };
    let list = lists_of_pieces(play, &last.line).into_iter().find(opposes)?;
    let is_plural = pronoun.text.to_lowercase().starts_with("them");
    let names = if is_plural { list } else { list.split(',').next()? };
    let letters = pronoun.text.trim_end_matches([',', '.', '!', ';']).len();
    let before =
        if is_word(pronoun, &["back"]) { format!("{before}at ") } else { before.to_owned() };
    Some(format!("{before}{names}{}", line.get(pronoun.start + letters..)?))
}

/// Returns the pieces that act in a command, as a list with commas: also those of `group ann bob`. Returns `None`
/// if it names none.
fn acting_in(play: &Play, line: &str) -> Option<String> {
    let table = play.session.table();
    let command = command::parse(play.referee(), table, line).ok().flatten();
    let acting = command.map(|command| play.acting_pieces(&command.action)).unwrap_or_default();
    if acting.len() > 1 {
        let names = acting.iter().map(|&(kind, row)| table.piece_name(kind, row));
        return Some(names.collect::<Vec<_>>().join(","));
    }
    lists_of_pieces(play, line).first().map(|list| (*list).to_owned())
}

/// Returns the words of a command that name pieces; a word may be a list.
fn lists_of_pieces<'l>(play: &Play, line: &'l str) -> Vec<&'l str> {
    let table = play.session.table();
    let is_piece = |word: &str| table.find(word).is_some();
    line.split(' ').filter(|part| part.split(',').all(is_piece)).collect()
}
