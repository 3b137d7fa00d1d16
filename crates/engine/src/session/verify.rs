//! Verifies a journal: replays its inputs on a new table, and compares each line that results byte
//! for byte with the line in the journal, up to the first difference.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value as Json;

use super::EntryTerms;
use super::decision::{Decision, LedgerEntry, StartDecision};
use super::error::shorten_reason;
use super::history::Entry;
use super::journal::{ChecksumChain, JournalLine, JournalLines};
use super::record::{Record, RecordError, StartRecord};
use super::replay::{LineMisfit, MadeNames, Replay};
use super::stored_outcome::StoredOutcome;
use super::{Beginning, Session};
use crate::referee::Outcome;
use crate::ruleset::FileText;

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of outcomes that were produced again and compared: the set-up, each command, and
    /// each command that an amendment changed.
    pub commands: usize,
    /// The number of dice that were derived again from the seed.
    pub dice: usize,
    /// The number of real dice, whose faces cannot be derived.
    pub by_hand: usize,
    /// The number of times that the players' words were mixed in.
    pub words: usize,
    /// Every decision in the journal, in order, up to and including that of the first line that
    /// differs. The replay uses no other input.
    pub ledger: Vec<LedgerEntry>,
    /// The first difference, if there is one.
    pub mismatch: Option<Mismatch>,
}

/// A difference between the journal and its replay, or a damaged line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The number of the command, or of the first command that an amendment changed; 0 for the
    /// set-up and for any other record.
    pub number: u64,
    /// The line of that command; empty for the set-up. For any other record, the number of the line
    /// in the journal, in words.
    pub line: String,
    /// The difference, in words.
    pub what: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.number, self.line.as_str()) {
            (0, "") => write!(f, "the set-up: {}", self.what),
            (0, line) => write!(f, "{line}: {}", self.what),
            (n, line) => write!(f, "command {n}, `{line}`: {}", self.what),
        }
    }
}

/// The reason why a line of a journal cannot be reproduced from its inputs.
#[derive(Debug, thiserror::Error)]
enum Misfit {
    #[error("the seed does not come from the text `{0}`")]
    SeedText(String),
    #[error("the seal is not the hash of the seed")]
    Seal,
    #[error("the ruleset has no such scenario")]
    Scenario,
    #[error("its seed is not 64 hexadecimal digits")]
    NoSeed,
    #[error("it cannot be set up again: {0}")]
    SetUp(String),
    #[error("it cannot be resolved again: {0}")]
    Command(#[from] LineMisfit),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Difference(#[from] RecordedDifference),
    #[error("its record was not written by the program")]
    Written,
    #[error("it cannot be written again: {0}")]
    Unwritable(#[from] serde_json::Error),
}

/// A verification that goes through a journal line by line.
#[derive(Clone, Debug)]
pub struct Verifier<'s> {
    session: &'s Session,
    /// The replayed game so far; `None` before the first line.
    fresh: Option<Session>,
    /// The number of lines read so far.
    lines: usize,
    verification: Verification,
}

impl Verifier<'_> {
    /// Replays the inputs of the next lines of the journal, and compares each line that results
    /// byte for byte with the line in the journal, up to the first difference.
    ///
    /// # Errors
    /// Returns the first difference, or the first damaged or incomplete line. The verifier must not
    /// be used after an error.
    pub fn verify_lines(&mut self, lines: &Bytes) -> Result<(), Mismatch> {
        let chain = self.fresh.as_ref().map(|fresh| fresh.chain.clone());
        let mut read = JournalLines::after(chain.unwrap_or_else(ChecksumChain::new), lines);
        let mut from = 0;
        while let Some(recorded) = read.next() {
            let line = lines.slice(from..read.read.whole);
            from = read.read.whole;
            self.lines += 1;
            let what = recorded.what.clone();
            let verified = match (&mut self.fresh, &what) {
                (None, Record::Start(start)) => {
                    let verification = &mut self.verification;
                    let begun = self.session.begin_again(start, &recorded, &line, verification);
                    begun.map(|begun| self.fresh = Some(begun))
                }
                (None, _) => Err(RecordError::Start.into()),
                (Some(fresh), _) => fresh.play_again(&recorded, &line, &mut self.verification),
            };
            verified.map_err(|misfit| mismatch(&what, self.lines, &misfit))?;
        }
        if from == lines.len() {
            return Ok(());
        }
        let damage = read.read.damage.map_or("it is incomplete".to_owned(), |damage| damage.reason);
        let line = format!("line {} of the journal", self.lines + 1);
        Err(Mismatch { number: 0, line, what: damage })
    }

