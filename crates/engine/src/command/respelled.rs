//! Lines with words that no usage has, although it is certain what they stand for: other words of a
//! set, parts of a piece without its name, and routes.

use super::known_words::{is_parameter_value, is_usage_word};
use super::restate::{ARTICLES, base_forms, is_one_of};
use super::spoken_names::MIN_STEM;
use super::{Token, TypedLine, everyday_verbs, spoken_names};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words and signs between the places of a route.
const IN_ROUTES: [&str; 6] = ["-", "–", "->", ">", "then", "via"];

/// Returns a line in which all such words are written as the usages have them. Returns `None` if there
/// are none.
pub(crate) fn in_words_of_rules(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let mut said = with_routes(referee, table, line).unwrap_or_else(|| line.to_owned());
    said = with_words_of_rules(referee, table, &said).unwrap_or(said);
    said = with_own_parts(table, &said).unwrap_or(said);
    said = with_joined_verb(referee, table, &said).unwrap_or(said);
    said = with_passenger_first(referee, table, &said).unwrap_or(said);
    said = with_loser_first(table, &said).unwrap_or(said);
    said = with_actor_first(referee, table, &said).unwrap_or(said);
    said = without_denied_words(referee, &said).unwrap_or(said);
    said = without_kinds(referee, table, &said).unwrap_or(said);
    said = with_squad_named_before(table, &said).unwrap_or(said);
    said = with_both_sides(referee, table, &said).unwrap_or(said);
    (said != line).then_some(said)
}

/// Second words of verbs, which may follow the object: `put the fire out`.
const PARTICLES: [&str; 6] = ["up", "down", "out", "off", "away", "back"];

/// Words that may follow such a word.
const AFTER_PARTICLE: [&str; 12] =
    ["at", "in", "on", "to", "with", "by", "against", "near", "and", "then", "from", "into"];

/// Words that begin an object.
const OWNED: [&str; 5] = ["his", "her", "their", "its", "that"];

/// The maximum number of words between the two words of a verb.
const MAX_OBJECT: usize = 3;

/// Returns a line in which the two words of a verb stand side by side: `put out the fire at b1` for
/// `put the fire out at b1`. Returns `None` if there is no such verb.
fn with_joined_verb(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let ruleset = referee.ruleset();
    let is_verb = |first: &str, second: &str| {
        let phrase = format!("{first} {second}");
        ruleset.synonyms().any(|(other, _)| other == phrase)
            || everyday_verbs::phrases().any(|other| other == phrase)
    };
    let tokens = &typed.tokens;
    let found = tokens.iter().enumerate().find_map(|(at, token)| {
        let particles = at + 2..(at + 2 + MAX_OBJECT).min(tokens.len());
        let second = particles.into_iter().find(|&second| {
            let follows = tokens.get(second + 1).is_none_or(|next| {
                AFTER_PARTICLE.contains(&bare(next).as_str()) || tokens[second].text.ends_with(',')
            });
            PARTICLES.contains(&bare(&tokens[second]).as_str()) && follows
        })?;
        let object = &tokens[at + 1..second];
        let begins_object = |word: &Token| {
            is_one_of(&bare(word), &ARTICLES)
                || OWNED.contains(&bare(word).as_str())
                || spoken_names::find_spoken(table, &bare(word)).is_some()
        };
        let is_object = object.first().is_some_and(begins_object)
            && object.iter().all(|word| !word.text.ends_with(','));
        let particle = bare(&tokens[second]);
        let forms = base_forms(&bare(token));
        let is_named = table.find(&bare(token)).is_some();
        (is_object && !is_named && forms.iter().any(|form| is_verb(form, &particle)))
            .then_some((at, second))
    });
    let (at, second) = found?;
    let object = line.get(tokens[at + 1].start..tokens[second - 1].end)?;
    let particle = line.get(tokens[second].start..tokens[second].end)?;
    let before = line.get(..tokens[at].end)?;
    let after = line.get(tokens[second].end..)?;
    let mark = &particle[particle.trim_end_matches([',', '.', ';', '!']).len()..];
    let particle = &particle[..particle.len() - mark.len()];
    Some(format!("{before} {particle} {object}{mark}{after}"))
}

