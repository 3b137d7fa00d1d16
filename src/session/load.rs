//! Resuming: from the lines of a journal to the session as it was, without running a rule.

use std::path::Path;
use std::sync::Arc;

use super::amend::kept;
use super::board::Board;
use super::history::{Amendment, Entry, History, Step};
use super::journal::{self, Damage, Lines};
use super::record::{AmendRecord, CommandRecord, Record, read_outcome};
use super::seal::Keys;
use super::store::{Folder, StoreError, is_copy, read_files, read_journal};
use super::{Happening, Logged, RealDice, Session};
use crate::dice::Seed;
use crate::referee::Referee;
use crate::ruleset::{self, FileText};
use crate::tabletop::Tabletop;

/// Something the umpire should know about a session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last line was never finished, and was dropped; how many bytes it had.
    Torn(usize),
    /// The last records were written by another version of the program.
    OtherProgram(String),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::Torn(bytes) => write!(
                f,
                "the last line of the journal was never finished ({bytes} bytes) and has been dropped; \
                 what it held was never shown"
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
    /// What the umpire should know.
    pub notices: Vec<Notice>,
}

impl Session {
    /// Opens a session to go on with it. It is refused while another console plays it, and if a line of its
    /// journal cannot be trusted; what stands before that line can be had by [`Session::recover`].
    pub fn open(path: &Path, at: u64) -> Result<Opened, StoreError> {
        let (mut folder, bytes) = Folder::open(path)?;
        let mut lines = journal::read(&bytes);
        let (mut session, mut notices) = load(path, &bytes, &mut lines)?;
        if let Some(damage) = lines.damage {
            return Err(damaged(path, damage, &session));
        }
        if lines.torn > 0 {
            notices.push(Notice::Torn(lines.torn));
        }
        folder.mend(lines.whole, lines.unended)?;
        session.keep = Some(Box::new(folder));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        session.write(at, Record::Resume(version.clone()))?;
        session.logged(at, Happening::Resumed(version));
        Ok(Opened { session, notices })
    }

    /// Reads a session to look at it; nothing is written, and it may be played elsewhere meanwhile.
    pub fn look(path: &Path) -> Result<Opened, StoreError> {
        let bytes = read_journal(path)?;
        let mut lines = journal::read(&bytes);
        let (session, mut notices) = load(path, &bytes, &mut lines)?;
        if let Some(damage) = lines.damage {
            return Err(damaged(path, damage, &session));
        }
        if lines.torn > 0 {
            notices.push(Notice::Torn(lines.torn));
        }
        Ok(Opened { session, notices })
    }

    /// Copies a damaged session up to the damage into a new folder, and opens that. The damaged one is left as
    /// it is.
    pub fn recover(path: &Path, to: &Path, at: u64) -> Result<Opened, StoreError> {
        let bytes = read_journal(path)?;
        let mut lines = journal::read(&bytes);
        let (mut session, notices) = load(path, &bytes, &mut lines)?;
        session.keep(to)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        session.write(at, Record::Resume(version.clone()))?;
        session.logged(at, Happening::Resumed(version));
        Ok(Opened { session, notices })
    }
}

fn damaged(path: &Path, damage: Damage, session: &Session) -> StoreError {
    let path = path.join("journal.jsonl").display().to_string();
    StoreError::Damaged { path, damage, commands: session.entries().len() }
}

/// Makes a session of the lines that can be trusted. What a sound line says may still be impossible: then these are
/// the lines before it.
fn load(
    path: &Path,
    bytes: &[u8],
    lines: &mut Lines,
) -> Result<(Session, Vec<Notice>), StoreError> {
    let mut session = begun(path, bytes, lines)?;
    let mut program = session.start.program.clone();
    for (place, body) in lines.bodies.iter().enumerate().skip(1) {
        if let Record::Resume(version) = &body.what {
            program.clone_from(version);
        }
        match session.again(&body.what) {
            Ok(happening) => session.logged(body.at, happening),
            Err(reason) => {
                lines.cut(bytes, place, reason);
                // Half of the step may be done: from the beginning again, up to there.
                return load(path, bytes, lines);
            }
        }
    }
    let other = program != env!("CARGO_PKG_VERSION");
    let notices = if other { vec![Notice::OtherProgram(program)] } else { Vec::new() };
    Ok((session, notices))
}

