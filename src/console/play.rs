//! A game at the console, without the console: a line in, text out. Nothing here reads or writes a terminal.

use unicode_width::UnicodeWidthStr;

use super::log::Log;
use super::throws::Throwing;
use super::transcript::TranscriptFile;
use crate::command::{self, LineError};
use crate::dice::SourceError;
use crate::language::machine::{Answers, Halt, Question};
use crate::referee::{Action, Answer, Outcome, Referee};
use crate::render::markup::{Line, Role, Text, clean};
use crate::render::{self, message, outcome::View};
use crate::ruleset::FileText;
use crate::session::{Found, Session};

/// So many columns are left for faces in the line in which they are asked for.
const FACES: usize = 12;

/// What was heard when something was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// The umpire takes the command back.
    Cancelled,
    /// There is no more.
    End,
}

/// Where the umpire sits: hears what is told, answers what is asked.
pub trait Desk {
    /// Shows a text.
    fn tell(&mut self, text: &Text);
    /// Shows a text and waits for a line, which may be one of the options.
    fn ask(&mut self, text: &Text, options: &[String], prompt: &str) -> Heard;
    /// How many columns there are.
    fn width(&self) -> usize;
    /// Whether a wrong answer can be given again.
    fn patient(&self) -> bool;
    /// Whether the umpire wants what goes on in several steps to stop after this one; told once.
    fn interrupted(&mut self) -> bool {
        false
    }
}

/// Why a line came to nothing. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// What went wrong, for people.
    Told(Text),
    /// The umpire took it back.
    Cancelled,
    /// The lines ended where an answer was wanted.
    End,
}

impl Failure {
    /// A failure in one sentence.
    pub fn of(message: impl AsRef<str>) -> Failure {
        Failure::Told(Text::of(render::markup::Role::Bad, message))
    }
}

/// Whether to go on after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next line.
    On,
    /// Leave.
    Leave,
}

/// A game being played.
#[derive(Debug)]
pub struct Play {
    /// The game under way.
    pub session: Session,
    /// The game, as it is called in headings.
    pub game: String,
    /// What was typed and told, for the log.
    pub log: Log,
    /// The folder of all sessions, if there is one.
    pub root: Option<std::path::PathBuf>,
    /// Reads the files of a game again, by the name it was chosen by; the error is for people.
    pub reread: Option<Reread>,
    /// The disk failed: nothing more is kept.
    pub unkept: bool,
    /// The transcript in the session's folder.
    pub(super) transcript: TranscriptFile,
    /// What is to be said of it when the line has been told.
    pub(super) notice: Option<Text>,
}

/// Reads the files of a game again, by the name it was chosen by.
pub type Reread = fn(&str) -> Result<Vec<FileText>, String>;

impl Play {
    /// A game that begins.
    pub fn new(session: Session, game: impl Into<String>) -> Play {
        Play {
            session,
            game: game.into(),
            log: Log::default(),
            root: None,
            reread: None,
            unkept: false,
            transcript: TranscriptFile::default(),
            notice: None,
        }
    }

    /// The referee.
    pub fn referee(&self) -> &Referee {
        self.session.referee()
    }

