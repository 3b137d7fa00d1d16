//! The words of the console: a file each, and the registry that parsing, help, completion and running go by.

mod amend;
mod clock;
mod dice;
mod enter;
mod example;
pub(super) mod help;
pub(super) mod left;
mod log;
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
mod reveal;
mod rule;
mod save;
#[cfg(feature = "screen")]
mod screen;
mod setup;
mod show;
mod stats;
mod table;
mod undo;
mod why;

use adjutant_engine::command::{self, Candidates, LineError, Reading, Token, TypedLine, actions};
use adjutant_engine::referee::Viewer;

use super::play::{Frontend, Play};
use super::reply::Replied;

/// Carries a line out.
pub(super) type Run = fn(&mut Play, &TypedLine<'_>, &mut dyn Frontend) -> Replied;

/// A word of the console.
pub(super) type Word = command::Word<Run>;

/// All words of the console, in the order of help.
pub(super) static WORDS: &[Word] = &[
    actions::NEXT.run_by(next::next as Run),
    actions::ROLL.run_by(Play::act as Run),
    odds::ODDS,
    table::TABLE,
    rule::RULE,
    actions::ADD.run_by(Play::act as Run),
    actions::SET.run_by(Play::act as Run),
    actions::REMOVE.run_by(Play::act as Run),
    show::SHOW,
    left::LEFT,
    map::MAP,
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
    actions::ORDERS.run_by(Play::act as Run),
    actions::NOTE.run_by(Play::act as Run),
    players::PLAYERS,
    log::LOG,
    stats::STATS,
    clock::CLOCK,
    actions::OPTION.run_by(option::option as Run),
    #[cfg(feature = "screen")]
    screen::SCREEN,
    save::SAVE,
    reload::RELOAD,
    mix::MIX,
    actions::REVEAL.run_by(reveal::reveal as Run),
    enter::ENTER,
    help::HELP,
    quit::QUIT,
];

/// Returns the usage, the help and the samples of every word, in the order of help.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])>
{
    WORDS.iter().map(|word| (word.usage, word.help, word.sample))
}

/// Returns true if a line can begin with this word of the console.
pub fn is_word(name: &str) -> bool {
    WORDS.iter().any(|w| w.is(name))
}

/// Returns the viewer of `… as red` and the words before it; without it, the umpire.
fn viewer<'t>(play: &Play, words: &'t [Token]) -> Result<(Viewer, &'t [Token]), LineError> {
    match words {
        [rest @ .., r#as, name] if r#as.text == "as" => {
            let referee = play.referee();
            let viewers = referee.viewers(play.session.table());
            let known = viewers.iter().map(|(name, viewer)| (name.as_str(), viewer));
            let viewer = command::named(name, known, "side")?;
            Ok((play.session.viewer(viewer), rest))
        }
        [.., r#as] if r#as.text == "as" => {
            let help = "a side, or `players`";
            Err(LineError::new(Some(r#as), "as whom?").help(help))
        }
        words => Ok((Viewer::Umpire, words)),
    }
}

/// Offers `as`, and behind it who can look.
fn offer_viewers(reading: &Reading<'_>, given: &[Token], to: &mut Candidates) {
    match given.last() {
        Some(last) if last.text == "as" => {
            to.offer("players");
            reading.sides().iter().for_each(|side| to.offer(side));
        }
        _ => to.offer_later("as"),
    }
}

/// Returns the word of the console that a line begins with, if it stands for no action.
fn other_word(play: &Play, line: &str) -> Result<Option<&'static str>, LineError> {
    let typed = TypedLine::read(line)?;
    if typed.tokens.is_empty() {
        return Ok(None);
    }
    let found = command::word(play.referee(), play.session.table(), WORDS, &typed)?;
    let name = found.map(|word| word.name);
    Ok(name.filter(|n| actions::ACTIONS.iter().all(|a| a.name != *n)))
}
