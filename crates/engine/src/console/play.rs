//! The game at a console, with everything that the words of the console share: the session, the
//! storage of records, and the type of a word.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::OnceLock;

use super::clock::Clock;
use super::confirm;
use super::reply::{Failure, Replied, Reply};
use super::rule_library::RuleLibrary;
use super::step::{Channel, EffectFault};
use super::tour::Tour;
use crate::command::{self, LineError, TypedLine};
use crate::language::machine::StopHandle;
use crate::language::parser::parse_expression;
use crate::referee::{Event, Outcome, Referee, Viewer};
use crate::render::json::{AnswerSchema, CommandAnswer};
use crate::render::markup::{Role, Text};
use crate::render::standing::PlaceAnswer;
use crate::render::transcript::Format;
use crate::render::{self, view::View};
use crate::session::{Entry, Session, SessionError};
use crate::source::StringMap;
use crate::tabletop::Tabletop;

/// The result of a word that may ask, store something or cause an effect before it replies.
pub(super) type WordFuture<'p> = Pin<Box<dyn Future<Output = Replied> + Send + 'p>>;

/// The function that carries out a word, with the schemas of its answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    function: WordFunction,
    /// The schemas of the answers that only this word returns.
    pub answers: &'static [fn() -> AnswerSchema],
}

/// The function that carries out a word.
#[derive(Clone, Copy, Debug)]
enum WordFunction {
    /// The word is answered at once.
    Now(fn(&mut Play, &TypedLine<'_>) -> Replied),
    /// The word may ask, store something or cause an effect first.
    Stepwise(for<'p> fn(&'p mut Play, &'p TypedLine<'p>) -> WordFuture<'p>),
}

impl Handler {
    /// Returns the handler of a word that is answered at once.
    pub(super) const fn immediate(function: fn(&mut Play, &TypedLine<'_>) -> Replied) -> Handler {
        Handler { function: WordFunction::Now(function), answers: &[] }
    }

    /// Returns the handler of a word that may ask, store something or cause an effect before it is
    /// answered.
    pub(super) const fn stepwise(
        function: for<'p> fn(&'p mut Play, &'p TypedLine<'p>) -> WordFuture<'p>,
    ) -> Handler {
        Handler { function: WordFunction::Stepwise(function), answers: &[] }
    }

    /// Adds the schemas of the answers that only this word returns.
    pub(super) const fn with_answers(self, answers: &'static [fn() -> AnswerSchema]) -> Handler {
        Handler { answers, ..self }
    }
}

/// A word of the console.
pub(super) type Word = command::Word<Handler>;

/// The environment in which a game is played.
#[derive(Clone, Debug)]
pub struct Desk {
    /// True if there is an umpire at the keyboard, who can be asked and warned.
    pub is_interactive: bool,
    /// The width of replies, in columns.
    pub width: usize,
    /// The folder in which the session is saved, for messages; `None` if it isn't saved.
    pub folder: Option<String>,
    /// True if nothing is stored, and the prompt should show that.
    pub unsaved: bool,
}

impl Default for Desk {
    /// Returns the environment for a game without an umpire at the keyboard. Replies have 80
    /// columns, and records are stored.
    fn default() -> Desk {
        Desk { is_interactive: false, width: 80, folder: None, unsaved: false }
    }
}

/// A transcript that the umpire asked for and that is updated as play continues.
#[derive(Clone, Debug)]
pub(super) struct TranscriptLog {
    pub path: String,
    pub format: Format,
    /// The viewer for whom the transcript is written, such as a side or the umpire.
    pub viewer: Viewer,
    /// The number of records of the session's log that the transcript contains.
    pub length: usize,
}

/// A line that recorded several commands, such as `next to fire`.
#[derive(Clone, Debug)]
pub(super) struct LineOfSeveral {
    /// The line, in the form in which it was carried out.
    pub line: String,
    /// The number of the last command before the line; 0 if there is none.
    pub before: u64,
    /// The number of commands that the line recorded.
    pub count: usize,
    /// The number of the last of these commands.
    pub last: u64,
}

/// A command whose odds were shown.
#[derive(Clone, Debug)]
pub(super) struct OddsShown {
    pub line: String,
    /// The length of the log when they were shown.
    pub log_length: usize,
}

/// A game being played.
#[derive(Debug)]
pub(super) struct Play {
    pub session: Session,
    /// All words of the console.
    pub words: &'static [Word],
    pub host: Channel,
    pub stop: StopHandle,
    pub is_interactive: bool,
    pub width: usize,
    pub folder: Option<String>,
    pub unsaved: bool,
    /// True if Enter on an empty line means `next`.
    pub enter_goes_on: bool,
    /// The clock that times each turn or move, if the umpire has set one.
    pub clock: Option<Clock>,
    pub tour: Tour,
    /// True if the last line only looked something up.
    pub looked: bool,
    /// The faces that the umpire reported with the current line, for its first dice.
    pub faces_said: Vec<u32>,
    /// The last line, if it failed and was not `oops`.
    pub refused: Option<String>,
    /// The command whose odds were shown last.
    pub odds_shown: Option<OddsShown>,
    /// The last line that recorded several commands, such as `next to fire`; `None` if a later line
    /// recorded a command.
    pub several: Option<LineOfSeveral>,
    /// The length of the log when a command that ends a phase last caused a warning.
    pub warned: Option<usize>,
    /// The phases that the umpire left without any action, each represented by the first phase with
    /// the same verbs.
    pub let_pass: BTreeSet<usize>,
    /// The places as they were at the last comparison with the table; `None` before the first
    /// comparison.
    pub agreed: Option<Vec<PlaceAnswer>>,
    /// The transcripts that the umpire asked for.
    pub logs: Vec<TranscriptLog>,
    /// The answers to the last line.
    pub answers: Vec<Reply>,
    /// The time of the records of the current line; `None` before its first record.
    pub record_time: Option<u64>,
    /// The texts of the rules with their index, built for the first search.
    pub rule_library: OnceLock<RuleLibrary>,
}

impl Play {
    /// Returns the side that rolls real dice, if it is the only one; otherwise an empty string.
    pub(super) fn whose_dice(&self) -> String {
        let sides = self.referee().sides(self.session.table());
        let whose = self.session.only_real_dice().filter(|whose| sides.contains(*whose));
        whose.unwrap_or_default().to_owned()
    }

    /// Returns true if the players who roll the next dice may see the rule that rolls them. `table`
    /// and `here` are the table and the outcome up to these dice.
    pub(super) fn may_ask_players(&self, table: &Tabletop, here: &Outcome) -> bool {
        let viewer = match self.whose_dice() {
            whose if whose.is_empty() => Viewer::Players,
            whose => Viewer::Side(whose),
        };
        let seen = self.referee().seen_outcome(table, here, &viewer);
        open_calls(&seen.outcome) == open_calls(here)
    }

    pub(super) fn new(
        session: Session,
        desk: Desk,
        words: &'static [Word],
        host: Channel,
        stop: StopHandle,
    ) -> Play {
        Play {
            session,
            words,
            host,
            stop,
            is_interactive: desk.is_interactive,
            width: desk.width,
            folder: desk.folder,
            unsaved: desk.unsaved,
            enter_goes_on: false,
            clock: None,
            tour: Tour::default(),
            looked: false,
            faces_said: Vec::new(),
            refused: None,
            odds_shown: None,
            several: None,
            warned: None,
            let_pass: BTreeSet::new(),
            agreed: None,
            logs: Vec::new(),
            answers: Vec::new(),
            record_time: None,
            rule_library: OnceLock::new(),
        }
    }

    /// Returns the current time, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        self.host.time()
    }

    /// Returns the time of the next record. All records of one typed line have the time of the
    /// first, and no other record has that time, so the records of a line can be recognized later.
    fn next_record_time(&mut self) -> u64 {
        let earliest = self.session.log().last().map_or(0, |logged| logged.at.saturating_add(1));
        let now = self.now();
        *self.record_time.get_or_insert(now.max(earliest))
    }

    pub(super) fn referee(&self) -> &Referee {
        self.session.referee()
    }

    /// Returns the value of an expression of the rule language on the current table; `None` if it
    /// has no value.
    pub(super) fn evaluate(&self, expression: &str) -> Option<i64> {
        let parsed = parse_expression(expression, &StringMap::default(), &mut Vec::new())?;
        let mut copy = self.session.table().clone();
        let (value, ..) = self.referee().evaluate(&mut copy, None, &parsed).ok()?;
        Some(value)
    }

    /// Returns the view in which outcomes are shown.
    pub(super) fn view(&self, width: usize) -> View<'_> {
        View::of_session(&self.session, self.session.board(), width)
    }

