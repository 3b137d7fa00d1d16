//! The transcript of a session, during play and afterwards.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

pub use super::Format;
use crate::referee::{Audience, Event, Outcome, Referee, Viewer};
use crate::render::chart::{self, TurnChart};
use crate::render::document::{Block, Document, Title};
use crate::render::markup::{Line, Role};
use crate::render::print::markdown;
use crate::render::view::View;
use crate::render::{amend, fair, hands, luck, outcome, plan, reload, summary};
use crate::session::{
    Board, Entry, HistoryStep, LoggedRecord, Record, ReportItem, Session, Standing, WalkError,
    Witnessed,
};
use crate::tabletop::Tabletop;

/// Plans with more areas than this are not drawn.
const MOST_AREAS: u32 = 2_000;

/// The width of a page, in columns.
const WIDTH: usize = 100;

/// Returns the transcript of a session for a viewer.
pub fn transcript(session: &Session, format: Format, viewer: &Viewer) -> Result<String, WalkError> {
    let viewer = session.effective_viewer(viewer);
    let board = session.board();
    let referee = &board.referee().with_budget();
    let (mut page, sight, luck) = match viewer {
        Viewer::Umpire => (whole_transcript(session)?.1, None, session.luck()),
        Viewer::Players | Viewer::Side(_) | Viewer::Player(_) => {
            let (page, seen) = transcript_as_seen(session, &viewer)?;
            let sight = referee.seen_table(board.table(), &viewer);
            let luck = session.luck_of(&seen, &sight.table);
            (page, Some(sight), luck)
        }
    };
    let view = View { referee, ..View::of_session(session, board, WIDTH) }.seen_by(&sight);
    page.blocks.extend(plan_drawing(&view, "the plan at the end".to_owned(), &mut None));
    let figures = referee.ruleset().measures.iter().filter_map(|m| {
        let all = referee.measure(view.table, m)?.into_iter();
        let words = all.map(|f| f.of.map_or(String::new(), |of| of + " ") + &f.shown);
        Some((m.title.clone(), words.collect::<Vec<_>>().join(", ")))
    });
    let figures: Vec<(String, String)> = figures.collect();
    if !figures.is_empty() {
        page.blocks.push(Block::Figures("The result", figures));
    }
    if format.has_pictures {
        let charts = chart::charts_for_page(&turn_charts(session, &viewer)?);
        page.blocks.extend((!charts.is_empty()).then_some(Block::Charts(charts)));
    }
    page.blocks.push(Block::Chapter("The dice".to_owned()));
    page.blocks.push(remark_block(luck::luck(&luck)));
    let is_over = session.effective_viewer(&Viewer::Players) == Viewer::Umpire;
    if is_over && format.has_pictures {
        let verification = session.verify();
        let mut told = fair::verification(&verification);
        told.extend(fair::review(&session.review(), verification.mismatch.as_ref(), None));
        page.blocks.extend([Block::Chapter("What was verified".to_owned()), remark_block(told)]);
    }
    Ok(page.print(format, WIDTH))
}

/// Returns a chart by turn, as a viewer saw the game, for each measure of the game that changed. If
/// the game has no measures, the charts show the number of pieces on each side.
fn turn_charts(session: &Session, viewer: &Viewer) -> Result<Vec<TurnChart>, WalkError> {
    let mut turns: Vec<(i64, IndexMap<String, f64>)> = Vec::new();
    session.walk_as_seen(viewer, |referee, _, witnessed| {
        let Some(Witnessed { turn, sight, .. }) = witnessed else { return };
        turns.pop_if(|(last, _)| last == turn);
        turns.push((*turn, measures_or_piece_counts(referee, &sight.table)));
    })?;
    let titles: IndexSet<&String> = turns.iter().flat_map(|(_, numbers)| numbers.keys()).collect();
    let chart = |title: &String| {
        // A measure that is missing in a turn counts as 0.
        let at = |(_, numbers): &(_, IndexMap<_, _>)| [*numbers.get(title).unwrap_or(&0.0); 5];
        let turns: Vec<[f64; 5]> = turns.iter().map(at).collect();
        let changes = turns.windows(2).any(|pair| pair[0] != pair[1]);
        changes.then_some(TurnChart { title: title.clone(), turns })
    };
    Ok(titles.into_iter().filter_map(chart).collect())
}

