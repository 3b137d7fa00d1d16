//! Sessions by the command line: kept, listed, resumed, verified; and what a bad disk says.

use std::fs;
use std::path::Path;

use crate::kit;

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/skirmish");

fn adjutant(home: &Path, arguments: &[&str], lines: &str) -> (i32, String, String) {
    let out = kit::adjutant(arguments).home(home).stdin(lines).output();
    // Errors are broken to the width of the screen.
    let error: Vec<&str> = out.stderr.split_whitespace().collect();
    (out.code, out.stdout, error.join(" "))
}

#[test]
fn a_game_is_kept_resumed_and_verified() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (code, ..) = adjutant(
        home,
        &["play", GAME, "--seed", "candle", "--session", "club"],
        "next\nstrike c3\nsave evening\n",
    );
    assert_eq!(code, 0);
    let (_, list, _) = adjutant(home, &["sessions"], "");
    assert!(list.starts_with("evening  turn 1, just now  last: strike c3"), "{list}");
    let (code, out, err) = adjutant(home, &["resume", "even"], "undo\nredo\nwhy a1\n");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("undoes 2: strike c3"), "{out}");
    let (code, out, _) = adjutant(home, &["verify", "evening"], "");
    assert_eq!(code, 0);
    assert!(out.contains("everything is correct: 3 commands"), "{out}");
    let (_, text, _) = adjutant(home, &["transcript", "evening"], "");
    let play = &["play", GAME, "--seed", "candle", "--session", "again"];
    let (code, _, err) = adjutant(home, play, &text);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, again, _) = adjutant(home, &["transcript", "again"], "");
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(lines(&again), lines(&text));
    let (code, _, err) = adjutant(home, &["resume", "nobody"], "");
    assert_eq!(code, 1);
    assert!(err.contains("there is no session `nobody`"), "{err}");
    let (code, _, err) = adjutant(home, play, "next\n");
    assert_eq!(code, 1);
    assert!(err.contains("the session `again` already exists"), "{err}");
}

#[test]
fn a_head_read_out_as_a_turn_began_proves_what_went_before() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let play = ["play", GAME, "--seed", "candle", "--session", "club"];
    let (_, out, _) = adjutant(home, &play, "next turn\nstrike c3\nnext turn\nnext turn\n");
    let heads: Vec<&str> =
        out.lines().filter_map(|line| Some(line.split_once(" · head ")?.1)).collect();
    assert_eq!(heads.len(), 3, "{out}");
    let (code, out, _) = adjutant(home, &["verify", "club", "--head", heads[1]], "");
    assert_eq!(code, 0);
    assert!(out.contains("up to that point in turn 2"), "{out}");
    let wrong = heads[1].replace("2:", "3:");
    let (code, out, _) = adjutant(home, &["verify", "club", "--head", &wrong], "");
    assert_eq!(code, 1);
    assert!(out.contains("not proved without a head"), "{out}");
}

