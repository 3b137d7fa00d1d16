//! Compiles statements, and the expressions that have effects: dice, questions, random picks, cards
//! and new pieces.

use adjutant_dice::{DiceValue, NotationError};

use super::intern_item;
use crate::diagnostic::{Declaration, Fault, Faults};
use crate::language::code::{
    AddresseeReg, CellChange, ListChange, MessageKind, NumberOp, Op, TemplateId, TextPart,
    UNPATCHED, ValueUse,
};
use crate::language::compile::Compiler;
use crate::language::compile::builder::{Local, Operand, RangedType};
use crate::language::compile::call::values_phrase;
use crate::language::compile::expression::type_fits;
use crate::language::compile::loops::LoopMembers;
use crate::language::compile::operators::negation_op;
use crate::language::schema::{
    Attribute, AttributeStorage, Element, KindId, KindRole, STATE_KIND, Type,
};
use crate::language::syntax::{
    Addressee, AllowedAnswers, Assignment, DiceLiteral, Expr, ExprKind, MemberSource, Name, Period,
    Quantifier, Statement, StatementKind, Statements, TextTemplate, WrittenQuestion,
};
use crate::source::Span;

/// The internal name for the list of the possible answers to a question. It contains spaces, so no
/// ruleset can use it.
const ASKED: &str = "members asked for";

