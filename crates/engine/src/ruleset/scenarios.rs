//! Reads scenarios, including the drawn plan, its legend and the pieces.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::diagnostic::{Declaration, Diagnostic, Severity};
use crate::language::code::Program;
use crate::language::compile;
use crate::language::grid::Grid;
use crate::language::schema::{
    CodeUnit, Element, KindId, KindRole, OPTION_KIND, STATE_KIND, Schema, Type,
};
use crate::language::syntax::{Name, Statements};
use crate::ruleset::format::forms;
use crate::ruleset::loader::{LoadExtent, Loader, NamedTable};
use crate::ruleset::raw::{Section, TomlNode};
use crate::source::Span;
use crate::tabletop;
use crate::tabletop::{Argument, Level, MAX_AREAS, PieceSetup, Scenario, Tabletop, TourLine};

/// Returns true if the hexes of a drawing are separated, that is, if no two characters other than
/// spaces are adjacent on a line.
fn has_spaced_hexes(text: &str) -> bool {
    let blank = |c: char| c.is_control() || c == ' ';
    let mut pairs = text.chars().zip(text.chars().skip(1));
    !pairs.any(|(one, two)| !blank(one) && !blank(two))
}

/// A scenario whose rule text has not been compiled yet.
pub(super) struct ScenarioDraft {
    pub scenario: Scenario,
    /// The statements of its `begin`, if any, and the pieces that they can name.
    begin: Option<(Statements, ScenarioPieces)>,
    span: Span,
}

/// The pieces and areas of a scenario, by name, each with its kind.
struct ScenarioPieces {
    scenario: String,
    kinds: BTreeMap<String, KindId>,
}

