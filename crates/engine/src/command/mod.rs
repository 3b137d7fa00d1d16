//! Parses a typed line as a [`Command`], with every name resolved.
//!
//! Parsing a line changes nothing. For a line that cannot be parsed, the [`LineError`] describes
//! the error, the expected input, and lines that may have been meant. This module parses only lines
//! for actions, which the journal records. The console adds words that look something up or control
//! the session.

pub mod actions;
mod clauses;
mod complete;
mod condition;
mod described_pieces;
mod everyday_verbs;
mod groups;
mod known_words;
mod name_ranges;
mod nearest;
mod reordered;
mod respelled;
mod restate;
mod spoken_messages;
mod spoken_names;
mod spoken_texts;
mod token;
mod units;
mod usage;
mod value;
mod value_lists;
mod word;

use std::cell::{Cell, OnceCell};

use crate::language::schema::{KindId, OPTION_KIND, STATE_KIND};
use crate::names::{self, Match};
use crate::referee::{Action, Player, Referee};
use crate::ruleset::Ruleset;
use crate::tabletop::{Argument, Tabletop};

pub(crate) use complete::{BegunLine, meanings};
pub use complete::{Completion, CompletionCandidates, complete};
pub use condition::read_condition;
pub(crate) use described_pieces::lines_with_described_pieces;
pub(crate) use groups::{group_at, groups_in, members_by_kind};
pub(crate) use known_words::{
    begins_other_verb, is_alternative, is_common_word, is_form_of_other_verb,
    is_kind_without_piece, is_parameter_value, is_usage_word, moving_verbs, options_of_verb,
    parameter_names, unknown_words, verb_at, verbs_in, words_for_verb, words_of_usages,
};
pub(crate) use name_ranges::with_ranges_spelled_out;
pub(crate) use nearest::{NearLine, NearestBudget, is_landmark, nearest_lines, nearest_of};
pub(crate) use respelled::{answer_in_words_of_rules, in_words_of_rules};
pub(crate) use restate::{base_forms, spoken_number};
pub(crate) use spoken_messages::lines_with_message;
pub(crate) use spoken_names::{find_spoken, is_described_by, mended_line, names_in};
pub(crate) use spoken_texts::lines_with_text;
pub use token::MAX_LINE;
pub use token::Token;
pub use usage::usage_text;
pub(crate) use usage::{AddablePart, addable_parts, count_left_out, options_left};
pub use value::parse_answer;
pub(crate) use value::{bare_number, cards_in_words, yes_no};
pub use value::{
    complete_option, expand_name_row, find_option, is_card, parse_first_answer, shorten_word,
};
pub(crate) use value_lists::with_separate_values;
use word::is_dice;
pub use word::{ANY_NUMBER, LineVerb, Word};

/// A line for one action.
#[derive(Clone, Debug)]
pub struct Command {
    /// The full name of the line's verb. It is needed because the umpire can choose verbs for which
    /// the players roll the dice.
    pub verb: String,
    /// The action to be resolved.
    pub action: Action,
    /// True if the umpire insists on the action even if the rules refuse it.
    pub insist: bool,
    /// The line in the form of the verb's usage, if it was typed in another form. It is recorded
    /// instead of the typed line.
    pub restated: Option<String>,
}

/// The input that an error proposes instead of the faulty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A name to replace the faulty word.
    Name(String),
    /// Whole lines to choose from.
    Lines(Vec<String>),
    /// Whole lines to choose from, which restate only a part of the typed line.
    Part(PartialProposal),
    /// This verb, whose usage is the hint.
    Verb(String),
    /// Lines that could be typed, which are listed below the hint. They don't claim to mean the same.
    Possible(Vec<PossibleLine>),
}

/// Whole lines to choose from, which restate only a part of the typed line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialProposal {
    /// Lines that would be accepted instead of that part, the likeliest first.
    pub lines: Vec<String>,
    /// The rest of the line, which makes another statement.
    pub rest: Option<String>,
    /// The reason why the rest would be refused after the first line, if that is known.
    pub obstacle: Option<String>,
    /// Words of that part that aren't understood. The lines leave them out.
    pub without: Vec<String>,
    /// The optional parts of the usage that the first line doesn't have. One of them may be what
    /// the words that aren't understood mean.
    pub options: Vec<String>,
    /// The heading above the lines; `None` for the usual one.
    pub heading: Option<String>,
}

