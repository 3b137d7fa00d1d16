//! The players' screen: what one viewer saw of a game, as the sections of a page. It is brought up to date with each
//! thing that happens, and says nothing of when it did or of what the viewer did not see.

use indexmap::IndexMap;

use super::document::Document;
use super::markup::{Line, Role};
use super::nodes;
use super::outcome;
use super::print::escape::clean_and_escape;
use super::print::{dice, html};
use super::show::{self, ShowExtent};
use super::view::{self, View};
use super::{hands, plan, summary};
use crate::referee::{Event, Referee, SeenTable, Viewer};
use crate::session::{LoggedRecord, Record, RecordedAction, Session, WalkError, Witnessed};
use crate::tabletop::Change;

/// The style of the page, with that of plans and dice.
const STYLE: [&str; 3] = [include_str!("screen/screen.css"), dice::STYLE, plan::STYLE];
/// The script that keeps the page up to date.
pub const SCRIPT: &str = include_str!("screen/screen.js");
const PAGE: &str = include_str!("screen/page.html");

/// The columns of words on the page.
const WIDTH: usize = 100;
/// The rows of an outcome up to which nothing of it is left out.
const ROWS: usize = 16;
/// The number of outcomes that are shown in short, and in full on the page of the log.
const SHOWN_IN_SHORT: usize = 6;
const SHOWN_IN_FULL: usize = 40;

/// Returns the style of the page.
pub fn page_style() -> String {
    STYLE.concat()
}

/// The parts of the story that a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// All of them.
    All,
    /// The plan.
    Map,
    /// The outcomes, in full.
    Log,
}

impl Layout {
    /// Each layout with its path and its title.
    pub const ALL: [(Layout, &'static str, &'static str); 3] =
        [(Layout::All, "", "table"), (Layout::Map, "map", "plan"), (Layout::Log, "log", "log")];

    /// Returns its title.
    pub fn title(self) -> &'static str {
        Layout::ALL[self as usize].2
    }
}

/// The sections of a page by name, as HTML.
pub type Sections = IndexMap<&'static str, String>;

/// Changes of phase that follow each other within so many milliseconds come of one line, such as `next to move`.
const ONE_LINE: u64 = 1_000;

/// An outcome as the viewer saw it, or those of all phases that one line went through.
#[derive(Clone, Debug)]
struct DisplayedOutcome {
    /// The number of the last command.
    number: u64,
    turn: i64,
    line: String,
    /// True if all it did was to go on to another phase.
    is_next: bool,
    /// The time of the last command, in milliseconds since 1970. It is never shown.
    at: u64,
    document: Document,
    changes: Vec<Change>,
    /// The outcome in one line.
    brief: String,
    /// All of it.
    full: String,
    /// As much as fits a page.
    large: String,
    /// The changes for the hands.
    hands: String,
    /// The check with which it begins, before its dice are shown.
    held: String,
}

/// A game as one viewer saw it.
#[derive(Clone, Debug, Default)]
pub struct Story {
    asked: Viewer,
    /// The viewer whose view is shown: the umpire once everything is open.
    viewer: Viewer,
    game: String,
    /// The number of things in the log that it holds.
    known: usize,
    told: Vec<DisplayedOutcome>,
    header: String,
    plan: String,
    knows: String,
    /// The content of the plan before the last outcome, and after it.
    lay: [Option<IndexMap<String, String>>; 2],
    held: HeldPages,
}

/// While the umpire holds the outcomes: the number of the last that is shown, and the pages with it.
pub type HeldPages = Option<(u64, [Sections; 3])>;

impl Story {
    /// Returns what a viewer saw so far.
    pub fn new(session: &Session, viewer: &Viewer) -> Result<Story, WalkError> {
        let mut story = Story {
            asked: viewer.clone(),
            viewer: session.effective_viewer(viewer),
            game: session.heading().to_owned(),
            ..Story::default()
        };
        story.replay_session(session)?;
        Ok(story)
    }

