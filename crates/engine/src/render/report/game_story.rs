//! The story of a game: the notable events of each turn, in the ruleset's sentences.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;

use super::captions::{self, Captions};
use crate::language::rule::RuleText;
use crate::names::{capitalized, proper_name};
use crate::referee::{Check, Event, Referee, Viewer};
use crate::render::transcript::measures_or_piece_counts;
use crate::render::view::View;
use crate::render::{check, summary};
use crate::session::{
    Entry, Photo, Record, RecordedAction, RecordedValue, ReportItem, Session, WalkError,
    check_chance,
};
use crate::tabletop::{Tabletop, Value};

/// The width of text drawings, in columns.
pub(super) const WIDTH: usize = 100;
/// The maximum number of measures named for a key moment.
const MAX_CHANGES: usize = 2;
/// The maximum number of names in a sentence about several calls.
const MAX_NAMES: usize = 6;
/// The maximum number of pieces that a sentence says did the same.
const MAX_ACTORS: usize = 3;

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
    /// Commands with dice, as candidates for key moments.
    pub turning_points: Vec<TurningPoint>,
    /// The commands: the turn, the line and its outcome in short.
    pub log: Vec<(i64, String, String)>,
    /// All notable events in order, each with its turn.
    pub notables: Vec<(i64, Notable)>,
    /// The umpire's additions, each with its turn.
    pub items: Vec<(i64, ReportItem)>,
    /// The score at the end of each turn, in a sentence; empty if nothing is counted.
    pub standings: IndexMap<i64, String>,
    /// The captions of the pieces.
    pub captions: Captions,
}

/// A notable event.
#[derive(Clone, Debug)]
pub(super) struct Notable {
    /// The turn in which it happened: what the end of a turn does belongs to the turn that ends.
    pub turn: i64,
    /// The index of the call among the events of its command.
    event: usize,
    /// The rule that was called.
    pub rule: String,
    /// The sentence about only this event.
    pub sentence: String,
    /// The sentence about only this event that begins with who did it.
    pub active_sentence: Option<String>,
    /// The name at the beginning of the call.
    pub name: Option<String>,
    /// The side of that piece, and who did it to it.
    pub attribution: Attribution,
}

/// Whose piece an event happened to, and whose doing it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Attribution {
    /// The side of the piece that the event is about.
    side: Option<String>,
    /// The piece that acted in the command, if it is another one.
    by: Option<String>,
    /// The side of that piece.
    by_side: Option<String>,
}

