//! Lists of words of one set as people say them: `north, then east`, `north and east`, `east 2`, and
//! short forms such as `ne`. Only sets that a parameter takes as a list are dealt with here.

use super::known_words::{is_common_word, is_usage_word};
use super::restate::spoken_number;
use super::token::MARKS;
use super::{Token, TypedLine};
use crate::language::schema::{Element, Type, WordSet};
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words between two values of a list.
const BETWEEN: [&str; 5] = ["then", "and", "&", "->", ">"];

/// The maximum number of times that a value may be repeated by a number after it.
const MAX_REPEATED: u32 = 6;

/// The minimum number of parts of a value that has a short form.
const MIN_PARTS: usize = 2;

/// Returns a line in which the values of each list are written as one word, `north,east,east` for `north
/// then east 2`, and the short form of a value in full. Returns `None` if nothing would change.
pub(super) fn with_value_lists(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let sets = listed_sets(referee);
    // A single letter is a short form only after another value of the list.
    let value = |token: &Token, is_later: bool| {
        let bare = token.bare();
        if token.quoted || table.find(&bare).is_some() || referee.ruleset().has_verb(&bare) {
            return None;
        }
        let named = |set: &&WordSet| set.values.iter().position(|value| *value == bare);
        let found = sets.iter().find_map(|set| Some((*set, named(set)?)));
        let may_be_short = bare.chars().count() >= MIN_PARTS || is_later;
        found.or_else(|| value_in_short(referee, &sets, &bare).filter(|_| may_be_short))
    };
    let tokens = &typed.tokens;
    let mut said = line.to_owned();
    let mut written = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Some((set, first)) = value(token, false) else {
            at += 1;
            continue;
        };
        let of_set = |other: &Token| {
            value(other, true).filter(|(of, _)| std::ptr::eq(*of, set)).map(|(_, index)| index)
        };
        let mut values = vec![first];
        let mut end = at + 1;
        while let Some(next) = tokens.get(end) {
            let repeated = spoken_number(&next.bare()).filter(|count| *count <= MAX_REPEATED);
            if let Some(index) = of_set(next).filter(|_| tokens[end - 1].text.ends_with(',')) {
                values.push(index);
                end += 1;
            } else if BETWEEN.contains(&next.bare().as_str())
                && let Some(index) = tokens.get(end + 1).and_then(of_set)
            {
                values.push(index);
                end += 2;
            } else if let Some(count) = repeated.filter(|_| !takes_number(referee, set)) {
                let last = values[values.len() - 1];
                values.extend(std::iter::repeat_n(last, count.saturating_sub(1) as usize));
                end += 1;
            } else {
                break;
            }
        }
        let list: Vec<&str> = values.iter().map(|index| set.values[*index].as_str()).collect();
        if list.len() > 1 || list[0] != token.bare() {
            written.push((token.start..tokens[end - 1].end_before(&MARKS), list.join(",")));
        }
        at = end;
    }
    for (range, list) in written.into_iter().rev() {
        said.replace_range(range, &list);
    }
    (said != line).then_some(said)
}

/// Returns the line with its value in two words, if the typed words may also mean these: `plot bob north
/// east` for `plot bob north-east`. Returns `None` if the typed words have a hyphen, or if a part isn't a
/// value of the same set.
pub(crate) fn with_separate_values(referee: &Referee, said: &str, line: &str) -> Option<String> {
    let typed = said.to_lowercase();
    let sets = listed_sets(referee);
    line.split(' ').find_map(|word| {
        let set = sets.iter().find(|set| set.values.iter().any(|value| value == word))?;
        let parts: Vec<&str> = word.split('-').collect();
        let are_values = parts.iter().all(|part| set.values.iter().any(|value| value == part));
        let spaced = parts.join(" ");
        let is_spoken = parts.len() >= MIN_PARTS && are_values && typed.contains(&spaced);
        is_spoken.then(|| line.replacen(word, &spaced, 1))
    })
}

/// Returns the sets of words that a parameter takes as a list.
fn listed_sets(referee: &Referee) -> Vec<&WordSet> {
    let schema = &referee.ruleset().schema;
    let params = schema.rules.iter().flat_map(|rule| &rule.params);
    let mut ids: Vec<_> = params
        .filter_map(|param| match param.ty {
            Type::List(Element::Word(set)) => Some(set),
            _ => None,
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(|id| schema.word_set(id)).collect()
}

/// Returns true if a rule that takes a list of these words also takes a number, so that a number after
/// them has another meaning.
fn takes_number(referee: &Referee, set: &WordSet) -> bool {
    let schema = &referee.ruleset().schema;
    let is_list = |ty: &Type| match ty {
        Type::List(Element::Word(id)) => std::ptr::eq(schema.word_set(*id), set),
        _ => false,
    };
    let is_number = |ty: &Type| matches!(ty, Type::Whole | Type::Number | Type::Dice);
    schema.rules.iter().any(|rule| {
        rule.params.iter().any(|param| is_list(&param.ty))
            && rule.params.iter().any(|param| is_number(&param.ty))
    })
}

/// Returns the only value whose parts have these initials, as its set and its index: `north-east` for
/// `ne`.
fn value_in_short<'r>(
    referee: &'r Referee,
    sets: &[&'r WordSet],
    word: &str,
) -> Option<(&'r WordSet, usize)> {
    let is_short =
        !is_common_word(word) && !is_usage_word(referee, word) && !referee.ruleset().has_verb(word);
    let values = sets.iter().flat_map(|set| set.values.iter().enumerate().map(|one| (*set, one)));
    let mut meant = values.filter(|(_, (_, value))| {
        let initials = value.split('-').filter_map(|part| part.chars().next());
        initials.eq(word.chars())
    });
    let (set, (index, _)) = meant.next().filter(|_| is_short)?;
    meant.next().is_none().then_some((set, index))
}