#[test]
fn a_damaged_session_is_refused_and_recovered() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    adjutant(home, &["play", GAME, "--session", "club"], "next\nstrike c3\nstrike b2\n");
    let journal = home.join("adjutant/sessions/club/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap().replacen("strike c3", "strike c2", 1);
    fs::write(&journal, text).unwrap();
    let (code, _, err) = adjutant(home, &["resume", "club"], "");
    assert_eq!(code, 1);
    assert!(err.contains("line 3 of") && err.contains("the 1 command before it"), "{err}");
    let arguments = ["resume", "club", "--recover", "rescued"];
    let (code, out, _) = adjutant(home, &arguments, "log\n");
    assert_eq!(code, 0);
    assert!(out.contains("   1  next") && !out.contains("strike"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_place_that_cannot_be_written_is_told() {
    let home = tempfile::tempdir().unwrap();
    // A file where the folder should be.
    let taken = home.path().join("taken");
    fs::write(&taken, "").unwrap();
    let (code, _, err) = adjutant(&taken, &["play", GAME], "next\n");
    assert_eq!(code, 1);
    assert!(err.contains("the session cannot be saved") && err.contains("--in-memory"), "{err}");
    let (code, out, err) = adjutant(&taken, &["play", GAME, "--in-memory"], "next\n");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("turn 1"), "{out}");
}

#[test]
fn a_session_played_elsewhere_is_left_to_it() {
    let home = tempfile::tempdir().unwrap();
    adjutant(home.path(), &["play", GAME, "--session", "club"], "next\n");
    let path = home.path().join("adjutant/sessions/club");
    let playing = adjutant::session_folder::open(&path, 0).unwrap();
    let (code, _, err) = adjutant(home.path(), &["resume", "club"], "next\n");
    assert_eq!(code, 1);
    assert!(err.contains("another console is playing the session `club`; close it first"), "{err}");
    // To look at it is free to everyone.
    assert_eq!(adjutant(home.path(), &["transcript", "club"], "").0, 0);
    assert_eq!(adjutant(home.path(), &["verify", "club"], "").0, 0);
    let (code, ..) = adjutant(home.path(), &["verify", "club", "--reveal"], "");
    assert_eq!(code, 1);
    drop(playing);
    assert_eq!(adjutant(home.path(), &["resume", "club"], "next\n").0, 0);
}

#[test]
fn a_session_that_cannot_be_written_can_be_read_and_played_on() {
    let home = tempfile::tempdir().unwrap();
    adjutant(home.path(), &["play", GAME, "--session", "club"], "next\n");
    let folder = home.path().join("adjutant/sessions/club");
    let journal = fs::read(folder.join("journal.jsonl")).unwrap();
    // Where the lock should be is what no lock can be; the superuser may write everywhere else.
    fs::remove_file(folder.join("lock")).unwrap();
    fs::create_dir(folder.join("lock")).unwrap();
    let (code, _, err) = adjutant(home.path(), &["resume", "club"], "next\n");
    assert!(code == 1 && err.contains("`--in-memory` reads the session"), "{err}");
    let (code, out, _) = adjutant(
        home.path(),
        &["resume", "club", "--in-memory"],
        "strike c3\nundo 2\nsave saved\n",
    );
    assert!(code == 0 && out.contains("undoes 1: next"), "{out}");
    assert_eq!(fs::read(folder.join("journal.jsonl")).unwrap(), journal);
    // What was played in memory can be kept under another name.
    assert!(adjutant(home.path(), &["verify", "saved"], "").1.contains("3 commands"));
}

#[test]
fn the_seed_is_told_only_when_it_is_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    adjutant(home, &["play", GAME, "--seed", "candle", "--session", "club"], "mix six\nnext\n");
    let seed = "6fa599fe7b02fec029e98dfa0f64c6ec946cc0ebc57916355dcaaf27bcac5a16";
    for arguments in
        [&["verify", "club"][..], &["verify", "club", "--json"], &["transcript", "club"]]
    {
        let (code, out, _) = adjutant(home, arguments, "");
        assert!(code == 0 && !out.contains(seed), "{out}");
    }
    let (code, ..) = adjutant(home, &["resume", "club"], "mix late\n");
    assert_eq!(code, 0);
    for unseen in ["mix a\u{200b}b\n", "mix für\n", "mix\n"] {
        let (code, _, err) = adjutant(home, &["resume", "club"], unseen);
        assert!(code == 1, "{unseen}: {err}");
    }
    let (_, out, _) = adjutant(home, &["verify", "club", "--reveal"], "");
    assert!(out.contains(seed) && out.contains("everything is correct"), "{out}");
    // It is on record, in the transcript too, and is told once.
    let (_, out, _) = adjutant(home, &["transcript", "club"], "");
    assert!(out.contains(seed) && out.contains("the seed was revealed"), "{out}");
    let (_, out, _) = adjutant(home, &["resume", "club"], "reveal\n");
    assert!(out.contains("it has already been revealed"), "{out}");
    let journal = home.join("adjutant/sessions/club/journal.jsonl");
    assert_eq!(fs::read_to_string(journal).unwrap().matches("\"reveal\"").count(), 1);
}

#[test]
fn who_answers_questions_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let lines = "scout anna\n";
    adjutant(home, &["play", GAME, "--ask", "random", "--session", "club"], lines);
    assert_eq!(adjutant(home, &["resume", "club"], lines).0, 0);
    let (code, _, err) = adjutant(home, &["resume", "club", "--ask", "umpire"], lines);
    assert!(code == 1 && err.contains("an answer was expected"), "{err}");
    let (code, ..) = adjutant(home, &["resume", "club"], lines);
    assert_eq!(code, 1);
    assert_eq!(adjutant(home, &["resume", "club", "--ask", "random"], lines).0, 0);
    assert!(adjutant(home, &["verify", "club"], "").1.contains("everything is correct"));
}

