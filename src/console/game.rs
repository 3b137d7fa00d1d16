//! The program's side of a game: carries out the console's requests with this disk, this clock and
//! this frontend.

use std::path::{Path, PathBuf};

use adjutant_engine::console::{
    Console, Desk, Effect, EffectFault, Failure, Flow, Prompt, Reply, Response, ScreenReport,
    ScreenRequest, SessionCopy, Step, StorageFault,
};
use adjutant_engine::render::markup::Text;
use adjutant_engine::ruleset::FileText;
use adjutant_engine::session::Session;

use super::busy::BusySign;
#[cfg(feature = "screen")]
use super::requests::RequestDesk;
use super::requests::{self, SharedRequests};
#[cfg(feature = "screen")]
use super::screen;
use super::transcript::TranscriptFile;
use super::written::OwnFiles;
use crate::clock::current_time;
use crate::files::{self, SystemDisk};
#[cfg(feature = "screen")]
use crate::requests::DiceQuestion;
use crate::session_folder::{self, Folder, StoreError};

/// The response to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptInput {
    /// A line.
    Line(String),
    /// The umpire cancelled the command.
    Cancelled,
    /// The input has ended.
    End,
}

/// The source of lines and the destination of replies.
pub trait Frontend {
    /// Shows a reply.
    fn show(&mut self, reply: &Reply);
    /// Asks a question and waits for the response.
    fn ask(&mut self, prompt: &Prompt) -> PromptInput;
    /// Returns the width for replies, in columns.
    fn width(&self) -> usize;
    /// Starts a busy sign, which appears if the answer takes long, and is shown until the result is
    /// dropped. Returns `None` if no one is watching.
    fn begin_work(&self) -> Option<BusySign> {
        None
    }
}

/// A function that reads the files of a game again. Its argument is the name or path by which the
/// game was chosen.
pub type ReadFilesAgain = fn(&str) -> Result<Vec<FileText>, Box<dyn std::error::Error>>;

/// A running game on this machine.
#[derive(Debug)]
pub struct Game {
    /// The console that carries out the lines.
    pub console: Console,
    /// The folder that the session is saved in; `None` if it is only in memory.
    pub folder: Option<Folder>,
    /// The folder of all sessions, if there is one.
    pub root: Option<PathBuf>,
    /// The function that rereads the files of the game.
    pub reread: Option<ReadFilesAgain>,
    /// For lines from a pipe: the number of failed lines so far, if play continues after a failure.
    pub failed: Option<u64>,
    transcript: TranscriptFile,
    /// The files written for the umpire, loaded on first use.
    written: Option<OwnFiles>,
    /// The players' screen, if it was started.
    #[cfg(feature = "screen")]
    screen: Option<screen::ScreenProcess>,
    /// The number of the last question for dice that was shown to players.
    #[cfg(feature = "screen")]
    questions: u64,
    /// The players' requests, if players may send any.
    pub(super) requests: Option<SharedRequests>,
}

impl Game {
    /// Returns a new or resumed game. `is_interactive` is true if there is an umpire at the
    /// keyboard, who can be asked and warned; `unsaved` is true for a game that the umpire chose
    /// not to save.
    pub fn new(
        session: Session,
        folder: Option<Folder>,
        is_interactive: bool,
        unsaved: bool,
    ) -> Game {
        let shown = folder.as_ref().map(|folder| folder.path().display().to_string());
        let desk = Desk { is_interactive, width: 80, folder: shown, unsaved };
        Game {
            console: Console::new(session, desk),
            folder,
            root: None,
            reread: None,
            failed: None,
            transcript: TranscriptFile::default(),
            written: None,
            #[cfg(feature = "screen")]
            screen: None,
            #[cfg(feature = "screen")]
            questions: 0,
            requests: None,
        }
    }

    /// Carries out a line.
    ///
    /// # Errors
    /// Fails with the reason if the line can't be carried out.
    pub fn line(&mut self, line: &str, ui: &mut dyn Frontend) -> Result<Flow, Failure> {
        self.console.set_width(ui.width());
        let sign = ui.begin_work();
        let step = self.console.line(line, current_time());
        drop(sign);
        self.carry_out_steps(step, ui)
    }

    /// Leaves the game at the end of the input.
    ///
    /// # Errors
    /// Fails if the umpire doesn't want to leave.
    pub(super) fn end(&mut self, ui: &mut dyn Frontend) -> Result<Flow, Failure> {
        let step = self.console.end(current_time());
        self.carry_out_steps(step, ui)
    }

    fn carry_out_steps(&mut self, mut step: Step, ui: &mut dyn Frontend) -> Result<Flow, Failure> {
        loop {
            let response = match step {
                Step::Done(done) => {
                    self.end_question();
                    self.update_followers(ui);
                    return done;
                }
                Step::Ask(prompt) => {
                    if !prompt.is_repeated {
                        self.end_question();
                    }
                    self.show_question(&prompt);
                    match ui.ask(&prompt) {
                        PromptInput::Line(line) => Response::Answer(line),
                        PromptInput::Cancelled => Response::Cancelled,
                        PromptInput::End => Response::End,
                    }
                }
                Step::Show(reply) => {
                    ui.show(&reply);
                    Response::Shown
                }
                Step::Store(lines) => Response::Stored(self.store(&lines)),
                Step::Effect(effect) => self.carry_out_effect(effect),
            };
            let sign = ui.begin_work();
            step = self.console.respond(response, current_time());
            drop(sign);
        }
    }

