//! Suggestions while a line is being typed: words that could follow in an accepted line, and words
//! that can't be right.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use super::complete::{complete, meanings};
use super::play::Word;
use crate::command::{self, Command, Token, TypedLine};
use crate::language::machine::{Halt, PlayFault};
use crate::language::schema::KindId;
use crate::names::sanitize;
use crate::referee::{Action, Inputs, PartialArgument, PartialCall, Referee};
use crate::tabletop::Tabletop;

/// The maximum number of trials for one suggestion. Suggestions that need more share the trials
/// that the others leave.
const MAX_TRIES_OF_ONE: u32 = 240;

/// The minimum number of trials for one suggestion, however many suggestions there are.
const MIN_TRIES_OF_ONE: u32 = 32;

/// The maximum number of lines to try when looking for an example of a possible action in a phase.
/// The umpire is waiting for the example.
const MAX_TRIES_OF_EXAMPLE: u32 = 600;

/// The maximum number of trials for all suggestions at once: lines that are tried, and unfinished
/// calls that are examined. The umpire waits for the suggestions after every Tab.
const MAX_TRIES: u32 = 1800;

/// The maximum number of steps that one line may take when it is tried. A longer trial is not worth
/// the wait.
const MAX_STEPS_OF_A_TRY: u64 = 20_000;

/// The number of trials charged for a line that takes too many steps.
const TRIES_OF_UNSURE: u32 = 25;

/// The maximum number of words added to a line to find one that is accepted.
const MAX_MORE_WORDS: usize = 8;

/// Values to try where a number is expected.
const NUMBERS: [&str; 4] = ["1", "2", "6", "12"];

/// Words that could follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// The byte offset at which the word that is being typed begins.
    pub start: usize,
    /// The words that the typed word could become.
    pub all: Vec<Suggestion>,
}

/// A word that could follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The word in full.
    pub word: String,
    /// A short description; may be empty.
    pub description: String,
}

/// The result of trying a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Accepted,
    /// Finding out would take longer than the umpire should have to wait.
    Unsure,
    Refused,
    /// One of the line's words doesn't fit, unless more words follow it.
    Misread,
    /// Something is missing at the end of the line.
    Unread,
}

/// The kind of line that a search looks for.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// A function that returns true for the wanted actions; `None` if any action will do.
    acts: Option<&'a dyn Fn(&Action) -> bool>,
    /// True if the rules may refuse the line.
    refused: bool,
}

/// The table on which lines are tried.
struct SuggestionTrial<'a> {
    words: &'a [Word],
    referee: Referee,
    table: &'a Tabletop,
    /// The number of trials left for all suggestions.
    tries: Cell<u32>,
    /// The number of trials for one verb and one piece.
    tries_of_verb: u32,
    /// True if the search for one verb and one piece ended for want of trials.
    gave_up: Cell<bool>,
    /// The numbers to try where one is expected.
    numbers: Vec<String>,
    /// The words to try before others.
    preferred: Vec<String>,
    /// For each unfinished call that was examined, true if it is refused however it continues.
    refuted: RefCell<HashMap<PartialCall, bool>>,
    /// The fates of the lines that were tried.
    fates: RefCell<HashMap<String, Fate>>,
}

