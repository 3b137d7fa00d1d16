//! Checks and compiles rule text in one pass, which resolves every name, type, row, argument and
//! word.
//!
//! All faults of all rule texts are collected. Anything faulty has the type [`Type::Unknown`],
//! which is compatible with everything, so that one fault doesn't cause others. Each function is
//! compiled when it is first needed, and again only if a type was not known the first time.

use crate::diagnostic::{Fault, Faults};
mod activation;
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
mod returns;
mod rule;
mod statement;

use std::sync::Arc;

use builder::{Builder, Operand, RangedType, StopJump, ValueRange};
pub use functions::FUNCTIONS;
pub(crate) use functions::REDEFINABLE;
use indexmap::{IndexMap, IndexSet};
pub use rule::sweep_filter_kinds;

use crate::diagnostic::{Declaration, Diagnostic};
use crate::language::code::{
    Call, Function, NamedRegister, Op, ParamLimits, PlanColumns, Program, Reg, UNPATCHED, ValueUse,
};
use crate::language::machine::MAX_CALLS;
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, FunctionId, KindId, Param, RuleId, Schema, Type,
};
use crate::language::syntax::{Expr, MemberSource, Operator};
use crate::source::Span;

/// A function that returns the kind and row of the piece with a given name. It is used for conditions
/// that name the pieces of a scenario.
pub(crate) type PieceNames<'a> = dyn Fn(&str) -> Option<(KindId, u32)> + 'a;

/// The maximum depth of nested expressions and blocks, including the nesting in the functions that
/// they use. Deeper nesting could overflow a thread's stack.
const MAX_NESTING: usize = 1_500;

/// The maximum number of types that are tried for the value of a recursive function.
const MAX_GUESSES: usize = 4;

/// The progress of inferring the type and bounds of a function's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultState {
    Unseen,
    Underway,
    Done(Type, ValueRange),
}

/// The facts about a function that are preserved when it is compiled again.
#[derive(Clone, Debug, Default)]
struct FunctionNotes {
    /// For a recursive function, the types of its value in earlier compilations, oldest first.
    guesses: Vec<Type>,
    /// The number of functions in the longest chain of calls that begins with the function.
    height: usize,
}

/// A comparison of an attribute with a whole number.
#[derive(Clone, Copy, Debug)]
pub struct ComparedAttribute {
    /// The span of the whole comparison.
    pub span: Span,
    /// The comparison operator, as written with the attribute on the left.
    pub operator: Operator,
    /// The lowest and the highest value of the attribute.
    pub limits: (i64, i64),
    /// The number on the right side.
    pub with: i64,
}

/// The facts about rule text that the lints need but the compiled code no longer contains.
#[derive(Clone, Debug, Default)]
pub(crate) struct LintNotes {
    /// The spans of the parameters that are read.
    pub asked: IndexSet<Span>,
    /// The types of the kinds, lists and sets of words that rule text names; a type can appear more
    /// than once.
    pub named: Vec<Type>,
    /// The comparisons of attributes with a whole number on the right, by the span of the
    /// attribute's name.
    pub compared: IndexMap<Span, ComparedAttribute>,
}

/// Compiles all units of a schema. Stops early after too many faults.
pub(crate) fn compile(schema: &Schema, faults: &mut Vec<Diagnostic>) -> (Program, LintNotes) {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    for index in 0..schema.units.len() {
        compiler.ensure_compiled(FunctionId::from_index(index));
        if compiler.faults.len() > crate::diagnostic::MAX_FAULTS {
            break;
        }
    }
    faults.append(&mut compiler.faults);
    let known = |r: &ResultState| match r {
        ResultState::Done(ty, bounds) => (*ty, *bounds),
        ResultState::Unseen | ResultState::Underway => (Type::Unknown, None),
    };
    compiler.program.results = compiler.results.iter().map(known).collect();
    (compiler.program, compiler.notes)
}

/// Returns the types of all expressions in the texts of a fault-free schema, by their spans.
pub(crate) fn expression_types(schema: &Schema) -> IndexMap<Span, Type> {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    compiler.types = Some(IndexMap::new());
    (0..schema.units.len())
        .for_each(|index| compiler.ensure_compiled(FunctionId::from_index(index)));
    compiler.types.unwrap_or_default()
}

