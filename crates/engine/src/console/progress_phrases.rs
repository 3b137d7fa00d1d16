//! Phrases with which people advance the turn: `on to movement`, `skip to turn 2`, `russians done`.
//! Their lines are only proposed, because a word in the phrase may also be a verb of the game.

use super::phrases;
use super::play::Play;
use super::question_words::{after, has_same_stem, is_alike, is_verb};
use super::questions;
use super::suggest;
use crate::command::{self, TypedLine, spoken_number};
use crate::referee::{Action, Event, Inputs};

/// The maximum number of words in a line of several phrases.
const MAX_WORDS: usize = 24;

/// Phrases that begin a line that moves on to another part of the turn, the longest first.
const GOES_ON_TO: [&str; 41] = [
    "straight on to",
    "and straight on to",
    "go straight on to",
    "skip straight to",
    "move straight on to",
    "go straight to",
    "skip forward to",
    "skip ahead to",
    "skip on to",
    "carry on with",
    "carry on to",
    "continue with",
    "continue to",
    "proceed to",
    "forward to",
    "straight to",
    "go on with",
    "go on to",
    "move on to",
    "get on with",
    "ahead to",
    "jump to",
    "skip to",
    "go to",
    "get to",
    "on with",
    "on to",
    "onto",
    "then comes",
    "next comes",
    "next is",
    "time for",
    "work out the",
    "work out",
    "do the",
    "start the",
    "start",
    "begin",
    "next",
    "now",
    "to",
];

/// Phrases that report the end of the actions named after them: `that's all the shooting`.
const ALL_THE: [&str; 14] = [
    "that's all for the",
    "that is all for the",
    "that's all for",
    "that is all for",
    "that's it for the",
    "that's it for",
    "all for",
    "that's all the",
    "thats all the",
    "that's the",
    "thats the",
    "no more",
    "all the",
    "end of the",
];

/// Words that don't identify a part of the turn.
const OF_A_PART: [&str; 30] = [
    "guys", "lads", "men", "boys", "people", "lot", "ones", "last", "the", "phase", "step", "bit",
    "part", "stage", "now", "please", "then", "next", "a", "all", "of", "this", "in", "and", "it",
    "roll", "rolls", "straight", "s", "again",
];

/// Whole phrases that move on to the next part of the turn.
const GOES_ON: [&str; 32] = [
    "go",
    "crack on",
    "press on",
    "push on",
    "carry on then",
    "next thing please",
    "all in",
    "done here",
    "that's your lot",
    "thats your lot",
    "on we go",
    "next lot",
    "next one",
    "next up",
    "next please",
    "next bit",
    "next thing",
    "that's the lot",
    "thats the lot",
    "that is the lot",
    "that's everybody",
    "thats everybody",
    "that's everyone",
    "thats everyone",
    "all finished",
    "everybody's done",
    "all gone",
    "finish",
    "finished",
    "keep going",
    "and on",
    "onwards",
];

/// Whole phrases that end the turn.
const ENDS_TURN: [&str; 12] = [
    "finish the turn",
    "finish this turn",
    "finish off the turn",
    "end this turn",
    "on to the next turn",
    "on to next turn",
    "close the turn",
    "turn is over",
    "turn's over",
    "turn done",
    "end of the turn",
    "that's the turn",
];

/// Words that report that someone has finished.
const OVER: [&str; 12] = [
    "finished moving",
    "done moving",
    "finished firing",
    "done firing",
    "finished shooting",
    "done shooting",
    "done",
    "finished",
    "over",
    "have finished",
    "are done",
    "have moved",
];

/// Words that begin a report that all have acted.
const ALL_HAVE: [&str; 8] = [
    "everyone's",
    "everyones",
    "everybody's",
    "everybodys",
    "everyone has",
    "everybody has",
    "they've all",
    "theyve all",
];

/// The maximum number of words of a report that all have acted.
const MAX_WORDS_OF_REPORT: usize = 5;

