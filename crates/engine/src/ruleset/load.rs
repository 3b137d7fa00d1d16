//! Loads rulesets: turns files into sections, sections into a schema, and the rule text in the
//! schema into a program.

use std::sync::Arc;

use toml::de::DeValue;

use crate::diagnostic::{
    Declaration, Diagnostic, Fault, MAX_FAULTS, Severity, sort_by_span, without_derived,
};
use crate::language::compile;
use crate::language::schema::WordSet;
use crate::language::syntax::Name;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{LoadExtent, Loader, NamedTable, SET_UP};
use crate::ruleset::parts::{AllowedWarning, Example};
use crate::ruleset::raw::{Section, TomlNode};
use crate::ruleset::scenarios::ScenarioDraft;
use crate::ruleset::{Ruleset, raw};
use crate::source::{FileId, Sources, Span};

/// The maximum total size of all files of a ruleset, in bytes.
pub const MAX_TOTAL: usize = 16 * 1024 * 1024;

/// The maximum number of files of a ruleset.
pub const MAX_FILES: usize = 1000;

/// The limit on the number of declarations of each sort, which must be lower. Ids have sixteen
/// bits, and their highest values mean "none".
const MAX_NUMBERED: usize = 65_000;

/// One file of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The name of the file in messages.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The name of the scenario, if the file contains only a scenario.
    pub scenario: Option<String>,
}

/// A function that returns the files of the ruleset with this name that comes with the program;
/// `None` if there is no such ruleset.
pub type ShippedFiles = fn(&str) -> Option<Vec<FileText>>;

/// The parts of a ruleset that are read in addition to its schema.
struct LoadedParts {
    scenarios: Vec<ScenarioDraft>,
    examples: Vec<Example>,
    allowed: Vec<AllowedWarning>,
}

/// Loads a ruleset from its files. The returned ruleset includes the warnings.
///
/// # Errors
///
/// Returns the faults, warnings included, if any of them is an error.
///
/// # Examples
///
/// ```
/// use adjutant_engine::ruleset::{FileText, load};
///
/// let text = "[game]\ntitle = \"Duel\"\n[kind.man]\nhits = { from = 0, too = 3 }\n";
/// let file = FileText { name: "duel.toml".to_owned(), text: text.to_owned(), scenario: None };
/// let faulty = load(vec![file]).err().ok_or("it has a fault")?;
/// assert!(faulty.faults.iter().any(|fault| fault.message.contains("too")), "{:?}", faulty.faults);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(files: Vec<FileText>) -> Result<Ruleset, FaultyRuleset> {
    load_with(files, LoadExtent::Whole)
}

/// Loads a ruleset that [`load`] has already accepted, without its worked examples and without
/// testing all of its scenarios.
pub fn load_to_play(files: Vec<FileText>) -> Result<Ruleset, FaultyRuleset> {
    load_with(files, LoadExtent::ToPlay)
}

fn load_with(files: Vec<FileText>, care: LoadExtent) -> Result<Ruleset, FaultyRuleset> {
    crate::diagnostic::reset_comparisons();
    let mut sources = Sources::new();
    let total: usize = files.iter().map(|f| f.text.len()).sum();
    if total > MAX_TOTAL {
        let message = format!("this ruleset has more than {MAX_TOTAL} bytes");
        let faults = vec![Diagnostic::without_span("file-too-large", message)];
        return Err(FaultyRuleset { sources, faults });
    }
    let mut texts = Vec::new();
    for file in files {
        let text: Arc<str> = file.text.into();
        let id = sources.add(file.name, text.clone());
        if care == LoadExtent::Whole || !holds_only_examples(&text) {
            texts.push((text, id, file.scenario));
        }
    }
    let (ruleset, faults) = {
        let mut loader = Loader::new(&sources, care);
        let read = loader.read_files(&texts);
        let ruleset = loader.compile(read);
        let mut faults = std::mem::take(&mut loader.r.faults);
        without_derived(&mut faults);
        if faults.len() > MAX_FAULTS {
            // Faults that follow from another fault come after it.
            faults.truncate(MAX_FAULTS);
            let message = format!("there are more than {MAX_FAULTS} errors: correct these first");
            faults.push(Diagnostic::without_span("too-many-faults", message));
        }
        (ruleset, faults)
    };
    let fatal = faults.iter().any(|f| f.severity == Severity::Error);
    if fatal {
        return Err(FaultyRuleset { sources, faults: sorted_without_duplicates(faults) });
    }
    Ok(Ruleset {
        sources: Arc::new(sources),
        warnings: sorted_without_duplicates(faults),
        ..ruleset
    })
}

