//! The receipt, which shows at the start of a game everything that is fixed before the first roll,
//! and the answers to a player's questions at the end of the game.

use crate::names::count_with_noun;
use crate::render::markup::{Line, Role, Text};
use crate::session::{Mismatch, Receipt, Review, ReviewedCommand, Verification};

/// The number of digits in the short form of the seal. With this many digits, nobody can find
/// another seed with the same digits by trial and error.
const SEAL_DIGITS: usize = 16;

/// Returns everything that is fixed before the first roll, one line each.
pub fn receipt(receipt: &Receipt) -> Vec<String> {
    let mut lines = vec![format!("seal {}", receipt.seal)];
    lines.push(match &receipt.seed_text {
        None => "according to the program, the seed came from the operating system".to_owned(),
        Some(text) => format!(
            "the seed was given as `--seed {text}`: anyone who knows the text can predict every die"
        ),
    });
    let rules = &receipt.rules;
    let hash = if rules.hash.is_empty() { String::new() } else { format!(", {}", rules.hash) };
    // A game's name could look like a verdict, so only a shipped game's name comes first.
    lines.push(if rules.as_shipped {
        format!("rules: {} as shipped{hash}", rules.game)
    } else {
        format!("rules: not as shipped{hash}, from `{}`", rules.game)
    });
    lines.push(format!(
        "journal form {}, dice recipe {}; see docs/fair-dice.md",
        receipt.form, receipt.recipe
    ));
    lines
}

/// Returns the limits of the receipt's promises, one line each.
pub fn receipt_limits() -> [&'static str; 2] {
    [
        "not promised: that the umpire doesn't look ahead. The players' words (`mix`) or real dice prevent it.",
        "not promised by the form and the recipe: that times, names, typed lines and typed dice are true. They are claims.",
    ]
}

/// Returns the beginning of the seal, and the source of the seed, on one line.
pub fn receipt_in_short(receipt: &Receipt) -> String {
    let begins = receipt.seal.get(..SEAL_DIGITS).unwrap_or(&receipt.seal);
    let seed = if receipt.seed_text.is_some() { ", with a given seed" } else { "" };
    format!("the dice are sealed by {begins}…{seed}; `seal` shows the details")
}

/// Returns the result of a verification: success or the first difference, and the number of dice
/// that the seed doesn't determine.
pub fn verification(found: &Verification) -> Text {
    let mut text = Text::new();
    match &found.mismatch {
        None => {
            let words = format!("{} commands, {} dice from the seed", found.commands, found.dice);
            text.line(Role::Good, format!("everything is correct: {words}"))
        }
        Some(mismatch) => text.line(Role::Bad, format!("the first difference: {mismatch}")),
    };
    if found.by_hand > 0 {
        let words = format!("dice typed in, not derived from the seed: {}", found.by_hand);
        text.line(Role::Notice, words);
    }
    text
}

/// Returns the answers to a player's questions, followed by a list of the facts that are proved and
/// of those that are not. After a `mismatch`, nothing is proved. `known` is the last turn for which
/// a player's head matches.
pub fn review(review: &Review, mismatch: Option<&Mismatch>, known: Option<i64>) -> Text {
    let mut text = Text::new();
    for (what, asked) in [
        ("undone after the dice were rolled", &review.undone),
        ("amended", &review.amended),
        ("dice looked at but not used", &review.looked),
        ("overruled", &review.overruled),
        ("insisted on", &review.insisted),
        ("table changed manually", &review.edited),
        ("dice rolled outside any rule", &review.idle_rolls),
        ("dice typed in", &review.by_hand),
        ("rolled after the seed was revealed", &review.after_reveal),
        ("rules reloaded", &review.reloads),
        ("breaks", &review.breaks),
    ] {
        let words: Vec<String> = asked.iter().map(reviewed_command).collect();
        if !words.is_empty() {
            let line =
                Line::of(Role::Strong, format!("{what} ({})", asked.len())).with_hanging_indent(2);
            text.push(line.and(Role::Plain, format!(": {}", words.join("; "))));
        }
    }
    for (from, words) in &review.words {
        let from = match from {
            from if *from > review.throws => "after the last throw".to_owned(),
            from => format!("from throw {from} of {} onwards", review.throws),
        };
        text.line(Role::Plain, format!("the players' words, {from}: {words}"));
    }
    if review.set_up_dice > 0 {
        let dice = count_with_noun(review.set_up_dice, "die");
        let words = format!(
            "the set-up rolled {dice} before anyone could add words, so only the seal fixes the result"
        );
        text.line(Role::Notice, words);
    }
    text.line(
        Role::Plain,
        match &review.seed_text {
            None => "the seed: from the operating system, according to the session".to_owned(),
            Some(seed) => {
                format!("the seed: made from the text `{seed}`, known to whoever started the game")
            }
        },
    );
    text.line(Role::Plain, format!("journal form {}, dice recipe {}", review.form, review.recipe));
    if mismatch.is_some() {
        let words = "nothing is proved: from the first difference onwards, the journal doesn't follow from the seed and the rules.";
        text.line(Role::Bad, words);
        return text;
    }
    let proved = "proved: every die that was not typed in follows from the sealed seed and the players' words, \
                  no throw was skipped or used twice, and every result follows from the rules.";
    let not = "not proved: that the umpire, who holds the seed, did not look ahead. The players' words, mixed in before \
               a throw, or real dice prevent it.";
    let heads = match known {
        Some(turn) => format!(
            "proved by the head: up to that point in turn {turn}, this is the game that was played."
        ),
        None => "not proved without a head: that this is the game that was played. `--head 3:…`, with a head that a player \
                 wrote down, proves it up to that point."
            .to_owned(),
    };
    let claims = "not proved: that times, names, typed lines and typed dice are true. They are recorded as claims.";
    for words in [proved, not, claims, &heads] {
        text.line(Role::Quiet, words);
    }
    text
}

fn reviewed_command(asked: &ReviewedCommand) -> String {
    match asked.number {
        Some(number) => format!("{number} {}", asked.words),
        None => asked.words.clone(),
    }
}
