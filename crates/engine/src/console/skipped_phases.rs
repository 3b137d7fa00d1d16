//! Questions why a phase was skipped: `why was the rally skipped`, `why could nobody rally`.

use super::play::Play;
use super::progress_phrases;
use super::questions;
use super::reply::Reply;
use crate::referee::Event;

/// Words of such a question beside those for the phase.
const BESIDE_PHASE: [&str; 24] = [
    "was", "is", "were", "did", "didn't", "didnt", "there", "the", "no", "phase", "skipped",
    "skip", "we", "it", "could", "couldn't", "can", "can't", "nobody", "noone", "anybody",
    "anyone", "this", "turn",
];

/// Answers why a phase was skipped, with what the rules do in it. Returns
/// `None` for any other question, and if the phase wasn't skipped the last time.
pub(super) fn answer(play: &Play, words: &[String]) -> Option<Reply> {
    let (first, rest) = words.split_first()?;
    if first != "why" || !questions::names_of_pieces(play, rest).is_empty() {
        return None;
    }
    let named: Vec<&str> = rest.iter().map(String::as_str).collect();
    let named: Vec<&str> = named.into_iter().filter(|word| !BESIDE_PHASE.contains(word)).collect();
    let name = progress_phrases::phase_named(play, &named.join(" "))?;
    let events = play.session.entries().iter().rev().flat_map(|e| e.outcome.events.iter().rev());
    let mut last = events.filter_map(|event| match event {
        Event::Phase { phase, place, skipped, turn, .. } if *phase == name => {
            Some((*place, *skipped, *turn))
        }
        _ => None,
    });
    let (place, _, turn) = last.next().filter(|(_, skipped, _)| *skipped)?;
    let phase = &play.referee().ruleset().phases[place];
    let reads = if phase.reads.is_empty() { String::new() } else { format!(": {}", phase.reads) };
    let answer = format!(
        "phase {}, {}, was skipped in turn {turn}, because nothing in it applied{reads}",
        place + 1,
        phase.title
    );
    Some(questions::reply(answer, Vec::new()))
}
