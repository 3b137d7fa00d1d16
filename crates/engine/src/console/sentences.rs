//! Lines that consist of several sentences, such as `that's right so far. who can still move`, and
//! commands of the console next to a remark, such as `bloody hell, undo`.

use super::corrections;
use super::left_out_words;
use super::phrases;
use super::play::Play;
use super::progress_phrases;
use super::question_words;
use super::questions::names_of_pieces;
use super::rulings;
use super::suggest::{self, LineSearch};
use crate::command::{self, Token, TypedLine};

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 9] = ["in", "ins", "no", "nos", "vs", "approx", "st", "mr", "mrs"];

/// The words of the console that may stand next to a remark. Others take the rest of the line.
const BESIDE_REMARKS: [&str; 12] =
    ["undo", "redo", "next", "left", "log", "why", "agree", "map", "more", "help", "setup", "quit"];

/// The maximum number of words in a line that is divided. Longer lines were pasted by mistake.
const MAX_WORDS: usize = 40;

/// The maximum number of words of a console command next to a remark.
const MAX_COMMAND_WORDS: usize = 6;

/// Returns the first sentence of a line and the rest of the line; `None` for a single sentence.
pub(super) fn split<'t>(typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    let (_, before_last) = typed.tokens.split_last().filter(|_| is_short(typed))?;
    let mut ends = before_last.iter().map(|word| !word.quoted && ends_sentence(&word.text));
    let at = 1 + ends.by_ref().skip(1).position(|ends| ends)?;
    let rest = typed.tokens.get(at + 1)?;
    Some((typed.line[..typed.tokens[at].end].trim(), typed.line[rest.start..].trim()))
}

/// Returns a line for the first piece of a list, and the line for the other pieces: `turn mgb1 port 2`
/// and `turn mgb2 port 2` for `turn mgb1 and mgb2 port 2`. Returns `None` if the line has no list.
pub(super) fn for_first_of_list(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String)> {
    let table = play.session.table();
    let name = |word: &Token| {
        let text = word.text.trim_end_matches([',', ';']);
        command::find_spoken(table, text).filter(|_| !word.quoted)
    };
    let joins = |word: &Token| ["and", "&", "+"].contains(&word.text.to_lowercase().as_str());
    let tokens = &typed.tokens;
    let start = tokens.iter().position(|word| name(word).is_some()).filter(|_| is_short(typed))?;
    let mut names = Vec::new();
    let mut end = start;
    while let Some(word) = tokens.get(end) {
        match name(word) {
            Some(name) => names.push(name),
            None if joins(word) && tokens.get(end + 1).is_some_and(|next| name(next).is_some()) => {
            }
            None => break,
        }
        end += 1;
    }
    let before = &typed.line[..tokens[start].start];
    // In `ann and bob both fire`, the word only sums up the list.
    let sums_up =
        |word: &Token| ["both", "each", "all"].contains(&word.text.to_lowercase().as_str());
    let next = if tokens.get(end).is_some_and(sums_up) { end + 1 } else { end };
    let after = tokens.get(next).map_or("", |next| &typed.line[next.start..]);
    // In `leaves ann bob`, the list is at the end.
    let is_at_end = after.is_empty() && start > 0;
    let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
    let line = |pieces: &str| format!("{before}{pieces} {after}").trim_end().to_owned();
    // In `ann fires at bob`, the pieces don't stand side by side. Pieces of different kinds, as in
    // `hose1 ann`, don't do the same.
    let kind = |piece: &String| table.find(piece).map(|(kind, _)| kind);
    let are_alike = others.iter().all(|other| kind(other) == kind(first));
    let are_joined = tokens[start..end].iter().any(|word| joins(word) || word.text.ends_with(','));
    (are_alike && (are_joined || is_at_end)).then(|| (line(first), line(&others.join(" and "))))
}

/// Words at the end of a line that let others do the same.
const ALSO: [&str; 3] = ["too", "also", "well"];

