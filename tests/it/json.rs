//! `docs/json.md` against the program: its commands are typed as they stand, everything that they print fits the schemas
//! of the answers, and its tables are made from these.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::Duration;

use adjutant_engine::console;
use adjutant_engine::render::json::AnswerSchema;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kit::adjutant;

/// The schemas of all answers: those of the command line, then those of the console.
pub(crate) fn answers() -> Vec<AnswerSchema> {
    adjutant::cli::answers().into_iter().chain(console::answers()).collect()
}

/// A section of the document.
struct Section {
    title: &'static str,
    /// The commands in it.
    commands: Vec<&'static str>,
    /// The whole section, from its title on.
    text: &'static str,
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")
}

/// The document as it was when the tests began; one of them may update it.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| std::fs::read_to_string(file()).unwrap());

/// The words in front of the title of a section.
const HEADING: &str = "\n## ";

fn sections() -> Vec<Section> {
    let section = |text: &'static str| Section {
        title: text.lines().next().unwrap(),
        commands: text.lines().filter_map(|line| line.strip_prefix("    ")).collect(),
        text,
    };
    DOCUMENT.split(HEADING).skip(1).map(section).collect()
}

impl Section {
    /// Returns its text with these tables in place of its own. Without any, they follow its commands, or its title.
    fn with_tables(&self, tables: &str) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let is_of_table = |line: &&str| line.starts_with('|');
        let (before, after) = match lines.iter().position(is_of_table) {
            Some(first) => {
                let last = lines.iter().rposition(is_of_table).unwrap();
                let mut between = lines[first..last].iter();
                let prose = between.find(|line| !line.is_empty() && !is_of_table(line));
                assert!(prose.is_none(), "`{}` would lose its prose: {prose:?}", self.title);
                (&lines[..first], &lines[last + 1..])
            }
            None => {
                let last = lines.iter().rposition(|line| line.starts_with("    ")).unwrap_or(0);
                lines.split_at(last + 1)
            }
        };
        let parts = [before.join("\n"), tables.to_owned(), after.join("\n")];
        let parts =
            parts.iter().map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n\n") + "\n"
    }
}

#[test]
fn the_tables_are_those_of_the_answers() {
    let answers = answers();
    let mut current = DOCUMENT.split(HEADING).next().unwrap().to_owned();
    let mut outdated = Vec::new();
    for section in sections() {
        let text = match answers.iter().find(|answer| answer.section == section.title) {
            Some(answer) => section.with_tables(&answer.markdown(&answers)),
            None => {
                assert!(
                    !section.text.contains("\n|"),
                    "`{}` is no answer's section",
                    section.title
                );
                section.text.to_owned()
            }
        };
        if text != section.text {
            outdated.push(section.title);
        }
        current.push_str(HEADING);
        current.push_str(&text);
    }
    if std::env::var_os("UPDATE_JSON").is_some() {
        std::fs::write(file(), current).unwrap();
    } else {
        let how = "`UPDATE_JSON=1 cargo test --test it json::` updates them";
        assert!(outdated.is_empty(), "docs/json.md has outdated tables in {outdated:?}: {how}");
    }
}

