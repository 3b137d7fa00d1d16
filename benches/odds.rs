//! How fast the odds of verbs are found where much can happen. See `docs/performance.md`.

// Nothing is measured where something is wrong.
#![allow(clippy::expect_used)]

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use adjutant::command;
use adjutant::dice::Seed;
use adjutant::referee::{Inputs, Referee};
use adjutant::ruleset::{FileText, load, shipped};
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
        let name = adjutant::tabletop::area_name(place % 17, place / 17, 0);
        let _ = writeln!(text, "{name} = {{ fire = {} }}", 1 + place % 4);
    }
    let mut files = shipped::files("blitz").expect("it is shipped");
    files.push(FileText { scenario: Some("start".into()), name: "fires.toml".into(), text });
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).expect("it loads")))
}

fn volley() -> Referee {
    let text = include_str!("../tests/fixtures/odds/volley.toml").to_owned();
    let file = FileText { name: "volley.toml".into(), text, scenario: None };
    Referee::new(Arc::new(load(vec![file]).map_err(|f| f.faults).expect("it loads")))
}

fn odds(c: &mut Criterion) {
    let mut group = c.benchmark_group("odds");
    let (fires, volley) = (fires(), volley());
    for (referee, line, name) in [
        (&fires, "growth", "34 fires that grow"),
        (&volley, "volley u1 36", "a volley of 36 attacks"),
        (&volley, "hand u1 10", "a card for each of 10 hits"),
    ] {
        let scenario = referee.ruleset().scenario("start").expect("written above");
        let inputs = Inputs::seeded(&Seed::from_text("bench"), 0);
        let (table, _) = referee.set_out(scenario, &inputs).expect("it is set out");
        let command = command::parse(referee, &table, line).expect("a line").expect("a verb");
        group.bench_function(name, |b| b.iter(|| referee.odds(&table, &command.action, true)));
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
