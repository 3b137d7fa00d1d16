//! A rule as written: its usage, roll, modifiers, needs and results.
//!
//! The parts are parsed but not yet checked. [`super::compile`] compiles them into one function.

use super::schema::{FunctionId, Param, RowRange, SecretFor, Type};
use super::syntax::{
    Expr, MemberSource, Name, Operator, Statements, TextTemplate, WrittenQuestion,
};
use crate::source::Span;

/// A part of a usage.
#[derive(Clone, Debug)]
pub enum UsagePart {
    /// A word to type as it is.
    Word(String),
    /// A value to fill in: the index of the parameter, and whether it may take several names.
    Fill(usize, bool),
    /// An optional part.
    Optional(Vec<UsagePart>),
    /// An optional word that is a flag: the word, and the index of the parameter.
    Flag(String, usize),
}

/// The usage of a verb, such as `fight <target:area> with <hose:hose> [range <range:1..3>]`.
#[derive(Clone, Debug)]
pub struct Usage {
    /// The usage as written.
    pub text: String,
    /// The verb: the first word of the usage.
    pub verb: String,
    /// The parts after the verb.
    pub parts: Vec<UsagePart>,
}

/// A requirement, written as `{ that = 'condition', because = "text" }`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The condition that must be true.
    pub that: Expr,
    /// The reason for the refusal.
    pub because: TextTemplate,
}

/// A modifier, such as `{ by = '-1', when = 'into.damp > 2', because = "soaked" }`.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// The number added to the dice.
    pub by: Expr,
    /// The condition under which the modifier applies; if there is none, it always applies.
    pub when: Option<Expr>,
    /// The reason, shown with the roll.
    pub because: TextTemplate,
}

/// The roll of the other side, such as `{ roll = '1d6', label = "{foe}", modifiers = […] }`.
#[derive(Clone, Debug)]
pub struct OpposingRoll {
    /// The dice.
    pub roll: Expr,
    /// Who or what makes the roll.
    pub label: TextTemplate,
    /// The modifiers of these dice.
    pub modifiers: Vec<Modifier>,
}

/// A row of results, such as `{ on = "2-3", say = "misses", do = '…' }`.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The totals that the row matches. In a row without `when`, the full range means all totals
    /// that no other row matches.
    pub on: RowRange,
    /// The condition of a row that has `when` instead of `on`.
    pub when: Option<Expr>,
    /// The totals as written in `on`, or else the text of `when` or the word `otherwise`, for
    /// messages.
    pub label: String,
    /// The span of `on` or `when`, or of the whole row if it has neither.
    pub span: Span,
    /// The text for the result line.
    pub say: Option<TextTemplate>,
    /// The result as worded on paper; empty if [`say`](TableRow::say) is printed instead.
    pub reads: String,
    /// The statements to run.
    pub block: Statements,
}

impl TableRow {
    /// Returns true for the row that matches all totals that no other row matches.
    pub(crate) fn is_catch_all(&self) -> bool {
        self.when.is_none() && self.on == RowRange { low: i64::MIN, high: i64::MAX }
    }

    /// Returns true if the row is chosen by the total.
    pub(crate) fn matches_totals(&self) -> bool {
        self.when.is_none() && !self.is_catch_all()
    }
}