impl<'a> SuggestionTrial<'a> {
    fn new(words: &'a [Word], referee: &Referee, table: &'a Tabletop) -> SuggestionTrial<'a> {
        let referee = referee.limited_to(MAX_STEPS_OF_A_TRY);
        let numbers = NUMBERS.map(str::to_owned).to_vec();
        SuggestionTrial {
            words,
            referee,
            table,
            tries: Cell::new(MAX_TRIES),
            tries_of_verb: MAX_TRIES_OF_VERB,
            gave_up: Cell::new(false),
            numbers,
            preferred: Vec::new(),
            refuted: RefCell::default(),
            fates: RefCell::default(),
        }
    }

    /// Returns true if this line is refused or unreadable however it continues.
    fn is_dead_end(&self, line: &str) -> bool {
        let Some(meanings) = meanings(self.words, &self.referee, self.table, line) else {
            return false;
        };
        !meanings.is_more && meanings.calls.iter().all(|call| self.is_refuted(call))
    }

    /// Returns true if a call is refused however its line continues.
    fn is_refuted(&self, call: &PartialCall) -> bool {
        self.has_refuted_argument(call) || self.is_refused_so_far(call)
    }

    /// Returns true if one argument of a call is enough for the call to be refused.
    fn has_refuted_argument(&self, call: &PartialCall) -> bool {
        let is_typed = |argument: &PartialArgument| {
            matches!(argument, PartialArgument::Given(_) | PartialArgument::Begun(_))
        };
        let typed = (0..call.arguments.len()).filter(|&i| is_typed(&call.arguments[i]));
        typed.into_iter().any(|index| self.is_refused_so_far(&call.with_only(index)))
    }

    /// Returns true if a call is refused because of the arguments that are known so far, however
    /// its line continues.
    fn is_refused_so_far(&self, call: &PartialCall) -> bool {
        if let Some(&known) = self.refuted.borrow().get(call) {
            return known;
        }
        self.tries.set(self.tries.get().saturating_sub(1));
        let is_refused = self.referee.is_always_refused(self.table, call);
        self.refuted.borrow_mut().insert(call.clone(), is_refused);
        is_refused
    }

    fn fate(&self, line: &str) -> Fate {
        if let Some(&known) = self.fates.borrow().get(line) {
            return known;
        }
        let fate = self.try_line(line);
        self.fates.borrow_mut().insert(line.to_owned(), fate);
        fate
    }

    fn try_line(&self, line: &str) -> Fate {
        self.tries.set(self.tries.get().saturating_sub(1));
        match command::parse_as_typed(&self.referee, self.table, line) {
            Ok(Some(command)) => self.fate_of(&command),
            Err(error) if error.span.is_some_and(|(start, end)| start < end) => Fate::Misread,
            Ok(None) | Err(_) => Fate::Unread,
        }
    }

    fn fate_of(&self, command: &Command) -> Fate {
        let call = PartialCall::of_action(&command.action).filter(|_| !command.insist);
        if call.is_some_and(|call| self.has_refuted_argument(&call)) {
            return Fate::Refused;
        }
        // The dice and questions of the line come later.
        match self.referee.resolve(self.table, &command.action, &Inputs::without_dice()) {
            Err(Halt::Fault(fault))
                if matches!(fault.fault, PlayFault::TooLong | PlayFault::TooLongTogether) =>
            {
                self.tries.set(self.tries.get().saturating_sub(TRIES_OF_UNSURE));
                Fate::Unsure
            }
            Err(Halt::Refused(_) | Halt::Fault(_)) if !command.insist => Fate::Refused,
            _ => Fate::Accepted,
        }
    }

    /// Returns true if a rule of this verb can be called in the current phase. Returns false for a
    /// verb that is also a word of the console, such as `exit`, unless that word gives way to
    /// verbs.
    fn belongs_here(&self, verb: &str) -> bool {
        if self.words.iter().any(|word| word.is(verb) && !word.yields) {
            return false;
        }
        let ruleset = self.referee.ruleset();
        let now = self.referee.phase_name(self.table);
        ruleset.rules_for_verb(verb).iter().any(|id| {
            let phases = &ruleset.schema.rules[id.index()].phases;
            phases.is_empty() || phases.iter().any(|(phase, _)| phase == now)
        })
    }

    /// Returns true if the line, or a longer one, would be accepted; `None` if this can't be
    /// decided in `share` trials.
    fn leads_to_acceptance(&self, line: &str, share: u32) -> Option<bool> {
        let own = Cell::new(share);
        let found = self.search(line, MAX_MORE_WORDS, &own);
        let is_exhausted = own.get() == 0 || self.tries.get() == 0;
        if found.is_none() && is_exhausted { None } else { Some(found.is_some()) }
    }

    /// Returns a flag for each of these lines: true if the line, or a longer one, would be
    /// accepted. The flag is false if this can't be decided in the trials that are left, because no
    /// suggestion is better than a wrong one.
    fn which_lead_to_acceptance(&self, lines: &[String]) -> Vec<bool> {
        let count = u32::try_from(lines.len().max(1)).unwrap_or(u32::MAX);
        let share = (MAX_TRIES / count).clamp(MIN_TRIES_OF_ONE, MAX_TRIES_OF_ONE);
        let mut fates: Vec<Option<bool>> =
            lines.iter().map(|line| self.leads_to_acceptance(line, share)).collect();
        // The remaining trials go to the lines that need more.
        let mut left = fates.iter().filter(|fate| fate.is_none()).count() as u32;
        for (line, fate) in lines.iter().zip(&mut fates) {
            if fate.is_none() {
                *fate = self.leads_to_acceptance(line, self.tries.get() / left);
                left -= 1;
            }
        }
        fates.into_iter().map(|fate| fate == Some(true)).collect()
    }

    fn kind_of(&self, word: &str) -> Option<KindId> {
        self.table.find(word).map(|(kind, _)| kind)
    }

    /// Returns the kind of the last two words of a line if they are pieces of one kind.
    fn kind_of_list(&self, line: &str) -> Option<KindId> {
        let mut words = line.split_whitespace().rev();
        let kind = self.kind_of(words.next()?)?;
        (self.kind_of(words.next()?) == Some(kind)).then_some(kind)
    }

    /// Returns this line or a longer one that would be accepted, if a few trials find one. `own`
    /// holds the number of trials left for this search.
    fn search(&self, line: &str, depth: usize, own: &Cell<u32>) -> Option<String> {
        if own.get() == 0 || self.tries.get() == 0 {
            return None;
        }
        let before = self.tries.get();
        let fate = self.fate(line);
        // A line that is refused may be accepted with more words, and a word that doesn't fit may
        // fit once it isn't the last one.
        let is_open = matches!(fate, Fate::Unread | Fate::Refused | Fate::Misread);
        let may_go_on = is_open && depth > 0;
        let goes_on = may_go_on && !self.is_dead_end(line);
        let used = before.saturating_sub(self.tries.get());
        own.set(own.get().saturating_sub(used.max(u32::from(goes_on))));
        match fate {
            Fate::Accepted => return Some(line.to_owned()),
            Fate::Unsure => {
                own.set(0);
                return None;
            }
            Fate::Refused | Fate::Misread | Fate::Unread if !goes_on => return None,
            Fate::Refused | Fate::Misread | Fate::Unread => {}
        }
        let line = format!("{line} ");
        let found = complete(self.words, &self.referee, self.table, &line, line.len());
        // Longer lists of one kind aren't tried.
        let of_list = self.kind_of_list(&line);
        let is_more = |word: &str| of_list.is_none() || self.kind_of(word) != of_list;
        let words = found.words.iter().map(String::as_str).filter(|word| is_more(word));
        let more: Vec<&str> = self.numbers_first(&line, &found.words).chain(words).collect();
        more.iter().find_map(|word| self.search(&format!("{line}{word}"), depth - 1, own))
    }

    /// Returns the numbers to try after this line. There are numbers to try if no word can follow,
    /// or if every word that can follow would only continue a list of pieces.
    fn numbers_first<'s>(
        &'s self,
        line: &str,
        words: &[String],
    ) -> impl Iterator<Item = &'s str> + use<'s> {
        let last = line.split_whitespace().next_back().and_then(|word| self.kind_of(word));
        let continues_list =
            last.is_some() && words.first().is_some_and(|word| self.kind_of(word) == last);
        let may_follow = words.is_empty() || continues_list;
        self.numbers.iter().map(String::as_str).filter(move |_| may_follow)
    }
}

