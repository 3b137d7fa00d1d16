//! Applies the effect of each instruction to the values, and to the secrets on which the values
//! depend.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::facts::{Fact, Facts};
use super::secrets::{Secret, SecretThing, Secrets};
use super::showing::Shown;
use super::state::{OpenList, State, Traced, TurnName};
use super::symbols::{Origin, Symbol, Symbols};
use super::trace::Tracer;
use crate::language::code::{
    AddresseeReg, Call, CellChange, DeckOp, JumpTest, ListChange, MessageKind, Op, Reg, Target,
    UnaryOp, WordOp,
};
use crate::language::schema::Type;

/// The maximum depth to which calls are followed in a condition of `seen_by`.
const MAX_CONDITION_DEPTH: usize = 3;

impl Tracer<'_, '_> {
    /// Applies an instruction, and returns the instructions that may follow it, each with the state
    /// in which it starts.
    pub(super) fn step(
        &mut self,
        at: usize,
        mut state: State,
        results: &mut Vec<(Traced, Facts)>,
    ) -> Vec<(usize, State)> {
        let op = self.all.program.functions[self.function.index()].code[at];
        match op {
            Op::Small { d, n } => {
                let symbol = self.all.symbols.constant(i64::from(n));
                self.write(at, &mut state, d, Some(symbol), &Secrets::default());
            }
            Op::Const { d, k } => {
                let n = self.all.program.constants[k as usize];
                let symbol = self.all.symbols.constant(n);
                self.write(at, &mut state, d, Some(symbol), &Secrets::default());
            }
            Op::Move { d, s } => {
                let value = self.value(&state, s).clone();
                self.write(at, &mut state, d, Some(value.symbol), &value.secrets);
            }
            Op::Unary { d, op: UnaryOp::Not, a } => {
                let value = self.value(&state, a).clone();
                let symbol = self.all.symbols.of(Origin::Not(value.symbol));
                self.write(at, &mut state, d, symbol, &value.secrets);
            }
            Op::Word { d, op: word @ (WordOp::Equal | WordOp::NotEqual), a, b } => {
                let a = self.value(&state, a).symbol;
                let b = self.value(&state, b).symbol;
                let secrets = self.operands(&state, op);
                let mut symbol = self.all.symbols.of(Origin::Same(a.min(b), a.max(b)));
                if word == WordOp::NotEqual {
                    symbol = symbol.and_then(|same| self.all.symbols.of(Origin::Not(same)));
                }
                self.write(at, &mut state, d, symbol, &secrets);
            }
            Op::Jump { to } => return vec![(to.0 as usize, state)],
            Op::JumpIfSilent { .. } | Op::JumpIfMute { .. } => {}
            Op::JumpIf { a, to } | Op::JumpIfNot { a, to } => {
                let value = self.value(&state, a).clone();
                self.conditions[at].extend(&value.secrets);
                let when = matches!(op, Op::JumpIf { .. });
                let holds = state.facts.condition(&mut self.all.symbols, value.symbol);
                let jumps = holds.map(|holds| holds == when);
                return self.branch(at, &state, to, jumps, |facts, symbols, goes| {
                    facts.add_condition(symbols, value.symbol, goes == when);
                });
            }
            Op::JumpTest { test, when, a, b, to } => {
                let secrets = self.operands(&state, op);
                self.conditions[at].extend(&secrets);
                let a = self.value(&state, a).symbol;
                let b = self.value(&state, b).symbol;
                return self.jump_test(at, &state, test, when, (a, b), to);
            }
            Op::JumpCell { test, when, column, row, n, to } => {
                let (symbol, secrets) = self.read_cell(at, &state, column, row);
                self.conditions[at].extend(&secrets);
                let symbol = symbol.unwrap_or_else(|| self.made(at, row));
                let is_flag = self.all.schema.column_attribute(column).ty == Type::Flag;
                if is_flag && test == JumpTest::Equal {
                    let holds = state.facts.condition(&mut self.all.symbols, symbol);
                    let is_set = n != 0;
                    let jumps = holds.map(|holds| (holds == is_set) == when);
                    return self.branch(at, &state, to, jumps, |facts, symbols, goes| {
                        facts.add_condition(symbols, symbol, (goes == when) == is_set);
                    });
                }
                let n = self.all.symbols.constant(i64::from(n));
                return self.jump_test(at, &state, test, when, (symbol, n), to);
            }
            Op::JumpIfGone { kind, a, to } => {
                let value = self.value(&state, a).clone();
                let mut secrets = value.secrets;
                self.add_secret(at, SecretThing::Piece(kind), value.symbol, &mut secrets);
                self.conditions[at].extend(&secrets);
                return self.branch(at, &state, to, None, |facts, _, gone| {
                    if gone {
                        facts.add(Fact::Gone(value.symbol));
                    }
                });
            }
            Op::Get { d, column, row } => {
                let (symbol, secrets) = self.read_cell(at, &state, column, row);
                self.write(at, &mut state, d, symbol, &secrets);
            }
            Op::Set { how, column, row, value } => {
                let piece = self.value(&state, row).clone();
                let value = self.value(&state, value).clone();
                let (kind, index) = self.all.schema.columns[column.index()];
                self.store(at, &state, (kind, index), &piece, &value);
                let set = (how == CellChange::Set).then_some(value.symbol);
                self.change_cells(at, &mut state, column, set);
                let is_old = |s: Symbol| self.all.symbols.reads_column(s, column);
                let set = set.filter(|set| !is_old(*set) && !is_old(piece.symbol));
                if let (Some(set), Some(cell)) =
                    (set, self.all.symbols.of(Origin::Cell(column, piece.symbol)))
                {
                    state.facts.add_comparison(cell, set, true);
                }
            }
            Op::GetList { d, list, row } => {
                let member = self.made(at, d);
                let secrets = self.read_list(at, &state, list, row, member);
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::SetList { how, list, row, value } => {
                let piece = self.value(&state, row).clone();
                let value = self.value(&state, value).clone();
                let target = self.all.schema.lists[list.index()];
                self.store(at, &state, target, &piece, &value);
                if let Some(thing) = self.revealed_by(list) {
                    match how {
                        ListChange::Add | ListChange::Link => {
                            let fact = Fact::RevealedTo(thing, piece.symbol, value.symbol);
                            state.facts.add(fact);
                        }
                        ListChange::Set | ListChange::Take => {
                            state.facts.forget_revealed_to(thing);
                            self.summary.hidden_again.insert(thing);
                        }
                    }
                }
            }
            Op::Holds { d, list, row, .. } => {
                let member = self.made(at, d);
                let mut secrets = self.read_list(at, &state, list, row, member);
                secrets.extend(&self.operands(&state, op));
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::Mark { d } => {
                state.lists.insert(d, OpenList::default());
                self.write(at, &mut state, d, None, &Secrets::default());
            }
            Op::Push { .. } | Op::PushKey { .. } => {
                let mut secrets = self.operands(&state, op);
                secrets.extend(&self.reasons(at, &state.facts));
                let pushed = match op {
                    Op::Push { a } => Some(self.value(&state, a).symbol),
                    _ => None,
                };
                state.lists.values_mut().for_each(|list| list.secrets.extend(&secrets));
                // The innermost list was begun last, so its register has the highest number.
                if let Some((_, list)) = state.lists.iter_mut().next_back() {
                    list.add_member(pushed, &state.facts);
                }
            }
            Op::Collect { d, a } | Op::CollectSorted { d, a, .. } => {
                let list = state.lists.remove(&a).unwrap_or_default();
                let symbol = self.all.symbols.leaf(Origin::Collected(self.function, at));
                if let Some(member) = list.member.filter(|_| !list.is_mixed) {
                    self.all.collected.insert(symbol, (member, list.known));
                } else {
                    self.all.collected.remove(&symbol);
                }
                if self.collects_every_piece(at) {
                    self.all.complete.insert(symbol);
                }
                self.write(at, &mut state, d, Some(symbol), &list.secrets);
            }
            Op::Release { a } => {
                state.lists.remove(&a);
            }
            Op::NextPiece { d, kind, end, .. } => {
                let mut secrets = Secrets::default();
                let member = self.made(at, d);
                self.add_secret(at, SecretThing::Piece(kind), member, &mut secrets);
                let mut ways = self.loop_head(at, state, d, end, &secrets);
                self.learn_of_every(at, member, end, &mut ways);
                return ways;
            }
            Op::NextMarked { d, column, end, .. } => {
                let mut secrets = Secrets::default();
                let member = self.made(at, d);
                let cell = self.all.schema.columns[column.index()];
                self.add_secrets_of_cell(at, cell, member, &mut secrets);
                return self.loop_head(at, state, d, end, &secrets);
            }
            Op::NextOf { d, list, row, end, .. } => {
                let member = self.made(at, d);
                let secrets = self.read_list(at, &state, list, row, member);
                return self.loop_head(at, state, d, end, &secrets);
            }
            Op::NextIn { d, a, end, .. } => {
                let list = self.value(&state, a).clone();
                return self.next_in(at, state, d, end, &list);
            }
            Op::Narrow { d, a, .. } => {
                // The result is the list, or a part of it.
                let list = self.value(&state, a).symbol;
                let secrets = self.operands(&state, op);
                self.write(at, &mut state, d, Some(list), &secrets);
            }
            Op::Nth { d, a, .. } => {
                let list = self.value(&state, a).symbol;
                let member = self.all.symbols.of(Origin::Member(self.function, at, list));
                let secrets = self.operands(&state, op);
                self.write(at, &mut state, d, member, &secrets);
            }
            Op::NextNumber { d, at: from, last, end } => {
                let mut secrets = self.value(&state, last).secrets.clone();
                secrets.extend(&self.value(&state, from).secrets);
                return self.loop_head(at, state, d, end, &secrets);
            }
            Op::Call { call } => self.call(at, &mut state, call),
            Op::Return { a } => {
                let mut value = self.value(&state, a).clone();
                let further = self.all.program.further.get(&self.function).map_or(0, Vec::len);
                for reg in (a..).take(further + 1) {
                    value.secrets.extend(&self.value(&state, reg).secrets);
                }
                value.secrets.extend(&self.reasons(at, &state.facts));
                results.push((value, state.facts));
                return Vec::new();
            }
            Op::Bound { bindings, .. } => {
                let names = &self.all.program.bindings[bindings.0 as usize];
                let turn = names.iter().map(|name| TurnName {
                    name: name.name.clone(),
                    ty: name.ty,
                    symbol: self.value(&state, name.reg).symbol,
                });
                state.turn = Rc::new(turn.collect());
            }
            Op::Way { d, way } => {
                let way = self.all.program.ways[way.0 as usize];
                let mut secrets = self.value(&state, way.from).secrets.clone();
                secrets.extend(&self.value(&state, way.to).secrets);
                if let Some(filter) = way.filter {
                    let area = self.made(at, d);
                    let mut arguments = vec![Traced { symbol: area, secrets: Secrets::default() }];
                    let captured = (way.base + 1..).take(usize::from(way.captured));
                    arguments.extend(captured.map(|reg| self.value(&state, reg).clone()));
                    let summary = self.all.summaries.get(&filter).cloned().unwrap_or_default();
                    secrets.extend(&self.translated(&summary.secrets, &arguments, &state.facts));
                }
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::RollPool { d, .. } | Op::RollDice { d, .. } | Op::RollValue { d, .. } => {
                let secrets = self.operands(&state, op);
                self.show(at, Shown::Dice, &state, &secrets);
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::Modify { .. }
            | Op::Throw { .. }
            | Op::Need { .. }
            | Op::Verdict { .. }
            | Op::CheckEnd { .. } => {
                let secrets = self.operands(&state, op);
                self.show(at, Shown::Dice, &state, &secrets);
            }
            Op::Tell { how, template } => {
                let mut secrets = self.in_template(&state, template);
                secrets.extend(&self.named_in_template(at, &state, template));
                match how {
                    MessageKind::Say | MessageKind::Instruct => {
                        self.show(at, Shown::Line, &state, &secrets);
                    }
                    MessageKind::Refuse => {
                        self.show(at, Shown::Refusal, &state, &secrets);
                        // If the command was not refused, the facts on the other path hold from
                        // here on.
                        return Vec::new();
                    }
                    // Reminders are for the umpire.
                    MessageKind::Remind => {}
                }
            }
            Op::SayTo { template, to } => {
                self.say_to(at, &state, template, to);
                if matches!(to, AddresseeReg::All) {
                    let reasons = self.reasons(at, &state.facts);
                    self.announced.extend(&reasons);
                }
            }
            Op::Make { d, kind, template, owner } => {
                let mut secrets = Secrets::default();
                let piece = self.made(at, d);
                match template {
                    Some(template) => self.name_piece(at, &state, kind, template),
                    None if owner.is_none() => self.number_piece(at, &state, kind),
                    None => {}
                }
                self.add_secret(at, SecretThing::Piece(kind), piece, &mut secrets);
                self.write(at, &mut state, d, None, &secrets);
                self.make_piece(kind, &mut state.facts);
                self.learn_start(kind, piece, &mut state.facts);
            }
            Op::Draw { d, deck } => {
                let mut secrets = Secrets::default();
                let card = self.made(at, d);
                let of = self.all.schema.decks[deck.index()].of;
                self.add_secret(at, SecretThing::Piece(of), card, &mut secrets);
                self.show(at, Shown::Draw, &state, &secrets);
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::Pick { d, kind, .. } | Op::PickPiece { d, kind } => {
                let mut secrets = self.operands(&state, op);
                let piece = self.made(at, d);
                self.add_secret(at, SecretThing::Piece(kind), piece, &mut secrets);
                self.show(at, Shown::Draw, &state, &secrets);
                self.write(at, &mut state, d, None, &secrets);
            }
            Op::AskAmong { d, .. } | Op::AskBetween { d, .. } | Op::AskFlag { d, .. } => {
                let secrets = self.operands(&state, op);
                self.show(at, Shown::Question, &state, &secrets);
                self.write(at, &mut state, d, None, &secrets);
            }
            // While a deck is filled, no hidden piece acts.
            Op::Deck { op: DeckOp::Put { .. }, .. } if self.all.fills.contains(&self.function) => {
                let secrets = self.operands(&state, op);
                self.show(at, Shown::Deck, &state, &secrets);
            }
            Op::Deck { op: DeckOp::Put { count, .. }, .. } => {
                let count = self.value(&state, count).secrets.clone();
                self.enlarge_deck(at, &state, &count);
            }
            Op::Deck { op: DeckOp::Shuffled, .. } => {
                self.show(at, Shown::Draw, &state, &Secrets::default());
            }
            Op::End { .. } => {
                self.show(at, Shown::Ended, &state, &Secrets::default());
                return Vec::new();
            }
            Op::NoMember {} | Op::NoRow { .. } => return Vec::new(),
            Op::Best { .. }
            | Op::CheckBegin {}
            | Op::Reroll {}
            | Op::Remove { .. }
            | Op::Deck { .. }
            | Op::Within { .. }
            | Op::Repeats { .. } => {}
            Op::Unary { d, .. }
            | Op::Number { d, .. }
            | Op::Word { d, .. }
            | Op::SameList { d, .. }
            | Op::InList { d, .. }
            | Op::Join { d, .. }
            | Op::Append { d, .. }
            | Op::Without { d, .. }
            | Op::Chart { d, .. }
            | Op::Native { d, .. }
            | Op::Step { d, .. }
            | Op::Text { d, .. } => {
                let secrets = self.operands(&state, op);
                self.write(at, &mut state, d, None, &secrets);
            }
        }
        vec![(at + 1, state)]
    }

    /// Returns the possible paths of a branch, each with its state. `jumps` is true or false if the
    /// facts determine the path.
    pub(super) fn branch(
        &mut self,
        at: usize,
        state: &State,
        to: Target,
        jumps: Option<bool>,
        learn: impl Fn(&mut Facts, &mut Symbols, bool),
    ) -> Vec<(usize, State)> {
        let mut ways = Vec::new();
        for (goes, next) in [(false, at + 1), (true, to.0 as usize)] {
            if jumps.is_none_or(|known| known == goes) {
                let mut way = state.clone();
                learn(&mut way.facts, &mut self.all.symbols, goes);
                ways.push((next, way));
            }
        }
        ways
    }

    /// Returns both paths of a loop: into its next iteration, with the member, and past the loop.
    pub(super) fn loop_head(
        &mut self,
        at: usize,
        mut state: State,
        d: Reg,
        end: Target,
        secrets: &Secrets,
    ) -> Vec<(usize, State)> {
        let past = state.clone();
        self.conditions[at].extend(secrets);
        self.write(at, &mut state, d, None, secrets);
        vec![(at + 1, state), (end.0 as usize, past)]
    }

    /// Returns both paths of a loop over a list. In each iteration, the secrets that decided
    /// whether a member is in the list are taken to be about that member, not about the others.
    pub(super) fn next_in(
        &mut self,
        at: usize,
        state: State,
        d: Reg,
        end: Target,
        list: &Traced,
    ) -> Vec<(usize, State)> {
        let Some(member) = self.all.symbols.of(Origin::Member(self.function, at, list.symbol))
        else {
            return self.loop_head(at, state, d, end, &list.secrets);
        };
        let mut secrets = list.secrets.clone();
        let mut known = Vec::new();
        if let Some((pushed, facts)) = self.all.collected.get(&list.symbol) {
            let symbols = &mut self.all.symbols;
            secrets = secrets.renamed(symbols, *pushed, member);
            // The facts of another function are about its own parameters, so they don't apply here.
            let function = self.function;
            if matches!(symbols.term(list.symbol), Origin::Collected(of, _) if *of == function) {
                known = facts.renamed(symbols, *pushed, member);
                let changed = self.changes.keys().map(|(_, column)| *column).collect();
                known.retain(|fact| Facts::is_about_other_cells(fact, symbols, &changed));
            }
        }
        let mut ways = self.loop_head(at, state, d, end, &secrets);
        if let Some((_, turn)) = ways.first_mut() {
            if let Some(register) = turn.registers.get_mut(usize::from(d)) {
                register.symbol = member;
            }
            known.into_iter().for_each(|fact| turn.facts.add(fact));
        }
        if self.all.complete.contains(&list.symbol) {
            self.learn_of_every(at, member, end, &mut ways);
        }
        ways
    }

    pub(super) fn jump_test(
        &mut self,
        at: usize,
        state: &State,
        test: JumpTest,
        when: bool,
        (a, b): (Symbol, Symbol),
        to: Target,
    ) -> Vec<(usize, State)> {
        if test == JumpTest::Less {
            return self.branch(at, state, to, None, |_, _, _| {});
        }
        let jumps = state.facts.compare(&self.all.symbols, a, b).map(|equal| equal == when);
        self.branch(at, state, to, jumps, |facts, _, goes| {
            facts.add_comparison(a, b, goes == when);
        })
    }

    /// Applies the effects of a called function.
    pub(super) fn call(&mut self, at: usize, state: &mut State, call: Call) {
        let Call { function, base, .. } = call;
        let program = self.all.program;
        let count = program.functions[function.index()].params;
        let values: Vec<Traced> =
            (base..).take(usize::from(count)).map(|reg| self.value(state, reg).clone()).collect();
        let arguments: Vec<Symbol> = values.iter().map(|value| value.symbol).collect();
        if (1..=MAX_CONDITION_DEPTH).contains(&self.depth) {
            let inner = Tracer::new(self.all, function, self.depth + 1);
            let result = inner.run(&arguments, &state.facts).result;
            let result = match result {
                Some(result) => Some(result),
                None => self.all.symbols.of(Origin::Called(function, arguments)),
            };
            return self.write(at, state, base, result, &Secrets::default());
        }
        let summary = self.all.summaries.get(&function).cloned().unwrap_or_default();
        if !self.only_values {
            self.take_showings(at, state, &summary, &values);
            self.take_entrusted(&summary, &values);
        }
        let mut known = BTreeMap::new();
        for (column, value) in &summary.changed {
            self.change_cells(at, state, *column, *value);
        }
        for kind in &summary.made {
            self.make_piece(*kind, &mut state.facts);
        }
        for thing in &summary.hidden_again {
            state.facts.forget_revealed_to(*thing);
            self.summary.hidden_again.insert(*thing);
        }
        let result = summary
            .result
            .and_then(|result| self.all.symbols.translate(result, &arguments, &mut known))
            .filter(|result| !self.all.symbols.is_passing(*result));
        let result = match result {
            Some(result) => Some(result),
            None if self.all.is_pure(function) => {
                self.all.symbols.of(Origin::Called(function, arguments.clone()))
            }
            None => None,
        };
        let returned = self.all.symbols.leaf(Origin::Returned);
        known.insert(returned, result);
        let mut secrets = Secrets::default();
        if !self.only_values {
            secrets = self.translated(&summary.secrets, &values, &state.facts);
            if let Some(result) = result {
                secrets = secrets.renamed(&mut self.all.symbols, returned, result);
            }
        }
        for fact in summary.known.iter() {
            let symbols = &mut self.all.symbols;
            let fact = fact.map(|symbol| symbols.translate(symbol, &arguments, &mut known));
            fact.into_iter().for_each(|fact| state.facts.add(fact));
        }
        let further = program.further.get(&function).map_or(0, Vec::len);
        for reg in (base + 1..).take(further) {
            self.write(at, state, reg, None, &secrets);
        }
        self.write(at, state, base, result, &secrets);
    }

    /// Translates the secrets of a called function for its caller, and leaves out those that are
    /// public.
    pub(super) fn translated(
        &mut self,
        secrets: &Secrets,
        arguments: &[Traced],
        facts: &Facts,
    ) -> Secrets {
        let mut known = BTreeMap::new();
        let symbols = &mut self.all.symbols;
        let given: Vec<Symbol> = arguments.iter().map(|argument| argument.symbol).collect();
        let mut of_arguments = Secrets::default();
        // A value that can't be translated becomes an unknown value.
        let unknown = symbols.leaf(Origin::Made(self.function, usize::MAX, 0));
        let mut translated = secrets.filter_map(|secret| {
            if let SecretThing::Argument(reg) = secret.thing {
                let argument = arguments.get(usize::from(reg));
                if let Some(argument) = argument {
                    of_arguments.extend(&argument.secrets);
                }
                return None;
            }
            let piece = symbols.translate(secret.piece, &given, &mut known);
            let owner = secret.owner.and_then(|s| symbols.translate(s, &given, &mut known));
            Some(Secret { thing: secret.thing, piece: piece.unwrap_or(unknown), owner })
        });
        translated.extend(&of_arguments);
        self.all.settle(&translated, facts)
    }
}
