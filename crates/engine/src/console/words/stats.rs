//! `stats`: compares the dice with the expected results, or lists the lengths of the turns and the
//! longest waits.

use crate::command::{LineError, TypedLine, shorten_word};
use crate::render::json::answers::answer;
use crate::render::luck;
use crate::render::markup::Role;
use crate::session::{Luck, Pace};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The maximum number of waits that are shown, the longest first.
const SHOWN_WAITS: usize = 5;

pub(super) const STATS: Word = Word {
    name: "stats",
    usage: "stats [luck|pace]",
    help: "compare the dice with the expected results, or list the times of the turns and the longest waits",
    complete: |_, given, to| to.offer_first(given, ["luck", "pace"]),
    most: 1,
    looks: true,
    ..Word::of(Handler::immediate(stats).with_answers(&[
        || answer::<Luck>("answers to stats", "`stats` and `stats luck`"),
        || answer::<Pace>("answers to stats pace", "`stats pace`"),
    ]))
};

fn stats(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    match typed.text_after_first().as_deref() {
        None | Some("luck") => {
            let luck = play.session.luck();
            Ok(Reply::new(luck::luck(&luck), luck))
        }
        Some("pace") => {
            let pace = play.session.pace(SHOWN_WAITS);
            let mut text = luck::pace(&pace);
            if let Some(over) = play.clock.as_ref().map(|c| &c.over).filter(|o| !o.is_empty()) {
                text.line(Role::Strong, format!("over the clock: {}", over.join(", ")));
            }
            Ok(Reply::new(text, pace))
        }
        Some(other) => {
            let shown = shorten_word(other);
            let message = format!("there are no statistics for `{shown}`");
            let help = "`stats luck` is about the dice, and `stats pace` about the time";
            Err(LineError::new(None, message).help(help).into())
        }
    }
}
