//! A table written as a scenario: it checks clean, has every value of the table, and plays on as the table does.

use std::sync::Arc;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::command;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::{Inputs, Outcome, Referee};
use adjutant_engine::ruleset::{self, FileText, Ruleset};
use adjutant_engine::session::{Beginning, Session};
use adjutant_engine::tabletop::{Tabletop, inventory};

use crate::kit::session::fixture;
use crate::kit::typist::Typist;
use crate::kit::{Table, adjutant, cases, file};

/// The name of the scenario that is written.
const WRITTEN: &str = "written";

/// Loads a ruleset with a scenario that was written. There must be no fault and no new warning.
fn load_with(files: &[FileText], text: &str) -> Arc<ruleset::Ruleset> {
    let mut files = files.to_vec();
    let before = ruleset::load(files.clone()).unwrap().warnings.len();
    let scenario = Some(WRITTEN.to_owned());
    files.push(FileText { name: format!("{WRITTEN}.toml"), text: text.to_owned(), scenario });
    let loaded = ruleset::load(files).unwrap_or_else(|faulty| {
        panic!("{:?}\n{text}", faulty.faults);
    });
    assert_eq!(loaded.warnings.len(), before, "{:?}\n{text}", loaded.warnings);
    Arc::new(loaded)
}

/// Everything on a table by names.
fn values(table: &Tabletop) -> Vec<String> {
    let mut all: Vec<String> = inventory(table)
        .into_iter()
        .map(|(of, value)| format!("{}.{}.{} = {value}", of.kind, of.piece, of.attribute))
        .collect();
    all.sort();
    all
}

/// The values of pieces that are on the table. What has left it has no values.
fn present_values(table: &Tabletop) -> Vec<String> {
    let gone: Vec<String> = inventory(table)
        .iter()
        .filter(|(of, value)| of.attribute.is_empty() && value.to_string() == "no")
        .map(|(of, _)| format!("{}.{}.", of.kind, of.piece))
        .collect();
    let is_gone = |line: &String| {
        gone.iter().any(|piece| line.starts_with(piece)) && !line.ends_with(". = no")
    };
    values(table).into_iter().filter(|line| !is_gone(line)).collect()
}

/// What comes of a line, with the dice of a throw; chance answers.
fn outcome(referee: &Referee, table: &Tabletop, line: &str, throw: u64) -> Result<Outcome, String> {
    let command = match command::parse(referee, table, line) {
        Ok(Some(command)) => command,
        Ok(None) => return Err("nothing typed".to_owned()),
        Err(error) => return Err(format!("{error:?}")),
    };
    let inputs = Inputs {
        ask_random: true,
        insist: command.insist,
        ..Inputs::seeded(&Seed::from_text("plays on"), throw)
    };
    referee.resolve(table, &command.action, &inputs).map_err(|halt| match halt {
        Halt::Fault(error) => error.fault.to_string(),
        halt => format!("{halt:?}"),
    })
}

