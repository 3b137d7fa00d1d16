//! Words for states of pieces in everyday English, for games that have another word for the same state.

/// Words for states of pieces that mean much the same. A game has an attribute or a value for one of
/// them; the words that say the least come last.
const STATES: [&[&str]; 4] = [
    &[
        "hurt",
        "injured",
        "hit",
        "casualties",
        "casualty",
        "out",
        "dead",
        "killed",
        "down",
        "lost",
        "hits",
    ],
    &["dead", "killed", "out", "lost", "down", "sunk", "gone", "destroyed", "casualty", "hit"],
    &BURNING,
    &["in-action", "standing", "alive", "active", "fit", "unhurt", "board", "table", "field"],
];

/// Words for what is on fire.
pub(super) const BURNING: [&str; 5] = ["burning", "fire", "alight", "ablaze", "aflame"];

/// Returns the words for much the same state as this one, the nearest in meaning first. Returns an empty
/// list if the word doesn't stand for a state.
pub(super) fn words_like(word: &str) -> Vec<&'static str> {
    let place = |states: &&[&str]| states.iter().position(|state| *state == word);
    let having = STATES.iter().copied().filter(|states| place(states).is_some());
    having.min_by_key(place).map(<[&str]>::to_vec).unwrap_or_default()
}
