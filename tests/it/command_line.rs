//! The subcommands: names, exit codes and documents, which stay as they are once published.

use crate::kit::{Test, adjutant, path};

const ORCHARD: &str = "tests/fixtures/orchard";

#[test]
fn dice_are_thrown() {
    let first = adjutant(["roll", "--seed", "x", "2d6+1", "4d6kh3"]).success();
    assert_eq!(first, adjutant(["roll", "--seed", "x", "2d6+1", "4d6kh3"]).success());
    assert!(first.starts_with("2d6 + 1   ["), "{first}");
    let document = adjutant(["roll", "--json", "3d6"]).success();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["rolls"][0]["faces"][0].as_array().unwrap().len(), 3);
    adjutant(["roll", "4d6k3"]).stderr_has("^").failure();
    adjutant(["roll", "999999999d6"]).status(1);
    adjutant(["roll"]).status(2);
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    adjutant(["frobnicate"]).status(2);
    adjutant(["play"]).status(2);
    adjutant(["play", "x", "--dice", "loaded"]).status(2);
    Test::new().status(2);
    for word in ["play", "games", "rules", "roll", "check", "new", "schema", "completions"] {
        adjutant([word, "--help"]).stdout_has("Examples:").success();
    }
    assert!(adjutant(["--version"]).success().starts_with("adjutant "));
}

#[test]
fn games_and_paths_that_are_not_there() {
    adjutant(["play", "no-such-game"]).stderr_has("there is no game `no-such-game`").failure();
    adjutant(["play", "no/such/path"]).stderr_has("cannot read `no/such/path`").failure();
    let folder = tempfile::tempdir().unwrap();
    adjutant(["play", &folder.path().to_string_lossy()]).stderr_has("is not a ruleset").failure();
    adjutant(["play", ORCHARD, "--scenario", "smal9"])
        .stderr_has("did you mean `small`?")
        .failure();
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    let check = || adjutant(["check", &folder.path().to_string_lossy()]).failure();
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(check().contains("is not valid UTF-8 (byte 1)"));
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(check().contains("is too large: a ruleset has at most"));
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(check().contains("is not a file"));
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_and_an_endless_device_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    for target in ["/no/such/file", "/dev/zero"] {
        symlink(target, &path).unwrap();
        adjutant(["check", &folder.path().to_string_lossy()]).stderr_has("is not a file").status(1);
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_is_not_followed_but_one_that_is_named_is() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "[game]\ntitle = 'my password is swordfish'\n").unwrap();
    let game = folder.path().join("game");
    std::fs::create_dir(&game).unwrap();
    let text = std::fs::read_to_string(path(ORCHARD).join("game.toml")).unwrap();
    std::fs::write(game.join("game.toml"), text).unwrap();
    let shown = |path: &std::path::Path| {
        let checked = adjutant(["check", &path.to_string_lossy()]).status(1);
        format!("{}{}", checked.stdout, checked.stderr)
    };
    // A link among its files.
    symlink(&secret, game.join("more.toml")).unwrap();
    let answer = shown(&game);
    assert!(answer.contains("is not a file") && !answer.contains("swordfish"), "{answer}");
    std::fs::remove_file(game.join("more.toml")).unwrap();
    // A folder of scenarios that is a link.
    let scenarios = folder.path().join("elsewhere");
    std::fs::create_dir(&scenarios).unwrap();
    std::fs::rename(&secret, scenarios.join("secret.toml")).unwrap();
    symlink(&scenarios, game.join("scenarios")).unwrap();
    let answer = shown(&game);
    assert!(!answer.contains("swordfish") && !answer.contains("secret.toml"), "{answer}");
    // Who names a link means what it leads to.
    let link = folder.path().join("mine.toml");
    symlink(scenarios.join("secret.toml"), &link).unwrap();
    adjutant(["check", &link.to_string_lossy()]).stdout_has("secret: 0 kinds").success();
}

#[test]
fn check_tells_faults_and_failed_examples() {
    adjutant(["check", ORCHARD]).stdout_has("1 of 1 example").success();
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(path(ORCHARD).join("game.toml")).unwrap();
    std::fs::create_dir(folder.path().join("scenarios")).unwrap();
    let scenario = "scenarios/1-small.toml";
    std::fs::copy(path(ORCHARD).join(scenario), folder.path().join(scenario)).unwrap();
    let wrong = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(folder.path().join("game.toml"), text.replace(from, to)).unwrap();
        adjutant(["check", &folder.path().to_string_lossy()]).status(1).stdout
    };
    let shown = wrong("dice   = [1, 1]", "dice   = [1]");
    assert!(shown.contains("a die is missing: a d6 is rolled after the 1 given"), "{shown}");
    let shown = wrong("dice   = [1, 1]", "dice   = [1, 1, 5]");
    assert!(shown.contains("only 2 of the 3 `dice` are used"), "{shown}");
    let shown = wrong("'b1.frost = 0'", "'b1.frost = 1'");
    assert!(shown.contains("it is 0, not 1"), "{shown}");
    assert!(shown.contains("+2 a lamp burns"), "{shown}");
    let shown = wrong("+2 a lamp burns", "+3 a lamp burns");
    assert!(shown.contains("the outcome does not contain `+3 a lamp burns`"), "{shown}");
    let shown = wrong("when = 'into.lamp'", "when = 'into.lampp'");
    assert!(shown.contains("did you mean `lamp`?"), "{shown}");
    let document = {
        let path = folder.path().to_string_lossy().into_owned();
        adjutant(["check", "--json", &path]).status(1).stdout
    };
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["ok"], false);
    assert_eq!(document["rulesets"][0]["faults"][0]["place"]["line"], 46);
}

