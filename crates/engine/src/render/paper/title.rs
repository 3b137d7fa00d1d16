//! The title of a game, for the beginning of a page.

use crate::render::document::Title;
use crate::ruleset::GameInfo;

/// Returns the title of a game.
pub(crate) fn title(game: &GameInfo) -> Title {
    let told = |lines: [&String; 2]| {
        lines.iter().map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
    };
    Title {
        name: game.title.clone(),
        scenario: None,
        by: told([&game.author, &game.edition]),
        notes: told([&game.source, &game.note]),
    }
}