    /// Returns the result for the lines read so far. Its `mismatch` is always `None`.
    pub fn verification(&self) -> &Verification {
        &self.verification
    }
}

impl Session {
    /// Replays the inputs of the journal on a new table, and compares each line that results with
    /// the recorded one, up to the first difference.
    pub fn verify(&self) -> Verification {
        let mut verifier = self.verifier();
        let journal = Bytes::from(self.journal());
        let mismatch = verifier.verify_lines(&journal).err();
        Verification { mismatch, ..verifier.verification }
    }

    /// Returns a verifier for this game that begins at the first line of its journal.
    pub fn verifier(&self) -> Verifier<'_> {
        Verifier { session: self, fresh: None, lines: 0, verification: Verification::default() }
    }

    /// Begins a session on a new table with the inputs of the first line, and compares the line
    /// that results with the recorded one.
    fn begin_again(
        &self,
        start: &StartRecord,
        recorded: &JournalLine<'_>,
        line: &Bytes,
        verification: &mut Verification,
    ) -> Result<Session, Misfit> {
        let files: &[FileText] = &self.files;
        let decision = StartDecision::of(start, files).ok_or(Misfit::NoSeed)?;
        if decision.seed.to_hex() != start.seed {
            return Err(Misfit::SeedText(decision.seed_text.unwrap_or_default()));
        }
        if decision.seed.seal() != start.seal {
            return Err(Misfit::Seal);
        }
        let (referee, _) = self.board.referee_and_table_of(0);
        let scenario = referee.ruleset().scenario(&decision.scenario).ok_or(Misfit::Scenario)?;
        let beginning = Beginning {
            game: &decision.game,
            files: &decision.files,
            shipped: self.shipped,
            scenario,
            seed: decision.seed.clone(),
            seed_text: decision.seed_text.as_deref(),
            at: recorded.at,
        };
        let begun = Session::begin_as(&decision.program, referee.clone(), beginning);
        let (mut fresh, outcome) = begun.map_err(|error| Misfit::SetUp(error.to_string()))?;
        verification.ledger.push(Decision::Start(decision).ledger_entry(recorded.at, 0));
        if fresh.journal.iter().all(|written| written != line) {
            compare_outcomes(&start.set_up, &outcome)?;
            compare_records(recorded, &Record::Start(fresh.start.clone()), fresh.turn())?;
            return Err(Misfit::Written);
        }
        count_outcome(verification, &outcome);
        fresh.journal.clear();
        Ok(fresh)
    }

    /// Replays the inputs of a line after the first, and compares the line that results with the
    /// recorded one.
    fn play_again(
        &mut self,
        recorded: &JournalLine<'_>,
        line: &Bytes,
        verification: &mut Verification,
    ) -> Result<(), Misfit> {
        let decision = Decision::of(&recorded.what, self)?.ok_or(RecordError::Start)?;
        verification.ledger.push(decision.ledger_entry(recorded.at, self.next));
        let mut again = self.record_of(&decision)?;
        let steps = self.apply_record(&again)?;
        let turn = self.turn();
        let (written, chain) = self.chain.line(recorded.at, turn, &serde_json::to_string(&again)?);
        if written != *line {
            compare_records(recorded, &again, turn)?;
            return Err(Misfit::Written);
        }
        again.commands().iter().for_each(|entry| count_outcome(verification, &entry.outcome));
        verification.words += usize::from(matches!(again, Record::Words(_)));
        // The text of the recorded outcome takes less memory than the outcome.
        if let Record::Command(entry) = &mut again
            && let Some(entry) = Arc::get_mut(entry)
        {
            entry.outcome = StoredOutcome::from_record(line.slice_ref(recorded.written.as_bytes()));
        }
        self.chain = chain;
        self.log_record(recorded.at, again, steps, recorded.written);
        Ok(())
    }

    /// Returns the record that results from a decision in the current state of the replay.
    fn record_of(&self, decision: &Decision) -> Result<Record, Misfit> {
        Ok(match decision {
            Decision::Start(_) => return Err(RecordError::Start.into()),
            Decision::Command(command) => {
                let names = MadeNames::default();
                let replay = Replay {
                    board: &self.board,
                    keys: &self.keys,
                    names: &names,
                    stop: &self.stop,
                };
                let action = replay.recorded_action(self.next, &command.action)?;
                let wanted = (&action, command.insist);
                let outcome = replay.resolve((self.next, None), wanted, &command.given)?;
                let terms = EntryTerms {
                    insist: command.insist,
                    reason: command.reason.clone(),
                    requests: command.requests.clone(),
                };
                Record::Command(self.next_entry(
                    &command.line,
                    command.action.clone(),
                    terms,
                    outcome,
                ))
            }
            Decision::Undo(steps) => Record::Undo(steps.clone()),
            Decision::Redo(steps) => Record::Redo(steps.clone()),
            Decision::Amend(number, command) => Record::Amend(self.amend_record(*number, command)?),
            Decision::Dice(dice) => Record::Dice(dice.clone()),
            Decision::Words(words) => Record::Words(words.clone()),
            Decision::Players(players) => Record::Players(players.clone()),
            Decision::Report(item) => Record::Report(item.clone()),
            Decision::Reload(files) => Record::Reload(Arc::new(self.reload_record(files))),
            Decision::AskRandom(random) => Record::AskRandom(*random),
            Decision::Look(look) => Record::Look(look.clone()),
            Decision::Reveal => Record::Reveal(self.keys.secret().to_hex()),
            Decision::Resume(version) => Record::Resume(version.clone()),
        })
    }
}

