//! `adjutant new`: whatever it is told, what it writes passes the check without a warning and can be played.

use std::path::Path;

use assert_cmd::Command;

fn adjutant(folder: &Path, arguments: &[&str], typed: &str) -> assert_cmd::assert::Assert {
    Command::new(assert_cmd::cargo::cargo_bin!("adjutant"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder)
        .write_stdin(typed)
        .assert()
}

fn printed(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn complained(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn every_starter_passes_the_check_and_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for dice in ["1d6", "2d6", "3d6", "1d10", "1d20", "1d100"] {
        for table in ["open", "grid"] {
            let name = format!("{dice}-{table}.toml");
            adjutant(folder, &["new", &name, "--dice", dice, "--table", table], "").code(0);
            let check = printed(&adjutant(folder, &["check", &name], "").code(0));
            assert!(check.contains("no faults\n"), "{check}");
            let shot = if table == "grid" { "" } else { " range 10" };
            let lines = format!(
                "next\nnext\nshoot anna at david{shot}\nshoot david anna{shot}\nundo\nnext\n"
            );
            let play = ["play", &name, "--seed", "x", "--in-memory"];
            let played = printed(&adjutant(folder, &play, &lines).code(0));
            assert!(played.contains("anna → david"), "{played}");
            assert!(played.contains("turn 2 · 1 movement"), "{played}");
        }
    }
}

#[test]
fn titles_are_written_as_text_whatever_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let title = "Bell \"&\" <Book>, \\ 'and' {{dice}} {candle}";
    let new = ["new", "deep/in/odd.toml", "--title", title, "--author", "A \"B\" C"];
    adjutant(folder, &new, "").code(0);
    printed(&adjutant(folder, &["check", "deep/in/odd.toml"], "").code(0));
    let rules = printed(&adjutant(folder, &["rules", "--json", "deep/in/odd.toml"], "").code(0));
    let rules: serde_json::Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(rules["title"], title);
    let first = std::fs::read_to_string(folder.join("deep/in/odd.toml")).unwrap();
    assert!(first.starts_with("#:schema ./ruleset.schema.json\n"));
    assert!(folder.join("deep/in/ruleset.schema.json").is_file());
    let new = ["new", "bad.toml", "--title", "one\ntwo"];
    assert!(complained(&adjutant(folder, &new, "").code(2)).contains("control characters"));
    assert!(!folder.join("bad.toml").exists());
}

#[test]
fn nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = printed(&adjutant(folder, &["new", "ridge-and-ford"], "").code(0));
    assert!(said.contains("written: ridge-and-ford/game.toml"), "{said}");
    let text = std::fs::read_to_string(folder.join("ridge-and-ford/game.toml")).unwrap();
    assert!(text.contains("title  = \"Ridge And Ford\""), "{text}");
    let again = complained(&adjutant(folder, &["new", "ridge-and-ford"], "").code(1));
    assert!(again.contains("is there already"), "{again}");
    // A second file in the folder would be read as part of the same ruleset.
    std::fs::rename(folder.join("ridge-and-ford/game.toml"), folder.join("ridge-and-ford/a.toml"))
        .unwrap();
    let again = complained(&adjutant(folder, &["new", "ridge-and-ford"], "").code(1));
    assert!(again.contains("holds a ruleset already"), "{again}");
    std::fs::write(folder.join("plain"), "").unwrap();
    let file = complained(&adjutant(folder, &["new", "plain"], "").code(1));
    assert!(file.contains("is a file"), "{file}");
}

#[test]
fn dice_that_fit_no_starter_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (dice, reason) in [
        ("1d4", "fewer than six totals"),
        ("4d6kh3", "beside adding up"),
        ("dF", "no plain dice"),
        ("999999999d6", "cannot be the dice"),
        ("\u{1b}[31m", "cannot be the dice"),
    ] {
        let new = adjutant(folder.path(), &["new", "x.toml", "--dice", dice], "").code(2);
        let said = complained(&new);
        assert!(said.contains(reason) && !said.contains("\u{1b}[31m"), "{said}");
    }
    assert!(!folder.path().join("x.toml").exists());
}

#[test]
fn no_rule_of_the_starter_hides_a_word_of_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    adjutant(folder, &["new", "mine"], "").code(0);
    let text = std::fs::read_to_string(folder.join("mine/game.toml")).unwrap();
    for line in text.lines() {
        let Some(rule) = line.strip_prefix("[rule.").and_then(|l| l.strip_suffix(']')) else {
            continue;
        };
        assert!(!adjutant::console::is_word(rule), "{rule}");
    }
}
