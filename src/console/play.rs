//! A game at the console, without the terminal: a line in, a reply out.

use std::path::PathBuf;

use adjutant_engine::command::{self, Command, LineError, TypedLine};
use adjutant_engine::language::machine::Halt;
use adjutant_engine::language::schema::{KindId, Type};
use adjutant_engine::names;
use adjutant_engine::referee::{Action, Attempted, Inputs, Referee, Sight, Viewer};
use adjutant_engine::render::markup::{Role, Text};
use adjutant_engine::render::{self, outcome::View};
use adjutant_engine::ruleset::FileText;
use adjutant_engine::session::{Entry, Found, Session, StoreError};
use adjutant_engine::tabletop::Given;
use serde_json::Value;

use super::clock::Clock;
use super::reply::{Failure, Replied, Reply};
use super::resolve::{Attempt, resolve};
use super::transcript::{TranscriptFile, TranscriptLog};
use super::words::{WORDS, Word, help, left};
use super::{ask, now};

/// The most commands among which the cause of a refusal is looked for.
const MOST_CAUSES: usize = 20;

/// A line of the game, with the command that it stands for.
struct Typed<'a> {
    line: &'a str,
    command: &'a Command,
}

impl Attempt for Typed<'_> {
    type Done = ();

    fn attempt(&self, session: &Session, found: &Found) -> Result<Attempted, Failure> {
        let Command { verb, action, insist } = self.command;
        Ok(session.attempt(verb, action, *insist, found))
    }

    /// Names the earlier command that brought the refusal about, and `!` where it helps.
    fn refused(&self, play: &Play, reason: String, found: &Found) -> Failure {
        let Command { verb, action, insist } = self.command;
        let mut hints = Vec::new();
        // A piece that was typed in short is named.
        if let [(kind, row)] = play.actors(action).as_slice() {
            let name = play.session.table().piece_name(*kind, *row);
            if !self.line.split(' ').any(|word| word.eq_ignore_ascii_case(&name)) {
                hints.push(format!("it was read for {name}"));
            }
        }
        if let Some((number, line)) = play.cause(action) {
            let last = play.session.entries().last().is_some_and(|entry| entry.number == number);
            let word = if last { "oops".to_owned() } else { format!("amend {number}") };
            hints.push(format!("`{word} {line} …` if something was forgotten there"));
        }
        let insisting = play.session.attempt(verb, action, true, found).done;
        if !insist && !matches!(insisting, Err(Halt::Refused(_) | Halt::Fault(_))) {
            hints.push("a `!` at the end of the line insists".to_owned());
        }
        Failure::Refused(reason, hints)
    }
}

/// The answer to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line.
    Line(String),
    /// The umpire takes the command back.
    Cancelled,
    /// There is no more.
    End,
}

/// Something the umpire is asked in the middle of a line.
#[derive(Clone, Debug)]
pub struct Prompt<'a> {
    /// The question, in a few words.
    pub asked: &'a str,
    /// Text that is shown first.
    pub text: Text,
    /// Names that can be answered; empty if the answer is something else.
    pub options: &'a [String],
    /// The words before the answer on its line.
    pub prompt: &'a str,
    /// The number and sides of the dice to be thrown, if any.
    pub dice: Option<(u32, u32)>,
}

/// Where lines come from and replies go to.
pub trait Frontend {
    /// Shows a reply.
    fn show(&mut self, reply: &Reply);
    /// Asks something and waits for a line.
    fn ask(&mut self, prompt: &Prompt<'_>) -> Input;
    /// Returns the number of columns.
    fn width(&self) -> usize;
    /// Returns true if somebody is there who can answer once more.
    fn is_interactive(&self) -> bool;
    /// Returns true, once, if the umpire wants to stop what goes on in several steps.
    fn interrupted(&mut self) -> bool {
        false
    }
}

/// The next step after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Take the next line.
    On,
    /// Leave the game.
    Leave,
}

/// Reads the files of a game again, by the name it was chosen by.
pub type Reread = fn(&str) -> Result<Vec<FileText>, Box<dyn std::error::Error>>;

