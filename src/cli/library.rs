//! Rulesets by name or path: the only place where their files are read.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Failed;
use super::screen::Screen;
use crate::render;
use crate::render::markup::clean;
use crate::ruleset::{self, Faulty, FileText, MAX_FILE, MAX_TOTAL, Ruleset, shipped};

/// So many files may a ruleset have.
const MAX_FILES: usize = 1000;

/// A ruleset by name or path.
#[derive(Clone, Debug)]
pub struct Found {
    /// How it is called in headings: the shipped name, or the name of the folder or file.
    pub name: String,
    /// Its files.
    pub files: Vec<FileText>,
}

/// The files of a shipped ruleset, or of one on disk. Errors are for people.
pub fn find(game: &str) -> Result<Found, String> {
    let path = Path::new(game);
    let looks_like_path = game.contains(['/', '\\']) || game.ends_with(".toml") || path.is_dir();
    if !looks_like_path || shipped::names().iter().any(|n| n == game) {
        return match shipped::files(game) {
            Some(files) => Ok(Found { name: game.to_owned(), files }),
            None => Err(unknown(game)),
        };
    }
    on_disk(path)
}

fn unknown(game: &str) -> String {
    let names = shipped::names();
    let shown = clean(&game.chars().take(60).collect::<String>());
    let mut message = format!("there is no game `{shown}`");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Some(near) = crate::diagnostic::nearest(game, names.iter().copied()) {
        message.push_str(&format!("; did you mean `{near}`?"));
    }
    if !names.is_empty() {
        let all = crate::diagnostic::list(&names);
        message.push_str(&format!("\nthere is: {all}, or the path of a ruleset"));
    }
    message
}

/// A game as it is found from any folder: a shipped name as it is, a path from the root.
pub fn from_anywhere(game: &str) -> String {
    if shipped::names().iter().any(|n| n == game) {
        return game.to_owned();
    }
    // What has no path that is text is found from where it was chosen, or not at all.
    let whole = fs::canonicalize(game).ok();
    whole.and_then(|p| p.to_str().map(str::to_owned)).unwrap_or_else(|| game.to_owned())
}

/// The files of a game as they are now, for who plays it.
pub fn reread(game: &str) -> Result<Vec<FileText>, String> {
    if shipped::names().iter().any(|n| n == game) {
        return Err(format!(
            "`{game}` came with adjutant and cannot be edited: there is nothing to reload"
        ));
    }
    find(game).map(|found| found.files)
}

/// A folder with `game.toml`, or a single file.
pub fn on_disk(path: &Path) -> Result<Found, String> {
    let shown = clean(&path.display().to_string());
    let kind = fs::metadata(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    let mut total = 0;
    if kind.is_file() {
        let text = read(path, &mut total)?;
        return Ok(Found {
            name: stem(path),
            files: vec![FileText { name: shown, text, scenario: None }],
        });
    }
    let mut files = Vec::new();
    let rules = toml_files(path)?;
    if rules.is_empty() {
        return Err(format!("`{shown}` is no ruleset: there is no `game.toml` in it"));
    }
    for file in rules {
        let text = read(&file, &mut total)?;
        files.push(FileText { name: file.display().to_string(), text, scenario: None });
    }
    let scenarios = path.join("scenarios");
    if scenarios.is_dir() {
        for file in toml_files(&scenarios)? {
            let text = read(&file, &mut total)?;
            let name = file.display().to_string();
            files.push(FileText { scenario: Some(shipped::scenario_name(&name)), name, text });
        }
    }
    Ok(Found { name: stem(path), files: shipped::in_order(files) })
}

/// The last part of a path, without its ending.
fn stem(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = whole.file_stem().or(whole.file_name()).map(|n| n.to_string_lossy().into_owned());
    clean(&name.unwrap_or_else(|| "game".into()))
}

/// The files of a folder that end in `.toml`, by name.
fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = clean(&folder.display().to_string());
    let cannot = |e: std::io::Error| format!("cannot read `{shown}`: {e}");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.extension().is_some_and(|e| e == "toml") && !hidden {
            found.push(path);
        }
        if found.len() > MAX_FILES {
            return Err(format!("`{shown}` holds more than {MAX_FILES} files"));
        }
    }
    found.sort();
    Ok(found)
}

/// A file as text, if it is not too large and is a file at all.
fn read(path: &Path, total: &mut usize) -> Result<String, String> {
    let shown = clean(&path.display().to_string());
    let cannot = |e: std::io::Error| format!("cannot read `{shown}`: {e}");
    // A pipe or device would never end; a link is followed, but only to a file.
    if !fs::metadata(path).map_err(cannot)?.is_file() {
        return Err(format!("cannot read `{shown}`: it is no file"));
    }
    let file = fs::File::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() > MAX_FILE {
        return Err(format!("`{shown}` has more than {MAX_FILE} bytes"));
    }
    *total += bytes.len();
    if *total > MAX_TOTAL {
        return Err(format!("this ruleset has more than {MAX_TOTAL} bytes"));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to() + 1;
        format!("`{shown}` is not valid UTF-8 (byte {at})")
    })
}

/// A ruleset that can be played; its faults go to standard error.
pub fn load(game: &str, screen: &mut Screen) -> Result<(String, Arc<Ruleset>), Failed> {
    load_with_files(game, screen).map(|(name, ruleset, _)| (name, ruleset))
}

/// As [`load`], with the files it was loaded from.
pub fn load_with_files(
    game: &str,
    screen: &mut Screen,
) -> Result<(String, Arc<Ruleset>, Vec<ruleset::FileText>), Failed> {
    let found = find(game).map_err(Failed::Message)?;
    match ruleset::load(found.files.clone()) {
        Ok(ruleset) => Ok((found.name, Arc::new(ruleset), found.files)),
        Err(faulty) => {
            tell_faults(&faulty, screen);
            let n = faulty.faults.len();
            let faults = if n == 1 { "1 fault" } else { &format!("{n} faults") };
            Err(Failed::Message(format!("`{}` has {faults} and cannot be played", found.name)))
        }
    }
}

fn tell_faults(faulty: &Faulty, screen: &mut Screen) {
    use std::io::Write;
    let width = screen.width();
    let _ = screen.flush();
    let mut err = anstream::stderr();
    for fault in &faulty.faults {
        let text = render::diagnostic::diagnostic(fault, &faulty.sources, true, width);
        // If standard error is closed, nobody is there to be told.
        let _ = writeln!(err, "{text}\n");
    }
}