/// Writes the table of a session, reads it, and plays on from both for some lines.
fn plays_on(files: &[FileText], session: &Session, typist: &mut Typist, lines: usize) {
    let text = session.scenario_text(None);
    let loaded = load_with(files, &text);
    let beginning = Beginning {
        game: session.heading(),
        files,
        shipped: shipped::files,
        scenario: loaded.scenario(WRITTEN).unwrap(),
        seed: Seed::from_text("another"),
        seed_text: None,
        at: 0,
    };
    let again = Session::begin(Referee::new(loaded.clone()), beginning).unwrap().0;
    let mut table = session.table().clone();
    let mut copy = again.table().clone();
    assert_eq!(present_values(&table), present_values(&copy), "{text}");
    // What is written of it is the same, but for its title.
    let below = |text: &str| {
        text.lines().filter(|line| !line.starts_with("title = ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(below(&again.scenario_text(None)), below(&text));
    let other = Referee::new(loaded);
    for throw in 0..lines as u64 {
        let line = if typist.below(3) == 0 { "next".to_owned() } else { typist.line(session) };
        let one = outcome(session.referee(), &table, &line, throw);
        let two = outcome(&other, &copy, &line, throw);
        match (one, two) {
            (Ok(one), Ok(two)) => {
                let [one_told, two_told] = [&one, &two].map(|all| format!("{:?}", all.events));
                assert_eq!(one_told, two_told, "{line}\n{text}");
                one.changes().for_each(|change| table.apply(change).unwrap());
                two.changes().for_each(|change| copy.apply(change).unwrap());
            }
            (one, two) => assert_eq!(one.err(), two.err(), "{line}\n{text}"),
        }
    }
    assert_eq!(present_values(&table), present_values(&copy), "{text}");
}

/// Plays a game at random, and writes it now and then.
fn writes_and_plays_on(game: &str, files: &[FileText], number: u64, lines: usize, every: usize) {
    let ruleset: Ruleset = ruleset::load(files.to_vec()).unwrap();
    let scenario = &ruleset.scenarios[number as usize % ruleset.scenarios.len()];
    let mut game = Table::by(game, files, &scenario.name, &number.to_string()).ask_random(true);
    let mut typist = Typist::new(number);
    for at in 0..lines {
        let line = match typist.below(3) {
            0 => "next".to_owned(),
            _ => typist.line(game.session()),
        };
        // Files are written by the test alone.
        if ["scenario", "map", "screen", "log"].iter().any(|word| line.starts_with(word)) {
            continue;
        }
        let _ = game.feed(&line);
        if at % every == number as usize % every {
            plays_on(files, game.session(), &mut typist, 12);
        }
    }
}

/// The shipped games and the examples of the documents.
fn all_games() -> Vec<(String, Vec<FileText>)> {
    let shipped = shipped::names().into_iter().map(|name| {
        let files = shipped::files(&name).unwrap();
        (name, files)
    });
    let examples = cases("docs/examples", "toml").into_iter();
    let examples = examples.map(|(name, text)| {
        let files = vec![file(&format!("{name}.toml"), text)];
        (name, files)
    });
    shipped.chain(examples).collect()
}

#[test]
fn any_table_is_written_and_plays_on() {
    for (game, files) in all_games() {
        for number in 0..2 {
            writes_and_plays_on(&game, &files, number, 30, 11);
        }
    }
}

#[test]
#[ignore = "long: many more games; the test above is its short counterpart"]
fn many_tables_are_written_and_play_on_long() {
    for (game, files) in all_games() {
        for number in 100..130 {
            writes_and_plays_on(&game, &files, number, 120, 17);
        }
    }
}

/// A game with what is hard to write: hexes in columns, walls, links, decks, pieces that left, names that are used up,
/// an end of the scenario, texts with quotes.
const HARD: &str = r#"
[game]
title = "Hard"
[kind.hex]
plural = "hexes"
plan = "hex-flat"
water = { from = 0, to = 9 }
near = { of = "hex", many = true }
[kind.boat]
prefix = "boat"
at = { of = "hex" }
called = { text = true }
odd = { from = 0, to = 9, fractions = true }
plotted = { one_of = ["ahead", "port"], many = true }
counts = { from = 0, to = 5, many = true }
punch = { dice = true, start = "D6+1" }
on_add = 'self.odd = 3; state.added += 1'
[list.card]
columns = ["title"]
rows = { ace = ["Ace"], king = ["King"], fool = ["Fool"] }
[deck.pack]
of = "card"
[state]
added = { from = 0, to = 99 }
open = { of = "card" }
first = { of = "boat" }
[rule.go]
usage = "go <boat:boat>"
after = '''
boat.odd = 7 / 2
add ahead to boat.plotted
add port to boat.plotted
add ahead to boat.plotted
add 3 to boat.counts
add 3 to boat.counts
add 0 to boat.counts
let b = make boat { at = boat.at }
let gone = make boat { at = boat.at }
remove gone
state.first = b
shuffle pack
let c = draw from pack
state.open = c
let one = first a in hexes where name(a) = "a1"
let other = first a in hexes where name(a) = "c2"
link one to other by beside
let south = first a in hexes where name(a) = "b1"
unlink one from south by beside
add other to boat.at.near
'''
[rule.more]
usage = "more"
after = 'let b = make boat { odd = 1 }; let c = draw from pack; state.open = c; say "{b}"'
[[phase]]
name = "sail"
[scenario.bay]
walls = ["b1|c1"]
[scenario.bay.legend]
"\"" = { water = 2 }
"\\" = {}
[[scenario.bay.level]]
plan = '''
\ "
 \
" \
 "'''
[scenario.bay.pieces.boat]
Kite = { at = "a1" }
[[scenario.bay.end]]
when = 'state.added > 90'
say = "so many \"boats\""
"#;

#[test]
fn what_is_hard_to_write_is_written() {
    let files = vec![file("hard.toml", HARD)];
    let mut game = Table::by("hard", &files, "bay", "candle");
    game.types("next\ngo kite\nset kite.called \"it's \\ é\"");
    let written = game.session().scenario_text(None);
    for part in [
        "walls = [\"a1|b1\", \"c1|b1\"",
        "boat = [\"boat2\"]",
        "plotted = [\"ahead\", \"port\", \"ahead\"]",
        "counts = [3, 3, 0]",
        "odd = \"7/2\"",
        "first = \"boat1\"",
        "when = \"state.added > 90\"",
        "complete = true",
    ] {
        assert!(written.contains(part), "no `{part}` in:\n{written}");
    }
    // What is as at the beginning isn't written.
    assert!(!written.contains("punch"), "{written}");
    plays_on(&files, game.session(), &mut Typist::new(7), 20);
    // The name of a piece that has left isn't given again.
    let loaded = load_with(&files, &written);
    let referee = Referee::new(loaded.clone());
    let inputs = Inputs::seeded(&Seed::from_text("x"), 0);
    let (table, _) = referee.set_up(loaded.scenario(WRITTEN).unwrap(), &inputs).unwrap();
    let more = outcome(&referee, &table, "more", 1).unwrap();
    assert!(format!("{:?}", more.events).contains("Said(\"boat3\")"), "{:?}", more.events);
}

#[test]
fn a_side_is_written_alone() {
    let files = fixture("night-raid");
    let game = Table::by("night-raid", &files, "", "candle");
    let session = game.session();
    let table = session.table();
    let mut written = 0;
    for side in &session.referee().sides(table) {
        let text = session.scenario_text(Some(side));
        let loaded = load_with(&files, &text);
        let scenario = loaded.scenario(WRITTEN).unwrap();
        assert!(!scenario.pieces.is_empty() && scenario.levels.is_empty(), "{text}");
        for piece in &scenario.pieces {
            let (kind, row) = table.find(&piece.name).unwrap();
            let of = session.referee().side_of_piece(table, kind, row);
            assert_eq!(of.as_ref(), Some(side), "{}", piece.name);
        }
        written += scenario.pieces.len();
    }
    let with_side = table
        .names()
        .filter(|&(_, kind, row)| session.referee().side_of_piece(table, kind, row).is_some());
    assert_eq!(written, with_side.count());
}

#[test]
fn a_file_is_written_at_the_prompt_and_from_a_session() {
    let home = tempfile::tempdir().unwrap();
    let at_prompt = home.path().join("prompt.toml");
    let exported = home.path().join("exported.toml");
    let lines = format!("next\nscenario write \"{}\"\n", at_prompt.display());
    adjutant(["play", "blitz", "--seed", "candle", "--session", "club"])
        .home(home.path())
        .stdin(lines.as_str())
        .success();
    adjutant(["export", "club"]).args([&exported]).home(home.path()).success();
    let text = std::fs::read_to_string(&at_prompt).unwrap();
    assert_eq!(text, std::fs::read_to_string(&exported).unwrap());
    adjutant(["play", "blitz", "--in-memory", "--seed", "candle", "--scenario"])
        .args([&at_prompt])
        .home(home.path())
        .stdin("next\n")
        .success();
    adjutant(["export", "club"])
        .args([&home.path().join("club.txt")])
        .home(home.path())
        .stderr_has("the name of a scenario file must end in")
        .status(2);
    adjutant(["export", "nothing"])
        .args([&exported])
        .home(home.path())
        .stderr_has("there is no session `nothing`")
        .failure();
}