impl Loader<'_> {
    pub(super) fn read_scenarios(
        &mut self,
        entries: &[NamedTable<'_>],
        files: &[(String, Section<'_>)],
    ) -> Vec<ScenarioDraft> {
        let mut drafts = Vec::new();
        for (name, section) in files {
            drafts.extend(self.read_scenario(name, section));
        }
        for entry in entries.iter().filter(|e| e.section == "scenario") {
            if self.is_at_limit(drafts.len(), "scenarios", entry.name.span) {
                break;
            }
            let what = format!("the scenario `{}`", entry.name.text);
            if let Some(section) = self.r.section(what, entry.node) {
                drafts.extend(self.read_scenario(&entry.name.text, &section));
            }
        }
        drafts
    }

    fn read_scenario(&mut self, name: &str, section: &Section<'_>) -> Option<ScenarioDraft> {
        section.prose("game", &mut self.r);
        let mut scenario = Scenario {
            name: name.to_owned(),
            title: section.title(name, &mut self.r),
            note: section.prose("note", &mut self.r),
            background: section.prose("background", &mut self.r),
            hidden: section.flag("hidden", &mut self.r),
            complete: section.flag("complete", &mut self.r),
            turns: section.whole_number("turns", &mut self.r),
            ..Scenario::default()
        };
        let mut known = ScenarioPieces { scenario: name.to_owned(), kinds: BTreeMap::new() };
        let plan = Declaration::Plan(name.to_owned());
        self.with_spoiled(&plan, |l| l.read_levels(section, &mut scenario, &mut known));
        let pieces = section.table("pieces", &mut self.r);
        let pieces = pieces.map(|s| self.declare_pieces(&s, &mut known)).unwrap_or_default();
        self.read_legend(section, &mut scenario, &known);
        self.read_removed(section, &mut scenario, &known);
        self.read_deck_contents(section, &mut scenario, &known);
        self.read_walls(section, &mut scenario, &known);
        self.read_places(section, &mut scenario, &known);
        [scenario.options, scenario.state] =
            [("option", OPTION_KIND), ("state", STATE_KIND)].map(|single| {
                let given = section.table(single.0, &mut self.r);
                given.map(|given| self.read_values(single.1, &given, &known)).unwrap_or_default()
            });
        for (kind, piece, node) in pieces {
            let what = format!("`{}`", piece.text);
            let Some(values) = self.r.section(what, node) else { continue };
            let values = self.read_values(kind, &values, &known);
            scenario.pieces.push(PieceSetup { kind, name: piece.text, values });
        }
        if let Some(node) = section.get("end") {
            let ends = self.tables_of_section(node);
            self.read_ends(ends, name);
        }
        let tour = section.array("tour", &mut self.r);
        scenario.tour = self.read_tables(tour, "a line of the tour", &forms::TOUR, |l, step| {
            let line = step.prose("line", &mut l.r);
            let says = step.prose("says", &mut l.r);
            Some(TourLine { line, says })
        });
        let begin = section.get("begin").is_some().then(|| self.read_statements(section, "begin"));
        section.check_keys(&forms::SCENARIO, &mut self.r);
        let begin = begin.map(|block| (block, known));
        Some(ScenarioDraft { scenario, begin, span: section.span })
    }

    fn read_levels(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &mut ScenarioPieces,
    ) {
        let nodes = section.array("level", &mut self.r);
        let Some(plan) = self.schema.plan_kind() else {
            if let Some(node) = nodes.first() {
                let message = "this game has no kind with a drawn plan";
                let help = "write `plan = true` in the kind whose pieces are the areas";
                let fault = self.r.error_with_help("no-plan", node.span, message, help);
                fault.derived_from.push(Declaration::File);
            }
            return;
        };
        let mut next = 0;
        for node in nodes {
            let Some(level) = self.r.section("the level", node) else { continue };
            let number = level.whole_number("number", &mut self.r).unwrap_or(next);
            next = number + 1;
            if !(-9..=99).contains(&number) {
                self.r.error("out-of-range", node.span, "level numbers must be from -9 to 99");
                continue;
            }
            let text = level.text("plan", &mut self.r);
            level.prose("title", &mut self.r);
            level.check_keys(&forms::LEVEL, &mut self.r);
            let Some(text) = text else { continue };
            if scenario.levels.iter().any(|l| l.number == number) {
                self.r.error("twice", node.span, format!("level {number} is drawn twice"));
                continue;
            }
            let mut areas = Vec::new();
            let before: usize = scenario.levels.iter().map(|l| l.areas.len()).sum();
            let grid = self.schema.kind(plan).grid;
            let apart = grid.is_hexes() && has_spaced_hexes(&text.value);
            for (down, line) in text.value.trim_end_matches('\n').lines().enumerate() {
                for (across, letter) in line.chars().enumerate() {
                    if letter.is_control() || letter == ' ' || letter == '.' {
                        continue;
                    }
                    let index = if apart {
                        grid.hex_at_text_position(across, down)
                    } else {
                        Some((across, down))
                    };
                    let Some((column, row)) = index else {
                        let start = line.as_ptr() as usize - text.value.as_ptr() as usize;
                        self.report_hex_between(grid, text.map.span(start..start + line.len()));
                        break;
                    };
                    if before + areas.len() <= MAX_AREAS {
                        known.kinds.insert(tabletop::area_name(column, row, number), plan);
                        areas.push((column, row, letter));
                    }
                }
            }
            if before + areas.len() > MAX_AREAS {
                let message = format!("a plan has at most {MAX_AREAS} areas");
                self.r.error("too-large", text.span, message);
                continue;
            }
            areas.shrink_to_fit();
            scenario.levels.push(Level { number, areas });
        }
    }

    /// Reports a line of a hex plan on which a hex is drawn between two positions.
    fn report_hex_between(&mut self, grid: Grid, span: Span) {
        let message = "a hex on this line is between two columns";
        let help = match grid {
            Grid::HexFlat => "if hexes are separated, every second line has columns b, d, f …",
            Grid::Square | Grid::Hex => {
                "if hexes are separated, every second line begins one column further right"
            }
        };
        self.r.error_with_help("uneven-hexes", span, message, help);
    }

    fn read_legend(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &ScenarioPieces,
    ) {
        let legend = section.table("legend", &mut self.r);
        let areas = scenario.levels.iter().flat_map(|l| &l.areas);
        let mut drawn: Vec<char> = areas.map(|(_, _, letter)| *letter).collect();
        drawn.sort_unstable();
        drawn.dedup();
        let mut lines = Vec::new();
        if let (Some(legend), Some(plan)) = (legend, self.schema.plan_kind()) {
            for (name, node) in legend.entries() {
                let mut letters = name.text.chars();
                let (Some(letter), None) = (letters.next(), letters.next()) else {
                    let message = "a letter of the legend must be a single character";
                    self.r.error("bad-legend", name.span, message);
                    continue;
                };
                if !drawn.contains(&letter) {
                    let message = format!("the letter `{letter}` does not appear in the plan");
                    self.r.push(Diagnostic::warning("unused-letter", name.span, message));
                }
                if let Some(values) = self.r.section(format!("the letter `{letter}`"), *node) {
                    lines.push((letter, self.read_values(plan, &values, known)));
                }
            }
        }
        for letter in drawn.iter().filter(|drawn| !lines.iter().any(|(named, _)| named == *drawn)) {
            let message = format!("the letter `{}` is not in the legend", letter.escape_debug());
            let help = "add it to `[legend]`, or draw a space or `.` if there is no area here";
            self.r.error_with_help("unknown-letter", section.key_span("level"), message, help);
        }
        scenario.legend = lines;
    }

    fn read_walls(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &ScenarioPieces,
    ) {
        for node in section.array("walls", &mut self.r) {
            let Some(text) = self.r.prose(node) else { continue };
            let pair =
                text.split_once('|').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()));
            let Some((a, b)) = pair else {
                let message = "expected two areas with `|` between them";
                self.r.error_with_help("bad-wall", node.span, message, "write `\"b2|b3\"`");
                continue;
            };
            for name in [&a, &b] {
                if !known.kinds.contains_key(name) {
                    self.report_unknown_piece(name, node.span, known);
                }
            }
            scenario.walls.push((a, b));
        }
    }

    /// Reads the names of parts of the plan, such as `"the mill" = "b2 c2-d3"`. `b2` means the
    /// areas of this square on all levels, and `b2.1` means only the area on level 1. Only the
    /// first mistake in each place is reported, and the rest of the place is not read.
    fn read_places(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &ScenarioPieces,
    ) {
        let Some(places) = section.table("places", &mut self.r) else { return };
        let areas: Vec<(usize, usize, i64)> = scenario
            .levels
            .iter()
            .flat_map(|level| {
                level.areas.iter().map(|&(across, down, _)| (across, down, level.number))
            })
            .collect();
        let squares: HashMap<String, (usize, usize)> = areas
            .iter()
            .map(|&(across, down, _)| (tabletop::area_name(across, down, 0), (across, down)))
            .collect();
        let plan = self.schema.plan_kind();
        let mut named = HashSet::new();
        for (place, node) in places.entries() {
            let Some(text) = self.r.prose(*node) else { continue };
            let mut members = Vec::new();
            for part in text.split(|c: char| c == ',' || c.is_whitespace()) {
                let is_on_level = part.contains('.') && known.kinds.get(part).copied() == plan;
                let (from, to) = part.split_once('-').unwrap_or((part, part));
                let within = match (squares.get(from), squares.get(to)) {
                    _ if part.is_empty() => continue,
                    _ if is_on_level => vec![part.to_owned()],
                    (Some(a), Some(b)) => areas_within(&areas, *a, *b),
                    (corner, _) => {
                        let missing = if corner.is_none() { from } else { to };
                        if known.kinds.contains_key(missing) {
                            let message = format!("`{missing}` isn't an area of the plan");
                            self.r.error("unknown-piece", node.span, message);
                        } else {
                            self.report_unknown_piece(missing, node.span, known);
                        }
                        break;
                    }
                };
                if let Some(twice) = within.iter().find(|area| !named.insert(String::clone(area))) {
                    let message = format!("`{twice}` appears twice in `places`");
                    self.r.error("twice", node.span, message);
                    break;
                }
                members.extend(within);
            }
            scenario.places.push((place.text.clone(), members));
        }
    }

    /// Reads the names of the pieces that have left the table, by kind.
    fn read_removed(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &ScenarioPieces,
    ) {
        let Some(removed) = section.table("removed", &mut self.r) else { return };
        for (kind_name, names) in removed.entries() {
            let Some(kind) = self.find_piece_kind(kind_name) else { continue };
            let plan = self.schema.kind(kind).plan;
            for node in self.r.array(*names).unwrap_or_default() {
                let Some(name) = self.r.prose(node) else { continue };
                if plan && known.kinds.get(&name) != Some(&kind) {
                    self.report_unknown_piece(&name, node.span, known);
                } else if let Err(reason) = tabletop::check_name(&name) {
                    self.r.error("bad-name", node.span, reason.to_string());
                } else {
                    scenario.removed.push((kind, name));
                }
            }
        }
    }

    /// Reads the cards that are in the decks.
    fn read_deck_contents(
        &mut self,
        section: &Section<'_>,
        scenario: &mut Scenario,
        known: &ScenarioPieces,
    ) {
        let Some(decks) = section.table("deck", &mut self.r) else { return };
        for (name, node) in decks.entries() {
            let Some(deck) = self.schema.deck_named(&name.text) else {
                let known_decks = self.schema.decks.iter().map(|deck| deck.name.as_str());
                self.r.report_no_such("unknown-deck", "deck", name, known_decks);
                continue;
            };
            let deck = self.schema.decks[deck.index()].clone();
            let ty = Type::List(Element::Piece(deck.of));
            let cards = crate::ruleset::declare::new_attribute(&deck.name, ty, name.span);
            let Some(given) = self.read_value(&cards, *node) else { continue };
            self.check_references(&ty, &given, node.span, known);
            scenario.decks.push((deck.list, given));
        }
    }

    /// Returns the kind of piece with this name, or reports a fault and returns `None`.
    fn find_piece_kind(&mut self, name: &Name) -> Option<KindId> {
        let kind = self.schema.kind_named(&name.text);
        let kind = kind.filter(|&kind| self.schema.kind(kind).role == KindRole::Pieces);
        if kind.is_none() {
            let kinds = self.schema.piece_kinds().map(|(_, k)| k.name.as_str());
            self.r.report_no_such("unknown-kind", "kind of piece", name, kinds);
        }
        kind
    }

    /// Reads the names of all pieces, and of the areas that have their own values. Names with
    /// faults are reported and left out.
    fn declare_pieces<'a>(
        &mut self,
        section: &Section<'a>,
        known: &mut ScenarioPieces,
    ) -> Vec<(KindId, Name, TomlNode<'a>)> {
        let mut found: Vec<(KindId, Name, TomlNode<'a>)> = Vec::new();
        for (kind_name, node) in section.entries() {
            let kind = self.schema.kind_named(&kind_name.text);
            let Some(kind) = kind.filter(|&k| self.schema.kind(k).role == KindRole::Pieces) else {
                let kinds = self.schema.piece_kinds().map(|(_, k)| k.name.as_str());
                let fault =
                    self.r.report_no_such("unknown-kind", "kind of piece", kind_name, kinds);
                if let toml::de::DeValue::Table(pieces) = node.value {
                    let names = pieces.keys().map(|name| name.get_ref().to_string());
                    fault.spoils.extend(names.map(Declaration::Piece));
                }
                continue;
            };
            let Some(table) = self.r.section(format!("the pieces `{}`", kind_name.text), *node)
            else {
                continue;
            };
            let plan = self.schema.kind(kind).plan;
            for (name, piece) in table.entries() {
                if let Err(reason) = tabletop::check_name(&name.text) {
                    let fault = self.r.error("bad-name", name.span, reason.to_string());
                    fault.spoils.push(Declaration::Piece(name.text.clone()));
                    continue;
                }
                let there = known.kinds.get(&name.text).copied();
                if plan && there.is_none() {
                    self.report_unknown_piece(&name.text, name.span, known);
                    continue;
                }
                let first = there.filter(|_| !plan).map(|_| {
                    let first = found.iter().find(|(_, other, _)| other.text == name.text);
                    first.map_or(Span::default(), |(_, other, _)| other.span)
                });
                let built_in = "an area of the plan has this name; choose another";
                if self.r.is_taken(name, first, built_in) {
                    continue;
                }
                known.kinds.insert(name.text.clone(), kind);
                found.push((kind, name.clone(), *piece));
            }
        }
        found
    }

    fn report_unknown_piece(&mut self, name: &str, span: Span, known: &ScenarioPieces) {
        let message = format!("there is no `{}` in this scenario", name.escape_debug());
        let near = crate::names::nearest(name, known.kinds.keys().map(String::as_str));
        let fault = self.r.error("unknown-piece", span, message);
        fault.help = near.map(|near| format!("did you mean `{near}`?"));
        fault.derived_from =
            vec![Declaration::Piece(name.to_owned()), Declaration::Plan(known.scenario.clone())];
    }

    /// Reads the values given to the attributes of a kind. Values with faults are reported and left
    /// out.
    fn read_values(
        &mut self,
        kind: KindId,
        section: &Section<'_>,
        known: &ScenarioPieces,
    ) -> Vec<(usize, Argument)> {
        let mut values = Vec::new();
        for (name, node) in section.entries() {
            let Some(index) = self.find_attribute(kind, name) else { continue };
            let attribute = self.schema.kind(kind).attributes[index].clone();
            let Some(given) = self.read_value(&attribute, *node) else { continue };
            self.check_references(&attribute.ty, &given, node.span, known);
            values.push((index, given));
        }
        values
    }

    fn check_references(
        &mut self,
        ty: &Type,
        given: &Argument,
        span: Span,
        known: &ScenarioPieces,
    ) {
        let (Type::Piece(wanted) | Type::List(Element::Piece(wanted))) = *ty else { return };
        let Argument::Named(names) = given else { return };
        for name in names {
            match known.kinds.get(name) {
                None => self.report_unknown_piece(name, span, known),
                Some(&kind) if kind != wanted => {
                    let is = &self.schema.kind(kind).name;
                    let should = &self.schema.kind(wanted).name;
                    let message = format!(
                        "expected a piece of the kind `{should}`, but `{name}` is of the kind `{is}`"
                    );
                    self.r.error("wrong-type", span, message);
                }
                Some(_) => {}
            }
        }
    }

    /// Sets up the scenarios as a test, unless the ruleset has errors, and compiles the `begin` of
    /// each with the names of the pieces on its table. If the ruleset is loaded only for play, only
    /// the scenarios that have `begin` are set up.
    pub(super) fn compile_scenarios(
        &mut self,
        schema: &Arc<Schema>,
        mut program: Program,
        drafts: Vec<ScenarioDraft>,
    ) -> (Vec<Scenario>, Program) {
        let mut scenarios = Vec::new();
        // A ruleset with faults is never played, so its pieces need no rows.
        let sound = !self.r.faults.iter().any(|f| f.severity == Severity::Error);
        for ScenarioDraft { mut scenario, begin, span } in drafts {
            let mut table = Tabletop::new(schema.clone(), &[]);
            let tried = self.care == LoadExtent::Whole || begin.is_some();
            if sound
                && tried
                && let Err(reason) = table.set_up(&scenario)
            {
                self.r.error("bad-scenario", span, reason.to_string());
            }
            if let Some((block, known)) = begin {
                let there = |name: &str| known.kinds.get(name).map(|&kind| (kind, 0));
                let names = |name: &str| table.find(name).or_else(|| there(name));
                let faults = &mut self.r.faults;
                let text = CodeUnit::Block(Vec::new(), block);
                let (grown, function, _) =
                    compile::compile_addition(schema, program, Some(&names), &text, faults);
                program = grown;
                scenario.begin = Some(function);
            }
            scenarios.push(scenario);
        }
        (scenarios, program)
    }
}

/// Returns the names of the areas in the rectangle with these opposite corners, on all levels.
fn areas_within(
    areas: &[(usize, usize, i64)],
    a: (usize, usize),
    b: (usize, usize),
) -> Vec<String> {
    let columns = a.0.min(b.0)..=a.0.max(b.0);
    let rows = a.1.min(b.1)..=a.1.max(b.1);
    let within =
        areas.iter().filter(|(across, down, _)| columns.contains(across) && rows.contains(down));
    within.map(|&(across, down, level)| tabletop::area_name(across, down, level)).collect()
}
