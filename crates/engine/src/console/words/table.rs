//! `table`: shows a chart, a rule's table of results or a printed list, or only the row for a
//! total.

use crate::command::{TypedLine, find_named, parse_whole_number};
use crate::names;
use crate::render::json::answers::answer;
use crate::render::table::TableAnswer;
use crate::render::table::{self as render, Listing};

use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const TABLE: Word = Word {
    name: "table",
    usage: "table NAME [TOTAL]",
    help: "show a chart, or look up a total in it",
    sample: &[
        "`table` on its own lists the charts; if you add a total, only the row for that total is shown",
    ],
    complete: |reading, given, to| {
        to.offer_first(given, Listing::all(reading.ruleset()).map(|(name, _)| name));
    },
    most: 2,
    looks: true,
    ..Word::of(Handler::immediate(table).with_answers(&[|| {
        answer::<TableAnswer>("answers to table", "`table NAME` and `table NAME TOTAL`")
    }]))
};

fn table(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let ruleset = play.referee().ruleset();
    let known: Vec<&str> = Listing::all(ruleset).map(|(name, _)| name).collect();
    let help = if known.is_empty() {
        "this game has no tables".to_owned()
    } else {
        format!("available: {}", names::quote_names(&known))
    };
    let (word, total) = typed.need_word("`table` needs a name", help)?;
    let listing = find_named(word, Listing::all(ruleset), "table")?;
    let total = total.first().map(parse_whole_number).transpose()?;
    let text = render::listing_page(ruleset, listing, total);
    Ok(Reply::new(text, render::table_answer(ruleset, listing, total)))
}
