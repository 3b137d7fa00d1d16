//! A small game in a session, for tests.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use adjutant::files::Disk;
use adjutant::session_folder::{self, Folder, ResumedSession, StoreError};
use adjutant::shipped;
use adjutant_dice::{Seed, SourceError};
use adjutant_engine::language::machine::{Answers, Halt};
use adjutant_engine::referee::{Action, Answer, Referee};
use adjutant_engine::ruleset::{self, FileText, Ruleset};
use adjutant_engine::session::{
    Beginning, CommandInput, HistoryStep, Notice, ReloadError, RulesReload, Session, read_command,
};
use adjutant_engine::tabletop::inventory;

/// The files of a game in `tests/fixtures`, or of one of the examples in the documentation.
pub fn fixture(game: &str) -> Vec<FileText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = root.join("docs/examples").join(format!("{game}.toml"));
    if let Ok(text) = std::fs::read_to_string(example) {
        return vec![FileText { name: format!("{game}.toml"), text, scenario: None }];
    }
    let folder = root.join("tests/fixtures").join(game);
    let mut files = Vec::new();
    for (folder, scenario) in [(folder.clone(), false), (folder.join("scenarios"), true)] {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "toml") {
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
                let name = name.to_string_lossy().replace('\\', "/");
                let text = std::fs::read_to_string(&path).unwrap();
                let scenario = scenario.then(|| shipped::scenario_name(&name));
                files.push(FileText { name, text, scenario });
            }
        }
    }
    shipped::in_order(files)
}

/// The files of the small game that most sessions here play.
pub fn files() -> Vec<FileText> {
    fixture("skirmish")
}

/// A session in memory.
pub fn begin(seed: &str) -> Session {
    begin_with(Seed::from_text(seed), Vec::new())
}

pub fn begin_with(seed: Seed, words: Vec<String>) -> Session {
    begin_game("skirmish", &files(), seed, words)
}

/// A session in memory of the first scenario of any game.
pub fn begin_game(game: &str, files: &[FileText], seed: Seed, words: Vec<String>) -> Session {
    let rules = match ruleset::load(files.to_vec()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(faulty) => panic!("{:?}", faulty.faults),
    };
    let scenario = rules.scenarios[0].clone();
    let beginning = Beginning {
        game,
        files,
        shipped: shipped::files,
        scenario: &scenario,
        seed,
        seed_text: None,
        at: 1_000_000,
    };
    let mut session = Session::begin(Referee::new(rules), beginning).unwrap().0;
    for words in words {
        session.mix(&words, 1_000_000).unwrap();
    }
    session
}

/// Why something did not happen to a session.
#[derive(Debug, thiserror::Error)]
pub enum Unrecorded<E> {
    /// The session refused it.
    #[error(transparent)]
    Refused(E),
    /// It could not be stored.
    #[error(transparent)]
    Store(StoreError),
}

/// Lets something happen to a session, and stores it in its folder.
pub fn record_in<T, E>(
    folder: &mut Folder,
    session: &mut Session,
    act: impl FnOnce(&mut Session) -> Result<T, E>,
) -> Result<T, Unrecorded<E>> {
    match folder.record(session, |session| Ok(act(session))) {
        Ok(done) => done.map_err(Unrecorded::Refused),
        Err(error) => Err(Unrecorded::Store(error)),
    }
}

/// Something that happens to a session is stored by it, or only in memory.
pub trait Stored {
    fn session(&self) -> &Session;
    fn record<T, E>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, Unrecorded<E>>;
}

impl Stored for Session {
    fn session(&self) -> &Session {
        self
    }
    fn record<T, E>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, Unrecorded<E>> {
        act(self).map_err(Unrecorded::Refused)
    }
}

/// A session and the folder it is saved in.
pub struct Saved {
    pub session: Session,
    pub notices: Vec<Notice>,
    pub folder: Folder,
}

impl Deref for Saved {
    type Target = Session;
    fn deref(&self) -> &Session {
        &self.session
    }
}

impl Stored for Saved {
    fn session(&self) -> &Session {
        &self.session
    }
    fn record<T, E>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, Unrecorded<E>> {
        record_in(&mut self.folder, &mut self.session, act)
    }
}

/// What happens to it is stored.
impl Saved {
    pub fn undo(&mut self, steps: usize, at: u64) -> Result<Vec<HistoryStep>, StoreError> {
        self.folder.record(&mut self.session, |session| session.undo(steps, at))
    }
    pub fn redo(&mut self, steps: usize, at: u64) -> Result<Vec<HistoryStep>, StoreError> {
        self.folder.record(&mut self.session, |session| session.redo(steps, at))
    }
    pub fn mix(&mut self, words: &str, at: u64) -> Result<(), StoreError> {
        self.folder.record(&mut self.session, |session| session.mix(words, at))
    }
    pub fn reveal(&mut self, at: u64) -> Result<Seed, StoreError> {
        self.folder.record(&mut self.session, |session| session.reveal(at))
    }
    pub fn looked(&mut self, number: Option<u64>, line: &str, at: u64) -> Result<(), StoreError> {
        self.folder.record(&mut self.session, |session| session.record_look(number, line, at))
    }
    pub fn reload(
        &mut self,
        files: &[FileText],
        rules: Arc<Ruleset>,
        at: u64,
    ) -> Result<Arc<RulesReload>, Unrecorded<ReloadError>> {
        self.record(|session| session.reload(files, rules, at))
    }
}

