//! The parts of a battle report, collected from a session.

use std::collections::HashSet;

use indexmap::IndexSet;

use super::course::{GameCourse, course_of_game};
use super::game_story::{DeclaredEnd, GameStory, TurnStory, WIDTH, score_sentence};
use super::moments::{KeyMoment, chance_in_words, key_moments};
use super::naming::{listed, whose};
use super::sentences::sentence;
use crate::names::capitalized;
use crate::referee::Viewer;
use crate::render::plan;
use crate::render::setup::{self, Force};
use crate::render::view::View;
use crate::session::{
    Board, Luck, LuckGroup, Photo, Record, RecordedAction, ReportItem, Session, WalkError,
};
use crate::tabletop::Value;

/// The maximum number of words in a report, without the umpire's text and without the log.
pub(super) const MAX_WORDS: usize = 900;
/// If the probability of a side's luck, good or bad, is above this, the dice count as fair.
const FAIR_LUCK: f64 = 0.1;
/// The maximum number of sentences per turn. A report that is too long gets fewer.
const MAX_SENTENCES: usize = 8;

/// A battle report.
#[derive(Clone, Debug)]
pub struct Report {
    /// The title of the scenario.
    pub(super) scenario: String,
    /// The date, place, players and rules, each with its heading.
    pub(super) facts: Vec<(&'static str, String)>,
    /// The background that everyone knew before the game.
    pub(super) background: String,
    /// The order of battle.
    pub(super) forces: Vec<Force>,
    /// The orders that the sides wrote, before the first turn and later, by side.
    pub(super) plans: Vec<(String, Vec<String>)>,
    /// The turns with something to report.
    pub(super) turns: Vec<TurnStory>,
    /// When the game turned; `None` if no measure shows it.
    pub(super) course: Option<GameCourse>,
    /// The key moments, in the order of play.
    pub(super) moments: Vec<KeyMoment>,
    /// The end of the game, in a sentence or two.
    pub(super) ending: String,
    /// The luck of the dice, in a sentence for each side; empty if too few dice were rolled.
    pub(super) luck: String,
    /// The plan at the end, as SVG.
    pub(super) plan: Option<String>,
    /// The commands in force: for each, the turn, the line and its outcome in brief.
    pub(super) log: Vec<(i64, String, String)>,
}

/// A photo that belongs to a report, and the name of its file next to the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportPhoto {
    /// The path of the file, as the umpire typed it.
    pub file: String,
    /// The file name in the report.
    pub name: String,
    /// The caption below the photo.
    pub(super) caption: String,
}

impl Report {
    /// Returns the report of a session for a viewer.
    ///
    /// # Errors
    /// Fails if the events can't be replayed.
    pub fn of(session: &Session, viewer: &Viewer) -> Result<Report, WalkError> {
        let viewer = session.effective_viewer(viewer);
        let board = session.board();
        let referee = &board.referee().with_budget();
        let sight = referee.sight(board.table(), &viewer);
        let view = View { referee, ..View::of_session(session, board, WIDTH) }.seen_by(&sight);
        let story = GameStory::of(session, &viewer)?;
        let luck = match &sight {
            None => session.luck(),
            Some(sight) => session.luck_of(&story.entries, &sight.table),
        };
        let scenario = session.scenario_set_out();
        let background = scenario.map_or("", |scenario| scenario.background.as_str());
        let background = match background {
            "" => referee.ruleset().game.about.trim(),
            background => background.trim(),
        };
        let mut report = Report {
            scenario: session.scenario_title().to_owned(),
            facts: facts(session),
            background: background.to_owned(),
            forces: Vec::new(),
            plans: plans(session, &story),
            turns: Vec::new(),
            course: course_of_game(referee, view.table, &story),
            moments: key_moments(&story),
            ending: ending(&view, &story, scenario.and_then(|scenario| scenario.turns)),
            luck: luck_sentences(&luck),
            plan: plan::plan_svg(&view, &[], None, false),
            log: story.log.clone(),
        };
        let laid_out = board_after_setup(session)?;
        let laid_out = laid_out.as_ref().unwrap_or(board);
        // The game after the set-up may have had other rules.
        let referee_before = &laid_out.referee().with_budget();
        let sight_before = referee_before.sight(laid_out.table(), &viewer);
        let view_before = View::of_session(session, laid_out, WIDTH);
        let view_before = View { referee: referee_before, ..view_before }.seen_by(&sight_before);
        for most in (1..=MAX_SENTENCES).rev() {
            report.turns = story.turns(referee, view.table, most);
            let mentioned = report.words_of_story();
            report.forces =
                setup::forces(&view_before, |name| mentioned.contains(&name.to_lowercase()));
            if report.word_count() <= MAX_WORDS {
                break;
            }
        }
        Ok(report)
    }

