//! Losses as people report them: `ann is dead`, `the truck's had it`. The ruleset determines how
//! the loss can be recorded: by a value or a flag of the piece, or with a verb. If the lost piece
//! leaves the table, `remove` is proposed as well.

use super::play::Play;
use super::rulings;
use super::suggest::LineSearch;
use crate::command::{self, TypedLine};

/// A type of loss, with the phrases for it.
struct Loss {
    phrases: &'static [&'static str],
    /// The names that rulesets may give to the values, flags and verbs for the loss.
    names: &'static [&'static str],
    /// True if the piece leaves the table.
    removes: bool,
}

const LOSSES: [Loss; 2] = [
    Loss {
        phrases: &[
            "dead",
            "killed",
            "kia",
            "slain",
            "dies",
            "died",
            "casualty",
            "eliminated",
            "down",
            "sunk",
            "sinks",
            "sank",
            "goes down",
            "gone down",
            "went down",
            "destroyed",
            "wrecked",
            "knocked out",
            "brewed up",
            "brews up",
            "blown up",
            "blows up",
            "blew up",
            "burnt out",
            "written off",
            "out",
            "out of action",
            "finished",
            "done for",
            "had it",
            "had enough",
            "gone",
            "lost",
            "removed",
            "taken off",
            "is off",
            "off the table",
            "captured",
        ],
        names: &[
            "dead",
            "killed",
            "out",
            "lost",
            "sunk",
            "destroyed",
            "wrecked",
            "casualty",
            "eliminated",
            "kill",
            "destroy",
            "sink",
            "wreck",
            "eliminate",
            "lose",
        ],
        removes: true,
    },
    Loss {
        phrases: &["hurt", "injured", "winged", "hit"],
        names: &["hurt", "injured", "hit", "wound", "injure", "damage"],
        removes: false,
    },
];

/// Words that may accompany a report of a loss.
const BESIDE: [&str; 26] = [
    "is", "are", "was", "were", "has", "have", "had", "been", "got", "gets", "get", "the", "a",
    "an", "he", "he's", "she", "she's", "it", "it's", "just", "now", "also", "then", "and", "too",
];

/// The maximum number of lines proposed.
const MAX_PROPOSED: usize = 3;

/// Returns lines that record the loss of the piece that a line reports as lost. Returns no lines if
/// the line reports no loss, or if the report names a second piece.
pub(super) fn lines_for_loss(play: &Play, typed: &TypedLine<'_>) -> Vec<String> {
    let table = play.session.table();
    let mut first = None;
    let mut said: Vec<String> = Vec::new();
    for token in &typed.tokens {
        let text = token.text.to_lowercase().replace('’', "'");
        let ends = text.ends_with([',', ';', '.']);
        let bare = text.trim_end_matches([',', ';', '.', '!']);
        match command::find_spoken(table, bare) {
            Some(name) if first.is_none() => first = Some(name),
            // If there are two pieces, one may be the cause.
            Some(_) => return Vec::new(),
            None if BESIDE.contains(&bare) && bare != "had" => {}
            None => said.push(bare.to_owned()),
        }
        if ends && first.is_some() && !said.is_empty() {
            break;
        }
    }
    let report = said.join(" ");
    let Some(piece) = first else { return Vec::new() };
    let Some(loss) = LOSSES.iter().find(|loss| loss.phrases.contains(&report.as_str())) else {
        return Vec::new();
    };
    let mut lines: Vec<String> = Vec::new();
    let own =
        std::iter::once(report.clone()).chain(loss.names.iter().map(|name| (*name).to_owned()));
    // The name of a state is often the past tense of a verb.
    let forms = own.flat_map(|name| [format!("{name}ed"), name].into_iter().rev());
    let values = forms.filter_map(|name| rulings::setting(play, &piece, &[name.as_str()]));
    for line in values.chain(verbs_for(play, loss, &piece)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let remove = format!("remove {piece}");
    if loss.removes && command::parse(play.referee(), table, &remove).is_ok() {
        lines.push(remove);
    }
    lines.truncate(MAX_PROPOSED);
    lines
}

/// Returns the lines that record a loss of this piece with a verb and that would be accepted.
fn verbs_for<'p>(
    play: &'p Play,
    loss: &'p Loss,
    piece: &'p str,
) -> impl Iterator<Item = String> + 'p {
    let ruleset = play.referee().ruleset();
    let search = LineSearch::new(play.words, play.referee(), play.session.table());
    let named = ruleset.verbs().map(|verb| (verb, verb)).chain(ruleset.synonyms());
    let meant =
        named.filter(|(phrase, verb)| loss.names.contains(phrase) && ruleset.is_typed_verb(verb));
    meant.filter_map(move |(_, verb)| search.line_with(verb, &[piece], &|_| true))
}

/// Verbs with which a line states what happened to a piece.
const HAPPENS: [&str; 12] = [
    "loses", "lose", "lost", "gains", "gained", "dies", "died", "survives", "survived", "keeps",
    "drops", "suffers",
];

/// Returns true if a line states that a piece loses or keeps something, or dies.
pub(super) fn states_loss(words: &[String]) -> bool {
    words.iter().any(|word| HAPPENS.contains(&word.as_str()))
}

/// Words with which a piece loses a part.
const LOSES: [&str; 4] = ["loses", "lost", "lose", "losing"];

/// Returns the statement that a part of a piece is lost: `boat-port is lost` for `the boat loses its port gun`.
/// Returns `None` for any other line.
pub(super) fn of_part(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let words: Vec<String> = typed.tokens.iter().map(command::Token::bare).collect();
    let at = words.iter().position(|word| LOSES.contains(&word.as_str()))?;
    let table = play.session.table();
    let owner = words[..at].iter().find_map(|word| command::find_spoken(table, word))?;
    let mut parts = words[at + 1..].iter().map(|word| format!("{owner}-{word}"));
    let part = parts.find(|part| table.find(part).is_some())?;
    Some(format!("{part} is lost"))
}
