//! Reports rules that reveal a secret to someone who may not know it.
//!
//! ```toml
//! [kind.mine]
//! secret = "side"
//!
//! [rule.search]
//! usage = "search <area:area>"
//! after = 'if any m in mines: m.at = area { say "something is wrong here" }'   # everyone hears it
//! ```
//!
//! Every path through the rules is followed. The analysis finds the secrets on which each value
//! depends, and the secrets that determine whether something happens at all. Nothing that is shown
//! (a line, a refusal, a question, a die) may depend on a secret that some of its viewers may not
//! know. An author who wants to reveal a secret states that explicitly: with `reveal`, with a line
//! that is addressed (`say … to side`), or with an `[[allow]]`. The assumptions are listed in
//! `docs/who-hears-what.md`.

mod analysis;
mod every;
mod facts;
mod flow;
mod judge;
mod knowledge;
mod reads;
mod secrets;
mod showing;
mod state;
mod step;
mod symbols;
mod trace;

use std::collections::{BTreeMap, BTreeSet};

use analysis::Analysis;
use facts::Facts;
use secrets::{Limit, Secret, SecretThing};
use showing::{Showing, Shown};

use crate::diagnostic::Severity;
use crate::language::code::Reg;
use crate::language::schema::{FunctionId, RuleId, Schema};
use crate::ruleset::Ruleset;
use crate::ruleset::lints::findings::Findings;
use crate::source::Span;

/// A function with which a run of rule text begins, or whose value players notice.
struct Root {
    function: FunctionId,
    /// The thing that the function's value decides or contains, if players notice it.
    shown: Option<Shown>,
    /// The rule whose call the function describes in a sentence for the battle report, if any.
    rule: Option<RuleId>,
    /// True if the function belongs to a secret rule, so that not everyone may see the typed line.
    is_secret: bool,
    name: String,
    span: Span,
}

/// A position where a secret is revealed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Leak {
    /// The distance to the position where the secret is read, in bytes.
    distance: usize,
    span: Span,
    shown: Shown,
    read: Span,
    /// The viewers who may know the secret.
    knowers: &'static str,
}

/// Returns the number of bytes between two positions, or `usize::MAX` if they are in different
/// files.
fn distance(a: Span, b: Span) -> usize {
    let gap = a.start.abs_diff(b.start) as usize;
    if a.file == b.file { gap } else { usize::MAX }
}

pub(super) fn lint(ruleset: &Ruleset, found: &mut Findings) {
    let schema = &ruleset.schema;
    if !has_secret_things(schema) {
        return;
    }
    let roots = roots(ruleset);
    let mut analysis = Analysis::new(ruleset);
    let functions: Vec<FunctionId> = roots.iter().map(|root| root.function).collect();
    if !analysis.follow(&functions) {
        let span = ruleset.schema.rules.first().map_or(Span::default(), |rule| rule.span);
        let message = "the rules are too large to be searched for leaks".to_owned();
        found.add("leak", "", span, message);
        return;
    }
    let names: BTreeMap<FunctionId, &str> =
        roots.iter().map(|root| (root.function, root.name.as_str())).collect();
    // Each secret that a rule reveals is reported only once, at the position closest to where the
    // secret is read.
    let mut leaks: BTreeMap<(String, String), Leak> = BTreeMap::new();
    for root in &roots {
        for showing in shown_by(&mut analysis, root) {
            let named = names.get(&showing.function).copied();
            let name = named.unwrap_or(&ruleset.program.functions[showing.function.index()].name);
            for (secret, read) in showing.secrets.iter() {
                let leak = Leak {
                    distance: distance(showing.span, *read),
                    span: showing.span,
                    shown: showing.shown,
                    read: *read,
                    knowers: schema.knowers(secret.thing.secrecy(schema)),
                };
                let place = leaks.entry((name.to_owned(), secret.thing.name(schema)));
                let nearest = place.or_insert(leak);
                *nearest = leak.min(*nearest);
            }
        }
    }
    for ((name, secret), Leak { span, shown, read, knowers: who, .. }) in leaks {
        let about = format!("{name}: {secret}");
        let (what, others) = told(schema, shown);
        let message = format!("{what} `{secret}`, which {who}, but {others}");
        let fault = found.add("leak", &about, span, message);
        fault.severity = Severity::Error;
        fault.help = Some(advice(shown, &about));
        if read != span {
            fault.other = Some((read, format!("`{secret}` is read here")));
        }
    }
}

