//! Calls of rules whose lines are still being typed. Only some of their arguments are known.

use super::{Action, Referee};
use crate::language::code::EVERY_PIECE;
use crate::language::compile::sweep_filter_kinds;
use crate::language::machine::{Machine, PartialValue};
use crate::language::schema::{RuleId, Type};
use crate::tabletop::{Argument, Tabletop};

/// An argument of a call that is still being typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PartialArgument {
    /// The argument has been typed.
    Given(Argument),
    /// The argument is a list. These members have been typed, and more may follow.
    Begun(Vec<u32>),
    /// The argument may still be typed, or left out if it is optional.
    Awaited,
    /// The argument can no longer be typed.
    LeftOut,
}

/// A call of a rule that is still being typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartialCall {
    /// The rule that the line calls.
    pub rule: RuleId,
    /// An argument for each parameter, then one for each piece that narrows the rule's sweep.
    pub arguments: Vec<PartialArgument>,
}

impl PartialCall {
    /// Returns the call that an action makes. Its missing arguments may still be typed. Returns
    /// `None` if the action isn't a call.
    pub(crate) fn of_action(action: &Action) -> Option<PartialCall> {
        let Action::Rule { rule, arguments, only } = action else { return None };
        let argument = |argument: &Option<Argument>| match argument {
            Some(argument) => PartialArgument::Given(argument.clone()),
            None => PartialArgument::Awaited,
        };
        let narrowed = only.iter().map(|&row| Argument::Value(i64::from(row)));
        let narrowed = narrowed.map(PartialArgument::Given);
        let arguments = arguments.iter().map(argument).chain(narrowed).collect();
        Some(PartialCall { rule: *rule, arguments })
    }

    /// Returns the same call with only the argument at `index`; all other arguments may still be
    /// typed.
    pub(crate) fn with_only(&self, index: usize) -> PartialCall {
        let mut arguments = vec![PartialArgument::Awaited; self.arguments.len()];
        arguments[index].clone_from(&self.arguments[index]);
        PartialCall { rule: self.rule, arguments }
    }
}

impl Referee {
    /// Returns true if a call is refused, or fails, however its line continues. Returns false if
    /// the call may be accepted, or if this can't be decided within the limits on steps and
    /// branches.
    pub(crate) fn is_always_refused(&self, table: &Tabletop, call: &PartialCall) -> bool {
        let schema = &self.ruleset.schema;
        let rule = &schema.rules[call.rule.index()];
        let now = self.phase_name(table);
        if !rule.phases.is_empty() && rule.phases.iter().all(|(phase, _)| phase != now) {
            return true;
        }
        let typed: Vec<Option<Argument>> = call
            .arguments
            .iter()
            .map(|argument| match argument {
                PartialArgument::Given(given) => Some(given.clone()),
                PartialArgument::Begun(members) => Some(Argument::Members(members.clone())),
                PartialArgument::Awaited | PartialArgument::LeftOut => None,
            })
            .collect();
        if self.wrong_side_reason(call.rule, &typed, table).is_some() {
            return true;
        }
        let mut machine = self.new_machine();
        let mut values: Vec<PartialValue> = Vec::new();
        for (index, param) in rule.params.iter().enumerate() {
            values.push(partial_value(&call.arguments[index], param.ty, &mut machine));
        }
        if rule.entry.is_some() {
            for (index, param) in rule.params.iter().enumerate() {
                if param.default.is_some() {
                    // An argument that may still be typed may have any value, so its default isn't
                    // computed.
                    let left_out = call.arguments[index] == PartialArgument::LeftOut;
                    values.push(PartialValue::Known(i64::from(!left_out)));
                }
            }
        }
        for index in 0..sweep_filter_kinds(schema, rule).len() {
            values.push(match call.arguments.get(rule.params.len() + index) {
                Some(PartialArgument::Given(Argument::Value(row))) => PartialValue::Known(*row),
                Some(PartialArgument::LeftOut) => PartialValue::Known(i64::from(EVERY_PIECE)),
                _ => PartialValue::Unknown,
            });
        }
        machine.always_refuses(rule.entry.unwrap_or(rule.function), &values, table.clone())
    }
}

/// Returns the value that a function gets for an argument of this type.
fn partial_value(argument: &PartialArgument, ty: Type, machine: &mut Machine<'_>) -> PartialValue {
    match argument {
        PartialArgument::Given(Argument::Value(value)) => PartialValue::Known(*value),
        PartialArgument::Given(Argument::Members(members)) => {
            PartialValue::Known(machine.list_argument(members))
        }
        PartialArgument::Begun(members) => PartialValue::Begun(machine.list_argument(members)),
        PartialArgument::LeftOut if matches!(ty, Type::Piece(_)) => PartialValue::Known(-1),
        PartialArgument::LeftOut => PartialValue::Known(0),
        PartialArgument::Given(Argument::Text(_) | Argument::Named(_))
        | PartialArgument::Awaited => PartialValue::Unknown,
    }
}