impl Record {
    /// Returns the commands whose outcomes are in this record: an accepted command, or those that
    /// an amendment changed.
    pub(super) fn commands(&self) -> &[Arc<Entry>] {
        match self {
            Record::Command(entry) => std::slice::from_ref(entry),
            Record::Amend(amend) => &amend.now,
            Record::Start(_) | Record::Undo(_) | Record::Redo(_) | Record::Dice(_) => &[],
            Record::Words(_) | Record::Players(_) | Record::Reload(_) => &[],
            Record::Report(_) => &[],
            Record::AskRandom(_) | Record::Look(_) => &[],
            Record::Reveal(_) | Record::Resume(_) => &[],
        }
    }
}

/// Returns the mismatch for a record that cannot be reproduced. `place` is the number of its line
/// in the journal.
fn mismatch(what: &Record, place: usize, misfit: &Misfit) -> Mismatch {
    let (number, line) = match what.commands().first() {
        Some(entry) => (entry.number, entry.line.clone()),
        None if matches!(what, Record::Start(_)) => (0, String::new()),
        None => (0, format!("line {place} of the journal")),
    };
    Mismatch { number, line, what: misfit.to_string() }
}

fn count_outcome(verification: &mut Verification, outcome: &Outcome) {
    verification.commands += 1;
    if outcome.physical {
        verification.by_hand += outcome.face_count();
    } else {
        verification.dice += outcome.face_count();
    }
}

/// Compares a recorded line with the replayed record and the turn after it. The error describes the
/// first difference.
fn compare_records(recorded: &JournalLine<'_>, again: &Record, turn: i64) -> Result<(), Misfit> {
    let all = [recorded.what.commands(), again.commands()];
    for (old, new) in all[0].iter().zip(all[1]).filter(|(old, new)| old.number == new.number) {
        compare_outcomes(&old.outcome, &new.outcome)?;
    }
    let again = serde_json::to_value(again)?;
    let differs = first_difference("", &serde_json::to_value(&recorded.what)?, &again);
    match differs {
        Some((old, new)) => Err(RecordedDifference { old, new }.into()),
        None if recorded.turn != turn => {
            let [old, new] = [recorded.turn, turn].map(|turn| format!("turn {turn}"));
            Err(RecordedDifference { old, new }.into())
        }
        None => Ok(()),
    }
}

