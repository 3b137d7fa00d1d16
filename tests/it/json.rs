//! `docs/json.md` against the program: its commands are typed as they stand, and every key that comes out is described.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::kit::adjutant;

/// A section: the commands in it, and the keys it describes.
struct Section {
    title: String,
    commands: Vec<String>,
    keys: BTreeSet<String>,
}

fn sections() -> Vec<Section> {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let section = |text: &str| {
        let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        let keys = cells.flat_map(|cell| cell.trim_end_matches([' ', '`']).split("`, `"));
        Section {
            title: text.lines().next().unwrap().to_owned(),
            commands: text
                .lines()
                .filter_map(|line| line.strip_prefix("    ").map(str::to_owned))
                .collect(),
            keys: keys.map(str::to_owned).collect(),
        }
    };
    std::fs::read_to_string(document).unwrap().split("\n## ").skip(1).map(section).collect()
}

/// Adds the path of every key in a document.
fn collect(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(member, &path, keys);
                keys.insert(path);
            }
        }
        Value::Array(members) => {
            members.iter().for_each(|member| collect(member, &format!("{path}[]"), keys));
        }
        _ => {}
    }
}

/// Sections of the answers at the prompt begin so; their lines are typed in a game.
const ANSWERS: &str = "answers of ";

/// Plays the lines of a section and returns the keys of their answers.
fn played(section: &Section, folder: &Path) -> BTreeSet<String> {
    let lines = section.commands.join("\n");
    std::fs::write(folder.join("lines.txt"), &lines).unwrap();
    let game = "adjutant play blitz --seed candle --in-memory --json < lines.txt";
    let document = typed(game, folder);
    assert!(document["error"].is_null(), "{}: {}", section.title, document["error"]);
    let mut keys = BTreeSet::new();
    for (line, reply) in section.commands.iter().zip(document["replies"].as_array().unwrap()) {
        // What a line needs to have been typed before it is described elsewhere.
        let word = line.split(' ').next().unwrap();
        if section.title.contains("commands") || section.title.contains(word) {
            reply["answers"].as_array().unwrap().iter().for_each(|a| collect(a, "", &mut keys));
        }
    }
    keys
}

/// Types a command in `folder`, where sessions are kept too.
fn typed(command: &str, folder: &Path) -> Value {
    let binary = assert_cmd::cargo::cargo_bin!("adjutant");
    let mut path = vec![binary.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("XDG_DATA_HOME", folder)
        .env("HOME", folder)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&printed).unwrap_or_else(|e| {
        panic!("`{command}`: {e}\n{printed}{}", String::from_utf8_lossy(&output.stderr))
    })
}

#[test]
fn the_document_describes_every_key() {
    let folder = tempfile::tempdir().unwrap();
    // The document names one file of the project.
    let sample = PathBuf::from("tests/check/unknown-name.toml");
    std::fs::create_dir_all(folder.path().join("tests/check")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join(&sample), folder.path().join(&sample)).unwrap();
    for section in sections() {
        let mut keys = BTreeSet::new();
        match section.title.starts_with(ANSWERS) {
            true => keys = played(&section, folder.path()),
            false => {
                for command in &section.commands {
                    collect(&typed(command, folder.path()), "", &mut keys);
                }
            }
        }
        // `a.*` stands for keys that are described elsewhere.
        for key in section.keys.iter().filter_map(|key| key.strip_suffix('*')) {
            keys.retain(|k| !k.starts_with(key));
            keys.insert(format!("{key}*"));
        }
        if !section.keys.is_empty() {
            assert_eq!(keys, section.keys, "{}", section.title);
        }
    }
}

#[test]
fn every_subcommand_has_its_section() {
    let folder = tempfile::tempdir().unwrap();
    let binary = assert_cmd::cargo::cargo_bin!("adjutant");
    let help = Command::new(binary).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|n| !["", "help", "completions"].contains(n)) {
        let described = |s: &Section| s.title.split(' ').any(|word| word == name);
        assert!(sections().iter().any(described), "`{name}` is not in docs/json.md");
    }
    assert!(typed("adjutant schema --json", folder.path())["$schema"].is_string());
}

#[test]
fn every_reply_is_a_document_on_a_line_of_its_own() {
    let arguments = ["play", "blitz", "--seed", "candle", "--in-memory", "--json"];
    let lines = "next\nodds 2d6\n\nshow state\nfrob\n";
    let printed = adjutant(arguments).stdin(lines).status(1).stdout;
    let replies = printed.lines().filter(|line| line.starts_with("{\"answers\""));
    let inputs = replies.map(|line| serde_json::from_str::<Value>(line).unwrap()["input"].as_u64());
    assert_eq!(inputs.collect::<Vec<_>>(), [1, 2, 3, 4, 5].map(Some));
}

/// A program that plays the orchard through pipes: it waits for each line before it sends the next.
struct Player {
    child: Child,
    to: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl Player {
    fn begin(arguments: &[&str]) -> Player {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"))
            .args(["play", "tests/fixtures/orchard", "--seed", "candle", "--in-memory"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || from.lines().map_while(Result::ok).try_for_each(|l| sender.send(l)));
        Player { child, to, lines }
    }

    fn sends(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    /// The next line must hold this, and come soon.
    fn hears(&mut self, wanted: &str) {
        let Ok(line) = self.lines.recv_timeout(Duration::from_secs(20)) else {
            self.child.kill().unwrap();
            panic!("`{wanted}` did not come");
        };
        assert!(line.contains(wanted), "{wanted}: {line}");
    }
}

#[test]
fn a_program_may_wait_for_each_part_before_it_sends_the_next_line() {
    let mut player = Player::begin(&["--json"]);
    player.hears("\"replies\":[");
    player.sends("set b1.lamp on");
    player.hears("\"input\":1");
    player.sends("gust");
    player.hears(",");
    player.hears("Which lamp does it hit?");
    player.sends("b1");
    player.hears(",");
    player.hears("\"line\":\"gust\",\"number\":2");
    drop(player.to);
    let rest: Vec<String> = player.lines.iter().collect();
    assert!(rest.concat().contains("\"commands\":"), "{rest:?}");
    assert!(player.child.wait().unwrap().success());
}

#[test]
fn a_look_before_an_answer_is_printed_before_the_answer_is_sent() {
    let mut player = Player::begin(&[]);
    player.sends("set b1.lamp on");
    player.hears("b1 lamp");
    player.sends("gust");
    player.sends("show b1");
    player.hears("plot b1");
    player.child.kill().unwrap();
    player.child.wait().unwrap();
}
