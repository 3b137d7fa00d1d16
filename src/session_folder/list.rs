//! The sessions in a folder, without opening them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use adjutant_engine::session::{JournalLine, Record, StoreError, backwards, check_session_name};

use super::folder::{JOURNAL, folder_name, refused};

/// The number of bytes at the end of a journal in which its last record is looked for first.
const TAIL: u64 = 1 << 16;

/// Returns a name that is free in the folder of sessions: the base, or the base with a number.
pub fn free_name(root: &Path, base: &str) -> String {
    let fits = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let base: String = base.chars().take(70).map(fits).collect();
    let base = base.trim_matches(['-', '_', '.']);
    let base = if base.is_empty() { "session" } else { base };
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    let free =
        |n: &String| check_session_name(n).is_ok() && fs::symlink_metadata(root.join(n)).is_err();
    names.find(free).unwrap_or_else(|| base.to_owned())
}

/// A session in a list of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// The game, as it was chosen.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// The scenario.
    pub scenario: String,
    /// The turn.
    pub turn: i64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When something last happened.
    pub last: u64,
    /// The last command's line; none if there was none yet.
    pub line: Option<String>,
    /// The fault, if it cannot be read.
    pub fault: Option<String>,
}

impl Summary {
    /// Returns true if something was done in it, or if that cannot be known.
    pub fn is_played(&self) -> bool {
        self.line.is_some() || self.fault.is_some()
    }
}

/// Returns all sessions in a folder, the latest first. Only the ends of the journals are read.
pub fn list(root: &Path) -> Result<Vec<Summary>, StoreError> {
    let entries = match fs::read_dir(root) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|e| refused(root, &e.into()))?,
    };
    let mut found: Vec<Summary> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| !hidden(p))
        .filter_map(|p| summary(&p))
        .collect();
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.name.cmp(&b.name)));
    Ok(found)
}

/// Returns true for a folder that is still being made.
fn hidden(path: &Path) -> bool {
    folder_name(path).starts_with('.')
}

/// Returns a session's summary; none if the folder holds no journal.
pub fn summary(path: &Path) -> Option<Summary> {
    let file = path.join(JOURNAL);
    if !file.is_file() {
        return None;
    }
    let file = File::open(file).ok()?;
    let mut summary =
        Summary { name: folder_name(path), path: path.to_owned(), ..Summary::default() };
    let mut reader = BufReader::new(file);
    let mut first = Vec::new();
    let read = reader.read_until(b'\n', &mut first);
    let body = backwards(&first).next();
    let (Ok(_), Some(JournalLine { at, turn, what: Record::Start(start), .. })) = (read, body)
    else {
        summary.fault = Some("its first line cannot be read".to_owned());
        return Some(summary);
    };
    (summary.began, summary.last, summary.turn) = (at, at, turn);
    summary.game.clone_from(&start.game);
    summary.title.clone_from(&start.title);
    summary.scenario.clone_from(&start.scenario);
    let mut file = reader.into_inner();
    let length = file.metadata().map_or(0, |m| m.len());
    // A single record can be longer than what is read first, so ever more is read until something typed is found.
    let mut taken = TAIL.min(length);
    loop {
        let mut tail = Vec::new();
        let sought = file.seek(SeekFrom::Start(length - taken));
        if sought.and_then(|_| file.read_to_end(&mut tail)).is_err() {
            return Some(summary);
        }
        let mut bodies = backwards(&tail).peekable();
        if let Some(last) = bodies.peek() {
            (summary.last, summary.turn) = (last.at, last.turn);
        }
        summary.line = bodies.find_map(|body| body.what.line());
        if summary.line.is_some() || taken == length {
            return Some(summary);
        }
        taken = taken.saturating_mul(8).min(length);
    }
}
