//! `adjutant games`: the shipped rulesets and their scenarios.

use adjutant_engine::render::markup::{Line, Role, Text};
use adjutant_engine::ruleset;
use adjutant_engine::ruleset::Ruleset;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::Ended;
use crate::cli::output::Screen;
use crate::shipped;

/// The answer to `games`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GamesAnswer {
    /// The shipped games, in alphabetical order.
    games: Vec<GameListing>,
}

/// A game in the list of `games`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum GameListing {
    /// A game that can be played.
    Playable {
        /// The name that `play` takes.
        name: String,
        /// The title of the game.
        title: String,
        /// The author of the rules.
        author: String,
        /// The edition, or an empty string.
        edition: String,
        /// The game in one sentence, or an empty string.
        about: String,
        /// The source of the rules, or an empty string.
        source: String,
        /// The scenarios, without the hidden ones. The first is for learning the game.
        scenarios: Vec<ScenarioListing>,
    },
    /// A game that does not load.
    Faulty {
        /// The name that `play` takes.
        name: String,
        /// The number of faults of a game that does not load.
        faults: usize,
    },
}

/// A scenario in the list of `games`.
#[derive(Debug, Serialize, JsonSchema)]
struct ScenarioListing {
    /// The name that `--scenario` takes.
    name: String,
    /// The title of the scenario.
    title: String,
    /// A remark, or an empty string.
    note: String,
}

/// Returns the names of the shipped rulesets, each with the ruleset or, if it doesn't load, the
/// number of its faults.
pub(super) fn all() -> Vec<(String, Result<Ruleset, usize>)> {
    shipped::names()
        .into_iter()
        .map(|name| {
            let files = shipped::files(&name).unwrap_or_default();
            let loaded = ruleset::load(files).map_err(|f| f.faults.len());
            (name, loaded)
        })
        .collect()
}

pub(super) fn run(screen: &mut Screen) -> Ended {
    let games = all();
    let listings = games.iter().map(|(name, game)| listing(name, game)).collect();
    screen.answer(&list(&games), &GamesAnswer { games: listings })
}

fn listing(name: &str, game: &Result<Ruleset, usize>) -> GameListing {
    match game {
        Ok(ruleset) => {
            let open = ruleset.scenarios.iter().filter(|s| !s.hidden);
            let scenarios = open.map(|scenario| ScenarioListing {
                name: scenario.name.clone(),
                title: scenario.title.clone(),
                note: scenario.note.clone(),
            });
            let about = &ruleset.game;
            GameListing::Playable {
                name: name.to_owned(),
                title: about.title.clone(),
                author: about.author.clone(),
                edition: about.edition.clone(),
                about: about.about.clone(),
                source: about.source.clone(),
                scenarios: scenarios.collect(),
            }
        }
        Err(faults) => GameListing::Faulty { name: name.to_owned(), faults: *faults },
    }
}

/// Lists the games, each with a number and a sentence, for the umpire to choose from.
pub(super) fn numbered(games: &[(String, Result<Ruleset, usize>)]) -> Text {
    let mut text = Text::new();
    for (place, (name, game)) in games.iter().enumerate() {
        let Ok(Ruleset { game, .. }) = game else { continue };
        let mut line = Line::of(Role::Header, format!("{:>3}  {name:<16}", place + 1));
        line.push(Role::Plain, &game.title).push(Role::Quiet, format!(" · {}", game.author));
        text.push(line.with_hanging_indent(21));
        if !game.about.is_empty() {
            text.push(
                Line::of(Role::Plain, format!("{:21}{}", "", game.about)).with_hanging_indent(21),
            );
        }
    }
    text
}

/// Lists the games with their scenarios.
pub(super) fn list(games: &[(String, Result<Ruleset, usize>)]) -> Text {
    let mut text = Text::new();
    for (name, game) in games {
        match game {
            Ok(ruleset) => {
                let mut line = Line::of(Role::Header, format!("{name:<16}"));
                line.push(Role::Plain, &ruleset.game.title);
                for more in [&ruleset.game.author, &ruleset.game.edition] {
                    if !more.is_empty() {
                        line.push(Role::Quiet, format!(" · {more}"));
                    }
                }
                text.push(line.with_hanging_indent(18));
                for scenario in ruleset.scenarios.iter().filter(|s| !s.hidden) {
                    let mut below = Line::of(Role::Plain, format!("    {}", scenario.name));
                    below.pad_to(30, 2).push(Role::Plain, &scenario.title);
                    text.push(below.with_hanging_indent(32));
                }
            }
            Err(faults) => {
                text.line(Role::Bad, format!("{name:<16}cannot be loaded: {faults} faults"));
            }
        }
    }
    if games.is_empty() {
        text.line(Role::Plain, "this build contains no rulesets; give `play` the path of one");
    } else {
        text.push_empty_line().line(Role::Quiet, "`adjutant play NAME` begins with the first scenario listed; NAME can also be the path of your own ruleset");
    }
    text
}
