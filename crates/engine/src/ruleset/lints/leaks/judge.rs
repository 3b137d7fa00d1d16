//! Judges everything that a function shows: who notices it, and which secrets it reveals.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::{MAX_STEPS, Summary, pieces_among};
use super::facts::Facts;
use super::secrets::{Limit, Secret, SecretThing, Secrets};
use super::showing::{Showing, Shown};
use super::state::{State, Traced};
use super::symbols::{Origin, Symbol};
use super::trace::Tracer;
use crate::language::code::{AddresseeReg, Op, Reg, TemplateId};
use crate::language::schema::{KindId, SecretFor, Type};

/// The fixed part of the cost of translating a showing of a called function for its caller, in
/// steps.
const COST_OF_SHOWING: usize = 20;

impl Tracer<'_, '_> {
    /// Returns the limits on the viewers of everything that a function shows at this point.
    pub(super) fn limits(&mut self, state: &State) -> BTreeSet<Limit> {
        let Some(&id) = self.all.rules.get(&self.function) else {
            let turn = pieces_among(state.turn.iter().map(|name| (name.ty, name.symbol)));
            return self.all.limits_of_pieces(&turn).into_iter().collect();
        };
        let rule = &self.all.schema.rules[id.index()];
        let mut given = Vec::new();
        for (reg, param) in (0..).zip(&rule.params) {
            given.push((param.ty, self.all.symbols.leaf(Origin::Param(reg))));
        }
        self.all.limits_of_given(rule, &given, &state.turn)
    }

    /// Records that an instruction shows something to the viewers of its rule, or to everyone.
    pub(super) fn show(&mut self, at: usize, shown: Shown, state: &State, secrets: &Secrets) {
        if self.only_values {
            return;
        }
        let mut limits = self.limits(state);
        if shown.is_plain_to_all() {
            limits.clear();
        }
        let mut secrets = self.all.settle(secrets, &state.facts);
        if shown.tells_of_call() {
            secrets.extend(&self.reasons(at, &state.facts));
        }
        // The refusals that the loader writes for activations name the pieces that are acting. They
        // belong to no line of the ruleset: no statement is at the beginning of a file.
        if shown == Shown::Refusal && self.span(at).start == 0 {
            let is_piece = |secret: &Secret| matches!(secret.thing, SecretThing::Piece(_));
            secrets = secrets.filter_map(|secret| (!is_piece(secret)).then_some(*secret));
        }
        self.record(at, shown, limits, &secrets, &state.facts);
    }

    /// Records that an instruction shows something to the viewers who satisfy these limits.
    pub(super) fn record(
        &mut self,
        at: usize,
        shown: Shown,
        limits: BTreeSet<Limit>,
        secrets: &Secrets,
        facts: &Facts,
    ) {
        let showing = Showing {
            span: self.span(at),
            shown,
            function: self.function,
            limits,
            secrets: secrets.clone(),
            known: facts.clone(),
        };
        self.keep(showing);
    }

    /// Stores a showing, unless only the umpire sees it or it reveals nothing. Secrets that its
    /// viewers may know are left out.
    pub(super) fn keep(&mut self, mut showing: Showing) {
        if showing.limits.contains(&Limit::Umpire) {
            return;
        }
        // A limit to the viewers who see a piece has no effect if everyone sees the piece.
        showing.limits.retain(|limit| match *limit {
            Limit::Sees(kind, piece) => {
                let seen = Secret { thing: SecretThing::Piece(kind), piece, owner: None };
                !self.all.is_public(&seen, &showing.known)
            }
            _ => true,
        });
        let Showing { limits, known, .. } = &showing;
        showing.secrets = showing
            .secrets
            .filter_map(|secret| (!self.all.is_covered(secret, limits, known)).then_some(*secret));
        showing.known = showing.known.lasting_facts(&self.all.symbols);
        if showing.shown.tells_of_call() || !showing.secrets.is_empty() {
            self.summary.showings.insert(showing);
        }
    }

