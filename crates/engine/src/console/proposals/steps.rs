//! Lines in which one piece takes several steps: `ann turns right, then 2 ahead`, `bob left 3 and down`. If
//! a verb takes them all, one line is found for them; otherwise a line for the first steps, and the rest of
//! the typed line.

use crate::command::{self, LineError, Token, TypedLine};
use crate::console::corrections;
use crate::console::left_out_words::{self, AHEAD, PREPOSITIONS, is_turn};
use crate::console::likely_lines;
use crate::console::play::Play;
use crate::console::questions::{self, QUESTION_WORDS, verb_of};
use crate::console::suggest::LineSearch;
use crate::language::schema::KindId;

/// The maximum number of words in the typed line.
const MAX_WORDS: usize = 24;

/// The maximum number of words in front of the piece that acts.
const MAX_BEFORE: usize = 2;

/// The maximum number of lines that the first steps may mean.
const MAX_LINES: usize = 2;

/// Words between two steps.
const JOINS: [&str; 5] = ["and", "then", "&", "next", "afterwards"];

/// Words of lines that deny or repeat something, or depend on it.
const OTHER: [&str; 24] = [
    "not", "no", "never", "without", "if", "unless", "but", "except", "until", "instead", "cant",
    "dont", "didnt", "wont", "isnt", "wasnt", "doesnt", "cannot", "same", "again", "too", "stays",
    "holds", "was",
];

/// Words that add nothing to a step.
const LITTLE: [&str; 33] = [
    "a", "an", "the", "his", "her", "its", "their", "he", "she", "it", "they", "him", "them", "to",
    "hexes", "hex", "inches", "inch", "ins", "squares", "square", "steps", "spaces", "points",
    "more", "another", "now", "first", "hard", "sharp", "sharply", "then", "will",
];

/// The meaning of the steps of a piece.
pub(super) enum StepsMeant {
    Steps(Steps),
    /// A line with all the steps, which would be refused.
    Refused(String),
}

/// The lines for the steps of a piece.
pub(super) struct Steps {
    /// Lines that would be accepted for the first steps.
    pub lines: Vec<String>,
    /// The rest of the line, with the acting piece in front of it.
    pub rest: Option<String>,
    /// Words that the lines leave out.
    pub without: Vec<String>,
}

/// The piece that acts.
struct Actor {
    name: String,
    kind: KindId,
    row: u32,
}

/// A line for some steps, with the typed words that aren't understood.
struct StepLine {
    line: String,
    unknown: Vec<String>,
}

