//! The files of a session's folder: what a stranger may have put in their place, and who may read them.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use adjutant::session_folder;
use adjutant_engine::session::Notice;

use crate::kit::adjutant;
use crate::kit::session::{begin, keep, open, type_line};

const GAME: &str = "tests/fixtures/skirmish";

/// A session of a few commands; its folder.
fn played(home: &Path) -> PathBuf {
    let lines = "next\ndeal anna\nnote a word\n";
    adjutant(["play", GAME, "--session", "night"]).home(home).stdin(lines).success();
    home.join("adjutant/sessions/night")
}

/// Runs the program with a limit to its time and memory.
fn limited(home: &Path, arguments: &[&str], lines: &str) -> Output {
    let input = home.join("lines");
    fs::write(&input, lines).unwrap();
    // In KB: a file of gigabytes, or one without an end, does not fit.
    let shell = "ulimit -v 1000000; exec timeout 30 \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", shell, "sh"]).arg(assert_cmd::cargo::cargo_bin!("adjutant"));
    command.args(arguments).env("XDG_DATA_HOME", home).env("HOME", home).env("COLUMNS", "200");
    command.stdin(Stdio::from(File::open(&input).unwrap())).output().unwrap()
}

fn told(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    unbroken(&text)
}

/// Returns what was printed without the ends of its lines, which depend on the lengths of paths.
fn unbroken(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a stranger may put in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    Pipe,
    LinkToDevice,
    LinkToFile,
    Folder,
}

const TRAPS: [Trap; 4] = [Trap::Pipe, Trap::LinkToDevice, Trap::LinkToFile, Trap::Folder];

impl Trap {
    fn set(self, file: &Path) {
        let moved = file.with_extension("moved");
        if file.exists() {
            fs::rename(file, &moved).unwrap();
        } else {
            fs::write(&moved, "").unwrap();
        }
        match self {
            Trap::Pipe => {
                assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
            }
            Trap::LinkToDevice => symlink("/dev/zero", file).unwrap(),
            Trap::LinkToFile => symlink(&moved, file).unwrap(),
            Trap::Folder => fs::create_dir(file).unwrap(),
        }
    }
}

#[test]
fn a_stranger_s_transcript_is_not_read() {
    for trap in TRAPS {
        let home = tempfile::tempdir().unwrap();
        let transcript = played(home.path()).join("transcript.md");
        trap.set(&transcript);
        let before = fs::read(transcript.with_extension("moved")).unwrap();
        let output = limited(home.path(), &["resume", "night"], "note on it goes\n");
        let told = told(&output);
        assert_eq!(output.status.code(), Some(0), "{trap:?}: {told}");
        let fault = "transcript.md` cannot be written: it is not a regular file";
        assert!(told.contains(fault), "{trap:?}: {told}");
        let after = fs::read(transcript.with_extension("moved")).unwrap();
        assert_eq!(after, before, "{trap:?}");
    }
}

#[test]
fn no_file_of_a_session_is_read_through_a_link_or_waited_for() {
    for (file, fault) in [
        ("journal.jsonl", "journal.jsonl` is a link or not a regular file"),
        ("lock", "lock` is a link or not a regular file"),
        ("ruleset/00-game.toml", "00-game.toml` has changed since the session began"),
    ] {
        for trap in TRAPS {
            let home = tempfile::tempdir().unwrap();
            trap.set(&played(home.path()).join(file));
            let output = limited(home.path(), &["resume", "night"], "note on it goes\n");
            assert_eq!(output.status.code(), Some(1), "{file}, {trap:?}: {}", told(&output));
            assert!(told(&output).contains(fault), "{file}, {trap:?}: {}", told(&output));
            let output = limited(home.path(), &["sessions"], "");
            assert_eq!(output.status.code(), Some(0), "{file}, {trap:?}: {}", told(&output));
            let is_faulty =
                told(&output).contains("its journal cannot be read: it is not a regular");
            assert_eq!(is_faulty, file == "journal.jsonl", "{trap:?}: {}", told(&output));
            if file != "lock" {
                for command in ["verify", "transcript"] {
                    let output = limited(home.path(), &[command, "night"], "");
                    assert_eq!(output.status.code(), Some(1), "{file}, {trap:?}");
                    assert!(told(&output).contains(fault), "{file}, {trap:?}: {}", told(&output));
                }
            }
        }
    }
}

