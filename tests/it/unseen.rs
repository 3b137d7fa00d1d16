//! Nothing that a terminal acts on, or that nobody sees, comes out of any door: whatever stands in files, names and lines.

use std::fs;
use std::path::Path;

use crate::kit::{Output, Test};

/// Characters that must be written out, each between letters.
const HOSTILE: &str =
    "a\u{9b}31mb\u{1b}[2Jc\u{202e}d\u{200b}e\u{ad}f\u{e0041}g\u{7}h\u{feff}i\u{85}j";

fn is_hostile(c: char) -> bool {
    c != '\n' && (c.is_control() || HOSTILE.contains(c) && !c.is_ascii_graphic())
}

fn is_clean(what: &str, output: &Output) {
    for (door, text) in [("standard output", &output.stdout), ("standard error", &output.stderr)] {
        if let Some(at) = text.find(is_hostile) {
            let around: String = text[at..].chars().take(30).collect();
            panic!("{what}: {door} holds {around:?}");
        }
    }
}

/// A character as it is written in TOML.
fn escaped(c: char) -> String {
    if c.is_ascii_graphic() { c.to_string() } else { format!("\\U{:08X}", u32::from(c)) }
}

/// A game whose every text for people is hostile, as TOML escapes; control characters are refused there by the check.
fn game() -> String {
    let hostile: String = HOSTILE.chars().filter(|c| !c.is_control()).map(escaped).collect();
    r#"
[game]
title = "Tiny H"
author = "H"
edition = "H"
note = "H"
[words.colour]
note = "H"
values = ["red", "blue"]
[kind.man]
hits = { from = 0, to = 3, marker = "H", title = "H" }
side = { one_of = "colour" }
named = { text = true, title = "H" }
[rule.hit]
title = "H"
cite = "H"
usage = "hit <who:man>"
roll = '1d6'
label = "{who} H"
needs = '>= 1'
modifiers = [{ by = '+1', because = "H" }]
pass_say = "H"
pass = 'who.hits += 1; wound()'
[rule.halt]
usage = "halt"
after = 'refuse "H"'
[rule.wound]
roll = '1d6'
table = [{ on = '1-3', say = "H" }, { on = '4-6', say = "H" }]
[rule.choose]
usage = "choose"
after = 'if ask "H?" { say "H" }'
[[phase]]
name = "fight"
title = "H"
cite = "H"
remind = ["H"]
verbs = ["hit"]
[measure.hurt]
title = "H"
is = 'sum m in men: m.hits'
[scenario.duel]
title = "H"
note = "H"
pieces.man = { ann = { side = "red", named = "H" }, bob = { side = "blue" } }
"#
    .replace("\"H\"", &format!("\"{hostile}\""))
    .replace(" H\"", &format!(" {hostile}\""))
    .replace("\"H?\"", &format!("\"{hostile}?\""))
    .replace("man]\n", "man]\nplural = \"men\"\n")
}

fn run(home: &Path, arguments: &[&str], lines: &str) -> Output {
    Test::new().args(arguments).folder(home).home(home).stdin(lines).output()
}

#[test]
fn all_that_is_shown_is_clean() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("tiny.toml"), game()).unwrap();
    let broken = game()
        .replace("hits += 1", &format!("hats += 1 # {HOSTILE}"))
        .replace("[rule.halt]", "[rule.halt]\nnonsense = 1");
    fs::write(home.join("broken.toml"), broken).unwrap();
    let odd = format!("odd-{}.toml", HOSTILE.replace('/', ""));
    fs::write(home.join(&odd), format!("[game]\ntitle = 3 # {HOSTILE}\n")).unwrap();
    let check = run(home, &["check", "tiny.toml"], "");
    assert_eq!(check.code, 0, "{}{}", check.stdout, check.stderr);
    is_clean("check", &check);
    // A line with control characters is refused as it stands.
    let unseen: String = HOSTILE.chars().filter(|c| !c.is_control()).collect();
    let evening = format!(
        "next\nhit ann\nnote {unseen}\nset ann.named \"{unseen}\"\nshow\nshow ann\nwhy ann\nlog\nstats\nrule hit\nodds hit bob\nhelp hit\n\
         overrule ann.hits 0: {unseen}\nundo\nredo\namend 2 hit bob\nlog to x.md\n"
    );
    let played = run(home, &["play", "tiny.toml", "--session", "club"], &evening);
    assert_eq!(played.code, 0, "{}{}", played.stdout, played.stderr);
    is_clean("play", &played);
    for line in [
        "halt",
        "choose",
        HOSTILE,
        &format!("hit {HOSTILE}"),
        &format!("set ann.{HOSTILE} 2"),
        &format!("mix {HOSTILE}"),
    ] {
        is_clean(line, &run(home, &["resume", "club"], &format!("{line}\n")));
    }
    let commands: &[&[&str]] = &[
        &["check", "broken.toml"],
        &["check", &odd],
        &["play", &odd],
        &["play", HOSTILE],
        &["roll", HOSTILE],
        &["odds", HOSTILE],
        &[HOSTILE],
        &["resume", HOSTILE],
        &["sessions"],
        &["verify", "club", "--reveal"],
        &["verify", "club", "--head", HOSTILE],
        &["transcript", "club"],
        &["transcript", "club", "--format", "markdown"],
        &["transcript", "club", "--format", "html"],
        &["rules", "tiny.toml"],
        &["rules", "tiny.toml", "--format", "html"],
        &["simulate", "tiny.toml", "--turns", "2", "--games", "3"],
        &["simulate", "tiny.toml", "--scenario", HOSTILE],
        &["games"],
        &["new", HOSTILE],
    ];
    for arguments in commands {
        is_clean(&format!("{arguments:?}"), &run(home, arguments, ""));
    }
    for file in ["x.md", "adjutant/sessions/club/transcript.md"] {
        let text = fs::read_to_string(home.join(file)).unwrap();
        assert_eq!(text.find(is_hostile), None, "{file}");
    }
}