/// Returns the lines for the steps of the only piece that acts in a line. Returns `None` if the line has no
/// such piece, or if it isn't clear what the first step is. `is_proposed` is true if a line has been proposed
/// for it already.
pub(super) fn find(play: &Play, typed: &TypedLine<'_>, is_proposed: bool) -> Option<StepsMeant> {
    let table = play.session.table();
    let in_words = command::answer_in_words_of_rules(play.referee(), table, typed.line);
    let said = in_words.as_deref().unwrap_or(typed.line);
    let spelled = TypedLine::read(said).ok()?;
    let tokens = &spelled.tokens;
    let is_plain = tokens.len() <= MAX_WORDS && tokens.iter().all(|one| !one.quoted);
    let (actor, at) = actor(play, tokens).filter(|_| is_plain)?;
    let is_other = |word: &Token| {
        let text = bare(word).replace('’', "'");
        OTHER.contains(&text.as_str()) || text.ends_with("n't") || is_opponent(play, &actor, &text)
    };
    if tokens.iter().any(is_other) {
        return None;
    }
    // A line with the verb in front has its own help, unless other steps follow.
    let joins = |word: &Token| JOINS.contains(&bare(word).as_str());
    let has_verb = play.referee().ruleset().is_typed_verb(&bare(&tokens[0]));
    if has_verb && !is_proposed && !tokens.iter().any(joins) {
        return None;
    }
    let search = LineSearch::new(play.words, play.referee(), table);
    let mut steps = vec![tokens[..at].to_vec()];
    let mut ends_at_mark = false;
    for token in &tokens[at + 1..] {
        let ends = token.text.ends_with([',', ';']);
        if joins(token) {
            ends_at_mark = false;
            // The mark shows where a step ends.
            if let Some(last) = steps.last_mut().and_then(|step| step.last_mut()) {
                last.text.push(',');
            }
            steps.push(Vec::new());
        } else if let Some(last) = steps.last_mut() {
            last.push(token.clone());
            if ends {
                ends_at_mark = true;
                steps.push(Vec::new());
            }
        }
    }
    steps.retain(|step| !step.is_empty());
    let means_step = |step: &[Token]| step.iter().any(|word| is_meant(play, &bare(word)));
    if !steps.first().is_some_and(|step| means_step(step)) {
        return None;
    }
    // What isn't understood may follow a step that is certain, but not after a comma.
    let are_steps = steps.iter().all(|step| means_step(step));
    if !are_steps && ends_at_mark {
        return None;
    }
    let rest_from = |next: &Token| format!("{} {}", actor.name, said[next.start..].trim());
    // As many steps as a verb takes belong to one line.
    for count in (1..=steps.len()).rev() {
        let words = steps[..count].concat();
        let rest = steps.get(count).and_then(|step| step.first()).map(rest_from);
        let lines = lines_for(play, &search, &actor, &words);
        // After a comma, only what could be a step is one.
        let is_step = |next: &Vec<Token>| {
            let names_verb = next.iter().any(|word| verb_of(play, &bare(word)).is_some());
            names_verb || !lines_for(play, &search, &actor, next).accepted.is_empty()
        };
        if ends_at_mark && steps.get(count).is_some_and(|next| !is_step(next)) {
            continue;
        }
        if let Some(found) = with_lines(&lines.accepted, rest)
            && (are_steps || found.without.is_empty())
        {
            return Some(StepsMeant::Steps(found));
        }
        if let [only] = lines.refused.as_slice()
            && lines.accepted.is_empty()
            && count == steps.len()
        {
            return Some(StepsMeant::Refused(only.clone()));
        }
    }
    // In `ann left 3`, nothing stands between two steps.
    let first = &steps[0];
    (1..first.len()).rev().find_map(|end| {
        if !means_step(&first[..end]) || !means_step(&first[end..]) {
            return None;
        }
        let lines = lines_for(play, &search, &actor, &first[..end]);
        // In `ann 2 walks 3`, no two steps are meant.
        let verb = |line: &StepLine| line.line.split(' ').next().map(str::to_owned);
        let later = lines_for(play, &search, &actor, &first[end..]).accepted;
        let differs = |line: &StepLine| later.iter().all(|one| verb(one) != verb(line));
        if later.is_empty() || !lines.accepted.iter().all(differs) {
            return None;
        }
        with_lines(&lines.accepted, Some(rest_from(&first[end]))).map(StepsMeant::Steps)
    })
}

/// Returns the error with the line that takes other steps instead of the refused proposal or the last
/// command: after `plot ann 2 right`, `left then 3` means `plot ann 0 left 3`. Returns `None` if the steps
/// aren't one line, or if they don't begin with a step.
pub(super) fn with_other_steps(play: &Play, error: &LineError, said: &str) -> Option<LineError> {
    let last = corrections::last_replaceable(play);
    let corrected = play.refused.as_deref().or(last.map(|last| last.line.as_str()))?;
    let (verb, rest) = corrected.split_once(' ')?;
    let acting = rest.split(' ').next()?;
    let own = format!("{acting} {said}");
    // A single word is corrected in its place.
    let is_step = TypedLine::read(said).is_ok_and(|typed| {
        typed.tokens.len() > 1 && typed.tokens.first().is_some_and(|first| is_turn(&bare(first)))
    });
    play.session.table().find(acting).filter(|_| is_step)?;
    let steps = match find(play, &TypedLine::read(&own).ok()?, false)? {
        StepsMeant::Steps(steps) => steps,
        StepsMeant::Refused(_) => return None,
    };
    let is_same_act = |line: &String| line.split(' ').next() == Some(verb);
    let is_whole = steps.rest.is_none() && steps.lines.iter().all(is_same_act);
    let outer = if play.refused.is_some() { "" } else { "oops " };
    let lines = steps.lines.iter().map(|line| format!("{outer}{line}")).collect();
    (is_whole && steps.without.is_empty()).then(|| error.clone().proposing(lines))
}

