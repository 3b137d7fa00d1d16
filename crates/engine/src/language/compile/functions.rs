//! The built-in functions. Each has a single entry, which contains everything about the function.
//!
//! An entry specifies how a call is written, the types of the arguments, and how the code is
//! emitted. The value is computed either by instructions or by [`Native`] functions of at most two
//! values, which are also defined in this file.

use crate::diagnostic::{Fault, Faults};
use crate::language::code::{Native, NativeContext, NumberOp, Op, Reg, TextPart, UnaryOp, WordOp};
use crate::language::compile::Compiler;
use crate::language::compile::builder::{Operand, ValueRange};
use crate::language::machine::PlayFault;
use crate::language::number::{Number, Rounding};
use crate::language::schema::{DIRECTION_WORDS, Element, Type};
use crate::language::syntax::{Expr, ExprKind, Operator};

/// The upper bound that is assumed for numbers of members and steps.
const ASSUMED_MAX_COUNT: i64 = 1_000_000;

/// A built-in function.
pub struct BuiltIn {
    /// The syntax of the function, for help.
    pub usage: &'static str,
    /// The English phrase for a call in the printed rules, where `{0}` is the first argument. If
    /// the value is a flag and the phrase begins with an argument, the rest is a predicate about
    /// that argument.
    pub phrase: &'static str,
    /// A sample call and its value as text, on a plan of hexes with `a = a1`, `b = b2`, `c = c1`
    /// and a man named `ann`.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test reads it"))]
    example: (&'static str, &'static str),
    takes: &'static [ArgumentKind],
    /// The function that compiles a call once the arguments are in their registers.
    compile: Compile,
}

type Compile = fn(&mut Compiler<'_>, &BuiltInCall<'_>) -> Operand;

impl BuiltIn {
    const fn new(
        usage: &'static str,
        phrase: &'static str,
        example: (&'static str, &'static str),
        takes: &'static [ArgumentKind],
        compile: Compile,
    ) -> BuiltIn {
        BuiltIn { usage, phrase, example, takes, compile }
    }

    /// Returns the name of the function: the part of `usage` before the first bracket.
    pub(crate) fn name(&self) -> &'static str {
        self.usage.split_once('(').map_or(self.usage, |(name, _)| name)
    }
}

/// The type of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Any,
    Number,
    Whole,
    /// A whole number, or 1 if it is left out.
    Count,
    Word,
    Direction,
    List,
    Area,
    /// An area of a plan of hexes.
    Hex,
    /// An expression that the function compiles itself.
    Unread,
}

use ArgumentKind as T;

/// A call of a built-in function.
struct BuiltInCall<'e> {
    args: &'e [Expr],
    /// The values of the arguments, one for each parameter.
    values: &'e [Operand],
    /// The register for the value.
    d: Reg,
}

impl BuiltInCall<'_> {
    fn result(&self, ty: Type, bounds: ValueRange) -> Operand {
        Operand { reg: self.d, ty, bounds }
    }
}

