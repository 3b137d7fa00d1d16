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

/// The rulesets of a name or path: a folder can hold several, a file each. Each with its name if it could not be read.
pub fn find_all(game: &str) -> Vec<Result<Found, (String, String)>> {
    let path = Path::new(game);
    let several = match path.is_dir() && !shipped::names().iter().any(|n| n == game) {
        true => members(path).unwrap_or_default(),
        false => Vec::new(),
    };
    if several.len() < 2 {
        return vec![find(game).map_err(|reason| (game.to_owned(), reason))];
    }
    let mut found: Vec<Result<Found, (String, String)>> = Vec::new();
    for file in &several {
        found.push(on_disk(file).map_err(|reason| (stem(file), reason)));
    }
    let stems: Vec<String> = several.iter().map(|f| stem(f)).collect();
    for file in toml_files(path).unwrap_or_default().iter().filter(|f| !several.contains(f)) {
        let text = read(file, &mut 0).unwrap_or_default();
        if !stems.iter().any(|stem| is_scenario_of(&text, stem)) {
            let names: Vec<&str> = stems.iter().map(String::as_str).collect();
            let reason = format!(
                "`{}` belongs to no ruleset of this folder\na scenario says whose it is: `game = \"…\"`, one of {}",
                clean(&file.display().to_string()),
                crate::diagnostic::list(&names)
            );
            found.push(Err((stem(file), reason)));
        }
    }
    found
}

/// The files of a folder that are whole rulesets; none if the folder itself is one.
fn members(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let files = toml_files(folder)?;
    if files.iter().any(|f| f.file_name().is_some_and(|n| n == "game.toml")) {
        return Ok(Vec::new());
    }
    let whole = |text: String| text.lines().any(|line| line.trim() == "[game]");
    Ok(files.into_iter().filter(|f| read(f, &mut 0).is_ok_and(whole)).collect())
}

/// Whether a text begins as a scenario that names its ruleset: `game = "duel"` before the first section.
fn is_scenario_of(text: &str, ruleset: &str) -> bool {
    let head = text.lines().map(str::trim).take_while(|line| !line.starts_with('['));
    let named = head.filter_map(|line| line.strip_prefix("game")?.trim_start().strip_prefix('='));
    let quoted = |rest: &str| rest.trim().split(['"', '\'']).nth(1).map(str::to_owned);
    named.filter_map(quoted).any(|name| name == ruleset)
}

/// The scenarios beside a ruleset in a single file that name it.
fn beside(path: &Path) -> Vec<FileText> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let ruleset = stem(path);
    let mut files = Vec::new();
    // Of a folder too large to look through, the ruleset is taken alone.
    for file in toml_files(folder).unwrap_or_default() {
        let Ok(text) = read(&file, &mut 0) else { continue };
        if is_scenario_of(&text, &ruleset) {
            let name = file.display().to_string();
            files.push(FileText { scenario: Some(shipped::scenario_name(&name)), name, text });
        }
    }
    files
}

/// When the files of a ruleset on disk were last written, and how long they are: another stamp, another check.
pub fn stamp(game: &str) -> Vec<(PathBuf, Option<std::time::SystemTime>, u64)> {
    let path = Path::new(game);
    let mut files = match path.is_dir() {
        true => toml_files(path).unwrap_or_default(),
        false => vec![path.to_owned()],
    };
    files.extend(toml_files(&path.join("scenarios")).unwrap_or_default());
    let of = |file: PathBuf| {
        let about = fs::metadata(&file).ok();
        let written = about.as_ref().and_then(|a| a.modified().ok());
        (file, written, about.map_or(0, |a| a.len()))
    };
    files.into_iter().map(of).collect()
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

/// A folder with `game.toml`, or a single file with the scenarios beside it that name it.
pub fn on_disk(path: &Path) -> Result<Found, String> {
    let shown = clean(&path.display().to_string());
    let kind = fs::metadata(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    let mut total = 0;
    if kind.is_file() {
        let text = read(path, &mut total)?;
        let mut files = vec![FileText { name: shown, text, scenario: None }];
        files.extend(beside(path));
        return Ok(Found { name: stem(path), files });
    }
    let mut files = Vec::new();
    let rules = toml_files(path)?;
    if rules.is_empty() {
        return Err(format!("`{shown}` is no ruleset: there is no `game.toml` in it"));
    }
    let several = members(path)?;
    if several.len() > 1 {
        let names: Vec<String> = several.iter().map(|f| clean(&f.display().to_string())).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let names = crate::diagnostic::list(&names);
        return Err(format!("`{shown}` holds several rulesets\nname one: {names}"));
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
    // `check` shows more of them.
    for fault in faulty.faults.iter().take(20) {
        let text = render::diagnostic::diagnostic(fault, &faulty.sources, true, width);
        // If standard error is closed, nobody is there to be told.
        let _ = writeln!(err, "{text}\n");
    }
}