/// Returns the lines that advance the turn as a typed line requests, and the rest of the typed
/// line. Returns `None` for any other line.
pub(super) fn lines(play: &Play, typed: &TypedLine<'_>) -> Option<(Vec<String>, Option<String>)> {
    let marks = |c: char| matches!(c, ',' | ';' | '.' | '!' | ':' | '-');
    let mut words: Vec<String> = Vec::new();
    let mut rest = None;
    for (index, token) in typed.tokens.iter().enumerate() {
        let text = token.text.to_lowercase().replace('’', "'");
        let bare = text.trim_matches(marks);
        if !bare.is_empty() {
            words.push(bare.to_owned());
        }
        if text.ends_with([',', ';', '.', '-']) && !words.is_empty() {
            let next = typed.tokens.get(index + 1);
            rest = next.map(|next| typed.line[next.start..].trim().to_owned());
            break;
        }
    }
    if calls_another_side(play, typed) {
        let line = if phrases::sides_have_turns(play) { "next side" } else { "next" };
        return Some((vec![line.to_owned()], None));
    }
    let spoken = without_courtesies(&words.join(" ")).to_owned();
    let spoken = with_initials_in_full(play, &spoken).unwrap_or(spoken);
    let mut lines = lines_for(play, &spoken);
    // In `rescue2, go to b8`, no phase is meant.
    let names_one = || !questions::names_of_pieces(play, &words).is_empty();
    if lines.iter().any(|line| after(line, "next to").is_some()) && names_one() {
        lines.clear();
    }
    if lines == ["next"] {
        lines = vec![line_to_go_on(play)];
    }
    if lines.is_empty() {
        // In `all moved, on to shooting`, the rest says enough.
        let later = rest.filter(|_| words.len() <= MAX_WORDS_OF_REPORT)?;
        let names_any = !questions::names_of_pieces(play, &words).is_empty();
        let is_command =
            || command::begins_with_phrase(play.referee(), play.session.table(), typed);
        if names_any || is_command() || later.split(' ').count() > MAX_WORDS_OF_REPORT {
            return None;
        }
        return self::lines(play, &TypedLine::read(&later).ok()?)
            .filter(|(_, more)| more.is_none());
    }
    // In `crew done, on to the next turn`, the rest is more precise.
    let is_short = typed.tokens.len() <= MAX_WORDS;
    let of_rest = rest.as_deref().filter(|_| is_short).and_then(|later| {
        if later.parse::<f64>().is_ok() {
            return None;
        }
        let bare = later.trim_end_matches(['.', '!']).to_lowercase();
        if NEXT.contains(&bare.as_str()) {
            return Some((vec![bare], None));
        }
        let typed_later = TypedLine::read(later).ok()?;
        self::lines(play, &typed_later).filter(|(_, more)| more.is_none())
    });
    match of_rest {
        // `next, then next` goes on twice.
        Some((twice, None)) if spoken == "next" && twice == lines => {
            Some((lines, Some(twice.join(" "))))
        }
        Some(of_rest) => Some(of_rest),
        None => Some((lines, rest)),
    }
}

/// The maximum number of words that advance the turn at the end of a line.
const MAX_WORDS_AT_END: usize = 4;

/// Splits a line that ends with words which advance the turn, such as `ann walks 4 and next`, before
/// these words. Returns `None` for any other line.
pub(super) fn split_at_end(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String)> {
    let advances =
        |text: &str| lines(play, &TypedLine::read(text).ok()?).filter(|(_, more)| more.is_none());
    // In `all done, on to the next turn`, all words advance the turn.
    if lines(play, typed).is_some() {
        return None;
    }
    let count = typed.tokens.len();
    let first = count.saturating_sub(MAX_WORDS_AT_END).max(1);
    (first..count).find_map(|at| {
        let before = &typed.tokens[at - 1];
        let joins = ["and", "then", "so"].contains(&before.text.to_lowercase().as_str());
        let is_end = joins || before.text.ends_with([',', ';', '.']);
        let end = if joins { before.start } else { before.end };
        let begun = typed.line[..end].trim_end_matches([',', ';', '.', ' ']);
        let rest = typed.line[typed.tokens[at].start..].trim();
        let goes_on_twice = begun.eq_ignore_ascii_case("next");
        // In `ann at bob 9, then holds`, the same piece does something else.
        let acts = rest
            .split(' ')
            .next_back()
            .is_some_and(|word| word.ends_with('s') && is_verb(play, word))
            && rest.split(' ').all(|word| word == "then" || is_verb(play, word));
        if acts {
            return None;
        }
        let splits = || (goes_on_twice || advances(begun).is_none()) && advances(rest).is_some();
        (is_end && !begun.is_empty() && splits()).then(|| (begun.to_owned(), rest.to_owned()))
    })
}

/// The lines of `next` that need no more words.
const NEXT: [&str; 3] = ["next", "next turn", "next side"];

/// Returns the line with which the turn goes on: `next` or, while that is refused, a verb of the phase
/// that needs no pieces, such as `draw`.
pub(super) fn line_to_go_on(play: &Play) -> String {
    let table = play.session.table();
    let phase =
        play.referee().phase_index(table).map(|index| &play.referee().ruleset().phases[index]);
    let is_refused = phase.is_some() && questions::refusal_of(play, "next").is_some();
    let mut verbs = phase.into_iter().flat_map(|phase| phase.verbs.iter().map(|(verb, _)| verb));
    let accepted =
        |verb: &&String| suggest::would_be_accepted(play.words, play.referee(), table, verb);
    let line = verbs.find(|verb| is_refused && accepted(verb));
    line.map_or("next".to_owned(), String::clone)
}

/// Phrases that begin a line which begins the game, during the set-up.
const BEGINS: [&str; 10] = [
    "first turn",
    "first chit",
    "first card",
    "first phase",
    "first player",
    "first side",
    "first move",
    "turn 1",
    "turn one",
    "begin turn",
];

