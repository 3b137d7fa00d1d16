//! Compiles `return`, which gives the values of a rule before its end.

use super::Compiler;
use super::builder::{Operand, ReturnedValues};
use super::call::values_phrase;
use super::expression::type_fits;
use crate::diagnostic::{Fault, Faults};
use crate::language::code::{Op, Reg, UNPATCHED, UnaryOp};
use crate::language::schema::{Element, Type};
use crate::language::syntax::Expr;
use crate::source::Span;

impl Compiler<'_> {
    /// Compiles `return`, which ends the rule and gives its values.
    pub(super) fn return_statement(&mut self, span: Span, given: &[Expr]) {
        let Some(id) = self.b.giving else {
            let message = "`return` can be used only in a rule with `gives`";
            let fault = self.faults.error("return-without-gives", span, message);
            fault.help("add `gives = '…'` to the rule, for its value at the end; to end a rule without a value, write `stop`");
            return;
        };
        let rule = self.rule_text(id);
        let gives: Vec<&Expr> = rule.gives.iter().chain(&rule.also_gives).collect();
        if gives.len() != given.len() {
            let message = format!(
                "found {}, expected {}",
                values_phrase(given.len()),
                values_phrase(gives.len())
            );
            let fault = self.faults.error("several-values", span, message);
            fault.help("`return` must have the same number of values as `gives`");
            return;
        }
        let mut values: Vec<Operand> = Vec::new();
        for (value, at_end) in given.iter().zip(gives) {
            let hint = self.probe_type(at_end);
            let hint = (!matches!(hint, Type::Unknown | Type::Nothing)).then_some(hint);
            values.push(self.expr(value, hint));
        }
        // Only the end of the rule shows whether a whole number must become a fraction, so each
        // value gets a placeholder for the conversion.
        let mut conversions = Vec::new();
        let first = self.b.alloc_many(values.len());
        for (d, value) in (first..).zip(&values) {
            self.emit(Op::Move { d, s: value.reg });
            let conversion = self.emit(Op::Jump { to: UNPATCHED });
            self.b.patch_jump(conversion);
            conversions.push(conversion);
        }
        let registers: Vec<Reg> = (first..).take(values.len()).collect();
        let result =
            if values.len() == 1 { first } else { self.move_to_first_registers(&registers) };
        self.emit(Op::Return { a: result });
        self.b.returned.push(ReturnedValues {
            values: values.iter().map(|value| (value.ty, value.bounds)).collect(),
            spans: given.iter().map(|value| value.span).collect(),
            conversions,
            first,
        });
    }

    /// Adapts the type and bounds of the value at `index` in `gives`, so that they also fit all
    /// `return` statements. Reports a fault for each `return` statement that doesn't fit.
    pub(super) fn agree_with_returns(&mut self, index: usize, value: &mut Operand, span: Span) {
        let returned = std::mem::take(&mut self.b.returned);
        let types = || returned.iter().map(|one| one.values[index].0);
        let is_open =
            |ty: &Type| matches!(ty, Type::Nothing | Type::Unknown | Type::List(Element::Any));
        if is_open(&value.ty)
            && let Some(ty) = types().find(|ty| !is_open(ty))
            && type_fits(value.ty, ty)
        {
            value.ty = ty;
        }
        if value.ty == Type::Whole && types().any(|ty| ty == Type::Number) {
            *value = self.widen_to_fraction(*value);
        }
        for one in &returned {
            let (ty, bounds) = one.values[index];
            let d = one.first + index as Reg;
            if (ty, value.ty) == (Type::Whole, Type::Number) {
                self.b
                    .replace_op(one.conversions[index], Op::Unary { op: UnaryOp::Widen, d, a: d });
            } else if !type_fits(ty, value.ty) {
                let message = format!(
                    "this is {}, but `gives` is {}",
                    self.type_name(ty),
                    self.type_name(value.ty)
                );
                let fault = self.faults.error("wrong-type", one.spans[index], message);
                fault.other_span(span, "the value at the end of the rule");
            }
            let union = |(a, b): ((i64, i64), (i64, i64))| (a.0.min(b.0), a.1.max(b.1));
            value.bounds = value.bounds.zip(bounds).map(union);
        }
        self.b.returned = returned;
    }
}