impl SuggestionTrial<'_> {
    /// Returns a line or a continuation of it that names the pieces in order and satisfies
    /// `wanted`. Where the next piece can be typed, nothing else is tried. Returns `None` if no
    /// line is found in the trials that are left.
    fn search_with(
        &self,
        line: &str,
        pieces: &[&str],
        wanted: Wanted<'_>,
        depth: usize,
        own: &Cell<u32>,
    ) -> Option<String> {
        if own.get() == 0 || self.tries.get() == 0 {
            return None;
        }
        own.set(own.get() - 1);
        let names_it = |piece: &&&str| line.split(' ').skip(1).any(|word| word == **piece);
        let next = pieces.iter().find(|piece| !names_it(piece)).copied();
        let is_named = next.is_none();
        match self.fate(line) {
            Fate::Accepted => {
                let command = command::parse_as_typed(&self.referee, self.table, line).ok()??;
                if is_named && wanted.acts.is_none_or(|acts| acts(&command.action)) {
                    return Some(line.to_owned());
                }
                if is_named {
                    return None;
                }
            }
            Fate::Refused if is_named && wanted.refused => return Some(line.to_owned()),
            Fate::Refused if wanted.refused => {}
            Fate::Refused | Fate::Misread | Fate::Unsure => return None,
            Fate::Unread => {}
        }
        if depth == 0 {
            return None;
        }
        let line = format!("{line} ");
        let found = complete(self.words, &self.referee, self.table, &line, line.len());
        let more: Vec<&str> = match next.filter(|piece| found.words.iter().any(|w| w == piece)) {
            Some(piece) => vec![piece],
            None => {
                let words = found.words.iter().map(String::as_str);
                let mut more: Vec<&str> = words.filter(|word| !pieces.contains(word)).collect();
                more.sort_by_key(|word| !self.preferred.iter().any(|other| other == word));
                self.numbers_first(&line, &found.words).chain(more).collect()
            }
        };
        more.iter().find_map(|word| {
            self.search_with(&format!("{line}{word}"), pieces, wanted, depth - 1, own)
        })
    }
}

