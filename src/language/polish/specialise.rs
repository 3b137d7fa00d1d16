//! Compiles a program once more for a table: what can never change there is not asked.
//!
//! Everything is first taken to stay as it stands: each column whose cells are all alike, each list, each kind
//! of which there is no piece. Then every function that can be reached is gone through, and what some
//! instruction could change after all is given up; so on until nothing more is. What is left holds whatever
//! happens, as each instruction that can be reached with it keeps it.

use super::analysis::{Analysis, Value};
use super::facts::Facts;
use super::inline::{Kinds, put_in};
use super::{ROUNDS, finish, tidy};
use crate::language::code::{Change, Op, Program};
use crate::language::schema::{
    ColumnId, Element, FunctionId, KindId, ListId, Schema, Storage, Type,
};

/// The program as far as it is reached from `roots`, for tables of which `facts` hold at the start. Functions
/// keep their numbers; what is not reached is empty. What `facts` speak of must be changed by the program's
/// own instructions only.
pub fn specialise(
    schema: &Schema,
    program: &Program,
    roots: &[FunctionId],
    facts: Facts,
) -> Program {
    let mut facts = facts;
    facts.cells.resize(schema.columns.len(), None);
    facts.empty.resize(schema.lists.len(), false);
    facts.steady.resize(schema.lists.len(), false);
    facts.none.resize(schema.kinds.len(), false);
    let mut program = program.clone();
    let mut reached = hold(schema, &program, roots, &mut facts);
    // Conditions that always hold.
    for tests in &mut program.filters {
        tests.retain(|t| !facts.holds_always(t));
    }
    for _ in 0..ROUNDS {
        for &index in &reached {
            tidy(schema, &mut program, &facts, index);
        }
        let mut calls = vec![0; program.functions.len()];
        for op in reached.iter().flat_map(|&i| &program.functions[i].code) {
            if let Op::Call { function, .. } = op {
                calls[function.index()] += 1;
            }
        }
        roots.iter().for_each(|root| calls[root.index()] += 1);
        let mut changed = false;
        for &index in &reached {
            changed |= put_in(schema, &mut program, index, Kinds::All, &calls);
        }
        reached = hold(schema, &program, roots, &mut facts);
        if !changed {
            break;
        }
    }
    for index in 0..program.functions.len() {
        if reached.contains(&index) {
            finish(schema, &mut program, &facts, index);
        } else {
            program.functions[index].code.clear();
            program.functions[index].spans.clear();
        }
    }
    program
}

/// Gives up what does not hold; the functions that can be reached, ascending.
fn hold(schema: &Schema, program: &Program, roots: &[FunctionId], facts: &mut Facts) -> Vec<usize> {
    loop {
        let mut kept = facts.clone();
        let mut reached = vec![false; program.functions.len()];
        let mut work: Vec<usize> = roots.iter().map(|f| f.index()).collect();
        while let Some(index) = work.pop() {
            let Some(place) = reached.get_mut(index).filter(|r| !**r) else { continue };
            *place = true;
            let function = &program.functions[index];
            let analysis = Analysis { schema, program, facts };
            let entries = analysis.entries(function);
            analysis.reached(function, &entries, |_, op, state| {
                let given = |reg: u16| state[usize::from(reg)].value;
                give_up(schema, op, given, &mut kept);
                work.extend(leads_to(schema, program, op));
            });
        }
        if kept == *facts {
            return (0..reached.len()).filter(|&i| reached[i]).collect();
        }
        *facts = kept;
    }
}

/// The functions an instruction may call.
fn leads_to(schema: &Schema, program: &Program, op: Op) -> Vec<usize> {
    match op {
        Op::Call { function, .. } => vec![function.index()],
        Op::CallRule { rule, .. } => vec![schema.rules[rule.index()].function.index()],
        Op::Way { way, .. } => {
            let way = &program.ways[usize::from(way)];
            let along = match way.along {
                Storage::Computed(function) => Some(function),
                _ => None,
            };
            way.filter.into_iter().chain(along).map(|f| f.index()).collect()
        }
        _ => Vec::new(),
    }
}

/// Gives up what an instruction could change.
fn give_up(schema: &Schema, op: Op, given: impl Fn(u16) -> Value, kept: &mut Facts) {
    match op {
        Op::Set { how, column, value, .. } => {
            let stays = match (how, given(value)) {
                (Change::Set, Value::Exactly(n)) => kept.cells[column.index()] == Some(n),
                (Change::Bump, Value::Exactly(n)) => n == 0,
                _ => false,
            };
            if !stays {
                kept.cells[column.index()] = None;
            }
        }
        Op::SetList { list, .. } | Op::ListAdd { list, .. } => give_up_list(list, kept),
        // A list that has no members loses none.
        Op::ListTake { list, .. } => kept.steady[list.index()] = false,
        Op::Empty { deck } | Op::Put { deck, .. } | Op::Draw { deck, .. } => {
            give_up_list(schema.decks[deck.index()].list, kept);
        }
        Op::Make { kind, .. } => {
            kept.none[kind.index()] = false;
            // The new piece has its attributes as at the start.
            for (column, cell) in kept.cells.iter_mut().enumerate() {
                let id = ColumnId::from_index(column);
                if schema.columns[column].0 == kind && *cell != Some(schema.column(id).start) {
                    *cell = None;
                }
            }
        }
        Op::Remove { kind, .. } => give_up_references(schema, kind, kept),
        _ => {}
    }
}

fn give_up_list(list: ListId, kept: &mut Facts) {
    kept.empty[list.index()] = false;
    kept.steady[list.index()] = false;
}

/// References to a piece that is taken off become `none`, and lists let it go.
fn give_up_references(schema: &Schema, kind: KindId, kept: &mut Facts) {
    for (column, cell) in kept.cells.iter_mut().enumerate() {
        if schema.column(ColumnId::from_index(column)).ty == Type::Piece(kind) && *cell != Some(-1)
        {
            *cell = None;
        }
    }
    for (list, &(of, attribute)) in schema.lists.iter().enumerate() {
        let ty = schema.kind(of).attributes.get(attribute).map(|a| a.ty);
        // A deck's list stands for no attribute.
        if ty.is_none_or(|ty| ty == Type::List(Element::Piece(kind))) {
            kept.steady[list] = false;
        }
    }
}