    /// Adds what happened since the last update. A single new command is only added. After anything else, the whole story
    /// is made again.
    pub fn update(&mut self, session: &Session) -> Result<(), WalkError> {
        let new = session.log().get(self.known..).unwrap_or_default();
        let viewer = session.effective_viewer(&self.asked);
        if let [LoggedRecord { what: Record::Command(entry), at, .. }] = new
            && viewer == self.viewer
        {
            let (referee, table) = session.board().referee_and_table_of(entry.number);
            if let Some(seen) = Witnessed::of(referee, table, entry, &viewer) {
                self.add_outcome(referee, &seen, *at);
            }
            self.known += 1;
            self.update_table_sections(session);
            return Ok(());
        }
        if new.is_empty() {
            return Ok(());
        }
        self.rebuild(session)
    }

    /// Makes the whole story again. Outcomes that are held stay held.
    pub fn rebuild(&mut self, session: &Session) -> Result<(), WalkError> {
        self.viewer = session.effective_viewer(&self.asked);
        self.replay_session(session)
    }

    /// Tells all of it from the beginning.
    fn replay_session(&mut self, session: &Session) -> Result<(), WalkError> {
        self.told.clear();
        self.lay = [None, None];
        let viewer = self.viewer.clone();
        session.walk_as_seen(&viewer, |referee, logged, witnessed| {
            if let Some(witnessed) = witnessed {
                self.add_outcome(referee, witnessed, logged.at);
            }
        })?;
        self.known = session.log().len();
        self.update_table_sections(session);
        Ok(())
    }

    /// Adds an outcome, to the one before it if both come of one line. The set-up is where the plan begins.
    fn add_outcome(&mut self, referee: &Referee, seen: &Witnessed, at: u64) {
        let Witnessed { number, turn, entry, sight } = seen;
        let hides = Some(sight).filter(|_| self.viewer != Viewer::Umpire);
        let view = View::of(&self.game, referee, &sight.table, WIDTH).seen_by(hides);
        let is_next = matches!(entry.action, RecordedAction::Next);
        let of_one_line =
            |told: &DisplayedOutcome| is_next && told.is_next && at.abs_diff(told.at) <= ONE_LINE;
        let before = self.told.pop_if(|told| of_one_line(told));
        let lay = plan::area_contents(&view);
        let [earlier, last] = std::mem::take(&mut self.lay);
        self.lay = [if before.is_some() { earlier } else { last }, Some(lay)];
        if *number == 0 {
            return;
        }
        let mut full = Document::new();
        if let Some(words) = &entry.reason {
            full.line(Role::Notice, format!("the umpire rules: {words}"));
        }
        full.extend(outcome::events_text(&view, &entry.outcome, None));
        let line = Line::of(Role::Strong, &entry.line);
        let brief = summary::append_summary(line, Role::Plain, &view, &entry.outcome);
        let mut told = DisplayedOutcome {
            number: *number,
            turn: *turn,
            line: clean_and_escape(&entry.line),
            is_next,
            at,
            document: full,
            changes: entry.outcome.changes().cloned().collect(),
            brief: html::html_fragment(&Document::from_iter([brief])),
            full: String::new(),
            large: String::new(),
            hands: String::new(),
            held: held_check(&entry.outcome.events),
        };
        if let Some(before) = before {
            let mut document = before.document;
            document.extend(told.document);
            told.document = document;
            told.changes = [before.changes, told.changes].concat();
            // The latest comes first there.
            told.brief.push_str(&before.brief);
            if !before.held.is_empty() {
                told.held = before.held;
            }
        }
        let hands = hands::piece_instructions(&view, told.changes.iter()).into_iter();
        let hands = hands.map(|(piece, words)| {
            let piece = clean_and_escape(&piece);
            let words = clean_and_escape(&words.join(", "));
            format!("<li><b>{piece}</b> {words}</li>")
        });
        told.hands = hands.collect();
        told.full = html::html_fragment(&told.document);
        told.large = html::html_fragment(&told.document.clone().shortened(WIDTH, ROWS));
        self.told.push(told);
    }

