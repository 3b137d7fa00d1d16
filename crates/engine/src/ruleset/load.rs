//! Loading: files to sections, sections to a schema, the schema to a program.

use std::sync::Arc;

use indexmap::IndexMap;
use toml::de::DeValue;

use crate::diagnostic::{Cause, Diagnostic, Fault, MOST, Severity, sort_by_place, without_derived};
use crate::language::schema::{FunctionId, KindId, Param, Schema, Type, Unit, Words, WordsId};
use crate::language::syntax::{Block, Expr, Name};
use crate::language::{compile, parser, statements};
use crate::ruleset::examples::Example;
use crate::ruleset::format::{Form, forms};
use crate::ruleset::lints::Allowed;
use crate::ruleset::raw::{Node, Reader, Section, Text};
use crate::ruleset::scenarios::Draft;
use crate::ruleset::{Ruleset, raw};
use crate::source::{FileId, Sources, Span, StringMap};

/// The most bytes all files of a ruleset may have together.
pub const MAX_TOTAL: usize = 16 * 1024 * 1024;

/// Things are numbered with sixteen bits, the last of which stand for none.
const MAX_OF_ANYTHING: usize = 65_000;
/// The most phases, scenarios, or words of a set.
const MAX_NAMED: usize = 1_000;

/// The name of the phase before the first turn.
pub const SET_UP: &str = "set-up";

/// One file of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// Its name in messages.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// For a scenario in a file of its own: its name.
    pub scenario: Option<String>,
}

/// Returns the files of a ruleset that comes with the program, by its name; `None` if there is none of that name.
pub type ShippedFiles = fn(&str) -> Option<Vec<FileText>>;

/// A named table of a section: `[rule.spread]`.
pub(super) struct Entry<'a> {
    pub(super) section: String,
    pub(super) name: Name,
    pub(super) node: Node<'a>,
}

/// The parts of a ruleset that are read beside its schema.
struct Read {
    scenarios: Vec<Draft>,
    examples: Vec<Example>,
    allowed: Vec<Allowed>,
}

/// A ruleset in the making.
pub(super) struct Loader<'s> {
    pub(super) r: Reader<'s>,
    pub(super) schema: Schema,
    /// The parts that are ready; the ends of scenarios stand before those of the game.
    pub(super) made: Ruleset,
    /// References to lists that begin with a row: kind, attribute, list, row.
    pub(super) starts: Vec<(KindId, String, KindId, Name)>,
    /// The number of the step whose texts are being read.
    pub(super) step: Option<i64>,
    /// The sets of words without a name, so that the same words are found again.
    pub(super) anonymous: IndexMap<Vec<String>, WordsId>,
    pub(super) care: Care,
}

/// The extent to which a ruleset is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// All of it; every scenario is set out once.
    Whole,
    /// As far as it is played: no worked examples.
    ToPlay,
}

