//! Charts on the proof sheet: where a chart says what a roll needs, each value with the chance of meeting it.

use super::{Block, Cell, words};
use crate::language::rule::RuleText;
use crate::language::schema::{Chart, Type};
use crate::language::syntax::{ExprKind, Operator};
use crate::render::odds;
use crate::render::table::chart_value;
use crate::ruleset::Ruleset;

pub(super) fn charts(ruleset: &Ruleset) -> Vec<Block> {
    let mut blocks = Vec::new();
    for chart in &ruleset.schema.charts {
        blocks.push(Block::Heading(chart.title.clone(), chart.cite.clone()));
        if !chart.note.is_empty() {
            blocks.push(Block::Words(chart.note.clone()));
        }
        let users = users(ruleset, chart);
        let axes: Vec<&str> = chart.axes.iter().map(|a| a.name.as_str()).collect();
        let mut headings = vec![axes.first().map_or(String::new(), |a| (*a).to_owned())];
        let one_axis = chart.columns.is_empty();
        if one_axis {
            headings.push("gives".into());
            headings.extend(users.iter().map(|u| u.heading()));
        } else {
            headings.extend(chart.column_labels.iter().cloned());
        }
        let across = chart.columns.len().max(1);
        let rows = chart.row_labels.iter().zip(chart.values.chunks(across));
        let rows = rows.map(|(label, values)| {
            let mut cells = vec![words(label)];
            for &value in values {
                let shown = chart_value(ruleset, chart.gives, value);
                let chances = users.iter().map(|u| u.chance(value));
                if one_axis {
                    cells.push(words(shown));
                    cells.extend(chances.map(Cell::Words));
                } else {
                    let chances: Vec<String> = chances.filter(|c| !c.is_empty()).collect();
                    cells.push(words(match chances.is_empty() {
                        true => shown,
                        false => format!("{shown} ({})", chances.join("; ")),
                    }));
                }
            }
            cells
        });
        blocks.push(Block::Table(headings, rows.collect()));
        if let (false, [down, along]) = (one_axis, axes.as_slice()) {
            let mut told = format!("Down the side {down}, along the top {along}.");
            for user in &users {
                told.push_str(&format!(" In brackets: {}.", user.heading()));
            }
            blocks.push(Block::Words(told));
        }
    }
    blocks
}

/// A roll that is compared with a chart's value.
struct User<'r> {
    rule: &'r RuleText,
    operator: Operator,
    dice: String,
}

impl User<'_> {
    fn heading(&self) -> String {
        let modified = if self.rule.modifiers.is_empty() { "" } else { ", unmodified" };
        let sign = crate::render::check::sign(self.operator);
        format!("chance of {} {sign} it{modified}", self.dice)
    }

    fn chance(&self, value: i64) -> String {
        let chance = odds::of_comparison(self.rule, self.operator, value);
        chance.map_or(String::new(), |p| odds::percent(&p))
    }
}

/// The rolls whose need is a look-up in this chart; each sort of roll once.
fn users<'r>(ruleset: &'r Ruleset, chart: &Chart) -> Vec<User<'r>> {
    let mut users: Vec<User<'r>> = Vec::new();
    if chart.gives != Type::Whole {
        return users;
    }
    for rule in &ruleset.schema.rules {
        let Some((operator, need)) = &rule.needs else { continue };
        let looked_up = matches!(&need.kind, ExprKind::Call(name, _) if name.text == chart.name);
        let (true, Some(roll), Some(_)) = (looked_up, &rule.roll, odds::of_rule(rule)) else {
            continue;
        };
        let user = User { rule, operator: *operator, dice: super::source(ruleset, roll) };
        if !users.iter().any(|u| u.heading() == user.heading()) {
            users.push(user);
        }
    }
    users
}
