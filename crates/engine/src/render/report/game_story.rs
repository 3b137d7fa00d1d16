//! The story of a game: the notable events of each turn, in the ruleset's sentences.

use std::sync::Arc;

use indexmap::IndexMap;

use super::naming::{self, Descriptions, Namer};
use super::notables::{Notable, notables_of, turns_of};
use super::sentences::{ReportSentence, sentence, sentences_of_turn, with_number_in_words};
use super::standing::{CoursePoint, course_values, values_in_words};
use crate::language::rule::RuleText;
use crate::names::{capitalized, proper_name};
use crate::referee::{Check, Event, Referee, Viewer};
use crate::render::transcript::measures_or_piece_counts;
use crate::render::view::View;
use crate::render::{check, summary};
use crate::session::{Entry, Photo, Record, ReportItem, Session, WalkError, check_chance};
use crate::tabletop::Tabletop;

/// The width of text drawings, in columns.
pub(super) const WIDTH: usize = 100;

/// The sentence for a turn without notable events.
const NOTHING: &str = "There is nothing to report.";

/// A turn of the report.
#[derive(Clone, Debug)]
pub(super) struct TurnStory {
    /// The turn; 0 is the set-up.
    pub number: i64,
    /// A sentence for each notable event.
    pub sentences: Vec<String>,
    /// Paragraphs that the umpire wrote.
    pub paragraphs: Vec<String>,
    /// Photos.
    pub photos: Vec<Photo>,
}

/// The data for a report about a game, as a viewer saw it.
#[derive(Clone, Debug, Default)]
pub(super) struct GameStory {
    /// The commands in force.
    pub entries: Vec<Arc<Entry>>,
    /// Rolls that decided changes, as candidates for key moments.
    pub turning_points: Vec<TurningPoint>,
    /// The commands: for each, the turn, the line and its outcome in brief.
    pub log: Vec<(i64, String, String)>,
    /// All notable events in order, each with its turn.
    pub notables: Vec<(i64, Notable)>,
    /// The umpire's additions, each with its turn.
    pub items: Vec<(i64, ReportItem)>,
    /// The parts of the score at the end of each turn: `men lost: Red 3, Blue 2`.
    pub standings: IndexMap<i64, Vec<String>>,
    /// The measures at the end of each turn.
    pub measures: IndexMap<i64, IndexMap<String, f64>>,
    /// The measures after each command that show who is doing well.
    pub course: Vec<CoursePoint>,
    /// The descriptions of the pieces.
    pub descriptions: Descriptions,
}

/// A roll in a command that changed the measures of the game.
#[derive(Clone, Debug)]
pub(super) struct TurningPoint {
    /// The turn in which the command was played.
    pub turn: i64,
    /// A sentence about the roll or its effect.
    pub sentence: String,
    /// True if the sentence is about a notable event.
    pub is_notable: bool,
    /// The title of the rule that rolled the dice; empty if no rule did.
    pub roll: String,
    /// The probability of dice like these before the roll.
    pub chance: f64,
    /// The part of the command's changes that these dice decided, from 0 to 1.
    pub share: f64,
    /// The measures before the command and after it.
    pub measures: [IndexMap<String, f64>; 2],
}

impl TurningPoint {
    /// Returns the measure that the command changed most, compared with the measure's range in this
    /// game, in words: `men lost, Red: 2 → 3`. Omits changes that had been undone by the `end` of
    /// the turn.
    pub(super) fn greatest_change_in_words(
        &self,
        end: &IndexMap<String, f64>,
        ranges: &IndexMap<&String, (f64, f64)>,
    ) -> Option<String> {
        let [before, after] = &self.measures;
        let changed = after.iter().filter_map(|(name, now)| {
            let was = before.get(name)?;
            let change = (lasting(*was, *now, end.get(name).copied()) - was).abs();
            let (low, high) = ranges.get(name)?;
            (change > 0.0).then_some((change / (high - low), name, was, now))
        });
        let changed: Vec<_> = changed.collect();
        // A measure that is counted for each side says more than their sum.
        let is_by_side = |change: &&(f64, &String, &f64, &f64)| title_and_side(change.1).is_some();
        let has_side = changed.iter().any(|change| is_by_side(&change));
        let changed = changed.iter().filter(|change| !has_side || is_by_side(change));
        // Of equal changes, the measure that the ruleset declares first is named.
        let (_, name, was, now) = changed.rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let name = match title_and_side(name) {
            Some((title, side)) => format!("{title}, {}", capitalized(side)),
            None => (*name).clone(),
        };
        Some(format!("{name}: {was} → {now}"))
    }
}

