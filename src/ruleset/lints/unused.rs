//! Attributes, options, charts, definitions, decks, rules and lists that nothing speaks of.
//!
//! ```toml
//! [kind.area]
//! smoke = { from = 0, to = 3 }   # asked by no rule, without `marker` or `title`
//! ```

use super::Finding;
use super::used::used;
use crate::diagnostic::Diagnostic;
use crate::language::schema::{OPTION, Role, STATE};
use crate::ruleset::Ruleset;
use crate::source::Span;

fn finding(code: &'static str, about: &str, span: Span, message: String, help: &str) -> Finding {
    let warning = Diagnostic::warning(code, span, message).help(help);
    Finding { about: about.to_owned(), warning }
}

pub(super) fn lint(ruleset: &Ruleset) -> Vec<Finding> {
    let schema = &ruleset.schema;
    let used = used(ruleset);
    let mut found = Vec::new();
    for (place, kind) in schema.kinds.iter().enumerate() {
        let meant = [kind.place_attribute, kind.side_attribute, kind.title_attribute];
        for (index, attribute) in kind.attributes.iter().enumerate() {
            let name = &attribute.name;
            // What people are meant to see is of use though no rule asks it.
            let shown = attribute.marker.is_some()
                || attribute.title.is_some()
                || meant.contains(&Some(index));
            let built_in = attribute.span == Span::default();
            if used.read.contains(name) || built_in {
                continue;
            }
            let about = format!("{}.{name}", kind.name);
            if place == OPTION.index() {
                let message = format!("no rule asks the option `{name}`");
                let help = "ask it where the rules differ, or take it out";
                found.push(finding("unused-option", &about, attribute.span, message, help));
            } else if !shown {
                let message = match place == STATE.index() {
                    true => format!("no rule asks `state.{name}`"),
                    false => format!("no rule asks `{name}` of `{}`", kind.name),
                };
                let help = "if only people need it, give it a `title`; otherwise take it out";
                found.push(finding("unused-attribute", &about, attribute.span, message, help));
            }
        }
        if kind.role == Role::List && !list_is_used(ruleset, place, &kind.plural, &used) {
            let message = format!("nothing points to the list `{}`", kind.name);
            let help = "an attribute `{ of = \"…\" }` points to it";
            found.push(finding("unused-list", &kind.name, kind.span, message, help));
        }
    }
    for (place, set) in schema.words.iter().enumerate() {
        // The compass is always there, the phases are words by themselves.
        if set.span == Span::default() || set.name.is_empty() || set_is_used(ruleset, place, &used)
        {
            continue;
        }
        let message = format!("nothing is one of the words `{}`", set.name);
        let help = "an attribute `{ one_of = \"…\" }` is one of them";
        found.push(finding("unused-words", &set.name, set.span, message, help));
    }
    for define in schema.defines.iter().filter(|d| !used.called.contains(&d.name)) {
        let message = format!("nothing calls the definition `{}`", define.name);
        found.push(finding("unused-definition", &define.name, define.span, message, "take it out"));
    }
    for deck in &schema.decks {
        if !used.decks.contains(&deck.name) && !used.named.contains(&deck.name) {
            let message = format!("nothing is drawn from the deck `{}`", deck.name);
            found.push(finding("unused-deck", &deck.name, deck.span, message, "take it out"));
        }
    }
    for rule in &schema.rules {
        // A rule with parameters of its own and no usage is there to be called.
        let called = used.called.contains(&rule.name);
        if rule.usage.is_none() && !rule.params.is_empty() && !called {
            let message = format!("no rule calls `{}`", rule.name);
            let help = "give it a `usage` if the umpire is meant to type it";
            found.push(finding("unused-rule", &rule.name, rule.span, message, help));
        }
    }
    found
}

fn set_is_used(ruleset: &Ruleset, place: usize, used: &super::used::Used) -> bool {
    use crate::language::schema::{Element, Type};
    let schema = &ruleset.schema;
    let of_it = |ty: Type| match ty {
        Type::Word(w) | Type::List(Element::Word(w)) => w.index() == place,
        _ => false,
    };
    let params = schema.rules.iter().flat_map(|r| &r.params);
    let params = params.chain(schema.defines.iter().flat_map(|d| &d.params));
    used.named.contains(&schema.words[place].name)
        || schema.kinds.iter().flat_map(|k| &k.attributes).any(|a| of_it(a.ty))
        || params.chain(schema.charts.iter().flat_map(|c| &c.axes)).any(|p| of_it(p.ty))
        || schema.charts.iter().any(|c| of_it(c.gives))
}

fn list_is_used(ruleset: &Ruleset, place: usize, plural: &str, used: &super::used::Used) -> bool {
    use crate::language::schema::{Element, Type};
    let schema = &ruleset.schema;
    let points = |ty: Type| match ty {
        Type::Piece(k) | Type::List(Element::Piece(k)) => k.index() == place,
        _ => false,
    };
    used.named.contains(plural)
        || used.named.contains(&schema.kinds[place].name)
        || schema.kinds.iter().flat_map(|k| &k.attributes).any(|a| points(a.ty))
        || schema.rules.iter().flat_map(|r| &r.params).any(|p| points(p.ty))
        || schema.charts.iter().flat_map(|c| &c.axes).any(|p| points(p.ty))
        || schema.decks.iter().any(|d| d.of.index() == place)
}