impl PartialProposal {
    /// Returns a remark, in brackets, about the parts of the line that are missing from the
    /// proposed lines.
    pub(crate) fn remark(&self) -> String {
        let quoted = |words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            names::quote_names(&words)
        };
        let has_without = !self.without.is_empty();
        let without = has_without.then(|| format!("without {}", quoted(&self.without)));
        let options = (has_without && !self.options.is_empty())
            .then(|| format!("you can add {}", quoted(&self.options)));
        let rest = self.rest.as_ref().map(|rest| match &self.obstacle {
            Some(reason) => format!("then `{rest}` would be refused: {reason}"),
            None => format!("then comes `{rest}`"),
        });
        format!(
            "({})",
            without.into_iter().chain(options).chain(rest).collect::<Vec<_>>().join("; ")
        )
    }
}

/// The message for a line that isn't clear.
pub(crate) const UNCLEAR: &str = "it isn't clear what should be done";

/// The kind of hint in an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintKind {
    /// The hint is specific to this line.
    #[default]
    Specific,
    /// The hint proposes a name similar to the faulty word.
    NearName,
    /// The hint lists the names that can stand in place of the faulty word.
    Listing,
    /// The hint names the command that lists all commands.
    Overview,
    /// The hint is a text of the rules, and the message names the place where it is.
    FromRules,
}

/// The error for a line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// The error, in one sentence.
    pub message: String,
    /// The range of the error in the line: its first byte, and the byte after its last. `None` if
    /// the error concerns no word, for example because a word is missing.
    pub span: Option<(usize, usize)>,
    /// A hint about what to type instead.
    pub help: Option<Box<str>>,
    /// The kind of the hint.
    pub hint_kind: HintKind,
    /// The names that the word at `span` could mean.
    pub choices: Box<[String]>,
    /// The proposal in the hint, which the console offers to the umpire. Most errors have none.
    pub proposal: Option<Box<Proposal>>,
    /// True if the hint is a long usage, so an example would be clearer.
    pub wants_sample: bool,
    /// True if the error only reports that the line isn't understood.
    pub is_unclear: bool,
}

/// A line that could be typed instead of a faulty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleLine {
    /// The line, or the usage of a verb.
    pub line: String,
    /// The effect of the line, or the reason why it would be refused.
    pub note: String,
}