/// Returns the title and the side of a measure that is counted for each side: `Men lost` and `red`
/// for `Men lost, red`, but `None` for `Carts, dogs and men lost`.
pub(super) fn title_and_side(measure: &str) -> Option<(&str, &str)> {
    measure.rsplit_once(", ").filter(|(_, side)| !side.contains(' '))
}

/// Returns the value after a change from `was` to `now`, limited to the part of the change that
/// remains at the `end` of the turn.
pub(super) fn lasting(was: f64, now: f64, end: Option<f64>) -> f64 {
    end.map_or(now, |end| if now > was { now.min(end.max(was)) } else { now.max(end.min(was)) })
}

/// The end of a game, as the ruleset declares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclaredEnd<'s> {
    /// The announcement; may be empty.
    pub words: &'s str,
    /// The side that won, if there is one.
    pub winner: Option<&'s str>,
    /// The margin by which it won, if the ruleset measures one.
    pub margin: Option<i64>,
}

impl GameStory {
    /// Returns the last end that was announced; `None` if the game did not end.
    pub(super) fn declared_end(&self) -> Option<DeclaredEnd<'_>> {
        let events = self.entries.iter().flat_map(|entry| &entry.outcome.events);
        let mut ends = events.filter_map(|event| match event {
            Event::Ended { words, winner, margin } => {
                Some(DeclaredEnd { words, winner: winner.as_deref(), margin: *margin })
            }
            _ => None,
        });
        ends.next_back()
    }

    /// Returns the turn in which the last end was announced; `None` if the game did not end.
    fn turn_of_end(&self) -> Option<i64> {
        let is_end = |event: &Event| matches!(event, Event::Ended { .. });
        let of_entry = |entry: &Arc<Entry>| {
            let ended = entry.outcome.events.iter().rposition(is_end)?;
            turns_of(entry).get(ended).copied()
        };
        self.entries.iter().rev().find_map(of_entry)
    }

    /// Replays a game as a viewer saw it, and collects its story.
    pub(super) fn of(session: &Session, viewer: &Viewer) -> Result<GameStory, WalkError> {
        let mut story = GameStory::default();
        let mut before: Option<Tabletop> = None;
        if let Some(scenario) = session.scenario_set_out() {
            naming::collect_places(scenario, &mut story.descriptions);
        }
        session.walk_as_seen(viewer, |referee, logged, witnessed| {
            if let Record::Report(item) = &logged.what {
                story.items.push((logged.turn, item.clone()));
            }
            let Some(witnessed) = witnessed else { return };
            let table = &witnessed.sight.table;
            let entry = &witnessed.entry;
            let view = View::of(session.heading(), referee, table, WIDTH).seen_by(&witnessed.sight);
            naming::collect(&view, &mut story.descriptions);
            if witnessed.number > 0 {
                let outcome = summary::summary_words(&view, &entry.outcome);
                story.log.push((entry.turn, entry.line.clone(), outcome));
            }
            let turns = turns_of(entry);
            let earlier = before.as_ref().unwrap_or(table);
            let notables = notables_of(referee, entry, &turns, [earlier, table]);
            let measures = measures_or_piece_counts(referee, table);
            if let Some(before) = &before {
                story.add_turning_points(referee, entry, &turns, &notables, before, &measures);
            }
            let first_notable = story.notables.len();
            story.notables.extend(notables.into_iter().map(|notable| (notable.turn, notable)));
            story.course.push(CoursePoint {
                turn: story.notables[first_notable..].last().map_or(entry.turn, |(turn, _)| *turn),
                values: course_values(referee, table),
                notables: first_notable..story.notables.len(),
            });
            story.entries.push(entry.clone());
            // A command that begins a turn belongs to that turn.
            let turn = turns.last().copied().unwrap_or(entry.turn);
            story.standings.insert(turn, score_parts(referee, table));
            // A command that advances to another turn also ends the turns before it.
            for ended in turns.iter().chain([&entry.turn, &turn]) {
                if story.measures.get(ended) != Some(&measures) {
                    story.measures.insert(*ended, measures.clone());
                }
            }
            before = Some(table.clone());
        })?;
        Ok(story)
    }

    /// Returns the turns, each with at most this many sentences. Sentences about rules with the
    /// fewest notable events in the whole game are preferred. The score may be added as one more
    /// sentence.
    pub(super) fn turns(&self, referee: &Referee, table: &Tabletop, most: usize) -> Vec<TurnStory> {
        let mut turns: IndexMap<i64, TurnStory> = IndexMap::new();
        let mut frequency: IndexMap<&str, usize> = IndexMap::new();
        for (_, notable) in &self.notables {
            *frequency.entry(notable.rule.as_str()).or_default() += 1;
        }
        let numbers = self.notables.iter().map(|(turn, _)| *turn);
        let mut numbers: Vec<i64> =
            numbers.chain(self.items.iter().map(|(turn, _)| *turn)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        // A sentence or a part of the score that repeats the turn before isn't news.
        let mut told_last: (i64, Vec<String>) = (0, Vec::new());
        let mut namer = Namer::new(&self.descriptions);
        // The score at the beginning is news unless it is zero.
        let mut told_score = self.standings.get(&0).map_or(&[][..], Vec::as_slice);
        if told_score.iter().any(|part| part.contains(|c: char| ('1'..='9').contains(&c))) {
            numbers.insert(0, 0);
            numbers.dedup();
            told_score = &[];
        }
        for number in numbers {
            let of_turn = self.notables.iter().filter(|(turn, _)| *turn == number);
            let of_turn: Vec<&Notable> = of_turn.map(|(_, notable)| notable).collect();
            let mut told = sentences_of_turn(referee, table, &of_turn);
            let rarity = |rules: &[&str]| {
                rules.iter().filter_map(|rule| frequency.get(rule)).copied().min().unwrap_or(0)
            };
            let mut ranked: Vec<usize> = (0..told.len()).collect();
            ranked.sort_by_key(|&index| rarity(&told[index].rules));
            ranked.truncate(most);
            let mut index = 0;
            told.retain(|_| {
                index += 1;
                ranked.contains(&(index - 1))
            });
            // What happens to a piece again is news, but not that something goes on, such as
            // rain.
            let is_news = |one: &ReportSentence<'_>| {
                told_last.0 + 1 != number
                    || !told_last.1.contains(&one.words)
                    || one.participants.iter().any(|name| one.words.contains(&proper_name(name)))
            };
            namer.begin_turn();
            let news = told.iter().filter(|told| is_news(told));
            let mut sentences: Vec<String> = news
                .map(|one| {
                    sentence(&with_number_in_words(
                        &namer.describe_names(&one.words, &one.participants),
                    ))
                })
                .collect();
            let told = told.into_iter().map(|told| told.words).collect();
            told_last = (number, told);
            let score = self.standings.get(&number).map_or(&[][..], Vec::as_slice);
            if !sentences.is_empty() || number == 0 {
                let changed = score.iter().enumerate();
                let changed = changed.filter(|(at, part)| told_score.get(*at) != Some(part));
                let changed: Vec<&str> = changed.map(|(_, part)| part.as_str()).collect();
                if !changed.is_empty() {
                    sentences.push(sentence(&changed.join("; ")));
                }
                told_score = score;
            }
            let mut turn =
                TurnStory { number, sentences, paragraphs: Vec::new(), photos: Vec::new() };
            for (_, item) in self.items.iter().filter(|(of, _)| *of == number) {
                match item {
                    ReportItem::Paragraph(text) => turn.paragraphs.push(text.clone()),
                    ReportItem::Photo(photo) => turn.photos.push(photo.clone()),
                    ReportItem::Date(_) | ReportItem::Venue(_) => {}
                }
            }
            if !turn.sentences.is_empty() || !turn.paragraphs.is_empty() || !turn.photos.is_empty()
            {
                turns.insert(number, turn);
            }
        }
        // A turn that is left out looks like a mistake, unless the ruleset has no notable events.
        // After the end of the game, nothing is expected.
        let last = self.turn_of_end().or_else(|| self.standings.keys().copied().max()).unwrap_or(0);
        for number in (1..=last).filter(|_| !self.notables.is_empty()) {
            turns.entry(number).or_insert_with(|| TurnStory {
                number,
                sentences: vec![NOTHING.to_owned()],
                paragraphs: Vec::new(),
                photos: Vec::new(),
            });
        }
        turns.sort_keys();
        turns.into_values().collect()
    }

    fn add_turning_points(
        &mut self,
        referee: &Referee,
        entry: &Entry,
        turns: &[i64],
        notables: &[Notable],
        before: &Tabletop,
        after: &IndexMap<String, f64>,
    ) {
        let events = &entry.outcome.events;
        let decided = events.iter().filter_map(|event| match event {
            Event::Changed { check, .. } => *check,
            _ => None,
        });
        let mut decided_by: IndexMap<usize, usize> = IndexMap::new();
        decided.for_each(|check| *decided_by.entry(check).or_default() += 1);
        let changes = entry.outcome.changes().count().max(1);
        if decided_by.is_empty() {
            return;
        }
        let measures = [measures_or_piece_counts(referee, before), after.clone()];
        if measures[0] == measures[1] {
            return;
        }
        for (index, count) in decided_by {
            let Some(Event::Check(check)) = events.get(index) else { continue };
            let Some(chance) = check_chance(&referee.ruleset().schema, check) else { continue };
            // Use the last event before the next dice, because it shows the final result for a
            // piece.
            let mut later = events.iter().enumerate().skip(index + 1);
            let next = later.find(|(_, event)| matches!(event, Event::Check(_)));
            let next = next.map_or(events.len(), |(next, _)| next);
            let brought_about = match notables {
                [only] if only.event > index => Some(only),
                _ => notables.iter().rfind(|notable| (index..next).contains(&notable.event)),
            };
            // The dice of one attack, to hit and then for the effect, lead to one event. In a
            // command in which no piece acts, such as `next`, each event follows its own dice.
            let brought_about = brought_about.or_else(|| {
                notables.iter().find(|notable| notable.event > index && notable.by.is_some())
            });
            let words = match brought_about {
                Some(notable) => {
                    let actor: Vec<&str> = notable.by.as_deref().into_iter().collect();
                    Namer::new(&self.descriptions)
                        .describe_names(&notable.attributed_sentence(), &actor)
                }
                None => check_words(referee, check),
            };
            self.turning_points.push(TurningPoint {
                turn: turns.get(index).copied().unwrap_or(entry.turn),
                sentence: sentence(&words),
                is_notable: brought_about.is_some(),
                roll: title_of_roll(referee, check),
                chance,
                share: count as f64 / changes as f64,
                measures: measures.clone(),
            });
        }
    }
}

