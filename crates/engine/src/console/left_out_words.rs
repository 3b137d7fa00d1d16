//! Words that a proposed line leaves out of the typed line although its own verb has a place for
//! them, such as `rapid` or `take cover`. They are put back, or the line isn't proposed.
//!
//! Words that belong to no usage of the verb are not dealt with here; a proposal names them.

use indexmap::IndexSet;

use super::play::Play;
use super::question_words::{self, is_alike};
use super::questions::{QUESTION_WORDS, names_of_pieces, refusal_of, verb_of};
use super::suggest::LineSearch;
use crate::command::{self, AddablePart, LineError, Token, TypedLine};
use crate::names;
use crate::referee::Action;

/// Words that show a direction as often as a part of a usage. They count only at the end of what was
/// said: `moves 4 and down`, but not `moves 4 down the road`.
const DIRECTIONS: [&str; 10] =
    ["down", "up", "in", "out", "on", "off", "over", "back", "left", "right"];

/// Words around the words that are put back.
const LITTLE: [&str; 20] = [
    "and", "then", "he", "she", "it", "they", "his", "her", "a", "the", "is", "are", "to", "also",
    "go", "goes", "get", "gets", "lie", "lies",
];

/// The minimum number of letters in a word that may be the beginning of a part of a usage.
const MIN_BEGINNING: usize = 3;

/// Returns the words of a text in lower case, without punctuation and hyphens.
fn spoken_words(said: &str) -> Vec<String> {
    let Ok(typed) = TypedLine::read(said) else { return Vec::new() };
    let marks = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')');
    let bare = typed.tokens.iter().filter(|token| !token.quoted);
    let bare = bare.map(|token| token.text.to_lowercase().trim_matches(marks).replace('-', " "));
    bare.flat_map(|word| word.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns true if a line has a word, on its own, in a list or as a part of a word with hyphens.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let is_word = |part: &str| part.eq_ignore_ascii_case(word);
    // `east,east` was typed as `east 2`.
    line.split(' ').any(is_word)
        || line.split([' ', ',']).any(is_word)
        || line.split([' ', ',', '-']).any(is_word)
}

/// Words for a turn to one side. They matter in any game.
const TURNS: [&str; 5] = ["left", "right", "port", "starboard", "larboard"];

/// Words that give a word for a turn another meaning if they stand beside it: `left of the wall`, `all right`.
const BESIDE_TURNS: [&str; 24] = [
    "of", "behind", "hand", "away", "over", "now", "by", "in", "up", "about", "so", "all",
    "that's", "thats", "what", "what's", "is", "are", "has", "have", "was", "were", "side",
    "flank",
];

/// Words for going straight on. A proposed line needs none of them.
pub(super) const AHEAD: [&str; 7] =
    ["ahead", "forward", "forwards", "straight", "on", "onward", "onwards"];

/// Returns true if a word means a turn to one side.
pub(super) fn is_turn(word: &str) -> bool {
    TURNS.contains(&word)
}

/// Returns the words of a text for a turn to one side that a line lacks, and that aren't part of the phrase
/// for its verb.
fn turns_left_out(said: &[String], line: &str, of_verb: &[String]) -> Vec<String> {
    let indices = (0..said.len()).filter(|&at| {
        states_turn(said, at) && !of_verb.contains(&said[at]) && !has_word(line, &said[at])
    });
    indices.map(|at| said[at].clone()).collect()
}

/// Returns true if the word at this index means a turn to one side, and the words beside it give it no
/// other meaning.
fn states_turn(words: &[String], at: usize) -> bool {
    let is_beside = |word: Option<&String>| {
        word.is_some_and(|word| BESIDE_TURNS.contains(&word.replace('’', "'").as_str()))
    };
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    is_turn(&words[at]) && !is_beside(before) && !is_beside(words.get(at + 1))
}

/// Returns true if the word at this index states how many act, or how often: `both`, `twice`.
pub(super) fn states_quantity(words: &[Token], index: usize) -> bool {
    QUANTITIES.contains(&words[index].bare().as_str())
}

/// Returns the number of times that a text has a number.
fn count_of_number(text: &str, number: &str) -> usize {
    let is_number = number.parse::<f64>().is_ok();
    let words = text.split([' ', ',']).map(command::bare_number);
    words.filter(|word| is_number && *word == number).count()
}

