//! The names of pieces in a report. A reader who wasn't there doesn't know the type of `x2`, or the
//! side to which it belonged.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::names::{capitalized, proper_name};
use crate::render::looks;
use crate::render::view::View;
use crate::tabletop::Scenario;

/// The maximum number of names in a list.
const MAX_NAMES: usize = 6;

/// The description of a piece, apart from its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Description {
    /// The name of the piece's side.
    side: Option<String>,
    /// The side as a word before a noun: `German`, `Bob's`, `attackers'`.
    whose: Option<String>,
    /// The words by which players know the piece or the place. A piece has such words only if its
    /// name contains a digit: `Stark` needs none.
    words: Option<String>,
    /// True if the words are only the name of the piece's kind.
    is_kind: bool,
    /// True if the words are enough, and the name only shows where the piece is on the plan.
    is_place: bool,
}

/// The descriptions of pieces, by their names as a report writes them.
pub(super) type Descriptions = IndexMap<String, Description>;

/// Adds descriptions for the pieces in a view, and completes the descriptions of pieces that were
/// partly hidden before.
pub(super) fn collect(view: &View<'_>, descriptions: &mut Descriptions) {
    let schema = &view.referee.ruleset().schema;
    for (kind, of) in schema.piece_kinds().filter(|(_, kind)| !kind.plan) {
        for row in view.table.present_pieces(kind) {
            let name = view.table.piece_name(kind, row);
            let shown = proper_name(&name);
            let known = descriptions.get(&shown);
            if known.is_some_and(|known| known.side.is_some() && !known.is_kind) {
                continue;
            }
            let side = view.referee.side_of_piece(view.table, kind, row);
            let side = side.filter(|side| *side != "none" && *side != name);
            let caption = looks::caption(view, kind, row);
            // A fact that was hidden before may be known now.
            let says_more = known.is_none_or(|known| {
                known.side.is_none() && side.is_some() || known.is_kind && caption.is_some()
            });
            if !says_more {
                continue;
            }
            let is_code = name.contains(|c: char| c.is_ascii_digit());
            let is_kind = is_code && caption.is_none();
            let words = || {
                caption.map_or_else(|| of.name.replace('-', " "), |caption| in_a_sentence(&caption))
            };
            let description = Description {
                whose: side.as_deref().map(whose),
                side: side.as_deref().map(capitalized),
                words: is_code.then(words),
                is_kind,
                is_place: false,
            };
            if description.side.is_some() || description.words.is_some() {
                descriptions.insert(shown, description);
            }
        }
    }
}

/// Adds the names that people use for the areas of a scenario.
pub(super) fn collect_places(scenario: &Scenario, descriptions: &mut Descriptions) {
    for (place, areas) in &scenario.places {
        for area in areas {
            let description = Description {
                words: Some(place.clone()),
                is_place: true,
                ..Description::default()
            };
            descriptions.insert(proper_name(area), description);
        }
    }
}

/// Returns a side as a word before a noun: `German`, `attackers'`, or `Bob's`. A side that is
/// written with a capital is a person.
pub(super) fn whose(side: &str) -> String {
    match side {
        side if side.ends_with('s') => format!("{side}'"),
        side if side.starts_with(char::is_uppercase) => format!("{side}'s"),
        side => capitalized(side),
    }
}

/// Returns the first part of a title, in lower case unless it contains a name or an abbreviation:
/// `long cart` for `Long Cart, two horses`, but `Bren D` and `K-9`.
fn in_a_sentence(title: &str) -> String {
    let short = title.split([',', '(']).next().unwrap_or_default().trim_end();
    let is_ordinary = |word: &str| {
        let begins_small =
            word.chars().nth(1).or(word.chars().next()).is_some_and(char::is_lowercase);
        begins_small && word.chars().skip(1).all(|c| c.is_lowercase() || c == '-')
    };
    if short.split(' ').all(is_ordinary) { short.to_lowercase() } else { short.to_owned() }
}