    /// What outcomes are shown with.
    pub fn view(&self, width: usize) -> View<'_> {
        View {
            game: &self.game,
            referee: self.session.referee(),
            table: self.session.table(),
            width,
        }
    }

    /// The prompt: game, turn and step; and whether nothing is kept any more.
    pub fn prompt(&self) -> String {
        let referee = self.referee();
        let table = self.session.table();
        let place = match referee.phase(table) {
            Some(place) => {
                let phase = &referee.ruleset().phases[place];
                format!(" {}.{} {}", referee.turn(table), place + 1, phase.name)
            }
            None if referee.ruleset().phases.is_empty() => String::new(),
            None => " set-up".to_owned(),
        };
        let unkept = if self.unkept { " (not kept)" } else { "" };
        format!("{}{place}{unkept}> ", self.game)
    }

    /// Takes a line.
    pub fn line(&mut self, line: &str, desk: &mut dyn Desk) -> Result<Flow, Failure> {
        let parsed = command::parse(self.session.referee(), self.session.table(), line);
        let command = match parsed {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(Flow::On),
            Err(error) => return Err(Failure::Told(message::line_error(&error, line))),
        };
        self.log.typed(line);
        let done = self.dispatch(command, line, desk);
        if let Some(notice) = self.notice.take() {
            desk.tell(&notice);
        }
        done
    }

    /// Tells a text, and keeps it for the log.
    pub(super) fn tell(&mut self, text: Text, desk: &mut dyn Desk) {
        desk.tell(&text);
        self.log.told(text);
    }

    /// Resolves an action, asking for what is missing, accepts it and tells what came of it.
    pub(super) fn act(
        &mut self,
        line: &str,
        action: &Action,
        insist: bool,
        desk: &mut dyn Desk,
    ) -> Result<(), Failure> {
        let outcome = self.resolve(line, action, insist, desk)?;
        // It is on disk before it is on the screen.
        let entry =
            self.kept(desk, |session, at| session.accept(line.trim(), outcome.clone(), at))?;
        let view = self.view(desk.width());
        let text = render::outcome::outcome(&view, &entry.outcome, Some(entry.number));
        self.tell(text, desk);
        Ok(())
    }

    fn resolve(
        &self,
        line: &str,
        action: &Action,
        insist: bool,
        desk: &mut dyn Desk,
    ) -> Result<Outcome, Failure> {
        let verb = self.verb_of(line, action);
        let mut found = Found::default();
        // So much of what led to a question has been shown.
        let mut shown = 0;
        let mut throwing = Throwing::new(self, &verb, action, insist);
        loop {
            match self.session.attempt(&verb, action, insist, &found) {
                Ok(outcome) => {
                    let over = found.faces.len().saturating_sub(outcome.faces.len());
                    if over > 0 {
                        let dice = if over == 1 { "face" } else { "faces" };
                        let words = format!("{over} {dice} too many: nothing was changed");
                        return Err(Failure::of(words));
                    }
                    return Ok(outcome);
                }
                Err(Halt::Question(question)) => {
                    let so_far = match desk.patient() {
                        true => self.so_far(&verb, action, insist, &found, &mut shown, desk),
                        false => Text::new(),
                    };
                    found.answers.push(answer(so_far, &question, desk)?);
                }
                Err(Halt::Dice(SourceError::Wanted { count, sides })) => {
                    let (so_far, purpose) = match desk.patient() {
                        true => (
                            self.so_far(&verb, action, insist, &found, &mut shown, desk),
                            throwing.purpose(&found, count, sides),
                        ),
                        false => (Text::new(), String::new()),
                    };
                    found.faces.extend(throw(so_far, &purpose, count, sides, desk)?);
                }
                Err(halt) => {
                    let sources = &self.referee().ruleset().sources;
                    return Err(Failure::Told(message::halt(&halt, sources)));
                }
            }
        }
    }

    /// What happened in a command before it asks, as far as it has not been shown.
    fn so_far(
        &self,
        verb: &str,
        action: &Action,
        insist: bool,
        found: &Found,
        shown: &mut usize,
        desk: &dyn Desk,
    ) -> Text {
        let (outcome, table) = self.session.up_to_halt(verb, action, insist, found);
        let view = View { table: &table, ..self.view(desk.width()) };
        let text = render::outcome::so_far(&view, &outcome, *shown);
        *shown = outcome.events.len();
        text
    }

    /// The verb of a line in full, as real dice are asked for by it.
    fn verb_of(&self, line: &str, action: &Action) -> String {
        match action {
            Action::Rule { rule, .. } => {
                let rule = &self.referee().ruleset().schema.rules[rule.index()];
                rule.usage.as_ref().map_or(rule.name.clone(), |u| u.verb.clone())
            }
            _ => line.split_whitespace().next().unwrap_or_default().to_owned(),
        }
    }
}

/// Asks until there is an answer.
pub(super) fn answer(
    so_far: Text,
    question: &Question,
    desk: &mut dyn Desk,
) -> Result<Answer, Failure> {
    let mut text = so_far;
    text.extend(message::question(question));
    let options = match &question.answers {
        Answers::Flag => vec!["yes".to_owned(), "no".to_owned()],
        _ => question.options.clone(),
    };
    loop {
        let line = match desk.ask(&text, &options, "answer (? at random)> ") {
            Heard::Line(line) => line,
            Heard::Cancelled => return Err(Failure::Cancelled),
            Heard::End => return Err(Failure::End),
        };
        match command::answer(question, &line) {
            Ok(answer) => return Ok(answer),
            Err(error) => text = retry(&error, &line, desk)?,
        }
    }
}