/// Returns the kind, the index and the type of each derived attribute, or of only the first ones if
/// there are too many faults. With these types, the schema is complete.
pub(crate) fn derived_types(schema: &Schema) -> Vec<(KindId, usize, Type)> {
    let mut compiler = Compiler::new(schema, Program::default(), None);
    let mut found = Vec::new();
    for (kind, of) in schema.all_kinds() {
        for (index, attribute) in of.attributes.iter().enumerate() {
            if let AttributeStorage::Computed(function) = attribute.storage {
                let (ty, _) = compiler.result_type(function, attribute.span);
                found.push((kind, index, ty));
            }
            if compiler.faults.len() > crate::diagnostic::MAX_FAULTS {
                return found;
            }
        }
    }
    found
}

/// Compiles one more text against an existing program and appends its function. Returns the
/// program, the function and its type.
pub(crate) fn compile_addition(
    schema: &Schema,
    program: Program,
    names: Option<&PieceNames<'_>>,
    text: &CodeUnit,
    faults: &mut Vec<Diagnostic>,
) -> (Program, FunctionId, Type) {
    let mut compiler = Compiler::new(schema, program, names);
    let name = if matches!(text, CodeUnit::Block(..)) { "statements" } else { "condition" };
    let (id, ty) = compiler.append_function(name, text);
    faults.append(&mut compiler.faults);
    (compiler.program, id, ty)
}

