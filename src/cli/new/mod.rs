//! `adjutant new`: writes a ruleset to start from. It passes `check` and can be played as it is.

mod starter;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use adjutant_engine::names::capitalized;
use adjutant_engine::render::markup::{Role, Text, sanitize};
use adjutant_engine::ruleset::{FaultyRuleset, FileText, format, load};
use clap::ValueEnum;
use starter::{Starter, StarterDice, TableKind, TurnStyle};

use super::output::{Screen, WrittenFiles};
use super::{Ended, Failed, new_file, shown};
use crate::files::{Disk, SystemDisk};

/// The name of the JSON Schema file next to a new ruleset. The ruleset's first line points editors
/// to it.
const SCHEMA: &str = "ruleset.schema.json";

/// The arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  adjutant new duel.toml\n  adjutant new my-rules/ --title \"Ridge and Ford\" --dice 2d6 --table hex --sides \"red, blue\" --turn initiative\n\nAt a terminal, `new` asks for whatever is not given."
)]
pub(super) struct Arguments {
    /// A new file whose name ends in .toml, or a folder that contains no ruleset yet
    path: PathBuf,
    /// The title of the game
    #[arg(long, value_name = "TEXT", value_parser = line)]
    title: Option<String>,
    /// The author of the rules
    #[arg(long, value_name = "TEXT", value_parser = line)]
    author: Option<String>,
    /// The dice rolled most often, such as 1d6, 2d6, 1d10, 1d20 or 1d100
    #[arg(long, value_name = "DICE", value_parser = dice)]
    dice: Option<StarterDice>,
    /// A table of squares or hexes, or an open one on which distances are measured
    #[arg(long, value_enum)]
    table: Option<TableKind>,
    /// Two to four words for the sides
    #[arg(long, value_name = "WORDS")]
    sides: Option<String>,
    /// The order in which the sides take their turns
    #[arg(long, value_enum)]
    turn: Option<TurnStyle>,
}

pub(super) fn run(arguments: &Arguments, screen: &mut Screen) -> Ended {
    let place = Place::of(&arguments.path)?;
    let asks = io::stdin().is_terminal() && io::stdout().is_terminal() && !screen.json;
    let mut asker = Asker { screen, asks };
    let title = asker.answer(&arguments.title, "What is the game called?", &place.title, line)?;
    let author = asker.answer(&arguments.author, "Whose rules are these?", "you", line)?;
    let dice = asker.answer(&arguments.dice, "Which dice are used most?", "1d6", dice)?;
    let which_table = "An open table, or a grid of squares, or hexes? (open, grid, hex)";
    let table = asker.answer(&arguments.table, which_table, "open", choice)?;
    let whose_turn = "Who moves when? (together, fixed, initiative, alternation)";
    let turn = asker.answer(&arguments.turn, whose_turn, "together", choice)?;
    let mut plan = Starter {
        title,
        author,
        dice,
        table,
        turn,
        sides: Vec::new(),
        path: shown(&arguments.path),
        schema: SCHEMA.into(),
    };
    let mut with_sides = |named: &str| {
        let words = named.split(|c: char| c == ',' || c.is_whitespace());
        plan.sides = words.filter(|s| !s.is_empty()).map(str::to_lowercase).collect();
        if !(2..=4).contains(&plan.sides.len()) {
            return Err(Failed::Usage("name two to four sides, such as `red, blue`".into()));
        }
        let text = starter::text(&plan);
        // Only the names of the sides can cause a fault in this text.
        let file = FileText { name: plan.path.clone(), text: text.clone(), scenario: None };
        let wrong = |faulty: FaultyRuleset| {
            let why = faulty.faults.first().map_or(String::new(), |fault| fault.message.clone());
            Failed::Usage(format!("`{}` cannot be the sides: {why}", plan.sides.join(", ")))
        };
        load(vec![file]).map(|_| text).map_err(wrong)
    };
    let ruleset = match &arguments.sides {
        Some(named) => with_sides(named)?,
        None => asker.answer(&None, "What are the sides?", "red, blue", with_sides)?,
    };
    let path = plan.path;
    let written = place.write(&ruleset)?;
    let mut text = Text::new();
    for file in &written {
        text.line(Role::Strong, format!("written: {file}"));
    }
    for (command, what) in [
        ("check", "show errors and warnings, and run the worked examples"),
        ("play", "play the game; `help` lists what can be typed"),
        ("rules", "print its charts, with probabilities"),
    ] {
        // The longest of the commands has five letters.
        let gap = 8 - command.len();
        text.line(Role::Plain, format!("  adjutant {command} {path}{:gap$}{what}", ""));
    }
    text.line(
        Role::Plain,
        "change a line and check again; the comments explain each part of the file",
    );
    screen.answer(&text, &WrittenFiles { path, files: written })
}

