//! `reload`: the ruleset read again after it was edited, while the game goes on.

use super::play::{Desk, Failure, Play};
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::ruleset;
use crate::session::ReloadError;

/// So many faults are shown at the table; `adjutant check` has room for all.
const MOST_FAULTS: usize = 4;

impl Play {
    /// Reads the ruleset again. If it has faults, or the table has no place under it, play goes on as before.
    pub(super) fn reload(&mut self, desk: &mut dyn Desk) -> Result<Text, Failure> {
        let reread =
            self.reread.ok_or_else(|| Failure::of("the rules cannot be read again here"))?;
        let files = reread(self.session.game()).map_err(Failure::of)?;
        let ruleset = match ruleset::load(files.clone()) {
            Ok(ruleset) => std::sync::Arc::new(ruleset),
            Err(faulty) => {
                let mut text = faults(&faulty, desk.width());
                let more = faulty.faults.len().saturating_sub(MOST_FAULTS);
                if more > 0 {
                    let game = self.session.game();
                    let words = format!("and {more} more; `adjutant check {game}` shows all");
                    text.push(Line::of(Role::Plain, words).hanging(2));
                }
                return Err(as_before(text));
            }
        };
        let reloaded =
            self.kept(desk, |session, at| match session.reload(&files, ruleset.clone(), at) {
                Ok(reloaded) => Ok(Ok(reloaded)),
                Err(ReloadError::Store(error)) => Err(error),
                Err(other) => Ok(Err(other)),
            })?;
        match reloaded {
            Ok(reloaded) => {
                let mut text = Text::of(Role::Plain, "the rules were read again:");
                text.extend(render::reload::changes(&reloaded.changes));
                let words = format!("they count from command {} on", reloaded.from);
                text.line(Role::Plain, words);
                Ok(text)
            }
            Err(ReloadError::NoPlace(lost)) => {
                let words = "the table as it stands has no place under the edited rules:";
                let mut text = Text::of(Role::Bad, words);
                for reason in lost {
                    text.push(Line::of(Role::Plain, format!("  {reason}")).hanging(4));
                }
                Err(as_before(text))
            }
            Err(other) => Err(Failure::of(other.to_string())),
        }
    }
}

fn as_before(mut text: Text) -> Failure {
    text.line(Role::Notice, "play goes on by the rules as they were");
    Failure::Told(text)
}

fn faults(faulty: &ruleset::Faulty, width: usize) -> Text {
    let mut text = Text::new();
    for fault in faulty.faults.iter().take(MOST_FAULTS) {
        let shown = render::diagnostic::diagnostic(fault, &faulty.sources, false, width);
        for line in shown.lines() {
            text.line(Role::Plain, line);
        }
    }
    text
}
