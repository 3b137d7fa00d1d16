//! The help that the line editor gives while the umpire types (completions with descriptions, the
//! rest of the line as ghost text, unknown words in red), and additional keys.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_engine::command::complete_option;
use adjutant_engine::console::{self, Suggestion};
use adjutant_engine::referee::Referee;
use adjutant_engine::render::markup::sanitize;
use adjutant_engine::tabletop::Tabletop;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::SearchDirection;
use rustyline::line_buffer::LineBuffer;
use rustyline::validate::Validator;
use rustyline::{
    Changeset, Cmd, ConditionalEventHandler, Context, Event, EventContext, Helper, KeyCode,
    KeyEvent, RepeatCount,
};
use unicode_width::UnicodeWidthStr;

use super::alias::Aliases;

/// The maximum number of lines of the history that are tried as ghost text.
const MAX_GHOSTS: usize = 8;

/// The type of line that is being typed.
pub(super) enum LineKind {
    /// A line of the game.
    Lines(Box<(Referee, Tabletop)>),
    /// The answer to a question: one of these options, if there are any.
    Answers(Vec<String>),
}

/// The completion, hints and colours of the editor.
pub(super) struct LineHelper {
    pub kind: LineKind,
    pub styled: bool,
    /// The width of the terminal, in columns.
    pub width: usize,
    /// True for a screen reader: candidates are always listed one per line, and there is no ghost
    /// text.
    pub plain: bool,
    /// The lines that Up and Down go through.
    pub search: SharedSearch,
    /// The umpire's aliases.
    pub aliases: Aliases,
    /// True if the completion replaces the whole line, not only the word at the cursor.
    pub replaces: Cell<bool>,
}

impl LineHelper {
    /// Returns a helper without candidates.
    pub(super) fn new(
        styled: bool,
        plain: bool,
        search: SharedSearch,
        aliases: Aliases,
    ) -> LineHelper {
        let kind = LineKind::Answers(Vec::new());
        LineHelper { kind, styled, width: 80, plain, search, aliases, replaces: Cell::new(false) }
    }

