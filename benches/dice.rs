//! How fast dice are read, thrown and foretold, beside the crate xdy. See `docs/performance.md`.

// Nothing is measured where something is wrong.
#![allow(clippy::expect_used)]

use std::hint::black_box;
use std::time::Duration;

use adjutant_dice::{DiceTray, Seed, SeededSource, parse};
use criterion::{Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

/// The text of both notations; only equal questions are compared.
const ROLL: [&str; 2] = ["4d6kh3+2", "4D6 drop lowest 1 + 2"];

const ODDS: [(&str, Option<&str>); 16] = [
    ("4d6kh3+2", Some("4D6 drop lowest 1 + 2")),
    ("100d6", Some("100D6")),
    ("200d6", Some("200D6")),
    ("1000d6", Some("1000D6")),
    ("60d20", Some("60D20")),
    ("20d20kh10", Some("20D20 drop lowest 10")),
    ("100d6kh50", Some("100D6 drop lowest 50")),
    ("10d10dl2dh2", Some("10D10 drop lowest 2 drop highest 2")),
    ("10d6!", None),
    ("50d6!", None),
    ("20d20!kh10", None),
    ("5000d6", None),
    ("4d6!kh3", None),
    ("12d10>=7", None),
    ("100d6ro1", None),
    ("3d6+5>=18", None),
];

fn dice(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse");
    group.bench_function("adjutant", |b| b.iter(|| parse(black_box(ROLL[0]))));
    group.bench_function("xdy", |b| b.iter(|| xdy::Parser::parse(black_box(ROLL[1])).is_ok()));
    group.finish();

    let mut group = c.benchmark_group("roll");
    let expression = parse(ROLL[0]).expect("written above");
    let mut source = SeededSource::new(&Seed::from_text("bench"), 0);
    group.bench_function("every die", |b| b.iter(|| black_box(&expression).roll(&mut source)));
    let mut tray = DiceTray::default();
    group.bench_function("the total alone", |b| {
        b.iter(|| tray.roll_expression(black_box(&expression), &mut source));
    });
    let mut evaluator = xdy::Evaluator::new(xdy::compile(ROLL[1]).expect("written above"));
    let mut words = ChaCha20Rng::from_seed([7; 32]);
    group.bench_function("xdy", |b| b.iter(|| evaluator.evaluate([], &mut words)));
    group.finish();

    let mut group = c.benchmark_group("odds");
    for (text, theirs) in ODDS {
        let expression = parse(text).expect("written above");
        expression.distribution().expect("small enough");
        group.bench_function(text, |b| b.iter(|| black_box(&expression).distribution()));
        let Some(theirs) = theirs else { continue };
        let evaluator = xdy::Evaluator::new(xdy::compile(theirs).expect("written above"));
        let plan = evaluator.plan_distribution([]).expect("no arguments");
        group.bench_function(format!("{text} by xdy"), |b| {
            b.iter(|| black_box(&plan).build(xdy::Budget::UNLIMITED, &xdy::Unobserved));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    targets = dice
}
criterion_main!(benches);
