//! Ranges and lists of numbered pieces as people type them: `s1 to s5`, `tracks 2 and 3`,
//! `tracks 1,2,3`; and the owners in front of pieces: `ann's t1`.

use super::restate::{ARTICLES, is_one_of};
use super::value::expand_name_row;
use super::{Reading, Token, TypedLine};
use crate::language::schema::KindId;
use crate::referee::Referee;
use crate::tabletop::Tabletop;

/// Words between the first and the last piece of a range.
const UP_TO: [&str; 7] = ["to", "through", "thru", "till", "until", "-", "–"];

/// Words in front of a piece from which something goes to another: `from s1 to s5` is no range.
const FROM: [&str; 5] = ["from", "between", "at", "on", "off"];

/// The maximum number of pieces in a range.
const MAX_PIECES: usize = 40;

/// Returns a line with the names of its pieces, joined by `and`, in place of each range: `c1 and c2 and c3` for
/// `c1 to c3`. Returns `None` if there is no range.
pub(crate) fn with_ranges_spelled_out(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Option<String> {
    let typed = TypedLine::read(line).ok()?;
    let reading = Reading::new(referee, table, line);
    let words = &typed.tokens;
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    let mut has_range = false;
    while let Some(word) = words.get(at) {
        let range = if word.quoted { None } else { reading.range_at(words, at) };
        has_range |= range.is_some();
        let (part, taken) = match range {
            Some((names, taken)) => (names.join(" and "), taken),
            None => (line[word.start..word.end].to_owned(), 1),
        };
        parts.push(part);
        at += taken;
    }
    has_range.then(|| parts.join(" "))
}

impl Reading<'_> {
    /// Returns the words without the owners in front of pieces: `ann's t1` and `ann: t1` mean `t1`.
    /// Returns `None` if there is no such owner.
    pub(super) fn without_owners(&self, words: &[Token]) -> Option<Vec<Token>> {
        let is_owner = |at: usize| {
            let text = words[at].text.to_lowercase().replace('’', "'");
            let owner = ["'s", "s'", ":"].iter().find_map(|end| text.strip_suffix(end));
            let next = words.get(at + 1).filter(|word| !word.quoted && !words[at].quoted);
            owner.is_some_and(|owner| self.table.find(owner).is_some())
                && next.is_some_and(|next| self.table.find(&next.text).is_some())
        };
        let kept: Vec<Token> =
            (0..words.len()).filter(|at| !is_owner(*at)).map(|at| words[at].clone()).collect();
        (kept.len() < words.len()).then_some(kept)
    }

    /// Returns the words with the names of its pieces in place of each range; `None` if there is no
    /// range. Areas of a plan form no ranges, because people go from one to another.
    pub(super) fn with_ranges(&self, words: &[Token]) -> Option<Vec<Token>> {
        let mut written: Vec<Token> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let range = if words[at].quoted { None } else { self.range_at(words, at) };
            match range {
                Some((names, taken)) => {
                    let word = Token { end: words[at + taken - 1].end, ..words[at].clone() };
                    written.extend(names.into_iter().map(|text| Token { text, ..word.clone() }));
                    at += taken;
                }
                None => {
                    written.push(words[at].clone());
                    at += 1;
                }
            }
        }
        (written.len() != words.len() || written.iter().zip(words).any(|(a, b)| a.text != b.text))
            .then_some(written)
    }

    /// Returns the pieces of the range that begins with the word at index `at`, and the number of
    /// words in it.
    fn range_at(&self, words: &[Token], at: usize) -> Option<(Vec<String>, usize)> {
        let text = |index: usize| {
            let word = words.get(index).filter(|word| !word.quoted)?;
            Some(word.text.trim_end_matches([',', ':', ';']).to_lowercase())
        };
        let first = text(at)?;
        let is_from = words[..at].iter().rev().find(|word| !is_one_of(&word.text, &ARTICLES));
        let is_from = is_from.is_some_and(|word| is_one_of(&word.text, &FROM));
        if self.table.find(&first).is_some() {
            let joins = text(at + 1).is_some_and(|word| UP_TO.contains(&word.as_str()));
            let last = text(at + 2).filter(|_| joins && !is_from)?;
            return Some((self.numbered(&format!("{first}-{last}"))?, 3));
        }
        if let Some(names) = self.numbered(&first) {
            return Some((names, 1));
        }
        let joined: Vec<String> = first.split(['+', '/', '&']).map(str::to_owned).collect();
        if joined.len() > 1
            && let Some(names) = self.pieces_of_one_kind(&joined)
        {
            return Some((names, 1));
        }
        let stem = first.strip_suffix('s').unwrap_or(&first).to_owned();
        // `lorries 1 and 2`
        let of_plural = first.strip_suffix("ies").map(|bare| format!("{bare}y"));
        let (numbers, taken) = numbers_after(&|index| text(at + 1 + index))?;
        [Some(first), Some(stem), of_plural].iter().flatten().find_map(|stem| {
            let names: Vec<String> =
                numbers.iter().map(|number| format!("{stem}{number}")).collect();
            Some((self.pieces_of_one_kind(&names)?, taken + 1))
        })
    }

    /// Returns the pieces in a row of names, such as `s1-s5`.
    fn numbered(&self, row: &str) -> Option<Vec<String>> {
        self.pieces_of_one_kind(&expand_name_row(row)?)
    }

    /// Returns the names as they are written on the table, if all are pieces of one kind that isn't
    /// the plan's, and there are at least two.
    fn pieces_of_one_kind(&self, names: &[String]) -> Option<Vec<String>> {
        let found: Option<Vec<(KindId, u32)>> =
            names.iter().map(|name| self.table.find(name)).collect();
        let found = found.filter(|all| (2..=MAX_PIECES).contains(&all.len()))?;
        let kind = found[0].0;
        let is_one_kind = found.iter().all(|(other, _)| *other == kind);
        let is_plan = self.ruleset().schema.kind(kind).plan;
        (is_one_kind && !is_plan)
            .then(|| found.iter().map(|(of, row)| self.table.piece_name(*of, *row)).collect())
    }
}