impl From<ResumedSession> for Saved {
    fn from(resumed: ResumedSession) -> Saved {
        Saved { session: resumed.session, notices: resumed.notices, folder: resumed.folder }
    }
}

/// Saves a session in a new folder.
pub fn keep(session: Session, path: &Path) -> Saved {
    let folder = session_folder::save_new(&session, path).unwrap();
    Saved { session, notices: Vec::new(), folder }
}

/// Saves a session in a new folder on a disk.
pub fn keep_on(disk: &Arc<dyn Disk>, session: Session, path: &Path) -> Saved {
    let folder = session_folder::save_new_on(disk, &session, path).unwrap();
    Saved { session, notices: Vec::new(), folder }
}

/// Opens a session once more. A program that another test starts at that moment may hold the lock for an instant.
pub fn open(path: &Path, at: u64) -> Saved {
    for _ in 0..500 {
        match session_folder::open(path, at) {
            Err(StoreError::Busy(_)) => std::thread::sleep(Duration::from_millis(10)),
            opened => return opened.unwrap_or_else(|e| panic!("{e}")).into(),
        }
    }
    panic!("{} is held", path.display())
}

/// A game as small as can be, so that every byte of its journal can be tried.
pub fn tiny_files() -> Vec<FileText> {
    let text = r#"
[game]
title = "Tiny"

[kind.man]
hits = { from = 0, to = 3 }

[rule.hit]
usage = "hit <who:man>"
roll = '1d6'
label = "{who}"
needs = '>= 4'
pass = 'who.hits += 1'

[[phase]]
name = "fight"

[scenario.duel]
pieces.man = { ann = {}, bob = {} }
"#;
    vec![FileText { name: "tiny.toml".into(), text: text.into(), scenario: None }]
}

/// An answer to a question that depends on nothing but the question and a number.
fn answer(question: &adjutant_engine::language::machine::Question, salt: u64) -> Answer {
    if salt % 4 == 3 {
        return Answer::Random;
    }
    match &question.answers {
        Answers::Between(low, high) => Answer::Value(low + (salt % 1000) as i64 % (high - low + 1)),
        Answers::Named(all) => Answer::Value(all[salt as usize % all.len()].0),
    }
}

/// Types a line: commands, `undo`, `redo`, `undo to N`, `dice …`, `overrule …`, `amend …`.
pub fn type_line(stored: &mut impl Stored, line: &str, salt: u64) -> Result<(), String> {
    let session = stored.session();
    let at = session.log().last().map_or(0, |l| l.at) + 1000;
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (verb, rest) {
        ("undo", "") => {
            stored.record(|session| session.undo(1, at)).map(drop).map_err(|e| e.to_string())
        }
        ("undo", rest) => match rest.strip_prefix("to ") {
            Some(n) => stored
                .record(|session| session.undo_to(n.parse().unwrap(), at))
                .map(drop)
                .map_err(|e| e.to_string()),
            None => stored
                .record(|session| session.undo(rest.parse().unwrap(), at))
                .map(drop)
                .map_err(|e| e.to_string()),
        },
        ("redo", n) => stored
            .record(|session| session.redo(n.parse().unwrap_or(1), at))
            .map(drop)
            .map_err(|e| e.to_string()),
        ("dice", whose) => {
            let mut dice = session.real_dice().clone();
            match whose.strip_prefix("physical") {
                None => dice = Default::default(),
                Some("") => dice.all = true,
                Some(of) => drop(dice.of.insert(of.trim().to_owned())),
            }
            stored.record(|session| session.set_real_dice(dice, at)).map_err(|e| e.to_string())
        }
        ("overrule", text) => {
            stored.record(|session| session.overrule(text, at)).map(drop).map_err(|e| e.to_string())
        }
        ("amend", rest) => {
            let (number, line) = rest.split_once(' ').unwrap();
            let plan = plan(session, number.parse().unwrap(), line, salt)?;
            stored.record(|session| session.amend(&plan, at)).map(drop).map_err(|e| e.to_string())
        }
        _ => {
            let typed = read_command(session.referee(), session.table(), line)
                .map_err(|e| e.to_string())?;
            let input = find(session, &typed.verb, &typed.action, typed.insist, salt)?;
            let attempted = session.attempt(&typed.verb, &typed.action, typed.insist, &input);
            attempted.done.map_err(|h| format!("{h:?}"))?;
            stored
                .record(|session| session.accept(line, &typed, attempted.outcome, at))
                .map(drop)
                .map_err(|e| e.to_string())
        }
    }
}