    /// Returns the photos, in the order of the report, with their file names. All file names are
    /// different, and contain only letters, digits, dots, dashes and underscores.
    pub fn photos(&self) -> Vec<ReportPhoto> {
        let mut names = IndexSet::new();
        let mut photos = Vec::new();
        for Photo { file, caption } in self.turns.iter().flat_map(|turn| &turn.photos) {
            let mut name = plain_file_name(file);
            let mut number = 2;
            while !names.insert(name.clone()) {
                name = format!("{number}-{}", plain_file_name(file));
                number += 1;
            }
            photos.push(ReportPhoto { file: file.clone(), name, caption: caption.clone() });
        }
        photos
    }

    /// Returns the words of the sentences about turns and key moments, in lower case.
    fn words_of_story(&self) -> HashSet<String> {
        let sentences = self.turns.iter().flat_map(|turn| &turn.sentences);
        let sentences = sentences.chain(self.moments.iter().map(|moment| &moment.sentence));
        let is_part_of_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let words = sentences.flat_map(|sentence| sentence.split(|c| !is_part_of_name(c)));
        words.map(str::to_lowercase).collect()
    }

    /// Returns the number of words that the program wrote, without the log.
    pub fn word_count(&self) -> usize {
        let words = |text: &str| text.split_whitespace().count();
        let forces = self.forces.iter().flat_map(|force| &force.lines).map(|line| words(line));
        let plans = self.plans.iter().flat_map(|(_, orders)| orders).map(|order| words(order));
        let turns = self.turns.iter().flat_map(|turn| &turn.sentences).map(|line| words(line));
        let moments = self.moments.iter().map(|moment| words(&moment.sentence));
        let course = self.course.as_ref().map_or("", |course| &course.words);
        let parts = [&self.background, course, &self.ending, &self.luck];
        forces.chain(plans).chain(turns).chain(moments).sum::<usize>()
            + parts.into_iter().map(words).sum::<usize>()
    }
}

/// Returns the date, the place, the players and the rules.
fn facts(session: &Session) -> Vec<(&'static str, String)> {
    let mut day = session.date();
    let mut venue = None;
    for logged in session.log() {
        match &logged.what {
            Record::Report(ReportItem::Date(date)) => day.clone_from(date),
            Record::Report(ReportItem::Venue(at)) => venue = Some(at.clone()),
            _ => {}
        }
    }
    let game = &session.board().referee().ruleset().game;
    let by = if game.author.is_empty() {
        game.title.clone()
    } else {
        format!("{}, by {}", game.title, game.author)
    };
    let mut facts = vec![("Date", day)];
    facts.extend(venue.map(|venue| ("Venue", venue)));
    facts.extend(session.players().map(|players| ("Players", players.to_owned())));
    facts.push(("Rules", by));
    facts
}

/// Returns the board after the set-up; `None` if the log is empty.
fn board_after_setup(session: &Session) -> Result<Option<Board>, WalkError> {
    let mut board = None;
    session.walk_records(0..1, |after, _| board = Some(after.clone()))?;
    Ok(board)
}

/// Returns the orders of each side, as far as the viewer saw them.
fn plans(session: &Session, story: &GameStory) -> Vec<(String, Vec<String>)> {
    let mut plans: Vec<(String, Vec<String>)> = Vec::new();
    let seen = story.entries.iter().filter(|entry| !entry.line.is_empty());
    for entry in seen {
        let RecordedAction::Order { side, text: Some(order) } = &entry.action else { continue };
        let Value::Text(side) = side else { continue };
        match plans.iter_mut().find(|(name, _)| name == side) {
            Some((_, orders)) => orders.push(order.clone()),
            None => plans.push((side.clone(), vec![order.clone()])),
        }
    }
    let order = session.referee().sides(session.table());
    plans.sort_by_key(|(side, _)| order.iter().position(|name| name == side));
    plans
}

