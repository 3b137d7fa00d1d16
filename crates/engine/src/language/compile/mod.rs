//! Checks rule text and compiles it, in one walk: every name, type, row, argument and word is resolved here.
//!
//! All faults of all rule texts are gathered. What is faulty has the type [`Type::Unknown`], which fits
//! everything, so that one fault brings no second. Each function is compiled once, when it is first needed.

use crate::diagnostic::{Fault, Faults};
mod builder;
mod call;
mod check;
mod decks;
mod expression;
mod functions;
mod lists;
mod loops;
mod names;
mod operators;
mod quantity;
mod rule;
mod statement;

use std::sync::Arc;

use builder::{Builder, Operand, RangedType, StopJump, ValueRange};
pub use functions::FUNCTIONS;
use indexmap::{IndexMap, IndexSet};
pub use rule::filters;

use crate::diagnostic::{Declaration, Diagnostic};
use crate::language::code::{
    Call, Function, LATER, Limits, Op, PlanColumns, Program, Reg, ValueUse,
};
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, FunctionId, KindId, Param, RuleId, Schema, Type, Unit,
};
use crate::language::syntax::{Expr, Operator};
use crate::source::Span;

/// Gives the kind and row of a piece by its name; for conditions that speak of the pieces of a scenario.
pub(crate) type PieceNames<'a> = dyn Fn(&str) -> Option<(KindId, u32)> + 'a;

/// The state of knowledge about a function's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultState {
    Unseen,
    Underway,
    /// Compiled once with its own type unknown; the type that was found then.
    Guessed(Type),
    Done(Type, ValueRange),
}

/// An attribute beside a whole number.
#[derive(Clone, Copy, Debug)]
pub struct ComparedAttribute {
    /// The span of both and of the comparison between them.
    pub span: Span,
    /// The comparison.
    pub operator: Operator,
    /// The lowest and the highest value of the attribute.
    pub limits: (i64, i64),
    /// The number.
    pub with: i64,
}

/// The facts about rule text that are lost in its code and that the lints need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// The spans of the parameters whose value is read.
    pub asked: IndexSet<Span>,
    /// The types of the kinds, lists and sets of words that are called by their names, some more than once.
    pub named: Vec<Type>,
    /// The attributes on the left of a whole number, by the places of their names.
    pub compared: IndexMap<Span, ComparedAttribute>,
}

/// Compiles all of a schema's units.
pub(crate) fn compile(schema: &Schema, faults: &mut Vec<Diagnostic>) -> (Program, Notes) {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    for index in 0..schema.units.len() {
        compiler.ensure(FunctionId::from_index(index));
        if compiler.faults.len() > crate::diagnostic::MOST {
            break;
        }
    }
    faults.append(&mut compiler.faults);
    let known = |r: &ResultState| match r {
        ResultState::Done(ty, bounds) => (*ty, *bounds),
        ResultState::Unseen | ResultState::Underway | ResultState::Guessed(_) => {
            (Type::Unknown, None)
        }
    };
    compiler.program.results = compiler.results.iter().map(known).collect();
    (compiler.program, compiler.notes)
}

/// Returns the type of every expression in the texts of a schema without faults, by its span.
pub(crate) fn types(schema: &Schema) -> IndexMap<Span, Type> {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    compiler.types = Some(IndexMap::new());
    (0..schema.units.len()).for_each(|index| compiler.ensure(FunctionId::from_index(index)));
    compiler.types.unwrap_or_default()
}

/// Returns the types of all derived attributes, for the schema: kind, index of the attribute, type.
pub(crate) fn derived_types(schema: &Schema) -> Vec<(KindId, usize, Type)> {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    let mut found = Vec::new();
    for (kind, of) in schema.all_kinds() {
        for (index, attribute) in of.attributes.iter().enumerate() {
            if let AttributeStorage::Computed(function) = attribute.storage {
                let (ty, _) = compiler.result_of(function, attribute.span);
                found.push((kind, index, ty));
            }
            if compiler.faults.len() > crate::diagnostic::MOST {
                return found;
            }
        }
    }
    found
}

