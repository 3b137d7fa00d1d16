//! A word to a value of a type.

use super::{LineError, Reading, Word};
use crate::language::machine::{Answers, Question, Table};
use crate::language::number::Number;
use crate::language::schema::{Attribute, Element, KindId, Param, Role, Type, WordsId};
use crate::referee::{Answer, Argument};
use crate::tabletop::{Cell, Given};

/// The one of `known` that is the word, or alone begins with it.
fn one_of<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<&'a str, Vec<&'a str>> {
    let lower = word.to_lowercase();
    if let Some(exact) = known.clone().find(|k| *k == word || *k == lower) {
        return Ok(exact);
    }
    let begun: Vec<&str> = known.filter(|k| k.starts_with(&lower)).collect();
    match begun.as_slice() {
        [one] => Ok(one),
        _ => Err(begun),
    }
}

/// Those of `known` whose parts, between hyphens, all begin with the parts of the word: `k-h` for `king-hearts`.
fn by_parts<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    if !lower.contains('-') {
        return Vec::new();
    }
    let fits = |name: &str| {
        let mut parts = name.split('-');
        lower.split('-').all(|p| parts.next().is_some_and(|n| n.to_lowercase().starts_with(p)))
    };
    known.filter(|name| fits(name)).collect()
}

/// Yes or no in the words people use.
pub(super) fn yes_no(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes" | "y" | "on" | "true" | "1" => Some(true),
        "no" | "n" | "off" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// The members of a list, as typed.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|p| !p.is_empty())
}

