//! The stream of typed events that is the game: everything that people read of a game is a view of it.
//!
//! Events name rules, pieces and attributes as the ruleset does, so that the journal keeps them as they are and a
//! later program, or a ruleset read again, understands them.

use adjutant_dice::Pool;
use serde::{Deserialize, Serialize};

use crate::language::number::Number;
use crate::language::syntax::Operator;
use crate::tabletop::{Change, Value};

/// Returns true if a flag has its usual value, which is left out of the journal.
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A rule's call begins; what follows up to its end happens in it.
    Call {
        /// The rule.
        rule: String,
        /// Its parameters.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        bound: Vec<Binding>,
    },
    /// The innermost call ends.
    End,
    /// The names of the call's sweep or loop have these values from here on.
    Bound(Vec<Binding>),
    /// A phase began, or was passed over.
    Phase {
        /// The turn.
        turn: i64,
        /// Its name.
        phase: String,
        /// Its place in the turn, from 0.
        place: usize,
        /// The side whose turn it is in it, if the sides have turns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<String>,
        /// It was passed over.
        #[serde(default, skip_serializing_if = "is_false")]
        skipped: bool,
    },
    /// Dice were thrown for something.
    Check(Box<Check>),
    /// Dice were thrown for their own sake.
    Rolled {
        /// The dice as they are written.
        written: String,
        /// The faces as they were rolled.
        shown: String,
        /// The total.
        total: i64,
    },
    /// A card or chit was drawn, or a piece picked.
    Taken {
        /// The deck, if it was one.
        deck: Option<String>,
        /// The name of what came.
        what: String,
        /// The number of cards or pieces before the draw.
        of: usize,
    },
    /// A deck was shuffled.
    Shuffled {
        /// The deck.
        deck: String,
        /// The number in it.
        count: usize,
    },
    /// The umpire was asked and answered.
    Asked {
        /// The question.
        question: String,
        /// The answer.
        answer: String,
        /// Chance answered.
        #[serde(default, skip_serializing_if = "is_false")]
        random: bool,
    },
    /// A line of a rule.
    Said(String),
    /// The game has ended.
    Ended {
        /// The words said of it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
        /// The side that wins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<String>,
        /// The number by which it wins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        margin: Option<i64>,
    },
    /// A line under "Remember".
    Reminded(String),
    /// The umpire insisted against this reason.
    Insisted(String),
    /// The table was changed.
    Changed {
        /// The change.
        change: Change,
        /// The place among the events of the check that decided it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<usize>,
    },
}

impl Event {
    /// Returns true if it has no line of its own where people read of events.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Event::Changed { .. } | Event::Call { .. } | Event::End | Event::Bound(_))
    }
}

/// A name of a rule's text with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The kind of the piece or row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The value. A piece or row is a name.
    pub value: Value,
}

/// Dice thrown for something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The rule it belongs to, if one was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whose roll it is.
    pub label: String,
    /// The dice thrown, in order.
    pub rolls: Vec<Roll>,
    /// Each throw added up; as many as `rolls` where each throw is of one pool.
    pub throws: Vec<Throw>,
    /// The modifiers and their reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<(Number, String)>,
    /// The comparison the total must pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need: Option<(Operator, Number)>,
    /// The verdict, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The dice were real.
    #[serde(default, skip_serializing_if = "is_false")]
    pub physical: bool,
}

/// A handful of dice that were rolled together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The dice, where they can be written in the notation of dice.
    #[serde(with = "notation")]
    pub pool: Option<Pool>,
    /// The faces as they are shown: `[5 3]`.
    pub shown: String,
    /// The total.
    pub total: i64,
    /// A fixed number that is added to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<i64>,
    /// They were thrown again and do not count.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rerolled: bool,
}

impl Roll {
    /// Returns the faces as they are shown: `~[1]`, `[5 3]+1`.
    pub(crate) fn faces_text(&self) -> String {
        self.mark_faces(&self.shown)
    }

    /// Adds the signs for a rerolled throw and for an added number to the faces.
    pub(crate) fn mark_faces(&self, faces: impl std::fmt::Display) -> String {
        let again = if self.rerolled { "~" } else { "" };
        let fixed = self.fixed.map_or(String::new(), |fixed| format!("{fixed:+}"));
        format!("{again}{faces}{fixed}")
    }
}

/// One throw of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throw {
    /// The dice.
    pub natural: Number,
    /// The dice with the modifiers.
    pub total: Number,
    /// True if it passed, if it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

/// Pools in the journal: as they are written.
mod notation {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use adjutant_dice::{Pool, parse_pool};

    #[allow(clippy::ref_option, reason = "serde gives it so")]
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
