//! Finds the secrets on which a value depends when an instruction reads the value.

use super::facts::Facts;
use super::secrets::{Secret, SecretThing, Secrets};
use super::state::State;
use super::symbols::{Origin, Symbol};
use super::trace::Tracer;
use crate::language::code::{Op, OpEffect, Reg, TemplateId, TextPart};
use crate::language::schema::{ColumnId, Element, KindId, ListId, Secrecy, Type};

impl Tracer<'_, '_> {
    /// Returns the secrets of all registers that an instruction reads, including the registers in
    /// texts.
    pub(super) fn operands(&self, state: &State, mut op: Op) -> Secrets {
        let mut all = Secrets::default();
        let mut templates = Vec::new();
        op.visit_effects(&mut |effect| match effect {
            OpEffect::Read(reg) => {
                all.extend(&self.value(state, *reg).secrets);
            }
            OpEffect::Template(template) => templates.push(template),
            _ => {}
        });
        for template in templates {
            all.extend(&self.in_template(state, template));
        }
        all
    }

    /// Returns the secrets of all values in a text.
    pub(super) fn in_template(&self, state: &State, template: TemplateId) -> Secrets {
        let mut all = Secrets::default();
        for part in self.all.program.templates[template.index()].iter() {
            if let TextPart::Value(reg, _) | TextPart::Named(reg, _) | TextPart::Counted(reg, ..) =
                part
            {
                all.extend(&self.value(state, *reg).secrets);
            }
        }
        all
    }

    /// Returns the secrets that a text names directly: the cells and the pieces that it shows, not
    /// the secrets from which they are only computed.
    pub(super) fn named_in_template(
        &mut self,
        at: usize,
        state: &State,
        template: TemplateId,
    ) -> Secrets {
        let mut all = Secrets::default();
        let program = self.all.program;
        for part in program.templates[template.index()].iter() {
            let (TextPart::Value(reg, _) | TextPart::Named(reg, _) | TextPart::Counted(reg, ..)) =
                part
            else {
                continue;
            };
            let symbol = self.value(state, *reg).symbol;
            if let Origin::Cell(column, piece) = *self.all.symbols.term(symbol) {
                let (kind, index) = self.all.schema.columns[column.index()];
                self.add_named_secret(at, SecretThing::Piece(kind), piece, &mut all);
                self.add_named_secret(at, SecretThing::Attribute(kind, index), piece, &mut all);
            }
            if let TextPart::Value(_, Type::Piece(kind) | Type::List(Element::Piece(kind))) = part {
                self.add_named_secret(at, SecretThing::Piece(*kind), symbol, &mut all);
            }
        }
        all
    }

    /// Adds a secret that an instruction reads, unless everyone usually sees it.
    pub(super) fn add_secret(
        &self,
        at: usize,
        thing: SecretThing,
        piece: Symbol,
        to: &mut Secrets,
    ) {
        if !self.all.usually_open.contains_key(&thing) {
            self.add_hidden(at, thing, piece, to);
        }
    }

    /// Adds a secret that an instruction reads. A piece is left out if an attribute that everyone
    /// sees refers to it.
    pub(super) fn add_hidden(
        &self,
        at: usize,
        thing: SecretThing,
        piece: Symbol,
        to: &mut Secrets,
    ) {
        let schema = self.all.schema;
        // A piece that an attribute visible to all refers to has usually been met already. A text
        // that names the piece is judged nevertheless.
        if let (SecretThing::Piece(_), Origin::Cell(column, _)) =
            (thing, self.all.symbols.term(piece))
            && schema.column_attribute(*column).secret.is_none()
        {
            return;
        }
        self.insert_secret(at, thing, piece, to);
    }

    /// Adds a secret that a text names, unless everyone usually sees it.
    pub(super) fn add_named_secret(
        &self,
        at: usize,
        thing: SecretThing,
        piece: Symbol,
        to: &mut Secrets,
    ) {
        if !self.all.usually_open.contains_key(&thing) {
            self.insert_secret(at, thing, piece, to);
        }
    }