/// Compiles one more text against a program that is there, and appends its function to the program; its type is given
/// too.
pub(crate) fn compile_more(
    schema: &Schema,
    program: Program,
    names: Option<&PieceNames<'_>>,
    text: &Unit,
    faults: &mut Vec<Diagnostic>,
) -> (Program, FunctionId, Type) {
    let mut compiler = Compiler::new(schema, program, names);
    let name = if matches!(text, Unit::Block(..)) { "statements" } else { "condition" };
    let (id, ty) = compiler.append(name, text);
    faults.append(&mut compiler.faults);
    (compiler.program, id, ty)
}

pub(super) struct Compiler<'a> {
    schema: &'a Schema,
    program: Program,
    faults: Vec<Diagnostic>,
    results: Vec<ResultState>,
    names: Option<&'a PieceNames<'a>>,
    /// Where a function was called before its type was known.
    itself: Option<Span>,
    /// Functions that were called before their type was known.
    recursive: IndexSet<FunctionId>,
    /// Functions in the order they were compiled.
    completed: Vec<FunctionId>,
    /// The rule or definition being compiled: if it could not be read whole, its names are not all known.
    within: Option<Declaration>,
    /// The types of expressions by their spans; `None` if the caller does not need them.
    types: Option<IndexMap<Span, Type>>,
    notes: Notes,
    /// The function being compiled.
    b: Builder,
}

impl<'a> Compiler<'a> {
    fn new(schema: &'a Schema, mut program: Program, names: Option<&'a PieceNames<'a>>) -> Self {
        program.plan = plan_columns(schema);
        program
            .functions
            .resize_with(schema.units.len().max(program.functions.len()), Arc::default);
        let mut results: Vec<ResultState> =
            program.results.iter().map(|&(ty, bounds)| ResultState::Done(ty, bounds)).collect();
        results.resize(program.functions.len(), ResultState::Unseen);
        Compiler {
            schema,
            program,
            faults: Vec::new(),
            results,
            names,
            itself: None,
            recursive: IndexSet::new(),
            completed: Vec::new(),
            within: None,
            types: None,
            notes: Notes::default(),
            b: Builder::default(),
        }
    }

    /// Compiles one more function and puts it at the end of the program.
    fn append(&mut self, name: &str, unit: &Unit) -> (FunctionId, Type) {
        let (function, ty, bounds) = self.unit(name, unit);
        let id = FunctionId::from_index(self.program.functions.len());
        self.program.functions.push(Arc::new(function));
        self.program.results.resize(id.index(), (Type::Unknown, None));
        self.program.results.push((ty, bounds));
        (id, ty)
    }

    /// Compiles a function if that has not been done.
    fn ensure(&mut self, id: FunctionId) {
        if self.results[id.index()] != ResultState::Unseen {
            return;
        }
        self.results[id.index()] = ResultState::Underway;
        let schema = self.schema;
        let Some(unit) = schema.units.get(id.index()).and_then(Option::as_ref) else {
            self.results[id.index()] = ResultState::Done(Type::Unknown, None);
            return;
        };
        let name = unit_name(schema, id, unit);
        let faults = self.faults.len();
        let done = self.completed.len();
        let (mut function, mut ty, mut bounds) = self.unit(&name, unit);
        if self.recursive.swap_remove(&id) && ty != Type::Unknown {
            // It was used in itself, or in what it uses, before its type was known: all of that again.
            self.faults.truncate(faults);
            for again in self.completed.drain(done..) {
                self.results[again.index()] = ResultState::Unseen;
            }
            self.results[id.index()] = ResultState::Guessed(ty);
            let guess = ty;
            (function, ty, _) = self.unit(&name, unit);
            if ty != guess && self.faults.len() == faults {
                let span = function.spans.first().copied().unwrap_or_default();
                let message = "this value is of another type where it is computed from itself";
                self.faults.error("circular-value", span, message);
            }
            bounds = None;
        }
        self.program.functions[id.index()] = Arc::new(function);
        self.results[id.index()] = ResultState::Done(ty, bounds);
        self.completed.push(id);
    }

    /// Returns the type and bounds of a function's value.
    fn result_of(&mut self, id: FunctionId, span: Span) -> RangedType {
        self.ensure(id);
        match self.results[id.index()] {
            ResultState::Done(ty, bounds) => (ty, bounds),
            ResultState::Guessed(ty) => (ty, None),
            // Whoever calls itself has the type of its other branch; see `ensure`.
            ResultState::Unseen | ResultState::Underway => {
                self.recursive.insert(id);
                self.itself.get_or_insert(span);
                (Type::Unknown, None)
            }
        }
    }