/// Returns at least two numbers that words list (`1,2,3`, `2 and 3`, `1 to 3`, `2+3`), and the
/// number of words in the list. Two numbers without anything between them are no list.
fn numbers_after(word: &dyn Fn(usize) -> Option<String>) -> Option<(Vec<u32>, usize)> {
    let mut numbers: Vec<u32> = Vec::new();
    let mut is_open = true;
    let mut taken = 0;
    while let Some(text) = word(taken) {
        let joins = matches!(text.as_str(), "and" | "&" | "+" | "plus");
        let is_range = UP_TO.contains(&text.as_str());
        if (joins || is_range) && !numbers.is_empty() && !is_open {
            let next: u32 = word(taken + 1)?.parse().ok()?;
            let from = numbers.last().copied()? + 1;
            if is_range && (from..from + MAX_PIECES as u32).contains(&next) {
                numbers.extend(from..next);
            }
            numbers.push(next);
            taken += 2;
            continue;
        }
        let parts: Option<Vec<u32>> =
            text.split([',', '+', '&']).map(|part| part.parse().ok()).collect();
        match parts {
            Some(parts) if is_open => {
                numbers.extend(parts);
                is_open = false;
                taken += 1;
            }
            _ => break,
        }
    }
    (numbers.len() > 1).then_some((numbers, taken))
}

#[cfg(test)]
mod tests {
    use super::numbers_after;

    #[test]
    fn numbers_are_listed_in_several_ways() {
        let read = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            numbers_after(&|index| words.get(index).cloned())
        };
        assert_eq!(read("1,2,3 20"), Some((vec![1, 2, 3], 1)));
        assert_eq!(read("2+3 move 24"), Some((vec![2, 3], 1)));
        assert_eq!(read("1 to 3 drive 20"), Some((vec![1, 2, 3], 3)));
        assert_eq!(read("2 and 4 and 5 go"), Some((vec![2, 4, 5], 5)));
        // Not a list: a piece and a distance.
        assert_eq!(read("1 20"), None);
        assert_eq!(read("1 to move"), None);
        assert_eq!(read("1"), None);
        assert_eq!(read("drive"), None);
    }
}