/// Parses one of the words that an option accepts.
fn choice<T: ValueEnum>(text: &str) -> Result<T, Failed> {
    T::from_str(text.trim(), true)
        .map_err(|_| Failed::Usage("choose one of the words in brackets".into()))
}

/// Checks that a title or a name has no control characters, and returns it.
fn line(text: &str) -> Result<String, Failed> {
    if text.chars().any(char::is_control) {
        Err(Failed::Usage("a title or a name cannot contain control characters".into()))
    } else {
        Ok(text.to_owned())
    }
}

/// Parses the dice that are rolled most often.
fn dice(text: &str) -> Result<StarterDice, Failed> {
    StarterDice::read(text).ok_or_else(|| {
        Failed::Usage(
            "these cannot be the dice of a new game: choose up to 20 plain dice that are added up and have at least six totals, such as `2d6`; you can use any dice in the ruleset later"
                .into(),
        )
    })
}

/// The source of the answers from which a new ruleset is made: options, questions at a terminal, or
/// presets.
struct Asker<'s> {
    screen: &'s mut Screen,
    /// True if questions can be asked at a terminal.
    asks: bool,
}

impl Asker<'_> {
    /// Returns the value of an option, or else the answer at the terminal, or else the preset. If
    /// an answer at the terminal is wrong, prints the reason and asks again.
    fn answer<T: Clone>(
        &mut self,
        given: &Option<T>,
        question: &str,
        preset: &str,
        mut read: impl FnMut(&str) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        if let Some(given) = given {
            return Ok(given.clone());
        }
        loop {
            let answer =
                if self.asks { ask(self.screen, question, preset)? } else { preset.to_owned() };
            match read(&answer) {
                Ok(answer) => return Ok(answer),
                Err(Failed::Usage(why)) if self.asks => {
                    writeln!(self.screen.out(), "{}", sanitize(&why))?;
                }
                Err(why) => return Err(why),
            }
        }
    }
}

/// Asks a question at the terminal; an empty answer means the preset.
fn ask(screen: &mut Screen, question: &str, preset: &str) -> Result<String, Failed> {
    write!(screen.out(), "{question} [{}] ", sanitize(preset))?;
    screen.flush()?;
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        return Err(Failed::Message("nothing was written".into()));
    }
    let line = line.trim();
    Ok(if line.is_empty() { preset } else { line }.to_owned())
}

/// The location of a new ruleset.
struct Place {
    /// The file of the ruleset.
    file: PathBuf,
    /// The folder of that file.
    folder: PathBuf,
    /// A title made from the path.
    title: String,
}

impl Place {
    /// Returns the location for a path. Fails if a file or a ruleset already exists there.
    fn of(path: &Path) -> Result<Place, Failed> {
        let single = path.extension().is_some_and(|e| e == "toml");
        let stem = path.file_stem().map(|n| sanitize(&n.to_string_lossy()));
        let title = titled(&stem.unwrap_or_default());
        let (file, folder) = if single {
            (path.to_owned(), path.parent().unwrap_or(Path::new("")).to_owned())
        } else {
            (path.join("game.toml"), path.to_owned())
        };
        // All the files in a folder are one ruleset, so the new file would become part of it.
        let is_toml = |found: &PathBuf| found.extension().is_some_and(|e| e == "toml");
        let what = if fs::symlink_metadata(&file).is_ok() {
            format!("`{}` already exists", shown(&file))
        } else if !single && path.exists() && !path.is_dir() {
            format!(
                "`{}` is a file; the name of a ruleset in a single file ends in `.toml`",
                shown(path)
            )
        } else if !single && SystemDisk.entries(path).is_ok_and(|all| all.iter().any(is_toml)) {
            format!("`{}` already contains a ruleset", shown(path))
        } else {
            return Ok(Place { file, folder, title });
        };
        Err(Failed::Message(format!(
            "{what}: existing files are not overwritten; choose another path"
        )))
    }

    /// Writes the ruleset, and next to it the schema for editors if the folder has none. Returns
    /// the paths of the written files.
    fn write(&self, text: &str) -> Result<Vec<String>, Failed> {
        let mut written = vec![new_file(&self.file, text.as_bytes())?];
        let schema = self.folder.join(SCHEMA);
        if fs::symlink_metadata(&schema).is_err() {
            let document = format!("{:#}\n", format::ruleset_schema());
            written.push(new_file(&schema, document.as_bytes())?);
        }
        Ok(written)
    }
}

/// Returns a title made from a file name, such as `Ridge And Ford` for `ridge-and-ford`.
fn titled(stem: &str) -> String {
    let words = stem.split(['-', '_', ' ', '.']).filter(|w| !w.is_empty());
    let title: Vec<String> = words.map(capitalized).collect();
    if title.is_empty() { "My Game".to_owned() } else { title.join(" ") }
}
