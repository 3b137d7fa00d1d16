//! How fast the odds of verbs are found where much can happen. See `docs/performance.md`.

// Nothing is measured where something is wrong.
#![allow(clippy::expect_used)]

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::command;
use adjutant_engine::referee::odds::OddsMethod;
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use criterion::{Criterion, criterion_group, criterion_main};

/// A street of buildings, of which 34 burn.
fn fires() -> Referee {
    let mut text =
        String::from("title = \"Fires\"\n[legend]\n\"#\" = { surface = \"building\" }\n");
    let _ = writeln!(
        text,
        "[[level]]\nplan = \"{}\\n{}\"\n[pieces.area]",
        "#".repeat(20),
        "#".repeat(20)
    );
    for place in 0..34 {
        let name = adjutant_engine::tabletop::area_name(place % 17, place / 17, 0);
        let _ = writeln!(text, "{name} = {{ fire = {} }}", 1 + place % 4);
    }
    let mut files = shipped::files("blitz").expect("it is shipped");
    files.push(FileText { scenario: Some("start".into()), name: "fires.toml".into(), text });
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).expect("it loads")))
}

fn game(text: &str) -> Referee {
    let file = FileText { name: "game.toml".into(), text: text.to_owned(), scenario: None };
    Referee::new(Arc::new(load(vec![file]).map_err(|f| f.faults).expect("it loads")))
}

/// The phase before that of growth.
fn before_growth(referee: &Referee) -> &str {
    let phases = &referee.ruleset().phases;
    let growth = phases.iter().position(|phase| phase.name == "growth").expect("it is there");
    &phases[growth - 1].name
}

fn odds(c: &mut Criterion) {
    let mut group = c.benchmark_group("odds");
    let volley = game(include_str!("../tests/fixtures/odds/volley.toml"));
    let skirmish = game(include_str!("../docs/examples/modern-skirmish.toml"));
    let fires = fires();
    for (referee, line, name) in [
        (&fires, "growth", "34 fires that grow"),
        (&fires, "next", "next, before 34 fires grow"),
        (&skirmish, "shoot alpha at claws with shredder 12", "20 attacks of the modern skirmish"),
        (&volley, "volley u1 36", "a volley of 36 attacks"),
        (&volley, "hand u1 10", "a card for each of 10 hits"),
    ] {
        let scenario = referee.ruleset().scenario("start");
        let scenario = scenario.unwrap_or(&referee.ruleset().scenarios[0]);
        let inputs = Inputs::seeded(&Seed::from_text("bench"), 0);
        let (mut table, _) = referee.set_up(scenario, &inputs).expect("it is set out");
        let action = match line {
            "next" => {
                referee.put_into_phase(&mut table, before_growth(referee));
                Action::Next
            }
            line => command::parse(referee, &table, line).expect("a line").expect("a verb").action,
        };
        let odds = referee.odds(&table, &action, true).expect("it has odds");
        assert!(matches!(odds.basis, OddsMethod::Exact(_)), "{name}");
        group.bench_function(name, |b| b.iter(|| referee.odds(&table, &action, true)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    targets = odds
}
criterion_main!(benches);