/// Returns the first clause of a line and the rest of the line, if both name a piece.
pub(super) fn first_clause(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String)> {
    let last = typed.tokens.last()?.text.to_lowercase();
    split_at_clause(play, typed, |end, joins, next| {
        // A list of pieces is no clause.
        let kind = |word: &Token| {
            let text = word.text.trim_end_matches([',', ';']);
            let table = play.session.table();
            table.find(&command::find_spoken(table, text)?).map(|(kind, _)| kind)
        };
        // In `cart1 to b8, bob too`, the place isn't part of a list.
        let joins_in = ALSO.contains(&last.as_str()) && kind(end) != kind(next);
        let is_list = kind(end).is_some() && !joins_in && !pairs_up(play, typed, next);
        let rest = &typed.line[next.start..];
        (end.text.ends_with([',', ';']) || joins) && !is_list && names_any(play, rest)
    })
}

/// Words between the two pieces of a clause without a verb.
const BETWEEN: [&str; 5] = ["at", "on", "against", "to", "into"];

/// Returns true if a clause of two pieces begins with this word, like the one at the beginning of the
/// line: `ann at bob and carl at dora`, or `gun1 b4, gun2 b5` if the two are of different kinds.
fn pairs_up(play: &Play, typed: &TypedLine<'_>, next: &Token) -> bool {
    let table = play.session.table();
    let kind = |word: &Token| {
        table.find(&command::find_spoken(table, &word.bare())?).map(|(kind, _)| kind)
    };
    let joins = |word: &&Token| BETWEEN.contains(&word.text.to_lowercase().as_str());
    let pair_from = |at: usize| {
        let first = typed.tokens.get(at)?;
        let between = typed.tokens.get(at + 1).filter(joins);
        let second = typed.tokens.get(if between.is_some() { at + 2 } else { at + 1 })?;
        let one = kind(first)?;
        let other = kind(second)?;
        (between.is_some() || one != other)
            .then(|| (one, other, between.map(|word| word.text.to_lowercase())))
    };
    let at = typed.tokens.iter().position(|word| word.start == next.start);
    let later = at.and_then(pair_from);
    let begun = (0..typed.tokens.len()).find(|&index| kind(&typed.tokens[index]).is_some());
    later.is_some() && begun.and_then(pair_from) == later
}

/// Returns the first clause of a line and the rest of the line, if the first names a piece and the rest
/// begins with a verb: `ann goes 4` and `fights bob`.
pub(super) fn first_act(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String)> {
    split_at_clause(play, typed, |end, joins, next| {
        let verbs = command::verbs_in(play.referee(), play.session.table(), &next.text);
        (joins || end.text.ends_with([',', ';'])) && !verbs.is_empty()
    })
}

/// Splits a line after the first clause that names a piece and ends at the right place. `is_end` gets
/// the last word of the clause, whether a word that joins clauses follows, and the first word of the
/// rest.
fn split_at_clause(
    play: &Play,
    typed: &TypedLine<'_>,
    is_end: impl Fn(&Token, bool, &Token) -> bool,
) -> Option<(String, String)> {
    let joins = |word: &Token| JOINS.contains(&word.text.to_lowercase().as_str());
    let tokens = &typed.tokens;
    let last = tokens.len().checked_sub(1).filter(|_| is_short(typed))?;
    (1..last).find_map(|at| {
        let word = &tokens[at];
        let next = tokens[at + 1..].iter().find(|token| !joins(token))?;
        let first = typed.line[..word.end].trim_end_matches([',', ';', ' ']);
        (!word.quoted && is_end(word, joins(&tokens[at + 1]), next) && names_any(play, first))
            .then(|| (first.to_owned(), typed.line[next.start..].to_owned()))
    })
}

/// Returns true if a part of a line names a piece.
fn names_any(play: &Play, part: &str) -> bool {
    !names_of_pieces(play, &[part.to_owned()]).is_empty()
}

/// Returns true if a line is short enough to be divided.
fn is_short(typed: &TypedLine<'_>) -> bool {
    typed.tokens.len() <= MAX_WORDS
}

/// Returns true if a word ends with a mark that ends a sentence.
fn ends_sentence(word: &str) -> bool {
    let stem = word.trim_end_matches(['.', '!', '?']);
    stem.len() < word.len()
        && !word.ends_with("..")
        && (stem.chars().count() > 1 || stem.parse::<u32>().is_ok())
        && !ABBREVIATIONS.contains(&stem.to_lowercase().as_str())
}