/// A game being played.
#[derive(Debug)]
pub struct Play {
    /// The game under way.
    pub session: Session,
    /// The folder of all sessions, if there is one.
    pub root: Option<PathBuf>,
    /// Reads the files of the game again.
    pub reread: Option<Reread>,
    /// True if nothing more is kept on disk.
    pub unkept: bool,
    /// For lines from a pipe: how many have failed so far, if play goes on after one that fails.
    pub failed: Option<u64>,
    /// True if Enter on an empty line stands for `next`.
    pub(super) enter_goes_on: bool,
    /// The clock of a turn, if the umpire set one.
    pub(super) clock: Option<Clock>,
    /// The players' screen, if it was started.
    #[cfg(feature = "screen")]
    pub(super) screen: Option<super::screen::Beside>,
    /// True if the last line only looked something up.
    pub(super) looked: bool,
    /// True if the last line came to nothing, unless it was `oops`.
    pub(super) refused: bool,
    /// The length of the log when `next` last warned of what is left to do.
    pub(super) warned: Option<usize>,
    /// The transcript in the session's folder.
    pub(super) transcript: TranscriptFile,
    /// Transcripts the umpire asked for.
    pub(super) logs: Vec<TranscriptLog>,
    /// The answers to the last line.
    pub(super) answers: Vec<Reply>,
    /// A fault of a transcript, to be shown after the reply.
    pub(super) notice: Option<Text>,
}

impl Play {
    /// Returns a game that begins.
    pub fn new(session: Session) -> Play {
        Play {
            session,
            root: None,
            reread: None,
            unkept: false,
            failed: None,
            enter_goes_on: false,
            clock: None,
            #[cfg(feature = "screen")]
            screen: None,
            looked: false,
            refused: false,
            warned: None,
            transcript: TranscriptFile::default(),
            logs: Vec::new(),
            answers: Vec::new(),
            notice: None,
        }
    }

    pub(crate) fn referee(&self) -> &Referee {
        self.session.referee()
    }

