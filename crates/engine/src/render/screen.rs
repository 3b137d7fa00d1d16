//! The players' screen: the part of a game that one viewer saw, as the sections of a page. Every
//! event updates the screen. The screen reveals neither the times of events nor anything that the
//! viewer did not see.

use indexmap::IndexMap;

use std::sync::Arc;

use super::document::{Block, Document};
use super::hands::item::{self, Instruction};
use super::markup::{Line, Role};
use super::nodes;
use super::outcome;
use super::print::escape::clean_and_escape;
use super::print::{dice, html};
use super::view::{self, View};
use super::{cards, hands, looks, plan, summary};
use crate::language::schema::{Param, Type};
use crate::referee::{Event, Outcome, Player, Referee, SeenTable, Viewer};
use crate::session::{
    Entry, LoggedRecord, Record, RecordedAction, RecordedValue, Session, WalkError, Witnessed,
    WitnessedCorrection,
};
use crate::tabletop::{Change, Value};

/// The CSS of the page, including the CSS for plans and dice.
const STYLE: [&str; 3] = [include_str!("screen/screen.css"), dice::STYLE, plan::STYLE];
/// The script that updates the page.
pub const SCRIPT: &str = include_str!("screen/screen.js");
const PAGE: &str = include_str!("screen/page.html");
/// A player's page, which is the same for all players. It is empty until its script requests the
/// content.
pub const PLAYER_PAGE: &str = include_str!("screen/player.html");
/// The script of a player's page.
pub const PLAYER_SCRIPT: &str = include_str!("screen/player.js");
/// The CSS of a player's page, in addition to the CSS of all pages.
pub const PLAYER_STYLE: &str = include_str!("screen/player.css");

/// The width of text on the page, in columns.
const WIDTH: usize = 100;
/// The maximum number of rows of an outcome that is shown completely.
const ROWS: usize = 16;
/// The maximum numbers of rows for an outcome on a television, from long to short. The outcome is
/// sent in a version for each number, and the first version that fits is shown.
const TELEVISION_ROWS: [usize; 6] = [24, 14, 9, 6, 3, 1];
/// The maximum number of pieces listed together in an item of "On the table".
const MOST_NAMED_TOGETHER: usize = 12;
/// The maximum number of earlier outcomes in short form next to a plan, and the maximum number of
/// outcomes in full on the log page.
const SHOWN_IN_SHORT: usize = 6;
const SHOWN_IN_FULL: usize = 40;

/// Returns the CSS of the page.
pub fn page_style() -> String {
    STYLE.concat()
}

/// The parts of the story that a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// All parts.
    All,
    /// The plan, with the header of the page and the instructions for the table.
    Map,
    /// The outcomes, in full, with the header of the page.
    Log,
    /// For a television: the last outcome, the plan and the facts that the viewer knows, one after
    /// another.
    Television,
}

impl Layout {
    /// Each layout with its path and its title.
    pub const ALL: [(Layout, &'static str, &'static str); 4] = [
        (Layout::All, "", "table"),
        (Layout::Map, "map", "plan"),
        (Layout::Log, "log", "log"),
        (Layout::Television, "tv", "television"),
    ];

    /// Returns the title of the layout.
    pub fn title(self) -> &'static str {
        Layout::ALL[self as usize].2
    }
}

/// The sections of a page by name, as HTML.
pub type Sections = IndexMap<&'static str, String>;

/// An outcome as the viewer saw it, or the outcomes of all phases that one line began.
#[derive(Clone, Debug)]
struct DisplayedOutcome {
    /// The number of the last command.
    number: u64,
    turn: i64,
    /// The command in players' words; empty if the outcome names it.
    heading: String,
    /// True if the command only moved on to another phase.
    is_next: bool,
    /// The time of the outcome's record. Commands with the same time belong to one typed line. The
    /// time is never displayed.
    at: u64,
    document: Document,
    changes: Vec<Change>,
    /// The instructions of the rules for the table.
    instructions: Vec<Instruction>,
    /// The outcome in one line.
    brief: String,
    /// The outcome in full.
    full: String,
    /// The outcome, shortened to fit a page.
    large: String,
    /// The instructions for the table, as items of a list.
    hands: String,
    /// The check at the beginning of the outcome, before its dice are shown.
    held: String,
}

