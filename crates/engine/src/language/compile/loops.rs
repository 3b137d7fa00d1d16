//! Compiles loops over the members of a source.

use crate::diagnostic::{Fault, Faults};
use crate::language::code::{Op, Reg, Target, UNPATCHED};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::schema::{
    AttributeStorage, ColumnId, Element, KindId, KindRole, ListId, Type,
};
use crate::language::syntax::{Expr, ExprKind, MemberSource, Operator};
use crate::source::Span;

/// The members that a loop visits, with the registers of the piece, the list or the limits that
/// determine them.
#[derive(Clone, Copy, Debug)]
pub(super) enum LoopMembers {
    /// All pieces of a kind.
    Pieces(KindId),
    /// The list of a piece, which may change during the loop.
    Stored(ListId, Reg, Element),
    /// A list.
    Value(Reg, Element),
    /// The words of a set or the whole numbers from the value in one register to the value in
    /// another.
    Numbers(Reg, Reg, Type),
}

impl LoopMembers {
    pub(super) fn member_type(self) -> Type {
        match self {
            LoopMembers::Pieces(kind) => Type::Piece(kind),
            LoopMembers::Stored(_, _, element) | LoopMembers::Value(_, element) => {
                element.member_type()
            }
            LoopMembers::Numbers(_, _, ty) => ty,
        }
    }
}

/// A loop under construction.
pub(super) struct Loop {
    head: Target,
    exit: usize,
    /// The member of the current iteration.
    pub member: Operand,
}

