//! Values held against the limits of attributes and parameters.

use super::hooks::{halt_of_run, reports_heard};
use crate::language::machine::{Halt, PlayFault};

const UNITS: &str = r#"
[kind.unit]
nerve = { from = 2, to = 5, start = 4 }
debt = { from = -5, to = -2, start = -3 }
reach = { from = 2, to = 5, start = 4, fractions = true }
friend = { of = "unit" }
[rule.place]
takes = "n: 1..3, f: 0.5..1.5"
after = 'say "{n} {f}"'
"#;

/// Returns the nerve, the debt and the reach of a unit after a statement.
fn value_after(statement: &str) -> String {
    let go = format!("let u = make unit\n{statement}\nsay \"{{u.nerve}} {{u.debt}} {{u.reach}}\"");
    reports_heard(UNITS, &go, true).concat()
}

fn fault_of_run(statement: &str) -> PlayFault {
    match halt_of_run(UNITS, &format!("let u = make unit\n{statement}")) {
        Halt::Fault(error) => error.fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_change_by_a_number_stops_at_the_limits() {
    let less = |n: &str| {
        value_after(&format!("u.nerve -= floor({n})\nu.debt -= floor({n})\nu.reach -= {n}"))
    };
    assert_eq!(less("1"), "3 -4 3");
    assert_eq!(less("2"), "2 -5 2");
    assert_eq!(less("3"), "2 -5 2");
    assert_eq!(less("9"), "2 -5 2");
    assert_eq!(less("1.5"), "3 -4 2.5");
    let more = |n: &str| {
        value_after(&format!("u.nerve += floor({n})\nu.debt += floor({n})\nu.reach += {n}"))
    };
    assert_eq!(more("0.5"), "4 -3 4.5");
    assert_eq!(more("1"), "5 -2 5");
    assert_eq!(more("2"), "5 -2 5");
    assert_eq!(more("9"), "5 -2 5");
}

#[test]
fn a_value_beyond_the_limits_is_a_fault() {
    // The state is at 0, so that no number is known when the rules are loaded.
    assert_eq!(value_after("u.nerve = state.n + 2"), "2 -3 4");
    assert_eq!(value_after("u.nerve = state.n + 5"), "5 -3 4");
    assert_eq!(value_after("u.reach = state.n + 2"), "4 -3 2");
    assert_eq!(value_after("u.reach = state.n + 5"), "4 -3 5");
    for statement in [
        "u.nerve = 1 + state.n",
        "u.nerve = 6 - state.n",
        "u.debt = 0 - state.n",
        "u.debt = -6 + state.n",
        "u.reach = 3 / 2 + state.n",
        "u.reach = 11 / 2 - state.n",
    ] {
        assert!(matches!(fault_of_run(statement), PlayFault::BeyondLimits { .. }), "{statement}");
    }
}

#[test]
fn arguments_of_a_call_are_within_the_limits_of_its_parameters() {
    let called =
        |n: &str, f: &str| reports_heard(UNITS, &format!("place({n}, {f})"), true)[1].clone();
    assert_eq!(called("1 + state.n", "1/2 + state.n"), "1 0.5");
    assert_eq!(called("3 - state.n", "3/2 - state.n"), "3 1.5");
    for (n, f) in [
        ("state.n", "1 + state.n"),
        ("4 - state.n", "1 + state.n"),
        ("1 + state.n", "1/3 + state.n"),
        ("1 + state.n", "2 - state.n"),
    ] {
        let wrong = fault_of_run(&format!("place({n}, {f})"));
        assert!(matches!(wrong, PlayFault::Argument { .. }), "{n} {f}: {wrong:?}");
    }
}

#[test]
fn nothing_points_to_what_was_taken_off() {
    let wrong = fault_of_run("let v = make unit\nremove v\nu.friend = v");
    assert!(matches!(wrong, PlayFault::TakenOff(_)), "{wrong:?}");
}
