//! One check as a line: label, dice, modifiers, total, need and verdict.

use std::sync::Arc;

use indexmap::IndexMap;
use unicode_width::UnicodeWidthStr;

use crate::language::number::Number;
use crate::language::syntax::Operator;
use crate::names::count_with_noun;
use crate::referee::{Check, Roll};
use crate::render::markup::{Line, Role, Text};

/// The maximum number of totals that are written next to the faces of several dice.
const MOST_TOTALS: usize = 6;

/// Writes a number with its sign, such as `+1`.
pub(crate) fn signed(value: Number) -> String {
    if value < Number::ZERO { value.to_string() } else { format!("+{value}") }
}

/// Returns the symbol for an operator, such as `≤`.
pub(crate) fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::AtMost => "≤",
        Operator::AtLeast => "≥",
        Operator::NotEqual => "≠",
        other => other.symbol(),
    }
}

/// The parts of a check, each as text.
struct CheckParts {
    dice: String,
    modifiers: String,
    total: String,
    need: String,
}

impl CheckParts {
    fn of(check: &Check) -> CheckParts {
        let dice = faces(check);
        let modifiers: Vec<String> =
            check.modifiers.iter().map(|(n, why)| format!("{} {why}", signed(*n))).collect();
        let modifiers = modifiers.join(" ");
        let mut totals: Vec<Number> = check.throws.iter().map(|t| t.total).collect();
        totals.sort();
        if !low_faces_are_good(check) {
            totals.reverse();
        }
        let totals: Vec<String> = totals.iter().map(Number::to_string).collect();
        let kept: Vec<&Roll> = check.rolls.iter().filter(|roll| !roll.rerolled).collect();
        let plain = modifiers.is_empty()
            && match check.throws.as_slice() {
                [one] => matches!(kept.as_slice(), [roll]
                    if is_one_die(roll) && Number::whole(roll.total) == Some(one.total)),
                _ => true,
            };
        let total = if totals.is_empty() || plain || totals.len() > MOST_TOTALS {
            String::new()
        } else {
            format!("= {}", totals.join(", "))
        };
        let need = check.need.map(|(operator, value)| format!("{} {value}", sign(operator)));
        let need = need.unwrap_or_default();
        CheckParts { dice, modifiers, total, need }
    }
}

/// Returns the totals of a check (`= 7`), or an empty string if its faces already show them or
/// there are too many.
pub(super) fn total_words(check: &Check) -> String {
    CheckParts::of(check).total
}

/// Returns the modifiers of a check with their reasons, its total and its need, all as text.
pub(super) fn modifiers_total_and_need(check: &Check) -> (Vec<(String, &str)>, String, String) {
    let CheckParts { total, need, .. } = CheckParts::of(check);
    (check.modifiers.iter().map(|(n, why)| (signed(*n), why.as_str())).collect(), total, need)
}

/// Returns the rolls of a check, and whether each of them passed: `None` for a roll that isn't
/// compared with a need. Rolls of a single die are sorted, best first.
pub(super) fn sorted_rolls(check: &Check) -> Vec<(&Roll, Option<bool>)> {
    let mut passed = check.throws.iter().map(|throw| throw.passed);
    let counted = check.rolls.iter().filter(|roll| !roll.rerolled).count();
    let alike = counted == check.throws.len();
    let mut rolls = Vec::new();
    for roll in &check.rolls {
        let is_judged = alike && !roll.rerolled;
        rolls.push((roll, if is_judged { passed.next().flatten() } else { None }));
    }
    if check.throws.len() > 1 && check.rolls.iter().all(is_one_die) {
        let low = low_faces_are_good(check);
        rolls.sort_by_key(|(roll, _)| (roll.rerolled, if low { roll.total } else { -roll.total }));
    }
    rolls
}

/// Writes all dice of a check. If there are several rolls of a single die, they become one row of
/// faces, best first.
pub(super) fn faces(check: &Check) -> String {
    let is_row = check.rolls.len() > 1 && check.rolls.iter().all(is_one_die);
    let mut shown: Vec<String> = Vec::new();
    for (roll, _) in sorted_rolls(check) {
        shown.push(if is_row { roll.mark_faces(roll.total) } else { roll.faces_text() });
    }
    let shown = shown.join(" ");
    if is_row { format!("[{shown}]") } else { shown }
}

/// Returns true if low faces are better, because the check needs a low total.
fn low_faces_are_good(check: &Check) -> bool {
    matches!(check.need, Some((Operator::AtMost | Operator::Less, _)))
}

/// Returns true if a roll is a single die whose face is the total.
fn is_one_die(roll: &Roll) -> bool {
    roll.pool.as_ref().is_some_and(|pool| pool.count() == 1 && pool.is_plain())
}

/// Returns the verdict, with its role: the words of the rule, or `passed` or `failed`, and the
/// number of rolls that passed if there are several. The verdict is empty if the rule has no words
/// and no roll is compared with a need.
pub(crate) fn verdict(check: &Check) -> (Role, String) {
    let passes = check.throws.iter().filter(|t| t.passed == Some(true)).count();
    let judged = check.throws.iter().filter(|t| t.passed.is_some()).count();
    let role = match (judged, passes) {
        (0, _) => Role::Strong,
        (_, 0) => Role::Plain,
        _ => Role::Good,
    };
    let words = match (&check.verdict, judged) {
        (Some(words), n) if n > 1 => format!("{passes} of {n}: {words}"),
        (None, n) if n > 1 => format!("{passes} of {n}"),
        (Some(words), _) => words.clone(),
        (None, 1) if passes == 1 => "passed".to_owned(),
        (None, 1) => "failed".to_owned(),
        (None, _) => String::new(),
    };
    (role, words)
}

