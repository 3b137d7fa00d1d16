//! The cost of looking for a way.

use super::hooks::Listener;
use crate::language::machine::{Halt, MAX_STEPS, Machine, NO_WAY, PlayFault, World};
use crate::ruleset::{FileText, Ruleset, load};
use crate::tabletop::Tabletop;

const STOP_RULES: &str = r#"
[game]
title = "Stops"
author = "nobody"
[kind.halt]
prefix = "s"
links = { of = "halt", many = true }
open = { flag = true }
[define.far]
takes = "a: halt, b: halt"
is = 'way from a to b along links'
[define.past]
takes = "a: halt, b: halt"
is = 'size((x in (path from a to b along links where s: s.open) where true))'
"#;

/// A line of stops, each linked to the next.
struct StopLine {
    rules: Ruleset,
    table: Tabletop,
}

impl StopLine {
    fn with_stops(stops: u32) -> StopLine {
        let file = FileText { name: "stops.toml".into(), text: STOP_RULES.into(), scenario: None };
        let rules: Ruleset = load(vec![file]).unwrap();
        let mut table = Tabletop::new(rules.schema.clone(), &rules.program.indexed);
        let kind = rules.schema.kind_named("halt").unwrap();
        let links = rules.schema.kind(kind).list("links").unwrap();
        let open = rules.schema.kind(kind).column("open").unwrap();
        for stop in 0..stops {
            let row = table.make_piece(kind, None, "").unwrap();
            table.set(open, row, 1);
            if stop > 0 {
                table.set_list(links, stop - 1, &[row]);
            }
        }
        StopLine { rules, table }
    }

    /// Runs a definition after this many steps; returns its value and the number of steps it took.
    fn run(&mut self, define: &str, a: i64, b: i64, after: u64) -> Result<(i64, u64), Halt> {
        let define = self.rules.schema.define_named(define).unwrap();
        let function = self.rules.schema.defines[define.index()].function;
        let mut machine = Machine::new(&self.rules.schema, &self.rules.program);
        machine.steps = after;
        let mut host = Listener { reports: false, heard: Vec::new() };
        let value = machine.call(function, &[a, b], &mut self.table, &mut host)?;
        Ok((value, machine.steps_run() - after))
    }
}

#[test]
fn a_way_costs_a_step_for_each_place_it_passes() {
    let mut line = StopLine::with_stops(101);
    for define in ["far", "past"] {
        let (near, little) = line.run(define, 0, 1, 0).unwrap();
        let (far, much) = line.run(define, 0, 100, 0).unwrap();
        assert_eq!((near, far), (1, 100));
        assert!(much >= little + 99, "{define}: {little} steps and {much}");
    }
    // A way that does not exist is looked for everywhere.
    let (none, steps) = line.run("far", 1, 0, 0).unwrap();
    assert_eq!(none, NO_WAY);
    assert!(steps >= 100, "{steps}");
}

#[test]
fn a_way_that_is_too_long_ends_the_command() {
    let mut line = StopLine::with_stops(101);
    assert_eq!(line.run("far", 0, 100, MAX_STEPS - 400).unwrap().0, 100);
    match line.run("far", 0, 100, MAX_STEPS - 50) {
        Err(Halt::Fault(error)) => assert_eq!(error.fault, PlayFault::TooLong),
        other => panic!("{other:?}"),
    }
}