/// Returns the measures of the game; if it has none, the number of pieces on each side.
pub(super) fn measures_or_piece_counts(
    referee: &Referee,
    table: &Tabletop,
) -> IndexMap<String, f64> {
    let mut found = IndexMap::new();
    for measure in &referee.ruleset().measures {
        for figure in referee.measure(table, measure).into_iter().flatten() {
            let of = figure.of.map_or(String::new(), |of| format!(", {of}"));
            found.insert(format!("{}{of}", measure.title), figure.value.to_f64());
        }
    }
    if referee.ruleset().measures.is_empty() {
        for (kind, _) in referee.ruleset().schema.piece_kinds() {
            for side in
                table.present_pieces(kind).filter_map(|row| referee.side_of_piece(table, kind, row))
            {
                *found.entry(format!("Pieces of {side}")).or_default() += 1.0;
            }
        }
        found.sort_keys();
    }
    found
}

/// Returns everything that happened, with a title. Commands that no longer count are crossed out.
fn whole_transcript(session: &Session) -> Result<(RunningTranscript, Document), WalkError> {
    let mut running = RunningTranscript::default();
    let mut page = Document::new();
    session.walk_records(0..session.log().len(), |board, logged| {
        running.add_logged(&mut page, session, board, logged);
    })?;
    page.title = Some(Box::new(page_title(session, &Viewer::Umpire)));
    let mut standings = session.standings().into_iter();
    for block in &mut page.blocks {
        if let Block::Typed { standing, .. } = block {
            *standing = standings.next().unwrap_or(Standing::Stands);
        }
    }
    Ok((running, page))
}

/// Returns the game without undone commands, as a viewer saw it, and the commands that the viewer
/// saw.
fn transcript_as_seen(
    session: &Session,
    viewer: &Viewer,
) -> Result<(Document, Vec<Arc<Entry>>), WalkError> {
    let mut page = Document::new();
    let mut running = RunningTranscript::default();
    let mut seen = Vec::new();
    session.walk_as_seen(viewer, |referee, logged, witnessed| match witnessed {
        Some(witnessed) => {
            running.add_seen(&mut page, session, referee, witnessed);
            seen.push(witnessed.entry.clone());
        }
        None => {
            let lines = logged.script();
            let answer = record_line(&logged.what);
            if !lines.is_empty() || !answer.is_empty() {
                page.blocks.push(Block::Typed {
                    number: None,
                    lines,
                    standing: Standing::Stands,
                    answer,
                });
            }
        }
    })?;
    page.title = Some(Box::new(page_title(session, viewer)));
    Ok((page, seen))
}

/// Returns the header of the page.
fn page_title(session: &Session, viewer: &Viewer) -> Title {
    let mut receipt = session.receipt();
    if *viewer != Viewer::Umpire {
        // The files of the rules contain the hidden pieces and their places, so the hash of the
        // files could confirm a guess.
        receipt.rules.hash.clear();
    }
    // The date is the only line that depends on when the game was played.
    let mut notes = vec![session.date()];
    notes.extend(fair::receipt(&receipt));
    notes.extend(session.last_before_reveal().map(|_| format!("seed {}", session.seed().to_hex())));
    let name = session.board().referee().ruleset().game.title.clone();
    let scenario = Some(session.scenario_title().to_owned());
    let by = session.players().map(|players| format!("played by {players}"));
    Title { name, scenario, by: by.into_iter().collect(), notes }
}

/// A change of the transcript during play, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptUpdate {
    /// No change.
    Nothing,
    /// This text is appended.
    Add(String),
    /// This text replaces the transcript.
    All(String),
}

/// The transcript during play, without the statistics at the end, such as luck. New events are
/// appended, so undone commands are only reported. They are crossed out when the whole transcript
/// is written again.
#[derive(Clone, Debug, Default)]
pub struct RunningTranscript {
    /// The turn of the last command in the transcript.
    turn: i64,
    /// The number of events that the transcript contains so far.
    known: usize,
    /// The content of the plan when it was last drawn.
    lay: Option<IndexMap<String, String>>,
}

