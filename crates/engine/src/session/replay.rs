//! Resolves a recorded command again, or another in its place, with given answers and dice, on a
//! table that may have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use adjutant_dice::{SeededSource, SuppliedSource};

use super::action::{ActionError, RecordedAction};
use super::board::Board;
use super::history::Entry;
use super::input::CommandInput;
use super::overrule;
use super::seal::DiceKeys;
use crate::command::{self, Command, LineError};
use crate::language::machine::{Halt, StopHandle};
use crate::referee::{Action, Dice, Inputs, Outcome, Referee};
use crate::tabletop::{Change, ChangeError, ReservedNames, Tabletop};

/// The usage of `overrule`, for messages.
const OVERRULE_USAGE: &str = "write `overrule PIECE.ATTRIBUTE VALUE: REASON`, or `overrule PIECE …: REASON` to undo the last change to a piece";

/// The reason why a line, a ruling or an amendment cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineMisfit {
    /// The line cannot be parsed.
    #[error("{}", .0.with_help())]
    Unread(LineError),
    /// The line is empty.
    #[error("there is nothing in this line")]
    Empty,
    /// The ruling has no colon.
    #[error("a ruling needs a reason after a colon; {OVERRULE_USAGE}")]
    NoColon,
    /// The ruling has no reason after the colon.
    #[error("a ruling needs a reason after the colon; {OVERRULE_USAGE}")]
    NoReason,
    /// The ruling has nothing before the colon.
    #[error("a ruling must name something to overrule before the colon; {OVERRULE_USAGE}")]
    NothingOverruled,
    /// The ruling would restore a piece, but no command in force has changed its attributes, or it
    /// is not on the table.
    #[error("no command has changed `{0}`; {OVERRULE_USAGE}")]
    Unchanged(String),
    /// The amended command is not in force.
    #[error("there is no command {0} to amend; `log` shows the numbers of the commands")]
    NoSuchCommand(u64),
    /// The command names something that the rules or the table do not have.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// A change does not fit the table.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The command could not be resolved to its end, for example because of a new question or a
    /// refusal.
    #[error("{}", halt_reason(.0))]
    Halt(#[from] Halt),
}

fn halt_reason(halt: &Halt) -> String {
    match halt {
        Halt::Question(asked) => format!("it asks a new question: {}", asked.text),
        halt => halt.to_string(),
    }
}

/// Parses a line as a command of the game; an empty line is an error.
pub fn read_command(
    referee: &Referee,
    table: &Tabletop,
    line: &str,
) -> Result<Command, LineMisfit> {
    let read = command::parse(referee, table, line).map_err(LineMisfit::Unread)?;
    read.ok_or(LineMisfit::Empty)
}

/// The data that is used to resolve commands again.
pub(super) struct Replay<'a> {
    pub board: &'a Board,
    pub keys: &'a DiceKeys,
    /// The names of the pieces that the commands made originally. Each command uses its names
    /// again, and no other command can take them.
    pub names: &'a MadeNames,
    /// The handle that can stop the replay.
    pub stop: &'a StopHandle,
}

/// The kinds and names of the pieces that commands made, by the number of the command.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeNames {
    by_command: BTreeMap<u64, Vec<(String, String)>>,
    all: Arc<BTreeSet<String>>,
}

impl MadeNames {
    /// Returns the names of the pieces that these commands made.
    pub(super) fn of(entries: &[Arc<Entry>]) -> MadeNames {
        let mut names = MadeNames::default();
        let mut all = BTreeSet::new();
        for entry in entries {
            let made = entry.outcome.changes().filter_map(|change| match change {
                Change::Made { kind, piece } => {
                    let name = piece.rsplit_once('#').map_or(piece.as_str(), |(name, _)| name);
                    Some((kind.clone(), name.to_owned()))
                }
                _ => None,
            });
            let made: Vec<(String, String)> = made.collect();
            all.extend(made.iter().map(|(_, name)| name.clone()));
            if !made.is_empty() {
                names.by_command.insert(entry.number, made);
            }
        }
        names.all = Arc::new(all);
        names
    }

    /// Returns the reserved names for a command that is resolved again: those of the pieces that it
    /// made, and those of the pieces that any of the commands made.
    fn for_command(&self, number: u64) -> ReservedNames {
        let own = self.by_command.get(&number).cloned().unwrap_or_default();
        ReservedNames { own: own.into(), reserved: self.all.clone() }
    }
}

