//! The built-in functions: one entry each, with all that belongs to it.
//!
//! An entry says how the function is written, checks its arguments and emits its code. What it computes is either
//! made of instructions, or a [`Native`] function of at most two values, which stands here as well.

use super::prelude::*;
use crate::language::code::{Context, Native, TextPart};
use crate::language::grid::Grid;
use crate::language::machine::PlayFault;
use crate::language::number::{Number, Rounding};
use crate::language::schema::{ColumnId, DIRECTION};

/// The upper bound assumed for a number of members or steps.
const MANY: i64 = 1_000_000;

/// A built-in function.
pub struct BuiltIn {
    /// The way it is written, for help.
    pub usage: &'static str,
    /// Compiles a call; none if the number of arguments is wrong, or after a fault.
    compile: Compile,
}

type Compile = fn(&mut Compiler<'_>, &Call<'_>) -> Option<Operand>;

impl BuiltIn {
    const fn new(usage: &'static str, compile: Compile) -> BuiltIn {
        BuiltIn { usage, compile }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.usage.split_once('(').map_or(self.usage, |(name, _)| name)
    }
}

/// A call of a built-in function.
struct Call<'e> {
    args: &'e [Expr],
    /// The register for the value.
    d: Reg,
}

/// All built-in functions.
pub const FUNCTIONS: [BuiltIn; 24] = [
    BuiltIn::new("floor(number)", |c, call| c.rounded(Rounding::Floor, call)),
    BuiltIn::new("ceil(number)", |c, call| c.rounded(Rounding::Ceil, call)),
    BuiltIn::new("round(number)", |c, call| c.rounded(Rounding::Round, call)),
    BuiltIn::new("min(a, b)", |c, call| c.extreme(false, call)),
    BuiltIn::new("max(a, b)", |c, call| c.extreme(true, call)),
    BuiltIn::new("abs(a)", |c, call| c.absolute(call)),
    BuiltIn::new("size(list)", |c, call| c.size(call)),
    BuiltIn::new("first(list)", |c, call| c.end_of_list(1, call)),
    BuiltIn::new("last(list)", |c, call| c.end_of_list(-1, call)),
    BuiltIn::new("nth(list, n)", |c, call| c.nth(call)),
    BuiltIn::new("steps(area, area)", |c, call| {
        c.of_areas(steps, Type::Whole, Some((0, MANY)), call)
    }),
    BuiltIn::new("step(area, direction) or step(area, direction, n)", |c, call| c.step(call)),
    BuiltIn::new("direction(area, area)", |c, call| {
        c.of_areas(direction, Type::Word(DIRECTION), None, call)
    }),
    BuiltIn::new("line(area, area)", |c, call| c.of_areas(line, Type::Flag, None, call)),
    BuiltIn::new("sides-off(area, direction, area)", |c, call| {
        c.off(sides_off, Type::Number, call.args, call)
    }),
    BuiltIn::new("arc(area, direction, area, sides)", |c, call| c.arc(call)),
    BuiltIn::new("next(word)", |c, call| c.neighbour_word(true, call)),
    BuiltIn::new("previous(word)", |c, call| c.neighbour_word(false, call)),
    BuiltIn::new("number(word)", |c, call| c.number_of_word(call)),
    BuiltIn::new("word(piece.attribute)", |c, call| c.word_of_number(call)),
    BuiltIn::new("opposite(direction)", |c, call| c.opposite(call)),
    BuiltIn::new("turned(direction, n)", |c, call| c.turned(call)),
    BuiltIn::new("name(piece)", |c, call| c.name_of(call)),
    BuiltIn::new("dice(count, sides) or dice(count, weapon.damage)", |c, call| {
        c.dice_by_number(call)
    }),
];

/// Returns the number of steps on the plan and of levels between two areas.
fn steps(context: &Context<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, levels) = context.between(a, b)?;
    Ok(grid.steps(a, b) + levels.abs())
}

