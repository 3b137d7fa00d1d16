//! Compiles names and attributes. The meaning of a bare word depends on its context.

use crate::diagnostic::{Declaration, Fault, Faults};
use crate::language::code::{Op, ValueUse};
use crate::language::compile::Compiler;
use crate::language::compile::builder::{Local, Operand};
use crate::language::schema::{
    Attribute, AttributeStorage, Kind, KindId, KindRole, OPTION_KIND, STATE_KIND, Schema, Type,
    WordsId,
};
use crate::language::syntax::{Expr, ExprKind, Name, replacement_for};
use crate::source::Span;

/// Returns the name of a set of words or of a list. A set without a name is described by the
/// attributes that use it.
fn set_or_list_name(schema: &Schema, ty: Type) -> String {
    let kinds = schema.kinds.iter();
    match ty {
        Type::Piece(kind) => format!("the list `{}`", schema.kind(kind).name),
        Type::Word(set) if !schema.word_set(set).name.is_empty() => {
            format!("`{}`", schema.word_set(set).name)
        }
        ty => {
            let of =
                |k: &Kind, a: &Attribute| (a.ty == ty).then(|| format!("`{}.{}`", k.name, a.name));
            let found = kinds.flat_map(|k| k.attributes.iter().filter_map(|a| of(k, a)));
            format!("the set of {}", found.collect::<Vec<_>>().join(" and "))
        }
    }
}

