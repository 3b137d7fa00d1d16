//! Expressions: names, attributes, arithmetic, comparison, logic.

use super::super::code::{NumberOp, Op, TextPart, Way, WholeOp};
use super::super::schema::{
    Attribute, Element, KindId, OPTION, Role, STATE, Storage, Type, WordsId,
};
use super::super::syntax::{Expr, ExprKind, Name, Operator, Template, TemplatePart};
use super::Compiler;
use super::builder::{Local, Operand};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Compiler<'_> {
    /// An expression; `want` helps to read bare words and is not enforced.
    pub(super) fn expr(&mut self, e: &Expr, want: Option<Type>) -> Operand {
        if self.b.is_full() {
            self.fault(Diagnostic::error("too-large", e.span, "this rule is too large"));
            return self.unknown();
        }
        match &e.kind {
            ExprKind::Whole(n) => {
                let reg = self.constant(*n, e.span);
                Operand { reg, ty: Type::Whole, bounds: Some((*n, *n)) }
            }
            ExprKind::Fraction(n) => {
                let reg = self.constant(n.to_bits(), e.span);
                Operand { reg, ty: Type::Number, bounds: None }
            }
            ExprKind::Flag(f) => self.small(i32::from(*f), Type::Flag, e.span),
            ExprKind::Nothing => {
                // `none` may also be a word of a set.
                if let Some(Type::Word(set)) = want
                    && let Some(n) = self.word_in(set, "none")
                {
                    return self.small(n, Type::Word(set), e.span);
                }
                self.small(-1, Type::Nothing, e.span)
            }
            ExprKind::Text(template) => self.text(template),
            ExprKind::Name(name) => self.name(name, e.span, want),
            ExprKind::List(items) => self.list_literal(items, e.span, want),
            ExprKind::Member(of, name) => self.member(of, name, e.span),
            ExprKind::Call(name, args) => self.call(name, args, e.span),
            ExprKind::Not(inner) => {
                let mark = self.b.mark();
                let a = self.expect(inner, Type::Flag);
                self.b.release(mark);
                let d = self.b.alloc();
                self.emit(Op::Not { d, a: a.reg }, e.span);
                Operand { reg: d, ty: Type::Flag, bounds: None }
            }
            ExprKind::Negative(inner) => self.negative(inner, e.span),
            ExprKind::Binary(Operator::And | Operator::Or, ..) => self.logic(e),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Choice(condition, yes, no) => self.choice(condition, yes, no, e.span, want),
            ExprKind::Quantified(quantity, source, body) => {
                self.quantified(*quantity, source, body.as_deref(), e.span)
            }
            ExprKind::Filtered(source) => {
                let list = self.collect(source);
                Operand { reg: list.0, ty: list.1, bounds: None }
            }
            ExprKind::Range(..) => {
                let message = "a range such as `1..6` can only be gone through";
                let fault = Diagnostic::error("range-as-value", e.span, message);
                self.fault(fault.help("write it after `in`: `each n in 1..6 { … }`"));
                self.unknown()
            }
            ExprKind::Way { places, from, to, along, filter } => {
                self.way(*places, from, to, along, filter.as_ref(), e.span)
            }
            ExprKind::Dice(text) => {
                // Where a word of a set is wanted, `d6` may be one.
                if let Some(Type::Word(set)) = want
                    && let Some(n) = self.word_in(set, text)
                {
                    return self.small(n, Type::Word(set), e.span);
                }
                self.dice(text, e.span)
            }
            ExprKind::Roll(..)
            | ExprKind::Ask(..)
            | ExprKind::Pick(..)
            | ExprKind::Draw(..)
            | ExprKind::Make(..) => self.acting(e),
        }
    }

    /// An expression that must have the type; a whole number becomes a fraction where that is wanted.
    pub(super) fn expect(&mut self, e: &Expr, ty: Type) -> Operand {
        let value = self.expr(e, Some(ty));
        self.coerce(value, ty, e.span)
    }

    pub(super) fn coerce(&mut self, value: Operand, ty: Type, span: Span) -> Operand {
        if fits(value.ty, ty) {
            return Operand { ty: if ty == Type::Unknown { value.ty } else { ty }, ..value };
        }
        if value.ty == Type::Whole && ty == Type::Number {
            return self.widen(value, span);
        }
        let message =
            format!("expected {}, found {}", self.type_name(ty), self.type_name(value.ty));
        let mut fault = Diagnostic::error("wrong-type", span, message);
        fault = match (value.ty, ty) {
            (Type::Number, Type::Whole) => {
                fault.help("write the rounding out: `floor(…)`, `ceil(…)` or `round(…)`")
            }
            (Type::List(_), Type::Piece(_)) => fault.help("take one of the list: `first(…)`"),
            (Type::Piece(_), Type::Flag) => fault.help("compare it: `… != none`"),
            (Type::Whole, Type::Flag) => fault.help("compare it: `… > 0`"),
            _ => fault,
        };
        self.fault(fault);
        Operand { ty, ..value }
    }

    fn widen(&mut self, value: Operand, span: Span) -> Operand {
        let d = self.b.alloc();
        self.emit(Op::Widen { d, a: value.reg }, span);
        Operand { reg: d, ty: Type::Number, bounds: value.bounds }
    }

    pub(super) fn unknown(&mut self) -> Operand {
        Operand { reg: self.b.alloc(), ty: Type::Unknown, bounds: None }
    }

    pub(super) fn small(&mut self, n: i32, ty: Type, span: Span) -> Operand {
        let d = self.b.alloc();
        self.emit(Op::Small { d, n }, span);
        Operand { reg: d, ty, bounds: None }
    }

    /// The type an expression would have; nothing is emitted and no fault told.
    pub(super) fn probe(&mut self, e: &Expr) -> Type {
        let faults = self.faults.len();
        let mut trial = super::Builder::default();
        trial.locals = self.b.locals.clone();
        trial.dice = self.b.dice;
        trial.pure = self.b.pure;
        trial.alloc_many(self.b.mark() as usize);
        let ours = std::mem::replace(&mut self.b, trial);
        let ty = self.expr(e, None).ty;
        self.b = ours;
        let clean = self.faults.len() == faults;
        self.faults.truncate(faults);
        if clean { ty } else { Type::Unknown }
    }

    fn name(&mut self, name: &str, span: Span, want: Option<Type>) -> Operand {
        if let Some(local) = self.b.find(name) {
            let Local { reg, ty, bounds, .. } = *local;
            return Operand { reg, ty, bounds };
        }
        match want {
            Some(Type::Word(set)) => {
                if let Some(n) = self.word_in(set, name) {
                    return self.small(n, Type::Word(set), span);
                }
            }
            Some(Type::Piece(kind)) => {
                if let Some(row) = self.schema.kind(kind).row(name) {
                    return self.small(row as i32, Type::Piece(kind), span);
                }
            }
            _ => {}
        }
        if let Some(names) = self.names
            && let Some((kind, row)) = names(name)
        {
            return self.small(row as i32, Type::Piece(kind), span);
        }
        if let Some(kind) = self.schema.plural_named(name)
            && self.schema.kind(kind).role != Role::Single
        {
            let source = super::loops::Over::Pieces(kind);
            let (reg, ty) = self.collect_all(&source, span);
            return Operand { reg, ty, bounds: None };
        }
        if let Some(deck) = self.schema.deck_named(name) {
            let deck = &self.schema.decks[deck.index()];
            let row = self.small(0, Type::Whole, span);
            let d = self.b.alloc();
            self.emit(Op::GetList { d, list: deck.list, row: row.reg }, span);
            return Operand { reg: d, ty: Type::List(Element::Piece(deck.of)), bounds: None };
        }
        self.bare_word(name, span, want)
    }

    /// A word or row of which it must be clear whose it is.
    fn bare_word(&mut self, name: &str, span: Span, want: Option<Type>) -> Operand {
        let sets: Vec<WordsId> = (0..self.schema.words.len())
            .map(WordsId::from_index)
            .filter(|&w| self.word_in(w, name).is_some())
            .collect();
        let lists: Vec<KindId> = (0..self.schema.kinds.len())
            .map(KindId::from_index)
            .filter(|&k| self.schema.kind(k).row(name).is_some())
            .collect();
        let settled = matches!(want, Some(Type::Word(_)))
            || matches!(want, Some(Type::Piece(k)) if self.schema.kind(k).role == Role::List);
        if !settled {
            if let ([set], []) = (sets.as_slice(), lists.as_slice())
                && let Some(n) = self.word_in(*set, name)
            {
                return self.small(n, Type::Word(*set), span);
            }
            if let ([], [list]) = (sets.as_slice(), lists.as_slice())
                && let Some(row) = self.schema.kind(*list).row(name)
            {
                return self.small(row as i32, Type::Piece(*list), span);
            }
            if sets.len() + lists.len() > 1 {
                let message = format!("`{name}` is a word of several sets");
                let named = sets.iter().map(|w| self.schema.word_set(*w).name.clone());
                let named = named.chain(lists.iter().map(|k| self.schema.kind(*k).name.clone()));
                let help: Vec<String> =
                    named.filter(|n| !n.is_empty()).map(|n| format!("`{n}.{name}`")).collect();
                let fault = Diagnostic::error("unclear-word", span, message);
                self.fault(if help.is_empty() {
                    fault.help("compare it with an attribute of that set, or give the set a name")
                } else {
                    fault.help(format!("say which: {}", help.join(" or ")))
                });
                return self.unknown();
            }
        }
        self.unknown_name(name, span, want);
        self.unknown()
    }

    fn unknown_name(&mut self, name: &str, span: Span, want: Option<Type>) {
        let schema = self.schema;
        if schema.spoiled.contains(name) {
            return;
        }
        let mut known: Vec<&str> = Vec::new();
        let message = match want {
            Some(Type::Word(set)) => {
                let set = schema.word_set(set);
                known.extend(set.values.iter().map(String::as_str));
                format!("`{name}` is not one of the words that can stand here")
            }
            Some(Type::Piece(kind)) if schema.kind(kind).role == Role::List => {
                known.extend(schema.kind(kind).rows.iter().map(|r| r.name.as_str()));
                format!("there is no row `{name}` in the list `{}`", schema.kind(kind).name)
            }
            _ => {
                known.extend(schema.kinds.iter().map(|k| k.plural.as_str()));
                known.extend(schema.words.iter().flat_map(|w| &w.values).map(String::as_str));
                known.extend(["state", "option"]);
                format!("nothing here is called `{name}`")
            }
        };
        let locals: Vec<String> = self.b.locals.iter().map(|l| l.name.clone()).collect();
        known.extend(locals.iter().map(String::as_str));
        let mut fault = Diagnostic::error("unknown-name", span, message);
        if schema.kind_named(name).is_some_and(|k| schema.kind(k).role == Role::Pieces) {
            let plural = &schema.kind(schema.kind_named(name).unwrap_or(STATE)).plural;
            fault = fault.help(format!("all of that kind are called `{plural}`"));
        } else if schema.rule_named(name).is_some() || schema.define_named(name).is_some() {
            fault = fault.help(format!("to call it, write `{name}(…)`"));
        } else {
            fault = fault.suggest(name, known);
        }
        self.fault(fault);
    }

    pub(super) fn word_in(&self, set: WordsId, word: &str) -> Option<i32> {
        let values = &self.schema.word_set(set).values;
        values.iter().position(|v| v == word).and_then(|i| i32::try_from(i).ok())
    }

    /// `of.name`: an attribute, a word of a set, a row of a list.
    fn member(&mut self, of: &Expr, name: &Name, span: Span) -> Operand {
        let schema = self.schema;
        // A name in scope goes first, unless it is a word, which has no attributes.
        if let ExprKind::Name(base) = &of.kind
            && self.b.find(base).is_none_or(|l| matches!(l.ty, Type::Word(_)))
        {
            let single = match base.as_str() {
                "state" => Some(STATE),
                "option" => Some(OPTION),
                _ => None,
            };
            if let Some(kind) = single {
                let row = self.small(0, Type::Piece(kind), of.span);
                return self.attribute_of(row, kind, name, row.reg, span);
            }
            if let Some(set) = schema.words_named(base) {
                return match self.word_in(set, &name.text) {
                    Some(n) => self.small(n, Type::Word(set), span),
                    None => {
                        self.unknown_name(&name.text, name.span, Some(Type::Word(set)));
                        self.unknown()
                    }
                };
            }
            if let Some(kind) = schema.kind_named(base)
                && schema.kind(kind).role == Role::List
            {
                return match schema.kind(kind).row(&name.text) {
                    Some(row) => self.small(row as i32, Type::Piece(kind), span),
                    None => {
                        self.unknown_name(&name.text, name.span, Some(Type::Piece(kind)));
                        self.unknown()
                    }
                };
            }
        }
        let d = self.b.alloc();
        let mark = self.b.mark();
        let value = self.expr(of, None);
        let got = match self.piece_kind(value.ty, of, name) {
            Some(kind) => self.attribute_of(value, kind, name, d, span),
            None => Operand { reg: d, ty: Type::Unknown, bounds: None },
        };
        self.b.release(mark);
        got
    }

    /// The kind whose attribute is asked; a fault if it is no piece.
    pub(super) fn piece_kind(&mut self, ty: Type, of: &Expr, name: &Name) -> Option<KindId> {
        match ty {
            Type::Piece(kind) => Some(kind),
            Type::Unknown => None,
            other => {
                let message = format!(
                    "{} has no attributes, so it has no `{}`",
                    self.type_name(other),
                    name.text
                );
                let fault = Diagnostic::error("no-attributes", of.span, message);
                self.fault(match other {
                    Type::List(_) => fault.help("take one of the list first: `first(…)`"),
                    _ => fault,
                });
                None
            }
        }
    }

    /// The attribute of that name; a fault if there is none.
    pub(super) fn find_attribute(&mut self, kind: KindId, name: &Name) -> Option<Attribute> {
        let of = self.schema.kind(kind);
        if let Some(found) = of.attribute(&name.text) {
            return Some(found.clone());
        }
        if self.schema.spoiled.contains(&name.text) {
            return None;
        }
        let message = match kind {
            STATE => format!("the state has no `{}`", name.text),
            OPTION => format!("there is no option `{}`", name.text),
            _ => format!("`{}` has no attribute `{}`", of.name, name.text),
        };
        let known = of.attributes.iter().map(|a| a.name.as_str());
        let fault = Diagnostic::error("unknown-attribute", name.span, message);
        self.fault(fault.suggest(&name.text, known));
        None
    }

    /// The attribute of a piece, into `d`.
    fn attribute_of(
        &mut self,
        piece: Operand,
        kind: KindId,
        name: &Name,
        d: u16,
        span: Span,
    ) -> Operand {
        let Some(attribute) = self.find_attribute(kind, name) else {
            return Operand { reg: d, ty: Type::Unknown, bounds: None };
        };
        let row = piece.reg;
        let ty = attribute.ty;
        match attribute.storage {
            Storage::Cell(column) => {
                self.emit(Op::Get { d, column, row }, span);
                let bounds = (ty == Type::Whole).then_some((attribute.low, attribute.high));
                Operand { reg: d, ty, bounds }
            }
            Storage::List(list) => {
                self.emit(Op::GetList { d, list, row }, span);
                Operand { reg: d, ty, bounds: None }
            }
            Storage::Computed(function) => {
                let (ty, bounds) = self.result_of(function, name.span);
                self.b.lists_made |= matches!(ty, Type::List(_));
                let base = self.b.alloc();
                self.emit(Op::Move { d: base, s: row }, span);
                self.emit(Op::Call { function, base }, span);
                self.emit(Op::Move { d, s: base }, span);
                Operand { reg: d, ty, bounds }
            }
        }
    }

    fn negative(&mut self, inner: &Expr, span: Span) -> Operand {
        let mark = self.b.mark();
        let a = self.expr(inner, None);
        let number = self.is_number(a, inner.span);
        self.b.release(mark);
        let d = self.b.alloc();
        let op = match number {
            Type::Number => Op::NumberNegate { d, a: a.reg },
            _ => Op::Negate { d, a: a.reg },
        };
        self.emit(op, span);
        let bounds = a.bounds.and_then(|(l, h)| Some((h.checked_neg()?, l.checked_neg()?)));
        Operand { reg: d, ty: number, bounds }
    }

    /// The type, if it is one of numbers; otherwise a fault and `Unknown`.
    pub(super) fn is_number(&mut self, value: Operand, span: Span) -> Type {
        match value.ty {
            Type::Whole | Type::Number | Type::Unknown => value.ty,
            other => {
                let message = format!("expected a number, found {}", self.type_name(other));
                self.fault(Diagnostic::error("wrong-type", span, message));
                Type::Unknown
            }
        }
    }

    fn binary(&mut self, op: Operator, left: &Expr, right: &Expr, span: Span) -> Operand {
        match op {
            Operator::In | Operator::NotIn => self.membership(op, left, right, span),
            op if op.compares() => self.comparison(op, left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    /// `a and b`, `a or b` as a value: the ways in which it does not hold lead to where it is false.
    fn logic(&mut self, e: &Expr) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let mut jumps = Vec::new();
        self.jump_if(e, false, &mut jumps);
        self.emit(Op::Small { d, n: 1 }, e.span);
        let end = self.emit(Op::Jump { to: 0 }, e.span);
        for jump in jumps {
            self.b.land(jump);
        }
        self.emit(Op::Small { d, n: 0 }, e.span);
        self.b.land(end);
        self.b.release(mark);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    /// Adds the jumps that are taken when a condition comes out as `when`; else it goes on behind them. No
    /// flag is made for `and`, `or` and `not`.
    pub(super) fn jump_if(&mut self, e: &Expr, when: bool, jumps: &mut Vec<usize>) {
        match &e.kind {
            ExprKind::Not(inner) => self.jump_if(inner, !when, jumps),
            ExprKind::Binary(op @ (Operator::And | Operator::Or), left, right) => {
                // What the left side must be for the right side not to be asked.
                let settles = *op == Operator::Or;
                if settles == when {
                    self.jump_if(left, when, jumps);
                    self.jump_if(right, when, jumps);
                } else {
                    let mut past = Vec::new();
                    self.jump_if(left, settles, &mut past);
                    self.jump_if(right, when, jumps);
                    for jump in past {
                        self.b.land(jump);
                    }
                }
            }
            _ => {
                let mark = self.b.mark();
                let a = self.expect(e, Type::Flag).reg;
                let op = match when {
                    true => Op::JumpIf { a, to: 0 },
                    false => Op::JumpIfNot { a, to: 0 },
                };
                jumps.push(self.emit(op, e.span));
                self.b.release(mark);
            }
        }
    }

    /// Whether a name stands for nothing until it is known what it is compared with.
    fn is_bare(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(n) if self.b.find(n).is_none()
            && self.schema.plural_named(n).is_none() && self.schema.deck_named(n).is_none()
            && self.names.and_then(|f| f(n)).is_none())
    }

    /// Both sides, so that a bare word on either is read by the type of the other.
    fn pair(&mut self, left: &Expr, right: &Expr) -> (Operand, Operand) {
        if self.is_bare(left) && !self.is_bare(right) {
            let b = self.expr(right, None);
            let a = self.expr(left, Some(b.ty));
            return (a, b);
        }
        let a = self.expr(left, None);
        let b = self.expr(right, Some(a.ty));
        (a, b)
    }

    pub(super) fn comparison(
        &mut self,
        op: Operator,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Operand {
        let mark = self.b.mark();
        let d = self.b.alloc();
        let (a, b) = self.pair(left, right);
        let value = self.compare(op, a, b, d, span, right.span);
        self.b.release(mark + 1);
        value
    }

    /// Compares two values into `d`.
    pub(super) fn compare(
        &mut self,
        op: Operator,
        a: Operand,
        b: Operand,
        d: u16,
        span: Span,
        right: Span,
    ) -> Operand {
        let (mut a, mut b) = (a, b);
        if (a.ty, b.ty) == (Type::Whole, Type::Number) {
            a = self.widen(a, span);
        } else if (a.ty, b.ty) == (Type::Number, Type::Whole) {
            b = self.widen(b, span);
        }
        if !fits(a.ty, b.ty) && !fits(b.ty, a.ty) {
            let message = format!(
                "{} cannot be compared with {}",
                self.type_name(a.ty),
                self.type_name(b.ty)
            );
            self.fault(Diagnostic::error("wrong-type", right, message));
        }
        let ordered = matches!(a.ty, Type::Whole | Type::Number | Type::Word(_) | Type::Unknown);
        let equality = matches!(op, Operator::Equal | Operator::NotEqual);
        if !equality && !ordered {
            let message = format!("`{}` needs numbers or words in order", op.text());
            self.fault(Diagnostic::error("wrong-type", span, message));
        }
        let number = a.ty == Type::Number;
        let lists = matches!(a.ty, Type::List(_));
        let (x, y) = match op {
            Operator::Greater | Operator::AtLeast => (b.reg, a.reg),
            _ => (a.reg, b.reg),
        };
        let (a, b) = (x, y);
        let less = matches!(op, Operator::Less | Operator::Greater);
        let op = match op {
            Operator::Equal if lists => Op::SameList { d, a, b },
            Operator::Equal => Op::Equal { d, a, b },
            Operator::NotEqual if lists => {
                self.emit(Op::SameList { d, a, b }, span);
                Op::Not { d, a: d }
            }
            Operator::NotEqual => Op::NotEqual { d, a, b },
            _ if number && less => Op::Number { op: NumberOp::Less, d, a, b },
            _ if number => Op::Number { op: NumberOp::AtMost, d, a, b },
            _ if less => Op::Less { d, a, b },
            _ => Op::AtMost { d, a, b },
        };
        self.emit(op, span);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    fn membership(&mut self, op: Operator, left: &Expr, right: &Expr, span: Span) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let a = self.expr(left, None);
        if let ExprKind::List(items) = &right.kind {
            self.one_of(a, items, d, span);
        } else if let ExprKind::Range(low, high) = &right.kind {
            self.between(a, low, high, d, span);
        } else if let Some((list, row, ty)) = self.stored_list(right) {
            self.fits_member(a.ty, ty, left.span);
            self.emit(Op::Holds { d, list, row, value: a.reg }, span);
        } else {
            let b = self.expr(right, None);
            match b.ty {
                Type::List(element) => self.fits_member(a.ty, element, left.span),
                Type::Unknown => {}
                other => {
                    let message = format!("expected a list, found {}", self.type_name(other));
                    self.fault(Diagnostic::error("wrong-type", right.span, message));
                }
            }
            self.emit(Op::InList { d, a: b.reg, value: a.reg }, span);
        }
        if op == Operator::NotIn {
            self.emit(Op::Not { d, a: d }, span);
        }
        self.b.release(mark);
        Operand { reg: d, ty: Type::Flag, bounds: None }
    }

    fn fits_member(&mut self, ty: Type, element: Element, span: Span) {
        let member = element.member();
        if !fits(ty, member) {
            let message = format!(
                "{} can never be in a list of {}",
                self.type_name(ty),
                self.type_name(member)
            );
            self.fault(Diagnostic::error("wrong-type", span, message));
        }
    }

    /// `a in [b, c]`: equal to one of them.
    fn one_of(&mut self, a: Operand, items: &[Expr], d: u16, span: Span) {
        self.emit(Op::Small { d, n: 0 }, span);
        let mut found = Vec::new();
        for item in items {
            let mark = self.b.mark();
            let b = self.expr(item, Some(a.ty));
            self.compare(Operator::Equal, a, b, d, item.span, item.span);
            found.push(self.emit(Op::JumpIf { a: d, to: 0 }, span));
            self.b.release(mark);
        }
        for jump in found {
            self.b.land(jump);
        }
    }

    /// `a in low..high`: neither lower nor higher.
    fn between(&mut self, a: Operand, low: &Expr, high: &Expr, d: u16, span: Span) {
        let first = self.expr(low, Some(a.ty));
        self.compare(Operator::AtLeast, a, first, d, span, low.span);
        let out = self.emit(Op::JumpIfNot { a: d, to: 0 }, span);
        let last = self.expr(high, Some(a.ty));
        self.compare(Operator::AtMost, a, last, d, span, high.span);
        self.b.land(out);
    }

    fn arithmetic(&mut self, op: Operator, left: &Expr, right: &Expr, span: Span) -> Operand {
        let mark = self.b.mark();
        let a = self.expr(left, None);
        if let Type::List(element) = a.ty
            && op == Operator::Add
        {
            let b = self.expr(right, Some(a.ty));
            let given = b.ty;
            let b = self.coerce(b, Type::List(element), right.span);
            let element = if element == Element::Any { element_of(given) } else { element };
            return self.joined(a, b, element, mark, span);
        }
        let b = self.expr(right, None);
        if let (Type::Unknown, Type::List(element), Operator::Add) = (a.ty, b.ty, op) {
            return self.joined(a, b, element, mark, span);
        }
        let (x, y) = (self.is_number(a, left.span), self.is_number(b, right.span));
        let number = x == Type::Number || y == Type::Number || op == Operator::Divide;
        if op == Operator::Modulo && number {
            let message = "`mod` needs whole numbers";
            self.fault(Diagnostic::error("wrong-type", span, message));
        }
        let bounds = bounds_of(op, a.bounds, b.bounds);
        if !number {
            self.b.release(mark);
            let d = self.b.alloc();
            let (a, b) = (a.reg, b.reg);
            let op = match op {
                Operator::Add => Op::Add { d, a, b },
                Operator::Subtract => Op::Sub { d, a, b },
                Operator::Multiply => Op::Whole { op: WholeOp::Mul, d, a, b },
                _ => Op::Whole { op: WholeOp::Mod, d, a, b },
            };
            self.emit(op, span);
            return Operand { reg: d, ty: Type::Whole, bounds };
        }
        let a = if x == Type::Number { a } else { self.widen(a, left.span) };
        let b = if y == Type::Number { b } else { self.widen(b, right.span) };
        self.b.release(mark);
        let d = self.b.alloc();
        let op = match op {
            Operator::Add => NumberOp::Add,
            Operator::Subtract => NumberOp::Sub,
            Operator::Multiply => NumberOp::Mul,
            _ => NumberOp::Div,
        };
        self.emit(Op::Number { op, d, a: a.reg, b: b.reg }, span);
        Operand { reg: d, ty: Type::Number, bounds: None }
    }

    fn joined(&mut self, a: Operand, b: Operand, of: Element, mark: u16, span: Span) -> Operand {
        self.b.release(mark);
        let d = self.b.alloc();
        self.emit(Op::Join { d, a: a.reg, b: b.reg }, span);
        Operand { reg: d, ty: Type::List(of), bounds: None }
    }

    fn list_literal(&mut self, items: &[Expr], span: Span, want: Option<Type>) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let hint = match want {
            Some(Type::List(element)) => Some(element.member()),
            _ => None,
        };
        let values: Vec<Operand> = items.iter().map(|i| self.expr(i, hint)).collect();
        let element = match values.iter().map(|v| v.ty).find(|t| *t != Type::Nothing) {
            Some(Type::Piece(k)) => Element::Piece(k),
            Some(Type::Word(w)) => Element::Word(w),
            Some(Type::Whole) => Element::Whole,
            None | Some(Type::Unknown) => Element::Any,
            Some(other) => {
                let message = format!("a list cannot hold {}", self.type_name(other));
                self.fault(Diagnostic::error("wrong-type", span, message));
                Element::Any
            }
        };
        for (value, item) in values.iter().zip(items) {
            self.fits_member(value.ty, element, item.span);
        }
        let place = self.b.alloc();
        self.emit(Op::Mark { d: place }, span);
        for value in values {
            self.emit(Op::Push { a: value.reg }, span);
        }
        self.emit(Op::Collect { d, a: place }, span);
        self.b.release(mark);
        Operand { reg: d, ty: Type::List(element), bounds: None }
    }

    fn choice(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        span: Span,
        want: Option<Type>,
    ) -> Operand {
        // A bare word is read by the type of the first branch that is none.
        let want = want.or_else(|| self.is_bare(yes).then(|| self.first_clear(no)).flatten());
        let d = self.b.alloc();
        let mark = self.b.mark();
        let c = self.expect(condition, Type::Flag);
        let other = self.emit(Op::JumpIfNot { a: c.reg, to: 0 }, span);
        self.b.release(mark);
        let a = self.expr(yes, want);
        self.emit(Op::Move { d, s: a.reg }, span);
        // Stands for the widening that the other branch may ask for.
        let here = self.b.here() + 1;
        let widening = self.emit(Op::Jump { to: here }, span);
        let end = self.emit(Op::Jump { to: 0 }, span);
        self.b.release(mark);
        self.b.land(other);
        let mut b = self.expr(no, want.or(Some(a.ty)));
        let ty = match (a.ty, b.ty) {
            (Type::Whole, Type::Number) => {
                self.b.replace(widening, Op::Widen { d, a: d });
                Type::Number
            }
            (Type::Number, Type::Whole) => {
                b = self.widen(b, no.span);
                Type::Number
            }
            (Type::Nothing | Type::Unknown | Type::List(Element::Any), other) => other,
            (ty, _) => ty,
        };
        if !fits(b.ty, ty) {
            let message = format!(
                "this is {}, but the other branch is {}",
                self.type_name(b.ty),
                self.type_name(ty)
            );
            self.fault(Diagnostic::error("wrong-type", no.span, message));
        }
        self.emit(Op::Move { d, s: b.reg }, span);
        self.b.land(end);
        self.b.release(mark);
        let bounds = a.bounds.zip(b.bounds).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Operand { reg: d, ty, bounds }
    }

    /// The type of the first branch of a chain of choices that is no bare word.
    fn first_clear(&mut self, e: &Expr) -> Option<Type> {
        let mut e = e;
        while let ExprKind::Choice(_, yes, no) = &e.kind {
            e = if self.is_bare(yes) { no } else { yes };
        }
        let ty = self.probe(e);
        (!matches!(ty, Type::Unknown | Type::Nothing)).then_some(ty)
    }

    pub(super) fn text(&mut self, template: &Template) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let template_id = self.template(template);
        self.emit(Op::Text { d, template: template_id }, template.span);
        self.b.release(mark);
        Operand { reg: d, ty: Type::Text, bounds: None }
    }

    /// The values of a text, left in their registers for the instruction that follows.
    pub(super) fn template(&mut self, template: &Template) -> u32 {
        let mut parts = Vec::new();
        for part in &template.parts {
            parts.push(match part {
                TemplatePart::Text(words) => TextPart::Words(words.clone()),
                TemplatePart::Value(e) => self.text_value(e),
            });
        }
        self.program.templates.push(parts);
        (self.program.templates.len() - 1) as u32
    }

    fn text_value(&mut self, e: &Expr) -> TextPart {
        if let ExprKind::Call(name, args) = &e.kind
            && name.text == "word"
            && let [of] = args.as_slice()
            && let Some((value, column)) = self.named_number(of)
        {
            return TextPart::Named(value, column);
        }
        let value = self.expr(e, None);
        TextPart::Value(value.reg, value.ty)
    }

    /// The list attribute an expression names and the register of its piece, so that it need not be copied.
    pub(super) fn stored_list(
        &mut self,
        e: &Expr,
    ) -> Option<(super::super::schema::ListId, u16, Element)> {
        let ExprKind::Member(of, name) = &e.kind else { return None };
        let Type::Piece(kind) = self.probe(of) else { return None };
        let attribute = self.schema.kind(kind).attribute(&name.text)?;
        let (Storage::List(list), Type::List(element)) = (attribute.storage, attribute.ty) else {
            return None;
        };
        let piece = self.expr(of, None);
        Some((list, piece.reg, element))
    }

    fn way(
        &mut self,
        places: bool,
        from: &Expr,
        to: &Expr,
        along: &Name,
        filter: Option<&(Name, Box<Expr>)>,
        span: Span,
    ) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let a = self.expr(from, None);
        let whole = Operand { reg: d, ty: Type::Whole, bounds: Some((0, 1_000_000)) };
        let Some(kind) = self.piece_kind(a.ty, from, along) else { return whole };
        let b = self.expect(to, Type::Piece(kind));
        let Some(attribute) = self.find_attribute(kind, along) else { return whole };
        let leads = match attribute.storage {
            Storage::Computed(f) => self.result_of(f, along.span).0,
            _ => attribute.ty,
        };
        if !fits(leads, Type::List(Element::Piece(kind))) {
            let message =
                format!("`{}` is no list of `{}`", along.text, self.schema.kind(kind).plural);
            self.fault(Diagnostic::error("wrong-type", along.span, message));
            return whole;
        }
        let found = match places {
            true => Operand { ty: Type::List(Element::Piece(kind)), bounds: None, ..whole },
            false => whole,
        };
        self.b.lists_made |= places;
        let mut way = Way {
            places,
            from: a.reg,
            to: b.reg,
            along: attribute.storage,
            filter: None,
            base: 0,
            captured: 0,
            kind,
        };
        if let Some((name, condition)) = filter {
            // The condition is a function of the place and of every name in scope.
            let captured: Vec<Local> = self.b.locals.clone();
            way.captured = captured.len() as u16;
            way.base = self.b.alloc_many(captured.len() + 1);
            for (i, local) in captured.iter().enumerate() {
                let d = way.base + 1 + i as u16;
                self.emit(Op::Move { d, s: local.reg }, span);
            }
            way.filter = Some(self.condition_function(name, kind, &captured, condition));
        }
        self.program.ways.push(way);
        let index = (self.program.ways.len() - 1) as u16;
        self.emit(Op::Way { d, way: index }, span);
        self.b.release(mark);
        found
    }

    fn condition_function(
        &mut self,
        name: &Name,
        kind: KindId,
        captured: &[Local],
        condition: &Expr,
    ) -> super::FunctionId {
        let outer = std::mem::take(&mut self.b);
        self.b.pure = true;
        let place = self.b.alloc();
        for local in captured {
            self.b.param(&local.name, local.ty, local.bounds);
        }
        let place = Operand { reg: place, ty: Type::Piece(kind), bounds: None };
        self.b.local(&name.text, place, true);
        let value = self.expect(condition, Type::Flag);
        self.emit(Op::Return { a: value.reg }, condition.span);
        let built = std::mem::replace(&mut self.b, outer);
        self.program.functions.push(built.finish("way".into(), false));
        self.results.push(super::Known::Done(Type::Flag, None));
        super::FunctionId::from_index(self.program.functions.len() - 1)
    }
}

/// Whether a value of type `from` can stand where `to` is wanted.
pub(super) fn fits(from: Type, to: Type) -> bool {
    use Element::Any;
    from == to
        || from == Type::Unknown
        || to == Type::Unknown
        || matches!(
            (from, to),
            (Type::Nothing, Type::Piece(_))
                | (Type::Piece(_), Type::Nothing)
                | (Type::List(Any), Type::List(_))
                | (Type::List(_), Type::List(Any))
        )
}

fn element_of(ty: Type) -> Element {
    match ty {
        Type::List(element) => element,
        _ => Element::Any,
    }
}

/// The bounds of a result, where they can be told from those of the operands.
fn bounds_of(op: Operator, a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ((a, b), (c, d)) = (a?, b?);
    match op {
        Operator::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        Operator::Subtract => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        Operator::Multiply => {
            let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        Operator::Modulo if c > 0 => Some((0, d - 1)),
        _ => None,
    }
}
