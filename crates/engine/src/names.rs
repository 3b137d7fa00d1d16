//! Finds names as people type them, complete or abbreviated, and suggests the nearest name for a
//! misspelt one. The module also has helpers for text that people read: numbers with their nouns,
//! and text without characters that control the terminal.

/// The result of looking for a typed word among names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match<'a, T> {
    /// The item whose name is the word, ignoring case, or the only item whose name the word
    /// abbreviates.
    One(T),
    /// The word is an abbreviation of these names, in their original order.
    Several(Vec<&'a str>),
    /// The word matches no name. This is the nearest name, if one is similar enough.
    None(Option<&'a str>),
}

/// Returns a number with its noun, such as `1 line` or `3 lines`. `one` is the singular, and the
/// plural adds an `s`.
pub fn count_with_noun(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Returns a text with its first letter in upper case.
pub fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The numbers from one to twelve in words.
pub(crate) const NUMBER_WORDS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// Returns a piece's name as a report writes it: with a capital letter unless it contains a digit.
pub(crate) fn proper_name(name: &str) -> String {
    if name.contains(|c: char| c.is_ascii_digit()) { name.to_owned() } else { capitalized(name) }
}

impl<T> Match<'_, T> {
    /// Returns the match if there is exactly one.
    pub fn only(self) -> Option<T> {
        match self {
            Match::One(found) => Some(found),
            Match::Several(_) | Match::None(_) => None,
        }
    }

    /// Returns the hint for a word that matches several names or none, such as "did you mean
    /// `fire`?" or "could be `fire`, `find`". Returns `None` if there is no name to suggest.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Match::None(Some(near)) => Some(format!("did you mean `{near}`?")),
            Match::Several(names) => Some(format!("could be {}", quote_names(names))),
            Match::One(_) | Match::None(None) => None,
        }
    }
}

/// Finds the item whose name a typed word matches or abbreviates. The word is compared exactly as
/// typed, then ignoring case, then as the beginning of a name, then as another abbreviation, then
/// as a later part of a hyphenated name. An empty word abbreviates nothing. If several items have
/// the same name, the first one is found.
pub fn find<'a, T: Copy>(
    word: &str,
    known: impl IntoIterator<Item = (&'a str, T)>,
) -> Match<'a, T> {
    let known: Vec<(&str, T)> = known.into_iter().collect();
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    match find_index(word, &names) {
        Match::One(index) => Match::One(known[index].1),
        Match::Several(names) => Match::Several(names),
        Match::None(near) => Match::None(near),
    }
}

/// Finds the index of the name that a typed word matches or abbreviates. All lookups of typed names
/// use this function.
fn find_index<'a>(word: &str, names: &[&'a str]) -> Match<'a, usize> {
    let lower = word.to_lowercase();
    if let Some(index) = names.iter().position(|name| *name == word) {
        return Match::One(index);
    }
    let lowered: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    if let Some(index) = lowered.iter().position(|name| *name == lower) {
        return Match::One(index);
    }
    let mut begun: Vec<usize> = Vec::new();
    let ways: [fn(&str, &str) -> bool; 3] =
        [|name, typed| name.starts_with(typed), abbreviates, is_later_part];
    for begins in ways {
        for (index, candidate) in lowered.iter().enumerate() {
            let fits = !lower.is_empty() && begins(candidate, &lower);
            if fits && !begun.iter().any(|&other| names[other] == names[index]) {
                begun.push(index);
            }
        }
        if !begun.is_empty() {
            break;
        }
    }
    match begun.as_slice() {
        [] => Match::None(nearest(word, names.iter().copied())),
        [index] => Match::One(*index),
        _ => Match::Several(begun.into_iter().map(|index| names[index]).collect()),
    }
}

/// Finds the name that a typed word matches or abbreviates, like [`find`].
pub fn find_name<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Match<'a, &'a str> {
    find(word, known.into_iter().map(|name| (name, name)))
}

/// Returns true if a word abbreviates a name in one of two ways: as the beginning of the name and
/// its final number (`p1` for `pump1`), or as the initials of all parts of a name that has at least
/// three (`lmg` for `light-machine-gun`). The name and the word must be in lower case.
pub(crate) fn abbreviates(name: &str, word: &str) -> bool {
    let mut initials = name.split('-').map(|part| part.chars().next());
    if word.len() > 2 && word.chars().all(|c| initials.next() == Some(Some(c))) {
        return initials.next().is_none();
    }
    let stem = |text: &'_ str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (name, number) = name.split_at(stem(name));
    let (begun, typed) = word.split_at(stem(word));
    !begun.is_empty() && !typed.is_empty() && number == typed && name.starts_with(begun)
}

/// Returns true if a word of at least three bytes is a later part (not the first) of a hyphenated
/// name, such as `charlie` in `american-charlie`.
pub(crate) fn is_later_part(name: &str, word: &str) -> bool {
    word.len() > 2 && name.split('-').skip(1).any(|part| part == word)
}

