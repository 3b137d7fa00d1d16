//! The words of the console, one file each, and their registry, which is used to parse, explain,
//! complete and run lines.

mod agree;
mod amend;
mod clock;
mod dice;
mod enter;
mod example;
mod head;
pub(super) mod help;
pub(super) mod left;
pub(super) mod log;
mod map;
mod mix;
mod more;
mod next;
mod odds;
mod oops;
mod option;
mod overrule;
mod players;
mod quit;
mod redo;
mod reload;
mod report;
mod requests;
mod reveal;
mod rule;
mod save;
mod scenario;
mod screen;
mod seal;
mod setup;
pub(in crate::console) mod show;
mod stats;
mod table;
mod undo;
mod viewers;
mod watch;
pub(in crate::console) mod why;

use super::play::{Handler, Word};
use crate::command::actions;
use crate::render::json::AnswerSchema;

/// The handler of the words that are actions of the game.
const ACTION: Handler = Handler::stepwise(|play, typed| Box::pin(play.act(typed)));

/// All words of the console, in the order in which `help` lists them.
pub(super) static WORDS: &[Word] = &[
    actions::NEXT.with_run(next::HANDLER),
    actions::ROLL.with_run(ACTION),
    odds::ODDS,
    table::TABLE,
    rule::RULE,
    actions::ADD.with_run(ACTION),
    actions::SET.with_run(ACTION),
    actions::REMOVE.with_run(ACTION),
    show::SHOW,
    left::LEFT,
    watch::WATCH,
    map::MAP,
    agree::AGREE,
    setup::SETUP,
    undo::UNDO,
    redo::REDO,
    oops::OOPS,
    amend::AMEND,
    overrule::OVERRULE,
    why::WHY,
    more::MORE,
    example::EXAMPLE,
    dice::DICE,
    actions::ORDERS.with_run(ACTION),
    actions::NOTE.with_run(ACTION),
    players::PLAYERS,
    report::DATE,
    report::VENUE,
    report::REPORT,
    report::PHOTO,
    log::LOG,
    stats::STATS,
    clock::CLOCK,
    actions::OPTION.with_run(option::HANDLER),
    screen::SCREEN,
    requests::REQUESTS,
    save::SAVE,
    scenario::SCENARIO,
    reload::RELOAD,
    mix::MIX,
    seal::SEAL,
    head::HEAD,
    actions::REVEAL.with_run(reveal::HANDLER),
    enter::ENTER,
    help::HELP,
    quit::QUIT,
];

/// Returns the usage, the help and the samples of every word, in the order in which `help` lists
/// the words.
pub fn words() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    WORDS.iter().map(|word| (word.usage, word.help, word.sample))
}

/// The words that an umpire needs during a game.
const FOR_PLAY: [&str; 13] = [
    "next", "roll", "odds", "set", "show", "left", "agree", "undo", "oops", "why", "dice", "note",
    "help",
];

/// Returns the usage and the help of the words that an umpire needs during a game, for a card
/// beside the table.
pub fn words_for_play() -> impl Iterator<Item = (&'static str, &'static str)> {
    let needed = WORDS.iter().filter(|word| FOR_PLAY.contains(&word.name));
    needed.map(|word| (word.usage, word.help))
}

/// Returns true if this is a word of the console, or another spelling of one.
pub fn is_word(name: &str) -> bool {
    WORDS.iter().any(|w| w.is(name))
}

/// Returns true if a verb of this name could not be typed, because the console would treat the line
/// as its own.
pub fn hides_verb(name: &str) -> bool {
    WORDS.iter().any(|w| w.name == name && !w.yields)
}

/// Returns the schemas of all answers to the words, in the order in which `help` lists the words.
pub fn answers() -> impl Iterator<Item = AnswerSchema> {
    WORDS.iter().flat_map(|word| word.run.answers).map(|answer| answer())
}

#[cfg(test)]
mod tests {
    use super::WORDS;

    #[test]
    fn every_word_has_its_usage_and_help() {
        for word in WORDS {
            assert!(!word.name.is_empty() && word.usage.starts_with(word.name), "{}", word.usage);
            assert!(!word.help.is_empty(), "`{}` has no help", word.name);
        }
    }
}