/// Returns the rule that made a check; `None` if no rule did.
fn rule_of_check<'r>(referee: &'r Referee, check: &Check) -> Option<&'r RuleText> {
    referee.ruleset().schema.rules.named(check.rule.as_ref()?)
}

fn title_of_roll(referee: &Referee, check: &Check) -> String {
    let rule = rule_of_check(referee, check);
    // Words in parentheses are for readers of the rules.
    let title = rule.map_or("", |rule| rule.title.split(" (").next().unwrap_or_default());
    title.to_owned()
}

/// Returns who rolled a check, and its verdict. If the check has no label, its rule's title is
/// used.
fn check_words(referee: &Referee, check: &Check) -> String {
    let (_, verdict) = check::verdict(check);
    let rule = rule_of_check(referee, check);
    let label = match (check.label.as_str(), rule) {
        ("", Some(rule)) => &rule.title,
        (label, _) => label,
    };
    if verdict.is_empty() { label.to_owned() } else { format!("{label}: {verdict}") }
}

/// Returns the measures that are the score of the game, each in words: `men lost: Red 3, Blue 2`.
fn score_parts(referee: &Referee, table: &Tabletop) -> Vec<String> {
    let score = referee.score(table).into_iter();
    score.map(|(name, values)| format!("{name}: {}", values_in_words(&values))).collect()
}

/// Returns the score of the game in a sentence: `Men lost: Red 3, Blue 2.`
pub(super) fn score_sentence(referee: &Referee, table: &Tabletop) -> String {
    sentence(&score_parts(referee, table).join("; "))
}
