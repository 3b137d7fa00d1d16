//! Compiles lists: literals, stored lists, and paths over the plan.

use crate::diagnostic::Faults;
use crate::language::code::{Op, Reg, WaySearch, WaySearchId};
use crate::language::compile::builder::{Local, Operand};
use crate::language::compile::expression::type_fits;
use crate::language::compile::{Compiler, intern_item};
use crate::language::schema::{AttributeStorage, Element, KindId, Type};
use crate::language::syntax::{Expr, Name};
use crate::source::Span;

impl Compiler<'_> {
    pub(super) fn join_lists(&mut self, a: Operand, b: Operand, of: Element, mark: Reg) -> Operand {
        self.b.release_registers(mark);
        let d = self.b.alloc();
        self.emit(Op::Join { d, a: a.reg, b: b.reg });
        Operand { reg: d, ty: Type::List(of), bounds: None }
    }

    pub(super) fn list_literal(&mut self, items: &[Expr], want: Option<Type>) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let hint = match want {
            Some(Type::List(element)) => Some(element.member_type()),
            _ => None,
        };
        let from = self.b.next_target();
        let values: Vec<Operand> = items.iter().map(|i| self.expr(i, hint)).collect();
        let element = match values.iter().map(|v| v.ty).find(|t| *t != Type::Nothing) {
            Some(ty @ (Type::Piece(_) | Type::Word(_) | Type::Whole)) => ty.as_element(),
            None | Some(Type::Unknown) => Element::Any,
            Some(other) => {
                let message = format!("a list cannot hold {}", self.type_name(other));
                self.faults.error("wrong-type", self.b.at, message);
                Element::Any
            }
        };
        for (value, item) in values.iter().zip(items) {
            self.check_member_type(value.ty, element, item.span);
        }
        match self.b.take_constant_members(from, &values) {
            Some(members) => {
                let list = self.program.add_list_literal(&members);
                let k = intern_item(&mut self.program.constants, list);
                self.emit(Op::Const { d, k });
            }
            None => {
                let store_mark = self.b.alloc();
                self.emit(Op::Mark { d: store_mark });
                for value in values {
                    self.emit(Op::Push { a: value.reg });
                }
                self.emit(Op::Collect { d, a: store_mark });
            }
        }
        self.b.release_registers(mark);
        Operand { reg: d, ty: Type::List(element), bounds: None }
    }

    /// Returns the list attribute that an expression names, the register of its piece, and the type
    /// of its members; `None` if the expression is anything else. The caller can then read the list
    /// without copying it.
    pub(super) fn stored_list(
        &mut self,
        e: &Expr,
    ) -> Option<(super::super::schema::ListId, Reg, Element)> {
        let (of, attribute) = self.attribute_named(e)?;
        let (AttributeStorage::List(list), Type::List(element)) = (attribute.storage, attribute.ty)
        else {
            return None;
        };
        let piece = self.piece_operand(of);
        Some((list, piece.reg, element))
    }

    pub(super) fn way_expression(
        &mut self,
        wants_areas: bool,
        from: &Expr,
        to: &Expr,
        along: &Name,
        filter: Option<&(Name, Box<Expr>)>,
    ) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let a = self.expr(from, None);
        let whole = Operand { reg: d, ty: Type::Whole, bounds: Some((0, 1_000_000)) };
        let Some(kind) = self.piece_kind(a.ty, from, along) else { return whole };
        let b = self.expect(to, Type::Piece(kind));
        let Some(attribute) = self.find_attribute(kind, along) else { return whole };
        let leads = match attribute.storage {
            AttributeStorage::Computed(f) => self.result_type(f, along.span).0,
            _ => attribute.ty,
        };
        if !type_fits(leads, Type::List(Element::Piece(kind))) {
            let message =
                format!("`{}` is not a list of `{}`", along.text, self.schema.kind(kind).plural);
            self.faults.error("wrong-type", along.span, message);
            return whole;
        }
        let found = if wants_areas {
            Operand { ty: Type::List(Element::Piece(kind)), bounds: None, ..whole }
        } else {
            whole
        };
        self.b.lists_made |= wants_areas;
        let mut way = WaySearch {
            wants_areas,
            from: a.reg,
            to: b.reg,
            along: attribute.storage,
            filter: None,
            base: 0,
            captured: 0,
        };
        if let Some((name, condition)) = filter {
            // The condition is a function of the area and of every name in scope.
            let captured: Vec<Local> = self.b.locals.clone();
            way.captured = captured.len() as Reg;
            way.base = self.b.alloc_many(captured.len() + 1);
            for (i, local) in captured.iter().enumerate() {
                let argument = way.base + 1 + i as Reg;
                self.emit(Op::Move { d: argument, s: local.reg });
            }
            way.filter = Some(self.condition_function(name, kind, &captured, condition));
        }
        self.program.ways.push(way);
        let index = WaySearchId((self.program.ways.len() - 1) as u32);
        self.emit(Op::Way { d, way: index });
        self.b.release_registers(mark);
        found
    }

    pub(super) fn condition_function(
        &mut self,
        name: &Name,
        kind: KindId,
        captured: &[Local],
        condition: &Expr,
    ) -> super::FunctionId {
        let outer = std::mem::take(&mut self.b);
        self.b.pure = true;
        self.b.at = condition.span;
        // The area is the first parameter, but its name is declared last, as the innermost name.
        let area = self.b.add_param("", Type::Piece(kind), None, Span::default());
        for local in captured {
            self.b.add_param(&local.name, local.ty, local.bounds, local.declared);
        }
        let area = Operand { reg: area, ty: Type::Piece(kind), bounds: None };
        self.b.add_local(&name.text, area, true);
        let value = self.expect(condition, Type::Flag);
        self.emit(Op::Return { a: value.reg });
        let built = std::mem::replace(&mut self.b, outer);
        self.program.functions.push(std::sync::Arc::new(built.finish("way".into(), false)));
        self.results.push(super::ResultState::Done(Type::Flag, None));
        super::FunctionId::from_index(self.program.functions.len() - 1)
    }
}
