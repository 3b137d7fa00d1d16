//! The keyboard: a line editor with history and completion, which also reads the answers to
//! questions.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use adjutant_engine::command::MAX_LINE;
use adjutant_engine::console::{self, Failure, Flow, Prompt, Reply, StopHandle, TAKE_LINE};
use adjutant_engine::render::PrintLayout;
use adjutant_engine::render::markup::{Role, Text, sanitize};
use adjutant_engine::session::Session;
use etcetera::BaseStrategy;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{
    CompletionType, Config, Editor, Event, EventHandler, ExternalPrinter, KeyCode, KeyEvent,
    Modifiers,
};

use super::alias::Aliases;
use super::busy::BusySign;
use super::editor::{
    AcceptGhost, LineHelper, LineKind, PagerKey, PagerKeys, PrefixSearch, ReplaceOffered,
    SearchByPrefix, SharedSearch, TakeKey,
};
use super::game::{Frontend, Game, PromptInput};
use super::interrupt;
use super::pipe::WIDTH_WITHOUT_COLUMNS;
use super::quiet::QuietTerminal;
use super::requests::{self, SharedRequests};
use super::waiting_thread::WaitingThread;
use crate::clock::current_time;
use crate::files::{Disk, FileKind, PlainFile, SystemDisk};

/// The maximum number of lines of history that are saved.
const MAX_HISTORY_LINES: usize = 2000;
/// The maximum size of a history file that is read, in bytes: enough for all saved lines at their
/// maximum length.
const MAX_HISTORY_BYTES: u64 = (MAX_HISTORY_LINES * MAX_LINE) as u64;

/// The maximum length of a history file's name, in characters.
const MAX_HISTORY_NAME: usize = 80;

/// The exit code of a shell that doesn't find a command.
const NO_SUCH_COMMAND: i32 = 127;

/// The time between two checks for players' requests.
const NEWS_INTERVAL: Duration = Duration::from_millis(200);

/// A line that is complete this soon after the prompt appeared was typed before it.
const TYPED_AHEAD: Duration = Duration::from_millis(40);

/// An Enter pressed this soon after `q` at a page break belongs to the `q`.
const AFTER_Q: Duration = Duration::from_secs(1);

/// The settings of the frontend at the keyboard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// True if answers are coloured.
    pub styled: bool,
    /// True for a screen reader: answers have no columns, and the typed line isn't redrawn.
    pub plain: bool,
    /// The maximum width of answers, in columns.
    pub widest: usize,
    /// True if answers longer than the screen are shown page by page.
    pub pages: bool,
    /// The umpire's pager; `None` for the built-in one.
    pub pager: Option<String>,
    /// The umpire's aliases.
    pub aliases: Aliases,
}

/// The frontend at the keyboard.
pub(crate) struct Keyboard {
    editor: Editor<LineHelper, FileHistory>,
    history: Option<PathBuf>,
    /// The lines that Up and Down go through.
    search: SharedSearch,
    /// The printer for messages above the line that is being typed; `None` if the terminal can't
    /// show them.
    printer: Option<Printer>,
    /// Pasted lines that have not been used yet.
    pasted: VecDeque<String>,
    /// A line typed at a page break of a long answer. It is used before the pasted lines.
    typed: Option<String>,
    /// The first character of the next line, typed at a page break of a long answer.
    begun: Option<char>,
    /// True if the last long answer was ended by `q`, which may have been the beginning of a line
    /// typed ahead.
    stopped: bool,
    look: Look,
    /// The replies that have not been shown yet. All replies to a line are shown together.
    pending: Text,
    failed: Option<io::Error>,
    /// Prevents the echo of lines that are typed ahead.
    quiet: QuietTerminal,
    take: TakeKey,
    /// The players' requests to announce, if players may send any.
    requests: Option<SharedRequests>,
    /// The handle that Ctrl-C uses while no line is being typed.
    stop: StopHandle,
}