/// Returns the words for the acts of a text that none of the proposed lines does: `dismounts` in `the carts
/// move 8 and the crew dismounts`, if the lines only move the carts. A part of the usage, such as a flag, may
/// stand for an act.
fn acts_left_out(play: &Play, said: &str, lines: &[String]) -> Vec<String> {
    let table = play.session.table();
    let joined = said.replace(" and ", ", ").replace(" then ", ", ");
    let clauses: Vec<&str> = joined.split([',', ';']).collect();
    let verb_of_line = lines.first().and_then(|line| line.split(' ').next()).unwrap_or_default();
    // If the line's own verb isn't said, the other one stands for it.
    let of_line = command::words_for_verb(play.referee(), table, said, verb_of_line);
    if clauses.len() < 2 || of_line.is_empty() {
        return Vec::new();
    }
    let mut lost = Vec::new();
    for clause in clauses {
        let verbs = command::verbs_in(play.referee(), table, clause);
        let is_done = |verb: &String| lines.iter().any(|line| line.split(' ').next() == Some(verb));
        let Some(verb) = verbs.first().filter(|_| !verbs.iter().any(is_done)) else { continue };
        let words = command::words_for_verb(play.referee(), table, clause, verb);
        // In `a full move`, the verb is a noun.
        let begins = words.first().is_some_and(|word| {
            let spoken = clause.trim().to_lowercase();
            spoken.starts_with(word.as_str()) || word.ends_with('s')
        });
        let is_part = |word: &String| {
            let forms = command::base_forms(word);
            lines
                .iter()
                .any(|line| has_word(line, word) || forms.iter().any(|form| has_word(line, form)))
        };
        if begins && !words.iter().any(is_part) {
            lost.extend(words);
        }
    }
    lost
}

/// Returns the words of a text that mean a group, such as `carts` for `cart1` and `cart2`, if neither the
/// proposed lines nor the rest names any of its pieces.
fn groups_left_out(play: &Play, said: &str, lines: &[String], rest: &str) -> Vec<String> {
    let mut words = spoken_words(said);
    words.retain(|word| {
        let group = command::groups_in(play.referee(), play.session.table(), word);
        let is_named =
            |name: &String| has_word(rest, name) || lines.iter().any(|line| has_word(line, name));
        // `shoots` is no mistyped name.
        let is_verb = question_words::is_verb(play, word);
        !group.is_empty() && !is_verb && !group.iter().any(is_named) && !has_word(rest, word)
    });
    words
}

/// Returns the words of a typed line that mean something and that neither the proposed lines nor the rest
/// of the line have: numbers, words of the rules, quantities and turns. The first words of all proposed
/// lines must be verbs of the game; otherwise, there are none.
pub(super) fn words_not_proposed(
    play: &Play,
    typed: &TypedLine<'_>,
    meant: &LineError,
) -> Vec<String> {
    let Some(lines) = meant.proposed_lines() else { return Vec::new() };
    let is_of_game = |line: &String| {
        let verb = line.split(' ').next().unwrap_or_default();
        play.referee().ruleset().is_typed_verb(verb)
    };
    let Some(first) = lines.first().filter(|_| lines.iter().all(is_of_game)) else {
        return Vec::new();
    };
    let rest = meant.rest_of_line().unwrap_or_default();
    let table = play.session.table();
    // The line may have a word of the rules in place of another word for it, or `east,east` for `east 2`.
    let in_words = command::answer_in_words_of_rules(play.referee(), table, typed.line);
    let said = in_words.as_deref().unwrap_or(typed.line);
    let mut lost = known_words_left_out(play, said, first);
    if let Some(spelled) = command::in_words_of_rules(play.referee(), table, typed.line) {
        let of_spelled = known_words_left_out(play, &spelled, first);
        lost.retain(|word| of_spelled.contains(word));
    }
    let verb = first.split(' ').next().unwrap_or_default();
    let of_verb = command::words_for_verb(play.referee(), table, said, verb);
    lost.extend(turns_left_out(&spoken_words(said), first, &of_verb));
    lost.extend(acts_left_out(play, said, lines));
    lost.extend(groups_left_out(play, said, lines, rest));
    let is_in = |text: &str, word: &str| {
        let bare = text.split([' ', ',']).map(|part| part.trim_matches(['.', ';', '!', ':']));
        has_word(text, word) || bare.into_iter().any(|part| part.eq_ignore_ascii_case(word))
    };
    // The number of a name that was typed as two words isn't lost.
    if let Some(mended) = command::mended_line(play.referee(), table, said) {
        let of_mended = known_words_left_out(play, &mended, first);
        let is_number = |word: &String| command::bare_number(word).parse::<f64>().is_ok();
        lost.retain(|word| !is_number(word) || of_mended.contains(word));
    }
    let without = meant.words_left_out();
    let is_named =
        |part: &str| has_word(first, part) || without.iter().any(|word| has_word(word, part));
    // `both` may be a 2 in the line.
    let has_number = lines.iter().any(|line| {
        let mut parts = line.split(' ').filter(|part| part.parse::<f64>().is_ok());
        parts.any(|part| count_of_number(said, part) == 0)
    });
    // The rest of a line has the other pieces that are meant.
    let is_counted = |word: &String| {
        let is_quantity = QUANTITIES.contains(&word.as_str());
        is_quantity && !rest.is_empty()
            || has_number && (is_quantity || command::spoken_number(word).is_some())
    };
    lost.retain(|word| {
        let number = command::bare_number(word);
        let is_little = ["and", "then"].contains(&word.as_str()) || AHEAD.contains(&word.as_str());
        let in_parts = word.contains('-') && word.split('-').all(is_named);
        let is_later = is_in(rest, word) || is_in(rest, number);
        let is_there = lines.iter().any(|line| has_word(line, word) || has_word(line, number));
        !(is_little || is_counted(word) || in_parts || is_later || is_there)
    });
    // In `goes 3, then left and 3`, both numbers matter.
    let words = spoken_words(said);
    let numbers = words.iter().map(|word| command::bare_number(word));
    let repeated = numbers.filter(|number| {
        let count = count_of_number(said, number);
        let proposed = count_of_number(first, number) + count_of_number(rest, number);
        count > 1 && (1..count).contains(&proposed)
    });
    lost.extend(repeated.map(str::to_owned));
    let once: IndexSet<String> = lost.into_iter().collect();
    once.into_iter().collect()
}