#[cfg(feature = "screen")]
#[test]
fn the_keys_of_the_screen_are_not_read_through_a_link() {
    for trap in TRAPS {
        let home = tempfile::tempdir().unwrap();
        let folder = played(home.path());
        let keys = folder.join("screen.json");
        let planted = r#"{"port":1,"all":"000000","sides":{}}"#;
        fs::write(&keys, planted).unwrap();
        trap.set(&keys);
        let output = limited(home.path(), &["screen", "night", "--beside", "--port", "0"], "");
        assert_eq!(output.status.code(), Some(0), "{trap:?}: {}", told(&output));
        // The keys of the stranger do not become those of the session.
        let kept = fs::symlink_metadata(&keys).unwrap().is_file();
        assert_eq!(kept, trap != Trap::Folder, "{trap:?}");
        if kept {
            let text = fs::read_to_string(&keys).unwrap();
            assert!(!text.contains("000000"), "{trap:?}: {text}");
        }
        assert_eq!(fs::read_to_string(keys.with_extension("moved")).unwrap(), planted);
    }
}

#[test]
fn a_file_of_gigabytes_costs_neither_memory_nor_time() {
    let home = tempfile::tempdir().unwrap();
    let folder = played(home.path());
    let lengthen = |name: &str, length: u64| {
        let file = File::options().write(true).open(folder.join(name)).unwrap();
        file.set_len(length).unwrap();
    };
    lengthen("transcript.md", 3 << 30);
    let output = limited(home.path(), &["resume", "night"], "note on it goes\n");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // It is written again.
    let transcript = fs::read_to_string(folder.join("transcript.md")).unwrap();
    assert!(transcript.contains("a word") && transcript.contains("on it goes"), "{transcript}");
    let begun = Instant::now();
    // As long as a journal may be, and the first line without an end.
    lengthen("journal.jsonl", 50 << 20);
    let listed = told(&limited(home.path(), &["sessions"], ""));
    assert!(listed.contains("night there is no command near the end of its journal"), "{listed}");
    let journal = fs::read(folder.join("journal.jsonl")).unwrap();
    let first = &journal[..journal.iter().position(|b| *b == b'\n').unwrap()];
    fs::write(folder.join("journal.jsonl"), first).unwrap();
    lengthen("journal.jsonl", 50 << 20);
    let listed = told(&limited(home.path(), &["sessions"], ""));
    assert!(listed.contains("night its first line cannot be read"), "{listed}");
    lengthen("journal.jsonl", 3 << 30);
    let listed = told(&limited(home.path(), &["sessions"], ""));
    assert!(listed.contains("its journal cannot be read: it is longer than 64 MB"), "{listed}");
    for command in ["resume", "verify", "transcript"] {
        let output = limited(home.path(), &[command, "night"], "");
        assert_eq!(output.status.code(), Some(1), "{command}: {}", told(&output));
        let error = unbroken(&output.stderr);
        assert!(error.ends_with("is not changed: it is longer than 64 MB"), "{error}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// Everything in a folder, with the folder.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            all.extend(all_in(&entry.path()));
        } else {
            all.push(entry.path());
        }
    }
    all
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Everything of a session is its owner's alone.
fn is_private(folder: &Path) {
    for path in all_in(folder) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        let found = mode(&path);
        assert_eq!(found, expected, "{} has {found:o}", path.display());
    }
}

