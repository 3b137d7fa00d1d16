//! `overrule`: changes a result by the umpire's decision, and records the reason.

use crate::command::{ANY_NUMBER, TypedLine, actions};
use crate::names::count_with_noun;
use crate::render;
use crate::render::markup::{Line, Role, Text};
use crate::session::{OverruleError, Ruling};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Failure, Replied, Reply};
use crate::console::rulings;

const USAGE: &str = "overrule PIECE.ATTRIBUTE VALUE: REASON";

pub(super) const OVERRULE: Word = Word {
    name: "overrule",
    usage: USAGE,
    help: "change a result, and record the reason",
    complete: actions::complete_set,
    most: ANY_NUMBER,
    ..Word::of(Handler::stepwise(|play, typed| Box::pin(overrule(play, typed))))
};

async fn overrule(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let typed_ruling = typed.free_text(USAGE)?;
    // `overrule ann hurt: REASON` states the value without the attribute.
    let stated = typed_ruling
        .split_once(':')
        .filter(|(claim, reason)| !claim.contains('.') && !reason.trim().is_empty())
        .and_then(|(claim, reason)| rulings::overruling(play, claim, reason.trim()));
    let ruling = stated.unwrap_or_else(|| typed_ruling.to_owned());
    let read = play.session.ruling(&ruling).map_err(Failure::of)?;
    let mut text = reversed_changes(play, &read, play.width);
    // If several commands could be meant, the umpire is asked before one is reversed.
    if read.others > 0 {
        text = play.ask_agreement(text, "undo that?", "nothing was overruled").await?;
    }
    let entry = play.record(|session, at| match session.overrule(&ruling, at) {
        Err(OverruleError::Session(error)) => Err(error),
        other => Ok(other),
    });
    let entry = entry.await?.map_err(Failure::of)?;
    let mut line = Line::of(Role::Quiet, format!("{} · ", entry.number));
    line.push(Role::Header, "the umpire rules: ");
    line.push(Role::Plain, entry.reason.as_deref().unwrap_or_default());
    text.push(line.with_hanging_indent(4));
    text.extend(render::outcome::outcome(&play.view(play.width), &entry.outcome, None));
    let mut data = play.entry_data(&entry);
    data.reason = entry.reason.clone();
    Ok(Reply::new(text, data))
}

/// Shows the command whose changes a ruling reverses, and the values that the ruling restores. The
/// text is empty if the ruling reverses no command.
fn reversed_changes(play: &Play, ruling: &Ruling, width: usize) -> Text {
    let mut text = Text::new();
    let Some(entry) = &ruling.takes_back else { return text };
    let mut line =
        Line::of(Role::Plain, format!("undoes changes made by command {}: ", entry.number));
    line.push(Role::Strong, &entry.line);
    let view = play.view(width).of_command(play.session.board(), entry.number);
    text.push(
        render::summary::append_summary(line, Role::Plain, &view, &entry.outcome)
            .with_hanging_indent(4),
    );
    for (of, now, then) in &ruling.puts_back {
        let words = format!("  {}.{} {now} → {then}", of.piece, of.attribute);
        text.line(Role::Plain, words);
    }
    if ruling.others > 0 {
        let words = format!(
            "  {} also changed it; to overrule one of those, write `overrule PIECE.ATTRIBUTE VALUE: REASON`",
            count_with_noun(ruling.others, "earlier command")
        );
        text.line(Role::Quiet, words);
    }
    text
}
