//! The front doors are the ways in which text from outside enters the program. Each text is either
//! read or refused. Each function takes any text, and panics if the program behaves incorrectly.
//! The fuzz targets and the property tests call the same functions.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use adjutant::{session_folder, shipped};
use adjutant_dice::Seed;
use adjutant_engine::command::{self, Command};
use adjutant_engine::diagnostic::Diagnostic;
use adjutant_engine::language::{parser, statements};
use adjutant_engine::referee::{Inputs, Referee};
use adjutant_engine::render::diagnostic::diagnostic;
use adjutant_engine::render::transcript::Format;
use adjutant_engine::ruleset::{FileText, Ruleset, load};
use adjutant_engine::session::{Beginning, Session};
use adjutant_engine::source::{Sources, Span, StringMap};
use adjutant_engine::tabletop::Tabletop;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A small game with a plan, a verb, a roll, a sweep, a deck and a question.
pub const GAME: &str = r##"
[game]
title = "Front door"
[words.suit]
values = ["red", "black"]
[list.card]
every = { suit = "suit" }
[deck.pack]
of = "card"
[kind.area]
plan = true
fire = { from = 0, to = 5, marker = "red die" }
[kind.team]
at = { of = "area" }
named = { text = true, title = "named" }
reach = { from = 0, to = 60, fractions = true, title = "reach" }
[rule.fight]
usage = "fight <target:area> with <team:team+> [range <range:1..3>] [standing]"
default = { range = 'ask "How far?" between 1 and 3' }
roll = '2d6'
modifiers = [{ by = '-range', because = "far" }, { by = '+1', when = 'standing', because = "standing" }]
needs = '>= target.fire + size(team)'
pass = 'target.fire -= 1'
[rule.spread]
each = 'a in areas where a.fire > 0, b in a.beside where b.fire = 0'
roll = '1d6'
needs = '<= a.fire'
pass = 'b.fire = 1'
[rule.deal]
usage = "deal"
after = 'shuffle pack; let c = draw from pack; say "{c}"'
[[phase]]
name = "fight"
do = 'spread()'
verbs = ["fight", "deal"]
[scenario.one]
[scenario.one.legend]
"#" = { fire = 1 }
"=" = {}
[[scenario.one.level]]
plan = "#=\n=="
[scenario.one.pieces.team]
t1 = { at = "a1" }
t2 = { at = "b2" }
"##;

fn file(name: &str, text: &str) -> FileText {
    FileText { name: name.to_owned(), text: text.to_owned(), scenario: None }
}

/// Checks that every fault has a valid span in its file, and that its message contains no control
/// characters.
fn sound(faults: &[Diagnostic], sources: &Sources) {
    for fault in faults.iter().take(50) {
        for span in fault.span.into_iter().chain(fault.other.as_ref().map(|(span, _)| *span)) {
            let text = &sources.get(span.file).expect("a file that is there").text;
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{fault:?}");
        }
        let shown = diagnostic(fault, sources, false, 100);
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    }
}

fn loaded(files: Vec<FileText>) -> Option<Ruleset> {
    match load(files) {
        Ok(ruleset) => {
            sound(&ruleset.warnings, &ruleset.sources);
            Some(ruleset)
        }
        Err(faulty) => {
            assert!(!faulty.faults.is_empty());
            sound(&faulty.faults, &faulty.sources);
            None
        }
    }
}

/// Reads dice, such as `2d6kh1+3>=5`.
pub fn notation(text: &str) {
    match adjutant_dice::parse(text) {
        Ok(expression) => {
            let bounds = expression.bounds();
            assert!(bounds.lowest <= bounds.highest, "{text}");
            // The written expression is read as the same one, unless its spaces make it too long.
            let written = expression.to_string();
            match adjutant_dice::parse(&written) {
                Ok(again) => assert_eq!(again.bounds(), bounds, "{text} as {written}"),
                Err(error) => {
                    assert!(written.len() > adjutant_dice::MAX_TEXT, "{written}: {error:?}");
                }
            }
        }
        Err(error) => {
            assert!(
                error.span.start <= error.span.end && error.span.end <= text.len(),
                "{error:?}"
            );
            assert!(text.is_char_boundary(error.span.start), "{error:?}");
        }
    }
}

