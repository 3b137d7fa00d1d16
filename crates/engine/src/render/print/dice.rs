//! Dice as pictures: each die is drawn, followed by the modifiers, the total, the need and the
//! verdict.

use adjutant_dice::{Die, DieStatus, Pool, PoolRoll, ThrownDie};

use super::escape::clean_and_escape;
use crate::language::number::Number;
use crate::referee::{Check, Roll};
use crate::render::check;
use crate::render::markup::Role;
use crate::render::odds::percent;

/// The CSS for dice, which the page that contains them must include.
pub(crate) const STYLE: &str = include_str!("dice.css");

/// If a roll has more dice than this, or a check has more rolls, the dice are written as text
/// instead of drawn.
const MAX_DRAWN_DICE: usize = 60;

/// The pips of a six-sided die as SVG paths, from face 1 to face 6.
const PIPS: [&str; 6] = [
    "M10 10h.01",
    "M5.5 5.5h.01M14.5 14.5h.01",
    "M5.5 5.5h.01M10 10h.01M14.5 14.5h.01",
    "M5.5 5.5h.01M14.5 5.5h.01M5.5 14.5h.01M14.5 14.5h.01",
    "M5.5 5.5h.01M14.5 5.5h.01M10 10h.01M5.5 14.5h.01M14.5 14.5h.01",
    "M5.5 5h.01M14.5 5h.01M5.5 10h.01M14.5 10h.01M5.5 15h.01M14.5 15h.01",
];

/// Returns a check as HTML, with its dice drawn.
pub(in crate::render) fn check_html(label: &str, of: &Check) -> String {
    let (role, verdict) = check::verdict(of);
    let class = match role {
        Role::Good => "good",
        Role::Plain => "bad",
        _ => "",
    };
    let faces = check::faces(of);
    let drawn: Vec<String> =
        check::sorted_rolls(of).into_iter().map(|(r, p)| roll_html(r, p)).collect();
    let dice = if of.rolls.len() > MAX_DRAWN_DICE || drawn.iter().any(String::is_empty) {
        clean_and_escape(&faces)
    } else {
        drawn.concat()
    };
    let (modifiers, total, need) = check::modifiers_total_and_need(of);
    let by_hand = if of.physical { "real dice" } else { "" };
    let after = [("by-hand", by_hand), ("total", &total), ("need", &need), ("verdict", &verdict)];
    check_row(class, label, (&faces, &dice), &modifiers, &after)
}

/// Returns a check before its dice are shown, with the probability that a roll succeeds, if it is
/// known.
pub(in crate::render) fn held_check_html(label: &str, of: &Check) -> String {
    let dice = of.rolls.iter().filter(|roll| !roll.rerolled).take(MAX_DRAWN_DICE).map(|roll| {
        let pool = roll.pool.as_ref();
        let count = pool.map_or(1, |pool| pool.count() as usize).min(MAX_DRAWN_DICE);
        die_html(pool.map_or(Die::Plain(6), Pool::die), None, "").repeat(count)
    });
    let dice: String = dice.collect();
    let (modifiers, _, mut need) = check::modifiers_total_and_need(of);
    if !need.is_empty() {
        let chance = pass_chance(of).map_or(String::new(), |chance| format!(", {chance} each"));
        need = format!("needs {need}{chance}");
    }
    check_row("held", label, ("not shown yet", &dice), &modifiers, &[("need", &need)])
}

/// Returns a row of HTML: the label, the drawn dice with a name for screen readers, the modifiers,
/// and the texts in `after`.
fn check_row(
    class: &str,
    label: &str,
    (name, dice): (&str, &str),
    modifiers: &[(String, &str)],
    after: &[(&str, &str)],
) -> String {
    let mut out = format!("<div class=\"check {class}\">");
    out.push_str(&span_html("label", label));
    if !dice.is_empty() {
        let name = clean_and_escape(name);
        let picture =
            format!("<span class=\"dice\" role=\"img\" aria-label=\"{name}\">{dice}</span> ");
        out.push_str(&picture);
    }
    for (value, why) in modifiers {
        out.push_str(&format!(
            "<span class=\"modifier\"><b>{value}</b> {}</span> ",
            clean_and_escape(why)
        ));
    }
    for (part, words) in after {
        out.push_str(&span_html(part, words));
    }
    out.push_str("</div>\n");
    out
}