    fn unit(&mut self, name: &str, unit: &Unit) -> (Function, Type, ValueRange) {
        let outer = std::mem::take(&mut self.b);
        let faults = self.faults.len();
        let outer_call = self.itself.take();
        let callable = match unit.plain() {
            Unit::Rule(id) | Unit::Entry(id) => Some(self.rule_of(*id).name.clone()),
            Unit::Define(id, _) => Some(self.schema.defines[id.index()].name.clone()),
            Unit::Value(..) | Unit::Block(..) | Unit::Remind(_) | Unit::Step(..) => None,
        };
        let outer_callable =
            std::mem::replace(&mut self.within, callable.map(Declaration::Callable));
        if let Unit::Step(step, _) = unit {
            let reg = self.constant(*step);
            let value = Operand { reg, ty: Type::Whole, bounds: Some((*step, *step)) };
            self.b.local("step", value, true);
        }
        let (ty, bounds) = match unit.plain() {
            Unit::Define(id, expr) => {
                let params = &self.schema.defines[id.index()].params;
                self.b.at = expr.span;
                self.params(params);
                self.within_limits(params);
                self.value_body(None, expr)
            }
            Unit::Value(params, want, expr) => {
                self.params(params);
                self.value_body(*want, expr)
            }
            Unit::Rule(id) => self.rule_body(*id),
            Unit::Entry(id) => self.entry_body(*id),
            Unit::Block(params, block) => {
                self.params(params);
                self.b.stops.push(Vec::new());
                self.block(block);
                self.land_stops();
                self.return_nothing()
            }
            Unit::Remind(remind) => self.reminder_body(remind),
            Unit::Step(..) => (Type::Unknown, None),
        };
        if ty == Type::Unknown
            && self.faults.len() == faults
            && let Some(span) = self.itself
        {
            let message = "this value would be computed from itself";
            self.faults.error("circular-value", span, message);
        }
        self.itself = outer_call;
        self.within = outer_callable;
        let built = std::mem::replace(&mut self.b, outer);
        (built.finish(name.to_owned(), matches!(ty, Type::List(_))), ty, bounds)
    }

    fn value_body(&mut self, want: Option<Type>, expr: &Expr) -> RangedType {
        self.b.pure = true;
        self.b.at = expr.span;
        let value = match want {
            Some(ty) => self.expect(expr, ty),
            None => self.expr(expr, None),
        };
        self.emit(Op::Return { a: value.reg });
        (value.ty, value.bounds)
    }

    /// Declares the parameters of a function.
    fn params(&mut self, params: &[Param]) {
        for p in params {
            self.b.param(&p.name, p.ty, p.bounds, p.span);
        }
    }

    fn return_nothing(&mut self) -> RangedType {
        let nothing = self.small(0, Type::Nothing);
        self.emit(Op::Return { a: nothing.reg });
        (Type::Nothing, None)
    }