/// Returns the lines for the words before the first comma or other mark.
fn lines_for(play: &Play, spoken: &str) -> Vec<String> {
    let table = play.session.table();
    if play.referee().phase_index(table).is_none() {
        let begins = BEGINS.iter().any(|begun| spoken == *begun || after(spoken, begun).is_some());
        return if begins { vec!["next".to_owned()] } else { Vec::new() };
    }
    let accepted = |line: &str| suggest::would_be_accepted(play.words, play.referee(), table, line);
    if NEXT.contains(&spoken) {
        return vec![spoken.to_owned()];
    }
    if ENDS_TURN.contains(&spoken) || ends_this_turn(play, spoken) {
        return vec!["next turn".to_owned()];
    }
    let anyway = spoken.strip_suffix(" anyway").or_else(|| spoken.strip_suffix(" regardless"));
    if let Some(before) = anyway {
        let line =
            phrase_within(play, before).or_else(|| lines_for(play, before).into_iter().next());
        return line.into_iter().map(|line| format!("{line} !")).collect();
    }
    let all = ALL_THE.iter().find_map(|begun| after(spoken, begun));
    if all.is_some_and(|part| !part.contains(' ') && verb_like(play, part).is_some()) {
        return vec!["next".to_owned()];
    }
    let to = GOES_ON_TO.iter().find_map(|begun| after(spoken, begun));
    if to.is_some_and(|to| {
        ["the next phase", "next phase", "the next step", "next step"].contains(&to)
    }) {
        return vec!["next".to_owned()];
    }
    if let Some(turn) = to
        && let Some(line) = turn_named(play, turn)
    {
        return vec![line];
    }
    if let Some(line) = back_to_phase(play, spoken) {
        return vec![line];
    }
    if let Some(phase) = to.or(Some(spoken)).and_then(|part| phase_numbered(play, part)) {
        return vec![format!("next to {phase}")];
    }
    let all_have = ALL_HAVE.iter().any(|begun| after(spoken, begun).is_some())
        && spoken.split(' ').count() <= MAX_WORDS_OF_REPORT;
    if GOES_ON.contains(&spoken) || all_have || says_side_is_done(play, spoken) {
        return vec!["next".to_owned()];
    }
    // `next card` may ask for a draw.
    if let Some(what) = after(spoken, "next").filter(|what| !what.contains(' ')) {
        let ruleset = play.referee().ruleset();
        let of_next = |phrase: &str| phrase.split(' ').next() == Some("next");
        let mut drawn =
            ruleset.synonyms().filter(|(phrase, verb)| of_next(phrase) && accepted(verb));
        let here = play.referee().phase_index(table).map(|index| &ruleset.phases[index].name);
        let names_other = |phase: String| here.is_none_or(|here| *here != phase);
        if let Some((_, verb)) =
            drawn.next().filter(|_| !phase_named(play, what).is_some_and(names_other))
        {
            return vec![verb.to_owned(), "next".to_owned()];
        }
    }
    // `next card` is the verb of a phase that is called `card`, too.
    if let Some(verb) = after(spoken, "next").and_then(|what| questions::verb_of(play, what))
        && suggest::would_be_accepted(play.words, play.referee(), table, verb)
        && !comes_later(play, verb)
    {
        return vec![verb.to_owned()];
    }
    // `get moving`
    let gerund = after(spoken, "get").filter(|what| what.ends_with("ing") && !what.contains(' '));
    let gerund = gerund.filter(|what| comes_later(play, what));
    if let Some(phase) = gerund.and_then(|what| phase_named(play, what)) {
        return vec![format!("next to {phase}")];
    }
    // `everybody moves` is said when the movement comes next.
    let done_by_all = EVERYBODY.iter().find_map(|everybody| after(spoken, everybody));
    if let Some(phase) = done_by_all
        .filter(|verb| comes_later(play, verb) && !is_verb_of_phase(play, verb))
        .and_then(|verb| phase_named(play, verb))
    {
        return vec![format!("next to {phase}")];
    }
    let named = GOES_ON_TO.iter().find_map(|begun| after(spoken, begun));
    // `next to move german` names the side whose part comes first, too.
    let sides = play.referee().sides(table);
    let without_side = named.and_then(|named| {
        let mut words: Vec<&str> = named.split(' ').filter(|word| *word != "to").collect();
        let count = words.len();
        words.retain(|word| !sides.iter().any(|side| side.eq_ignore_ascii_case(word)));
        (words.len() < count && !words.is_empty()).then(|| words.join(" "))
    });
    let named = without_side.as_deref().or(named);
    let named =
        named.or_else(|| spoken.strip_suffix(" next")).or_else(|| spoken.strip_suffix(" now"));
    // `twos go`
    let numbered = spoken.strip_suffix(" go").filter(|part| number_of(part).is_some());
    let named = named.or(numbered);
    let named =
        named.or_else(|| spoken.strip_suffix(" phase")).or_else(|| spoken.strip_suffix(" then"));
    // A single word may be the name of a phase, and several words its title, unless they also describe
    // this one: the gunfire is going on.
    let bare = spoken.strip_prefix("the ").unwrap_or(spoken);
    let bare = Some(bare).filter(|bare| !is_described(play, bare));
    let alone = bare.filter(|bare| !bare.contains(' '));
    let titled = bare.and(Some(spoken)).filter(|spoken| spoken.contains(' '));
    let is_verb =
        spoken.split(' ').next().is_some_and(|first| play.referee().ruleset().has_verb(first));
    let names_phase = || {
        let verb = verb_like(play, spoken);
        play.referee().ruleset().phases.iter().any(|phase| {
            let means = |word: &str| verb.as_ref().is_some_and(|verb| has_same_stem(word, verb));
            phase.name == spoken
                || means(&phase.name)
                || phase.title.to_lowercase().split(' ').any(means)
        })
    };
    let is_verb = is_verb && (is_verb_of_phase(play, spoken) || !names_phase());
    let alone = alone.filter(|word| !is_verb && comes_later(play, word));
    let named = named.or(alone).and_then(|named| phase_named(play, named));
    // `draw and next` doesn't begin this phase again.
    let begins_again = |phase: &String| to.is_none() && is_this_phase(play, phase);
    let named = named.filter(|phase| !begins_again(phase));
    match named.or_else(|| phase_titled(play, titled?)) {
        Some(phase) => vec![format!("next to {phase}")],
        None => phrase_within(play, spoken).into_iter().collect(),
    }
}