/// Returns the word of the console that a line begins with, and the line of the game within it.
/// Returns `None` if the line itself is a line of the game.
fn line_within<'l>(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &'l str,
) -> Option<(String, Option<&'l str>)> {
    let typed = TypedLine::read(line).ok()?;
    let first = typed.tokens.first()?;
    let alone = TypedLine { tokens: vec![first.clone()], ..typed.clone() };
    let is_verb = !referee.ruleset().rules_for_verb(&first.text).is_empty();
    let word = command::begun_console_word(referee, table, words, &typed)
        .or_else(|| command::begun_console_word(referee, table, words, &alone))
        .filter(|word| !(is_verb && (word.yields || word.name != first.text)))?;
    let inner = (word.line)(typed.tokens.get(1..).unwrap_or_default());
    let start = inner.map(|inner| inner.first().map_or(line.len(), |token| token.start));
    Some((word.name.to_owned(), start.and_then(|start| line.get(start..))))
}

/// Words of the console whose inner line is carried out now, on the current table.
const NOW: [&str; 1] = ["odds"];

/// Returns a line that begins with one of these verbs and would be accepted now, if one is found in
/// a few trials, which the verbs share.
pub(super) fn accepted_line<'v>(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    verbs: impl Iterator<Item = &'v str>,
) -> Option<String> {
    let trial = SuggestionTrial::new(words, referee, table);
    let verbs: Vec<&str> = verbs.filter(|verb| trial.belongs_here(verb)).collect();
    let share = MAX_TRIES_OF_EXAMPLE / u32::try_from(verbs.len().max(1)).unwrap_or(u32::MAX);
    verbs.iter().find_map(|verb| trial.search(verb, MAX_MORE_WORDS, &Cell::new(share)))
}

/// The maximum number of lines tried for one verb and one piece.
const MAX_TRIES_OF_VERB: u32 = 240;

/// The maximum number of lines tried to answer a question.
const MAX_TRIES_OF_QUESTION: u32 = 1200;

/// The maximum number of lines tried to answer a question about many pieces or targets.
const MAX_TRIES_AMONG_MANY: u32 = 8 * MAX_TRIES_OF_QUESTION;

/// The maximum number of lines tried for each verb to answer a question about one piece.
const MAX_TRIES_OF_VERB_ABOUT_ONE: u32 = 6 * MAX_TRIES_OF_VERB;

/// A search for lines that would be accepted. Several pieces and verbs share its trials.
pub(super) struct LineSearch<'a>(SuggestionTrial<'a>);

