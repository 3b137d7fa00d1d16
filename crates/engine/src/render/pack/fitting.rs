//! The type sizes of the quick reference and of the umpire's card.
//!
//! CSS can't choose the type size by the number of pages. This module therefore estimates the
//! layout of the browser from the widths of letters in Arial. The quick reference gets the largest
//! type at which everything fits on one page, or on both sides of one sheet if the type for one
//! page would be too small to read.
//!
//! The estimate follows the style of the pack: see `.reference` and `.umpire` there.

use crate::render::document::{Block, Cell, Document};

/// A millimetre in points.
const MILLIMETRE: f64 = 72.0 / 25.4;
/// The range of type sizes, in points.
const LARGEST: f64 = 10.0;
const SMALLEST: f64 = 5.0;
/// The step between two type sizes, in points.
const STEP: f64 = 0.25;
/// The smallest type size of a reference on one page, in points. If the type would have to be
/// smaller, the reference uses both sides of the sheet.
const SMALLEST_ON_ONE_PAGE: f64 = 7.5;
/// The space between two columns of the page, in points.
const GAP: f64 = 5.0 * MILLIMETRE;
/// The height of the heading of the section with its margin, in points.
const SECTION_HEADING: f64 = 24.0;
/// The space between two sections on the same page, in points.
const SECTION_MARGIN: f64 = 5.0 * MILLIMETRE;
/// The scale below which a table that is too wide for one of two columns is hard to read.
const SMALLEST_TABLE: f64 = 0.75;
/// The sizes of tables and headings in relation to the text.
pub(super) const TABLE_SIZE: f64 = 0.94;
const HEADING_SIZE: f64 = 1.1;
/// The size of the reference to the rule book in a heading, in relation to the heading.
const CITE_SIZE: f64 = 0.83;
/// The width of bold letters in relation to regular letters.
const BOLD: f64 = 1.07;
/// The height of a line in relation to its type size.
const LINE_HEIGHT: f64 = 1.2;
/// The space at the sides of the words in a cell, in relation to the type size of the table.
const PADDING: f64 = 0.8;
/// The width of the line around a cell, in points.
const BORDER: f64 = 0.75;
/// The range of type sizes of the umpire's card, in points.
const LARGEST_LINES: f64 = 9.0;
const SMALLEST_LINES: f64 = 6.5;
/// The height of a line on the umpire's card in relation to its type size.
const TYPED_LINE_HEIGHT: f64 = 1.25;
/// The size of headings on the umpire's card in relation to its type size.
const TYPED_HEADING_SIZE: f64 = 1.12;
/// The indentation of the later lines of an entry on the umpire's card, in points.
const HANG: f64 = 4.0 * MILLIMETRE;
/// The margins of headings, paragraphs and tables, in points.
const HEADING_MARGIN: f64 = 2.5 * MILLIMETRE;
const PARAGRAPH_MARGIN: f64 = 1.0;
const TABLE_MARGIN: f64 = 1.0 * MILLIMETRE;
/// A factor for the differences between browsers and fonts.
const ALLOWANCE: f64 = 1.03;

/// The layout of the quick reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fitting {
    /// The type size, in points.
    pub size: f64,
    /// The number of columns.
    pub columns: usize,
}

/// Returns the layout of a quick reference: its charts in columns, then its checks across the page.
/// A reference that doesn't fit on a sheet has more pages.
pub(super) fn fit_reference(charts: &Document, checks: &Document, area: PrintedArea) -> Fitting {
    let fits = |pages: usize, least: f64| {
        let mut layouts =
            sizes(LARGEST, least).flat_map(|size| [2, 1].map(|columns| Fitting { size, columns }));
        layouts.find(|layout| {
            area.pages_of_reference(charts, checks, *layout).is_some_and(|n| n <= pages)
        })
    };
    // A reference that needs more than one sheet anyway gets a legible type size.
    let legible = Fitting { size: SMALLEST_ON_ONE_PAGE, columns: 1 };
    fits(1, SMALLEST_ON_ONE_PAGE).or_else(|| fits(2, SMALLEST)).unwrap_or(legible)
}

/// Returns type sizes in points, the largest first.
fn sizes(largest: f64, smallest: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(largest), |size| Some(size - STEP))
        .take_while(move |size| *size >= smallest)
}

/// An entry of the umpire's card.
pub(super) enum CardEntry {
    /// The heading of a group of lines.
    Heading(String),
    /// A line that can be typed, and its meaning.
    Typed(String, String),
}