impl Loader<'_> {
    /// Reads all files. The parsed files are dropped at the end, because setting up the scenarios
    /// needs the memory.
    fn read_files(&mut self, texts: &[(Arc<str>, FileId, Option<String>)]) -> LoadedParts {
        let mut tables = Vec::new();
        for (text, id, scenario) in texts {
            let table = raw::parse(text, *id, &mut self.r.faults);
            tables.extend(table.map(|table| (table, *id, scenario)));
        }
        let mut entries = Vec::new();
        let mut files = Vec::new();
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

    /// Adds the tables of a section to the entries, or reports a fault if the section is unknown or
    /// has the wrong form.
    fn sort_section<'a>(
        &mut self,
        name: &Name,
        node: TomlNode<'a>,
        entries: &mut Vec<NamedTable<'a>>,
    ) {
        let section = name.text.clone();
        if !forms::RULESET.has(&section) {
            let message = format!("there is no section `{}`", section.escape_debug());
            let fault = Diagnostic::error("unknown-section", name.span, message);
            self.r.push(fault.suggest(&section, forms::RULESET.keys.iter().map(|k| k.name)));
            return;
        }
        match section.as_str() {
            "game" | "sides" | "players" => {
                entries.push(NamedTable { section, name: name.clone(), node });
            }
            "phase" | "round" | "end" | "example" | "allow" | "watch" => {
                if matches!(node.value, DeValue::Table(_)) && section != "end" {
                    let message =
                        format!("there may be several of these, so write `[[{section}]]`");
                    self.r.error("wrong-toml-type", name.span, message);
                    return;
                }
                for table in self.tables_of_section(node) {
                    let heading = Name { text: section.clone(), span: table.span };
                    entries.push(NamedTable {
                        section: section.clone(),
                        name: heading,
                        node: table,
                    });
                }
            }
            _ => {
                if let DeValue::Array(_) = node.value {
                    let message = format!("each of these has a name, so write `[{section}.NAME]`");
                    self.r.error("wrong-toml-type", name.span, message);
                    return;
                }
                let Some(table) = self.r.section(format!("the section `{section}`"), node) else {
                    return;
                };
                for (key, value) in table.entries() {
                    if !matches!(value.value, DeValue::Table(_)) && section != "state" {
                        let message = format!("`{}` is not in any `[{section}.NAME]`", key.text);
                        self.r.error("wrong-toml-type", key.span, message);
                        continue;
                    }
                    let key = self.declared_name(&section, key);
                    let value = *value;
                    entries.push(NamedTable { section: section.clone(), name: key, node: value });
                }
            }
        }
    }

    /// Returns the name of a declaration. If only capitals or underscores make the name invalid, it
    /// is reported, and the declaration gets the correct name, so that no other fault follows.
    /// Scenarios may have such names.
    fn declared_name(&mut self, section: &str, name: &Name) -> Name {
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
        let plural = Declaration::Name(format!("{}s", name.text));
        let callable = Declaration::Callable(name.text.clone());
        let attribute = Declaration::Attribute(section.to_owned(), name.text.clone());
        self.with_spoiled(&Declaration::Name(name.text.clone()), |l| l.r.check_name(name, &what));
        if let Some(fault) = self.r.faults.last_mut() {
            fault.spoils.extend([plural, callable, attribute]);
        }
        Name { text, span: name.span }
    }

    fn declare(
        &mut self,
        entries: &[NamedTable<'_>],
        files: &[(String, Section<'_>)],
    ) -> LoadedParts {
        self.read_game(entries);
        self.declare_names(entries);
        self.declare_sides(entries);
        self.declare_players(entries);
        self.declare_orders();
        self.declare_phase_words(entries);
        self.declare_attributes(entries);
        self.read_lists(entries);
        self.set_starting_rows();
        self.read_decks(entries);
        self.read_charts(entries);
        self.read_defines(entries);
        self.read_rules(entries);
        self.read_phases(entries);
        self.read_rounds(entries);
        self.add_activations();
        self.read_watch_items(entries);
        self.read_measures(entries);
        let scenarios = self.read_scenarios(entries, files);
        self.read_ends(entries.iter().filter(|e| e.section == "end").map(|e| e.node), "");
        let examples = match self.care {
            LoadExtent::Whole => self.read_examples(entries, &scenarios),
            LoadExtent::ToPlay => Vec::new(),
        };
        LoadedParts { scenarios, examples, allowed: self.read_allowed_warnings(entries) }
    }

    fn compile(&mut self, LoadedParts { scenarios, examples, allowed }: LoadedParts) -> Ruleset {
        if self.has_too_many() || self.r.faults.len() > MAX_FAULTS {
            return Ruleset::default();
        }
        // Rule text is checked only once everything that it can refer to has been read.
        let mut schema = std::mem::take(&mut self.schema);
        self.complete_attributes(&mut schema);
        self.check_sides(&schema);
        let schema = Arc::new(schema);
        let (program, notes) = compile::compile(&schema, &mut self.r.faults);
        self.explain_piece_names(&scenarios);
        self.check_phase_names(&schema);
        self.check_synonyms(&schema);
        self.check_other_words_for_attributes(&schema);
        let (scenarios, program) = self.compile_scenarios(&schema, program, scenarios);
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

    /// Changes the help of each fault about an unknown name if a scenario has a piece with this
    /// name.
    fn explain_piece_names(&mut self, drafts: &[ScenarioDraft]) {
        for fault in self.r.faults.iter_mut().filter(|f| f.code == "unknown-name") {
            let Some(Declaration::Piece(name)) = fault.derived_from.get(1) else { continue };
            let draft = drafts.iter().find(|d| d.scenario.pieces.iter().any(|p| p.name == *name));
            if let Some(draft) = draft {
                let scenario = &draft.scenario.name;
                fault.help = Some(format!(
                    "`{name}` is a piece of the scenario `{scenario}`; a rule can use all pieces of a kind, or a piece that the umpire names when typing its `usage`"
                ));
            }
        }
    }

    /// Returns true, and reports a fault, if there are [`MAX_NUMBERED`] or more declarations of one
    /// sort.
    fn has_too_many(&mut self) -> bool {
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
        let Some((what, count)) = counts.into_iter().find(|(_, n)| *n >= MAX_NUMBERED) else {
            return false;
        };
        let message = format!("this ruleset has {count} {what}; the limit is {MAX_NUMBERED}");
        self.r.push(Diagnostic::without_span("too-large", message));
        true
    }

    fn read_game(&mut self, entries: &[NamedTable<'_>]) {
        let mut games = entries.iter().filter(|e| e.section == "game");
        let Some(entry) = games.next() else {
            let fault =
                Diagnostic::without_span("missing-section", "the ruleset has no section `[game]`");
            let fault = fault.derived_from(Declaration::File);
            self.r.push(fault.help("write `[game]` with `title = \"…\"` and `author = \"…\"`"));
            return;
        };
        for second in games {
            let help =
                "all files in a folder are one ruleset; to load only one of them, name that file";
            let fault =
                self.r.error_with_help("twice", second.name.span, "`[game]` appears twice", help);
            fault.other = Some((entry.name.span, "first here".to_owned()));
        }
        let Some(section) = self.r.section("`[game]`", entry.node) else { return };
        let game = &mut self.made.game;
        game.title = section.prose("title", &mut self.r);
        game.author = section.prose("author", &mut self.r);
        game.edition = section.prose("edition", &mut self.r);
        game.about = section.prose("about", &mut self.r);
        game.source = section.prose("source", &mut self.r);
        game.note = section.prose("note", &mut self.r);
        game.halved_d3 = section.flag("halved_d3", &mut self.r);
        section.check_keys(&forms::GAME, &mut self.r);
    }

    /// Reads the `[[allow]]` entries, which silence warnings.
    fn read_allowed_warnings(&mut self, entries: &[NamedTable<'_>]) -> Vec<AllowedWarning> {
        let nodes = entries.iter().filter(|e| e.section == "allow").map(|e| e.node);
        self.read_tables(nodes, "`[[allow]]`", &forms::ALLOW, |l, section| {
            let code = section.prose("code", &mut l.r);
            let about = section.prose("about", &mut l.r);
            let because = section.prose("because", &mut l.r);
            Some(AllowedWarning { code, about, because, span: section.span })
        })
    }

    /// Declares `set-up` and the names of the phases as words, so that rules can read `state.phase
    /// = movement`.
    fn declare_phase_words(&mut self, entries: &[NamedTable<'_>]) {
        let mut values = vec![SET_UP.to_owned()];
        for entry in entries.iter().filter(|e| e.section == "phase") {
            if let Some(section) = self.r.section("the phase", entry.node)
                && let Some(name) = section.name("name", &mut self.r)
            {
                let cause = Declaration::Name(name.text.clone());
                if !self.with_spoiled(&cause, |l| l.r.check_name(&name, "a phase")) {
                    continue;
                }
                if self.is_at_limit(values.len(), "phases", name.span) {
                    return;
                }
                for (called, _) in self.read_steps(&section, &name.text) {
                    if values.contains(&called) {
                        let message = format!("two phases are named `{called}`");
                        self.r.error("twice", name.span, message);
                    }
                    values.push(called);
                }
            }
        }
        self.schema.words.push(WordSet { name: "phase".into(), values, ..WordSet::default() });
    }
}

/// Returns true if a TOML file seems to contain only worked examples, judging by the beginnings of
/// its lines.
fn holds_only_examples(text: &str) -> bool {
    let mut lines =
        text.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let is_example = |line: &str| line.starts_with("[[example]]");
    lines.next().is_some_and(is_example)
        && lines
            .all(|line| !line.starts_with('[') || is_example(line) || line.starts_with("[example."))
}

/// Sorts faults by file and span, and removes duplicates.
fn sorted_without_duplicates(mut faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    sort_by_span(&mut faults);
    faults.dedup();
    faults
}

/// The files and the faults of a ruleset that could not be loaded.
#[derive(Clone, Debug)]
pub struct FaultyRuleset {
    /// The files of the ruleset.
    pub sources: Sources,
    /// The faults, warnings included, sorted by file and span. If there are too many, some are left
    /// out.
    pub faults: Vec<Diagnostic>,
}
