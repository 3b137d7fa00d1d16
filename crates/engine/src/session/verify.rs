//! Verification: every die is derived again from the seed, and every result again from the rules.

use super::board::Board;
use super::error::shorten_reason;
use super::history::{Entry, HistoryStep, UndoDirection};
use super::input::CommandInput;
use super::record::Record;
use super::replay::{MadeNames, Replay};
use super::{LoggedRecord, Session, set_out_scenario};
use crate::referee::Outcome;
use adjutant_dice::Seed;

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of commands resolved again, the set-up among them.
    pub commands: usize,
    /// The number of dice derived from the seed again.
    pub dice: usize,
    /// The number of dice rolled by hand, which cannot be derived.
    pub by_hand: usize,
    /// The number of the players' words mixed in.
    pub words: usize,
    /// The first difference, if there is one.
    pub mismatch: Option<Mismatch>,
}

/// Where a journal and the rules disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The command; 0 is the set-up.
    pub number: u64,
    /// Its line.
    pub line: String,
    /// The difference.
    pub what: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.number {
            0 => write!(f, "the set-up: {}", self.what),
            n => write!(f, "command {n}, `{}`: {}", self.line, self.what),
        }
    }
}

impl Session {
    /// Derives everything again, in the order of the journal, and compares.
    pub fn verify(&self) -> Verification {
        let mut verification =
            Verification { words: self.keys.words().len(), ..Verification::default() };
        verification.mismatch = self.verify_all(&mut verification).err();
        verification
    }

    fn verify_all(&self, verification: &mut Verification) -> Result<(), Mismatch> {
        let (first, _) = self.board.referee_and_table_of(0);
        let fault = |number, line: &str, what: String| Mismatch { number, line: line.into(), what };
        if self.keys.secret().seal() != self.start.seal {
            let what = "the seal is not the hash of the seed".to_owned();
            return Err(fault(0, "", what));
        }
        if let Some(text) = self.seed_text()
            && Seed::from_text(text).to_hex() != self.start.seed
        {
            return Err(fault(0, "", format!("the seed is not that of the text `{text}`")));
        }
        let scenario = self
            .scenario_set_out()
            .ok_or_else(|| fault(0, "", "the ruleset has no such scenario".to_owned()))?;
        let (table, outcome) = set_out_scenario(first, scenario, &self.keys.stream_seed(0))
            .map_err(|halt| fault(0, "", format!("it cannot be set out again: {halt:?}")))?;
        let recorded = &self.start.set_up;
        compare_outcomes(recorded, &outcome).map_err(|what| fault(0, "", what.to_string()))?;
        count_outcome(verification, &outcome);
        let mut board = Board::new(first.clone(), table, scenario);
        for logged in &self.log {
            let broken = |e: super::record::RecordError| {
                let (number, line) = first_command_of(logged);
                fault(number, line, e.to_string())
            };
            match (&logged.what, logged.steps.as_slice()) {
                (Record::Command(entry), _) => {
                    self.verify_one(&board, &MadeNames::default(), entry, verification)?;
                }
                (Record::Amend(_), [HistoryStep::Amendment(amendment)]) => {
                    let mut ahead = board.clone();
                    ahead.reverse(&amendment.before).map_err(|e| broken(e.into()))?;
                    let names = MadeNames::of(&amendment.before);
                    for entry in &amendment.now {
                        self.verify_one(&ahead, &names, entry, verification)?;
                        ahead
                            .apply([(UndoDirection::Forward, entry)])
                            .map_err(|e| broken(e.into()))?;
                    }
                }
                _ => {}
            }
            logged.replay(&mut board).map_err(broken)?;
        }
        Ok(())
    }

    /// Resolves one command again on the board before it, and compares.
    fn verify_one(
        &self,
        board: &Board,
        names: &MadeNames,
        entry: &Entry,
        verification: &mut Verification,
    ) -> Result<(), Mismatch> {
        let fault =
            |what: String| Mismatch { number: entry.number, line: entry.line.clone(), what };
        let replay = Replay { board, keys: &self.keys, names };
        let given = CommandInput::from_outcome(&entry.outcome);
        let outcome = replay
            .recorded_action(entry)
            .and_then(|action| replay.resolve(entry, (&action, entry.insist), &given))
            .map_err(|stuck| fault(format!("it cannot be resolved again: {stuck}")))?;
        compare_outcomes(&entry.outcome, &outcome).map_err(|what| fault(what.to_string()))?;
        count_outcome(verification, &outcome);
        Ok(())
    }
}

/// Returns the first command that a record makes or undoes, or the first to which it applies.
fn first_command_of(logged: &LoggedRecord) -> (u64, &str) {
    match (logged.what.acts(&logged.steps).next(), logged.steps.first()) {
        (Some((_, entry)), _) => (entry.number, &entry.line),
        (None, Some(HistoryStep::Rules(rules))) => (rules.from, "reload"),
        (None, Some(HistoryStep::Command(_) | HistoryStep::Amendment(_)) | None) => (0, ""),
    }
}