/// All built-in functions.
pub const FUNCTIONS: [BuiltIn; 25] = [
    BuiltIn::new(
        "floor(number)",
        "{0} (rounded down)",
        ("floor(7 / 2)", "3"),
        &[T::Unread],
        |c, call| c.rounded_value(Rounding::Floor, call),
    ),
    BuiltIn::new(
        "ceil(number)",
        "{0} (rounded up)",
        ("ceil(7 / 2)", "4"),
        &[T::Unread],
        |c, call| c.rounded_value(Rounding::Ceil, call),
    ),
    BuiltIn::new(
        "round(number)",
        "{0} (rounded)",
        ("round(5 / 2)", "3"),
        &[T::Unread],
        |c, call| c.rounded_value(Rounding::Round, call),
    ),
    BuiltIn::new(
        "min(a, b)",
        "the lower of {0} and {1}",
        ("min(2, 5)", "2"),
        &[T::Number, T::Number],
        |c, call| c.min_or_max(false, call),
    ),
    BuiltIn::new(
        "max(a, b)",
        "the higher of {0} and {1}",
        ("max(2, 5)", "5"),
        &[T::Number, T::Number],
        |c, call| c.min_or_max(true, call),
    ),
    BuiltIn::new("abs(a)", "{0} without its sign", ("abs(2 - 5)", "3"), &[T::Number], |c, call| {
        c.absolute_value(call)
    }),
    BuiltIn::new(
        "size(list)",
        "the number of {0}",
        ("size([4, 5, 6])", "3"),
        &[T::List],
        |c, call| {
            c.emit(Op::Unary { op: UnaryOp::Size, d: call.d, a: call.values[0].reg });
            call.result(Type::Whole, Some((0, ASSUMED_MAX_COUNT)))
        },
    ),
    BuiltIn::new(
        "first(list)",
        "the first of {0}",
        ("first([4, 5, 6])", "4"),
        &[T::List],
        |c, call| {
            let n = c.small_constant(1, Type::Whole);
            c.member_at(n, call)
        },
    ),
    BuiltIn::new(
        "last(list)",
        "the last of {0}",
        ("last([4, 5, 6])", "6"),
        &[T::List],
        |c, call| {
            let n = c.small_constant(-1, Type::Whole);
            c.member_at(n, call)
        },
    ),
    BuiltIn::new(
        "nth(list, n)",
        "number {1} of {0}",
        ("nth([4, 5, 6], 2)", "5"),
        &[T::List, T::Whole],
        |c, call| c.member_at(call.values[1], call),
    ),
    BuiltIn::new(
        "steps(area, area)",
        "the steps from {0} to {1}",
        ("steps(a, c)", "2"),
        &[T::Area, T::Area],
        |c, call| {
            c.native_call(steps_between, call.values[0].reg, call.values[1].reg, call);
            call.result(Type::Whole, Some((0, ASSUMED_MAX_COUNT)))
        },
    ),
    BuiltIn::new(
        "distance(area, area)",
        "the distance from {0} to {1}",
        ("distance(a, c)", "2"),
        &[T::Area, T::Area],
        |c, call| {
            c.native_call(distance_between, call.values[0].reg, call.values[1].reg, call);
            call.result(Type::Whole, Some((0, ASSUMED_MAX_COUNT)))
        },
    ),
    BuiltIn::new(
        "step(area, direction) or step(area, direction, n)",
        "the neighbour of {0} ({1})",
        ("first(step(b, north-east))", "c1"),
        &[T::Area, T::Direction, T::Count],
        |c, call| {
            let [a, b, n] = [0, 1, 2].map(|index| call.values[index].reg);
            c.emit(Op::Step { d: call.d, a, b, n });
            call.result(Type::List(call.values[0].ty.as_element()), None)
        },
    ),
    BuiltIn::new(
        "direction(area, area)",
        "the direction from {0} to {1}",
        ("direction(a, c)", "east"),
        &[T::Area, T::Area],
        |c, call| {
            c.native_call(direction_between, call.values[0].reg, call.values[1].reg, call);
            call.result(Type::Word(DIRECTION_WORDS), None)
        },
    ),
    BuiltIn::new(
        "line(area, area)",
        "{0} is in line with {1}",
        ("line(a, c)", "yes"),
        &[T::Area, T::Area],
        |c, call| {
            c.native_call(are_in_line, call.values[0].reg, call.values[1].reg, call);
            call.result(Type::Flag, None)
        },
    ),
    BuiltIn::new(
        "sides-off(area, direction, area)",
        "the number of sides by which {2} lies off the heading {1} at {0}",
        ("sides-off(b, east, c)", "-1"),
        &[T::Hex, T::Direction, T::Hex],
        |c, call| {
            c.angle_from_direction(sides_from_direction, call);
            call.result(Type::Number, None)
        },
    ),
    BuiltIn::new(
        "arc(area, direction, area, sides)",
        "{2} is in the arc of {3} sides around the heading {1} at {0}",
        ("arc(b, east, c, 2)", "yes"),
        &[T::Hex, T::Direction, T::Hex, T::Whole],
        |c, call| {
            c.angle_from_direction(quarters_from_direction, call);
            c.native_call(in_arc, call.d, call.values[3].reg, call);
            call.result(Type::Flag, None)
        },
    ),
    BuiltIn::new(
        "next(word)",
        "the one after {0}",
        ("next(small)", "medium"),
        &[T::Word],
        |c, call| c.neighbour_word(1, call),
    ),
    BuiltIn::new(
        "previous(word)",
        "the one before {0}",
        ("previous(medium)", "small"),
        &[T::Word],
        |c, call| c.neighbour_word(-1, call),
    ),
    BuiltIn::new(
        "number(word)",
        "{0} as a number",
        ("number(medium)", "1"),
        &[T::Word],
        |c, call| {
            let word = call.values[0];
            c.emit(Op::Move { d: call.d, s: word.reg });
            call.result(Type::Whole, c.word_count(word.ty).map(|count| (0, count - 1)))
        },
    ),
    BuiltIn::new(
        "word(piece.attribute)",
        "{0} in words",
        ("word(man.mood)", "calm"),
        &[T::Unread],
        |c, call| c.word_of_number(call),
    ),
    BuiltIn::new(
        "opposite(direction)",
        "the opposite of {0}",
        ("opposite(east)", "west"),
        &[T::Direction],
        |c, call| {
            let half = c.schema.word_set(DIRECTION_WORDS).values.len() / 2;
            let half = c.constant(half as i64);
            c.turned_by(half, call)
        },
    ),
    BuiltIn::new(
        "turned(direction, n)",
        "{0}, turned by {1}",
        ("turned(east, 1)", "south-east"),
        &[T::Direction, T::Whole],
        |c, call| c.turned_by(call.values[1].reg, call),
    ),
    BuiltIn::new("name(piece)", "{0}", ("name(man)", "ann"), &[T::Any], |c, call| {
        c.text_of(TextPart::Value(call.values[0].reg, call.values[0].ty), call)
    }),
    BuiltIn::new(
        "dice(count, sides) or dice(count, weapon.damage)",
        "{0} × d{1}",
        ("dice(2, 1)", "2"),
        &[T::Whole, T::Unread],
        |c, call| c.dice_by_number(call),
    ),
];