    fn coloured<'t>(&self, code: &str, text: &'t str) -> Cow<'t, str> {
        if self.styled { format!("\u{1b}[{code}m{text}\u{1b}[0m").into() } else { text.into() }
    }

    /// Returns the byte offset at which the word at the cursor begins, and its possible
    /// completions. An alias at the beginning of the line counts as its replacement.
    fn suggestions(
        &self,
        referee: &Referee,
        table: &Tabletop,
        line: &str,
        cursor: usize,
    ) -> (usize, Vec<Suggestion>) {
        let typed = line.get(..cursor).unwrap_or(line);
        if let Some((meant, _)) = self.aliases.first_word(typed, referee) {
            let begun = typed.trim_start();
            if let Some(rest) = begun.find(char::is_whitespace).and_then(|end| begun.get(end..)) {
                let expanded = format!("{meant}{rest}");
                let found = console::suggest(referee, table, &expanded, expanded.len());
                let word = expanded.len().saturating_sub(found.start);
                return (typed.len().saturating_sub(word), found.all);
            }
        }
        let found = console::suggest(referee, table, line, cursor);
        let is_first = typed.get(..found.start).is_some_and(|before| before.trim().is_empty());
        let begun = typed.get(found.start..).unwrap_or_default();
        let aliases = self.aliases.beginning_with(begun, referee).filter(|_| is_first);
        let aliases = aliases.map(|(name, meant)| Suggestion {
            word: name.to_owned(),
            description: format!("means {}", sanitize(meant)),
        });
        (found.start, aliases.chain(found.all).collect())
    }

    /// Returns candidates for display in columns, or one per line if any of them has a description
    /// or the display is for a screen reader.
    fn listed(&self, candidates: Vec<Suggestion>) -> Vec<Pair> {
        let alone = candidates.len() == 1;
        let column = candidates.iter().map(|c| c.word.width()).max().unwrap_or_default();
        let one_a_line = self.plain || candidates.iter().any(|c| !c.description.is_empty());
        let room = self.width.saturating_sub(column + 5);
        let pair = |candidate: Suggestion| {
            let Suggestion { word, description } = candidate;
            // After a complete word, the umpire can type the next one at once.
            let blank = if alone && !word.ends_with('.') { " " } else { "" };
            let display = if one_a_line {
                let description: String = description.chars().take(room).collect();
                let separator = if self.plain { ": " } else { "  " };
                let begins = if self.plain || description.is_empty() {
                    word.clone()
                } else {
                    format!("{word:column$}")
                };
                let shown = match description.as_str() {
                    "" => begins,
                    _ => format!("{begins}{separator}{description}"),
                };
                // Padding to half the width makes the editor put each candidate on a separate line.
                format!("{shown:wide$}", wide = self.width / 2)
            } else {
                word.clone()
            };
            Pair { replacement: format!("{word}{blank}"), display }
        };
        candidates.into_iter().map(pair).collect()
    }
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let earlier = lock(&self.search).chosen.take();
        self.replaces.set(earlier.is_some());
        if let Some(found) = earlier {
            return Ok((0, vec![Pair { display: found.clone(), replacement: found }]));
        }
        let (start, candidates) = match &self.kind {
            LineKind::Answers(answers) => {
                let begun = line.get(..cursor).and_then(|before| before.rsplit(' ').next());
                let begun = begun.unwrap_or_default();
                let fit = complete_option(begun, answers).into_iter();
                let fit =
                    fit.map(|word| Suggestion { word: sanitize(word), description: String::new() });
                (cursor - begun.len(), fit.collect())
            }
            LineKind::Lines(game) => {
                let (referee, table) = &**game;
                self.suggestions(referee, table, line, cursor)
            }
        };
        Ok((start, self.listed(candidates)))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, elected: &str, changes: &mut Changeset) {
        let end = if self.replaces.get() { line.len() } else { line.pos() };
        line.replace(start..end, elected, changes);
    }
}

/// Ghost text after the cursor.
#[derive(Debug)]
pub(super) enum Ghost {
    /// The rest of an earlier line. A key accepts it.
    Line(String),
    /// The rest of a usage, or the meaning of an alias. It can't be accepted.
    Usage(String),
}

impl Hint for Ghost {
    fn display(&self) -> &str {
        match self {
            Ghost::Line(text) | Ghost::Usage(text) => text,
        }
    }

    fn completion(&self) -> Option<&str> {
        match self {
            Ghost::Line(text) => Some(text),
            Ghost::Usage(_) => None,
        }
    }
}

impl Hinter for LineHelper {
    type Hint = Ghost;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<Ghost> {
        let LineKind::Lines(game) = &self.kind else { return None };
        let (referee, table) = &**game;
        // Ghost text is redrawn with every key, which disturbs screen readers.
        if self.plain || cursor < line.len() || line.trim().is_empty() {
            return None;
        }
        let history = context.history();
        let mut tried = 0;
        for index in (0..history.len()).rev() {
            let Ok(Some(earlier)) = history.get(index, SearchDirection::Reverse) else { break };
            let Some(rest) = earlier.entry.strip_prefix(line).filter(|rest| !rest.is_empty())
            else {
                continue;
            };
            if console::would_be_accepted(referee, table, &earlier.entry) {
                return Some(Ghost::Line(sanitize(rest)));
            }
            tried += 1;
            if tried == MAX_GHOSTS {
                break;
            }
        }
        if let Some((meant, "")) = self.aliases.first_word(line, referee) {
            return Some(Ghost::Usage(format!("  means {}", sanitize(meant))));
        }
        console::hint(referee, table, line).map(Ghost::Usage)
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let LineKind::Lines(game) = &self.kind else { return line.into() };
        let (referee, table) = &**game;
        if !self.styled || self.aliases.first_word(line, referee).is_some() {
            return line.into();
        }
        let Some(range) = console::unknown_word(referee, table, line, cursor) else {
            return line.into();
        };
        let parts = (line.get(..range.start), line.get(range.clone()), line.get(range.end..));
        let (Some(before), Some(word), Some(after)) = parts else { return line.into() };
        format!("{before}{}{after}", self.coloured("31", word)).into()
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        self.coloured("1", prompt)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        self.coloured("2", hint)
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.styled && matches!(self.kind, LineKind::Lines(_))
    }
}

