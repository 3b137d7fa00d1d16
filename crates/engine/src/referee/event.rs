//! The stream of typed events that makes up a game. All reports of a game are views of this stream.
//!
//! Events refer to rules, pieces and attributes by name. A later version of the program, or of the
//! ruleset, can therefore read the journal.

use adjutant_dice::Pool;
use serde::{Deserialize, Serialize};

use crate::language::number::Number;
use crate::language::syntax::Operator;
use crate::tabletop::{Change, Value};

/// Returns true if a flag is false, in which case the journal leaves it out.
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

/// The viewers who see a line. The umpire sees every line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// All players.
    All,
    /// Only the umpire.
    Umpire,
    /// These sides, by name.
    Sides(Vec<String>),
}

/// An event in a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A call of a rule begins. The events up to the matching [`Event::End`] belong to it.
    Call {
        /// The name of the rule.
        rule: String,
        /// The parameters of the rule, with their values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        bound: Vec<Binding>,
    },
    /// The innermost call ends.
    End,
    /// From now on, the names of the innermost call's sweep and loops have these values.
    Bound(Vec<Binding>),
    /// A phase began, or was skipped.
    Phase {
        /// The number of the turn, from 1.
        turn: i64,
        /// The name of the phase.
        phase: String,
        /// The index of the phase in the turn.
        place: usize,
        /// The side to move, if the sides take turns in this phase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<String>,
        /// True if the phase was skipped.
        #[serde(default, skip_serializing_if = "is_false")]
        skipped: bool,
    },
    /// Dice were rolled for a check of a rule.
    Check(Box<Check>),
    /// Dice were rolled with `roll`, outside any rule.
    Rolled {
        /// The dice, in dice notation.
        written: String,
        /// The faces, as they are shown.
        shown: String,
        /// The total of the dice.
        total: i64,
    },
    /// A card or chit was drawn, or a piece was picked at random.
    Taken {
        /// The name of the deck, if a card or chit was drawn.
        deck: Option<String>,
        /// The name of the card, chit or piece.
        what: String,
        /// The number of cards or pieces before the draw.
        of: usize,
    },
    /// A deck was shuffled.
    Shuffled {
        /// The name of the deck.
        deck: String,
        /// The number of cards in the deck.
        count: usize,
    },
    /// A rule asked a question, and the umpire or chance answered it.
    Asked {
        /// The question, in words.
        question: String,
        /// The answer, in words.
        answer: String,
        /// True if chance answered the question.
        #[serde(default, skip_serializing_if = "is_false")]
        random: bool,
    },
    /// A line that a rule printed, or a note by the umpire.
    Said(String),
    /// A line that a rule printed for these viewers.
    SaidTo {
        /// The viewers who see the line.
        to: Audience,
        /// The text of the line.
        words: String,
    },
    /// The game has ended.
    Ended {
        /// The text that announces the end.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
        /// The side that wins, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<String>,
        /// The margin of victory, if the rules compute one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        margin: Option<i64>,
    },
    /// A line under "On the table" for a change that no marker shows, such as a figure's move.
    Instructed(String),
    /// A line under "Remember".
    Reminded(String),
    /// The umpire insisted on an action that the rules refuse for this reason.
    Insisted(String),
    /// The table was changed.
    Changed {
        /// The change, which refers to pieces and values by name.
        change: Change,
        /// The index of the event with the check that decided the change, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<usize>,
    },
}

impl Event {
    /// Returns true if this event has no line in the text for people.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(
            self,
            Event::Changed { .. }
                | Event::Call { .. }
                | Event::End
                | Event::Bound(_)
                | Event::Instructed(_)
        )
    }
}

/// A name in rule text, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Binding {
    /// The name, such as the name of a parameter.
    pub name: String,
    /// The kind of the piece or row, if the value is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The value. A piece or row is represented by its name.
    pub value: Value,
}

/// A check: the dice that were rolled for a rule, with their modifiers and their verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The name of the rule that the check belongs to, if a rule was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The label of the check, which names the piece or item that rolls.
    pub label: String,
    /// The dice that were rolled, in order.
    pub rolls: Vec<Roll>,
    /// The result of each roll. If each result comes from one pool, the results correspond one to
    /// one to the entries of `rolls` that were not rerolled.
    pub throws: Vec<Throw>,
    /// The modifiers, with their reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<(Number, String)>,
    /// The comparison that the total must satisfy, if the check has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need: Option<(Operator, Number)>,
    /// The verdict, in words, if the check has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// True if the players rolled the dice.
    #[serde(default, skip_serializing_if = "is_false")]
    pub physical: bool,
}

/// Dice of one kind that were rolled together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The dice in dice notation, if the notation can express them.
    #[serde(with = "notation")]
    pub pool: Option<Pool>,
    /// The faces as they are shown, such as `[5 3]`.
    pub shown: String,
    /// The total of the dice.
    pub total: i64,
    /// A fixed number that is added to the dice, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<i64>,
    /// True if the dice were rerolled and don't count.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rerolled: bool,
}

impl Roll {
    /// Returns the faces as text, such as `~[1]` for rerolled dice or `[5 3]+1`.
    pub(crate) fn faces_text(&self) -> String {
        self.mark_faces(&self.shown)
    }

    /// Returns the faces with the sign for a reroll in front of them and the fixed number after
    /// them, if there are any.
    pub(crate) fn mark_faces(&self, faces: impl std::fmt::Display) -> String {
        let again = if self.rerolled { "~" } else { "" };
        let fixed = self.fixed.map_or(String::new(), |fixed| format!("{fixed:+}"));
        format!("{again}{faces}{fixed}")
    }
}

/// One roll of a check, with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throw {
    /// The total of the dice.
    pub natural: Number,
    /// The total with the modifiers.
    pub total: Number,
    /// True if the roll succeeded; `None` if the check has no `need`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

/// Writes pools to the journal in dice notation, and reads them back.
mod notation {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use adjutant_dice::{Pool, parse_pool};

    #[allow(clippy::ref_option, reason = "serde passes it this way")]
    pub(super) fn serialize<S: Serializer>(pool: &Option<Pool>, to: S) -> Result<S::Ok, S::Error> {
        pool.as_ref().map(Pool::to_string).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Pool>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|t| parse_pool(&t).map_err(D::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::Roll;

    #[test]
    fn a_pool_that_cannot_be_read_is_no_roll_without_a_pool() {
        let roll = |pool| format!("{{\"pool\":{pool},\"shown\":\"[3]\",\"total\":3}}");
        let read = |pool| serde_json::from_str::<Roll>(&roll(pool));
        assert!(read("\"1d6\"").unwrap().pool.is_some());
        assert_eq!(read("null").unwrap().pool, None);
        assert!(read("\"1x6\"").is_err());
    }
}