    /// Returns the prompt: the game, the turn and phase, the side to move, the clock, and a remark
    /// if nothing is saved.
    pub(super) fn prompt(&self, at: u64) -> String {
        let referee = self.referee();
        let table = self.session.table();
        let position = match referee.phase_index(table) {
            Some(index) => {
                let phase = &referee.ruleset().phases[index];
                let side = referee.side_to_move(table).map_or(String::new(), |s| format!(" {s}"));
                format!(" {}.{} {}{side}", referee.turn_number(table), index + 1, phase.name)
            }
            None if referee.ruleset().phases.is_empty() => String::new(),
            None => " set-up".to_owned(),
        };
        let unsaved = if self.unsaved { " (not saved)" } else { "" };
        let clock = self.clock.as_ref().map_or(String::new(), |c| format!(" {}", c.time_left(at)));
        format!("{}{position}{clock}{unsaved}> ", render::markup::sanitize(self.session.heading()))
    }

    /// Returns a failure as text. `line` is the line that was typed.
    pub(super) fn failure(&self, failure: &Failure, line: &str) -> Text {
        failure.text(line, &self.referee().ruleset().sources)
    }

    /// Returns a command and its outcome for machines.
    pub(super) fn entry_data(&self, entry: &Entry) -> CommandAnswer {
        let view = self.view(0).of_command(self.session.board(), entry.number);
        render::json::command_answer(&view, Some(entry.number), entry)
    }