#[test]
fn everything_of_a_session_is_its_owner_s_alone() {
    let home = tempfile::tempdir().unwrap();
    let open = |path: &Path| fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
    let resume =
        |lines: &str| adjutant(["resume", "night"]).home(home.path()).stdin(lines).success();
    let folder = played(home.path());
    let transcript = folder.join("transcript.md");
    is_private(&folder);
    let lines = "undo\nredo\nundo\nsave dusk\nnote later\n";
    resume(lines);
    let folder = folder.with_file_name("dusk");
    is_private(&folder);
    fs::rename(&folder, folder.with_file_name("night")).unwrap();
    let folder = folder.with_file_name("night");
    if cfg!(feature = "screen") {
        adjutant(["screen", "night", "--beside", "--port", "0"]).home(home.path()).success();
        assert!(folder.join("screen.json").exists());
        is_private(&folder);
    }
    // One that an earlier program wrote is added to.
    open(&transcript);
    resume("note more\n");
    is_private(&folder);
    // One that is not that of the session is written again.
    fs::write(&transcript, "another").unwrap();
    open(&transcript);
    resume("note more\n");
    assert!(fs::read_to_string(&transcript).unwrap().contains("a word"));
    is_private(&folder);
    // A line that was not finished is set aside.
    let journal = folder.join("journal.jsonl");
    fs::write(&journal, [fs::read(&journal).unwrap(), b"{\"sum\":".to_vec()].concat()).unwrap();
    resume("reveal\n");
    assert!(folder.join("journal.torn-1").exists());
    is_private(&folder);
    adjutant(["resume", "night", "--recover", "saved"]).home(home.path()).success();
    is_private(&folder.with_file_name("saved"));
}

#[test]
fn what_is_asked_for_elsewhere_has_the_usual_permissions() {
    let home = tempfile::tempdir().unwrap();
    let usual = home.path().join("usual");
    fs::write(&usual, "").unwrap();
    played(home.path());
    let log = home.path().join("log.md");
    let lines = format!("log to \"{}\"\nnote more\n", log.display());
    adjutant(["resume", "night"]).home(home.path()).stdin(lines).success();
    let exported = home.path().join("blitz");
    adjutant(["export", "blitz"]).args([&exported]).home(home.path()).success();
    for file in [log, exported.join("game.toml")] {
        assert_eq!(mode(&file), mode(&usual), "{}", file.display());
    }
}

#[test]
fn a_transcript_that_was_never_finished_is_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    drop(keep(begin("candle"), &path));
    for name in [".transcript.md.4711.new", ".transcript.md.x.new", "transcript.md.1.new"] {
        fs::write(path.join(name), "secret orders").unwrap();
    }
    drop(open(&path, 2));
    assert!(!path.join(".transcript.md.4711.new").exists());
    // What no program of this name writes stays.
    assert!(path.join(".transcript.md.x.new").exists());
    assert!(path.join("transcript.md.1.new").exists());
}

#[test]
fn a_last_line_of_zeros_may_have_been_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let mut session = keep(begin("candle"), &path);
    type_line(&mut session, "note a word to the players", 1).unwrap();
    drop(session);
    let journal = path.join("journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let mut zeroed = whole.clone();
    zeroed[last + 60..last + 90].fill(0);
    fs::write(&journal, &zeroed).unwrap();
    let notices = session_folder::read_session(&path).unwrap().notices;
    assert_eq!(notices, [Notice::Zeroed(whole.len() - last)]);
    let words = notices[0].to_string();
    assert!(words.contains("it was damaged after its result was shown"), "{words}");
    // One that has no end was never finished.
    fs::write(&journal, &whole[..whole.len() - 9]).unwrap();
    let notices = session_folder::read_session(&path).unwrap().notices;
    assert_eq!(notices, [Notice::Torn(whole.len() - last - 9)]);
}