/// The steps that were last undone, redone or amended, if the viewer saw no outcome after that.
#[derive(Clone, Debug)]
struct Correction {
    words: String,
    /// The instructions for the table, as items of a list.
    hands: String,
    /// The content of the plan before the correction.
    before: IndexMap<String, String>,
}

/// A game as one viewer saw it.
#[derive(Clone, Debug, Default)]
pub struct Story {
    asked: Viewer,
    /// The viewer whose view is displayed, which is the umpire once everything is revealed.
    viewer: Viewer,
    game: String,
    /// The number of log entries included so far.
    known: usize,
    told: Vec<DisplayedOutcome>,
    header: String,
    plan: String,
    knows: String,
    cards: String,
    /// The cards of the player's pieces, and the briefing; empty if the viewer is not a player.
    own_cards: String,
    briefing: String,
    correction: Option<Correction>,
    /// The index of the log record with the last outcome.
    last_seen: usize,
    /// The content of the plan before the last outcome, and after it.
    lay: [Option<IndexMap<String, String>>; 2],
    held: HeldPages,
}

/// The number of the last displayed outcome and the pages as they were then, while the umpire holds
/// outcomes back; otherwise `None`.
pub type HeldPages = Option<(u64, [Sections; 4])>;

impl Story {
    /// Returns the story as a viewer has seen it so far.
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

