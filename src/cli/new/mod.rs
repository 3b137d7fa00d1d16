//! `adjutant new`: a ruleset to start from, that passes `check` and can be played as it is.

mod starter;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use super::output::Screen;
use super::{Ended, Failed, cannot_write, shown};
use crate::names;
use crate::render::markup::{Role, Text, clean};
use crate::ruleset::{FileText, format, load};
use starter::{Starter, StarterDice, TableKind, TurnStyle};

/// The name of the JSON Schema beside a new ruleset; its first line names it to editors.
const SCHEMA: &str = "ruleset.schema.json";

/// The arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant new duel.toml\n  adjutant new my-rules/ --title \"Ridge and Ford\" --dice 2d6 --table hex --sides \"red, blue\" --turn initiative\n\nAt a terminal, what is not given is asked."
)]
pub(super) struct Arguments {
    /// A file ending in .toml, or a folder; it must not be there yet
    path: PathBuf,
    /// The title of the game
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The author of the rules
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// The dice thrown most: 1d6, 2d6, 1d10, 1d20, 1d100, …
    #[arg(long, value_name = "DICE")]
    dice: Option<String>,
    /// A table of squares or hexes, or an open one on which distances are measured
    #[arg(long, value_enum)]
    table: Option<TableKind>,
    /// The sides, two to four words
    #[arg(long, value_name = "WORDS")]
    sides: Option<String>,
    /// The order in which the sides take their turns
    #[arg(long, value_enum)]
    turn: Option<TurnStyle>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let place = Place::of(&arguments.path)?;
    let asks = io::stdin().is_terminal() && io::stdout().is_terminal() && !screen.json;
    let mut answer = |given: &Option<String>, question: &str, preset: &str| match given {
        Some(given) => Ok(given.clone()),
        None if asks => ask(screen, question, preset),
        None => Ok(preset.to_owned()),
    };
    let title = answer(&arguments.title, "What is the game called?", &place.title)?;
    let author = answer(&arguments.author, "Whose rules are these?", "you")?;
    let dice = answer(&arguments.dice, "Which dice are thrown most?", "1d6")?;
    let dice = StarterDice::read(&dice).map_err(|why| {
        let typed: String = dice.trim().to_lowercase().chars().take(40).collect();
        Failed::Usage(format!(
            "`{}` cannot be the dice of a new game: {why}\nsay `--dice 2d6`; the ruleset itself takes any dice later",
            typed.escape_debug()
        ))
    })?;
    let table = chosen(arguments.table);
    let table =
        answer(&table, "An open table, or a grid of squares, or hexes? (open, grid, hex)", "open")?;
    let table: TableKind = choice(&table, "the table")?;
    let sides = answer(&arguments.sides, "Which sides are there?", "red, blue")?;
    let words = |c: char| c == ',' || c.is_whitespace();
    let sides: Vec<String> =
        sides.split(words).filter(|s| !s.is_empty()).map(str::to_lowercase).collect();
    if !(2..=4).contains(&sides.len()) {
        return Err(Failed::Usage("name two to four sides: `--sides \"red, blue\"`".into()));
    }
    let turn = chosen(arguments.turn);
    let question = "How do the sides take turns? (together, fixed, initiative, alternation)";
    let turn: TurnStyle = choice(&answer(&turn, question, "together")?, "the turn")?;
    for text in [&title, &author] {
        if text.chars().any(char::is_control) {
            let reason = "control characters cannot stand in a title or a name";
            return Err(Failed::Usage(reason.into()));
        }
    }
    let path = shown(&arguments.path);
    let plan = Starter {
        title,
        author,
        dice,
        table,
        sides,
        turn,
        path: path.clone(),
        schema: SCHEMA.into(),
    };
    let text = starter::text(&plan);
    // Only the names of the sides can spoil it.
    let file = FileText { name: path.clone(), text: text.clone(), scenario: None };
    if let Err(faulty) = load(vec![file]) {
        let why = faulty.faults.first().map_or(String::new(), |fault| fault.message.clone());
        return Err(Failed::Usage(format!(
            "`{}` cannot be the sides: {why}",
            plan.sides.join(", ")
        )));
    }
    let written = place.write(&text)?;
    let mut text = Text::new();
    for file in &written {
        text.line(Role::Strong, format!("written: {file}"));
    }
    for (command, what) in [
        ("check", "every fault, warning and worked example"),
        ("play", "play it; `help` lists what can be typed"),
        ("rules", "print it as a chart sheet"),
    ] {
        text.line(Role::Plain, format!("  adjutant {command} {path}   {what}"));
    }
    text.line(Role::Plain, "change a line, check again: every line says what it is for");
    screen.answer(&text, &json!({ "path": path, "files": written }))
}

