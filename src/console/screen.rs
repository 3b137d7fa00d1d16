//! The players' screen of a game, which is a separate process. The game waits for it only after a
//! command to the screen: at most ten seconds until it has started, and ten for its answer.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use adjutant_engine::console::{EffectFault, ScreenReport, ScreenRequest};
use adjutant_engine::render::json;

use crate::requests::DiceQuestion;

/// The time limit for an answer from the screen.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// A running process of the players' screen.
#[derive(Debug)]
pub(super) struct ScreenProcess {
    child: Child,
    /// Lines for the process. Another thread writes them, because writing blocks if the process is
    /// suspended.
    lines: Sender<String>,
    answers: Receiver<ScreenReport>,
    /// True if others on the network may watch.
    lan: bool,
    /// True if players may send requests.
    requests: bool,
}

/// Returns the line that shows players which dice the program is waiting for.
pub(super) fn question_line(question: &DiceQuestion) -> String {
    format!("question {}", json::to_json(question))
}

impl ScreenProcess {
    /// Starts the screen of the session in a folder. Returns the process with its first report, or
    /// with `None` if it doesn't answer.
    fn start(
        folder: &Path,
        lan: bool,
        requests: bool,
    ) -> io::Result<(ScreenProcess, Option<ScreenReport>)> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("screen").arg(folder).arg("--beside");
        command.args(lan.then_some("--lan"));
        command.args(requests.then_some("--requests"));
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
        let beside = ScreenProcess { child, lines, answers, lan, requests };
        let first = beside.answers.recv_timeout(ANSWER_TIMEOUT).ok();
        Ok((beside, first))
    }

    /// Sends a line to the screen, without waiting for an answer.
    pub(super) fn send(&self, line: String) {
        // If the screen is gone, the next request to it will fail.
        let _ = self.lines.send(line);
    }

    /// Sends a line to the screen and returns its report; `None` if it does not answer.
    fn ask(&mut self, line: &str) -> Option<ScreenReport> {
        while self.answers.try_recv().is_ok() {}
        self.lines.send(line.to_owned()).ok()?;
        self.answers.recv_timeout(ANSWER_TIMEOUT).ok()
    }
}

/// Carries out a request to the screen. If necessary, starts the screen, or starts it again with
/// other permissions. Returns the screen's report, which is empty if the screen was only stopped or
/// didn't have to be started; `None` if the request was to stop a screen that was not running.
///
/// # Errors
/// Fails if the screen can't be started, or doesn't answer.
pub(super) fn carry_out(
    screen: &mut Option<ScreenProcess>,
    request: &ScreenRequest,
    folder: &Path,
) -> Result<Option<ScreenReport>, EffectFault> {
    let (line, lan) = match request {
        ScreenRequest::Off => return Ok(screen.take().map(|_| ScreenReport::default())),
        ScreenRequest::Requests(false) if screen.is_none() => {
            return Ok(Some(ScreenReport::default()));
        }
        ScreenRequest::Start { lan } => ("who".to_owned(), *lan),
        // The players' phones need access over the network.
        ScreenRequest::Requests(allowed) => ("players".to_owned(), *allowed),
        ScreenRequest::Hold => ("hold".to_owned(), false),
        ScreenRequest::Release => ("show".to_owned(), false),
        ScreenRequest::NewKey(side) => (format!("new {side}"), false),
        ScreenRequest::Address(side) => (format!("where {side}"), false),
    };
    let silent =
        || EffectFault::of("the screen does not answer; `screen` or `requests on` starts it again");
    let requests = match (request, &screen) {
        (ScreenRequest::Requests(allowed), _) => *allowed,
        (_, Some(screen)) => screen.requests,
        (_, None) => false,
    };
    let lan = lan || screen.as_ref().is_some_and(|screen| screen.lan);
    let fits = |running: &ScreenProcess| running.lan == lan && running.requests == requests;
    let mut beside = match screen.take().filter(fits) {
        Some(beside) => beside,
        None => {
            let (beside, first) = ScreenProcess::start(folder, lan, requests)
                .map_err(|e| EffectFault::of(format!("the screen cannot be started: {e}")))?;
            let first = first.ok_or_else(silent)?;
            if matches!(request, ScreenRequest::Start { .. }) {
                *screen = Some(beside);
                return Ok(Some(first));
            }
            beside
        }
    };
    let report = beside.ask(&line).ok_or_else(silent)?;
    *screen = Some(beside);
    Ok(Some(report))
}

impl Drop for ScreenProcess {
    fn drop(&mut self) {
        // The process also ends when its input ends. It is killed in case it is suspended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