/// The built-in functions that a ruleset may define itself, as older rulesets did before these
/// functions existed.
pub(crate) const REDEFINABLE: [&str; 1] = ["distance"];

/// Returns the number of steps between two areas: the steps on the plan plus the levels between
/// them.
fn steps_between(context: &NativeContext<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, levels) = context.seats_of(a, b)?;
    Ok(grid.steps(a, b) + levels.abs())
}

/// Returns the distance between two areas, where a diagonal step counts as one step: the steps on
/// the plan plus the levels between them.
fn distance_between(context: &NativeContext<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, levels) = context.seats_of(a, b)?;
    Ok(grid.distance(a, b) + levels.abs())
}

/// Returns 1 if two different areas are in one straight line on the same level, otherwise 0.
fn are_in_line(context: &NativeContext<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, levels) = context.seats_of(a, b)?;
    Ok(i64::from(levels == 0 && grid.in_line(a, b)))
}

/// Returns the number of the direction that is nearest to the bearing from one area to another, or
/// 0 for the same seat.
fn direction_between(context: &NativeContext<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, _) = context.seats_of(a, b)?;
    Ok(grid.nearest_direction(a, b))
}

/// Returns the bearing from one hex to another in quarters of a side, or -1 for the same hex.
fn bearing_between(context: &NativeContext<'_>, a: i64, b: i64) -> Result<i64, PlayFault> {
    let (grid, a, b, _) = context.seats_of(a, b)?;
    Ok(grid.bearing(a, b).unwrap_or(-1))
}

/// Returns the clockwise angle from a direction to a bearing, from -11 to 12 quarters of a side. A
/// bearing of -1, which means the same hex, gives 0.
fn quarters_from_direction(
    _: &NativeContext<'_>,
    bearing: i64,
    direction: i64,
) -> Result<i64, PlayFault> {
    let off = (bearing - 4 * direction + 11).rem_euclid(24) - 11;
    Ok(if bearing < 0 { 0 } else { off })
}

/// Returns the clockwise angle from a direction to a bearing in sides, as a packed fraction.
fn sides_from_direction(
    context: &NativeContext<'_>,
    bearing: i64,
    direction: i64,
) -> Result<i64, PlayFault> {
    let sides = Number::new(i128::from(quarters_from_direction(context, bearing, direction)?), 4);
    Ok(sides.ok_or(PlayFault::TooLarge)?.to_bits())
}

/// Returns 1 if a bearing that is `quarters` quarters of a side off the heading is inside an arc of
/// `sides` sides, otherwise 0.
fn in_arc(_: &NativeContext<'_>, quarters: i64, sides: i64) -> Result<i64, PlayFault> {
    Ok(i64::from(quarters.abs() <= sides.saturating_mul(2)))
}

fn absolute_whole(_: &NativeContext<'_>, a: i64, _: i64) -> Result<i64, PlayFault> {
    a.checked_abs().ok_or(PlayFault::TooLarge)
}

fn absolute_fraction(_: &NativeContext<'_>, a: i64, _: i64) -> Result<i64, PlayFault> {
    let number = Number::from_bits(a);
    Ok(if number < Number::ZERO { number.negated() } else { number }.to_bits())
}

