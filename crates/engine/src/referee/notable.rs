//! The sentences of a ruleset for the battle report: `notable`, `notable_many`, `notable_by` and
//! `notable_name` of rules, and `notable` of ends.

use super::Referee;
use super::event::Binding;
use crate::language::machine::World;
use crate::language::rule::RuleText;
use crate::language::schema::{FunctionId, KindRole, Param, Type};
use crate::tabletop::{Tabletop, Value};

impl Referee {
    /// Returns the sentence for a call of a rule with these values (`notable`). It is empty if
    /// nothing is notable. Returns `None` if the rule has no sentence, if the call names a piece
    /// that the table does not have, or if the sentence can't be computed.
    pub(crate) fn notable_sentence(
        &self,
        rule: &RuleText,
        bound: &[Binding],
        table: &mut Tabletop,
    ) -> Option<String> {
        let function = rule.notable?;
        let mut arguments = Vec::new();
        for param in rule.params.iter().filter(|param| !matches!(param.ty, Type::List(_))) {
            let binding = bound.iter().find(|binding| binding.name == param.name)?;
            arguments.push(table.intern_value(param.ty, &binding.value).ok()?);
        }
        let text = self.compute_value(function, &arguments, table)?;
        Some(table.text(text).trim().to_owned())
    }

    /// Returns the sentence for several calls of a rule in one turn (`notable_many`). `names` lists
    /// the pieces that come first in the calls. Returns `None` if the rule has no such sentence, or
    /// if it is empty or can't be computed.
    pub(crate) fn notable_sentence_for_many(
        &self,
        rule: &RuleText,
        count: i64,
        names: &str,
        table: &mut Tabletop,
    ) -> Option<String> {
        let names = table.intern_value(Type::Text, &Value::Text(names.to_owned())).ok()?;
        self.sentence(rule.notable_many?, &[count, names], table)
    }

    /// Returns the sentence for the calls of a rule that one piece caused (`notable_by`). `by` is
    /// the name of that piece, and `names` lists the pieces that come first in the calls. Returns
    /// `None` if the rule has no such sentence, or if it is empty or can't be computed.
    pub(crate) fn notable_sentence_by(
        &self,
        rule: &RuleText,
        by: &str,
        names: &str,
        table: &mut Tabletop,
    ) -> Option<String> {
        let function = rule.notable_by?;
        let mut text = |words: &str| table.intern_value(Type::Text, &Value::Text(words.to_owned()));
        let arguments = [text(by).ok()?, text(names).ok()?];
        self.sentence(function, &arguments, table)
    }

    /// Returns the names of the pieces among the parameters of a call.
    pub(crate) fn pieces_of_call(&self, rule: &RuleText, bound: &[Binding]) -> Vec<String> {
        let schema = &self.ruleset.schema;
        let is_piece = |param: &&Param| matches!(param.ty, Type::Piece(kind) if schema.kind(kind).role == KindRole::Pieces);
        let name = |param: &Param| {
            let binding = bound.iter().find(|binding| binding.name == param.name)?;
            if let Value::Text(name) = &binding.value { Some(name.clone()) } else { None }
        };
        rule.params.iter().filter(is_piece).filter_map(name).collect()
    }

    /// Returns the values of the whole-number parameters of a call. The text of `notable_name` can
    /// use their sums over several calls. The list is empty if the rule has no `notable_name`.
    pub(crate) fn notable_amounts(&self, rule: &RuleText, bound: &[Binding]) -> Vec<i64> {
        let summed = rule.params.iter().filter(|param| param.ty == Type::Whole);
        let amount = |param: &Param| {
            let binding = bound.iter().find(|binding| binding.name == param.name)?;
            if let Value::Whole(n) = binding.value { Some(n) } else { None }
        };
        match rule.notable_name {
            Some(_) => summed.map(|param| amount(param).unwrap_or(0)).collect(),
            None => Vec::new(),
        }
    }

    /// Returns a name as a rule writes it in a list of names (`notable_name`), such as
    /// `12 men of g1`. `sums` holds, for each whole-number parameter, the sum of its values in all
    /// calls in which this name comes first. Returns `None` if the rule has no text for names, or
    /// if the text is empty or can't be computed.
    pub(crate) fn notable_name(
        &self,
        rule: &RuleText,
        name: &str,
        sums: &[i64],
        table: &mut Tabletop,
    ) -> Option<String> {
        let function = rule.notable_name?;
        let name = table.intern_value(Type::Text, &Value::Text(name.to_owned())).ok()?;
        self.sentence(function, &[&[name], sums].concat(), table)
    }

    /// Returns the closing sentence for a game that has ended on this table (`notable` of the end).
    /// Returns `None` if there is none, or if it is empty or can't be computed.
    pub(crate) fn closing_sentence(&self, table: &mut Tabletop) -> Option<String> {
        let function = self.current_end(table)?.notable?;
        self.sentence(function, &[], table)
    }

    fn sentence(
        &self,
        function: FunctionId,
        arguments: &[i64],
        table: &mut Tabletop,
    ) -> Option<String> {
        let text = self.compute_value(function, arguments, table)?;
        let sentence = table.text(text).trim();
        (!sentence.is_empty()).then(|| sentence.to_owned())
    }
}