/// A printer that any thread can use for messages above the line that is being typed.
type Printer = Arc<Mutex<Box<dyn ExternalPrinter + Send>>>;

/// Returns the keys that have a special meaning while a line of the game is typed, each with its
/// handler.
fn editing_keys(search: &SharedSearch, take: &TakeKey) -> Vec<(KeyEvent, EventHandler)> {
    let key = |code| KeyEvent(code, Modifiers::NONE);
    let accepts = |whole| EventHandler::Conditional(Box::new(AcceptGhost { whole }));
    let searches = |older| {
        EventHandler::Conditional(Box::new(SearchByPrefix { older, search: search.clone() }))
    };
    vec![
        (key(KeyCode::Up), searches(true)),
        (KeyEvent::ctrl('P'), searches(true)),
        (key(KeyCode::Down), searches(false)),
        (KeyEvent::ctrl('N'), searches(false)),
        (key(KeyCode::End), accepts(true)),
        (KeyEvent::ctrl('E'), accepts(true)),
        (KeyEvent::ctrl('F'), accepts(true)),
        (KeyEvent::alt('f'), accepts(false)),
        (KeyEvent(KeyCode::Right, Modifiers::CTRL), accepts(false)),
        (KeyEvent(KeyCode::Right, Modifiers::ALT), accepts(false)),
        (KeyEvent::ctrl('T'), EventHandler::Conditional(Box::new(take.clone()))),
    ]
}

impl Keyboard {
    /// Returns a keyboard with the history of earlier sessions of this game, if that can be read.
    /// `stop` is the console's handle, through which Ctrl-C stops a command.
    pub(crate) fn new(game: &str, look: Look, stop: StopHandle) -> io::Result<Keyboard> {
        let config = Config::builder()
            .max_history_size(MAX_HISTORY_LINES)
            .map_err(io::Error::other)?
            .history_ignore_dups(true)
            .map_err(io::Error::other)?
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        let history = history_file(game);
        // A history that doesn't exist yet or can't be read counts as empty. Anything but a regular
        // file is ignored.
        let history = history.filter(|path| is_history(path));
        if let Some(path) = &history {
            let _ = editor.load_history(path);
        }
        let mut search = PrefixSearch::default();
        editor.history().iter().for_each(|line| search.add(line));
        let search = Arc::new(Mutex::new(search));
        editor.set_helper(Some(LineHelper::new(
            look.styled,
            look.plain,
            search.clone(),
            look.aliases.clone(),
        )));
        let take = TakeKey::default();
        for (key, handler) in editing_keys(&search, &take) {
            editor.bind_sequence(key, handler);
        }
        let printer = editor.create_external_printer().ok();
        let printer = printer.map(|printer| -> Printer { Arc::new(Mutex::new(Box::new(printer))) });
        Ok(Keyboard {
            editor,
            history,
            search,
            printer,
            pasted: VecDeque::new(),
            typed: None,
            begun: None,
            stopped: false,
            look,
            pending: Text::new(),
            failed: None,
            quiet: QuietTerminal::begin(),
            take,
            requests: None,
            stop,
        })
    }

    fn set_completion(&mut self, kind: LineKind) {
        let width = self.width();
        if let Some(helper) = self.editor.helper_mut() {
            helper.kind = kind;
            helper.width = width;
        }
    }

    fn add_to_history(&mut self, line: &str) {
        // History is a convenience: if a line can't be saved, that isn't an error.
        let _ = self.editor.add_history_entry(line);
        self.search.lock().unwrap_or_else(PoisonError::into_inner).add(line);
    }

    /// Announces players' requests above the line that is being typed, until the result is dropped.
    /// Returns `None` if the terminal can't show them there, or players may not send any.
    fn announce_requests(&self) -> Option<WaitingThread<()>> {
        let (printer, requests) = self.printer.clone().zip(self.requests.clone())?;
        Some(announce(printer, requests))
    }