/// Returns the first sentence of a line and the rest of the line, if the line can only be read
/// sentence by sentence: if one of them is a question and the other isn't, or if the first one
/// reports that a piece does nothing. A sentence that begins a correction belongs to the next one.
pub(super) fn split_unlike<'t>(
    play: &Play,
    typed: &'t TypedLine<'_>,
) -> Option<(&'t str, &'t str)> {
    // In `wait, ann stayed at c6`, something is corrected.
    if corrections::takes_back(typed) && !is_idle(play, typed.line) {
        return None;
    }
    let Some((first, rest)) = split(typed) else {
        return split_before_question(typed).or_else(|| split_idle(play, typed));
    };
    let one = TypedLine::read(first).ok()?;
    let other = TypedLine::read(rest).ok()?;
    if corrections::takes_back(&one) {
        return None;
    }
    let differs = question_words::is_question(&one) != question_words::is_question(&other);
    (differs || is_idle(play, first)).then_some((first, rest))
}

/// Words that begin a question after a comma.
const ASKS: [&str; 14] = [
    "who", "who's", "what", "what's", "where", "which", "whose", "how", "why", "can", "could",
    "does", "did", "is",
];

/// Splits a line before a question at its end: `ann is hurt, who can help her`. Returns `None` for any other
/// line.
fn split_before_question<'t>(typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    if question_words::is_question(typed) && !typed.line.trim_end().ends_with('?') {
        return None;
    }
    let (_, before_last) = typed.tokens.split_last().filter(|_| is_short(typed))?;
    let at = before_last.iter().rposition(|word| !word.quoted && word.text.ends_with(','))?;
    let next = typed.tokens.get(at + 1)?;
    let first = typed.line[..typed.tokens[at].end].trim_end_matches([',', ' ']);
    let asks = |word: &Token| ASKS.contains(&word.bare().replace('’', "'").as_str());
    // `what's this, is it ann` is one question.
    let begins = typed.tokens.first().is_some_and(asks);
    let is_long = typed.tokens.len() > at + 3;
    // `bob, who is behind` says more about Bob.
    let second = typed.tokens.get(at + 2).map(Token::bare).unwrap_or_default();
    let is_relative = ["who", "which", "where"].contains(&next.bare().as_str())
        && ["is", "was", "are", "were", "has"].contains(&second.as_str())
        && !typed.line.trim_end().ends_with('?');
    (!is_relative && asks(next) && !begins && is_long)
        .then(|| (first, typed.line[next.start..].trim()))
}

/// Words between two clauses.
const JOINS: [&str; 6] = ["and", "but", "while", "then", "whilst", "so"];

/// Returns true if a part of a line only reports that some pieces, a side or a team do nothing:
/// `bob stays put`, `the rest don't fire`.
pub(super) fn is_idle(play: &Play, part: &str) -> bool {
    let Ok(typed) = TypedLine::read(part) else { return false };
    // In a game with the verb `rest`, a piece that rests does something.
    let is_command =
        || matches!(command::parse(play.referee(), play.session.table(), part), Ok(Some(_)));
    // In `i rule that ann stays hurt`, the umpire decides something.
    let rules = rulings::overrules(&question_words::question_words(&typed));
    if split(&typed).is_some() || is_command() || rules {
        return false;
    }
    if wont_act(play, &typed) {
        return true;
    }
    match command::idle_piece(play.session.table(), &typed.tokens) {
        Some(name) => line_of_idle_piece(play, &typed, &name).is_none(),
        None => says_nothing_is_done(play, &typed),
    }
}

/// Returns true if a line states that some pieces do nothing. In `ann now holds the bridge`, she does something.
pub(super) fn says_nothing_is_done(play: &Play, typed: &TypedLine<'_>) -> bool {
    !command::holds_piece(play.session.table(), &typed.tokens)
        && command::says_nothing_is_done(&typed.tokens)
}