/// Returns true if all these words are in the title of the phase that is going on, perhaps in another
/// form.
fn is_described(play: &Play, spoken: &str) -> bool {
    let here = play.referee().phase_index(play.session.table());
    let words = || spoken.split(' ').filter(|word| !OF_A_PART.contains(word));
    here.is_some_and(|index| {
        let title = play.referee().ruleset().phases[index].title.to_lowercase();
        let has = |word: &str| title.split(' ').any(|part| means_part(part, word));
        words().next().is_some() && words().all(has)
    })
}

/// Returns the words with the first word of a phase's title in place of its initial in front of a number:
/// `initiative 2 moves` for `i2 moves`. Returns `None` if there is no such initial, or if it names a
/// piece.
pub(super) fn with_initials_in_full(play: &Play, spoken: &str) -> Option<String> {
    let table = play.session.table();
    let phases = &play.referee().ruleset().phases;
    let in_full = |word: &str| {
        let (initial, number) = word.split_at_checked(1)?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        if !is_number || command::find_spoken(table, word).is_some() {
            return None;
        }
        phases.iter().find_map(|phase| {
            let title = phase.title.to_lowercase();
            let parts: Vec<&str> = title.split(' ').collect();
            let mut pairs = parts.windows(2);
            let pair = pairs.find(|pair| pair[0].starts_with(initial) && pair[1] == number)?;
            Some(pair.join(" "))
        })
    };
    let words: Vec<&str> = spoken.split(' ').collect();
    let full: Vec<Option<String>> = words.iter().map(|word| in_full(word)).collect();
    full.iter().any(Option::is_some).then(|| {
        let words = words.iter().zip(full).map(|(word, full)| full.unwrap_or((*word).to_owned()));
        words.collect::<Vec<_>>().join(" ")
    })
}

/// Returns true if the phase with this name is going on.
fn is_this_phase(play: &Play, name: &str) -> bool {
    let here = play.referee().phase_index(play.session.table());
    here.is_some_and(|index| play.referee().ruleset().phases[index].name == name)
}

/// Words for everybody at the table.
const EVERYBODY: [&str; 5] = ["everybody", "everyone", "everyone's", "all", "they all"];

/// Returns true if a word is a form of a verb of this phase.
fn is_verb_of_phase(play: &Play, word: &str) -> bool {
    let Some(here) = play.referee().phase_index(play.session.table()) else { return false };
    let verb = verb_like(play, word);
    let phase = &play.referee().ruleset().phases[here];
    verb.is_some_and(|verb| phase.verbs.iter().any(|(own, _)| *own == verb))
}

/// Returns the line that a phrase means even if its first word is a verb of the game.
fn phrase_within(play: &Play, spoken: &str) -> Option<String> {
    let typed = TypedLine::read(spoken).ok()?;
    phrases::progress(play, &typed)
}

/// Returns the line that goes to the turn named by these words: `the next turn`, or `turn 2` if
/// that is the next one.
fn turn_named(play: &Play, words: &str) -> Option<String> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let next = play.referee().turn_number(play.session.table()) + 1;
    let is_next = match words {
        "next turn" | "new turn" | "next go" => true,
        _ => {
            let number = words.strip_prefix("turn ").and_then(spoken_number);
            number.is_some_and(|number| i64::from(number) == next)
        }
    };
    is_next.then(|| "next turn".to_owned())
}