impl Attribution {
    /// Returns the attribution in words, without its parentheses: `German, by x2`.
    fn words(&self) -> String {
        let side = self.side.as_deref().map(capitalized);
        let by = self.by.as_deref().map(|by| format!("by {}", proper_name(by)));
        [side, by].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A command whose dice changed the measures of the game.
#[derive(Clone, Debug)]
pub(super) struct TurningPoint {
    /// The turn in which it happened.
    pub turn: i64,
    /// A sentence about it.
    pub sentence: String,
    /// The probability of such dice, before the roll.
    pub chance: f64,
    /// The part of the command's changes that these dice decided, from 0 to 1.
    pub share: f64,
    /// The measures before the command and after it.
    pub measures: [IndexMap<String, f64>; 2],
}

impl TurningPoint {
    /// Returns the measures that the command changed, in words: `men lost, red: 2 → 3`.
    pub(super) fn changes_in_words(&self) -> Vec<String> {
        let [before, after] = &self.measures;
        let changed = after.iter().filter_map(|(name, now)| {
            let was = before.get(name)?;
            let name = match name.split_once(", ") {
                Some((title, side)) => format!("{title}, {}", capitalized(side)),
                None => name.clone(),
            };
            (was != now).then(|| format!("{name}: {was} → {now}"))
        });
        changed.take(MAX_CHANGES).collect()
    }
}

impl GameStory {
    /// Replays a game as a viewer saw it.
    pub(super) fn of(session: &Session, viewer: &Viewer) -> Result<GameStory, WalkError> {
        let mut story = GameStory::default();
        let mut before: Option<Tabletop> = None;
        session.walk_as_seen(viewer, |referee, logged, witnessed| {
            if let Record::Report(item) = &logged.what {
                story.items.push((logged.turn, item.clone()));
            }
            let Some(witnessed) = witnessed else { return };
            let table = &witnessed.sight.table;
            let entry = &witnessed.entry;
            let view = View::of(session.heading(), referee, table, WIDTH).seen_by(&witnessed.sight);
            captions::collect(&view, &mut story.captions);
            if witnessed.number > 0 {
                let outcome = summary::summary_words(&view, &entry.outcome);
                story.log.push((entry.turn, entry.line.clone(), outcome));
            }
            let turns = turns_of(entry);
            let earlier = before.as_ref().unwrap_or(table);
            let notables = notables_of(referee, entry, &turns, [earlier, table]);
            if let Some(before) = &before {
                story.add_turning_points(referee, entry, &turns, &notables, [before, table]);
            }
            story.notables.extend(notables.into_iter().map(|notable| (notable.turn, notable)));
            story.entries.push(entry.clone());
            // A command that begins a turn is counted with it.
            let turn = turns.last().copied().unwrap_or(entry.turn);
            story.standings.insert(turn, score_sentence(referee, table));
            before = Some(table.clone());
        })?;
        Ok(story)
    }

    /// Returns the turns, each with at most this many sentences. The rules with the fewest
    /// sentences in the whole game are the most notable.
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
        // What is the same as in the turn before is no news.
        let mut told_last: (i64, Vec<String>) = (0, Vec::new());
        let mut introduced = HashSet::new();
        let mut explained = HashSet::new();
        let mut told_score = self.standings.get(&0).map_or("", String::as_str);
        for number in numbers {
            let of_turn = self.notables.iter().filter(|(turn, _)| *turn == number);
            let of_turn: Vec<&Notable> = of_turn.map(|(_, notable)| notable).collect();
            let mut told = joined(referee, table, &of_turn, &mut introduced);
            let mut ranked: Vec<usize> = (0..told.len()).collect();
            ranked.sort_by_key(|&index| frequency.get(told[index].0).copied().unwrap_or(0));
            ranked.truncate(most);
            let mut index = 0;
            told.retain(|_| {
                index += 1;
                ranked.contains(&(index - 1))
            });
            let told: Vec<String> = told.into_iter().map(|(_, words)| sentence(&words)).collect();
            let is_news =
                |words: &&String| told_last.0 + 1 != number || !told_last.1.contains(words);
            let news = told.iter().filter(is_news);
            let mut sentences: Vec<String> = news
                .map(|words| captions::introduce(words, &self.captions, &mut explained))
                .collect();
            told_last = (number, told);
            let score = self.standings.get(&number).map_or("", String::as_str);
            if !sentences.is_empty() && score != told_score {
                sentences.push(score.to_owned());
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
        turns.into_values().collect()
    }

    fn add_turning_points(
        &mut self,
        referee: &Referee,
        entry: &Entry,
        turns: &[i64],
        notables: &[Notable],
        [before, after]: [&Tabletop; 2],
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
        let measures = [before, after].map(|table| measures_or_piece_counts(referee, table));
        if measures[0] == measures[1] {
            return;
        }
        for (index, count) in decided_by {
            let Some(Event::Check(check)) = events.get(index) else { continue };
            let Some(chance) = check_chance(&referee.ruleset().schema, check) else { continue };
            // The last event before the next dice: what came of a piece in the end.
            let mut later = events.iter().enumerate().skip(index + 1);
            let next = later.find(|(_, event)| matches!(event, Event::Check(_)));
            let next = next.map_or(events.len(), |(next, _)| next);
            let brought_about = match notables {
                [only] => Some(only),
                _ => notables.iter().rfind(|notable| (index..next).contains(&notable.event)),
            };
            let words = match brought_about {
                Some(notable) => notable.attributed_sentence(),
                None => check_words(referee, check),
            };
            self.turning_points.push(TurningPoint {
                turn: turns.get(index).copied().unwrap_or(entry.turn),
                sentence: sentence(&words),
                chance,
                share: count as f64 / changes as f64,
                measures: measures.clone(),
            });
        }
    }
}

/// Returns who rolled a check, and its verdict; without a label, the title of its rule.
fn check_words(referee: &Referee, check: &Check) -> String {
    let (_, verdict) = check::verdict(check);
    let rule = check.rule.as_ref().and_then(|rule| referee.ruleset().schema.rules.named(rule));
    let label = match (check.label.as_str(), rule) {
        ("", Some(rule)) => &rule.title,
        (label, _) => label,
    };
    if verdict.is_empty() { label.to_owned() } else { format!("{label}: {verdict}") }
}

/// Returns the notable events of a command, whose events are in these turns. A piece that is off the
/// table afterwards is looked up on the table before it.
fn notables_of(
    referee: &Referee,
    entry: &Entry,
    turns: &[i64],
    [before, after]: [&Tabletop; 2],
) -> Vec<Notable> {
    let rules = &referee.ruleset().schema.rules;
    let actor = acting_piece(referee, entry);
    let mut tables: Option<[Tabletop; 2]> = None;
    let mut notables = Vec::new();
    for (index, (event, &turn)) in entry.outcome.events.iter().zip(turns).enumerate() {
        let Event::Call { rule, bound } = event else { continue };
        let Some(text) = rules.named(rule).filter(|text| text.notable.is_some()) else { continue };
        let [after, before] = tables.get_or_insert_with(|| [after.clone(), before.clone()]);
        let sentence = referee
            .notable_sentence(text, bound, after)
            .or_else(|| referee.notable_sentence(text, bound, before));
        let name = bound.first().map(|binding| binding.value.to_string());
        let side = |piece: &str| {
            let of = |table: &Tabletop| {
                let (kind, row) = table.find(piece)?;
                referee.side_of_piece(table, kind, row)
            };
            of(after).or_else(|| of(before))
        };
        let side_of_name = name.as_deref().and_then(side);
        // What a piece does to its own side is seldom meant.
        let by = actor.filter(|actor| {
            let is_other = name.as_deref() != Some(*actor);
            is_other && (side_of_name.is_none() || side(actor) != side_of_name)
        });
        let by_side = by.and_then(side);
        let active_sentence = by.zip(name.as_deref()).and_then(|(by, name)| {
            referee.notable_sentence_by(text, &proper_name(by), &proper_name(name), after)
        });
        let by = by.map(str::to_owned);
        let attribution = Attribution { side: side_of_name.clone(), by, by_side };
        let rule = rule.clone();
        notables.extend(sentence.map(|sentence| Notable {
            turn,
            event: index,
            rule,
            sentence,
            active_sentence,
            name,
            attribution,
        }));
    }
    notables
}

/// Returns the turn of each event of a command. A command that goes on to the next phase may begin a turn.
fn turns_of(entry: &Entry) -> Vec<i64> {
    let mut now = entry.turn;
    let turns = entry.outcome.events.iter().map(|event| {
        if let Event::Phase { turn, .. } = event {
            now = *turn;
        }
        now
    });
    turns.collect()
}

/// Returns the piece that acts in a command: the first that its usage names. `None` if the viewer may not read the line.
fn acting_piece<'e>(referee: &Referee, entry: &'e Entry) -> Option<&'e str> {
    if entry.line.is_empty() {
        return None;
    }
    let RecordedAction::Rule { rule, given, .. } = &entry.action else { return None };
    let rule = referee.ruleset().schema.rules.named(rule)?;
    let param = &rule.params[rule.acting_piece()?];
    match given.get(&param.name)? {
        RecordedValue::One(Value::Text(name)) => Some(name),
        RecordedValue::Many(values) => match values.as_slice() {
            [Value::Text(name)] => Some(name),
            _ => None,
        },
        RecordedValue::Named(names) => {
            names.first().filter(|_| names.len() == 1).map(String::as_str)
        }
        RecordedValue::One(_) => None,
    }
}

/// Returns the measures that are the score of the game, in a sentence: `Men lost: Red 3, Blue 2.`
pub(super) fn score_sentence(referee: &Referee, table: &Tabletop) -> String {
    let mut parts = Vec::new();
    for (name, values) in referee.score(table) {
        let values = values.into_iter().map(|value| {
            let of = value.of.map_or(String::new(), |of| format!("{} ", capitalized(&of)));
            format!("{of}{}", value.shown)
        });
        parts.push(format!("{name}: {}", values.collect::<Vec<_>>().join(", ")));
    }
    sentence(&parts.join("; "))
}

/// Returns the sentences of a turn with their rules. Several events of one rule become one
/// sentence, at the position of the first, if the rule has a sentence for several; no sentence
/// appears twice.
fn joined<'n>(
    referee: &Referee,
    table: &Tabletop,
    notables: &[&'n Notable],
    introduced: &mut HashSet<&'n str>,
) -> Vec<(&'n str, String)> {
    let mut by_rule: IndexMap<&str, Vec<&Notable>> = IndexMap::new();
    for notable in notables {
        let of_rule = by_rule.entry(notable.rule.as_str()).or_default();
        if of_rule.iter().all(|other| other.sentence != notable.sentence) {
            of_rule.push(notable);
        }
    }
    let mut sentences: Vec<(&str, String)> = Vec::new();
    for (name, of_rule) in by_rule {
        let rule = referee.ruleset().schema.rules.named(name);
        let (active, of_rule) = match rule {
            Some(rule) => active_sentence(referee, rule, table, of_rule, introduced),
            None => (None, of_rule),
        };
        sentences.extend(active.map(|active| (name, active)));
        let several = rule.filter(|_| of_rule.len() > 1).and_then(|rule| {
            let names = attributed_names(&of_rule);
            let count = i64::try_from(of_rule.len()).ok()?;
            referee.notable_sentence_for_many(rule, count, &names, &mut table.clone())
        });
        match several {
            Some(several) => sentences.push((name, several)),
            None => {
                let alone = of_rule.into_iter().map(|one| (name, one.attributed_sentence()));
                sentences.extend(alone);
            }
        }
    }
    sentences
}

/// Returns a sentence about those events that other pieces brought about, if the rule has one and
/// they aren't too many, and the other events: `pak1 (German) destroys t34b (Russian)`.
fn active_sentence<'n>(
    referee: &Referee,
    rule: &RuleText,
    table: &Tabletop,
    notables: Vec<&'n Notable>,
    introduced: &mut HashSet<&'n str>,
) -> (Option<String>, Vec<&'n Notable>) {
    let mut by_actor: IndexMap<&str, Vec<&Notable>> = IndexMap::new();
    for notable in notables.iter().filter(|notable| notable.active_sentence.is_some()) {
        let Some(by) = &notable.attribution.by else { continue };
        by_actor.entry(by).or_default().push(notable);
    }
    if by_actor.is_empty() || by_actor.len() > MAX_ACTORS {
        return (None, notables);
    }
    let mut clauses = Vec::new();
    for (by, done) in by_actor {
        let first = done.iter().find_map(|notable| notable.attribution.by_side.as_deref());
        let by = introduce(by, first, introduced);
        let mut names: Vec<String> = Vec::new();
        let mut named = HashSet::new();
        for notable in done {
            let Some(name) = notable.name.as_deref().filter(|name| named.insert(*name)) else {
                continue;
            };
            names.push(introduce(name, notable.attribution.side.as_deref(), introduced));
        }
        let names = listed(&names);
        clauses.extend(referee.notable_sentence_by(rule, &by, &names, &mut table.clone()));
    }
    let others = notables.into_iter().filter(|notable| notable.active_sentence.is_none()).collect();
    let told = match clauses.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{}, and {last}", first.join(", ")),
        _ => clauses.concat(),
    };
    ((!told.is_empty()).then_some(told), others)
}