/// A line with the words that were put back into it.
pub(super) struct Completed {
    pub line: String,
    /// The typed words that state them.
    pub stated: Vec<String>,
}

/// Adds the optional parts of its usage that the typed words state to an accepted line that lacks
/// them. Fails if the line would be refused with such a part.
pub(super) fn put_back(
    play: &Play,
    line: &str,
    said: &str,
    search: &LineSearch<'_>,
) -> Result<Completed, ReasonRefused> {
    let words = spoken_words(said);
    // In `opens up on bob`, `open` isn't a part of the usage.
    let verb = line.split(' ').next().unwrap_or_default();
    let of_verb = command::words_for_verb(play.referee(), play.session.table(), said, verb);
    let mut done = Completed { line: line.to_owned(), stated: Vec::new() };
    // Two values of one parameter can't both be added.
    let mut tried: Vec<String> = Vec::new();
    while let Some((part, stated)) = first_stated(play, &done.line, &words, |word| {
        has_word(&done.line, word) || tried.contains(word) || of_verb.contains(word)
    }) {
        tried.extend(stated.iter().cloned());
        let longer = format!("{} {part}", done.line);
        let command = command::parse(play.referee(), play.session.table(), &longer);
        let Ok(Some(command)) = command else { continue };
        let longer = command.restated.unwrap_or(longer);
        if search.accepts(&longer) {
            done.line = longer;
            done.stated.extend(stated);
        } else if let Some(reason) = refusal_of(play, &longer) {
            return Err(ReasonRefused(reason));
        }
    }
    Ok(done)
}

/// The reason why the rules refuse a line.
pub(super) struct ReasonRefused(pub String);