/// Text for a message: cut short.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Reading<'_> {
    /// A word as the value of a parameter.
    pub(super) fn argument(&self, param: &Param, word: &Word) -> Result<Argument, LineError> {
        let value = self.value(&param.name, param.ty, param.bounds, word)?;
        if let Argument::Members(members) = &value {
            let name = &param.name;
            if members.is_empty() {
                let message = format!("`{name}` needs one at least");
                return Err(LineError::new(Some(word), message));
            }
            let twice = (1..members.len()).find(|&i| members[..i].contains(&members[i]));
            if let Some(part) = twice.and_then(|i| parts(&word.text).nth(i)) {
                let message = format!("`{}` stands in `{name}` twice", short(part));
                return Err(LineError::new(Some(word), message));
            }
        }
        Ok(value)
    }

    /// Whether a word is the whole name of a value of the type.
    pub(super) fn is_named(&self, ty: Type, word: &str) -> bool {
        match ty {
            Type::Piece(kind) | Type::List(Element::Piece(kind)) => self
                .table
                .present(kind)
                .any(|row| self.table.name(kind, row).eq_ignore_ascii_case(word)),
            Type::Word(set) | Type::List(Element::Word(set)) => {
                let values = &self.referee.ruleset().schema.word_set(set).values;
                values.iter().any(|v| v.eq_ignore_ascii_case(word))
            }
            _ => false,
        }
    }

    fn value(
        &self,
        name: &str,
        ty: Type,
        bounds: Option<(i64, i64)>,
        word: &Word,
    ) -> Result<Argument, LineError> {
        let text = word.text.as_str();
        let wrong = |message: String| LineError::new(Some(word), message);
        match ty {
            Type::Whole => {
                let n: i64 = text.parse().map_err(|_| {
                    wrong(format!("`{name}` is a whole number, not `{}`", short(text)))
                })?;
                match bounds {
                    Some((low, high)) if n < low || n > high => {
                        Err(wrong(format!("`{name}` is from {low} to {high}, not {n}")))
                    }
                    _ if n.unsigned_abs() > crate::language::number::MAX_WHOLE.unsigned_abs() => {
                        Err(wrong(format!("`{name}` is too large")))
                    }
                    _ => Ok(Argument::Value(n)),
                }
            }
            Type::Number => {
                let n = Number::parse(text)
                    .ok_or_else(|| wrong(format!("`{name}` is a number, not `{}`", short(text))))?;
                let bounds = bounds.map(|(l, h)| (Number::from_bits(l), Number::from_bits(h)));
                match bounds {
                    Some((low, high)) if n < low || n > high => {
                        Err(wrong(format!("`{name}` is from {low} to {high}, not {n}")))
                    }
                    _ => Ok(Argument::Value(n.to_bits())),
                }
            }
            Type::Flag => yes_no(text)
                .map(|f| Argument::Value(i64::from(f)))
                .ok_or_else(|| wrong(format!("`{name}` is yes or no, not `{}`", short(text)))),
            Type::Word(set) => self.word_of(name, set, word).map(Argument::Value),
            Type::Piece(kind) => self.piece(kind, word).map(|row| Argument::Value(i64::from(row))),
            Type::Text => Ok(Argument::Text(text.to_owned())),
            Type::List(element) => {
                let mut members = Vec::new();
                for part in parts(text) {
                    let part = Word { text: part.to_owned(), ..word.clone() };
                    match self.value(name, element.member(), None, &part)? {
                        Argument::Value(n) => members.push(u32::try_from(n).unwrap_or(0)),
                        _ => return Err(wrong(format!("`{name}` is a list"))),
                    }
                }
                Ok(Argument::Members(members))
            }
            Type::Nothing | Type::Unknown => Err(wrong(format!("`{name}` cannot be given"))),
        }
    }

    fn word_of(&self, name: &str, set: WordsId, word: &Word) -> Result<i64, LineError> {
        let values = &self.referee.ruleset().schema.word_set(set).values;
        let known = values.iter().map(String::as_str);
        match one_of(&word.text, known.clone()) {
            Ok(found) => {
                let place = values.iter().position(|v| v == found);
                Ok(place.map_or(0, |p| p as i64))
            }
            Err(begun) if begun.len() > 1 => {
                let message =
                    format!("`{}` could be {}", short(&word.text), crate::diagnostic::list(&begun));
                Err(LineError::new(Some(word), message))
            }
            Err(_) => {
                let all: Vec<&str> = known.clone().collect();
                let message = format!("`{name}` cannot be `{}`", short(&word.text));
                let error = LineError::new(Some(word), message).suggest(&word.text, known);
                Err(match error.help {
                    None => error.help(format!("it is one of {}", crate::diagnostic::list(&all))),
                    Some(_) => error,
                })
            }
        }
    }

    /// A piece or row of a kind by its name, or an unambiguous beginning of it.
    pub(super) fn piece(&self, kind: KindId, word: &Word) -> Result<u32, LineError> {
        let schema = &self.referee.ruleset().schema;
        let what = &schema.kind(kind).name;
        let text = short(&word.text);
        if schema.kind(kind).role == Role::Pieces
            && let Some((found, row)) = self.table.find(&word.text)
        {
            if found == kind {
                return Ok(row);
            }
            let is = &schema.kind(found).name;
            let message = format!("`{text}` is of the kind `{is}`, not `{what}`");
            return Err(LineError::new(Some(word), message));
        }
        let rows: Vec<(u32, &str)> =
            self.table.present(kind).map(|row| (row, self.table.name(kind, row))).collect();
        match one_of(&word.text, rows.iter().map(|r| r.1)) {
            Ok(found) => {
                Ok(rows.iter().find(|(_, name)| *name == found).map_or(0, |&(row, _)| row))
            }
            Err(begun) if begun.len() > 1 => {
                let some: Vec<&str> = begun.into_iter().take(8).collect();
                let message = format!("`{text}` could be {}", crate::diagnostic::list(&some));
                Err(LineError::new(Some(word), message))
            }
            Err(_) => {
                let message = format!("there is no {what} called `{text}`");
                let error = LineError::new(Some(word), message);
                let error = error.suggest(&word.text, rows.iter().map(|r| r.1));
                Err(match error.help {
                    None if !rows.is_empty() && rows.len() <= 12 => {
                        let all: Vec<&str> = rows.iter().map(|r| r.1).collect();
                        error.help(format!("there is: {}", crate::diagnostic::list(&all)))
                    }
                    _ => error,
                })
            }
        }
    }

    /// A word as the value of an attribute the umpire sets.
    pub(super) fn given(&self, attribute: &Attribute, word: &Word) -> Result<Given, LineError> {
        let name = attribute.name.as_str();
        let nothing = word.text == "none" || word.text == "-";
        let schema = &self.referee.ruleset().schema;
        match attribute.ty {
            Type::Piece(_) if nothing => Ok(Given::Cell(Cell::Word(-1))),
            Type::List(_) if nothing => Ok(Given::Members(Vec::new())),
            Type::List(Element::Piece(kind)) if schema.kind(kind).role == Role::Pieces => {
                match self.value(name, attribute.ty, None, word)? {
                    Argument::Members(rows) => Ok(Given::Members(rows)),
                    _ => Ok(Given::Members(Vec::new())),
                }
            }
            ty => {
                let bounds = match ty {
                    Type::Whole => Some((attribute.low, attribute.high)),
                    Type::Number => {
                        let bits = |n| Number::whole(n).unwrap_or(Number::ZERO).to_bits();
                        Some((bits(attribute.low), bits(attribute.high)))
                    }
                    _ => None,
                };
                Ok(match self.value(name, ty, bounds, word)? {
                    Argument::Value(n) => Given::Cell(Cell::Word(n)),
                    Argument::Text(words) => Given::Cell(Cell::Text(words)),
                    Argument::Members(members) => Given::Members(members),
                })
            }
        }
    }
}