    /// Runs a word. If the word can't read its line and gives no hint, the hint is the word's
    /// usage.
    pub(super) async fn run(&mut self, word: &Word, typed: &TypedLine<'_>) -> Replied {
        let replied = match word.run.function {
            WordFunction::Now(run) => run(self, typed),
            WordFunction::Stepwise(run) => run(self, typed).await,
        };
        replied.map_err(|failure| match failure {
            Failure::Line(error, None) => Failure::Line(error.or_usage(word.usage), None),
            failure => failure,
        })
    }

    /// Shows a reply, and keeps it until another line is answered.
    pub(super) async fn show(&mut self, reply: Reply) {
        self.answers.push(reply.clone());
        self.host.show(reply).await;
    }

    /// Makes a change to the session and stores it. If it can't be stored, it is undone, unless the
    /// umpire can be asked and agrees to continue in memory.
    pub(super) async fn record<T: Send>(
        &mut self,
        act: impl Fn(&mut Session, u64) -> Result<T, SessionError> + Send,
    ) -> Result<T, Failure> {
        let at = self.next_record_time();
        if self.unsaved {
            return Ok(act(&mut self.session, at)?);
        }
        let savepoint = self.session.savepoint();
        let done = act(&mut self.session, at)?;
        let lines = self.session.journal_since(&savepoint);
        if lines.is_empty() {
            return Ok(done);
        }
        let Err(fault) = self.host.store(lines).await else { return Ok(done) };
        self.session.roll_back(savepoint);
        if !fault.can_go_on {
            return Err(Failure::of(fault));
        }
        let mut remark = Text::new();
        if !fault.is_unsure {
            remark
                .line(Role::Notice, "nothing has been done; everything before this line is saved");
        }
        if !self.is_interactive {
            return Err(Failure::Message(fault.message, remark));
        }
        let mut text = Text::of(Role::Bad, fault.message);
        text.extend(remark);
        text.line(
            Role::Notice,
            "continue in memory? nothing more is saved until `save NAME` succeeds",
        );
        if !confirm::ask_yes_no(text, "continue?", &self.host).await? {
            return Err(Failure::of(
                "not done; type the line again once the disk can be written to",
            ));
        }
        self.folder = None;
        self.unsaved = true;
        Ok(act(&mut self.session, at)?)
    }

    /// Asks the umpire to agree. If there is no umpire to answer, continues without asking. Returns
    /// the text that still has to be shown; empty if that text was shown as part of a question.
    /// Fails with the message `refused` if the umpire doesn't agree.
    pub(super) async fn ask_agreement(
        &self,
        text: Text,
        asked: &str,
        refused: &str,
    ) -> Result<Text, Failure> {
        if !self.is_interactive {
            return Ok(text);
        }
        if confirm::ask_yes_no(text, asked, &self.host).await? {
            Ok(Text::new())
        } else {
            Err(Failure::of(refused))
        }
    }

    /// Writes a file that the umpire named. If a file exists there that the program didn't write or
    /// that has changed since, the umpire is asked whether to replace it. In a script, no one can
    /// be asked, and such a file is not replaced.
    pub(super) async fn write_named_file(&self, path: &str, bytes: Vec<u8>) -> Result<(), Failure> {
        let fault = match self.host.write_file(path.to_owned(), bytes.clone(), false).await {
            Ok(()) => return Ok(()),
            Err(fault) => fault,
        };
        if fault.is_foreign_file() && self.is_interactive {
            let text = Text::of(
                Role::Notice,
                format!(
                    "`{path}` already exists, and either adjutant didn't write it or it has changed since"
                ),
            );
            if !confirm::ask_yes_no(text, "replace it?", &self.host).await? {
                return Err(Failure::of("nothing was written"));
            }
            let written = self.host.write_file(path.to_owned(), bytes, true).await;
            return written.map_err(|again| cannot_write(path, &again));
        }
        Err(cannot_write(path, &fault))
    }

    /// Returns the word of the console that a line begins with, unless it is a word for an action.
    /// Returns `None` for any other line that can be read.
    pub(super) fn non_action_word(&self, line: &str) -> Result<Option<&'static str>, LineError> {
        let typed = TypedLine::read(line)?;
        if typed.tokens.is_empty() {
            return Ok(None);
        }
        let found =
            command::find_console_word(self.referee(), self.session.table(), self.words, &typed)?;
        let name = found.map(|word| word.name);
        Ok(name.filter(|n| command::actions::ACTIONS.iter().all(|a| a.name != *n)))
    }
}

/// Returns the failure for a file that the umpire named and that can't be written.
fn cannot_write(path: &str, fault: &EffectFault) -> Failure {
    let message = format!("cannot write `{path}`: {fault}");
    LineError::new(None, message).help("name a new file in an existing folder").into()
}

/// Returns the number of rule calls that have not ended.
fn open_calls(outcome: &Outcome) -> usize {
    outcome.events.iter().fold(0, |open: usize, event| match event {
        Event::Call { .. } => open + 1,
        Event::End => open.saturating_sub(1),
        Event::Phase { .. } => 0,
        _ => open,
    })
}
