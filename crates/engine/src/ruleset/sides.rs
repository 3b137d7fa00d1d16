//! The sides of a game: what they are, whose move it is, and how a piece belongs to one.

use super::prelude::*;
use crate::ruleset::phases::Turns;

/// The attribute of the state that says whose move it is.
pub(crate) const MOVING: &str = "side";
/// The attribute of the state that lists the sides still to move in a phase.
pub(crate) const WAITING: &str = "sides-left";

impl Loader<'_> {
    /// Reads `[sides]`.
    pub(super) fn declare_sides(&mut self, entries: &[Entry<'_>]) {
        let Some(entry) = entries.iter().find(|e| e.section == "sides") else { return };
        let Some(section) = self.r.section("`[sides]`", entry.node) else { return };
        section.words("note", &mut self.r);
        let named = section.name("are", &mut self.r);
        section.finish(&forms::SIDES, &mut self.r);
        let Some(name) = named else { return };
        let schema = &self.schema;
        let words = schema.words_named(&name.text).map(Type::Word);
        let kind = schema.kind_named(&name.text).filter(|&k| schema.kind(k).role != Role::Single);
        let sides = words.or(kind.map(Type::Piece));
        if sides.is_none() {
            let (words, kinds) = (schema.words.iter(), schema.kinds.iter());
            let known = words.map(|w| w.name.as_str()).chain(kinds.map(|k| k.name.as_str()));
            self.r.none_called("unknown-sides", "set of words, kind or list", &name, known);
        }
        self.schema.sides = sides;
    }

    /// Adds whose move it is to the state, if the ruleset declares its sides.
    pub(super) fn built_in_sides(&mut self) {
        let Some(ty) = self.schema.sides else { return };
        let moving = super::declare::attribute(MOVING, ty, Span::default());
        self.add_attribute(
            STATE,
            Attribute { start: self.schema.no_side(), bookkeeping: true, ..moving },
        );
        self.built_in(STATE, WAITING, Type::List(ty.element()));
    }

    /// Returns the first attribute of a kind that is of the type of the sides.
    pub(super) fn side_by_type(&self, id: KindId) -> Option<usize> {
        let sides = self.schema.sides?;
        let fits = |a: &Attribute| a.ty == sides && matches!(a.storage, Storage::Cell(_));
        self.schema.kind(id).attributes.iter().position(fits)
    }

    /// Reads how the sides take turns in a phase.
    pub(super) fn turns(&mut self, section: &Section<'_>) -> Option<Turns> {
        let by = section.name("by", &mut self.r);
        let alternate = section.name("alternate", &mut self.r);
        if let Some(by) = &by {
            if by.text != "side" {
                let message =
                    format!("a phase is played by `side`, not by `{}`", by.text.escape_debug());
                self.r.error("no-sides", by.span, message);
            } else {
                self.need_sides(by.span);
            }
        } else if let Some(key) = ["order", "alternate"].into_iter().find(|key| section.has(key)) {
            let span = section.get(key).map_or(section.span, |node| node.span);
            let message = "only a phase that is played by the sides has this";
            self.r.advise("no-sides", span, message, "write `by = \"side\"`");
        }
        if let Some(flag) = &alternate {
            let all = || self.schema.kinds.iter().flat_map(|kind| &kind.attributes);
            if all().all(|a| a.name != flag.text || !matches!(a.ty, Type::Flag | Type::Unknown)) {
                let message = format!("no kind has a flag `{}`", flag.text.escape_debug());
                let known = all().filter(|a| a.ty == Type::Flag).map(|a| a.name.as_str());
                let cause = Cause::Name(flag.text.clone());
                self.r.unknown("unknown-attribute", flag, cause, message, known);
            }
        }
        let order = self.value_function(section, "order", Some(Type::Whole));
        by?;
        Some(Turns { order, alternate: alternate.map(|flag| flag.text) })
    }

    /// Returns the type of the sides; a fault if there are none.
    pub(super) fn need_sides(&mut self, span: Span) -> Option<Type> {
        if self.schema.sides.is_none() {
            let help = "write `[sides]` with `are = \"…\"`: a set of words, a kind or a list";
            self.r.advise("no-sides", span, "this ruleset declares no sides", help);
        }
        self.schema.sides
    }

    /// Reports sides of pieces that lead to none of the sides declared.
    pub(super) fn check_sides(&mut self, schema: &Schema) {
        let Some(sides) = schema.sides else { return };
        for (id, kind) in schema.all_kinds() {
            let Some(attribute) = kind.side() else { continue };
            let mut passed = vec![id];
            let mut ty = attribute.ty;
            let why = loop {
                match ty {
                    ty if ty == sides || ty == Type::Unknown => break None,
                    Type::Piece(other) if passed.contains(&other) => {
                        break Some("leads back to itself");
                    }
                    Type::Piece(other) => match schema.kind(other).side() {
                        Some(next) => (ty, _) = (next.ty, passed.push(other)),
                        None => break Some("points to what has no side"),
                    },
                    _ => break Some("is none of them"),
                }
            };
            if let Some(why) = why {
                let (name, kind) = (&attribute.name, &kind.name);
                let message = format!("`{name}` says the side of `{kind}`, but {why}");
                let sides = schema.type_name(sides);
                let help = format!("it is {sides}, or a reference to a piece that has a side");
                self.r.push(Diagnostic::error("wrong-side", attribute.span, message).help(&help));
            }
        }
    }
}
