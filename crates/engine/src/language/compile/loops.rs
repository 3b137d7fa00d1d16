//! Going through the members of a source.

use crate::diagnostic::{Fault, Faults};
use crate::language::code::{LATER, Op, Reg, Target};
use crate::language::compile::Compiler;
use crate::language::compile::builder::Operand;
use crate::language::schema::{
    AttributeStorage, ColumnId, Element, KindId, KindRole, ListId, Type,
};
use crate::language::syntax::{Expr, ExprKind, MemberSource, Operator};
use crate::source::Span;

/// The members that a loop goes through, their values in registers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Over {
    /// All pieces of a kind.
    Pieces(KindId),
    /// The list of a piece, which may change during the loop.
    Stored(ListId, Reg, Element),
    /// A list.
    Value(Reg, Element),
    /// All words of a set, or the whole numbers from one register to another.
    Numbers(Reg, Reg, Type),
}

impl Over {
    pub(super) fn member(self) -> Type {
        match self {
            Over::Pieces(kind) => Type::Piece(kind),
            Over::Stored(_, _, element) | Over::Value(_, element) => element.member(),
            Over::Numbers(_, _, ty) => ty,
        }
    }
}

/// A loop under way.
pub(super) struct Loop {
    head: Target,
    exit: usize,
    /// The member.
    pub member: Operand,
}

