//! The subcommands: names, exit codes and documents, which stay as they are once published.

use std::path::PathBuf;

use assert_cmd::Command;

fn orchard() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/orchard")
}

fn adjutant(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(assert_cmd::cargo::cargo_bin!("adjutant")).args(arguments).assert()
}

fn printed(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn complained(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn dice_are_thrown() {
    let first = printed(&adjutant(&["roll", "--seed", "x", "2d6+1", "4d6kh3"]).code(0));
    assert_eq!(first, printed(&adjutant(&["roll", "--seed", "x", "2d6+1", "4d6kh3"])));
    assert!(first.starts_with("2d6 + 1   ["), "{first}");
    let document = printed(&adjutant(&["roll", "--json", "3d6"]).code(0));
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["rolls"][0]["faces"][0].as_array().unwrap().len(), 3);
    let message = complained(&adjutant(&["roll", "4d6k3"]).code(1));
    assert!(message.contains("^"), "{message}");
    adjutant(&["roll", "999999999d6"]).code(1);
    adjutant(&["roll"]).code(2);
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    adjutant(&["frobnicate"]).code(2);
    adjutant(&["play"]).code(2);
    adjutant(&["play", "x", "--dice", "loaded"]).code(2);
    adjutant(&[]).code(2);
    for word in ["play", "games", "rules", "roll", "check", "new", "schema", "completions"] {
        let help = printed(&adjutant(&[word, "--help"]).code(0));
        assert!(help.contains("Examples:"), "{help}");
    }
    assert!(printed(&adjutant(&["--version"]).code(0)).starts_with("adjutant "));
}

#[test]
fn games_and_paths_that_are_not_there() {
    let message = complained(&adjutant(&["play", "no-such-game"]).code(1));
    assert!(message.contains("there is no game `no-such-game`"), "{message}");
    let message = complained(&adjutant(&["play", "no/such/path"]).code(1));
    assert!(message.contains("cannot read `no/such/path`"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let message = complained(&adjutant(&["play", &folder.path().to_string_lossy()]).code(1));
    assert!(message.contains("is no ruleset"), "{message}");
    let path = orchard();
    let message =
        complained(&adjutant(&["play", &path.to_string_lossy(), "--scenario", "smal9"]).code(1));
    assert!(message.contains("did you mean `small`?"), "{message}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    let check = || complained(&adjutant(&["check", &folder.path().to_string_lossy()]).code(1));
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(check().contains("is not valid UTF-8 (byte 1)"));
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(check().contains("has more than 1048576 bytes"));
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(check().contains("is no file"));
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_and_an_endless_device_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    for (target, complaint) in [("/no/such/file", "cannot read"), ("/dev/zero", "is no file")] {
        symlink(target, &path).unwrap();
        let check = adjutant(&["check", &folder.path().to_string_lossy()]).code(1);
        assert!(complained(&check).contains(complaint), "{}", complained(&check));
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn check_tells_faults_and_failed_examples() {
    let good = printed(&adjutant(&["check", &orchard().to_string_lossy()]).code(0));
    assert!(good.contains("1 of 1 example"), "{good}");
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(orchard().join("game.toml")).unwrap();
    std::fs::create_dir(folder.path().join("scenarios")).unwrap();
    let scenario = "scenarios/1-small.toml";
    std::fs::copy(orchard().join(scenario), folder.path().join(scenario)).unwrap();
    let wrong = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(folder.path().join("game.toml"), text.replace(from, to)).unwrap();
        printed(&adjutant(&["check", &folder.path().to_string_lossy()]).code(1))
    };
    let shown = wrong("dice   = [1, 1]", "dice   = [1]");
    assert!(shown.contains("a die is missing: a d6 is thrown after all 1"), "{shown}");
    let shown = wrong("dice   = [1, 1]", "dice   = [1, 1, 5]");
    assert!(shown.contains("1 die of this example did not fall"), "{shown}");
    let shown = wrong("'b1.frost = 0'", "'b1.frost = 1'");
    assert!(shown.contains("it is 0, against 1"), "{shown}");
    assert!(shown.contains("+2 a lamp burns"), "{shown}");
    let shown = wrong("+2 a lamp burns", "+3 a lamp burns");
    assert!(shown.contains("the outcome does not say `+3 a lamp burns`"), "{shown}");
    let shown = wrong("when = 'into.lamp'", "when = 'into.lampp'");
    assert!(shown.contains("did you mean `lamp`?"), "{shown}");
    let document = {
        let path = folder.path().to_string_lossy().into_owned();
        printed(&adjutant(&["check", "--json", &path]).code(1))
    };
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["ok"], false);
    assert_eq!(document["rulesets"][0]["faults"][0]["place"]["line"], 46);
}

#[test]
fn the_sheet_shows_probabilities() {
    let sheet = printed(&adjutant(&["rules", &orchard().to_string_lossy()]).code(0));
    insta::assert_snapshot!(sheet);
    let topic = printed(&adjutant(&["rules", &orchard().to_string_lossy(), "harvest"]).code(0));
    assert!(topic.contains("2.8%"), "{topic}");
    let message = complained(&adjutant(&["rules", &orchard().to_string_lossy(), "harvst"]).code(1));
    assert!(message.contains("did you mean `harvest`?"), "{message}");
}

#[test]
fn documents_and_completions() {
    let games: serde_json::Value =
        serde_json::from_str(&printed(&adjutant(&["games", "--json"]).code(0))).unwrap();
    assert!(games["games"].is_array());
    let rules = printed(&adjutant(&["rules", "--json", &orchard().to_string_lossy()]).code(0));
    let rules: serde_json::Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(rules["title"], "The Orchard");
    for shell in ["bash", "zsh", "fish"] {
        assert!(printed(&adjutant(&["completions", shell]).code(0)).contains("adjutant"));
    }
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_no_failure() {
    let binary = assert_cmd::cargo::cargo_bin!("adjutant");
    let path = orchard();
    let script = format!(
        "set -o pipefail; yes help | head -200 | '{}' play '{}' | head -1",
        binary.display(),
        path.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let codes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!codes.contains("error"), "{codes}");
    // 141: `head` went away while `yes` still spoke.
    assert!(matches!(output.status.code(), Some(0 | 141)), "{:?}", output.status);
}
