//! A whole ruleset, compiled: its functions and the tables that their instructions index.

use std::sync::Arc;

use adjutant_dice::Pool;
use indexmap::IndexMap;

use super::list_value::pack;
use super::native::PlanColumns;
use super::op::Op;
use super::operands::Reg;
use crate::language::schema::{AttributeStorage, ColumnId, FunctionId, Type};
use crate::source::Span;

/// A part of a text template.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Fixed text.
    Words(String),
    /// The value of a register.
    Value(Reg, Type),
    /// The name of a number: the register of the number, and the column whose names are used.
    Named(Reg, ColumnId),
    /// A number of this type, and the words that agree with it: the words for 1, then the words for
    /// any other number.
    Counted(Reg, Type, String, String),
}

/// A path search.
#[derive(Clone, Copy, Debug)]
pub struct WaySearch {
    /// True if the result is the list of areas, false if it is the number of steps.
    pub wants_areas: bool,
    /// The register of the area where the path begins.
    pub from: Reg,
    /// The register of the area where the path ends.
    pub to: Reg,
    /// The attribute that lists the areas next to an area.
    pub along: AttributeStorage,
    /// The condition that all areas on the path after the first must satisfy, if there is one.
    pub filter: Option<FunctionId>,
    /// The first register of the arguments of the condition; the area is the first argument.
    pub base: Reg,
    /// The number of arguments in addition to the area.
    pub captured: u16,
}

/// A name in rule text, and the register that holds its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRegister {
    /// The name in rule text.
    pub name: String,
    /// The type of the value.
    pub ty: Type,
    /// The register that holds the value.
    pub reg: Reg,
}

/// The limits of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamLimits {
    /// The name of the parameter.
    pub name: String,
    /// The lowest value, as a register holds it.
    pub low: i64,
    /// The highest value, as a register holds it.
    pub high: i64,
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The name of the function in messages.
    pub name: String,
    /// The instructions. The last one returns.
    pub code: Vec<Op>,
    /// For each instruction, its span in the ruleset.
    pub spans: Vec<Span>,
    /// The number of registers that the function needs.
    pub registers: Reg,
    /// The number of parameters.
    pub params: Reg,
    /// True if the value of the function is a list.
    pub gives_list: bool,
}

/// A whole ruleset, compiled. A copy shares its functions and texts with the original, so compiling
/// one more condition against a copy is cheap.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions, by [`FunctionId`].
    pub functions: Vec<Arc<Function>>,
    /// The type and bounds of each function's value.
    pub results: Vec<(Type, Option<(i64, i64)>)>,
    /// For rules that return several values, the types of all values after the first.
    pub further: IndexMap<FunctionId, Vec<Type>>,
    /// Constants that do not fit into an instruction.
    pub constants: Vec<i64>,
    /// The members of the lists that are written out in rule text. Every list store begins with
    /// them.
    pub literals: Vec<u32>,
    /// The text templates.
    pub templates: Vec<Arc<[TextPart]>>,
    /// Lists of names that are reported with each turn of a sweep and each member of a loop.
    pub bindings: Vec<Arc<[NamedRegister]>>,
    /// The limits of parameters that instructions check.
    pub limits: Vec<ParamLimits>,
    /// The dice that instructions roll.
    pub pools: Vec<Pool>,
    /// Path searches.
    pub ways: Vec<WaySearch>,
    /// The columns that need an index of the pieces whose cell differs from its start value.
    pub indexed: Vec<ColumnId>,
    /// The plan, if there is one.
    pub plan: Option<PlanColumns>,
    /// For each condition under which a side sees a sweep, the names bound by the sweep that the
    /// condition reads, with the parameters that hold them.
    pub sweep_names: IndexMap<FunctionId, Vec<NamedRegister>>,
    /// True if some lines are addressed to only some of the viewers.
    pub says_to_some: bool,
}

impl Program {
    /// Returns the value of a list that is written out in rule text, and adds its members to the
    /// literals unless they are already there in this order.
    pub(in crate::language) fn add_list_literal(&mut self, members: &[u32]) -> i64 {
        let known = self.literals.windows(members.len()).position(|found| found == members);
        let start = known.unwrap_or(self.literals.len());
        if known.is_none() {
            self.literals.extend_from_slice(members);
        }
        pack(start, members.len())
    }

    /// Returns the function that an instruction calls: the function of a call, or the condition of
    /// a path search. Returns `None` if the instruction calls none.
    pub(crate) fn called_function(&self, op: Op) -> Option<FunctionId> {
        match op {
            Op::Call { call } => Some(call.function),
            Op::Way { way, .. } => self.ways[way.0 as usize].filter,
            _ => None,
        }
    }

    /// Returns the cells and lists of pieces that a function and the functions it calls read, each once, in
    /// the order of the code.
    pub(crate) fn storage_read(&self, function: FunctionId) -> Vec<AttributeStorage> {
        let mut read = Vec::new();
        for id in self.reachable_from(&[function]).into_iter().rev() {
            for op in &self.functions[id.index()].code {
                let storage = match *op {
                    Op::Get { column, .. }
                    | Op::JumpCell { column, .. }
                    | Op::NextMarked { column, .. } => AttributeStorage::Cell(column),
                    Op::GetList { list, .. } | Op::Holds { list, .. } | Op::NextOf { list, .. } => {
                        AttributeStorage::List(list)
                    }
                    _ => continue,
                };
                if !read.contains(&storage) {
                    read.push(storage);
                }
            }
        }
        read
    }

    /// Returns these functions and all functions that they call, callees first.
    pub fn reachable_from(&self, roots: &[FunctionId]) -> Vec<FunctionId> {
        let mut seen = vec![false; self.functions.len()];
        let mut order = Vec::new();
        // The functions being visited, each with the instruction to continue with. This isn't
        // recursive, because calls can nest deeper than the stack allows.
        let mut open: Vec<(FunctionId, usize)> = roots.iter().map(|&root| (root, 0)).collect();
        while let Some((id, from)) = open.pop() {
            if from == 0 && std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let code = self.functions[id.index()].code.iter().enumerate().skip(from);
            match code.filter_map(|(at, op)| Some((at, self.called_function(*op)?))).next() {
                Some((at, called)) => open.extend([(id, at + 1), (called, 0)]),
                None => order.push(id),
            }
        }
        order
    }
}