    /// Adds the events since the last update. A single new command is appended, unless the
    /// effective viewer has changed. After anything else that is new, the whole story is rebuilt.
    pub fn update(&mut self, session: &Session) -> Result<(), WalkError> {
        let new = session.log().get(self.known..).unwrap_or_default();
        let viewer = session.effective_viewer(&self.asked);
        if let [LoggedRecord { what: Record::Command(entry), at, .. }] = new
            && viewer == self.viewer
        {
            let (referee, table) = session.board().referee_and_table_of(entry.number);
            let referee = &referee.with_budget();
            if let Some(seen) = Witnessed::of(referee, table, entry, &viewer) {
                self.add_outcome(referee, &seen, *at);
                self.correction = None;
                self.last_seen = self.known;
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

    /// Rebuilds the whole story. Held outcomes stay held.
    pub fn rebuild(&mut self, session: &Session) -> Result<(), WalkError> {
        self.viewer = session.effective_viewer(&self.asked);
        self.replay_session(session)
    }

    /// Rebuilds the story from the beginning of the log.
    fn replay_session(&mut self, session: &Session) -> Result<(), WalkError> {
        self.told.clear();
        self.lay = [None, None];
        self.last_seen = 0;
        let viewer = self.viewer.clone();
        let mut numbers = session.log().iter().enumerate();
        session.walk_as_seen(&viewer, |referee, logged, witnessed| {
            if let Some(witnessed) = witnessed {
                self.add_outcome(referee, witnessed, logged.at);
                // The walk follows the order of the log, so the search continues where it ended.
                let number = numbers.find(|(_, of_log)| std::ptr::eq(*of_log, logged));
                self.last_seen = number.map_or(self.last_seen, |(number, _)| number);
            }
        })?;
        self.known = session.log().len();
        self.correction = self.find_correction(session)?;
        self.update_table_sections(session);
        Ok(())
    }

    /// Returns the view of a table for this viewer.
    fn view_of<'v>(&'v self, referee: &'v Referee, sight: &'v SeenTable) -> View<'v> {
        let hides = Some(sight).filter(|_| self.viewer != Viewer::Umpire);
        View::of("", referee, &sight.table, WIDTH).seen_by(hides)
    }

    /// Returns the last correction (an undo, a redo or an amendment) after the last outcome in
    /// force, as far as the viewer saw it, or `None` if there was none. Consecutive undos count as
    /// one correction.
    fn find_correction(&self, session: &Session) -> Result<Option<Correction>, WalkError> {
        // The corrections, the latest first.
        let mut found: Vec<WitnessedCorrection> = Vec::new();
        let mut kind = "";
        for (index, logged) in session.log().iter().enumerate().skip(self.last_seen).rev() {
            let this_kind = match &logged.what {
                Record::Undo(_) => "undone",
                Record::Redo(_) => "redone",
                Record::Amend(_) => "amended",
                _ => continue,
            };
            // Records that were hidden from the viewer leave no trace, not even between two visible
            // ones.
            let Some(seen) = session.witnessed_correction(index, &self.viewer)? else { continue };
            if !found.is_empty() && (kind, this_kind) != ("undone", "undone") {
                break;
            }
            kind = this_kind;
            found.push(seen);
        }
        let (Some(last), Some(first)) = (found.first(), found.last()) else { return Ok(None) };
        let exchanges = found.iter().rev().flat_map(WitnessedCorrection::exchanges);
        let changes = exchanges.flat_map(|(old, new)| hands::replacement_changes(old, new));
        let changes: Vec<Change> = changes.collect();
        let instructions = found.iter().rev().flat_map(WitnessedCorrection::acts);
        let instructions = item::corrected_instructions(instructions);
        let commands = found.iter().flat_map(WitnessedCorrection::commands);
        let headings = commands.map(|witnessed| {
            let (referee, _) = last.after.referee_and_table_of(witnessed.number);
            players_heading(&self.view_of(referee, &witnessed.sight), &witnessed.entry)
        });
        let headings: Vec<String> = headings.filter(|heading| !heading.is_empty()).collect();
        let colon = if headings.is_empty() { "" } else { ": " };
        let words = format!("The umpire has {kind} this{colon}{}", headings.join("; "));
        let [before, after] = [&first.before, &last.after].map(|board| {
            let referee = board.referee().with_budget();
            let sight = referee.seen_table(board.table(), &self.viewer);
            (referee, sight)
        });
        Ok(Some(Correction {
            words: clean_and_escape(&words),
            hands: hands_items(&self.view_of(&after.0, &after.1), &changes, &instructions),
            before: plan::area_contents(&self.view_of(&before.0, &before.1)),
        }))
    }

    /// Adds an outcome, joined to the one before it if both belong to one line. The set-up is not
    /// displayed, but supplies the first content of the plan.
    fn add_outcome(&mut self, referee: &Referee, seen: &Witnessed, at: u64) {
        let Witnessed { number, turn, entry, sight } = seen;
        let hides = Some(sight).filter(|_| self.viewer != Viewer::Umpire);
        let view = View::of("", referee, &sight.table, WIDTH).seen_by(hides);
        let is_next = matches!(entry.action, RecordedAction::Next);
        // All records of a typed line have the same time: `next to move` makes one record for each
        // phase.
        let before = self.told.pop_if(|told| is_next && told.is_next && told.at == at);
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
        let heading = players_heading(&view, entry);
        let mut brief = Line::of(Role::Strong, &heading);
        if is_secret_rule(entry) {
            // Changes of bookkeeping make no sense without the rule that made them.
            let changes = hands::piece_instructions(&view, entry.outcome.changes());
            for (index, (piece, words)) in changes.into_iter().enumerate() {
                let mark = if index == 0 { " — " } else { "; " };
                brief.push(Role::Plain, format!("{mark}{piece} {}", words.join(", ")));
            }
        } else {
            full.extend(outcome::untitled_events_text(&view, &entry.outcome));
            brief = summary::append_summary(brief, Role::Plain, &view, &entry.outcome);
        }
        let mut told = DisplayedOutcome {
            number: *number,
            turn: *turn,
            heading: clean_and_escape(&heading),
            is_next,
            at,
            document: full,
            changes: entry.outcome.changes().cloned().collect(),
            instructions: item::instructions_of(&entry.outcome),
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
            told.instructions = [before.instructions, told.instructions].concat();
            // In the short form, the latest phase comes first.
            told.brief.push_str(&before.brief);
            if !before.held.is_empty() {
                told.held = before.held;
            }
        }
        told.hands = hands_items(&view, &told.changes, &told.instructions);
        let shown = with_one_dice_note(told.document.clone());
        told.full = html::html_fragment(&shown);
        told.large = html::html_fragment(&shown.shortened(WIDTH, ROWS));
        self.told.push(told);
    }

    /// Updates the sections that show the table as it is now.
    fn update_table_sections(&mut self, session: &Session) {
        let board = session.board();
        let referee = &board.referee().with_budget();
        let sight = referee.seen_table(board.table(), &self.viewer);
        let seen = Some(&sight).filter(|_| self.viewer != Viewer::Umpire);
        let view = View { referee, ..View::of_session(session, board, WIDTH) }.seen_by(seen);
        let before = self.correction.as_ref().map(|correction| &correction.before);
        let before = before.or(self.lay[0].as_ref());
        self.plan = plan::plan_svg(&view, &[], before, false).unwrap_or_default();
        self.cards = cards::cards_html(&view);
        self.knows = html::html_fragment(&cards::other_facts(&view));
        if let Viewer::Player(Player { name, .. }) = &self.asked {
            self.own_cards = cards::player_cards_html(&view, name);
            self.briefing = cards::briefing_html(&view, name);
        }
        self.header = page_header(session, referee, &sight, &self.asked);
    }

    /// Returns the current pages, to be shown while outcomes are held. While these pages are shown,
    /// only the first check of a later outcome is added, without its dice.
    pub fn pages_to_hold(&self) -> HeldPages {
        let last = self.told.last().map_or(0, |told| told.number);
        Some((last, Layout::ALL.map(|(layout, ..)| self.current_sections(layout))))
    }

    /// Holds the outcomes back from now on, or shows them if `held` is `None`.
    pub fn set_held(&mut self, held: HeldPages) {
        self.held = held;
    }

    /// Returns the sections of a page. While outcomes are held, these are the sections of the held
    /// page, on which only the first check of a later outcome is added.
    pub fn sections(&self, layout: Layout) -> Sections {
        let Some((shown, frozen)) = &self.held else { return self.current_sections(layout) };
        let mut sections = frozen[layout as usize].clone();
        // No number is used twice: a command after `undo` has a higher one.
        let new = self.told.last().filter(|told| told.number > *shown);
        let shows_last = matches!(layout, Layout::All | Layout::Television);
        if let Some(told) = new.filter(|_| shows_last) {
            let words = format!("{}{}", heading_html(&told.heading), told.held);
            sections.insert("last", words + "<p class=\"quiet\">the umpire holds the dice</p>");
            sections.insert("hands", String::new());
        }
        sections
    }

    fn current_sections(&self, layout: Layout) -> Sections {
        let last = self.told.last();
        let (large, hands) = match (&self.correction, last) {
            (Some(correction), _) => {
                let words = heading_html(&correction.words);
                let nothing = "<p class=\"quiet\">nothing changes on the table</p>";
                let more = if correction.hands.is_empty() { nothing } else { "" };
                (words + more, correction.hands.as_str())
            }
            (None, None) => ("<p class=\"quiet\">nothing has been done yet</p>".to_owned(), ""),
            (None, Some(told)) if layout == Layout::Television => {
                (television_forms(told), told.hands.as_str())
            }
            (None, Some(told)) => {
                (heading_html(&told.heading) + &told.large + hands_note(told), told.hands.as_str())
            }
        };
        let hands = if hands.is_empty() {
            String::new()
        } else {
            format!("<h2>On the table</h2><ul>{hands}</ul>")
        };
        let whose = match &self.asked {
            Viewer::Side(name) | Viewer::Player(Player { name, .. }) => {
                format!("What {} knows", clean_and_escape(name))
            }
            Viewer::Umpire | Viewer::Players => "What everyone knows".to_owned(),
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
            ("knows", format!("<h2>{whose}</h2>{}{}", self.cards, self.knows)),
        ]);
        if !self.own_cards.is_empty() {
            sections.insert("own", format!("<h2>Your pieces</h2>{}", self.own_cards));
        }
        if !self.briefing.is_empty() {
            sections.insert("briefing", format!("<h2>Your briefing</h2>{}", self.briefing));
        }
        sections.retain(|name, _| match layout {
            Layout::All | Layout::Television => true,
            Layout::Map => matches!(*name, "place" | "plan" | "hands"),
            Layout::Log => matches!(*name, "place" | "log"),
        });
        sections
    }

