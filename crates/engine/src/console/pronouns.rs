//! Pronouns in a typed line, and the pieces of the last command that they stand for.

use super::corrections;
use super::play::Play;
use super::questions::names_of_pieces;
use crate::command::{Token, TypedLine};

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
    let named = names_of_pieces(play, &[typed.line.to_owned()]);
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
    // In `both of them` and `they all`, all these words are the pronoun.
    let taken = match tokens.get(1..3) {
        Some([of, them]) if is_one_of(of, &["of"]) && is_one_of(them, &["them"]) => 3,
        Some([all, _]) if is_one_of(all, &["all", "both"]) => 2,
        _ => 1,
    };
    let rest = typed.line.get(tokens[taken - 1].end..)?.trim();
    let last = corrections::last_replaceable(play)?;
    let lists = lists_of_pieces(play, &last.line);
    let list = lists.first()?;
    let names = if is_plural { list } else { list.split(',').next()? };
    // One piece isn't `both`.
    let fits = !is_plural || list.contains(',');
    (fits && !rest.is_empty()).then(|| format!("{names} {rest}"))
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

/// Returns the words of a command that name pieces; a word may be a list.
fn lists_of_pieces<'l>(play: &Play, line: &'l str) -> Vec<&'l str> {
    let table = play.session.table();
    let is_piece = |word: &str| table.find(word).is_some();
    line.split(' ').filter(|part| part.split(',').all(is_piece)).collect()
}