impl RunningTranscript {
    /// Continues the transcript that was written before the session was resumed, if it ends with
    /// the last event before that point. Otherwise the whole transcript is written again.
    pub fn resume(session: &Session, written: &str) -> Result<RunningTranscript, WalkError> {
        let mut happened = session.log().iter();
        let known = happened.rposition(|logged| matches!(logged.what, Record::Resume(_)));
        let Some(last) = known.and_then(|known| known.checked_sub(1)) else {
            return Ok(RunningTranscript::default());
        };
        let mut before = session.log()[..last].iter().rev();
        let turn = before.find(|logged| logged.command().is_some()).map_or(0, |logged| logged.turn);
        let mut running = RunningTranscript { turn, known: last, lay: None };
        let end = running.write_new(session, last + 1)?;
        Ok(if written.ends_with(&end) { running } else { RunningTranscript::default() })
    }

    /// Returns the change since the last call. This is the new part or, at the start and whenever
    /// the header changes (because the players were named or the seed was revealed), the whole
    /// transcript.
    pub fn update(&mut self, session: &Session) -> Result<TranscriptUpdate, WalkError> {
        let Some(new) = session.log().get(self.known..).filter(|new| !new.is_empty()) else {
            return Ok(TranscriptUpdate::Nothing);
        };
        if self.known > 0 && new.iter().all(LoggedRecord::only_adds) {
            return Ok(TranscriptUpdate::Add(self.write_new(session, session.log().len())?));
        }
        let (running, page) = whole_transcript(session)?;
        *self = running;
        Ok(TranscriptUpdate::All(markdown::markdown_page(&page)))
    }

    /// Processes the events up to this point, and returns the new text.
    fn write_new(&mut self, session: &Session, to: usize) -> Result<String, WalkError> {
        let mut page = Document::new();
        session.walk_records(self.known..to, |board, logged| {
            self.add_logged(&mut page, session, board, logged);
        })?;
        let mut added = String::new();
        page.blocks.iter().for_each(|block| markdown::write_block(block, &mut added));
        Ok(added)
    }

    /// Adds an event. `board` is the board after the event.
    fn add_logged(
        &mut self,
        page: &mut Document,
        session: &Session,
        board: &Board,
        logged: &LoggedRecord,
    ) {
        let view = View::of_session(session, board, WIDTH);
        self.known += 1;
        if let Record::Start(start) = &logged.what {
            self.add_set_up(page, &view, &start.set_up);
            return;
        }
        let command = logged.command();
        let now = match command {
            Some(entry) => chapter_turn(&view, entry),
            None => view.referee.turn_number(view.table),
        };
        if command.is_some() {
            let head = session.head_at(logged);
            let head = head.map_or(String::new(), |head| format!(" · head {head}"));
            self.begin_turn(page, now, &head);
        }
        page.blocks.push(Block::Typed {
            number: command.map(|entry| entry.number),
            lines: logged.script(),
            standing: Standing::Stands,
            answer: logged_outcome(&view, board, logged),
        });
        if command.is_some_and(|entry| entry.turn != now) {
            self.draw_plan(page, &view, now);
        }
    }

    /// Adds the part of a command that a viewer saw.
    fn add_seen(
        &mut self,
        page: &mut Document,
        session: &Session,
        referee: &Referee,
        witnessed: &Witnessed,
    ) {
        let Witnessed { number, turn: now, entry, sight } = witnessed;
        let view = View::of(session.heading(), referee, &sight.table, WIDTH).seen_by(sight);
        if *number == 0 {
            self.add_set_up(page, &view, &entry.outcome);
            return;
        }
        let now = &chapter_turn(&view, entry).min(*now);
        self.begin_turn(page, *now, "");
        let line = Some(entry.line.clone()).filter(|line| !line.is_empty());
        page.blocks.push(Block::Typed {
            number: None,
            lines: line.into_iter().collect(),
            standing: Standing::Stands,
            answer: command_outcome(&view, entry),
        });
        if entry.turn != *now {
            self.draw_plan(page, &view, *now);
        }
    }

    fn add_set_up(&mut self, page: &mut Document, view: &View<'_>, outcome: &Outcome) {
        page.blocks.push(Block::Chapter("set-up".to_owned()));
        page.blocks.push(remark_block(outcome::set_up(view, outcome)));
        self.lay = Some(plan::area_contents(view));
        self.turn = 0;
    }

    /// Begins the chapter of a turn if it is a new one; `head` follows its title.
    fn begin_turn(&mut self, page: &mut Document, now: i64, head: &str) {
        if std::mem::replace(&mut self.turn, now) != now {
            page.blocks.push(Block::Chapter(format!("turn {now}{head}")));
        }
    }

