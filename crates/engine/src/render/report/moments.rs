//! The key moments of a game: the dice that changed the game's measures most, and were the least
//! likely.

use indexmap::IndexMap;

use super::game_story::{GameStory, TurningPoint, lasting, title_and_side};

/// The maximum number of key moments in a report.
const MAX_MOMENTS: usize = 3;
/// The extra factor for a moment in which another side took the lead.
const REVERSAL: f64 = 2.0;
/// Dice that are likelier than this don't count as a key moment, unless they turned the game or
/// changed the measures greatly, or if there would be no key moment otherwise.
const LIKELY: f64 = 0.25;
/// Dice that are likelier than this count as a key moment only if they turned the game or changed
/// the measures greatly.
const EXPECTED: f64 = 0.5;
/// If the measures change by this fraction of their ranges or more, any dice count as a key moment.
const GREAT_CHANGE: f64 = 0.5;
/// Dice decided a command's changes if they decided at least this part of them.
const DECISIVE: f64 = 0.5;

/// A key moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyMoment {
    /// The turn in which the moment happened.
    pub turn: i64,
    /// A sentence about the moment.
    pub sentence: String,
    /// The title of the rule that rolled the dice; empty if no rule did.
    pub roll: String,
    /// The probability of dice like these before the roll.
    pub chance: f64,
    /// The measure that the dice changed most, in words; `None` if the dice decided less than half
    /// of the command's changes.
    pub change: Option<String>,
}

/// Returns the key moments of a game, at most three, in the order of play.
///
/// The weight of a moment is the change of all measures times the surprise of the dice. The change
/// of each measure is a fraction of its range in this game. The surprise is the negative logarithm
/// of the dice's probability.
pub(super) fn key_moments(story: &GameStory) -> Vec<KeyMoment> {
    let mut ranges: IndexMap<&String, (f64, f64)> = IndexMap::new();
    for (name, value) in
        story.turning_points.iter().flat_map(|point| point.measures.iter().flatten())
    {
        let range = ranges.entry(name).or_insert((*value, *value));
        *range = (range.0.min(*value), range.1.max(*value));
    }
    // The verdict of a roll is reported only if the ruleset has no sentences about notable events.
    let has_notables = story.turning_points.iter().any(|point| point.is_notable);
    let rank = |likely: f64| {
        let points = story.turning_points.iter().enumerate();
        let points = points.filter(|(_, point)| point.is_notable || !has_notables);
        let weights = points.map(|(index, point)| {
            (weight(point, &ranges, story.measures.get(&point.turn), likely), index)
        });
        weights.filter(|(weight, _)| *weight > 0.0).collect::<Vec<(f64, usize)>>()
    };
    let mut ranked = rank(LIKELY);
    let mut most = MAX_MOMENTS;
    if ranked.is_empty() {
        ranked = rank(EXPECTED);
        most = 1;
    }
    ranked.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, index) in ranked {
        let point = &story.turning_points[index];
        // Dice of one command share the change of the measures, so only the most surprising dice
        // are reported.
        let is_new = chosen.iter().map(|&other| &story.turning_points[other]).all(|other| {
            let is_shared = (other.turn, &other.measures) == (point.turn, &point.measures);
            other.sentence != point.sentence && !is_shared
        });
        if is_new && chosen.len() < most {
            chosen.push(index);
        }
    }
    chosen.sort_unstable();
    let moment = |index: usize| {
        let point = &story.turning_points[index];
        let TurningPoint { turn, sentence, roll, chance, .. } = point;
        let end = story.measures.get(turn).cloned().unwrap_or_default();
        let change = point.greatest_change_in_words(&end, &ranges);
        let change = change.filter(|_| point.share >= DECISIVE);
        KeyMoment {
            turn: *turn,
            sentence: sentence.clone(),
            roll: roll.clone(),
            chance: *chance,
            change,
        }
    };
    chosen.into_iter().map(moment).collect()
}

/// Returns the weight of a moment in a turn that `ended` with these measures. Changes that were
/// undone again in the same turn have no weight, and neither have dice with a probability above
/// `likely` that neither turned the game nor changed the measures greatly.
fn weight(
    point: &TurningPoint,
    ranges: &IndexMap<&String, (f64, f64)>,
    ended: Option<&IndexMap<String, f64>>,
    likely: f64,
) -> f64 {
    let [before, after] = &point.measures;
    let change: f64 = ranges
        .iter()
        .map(|(name, (low, high))| {
            let [before, after] = [before, after].map(|all| all.get(*name).copied().unwrap_or(0.0));
            let ended = ended.and_then(|ended| ended.get(*name).copied());
            let after = lasting(before, after, ended);
            if high > low { (after - before).abs() / (high - low) } else { 0.0 }
        })
        .sum();
    let is_reversal = leader(before) != leader(after);
    let is_great = point.share >= DECISIVE && (is_reversal || change >= GREAT_CHANGE);
    if point.chance > likely && !is_great {
        return 0.0;
    }
    let reversal = if is_reversal { REVERSAL } else { 1.0 };
    change * point.share * reversal * -point.chance.max(1e-6).ln()
}

/// Returns the side with the highest number in the first measure that is counted by side; `None`
/// for a tie, or if no measure is counted by side.
fn leader(measures: &IndexMap<String, f64>) -> Option<&str> {
    let mut by_side = measures.iter().filter_map(|(name, value)| {
        let (title, side) = title_and_side(name)?;
        Some((title, side, *value))
    });
    let first = by_side.next()?;
    let same: Vec<_> = by_side.filter(|(title, ..)| *title == first.0).collect();
    let best = same.iter().fold(first, |best, one| if one.2 > best.2 { *one } else { best });
    let equal = same.iter().chain([&first]).filter(|one| one.2 == best.2).count();
    (equal == 1).then_some(best.1)
}

