//! Finds out who may know which secrets, given the facts at a point.

use std::collections::BTreeSet;

use super::analysis::{Analysis, MAX_STEPS, lists_among, pieces_among};
use super::facts::Facts;
use super::secrets::{Limit, Secret, SecretThing, Secrets, limits_of_rule, player_of, side_of};
use super::state::TurnName;
use super::symbols::{Origin, Symbol, Symbols};
use super::trace::Tracer;
use crate::language::code::Op;
use crate::language::rule::RuleText;
use crate::language::schema::{ColumnId, FunctionId, KindId, RuleId, SecretFor, Type};
use crate::tabletop::Argument;

/// The maximum number of pieces of a kind that are examined in the scenarios to find out whether a
/// thing is usually seen.
const MAX_SETUPS: usize = 500;

impl Analysis<'_> {
    /// Among the things whose visibility depends on a condition, finds those that everyone usually
    /// sees. These are the things that everyone can see for at least half of the pieces of their
    /// kind that the scenarios set out (or, if they set out none, for a piece with the start
    /// values). If a piece is usually seen, such as a man who may hide, only its hiding is a
    /// secret. If it is usually hidden, such as a submarine that seldom surfaces, everything about
    /// it is a secret.
    pub(super) fn find_usually_open(&mut self) {
        for (id, kind) in self.schema.all_kinds() {
            let attributes = (0..kind.attributes.len()).map(|i| SecretThing::Attribute(id, i));
            for thing in [SecretThing::Piece(id)].into_iter().chain(attributes) {
                let Some(secrecy) = thing.secrecy(self.schema) else { continue };
                let SecretFor::Condition(function) = secrecy.secret_for else { continue };
                let mut hiding = self.columns_read(function, id);
                self.hiding.insert(thing, hiding.clone());
                let setups = self.scenarios.iter().flat_map(|scenario| &scenario.pieces);
                let setups = setups.filter(|piece| piece.kind == id).take(MAX_SETUPS);
                let mut values: Vec<&[(usize, Argument)]> =
                    setups.map(|piece| piece.values.as_slice()).collect();
                if values.is_empty() {
                    values.push(&[]);
                }
                let seen =
                    values.iter().filter(|given| self.is_set_out_openly(function, &hiding, given));
                if seen.count() * 2 >= values.len() {
                    let side = kind.side().and_then(|a| a.storage.cell());
                    hiding.retain(|column| Some(*column) != side);
                    self.usually_open.insert(thing, hiding);
                }
            }
        }
    }

    /// Returns the columns of a kind that a condition reads, directly or through the functions that
    /// it calls.
    pub(super) fn columns_read(&self, condition: FunctionId, kind: KindId) -> BTreeSet<ColumnId> {
        let mut columns = BTreeSet::new();
        for read in self.program.reachable_from(&[condition]) {
            for op in &self.program.functions[read.index()].code {
                if let Op::Get { column, .. } | Op::JumpCell { column, .. } = *op
                    && self.schema.columns[column.index()].0 == kind
                {
                    columns.insert(column);
                }
            }
        }
        columns
    }

    /// Returns true if everyone is known to see a piece that a scenario sets out with these values.
    pub(super) fn is_set_out_openly(
        &mut self,
        condition: FunctionId,
        columns: &BTreeSet<ColumnId>,
        given: &[(usize, Argument)],
    ) -> bool {
        let viewer = self.symbols.leaf(Origin::Viewer);
        let piece = self.symbols.leaf(Origin::Param(0));
        let mut facts = Facts::default();
        for &column in columns {
            let (_, index) = self.schema.columns[column.index()];
            let value = match given.iter().find(|(of, _)| *of == index) {
                Some((_, Argument::Value(value))) => *value,
                Some(_) => continue,
                None => self.schema.column_attribute(column).start,
            };
            let value = self.symbols.constant(value);
            if let Some(cell) = self.symbols.of(Origin::Cell(column, piece)) {
                facts.add_comparison(cell, value, true);
            }
        }
        self.evaluate(condition, &[viewer, piece], &facts, 0) == Some(true)
    }

    /// Finds out which columns a function reads, and whether it does nothing but compute a value.
    /// The functions that it calls must be examined first. A function that calls itself doesn't
    /// count as pure.
    fn learn_purity(&mut self, function: FunctionId) {
        let mut columns = BTreeSet::new();
        let mut is_pure = true;
        for op in &self.program.functions[function.index()].code {
            if let Some(called) = self.program.called_function(*op) {
                is_pure &= self.pure.contains(&called);
                columns.extend(self.symbols.read_by.get(&called).into_iter().flatten());
            }
            match *op {
                Op::Get { column, .. }
                | Op::JumpCell { column, .. }
                | Op::NextMarked { column, .. } => _ = columns.insert(column),
                Op::RollPool { .. }
                | Op::RollDice { .. }
                | Op::RollValue { .. }
                | Op::Draw { .. }
                | Op::Pick { .. }
                | Op::PickPiece { .. }
                | Op::AskAmong { .. }
                | Op::AskBetween { .. }
                | Op::AskFlag { .. }
                | Op::Set { .. }
                | Op::SetList { .. }
                | Op::Make { .. }
                | Op::Remove { .. }
                | Op::Deck { .. } => is_pure = false,
                _ => {}
            }
        }
        if is_pure {
            self.pure.insert(function);
        }
        self.symbols.read_by.insert(function, columns);
    }

    /// Follows all functions that the roots reach. Returns false if that takes too many steps, or
    /// if a function can't be followed to its end.
    pub(super) fn follow(&mut self, roots: &[FunctionId]) -> bool {
        self.find_usually_open();
        for function in self.program.reachable_from(roots) {
            self.learn_purity(function);
            let params = self.program.functions[function.index()].params;
            let arguments: Vec<Symbol> =
                (0..params).map(|reg| self.symbols.leaf(Origin::Param(reg))).collect();
            let summary = Tracer::new(self, function, 0).run(&arguments, &Facts::default());
            self.summaries.insert(function, summary);
        }
        self.all_followed = true;
        self.steps < MAX_STEPS && !self.gave_up
    }

    /// Returns the limits on who sees a call of a rule, in terms of its parameters.
    pub(super) fn limits_of_call(&mut self, rule: RuleId) -> BTreeSet<Limit> {
        let rule = &self.schema.rules[rule.index()];
        let single = rule.params.iter().filter(|p| !matches!(p.ty, Type::List(_)));
        let mut given = Vec::new();
        for (reg, param) in (0..).zip(single) {
            given.push((param.ty, self.symbols.leaf(Origin::Param(reg))));
        }
        self.limits_of_given(rule, &given, &[])
    }

    /// Returns the limits on who sees a call of a rule with these arguments. `turn` contains the
    /// names in the current iteration of its sweep.
    pub(super) fn limits_of_given(
        &mut self,
        rule: &RuleText,
        given: &[(Type, Symbol)],
        turn: &[TurnName],
    ) -> BTreeSet<Limit> {
        let params = pieces_among(given.iter().copied());
        let lists = lists_among(given.iter().copied());
        let swept = pieces_among(turn.iter().map(|name| (name.ty, name.symbol)));
        let seen = [&params, &lists, &swept].into_iter();
        let mut limits: BTreeSet<Limit> =
            seen.flat_map(|pieces| self.limits_of_pieces(pieces)).collect();
        let Some(secret_for) = rule.secret_for else { return limits };
        let pieces: Vec<(KindId, Symbol)> = params.into_iter().chain(swept).collect();
        let program = self.program;
        let arguments = |symbols: &mut Symbols| {
            let single = given.iter().filter(|(ty, _)| !matches!(ty, Type::List(_)));
            let mut values: Vec<Symbol> = single.map(|(_, symbol)| *symbol).collect();
            if let SecretFor::Condition(function) = secret_for
                && let Some(names) = program.sweep_names.get(&function)
            {
                let none = symbols.constant(0);
                values.resize(values.len() + rule.each.len(), none);
                for name in names {
                    let found = turn.iter().find(|member| member.name == name.name);
                    // The first parameter is the viewing side.
                    let index = usize::from(name.reg).checked_sub(1);
                    let value = index.and_then(|index| values.get_mut(index));
                    if let Some((value, member)) = value.zip(found) {
                        *value = member.symbol;
                    }
                }
            }
            values
        };
        let own = limits_of_rule(self.schema, &mut self.symbols, secret_for, &pieces, arguments);
        limits.extend(own);
        limits
    }

    /// Returns the secrets that are not known to be public, given these facts. If a condition has
    /// determined the owner of a piece, the owner is added.
    pub(super) fn settle(&mut self, secrets: &Secrets, facts: &Facts) -> Secrets {
        if secrets.is_empty() {
            return secrets.clone();
        }
        secrets.filter_map(|secret| {
            if self.is_public(secret, facts) {
                return None;
            }
            let mut settled = *secret;
            if settled.owner.is_none()
                && let Some(owner) = self.owner_of(secret)
                && self.symbols.is_passing(owner)
            {
                let lasting = facts.simplest(&mut self.symbols, owner);
                let lasts = !self.symbols.is_passing(lasting);
                settled.owner = lasts.then_some(lasting);
            }
            Some(settled)
        })
    }

    /// Returns the side that owns a secret or, if only a player may know it, the player; `None` if
    /// no attribute determines the owner.
    pub(super) fn owner_of(&mut self, secret: &Secret) -> Option<Symbol> {
        if secret.owner.is_some() {
            return secret.owner;
        }
        let kind = secret.thing.kind()?;
        match secret.thing.secrecy(self.schema).map(|s| s.secret_for) {
            Some(SecretFor::OwnPlayer) => {
                player_of(self.schema, &mut self.symbols, kind, secret.piece)
            }
            _ => side_of(self.schema, &mut self.symbols, kind, secret.piece),
        }
    }

    /// Returns true if, given these facts, everyone is certain to know a secret.
    pub(super) fn is_public(&mut self, secret: &Secret, facts: &Facts) -> bool {
        let Some(secrecy) = secret.thing.secrecy(self.schema) else { return false };
        let revealed = self.symbols.of(Origin::Cell(secrecy.revealed, secret.piece));
        if revealed.is_some_and(|cell| facts.condition(&mut self.symbols, cell) == Some(true)) {
            return true;
        }
        let SecretFor::Condition(function) = secrecy.secret_for else { return false };
        let viewer = self.symbols.leaf(Origin::Viewer);
        self.evaluate(function, &[viewer, secret.piece], facts, 0) == Some(true)
    }

    /// Returns true if everyone who satisfies these limits is certain to be allowed to know a
    /// secret.
    pub(super) fn is_covered(
        &mut self,
        secret: &Secret,
        limits: &BTreeSet<Limit>,
        facts: &Facts,
    ) -> bool {
        let Some(secrecy) = secret.thing.secrecy(self.schema) else { return false };
        let owner = self.owner_of(secret);
        let own_player = secrecy.secret_for == SecretFor::OwnPlayer;
        limits.iter().any(|limit| match limit {
            Limit::Umpire => true,
            Limit::Side(side) => self.side_knows(secret, owner, *side, facts),
            Limit::PlayerOf(of, piece) => {
                if own_player {
                    let player = player_of(self.schema, &mut self.symbols, *of, *piece);
                    return player.zip(owner).is_some_and(|(player, owner)| {
                        facts.are_equal(&mut self.symbols, player, owner)
                    });
                }
                let side = side_of(self.schema, &mut self.symbols, *of, *piece);
                side.is_some_and(|side| self.side_knows(secret, owner, side, facts))
            }
            Limit::Sees(of, piece) => {
                let is_of_list = matches!(
                    self.symbols.term(secret.piece),
                    Origin::Member(_, _, list) if list == piece
                );
                if (*piece == secret.piece || is_of_list) && secret.thing == SecretThing::Piece(*of)
                {
                    return true;
                }
                if !self.all_followed {
                    return false;
                }
                let seen_for = self.schema.kind(*of).secret.map(|s| s.secret_for);
                if own_player && seen_for == Some(SecretFor::OwnPlayer) {
                    let player = player_of(self.schema, &mut self.symbols, *of, *piece);
                    return player.is_some() && player == owner;
                }
                if own_player || seen_for != Some(SecretFor::OwnSide) {
                    return false;
                }
                // A viewer who sees a piece that only its own side sees belongs to that side.
                let side = side_of(self.schema, &mut self.symbols, *of, *piece);
                side.is_some_and(|side| self.side_knows(secret, owner, side, facts))
            }
            Limit::Condition(function, arguments) => {
                let Some(owner) = owner else { return false };
                let viewer = self.symbols.leaf(Origin::Viewer);
                let mut other = facts.clone();
                other.add_comparison(viewer, owner, false);
                let mut given = vec![viewer];
                given.extend(arguments);
                matches!(secrecy.secret_for, SecretFor::OwnSide)
                    && self.evaluate(*function, &given, &other, 0) == Some(false)
            }
        })
    }

    /// Returns true if, given these facts, a side is certain to be allowed to know a secret.
    pub(super) fn side_knows(
        &mut self,
        secret: &Secret,
        owner: Option<Symbol>,
        side: Symbol,
        facts: &Facts,
    ) -> bool {
        if facts.is_revealed_to(secret.thing, secret.piece, side) {
            return true;
        }
        let is_own = owner.is_some_and(|owner| facts.are_equal(&mut self.symbols, owner, side));
        match secret.thing.secrecy(self.schema).map(|s| s.secret_for) {
            None => true,
            Some(SecretFor::Umpire | SecretFor::OwnPlayer) => false,
            Some(SecretFor::OwnSide) => is_own,
            Some(SecretFor::Condition(function)) => {
                let mut known = facts.clone();
                let kind = secret.thing.kind();
                let cell = kind
                    .and_then(|kind| side_of(self.schema, &mut self.symbols, kind, secret.piece));
                if let (true, Some(cell)) = (is_own, cell) {
                    known.add_comparison(cell, side, true);
                }
                self.evaluate(function, &[side, secret.piece], &known, 0) == Some(true)
            }
        }
    }

    /// Returns the value of a condition, if the known facts determine it.
    pub(super) fn evaluate(
        &mut self,
        function: FunctionId,
        arguments: &[Symbol],
        facts: &Facts,
        depth: usize,
    ) -> Option<bool> {
        let summary = Tracer::new(self, function, depth + 1).run(arguments, facts);
        summary.result.and_then(|result| facts.condition(&mut self.symbols, result))
    }
}