/// Returns the plural of words: `riflemen`, `lorries`, `T-34s`, `carts with a dog`.
fn plural(words: &str) -> String {
    for preposition in [" with ", " without ", " of ", " in "] {
        if let Some((noun, rest)) = words.split_once(preposition) {
            return format!("{}{preposition}{rest}", plural(noun));
        }
    }
    let end = |end: &str| words.strip_suffix(end);
    let is_people = ["German", "Norman", "Roman", "human"].iter().any(|one| words.ends_with(one));
    if let Some(stem) = end("man").filter(|_| !is_people) {
        return format!("{stem}men");
    }
    match end("y") {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if words.ends_with('s') || words.ends_with("men") => words.to_owned(),
        _ if ["x", "ch", "sh"].iter().any(|hiss| words.ends_with(hiss)) => format!("{words}es"),
        _ => format!("{words}s"),
    }
}

/// A record of the pieces that a report has already named in a turn. The first mention of a piece
/// in a turn states its side and describes it, because readers don't remember the sides of many
/// names. Any other mention is just the name.
pub(super) struct Namer<'d> {
    descriptions: &'d Descriptions,
    known_in_turn: HashSet<&'d str>,
}

/// A name in a text, with its span.
struct Mention<'d> {
    start: usize,
    end: usize,
    name: &'d str,
}

