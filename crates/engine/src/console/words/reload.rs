//! `reload`: reads the edited ruleset again during play.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::TypedLine;
use crate::render;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::ruleset::{self, FaultyRuleset};
use crate::session::{ChangedPart, ReloadError};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `reload`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ReloadAnswer {
    /// The number of the first command that is carried out under the new rules.
    pub from: u64,
    /// The parts of the rules that changed.
    pub changes: Vec<ChangedPart>,
}

/// The maximum number of faults shown at the table; `adjutant check` shows all.
const MOST_FAULTS: usize = 4;

pub(super) const RELOAD: Word = Word {
    name: "reload",
    short: &["reread"],
    usage: "reload",
    help: "read the edited ruleset again and continue with it",
    sample: &[
        "the files that the game was started from are read again. If they have errors or don't fit the current table, play continues with the old rules; `reread` does the same, for games that have their own verb `reload`",
    ],
    yields: true,
    ..Word::of(
        Handler::stepwise(|play, typed| Box::pin(reload(play, typed)))
            .with_answers(&[|| answer::<ReloadAnswer>("answers to reload", "`reload`")]),
    )
};

async fn reload(play: &mut Play, _: &TypedLine<'_>) -> Replied {
    let game = play.session.game().to_owned();
    let files = play.host.reread(game).await.map_err(Failure::of)?;
    let ruleset = match ruleset::load(files.clone()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(faulty) => return Err(faults_found(&faulty, play.session.game(), play.width)),
    };
    let reloaded = play.record(|session, at| match session.reload(&files, ruleset.clone(), at) {
        Err(ReloadError::Session(error)) => Err(error),
        other => Ok(other),
    });
    match reloaded.await? {
        Ok(reloaded) => {
            let mut text = Text::of(Role::Plain, "the rules were read again:");
            text.extend(render::reload::rule_changes(&reloaded.changes));
            text.line(Role::Plain, format!("they apply from command {} on", reloaded.from));
            Ok(Reply::new(
                text,
                ReloadAnswer { from: reloaded.from, changes: reloaded.changes.clone() },
            ))
        }
        Err(ReloadError::NoPlace(lost)) => {
            let mut remarks = Text::new();
            for reason in lost {
                remarks.push(Line::of(Role::Plain, format!("  {reason}")).with_hanging_indent(4));
            }
            let message = "the current table doesn't fit the edited rules:";
            Err(nothing_changed(message, remarks))
        }
        Err(other) => Err(Failure::of(other)),
    }
}

fn nothing_changed(message: &str, mut remarks: Text) -> Failure {
    remarks.line(Role::Notice, "play continues with the old rules");
    Failure::Message(message.to_owned(), remarks)
}

fn faults_found(faulty: &FaultyRuleset, game: &str, width: usize) -> Failure {
    let mut text = Text::new();
    for fault in faulty.faults.iter().take(MOST_FAULTS) {
        let shown = render::diagnostic::diagnostic(fault, &faulty.sources, false, width);
        text.extend(Text::of(Role::Plain, shown));
    }
    let more = faulty.faults.len().saturating_sub(MOST_FAULTS);
    if more > 0 {
        let words = format!("and {more} more; `adjutant check {game}` shows all");
        text.line(Role::Plain, words);
    }
    nothing_changed("the edited ruleset has errors:", text)
}
