//! `adjutant check`: pages of the codes, checking again at every save, scenarios beside a ruleset.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::kit::adjutant;

fn check(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = adjutant(["check"]).args(arguments).folder(folder).output();
    (output.code, output.stdout, output.stderr)
}

const GOOD: &str =
    "[game]\ntitle = \"T\"\n[kind.man]\nhits = { from = 0, to = 3, title = \"hits\" }\n";

#[test]
fn every_code_is_explained_from_the_binary() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, list, _) = check(folder, &["--explain"]);
    assert_eq!(code, 0);
    let pages = adjutant_engine::check::pages::pages();
    for page in &pages {
        assert!(list.contains(page.code), "{}", page.code);
        assert!(!page.summary().is_empty(), "{}", page.code);
    }
    let (code, page, _) = check(folder, &["--explain", "acts-in-condition"]);
    assert_eq!(code, 0);
    assert!(page.contains("wrong:\n    [game]") && page.contains("right:\n    [game]"), "{page}");
    assert!(page.contains("refuse \"no luck\""), "{page}");
    let (code, _, told) = check(folder, &["--explain", "acts-in-conditon"]);
    assert_eq!(code, 1);
    assert!(told.contains("`acts-in-condition`?"), "{told}");
    let (_, _, told) = check(folder, &["--explain", "acts-in-conditio"]);
    assert!(told.contains("did you mean `acts-in-condition`?"), "{told}");
    let (_, document, _) = check(folder, &["--explain", "bad-name", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["code"], "bad-name");
    assert!(document["bad"][0].as_str().unwrap().contains("[game]"));
    assert_eq!(check(folder, &["x.toml", "--explain", "bad-name"]).0, 2);
}

#[test]
fn a_ruleset_is_checked_again_when_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.toml");
    std::fs::write(&path, GOOD).unwrap();
    let mut watching = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"))
        .args(["check", "--watch", "duel.toml"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (sender, lines) = mpsc::channel();
    let out = BufReader::new(watching.stdout.take().unwrap());
    std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|l| sender.send(l)));
    // It never ends by itself; what never comes is a failure, not a wait for ever.
    let until = |wanted: &str| {
        let mut seen = String::new();
        loop {
            let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) else {
                return Err(format!("no `{wanted}` in:\n{seen}"));
            };
            assert!(!line.contains('\u{1b}'), "a pipe is not cleared: {line:?}");
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(wanted) {
                return Ok(());
            }
        }
    };
    let story = || {
        until("no errors")?;
        until("whenever a file is written")?;
        std::fs::write(&path, GOOD.replace("title = \"hits\"", "titel = \"hits\"")).unwrap();
        until("did you mean `title`?")?;
        until("1 fault")?;
        until("whenever a file is written")?;
        std::fs::remove_file(&path).unwrap();
        until("whenever a file is written")?;
        std::fs::write(&path, GOOD).unwrap();
        until("no errors")
    };
    let told: Result<(), String> = story();
    watching.kill().unwrap();
    watching.wait().unwrap();
    told.unwrap();
}

#[test]
fn a_ruleset_is_checked_with_its_own_scenarios() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("duel.toml", GOOD);
    write("feud.toml", &GOOD.replace("man", "clan"));
    write("1-dawn.toml", "title = \"At dawn\"\ngame = \"duel\"\n[pieces.man]\nanna = {}\n");
    write("glen.toml", "game = 'feud'\n[pieces.clan]\nmacgregor = {}\n");
    let (code, out, _) = check(folder.path(), &["duel.toml", "feud.toml"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("duel: 1 kind") && out.contains("feud: 1 kind"), "{out}");
    assert_eq!(out.matches("1 scenario").count(), 2, "{out}");
    // All files of a folder are one ruleset.
    let two = tempfile::tempdir().unwrap();
    std::fs::write(two.path().join("duel.toml"), GOOD).unwrap();
    std::fs::write(two.path().join("feud.toml"), GOOD.replace("man", "clan")).unwrap();
    let (code, out, _) = check(two.path(), &["."]);
    assert_eq!(code, 1);
    assert!(out.contains("`[game]` appears twice") && out.contains("feud.toml:1:2"), "{out}");
    assert!(
        out.contains(
            "all files in a folder are one ruleset; to load only one of them, name that file"
        ),
        "{out}"
    );
    let one = tempfile::tempdir().unwrap();
    std::fs::write(one.path().join("game.toml"), GOOD).unwrap();
    std::fs::write(one.path().join("more.toml"), "[words.side]\nvalues = [\"red\"]\n").unwrap();
    assert!(check(one.path(), &["."]).1.contains("1 kind"));
}

#[test]
fn a_reference_to_a_list_begins_with_the_row_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
[game]
title = "T"
[kind.man]
weapon = { of = "weapon", start = "spear", title = "weapon" }
[list.weapon]
reach = { from = 0, to = 9 }
columns = ["reach"]
[list.weapon.rows]
club  = [1]
spear = [2]
[rule.strike]
usage = "strike <man:man>"
after = 'say "at {man.weapon.reach}"'
[scenario.one.pieces.man]
anna = {}
bert = { weapon = "club" }
[[example]]
run    = ["strike anna"]
expect = ['anna.weapon = spear', 'bert.weapon = club']
says   = ["at 2"]
"#;
    std::fs::write(folder.path().join("x.toml"), text).unwrap();
    let (code, out, _) = check(folder.path(), &["x.toml"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("1 of 1 example"), "{out}");
    let next = text.replace("\"strike anna\"", "\"next turn\"");
    std::fs::write(folder.path().join("x.toml"), next).unwrap();
    let (code, out, _) = check(folder.path(), &["x.toml"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("an example advances phase by phase: write `next` or `next 2`"), "{out}");
}