impl LineError {
    /// Returns the error on one line, with its hint if it has one.
    pub(crate) fn with_help(&self) -> String {
        match self.help_on_one_line() {
            Some(help) if self.hint_kind == HintKind::FromRules => {
                format!("{} {help}", self.message)
            }
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the hint, followed by the first few lines that could be typed instead.
    pub(crate) fn help_on_one_line(&self) -> Option<String> {
        let help = self.help.as_deref()?.replace('\n', "; ");
        let lines = self.possible_lines().iter().take(MAX_POSSIBLE_ON_ONE_LINE);
        let lines: Vec<&str> = lines.map(|possible| possible.line.as_str()).collect();
        let list = names::quote_names(&lines);
        Some(if lines.is_empty() { help } else { format!("{help} {list}") })
    }

    /// Returns an error at this word, or an error that concerns no word if `word` is `None`.
    pub fn new(word: Option<&Token>, message: impl Into<String>) -> LineError {
        LineError {
            message: message.into(),
            span: word.map(|w| (w.start, w.end)),
            help: None,
            hint_kind: HintKind::Specific,
            choices: Box::default(),
            proposal: None,
            wants_sample: false,
            is_unclear: false,
        }
    }

    /// Returns the error for a line that reports dice when the rules don't ask for any.
    pub(crate) fn no_dice_asked(word: Option<&Token>) -> LineError {
        LineError::new(word, "the game isn't asking for any dice now")
            .help("`dice physical` lets the players roll; you then type the faces")
    }

    /// Returns the lines that could be meant: the proposed lines or, if there are none, the typed
    /// line with each of the choices instead of the ambiguous word.
    pub fn lines_with_choices(&self, line: &str) -> Vec<String> {
        if let Some(lines) = self.proposed_lines() {
            return lines.to_vec();
        }
        let Some((start, end)) = self.span else { return Vec::new() };
        let (Some(before), Some(word), Some(after)) =
            (line.get(..start), line.get(start..end), line.get(end..))
        else {
            return Vec::new();
        };
        let begun = word.to_lowercase();
        let choices = self.choices.iter().take(MAX_MEANT);
        // In a list such as `a,b`, the ambiguous name is only part of the word, so the choices
        // don't fit the word and are skipped.
        let choices = choices.filter(|choice| {
            let choice = choice.to_lowercase();
            choice.starts_with(&begun)
                || names::abbreviates(&choice, &begun)
                || names::is_later_part(&choice, &begun)
        });
        choices.map(|choice| format!("{before}{choice}{after}")).collect()
    }

    /// Returns the error with the names that the word could mean.
    pub(crate) fn choices<S: Into<String>>(
        self,
        choices: impl IntoIterator<Item = S>,
    ) -> LineError {
        LineError { choices: choices.into_iter().map(Into::into).collect(), ..self }
    }

    /// If the error has no hint, returns it with this usage as the hint; otherwise, returns it
    /// unchanged.
    pub(crate) fn or_usage(self, usage: &str) -> LineError {
        match self.help {
            None => self.help(format!("write `{usage}`")),
            Some(_) => self,
        }
    }

    /// Returns the error with a hint.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> LineError {
        self.help = Some(help.into().into());
        self.hint_kind = HintKind::Specific;
        self
    }

    /// Returns the error with a hint that proposes a name similar to the faulty word.
    #[must_use]
    pub(crate) fn near_name(self, near: &str) -> LineError {
        let error = self.help(format!("did you mean `{near}`?"));
        let proposal = Some(Box::new(Proposal::Name(near.to_owned())));
        LineError { hint_kind: HintKind::NearName, proposal, ..error }
    }

    /// Returns the error with whole lines to choose from.
    pub(crate) fn proposing(self, lines: Vec<String>) -> LineError {
        let help = format!("did you mean `{}`?", lines.join("` or `"));
        let proposal = Some(Box::new(Proposal::Lines(lines)));
        LineError { proposal, wants_sample: false, ..self }.help(help)
    }

    /// Returns the error with whole lines to choose from, under a heading of their own.
    pub(crate) fn proposing_under(self, heading: String, lines: Vec<String>) -> LineError {
        let error = self.proposing(lines.clone());
        let part = PartialProposal { lines, heading: Some(heading), ..PartialProposal::default() };
        LineError { proposal: Some(Box::new(Proposal::Part(part))), ..error }
    }

    /// Returns the error with whole lines to choose from, which restate only a part of the line.
    /// `rest` is the rest of the line, and `without` contains the words that the proposed lines
    /// leave out.
    pub(crate) fn proposing_part(
        self,
        lines: Vec<String>,
        rest: Option<String>,
        without: Vec<String>,
    ) -> LineError {
        if rest.is_none() && without.is_empty() {
            return self.proposing(lines);
        }
        let part = PartialProposal { lines, rest, without, ..PartialProposal::default() };
        let help = format!("did you mean `{}`? {}", part.lines.join("` or `"), part.remark());
        let proposal = Some(Box::new(Proposal::Part(part)));
        LineError { proposal, wants_sample: false, ..self }.help(help)
    }

    /// Returns the error with the optional parts that could be added to the first proposed line. An
    /// error that proposes no part of a line doesn't change.
    pub(crate) fn with_options(mut self, options: Vec<String>) -> LineError {
        if let Some(Proposal::Part(part)) = self.proposal.as_deref_mut() {
            part.options = options;
            let help = format!("did you mean `{}`? {}", part.lines.join("` or `"), part.remark());
            self.help = Some(help.into());
        }
        self
    }

    /// Returns the whole lines that the error proposes, if there are any.
    pub(crate) fn proposed_lines(&self) -> Option<&[String]> {
        match self.proposal.as_deref() {
            Some(Proposal::Lines(lines) | Proposal::Part(PartialProposal { lines, .. })) => {
                Some(lines)
            }
            Some(Proposal::Name(_) | Proposal::Verb(_) | Proposal::Possible(_)) | None => None,
        }
    }

    /// Returns the proposal if its lines restate only a part of the typed line.
    pub(crate) fn partial_proposal(&self) -> Option<&PartialProposal> {
        match self.proposal.as_deref() {
            Some(Proposal::Part(part)) => Some(part),
            Some(
                Proposal::Lines(_) | Proposal::Name(_) | Proposal::Verb(_) | Proposal::Possible(_),
            )
            | None => None,
        }
    }

    /// Returns the rest of the typed line that the proposal leaves for later.
    pub(crate) fn rest_of_line(&self) -> Option<&str> {
        self.partial_proposal()?.rest.as_deref()
    }

    /// Returns the words that the proposal names because its lines leave them out.
    pub(crate) fn words_left_out(&self) -> &[String] {
        self.partial_proposal().map_or(&[], |part| &part.without)
    }

    /// Returns the lines that are listed below the hint.
    pub(crate) fn possible_lines(&self) -> &[PossibleLine] {
        match self.proposal.as_deref() {
            Some(Proposal::Possible(lines)) => lines,
            _ => &[],
        }
    }

    /// Returns the error for a word that isn't one of the expected names. If the word could mean
    /// several names, the error lists them. If it is similar to a name with the same first letter,
    /// the hint proposes that name. Otherwise, the hint is `listing`.
    pub(crate) fn unmatched<T>(
        word: &Token,
        matched: &Match<'_, T>,
        message: String,
        listing: Option<String>,
    ) -> LineError {
        let error = match matched {
            Match::Several(names) => {
                let (some, others) = names.split_at(names.len().min(MAX_MEANT));
                let more = match others.len() {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                let list = names::quote_names(some);
                let ambiguous = format!("`{}` could be {list}{more}", shorten_word(&word.text));
                let error = LineError::new(Some(word), ambiguous).help("type one more letter");
                return error.choices(names.iter().copied());
            }
            _ => LineError::new(Some(word), message),
        };
        // Few people mistype the first letter, so a similar name with a different first letter is
        // not proposed.
        let initial = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
        let matched = match matched {
            Match::None(Some(near)) if initial(near) != initial(&word.text) => &Match::None(None),
            matched => matched,
        };
        let proposal = match matched {
            Match::None(Some(near)) => Some(Box::new(Proposal::Name((*near).to_owned()))),
            _ => None,
        };
        let hint_kind = match matched {
            Match::None(Some(_)) => HintKind::NearName,
            _ if listing.is_some() => HintKind::Listing,
            _ => HintKind::Specific,
        };
        let help = matched.hint().or(listing).map(String::into);
        LineError { help, hint_kind, proposal, ..error }
    }
}

/// The maximum number of possible names that are listed for an ambiguous word.
const MAX_MEANT: usize = 12;

/// The maximum number of possible lines that are named after a hint on the same line.
const MAX_POSSIBLE_ON_ONE_LINE: usize = 3;

/// A typed line, split into tokens.
#[derive(Clone, Debug)]
pub struct TypedLine<'l> {
    /// The line as typed.
    pub line: &'l str,
    /// The words of the line, without the `!` that overrides a refusal.
    pub tokens: Vec<Token>,
    /// True if there is a `!` in front of the first word, as a separate word at the end, or at the
    /// end of the only word.
    pub insist: bool,
}

impl<'l> TypedLine<'l> {
    /// Splits a line into words. An empty line or a line that begins with `#` has no words.
    pub fn read(line: &'l str) -> Result<TypedLine<'l>, LineError> {
        Ok(TypedLine::of(line, token::tokens(line)?))
    }

    /// Splits a line that contains free text. A `#` and everything after it belong to the text.
    fn with_text(line: &'l str) -> Result<TypedLine<'l>, LineError> {
        Ok(TypedLine::of(line, token::split_at_spaces(line, None)?))
    }

    fn of(line: &'l str, mut tokens: Vec<Token>) -> TypedLine<'l> {
        let mut insist = false;
        if let Some(first) = tokens.first_mut().filter(|w| !w.quoted && w.text.starts_with('!')) {
            insist = true;
            first.text.remove(0);
            first.start += 1;
            if first.text.is_empty() {
                tokens.remove(0);
            }
        }
        if tokens.last().is_some_and(|w| !w.quoted && w.text == "!") {
            tokens.pop();
            insist = true;
        }
        if let [only] = tokens.as_mut_slice()
            && let Some(word) = without_insist(only)
        {
            *only = word;
            insist = true;
        }
        TypedLine { line, tokens, insist }
    }

    /// Returns the words after the first one.
    pub(crate) fn words_after_first(&self) -> &[Token] {
        self.tokens.get(1..).unwrap_or_default()
    }

    /// Returns the text after the first word, as typed; `None` if there is no other word.
    pub(crate) fn text_after_first(&self) -> Option<String> {
        (!self.words_after_first().is_empty())
            .then(|| typed_text(self.line, self.words_after_first()))
    }

    /// Returns the text after the first word, or an error with the usage if the text is missing.
    pub(crate) fn need_text(&self, usage: &str) -> Result<String, LineError> {
        let lacks =
            || LineError::new(None, format!("something is missing after `{}`", self.verb()));
        self.text_after_first().ok_or_else(|| lacks().help(format!("write `{usage}`")))
    }

    /// Returns the text after the first word, including a `#` and everything after it, or an error
    /// with the usage if the text is missing.
    pub(crate) fn free_text(&self, usage: &str) -> Result<String, LineError> {
        TypedLine::with_text(self.line)?.need_text(usage)
    }

    /// Returns the first word as typed, or an empty text if there is none.
    pub(crate) fn verb(&self) -> &str {
        self.tokens.first().map_or("", |verb| verb.text.as_str())
    }

    /// Returns the second word and the words after it. If there is no second word, returns an error
    /// with this message and hint.
    pub(crate) fn need_word(
        &self,
        missing: impl Into<String>,
        help: impl Into<String>,
    ) -> Result<(&Token, &[Token]), LineError> {
        self.words_after_first()
            .split_first()
            .ok_or_else(|| LineError::new(None, missing).help(help))
    }

    /// Returns some of the words as a separate line, which ends in `!` if this line overrides a
    /// refusal.
    pub(crate) fn inner_line(&self, words: &[Token]) -> String {
        typed_text(self.line, words) + if self.insist { " !" } else { "" }
    }

    /// Returns the end of the line, from the first of these words on. It includes everything after
    /// a `#`, unless this line overrides a refusal.
    pub(crate) fn inner_line_to_end(&self, words: &[Token]) -> String {
        match words.first().filter(|_| !self.insist && self.line.contains('#')) {
            Some(first) => self.line.get(first.start..).unwrap_or_default().trim().to_owned(),
            None => self.inner_line(words),
        }
    }
}

/// Returns a line in the form that players may see: without its remark and without the `!` that
/// overrides a refusal.
pub(crate) fn without_remark_and_insist(line: &str) -> String {
    let Ok(typed) = TypedLine::read(line) else { return String::new() };
    typed_text(line, &typed.tokens).trim_end_matches([' ', '!']).to_owned()
}

/// Returns the part of the line from the first of these words to the last, as typed. A single
/// quoted word is returned without its quotes.
pub(crate) fn typed_text(line: &str, words: &[Token]) -> String {
    match words {
        [only] if only.quoted => only.text.clone(),
        [first, .., last] | [first @ last] => {
            line.get(first.start..last.end).unwrap_or("").trim().to_owned()
        }
        [] => String::new(),
    }
}

/// Returns the word without the `!` at its end. Returns `None` if it is quoted, doesn't end in a
/// `!`, or consists only of one.
fn without_insist(word: &Token) -> Option<Token> {
    let text = word.text.strip_suffix('!').filter(|t| !t.is_empty() && !word.quoted)?.to_owned();
    Some(Token { text, end: word.end - 1, ..word.clone() })
}

/// Parses a line for an action, which begins with a verb of the game or one of `actions::ACTIONS`.
/// Returns `None` for an empty line or a line that begins with `#`. A `!` at either end of the
/// line, with or without a space, overrides a refusal by the rules. If the line contains free text,
/// a `!` that touches its last word is part of the text.
pub fn parse(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Result<Option<Command>, LineError> {
    let mut typed = TypedLine::read(line)?;
    let reading = Reading::new(referee, table, line);
    reading.join_flags(&mut typed.tokens);
    if let Some((last, before)) = typed.tokens.split_last()
        && let Some(word) = without_insist(last)
        && let insisting = (TypedLine { line, tokens: [before, &[word]].concat(), insist: true })
        && let Ok(Some(command)) = reading.command(&insisting)
        && !takes_text(&command.action)
    {
        return Ok(Some(command));
    }
    let command = reading.command(&typed);
    let is_text = matches!(&command, Ok(Some(command)) if takes_text(&command.action));
    if !is_text && let Some(error) = units::inches_error(&reading, &typed) {
        return Err(error);
    }
    match command {
        // In free text, a `#` does not begin a remark.
        Ok(Some(command)) if line.contains('#') && ends_in_text(&command.action) => {
            reading.command(&TypedLine::with_text(line)?)
        }
        Ok(command) => Ok(command),
        Err(error) => reading.restate(&typed, error).map(|restated| Some(restated.command)),
    }
}

/// Returns the error for a line that gives a distance in inches, if the ruleset measures in another
/// unit.
pub(crate) fn inches_error(
    referee: &Referee,
    table: &Tabletop,
    typed: &TypedLine<'_>,
) -> Option<LineError> {
    units::inches_error(&Reading::new(referee, table, typed.line), typed)
}

/// Parses a line only if it is in the form of its verb's usage. This function is much faster than
/// [`parse`] if the line can't be parsed.
pub(crate) fn parse_as_typed(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Result<Option<Command>, LineError> {
    let typed = TypedLine::read(line)?;
    Reading::new(referee, table, line).command(&typed)
}

/// Returns the console word that a line begins with; `None` if the line is for a verb of the game.
pub(crate) fn find_console_word<'w, R>(
    referee: &Referee,
    table: &Tabletop,
    words: &'w [Word<R>],
    typed: &TypedLine<'_>,
) -> Result<Option<&'w Word<R>>, LineError> {
    let reading = Reading::new(referee, table, typed.line);
    match reading.find_verb(words, typed) {
        // The word may also begin a phrase for a verb, such as `set up`.
        Ok(LineVerb::Word(_))
            if reading.begins_with_phrase(&typed.tokens)
                && matches!(parse(referee, table, typed.line), Ok(Some(c)) if c.restated.is_some()) =>
        {
            Ok(None)
        }
        // In a game with another word `play` for one of its verbs, it isn't short for `players`. In a
        // game with a side `red`, that isn't short for `redo`.
        Ok(LineVerb::Word(word)) if reading.begins_with_other_meaning(word, typed) => {
            parse(referee, table, typed.line).map(|_| None)
        }
        Ok(LineVerb::Word(word)) => Ok(Some(word)),
        Ok(LineVerb::Rules(_)) => Ok(None),
        // A `!` may touch the last word, or the line may not be in the form of its verb's usage.
        Err(error) => match parse(referee, table, typed.line) {
            Ok(Some(_)) => Ok(None),
            Ok(None) => Err(error),
            Err(_) => reading.restate(typed, error).map(|_| None),
        },
    }
}

/// Returns the console word that a line begins with while it is still being typed, if it begins
/// with one. The line is not restated, because this function runs at every keystroke.
pub(crate) fn begun_console_word<'w, R>(
    referee: &Referee,
    table: &Tabletop,
    words: &'w [Word<R>],
    typed: &TypedLine<'_>,
) -> Option<&'w Word<R>> {
    let reading = Reading::new(referee, table, typed.line);
    match reading.find_verb(words, typed) {
        Ok(LineVerb::Word(word)) if !reading.begins_with_phrase(&typed.tokens) => Some(word),
        _ => None,
    }
}

/// Returns true if a line begins with a phrase of several words for a verb. A piece may come
/// between the words: `put up ladder1`, `put ladder1 up`.
pub(crate) fn begins_with_phrase(
    referee: &Referee,
    table: &Tabletop,
    typed: &TypedLine<'_>,
) -> bool {
    let reading = Reading::new(referee, table, typed.line);
    let words = reading.with_joined_phrase(&typed.tokens);
    reading.begins_with_phrase(words.as_ref().unwrap_or(&typed.tokens))
}

/// Returns a line in the form of its usage, or as it is if it has that form. Returns `None` if the line
/// can't be read.
pub(crate) fn restated(referee: &Referee, table: &Tabletop, line: &str) -> Option<String> {
    let command = parse(referee, table, line).ok()??;
    Some(command.restated.unwrap_or_else(|| line.to_owned()))
}

/// Returns true if a line reports a roll.
pub(crate) fn says_rolled(typed: &TypedLine<'_>) -> bool {
    word::says_rolled(&typed.tokens)
}

/// Returns the name of the piece that a line begins with, if the line states that this piece, and
/// perhaps others after it, do nothing. Only the words up to the first comma or semicolon after the
/// names count.
pub(crate) fn idle_piece(table: &Tabletop, words: &[Token]) -> Option<String> {
    let is_piece = |word: &Token| {
        let mut word = word.clone();
        restate::trim_mark(&mut word);
        !word.quoted && find_spoken(table, &word.text).is_some()
    };
    // `skip ann` says the same as `ann does nothing`.
    if let Some(skipped) = everyday_verbs::words_skipped(words) {
        let mut skipped = skipped.iter().filter(|word| is_piece(word));
        return skipped.next().and_then(|word| find_spoken(table, &word.bare()));
    }
    let is_joining = |word: &Token| ["and", "&"].contains(&word.text.to_lowercase().as_str());
    let mut first = words.first().filter(|first| is_piece(first))?.clone();
    restate::trim_mark(&mut first);
    let name = find_spoken(table, &first.text)?;
    // Several pieces may do nothing together: `gale and birch hold`.
    let names = 1 + words[1..].iter().take_while(|word| is_piece(word) || is_joining(word)).count();
    let rest = &words[names..];
    let end = rest.iter().position(|word| word.text.ends_with([',', ';'])).map(|at| at + 1);
    let mut rest = rest[..end.unwrap_or(rest.len())].to_vec();
    rest.iter_mut().for_each(restate::trim_mark);
    let goes_on = rest.iter().any(|word| ["and", "then", "but"].contains(&word.text.as_str()));
    if holds_piece(table, &rest) {
        return None;
    }
    // In `ann holds her course 2`, she goes on.
    let has_number = rest.iter().any(|word| word.text.bytes().all(|b| b.is_ascii_digit()));
    (everyday_verbs::says_idle(&rest) && !goes_on && !has_number).then_some(name)
}

/// Forms of a verb for doing nothing that does something if a piece follows.
const HOLDS: [&str; 4] = ["hold", "holds", "holding", "held"];

/// The maximum number of words between such a verb and the piece.
const MAX_BEFORE_HELD: usize = 2;

/// Returns true if somebody holds another piece: `holds the bridge`, `grabs hold of bob`.
pub(crate) fn holds_piece(table: &Tabletop, words: &[Token]) -> bool {
    let holds = words.iter().position(|word| HOLDS.contains(&word.bare().as_str()));
    let after = holds.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    let mut near = after.iter().take(MAX_BEFORE_HELD + 1);
    near.any(|word| !word.quoted && find_spoken(table, &word.bare()).is_some())
}

/// Returns true if a line without numbers states that some pieces do nothing: a few words, and then
/// a phrase such as `stay put`, or `skip` and a few words.
pub(crate) fn says_nothing_is_done(words: &[Token]) -> bool {
    if everyday_verbs::words_skipped(words).is_some() {
        return true;
    }
    let mut words = words.to_vec();
    words.iter_mut().for_each(restate::trim_mark);
    let is_number = |word: &Token| word.text.bytes().all(|b| b.is_ascii_digit());
    let begins = |at: &usize| {
        everyday_verbs::says_idle(&words[*at..]) && !everyday_verbs::is_auxiliary(&words[at - 1])
    };
    let idle = (1..words.len()).find(begins);
    let goes_on = |at: usize| {
        words[at..].iter().any(|word| ["and", "then", "but"].contains(&word.text.as_str()))
    };
    idle.is_some_and(|at| at <= MAX_IDLE_NAMES && !goes_on(at) && !words.iter().any(is_number))
}

/// The maximum number of words before a phrase such as `stay put`.
const MAX_IDLE_NAMES: usize = 4;

/// Returns true if an action contains free text, or is a roll, whose dice may have labels. A `!` at
/// the end of its line then belongs to the text.
fn takes_text(action: &Action) -> bool {
    match action {
        Action::Rule { arguments, .. } => {
            arguments.iter().flatten().any(|a| matches!(a, Argument::Text(_)))
        }
        Action::Note(_) | Action::Roll { .. } => true,
        Action::Order { text, .. } => text.is_some(),
        Action::Next | Action::Add(_) | Action::Set { .. } | Action::Remove(..) => false,
    }
}

/// Returns true if an action contains free text other than the labels of dice.
fn ends_in_text(action: &Action) -> bool {
    takes_text(action) && !matches!(action, Action::Roll { .. })
}

/// A line that is being parsed or completed, with the referee and the table.
pub struct Reading<'a> {
    referee: &'a Referee,
    /// The table as it is now.
    pub table: &'a Tabletop,
    line: &'a str,
    /// The number of attempts left to fit the words in their current order to usages.
    tries: Cell<u32>,
    /// The number of attempts left for all orders of the line's words.
    all_tries: Cell<u32>,
    /// The texts that describe the pieces, found for the first word that may be one of them.
    captions: OnceCell<Vec<spoken_names::CaptionedPiece>>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(referee: &'a Referee, table: &'a Tabletop, line: &'a str) -> Reading<'a> {
        Reading {
            referee,
            table,
            line,
            tries: Cell::new(usage::MAX_TRIES),
            all_tries: Cell::new(usage::MAX_TRIES_OF_LINE),
            captions: OnceCell::new(),
        }
    }

    /// Returns the ruleset of the game.
    pub(crate) fn ruleset(&self) -> &'a Ruleset {
        self.referee.ruleset()
    }