/// For each rule, the widths of the columns in its check lines: label, dice, modifiers, total, need
/// and verdict.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckColumns {
    rules: IndexMap<Option<String>, [usize; 6]>,
}

impl CheckColumns {
    /// Returns the widths that fit all checks. Each check comes with its indentation and with the
    /// label to use if it has none.
    pub(crate) fn measure<'c>(
        checks: impl Iterator<Item = (&'c Check, usize, String)>,
    ) -> CheckColumns {
        let mut columns = CheckColumns::default();
        for (check, indent, alone) in checks {
            let CheckParts { dice, modifiers, total, need } = CheckParts::of(check);
            let label = if check.label.is_empty() { alone } else { check.label.clone() };
            let label = " ".repeat(indent) + &label;
            let widths = columns.rules.entry(check.rule.clone()).or_default();
            let texts = [label, dice, modifiers, total, need, verdict(check).1];
            for (width, text) in widths.iter_mut().zip(texts) {
                *width = (*width).max(text.width());
            }
        }
        columns
    }

    /// Returns narrower widths that still fit most lines: labels, dice and modifiers get less room.
    pub(crate) fn narrowed_to(mut self, width: usize) -> CheckColumns {
        for [label, dice, modifiers, total, need, verdict] in self.rules.values_mut() {
            let gaps = [*need, *verdict].into_iter().filter(|n| *n > 0).count() * 2;
            let others = *total + *need + (*verdict).min(24) + gaps + 3;
            *dice = (*dice).min(width / 4);
            *label = (*label).min(width / 2);
            *modifiers = (*modifiers).min(width.saturating_sub(*label + *dice + others).max(4));
        }
        self
    }
}

/// Returns the indentation of a check in columns: 2, or 4 if its rule was called by another rule,
/// however deep the call is.
pub(crate) fn indent(depth: usize) -> usize {
    2 + 2 * depth.min(1)
}

/// Writes a check as a line, indented by `indent` columns.
pub(crate) fn check_line(
    check: &Check,
    label: &str,
    indent: usize,
    columns: &CheckColumns,
) -> Line {
    let parts = CheckParts::of(check);
    let widths = columns.rules.get(&check.rule).copied().unwrap_or_default();
    let [wide, dice, modifiers, total, need, _] = widths;
    let mut line = Line::of(Role::Plain, " ".repeat(indent)).and(Role::Plain, label);
    let mut column = wide + 2;
    line.pad_to(column, 2).push(Role::Dice, &parts.dice);
    if check.physical {
        line.push(Role::Quiet, "*");
        column += 1;
    }
    column += dice + 1;
    if modifiers > 0 {
        line.pad_to(column, 1);
        for (i, (value, why)) in check.modifiers.iter().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            line.push(Role::Strong, format!("{blank}{}", signed(*value)));
            line.push(Role::Plain, format!(" {why}"));
        }
        column += modifiers + 1;
    }
    if total > 0 {
        line.pad_to(column, 1).push(Role::Strong, &parts.total);
        column += total + 1;
    }
    if need > 0 {
        line.pad_to(column + 1, 2).push(Role::Plain, &parts.need);
        column += need + 2;
    }
    let (role, words) = verdict(check);
    if !words.is_empty() {
        line.pad_to(column + 1, 2).push(role, words);
    }
    line.check = Some(Arc::new((label.to_owned(), check.clone())));
    line.with_hanging_indent(indent + 4)
}

/// Joins checks that changed nothing, grouped by verdict, as in `no: c2 → c3 [5], …`.
pub(super) fn join_by_verdict(checks: &[&Check]) -> Text {
    let mut groups: IndexMap<String, Vec<String>> = IndexMap::new();
    for check in checks {
        let parts = CheckParts::of(check);
        let (_, words) = verdict(check);
        let mut item = format!("{} {}", check.label, parts.dice);
        for more in [&parts.modifiers, &parts.total].into_iter().filter(|m| !m.is_empty()) {
            item.extend([" ", more]);
        }
        let head = match (words.is_empty(), parts.need.is_empty()) {
            (true, _) => "the others".to_owned(),
            (false, true) => words,
            (false, false) => format!("{words} ({})", parts.need),
        };
        groups.entry(head).or_default().push(item);
    }
    let lines = groups.into_iter().map(|(head, items)| {
        Line::of(Role::Strong, format!("  {head}: ")).and(Role::Plain, items.join(", "))
    });
    lines.collect()
}

/// Counts checks by verdict, as in `14 rolls: 3 catches, 11 no`.
pub(crate) fn count_by_verdict<'c>(checks: impl ExactSizeIterator<Item = &'c Check>) -> Line {
    let mut words = format!("  {}", count_with_noun(checks.len(), "roll"));
    let mut groups: IndexMap<String, usize> = IndexMap::new();
    for check in checks {
        *groups.entry(verdict(check).1).or_default() += 1;
    }
    groups.retain(|group, _| !group.is_empty());
    if !groups.is_empty() && groups.len() <= 6 {
        let parts: Vec<String> = groups.iter().map(|(w, n)| format!("{n} {w}")).collect();
        words.push_str(&format!(": {}", parts.join(", ")));
    }
    Line::of(Role::Quiet, words)
}
