//! The shipped games in sessions: kept, resumed, verified, taken back to the beginning.

use std::sync::Arc;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::referee::Referee;
use adjutant_engine::ruleset;
use adjutant_engine::session::{Beginning, JournalOrigin, Session};

use crate::kit::session::{keep, open, state, type_line};

#[test]
fn shipped_games_are_kept_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    for name in shipped::names() {
        let files = shipped::files(&name).unwrap();
        let Ok(rules) = ruleset::load(files.clone()) else { panic!("{name} does not load") };
        let rules = Arc::new(rules);
        let Some(scenario) = rules.scenarios.iter().find(|s| !s.hidden) else { continue };
        let beginning = Beginning {
            game: &name,
            files: &files,
            shipped: shipped::files,
            scenario,
            seed: Seed::from_text("evening"),
            seed_text: Some("evening"),
            at: 0,
        };
        let (mut session, _) = Session::begin(Referee::new(rules.clone()), beginning).unwrap();
        session.mix("fair play", 0).unwrap();
        let path = folder.path().join(&name);
        let mut session = keep(session, &path);
        let fresh = state(&session);
        for salt in 0..25 {
            // An answer that does not fit ends a command, not the game.
            let _ = type_line(&mut session, "next", salt);
        }
        let (last, count) = (state(&session), session.entries().len());
        assert!(count > 0, "{name}");
        drop(session);
        // The bytes alone make the same session, wherever they are kept.
        let journal = std::fs::read(path.join("journal.jsonl")).unwrap();
        let file = |copy: &str| Ok(std::fs::read(path.join(copy)).unwrap());
        let origin = JournalOrigin { name: "journal", file: &file, shipped: shipped::files };
        let bytes = Session::from_journal(origin, journal).unwrap().opened;
        assert_eq!(state(&bytes.session), last, "{name}");
        let mut session = open(&path, 1);
        assert_eq!(state(&session), last, "{name}");
        let found = session.verify();
        assert_eq!((found.mismatch, found.commands), (None, count + 1), "{name}");
        session.undo(count, 2).unwrap();
        assert_eq!(state(&session), fresh, "{name}");
        session.redo(count, 3).unwrap();
        assert_eq!(state(&session), last, "{name}");
    }
}