/// Returns a piece's name as it is written in a report, with its side where it is named for the first
/// time.
fn introduce<'n>(name: &'n str, side: Option<&str>, introduced: &mut HashSet<&'n str>) -> String {
    match side.filter(|_| introduced.insert(name)) {
        Some(side) => format!("{} ({})", proper_name(name), capitalized(side)),
        None => proper_name(name),
    }
}

/// Returns texts with commas and an `and`.
fn listed(texts: &[String]) -> String {
    match texts.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

impl Notable {
    /// Returns the sentence with who did it: `x4 of anton is killed (by b3)`. The side is for the ruleset's sentence to
    /// name.
    fn attributed_sentence(&self) -> String {
        if let Some(active) = &self.active_sentence {
            return active.clone();
        }
        let by = Attribution { side: None, ..self.attribution.clone() }.words();
        let bare = self.sentence.trim_end_matches('.');
        if by.is_empty() { self.sentence.clone() } else { format!("{bare} ({by})") }
    }
}

/// Returns the different names of events, those of one side and by one piece together: `x7 and x8 (Blue, by a2); c4 (Red)`.
fn attributed_names(notables: &[&Notable]) -> String {
    let mut groups: IndexMap<&Attribution, Vec<&str>> = IndexMap::new();
    for notable in notables {
        let Some(name) = &notable.name else { continue };
        groups.entry(&notable.attribution).or_default().push(name);
    }
    let is_bare = groups.keys().all(|attribution| attribution.words().is_empty());
    if is_bare {
        return list_of_names(groups.into_values().flatten());
    }
    let is_long = groups.values().any(|names| names.len() > 1);
    let words: Vec<String> = groups
        .into_iter()
        .map(|(attribution, names)| {
            let names = list_of_names(names.into_iter());
            let by = attribution.words();
            if by.is_empty() { names } else { format!("{names} ({by})") }
        })
        .collect();
    if is_long { words.join("; ") } else { listed(&words) }
}

/// Returns the different names with commas and an `and`: `b3, b4 and c1`. If there are too many,
/// only the first are named and the others are counted.
fn list_of_names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut different: Vec<&str> = Vec::new();
    for name in names {
        if !different.contains(&name) {
            different.push(name);
        }
    }
    let others = different.len().saturating_sub(MAX_NAMES);
    let mut listed: Vec<String> =
        different.iter().take(MAX_NAMES).map(|name| proper_name(name)).collect();
    match others {
        0 => {}
        1 => listed.push("another".to_owned()),
        others => listed.push(format!("{others} others")),
    }
    self::listed(&listed)
}

