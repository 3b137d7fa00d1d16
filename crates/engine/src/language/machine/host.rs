//! The interface between a machine and its host: dice, questions, and the reasons why a run stops.

use adjutant_dice::{Pool, SourceError};

use super::super::number::Number;
use super::super::schema::{ColumnId, DeckId, KindId, ListId, RuleId, Schema, Type};
use super::super::syntax::{Operator, Period};
use super::error::PlayError;

/// A question to the umpire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question, in words.
    pub text: String,
    /// The possible answers.
    pub answers: Answers,
    /// The best answer for whoever decides, if the rule states one.
    pub best: Option<i64>,
}

impl Question {
    /// Returns the value of an answer that is written in the form used by events; `None` if it is
    /// not a possible answer.
    pub(crate) fn value_of_answer(&self, answer: &str) -> Option<i64> {
        match &self.answers {
            Answers::Named(all) => all.iter().find(|(_, name)| name == answer).map(|(n, _)| *n),
            Answers::Between(low, high) => {
                answer.parse().ok().filter(|n| (low..=high).contains(&n))
            }
        }
    }
}

/// The possible answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// One of these members, each with its name. The names of pieces and words are empty if the
    /// host does not [want words](Host::wants_words).
    Named(Vec<(i64, String)>),
    /// A whole number from the first to the second.
    Between(i64, i64),
}

impl Answers {
    /// Returns the possible answers yes and no.
    pub(super) fn yes_or_no() -> Answers {
        Answers::Named(vec![(0, "no".to_owned()), (1, "yes".to_owned())])
    }

    /// Returns true if the possible answers are yes and no.
    pub(crate) fn are_yes_or_no(&self) -> bool {
        *self == Answers::yes_or_no()
    }

    /// Returns an answer in the form used by events; an empty string if it is not one of the named
    /// answers.
    pub fn answer_text(&self, value: i64) -> String {
        match self {
            Answers::Named(all) => {
                all.iter().find(|(n, _)| *n == value).map_or(String::new(), |(_, n)| n.clone())
            }
            Answers::Between(..) => value.to_string(),
        }
    }
}

/// The members from which one is chosen at random.
#[derive(Clone, Copy, Debug)]
pub struct RandomLot<'a> {
    /// The kind of the members.
    pub kind: KindId,
    /// The candidates, all equally likely.
    pub members: &'a [u32],
    /// The deck, if a card is drawn.
    pub deck: Option<DeckId>,
}

/// A name in rule text, with its single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundName<'a> {
    /// The name in rule text.
    pub name: &'a str,
    /// The type of the value.
    pub ty: Type,
    /// The value, as a register holds it.
    pub value: i64,
}

/// Returns the parameters of a rule that hold a single value, with their values.
pub fn bound_parameters<'s>(
    schema: &'s Schema,
    rule: RuleId,
    values: &[i64],
) -> Vec<BoundName<'s>> {
    let given = schema.rules[rule.index()].params.iter().zip(values);
    let single = given.filter(|(param, _)| !matches!(param.ty, Type::List(_)));
    single.map(|(param, &value)| BoundName { name: &param.name, ty: param.ty, value }).collect()
}

/// The viewers to whom a line is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hearers<'a> {
    /// All players.
    All,
    /// Only the umpire.
    Umpire,
    /// These sides, given by their values.
    Sides(&'a [u32]),
}

