//! Charts, printed lists and rules' tables of results, as in a rule book.

use adjutant_dice::DiceValue;
use schemars::JsonSchema;
use serde::Serialize;

pub use super::paper::listing_page;
use crate::language::machine::{World, value_text};
use crate::language::number::Number;
use crate::language::schema::{
    Attribute, AttributeStorage, ChartId, KindId, KindRole, RowRange, RuleId, Type,
};
use crate::language::syntax::{TemplatePart, TextTemplate};
use crate::ruleset::Ruleset;
use crate::source::Sources;
use crate::tabletop::Tabletop;

/// A chart, the table of results of a rule, or a printed list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum TableAnswer {
    /// A chart.
    Chart {
        /// The name of the chart.
        name: String,
        /// The title of the chart.
        title: String,
        /// The page in the rule book, or an empty string.
        cite: String,
        /// The headings of the columns.
        columns: Vec<String>,
        /// The rows or, if a total was given, only its row.
        rows: Vec<ChartRow>,
    },
    /// The table of results of a rule.
    Results {
        /// The name of the rule.
        name: String,
        /// The title of the rule.
        title: String,
        /// The page in the rule book, or an empty string.
        cite: String,
        /// The rows or, if a total was given, only its row.
        rows: Vec<ResultRow>,
    },
    /// A printed list.
    List {
        /// The name of the list.
        name: String,
        /// The title of the list.
        title: String,
        /// The headings of the columns.
        columns: Vec<String>,
        /// In a printed list, a row is a list of texts.
        rows: Vec<Vec<String>>,
    },
}

/// A row of a chart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ChartRow {
    /// The totals or words of the row.
    pub on: String,
    /// For a chart, a text for each column.
    pub values: Vec<String>,
}

/// A row of results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ResultRow {
    /// The totals or words of the row.
    pub on: String,
    /// For the table of a rule, the text of the row, if it has one.
    pub says: Option<String>,
}

/// A part of a ruleset that can be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A chart.
    Chart(ChartId),
    /// The table of results of a rule.
    Rows(RuleId),
    /// A printed list.
    List(KindId),
}

impl Listing {
    /// Returns everything that can be looked up, with its name.
    pub(crate) fn all(ruleset: &Ruleset) -> impl Iterator<Item = (&str, Listing)> + Clone {
        let schema = &ruleset.schema;
        let charts = schema.charts.iter().enumerate();
        let charts = charts.map(|(i, c)| (c.name.as_str(), Listing::Chart(ChartId::from_index(i))));
        let rows = schema.rules.iter().enumerate().filter(|(_, rule)| !rule.table.is_empty());
        let rows = rows.map(|(i, r)| (r.name.as_str(), Listing::Rows(RuleId::from_index(i))));
        let lists = schema.kinds.iter().enumerate().filter(|(_, kind)| kind.role == KindRole::List);
        let lists = lists.map(|(i, k)| (k.name.as_str(), Listing::List(KindId::from_index(i))));
        charts.chain(rows).chain(lists)
    }

    /// Returns the title of the chart or of the rule, or the name of the list in the plural.
    pub(crate) fn title(self, ruleset: &Ruleset) -> &str {
        let schema = &ruleset.schema;
        match self {
            Listing::Rows(rule) => &schema.rules[rule.index()].title,
            Listing::Chart(chart) => &schema.charts[chart.index()].title,
            Listing::List(kind) => &schema.kind(kind).plural,
        }
    }
}