/// Returns the phase with the number that these words give: `phase 9`, `step nine`.
fn phase_numbered(play: &Play, words: &str) -> Option<String> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let number = ["phase", "step"].iter().find_map(|part| after(words, part))?;
    let index = usize::try_from(spoken_number(number)?).ok()?.checked_sub(1)?;
    play.referee().ruleset().phases.get(index).map(|phase| phase.name.clone())
}

/// Words at the end of a line that goes back, in front of the phase.
const BACK_TO: [&str; 2] = ["back to", "back into"];

/// Words in front of `back to` in a line that goes back to a phase.
const BEFORE_BACK: [&str; 25] = [
    "go", "going", "take", "us", "it", "get", "jump", "skip", "move", "step", "put", "let's",
    "lets", "let", "me", "no", "ok", "okay", "right", "so", "now", "and", "then", "please", "we",
];

/// Returns the `undo` line for a line that goes back to a phase that has already begun: `take us back
/// to movement`.
fn back_to_phase(play: &Play, spoken: &str) -> Option<String> {
    let (begun, part) = BACK_TO.iter().find_map(|phrase| spoken.split_once(phrase))?;
    // In `ann ducks back into cover`, a piece goes back.
    if begun.split_whitespace().any(|word| !BEFORE_BACK.contains(&word)) {
        return None;
    }
    let part = part.trim();
    let words: Vec<&str> = part.split(' ').collect();
    // `turn 1 movement`: the turn is found by going back.
    let named = match words.as_slice() {
        ["turn", number, rest @ ..] if spoken_number(number).is_some() => rest.join(" "),
        _ => part.to_owned(),
    };
    let phase = phase_named(play, &named)?;
    let began = |event: &Event| match event {
        Event::Phase { phase: name, skipped, .. } => *name == phase && !skipped,
        _ => false,
    };
    let mut entries = play.session.entries().iter().rev();
    let entry = entries.find(|entry| entry.outcome.events.iter().any(began))?;
    Some(format!("undo to {}", entry.number))
}

/// Returns true if a word names a phase that comes later in this turn.
pub(super) fn comes_later(play: &Play, word: &str) -> bool {
    let Some(here) = play.referee().phase_index(play.session.table()) else { return false };
    let Some(phase) = phase_named(play, word) else { return false };
    let phases = &play.referee().ruleset().phases;
    phases.iter().position(|other| other.name == phase).is_some_and(|index| index > here)
}

/// Words at the end of a line that reports the end of a turn.
const ENDED: [&str; 4] = [" done", " finished", " over", " complete"];

/// Returns true if a line ends the current turn by its number, or begins the next one: `end turn 2`,
/// `turn 3 go`.
fn ends_this_turn(play: &Play, spoken: &str) -> bool {
    let now = play.referee().turn_number(play.session.table());
    let number = |words: &str| {
        let number = words.strip_prefix("turn ").or_else(|| words.strip_prefix('t'));
        number.and_then(spoken_number).map(i64::from)
    };
    let ended = ["end", "finish", "that's", "thats"].iter().find_map(|word| after(spoken, word));
    let without_over = |turn| ENDED.iter().find_map(|over| str::strip_suffix(turn, over));
    let ended = ended.map(|turn| without_over(turn).unwrap_or(turn));
    let ended = ended.map(|turn| turn.strip_prefix("of ").unwrap_or(turn));
    let begun = spoken.strip_suffix(" go").or_else(|| spoken.strip_suffix(" starts"));
    let finished = without_over(spoken).map(|turn| turn.strip_suffix(" is").unwrap_or(turn));
    // `turn 3` alone begins it.
    ended.or(finished).is_some_and(|turn| number(turn) == Some(now))
        || spoken.starts_with("turn ") && number(spoken) == Some(now + 1)
        || begun.is_some_and(|turn| number(turn) == Some(now + 1))
}

/// Words with which a line calls upon the side before them.
const CALLS: [&str; 8] = ["now", "next", "to move", "to go", "turn", "'s turn", "' turn", "go now"];

/// Words for the part of a turn that a side has.
const OF_A_SIDE: [&str; 6] = ["move", "moves", "go", "turn", "half", "part"];

/// Words with which a line calls upon the side after them.
const CALLS_FIRST: [&str; 5] = ["now", "next", "over to", "on to", "now for"];

/// Words for the side that isn't to move.
const OTHER_SIDE: [&str; 8] = [
    "their",
    "theirs",
    "them",
    "the others",
    "the other side",
    "other side",
    "the other player",
    "other player",
];

/// Returns true if a line ends the current turn by its number: `that's turn one`.
pub(super) fn ends_turn_by_number(play: &Play, typed: &TypedLine<'_>) -> bool {
    ends_this_turn(play, typed.line.trim().trim_end_matches(['.', '!']).to_lowercase().as_str())
}

