//! Suggestions in a ruleset so small that every line can be tried.

use crate::command::parse_as_typed;
use crate::console::{complete, suggest};
use crate::language::machine::Halt;
use crate::referee::{Inputs, PartialArgument, PartialCall};
use crate::session::testing::TestGame;
use crate::tabletop::Argument;

/// Only ann is ready, and only cid can be a target: he is on the other side. Dot is blue too, but
/// out of the game.
const RULES: &str = r#"
[kind.man]
plural = "men"
ready = { flag = true }
out   = { flag = true }
red   = { flag = true }
shots = { from = 0, to = 9 }
[kind.dump]
plural = "dumps"
rounds = { from = 0, to = 9 }
[rule.aim]
usage = "aim <who:man> at <target:man>"
require = [
  { that = 'target.red != who.red', because = "{target} is a friend" },
  { that = 'not target.out', because = "{target} is out" },
  { that = 'who.ready', because = "{who} isn't ready" },
]
after = 'who.shots += 1'
[rule.march]
usage = "march <men:man+> <inches:1..99> [fast]"
before = 'each m in men { walk(m, inches, fast) }'
[rule.walk]
takes = "man: man, inches: 1..99, fast: flag"
require = [
  { that = 'man.ready or fast', because = "{man} isn't ready" },
  { that = 'not man.out', because = "{man} is out" },
  { that = 'inches <= (if fast then 12 else 6)', because = "too far" },
]
after = 'man.shots += 1'
[rule.gather]
usage = "gather <men:man+> [by <dump:dump>]"
require = [
  { that = 'size(men) >= 2', because = "nobody gathers alone" },
  { that = 'dump != none', because = "name the dump" },
  { that = 'dump.rounds > 0', because = "{dump} is empty" },
]
after = 'each m in men { m.ready = true }'
[rule.load]
usage = "load <who:man> [from <dump:dump>]"
default = { dump = 'first d in dumps where d.rounds > 0 and who.ready' }
require = [{ that = 'dump != none and dump.rounds > 0', because = "nothing there" }]
after = 'dump.rounds -= 1'
[rule.never]
usage = "never <who:man> [with <other:man>]"
require = [{ that = 'who.shots > 8 or other.shots > 8', because = "not enough shots" }]
[scenario.one.pieces.man]
ann = { ready = true, red = true }
bob = { red = true }
cid = {}
dot = { out = true }
[scenario.one.pieces.dump]
empty = {}
full = { rounds = 2 }
"#;

/// Returns the words offered after a line.
fn offered(game: &TestGame, line: &str) -> Vec<String> {
    let session = &game.session;
    let all = suggest(session.referee(), session.table(), line, line.len()).all;
    all.into_iter().map(|suggestion| suggestion.word).collect()
}

/// Returns the call `aim WHO …`, with nothing typed after the name.
fn aim(game: &TestGame, who: &str) -> PartialCall {
    let rules = game.session.referee().ruleset().rules_for_verb("aim");
    let (_, row) = game.session.table().find(who).unwrap();
    let who = PartialArgument::Given(Argument::Value(row.into()));
    PartialCall { rule: rules[0], arguments: vec![who, PartialArgument::Awaited] }
}

#[test]
fn the_first_argument_alone_refutes_a_call() {
    let game = TestGame::of(RULES);
    let session = &game.session;
    // Requirements about the other argument come first.
    for (who, is_refused) in [("ann", false), ("bob", true), ("cid", true), ("dot", true)] {
        let refused = session.referee().is_always_refused(session.table(), &aim(&game, who));
        assert_eq!(refused, is_refused, "{who}");
    }
    assert_eq!(offered(&game, "aim "), ["ann"]);
    assert_eq!(offered(&game, "aim ann at "), ["cid"]);
}

#[test]
fn a_list_is_refuted_by_a_member() {
    let game = TestGame::of(RULES);
    // Dot can't march at all, and the others can if they are fast.
    assert_eq!(offered(&game, "march "), ["ann", "bob", "cid"]);
    assert_eq!(offered(&game, "march bob "), ["ann", "cid"]);
    assert_eq!(offered(&game, "march bob 7 "), ["fast"]);
    assert!(offered(&game, "march bob 13 ").is_empty());
    assert!(!offered(&game, "").contains(&"never".to_owned()));
}

/// Returns true if a line is read as it is typed and accepted.
fn is_accepted(game: &TestGame, line: &str) -> bool {
    let (referee, table) = (game.session.referee(), game.session.table());
    let Ok(Some(command)) = parse_as_typed(referee, table, line) else { return false };
    let done = referee.resolve(table, &command.action, &Inputs::without_dice());
    !matches!(done, Err(Halt::Refused(_) | Halt::Fault(_)))
}

/// Every line of up to six words is tried.
#[test]
fn exactly_the_words_that_lead_to_an_accepted_line_are_offered() {
    let game = TestGame::of(RULES);
    let (referee, table) = (game.session.referee(), game.session.table());
    let words =
        ["ann", "bob", "cid", "dot", "empty", "full", "at", "by", "from", "with", "fast", "7", "2"];
    let verbs = ["aim", "march", "gather", "load", "never"];
    let mut lines: Vec<String> = verbs.map(str::to_owned).to_vec();
    let mut accepted: Vec<String> = Vec::new();
    let mut prefixes = Vec::new();
    for _ in 0..6 {
        accepted.extend(lines.iter().filter(|line| is_accepted(&game, line)).cloned());
        prefixes.append(&mut lines.clone());
        // A word that can't follow can't be part of a line.
        lines = lines
            .iter()
            .flat_map(|line| words.map(|word| format!("{line} {word}")))
            .filter(|line| {
                let (before, word) = line.rsplit_once(' ').unwrap();
                let before = format!("{before} ");
                let known = complete(referee, table, &before, before.len()).words;
                known.iter().any(|known| known == word) || ["7", "2"].contains(&word)
            })
            .filter(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                words.iter().filter(|word| ["7", "2"].contains(word)).count() < 2
            })
            .collect();
    }
    assert!(accepted.len() > 30, "{accepted:?}");
    let leads = |line: &str| {
        accepted.iter().any(|whole| whole == line || whole.starts_with(&format!("{line} ")))
    };
    // Longer lines may be accepted with more than six words.
    for line in prefixes.iter().filter(|line| line.split(' ').count() < 4) {
        let line = format!("{line} ");
        let known = complete(referee, table, &line, line.len()).words;
        let right: Vec<String> =
            known.into_iter().filter(|word| leads(&format!("{line}{word}"))).collect();
        assert_eq!(offered(&game, &line), right, "{line}");
    }
}