/// Returns the first difference between two JSON values: the path and the value in each of them, as
/// text. Returns `None` if they are equal.
fn first_difference(path: &str, old: &Json, new: &Json) -> Option<(String, String)> {
    let inner = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            old.keys().chain(added).find_map(|key| {
                let [old, new] = [old, new].map(|object| object.get(key).unwrap_or(&Json::Null));
                first_difference(&inner(key), old, new)
            })
        }
        (Json::Array(old), Json::Array(new)) => (0..old.len().max(new.len())).find_map(|index| {
            let [old, new] = [old, new].map(|array| array.get(index).unwrap_or(&Json::Null));
            first_difference(&inner(&index.to_string()), old, new)
        }),
        (old, new) if old == new => None,
        (old, new) => {
            let [old, new] = [old, new].map(|value| match value {
                Json::Null => format!("no `{path}`"),
                value => format!("`{path}` {value}"),
            });
            Some((old, new))
        }
    }
}

/// Compares a recorded outcome with the replayed one. The error describes the first difference.
fn compare_outcomes(recorded: &Outcome, again: &Outcome) -> Result<(), RecordedDifference> {
    if recorded == again {
        return Ok(());
    }
    let mut pairs = compared_lines(recorded).zip(compared_lines(again));
    let other = || ("one outcome".to_owned(), "another".to_owned());
    let (old, new) = pairs.find(|(old, new)| old != new).unwrap_or_else(other);
    Err(RecordedDifference { old, new })
}

/// Returns the parts of an outcome that are compared, as text: every die, every event, and finally
/// the entire outcome.
fn compared_lines(outcome: &Outcome) -> impl Iterator<Item = String> + '_ {
    let dice = outcome
        .dice
        .iter()
        .flat_map(|(sides, faces)| faces.iter().map(move |face| format!("a {face} on a d{sides}")));
    let events = outcome.events.iter().map(|e| serde_json::to_string(e).unwrap_or_default());
    let ends = ["no more dice", "no more events"].map(|end| std::iter::once(end.to_owned()));
    let [dice_end, events_end] = ends;
    let rest = std::iter::once_with(|| serde_json::to_string(outcome).unwrap_or_default());
    dice.chain(dice_end).chain(events).chain(events_end).chain(rest)
}

/// A difference between the journal and its replay.
#[derive(Debug, thiserror::Error)]
#[error(
    "the journal has {}, but the seed and the rules give {}",
    shorten_reason(old),
    shorten_reason(new)
)]
struct RecordedDifference {
    old: String,
    new: String,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;

    use crate::referee::{Event, Outcome};
    use crate::session::history::{AmendRecord, Entry};
    use crate::session::journal::{ChecksumChain, JournalLines};
    use crate::session::testing::{MEN, TestGame};
    use crate::session::{
        CommandInput, LookRecord, Record, RecordedAction, StartRecord, Verification,
    };

    /// Writes the journal again with one record changed, and with valid checksums.
    fn forge(game: &mut TestGame, index: usize, change: impl Fn(&mut Record)) {
        let journal = game.session.journal();
        let mut chain = ChecksumChain::new();
        let mut forged = Vec::new();
        for (at, mut line) in JournalLines::of(&journal).enumerate() {
            if at == index {
                change(&mut line.what);
            }
            let written = serde_json::to_string(&line.what).unwrap();
            let (bytes, next) = chain.line(line.at, line.turn, &written);
            chain = next;
            forged.push(Bytes::from(bytes));
        }
        game.session.journal = forged;
    }

    /// Changes a recorded command.
    fn forge_command(game: &mut TestGame, number: usize, with: impl Fn(&mut Entry)) {
        forge(game, number, |record| {
            let Record::Command(entry) = record else { panic!("{record:?}") };
            with(Arc::make_mut(entry));
        });
    }