    /// Shows the players a prompt that asks for dice, if they may send requests. A repeated
    /// question counts as the same question, so it is not shown again.
    fn show_question(&mut self, prompt: &Prompt) {
        #[cfg(feature = "screen")]
        if let (Some(screen), Some(desk)) = (&self.screen, &self.requests)
            && let (Some((count, _)), Some(hand)) = (prompt.dice, &prompt.hand_dice)
            && requests::lock(desk).question().is_none()
        {
            // A phone may still hold an answer to a question from an earlier run of the program.
            self.questions = current_time().max(self.questions + 1);
            requests::lock(desk).set_question(Some(self.questions));
            screen.send(screen::question_line(&DiceQuestion {
                id: self.questions,
                whose: hand.whose.clone(),
                asked: prompt.asked.clone(),
                count,
                sides: hand.sides,
            }));
        }
        #[cfg(not(feature = "screen"))]
        let _ = prompt;
    }

    /// Shows the players that the program is no longer waiting for dice.
    fn end_question(&mut self) {
        #[cfg(feature = "screen")]
        if let (Some(screen), Some(desk)) = (&self.screen, &self.requests)
            && requests::lock(desk).question().is_some()
        {
            requests::lock(desk).set_question(None);
            screen.send("question -".to_owned());
        }
    }

    fn store(&mut self, lines: &[u8]) -> Result<(), StorageFault> {
        let Some(folder) = &mut self.folder else { return Ok(()) };
        folder.append(lines).map_err(|error| StorageFault {
            can_go_on: error.can_go_on(),
            is_unsure: matches!(error, StoreError::Unsure(..)),
            message: error.to_string(),
        })
    }

    fn carry_out_effect(&mut self, effect: Effect) -> Response {
        match effect {
            Effect::WriteFile { path, bytes, replace } => {
                Response::Written(self.write_file(path.as_ref(), &bytes, replace))
            }
            Effect::Save { name, copy } => Response::Saved(self.save(&name, copy.as_ref())),
            Effect::Reread { game } => Response::Files(match self.reread {
                Some(reread) => reread(&game).map_err(EffectFault::of),
                None => Err(EffectFault::of("the rules cannot be reloaded here")),
            }),
            Effect::Screen(request) => Response::Screen(self.screen(&request)),
            Effect::ListRequests => Response::Requests(match &self.requests {
                Some(desk) => requests::lock(desk).waiting(),
                None => Vec::new(),
            }),
            Effect::SendBack { id, reason } => Response::SentBack(match &self.requests {
                Some(desk) => requests::lock(desk).send_back(id, reason, current_time()),
                None => Err(EffectFault::of("there are no requests")),
            }),
        }
    }

    /// Writes a file for the umpire. Unless `replace` is true, fails if it would replace a file
    /// that this program did not write, or that has been changed since.
    fn write_file(&mut self, path: &Path, bytes: &[u8], replace: bool) -> Result<(), EffectFault> {
        let data_folder = self.root.as_deref().and_then(Path::parent);
        let written = self.written.get_or_insert_with(|| OwnFiles::in_folder(data_folder));
        if !replace && written.is_foreign(path) {
            return Err(EffectFault::foreign_file());
        }
        files::replace(&SystemDisk, path, bytes).map_err(EffectFault::of)?;
        written.remember(path, bytes);
        Ok(())
    }

    /// Saves a session that is only in memory, or renames a saved one. Returns the path of its
    /// folder.
    fn save(&mut self, name: &str, copy: Option<&SessionCopy>) -> Result<String, EffectFault> {
        match (&mut self.folder, copy) {
            (Some(folder), None) => {
                session_folder::rename(folder, name).map_err(EffectFault::of)?;
            }
            (_, copy) => {
                let (Some(root), Some(copy)) = (&self.root, copy) else {
                    let reason = "there is no folder for sessions here; play with `--session NAME`";
                    return Err(EffectFault::of(reason));
                };
                let saved = session_folder::save(copy, root, name).map_err(EffectFault::of)?;
                self.folder = Some(saved);
            }
        }
        let Some(folder) = &self.folder else { return Ok(String::new()) };
        if let Some(desk) = &self.requests {
            requests::lock(desk).set_folder(folder.path());
        }
        Ok(folder.path().display().to_string())
    }

    #[cfg(feature = "screen")]
    fn screen(&mut self, request: &ScreenRequest) -> Result<Option<ScreenReport>, EffectFault> {
        let folder = self.folder.as_ref().map_or(Path::new(""), Folder::path);
        let report = screen::carry_out(&mut self.screen, request, folder);
        if report.is_err() {
            // Without a screen, players can't send anything.
            self.requests = None;
        }
        let report = report?;
        self.requests = match request {
            ScreenRequest::Requests(true) => Some(RequestDesk::shared(folder)),
            ScreenRequest::Requests(false) | ScreenRequest::Off => None,
            _ => self.requests.take(),
        };
        Ok(report)
    }

    #[cfg(not(feature = "screen"))]
    fn screen(&mut self, _: &ScreenRequest) -> Result<Option<ScreenReport>, EffectFault> {
        Err(EffectFault::of("this build does not include the players' screen"))
    }

    /// Updates everything that follows the game: the players' requests, the transcript and the
    /// players' screen.
    fn update_followers(&mut self, ui: &mut dyn Frontend) {
        // The disk failed, and the umpire continued without it.
        if !self.console.is_saved() {
            self.folder = None;
        }
        if let (Some(session), Some(desk)) = (self.console.session(), &self.requests) {
            requests::lock(desk).follow(session, current_time());
        }
        if let (Some(session), Some(folder)) = (self.console.session(), &self.folder)
            && let Some(notice) = self.transcript.update(session, folder.path())
        {
            ui.show(&notice_reply(notice));
        }
        #[cfg(feature = "screen")]
        if let Some(screen) = &self.screen {
            screen.send(self.console.clock(current_time()));
        }
    }
}

/// Returns a notice as a reply without data for machines.
fn notice_reply(text: Text) -> Reply {
    Reply::for_people(text)
}