/// Returns the type size of the umpire's card, in points, and the number of its pages. The type is
/// the largest that needs no more pages than the smallest type. `above` is the height that is
/// already used on the first page, in points.
pub(super) fn fit_card(
    entries: &[CardEntry],
    columns: usize,
    above: f64,
    area: PrintedArea,
) -> (f64, usize) {
    let pages = |size: f64| area.pages_of_card(entries, size, columns, above);
    let fewest = pages(SMALLEST_LINES);
    let size = sizes(LARGEST_LINES, SMALLEST_LINES).find(|size| pages(*size) == fewest);
    (size.unwrap_or(SMALLEST_LINES), fewest)
}

/// Returns the height of the title, the note and the contents at the top of the pack, in points.
pub(super) fn height_of_cover(title: &str, note: &str, sections: usize, area: PrintedArea) -> f64 {
    let height = |text: &str, size: f64| {
        Words::of(text, letter_width).lines(area.width / size / BOLD, 0.0) * size * 1.3
    };
    let contents = sections.div_ceil(2) as f64 * 9.5 * 1.3 + 2.0 * 9.5;
    let margins = 6.0 * MILLIMETRE;
    height(title, 17.0) + height(note, 9.5) + height("Contents", 10.0) + contents + margins
}

/// Returns the scale, less than 1, of a table that would otherwise be wider than its column; `None`
/// for any other block.
pub(super) fn scale_of_table(block: &Block, fitting: Fitting, area: PrintedArea) -> Option<f64> {
    let Block::Table(headings, rows) = block else { return None };
    let table = TableMeasure::of(headings, rows);
    let scale = table.scale(fitting.size * TABLE_SIZE, area.column(fitting.columns));
    (scale < 1.0).then_some(scale)
}

/// The part of a page inside its margins, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintedArea {
    width: f64,
    height: f64,
}

impl PrintedArea {
    /// Returns an area of this width and height, in millimetres.
    pub(super) fn of_millimetres(width: f64, height: f64) -> PrintedArea {
        PrintedArea { width: width * MILLIMETRE, height: height * MILLIMETRE }
    }

    /// Returns the number of boxes of this width, in millimetres, that fit side by side.
    pub(super) fn number_across(self, width: f64) -> usize {
        (self.width / MILLIMETRE / width).floor() as usize
    }

    /// Returns the width of a column, in points.
    fn column(&self, columns: usize) -> f64 {
        (self.width - GAP * (columns - 1) as f64) / columns as f64
    }

    /// Returns the number of pages of the umpire's card.
    fn pages_of_card(&self, entries: &[CardEntry], size: f64, columns: usize, above: f64) -> usize {
        let width = self.column(columns);
        let height = |entry: &CardEntry| match entry {
            CardEntry::Heading(_) => TYPED_HEADING_SIZE * size * TYPED_LINE_HEIGHT + HEADING_MARGIN,
            CardEntry::Typed(usage, meaning) => {
                let words = Words::of(usage, code_width).and(Words::of(meaning, letter_width), 1.0);
                words.lines(width / size, HANG / size) * size * TYPED_LINE_HEIGHT + PARAGRAPH_MARGIN
            }
        };
        let all: f64 = entries.iter().map(height).sum();
        // The columns are only about equally high, so allow for two more lines.
        let slack = if columns > 1 { 2.0 * size * TYPED_LINE_HEIGHT } else { 0.0 };
        let rows = all * ALLOWANCE / columns as f64 + slack;
        let margin = if above > 0.0 { SECTION_MARGIN } else { 0.0 };
        let first = self.height - above - margin - SECTION_HEADING;
        1 + ((rows - first).max(0.0) / self.height).ceil() as usize
    }

    /// Returns the number of pages of a quick reference; `None` if there are several columns and a
    /// table is far wider than its column.
    fn pages_of_reference(
        &self,
        charts: &Document,
        checks: &Document,
        layout: Fitting,
    ) -> Option<usize> {
        let Fitting { size, columns } = layout;
        let least_scale = if columns > 1 { SMALLEST_TABLE } else { 0.0 };
        let charts = heights(charts, size, self.column(columns), least_scale)?;
        let checks = heights(checks, size, self.width, 0.0)?;
        let mut pages = 1;
        let mut left = self.height - SECTION_HEADING;
        let mut rest = charts.as_slice();
        while !rest.is_empty() {
            let fitting = number_in_columns(rest, left, columns);
            if fitting == rest.len() {
                left -= balanced_height(rest, left, columns);
                break;
            }
            let is_whole_page = left >= self.height;
            if fitting == 0 && is_whole_page {
                // A chart that is higher than a page is divided.
                let columns = columns as f64 * self.height;
                pages += (rest[0] / columns).ceil() as usize - 1;
            }
            rest = &rest[fitting.max(usize::from(is_whole_page))..];
            pages += 1;
            left = self.height;
        }
        for group in checks {
            if group > left {
                pages += 1;
                left = self.height;
            }
            left -= group;
            while left < 0.0 {
                pages += 1;
                left += self.height;
            }
        }
        Some(pages)
    }
}

