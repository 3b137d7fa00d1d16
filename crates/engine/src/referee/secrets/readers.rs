//! The readers of a typed line: the viewers who may see its rule and everything secret that it
//! names.

use crate::language::compile::sweep_filter_kinds;
use crate::language::rule::RuleText;
use crate::language::schema::{KindId, Param, Type};
use crate::referee::event::{Binding, Event};
use crate::referee::outcome::Outcome;
use crate::referee::viewer::Viewer;
use crate::referee::{Action, Referee};
use crate::tabletop::{Argument, AttributePath, Tabletop, Value, WHOLE_PIECE};

impl Referee {
    /// Returns the secret pieces and attributes that an action names.
    pub(crate) fn paths_named_by(&self, action: &Action, table: &Tabletop) -> Vec<AttributePath> {
        let schema = &self.ruleset.schema;
        let mut pieces = Vec::new();
        let mut indices = Vec::new();
        let given = |(kind, values): (KindId, &[(usize, Argument)])| -> Vec<(KindId, u32)> {
            let attributes = &schema.kind(kind).attributes;
            let known = values.iter().filter_map(|v| Some((attributes.get(v.0)?.ty, &v.1)));
            known.flat_map(|(ty, given)| pieces_in_argument(table, ty, given)).collect()
        };
        match action {
            Action::Rule { rule, arguments, only } => {
                let rule = &schema.rules[rule.index()];
                for (param, argument) in rule.params.iter().zip(arguments) {
                    let named =
                        argument.iter().flat_map(|g| pieces_in_argument(table, param.ty, g));
                    pieces.extend(named);
                }
                pieces
                    .extend(sweep_filter_kinds(schema, rule).into_iter().zip(only.iter().copied()));
            }
            Action::Set { kind, rows, values } => {
                pieces.extend(rows.iter().map(|&row| (*kind, row)));
                pieces.extend(given((*kind, values)));
                let secret = |index: &usize| schema.kind(*kind).attributes[*index].secret.is_some();
                let secrets = values.iter().map(|(index, _)| *index).filter(secret);
                indices.extend(
                    secrets.flat_map(|index| rows.iter().map(move |&row| (*kind, row, index))),
                );
            }
            Action::Add(piece) => pieces = given((piece.kind, &piece.values)),
            Action::Remove(kind, row) => pieces.push((*kind, *row)),
            Action::Next | Action::Roll { .. } | Action::Note(_) | Action::Order { .. } => {}
        }
        pieces.retain(|piece| schema.kind(piece.0).secret.is_some());
        let named = pieces.into_iter().map(|(kind, row)| (kind, row, WHOLE_PIECE)).chain(indices);
        named.map(|(kind, row, index)| table.attribute_path(kind, row, index)).collect()
    }

    /// Returns true if a viewer may read the line of an action on this table, even if the rules
    /// refuse it.
    pub(crate) fn may_read_line(&self, table: &Tabletop, action: &Action, viewer: &Viewer) -> bool {
        // The outcome of the line if it did nothing but call its rule.
        let mut line = Outcome { names: self.paths_named_by(action, table), ..Outcome::default() };
        if let Action::Rule { rule, arguments, .. } = action {
            let rule = &self.ruleset.schema.rules[rule.index()];
            let bound = self.bound_arguments(table, rule, arguments);
            line.events = vec![Event::Call { rule: rule.name.clone(), bound }, Event::End];
        }
        self.seen_outcome(table, &line, viewer).line
    }

    /// Returns the parameters of a rule to which a line gives a single value, with their values.
    fn bound_arguments(
        &self,
        table: &Tabletop,
        rule: &RuleText,
        arguments: &[Option<Argument>],
    ) -> Vec<Binding> {
        let bind = |(param, argument): (&Param, &Option<Argument>)| {
            let value = match argument.as_ref()? {
                Argument::Value(value) => table.to_value(param.ty, *value),
                Argument::Text(text) => Value::Text(text.clone()),
                Argument::Members(_) | Argument::Named(_) => return None,
            };
            let kind = match param.ty {
                Type::Piece(kind) => Some(self.ruleset.schema.kind(kind).name.clone()),
                _ => None,
            };
            Some(Binding { name: param.name.clone(), kind, value })
        };
        rule.params.iter().zip(arguments).filter_map(bind).collect()
    }
}

/// Returns the pieces that an argument of this type names.
fn pieces_in_argument(table: &Tabletop, ty: Type, given: &Argument) -> Vec<(KindId, u32)> {
    match (given, ty.member_or_self()) {
        (Argument::Named(names), _) => names.iter().filter_map(|name| table.find(name)).collect(),
        (given, Type::Piece(of)) => given.piece_rows().into_iter().map(|row| (of, row)).collect(),
        _ => Vec::new(),
    }
}
