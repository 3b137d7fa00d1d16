//! Writes a table, or some of its pieces, as a scenario, with stored values but no derived values.
//!
//! The text is a normal scenario. A whole table is written with `complete = true`, so no `on_add`
//! runs at set-up, and the result is the table that was written.

use std::collections::BTreeMap;
use std::fmt::Write;

use indexmap::IndexMap;

use crate::language::grid::Grid;
use crate::language::machine::World;
use crate::language::schema::{
    AttributeStorage, Element, KindId, KindRole, OPTION_KIND, STATE_KIND, Type,
};
use crate::ruleset::Ruleset;
use crate::tabletop::{Level, PieceSetup, Scenario, Tabletop, Value};

/// The letter for areas that the scenario with which the table was set up doesn't draw.
const UNKNOWN_LETTER: char = 'o';

/// The values in the heading of the file.
pub(crate) struct ScenarioHeading<'a> {
    /// The name of the game.
    pub game: &'a str,
    pub title: &'a str,
    pub note: &'a str,
}

/// Returns a table as a scenario that states all stored values, apart from those that a new table
/// has anyway.
pub(crate) fn table_as_scenario(
    ruleset: &Ruleset,
    table: &Tabletop,
    heading: &ScenarioHeading<'_>,
) -> String {
    let mut writer = ScenarioWriter::new(ruleset, table, &|_, _| true);
    writer.write_heading("All stored data of a game, secrets included.", heading);
    writer.write_key("complete", "true");
    writer.write_walls();
    writer.write_single("option", OPTION_KIND);
    writer.write_single("state", STATE_KIND);
    writer.write_decks();
    writer.write_removed();
    writer.write_plan();
    writer.write_pieces(false);
    writer.write_ends();
    writer.text
}

/// Returns some pieces of a table as a scenario without a plan, for another game. If statements run
/// when a piece of a kind is added, all values of the kind's pieces are written, so that the
/// statements don't decide them. For other kinds, only the values that differ from the start values
/// are written.
pub(crate) fn pieces_as_scenario(
    ruleset: &Ruleset,
    table: &Tabletop,
    heading: &ScenarioHeading<'_>,
    includes: &dyn Fn(KindId, u32) -> bool,
) -> String {
    let mut writer = ScenarioWriter::new(ruleset, table, includes);
    writer.write_heading("Some pieces of a game, to be copied into another scenario.", heading);
    writer.write_pieces(true);
    writer.text
}

/// Returns a text as a TOML string. The syntax is the same as in JSON.
pub(crate) fn toml_string(words: impl AsRef<str>) -> String {
    serde_json::Value::from(words.as_ref()).to_string()
}

/// Returns a name as a TOML key, in quotes if necessary.
fn toml_key(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if name.chars().all(is_plain) { name.to_owned() } else { toml_string(name) }
}

struct ScenarioWriter<'a> {
    ruleset: &'a Ruleset,
    table: &'a Tabletop,
    /// A function that returns true for each piece to write. Values can refer only to such pieces.
    includes: &'a dyn Fn(KindId, u32) -> bool,
    /// The areas as drawn, with their letters.
    levels: Vec<Level>,
    walls: Vec<(String, String)>,
    /// The table that results from only the plan, the walls and the names of the pieces.
    bare: Tabletop,
    text: String,
}

impl<'a> ScenarioWriter<'a> {
    fn new(
        ruleset: &'a Ruleset,
        table: &'a Tabletop,
        includes: &'a dyn Fn(KindId, u32) -> bool,
    ) -> Self {
        let mut writer = ScenarioWriter {
            ruleset,
            table,
            includes,
            levels: drawn_levels(ruleset, table),
            walls: Vec::new(),
            bare: Tabletop::new(ruleset.schema.clone(), &[]),
            text: String::new(),
        };
        writer.bare = writer.bare_table();
        writer.walls = writer.find_walls();
        if !writer.walls.is_empty() {
            writer.bare = writer.bare_table();
        }
        writer
    }

    /// Returns the table that results from the plan, the walls found so far and the names of the
    /// pieces. All other values are the defaults.
    fn bare_table(&self) -> Tabletop {
        let schema = &self.ruleset.schema;
        let mut scenario = Scenario {
            levels: self.levels.clone(),
            walls: self.walls.clone(),
            ..Scenario::default()
        };
        for (kind, _) in schema.piece_kinds().filter(|(_, of)| !of.plan) {
            for row in self.table.present_pieces(kind) {
                let name = self.table.name(kind, row).to_owned();
                scenario.pieces.push(PieceSetup { kind, name, values: Vec::new() });
            }
        }
        let mut bare = Tabletop::new(schema.clone(), &[]);
        // This can't fail: all names are in use on the table, so they are valid.
        let _ = bare.set_up(&scenario);
        bare
    }

