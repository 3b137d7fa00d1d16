//! Odds of dice and of typed lines, for people and for machines.

use adjutant_dice::{Distribution, Expression, Fraction};
use num_bigint::{BigInt, BigUint};
use schemars::JsonSchema;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::names::count_with_noun;
use crate::referee::odds::{ConditionOdds, Ending, Marginal, Odds, OddsMethod, PassedOverLine};
use crate::render::document::Block;
use crate::render::markup::{Line, Role, Text};
use crate::render::odds::{percent, percent_column};

/// The maximum number of bars in a chart. If there are more values, several values share a bar.
const MOST_BARS: usize = 30;
/// If there are too many values, the lowest share one bar and the highest share another. Each of
/// these two bars has a probability of at most one in this number.
const RARE: u32 = 1000;
/// If there are more endings than this and several attributes may change, the odds of each of these
/// attributes are listed first.
const FEW_ENDINGS: usize = 3;
/// The maximum number of endings that are listed if there are many.
const MOST_LIKELY: usize = 5;
/// If there are many endings, some are listed only if the most likely ones together have at least
/// this probability.
const MOST: f64 = 2.0 / 3.0;
/// The maximum number of values listed for one part.
const MOST_VALUES: usize = 6;
/// If there are more parts (attributes that may change) than this, the parts with an almost certain
/// value are only counted. This keeps the answer on one screen.
const MOST_PARTS: usize = 16;
/// The probability at which a value counts as almost certain.
const ALMOST_CERTAIN: f64 = 0.95;
/// The maximum number of questions listed in a note on how questions were answered.
const MOST_QUESTIONS: usize = 2;
/// The length of the longest bar, in columns.
const MAX_BAR_WIDTH: usize = 40;

/// A probability, as a fraction and as a decimal number.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Probability {
    /// The exact probability, as a fraction.
    pub fraction: String,
    /// The probability as a decimal number.
    pub decimal: f64,
}

impl From<&Fraction> for Probability {
    fn from(chance: &Fraction) -> Probability {
        Probability { fraction: chance.to_string(), decimal: chance.to_f64() }
    }
}

/// The odds of a dice expression.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiceOdds {
    /// The expression, in dice notation.
    pub expression: String,
    /// The possible totals, in ascending order.
    pub distribution: Vec<WeightedTotal>,
    /// The mean of the totals.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// For a comparison, the probability that it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<Probability>,
}

/// A total with its weight.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WeightedTotal {
    /// A possible total.
    pub value: i64,
    /// The exact weight of the total, a whole number.
    pub weight: String,
    /// The probability of the total as a decimal number.
    pub probability: f64,
}

/// The odds of one or more lines: how they can end, and with which probabilities.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct VerbOdds {
    /// The line or lines, as typed.
    pub line: String,
    /// True if the odds are exact, not sampled.
    pub exact: bool,
    /// The method: exact or sampled.
    pub basis: OddsBasis,
    /// The endings or, if there are too many, only the most likely ones.
    pub endings: Vec<EndingAnswer>,
    /// The endings that are not listed, if any.
    pub rest: Option<OtherEndings>,
    /// The possible last texts that the rules print, each with its probability.
    pub words: Vec<WordsChance>,
    /// The distribution of each attribute that may change.
    pub parts: Vec<MarginalAnswer>,
    /// The distribution of each number in a line that the rules may print.
    pub numbers: Vec<MarginalAnswer>,
    /// The changes that happen in every ending, in words.
    pub always: Vec<String>,
    /// Each possible number of values in `parts` that change, with its probability.
    pub changed: Vec<CountChance>,
    /// The questions that are answered at random.
    pub asked: Vec<String>,
    /// The questions that are answered with the best choice, as rated by each question's own
    /// expression. Each is listed with the side that decides.
    pub chosen: Vec<String>,
    /// The lines, apart from the first, that the rules refuse in some cases. In those cases, the
    /// other lines are still played.
    pub passed_over: Vec<RefusedLine>,
    /// The reason why the rules refuse the lines now. If they do, the odds are computed as if the
    /// umpire insisted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_now: Option<String>,
}

