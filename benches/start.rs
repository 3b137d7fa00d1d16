//! From the shell to the prompt: `play` of every game, and `check` of all of them, as whole processes.
//!
//! The aim is 20 ms a game and 0.2 s for `check`.
#![allow(clippy::expect_used, missing_docs, reason = "a bench fails by panicking")]

use std::process::{Command, Stdio};
use std::time::Duration;

use adjutant::shipped;
use adjutant_engine::ruleset::load;
use criterion::{Criterion, criterion_group, criterion_main};

fn adjutant(arguments: &[&str], data: &std::path::Path) {
    let status = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(arguments)
        .env("XDG_DATA_HOME", data)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("it runs").success());
}

/// Sets the first scenario out and leaves at the prompt.
fn start(c: &mut Criterion) {
    let data = tempfile::tempdir().expect("a folder for sessions");
    let mut group = c.benchmark_group("start");
    group.bench_function("nothing but the process", |b| {
        b.iter(|| adjutant(&["roll", "1"], data.path()));
    });
    for game in shipped::names() {
        group.bench_function(format!("play {game}"), |b| {
            b.iter(|| adjutant(&["play", &game], data.path()));
        });
    }
    group.bench_function("check", |b| b.iter(|| adjutant(&["check"], data.path())));
    group.finish();
}

/// The part of it that is reading and compiling the rules.
fn loading(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    for game in shipped::names() {
        let files = shipped::files(&game).expect("it is shipped");
        group.bench_function(&game, |b| b.iter(|| load(files.clone()).is_ok()));
    }
    group.finish();
}

fn settings() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
}

criterion_group! { name = benches; config = settings(); targets = start, loading }
criterion_main!(benches);
