//! Lines that call a rule which the phases call automatically, such as `growth` where the fires grow
//! in a phase of their own. The umpire who types its name usually means the phase.

use super::play::Play;
use super::progress_phrases;
use crate::command::{self, TypedLine};
use crate::referee::Event;

/// Words around the name of a rule that don't change the meaning of the line.
const LITTLE: [&str; 8] = ["now", "the", "ok", "please", "then", "do", "and", "phase"];

/// A question whether a line means the rule or its phase.
pub(super) struct Doubt {
    /// The question.
    pub heading: String,
    /// The lines that can be meant.
    pub lines: Vec<String>,
}

/// Returns the question before a line that consists of the verb of a rule without any pieces, if the
/// rule has already run automatically in this phase, or if a later phase of this turn has its name.
pub(super) fn doubt(play: &Play, line: &str) -> Option<Doubt> {
    let typed = TypedLine::read(line).ok().filter(|typed| !typed.insist)?;
    let words = typed.tokens.iter().map(|token| token.text.to_lowercase());
    let words: Vec<String> = words.filter(|word| !LITTLE.contains(&word.as_str())).collect();
    let [verb] = words.as_slice() else { return None };
    // A rule that needs pieces can't run automatically.
    command::parse(play.referee(), play.session.table(), verb).ok()??;
    let ruleset = play.referee().ruleset();
    let rule = *ruleset.rules_for_verb(verb).first()?;
    let name = &ruleset.schema.rules[rule.index()].name;
    if progress_phrases::comes_later(play, verb) {
        let phase = progress_phrases::phase_named(play, verb)?;
        let heading = format!("`{verb}` runs automatically in a later phase; which do you mean?");
        // Only a phase that is named after the rule is sure to run it.
        return (phase == *verb)
            .then(|| Doubt { heading, lines: vec![format!("next to {phase}"), verb.clone()] });
    }
    let begins = |event: &Event| matches!(event, Event::Phase { skipped: false, .. });
    let mut entries = play.session.entries().iter().rev();
    let begun = entries.find(|entry| entry.outcome.events.iter().any(begins))?;
    let events = &begun.outcome.events;
    let last = events.iter().rposition(begins)?;
    let has_run = events[last..]
        .iter()
        .any(|event| matches!(event, Event::Call { rule: called, .. } if called == name));
    let heading = format!("`{verb}` has already run in this phase; which do you mean?");
    has_run.then(|| Doubt { heading, lines: vec!["next".to_owned(), verb.clone()] })
}