/// Reads rule text as each of the forms in which it can be written.
pub fn rule_language(text: &str) {
    let mut sources = Sources::new();
    let quoted = format!("'''{text}'''");
    let length = quoted.len();
    let file = sources.add("scrap", quoted);
    let map = StringMap::new(&sources, Span::new(file, 0..length));
    let mut faults = Vec::new();
    let _ = parser::parse_expression(text, &map, &mut faults);
    let _ = parser::parse_comparison(text, &map, &mut faults);
    let _ = parser::parse_sources(text, &map, &mut faults);
    let _ = parser::parse_template(text, &map, &mut faults);
    let _ = statements::parse_statements(text, &map, &mut faults);
    sound(&faults, &sources);
}

/// Checks and compiles rule text as part of a game. Three quotes in a row would end the text, so
/// they are removed.
pub fn rule_in_game(text: &str) {
    let text = text.replace("'''", "");
    let rule =
        format!("[rule.trial]\ntakes = \"a: area, t: team, n: whole\"\nafter = '''\n{text}'''\n");
    let define = format!(
        "[define.trial-value]\ntakes = \"a: area, t: team, n: whole\"\nis = '''{text}'''\n"
    );
    loaded(vec![file("game.toml", GAME), file("rule.toml", &rule), file("define.toml", &define)]);
}

/// Loads a whole ruleset, checks it, and writes its book.
pub fn ruleset(text: &str) {
    if let Some(ruleset) = loaded(vec![file("trial.toml", text)]) {
        let warnings = adjutant_engine::ruleset::lints::lint(&ruleset, None);
        sound(&warnings, &ruleset.sources);
        let _ = adjutant_engine::render::paper::game_book(&std::sync::Arc::new(ruleset))
            .print(adjutant_engine::render::paper::Format::HTML, 80);
    }
}

/// Loads a scenario in a separate file, and sets it up.
pub fn scenario(text: &str) {
    let trial = FileText { scenario: Some("trial".into()), ..file("trial.toml", text) };
    if let Some(ruleset) = loaded(vec![file("game.toml", GAME), trial]) {
        set_out(ruleset);
    }
}

/// Loads a drawn plan, and sets up its scenario.
pub fn plan(text: &str) {
    let text = text.replace("'''", "");
    let level = format!(
        "[legend]\n\"#\" = {{ fire = 1 }}\n\"=\" = {{}}\n[[level]]\nplan = '''\n{text}'''\n"
    );
    scenario(&level);
}

fn set_out(ruleset: Ruleset) {
    let referee = Referee::new(Arc::new(ruleset));
    let seed = Seed::from_text("front door");
    for scenario in &referee.ruleset().scenarios {
        let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
        let _ = referee.set_up(scenario, &inputs);
    }
}

/// Plays lines that an umpire might type, each on the table that the previous lines have left.
pub fn command_line(text: &str) {
    static GAME_SET_OUT: OnceLock<(Arc<Ruleset>, Tabletop)> = OnceLock::new();
    let seed = Seed::from_text("front door");
    let (ruleset, table) = GAME_SET_OUT.get_or_init(|| {
        let ruleset = Arc::new(loaded(vec![file("game.toml", GAME)]).expect("a sound game"));
        let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, 0) };
        let referee = Referee::new(ruleset.clone());
        let (table, _) = referee.set_up(&ruleset.scenarios[0], &inputs).expect("a scenario");
        (ruleset, table)
    });
    let referee = Referee::new(ruleset.clone());
    let mut table = table.clone();
    for (number, line) in text.lines().take(20).enumerate() {
        let _ = adjutant_engine::console::complete(&referee, &table, line, line.len());
        match command::parse(&referee, &table, line) {
            Ok(Some(Command { action, insist, .. })) => {
                let inputs =
                    Inputs { insist, ask_random: true, ..Inputs::seeded(&seed, number as u64 + 1) };
                if let Ok(outcome) = referee.resolve(&table, &action, &inputs) {
                    outcome.apply(&mut table).expect("what was resolved fits");
                }
            }
            Ok(_) => {}
            Err(error) => {
                if let Some((start, end)) = error.span {
                    assert!(start <= end && end <= line.len(), "{line:?} {error:?}");
                }
            }
        }
    }
}