/// Returns the number of leading groups that fit in columns of this height.
fn number_in_columns(groups: &[f64], height: f64, columns: usize) -> usize {
    let mut number = 0;
    for _ in 0..columns {
        let mut left = height;
        while let Some(group) = groups.get(number).filter(|group| **group <= left) {
            left -= group;
            number += 1;
        }
    }
    number
}

/// Returns the height of columns of about equal height that hold all groups.
fn balanced_height(groups: &[f64], highest: f64, columns: usize) -> f64 {
    let all: f64 = groups.iter().sum();
    let mut height = all / columns as f64;
    while height < highest && number_in_columns(groups, height, columns) < groups.len() {
        height += 4.0;
    }
    height
}

/// Returns the heights of all groups that are not divided between columns: a heading with
/// everything up to the next heading. Returns `None` if a table would need a smaller scale than
/// `least_scale`.
fn heights(document: &Document, size: f64, width: f64, least_scale: f64) -> Option<Vec<f64>> {
    let mut groups: Vec<f64> = Vec::new();
    for block in &document.blocks {
        let height = block_height(block, size, width, least_scale)? * ALLOWANCE;
        match groups.last_mut() {
            Some(group) if !matches!(block, Block::Heading(..)) => *group += height,
            _ => groups.push(height),
        }
    }
    Some(groups)
}

/// Returns the height of a block; `None` if it is a table that would need a smaller scale than
/// `least_scale` to fit into this width.
fn block_height(block: &Block, size: f64, width: f64, least_scale: f64) -> Option<f64> {
    match block {
        Block::Heading(title, cite) => {
            let size = size * HEADING_SIZE;
            let words = Words::of(title, letter_width);
            let words = words.and(Words::of(cite, letter_width), CITE_SIZE);
            Some(words.lines(width / size / BOLD, 0.0) * size * LINE_HEIGHT + HEADING_MARGIN)
        }
        Block::Table(headings, rows) => {
            let table = TableMeasure::of(headings, rows);
            let size = size * TABLE_SIZE;
            let scale = table.scale(size, width);
            (scale >= least_scale).then(|| table.height(size * scale, width))
        }
        Block::Line(line) => {
            let text: String = line.parts.iter().map(|part| part.text.as_str()).collect();
            let lines = Words::of(&text, letter_width).lines(width / size, 0.0);
            Some(lines * size * LINE_HEIGHT + PARAGRAPH_MARGIN)
        }
        // A quick reference has no other blocks.
        _ => Some(0.0),
    }
}

/// The widths of the cells of a table without their padding, in relation to the type size.
struct TableMeasure {
    /// The rows, beginning with the row of headings.
    rows: Vec<Vec<Words>>,
    /// The widths of the columns if every word is on its own line.
    narrow: Vec<f64>,
    /// The widths of the columns if no cell has more than one line.
    wide: Vec<f64>,
}

impl TableMeasure {
    fn of(headings: &[String], rows: &[Vec<Cell>]) -> TableMeasure {
        let heading = |words: &String| Words(Vec::new()).and(Words::of(words, letter_width), BOLD);
        let headings: Vec<Words> = headings.iter().map(heading).collect();
        let columns = headings.len();
        let words = |row: &Vec<Cell>| row.iter().map(Words::of_cell).collect();
        let rows: Vec<Vec<Words>> =
            std::iter::once(headings).chain(rows.iter().map(words)).collect();
        let widest = |measure: fn(&Words) -> f64| {
            let column = |index: usize| {
                let cells = rows.iter().filter_map(|row| row.get(index));
                cells.map(measure).fold(0.0, f64::max)
            };
            (0..columns).map(column).collect()
        };
        TableMeasure { narrow: widest(Words::longest), wide: widest(Words::all), rows }
    }