    /// Returns the outcomes, the latest first: many of them in full on the log page, and a few
    /// earlier ones in short form on any other page.
    fn earlier_outcomes(&self, layout: Layout) -> String {
        let mut out = String::new();
        let mut turn = None;
        let is_last_shown = self.correction.is_none();
        let (skipped, most) = match layout {
            Layout::Log => (0, SHOWN_IN_FULL),
            // If there is no plan, the facts that players know are next to the outcomes, so more
            // outcomes fit.
            Layout::All | Layout::Map | Layout::Television if self.plan.is_empty() => {
                (usize::from(is_last_shown), 2 * SHOWN_IN_SHORT)
            }
            Layout::All | Layout::Map | Layout::Television => {
                (usize::from(is_last_shown), SHOWN_IN_SHORT)
            }
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
                let heading = heading_html(&told.heading);
                let full = &told.full;
                out.push_str(&format!("<article>{heading}{full}{hands}</article>"));
            } else {
                out.push_str(&told.brief);
            }
        }
        match layout {
            Layout::Log => out,
            Layout::All | Layout::Map | Layout::Television if out.is_empty() => out,
            Layout::All | Layout::Map | Layout::Television => {
                format!("<h2>Before that</h2>{out}")
            }
        }
    }

    /// Returns a whole page. `path` is the path of the first layout, and `key` is added to the path
    /// of each layout. The clock and the QR code can be empty.
    pub fn page(
        &self,
        layout: Layout,
        path: &str,
        key: &str,
        (clock, code): (&str, &str),
    ) -> String {
        let mut sections = self.sections(layout);
        let shown = Layout::ALL.iter().filter(|l| l.0 != Layout::Map || !self.plan.is_empty());
        let links = shown.map(|(of, part, title)| {
            let here = if *of == layout { " aria-current=\"page\"" } else { "" };
            let slash = if path.ends_with('/') || part.is_empty() { "" } else { "/" };
            format!("<a href=\"{path}{slash}{part}{key}\"{here}>{title}</a> ")
        });
        sections.insert("links", links.collect());
        sections.insert("clock", clock.to_owned());
        sections.insert("code", code.to_owned());
        sections.insert("title", clean_and_escape(&self.game));
        sections.insert("layout", layout.title().to_owned());
        // Inserted text is never searched for placeholders.
        let parts = PAGE.split("{{").map(|part| match part.split_once("}}") {
            Some((name, rest)) => sections.get(name).map_or("", String::as_str).to_owned() + rest,
            None => part.to_owned(),
        });
        parts.collect()
    }
}

