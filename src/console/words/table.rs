//! `table`: a chart, a rule's table of results or a printed list; with a total, only its row.

use super::prelude::*;
use crate::command::{named, number};
use crate::language::schema::Role;
use crate::render::table::{self as render, Listing};
use crate::ruleset::Ruleset;

pub(super) const TABLE: Word = Word {
    name: "table",
    usage: "table NAME [TOTAL]",
    help: "show a chart, or look a total up in it",
    sample: &[
        "`table` alone says which there are; with a total, only the row it falls on is shown",
    ],
    complete: |reading, given, to| to.offer_first(given, known(reading.ruleset())),
    most: 2,
    looks: true,
    ..Word::of(table as Run)
};

/// Returns the names of everything that can be looked up.
fn known(ruleset: &Ruleset) -> Vec<&str> {
    let schema = &ruleset.schema;
    let charts = schema.charts.iter().map(|c| c.name.as_str());
    let rows = schema.rules.iter().filter(|r| !r.table.is_empty()).map(|r| r.name.as_str());
    let lists = schema.kinds.iter().filter(|k| k.role == Role::List).map(|k| k.name.as_str());
    charts.chain(rows).chain(lists).collect()
}

fn table(play: &mut Play, typed: &TypedLine<'_>, _: &mut dyn Frontend) -> Replied {
    let ruleset = play.referee().ruleset();
    let known = known(ruleset);
    let help = match known.is_empty() {
        true => "this game has no tables".to_owned(),
        false => format!("there is: {}", names::list(&known)),
    };
    let (word, total) = typed.need_word("`table` needs a name", help)?;
    let name = named(word, &known, "table")?;
    let total = total.first().map(number).transpose()?;
    let schema = &ruleset.schema;
    let chart = schema.chart_named(name).map(Listing::Chart);
    let rows = || schema.rule_named(name).map(Listing::Rows);
    let list = || schema.kind_named(name).map(Listing::List);
    let listing = chart.or_else(rows).or_else(list);
    let listing = listing.ok_or_else(|| Failure::of(format!("there is no table `{name}`")))?;
    let text = render::listing(ruleset, listing, total);
    Ok(Reply::new(text, render::data(ruleset, listing, total)))
}
