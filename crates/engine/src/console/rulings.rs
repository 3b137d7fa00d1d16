//! Statements in everyday words that set the state of a piece: `mark ann hurt` and `ann's hurt`
//! instead of `set`.

use super::play::Play;
use super::question_words;
use super::questions::names_of_pieces;
use crate::command::{self, Token, TypedLine};
use crate::language::schema::{Attribute, KindId, Type};
use crate::names;

/// Words that begin a line in which the umpire sets the state of something.
pub(super) const RULES_THAT: [&str; 5] = ["mark", "make", "put", "change", "set"];

/// Verbs with which a statement assigns a state to a piece.
pub(super) const STATES: [&str; 12] = [
    "has", "have", "is", "are", "was", "gets", "got", "becomes", "starts", "begins", "stands",
    "sits",
];

/// Words with which a statement denies a state.
pub(super) const DENIES: [&str; 12] = [
    "not", "no", "never", "isn't", "isnt", "aren't", "arent", "wasn't", "hasn't", "hasnt",
    "haven't", "havent",
];

/// Words that begin a phrase about a place or a direction.
const BEFORE_PLACES: [&str; 13] = [
    "into", "behind", "to", "out", "in", "up", "down", "on", "off", "over", "under", "through",
    "open",
];

/// Words of a statement that don't change what it says.
pub(super) const OF_STATEMENT: [&str; 10] =
    ["instead", "now", "just", "only", "really", "actually", "still", "already", "then", "again"];

/// Phrases of a statement about what should be the case, each with the verb that states that it is.
const SHOULD_BE: [(&str, &str); 9] = [
    ("should have been", "is"),
    ("should of been", "is"),
    ("should be", "is"),
    ("ought to be", "is"),
    ("is supposed to be", "is"),
    ("is meant to be", "is"),
    ("shouldn't have been", "isn't"),
    ("shouldn't be", "isn't"),
    ("shouldnt be", "isn't"),
];

/// Returns a statement about what should be the case, in lower case, as one about what is; `None` if it
/// isn't such a statement.
pub(super) fn as_it_should_be(typed: &TypedLine<'_>) -> Option<String> {
    let spoken = typed.line.to_lowercase().replace('’', "'");
    SHOULD_BE.iter().find_map(|(phrase, verb)| {
        let (before, after) = spoken.split_once(phrase)?;
        Some(format!("{before}{verb}{after}"))
    })
}

/// The maximum number of words considered after the name of the piece. Later words are about
/// something else.
const MAX_STATED: usize = 4;

/// Words that add nothing to a statement.
pub(super) const RULING_LITTLE: [&str; 12] =
    ["to", "as", "at", "is", "down", "up", "the", "of", "=", "now", "level", "from"];

/// Returns the `set` line for a line in which the umpire sets the state of a piece:
/// `mark jones tired`, `put s1's speed to b`. Returns `None` for any other line.
pub(super) fn ruling(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let (first, rest) = typed.tokens.split_first()?;
    if !RULES_THAT.contains(&first.text.to_lowercase().as_str()) {
        return None;
    }
    // A verb of the game takes precedence: `put ladder1 up`.
    if command::begins_with_phrase(play.referee(), play.session.table(), typed) {
        return None;
    }
    let little = [&RULING_LITTLE[..], &OF_STATEMENT, &["in", "on", "back", "anyway"]].concat();
    // What is put on the table isn't in any state.
    if rest.iter().any(|word| ["table", "board"].contains(&word.bare().as_str())) {
        return None;
    }
    let words: Vec<&str> = rest
        .iter()
        .map(|word| word.text.trim_end_matches([',', '.', '!']))
        .filter(|word| !little.contains(&word.to_lowercase().as_str()))
        .collect();
    let (piece, words) = words.split_first()?;
    let piece = question_words::bare_name(piece);
    setting(play, piece, words).or_else(|| match words {
        // `put s1 in the inner ring` names the value first.
        [value, name] => setting(play, piece, &[name, value]),
        _ => None,
    })
}

/// A ruling about several pieces, or with a remark.
pub(super) struct LongerRuling {
    /// The `set` line for the first piece.
    pub line: String,
    /// The same ruling for the other pieces, if there are any.
    pub rest: Option<String>,
    /// The text after a comma that follows the ruling.
    pub remark: Option<String>,
}

