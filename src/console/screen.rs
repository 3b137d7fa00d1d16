//! The players' screen beside a game: a process of its own, which the game never waits for.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::play::Play;
use crate::screen::Said;

/// The time in which the screen must answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A screen that was started.
#[derive(Debug)]
pub(super) struct Beside {
    child: Child,
    /// Lines for it; another thread writes them, for the screen may have been stopped.
    lines: Sender<String>,
    answers: Receiver<Said>,
    /// True if others on the network may look.
    pub lan: bool,
}

impl Beside {
    /// Starts the screen of the session that is played. Returns it with what it says first; none if that is nothing.
    pub(super) fn start(play: &Play, lan: bool) -> io::Result<(Beside, Option<Said>)> {
        let folder = play.session.folder().unwrap_or("".as_ref());
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("screen").arg(folder).arg("--beside");
        command.args(lan.then_some("--lan"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (lines, to_write) = channel::<String>();
        let (to_read, answers) = channel();
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || {
                for line in to_write {
                    if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
            thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    let said = serde_json::from_str(&line);
                    if said.map_or(true, |said| to_read.send(said).is_err()) {
                        return;
                    }
                }
            });
        }
        let beside = Beside { child, lines, answers, lan };
        let first = beside.answers.recv_timeout(PATIENCE).ok();
        Ok((beside, first))
    }

    /// Tells the screen something, without waiting.
    pub(super) fn tell(&self, line: String) {
        // A screen that is gone is noticed when it is asked something.
        let _ = self.lines.send(line);
    }

    /// Asks the screen something; none if it does not answer.
    pub(super) fn ask(&mut self, line: &str) -> Option<Said> {
        while self.answers.try_recv().is_ok() {}
        self.lines.send(line.to_owned()).ok()?;
        self.answers.recv_timeout(PATIENCE).ok()
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // It ends with its input, too; this is for one that was stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
