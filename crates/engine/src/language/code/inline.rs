//! Short functions put in the place of their calls. Their registers stand behind those of the caller in either case.

use super::{Call, Effect, Function, Op, Program, Reg, Target};
use crate::language::machine::Live;
use crate::language::schema::FunctionId;
use crate::source::Span;

/// The most instructions of a function that is put in the place of a call.
const SHORT: usize = 60;
/// The same of one that is called nowhere else.
const SHORT_ONCE: usize = 400;
/// The most instructions of a function that others are put into.
const LONG: usize = 4000;
/// The most registers of such a function.
const WIDE: usize = 4096;
/// The most instructions by which all functions together get longer.
const ROOM: usize = 100_000;

impl Program {
    /// Puts short functions in the place of their calls within these, which stand innermost first; those that call
    /// themselves stay. Returns the functions that have become longer.
    pub(super) fn inline_calls(&mut self, functions: &[FunctionId]) -> Vec<FunctionId> {
        let mut calls = vec![0; self.functions.len()];
        for op in functions.iter().flat_map(|id| &self.functions[id.index()].code) {
            self.called(*op).into_iter().for_each(|id| calls[id.index()] += 1);
        }
        let mut room = ROOM;
        let longer = |id: &&FunctionId| self.inline_into(id.index(), &calls, &mut room);
        functions.iter().filter(longer).copied().collect()
    }

    /// Puts short functions in the place of their calls; `calls` says how often each is called.
    fn inline_into(&mut self, index: usize, calls: &[usize], room: &mut usize) -> bool {
        let function = &self.functions[index];
        let most = LONG.min(function.code.len() + *room);
        let mut longer = Longer { registers: function.registers, ..Longer::default() };
        for (&op, &span) in function.code.iter().zip(&function.spans) {
            longer.places.push(longer.code.len());
            match op {
                Op::Call { call } if longer.code.len() < most => {
                    let once = calls[call.function.index()] == 1;
                    match self.is_short(call, index, if once { SHORT_ONCE } else { SHORT }) {
                        true => longer.put_in(self, call),
                        false => longer.push(op, span, true),
                    }
                }
                _ => longer.push(op, span, true),
            }
        }
        let more = longer.code.len().saturating_sub(function.code.len());
        if more > 0 {
            *room = room.saturating_sub(more);
            self.functions[index] = longer.into_function(function).into();
        }
        more > 0
    }

    fn is_short(&self, call: Call, caller: usize, most: usize) -> bool {
        let short = &self.functions[call.function.index()];
        // What it calls would overwrite the register of the end of the list store.
        let releases = self.leaves_lists(short);
        let plain = |op: &Op| {
            let (mut op, mut plain) = (*op, true);
            op.effects(&mut |effect| match effect {
                // Texts, searches and bindings name registers of their own.
                Effect::Template(_) | Effect::Way(_) | Effect::Bindings(_) => plain = false,
                Effect::Call(inner) => {
                    let again = inner.function == call.function;
                    plain &= !releases && !again && inner.function.index() != caller;
                }
                Effect::Read(_) | Effect::Written(_) | Effect::Target(_) => {}
            });
            plain
        };
        call.function.index() != caller
            && short.code.len() <= most
            && usize::from(call.base) + usize::from(short.registers) < WIDE
            && !self.further.contains_key(&call.function)
            && short.code.iter().all(plain)
    }

    /// Returns true if a function puts something into the list store that is not its value.
    fn leaves_lists(&self, function: &Function) -> bool {
        use Op::{Call, GetList, Join, Mark, Narrow, Push, Step};
        let puts = |op: &Op| match op {
            Call { call } => self.functions[call.function.index()].gives_list,
            _ => matches!(
                op,
                GetList { .. }
                    | Join { .. }
                    | Mark { .. }
                    | Narrow { .. }
                    | Push { .. }
                    | Step { .. }
            ),
        };
        !function.gives_list && function.code.iter().any(puts)
    }
}

/// A function that others are put into.
#[derive(Default)]
struct Longer {
    code: Vec<Op>,
    spans: Vec<Span>,
    /// Whose jumps still lead to where they led in the function as it was.
    own: Vec<bool>,
    /// Where each of the function's own instructions has come to.
    places: Vec<usize>,
    registers: Reg,
}

impl Longer {
    fn push(&mut self, op: Op, span: Span, own: bool) {
        self.code.push(op);
        self.spans.push(span);
        self.own.push(own);
    }

    /// Puts a function here: its value comes to where the call would put it.
    fn put_in(&mut self, program: &Program, call: Call) {
        let short = &*program.functions[call.function.index()];
        // What it puts into the list store goes with it.
        let release = program.leaves_lists(short);
        let mark = call.base + short.registers;
        self.registers = self.registers.max(mark + 1);
        let first = short.spans.first().copied().unwrap_or_default();
        if release {
            self.push(Op::Mark { d: mark }, first, false);
        }
        // A call begins with nothing in the others.
        let live = Live::of(program, short);
        for reg in (short.params..short.registers).filter(|&reg| live.has(0, reg)) {
            self.push(Op::Small { d: call.base + reg, n: 0 }, first, false);
        }
        let mut places = Vec::new();
        let mut next = self.code.len();
        for op in &short.code {
            places.push(next);
            next += if matches!(op, Op::Return { .. }) { 2 } else { 1 };
        }
        let place = |to: Target| Target(places.get(to.0 as usize).copied().unwrap_or(next) as u32);
        for (&op, &span) in short.code.iter().zip(&short.spans) {
            if let Op::Return { a } = op {
                self.push(Op::Move { d: call.base, s: call.base + a }, span, false);
                self.push(Op::Jump { to: Target(next as u32) }, span, false);
                continue;
            }
            let mut op = op;
            op.shift(call.base);
            op.lead(place);
            self.push(op, span, false);
        }
        if release {
            self.push(Op::Release { a: mark }, first, false);
        }
    }

    fn into_function(mut self, before: &Function) -> Function {
        let end = self.code.len();
        let place =
            |to: Target| Target(self.places.get(to.0 as usize).copied().unwrap_or(end) as u32);
        for (op, _) in self.code.iter_mut().zip(&self.own).filter(|(_, own)| **own) {
            op.lead(place);
        }
        let (name, registers) = (before.name.clone(), self.registers);
        Function { name, code: self.code, spans: self.spans, registers, ..*before }
    }
}