    /// Reads the answer to a prompt that begins with an offered answer, which the umpire accepts,
    /// replaces or edits. If lines were typed or pasted before the prompt appeared, returns
    /// [`PromptInput::Cancelled`], because the umpire could not have read the prompt yet.
    fn read_edited(&mut self, prompt: &str, initial: &str) -> PromptInput {
        let is_ahead = self.typed.take().is_some() | self.begun.take().is_some();
        let pasted = std::mem::take(&mut self.pasted);
        if is_ahead || !pasted.is_empty() {
            return PromptInput::Cancelled;
        }
        let since = Instant::now();
        let announcer = self.announce_requests();
        let replace = EventHandler::Conditional(Box::new(ReplaceOffered::new(self.search.clone())));
        self.editor.bind_sequence(Event::Any, replace);
        let read = self.editor.readline_with_initial(prompt, (initial, ""));
        self.editor.unbind_sequence(Event::Any);
        drop(announcer);
        match read {
            Ok(_) if self.take.was_pressed() || since.elapsed() < TYPED_AHEAD => {
                PromptInput::Cancelled
            }
            // Several pasted lines aren't an edited line.
            Ok(text) if text.contains(['\n', '\r']) => PromptInput::Cancelled,
            Ok(text) => PromptInput::Line(text),
            Err(ReadlineError::Eof) => PromptInput::End,
            Err(_) => PromptInput::Cancelled,
        }
    }

    /// Returns a line that was typed or pasted earlier, or reads a new one. If several lines are
    /// pasted at once, the later ones wait for the next calls. Lines typed ahead wait in the
    /// editor. If `keep` is true, lines that were not pasted earlier are added to the history.
    fn read(&mut self, prompt: &str, keep: bool) -> PromptInput {
        if let Some(line) = self.typed.take() {
            self.print(&format!("{prompt}{}\n", sanitize(&line)));
            if keep {
                self.add_to_history(&line);
            }
            return PromptInput::Line(line);
        }
        if let Some(line) = self.pasted.pop_front() {
            self.print(&format!("{prompt}{}\n", sanitize(&line)));
            return PromptInput::Line(line);
        }
        let begun = self.begun.take().map(String::from).unwrap_or_default();
        let since = Instant::now();
        self.take.was_pressed();
        let announcer = self.announce_requests();
        let mut typed = self.editor.readline_with_initial(prompt, (&begun, ""));
        if std::mem::take(&mut self.stopped) {
            // Many people press Enter after `q`. That Enter doesn't answer the prompt.
            if since.elapsed() < AFTER_Q && typed.as_ref().is_ok_and(String::is_empty) {
                typed = self.editor.readline(prompt);
            } else if since.elapsed() < TYPED_AHEAD
                && let Ok(rest) = &mut typed
                && self.begins_with_q(rest)
            {
                rest.insert(0, 'q');
            }
        }
        drop(announcer);
        // The rest of a line with an invalid byte must not be read as another line.
        while matches!(&typed, Err(ReadlineError::Io(e)) if e.kind() == io::ErrorKind::InvalidData)
        {
            let rest = self.editor.readline("");
            self.print("this line is not valid UTF-8: nothing was done\n");
            typed = rest.and_then(|_| self.editor.readline(prompt));
        }
        match typed {
            Ok(text) if self.take.was_pressed() && text.is_empty() => {
                self.print(&format!("{TAKE_LINE}\n"));
                PromptInput::Line(TAKE_LINE.to_owned())
            }
            Ok(text) => {
                let mut lines = text.split(['\n', '\r']).filter(|l| !l.trim().is_empty());
                let first = lines.next().unwrap_or_default().to_owned();
                self.pasted.extend(lines.map(str::to_owned));
                if keep && !first.trim().is_empty() {
                    self.add_to_history(&first);
                    for line in self.pasted.clone() {
                        self.add_to_history(&line);
                    }
                }
                PromptInput::Line(first)
            }
            Err(ReadlineError::Interrupted) => {
                self.drop_lines_ahead();
                PromptInput::Cancelled
            }
            Err(ReadlineError::Eof) => PromptInput::End,
            Err(error) => {
                self.failed = Some(io::Error::other(error));
                PromptInput::End
            }
        }
    }

