//! Compiles a rule into one function: its requirements, its check with the statements before and
//! after it, and its sweep.

use crate::diagnostic::{Fault, Faults};
use crate::language::code::{BindingsId, MessageKind, NamedRegister, Op, Reg, UNPATCHED, ValueUse};
use crate::language::compile::Compiler;
use crate::language::compile::builder::{Operand, RangedType};
use crate::language::compile::loops::LoopMembers;
use crate::language::rule::{ReminderText, RuleText};
use crate::language::schema::{Element, KindId, KindRole, Param, RuleId, Schema, Type};
use crate::language::syntax::{Expr, ExprKind, MemberSource};
use crate::source::Span;

/// Returns the kinds of the pieces with which a call can narrow a sweep: one for each leading
/// source that loops over pieces.
pub fn sweep_filter_kinds(schema: &Schema, rule: &RuleText) -> Vec<KindId> {
    let mut kinds = Vec::new();
    let mut known: Vec<(&str, KindId)> = Vec::new();
    for source in &rule.each {
        let Some(kind) = source_kind(schema, &source.over, &known) else { break };
        known.push((&source.name.text, kind));
        kinds.push(kind);
    }
    kinds
}

/// Returns the kind that a source loops over, if the text of the source is enough to determine it.
fn source_kind(schema: &Schema, over: &Expr, known: &[(&str, KindId)]) -> Option<KindId> {
    match &over.kind {
        ExprKind::Name(name) => {
            let kind = schema.plural_named(name)?;
            (schema.kind(kind).role == KindRole::Pieces).then_some(kind)
        }
        ExprKind::Member(of, name) => {
            let ExprKind::Name(of) = &of.kind else { return None };
            let (_, kind) = known.iter().rev().find(|(n, _)| n == of)?;
            match schema.kind(*kind).attribute(&name.text)?.ty {
                Type::List(Element::Piece(kind)) => Some(kind),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Compiler<'_> {
    pub(super) fn rule_body(&mut self, id: RuleId) -> RangedType {
        let rule = self.rule_text(id);
        self.b.at = rule.span;
        self.declare_params(&rule.params);
        // Values typed by the umpire have already been checked. A default may be outside the
        // limits, to show that the parameter was left out.
        if rule.usage.is_none() {
            self.check_argument_limits(&rule.params);
        }
        let only = self.filter_params(rule);
        let mut result = (Type::Nothing, None);
        if rule.each.is_empty() {
            self.b.giving = rule.gives.is_some().then_some(id);
            self.rule_turn(rule);
            self.patch_stops_and_names();
            if let Some(gives) = &rule.gives {
                let mut value = self.expr(gives, None);
                self.agree_with_returns(0, &mut value, gives.span);
                result = (value.ty, value.bounds);
                let first = self.compile_further_results(rule, value.reg);
                self.emit(Op::Return { a: first });
            }
        } else {
            if let Some(gives) = &rule.gives {
                let message = "a sweep gives no value";
                let fault = self.faults.error("sweep-gives", gives.span, message);
                fault.help("remove `gives` or `each`");
            }
            let mut turn = |c: &mut Self| {
                c.emit_sweep_names(true);
                c.rule_turn(rule);
            };
            self.sweep(&rule.each, &mut turn, Some(&only));
            self.patch_stop_jumps();
        }
        self.return_nothing();
        result
    }

    /// Compiles all values of a rule except the first, and moves all values into consecutive
    /// registers. Returns the register of the first value.
    fn compile_further_results(&mut self, rule: &RuleText, first: Reg) -> Reg {
        if rule.also_gives.is_empty() {
            return first;
        }
        let mut values: Vec<Operand> = Vec::new();
        for (index, gives) in (1..).zip(&rule.also_gives) {
            let mut value = self.expr(gives, None);
            self.agree_with_returns(index, &mut value, gives.span);
            if matches!(value.ty, Type::List(_)) {
                let message = "a rule that gives several values cannot give a list";
                self.faults.error("several-values", gives.span, message);
            }
            values.push(value);
        }
        let types = values.iter().map(|value| value.ty).collect();
        self.program.further.insert(rule.function, types);
        let values: Vec<Reg> = [first].into_iter().chain(values.iter().map(|v| v.reg)).collect();
        self.move_to_first_registers(&values)
    }

    /// Moves values into the first registers, where a caller finds them. Returns the first
    /// register.
    pub(super) fn move_to_first_registers(&mut self, values: &[Reg]) -> Reg {
        // The values are first copied past the target registers, because a value in a target
        // register could be overwritten before it is moved.
        self.b.alloc_many(values.len());
        let base = self.b.alloc_many(values.len());
        for (i, &s) in (0..).zip(values) {
            self.emit(Op::Move { d: base + i, s });
        }
        for i in 0..values.len() as Reg {
            self.emit(Op::Move { d: i, s: base + i });
        }
        0
    }

    /// Declares the parameters that narrow the sweep of a rule to individual pieces.
    fn filter_params(&mut self, rule: &RuleText) -> Vec<Reg> {
        let filters = sweep_filter_kinds(self.schema, rule);
        filters.iter().map(|_| self.unnamed_param(Type::Unknown)).collect()
    }

    fn unnamed_param(&mut self, ty: Type) -> Reg {
        self.b.add_param("", ty, None, Span::default())
    }

    /// Returns the type and bounds of the value that a rule returns; [`Type::Nothing`] if it
    /// returns none.
    pub(super) fn rule_result(&mut self, rule: &RuleText, span: Span) -> RangedType {
        match rule.gives {
            Some(_) => self.result_type(rule.function, span),
            None => (Type::Nothing, None),
        }
    }

    /// Compiles the entry of a rule, through which it is called by the umpire and by rule text that
    /// leaves out values. The entry fills in defaults, pays for the actions of an activation, and
    /// then calls the rule.
    pub(super) fn entry_body(&mut self, id: RuleId) -> RangedType {
        let rule = self.rule_text(id);
        self.b.at = rule.span;
        self.declare_params(&rule.params);
        let params: Vec<Reg> = (0..rule.params.len() as Reg).collect();
        let lacking = rule.params.iter().zip(&params).filter(|(p, _)| p.default.is_some());
        let lacking: Vec<(&Param, Reg, Reg)> =
            lacking.map(|(p, &d)| (p, d, self.unnamed_param(Type::Flag))).collect();
        let only = self.filter_params(rule);
        let result = self.rule_result(rule, rule.span);
        for (param, d, given) in lacking {
            let Some(default) = &param.default else { continue };
            let there = self.emit(Op::JumpIf { a: given, to: UNPATCHED });
            let mark = self.b.register_mark();
            let value = self.expect(default, param.ty);
            self.emit(Op::Move { d, s: value.reg });
            self.b.release_registers(mark);
            self.b.patch_jump(there);
        }
        self.activation_before_rule(rule);
        let base = self.b.alloc_many((params.len() + only.len()).max(1));
        for (i, &s) in params.iter().chain(&only).enumerate() {
            self.emit(Op::Move { d: base + i as Reg, s });
        }
        self.emit_rule_call(id, base, ValueUse::Returned);
        let mut first = base;
        if let (Some(further), Some(entry)) = (self.program.further.get(&rule.function), rule.entry)
        {
            let further = further.clone();
            let values: Vec<Reg> = (base..=base + further.len() as Reg).collect();
            self.program.further.insert(entry, further);
            self.b.alloc_many(values.len());
            first = self.move_to_first_registers(&values);
        }
        self.emit(Op::Return { a: first });
        result
    }

    /// Compiles one turn of a rule's sweep, or the only turn of a rule without a sweep.
    fn rule_turn(&mut self, rule: &RuleText) {
        for requirement in &rule.require {
            let mark = self.b.register_mark();
            self.with_span(requirement.that.span, |c| {
                let (met, template) = c.without_effects(|c| {
                    let that = c.expect(&requirement.that, Type::Flag);
                    let met = c.emit(Op::JumpIf { a: that.reg, to: UNPATCHED });
                    (met, c.template(&requirement.because))
                });
                c.emit(Op::Tell { how: MessageKind::Refuse, template });
                c.b.patch_jump(met);
            });
            self.b.release_registers(mark);
        }
        self.open_block(&rule.before);
        if let Some(roll) = &rule.roll {
            self.with_span(roll.span, |c| c.check(rule, roll));
        }
        self.open_block(&rule.after);
    }

    /// Compiles nested loops over sources. The pieces that a loop visits are fixed before its first
    /// turn. `only` holds registers that narrow the loops to individual pieces.
    pub(super) fn sweep(
        &mut self,
        sources: &[MemberSource],
        body: &mut dyn FnMut(&mut Self),
        only: Option<&[Reg]>,
    ) {
        let names = self.b.locals.len();
        let outer = self.b.at;
        let mark = self.b.register_mark();
        self.b.enter_loop();
        self.sweep_from(sources, 0, body, only);
        self.b.locals.truncate(names);
        self.b.at = outer;
        self.b.release_registers(mark);
    }

    fn sweep_from(
        &mut self,
        sources: &[MemberSource],
        depth: usize,
        body: &mut dyn FnMut(&mut Self),
        only: Option<&[Reg]>,
    ) {
        let Some(source) = sources.get(depth) else { return body(self) };
        self.b.at = source.name.span;
        let store_mark = self.b.alloc();
        self.emit(Op::Mark { d: store_mark });
        // Pieces can change or leave the table during the sweep. The members of the outermost
        // source that pass its filter are collected before the first turn. The members of an inner
        // source are collected when the turn of its outer piece begins.
        let (list, ty) = self.without_effects(|c| match depth {
            0 => c.collect_members(source),
            _ => match c.loop_members(&source.over) {
                LoopMembers::Numbers(..) => {
                    c.collect_members(&MemberSource { filter: None, ..source.clone() })
                }
                over => c.collect_all(over),
            },
        });
        let Type::List(element) = ty else {
            if depth == 0 {
                self.b.leave_loop();
            }
            return;
        };
        let list = only.and_then(|o| o.get(depth)).map_or(list, |&only| {
            let d = self.b.alloc();
            self.emit(Op::Narrow { d, a: list, only });
            d
        });
        let this = self.begin_loop(LoopMembers::Value(list, element), None);
        let mut skips = Vec::new();
        let inner = self.b.register_mark();
        let swept = self.b.swept.len();
        if let Element::Piece(kind) = element
            && self.schema.kind(kind).role == KindRole::Pieces
            && !self.schema.kind(kind).plan
        {
            self.b.swept.push((kind, this.member.reg));
        }
        // A piece that has left the table has no more turns, and neither do the pieces of inner
        // sources that would be combined with it.
        for (kind, a) in self.b.swept.clone() {
            skips.push(self.emit(Op::JumpIfGone { kind, a, to: UNPATCHED }));
        }
        let names = self.b.locals.len();
        self.declare_member(&source.name.text, this.member, source.name.span);
        skips.extend(self.without_effects(|c| c.filter_jumps(source.filter.as_ref())));
        self.b.bound.push(NamedRegister {
            name: source.name.text.clone(),
            ty: this.member.ty,
            reg: this.member.reg,
        });
        if only.is_none() {
            self.emit_sweep_names(false);
        }
        self.sweep_from(sources, depth + 1, body, only);
        self.b.at = source.name.span;
        self.b.bound.pop();
        self.b.swept.truncate(swept);
        self.b.locals.truncate(names);
        self.b.release_registers(inner);
        self.b.patch_jumps(skips);
        // Nested sources form a single loop over their combinations, so `continue` goes to the next
        // combination.
        if depth + 1 == sources.len() {
            self.b.patch_continues();
        }
        self.end_loop(&this);
        if depth == 0 {
            self.b.leave_loop();
        }
        match only {
            Some(_) => self.emit(Op::Release { a: store_mark }),
            None => self.emit_sweep_names(false),
        };
    }

    /// Emits a report that no sweep is running any more.
    pub(super) fn emit_end_of_sweeps(&mut self) {
        let bound = std::mem::take(&mut self.b.bound);
        self.emit_sweep_names(false);
        self.b.bound = bound;
    }

    /// Emits a report of the names of all running sweeps. If `turn` is set, a new turn of the rule's
    /// own sweep begins.
    fn emit_sweep_names(&mut self, turn: bool) -> usize {
        self.program.bindings.push(self.b.bound.as_slice().into());
        let bindings = BindingsId((self.program.bindings.len() - 1) as u32);
        self.emit(Op::Bound { bindings, turn })
    }

    pub(super) fn reminder_body(&mut self, remind: &ReminderText) -> RangedType {
        self.b.at = remind.say.span;
        let mut say = |c: &mut Self| {
            let skip = remind.when.as_ref().map(|when| {
                let value = c.expect(when, Type::Flag);
                c.emit(Op::JumpIfNot { a: value.reg, to: UNPATCHED })
            });
            c.message(MessageKind::Remind, &remind.say);
            if let Some(skip) = skip {
                c.b.patch_jump(skip);
            }
        };
        if remind.each.is_empty() {
            say(self);
        } else {
            self.sweep(&remind.each, &mut say, None);
        }
        self.return_nothing()
    }
}