/// Returns a line with the piece at its beginning that is named at its end: `bob, 3 to port` for `3 to
/// port for bob`, if it names no other piece, or for `3 to port, bob`. Returns `None` for any other
/// line.
fn with_actor_first(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let (last, before) = typed.tokens.split_last()?;
    let piece = spoken_names::find_spoken(table, &bare(last))?;
    let is_article = |word: &&Token| is_one_of(&bare(word), &ARTICLES);
    let before = match before.split_last() {
        Some((article, rest)) if is_article(&article) => rest,
        _ => before,
    };
    let end = before.last()?;
    let names = |text: &str| spoken_names::names_in(referee, table, text);
    let others: Vec<String> =
        before.iter().filter_map(|word| spoken_names::find_spoken(table, &bare(word))).collect();
    let kind = |name: &str| table.find(name).map(|(kind, _)| kind);
    let rest = if ["with", "from", "by"].contains(&bare(end).as_str())
        && let [other] = others.as_slice()
        && kind(other) == kind(&piece)
    {
        // `shell s1 with bob`
        line.get(..end.start)?
    } else if bare(end) == "for" && !last.quoted {
        let rest = line.get(..end.start)?;
        Some(rest).filter(|rest| names(rest).is_empty())?
    } else {
        // A name after a comma may end a list of names.
        let ends_list = spoken_names::find_spoken(table, &bare(end)).is_some();
        let rest = line.get(..end.end)?.strip_suffix(',')?;
        Some(rest).filter(|_| !ends_list)?
    };
    let begins = rest.split_whitespace().next()?;
    // A line that begins with a piece already has its actor.
    let has_actor = spoken_names::find_spoken(table, begins).is_some();
    (!has_actor && before.len() > 1).then(|| format!("{piece} {}", rest.trim()))
}

/// Words for the members of the squad that was named before.
const THEY: [&str; 7] =
    ["they all", "all of them", "everyone", "everybody", "they", "the lot", "all"];

/// Returns a line that begins with the name of a squad in place of words for its members: `able go 8`
/// for `able: they all go 8`. Returns `None` for any other line.
fn with_squad_named_before(table: &Tabletop, line: &str) -> Option<String> {
    let (name, rest) = line.split_once([':', ','])?;
    let piece = spoken_names::find_spoken(table, name.trim())?;
    let rest = rest.trim_start();
    let after = THEY.iter().find_map(|they| {
        let begins = rest.get(..they.len())?.eq_ignore_ascii_case(they);
        rest.get(they.len()..)?.strip_prefix(' ').filter(|_| begins)
    })?;
    Some(format!("{piece} {after}"))
}

/// Words that people add to the name of a squad.
const MEMBERS: [&str; 7] = ["boys", "lads", "men", "guys", "bunch", "lot", "group"];

/// Returns a line without the kind that follows the name of a piece, as in `able squad` or `the able
/// boys`. Returns `None` if there is none.
fn without_kinds(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let schema = &referee.ruleset().schema;
    let mut said = line.to_owned();
    for pair in typed.tokens.windows(2).rev() {
        let [piece, word] = pair else { continue };
        let found =
            spoken_names::find_spoken(table, &piece.text).and_then(|name| table.find(&name));
        let Some((kind, _)) = found else { continue };
        let kind = schema.kind(kind);
        let is_kind = bare(word) == kind.name || MEMBERS.contains(&bare(word).as_str());
        if is_kind && !piece.quoted && !word.quoted && !is_usage_word(referee, &bare(word)) {
            said.replace_range(piece.end..word.start + bare(word).len(), "");
        }
    }
    (said != line).then_some(said)
}

/// Returns the line for a verb that takes two sides, joined by `with`: `meet ann with bob` for `ann and
/// bob meet`, `meet ann against bob` or `meet between ann and bob`. Returns `None` for any other line.
fn with_both_sides(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words: Vec<String> = typed.tokens.iter().map(bare).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let forms = |word: &str| {
        let gerund = word.strip_suffix("ing").map(str::to_owned);
        base_forms(word).into_iter().chain(gerund).collect::<Vec<_>>()
    };
    let is_verb = |word: &str| forms(word).iter().any(|form| referee.ruleset().has_verb(form));
    let (verb, one, other, taken) = match words.as_slice() {
        [one, "and" | "&", other, verb, ..] if is_verb(verb) => (verb, one, other, 4),
        [verb, one, "against" | "and", other, ..] if is_verb(verb) => (verb, one, other, 4),
        [verb, "between", one, "and", other, ..] if is_verb(verb) => (verb, one, other, 5),
        _ => return None,
    };
    let verb = forms(verb).into_iter().find(|form| referee.ruleset().has_verb(form))?;
    let rest = typed.tokens.get(taken).and_then(|next| line.get(next.start..)).unwrap_or_default();
    let meant = format!("{verb} {one} with {other} {rest}");
    let meant = meant.trim_end().to_owned();
    let is_readable = matches!(super::parse(referee, table, &meant), Ok(Some(_)));
    is_readable.then_some(meant)
}

/// Words in front of a word of the rules that doesn't apply.
const DENYING: [&str; 3] = ["no", "not", "without"];

/// Returns a line without the optional words of the rules that it denies: `bob at ann` for `bob at
/// ann, no cover`. Returns `None` if there are none.
fn without_denied_words(referee: &Referee, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let mut said = line.to_owned();
    for at in (2..typed.tokens.len()).rev() {
        let (before, word) = (&typed.tokens[at - 1], &typed.tokens[at]);
        // `not in cover`
        let is_in = bare(before) == "in" && bare(&typed.tokens[at - 2]) == "not" && at > 2;
        let is_denied = (DENYING.contains(&bare(before).as_str()) || is_in)
            && is_usage_word(referee, &bare(word))
            && !referee.ruleset().has_verb(&bare(word));
        if is_denied {
            let start = typed.tokens[at - if is_in { 3 } else { 2 }].end;
            said.replace_range(start..word.end, "");
        }
    }
    (said != line).then_some(said)
}