impl Compiler<'_> {
    /// Compiles a call of a built-in function.
    pub(super) fn built_in(&mut self, function: &BuiltIn, args: &[Expr]) -> Operand {
        let d = self.b.alloc();
        let mark = self.b.register_mark();
        let further = function.takes.get(args.len()..);
        if further.is_none_or(|further| further.iter().any(|t| *t != ArgumentKind::Count)) {
            let message =
                format!("`{}` is called with the wrong number of values", function.name());
            let fault = self.faults.error("wrong-arguments", self.b.at, message);
            fault.help(format!("write `{}`", function.usage));
            return Operand { reg: d, ty: Type::Unknown, bounds: None };
        }
        let mut values = Vec::new();
        for (index, takes) in function.takes.iter().enumerate() {
            let Some(value) = self.argument(*takes, args.get(index)) else {
                self.b.release_registers(mark);
                return Operand { reg: d, ty: Type::Unknown, bounds: None };
            };
            values.push(value);
        }
        let value = (function.compile)(self, &BuiltInCall { args, values: &values, d });
        self.b.release_registers(mark);
        value
    }

    /// Compiles an argument, or the number 1 if it is left out. Returns `None` after a fault that
    /// makes the call impossible.
    fn argument(&mut self, takes: ArgumentKind, arg: Option<&Expr>) -> Option<Operand> {
        let Some(e) = arg else { return Some(self.small_constant(1, Type::Whole)) };
        let ty = match takes {
            ArgumentKind::Unread => return Some(self.unknown_operand()),
            ArgumentKind::Any | ArgumentKind::Number | ArgumentKind::Word | ArgumentKind::List => {
                None
            }
            ArgumentKind::Whole | ArgumentKind::Count => Some(Type::Whole),
            ArgumentKind::Direction => Some(Type::Word(DIRECTION_WORDS)),
            ArgumentKind::Area | ArgumentKind::Hex => {
                Some(self.plan_type(takes == ArgumentKind::Hex)?)
            }
        };
        if let Some(ty) = ty {
            return Some(self.expect(e, ty));
        }
        let value = self.expr(e, None);
        match (takes, value.ty) {
            (ArgumentKind::Number, _) => {
                return Some(Operand { ty: self.require_number_type(value, e.span), ..value });
            }
            (ArgumentKind::List, Type::List(_) | Type::Unknown) => {}
            (ArgumentKind::List, other) => {
                self.report_type_mismatch("a list", other, e.span);
                return None;
            }
            (ArgumentKind::Word, Type::Word(_) | Type::Unknown) => {}
            (ArgumentKind::Word, other) => _ = self.report_type_mismatch("a word", other, e.span),
            (_, _) => {}
        }
        Some(value)
    }

    fn native_call(&mut self, function: Native, a: Reg, b: Reg, call: &BuiltInCall<'_>) {
        self.emit(Op::Native { function, d: call.d, a, b });
    }

    fn rounded_value(&mut self, how: Rounding, call: &BuiltInCall<'_>) -> Operand {
        let e = &call.args[0];
        let d = call.d;
        // In the most common case, a quotient of two whole numbers, no fraction is needed.
        if let ExprKind::Binary(Operator::Divide, a, b) = &e.kind {
            let x = self.expr(a, None);
            let y = self.expr(b, None);
            let p = self.require_number_type(x, a.span);
            let q = self.require_number_type(y, b.span);
            if p != Type::Number && q != Type::Number {
                self.emit(Op::Word { op: WordOp::Div(how), d, a: x.reg, b: y.reg });
                let bounds = x.bounds.zip(y.bounds).and_then(|((l, h), (c, _))| {
                    let most = l.checked_abs()?.max(h.checked_abs()?);
                    (c > 0).then_some((if l < 0 { -most } else { 0 }, most))
                });
                return call.result(Type::Whole, bounds);
            }
            let x = self.coerce(x, Type::Number, a.span);
            let y = self.coerce(y, Type::Number, b.span);
            self.emit(Op::Word { op: WordOp::Quotient, d, a: x.reg, b: y.reg });
            self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: d });
            return call.result(Type::Whole, None);
        }
        let value = self.expr(e, None);
        match self.require_number_type(value, e.span) {
            Type::Number => self.emit(Op::Unary { op: UnaryOp::Round(how), d, a: value.reg }),
            _ => self.emit(Op::Move { d, s: value.reg }),
        };
        call.result(Type::Whole, value.bounds)
    }

    fn min_or_max(&mut self, high: bool, call: &BuiltInCall<'_>) -> Operand {
        let fraction = call.values.iter().any(|value| value.ty == Type::Number);
        let ty = if fraction { Type::Number } else { Type::Whole };
        let [x, y] = [0, 1].map(|i| self.coerce(call.values[i], ty, call.args[i].span));
        let op = if high { NumberOp::Max } else { NumberOp::Min };
        self.emit(Op::Number { op, fraction, d: call.d, a: x.reg, b: y.reg });
        let bounds = x.bounds.zip(y.bounds).map(|(p, q)| {
            if high { (p.0.max(q.0), p.1.max(q.1)) } else { (p.0.min(q.0), p.1.min(q.1)) }
        });
        call.result(ty, bounds)
    }

    fn absolute_value(&mut self, call: &BuiltInCall<'_>) -> Operand {
        let value = call.values[0];
        let function = if value.ty == Type::Number { absolute_fraction } else { absolute_whole };
        self.native_call(function, value.reg, value.reg, call);
        call.result(value.ty, value.bounds.map(|(l, h)| (0, l.abs().max(h.abs()))))
    }

    fn member_at(&mut self, n: Operand, call: &BuiltInCall<'_>) -> Operand {
        let list = call.values[0];
        let element = list.ty.as_element();
        // Only a piece can be `none`; in other lists, a missing member would look like a real one.
        let must = !matches!(element, Element::Piece(_) | Element::Any);
        self.emit(Op::Nth { d: call.d, a: list.reg, n: n.reg, must });
        call.result(element.member_type(), None)
    }

    /// Returns the type of the plan's areas. Reports a fault if there is no plan, or if a plan of
    /// hexes is required and the plan has squares.
    fn plan_type(&mut self, hexes: bool) -> Option<Type> {
        let kind = self.schema.plan_kind();
        let grid = kind.map(|kind| self.schema.kind(kind).grid);
        let (message, help) = match grid {
            None => (
                "this needs a drawn plan, but this game has none",
                "write `plan = true` in the kind whose pieces are the areas of the plan",
            ),
            Some(grid) if hexes && !grid.is_hexes() => (
                "this needs a plan of hexes, but this plan has squares",
                "write `plan = \"hex\"` in the kind whose pieces are the areas of the plan",
            ),
            Some(_) => return kind.map(Type::Piece),
        };
        self.faults.error("no-plan", self.b.at, message).help(help);
        None
    }

    /// Compiles the angle between a direction at one area and the bearing to another area;
    /// `function` computes it from the bearing and the direction.
    fn angle_from_direction(&mut self, function: Native, call: &BuiltInCall<'_>) {
        self.native_call(bearing_between, call.values[0].reg, call.values[2].reg, call);
        self.native_call(function, call.d, call.values[1].reg, call);
    }

    /// Returns the number of words in a set, or `None` if the type isn't that of a word.
    fn word_count(&self, ty: Type) -> Option<i64> {
        let Type::Word(set) = ty else { return None };
        Some(self.schema.word_set(set).values.len() as i64)
    }

    fn neighbour_word(&mut self, step: i64, call: &BuiltInCall<'_>) -> Operand {
        let word = call.values[0];
        let d = call.d;
        let by = self.constant(step);
        if matches!(word.ty, Type::Word(set) if self.schema.word_set(set).round) {
            return self.turned_by(by, call);
        }
        let (op, end) = match step {
            1 => (NumberOp::Min, self.word_count(word.ty).map_or(0, |count| count - 1)),
            _ => (NumberOp::Max, 0),
        };
        let end = self.constant(end);
        self.emit(Op::Number { op: NumberOp::Add, fraction: false, d, a: word.reg, b: by });
        self.emit(Op::Number { op, fraction: false, d, a: d, b: end });
        call.result(word.ty, None)
    }

    /// Compiles the word `n` positions further on in a set whose words run in a circle.
    fn turned_by(&mut self, n: Reg, call: &BuiltInCall<'_>) -> Operand {
        let word = call.values[0];
        let d = call.d;
        let all = self.constant(self.word_count(word.ty).unwrap_or(1));
        self.emit(Op::Number { op: NumberOp::Add, fraction: false, d, a: word.reg, b: n });
        self.emit(Op::Word { op: WordOp::Mod, d, a: d, b: all });
        call.result(word.ty, None)
    }

    /// Compiles `word(piece.attribute)`, whose value is a text.
    fn word_of_number(&mut self, call: &BuiltInCall<'_>) -> Operand {
        let a = &call.args[0];
        let part = self.named_number(a).unwrap_or_else(|| {
            let value = self.expr(a, None);
            if !matches!(value.ty, Type::Word(_) | Type::Unknown) {
                let message = "this number has no names";
                let fault = self.faults.error("no-names", a.span, message);
                fault.help("give the attribute `names = [\"…\", \"…\"]`");
            }
            TextPart::Value(value.reg, value.ty)
        });
        self.text_of(part, call)
    }

    fn text_of(&mut self, part: TextPart, call: &BuiltInCall<'_>) -> Operand {
        let template = self.new_template(vec![part]);
        self.emit(Op::Text { d: call.d, template });
        call.result(Type::Text, None)
    }

    /// If an expression reads an attribute whose numbers have names, compiles it and returns a text
    /// part that shows the name of the value. Otherwise returns `None`.
    pub(super) fn named_number(&mut self, e: &Expr) -> Option<TextPart> {
        let (_, attribute) = self.attribute_named(e)?;
        let column = attribute.storage.cell().filter(|_| !attribute.names.is_empty())?;
        Some(TextPart::Named(self.expr(e, None).reg, column))
    }

    fn dice_by_number(&mut self, call: &BuiltInCall<'_>) -> Operand {
        let count = call.values[0];
        let sides = &call.args[1];
        // If the second argument is dice, these dice are rolled `count` times. They must not be
        // rolled here to find a number of sides.
        let thrown = std::mem::replace(&mut self.b.dice, false);
        let value = self.expr(sides, Some(Type::Dice));
        self.b.dice = thrown;
        if !thrown {
            self.report_dice_outside_roll();
        }
        if value.ty == Type::Dice {
            self.emit(Op::RollValue { d: call.d, count: count.reg, dice: value.reg });
            return call.result(Type::Whole, None);
        }
        let sides = self.coerce(value, Type::Whole, sides.span);
        self.emit(Op::RollDice { d: call.d, count: count.reg, sides: sides.reg });
        let bounds = count.bounds.zip(sides.bounds);
        let bounds = bounds.and_then(|((a, b), (_, s))| Some((a, b.checked_mul(s)?)));
        call.result(Type::Whole, bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::{ArgumentKind, FUNCTIONS};
    use crate::referee::testing::Trial;

    /// Returns a ruleset with a plan of hexes from a1 to c3, a man, and a rule `try` that takes
    /// three areas and the man and whose statements are `said`.
    fn rules(said: &str) -> String {
        format!(
            r#"
[words.size]
values = ["small", "medium", "large"]
[kind.area]
plan = "hex"
[kind.man]
size = {{ one_of = "size" }}
mood = {{ from = 0, to = 1, names = ["calm", "angry"] }}
[rule.try]
usage = "try <a:area> <b:area> <c:area> <man:man>"
after = {said}
[[scenario.one.level]]
plan = """
aaa
aaa
aaa"""
[scenario.one.legend]
a = {{}}
[scenario.one.pieces.man]
ann = {{}}
"#
        )
    }

    #[test]
    fn each_gives_the_value_of_its_example() {
        for function in &FUNCTIONS {
            let (call, value) = function.example;
            assert!(call.contains(&format!("{}(", function.name())), "{call}");
            // Dice are only rolled in a `let`.
            let roll = if function.name() == "dice" { "roll " } else { "" };
            let suffix = if roll.is_empty() { "" } else { " \"dice\"" };
            let said = format!("'let value = {roll}{call}{suffix}; say \"{{value}}\"'");
            let mut trial = Trial::set_up(&rules(&said));
            trial.faces = vec![1, 1];
            let events = trial.call_rule("try", &["a1", "b2", "c1", "ann"]);
            assert!(events.contains(&value.to_owned()), "{call}: {events:?}");
        }
    }

    #[test]
    fn phrases_name_only_the_arguments_there_are() {
        for function in &FUNCTIONS {
            let count = function.takes.len();
            let is_named = |index: usize| function.phrase.contains(&format!("{{{index}}}"));
            assert!((count..9).all(|index| !is_named(index)), "{}", function.usage);
            let wanted = function.takes.iter().filter(|takes| **takes != ArgumentKind::Count);
            assert!((0..wanted.count()).all(is_named), "{}", function.usage);
        }
    }
}
