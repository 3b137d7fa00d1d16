//! The texts of a ruleset in short passages, for a search: the sentences of a rule, its reasons for a
//! refusal, its modifiers, and the rows of its tables.

use super::english::English;
use crate::language::rule::{Modifier, RuleText};
use crate::language::schema::{
    Attribute, Chart, Kind, KindId, KindRole, OPTION_KIND, Type, WordSet,
};
use crate::language::syntax::{Statement, StatementKind, Statements, TemplatePart, TextTemplate};
use crate::render::odds;
use crate::render::table::{attribute_heading, chart_value, list_cells};
use crate::ruleset::{Phase, Ruleset};

/// A place in a ruleset that a question may be about, with its texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleSection {
    /// The part of the ruleset that the texts belong to.
    pub of: SectionOf,
    /// Its title; may be empty.
    pub title: String,
    /// Its names and its title.
    pub headings: Vec<String>,
    /// Other phrases for its name.
    pub synonyms: Vec<String>,
    pub passages: Vec<Passage>,
}

/// The part of a ruleset that a section is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum SectionOf {
    /// The rule with this name.
    Rule(String),
    /// The chart or printed list with this name.
    Table(String),
    /// The option with this name.
    Option(String),
    /// An attribute: the name of its kind of piece, and its own name.
    Attribute(String, String),
    /// The phase with this index.
    Phase(usize),
    /// The game as a whole.
    #[default]
    Game,
}

/// A short text that can be quoted alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passage {
    pub text: String,
    pub kind: PassageKind,
}

/// The kind of a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PassageKind {
    /// A sentence of a description.
    #[default]
    Sentence,
    /// A reason for a refusal.
    Refusal,
    /// A modifier with its label.
    Modifier,
    /// The dice and the number needed.
    Roll,
    /// A row of a table.
    Row {
        /// The index of the row.
        row: usize,
    },
    /// The values of an attribute, or an option.
    Value,
    /// A text that a rule reports, as written in the ruleset. It isn't shown, because its values are
    /// missing.
    Report,
}

impl Passage {
    fn new(kind: PassageKind, text: impl Into<String>) -> Passage {
        Passage { text: text.into(), kind }
    }
}

/// Returns all sections of a ruleset, in the order in which the ruleset declares them.
pub(crate) fn sections(ruleset: &Ruleset) -> Vec<RuleSection> {
    let schema = &ruleset.schema;
    let english = English::of(ruleset);
    let rules = schema.rules.iter().map(|rule| of_rule(&english, rule));
    let charts = schema.charts.iter().map(|chart| of_chart(ruleset, chart));
    let mut lists = Vec::new();
    for (index, kind) in schema.kinds.iter().enumerate() {
        let is_deck = schema.decks.iter().any(|deck| deck.of.index() == index);
        if kind.role == KindRole::List && !is_deck {
            lists.push(of_list(ruleset, KindId::from_index(index)));
        }
    }
    let options = ruleset.options().iter().map(of_option);
    let phases = ruleset.phases.iter().enumerate().map(|(index, phase)| of_phase(index, phase));
    let game = RuleSection {
        passages: sentences(&ruleset.game.note),
        headings: vec![ruleset.game.title.clone()],
        title: ruleset.game.title.clone(),
        ..RuleSection::default()
    };
    let kinds = schema.kinds.iter().enumerate();
    let kinds = kinds.filter(|(index, kind)| {
        kind.role != KindRole::List && *index != OPTION_KIND.index() && !kind.plan
    });
    let attributes = kinds.flat_map(|(_, kind)| {
        let shown = kind.attributes.iter();
        let shown = shown.filter(|a| !a.bookkeeping && !a.is_built_in() && a.secret.is_none());
        shown.map(|attribute| of_attribute(ruleset, kind, attribute))
    });
    let all = rules.chain(charts).chain(lists).chain(options).chain(phases);
    all.chain([game]).chain(attributes).collect()
}