    /// Returns the pairs of areas that are adjacent on the plan but not connected, each pair once.
    fn find_walls(&self) -> Vec<(String, String)> {
        let Some(plan) = self.ruleset.schema.plan_kind() else { return Vec::new() };
        let Some(beside) = self.ruleset.schema.kind(plan).list("beside") else { return Vec::new() };
        let names = |table: &Tabletop, row: u32| -> Vec<String> {
            table.list(beside, row).iter().map(|&area| table.name(plan, area).to_owned()).collect()
        };
        let linked = |a: &str, b: &str| {
            let row = self.table.find(a).map(|(_, row)| row);
            row.is_some_and(|row| names(self.table, row).iter().any(|name| name == b))
        };
        let mut walls = Vec::new();
        for area in 0..self.bare.row_count(plan) {
            let name = self.bare.name(plan, area);
            for other in names(&self.bare, area) {
                let later = self.bare.find(&other).is_some_and(|(_, row)| row > area);
                if later && !linked(name, &other) && !linked(&other, name) {
                    walls.push((name.to_owned(), other));
                }
            }
        }
        walls
    }

    /// Returns a single value in TOML syntax. A reference to a piece that isn't written becomes
    /// `none`.
    fn written_single(&self, table: &Tabletop, ty: Type, value: i64) -> String {
        if let Type::Piece(kind) = ty
            && self.ruleset.schema.kind(kind).role == KindRole::Pieces
        {
            let row = u32::try_from(value).ok().filter(|&row| self.is_written(table, kind, row));
            return toml_string(row.map_or("none", |row| table.name(kind, row)));
        }
        match table.to_value(ty, value) {
            Value::Flag(flag) => flag.to_string(),
            Value::Whole(n) => n.to_string(),
            Value::Text(words) => toml_string(words),
            Value::Nothing => toml_string("none"),
        }
    }

    /// Returns the members of a list in TOML syntax, except pieces that aren't written.
    fn written_members(&self, table: &Tabletop, element: Element, members: &[u32]) -> String {
        let is_gone = |member: u32| match element {
            Element::Piece(kind) if self.ruleset.schema.kind(kind).role == KindRole::Pieces => {
                !self.is_written(table, kind, member)
            }
            Element::Piece(_) | Element::Word(_) | Element::Whole | Element::Any => false,
        };
        let written = members
            .iter()
            .filter(|&&member| !is_gone(member))
            .map(|&member| self.written_single(table, element.member_type(), i64::from(member)));
        format!("[{}]", written.collect::<Vec<_>>().join(", "))
    }

    /// Returns true if a piece is on the table and is written, so that values can refer to it.
    fn is_written(&self, table: &Tabletop, kind: KindId, row: u32) -> bool {
        let found = self.table.find(table.name(kind, row));
        table.is_on_table(kind, row) && found.is_some_and(|(of, piece)| (self.includes)(of, piece))
    }

    /// Returns the value of an attribute in TOML syntax; `None` if it is derived.
    fn written_value(
        &self,
        table: &Tabletop,
        kind: KindId,
        row: u32,
        attribute: usize,
    ) -> Option<String> {
        let attribute = self.ruleset.schema.kind(kind).attributes.get(attribute)?;
        match (attribute.storage, attribute.ty) {
            (AttributeStorage::Cell(column), ty) => {
                Some(self.written_single(table, ty, table.get(column, row)))
            }
            (AttributeStorage::List(list), Type::List(element)) => {
                Some(self.written_members(table, element, table.list(list, row)))
            }
            (AttributeStorage::List(_) | AttributeStorage::Computed(_), _) => None,
        }
    }

    /// Returns the values of a piece that must be written, each with its key. These are the values
    /// that differ from those in `usual`, which are written elsewhere, or, for all other
    /// attributes, from those in the bare table. If `all` is true, returns all stored values.
    fn differing_values(
        &self,
        kind: KindId,
        row: u32,
        usual: &BTreeMap<usize, String>,
        all: bool,
    ) -> Vec<String> {
        let name = self.table.name(kind, row);
        let bare = match self.ruleset.schema.kind(kind).role {
            KindRole::Pieces => self.bare.find(name).map(|(_, found)| found),
            KindRole::List | KindRole::Single => Some(row),
        };
        let attributes = &self.ruleset.schema.kind(kind).attributes;
        let mut values = Vec::new();
        for (index, attribute) in attributes.iter().enumerate() {
            let Some(value) = self.written_value(self.table, kind, row, index) else { continue };
            let unwritten = match usual.get(&index) {
                Some(usual) => Some(usual.clone()),
                None => bare.and_then(|bare| self.written_value(&self.bare, kind, bare, index)),
            };
            if all || unwritten.as_ref() != Some(&value) {
                values.push(format!("{} = {value}", toml_key(&attribute.name)));
            }
        }
        values
    }