/// Returns the parts of a line in which the umpire sets the state of several pieces, or sets one and adds
/// a remark: `set ann and bob in the wood`, `make ann hurt, the wall fell on her`. Returns `None` for any
/// other line.
pub(super) fn longer_ruling(play: &Play, typed: &TypedLine<'_>) -> Option<LongerRuling> {
    let (first, rest) = typed.tokens.split_first()?;
    if !RULES_THAT.contains(&first.text.to_lowercase().as_str()) {
        return None;
    }
    let table = play.session.table();
    let ruling = |said: &str| ruling(play, &TypedLine::read(said).ok()?);
    let piece = |word: &Token| {
        word.text.split(',').filter(|part| !part.is_empty()).map(|part| table.find(part)).collect()
    };
    let joins = |word: &Token| ["and", "&"].contains(&word.text.as_str());
    let mut pieces: Vec<(KindId, u32)> = Vec::new();
    let mut end = first.end;
    for word in rest.iter().take_while(|word| !word.quoted) {
        let named: Option<Vec<(KindId, u32)>> = piece(word);
        match named {
            Some(named) => {
                pieces.extend(named);
                end = word.end;
            }
            None if joins(word) && !pieces.is_empty() => {}
            None => break,
        }
    }
    let names: Vec<String> = pieces.iter().map(|(k, row)| table.piece_name(*k, *row)).collect();
    let stated = typed.line.get(end..)?;
    let (stated, remark) = match stated.split_once([',', ';']) {
        Some((stated, remark)) => (stated, Some(remark.trim().to_owned())),
        None => (stated, None),
    };
    let with = |some: &[String]| format!("{} {}{stated}", first.text, some.join(" and "));
    let (one, others) = names.split_first()?;
    let line = ruling(&with(std::slice::from_ref(one)))?;
    let of_others = (!others.is_empty()).then(|| with(others));
    let is_longer = of_others.is_some() || remark.is_some();
    is_longer.then_some(LongerRuling { line, rest: of_others, remark })
}

/// Phrases of a line in which the umpire overrules a result.
const OVERRULES: [&str; 13] = [
    "umpire's ruling",
    "umpires ruling",
    "umpire ruling",
    "umpire says",
    "i rule",
    "i say",
    "i'm ruling",
    "im ruling",
    "my ruling",
    "umpire rules",
    "ruling",
    "overrule",
    "i overrule",
];

/// Returns true if a line overrules a result in the umpire's own words: `i say bob isn't hurt`.
pub(super) fn overrules(words: &[String]) -> bool {
    let spoken = words.join(" ");
    let spoken = spoken.strip_prefix("the ").unwrap_or(&spoken);
    OVERRULES.iter().any(|phrase| {
        question_words::after(spoken, phrase).is_some()
            || spoken.strip_suffix(phrase).is_some_and(|before| before.ends_with(' '))
    })
}

/// Returns true if some words only say that the umpire overrules a result.
pub(super) fn only_overrules(words: &[String]) -> bool {
    let spoken = words.join(" ");
    OVERRULES.contains(&spoken.strip_prefix("the ").unwrap_or(&spoken))
}

/// Words of a claim that say nothing about the value.
const OF_CLAIM: [&str; 12] = [
    "goes", "go", "just", "only", "still", "really", "then", "be", "stays", "stay", "remains",
    "keeps",
];

/// Returns the `overrule` line for a ruling in the umpire's own words, with its reason: `i say bob
/// isn't hurt, the wall was in the way`. Returns `None` if the line is no ruling, or if no single
/// value is meant.
pub(super) fn overruled(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words = question_words::question_words(typed);
    if let Some(first) = with_ruling_first(play, typed) {
        return overruled(play, &TypedLine::read(&first).ok()?);
    }
    if !overrules(&words) {
        return None;
    }
    let line = typed.line.trim().trim_end_matches(['.', '!']);
    let line = line.strip_prefix("the ").unwrap_or(line);
    let lower = line.to_lowercase();
    let begins = |phrase: &&&str| {
        lower.strip_prefix(**phrase).is_some_and(|rest| rest.starts_with([' ', ':', ',', '-']))
    };
    let begun = OVERRULES.iter().find(begins);
    let rest = match begun {
        Some(phrase) => line.get(phrase.len()..)?,
        None => line,
    };
    let rest = rest.trim_start_matches([' ', ',', ':', '-']);
    let (claim, reason) = rest.split_once([',', ':', ';']).unwrap_or((rest, ""));
    let reason = reason.trim();
    let reason = if reason.is_empty() { "umpire's ruling" } else { reason };
    let ruling = overruling(play, claim, reason)?;
    Some(format!("overrule {ruling}"))
}