/// An answer to a question of a rule.
pub(super) fn answer(question: &Question, text: &str) -> Result<Answer, LineError> {
    let words = super::words(text)?;
    let Some(word) = words.first() else {
        return Err(LineError::new(None, "an answer is needed").help("`?` leaves it to chance"));
    };
    let given = word.text.as_str();
    if given == "?" {
        return Ok(Answer::Random);
    }
    let wrong = |message: String| LineError::new(Some(word), message);
    match &question.answers {
        Answers::Flag => match yes_no(given) {
            Some(flag) => Ok(Answer::Value(i64::from(flag))),
            None => Err(wrong(format!("answer yes or no, not `{}`", short(given)))),
        },
        Answers::Between(low, high) => match given.parse::<i64>() {
            Ok(n) if n >= *low && n <= *high => Ok(Answer::Value(n)),
            _ => {
                Err(wrong(format!("answer a number from {low} to {high}, not `{}`", short(given))))
            }
        },
        Answers::Among(_, members) => {
            let known = question.options.iter().map(String::as_str);
            let found = one_of(given, known.clone()).or_else(|begun| {
                let begun = if begun.is_empty() { by_parts(given, known.clone()) } else { begun };
                match begun.as_slice() {
                    [one] => Ok(*one),
                    _ => Err(begun),
                }
            });
            match found {
                Ok(found) => {
                    let place = question.options.iter().position(|o| o == found);
                    let member = place.and_then(|p| members.get(p));
                    Ok(Answer::Value(member.map_or(-1, |&m| i64::from(m))))
                }
                Err(begun) if !begun.is_empty() => {
                    let some: Vec<&str> = begun.into_iter().take(8).collect();
                    let listed = crate::diagnostic::list(&some);
                    Err(wrong(format!("`{}` could be {listed}", short(given))))
                }
                Err(_) => {
                    let error = wrong(format!("`{}` cannot be the answer", short(given)));
                    let error = error.suggest(given, known.clone());
                    let some: Vec<&str> = known.take(12).collect();
                    Err(match error.help {
                        None => {
                            error.help(format!("for example {}", crate::diagnostic::list(&some)))
                        }
                        Some(_) => error,
                    })
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_parts;

    #[test]
    fn names_are_found_by_the_beginnings_of_their_parts() {
        let cards = ["two-hearts", "three-hearts", "king-hearts", "king-spades"];
        let found = |word| by_parts(word, cards.iter().copied());
        assert_eq!(found("K-h"), ["king-hearts"]);
        assert_eq!(found("t-h"), ["two-hearts", "three-hearts"]);
        assert!(found("kh").is_empty());
        assert!(found("k-h-x").is_empty());
    }
}