    /// Drops the lines that were typed or pasted before the prompt appeared.
    fn drop_lines_ahead(&mut self) {
        self.typed = None;
        self.begun = None;
        self.pasted.clear();
    }

    /// Returns true if a line makes sense only with a `q` in front of it.
    fn begins_with_q(&self, rest: &str) -> bool {
        let Some(LineKind::Lines(game)) = self.editor.helper().map(|helper| &helper.kind) else {
            return false;
        };
        let (referee, table) = &**game;
        let is_line = |line: &str| {
            let unknown = console::unknown_word(referee, table, line, line.len());
            unknown.is_none_or(|range| range.start > 0)
        };
        !rest.is_empty() && !is_line(rest) && is_line(&format!("q{rest}"))
    }

    /// Shows the pending replies, folded to fit on one screen if possible. Shows longer ones page by
    /// page, unless pages are turned off or lines that were typed or pasted earlier are waiting.
    pub(crate) fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        let width = self.width();
        let height = self.height();
        let words = if self.look.plain {
            text.lay_out(PrintLayout::Linear)
        } else {
            text.folded(width, height).write(width, self.look.styled)
        };
        let rows: Vec<&str> = words.split_inclusive('\n').collect();
        // One extra line isn't worth a second page.
        let is_long = rows.len() > height.saturating_add(1);
        let waits = self.typed.is_none() && self.pasted.is_empty();
        if !(is_long && self.look.pages && waits) {
            return self.print(&words);
        }
        let paged = self
            .look
            .pager
            .as_deref()
            .is_some_and(|pager| self.quiet.loudly(|| page_with(pager, &words)));
        if paged {
            // Ctrl-C in the pager was meant for the pager.
            self.stop.take();
        } else {
            self.page(&rows, height.max(1));
        }
    }

    /// Shows rows, `page` of them at a time, until the last one or until the umpire stops.
    fn page(&mut self, rows: &[&str], page: usize) {
        let mut next = 0;
        let mut wanted = String::new();
        loop {
            let end = rows.len().min(next + page);
            self.print(&rows[next..end].concat());
            next = end;
            if next == rows.len() {
                return;
            }
            let left = rows.len() - next;
            match self.pager_key(left) {
                PagerKey::Next => {}
                PagerKey::Stop => return,
                PagerKey::Other(first) => {
                    self.begun = Some(first);
                    return;
                }
                PagerKey::Line(line) => {
                    // This is the next line, or the answer to the next question.
                    self.typed = Some(line);
                    return;
                }
                PagerKey::Search(given) => {
                    let text = match given {
                        Some(text) => text,
                        None => match self.read("/", false) {
                            PromptInput::Line(asked) => asked,
                            PromptInput::Cancelled | PromptInput::End => return,
                        },
                    };
                    // An empty search repeats the last one.
                    if !text.trim().is_empty() {
                        wanted = text.trim().to_lowercase();
                    }
                    let found = rows[next..].iter().position(|row| holds(row, &wanted));
                    match found {
                        Some(skipped) => next += skipped,
                        None => {
                            self.print(&format!(
                                "`{}` doesn't appear further down\n",
                                sanitize(&wanted)
                            ));
                            // The page that was shown last is shown again.
                            next = next.saturating_sub(page);
                        }
                    }
                }
            }
        }
    }

    /// Returns the umpire's choice at a page break of a long answer.
    fn pager_key(&mut self, left: usize) -> PagerKey {
        let pressed = Arc::new(Mutex::new(PagerKey::Next));
        let editing = editing_keys(&self.search, &self.take);
        for (key, _) in &editing {
            self.editor.unbind_sequence(*key);
        }
        let any = EventHandler::Conditional(Box::new(PagerKeys(pressed.clone())));
        self.editor.bind_sequence(Event::Any, any);
        self.set_completion(LineKind::Answers(Vec::new()));
        let lines = if left == 1 { "line" } else { "lines" };
        let prompt = format!("-- {left} more {lines}: Enter for more, / to search, q to stop -- ");
        let typed = self.editor.readline(&prompt);
        self.editor.unbind_sequence(Event::Any);
        for (key, handler) in editing {
            self.editor.bind_sequence(key, handler);
        }
        let key = pressed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match typed.as_deref().map(str::trim) {
            Ok("") => {
                self.stopped = key == PagerKey::Stop;
                key
            }
            // A terminal that works only line by line sends whole lines.
            Ok("q") => PagerKey::Stop,
            Ok(line) => match line.strip_prefix('/') {
                Some(text) => PagerKey::Search(Some(text.to_owned())),
                None => PagerKey::Line(line.to_owned()),
            },
            Err(_) => PagerKey::Stop,
        }
    }

    /// Returns the number of rows between the typed line and the next prompt, at least 4. There is
    /// no limit if the height of the terminal is unknown.
    fn height(&self) -> usize {
        let size = terminal_size::terminal_size().filter(|(_, h)| h.0 > 0);
        size.map_or(usize::MAX, |(_, h)| usize::from(h.0).saturating_sub(2).max(4))
    }

    fn print(&mut self, words: &str) {
        let mut out = io::stdout().lock();
        let written = out.write_all(words.as_bytes()).and_then(|()| out.flush());
        if let (Err(error), None) = (written, &self.failed) {
            self.failed = Some(error);
        }
    }
}

