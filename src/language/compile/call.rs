//! What is called with brackets: built-in functions, charts, definitions, rules.

use super::super::code::{NumberOp, Op, PlanOp, Reg, TextPart, UnaryOp, ValueUse, WholeOp};
use super::super::number::Rounding;
use super::super::schema::{ColumnId, DIRECTION, DefineId, Element, Param, RuleId, Storage, Type};
use super::super::syntax::{Expr, ExprKind, Name, Operator};
use super::Compiler;
use super::builder::Operand;
use crate::diagnostic::{Cause, Diagnostic};
use crate::source::Span;

/// The built-in functions and how they are written.
pub const FUNCTIONS: [(&str, &str); 22] = [
    ("floor", "floor(number)"),
    ("ceil", "ceil(number)"),
    ("round", "round(number)"),
    ("min", "min(a, b)"),
    ("max", "max(a, b)"),
    ("abs", "abs(a)"),
    ("size", "size(list)"),
    ("first", "first(list)"),
    ("last", "last(list)"),
    ("nth", "nth(list, n)"),
    ("steps", "steps(area, area)"),
    ("step", "step(area, direction) or step(area, direction, n)"),
    ("direction", "direction(area, area)"),
    ("line", "line(area, area)"),
    ("next", "next(word)"),
    ("previous", "previous(word)"),
    ("number", "number(word)"),
    ("word", "word(piece.attribute)"),
    ("opposite", "opposite(direction)"),
    ("turned", "turned(direction, n)"),
    ("name", "name(piece)"),
    ("dice", "dice(count, sides)"),
];

