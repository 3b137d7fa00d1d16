//! Reads charts, decks and definitions, and parses ranges, types and parameters.

use toml::de::DeValue;

use crate::diagnostic::Declaration;
use crate::language::number::Number;
use crate::language::schema::{
    Chart, CodeUnit, Deck, Define, DefineId, Element, KindId, KindRole, ListId, Param, RowRange,
    STATE_KIND, Type,
};
use crate::language::syntax::Name;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::raw::{Section, TomlNode};
use crate::source::Span;

/// The maximum number of parameters in one text, such as the `takes` of a rule.
const MAX_PARAMS: usize = 100;
/// The maximum number of values in a chart.
const MAX_VALUES: usize = 10_000;

/// The built-in types that are written as one word.
const SIMPLE_TYPES: [(&str, Type); 5] = [
    ("whole", Type::Whole),
    ("number", Type::Number),
    ("dice", Type::Dice),
    ("flag", Type::Flag),
    ("text", Type::Text),
];
/// The help that a fault about an unknown type has if no known type has a similar name.
const TYPES_HELP: &str =
    "a type is a kind, a list, a set of words, `whole`, `number`, `1..6`, `dice`, `flag` or `text`";

/// Parses a range of totals, such as `5`, `2-3`, `-1 to 4`, `12 or more` or `3 or less`; `None` if
/// the text isn't one, or if a number has more than nine digits.
pub(super) fn parse_row_range(text: &str) -> Option<RowRange> {
    let text = text.trim();
    let number = |t: &str| t.trim().parse::<i64>().ok().filter(|n| n.abs() < 1_000_000_000);
    if let Some(low) = text.strip_suffix("or more") {
        return Some(RowRange { low: number(low)?, high: i64::MAX });
    }
    if let Some(high) = text.strip_suffix("or less") {
        return Some(RowRange { low: i64::MIN, high: number(high)? });
    }
    if let Some((low, high)) = text.split_once(" to ") {
        return range_if_ordered(number(low)?, number(high)?);
    }
    if let Some(n) = number(text) {
        return Some(RowRange { low: n, high: n });
    }
    // A hyphen at the beginning is a minus sign, so it is skipped.
    let hyphen = text.char_indices().skip(1).find(|(_, c)| matches!(c, '-' | '–'))?;
    let (low, high) = text.split_at(hyphen.0);
    range_if_ordered(number(low)?, number(high.trim_start_matches(['-', '–']))?)
}

fn range_if_ordered(low: i64, high: i64) -> Option<RowRange> {
    (low <= high).then_some(RowRange { low, high })
}

