//! `table`: shows a chart, a rule's table of results or a printed list, or only the row for a
//! total.

use unicode_width::UnicodeWidthStr;

use crate::command::{TypedLine, find_named, parse_whole_number};
use crate::render::json::answers::answer;
use crate::render::markup::{Line, Role, Text};
use crate::render::table::TableAnswer;
use crate::render::table::{self as render, Listing};
use crate::ruleset::Ruleset;

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
    let tables: Vec<(&str, &str)> =
        Listing::all(ruleset).map(|(name, listing)| (name, listing.title(ruleset))).collect();
    let mut text = match tables.as_slice() {
        [] => Text::of(Role::Plain, "this game has no tables"),
        _ => Text::of(Role::Header, "Tables (`table NAME` shows one)"),
    };
    let widest = tables.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    for (name, title) in tables {
        let space = " ".repeat(widest + 2 - name.width());
        let line = Line::of(Role::Plain, "  ").and(Role::Strong, name);
        text.push(line.and(Role::Plain, space).and(Role::Plain, title));
    }
    text
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