    /// Adds a piece, or one of its attributes, to the secrets if it is secret and has to be judged.
    pub(super) fn insert_secret(
        &self,
        at: usize,
        thing: SecretThing,
        piece: Symbol,
        to: &mut Secrets,
    ) {
        let schema = self.all.schema;
        let orders = schema.orders_kind();
        // The loader itself hides the actions of pieces, so they are not judged here.
        let is_own = matches!(thing, SecretThing::Attribute(kind, index)
            if schema.kind(kind).attributes[index].is_built_in());
        if !self.only_values && thing.secrecy(schema).is_some() && thing.kind() != orders && !is_own
        {
            to.insert(Secret { thing, piece, owner: None }, self.span(at));
        }
    }

    /// Adds a piece to the secrets if the piece is secret, and one of its attributes if the
    /// attribute is secret, unless everyone usually sees them.
    pub(super) fn add_secrets_of_cell(
        &self,
        at: usize,
        (kind, index): (KindId, usize),
        piece: Symbol,
        to: &mut Secrets,
    ) {
        self.add_secret(at, SecretThing::Piece(kind), piece, to);
        if self.all.schema.kind(kind).attributes.get(index).is_some() {
            self.add_secret(at, SecretThing::Attribute(kind, index), piece, to);
        }
    }

    /// Returns the value of a cell, and the secrets on which it depends.
    pub(super) fn read_cell(
        &mut self,
        at: usize,
        state: &State,
        column: ColumnId,
        row: Reg,
    ) -> (Option<Symbol>, Secrets) {
        let piece = self.value(state, row).clone();
        let (kind, index) = self.all.schema.columns[column.index()];
        let mut secrets = piece.secrets;
        self.add_secrets_of_cell(at, (kind, index), piece.symbol, &mut secrets);
        for (thing, hiding) in &self.all.usually_open {
            if hiding.contains(&column) {
                self.add_hidden(at, *thing, piece.symbol, &mut secrets);
            }
        }
        let symbol = self.all.symbols.of(Origin::Cell(column, piece.symbol));
        (symbol, secrets)
    }

    /// Returns the secrets on which the members of a stored list depend. `member` represents all
    /// members.
    pub(super) fn read_list(
        &mut self,
        at: usize,
        state: &State,
        list: ListId,
        row: Reg,
        member: Symbol,
    ) -> Secrets {
        let piece = self.value(state, row).clone();
        let (kind, index) = self.all.schema.lists[list.index()];
        let mut secrets = piece.secrets;
        self.add_secrets_of_cell(at, (kind, index), piece.symbol, &mut secrets);
        let of = match self.all.schema.kind(kind).attributes.get(index).map(|a| a.ty) {
            Some(Type::List(Element::Piece(of))) => Some(of),
            Some(_) => None,
            // A list that belongs to no attribute contains the cards of a deck.
            None => self.all.schema.decks.iter().find(|deck| deck.list == list).map(|deck| deck.of),
        };
        if let Some(of) = of {
            self.add_secret(at, SecretThing::Piece(of), member, &mut secrets);
        }
        secrets
    }

    /// Returns the secret thing for which this list records the sides that know it; `None` if the
    /// list has another purpose.
    pub(super) fn revealed_by(&self, list: ListId) -> Option<SecretThing> {
        let (kind, _) = self.all.schema.lists[list.index()];
        let of = self.all.schema.kind(kind);
        let is_told = |secret: &Secrecy| secret.revealed_to == Some(list);
        if of.secret.as_ref().is_some_and(is_told) {
            return Some(SecretThing::Piece(kind));
        }
        let index = of.attributes.iter().position(|a| a.secret.as_ref().is_some_and(is_told))?;
        Some(SecretThing::Attribute(kind, index))
    }

    /// Adds facts about those start values of a new piece that determine who sees it.
    pub(super) fn learn_start(&mut self, kind: KindId, piece: Symbol, facts: &mut Facts) {
        let hiding = self.all.hiding.get(&SecretThing::Piece(kind));
        for &column in hiding.into_iter().flatten() {
            let attribute = self.all.schema.column_attribute(column);
            if attribute.computed_start.is_none()
                && let Some(cell) = self.all.symbols.of(Origin::Cell(column, piece))
            {
                let start = self.all.symbols.constant(attribute.start);
                facts.add_comparison(cell, start, true);
            }
        }
    }
}