/// Returns the first part that could be added to a line and is stated by some of these words, and
/// these words. Words for which `is_used` is true state nothing more.
fn first_stated(
    play: &Play,
    line: &str,
    words: &[String],
    is_used: impl Fn(&String) -> bool,
) -> Option<(String, Vec<String>)> {
    let table = play.session.table();
    let parts = command::addable_parts(play.referee(), table, line);
    let begins_one = |word: &str| {
        let mut begun = parts.iter().filter(|part| part.spoken.starts_with(word));
        let first = begun.next()?;
        begun.all(|other| other.spoken == first.spoken).then_some(first)
    };
    let states = |window: &[String], part: &AddablePart| {
        let wanted: Vec<&str> = part.spoken.split(' ').collect();
        let is_form = |(word, base): (&String, &&str)| {
            word == base || command::base_forms(word).iter().any(|form| form == base)
        };
        window.len() == wanted.len() && window.iter().zip(&wanted).all(is_form)
    };
    for at in 0..words.len() {
        for part in &parts {
            let end = at + part.spoken.split(' ').count();
            let Some(window) = words.get(at..end) else { continue };
            let is_direction = window.len() == 1 && DIRECTIONS.contains(&window[0].as_str());
            let joins = |next: &String| ["and", "then"].contains(&next.as_str());
            let is_last = || words.get(end).is_none_or(joins);
            let may_count = !is_denied(words, at)
                && !window.iter().all(&is_used)
                && (!is_direction || states_turn(words, at) || is_last());
            if may_count && states(window, part) {
                return Some((part.written.clone(), window.to_vec()));
            }
        }
        let word = &words[at];
        let is_unknown = || {
            !LITTLE.contains(&word.as_str())
                && !command::unknown_words(play.referee(), table, word).is_empty()
        };
        if !is_used(word)
            && !is_denied(words, at)
            && word.chars().count() >= MIN_BEGINNING
            && let Some(part) = begins_one(word).filter(|_| is_unknown())
        {
            return Some((part.written.clone(), vec![word.clone()]));
        }
        if !is_used(word) && !line.contains(',') && means_two(play, line, words, at) {
            return Some(("2".to_owned(), vec![word.clone()]));
        }
    }
    None
}

/// Words in front of a word of the rules that doesn't apply: `off the road`.
const DENYING: [&str; 4] = ["off", "not", "without", "no"];

/// Returns true if the word at this index is denied.
fn is_denied(words: &[String], at: usize) -> bool {
    let mut before = words[..at].iter().rev().filter(|word| *word != "the" && *word != "a");
    before.next().is_some_and(|word| DENYING.contains(&word.as_str()))
}

/// Words after `both` with which it is about the pieces that act.
const OF_BOTH: [&str; 8] = ["of", "the", "men", "at", "on", "to", "go", "and"];

/// Returns true if a word means that a line uses two things: `with both`, `both shots`, or `twice` for
/// shots. In `ann and bob both fire`, it doesn't.
fn means_two(play: &Play, line: &str, words: &[String], at: usize) -> bool {
    let is_both = words[at] == "both";
    if !is_both && words[at] != "twice" {
        return false;
    }
    let left = command::count_left_out(play.referee(), play.session.table(), line);
    let Some(name) = left else { return false };
    let after_with = at > 0 && words[at - 1] == "with";
    let table = play.session.table();
    // In `both tubes`, the noun needn't be the name of the number.
    let before_noun = words.get(at + 1).is_some_and(|next| {
        let is_other = OF_BOTH.contains(&next.as_str())
            || question_words::is_verb(play, next)
            || command::find_spoken(table, next).is_some();
        is_alike(next, &name) || !is_other
    });
    if is_both { after_with || before_noun } else { name == "shots" }
}

/// Returns the line that a first part of a typed line means, with what the rest of the typed line
/// only adds to it: `move x4 4 take-cover` for `move x4 4` and `x4 takes cover`. Returns `None` if
/// the rest says anything else.
pub(super) fn with_rest(
    play: &Play,
    line: &str,
    rest: &str,
    search: &LineSearch<'_>,
) -> Option<String> {
    // `on inside` adds `inside`.
    let bare = PREPOSITIONS.iter().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' '));
    let rest = bare.unwrap_or(rest);
    let words = spoken_words(rest);
    let done = put_back(play, line, rest, search).ok().filter(|done| done.line != line)?;
    // Words that mean nothing to the rules don't make the rest another statement.
    let unknown = command::unknown_words(play.referee(), play.session.table(), rest);
    let is_said = |word: &String| {
        LITTLE.contains(&word.as_str())
            || done.stated.contains(word)
            || has_word(line, word)
            || acts_in(play, line, word)
            || unknown.iter().any(|(other, _)| other.eq_ignore_ascii_case(word))
    };
    words.iter().all(is_said).then_some(done.line)
}