    /// Reports that a value of another type is expected.
    fn expected(&mut self, wanted: &str, found: Type, span: Span) -> &mut Diagnostic {
        let message = format!("expected {wanted}, found {}", self.type_name(found));
        let fault = self.faults.error("wrong-type", span, message);
        match found {
            Type::Dice => fault.help("throw them in a statement: `let n = roll …`"),
            _ => fault,
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.b.emit(op)
    }

    /// Compiles a part in which nothing may be changed, rolled or asked.
    fn purely<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.b.pure, true);
        let value = compile(self);
        self.b.pure = outer;
        value
    }

    /// Compiles a part of the rule text: what is emitted in it has its place.
    fn at<T>(&mut self, span: Span, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.b.at, span);
        let value = compile(self);
        self.b.at = outer;
        value
    }

    /// Emits a call of a function whose arguments are in the registers from `base` on.
    fn emit_call(&mut self, function: FunctionId, base: Reg, value: ValueUse) {
        self.emit(Op::Call { call: Call { function, rule: None, base, value } });
    }

    fn emit_rule_call(&mut self, rule: RuleId, base: Reg, value: ValueUse) {
        let function = self.rule_of(rule).function;
        self.emit(Op::Call { call: Call { function, rule: Some(rule), base, value } });
    }

    /// Arguments that are worked out are checked when they are known.
    fn within_limits(&mut self, params: &[Param]) {
        for (index, param) in params.iter().enumerate() {
            let Some((low, high)) = param.bounds else { continue };
            if !matches!(param.ty, Type::Whole | Type::Number) {
                continue;
            }
            let limits = Limits { name: param.name.clone(), low, high };
            let limits = interned(&mut self.program.limits, limits);
            let fraction = param.ty == Type::Number;
            self.emit(Op::Within { a: index as Reg, limits, fraction });
        }
    }

    /// Lets all jumps of `stop` land here.
    fn land_stops(&mut self) {
        let stops = self.b.stops.pop().unwrap_or_default();
        self.b.land_all(stops.iter().map(|stop| stop.jump));
    }

    /// Lets all jumps of `stop` land here; names that have no value there yet get an empty one, as something may
    /// still ask for them.
    fn land_stops_with_names(&mut self) {
        let stops = self.b.stops.pop().unwrap_or_default();
        let missing = |stop: &StopJump| {
            let names = self.b.locals.iter().filter(|l| !stop.known.contains(&l.number));
            names.map(|l| (l.reg, l.ty)).collect::<Vec<_>>()
        };
        let missing: Vec<_> = stops.iter().map(missing).collect();
        let mut ends = Vec::new();
        for (stop, names) in stops.iter().zip(missing) {
            if names.is_empty() {
                ends.push(stop.jump);
                continue;
            }
            ends.push(self.emit(Op::Jump { to: LATER }));
            self.b.land(stop.jump);
            for (d, ty) in names {
                self.emit(Op::Small { d, n: empty(ty) });
            }
        }
        self.b.land_all(ends);
    }

    fn constant(&mut self, value: i64) -> u16 {
        let d = self.b.alloc();
        let op = match i32::try_from(value) {
            Ok(n) => Op::Small { d, n },
            Err(_) => Op::Const { d, k: interned(&mut self.program.constants, value) },
        };
        self.emit(op);
        d
    }

    fn rule_of(&self, id: RuleId) -> &'a super::rule::RuleText {
        &self.schema.rules[id.index()]
    }

    fn type_name(&self, ty: Type) -> String {
        self.schema.type_name(ty)
    }
}

/// Returns the number of an item of the program, which is added if it is not there yet.
fn interned<T: PartialEq>(all: &mut Vec<T>, item: T) -> u32 {
    let known = all.iter().position(|other| *other == item);
    known.unwrap_or_else(|| {
        all.push(item);
        all.len() - 1
    }) as u32
}

/// Returns the word of an empty value: `none`, 0, false, the first word, an empty text or list.
fn empty(ty: Type) -> i32 {
    match ty {
        Type::Piece(_) => -1,
        Type::Number => Number::ZERO.to_bits() as i32,
        Type::Whole | Type::Dice | Type::Flag | Type::Word(_) | Type::Text => 0,
        Type::List(_) | Type::Nothing | Type::Unknown => 0,
    }
}

fn unit_name(schema: &Schema, id: FunctionId, unit: &Unit) -> String {
    match unit.plain() {
        Unit::Define(define, _) => schema.defines[define.index()].name.clone(),
        Unit::Rule(rule) | Unit::Entry(rule) => schema.rules[rule.index()].name.clone(),
        Unit::Value(params, ..) | Unit::Block(params, _) => {
            let own = params.iter().find(|p| p.name == "self");
            let Some(Type::Piece(kind)) = own.map(|p| p.ty) else {
                let is_block = matches!(unit.plain(), Unit::Block(..));
                return if is_block { "statements" } else { "value" }.into();
            };
            let kind = schema.kind(kind);
            let computed = |a: &&Attribute| a.storage == AttributeStorage::Computed(id);
            match kind.attributes.iter().find(computed) {
                Some(attribute) => format!("{}.{}", kind.name, attribute.name),
                None if kind.on_set == Some(id) => format!("{} on_set", kind.name),
                None if kind.on_add == Some(id) => format!("{} on_add", kind.name),
                None => format!("{} seen_by", kind.name),
            }
        }
        Unit::Remind(_) => "reminder".into(),
        Unit::Step(..) => "step".into(),
    }
}

fn plan_columns(schema: &Schema) -> Option<PlanColumns> {
    let kind = schema.kind(schema.plan_kind()?);
    let column = kind.column("column")?;
    let row = kind.column("row")?;
    let level = kind.column("level")?;
    Some(PlanColumns { grid: kind.grid, column, row, level })
}