impl Compiler<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        args: &[Expr],
        used: ValueUse,
        span: Span,
    ) -> Operand {
        let called = name.text.as_str();
        if let Some((_, shape)) = FUNCTIONS.iter().find(|(f, _)| *f == called) {
            let faults = self.faults.len();
            let d = self.b.alloc();
            let mark = self.b.mark();
            let value = self.function(called, args, d, span);
            self.b.release(mark);
            if let Some(value) = value {
                return value;
            }
            if self.faults.len() == faults {
                let message = format!("`{called}` is called with the wrong number of values");
                self.fault(
                    Diagnostic::error("wrong-arguments", span, message)
                        .help(format!("write `{shape}`")),
                );
            }
            return Operand { reg: d, ty: Type::Unknown, bounds: None };
        }
        if let Some(id) = self.schema.define_named(called) {
            return self.call_define(id, args, name, span);
        }
        if let Some(id) = self.schema.chart_named(called) {
            return self.call_chart(id, args, name, span);
        }
        if let Some(id) = self.schema.rule_named(called) {
            return self.call_rule(id, args, name, used, span);
        }
        let known = FUNCTIONS.iter().map(|(f, _)| *f);
        let known = known.chain(self.schema.defines.iter().map(|d| d.name.as_str()));
        let known = known.chain(self.schema.charts.iter().map(|c| c.name.as_str()));
        let known = known.chain(self.schema.rules.iter().map(|r| r.name.as_str()));
        let message = format!("there is no rule, definition or function `{called}`");
        let cause = Cause::Callable(called.to_owned());
        let mut fault = Diagnostic::error("unknown-call", name.span, message).derived_from(cause);
        if let Some(near) = crate::names::nearest(called, known) {
            fault = fault.help(format!("did you mean `{near}`?"));
        }
        self.fault(fault);
        self.unknown()
    }

    fn function(&mut self, called: &str, args: &[Expr], d: Reg, span: Span) -> Option<Operand> {
        let value = |ty| Some(Operand { reg: d, ty, bounds: None });
        match (called, args) {
            ("floor", [a]) => Some(self.rounded(Rounding::Floor, a, d, span)),
            ("ceil", [a]) => Some(self.rounded(Rounding::Ceil, a, d, span)),
            ("round", [a]) => Some(self.rounded(Rounding::Round, a, d, span)),
            ("min" | "max", [a, b]) => Some(self.min_max(called == "max", a, b, d, span)),
            ("abs", [a]) => {
                let a_value = self.expr(a, None);
                let ty = self.is_number(a_value, a.span);
                let op = match ty {
                    Type::Number => Op::Unary { op: UnaryOp::NumberAbsolute, d, a: a_value.reg },
                    _ => Op::Unary { op: UnaryOp::Absolute, d, a: a_value.reg },
                };
                self.emit(op, span);
                let bounds = a_value.bounds.map(|(l, h)| (0, l.abs().max(h.abs())));
                Some(Operand { reg: d, ty, bounds })
            }
            ("size", [a]) => {
                let (list, _) = self.list_arg(a)?;
                self.emit(Op::Unary { op: UnaryOp::Size, d, a: list }, span);
                Some(Operand { reg: d, ty: Type::Whole, bounds: Some((0, 1_000_000)) })
            }
            ("first" | "last", [a]) => {
                let (list, element) = self.list_arg(a)?;
                let n = self.small(if called == "first" { 1 } else { -1 }, Type::Whole, span);
                let must = !may_be_none(element);
                self.emit(Op::Nth { d, a: list, n: n.reg, must }, span);
                value(element.member())
            }
            ("nth", [a, n]) => {
                let (list, element) = self.list_arg(a)?;
                let n = self.expect(n, Type::Whole);
                let must = !may_be_none(element);
                self.emit(Op::Nth { d, a: list, n: n.reg, must }, span);
                value(element.member())
            }
            ("steps" | "direction" | "line", [a, b]) => {
                let plan = self.plan_type(span)?;
                let a = self.expect(a, plan);
                let b = self.expect(b, plan);
                let (op, ty, bounds) = match called {
                    "steps" => (PlanOp::Steps, Type::Whole, Some((0, 1_000_000))),
                    "direction" => (PlanOp::Direction, Type::Word(DIRECTION), None),
                    _ => (PlanOp::Line, Type::Flag, None),
                };
                self.emit(Op::Plan { op, d, a: a.reg, b: b.reg }, span);
                Some(Operand { reg: d, ty, bounds })
            }
            ("step", [a, b, rest @ ..]) if rest.len() <= 1 => {
                let plan = self.plan_type(span)?;
                let a = self.expect(a, plan);
                let b = self.expect(b, Type::Word(DIRECTION));
                let n = match rest {
                    [n] => self.expect(n, Type::Whole),
                    _ => self.small(1, Type::Whole, span),
                };
                self.emit(Op::Step { d, a: a.reg, b: b.reg, n: n.reg }, span);
                match plan {
                    Type::Piece(kind) => value(Type::List(Element::Piece(kind))),
                    _ => value(Type::Unknown),
                }
            }
            ("next" | "previous", [a]) => Some(self.neighbour_word(called == "next", a, d, span)),
            ("number", [a]) => {
                let word = self.expr(a, None);
                self.word_type(word, a.span);
                self.emit(Op::Move { d, s: word.reg }, span);
                let bounds = match word.ty {
                    Type::Word(w) => Some((0, self.schema.word_set(w).values.len() as i64 - 1)),
                    _ => None,
                };
                Some(Operand { reg: d, ty: Type::Whole, bounds })
            }
            ("word", [a]) => Some(self.number_word(a, d, span)),
            ("name", [a]) => {
                let piece = self.expr(a, None);
                let parts = vec![TextPart::Value(piece.reg, piece.ty)];
                self.program.templates.push(parts);
                let template = (self.program.templates.len() - 1) as u32;
                self.emit(Op::Text { d, template }, span);
                value(Type::Text)
            }
            ("opposite" | "turned", [a, rest @ ..]) if rest.len() <= 1 => {
                let a = self.expect(a, Type::Word(DIRECTION));
                let n = match (called, rest) {
                    ("turned", [n]) => self.expect(n, Type::Whole),
                    ("opposite", []) => self.small(4, Type::Whole, span),
                    _ => return None,
                };
                let eight = self.small(8, Type::Whole, span);
                self.emit(Op::Whole { op: WholeOp::Add, d, a: a.reg, b: n.reg }, span);
                self.emit(Op::Whole { op: WholeOp::Mod, d, a: d, b: eight.reg }, span);
                value(Type::Word(DIRECTION))
            }
            ("dice", [count, sides]) => {
                let count = self.expect(count, Type::Whole);
                let sides = self.expect(sides, Type::Whole);
                if !self.b.dice {
                    self.dice_outside(span);
                }
                self.emit(Op::RollDice { d, count: count.reg, sides: sides.reg }, span);
                let bounds = count.bounds.zip(sides.bounds);
                let bounds = bounds.and_then(|((a, b), (_, s))| Some((a, b.checked_mul(s)?)));
                Some(Operand { reg: d, ty: Type::Whole, bounds })
            }
            _ => None,
        }
    }

    fn plan_type(&mut self, span: Span) -> Option<Type> {
        if let Some(kind) = self.schema.plan_kind() {
            return Some(Type::Piece(kind));
        }
        let message = "this needs a drawn plan, and no kind of this game has one";
        let fault = Diagnostic::error("no-plan", span, message);
        self.fault(fault.help("write `plan = true` in the kind that is the areas of the plan"));
        None
    }

    fn word_type(&mut self, value: Operand, span: Span) {
        if !matches!(value.ty, Type::Word(_) | Type::Unknown) {
            let message = format!("expected a word, found {}", self.type_name(value.ty));
            self.fault(Diagnostic::error("wrong-type", span, message));
        }
    }

    fn list_arg(&mut self, a: &Expr) -> Option<(Reg, Element)> {
        let value = self.expr(a, None);
        match value.ty {
            Type::List(element) => Some((value.reg, element)),
            Type::Unknown => Some((value.reg, Element::Any)),
            other => {
                let message = format!("expected a list, found {}", self.type_name(other));
                self.fault(Diagnostic::error("wrong-type", a.span, message));
                None
            }
        }
    }

    fn rounded(&mut self, how: Rounding, e: &Expr, d: Reg, span: Span) -> Operand {
        // The commonest case, whole by whole, needs no fraction.
        if let ExprKind::Binary(Operator::Divide, a, b) = &e.kind {
            let (x, y) = (self.expr(a, None), self.expr(b, None));
            let (p, q) = (self.is_number(x, a.span), self.is_number(y, b.span));
            if p != Type::Number && q != Type::Number {
                self.emit(Op::Whole { op: WholeOp::Div(how), d, a: x.reg, b: y.reg }, span);
                let bounds = x.bounds.zip(y.bounds).and_then(|((l, h), (c, _))| {
                    let most = l.checked_abs()?.max(h.checked_abs()?);
                    (c > 0).then_some((if l < 0 { -most } else { 0 }, most))
                });
                return Operand { reg: d, ty: Type::Whole, bounds };
            }
            let x = self.coerce(x, Type::Number, a.span);
            let y = self.coerce(y, Type::Number, b.span);
            self.emit(Op::Number { op: NumberOp::Div, d, a: x.reg, b: y.reg }, span);
            self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: d }, span);
            return Operand { reg: d, ty: Type::Whole, bounds: None };
        }
        let value = self.expr(e, None);
        match self.is_number(value, e.span) {
            Type::Number => self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: value.reg }, span),
            _ => self.emit(Op::Move { d, s: value.reg }, span),
        };
        Operand { reg: d, ty: Type::Whole, bounds: value.bounds }
    }

    fn min_max(&mut self, high: bool, a: &Expr, b: &Expr, d: Reg, span: Span) -> Operand {
        let x = self.expr(a, None);
        let y = self.expr(b, None);
        let (s, t) = (self.is_number(x, a.span), self.is_number(y, b.span));
        let ty = if s == Type::Number || t == Type::Number { Type::Number } else { Type::Whole };
        let x = self.coerce(x, ty, a.span);
        let y = self.coerce(y, ty, b.span);
        self.extreme(high, x, y, d, span);
        let bounds = x.bounds.zip(y.bounds).map(|(p, q)| match high {
            true => (p.0.max(q.0), p.1.max(q.1)),
            false => (p.0.min(q.0), p.1.min(q.1)),
        });
        Operand { reg: d, ty, bounds }
    }

    fn neighbour_word(&mut self, next: bool, a: &Expr, d: Reg, span: Span) -> Operand {
        let word = self.expr(a, None);
        self.word_type(word, a.span);
        let last = match word.ty {
            Type::Word(w) => self.schema.word_set(w).values.len() as i64 - 1,
            _ => 0,
        };
        let one = self.constant(1, span);
        let end = self.constant(if next { last } else { 0 }, span);
        let word_op = if next { WholeOp::Min } else { WholeOp::Max };
        self.emit(
            match next {
                true => Op::Whole { op: WholeOp::Add, d, a: word.reg, b: one },
                false => Op::Whole { op: WholeOp::Sub, d, a: word.reg, b: one },
            },
            span,
        );
        self.emit(Op::Whole { op: word_op, d, a: d, b: end }, span);
        Operand { reg: d, ty: word.ty, bounds: None }
    }

    /// `word(piece.attribute)` as a text of its own.
    fn number_word(&mut self, a: &Expr, d: Reg, span: Span) -> Operand {
        let part = match self.named_number(a) {
            Some((reg, column)) => TextPart::Named(reg, column),
            None => {
                let value = self.expr(a, None);
                if !matches!(value.ty, Type::Word(_) | Type::Unknown) {
                    let message = "this number has no names";
                    let fault = Diagnostic::error("no-names", a.span, message);
                    self.fault(fault.help("give the attribute `names = [\"…\", \"…\"]`"));
                }
                TextPart::Value(value.reg, value.ty)
            }
        };
        self.program.templates.push(vec![part]);
        let template = (self.program.templates.len() - 1) as u32;
        self.emit(Op::Text { d, template }, span);
        Operand { reg: d, ty: Type::Text, bounds: None }
    }

    /// The value of an attribute that has names for its numbers, and its column.
    pub(super) fn named_number(&mut self, e: &Expr) -> Option<(Reg, ColumnId)> {
        let ExprKind::Member(of, name) = &e.kind else { return None };
        let kind = match (&of.kind, self.probe(of)) {
            (ExprKind::Name(n), _) if n == "state" && self.b.find(n).is_none() => {
                super::super::schema::STATE
            }
            (_, Type::Piece(kind)) => kind,
            _ => return None,
        };
        let attribute = self.schema.kind(kind).attribute(&name.text)?;
        let Storage::Cell(column) = attribute.storage else { return None };
        if attribute.names.is_empty() {
            return None;
        }
        Some((self.expr(e, None).reg, column))
    }

    /// Arguments into registers in a row from `base` on.
    fn arguments(
        &mut self,
        what: &str,
        params: &[Param],
        args: &[Expr],
        base: Reg,
        name: &Name,
        span: Span,
    ) {
        if args.len() != params.len() {
            let wanted: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
            let message = format!(
                "{what} `{}` takes {}, but {} {} given",
                name.text,
                values(params.len()),
                args.len(),
                if args.len() == 1 { "is" } else { "are" },
            );
            let fault = Diagnostic::error("wrong-arguments", span, message);
            let fault = fault.derived_from(Cause::Callable(name.text.clone()));
            self.fault(fault.help(format!("write `{}({})`", name.text, wanted.join(", "))));
        }
        for (i, (param, arg)) in params.iter().zip(args).enumerate() {
            let mark = self.b.mark();
            let value = self.expect(arg, param.ty);
            if let (Some((low, high)), Some((l, h))) = (param.bounds, value.bounds)
                && param.ty == Type::Whole
                && (h < low || l > high)
            {
                let message = format!("`{}` must be from {low} to {high}", param.name);
                self.fault(Diagnostic::error("out-of-range", arg.span, message));
            }
            self.emit(Op::Move { d: base + i as Reg, s: value.reg }, arg.span);
            self.b.release(mark);
        }
    }

    fn call_define(&mut self, id: DefineId, args: &[Expr], name: &Name, span: Span) -> Operand {
        let define = &self.schema.defines[id.index()];
        let (ty, bounds) = self.result_of(define.function, name.span);
        self.b.lists_made |= matches!(ty, Type::List(_));
        let base = self.b.alloc_many(define.params.len().max(1));
        self.arguments("the definition", &define.params, args, base, name, span);
        self.emit(Op::Call { function: define.function, base, value: ValueUse::Used }, span);
        self.b.release(base + 1);
        Operand { reg: base, ty, bounds }
    }

    fn call_chart(
        &mut self,
        id: super::super::schema::ChartId,
        args: &[Expr],
        name: &Name,
        span: Span,
    ) -> Operand {
        let chart = &self.schema.charts[id.index()];
        let base = self.b.alloc_many(2);
        self.arguments("the chart", &chart.axes, args, base, name, span);
        self.emit(Op::Chart { d: base, chart: id, a: base, b: base + 1 }, span);
        self.b.release(base + 1);
        let bounds = (chart.gives == Type::Whole)
            .then(|| Some((*chart.values.iter().min()?, *chart.values.iter().max()?)))
            .flatten();
        Operand { reg: base, ty: chart.gives, bounds }
    }

    fn call_rule(
        &mut self,
        id: RuleId,
        args: &[Expr],
        name: &Name,
        used: ValueUse,
        span: Span,
    ) -> Operand {
        let rule = self.rule_of(id);
        if rule.gives.is_none() && used == ValueUse::Used {
            let message = format!("the rule `{}` gives no value", rule.name);
            let fault = Diagnostic::error("no-value", name.span, message);
            let fault = fault.derived_from(Cause::Callable(rule.name.clone()));
            self.fault(fault.help("write `gives = '…'` in it, or call it by itself"));
            return self.unknown();
        }
        if self.b.pure {
            let message = format!("the rule `{}` cannot be called in a condition", rule.name);
            let fault = Diagnostic::error("rule-in-condition", span, message);
            self.fault(fault.help("call it in statements: `let x = …`"));
            return self.unknown();
        }
        let (ty, bounds) = match rule.gives {
            Some(_) => self.result_of(rule.function, name.span),
            None => (Type::Nothing, None),
        };
        if let Some(entry) = rule.entry
            && args.len() < rule.params.len()
        {
            return self.call_entry(rule, entry, args, name, used, span);
        }
        let filters = super::rule::filters(self.schema, rule);
        let base = self.b.alloc_many((rule.params.len() + filters.len()).max(1));
        let given = args.len().min(rule.params.len());
        let (ours, rest) = args.split_at(given);
        self.arguments("the rule", &rule.params, ours, base, name, span);
        if rest.len() > filters.len() {
            let message = format!(
                "the rule `{}` takes {} at most",
                rule.name,
                values(rule.params.len() + filters.len())
            );
            let fault = Diagnostic::error("wrong-arguments", span, message);
            self.fault(fault.derived_from(Cause::Callable(rule.name.clone())));
        }
        for (i, kind) in filters.iter().enumerate() {
            let d = base + (rule.params.len() + i) as Reg;
            match rest.get(i) {
                Some(arg) => {
                    let mark = self.b.mark();
                    let value = self.expect(arg, Type::Piece(*kind));
                    self.emit(Op::Move { d, s: value.reg }, arg.span);
                    self.b.release(mark);
                }
                None => {
                    self.emit(Op::Small { d, n: super::rule::EVERY }, span);
                }
            }
        }
        self.emit(Op::CallRule { rule: id, base, value: used }, span);
        self.b.release(base + 1);
        Operand { reg: base, ty, bounds }
    }
}