impl Replay<'_> {
    /// Converts the recorded action of command `number` to an action on the table of its era. Fails
    /// if the rules or the table lack something that it names.
    pub(super) fn recorded_action(
        &self,
        number: u64,
        action: &RecordedAction,
    ) -> Result<Action, LineMisfit> {
        let (referee, table) = self.board.referee_and_table_of(number);
        Ok(action.to_action(referee, table)?)
    }

    /// Parses a new line that replaces command `number`. `standing` has the commands in force
    /// before that command, for rulings.
    pub(super) fn read_replacement(
        &self,
        number: u64,
        standing: &[Arc<Entry>],
        line: &str,
    ) -> Result<Command, LineMisfit> {
        if line.split_whitespace().next() == Some(overrule::OVERRULE_VERB) {
            let text = line.strip_prefix(overrule::OVERRULE_VERB).unwrap_or(line).trim();
            let ruling = overrule::read_ruling(self.board, number, standing, text)?;
            return Ok(ruling.command());
        }
        let (referee, table) = self.board.referee_and_table_of(number);
        read_command(referee, table, line)
    }

    /// Resolves an action as the command with this number, on the table of its era. The dice are
    /// the typed faces, if there are any; otherwise, they come from the command's throw, or from
    /// the next throw if it has none.
    pub(super) fn resolve(
        &self,
        (number, throw): (u64, Option<u64>),
        (action, insist): (&Action, bool),
        given: &CommandInput,
    ) -> Result<Outcome, LineMisfit> {
        let (referee, table) = self.board.referee_and_table_of(number);
        let dice = match &given.faces {
            Some(faces) => Dice::Physical(SuppliedSource::new(faces.clone())),
            None => {
                let stream = throw.unwrap_or_else(|| self.keys.next_throw());
                Dice::Seeded(SeededSource::new(&self.keys.stream_seed(stream), stream))
            }
        };
        let answers = given.answers.clone();
        let names = self.names.for_command(number);
        let inputs = Inputs { answers, insist, names, ..Inputs::with_dice(dice) };
        Ok(referee.stopped_by(self.stop).resolve(table, action, &inputs)?)
    }
}

