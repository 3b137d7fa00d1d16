//! Tells rule text in English, or as it is written.

use super::english::{English, Scope};
use super::{source, words};
use crate::language::rule::Modifier;
use crate::language::schema::Type;
use crate::language::syntax::{Expr, Operator, Source, Template};
use crate::render::check;
use crate::render::document::Cell;
use crate::render::table::{modifier_by, template};
use crate::ruleset::Ruleset;

/// Tells rule text in English, or as it is written.
pub(super) struct Teller<'r> {
    ruleset: &'r Ruleset,
    english: Option<English<'r>>,
}

impl<'r> Teller<'r> {
    pub(super) fn as_written(ruleset: &'r Ruleset) -> Teller<'r> {
        Teller { ruleset, english: None }
    }

    pub(super) fn in_english(ruleset: &'r Ruleset) -> Teller<'r> {
        Teller { ruleset, english: Some(English::of(ruleset)) }
    }

    fn tell(
        &self,
        written: impl FnOnce() -> String,
        say: impl FnOnce(&English<'r>) -> String,
    ) -> Cell {
        match &self.english {
            Some(english) => words(say(english)),
            None => Cell::Code(written()),
        }
    }

    /// Tells a condition.
    pub(super) fn holds(&self, e: &Expr, s: &Scope) -> Cell {
        self.tell(|| source(self.ruleset, e), |english| english.holds(e, s))
    }

    /// Tells a value.
    pub(super) fn value(&self, e: &Expr, s: &Scope) -> Cell {
        self.tell(|| source(self.ruleset, e), |english| english.value(e, s))
    }

    /// Tells a value; of a flag, when it holds.
    pub(super) fn computed(&self, e: &Expr, ty: Type, s: &Scope) -> Cell {
        self.tell(
            || source(self.ruleset, e),
            |english| match ty {
                Type::Flag => format!("yes if {}", english.holds(e, s)),
                _ => english.value(e, s),
            },
        )
    }

    /// Tells what a roll needs.
    pub(super) fn needed(&self, op: Operator, value: &Expr, s: &Scope) -> Cell {
        let written = || format!("{} {}", check::sign(op), source(self.ruleset, value));
        self.tell(written, |english| english.needed(op, value, s))
    }

    /// Tells what a modifier adds.
    pub(super) fn added(&self, modifier: &Modifier, s: &Scope) -> Cell {
        let written = || modifier_by(&self.ruleset.sources, modifier);
        self.tell(written, |english| english.added(&modifier.by, s))
    }

    /// Tells what a rule goes through; and returns the scope in it.
    pub(super) fn each(&self, sources: &[Source], s: &Scope) -> (Cell, Scope) {
        match &self.english {
            Some(english) => {
                let (said, scope) = english.each(sources, s);
                (words(said), scope)
            }
            None => {
                let each: Vec<String> = sources.iter().map(|source| self.sweep(source)).collect();
                (Cell::Code(each.join(",\n")), s.clone())
            }
        }
    }

    fn sweep(&self, each: &Source) -> String {
        let filter = each.filter.as_ref();
        let filter =
            filter.map_or(String::new(), |f| format!(" where {}", source(self.ruleset, f)));
        format!("each {} in {}{filter}", each.name.text, source(self.ruleset, &each.over))
    }

    /// Tells a text with values in it.
    pub(super) fn template(&self, said: &Template, s: &Scope) -> String {
        match &self.english {
            Some(english) => english.template(said, s),
            None => template(&self.ruleset.sources, said),
        }
    }

    /// Tells a text between quotation marks.
    pub(super) fn quoted(&self, said: &Template, s: &Scope) -> String {
        format!("“{}”", self.template(said, s))
    }
}