/// Returns the forms of an outcome from long to short. A television shows the first form that fits.
fn television_forms(told: &DisplayedOutcome) -> String {
    let heading = heading_html(&told.heading);
    let note = hands_note(told);
    let shown = with_one_dice_note(told.document.clone());
    let mut forms: Vec<String> = Vec::new();
    for rows in TELEVISION_ROWS {
        let form = html::html_fragment(&shown.clone().shortened(WIDTH, rows));
        if forms.last() != Some(&form) {
            forms.push(form);
        }
    }
    let forms = forms.iter().map(|form| format!("<div class=\"form\">{heading}{form}{note}</div>"));
    forms.collect()
}

/// Returns a note that there is nothing to put on the table or take off it, so that nobody looks
/// for something to move. If a phase begins and nothing happens in it automatically, the note says
/// that it begins. The note is empty if there are instructions.
fn hands_note(told: &DisplayedOutcome) -> &'static str {
    // The title of a phase is its only block.
    let only_begins = told.is_next && told.document.blocks.len() <= 1;
    match (told.hands.is_empty(), only_begins) {
        (false, _) => "",
        (true, false) => "<p class=\"quiet\">no markers to change</p>",
        (true, true) => "<p class=\"quiet\">the phase begins; no markers to change</p>",
    }
}

/// Returns a heading for an outcome, or nothing if there are no words for it.
fn heading_html(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("<p class=\"heading\">{words}</p>") }
}

/// Returns the command in players' words: a rule by its title, with the pieces it was used for.
/// The text is empty if the outcome names the command. If the rule is secret, the text states only
/// that the cause is secret.
fn players_heading(view: &View<'_>, entry: &Entry) -> String {
    if entry.reason.is_some() {
        return String::new();
    }
    match &entry.action {
        RecordedAction::Rule { given, only, .. } => {
            if is_secret_rule(entry) {
                return "The cause is secret".to_owned();
            }
            let rule = outcome::main_rule(&entry.outcome).and_then(|rule| view.rule(rule));
            let Some(rule) = rule else { return String::new() };
            let mut words: Vec<String> = Vec::new();
            // The line is empty if the viewer may not read it. In that case, the viewer may not
            // know the values, either.
            if !entry.line.is_empty() {
                for (index, param) in rule.params.iter().enumerate() {
                    let Some(value) = given.get(&param.name) else { continue };
                    let word =
                        rule.usage.as_ref().and_then(|u| outcome::word_before(&u.parts, index));
                    words.extend(value_words(view, (param, word), value, &entry.outcome));
                }
                words.extend(piece_titles(view, only));
            }
            if words.is_empty() {
                rule.title.clone()
            } else {
                format!("{}: {}", rule.title, words.join(", "))
            }
        }
        RecordedAction::Set { .. } | RecordedAction::Add { .. } | RecordedAction::Remove { .. } => {
            "The umpire changes the table".to_owned()
        }
        RecordedAction::Note(_) => "The umpire notes".to_owned(),
        RecordedAction::Order { .. } => "Orders".to_owned(),
        RecordedAction::Next | RecordedAction::Roll { .. } => String::new(),
    }
}

