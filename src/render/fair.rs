//! The receipt at the start of a game, and what a player may want to ask about at its end.

use super::prelude::*;
use crate::session::{Asked, Receipt, Review, Verified};

/// Returns what is fixed before the first die falls, a line each.
pub(crate) fn receipt(receipt: &Receipt) -> Vec<String> {
    let mut lines = vec![format!("seal {}", receipt.seal)];
    lines.push(match &receipt.seed_text {
        None => "the seed came from the operating system".to_owned(),
        Some(text) => format!(
            "the seed was given as `--seed {text}`: whoever knows the text can tell every die"
        ),
    });
    let rules = &receipt.rules;
    let shipped = if rules.as_shipped { " as shipped" } else { ", not as shipped" };
    let hash = if rules.hash.is_empty() { String::new() } else { format!(", {}", rules.hash) };
    lines.push(format!("rules: {}{shipped}{hash}", rules.game));
    lines.extend(
        receipt.words.iter().map(|words| format!("the players' words from the start on: {words}")),
    );
    lines
}

/// Returns what a verification found.
pub(crate) fn verified(found: &Verified) -> Text {
    let mut text = Text::new();
    text.push(match &found.mismatch {
        None => Line::of(
            Role::Good,
            format!(
                "all is as it should be: {} commands, {} dice from the seed",
                found.commands, found.dice
            ),
        ),
        Some(mismatch) => {
            Line::of(Role::Bad, format!("the first difference: {mismatch}")).hanging(2)
        }
    });
    if found.by_hand > 0 {
        let words = format!("{} dice were typed in by hand and cannot be derived", found.by_hand);
        text.line(Role::Notice, words);
    }
    text
}

/// Returns the things a player may want to ask about, then what is proved and what is not; `known` is the last turn
/// whose head a player gave, if it fits.
pub(crate) fn review(review: &Review, known: Option<i64>) -> Text {
    let mut text = Text::new();
    let mut list = |what: (&str, &str), asked: &[Asked]| {
        if asked.is_empty() {
            return;
        }
        let mut line = Line::of(
            Role::Strong,
            format!("{} {}", asked.len(), if asked.len() == 1 { what.0 } else { what.1 }),
        )
        .hanging(2);
        let words: Vec<String> = asked.iter().map(one).collect();
        line.push(Role::Plain, format!(": {}", words.join("; ")));
        text.push(line);
    };
    list(
        ("command taken back after its dice fell", "commands taken back after their dice fell"),
        &review.undone,
    );
    list(("amendment", "amendments"), &review.amended);
    list(("look at dice that were not taken", "looks at dice that were not taken"), &review.looked);
    list(("ruling against the rules", "rulings against the rules"), &review.overruled);
    list(("command insisted on", "commands insisted on"), &review.insisted);
    list(("command with dice typed in", "commands with dice typed in"), &review.by_hand);
    list(("time the rules were read again", "times the rules were read again"), &review.reloads);
    list(("break", "breaks"), &review.breaks);
    for (from, words) in &review.words {
        let from = match from {
            0 => "from the start on".to_owned(),
            from if *from > review.throws => "after the last throw".to_owned(),
            from => format!("from throw {from} of {} on", review.throws),
        };
        text.push(Line::of(Role::Plain, format!("the players' words, {from}: {words}")).hanging(2));
    }
    let proved = "proved: every die that was not typed in follows from the sealed seed and the players' words, \
                  no throw was skipped or used twice, and every result follows from the rules.";
    let not = "not proved: that the umpire, who holds the seed, did not look ahead; words of the players before a \
               throw, or real dice, prevent it.";
    let heads = match known {
        Some(turn) => format!(
            "proved by the head: up to the beginning of turn {turn}, this is the evening that was played."
        ),
        None => "not proved without a head: that this is the evening that was played; `--head 3:…`, as a player \
                 wrote it down, proves it up to there."
            .to_owned(),
    };
    for words in [proved, not, &heads] {
        text.push(Line::of(Role::Quiet, words).hanging(2));
    }
    text
}

fn one(asked: &Asked) -> String {
    match asked.number {
        Some(number) => format!("{number} {}", asked.words),
        None => asked.words.clone(),
    }
}