impl Compiler<'_> {
    /// A rule called with fewer values than it takes: its defaults fill in.
    fn call_entry(
        &mut self,
        rule: &super::super::rule::RuleText,
        entry: super::super::schema::FunctionId,
        args: &[Expr],
        name: &Name,
        used: ValueUse,
        span: Span,
    ) -> Operand {
        let defaults = rule.defaults.iter().filter(|d| d.is_some()).count();
        let filters = super::rule::filters(self.schema, rule).len();
        let base = self.b.alloc_many(rule.params.len() + defaults + filters);
        let mut flag = base + rule.params.len() as Reg;
        for (i, default) in rule.defaults.iter().enumerate() {
            let given = i < args.len();
            if !given && default.is_none() && !rule.optional.get(i).is_some_and(|o| *o) {
                let message = format!("the rule `{}` needs `{}`", rule.name, rule.params[i].name);
                let fault = Diagnostic::error("wrong-arguments", span, message);
                self.fault(fault.derived_from(Cause::Callable(rule.name.clone())));
            }
            if !given {
                let n = if matches!(rule.params[i].ty, Type::Piece(_)) { -1 } else { 0 };
                self.emit(Op::Small { d: base + i as Reg, n }, span);
            }
            if default.is_some() {
                self.emit(Op::Small { d: flag, n: i32::from(given) }, span);
                flag += 1;
            }
        }
        for i in 0..filters {
            let d = base + (rule.params.len() + defaults + i) as Reg;
            self.emit(Op::Small { d, n: super::rule::EVERY }, span);
        }
        let params = &rule.params[..args.len().min(rule.params.len())];
        self.arguments("the rule", params, args, base, name, span);
        self.ensure(entry);
        self.emit(Op::Call { function: entry, base, value: used }, span);
        self.b.release(base + 1);
        let (ty, bounds) = match rule.gives {
            Some(_) => self.result_of(rule.function, name.span),
            None => (Type::Nothing, None),
        };
        Operand { reg: base, ty, bounds }
    }
}

fn values(n: usize) -> String {
    match n {
        0 => "no value".into(),
        1 => "one value".into(),
        n => format!("{n} values"),
    }
}

/// Whether "no member" can be told from every member: a piece can be `none`.
fn may_be_none(element: Element) -> bool {
    matches!(element, Element::Piece(_) | Element::Any)
}