impl Compiler<'_> {
    pub(super) fn name(&mut self, name: &str, want: Option<Type>) -> Operand {
        if let Some(local) = self.b.find_local(name) {
            let Local { reg, ty, bounds, declared, .. } = *local;
            if self.b.is_untyped_list(local) {
                // The function is compiled again when the type is known.
                let number = local.number;
                self.b.early_reads.push(number);
            }
            self.notes.asked.insert(declared);
            return Operand { reg, ty, bounds };
        }
        if let Some(ty) = want
            && let Some(n) = self.index_in_set(ty, name)
        {
            return self.small_constant(n, ty);
        }
        if let Some(names) = self.names
            && let Some((kind, row)) = names(name)
        {
            return self.small_constant(row as i32, Type::Piece(kind));
        }
        if let Some(over) = self.members_named(name) {
            let (reg, ty) = self.collect_all(over);
            return Operand { reg, ty, bounds: None };
        }
        self.bare_word(name, want)
    }

    /// Compiles a word of a set or a row of a list. Only one set or list may have such a word or
    /// row. If `want` is a set or a list, the caller has already searched it in vain, so the word
    /// is reported as unknown.
    pub(super) fn bare_word(&mut self, name: &str, want: Option<Type>) -> Operand {
        // The word is compared with a faulty expression, and may belong to the expression's set.
        if want == Some(Type::Unknown) {
            return self.unknown_operand();
        }
        let schema = self.schema;
        let words = schema.words.iter().enumerate().filter_map(|(index, set)| {
            let id = WordsId::from_index(index);
            Some((&set.name, self.index_in_set(Type::Word(id), name)?, Type::Word(id)))
        });
        let rows = schema.all_kinds().filter_map(|(id, kind)| {
            Some((&kind.name, self.index_in_set(Type::Piece(id), name)?, Type::Piece(id)))
        });
        let meant: Vec<(&String, i32, Type)> = words.chain(rows).collect();
        let settled = matches!(want, Some(Type::Word(_)))
            || matches!(want, Some(Type::Piece(k)) if schema.kind(k).role == KindRole::List);
        match meant.as_slice() {
            _ if settled => {}
            [] => {}
            [(_, n, ty)] => return self.small_constant(*n, *ty),
            several => {
                let whose: Vec<String> =
                    several.iter().map(|(_, _, ty)| set_or_list_name(schema, *ty)).collect();
                let named = several.iter().filter(|(of, ..)| !of.is_empty());
                let named: Vec<String> = named.map(|(of, ..)| format!("`{of}.{name}`")).collect();
                let help = match named.join(" or ") {
                    none if none.is_empty() => {
                        "compare it with an attribute of one of them, or give the set a name".into()
                    }
                    named => format!("name the set: {named}"),
                };
                let message = format!("`{name}` is a word of several sets: {}", whose.join(", "));
                self.faults.error("unclear-word", self.b.at, message).help(help);
                return self.unknown_operand();
            }
        }
        self.report_unknown_name(name, self.b.at, want);
        self.unknown_operand()
    }

    pub(super) fn report_unknown_name(&mut self, name: &str, span: Span, want: Option<Type>) {
        let schema = self.schema;
        let mut known: Vec<&str> = Vec::new();
        let message = match want {
            Some(Type::Word(set)) => {
                let set = schema.word_set(set);
                known.extend(set.values.iter().map(String::as_str));
                format!("`{name}` is not one of the possible words")
            }
            Some(Type::Piece(kind)) if schema.kind(kind).role == KindRole::List => {
                known.extend(schema.kind(kind).rows.iter().map(|r| r.name.as_str()));
                format!("there is no row `{name}` in the list `{}`", schema.kind(kind).name)
            }
            _ => {
                known.extend(schema.kinds.iter().map(|k| k.plural.as_str()));
                known.extend(schema.words.iter().flat_map(|w| &w.values).map(String::as_str));
                known.extend(["state", "option", "true", "false", "none"]);
                format!("there is nothing named `{name}` here")
            }
        };
        let locals: Vec<String> = self.b.locals.iter().map(|l| l.name.clone()).collect();
        known.extend(locals.iter().map(String::as_str));
        let fault = self.faults.error("unknown-name", span, message);
        let word = Declaration::Name(name.to_owned());
        let piece = Declaration::Piece(name.to_owned());
        let fault = fault.derived_from(word).derived_from(piece).derived_from(self.within.clone());
        let kind = schema.kinds.named(name).filter(|kind| kind.role == KindRole::Pieces);
        if let Some(kind) = kind {
            fault.help(format!("`{}` is the plural of that kind", kind.plural));
        } else if schema.rule_named(name).is_some() || schema.define_named(name).is_some() {
            fault.help(format!("to call it, write `{name}(…)`"));
        } else if let Some(help) = replacement_for(name) {
            fault.help(help);
        } else {
            fault.suggest(name, known);
        }
    }

    /// Returns the index of a word in its set, or of a row in its list; `None` if the type has no
    /// such word or row.
    pub(super) fn index_in_set(&self, ty: Type, word: &str) -> Option<i32> {
        match ty {
            Type::Word(set) => i32::try_from(self.schema.word_set(set).index_of(word)?).ok(),
            Type::Piece(kind) => i32::try_from(self.schema.kind(kind).row(word)?).ok(),
            _ => None,
        }
    }

    /// Compiles `of.name`: an attribute, a word of a set, or a row of a list.
    pub(super) fn member_access(&mut self, of: &Expr, name: &Name) -> Operand {
        let schema = self.schema;
        // A name in scope takes precedence, unless its value is a word, which has no attributes.
        if let ExprKind::Name(base) = &of.kind
            && self.b.find_local(base).is_none_or(|l| matches!(l.ty, Type::Word(_)))
        {
            let single = match base.as_str() {
                "state" => Some(STATE_KIND),
                "option" => Some(OPTION_KIND),
                _ => None,
            };
            if let Some(kind) = single {
                let row = self.small_constant(0, Type::Piece(kind));
                return self.attribute_of(row, kind, name, row.reg);
            }
            let list = schema.kind_named(base).filter(|&k| schema.kind(k).role == KindRole::List);
            let set = schema.words_named(base).map(Type::Word);
            if let Some(ty) = set.or(list.map(Type::Piece)) {
                self.notes.named.push(ty);
                if let Some(n) = self.index_in_set(ty, &name.text) {
                    return self.small_constant(n, ty);
                }
                self.report_unknown_name(&name.text, name.span, Some(ty));
                return self.unknown_operand();
            }
        }
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let value = self.expr(of, None);
        let got = match self.piece_kind(value.ty, of, name) {
            Some(kind) => self.attribute_of(value, kind, name, d),
            None => Operand { reg: d, ty: Type::Unknown, bounds: None },
        };
        self.b.release_registers(mark);
        got
    }

    /// Returns the kind whose attribute is read; reports a fault if the value is not a piece.
    pub(super) fn piece_kind(&mut self, ty: Type, of: &Expr, name: &Name) -> Option<KindId> {
        match ty {
            Type::Piece(kind) => Some(kind),
            Type::Unknown => None,
            other => {
                let message = format!(
                    "{} has no attributes, so it has no `{}`",
                    self.type_name(other),
                    name.text
                );
                let fault = self.faults.error("no-attributes", of.span, message);
                if let Type::List(_) = other {
                    fault.help("take one member of the list first: `first(…)`");
                }
                None
            }
        }
    }

    /// Returns true if an expression is the name `state` and means the state of the game.
    fn is_state(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(n) if n == "state" && self.b.find_local(n).is_none())
    }

    /// Compiles the piece whose attribute is used. The state counts as a piece.
    pub(super) fn piece_operand(&mut self, of: &Expr) -> Operand {
        if self.is_state(of) {
            self.small_constant(0, Type::Piece(STATE_KIND))
        } else {
            self.expr(of, None)
        }
    }

    /// Returns the attribute that an expression names, and the expression for its piece. If it
    /// names none, returns `None` without reporting a fault.
    pub(super) fn attribute_named<'e>(&mut self, e: &'e Expr) -> Option<(&'e Expr, Attribute)> {
        let ExprKind::Member(of, name) = &e.kind else { return None };
        let ty = if self.is_state(of) { Type::Piece(STATE_KIND) } else { self.probe_type(of) };
        let Type::Piece(kind) = ty else { return None };
        Some((of, self.schema.kind(kind).attribute(&name.text)?.clone()))
    }

    /// Returns the attribute with this name, or reports a fault.
    pub(super) fn find_attribute(&mut self, kind: KindId, name: &Name) -> Option<Attribute> {
        let of = self.schema.kind(kind);
        if let Some(found) = of.attribute(&name.text) {
            return Some(found.clone());
        }
        let message = match kind {
            STATE_KIND => format!("the state has no `{}`", name.text),
            OPTION_KIND => format!("there is no option `{}`", name.text),
            _ => format!("`{}` has no attribute `{}`", of.name, name.text),
        };
        // The built-in lists of pieces in a place would make too many suggestions.
        let known = of.attributes.iter().filter(|a| !a.pieces_there);
        let known = known.map(|a| a.name.as_str());
        let cause = Declaration::Attribute(of.name.clone(), name.text.clone());
        let fault = self.faults.error("unknown-attribute", name.span, message);
        fault.derived_from(cause).suggest(&name.text, known);
        None
    }

    /// Compiles code that reads an attribute of a piece into `d`.
    pub(super) fn attribute_of(
        &mut self,
        piece: Operand,
        kind: KindId,
        name: &Name,
        d: u16,
    ) -> Operand {
        let Some(attribute) = self.find_attribute(kind, name) else {
            return Operand { reg: d, ty: Type::Unknown, bounds: None };
        };
        let row = piece.reg;
        let ty = attribute.ty;
        match attribute.storage {
            AttributeStorage::Cell(column) => {
                self.emit(Op::Get { d, column, row });
                let bounds = (ty == Type::Whole).then_some((attribute.low, attribute.high));
                Operand { reg: d, ty, bounds }
            }
            AttributeStorage::List(list) => {
                self.emit(Op::GetList { d, list, row });
                Operand { reg: d, ty, bounds: None }
            }
            AttributeStorage::Computed(function) => {
                let (result, bounds) = self.result_type(function, name.span);
                self.b.lists_made |= matches!(result, Type::List(_));
                let base = self.b.alloc();
                self.emit(Op::Move { d: base, s: row });
                self.emit_call(function, base, ValueUse::Used);
                self.emit(Op::Move { d, s: base });
                Operand { reg: d, ty: result, bounds }
            }
        }
    }
}