    /// Returns the scale at which the longest words fit into this width: at most 1.
    fn scale(&self, size: f64, width: f64) -> f64 {
        let columns = self.narrow.len() as f64;
        let least = self.narrow.iter().sum::<f64>() + PADDING * columns;
        ((width - BORDER * (columns + 1.0)) / (least * size * ALLOWANCE)).min(1.0)
    }

    /// Returns the height of the table as a browser lays it out: each column gets the width of its
    /// longest word, and a share of the rest that corresponds to its text.
    fn height(&self, size: f64, width: f64) -> f64 {
        let around = PADDING * size + BORDER;
        let least: f64 = self.narrow.iter().map(|column| column * size + around).sum();
        let most: f64 = self.wide.iter().map(|column| column * size + around).sum();
        let share = if most > width { ((width - least) / (most - least)).max(0.0) } else { 1.0 };
        let columns = self.narrow.iter().zip(&self.wide);
        let rooms: Vec<f64> =
            columns.map(|(narrow, wide)| (narrow + (wide - narrow) * share) * size).collect();
        let row_height = |row: &Vec<Words>| {
            let lines = row.iter().zip(&rooms).map(|(cell, room)| cell.lines(room / size, 0.0));
            lines.fold(1.0, f64::max) * size * LINE_HEIGHT + BORDER
        };
        self.rows.iter().map(row_height).sum::<f64>() + TABLE_MARGIN
    }
}

/// The words of a text, with their widths in relation to the type size. A browser doesn't divide a
/// word.
struct Words(Vec<MeasuredWord>);

struct MeasuredWord {
    width: f64,
    /// The width of the space after the word.
    space: f64,
}

impl Words {
    fn of(text: &str, letter: fn(char) -> f64) -> Words {
        let words = text.trim().split_inclusive([' ', '-']).map(|word| {
            let width = word.trim_end().chars().map(letter).sum();
            MeasuredWord { width, space: if word.ends_with(' ') { letter(' ') } else { 0.0 } }
        });
        Words(words.collect())
    }

    /// Returns the words of a cell.
    fn of_cell(cell: &Cell) -> Words {
        match cell {
            Cell::Words(text) => Words::of(text, letter_width),
            Cell::Code(text) => Words::of(text, code_width),
        }
    }

    /// Adds a space and more words, whose widths are multiplied by this scale.
    fn and(mut self, more: Words, scale: f64) -> Words {
        if let Some(last) = self.0.last_mut() {
            last.space = letter_width(' ');
        }
        let scaled = |word: MeasuredWord| MeasuredWord {
            width: word.width * scale,
            space: word.space * scale,
        };
        self.0.extend(more.0.into_iter().map(scaled));
        self
    }

    /// Returns the width of the longest word.
    fn longest(&self) -> f64 {
        self.0.iter().map(|word| word.width).fold(0.0, f64::max)
    }

    /// Returns the width of the text on one line.
    fn all(&self) -> f64 {
        self.0.iter().map(|word| word.width + word.space).sum()
    }

    /// Returns the number of lines that the words take. The first line has this width, and the
    /// later lines are narrower by the indentation.
    fn lines(&self, width: f64, indentation: f64) -> f64 {
        let mut lines = 1.0;
        let mut left = width;
        for word in &self.0 {
            // The tolerance is for a cell that is exactly as wide as its text.
            if word.width > left + 1e-6 {
                lines += 1.0;
                left = width - indentation;
            }
            left -= word.width + word.space;
        }
        lines
    }
}

/// Returns the width of a letter of a monospaced font in relation to its type size.
fn code_width(_: char) -> f64 {
    0.602
}

