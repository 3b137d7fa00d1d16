//! Lines with words that no usage has, although it is certain what they stand for: other words of a
//! set, parts of a piece without its name, routes, and words that are denied or add nothing. Words in
//! another order are in `reordered`.

use super::known_words::{is_parameter_value, is_usage_word, words_of_usages};
use super::restate::base_forms;
use super::spoken_names::MIN_STEM;
use super::token::MARKS;
use super::{Token, TypedLine, known_words, reordered, spoken_names, value_lists};
use crate::language::schema::{Element, Type};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words and signs between the places of a route.
const IN_ROUTES: [&str; 6] = ["-", "–", "->", ">", "then", "via"];

/// Returns a line in which all such words are written as the usages have them. Returns `None` if there
/// are none.
pub(crate) fn in_words_of_rules(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let mut said = with_routes(referee, table, line).unwrap_or_else(|| line.to_owned());
    said = with_words_of_rules(referee, table, &said, 1).unwrap_or(said);
    said = value_lists::with_value_lists(referee, table, &said).unwrap_or(said);
    said = with_own_parts(table, &said).unwrap_or(said);
    said = without_denied_words(referee, &said).unwrap_or(said);
    said = without_subjects(referee, table, &said).unwrap_or(said);
    said = without_kinds(referee, table, &said).unwrap_or(said);
    said = reordered::in_order_of_usages(referee, table, &said).unwrap_or(said);
    (said != line).then_some(said)
}

/// Words that people add to the name of a squad.
const MEMBERS: [&str; 7] = ["boys", "lads", "men", "guys", "bunch", "lot", "group"];

/// Returns a line without the kind that follows the name of a piece, as in `able squad` or `the able
/// boys`. Returns `None` if there is none.
fn without_kinds(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let schema = &referee.ruleset().schema;
    let mut said = line.to_owned();
    let kind_of = |token: &Token| {
        let name = spoken_names::find_spoken(table, &token.bare())?;
        table.find(&name).map(|(kind, _)| kind)
    };
    for (at, pair) in typed.tokens.windows(2).enumerate().rev() {
        let [piece, word] = pair else { continue };
        // A mark ends what the name belongs to.
        let is_marked = piece.text.ends_with(MARKS);
        let Some(kind_id) = kind_of(piece).filter(|_| !is_marked) else { continue };
        let kind = schema.kind(kind_id);
        // In `ann's sling and bow weapons`, the kind sums up the list.
        let joins = |token: &&Token| ["and", "&"].contains(&token.bare().as_str());
        let mut before = typed.tokens[..at].iter().rev().skip_while(joins);
        let is_list = before.next().and_then(kind_of) == Some(kind_id);
        let is_kind = word.bare() == kind.name
            || is_list && word.bare() == kind.plural
            || MEMBERS.contains(&word.bare().as_str());
        if is_kind && !piece.quoted && !word.quoted && !is_usage_word(referee, &word.bare()) {
            said.replace_range(piece.end..word.end_before(&MARKS), "");
        }
    }
    (said != line).then_some(said)
}

/// Words in front of a word of the rules that doesn't apply.
const DENYING: [&str; 3] = ["no", "not", "without"];

/// Returns a line without the optional words of the rules that it denies: `bob at ann` for `bob at
/// ann, no cover`. Returns `None` if there are none.
fn without_denied_words(referee: &Referee, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let mut said = line.to_owned();
    for at in (2..typed.tokens.len()).rev() {
        let before = &typed.tokens[at - 1];
        let word = &typed.tokens[at];
        // `not in cover`
        let is_in = before.bare() == "in" && typed.tokens[at - 2].bare() == "not" && at > 2;
        let is_denied = (DENYING.contains(&before.bare().as_str()) || is_in)
            && is_usage_word(referee, &word.bare())
            && !referee.ruleset().has_verb(&word.bare());
        if is_denied {
            let start = typed.tokens[at - if is_in { 3 } else { 2 }].end;
            said.replace_range(start..word.end, "");
        }
    }
    (said != line).then_some(said)
}

/// Words in front of what a piece is or does, if the piece has been named before.
const SUBJECTS: [&str; 5] = ["he", "she", "it", "they", "who"];

/// Verbs after such a word.
const ARE: [&str; 4] = ["is", "are", "was", "were"];