fn count_outcome(verification: &mut Verification, outcome: &Outcome) {
    verification.commands += 1;
    if outcome.physical {
        verification.by_hand += outcome.face_count();
    } else {
        verification.dice += outcome.face_count();
    }
}

/// Compares a recorded outcome with the one resolved again. The error is the first difference.
fn compare_outcomes(recorded: &Outcome, again: &Outcome) -> Result<(), OutcomeDifference> {
    if recorded == again {
        return Ok(());
    }
    let mut pairs = compared_lines(recorded).zip(compared_lines(again));
    let other = || ("one outcome".to_owned(), "another".to_owned());
    let (old, new) = pairs.find(|(old, new)| old != new).unwrap_or_else(other);
    Err(OutcomeDifference { old, new })
}

/// Returns what is compared, one line each: every die, every event, and the rest.
fn compared_lines(outcome: &Outcome) -> impl Iterator<Item = String> + '_ {
    let dice = outcome
        .dice
        .iter()
        .flat_map(|(sides, faces)| faces.iter().map(move |face| format!("a {face} on a d{sides}")));
    let events = outcome.events.iter().map(|e| serde_json::to_string(e).unwrap_or_default());
    let ends = ["no further die", "no further event"].map(|end| std::iter::once(end.to_owned()));
    let [dice_end, events_end] = ends;
    let rest = std::iter::once_with(|| serde_json::to_string(outcome).unwrap_or_default());
    dice.chain(dice_end).chain(events).chain(events_end).chain(rest)
}

/// Where a journal and the rules disagree.
#[derive(Debug, thiserror::Error)]
#[error(
    "the journal has {}, but by the seed and the rules {} follows",
    shorten_reason(old),
    shorten_reason(new)
)]
struct OutcomeDifference {
    old: String,
    new: String,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::referee::{Event, Outcome, Referee};
    use crate::ruleset::{FileText, load};
    use crate::session::history::{Entry, HistoryStep};
    use crate::session::testing::{MEN, TestGame};
    use crate::session::{
        Beginning, CommandInput, LoggedRecord, Record, RecordedAction, Session, StartRecord,
        Verification, read_command,
    };
    use adjutant_dice::Seed;

    #[test]
    fn a_record_that_does_not_fit_is_named() {
        let text = "[game]\ntitle = \"Tiny\"\n[kind.man]\nhits = { from = 0, to = 3 }\n\
                    [[phase]]\nname = \"fight\"\n[scenario.duel]\npieces.man = { ann = {} }\n";
        let files = [FileText { name: "tiny.toml".into(), text: text.into(), scenario: None }];
        let rules = Arc::new(load(files.to_vec()).unwrap());
        let scenario = &rules.scenarios[0].clone();
        let seed = Seed::from_text("candle");
        let beginning = Beginning {
            game: "tiny",
            files: &files,
            shipped: |_| None,
            scenario,
            seed,
            seed_text: None,
            at: 0,
        };
        let (mut session, _) = Session::begin(Referee::new(rules), beginning).unwrap();
        for line in ["note one", "add man bob", "set bob.hits 2"] {
            let typed = read_command(session.referee(), session.table(), line).unwrap();
            let input = CommandInput::default();
            let attempted = session.attempt(&typed.verb, &typed.action, false, &input);
            attempted.done.unwrap();
            session.accept(line, &typed, attempted.outcome, 0).unwrap();
        }
        assert_eq!(session.verify().mismatch, None);
        // As if something had been done to a piece that is not there yet.
        let last = session.entries()[2].clone();
        session.log[1].steps.push(HistoryStep::Command(last));
        let told = session.verify().mismatch.unwrap().to_string();
        assert!(told.starts_with("command 1, `note one`: "), "{told}");
    }

    /// Puts something else in place of what came of a command.
    fn tamper(game: &mut TestGame, number: u64, with: impl Fn(&mut Outcome)) {
        let entry = game.session.entries().iter().find(|entry| entry.number == number).unwrap();
        let mut outcome = Outcome::clone(&entry.outcome);
        with(&mut outcome);
        let changed = Arc::new(Entry { outcome: outcome.into(), ..Entry::clone(entry) });
        let is_it =
            |logged: &LoggedRecord| logged.command().is_some_and(|entry| entry.number == number);
        let index = game.session.log.iter().position(is_it).unwrap();
        game.session.log[index].what = Record::Command(changed);
    }

    fn mismatch(game: &TestGame) -> String {
        game.session.verify().mismatch.unwrap().to_string()
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
        // The set-up is one of them.
        let expected = Verification { commands: 6, dice: 3, by_hand: 3, words: 1, mismatch: None };
        assert_eq!(verification, expected);
    }