impl Loader<'_> {
    /// Runs `read`; the faults it reports spoil the declaration.
    pub(super) fn spoiling<T>(&mut self, cause: &Cause, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.r.faults.len();
        let value = read(self);
        for fault in &mut self.r.faults[before..] {
            fault.spoils.push(cause.clone());
        }
        value
    }

    /// Reads tables of one form, such as the modifiers of a rule.
    pub(super) fn parts<'a, T>(
        &mut self,
        nodes: impl IntoIterator<Item = Node<'a>>,
        what: &str,
        form: &Form,
        mut read: impl FnMut(&mut Self, &Section<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for node in nodes {
            if let Some(part) = self.r.section(what, node) {
                found.extend(read(self, &part));
                part.finish(form, &mut self.r);
            }
        }
        found
    }

    /// Parses an expression; `None` after a fault.
    pub(super) fn expr(&mut self, text: &Text) -> Option<Expr> {
        parser::expression(&text.value, &text.map, &mut self.r.faults)
    }

    /// Adds a function; none of its text is compiled after a fault.
    pub(super) fn function(&mut self, unit: Option<Unit>) -> FunctionId {
        let function = self.schema.new_function();
        let unit = unit.map(|unit| match self.step {
            Some(step) => Unit::Step(step, Box::new(unit)),
            None => unit,
        });
        self.schema.units[function.index()] = unit;
        function
    }

    /// Parses the rule text of a key; `None` if it is not there, or after a fault.
    pub(super) fn parsed<T>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        parse: fn(&str, &StringMap, &mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let text = section.text(key, &mut self.r)?;
        parse(&text.value, &text.map, &mut self.r.faults)
    }

    /// Parses the expression of a key; `None` if it is not there, or after a fault.
    pub(super) fn expr_in(&mut self, section: &Section<'_>, key: &str) -> Option<Expr> {
        self.parsed(section, key, parser::expression)
    }

    /// Reads the expression of a key, which must have this type, as a function; `None` if it is not there.
    pub(super) fn value_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        ty: Option<Type>,
    ) -> Option<FunctionId> {
        let expr = self.expr_in(section, key);
        section.has(key).then(|| self.function(expr.map(|e| Unit::Value(Vec::new(), ty, e))))
    }

    /// Reads the statements of a key; empty if it is not there.
    pub(super) fn block(&mut self, section: &Section<'_>, key: &str) -> Block {
        self.parsed(section, key, statements::block).unwrap_or_default()
    }

    /// Reads the statements of a key as a function, with `self` of that kind; `None` if it is not there.
    pub(super) fn block_function(
        &mut self,
        section: &Section<'_>,
        key: &str,
        of: Option<KindId>,
    ) -> Option<FunctionId> {
        let block = self.parsed(section, key, statements::block);
        let itself = of.map(|kind| Param::of("self", Type::Piece(kind))).into_iter().collect();
        section.has(key).then(|| self.function(block.map(|b| Unit::Block(itself, b))))
    }
}

/// Loads a ruleset from its files. Warnings are kept in it; any error makes it fail with all faults.
pub fn load(files: Vec<FileText>) -> Result<Ruleset, Faulty> {
    load_with(files, Care::Whole)
}

/// Loads a ruleset that [`load`] has found sound before, without its worked examples.
pub fn load_to_play(files: Vec<FileText>) -> Result<Ruleset, Faulty> {
    load_with(files, Care::ToPlay)
}

fn load_with(files: Vec<FileText>, care: Care) -> Result<Ruleset, Faulty> {
    crate::diagnostic::begin();
    let mut sources = Sources::new();
    let mut faults = Vec::new();
    let total: usize = files.iter().map(|f| f.text.len()).sum();
    if total > MAX_TOTAL {
        let message = format!("this ruleset has more than {MAX_TOTAL} bytes");
        faults.push(Diagnostic::general("file-too-large", message));
        return Err(Faulty { sources, faults });
    }
    let mut texts = Vec::new();
    for file in files {
        let text: Arc<str> = file.text.into();
        let id = sources.add(file.name, text.clone());
        if care == Care::Whole || !is_of_examples(&text) {
            texts.push((text, id, file.scenario));
        }
    }
    let (ruleset, faults) = {
        let mut loader = Loader::new(&sources, care);
        loader.r.faults = faults;
        let read = loader.read(&texts);
        let ruleset = loader.build(read);
        let mut faults = std::mem::take(&mut loader.r.faults);
        without_derived(&mut faults);
        if faults.len() > MOST {
            // What comes of another fault comes after it.
            faults.truncate(MOST);
            let message = format!("there are more than {MOST} faults: mend these first");
            faults.push(Diagnostic::general("too-many-faults", message));
        }
        (ruleset, faults)
    };
    let fatal = faults.iter().any(|f| f.severity == Severity::Error);
    if fatal {
        return Err(Faulty { sources, faults: in_order(faults) });
    }
    Ok(Ruleset { sources: Arc::new(sources), warnings: in_order(faults), ..ruleset })
}

