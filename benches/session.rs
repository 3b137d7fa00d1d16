//! How long sessions take to resume, and whether a command costs more the longer they last. See `docs/performance.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a benchmark fails by panicking"
)]

#[path = "../tests/it/kit/session.rs"]
#[allow(dead_code, unreachable_pub, reason = "the benchmark uses its part")]
mod session;

use std::io::Write;

use adjutant::session_folder;
use adjutant_dice::Seed;
use adjutant_engine::render::transcript::{RunningTranscript, TranscriptUpdate};
use adjutant_engine::ruleset::FileText;
use adjutant_engine::session::{CommandInput, Session, read_command};
use criterion::{Criterion, criterion_group, criterion_main};
use session::{begin, begin_game, keep, type_line};

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

/// Sessions of 4,000 and 50,000 commands, beside the same journals read as lines of JSON and nothing more.
fn resume(c: &mut Criterion) {
    for turns in [500, 6250] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        session_folder::save_new(&played(turns), &path).unwrap();
        let journal = path.join("journal.jsonl");
        let size = std::fs::metadata(&journal).unwrap().len() / 1024;
        c.bench_function(&format!("resume {turns} turns, {size} KiB"), |b| {
            b.iter(|| session_folder::read_session(&path).unwrap().session.entries().len());
        });
        c.bench_function(&format!("{turns} turns as lines of JSON"), |b| {
            b.iter(|| {
                let text = std::fs::read_to_string(&journal).unwrap();
                let read = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
                text.lines().map(read).filter(serde_json::Value::is_object).count()
            });
        });
    }
}

fn command(c: &mut Criterion) {
    for turns in [5, 50, 500, 2000] {
        let mut session = played(turns);
        c.bench_function(&format!("a command and its undo after {turns} turns"), |b| {
            b.iter(|| {
                let typed = read_command(session.referee(), session.table(), "strike c3").unwrap();
                let input = CommandInput::default();
                let outcome =
                    session.attempt(&typed.verb, &typed.action, typed.insist, &input).outcome;
                session.accept("strike c3", &typed, outcome, 0).unwrap();
                session.undo(1, 0).unwrap();
            });
        });
    }
}

fn transcript(c: &mut Criterion) {
    let session = played(500);
    c.bench_function("the transcript file of 500 turns, all of it", |b| {
        b.iter(|| RunningTranscript::default().update(&session));
    });
}

/// A command and its undo on disk, the transcript brought up to date after each as at the prompt.
fn undo(c: &mut Criterion) {
    for turns in [5, 1000] {
        let folder = tempfile::tempdir().unwrap();
        let mut session = keep(played(turns), &folder.path().join("long"));
        let mut running = RunningTranscript::default();
        let mut file = std::fs::File::create(folder.path().join("transcript")).unwrap();
        let mut update = |session: &Session| match running.update(session).unwrap() {
            TranscriptUpdate::Nothing => {}
            TranscriptUpdate::Add(words) | TranscriptUpdate::All(words) => {
                file.write_all(words.as_bytes()).unwrap();
            }
        };
        update(&session);
        c.bench_function(
            &format!("a command, undo and transcript after {} lines", 8 * turns),
            |b| {
                b.iter(|| {
                    type_line(&mut session, "strike c3", 0).unwrap();
                    update(&session);
                    session.undo(1, 0).unwrap();
                    update(&session);
                });
            },
        );
    }
}

/// A deck of so many cards.
fn deck(cards: usize) -> FileText {
    let rows: String = (0..cards).map(|n| format!("c{n} = [{n}]\n")).collect();
    let text = format!(
        r#"
[game]
title = "A deck"
[list.card]
points  = {{ from = 0, to = 100000 }}
columns = ["points"]
[list.card.rows]
{rows}
[deck.pack]
of = "card"
[rule.deal]
usage = "deal"
after = 'shuffle pack; let card = draw from pack; say "{{card}}"'
[[phase]]
name = "deal"
[[phase]]
name = "play"
[scenario.start]
title = "Start"
"#
    );
    FileText { name: "deck.toml".into(), text, scenario: None }
}

/// A deck shuffled, a card drawn, two changes of phase; the journal in bytes is in the name.
fn cards(c: &mut Criterion) {
    for cards in [10, 1000, 4000] {
        let folder = tempfile::tempdir().unwrap();
        let session = begin_game("deck", &[deck(cards)], Seed::from_text("cards"), Vec::new());
        let mut session = keep(session, &folder.path().join("cards"));
        let journal = folder.path().join("cards/journal.jsonl");
        let size = || std::fs::metadata(&journal).unwrap().len();
        let before = size();
        let mut lines = || {
            for line in ["deal", "next", "next"] {
                type_line(&mut session, line, 0).unwrap();
            }
        };
        lines();
        let name = format!("{cards} cards: shuffle, draw, two next, {} bytes", size() - before);
        c.bench_function(&name, |b| b.iter(&mut lines));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = resume, command, transcript, undo, cards
}
criterion_main!(benches);