/// Returns true if a line calls upon another side than the one to move: `russians now`, `red's
/// turn`.
pub(super) fn calls_another_side(play: &Play, typed: &TypedLine<'_>) -> bool {
    let spoken = typed.line.trim().trim_end_matches(['.', '!']).to_lowercase().replace('’', "'");
    // In `that's all, red now`, the other part only reports something.
    let parts: Vec<&str> = spoken.split([',', ';']).map(str::trim).collect();
    let Some(calling) = parts.iter().rposition(|part| calls_side(play, part)) else { return false };
    let sides = play.referee().sides(play.session.table());
    let only_reports = |part: &str| {
        let names = questions::names_of_pieces(play, &[part.to_owned()]);
        let verbs = command::verbs_in(play.referee(), play.session.table(), part);
        let has_number = part.contains(|c: char| c.is_ascii_digit());
        names.iter().all(|name| sides.contains(name)) && verbs.is_empty() && !has_number
    };
    let mut others = parts.iter().enumerate().filter(|(at, _)| *at != calling);
    others.all(|(_, part)| only_reports(part))
}

/// Returns true if a part of a line calls upon another side than the one to move.
fn calls_side(play: &Play, said: &str) -> bool {
    // Before the first side moves, any may be called.
    let moving = play.referee().side_to_move(play.session.table());
    let is_name_alone = || TypedLine::read(said).is_ok_and(|typed| typed.tokens.len() < 2);
    if moving.is_none() && is_name_alone() {
        return false;
    }
    let ends = [" then", " first", " please"];
    let without = |text| ends.iter().fold(text, |rest: &str, end| rest.trim_end_matches(end));
    // `first then`
    let spoken = without(without(said)).to_owned();
    // `red's turn to fire`
    let spoken = match spoken.rsplit_once(" to ") {
        Some((called, verb)) if is_verb(play, verb) && called.contains(' ') => called.to_owned(),
        _ => spoken,
    };
    let called = CALLS.iter().find_map(|call| spoken.strip_suffix(call));
    let called = called.or_else(|| CALLS_FIRST.iter().find_map(|call| after(&spoken, call)));
    // `german move`
    let alone = || spoken.rsplit_once(' ').filter(|(_, part)| OF_A_SIDE.contains(part));
    let called = called.or_else(|| alone().map(|(side, _)| side));
    // `red plots`, or the name alone
    let acts =
        || spoken.rsplit_once(' ').filter(|(_, verb)| is_verb(play, verb)).map(|(side, _)| side);
    let called = called.or_else(acts).or(Some(spoken.as_str()));
    let Some(side) = called.map(|side| side.trim_end_matches([' ', '\''])) else { return false };
    let side = side.strip_prefix("the ").unwrap_or(side);
    // In `russian moves now`, the second word adds nothing.
    let side = side
        .rsplit_once(' ')
        .filter(|(_, part)| OF_A_SIDE.contains(part))
        .map_or(side, |(side, _)| side);
    let begun = ["that's ", "thats ", "it's ", "its "].iter().find_map(|it| side.strip_prefix(it));
    let side = begun.unwrap_or(side);
    if OTHER_SIDE.contains(&side) {
        return true;
    }
    let sides = play.referee().sides(play.session.table());
    sides.into_iter().filter(|other| moving.as_ref() != Some(other)).any(|other| {
        side.eq_ignore_ascii_case(&other)
            || side.strip_suffix('s').is_some_and(|one| one.eq_ignore_ascii_case(&other))
    })
}

/// Returns true if a line goes on to the phase that it names after `now`. Without `now`, the name
/// could be a verb.
pub(super) fn goes_on_now(play: &Play, typed: &TypedLine<'_>) -> bool {
    let spoken = typed.line.trim().trim_end_matches(['.', '!']).to_lowercase();
    let later = |phase: &str| comes_later(play, phase);
    after(&spoken, "now").is_some_and(later)
}

/// Returns true if a line reports that the side to move, or all pieces of a kind, have finished.
fn says_side_is_done(play: &Play, spoken: &str) -> bool {
    let rest = ["that's", "thats", "that is"].iter().find_map(|begun| after(spoken, begun));
    let spoken = rest.unwrap_or(spoken);
    let over = OVER.iter().find_map(|over| spoken.strip_suffix(over)?.strip_suffix(' '));
    let over = over.or_else(|| ["done", "finished"].iter().find_map(|begun| after(spoken, begun)));
    // For example, `end the german moves`.
    let ended = ["end", "finish"].iter().find_map(|begun| after(spoken, begun));
    let ended = ended.and_then(|what| {
        let (side, part) = what.rsplit_once(' ')?;
        ["move", "moves", "turn", "go", "fire", "phase"].contains(&part).then_some(side)
    });
    let Some(who) = over.or(ended) else { return false };
    let who = who.strip_prefix("the ").unwrap_or(who);
    let who = who.strip_suffix(" are").or_else(|| who.strip_suffix(" is")).unwrap_or(who);
    let mut kinds = play.referee().ruleset().schema.all_kinds();
    let all = who.strip_prefix("all ").map(|of| of.strip_prefix("the ").unwrap_or(of));
    let names_all =
        |of: &str| kinds.any(|(_, kind)| kind.plural.eq_ignore_ascii_case(of)) || of.ends_with('s');
    let moving = play.referee().side_to_move(play.session.table());
    let is_side = moving.is_some_and(|side| {
        who.eq_ignore_ascii_case(&side)
            || who.strip_suffix('s').is_some_and(|one| one.eq_ignore_ascii_case(&side))
    });
    is_side || all.is_some_and(names_all)
}