/// Saves a session of the small game in a folder, and returns the first line of its journal.
fn beginning(folder: &Path) -> String {
    let files = vec![file("game.toml", GAME)];
    let ruleset = Arc::new(loaded(files.clone()).expect("a sound game"));
    let scenario = ruleset.scenarios[0].clone();
    let beginning = Beginning {
        game: "game.toml",
        files: &files,
        shipped: shipped::files,
        scenario: &scenario,
        seed: Seed::from_text("front door"),
        seed_text: Some("front door"),
        at: 0,
    };
    let begun = Session::begin(Referee::new(ruleset), beginning);
    let (session, _) = begun.expect("a scenario that begins");
    session_folder::save_new(&session, folder).expect("a folder that can be written");
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    journal.lines().next().expect("a first line").to_owned()
}

/// Returns lines with the correct checksums and lengths, without which they would be refused
/// unread.
fn sealed<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut sum = "adjutant journal".to_owned();
    let mut journal = String::new();
    for line in lines.filter(|line| line.starts_with('{')) {
        let mut record: Value = serde_json::from_str(line).unwrap_or_default();
        let whole = record.as_object_mut().map(|record| {
            record.retain(|key, _| key != "sum" && key != "len");
            // The record is the last key in its line.
            let what = record.remove("do").unwrap_or_default();
            let frame = serde_json::to_string(record).expect("what was read");
            format!("{},\"do\":{what}}}", frame.strip_suffix('}').unwrap_or_default())
        });
        let body = &whole.as_deref().unwrap_or(line)[1..];
        let rest = format!("\"len\":{},{body}", body.len());
        let digest = Sha256::digest(format!("{sum}{rest}"));
        sum = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        journal.push_str(&format!("{{\"sum\":\"{sum}\",{rest}\n"));
    }
    journal
}

/// Reads a session and makes every report about it. Returns the number of its commands.
fn look(bytes: &[u8], folder: &Path) -> usize {
    std::fs::write(folder.join("journal.jsonl"), bytes).expect("a file");
    let Ok(opened) = session_folder::read_session(folder) else { return 0 };
    let mut session = opened.session;
    let (_, _, _) = (session.verify(), session.review(), session.luck());
    let _ = adjutant_engine::render::transcript::transcript(
        &session,
        Format::HTML,
        &adjutant_engine::referee::Viewer::Players,
    );
    let commands = session.entries().len();
    let _ = session.undo_to(0, 0);
    commands
}

/// Reads a journal in a folder twice: unchanged, and as forged records after the beginning of a
/// game, with correct checksums. Returns the number of commands that were accepted from the forged
/// records.
pub fn journal(bytes: &[u8], folder: &Path) -> usize {
    let kept = folder.join("first-line");
    let first = std::fs::read_to_string(&kept).unwrap_or_else(|_| {
        let first = beginning(folder);
        std::fs::write(&kept, &first).expect("a file");
        first
    });
    assert!(look(bytes, folder) <= bytes.len());
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter(|line| !line.contains("{\"start\":"));
    look(sealed(std::iter::once(first.as_str()).chain(lines)).as_bytes(), folder)
}