/// Asks for dice thrown by hand, and says what they are for.
pub(super) fn throw(
    so_far: Text,
    purpose: &str,
    count: u32,
    sides: u32,
    desk: &mut dyn Desk,
) -> Result<Vec<u32>, Failure> {
    let mut text = so_far;
    let purpose = clean(purpose);
    let mut prompt = format!("roll {count}d{sides}: ");
    if !purpose.is_empty() {
        if purpose.width() + prompt.width() + FACES > desk.width() {
            text.push(Line::of(Role::Notice, &purpose).hanging(2));
        } else {
            prompt = format!("{purpose} · {prompt}");
        }
    }
    loop {
        let line = match desk.ask(&text, &[], &prompt) {
            Heard::Line(line) => line,
            Heard::Cancelled => return Err(Failure::Cancelled),
            Heard::End => return Err(Failure::End),
        };
        match faces(&line, count, sides) {
            Ok(faces) => return Ok(faces),
            Err(error) => text = retry(&error, &line, desk)?,
        }
    }
}

fn retry(error: &LineError, line: &str, desk: &dyn Desk) -> Result<Text, Failure> {
    let mut error = error.clone();
    if desk.patient() {
        let out = "Ctrl-C takes the command back";
        error.help = Some(error.help.map_or(out.to_owned(), |help| format!("{help}; {out}")));
        return Ok(message::line_error(&error, line));
    }
    Err(Failure::Told(message::line_error(&error, line)))
}

/// The faces of dice as they are typed: `3 5 1`, or `351` where that can be no total. More than are wanted
/// are those of the dice that follow.
fn faces(line: &str, count: u32, sides: u32) -> Result<Vec<u32>, LineError> {
    let wrong = |message: String| LineError {
        message,
        place: None,
        help: Some(match count {
            1 => format!("type the face of the d{sides}"),
            _ => {
                let some: Vec<String> =
                    (0..count.min(4)).map(|i| (i * 2 % sides + 1).to_string()).collect();
                let some = some.join(" ");
                format!("type each face of the {count}d{sides}, such as `{some}`")
            }
        }),
    };
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
    let digits = |word: &str| word.len() > 2 && word.bytes().all(|b| b.is_ascii_digit());
    let together = words.len() == 1 && digits(words[0]) && sides < 10;
    let texts: Vec<String> = match together {
        true => words[0].chars().map(String::from).collect(),
        false => words.into_iter().map(str::to_owned).collect(),
    };
    let not_on = |text: &str| {
        let shown: String = text.chars().take(20).collect();
        wrong(format!("`{shown}` is not on a d{sides}"))
    };
    if texts.is_empty() {
        return Err(wrong("the dice are wanted now".to_owned()));
    }
    if let Some(word) = texts.iter().find(|t| t.parse::<u32>().is_err()) {
        return Err(not_on(word));
    }
    if texts.len() < count as usize {
        let is = texts.len();
        return Err(wrong(format!("{is} of {count} faces: a total is not enough")));
    }
    let face = |text: &String| match text.parse::<u32>() {
        Ok(face) if (1..=sides).contains(&face) => Ok(face),
        _ => Err(not_on(text)),
    };
    texts.iter().map(face).collect()
}

#[cfg(test)]
mod tests {
    use super::faces;

    #[test]
    fn faces_are_checked() {
        assert_eq!(faces("3 5 1", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(faces("351", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(faces(" 3, 5,1 ", 3, 6).unwrap(), [3, 5, 1]);
        assert_eq!(faces("12", 1, 20).unwrap(), [12]);
        assert_eq!(faces("4 5 1", 1, 6).unwrap(), [4, 5, 1]);
        assert!(faces("12", 2, 6).is_err());
        let said = |line: &str, count| faces(line, count, 6).unwrap_err().message;
        assert_eq!(said("undo", 1), "`undo` is not on a d6");
        assert_eq!(said("", 1), "the dice are wanted now");
        assert_eq!(said("4", 2), "1 of 2 faces: a total is not enough");
        for wrong in ["", "9", "3 5", "3 5 7", "3 5 0", "x y z"] {
            assert!(faces(wrong, 3, 6).is_err(), "{wrong}");
        }
    }
}