#[test]
fn edited_rules_are_read_again_from_where_they_are() {
    let home = tempfile::tempdir().unwrap();
    let rules = home.path().join("rules");
    fs::create_dir(&rules).unwrap();
    let text = fs::read_to_string(Path::new(GAME).join("game.toml")).unwrap();
    let file = rules.join("game.toml");
    fs::write(&file, &text).unwrap();
    let game = rules.to_str().unwrap();
    adjutant(home.path(), &["play", game, "--session", "club"], "next\n");
    fs::write(&file, text.replace("'1d10'", "'1d20'")).unwrap();
    let (code, out, _) =
        adjutant(home.path(), &["resume", "club"], "reload\nshoot anna at clara\nundo 2\n");
    assert!(code == 0 && out.contains("changed: rule shoot"), "{out}");
    fs::write(&file, "[rule").unwrap();
    let (code, _, err) = adjutant(home.path(), &["resume", "club"], "redo\nreload\n");
    assert!(code == 1 && err.contains("play continues with the old rules"), "{err}");
    fs::remove_file(&file).unwrap();
    let (_, out, _) = adjutant(home.path(), &["verify", "club"], "");
    assert!(out.contains("everything is correct"), "{out}");
    let (code, _, err) = adjutant(home.path(), &["play", "blitz"], "note x\nreload\n");
    assert!(code == 1 && err.contains("there is nothing to reload"), "{err}");
}

#[test]
fn a_game_in_which_nothing_happened_is_kept_apart() {
    let home = tempfile::tempdir().unwrap();
    adjutant(home.path(), &["play", GAME], "show\n");
    let (_, list, _) = adjutant(home.path(), &["sessions"], "");
    assert!(list.starts_with("set up, but not played yet: skirmish-cloth-"), "{list}");
}

#[test]
fn only_remove_deletes_and_it_asks_twice() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    // Nothing was done in either; one was promised to be kept.
    adjutant(home, &["play", GAME, "--session", "saturday"], "save precious\n");
    adjutant(home, &["play", GAME, "--session", "left"], "");
    adjutant(home, &["play", GAME, "--session", "club"], "next\n");
    let (_, out, _) = adjutant(home, &["sessions"], "");
    assert!(out.starts_with("club  turn 1"), "{out}");
    assert!(out.contains("set up, but not played yet: ") && out.contains("precious"), "{out}");
    // The game last played is gone on with, not the one last begun.
    adjutant(home, &["play", GAME, "--session", "later"], "");
    let (_, out, _) = adjutant(home, &["resume"], "undo\n");
    assert!(out.contains("undoes 1: next"), "{out}");
    let folder = home.join("adjutant/sessions/club");
    for answers in ["", "n\n", "y\nsaturday\n", "y\n\n", "club\nclub\n"] {
        let (code, _, err) = adjutant(home, &["sessions", "remove", "club"], answers);
        assert!(code == 1 && err.contains("nothing was removed"), "{answers}: {err}");
        assert!(folder.join("journal.jsonl").is_file());
    }
    fs::write(folder.join("orders.txt"), "mine").unwrap();
    let (code, out, _) = adjutant(home, &["sessions", "remove", "club"], "y\nclub\n");
    assert!(code == 0 && out.contains("removed club") && out.contains("orders.txt"), "{out}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(folder.join("orders.txt")).unwrap(), "mine");
}