/// Returns an answer as it would be typed: in quotes if it is empty or contains white space, `#` or
/// quotation marks. Quotation marks in the answer are left out.
pub(crate) fn quote_answer(answer: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || c == '#' || c == '"';
    if answer.is_empty() || answer.contains(is_special) {
        format!("\"{}\"", answer.replace('"', ""))
    } else {
        answer.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{LineMisfit, quote_answer};
    use crate::language::machine::Halt;
    use crate::referee::{Answer, AnsweredQuestion};
    use crate::session::CommandInput;
    use crate::session::testing::{MEN, TestGame, answered};

    /// Replaces a command by a line.
    fn amend(
        game: &mut TestGame,
        number: u64,
        line: &str,
        input: &CommandInput,
    ) -> Result<(), LineMisfit> {
        let plan = game.session.plan_amend(number, line, input)?;
        game.session.amend(&plan, 0).unwrap();
        Ok(())
    }

    #[test]
    fn an_answer_that_was_given_is_given_again() {
        let mut game = TestGame::of(MEN);
        game.answers("reckon ann", &[Answer::Value(3)]);
        assert_eq!(game.value("ann.hits"), "3");
        amend(&mut game, 1, "reckon bob", &CommandInput::default()).unwrap();
        assert_eq!((game.value("ann.hits").as_str(), game.value("bob.hits").as_str()), ("0", "3"));
        // The answer is refused if the question has a smaller range.
        let mut game = TestGame::of(MEN);
        game.answers("reckon ann", &[Answer::Value(5)]);
        let wrong = amend(&mut game, 1, "reckon bob", &CommandInput::default());
        assert_eq!(wrong, Err(LineMisfit::Halt(Halt::NoSuchAnswer("5".to_owned()))));
        assert_eq!(game.value("ann.hits"), "5");
    }

    #[test]
    fn a_question_that_was_not_asked_before_takes_the_next_answer() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let asks = amend(&mut game, 1, "reckon bob", &CommandInput::default()).unwrap_err();
        assert!(matches!(asks, LineMisfit::Halt(Halt::Question(_))));
        assert_eq!(asks.to_string(), "it asks a new question: How many?");
        amend(&mut game, 1, "reckon bob", &answered(&[Answer::Value(2)])).unwrap();
        assert_eq!(game.value("bob.hits"), "2");
    }

    #[test]
    fn of_several_questions_each_has_its_own_answer() {
        let mut game = TestGame::of(MEN);
        game.answers("reckon-both ann bob", &[Answer::Value(4), Answer::Value(1)]);
        assert_eq!((game.value("ann.hits").as_str(), game.value("bob.hits").as_str()), ("4", "1"));
        // The first question is about another man, the second about the same man.
        let given = answered(&[Answer::Value(2)]);
        amend(&mut game, 1, "reckon-both cat bob", &given).unwrap();
        let values = ["ann.hits", "bob.hits", "cat.hits"].map(|spot| game.value(spot));
        assert_eq!(values, ["0", "1", "2"]);
    }

    #[test]
    fn what_chance_answered_chance_answers_again() {
        let mut game = TestGame::of(MEN);
        let entry = game.answers("reckon ann", &[Answer::Random]);
        let before = game.value("ann.hits");
        let asked = AnsweredQuestion {
            question: "How many?".to_owned(),
            answer: before.clone(),
            random: true,
        };
        assert_eq!(CommandInput::from_outcome(&entry.outcome).answers.recorded, [asked]);
        amend(&mut game, 1, "reckon cat", &CommandInput::default()).unwrap();
        assert_eq!((game.value("ann.hits"), game.value("cat.hits")), ("0".to_owned(), before));
    }

    #[test]
    fn real_dice_are_as_they_fell() {
        let mut game = TestGame::of(MEN);
        let entry = game.throws("shoot ann", &[5]);
        assert_eq!(CommandInput::from_outcome(&entry.outcome).faces, Some(vec![5]));
        amend(&mut game, 1, "shoot bob", &CommandInput::default()).unwrap();
        assert_eq!((game.value("ann.hits").as_str(), game.value("bob.hits").as_str()), ("0", "1"));
        // New faces replace the recorded ones.
        let retyped = CommandInput { faces: Some(vec![1]), ..CommandInput::default() };
        amend(&mut game, 1, "shoot cat", &retyped).unwrap();
        assert_eq!((game.value("bob.hits").as_str(), game.value("cat.hits").as_str()), ("0", "0"));
        let few = amend(&mut game, 1, "shoot-twice cat", &CommandInput::default()).unwrap_err();
        assert!(matches!(few, LineMisfit::Halt(Halt::Dice(_))), "{few:?}");
    }

    #[test]
    fn dice_of_the_seed_fall_again_as_they_fell() {
        let mut game = TestGame::of(MEN);
        let dice: Vec<_> =
            (0..6).map(|_| game.types("shoot-twice ann").outcome.dice.clone()).collect();
        // Each command has its own dice.
        assert!(dice.iter().any(|fallen| *fallen != dice[0]), "{dice:?}");
        amend(&mut game, 3, "shoot-twice bob", &CommandInput::default()).unwrap();
        let again: Vec<_> = game.session.entries().iter().map(|e| e.outcome.dice.clone()).collect();
        assert_eq!(again, dice);
        assert_eq!(CommandInput::from_outcome(&game.session.entries()[0].outcome).faces, None);
        // A command that rolled no dice takes the next throw.
        game.types("note so");
        amend(&mut game, 7, "shoot-twice bob", &CommandInput::default()).unwrap();
        let throws: Vec<_> = game.session.entries().iter().map(|e| e.throw).collect();
        assert_eq!(throws, (1..=7).map(Some).collect::<Vec<_>>());
        assert_eq!(game.session.verify().mismatch, None);
    }

    #[test]
    fn a_line_that_insisted_insists_again() {
        let mut game = TestGame::of(MEN);
        game.types("refused ann !");
        game.types("hit ann");
        assert_eq!(game.session.verify().mismatch, None);
        let wrong = amend(&mut game, 1, "refused ann", &CommandInput::default()).unwrap_err();
        assert!(matches!(wrong, LineMisfit::Halt(Halt::Refused(_))), "{wrong:?}");
        assert_eq!(
            amend(&mut game, 9, "hit ann", &CommandInput::default()),
            Err(LineMisfit::NoSuchCommand(9))
        );
        assert_eq!(amend(&mut game, 1, " ", &CommandInput::default()), Err(LineMisfit::Empty));
    }

    #[test]
    fn answers_of_more_than_a_word_are_quoted() {
        let all = ["b2", "two words", "", "a#b", "say \"so\"", "x\ty"].map(quote_answer);
        assert_eq!(all, ["b2", "\"two words\"", "\"\"", "\"a#b\"", "\"say so\"", "\"x\ty\""]);
    }
}