    /// Updates the sections that show the table as it is now.
    fn update_table_sections(&mut self, session: &Session) {
        let board = session.board();
        let referee = board.referee();
        let sight = referee.seen_table(board.table(), &self.viewer);
        let seen = Some(&sight).filter(|_| self.viewer != Viewer::Umpire);
        let view = View::of_session(session, board, WIDTH).seen_by(seen);
        let shown = |what: Document| html::html_fragment(&what);
        let before = self.lay[0].as_ref();
        self.plan = plan::plan_svg(&view, &[], before, false).unwrap_or_default();
        self.knows = shown(show::show(&view, &[], ShowExtent::Roster));
        self.header = page_header(session, referee, &sight, &self.asked);
    }

    /// Returns the pages as they are, to hold what happens from here on: of each outcome only its first check is shown,
    /// without its dice.
    pub fn pages_to_hold(&self) -> HeldPages {
        let last = self.told.last().map_or(0, |told| told.number);
        Some((last, Layout::ALL.map(|(layout, ..)| self.current_sections(layout))))
    }

    /// Holds what happened since, or shows it.
    pub fn set_held(&mut self, held: HeldPages) {
        self.held = held;
    }

    /// Returns the sections of a page.
    pub fn sections(&self, layout: Layout) -> Sections {
        let Some((shown, frozen)) = &self.held else { return self.current_sections(layout) };
        let mut sections = frozen[layout as usize].clone();
        // No number comes twice: what is done after `undo` has a higher one.
        let new = self.told.last().filter(|told| told.number > *shown);
        if let Some(told) = new.filter(|_| layout == Layout::All) {
            let words = format!("<p class=\"typed\">{}</p>{}", told.line, told.held);
            sections.insert("last", words + "<p class=\"quiet\">the umpire holds the dice</p>");
            sections.insert("hands", String::new());
        }
        sections
    }

    fn current_sections(&self, layout: Layout) -> Sections {
        let last = self.told.last();
        let large = last
            .map_or("<p class=\"quiet\">nothing has been done yet</p>".to_owned(), |t| {
                format!("<p class=\"typed\">{}</p>{}", t.line, t.large)
            });
        let hands = last.map(|t| t.hands.as_str()).filter(|h| !h.is_empty());
        let hands =
            hands.map_or(String::new(), |items| format!("<h2>On the table</h2><ul>{items}</ul>"));
        let whose = match &self.asked {
            Viewer::Side(side) => format!("What {} knows", clean_and_escape(side)),
            Viewer::Umpire | Viewer::Players => "What all know".to_owned(),
        };
        let plan = match self.plan.is_empty() {
            true if layout == Layout::Map => "<p>there is no plan in this game</p>".to_owned(),
            true => String::new(),
            false => format!("<h2>The plan</h2>{}", self.plan),
        };
        let mut sections = Sections::from([
            ("place", self.header.clone()),
            ("last", large),
            ("hands", hands),
            ("plan", plan),
            ("log", self.earlier_outcomes(layout)),
            ("knows", format!("<h2>{whose}</h2>{}", self.knows)),
        ]);
        sections.retain(|name, _| match layout {
            Layout::All => true,
            Layout::Map => matches!(*name, "place" | "plan" | "hands"),
            Layout::Log => matches!(*name, "place" | "log"),
        });
        sections
    }