impl Validator for LineHelper {}
impl Helper for LineHelper {}

/// The handler of the keys that accept ghost text at the end of a line: all of it, or its first
/// word.
pub(super) struct AcceptGhost {
    pub whole: bool,
}

impl ConditionalEventHandler for AcceptGhost {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, at: &EventContext<'_>) -> Option<Cmd> {
        let text = at.hint_text().filter(|_| at.pos() == at.line().len())?;
        if self.whole {
            return Some(Cmd::CompleteHint);
        }
        let word = text.len() - text.trim_start().len();
        let end = text.get(word..)?.find(' ').map_or(text.len(), |end| word + end);
        Some(Cmd::Insert(1, text.get(..end)?.to_owned()))
    }
}

/// The lines that Up and Down go through, shared by the keys and the editor.
pub(super) type SharedSearch = Arc<Mutex<PrefixSearch>>;

fn lock(search: &SharedSearch) -> MutexGuard<'_, PrefixSearch> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines that Up and Down go through.
#[derive(Debug, Default)]
pub(super) struct PrefixSearch {
    /// All lines, the oldest first.
    lines: Vec<String>,
    /// The text typed before the first Up.
    prefix: String,
    /// The line found last, with its index; `None` while the typed text is shown.
    found: Option<(usize, String)>,
    /// The replacement for the typed line, if a key has just chosen one. A key can't replace the
    /// line directly. Instead, it makes the editor complete the line, and this is the completion.
    chosen: Option<String>,
}

impl PrefixSearch {
    pub(super) fn add(&mut self, line: &str) {
        if self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
        self.found = None;
    }

    /// Returns the next older or newer line that begins with the typed text and differs from
    /// `line`. On the way to newer lines, the typed text itself comes after the newest. Returns
    /// `None` if there is no further line.
    fn step(&mut self, line: &str, older: bool) -> Option<String> {
        let from = match &self.found {
            Some((index, found)) if found == line => *index,
            _ => {
                self.prefix = line.to_owned();
                self.found = None;
                self.lines.len()
            }
        };
        let fits = |index: &usize| {
            self.lines[*index].starts_with(&self.prefix) && self.lines[*index] != line
        };
        let index = if older {
            (0..from).rev().find(fits)
        } else {
            (from + 1..self.lines.len()).find(fits)
        };
        match index {
            Some(index) => {
                let found = self.lines[index].clone();
                self.found = Some((index, found.clone()));
                Some(found)
            }
            None if !older && self.found.take().is_some() => Some(self.prefix.clone()),
            None => None,
        }
    }
}

/// The handler of Up and Down, which go through earlier lines that begin with the typed text.
pub(super) struct SearchByPrefix {
    pub older: bool,
    pub search: SharedSearch,
}

impl ConditionalEventHandler for SearchByPrefix {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, at: &EventContext<'_>) -> Option<Cmd> {
        let mut search = lock(&self.search);
        search.chosen = search.step(at.line(), self.older);
        Some(if search.chosen.is_some() { Cmd::Complete } else { Cmd::Noop })
    }
}

/// The key that offers the first of the players' requests. It works only on an empty line, so it
/// never replaces typed text.
#[derive(Clone, Debug, Default)]
pub(super) struct TakeKey(Arc<AtomicBool>);

impl TakeKey {
    /// Returns true if this key has ended a line since the last call.
    pub(super) fn was_pressed(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

impl ConditionalEventHandler for TakeKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, at: &EventContext<'_>) -> Option<Cmd> {
        if !at.line().is_empty() {
            return None;
        }
        self.0.store(true, Ordering::SeqCst);
        Some(Cmd::AcceptLine)
    }
}

