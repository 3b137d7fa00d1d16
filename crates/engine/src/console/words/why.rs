//! `why`: explains why a piece is as it is.

use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, TypedLine, actions};
use crate::referee::Binding;
use crate::render;
use crate::render::json::CheckAnswer;
use crate::render::json::answers::answer;
use crate::session::{Cause, Why};

use crate::console::play::{Handler, Play, Word};
use crate::console::recent_results;
use crate::console::reply::{Failure, Replied, Reply};

/// The answer to `why`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WhyAnswer {
    /// The name of the piece.
    pub piece: String,
    /// The attributes, each with its causes.
    pub why: Vec<ThreadAnswer>,
}

/// An attribute with the causes of its value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ThreadAnswer {
    /// The name of the attribute; empty for the presence of the piece on the table.
    pub attribute: String,
    /// The value of the attribute.
    pub value: String,
    /// The causes, the latest first.
    pub causes: Vec<CauseAnswer>,
}

/// A change that caused a value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct CauseAnswer {
    /// The piece that was changed.
    pub piece: String,
    /// The attribute that was changed; empty if the piece itself was put on the table or taken off
    /// it.
    pub attribute: String,
    /// The value before the change.
    pub from: String,
    /// The value after the change.
    pub to: String,
    /// The number of the command that made the change; 0 for the set-up.
    pub number: u64,
    /// The line of the command.
    pub line: String,
    /// The reason for the ruling, if the umpire overruled the value.
    pub reason: Option<String>,
    /// The turn in which the value changed.
    pub turn: i64,
    /// The title of the phase in which the value changed.
    pub phase: Option<String>,
    /// The rule that changed the value.
    pub rule: Option<String>,
    /// The names in the rule, with their values at the time of the change.
    pub bound: Vec<Binding>,
    /// The lines that the rule printed before the change.
    pub said: Vec<String>,
    /// The dice that decided the change.
    pub check: Option<CheckAnswer>,
    /// The piece that caused the change; the chain of causes continues with it.
    pub because_of: Option<String>,
}

pub(super) const WHY: Word = Word {
    name: "why",
    usage: "why PIECE[.ATTRIBUTE]",
    help: "show why something is as it is",
    complete: |reading, given, to| {
        if given.is_empty() {
            actions::complete_set(reading, given, to);
        }
    },
    most: ANY_NUMBER,
    looks: true,
    shows_table: true,
    ..Word::of(
        Handler::immediate(why)
            .with_answers(&[|| answer::<WhyAnswer>("answers to why", "`why PIECE`")]),
    )
};

fn why(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    explain(play, typed)
}

/// Shows the causes of the piece or attribute that is named after the first word.
pub(in crate::console) fn explain(play: &Play, typed: &TypedLine<'_>) -> Replied {
    let why = play.session.why(&typed.need_text(WHY.usage)?).map_err(Failure::of)?;
    let mut text = render::why::why(&play.view(play.width), &why);
    if why.threads.is_empty() {
        // What was rolled for it may have changed nothing.
        if let Some(results) = recent_results::about(play, std::slice::from_ref(&why.piece)) {
            text.extend(results);
        }
    }
    Ok(Reply::new(text, why_answer(play, &why)))
}

fn why_answer(play: &Play, why: &Why) -> WhyAnswer {
    let phases = &play.referee().ruleset().phases;
    let title = |name: &String| phases.iter().find(|p| p.name == *name).map(|p| p.title.clone());
    let cause = |cause: &Cause| CauseAnswer {
        piece: cause.piece.clone(),
        attribute: cause.attribute.clone(),
        from: cause.old.clone(),
        to: cause.new.clone(),
        number: cause.number,
        line: cause.line.clone(),
        reason: cause.reason.clone(),
        turn: cause.turn,
        phase: cause.phase.as_ref().and_then(title),
        rule: cause.rule.clone(),
        bound: cause.bound.clone(),
        said: cause.said.clone(),
        check: cause.check.as_ref().map(render::json::check_answer),
        because_of: cause.from.clone(),
    };
    let threads = why.threads.iter().map(|thread| ThreadAnswer {
        attribute: thread.attribute.clone(),
        value: thread.value.clone(),
        causes: thread.causes.iter().map(cause).collect(),
    });
    WhyAnswer { piece: why.piece.clone(), why: threads.collect() }
}
