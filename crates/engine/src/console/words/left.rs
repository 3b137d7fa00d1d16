//! `left`: lists the things left to do before the phase ends.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::{ANY_NUMBER, TypedLine};
use crate::names;
use crate::referee::UnfinishedBusiness;
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};

use crate::console::acted;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

/// The answer to `left`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LeftAnswer {
    /// The things left to do in this phase, one phrase each.
    pub left: Vec<String>,
}

pub(super) const LEFT: Word = Word {
    name: "left",
    usage: "left [PLAYER|SIDE|PIECE]",
    help: "list what can still be done in this phase, and who has not acted",
    sample: &[
        "`left red` lists what is left for red to do, and `left ann` what is left for the player ann",
        "`next` warns of anything important before it leaves the phase; repeat `next` to continue",
    ],
    complete: |reading, given, to| {
        if given.is_empty() {
            reading.sides().iter().for_each(|side| to.offer(side));
        }
    },
    most: ANY_NUMBER,
    yields: true,
    looks: true,
    shows_table: true,
    ..Word::of(
        Handler::immediate(left)
            .with_answers(&[|| answer::<LeftAnswer>("answers to left", "`left`")]),
    )
};

fn left(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let mut left = play.referee().unfinished_business(play.session.table())?;
    let wanted = typed.text_after_first();
    if let Some(wanted) = &wanted {
        for business in &mut left {
            business.items.retain(|item| is_of(play, item, wanted));
        }
        left.retain(|business| !business.items.is_empty());
    }
    let words: Vec<String> = left.iter().map(|business| by_owner(play, business)).collect();
    let text = match (words.is_empty(), wanted) {
        (true, None) => {
            let mut text = Text::of(Role::Quiet, nothing_left(play));
            let idle = acted::still_to_act(play);
            if !idle.is_empty() {
                let head = "without a command in this phase so far: ";
                text.push(left_paragraph(head, &[idle.join(", ")]));
            }
            text
        }
        (true, Some(wanted)) => {
            let nothing = format!("nothing is left to do in this phase for `{wanted}`");
            Text::of(Role::Quiet, nothing)
        }
        (false, _) => Text::from_iter([left_paragraph("left in this phase: ", &words)]),
    };
    Ok(Reply::new(text, LeftAnswer { left: words }))
}

/// Returns a sentence for a phase in which nothing is left to do, or in which the rules don't count
/// who has acted.
fn nothing_left(play: &Play) -> String {
    let ruleset = play.referee().ruleset();
    let phase = play.referee().phase_index(play.session.table());
    if phase.is_none() {
        return "nothing is left to do; `next` begins the game".to_owned();
    }
    let phase = phase.map(|index| &ruleset.phases[index]).filter(|phase| {
        phase.left.is_empty() && phase.activation.is_none() && !phase.verbs.is_empty()
    });
    match phase {
        Some(phase) => {
            let verbs = phase.verbs.iter().map(|(verb, _)| verb.as_str());
            let verbs: Vec<&str> = verbs.filter(|verb| ruleset.is_typed_verb(verb)).collect();
            let verbs = names::quote_names(&verbs);
            format!("the rules don't count who has acted in this phase; its commands: {verbs}")
        }
        None => "nothing is left to do in this phase".to_owned(),
    }
}

/// Returns the owner of the piece whose name the text begins with, if there is one.
fn owner(play: &Play, item: &str) -> Option<String> {
    let table = play.session.table();
    let (kind, row) = table.find(item.split(' ').next()?)?;
    play.referee().owner_of_piece(table, kind, row)
}

/// Returns true if a text begins with the name of this piece, or with the name of a piece that
/// belongs to this owner or side.
fn is_of(play: &Play, item: &str, wanted: &str) -> bool {
    let table = play.session.table();
    let name = item.split(' ').next().unwrap_or_default();
    let side =
        table.find(name).and_then(|(kind, row)| play.referee().side_of_piece(table, kind, row));
    let names = [Some(name.to_owned()), owner(play, item), side];
    names.into_iter().flatten().any(|known| known.eq_ignore_ascii_case(wanted))
}

/// Describes something that is left to do, grouped by owner if the pieces have several owners.
pub(in crate::console) fn by_owner(play: &Play, business: &UnfinishedBusiness) -> String {
    let mut groups: IndexMap<Option<String>, Vec<&str>> = IndexMap::new();
    for item in &business.items {
        groups.entry(owner(play, item)).or_default().push(item);
    }
    if groups.len() < 2 {
        return business.in_words();
    }
    let mut items = Vec::new();
    let (owned, nobodys): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(who, _)| who.is_some());
    for (who, pieces) in owned.into_iter().chain(nobodys) {
        let who = who.unwrap_or_else(|| "nobody".to_owned());
        items.push(format!("{who}'s {}", pieces.join(", ")));
    }
    // Commas already separate the pieces of one owner.
    UnfinishedBusiness { items: vec![items.join("; ")], ..business.clone() }.in_words()
}

/// Returns everything that is left to do, in one paragraph.
pub(in crate::console) fn left_paragraph(head: &str, left: &[String]) -> Line {
    Line::of(Role::Notice, head).and(Role::Plain, left.join("; ")).with_hanging_indent(2)
}
