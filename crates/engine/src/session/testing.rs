//! A session in memory for unit tests, with rules from a text and typed lines.

use std::sync::Arc;

use super::{Beginning, CommandInput, Entry, RealDice, Session, read_command};
use crate::referee::testing::{load_ruleset, ruleset_files};
use crate::referee::{Answer, GivenAnswers, Outcome, Referee};
use adjutant_dice::Seed;

/// A game with men who are hit, who get orders, and about whom the rules ask questions.
pub(crate) const MEN: &str = r#"
[kind.man]
plural = "men"
hits = { from = 0, to = 9 }
most = { from = 0, to = 9, start = 5 }
orders = { text = true }
heard = { of = "man", many = true }
[rule.hit]
usage = "hit <who:man>"
after = 'who.hits += 1; who.hits += 1'
[rule.both]
usage = "both <one:man> <two:man>"
after = 'one.hits += 1; two.hits += 1'
[rule.tell]
usage = "tell <who:man> <what:text>"
after = 'who.orders = what; add who to who.heard'
[rule.shoot]
usage = "shoot <who:man>"
roll = '1d6'
label = "{who}"
needs = '>= 4'
pass = 'who.hits += 1'
[rule.shoot-twice]
usage = "shoot-twice <who:man>"
roll = '2d6'
label = "{who}"
[rule.reckon]
usage = "reckon <who:man>"
after = 'who.hits = ask "How many?" between 1 and who.most'
[rule.reckon-both]
usage = "reckon-both <one:man> <two:man>"
after = '''
one.hits = ask "How many of {one}?" between 1 and 5
two.hits = ask "How many of {two}?" between 1 and 5
'''
[rule.refused]
usage = "refused <who:man>"
require = [{ that = 'who.hits > 5', because = "too few" }]
after = 'say "so"'
[scenario.one.pieces.man]
ann = {}
bob = { most = 3 }
cat = {}
"#;

/// A session into which tests type lines.
pub(crate) struct TestGame {
    pub(crate) session: Session,
}

impl TestGame {
    /// Begins a session with the first scenario of these rules.
    pub(crate) fn of(rules: &str) -> TestGame {
        let referee = Referee::new(load_ruleset(rules));
        let scenario = referee.ruleset().scenarios[0].clone();
        let beginning = Beginning {
            game: "trial",
            files: &ruleset_files(rules),
            shipped: |_| None,
            scenario: &scenario,
            seed: Seed::from_text("candle"),
            seed_text: None,
            at: 0,
        };
        TestGame { session: Session::begin(referee, beginning).unwrap().0 }
    }

    /// Types a line that asks no questions and rolls dice from the seed, or no dice.
    pub(crate) fn types(&mut self, line: &str) -> Arc<Entry> {
        self.answers(line, &[])
    }

    /// Types a line and answers its questions with these answers.
    pub(crate) fn answers(&mut self, line: &str, answers: &[Answer]) -> Arc<Entry> {
        self.accepts(line, &answered(answers))
    }

    /// Types a line with these faces of real dice. The players roll all dice from then on.
    pub(crate) fn throws(&mut self, line: &str, faces: &[u32]) -> Arc<Entry> {
        if !self.session.real_dice().all {
            let all = RealDice { all: true, ..RealDice::default() };
            self.session.set_real_dice(all, 0).unwrap();
        }
        self.accepts(line, &CommandInput { faces: Some(faces.to_vec()), ..CommandInput::default() })
    }

    pub(crate) fn accepts(&mut self, line: &str, input: &CommandInput) -> Arc<Entry> {
        let typed = read_command(self.session.referee(), self.session.table(), line).unwrap();
        let outcome = self.outcome(line, input);
        self.session.accept(line, &typed, outcome, 0).unwrap()
    }

    /// Returns the outcome that a line would have, without changing anything.
    pub(crate) fn outcome(&self, line: &str, input: &CommandInput) -> Outcome {
        let session = &self.session;
        let typed = read_command(session.referee(), session.table(), line).unwrap();
        let attempted = session.attempt(&typed.verb, &typed.action, typed.insist, input);
        attempted.done.unwrap();
        attempted.outcome
    }

    /// Returns true if the players roll the dice for a line.
    pub(crate) fn is_real(&self, line: &str) -> bool {
        let typed = read_command(self.session.referee(), self.session.table(), line).unwrap();
        self.session.throws_real_dice(&typed.verb, &typed.action)
    }

    /// Returns the value of the attribute `piece.attribute`, in words.
    pub(crate) fn value(&self, spot: &str) -> String {
        crate::referee::testing::value_on(self.session.referee(), self.session.table(), spot)
    }
}

/// Returns command input with these answers and no dice faces.
pub(crate) fn answered(answers: &[Answer]) -> CommandInput {
    let answers = GivenAnswers { typed: answers.to_vec(), ..GivenAnswers::default() };
    CommandInput { answers, faces: None }
}
