//! Follows every path through a function, and finds the secrets on which each value, and each thing
//! that is shown, depends.
//!
//! A value depends on all secrets used in computing it, and on the secrets that determined whether
//! it was computed at all. Each function is analysed once, in terms of its parameters, after the
//! functions that it calls. The result is translated for each call.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::analysis::{Analysis, MAX_STEPS, Summary};
use super::facts::Facts;
use super::flow::{ControlFlow, successors};
use super::secrets::{Secret, SecretThing, Secrets};
use super::state::{State, Traced};
use super::symbols::{Origin, Symbol};
use crate::language::code::Reg;
use crate::language::schema::{ColumnId, FunctionId};
use crate::source::Span;

/// The maximum number of rounds in which a function is followed from start to end. Two or three are
/// usual.
const MAX_ROUNDS: usize = 40;
/// The position before the first instruction of a function.
const START: usize = usize::MAX;

/// A tracer that follows the paths through one function.
pub(super) struct Tracer<'a, 'r> {
    pub(super) all: &'a mut Analysis<'r>,
    pub(super) function: FunctionId,
    pub(super) flow: Rc<ControlFlow>,
    /// For each instruction, the state on each path to it, with the previous instruction on that
    /// path.
    pub(super) arrivals: Vec<Vec<(usize, State)>>,
    /// For each branch, the secrets on which it depends.
    pub(super) conditions: Vec<Secrets>,
    pub(super) summary: Summary,
    /// The columns that each instruction changes, with the new value if it is a constant.
    pub(super) changes: BTreeMap<(usize, ColumnId), Option<Symbol>>,
    /// The secrets that determine whether any line addressed to everyone is shown.
    pub(super) announced: Secrets,
    /// True if the path past a loop waits until an iteration of the loop has been followed to its
    /// end.
    pub(super) waits: bool,
    /// True if paths no longer wait, because nothing else changes.
    pub(super) goes_on: bool,
    /// The depth of calls in a condition; 0 if the whole function matters, not only its value.
    pub(super) depth: usize,
    /// True while only the values are computed. The secrets are computed after the values have
    /// settled. Otherwise, intermediate values on unfinished paths would leave their secrets behind
    /// in a loop.
    pub(super) only_values: bool,
}

impl<'a, 'r> Tracer<'a, 'r> {
    pub(super) fn new(
        all: &'a mut Analysis<'r>,
        function: FunctionId,
        depth: usize,
    ) -> Tracer<'a, 'r> {
        let code = &all.program.functions[function.index()];
        let program = all.program;
        let flow =
            all.flows.entry(function).or_insert_with(|| Rc::new(ControlFlow::of(program, code)));
        let flow = Rc::clone(flow);
        let length = code.code.len();
        Tracer {
            all,
            function,
            flow,
            arrivals: vec![Vec::new(); length + 1],
            conditions: vec![Secrets::default(); length],
            summary: Summary::default(),
            announced: Secrets::default(),
            changes: BTreeMap::new(),
            waits: false,
            goes_on: false,
            depth,
            only_values: true,
        }
    }

