//! Restores a session from the lines of a journal, without running any rule.

use std::sync::Arc;

use adjutant_dice::Seed;
use bytes::Bytes;

use super::board::Board;
use super::copies::is_copy;
use super::error::SessionError;
use super::journal::{DamagedLine, JournalLine, JournalLines, JournalProgress};
use super::record::{FileRecord, Record, RecordError};
use super::seal::{DiceKeys, sha256};
use super::{RECIPE, Session};
use crate::referee::Referee;
use crate::ruleset::{self, FileText, MAX_FILES, MAX_TOTAL, ShippedFiles};
use crate::tabletop::Tabletop;

/// A notice for the umpire when a session is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last line is incomplete and is ignored. The number is its length in bytes.
    Torn(usize),
    /// Parts of the last line are zeros, and the line is ignored. The number is its length in
    /// bytes.
    Zeroed(usize),
    /// The unfinished line was moved to this file in the session's folder.
    SetAside(String),
    /// The disk does not support locks.
    NoLocks,
    /// This other version of the program wrote the last records.
    OtherProgram(String),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::Torn(bytes) => write!(
                f,
                "the last line of the journal is incomplete ({bytes} bytes) and is ignored; its result was never shown"
            ),
            Notice::Zeroed(bytes) => write!(
                f,
                "parts of the last line of the journal ({bytes} bytes) are zeros, so the line is ignored; either it was never completed, or it was damaged after its result was shown"
            ),
            Notice::SetAside(file) => write!(f, "the unfinished line is saved in `{file}`"),
            Notice::NoLocks => f.write_str(
                "this disk does not support locks: make sure that no other console is playing this session",
            ),
            Notice::OtherProgram(version) => write!(
                f,
                "this session was played with adjutant {version}; it continues with {}",
                env!("CARGO_PKG_VERSION")
            ),
        }
    }
}

/// A session that was opened.
#[derive(Debug)]
pub struct OpenedSession {
    /// The session in its last recorded state.
    pub session: Session,
    /// The notices for the umpire.
    pub notices: Vec<Notice>,
}

/// The source of a journal and its files.
#[derive(Clone, Copy)]
pub struct JournalOrigin<'a> {
    /// The name of the journal, for messages.
    pub name: &'a str,
    /// The function that returns the bytes of a file, given the path of the file in the session's
    /// folder.
    pub file: &'a dyn Fn(&str) -> Result<Vec<u8>, SessionError>,
    /// The rulesets that come with the program.
    pub shipped: ShippedFiles,
}

/// A session restored from a journal, and the end of that journal.
#[derive(Debug)]
pub struct LoadedSession {
    /// The session, with notices for the umpire.
    pub opened: OpenedSession,
    /// The end of the journal, after its last complete line.
    pub end: JournalEnd,
}

/// The end of a journal: the bytes after its last complete line.
#[derive(Clone, Debug)]
pub struct JournalEnd {
    /// The number of bytes in the complete lines.
    pub whole: usize,
    /// True if the last line is complete except for its line feed.
    pub unended: bool,
    /// The bytes after the complete lines.
    pub rest: Bytes,
}

impl Session {
    /// Restores a session from the bytes of an undamaged journal. An incomplete last line is not
    /// damage.
    ///
    /// # Errors
    /// Fails if a line is damaged, if the journal has no first record or is in another format, or
    /// if the ruleset's files have changed or do not load.
    pub fn from_journal(
        origin: JournalOrigin<'_>,
        journal: Vec<u8>,
    ) -> Result<LoadedSession, SessionError> {
        let (mut loaded, read) = load_trusted(origin, journal)?;
        if let Some(damage) = read.damage {
            let commands = loaded.opened.session.entries().len();
            return Err(SessionError::Damaged { path: origin.name.to_owned(), damage, commands });
        }
        if read.torn > 0 {
            let notice = if read.zeroed { Notice::Zeroed } else { Notice::Torn };
            loaded.opened.notices.push(notice(read.torn));
        }
        Ok(loaded)
    }

