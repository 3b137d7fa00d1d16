//! Charts as blocks. If a chart contains the number that a roll needs, each value is shown with the
//! probability of rolling it.

use super::blocks::{expression_source, heading, rows_or_remark, text_cell};
use crate::language::rule::RuleText;
use crate::language::schema::{Chart, Type};
use crate::language::syntax::{ExprKind, Operator};
use crate::render::document::Block;
use crate::render::odds;
use crate::render::table::chart_value;
use crate::ruleset::Ruleset;

/// Returns a chart, with its first axis down the side and its second along the top. If a total is
/// given, returns only the rows for that total.
pub(super) fn chart(ruleset: &Ruleset, chart: &Chart, total: Option<i64>) -> Vec<Block> {
    let mut blocks = heading(&chart.title, &chart.cite, &chart.note);
    let users = compared_rolls(ruleset, chart);
    let axes: Vec<&str> = chart.axes.iter().map(|a| a.name.as_str()).collect();
    let mut headings = vec![axes.first().map_or(String::new(), |a| (*a).to_owned())];
    let one_axis = chart.columns.is_empty();
    headings.extend(one_axis.then(|| "gives".to_owned()));
    headings.extend(users.iter().filter(|_| one_axis).map(ComparedRoll::heading));
    headings.extend(chart.column_labels.iter().cloned());
    let across = chart.columns.len().max(1);
    let rows = chart.rows.iter().zip(&chart.row_labels).zip(chart.values.chunks(across));
    let rows = rows.filter(|((range, _), _)| total.is_none_or(|t| range.holds(t)));
    let rows = rows.map(|((_, label), values)| {
        let mut cells = vec![text_cell(label)];
        for &value in values {
            let shown = chart_value(ruleset, chart.gives, value);
            let mut chances: Vec<String> = users.iter().map(|u| u.chance(value)).collect();
            if one_axis {
                cells.push(text_cell(shown));
                cells.extend(chances.into_iter().map(text_cell));
                continue;
            }
            chances.retain(|chance| !chance.is_empty());
            cells.push(text_cell(if chances.is_empty() {
                shown
            } else {
                format!("{shown} ({})", chances.join("; "))
            }));
        }
        cells
    });
    blocks.push(rows_or_remark(headings, rows.collect(), total));
    if let (false, [down, along]) = (one_axis, axes.as_slice()) {
        let users = users.iter().map(|user| format!(" In brackets: {}.", user.heading()));
        let users: String = users.collect();
        blocks.push(Block::paragraph(format!("Rows: {down}; columns: {along}.{users}")));
    }
    blocks
}

/// A roll that is compared with a value of the chart.
struct ComparedRoll<'r> {
    rule: &'r RuleText,
    operator: Operator,
    dice: String,
}

impl ComparedRoll<'_> {
    fn heading(&self) -> String {
        let modified = if self.rule.modifiers.is_empty() { "" } else { ", unmodified" };
        let sign = crate::render::check::sign(self.operator);
        format!("chance of {} {sign} the value{modified}", self.dice)
    }

    fn chance(&self, value: i64) -> String {
        let chance = odds::comparison_chance(self.rule, self.operator, value);
        chance.map_or(String::new(), |p| odds::percent(&p))
    }
}

/// Returns the rolls whose need is looked up in the chart, each type of roll once.
fn compared_rolls<'r>(ruleset: &'r Ruleset, chart: &Chart) -> Vec<ComparedRoll<'r>> {
    let mut users: Vec<ComparedRoll<'r>> = Vec::new();
    if chart.gives != Type::Whole {
        return users;
    }
    for rule in &ruleset.schema.rules {
        let Some((operator, need)) = &rule.needs else { continue };
        let looked_up = matches!(&need.kind, ExprKind::Call(name, _) if name.text == chart.name);
        let (true, Some(roll), Some(_)) = (looked_up, &rule.roll, odds::rule_distribution(rule))
        else {
            continue;
        };
        let user =
            ComparedRoll { rule, operator: *operator, dice: expression_source(ruleset, roll) };
        if !users.iter().any(|u| u.heading() == user.heading()) {
            users.push(user);
        }
    }
    users
}