/// A file that somebody else wrote is not replaced in a script, where nobody can be asked.
#[test]
fn a_foreign_file_is_not_replaced_unasked() {
    let home = tempfile::tempdir().unwrap();
    let plays = |lines: &str| {
        adjutant(["play", "blitz", "--seed", "candle", "--in-memory"])
            .home(home.path())
            .folder(home.path())
            .stdin(lines)
    };
    for (line, file) in [("log to notes.md", "notes.md"), ("map --svg plan.svg", "plan.svg")] {
        let path = home.path().join(file);
        fs::write(&path, "my own words").unwrap();
        plays(&format!("{line}\n")).stderr_has("a different file with this name exists").failure();
        assert_eq!(fs::read_to_string(&path).unwrap(), "my own words");
        fs::remove_file(&path).unwrap();
        // An earlier one of its own is brought up to date.
        plays(&format!("{line}\nnext\n{line}\n")).success();
        plays(&format!("{line}\n")).success();
        assert!(fs::read_to_string(&path).unwrap().len() > 100);
    }
    // Neither a picture by another program that begins like one of its own, nor one of its own that was drawn on.
    let path = home.path().join("plan.svg");
    let own = fs::read_to_string(&path).unwrap();
    for foreign in [own.replace("</svg>", "<rect/></svg>"), format!("{own}<!-- mine -->")] {
        fs::write(&path, &foreign).unwrap();
        plays("map --svg plan.svg\n")
            .stderr_has("a different file with this name exists")
            .failure();
        assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    }
    // A page that was copied from elsewhere is not its own, though every byte is.
    fs::write(home.path().join("copy.svg"), &own).unwrap();
    plays("map --svg copy.svg\n").failure();
    // A simulation does not even begin.
    adjutant(["simulate", "blitz", "--games", "100000000", "--svg", "plan.svg"])
        .home(home.path())
        .folder(home.path())
        .stderr_has("adjutant didn't write it")
        .failure();
    // A word that is looked for writes nothing.
    plays("note to the wardens\nlog wardens\nlog notes.txt\n")
        .stdout_has("no command has `notes.txt` in its line")
        .success();
    assert!(!home.path().join("notes.txt").exists());
}

#[test]
fn a_session_that_is_resumed_goes_on_after_a_line_that_fails() {
    let home = tempfile::tempdir().unwrap();
    played(home.path());
    let lines = "frob\nnote after it\n";
    adjutant(["resume", "night"]).home(home.path()).stdin(lines).failure();
    adjutant(["resume", "night", "--keep-going"])
        .home(home.path())
        .stdin(lines)
        .stderr_has("1 line failed")
        .success();
    adjutant(["transcript", "night"]).home(home.path()).stdout_has("after it").success();
}

/// Someone else's session may name any file of the reader as a photo, and a link can have any name.
#[test]
fn only_a_picture_is_copied_as_a_photo_whatever_its_name_leads_to() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let picture = b"\xff\xd8\xff\xe0 as a camera begins";
    fs::write(at("secret.txt"), "my password is swordfish").unwrap();
    fs::write(at("camera.jpg"), picture).unwrap();
    for (link, target) in [
        ("lies.jpg", at("secret.txt")),
        ("endless.jpg", "/dev/zero".into()),
        ("nowhere.jpg", at("nothing")),
        ("linked.jpg", at("camera.jpg")),
    ] {
        symlink(target, at(link)).unwrap();
    }
    let named = ["lies.jpg", "endless.jpg", "nowhere.jpg", "linked.jpg", "secret.txt", "/dev/zero"];
    let lines: String =
        named.iter().map(|name| format!("photo {name}: as it was\n")).collect::<String>();
    adjutant(["play", "blitz", "--session", "night"])
        .home(home.path())
        .folder(home.path())
        .stdin(lines)
        .success();
    fs::create_dir(at("out")).unwrap();
    let wrote = adjutant(["transcript", "night", "--format", "report", "--to", "out/report.html"])
        .home(home.path())
        .folder(home.path())
        .status(0);
    let mut copied: Vec<String> = Vec::new();
    for file in fs::read_dir(at("out")).unwrap() {
        let file = file.unwrap();
        assert!(file.file_type().unwrap().is_file(), "{file:?}");
        let name = file.file_name().into_string().unwrap();
        if name != "report.html" {
            assert_eq!(fs::read(file.path()).unwrap(), picture, "{name}");
            copied.push(name);
        }
    }
    assert_eq!(copied, ["linked.jpg"]);
    for name in named.iter().filter(|name| **name != "linked.jpg") {
        assert!(unbroken(wrote.stderr.as_bytes()).contains(&format!("`{name}` is not copied")));
    }
}