    /// Restores a session from the bytes of a journal, up to the first damaged line.
    ///
    /// # Errors
    /// Fails if the first line is missing, damaged or in another format, or if the ruleset's files
    /// have changed or do not load.
    pub fn from_damaged_journal(
        origin: JournalOrigin<'_>,
        journal: Vec<u8>,
    ) -> Result<LoadedSession, SessionError> {
        load_trusted(origin, journal).map(|(loaded, _)| loaded)
    }

    /// Applies complete lines that another program has appended to the journal, and calls `each`
    /// after each line.
    ///
    /// # Errors
    /// Fails if a line is damaged or does not fit the game. The lines before it have then been
    /// applied.
    pub fn apply_added_lines(
        &mut self,
        added: &Bytes,
        mut each: impl FnMut(&Session),
    ) -> Result<(), SessionError> {
        let mut lines = JournalLines::after(self.chain.clone(), added);
        let mut from = 0;
        while let Some(body) = lines.next() {
            let line = added.slice(from..lines.read.whole);
            self.apply_line(body, added).map_err(|e| SessionError::Misfit(e.to_string()))?;
            self.journal.push(line);
            self.chain.clone_from(&lines.read.chain);
            from = lines.read.whole;
            each(self);
        }
        match lines.read.damage {
            None => Ok(()),
            Some(damage) => Err(SessionError::Misfit(damage.reason)),
        }
    }
}

/// Restores a session from a journal, up to the first damaged or incomplete line. Adds a notice if
/// another version of the program wrote the last records.
fn load_trusted(
    origin: JournalOrigin<'_>,
    bytes: Vec<u8>,
) -> Result<(LoadedSession, JournalProgress), SessionError> {
    let mut bytes = Bytes::from(bytes);
    let (mut session, read) = load(origin, &bytes)?;
    let program = session.log.iter().rev().find_map(|logged| match &logged.what {
        Record::Resume(version) => Some(version.clone()),
        _ => None,
    });
    let program = program.unwrap_or_else(|| session.start.program.clone());
    let other = program != env!("CARGO_PKG_VERSION");
    let notices = if other { vec![Notice::OtherProgram(program)] } else { Vec::new() };
    let rest = bytes.split_off(read.whole);
    session.chain = read.chain.clone();
    session.journal = vec![bytes];
    if read.unended {
        session.journal.push(Bytes::from_static(b"\n"));
    }
    let end = JournalEnd { whole: read.whole, unended: read.unended, rest };
    Ok((LoadedSession { opened: OpenedSession { session, notices }, end }, read))
}

/// Restores a session from the undamaged lines of a journal. An undamaged line may still record
/// something impossible; in that case, the line is reported as damaged, and only the lines before
/// it count.
fn load(
    origin: JournalOrigin<'_>,
    bytes: &Bytes,
) -> Result<(Session, JournalProgress), SessionError> {
    let mut lines = JournalLines::of(bytes);
    let first = lines.next();
    let mut session = begin_session(origin, first, &lines.read)?;
    let mut whole = lines.read.whole;
    while let Some(body) = lines.next() {
        if let Err(reason) = session.apply_line(body, bytes) {
            // Some changes of the impossible line may have been made, so the lines before it are
            // loaded again.
            let (trusted, mut read) = load(origin, &bytes.slice(..whole))?;
            read.damage = Some(DamagedLine { line: read.records + 1, reason: reason.to_string() });
            return Ok((trusted, read));
        }
        whole = lines.read.whole;
    }
    Ok((session, lines.read))
}

