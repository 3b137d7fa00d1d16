//! A typed line to a [`Command`]: what the umpire wants, with every name resolved.
//!
//! Nothing is done here. A line that cannot be read gives a [`LineError`] that says what is wrong, what
//! could stand there, and what may have been meant.

mod builtin;
mod complete;
mod usage;
mod value;
mod words;

use std::cell::Cell;

use crate::language::machine::Question;
use crate::language::schema::{KindId, RuleId};
use crate::referee::{Action, Answer, Argument, Referee};
use crate::tabletop::Tabletop;

pub use builtin::{BUILT_IN, BuiltIn, BuiltInText, built_in};
pub use complete::{Completion, complete, hint};
pub use usage::usage_text;
pub use words::{MAX_LINE, Word, words};

/// What the umpire wants.
#[derive(Clone, Debug)]
pub enum Command {
    /// An action that is resolved by the referee; and whether the umpire insists.
    Act(Action, bool),
    /// On through phases.
    Next(Onward),
    /// The odds of dice or of a line.
    Odds {
        /// What is foretold.
        line: String,
        /// Whether fractions are wanted too.
        exactly: bool,
    },
    /// A chart, or a rule's table of results, with the total looked up if one is given.
    Table(Shown, Option<i64>),
    /// A rule as it stands in the ruleset.
    Rule(RuleId),
    /// Pieces of a kind, single pieces, or everything.
    Show(Vec<ShowWhat>),
    /// The plan: one level, or all.
    Map(Option<i64>),
    /// Takes back so many commands.
    Undo(Back),
    /// Does again so many commands that were taken back.
    Redo(usize),
    /// Another line in place of a command.
    Amend(u64, String),
    /// The umpire's word above the machine's.
    Overrule(String),
    /// Why something is as it is.
    Why(String),
    /// Real dice, or the machine's.
    Dice(Hands),
    /// The commands so far, or into a file.
    Log(Option<String>),
    /// Luck and pace.
    Stats(Option<String>),
    /// All house-rule switches.
    Options,
    /// The session under a name.
    Save(Option<String>),
    /// The ruleset read again.
    Reload,
    /// Words of the players, mixed into the dice.
    Mix(String),
    /// The seed told.
    Reveal,
    /// Help, in general or for a word.
    Help(Option<String>),
    /// The end.
    Quit,
}

/// How far to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Onward {
    /// So many phases.
    Phases(u32),
    /// To the phase at this place.
    To(usize),
    /// To the first phase of the next turn.
    Turn,
}

/// How far to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// So many commands.
    Steps(usize),
    /// Until this command is the last.
    To(u64),
}

/// What can be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A chart.
    Chart(crate::language::schema::ChartId),
    /// The rows of a rule.
    Rows(RuleId),
    /// A printed list.
    List(KindId),
}

/// What can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowWhat {
    /// All pieces of a kind, or all rows of a list.
    Kind(KindId),
    /// One piece.
    Piece(KindId, u32),
    /// The state of the game.
    State,
}

/// Who throws the dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hands {
    /// The machine.
    Auto,
    /// The players, for everything or for one verb.
    Physical(Option<String>),
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// What is wrong.
    pub message: String,
    /// Where in the line, in bytes; none if it lacks something at the end.
    pub place: Option<(usize, usize)>,
    /// What would be right.
    pub help: Option<String>,
}