impl Loader<'_> {
    /// Parses the type of a parameter, such as `area`, `figure+`, `whole`, `1..6` or `0.0..60.0`,
    /// and returns it with the limits of a range; otherwise, reports a fault and returns `None`.
    pub(super) fn read_param_type(&mut self, ty: &Name) -> Option<(Type, Option<(i64, i64)>)> {
        let text = ty.text.as_str();
        if let Some(&(_, simple)) = SIMPLE_TYPES.iter().find(|(name, _)| *name == text) {
            return Some((simple, None));
        }
        if let Some((low, high)) = text.split_once("..") {
            return self.read_range_type(low.trim(), high.trim(), ty.span);
        }
        let (name, many) = match text.strip_suffix('+') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let of = |element: Element| if many { Type::List(element) } else { element.member_type() };
        if let Some(kind) = self.schema.kind_named(name)
            && self.schema.kind(kind).role != KindRole::Single
        {
            return Some((of(Element::Piece(kind)), None));
        }
        if let Some(set) = self.schema.words_named(name) {
            return Some((of(Element::Word(set)), None));
        }
        let mut known = Vec::from(SIMPLE_TYPES.map(|(word, _)| word));
        known.extend(self.schema.kinds.iter().skip(2).map(|k| k.name.as_str()));
        known.extend(self.schema.words.iter().map(|w| w.name.as_str()));
        let name = Name { text: name.to_owned(), ..*ty };
        let fault = self.r.report_no_such("unknown-type", "type", &name, known);
        fault.help.get_or_insert_with(|| TYPES_HELP.to_owned());
        None
    }

    fn read_range_type(
        &mut self,
        low: &str,
        high: &str,
        span: Span,
    ) -> Option<(Type, Option<(i64, i64)>)> {
        let fractions = low.contains('.') || high.contains('.');
        let read = Number::parse(low).zip(Number::parse(high));
        let Some((lowest, highest)) = read.filter(|(l, h)| l <= h) else {
            let help = "write `1..6`, or `0.0..60.0` for fractions";
            self.r.error_with_help("bad-range", span, "this is not a range of numbers", help);
            return None;
        };
        Some(if fractions {
            (Type::Number, Some((lowest.to_bits(), highest.to_bits())))
        } else {
            (Type::Whole, Some((lowest.numerator(), highest.numerator())))
        })
    }

    /// Parses parameters, such as `target: area, by: hose`. A parameter without a type has its name
    /// as its type, such as `area`.
    pub(super) fn read_params(&mut self, node: TomlNode<'_>) -> Vec<Param> {
        let Some(text) = self.r.text(node) else { return Vec::new() };
        let mut params: Vec<Param> = Vec::new();
        let mut at = 0;
        for part in text.value.split(',') {
            let start = at + (part.len() - part.trim_start().len());
            let span = text.map.span(start..(at + part.len()).max(start + 1));
            at += part.len() + 1;
            if part.trim().is_empty() {
                continue;
            }
            let (name, ty) = part.split_once(':').map_or((part, part), |(n, t)| (n, t));
            let mut name = Name { text: name.trim().to_owned(), span };
            // A parameter with a bad name still takes its position, so that later parameters keep
            // theirs.
            if !self.r.check_name(&name, "a parameter") {
                name.text = name.text.to_lowercase();
            }
            if params.len() >= MAX_PARAMS {
                let message = format!("there can be at most {MAX_PARAMS} parameters");
                self.r.error("too-large", span, message);
                break;
            }
            if params.iter().any(|p| p.name == name.text) {
                self.r.error("twice", span, format!("two parameters are named `{}`", name.text));
            }
            let (ty, bounds) = self
                .read_param_type(&Name { text: ty.trim().to_owned(), span })
                .unwrap_or((Type::Unknown, None));
            params.push(Param { bounds, span, ..Param::built_in(&name.text, ty) });
        }
        params
    }

    pub(super) fn read_decks(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "deck") {
            let cause = Declaration::Name(entry.name.text.clone());
            self.with_spoiled(&cause, |l| l.read_deck(entry));
        }
    }

    fn read_deck(&mut self, entry: &NamedTable<'_>) -> Option<()> {
        let name = &entry.name;
        if !self.r.check_name(name, "a deck") {
            return None;
        }
        let first = self.schema.decks.named(&name.text).map(|d| d.span);
        if self.r.is_taken(name, first, "") {
            return None;
        }
        if let Some(kind) = self.schema.plural_named(&name.text) {
            let kind = &self.schema.kind(kind).name;
            let message = format!("the plural of `{kind}` is already `{}`", name.text);
            let help = "choose another name for the deck, such as `pack`";
            self.r.error_with_help("twice", name.span, message, help);
        }
        let section = self.r.section(format!("the deck `{}`", name.text), entry.node)?;
        section.read_unshown_keys(&mut self.r);
        let of = section.name("of", &mut self.r).and_then(|kind| self.find_kind(&kind));
        let fill = self.read_statements_function(&section, "fill", None);
        section.check_keys(&forms::DECK, &mut self.r);
        let of = of?;
        self.schema.lists.push((STATE_KIND, usize::MAX));
        let list = ListId::from_index(self.schema.lists.len() - 1);
        let span = name.span;
        self.schema.decks.push(Deck { name: name.text.clone(), of, list, fill, span });
        Some(())
    }

    /// Returns the kind or list with this name, or reports a fault and returns `None`.
    pub(super) fn find_kind(&mut self, name: &Name) -> Option<KindId> {
        let found = self.schema.kind_named(&name.text);
        if found.is_none() {
            let known = self.schema.kinds.iter().skip(2).map(|k| k.name.as_str());
            self.r.report_no_such("unknown-kind", "kind or list", name, known);
        }
        found
    }

    pub(super) fn read_defines(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "define") {
            let name = &entry.name;
            let cause = Declaration::Callable(name.text.clone());
            let Some(section) = self.callable_section(entry, "definition") else { continue };
            section.read_unshown_keys(&mut self.r);
            let says = section.phrase(&mut self.r);
            let note = section.prose("note", &mut self.r);
            let takes = section.get("takes");
            let params =
                takes.map(|n| self.with_spoiled(&cause, |l| l.read_params(n))).unwrap_or_default();
            let id = DefineId::from_index(self.schema.defines.len());
            let expr = self.parse_expr_key(&section, "is");
            let function = self.add_function(expr.map(|e| CodeUnit::Define(id, e)));
            section.check_keys(&forms::DEFINE, &mut self.r);
            let span = name.span;
            self.schema.defines.push(Define {
                name: name.text.clone(),
                params,
                says,
                note,
                function,
                span,
            });
        }
    }

    /// Returns the section of a rule, chart or definition, or reports a fault and returns `None`.
    pub(super) fn callable_section<'e>(
        &mut self,
        entry: &NamedTable<'e>,
        sort: &str,
    ) -> Option<Section<'e>> {
        let name = &entry.name;
        self.with_spoiled(&Declaration::Callable(name.text.clone()), |l| {
            if !l.r.check_name(name, &format!("a {sort}")) || l.is_callable_taken(name) {
                return None;
            }
            l.r.section(format!("the {sort} `{}`", name.text), entry.node)
        })
    }

    /// Returns true, and reports a fault, if a definition, a chart, a rule or a built-in function
    /// already has this name. Some built-in functions can be redefined.
    fn is_callable_taken(&mut self, name: &Name) -> bool {
        use crate::language::compile::{FUNCTIONS, REDEFINABLE};
        let text = name.text.as_str();
        let is_built_in =
            FUNCTIONS.iter().any(|f| f.name() == text && !REDEFINABLE.contains(&text));
        let built_in = is_built_in.then(Span::default);
        let schema = &self.schema;
        let define = schema.defines.named(text).map(|d| d.span);
        let chart = schema.charts.named(text).map(|c| c.span);
        let first = define.or(chart).or(schema.rules.named(text).map(|r| r.span)).or(built_in);
        self.r.is_taken(name, first, "this is a function of the rule language; choose another name")
    }

    pub(super) fn read_charts(&mut self, entries: &[NamedTable<'_>]) {
        for entry in entries.iter().filter(|e| e.section == "chart") {
            let cause = Declaration::Callable(entry.name.text.clone());
            let Some(section) = self.callable_section(entry, "chart") else { continue };
            let chart = self.with_spoiled(&cause, |l| {
                let chart = l.read_chart(&entry.name, &section);
                section.check_keys(&forms::CHART, &mut l.r);
                chart
            });
            if let Some(chart) = chart {
                self.schema.charts.push(chart);
            }
        }
    }

    fn read_chart(&mut self, name: &Name, section: &Section<'_>) -> Option<Chart> {
        let title = section.prose("title", &mut self.r);
        let cite = section.prose("cite", &mut self.r);
        let note = section.prose("note", &mut self.r);
        let axes = section.get("by").map(|n| self.read_params(n)).unwrap_or_default();
        let columns = match section.get("columns") {
            Some(node) => self.r.array(node)?,
            None => Vec::new(),
        };
        let gives = match section.get("gives") {
            Some(node) => {
                let ty = self.r.name(node)?;
                Some(self.read_param_type(&ty)?)
            }
            None => None,
        };
        let (Some(_), Some(rows)) = (section.get("by"), section.get("rows")) else { return None };
        if axes.is_empty() || axes.len() > 2 || (axes.len() == 2) == columns.is_empty() {
            let message =
                format!("the chart `{}` needs one axis, or two axes and `columns`", name.text);
            let help = "write `by = \"distance: whole\"`";
            self.r.error_with_help("wrong-axes", section.key_span("by"), message, help);
            return None;
        }
        let column_spans: Vec<Span> = columns.iter().map(|node| node.span).collect();
        let mut column_labels = Vec::new();
        let mut column_ranges = Vec::new();
        for node in columns {
            let label = self.read_label(node)?;
            column_ranges.push(self.read_axis_range(&axes[1], &label)?);
            column_labels.push(label.text);
        }
        let table = self.r.section("`rows`", rows)?;
        let mut chart = Chart {
            name: name.text.clone(),
            title: if title.is_empty() { name.text.clone() } else { title },
            cite,
            note,
            columns: column_ranges,
            column_labels,
            gives: gives.map_or(Type::Whole, |(ty, _)| ty),
            axes,
            span: name.span,
            ..Chart::default()
        };
        let fraction =
            |value: &DeValue<'_>| matches!(value, DeValue::Float(_) | DeValue::String(_));
        let fractions = table.entries().iter().any(|(_, node)| match node.value {
            DeValue::Array(values) => values.iter().any(|v| fraction(v.get_ref())),
            value => fraction(value),
        });
        if gives.is_none() && fractions {
            chart.gives = Type::Number;
        }
        for (label, node) in table.entries() {
            let range = self.read_axis_range(&chart.axes[0], label)?;
            chart.rows.push(range);
            chart.row_labels.push(label.text.clone());
            chart.row_spans.push(label.span);
            self.read_chart_row(&mut chart, label, *node)?;
        }
        self.check_axis(&chart.axes[0].clone(), &chart.rows, &chart.row_spans, name);
        if let Some(axis) = chart.axes.get(1).cloned() {
            self.check_axis(&axis, &chart.columns, &column_spans, name);
        }
        Some(chart)
    }

    fn read_chart_row(
        &mut self,
        chart: &mut Chart,
        label: &Name,
        node: TomlNode<'_>,
    ) -> Option<()> {
        let nodes = match chart.columns.len() {
            0 => vec![node],
            columns => self.read_row_values(label, node, columns)?,
        };
        for cell in nodes {
            let value = match chart.gives {
                Type::Number => self.read_number(cell)?.to_bits(),
                Type::Word(set) => self.read_word(set, cell)?,
                _ => self.r.whole_number(cell)?,
            };
            chart.values.push(value);
        }
        if chart.values.len() > MAX_VALUES {
            let message = format!("a chart has at most {MAX_VALUES} values");
            self.r.error("too-large", label.span, message);
            return None;
        }
        Some(())
    }

    /// Returns the values of a row, one for each column, or reports a fault and returns `None`.
    pub(super) fn read_row_values<'a>(
        &mut self,
        row: &Name,
        node: TomlNode<'a>,
        columns: usize,
    ) -> Option<Vec<TomlNode<'a>>> {
        let values = self.r.array(node)?;
        if values.len() != columns {
            let name = &row.text;
            let count = values.len();
            let message = format!("the row `{name}` has {count} values for {columns} columns");
            self.r.error("wrong-row", node.span, message);
            return None;
        }
        Some(values)
    }

    /// Reads a label, which is a text or a whole number; otherwise, reports a fault and returns
    /// `None`.
    pub(super) fn read_label(&mut self, node: TomlNode<'_>) -> Option<Name> {
        let text = match node.value {
            DeValue::Integer(_) => self.r.whole_number(node)?.to_string(),
            _ => self.r.prose(node)?,
        };
        Some(Name { text, span: node.span })
    }

    /// Parses a row or column label as a range of values on its axis, or returns `None` if it isn't
    /// one. The fault has then been reported.
    fn read_axis_range(&mut self, axis: &Param, label: &Name) -> Option<RowRange> {
        let single = |n: i64| RowRange { low: n, high: n };
        match axis.ty {
            Type::Whole => self.read_totals(label),
            Type::Word(set) => {
                let what = format!("not a word of `{}`", axis.name);
                self.find_word(set, label, &what).map(single)
            }
            Type::Piece(kind) if self.schema.kind(kind).role == KindRole::List => {
                self.find_row(kind, label).map(single)
            }
            Type::Unknown => None,
            _ => {
                let message =
                    "the axis of a chart must be a whole number, a set of words or a list";
                self.r.error("wrong-axes", axis.span, message);
                None
            }
        }
    }

    /// Parses a label as a range of totals, or reports a fault and returns `None`.
    pub(super) fn read_totals(&mut self, label: &Name) -> Option<RowRange> {
        let range = parse_row_range(&label.text);
        if range.is_none() {
            let message = format!("`{}` is not a range of numbers", label.text.escape_debug());
            let help = "write `5`, `2-3`, `-1 to 4`, `12 or more` or `3 or less`";
            self.r.error_with_help("bad-row", label.span, message, help);
        }
        range
    }

    /// Reports the first two rows or columns that overlap, or else the first value without a row or
    /// column. If the axis is a list, the chart doesn't need a value for every row of the list.
    fn check_axis(&mut self, axis: &Param, ranges: &[RowRange], spans: &[Span], name: &Name) {
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        order.sort_by_key(|&i| ranges[i]);
        for pair in order.windows(2) {
            let a = ranges[pair[0]];
            let b = ranges[pair[1]];
            if b.low <= a.high {
                let message = format!("two rows or columns of the chart `{}` overlap", name.text);
                let fault = self.r.error("overlapping-rows", spans[pair[1]], message);
                fault.other =
                    Some((spans[pair[0]], "this one has some of the same values".to_owned()));
                return;
            }
        }
        let (Some(&first), Some(&last)) = (order.first(), order.last()) else { return };
        let (low, high) = match (axis.ty, axis.bounds) {
            (Type::Whole, bounds) => bounds.unwrap_or((ranges[first].low, ranges[last].high)),
            (Type::Word(set), _) => (0, self.schema.word_set(set).values.len() as i64 - 1),
            // A chart may leave out rows of a list. Looking up such a row is an error during play.
            _ => return,
        };
        let mut wanted = low;
        let (before, after): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&i| {
            let goes_on = ranges[i].low <= wanted;
            if goes_on {
                wanted = wanted.max(ranges[i].high.saturating_add(1));
            }
            goes_on
        });
        if wanted > high || before.iter().any(|&i| ranges[i].holds(wanted)) {
            return;
        }
        let shown = match axis.ty {
            Type::Word(set) => {
                self.schema.word_set(set).word(wanted).unwrap_or_default().to_owned()
            }
            _ => wanted.to_string(),
        };
        let message = format!("the chart `{}` has no value for `{shown}`", name.text);
        let row_before = before.last();
        let next = after.first();
        let span = row_before.or(next).map_or(name.span, |&i| spans[i]);
        let fault = self.r.error("missing-row", span, message);
        fault.other = next
            .filter(|_| row_before.is_some())
            .map(|&i| (spans[i], "the values continue here".to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_row_labels() {
        let range = |low, high| Some(RowRange { low, high });
        assert_eq!(parse_row_range("5"), range(5, 5));
        assert_eq!(parse_row_range("2-3"), range(2, 3));
        assert_eq!(parse_row_range("-1 to 4"), range(-1, 4));
        assert_eq!(parse_row_range("-3"), range(-3, -3));
        assert_eq!(parse_row_range("12 or more"), range(12, i64::MAX));
        assert_eq!(parse_row_range("3 or less"), range(i64::MIN, 3));
        for bad in ["", "a", "5-2", "or more", "1-x"] {
            assert_eq!(parse_row_range(bad), None, "{bad}");
        }
    }
}