/// Returns true if the viewer saw only the changes of a rule.
fn is_secret_rule(entry: &Entry) -> bool {
    matches!(entry.action, RecordedAction::Rule { .. })
        && entry.outcome.events.iter().all(Event::is_silent)
        && outcome::main_rule(&entry.outcome).is_none()
}

/// Returns a typed value in players' words. A number follows the word before it in the usage, and
/// has its unit if the parameter is named in the plural, as in `range 12` or `by 8 inches`. A
/// number after such a word is left out if the outcome shows it.
fn value_words(
    view: &View<'_>,
    (param, word): (&Param, Option<&str>),
    value: &RecordedValue,
    outcome: &Outcome,
) -> Vec<String> {
    let name = param.name.replace('-', " ");
    let number = |of: &Value| {
        let number = outcome::number_words(of);
        let is_shown = word.is_some() && outcome::shows_number(outcome, &number);
        let words = match (word, name.ends_with('s')) {
            (Some(word), true) => format!("{word} {number} {name}"),
            (Some(word), false) => format!("{word} {number}"),
            (None, true) => format!("{number} {name}"),
            (None, false) => format!("{name} {number}"),
        };
        (!is_shown).then_some(words)
    };
    let one = |of: &Value| match of {
        Value::Text(words) if param.ty != Type::Number => Some(piece_title(view, words)),
        Value::Text(_) | Value::Whole(_) => number(of),
        Value::Flag(true) => Some(name.clone()),
        Value::Flag(false) | Value::Nothing => None,
    };
    match value {
        RecordedValue::One(value) => one(value).into_iter().collect(),
        RecordedValue::Many(values) => values.iter().filter_map(one).collect(),
        RecordedValue::Named(names) => piece_titles(view, names),
    }
}

/// Returns a piece as players know it: its title, if it has one, and its name.
fn piece_title(view: &View<'_>, name: &str) -> String {
    piece_titles(view, &[name]).concat()
}

/// Returns pieces as players know them. A title that consecutive pieces share is written only once,
/// as in `Fire Team t1`, `t3`.
fn piece_titles(view: &View<'_>, names: &[impl AsRef<str>]) -> Vec<String> {
    let mut titles = Vec::new();
    let mut last = None;
    for name in names {
        let name = name.as_ref();
        let found = view.table.find(name);
        let caption = found.and_then(|(kind, row)| looks::caption(view, kind, row));
        titles.push(match &caption {
            Some(words) if caption != last => format!("{words} {name}"),
            Some(_) | None => name.to_owned(),
        });
        last = caption;
    }
    titles
}

/// Returns the instructions for the table as items of a list: the instructions that follow from
/// changes, and the instructions of the rules. Pieces with the same title and instruction are
/// listed together.
fn hands_items(view: &View<'_>, changes: &[Change], instructions: &[Instruction]) -> String {
    let mut out = String::new();
    let items = hands::items(view, changes.iter(), instructions);
    for (tasks, pieces) in hands::pieces_by_tasks(items) {
        let is_sentence_for_each = pieces.len() > 1 && !tasks.instructions.is_empty();
        for part in pieces.chunks(MOST_NAMED_TOGETHER) {
            let titles = piece_titles(view, part).join(", ");
            let (names, words) = if is_sentence_for_each {
                tasks.words_for_each(&titles)
            } else {
                (titles, tasks.words())
            };
            let names = clean_and_escape(&names);
            let words = clean_and_escape(&words.join(", "));
            out.push_str(&format!("<li><b>{names}</b> {words}</li>"));
        }
    }
    out
}

/// Returns a document in which only the first check mentions real dice.
fn with_one_dice_note(mut document: Document) -> Document {
    let mut is_noted = false;
    for block in &mut document.blocks {
        note_dice_once(block, &mut is_noted);
    }
    document
}