    fn write_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn write_key(&mut self, key: &str, value: &str) {
        _ = writeln!(self.text, "{key} = {value}");
    }

    /// Writes a key with a list. If the list is longer than 100 bytes, each member has its own
    /// line.
    fn write_list(&mut self, key: &str, members: &[String]) {
        let row = members.join(", ");
        if row.len() <= 100 {
            return self.write_key(key, &format!("[{row}]"));
        }
        self.write_key(key, &format!("[\n  {},\n]", members.join(",\n  ")));
    }

    fn write_heading(&mut self, about: &str, heading: &ScenarioHeading<'_>) {
        self.write_line(&format!("# {about}"));
        self.write_key("game", &toml_string(heading.game));
        self.write_key("title", &toml_string(heading.title));
        if !heading.note.is_empty() {
            self.write_key("note", &toml_string(heading.note));
        }
    }

    fn write_walls(&mut self) {
        if !self.walls.is_empty() {
            let walls = self.walls.iter().map(|(a, b)| toml_string(format!("{a}|{b}")));
            let walls: Vec<String> = walls.collect();
            self.write_list("walls", &walls);
        }
    }

    /// Writes the values of the options or the state that differ from the defaults, if any.
    fn write_single(&mut self, section: &str, kind: KindId) {
        let values = self.differing_values(kind, 0, &BTreeMap::new(), false);
        if !values.is_empty() {
            self.write_line(&format!("\n[{section}]\n{}", values.join("\n")));
        }
    }

    fn write_decks(&mut self) {
        let mut head = Some("\n[deck]");
        for deck in &self.ruleset.schema.decks {
            let ty = Type::Piece(deck.of);
            let cards = self.table.list(deck.list, 0).iter();
            let cards = cards.map(|&card| self.written_single(self.table, ty, i64::from(card)));
            let cards: Vec<String> = cards.collect();
            if !cards.is_empty() {
                head.take().into_iter().for_each(|head| self.write_line(head));
                self.write_list(&toml_key(&deck.name), &cards);
            }
        }
    }

    fn write_removed(&mut self) {
        let mut head = Some("\n[removed]");
        for (kind, of) in self.ruleset.schema.piece_kinds() {
            let rows = 0..self.table.row_count(kind);
            let gone = rows.filter(|&row| !self.table.is_on_table(kind, row));
            let gone: Vec<String> =
                gone.map(|row| toml_string(self.table.name(kind, row))).collect();
            if !gone.is_empty() {
                head.take().into_iter().for_each(|head| self.write_line(head));
                self.write_list(&toml_key(&of.name), &gone);
            }
        }
    }

    /// Writes the legend, the levels, and the areas that differ from the legend. Writes nothing if
    /// the table has no areas.
    fn write_plan(&mut self) {
        let Some(plan) = self.ruleset.schema.plan_kind() else { return };
        if self.levels.is_empty() {
            return;
        }
        let kind = self.ruleset.schema.kind(plan);
        let mut rows_by_letter: IndexMap<char, Vec<u32>> = IndexMap::new();
        let areas = self.levels.iter().flat_map(|level| &level.areas);
        for (row, (_, _, letter)) in areas.enumerate() {
            rows_by_letter.entry(*letter).or_default().push(row as u32);
        }
        let mut legend = String::from("\n[legend]\n");
        let mut exceptions: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (letter, rows) in &rows_by_letter {
            let mut usual: BTreeMap<usize, String> = BTreeMap::new();
            for (index, attribute) in kind.attributes.iter().enumerate() {
                if !attribute.fixed
                    && let Some(value) = self.most_common(plan, rows, index)
                {
                    usual.insert(index, value);
                }
            }
            let values = usual.iter().map(|(&index, value)| {
                format!("{} = {value}", toml_key(&kind.attributes[index].name))
            });
            let values = values.collect::<Vec<_>>().join(", ");
            _ = writeln!(legend, "{} = {{ {values} }}", toml_string(letter.to_string()));
            for &row in rows {
                exceptions.insert(row, self.differing_values(plan, row, &usual, false));
            }
        }
        self.text.push_str(&legend);
        for index in 0..self.levels.len() {
            self.write_level(index, kind.grid);
        }
        exceptions.retain(|_, values| !values.is_empty());
        if !exceptions.is_empty() {
            self.write_line(&format!("\n[pieces.{}]", toml_key(&kind.name)));
        }
        for (row, values) in exceptions {
            let name = toml_key(self.table.name(plan, row));
            self.write_key(&name, &format!("{{ {} }}", values.join(", ")));
        }
    }