    /// Adds the plan at the beginning of a turn, unless it is too large.
    fn draw_plan(&mut self, page: &mut Document, view: &View<'_>, now: i64) {
        let when = format!("the plan as turn {now} begins");
        page.blocks.extend(plan_drawing(view, when, &mut self.lay));
    }
}

/// Returns the turn under which a command appears: the turn that it leads to. A command that ends
/// the game stays in the turn in which it was typed, so that a game of ten turns ends under turn
/// 10.
fn chapter_turn(view: &View<'_>, entry: &Entry) -> i64 {
    let ends = entry.outcome.events.iter().any(|event| matches!(event, Event::Ended { .. }));
    if ends { entry.turn } else { view.referee.turn_number(view.table) }
}

/// Returns the outcome of a command.
fn command_outcome(view: &View<'_>, entry: &Entry) -> Document {
    let mut told = Document::new();
    if let Some(reason) = &entry.reason {
        told.line(Role::Notice, format!("the umpire rules: {reason}"));
    }
    told.extend(outcome::outcome(view, &entry.outcome, None));
    told
}

/// Returns a note that answers no typed line.
fn remark_block(answer: Document) -> Block {
    Block::Typed { number: None, lines: Vec::new(), standing: Standing::Stands, answer }
}

/// Returns the plan, if the game has one with at most `MOST_AREAS` areas. Areas that changed since
/// it was last drawn are marked.
fn plan_drawing(
    view: &View<'_>,
    when: String,
    lay: &mut Option<IndexMap<String, String>>,
) -> Option<Block> {
    let kind = view.referee.ruleset().schema.plan_kind()?;
    if view.table.row_count(kind) > MOST_AREAS {
        return None;
    }
    let before = lay.replace(plan::area_contents(view));
    let picture = plan::plan_svg(view, &[], before.as_ref(), false);
    Some(Block::Plan { when, drawing: plan::plan_text(view, &[])?, picture })
}

/// Returns the text for an event, for the umpire. `board` is the board after the event.
pub fn logged_outcome(view: &View<'_>, board: &Board, logged: &LoggedRecord) -> Document {
    let mut told = Document::new();
    match &logged.what {
        Record::Command(entry) => {
            told.extend(command_outcome(&view.of_command(board, entry.number), entry));
        }
        Record::Undo(_) => return undone_steps(view, board, logged),
        Record::Redo(_) => return redone_steps(view, board, logged),
        Record::Amend(_) => {
            for step in &logged.steps {
                if let HistoryStep::Amendment(amendment) = step {
                    told.extend(amend::amendment_report(view, board, amendment));
                    let changes = hands::replacement_changes(&amendment.before, &amendment.now);
                    told.extend(hands::after_correction(view, board, logged, &changes));
                }
            }
        }
        Record::Reload(_) => {
            told.line(Role::Notice, "the rules were read again:");
            for step in &logged.steps {
                if let HistoryStep::Rules(rules) = step {
                    told.extend(reload::rule_changes(&rules.changes));
                }
            }
        }
        Record::Look(look) => {
            let what = match look.number {
                Some(number) => format!("an amendment of {number} was previewed but not made"),
                None => "a command was previewed but not carried out".to_owned(),
            };
            told.line(Role::Notice, format!("{what}: {}", look.line));
        }
        other => {
            told.extend(record_line(other));
        }
    }
    told
}

/// Returns a line for an event of the session other than a command; empty if the event needs none.
fn record_line(what: &Record) -> Document {
    let mut told = Document::new();
    match what {
        Record::Reload(_) => told.line(Role::Notice, "the rules were read again"),
        Record::AskRandom(random) => {
            let who = if *random { "chance" } else { "the umpire" };
            told.line(Role::Quiet, format!("questions are answered by {who} from here on"))
        }
        Record::Words(words) => {
            told.line(Role::Notice, format!("the players' words, mixed into the dice: {words}"))
        }
        Record::Players(players) => told.line(Role::Notice, format!("the players: {players}")),
        Record::Report(ReportItem::Date(date)) => {
            told.line(Role::Quiet, format!("the date: {date}"))
        }
        Record::Report(ReportItem::Venue(venue)) => {
            told.line(Role::Quiet, format!("the venue: {venue}"))
        }
        // The typed line already shows the paragraph or photo.
        Record::Report(ReportItem::Paragraph(_) | ReportItem::Photo(_)) => &mut told,
        Record::Reveal(_) => told.line(Role::Notice, "the seed was revealed"),
        Record::Resume(_) => told.line(Role::Quiet, "play continued after a break"),
        Record::Start(_) | Record::Command(_) | Record::Undo(_) | Record::Redo(_) => &mut told,
        Record::Amend(_) | Record::Dice(_) | Record::Look(_) => &mut told,
    };
    told
}