impl Frontend for Keyboard {
    fn show(&mut self, reply: &Reply) {
        self.pending.extend(reply.text.clone());
    }

    fn ask(&mut self, prompt: &Prompt) -> PromptInput {
        self.pending.extend(prompt.text.clone());
        self.flush();
        self.set_completion(LineKind::Answers(prompt.options.clone()));
        // The umpire may press Ctrl-C on reading the question, before the editor is ready for it.
        if self.stop.take() {
            self.drop_lines_ahead();
            return PromptInput::Cancelled;
        }
        if !prompt.initial.is_empty() {
            return self.read_edited(&prompt.prompt, &prompt.initial);
        }
        self.read(&prompt.prompt, false)
    }

    fn width(&self) -> usize {
        if self.look.plain {
            return WIDTH_WITHOUT_COLUMNS;
        }
        let size = terminal_size::terminal_size();
        size.map_or(80, |(w, _)| (w.0 as usize).clamp(40, self.look.widest))
    }

    fn begin_work(&self) -> Option<BusySign> {
        // A terminal that can't print above a line can't erase one either.
        Some(BusySign::begin(self.look.plain || self.printer.is_none()))
    }
}

/// Returns true if this file can be used for a history: if it doesn't exist, or is a regular file
/// of a plausible size.
fn is_history(path: &Path) -> bool {
    match SystemDisk.kind(path) {
        Ok(None) => true,
        Ok(Some(FileKind::File)) => {
            let length = PlainFile::open(path).and_then(|file| file.length());
            length.is_ok_and(|length| length <= MAX_HISTORY_BYTES)
        }
        Ok(Some(FileKind::Folder | FileKind::Other)) | Err(_) => false,
    }
}

/// Returns the history file of a game, in the data folder of this program; `None` if there is no
/// such folder and it can't be created.
fn history_file(game: &str) -> Option<PathBuf> {
    let folder = etcetera::choose_base_strategy().ok()?.data_dir().join("adjutant/histories");
    std::fs::create_dir_all(&folder).ok()?;
    let name: String = game
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .take(MAX_HISTORY_NAME)
        .collect();
    Some(folder.join(name))
}