impl<'d> Namer<'d> {
    pub(super) fn new(descriptions: &'d Descriptions) -> Namer<'d> {
        Namer { descriptions, known_in_turn: HashSet::new() }
    }

    /// Begins a turn: the next mention of each piece describes it again.
    pub(super) fn begin_turn(&mut self) {
        self.known_in_turn.clear();
    }

    /// Returns a sentence in which the names of pieces are replaced by descriptions. A word without
    /// a digit counts as a name only if it is among the `participants`: it may be an ordinary word.
    pub(super) fn describe_names(&mut self, sentence: &str, participants: &[&str]) -> String {
        let mentions = self.mentions(sentence, participants);
        let mut told = String::new();
        let mut at = 0;
        let mut rest = mentions.as_slice();
        while !rest.is_empty() {
            let is_next = |pair: &[Mention<'_>]| {
                matches!(&sentence[pair[0].end..pair[1].start], ", " | " and ")
            };
            let length = 1 + rest.windows(2).take_while(|pair| is_next(pair)).count();
            let (list, later) = rest.split_at(length);
            let start = list[0].start;
            let end = list[length - 1].end;
            // The list may go on in the sentence: `a1, a2 and 3 others`.
            let goes_on = sentence[end..].starts_with(" and ");
            told.push_str(&sentence[at..start]);
            let names = list.iter().map(|mention| mention.name);
            let before = &sentence[..start];
            let is_possessive = sentence[end..].starts_with(['\'', '’']);
            let takes_aside =
                !is_possessive && before.matches('(').count() <= before.matches(')').count();
            let NamedPieces { words, aside } = self.list(names, length > 1 && goes_on, takes_aside);
            told.push_str(&words);
            at = end;
            // The parentheses of the description are merged with the parentheses that follow in the
            // sentence.
            match (aside, sentence[end..].strip_prefix(" (")) {
                (Some(aside), Some(_)) => {
                    told.push_str(&format!(" ({aside}, "));
                    at += " (".len();
                }
                (Some(aside), None) => told.push_str(&format!(" ({aside})")),
                (None, _) => {}
            }
            rest = later;
        }
        told.push_str(&sentence[at..]);
        told
    }

    /// Returns the names of pieces in a sentence, in order.
    fn mentions(&self, sentence: &str, participants: &[&str]) -> Vec<Mention<'d>> {
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
        let states_side = |at: usize, side: &str| {
            let (before, after) = sentence.split_at(at);
            let clause = [before.rsplit(';').next(), after.split(';').next()];
            let words = clause.into_iter().flatten();
            let mut words =
                words.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '-'));
            words.any(|word| word.eq_ignore_ascii_case(side))
        };
        let mut mentions = Vec::new();
        let mut start = 0;
        for word in sentence.split(|c| !is_part(c)) {
            let at = start;
            start +=
                word.len() + sentence[at + word.len()..].chars().next().map_or(0, char::len_utf8);
            let written = word.trim_end_matches('.');
            let is_code = written.contains(|c: char| c.is_ascii_digit());
            let is_name =
                is_code || participants.iter().any(|one| one.eq_ignore_ascii_case(written));
            let described = self.descriptions.get_key_value(&proper_name(written));
            // `Ann of the red army` needs no other mention of her side.
            let says_enough = |told: &Description| {
                !is_code && told.side.as_deref().is_some_and(|side| states_side(at, side))
            };
            if let (true, Some((name, _))) =
                (is_name, described.filter(|(_, told)| !says_enough(told)))
            {
                // The name may be longer than the written word, because a capital letter can take
                // more bytes.
                mentions.push(Mention { start: at, end: at + written.len(), name });
            }
        }
        mentions
    }

    /// Returns a list of pieces in words, in which pieces with the same description are together.
    /// The list contains an `and` unless the sentence `goes_on` with one. Descriptions in
    /// parentheses are left out where the sentence has no room for an aside.
    fn list(
        &mut self,
        names: impl Iterator<Item = &'d str>,
        goes_on: bool,
        takes_aside: bool,
    ) -> NamedPieces {
        let mut groups: IndexMap<Description, Vec<String>> = IndexMap::new();
        for name in names {
            let mut told = self.descriptions[name].clone();
            let needs_aside =
                told.is_place || told.words.as_deref().is_none_or(begins_with_determiner);
            if !takes_aside && needs_aside {
                told = Description::default();
            } else {
                if !self.known_in_turn.insert(name) {
                    (told.side, told.whose) = (None, None);
                    if !told.is_place {
                        told.words = None;
                    }
                }
            }
            groups.entry(told).or_default().push(name.to_owned());
        }
        let final_group = groups.len().saturating_sub(1);
        let groups = groups.into_iter().enumerate();
        let mut groups: Vec<NamedPieces> = groups
            .map(|(index, (told, those))| described(&told, &those, goes_on && index == final_group))
            .collect();
        let Some(last) = groups.pop() else {
            return NamedPieces { words: String::new(), aside: None };
        };
        let mut words: Vec<String> = groups.into_iter().map(NamedPieces::in_full).collect();
        words.push(last.words);
        let is_list = words.len() > 1 && words.last().is_some_and(|one| one.contains(" and "));
        let words = match words.split_last() {
            _ if goes_on => words.join(", "),
            // `Yak (Russian), and Stuka and Panther (German)`
            Some((end, first)) if is_list => format!("{}, and {end}", first.join(", ")),
            _ => listed(&words),
        };
        NamedPieces { words, aside: last.aside }
    }
}

/// Pieces in words, and the words in parentheses after the last piece, if any.
struct NamedPieces {
    words: String,
    aside: Option<String>,
}

impl NamedPieces {
    fn in_full(self) -> String {
        match self.aside {
            Some(aside) => format!("{} ({aside})", self.words),
            None => self.words,
        }
    }
}

/// Returns names with the descriptions of their pieces: `the German riflemen x7 and x8`, `Stark
/// (Defenders)`. If the list `goes_on`, there is no `and` in it.
fn described(told: &Description, names: &[String], goes_on: bool) -> NamedPieces {
    let list = list_of_names(names.iter().map(String::as_str));
    let open_list = if goes_on { names.join(", ") } else { list.clone() };
    match (&told.words, &told.whose, &told.side) {
        // For example, `the mill (b2 and c2)`, `two lodgers (x2)`, `a family (x1)`.
        (Some(words), ..) if told.is_place || begins_with_determiner(words) => {
            NamedPieces { words: words.clone(), aside: Some(list) }
        }
        (Some(words), whose, _) => NamedPieces {
            words: with_noun(words, whose.as_deref(), names, &open_list),
            aside: None,
        },
        (None, _, side) => NamedPieces { words: open_list, aside: side.clone() },
    }
}