    /// Judges a value stored in an attribute that players may see.
    pub(super) fn store(
        &mut self,
        at: usize,
        state: &State,
        (kind, index): (KindId, usize),
        piece: &Traced,
        value: &Traced,
    ) {
        let schema = self.all.schema;
        let of = schema.kind(kind);
        let Some(attribute) = of.attributes.get(index) else { return };
        // Built-in attributes, such as the flags that reveal a secret, are not judged here.
        if self.only_values || attribute.is_built_in() {
            return;
        }
        if attribute.secret.is_some() {
            return self.store_secret(at, state, (kind, index), piece, value);
        }
        let frame = self.limits(state);
        if frame.contains(&Limit::Umpire) && of.secret.is_some() {
            return;
        }
        let mut limits = BTreeSet::new();
        if of.secret.is_some() {
            limits.insert(Limit::Sees(kind, piece.symbol));
        }
        let mut secrets = value.secrets.clone();
        // A reference to a hidden piece is hidden with it.
        if let Type::Piece(to) = attribute.ty.member_or_self() {
            let hidden = SecretThing::Piece(to);
            secrets = secrets.filter_map(|s| (s.thing != hidden).then_some(*s));
        }
        secrets.extend(&piece.secrets);
        secrets = self.all.settle(&secrets, &state.facts);
        secrets.extend(&self.reasons(at, &state.facts));
        let secrets = without_pieces_of(&secrets, &frame);
        self.record(at, Shown::Stored(kind, index), limits, &secrets, &state.facts);
    }

    /// Judges a value stored in a secret attribute, if it comes from the typed line. Whoever sees
    /// the line learns the value.
    pub(super) fn store_secret(
        &mut self,
        at: usize,
        state: &State,
        (kind, index): (KindId, usize),
        piece: &Traced,
        value: &Traced,
    ) {
        let schema = self.all.schema;
        let rule = self.all.rules.get(&self.function).map(|id| &schema.rules[id.index()]);
        let reasons = self.reasons(at, &state.facts);
        let Some(rule) = rule.filter(|rule| rule.usage.is_some()) else { return };
        // A piece that is only named isn't the value, unless it is the piece that is stored.
        let is_value = |reg: Reg| {
            let param = rule.params.get(usize::from(reg));
            param.is_some_and(|param| !matches!(param.ty, Type::Piece(_)))
        };
        let computed_from = value.secrets.without(&reasons);
        let computed_from = computed_from.iter().filter_map(|(secret, _)| secret.thing.argument());
        let mut typed: BTreeSet<Reg> = computed_from.filter(|reg| is_value(*reg)).collect();
        if let Origin::Param(reg) = *self.all.symbols.term(value.symbol) {
            typed.insert(reg);
        }
        if typed.is_empty() {
            return;
        }
        let thing = SecretThing::Attribute(kind, index);
        let stored = Secret { thing, piece: piece.symbol, owner: None };
        self.summary.entrusted.extend(typed.into_iter().map(|reg| (reg, stored)));
        let mut told = Secrets::default();
        self.insert_secret(at, SecretThing::Attribute(kind, index), piece.symbol, &mut told);
        let limits = self.limits(state);
        let told = self.all.settle(&told, &state.facts);
        self.record(at, Shown::Typed(kind, index), limits, &told, &state.facts);
    }

    /// Judges the name of a new piece whose side isn't given. The number in the name counts the
    /// pieces of every side, and the side of the new piece will see this number.
    pub(super) fn number_piece(&mut self, at: usize, state: &State, kind: KindId) {
        let schema = self.all.schema;
        let is_umpires =
            schema.kind(kind).secret.is_some_and(|s| s.secret_for == SecretFor::Umpire);
        if self.only_values || is_umpires || schema.owner_if_hidden(kind).is_none() {
            return;
        }
        let others = self.all.symbols.leaf(Origin::Made(self.function, at, Reg::MAX));
        let mut counted = Secrets::default();
        self.add_secret(at, SecretThing::Piece(kind), others, &mut counted);
        self.record(at, Shown::Number, BTreeSet::new(), &counted, &state.facts);
    }