/// Such a word and its verb in one.
const SUBJECTS_ARE: [&str; 9] =
    ["he's", "hes", "she's", "it's", "they're", "theyre", "who's", "whos", "who're"];

/// Little words between the subject and a word of the rules.
const BEFORE_WORDS: [&str; 6] = ["in", "the", "behind", "under", "at", "only"];

/// Returns a line without the subject in front of a word of the rules: `bob at ann, in the open` for
/// `bob at ann, he is in the open`. Returns `None` if there is none.
fn without_subjects(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words: Vec<String> = typed.tokens.iter().map(Token::bare).collect();
    let is = |at: usize, known: &[&str]| {
        words.get(at).is_some_and(|word| known.contains(&word.replace('’', "'").as_str()))
    };
    let mut said = line.to_owned();
    for at in (1..words.len()).rev() {
        let next = if is(at, &SUBJECTS_ARE) {
            at + 1
        } else if is(at, &SUBJECTS) && is(at + 1, &ARE) {
            at + 2
        } else {
            continue;
        };
        let rest = words.get(next..).unwrap_or_default();
        let mut rest = rest.iter().skip_while(|word| BEFORE_WORDS.contains(&word.as_str()));
        let names_piece = words[..at].iter().any(|word| table.find(word).is_some());
        let is_word = rest
            .next()
            .is_some_and(|word| is_usage_word(referee, word) || is_parameter_value(referee, word));
        if is_word && names_piece {
            said.replace_range(typed.tokens[at].start..typed.tokens[next].start, "");
        }
    }
    (said != line).then_some(said)
}

/// Returns a line in which the places of a route follow one another: `lay d2 c2` for `lay d2 - c2` or
/// `lay d2 then c2`. Returns `None` if there is no route between areas of the plan.
fn with_routes(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let schema = &referee.ruleset().schema;
    // In `goes to d2 via c2`, only the way is stated.
    let takes_route = || {
        let verbs = known_words::verbs_in(referee, table, line);
        let rules = verbs.iter().flat_map(|verb| referee.ruleset().rules_for_verb(verb));
        let mut params = rules.flat_map(|id| &schema.rules[id.index()].params);
        params
            .any(|param| matches!(param.ty, Type::List(Element::Piece(of)) if schema.kind(of).plan))
    };
    let mut said = line.to_owned();
    for trio in typed.tokens.windows(3).rev() {
        let [one, between, other] = trio else { continue };
        let is_joined =
            !between.quoted && IN_ROUTES.contains(&between.text.to_lowercase().as_str());
        // The route may begin with the pump of a hose.
        let is_place = table.find(&other.bare()).is_some_and(|(kind, _)| schema.kind(kind).plan);
        let is_route = between.bare() != "via" || takes_route();
        if is_joined && is_place && is_route && table.find(&one.text).is_some() {
            said.replace_range(between.start..other.start, "");
        }
    }
    (said != line).then_some(said)
}

/// Returns an answer, which has no verb, with the words of the rules in place of other words for them.
/// Returns `None` if there are no such words.
pub(crate) fn answer_in_words_of_rules(
    referee: &Referee,
    table: &Tabletop,
    answer: &str,
) -> Option<String> {
    with_words_of_rules(referee, table, answer, 0)
}

/// Returns a line with the words of the rules in place of other words for them, such as `port` for
/// `left`. Names of pieces, quoted words and the words before this index don't change. Returns `None`
/// if there are no such words.
fn with_words_of_rules(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    start: usize,
) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let ruleset = referee.ruleset();
    let sets = &ruleset.schema.words;
    let meant = |text: &str| {
        let bare = text.trim_end_matches([',', '.', ';', '!', '?']);
        // A word of another set stays as it is, so that no two sets replace each other's words.
        let is_word =
            sets.iter().any(|set| set.values.iter().any(|v| v.eq_ignore_ascii_case(bare)));
        if is_word || table.find(bare).is_some() || is_usage_word(referee, bare) {
            return None;
        }
        let mut others = sets.iter().flat_map(|set| &set.also);
        let other = others.find(|(other, _)| other.eq_ignore_ascii_case(bare));
        let meant = match other {
            Some((_, meant)) => meant.clone(),
            None => value_in_plural(referee, bare)?,
        };
        Some(format!("{meant}{}", &text[bare.len()..]))
    };
    let mut said = line.to_owned();
    let phrases = phrases_for_words(referee);
    let tokens = typed.tokens.get(start..).unwrap_or_default();
    let mut at = tokens.len();
    while at > 0 {
        at -= 1;
        let token = &tokens[at];
        if let Some((first, word)) = phrase_ending_at(&phrases, tokens, at) {
            said.replace_range(tokens[first].start..token.end_before(&MARKS), word);
            at = first;
            continue;
        }
        let written = said.get(token.start..token.end)?;
        if let Some(word) = meant(written).filter(|_| !token.quoted) {
            said.replace_range(token.start..token.end, &word);
        }
    }
    (said != line).then_some(said)
}