/// Returns true if a line says that somebody has finished, or is to be skipped.
pub(super) fn says_finished(typed: &TypedLine<'_>) -> bool {
    typed
        .tokens
        .iter()
        .any(|word| ["done", "finished", "through", "skip"].contains(&word.bare().as_str()))
}

/// Returns true if the rest of a line, after a clause in which somebody does nothing, only gives the reason
/// for that: `skip ann, she's asleep`.
pub(super) fn only_gives_reason(play: &Play, rest: &str) -> bool {
    let Ok(typed) = TypedLine::read(rest) else { return false };
    let names = names_of_pieces(play, &[rest.to_owned()]);
    let acts = !command::verbs_in(play.referee(), play.session.table(), rest).is_empty();
    (begins_with_reason(&typed) || !acts) && names.is_empty() && console_line(play, rest).is_none()
}

/// Returns true if a clause begins like a reason.
fn begins_with_reason(clause: &TypedLine<'_>) -> bool {
    let first = clause.tokens.first().map(Token::bare).unwrap_or_default().replace('’', "'");
    REASONS.contains(&first.as_str())
}

/// Returns the part of a text after a piece for which the same holds, as in `bob too, next`; `None` if it
/// doesn't begin with one.
pub(super) fn after_same_for_another<'t>(play: &Play, text: &'t str) -> Option<&'t str> {
    let (begun, rest) = text.split_once(',')?;
    let mut words = begun.split(' ');
    let is_piece = |word: &str| command::find_spoken(play.session.table(), word).is_some();
    let is_same = words.next().is_some_and(is_piece)
        && words.next().is_some_and(|word| ALSO.contains(&word))
        && words.next().is_none();
    is_same.then(|| rest.trim())
}

/// Words that begin the reason why somebody does nothing.
const REASONS: [&str; 14] = [
    "he's", "she's", "they're", "it's", "he", "she", "they", "too", "no", "nothing", "because",
    "not", "i", "that's",
];

/// Words with which a line says that somebody doesn't act.
const WONT: [&str; 8] = ["won't", "wont", "doesn't", "doesnt", "isn't", "isnt", "aren't", "don't"];

/// Returns true if a line says that a piece doesn't act with a verb of the game, whichever: `ann won't turn`.
fn wont_act(play: &Play, typed: &TypedLine<'_>) -> bool {
    let [first, wont, verb, ..] = typed.tokens.as_slice() else { return false };
    let acts = |form: &String| question_words::is_verb(play, form);
    let bare = verb.bare();
    let gerund = bare.strip_suffix("ing").map(str::to_owned);
    command::find_spoken(play.session.table(), &first.bare()).is_some()
        && WONT.contains(&wont.bare().replace('’', "'").as_str())
        && command::base_forms(&bare).iter().chain(&gerund).any(acts)
}

/// Returns the line with which a piece that does nothing makes use of a verb of the game, if there is
/// one and it would be accepted: `hold gun1` for `gun1 holds its fire`.
pub(super) fn line_of_idle_piece(play: &Play, typed: &TypedLine<'_>, name: &str) -> Option<String> {
    let table = play.session.table();
    let search = LineSearch::new(play.words, play.referee(), table);
    // In `gun1 doesn't fire`, nothing is done.
    let forms = command::base_forms(&typed.tokens.get(1)?.bare()).into_iter();
    let mut verbs = forms.filter(|form| play.referee().ruleset().is_typed_verb(form));
    let line = |verb: String| search.line_with(&verb, &[name], &|_| true);
    let is_short = |found: &String| found.split(' ').count() == 2;
    verbs.find_map(line).filter(is_short)
}