    /// Returns the view that outcomes are shown with.
    pub(crate) fn view(&self, width: usize) -> View<'_> {
        View::at(&self.session, self.session.board(), width)
    }

    /// Returns the table as a viewer sees it; none for the umpire, who sees it as it is.
    pub(crate) fn sight(&self, viewer: &Viewer) -> Option<Sight> {
        let sight = || self.referee().sight(self.session.table(), viewer);
        (*viewer != Viewer::Umpire).then(sight)
    }

    /// Returns the prompt: game, turn and phase, and a remark if nothing is kept.
    pub fn prompt(&self) -> String {
        let referee = self.referee();
        let table = self.session.table();
        let place = match referee.phase(table) {
            Some(place) => {
                let phase = &referee.ruleset().phases[place];
                let side = referee.side_to_move(table).map_or(String::new(), |s| format!(" {s}"));
                format!(" {}.{} {}{side}", referee.turn(table), place + 1, phase.name)
            }
            None if referee.ruleset().phases.is_empty() => String::new(),
            None => " set-up".to_owned(),
        };
        let unkept = if self.unkept { " (not kept)" } else { "" };
        let clock = self.clock.as_ref().map_or(String::new(), |c| format!(" {}", c.shown()));
        format!("{}{place}{clock}{unkept}> ", render::markup::clean(self.session.heading()))
    }

    /// Carries out a line. If it can be read in two ways, and somebody can be asked, the umpire chooses.
    pub fn line(&mut self, line: &str, ui: &mut dyn Frontend) -> Result<Flow, Failure> {
        let mut line = line.to_owned();
        let done = loop {
            match self.one_line(&line, ui) {
                Err(Failure::Line(error, None)) => {
                    let lines = error.lines(&line);
                    if lines.len() < 2 || !ui.is_interactive() {
                        break Err(self.with_sample(error, &line).into());
                    }
                    match ask::chosen(&error.message, lines, ui) {
                        Ok(chosen) => line = chosen,
                        Err(failure) => break Err(failure),
                    }
                }
                done => break done,
            }
        };
        let first = line.split_whitespace().next().unwrap_or_default();
        self.refused = done.is_err() && !"oops".starts_with(first);
        done
    }

    fn one_line(&mut self, line: &str, ui: &mut dyn Frontend) -> Result<Flow, Failure> {
        let typed = TypedLine::read(line)?;
        if typed.tokens.is_empty() {
            return Ok(Flow::On);
        }
        let shown = self.answers.len();
        let done = match command::word(self.referee(), self.session.table(), WORDS, &typed)? {
            Some(word) => {
                let done = self.run(word, &typed, ui);
                self.looked = word.looks;
                done
            }
            None => {
                self.looked = false;
                self.act(&typed, ui)
            }
        };
        if let Ok(reply) = &done
            && !reply.leaves
        {
            self.show(reply, ui);
        }
        if self.answers.len() > shown {
            self.answers.drain(..shown);
        }
        self.write_logs();
        let (referee, table) = (self.session.referee(), self.session.table());
        let up = self.clock.as_mut().and_then(|clock| clock.tick(referee, table));
        #[cfg(feature = "screen")]
        if let Some(screen) = &self.screen {
            screen.tell(self.clock.as_ref().map_or("clock off".to_owned(), Clock::told));
        }
        if let Some(words) = up.filter(|_| ui.is_interactive()) {
            ui.show(&Reply::new(Text::of(Role::Notice, words), Value::Null));
        }
        if let Some(notice) = self.notice.take() {
            ui.show(&Reply::new(notice, Value::Null));
        }
        done.map(|reply| if reply.leaves { Flow::Leave } else { Flow::On })
    }

    /// Runs a word of the console.
    fn run(&mut self, word: &Word, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
        (word.run)(self, typed, ui).map_err(|failure| match failure {
            Failure::Line(error, None) => Failure::Line(error.or_usage(word.usage), None),
            failure => failure,
        })
    }

    /// Puts an example in place of a long usage: what was typed as far as it fits, and what could follow.
    fn with_sample(&self, mut error: LineError, line: &str) -> LineError {
        let fits = error.place.and_then(|(start, _)| line.get(..start)).unwrap_or(line).trim();
        let first = fits.split_whitespace().next().unwrap_or_default();
        let verb = names::find_name(first, self.referee().ruleset().verbs()).one();
        if let Some(verb) = verb.filter(|_| error.wants_sample)
            && let Some(sample) = help::sample_of(self, verb, fits)
        {
            error.help = Some(format!("for example `{sample}`; `help {verb}` says more"));
        }
        error
    }

    /// Shows a reply, and remembers it until another line is answered.
    pub(super) fn show(&mut self, reply: &Reply, ui: &mut dyn Frontend) {
        ui.show(reply);
        self.answers.push(reply.clone());
    }

    /// Returns a failure as text; `line` is the one that was typed.
    pub(crate) fn failure(&self, failure: &Failure, line: &str) -> Text {
        failure.text(line, &self.referee().ruleset().sources)
    }

    /// Reads the line as an action and carries it out.
    pub(super) fn act(&mut self, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
        let (referee, table) = (self.session.referee(), self.session.table());
        match command::parse(referee, table, typed.line)? {
            Some(command) => match self.warning(&command, None, ui) {
                Some(warning) => Ok(warning),
                None => self.carry_out(typed.line, &command, ui),
            },
            None => Ok(Reply::default()),
        }
    }

    /// Returns what is left to do before a command that ends what is under way, and what else speaks against it; once,
    /// and to the umpire alone who can still do it.
    pub(super) fn warning(
        &mut self,
        command: &Command,
        against: Option<&str>,
        ui: &dyn Frontend,
    ) -> Option<Reply> {
        let (referee, here) = (self.referee(), self.session.log().len());
        let ends = match &command.action {
            Action::Next => true,
            Action::Rule { rule, .. } => referee.ruleset().schema.rules[rule.index()].warns,
            _ => false,
        };
        if !ends || command.insist || !ui.is_interactive() || self.warned == Some(here) {
            return None;
        }
        let mut left = referee.left(self.session.table());
        left.retain(|(_, warns)| *warns);
        if left.is_empty() && against.is_none() {
            return None;
        }
        // What is refused anyway does not go on.
        let Command { verb, action, insist } = command;
        let attempted = self.session.attempt(verb, action, *insist, &Found::default());
        if matches!(attempted.done, Err(Halt::Refused(_))) {
            return None;
        }
        self.warned = Some(here);
        let mut text = Text::new();
        if !left.is_empty() {
            text.push(left::listed("before you go on: ", &left));
        }
        let again = format!("`{}` again goes on", command.verb);
        text.line(Role::Quiet, against.unwrap_or(&again));
        Some(Reply::new(text, Value::Null))
    }

    /// Resolves a command, asking for what is missing, and accepts the outcome.
    pub(super) fn carry_out(
        &mut self,
        line: &str,
        command: &Command,
        ui: &mut dyn Frontend,
    ) -> Replied {
        let mut seen = false;
        let attempt = Typed { line, command };
        let outcome = match resolve(self, &attempt, Found::default(), ui, &mut seen) {
            Ok(((), outcome)) => outcome,
            Err(failure) => {
                if seen {
                    self.record(ui, |session, at| session.looked(None, line.trim(), at))?;
                }
                return Err(failure);
            }
        };
        // It is on disk before it is on the screen.
        let entry =
            self.record(ui, |session, at| session.accept(line.trim(), outcome.clone(), at))?;
        let view = self.view(ui.width());
        let before = |words: &str| {
            let mut earlier = self.session.entries().iter().rev().skip(1);
            earlier.any(|e| render::outcome::reminded(&e.outcome).any(|before| before == words))
        };
        let mut text =
            render::outcome::outcome_after(&view, &entry.outcome, Some(entry.number), &before);
        let mut data = self.entry_data(&entry);
        if let Some(head) = self.session.log().last().and_then(|l| self.session.head_at(l)) {
            let head = head.to_string();
            text.append(Role::Quiet, &format!(" · head {head}"));
            data["head"] = head.into();
        }
        if let Action::Roll { dice, .. } = &command.action {
            for dice in dice {
                text.extend(render::chances::reading(dice));
            }
        }
        Ok(Reply::new(text, data))
    }

    /// Returns a command and its outcome for machines.
    pub(crate) fn entry_data(&self, entry: &Entry) -> Value {
        let view = self.view(0).of_command(self.session.board(), entry.number);
        render::json::command(&view, Some(entry.number), entry)
    }

    /// Returns the pieces that act.
    fn actors(&self, action: &Action) -> Vec<(KindId, u32)> {
        let Action::Rule { rule, arguments, .. } = action else { return Vec::new() };
        let rule = &self.referee().ruleset().schema.rules[rule.index()];
        let Some(place) = rule.acting_piece() else { return Vec::new() };
        let Type::Piece(kind) = rule.params[place].ty.single() else { return Vec::new() };
        let rows = arguments.get(place).and_then(Option::as_ref).map(Given::rows);
        rows.into_iter().flatten().map(|row| (kind, row)).collect()
    }

    /// Returns the last line of this phase without which an action would not be refused, if it could say more.
    fn cause(&self, action: &Action) -> Option<(u64, String)> {
        let (referee, mut table) = (self.referee(), self.session.table().clone());
        let here = (referee.turn(&table), referee.phase_name(&table).to_owned());
        for entry in self.session.entries().iter().rev().take(MOST_CAUSES) {
            if !self.session.board().is_now(entry.number)
                || (entry.turn, entry.phase.as_deref().unwrap_or_default()) != (here.0, &here.1)
                || entry.outcome.revert(&mut table).is_err()
            {
                return None;
            }
            let resolved = referee.resolve(&table, action, &Inputs::none());
            if !matches!(resolved, Err(Halt::Refused(_))) {
                let command = command::parse(referee, &table, &entry.line).ok()??;
                // What another did is no slip of the one who is refused.
                let (ours, theirs) = (self.actors(action), self.actors(&command.action));
                if !ours.iter().any(|piece| theirs.contains(piece)) {
                    return None;
                }
                let Action::Rule { rule, arguments, .. } = command.action else { return None };
                let usage = referee.ruleset().schema.rules[rule.index()].usage.is_some();
                let more = usage && arguments.iter().any(Option::is_none);
                return more.then(|| (entry.number, entry.line.clone()));
            }
        }
        None
    }

    /// Looks something up in the middle of a command; returns false if the line does not do that.
    pub(super) fn look(&mut self, line: &str, ui: &mut dyn Frontend) -> bool {
        let Ok(typed) = TypedLine::read(line) else { return false };
        // The first word says whether it does.
        let first = TypedLine { tokens: typed.tokens.iter().take(1).cloned().collect(), ..typed };
        let word = match command::word(self.referee(), self.session.table(), WORDS, &first) {
            Ok(Some(word)) if word.looks => word,
            Ok(_) | Err(_) => return false,
        };
        let done = match word.refuses(typed.rest()) {
            Some(error) => Err(error.into()),
            None => self.run(word, &typed, ui),
        };
        match done {
            Ok(reply) => ui.show(&reply),
            Err(failure) => ui.show(&Reply::new(self.failure(&failure, line), failure.data())),
        }
        true
    }

    /// Does something that is kept on disk. If the disk fails and somebody can be asked, play can go on in memory.
    pub(super) fn record<T>(
        &mut self,
        ui: &mut dyn Frontend,
        act: impl Fn(&mut Session, u64) -> Result<T, StoreError>,
    ) -> Result<T, Failure> {
        let error = match act(&mut self.session, now()) {
            Ok(done) => {
                self.transcribe();
                return Ok(done);
            }
            Err(error) => error,
        };
        if !error.can_go_on() {
            return Err(error.into());
        }
        let kept = match error {
            StoreError::Unsure(..) => Text::new(),
            _ => Text::of(Role::Notice, "nothing has been done, and all before this line is kept"),
        };
        if !ui.is_interactive() {
            return Err(Failure::Message(error.to_string(), kept));
        }
        let mut text = Text::of(Role::Bad, error.to_string());
        text.extend(kept);
        text.line(Role::Notice, "go on in memory? nothing more is kept until `save NAME` succeeds");
        if !ask::confirmed(text, "go on?", ui)? {
            return Err(Failure::of(
                "not done; when the disk can be written again, type the line once more",
            ));
        }
        self.session.forget_disk();
        self.unkept = true;
        Ok(act(&mut self.session, now())?)
    }
}
