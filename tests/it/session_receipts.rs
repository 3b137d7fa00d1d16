//! Ways to make a receipt or `verify` promise more than is so: each is refused, or the words stay true.

use std::fs;
use std::path::{Path, PathBuf};

use adjutant_engine::referee::Viewer;
use adjutant_engine::render::transcript::{Format, transcript};
use sha2::{Digest, Sha256};

use crate::kit::{Output, adjutant};
use crate::session_fair_dice::unsealed;
use crate::session_forged::seal_lines;

const PROVED: &str = "proved: every die";
const NOTHING: &str = "nothing is proved";
/// The lines of the umpire in most evenings here.
const LINES: &str = "mix six will do\nnext\nroll 2d6\n";

/// Plays lines in a session `club`, with these arguments.
fn play(home: &Path, arguments: &[&str], lines: &str) -> String {
    let all = ["play"].into_iter().chain(arguments.iter().copied()).chain(["--session", "club"]);
    adjutant(all).home(home).stdin(lines).success()
}

fn verify(home: &Path) -> Output {
    adjutant(["verify", "club"]).home(home).output()
}

fn folder(home: &Path) -> PathBuf {
    home.join("adjutant/sessions/club")
}

/// Rewrites the lines of the journal, with checksums and lengths that fit.
fn rewrite(home: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines = unsealed(&folder(home));
    let before = lines.clone();
    change(&mut lines);
    assert_ne!(lines, before);
    let with_lengths: Vec<String> = lines
        .iter()
        .map(|line| {
            let (_, body) = line.split_once(',').unwrap();
            format!("{{\"len\":{},{body}", body.len())
        })
        .collect();
    seal_lines(&folder(home), &with_lengths);
}

/// A journal that claims another form or recipe, in whatever spelling, is refused, and nothing is called correct or proved.
#[test]
fn a_claimed_form_or_recipe_is_refused() {
    for (old, new) in [
        ("\"v\":3", "\"v\":2"),
        ("\"v\":3", "\"v\":4"),
        ("\"v\":3", "\"v\":3.0"),
        ("\"v\":3", "\"v\":\"3\""),
        ("\"v\":3", "\"v\":3,\"v\":3"),
        ("\"v\":3", "\"v\":4294967299"),
        ("\"recipe\":4", "\"recipe\":3"),
        ("\"recipe\":4", "\"recipe\":5"),
        ("\"recipe\":4", "\"recipe\":4.0"),
        ("\"recipe\":4", "\"recipe\":\"4\""),
        ("\"recipe\":4", "\"recipe\":5,\"recipe\":4"),
        ("\"recipe\":4", "\"recipe\":4294967300"),
        ("\"recipe\":4,", ""),
    ] {
        let home = tempfile::tempdir().unwrap();
        play(home.path(), &["blitz", "--seed", "candle"], LINES);
        assert_eq!(verify(home.path()).code, 0);
        rewrite(home.path(), |lines| {
            lines.iter_mut().for_each(|line| *line = line.replace(old, new));
        });
        let verified = verify(home.path());
        let printed = format!("{}{}", verified.stdout, verified.stderr);
        assert_eq!(verified.code, 1, "{new}: {printed}");
        assert!(!printed.contains(PROVED) && !printed.contains("correct"), "{new}: {printed}");
        assert!(printed.lines().count() <= 3, "{new}: {printed}");
    }
}

/// After a difference nothing is proved, in the terminal and on the page for the players.
#[test]
fn nothing_is_proved_after_a_difference() {
    let home = tempfile::tempdir().unwrap();
    play(home.path(), &["blitz", "--seed", "candle"], &format!("{LINES}reveal\n"));
    let page = |home: &Path| {
        let session = adjutant::session_folder::read_session(&folder(home)).unwrap().session;
        transcript(&session, Format::HTML, &Viewer::Players).unwrap()
    };
    assert!(verify(home.path()).stdout.contains(PROVED) && page(home.path()).contains(PROVED));
    rewrite(home.path(), |lines| {
        let roll = lines.iter_mut().find(|line| line.contains("roll 2d6")).unwrap();
        *roll = roll.replace("[[6,[4,5]]]", "[[6,[6,6]]]").replace("[4 5]", "[6 6]");
        *roll = roll.replace("\"total\":9", "\"total\":12");
    });
    let verified = verify(home.path());
    for printed in [verified.stdout, page(home.path())] {
        assert!(printed.contains(NOTHING) && printed.contains("first difference"), "{printed}");
        assert!(!printed.contains(PROVED) && !printed.contains("everything is correct"));
    }
    assert_eq!(verified.code, 1);
}