    /// Judges the name of a new piece that everyone sees.
    pub(super) fn name_piece(
        &mut self,
        at: usize,
        state: &State,
        kind: KindId,
        template: TemplateId,
    ) {
        if self.only_values || self.all.schema.kind(kind).secret.is_some() {
            return;
        }
        let mut named = self.in_template(state, template);
        named.extend(&self.named_in_template(at, state, template));
        let named = self.all.settle(&named, &state.facts);
        let named = without_pieces_of(&named, &self.limits(state));
        self.record(at, Shown::Name, BTreeSet::new(), &named, &state.facts);
    }

    /// Judges the number of cards that are put into a deck, because everyone sees the size of the
    /// deck. Only viewers who may know a card see which card it is.
    pub(super) fn enlarge_deck(&mut self, at: usize, state: &State, count: &Secrets) {
        if self.only_values {
            return;
        }
        let mut decided = self.all.settle(count, &state.facts);
        decided.extend(&self.reasons(at, &state.facts));
        let decided = without_pieces_of(&decided, &self.limits(state));
        self.record(at, Shown::Deck, BTreeSet::new(), &decided, &state.facts);
    }

    /// Judges a line that is addressed to someone.
    pub(super) fn say_to(
        &mut self,
        at: usize,
        state: &State,
        template: TemplateId,
        to: AddresseeReg,
    ) {
        if self.only_values {
            return;
        }
        let (shown, limits, secrets) = match to {
            AddresseeReg::Umpire => return,
            AddresseeReg::Side(reg) => {
                let side = self.value(state, reg).symbol;
                let named = self.named_for_sides(at, state, template);
                (Shown::LineToSide, BTreeSet::from([Limit::Side(side)]), named)
            }
            // A line to several sides is judged by the knowledge that all of them share.
            AddresseeReg::Sides(_) => {
                let named = self.named_for_sides(at, state, template);
                (Shown::LineToSide, BTreeSet::new(), named)
            }
            AddresseeReg::All => {
                // Only the words matter, not the fact that a line is printed.
                let reasons = self.reasons(at, &state.facts);
                let mut secrets = self.in_template(state, template).without(&reasons);
                secrets.extend(&self.named_in_template(at, state, template));
                // The number of lines reveals the number of members.
                for decider in self.flow.all_deciders(at) {
                    let op = self.all.program.functions[self.function.index()].code[decider];
                    let is_loop = matches!(
                        op,
                        Op::NextPiece { .. }
                            | Op::NextMarked { .. }
                            | Op::NextOf { .. }
                            | Op::NextIn { .. }
                            | Op::NextNumber { .. }
                    );
                    let end = op.jump_target().map_or(0, |target| target.0 as usize);
                    if is_loop && (decider..end).contains(&at) {
                        secrets.extend(&self.conditions[decider]);
                    }
                }
                (Shown::LineToAll, BTreeSet::new(), secrets)
            }
        };
        let secrets = self.all.settle(&secrets, &state.facts);
        self.record(at, shown, limits, &secrets, &state.facts);
    }

    /// Returns the secrets that are named in a line addressed to certain sides. Secrets that only
    /// the umpire knows are left out, because the umpire may decide to reveal them.
    fn named_for_sides(&mut self, at: usize, state: &State, template: TemplateId) -> Secrets {
        let schema = self.all.schema;
        let named = self.named_in_template(at, state, template);
        named.filter_map(|secret| {
            let secrecy = secret.thing.secrecy(schema);
            (!secrecy.is_some_and(|s| s.secret_for == SecretFor::Umpire)).then_some(*secret)
        })
    }

    /// Removes, from the showings of stored values, the secrets that the function itself announces
    /// to all, because it reveals them on purpose.
    pub(super) fn forgive_announced(&mut self) {
        let showings = std::mem::take(&mut self.summary.showings);
        for mut showing in showings {
            if matches!(showing.shown, Shown::Stored(..)) {
                showing.secrets = showing.secrets.without(&self.announced);
            }
            self.summary.showings.insert(showing);
        }
    }