/// Returns true if a command only printed secret text, such as a briefing. Such text is not printed
/// again.
fn reads_out_a_secret(referee: &Referee, entry: &Entry) -> bool {
    let schema = &referee.ruleset().schema;
    let is_secret = |event: &Event| match event {
        Event::Call { rule, .. } => {
            schema.rule_named(rule).is_some_and(|id| schema.rules[id.index()].secret_for.is_some())
        }
        Event::SaidTo { to, .. } => *to != Audience::All,
        _ => false,
    };
    entry.outcome.only_looks() && entry.outcome.events.iter().any(is_secret)
}

/// Returns a line for each undone command or amendment, and the instructions for the table.
fn undone_steps(view: &View<'_>, board: &Board, logged: &LoggedRecord) -> Document {
    let mut told = Document::new();
    for step in &logged.steps {
        match step {
            HistoryStep::Command(entry) if reads_out_a_secret(view.referee, entry) => {
                let line = Line::of(Role::Plain, format!("undoes {}: ", entry.number));
                told.push(line.and(Role::Strong, &entry.line).with_hanging_indent(4));
            }
            HistoryStep::Command(entry) => {
                let view = &view.of_command(board, entry.number);
                let line = Line::of(Role::Plain, format!("undoes {}: ", entry.number));
                let line = line.and(Role::Strong, &entry.line);
                told.push(
                    summary::append_summary(line, Role::Plain, view, &entry.outcome)
                        .with_hanging_indent(4),
                );
            }
            HistoryStep::Amendment(amendment) => {
                let words = format!("undoes the amendment of {}: ", amendment.number);
                let [now, before] = [&amendment.now, &amendment.before]
                    .map(|entries| entries.first().map_or("", |entry| entry.line.as_str()));
                let line = Line::of(Role::Plain, words).and(Role::Strong, now);
                told.push(
                    line.and(Role::Plain, format!("; the line is again: {before}"))
                        .with_hanging_indent(4),
                );
            }
            HistoryStep::Rules(_) => {}
        }
    }
    let changes = hands::undo_changes(&logged.steps);
    told.extend(hands::after_correction(view, board, logged, &changes));
    told
}

/// Returns the outcome of each command or amendment that was redone, with the table as it was after
/// this step. If a step only printed a secret, only its line is shown.
fn redone_steps(view: &View<'_>, board: &Board, logged: &LoggedRecord) -> Document {
    let mut told = Document::new();
    let walked = logged.walk_steps(board, |board, logged| {
        for step in &logged.steps {
            told.extend(redone_step(view, board, logged, step));
        }
    });
    if let Err(error) = walked {
        told.line(Role::Notice, error.to_string());
    }
    told
}

/// Returns the outcome of a step that was redone. `board` is the board after the step, which is the
/// only step in its record.
fn redone_step(
    view: &View<'_>,
    board: &Board,
    logged: &LoggedRecord,
    step: &HistoryStep,
) -> Document {
    let mut told = Document::new();
    match step {
        HistoryStep::Command(entry) => {
            told.line(Role::Plain, format!("redoes {}: {}", entry.number, entry.line));
            if !reads_out_a_secret(view.referee, entry) {
                told.extend(command_outcome(&view.of_command(board, entry.number), entry));
            }
        }
        HistoryStep::Amendment(amendment) => {
            let line = amendment.now.first().map_or("", |e| e.line.as_str());
            told.line(Role::Plain, format!("redoes the amendment of {}: {line}", amendment.number));
            let changes = hands::replacement_changes(&amendment.before, &amendment.now);
            let view = View { referee: board.referee(), table: board.table(), ..*view };
            told.extend(hands::after_correction(&view, board, logged, &changes));
        }
        HistoryStep::Rules(_) => {}
    }
    told
}
