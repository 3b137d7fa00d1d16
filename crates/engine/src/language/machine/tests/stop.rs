//! Runs that are stopped from outside.

use super::hooks::Listener;
use crate::language::machine::stop::{STEPS_BETWEEN_CHECKS, StopHandle};
use crate::language::machine::{Halt, MAX_STEPS, Machine, PlayFault, World};
use crate::ruleset::{FileText, Ruleset, load};
use crate::tabletop::Tabletop;

const RULES: &str = r#"
[game]
title = "Endless"
[kind.halt]
prefix = "s"
links = { of = "halt", many = true }
line = { of = "halt", many = true }
near = { is = '(h in self.line where h.count < 9)' }
count = { from = 0, to = 999 }
[rule.loops]
takes = "a: halt"
after = 'repeat 1000 times { repeat 1000 times { repeat 1000 times { a.count = 3 } } }'
[rule.numbers]
takes = "a: halt"
after = 'repeat 1000 times { repeat 1000 times { repeat 1000 times { a.count = round(a.count / 2) } } }'
[rule.pieces]
takes = "a: halt"
after = 'each x in halts { each y in halts { each z in halts { a.count = 1 } } }'
[rule.lists]
takes = "a: halt"
after = 'repeat 1000 times { each y in halts { each z in y.links { a.count = size(y.links) } } }'
[rule.ways]
takes = "a: halt"
after = 'each x in halts { each y in halts { if (way from x to y along line) > 3 { a.count = 1 } } }'
[rule.sought]
takes = "a: halt"
after = 'each x in halts { each y in halts { if (way from x to y along near where h: h.count < 9) > 3 { a.count = 1 } } }'
[rule.touch]
takes = "a: halt"
after = 'a.count = 2'
[rule.calls]
takes = "a: halt"
after = 'repeat 1000 times { repeat 1000 times { repeat 1000 times { touch(a) } } }'
"#;

/// Six hundred stops: the links of each lead to all of them, and its line to the next two.
fn crowd() -> (Ruleset, Tabletop) {
    let file = FileText { name: "endless.toml".into(), text: RULES.into(), scenario: None };
    let rules: Ruleset = load(vec![file]).unwrap();
    let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
    let kind = rules.schema.kind_named("halt").unwrap();
    let links = rules.schema.kind(kind).list("links").unwrap();
    let line = rules.schema.kind(kind).list("line").unwrap();
    let rows: Vec<u32> = (0..600).map(|_| table.make_piece(kind, None, "").unwrap()).collect();
    for (i, &row) in rows.iter().enumerate() {
        table.set_list(links, row, &rows);
        table.set_list(line, row, &rows[i + 1..rows.len().min(i + 3)]);
    }
    (rules, table)
}

/// Runs a rule after `before` steps, stopped by a handle; returns the reason why it ended and the number of all steps.
fn run(
    (rules, table): &mut (Ruleset, Tabletop),
    rule: &str,
    before: u64,
    stop: &StopHandle,
) -> (Halt, u64) {
    let rule = rules.schema.rules.iter().find(|r| r.name == rule).unwrap();
    let mut machine = Machine::new(&rules.schema, &rules.program).stopped_by(stop);
    machine.steps = before;
    let mut host = Listener { reports: false, heard: Vec::new() };
    let ended = machine.call(rule.function, &[0], table, &mut host).unwrap_err();
    (ended, machine.steps_run())
}

const ENDLESS: [&str; 7] = ["loops", "numbers", "pieces", "lists", "ways", "sought", "calls"];

#[test]
fn every_loop_asks_whether_it_was_stopped() {
    let mut crowd = crowd();
    let stop = StopHandle::default();
    stop.stop();
    for rule in ENDLESS {
        let (ended, steps) = run(&mut crowd, rule, 0, &stop);
        assert_eq!(ended, Halt::Stopped, "{rule}");
        assert!(steps <= STEPS_BETWEEN_CHECKS, "{rule}: {steps}");
    }
}

#[test]
fn a_stop_from_another_thread_ends_a_run() {
    let mut crowd = crowd();
    for rule in ["loops", "ways", "calls"] {
        let stop = StopHandle::default();
        let other = stop.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(3));
            other.stop();
        });
        let (ended, _) = run(&mut crowd, rule, 0, &stop);
        thread.join().unwrap();
        assert_eq!(ended, Halt::Stopped, "{rule}");
    }
}

#[test]
fn each_of_them_ends_at_the_limit_as_well() {
    let mut crowd = crowd();
    for rule in ENDLESS {
        let before = MAX_STEPS - 2 * STEPS_BETWEEN_CHECKS;
        let (ended, steps) = run(&mut crowd, rule, before, &StopHandle::default());
        let Halt::Fault(error) = ended else { panic!("{rule}: {ended:?}") };
        let is_limit = matches!(error.fault, PlayFault::TooLong | PlayFault::TooManyMembers);
        assert!(is_limit, "{rule}: {}", error.fault);
        assert!(steps <= MAX_STEPS + STEPS_BETWEEN_CHECKS, "{rule}: {steps}");
    }
}
