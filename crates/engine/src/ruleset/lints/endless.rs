//! Reports an error for rules, definitions and derived attributes that always call themselves
//! directly.
//!
//! ```toml
//! [rule.burn]
//! after = 'burn()'
//! ```

use crate::diagnostic::{Fault, Severity};
use crate::language::code::{MessageKind, Op, OpEffect};
use crate::language::schema::{AttributeStorage, FunctionId};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;
use crate::source::Span;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let schema = &ruleset.schema;
    let mut tell = |about: &str, what: &str, span: Span, function: FunctionId, entry| {
        if is_endless(ruleset, function, entry) {
            let message = format!("{what} `{about}` always calls itself");
            let fault = found.add("endless", about, span, message);
            fault
                .help("call it only under a condition that becomes false at some point")
                .severity = Severity::Error;
        }
    };
    for rule in &schema.rules {
        tell(&rule.name, "the rule", rule.span, rule.function, rule.entry);
    }
    for define in &schema.defines {
        tell(&define.name, "the definition", define.span, define.function, None);
    }
    for kind in &schema.kinds {
        for attribute in &kind.attributes {
            if let AttributeStorage::Computed(function) = attribute.storage {
                let about = format!("{}.{}", kind.name, attribute.name);
                tell(&about, "the attribute", attribute.span, function, None);
            }
        }
    }
}

/// Returns true if every path through a function calls the function itself or its entry, without
/// refusing or ending the phase or turn first.
fn is_endless(ruleset: &Ruleset, function: FunctionId, entry: Option<FunctionId>) -> bool {
    let code = &ruleset.program.functions[function.index()].code;
    let mut seen = vec![false; code.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        if at >= code.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let mut op = code[at];
        let refuses = matches!(op, Op::Tell { how: MessageKind::Refuse, .. });
        if refuses || matches!(op, Op::End { .. } | Op::Return { .. }) {
            return false;
        }
        let mut calls = false;
        let mut targets = Vec::new();
        op.visit_effects(&mut |effect| match effect {
            OpEffect::Call(call) => {
                calls = call.function == function || Some(call.function) == entry;
            }
            OpEffect::Target(to) => targets.push(to.0 as usize),
            OpEffect::Read(_) | OpEffect::Written(_) | OpEffect::Template(_) => {}
            OpEffect::Way(_) | OpEffect::Bindings(_) => {}
        });
        if !calls {
            left.extend(targets);
            left.extend((!op.never_falls_through()).then_some(at + 1));
        }
    }
    !code.is_empty()
}
