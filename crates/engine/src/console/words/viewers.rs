//! `… as red`: a word that shows what somebody else may see.

use crate::command::{self, Candidates, LineError, Reading, Token};
use crate::console::play::Play;
use crate::referee::Viewer;

/// Returns the viewer of `… as red` and the words before it; without it, the umpire.
pub(super) fn viewer<'t>(
    play: &Play,
    words: &'t [Token],
) -> Result<(Viewer, &'t [Token]), LineError> {
    match words {
        [rest @ .., r#as, name] if r#as.text == "as" => {
            let referee = play.referee();
            let viewers = referee.viewers(play.session.table());
            let known = viewers.iter().map(|(known, viewer)| (known.as_str(), viewer));
            let viewer = command::named(name, known, "side")?;
            Ok((play.session.viewer(viewer), rest))
        }
        [.., r#as] if r#as.text == "as" => {
            let help = "a side, or `players`";
            Err(LineError::new(Some(r#as), "as whom?").help(help))
        }
        words => Ok((Viewer::Umpire, words)),
    }
}

/// Offers `as`, and behind it who can look.
pub(super) fn offer_viewers(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    match given.last() {
        Some(last) if last.text == "as" => {
            to.offer("players");
            reading.sides().iter().for_each(|side| to.offer(side));
        }
        _ => to.offer_later("as"),
    }
}
