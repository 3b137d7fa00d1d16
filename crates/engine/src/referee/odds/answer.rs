//! The odds of one or more lines, as an answer.

use adjutant_dice::Fraction;

/// The method of computing odds: exact or sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddsMethod {
    /// Exact: every possibility was followed, through this number of states.
    Exact(usize),
    /// Sampled: there were too many possibilities, so this many runs were played.
    Sampled(u64),
}

/// A change to the table in an ending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PossibleChange {
    /// The piece, its attribute and the value, such as `c3 lamp yes`.
    pub text: String,
    /// The same in the words and markers of the game, such as `c3 lamp` or `c3 red die 2`.
    pub shown: String,
}

/// A possible result of playing the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The last text: a verdict, a line or a card. It is empty if there is none, or if several
    /// endings with the same changes are combined.
    pub words: String,
    /// The changes to the table that are not the same in every ending.
    pub changes: Vec<PossibleChange>,
    /// True if the rules refuse a line or fail; `words` is then the reason.
    pub refused: bool,
    /// The probability of the ending.
    pub chance: Fraction,
}

/// The distribution of one value on the table, regardless of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginal {
    /// The piece and its attribute.
    pub what: String,
    /// The same in the words and markers of the game. For a flag, and for a piece that is added or
    /// removed, it is only the name of the piece.
    pub title: String,
    /// The possible values afterwards: numbers in ascending order, others with the most likely
    /// first.
    pub values: Vec<(String, Fraction)>,
    /// If the value is a flag, the words for set and for not set.
    pub flag_words: Option<(String, String)>,
    /// The mean, if the value is a number.
    pub mean: Option<Fraction>,
}

impl Marginal {
    /// If the value is a number, returns each possible value except the lowest, with the
    /// probability of that value or a higher one. Otherwise returns an empty list.
    pub fn at_least(&self) -> Vec<(&str, Fraction)> {
        if self.mean.is_none() {
            return Vec::new();
        }
        let mut sums: Vec<(&str, Fraction)> = Vec::new();
        for (value, chance) in self.values.iter().skip(1).rev() {
            let more = sums.last().map(|(_, more)| more.clone());
            sums.push((value, more.map_or_else(|| chance.clone(), |more| &more + chance)));
        }
        sums.reverse();
        sums
    }
}

/// All possible results of playing one or more lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The endings, the most likely first. Their probabilities and the probability of `rest` add up
    /// to 1.
    pub endings: Vec<Ending>,
    /// The number of endings left out because there are too many, and their total probability.
    pub rest: Option<(usize, Fraction)>,
    /// The distribution of the last text, the most likely first; empty if there is no text.
    pub words: Vec<(String, Fraction)>,
    /// The distribution of each value that may change.
    pub parts: Vec<Marginal>,
    /// The distribution of each number in a printed line. Its probabilities add up to the probability
    /// that the line is printed; its mean covers only the cases in which the line is printed. `n`
    /// replaces the number in the line.
    pub numbers: Vec<Marginal>,
    /// The distribution of the number of values in `parts` that change, in ascending order.
    pub changed: Vec<(usize, Fraction)>,
    /// The changes that happen in every ending.
    pub always: Vec<PossibleChange>,
    /// Questions that were answered at random, with all answers equally likely.
    pub asked: Vec<String>,
    /// Questions that were answered with the best choice, as rated by each question's own
    /// expression. The side that decides is named with each.
    pub chosen: Vec<String>,
    /// The lines, apart from the first, that the rules refuse in some cases. In those cases, the
    /// other lines are still played.
    pub passed_over: Vec<PassedOverLine>,
    /// The method: exact or sampled.
    pub basis: OddsMethod,
    /// The number of steps of work for this answer: for following all possibilities if it is exact,
    /// or for all runs if it is sampled. It is the same on every machine. Only changes to the
    /// rules, to the rule language or to the computation of odds change it.
    pub steps: u64,
}

/// A line that the rules refuse, after which the other lines are still played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassedOverLine {
    /// The number of the line, from 1.
    pub number: usize,
    /// The reason why the rules refuse the line.
    pub reason: String,
    /// True if the rules refuse the line whenever it is reached, and always for this reason.
    pub always: bool,
}

/// The probability of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionOdds {
    /// The probability that the lines are played and the condition is true afterwards.
    pub chance: Fraction,
    /// The reasons why the rules refuse the lines, each with its probability.
    pub refused: Vec<(String, Fraction)>,
    /// Questions that were answered at random, with all answers equally likely.
    pub asked: Vec<String>,
    /// Questions that were answered with the best choice, as rated by each question's own
    /// expression. The side that decides is named with each.
    pub chosen: Vec<String>,
    /// The lines, apart from the first, that the rules refuse in some cases. In those cases, the
    /// other lines are still played.
    pub passed_over: Vec<PassedOverLine>,
    /// The method: exact or sampled.
    pub basis: OddsMethod,
}

impl OddsMethod {
    /// Returns half the width of the 95% confidence interval of a probability; `None` if it is
    /// exact.
    pub(crate) fn margin_of_error(self, chance: &Fraction) -> Option<f64> {
        let OddsMethod::Sampled(runs) = self else { return None };
        let p = chance.to_f64();
        let n = runs.max(1) as f64;
        // Wilson's interval, which does not shrink to nothing for a result that occurred in no run
        // or in every run.
        let z = 1.96;
        Some(z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt())
    }
}