/// Returns names preceded by a noun: `the German riflemen x7 and x8`, `Bob's pump3`.
fn with_noun(words: &str, whose: Option<&str>, names: &[String], list: &str) -> String {
    let several = plural(words);
    let noun = match names {
        // A name that begins with the noun needs no noun: `the Russian lorry2`.
        [name] if name.trim_end_matches(|c: char| c.is_ascii_digit()) == words => None,
        [_] => Some(words),
        _ => Some(several.as_str()),
    };
    // `Bob's` replaces the article.
    let needs_article = whose.map_or(noun.is_some(), |whose| !whose.ends_with("'s"));
    let parts = [needs_article.then_some("the"), whose, noun, Some(list)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns true for words that begin with an article or a number: `a family`, `two lodgers`, `the
/// baker of the street`.
fn begins_with_determiner(words: &str) -> bool {
    const DETERMINERS: [&str; 9] = ["the", "a", "an", "one", "two", "three", "four", "five", "six"];
    let first = words.split(' ').next().unwrap_or_default();
    DETERMINERS.iter().any(|one| one.eq_ignore_ascii_case(first))
        || first.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the texts, joined by commas and a final `and`.
pub(super) fn listed(texts: &[String]) -> String {
    match texts.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// Returns the different names, joined by commas and a final `and`: `b3, b4 and c1`. If there are
/// too many, only the first are named and the others are counted.
pub(super) fn list_of_names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut different: Vec<&str> = Vec::new();
    for name in names {
        if !different.contains(&name) {
            different.push(name);
        }
    }
    let others = different.len().saturating_sub(MAX_NAMES);
    let mut shown: Vec<String> =
        different.iter().take(MAX_NAMES).map(|name| proper_name(name)).collect();
    match others {
        0 => {}
        1 => shown.push("another".to_owned()),
        others => shown.push(format!("{others} others")),
    }
    listed(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptions() -> Descriptions {
        let one = |name: &str, side: &str, words: Option<&str>| {
            let description = Description {
                side: Some(capitalized(side)),
                whose: Some(whose(side)),
                words: words.map(str::to_owned),
                ..Description::default()
            };
            (name.to_owned(), description)
        };
        let words = Some("the mill".to_owned());
        let mill = Description { words, is_place: true, ..Description::default() };
        Descriptions::from([
            one("x2", "german", Some("cook")),
            one("a1", "american", Some("smith")),
            one("a10", "american", Some("smith")),
            one("a11", "american", Some("baker")),
            one("Stark", "defenders", None),
            one("x1", "german", Some("two cats")),
            one("t3", "Bob", Some("cook")),
            one("cook4", "german", Some("cook")),
            ("b2.1".to_owned(), mill.clone()),
            ("c2".to_owned(), mill),
        ])
    }

    fn told(sentences: &[&str]) -> Vec<String> {
        let descriptions = descriptions();
        let mut namer = Namer::new(&descriptions);
        sentences.iter().map(|sentence| namer.describe_names(sentence, &["stark"])).collect()
    }

    #[test]
    fn a_piece_is_described_when_it_is_first_mentioned() {
        assert_eq!(
            told(&["x2 killed a10.", "a10 fell to x2 and x1."]),
            [
                "the German cook x2 killed the American smith a10.",
                "a10 fell to x2 and two cats (x1)."
            ]
        );
    }

    #[test]
    fn pieces_of_one_kind_in_a_list_are_described_together() {
        assert_eq!(
            told(&["x2 killed a1, a11 and a10.", "x2, b7, a1 and 2 others ran."]),
            [
                "the German cook x2 killed the American smiths a1 and a10 and the American baker a11.",
                "x2, b7, a1 and 2 others ran."
            ]
        );
    }

    #[test]
    fn a_piece_is_described_again_in_each_turn() {
        let descriptions = descriptions();
        let mut namer = Namer::new(&descriptions);
        assert_eq!(
            namer.describe_names("Stark hit x2.", &["stark"]),
            "Stark (Defenders) hit the German cook x2."
        );
        namer.begin_turn();
        assert_eq!(
            namer.describe_names("Stark hit x2.", &["stark"]),
            "Stark (Defenders) hit the German cook x2."
        );
        // `Stark` is an ordinary word here.
        assert_eq!(Namer::new(&descriptions).describe_names("Stark terror.", &[]), "Stark terror.");
    }

    #[test]
    fn a_piece_named_by_what_it_is_needs_no_more() {
        assert_eq!(told(&["t3 met cook4."]), ["Bob's cook t3 met the German cook4."]);
        let descriptions = descriptions();
        let mut namer = Namer::new(&descriptions);
        namer.describe_names("cook4 ran", &[]);
        namer.begin_turn();
        assert_eq!(namer.describe_names("cook4 ran", &[]), "the German cook4 ran");
        assert_eq!(namer.describe_names("cook4 ran", &[]), "cook4 ran");
    }

    #[test]
    fn a_capital_may_be_longer_than_its_letter() {
        let description = Description { side: Some("Red".to_owned()), ..Description::default() };
        let descriptions = Descriptions::from([(proper_name("ŉa"), description)]);
        let mut namer = Namer::new(&descriptions);
        assert_eq!(namer.describe_names("ŉaé ŉa é", &["ŉa"]), "ŉaé ʼNa (Red) é");
    }

    #[test]
    fn a_list_may_go_on() {
        assert_eq!(
            told(&["a1, a10 and 2 others ran."]),
            ["the American smiths a1, a10 and 2 others ran."]
        );
    }

    #[test]
    fn parentheses_are_not_nested() {
        assert_eq!(told(&["Stark's men ran (by x1 and c2)."]), ["Stark's men ran (by x1 and c2)."]);
    }

    #[test]
    fn areas_are_told_by_their_place() {
        assert_eq!(
            told(&["b2.1, a1 and c2 burn.", "c2 fell."]),
            ["the mill (b2.1 and c2) and the American smith a1 burn.", "the mill (c2) fell."]
        );
    }

    #[test]
    fn sides_are_put_before_a_noun() {
        assert_eq!(["german", "Bob", "attackers"].map(whose), ["German", "Bob's", "attackers'"]);
    }

    #[test]
    fn several_pieces_have_a_plural() {
        let words =
            ["rifleman", "lorry", "T-34", "pioneers", "coach", "German", "day", "cart with a dog"];
        let several = [
            "riflemen",
            "lorries",
            "T-34s",
            "pioneers",
            "coaches",
            "Germans",
            "days",
            "carts with a dog",
        ];
        assert_eq!(words.map(plural), several);
    }

    #[test]
    fn ordinary_titles_are_small_in_a_sentence() {
        let titles = ["Long-legged Cart, two horses", "Bren D", "K-9", "KG", "Man with a gun"];
        let told = titles.map(in_a_sentence);
        assert_eq!(told, ["long-legged cart", "Bren D", "K-9", "KG", "man with a gun"]);
    }

    #[test]
    fn names_are_listed_once_and_many_are_counted() {
        let list = |names: &str| list_of_names(names.split_whitespace());
        assert_eq!(list("b3"), "b3");
        assert_eq!(list("b3 b4 b3"), "b3 and b4");
        assert_eq!(list("ann b2"), "Ann and b2");
        assert_eq!(list("a b c d e f g"), "A, B, C, D, E, F and another");
        assert_eq!(list("a b c d e f g h"), "A, B, C, D, E, F and 2 others");
    }
}
