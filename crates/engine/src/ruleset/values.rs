//! Reads TOML values as the values of attributes.

use adjutant_dice::DiceValue;

use crate::diagnostic::Declaration;
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, Element, KindId, KindRole, Type, WordsId,
};
use crate::language::syntax::Name;
use crate::ruleset::loader::Loader;
use crate::ruleset::raw::TomlNode;
use crate::tabletop::Argument;

impl Loader<'_> {
    /// Returns a TOML value as the value of an attribute, or reports a fault and returns `None`.
    pub(super) fn read_value(
        &mut self,
        attribute: &Attribute,
        node: TomlNode<'_>,
    ) -> Option<Argument> {
        if let AttributeStorage::Computed(_) = attribute.storage {
            let message = format!("`{}` is computed and cannot be set", attribute.name);
            self.r.error("not-assignable", node.span, message);
            return None;
        }
        let on_table = |kind: KindId| self.schema.kind(kind).role == KindRole::Pieces;
        match attribute.ty {
            Type::Text => self.r.prose(node).map(Argument::Text),
            Type::Piece(kind) if on_table(kind) => Some(match self.r.prose(node)? {
                none if none == "none" => Argument::Value(-1),
                name => Argument::Named(vec![name]),
            }),
            Type::List(Element::Piece(kind)) if on_table(kind) => {
                self.r.prose_list(node).map(Argument::Named)
            }
            Type::List(element) => {
                let mut members = Vec::new();
                for item in self.r.array(node)? {
                    members.extend(u32::try_from(self.read_single_value(
                        attribute,
                        element.member_type(),
                        item,
                    )?));
                }
                Some(Argument::Members(members))
            }
            ty => self.read_single_value(attribute, ty, node).map(Argument::Value),
        }
    }

    /// Reads the value of an attribute, or of one member of its list. Returns `None` after
    /// reporting a fault.
    fn read_single_value(
        &mut self,
        attribute: &Attribute,
        ty: Type,
        node: TomlNode<'_>,
    ) -> Option<i64> {
        match ty {
            Type::Whole => {
                let n = self.r.whole_number(node)?;
                let low = attribute.low;
                let high = attribute.high;
                if n < low || n > high {
                    let message =
                        format!("`{}` must be from {low} to {high}, not {n}", attribute.name);
                    self.r.error("out-of-range", node.span, message);
                    return None;
                }
                Some(n)
            }
            Type::Number => self.read_number(node).map(Number::to_bits),
            Type::Dice => self.read_dice_value(node),
            Type::Flag => self.r.flag(node).map(i64::from),
            Type::Word(set) => self.read_word(set, node),
            Type::Piece(kind) => match self.r.prose(node)? {
                none if none == "none" && attribute.ty == ty => Some(-1),
                text => self.find_row(kind, &Name { text, span: node.span }),
            },
            Type::Text | Type::List(_) | Type::Nothing | Type::Unknown => None,
        }
    }

    /// Reads a number that may have a fractional part, or reports a fault and returns `None`. The
    /// number is written as a whole number, as a decimal, or as a text such as `"1/2"`.
    pub(super) fn read_number(&mut self, node: TomlNode<'_>) -> Option<Number> {
        let read = match node.value {
            toml::de::DeValue::Integer(_) => Number::whole(self.r.whole_number(node)?),
            toml::de::DeValue::Float(f) => Number::parse(f.as_str()),
            toml::de::DeValue::String(s) => Number::parse(s.trim()),
            other => {
                self.r.report_wrong_type(node.span, "a number", other);
                return None;
            }
        };
        if read.is_none() {
            let help =
                "write `7.5`, or `\"1/3\"` as text; a number has at most four decimal places";
            self.r.error_with_help("bad-number", node.span, "this is not a number", help);
        }
        read
    }

    /// Reads dice, which are written as a text or as a whole number, or reports a fault and returns
    /// `None`.
    fn read_dice_value(&mut self, node: TomlNode<'_>) -> Option<i64> {
        let text = match node.value {
            toml::de::DeValue::Integer(_) => self.r.whole_number(node)?.to_string(),
            _ => self.r.prose(node)?,
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

    pub(super) fn read_word(&mut self, set: WordsId, node: TomlNode<'_>) -> Option<i64> {
        let word = self.r.name(node)?;
        self.find_word(set, &word, "not one of the possible words")
    }

    /// Returns the index of a word in its set, or reports a fault and returns `None`.
    pub(super) fn find_word(&mut self, set: WordsId, word: &Name, what: &str) -> Option<i64> {
        let of = self.schema.word_set(set);
        let index = of.index_of(&word.text);
        if index.is_none() {
            let message = format!("`{}` is {what}", word.text.escape_debug());
            let known = of.values.iter().map(String::as_str);
            let cause = Declaration::Name(word.text.clone());
            self.r.report_unknown("unknown-word", word, cause, message, known);
        }
        index
    }

    pub(super) fn find_row(&mut self, kind: KindId, name: &Name) -> Option<i64> {
        let list = self.schema.kind(kind);
        let row = list.row(&name.text);
        if row.is_none() {
            let shown = name.text.escape_debug();
            let message = format!("there is no row `{shown}` in the list `{}`", list.name);
            let known = list.rows.iter().map(|r| r.name.as_str());
            let cause = Declaration::Name(name.text.clone());
            let fault = self.r.report_unknown("unknown-row", name, cause, message, known);
            fault.derived_from.push(Declaration::Name(list.name.clone()));
        }
        row.map(i64::from)
    }
}