/// The host of a run: it supplies dice and answers, and receives reports of events.
pub trait Host {
    /// Returns true if the host needs events and lines for people.
    fn wants_reports(&self) -> bool;
    /// Returns true if the host needs verdicts, lines, and the names of pieces and words that may be
    /// answers.
    fn wants_words(&self) -> bool {
        self.wants_reports()
    }
    /// Rolls a pool and returns its total.
    fn roll_pool(&mut self, pool: &Pool) -> Result<i64, Halt>;
    /// Rolls `count` dice of `sides` sides and returns their sum.
    fn roll_dice(&mut self, count: u32, sides: u32) -> Result<i64, Halt>;
    /// Reports a fixed number that is added to the dice rolled last.
    fn on_number_added(&mut self, _fixed: i64) {}
    /// Chooses a member and returns its index. `names` is empty unless the host [wants
    /// reports](Host::wants_reports).
    fn draw_lot(&mut self, lot: RandomLot<'_>, names: &[String]) -> Result<usize, Halt>;
    /// Returns the answer to a question for the umpire: the member itself, the number, or 0 for no
    /// and 1 for yes.
    fn ask(&mut self, question: Question) -> Result<i64, Halt>;
    /// Reports that the rules refuse a command. Returns true if the umpire insists, so that the run
    /// continues.
    fn overrides_refusal(&mut self, reason: String) -> bool;
    /// Refuses a command, unless the umpire insists.
    fn refuse(&mut self, reason: String) -> Result<(), Halt> {
        if self.overrides_refusal(reason.clone()) { Ok(()) } else { Err(Halt::Refused(reason)) }
    }
    /// Returns true if the host cannot record any more reports.
    fn is_full(&self) -> bool {
        false
    }
    /// Reports that the call of a rule begins; `bound` holds its parameters that have a single
    /// value. This and the two methods that follow are only called if the host [wants
    /// reports](Host::wants_reports).
    fn on_call_begin(&mut self, _rule: RuleId, _bound: &[BoundName<'_>]) {}
    /// Reports that the call of a rule ends. `value_used` is true if the caller uses the value,
    /// because the call is part of an expression and not a statement.
    fn on_call_end(&mut self, _value_used: bool) {}
    /// Reports the current values of the names of the running loops, outermost first. If `turn`
    /// is true, a turn of a rule's own sweep (`each = …`) begins, and the dice of earlier turns no
    /// longer affect anything.
    fn on_names_bound(&mut self, _bound: &[BoundName<'_>], _turn: bool) {}
    /// Reports the beginning of a check, to which the following dice and modifiers belong.
    fn on_check_begin(&mut self) {}
    /// Reports a modifier of the check.
    fn on_modifier(&mut self, _value: Number, _reason: String) {}
    /// Reports that the dice rolled since the check's last [`Host::on_throw`] are rerolled and do
    /// not count.
    fn on_reroll(&mut self) {}
    /// Reports the total of a roll of the check, without and with the modifiers, and whether the
    /// roll passed, if it was judged.
    fn on_throw(&mut self, _natural: Number, _total: Number, _passed: Option<bool>) {}
    /// Reports the number that the total is compared with.
    fn on_need(&mut self, _operator: Operator, _value: Number) {}
    /// Reports the verdict of the check, in words.
    fn on_verdict(&mut self, _words: String) {}
    /// Reports the end of a check.
    fn on_check_end(&mut self, _label: String) {}
    /// Reports a line of the outcome.
    fn on_say(&mut self, _text: String) {}
    /// Reports a line of the outcome for some viewers.
    fn on_say_to(&mut self, _to: Hearers<'_>, text: String) {
        self.on_say(text);
    }
    /// Returns true if the host needs a separate report of the numbers in lines.
    fn wants_numbers(&self) -> bool {
        false
    }
    /// Returns true if the run is to stop before the next iteration of a counted loop.
    fn stops_at_turn(&mut self) -> bool {
        false
    }
    /// Reports a number in the next line. `what` is the line with `n` instead of this number and
    /// `…` instead of the others.
    fn on_number(&mut self, _what: String, _number: i64) {}
    /// Reports an item under "On the table" for a change that no marker shows.
    fn on_instruct(&mut self, _text: String) {}
    /// Reports a line under "Remember".
    fn on_remind(&mut self, _text: String) {}
    /// Reports that a cell was changed.
    fn on_cell_change(&mut self, _column: ColumnId, _row: u32, _old: i64, _new: i64) {}
    /// Reports that a list was changed.
    fn on_list_change(&mut self, _list: ListId, _row: u32, _old: &[u32], _new: &[u32]) {}
    /// Reports that a piece was set out.
    fn on_piece_made(&mut self, _kind: KindId, _row: u32, _name: &str) {}
    /// Reports that a piece was removed.
    fn on_piece_removed(&mut self, _kind: KindId, _row: u32) {}
    /// Reports that a card or chit was drawn, or a piece picked.
    fn on_lot_drawn(&mut self, _lot: RandomLot<'_>, _index: usize, _names: &[String]) {}
    /// Reports that a deck was shuffled; it now holds `count` cards.
    fn on_shuffle(&mut self, _deck: DeckId, _count: usize) {}
    /// Reports that a phase has begun or was skipped. The side is given if the sides play the phase
    /// in turn. The referee calls this method, because the machine knows nothing about phases.
    fn on_phase(&mut self, _turn: i64, _at: (usize, &str), _side: Option<String>, _skipped: bool) {}
    /// Reports that the game has ended, with these words and, if they are known, the winner and the
    /// margin.
    fn on_game_end(&mut self, _words: String, _winner: Option<String>, _margin: Option<i64>) {}
}

/// The reason why a run stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// No dice are available: the script has ended, or the players must roll.
    #[error(transparent)]
    Dice(SourceError),
    /// A question must be answered first.
    #[error("not answered: {}", .0.text)]
    Question(Question),
    /// The recorded answer is not possible now.
    #[error("`{0}` is not a possible answer here")]
    NoSuchAnswer(String),
    /// The rules refuse the command.
    #[error("{0}")]
    Refused(String),
    /// The rule text ended the command, and the phase or the turn.
    #[error("no phase has begun, so none can end")]
    Ended(Period),
    /// The rule text failed with an error.
    #[error(transparent)]
    Fault(Box<PlayError>),
    /// The host wants to continue the run separately for each of several values.
    #[error("this cannot be done here")]
    Branch,
    /// The run was stopped from outside.
    #[error("stopped: nothing was changed")]
    Stopped,
}