impl<'a> LineSearch<'a> {
    pub(super) fn new(words: &'a [Word], referee: &Referee, table: &'a Tabletop) -> LineSearch<'a> {
        let trial = SuggestionTrial::new(words, referee, table);
        trial.tries.set(MAX_TRIES_OF_QUESTION);
        LineSearch(trial)
    }

    /// Returns the same search with more trials, for a question about many pieces or targets.
    pub(super) fn among_many(self) -> LineSearch<'a> {
        self.0.tries.set(MAX_TRIES_AMONG_MANY);
        self
    }

    /// Returns the same search with more trials for each verb, for a question about one piece.
    pub(super) fn about_one(self) -> LineSearch<'a> {
        let mut search = self.among_many();
        search.0.tries_of_verb = MAX_TRIES_OF_VERB_ABOUT_ONE;
        search
    }

    /// Returns true if no trials are left. In that case, a line that wasn't found may still be
    /// possible.
    pub(super) fn is_exhausted(&self) -> bool {
        self.0.tries.get() == 0
    }

    /// Returns true if a rule of this verb can be called in the current phase.
    pub(super) fn belongs_here(&self, verb: &str) -> bool {
        self.0.belongs_here(verb)
    }

    /// Returns true if the line would be accepted. Returns false if no trials are left.
    pub(super) fn accepts(&self, line: &str) -> bool {
        !self.is_exhausted() && self.0.fate(line) == Fate::Accepted
    }

    /// Returns true if the line would be accepted and would roll dice before it asks a question.
    pub(super) fn throws(&self, line: &str) -> bool {
        let command = command::parse_as_typed(&self.0.referee, self.0.table, line).ok().flatten();
        command.is_some_and(|command| {
            let done =
                self.0.referee.resolve(self.0.table, &command.action, &Inputs::without_dice());
            matches!(done, Err(Halt::Dice(_)))
        })
    }

    /// Returns true if the line would be accepted and would only print text.
    pub(super) fn only_looks(&self, line: &str) -> bool {
        let command = command::parse_as_typed(&self.0.referee, self.0.table, line).ok().flatten();
        command.is_some_and(|command| {
            let done =
                self.0.referee.resolve(self.0.table, &command.action, &Inputs::without_dice());
            done.is_ok_and(|outcome| outcome.only_looks())
        })
    }

    /// Returns a line with a verb that names pieces in order, would be accepted now, and satisfies
    /// `acts`, if one is found in a few trials.
    pub(super) fn line_with(
        &self,
        verb: &str,
        pieces: &[&str],
        acts: &dyn Fn(&Action) -> bool,
    ) -> Option<String> {
        if !self.0.belongs_here(verb) {
            return None;
        }
        let own = Cell::new(self.0.tries_of_verb);
        let wanted = Wanted { acts: Some(acts), refused: false };
        let found = self.0.search_with(verb, pieces, wanted, MAX_MORE_WORDS, &own);
        self.0.gave_up.set(found.is_none() && own.get() == 0);
        found
    }

    /// Returns true if the last line wasn't found, but might have been with more trials.
    pub(super) fn gave_up(&self) -> bool {
        self.0.gave_up.get() || self.is_exhausted()
    }

    /// Returns a line with a verb that names pieces in order and can be read, whether or not it
    /// would be accepted, if one is found in a few trials.
    pub(super) fn readable_line(&self, verb: &str, pieces: &[&str]) -> Option<String> {
        let own = Cell::new(MAX_TRIES_OF_VERB);
        let wanted = Wanted { acts: None, refused: true };
        self.0.search_with(verb, pieces, wanted, MAX_MORE_WORDS, &own)
    }

    /// Returns the same search, but with these numbers tried first where one is expected, and these
    /// words first where they can be typed.
    pub(super) fn preferring(mut self, numbers: &[String], words: &[String]) -> LineSearch<'a> {
        let others = NUMBERS.map(str::to_owned).into_iter().filter(|n| !numbers.contains(n));
        self.0.numbers = numbers.iter().cloned().chain(others).collect();
        self.0.preferred = words.to_vec();
        self
    }
}

pub(super) fn suggest(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    cursor: usize,
) -> Suggestions {
    let found = complete(words, referee, table, line, cursor);
    let before = line.get(..found.start).unwrap_or_default();
    let trial = SuggestionTrial::new(words, referee, table);
    let is_first = before.trim().trim_start_matches('!').is_empty();
    let insists = line.trim_start().starts_with('!');
    let game_line = match line_within(words, referee, table, before) {
        _ if is_first => Some(""),
        None => Some(before),
        Some((word, Some(inner))) if NOW.contains(&word.as_str()) => Some(inner),
        Some(_) => None,
    };
    let offered: Vec<&String> = match game_line {
        Some(inner) if !insists => {
            let begins_anything =
                |word: &str| inner.is_empty() && is_console_word(words, referee, word);
            let needs_trial = |word: &&String| {
                !begins_anything(word) && (!inner.is_empty() || trial.belongs_here(word))
            };
            let tried: Vec<&String> = found.words.iter().filter(needs_trial).collect();
            let lines: Vec<String> = tried.iter().map(|word| format!("{inner}{word}")).collect();
            let fates = trial.which_lead_to_acceptance(&lines);
            let leads = |word: &String| {
                tried.iter().zip(&fates).any(|(tried, fate)| *tried == word && *fate)
            };
            found.words.iter().filter(|word| begins_anything(word) || leads(word)).collect()
        }
        _ => found.words.iter().collect(),
    };
    let describe = |word: &String| Suggestion {
        word: sanitize(word),
        description: sanitize(&describe(words, referee, table, word, game_line == Some(""))),
    };
    Suggestions { start: found.start, all: offered.into_iter().map(describe).collect() }
}