/// Phrases in front of a ruling at the end of a line.
const MY_RULING: [&str; 4] = [", my ruling:", ", ruling:", "; my ruling:", "; ruling:"];

/// Returns a line with the ruling at its end in front, about the piece that it begins with: `ruling: ann steady, ann
/// rallies` for `ann rallies, my ruling: steady`. Returns `None` for any other line.
fn with_ruling_first(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let lower = typed.line.to_lowercase();
    let (at, phrase) = MY_RULING.iter().find_map(|phrase| Some((lower.find(phrase)?, phrase)))?;
    let claim = typed.line.get(..at)?.trim();
    let value = typed.line.get(at + phrase.len()..)?.trim();
    let names = names_of_pieces(play, &[claim.to_owned()]);
    Some(format!("ruling: {} {value}, {claim}", names.first()?))
}

/// Returns the words after `overrule` for a claim that one piece has a certain value, or doesn't have
/// a flag: `bob.hurt no: he ducked` for `bob isn't hurt`. Returns `None` for any other claim.
pub(super) fn overruling(play: &Play, claim: &str, reason: &str) -> Option<String> {
    let table = play.session.table();
    let words: Vec<String> =
        claim.split_whitespace().map(|w| w.to_lowercase().replace('’', "'")).collect();
    let bare = |word: &String| question_words::bare_name(word).to_owned();
    let by_name = |word: &String| command::find_spoken(table, &bare(word));
    // `cart` means the only cart.
    let by_stem = |word: &String| {
        let names = command::names_in(play.referee(), table, word);
        names.into_iter().next().filter(|_| word.len() > 2 && !command::is_common_word(word))
    };
    let first = |find: &dyn Fn(&String) -> Option<String>| {
        words.iter().enumerate().find_map(|(at, word)| Some((at, find(word)?)))
    };
    let (at, piece) = first(&by_name).or_else(|| first(&by_stem))?;
    let denies = words.iter().any(|word| DENIES.contains(&word.as_str()));
    let says = |word: &&str| {
        !DENIES.contains(word)
            && !STATES.contains(word)
            && !RULING_LITTLE.contains(word)
            && !OF_CLAIM.contains(word)
    };
    let number = |word: &str| command::spoken_number(word).map(|number| number.to_string());
    let said = words[at + 1..].iter().map(String::as_str).filter(says);
    let said: Vec<String> = said.map(|word| number(word).unwrap_or(word.to_owned())).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let set = match said.as_slice() {
        [one] => setting(play, &piece, &[one]),
        [one, other] => {
            setting(play, &piece, &[one, other]).or_else(|| setting(play, &piece, &[other, one]))
        }
        _ => None,
    }?;
    let set = if denies { format!("{} no", set.strip_suffix(" yes")?) } else { set };
    Some(format!("{}: {reason}", set.strip_prefix("set ")?))
}

/// Verbs with which a statement only describes a piece.
const DESCRIBES: [&str; 3] = ["is", "are", "was"];

/// Returns true if a line only describes one piece, as in `c2 is in cover`: the verb follows the
/// piece, and the line names no other piece and has no number.
pub(super) fn states_only(play: &Play, typed: &TypedLine<'_>) -> bool {
    let words = question_words::question_words(typed);
    let is_described = words.get(1).is_some_and(|verb| DESCRIBES.contains(&verb.as_str()));
    let names = names_of_pieces(play, &words);
    let has_number = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let first = words.first().and_then(|word| command::find_spoken(play.session.table(), word));
    is_described && !has_number && names.len() == 1 && first.as_ref() == names.first()
}

/// Words between a piece and its position.
const AT_POSITION: [&str; 6] = ["in", "under", "behind", "inside", "out", "near"];