fn note_dice_once(block: &mut Block, is_noted: &mut bool) {
    match block {
        Block::Line(line) => {
            let Some(labelled) = line.check.as_mut().filter(|labelled| labelled.1.physical) else {
                return;
            };
            if std::mem::replace(is_noted, true) {
                Arc::make_mut(labelled).1.physical = false;
            }
        }
        Block::Fold(forms) => {
            let before = *is_noted;
            for form in forms {
                // Only one of the forms is shown, so each form gets the note.
                let mut in_form = before;
                form.blocks.iter_mut().for_each(|part| note_dice_once(part, &mut in_form));
                *is_noted |= in_form;
            }
        }
        Block::Chapter(_)
        | Block::Heading(..)
        | Block::Table(..)
        | Block::Parts(_)
        | Block::SmallPrint(_)
        | Block::Figures(..)
        | Block::Typed { .. }
        | Block::Plan { .. }
        | Block::Drawn { .. }
        | Block::Charts(_) => {}
    }
}

/// Returns the check at the beginning of an outcome, before its dice are shown. Returns an empty
/// string if cards are drawn or other dice are rolled first, or if there is no check.
fn held_check(events: &[Event]) -> String {
    let first = events.iter().find_map(|event| match event {
        Event::Check(check) => Some(Some(check)),
        Event::Taken { .. } | Event::Rolled { .. } => Some(None),
        _ => None,
    });
    let check = first.flatten();
    check.map_or(String::new(), |check| dice::held_check_html(&check.label, check))
}

/// Returns the header of the page: game, scenario, turn, phase, side to move, score and, if the
/// game has ended, its end.
fn page_header(session: &Session, referee: &Referee, sight: &SeenTable, asked: &Viewer) -> String {
    let rules = referee.ruleset();
    let title = clean_and_escape(session.scenario_title());
    let turn = referee.turn_number(&sight.table);
    let phase = referee.phase_index(&sight.table);
    let phase = phase.map(|index| &rules.phases[index]);
    let turns = session.scenario_set_out().and_then(|scenario| scenario.turns);
    let turn_words = match turns.filter(|turns| turn <= *turns) {
        Some(turns) => format!("turn {turn} of {turns}"),
        None => format!("turn {turn}"),
    };
    let mut now = match (turn, phase) {
        (0, _) => "set-up".to_owned(),
        (_, None) => turn_words,
        (_, Some(phase)) => format!("{turn_words} · {}", view::lower_first_letter(&phase.title)),
    };
    if let Some(side) = referee.side_to_move(&sight.table) {
        now.push_str(&format!(" · {side}"));
    }
    let entries = session.entries();
    let ended = entries.iter().enumerate().find_map(|(index, entry)| {
        let end = entry.outcome.events.iter().find_map(|event| match event {
            Event::Ended { words, winner, margin } => {
                Some(nodes::end_of_game(words, winner.as_deref(), *margin))
            }
            _ => None,
        });
        Some((index, end?))
    });
    let ended = ended.map_or(String::new(), |(index, words)| {
        let mut later = entries[index + 1..].iter().flat_map(|entry| entry.outcome.changes());
        let is_played_on = later.next().is_some();
        let since = if is_played_on { "; play continues" } else { "" };
        format!("<p class=\"ended\">{}{since}</p>", clean_and_escape(&words))
    });
    let whose = match asked {
        Viewer::Side(name) | Viewer::Player(Player { name, .. }) => {
            format!(" <span class=\"side\">for {}</span>", clean_and_escape(name))
        }
        Viewer::Umpire | Viewer::Players => String::new(),
    };
    let game = clean_and_escape(&rules.game.title);
    let now = clean_and_escape(&now);
    let score = score_html(referee, sight);
    format!("<p class=\"game\">{game} · {title}{whose}</p><h1>{now}</h1>{score}{ended}")
}

/// Returns the measures that the ruleset declares as the score, as far as the viewer can count
/// them.
fn score_html(referee: &Referee, sight: &SeenTable) -> String {
    let mut scores = Vec::new();
    for (name, values) in referee.score(&sight.table) {
        let values = values.into_iter().map(|value| match value.of {
            Some(of) => format!("{of} {}", value.shown),
            None => value.shown,
        });
        let values = values.collect::<Vec<_>>().join(", ");
        scores.push(format!("{} <b>{}</b>", clean_and_escape(name), clean_and_escape(&values)));
    }
    if scores.is_empty() {
        return String::new();
    }
    format!("<p class=\"score\">{}</p>", scores.join(" · "))
}
