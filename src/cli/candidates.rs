//! Candidates for a shell's completion: the games, scenarios and sessions that exist when Tab is
//! pressed.

use std::ffi::OsStr;

use adjutant_engine::ruleset;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use crate::cli::{library, sessions};
use crate::session_folder::list_sessions;
use crate::shipped;

/// Returns a completer for the names of shipped games, and for paths on disk.
pub(super) fn games() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut candidates = beginning_with(current, shipped::names());
        candidates.extend(PathCompleter::any().complete(current));
        candidates
    })
}

/// Returns a completer for the scenarios of the game named earlier on the line, except hidden ones.
/// Each has its title as a description.
pub(super) fn scenarios() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let scenarios = typed_game().map_or_else(Vec::new, |ruleset| ruleset.scenarios);
        let open = scenarios.into_iter().filter(|scenario| !scenario.hidden);
        let mut candidates = Vec::new();
        for scenario in open {
            if is_beginning(current, &scenario.name) {
                let candidate = CompletionCandidate::new(scenario.name);
                candidates.push(candidate.help(Some(scenario.title.into())));
            }
        }
        candidates
    })
}

/// Returns a completer for the saved sessions, the most recently played first. Each has its game,
/// scenario and turn as a description.
pub(super) fn sessions() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let saved = sessions::root().ok().and_then(|root| list_sessions(&root).ok());
        let mut candidates = Vec::new();
        for session in saved.into_iter().flatten() {
            if is_beginning(current, &session.name) {
                let what = format!("{}, {}, turn {}", session.game, session.scenario, session.turn);
                let candidate = CompletionCandidate::new(session.name);
                candidates.push(candidate.help(Some(what.into())));
            }
        }
        candidates
    })
}

/// Returns the first ruleset that is named on the line to be completed. The shell's script passes
/// this line after the word `--`.
fn typed_game() -> Option<ruleset::Ruleset> {
    let typed = std::env::args().skip_while(|word| word != "--").skip(3);
    let mut games = typed.filter(|word| !word.starts_with('-'));
    games.find_map(|word| {
        let found = library::find(&word).ok()?;
        ruleset::load(found.files).ok()
    })
}

fn beginning_with(current: &OsStr, names: Vec<String>) -> Vec<CompletionCandidate> {
    let found = names.into_iter().filter(|name| is_beginning(current, name));
    found.map(CompletionCandidate::new).collect()
}

fn is_beginning(current: &OsStr, name: &str) -> bool {
    name.as_bytes().starts_with(current.as_encoded_bytes())
}