/// Returns true if a word names the pieces that act in a line, such as the squad of its men.
fn acts_in(play: &Play, line: &str, word: &str) -> bool {
    let table = play.session.table();
    let acting = |text: &str| {
        let command = command::parse(play.referee(), table, text).ok().flatten()?;
        Some(play.acting_pieces(&command.action))
    };
    let Some((verb, rest)) = line.split_once(' ') else { return false };
    let (list, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    table.find(word).is_some()
        && list.contains(',')
        && acting(format!("{verb} {word} {rest}").trim()) == acting(line)
}

/// Returns the error for a line that would leave out some of these words, although they are flags of
/// its own verb or values that its parameters can have. Without them, it may mean something else.
/// Returns `None` if there are no such words.
pub(super) fn without_place(
    play: &Play,
    error: &LineError,
    line: &str,
    left_out: &[String],
) -> Option<LineError> {
    let verb = line.split(' ').next()?;
    let own = command::options_of_verb(play.referee(), verb, left_out);
    let command = command::parse(play.referee(), play.session.table(), line).ok()??;
    let Action::Rule { rule, .. } = command.action else { return None };
    let usage = command::usage_text(&play.referee().ruleset().schema.rules[rule.index()]);
    let message = format!("{} doesn't fit into `{line}`", names::quote_names(&own));
    let error = LineError { message, span: None, wants_sample: false, ..error.clone() };
    (!own.is_empty()).then(|| error.help(format!("write `{usage}`")))
}

/// Returns the error for a rest that isn't another statement, because it names no piece and no verb,
/// but has words of the verb of the first part, which have no place there. Returns `None` for any
/// other rest.
pub(super) fn rest_without_place(
    play: &Play,
    error: &LineError,
    line: &str,
    rest: &str,
) -> Option<LineError> {
    let words = spoken_words(rest);
    let states = !names_of_pieces(play, &words).is_empty()
        || !command::verbs_in(play.referee(), play.session.table(), rest).is_empty();
    without_place(play, error, line, &words).filter(|_| !states)
}

/// Returns the numbers and the words of the rules in a part of a typed line that the line found for
/// it leaves out, such as `inside` or `chest`. Without them, the line may mean something else.
pub(super) fn known_words_left_out(play: &Play, said: &str, line: &str) -> Vec<String> {
    let Ok(typed) = TypedLine::read(said) else { return Vec::new() };
    let verb = line.split(' ').next();
    let of_verb = command::words_for_verb(
        play.referee(),
        play.session.table(),
        said,
        verb.unwrap_or_default(),
    );
    let in_line = line.split([' ', ',']).chain(line.split([' ', ',', '-']));
    let found: Vec<String> =
        in_line.map(|word| command::bare_number(word).to_lowercase()).collect();
    let marks = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')');
    let words = typed.tokens.iter().filter(|token| !token.quoted);
    let words = words.map(|token| token.text.to_lowercase().trim_matches(marks).to_owned());
    let words: Vec<String> =
        words.flat_map(|list| list.split(',').map(str::to_owned).collect::<Vec<_>>()).collect();
    let is_left_out = |word: &String| {
        let bare = command::bare_number(word);
        // `2/5` is a number, too.
        let mut parts = bare.split('/');
        let is_number = bare.contains(|c: char| c.is_ascii_digit())
            && parts.all(|part| part.parse::<f64>().is_ok())
            || spelt_number_left_out(word, line, &found);
        // `with spears` states the value `spear`.
        let forms = command::base_forms(word);
        let is_value = |form: &String| command::is_parameter_value(play.referee(), form);
        let counts = is_number
            || command::is_usage_word(play.referee(), word)
            || is_value(word)
            || forms.iter().any(is_value)
            || command::is_kind_without_piece(play.referee(), play.session.table(), word, line)
            // If the line's own verb isn't said, the other one stands for it.
            || !of_verb.is_empty()
                && verb.is_some_and(|verb| command::is_form_of_other_verb(play.referee(), word, verb))
            || (QUANTITIES.contains(&word.as_str()) && !line.contains(','));
        let is_little =
            PREPOSITIONS.contains(&word.as_str()) || QUESTION_WORDS.contains(&word.as_str());
        counts
            && !is_little
            && !of_verb.contains(word)
            && !found.iter().any(|known| known == bare || forms.contains(known))
            && verb_of(play, word).is_none_or(|other| Some(other) != verb)
            && command::find_spoken(play.session.table(), word).is_none()
    };
    let kept = (0..words.len()).filter(|at| !is_denied(&words, *at)).map(|at| &words[at]);
    kept.filter(|word| is_left_out(word)).cloned().collect()
}

/// Returns true if a word spells out a number that a line with these words doesn't have. `one` is often no
/// number.
fn spelt_number_left_out(word: &str, line: &str, found: &[String]) -> bool {
    let number = command::spoken_number(word).filter(|_| word.len() > 2 && word != "one");
    // `two areas` may be a list of two.
    let is_counted =
        |count: u32| line.split(' ').any(|list| list.split(',').count() == count as usize);
    number.is_some_and(|number| !found.contains(&number.to_string()) && !is_counted(number))
}