/// Returns true if a word names a piece that isn't a place: nobody takes steps against it.
fn is_opponent(play: &Play, actor: &Actor, word: &str) -> bool {
    let table = play.session.table();
    let piece = command::find_spoken(table, word).and_then(|name| table.find(&name));
    piece.is_some_and(|(kind, row)| {
        !play.referee().ruleset().schema.kind(kind).plan && (kind, row) != (actor.kind, actor.row)
    })
}

/// Returns the steps with these lines. Returns `None` if there are no lines, or too many.
fn with_lines(found: &[StepLine], rest: Option<String>) -> Option<Steps> {
    let fewest = found.iter().map(|one| one.unknown.len()).min()?;
    let found: Vec<&StepLine> = found.iter().filter(|one| one.unknown.len() == fewest).collect();
    let without = found.first()?.unknown.clone();
    let lines: Vec<String> = found.iter().map(|one| one.line.clone()).collect();
    (lines.len() <= MAX_LINES).then_some(Steps { lines, rest, without })
}

/// Returns a word in lower case, without the punctuation around it.
fn bare(word: &Token) -> String {
    word.bare().trim_matches([':', '(', ')']).to_owned()
}

/// Returns the only piece with which a line begins, perhaps after a verb, and the index of its word. Returns
/// `None` if there is none, if it can't act now, or if another one is listed beside it.
fn actor(play: &Play, tokens: &[Token]) -> Option<(Actor, usize)> {
    let table = play.session.table();
    let piece = |word: &Token| table.find(&command::find_spoken(table, &bare(word))?);
    let at = tokens.iter().take(MAX_BEFORE + 1).position(|word| piece(word).is_some())?;
    let (kind, row) = piece(&tokens[at])?;
    let is_plan = play.referee().ruleset().schema.kind(kind).plan;
    let next = tokens[at + 1..].iter().find(|word| !JOINS.contains(&bare(word).as_str()));
    let is_listed = next.and_then(piece).is_some_and(|(of, _)| of == kind);
    // In `that costs ann 2`, ann doesn't act.
    let leads = |word: &Token| {
        let text = bare(word);
        LITTLE.contains(&text.as_str())
            || JOINS.contains(&text.as_str())
            || ["so", "ok", "okay"].contains(&text.as_str())
            || !command::verbs_in(play.referee(), table, &text).is_empty()
    };
    let may_act = !is_plan
        && !is_listed
        && tokens[..at].iter().all(leads)
        && questions::may_move(play, kind, row);
    may_act.then(|| (Actor { name: table.piece_name(kind, row), kind, row }, at))
}

/// Returns true if a text without a piece begins with a step: a turn or a distance.
pub(super) fn begins_with_step(text: &str) -> bool {
    let Ok(typed) = TypedLine::read(text) else { return false };
    let words: Vec<String> = typed.tokens.iter().map(bare).collect();
    let Some(first) = words.first() else { return false };
    let is_number = likely_lines::number_of(first).is_some();
    let goes_on = |word: &String| {
        LITTLE.contains(&word.as_str())
            || AHEAD.contains(&word.as_str())
            || JOINS.contains(&word.as_str())
            || is_turn(word)
    };
    is_turn(first) || is_number && words.get(1).is_none_or(goes_on)
}

/// Returns true if a word may be a step of its own: a number, a value, a direction or a verb.
fn is_meant(play: &Play, word: &str) -> bool {
    let table = play.session.table();
    likely_lines::number_of(word).is_some()
        || command::spoken_number(word).is_some()
        || command::is_parameter_value(play.referee(), word)
        || command::is_usage_word(play.referee(), word) && !PREPOSITIONS.contains(&word)
        || is_turn(word)
        || !command::verbs_in(play.referee(), table, word).is_empty()
}

