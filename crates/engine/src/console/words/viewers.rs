//! `… as red`: shows only what another viewer may see.

use crate::command::{self, CompletionCandidates, LineError, Reading, Token};
use crate::console::play::Play;
use crate::referee::Viewer;

/// Splits `as VIEWER` off the end of the words. Returns the viewer, which is the umpire by default,
/// and the other words.
pub(super) fn split_viewer<'t>(
    play: &Play,
    words: &'t [Token],
) -> Result<(Viewer, &'t [Token]), LineError> {
    match words {
        [rest @ .., r#as, name] if r#as.text == "as" => {
            let referee = play.referee();
            let viewers = referee.viewers(play.session.table());
            let known = viewers.iter().map(|(known, viewer)| (known.as_str(), viewer));
            let viewer = command::find_named(name, known, "side")?;
            Ok((play.session.effective_viewer(viewer), rest))
        }
        [.., r#as] if r#as.text == "as" => {
            let help = "a side, a player, or `players`";
            Err(LineError::new(Some(r#as), "as whom?").help(help))
        }
        words => Ok((Viewer::Umpire, words)),
    }
}

/// Offers `as`, and after it the viewers.
pub(super) fn offer_viewers(reading: &Reading<'_>, given: &[Token], to: &mut CompletionCandidates) {
    match given.last() {
        Some(last) if last.text == "as" => {
            to.offer("players");
            reading.sides().iter().for_each(|side| to.offer(side));
            let players = reading.players();
            players.iter().for_each(|player| to.offer(&player.name));
        }
        _ => to.offer_later("as"),
    }
}