/// Returns the phase whose title has all these words, such as `initiative 2 fires`; of several, the one
/// that comes next. Returns `None` if a word names a piece.
fn phase_titled(play: &Play, spoken: &str) -> Option<String> {
    let table = play.session.table();
    let words: Vec<&str> = spoken.split(' ').filter(|word| !OF_A_PART.contains(word)).collect();
    let names_piece = |word: &&str| command::find_spoken(table, word).is_some();
    if words.len() < 2 || words.iter().any(names_piece) {
        return None;
    }
    // `the 2s shoot` names a phase, but `pull a chit` is a command.
    let has_number = words.iter().any(|word| number_of(word).is_some() || ORDINALS.contains(word));
    let is_titled = |title: &str| {
        let parts: Vec<String> = title.split(' ').map(str::to_lowercase).collect();
        words.iter().all(|word| {
            let verb = verb_like(play, word).filter(|_| has_number);
            let verb = verb.as_deref().unwrap_or(word);
            let means = |part: &String| means_part(part, word) || has_same_stem(part, verb);
            parts.iter().any(means)
        })
    };
    let phases = &play.referee().ruleset().phases;
    let titled: Vec<&str> = phases
        .iter()
        .filter(|phase| is_titled(&phase.title))
        .map(|phase| phase.name.as_str())
        .collect();
    match titled.as_slice() {
        [only] => Some((*only).to_owned()),
        [] => phase_of_rule_titled(play, &words),
        several => next_of(play, several),
    }
}

/// Returns the other phase to which rules belong whose titles have all these words, such as `hand to
/// hand`. Returns `None` if there are several, or if this phase has such a rule.
fn phase_of_rule_titled(play: &Play, words: &[&str]) -> Option<String> {
    let ruleset = play.referee().ruleset();
    let here = play.referee().phase_index(play.session.table())?;
    let is_titled = |verb: &str| {
        ruleset.rules_for_verb(verb).iter().any(|id| {
            let title = ruleset.schema.rules[id.index()].title.to_lowercase();
            let parts: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).collect();
            words.iter().all(|word| parts.contains(word))
        })
    };
    let phases = ruleset.phases.iter().enumerate();
    let mut titled =
        phases.filter(|(_, phase)| phase.verbs.iter().any(|(verb, _)| is_titled(verb)));
    let (index, phase) = titled.next()?;
    (index != here && titled.next().is_none()).then(|| phase.name.clone())
}

/// Returns the phase that these words name, if there is only one. They may be its name, words of
/// its title, its verbs, or other words for those verbs.
pub(super) fn phase_named(play: &Play, spoken: &str) -> Option<String> {
    let words: Vec<&str> = spoken.split(' ').filter(|word| !OF_A_PART.contains(word)).collect();
    if words.is_empty() || words.len() > 4 {
        return None;
    }
    // `fire fighting` is `firefighting`.
    let joined = words.concat();
    phase_of_words(play, &words)
        .or_else(|| phase_of_words(play, &[&joined]).filter(|_| words.len() > 1))
}

/// Returns the phase that these words name together, if there is only one.
fn phase_of_words(play: &Play, words: &[&str]) -> Option<String> {
    let ruleset = play.referee().ruleset();
    let names = ruleset.phases.iter().filter(|phase| {
        let title = phase.title.to_lowercase();
        words.iter().all(|word| {
            let of_title = title.split(|c: char| !c.is_alphanumeric());
            let mut known = of_title.chain(phase.name.split('-'));
            let counts = |part: &str| part.len() > 2 || part.bytes().all(|b| b.is_ascii_digit());
            let verb = verb_like(play, word);
            known.any(|part| {
                let is_its_verb = || verb.as_ref().is_some_and(|verb| is_alike(verb, part));
                counts(part) && (means_part(part, word) || is_its_verb())
            })
        })
    });
    let by_verb = ruleset.phases.iter().filter(|phase| {
        let has = |verb: &str, word: &str| {
            let mut phrases = ruleset.synonyms().filter(|(_, of)| *of == verb);
            is_alike(verb, word) || phrases.any(|(phrase, _)| is_alike(phrase, word))
        };
        words.iter().all(|word| phase.verbs.iter().any(|(verb, _)| has(verb, word)))
    });
    let named: Vec<&str> = names.map(|phase| phase.name.as_str()).collect();
    let by_verb: Vec<&str> = by_verb.map(|phase| phase.name.as_str()).collect();
    let exact = named.iter().find(|name| words == [**name]);
    // If several phases have the verb, the ones with the verb in their title are meant.
    let after_verb: Vec<&str> = ruleset
        .phases
        .iter()
        .filter(|phase| by_verb.contains(&phase.name.as_str()))
        .filter(|phase| {
            let mut verbs = words.iter().filter_map(|word| verb_like(play, word));
            let title = phase.title.to_lowercase();
            verbs.any(|verb| title.split(' ').any(|part| is_alike(&verb, part)))
        })
        .map(|phase| phase.name.as_str())
        .collect();
    let by_verb = if after_verb.is_empty() { by_verb } else { after_verb };
    match (exact, named.as_slice(), by_verb.as_slice()) {
        (Some(name), ..) => Some((*name).to_owned()),
        (None, [only], _) | (None, [], [only]) => Some((*only).to_owned()),
        (None, [], []) => None,
        // Of several firing phases, the next one is meant.
        (None, [], several) | (None, several, _) => next_of(play, several),
    }
}

