//! The keyboard: a line editor with history and completion, and questions asked in between.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use adjutant_engine::command::{MAX_LINE, complete_option};
use adjutant_engine::console::{self, Failure, Flow, Prompt, Reply};
use adjutant_engine::referee::Referee;
use adjutant_engine::render::markup::{Role, Text, sanitize};
use adjutant_engine::tabletop::Tabletop;
use etcetera::BaseStrategy;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::game::{Frontend, Game, PromptInput, current_time};
use super::interrupt;
use crate::files::{Disk, FileKind, PlainFile, SystemDisk};

/// The number of lines of history that are saved.
const MAX_HISTORY_LINES: usize = 2000;
/// The longest file of a history that is read, in bytes: that of all saved lines at their longest.
const MAX_HISTORY_BYTES: u64 = (MAX_HISTORY_LINES * MAX_LINE) as u64;

/// The kind of line that is being completed.
enum CompletionMode {
    /// A line of the game.
    Lines(Box<(Referee, Tabletop)>),
    /// An answer.
    Answers(Vec<String>),
}

/// The completion, hints and colours of the editor.
struct LineHelper {
    knows: CompletionMode,
    styled: bool,
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = match &self.knows {
            CompletionMode::Answers(answers) => {
                let begun = line.get(..cursor).and_then(|before| before.rsplit(' ').next());
                let begun = begun.unwrap_or_default();
                let fit = complete_option(begun, answers).into_iter().map(str::to_owned);
                (cursor - begun.len(), fit.collect())
            }
            CompletionMode::Lines(game) => {
                let (referee, table) = &**game;
                let found = console::complete(referee, table, line, cursor);
                (found.start, found.words)
            }
        };
        let alone = words.len() == 1;
        let pairs = words.into_iter().map(|word| {
            let word = sanitize(&word);
            // What is complete is followed by the next word.
            let blank = if alone && !word.ends_with('.') { " " } else { "" };
            Pair { replacement: format!("{word}{blank}"), display: word }
        });
        Ok((start, pairs.collect()))
    }
}

impl Hinter for LineHelper {
    type Hint = String;

    fn hint(&self, line: &str, cursor: usize, _context: &Context<'_>) -> Option<String> {
        match &self.knows {
            CompletionMode::Lines(game) if cursor == line.len() => console::hint(&game.0, line),
            _ => None,
        }
    }
}

impl LineHelper {
    fn coloured<'t>(&self, code: &str, text: &'t str) -> Cow<'t, str> {
        if self.styled { format!("\u{1b}[{code}m{text}\u{1b}[0m").into() } else { text.into() }
    }
}

impl Highlighter for LineHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        self.coloured("1", prompt)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        self.coloured("2", hint)
    }
}

impl Validator for LineHelper {}
impl Helper for LineHelper {}

/// The frontend at the keyboard.
pub(crate) struct Keyboard {
    editor: Editor<LineHelper, FileHistory>,
    history: Option<PathBuf>,
    /// Lines of one paste that wait for their turn.
    pasted: VecDeque<String>,
    /// A line that was typed where a long answer stopped, which comes before the pasted ones.
    typed: Option<String>,
    styled: bool,
    widest: usize,
    /// True if answers longer than the screen are shown screen by screen.
    pages: bool,
    /// The replies that have not been shown yet: all of a line are folded together.
    pending: Text,
    failed: Option<io::Error>,
}