pub(super) struct Compiler<'a> {
    schema: &'a Schema,
    program: Program,
    faults: Vec<Diagnostic>,
    results: Vec<ResultState>,
    function_notes: Vec<FunctionNotes>,
    /// The number of functions under compilation. Each is needed by the previous one.
    underway: usize,
    /// The depth of the nested expressions and blocks under compilation.
    nesting: usize,
    /// The greatest height of the functions that the current function calls; see
    /// [`FunctionNotes::height`].
    height: usize,
    names: Option<&'a PieceNames<'a>>,
    /// The span of a call to the current function that was compiled before the function's type was
    /// known.
    itself: Option<Span>,
    /// Functions that were called before their type was known.
    recursive: IndexSet<FunctionId>,
    /// Functions in the order they were compiled.
    completed: Vec<FunctionId>,
    /// The rule or definition under compilation. If it could not be parsed completely, that may be
    /// the cause of faults about unknown names.
    within: Option<Declaration>,
    /// The types of expressions by their spans; `None` if the caller does not need them.
    types: Option<IndexMap<Span, Type>>,
    notes: LintNotes,
    /// The types of lists that begin empty and are read before their first member is added, by the
    /// span of the empty list.
    list_types: IndexMap<Span, Type>,
    /// True if the last function has to be compiled again with the types of its lists.
    learned_list_types: bool,
    /// If the last text compiled was the condition under which a side sees a sweep: the names bound
    /// by the sweep that the condition reads.
    sweep_names: Vec<NamedRegister>,
    /// The function under compilation.
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
            faults: Vec::new(),
            function_notes: vec![FunctionNotes::default(); results.len()],
            program,
            results,
            underway: 0,
            nesting: 0,
            height: 0,
            names,
            itself: None,
            recursive: IndexSet::new(),
            completed: Vec::new(),
            within: None,
            types: None,
            notes: LintNotes::default(),
            list_types: IndexMap::new(),
            learned_list_types: false,
            sweep_names: Vec::new(),
            b: Builder::default(),
        }
    }

    /// Compiles one more function and appends it to the program.
    fn append_function(&mut self, name: &str, unit: &CodeUnit) -> (FunctionId, Type) {
        let (function, ty, bounds) = self.compile_unit(name, unit);
        let id = FunctionId::from_index(self.program.functions.len());
        self.program.functions.push(Arc::new(function));
        self.program.results.resize(id.index(), (Type::Unknown, None));
        self.program.results.push((ty, bounds));
        (id, ty)
    }

    /// Compiles a function unless it has been compiled already.
    fn ensure_compiled(&mut self, id: FunctionId) {
        if self.results[id.index()] != ResultState::Unseen {
            return;
        }
        let schema = self.schema;
        let Some(unit) = schema.units.get(id.index()).and_then(Option::as_ref) else {
            self.results[id.index()] = ResultState::Done(Type::Unknown, None);
            return;
        };
        self.results[id.index()] = ResultState::Underway;
        self.underway += 1;
        let outer_height = std::mem::take(&mut self.height);
        let name = unit_name(schema, id, unit);
        let faults = self.faults.len();
        let done = self.completed.len();
        let (function, ty, bounds) = loop {
            self.height = 0;
            let guess = self.function_notes[id.index()].guesses.last().copied();
            let (function, ty, bounds) = self.compile_unit(&name, unit);
            if std::mem::take(&mut self.learned_list_types) {
                self.forget_compiled(faults, done);
                continue;
            }
            let uses_itself = self.recursive.swap_remove(&id);
            if !uses_itself || ty == Type::Unknown {
                break (function, ty, bounds);
            }
            if guess == Some(ty) {
                break (function, ty, None);
            }
            let guesses = &mut self.function_notes[id.index()].guesses;
            if guesses.len() == MAX_GUESSES {
                if self.faults.len() == faults {
                    let span = function.spans.first().copied().unwrap_or_default();
                    let message = "this value is computed from itself, with a different type";
                    self.faults.error("circular-value", span, message);
                }
                break (function, ty, None);
            }
            // The function called itself, perhaps through other functions, before its type was
            // known. It is compiled again, together with everything it uses.
            guesses.push(ty);
            self.forget_compiled(faults, done);
        };
        self.function_notes[id.index()].height = self.height + 1;
        self.height = outer_height;
        self.underway -= 1;
        self.program.functions[id.index()] = Arc::new(function);
        if matches!(unit, CodeUnit::SeenInSweep(..)) {
            self.program.sweep_names.insert(id, std::mem::take(&mut self.sweep_names));
        }
        self.results[id.index()] = ResultState::Done(ty, bounds);
        self.completed.push(id);
    }

    /// Forgets the faults after the first `faults` and the functions after the first `done`, so
    /// that a function can be compiled again together with everything it uses.
    fn forget_compiled(&mut self, faults: usize, done: usize) {
        self.faults.truncate(faults);
        for again in self.completed.drain(done..) {
            self.results[again.index()] = ResultState::Unseen;
        }
    }

    /// Returns the type and bounds of a function's value, and compiles the function if necessary.
    fn result_type(&mut self, id: FunctionId, span: Span) -> RangedType {
        if self.results[id.index()] == ResultState::Unseen {
            if self.underway >= MAX_CALLS {
                return self.too_many_calls(span);
            }
            if self.nesting >= MAX_NESTING {
                let message = "this, together with everything it uses, is nested too deeply";
                let fault = self.faults.error("too-deep", span, message);
                fault.help("shorten long expressions, or the definitions that they use");
                return (Type::Unknown, None);
            }
        }
        self.ensure_compiled(id);
        let notes = &self.function_notes[id.index()];
        match self.results[id.index()] {
            ResultState::Done(..) if notes.height >= MAX_CALLS => self.too_many_calls(span),
            ResultState::Done(ty, bounds) => {
                self.height = self.height.max(notes.height);
                (ty, bounds)
            }
            ResultState::Unseen | ResultState::Underway => {
                self.recursive.insert(id);
                if let Some(guess) = notes.guesses.last() {
                    return (*guess, None);
                }
                // A function that calls itself has the type of its other branch; see
                // `ensure_compiled`.
                self.itself.get_or_insert(span);
                (Type::Unknown, None)
            }
        }
    }

    /// Reports that calls between functions are nested deeper than the machine allows.
    fn too_many_calls(&mut self, span: Span) -> RangedType {
        let message = format!(
            "calls between rules and definitions are nested more than {MAX_CALLS} levels deep"
        );
        let fault = self.faults.error("too-deep", span, message);
        fault.help("merge some of them");
        (Type::Unknown, None)
    }

    fn compile_unit(&mut self, name: &str, unit: &CodeUnit) -> (Function, Type, ValueRange) {
        let outer = std::mem::take(&mut self.b);
        let faults = self.faults.len();
        let outer_call = self.itself.take();
        let callable = match unit.without_step() {
            CodeUnit::Rule(id) | CodeUnit::Entry(id) => Some(self.rule_text(*id).name.clone()),
            CodeUnit::Define(id, _) => Some(self.schema.defines[id.index()].name.clone()),
            CodeUnit::Value(..)
            | CodeUnit::Block(..)
            | CodeUnit::SeenInSweep(..)
            | CodeUnit::Remind(_)
            | CodeUnit::Step(..) => None,
        };
        let outer_callable =
            std::mem::replace(&mut self.within, callable.map(Declaration::Callable));
        if let CodeUnit::Step(step, _) = unit {
            let reg = self.constant(*step);
            let value = Operand { reg, ty: Type::Whole, bounds: Some((*step, *step)) };
            self.b.add_local("step", value, true);
        }
        let (ty, bounds) = match unit.without_step() {
            CodeUnit::Define(id, expr) => {
                let params = &self.schema.defines[id.index()].params;
                self.b.at = expr.span;
                self.declare_params(params);
                self.check_argument_limits(params);
                self.value_body(None, expr)
            }
            CodeUnit::Value(params, want, expr) => {
                self.declare_params(params);
                self.value_body(*want, expr)
            }
            CodeUnit::SeenInSweep(params, sweep, expr) => {
                self.declare_params(params);
                let names = self.declare_sweep_params(sweep);
                let result = self.value_body(Some(Type::Flag), expr);
                self.sweep_names =
                    names.into_iter().filter(|swept| self.b.reads(swept.reg)).collect();
                result
            }
            CodeUnit::Rule(id) => self.rule_body(*id),
            CodeUnit::Entry(id) => self.entry_body(*id),
            CodeUnit::Block(params, block) => {
                self.declare_params(params);
                self.block(block);
                self.patch_stop_jumps();
                self.return_nothing()
            }
            CodeUnit::Remind(remind) => self.reminder_body(remind),
            CodeUnit::Step(..) => (Type::Unknown, None),
        };
        if ty == Type::Unknown
            && self.faults.len() == faults
            && let Some(span) = self.itself
        {
            let message = "this value would be computed from itself";
            self.faults.error("circular-value", span, message);
        }
        for (_, span) in std::mem::take(&mut self.b.untyped_lists) {
            self.report_unclear_list(span);
        }
        for (span, learned) in std::mem::take(&mut self.b.learned_lists) {
            self.learned_list_types |= self.list_types.insert(span, learned).is_none();
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
    fn declare_params(&mut self, params: &[Param]) {
        for p in params {
            self.b.add_param(&p.name, p.ty, p.bounds, p.span);
        }
    }

    /// Declares the names of a sweep as parameters, and returns them.
    fn declare_sweep_params(&mut self, sweep: &[MemberSource]) -> Vec<NamedRegister> {
        let mut names = Vec::new();
        for source in sweep {
            let ty = self.probe_member_type(&source.over);
            let name = source.name.text.clone();
            let reg = self.b.add_param(&name, ty, None, source.name.span);
            names.push(NamedRegister { name, ty, reg });
        }
        names
    }

    fn return_nothing(&mut self) -> RangedType {
        let nothing = self.small_constant(0, Type::Nothing);
        self.emit(Op::Return { a: nothing.reg });
        (Type::Nothing, None)
    }

    /// Reports that a value of another type was expected.
    fn report_type_mismatch(&mut self, wanted: &str, found: Type, span: Span) -> &mut Diagnostic {
        let message = format!("expected {wanted}, found {}", self.type_name(found));
        let fault = self.faults.error("wrong-type", span, message);
        match found {
            Type::Dice => fault.help("roll them in a statement: `let n = roll …`"),
            _ => fault,
        }
    }

    /// Reports an empty list whose members' type is unknown.
    fn report_unclear_list(&mut self, span: Span) {
        let message = "the type of this list is unknown";
        let fault = self.faults.error("unclear-type", span, message);
        let help = "add a member to it first, or write an empty list that has a type: `(t in teams where false)`";
        fault.help(help).derived_from(self.within.clone());
    }

    fn emit(&mut self, op: Op) -> usize {
        self.b.emit(op)
    }

    /// Compiles a part that must not contain changes, dice or questions.
    fn without_effects<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.b.pure, true);
        let value = compile(self);
        self.b.pure = outer;
        value
    }

    /// Compiles a part of the rule text, with this span for all instructions outside nested
    /// expressions and statements.
    fn with_span<T>(&mut self, span: Span, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.b.at, span);
        let value = compile(self);
        self.b.at = outer;
        value
    }

    /// Emits a call to a function whose arguments are in the registers starting at `base`.
    fn emit_call(&mut self, function: FunctionId, base: Reg, value: ValueUse) {
        self.emit(Op::Call { call: Call { function, rule: None, base, value } });
    }

    fn emit_rule_call(&mut self, rule: RuleId, base: Reg, value: ValueUse) {
        let function = self.rule_text(rule).function;
        self.emit(Op::Call { call: Call { function, rule: Some(rule), base, value } });
    }

    /// Compiles code that checks that the arguments are within the limits of their parameters.
    fn check_argument_limits(&mut self, params: &[Param]) {
        for (index, param) in params.iter().enumerate() {
            let Some((low, high)) = param.bounds else { continue };
            if !matches!(param.ty, Type::Whole | Type::Number) {
                continue;
            }
            let limits = ParamLimits { name: param.name.clone(), low, high };
            let limits = intern_item(&mut self.program.limits, limits);
            let fraction = param.ty == Type::Number;
            self.emit(Op::Within { a: index as Reg, limits, fraction });
        }
    }

    /// Makes all `stop` jumps lead to the next instruction.
    fn patch_stop_jumps(&mut self) {
        let stops = std::mem::take(&mut self.b.stops);
        self.b.patch_jumps(stops.iter().map(|stop| stop.jump));
    }

    /// Makes all `stop` jumps lead to the next instruction. Names that have no value yet at a jump
    /// get an empty value, because later code may read them.
    fn patch_stops_and_names(&mut self) {
        let stops = std::mem::take(&mut self.b.stops);
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
            ends.push(self.emit(Op::Jump { to: UNPATCHED }));
            self.b.patch_jump(stop.jump);
            for (d, ty) in names {
                self.emit(Op::Small { d, n: empty_value(ty) });
            }
        }
        self.b.patch_jumps(ends);
    }

    fn constant(&mut self, value: i64) -> u16 {
        let d = self.b.alloc();
        let op = match i32::try_from(value) {
            Ok(n) => Op::Small { d, n },
            Err(_) => Op::Const { d, k: intern_item(&mut self.program.constants, value) },
        };
        self.emit(op);
        d
    }

    fn rule_text(&self, id: RuleId) -> &'a super::rule::RuleText {
        &self.schema.rules[id.index()]
    }

    fn type_name(&self, ty: Type) -> String {
        self.schema.type_name(ty)
    }
}