/// Returns the phrases of several words for words of the rules, each as a list of words with the word
/// that it means.
fn phrases_for_words(referee: &Referee) -> Vec<(Vec<&str>, &str)> {
    let sets = &referee.ruleset().schema.words;
    let others = sets.iter().flat_map(|set| &set.also).filter(|(other, _)| other.contains(' '));
    let others = others.map(|(other, meant)| (other, meant));
    // The hyphens of a word may be left out.
    let is_value = |word: &str| sets.iter().any(|set| set.values.iter().any(|value| value == word));
    // `north east` may be two directions, and `full cover` a verb with a word of its usage.
    let is_command = |value: &str| {
        let Some((word, verb)) = value.rsplit_once('-') else { return false };
        words_of_usages(referee, verb).iter().any(|known| known.eq_ignore_ascii_case(word))
    };
    let values = sets.iter().flat_map(|set| &set.values).filter(|value| {
        value.contains('-') && !value.split('-').all(is_value) && !is_command(value)
    });
    let phrases = others.chain(values.map(|value| (value, value)));
    phrases.map(|(phrase, word)| (phrase.split([' ', '-']).collect(), word.as_str())).collect()
}

/// Returns the index of the first word of the longest of these phrases that ends at this index, and the
/// word that the phrase means.
fn phrase_ending_at<'r>(
    phrases: &[(Vec<&str>, &'r str)],
    tokens: &[Token],
    last: usize,
) -> Option<(usize, &'r str)> {
    let begins = |words: &[&str]| {
        let first = (last + 1).checked_sub(words.len())?;
        let mut pairs = tokens[first..=last].iter().zip(words);
        pairs.all(|(token, word)| !token.quoted && token.bare() == *word).then_some(first)
    };
    let found = phrases.iter().filter_map(|(words, meant)| Some((begins(words)?, *meant)));
    found.min_by_key(|(first, _)| *first)
}

/// Returns the value of a parameter that a word is the plural of: `spear` for `spears`.
fn value_in_plural(referee: &Referee, word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let has_verb = |form: &str| referee.ruleset().has_verb(form);
    if has_verb(&lower) || is_parameter_value(referee, &lower) || !lower.ends_with('s') {
        return None;
    }
    let mut forms = base_forms(&lower).into_iter().skip(1);
    forms.find(|form| is_parameter_value(referee, form) && !has_verb(form))
}

/// Returns a line in which words for the parts of a piece that the line names are replaced by the
/// names of these parts: `ann fires with ann-sling` for `ann fires with sling`. Returns `None` if
/// there are no such words.
fn with_own_parts(table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words = || typed.tokens.iter().filter(|token| !token.quoted);
    let owners: Vec<String> =
        words().map(Token::bare).filter(|word| table.find(word).is_some()).collect();
    let mut said = line.to_owned();
    for token in words().collect::<Vec<_>>().into_iter().rev() {
        let word = token.bare();
        if word.chars().count() < MIN_STEM || table.find(&word).is_some() {
            continue;
        }
        // The first piece that a line names is the one that acts.
        let mut parts = owners.iter().map(|owner| format!("{owner}-{word}"));
        let Some(part) = parts.find(|part| table.find(part).is_some()) else { continue };
        let written = said.get(token.start..token.end)?;
        let end = token.start + word.len().min(written.len());
        // In `ann sling at bob`, the part directly follows its owner.
        let before = words().rev().find(|other| other.end <= token.start).map(Token::bare);
        let follows =
            before.is_some_and(|before| part.strip_suffix(&format!("-{word}")) == Some(&before));
        let part = if follows { format!("with {part}") } else { part };
        if said.is_char_boundary(end) {
            said.replace_range(token.start..end, &part);
        }
    }
    (said != line).then_some(said)
}
