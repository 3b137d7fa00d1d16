//! A rule as it is written: for whom, what is rolled, what modifies it, what is needed, what follows.
//!
//! The parts are read but not yet checked. [`super::compile`] makes one function of them.

use super::schema::{FunctionId, Param, RowRange, Type};
use super::syntax::{Expr, MemberSource, Name, Operator, Statements, TextTemplate};
use crate::source::Span;

/// One part of a usage.
#[derive(Clone, Debug)]
pub enum UsagePart {
    /// A word that is typed as it is.
    Word(String),
    /// A place to fill in: the index of the parameter, and whether it takes one or more names.
    Fill(usize, bool),
    /// A part that may be left out.
    Optional(Vec<UsagePart>),
    /// A word that may be left out and is a flag: the word, the index of the parameter.
    Flag(String, usize),
}

/// `fight <target:area> with <hose:hose> [range <range:1..3>]`
#[derive(Clone, Debug)]
pub struct Usage {
    /// As written.
    pub text: String,
    /// The verb.
    pub verb: String,
    /// The parts after the verb.
    pub parts: Vec<UsagePart>,
}

/// `{ that = 'condition', because = "text" }`
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The condition.
    pub that: Expr,
    /// The reason for the refusal.
    pub because: TextTemplate,
}

/// `{ by = '-1', when = 'into.damp > 2', because = "soaked" }`
#[derive(Clone, Debug)]
pub struct Modifier {
    /// The number added to the dice.
    pub by: Expr,
    /// When it applies.
    pub when: Option<Expr>,
    /// Its reason.
    pub because: TextTemplate,
}

/// `{ on = "2-3", say = "misses", do = '…' }`
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The totals; all that are left, of the row for the rest.
    pub on: RowRange,
    /// The condition of a row without totals.
    pub when: Option<Expr>,
    /// As written.
    pub label: String,
    /// Where `on` or `when` was written.
    pub span: Span,
    /// Words in the line.
    pub say: Option<TextTemplate>,
    /// The statements that follow.
    pub block: Statements,
}

impl TableRow {
    /// Returns true for the row of all totals that no other row has.
    pub(crate) fn is_catch_all(&self) -> bool {
        self.when.is_none() && self.on == RowRange { low: i64::MIN, high: i64::MAX }
    }

    /// Returns true if the row is chosen by a total.
    pub(crate) fn matches_totals(&self) -> bool {
        self.when.is_none() && !self.is_catch_all()
    }
}

/// A rule in parts.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// Its name.
    pub name: String,
    /// A heading for people.
    pub title: String,
    /// The page of the rule book.
    pub cite: String,
    /// A remark for the reader.
    pub note: String,
    /// The sentence of its author that says what it does; may be empty.
    pub reads: String,
    /// Where its name was written.
    pub span: Span,
    /// The line that the umpire types, if it is a verb.
    pub usage: Option<Usage>,
    /// Other words for its verb.
    pub also: Vec<(String, Span)>,
    /// Parameters, of `usage` or `takes`.
    pub params: Vec<Param>,
    /// The sweep.
    pub each: Vec<MemberSource>,
    /// Names of the phases it may be used in; empty: all.
    pub phases: Vec<(String, Span)>,
    /// True if the first piece of its usage may be of any side, not only of the side to move.
    pub any_side: bool,
    /// True if its lines, dice and cards are not for everybody.
    pub secret: bool,
    /// The condition under which a side may see them, of the side and the parameters that are no lists; without it,
    /// they are the umpire's alone.
    pub seen_by: Option<FunctionId>,
    /// The sentence of the battle report for a call of it, of the parameters that are no lists.
    pub notable: Option<FunctionId>,
    /// The sentence for several calls of it in a turn, of their number and of the names that they begin with.
    pub notable_many: Option<FunctionId>,
    /// True if it ends what is under way, so that the umpire is warned first of what is left to do.
    pub warns: bool,
    /// The condition.
    pub require: Vec<Requirement>,
    /// Before the roll.
    pub before: Statements,
    /// The number of rolls.
    pub times: Option<Expr>,
    /// The dice.
    pub roll: Option<Expr>,
    /// Whose roll it is.
    pub label: Option<TextTemplate>,
    /// The modifiers of the roll.
    pub modifiers: Vec<Modifier>,
    /// The number needed, and how the total compares with it.
    pub needs: Option<(Operator, Expr)>,
    /// The whole condition, if passing needs more than the comparison, which it calls `passed`.
    pub passes: Option<Expr>,
    /// The condition on which a die is thrown again, once.
    pub reroll: Option<Expr>,
    /// The condition on which a die of `times` brings a further one.
    pub more: Option<Expr>,
    /// The names that add up over the dice of `times`: 1 for a condition that holds, or a number.
    pub tally: Vec<(Name, Expr)>,
    /// Words when passed.
    pub pass_say: Option<TextTemplate>,
    /// When passed.
    pub pass: Statements,
    /// Words when not.
    pub fail_say: Option<TextTemplate>,
    /// When not.
    pub fail: Statements,
    /// Rows instead of `needs`.
    pub table: Vec<TableRow>,
    /// At the end.
    pub after: Statements,
    /// The value for a caller.
    pub gives: Option<Expr>,
    /// Further values for a caller.
    pub also_gives: Vec<Expr>,
    /// The compiled rule.
    pub function: FunctionId,
    /// The function that fills in defaults before it calls the rule, if it has any.
    pub entry: Option<FunctionId>,
}

impl RuleText {
    /// Returns the word by which the umpire calls it: the first of its usage, or else its name.
    pub(crate) fn verb(&self) -> &str {
        self.usage.as_ref().map_or(&self.name, |usage| &usage.verb)
    }

    /// Returns true if one of its parameters is a text, which may contain any word.
    pub(crate) fn takes_text(&self) -> bool {
        self.params.iter().any(|p| p.ty == Type::Text)
    }

    /// Returns true if the umpire types it: it has a usage, or needs no more than its name.
    pub(crate) fn is_for_umpire(&self) -> bool {
        self.usage.is_some() || self.params.is_empty()
    }

    /// Returns the place of the parameter of its usage that is the piece which acts: the first, unless it may be of
    /// any side.
    pub(crate) fn acting_piece(&self) -> Option<usize> {
        let is_piece = |p: &Param| matches!(p.ty.member_or_self(), Type::Piece(_));
        let index = self.params.iter().position(is_piece);
        index.filter(|_| self.usage.is_some() && !self.any_side)
    }
}

/// A reminder of a phase.
#[derive(Clone, Debug)]
pub struct ReminderText {
    /// The sweep; empty if it is said once.
    pub each: Vec<MemberSource>,
    /// When it is said.
    pub when: Option<Expr>,
    /// The words.
    pub say: TextTemplate,
}
