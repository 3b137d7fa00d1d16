//! Reads the rows of printed lists. Rows are written out or combined from sets of words.

use std::collections::BTreeMap;

use toml::de::DeValue;

use crate::diagnostic::Declaration;
use crate::language::schema::{AttributeStorage, ColumnId, KindId, ListRow, Type};
use crate::language::syntax::Name;
use crate::ruleset::declare::new_attribute;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::raw::{Section, TomlNode};
use crate::tabletop::Argument;

/// The maximum number of rows in a printed list.
const MAX_ROWS: usize = 10_000;

impl Loader<'_> {
    /// Declares an attribute for each key of `every`, as in `every = { suit = "suit", rank = "rank"
    /// }`, unless the list already has the attribute. The value of the key is the set of words.
    pub(super) fn declare_combined_attributes(&mut self, id: KindId, section: &Section<'_>) {
        let list = Declaration::Name(self.schema.kind(id).name.clone());
        let every = self.with_spoiled(&list, |l| section.table("every", &mut l.r));
        let Some(every) = every else { return };
        for (name, value) in every.entries() {
            let Some(set) = self.r.prose(*value) else { continue };
            let Some(words) = self.schema.words_named(&set) else {
                let message = format!("there is no set of words `{set}`");
                let fault = self.r.error("unknown-words", value.span, message);
                fault.spoils.push(list.clone());
                fault.derived_from.push(Declaration::Name(set));
                continue;
            };
            if self.schema.kind(id).attribute(&name.text).is_none() {
                self.add_attribute(id, new_attribute(&name.text, Type::Word(words), name.span));
            }
        }
    }

    /// Reads the rows of all lists. The names of all rows are read first, because rows may point to
    /// rows of other lists.
    pub(super) fn read_lists(&mut self, entries: &[NamedTable<'_>]) {
        let lists = || entries.iter().filter(|e| e.section == "list");
        lists().for_each(|entry| self.declare_rows(entry));
        lists().for_each(|entry| self.fill_rows(entry));
    }

    fn find_list_section<'e>(&mut self, entry: &NamedTable<'e>) -> Option<(KindId, Section<'e>)> {
        let id = self.schema.kind_named(&entry.name.text)?;
        (self.schema.kind(id).span == entry.name.span).then_some(())?;
        let section = self.r.section(format!("the list `{}`", entry.name.text), entry.node)?;
        Some((id, section))
    }

    fn declare_rows(&mut self, entry: &NamedTable<'_>) {
        let Some((id, section)) = self.find_list_section(entry) else { return };
        let mut rows: Vec<ListRow> = Vec::new();
        let empty = |name| ListRow { name, values: BTreeMap::new(), lists: BTreeMap::new() };
        if let Some(node) = section.get("every") {
            rows = self.read_combinations(id, node);
        }
        if let Some(table) = section.table("rows", &mut self.r) {
            for (name, _) in table.entries() {
                let cause = Declaration::Name(name.text.clone());
                if self.with_spoiled(&cause, |l| l.r.check_name(name, "a row")) {
                    rows.push(empty(name.text.clone()));
                }
            }
        }
        if rows.is_empty() {
            let message = format!("the list `{}` has no rows", entry.name.text);
            let help = format!("write a table `[list.{}.rows]`", entry.name.text);
            let fault = self.r.error_with_help("missing-key", entry.name.span, message, help);
            fault.spoils.push(Declaration::Name(entry.name.text.clone()));
        }
        if rows.len() > MAX_ROWS {
            let message = format!(
                "the list `{}` has {} rows; the limit is {MAX_ROWS}",
                entry.name.text,
                rows.len()
            );
            self.r.error("too-large", entry.name.span, message);
            rows.truncate(MAX_ROWS);
        }
        self.schema.kinds[id.index()].rows = rows.into_iter().collect();
    }

    /// Returns a row for each combination of words, such as `ten-clubs`, with the title `10♣` if
    /// the sets have marks; reports a fault and returns no rows if there are too many.
    fn read_combinations(&mut self, id: KindId, node: TomlNode<'_>) -> Vec<ListRow> {
        let Some(every) = self.r.section("`every`", node) else { return Vec::new() };
        let mut rows = vec![(String::new(), String::new(), BTreeMap::<ColumnId, i64>::new())];
        for (name, _) in every.entries() {
            let Some(found) = self.schema.kind(id).attribute(&name.text) else { continue };
            let (Type::Word(set), AttributeStorage::Cell(column)) = (found.ty, found.storage)
            else {
                continue;
            };
            let set = self.schema.word_set(set);
            if rows.len() * set.values.len() > MAX_ROWS {
                let message = format!("this makes more than {MAX_ROWS} rows");
                self.r.error("too-large", node.span, message);
                return Vec::new();
            }
            let longer = rows.iter().flat_map(|(stem, title, values)| {
                set.values.iter().enumerate().map(move |(n, word)| {
                    let hyphen = if stem.is_empty() { "" } else { "-" };
                    let mark = set.marks.get(n).map_or("", String::as_str);
                    let mut values = values.clone();
                    values.insert(column, n as i64);
                    (format!("{word}{hyphen}{stem}"), format!("{mark}{title}"), values)
                })
            });
            rows = longer.collect();
        }
        let title_column = self.schema.kind(id).title_column();
        let mut made = Vec::new();
        for (name, title, mut values) in rows {
            if let (Some(column), false) = (title_column, title.is_empty()) {
                self.schema.texts.push(title);
                values.insert(column, self.schema.texts.len() as i64 - 1);
            }
            made.push(ListRow { name, values, lists: BTreeMap::new() });
        }
        made
    }

    fn fill_rows(&mut self, entry: &NamedTable<'_>) {
        let Some((id, section)) = self.find_list_section(entry) else { return };
        let before = self.r.faults.len();
        let columns: Vec<Name> = section
            .array("columns", &mut self.r)
            .into_iter()
            .filter_map(|node| self.r.name(node))
            .collect();
        // Unless all column headings could be read, it isn't clear which value belongs to which
        // column.
        if self.r.faults.len() > before {
            return;
        }
        for column in &columns {
            self.find_attribute(id, column);
        }
        let Some(table) = section.table("rows", &mut self.r) else { return };
        for (name, node) in table.entries() {
            let Some(row) = self.schema.kind(id).row(&name.text) else { continue };
            let cells: Vec<(Name, TomlNode<'_>)> = match node.value {
                DeValue::Array(_) => {
                    let Some(items) = self.read_row_values(name, *node, columns.len()) else {
                        continue;
                    };
                    let cell =
                        |heading: &Name, n: TomlNode<'_>| Name { span: n.span, ..heading.clone() };
                    columns.iter().zip(items).map(|(c, n)| (cell(c, n), n)).collect()
                }
                _ => match self.r.section("the row", *node) {
                    Some(named) => named.entries().to_vec(),
                    None => continue,
                },
            };
            for (column, value) in cells {
                self.fill_cell(id, row, &column, value);
            }
        }
    }

    fn fill_cell(&mut self, id: KindId, row: u32, column: &Name, node: TomlNode<'_>) {
        let Some(index) = self.find_attribute(id, column) else { return };
        let found = self.schema.kind(id).attributes[index].clone();
        let Some(given) = self.read_value(&found, node) else { return };
        let value = match given {
            Argument::Value(n) => n,
            Argument::Text(words) => {
                self.schema.texts.push(words);
                self.schema.texts.len() as i64 - 1
            }
            Argument::Members(members) => {
                if let AttributeStorage::List(list) = found.storage {
                    let row = &mut self.schema.kinds[id.index()].rows[row as usize];
                    row.lists.insert(list, members);
                }
                return;
            }
            Argument::Named(_) => {
                let message = "a printed list cannot point to pieces on the table";
                self.r.error("wrong-type", node.span, message);
                return;
            }
        };
        if let AttributeStorage::Cell(cell) = found.storage {
            self.schema.kinds[id.index()].rows[row as usize].values.insert(cell, value);
        }
    }
}
