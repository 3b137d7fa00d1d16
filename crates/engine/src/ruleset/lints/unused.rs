//! Warns about unused attributes, options, lists, sets of words, charts, definitions, decks, rules
//! and parameters.
//!
//! ```toml
//! [kind.area]
//! smoke = { from = 0, to = 3 }   # read by no rule, without `marker` or `title`
//! ```

use indexmap::IndexSet;

use crate::diagnostic::Fault;
use crate::language::schema::{
    AttributeStorage, ChartId, KindRole, OPTION_KIND, Param, RuleId, STATE_KIND, Schema, Type,
};
use crate::ruleset::lints::findings::Findings;
use crate::ruleset::lints::used::NameUses;
use crate::ruleset::{PLAYER_ATTRIBUTE, Ruleset};
use crate::source::Span;

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let schema = &ruleset.schema;
    let used = NameUses::of(ruleset);
    let mut sets = IndexSet::new();
    let mut kinds = IndexSet::new();
    let types = declared_types(schema).chain(ruleset.notes.named.iter().copied());
    for ty in types.chain(ruleset.measures.iter().filter_map(|m| m.each)) {
        match ty.member_or_self() {
            Type::Word(set) => _ = sets.insert(set.index()),
            Type::Piece(kind) => _ = kinds.insert(kind.index()),
            Type::Whole | Type::Number | Type::Dice | Type::Flag | Type::Text => {}
            Type::List(_) | Type::Nothing | Type::Unknown => {}
        }
    }
    kinds.extend(schema.decks.iter().map(|d| d.of.index()));
    for (kind_index, kind) in schema.kinds.iter().enumerate() {
        let meant = [kind.place_attribute, kind.side_attribute, kind.title_attribute];
        for (index, attribute) in kind.attributes.iter().enumerate() {
            let name = &attribute.name;
            // An attribute that is shown to people is useful even if no rule reads it.
            let shown = attribute.marker.is_some()
                || attribute.title.is_some()
                || meant.contains(&Some(index))
                || kind.roster.contains(&index)
                || (schema.players.is_some() && name == PLAYER_ATTRIBUTE);
            let built_in = attribute.is_built_in();
            if used.is_read(name, attribute.storage) || built_in {
                continue;
            }
            let about = format!("{}.{name}", kind.name);
            if kind_index == OPTION_KIND.index() {
                let message = format!("no rule reads the option `{name}`");
                let help = "read it where the rules differ, or remove it";
                found.add("unused-option", &about, attribute.span, message).help(help);
            } else if !shown {
                let message = if kind_index == STATE_KIND.index() {
                    format!("no rule reads `state.{name}`")
                } else {
                    format!("no rule reads `{name}` of `{}`", kind.name)
                };
                let help = "if only people need it, give it a `title`; otherwise remove it";
                found.add("unused-attribute", &about, attribute.span, message).help(help);
            }
        }
        if kind.role == KindRole::List && !kinds.contains(&kind_index) {
            let message = format!("nothing points to the list `{}`", kind.name);
            let help = "point to it with an attribute `{ of = \"…\" }`, or remove it";
            found.add("unused-list", &kind.name, kind.span, message).help(help);
        }
    }
    for (index, set) in schema.words.iter().enumerate() {
        // The directions always exist, and the phases form a set of words automatically.
        let aside = set.span == Span::default() || set.name.is_empty();
        if aside || sets.contains(&index) {
            continue;
        }
        let message = format!("no attribute uses the words `{}`", set.name);
        let help = "use them in an attribute `{ one_of = \"…\" }`, or remove them";
        found.add("unused-words", &set.name, set.span, message).help(help);
    }
    for (index, chart) in schema.charts.iter().enumerate() {
        if !used.charts.contains(&ChartId::from_index(index)) {
            let message = format!("the chart `{}` is never used", chart.name);
            found.add("unused-chart", &chart.name, chart.span, message).help("remove it");
        }
    }
    for define in &schema.defines {
        if !used.is_read(&define.name, AttributeStorage::Computed(define.function)) {
            let message = format!("nothing calls the definition `{}`", define.name);
            found.add("unused-definition", &define.name, define.span, message).help("remove it");
        }
        add_unused_parameters(ruleset, &define.name, &define.params, false, found);
    }
    for deck in &schema.decks {
        if !used.is_read(&deck.name, AttributeStorage::List(deck.list)) {
            let message = format!("nothing is drawn from the deck `{}`", deck.name);
            found.add("unused-deck", &deck.name, deck.span, message).help("remove it");
        }
    }
    let is_offered =
        |name: &str| ruleset.phases.iter().any(|p| p.verbs.iter().any(|(verb, _)| verb == name));
    let called: IndexSet<RuleId> = ruleset.rule_calls().into_iter().map(|(_, rule)| rule).collect();
    for (index, rule) in schema.rules.iter().enumerate() {
        // A rule without a usage is meant to be called if it is a sweep or has its own parameters.
        let called = called.contains(&RuleId::from_index(index)) || is_offered(&rule.name);
        let idle = rule.usage.is_none() && !called;
        let message = match (rule.params.is_empty(), rule.each.is_empty()) {
            (true, false) => format!("no phase or rule calls the sweep `{}`", rule.name),
            (_, _) => format!("no rule calls `{}`", rule.name),
        };
        if idle && !(rule.params.is_empty() && rule.each.is_empty()) {
            let help = "give it a `usage` if the umpire is meant to type it";
            found.add("unused-rule", &rule.name, rule.span, message).help(help);
        }
        add_unused_parameters(ruleset, &rule.name, &rule.params, rule.label.is_none(), found);
    }
}

/// Adds warnings about unused parameters. A rule without a label has its pieces as the label, so
/// the parameters for single pieces count as used if `shown` is true.
fn add_unused_parameters(
    ruleset: &Ruleset,
    of: &str,
    params: &[Param],
    shown: bool,
    found: &mut Findings,
) {
    for param in params {
        let shown = shown && matches!(param.ty, Type::Piece(_));
        if shown || ruleset.notes.asked.contains(&param.span) {
            continue;
        }
        let message = format!("`{of}` does not use its parameter `{}`", param.name);
        let fault = found.add("unused-parameter", of, param.span, message);
        fault.help("remove it, or use it");
    }
}

/// Returns the types of all attributes and parameters, and of the axes and values of all charts.
fn declared_types(schema: &Schema) -> impl Iterator<Item = Type> {
    let attributes = schema.kinds.iter().flat_map(|k| &k.attributes).map(|a| a.ty);
    let params = schema.rules.iter().flat_map(|r| &r.params);
    let params = params.chain(schema.defines.iter().flat_map(|d| &d.params));
    let params = params.chain(schema.charts.iter().flat_map(|c| &c.axes)).map(|p| p.ty);
    attributes.chain(params).chain(schema.charts.iter().map(|c| c.gives))
}