/// Returns words in a span, or nothing if there are none.
fn span_html(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    format!("<span class=\"{class}\">{}</span> ", clean_and_escape(words))
}

/// Returns the probability that one roll succeeds; `None` unless the check has a need, the dice of
/// a roll are one pool, and each roll is judged separately.
fn pass_chance(of: &Check) -> Option<String> {
    let (operator, need) = of.need?;
    let kept: Vec<&Roll> = of.rolls.iter().filter(|roll| !roll.rerolled).collect();
    let roll = kept.first()?;
    let throw = of.throws.first()?;
    if kept.len() != of.throws.len() || throw.passed.is_none() {
        return None;
    }
    let added = throw.total.checked_sub(throw.natural)?;
    let fixed = Number::whole(roll.fixed.unwrap_or(0))?;
    let holds = |face: i64| {
        let sum = Number::whole(face).and_then(|n| n.checked_add(fixed)?.checked_add(added));
        sum.and_then(|total| operator.holds(total, need)) == Some(true)
    };
    let distribution = roll.pool.as_ref()?.distribution().ok()?;
    Some(percent(&distribution.probability(holds)))
}

/// Returns the dice of a roll as pictures, or an empty string if they cannot be drawn.
fn roll_html(roll: &Roll, passed: Option<bool>) -> String {
    let Some(pool) = &roll.pool else { return String::new() };
    let Some(dice) = PoolRoll::parse_dice(&roll.shown).filter(|dice| dice.len() <= MAX_DRAWN_DICE)
    else {
        return String::new();
    };
    let mut out = String::new();
    for thrown in &dice {
        let class = match thrown.status {
            DieStatus::Dropped => "dropped",
            DieStatus::Rerolled => "again",
            DieStatus::Kept if roll.rerolled => "again",
            DieStatus::Kept if thrown.success || passed == Some(true) => "hit",
            DieStatus::Kept => "",
        };
        out.push_str(&die_html(pool.die(), Some(thrown), class));
    }
    if let Some(fixed) = roll.fixed {
        out.push_str(&format!("{fixed:+}"));
    }
    out
}

/// Draws a die. A die without a face is drawn with a question mark.
fn die_html(die: Die, thrown: Option<&ThrownDie>, class: &str) -> String {
    let body = match die {
        Die::Plain(4) => "M10 1l9 17h-18z",
        Die::Plain(8) => "M10 1l9 9-9 9-9-9z",
        Die::Plain(10) => "M10 1l9 10-9 8-9-8z",
        Die::Plain(12) => "M10 1l9 7-3.5 11h-11l-3.5-11z",
        Die::Plain(20) => "M10 1l8 4.5v9l-8 4.5-8-4.5v-9z",
        Die::Plain(6) | Die::Fudge | Die::Tens => {
            "M3 1h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2z"
        }
        Die::Plain(_) => "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z",
    };
    let pips = thrown.filter(|t| die == Die::Plain(6) && t.face == t.value);
    let pips = pips.and_then(|t| PIPS.get(usize::try_from(t.face - 1).ok()?));
    let mut face = match (pips, thrown) {
        (Some(pips), _) => format!("<path class=\"pips\" d=\"{pips}\"/>"),
        (None, None) => "<text x=\"10\" y=\"14\">?</text>".to_owned(),
        (None, Some(thrown)) => {
            let low = if die == Die::Plain(4) { 16 } else { 14 };
            let words = thrown.value.to_string();
            // Texts of two or more digits are smaller, so that they stay inside the die.
            let size = ["", "", " class=\"two\"", " class=\"three\""][words.len().min(3)];
            format!("<text{size} x=\"10\" y=\"{low}\">{words}</text>")
        }
    };
    if matches!(class, "dropped" | "again") {
        face.push_str("<path class=\"struck\" d=\"M2 18L18 2\"/>");
    }
    let extra = if thrown.is_some_and(|t| t.exploded) { "<b>!</b>" } else { "" };
    format!(
        "<svg class=\"die {class}\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path class=\"body\" d=\"{body}\"/>{face}</svg>{extra}"
    )
}