/// Verbs with which the umpire takes men off a piece.
const TAKES_OFF: [&str; 4] = ["take", "knock", "strike", "remove"];

/// Returns a line in which a piece loses something: `g1 loses 2` for `take 2 off g1` or `2 men off g1`.
/// Returns `None` for any other line.
fn with_loser_first(table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let words: Vec<String> = typed.tokens.iter().map(bare).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = match words.split_first()? {
        (first, rest) if TAKES_OFF.contains(first) => rest,
        _ => words.as_slice(),
    };
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    match words {
        [count, "off" | "from", piece] if is_number(count) && table.find(piece).is_some() => {
            Some(format!("{piece} loses {count}"))
        }
        [count, noun, "off" | "from", piece] if is_number(count) && table.find(piece).is_some() => {
            Some(format!("{piece} loses {count} {noun}"))
        }
        _ => None,
    }
}

/// Verbs with which somebody makes others get in or out of something.
const MAKES_GO: [&str; 4] = ["put", "get", "load", "take"];

/// Words in front of what somebody gets into or out of, each with the one that follows `get`.
const INTO: [(&str, &str); 8] = [
    ("on", "on"),
    ("onto", "on"),
    ("in", "in"),
    ("into", "in"),
    ("aboard", "in"),
    ("inside", "in"),
    ("off", "off"),
    ("out", "out"),
];

/// Returns a line in which the passengers themselves get in or out: `t1 get in bus1` for `put t1 on
/// bus1`. Returns `None` for any other line, and if the first word is a verb of the game.
fn with_passenger_first(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let (first, rest) = typed.tokens.split_first()?;
    if !MAKES_GO.contains(&bare(first).as_str()) || referee.ruleset().has_verb(&bare(first)) {
        return None;
    }
    let is_into = |word: &Token| INTO.iter().find(|(said, _)| *said == bare(word));
    let at = rest.iter().position(|word| is_into(word).is_some()).filter(|&at| at > 0)?;
    let (_, into) = is_into(&rest[at])?;
    let passengers = line.get(rest[0].start..rest[at - 1].end)?;
    let names_any = |text: &str| !spoken_names::names_in(referee, table, text).is_empty();
    let carrier = line.get(rest.get(at + 1)?.start..)?;
    (names_any(passengers) && names_any(carrier))
        .then(|| format!("{passengers} get {into} {carrier}"))
}

/// Returns a word in lower case, without the punctuation after it.
fn bare(token: &Token) -> String {
    token.text.to_lowercase().trim_end_matches([',', '.', ';', '!', '?']).to_owned()
}

/// Returns a line in which the places of a route follow one another: `lay d2 c2` for `lay d2 - c2` or
/// `lay d2 then c2`. Returns `None` if there is no route between areas of the plan.
fn with_routes(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let schema = &referee.ruleset().schema;
    let mut said = line.to_owned();
    for trio in typed.tokens.windows(3).rev() {
        let [one, between, other] = trio else { continue };
        let is_joined =
            !between.quoted && IN_ROUTES.contains(&between.text.to_lowercase().as_str());
        // The route may begin with the pump of a hose.
        let is_place = table.find(&bare(other)).is_some_and(|(kind, _)| schema.kind(kind).plan);
        if is_joined && is_place && table.find(&one.text).is_some() {
            said.replace_range(between.start..other.start, "");
        }
    }
    (said != line).then_some(said)
}

/// Returns a line with the words of the rules in place of other words for them, such as `port` for
/// `left`. Names of pieces, verbs and quoted words don't change. Returns `None` if there are no such
/// words.
fn with_words_of_rules(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
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
    for token in typed.tokens.iter().skip(1).rev().filter(|token| !token.quoted) {
        let written = said.get(token.start..token.end)?;
        if let Some(word) = meant(written) {
            said.replace_range(token.start..token.end, &word);
        }
    }
    (said != line).then_some(said)
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
    let owners: Vec<String> = words().map(bare).filter(|word| table.find(word).is_some()).collect();
    let mut said = line.to_owned();
    for token in words().collect::<Vec<_>>().into_iter().rev() {
        let word = bare(token);
        if word.chars().count() < MIN_STEM || table.find(&word).is_some() {
            continue;
        }
        // The first piece that a line names is the one that acts.
        let mut parts = owners.iter().map(|owner| format!("{owner}-{word}"));
        let Some(part) = parts.find(|part| table.find(part).is_some()) else { continue };
        let written = said.get(token.start..token.end)?;
        let end = token.start + word.len().min(written.len());
        // In `ann sling at bob`, the part directly follows its owner.
        let before = words().rev().find(|other| other.end <= token.start).map(bare);
        let follows =
            before.is_some_and(|before| part.strip_suffix(&format!("-{word}")) == Some(&before));
        let part = if follows { format!("with {part}") } else { part };
        if said.is_char_boundary(end) {
            said.replace_range(token.start..end, &part);
        }
    }
    (said != line).then_some(said)
}