    #[test]
    fn a_die_that_does_not_follow_from_the_seed_is_named() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let face = game.types("shoot ann").outcome.dice[0].1[0];
        let other = face % 6 + 1;
        tamper(&mut game, 2, |outcome| outcome.dice[0].1[0] = other);
        let told = format!(
            "command 2, `shoot ann`: the journal has a {other} on a d6, but by the seed and the rules \
             a {face} on a d6 follows"
        );
        assert_eq!(mismatch(&game), told);
        // The command is counted up to it.
        assert_eq!(game.session.verify().commands, 2);
        let mut game = TestGame::of(MEN);
        game.types("shoot ann");
        tamper(&mut game, 1, |outcome| outcome.dice[0].1.push(3));
        assert!(
            mismatch(&game).contains("the journal has a 3 on a d6, but"),
            "{}",
            mismatch(&game)
        );
        assert!(mismatch(&game).ends_with("no further die follows"), "{}", mismatch(&game));
    }

    #[test]
    fn an_event_that_does_not_follow_from_the_rules_is_named() {
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.events = vec![Event::Said("no".to_owned())]);
        let told = "command 1, `note so`: the journal has {\"said\":\"no\"}, but by the seed and the rules \
                    {\"said\":\"so\"} follows";
        assert_eq!(mismatch(&game), told);
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.events.clear());
        assert!(
            mismatch(&game).contains("the journal has no further event, but"),
            "{}",
            mismatch(&game)
        );
        // Nothing else is left out.
        let mut game = TestGame::of(MEN);
        game.types("note so");
        tamper(&mut game, 1, |outcome| outcome.prompts.push(1));
        assert!(mismatch(&game).starts_with("command 1, `note so`: the journal has {"));
    }

    #[test]
    fn the_seal_the_scenario_and_the_set_up_are_verified() {
        let with = |change: fn(&mut StartRecord)| {
            let mut game = TestGame::of(MEN);
            let mut start = StartRecord::clone(&game.session.start);
            change(&mut start);
            game.session.start = Arc::new(start);
            mismatch(&game)
        };
        let seal = with(|start| start.seal = "0".repeat(64));
        assert_eq!(seal, "the set-up: the seal is not the hash of the seed");
        let scenario = with(|start| start.scenario = "two".to_owned());
        assert_eq!(scenario, "the set-up: the ruleset has no such scenario");
        let set_up = with(|start| start.set_up.events.push(Event::Said("so".to_owned())));
        assert!(set_up.starts_with("the set-up: the journal has {\"said\":\"so\"}"), "{set_up}");
    }

    #[test]
    fn an_action_is_verified_and_not_its_line() {
        let mut game = TestGame::of(MEN);
        game.types("hit ann");
        let entry = game.session.entries()[0].clone();
        let act = |game: &mut TestGame, line: &str, rule: &str| {
            let RecordedAction::Rule { given, only, .. } = entry.action.clone() else {
                panic!("{entry:?}");
            };
            let action = RecordedAction::Rule { rule: rule.to_owned(), given, only };
            let line = line.to_owned();
            let changed = Entry { line, action, ..Entry::clone(&entry) };
            game.session.log[1].what = Record::Command(Arc::new(changed));
        };
        // A later program may read lines in another way.
        act(&mut game, "smite ann", "hit");
        assert_eq!(game.session.verify().mismatch, None);
        act(&mut game, "hit ann", "hot");
        let told =
            "command 1, `hit ann`: it cannot be resolved again: the rules have no rule `hot`";
        assert_eq!(mismatch(&game), told);
        act(&mut game, "hit ann", "shoot");
        assert!(mismatch(&game).starts_with("command 1, `hit ann`: the journal has "));
    }

    #[test]
    fn amended_commands_are_verified_where_they_stand() {
        let mut game = TestGame::of(MEN);
        game.types("shoot ann");
        game.types("hit ann");
        game.types("hit bob");
        let plan = game.session.plan_amend(2, "hit cat", &CommandInput::default()).unwrap();
        game.session.amend(&plan, 0).unwrap();
        let verification = game.session.verify();
        // The set-up, three commands, and the second and what followed once more.
        assert_eq!((verification.mismatch, verification.commands), (None, 6));
        let last = game.session.log.len() - 1;
        let [HistoryStep::Amendment(amendment)] = game.session.log[last].steps.as_slice() else {
            panic!("no amendment");
        };
        let mut now = amendment.now.clone();
        let mut outcome = Outcome::clone(&now[0].outcome);
        outcome.events.push(Event::Said("so".to_owned()));
        now[0] = Arc::new(Entry { outcome: outcome.into(), ..Entry::clone(&now[0]) });
        let changed =
            crate::session::Amendment { now, ..crate::session::Amendment::clone(amendment) };
        game.session.log[last].steps = vec![HistoryStep::Amendment(Arc::new(changed))];
        assert!(
            mismatch(&game).starts_with("command 2, `hit cat`: the journal has {\"said\":\"so\"}")
        );
    }

    #[test]
    fn a_seed_that_is_not_that_of_its_text_is_named() {
        let mut game = TestGame::of(MEN);
        let mut start = StartRecord::clone(&game.session.start);
        start.seed_text = Some("candle".to_owned());
        game.session.start = Arc::new(start.clone());
        assert_eq!(game.session.verify().mismatch, None);
        start.seed_text = Some("candles".to_owned());
        game.session.start = Arc::new(start);
        assert!(mismatch(&game).ends_with("the seed is not that of the text `candles`"));
    }
}