/// The handler of the first key at a prompt that begins with an offered answer. A character other
/// than a space replaces the answer, so that dice which are typed again aren't appended to it.
/// After any other key, the answer is edited.
pub(super) struct ReplaceOffered {
    search: SharedSearch,
    is_begun: AtomicBool,
}

impl ReplaceOffered {
    pub(super) fn new(search: SharedSearch) -> ReplaceOffered {
        ReplaceOffered { search, is_begun: AtomicBool::new(false) }
    }
}

impl ConditionalEventHandler for ReplaceOffered {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        if self.is_begun.swap(true, Ordering::SeqCst) {
            return None;
        }
        match event.get(0)? {
            KeyEvent(KeyCode::Char(typed), modifiers)
                if modifiers.is_empty() && !typed.is_control() && *typed != ' ' =>
            {
                // As for a line that Up has found, the completion replaces the whole line.
                lock(&self.search).chosen = Some(typed.to_string());
                Some(Cmd::Complete)
            }
            KeyEvent(..) => None,
        }
    }
}

/// The umpire's choice at a page break of a long answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum PagerKey {
    /// Show the next page.
    #[default]
    Next,
    /// Show no more pages.
    Stop,
    /// Show the next page that contains this text; `None` means that the text must be asked for.
    Search(Option<String>),
    /// The first character of the next line.
    Other(char),
    /// A whole line that is not for the pager.
    Line(String),
}

/// The handler of the keys at a page break of a long answer. Each key acts at once.
pub(super) struct PagerKeys(pub Arc<Mutex<PagerKey>>);

impl ConditionalEventHandler for PagerKeys {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        let key = match event.get(0)? {
            KeyEvent(KeyCode::Char('c' | 'C' | 'd' | 'D'), modifiers) if !modifiers.is_empty() => {
                return None;
            }
            KeyEvent(KeyCode::Enter | KeyCode::Down | KeyCode::PageDown, _)
            | KeyEvent(KeyCode::Char(' '), _) => PagerKey::Next,
            KeyEvent(KeyCode::Char('j' | 'J' | 'm' | 'M'), modifiers) if !modifiers.is_empty() => {
                PagerKey::Next
            }
            KeyEvent(KeyCode::Char('q' | 'Q') | KeyCode::Esc, _) => PagerKey::Stop,
            KeyEvent(KeyCode::Char('/'), _) => PagerKey::Search(None),
            KeyEvent(KeyCode::Char(first), modifiers)
                if !first.is_control() && modifiers.is_empty() =>
            {
                PagerKey::Other(*first)
            }
            KeyEvent(..) => return Some(Cmd::Noop),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = key;
        Some(Cmd::AcceptLine)
    }
}

#[cfg(test)]
mod tests {
    use rustyline::history::MemHistory;

    use super::*;

    #[test]
    fn tab_completes_the_answers_that_enter_accepts() {
        let cards = ["nine-clubs", "king-hearts", "king-spades"].map(str::to_owned);
        let mut guide = LineHelper::new(false, false, SharedSearch::default(), Aliases::default());
        guide.kind = LineKind::Answers(cards.to_vec());
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

    #[test]
    fn up_goes_through_lines_with_the_typed_beginning_and_down_back_to_it() {
        let mut search = PrefixSearch::default();
        for line in ["move a", "fire b", "move c", "fire d", "fire d"] {
            search.add(line);
        }
        let mut line = "mo".to_owned();
        let mut walked = Vec::new();
        for older in [true, true, true, false, false, false] {
            let found = search.step(&line, older);
            line = found.clone().unwrap_or(line);
            walked.push(found);
        }
        let some = |line: &str| Some(line.to_owned());
        assert_eq!(
            walked,
            [some("move c"), some("move a"), None, some("move c"), some("mo"), None]
        );
        // Without typed text, every line fits.
        assert_eq!(search.step("", true), some("fire d"));
        assert_eq!(search.step("fire d", true), some("move c"));
    }
}