/// The odds that a condition is true.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ConditionAnswer {
    /// The question, as typed.
    pub line: String,
    /// True if the odds are exact, not sampled.
    pub exact: bool,
    /// The method: exact or sampled.
    pub basis: OddsBasis,
    /// The probability that the condition is true at the end.
    pub probability: Probability,
    /// The margin of error of a sampled probability: in 95 of 100 cases, the probability is off by
    /// no more than this.
    pub margin: Option<f64>,
    /// The reasons why the rules may refuse the lines.
    pub refused: Vec<WordsChance>,
    /// The questions that are answered at random.
    pub asked: Vec<String>,
    /// The questions that are answered with the best choice, as rated by each question's own
    /// expression. Each is listed with the side that decides.
    pub chosen: Vec<String>,
    /// The lines, apart from the first, that the rules refuse in some cases. In those cases, the
    /// other lines are still played.
    pub passed_over: Vec<RefusedLine>,
    /// The reason why the rules refuse the lines now. If they do, the odds are computed as if the
    /// umpire insisted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_now: Option<String>,
}

/// A line that the rules refuse, when several lines were typed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RefusedLine {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The reason why the rules refuse the line.
    pub reason: String,
    /// True if the rules refuse the line whenever it is reached, and always for this reason.
    pub always: bool,
}

impl From<&PassedOverLine> for RefusedLine {
    fn from(line: &PassedOverLine) -> RefusedLine {
        RefusedLine { line: line.number, reason: line.reason.clone(), always: line.always }
    }
}

/// The method of computing odds: exact or sampled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum OddsBasis {
    /// Every possibility was followed.
    Exact {
        /// For exact odds, the number of states that were followed.
        states: usize,
    },
    /// The lines were tried many times.
    Sampled {
        /// For sampled odds, the number of tries.
        runs: u64,
    },
}

/// A possible ending, with its probability.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct EndingAnswer {
    /// The last text that the rules print, or the reason why they refuse the lines; an empty string
    /// if there is no text.
    pub words: String,
    /// The changes, in words.
    pub changes: Vec<String>,
    /// True if the rules refuse the lines.
    pub refused: bool,
    /// The probability of the ending.
    pub probability: Probability,
    /// The margin of error of a sampled probability: in 95 of 100 cases, the probability is off by
    /// no more than this.
    pub margin: Option<f64>,
}

/// The endings that are not listed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct OtherEndings {
    /// The number of these endings.
    pub endings: usize,
    /// The sum of their probabilities.
    pub probability: Probability,
}

/// A text with its probability.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WordsChance {
    /// The text that the rules print, or the reason why they refuse the lines.
    pub words: String,
    /// The probability that the rules print this text or refuse the lines for this reason.
    pub probability: Probability,
}

/// A value with its probability.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ValueChance {
    /// The value, in words.
    pub value: String,
    /// The probability of this value. In `at_least`, the probability of this value or more.
    pub probability: Probability,
}

/// A number of things that change, with its probability.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct CountChance {
    /// The number of things that change.
    pub count: usize,
    /// The probability of this number.
    pub probability: Probability,
}

/// The distribution of one thing that may change, or of a number in the text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MarginalAnswer {
    /// The piece and its attribute, or the line with `n` instead of the number.
    pub what: String,
    /// The possible values.
    pub values: Vec<ValueChance>,
    /// For a number, the mean.
    pub mean: Option<f64>,
    /// For a number, the probability of each value or more, except for the lowest value. For
    /// anything else, the list is empty.
    pub at_least: Vec<ValueChance>,
}