/// Returns a probability in the form that people use: `1 in 12`, or `75%` for 3 in 4.
pub(super) fn chance_in_words(chance: f64) -> String {
    match chance {
        c if c < 0.001 => "less than 1 in 1,000".to_owned(),
        c if c <= 0.5 => format!("1 in {:.0}", 1.0 / c),
        c => format!("{:.0}%", c * 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(turn: i64, chance: f64, share: f64, measures: [&[(&str, f64)]; 2]) -> TurningPoint {
        let map = |all: &[(&str, f64)]| {
            all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        let sentence = format!("turn {turn}");
        TurningPoint {
            turn,
            sentence,
            is_notable: true,
            roll: String::new(),
            chance,
            share,
            measures: measures.map(map),
        }
    }

    fn turns(points: Vec<TurningPoint>) -> Vec<i64> {
        let story = GameStory { turning_points: points, ..GameStory::default() };
        key_moments(&story).iter().map(|moment| moment.turn).collect()
    }

    #[test]
    fn a_change_that_its_turn_undoes_is_no_moment() {
        let points = vec![
            point(1, 0.1, 1.0, [&[("burning", 2.0)], &[("burning", 6.0)]]),
            point(2, 0.1, 1.0, [&[("burning", 2.0)], &[("burning", 4.0)]]),
        ];
        let end = |n: f64| IndexMap::from([("burning".to_owned(), n)]);
        let measures = IndexMap::from([(1, end(2.0)), (2, end(4.0))]);
        let story = GameStory { turning_points: points, measures, ..GameStory::default() };
        let moments = key_moments(&story);
        assert_eq!(moments.len(), 1);
        assert_eq!((moments[0].turn, moments[0].change.as_deref()), (2, Some("burning: 2 → 4")));
    }

    #[test]
    fn a_comma_in_a_title_is_no_side() {
        let measures = IndexMap::from([
            ("Carts, dogs and men lost".to_owned(), 9.0),
            ("Men lost, red".to_owned(), 2.0),
            ("Men lost, blue".to_owned(), 3.0),
        ]);
        assert_eq!(leader(&measures), Some("blue"));
    }

    #[test]
    fn what_a_turn_undoes_does_not_last() {
        assert_eq!(lasting(2.0, 6.0, None), 6.0);
        assert_eq!(lasting(2.0, 6.0, Some(4.0)), 4.0);
        assert_eq!(lasting(2.0, 6.0, Some(1.0)), 2.0);
        assert_eq!(lasting(2.0, 6.0, Some(9.0)), 6.0);
        assert_eq!(lasting(6.0, 2.0, Some(3.0)), 3.0);
    }

    #[test]
    fn the_greatest_changes_by_the_least_likely_dice_are_chosen() {
        let lost = |before, after| [vec![("men", before)], vec![("men", after)]];
        let make = |turn, chance, [before, after]: [Vec<(&'static str, f64)>; 2]| {
            point(turn, chance, 1.0, [&before, &after])
        };
        // If the changes are equal, less likely dice count more, and likely dice don't count.
        let points = vec![
            make(1, 0.9, lost(10.0, 9.0)),
            make(2, 0.1, lost(9.0, 8.0)),
            make(3, 0.5, lost(8.0, 7.0)),
            make(4, 0.2, lost(7.0, 6.0)),
        ];
        assert_eq!(turns(points.clone()), [2, 4]);
        // A change of everything counts more than any surprise.
        let mut more = points;
        more.push(make(5, 0.85, lost(6.0, -50.0)));
        assert_eq!(turns(more), [2, 4, 5]);
        // Certain dice and unchanged measures are not key moments.
        assert_eq!(turns(vec![make(1, 1.0, lost(2.0, 1.0)), make(2, 0.1, lost(1.0, 1.0))]), [0; 0]);
    }

    #[test]
    fn a_change_of_the_lead_counts_twice() {
        let from = [("men lost, red", 3.0), ("men lost, blue", 2.0)];
        let same = [("men lost, red", 4.0), ("men lost, blue", 2.0)];
        let other = [("men lost, red", 3.0), ("men lost, blue", 4.0)];
        assert_eq!(leader(&from.map(|(n, v)| (n.to_owned(), v)).into()), Some("red"));
        let ranges = [("men lost, red", (2.0, 4.0)), ("men lost, blue", (2.0, 6.0))];
        let names: Vec<(String, (f64, f64))> =
            ranges.map(|(name, range)| (name.to_owned(), range)).to_vec();
        let ranges = names.iter().map(|(name, range)| (name, *range)).collect();
        let kept = weight(&point(1, 0.5, 1.0, [&from, &same]), &ranges, None, LIKELY);
        let lost = weight(&point(1, 0.5, 1.0, [&from, &other]), &ranges, None, LIKELY);
        assert!((lost / kept - 2.0).abs() < 1e-9, "{lost} / {kept}");
    }

    #[test]
    fn a_chance_is_one_in_so_many() {
        assert_eq!(chance_in_words(1.0 / 36.0), "1 in 36");
        assert_eq!(chance_in_words(0.75), "75%");
        assert_eq!(chance_in_words(0.0001), "less than 1 in 1,000");
    }
}