/// Returns true if anything other than the written orders is secret.
fn has_secret_things(schema: &Schema) -> bool {
    let orders = schema.orders_kind();
    schema.all_kinds().any(|(id, kind)| {
        let is_secret = kind.secret.is_some() || kind.attributes.iter().any(|a| a.secret.is_some());
        is_secret && Some(id) != orders
    })
}

/// Returns the functions with which a run of rule text begins: the rules that the umpire can type
/// and their sentences for the battle report, the phases, and the statements that run when a deck
/// is filled, a piece is added or its attributes are set. The conditions that end the game are left
/// out, because the end reveals everything anyway.
fn roots(ruleset: &Ruleset) -> Vec<Root> {
    let mut roots = Vec::new();
    // A rule without a usage that other rules call is seldom typed, so it is left out.
    let called: BTreeSet<RuleId> = ruleset.rule_calls().into_iter().map(|(_, rule)| rule).collect();
    for (index, rule) in ruleset.schema.rules.iter().enumerate() {
        let mut add = |function, shown, of| {
            roots.push(Root {
                function,
                shown,
                rule: of,
                is_secret: rule.secret_for.is_some(),
                name: rule.name.clone(),
                span: rule.span,
            });
        };
        let is_called = called.contains(&RuleId::from_index(index));
        if rule.usage.is_some() || (rule.params.is_empty() && !is_called) {
            add(rule.entry.unwrap_or(rule.function), None, None);
        }
        if let Some(function) = rule.notable {
            add(function, Some(Shown::Sentence), Some(RuleId::from_index(index)));
        }
    }
    let run = |function, name: &str, span| Root {
        function,
        shown: None,
        rule: None,
        is_secret: false,
        name: name.to_owned(),
        span,
    };
    for phase in &ruleset.phases {
        let decisions = [
            (phase.skip, Shown::Skipped),
            (phase.turns.as_ref().and_then(|turns| turns.order), Shown::Order),
        ];
        for (function, shown) in decisions {
            let root = function.map(|function| run(function, &phase.name, phase.span));
            roots.extend(root.map(|root| Root { shown: Some(shown), ..root }));
        }
        let activation = phase.activation.iter().flat_map(|a| [a.begin, a.end]);
        let all = phase.begin.into_iter().chain(phase.end).chain(activation);
        roots.extend(all.map(|function| run(function, &phase.name, phase.span)));
    }
    for deck in &ruleset.schema.decks {
        roots.extend(deck.fill.map(|function| run(function, &deck.name, deck.span)));
    }
    for kind in &ruleset.schema.kinds {
        let hooks = kind.set_out_hooks().chain(kind.on_set);
        roots.extend(hooks.map(|function| run(function, &kind.name, kind.span)));
    }
    roots
}

