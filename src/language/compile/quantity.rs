//! Questions over the members of a source: any, all, count, sum, highest, first, best.

use super::prelude::*;
use crate::language::number::{self, Number};
use crate::language::syntax::Quantity;

impl Compiler<'_> {
    pub(super) fn quantified(
        &mut self,
        quantity: Quantity,
        source: &Source,
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
        let start = match quantity {
            Quantity::First | Quantity::Best | Quantity::Nearest => -1,
            _ => 0,
        };
        let begin = self.emit(Op::Small { d, n: start });
        let over = self.over(&source.over);
        // Whoever fails the question does not count for these, no more than whoever fails the filter.
        let counted = body.filter(|_| quantity == Quantity::Count);
        let marked = self.marked(over, source, counted);
        let names = self.b.locals.len();
        let seen = self.b.alloc();
        self.emit(Op::Small { d: seen, n: 0 });
        let this = self.begin_loop(over, marked);
        self.declare(&source.name.text, this.member, source.name.span);
        let skip = self.filter(source.filter.as_ref());
        let inner = self.b.mark();
        let mut out = Vec::new();
        let uncounted = counted.map_or_else(Vec::new, |counted| self.tidy_jumps(counted, false));
        let value = body.filter(|_| counted.is_none()).and_then(|body| {
            let (value, _) = self.tidy(|c, _| c.expr(body, None));
            let ty = self.is_number(value, body.span);
            Some(Operand { ty, ..value })
        });
        let member = this.member.reg;
        match (quantity, value) {
            (Quantity::Count, _) => {
                let one = self.constant(1);
                self.add(d, one, false);
            }
            (Quantity::Sum, Some(v)) => self.add(d, v.reg, v.ty == Type::Number),
            (Quantity::First, _) => {
                self.emit(Op::Move { d, s: member });
                self.emit(Op::Small { d: seen, n: 1 });
                out.push(self.emit(Op::Jump { to: LATER }));
            }
            (_, Some(v)) => {
                let chosen = matches!(quantity, Quantity::Best | Quantity::Nearest);
                let high = matches!(quantity, Quantity::Highest | Quantity::Best);
                let worse = self.take_better(best, seen, v, high);
                self.emit(Op::Move { d, s: if chosen { member } else { v.reg } });
                self.b.land(worse);
            }
            (_, None) => {}
        }
        self.b.release(inner);
        self.b.land_all(skip.into_iter().chain(uncounted));
        self.b.locals.truncate(names);
        self.end_loop(&this, out);
        let ty = match quantity {
            Quantity::Any | Quantity::All | Quantity::No => Type::Flag,
            Quantity::Count => Type::Whole,
            Quantity::First | Quantity::Best | Quantity::Nearest => this.member.ty,
            Quantity::Sum | Quantity::Highest | Quantity::Lowest => {
                value.map_or(Type::Whole, |v| v.ty)
            }
        };
        let chosen = matches!(quantity, Quantity::First | Quantity::Best | Quantity::Nearest);
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
        source: &Source,
        condition: &Expr,
    ) -> Vec<usize> {
        let (mark, names) = (self.b.mark(), self.b.locals.len());
        let over = self.over(&source.over);
        let all = quantity == Quantity::All;
        let marked = self.marked(over, source, Some(condition).filter(|_| !all));
        let this = self.begin_loop(over, marked);
        self.declare(&source.name.text, this.member, source.name.span);
        let skip = self.filter(source.filter.as_ref());
        let out = self.tidy_jumps(condition, !all);
        self.b.land_all(skip);
        self.b.locals.truncate(names);
        self.end_loop(&this, Vec::new());
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