/// Returns the first clause of a line and the rest of the line, if one of these two reports that some
/// pieces do nothing and the other doesn't: `bob stays put, ann walks 5`.
fn split_idle<'t>(play: &Play, typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    let joins = |word: &Token| JOINS.contains(&word.text.to_lowercase().as_str());
    let ends = |at: &usize| {
        let word = &typed.tokens[*at];
        let next = typed.tokens.get(at + 1);
        !word.quoted && (word.text.ends_with([',', ';']) || next.is_some_and(joins))
    };
    let last = typed.tokens.len().checked_sub(1).filter(|_| is_short(typed))?;
    for at in (1..last).filter(ends) {
        let marks = [',', ';', ' '];
        let first = typed.line[..typed.tokens[at].end].trim_matches(marks);
        let Some(next) = typed.tokens[at + 1..].iter().find(|word| !joins(word)) else { continue };
        let rest = typed.line[next.start..].trim();
        let names = |part: &str| !names_of_pieces(play, &[part.to_owned()]).is_empty();
        let begins_with_idle = is_idle(play, first) && !is_idle(play, rest);
        // In `ann moves 5 and stays put`, the last words say no more about the others.
        let ends_with_idle =
            !is_idle(play, first) && is_idle(play, rest) && names(rest) && names(first);
        if begins_with_idle || ends_with_idle {
            return Some((first, rest));
        }
    }
    None
}

/// Returns the line of the console that a line contains next to a remark, and the rest of the line
/// if it comes after that: `undo` in `undo that, he only moved 3`, or in `bloody hell no, undo`. The
/// remark in front of it may not name a piece or a verb of the game.
pub(super) fn command_beside_remark(
    play: &Play,
    typed: &TypedLine<'_>,
) -> Option<(String, Option<String>)> {
    let ends = |at: &usize| {
        typed.tokens.get(*at).is_some_and(|word| !word.quoted && word.text.ends_with([',', ';']))
    };
    let count = typed.tokens.len();
    let first = (0..count.saturating_sub(1)).find(ends).filter(|_| is_short(typed))?;
    let last = (0..count.saturating_sub(1)).rev().find(ends)?;
    let marks = [',', ';', '.', '!', ' '];
    let begun = typed.line[..typed.tokens[first].end].trim_end_matches(marks);
    let joins = |word: &&Token| JOINS.contains(&word.text.to_lowercase().as_str());
    let next = typed.tokens[first + 1..].iter().find(|word| !joins(word))?;
    let after = typed.line[next.start..].trim();
    if first < MAX_COMMAND_WORDS
        && let Some(line) = console_line(play, begun)
        && !(line == "next"
            && FILLERS.contains(&begun.to_lowercase().as_str())
            && is_command(play, after))
    {
        let gives_reason = line == "undo" && is_about_last(play, after);
        return Some((line, (!gives_reason).then(|| after.to_owned())));
    }
    let remark = &typed.line[..typed.tokens[last].end];
    let end = typed.line[typed.tokens[last + 1].start..].trim_end_matches(marks);
    if count - last > MAX_COMMAND_WORDS + 1 {
        return None;
    }
    let line = console_line(play, end)?;
    // In `finch hasn't fired, go back one`, the remark gives the reason.
    (is_remark(play, remark) || line == "undo").then_some((line, None))
}

/// Phrases in front of a command that may also go on to the next phase.
const FILLERS: [&str; 4] = ["go on", "carry on", "come on", "on we go"];

/// Returns true if a text has a verb of the game and names a piece: `go on, ann fires at bob`.
pub(super) fn is_command(play: &Play, text: &str) -> bool {
    let verbs = command::verbs_in(play.referee(), play.session.table(), text);
    !verbs.is_empty() && names_any(play, text)
}

/// Returns true if a text says something about the last command and commands nothing else: it names a
/// piece that acts in it and has its verb, but no number. After `undo`, such a text gives the reason.
fn is_about_last(play: &Play, text: &str) -> bool {
    let Some(last) = corrections::last_replaceable(play) else { return false };
    let mut parts = last.line.split(' ');
    let verb = parts.next();
    let acting = parts.next().unwrap_or_default();
    let names = names_of_pieces(play, &[text.to_owned()]);
    let has_verb =
        |word: &str| command::base_forms(word).iter().any(|form| Some(form.as_str()) == verb);
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    !text.split([' ', ',']).any(is_number)
        && names.iter().any(|name| acting.split(',').any(|one| one == name))
        && text.split([' ', ',']).any(has_verb)
}