fn of_rule(english: &English<'_>, rule: &RuleText) -> RuleSection {
    let scope = english.scope(rule);
    let mut passages = sentences(&rule.reads);
    passages.extend(sentences(&rule.note));
    for requirement in &rule.require {
        let reason = tidy(&english.template(&requirement.because, &scope));
        passages.push(Passage::new(PassageKind::Refusal, format!("Refused: {reason}")));
    }
    if let Some(roll) = &rule.roll {
        let mut text = format!("Roll: {}", english.value_phrase(roll, &scope));
        if let Some((operator, needed)) = &rule.needs {
            text.push_str(&format!(", needed: {}", english.need_phrase(*operator, needed, &scope)));
        }
        let modified = if rule.modifiers.is_empty() { "" } else { " unmodified" };
        if let Some(chance) = odds::need_chance(rule) {
            text.push_str(&format!(" ({}{modified})", odds::percent(&chance)));
        }
        passages.push(Passage::new(PassageKind::Roll, text));
    }
    let opposing = rule.versus.iter().flat_map(|versus| &versus.modifiers);
    for Modifier { by, because, .. } in rule.modifiers.iter().chain(opposing) {
        let label = tidy(&english.template(because, &scope));
        let amount = english.modifier_phrase(by, &scope);
        passages.push(Passage::new(PassageKind::Modifier, format!("{amount} {label}")));
    }
    let distribution = odds::table_distribution(rule);
    for (index, row) in rule.table.iter().enumerate() {
        let said = row.say.as_ref().map(|say| english.template(say, &scope)).unwrap_or_default();
        let result = if row.reads.is_empty() { said } else { row.reads.clone() };
        let chance = distribution.as_ref().and_then(|all| odds::row_chance(all, &rule.table, row));
        let chance = chance.map_or(String::new(), |p| format!(" ({})", odds::percent(&p)));
        let text = format!("{}: {}{chance}", row.label, tidy(&result));
        passages.push(Passage::new(PassageKind::Row { row: index }, text));
    }
    let results = [("Passed", &rule.pass_say), ("Failed", &rule.fail_say)];
    for (result, say) in results {
        if let Some(say) = say {
            let text = format!("{result}: {}", tidy(&english.template(say, &scope)));
            passages.push(Passage::new(PassageKind::Report, text));
        }
    }
    let mut headings = vec![rule.title.clone(), rule.name.replace('-', " ")];
    headings.extend(rule.usage.iter().map(|usage| usage.verb.clone()));
    let blocks = [&rule.before, &rule.pass, &rule.fail, &rule.after].into_iter();
    let blocks = blocks.chain(rule.table.iter().map(|row| &row.block));
    passages.extend(blocks.flat_map(reports));
    RuleSection {
        of: SectionOf::Rule(rule.name.clone()),
        title: rule.title.clone(),
        headings,
        synonyms: rule.also.iter().map(|(phrase, _)| phrase.clone()).collect(),
        passages,
    }
}

/// Returns the texts that some statements report to everyone, and their reasons for a refusal, without
/// the values in them.
fn reports(block: &Statements) -> Vec<Passage> {
    let without_values = |text: &TextTemplate| {
        let parts = text.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(part) => Some(part.trim()),
            TemplatePart::Value(_) | TemplatePart::Counted(..) => None,
        });
        tidy(&parts.collect::<Vec<_>>().join(" "))
    };
    let of_statement = |statement: &Statement| match &statement.kind {
        StatementKind::Say(text, None) => {
            vec![Passage::new(PassageKind::Report, without_values(text))]
        }
        StatementKind::Refuse(reason) => {
            let text = format!("Refused: {}", without_values(reason));
            vec![Passage::new(PassageKind::Refusal, text)]
        }
        StatementKind::If(_, then, otherwise) => [reports(then), reports(otherwise)].concat(),
        StatementKind::Each(_, inner) | StatementKind::Repeat(_, inner) => reports(inner),
        _ => Vec::new(),
    };
    block.iter().flat_map(of_statement).collect()
}

fn of_chart(ruleset: &Ruleset, chart: &Chart) -> RuleSection {
    let mut passages = sentences(&chart.note);
    let rows = (0..chart.rows.len()).map(|row| chart_row(ruleset, chart, row, &|_| true));
    passages
        .extend(rows.enumerate().map(|(row, text)| Passage::new(PassageKind::Row { row }, text)));
    let axes = chart.axes.iter().map(|axis| axis.name.replace('-', " "));
    let headings = [chart.title.clone(), chart.name.replace('-', " ")].into_iter().chain(axes);
    RuleSection {
        of: SectionOf::Table(chart.name.clone()),
        title: chart.title.clone(),
        headings: headings.collect(),
        passages,
        ..RuleSection::default()
    }
}

/// Returns a row of a chart as text, with the columns for which `is_shown` is true.
pub(crate) fn chart_row(
    ruleset: &Ruleset,
    chart: &Chart,
    row: usize,
    is_shown: &dyn Fn(usize) -> bool,
) -> String {
    let across = chart.columns.len().max(1);
    let values = chart.values.chunks(across).nth(row).unwrap_or_default();
    let cells = values.iter().enumerate().filter(|(column, _)| is_shown(*column));
    let cells = cells.map(|(column, value)| {
        let value = chart_value(ruleset, chart.gives, *value);
        match chart.column_labels.get(column) {
            Some(label) => format!("{label} {value}"),
            None => value,
        }
    });
    let label = chart.row_labels.get(row).map(String::as_str).unwrap_or_default();
    format!("{label}: {}", cells.collect::<Vec<_>>().join(", "))
}

