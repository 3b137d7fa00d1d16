//! Tables as lines of text.

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets,
};
use unicode_width::UnicodeWidthStr;

use crate::render::document::Cell as Content;
use crate::render::markup::{Line, Role, clean, clean_lines};

/// Returns a table under its headings, no wider than `width`. Columns of numbers are aligned to the right.
pub(super) fn grid(headings: &[String], rows: &[Vec<Content>], width: usize) -> Vec<Line> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width.saturating_sub(2).max(20)).unwrap_or(u16::MAX));
    table.set_header(headings.iter().map(|h| Cell::new(clean(h))));
    for row in rows {
        table.add_row(row.iter().map(|c| Cell::new(clean_lines(c.text()))));
    }
    // Where cells must be broken, no word is while there is room.
    let widest = |place: usize, of: fn(&str) -> usize| {
        let cells = rows.iter().filter_map(|row| row.get(place)).map(|c| of(c.text()));
        cells.chain(headings.get(place).map(|h| of(h))).max().unwrap_or(0) + 2
    };
    let word = |text: &str| text.split_whitespace().map(UnicodeWidthStr::width).max().unwrap_or(0);
    let line = |text: &str| text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    let total = |of| (0..headings.len()).map(|place| widest(place, of)).sum::<usize>() + 2;
    let breaks = total(word) <= width && total(line) > width;
    let number = |c: &Content| {
        let c = c.text().trim_end_matches('%');
        c.is_empty() || c == "–" || c.parse::<f64>().is_ok()
    };
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if let (true, Ok(least)) = (breaks, u16::try_from(widest(i, word))) {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        }
        if !rows.is_empty() && rows.iter().all(|r| r.get(i).is_none_or(number)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let role = |place| if place == 0 { Role::Quiet } else { Role::Plain };
    let line = |(place, line): (usize, String)| {
        Line::of(role(place), format!("  {}", line.trim_end())).unbroken()
    };
    table.lines().enumerate().map(line).collect()
}