impl Compiler<'_> {
    /// Compiles statements in a new scope: the names they set are unknown afterwards.
    pub(super) fn block(&mut self, block: &Statements) {
        let names = self.b.locals.len();
        let mark = self.b.register_mark();
        self.open_block(block);
        self.b.locals.truncate(names);
        self.b.release_registers(mark);
    }

    /// Compiles statements in the current scope: the names they set are still known afterwards.
    pub(super) fn open_block(&mut self, block: &Statements) {
        let outer = self.b.at;
        self.nesting += 1;
        for statement in block {
            self.b.at = statement.span;
            self.statement(statement);
        }
        self.nesting -= 1;
        self.b.at = outer;
    }

    fn statement(&mut self, s: &Statement) {
        if let StatementKind::Let(names, value) = &s.kind {
            return self.define_names(names, value);
        }
        let mark = self.b.register_mark();
        match &s.kind {
            StatementKind::Let(..) => {}
            StatementKind::Assign(target, how, value) => self.assign(target, *how, value),
            StatementKind::If(condition, yes, no) => {
                let mut others = Vec::new();
                self.jump_if(condition, false, &mut others);
                self.b.release_registers(mark);
                self.block(yes);
                if no.is_empty() {
                    self.b.patch_jumps(others);
                } else {
                    let end = self.emit(Op::Jump { to: UNPATCHED });
                    self.b.patch_jumps(others);
                    self.block(no);
                    self.b.patch_jump(end);
                }
            }
            StatementKind::Each(sources, block) => {
                let names = self.b.locals.len();
                self.sweep(sources, &mut |c| c.block(block), None);
                self.b.locals.truncate(names);
            }
            StatementKind::Repeat(times, block) => {
                let last = self.repetitions(times);
                self.counted_loop(last, |c| c.block(block));
            }
            StatementKind::Do(e) => {
                match &e.kind {
                    ExprKind::Call(name, args) => self.call(name, args, ValueUse::Unused),
                    _ => self.expr(e, None),
                };
            }
            StatementKind::Say(t, None) => self.message(MessageKind::Say, t),
            StatementKind::Say(t, Some(to)) => self.say_to(t, to),
            StatementKind::Instruct(t) => self.message(MessageKind::Instruct, t),
            StatementKind::Remind(t) => self.message(MessageKind::Remind, t),
            StatementKind::Refuse(t) => self.message(MessageKind::Refuse, t),
            StatementKind::Remove(e) => {
                let value = self.expr(e, None);
                match value.ty {
                    Type::Piece(kind) if self.schema.kind(kind).role == KindRole::Pieces => {
                        self.emit(Op::Remove { kind, row: value.reg });
                    }
                    Type::Unknown => {}
                    other => _ = self.report_type_mismatch("a piece on the table", other, e.span),
                }
            }
            StatementKind::Add(item, to) => self.change_list(ListChange::Add, item, to),
            StatementKind::Take(item, from) => self.change_list(ListChange::Take, item, from),
            StatementKind::Clear(target) => {
                if let Some(local) = self.local_list(target) {
                    self.emit(Op::Mark { d: local.reg });
                    self.emit(Op::Collect { d: local.reg, a: local.reg });
                } else if let Some((list, row, _)) = self.list_target(target) {
                    let value = self.b.alloc();
                    self.emit(Op::Mark { d: value });
                    self.emit(Op::Collect { d: value, a: value });
                    self.emit(Op::SetList { how: ListChange::Set, list, row, value });
                }
            }
            StatementKind::Link(link, a, b, by) => self.link_statement(*link, a, b, by),
            StatementKind::Reveal(what, to) => self.reveal_statement(what, to.as_ref()),
            StatementKind::Deck(statement, deck) => self.deck_statement(statement, deck),
            StatementKind::Return(values) => self.return_statement(s.span, values),
            StatementKind::Stop => self.stop_statement(),
            StatementKind::Continue => self.leave_turn(s.span, "continue"),
            StatementKind::Break => self.leave_turn(s.span, "break"),
            StatementKind::EndActivation => self.end_activation(s.span),
            StatementKind::Activate(pieces) => self.activate_statement(pieces),
            StatementKind::End(period) => self.end_statement(*period, s.span),
        }
        self.b.release_registers(mark);
    }

    /// Compiles `stop`, which ends the rule.
    fn stop_statement(&mut self) {
        // `stop` also ends all running sweeps, so their end is reported first.
        if !self.b.bound.is_empty() {
            self.emit_end_of_sweeps();
        }
        let jump = self.emit(Op::Jump { to: UNPATCHED });
        self.b.add_stop_jump(jump);
    }

    /// Compiles `end phase` or `end turn`.
    fn end_statement(&mut self, period: Period, span: Span) {
        // The set of phases also contains the set-up.
        let has_phases = self
            .schema
            .words_named("phase")
            .is_some_and(|id| self.schema.word_set(id).values.len() > 1);
        if !has_phases {
            let message = "this ruleset has no phases, so none can end";
            let fault = self.faults.error("no-phases", span, message);
            fault.help("write `[[phase]]` with `name = \"…\"`; to end a rule, write `stop`");
        }
        self.emit(Op::End { period });
    }

    /// Compiles `continue` or `break`.
    fn leave_turn(&mut self, span: Span, word: &str) {
        if self.b.loops.is_empty() {
            let message = format!("`{word}` is not inside a loop");
            let fault = self.faults.error("outside-loop", span, message);
            fault.help("write it in the braces of `each` or `repeat`; to end a rule, write `stop`");
            return;
        }
        let jump = self.emit(Op::Jump { to: UNPATCHED });
        if let Some(this) = self.b.loops.last_mut() {
            let jumps = if word == "break" { &mut this.breaks } else { &mut this.continues };
            jumps.push(jump);
        }
    }

    /// Compiles a line for people. Unless the line is a refusal, its values are computed only if the
    /// host needs the line.
    pub(super) fn message(&mut self, how: MessageKind, t: &TextTemplate) {
        let silent = match how {
            MessageKind::Say => Some(self.emit(Op::JumpIfMute { to: UNPATCHED })),
            MessageKind::Instruct | MessageKind::Remind => {
                Some(self.emit(Op::JumpIfSilent { to: UNPATCHED }))
            }
            MessageKind::Refuse => None,
        };
        let mark = self.b.register_mark();
        let template = self.template(t);
        self.emit(Op::Tell { how, template });
        self.b.release_registers(mark);
        self.b.patch_jumps(silent);
    }

    /// Compiles `say … to …`, a line for some viewers.
    fn say_to(&mut self, t: &TextTemplate, to: &Addressee) {
        let mute = self.emit(Op::JumpIfMute { to: UNPATCHED });
        let mark = self.b.register_mark();
        let to = match to {
            Addressee::All => AddresseeReg::All,
            Addressee::Umpire => AddresseeReg::Umpire,
            Addressee::Sides(sides) => self.addressed_sides(sides),
        };
        self.program.says_to_some |= to != AddresseeReg::All;
        let template = self.template(t);
        self.emit(Op::SayTo { template, to });
        self.b.release_registers(mark);
        self.b.patch_jump(mute);
    }

    /// Compiles a side, or a list of sides, to which a line is addressed.
    fn addressed_sides(&mut self, to: &Expr) -> AddresseeReg {
        let Some(side) = self.schema.sides else {
            let fault = self.faults.error("no-sides", to.span, "this ruleset has no sides");
            fault.help("write `[sides]`, or say it `to all` or `to umpire`");
            return AddresseeReg::Umpire;
        };
        let sides = Type::List(side.as_element());
        let hint = if matches!(to.kind, ExprKind::List(_)) { sides } else { side };
        let value = self.expr(to, Some(hint));
        if matches!(value.ty, Type::List(_)) && type_fits(value.ty, sides) {
            return AddresseeReg::Sides(value.reg);
        }
        if !type_fits(value.ty, side) {
            let owner = match value.ty {
                Type::Piece(kind) => self.schema.kind(kind).side(),
                _ => None,
            };
            let help = owner.map(|owner| format!("for its side, write `….{}`", owner.name));
            let fault = self.report_type_mismatch("a side, `all` or `umpire`", value.ty, to.span);
            fault.help = help;
        }
        AddresseeReg::Side(value.reg)
    }

    pub(super) fn define_names(&mut self, names: &[Name], value: &Expr) {
        for name in names.iter().filter(|name| self.b.find_local(&name.text).is_some()) {
            let message = format!("the name `{}` is already in use here", name.text);
            let help = format!("write `{} = …` to change it, or choose another name", name.text);
            self.faults.error("name-in-use", name.span, message).help(help);
        }
        let [name] = names else { return self.define_returned_names(names, value) };
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let value_of = self.expr(value, None);
        if value_of.ty == Type::Nothing {
            let message = "the type of this value is unknown";
            let help = "write an expression that finds nothing: `first t in teams where false`";
            let fault = self.faults.error("unclear-type", value.span, message).help(help);
            fault.derived_from(self.within.clone());
        }
        let is_empty = matches!(&value.kind, ExprKind::List(items) if items.is_empty());
        let is_untyped = value_of.ty == Type::List(Element::Any);
        if is_untyped && (!is_empty || self.b.pure) {
            self.report_unclear_list(value.span);
        }
        self.b.move_to(d, value_of.reg, mark);
        self.b.release_registers(mark);
        // The name may get another value later and be read again in a loop, so its bounds are
        // unknown.
        self.b.add_local(&name.text, Operand { reg: d, bounds: None, ..value_of }, false);
        if is_untyped
            && is_empty
            && !self.b.pure
            && let Some(local) = self.b.locals.last_mut()
        {
            // The first member that is added determines the type of the list.
            match self.list_types.get(&value.span) {
                Some(ty) => local.ty = *ty,
                None => self.b.untyped_lists.push((local.number, value.span)),
            }
        }
    }

    /// Defines names, in consecutive registers, for the values of a rule that returns several.
    fn define_returned_names(&mut self, names: &[Name], value: &Expr) {
        let gives = match &value.kind {
            ExprKind::Call(name, _) => self.schema.rule_named(&name.text),
            _ => None,
        };
        let gives = gives.map_or(1, |rule| 1 + self.rule_text(rule).also_gives.len());
        if gives != names.len() {
            let message = format!("found {} names for {}", names.len(), values_phrase(gives));
            let fault = self.faults.error("several-values", value.span, message);
            fault.help("a rule can give several values: `gives = 'passes, sixes'`");
        }
        let first = match &value.kind {
            ExprKind::Call(name, args) => self.call(name, args, ValueUse::Used),
            _ => self.unknown_operand(),
        };
        let further = self.further_value_types(value);
        self.b.add_local(&names[0].text, Operand { bounds: None, ..first }, false);
        for (index, name) in names.iter().enumerate().skip(1) {
            let ty = further.get(index - 1).copied().unwrap_or(Type::Unknown);
            let variable = Operand { reg: self.b.alloc(), ty, bounds: None };
            self.b.add_local(&name.text, variable, false);
        }
    }

    fn assign(&mut self, target: &Expr, how: Assignment, value: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.assign_local(name, target.span, how, value),
            ExprKind::Member(of, name) => self.assign_attribute(of, name, how, value),
            _ => {
                let message = "this cannot be changed";
                let fault = self.faults.error("not-assignable", target.span, message);
                fault.help(
                    "only an attribute such as `a.fire` or a name set with `let` can be changed",
                );
            }
        }
    }

    fn assign_local(&mut self, name: &str, at: Span, how: Assignment, value: &Expr) {
        let Some(local) = self.b.find_local(name).cloned() else {
            let message = format!("no name `{name}` has been set");
            let fault = self.faults.error("unknown-name", at, message);
            let fault =
                fault.help(format!("write `let {name} = …`")).derived_from(self.within.clone());
            fault.suggest(name, self.b.locals.iter().map(|l| l.name.as_str()));
            return;
        };
        if local.fixed {
            let message = format!("`{name}` is fixed and cannot be changed");
            let fault = self.faults.error("not-assignable", at, message);
            fault.help("set another name with `let`");
            return;
        }
        let given = self.expect(value, local.ty);
        if self.b.is_untyped_list(&local) && given.ty != Type::List(Element::Any) {
            self.b.set_list_type(local.number, given.ty);
        }
        let d = local.reg;
        let a = local.reg;
        let b = given.reg;
        let fraction = local.ty == Type::Number;
        let op = match how {
            Assignment::Set => Op::Move { d, s: b },
            Assignment::Raise => Op::Number { op: NumberOp::Add, fraction, d, a, b },
            Assignment::Lower => Op::Number { op: NumberOp::Sub, fraction, d, a, b },
        };
        if how != Assignment::Set {
            self.require_number_type(given, value.span);
        }
        self.emit(op);
        if let Some(changed) = self.b.locals.iter_mut().rev().find(|l| l.name == name) {
            changed.bounds = None;
        }
    }

    /// Returns the piece and the attribute that an assignment changes; reports a fault if rules may
    /// not change the attribute.
    fn changed_attribute(&mut self, of: &Expr, name: &Name) -> Option<(Operand, Attribute)> {
        let piece = self.piece_operand(of);
        let kind = self.piece_kind(piece.ty, of, name)?;
        let attribute = self.find_attribute(kind, name)?;
        let help = match attribute.storage {
            AttributeStorage::Computed(_) => "it is computed from other values (`is`)",
            _ if self.schema.kind(kind).role == KindRole::List => "rows of a list never change",
            _ if attribute.fixed && kind == STATE_KIND => "only the phases of a turn change it",
            _ if attribute.fixed => "it follows from the drawn plan",
            AttributeStorage::Cell(_) | AttributeStorage::List(_) => {
                return Some((piece, attribute));
            }
        };
        let message = format!("`{}` cannot be changed by a rule", name.text);
        self.faults.error("not-assignable", name.span, message).help(help);
        None
    }

    fn assign_attribute(&mut self, of: &Expr, name: &Name, how: Assignment, value: &Expr) {
        let Some((piece, attribute)) = self.changed_attribute(of, name) else { return };
        self.require_acting_allowed(self.b.at);
        let given = self.expect(value, attribute.ty);
        if how == Assignment::Set {
            self.check_limits(&attribute, given, value.span);
        }
        let row = piece.reg;
        match (attribute.storage, how) {
            (storage, Assignment::Set) => self.store_attribute(storage, row, given.reg),
            (AttributeStorage::Cell(column), _)
                if self.require_number_type(given, value.span) != Type::Unknown =>
            {
                let mut by = given.reg;
                if how == Assignment::Lower {
                    by = self.b.alloc();
                    self.emit(Op::Unary { op: negation_op(attribute.ty), d: by, a: given.reg });
                }
                self.emit(Op::Set { how: CellChange::Bump, column, row, value: by });
            }
            _ => {
                let message = "a list is changed with `add … to` and `take … from`";
                self.faults.error("not-assignable", self.b.at, message);
            }
        }
    }

    fn check_limits(&mut self, attribute: &Attribute, v: Operand, span: Span) {
        let low = attribute.low;
        let high = attribute.high;
        if let (Type::Whole, Some((l, h))) = (attribute.ty, v.bounds)
            && (h < low || l > high)
        {
            let message = format!("`{}` can only be from {low} to {high}", attribute.name);
            self.faults.error("out-of-range", span, message);
        }
    }

    /// Reports a fault if changes, dice and questions are not allowed here.
    pub(super) fn require_acting_allowed(&mut self, span: Span) {
        if self.b.pure {
            let message = "nothing can be changed, rolled or asked in a condition or a value";
            let fault = self.faults.error("acts-in-condition", span, message);
            fault.help("do it in a statement, such as `let x = …`");
        }
    }

    /// Returns the list attribute that a statement changes, the register of its piece, and the type
    /// of its members; reports a fault if there is no such attribute.
    fn list_target(
        &mut self,
        target: &Expr,
    ) -> Option<(super::super::schema::ListId, u16, Element)> {
        self.require_acting_allowed(target.span);
        if let ExprKind::Member(of, name) = &target.kind {
            let (piece, attribute) = self.changed_attribute(of, name)?;
            if let (AttributeStorage::List(list), Type::List(element)) =
                (attribute.storage, attribute.ty)
            {
                return Some((list, piece.reg, element));
            }
        }
        let message = "expected a list that can be changed";
        let fault = self.faults.error("wrong-type", target.span, message);
        fault.help("write a list attribute such as `h.route`, or a name set with `let`");
        None
    }

    /// If an expression is the name of a list that statements may change, returns that name.
    fn local_list(&mut self, target: &Expr) -> Option<Local> {
        let ExprKind::Name(name) = &target.kind else { return None };
        let local = self.b.find_local(name)?.clone();
        let changes = !local.fixed && matches!(local.ty, Type::List(_));
        changes.then_some(local)
    }

    /// Compiles a statement that adds a member to a list set with `let`, or takes a member from it.
    fn change_local_list(&mut self, how: ListChange, item: &Expr, local: &Local) {
        let Type::List(element) = local.ty else { return };
        let value = if self.b.is_untyped_list(local) {
            let value = self.expr(item, None);
            let ty = match value.ty {
                Type::Piece(_) | Type::Word(_) | Type::Whole => value.ty,
                Type::Unknown => return,
                other => {
                    let message = format!("a list cannot hold {}", self.type_name(other));
                    self.faults.error("wrong-type", item.span, message);
                    return;
                }
            };
            self.b.set_list_type(local.number, Type::List(ty.as_element()));
            value
        } else {
            self.expect(item, element.member_type())
        };
        let d = local.reg;
        self.emit(match how {
            ListChange::Take => Op::Without { d, a: d, value: value.reg },
            ListChange::Add | ListChange::Link | ListChange::Set => {
                Op::Append { d, a: d, value: value.reg }
            }
        });
    }

    fn change_list(&mut self, how: ListChange, item: &Expr, target: &Expr) {
        if let Some(local) = self.local_list(target) {
            return self.change_local_list(how, item, &local);
        }
        let Some((list, row, element)) = self.list_target(target) else { return };
        let value = self.expect(item, element.member_type()).reg;
        self.emit(Op::SetList { how, list, row, value });
    }

    /// Compiles `reveal`, which reveals a piece, or one of its attributes, to all or to a side.
    fn reveal_statement(&mut self, what: &Expr, to: Option<&Expr>) {
        self.require_acting_allowed(self.b.at);
        let named = self.attribute_named(what).and_then(|(of, a)| Some((of, a.secret?)));
        let piece = match named {
            Some((of, _)) => self.piece_operand(of),
            None => self.expr(what, None),
        };
        let secret = match (named, piece.ty) {
            (Some((_, secret)), _) => Some(secret),
            (None, Type::Piece(kind)) => self.schema.kind(kind).secret,
            (None, Type::Unknown) => return,
            (None, other) => {
                self.report_type_mismatch("a piece, or an attribute of one", other, what.span);
                return;
            }
        };
        let Some(secret) = secret else {
            let message = format!("everybody sees every {}", self.type_name(piece.ty));
            let help = "only a kind or an attribute with `secret` or `seen_by` can be revealed";
            self.faults.error("not-secret", what.span, message).help(help);
            return;
        };
        let row = piece.reg;
        let (Some(to), Some(sides)) = (to, self.schema.sides) else {
            if let Some(to) = to {
                let fault = self.faults.error("no-sides", to.span, "this ruleset has no sides");
                fault.help("write `[sides]`, or reveal it to all");
            }
            let value = self.small_constant(1, Type::Flag).reg;
            let how = CellChange::Set;
            let column = secret.revealed;
            self.emit(Op::Set { how, column, row, value });
            return;
        };
        let value = self.expect(to, sides).reg;
        if let Some(list) = secret.revealed_to {
            self.emit(Op::SetList { how: ListChange::Add, list, row, value });
        }
    }

    fn link_statement(&mut self, link: bool, a: &Expr, b: &Expr, by: &Name) {
        self.require_acting_allowed(self.b.at);
        let Some((x, attribute)) = self.changed_attribute(a, by) else { return };
        let y = self.expect(b, x.ty);
        let list = attribute.storage.list().filter(|_| attribute.ty.member_or_self() == x.ty);
        let Some(list) = list else {
            let wanted = self.type_name(Type::List(x.ty.as_element()));
            let message = format!("`{}` is not {wanted}", by.text);
            self.faults.error("wrong-type", by.span, message);
            return;
        };
        let how = if link { ListChange::Link } else { ListChange::Take };
        for (row, value) in [(x.reg, y.reg), (y.reg, x.reg)] {
            self.emit(Op::SetList { how, list, row, value });
        }
    }

    /// Compiles dice, questions, random picks, cards and new pieces.
    pub(super) fn acting_expression(&mut self, e: &Expr) -> Operand {
        self.require_acting_allowed(e.span);
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let (ty, bounds) = match &e.kind {
            ExprKind::Roll(dice, label) => self.roll_expression(dice, label.as_ref(), d),
            ExprKind::Ask(question) => self.ask_expression(question, d),
            ExprKind::Pick(source) => (self.pick_expression(source, d), None),
            ExprKind::Draw(name) => match self.find_deck(name) {
                Some(deck) => {
                    self.emit(Op::Draw { d, deck });
                    (Type::Piece(self.schema.decks[deck.index()].of), None)
                }
                None => (Type::Unknown, None),
            },
            ExprKind::Make(kind, values, named) => {
                (self.make_expression(kind, values, named.as_ref(), d), None)
            }
            _ => (Type::Unknown, None),
        };
        self.b.release_registers(mark);
        Operand { reg: d, ty, bounds }
    }

    fn roll_expression(&mut self, dice: &Expr, label: Option<&TextTemplate>, d: u16) -> RangedType {
        self.emit(Op::CheckBegin {});
        let value = self.dice_value(dice);
        self.emit(Op::Move { d, s: value.reg });
        let fraction = value.ty == Type::Number;
        self.emit(Op::Throw { natural: d, total: d, passed: None, fraction });
        let silent = self.emit(Op::JumpIfSilent { to: UNPATCHED });
        let label = match label {
            Some(t) => self.template(t),
            None => self.new_template(Vec::new()),
        };
        self.emit(Op::CheckEnd { label });
        self.b.patch_jump(silent);
        (value.ty, value.bounds)
    }

    /// Compiles an expression that rolls dice.
    pub(super) fn dice_value(&mut self, e: &Expr) -> Operand {
        let outer = std::mem::replace(&mut self.b.dice, true);
        let value = self.expr(e, None);
        self.b.dice = outer;
        if let (Type::Flag, ExprKind::Binary(..)) = (value.ty, &e.kind) {
            let help = "to count dice, write the comparison directly after them: `5d10>=7`";
            self.faults.error("wrong-type", e.span, "a roll is not a condition").help(help);
            return Operand { ty: Type::Unknown, ..value };
        }
        let ty = self.require_number_type(value, e.span);
        Operand { ty, ..value }
    }

    /// Compiles a dice literal that is used as a value without being rolled.
    pub(super) fn dice_value_of(&mut self, dice: &DiceLiteral) -> Operand {
        let value = DiceValue::parse(&dice.text).map(DiceValue::to_bits);
        let reg = self.constant(*value.as_ref().unwrap_or(&0));
        if let Err(error) = value {
            self.report_bad_dice(&error);
        }
        Operand { reg, ty: Type::Dice, bounds: None }
    }

    fn report_bad_dice(&mut self, error: &NotationError) {
        let fault = self.faults.error("bad-dice", self.b.at, error.to_string());
        fault.help.clone_from(&error.help);
    }

    /// Compiles the roll of a dice literal; reports a fault where dice cannot be rolled.
    pub(super) fn dice_literal(&mut self, dice: &DiceLiteral) -> Operand {
        // In a condition about a scenario, `d6` may be an area.
        if let Some(names) = self.names
            && let Some((kind, row)) = names(&dice.text)
        {
            return self.small_constant(row as i32, Type::Piece(kind));
        }
        if !self.b.dice {
            self.report_dice_outside_roll();
        }
        let d = self.b.alloc();
        match &dice.pool {
            Ok(pool) => {
                let bounds = pool.bounds();
                let bounds = Some((bounds.lowest, bounds.highest));
                let pool = intern_item(&mut self.program.pools, pool.clone());
                self.emit(Op::RollPool { d, pool });
                Operand { reg: d, ty: Type::Whole, bounds }
            }
            Err(error) => {
                self.report_bad_dice(error);
                Operand { reg: d, ty: Type::Unknown, bounds: None }
            }
        }
    }

    pub(super) fn report_dice_outside_roll(&mut self) {
        let fault = self.faults.error("dice-outside-roll", self.b.at, "dice cannot be rolled here");
        fault.help("roll in `roll = '…'`, or in statements with `let n = roll 1d6`");
    }

    pub(super) fn ask_expression(&mut self, question: &WrittenQuestion, d: u16) -> RangedType {
        match &question.answers {
            AllowedAnswers::Among(source) => {
                let (a, ty) = self.collect_members(source);
                let member = match ty {
                    Type::List(element) => element.member_type(),
                    _ => Type::Unknown,
                };
                let best = question.by.as_ref().map(|by| {
                    // Only the collected members are candidates: the condition is not evaluated
                    // again.
                    let members = Operand { reg: a, ty, bounds: None };
                    self.b.add_local(ASKED, members, true);
                    let kind = ExprKind::Name(ASKED.to_owned());
                    let over = Expr { kind, span: source.over.span };
                    let asked = MemberSource { over, filter: None, ..(**source).clone() };
                    self.without_effects(|c| c.quantifier(Quantifier::Best, &asked, Some(by)))
                });
                if best.is_some() {
                    self.b.locals.pop();
                }
                let template = self.question_template(question);
                if let Some(best) = best {
                    self.emit(Op::Best { a: best.reg });
                }
                self.emit(Op::AskAmong { d, a, template, ty: member });
                (member, None)
            }
            AllowedAnswers::Between(low, high) => {
                let low = self.expect(low, Type::Whole);
                let high = self.expect(high, Type::Whole);
                let template = self.question_template(question);
                self.emit(Op::AskBetween { d, low: low.reg, high: high.reg, template });
                (Type::Whole, low.bounds.zip(high.bounds).map(|(l, h)| (l.0, h.1)))
            }
            AllowedAnswers::Flag => {
                let best = question
                    .by
                    .as_ref()
                    .map(|by| self.without_effects(|c| c.expect(by, Type::Flag)));
                let template = self.question_template(question);
                if let Some(best) = best {
                    self.emit(Op::Best { a: best.reg });
                }
                self.emit(Op::AskFlag { d, template });
                (Type::Flag, None)
            }
        }
    }

    /// Compiles the text of a question, preceded by the side that decides, if the question names
    /// one.
    fn question_template(&mut self, question: &WrittenQuestion) -> TemplateId {
        let mut parts = Vec::new();
        if let Some(side) = &question.side {
            match self.schema.sides {
                Some(sides) => {
                    let value = self.expect(side, sides);
                    parts.push(TextPart::Value(value.reg, value.ty));
                    parts.push(TextPart::Words(": ".to_owned()));
                }
                None => {
                    let fault =
                        self.faults.error("no-sides", side.span, "this ruleset has no sides");
                    fault.help("write `[sides]`, or ask without naming a side");
                }
            }
        }
        parts.extend(self.template_parts(&question.text));
        self.new_template(parts)
    }

    fn pick_expression(&mut self, source: &MemberSource, d: u16) -> Type {
        let over = self.loop_members(&source.over);
        if let (LoopMembers::Pieces(kind), None) = (over, &source.filter) {
            let names = self.b.locals.len();
            let member = over.member_type();
            let picked = Operand { reg: d, ty: member, bounds: None };
            self.declare_member(&source.name.text, picked, source.name.span);
            self.b.locals.truncate(names);
            self.emit(Op::PickPiece { d, kind });
            return member;
        }
        let (a, ty) = self.collect_over(over, source);
        match ty {
            Type::List(Element::Piece(kind)) => {
                self.emit(Op::Pick { d, a, kind });
                Type::Piece(kind)
            }
            Type::List(Element::Any) => Type::Unknown,
            other => {
                self.report_type_mismatch("pieces to pick from", other, source.over.span);
                Type::Unknown
            }
        }
    }

    fn make_expression(
        &mut self,
        kind: &Name,
        values: &[(Name, Expr)],
        named: Option<&TextTemplate>,
        d: u16,
    ) -> Type {
        let found = self.schema.kind_named(&kind.text);
        let Some(id) = found.filter(|&k| self.schema.kind(k).role == KindRole::Pieces) else {
            let message = format!("there is no kind of piece `{}`", kind.text);
            let pieces = self.schema.kinds.iter().filter(|k| k.role == KindRole::Pieces);
            let known: Vec<&str> = pieces.map(|k| k.name.as_str()).collect();
            let fault = self.faults.error("unknown-kind", kind.span, message);
            fault.derived_from(Declaration::Name(kind.text.clone())).suggest(&kind.text, known);
            return Type::Unknown;
        };
        if self.schema.kind(id).plan {
            let message = "areas are drawn on the plan and cannot be made";
            self.faults.error("not-assignable", kind.span, message);
            return Type::Piece(id);
        }
        let template = named.map(|t| self.template(t));
        // A piece that can be hidden is numbered among the pieces of its own side, because a side
        // must not learn how many pieces the other sides have.
        let owner = self.schema.owner_if_hidden(id).filter(|_| named.is_none());
        let owner = owner.map(|at| self.schema.kind(id).attributes[at].name.clone());
        let owner = owner.and_then(|of| values.iter().position(|(name, _)| name.text == of));
        // Each value is computed once, although it is set again after each of the kind's hooks.
        let (first, rest) = values.split_at(owner.map_or(0, |at| at + 1));
        let value = |c: &mut Self, (name, value): &(Name, Expr)| c.new_piece_value(id, name, value);
        let mut given: Vec<_> = first.iter().filter_map(|v| value(self, v)).collect();
        let owner = owner.and(given.last()).map(|(_, side)| side.reg);
        self.emit(Op::Make { d, kind: id, template, owner });
        given.extend(rest.iter().filter_map(|v| value(self, v)).collect::<Vec<_>>());
        self.set_new_piece_values(&given, d);
        for function in self.schema.kind(id).set_out_hooks() {
            // The given values take precedence over values that the kind's hooks set.
            let base = self.b.alloc();
            self.emit(Op::Move { d: base, s: d });
            self.emit_call(function, base, ValueUse::Unused);
            self.set_new_piece_values(&given, d);
        }
        Type::Piece(id)
    }

    /// Compiles a value for a new piece into a new register. Returns the attribute and the value, or
    /// `None` after a fault.
    fn new_piece_value(
        &mut self,
        id: KindId,
        name: &Name,
        value: &Expr,
    ) -> Option<(Attribute, Operand)> {
        let attribute = self.find_attribute(id, name)?;
        if matches!(attribute.storage, AttributeStorage::Computed(_)) {
            let message = format!("`{}` is computed and cannot be set", name.text);
            self.faults.error("not-assignable", name.span, message);
            return None;
        }
        let given = self.expect(value, attribute.ty);
        self.check_limits(&attribute, given, value.span);
        Some((attribute, given))
    }

    /// Compiles the assignment of the given values to a new piece.
    fn set_new_piece_values(&mut self, given: &[(Attribute, Operand)], row: u16) {
        for (attribute, value) in given {
            self.store_attribute(attribute.storage, row, value.reg);
        }
    }

    /// Compiles the assignment of a value to an attribute of a piece.
    fn store_attribute(&mut self, storage: AttributeStorage, row: u16, value: u16) {
        let op = match storage {
            AttributeStorage::Cell(column) => Op::Set { how: CellChange::Set, column, row, value },
            AttributeStorage::List(list) => Op::SetList { how: ListChange::Set, list, row, value },
            // Callers have already refused to set a computed attribute.
            AttributeStorage::Computed(_) => return,
        };
        self.emit(op);
    }
}
