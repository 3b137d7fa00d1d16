//! `show`: pieces, kinds and the state, as tables.

use super::prelude::*;
use crate::language::schema::{Kind, KindId};
use crate::render::show::{self as render, Subject};
use crate::ruleset::Ruleset;

pub(super) const SHOW: Word = Word {
    name: "show",
    usage: "show [KIND|PIECE|SIDE|state]…",
    help: "show what is kept",
    complete,
    most: MANY,
    ..Word::of(show as Run)
};

/// Returns the kinds the ruleset declares, without the state and the options.
fn kinds(ruleset: &Ruleset) -> impl Iterator<Item = (KindId, &Kind)> {
    let kinds = ruleset.schema.kinds.iter().enumerate().skip(2);
    kinds.map(|(i, kind)| (KindId::from_index(i), kind))
}

fn subject(play: &Play, word: &Token) -> Result<Subject, LineError> {
    let table = play.session.table();
    if word.text.eq_ignore_ascii_case("state") {
        return Ok(Subject::State);
    }
    if play.referee().sides(table).contains(&word.text.to_lowercase()) {
        return Ok(Subject::Side(word.text.to_lowercase()));
    }
    if let Some((kind, row)) = table.find(&word.text) {
        return Ok(Subject::Piece(kind, row));
    }
    let all = || kinds(play.referee().ruleset());
    let plurals: Vec<&str> = all().map(|(_, k)| k.plural.as_str()).collect();
    let matched = names::find(&word.text, plurals.iter().copied());
    let exact = all().find(|(_, k)| k.name.eq_ignore_ascii_case(&word.text));
    let found = exact.or_else(|| all().find(|(_, k)| matched.one() == Some(k.plural.as_str())));
    found.map(|(kind, _)| Subject::Kind(kind)).ok_or_else(|| {
        let known = table.names().map(|(n, ..)| n).chain(plurals.iter().copied()).chain(["state"]);
        let help = match names::nearest(&word.text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a piece, or {}", names::list(&plurals)),
        };
        LineError::new(Some(word), format!("there is no `{}`", word.text)).help(help)
    })
}

fn show(play: &mut Play, typed: &TypedLine<'_>, ui: &mut dyn Frontend) -> Replied {
    let subjects = typed.rest().iter().map(|word| subject(play, word));
    let subjects: Vec<Subject> = subjects.collect::<Result<_, LineError>>()?;
    let view = play.view(ui.width());
    Ok(Reply::new(render::show(&view, &subjects), render::data(&view, &subjects)))
}

fn complete(reading: &Reading<'_>, _: &[Token], to: &mut Candidates) {
    to.offer("state");
    kinds(reading.ruleset()).for_each(|(_, kind)| to.offer(&kind.plural));
    reading.sides().iter().for_each(|side| to.offer(side));
    reading.table.names().for_each(|(name, ..)| to.offer(name));
}
