//! Tables as lines of text.

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets,
};
use unicode_width::UnicodeWidthStr;

use crate::render::document::Cell as Content;
use crate::render::markup::{Line, Role, sanitize, sanitize_lines};

/// Returns a table under its headings, at most `width` columns wide, or 22 if `width` is less than
/// that. Columns of numbers are aligned to the right.
pub(super) fn text_table(headings: &[String], rows: &[Vec<Content>], width: usize) -> Vec<Line> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width.saturating_sub(2).max(20)).unwrap_or(u16::MAX));
    table.set_header(headings.iter().map(|h| Cell::new(sanitize(h))));
    for row in rows {
        table.add_row(row.iter().map(|c| Cell::new(sanitize_lines(c.text()))));
    }
    // If cells must be wrapped, no word is broken unless there is too little room.
    let words = column_widths(headings, rows, longest_word);
    let lines = column_widths(headings, rows, longest_line);
    let breaks =
        words.iter().sum::<usize>() + 2 <= width && lines.iter().sum::<usize>() + 2 > width;
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if breaks
            && let Some(word) = words.get(i)
            && let Ok(least) = u16::try_from(*word)
        {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        }
        if !rows.is_empty() && rows.iter().all(|r| r.get(i).is_none_or(is_number)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let written = table.lines().enumerate().map(|(index, line)| {
        let role = if index == 0 { Role::Quiet } else { Role::Plain };
        Line::of(role, format!("  {}", line.trim_end())).unbreakable()
    });
    written.collect()
}

/// Returns the width of each column, including the space after it; `measure` returns the width of a
/// cell.
fn column_widths(
    headings: &[String],
    rows: &[Vec<Content>],
    measure: fn(&str) -> usize,
) -> Vec<usize> {
    let mut widths = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| measure(cell.text()));
        widths.push(cells.max().unwrap_or(0).max(measure(heading)) + 2);
    }
    widths
}

fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

fn longest_line(text: &str) -> usize {
    text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// Returns true if a cell is empty, or contains a number, a percentage or a dash.
fn is_number(cell: &Content) -> bool {
    let text = cell.text().trim_end_matches('%');
    text.is_empty() || text == "–" || text.parse::<f64>().is_ok()
}