/// Returns the index of an item in a list of the program. Adds the item if it is new.
fn intern_item<T: PartialEq>(all: &mut Vec<T>, item: T) -> u32 {
    let known = all.iter().position(|other| *other == item);
    known.unwrap_or_else(|| {
        all.push(item);
        all.len() - 1
    }) as u32
}

/// Returns the empty value of a type: `none`, 0, false, the first word, an empty string or list.
fn empty_value(ty: Type) -> i32 {
    match ty {
        Type::Piece(_) => -1,
        Type::Number => Number::ZERO.to_bits() as i32,
        Type::Whole | Type::Dice | Type::Flag | Type::Word(_) | Type::Text => 0,
        Type::List(_) | Type::Nothing | Type::Unknown => 0,
    }
}

fn unit_name(schema: &Schema, id: FunctionId, unit: &CodeUnit) -> String {
    match unit.without_step() {
        CodeUnit::Define(define, _) => schema.defines[define.index()].name.clone(),
        CodeUnit::Rule(rule) | CodeUnit::Entry(rule) => schema.rules[rule.index()].name.clone(),
        CodeUnit::Value(params, ..) | CodeUnit::Block(params, _) => {
            let own = params.iter().find(|p| p.name == "self");
            let Some(Type::Piece(kind)) = own.map(|p| p.ty) else {
                if let Some(name) = schema.function_names.get(&id) {
                    return name.clone();
                }
                let is_block = matches!(unit.without_step(), CodeUnit::Block(..));
                return if is_block { "statements" } else { "value" }.into();
            };
            let kind = schema.kind(kind);
            let computed = |a: &&Attribute| a.storage == AttributeStorage::Computed(id);
            match kind.attributes.iter().find(computed) {
                Some(attribute) => format!("{}.{}", kind.name, attribute.name),
                None if kind.on_set == Some(id) => format!("{} on_set", kind.name),
                None if kind.computed_starts.contains(&id) => format!("{} start", kind.name),
                None if kind.on_add == Some(id) => format!("{} on_add", kind.name),
                None => format!("{} seen_by", kind.name),
            }
        }
        CodeUnit::SeenInSweep(..) => "seen_by".into(),
        CodeUnit::Remind(_) => "reminder".into(),
        CodeUnit::Step(..) => "step".into(),
    }
}

fn plan_columns(schema: &Schema) -> Option<PlanColumns> {
    let kind = schema.kind(schema.plan_kind()?);
    let column = kind.column("column")?;
    let row = kind.column("row")?;
    let level = kind.column("level")?;
    Some(PlanColumns { grid: kind.grid, column, row, level })
}
