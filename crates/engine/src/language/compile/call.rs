//! Compiles calls of definitions, charts, rules and built-in functions.

use crate::diagnostic::{Declaration, Fault, Faults};
use crate::language::code::{EVERY_PIECE, Op, Reg, ValueUse};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::compile::functions::FUNCTIONS;
use crate::language::compile::rule::sweep_filter_kinds;
use crate::language::rule::RuleText;
use crate::language::schema::{ChartId, DefineId, Param, RuleId, Type};
use crate::language::syntax::{Expr, ExprKind, Name};

impl Compiler<'_> {
    pub(super) fn call(&mut self, name: &Name, args: &[Expr], used: ValueUse) -> Operand {
        let called = name.text.as_str();
        if let Some(id) = self.schema.define_named(called) {
            return self.call_define(id, args, name);
        }
        if let Some(id) = self.schema.chart_named(called) {
            return self.call_chart(id, args, name);
        }
        if let Some(id) = self.schema.rule_named(called) {
            return self.call_rule(id, args, name, used);
        }
        if let Some(function) = FUNCTIONS.iter().find(|f| f.name() == called) {
            return self.built_in(function, args);
        }
        let known = FUNCTIONS.iter().map(|f| f.name());
        let known = known.chain(self.schema.defines.iter().map(|d| d.name.as_str()));
        let known = known.chain(self.schema.charts.iter().map(|c| c.name.as_str()));
        let known = known.chain(self.schema.rules.iter().map(|r| r.name.as_str()));
        let message = format!("there is no rule, definition or function `{called}`");
        let cause = Declaration::Callable(called.to_owned());
        let fault = self.faults.error("unknown-call", name.span, message).derived_from(cause);
        if called == "return" {
            fault.help("to give a value, write `return x`, with a space");
        } else if let Some(near) = crate::names::nearest(called, known) {
            fault.help(format!("did you mean `{near}`?"));
        }
        self.unknown_operand()
    }

    /// Compiles the arguments into consecutive registers starting at `base`. Reports a fault if
    /// their number is wrong or an argument is certainly outside the limits of its parameter.
    fn compile_arguments(
        &mut self,
        what: &str,
        params: &[Param],
        args: &[Expr],
        base: Reg,
        name: &Name,
    ) {
        if args.len() != params.len() {
            let wanted: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
            let message = format!(
                "{what} `{}` takes {}, but {} {} given",
                name.text,
                values_phrase(params.len()),
                args.len(),
                if args.len() == 1 { "is" } else { "are" },
            );
            let fault = self.faults.error("wrong-arguments", self.b.at, message);
            fault.derived_from(Declaration::Callable(name.text.clone())).help(format!(
                "write `{}({})`",
                name.text,
                wanted.join(", ")
            ));
        }
        for (i, (param, arg)) in params.iter().zip(args).enumerate() {
            let mark = self.b.register_mark();
            let value = self.expect(arg, param.ty);
            if let (Some((low, high)), Some((l, h))) = (param.bounds, value.bounds)
                && param.ty == Type::Whole
                && (h < low || l > high)
            {
                let message = format!("`{}` must be from {low} to {high}", param.name);
                self.faults.error("out-of-range", arg.span, message);
            }
            self.b.move_to(base + i as Reg, value.reg, mark);
            self.b.release_registers(mark);
        }
    }

    fn call_define(&mut self, id: DefineId, args: &[Expr], name: &Name) -> Operand {
        let define = &self.schema.defines[id.index()];
        let (ty, bounds) = self.result_type(define.function, name.span);
        self.b.lists_made |= matches!(ty, Type::List(_));
        let base = self.b.alloc_many(define.params.len().max(1));
        self.compile_arguments("the definition", &define.params, args, base, name);
        self.emit_call(define.function, base, ValueUse::Used);
        self.b.release_registers(base + 1);
        Operand { reg: base, ty, bounds }
    }

    fn call_chart(&mut self, id: ChartId, args: &[Expr], name: &Name) -> Operand {
        let chart = &self.schema.charts[id.index()];
        let base = self.b.alloc_many(2);
        self.compile_arguments("the chart", &chart.axes, args, base, name);
        self.emit(Op::Chart { d: base, chart: id, a: base, b: base + 1 });
        self.b.release_registers(base + 1);
        let bounds = (chart.gives == Type::Whole)
            .then(|| Some((*chart.values.iter().min()?, *chart.values.iter().max()?)))
            .flatten();
        Operand { reg: base, ty: chart.gives, bounds }
    }

    fn call_rule(&mut self, id: RuleId, args: &[Expr], name: &Name, used: ValueUse) -> Operand {
        let rule = self.rule_text(id);
        if rule.gives.is_none() && used == ValueUse::Used {
            let message = format!("the rule `{}` gives no value", rule.name);
            let fault = self.faults.error("no-value", name.span, message);
            fault
                .derived_from(Declaration::Callable(rule.name.clone()))
                .help("write `gives = '…'` in it, or call it as a statement");
            return self.unknown_operand();
        }
        if self.b.pure {
            let message = format!("the rule `{}` cannot be called in a condition", rule.name);
            let fault = self.faults.error("rule-in-condition", self.b.at, message);
            fault.help("call it in a statement, such as `let x = …`");
            return self.unknown_operand();
        }
        let (ty, bounds) = self.rule_result(rule, name.span);
        // If fewer values are given than the rule takes, its defaults fill in the rest.
        let entry = rule.entry.filter(|_| args.len() < rule.params.len());
        let defaults = match entry {
            Some(_) => rule.params.iter().filter(|p| p.default.is_some()).count(),
            None => 0,
        };
        let filters = sweep_filter_kinds(self.schema, rule);
        let base = self.b.alloc_many((rule.params.len() + defaults + filters.len()).max(1));
        let (ours, rest) = args.split_at(args.len().min(rule.params.len()));
        let given = if entry.is_some() { ours.len() } else { rule.params.len() };
        self.compile_arguments("the rule", &rule.params[..given], ours, base, name);
        if entry.is_some() {
            self.mark_left_out_params(rule, given, base);
        }
        if rest.len() > filters.len() {
            let message = format!(
                "the rule `{}` takes at most {}",
                rule.name,
                values_phrase(rule.params.len() + filters.len())
            );
            let fault = self.faults.error("wrong-arguments", self.b.at, message);
            fault.derived_from(Declaration::Callable(rule.name.clone()));
        }
        for (i, kind) in filters.iter().enumerate() {
            let d = base + (rule.params.len() + defaults + i) as Reg;
            match rest.get(i) {
                Some(arg) => {
                    let mark = self.b.register_mark();
                    let value = self.expect(arg, Type::Piece(*kind));
                    self.b.move_to(d, value.reg, mark);
                    self.b.release_registers(mark);
                }
                None => _ = self.emit(Op::Small { d, n: EVERY_PIECE }),
            }
        }
        match entry {
            Some(entry) => {
                self.ensure_compiled(entry);
                self.emit_call(entry, base, used);
            }
            None => self.emit_rule_call(id, base, used),
        }
        self.b.release_registers(base + 1);
        Operand { reg: base, ty, bounds }
    }

    /// Gives each missing parameter an empty value, and reports a fault if the parameter is
    /// required. For each parameter with a default, stores a flag that is set if the call gives a
    /// value for it.
    fn mark_left_out_params(&mut self, rule: &RuleText, given: usize, base: Reg) {
        let mut flag = base + rule.params.len() as Reg;
        for (i, param) in rule.params.iter().enumerate() {
            if i >= given {
                if param.default.is_none() && !param.optional {
                    let message =
                        format!("the rule `{}` needs a value for `{}`", rule.name, param.name);
                    let fault = self.faults.error("wrong-arguments", self.b.at, message);
                    fault.derived_from(Declaration::Callable(rule.name.clone()));
                }
                let n = if matches!(param.ty, Type::Piece(_)) { -1 } else { 0 };
                self.emit(Op::Small { d: base + i as Reg, n });
            }
            if param.default.is_some() {
                self.emit(Op::Small { d: flag, n: i32::from(i < given) });
                flag += 1;
            }
        }
    }

    /// Reports a rule that returns several values where one is expected.
    pub(super) fn require_single_value(&mut self, name: &Name) {
        let Some(rule) = self.schema.rule_named(&name.text) else { return };
        let further = self.rule_text(rule).also_gives.len();
        if further > 0 {
            let message = format!("the rule `{}` gives {}", name.text, values_phrase(further + 1));
            let fault = self.faults.error("several-values", self.b.at, message);
            fault.help(format!("give each a name: `let a, b = {}(…)`", name.text));
        }
    }

    /// Returns the types of all values of a call except the first.
    pub(super) fn further_value_types(&self, call: &Expr) -> Vec<Type> {
        let ExprKind::Call(name, _) = &call.kind else { return Vec::new() };
        let rule = self.schema.rule_named(&name.text).map(|rule| self.rule_text(rule).function);
        rule.and_then(|f| self.program.further.get(&f)).cloned().unwrap_or_default()
    }
}

pub(super) fn values_phrase(n: usize) -> String {
    match n {
        0 => "no value".into(),
        1 => "one value".into(),
        n => format!("{n} values"),
    }
}