/// Returns the number that a word states, perhaps in the plural: `2s`, `zeros`.
fn number_of(word: &str) -> Option<u32> {
    let one = word.strip_suffix('s').unwrap_or(word);
    if ["zero", "nought"].contains(&one) { Some(0) } else { spoken_number(one) }
}

/// Words for the place of something in an order.
const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// Returns true if a word means this word of a phase's name or title.
fn means_part(part: &str, word: &str) -> bool {
    let ordinal = || (1..).zip(ORDINALS).find(|(_, ordinal)| *ordinal == word).map(|(n, _)| n);
    let number = number_of(word).or_else(ordinal);
    let is_same_number = number.is_some() && number_of(part) == number;
    let is_much_longer = word.len() > part.len() + MAX_ENDING;
    is_same_number || (is_alike(part, word) && !is_much_longer) || ends_with_form(word, part)
}

/// The maximum number of letters that a form of a word has more than the word: `movement`.
const MAX_ENDING: usize = 4;

/// Returns true if a compound word, such as `firefighting`, ends with a form of another word.
fn ends_with_form(compound: &str, word: &str) -> bool {
    let starts = (MIN_FIRST_PART..compound.len()).filter(|&at| compound.is_char_boundary(at));
    let mut ends = starts.map(|at| &compound[at..]).filter(|end| end.len() >= word.len());
    word.len() > MIN_FIRST_PART && ends.any(|end| has_same_stem(end, word))
}

/// The minimum number of letters in the first part of a compound word.
const MIN_FIRST_PART: usize = 3;

/// Returns the verb that a word is a form of, or another word for.
fn verb_like(play: &Play, word: &str) -> Option<String> {
    let ruleset = play.referee().ruleset();
    let find = |fits: &dyn Fn(&str, &str) -> bool| {
        let verb = ruleset.verbs().find(|verb| ruleset.is_typed_verb(verb) && fits(verb, word));
        let meant = || ruleset.synonyms().find(|(phrase, _)| fits(phrase, word));
        verb.or_else(|| meant().map(|(_, of)| of)).map(str::to_owned)
    };
    // `shooting` is a form of `shoot` rather than of `shot`.
    find(&has_same_stem).or_else(|| find(&is_alike))
}

/// The maximum number of steps of the rules that one phase may take when it is tried.
const MAX_STEPS_OF_A_PHASE: u64 = 50_000;

/// Returns the phase among these that comes next. A phase that is skipped doesn't count, as far as
/// that is known without dice.
fn next_of(play: &Play, names: &[&str]) -> Option<String> {
    let referee = play.referee().limited_to(MAX_STEPS_OF_A_PHASE);
    let phases = &referee.ruleset().phases;
    let here = referee.phase_index(play.session.table())?;
    let is_meant = |index: &usize| names.contains(&phases[*index].name.as_str());
    let mut later = (here + 1..phases.len()).chain(0..=here).filter(is_meant);
    let first = later.next()?;
    let mut table = play.session.table().clone();
    for _ in phases {
        let attempted = referee.attempt(&table, &Action::Next, &Inputs::without_dice());
        let (Ok(()), Some(after)) = (attempted.done, attempted.table) else { break };
        table = after;
        let reached = referee.phase_index(&table).filter(is_meant);
        if let Some(index) = reached {
            return Some(phases[index].name.clone());
        }
    }
    Some(phases[first].name.clone())
}

/// Words at the beginning of a line that add nothing.
const COURTESIES: [&str; 18] = [
    "ok",
    "okay",
    "right",
    "so",
    "well",
    "and",
    "then",
    "let's",
    "lets",
    "please",
    "oh",
    "now",
    "yes",
    "yeah",
    "we're",
    "we are",
    "all right",
    "alright",
];

fn without_courtesies(spoken: &str) -> &str {
    let mut spoken = spoken;
    while let Some(rest) = COURTESIES.iter().find_map(|word| after(spoken, word)) {
        spoken = rest;
    }
    ["please", "then", "now"]
        .iter()
        .find_map(|end| spoken.strip_suffix(end)?.strip_suffix(' '))
        .unwrap_or(spoken)
}