/// Returns the line of the console that the last clause of a line means, whatever precedes it: `next`
/// in `that's our three, next`. Returns `None` if the line is a single clause.
pub(super) fn last_clause(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let (_, before) = typed.tokens.split_last().filter(|_| is_short(typed))?;
    let is_end = |word: &Token| {
        !word.quoted
            && (word.text.ends_with([',', ';']) || ["-", "–", "—"].contains(&word.text.as_str()))
    };
    let last = before.iter().rposition(is_end)?;
    // In `that's wrong, the range was 19, no shot`, the line corrects something.
    let before_end = &typed.line[..typed.tokens[last].end];
    if before_end.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = typed.line[typed.tokens[last + 1].start..].trim_end_matches(['.', '!', ' ']);
    (typed.tokens.len() - last <= MAX_COMMAND_WORDS + 1).then(|| console_line(play, end))?
}

/// Returns true if a part of a line commands nothing: it names no piece and no verb and has no
/// number, or it only reports that somebody has finished or does nothing.
fn is_remark(play: &Play, part: &str) -> bool {
    let Ok(typed) = TypedLine::read(part) else { return false };
    let table = play.session.table();
    let words = question_words::question_words(&typed);
    let says_nothing = names_of_pieces(play, &words).is_empty()
        && command::verbs_in(play.referee(), table, part).is_empty()
        && !part.contains(|c: char| c.is_ascii_digit());
    let is_over =
        words.last().is_some_and(|last| ["done", "finished", "over"].contains(&last.as_str()));
    says_nothing || is_over || is_idle(play, part)
}

/// Returns the line of the console that a text means as a whole: one of its words, a phrase for it,
/// or a phrase that advances the turn. Returns `None` for other commands of the game and for any
/// other text.
fn console_line(play: &Play, text: &str) -> Option<String> {
    // A number alone is a part of what was said before it.
    if text.parse::<f64>().is_ok() {
        return None;
    }
    let typed = TypedLine::read(text).ok()?;
    // `left, then 3` isn't about what is left to do.
    if typed.tokens.len() > 1 && left_out_words::is_turn(&typed.tokens[0].bare()) {
        return None;
    }
    if let Some((lines, None)) = progress_phrases::lines(play, &typed) {
        return lines.into_iter().next();
    }
    let line = phrases::replace_phrase(play, &typed).unwrap_or_else(|| text.to_owned());
    let meant = TypedLine::read(&line).ok()?;
    let table = play.session.table();
    let word = command::find_console_word(play.referee(), table, play.words, &meant).ok()??;
    let is_typed_in_full = meant.tokens.first().is_some_and(|first| {
        first.text.eq_ignore_ascii_case(word.name)
            && BESIDE_REMARKS.contains(&word.name)
            && !play.referee().ruleset().has_verb(word.name)
    });
    let accepted = suggest::would_be_accepted(play.words, play.referee(), table, &line);
    (is_typed_in_full && accepted).then_some(line)
}

/// Words for those who are left alone.
const WHOM: [&str; 7] = ["him", "her", "it", "them", "that", "those", "everything"];

/// Returns true if a line says, perhaps after `never mind`, that somebody who isn't named is left
/// as he is.
pub(super) fn leaves_somebody_alone(play: &Play, typed: &TypedLine<'_>) -> bool {
    let words = question_words::question_words(typed);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rest = match words.as_slice() {
        ["never", "mind", rest @ ..] | ["nevermind" | "just", rest @ ..] => rest,
        all => all,
    };
    let ["leave", whom, ..] = rest else { return false };
    WHOM.contains(whom) && names_of_pieces(play, &[typed.line.to_owned()]).is_empty()
}

/// Words that begin the goal or the way of a movement, which is measured on the table.
const GOALS: [&str; 12] = [
    "towards", "toward", "along", "past", "behind", "beside", "around", "round", "through",
    "across", "near", "up",
];

/// Splits a line that says how far a piece goes before the words for its goal or its way, as in `ann 9
/// inches towards the shop`. Returns `None` for any other line.
pub(super) fn before_goal(typed: &TypedLine<'_>) -> Option<(String, String)> {
    let at = typed.tokens.iter().position(|word| GOALS.contains(&word.bare().as_str()))?;
    let (before, goal) = typed.line.split_at_checked(typed.tokens[at].start)?;
    let has_number = typed.tokens[..at]
        .iter()
        .any(|word| command::bare_number(&word.bare()).parse::<f64>().is_ok());
    // What follows a comma is something else.
    let is_one_clause = !goal.contains([',', ';']);
    (has_number && is_one_clause).then(|| (before.trim().to_owned(), goal.trim().to_owned()))
}