    /// Returns the most frequent value of an attribute among some areas; `None` if it is the
    /// default, or if the attribute is computed.
    fn most_common(&self, kind: KindId, rows: &[u32], attribute: usize) -> Option<String> {
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        for &row in rows {
            let value = self.written_value(self.table, kind, row, attribute)?;
            *counts.entry(value).or_default() += 1;
        }
        // Of several equally common values, the first is used.
        let (value, _) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let bare = self.written_value(&self.bare, kind, *rows.first()?, attribute);
        (bare.as_ref() != Some(&value)).then_some(value)
    }

    fn write_level(&mut self, index: usize, grid: Grid) {
        let level = self.levels[index].clone();
        let is_by_rows = level.areas.is_sorted_by_key(|&(column, row, _)| (row, column));
        // The areas are in the order in which they were drawn, which shows the form of the drawing.
        let is_spaced = grid.is_hexes() && !is_by_rows;
        let mut drawing: BTreeMap<usize, BTreeMap<usize, char>> = BTreeMap::new();
        for (column, row, letter) in level.areas {
            let (across, down) =
                if is_spaced { grid.text_position(column, row) } else { (column, row) };
            drawing.entry(down).or_default().insert(across, letter);
        }
        let last = drawing.keys().last().copied().unwrap_or(0);
        let gap = if is_spaced { ' ' } else { '.' };
        self.write_line(&format!("\n[[level]]\nnumber = {}\nplan = \"\"\"", level.number));
        for down in 0..=last {
            let letters = drawing.get(&down);
            let end = letters.and_then(|letters| letters.keys().last()).map_or(0, |end| end + 1);
            // A line of hexes side by side has at least two positions, or else it would be read as
            // spaced.
            let width = if is_spaced { end } else { end.max(2) };
            let letter = |across| letters.and_then(|letters| letters.get(&across)).unwrap_or(&gap);
            let line: String = (0..width).map(letter).collect();
            self.write_line(&line.replace('\\', "\\\\").replace('"', "\\\""));
        }
        self.write_line("\"\"\"");
    }

    /// Writes the pieces to be included, of all kinds except the areas, in order. Only the values
    /// that differ from the bare table are written. If `all` is true, all stored values are written
    /// for kinds with statements that run when a piece is added.
    fn write_pieces(&mut self, all: bool) {
        for (kind, of) in self.ruleset.schema.piece_kinds().filter(|(_, of)| !of.plan) {
            let rows = self.table.present_pieces(kind).filter(|&row| (self.includes)(kind, row));
            let rows: Vec<u32> = rows.collect();
            if rows.is_empty() {
                continue;
            }
            self.write_line(&format!("\n[pieces.{}]", toml_key(&of.name)));
            for row in rows {
                let all = all && of.set_out_hooks().next().is_some();
                let values = self.differing_values(kind, row, &BTreeMap::new(), all);
                let name = toml_key(self.table.name(kind, row));
                let values = match values.as_slice() {
                    [] => "{}".to_owned(),
                    values => format!("{{ {} }}", values.join(", ")),
                };
                self.write_key(&name, &values);
            }
        }
    }

    /// Writes the ends that belong only to the table's scenario.
    fn write_ends(&mut self) {
        let scenario = self.table.scenario();
        for end in &self.ruleset.ends {
            if !end.scenario.is_empty() && end.scenario == scenario {
                self.write_line("\n[[end]]");
                for (key, words) in &end.written {
                    self.write_key(key, &toml_string(words));
                }
            }
        }
    }
}

/// Returns the areas of a table, level by level, each with its letter in the drawing of the table's
/// scenario.
fn drawn_levels(ruleset: &Ruleset, table: &Tabletop) -> Vec<Level> {
    let schema = &ruleset.schema;
    let Some(plan) = schema.plan_kind() else { return Vec::new() };
    let mut letters = BTreeMap::new();
    for level in ruleset.scenario(table.scenario()).map_or(&[][..], |s| &s.levels) {
        for &(column, row, letter) in &level.areas {
            letters.insert((level.number, row, column), letter);
        }
    }
    let columns = ["column", "row", "level"].map(|name| schema.kind(plan).column(name));
    let mut levels: Vec<Level> = Vec::new();
    for area in 0..table.row_count(plan) {
        let [column, row, number] =
            columns.map(|column| column.map_or(0, |column| table.get(column, area)));
        let index = |n: i64| usize::try_from(n - 1).unwrap_or(0);
        let seat = (number, index(row), index(column));
        let letter = letters.get(&seat).copied().unwrap_or(UNKNOWN_LETTER);
        let drawn = (index(column), index(row), letter);
        match levels.last_mut().filter(|level| level.number == number) {
            Some(level) => level.areas.push(drawn),
            None => levels.push(Level { number, areas: vec![drawn] }),
        }
    }
    levels
}