    pub(super) fn run(mut self, arguments: &[Symbol], facts: &Facts) -> Summary {
        let function = &self.all.program.functions[self.function.index()];
        let first = self.all.symbols.constant(0);
        let blank = Traced { symbol: first, secrets: Secrets::default() };
        let mut registers = vec![blank; usize::from(function.registers).max(arguments.len()) + 1];
        for (reg, (register, &symbol)) in (0..).zip(registers.iter_mut().zip(arguments)) {
            register.symbol = symbol;
            if self.depth == 0 {
                let argument = SecretThing::Argument(reg);
                let secret = Secret { thing: argument, piece: symbol, owner: None };
                register.secrets.insert(secret, Span::default());
            }
        }
        let start =
            State { registers, facts: facts.clone(), turn: Rc::default(), lists: BTreeMap::new() };
        // No instruction leads to the start.
        self.arrivals[0].push((START, start));
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            self.waits = false;
            let mut results: Vec<(Traced, Facts)> = Vec::new();
            self.summary = Summary::default();
            self.announced = Secrets::default();
            for at in 0..function.code.len() {
                let Some(state) = self.arrived(at) else { continue };
                self.all.steps += 1 + state.registers.len() / 4 + state.facts.len();
                if self.all.steps > MAX_STEPS {
                    return Summary::default();
                }
                let before = std::mem::take(&mut self.conditions[at]);
                let ways = self.step(at, state, &mut results);
                changed |= self.conditions[at] != before;
                changed |= self.leave(at, ways);
            }
            if changed {
                continue;
            }
            if std::mem::take(&mut self.waits) && !self.goes_on {
                self.goes_on = true;
                continue;
            }
            if self.only_values && self.depth == 0 {
                self.only_values = false;
                continue;
            }
            self.forgive_announced();
            self.finish(results);
            return self.summary;
        }
        self.all.gave_up = true;
        self.summary
    }

    /// Merges the values, their secrets and the facts of all paths that return a value, and stores
    /// them in the summary.
    pub(super) fn finish(&mut self, results: Vec<(Traced, Facts)>) {
        let symbols = &mut self.all.symbols;
        let none = symbols.constant(-1);
        let returned = symbols.leaf(Origin::Returned);
        let mut same = None;
        let mut known: Option<Facts> = None;
        for (value, mut facts) in results {
            let same = same.get_or_insert(Some(value.symbol));
            if *same != Some(value.symbol) {
                *same = None;
            }
            let secrets = value.secrets.renamed(symbols, value.symbol, returned);
            self.summary.secrets.extend(&secrets);
            for fact in facts.renamed(symbols, value.symbol, returned) {
                facts.add(fact);
            }
            let Some(known) = &mut known else {
                known = Some(facts);
                continue;
            };
            // Any fact about one value is also true for `none`, because `none` is not a piece.
            if value.symbol == none {
                let about = known.about(symbols, returned).into_iter();
                about.filter(|fact| !fact.compares(returned)).for_each(|fact| facts.add(fact));
            }
            known.keep_common(&facts);
        }
        self.summary.result = same.flatten();
        self.summary.known = known.unwrap_or_default().lasting_facts(symbols);
    }

    /// Records the states on the paths from an instruction, and removes the paths that are no
    /// longer possible. Returns true if anything changed.
    pub(super) fn leave(&mut self, at: usize, ways: Vec<(usize, State)>) -> bool {
        let code = &self.all.program.functions[self.function.index()].code;
        // Both paths of a branch may lead to the same instruction.
        let mut joined: BTreeMap<usize, State> = BTreeMap::new();
        for (to, state) in ways {
            let state = match joined.remove(&to) {
                Some(other) => other.joined(state, &self.all.symbols),
                None => state,
            };
            joined.insert(to, state);
        }
        let mut changed = false;
        for to in successors(code, at) {
            let gone = !joined.contains_key(&to);
            if let Some(arrivals) = self.arrivals.get_mut(to).filter(|_| gone) {
                let before = arrivals.len();
                arrivals.retain(|(from, _)| *from != at);
                changed |= arrivals.len() != before;
            }
        }
        for (to, state) in joined {
            if !self.flow.leads_on.get(to).copied().unwrap_or(true) {
                continue;
            }
            let Some(arrivals) = self.arrivals.get_mut(to) else { continue };
            match arrivals.iter_mut().find(|(from, _)| *from == at) {
                Some((_, known)) if *known == state => {}
                Some((_, known)) => {
                    *known = state;
                    changed = true;
                }
                None => {
                    // Arrivals from the end of a loop are sorted last.
                    arrivals.push((at, state));
                    arrivals.sort_by_key(|(from, _)| *from != START && *from >= to);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Returns the state before an instruction, merged from all paths to it; `None` if no path
    /// leads to it.
    pub(super) fn arrived(&mut self, at: usize) -> Option<State> {
        let mut ways = self.arrivals[at].iter().map(|(_, state)| state.clone()).collect::<Vec<_>>();
        if ways.len() < 2 {
            return ways.pop();
        }
        let symbols = &mut self.all.symbols;
        let none = symbols.constant(-1);
        let own: Vec<Vec<Symbol>> = self.arrivals[at]
            .iter()
            .map(|(_, state)| state.registers.iter().map(|register| register.symbol).collect())
            .collect();
        // In all other registers, all paths have the same value, unless the cell from which it was
        // read has changed on some of them. Paths around a loop only learn the value later.
        let first = ways[0].registers.clone();
        for (index, (reg, same)) in (0..).zip(&first).enumerate() {
            let is_outdated =
                |symbol: &Symbol| matches!(symbols.term(*symbol), Origin::Outdated(..));
            let differs = own.iter().any(|values| values[index] != same.symbol);
            let outdated = differs && own.iter().any(|values| is_outdated(&values[index]));
            let symbol = if outdated {
                symbols.leaf(Origin::Outdated(self.function, at, reg))
            } else {
                same.symbol
            };
            ways.iter_mut().for_each(|way| way.registers[index].symbol = symbol);
        }
        for &reg in &self.flow.merged[at] {
            let index = usize::from(reg);
            if index >= first.len() {
                continue;
            }
            let value = own[0][index];
            let is_constant = symbols.as_constant(value).is_some();
            let symbol = if is_constant && own.iter().all(|values| values[index] == value) {
                value
            } else {
                symbols.leaf(Origin::Made(self.function, at, reg))
            };
            // Any fact about one value is also true for `none`, because `none` is not a piece.
            let mut known = Vec::new();
            let any_none = own.iter().any(|values| values[index] == none);
            for (way, values) in ways.iter_mut().zip(&own) {
                let old = values[index];
                if old != symbol {
                    for fact in way.facts.renamed(symbols, old, symbol) {
                        way.facts.add(fact);
                        known.push(fact);
                    }
                } else if any_none {
                    known.extend(way.facts.about(symbols, symbol));
                }
            }
            for (way, values) in ways.iter_mut().zip(&own) {
                if values[index] == none {
                    let about = known.iter().filter(|fact| !fact.compares(symbol));
                    about.for_each(|fact| way.facts.add(*fact));
                }
                let register = &mut way.registers[index];
                register.symbol = symbol;
                register.secrets = register.secrets.renamed(symbols, values[index], symbol);
            }
        }
        ways.into_iter().reduce(|state, next| state.joined(next, symbols))
    }

    /// Returns the secrets that determine whether an instruction runs.
    pub(super) fn reasons(&mut self, at: usize, facts: &Facts) -> Secrets {
        if self.only_values {
            return Secrets::default();
        }
        let mut all = Secrets::default();
        for decider in self.flow.all_deciders(at) {
            all.extend(&self.conditions[decider]);
        }
        self.all.settle(&all, facts)
    }

    pub(super) fn value<'s>(&self, state: &'s State, reg: Reg) -> &'s Traced {
        &state.registers[usize::from(reg).min(state.registers.len() - 1)]
    }

    /// Removes the facts that may have become false because a cell of this column changed, and
    /// marks the values read from the column as outdated. `value` is the new value, if it is known.
    pub(super) fn change_cells(
        &mut self,
        at: usize,
        state: &mut State,
        column: ColumnId,
        value: Option<Symbol>,
    ) {
        state.facts.forget_cells(&self.all.symbols, column, value);
        let constant = value.filter(|value| self.all.symbols.as_constant(*value).is_some());
        let set = self.summary.changed.entry(column).or_insert(constant);
        *set = set.filter(|old| constant == Some(*old));
        self.changes.insert((at, column), constant);
        for (reg, register) in (0..).zip(&mut state.registers) {
            if self.all.symbols.reads_column(register.symbol, column) {
                register.symbol = self.all.symbols.leaf(Origin::Outdated(self.function, at, reg));
            }
        }
    }

    /// Returns the span of an instruction in the ruleset, or an empty span if it has none.
    pub(super) fn span(&self, at: usize) -> Span {
        let function = &self.all.program.functions[self.function.index()];
        function.spans.get(at).copied().unwrap_or_default()
    }

    /// Sets a register to a value that depends on these secrets, and on those that determine
    /// whether the instruction runs.
    pub(super) fn write(
        &mut self,
        at: usize,
        state: &mut State,
        d: Reg,
        symbol: Option<Symbol>,
        secrets: &Secrets,
    ) {
        let mut all = self.all.settle(secrets, &state.facts);
        let made = self.made(at, d);
        all.extend(&self.reasons(at, &state.facts));
        if let Some(register) = state.registers.get_mut(usize::from(d)) {
            *register = Traced { symbol: symbol.unwrap_or(made), secrets: all };
        }
    }

    pub(super) fn made(&mut self, at: usize, d: Reg) -> Symbol {
        self.all.symbols.leaf(Origin::Made(self.function, at, d))
    }
}