    /// Records which arguments of this function a called function stores in secret attributes.
    pub(super) fn take_entrusted(&mut self, summary: &Summary, arguments: &[Traced]) {
        let mut known = BTreeMap::new();
        let given: Vec<Symbol> = arguments.iter().map(|argument| argument.symbol).collect();
        for (reg, stored) in &summary.entrusted {
            let piece = self.all.symbols.translate(stored.piece, &given, &mut known);
            let (Some(piece), Some(argument)) = (piece, arguments.get(usize::from(*reg))) else {
                continue;
            };
            let from = argument.secrets.iter().filter_map(|(secret, _)| secret.thing.argument());
            let stored = Secret { piece, ..*stored };
            self.summary.entrusted.extend(from.map(|from| (from, stored)));
        }
    }

    /// Adds everything that a called function shows. Ordinary lines and dice are seen only by
    /// viewers who see the caller, and these viewers also learn the reason for the call.
    pub(super) fn take_showings(
        &mut self,
        at: usize,
        state: &State,
        summary: &Summary,
        arguments: &[Traced],
    ) {
        if summary.showings.is_empty() {
            return;
        }
        let frame = self.limits(state);
        let reasons = self.reasons(at, &state.facts);
        let mut known = BTreeMap::new();
        let given: Vec<Symbol> = arguments.iter().map(|argument| argument.symbol).collect();
        for showing in &summary.showings {
            self.all.steps +=
                COST_OF_SHOWING + showing.limits.len() + showing.known.len() + state.facts.len();
            if self.all.steps > MAX_STEPS {
                return;
            }
            let symbols = &mut self.all.symbols;
            // The function may change a cell before it shows something.
            let mut facts = state.facts.clone();
            for (column, value) in &summary.changed {
                facts.forget_cells(symbols, *column, *value);
            }
            let columns = &self.all.schema.columns;
            facts.forget_every(|column| summary.made.contains(&columns[column.index()].0));
            let mut to = |symbol: Symbol| symbols.translate(symbol, &given, &mut known);
            for fact in showing.known.iter() {
                fact.map(&mut to).into_iter().for_each(|fact| facts.add(fact));
            }
            let limits = showing.limits.iter().filter_map(|limit| limit.map(&mut to));
            let mut limits: BTreeSet<Limit> = limits.collect();
            let mut secrets = self.translated(&showing.secrets, arguments, &facts);
            if showing.shown == Shown::LineToAll {
                // Only the words matter, not the fact that the function is called.
                let is_argument =
                    |secret: &Secret| matches!(secret.thing, SecretThing::Argument(_));
                let named = showing.secrets.filter_map(|s| (!is_argument(s)).then_some(*s));
                secrets = secrets.without(&reasons);
                secrets.extend(&self.translated(&named, arguments, &facts));
            }
            if let Shown::Stored(..) = showing.shown {
                secrets.extend(&self.all.settle(&reasons, &facts));
                secrets = without_pieces_of(&secrets, &frame);
            } else if showing.shown.tells_of_call() {
                if !showing.shown.is_plain_to_all() {
                    limits.extend(frame.iter().cloned());
                }
                secrets.extend(&self.all.settle(&reasons, &facts));
            }
            let taken = Showing { limits, secrets, known: facts, ..showing.clone() };
            self.keep(taken);
        }
    }
}

/// Returns the secrets, except those about the pieces that act: everyone sees the effect of their
/// actions on others.
fn without_pieces_of(secrets: &Secrets, frame: &BTreeSet<Limit>) -> Secrets {
    secrets.filter_map(|secret| {
        let acts =
            frame.iter().any(|limit| matches!(limit, Limit::Sees(_, p) if *p == secret.piece));
        (!acts).then_some(*secret)
    })
}
