//! Statements, and the expressions that act: dice, questions, cards, pieces made.

use super::super::code::{
    CellChange, LATER, ListChange, NumberOp, Op, Telling, TemplateId, ValueUse,
};
use super::super::schema::{Attribute, Element, KindId, Role, STATE, Storage, Type};
use super::super::syntax::{
    Asked, Assignment, Block, DiceLiteral, Expr, ExprKind, Name, Source, Statement, StatementKind,
    Template,
};
use super::builder::Operand;
use super::call::values;
use super::loops::Over;
use super::operators::negation;
use super::{Compiler, Typed};
use crate::diagnostic::{Cause, Diagnostic};
use crate::dice::{DiceValue, NotationError};
use crate::source::Span;

impl Compiler<'_> {
    /// Statements; names set in them are forgotten at the end.
    pub(super) fn block(&mut self, block: &Block) {
        let names = self.b.locals.len();
        let mark = self.b.mark();
        self.open_block(block);
        self.b.locals.truncate(names);
        self.b.release(mark);
    }

    /// Statements whose names stay known.
    pub(super) fn open_block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, s: &Statement) {
        let span = s.span;
        if let StatementKind::Let(names, value) = &s.kind {
            return self.define(names, value, span);
        }
        let mark = self.b.mark();
        match &s.kind {
            StatementKind::Let(..) => {}
            StatementKind::Assign(target, how, value) => self.assign(target, *how, value, span),
            StatementKind::If(condition, yes, no) => {
                let mut others = Vec::new();
                self.jump_if(condition, false, &mut others);
                self.b.release(mark);
                self.block(yes);
                if no.is_empty() {
                    self.b.land_all(others);
                } else {
                    let end = self.emit(Op::Jump { to: LATER }, span);
                    self.b.land_all(others);
                    self.block(no);
                    self.b.land(end);
                }
            }
            StatementKind::Each(sources, block) => {
                let names = self.b.locals.len();
                self.sweep(sources, &mut |c| c.block(block), None);
                self.b.locals.truncate(names);
            }
            StatementKind::Repeat(times, block) => self.repeat(times, block, span),
            StatementKind::Do(e) => {
                match &e.kind {
                    ExprKind::Call(name, args) => self.call(name, args, ValueUse::Unused, e.span),
                    _ => self.expr(e, None),
                };
            }
            StatementKind::Say(t) => self.tell(Telling::Say, t),
            StatementKind::Remind(t) => self.tell(Telling::Remind, t),
            StatementKind::Refuse(t) => {
                let template = self.template(t);
                self.emit(Op::Tell { how: Telling::Refuse, template }, span);
            }
            StatementKind::Remove(e) => {
                let value = self.expr(e, None);
                if let Some(kind) = self.table_piece(value.ty, e.span) {
                    self.emit(Op::Remove { kind, row: value.reg }, span);
                }
            }
            StatementKind::Add(item, target) => {
                self.change_list(ListChange::Add, item, target, span);
            }
            StatementKind::Take(item, target) => {
                self.change_list(ListChange::Take, item, target, span);
            }
            StatementKind::Clear(target) => {
                if let Some((list, row, _)) = self.list_target(target) {
                    let value = self.b.alloc();
                    self.emit(Op::Mark { d: value }, span);
                    self.emit(Op::Collect { d: value, a: value }, span);
                    self.emit(Op::SetList { how: ListChange::Set, list, row, value }, span);
                }
            }
            StatementKind::Link(link, a, b, by) => self.link(*link, a, b, by, span),
            StatementKind::Reveal(what, to) => self.reveal(what, to.as_ref(), span),
            StatementKind::Deck(statement, deck) => self.deck_statement(statement, deck, span),
            StatementKind::Stop => {
                let jump = self.emit(Op::Jump { to: LATER }, span);
                self.b.stop_at(jump);
            }
        }
        self.b.release(mark);
    }

    /// A line for people; its values are not even computed if nobody reads them.
    pub(super) fn tell(&mut self, how: Telling, t: &Template) {
        let silent = match how {
            Telling::Say => self.emit(Op::JumpIfMute { to: LATER }, t.span),
            _ => self.emit(Op::JumpIfSilent { to: LATER }, t.span),
        };
        let mark = self.b.mark();
        let template = self.template(t);
        self.emit(Op::Tell { how, template }, t.span);
        self.b.release(mark);
        self.b.land(silent);
    }

    pub(super) fn define(&mut self, names: &[Name], value: &Expr, span: Span) {
        for name in names.iter().filter(|name| self.b.find(&name.text).is_some()) {
            let message = format!("the name `{}` is already in use here", name.text);
            let help = format!("write `{} = …` to change it, or choose another name", name.text);
            self.faults.push(Diagnostic::error("name-in-use", name.span, message).help(help));
        }
        let [name] = names else { return self.define_several(names, value) };
        let d = self.b.alloc();
        let mark = self.b.mark();
        let value_of = self.expr(value, None);
        if matches!(value_of.ty, Type::Nothing | Type::List(Element::Any)) {
            let message = "it cannot be told what kind of value this is";
            let mut fault = Diagnostic::error("unclear-type", value.span, message);
            fault.derived_from.extend(self.within.clone());
            self.fault(match value_of.ty {
                Type::Nothing => fault
                    .help("write a question that may find none: `first t in teams where false`"),
                _ => fault.help("write an empty list of the kind: `(t in teams where false)`"),
            });
        }
        self.emit(Op::Move { d, s: value_of.reg }, span);
        self.b.release(mark);
        // It may be changed further on and asked again in a loop, so its bounds are not known.
        self.b.local(&name.text, Operand { reg: d, bounds: None, ..value_of }, false);
    }

    /// The values of a rule that gives several, which come one behind the other.
    fn define_several(&mut self, names: &[Name], value: &Expr) {
        let gives = match &value.kind {
            ExprKind::Call(name, _) => self.schema.rule_named(&name.text),
            _ => None,
        };
        let gives = gives.map_or(1, |rule| 1 + self.rule_of(rule).also_gives.len());
        if gives != names.len() {
            let message = format!("{} names stand here for {}", names.len(), values(gives));
            let fault = Diagnostic::error("several-values", value.span, message);
            self.fault(fault.help("a rule gives several: `gives = 'passes, sixes'`"));
        }
        let first = match &value.kind {
            ExprKind::Call(name, args) => self.call(name, args, ValueUse::Used, value.span),
            _ => self.unknown(),
        };
        let further = self.further_values(value);
        self.b.local(&names[0].text, Operand { bounds: None, ..first }, false);
        for (place, name) in names.iter().enumerate().skip(1) {
            let ty = further.get(place - 1).copied().unwrap_or(Type::Unknown);
            let value = Operand { reg: self.b.alloc(), ty, bounds: None };
            self.b.local(&name.text, value, false);
        }
    }

    fn assign(&mut self, target: &Expr, how: Assignment, value: &Expr, span: Span) {
        match &target.kind {
            ExprKind::Name(name) => self.assign_local(name, target.span, how, value, span),
            ExprKind::Member(of, name) => self.assign_attribute(of, name, how, value, span),
            _ => {
                let message = "this cannot be changed";
                let fault = Diagnostic::error("not-assignable", target.span, message);
                self.fault(fault.help("an attribute such as `a.fire`, or a name set with `let`"));
            }
        }
    }

    fn assign_local(&mut self, name: &str, at: Span, how: Assignment, value: &Expr, span: Span) {
        let Some(local) = self.b.find(name).cloned() else {
            let message = format!("no name `{name}` has been set");
            let mut fault = Diagnostic::error("unknown-name", at, message);
            fault.derived_from.extend(self.within.clone());
            let fault = fault.suggest(name, self.b.locals.iter().map(|l| l.name.as_str()));
            let fault = match fault.help {
                None => fault.help(format!("write `let {name} = …`")),
                Some(_) => fault,
            };
            return self.fault(fault);
        };
        if local.fixed {
            let message = format!("`{name}` is given and cannot be changed");
            let fault = Diagnostic::error("not-assignable", at, message);
            return self.fault(fault.help("set a name of your own with `let`"));
        }
        let given = self.expect(value, local.ty);
        let (d, a, b) = (local.reg, local.reg, given.reg);
        let fraction = local.ty == Type::Number;
        let op = match how {
            Assignment::Set => Op::Move { d, s: b },
            Assignment::Raise => Op::Number { op: NumberOp::Add, fraction, d, a, b },
            Assignment::Lower => Op::Number { op: NumberOp::Sub, fraction, d, a, b },
        };
        if how != Assignment::Set {
            self.is_number(given, value.span);
        }
        self.emit(op, span);
        if let Some(local) = self.b.locals.iter_mut().rev().find(|l| l.name == name) {
            local.bounds = None;
        }
    }

    /// The piece and attribute an assignment changes; a fault if rules may not change it.
    fn changed_attribute(&mut self, of: &Expr, name: &Name) -> Option<(Operand, Attribute)> {
        let piece = match &of.kind {
            ExprKind::Name(n) if n == "state" && self.b.find(n).is_none() => {
                self.small(0, Type::Piece(STATE), of.span)
            }
            _ => self.expr(of, None),
        };
        let kind = self.piece_kind(piece.ty, of, name)?;
        let attribute = self.find_attribute(kind, name)?;
        let computed = matches!(attribute.storage, Storage::Computed(_));
        if self.schema.kind(kind).role == Role::List || computed || attribute.fixed {
            let message = format!("`{}` cannot be changed by a rule", name.text);
            let fault = Diagnostic::error("not-assignable", name.span, message);
            self.fault(if computed {
                fault.help("it is computed from others (`is`)")
            } else {
                fault.help("it is printed or drawn")
            });
            return None;
        }
        Some((piece, attribute))
    }

    fn assign_attribute(
        &mut self,
        of: &Expr,
        name: &Name,
        how: Assignment,
        value: &Expr,
        span: Span,
    ) {
        let Some((piece, attribute)) = self.changed_attribute(of, name) else { return };
        self.must_act(span);
        let given = self.expect(value, attribute.ty);
        self.check_limits(&attribute, how, given, value.span);
        let row = piece.reg;
        match (attribute.storage, how) {
            (storage, Assignment::Set) => self.store(storage, row, given.reg, span),
            (Storage::Cell(column), _) if self.is_number(given, value.span) != Type::Unknown => {
                let mut by = given.reg;
                if how == Assignment::Lower {
                    let d = self.b.alloc();
                    let op = negation(attribute.ty);
                    self.emit(Op::Unary { op, d, a: by }, span);
                    by = d;
                }
                self.emit(Op::Set { how: CellChange::Bump, column, row, value: by }, span);
            }
            _ => {
                let message = "a list is changed with `add … to` and `take … from`";
                self.fault(Diagnostic::error("not-assignable", span, message));
            }
        }
    }

    fn check_limits(&mut self, attribute: &Attribute, how: Assignment, v: Operand, span: Span) {
        if how != Assignment::Set || attribute.ty != Type::Whole {
            return;
        }
        let (low, high) = (attribute.low, attribute.high);
        if let Some((l, h)) = v.bounds
            && (h < low || l > high)
        {
            let message = format!("`{}` can only be from {low} to {high}", attribute.name);
            self.fault(Diagnostic::error("out-of-range", span, message));
        }
    }

    /// A fault where nothing may be changed.
    pub(super) fn must_act(&mut self, span: Span) {
        if self.b.pure {
            let message = "nothing can be changed, rolled or asked in a condition or a value";
            let fault = Diagnostic::error("acts-in-condition", span, message);
            self.fault(fault.help("do it in statements, with `let x = …`"));
        }
    }

    fn repeat(&mut self, times: &Expr, block: &Block, span: Span) {
        let last = self.times(times, span);
        self.counted(last, span, |c| c.block(block));
    }

    /// The kind of a piece that stands on the table; a fault if it is none.
    fn table_piece(&mut self, ty: Type, span: Span) -> Option<KindId> {
        match ty {
            Type::Piece(kind) if self.schema.kind(kind).role == Role::Pieces => return Some(kind),
            Type::Unknown => {}
            other => self.expected("a piece on the table", other, span),
        }
        None
    }

    /// The list attribute a statement changes, the register of its piece, and what it is of.
    fn list_target(
        &mut self,
        target: &Expr,
    ) -> Option<(super::super::schema::ListId, u16, Element)> {
        self.must_act(target.span);
        if let ExprKind::Member(of, name) = &target.kind {
            let (piece, attribute) = self.changed_attribute(of, name)?;
            if let (Storage::List(list), Type::List(element)) = (attribute.storage, attribute.ty) {
                return Some((list, piece.reg, element));
            }
        }
        let message = "expected a list attribute such as `h.route`";
        self.fault(Diagnostic::error("wrong-type", target.span, message));
        None
    }

    fn change_list(&mut self, how: ListChange, item: &Expr, target: &Expr, span: Span) {
        let Some((list, row, element)) = self.list_target(target) else { return };
        let value = self.expect(item, element.member()).reg;
        self.emit(Op::SetList { how, list, row, value }, span);
    }

    /// Opens a piece, or one of its attributes, to all or to a side.
    fn reveal(&mut self, what: &Expr, to: Option<&Expr>, span: Span) {
        self.must_act(span);
        let secret_of = |c: &mut Self| {
            let ExprKind::Member(of, name) = &what.kind else { return None };
            let kind = match &of.kind {
                ExprKind::Name(n) if n == "state" && c.b.find(n).is_none() => STATE,
                _ => match c.probe(of) {
                    Type::Piece(kind) => kind,
                    _ => return None,
                },
            };
            let secret = c.schema.kind(kind).attribute(&name.text)?.secret?;
            let piece = match kind {
                STATE => c.small(0, Type::Piece(STATE), of.span),
                _ => c.expr(of, None),
            };
            Some((piece, secret))
        };
        let attribute = secret_of(self);
        let (piece, secret) = match attribute {
            Some(found) => found,
            None => {
                let piece = self.expr(what, None);
                let Type::Piece(kind) = piece.ty else {
                    if piece.ty != Type::Unknown {
                        self.expected("a piece, or an attribute of one", piece.ty, what.span);
                    }
                    return;
                };
                let Some(secret) = self.schema.kind(kind).secret else {
                    let name = &self.schema.kind(kind).name;
                    let message = format!("everybody sees every `{name}`");
                    let fault = Diagnostic::error("not-secret", what.span, message);
                    let help =
                        "a kind or an attribute with `secret = true` or `seen_by` can be revealed";
                    return self.fault(fault.help(help));
                };
                (piece, secret)
            }
        };
        let row = piece.reg;
        let (Some(to), Some(sides)) = (to, self.schema.sides) else {
            if let Some(to) = to {
                let fault =
                    Diagnostic::error("no-sides", to.span, "this ruleset declares no sides");
                self.fault(fault.help("write `[sides]`, or reveal it to all"));
            }
            let value = self.small(1, Type::Flag, span).reg;
            let (how, column) = (CellChange::Set, secret.revealed);
            self.emit(Op::Set { how, column, row, value }, span);
            return;
        };
        let value = self.expect(to, sides).reg;
        if let Some(list) = secret.revealed_to {
            self.emit(Op::SetList { how: ListChange::Add, list, row, value }, span);
        }
    }

    fn link(&mut self, link: bool, a: &Expr, b: &Expr, by: &Name, span: Span) {
        self.must_act(span);
        let x = self.expr(a, None);
        let Some(kind) = self.piece_kind(x.ty, a, by) else { return };
        let y = self.expect(b, Type::Piece(kind));
        let Some(attribute) = self.find_attribute(kind, by) else { return };
        let of_its_kind = attribute.ty == Type::List(Element::Piece(kind)) && !attribute.fixed;
        let printed = self.schema.kind(kind).role != Role::Pieces;
        let Storage::List(list) = attribute.storage else {
            let message = format!("`{}` is not a list that is kept", by.text);
            return self.fault(Diagnostic::error("wrong-type", by.span, message));
        };
        if !of_its_kind || printed {
            let name = &self.schema.kind(kind).plural;
            let message = format!("`{}` is not a list of `{name}` that a rule may change", by.text);
            return self.fault(Diagnostic::error("wrong-type", by.span, message));
        }
        let how = if link { ListChange::Add } else { ListChange::Take };
        for (row, value) in [(x.reg, y.reg), (y.reg, x.reg)] {
            self.emit(Op::SetList { how, list, row, value }, span);
        }
    }

    /// Dice, questions, cards and pieces made.
    pub(super) fn acting(&mut self, e: &Expr) -> Operand {
        self.must_act(e.span);
        let span = e.span;
        let d = self.b.alloc();
        let mark = self.b.mark();
        let (ty, bounds) = match &e.kind {
            ExprKind::Roll(dice, label) => self.roll(dice, label.as_ref(), d, span),
            ExprKind::Ask(question, asked) => self.ask(question, asked, d, span),
            ExprKind::Pick(source) => (self.pick(source, d, span), None),
            ExprKind::Draw(name) => match self.deck(name) {
                Some(deck) => {
                    self.emit(Op::Draw { d, deck }, span);
                    (Type::Piece(self.schema.decks[deck.index()].of), None)
                }
                None => (Type::Unknown, None),
            },
            ExprKind::Make(kind, values, named) => {
                (self.make(kind, values, named.as_ref(), d, span), None)
            }
            _ => (Type::Unknown, None),
        };
        self.b.release(mark);
        Operand { reg: d, ty, bounds }
    }

    fn roll(&mut self, dice: &Expr, label: Option<&Template>, d: u16, span: Span) -> Typed {
        self.emit(Op::CheckBegin {}, span);
        let value = self.dice_value(dice);
        self.emit(Op::Move { d, s: value.reg }, span);
        self.emit(
            Op::Throw { natural: d, total: d, passed: None, fraction: value.ty == Type::Number },
            span,
        );
        let silent = self.emit(Op::JumpIfSilent { to: LATER }, span);
        let label = match label {
            Some(t) => self.template(t),
            None => self.empty_template(),
        };
        self.emit(Op::CheckEnd { label }, span);
        self.b.land(silent);
        (value.ty, value.bounds)
    }

    /// An expression in which dice are thrown.
    pub(super) fn dice_value(&mut self, e: &Expr) -> Operand {
        let outer = std::mem::replace(&mut self.b.dice, true);
        let value = self.expr(e, None);
        self.b.dice = outer;
        if let (Type::Flag, ExprKind::Binary(..)) = (value.ty, &e.kind) {
            let fault = Diagnostic::error("wrong-type", e.span, "a roll is no condition");
            let help = "to count dice, write the comparison right behind them: `5d10>=7`";
            self.fault(fault.help(help));
            return Operand { ty: Type::Unknown, ..value };
        }
        let ty = self.is_number(value, e.span);
        Operand { ty, ..value }
    }

    pub(super) fn empty_template(&mut self) -> TemplateId {
        self.new_template(Vec::new())
    }

    /// A dice literal that stands for a number and is not thrown.
    pub(super) fn dice_value_of(&mut self, dice: &DiceLiteral, span: Span) -> Operand {
        let value = DiceValue::parse(&dice.text).map(DiceValue::to_bits);
        let reg = self.constant(*value.as_ref().unwrap_or(&0), span);
        if let Err(error) = value {
            self.bad_dice(&error, span);
        }
        Operand { reg, ty: Type::Dice, bounds: None }
    }

    fn bad_dice(&mut self, error: &NotationError, span: Span) {
        let fault = Diagnostic::error("bad-dice", span, error.to_string());
        self.fault(match &error.help {
            Some(help) => fault.help(help),
            None => fault,
        });
    }

    /// A dice literal.
    pub(super) fn dice(&mut self, dice: &DiceLiteral, span: Span) -> Operand {
        // In a condition about a scenario, `d6` may be an area.
        if let Some(names) = self.names
            && let Some((kind, row)) = names(&dice.text)
        {
            return self.small(row as i32, Type::Piece(kind), span);
        }
        if !self.b.dice {
            self.dice_outside(span);
        }
        let d = self.b.alloc();
        match &dice.pool {
            Ok(pool) => {
                let bounds = pool.bounds();
                let bounds = Some((bounds.lowest, bounds.highest));
                let pools = &mut self.program.pools;
                let index = pools.iter().position(|p| p == pool).unwrap_or_else(|| {
                    pools.push(pool.clone());
                    pools.len() - 1
                });
                self.emit(Op::RollPool { d, pool: index as u32 }, span);
                Operand { reg: d, ty: Type::Whole, bounds }
            }
            Err(error) => {
                self.bad_dice(error, span);
                Operand { reg: d, ty: Type::Unknown, bounds: None }
            }
        }
    }

    pub(super) fn dice_outside(&mut self, span: Span) {
        let fault = Diagnostic::error("dice-outside-roll", span, "dice are not rolled here");
        self.fault(fault.help("roll in `roll = '…'`, or in statements with `let n = roll 1d6`"));
    }

    fn ask(&mut self, question: &Template, asked: &Asked, d: u16, span: Span) -> Typed {
        match asked {
            Asked::Among(source) => {
                let (a, ty) = self.collect(source);
                let member = match ty {
                    Type::List(element) => element.member(),
                    _ => Type::Unknown,
                };
                let template = self.template(question);
                self.emit(Op::AskAmong { d, a, template, ty: member }, span);
                (member, None)
            }
            Asked::Between(low, high) => {
                let low = self.expect(low, Type::Whole);
                let high = self.expect(high, Type::Whole);
                let template = self.template(question);
                self.emit(Op::AskBetween { d, low: low.reg, high: high.reg, template }, span);
                (Type::Whole, low.bounds.zip(high.bounds).map(|(l, h)| (l.0, h.1)))
            }
            Asked::Flag => {
                let template = self.template(question);
                self.emit(Op::AskFlag { d, template }, span);
                (Type::Flag, None)
            }
        }
    }

    fn pick(&mut self, source: &Source, d: u16, span: Span) -> Type {
        let over = self.over(&source.over);
        if let (Over::Pieces(kind), None) = (over, &source.filter) {
            let (names, member) = (self.b.locals.len(), over.member());
            let picked = Operand { reg: d, ty: member, bounds: None };
            self.declare(&source.name.text, picked, source.name.span);
            self.b.locals.truncate(names);
            self.emit(Op::PickPiece { d, kind }, span);
            return member;
        }
        let (a, ty) = self.collect_over(over, source);
        match ty {
            Type::List(Element::Piece(kind)) => {
                self.emit(Op::Pick { d, a, kind }, span);
                Type::Piece(kind)
            }
            Type::List(Element::Any) => Type::Unknown,
            other => {
                self.expected("pieces to pick from", other, source.over.span);
                Type::Unknown
            }
        }
    }

    fn make(
        &mut self,
        kind: &Name,
        values: &[(Name, Expr)],
        named: Option<&Template>,
        d: u16,
        span: Span,
    ) -> Type {
        let found = self.schema.kind_named(&kind.text);
        let Some(id) = found.filter(|&k| self.schema.kind(k).role == Role::Pieces) else {
            let message = format!("there is no kind of piece `{}`", kind.text);
            let pieces = self.schema.kinds.iter().filter(|k| k.role == Role::Pieces);
            let known: Vec<&str> = pieces.map(|k| k.name.as_str()).collect();
            let fault = Diagnostic::error("unknown-kind", kind.span, message);
            let fault = fault.derived_from(Cause::Name(kind.text.clone()));
            self.fault(fault.suggest(&kind.text, known));
            return Type::Unknown;
        };
        if self.schema.kind(id).plan {
            let message = "areas are drawn in the plan and cannot be made";
            self.fault(Diagnostic::error("not-assignable", kind.span, message));
            return Type::Piece(id);
        }
        let template = named.map(|t| self.template(t));
        self.emit(Op::Make { d, kind: id, template }, span);
        // Each value is computed once, though it is set twice where there are statements of the kind's own.
        let given: Vec<(Attribute, Operand, Span)> =
            values.iter().filter_map(|(name, value)| self.given(id, name, value)).collect();
        self.give(&given, d);
        if let Some(function) = self.schema.kind(id).on_add {
            // What is given stands, whatever the kind's own statements set.
            let base = self.b.alloc();
            self.emit(Op::Move { d: base, s: d }, span);
            self.emit_call(function, base, ValueUse::Unused, span);
            self.give(&given, d);
        }
        Type::Piece(id)
    }

    /// A value given to a new piece, in a register of its own.
    fn given(
        &mut self,
        id: KindId,
        name: &Name,
        value: &Expr,
    ) -> Option<(Attribute, Operand, Span)> {
        let attribute = self.find_attribute(id, name)?;
        if matches!(attribute.storage, Storage::Computed(_)) {
            let message = format!("`{}` is computed and cannot be given", name.text);
            self.fault(Diagnostic::error("not-assignable", name.span, message));
            return None;
        }
        let given = self.expect(value, attribute.ty);
        self.check_limits(&attribute, Assignment::Set, given, value.span);
        Some((attribute, given, value.span))
    }

    /// Sets the values given to a new piece.
    fn give(&mut self, given: &[(Attribute, Operand, Span)], row: u16) {
        for (attribute, value, span) in given {
            self.store(attribute.storage, row, value.reg, *span);
        }
    }

    /// Sets an attribute of a piece.
    fn store(&mut self, storage: Storage, row: u16, value: u16, span: Span) {
        let op = match storage {
            Storage::Cell(column) => Op::Set { how: CellChange::Set, column, row, value },
            Storage::List(list) => Op::SetList { how: ListChange::Set, list, row, value },
            // None of these comes here: it can be neither assigned nor given.
            Storage::Computed(_) => return,
        };
        self.emit(op, span);
    }
}