/// Returns true if a line states where a piece is: `ann is in cover`.
pub(super) fn states_position(words: &[String]) -> bool {
    words.windows(2).take(2).any(|pair| {
        DESCRIBES.contains(&pair[0].as_str()) && AT_POSITION.contains(&pair[1].as_str())
    })
}

/// Returns the `set` line for a statement about a piece, such as `ann's hurt` or `ann is hurt`, or
/// the `overrule` line for a statement about what should be the case, such as `ann should be hurt`.
/// Returns `None` for any other line.
pub(super) fn stated(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    if let Some(claimed) = as_it_should_be(typed) {
        let set = set_line(play, &TypedLine::read(&claimed).ok()?)?;
        return Some(format!("overrule {}: umpire's ruling", set.strip_prefix("set ")?));
    }
    set_line(play, typed)
}

/// Returns the `set` line for a statement about a piece; `None` for any other line.
fn set_line(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let mut words = typed.tokens.iter().map(|word| word.text.trim_end_matches([',', '.', ';']));
    let first = words.next()?.to_lowercase().replace('’', "'");
    let Some(piece) = command::find_spoken(table, &first) else {
        return numbered(play, typed);
    };
    // A second piece shows that something is done.
    let is_piece = |word: &Token| {
        let text = word.text.trim_end_matches([',', '.', ';']);
        let found = command::find_spoken(table, text).and_then(|name| table.find(&name));
        found.is_some_and(|(kind, _)| !play.referee().ruleset().schema.kind(kind).plan)
    };
    if typed.tokens.iter().skip(1).any(is_piece) {
        return None;
    }
    let says = |word: &&str| !OF_STATEMENT.contains(word);
    let rest: Vec<&str> = words.filter(says).collect();
    if let Some(line) = counted(play, &piece, &rest) {
        return Some(line);
    }
    if let ["has" | "have", number, name] = rest.as_slice()
        && let Some(attribute) = attribute_like(play, &piece, name, &[Type::Whole])
        && number.parse::<i64>().is_ok()
    {
        return setting(play, &piece, &[attribute, number]);
    }
    if let Some(line) = numbered(play, typed) {
        return Some(line);
    }
    let goes_somewhere = rest.get(1).is_some_and(|next| BEFORE_PLACES.contains(next));
    if let [verb, ..] = rest.as_slice()
        && !goes_somewhere
        && let Some(line) = enters_state(play, &piece, verb)
    {
        return Some(line);
    }
    // `p4 tired yes` gives an attribute and its value.
    if let [attribute, value] = rest.as_slice()
        && is_attribute(play, &piece, attribute)
        && let Some(line) = setting(play, &piece, &[attribute, value])
    {
        return Some(line);
    }
    let is_denial = |word: &str| DENIES.contains(&word.to_lowercase().as_str());
    if rest.iter().any(|word| is_denial(word)) {
        return denied(play, &piece, &rest);
    }
    let is_now = typed.tokens.get(1).is_some_and(|word| word.text.eq_ignore_ascii_case("now"));
    let verb = rest.first().filter(|verb| STATES.contains(verb) || is_now);
    if piece == first && verb.is_none() {
        return None;
    }
    if let Some(line) = verb.and_then(|_| placing(play, &piece, &rest)) {
        return Some(line);
    }
    // `out` may be the state of a piece, but not in `leans out of the window`.
    let last = rest.len().checked_sub(1)?;
    let may_state =
        |&(index, word): &(usize, &&str)| index == last || !BEFORE_PLACES.contains(word);
    let mut stated = rest.iter().enumerate().take(MAX_STATED).filter(may_state);
    stated.find_map(|(_, word)| setting(play, &piece, &[word])).or_else(|| {
        let pairs = rest.windows(2).take(MAX_STATED);
        pairs.into_iter().find_map(|pair| setting(play, &piece, &[&pair.join("-")]))
    })
}

/// Returns true if a line begins with a piece and the end of `has` or `is`, and then one of its flags: `ann's
/// struck her flag`.
pub(super) fn has_entered_state(play: &Play, typed: &TypedLine<'_>) -> bool {
    let [first, second, ..] = typed.tokens.as_slice() else { return false };
    let name = first.text.to_lowercase().replace('’', "'");
    let Some(bare) = name.strip_suffix("'s") else { return false };
    let Some(piece) = command::find_spoken(play.session.table(), bare) else { return false };
    attribute_like(play, &piece, &second.bare(), &[Type::Flag]).is_some()
}

