//! Compiles arithmetic, comparison, membership and logic.

use super::ComparedAttribute;
use crate::diagnostic::Faults;
use crate::language::code::{NumberOp, Op, Reg, UNPATCHED, UnaryOp, WordOp};
use crate::language::compile::Compiler;
use crate::language::compile::builder::{Operand, ValueRange};
use crate::language::compile::expression::type_fits;
use crate::language::schema::{Element, Type};
use crate::language::syntax::{Expr, ExprKind, Operator, Quantifier};
use crate::source::Span;

/// An operator that combines two numbers into one, or two lists into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    Number(NumberOp),
    Divide,
    Modulo,
}

const ADDITION: Arithmetic = Arithmetic::Number(NumberOp::Add);

impl Compiler<'_> {
    pub(super) fn negative(&mut self, inner: &Expr) -> Operand {
        let mark = self.b.register_mark();
        let a = self.expr(inner, None);
        let number = self.require_number_type(a, inner.span);
        self.b.release_registers(mark);
        let d = self.b.alloc();
        self.emit(Op::Unary { op: negation_op(number), d, a: a.reg });
        let bounds = a.bounds.and_then(|(l, h)| Some((h.checked_neg()?, l.checked_neg()?)));
        Operand { reg: d, ty: number, bounds }
    }

    /// Returns the type if it is a number. Otherwise reports a fault and returns `Unknown`.
    pub(super) fn require_number_type(&mut self, value: Operand, span: Span) -> Type {
        match value.ty {
            Type::Whole | Type::Number | Type::Unknown => value.ty,
            other => {
                self.report_type_mismatch("a number", other, span);
                Type::Unknown
            }
        }
    }

    pub(super) fn binary(&mut self, op: Operator, left: &Expr, right: &Expr, e: &Expr) -> Operand {
        match op {
            Operator::In | Operator::NotIn => self.membership(op, left, right),
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast => self.comparison(op, left, right),
            Operator::Add => self.arithmetic(Arithmetic::Number(NumberOp::Add), left, right),
            Operator::Subtract => self.arithmetic(Arithmetic::Number(NumberOp::Sub), left, right),
            Operator::Multiply => self.arithmetic(Arithmetic::Number(NumberOp::Mul), left, right),
            Operator::Divide => self.arithmetic(Arithmetic::Divide, left, right),
            Operator::Modulo => self.arithmetic(Arithmetic::Modulo, left, right),
            Operator::And | Operator::Or => self.logical_value(e),
        }
    }

    /// Compiles `a and b` or `a or b` as a value.
    fn logical_value(&mut self, e: &Expr) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let mut jumps = Vec::new();
        self.jump_if(e, false, &mut jumps);
        self.emit(Op::Small { d, n: 1 });
        let end = self.emit(Op::Jump { to: UNPATCHED });
        self.b.patch_jumps(jumps);
        self.emit(Op::Small { d, n: 0 });
        self.b.patch_jump(end);
        self.b.release_registers(mark);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    /// Compiles a condition and adds to `jumps` the jumps that are taken if it evaluates to `when`;
    /// otherwise the run continues after them. No flag is computed for `and`, `or` and `not`.
    pub(super) fn jump_if(&mut self, e: &Expr, when: bool, jumps: &mut Vec<usize>) {
        match &e.kind {
            ExprKind::Not(inner) => self.jump_if(inner, !when, jumps),
            ExprKind::Binary(op @ (Operator::And | Operator::Or), left, right) => {
                // The value of the left side that makes the right side unnecessary.
                let settles = *op == Operator::Or;
                if settles == when {
                    self.jump_if(left, when, jumps);
                    self.jump_if(right, when, jumps);
                } else {
                    let mut past = Vec::new();
                    self.jump_if(left, settles, &mut past);
                    self.jump_if(right, when, jumps);
                    self.b.patch_jumps(past);
                }
            }
            ExprKind::Quantified(
                quantity @ (Quantifier::Any | Quantifier::All | Quantifier::No),
                source,
                Some(condition),
            ) => {
                let settled = self.search_members(*quantity, source, condition);
                if (*quantity == Quantifier::Any) == when {
                    jumps.extend(settled);
                } else {
                    jumps.push(self.emit(Op::Jump { to: UNPATCHED }));
                    self.b.patch_jumps(settled);
                }
            }
            _ => {
                let mark = self.b.register_mark();
                let a = self.expect(e, Type::Flag).reg;
                let member = |operand: &Expr| matches!(operand.kind, ExprKind::Member(..));
                let joined = match &e.kind {
                    ExprKind::Binary(op, left, right) if op.is_comparison() && a >= mark => {
                        self.b.join_jump(a, when, mark, member(left) || member(right))
                    }
                    ExprKind::Member(..) if a >= mark => self.b.join_jump(a, when, mark, false),
                    _ => None,
                };
                jumps.push(joined.unwrap_or_else(|| {
                    if when {
                        self.emit(Op::JumpIf { a, to: UNPATCHED })
                    } else {
                        self.emit(Op::JumpIfNot { a, to: UNPATCHED })
                    }
                }));
                self.b.release_registers(mark);
            }
        }
    }

    /// Returns true if an expression is a name whose meaning depends on the value it is compared
    /// with.
    pub(super) fn is_bare_word(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(n) if self.b.find_local(n).is_none()
            && self.schema.plural_named(n).is_none() && self.schema.deck_named(n).is_none()
            && self.names.and_then(|f| f(n)).is_none())
    }

    /// Compiles both operands. If one operand is a bare word, it is read according to the type of the
    /// other.
    pub(super) fn operand_pair(&mut self, left: &Expr, right: &Expr) -> (Operand, Operand) {
        if self.is_bare_word(left) && !self.is_bare_word(right) {
            let b = self.expr(right, None);
            let a = self.expr(left, Some(b.ty));
            return (a, b);
        }
        let a = self.expr(left, None);
        let b = self.expr(right, Some(a.ty));
        (a, b)
    }

    pub(super) fn comparison(&mut self, op: Operator, left: &Expr, right: &Expr) -> Operand {
        let mark = self.b.register_mark();
        let d = self.b.alloc();
        let (a, b) = self.operand_pair(left, right);
        if let ExprKind::Member(_, name) = &left.kind
            && let (Some(limits), Some((with, highest))) = (a.bounds, b.bounds)
            && with == highest
            && (a.ty, b.ty) == (Type::Whole, Type::Whole)
        {
            let compared = ComparedAttribute { span: self.b.at, operator: op, limits, with };
            self.notes.compared.insert(name.span, compared);
        }
        let value = self.compare_operands(op, a, b, d, right.span);
        self.b.release_registers(mark + 1);
        value
    }

    /// Compiles the comparison of two values, with the result in `d`.
    pub(super) fn compare_operands(
        &mut self,
        op: Operator,
        a: Operand,
        b: Operand,
        d: Reg,
        right: Span,
    ) -> Operand {
        let mut a = a;
        let mut b = b;
        if (a.ty, b.ty) == (Type::Whole, Type::Number) {
            a = self.widen_to_fraction(a);
        } else if (a.ty, b.ty) == (Type::Number, Type::Whole) {
            b = self.widen_to_fraction(b);
        }
        if !type_fits(a.ty, b.ty) && !type_fits(b.ty, a.ty) {
            let message = format!(
                "{} cannot be compared with {}",
                self.type_name(a.ty),
                self.type_name(b.ty)
            );
            self.faults.error("wrong-type", right, message);
        }
        let ordered = matches!(a.ty, Type::Whole | Type::Number | Type::Word(_) | Type::Unknown);
        let equality = matches!(op, Operator::Equal | Operator::NotEqual);
        if !equality && !ordered {
            let message = format!("`{}` can only compare numbers or words", op.symbol());
            self.faults.error("wrong-type", self.b.at, message);
        }
        let fraction = a.ty == Type::Number;
        let lists = matches!(a.ty, Type::List(_));
        let (a, b) = match op {
            Operator::Greater | Operator::AtLeast => (b.reg, a.reg),
            _ => (a.reg, b.reg),
        };
        let op = match op {
            Operator::Equal if lists => Op::SameList { d, a, b },
            Operator::Equal => Op::Word { op: WordOp::Equal, d, a, b },
            Operator::NotEqual if lists => {
                self.emit(Op::SameList { d, a, b });
                Op::Unary { op: UnaryOp::Not, d, a: d }
            }
            Operator::NotEqual => Op::Word { op: WordOp::NotEqual, d, a, b },
            Operator::Less | Operator::Greater => {
                Op::Number { op: NumberOp::Less, fraction, d, a, b }
            }
            Operator::AtMost | Operator::AtLeast => {
                Op::Number { op: NumberOp::AtMost, fraction, d, a, b }
            }
            // These are not comparisons, so no caller passes them.
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulo
            | Operator::In
            | Operator::NotIn
            | Operator::And
            | Operator::Or => return Operand { reg: d, ty: Type::Unknown, bounds: None },
        };
        self.emit(op);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    pub(super) fn membership(&mut self, op: Operator, left: &Expr, right: &Expr) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let faults = self.faults.len();
        let a = self.expr(left, None);
        if let ExprKind::Name(name) = &left.kind
            && let [fault] = &mut self.faults[faults..]
            && fault.code == "unknown-name"
            && !matches!(right.kind, ExprKind::List(_) | ExprKind::Range(..))
        {
            // `(x in list)` without `where` is parsed as a condition.
            let help = format!(
                "for a list of members, add a condition: `({name} in … where …)`; for all of them, leave out `{name} in`"
            );
            fault.help = Some(help);
            self.b.release_registers(mark);
            return Operand { reg: d, ty: Type::Unknown, bounds: None };
        }
        if let ExprKind::List(items) = &right.kind {
            self.is_one_of(a, items, d);
        } else if let ExprKind::Range(low, high) = &right.kind {
            self.is_between(a, low, high, d);
        } else if let Some((list, row, ty)) = self.stored_list(right) {
            self.check_member_type(a.ty, ty, left.span);
            self.emit(Op::Holds { d, list, row, value: a.reg });
        } else {
            let b = self.expr(right, None);
            match b.ty {
                Type::List(element) => self.check_member_type(a.ty, element, left.span),
                Type::Unknown => {}
                other => _ = self.report_type_mismatch("a list", other, right.span),
            }
            self.emit(Op::InList { d, a: b.reg, value: a.reg });
        }
        if op == Operator::NotIn {
            self.emit(Op::Unary { op: UnaryOp::Not, d, a: d });
        }
        self.b.release_registers(mark);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    pub(super) fn check_member_type(&mut self, ty: Type, element: Element, span: Span) {
        let member = element.member_type();
        if !type_fits(ty, member) {
            let message = format!(
                "{} can never be in a list of {}",
                self.type_name(ty),
                self.type_name(member)
            );
            self.faults.error("wrong-type", span, message);
        }
    }

    /// Compiles `a in [b, c]`: true if `a` equals one of them.
    pub(super) fn is_one_of(&mut self, a: Operand, items: &[Expr], d: Reg) {
        self.emit(Op::Small { d, n: 0 });
        let mut found = Vec::new();
        for item in items {
            let mark = self.b.register_mark();
            let b = self.expr(item, Some(a.ty));
            self.compare_operands(Operator::Equal, a, b, d, item.span);
            found.push(self.emit(Op::JumpIf { a: d, to: UNPATCHED }));
            self.b.release_registers(mark);
        }
        self.b.patch_jumps(found);
    }

    /// Compiles `a in low..high`, which includes both ends.
    pub(super) fn is_between(&mut self, a: Operand, low: &Expr, high: &Expr, d: Reg) {
        let first = self.expr(low, Some(a.ty));
        self.compare_operands(Operator::AtLeast, a, first, d, low.span);
        let out = self.emit(Op::JumpIfNot { a: d, to: UNPATCHED });
        let last = self.expr(high, Some(a.ty));
        self.compare_operands(Operator::AtMost, a, last, d, high.span);
        self.b.patch_jump(out);
    }

    fn arithmetic(&mut self, op: Arithmetic, left: &Expr, right: &Expr) -> Operand {
        let mark = self.b.register_mark();
        let a = self.expr(left, None);
        if let Type::List(element) = a.ty
            && op == ADDITION
        {
            let b = self.expr(right, Some(a.ty));
            let given = b.ty;
            let b = self.coerce(b, Type::List(element), right.span);
            let element = if element == Element::Any { given.as_element() } else { element };
            return self.join_lists(a, b, element, mark);
        }
        let b = self.expr(right, None);
        if let (Type::Unknown, Type::List(element), ADDITION) = (a.ty, b.ty, op) {
            return self.join_lists(a, b, element, mark);
        }
        let x = self.require_number_type(a, left.span);
        let y = self.require_number_type(b, right.span);
        let number = x == Type::Number || y == Type::Number || op == Arithmetic::Divide;
        if op == Arithmetic::Modulo && number {
            let message = "`mod` needs whole numbers";
            self.faults.error("wrong-type", self.b.at, message);
        }
        let bounds = if number { None } else { result_bounds(op, a.bounds, b.bounds) };
        let a = if number && x != Type::Number { self.widen_to_fraction(a) } else { a }.reg;
        let b = if number && y != Type::Number { self.widen_to_fraction(b) } else { b }.reg;
        self.b.release_registers(mark);
        let d = self.b.alloc();
        let op = match op {
            Arithmetic::Number(op) => Op::Number { op, fraction: number, d, a, b },
            Arithmetic::Divide => Op::Word { op: WordOp::Quotient, d, a, b },
            Arithmetic::Modulo => Op::Word { op: WordOp::Mod, d, a, b },
        };
        self.emit(op);
        Operand { reg: d, ty: if number { Type::Number } else { Type::Whole }, bounds }
    }
}

/// Returns the operation that negates a number of this type.
pub(super) fn negation_op(ty: Type) -> UnaryOp {
    if ty == Type::Number { UnaryOp::NumberNegate } else { UnaryOp::Negate }
}

/// Returns the bounds of a result, if the bounds of the operands determine them.
fn result_bounds(op: Arithmetic, left: ValueRange, right: ValueRange) -> ValueRange {
    let (a, b) = left?;
    let (c, d) = right?;
    match op {
        ADDITION => Some((a.checked_add(c)?, b.checked_add(d)?)),
        Arithmetic::Number(NumberOp::Sub) => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        Arithmetic::Number(NumberOp::Mul) => {
            let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        Arithmetic::Modulo if c > 0 => Some((0, d - 1)),
        Arithmetic::Modulo | Arithmetic::Divide | Arithmetic::Number(_) => None,
    }
}