/// The lines for some steps.
#[derive(Default)]
struct StepLines {
    accepted: Vec<StepLine>,
    refused: Vec<String>,
}

/// Returns the lines of this phase in which the piece takes these steps. Each line has all the words that
/// mean something.
fn lines_for(play: &Play, search: &LineSearch<'_>, actor: &Actor, words: &[Token]) -> StepLines {
    let table = play.session.table();
    let phases = &play.referee().ruleset().phases;
    let mut found = StepLines::default();
    let Some(phase) = play.referee().phase_index(table) else { return found };
    let verbs = phases[phase].verbs.iter().map(|(verb, _)| verb.as_str());
    let verbs = verbs.filter(|verb| questions::takes_kind(play, verb, actor.kind));
    for verb in verbs {
        let Some(said) = words_of_verb(play, verb, actor, words) else { continue };
        let readable = forms(play, verb, actor, &said).into_iter().filter_map(|form| {
            let command = command::parse(play.referee(), table, &form).ok()??;
            let acts = play.acting_pieces(&command.action) == [(actor.kind, actor.row)];
            let line = command.restated.unwrap_or(form);
            (acts && line.split(' ').next() == Some(verb)).then_some(line)
        });
        let mut readable: Vec<String> = readable.collect();
        readable.sort_by_key(|line| !has_order(line, &said.used));
        if let Some(line) = readable.iter().find(|line| search.accepts(line)) {
            if found.accepted.iter().all(|one| one.line != *line) {
                found.accepted.push(StepLine { line: line.clone(), unknown: said.unknown });
            }
        } else if let Some(line) = readable.into_iter().next()
            && (said.unknown.is_empty() || said.used.len() > 1)
            && !found.refused.contains(&line)
        {
            found.refused.push(line);
        }
    }
    found
}

/// The words of some steps that a verb may take.
struct SaidWords {
    used: Vec<String>,
    unknown: Vec<String>,
}

/// Returns the words of some steps that a verb may take. Returns `None` if another word means something, or
/// if there is neither such a word nor the verb.
fn words_of_verb(play: &Play, verb: &str, actor: &Actor, words: &[Token]) -> Option<SaidWords> {
    let table = play.session.table();
    let referee = play.referee();
    let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let text = text.join(" ");
    let of_verb = command::words_for_verb(referee, table, &text, verb);
    let literals = command::words_of_usages(referee, verb);
    let phrases = referee.ruleset().synonyms().filter(|(_, of)| *of == verb);
    let in_phrases: Vec<&str> = phrases.flat_map(|(phrase, _)| phrase.split(' ').skip(1)).collect();
    let unknown = command::unknown_words(referee, table, &text);
    let mut said = SaidWords { used: Vec::new(), unknown: Vec::new() };
    let mut used_before = 0;
    for (index, token) in words.iter().enumerate() {
        let word = turn_in_words_of_rules(play, bare(token));
        let begins_step = index > 0 && words[index - 1].text.ends_with([',', ';']);
        // The line would drop a step if it used none of its words.
        if begins_step && said.used.len() == used_before && of_verb.is_empty() {
            return None;
        }
        if begins_step {
            used_before = said.used.len();
        }
        let number = likely_lines::number_of(&word)
            .or_else(|| command::spoken_number(&word).map(|number| number.to_string()));
        if let Some(number) = number {
            said.used.push(number);
        } else if let Some(name) = command::find_spoken(table, &word) {
            said.used.push(name);
        } else if literals.contains(&word.as_str()) {
            said.used.push(word);
        } else if of_verb.contains(&word) || LITTLE.contains(&word.as_str()) {
            // It is part of the phrase for the verb, or adds nothing.
        } else if command::is_parameter_value(referee, &word) || in_phrases.contains(&word.as_str())
        {
            said.used.push(word);
        } else if is_turn(&word) || command::is_usage_word(referee, &word) && !is_aside(&word) {
            return None;
        } else {
            // A verb for other pieces is only a word for the step.
            let mut verbs = command::verbs_in(referee, table, &word);
            verbs.extend(verb_of(play, &word).map(str::to_owned));
            verbs.retain(|other| questions::takes_kind(play, other, actor.kind));
            let is_other = !verbs.is_empty() && verbs.iter().all(|other| other != verb);
            let line = format!("{verb} {}", actor.name);
            if is_other
                || left_out_words::states_quantity(words, index)
                || command::is_kind_without_piece(referee, table, &word, &line)
            {
                return None;
            }
            let is_unknown = unknown.iter().any(|(other, _)| other.eq_ignore_ascii_case(&word));
            // Only a verb may be unknown: `tacks` in `ann tacks right`.
            let is_verb = index == 0 || begins_step;
            let is_little = is_aside(&word) || command::is_common_word(&word);
            if !is_little && !is_verb {
                return None;
            }
            if is_unknown {
                said.unknown.push(word);
            }
        }
    }
    let drops_last = used_before > 0 && said.used.len() == used_before;
    (!drops_last && (!said.used.is_empty() || !of_verb.is_empty())).then_some(said)
}