/// Returns the content of [`listing_page`], for machines.
pub(crate) fn table_answer(ruleset: &Ruleset, what: Listing, total: Option<i64>) -> TableAnswer {
    let falls_on = |range: &RowRange| total.is_none_or(|t| range.holds(t));
    match what {
        Listing::Chart(id) => {
            let chart = &ruleset.schema.charts[id.index()];
            let rows = chart.rows.iter().zip(&chart.row_labels);
            let rows = rows.zip(chart.values.chunks(chart.columns.len().max(1)));
            let rows = rows.filter(|((range, _), _)| falls_on(range));
            let rows = rows.map(|((_, label), values)| {
                let values = values.iter().map(|&n| chart_value(ruleset, chart.gives, n));
                ChartRow { on: label.clone(), values: values.collect() }
            });
            TableAnswer::Chart {
                name: chart.name.clone(),
                title: chart.title.clone(),
                cite: chart.cite.clone(),
                columns: chart.column_labels.clone(),
                rows: rows.collect(),
            }
        }
        Listing::Rows(id) => {
            let rule = &ruleset.schema.rules[id.index()];
            let rows = rule.table.iter().filter(|row| falls_on(&row.on)).map(|row| ResultRow {
                on: row.label.clone(),
                says: row.say.as_ref().map(|say| template_source(&ruleset.sources, say)),
            });
            TableAnswer::Results {
                name: rule.name.clone(),
                title: rule.title.clone(),
                cite: rule.cite.clone(),
                rows: rows.collect(),
            }
        }
        Listing::List(kind) => {
            let (columns, rows) = list_cells(ruleset, kind);
            let of = ruleset.schema.kind(kind);
            TableAnswer::List { name: of.name.clone(), title: of.title.clone(), columns, rows }
        }
    }
}

/// Writes a value of a chart.
pub(crate) fn chart_value(ruleset: &Ruleset, ty: Type, value: i64) -> String {
    match ty {
        Type::Number => Number::from_bits(value).to_string(),
        Type::Dice => DiceValue::from_bits(value).to_string(),
        Type::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
        Type::Word(set) => ruleset.schema.word_set(set).word(value).unwrap_or_default().to_owned(),
        Type::Piece(kind) => {
            let rows = &ruleset.schema.kind(kind).rows;
            let row = usize::try_from(value).ok().and_then(|i| rows.get(i));
            row.map_or("–".to_owned(), |r| r.name.clone())
        }
        _ => value.to_string(),
    }
}

/// Writes a text template, with the expressions in braces as written.
pub(crate) fn template_source(sources: &Sources, template: &TextTemplate) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(words) => words.clone(),
        TemplatePart::Value(expr) => format!("{{{}}}", sources.text(expr.span).trim()),
        TemplatePart::Counted(number, one, several) => {
            format!("{{{} {one}|{several}}}", sources.text(number.span).trim())
        }
    });
    parts.collect()
}

/// Returns the headings and rows of a printed list.
pub(crate) fn list_cells(ruleset: &Ruleset, kind: KindId) -> (Vec<String>, Vec<Vec<String>>) {
    let table = Tabletop::new(ruleset.schema.clone(), &[]);
    let of = ruleset.schema.kind(kind);
    let shown = |value, ty| value_text(&ruleset.schema, &table, value, ty);
    let cell = |attribute: &Attribute, row: u32| match (attribute.storage, attribute.ty) {
        (AttributeStorage::Cell(column), Type::Flag) if table.get(column, row) == 0 => {
            String::new()
        }
        (AttributeStorage::Cell(column), ty) => match shown(table.get(column, row), ty) {
            none if ty != Type::Flag && none == "none" => "–".to_owned(),
            other => other,
        },
        (AttributeStorage::List(list), Type::List(element)) => {
            let members = table.list(list, row).iter();
            let names = members.map(|&m| shown(i64::from(m), element.member_type()));
            names.collect::<Vec<_>>().join(" ")
        }
        (AttributeStorage::List(_) | AttributeStorage::Computed(_), _) => String::new(),
    };
    let rows = || 0..of.rows.len() as u32;
    // Columns without content are left out.
    let is_used = |a: &&Attribute| rows().any(|row| !cell(a, row).is_empty());
    let used: Vec<&Attribute> = of.attributes.iter().filter(is_used).collect();
    let names = used.iter().map(|a| attribute_heading(a));
    let headings = std::iter::once(of.name.clone()).chain(names).collect();
    let row = |row| {
        let name = table.name(kind, row).to_owned();
        std::iter::once(name).chain(used.iter().map(|a| cell(a, row))).collect()
    };
    (headings, rows().map(row).collect())
}

/// Returns the heading for an attribute: its title, or else its name with spaces instead of
/// hyphens.
pub(crate) fn attribute_heading(attribute: &Attribute) -> String {
    attribute.title.clone().unwrap_or_else(|| attribute.name.replace('-', " "))
}
