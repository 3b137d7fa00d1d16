//! Compiles the quantifiers, such as `any`, `count`, `highest` and `best`, which compute a value
//! from the members of a source.

use crate::language::code::{NumberOp, Op, Reg, UNPATCHED};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::number::{self, Number};
use crate::language::schema::Type;
use crate::language::syntax::{Expr, MemberSource, Quantifier};

impl Compiler<'_> {
    pub(super) fn quantifier(
        &mut self,
        quantity: Quantifier,
        source: &MemberSource,
        body: Option<&Expr>,
    ) -> Operand {
        let d = self.b.alloc();
        if let (Quantifier::Any | Quantifier::All | Quantifier::No, Some(body)) = (quantity, body) {
            let settled = i32::from(quantity == Quantifier::Any);
            self.emit(Op::Small { d, n: 1 - settled });
            let out = self.search_members(quantity, source, body);
            let end = self.emit(Op::Jump { to: UNPATCHED });
            self.b.patch_jumps(out);
            self.emit(Op::Small { d, n: settled });
            self.b.patch_jump(end);
            return Operand { reg: d, ty: Type::Flag, bounds: None };
        }
        // The best value so far, for quantifiers that compare values.
        let best = self.b.alloc();
        let mark = self.b.register_mark();
        let chosen = matches!(quantity, Quantifier::First | Quantifier::Best | Quantifier::Nearest);
        let begin = self.emit(Op::Small { d, n: if chosen { -1 } else { 0 } });
        let over = self.loop_members(&source.over);
        let seen = self.b.alloc();
        self.emit(Op::Small { d: seen, n: 0 });
        let mut out = None;
        // The condition of `count` works like a second filter.
        let counted = body.filter(|_| quantity == Quantifier::Count);
        let source =
            &counted.map_or_else(|| source.clone(), |counted| source.with_condition(counted));
        let (member, value) = self.for_each_member(over, source, None, |c, member| {
            let inner = c.b.register_mark();
            let value = body.filter(|_| counted.is_none()).map(|body| {
                let (value, _) = c.with_list_cleanup(|c, _| c.expr(body, None));
                Operand { ty: c.require_number_type(value, body.span), ..value }
            });
            match (quantity, value) {
                (Quantifier::Count, _) => {
                    let one = c.constant(1);
                    c.add_values(d, one, false);
                }
                (Quantifier::Sum, Some(v)) => c.add_values(d, v.reg, v.ty == Type::Number),
                (Quantifier::First, _) => {
                    c.emit(Op::Move { d, s: member.reg });
                    c.emit(Op::Small { d: seen, n: 1 });
                    out = Some(c.emit(Op::Jump { to: UNPATCHED }));
                }
                (_, Some(v)) => {
                    let high = matches!(quantity, Quantifier::Highest | Quantifier::Best);
                    let worse = c.take_better(best, seen, v, high);
                    c.emit(Op::Move { d, s: if chosen { member.reg } else { v.reg } });
                    c.b.patch_jump(worse);
                }
                (_, None) => {}
            }
            c.b.release_registers(inner);
            (member, value)
        });
        self.b.patch_jumps(out);
        let ty = match quantity {
            Quantifier::Any | Quantifier::All | Quantifier::No => Type::Flag,
            Quantifier::Count => Type::Whole,
            Quantifier::First | Quantifier::Best | Quantifier::Nearest => member.ty,
            Quantifier::Sum | Quantifier::Highest | Quantifier::Lowest => {
                value.map_or(Type::Whole, |v| v.ty)
            }
        };
        if chosen && !matches!(ty, Type::Piece(_) | Type::Unknown) {
            // Only a piece can be `none`. For other members, having nothing to choose is a fault.
            let some = self.emit(Op::JumpIf { a: seen, to: UNPATCHED });
            self.emit(Op::NoMember {});
            self.b.patch_jump(some);
        } else if ty == Type::Number {
            // Only the compiled body shows whether the initial 0 must be a fraction.
            self.b.replace_op(begin, Op::Small { d, n: Number::ZERO.to_bits() as i32 });
        }
        self.b.release_registers(mark);
        let bounds = match (quantity, value) {
            (Quantifier::Count, _) => Some((0, number::MAX_WHOLE)),
            // The value is 0 if there are no members.
            (Quantifier::Highest | Quantifier::Lowest, Some(v)) => {
                v.bounds.map(|(l, h)| (l.min(0), h.max(0)))
            }
            _ => None,
        };
        Operand { reg: d, ty, bounds }
    }

    /// Compiles a loop for `any`, `all` or `no` that ends as soon as one member decides the answer.
    /// Returns the jumps that are taken at that point.
    pub(super) fn search_members(
        &mut self,
        quantity: Quantifier,
        source: &MemberSource,
        condition: &Expr,
    ) -> Vec<usize> {
        let mark = self.b.register_mark();
        let over = self.loop_members(&source.over);
        let all = quantity == Quantifier::All;
        let also = Some(condition).filter(|_| !all);
        let out =
            self.for_each_member(over, source, also, |c, _| c.jumps_with_cleanup(condition, !all));
        self.b.release_registers(mark);
        out
    }

    /// Compiles a test that stores the value in `best` if it is better than the best value so far,
    /// and otherwise takes the returned jump. If two values are equal, the first one stays the best.
    fn take_better(&mut self, best: Reg, seen: Reg, v: Operand, high: bool) -> usize {
        let first = self.emit(Op::JumpIfNot { a: seen, to: UNPATCHED });
        let d = self.b.alloc();
        let (a, b) = if high { (best, v.reg) } else { (v.reg, best) };
        let fraction = v.ty == Type::Number;
        self.emit(Op::Number { op: NumberOp::Less, fraction, d, a, b });
        let worse = self.emit(Op::JumpIfNot { a: d, to: UNPATCHED });
        self.b.patch_jump(first);
        self.emit(Op::Small { d: seen, n: 1 });
        self.emit(Op::Move { d: best, s: v.reg });
        worse
    }
}