#[test]
fn every_answer_has_a_section() {
    for AnswerSchema { section, given_by, .. } in answers() {
        let sections = sections().iter().filter(|s| s.title == section).count();
        assert_eq!(
            sections, 1,
            "sections `{section}` in docs/json.md, for the answer of {given_by}"
        );
    }
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
const ANSWERS: &str = "answers to ";

/// Plays the lines of a section and returns their answers.
fn played(section: &Section, folder: &Path) -> Vec<Value> {
    let lines = section.commands.join("\n");
    std::fs::write(folder.join("lines.txt"), &lines).unwrap();
    let game = "adjutant play blitz --seed candle --in-memory --json < lines.txt";
    let document = typed(game, folder);
    assert!(document["error"].is_null(), "{}: {}", section.title, document["error"]);
    let mut answers = Vec::new();
    for (line, reply) in section.commands.iter().zip(document["replies"].as_array().unwrap()) {
        // What a line needs to have been typed before it is described elsewhere.
        let word = line.split(' ').next().unwrap();
        if section.title.contains("commands") || section.title.contains(word) {
            answers.extend(reply["answers"].as_array().unwrap().iter().cloned());
        }
    }
    answers
}

/// Returns the answers to the lines of a section, or the documents of its commands.
fn documents(section: &Section, folder: &Path) -> Vec<Value> {
    if section.title.starts_with(ANSWERS) {
        played(section, folder)
    } else {
        section.commands.iter().map(|command| typed(command, folder)).collect()
    }
}

/// Returns a folder with the one file of the project that the document names.
fn folder_of_samples() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new("tests/check/unknown-name.toml");
    std::fs::create_dir_all(folder.path().join("tests/check")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join(sample), folder.path().join(sample)).unwrap();
    folder
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
fn the_document_describes_the_answer_of_every_word() {
    let missing: Vec<&str> = adjutant_engine::console::words()
        .filter_map(|(usage, ..)| usage.split([' ', '[']).next())
        .filter(|word| {
            let is_typed = sections().iter().any(|section| {
                let own = section.title.starts_with(ANSWERS) && section.title.contains(word);
                let begins = |line: &&str| line.split(' ').next() == Some(word);
                own && section.commands.iter().any(begins)
            });
            !is_typed && !DOCUMENT.contains(&format!("`{word}"))
        })
        .collect();
    assert!(missing.is_empty(), "docs/json.md doesn't describe the answers to {missing:?}");
}

/// Finds what keeps a value from being one of a schema. Only keys that the schema names may be there.
fn misfits(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return misfits(root, root.pointer(&reference[1..]).unwrap(), value, path);
    }
    if let Some(any) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let mut found: Vec<_> = any.iter().map(|one| misfits(root, one, value, path)).collect();
        found.sort_by_key(Vec::len);
        return found.swap_remove(0);
    }
    let form = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |name: &Value| name == form || (name == "number" && form == "integer");
    if !schema["type"].as_array().map_or(is(&schema["type"]), |all| all.iter().any(is)) {
        return vec![format!("{path} is of the type {form}")];
    }
    let mut found = Vec::new();
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        let of = schema["prefixItems"].get(place).unwrap_or(&schema["items"]);
        found.extend(misfits(root, of, item, &format!("{path}[]")));
    }
    // A change of the table is an object of any keys.
    let is_open = schema["properties"].is_null() && schema["additionalProperties"].is_null();
    for (name, member) in value.as_object().into_iter().flatten().filter(|_| !is_open) {
        let path = format!("{path}.{name}");
        match schema["properties"].get(name).or(schema.get("additionalProperties")) {
            Some(schema) => found.extend(misfits(root, schema, member, &path)),
            None => found.push(format!("{path} is not described")),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            found.push(format!("{path} has no {name}"));
        }
    }
    found
}

#[test]
fn what_a_schema_does_not_describe_is_found() {
    let schema = answers().into_iter().find(|a| a.section == "answers to rule").unwrap().schema;
    let found = |rule: &Value| misfits(&schema, &schema, rule, "");
    let rule = json!({
        "name": "shoot", "title": "", "cite": "", "note": "", "usage": "shoot", "roll": null,
        "phases": ["fire"],
    });
    assert!(found(&rule).is_empty());
    let with = |key: &str, value: Value| {
        let mut rule = rule.clone();
        rule[key] = value;
        found(&rule)
    };
    assert_eq!(with("roll", json!(6)), [".roll is of the type integer"]);
    assert_eq!(with("phases", json!(["fire", true])), [".phases[] is of the type boolean"]);
    assert_eq!(with("dice", json!("1d6")), [".dice is not described"]);
    let mut nameless = rule.clone();
    nameless.as_object_mut().unwrap().remove("name");
    assert_eq!(found(&nameless), [" has no \"name\""]);
}

#[test]
fn answers_are_as_their_schemas_describe_them() {
    let answers = answers();
    let folder = folder_of_samples();
    for section in sections().iter().filter(|section| !section.commands.is_empty()) {
        let title = section.title;
        let answer = answers.iter().find(|answer| answer.section == title);
        let answer = answer.unwrap_or_else(|| panic!("`{title}` is no answer's section"));
        let described = answer.keys(&answers);
        let is_described = |key: &String| {
            described.iter().any(|known| match known.path.strip_suffix('*') {
                Some(parent) => key.starts_with(parent),
                None => known.path == *key,
            })
        };
        for document in documents(section, folder.path()) {
            let found = misfits(&answer.schema, &answer.schema, &document, "");
            assert!(found.is_empty(), "{title}: {found:#?}");
            let mut keys = BTreeSet::new();
            collect(&document, "", &mut keys);
            let missing: Vec<&String> = keys.iter().filter(|key| !is_described(key)).collect();
            assert!(missing.is_empty(), "{title}: {missing:?} are not in the table");
        }
    }
}

#[test]
fn every_key_has_a_meaning() {
    for answer in answers() {
        for key in answer.keys(&[]) {
            let is_known = !key.form.is_empty() || key.path.ends_with('*');
            assert!(is_known, "{}: {} has no type", answer.section, key.path);
            assert!(key.meaning.ends_with('.'), "{}: {}", answer.section, key.path);
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
    for name in names.filter(|n| !["", "help"].contains(n)) {
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
    player.hears("The table before this command:");
    player.hears("plot b1");
    player.child.kill().unwrap();
    player.child.wait().unwrap();
}