impl Compiler<'_> {
    /// Returns the members that a name refers to: all pieces of a kind, or the cards in a deck.
    /// Returns `None` if it names neither.
    pub(super) fn members_named(&mut self, name: &str) -> Option<LoopMembers> {
        let schema = self.schema;
        let kind = schema.plural_named(name).filter(|&k| schema.kind(k).role != KindRole::Single);
        if let Some(kind) = kind {
            self.notes.named.push(Type::Piece(kind));
            return Some(LoopMembers::Pieces(kind));
        }
        let deck = &schema.decks[schema.deck_named(name)?.index()];
        let row = self.small_constant(0, Type::Whole);
        Some(LoopMembers::Stored(deck.list, row.reg, Element::Piece(deck.of)))
    }

    /// Compiles the expression of a source and returns the members to visit.
    pub(super) fn loop_members(&mut self, e: &Expr) -> LoopMembers {
        match &e.kind {
            ExprKind::Name(name) if self.b.find_local(name).is_none() => {
                if let Some(over) = self.members_named(name) {
                    return over;
                }
                if let Some(set) = self.schema.words_named(name) {
                    self.notes.named.push(Type::Word(set));
                    let first = self.small_constant(0, Type::Whole);
                    let last = self.schema.word_set(set).values.len() as i64 - 1;
                    let last = self.constant(last);
                    return LoopMembers::Numbers(first.reg, last, Type::Word(set));
                }
            }
            ExprKind::Range(first, last) => {
                let first = self.expect(first, Type::Whole);
                let last = self.expect(last, Type::Whole);
                return LoopMembers::Numbers(first.reg, last.reg, Type::Whole);
            }
            ExprKind::Member(..) => {
                if let Some((list, row, element)) = self.stored_list(e) {
                    return LoopMembers::Stored(list, row, element);
                }
            }
            _ => {}
        }
        let value = self.expr(e, None);
        match value.ty {
            Type::List(element) => LoopMembers::Value(value.reg, element),
            Type::Unknown => LoopMembers::Value(value.reg, Element::Any),
            other => {
                let message = format!("{} cannot be looped over", self.type_name(other));
                let fault = self.faults.error("wrong-type", e.span, message);
                fault.label("expected a list or the plural of a kind");
                LoopMembers::Value(value.reg, Element::Any)
            }
        }
    }

    /// Begins a loop. Each iteration sets the register of the member. If `marked` is given, the
    /// loop visits only pieces whose cell in that column differs from its start value.
    pub(super) fn begin_loop(&mut self, over: LoopMembers, marked: Option<ColumnId>) -> Loop {
        let at = self.b.alloc();
        let d = self.b.alloc();
        match over {
            LoopMembers::Numbers(first, ..) => self.emit(Op::Move { d: at, s: first }),
            _ => self.emit(Op::Small { d: at, n: 0 }),
        };
        let head = self.b.next_target();
        let end = UNPATCHED;
        let next = match over {
            LoopMembers::Pieces(kind) => match marked {
                Some(column) => Op::NextMarked { d, at, column, end },
                None => Op::NextPiece { d, at, kind, end },
            },
            LoopMembers::Stored(list, row, _) => Op::NextOf { d, at, list, row, end },
            LoopMembers::Value(a, _) => Op::NextIn { d, at, a, end },
            LoopMembers::Numbers(_, last, _) => Op::NextNumber { d, at, last, end },
        };
        let exit = self.emit(next);
        let member = Operand { reg: d, ty: over.member_type(), bounds: None };
        Loop { head, exit, member }
    }

    /// Ends the body of a loop with a jump to the next member.
    pub(super) fn end_loop(&mut self, this: &Loop) {
        self.emit(Op::Jump { to: this.head });
        self.b.patch_jump(this.exit);
    }

    /// Compiles a loop over the members of a source that pass its filter. If `also` is given, the
    /// body must ignore members that don't satisfy it, so that the loop may skip them.
    pub(super) fn for_each_member<T>(
        &mut self,
        over: LoopMembers,
        source: &MemberSource,
        also: Option<&Expr>,
        body: impl FnOnce(&mut Self, Operand) -> T,
    ) -> T {
        let names = self.b.locals.len();
        let marked = self.find_index(over, source, also);
        let this = self.begin_loop(over, marked);
        self.declare_member(&source.name.text, this.member, source.name.span);
        let skip = self.filter_jumps(source.filter.as_ref());
        let value = body(self, this.member);
        self.b.patch_jumps(skip);
        self.b.locals.truncate(names);
        self.end_loop(&this);
        value
    }

    /// Compiles an effect-free part of a loop, followed by code that removes the part's lists from
    /// the list store. The lists are also removed if the part ends with one of the jumps that
    /// `body` adds to its second argument. Returns the result of `body` and the jumps that replace
    /// the added ones.
    pub(super) fn with_list_cleanup<T>(
        &mut self,
        body: impl FnOnce(&mut Self, &mut Vec<usize>) -> T,
    ) -> (T, Vec<usize>) {
        let store_mark = self.b.alloc();
        let before = std::mem::take(&mut self.b.lists_made);
        let at = self.emit(Op::Mark { d: store_mark });
        let mut jumps = Vec::new();
        let value = body(self, &mut jumps);
        if !self.b.lists_made {
            self.b.make_no_op(at);
        } else {
            self.emit(Op::Release { a: store_mark });
            if !jumps.is_empty() {
                let on = self.emit(Op::Jump { to: UNPATCHED });
                self.b.patch_jumps(jumps);
                self.emit(Op::Release { a: store_mark });
                jumps = vec![self.emit(Op::Jump { to: UNPATCHED })];
                self.b.patch_jump(on);
            }
        }
        self.b.lists_made = before;
        (value, jumps)
    }

    /// Compiles the filter of a source and removes its lists from the list store. Returns the jumps
    /// that skip a member if it fails the filter.
    pub(super) fn filter_jumps(&mut self, filter: Option<&Expr>) -> Vec<usize> {
        filter.map_or_else(Vec::new, |filter| self.jumps_with_cleanup(filter, false))
    }

    /// Compiles a condition and removes its lists from the list store. Returns the jumps that are
    /// taken if the condition evaluates to `when`.
    pub(super) fn jumps_with_cleanup(&mut self, condition: &Expr, when: bool) -> Vec<usize> {
        let mark = self.b.register_mark();
        let ((), jumps) = self.with_list_cleanup(|c, jumps| c.jump_if(condition, when, jumps));
        self.b.release_registers(mark);
        jumps
    }

    /// Collects the members that pass the filter into a list.
    pub(super) fn collect_members(&mut self, source: &MemberSource) -> (Reg, Type) {
        let over = self.loop_members(&source.over);
        self.collect_over(over, source)
    }

    /// Does the same as [`Compiler::collect_members`] for a source whose expression is already
    /// compiled.
    pub(super) fn collect_over(&mut self, over: LoopMembers, source: &MemberSource) -> (Reg, Type) {
        self.build_list(over, |c| {
            c.for_each_member(over, source, None, |c, member| {
                _ = c.emit(Op::Push { a: member.reg });
            });
        })
    }

    /// Collects the members that pass the filter into a list sorted by the value of `order`, lowest
    /// first.
    pub(super) fn sorted_members(&mut self, source: &MemberSource, order: &Expr) -> (Reg, Type) {
        let over = self.loop_members(&source.over);
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let store_mark = self.b.alloc();
        self.emit(Op::Mark { d: store_mark });
        let key = self.for_each_member(over, source, None, |c, member| {
            // Lists that the sort key needs must not stay between the members in the list store.
            let (key, _) = c.without_effects(|c| c.with_list_cleanup(|c, _| c.expr(order, None)));
            c.emit(Op::Push { a: member.reg });
            c.emit(Op::PushKey { a: key.reg });
            key
        });
        let fraction = match key.ty {
            Type::Number => true,
            Type::Whole | Type::Word(_) | Type::Flag | Type::Unknown => false,
            other => {
                self.report_type_mismatch("a number or a word to sort by", other, order.span);
                false
            }
        };
        self.emit(Op::CollectSorted { d, a: store_mark, fraction });
        self.b.release_registers(mark);
        (d, Type::List(over.member_type().as_element()))
    }

    /// Returns all members as a list that doesn't change during the loop.
    pub(super) fn collect_all(&mut self, over: LoopMembers) -> (Reg, Type) {
        match over {
            LoopMembers::Pieces(_) | LoopMembers::Numbers(..) => self.build_list(over, |c| {
                let this = c.begin_loop(over, None);
                c.emit(Op::Push { a: this.member.reg });
                c.end_loop(&this);
            }),
            LoopMembers::Stored(list, row, element) => {
                let d = self.b.alloc();
                self.emit(Op::GetList { d, list, row });
                (d, Type::List(element))
            }
            LoopMembers::Value(list, element) => {
                // The name of a list may get another value during the loop.
                let d = self.b.alloc();
                self.emit(Op::Move { d, s: list });
                (d, Type::List(element))
            }
        }
    }

    /// Compiles a loop with `each`, and collects the members that the loop pushes into a list.
    fn build_list(&mut self, over: LoopMembers, each: impl FnOnce(&mut Self)) -> (Reg, Type) {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let store_mark = self.b.alloc();
        self.emit(Op::Mark { d: store_mark });
        each(self);
        self.emit(Op::Collect { d, a: store_mark });
        self.b.release_registers(mark);
        (d, Type::List(over.member_type().as_element()))
    }

    /// Declares a name for the member; reports a fault if it hides another name.
    pub(super) fn declare_member(&mut self, name: &str, value: Operand, span: Span) {
        if self.b.find_local(name).is_some() && name != "_" {
            let message = format!("the name `{name}` is already in use here");
            self.faults.error("name-in-use", span, message).help("choose another name");
        }
        self.b.add_local(name, value, true);
    }

    /// If the filter or the condition `also` can hold only for pieces whose cell in some column
    /// differs from its start value, returns that column and makes sure that it has an index. The
    /// loop then visits only these pieces.
    fn find_index(
        &mut self,
        over: LoopMembers,
        source: &MemberSource,
        also: Option<&Expr>,
    ) -> Option<ColumnId> {
        let LoopMembers::Pieces(kind) = over else { return None };
        if self.schema.kind(kind).role != KindRole::Pieces {
            return None;
        }
        let name = &source.name.text;
        let mut conditions = [source.filter.as_ref(), also].into_iter().flatten();
        let column = conditions.find_map(|c| self.index_for_condition(kind, name, c))?;
        if !self.program.indexed.contains(&column) {
            self.program.indexed.push(column);
        }
        Some(column)
    }

    fn index_for_condition(&self, kind: KindId, name: &str, filter: &Expr) -> Option<ColumnId> {
        let cell = |e: &Expr| {
            let ExprKind::Member(of, attribute) = &e.kind else { return None };
            if !matches!(&of.kind, ExprKind::Name(n) if n == name) {
                return None;
            }
            let attribute = self.schema.kind(kind).attribute(&attribute.text)?;
            match attribute.storage {
                AttributeStorage::Cell(column) => Some((column, attribute.ty, attribute.start)),
                _ => None,
            }
        };
        match &filter.kind {
            ExprKind::Binary(Operator::And, a, b) => self
                .index_for_condition(kind, name, a)
                .or_else(|| self.index_for_condition(kind, name, b)),
            ExprKind::Binary(op, a, b) => {
                let (column, ty, start) = cell(a)?;
                let n = match (&b.kind, ty) {
                    (ExprKind::Whole(n), Type::Whole) => *n,
                    (ExprKind::Flag(f), Type::Flag) => i64::from(*f),
                    (ExprKind::Nothing, Type::Piece(_)) => -1,
                    (ExprKind::Name(word), Type::Word(set))
                        if self.b.find_local(word).is_none() =>
                    {
                        self.schema.word_set(set).index_of(word)?
                    }
                    _ => return None,
                };
                (op.holds(start, n) == Some(false)).then_some(column)
            }
            ExprKind::Member(..) => {
                let (column, ty, start) = cell(filter)?;
                (ty == Type::Flag && start == 0).then_some(column)
            }
            _ => None,
        }
    }
}