/// Returns true if a first word is a word of the console, and not a verb of the game instead.
fn is_console_word(words: &[Word], referee: &Referee, word: &str) -> bool {
    let is_verb = !referee.ruleset().rules_for_verb(word).is_empty();
    words.iter().any(|known| known.is(word) && !(known.yields && is_verb))
}

/// Returns the description of a word that is a verb or console word at the beginning of a line, or
/// the name of a piece; empty for any other word.
fn describe(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    word: &str,
    is_first: bool,
) -> String {
    let schema = &referee.ruleset().schema;
    if is_first {
        let rules = referee.ruleset().rules_for_verb(word);
        let rule = rules.first().map(|id| schema.rules[id.index()].title.clone());
        let console = || words.iter().find(|w| w.is(word)).map(|w| w.help.to_owned());
        return rule.or_else(console).unwrap_or_default();
    }
    let Some((kind, row)) = table.find(word) else { return String::new() };
    let side = referee.side_of_piece(table, kind, row);
    let kind = schema.kind(kind).name.as_str();
    side.map_or(kind.to_owned(), |side| format!("{kind}, {side}"))
}

pub(super) fn unknown_word(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
    cursor: usize,
) -> Option<Range<usize>> {
    let typed = TypedLine::read(line).ok().filter(|typed| !typed.tokens.is_empty())?;
    let is_typing = |range: &Range<usize>| {
        let touches = range.end == cursor || range.start == cursor;
        touches && !complete(words, referee, table, line, cursor).words.is_empty()
    };
    let unknown = match command::find_console_word(referee, table, words, &typed) {
        Ok(Some(word)) => {
            let inner = (word.line)(typed.words_after_first()).filter(|_| NOW.contains(&word.name));
            let offset = inner.and_then(|inner| inner.first())?.start;
            let inner_line = line.get(offset..)?;
            // Dice are not a line, so none of their words is unknown.
            if begins_with_dice(inner_line) {
                return None;
            }
            let inner_cursor = cursor.saturating_sub(offset);
            let range = unknown_word(words, referee, table, inner_line, inner_cursor)?;
            range.start + offset..range.end + offset
        }
        Ok(None) => {
            let error = command::parse(referee, table, line).err()?;
            let (start, end) = error.span.filter(|_| error.choices.is_empty())?;
            start..end
        }
        Err(error) => {
            let (start, end) = error.span.filter(|_| error.choices.is_empty())?;
            start..end
        }
    };
    Some(unknown).filter(|range| !range.is_empty() && !is_typing(range))
}

/// Returns true if the first word of the text after `odds` contains a digit, so it means dice and
/// not a line of the game.
fn begins_with_dice(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// The word after which a line of the game replaces the last one.
const OOPS: &str = "oops";

pub(super) fn would_be_accepted(
    words: &[Word],
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> bool {
    let Ok(typed) = TypedLine::read(line) else { return false };
    match command::find_console_word(referee, table, words, &typed) {
        Ok(Some(word)) if command::actions::ACTIONS.iter().all(|a| a.name != word.name) => {
            let rest = typed.words_after_first();
            // The line after `oops` must be readable, too.
            let is_readable = |inner: &[Token]| {
                let inner = command::typed_text(line, inner);
                matches!(command::parse(referee, table, &inner), Ok(Some(_)))
            };
            let inner = (word.line)(rest).filter(|inner| !inner.is_empty());
            word.excess_error(rest).is_none()
                && (word.name != OOPS || inner.is_some_and(is_readable))
        }
        Ok(_) => {
            // The umpire may type the words in any order.
            let trial = SuggestionTrial::new(words, referee, table);
            let command = command::parse(&trial.referee, table, line).ok().flatten();
            command.is_some_and(|command| trial.fate_of(&command) == Fate::Accepted)
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests;