/// Returns the word for a choice that was given.
fn chosen<T: ValueEnum>(given: Option<T>) -> Option<String> {
    given?.to_possible_value().map(|value| value.get_name().to_owned())
}

/// Reads a choice: its word, or the beginning of it.
fn choice<T: ValueEnum>(text: &str, what: &str) -> Result<T, Failed> {
    let named: Vec<(String, &T)> =
        T::value_variants().iter().filter_map(|v| Some((chosen(Some(v.clone()))?, v))).collect();
    let known = named.iter().map(|(name, _)| name.as_str());
    let found = names::find(text.trim(), known.clone());
    let value = named.iter().find(|(name, _)| found.one() == Some(name));
    let known: Vec<&str> = known.collect();
    let wrong = || Failed::Usage(format!("{what} is one of: {}", known.join(", ")));
    value.map(|(_, value)| (*value).clone()).ok_or_else(wrong)
}

/// Asks a question at the terminal; an empty answer takes the preset.
fn ask(screen: &mut Screen, question: &str, preset: &str) -> Result<String, Failed> {
    write!(screen.out(), "{question} [{}] ", clean(preset))?;
    screen.flush()?;
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        return Err(Failed::Message("nothing was written".into()));
    }
    let line = line.trim();
    Ok(if line.is_empty() { preset } else { line }.to_owned())
}

/// The place of a new ruleset.
struct Place {
    /// The file of the ruleset.
    file: PathBuf,
    /// Its folder.
    folder: PathBuf,
    /// A title made of the path.
    title: String,
}

impl Place {
    /// Returns the place of a path at which nothing exists yet.
    fn of(path: &Path) -> Result<Place, Failed> {
        let single = path.extension().is_some_and(|e| e == "toml");
        let stem = path.file_stem().map(|n| clean(&n.to_string_lossy()));
        let title = titled(&stem.unwrap_or_default());
        let (file, folder) = match single {
            true => (path.to_owned(), path.parent().unwrap_or(Path::new("")).to_owned()),
            false => (path.join("game.toml"), path.to_owned()),
        };
        let there = |what: &str| {
            let message = format!("{what}: nothing is written over; name another path");
            Err(Failed::Message(message))
        };
        if fs::symlink_metadata(&file).is_ok() {
            return there(&format!("`{}` is there already", shown(&file)));
        }
        if !single && path.exists() && !path.is_dir() {
            return there(&format!("`{}` is a file; a single file ends in `.toml`", shown(path)));
        }
        // All files of a folder are one ruleset: the new one would join it.
        let holds = |e: fs::DirEntry| e.path().extension().is_some_and(|e| e == "toml");
        if !single
            && let Ok(entries) = fs::read_dir(path)
            && entries.flatten().any(holds)
        {
            return there(&format!("`{}` holds a ruleset already", shown(path)));
        }
        Ok(Place { file, folder, title })
    }

    /// Writes the ruleset, and beside it the schema for editors if it is missing. Returns the paths of the written
    /// files.
    fn write(&self, text: &str) -> Result<Vec<String>, Failed> {
        if !self.folder.as_os_str().is_empty() {
            fs::create_dir_all(&self.folder).map_err(|e| cannot_write(&self.folder, e))?;
        }
        let schema = self.folder.join(SCHEMA);
        let document = format!("{:#}\n", format::ruleset_schema());
        let mut written = Vec::new();
        for (path, text, needed) in [(&self.file, text, true), (&schema, document.as_str(), false)]
        {
            match fs::File::create_new(path) {
                Ok(mut file) => {
                    file.write_all(text.as_bytes()).map_err(|e| cannot_write(path, e))?;
                    written.push(shown(path));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && !needed => {}
                Err(e) => return Err(cannot_write(path, e)),
            }
        }
        Ok(written)
    }
}

/// Returns a file name as a title: `ridge-and-ford` as `Ridge And Ford`.
fn titled(stem: &str) -> String {
    let words = stem.split(['-', '_', ' ', '.']).filter(|w| !w.is_empty());
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |l| l.to_uppercase().chain(letters).collect())
    };
    let title: Vec<String> = words.map(upper).collect();
    if title.is_empty() { "My Game".to_owned() } else { title.join(" ") }
}