    /// Changes the recorded outcome of a command.
    fn tamper(game: &mut TestGame, number: usize, with: impl Fn(&mut Outcome)) {
        forge_command(game, number, |entry| {
            let mut outcome = Outcome::clone(&entry.outcome);
            with(&mut outcome);
            entry.outcome = outcome.into();
        });
    }

    fn mismatch(game: &TestGame) -> String {
        game.session.verify().mismatch.unwrap().to_string()
    }

    #[test]
    fn a_record_that_does_not_fit_is_named() {
        let mut game = TestGame::of(MEN);
        game.types("note one");
        game.types("hit ann");
        game.session.undo(1, 0).unwrap();
        forge(&mut game, 3, |record| *record = Record::Undo(Vec::new()));
        // It undoes nothing, so the table after it differs.
        assert_eq!(game.session.verify().mismatch, None);
        assert_eq!(game.session.verify().ledger[3].words, "undo ");
        forge(&mut game, 3, |record| {
            let Record::Undo(steps) = record else { panic!("{record:?}") };
            steps.push(crate::session::HistoryStepName::Command(7));
        });
        assert_eq!(
            mismatch(&game),
            "line 4 of the journal: command 7 can't be undone, redone or amended here"
        );
    }

    #[test]
    fn whatever_follows_is_derived_again() {
        let mut game = TestGame::of(MEN);
        game.types("shoot ann");
        let with = |change: fn(&mut Entry)| {
            let mut game = TestGame::of(MEN);
            game.types("shoot ann");
            forge_command(&mut game, 1, change);
            mismatch(&game)
        };
        let derived = |what: &str| format!("command 1, `shoot ann`: the journal has {what}");
        let turn = with(|entry| entry.turn = 9);
        assert_eq!(
            turn,
            derived("`command.turn` 9, but the seed and the rules give `command.turn` 0")
        );
        let phase = with(|entry| entry.phase = Some("night".to_owned()));
        assert_eq!(
            phase,
            derived(
                "`command.phase` \"night\", but the seed and the rules give no `command.phase`"
            )
        );
        let throw = with(|entry| entry.throw = None);
        assert_eq!(
            throw,
            derived("no `command.throw`, but the seed and the rules give `command.throw` 1")
        );
        // The revealed seed must be the seed of the session.
        let mut game = TestGame::of(MEN);
        game.session.reveal(0).unwrap();
        forge(&mut game, 1, |record| *record = Record::Reveal("0".repeat(64)));
        assert!(
            mismatch(&game).starts_with("line 2 of the journal: the journal has `reveal` \"000")
        );
    }

