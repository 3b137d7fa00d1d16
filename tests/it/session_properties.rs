//! Whatever is typed: undo restores exactly, redo too, a resumed session is where it was, and the same words
//! amended change nothing; also where the rules were read again in between.

use std::collections::BTreeMap;

use adjutant_engine::session::{Entry, Session};
use adjutant_engine::tabletop::Change;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::kit::session::{begin, keep, line, open, plan, reload, state, type_line};

/// Plays whatever of the lines can be played.
fn play(session: &mut Session, numbers: &[u64]) {
    for &number in numbers {
        let _ = type_line(session, &line(number), number);
    }
}

/// A hundred cases of each, the same every time; `.ci/long` takes twenty times as many, and others each time.
fn config() -> ProptestConfig {
    let (cases, rng_seed) = match std::env::var_os("LONG") {
        Some(_) => (2_000, RngSeed::Random),
        None => (100, RngSeed::Fixed(1)),
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn undo_and_redo_restore_exactly(
        seed in 0u32..1000,
        before in proptest::collection::vec(any::<u64>(), 0..25),
        after in proptest::collection::vec(any::<u64>(), 1..12),
        reloads in proptest::collection::vec(0usize..24, 0..3),
    ) {
        let mut session = begin(&seed.to_string());
        play(&mut session, &before);
        let mut states = vec![state(&session)];
        for (place, &number) in after.iter().enumerate() {
            // The rules may be read again at any time: every step is taken back by its own.
            if reloads.contains(&place) {
                reload(&mut session, place + 1);
            }
            let known = session.next_number();
            let _ = type_line(&mut session, &line(number), number);
            let entry = session.entries().last().filter(|entry| entry.number >= known);
            if entry.is_some() {
                states.push(state(&session));
            }
        }
        let last = states.len() - 1;
        for expected in states[..last].iter().rev() {
            prop_assert!(!session.undo(1, 0).unwrap().is_empty());
            prop_assert_eq!(&state(&session), expected);
        }
        for expected in &states[1..] {
            prop_assert!(!session.redo(1, 0).unwrap().is_empty());
            prop_assert_eq!(&state(&session), expected);
        }
        prop_assert!(session.redo(1, 0).unwrap().is_empty());
        // What follows comes out the same whether or not something was taken back and done again.
        let mut straight = begin(&seed.to_string());
        play(&mut straight, &before);
        for (place, &number) in after.iter().enumerate() {
            if reloads.contains(&place) {
                reload(&mut straight, place + 1);
            }
            play(&mut straight, &[number]);
        }
        play(&mut session, &[5, 6, 14, 10, 0]);
        play(&mut straight, &[5, 6, 14, 10, 0]);
        prop_assert_eq!(state(&session), state(&straight));
    }

    #[test]
    fn a_resumed_session_is_where_it_was(
        seed in 0u32..1000,
        numbers in proptest::collection::vec(any::<u64>(), 1..40),
        backs in proptest::collection::vec(0usize..40, 0..4),
        reloads in proptest::collection::vec(0usize..40, 0..4),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game");
        let session = begin(&seed.to_string());
        let mut session = keep(session, &path);
        for (place, &number) in numbers.iter().enumerate() {
            let _ = type_line(&mut session, &line(number), number);
            if reloads.contains(&place) {
                reload(&mut session, place + 1);
            }
            if backs.contains(&place) {
                session.undo(1 + place % 3, 5).unwrap();
                if place % 2 == 0 {
                    session.redo(1, 6).unwrap();
                }
            }
            if place % 11 == 10
                && let Some(entry) = session.entries().get(place % 4).cloned()
            {
                let _ = type_line(&mut session, &format!("amend {} {}", entry.number, line(number / 7)), number);
            }
        }
        let (expected, next) = (state(&session), session.next_number());
        let lines: Vec<String> = session.entries().iter().map(|e| format!("{e:?}")).collect();
        let (script, dice) = (session.script(), session.real_dice().clone());
        prop_assert_eq!(session.verify().mismatch, None);
        drop(session);
        let mut again = open(&path, 9);
        prop_assert!(again.notices.is_empty());
        prop_assert_eq!(state(&again.session), expected);
        prop_assert_eq!(again.session.next_number(), next);
        prop_assert_eq!(again.session.real_dice(), &dice);
        let same: Vec<String> = again.session.entries().iter().map(|e| format!("{e:?}")).collect();
        prop_assert_eq!(same, lines);
        prop_assert_eq!(again.session.script(), script);
        prop_assert_eq!(again.session.verify().mismatch, None);
        // It goes on, and can still take everything back.
        play(&mut again.session, &[5, 0, 14]);
        again.session.undo_to(0, 10).unwrap();
        let fresh = begin(&seed.to_string());
        prop_assert_eq!(state(&again.session), state(&fresh));
    }

    #[test]
    fn amending_with_the_same_line_changes_nothing(
        seed in 0u32..1000,
        numbers in proptest::collection::vec(any::<u64>(), 1..25),
        which in any::<prop::sample::Index>(),
        reloaded in 0usize..40,
    ) {
        let mut session = begin(&seed.to_string());
        let (early, late) = numbers.split_at(reloaded.min(numbers.len()));
        play(&mut session, early);
        if !late.is_empty() {
            prop_assert!(reload(&mut session, 1 + reloaded % 2 * 2));
        }
        play(&mut session, late);
        if session.entries().is_empty() {
            return Ok(());
        }
        let entry = session.entries()[which.index(session.entries().len())].clone();
        let same = plan(&session, entry.number, &entry.line, 0).unwrap();
        prop_assert!(same.changes_nothing(), "{:?} {:?}", same.differences, same.table);
        let before = state(&session);
        session.amend(&same, 7).unwrap();
        prop_assert_eq!(&state(&session), &before);
        session.undo(1, 8).unwrap();
        prop_assert_eq!(&state(&session), &before);
    }

    #[test]
    fn an_amendment_is_what_would_have_come(
        seed in 0u32..1000,
        numbers in proptest::collection::vec(any::<u64>(), 2..20),
        which in any::<prop::sample::Index>(),
        other in any::<u64>(),
        reloaded in 0usize..40,
    ) {
        let mut session = begin(&seed.to_string());
        let (early, late) = numbers.split_at(reloaded.min(numbers.len()));
        play(&mut session, early);
        if !late.is_empty() {
            prop_assert!(reload(&mut session, 1 + reloaded % 2 * 2));
        }
        play(&mut session, late);
        if session.entries().is_empty() {
            return Ok(());
        }
        let number = session.entries()[which.index(session.entries().len())].number;
        let before = state(&session);
        let Ok(planned) = plan(&session, number, &line(other), other) else { return Ok(()) };
        prop_assert_eq!(&state(&session), &before);
        session.amend(&planned, 7).unwrap();
        let amended = state(&session);
        prop_assert_eq!(session.verify().mismatch, None);
        session.undo(1, 8).unwrap();
        prop_assert_eq!(&state(&session), &before);
        session.redo(1, 8).unwrap();
        prop_assert_eq!(&state(&session), &amended);
        prop_assert_eq!(planned.changes_nothing(), before == amended && planned.differences.is_empty());
    }

    #[test]
    fn a_command_that_is_not_amended_does_the_same_to_the_same_pieces(
        seed in 0u32..1000,
        numbers in proptest::collection::vec(any::<u64>(), 2..25),
        made in proptest::collection::vec(0usize..5, 2..25),
        which in any::<prop::sample::Index>(),
        other in any::<u64>(),
    ) {
        let mut session = begin(&seed.to_string());
        for (&number, &made) in numbers.iter().zip(&made) {
            // Many pieces that the machine names, and lines that name them.
            let line = match made {
                0 => "add figure at=a1".to_owned(),
                1 => format!("set f{}.speed {}", number % 4 + 1, number % 5),
                2 => format!("remove f{}", number % 4 + 1),
                _ => line(number),
            };
            let _ = type_line(&mut session, &line, number);
        }
        if session.entries().is_empty() {
            return Ok(());
        }
        let before = session.entries().to_vec();
        let makers = makers_of(&before);
        let number = before[which.index(before.len())].number;
        let amended = match other % 3 {
            0 => "add figure at=b2".to_owned(),
            1 => "note nothing".to_owned(),
            _ => line(other),
        };
        let Ok(planned) = plan(&session, number, &amended, other) else { return Ok(()) };
        session.amend(&planned, 7).unwrap();
        prop_assert_eq!(session.verify().mismatch, None);
        let now_makers = makers_of(session.entries());
        for entry in session.entries().iter().filter(|entry| entry.number != number) {
            let old = before.iter().find(|old| old.number == entry.number).unwrap();
            prop_assert_eq!(&entry.action, &old.action);
            let names = serde_json::to_string(&entry.action).unwrap();
            for (name, maker) in makers.iter().filter(|(name, _)| names.contains(&format!("\"{name}\""))) {
                // A piece that this command itself makes has no other maker.
                prop_assert_eq!(now_makers.get(name), Some(maker), "`{}`: {}", &entry.line, name);
            }
        }
    }
}

/// Returns the command that made each piece, by the name of the piece.
fn makers_of(entries: &[std::sync::Arc<Entry>]) -> BTreeMap<String, u64> {
    let mut makers = BTreeMap::new();
    for entry in entries {
        for change in entry.outcome.changes() {
            if let Change::Made { piece, .. } = change {
                makers.insert(piece.clone(), entry.number);
            }
        }
    }
    makers
}