/// Returns true if a row, which may be coloured, contains this lower-case text. The case of the row
/// is ignored.
fn holds(row: &str, text: &str) -> bool {
    anstream::adapter::strip_str(row).to_string().to_lowercase().contains(text)
}

/// Shows text with the umpire's pager. Returns false if the pager can't be started.
fn page_with(pager: &str, words: &str) -> bool {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.arg(flag).arg(pager).stdin(Stdio::piped());
    // These options make `less` show the colours, and leave its text on the screen.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "RX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that is closed early stops reading.
        let _ = stdin.write_all(words.as_bytes());
    }
    child.wait().is_ok_and(|status| status.code() != Some(NO_SUCH_COMMAND))
}

/// Prints a line above the typed text when the time for a move is up. The result of the thread is
/// true if the line was printed.
fn set_alarm(printer: Printer, after: Duration, words: String) -> WaitingThread<bool> {
    WaitingThread::start(move |stop| {
        if stop.comes_within(after) {
            return false;
        }
        let mut printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
        printer.print(format!("{words}\n")).is_ok()
    })
}

/// Announces players' requests above the line that is being typed. It never changes that line.
fn announce(printer: Printer, desk: SharedRequests) -> WaitingThread<()> {
    WaitingThread::start(move |stop| {
        loop {
            let news = requests::lock(&desk).news();
            if let Some(news) = news {
                let mut printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = printer.print(format!("{}\n", sanitize(&news)));
            }
            if stop.comes_within(NEWS_INTERVAL) {
                return;
            }
        }
    })
}

/// Plays until the umpire leaves, or the terminal reports an error.
pub(crate) fn run(game: &mut Game, keyboard: &mut Keyboard) -> io::Result<()> {
    interrupt::stop_at_interrupt(keyboard.stop.clone());
    loop {
        keyboard.pending.extend(game.console.guidance());
        keyboard.flush();
        if let Some(session) = game.console.session() {
            let lines = (session.referee().clone(), session.table().clone());
            keyboard.set_completion(LineKind::Lines(Box::new(lines)));
        }
        let now = current_time();
        let alarm = keyboard.printer.clone().zip(game.console.clock_alarm(now));
        let alarm = alarm.map(|(printer, (after, words))| {
            set_alarm(printer, Duration::from_millis(after), words)
        });
        keyboard.requests.clone_from(&game.requests);
        let input = keyboard.read(&game.console.prompt(now), true);
        if alarm.and_then(WaitingThread::end) == Some(true) {
            game.console.silence_clock();
        }
        if let Some(error) = keyboard.failed.take() {
            return Err(error);
        }
        let (line, done) = match input {
            PromptInput::Line(line) => {
                let referee = game.console.session().map(Session::referee);
                let meant =
                    referee.and_then(|referee| keyboard.look.aliases.expand(&line, referee));
                if let Some(meant) = &meant {
                    keyboard.pending.line(Role::Quiet, meant);
                }
                let line = meant.unwrap_or(line);
                let done = game.line(&line, keyboard);
                (line, done)
            }
            PromptInput::Cancelled => continue,
            PromptInput::End => (String::new(), game.end(keyboard)),
        };
        match done {
            Ok(Flow::On) => {}
            Ok(Flow::Leave) => {
                keyboard.flush();
                break;
            }
            Err(failure) => {
                // Lines pasted after a failed line were meant for another state of the table.
                let dropped = std::mem::take(&mut keyboard.pasted).len();
                let mut text = match failure {
                    Failure::Cancelled | Failure::End(_) => {
                        Text::of(Role::Quiet, "cancelled: nothing was changed")
                    }
                    failure => game.console.failure(&failure, &line),
                };
                if dropped > 0 {
                    let words =
                        format!("lines that were pasted after it and not played: {dropped}");
                    text.line(Role::Quiet, words);
                }
                keyboard.pending.extend(text);
            }
        }
        keyboard.flush();
        if let Some(path) = &keyboard.history {
            let _ = keyboard.editor.save_history(path);
        }
    }
    Ok(())
}