/// Returns true if a word is the name of an attribute of a piece, or another word for one.
fn is_attribute(play: &Play, piece: &str, word: &str) -> bool {
    let Some((kind, _)) = play.session.table().find(piece) else { return false };
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    attributes.iter().any(|a| !a.bookkeeping && a.is_called(word))
}

/// Words of a statement that gives a number to an attribute.
const OF_NUMBER: [&str; 19] = [
    "back", "the", "at", "of", "on", "in", "is", "are", "now", "down", "up", "to", "has", "goes",
    "drops", "only", "just", "should", "be",
];

/// Returns the `set` line for a statement that consists of a piece, one of its attributes and a
/// number, in any order: `the fire at b1 is 2 now`. Returns `None` if there are other words.
fn numbered(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let words = typed.tokens.iter().map(|word| word.text.to_lowercase());
    let words: Vec<String> =
        words.map(|w| w.trim_end_matches([',', '.', '!']).to_owned()).collect();
    let says = |word: &&String| !OF_NUMBER.contains(&word.as_str());
    let (mut piece, mut number, mut name) = (None, None, None);
    for word in words.iter().filter(says) {
        let part = match command::find_spoken(table, word) {
            Some(found) => {
                piece = Some(found).filter(|_| piece.is_none());
                &piece
            }
            None if word.parse::<u32>().is_ok() => {
                number = Some(word.clone()).filter(|_| number.is_none());
                &number
            }
            None => {
                name = Some(word.clone()).filter(|_| name.is_none());
                &name
            }
        };
        part.as_ref()?;
    }
    let piece = piece?;
    let states = words.iter().any(|word| STATES.contains(&word.as_str()) || word == "to");
    let attribute = attribute_like(play, &piece, &name?, &[Type::Whole]).filter(|_| states)?;
    setting(play, &piece, &[attribute, &number?])
}

/// The minimum number of letters in a verb that is a form of an attribute.
const MIN_VERB: usize = 4;

/// Returns the `set` line for a verb that gives a piece a state, such as `ducks` for `ducked`. Returns
/// `None` for a verb of the game.
fn enters_state(play: &Play, piece: &str, verb: &str) -> Option<String> {
    if verb.len() < MIN_VERB || !verb.ends_with('s') || question_words::is_verb(play, verb) {
        return None;
    }
    let (kind, _) = play.session.table().find(piece)?;
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let mut flags = attributes.iter().filter(|a| a.can_be_set() && a.ty == Type::Flag);
    let flag = flags.find(|a| question_words::has_same_stem(&a.name, verb))?;
    setting(play, piece, &[&flag.name, "yes"])
}

/// Returns the `set` line for the words of a statement that denies a state, such as `isn't hurt` or
/// `no fires`: a flag becomes `no`, and a number 0. Returns `None` if there are other words.
fn denied(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let says = |word: &&str| {
        ![&DENIES[..], &STATES, &RULING_LITTLE, &["on", "any", "a", "an"]].concat().contains(word)
    };
    let said: Vec<&str> = words.iter().copied().filter(says).collect();
    let [name] = said.as_slice() else { return None };
    if let Some(flag) = attribute_like(play, piece, name, &[Type::Flag]) {
        return setting(play, piece, &[flag, "no"]);
    }
    let number = attribute_like(play, piece, name, &[Type::Whole, Type::Number])?;
    setting(play, piece, &[number, "0"])
}

/// Returns the name of the attribute of one of these types that a word names, in the singular or the
/// plural. Attributes that can't be set don't count.
fn attribute_like<'p>(play: &'p Play, piece: &str, word: &str, types: &[Type]) -> Option<&'p str> {
    let (kind, _) = play.session.table().find(piece)?;
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let mut settable = attributes.iter().filter(|a| a.can_be_set());
    let named = |a: &&Attribute| types.contains(&a.ty) && a.is_called_in_either_number(word);
    settable.find(named).map(|a| a.name.as_str())
}