/// Returns everything that a root shows to someone who may not know it.
fn shown_by(analysis: &mut Analysis<'_>, root: &Root) -> Vec<Showing> {
    let Some(summary) = analysis.summary(root.function) else { return Vec::new() };
    let mut all: Vec<Showing> = summary.showings.iter().cloned().collect();
    let mut entrusted: BTreeMap<Reg, Secret> = BTreeMap::new();
    if root.is_secret {
        entrusted.extend(summary.entrusted.iter().copied());
    }
    if let Some(shown) = root.shown {
        let secrets = summary.secrets.clone();
        let limits = root.rule.map_or_else(BTreeSet::new, |rule| analysis.limits_of_call(rule));
        all.push(Showing {
            span: root.span,
            shown,
            function: root.function,
            limits,
            secrets,
            known: Facts::default(),
        });
    }
    for showing in &mut all {
        let Showing { limits, known, .. } = &*showing;
        let is_open = matches!(showing.shown, Shown::Stored(..) | Shown::LineToAll | Shown::Name);
        showing.secrets = if limits.contains(&Limit::Umpire) {
            secrets::Secrets::default()
        } else {
            showing.secrets.filter_map(|secret| {
                let secret = match secret.thing {
                    // The players know everything that the umpire types, except values that a
                    // secret line stores in a secret attribute.
                    SecretThing::Argument(reg) => *entrusted.get(&reg).filter(|_| is_open)?,
                    _ => *secret,
                };
                let is_known = analysis.is_public(&secret, known)
                    || analysis.is_covered(&secret, limits, known);
                (!is_known).then_some(secret)
            })
        };
    }
    all.retain(|showing| !showing.secrets.is_empty());
    all
}

/// Returns two parts of a message: the thing that depends on a secret, with its verb, and a clause
/// about the people who notice it.
fn told(schema: &Schema, shown: Shown) -> (String, &'static str) {
    let (what, who) = match shown {
        Shown::Line => ("this line depends on", "others hear it"),
        Shown::LineToSide => ("this line names", "it is for another side"),
        Shown::LineToAll => ("this line depends on", "everyone hears it"),
        Shown::Refusal => ("this refusal depends on", "others hear its reason"),
        Shown::Question => ("this question depends on", "others hear it"),
        Shown::Dice => ("the dice here depend on", "others see them"),
        Shown::Draw => ("what is drawn here depends on", "others see it"),
        Shown::Deck => ("the size of the deck depends on", "everyone sees it"),
        Shown::Name => ("the name of this piece depends on", "others see it"),
        Shown::Number => ("the number in this piece's name counts every", "others see the number"),
        Shown::Typed(..) => ("the typed line reveals", "others read it"),
        Shown::Order => ("the order of the sides depends on", "everyone notices"),
        Shown::Ended => ("the end of this phase or turn depends on", "everyone notices"),
        Shown::Skipped => ("whether this phase is skipped depends on", "everyone notices"),
        Shown::Sentence => ("the sentence in the battle report depends on", "others read it"),
        Shown::Stored(kind, index) => {
            let kind = schema.kind(kind);
            let name = format!("`{}.{}`", kind.name, kind.attributes[index].name);
            return (format!("{name} gets a value that depends on"), "others see it");
        }
    };
    (what.to_owned(), who)
}

/// Returns advice for the author of the rule.
fn advice(shown: Shown, about: &str) -> String {
    let what = match shown {
        Shown::Line | Shown::LineToAll => {
            "address the line to those who may know (`say … to side`), `reveal` the secret first, or make the rule secret"
        }
        Shown::LineToSide => "`reveal` the secret to that side first, or reveal less in this line",
        Shown::Refusal | Shown::Question | Shown::Dice | Shown::Draw => {
            "`reveal` the secret first, make the rule secret, or decide by open information"
        }
        Shown::Stored(..) => "make this attribute secret too, or `reveal` the secret first",
        Shown::Name => "use only open information in the name",
        Shown::Number => "give `make` the side of the piece, or give the piece a name",
        Shown::Typed(..) => "make the rule as secret as the attribute",
        Shown::Skipped | Shown::Order | Shown::Ended | Shown::Deck => "decide by open information",
        Shown::Sentence => "leave the secret out of the sentence",
    };
    format!(
        "{what}; to reveal it anyway, write `[[allow]]` with `code = \"leak\"` and `about = \"{about}\"`"
    )
}

#[cfg(test)]
mod tests;
