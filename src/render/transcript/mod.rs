//! A session as a transcript: plain text that is a script as well, Markdown, and HTML that stands alone.
//!
//! All three come from the same blocks, so that they say the same.

pub(super) mod html;
pub(super) mod markdown;
pub mod running;
mod text;

pub use super::Format;
use super::markup::{Line, Role, Text};
use super::outcome::View;
use super::{amend, hands, luck, outcome, plan, summary};
use crate::session::{
    Board, Logged, Record, Session, Standing, Step, Transcript, WalkError, script_of,
};

/// Plans of more areas than this are not drawn turn by turn.
const MOST_AREAS: u32 = 2_000;

/// A part of a transcript.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A turn begins.
    Turn(String),
    /// Lines that were typed, what came of them, and why they no longer stand.
    Command { number: Option<u64>, lines: Vec<String>, struck: Option<&'static str>, told: Text },
    /// The plan, and when.
    Plan(String, Text),
}

/// The source of all three formats.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    pub head: Transcript,
    pub blocks: Vec<Block>,
    /// Measures at the end, by name.
    pub measures: Vec<(String, String)>,
    pub luck: Text,
}

/// The transcript of a session. `game` is what the game is called in headings.
pub fn transcript(session: &Session, game: &str, format: Format) -> Result<String, WalkError> {
    let pages = pages(session, game)?;
    Ok(match format {
        Format::Text => text::write(&pages),
        Format::Markdown => markdown::write(&pages),
        Format::Html => html::write(&pages),
    })
}

fn pages(session: &Session, game: &str) -> Result<Pages, WalkError> {
    let head = session.transcript();
    let mut blocks = Vec::new();
    let mut scribe = Scribe::default();
    let mut standing = head.standing.iter();
    session.walk(|board, logged| {
        let standing = standing.next().copied().unwrap_or(Standing::Stands);
        blocks.extend(scribe.blocks(game, board, logged, standing));
    })?;
    let view = view(game, session.board());
    if let Some(drawing) = drawing(&view) {
        blocks.push(Block::Plan("the plan at the end".to_owned(), drawing));
    }
    let referee = view.referee;
    let measures = referee.ruleset().measures.iter();
    let measures = measures.filter_map(|m| {
        let title = if m.title.is_empty() { m.name.clone() } else { m.title.clone() };
        Some((title, referee.measured(session.table(), m)?))
    });
    let measures = measures.collect();
    Ok(Pages { head, blocks, measures, luck: luck::luck(&session.luck()) })
}

/// Writes down what happens, and knows the turn it has come to.
#[derive(Clone, Debug, Default)]
struct Scribe {
    turn: i64,
}

impl Scribe {
    /// The blocks of something that happened; the board is as it is after it.
    fn blocks(
        &mut self,
        game: &str,
        board: &Board,
        logged: &Logged,
        standing: Standing,
    ) -> Vec<Block> {
        let view = view(game, board);
        if let Record::Start(start) = &logged.what {
            let told = outcome::set_up(&view, &start.set_up);
            let lines = Vec::new();
            return vec![
                Block::Turn("set-up".to_owned()),
                Block::Command { number: None, lines, struck: None, told },
            ];
        }
        let mut blocks = Vec::new();
        let now = view.referee.turn(view.table);
        if now != self.turn && logged.command().is_some() {
            self.turn = now;
            blocks.push(Block::Turn(format!("turn {now}")));
        }
        blocks.push(block(&view, board, logged, standing));
        let began = logged.command().is_some_and(|entry| entry.turn != now);
        if began && let Some(drawing) = drawing(&view) {
            blocks.push(Block::Plan(format!("the plan as turn {now} begins"), drawing));
        }
        blocks
    }
}

/// Returns why a command is struck out.
fn struck(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::TakenBack => Some("taken back later"),
        Standing::Amended => Some("amended later"),
        Standing::Stands => None,
    }
}

/// The game as it stands, at the width of a page.
fn view<'a>(game: &'a str, board: &'a Board) -> View<'a> {
    View { game, referee: board.referee(), table: board.table(), width: 100 }
}

/// The plan, if the game has one that fits a page.
fn drawing(view: &View<'_>) -> Option<Text> {
    let kind = view.referee.ruleset().schema.plan_kind()?;
    (view.table.rows(kind) <= MOST_AREAS).then(|| plan::map(view, None))?
}

fn block(view: &View<'_>, board: &Board, logged: &Logged, standing: Standing) -> Block {
    let lines = script_of(logged);
    let mut number = None;
    let mut told = Text::new();
    match &logged.what {
        Record::Command(entry) => {
            number = Some(entry.number);
            if let Some(reason) = &entry.reason {
                told.line(Role::Notice, format!("the umpire rules: {reason}"));
            }
            let view = view.of_command(board, entry.number);
            told.extend(outcome::outcome(&view, &entry.outcome, None));
        }
        Record::Undo(_) => {
            steps(view, board, "takes back", &logged.steps, &mut told);
            told.extend(hands::lines(view, hands::taken_back(&logged.steps).iter()));
        }
        Record::Redo(_) => steps(view, board, "again", &logged.steps, &mut told),
        Record::Amend(_) => {
            for step in &logged.steps {
                if let Step::Amendment(amendment) = step {
                    told.extend(amend::made(view, board, amendment));
                    let changes = hands::swapped(&amendment.before, &amendment.now);
                    told.extend(hands::lines(view, changes.iter()));
                }
            }
        }
        Record::Reload(_) => {
            told.line(Role::Notice, "the rules were read again:");
            for step in &logged.steps {
                if let Step::Rules(rules) = step {
                    told.extend(super::reload::changes(&rules.changes));
                }
            }
        }
        Record::AskRandom(random) => {
            let who = if *random { "chance" } else { "the umpire" };
            told.line(Role::Quiet, format!("questions are answered by {who} from here on"));
        }
        Record::Words(words) => {
            told.line(Role::Notice, format!("the players' words, mixed into the dice: {words}"));
        }
        Record::Reveal(_) => {
            told.line(Role::Notice, "the seed was told");
        }
        Record::Resume(_) => {
            told.line(Role::Quiet, "play went on after a break");
        }
        Record::Start(_) | Record::Dice(_) => {}
    }
    Block::Command { number, lines, struck: struck(standing), told }
}

/// A line for each step that was taken back or done again.
fn steps(view: &View<'_>, board: &Board, what: &str, steps: &[Step], told: &mut Text) {
    for step in steps {
        match step {
            Step::Command(entry) => {
                let view = &view.of_command(board, entry.number);
                let words = format!("{what} {}: {}", entry.number, entry.line);
                let line = Line::of(Role::Plain, words);
                told.push(summary::of(line, Role::Plain, view, &entry.outcome).hanging(4));
            }
            Step::Amendment(amendment) => {
                told.line(Role::Plain, format!("{what} the amendment of {}", amendment.number));
            }
            Step::Rules(_) => {}
        }
    }
}

/// The head as lines: game, scenario, seal, words, seed.
pub(super) fn head_lines(head: &Transcript) -> Vec<String> {
    let mut lines = vec![format!("seal {}", head.seal)];
    for (from, words) in &head.words {
        let from = if *from == 0 { "the start".to_owned() } else { format!("command {from}") };
        lines.push(format!("the players' words from {from} on: {words}"));
    }
    if let Some(seed) = &head.seed {
        lines.push(format!("seed {seed}"));
    }
    lines
}
