//! Sessions in folders, for unit tests.

use std::path::Path;
use std::sync::Arc;

use adjutant_dice::Seed;
use adjutant_engine::referee::Referee;
use adjutant_engine::ruleset::load;
use adjutant_engine::session::{Beginning, Session};

use super::{Folder, save_new};
use crate::shipped;

/// Begins a scenario of a shipped game, and saves it in a new folder with this path.
pub(crate) fn begin(folder: &Path, game: &str, scenario: &str) -> (Session, Folder) {
    let files = shipped::files(game).unwrap();
    let rules = Arc::new(load(files.clone()).unwrap());
    let scenario = rules.scenarios.iter().find(|known| known.name == scenario).unwrap().clone();
    let beginning = Beginning {
        game,
        files: &files,
        shipped: shipped::files,
        scenario: &scenario,
        seed: Seed::from_text("candle"),
        seed_text: None,
        at: 0,
    };
    let (session, _) = Session::begin(Referee::new(rules), beginning).unwrap();
    let saved = save_new(&session, folder).unwrap();
    (session, saved)
}