fn of_list(ruleset: &Ruleset, id: KindId) -> RuleSection {
    let kind = ruleset.schema.kind(id);
    let (headings, rows) = list_cells(ruleset, id);
    let mut passages = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        let (name, values) = cells.split_first().map_or(("", [].as_slice()), |(n, v)| (n, v));
        let values = headings.iter().skip(1).zip(values).filter(|(_, value)| !value.is_empty());
        let values = values.map(|(heading, value)| format!("{heading} {value}"));
        let text = format!("{name}: {}", values.collect::<Vec<_>>().join(", "));
        passages.push(Passage::new(PassageKind::Row { row }, text));
    }
    RuleSection {
        of: SectionOf::Table(kind.name.clone()),
        title: kind.title.clone(),
        headings: vec![kind.title.clone(), kind.name.replace('-', " "), kind.plural.clone()],
        passages,
        ..RuleSection::default()
    }
}

fn of_option(option: &Attribute) -> RuleSection {
    let title = option.title.clone().unwrap_or_default();
    RuleSection {
        of: SectionOf::Option(option.name.clone()),
        headings: vec![option.name.replace('-', " ")],
        passages: vec![Passage::new(PassageKind::Value, title)],
        ..RuleSection::default()
    }
}

fn of_phase(index: usize, phase: &Phase) -> RuleSection {
    RuleSection {
        of: SectionOf::Phase(index),
        title: phase.title.clone(),
        headings: vec![phase.title.clone(), phase.name.replace('-', " ")],
        passages: sentences(&phase.reads),
        ..RuleSection::default()
    }
}

fn of_attribute(ruleset: &Ruleset, kind: &Kind, attribute: &Attribute) -> RuleSection {
    let mut headings = vec![attribute.name.replace('-', " ")];
    headings.extend(attribute.says.clone());
    headings.extend(attribute.title.clone());
    headings.extend(attribute.also.iter().map(|(other, _)| other.clone()));
    let heading = attribute_heading(attribute);
    let says = attribute.says.clone().filter(|says| *says != heading);
    let meaning = says.map_or(String::new(), |says| format!(" ({says})"));
    let values = match attribute.ty {
        Type::Word(set) => word_values(ruleset.schema.word_set(set)),
        Type::Whole if attribute.names.is_empty() && attribute.high > attribute.low => {
            format!("{} to {}", attribute.low, attribute.high)
        }
        Type::Whole => attribute.names.join(", "),
        Type::Flag => "yes or no".to_owned(),
        _ => String::new(),
    };
    let values = if values.is_empty() { values } else { format!(": {values}") };
    let text = format!("The {heading} of a {}{meaning}{values}", kind.name.replace('-', " "));
    RuleSection {
        of: SectionOf::Attribute(kind.name.clone(), attribute.name.clone()),
        title: heading,
        headings,
        passages: vec![Passage::new(PassageKind::Value, text)],
        ..RuleSection::default()
    }
}

fn word_values(set: &WordSet) -> String {
    set.values.join(", ")
}

/// Returns the sentences of a text.
fn sentences(text: &str) -> Vec<Passage> {
    let text = tidy(text);
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(". ").chain(text.match_indices("? ")) {
        sentences.push(at);
    }
    sentences.sort_unstable();
    let mut passages = Vec::new();
    for at in sentences {
        let next = text[at + 2..].chars().next();
        // A small letter or a digit follows an abbreviation, as in `p. 8`.
        let begins = next.is_some_and(|c| c.is_uppercase() || ['`', '“', '"', '('].contains(&c));
        if begins {
            passages.push(Passage::new(PassageKind::Sentence, &text[start..=at]));
            start = at + 2;
        }
    }
    if start < text.len() {
        passages.push(Passage::new(PassageKind::Sentence, &text[start..]));
    }
    passages
}

/// Returns a text on one line, with single spaces.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn sentences_end_at_a_full_stop_but_not_at_an_abbreviation() {
        let text = "The crew rolls (see p. 8 of\n  the book). On a 6, the gun jams. `cut` frees it";
        let found: Vec<String> = sentences(text).into_iter().map(|one| one.text).collect();
        assert_eq!(
            found,
            ["The crew rolls (see p. 8 of the book).", "On a 6, the gun jams.", "`cut` frees it"]
        );
    }
}
