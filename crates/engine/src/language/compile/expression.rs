//! Compiles expressions: dispatch to the other parts of the compiler, type conversion, choices and
//! texts.

use crate::diagnostic::{Fault, Faults};
use crate::language::code::{Op, TemplateId, TextPart, UNPATCHED, UnaryOp, ValueUse};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::schema::{Element, Type};
use crate::language::syntax::{Expr, ExprKind, TemplatePart, TextTemplate};
use crate::source::Span;

impl Compiler<'_> {
    /// Compiles an expression. `want` is the expected type, which helps to interpret bare words but
    /// is not enforced. Dice used as a number are rolled where dice are allowed.
    pub(super) fn expr(&mut self, e: &Expr, want: Option<Type>) -> Operand {
        let outer = std::mem::replace(&mut self.b.at, e.span);
        self.nesting += 1;
        let mut value = self.expr_without_throw(e, want);
        self.nesting -= 1;
        if let Some(types) = &mut self.types {
            types.insert(e.span, value.ty);
        }
        if value.ty == Type::Dice && self.b.dice && want != Some(Type::Dice) {
            let one = self.constant(1);
            self.emit(Op::RollValue { d: one, count: one, dice: value.reg });
            value = Operand { reg: one, ty: Type::Whole, bounds: None };
        }
        self.b.at = outer;
        value
    }

    fn expr_without_throw(&mut self, e: &Expr, want: Option<Type>) -> Operand {
        if self.b.is_full() {
            self.faults.error("too-large", e.span, "this rule is too large");
            return self.unknown_operand();
        }
        match &e.kind {
            ExprKind::Whole(n) => {
                let reg = self.constant(*n);
                Operand { reg, ty: Type::Whole, bounds: Some((*n, *n)) }
            }
            ExprKind::Fraction(n) => {
                let reg = self.constant(n.to_bits());
                Operand { reg, ty: Type::Number, bounds: None }
            }
            ExprKind::Flag(f) => self.small_constant(i32::from(*f), Type::Flag),
            ExprKind::Nothing => {
                // `none` may also be a word of a set.
                if let Some(ty @ Type::Word(_)) = want
                    && let Some(n) = self.index_in_set(ty, "none")
                {
                    return self.small_constant(n, ty);
                }
                // A side can also be `none`, because there may be no side to move.
                let ty = want.filter(|_| want == self.schema.sides);
                self.small_constant(-1, ty.unwrap_or(Type::Nothing))
            }
            ExprKind::Text(template) => self.text_operand(template),
            ExprKind::Name(name) => self.name(name, want),
            ExprKind::List(items) => self.list_literal(items, want),
            ExprKind::Member(of, name) => self.member_access(of, name),
            ExprKind::Call(name, args) => {
                self.require_single_value(name);
                self.call(name, args, ValueUse::Used)
            }
            ExprKind::Let(name, value, body) => {
                let d = self.b.alloc();
                let mark = self.b.register_mark();
                let names = self.b.locals.len();
                self.define_names(std::slice::from_ref(name), value);
                let result = self.expr(body, want);
                self.emit(Op::Move { d, s: result.reg });
                self.b.locals.truncate(names);
                self.b.release_registers(mark);
                Operand { reg: d, ..result }
            }
            ExprKind::Not(inner) => {
                let mark = self.b.register_mark();
                let a = self.expect(inner, Type::Flag);
                self.b.release_registers(mark);
                let d = self.b.alloc();
                self.emit(Op::Unary { op: UnaryOp::Not, d, a: a.reg });
                Operand { reg: d, ty: Type::Flag, bounds: None }
            }
            ExprKind::Negative(inner) => self.negative(inner),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e),
            ExprKind::Choice(condition, yes, no) => self.choice(condition, yes, no, want),
            ExprKind::Quantified(quantity, source, body) => {
                self.quantifier(*quantity, source, body.as_deref())
            }
            ExprKind::Filtered(source, order) => {
                let (reg, ty) = match order {
                    Some(order) => self.sorted_members(source, order),
                    None => self.collect_members(source),
                };
                Operand { reg, ty, bounds: None }
            }
            ExprKind::Range(..) => {
                let message = "a range such as `1..6` can only be used after `in`";
                let fault = self.faults.error("range-as-value", e.span, message);
                fault.help("write, for example, `each n in 1..6 { … }`");
                self.unknown_operand()
            }
            ExprKind::Way { places: wants_areas, from, to, along, filter } => {
                self.way_expression(*wants_areas, from, to, along, filter.as_ref())
            }
            ExprKind::Dice(dice) => {
                // If a word of a set is expected, `d6` may be such a word.
                if let Some(ty @ Type::Word(_)) = want
                    && let Some(n) = self.index_in_set(ty, &dice.text)
                {
                    return self.small_constant(n, ty);
                }
                if want == Some(Type::Dice) && self.names.is_none() {
                    return self.dice_value_of(dice);
                }
                self.dice_literal(dice)
            }
            ExprKind::Roll(..)
            | ExprKind::Ask(..)
            | ExprKind::Pick(..)
            | ExprKind::Draw(..)
            | ExprKind::Make(..) => self.acting_expression(e),
        }
    }

    /// Compiles an expression that must have this type, and reports a fault if it has another. A
    /// whole number becomes a fraction or dice where these are expected.
    pub(super) fn expect(&mut self, e: &Expr, ty: Type) -> Operand {
        let value = self.expr(e, Some(ty));
        self.coerce(value, ty, e.span)
    }

    pub(super) fn coerce(&mut self, value: Operand, ty: Type, span: Span) -> Operand {
        if type_fits(value.ty, ty) {
            return Operand { ty: if ty == Type::Unknown { value.ty } else { ty }, ..value };
        }
        if value.ty == Type::Whole && ty == Type::Number {
            return self.widen_to_fraction(value);
        }
        // A fixed number has the same representation as dice and as a whole number.
        if value.ty == Type::Whole && ty == Type::Dice {
            return Operand { ty, ..value };
        }
        let fault = self.report_type_mismatch(&self.type_name(ty), value.ty, span);
        fault.help = match (value.ty, ty) {
            (Type::Number, Type::Whole) => {
                Some("round explicitly: `floor(…)`, `ceil(…)` or `round(…)`".to_owned())
            }
            (Type::List(_), Type::Piece(_)) => {
                Some("take one member of the list: `first(…)`".to_owned())
            }
            (Type::Piece(_), Type::Flag) => Some("compare it: `… != none`".to_owned()),
            (Type::Whole, Type::Flag) => Some("compare it: `… > 0`".to_owned()),
            _ => fault.help.take(),
        };
        Operand { ty, ..value }
    }

    pub(super) fn widen_to_fraction(&mut self, value: Operand) -> Operand {
        let d = self.b.alloc();
        self.emit(Op::Unary { op: UnaryOp::Widen, d, a: value.reg });
        Operand { reg: d, ty: Type::Number, bounds: value.bounds }
    }

    pub(super) fn unknown_operand(&mut self) -> Operand {
        Operand { reg: self.b.alloc(), ty: Type::Unknown, bounds: None }
    }

    pub(super) fn small_constant(&mut self, n: i32, ty: Type) -> Operand {
        let d = self.b.alloc();
        self.emit(Op::Small { d, n });
        Operand { reg: d, ty, bounds: None }
    }

    /// Returns the type that an expression would have, without emitting code or reporting faults;
    /// [`Type::Unknown`] if it has a fault.
    pub(super) fn probe_type(&mut self, e: &Expr) -> Type {
        self.probe(|c| c.expr(e, None).ty)
    }

    /// Returns the type of the members of a source, without emitting code; [`Type::Unknown`] if the
    /// source has a fault.
    pub(super) fn probe_member_type(&mut self, over: &Expr) -> Type {
        self.probe(|c| c.loop_members(over).member_type())
    }

    /// Compiles a part of the rule text only to find its type. Returns [`Type::Unknown`] if the part
    /// has a fault.
    fn probe(&mut self, compile: impl FnOnce(&mut Self) -> Type) -> Type {
        let faults = self.faults.len();
        let mut trial = super::Builder::default();
        trial.locals = self.b.locals.clone();
        trial.dice = self.b.dice;
        trial.pure = self.b.pure;
        trial.alloc_many(self.b.register_mark() as usize);
        let ours = std::mem::replace(&mut self.b, trial);
        let ty = compile(self);
        self.b = ours;
        let clean = self.faults.len() == faults;
        self.faults.truncate(faults);
        if clean { ty } else { Type::Unknown }
    }

    fn choice(&mut self, condition: &Expr, yes: &Expr, no: &Expr, want: Option<Type>) -> Operand {
        // A bare word is read according to the type of the first branch that isn't a bare word.
        let want =
            want.or_else(|| self.is_bare_word(yes).then(|| self.first_definite_type(no)).flatten());
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let c = self.expect(condition, Type::Flag);
        let other = self.emit(Op::JumpIfNot { a: c.reg, to: UNPATCHED });
        self.b.release_registers(mark);
        let a = self.expr(yes, want);
        self.emit(Op::Move { d, s: a.reg });
        // A placeholder for a conversion to a fraction, which the other branch may require.
        let widening = self.emit(Op::Jump { to: UNPATCHED });
        self.b.patch_jump(widening);
        let end = self.emit(Op::Jump { to: UNPATCHED });
        self.b.release_registers(mark);
        self.b.patch_jump(other);
        let mut b = self.expr(no, want.or(Some(a.ty)));
        let ty = match (a.ty, b.ty) {
            (Type::Whole, Type::Number) => {
                self.b.replace_op(widening, Op::Unary { op: UnaryOp::Widen, d, a: d });
                Type::Number
            }
            (Type::Number, Type::Whole) => {
                b = self.widen_to_fraction(b);
                Type::Number
            }
            (Type::Nothing | Type::Unknown | Type::List(Element::Any), only) => only,
            (Type::Dice, Type::Whole) | (Type::Whole, Type::Dice) => {
                b.ty = Type::Dice;
                Type::Dice
            }
            (ty, _) => ty,
        };
        if !type_fits(b.ty, ty) {
            let message = format!(
                "this is {}, but the other branch is {}",
                self.type_name(b.ty),
                self.type_name(ty)
            );
            self.faults.error("wrong-type", no.span, message);
        }
        self.emit(Op::Move { d, s: b.reg });
        self.b.patch_jump(end);
        self.b.release_registers(mark);
        let bounds = a.bounds.zip(b.bounds).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Operand { reg: d, ty, bounds }
    }

    /// Returns the type of the first branch that isn't a bare word, in a chain of choices; `None` if
    /// that branch is `none` or has a fault.
    fn first_definite_type(&mut self, e: &Expr) -> Option<Type> {
        let mut e = e;
        while let ExprKind::Choice(_, yes, no) = &e.kind {
            e = if self.is_bare_word(yes) { no } else { yes };
        }
        let ty = self.probe_type(e);
        (!matches!(ty, Type::Unknown | Type::Nothing)).then_some(ty)
    }

    pub(super) fn text_operand(&mut self, template: &TextTemplate) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let template_id = self.template(template);
        self.emit(Op::Text { d, template: template_id });
        self.b.release_registers(mark);
        Operand { reg: d, ty: Type::Text, bounds: None }
    }

    /// Compiles the values in a text, and leaves them in their registers for the next instruction.
    pub(super) fn template(&mut self, template: &TextTemplate) -> TemplateId {
        let parts = self.template_parts(template);
        self.new_template(parts)
    }

    /// Compiles the parts of a text.
    pub(super) fn template_parts(&mut self, template: &TextTemplate) -> Vec<TextPart> {
        let mut parts = Vec::new();
        for part in &template.parts {
            parts.push(match part {
                TemplatePart::Text(words) => TextPart::Words(words.clone()),
                TemplatePart::Value(e) => self.text_part(e),
                TemplatePart::Counted(number, one, several) => {
                    let value = self.expr(number, None);
                    let ty = self.require_number_type(value, number.span);
                    TextPart::Counted(value.reg, ty, one.clone(), several.clone())
                }
            });
        }
        parts
    }

    /// Adds a text to the program and returns its id.
    pub(super) fn new_template(&mut self, parts: Vec<TextPart>) -> TemplateId {
        self.program.templates.push(parts.into());
        TemplateId::from_index(self.program.templates.len() - 1)
    }

    fn text_part(&mut self, e: &Expr) -> TextPart {
        if let ExprKind::Call(name, args) = &e.kind
            && name.text == "word"
            && let [of] = args.as_slice()
            && let Some(named) = self.named_number(of)
        {
            return named;
        }
        let value = self.expr(e, None);
        TextPart::Value(value.reg, value.ty)
    }
}

/// Returns true if a value of type `from` can be used where `to` is expected.
pub(super) fn type_fits(from: Type, to: Type) -> bool {
    use Element::Any;
    from == to
        || from == Type::Unknown
        || to == Type::Unknown
        || matches!(
            (from, to),
            (Type::Nothing, Type::Piece(_))
                | (Type::Piece(_), Type::Nothing)
                | (Type::List(Any), Type::List(_))
                | (Type::List(_), Type::List(Any))
        )
}