/// Words for turns, each with another word for the same turn.
const SAME_TURNS: [(&str, &str); 5] = [
    ("port", "left"),
    ("larboard", "left"),
    ("starboard", "right"),
    ("left", "port"),
    ("right", "starboard"),
];

/// Returns a word. If it is a turn that the rules know by another word, returns that word.
fn turn_in_words_of_rules(play: &Play, typed: String) -> String {
    let referee = play.referee();
    let is_known = |word: &str| {
        let mut phrases = referee.ruleset().synonyms();
        command::is_usage_word(referee, word)
            || command::is_parameter_value(referee, word)
            || phrases.any(|(phrase, _)| phrase.split(' ').skip(1).any(|part| part == word))
    };
    let other = SAME_TURNS.iter().find(|(one, other)| *one == typed && is_known(other));
    match other {
        Some((_, other)) if !is_known(&typed) => (*other).to_owned(),
        _ => typed,
    }
}

/// Returns true if a word often only leads to the next one.
fn is_aside(word: &str) -> bool {
    PREPOSITIONS.contains(&word) || QUESTION_WORDS.contains(&word) || AHEAD.contains(&word)
}

/// Returns true if a line has its words in the same order as they were typed. In `ann right 2`, the turn
/// comes first.
fn has_order(line: &str, said: &[String]) -> bool {
    let is_said = |part: &&str| said.iter().any(|word| word == part);
    let in_line: Vec<&str> = line.split([' ', ',']).skip(1).filter(is_said).collect();
    let wanted = said.iter().map(String::as_str).filter(|word| in_line.contains(word));
    in_line.iter().copied().eq(wanted)
}

/// Returns the forms of a line with a verb and the words of some steps that are tried. A turn may need a
/// distance of 0 in front of it, and a number needs no word for going straight on.
fn forms(play: &Play, verb: &str, actor: &Actor, said: &SaidWords) -> Vec<String> {
    let is_value = |word: &str| is_turn(word) || command::is_parameter_value(play.referee(), word);
    let all: Vec<&str> = said.used.iter().map(String::as_str).collect();
    let bare: Vec<&str> = all.iter().copied().filter(|word| !AHEAD.contains(word)).collect();
    let without_ends: Vec<&str> =
        bare.iter().copied().filter(|word| !PREPOSITIONS.contains(word)).collect();
    let mut forms = Vec::new();
    for words in [all, bare, without_ends] {
        let steps = words.join(" ");
        let name = &actor.name;
        forms.push(format!("{verb} {name} {steps}").trim_end().to_owned());
        forms.push(format!("{name} {verb} {steps}").trim_end().to_owned());
        if words.first().is_some_and(|first| is_value(first) && !AHEAD.contains(first)) {
            forms.push(format!("{verb} {name} 0 {steps}"));
        }
    }
    forms.dedup();
    forms
}