#[test]
fn the_sheet_shows_probabilities() {
    let sheet = adjutant(["rules", ORCHARD]).success();
    insta::assert_snapshot!(sheet);
    adjutant(["rules", ORCHARD, "harvest"]).stdout_has("2.8%").success();
    for (format, cell) in [("html", "<td>2.8%</td>"), ("markdown", "| 2.8% |"), ("text", "2.8%")] {
        let page = adjutant(["rules", ORCHARD, "harvest", "--format", format]);
        page.stdout_has(cell).stdout_has("The Orchard").success();
    }
    adjutant(["rules", ORCHARD, "harvst"]).stderr_has("did you mean `harvest`?").failure();
    let (one, many) = (["rules", "firefight", "weapon"], ["rules", "firefight", "weapons"]);
    assert_eq!(adjutant(one).success(), adjutant(many).success());
    adjutant(["rules", "firefight", "weapns"]).stderr_has("`weapons`?").failure();
    adjutant(["rules", "blitz", "bomb-ru"]).stderr_has("did you mean `bomb-run`?").failure();
}

#[test]
fn documents_and_completions() {
    let games: serde_json::Value =
        serde_json::from_str(&adjutant(["games", "--json"]).success()).unwrap();
    assert!(games["games"].is_array());
    let rules = adjutant(["rules", "--json", ORCHARD]).success();
    let rules: serde_json::Value = serde_json::from_str(&rules).unwrap();
    assert_eq!(rules["title"], "The Orchard");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = adjutant(["completions", shell]).success();
        assert!(script.contains("ADJUTANT_COMPLETE"), "{script}");
    }
}

/// The first words that fish would offer for a line.
fn completed(home: &std::path::Path, line: &[&str]) -> Vec<String> {
    let asked = adjutant([&["--", "adjutant"], line].concat());
    let offered = asked.home(home).env("ADJUTANT_COMPLETE", "fish").success();
    let words = offered.lines().filter(|line| !line.starts_with('-'));
    words.map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn shells_complete_games_scenarios_and_sessions() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(completed(home.path(), &["play", "bli"]), ["blitz"]);
    let scenarios = completed(home.path(), &["play", "blitz", "--scenario", ""]);
    assert_eq!(scenarios, ["lamb-alley", "st-pauls", "surrey-docks"]);
    // Those of the ruleset that was typed, whatever it is.
    let own = completed(home.path(), &["simulate", ORCHARD, "--scenario", ""]);
    assert!(!own.is_empty() && !own.contains(&"st-pauls".to_owned()), "{own:?}");
    let no_session = completed(home.path(), &["transcript", ""]);
    assert_eq!(no_session, [""; 0]);
    adjutant(["play", ORCHARD, "--session", "club-night"])
        .home(home.path())
        .stdin("next")
        .success();
    for line in [&["resume", ""][..], &["verify", "cl"], &["sessions", "remove", "club"]] {
        assert_eq!(completed(home.path(), line), ["club-night"], "{line:?}");
    }
}

