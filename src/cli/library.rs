//! Finds and reads rulesets by name or path. No other module reads their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use adjutant_engine::names::count_with_noun;
use adjutant_engine::render::markup::sanitize;
use adjutant_engine::ruleset::{FaultyRuleset, FileText, MAX_FILE, MAX_FILES, MAX_TOTAL, Ruleset};
use adjutant_engine::{render, ruleset};

use crate::cli::output::Screen;
use crate::cli::{Failed, shown};
use crate::files::{self, Disk, DiskError, FileKind, SystemDisk};
use crate::shipped;

/// The files of a ruleset, found by its name or path.
#[derive(Clone, Debug)]
pub(super) struct RulesetFiles {
    /// The name of the ruleset in headings: its shipped name, or the name of its folder or file.
    pub(super) name: String,
    pub(super) files: Vec<FileText>,
    shipped: bool,
}

/// Returns the files of a shipped ruleset, or of a ruleset on disk.
pub(super) fn find(game: &str) -> Result<RulesetFiles> {
    let path = Path::new(game);
    let looks_like_path = game.contains(['/', '\\']) || game.ends_with(".toml") || path.is_dir();
    if !looks_like_path || shipped::names().iter().any(|n| n == game) {
        return Ok(RulesetFiles {
            name: game.to_owned(),
            files: shipped_files(game)?,
            shipped: true,
        });
    }
    let kind =
        fs::metadata(path).map_err(|error| LibraryError::Read { path: path.to_owned(), error })?;
    let files = match (kind.is_file(), kind.is_dir()) {
        (true, _) => single(path)?,
        (_, true) => folder(path)?,
        _ => return Err(LibraryError::NoFile(path.to_owned())),
    };
    Ok(RulesetFiles { name: stem(path), files, shipped: false })
}

/// Returns the files of a shipped ruleset.
pub(super) fn shipped_files(game: &str) -> Result<Vec<FileText>> {
    shipped::files(game).ok_or_else(|| LibraryError::NoGame(game.to_owned()))
}

/// The reason why a ruleset cannot be found or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LibraryError {
    #[error("{}", unknown(.0))]
    NoGame(String),
    #[error("cannot read `{}`: {error}", shown(path))]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot read `{}`: it is not a file", shown(.0))]
    NoFile(PathBuf),
    #[error("`{}` is too large: a ruleset has at most {MAX_FILES} files of at most {MAX_FILE} bytes, \
         and {MAX_TOTAL} bytes in all", shown(.0))]
    TooLarge(PathBuf),
    /// A file is not valid UTF-8. `byte` is the number of the first invalid byte, counted from 1.
    #[error("`{}` is not valid UTF-8 (byte {byte})", shown(path))]
    NotUtf8 { path: PathBuf, byte: usize },
    #[error("`{}` is not a ruleset: there is no `.toml` file in it", shown(.0))]
    NoRuleset(PathBuf),
    #[error("`{0}` came with adjutant and cannot be edited: there is nothing to reload")]
    Shipped(String),
}

type Result<T> = std::result::Result<T, LibraryError>;

fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    adjutant_engine::names::quote_names(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the message for an unknown game. It lists the known games.
fn unknown(game: &str) -> String {
    let names = shipped::names();
    let there_is = if names.is_empty() {
        String::new()
    } else {
        format!("available: {}, or the path of a ruleset", listed(names.iter().cloned()))
    };
    adjutant_engine::names::no_such_name("game", game, names.iter().map(String::as_str), &there_is)
}

/// Reads a ruleset that is a single file, with its scenarios: files in the same folder that name
/// the ruleset above their first section, as in `game = "duel"`.
fn single(path: &Path) -> Result<Vec<FileText>> {
    let own_name = stem(path);
    let names_it = |text: &str| {
        let head = text.lines().map(str::trim).take_while(|line| !line.starts_with('['));
        let mut named =
            head.filter_map(|line| line.strip_prefix("game")?.trim_start().strip_prefix('='));
        named.any(|value| value.split(['"', '\'']).nth(1) == Some(&own_name))
    };
    let mut files = vec![FileText { name: shown(path), text: read_named(path)?, scenario: None }];
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // A folder that can't be searched, or has too many files, yields no scenarios.
    for beside in toml_files(folder.unwrap_or(Path::new("."))).unwrap_or_default() {
        let name = beside.display().to_string();
        let text = read_found(&beside, &mut 0).unwrap_or_default();
        if names_it(&text) {
            let scenario = Some(shipped::scenario_name(&name));
            files.push(FileText { name, text, scenario });
        }
    }
    Ok(files)
}

/// Returns the modification times and sizes of a ruleset's files on disk, except the scenarios next
/// to a single-file ruleset. If two results differ, a file has been written in between.
pub(super) fn stamp(game: &str) -> Vec<(PathBuf, Option<std::time::SystemTime>, u64)> {
    let path = Path::new(game);
    let mut files =
        if path.is_dir() { toml_files(path).unwrap_or_default() } else { vec![path.to_owned()] };
    files.extend(toml_files(&path.join("scenarios")).unwrap_or_default());
    let mut stamps = Vec::new();
    for file in files {
        let about = fs::metadata(&file).ok();
        let written = about.as_ref().and_then(|a| a.modified().ok());
        stamps.push((file, written, about.map_or(0, |a| a.len())));
    }
    stamps
}

/// Returns a name that finds the game from any folder: a shipped name, or an absolute path.
pub(super) fn from_anywhere(game: &str) -> String {
    if shipped::names().iter().any(|n| n == game) {
        return game.to_owned();
    }
    // A path that isn't valid UTF-8 stays as it was typed, so it is found only from this folder.
    let whole = fs::canonicalize(game).ok();
    whole.and_then(|p| p.to_str().map(str::to_owned)).unwrap_or_else(|| game.to_owned())
}

/// Reads the files of the current game again. Fails for a shipped game, whose files can't change.
pub(super) fn reread(game: &str) -> Result<Vec<FileText>> {
    if shipped::names().iter().any(|n| n == game) {
        return Err(LibraryError::Shipped(game.to_owned()));
    }
    find(game).map(|found| found.files)
}

/// Reads a ruleset that is a folder, with the scenarios in its subfolder `scenarios`.
fn folder(path: &Path) -> Result<Vec<FileText>> {
    let rules = toml_files(path)?;
    if rules.is_empty() {
        return Err(LibraryError::NoRuleset(path.to_owned()));
    }
    let within = path.join("scenarios");
    let kind = SystemDisk.kind(&within).map_err(|e| refused(&within, e))?;
    let has_scenarios = kind == Some(FileKind::Folder);
    let scenarios = if has_scenarios { toml_files(&within)? } else { Vec::new() };
    let mut files = Vec::new();
    let mut total = 0;
    let rules = rules.iter().map(|file| (file, false));
    for (file, is_scenario) in rules.chain(scenarios.iter().map(|file| (file, true))) {
        let text = read_found(file, &mut total)?;
        let name = file.display().to_string();
        let scenario = is_scenario.then(|| shipped::scenario_name(&name));
        files.push(FileText { name, text, scenario });
    }
    Ok(shipped::in_order(files))
}

/// Returns the last part of a path, without its extension.
fn stem(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = whole.file_stem().or(whole.file_name()).map(|n| n.to_string_lossy().into_owned());
    sanitize(&name.unwrap_or_else(|| "game".into()))
}

/// Returns the files in a folder whose names end in `.toml`, sorted by name. Hidden files are left
/// out.
fn toml_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in SystemDisk.entries(folder).map_err(|e| refused(folder, e))? {
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.extension().is_some_and(|e| e == "toml") && !hidden {
            found.push(path);
        }
        if found.len() > MAX_FILES {
            return Err(LibraryError::TooLarge(folder.to_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// Turns an error from the disk into an error about this path.
fn refused(path: &Path, error: DiskError) -> LibraryError {
    let path = path.to_owned();
    match error {
        DiskError::NotPlain => LibraryError::NoFile(path),
        DiskError::Long(_) => LibraryError::TooLarge(path),
        DiskError::Io(error) => LibraryError::Read { path, error },
    }
}

/// Reads a file that the user named, either directly or through a link.
fn read_named(path: &Path) -> Result<String> {
    let bytes = files::read_named(path, MAX_FILE as u64).map_err(|e| refused(path, e))?;
    read_text(path, bytes, &mut 0)
}

/// Reads a file that was found in a folder, and adds its size to `total`. A link is not followed:
/// in a folder from a stranger, it could lead to any of the user's files.
fn read_found(path: &Path, total: &mut usize) -> Result<String> {
    let bytes = SystemDisk.read(path, MAX_FILE as u64).map_err(|e| refused(path, e))?;
    read_text(path, bytes, total)
}

/// Returns the bytes of a file as text, and adds their number to `total`.
fn read_text(path: &Path, bytes: Vec<u8>, total: &mut usize) -> Result<String> {
    *total += bytes.len();
    if *total > MAX_TOTAL {
        return Err(LibraryError::TooLarge(path.to_owned()));
    }
    String::from_utf8(bytes).map_err(|e| LibraryError::NotUtf8 {
        path: path.to_owned(),
        byte: e.utf8_error().valid_up_to() + 1,
    })
}

/// Returns the name of a scenario that is given as a separate file; `None` if
/// `scenario` does not end in `.toml`.
pub(super) fn scenario_of_file(scenario: &str) -> Option<String> {
    scenario.ends_with(".toml").then(|| shipped::scenario_name(scenario))
}

/// Finds and loads a ruleset to play. If the scenario is a separate file, it is loaded as part of
/// the ruleset. The ruleset's faults are written to standard error.
pub(super) fn load(
    game: &str,
    scenario: Option<&str>,
    screen: &mut Screen,
) -> std::result::Result<(RulesetFiles, Arc<Ruleset>), Failed> {
    let mut found = find(game)?;
    // Shipped rulesets have already been checked.
    let mut load = if found.shipped { ruleset::load_to_play } else { ruleset::load };
    if let Some((file, name)) = scenario.and_then(|file| Some((file, scenario_of_file(file)?))) {
        let text = read_named(Path::new(file))?;
        found.files.push(FileText { name: file.to_owned(), text, scenario: Some(name) });
        load = ruleset::load;
    }
    match load(found.files.clone()) {
        Ok(ruleset) => {
            let ruleset = Arc::new(ruleset);
            // The ruleset is needed until the program ends. Freeing its parts one by one would only
            // cost time.
            std::mem::forget(ruleset.clone());
            Ok((found, ruleset))
        }
        Err(faulty) => {
            tell_faults(&faulty, screen);
            let faults = count_with_noun(faulty.faults.len(), "fault");
            Err(Failed::Message(format!("`{}` has {faults} and cannot be played", found.name)))
        }
    }
}

fn tell_faults(faulty: &FaultyRuleset, screen: &mut Screen) {
    use std::io::Write;
    let width = screen.width();
    let _ = screen.flush();
    let mut err = anstream::stderr();
    // `check` shows more of them.
    for fault in faulty.faults.iter().take(20) {
        let text = render::diagnostic::diagnostic(fault, &faulty.sources, true, width);
        // If standard error is closed, the faults are lost.
        let _ = writeln!(err, "{text}\n");
    }
}