/// Returns the width of a letter of Arial in relation to its type size.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' => 0.22,
        ' ' | '.' | ',' | ':' | ';' | '!' | '|' | '/' | '[' | ']' | 'f' | 't' | 'I' => 0.28,
        'r' | '(' | ')' | '-' | '"' => 0.34,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 0.5,
        'w' | 'C' | 'D' | 'H' | 'N' | 'R' | 'U' => 0.72,
        'G' | 'O' | 'Q' => 0.78,
        'm' | 'M' => 0.83,
        'W' | '%' | '@' => 0.94,
        'A'..='Z' => 0.66,
        _ => 0.56,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a4() -> PrintedArea {
        PrintedArea::of_millimetres(190.0, 273.0)
    }

    fn a5() -> PrintedArea {
        PrintedArea::of_millimetres(132.0, 190.0)
    }

    /// Returns charts with a heading and this many rows each.
    fn charts(number: usize, rows: usize, cells: &[&str]) -> Document {
        let row = || cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let chart = |_| {
            let rows = (0..rows).map(|_| row()).collect();
            [Block::Heading("A chart".to_owned(), String::new()), Block::table(row(), rows)]
        };
        (0..number).flat_map(chart).collect::<Vec<_>>().into()
    }

    fn size(charts: &Document, area: PrintedArea) -> f64 {
        fit_reference(charts, &Document::new(), area).size
    }

    #[test]
    fn a_short_reference_is_in_large_type() {
        let fitting = fit_reference(&charts(2, 5, &["1", "two"]), &Document::new(), a5());
        assert_eq!(fitting, Fitting { size: LARGEST, columns: 2 });
    }

    #[test]
    fn more_charts_make_the_type_smaller_and_a_larger_page_makes_it_larger() {
        let row = ["1-2", "the shot hits"];
        let sizes: Vec<f64> =
            [10, 16, 40, 46].iter().map(|n| size(&charts(*n, 6, &row), a4())).collect();
        // A page has room for 11 or 12 charts of 22 mm in each column at 8 points.
        assert_eq!(sizes[0], LARGEST);
        assert!(sizes[1] >= SMALLEST_ON_ONE_PAGE, "{sizes:?}");
        assert!(sizes[3] < sizes[2] && sizes[2] < LARGEST, "{sizes:?}");
        assert!(size(&charts(24, 6, &row), a5()) < size(&charts(24, 6, &row), a4()));
    }

    #[test]
    fn a_chart_with_its_further_tables_is_not_divided() {
        let mut group = charts(1, 4, &["1-2", "hits"]).blocks;
        group.extend(charts(1, 2, &["+ 1", "cover"]).blocks.into_iter().skip(1));
        assert_eq!(heights(&group.into(), 8.0, 300.0, 0.0).map(|groups| groups.len()), Some(1));
    }

    #[test]
    fn a_table_that_is_too_wide_gets_smaller_type() {
        let wide = charts(1, 3, &["starboard"; 9]);
        let fitting = Fitting { size: 8.0, columns: 2 };
        let scale = scale_of_table(&wide.blocks[1], fitting, a5()).unwrap_or(1.0);
        // Nine columns, each with nine letters of about half an em and the padding, and ten
        // borders.
        let width = 9.0 * (9.0 * 0.5 + PADDING) * 8.0 * TABLE_SIZE * scale + 10.0 * BORDER;
        assert!(width <= a5().column(2), "{width} points");
        assert_eq!(scale_of_table(&charts(1, 3, &["1", "2"]).blocks[1], fitting, a5()), None);
    }

    #[test]
    fn a_reference_of_many_pages_stays_legible() {
        let row = ["1-2", "the shot hits"];
        assert_eq!(size(&charts(900, 6, &row), a5()), SMALLEST_ON_ONE_PAGE);
        assert_eq!(size(&charts(1, 900, &row), a5()), SMALLEST_ON_ONE_PAGE);
        let checks = fit_reference(&Document::new(), &charts(1, 900, &row), a5());
        assert_eq!(checks.size, SMALLEST_ON_ONE_PAGE);
    }

    #[test]
    fn one_wide_chart_does_not_make_everything_small() {
        let mut all = charts(2, 5, &["1", "two"]).blocks;
        all.extend(charts(1, 3, &["starboard"; 14]).blocks);
        let fitting = fit_reference(&all.into(), &Document::new(), a5());
        assert_eq!(fitting.columns, 1);
        assert!(fitting.size >= SMALLEST_ON_ONE_PAGE, "{fitting:?}");
    }

    #[test]
    fn the_umpires_card_fills_its_pages() {
        let entries = |number: usize| -> Vec<CardEntry> {
            (0..number)
                .map(|_| CardEntry::Typed("rest UNIT".to_owned(), "Rest".to_owned()))
                .collect()
        };
        // A5 is 539 points high: room for 45 lines of 11.5 points, the first page with a heading.
        let (size, pages) = fit_card(&entries(20), 1, 0.0, a5());
        assert_eq!((size, pages), (LARGEST_LINES, 1));
        let (size, pages) = fit_card(&entries(48), 1, 0.0, a5());
        assert!(size < LARGEST_LINES && pages == 1, "{size}, {pages}");
        let (_, pages) = fit_card(&entries(48), 1, 200.0, a5());
        assert_eq!(pages, 2);
    }
}