pub fn plan(
    session: &Session,
    number: u64,
    line: &str,
    salt: u64,
) -> Result<adjutant_engine::session::AmendmentPlan, String> {
    let mut input = CommandInput::default();
    for _ in 0..100 {
        match session.plan_amend(number, line, &input) {
            Ok(plan) => return Ok(plan),
            Err(adjutant_engine::session::LineMisfit::Halt(Halt::Question(question))) => {
                let asked = input.answers.typed.len() as u64;
                input.answers.typed.push(answer(&question, salt + asked));
            }
            Err(error) => return Err(format!("{error:?}")),
        }
    }
    Err("it asks for ever".into())
}

fn find(
    session: &Session,
    verb: &str,
    action: &Action,
    insist: bool,
    salt: u64,
) -> Result<CommandInput, String> {
    let mut input = CommandInput::default();
    for _ in 0..1000 {
        match session.attempt(verb, action, insist, &input).done {
            Ok(()) => return Ok(input),
            Err(Halt::Question(question)) => {
                let asked = input.answers.typed.len() as u64;
                input.answers.typed.push(answer(&question, salt + asked));
            }
            Err(Halt::Dice(SourceError::Wanted { count, sides })) => {
                let faces = input.faces.get_or_insert_default();
                let next = faces.len() as u64;
                faces.extend((0..count).map(|i| {
                    ((salt + next + u64::from(i)).wrapping_mul(0x9e37_79b9) >> 7) as u32 % sides + 1
                }));
            }
            Err(halt) => return Err(format!("{halt:?}")),
        }
    }
    Err("it asks for ever".into())
}

/// Reads rules again that are a little different; the table looks the same under all of them. Some have other
/// numbers for every kind and rule.
pub fn reload(stored: &mut impl Stored, variant: usize) -> bool {
    let mut files = files();
    let text = &mut files[0].text;
    if variant % 2 == 1 {
        *text = text
            .replace("[kind.area]\n", "[kind.crate]\nload = { from = 0, to = 9 }\n\n[kind.area]\n");
        *text = text.replace(
            "[rule.spread]\n",
            "[rule.wait]\nafter = 'say \"nothing\"'\n\n[rule.spread]\n",
        );
    }
    if variant % 3 == 1 {
        *text = text.replace("'1d10'", "'1d12'").replace("'>= 5'", "'>= 4'");
    }
    let Ok(rules) = ruleset::load(files.clone()) else { panic!("the variant does not load") };
    match stored.record(|session| session.reload(&files, Arc::new(rules), 3)) {
        Ok(_) => true,
        Err(Unrecorded::Refused(ReloadError::Same)) => false,
        Err(error) => panic!("{error:?}"),
    }
}

/// Everything on the table.
pub fn state(session: &Session) -> Vec<String> {
    let line = |(of, value): (
        adjutant_engine::tabletop::AttributePath,
        adjutant_engine::tabletop::Value,
    )| { format!("{}.{} {value}", of.piece, of.attribute) };
    inventory(session.table()).into_iter().map(line).collect()
}

/// Lines that touch everything the game has; the numbers choose among them.
pub fn line(number: u64) -> String {
    let figures = ["anna", "boris", "clara", "f1", "f2"];
    let areas = ["a1", "b2", "c3", "c1"];
    let pick = |n: u64, of: &[&str]| of[(number / n) as usize % of.len()].to_owned();
    let (f, g, a) = (pick(31, &figures), pick(311, &figures), pick(37, &areas));
    match number % 31 {
        0..=4 => "next".into(),
        5 => format!("strike {a}"),
        6 => format!("shoot {f} at {g}"),
        7 => format!("shoot {f} at {g} twice"),
        8 => format!("move {f} to {a}"),
        9 => format!("command {f} \"go to {a}\""),
        10 => format!("deal {f}"),
        11 => format!("scout {f}"),
        12 => "swap t1".into(),
        13 => "swap flag".into(),
        14 => format!("add figure at={a}"),
        15 => format!("add figure newcomer{} side=blue at={a}", number % 3),
        16 => format!("remove {f}"),
        17 => format!("set {f}.speed 7/2"),
        18 => format!("set {f}.orders \"a # b\""),
        19 => format!("set {a}.heat {}", number / 41 % 6),
        20 => "option harsh on".into(),
        21 => "roll 2d6+1".into(),
        22 => "note the cat walks over the cloth".into(),
        23 => format!("overrule {a}.heat {}: it rained", number / 43 % 6),
        24 => format!("overrule {f} was not there: {g} saw it"),
        25 => "set state.wind strong".into(),
        26 => format!("set {f}.path a1,b1"),
        27 => "dice physical".into(),
        28 => "dice physical red".into(),
        29 => "dice auto".into(),
        _ => format!("strike {a}"),
    }
}