impl Keyboard {
    /// Returns a keyboard with the history of earlier sessions, if there is a place for it. `widest` is the most
    /// columns used; `pages` shows long answers screen by screen.
    pub(crate) fn new(styled: bool, widest: usize, pages: bool) -> io::Result<Keyboard> {
        let config = Config::builder()
            .max_history_size(MAX_HISTORY_LINES)
            .map_err(io::Error::other)?
            .history_ignore_dups(true)
            .map_err(io::Error::other)?
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(LineHelper { knows: CompletionMode::Answers(Vec::new()), styled }));
        let history = history_file();
        // A history that does not exist yet, or cannot be read, is an empty one. What is not a plain file is left alone.
        let history = history.filter(|path| is_history(path));
        if let Some(path) = &history {
            let _ = editor.load_history(path);
        }
        Ok(Keyboard {
            editor,
            history,
            pasted: VecDeque::new(),
            typed: None,
            styled,
            widest,
            pages,
            pending: Text::new(),
            failed: None,
        })
    }

    fn set_completion(&mut self, knows: CompletionMode) {
        if let Some(guide) = self.editor.helper_mut() {
            guide.knows = knows;
        }
    }

    /// Returns a line that was typed or pasted before, or one that is typed now. Of several pasted at once the others
    /// wait. Lines typed ahead wait in the editor.
    fn read(&mut self, prompt: &str, keep: bool) -> PromptInput {
        if let Some(line) = self.typed.take() {
            self.print(&format!("{prompt}{}\n", sanitize(&line)));
            if keep {
                let _ = self.editor.add_history_entry(line.as_str());
            }
            return PromptInput::Line(line);
        }
        if let Some(line) = self.pasted.pop_front() {
            self.print(&format!("{prompt}{}\n", sanitize(&line)));
            return PromptInput::Line(line);
        }
        let mut typed = self.editor.readline(prompt);
        // The rest of a line in which a byte was wrong is no line of its own.
        while matches!(&typed, Err(ReadlineError::Io(e)) if e.kind() == io::ErrorKind::InvalidData)
        {
            let rest = self.editor.readline("");
            self.print("this line is not valid UTF-8: nothing was done\n");
            typed = rest.and_then(|_| self.editor.readline(prompt));
        }
        match typed {
            Ok(text) => {
                let mut lines = text.split(['\n', '\r']).filter(|l| !l.trim().is_empty());
                let first = lines.next().unwrap_or_default().to_owned();
                self.pasted.extend(lines.map(str::to_owned));
                if keep && !first.trim().is_empty() {
                    // History is a convenience: a line that cannot be saved is no fault.
                    let _ = self.editor.add_history_entry(first.as_str());
                    for line in &self.pasted {
                        let _ = self.editor.add_history_entry(line.as_str());
                    }
                }
                PromptInput::Line(first)
            }
            Err(ReadlineError::Interrupted) => {
                self.pasted.clear();
                PromptInput::Cancelled
            }
            Err(ReadlineError::Eof) => PromptInput::End,
            Err(error) => {
                self.failed = Some(io::Error::other(error));
                PromptInput::End
            }
        }
    }

    /// Shows what is pending, on one screen if it can be folded so far, else screen by screen.
    pub(crate) fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        let width = self.width();
        let height = self.height();
        let words = text.folded(width, height).write(width, self.styled);
        let rows: Vec<&str> = words.split_inclusive('\n').collect();
        let mut left = rows.len();
        // One line more is no page of its own.
        let page = if rows.len() == height.saturating_add(1) { rows.len() } else { height.max(1) };
        for screen in rows.chunks(page) {
            self.print(&screen.concat());
            left -= screen.len();
            if left > 0 && self.pages && self.typed.is_none() && self.pasted.is_empty() {
                self.set_completion(CompletionMode::Answers(Vec::new()));
                let lines = if left == 1 { "line" } else { "lines" };
                let prompt = format!("-- {left} more {lines}; Enter, or q to stop -- ");
                match self.read(&prompt, false) {
                    PromptInput::Line(line) if line.trim().is_empty() => {}
                    PromptInput::Line(line) if !line.trim().eq_ignore_ascii_case("q") => {
                        // The next line, or the answer to the question.
                        self.typed = Some(line);
                        return;
                    }
                    PromptInput::Line(_) | PromptInput::Cancelled | PromptInput::End => return,
                }
            }
        }
    }

    /// Returns the rows of a screen between the line that was typed and the next prompt.
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
        self.set_completion(CompletionMode::Answers(prompt.options.to_vec()));
        self.read(&prompt.prompt, false)
    }

    fn width(&self) -> usize {
        let size = terminal_size::terminal_size();
        size.map_or(80, |(w, _)| (w.0 as usize).clamp(40, self.widest))
    }
}

/// Returns true if a history can be read from and written to this file: nothing is there, or a plain file of a history's
/// size.
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

/// Returns the file of the history, in the data folder of this program; `None` if there can be none.
fn history_file() -> Option<PathBuf> {
    let folder = etcetera::choose_base_strategy().ok()?.data_dir().join("adjutant");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Plays until the umpire leaves.
pub(crate) fn run(game: &mut Game, keyboard: &mut Keyboard) -> io::Result<()> {
    interrupt::stop_at_interrupt(game.console.stop_handle());
    loop {
        keyboard.pending.extend(game.console.guidance());
        keyboard.flush();
        if let Some(session) = game.console.session() {
            let lines = (session.referee().clone(), session.table().clone());
            keyboard.set_completion(CompletionMode::Lines(Box::new(lines)));
        }
        let input = keyboard.read(&game.console.prompt(current_time()), true);
        if let Some(error) = keyboard.failed.take() {
            return Err(error);
        }
        let (line, done) = match input {
            PromptInput::Line(line) => {
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
                // What was pasted after a line that failed was meant for another table.
                let dropped = std::mem::take(&mut keyboard.pasted).len();
                let mut text = match failure {
                    Failure::Cancelled | Failure::End(_) => {
                        Text::of(Role::Quiet, "taken back: nothing was changed")
                    }
                    failure => game.console.failure(&failure, &line),
                };
                if dropped > 0 {
                    let words = format!("the pasted lines after it were left out: {dropped}");
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

#[cfg(test)]
mod tests {
    use rustyline::history::MemHistory;

    use super::*;

    #[test]
    fn tab_completes_the_answers_that_enter_accepts() {
        let cards = ["nine-clubs", "king-hearts", "king-spades"].map(str::to_owned);
        let guide = LineHelper { knows: CompletionMode::Answers(cards.to_vec()), styled: false };
        let offered = |line: &str| {
            let (start, pairs) =
                guide.complete(line, line.len(), &Context::new(&MemHistory::new())).unwrap();
            (start, pairs.into_iter().map(|pair| pair.display).collect::<Vec<_>>())
        };
        assert_eq!(offered("Ni"), (0, vec!["nine-clubs".to_owned()]));
        assert_eq!(offered("9c Kh"), (3, vec!["king-hearts".to_owned()]));
        assert_eq!(offered("k").1, ["king-hearts", "king-spades"]);
        assert_eq!(offered("").1, cards);
        assert!(offered("x").1.is_empty());
    }
}
