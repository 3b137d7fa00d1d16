//! Values as text for people.

use adjutant_dice::DiceValue;

use super::super::code::{Reg, TemplateId, TextPart};
use super::super::number::Number;
use super::super::schema::{KindId, STATE_KIND, Schema, Type};
use super::run::Run;
use super::{Host, MAX_TEXT, PlayFault, World};

impl<T: World, H: Host> Run<'_, '_, T, H> {
    /// Returns the text of a template with its values filled in.
    pub(super) fn render_template(&self, template: TemplateId) -> Result<String, PlayFault> {
        let mut text = String::new();
        for part in self.machine.program.templates[template.index()].iter() {
            match part {
                TextPart::Words(words) => text.push_str(words),
                TextPart::Value(reg, ty) => self.write_value(self.value(*reg), *ty, &mut text),
                TextPart::Counted(reg, ty, one, several) => {
                    let value = self.value(*reg);
                    self.write_value(value, *ty, &mut text);
                    let is_one =
                        value == if *ty == Type::Number { Number::ONE.to_bits() } else { 1 };
                    text.extend([" ", if is_one { one } else { several }]);
                }
                TextPart::Named(reg, column) => {
                    let value = self.value(*reg);
                    match self.machine.schema.column_attribute(*column).name_of_number(value) {
                        Some(name) => text.push_str(name),
                        None => text.push_str(&value.to_string()),
                    }
                }
            }
            if text.len() > MAX_TEXT {
                return Err(PlayFault::TextTooLong);
            }
        }
        Ok(text)
    }

    /// Returns the name of the side that a new piece will be on; an empty string if its kind cannot
    /// be hidden or it has no side.
    pub(super) fn side_of_new_piece(&self, kind: KindId, owner: Reg) -> String {
        let schema = self.machine.schema;
        let attribute = schema.owner_if_hidden(kind).map(|at| &schema.kind(kind).attributes[at]);
        attribute.map_or(String::new(), |a| side_name(schema, self.table, self.value(owner), a.ty))
    }

    /// Reports the numbers in a line, if the host needs them separately.
    pub(super) fn report_numbers(&mut self, template: TemplateId) {
        if self.host.wants_numbers() {
            let numbers = self.numbers_in_text(template);
            numbers.into_iter().for_each(|(what, n)| self.host.on_number(what, n));
        }
    }

    /// Returns the whole numbers in a text, each with a copy of the text in which `n` replaces that
    /// number and `…` replaces the others.
    pub(super) fn numbers_in_text(&self, template: TemplateId) -> Vec<(String, i64)> {
        let parts = &self.machine.program.templates[template.index()];
        let number = |part: &TextPart| match part {
            TextPart::Value(reg, Type::Whole) | TextPart::Counted(reg, Type::Whole, ..) => {
                Some(self.value(*reg))
            }
            TextPart::Value(..)
            | TextPart::Counted(..)
            | TextPart::Named(..)
            | TextPart::Words(_) => None,
        };
        let text = |index: usize| {
            let mut text = String::new();
            for (i, part) in parts.iter().enumerate() {
                match part {
                    TextPart::Words(words) => text.push_str(words),
                    TextPart::Value(_, Type::Whole) | TextPart::Named(..) => {
                        text.push_str(if i == index { "n" } else { "…" });
                    }
                    TextPart::Value(reg, ty) => self.write_value(self.value(*reg), *ty, &mut text),
                    // The text must be the same for all numbers, so it always has the plural.
                    TextPart::Counted(.., several) => {
                        text.extend([if i == index { "n" } else { "…" }, " ", several]);
                    }
                }
            }
            text
        };
        let numbers = parts.iter().enumerate();
        numbers.filter_map(|(index, part)| Some((text(index), number(part)?))).collect()
    }

    fn write_value(&self, value: i64, ty: Type, text: &mut String) {
        match ty {
            Type::List(element) => {
                let members = self.machine.members(value);
                for (i, &member) in members.iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    self.write_value(i64::from(member), element.member_type(), text);
                    if text.len() > MAX_TEXT {
                        return;
                    }
                }
                if members.is_empty() {
                    text.push_str("none");
                }
            }
            _ => text.push_str(&value_text(self.machine.schema, self.table, value, ty)),
        }
    }
}

/// Returns the name of the side that a value refers to: the value itself if it is a side, or the
/// side of a piece. The name is empty if there is no side.
pub fn side_name<T: World>(schema: &Schema, table: &T, value: i64, ty: Type) -> String {
    let mut value = value;
    let mut ty = ty;
    for _ in 0..schema.kinds.len() {
        let Type::Piece(kind) = ty else { break };
        if schema.sides == Some(ty) {
            break;
        }
        let of = schema.kind(kind).side().and_then(|side| Some((side.ty, side.storage.cell()?)));
        let (Some((next, column)), Ok(row)) = (of, u32::try_from(value)) else {
            return String::new();
        };
        value = table.get(column, row);
        ty = next;
    }
    let name = value_text(schema, table, value, ty);
    if name == "none" { String::new() } else { name }
}

/// Returns a single value as text for people.
pub fn value_text<T: World>(schema: &Schema, table: &T, value: i64, ty: Type) -> String {
    match ty {
        Type::Number => Number::from_bits(value).to_string(),
        Type::Dice => DiceValue::from_bits(value).to_string(),
        Type::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
        Type::Word(set) => schema.word_set(set).word(value).unwrap_or("none").to_owned(),
        Type::Piece(STATE_KIND) => "the state".to_owned(),
        Type::Piece(_) if value < 0 => "none".to_owned(),
        Type::Piece(kind) => table.name(kind, value as u32).to_owned(),
        Type::Text => table.text(value).to_owned(),
        Type::Nothing => "none".to_owned(),
        Type::List(_) | Type::Whole | Type::Unknown => value.to_string(),
    }
}