/// Returns true if a line has no verb, and a distance right before its goal, which is a piece, as in `ann 6
/// past bob`: nothing is done to that piece.
pub(super) fn passes_piece(play: &Play, typed: &TypedLine<'_>) -> bool {
    let Some((before, goal)) = before_goal(typed) else { return false };
    let mut words = before.split_whitespace().rev();
    let last = words.next().unwrap_or_default();
    let is_number = |word: &str| command::bare_number(word).parse::<f64>().is_ok();
    let ends_with_distance = is_number(last) || words.next().is_some_and(is_number);
    ends_with_distance
        && !names_of_pieces(play, &[goal]).is_empty()
        && command::verbs_in(play.referee(), play.session.table(), &before).is_empty()
}

/// Words after a list of pieces that mean the whole list.
const WHOLE_LIST: [&str; 4] = ["both", "all", "together", "each"];

/// Returns the line without a word such as `both` after a list or a group of several pieces, because the
/// list names them already: `ann and bob both fire`. Returns `None` if there is no such word.
pub(super) fn without_word_for_list(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let is_word = |word: &Token| WHOLE_LIST.contains(&word.bare().as_str());
    let at = typed.tokens.iter().skip(1).position(is_word)? + 1;
    let before = typed.line.get(..typed.tokens[at].start)?.trim();
    let named = command::names_in(play.referee(), table, before);
    let group = command::groups_in(play.referee(), table, before);
    let after = typed.line.get(typed.tokens.get(at + 1)?.start..)?;
    let ends_with_piece = command::find_spoken(table, &typed.tokens[at - 1].bare()).is_some();
    let is_list = named.len() > 1 && ends_with_piece || group.len() > 1 && at == 1;
    is_list.then(|| format!("{before} {after}"))
}

/// The maximum number of pieces of a group that are named one by one.
const MAX_IN_GROUP: usize = 6;

/// Returns the line with the pieces of the group that it begins with, one by one: `boat1 and boat2 turn` for
/// `both boats turn`. Returns `None` if it begins with no group.
pub(super) fn with_group_spelled_out(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let little =
        |word: &Token| ["both", "all", "the", "his", "her"].contains(&word.bare().as_str());
    let noun = typed.tokens.iter().position(|word| !little(word))?;
    let begun = &typed.line[..typed.tokens[noun].end];
    let group = command::groups_in(play.referee(), play.session.table(), begun);
    let rest = typed.line.get(typed.tokens.get(noun + 1)?.start..)?;
    let verbs = command::verbs_in(play.referee(), play.session.table(), rest);
    if verbs.is_empty() {
        return None;
    }
    (2..=MAX_IN_GROUP).contains(&group.len()).then(|| format!("{} {rest}", group.join(" and ")))
}

/// Returns the line with the pieces of the groups in a list one by one: `bob, cart1 and cart2 go 8` for `bob and
/// the carts go 8`. Returns `None` if no list of pieces has a group in it.
pub(super) fn with_groups_in_list(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let table = play.session.table();
    let joins = |word: &Token| ["and", "&"].contains(&word.bare().as_str());
    let is_little =
        |word: &Token| joins(word) || ["the", "both", "all"].contains(&word.bare().as_str());
    let is_piece = |word: &Token| command::find_spoken(table, &word.bare()).is_some();
    let group = |word: &Token| {
        let names = command::groups_in(play.referee(), table, &word.bare());
        (2..=MAX_IN_GROUP).contains(&names.len()).then_some(names).filter(|_| !is_piece(word))
    };
    let tokens = &typed.tokens;
    let mut spelled = typed.line.to_owned();
    for at in (0..tokens.len()).rev() {
        let Some(names) = group(&tokens[at]) else { continue };
        let mut before = tokens[..at].iter().rev();
        let mut after = tokens[at + 1..].iter();
        let follows =
            before.clone().next().is_some_and(|word| is_little(word) || word.text.ends_with(','))
                && before.find(|word| !is_little(word)).is_some_and(is_piece);
        let precedes = (tokens[at].text.ends_with(',') || after.clone().next().is_some_and(joins))
            && after.find(|word| !is_little(word)).is_some_and(is_piece);
        if follows || precedes {
            let end = tokens[at].end_before(&[',', '.', ';']);
            spelled.replace_range(tokens[at].start..end, &names.join(" and "));
        }
    }
    (spelled != typed.line).then_some(spelled)
}