/// Returns words as a sentence: with a capital, and a full stop if there is no other mark. A name
/// with a digit, such as `b3`, stays as it is.
pub(super) fn sentence(words: &str) -> String {
    let words = words.trim();
    if words.is_empty() {
        return String::new();
    }
    let first_word = words.split_whitespace().next().unwrap_or("");
    let mut sentence: String = if first_word.contains(|c: char| c.is_ascii_digit()) {
        words.to_owned()
    } else {
        capitalized(words)
    };
    if !sentence.ends_with(['.', '!', '?', '…', '"', '”']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::{list_of_names, sentence};

    #[test]
    fn a_sentence_has_a_large_letter_and_a_point() {
        assert_eq!(sentence(" the bridge is lost "), "The bridge is lost.");
        assert_eq!(sentence("b3 is lost!"), "b3 is lost!");
        assert_eq!(sentence("who goes there?"), "Who goes there?");
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn names_are_listed_once_and_many_are_counted() {
        let list = |names: &str| list_of_names(names.split_whitespace());
        assert_eq!(list("b3"), "b3");
        assert_eq!(list("b3 b4 b3"), "b3 and b4");
        assert_eq!(list("ann b2"), "Ann and b2");
        assert_eq!(list("a b c d e f g"), "A, B, C, D, E, F and another");
        assert_eq!(list("a b c d e f g h"), "A, B, C, D, E, F and 2 others");
    }
}