/// A rule, split into its parts.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// The name of the rule in rule text.
    pub name: String,
    /// The title shown to people; rule text uses the name.
    pub title: String,
    /// The page or section of the rule book, such as `p. 8`; may be empty.
    pub cite: String,
    /// A comment for the reader; may be empty.
    pub note: String,
    /// The author's description of the rule, in sentences; may be empty.
    pub reads: String,
    /// The span of the rule's name.
    pub span: Span,
    /// The usage, if the rule is a verb.
    pub usage: Option<Usage>,
    /// Synonyms of its verb.
    pub also: Vec<(String, Span)>,
    /// The parameters, declared in `usage` or `takes`.
    pub params: Vec<Param>,
    /// The sources of the sweep: the rule runs once for each combination of their members.
    pub each: Vec<MemberSource>,
    /// The phases in which the rule can be used. If the list is empty, it can be used in every
    /// phase.
    pub phases: Vec<(String, Span)>,
    /// True if the first piece in its usage can belong to any side, not only to the side to move.
    pub any_side: bool,
    /// The number of actions that the rule takes in an activation, if stated.
    pub actions: Option<Expr>,
    /// The statements that make its piece act in an activation; empty if there is no activation.
    pub activation: Statements,
    /// The viewers who see its lines, dice and cards; `None` if everyone does.
    pub secret_for: Option<SecretFor>,
    /// The sentence in the battle report for a single call. It can use all parameters except lists.
    pub notable: Option<FunctionId>,
    /// The sentence for several calls in a turn. It can use the number of calls, and the names of
    /// the pieces that come first in the calls.
    pub notable_many: Option<FunctionId>,
    /// The sentence for the calls that one piece caused. It can use the name of that piece, and the
    /// names of the pieces that come first in the calls.
    pub notable_by: Option<FunctionId>,
    /// The template for each name in the lists of `notable_many` and `notable_by`. It can use the
    /// name and, for each whole-number parameter, the sum of its values in the calls in which the
    /// piece with this name comes first.
    pub notable_name: Option<FunctionId>,
    /// True if the rule ends the current activity. Like `next`, it first warns the umpire if
    /// something is left to do.
    pub warns: bool,
    /// The conditions that must be true; otherwise the rule is refused.
    pub require: Vec<Requirement>,
    /// Statements before the roll.
    pub before: Statements,
    /// The number of rolls.
    pub times: Option<Expr>,
    /// The dice of each roll.
    pub roll: Option<Expr>,
    /// The label of the roll: who or what rolls.
    pub label: Option<TextTemplate>,
    /// The modifiers of the roll.
    pub modifiers: Vec<Modifier>,
    /// The roll of the other side, for an opposed roll.
    pub versus: Option<Box<OpposingRoll>>,
    /// The comparison that the total must satisfy: its operator and the number needed.
    pub needs: Option<(Operator, Expr)>,
    /// The whole condition for success, if it is more than the comparison; it refers to the
    /// comparison as `passed`.
    pub passes: Option<Expr>,
    /// The condition under which the roll, or with `times` a die, is rerolled. It is rerolled at
    /// most once.
    pub reroll: Option<Expr>,
    /// The choice, offered after the dice are seen, to reroll them at a cost.
    pub reroll_choice: Option<Box<RerollChoice>>,
    /// With `times`, the condition under which a die adds an extra die, or the number of extra dice
    /// that it adds.
    pub more: Option<Expr>,
    /// With `times`, the sums over all dice: each die adds a number, or 1 if a condition is true.
    pub tally: Vec<(Name, Expr)>,
    /// The text of the verdict after a success.
    pub pass_say: Option<TextTemplate>,
    /// Statements after a success.
    pub pass: Statements,
    /// The text of the verdict after a failure.
    pub fail_say: Option<TextTemplate>,
    /// Statements after a failure.
    pub fail: Statements,
    /// Rows of results, instead of `needs`.
    pub table: Vec<TableRow>,
    /// Statements at the end, whatever the result of the roll.
    pub after: Statements,
    /// The value returned to a caller.
    pub gives: Option<Expr>,
    /// Further values returned to a caller.
    pub also_gives: Vec<Expr>,
    /// The function that the rule is compiled to.
    pub function: FunctionId,
    /// The function through which the rule is called by the umpire and by rule text that leaves out
    /// values. It fills in defaults, pays for the actions of an activation and then calls the rule;
    /// `None` if no parameter can be left out and there is no activation.
    pub entry: Option<FunctionId>,
}

impl RuleText {
    /// Returns the word with which the umpire calls the rule: the first word of its usage, or its
    /// name.
    pub(crate) fn verb(&self) -> &str {
        self.usage.as_ref().map_or(&self.name, |usage| &usage.verb)
    }

    /// Returns true if the rule can reroll its dice.
    pub(crate) fn may_reroll(&self) -> bool {
        self.reroll.is_some() || self.reroll_choice.is_some()
    }

    /// Returns true if one of its parameters is a text, which may contain any word.
    pub(crate) fn takes_text(&self) -> bool {
        self.params.iter().any(|p| p.ty == Type::Text)
    }

    /// Returns true if the umpire can type the rule, because it has a usage or takes no parameters.
    pub(crate) fn is_for_umpire(&self) -> bool {
        self.usage.is_some() || self.params.is_empty()
    }

    /// Returns the index of the parameter for the acting piece, which is the first piece or list of
    /// pieces in the usage; `None` if there is no such parameter or the piece can belong to any
    /// side.
    pub(crate) fn acting_piece(&self) -> Option<usize> {
        let is_piece = |p: &Param| matches!(p.ty.member_or_self(), Type::Piece(_));
        let index = self.params.iter().position(is_piece);
        index.filter(|_| self.usage.is_some() && !self.any_side)
    }
}

/// A reroll that someone may choose after seeing the dice.
#[derive(Clone, Debug)]
pub struct RerollChoice {
    /// The condition under which it is offered.
    pub may: Expr,
    /// The yes-or-no question: the side that decides, the text, and whether yes is the better
    /// answer.
    pub question: WrittenQuestion,
    /// The statements that pay for the reroll.
    pub cost: Statements,
}

/// A reminder in a phase.
#[derive(Clone, Debug)]
pub struct ReminderText {
    /// The sources of the sweep; empty if the reminder appears at most once.
    pub each: Vec<MemberSource>,
    /// The condition under which it appears; if there is none, it always appears.
    pub when: Option<Expr>,
    /// The text of the reminder.
    pub say: TextTemplate,
}