impl LineError {
    /// An error at a word, or at the end of the line.
    pub(crate) fn new(word: Option<&Word>, message: impl Into<String>) -> LineError {
        let place = word.map(|w| (w.start, w.end));
        LineError { message: message.into(), place, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> LineError {
        self.help = Some(help.into());
        self
    }

    /// Adds what may have been meant.
    pub(crate) fn suggest<'a>(
        self,
        word: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> LineError {
        match crate::diagnostic::nearest(word, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

/// Reads a line. An empty line, or one that begins with `#`, is no command. A `!` at either end, by itself or
/// touching a word, insists on what the rules refuse; a text may well end in one.
pub fn parse(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Result<Option<Command>, LineError> {
    let mut all = words(line)?;
    let insist = take_insistence(&mut all);
    let reading = Reading { referee, table, line, tries: Cell::new(0) };
    if let Some(shorter) = without_mark(&all)
        && let Ok(Some(command)) = reading.command(&shorter, true)
        && !takes_text(&command)
    {
        return Ok(Some(command));
    }
    reading.command(&all, insist)
}

/// The words, if the last ends in a `!` that may be meant by itself.
fn without_mark(all: &[Word]) -> Option<Vec<Word>> {
    let last = all.last().filter(|w| !w.quoted && w.text.len() > 1 && w.text.ends_with('!'))?;
    let mut shorter = all.to_vec();
    let word = Word {
        text: last.text[..last.text.len() - 1].to_owned(),
        end: last.end - 1,
        ..last.clone()
    };
    shorter.pop();
    shorter.push(word);
    Some(shorter)
}

/// Whether a word could only be an answer, or the face of a die.
fn answers(word: &str) -> bool {
    matches!(word, "yes" | "y" | "no") || word.bytes().all(|b| b.is_ascii_digit() || b == b',')
}

/// Whether a command holds words of the umpire's own, to which a `!` at the end belongs.
fn takes_text(command: &Command) -> bool {
    match command {
        Command::Act(Action::Rule { arguments, .. }, _) => {
            arguments.iter().flatten().any(|a| matches!(a, Argument::Text(_)))
        }
        Command::Act(Action::Note(_) | Action::Roll(_), _) => true,
        Command::Act(..) | Command::Next(_) => false,
        // What is looked up or asked needs no insistence.
        _ => true,
    }
}

/// Reads an answer to a question: `?` leaves it to chance.
pub fn answer(question: &Question, text: &str) -> Result<Answer, LineError> {
    value::answer(question, text)
}

/// A line being read.
struct Reading<'a> {
    referee: &'a Referee,
    table: &'a Tabletop,
    line: &'a str,
    /// How often it may still be tried against usages.
    tries: Cell<u32>,
}

enum Verb {
    BuiltIn(BuiltIn),
    Rules(Vec<RuleId>),
}

/// Takes a `!` off that stands before the first word or by itself at the end.
fn take_insistence(all: &mut Vec<Word>) -> bool {
    let mut insist = false;
    if let Some(first) = all.first_mut().filter(|w| !w.quoted && w.text.starts_with('!')) {
        insist = true;
        first.text.remove(0);
        first.start += 1;
        if first.text.is_empty() {
            all.remove(0);
        }
    }
    if all.last().is_some_and(|w| !w.quoted && w.text == "!") {
        all.pop();
        insist = true;
    }
    insist
}

impl Reading<'_> {
    /// The command of these words.
    fn command(&self, all: &[Word], insist: bool) -> Result<Option<Command>, LineError> {
        let Some((verb, rest)) = all.split_first() else { return Ok(None) };
        self.tries.set(usage::MAX_TRIES);
        match self.verb(verb)? {
            Verb::BuiltIn(which) => self.built_in(which, verb, rest, insist).map(Some),
            Verb::Rules(rules) => {
                let action = self.rules(verb, &rules, rest)?;
                Ok(Some(Command::Act(action, insist)))
            }
        }
    }

    /// The verb, whole or by an unambiguous beginning; words of the game go before words of the console.
    fn verb(&self, word: &Word) -> Result<Verb, LineError> {
        let rules = self.referee.ruleset();
        let text = word.text.to_lowercase();
        let found = rules.rules_of(&text);
        if let Some(built_in) = built_in(&text)
            && (found.is_empty() || !built_in.gives_way())
        {
            return Ok(Verb::BuiltIn(built_in));
        }
        if !found.is_empty() {
            return Ok(Verb::Rules(found));
        }
        let names: Vec<&str> = BUILT_IN.iter().map(|b| b.name).chain(rules.verbs()).collect();
        let mut begun: Vec<&str> = names.iter().copied().filter(|n| n.starts_with(&text)).collect();
        begun.dedup();
        // Verbs with a usage are what umpires type; a rule's bare name gives way to them.
        if begun.len() > 1 {
            let typed: Vec<&str> = begun.iter().copied().filter(|n| self.is_typed(n)).collect();
            if typed.len() == 1 {
                begun = typed;
            }
        }
        match begun.as_slice() {
            [one] => match built_in(one) {
                Some(built_in) => Ok(Verb::BuiltIn(built_in)),
                None => Ok(Verb::Rules(rules.rules_of(one))),
            },
            [] => {
                let shown: String = word.text.chars().take(40).collect();
                if answers(&text) {
                    let message = format!("`{shown}` answers nothing: nothing is being asked now");
                    let help = "`next` goes on, `help` lists what can be typed";
                    return Err(LineError::new(Some(word), message).help(help));
                }
                let error = LineError::new(Some(word), format!("there is no command `{shown}`"));
                let error = error.suggest(&text, names);
                Err(match error.help {
                    None => error.help("`help` lists what there is"),
                    Some(_) => error,
                })
            }
            several => {
                let listed = crate::diagnostic::list(several);
                Err(LineError::new(Some(word), format!("`{text}` could be {listed}")))
            }
        }
    }

    /// Whether a verb is meant to be typed.
    fn is_typed(&self, verb: &str) -> bool {
        built_in(verb).is_some()
            || self
                .referee
                .ruleset()
                .schema
                .rules
                .iter()
                .any(|r| r.usage.as_ref().is_some_and(|u| u.verb == verb))
    }
}
