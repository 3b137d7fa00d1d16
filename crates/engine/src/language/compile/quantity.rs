//! Questions over the members of a source: any, all, count, sum, highest, first, best.

use crate::language::code::{LATER, NumberOp, Op, Reg};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::number::{self, Number};
use crate::language::schema::Type;
use crate::language::syntax::{Expr, MemberSource, Quantity};

impl Compiler<'_> {
    pub(super) fn quantified(
        &mut self,
        quantity: Quantity,
        source: &MemberSource,
        body: Option<&Expr>,
    ) -> Operand {
        let d = self.b.alloc();
        if let (Quantity::Any | Quantity::All | Quantity::No, Some(body)) = (quantity, body) {
            let settled = i32::from(quantity == Quantity::Any);
            self.emit(Op::Small { d, n: 1 - settled });
            let out = self.settles(quantity, source, body);
            let end = self.emit(Op::Jump { to: LATER });
            self.b.land_all(out);
            self.emit(Op::Small { d, n: settled });
            self.b.land(end);
            return Operand { reg: d, ty: Type::Flag, bounds: None };
        }
        // For those that compare: the best value so far. It stays until the loop is over.
        let best = self.b.alloc();
        let mark = self.b.mark();
        let chosen = matches!(quantity, Quantity::First | Quantity::Best | Quantity::Nearest);
        let begin = self.emit(Op::Small { d, n: if chosen { -1 } else { 0 } });
        let over = self.over(&source.over);
        let seen = self.b.alloc();
        self.emit(Op::Small { d: seen, n: 0 });
        let mut out = None;
        // A member that fails the question does not count, like one that fails the filter.
        let counted = body.filter(|_| quantity == Quantity::Count);
        let source = &counted.map_or_else(|| source.clone(), |counted| source.and(counted));
        let (member, value) = self.through(over, source, None, |c, member| {
            let inner = c.b.mark();
            let value = body.filter(|_| counted.is_none()).map(|body| {
                let (value, _) = c.tidy(|c, _| c.expr(body, None));
                Operand { ty: c.is_number(value, body.span), ..value }
            });
            match (quantity, value) {
                (Quantity::Count, _) => {
                    let one = c.constant(1);
                    c.add(d, one, false);
                }
                (Quantity::Sum, Some(v)) => c.add(d, v.reg, v.ty == Type::Number),
                (Quantity::First, _) => {
                    c.emit(Op::Move { d, s: member.reg });
                    c.emit(Op::Small { d: seen, n: 1 });
                    out = Some(c.emit(Op::Jump { to: LATER }));
                }
                (_, Some(v)) => {
                    let high = matches!(quantity, Quantity::Highest | Quantity::Best);
                    let worse = c.take_better(best, seen, v, high);
                    c.emit(Op::Move { d, s: if chosen { member.reg } else { v.reg } });
                    c.b.land(worse);
                }
                (_, None) => {}
            }
            c.b.release(inner);
            (member, value)
        });
        self.b.land_all(out);
        let ty = match quantity {
            Quantity::Any | Quantity::All | Quantity::No => Type::Flag,
            Quantity::Count => Type::Whole,
            Quantity::First | Quantity::Best | Quantity::Nearest => member.ty,
            Quantity::Sum | Quantity::Highest | Quantity::Lowest => {
                value.map_or(Type::Whole, |v| v.ty)
            }
        };
        if chosen && !matches!(ty, Type::Piece(_) | Type::Unknown) {
            // A piece can be `none`, other members cannot.
            let some = self.emit(Op::JumpIf { a: seen, to: LATER });
            self.emit(Op::NoMember {});
            self.b.land(some);
        } else if ty == Type::Number {
            // Which 0 it begins with shows only when the body is read.
            self.b.replace(begin, Op::Small { d, n: Number::ZERO.to_bits() as i32 });
        }
        self.b.release(mark);
        let bounds = match (quantity, value) {
            (Quantity::Count, _) => Some((0, number::MAX_WHOLE)),
            // 0 of none.
            (Quantity::Highest | Quantity::Lowest, Some(v)) => {
                v.bounds.map(|(l, h)| (l.min(0), h.max(0)))
            }
            _ => None,
        };
        Operand { reg: d, ty, bounds }
    }

    /// Goes through the members until one settles whether any, all or none of them fulfil a condition; returns the jumps
    /// that it takes.
    pub(super) fn settles(
        &mut self,
        quantity: Quantity,
        source: &MemberSource,
        condition: &Expr,
    ) -> Vec<usize> {
        let mark = self.b.mark();
        let over = self.over(&source.over);
        let all = quantity == Quantity::All;
        let also = Some(condition).filter(|_| !all);
        let out = self.through(over, source, also, |c, _| c.tidy_jumps(condition, !all));
        self.b.release(mark);
        out
    }

    /// Goes on only if the value beats the best so far, else takes the jump returned; ties keep the first.
    fn take_better(&mut self, best: Reg, seen: Reg, v: Operand, high: bool) -> usize {
        let first = self.emit(Op::JumpIfNot { a: seen, to: LATER });
        let d = self.b.alloc();
        let (a, b) = if high { (best, v.reg) } else { (v.reg, best) };
        let fraction = v.ty == Type::Number;
        self.emit(Op::Number { op: NumberOp::Less, fraction, d, a, b });
        let worse = self.emit(Op::JumpIfNot { a: d, to: LATER });
        self.b.land(first);
        self.emit(Op::Small { d: seen, n: 1 });
        self.emit(Op::Move { d: best, s: v.reg });
        worse
    }
}