/// Nouns after a number that measure a distance or an angle.
const MEASURES: [&str; 24] = [
    "inch", "inches", "ins", "in", "yard", "yards", "yds", "metre", "metres", "meters", "m", "cm",
    "feet", "ft", "pace", "paces", "square", "squares", "hex", "hexes", "areas", "steps", "points",
    "away",
];

/// Nouns for what is counted in an action. A number in front of one is no distance.
const COUNTED: [&str; 5] = ["shots", "rounds", "bursts", "times", "attacks"];

/// Returns a number with its noun that says how often something is done, as in `3 shots`, if a line has this number
/// and the text has no other number: then the line takes it for a distance. Returns `None` otherwise.
pub(super) fn count_in_line(said: &str, line: &str) -> Option<String> {
    let typed = TypedLine::read(said).ok()?;
    let numbers = typed.tokens.iter().filter(|word| word.bare().parse::<f64>().is_ok()).count();
    let mut pairs = typed.tokens.windows(2);
    let pair = pairs.find(|pair| COUNTED.contains(&pair[1].bare().as_str()))?;
    let number = command::spoken_number(&pair[0].bare())?.to_string();
    let is_taken = numbers < 2 && has_word(line, &number);
    is_taken.then(|| format!("{} {}", pair[0].text, pair[1].bare()))
}

/// Returns a line without the optional numbers that were typed with a noun for something else, and
/// these numbers with their nouns: in `fires at bob 8 with 2 shots`, the 2 isn't a modifier. A number
/// that the line needs isn't taken out, nor is its only number: `moves 8 straight to bob`.
pub(super) fn without_other_counts(
    play: &Play,
    said: &str,
    line: &str,
    search: &LineSearch<'_>,
) -> (String, Vec<String>) {
    let table = play.session.table();
    let mut shorter = line.to_owned();
    let mut counts = Vec::new();
    let Ok(typed) = TypedLine::read(said) else { return (shorter, counts) };
    let Some(verb) = line.split(' ').next() else { return (shorter, counts) };
    let names = command::parameter_names(play.referee(), verb);
    for pair in typed.tokens.windows(2) {
        let [number, noun] = pair else { continue };
        let lower = noun.text.to_lowercase();
        let bare = lower.trim_matches([',', '.', ';', '!']);
        let is_noun = bare.len() > 2
            && bare.chars().all(char::is_alphabetic)
            && !MEASURES.contains(&bare)
            && !PREPOSITIONS.contains(&bare)
            && !LITTLE.contains(&bare)
            && !QUANTITIES.contains(&bare)
            && !command::is_usage_word(play.referee(), bare)
            && !command::is_parameter_value(play.referee(), bare)
            && !command::is_common_word(bare)
            && command::find_spoken(table, bare).is_none()
            && verb_of(play, bare).is_none()
            && !names.iter().any(|name| is_alike(name, bare));
        let Some(value) = command::spoken_number(&number.text).filter(|_| is_noun) else {
            continue;
        };
        let value = value.to_string();
        let parts: Vec<&str> = shorter.split(' ').collect();
        // `moves 8 straight to bob` has no other distance, but `3 shots` is none.
        let is_only = parts.iter().filter(|part| part.parse::<f64>().is_ok()).count() < 2;
        if is_only && !COUNTED.contains(&bare) {
            continue;
        }
        let Some(at) = parts.iter().rposition(|part| *part == value) else { continue };
        // A word of the usage in front of the number goes with it.
        let after_number = [&parts[..at], &parts[at + 1..]].concat().join(" ");
        let with_word =
            at.checked_sub(1).map(|before| [&parts[..before], &parts[at + 1..]].concat());
        let tried = [after_number, with_word.unwrap_or_default().join(" ")];
        if let Some(found) = tried.into_iter().find(|one| !one.is_empty() && search.accepts(one)) {
            shorter = found;
            counts.push(format!("{} {bare}", number.text));
        }
    }
    (shorter, counts)
}

/// Words for a quantity that a line with a single piece doesn't have.
const QUANTITIES: [&str; 4] = ["both", "all", "twice", "each"];

/// Returns the first of these words that states how many pieces act.
pub(super) fn quantity_in(words: &[String]) -> Option<&str> {
    words.iter().map(String::as_str).find(|word| *word != "twice" && QUANTITIES.contains(word))
}

/// Words that don't describe an action.
pub(super) const PREPOSITIONS: [&str; 16] = [
    "and", "to", "at", "on", "in", "into", "onto", "with", "from", "over", "up", "down", "off",
    "out", "by", "for",
];