impl<'s> Loader<'s> {
    fn new(sources: &'s Sources, care: Care) -> Self {
        Loader {
            r: Reader::new(sources),
            schema: Schema::default(),
            made: Ruleset::default(),
            starts: Vec::new(),
            step: None,
            anonymous: IndexMap::new(),
            care,
        }
    }

    /// Returns true if there are as many of something as there may be, after a fault.
    pub(super) fn enough(&mut self, count: usize, what: &str, span: Span) -> bool {
        let enough = count >= MAX_NAMED;
        if enough {
            self.r.error("too-large", span, format!("there are at most {MAX_NAMED} {what}"));
        }
        enough
    }

    /// Reads all files. What they were parsed to is gone with it: trying out the scenarios needs the room.
    fn read(&mut self, texts: &[(Arc<str>, FileId, Option<String>)]) -> Read {
        let mut tables = Vec::new();
        for (text, id, scenario) in texts {
            let table = raw::parse(text, *id, &mut self.r.faults);
            tables.extend(table.map(|table| (table, *id, scenario)));
        }
        let (mut entries, mut files) = (Vec::new(), Vec::new());
        for (table, id, scenario) in &tables {
            let members = self.r.entries(table.get_ref(), *id);
            if let Some(name) = scenario {
                let what = format!("the scenario `{name}`");
                files.push((name.clone(), Section::of(what, Span::new(*id, 0..0), members)));
            } else {
                for (name, node) in members {
                    self.sort_section(&name, node, &mut entries);
                }
            }
        }
        self.declare(&entries, &files)
    }