/// Returns the session after the first line of its journal. Fails if this line is missing, damaged
/// or impossible, or if the ruleset's files have changed or do not load.
fn begin_session(
    origin: JournalOrigin<'_>,
    first: Option<JournalLine<'_>>,
    read: &JournalProgress,
) -> Result<Session, SessionError> {
    let name = origin.name.to_owned();
    let at_line = |line: usize, reason: String| SessionError::Damaged {
        path: name.clone(),
        damage: DamagedLine { line, reason },
        commands: 0,
    };
    if let (None, Some(form)) = (&first, read.other_form) {
        return Err(SessionError::OtherForm(name, form));
    }
    let Some(first) = first else {
        return Err(match &read.damage {
            Some(damage) => at_line(damage.line, damage.reason.clone()),
            None => SessionError::Empty(name),
        });
    };
    let JournalLine { at, what: Record::Start(start), .. } = first else {
        return Err(at_line(1, "it is not the beginning of a session".to_owned()));
    };
    if start.recipe != RECIPE {
        return Err(at_line(1, format!("its dice follow recipe {}, not {RECIPE}", start.recipe)));
    }
    if let Some(file) = start.files.iter().find(|f| !is_copy(&f.copy)) {
        return Err(at_line(1, format!("`{}` is not one of the session's files", file.copy)));
    }
    let files = start.files.iter().map(|record| stored_file(origin, record));
    let files = collect_files(files, || at_line(1, RecordError::TooLarge.to_string()))?;
    let referee = load_referee(&files)?;
    let seed = Seed::from_hex(&start.seed)
        .ok_or_else(|| at_line(1, "its seed is not 64 hexadecimal digits".to_owned()))?;
    let scenario = referee
        .ruleset()
        .scenario(&start.scenario)
        .ok_or_else(|| at_line(1, format!("the ruleset has no scenario `{}`", start.scenario)))?;
    let rules = referee.ruleset();
    let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
    table.set_up(scenario).map_err(|reason| at_line(1, reason.to_string()))?;
    super::check_known_names(&referee, &start.set_up)
        .map_err(|error| at_line(1, error.to_string()))?;
    start.set_up.apply(&mut table).map_err(|error| at_line(1, error.to_string()))?;
    let board = Board::new(referee.clone(), table, scenario);
    let keys = DiceKeys::new(seed);
    let mut session = Session::new(board, keys, start.clone(), files.into(), origin.shipped);
    session.log_record(at, Record::Start(start), Vec::new(), "");
    Ok(session)
}

/// Returns a file of the ruleset as it was at the start of the session. Fails if its copy is
/// missing or has changed since.
fn stored_file(origin: JournalOrigin<'_>, record: &FileRecord) -> Result<FileText, SessionError> {
    let changed = || SessionError::Ruleset(record.copy.clone());
    let bytes = (origin.file)(&record.copy)?;
    if sha256(&bytes) != record.sha256 {
        return Err(changed());
    }
    let text = String::from_utf8(bytes).map_err(|_| changed())?;
    Ok(FileText { name: record.name.clone(), text, scenario: record.scenario.clone() })
}

/// Collects the files of a ruleset, unless they exceed the maximum number or the maximum total
/// size.
///
/// # Errors
/// Returns the first error among the files, or the error that `too_large` makes.
pub(super) fn collect_files<E>(
    files: impl Iterator<Item = Result<FileText, E>>,
    too_large: impl FnOnce() -> E,
) -> Result<Vec<FileText>, E> {
    let mut total = 0;
    let mut collected = Vec::new();
    for file in files {
        let file = file?;
        total += file.text.len();
        if collected.len() >= MAX_FILES || total > MAX_TOTAL {
            return Err(too_large());
        }
        collected.push(file);
    }
    Ok(collected)
}

/// Loads the files of a session's ruleset, and returns a referee for it. Fails with the first fault
/// if the ruleset does not load.
pub(super) fn load_referee(files: &[FileText]) -> Result<Referee, SessionError> {
    match ruleset::load_to_play(files.to_vec()) {
        Ok(rules) => Ok(Referee::new(Arc::new(rules))),
        Err(faulty) => {
            let first = faulty.faults.first().map_or(String::new(), |f| f.message.clone());
            Err(SessionError::Refused(first))
        }
    }
}
