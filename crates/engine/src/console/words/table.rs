//! `table`: shows a chart, a rule's table of results or a printed list, or only the row for a
//! total.

use crate::command::{TypedLine, find_named, parse_whole_number};
use crate::render::json::answers::answer;
use crate::render::markup::{Role, Text};
use crate::render::table::TableAnswer;
use crate::render::table::{self as render, Listing};
use crate::ruleset::Ruleset;

use super::rule::names_with_titles;
use crate::console::play::{Handler, Play, Word};
use crate::console::reply::{Replied, Reply};

pub(super) const TABLE: Word = Word {
    name: "table",
    usage: "table [NAME [TOTAL]]",
    help: "show a chart, look up a total in it, or list the charts",
    sample: &["if you add a total, only the row for that total is shown"],
    complete: |reading, given, to| {
        to.offer_first(given, Listing::all(reading.ruleset()).map(|(name, _)| name));
    },
    most: 2,
    looks: true,
    ..Word::of(Handler::immediate(table).with_answers(&[|| {
        answer::<TableAnswer>("answers to table", "`table NAME` and `table NAME TOTAL`")
    }]))
};

/// Returns the names of all tables and their titles.
fn listed(ruleset: &Ruleset) -> Text {
    let entries = Listing::all(ruleset).map(|(name, listing)| (name, listing.title(ruleset)));
    if entries.clone().next().is_none() {
        return Text::of(Role::Plain, "this game has no tables");
    }
    names_with_titles("Tables (`table NAME` shows one)", entries)
}

fn table(play: &mut Play, typed: &TypedLine<'_>) -> Replied {
    let ruleset = play.referee().ruleset();
    let Some((word, total)) = typed.words_after_first().split_first() else {
        return Ok(Reply::new(listed(ruleset), None::<TableAnswer>));
    };
    let listing = find_named(word, Listing::all(ruleset), "table")?;
    let total = total.first().map(parse_whole_number).transpose()?;
    let text = render::listing_page(ruleset, listing, total);
    Ok(Reply::new(text, render::table_answer(ruleset, listing, total)))
}
