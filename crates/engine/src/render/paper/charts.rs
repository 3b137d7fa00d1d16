//! Charts as blocks. If a chart contains the numbers that a roll needs, each value is shown with
//! the probability that the roll succeeds. If a chart is too wide for a terminal, its words are
//! abbreviated.

use unicode_width::UnicodeWidthStr;

use super::blocks::{expression_source, heading, rows_or_remark, text_cell};
use crate::language::rule::RuleText;
use crate::language::schema::{Chart, Type};
use crate::language::syntax::{ExprKind, Operator};
use crate::render::document::{Block, Cell};
use crate::render::odds;
use crate::render::table::chart_value;
use crate::ruleset::Ruleset;

/// The width of the narrowest usual terminal, in columns.
const WIDTH: usize = 80;
/// The width of a line between two columns of a table, with its spaces.
const GAP: usize = 3;

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
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let meanings = abbreviate(ruleset, chart, &mut headings, &mut rows);
    blocks.push(rows_or_remark(headings, rows, total));
    blocks.extend(meanings.map(Block::paragraph));
    if let (false, [down, along]) = (one_axis, axes.as_slice()) {
        let users = users.iter().map(|user| format!(" In brackets: {}.", user.heading()));
        let users: String = users.collect();
        blocks.push(Block::paragraph(format!("Rows: {down}; columns: {along}.{users}")));
    }
    blocks
}

/// Replaces words with their marks in the headings and cells of a chart that would otherwise be
/// wider than a terminal. Returns the meanings of the marks (`R: recoils; F: flees.`); `None` if
/// there are none.
fn abbreviate(
    ruleset: &Ruleset,
    chart: &Chart,
    headings: &mut [String],
    rows: &mut [Vec<Cell>],
) -> Option<String> {
    let widths = headings.iter().enumerate().map(|(column, heading)| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(Cell::text);
        cells.chain([heading.as_str()]).map(UnicodeWidthStr::width).max().unwrap_or(0) + GAP
    });
    if widths.sum::<usize>() < WIDTH {
        return None;
    }
    let types = chart.axes.get(1).map(|axis| axis.ty).into_iter().chain([chart.gives]);
    let sets = types.filter_map(|ty| match ty {
        Type::Word(set) => Some(ruleset.schema.word_set(set)),
        _ => None,
    });
    let marks = sets.flat_map(|set| set.values.iter().zip(&set.marks));
    let mut meanings: Vec<String> = Vec::new();
    for (word, mark) in marks {
        let headings = headings.iter_mut().skip(1).filter(|heading| *heading == word);
        let mut is_used = false;
        for heading in headings {
            heading.clone_from(mark);
            is_used = true;
        }
        let cells = rows.iter_mut().flat_map(|row| row.iter_mut().skip(1));
        for cell in cells.filter(|cell| cell.text() == word) {
            *cell = text_cell(mark);
            is_used = true;
        }
        let meaning = format!("{mark}: {word}");
        if is_used && !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
    (!meanings.is_empty()).then(|| format!("{}.", meanings.join("; ")))
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

/// Returns the rolls whose need is looked up in the chart and whose odds are known, each type of
/// roll once.
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

#[cfg(test)]
mod tests {
    use super::chart;
    use crate::render::document::{Block, Cell};
    use crate::ruleset::{FileText, load};

    const ENDS: [&str; 5] = [
        "holds its ground",
        "recoils in order",
        "flees the field",
        "is cut down",
        "breaks through",
    ];

    /// Returns the rows of a chart with this many ends by arm, the headings first, and its
    /// paragraphs.
    fn printed(columns: usize, marks: &[&str]) -> (Vec<Vec<String>>, Vec<String>) {
        let ends = ENDS[..columns].iter().map(|end| end.replace(' ', "-"));
        let list = format!("{:?}", ends.collect::<Vec<String>>());
        let marks = if marks.is_empty() { String::new() } else { format!("marks = {marks:?}") };
        let text = format!(
            "[game]\ntitle = \"Trial\"\n[words.end]\nvalues = {list}\n{marks}\n[words.arm]\nvalues = [\"foot\", \"horse\"]\n\
             [chart.ends]\nby = \"arm: arm, end: end\"\ngives = \"end\"\ncolumns = {list}\n[chart.ends.rows]\n\
             foot = {list}\nhorse = {list}\n",
        );
        let file = FileText { name: "trial.toml".into(), text, scenario: None };
        let ruleset = load(vec![file]).unwrap_or_else(|faulty| panic!("{:?}", faulty.faults));
        let mut rows = Vec::new();
        let mut paragraphs = Vec::new();
        for block in chart(&ruleset, &ruleset.schema.charts[0], None) {
            match block {
                Block::Table(headings, cells) => {
                    rows.push(headings);
                    let texts = |row: &Vec<Cell>| row.iter().map(|c| c.text().to_owned()).collect();
                    rows.extend(cells.iter().map(texts));
                }
                other => paragraphs.push(format!("{other:?}")),
            }
        }
        (rows, paragraphs)
    }

    #[test]
    fn the_words_of_a_wide_chart_are_abbreviated() {
        let (rows, paragraphs) = printed(5, &["H", "R", "F", "C", "B"]);
        assert_eq!(rows[0][1..], ["H", "R", "F", "C", "B"]);
        assert_eq!(rows[1], ["foot", "H", "R", "F", "C", "B"]);
        let meanings = "H: holds-its-ground; R: recoils-in-order; F: flees-the-field; C: is-cut-down; B: breaks-through.";
        assert!(paragraphs.iter().any(|p| p.contains(meanings)), "{paragraphs:?}");
    }

    #[test]
    fn the_words_of_other_charts_are_printed_in_full() {
        for (columns, marks) in [(2, vec!["H", "R"]), (5, Vec::new())] {
            let (rows, paragraphs) = printed(columns, &marks);
            assert_eq!(rows[1][..3], ["foot", "holds-its-ground", "recoils-in-order"]);
            assert!(paragraphs.iter().all(|p| !p.contains("H: ")), "{paragraphs:?}");
        }
    }
}