    /// Returns the names of the sides.
    pub(crate) fn sides(&self) -> std::collections::BTreeSet<String> {
        self.referee.sides(self.table)
    }

    /// Returns the players of the game.
    pub(crate) fn players(&self) -> Vec<Player> {
        self.referee.players(self.table)
    }

    fn command(&self, typed: &TypedLine<'_>) -> Result<Option<Command>, LineError> {
        if typed.tokens.is_empty() {
            return Ok(None);
        }
        self.tries.set(usage::MAX_TRIES);
        let (verb, action) = match self.find_verb(actions::ACTIONS, typed)? {
            LineVerb::Word(word) => {
                let action = (word.run)(self, typed).map_err(|error| error.or_usage(word.usage))?;
                (word.name, action)
            }
            LineVerb::Rules(fit) => {
                (self.ruleset().schema.rules[fit.rule.index()].verb(), fit.action())
            }
        };
        Ok(Some(Command { verb: verb.to_owned(), action, insist: typed.insist, restated: None }))
    }
}

/// Returns the item that a word names or abbreviates. `what` is the type of the item, such as
/// `side`, and is named in the error.
pub(crate) fn find_named<'n, T: Copy>(
    word: &Token,
    known: impl Iterator<Item = (&'n str, T)> + Clone,
    what: &str,
) -> Result<T, LineError> {
    match names::find(&word.text, known.clone()) {
        Match::One(found) => Ok(found),
        matched => {
            let message = format!("there is no {what} `{}`", shorten_word(&word.text));
            let names: Vec<&str> = known.map(|(name, _)| name).collect();
            let listing =
                (!names.is_empty()).then(|| format!("available: {}", names::quote_names(&names)));
            Err(LineError::unmatched(word, &matched, message, listing))
        }
    }
}

/// Parses a whole number.
pub(crate) fn parse_whole_number(word: &Token) -> Result<i64, LineError> {
    let wrong = || {
        LineError::new(Some(word), format!("`{}` is not a whole number", shorten_word(&word.text)))
    };
    word.text.parse().map_err(|_| wrong())
}

/// Parses a whole number from 1 to a million.
pub(crate) fn parse_count(word: &Token) -> Result<usize, LineError> {
    match parse_whole_number(word)? {
        n @ 1..=1_000_000 => Ok(n as usize),
        n => Err(LineError::new(
            Some(word),
            format!("expected a number from 1 to a million, found {n}"),
        )),
    }
}

/// Finds a piece by its name or an abbreviation. Also finds the state and the options, as `state`
/// and `option`. Returns `None` if the name fits no piece, or only as an abbreviation of several.
pub(crate) fn find_piece(table: &Tabletop, name: &str) -> Option<(KindId, u32)> {
    match name {
        "state" => Some((STATE_KIND, 0)),
        "option" => Some((OPTION_KIND, 0)),
        // An abbreviation must fit only one piece.
        _ => table.find(name).or_else(|| {
            names::find(name, table.names().map(|(piece, kind, row)| (piece, (kind, row)))).only()
        }),
    }
}

#[cfg(test)]
mod tests;