/// Whatever the evening, `verify` names form and recipe, and what they don't promise; so does `seal`.
#[test]
fn every_receipt_and_verification_names_its_limits() {
    for lines in [
        "next\n",
        LINES,
        "dice physical\nroll 2d6\n3 4\n",
        "next\nset c1.fire 2\noverrule c1.fire 1: rain\nundo\nquit\n",
        "next\nreveal\nroll 2d6\n",
    ] {
        let home = tempfile::tempdir().unwrap();
        let sealed = play(home.path(), &["blitz", "--seed", "candle"], &format!("seal\n{lines}"));
        let verified = verify(home.path()).stdout.replace("\n  ", " ");
        let sealed = sealed.replace("\n  ", " ");
        for (printed, limits) in [(&sealed, "not promised"), (&verified, "not proved")] {
            assert!(printed.contains("journal form 3, dice recipe 4"), "{printed}");
            assert!(printed.contains(&format!("{limits}: that the umpire")), "{printed}");
            assert!(printed.contains("times, names, typed lines and typed dice"), "{printed}");
        }
        assert!(verified.contains("not proved without a head"), "{verified}");
    }
}

/// A folder, or a session that was changed, can be named like a verdict, and a seed text can hold one.
#[test]
fn no_name_reads_like_a_verdict() {
    let home = tempfile::tempdir().unwrap();
    let shipped = adjutant(["play", "blitz", "--seed", "x"]).stdin("seal\n").success();
    let honest = shipped.lines().find(|line| line.starts_with("rules: ")).unwrap().to_owned();
    let name = honest.strip_prefix("rules: ").unwrap();
    // The folder of a game that is not as shipped.
    let rules = home.path().join(name);
    fs::create_dir(&rules).unwrap();
    for file in adjutant::shipped::files("blitz").unwrap() {
        let path = home.path().join(file.name.replacen("blitz", name, 1));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{}\n# changed\n", file.text)).unwrap();
    }
    let seed = format!("x`\n{honest}\neverything is correct\u{1b}[32m\u{202e}");
    play(home.path(), &[rules.to_str().unwrap(), "--seed", &seed], "seal\nnext\nreveal\n");
    // And then the folder's path is shortened to its name.
    rewrite(home.path(), |lines| {
        let path = serde_json::to_string(rules.to_str().unwrap()).unwrap();
        let claimed = serde_json::to_string(name).unwrap();
        lines[0] = lines[0].replacen(&path, &claimed, 1);
    });
    let printed = verify(home.path()).stdout;
    assert!(printed.lines().all(|line| line != honest && !line.starts_with("rules: blitz")));
    assert!(printed.contains("rules: not as shipped, "), "{printed}");
    let correct = printed.lines().filter(|line| line.starts_with("everything is correct"));
    assert_eq!(correct.count(), 1, "{printed}");
    assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{printed}");
}

/// The same texts under other names are other rules: the first scenario could be the second.
#[test]
fn shipped_scenarios_with_exchanged_names_are_not_as_shipped() {
    let home = tempfile::tempdir().unwrap();
    play(home.path(), &["blitz", "--seed", "candle"], "next\n");
    let start = unsealed(&folder(home.path()))[0].clone();
    let start: serde_json::Value = serde_json::from_str(&start).unwrap();
    let files = start["do"]["start"]["files"].as_array().unwrap();
    let names: Vec<&str> = files.iter().filter_map(|file| file["scenario"].as_str()).collect();
    let played = start["do"]["start"]["scenario"].as_str().unwrap();
    let other = *names.iter().find(|name| **name != played).unwrap();
    // With the names exchanged, the texts of the game are as they were.
    let quoted = |name: &str| format!("\"scenario\":\"{name}\",\"copy\"");
    rewrite(home.path(), |lines| {
        lines[0] = lines[0]
            .replace(&quoted(played), "\u{1}")
            .replace(&quoted(other), &quoted(played))
            .replace('\u{1}', &quoted(other));
        assert!(!lines[0].contains('\u{1}'));
    });
    let verified = verify(home.path());
    assert!(!verified.stdout.contains("blitz as shipped"), "{}", verified.stdout);
}

/// Whoever knows the seed knows the dice, so what was rolled after it was revealed is listed.
#[test]
fn dice_rolled_after_the_seed_was_revealed_are_listed() {
    let home = tempfile::tempdir().unwrap();
    let lines = "next\nroll 2d6\nreveal\nroll 3d6\nnote no dice\namend 2 roll 4d6\n";
    play(home.path(), &["blitz", "--seed", "candle"], lines);
    let printed = verify(home.path()).stdout;
    assert!(
        printed.contains("rolled after the seed was revealed (2): 3 roll 3d6; 2 roll 4d6"),
        "{printed}"
    );
    let answered = adjutant(["verify", "club", "--json"]).home(home.path()).json();
    let numbers = answered["review"]["after_reveal"].as_array().unwrap().iter();
    assert_eq!(numbers.map(|asked| asked["number"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 2]);
}

/// The seal of one evening and the journal of another don't belong together, whoever copies the one line into the other.
#[test]
fn a_seal_of_another_evening_is_refused() {
    let home = tempfile::tempdir().unwrap();
    play(home.path(), &["blitz", "--seed", "candle"], LINES);
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let seed = Sha256::digest("candle");
    let other = Sha256::digest("tallow");
    rewrite(home.path(), |lines| {
        let seals = [hex(&Sha256::digest(seed)), hex(&Sha256::digest(other))];
        lines[0] = lines[0].replace(&seals[0], &seals[1]);
    });
    let verified = verify(home.path());
    assert_eq!(verified.code, 1);
    assert!(verified.stdout.contains(NOTHING) && !verified.stdout.contains(PROVED));
}