/// The session as it began.
fn begun(path: &Path, bytes: &[u8], lines: &Lines) -> Result<Session, StoreError> {
    let name = path.join("journal.jsonl").display().to_string();
    let at_line = |line: usize, reason: String| StoreError::Damaged {
        path: name.clone(),
        damage: Damage { line, reason },
        commands: 0,
    };
    let Some(first) = lines.bodies.first() else {
        return Err(match &lines.damage {
            Some(damage) => at_line(damage.line, damage.reason.clone()),
            None => StoreError::Empty(name),
        });
    };
    let Record::Start(start) = &first.what else {
        return Err(at_line(1, "it is no beginning of a session".to_owned()));
    };
    if let Some(file) = start.files.iter().find(|f| !is_copy(&f.copy)) {
        return Err(at_line(1, format!("`{}` is no file of the session", file.copy)));
    }
    let files = read_files(path, &start.files)?;
    let referee = referee(&files)?;
    let seed =
        Seed::from_hex(&start.seed).ok_or_else(|| at_line(1, "it holds no seed".to_owned()))?;
    let scenario = referee
        .ruleset()
        .scenario(&start.scenario)
        .ok_or_else(|| at_line(1, format!("the ruleset has no scenario `{}`", start.scenario)))?;
    let rules = referee.ruleset();
    let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
    table.set_out(scenario).map_err(|reason| at_line(1, reason.to_string()))?;
    let set_up =
        read_outcome(&referee, &mut table, &start.set_up).map_err(|reason| at_line(1, reason))?;
    let began = Happening::Began(Arc::new(set_up));
    let turn = referee.turn(&table);
    let files: Arc<[FileText]> = files.into();
    let mut session = Session {
        board: Board::new(referee.clone(), table, scenario),
        keys: Keys::new(seed, &start.words),
        next: 1,
        history: History::default(),
        log: vec![Logged { at: first.at, turn, what: began }],
        real_dice: RealDice::default(),
        start: start.clone(),
        rules: files.clone(),
        files,
        journal: bytes.get(..lines.whole).unwrap_or_default().to_vec(),
        chain: lines.chain.clone(),
        keep: None,
        ask_random: false,
    };
    if lines.unended {
        session.journal.push(b'\n');
    }
    Ok(session)
}

/// A referee for the ruleset of a session.
pub(super) fn referee(files: &[FileText]) -> Result<Referee, StoreError> {
    match ruleset::load(files.to_vec()) {
        Ok(ruleset) => Ok(Referee::new(Arc::new(ruleset))),
        Err(faulty) => {
            let first = faulty.faults.first().map_or(String::new(), |f| f.message.clone());
            Err(StoreError::Refused(first))
        }
    }
}

impl Session {
    /// Makes a record happen again, as far as table and history go. The error says what does not fit.
    fn again(&mut self, record: &Record) -> Result<Happening, String> {
        match record {
            Record::Start(_) => Err("a session begins only once".to_owned()),
            Record::Command(command) => {
                if command.n != self.next {
                    return Err(format!("command {} comes where {} should", command.n, self.next));
                }
                let entry = read_command(&mut self.board, command)?;
                self.next += 1;
                self.history.did(entry.clone());
                Ok(Happening::Did(entry))
            }
            Record::Undo(number) => match self.history.standing().last() {
                Some(entry) if entry.number == *number => {
                    let step = self.history.take_back_command(&mut self.board).map(Step::Command);
                    step.map(Happening::TookBack).ok_or_else(|| not_there(*number))
                }
                _ => Err(not_there(*number)),
            },
            Record::UndoAmend(number) => {
                let found = self.history.take_back_amendment(&mut self.board);
                match found {
                    Some(a) if a.number == *number => Ok(Happening::TookBack(Step::Amendment(a))),
                    _ => Err(not_there(*number)),
                }
            }
            Record::Redo(number) | Record::RedoAmend(number) => {
                let step = self.history.again(&mut self.board);
                let fits = match &step {
                    Some(Step::Command(entry)) => entry.number == *number,
                    Some(Step::Amendment(amendment)) => amendment.number == *number,
                    None => false,
                };
                step.filter(|_| fits).map(Happening::DidAgain).ok_or_else(|| not_there(*number))
            }
            Record::Amend(amend) => self.read_amendment(amend).map(Happening::Amended),
            Record::Dice(dice) => {
                self.real_dice = RealDice { all: dice.all, of: dice.of.iter().cloned().collect() };
                Ok(Happening::Dice(self.real_dice.clone()))
            }
            Record::Words(words) => {
                self.keys.mix(self.next, words);
                Ok(Happening::Words(words.clone()))
            }
            Record::Reload(reload) => self.reload_again(reload).map(Happening::Reloaded),
            Record::AskRandom(random) => {
                self.ask_random = *random;
                Ok(Happening::AskRandom(*random))
            }
            Record::Reveal(_) => Ok(Happening::Revealed),
            Record::Resume(version) => Ok(Happening::Resumed(version.clone())),
        }
    }

    fn read_amendment(&mut self, record: &AmendRecord) -> Result<Arc<Amendment>, String> {
        let place = self.history.place(record.n).ok_or_else(|| not_there(record.n))?;
        let (mut board, tail) = self.history.before(&self.board, place);
        let before = tail.to_vec();
        let mut now: Vec<Arc<Entry>> = Vec::new();
        for command in &record.now {
            let entry = read_command(&mut board, command)?;
            let old = before.iter().find(|e| e.number == entry.number);
            now.push(match old {
                Some(old) => kept(old, entry),
                None => entry,
            });
        }
        let dropped = record.dropped.clone();
        let amendment = Arc::new(Amendment { number: record.n, before, now, dropped });
        self.history.amend(&mut self.board, amendment.clone());
        Ok(amendment)
    }
}

/// Reads a command and makes its changes.
fn read_command(board: &mut Board, command: &CommandRecord) -> Result<Arc<Entry>, String> {
    let referee = board.of(command.n).0.clone();
    let table = board.table_of(command.n);
    let (turn, phase) = (referee.turn(table), referee.phase(table));
    let outcome = read_outcome(&referee, table, &command.outcome)?;
    board.settle();
    Ok(Arc::new(Entry {
        number: command.n,
        line: command.line.clone(),
        reason: command.reason.clone(),
        turn,
        phase,
        outcome,
    }))
}

fn not_there(number: u64) -> String {
    format!("command {number} is not the one that can be taken back or done again here")
}