impl Compiler<'_> {
    /// Returns the members that a name means: all pieces of a kind, or the cards in a deck.
    pub(super) fn members_named(&mut self, name: &str) -> Option<Over> {
        let schema = self.schema;
        let kind = schema.plural_named(name).filter(|&k| schema.kind(k).role != KindRole::Single);
        if let Some(kind) = kind {
            self.notes.named.push(Type::Piece(kind));
            return Some(Over::Pieces(kind));
        }
        let deck = &schema.decks[schema.deck_named(name)?.index()];
        let row = self.small(0, Type::Whole);
        Some(Over::Stored(deck.list, row.reg, Element::Piece(deck.of)))
    }

    /// Compiles the members that a source goes through.
    pub(super) fn over(&mut self, e: &Expr) -> Over {
        match &e.kind {
            ExprKind::Name(name) if self.b.find(name).is_none() => {
                if let Some(over) = self.members_named(name) {
                    return over;
                }
                if let Some(set) = self.schema.words_named(name) {
                    self.notes.named.push(Type::Word(set));
                    let first = self.small(0, Type::Whole);
                    let last = self.schema.word_set(set).values.len() as i64 - 1;
                    let last = self.constant(last);
                    return Over::Numbers(first.reg, last, Type::Word(set));
                }
            }
            ExprKind::Range(first, last) => {
                let first = self.expect(first, Type::Whole);
                let last = self.expect(last, Type::Whole);
                return Over::Numbers(first.reg, last.reg, Type::Whole);
            }
            ExprKind::Member(..) => {
                if let Some((list, row, element)) = self.stored_list(e) {
                    return Over::Stored(list, row, element);
                }
            }
            _ => {}
        }
        let value = self.expr(e, None);
        match value.ty {
            Type::List(element) => Over::Value(value.reg, element),
            Type::Unknown => Over::Value(value.reg, Element::Any),
            other => {
                let message = format!("{} cannot be gone through", self.type_name(other));
                let fault = self.faults.error("wrong-type", e.span, message);
                fault.label("a list or the plural of a kind should stand here");
                Over::Value(value.reg, Element::Any)
            }
        }
    }

    /// Begins to go through; the member's register is set at each turn.
    pub(super) fn begin_loop(&mut self, over: Over, marked: Option<ColumnId>) -> Loop {
        let at = self.b.alloc();
        let d = self.b.alloc();
        match over {
            Over::Numbers(first, ..) => self.emit(Op::Move { d: at, s: first }),
            _ => self.emit(Op::Small { d: at, n: 0 }),
        };
        let head = self.b.here();
        let end = LATER;
        let next = match over {
            Over::Pieces(kind) => match marked {
                Some(column) => Op::NextMarked { d, at, column, end },
                None => Op::NextPiece { d, at, kind, end },
            },
            Over::Stored(list, row, _) => Op::NextOf { d, at, list, row, end },
            Over::Value(a, _) => Op::NextIn { d, at, a, end },
            Over::Numbers(_, last, _) => Op::NextNumber { d, at, last, end },
        };
        let exit = self.emit(next);
        let member = Operand { reg: d, ty: over.member(), bounds: None };
        Loop { head, exit, member }
    }

    /// Closes the loop: the next member.
    pub(super) fn end_loop(&mut self, this: &Loop) {
        self.emit(Op::Jump { to: this.head });
        self.b.land(this.exit);
    }

    /// Goes through the members of a source that pass its filter; `also` is a condition that only members count for
    /// which have it.
    pub(super) fn through<T>(
        &mut self,
        over: Over,
        source: &MemberSource,
        also: Option<&Expr>,
        body: impl FnOnce(&mut Self, Operand) -> T,
    ) -> T {
        let names = self.b.locals.len();
        let marked = self.marked(over, source, also);
        let this = self.begin_loop(over, marked);
        self.declare(&source.name.text, this.member, source.name.span);
        let skip = self.filter(source.filter.as_ref());
        let value = body(self, this.member);
        self.b.land_all(skip);
        self.b.locals.truncate(names);
        self.end_loop(&this);
        value
    }

    /// Compiles something in a loop that changes nothing: what it leaves in the list store is cut off again, also
    /// where a jump is taken. The jumps come out as they lead on from there.
    pub(super) fn tidy<T>(
        &mut self,
        body: impl FnOnce(&mut Self, &mut Vec<usize>) -> T,
    ) -> (T, Vec<usize>) {
        let store_mark = self.b.alloc();
        let before = std::mem::take(&mut self.b.lists_made);
        let at = self.emit(Op::Mark { d: store_mark });
        let mut jumps = Vec::new();
        let value = body(self, &mut jumps);
        if !self.b.lists_made {
            self.b.silence(at);
        } else {
            self.emit(Op::Release { a: store_mark });
            if !jumps.is_empty() {
                let on = self.emit(Op::Jump { to: LATER });
                self.b.land_all(jumps);
                self.emit(Op::Release { a: store_mark });
                jumps = vec![self.emit(Op::Jump { to: LATER })];
                self.b.land(on);
            }
        }
        self.b.lists_made = before;
        (value, jumps)
    }

    /// Compiles the filter of a source and cleans up after it. Returns the jumps that pass over a member that fails.
    pub(super) fn filter(&mut self, filter: Option<&Expr>) -> Vec<usize> {
        filter.map_or_else(Vec::new, |filter| self.tidy_jumps(filter, false))
    }

    /// Returns the jumps that are taken when a condition comes out as `when`.
    pub(super) fn tidy_jumps(&mut self, condition: &Expr, when: bool) -> Vec<usize> {
        let mark = self.b.mark();
        let ((), jumps) = self.tidy(|c, jumps| c.jump_if(condition, when, jumps));
        self.b.release(mark);
        jumps
    }

    /// Collects the members that pass into a list.
    pub(super) fn collect(&mut self, source: &MemberSource) -> (Reg, Type) {
        let over = self.over(&source.over);
        self.collect_over(over, source)
    }

    /// As [`Compiler::collect`], of members that are compiled.
    pub(super) fn collect_over(&mut self, over: Over, source: &MemberSource) -> (Reg, Type) {
        self.gather(over, |c| {
            c.through(over, source, None, |c, member| _ = c.emit(Op::Push { a: member.reg }));
        })
    }

    /// Returns all members as a list that stays as it is.
    pub(super) fn collect_all(&mut self, over: Over) -> (Reg, Type) {
        match over {
            Over::Pieces(_) | Over::Numbers(..) => self.gather(over, |c| {
                let this = c.begin_loop(over, None);
                c.emit(Op::Push { a: this.member.reg });
                c.end_loop(&this);
            }),
            Over::Stored(list, row, element) => {
                let d = self.b.alloc();
                self.emit(Op::GetList { d, list, row });
                (d, Type::List(element))
            }
            Over::Value(list, element) => (list, Type::List(element)),
        }
    }

    /// Makes a list of the members that a loop pushes.
    fn gather(&mut self, over: Over, each: impl FnOnce(&mut Self)) -> (Reg, Type) {
        let d = self.b.alloc();
        let mark = self.b.mark();
        let store_mark = self.b.alloc();
        self.emit(Op::Mark { d: store_mark });
        each(self);
        self.emit(Op::Collect { d, a: store_mark });
        self.b.release(mark);
        (d, Type::List(over.member().element()))
    }

    /// Declares a name for the member; a name that hides another is a fault.
    pub(super) fn declare(&mut self, name: &str, value: Operand, span: Span) {
        if self.b.find(name).is_some() && name != "_" {
            let message = format!("the name `{name}` is already in use here");
            self.faults.error("name-in-use", span, message).help("choose another");
        }
        self.b.local(name, value, true);
    }

    /// Returns the column whose index finds the members: the condition requires a value of it that no piece has
    /// at the start.
    fn marked(
        &mut self,
        over: Over,
        source: &MemberSource,
        also: Option<&Expr>,
    ) -> Option<ColumnId> {
        let Over::Pieces(kind) = over else { return None };
        if self.schema.kind(kind).role != KindRole::Pieces {
            return None;
        }
        let name = &source.name.text;
        let mut conditions = [source.filter.as_ref(), also].into_iter().flatten();
        let column = conditions.find_map(|c| self.marked_by(kind, name, c))?;
        if !self.program.indexed.contains(&column) {
            self.program.indexed.push(column);
        }
        Some(column)
    }

    fn marked_by(&self, kind: KindId, name: &str, filter: &Expr) -> Option<ColumnId> {
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
            ExprKind::Binary(Operator::And, a, b) => {
                self.marked_by(kind, name, a).or_else(|| self.marked_by(kind, name, b))
            }
            ExprKind::Binary(op, a, b) => {
                let (column, ty, start) = cell(a)?;
                let n = match (&b.kind, ty) {
                    (ExprKind::Whole(n), Type::Whole) => *n,
                    (ExprKind::Flag(f), Type::Flag) => i64::from(*f),
                    (ExprKind::Nothing, Type::Piece(_)) => -1,
                    (ExprKind::Name(word), Type::Word(set)) if self.b.find(word).is_none() => {
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
