//! A limit on the number of steps that many short runs take together.
//!
//! Each run of a rule has a limit, but showing a large table or testing many end conditions takes
//! thousands of runs. They share a budget, so a ruleset from a stranger can't block the program
//! with many short runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::language::machine::{Halt, Host, Machine, PlayError, PlayFault, World};
use crate::language::schema::FunctionId;

/// The number of steps that all runs of a referee have taken. Copies share one count.
///
/// Runs that share a budget run one after another, so the count is the same whenever they are
/// repeated.
#[derive(Clone, Debug, Default)]
pub(super) struct StepBudget(Arc<Spending>);

#[derive(Debug, Default)]
struct Spending {
    steps: AtomicU64,
    /// The error of the first run that had too few steps left.
    first_fault: OnceLock<Box<PlayError>>,
}

impl StepBudget {
    /// Calls a function on a machine, and charges the steps of the call to the budget.
    pub(super) fn call<T: World, H: Host>(
        &self,
        machine: &mut Machine<'_>,
        (function, arguments): (FunctionId, &[i64]),
        table: &mut T,
        host: &mut H,
    ) -> Result<i64, Halt> {
        let StepBudget(spending) = self;
        let before = spending.steps.load(Ordering::Relaxed);
        machine.start_at_step(before);
        let result = machine.call(function, arguments, table, host);
        // The call itself counts as a step, because even a function that does nothing takes time to
        // call.
        spending.steps.store(machine.steps().saturating_add(1), Ordering::Relaxed);
        if let Err(Halt::Fault(error)) = &result
            && error.fault == PlayFault::TooLong
        {
            let is_first = before == 0;
            let fault = if is_first { PlayFault::TooLong } else { PlayFault::TooLongTogether };
            spending.first_fault.get_or_init(|| Box::new(PlayError { fault, ..*error.clone() }));
        }
        result
    }

    /// Fails if a run had too few steps left, so that its value is missing. Returns the error of
    /// the first such run.
    pub(super) fn check(&self) -> Result<(), Halt> {
        self.0.first_fault.get().map_or(Ok(()), |fault| Err(Halt::Fault(fault.clone())))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::StepBudget;
    use crate::language::machine::{MAX_STEPS, PlayFault};
    use crate::referee::testing::Trial;
    use crate::referee::{Action, Halt, Inputs, Referee, Viewer};

    /// Each man counts all men. So do the end, and the condition under which a side sees a man.
    const CROWD: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.man]
plural = "men"
side = { one_of = "army" }
hits = { from = 0, to = 9 }
others = { is = 'count m in men: m.hits = self.hits' }
seen_by = 'viewer = self.side or (count m in men: m.hits > 0) = 0'
[measure.hits]
title = "Hits"
is = 'sum m in men: m.hits'
[[phase]]
name = "p"
left = [{ each = 'm in men where m.others > 0', say = "{m}" }]
[[end]]
when = '(count m in men: m.others > 9) > 0'
say = "over"
[scenario.one.pieces.man]
ann = { side = "red" }
ben = { side = "red" }
cleo = { side = "blue" }
"#;

    /// Returns the referee of a trial with a budget of `left` remaining steps.
    fn referee_with_steps_left(trial: &Trial, left: u64) -> Referee {
        let budget = StepBudget::default();
        budget.0.steps.store(MAX_STEPS - left, Ordering::Relaxed);
        Referee { budget: Some(budget), ..trial.referee.clone() }
    }

    fn steps_taken(referee: &Referee) -> u64 {
        referee.budget.as_ref().unwrap().0.steps.load(Ordering::Relaxed)
    }

    /// Returns the fault of a budget that was used up, the name of the function in which it
    /// occurred, and true if its span is known; `None` if the budget was not used up.
    fn fault(referee: &Referee) -> Option<(PlayFault, String, bool)> {
        match referee.check_budget() {
            Ok(()) => None,
            Err(Halt::Fault(error)) => {
                Some((error.fault.clone(), error.rule.clone(), error.span.end > 0))
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_values_of_a_view_count_together() {
        let trial = Trial::set_up(CROWD);
        let (kind, row) = trial.find_piece("ann");
        let index = trial.table.schema().kind(kind).attributes.index_of("others").unwrap();
        let shown = |referee: &Referee| referee.attribute_text(&trial.table, kind, row, index);
        // Each computation takes the same number of steps.
        let counted = trial.referee.with_budget();
        assert_eq!(shown(&counted).as_deref(), Some("3"));
        let of_one = steps_taken(&counted);
        for _ in 0..4 {
            shown(&counted);
        }
        assert_eq!(steps_taken(&counted), 5 * of_one);
        // A budget for seven values allows seven, and a copy of the referee shares it.
        let limited = referee_with_steps_left(&trial, 7 * of_one - 1);
        let copy = limited.with_budget();
        assert_eq!((0..7).filter(|_| shown(&copy).is_some()).count(), 7);
        assert_eq!(fault(&limited), None);
        assert_eq!(shown(&limited), None);
        let expected = (PlayFault::TooLongTogether, "man.others".to_owned(), true);
        assert_eq!(fault(&limited), Some(expected));
        // Without a budget, each computation has the full number of steps, and so has a new budget.
        assert_eq!(shown(&trial.referee).as_deref(), Some("3"));
        assert_eq!(shown(&trial.referee.with_budget()).as_deref(), Some("3"));
    }

    #[test]
    fn what_cannot_be_computed_is_hidden_and_not_shown() {
        let trial = Trial::set_up(CROWD);
        let seen = |left| {
            let referee = referee_with_steps_left(&trial, left);
            let sight = referee.seen_table(&trial.table, &Viewer::Side("blue".to_owned()));
            ["ann", "ben", "cleo"].map(|name| sight.table.find(name).is_some())
        };
        assert_eq!(seen(10_000), [true; 3]);
        assert_eq!(seen(0), [false; 3]);
        // Values that were computed in time are seen.
        let counts: Vec<usize> =
            (0..400).map(|left| seen(left).iter().filter(|seen| **seen).count()).collect();
        assert!(counts.is_sorted());
        assert!([1, 2, 3].iter().all(|count| counts.contains(count)), "{counts:?}");
    }

    #[test]
    fn a_command_whose_conditions_take_too_many_steps_is_refused() {
        let trial = Trial::set_up(CROWD);
        let note = Action::Note("so".to_owned());
        let inputs = Inputs::without_dice();
        let resolve = |referee: &Referee| referee.resolve(&trial.table, &note, &inputs);
        assert!(resolve(&trial.referee).is_ok());
        assert!(resolve(&referee_with_steps_left(&trial, 10_000)).is_ok());
        match resolve(&referee_with_steps_left(&trial, 50)) {
            Err(Halt::Fault(error)) => {
                assert_eq!(error.fault, PlayFault::TooLongTogether);
                assert!(error.span.end > 0, "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn measures_and_what_is_left_to_do_count_too() {
        let mut trial = Trial::set_up(CROWD);
        trial.next_phase();
        let measure = &trial.referee.ruleset().measures[0];
        let limited = referee_with_steps_left(&trial, 0);
        assert!(limited.measure(&trial.table, measure).is_none());
        let limited = referee_with_steps_left(&trial, 0);
        assert!(limited.unfinished_business(&trial.table).is_err());
        assert!(trial.referee.unfinished_business(&trial.table).is_ok_and(|left| left.len() == 1));
    }
}
