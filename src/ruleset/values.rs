//! TOML values as the values of attributes.

use super::prelude::*;
use crate::dice::DiceValue;

impl Loader<'_> {
    /// A TOML value as the value of an attribute; a fault if it cannot be.
    pub(super) fn given(&mut self, attribute: &Attribute, node: Node<'_>) -> Option<Given> {
        let word = |n: i64| Some(Given::Value(n));
        if let Storage::Computed(_) = attribute.storage {
            let message = format!("`{}` is computed and cannot be given", attribute.name);
            self.r.error("not-assignable", node.span, message);
            return None;
        }
        match attribute.ty {
            Type::Whole => {
                let n = self.r.whole(node)?;
                self.within(attribute, n, node.span).then_some(Given::Value(n))
            }
            Type::Number => {
                let n = self.number(node)?;
                word(n.to_bits())
            }
            Type::Dice => word(self.dice_value(node)?),
            Type::Flag => word(i64::from(self.r.flag(node)?)),
            Type::Text => Some(Given::Text(self.r.words(node)?)),
            Type::Word(set) => word(self.word_of(set, node)?),
            Type::Piece(kind) => {
                let name = self.r.words(node)?;
                if name == "none" {
                    return word(-1);
                }
                match self.schema.kind(kind).role {
                    Role::List => word(self.row_of(kind, &name, node.span)?),
                    _ => Some(Given::Named(vec![name])),
                }
            }
            Type::List(element) => {
                let items = self.r.array(node)?;
                match element {
                    Element::Piece(kind) if self.schema.kind(kind).role == Role::Pieces => {
                        let names = items.into_iter().filter_map(|i| self.r.words(i)).collect();
                        Some(Given::Named(names))
                    }
                    Element::Piece(kind) => {
                        let mut rows = Vec::new();
                        for item in items {
                            let name = self.r.words(item)?;
                            rows.push(self.row_of(kind, &name, item.span)? as u32);
                        }
                        Some(Given::Members(rows))
                    }
                    Element::Word(set) => {
                        let words: Option<Vec<u32>> = items
                            .into_iter()
                            .map(|i| self.word_of(set, i).map(|n| n as u32))
                            .collect();
                        words.map(Given::Members)
                    }
                    Element::Whole => {
                        let mut numbers = Vec::new();
                        for item in items {
                            let n = self.r.whole(item)?;
                            if self.within(attribute, n, item.span) {
                                numbers.extend(u32::try_from(n));
                            }
                        }
                        Some(Given::Members(numbers))
                    }
                    Element::Any => None,
                }
            }
            Type::Nothing | Type::Unknown => None,
        }
    }

    fn within(&mut self, attribute: &Attribute, n: i64, span: Span) -> bool {
        let fits = n >= attribute.low && n <= attribute.high;
        if !fits {
            let message = format!(
                "`{}` is from {} to {}, not {n}",
                attribute.name, attribute.low, attribute.high
            );
            self.r.error("out-of-range", span, message);
        }
        fits
    }

    /// A number with fractions: whole, decimal, or text such as `"1/2"`.
    pub(super) fn number(&mut self, node: Node<'_>) -> Option<Number> {
        let read = match node.value {
            toml::de::DeValue::Integer(_) => Number::whole(self.r.whole(node)?),
            toml::de::DeValue::Float(f) => Number::parse(f.as_str()),
            toml::de::DeValue::String(s) => Number::parse(s.trim()),
            other => {
                self.r.wrong_kind(node.span, "a number", other);
                return None;
            }
        };
        if read.is_none() {
            let help = "write `7.5`, or `\"1/3\"` as a text; four places at most";
            self.r.advise("bad-number", node.span, "this is not a number", help);
        }
        read
    }

    /// Dice as a text, or a whole number.
    fn dice_value(&mut self, node: Node<'_>) -> Option<i64> {
        let text = match node.value {
            toml::de::DeValue::Integer(_) => self.r.whole(node)?.to_string(),
            _ => self.r.words(node)?,
        };
        match DiceValue::parse(&text) {
            Ok(value) => Some(value.to_bits()),
            Err(error) => {
                let fault = self.r.error("bad-dice", node.span, error.to_string());
                fault.help = error.help;
                None
            }
        }
    }

    pub(super) fn word_of(&mut self, set: WordsId, node: Node<'_>) -> Option<i64> {
        let word = self.r.words(node)?;
        self.word_called(set, &word, node.span, "not one of the words that can stand here")
    }

    /// Returns the place of a word in its set; `None` after a fault that says what it is not.
    pub(super) fn word_called(
        &mut self,
        set: WordsId,
        word: &str,
        span: Span,
        what: &str,
    ) -> Option<i64> {
        let values = &self.schema.word_set(set).values;
        if let Some(n) = values.iter().position(|v| v == word) {
            return Some(n as i64);
        }
        let message = format!("`{}` is {what}", word.escape_debug());
        let known = values.iter().map(String::as_str);
        self.r.unknown("unknown-word", (word, span), Cause::Name(word.to_owned()), message, known);
        None
    }

    pub(super) fn row_of(&mut self, kind: KindId, name: &str, span: Span) -> Option<i64> {
        if let Some(row) = self.schema.kind(kind).row(name) {
            return Some(i64::from(row));
        }
        let list = self.schema.kind(kind);
        let message =
            format!("there is no row `{}` in the list `{}`", name.escape_debug(), list.name);
        let known = list.rows.iter().map(|r| r.name.as_str());
        let cause = Cause::Name(name.to_owned());
        let fault = self.r.unknown("unknown-row", (name, span), cause, message, known);
        fault.derived_from.push(Cause::Name(list.name.clone()));
        None
    }
}