    /// Adds the tables of a section to the entries.
    fn sort_section<'a>(&mut self, name: &Name, node: Node<'a>, entries: &mut Vec<Entry<'a>>) {
        let section = name.text.clone();
        if !forms::RULESET.has(&section) {
            let message = format!("there is no section `{}`", section.escape_debug());
            let fault = Diagnostic::error("unknown-section", name.span, message);
            self.r.push(fault.suggest(&section, forms::RULESET.keys.iter().map(|k| k.name)));
            return;
        }
        match section.as_str() {
            "game" | "sides" => entries.push(Entry { section, name: name.clone(), node }),
            "phase" | "end" | "example" | "allow" => {
                if matches!(node.value, DeValue::Table(_)) && section != "end" {
                    let message = format!("there may be several: write `[[{section}]]`");
                    self.r.error("wrong-toml-type", name.span, message);
                    return;
                }
                for node in self.one_or_more(node) {
                    let name = Name { text: section.clone(), span: node.span };
                    entries.push(Entry { section: section.clone(), name, node });
                }
            }
            _ => {
                if let DeValue::Array(_) = node.value {
                    let message = format!("each has its name: write `[{section}.NAME]`");
                    self.r.error("wrong-toml-type", name.span, message);
                    return;
                }
                let Some(table) = self.r.section(format!("the section `{section}`"), node) else {
                    return;
                };
                for (name, node) in table.all() {
                    if !matches!(node.value, DeValue::Table(_)) && section != "state" {
                        let message = format!("`{}` stands in no `[{section}.NAME]`", name.text);
                        self.r.error("wrong-toml-type", name.span, message);
                        continue;
                    }
                    let (name, node) = (self.known_as(&section, name), *node);
                    entries.push(Entry { section: section.clone(), name, node });
                }
            }
        }
    }

    /// Returns the tables of a section that may be given several times, or the one.
    pub(super) fn one_or_more<'a>(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        match node.value {
            DeValue::Table(_) => vec![node],
            _ => self.r.array(node).unwrap_or_default(),
        }
    }

    /// Returns the name of a declaration. One with capitals is declared by the name it should have, after the fault, so
    /// that no other follows.
    fn known_as(&mut self, section: &str, name: &Name) -> Name {
        let text = name.text.to_lowercase().replace('_', "-");
        if raw::is_name(&name.text) || !raw::is_name(&text) || section == "scenario" {
            return name.clone();
        }
        let what = match section {
            "words" => "a set of words".to_owned(),
            "define" => "a definition".to_owned(),
            "option" => "an option".to_owned(),
            _ => format!("a {section}"),
        };
        let plural = Cause::Name(format!("{}s", name.text));
        let callable = Cause::Callable(name.text.clone());
        let attribute = Cause::Attribute(section.to_owned(), name.text.clone());
        self.spoiling(&Cause::Name(name.text.clone()), |l| l.r.good_name(name, &what));
        if let Some(fault) = self.r.faults.last_mut() {
            fault.spoils.extend([plural, callable, attribute]);
        }
        Name { text, span: name.span }
    }

    fn declare(&mut self, entries: &[Entry<'_>], files: &[(String, Section<'_>)]) -> Read {
        self.game(entries);
        self.declare_names(entries);
        self.declare_sides(entries);
        self.declare_orders();
        self.declare_phase_words(entries);
        self.declare_attributes(entries);
        self.print_lists(entries);
        self.starting_rows();
        self.decks(entries);
        self.charts(entries);
        self.defines(entries);
        self.rules(entries);
        self.phases(entries);
        self.measures(entries);
        let scenarios = self.scenarios(entries, files);
        self.ends(entries.iter().filter(|e| e.section == "end").map(|e| e.node), "");
        let examples = match self.care {
            Care::Whole => self.examples(entries, &scenarios),
            Care::ToPlay => Vec::new(),
        };
        Read { scenarios, examples, allowed: self.allowed(entries) }
    }

    fn build(&mut self, Read { scenarios, examples, allowed }: Read) -> Ruleset {
        if self.is_too_large() || self.r.faults.len() > MOST {
            return Ruleset::default();
        }
        // Rule text is judged only where all it can speak of has been read.
        let mut schema = std::mem::take(&mut self.schema);
        for (kind, place, ty) in compile::derived_types(&schema) {
            schema.kinds[kind.index()].attributes[place].ty = ty;
        }
        self.check_sides(&schema);
        let schema = Arc::new(schema);
        let (program, notes) = compile::compile(&schema, &mut self.r.faults);
        self.name_scenarios(&scenarios);
        self.check_phase_names(&schema);
        let (scenarios, program) = self.check_scenarios(&schema, program, scenarios);
        Ruleset {
            verbs: schema.rules.iter().map(|rule| rule.verb().to_owned()).collect(),
            schema,
            program: Arc::new(program),
            notes,
            scenarios,
            examples,
            allowed,
            ..std::mem::take(&mut self.made)
        }
    }

    /// Says of names that rules do not know that they are those of pieces, where they are.
    fn name_scenarios(&mut self, drafts: &[Draft]) {
        for fault in self.r.faults.iter_mut().filter(|f| f.code == "unknown-name") {
            let Some(Cause::Piece(name)) = fault.derived_from.get(1) else { continue };
            let draft = drafts.iter().find(|d| d.scenario.pieces.iter().any(|p| p.name == *name));
            if let Some(draft) = draft {
                let scenario = &draft.scenario.name;
                fault.help = Some(format!(
                    "`{name}` is a piece of the scenario `{scenario}`; a rule speaks of all of a kind, or takes a piece by its `usage`"
                ));
            }
        }
    }

    /// Returns true if there is more of something than can be numbered, after a fault.
    fn is_too_large(&mut self) -> bool {
        let schema = &self.schema;
        let counts = [
            ("kinds and lists", schema.kinds.len()),
            ("sets of words", schema.words.len()),
            ("attributes", schema.columns.len()),
            ("lists of references and decks", schema.lists.len()),
            ("decks", schema.decks.len()),
            ("charts", schema.charts.len()),
            ("definitions", schema.defines.len()),
            ("rules", schema.rules.len()),
            ("pieces of rule text", schema.units.len()),
        ];
        let Some((what, count)) = counts.into_iter().find(|(_, n)| *n >= MAX_OF_ANYTHING) else {
            return false;
        };
        let message =
            format!("this ruleset has {count} {what}, and {MAX_OF_ANYTHING} are too many");
        self.r.push(Diagnostic::general("too-large", message));
        true
    }

    fn game(&mut self, entries: &[Entry<'_>]) {
        let mut games = entries.iter().filter(|e| e.section == "game");
        let Some(entry) = games.next() else {
            let fault =
                Diagnostic::general("missing-section", "the ruleset has no section `[game]`");
            let fault = fault.derived_from(Cause::File);
            self.r.push(fault.help("write `[game]` with `title = \"…\"` and `author = \"…\"`"));
            return;
        };
        for second in games {
            let help = "a folder is one ruleset: name a file";
            let fault = self.r.advise("twice", second.name.span, "`[game]` is given twice", help);
            fault.other = Some((entry.name.span, "first here".to_owned()));
        }
        let Some(section) = self.r.section("`[game]`", entry.node) else { return };
        let game = &mut self.made.game;
        game.title = section.words("title", &mut self.r);
        game.author = section.words("author", &mut self.r);
        game.edition = section.words("edition", &mut self.r);
        game.about = section.words("about", &mut self.r);
        game.source = section.words("source", &mut self.r);
        game.note = section.words("note", &mut self.r);
        game.halved_d3 = section.flag("halved_d3", &mut self.r);
        section.finish(&forms::GAME, &mut self.r);
    }

    /// Reads the warnings that are silenced: `[[allow]]`.
    fn allowed(&mut self, entries: &[Entry<'_>]) -> Vec<Allowed> {
        let nodes = entries.iter().filter(|e| e.section == "allow").map(|e| e.node);
        self.parts(nodes, "`[[allow]]`", &forms::ALLOW, |l, section| {
            let code = section.words("code", &mut l.r);
            let about = section.words("about", &mut l.r);
            let because = section.words("because", &mut l.r);
            Some(Allowed { code, about, because, span: section.span })
        })
    }

    /// Declares the names of phases as words, so that rules can ask `state.phase = movement`.
    fn declare_phase_words(&mut self, entries: &[Entry<'_>]) {
        let mut values = vec![SET_UP.to_owned()];
        for entry in entries.iter().filter(|e| e.section == "phase") {
            if let Some(section) = self.r.section("the phase", entry.node)
                && let Some(name) = section.name("name", &mut self.r)
            {
                let cause = Cause::Name(name.text.clone());
                if !self.spoiling(&cause, |l| l.r.good_name(&name, "a phase")) {
                    continue;
                }
                if self.enough(values.len(), "phases", name.span) {
                    return;
                }
                for (called, _) in self.steps(&section, &name.text) {
                    if values.contains(&called) {
                        let message = format!("two phases are called `{called}`");
                        self.r.error("twice", name.span, message);
                    }
                    values.push(called);
                }
            }
        }
        self.schema.words.push(Words { name: "phase".into(), values, ..Words::default() });
    }
}

/// Returns true if a file of TOML holds nothing but worked examples.
fn is_of_examples(text: &str) -> bool {
    let mut lines =
        text.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let is_example = |line: &str| line.starts_with("[[example]]");
    lines.next().is_some_and(is_example)
        && lines
            .all(|line| !line.starts_with('[') || is_example(line) || line.starts_with("[example."))
}

/// Sorts faults by file and place, and leaves out duplicates.
fn in_order(mut faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    sort_by_place(&mut faults);
    faults.dedup();
    faults
}

/// A ruleset that could not be loaded: its sources, for the places, and all faults.
#[derive(Clone, Debug)]
pub struct Faulty {
    /// The files.
    pub sources: Sources,
    /// The faults, by file and place.
    pub faults: Vec<Diagnostic>,
}