/// Returns a flag: two areas share a row of areas on one level.
fn line(context: &Context<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, levels) = context.between(a, b)?;
    Ok(i64::from(levels == 0 && grid.in_line(a, b)))
}

/// Returns the nearest direction from one area to another.
fn direction(context: &Context<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, _) = context.between(a, b)?;
    Ok(grid.direction(a, b))
}

/// Returns the bearing of one hex from another in quarters of a side; -1 of a hex from itself.
fn bearing(context: &Context<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, _) = context.between(a, b)?;
    Ok(grid.bearing(a, b).unwrap_or(-1))
}

/// Returns the quarters of a side, clockwise, from a direction to a bearing: -11 to 12.
fn quarters_off(_: &Context<'_>, bearing: i64, direction: i64) -> Result<i64, PlayFault> {
    let off = (bearing - 4 * direction + 11).rem_euclid(24) - 11;
    Ok(if bearing < 0 { 0 } else { off })
}

/// Returns the same in sides.
fn sides_off(context: &Context<'_>, bearing: i64, direction: i64) -> Result<i64, PlayFault> {
    let sides = Number::new(i128::from(quarters_off(context, bearing, direction)?), 4);
    Ok(sides.ok_or(PlayFault::TooLarge)?.to_bits())
}

/// Returns a flag: what lies so many quarters off is in the arc of so many sides.
fn in_arc(_: &Context<'_>, quarters: i64, sides: i64) -> Result<i64, PlayFault> {
    Ok(i64::from(quarters.abs() <= sides.saturating_mul(2)))
}

fn absolute(_: &Context<'_>, a: i64, _: i64) -> Result<i64, PlayFault> {
    a.checked_abs().ok_or(PlayFault::TooLarge)
}

fn absolute_number(_: &Context<'_>, a: i64, _: i64) -> Result<i64, PlayFault> {
    let number = Number::from_bits(a);
    Ok(if number < Number::ZERO { number.negated() } else { number }.to_bits())
}

