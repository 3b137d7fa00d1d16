//! Warns about attributes that rules read but that nothing ever sets. Conditions on such attributes
//! always have the same result.
//!
//! ```toml
//! [kind.area]
//! mined = { flag = true }   # read by a rule, set by none
//! ```

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::diagnostic::Fault;
use crate::language::schema::{
    Attribute, AttributeStorage, KindId, KindRole, OPTION_KIND, STATE_KIND, Schema, Type,
};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;
use crate::ruleset::lints::used::{NameUses, names_in};
use crate::tabletop::Argument;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let schema = &ruleset.schema;
    let used = NameUses::of(ruleset);
    let given = attributes_set_by_scenarios(ruleset);
    let typed = names_typed_in_examples(ruleset);
    for (index, kind) in schema.kinds.iter().enumerate() {
        if kind.role == KindRole::List || index == OPTION_KIND.index() {
            continue;
        }
        for attribute in &kind.attributes {
            let name = &attribute.name;
            // Players may change visible attributes on the table themselves.
            let shown = attribute.marker.is_some() || attribute.title.is_some();
            let stored = !matches!(attribute.storage, AttributeStorage::Computed(_));
            let built_in = attribute.is_built_in();
            let is_set = used.is_changed(attribute)
                || given.contains(&(index, name.as_str()))
                || typed.contains(name.as_str());
            if shown || built_in || !stored || is_set || !used.is_read(name, attribute.storage) {
                continue;
            }
            let about = format!("{}.{name}", kind.name);
            let message = if index == STATE_KIND.index() {
                format!("`{about}` is read, but never set")
            } else {
                format!("`{name}` of `{}` is read, but never set", kind.name)
            };
            let help = match constant_value(schema, attribute) {
                Some(value) => format!(
                    "for a constant, write `{name} = {{ is = '{value}' }}`; if the umpire sets it, give it a `title`"
                ),
                None => "set it in a rule or scenario; if the umpire sets it, give it a `title`"
                    .to_owned(),
            };
            found.add("never-set", &about, attribute.span, message).help(help);
        }
    }
}

/// Returns the expression for the value that an attribute always has, if it differs from the value
/// that the attribute would have without `start`; `None` if the type is not a flag, a whole number
/// or a named set of words.
fn constant_value(schema: &Schema, attribute: &Attribute) -> Option<String> {
    let start = attribute.start;
    match attribute.ty {
        Type::Flag => (start != 0).then(|| "true".to_owned()),
        Type::Whole => (start != 0 && start != attribute.low).then(|| start.to_string()),
        Type::Word(set) => {
            let set = schema.word_set(set);
            let word = set.values.get(usize::try_from(start).ok()?)?;
            (start != 0 && !set.name.is_empty()).then(|| format!("{}.{word}", set.name))
        }
        Type::Number
        | Type::Piece(_)
        | Type::Text
        | Type::Dice
        | Type::List(_)
        | Type::Nothing
        | Type::Unknown => None,
    }
}

/// Returns the attributes of pieces, areas and the state that scenarios set, each as the index of
/// its kind and its name.
fn attributes_set_by_scenarios(ruleset: &Ruleset) -> IndexSet<(usize, &str)> {
    let mut found = IndexSet::new();
    let mut take = |kind: KindId, values: &[(usize, Argument)]| {
        for (index, _) in values {
            let attribute = ruleset.schema.kind(kind).attributes.get(*index);
            found.extend(attribute.map(|a| (kind.index(), a.name.as_str())));
        }
    };
    for scenario in &ruleset.scenarios {
        if let Some(plan) = ruleset.schema.plan_kind() {
            scenario.legend.iter().for_each(|(_, values)| take(plan, values));
        }
        scenario.pieces.iter().for_each(|p| take(p.kind, &p.values));
        take(STATE_KIND, &scenario.state);
    }
    found
}

/// Returns the names in the lines that examples type, including those of `set`.
fn names_typed_in_examples(ruleset: &Ruleset) -> BTreeSet<&str> {
    let lines = ruleset.examples.iter().flat_map(|e| e.set.iter().chain(&e.run));
    lines.flat_map(|(line, _)| names_in(line)).collect()
}
