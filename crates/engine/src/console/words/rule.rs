//! `rule`: describes a rule, or all rules of a verb, in words.

use unicode_width::UnicodeWidthStr;

use crate::command::{TypedLine, find_named};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::render::rule as render;
use crate::render::rule::RuleAnswer;
use crate::ruleset::Ruleset;

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const RULE: Word = Word {
    name: "rule",
    usage: "rule [NAME]",
    help: "show what a rule rolls, needs and does, or list the rules",
    complete: |reading, given, to| to.offer_first(given, rules_and_verbs(reading.ruleset())),
    most: 1,
    looks: true,
    ..Word::of(
        Handler::immediate(rule)
            .with_answers(&[|| answer::<RuleAnswer>("answers to rule", "`rule NAME`")]),
    )
};

/// Returns the names of all rules and verbs in alphabetical order.
pub(super) fn rules_and_verbs(ruleset: &Ruleset) -> Vec<&str> {
    let mut all: Vec<&str> = ruleset.schema.rules.iter().map(|r| r.name.as_str()).collect();
    all.extend(ruleset.verbs());
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns a list of names with their titles below a heading.
pub(super) fn names_with_titles<'t>(
    heading: &str,
    entries: impl Iterator<Item = (&'t str, &'t str)> + Clone,
) -> Text {
    let widest = entries.clone().map(|(name, _)| name.width()).max().unwrap_or(0);
    let mut text = Text::of(Role::Header, heading);
    for (name, title) in entries {
        let space = " ".repeat(widest + 2 - name.width());
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, name);
        text.push(line.and(Role::Plain, space).and(Role::Plain, title));
    }
    text
}

/// Returns the names of the rules with a title, and their titles.
fn listed(ruleset: &Ruleset) -> Text {
    let titled = ruleset.schema.rules.iter().filter(|rule| !rule.title.is_empty());
    let entries = titled.map(|rule| (rule.name.as_str(), rule.title.as_str()));
    names_with_titles("Rules (`rule NAME` shows one)", entries)
}

fn rule(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let ruleset = play.referee().ruleset();
    let Some(word) = typed.words_after_first().first() else {
        return Ok(Reply::new(listed(ruleset), None::<RuleAnswer>));
    };
    let names = rules_and_verbs(ruleset);
    let name = find_named(word, names.iter().map(|name| (*name, *name)), "rule")?;
    // A verb may have several rules.
    let named = ruleset.schema.rule_named(name).map(|rule| vec![rule]);
    let rules = named.unwrap_or_else(|| ruleset.rules_for_verb(name));
    let mut text = Text::new();
    for rule in &rules {
        text.push_empty_line().extend(render::rule_page(ruleset, *rule));
    }
    Ok(Reply::new(text, rules.first().map(|rule| render::rule_answer(ruleset, *rule))))
}
