//! Activations: in a phase with `activate`, one piece acts at a time, and each piece has a number
//! of actions.
//!
//! Activations are implemented as rule text: the loader adds attributes to the kind of the acting
//! pieces, and writes statements that run before the verbs of the phase and when the phase begins
//! and ends. So activations work like any other rule at the table, in the odds and in simulations.

use crate::diagnostic::Declaration;
use crate::language::rule::RuleText;
use crate::language::schema::{
    Attribute, AttributeStorage, CodeUnit, Element, FunctionId, KindId, KindRole, Param,
    STATE_KIND, SecretFor, Type,
};
use crate::language::syntax::{Expr, ExprKind, Operator, StatementKind, Statements};
use crate::language::{activation, parser, statements};
use crate::names::quote_names;
use crate::ruleset::declare::new_attribute;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::parts::{DeclaredActivation, Phase, PhaseActivation};
use crate::ruleset::raw::Section;
use crate::source::{Span, StringMap};

impl Loader<'_> {
    /// Reads the activations of the phases. If there are any, adds the attributes that they use.
    pub(super) fn declare_activations(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "phase") {
            let Some(section) = self.r.section("the phase", entry.node) else { continue };
            let Some(name) = section.name("name", &mut self.r) else { continue };
            let Some(part) = section.table("activate", &mut self.r) else { continue };
            let kind = self.read_activated_kind(&part);
            let actions = match part.get("actions") {
                Some(node) => self.read_expr(node),
                None => Some(Expr { kind: ExprKind::Whole(1), span: part.span }),
            };
            part.check_keys(&forms::ACTIVATE, &mut self.r);
            let (Some(kind), Some(actions)) = (kind, actions) else { continue };
            let alternates = section.has("alternate");
            for (phase, _) in self.read_steps(&section, &name.text) {
                let actions = actions.clone();
                self.activations.push(DeclaredActivation { phase, kind, actions, alternates });
            }
        }
        let Some(kind) = self.activations.first().map(|first| first.kind) else { return };
        let stored = |name: &str, ty| Attribute {
            bookkeeping: true,
            ..new_attribute(name, ty, Span::default())
        };
        self.add_attribute(kind, stored("acted", Type::Flag));
        self.add_attribute(kind, stored("actions-left", Type::Whole));
        let acting = stored("active", Type::List(Element::Piece(kind)));
        self.add_attribute(STATE_KIND, acting);
        let mut actions = Expr { kind: ExprKind::Whole(0), span: Span::default() };
        for declared in self.activations.iter().rev() {
            let condition = format!("state.phase = phase.{}", declared.phase);
            let Some(condition) = self.r.parse_own_expression(&condition) else { continue };
            let span = declared.actions.span;
            // With this sum, a value that isn't a number is reported at the position where it is
            // written.
            let zero = Expr { kind: ExprKind::Whole(0), span };
            let yes = Box::new(declared.actions.clone().combined_with(Operator::Add, zero));
            let choice = ExprKind::Choice(Box::new(condition), yes, Box::new(actions));
            actions = Expr { kind: choice, span };
        }
        let done = "if self in state.active then self.actions-left < 1 else self.acted or self.actions < 1";
        let done = self.r.parse_own_expression(done);
        for (name, ty, expr) in
            [("actions", Type::Whole, Some(actions)), ("done", Type::Flag, done)]
        {
            let itself = vec![Param::built_in("self", Type::Piece(kind))];
            let unit = expr.map(|expr| CodeUnit::Value(itself, Some(ty), expr));
            let storage = AttributeStorage::Computed(self.add_function(unit));
            let derived = stored(name, Type::Unknown);
            self.add_attribute(kind, Attribute { storage, fixed: true, ..derived });
        }
        self.schema.activated = Some(kind);
    }

    /// Returns the kind whose pieces act one at a time, or reports a fault and returns `None`. All
    /// phases with activations must name the same kind.
    fn read_activated_kind(&mut self, part: &Section<'_>) -> Option<KindId> {
        let name = part.name("of", &mut self.r)?;
        let schema = &self.schema;
        let is_of_pieces = |id: &KindId| {
            let kind = schema.kind(*id);
            kind.role == KindRole::Pieces && !kind.plan && Some(*id) != schema.orders_kind()
        };
        let Some(kind) = schema.kind_named(&name.text).filter(is_of_pieces) else {
            let of_pieces = schema.all_kinds().map(|(kind, _)| kind).filter(is_of_pieces);
            let names = of_pieces.map(|kind| schema.kind(kind).name.clone());
            let known: Vec<String> = names.collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            if schema.kind_named(&name.text).is_some() {
                let message = format!("`{}` is not a kind of piece that can act", name.text);
                let help = format!("available: {}", quote_names(&known));
                self.r.error_with_help("unknown-kind", name.span, message, help);
            } else {
                self.r.report_no_such("unknown-kind", "kind of piece", &name, known);
            }
            return None;
        };
        let first = self.activations.first().map(|first| first.kind);
        if first.is_some_and(|first| first != kind) {
            let message = "only one kind of piece can have activations";
            let help = "all phases with `activate` must name the same kind";
            self.r.error_with_help("two-activations", name.span, message, help);
            return None;
        }
        Some(kind)
    }

    /// Returns the activation of a phase, with the statements that run when the phase begins and
    /// ends; `None` if the phase has no activation.
    pub(super) fn read_activation(&mut self, phase: &str) -> Option<PhaseActivation> {
        let declared = self.activations.iter().find(|declared| declared.phase == phase)?;
        let kind = declared.kind;
        let actions = declared.actions.clone();
        let plural = self.schema.kind(kind).plural.clone();
        let begin = self.add_own_statements(&activation::begin_text(&plural));
        let end = self.add_own_statements(activation::END);
        Some(PhaseActivation { kind, actions, begin, end })
    }

    fn add_own_statements(&mut self, text: &str) -> FunctionId {
        let block = self.r.parse_own_statements(text);
        self.add_function(block.map(|block| CodeUnit::Block(Vec::new(), block)))
    }

    /// Makes the verbs of phases with activations use up actions, and reports all other rules with
    /// the key `actions`.
    pub(super) fn add_activations(&mut self) {
        let activations = std::mem::take(&mut self.activations);
        let mut secret = Vec::new();
        for index in 0..self.schema.rules.len() {
            let rule = &self.schema.rules[index];
            let Some(acting) = rule.acting_piece() else { continue };
            let param = &rule.params[acting];
            let offered = activations.iter().filter(|declared| {
                param.ty.member_or_self() == Type::Piece(declared.kind)
                    && self.phase_offers(&declared.phase, rule)
            });
            let mut phases = Vec::new();
            let mut alternating = Vec::new();
            for declared in offered {
                phases.push(declared.phase.as_str());
                if declared.alternates {
                    alternating.push(declared.phase.as_str());
                }
            }
            if phases.is_empty() {
                continue;
            }
            let is_list = matches!(param.ty, Type::List(_));
            let text = activation::verb_text(&phases, &alternating, &param.name, is_list);
            let mut block = self.r.parse_own_statements(&text).unwrap_or_default();
            let cost = rule.actions.clone();
            if let Some(cost) = cost {
                set_cost(&mut block, &cost);
            }
            let entry = rule.entry.unwrap_or_else(|| self.schema.new_function());
            let id = crate::language::schema::RuleId::from_index(index);
            self.schema.units[entry.index()] = Some(CodeUnit::Entry(id));
            let verb = &mut self.schema.rules[index];
            verb.activation = block;
            verb.entry = Some(entry);
            secret.extend(verb.secret_for);
        }
        self.hide_activations(&secret);
        for index in 0..self.schema.rules.len() {
            let rule = &self.schema.rules[index];
            if let Some(cost) = &rule.actions
                && rule.activation.is_empty()
            {
                let message = format!("`{}` is not a verb of a phase with `activate`", rule.name);
                let span = cost.span;
                let cause = Declaration::Callable(rule.name.clone());
                let help = "list it in the `verbs` of such a phase; the first piece that it takes is the one that acts";
                let fault = self.r.error_with_help("no-activation", span, message, help);
                fault.derived_from.push(cause);
            }
        }
    }

    /// Hides the number of actions left, the flag for having acted and the list of acting pieces,
    /// if any verb that takes actions is secret. The number of actions left would give away the use
    /// of such a verb.
    fn hide_activations(&mut self, verbs: &[SecretFor]) {
        let Some(kind) = self.schema.activated.filter(|_| !verbs.is_empty()) else { return };
        let narrowest = [SecretFor::Umpire, SecretFor::OwnPlayer].into_iter();
        let mut narrowest = narrowest.filter(|secret_for| verbs.contains(secret_for));
        let secret_for = narrowest.next().unwrap_or(SecretFor::OwnSide);
        for (id, name) in [(kind, "acted"), (kind, "actions-left"), (STATE_KIND, "active")] {
            let revealed = format!("{name}-revealed");
            let secrecy = self.add_revealed_attributes(id, &revealed, secret_for);
            let attributes = &mut self.schema.kinds[id.index()].attributes;
            if let Some(index) = attributes.index_of(name) {
                attributes[index].secret = Some(secrecy);
            }
        }
    }

    /// Returns true if a phase offers a rule: the phase lists its verb or its name, or the rule
    /// lists the phase.
    fn phase_offers(&self, name: &str, rule: &RuleText) -> bool {
        let named = self.made.phases.iter().find(|phase| phase.name == name);
        let is_offered = |phase: &Phase| {
            phase.verbs.iter().any(|(verb, _)| verb == rule.verb() || *verb == rule.name)
        };
        named.is_some_and(is_offered) || rule.phases.iter().any(|(phase, _)| phase == name)
    }
}

/// Sets the number of actions that a verb takes, in the statements that the loader wrote for it.
fn set_cost(block: &mut Statements, cost: &Expr) {
    for statement in block {
        match &mut statement.kind {
            StatementKind::If(_, yes, _) => set_cost(yes, cost),
            StatementKind::Let(names, value) if names[0].text == activation::COST => {
                value.clone_from(cost);
            }
            _ => {}
        }
    }
}

impl crate::ruleset::raw::Reader<'_> {
    /// Parses an expression that the loader has written, or reports a fault and returns `None`.
    fn parse_own_expression(&mut self, text: &str) -> Option<Expr> {
        parser::parse_expression(text, &StringMap::default(), &mut self.faults)
    }

    /// Parses statements that the loader has written, or reports a fault and returns `None`.
    fn parse_own_statements(&mut self, text: &str) -> Option<Statements> {
        statements::parse_statements(text, &StringMap::default(), &mut self.faults)
    }
}