    #[test]
    fn a_line_that_is_written_otherwise_is_refused() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let journal = String::from_utf8(game.session.journal()).unwrap();
        let last = journal.lines().last().unwrap();
        let (_, written) = last.split_once("\"do\":").unwrap();
        let written = written.strip_suffix('}').unwrap().replacen("\"n\":1", "\"n\": 1", 1);
        let first = journal.split_inclusive('\n').next().unwrap();
        let mut lines = JournalLines::of(first.as_bytes());
        lines.next().unwrap();
        let (line, _) = lines.read.chain.line(0, 0, &written);
        game.session.journal = vec![Bytes::from(first.to_owned()), line.into()];
        assert!(mismatch(&game).ends_with("its record was not written by the program"));
    }

    #[test]
    fn every_decision_is_in_the_ledger() {
        let mut game = TestGame::of(MEN);
        game.types("roll secret 2d6");
        game.types("set ann.hits 3");
        game.answers("reckon ann", &[crate::referee::Answer::Value(2)]);
        game.session.overrule("ann.hits 5: he \"ducked\"", 7).unwrap();
        game.throws("shoot bob", &[5]);
        let looked = LookRecord { number: Some(2), line: "hit ann".to_owned() };
        game.session.record_look(looked.number, &looked.line, 8).unwrap();
        let ledger = game.session.verify().ledger;
        let words: Vec<&str> = ledger.iter().map(|entry| entry.words.as_str()).collect();
        assert!(words[0].starts_with("start \"trial\", scenario \"one\", seal "), "{words:?}");
        assert_eq!(
            words[1..],
            [
                "\"roll secret 2d6\": secret roll \"2d6\"",
                "\"set ann.hits 3\": set man ann hits=3",
                "\"reckon ann\": rule reckon who=ann, \"How many?\" answered \"2\"",
                "\"overrule ann.hits 5: he \\\"ducked\\\"\": set man ann hits=5, insisted, because \"he \\\"ducked\\\"\"",
                "the players roll the dice for all",
                "\"shoot bob\": rule shoot who=bob, dice typed in: 5",
                "previewed the dice of \"hit ann\" in place of command 2",
            ]
        );
        let numbers: Vec<Option<u64>> = ledger.iter().map(|entry| entry.command).collect();
        assert_eq!(numbers[1..], [Some(1), Some(2), Some(3), Some(4), None, Some(5), Some(2)]);
        assert_eq!((ledger[4].at, ledger[7].at), (7, 8));
        // The review lists everything that no rule did, without being asked.
        let review = game.session.review();
        let numbers = [
            &review.idle_rolls,
            &review.edited,
            &review.overruled,
            &review.by_hand,
            &review.looked,
        ]
        .map(|list| list.iter().map(|asked| asked.number.unwrap()).collect::<Vec<_>>());
        assert_eq!(numbers, [[1], [2], [4], [5], [2]]);
    }

    #[test]
    fn commands_dice_and_words_are_counted() {
        let mut game = TestGame::of(MEN);
        game.types("shoot ann");
        game.types("shoot-twice ann");
        game.session.mix("three herons", 0).unwrap();
        game.types("note so");
        game.session.undo(1, 0).unwrap();
        game.session.redo(1, 0).unwrap();
        game.throws("shoot-twice bob", &[1, 2]);
        game.throws("shoot bob", &[5]);
        let verification = game.session.verify();
        // The set-up counts as a command.
        let ledger = verification.ledger.clone();
        let expected = Verification {
            commands: 6,
            dice: 3,
            by_hand: 3,
            words: 1,
            ledger: ledger.clone(),
            mismatch: None,
        };
        assert_eq!(verification, expected);
        // The ledger has one entry for each record.
        assert_eq!(ledger.len(), game.session.log().len());
    }

    #[test]
    fn a_die_that_does_not_follow_from_the_seed_is_named() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let face = game.types("shoot ann").outcome.dice[0].1[0];
        let other = face % 6 + 1;
        tamper(&mut game, 2, |outcome| outcome.dice[0].1[0] = other);
        let told = format!(
            "command 2, `shoot ann`: the journal has a {other} on a d6, but the seed and the rules give \
             a {face} on a d6"
        );
        assert_eq!(mismatch(&game), told);
        // Commands are counted up to the first difference.
        assert_eq!(game.session.verify().commands, 2);
        let mut game = TestGame::of(MEN);
        game.types("shoot ann");
        tamper(&mut game, 1, |outcome| outcome.dice[0].1.push(3));
        assert!(
            mismatch(&game).contains("the journal has a 3 on a d6, but"),
            "{}",
            mismatch(&game)
        );
        assert!(mismatch(&game).ends_with("give no more dice"), "{}", mismatch(&game));
    }

    #[test]
    fn an_event_that_does_not_follow_from_the_rules_is_named() {
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.events = vec![Event::Said("no".to_owned())]);
        let told = "command 1, `note so`: the journal has {\"said\":\"no\"}, but the seed and the rules give \
                    {\"said\":\"so\"}";
        assert_eq!(mismatch(&game), told);
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.events.clear());
        assert!(
            mismatch(&game).contains("the journal has no more events, but"),
            "{}",
            mismatch(&game)
        );
        // Every other part of the outcome is compared too.
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.prompts.push(1));
        assert!(mismatch(&game).starts_with("command 1, `note so`: the journal has {"));
    }

    #[test]
    fn the_beginning_is_verified() {
        let with = |change: fn(&mut StartRecord)| {
            let mut game = TestGame::of(MEN);
            forge(&mut game, 0, |record| {
                let Record::Start(start) = record else { panic!("{record:?}") };
                change(Arc::make_mut(start));
            });
            mismatch(&game)
        };
        let seal = with(|start| start.seal = "0".repeat(64));
        assert_eq!(seal, "the set-up: the seal is not the hash of the seed");
        let scenario = with(|start| start.scenario = "two".to_owned());
        assert_eq!(scenario, "the set-up: the ruleset has no such scenario");
        let set_up = with(|start| start.set_up.events.push(Event::Said("so".to_owned())));
        assert!(set_up.starts_with("the set-up: the journal has {\"said\":\"so\"}"), "{set_up}");
        let title = with(|start| start.title = "Grand Prix".to_owned());
        assert!(title.contains("the journal has `start.title` \"Grand Prix\""), "{title}");
        let recipe = with(|start| start.recipe = 3);
        assert!(recipe.contains("the journal has `start.recipe` 3"), "{recipe}");
        let copy = with(|start| start.files[0].copy = "ruleset/07-other.toml".to_owned());
        assert!(copy.contains("the journal has `start.files.0.copy`"), "{copy}");
        let text = with(|start| start.seed_text = Some("candles".to_owned()));
        assert!(text.ends_with("the seed does not come from the text `candles`"), "{text}");
    }

    #[test]
    fn an_action_is_verified_and_its_line_is_listed() {
        let act = |line: &str, rule: &str| {
            let mut game = TestGame::of(MEN);
            game.types("hit ann");
            forge_command(&mut game, 1, |entry| {
                let RecordedAction::Rule { given, only, .. } = entry.action.clone() else {
                    panic!("{entry:?}");
                };
                entry.action = RecordedAction::Rule { rule: rule.to_owned(), given, only };
                entry.line = line.to_owned();
            });
            game
        };
        // A later program may parse the line differently.
        let verified = act("smite ann", "hit").session.verify();
        assert_eq!(verified.mismatch, None);
        assert_eq!(verified.ledger[1].words, "\"smite ann\": rule hit who=ann");
        let told =
            "command 1, `hit ann`: it cannot be resolved again: the rules have no rule `hot`";
        assert_eq!(mismatch(&act("hit ann", "hot")), told);
        let other = mismatch(&act("hit ann", "shoot"));
        assert!(other.starts_with("command 1, `hit ann`: the journal has "), "{other}");
    }

    #[test]
    fn amended_commands_are_verified_where_they_stand() {
        let game = || {
            let mut game = TestGame::of(MEN);
            game.types("shoot ann");
            game.types("shoot ann");
            game.types("both ann bob");
            let plan = game.session.plan_amend(2, "hit ann", &CommandInput::default()).unwrap();
            game.session.amend(&plan, 0).unwrap();
            game
        };
        let verification = game().session.verify();
        // The set-up, three commands, and the two commands with a different result.
        assert_eq!((verification.mismatch, verification.commands), (None, 6));
        assert_eq!(verification.ledger[4].words, "amend 2 to \"hit ann\": rule hit who=ann");
        let with = |change: fn(&mut AmendRecord)| {
            let mut game = game();
            forge(&mut game, 4, |record| {
                let Record::Amend(amend) = record else { panic!("{record:?}") };
                change(Arc::make_mut(amend));
            });
            mismatch(&game)
        };
        let more = with(|amend| {
            let entry = Arc::make_mut(&mut amend.now[0]);
            let mut outcome = Outcome::clone(&entry.outcome);
            outcome.events.push(Event::Said("so".to_owned()));
            entry.outcome = outcome.into();
        });
        assert!(
            more.starts_with("command 2, `hit ann`: the journal has {\"said\":\"so\"}"),
            "{more}"
        );
        // Only the amended line is a person's decision.
        let line = with(|amend| Arc::make_mut(&mut amend.now[1]).line = "both ann cat".to_owned());
        assert!(line.contains("the journal has `amend.now.1.line` \"both ann cat\""), "{line}");
        let dropped = with(|amend| amend.dropped.push(3));
        assert!(dropped.contains("the journal has `amend.dropped`"), "{dropped}");
        let fewer = with(|amend| amend.now.truncate(1));
        assert!(fewer.contains("the journal has no `amend.now.1`"), "{fewer}");
    }
}