/// Returns a sentence to report that a `set` line changes nothing, because the attribute has that
/// value; `None` if it would change something.
pub(super) fn already(play: &Play, line: &str) -> Option<String> {
    let (name, value) = line.strip_prefix("set ")?.split_once(' ')?;
    let (piece, attribute) = name.split_once('.')?;
    let table = play.session.table();
    let (kind, row) = table.find(piece)?;
    let attributes = &play.referee().ruleset().schema.kind(kind).attributes;
    let index = attributes.iter().position(|a| a.name == attribute)?;
    let now = play.referee().attribute_text(table, kind, row, index)?;
    now.eq_ignore_ascii_case(value)
        .then(|| format!("{name} is already `{now}`; `show {piece}` shows all of its values"))
}

/// Returns true if a line makes a statement about something: `ann is at the window`.
pub(super) fn states_something(typed: &TypedLine<'_>) -> bool {
    let states =
        |word: &str| STATES.contains(&word) || ["has", "have", "had", "down"].contains(&word);
    typed.tokens.iter().any(|word| {
        let text = word.text.to_lowercase();
        states(&text) || text.ends_with("'s")
    })
}

/// Returns the `set` line for a number that a piece loses or gains, as in `ann loses 2 strength`.
/// Returns `None` for any other words, or if the new value would be below 0 or can't be set.
fn counted(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let [verb, number, name, ..] = words else { return None };
    let sign = match *verb {
        "loses" | "lose" | "lost" | "drops" => -1,
        "gains" | "gain" | "gained" | "gets" => 1,
        _ => return None,
    };
    let number: i64 = number.parse().ok()?;
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let counted = attributes.filter(|a| a.ty == Type::Whole && a.can_be_set());
    let known: Vec<&str> = counted.map(|a| a.name.as_str()).collect();
    let one = name.strip_suffix('s').unwrap_or(name);
    let attribute = known
        .iter()
        .find(|known| known.strip_suffix('s').unwrap_or(known).eq_ignore_ascii_case(one))
        .copied()
        .or_else(|| names::nearest(name, known.iter().copied()))?;
    let value = play.evaluate(&format!("{piece}.{attribute}"))? + sign * number;
    if value < 0 {
        return None;
    }
    let line = format!("set {piece}.{attribute} {value}");
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}

/// Returns the `set` line for a statement that places a piece, such as `ann starts at b2`. It sets
/// the only attribute that can hold such a place.
fn placing(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let plan = play.referee().ruleset().schema.plan_kind()?;
    let at = words.iter().position(|word| ["at", "in", "on"].contains(word))?;
    let little = |word: &&&str| ["the", "area", "square"].contains(*word);
    let place = words.iter().skip(at + 1).find(|word| !little(word))?;
    table.find(place).filter(|(of, _)| *of == plan)?;
    let attributes = play.referee().ruleset().schema.kind(kind).attributes.iter();
    let mut places = attributes.filter(|a| a.can_be_set() && a.ty == Type::Piece(plan));
    let only = places.next().filter(|_| places.next().is_none())?;
    let line = format!("set {piece}.{} {place}", only.name);
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}

/// Returns the `set` line for a piece's flag, for a value that only one of its attributes can have,
/// or for an attribute and its value.
pub(super) fn setting(play: &Play, piece: &str, words: &[&str]) -> Option<String> {
    let table = play.session.table();
    let (kind, _) = table.find(piece)?;
    let schema = &play.referee().ruleset().schema;
    let attributes = || schema.kind(kind).attributes.iter().filter(|a| a.can_be_set());
    let is_flag = |a: &&Attribute| a.ty == Type::Flag;
    let line = match words {
        [name] => {
            let flag = attributes().filter(is_flag).find(|a| a.is_called(name));
            let mut valued = attributes().filter(|a| question_words::is_value(schema, a, name));
            match (flag, valued.next(), valued.next()) {
                (Some(flag), ..) => format!("set {piece}.{} yes", flag.name),
                (None, Some(of), None) => format!("set {piece}.{} {name}", of.name),
                _ => return None,
            }
        }
        [name, value] => match attributes().find(|a| a.is_called(name)) {
            Some(named) => format!("set {piece}.{} {value}", named.name),
            // A name with a hyphen may be typed as two words.
            None => return setting(play, piece, &[&format!("{name}-{value}")]),
        },
        _ => return None,
    };
    command::parse(play.referee(), table, &line).is_ok().then_some(line)
}
