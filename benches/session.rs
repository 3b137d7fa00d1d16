//! How long a session of 500 turns takes to resume, and whether a command costs more the longer it lasts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark fails by panicking"
)]

#[path = "../tests/it/kit/session.rs"]
#[allow(dead_code, reason = "the benchmark uses its part")]
mod session;

use adjutant::render::transcript::Running;
use adjutant::session::{Found, Session, read};
use criterion::{Criterion, criterion_group, criterion_main};
use session::{begin, type_line};

/// So many turns, each with its three phases and five commands. Nothing on the table grows with them: no piece is
/// made and no list gets longer, so that only the length of the session differs.
fn played(turns: u64) -> Session {
    let mut session = begin("candle");
    for turn in 0..turns {
        for line in [
            "next",
            "strike c3",
            "roll 2d6+1",
            "set c3.heat 0",
            "next",
            "set anna.at b2",
            "next",
            "set anna.at a1",
        ] {
            let _ = type_line(&mut session, line, turn);
        }
    }
    session
}

fn resume(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long");
    let mut session = played(500);
    session.keep(&path).unwrap();
    drop(session);
    let bytes = std::fs::metadata(path.join("journal.jsonl")).unwrap().len();
    c.bench_function(&format!("resume 500 turns, {} KiB", bytes / 1024), |b| {
        b.iter(|| Session::look(&path).unwrap().session.entries().len());
    });
}

fn command(c: &mut Criterion) {
    for turns in [5, 50, 500, 2000] {
        let mut session = played(turns);
        c.bench_function(&format!("a command and its undo after {turns} turns"), |b| {
            b.iter(|| {
                let typed = read(session.referee(), session.table(), "strike c3").unwrap();
                let found = Found::default();
                let outcome =
                    session.attempt(&typed.verb, &typed.action, typed.insist, &found).unwrap();
                session.accept("strike c3", outcome, 0).unwrap();
                session.undo(1, 0).unwrap();
            });
        });
    }
}

fn transcript(c: &mut Criterion) {
    let session = played(500);
    c.bench_function("the transcript file of 500 turns, all of it", |b| {
        b.iter(|| Running::default().update(&session, "skirmish"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = resume, command, transcript
}
criterion_main!(benches);
