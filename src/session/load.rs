//! Resuming: from the lines of a journal to the session as it was, without running a rule.

use std::sync::Arc;

use bytes::Bytes;

use super::Session;
use super::board::Board;
use super::journal::{Body, Damage, Lines, Read};
use super::record::{FileRecord, Record};
use super::seal::{Keys, sha256};
use super::storage::{StoreError, is_copy};
use crate::dice::Seed;
use crate::referee::Referee;
use crate::ruleset::{self, FileText, Ruleset};
use crate::tabletop::Tabletop;

/// Something the umpire should know about a session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last line was never finished and counts for nothing; its number of bytes.
    Torn(usize),
    /// The unfinished line was moved to this file beside the journal.
    SetAside(String),
    /// The disk knows no locks.
    NoLocks,
    /// The last records were written by another version of the program.
    OtherProgram(String),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::Torn(bytes) => write!(
                f,
                "the last line of the journal was never finished ({bytes} bytes) and counts for nothing; \
                 what it held was never shown"
            ),
            Notice::SetAside(file) => write!(f, "the unfinished line is kept in `{file}`"),
            Notice::NoLocks => f.write_str(
                "this disk knows no locks: see to it that no second console plays this session",
            ),
            Notice::OtherProgram(version) => write!(
                f,
                "this session was played with adjutant {version}; it goes on with {}",
                env!("CARGO_PKG_VERSION")
            ),
        }
    }
}

/// A session that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The session, where it was.
    pub session: Session,
    /// Notices for the umpire.
    pub notices: Vec<Notice>,
}

/// Where a journal and the files kept with it come from.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    /// The name of the journal, for messages.
    pub name: &'a str,
    /// Returns the bytes of a file, by its path in the session's folder.
    pub file: &'a dyn Fn(&str) -> Result<Vec<u8>, StoreError>,
}

impl Session {
    /// Makes a session from the bytes of a journal; `file` gives the bytes of a file kept with it, by its path in the
    /// session's folder. Nothing is kept until [`Session::keep_in`].
    pub fn from_journal(
        journal: &[u8],
        file: &dyn Fn(&str) -> Result<Vec<u8>, StoreError>,
    ) -> Result<Opened, StoreError> {
        whole(Origin { name: "journal", file }, journal.to_vec()).map(|(opened, ..)| opened)
    }
}

/// A session made from a journal, what was read of it, and the bytes behind that.
pub(super) type Loaded = (Opened, Read, Bytes);

/// Makes a session from a journal in which nothing is damaged.
pub(super) fn whole(origin: Origin<'_>, bytes: Vec<u8>) -> Result<Loaded, StoreError> {
    let (mut opened, mut read, rest) = up_to_damage(origin, bytes)?;
    if let Some(damage) = read.damage.take() {
        let (path, commands) = (origin.name.to_owned(), opened.session.entries().len());
        return Err(StoreError::Damaged { path, damage, commands });
    }
    if read.torn > 0 {
        opened.notices.push(Notice::Torn(read.torn));
    }
    Ok((opened, read, rest))
}

/// Makes a session from a journal, up to the first line that cannot be trusted.
pub(super) fn up_to_damage(origin: Origin<'_>, bytes: Vec<u8>) -> Result<Loaded, StoreError> {
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
    Ok((Opened { session, notices }, read, rest))
}

/// Makes a session from the lines that can be trusted, one after the other. A sound line may still say something
/// impossible: then only the lines before it count.
fn load(origin: Origin<'_>, bytes: &Bytes) -> Result<(Session, Read), StoreError> {
    let mut lines = Lines::of(bytes);
    let first = lines.next();
    let mut session = begun(origin, first, &lines.read)?;
    let mut whole = lines.read.whole;
    while let Some(body) = lines.next() {
        if let Err(reason) = session.take_line(body, bytes) {
            // Part of its changes may have been made, so the lines before it are read once more.
            let (session, mut read) = load(origin, &bytes.slice(..whole))?;
            read.damage = Some(Damage { line: read.records + 1, reason: reason.to_string() });
            return Ok((session, read));
        }
        whole = lines.read.whole;
    }
    Ok((session, lines.read))
}

/// Returns the session as it began.
fn begun(origin: Origin<'_>, first: Option<Body<'_>>, read: &Read) -> Result<Session, StoreError> {
    let name = origin.name.to_owned();
    let at_line = |line: usize, reason: String| StoreError::Damaged {
        path: name.clone(),
        damage: Damage { line, reason },
        commands: 0,
    };
    let Some(first) = first else {
        return Err(match &read.damage {
            Some(damage) => at_line(damage.line, damage.reason.clone()),
            None => StoreError::Empty(name),
        });
    };
    let Body { v, at, what: Record::Start(start), .. } = first else {
        return Err(at_line(1, "a session does not begin like this".to_owned()));
    };
    if let Some(file) = start.files.iter().find(|f| !is_copy(&f.copy)) {
        return Err(at_line(1, format!("`{}` is not a file of the session", file.copy)));
    }
    let files: Vec<FileText> =
        start.files.iter().map(|f| kept_file(origin, f)).collect::<Result<_, _>>()?;
    let referee = referee(&files, start.numbered_by_side)?;
    let seed =
        Seed::from_hex(&start.seed).ok_or_else(|| at_line(1, "it holds no seed".to_owned()))?;
    let scenario = referee
        .ruleset()
        .scenario(&start.scenario)
        .ok_or_else(|| at_line(1, format!("the ruleset has no scenario `{}`", start.scenario)))?;
    let rules = referee.ruleset();
    let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
    table.set_out(scenario).map_err(|reason| at_line(1, reason.to_string()))?;
    super::known(&referee, &start.set_up).map_err(|error| at_line(1, error.to_string()))?;
    start.set_up.apply(&mut table).map_err(|error| at_line(1, error.to_string()))?;
    let board = Board::new(referee.clone(), table, scenario);
    let keys = Keys::new(seed, &start.words, start.recipe);
    let mut session = Session::new(board, keys, start.clone(), files.into());
    session.take(at, Record::Start(start), Vec::new(), "");
    session.version1 = usize::from(v == 1);
    Ok(session)
}

/// Returns a file of the ruleset as it was at the start.
fn kept_file(origin: Origin<'_>, record: &FileRecord) -> Result<FileText, StoreError> {
    let changed = || StoreError::Ruleset(record.copy.clone());
    let bytes = (origin.file)(&record.copy)?;
    if sha256(&bytes) != record.sha256 {
        return Err(changed());
    }
    let text = String::from_utf8(bytes).map_err(|_| changed())?;
    Ok(FileText { name: record.name.clone(), text, scenario: record.scenario.clone() })
}

/// Returns a referee for the rules of a session, which numbers hidden pieces for each side or all together.
pub(super) fn referee_for(mut rules: Arc<Ruleset>, by_side: bool) -> Referee {
    if !by_side {
        Arc::make_mut(&mut Arc::make_mut(&mut rules).schema).numbered_together = true;
    }
    Referee::new(rules)
}

/// Returns a referee for the files of a session's ruleset.
pub(super) fn referee(files: &[FileText], by_side: bool) -> Result<Referee, StoreError> {
    match ruleset::load_to_play(files.to_vec()) {
        Ok(rules) => Ok(referee_for(Arc::new(rules), by_side)),
        Err(faulty) => {
            let first = faulty.faults.first().map_or(String::new(), |f| f.message.clone());
            Err(StoreError::Refused(first))
        }
    }
}