/// Returns the message for an unknown name, which is cut to 60 characters, with a suggestion if
/// there is one. `what` is the sort of thing that the name should refer to. `there_is`, which
/// usually lists the existing names, follows on a second line, unless it is empty.
pub fn no_such_name<'a>(
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    there_is: &str,
) -> String {
    let shown: String = word.chars().take(60).collect();
    let hint = match find_name(word, known) {
        Match::One(name) => Match::<&str>::None(Some(name)).hint(),
        found => found.hint(),
    };
    let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
    let line = if there_is.is_empty() { "" } else { "\n" };
    format!("there is no {what} `{}`{hint}{line}{there_is}", sanitize(&shown))
}

/// Returns the names in backticks, separated by commas. Leaves out empty names, which other errors
/// can cause.
pub fn quote_names(names: &[&str]) -> String {
    names.iter().filter(|n| !n.is_empty()).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the name in `known` that is nearest to `word`, if it is similar enough to be a
/// misspelling.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    find_nearest(word, &mut known.into_iter())
}

/// Returns a phrase that lists names: ``there is `t1` `` or ``there are `t1`, `t2` ``.
pub(crate) fn there_are(names: &[&str]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("there {verb} {}", quote_names(names))
}

/// Returns true if two words differ in a single mistake: a letter that is missing, added or replaced,
/// or two letters in the wrong order.
pub(crate) fn is_nearly(one: &str, other: &str) -> bool {
    strsim::damerau_levenshtein(one, other) == 1
}

fn find_nearest<'a>(word: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    let longest = wanted.chars().count();
    let mut best: Option<(usize, &str)> = None;
    // Each letter that only one of the words has counts as a separate mistake. This test is faster
    // than computing the distance.
    let lacking = |one: &str, other: &str| one.chars().filter(|c| !other.contains(*c)).count();
    for name in known.filter(|n| !n.is_empty()) {
        let lower = name.to_lowercase();
        let letters = longest.max(name.chars().count());
        let allowed = (letters / 3).max(1);
        if lacking(&wanted, &lower).max(lacking(&lower, &wanted)) > allowed {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &lower);
        // Short names that share no letter are not similar, even if the distance is small.
        if distance <= allowed && distance < letters && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Returns true for a character that controls a terminal or is invisible: control characters,
/// direction marks, zero-width spaces, fillers, tags and selectors. Combining marks are visible, so
/// they are allowed.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the text with tabs and line feeds replaced by spaces, and with all other control
/// characters and invisible characters replaced by their codes. All text for people passes through
/// this function.
pub fn sanitize(text: &str) -> String {
    if !text.contains(is_invisible) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' | '\n' => out.push(' '),
            c if is_invisible(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_goes_before_a_beginning() {
        assert_eq!(find_name("fire", ["firefly", "fire"]), Match::One("fire"));
        assert_eq!(find_name("FIRE", ["firefly", "fire"]), Match::One("fire"));
        assert_eq!(find_name("e1", ["E1", "e1"]), Match::One("e1"));
    }

    #[test]
    fn a_beginning_counts_if_it_is_unambiguous() {
        assert_eq!(find_name("fi", ["fire", "damp"]), Match::One("fire"));
        assert_eq!(find_name("fi", ["fire", "find"]), Match::Several(vec!["fire", "find"]));
        assert_eq!(find_name("fi", ["fire", "fire"]), Match::One("fire"));
        // Abbreviations with a final number.
        assert_eq!(find_name("p1", ["pump1", "pump2", "team1"]), Match::One("pump1"));
        assert_eq!(find_name("p1", ["pump1", "pak1"]), Match::Several(vec!["pump1", "pak1"]));
        assert_eq!(find_name("p11", ["pump1"]), Match::None(None));
        // Initials.
        assert_eq!(
            find_name("lmg", ["light-machine-gun", "rifle"]),
            Match::One("light-machine-gun")
        );
        assert_eq!(find_name("lm", ["light-machine-gun-x", "rifle"]), Match::None(None));
        assert_eq!(find_name("", ["fire"]), Match::None(None));
    }

    #[test]
    fn a_slip_gets_a_hint() {
        assert_eq!(find_name("frie", ["fire", "damp"]).hint().unwrap(), "did you mean `fire`?");
        assert_eq!(find_name("fi", ["fire", "find"]).hint().unwrap(), "could be `fire`, `find`");
        assert_eq!(find_name("zebra", ["fire", "damp"]), Match::None(None));
    }

    #[test]
    fn what_is_missing_is_shown_as_typed_with_what_was_meant() {
        let told = |word| no_such_name("game", word, ["blitz", "duel"], "");
        assert_eq!(told("blit"), "there is no game `blit`; did you mean `blitz`?");
        assert_eq!(told("BLITZ"), "there is no game `BLITZ`; did you mean `blitz`?");
        assert_eq!(told("bltiz"), "there is no game `bltiz`; did you mean `blitz`?");
        assert_eq!(told("bob's\u{9b}1m"), "there is no game `bob's\\u{9b}1m`");
    }

    #[test]
    fn suggests_only_what_is_near() {
        assert_eq!(nearest("dampp", ["fire", "damp"]), Some("damp"));
        assert_eq!(nearest("frie", ["fire", "damp"]), Some("fire"));
        assert_eq!(nearest("zebra", ["fire", "damp"]), None);
        assert_eq!(nearest("z", ["a", "b"]), None);
    }

    #[test]
    fn lists_no_empty_name() {
        assert_eq!(quote_names(&["water", "", "place"]), "`water`, `place`");
    }
}