#[test]
fn wrong_usage_is_explained_in_the_words_of_the_program() {
    for (arguments, message, help) in [
        (&["play"][..], "`GAME` is missing", "usage: adjutant play <GAME>"),
        (
            &["play", "blitz", "--dice", "x"],
            "`--dice` can't be `x`",
            "expected `auto` or `physical`",
        ),
        (&["play", "blitz", "--seed"], "`--seed` needs a value", "`adjutant play --help` explains"),
        (&["simulate", "blitz", "--turns", "0"], "can't be `0`", "a number from 1 to 10000"),
        (&["simulate", "blitz", "--turns", "x"], "can't be `x`", "a number from 1 to 10000"),
        (&["simulate", "blitz", "--turn", "1"], "no option `--turn`", "did you mean `--turns`?"),
        (&["play", "blitz", "more"], "unexpected `more`", "usage: adjutant play [OPTIONS] <GAME>"),
        (&["blitz"], "there is no command `blitz`", "`adjutant play blitz` plays this game"),
        (&["sessions", "remov"], "there is no command `remov`", "did you mean `remove`?"),
        (
            &["play", "blitz", "--session", "a", "--in-memory"],
            "`--session` can't be used with `--in-memory`",
            "`adjutant play --help` explains the command",
        ),
    ] {
        let output = adjutant(arguments).output();
        assert_eq!(output.code, 2, "{arguments:?}");
        let said = output.stderr;
        assert!(said.starts_with("error: ") && said.contains(message), "{said}");
        assert!(said.contains(help), "{said}");
        // Nothing of what the parser itself would say.
        for foreign in ["For more information", "tip:", "required arguments", "[possible"] {
            assert!(!said.contains(foreign), "{said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_no_failure() {
    let binary = assert_cmd::cargo::cargo_bin!("adjutant");
    let path = path(ORCHARD);
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

#[test]
fn only_files_of_its_own_are_replaced() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("man1");
    let pages = ["man", folder.to_str().unwrap()];
    adjutant(pages).home(home.path()).success();
    let count = std::fs::read_dir(&folder).unwrap().count();
    // Once more over its own pages; but a page that somebody wrote stays, and none is written beside it.
    adjutant(pages).home(home.path()).success();
    let page = folder.join("adjutant-play.1");
    std::fs::write(&page, "my own page").unwrap();
    std::fs::remove_file(folder.join("adjutant.1")).unwrap();
    adjutant(pages).home(home.path()).stderr_has("error: cannot write").status(1);
    assert_eq!(std::fs::read(&page).unwrap(), b"my own page");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), count - 1);
    let install = ["completions", "bash", "--install"];
    let completions = home.path().join("bash-completion/completions/adjutant");
    for _ in 0..2 {
        adjutant(install).home(home.path()).success();
    }
    std::fs::write(&completions, "complete -F mine adjutant").unwrap();
    adjutant(install).home(home.path()).stderr_has("error: cannot write").status(1);
    assert_eq!(std::fs::read(&completions).unwrap(), b"complete -F mine adjutant");
}

/// The settings that docs/sessions.md gives as an example.
fn documented_settings() -> String {
    let document = std::fs::read_to_string(crate::kit::path("docs/sessions.md")).unwrap();
    let example = document.split("```toml\n").nth(1).unwrap();
    example.split("```").next().unwrap().to_owned()
}

#[test]
fn settings_are_shown_or_their_fault_is_named() {
    let home = tempfile::tempdir().unwrap();
    let config =
        |arguments: &[&str]| adjutant(arguments).env("XDG_CONFIG_HOME", home.path()).output();
    assert!(
        config(&["config"])
            .stdout
            .contains("this file does not exist: every setting has its default")
    );
    let file = home.path().join("adjutant/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, documented_settings()).unwrap();
    let shown = config(&["config"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    for (name, value) in [
        ("color", "always"),
        ("plain", "no, "),
        ("pager", "less -R"),
        ("dice", "physical: "),
        ("clock", "5 minutes"),
        ("alias", "nf = next to fight"),
    ] {
        assert!(shown.stdout.contains(&format!("  {name:<8}{value}")), "{}", shown.stdout);
    }
    for (settings, fault) in [
        ("clock = 5\npager = 3\n", "line 2: invalid type: integer `3`, expected a string"),
        ("clock = 0\n", "`clock` must be a number of minutes from 1 to 1440"),
        ("dice = \"some\"\n", "line 1: unknown variant `some`, expected `auto` or `physical`"),
        ("[alias]\nundo = \"next\"\n", "the alias `undo` would hide a word of the console"),
        ("[alias\n", "line 1: "),
    ] {
        std::fs::write(&file, settings).unwrap();
        let refused = config(&["config"]);
        assert_eq!(refused.code, 1);
        let message = refused.stderr.replace("\n  ", " ");
        assert!(message.contains(fault), "{message}");
        // A pipe doesn't read them.
        let play = ["play", "tests/fixtures/orchard", "--seed", "candle", "--in-memory"];
        let played = config(&play);
        assert_eq!((played.code, played.stderr.as_str()), (0, ""));
    }
}

#[test]
fn an_unknown_topic_lists_the_topics() {
    let output = adjutant(["rules", "tarr", "nosuch"]).output();
    assert_eq!(output.code, 1);
    for topics in ["in general: phases, verbs, options", "\nphases: ", "\nverbs: ", "\ntables: "] {
        assert!(output.stderr.contains(topics), "{}", output.stderr);
    }
    assert!(adjutant(["rules", "tarr", "mvoe"]).output().stderr.contains("did you mean `move`?"));
}

#[test]
fn options_of_every_command_have_their_own_heading() {
    let help = adjutant(["roll", "--help"]).output().stdout;
    let (_, common) = help.split_once("Options of every command:").unwrap();
    for option in ["--json", "--color", "--no-pager"] {
        assert!(common.contains(option), "{help}");
    }
}