#[test]
fn a_long_record_at_the_end_hides_no_evening() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let words = "x".repeat(4000);
    let game = format!(
        "[game]\ntitle = 'Long'\n[kind.man]\nhits = {{ from = 0, to = 9 }}\n\
         [rule.shout]\nusage = 'shout <man:man>'\nafter = 'say \"{{man.hits}} {words}\"'\n\
         [scenario.one]\npieces.man = {{ ann = {{ hits = 1 }} }}\n"
    );
    fs::write(home.join("long.toml"), game).unwrap();
    let game = home.join("long.toml");
    let play = ["play", game.to_str().unwrap(), "--session"];
    // Every command after the first comes out otherwise, and one record holds all of them.
    let shouts = "shout ann\n".repeat(300);
    let lines = format!("set ann.hits 2\n{shouts}amend 1 set ann.hits 3\n");
    let (code, _, err) = adjutant(home, &[&play[..], &["long"]].concat(), &lines);
    assert_eq!(code, 0, "{err}");
    let journal = fs::read(home.join("adjutant/sessions/long/journal.jsonl")).unwrap();
    let last = journal.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap();
    assert!(last.len() > 1 << 20, "{}", last.len());
    // One begun later, and left.
    adjutant(home, &[&play[..], &["later"]].concat(), "");
    let (_, list, _) = adjutant(home, &["sessions"], "");
    assert!(list.starts_with("long  set-up, just now  last: amend 1 set ann.hits 3"), "{list}");
    assert!(list.contains("set up, but not played yet: later"), "{list}");
    let (_, out, _) = adjutant(home, &["resume"], "log\n");
    assert!(out.contains("ann: hits 1 → 3"), "{}", &out[..out.len().min(200)]);
}

#[test]
fn a_question_over_several_lines_is_shown_on_one() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("asks.toml");
    let text = "[game]\ntitle = 'Asks'\n[kind.man]\nhits = { from = 0, to = 9 }\n[rule.reckon]\n\
                usage = 'reckon <who:man>'\nafter = '''\nwho.hits = ask \"How\nmany?\n> quit\" between 1 and 5\n'''\n\
                [scenario.s.pieces.man]\nann = {}\n";
    std::fs::write(&rules, text).unwrap();
    let play = |lines: &str| {
        kit::adjutant(["play", rules.to_str().unwrap(), "--in-memory"])
            .home(folder.path())
            .stdin(lines)
    };
    // Nothing that a rule asks can look like a line of its own.
    play("reckon ann\n3\n").stdout_has("  How many? > quit: 3\n").success();
    play("reckon ann\n").stderr_has("the question was: How many? > quit\n").failure();
    play("reckon ann\n3\nlog 1\n").stdout_has("How many? > quit: 3").success();
    // Whoever reads data has it as it is.
    let answers = kit::adjutant(["--json", "play", rules.to_str().unwrap(), "--in-memory"])
        .home(folder.path())
        .stdin("reckon ann\n3\n")
        .success();
    assert!(answers.contains(r#""question":"How\nmany?\n> quit""#), "{answers}");
}

#[test]
fn words_are_revealed_with_the_throws_they_count_for() {
    let lines = "mix Six will do\nnote a\nnote b\nharvest\nmix more\nreveal\n";
    let told = kit::adjutant(["play", "tests/fixtures/orchard", "--in-memory", "--seed", "x"])
        .stdin(lines)
        .success();
    assert!(told.contains("words `six will do` (from throw 1 on)"), "{told}");
    assert!(told.contains("words `more` (from throw 2 on)"), "{told}");
}