impl Compiler<'_> {
    /// Compiles a call of a built-in function.
    pub(super) fn built_in(&mut self, function: &BuiltIn, args: &[Expr]) -> Operand {
        let faults = self.faults.len();
        let d = self.b.alloc();
        let mark = self.b.mark();
        let value = (function.compile)(self, &Call { args, d });
        self.b.release(mark);
        if let Some(value) = value {
            return value;
        }
        if self.faults.len() == faults {
            let message =
                format!("`{}` is called with the wrong number of values", function.name());
            let fault = self.faults.error("wrong-arguments", self.b.at, message);
            fault.help(format!("write `{}`", function.usage));
        }
        Operand { reg: d, ty: Type::Unknown, bounds: None }
    }

    fn native(&mut self, function: Native, a: Reg, b: Reg, call: &Call<'_>) {
        self.emit(Op::Native { function, d: call.d, a, b });
    }

    fn rounded(&mut self, how: Rounding, call: &Call<'_>) -> Option<Operand> {
        let ([e], d) = (call.args, call.d) else { return None };
        // The commonest case, whole by whole, needs no fraction.
        if let ExprKind::Binary(Operator::Divide, a, b) = &e.kind {
            let (x, y) = (self.expr(a, None), self.expr(b, None));
            let (p, q) = (self.is_number(x, a.span), self.is_number(y, b.span));
            if p != Type::Number && q != Type::Number {
                self.emit(Op::Word { op: WordOp::Div(how), d, a: x.reg, b: y.reg });
                let bounds = x.bounds.zip(y.bounds).and_then(|((l, h), (c, _))| {
                    let most = l.checked_abs()?.max(h.checked_abs()?);
                    (c > 0).then_some((if l < 0 { -most } else { 0 }, most))
                });
                return Some(Operand { reg: d, ty: Type::Whole, bounds });
            }
            let x = self.coerce(x, Type::Number, a.span);
            let y = self.coerce(y, Type::Number, b.span);
            self.emit(Op::Word { op: WordOp::Quotient, d, a: x.reg, b: y.reg });
            self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: d });
            return Some(Operand { reg: d, ty: Type::Whole, bounds: None });
        }
        let value = self.expr(e, None);
        match self.is_number(value, e.span) {
            Type::Number => self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: value.reg }),
            _ => self.emit(Op::Move { d, s: value.reg }),
        };
        Some(Operand { reg: d, ty: Type::Whole, bounds: value.bounds })
    }

    fn extreme(&mut self, high: bool, call: &Call<'_>) -> Option<Operand> {
        let [a, b] = call.args else { return None };
        let x = self.expr(a, None);
        let y = self.expr(b, None);
        let (s, t) = (self.is_number(x, a.span), self.is_number(y, b.span));
        let fraction = s == Type::Number || t == Type::Number;
        let ty = if fraction { Type::Number } else { Type::Whole };
        let x = self.coerce(x, ty, a.span);
        let y = self.coerce(y, ty, b.span);
        let (d, a, b) = (call.d, x.reg, y.reg);
        let op = if high { NumberOp::Max } else { NumberOp::Min };
        self.emit(Op::Number { op, fraction, d, a, b });
        let bounds = x.bounds.zip(y.bounds).map(|(p, q)| match high {
            true => (p.0.max(q.0), p.1.max(q.1)),
            false => (p.0.min(q.0), p.1.min(q.1)),
        });
        Some(Operand { reg: d, ty, bounds })
    }

    fn absolute(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let value = self.expr(a, None);
        let ty = self.is_number(value, a.span);
        let function = if ty == Type::Number { absolute_number } else { absolute };
        self.native(function, value.reg, value.reg, call);
        let bounds = value.bounds.map(|(l, h)| (0, l.abs().max(h.abs())));
        Some(Operand { reg: call.d, ty, bounds })
    }

    /// Compiles the list among the arguments; its members are pieces, words, numbers or unknown.
    fn list_arg(&mut self, a: &Expr) -> Option<(Reg, Element)> {
        let value = self.expr(a, None);
        match value.ty {
            Type::List(element) => Some((value.reg, element)),
            Type::Unknown => Some((value.reg, Element::Any)),
            other => {
                self.expected("a list", other, a.span);
                None
            }
        }
    }

    fn size(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let (a, _) = self.list_arg(a)?;
        self.emit(Op::Unary { op: UnaryOp::Size, d: call.d, a });
        Some(Operand { reg: call.d, ty: Type::Whole, bounds: Some((0, MANY)) })
    }

    fn end_of_list(&mut self, place: i32, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let (list, element) = self.list_arg(a)?;
        let n = self.small(place, Type::Whole);
        Some(self.member_at(list, element, n.reg, call))
    }

    fn nth(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a, n] = call.args else { return None };
        let (list, element) = self.list_arg(a)?;
        let n = self.expect(n, Type::Whole);
        Some(self.member_at(list, element, n.reg, call))
    }

    fn member_at(&mut self, a: Reg, element: Element, n: Reg, call: &Call<'_>) -> Operand {
        // Only a piece can be `none`; elsewhere no member could not be told from one.
        let must = !matches!(element, Element::Piece(_) | Element::Any);
        self.emit(Op::Nth { d: call.d, a, n, must });
        Operand { reg: call.d, ty: element.member(), bounds: None }
    }

    /// Returns the type of the areas of the plan; a fault if there is no plan.
    fn plan_type(&mut self) -> Option<Type> {
        if let Some(kind) = self.schema.plan_kind() {
            return Some(Type::Piece(kind));
        }
        let message = "this needs a drawn plan, and no kind of this game has one";
        let fault = self.faults.error("no-plan", self.b.at, message);
        fault.help("write `plan = true` in the kind that is the areas of the plan");
        None
    }

    fn of_areas(
        &mut self,
        function: Native,
        ty: Type,
        bounds: Bounds,
        call: &Call<'_>,
    ) -> Option<Operand> {
        let [a, b] = call.args else { return None };
        let plan = self.plan_type()?;
        let a = self.expect(a, plan);
        let b = self.expect(b, plan);
        self.native(function, a.reg, b.reg, call);
        Some(Operand { reg: call.d, ty, bounds })
    }

    /// Compiles where an area lies from another and a direction, by a function of bearing and direction.
    fn off(
        &mut self,
        function: Native,
        ty: Type,
        args: &[Expr],
        call: &Call<'_>,
    ) -> Option<Operand> {
        let [a, heading, b] = args else { return None };
        let plan = self.plan_type()?;
        if self.schema.plan_kind().is_some_and(|kind| self.schema.kind(kind).grid == Grid::Square) {
            let message = "this needs a plan of hexes, and this one is of squares";
            let fault = self.faults.error("no-plan", self.b.at, message);
            fault.help("write `plan = \"hex\"` in the kind that is the areas of the plan");
            return None;
        }
        let a = self.expect(a, plan);
        let heading = self.expect(heading, Type::Word(DIRECTION));
        let b = self.expect(b, plan);
        self.native(bearing, a.reg, b.reg, call);
        self.native(function, call.d, heading.reg, call);
        Some(Operand { reg: call.d, ty, bounds: None })
    }

    fn arc(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [args @ .., sides] = call.args else { return None };
        self.off(quarters_off, Type::Whole, args, call)?;
        let sides = self.expect(sides, Type::Whole);
        self.native(in_arc, call.d, sides.reg, call);
        Some(Operand { reg: call.d, ty: Type::Flag, bounds: None })
    }

    fn step(&mut self, call: &Call<'_>) -> Option<Operand> {
        let ([a, b] | [a, b, _]) = call.args else { return None };
        let plan = self.plan_type()?;
        let a = self.expect(a, plan);
        let b = self.expect(b, Type::Word(DIRECTION));
        let n = match call.args.get(2) {
            Some(n) => self.expect(n, Type::Whole),
            None => self.small(1, Type::Whole),
        };
        self.emit(Op::Step { d: call.d, a: a.reg, b: b.reg, n: n.reg });
        let ty = match plan {
            Type::Piece(kind) => Type::List(Element::Piece(kind)),
            _ => Type::Unknown,
        };
        Some(Operand { reg: call.d, ty, bounds: None })
    }

    /// Compiles an argument that must be a word, and returns it with the place of the last word of its set.
    fn word_arg(&mut self, a: &Expr) -> (Operand, Option<i64>) {
        let word = self.expr(a, None);
        let last = match word.ty {
            Type::Word(set) => Some(self.schema.word_set(set).values.len() as i64 - 1),
            Type::Unknown => None,
            other => {
                self.expected("a word", other, a.span);
                None
            }
        };
        (word, last)
    }

    fn neighbour_word(&mut self, next: bool, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let (word, last) = self.word_arg(a);
        if let (Type::Word(set), Some(last)) = (word.ty, last)
            && self.schema.word_set(set).round
        {
            let by = self.constant(if next { 1 } else { -1 });
            return Some(self.turned_by(word, by, last + 1, call));
        }
        let d = call.d;
        let by = self.constant(if next { 1 } else { -1 });
        let end = self.constant(if next { last.unwrap_or(0) } else { 0 });
        let op = if next { NumberOp::Min } else { NumberOp::Max };
        self.emit(Op::Number { op: NumberOp::Add, fraction: false, d, a: word.reg, b: by });
        self.emit(Op::Number { op, fraction: false, d, a: d, b: end });
        Some(Operand { reg: d, ty: word.ty, bounds: None })
    }

    fn number_of_word(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let (word, last) = self.word_arg(a);
        self.emit(Op::Move { d: call.d, s: word.reg });
        Some(Operand { reg: call.d, ty: Type::Whole, bounds: last.map(|last| (0, last)) })
    }

    /// Compiles `word(piece.attribute)`, a text of its own.
    fn word_of_number(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let part = match self.named_number(a) {
            Some((reg, column)) => TextPart::Named(reg, column),
            None => {
                let value = self.expr(a, None);
                if !matches!(value.ty, Type::Word(_) | Type::Unknown) {
                    let message = "this number has no names";
                    let fault = self.faults.error("no-names", a.span, message);
                    fault.help("give the attribute `names = [\"…\", \"…\"]`");
                }
                TextPart::Value(value.reg, value.ty)
            }
        };
        Some(self.text_of(part, call))
    }

    fn name_of(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let piece = self.expr(a, None);
        Some(self.text_of(TextPart::Value(piece.reg, piece.ty), call))
    }

    fn text_of(&mut self, part: TextPart, call: &Call<'_>) -> Operand {
        let template = self.new_template(vec![part]);
        self.emit(Op::Text { d: call.d, template });
        Operand { reg: call.d, ty: Type::Text, bounds: None }
    }

    /// Returns the value of an attribute that has names for its numbers, and its column.
    pub(super) fn named_number(&mut self, e: &Expr) -> Option<(Reg, ColumnId)> {
        let ExprKind::Member(of, name) = &e.kind else { return None };
        let kind = match (&of.kind, self.probe(of)) {
            (ExprKind::Name(n), _) if n == "state" && self.b.find(n).is_none() => STATE,
            (_, Type::Piece(kind)) => kind,
            _ => return None,
        };
        let attribute = self.schema.kind(kind).attribute(&name.text)?;
        let column = attribute.storage.cell().filter(|_| !attribute.names.is_empty())?;
        Some((self.expr(e, None).reg, column))
    }

    fn opposite(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a] = call.args else { return None };
        let a = self.expect(a, Type::Word(DIRECTION));
        let all = self.schema.word_set(DIRECTION).values.len() as i64;
        let half = self.constant(all / 2);
        Some(self.turned_by(a, half, all, call))
    }

    fn turned(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [a, n] = call.args else { return None };
        let a = self.expect(a, Type::Word(DIRECTION));
        let n = self.expect(n, Type::Whole);
        let all = self.schema.word_set(DIRECTION).values.len() as i64;
        Some(self.turned_by(a, n.reg, all, call))
    }

    /// Compiles the word so many further on in a round set of so many.
    fn turned_by(&mut self, a: Operand, n: Reg, all: i64, call: &Call<'_>) -> Operand {
        let d = call.d;
        let all = self.constant(all);
        self.emit(Op::Number { op: NumberOp::Add, fraction: false, d, a: a.reg, b: n });
        self.emit(Op::Word { op: WordOp::Mod, d, a: d, b: all });
        Operand { reg: d, ty: a.ty, bounds: None }
    }

    fn dice_by_number(&mut self, call: &Call<'_>) -> Option<Operand> {
        let [count, sides] = call.args else { return None };
        let count = self.expect(count, Type::Whole);
        // Dice that stand for a number are thrown so many times, and not once for the sides.
        let thrown = std::mem::replace(&mut self.b.dice, false);
        let value = self.expr(sides, Some(Type::Dice));
        self.b.dice = thrown;
        if !thrown {
            self.dice_outside();
        }
        if value.ty == Type::Dice {
            let (d, count, dice) = (call.d, count.reg, value.reg);
            self.emit(Op::RollValue { d, count, dice });
            return Some(Operand { reg: d, ty: Type::Whole, bounds: None });
        }
        let sides = self.coerce(value, Type::Whole, sides.span);
        self.emit(Op::RollDice { d: call.d, count: count.reg, sides: sides.reg });
        let bounds = count.bounds.zip(sides.bounds);
        let bounds = bounds.and_then(|((a, b), (_, s))| Some((a, b.checked_mul(s)?)));
        Some(Operand { reg: call.d, ty: Type::Whole, bounds })
    }
}