    /// Returns the outcomes before the last, the latest first: a few in short, or many in full.
    fn earlier_outcomes(&self, layout: Layout) -> String {
        let mut out = String::new();
        let mut turn = None;
        let (skipped, most) = match layout {
            Layout::Log => (0, SHOWN_IN_FULL),
            // Where there is no plan, what is known stands beside them.
            Layout::All | Layout::Map if self.plan.is_empty() => (1, 2 * SHOWN_IN_SHORT),
            Layout::All | Layout::Map => (1, SHOWN_IN_SHORT),
        };
        for told in self.told.iter().rev().skip(skipped).take(most) {
            if layout == Layout::Log {
                if turn.replace(told.turn) != Some(told.turn) {
                    out.push_str(&format!("<h2>Turn {}</h2>", told.turn));
                }
                let hands = if told.hands.is_empty() {
                    String::new()
                } else {
                    format!("<ul>{}</ul>", told.hands)
                };
                let line = &told.line;
                let full = &told.full;
                out.push_str(&format!(
                    "<article><p class=\"typed\">{line}</p>{full}{hands}</article>"
                ));
            } else {
                out.push_str(&told.brief);
            }
        }
        match layout {
            Layout::Log => out,
            Layout::All | Layout::Map if out.is_empty() => out,
            Layout::All | Layout::Map => format!("<h2>Before that</h2>{out}"),
        }
    }

    /// Returns a whole page; `path` is that of its first layout, and `key` is added to each path.
    pub fn page(&self, layout: Layout, path: &str, key: &str, clock: &str) -> String {
        let mut sections = self.sections(layout);
        let shown = Layout::ALL.iter().filter(|l| l.0 != Layout::Map || !self.plan.is_empty());
        let links = shown.map(|(of, part, title)| {
            let here = if *of == layout { " aria-current=\"page\"" } else { "" };
            let slash = if path.ends_with('/') || part.is_empty() { "" } else { "/" };
            format!("<a href=\"{path}{slash}{part}{key}\"{here}>{title}</a> ")
        });
        sections.insert("links", links.collect());
        sections.insert("clock", clock.to_owned());
        sections.insert("title", clean_and_escape(&self.game));
        sections.insert("layout", layout.title().to_owned());
        // What is put in is never looked at again.
        let parts = PAGE.split("{{").map(|part| match part.split_once("}}") {
            Some((name, rest)) => sections.get(name).map_or("", String::as_str).to_owned() + rest,
            None => part.to_owned(),
        });
        parts.collect()
    }
}

/// Returns the check with which an outcome begins, before its dice are shown; nothing if it begins with none.
fn held_check(events: &[Event]) -> String {
    let first = events.iter().find_map(|event| match event {
        Event::Check(check) => Some(Some(check)),
        Event::Taken { .. } | Event::Rolled { .. } => Some(None),
        _ => None,
    });
    let check = first.flatten();
    check.map_or(String::new(), |check| dice::held_check_html(&check.label, check))
}

/// Returns the head of the page: scenario, turn, phase, whose move it is, and the end of the game.
fn page_header(session: &Session, referee: &Referee, sight: &SeenTable, asked: &Viewer) -> String {
    let rules = referee.ruleset();
    let title = clean_and_escape(session.scenario_title());
    let turn = referee.turn_number(&sight.table);
    let phase = referee.phase_index(&sight.table);
    let phase = phase.map(|index| &rules.phases[index]);
    let mut now = match (turn, phase) {
        (0, _) => "set-up".to_owned(),
        (turn, None) => format!("turn {turn}"),
        (turn, Some(phase)) => format!("turn {turn} · {}", view::lower_first_letter(&phase.title)),
    };
    if let Some(side) = referee.side_to_move(&sight.table) {
        now.push_str(&format!(" · {side}"));
    }
    let ended = session.entries().iter().flat_map(|e| &e.outcome.events).find_map(|e| match e {
        Event::Ended { words, winner, margin } => {
            Some(nodes::end_of_game(words, winner.as_deref(), *margin))
        }
        _ => None,
    });
    let ended = ended.map_or(String::new(), |words| {
        format!("<p class=\"ended\">{}</p>", clean_and_escape(&words))
    });
    let whose = match asked {
        Viewer::Side(side) => {
            format!(" <span class=\"side\">for {}</span>", clean_and_escape(side))
        }
        Viewer::Umpire | Viewer::Players => String::new(),
    };
    let game = clean_and_escape(&rules.game.title);
    let now = clean_and_escape(&now);
    format!("<p class=\"game\">{game} · {title}{whose}</p><h1>{now}</h1>{ended}")
}