/// Phrases that begin the purpose of an act.
const PURPOSES: [&str; 9] = [
    " to get at ",
    " in order to ",
    " so as to ",
    " so that ",
    " so he can ",
    " so she can ",
    " so they can ",
    " ready to ",
    " to be able to ",
];

/// Returns a line up to the purpose of its act, and the purpose: `ann goes to b2` and `to get at b3`. Returns `None`
/// for a line without a purpose.
pub(super) fn before_purpose<'t>(typed: &'t TypedLine<'_>) -> Option<(&'t str, &'t str)> {
    let at = PURPOSES.iter().filter_map(|phrase| typed.line.find(phrase)).min()?;
    let before = typed.line.get(..at)?.trim().trim_end_matches(',');
    (!before.is_empty()).then_some((before, typed.line.get(at..)?.trim()))
}

/// Returns a line up to its last comma and the rest, if the rest only names pieces that do the same: `ann shoots
/// bob, 9 inches` and `carl too`. Returns `None` for any other line.
pub(super) fn before_others(play: &Play, typed: &TypedLine<'_>) -> Option<(String, String)> {
    let line = typed.line.trim_end_matches(['.', '!', ' ']);
    let after = |at: usize| {
        let rest = line[at..].trim_start_matches([',', ' ']);
        rest.strip_prefix("and ").unwrap_or(rest).trim()
    };
    // `fires at bob and carl and dora too`
    let joins = |at: &usize| line[*at..].starts_with(',') || line[*at..].starts_with(" and ");
    let mut places = line.char_indices().map(|(at, _)| at).filter(joins);
    let at = places.find(|at| do_the_same(play, after(*at)))?;
    Some((line[..at].trim().to_owned(), after(at).to_owned()))
}

/// Returns true if a text only names pieces, and says that they do the same.
fn do_the_same(play: &Play, text: &str) -> bool {
    let Ok(others) = TypedLine::read(text) else { return false };
    let is_also = |word: &Token| ALSO.contains(&word.bare().as_str());
    let is_of_list = |word: &Token| {
        is_also(word)
            || ["and", "as", "so"].contains(&word.bare().as_str())
            || command::find_spoken(play.session.table(), &word.bare()).is_some()
    };
    others.tokens.iter().any(is_also) && others.tokens.iter().all(is_of_list)
}

/// Returns the line without `too` or `as well` at the end of a clause, if it has an actor and another piece:
/// `ann shoots bob too`. Returns `None` for any other line.
pub(super) fn without_too(play: &Play, typed: &TypedLine<'_>) -> Option<String> {
    let line = typed.line.trim_end_matches(['.', '!']);
    let rest = [" too", " as well"].iter().find_map(|also| {
        let within = line.split_once(&format!("{also},"));
        let within = within.map(|(before, after)| format!("{before},{after}"));
        within.or_else(|| Some(line.strip_suffix(also)?.trim_end_matches([',', ' ']).to_owned()))
    })?;
    // In `ann shoots bob, carl too`, somebody else does the same.
    let last = rest.rsplit([',', ';']).next().unwrap_or_default().replace(" and ", " ");
    let is_piece = |word: &str| command::find_spoken(play.session.table(), word).is_some();
    let names_another = last.len() < rest.len()
        && last.split_whitespace().all(|word| word == "and" || is_piece(word));
    let has_target = names_of_pieces(play, std::slice::from_ref(&rest)).len() > 1;
    (has_target && !names_another).then_some(rest)
}