fn bar(share: f64, of: f64, width: usize) -> String {
    let eighths = ((share / of.max(f64::MIN_POSITIVE)) * (width * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(part) = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8) {
        bar.push_str(part);
    }
    bar
}

/// Explains how dice notation is read if a comparison follows an explosion.
pub fn notation_hint(expression: &Expression) -> Text {
    expression
        .explain_comparisons()
        .into_iter()
        .map(|words| Line::of(Role::Quiet, format!("  {words}")))
        .collect()
}

/// Returns the odds of a dice expression. For a comparison, returns its probability; otherwise, a
/// chart, the mean, and the probability of each value or more.
pub fn dice_text(expression: &Expression, odds: &Distribution, width: usize) -> Text {
    let title = Line::of(Role::Strong, expression.to_string());
    if expression.is_comparison() {
        let holds = odds.probability(|v| v != 0);
        let line = title.and(Role::Plain, "   ").and(Role::Strong, percent(&holds));
        let mut text = Text::from_iter([line.and(Role::Quiet, format!("   {holds}"))]);
        text.extend(notation_hint(expression));
        return text;
    }
    let mut text = Text::from_iter([title]);
    text.extend(notation_hint(expression));
    let total = odds.total_weight();
    let mut rows: Vec<(String, Fraction, BigUint)> = Vec::new();
    for (low, high, weight) in bar_ranges(odds) {
        let label = if low == high { low.to_string() } else { format!("{low} to {high}") };
        rows.push((label, share(&weight, total), weight));
    }
    let wide = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let most = rows.iter().map(|row| row.1.to_f64()).fold(0.0, f64::max);
    // The room left on the line after the label and both figures.
    let room = width.saturating_sub(wide + 24).clamp(8, MAX_BAR_WIDTH);
    let mut left = total.clone();
    let head = format!("  {:>wide$}  {:>6}  {:>8}", "", "", "or more");
    let mut drawing = Text::from_iter([Line::of(Role::Quiet, head).unbreakable()]);
    let mut described = Vec::new();
    for (label, chance, weight) in &rows {
        let or_more = percent_column(&share(&left, total));
        let line = Line::of(Role::Strong, format!("  {label:>wide$}"))
            .and(Role::Plain, format!("  {:>6}", percent_column(chance)))
            .and(Role::Quiet, format!("  {or_more:>8}  "))
            .and(Role::Dice, bar(chance.to_f64(), most, room));
        drawing.push(line.unbreakable());
        described.push(vec![label.clone(), percent_column(chance), or_more]);
        left -= weight;
    }
    let headings = ["total", "chance", "or more"].map(str::to_owned).to_vec();
    let described = vec![Block::table(headings, described)].into();
    text.blocks.push(Block::Drawn { drawing, described });
    let mean = odds.mean().decimal(2);
    let spread = odds.standard_deviation();
    let low = odds.quantile(1, 10);
    let middle = odds.quantile(1, 2);
    let high = odds.quantile(9, 10);
    let words = format!(
        "  mean {}, spread {spread:.2}; half are at most {middle}; 8 in 10 are from {low} to {high}",
        trim_zeros(&mean)
    );
    text.line(Role::Plain, words);
    text
}

/// Returns a weight as a fraction of the total.
fn share(weight: &BigUint, total: &BigUint) -> Fraction {
    Fraction::unreduced(weight.clone().into(), total.clone())
}

/// Removes trailing zeros from a decimal number, and the decimal point if nothing follows it.
fn trim_zeros(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

/// Returns the lowest value, the highest value and the weight of each bar. If there are too many
/// values, several share a bar, and all the rarest values at each end share one.
fn bar_ranges(odds: &Distribution) -> Vec<(i64, i64, BigUint)> {
    let entries = odds.entries();
    if entries.len() <= MOST_BARS {
        return entries.iter().map(|(value, weight)| (*value, *value, weight.clone())).collect();
    }
    let first = odds.quantile(1, RARE);
    let last = odds.quantile(RARE - 1, RARE);
    let step = last.abs_diff(first) / (MOST_BARS as u64 - 2) + 1;
    let row_of = |value: i64| match value {
        value if value < first => 0,
        value if value > last => u64::MAX,
        value => 1 + value.abs_diff(first) / step,
    };
    let mut rows: Vec<(i64, i64, BigUint)> = Vec::new();
    for (value, weight) in entries {
        match rows.last_mut() {
            Some((low, high, sum)) if row_of(*low) == row_of(*value) => {
                *high = *value;
                *sum += weight;
            }
            _ => rows.push((*value, *value, weight.clone())),
        }
    }
    rows
}

/// Returns the odds of a dice expression, for machines.
pub fn dice_json(expression: &Expression, odds: &Distribution) -> DiceOdds {
    let total = odds.total_weight();
    let distribution = odds.entries().iter().map(|(value, weight)| WeightedTotal {
        value: *value,
        weight: weight.to_string(),
        probability: share(weight, total).to_f64(),
    });
    DiceOdds {
        expression: expression.to_string(),
        distribution: distribution.collect(),
        mean: odds.mean().to_f64(),
        sd: odds.standard_deviation(),
        probability: expression
            .is_comparison()
            .then(|| Probability::from(&odds.probability(|v| v != 0))),
    }
}

/// Returns the odds of one or more lines: the possible endings or, if there are many, the odds of
/// each attribute that may change and the most likely endings. Below them are the numbers that the
/// rules may print, the changes that always happen, and notes. Exact fractions are included if
/// `fractions` is true.
pub fn verb_text(line: &str, odds: &Odds, fractions: bool, width: usize) -> Text {
    let mut text = Text::from_iter([title_line(line, odds.basis, &odds.asked, &odds.chosen)]);
    // With few endings, the parts add nothing. With many, people want to know what happens to each
    // piece.
    if odds.rest.is_some() || (odds.parts.len() > 1 && odds.endings.len() > FEW_ENDINGS) {
        let (listed, settled) = split_settled(&odds.parts, fractions);
        text.extend(parts(&listed, fractions, width));
        if let Some(counted) = settled_line(settled) {
            text.push(counted);
        }
        text.extend(likely_endings(odds, fractions));
    } else {
        text.extend(odds.endings.iter().map(|e| ending_line(e, fractions)).collect());
    }
    if !odds.numbers.is_empty() {
        text.line(Role::Quiet, "Reported:");
        let numbers: Vec<&Marginal> = odds.numbers.iter().collect();
        text.extend(parts(&numbers, fractions, width));
    }
    if !odds.always.is_empty() {
        let always = odds.always.iter().map(|change| change.shown.as_str());
        let always = format!("Always: {}", always.collect::<Vec<_>>().join(", "));
        text.push(Line::of(Role::Quiet, always).with_hanging_indent(8));
    }
    text.extend(notes(odds.basis, &odds.passed_over, &odds.asked, &odds.chosen));
    text
}

/// Returns the odds that a condition is true, with exact fractions if `fractions` is true.
pub(crate) fn condition_text(line: &str, odds: &ConditionOdds, fractions: bool) -> Text {
    let mut text = Text::from_iter([title_line(line, odds.basis, &odds.asked, &odds.chosen)]);
    let exact = if fractions { format!("   {}", odds.chance) } else { String::new() };
    text.push(chance_line(&odds.chance).and(Role::Quiet, exact));
    for (reason, chance) in &odds.refused {
        let refusal = chance_line(chance).and(Role::Bad, format!("  refused: {reason}"));
        text.push(refusal.with_hanging_indent(10));
    }
    text.extend(notes(odds.basis, &odds.passed_over, &odds.asked, &odds.chosen));
    text
}

/// Returns a line that begins with a probability.
fn chance_line(chance: &Fraction) -> Line {
    Line::of(Role::Strong, format!("  {:>6}", percent_column(chance)))
}

/// Returns the first line of odds: the question, and how accurate the answer is.
fn title_line(line: &str, basis: OddsMethod, asked: &[String], chosen: &[String]) -> Line {
    let title = Line::of(Role::Header, format!("odds of {line}"));
    match basis {
        OddsMethod::Exact(_) => title.and(
            Role::Quiet,
            match (asked.is_empty(), chosen.is_empty()) {
                (true, true) => "   exact",
                (true, false) => "   exact, if players choose well",
                (false, true) => "   exact, if answers are random",
                (false, false) => "   exact, if players choose well and other answers are random",
            },
        ),
        OddsMethod::Sampled(runs) => {
            // A probability of one half has the widest margin.
            let even = Fraction::new(BigInt::from(1), BigUint::from(2u32));
            let points = 100.0 * basis.margin_of_error(&even).unwrap_or(0.0);
            let tried =
                format!("   too complex for exact odds: tried {runs} times, ±{points:.1} points");
            title.and(Role::Notice, tried)
        }
    }
}

/// Returns the notes below the odds: how to get more accurate odds, which lines are refused in some
/// cases, and how questions were answered.
fn notes(
    basis: OddsMethod,
    passed_over: &[PassedOverLine],
    asked: &[String],
    chosen: &[String],
) -> Text {
    let mut text = Text::new();
    if let OddsMethod::Sampled(_) = basis {
        text.line(
            Role::Quiet,
            "`odds effort 10 …` makes ten times as many tries; `effort 100` is the maximum",
        );
    }
    for PassedOverLine { number, reason, always } in passed_over {
        let line = if *always {
            format!("Line {number} is refused and left out: {reason}")
        } else {
            format!("Line {number} is refused in some cases and then left out: {reason}")
        };
        text.push(Line::of(Role::Quiet, line).with_hanging_indent(4));
    }
    for (how, questions) in [("Best choice", chosen), ("Answered at random", asked)] {
        if questions.is_empty() {
            continue;
        }
        let named = questions.len().min(MOST_QUESTIONS);
        let more = match questions.len() - named {
            0 => String::new(),
            more => format!(" … and {more} more"),
        };
        let line = format!("{how}: {}{more}", questions[..named].join(" "));
        text.push(Line::of(Role::Quiet, line).with_hanging_indent(16));
    }
    text
}

/// Returns the line about the endings that are not listed: their number and their total
/// probability.
fn other_endings_line(count: usize, chance: &Fraction) -> Line {
    let words = if count == 1 { "another result" } else { &count_with_noun(count, "other result") };
    chance_line(chance).and(Role::Quiet, format!("  {words}")).with_hanging_indent(10)
}

/// Returns the most likely endings if a few of them cover most of the probability; otherwise only
/// the number of endings. If there are no parts, returns all listed endings.
fn likely_endings(odds: &Odds, fractions: bool) -> Text {
    let left_out = odds.rest.as_ref().map_or(0, |(count, _)| *count);
    let count = odds.endings.len() + left_out;
    let few = &odds.endings[..odds.endings.len().min(MOST_LIKELY)];
    let covered: f64 = few.iter().map(|ending| ending.chance.to_f64()).sum();
    let mut text = Text::new();
    if covered < MOST && !odds.parts.is_empty() {
        text.line(Role::Quiet, format!("Together: {count} different results, none of them likely"));
        return text;
    }
    text.line(Role::Quiet, "Together:");
    let shown = if odds.parts.is_empty() { &odds.endings[..] } else { few };
    text.extend(shown.iter().map(|ending| ending_line(ending, fractions)).collect());
    let unlisted = odds.endings[shown.len()..].iter().map(|ending| &ending.chance);
    let others = unlisted.chain(odds.rest.iter().map(|(_, chance)| chance)).cloned();
    if let Some(others) = others.reduce(|a, b| &a + &b) {
        text.push(other_endings_line(count - shown.len(), &others));
    }
    text
}

/// Writes an ending, such as `12.0%  killed   b3 status out`.
fn ending_line(ending: &Ending, fractions: bool) -> Line {
    let (role, refused) = if ending.refused { (Role::Bad, "refused: ") } else { (Role::Plain, "") };
    let words = match (ending.words.is_empty(), ending.changes.is_empty()) {
        (true, true) => "nothing changes",
        _ => ending.words.as_str(),
    };
    let mut line =
        chance_line(&ending.chance).and(Role::Plain, "  ").and(role, format!("{refused}{words}"));
    if !ending.changes.is_empty() {
        let gap = if words.is_empty() { "" } else { "   " };
        let changes = ending.changes.iter().map(|change| change.shown.as_str());
        line.push(Role::Quiet, format!("{gap}{}", changes.collect::<Vec<_>>().join(", ")));
    }
    if fractions {
        line.push(Role::Quiet, format!("   {}", ending.chance));
    }
    line.with_hanging_indent(10)
}

/// Writes the mean of a number, and the highest values that are reached or exceeded in at least
/// nine in ten, half and one in ten of the cases. If there are few values, writes only the mean and
/// the value for half of the cases; if there are one or two, or if the part is not a number, writes
/// nothing.
fn average(part: &Marginal) -> String {
    let Some(mean) = part.mean.as_ref().filter(|_| part.values.len() > 2) else {
        return String::new();
    };
    let mut words = format!("on average {}", trim_zeros(&mean.decimal(2)));
    let sums = part.at_least();
    let whole: f64 = part.values.iter().map(|(_, chance)| chance.to_f64()).sum();
    let near = |wanted: f64| sums.iter().rev().find(|(_, c)| c.to_f64() >= wanted * whole - 1e-12);
    let mut told: Vec<&(&str, Fraction)> = [0.9, 0.5, 0.1].into_iter().filter_map(near).collect();
    told.dedup_by_key(|(value, _)| *value);
    if part.values.len() <= MOST_VALUES {
        told.retain(|(value, _)| near(0.5).is_some_and(|(half, _)| half == value));
    }
    for (value, chance) in told {
        words.push_str(&format!("; at least {value}: {}", percent(chance)));
    }
    words
}

/// Writes the values of a part. If there are many, writes only the range and the averages for
/// numbers, and only the first few for other values.
fn values(part: &Marginal, fractions: bool) -> String {
    let mut values: Vec<String> = Vec::new();
    for (value, chance) in part.values.iter().take(MOST_VALUES) {
        let value = match &part.flag_words {
            Some((set, _)) if value == "yes" => set,
            Some((_, unset)) if value == "no" => unset,
            _ => value,
        };
        let exact = if fractions { format!(" ({chance})") } else { String::new() };
        values.push(format!("{value} {}{exact}", percent(chance)));
    }
    let average = average(part);
    match (part.values.as_slice(), average.is_empty()) {
        ([low, .., high], false) if part.values.len() > MOST_VALUES => {
            format!("from {} to {}, {average}", low.0, high.0)
        }
        (_, false) => format!("{}; {average}", values.join(", ")),
        (all, true) if all.len() > MOST_VALUES => format!("{}, …", values.join(", ")),
        (_, true) => values.join(", "),
    }
}

/// Returns the parts to list, and the number of parts that are left out. If there are too many for
/// a screen, parts with an almost certain value are left out, unless exact fractions are requested.
fn split_settled(parts: &[Marginal], fractions: bool) -> (Vec<&Marginal>, usize) {
    if fractions || parts.len() <= MOST_PARTS {
        return (parts.iter().collect(), 0);
    }
    let is_open = |part: &&Marginal| {
        let mut chances = part.values.iter().map(|(_, chance)| chance.to_f64());
        !chances.any(|chance| chance >= ALMOST_CERTAIN)
    };
    let open: Vec<&Marginal> = parts.iter().filter(is_open).collect();
    let settled = parts.len() - open.len();
    (open, settled)
}

/// Returns a line about the parts that are not listed because one of their values is almost
/// certain; `None` if all parts are listed.
fn settled_line(count: usize) -> Option<Line> {
    let certain = format!("in at least {:.0}% of cases", 100.0 * ALMOST_CERTAIN);
    let words = match count {
        0 => return None,
        1 => format!("  one more value has the same result {certain}"),
        _ => format!("  {count} more values have the same result {certain}"),
    };
    let words = format!("{words}; `odds exactly …` lists them");
    Some(Line::of(Role::Quiet, words).with_hanging_indent(2))
}

/// Returns the odds of each part, in columns if there is room.
fn parts(parts: &[&Marginal], fractions: bool, width: usize) -> Text {
    let told: Vec<(&str, String)> =
        parts.iter().map(|part| (part.title.as_str(), values(part, fractions))).collect();
    let widths = told.iter().map(|(what, values)| what.width() + 2 + values.width());
    let widest = widths.max().unwrap_or(0);
    // Use as many columns as fit, but only one for a few lines, which are easier to read that way.
    let columns = match told.len() {
        0..=6 => 1,
        _ => (width.saturating_sub(2) / (widest + 3)).clamp(1, 4),
    };
    let rows = told.len().div_ceil(columns);
    let mut text = Text::new();
    for row in 0..rows {
        let mut line = Line::of(Role::Plain, "  ");
        for (column, (what, values)) in told.iter().skip(row).step_by(rows).enumerate() {
            if column > 0 {
                line.pad_to(2 + column * (widest + 3), 1);
            }
            let gap = if what.is_empty() { "" } else { "  " };
            line.push(Role::Strong, what).push(Role::Plain, format!("{gap}{values}"));
        }
        text.push(line.with_hanging_indent(6));
    }
    text
}

/// Returns the odds of one or more lines, for machines.
pub(crate) fn verb_json(line: &str, odds: &Odds) -> VerbOdds {
    let endings = odds.endings.iter().map(|ending| EndingAnswer {
        words: ending.words.clone(),
        changes: ending.changes.iter().map(|change| change.text.clone()).collect(),
        refused: ending.refused,
        probability: Probability::from(&ending.chance),
        margin: odds.basis.margin_of_error(&ending.chance),
    });
    let words = odds
        .words
        .iter()
        .map(|(words, chance)| WordsChance { words: words.clone(), probability: chance.into() });
    let changed = odds
        .changed
        .iter()
        .map(|(count, chance)| CountChance { count: *count, probability: chance.into() });
    VerbOdds {
        line: line.to_owned(),
        exact: matches!(odds.basis, OddsMethod::Exact(_)),
        basis: odds.basis.into(),
        endings: endings.collect(),
        rest: odds
            .rest
            .as_ref()
            .map(|(count, chance)| OtherEndings { endings: *count, probability: chance.into() }),
        words: words.collect(),
        parts: odds.parts.iter().map(marginal_answer).collect(),
        numbers: odds.numbers.iter().map(marginal_answer).collect(),
        always: odds.always.iter().map(|change| change.text.clone()).collect(),
        changed: changed.collect(),
        asked: odds.asked.clone(),
        chosen: odds.chosen.clone(),
        passed_over: odds.passed_over.iter().map(RefusedLine::from).collect(),
        refused_now: None,
    }
}

/// Returns the odds that a condition is true, for machines.
pub(crate) fn condition_json(line: &str, odds: &ConditionOdds) -> ConditionAnswer {
    let refused = odds.refused.iter();
    ConditionAnswer {
        line: line.to_owned(),
        exact: matches!(odds.basis, OddsMethod::Exact(_)),
        basis: odds.basis.into(),
        probability: Probability::from(&odds.chance),
        margin: odds.basis.margin_of_error(&odds.chance),
        refused: refused
            .map(|(words, chance)| WordsChance { words: words.clone(), probability: chance.into() })
            .collect(),
        asked: odds.asked.clone(),
        chosen: odds.chosen.clone(),
        passed_over: odds.passed_over.iter().map(RefusedLine::from).collect(),
        refused_now: None,
    }
}

impl From<OddsMethod> for OddsBasis {
    fn from(method: OddsMethod) -> OddsBasis {
        match method {
            OddsMethod::Exact(states) => OddsBasis::Exact { states },
            OddsMethod::Sampled(runs) => OddsBasis::Sampled { runs },
        }
    }
}

fn marginal_answer(part: &Marginal) -> MarginalAnswer {
    MarginalAnswer {
        what: part.what.clone(),
        values: part.values.iter().map(|(value, chance)| value_chance(value, chance)).collect(),
        mean: part.mean.as_ref().map(Fraction::to_f64),
        at_least: part
            .at_least()
            .iter()
            .map(|(value, chance)| value_chance(value, chance))
            .collect(),
    }
}

fn value_chance(value: &str, chance: &Fraction) -> ValueChance {
    ValueChance { value: value.to_owned(), probability: chance.into() }
}