/// Returns the end of the game in a sentence or two; `turns` is the planned number of turns.
fn ending(view: &View<'_>, story: &GameStory, turns: Option<i64>) -> String {
    match story.declared_end() {
        Some(DeclaredEnd { words, winner, margin }) => {
            let closing = view.referee.closing_sentence(&mut view.table.clone());
            let mut ending = sentence(closing.as_deref().unwrap_or(words));
            let by = margin.map_or(String::new(), |margin| format!(", by {margin}"));
            // The ruleset's closing sentence already names the winner.
            let winner = winner.filter(|_| closing.is_none());
            if let Some(winner) = winner {
                let space = if ending.is_empty() { "" } else { " " };
                ending.push_str(&format!("{space}Winner: {}{by}.", capitalized(winner)));
            }
            if ending.is_empty() { "The game ended.".to_owned() } else { ending }
        }
        None => match view.referee.turn_number(view.table) {
            0 => "The game was abandoned before its first turn.".to_owned(),
            turn => {
                let score = score_sentence(view.referee, view.table);
                let space = if score.is_empty() { "" } else { " " };
                let of = turns.map_or(String::new(), |turns| format!(" of {turns}"));
                format!(
                    "Play stopped in turn {turn}{of}, before an end under the rules.{space}{score}"
                )
            }
        },
    }
}

/// Returns a sentence about the luck of each side. If there are no sides, returns a sentence about
/// all dice.
fn luck_sentences(luck: &Luck) -> String {
    let groups: Vec<&LuckGroup> =
        if luck.sides.is_empty() { vec![&luck.all] } else { luck.sides.iter().collect() };
    let mut sentences = Vec::new();
    let mut too_few = Vec::new();
    for group in groups {
        match (luck_sentence(group), &group.side) {
            (Some(sentence), _) => sentences.push(sentence),
            (None, Some(side)) if side.starts_with(char::is_uppercase) => {
                too_few.push(side.clone());
            }
            (None, Some(side)) => too_few.push(format!("the {} side", whose(side))),
            (None, None) => {}
        }
    }
    if !sentences.is_empty() && !too_few.is_empty() {
        sentences.push(format!(
            "The luck of {} can't be judged: too few of their rolls could succeed or fail.",
            listed(&too_few)
        ));
    }
    sentences.join(" ")
}

/// Returns the luck of a side in a sentence; `None` if it rolled too few dice.
fn luck_sentence(group: &LuckGroup) -> Option<String> {
    let kind = group.passes.or(group.dice)?;
    if kind.has_too_few_throws() {
        return None;
    }
    let what = if group.passes.is_some() { "successes" } else { "points on the dice" };
    let rolled = format!(
        "{} {what} in {} rolls, where {:.0} is average",
        kind.actual, kind.throws, kind.expected
    );
    let whose = |luck: &str| match group.side.as_deref() {
        Some(side) => format!("{}: {luck} luck", capitalized(side)),
        None => format!("The dice: {luck} luck"),
    };
    let rarity = kind.at_least.min(kind.at_most);
    if rarity > FAIR_LUCK {
        return Some(format!("{}, {rolled}.", whose("average")));
    }
    let (quality, so_many) = if kind.at_least <= kind.at_most {
        ("good", "as many or more")
    } else {
        ("bad", "as few or fewer")
    };
    let share = chance_in_words(rarity);
    let chance = format!("the chance of {so_many} was {share}");
    Some(format!("{}, {rolled} ({chance}).", whose(quality)))
}

/// Returns the last part of a path, without dots and dashes at its beginning, and with a dash in
/// place of every character except ASCII letters, digits, dots and underscores. If nothing is left,
/// returns `photo`.
fn plain_file_name(path: &str) -> String {
    let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_start_matches(['.', '-']).to_owned();
    if name.is_empty() { "photo".to_owned() } else { name }
}
