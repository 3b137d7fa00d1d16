//! Rules from a stranger that bring about more than a machine could hold.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use adjutant_dice::Seed;
use adjutant_engine::ruleset::{FileText, load};

use crate::kit::session::{begin_game, type_line};

const HEAD: &str = r#"
[game]
title = "Endless"

[kind.man]

[scenario.s]
pieces.man = { ann = {} }

[[phase]]
name = "p"
"#;

/// What is said when the verb `go` is typed; the session must stand as it was.
fn refusal(rules: &str) -> String {
    let text = format!("{HEAD}{rules}");
    let files = [FileText { name: "endless.toml".into(), text, scenario: None }];
    let mut session = begin_game("endless", &files, Seed::from_text("x"), Vec::new());
    let error = type_line(&mut session, "go", 0).unwrap_err();
    assert_eq!(session.next_number(), 1);
    error
}

#[test]
fn rules_that_call_rules_without_end_fill_no_memory() {
    let mut rules = "[rule.r0]\nusage = 'go'\nafter = 'r1(); r1()'\n".to_owned();
    for n in 1..60 {
        let next = n + 1;
        rules.push_str(&format!("[rule.r{n}]\nafter = 'r{next}(); r{next}()'\n"));
    }
    rules.push_str("[rule.r60]\nafter = 'let x = 1'\n");
    let error = refusal(&rules);
    assert!(error.contains("TooMuch"), "{error}");
}

#[test]
fn a_million_dice_fall_in_no_command() {
    let rule =
        "[rule.go]\nusage = 'go'\nafter = 'repeat 1000 times { let x = roll 10000d1000000 }'\n";
    let error = refusal(rule);
    assert!(error.contains("TooMuch"), "{error}");
}

/// The time in which a ruleset loads or is refused and a rule of it runs into its limit, with much room for a machine that
/// has other things to do: it takes about two seconds.
const MOST_TIME: Duration = Duration::from_secs(60);
/// The memory that takes, in kilobytes.
const MOST_MEMORY: u64 = 200 * 1024;

/// A definition that calls itself twice over: each link of the chain has two of the one before it.
fn chain(length: usize, first: &str, link: &str, last: &str) -> String {
    let define = |n: usize| {
        let is =
            if n == 0 { first.into() } else { link.replace("LAST", &format!("f{}(m)", n - 1)) };
        format!("[define.f{n}]\ntakes = 'm: man'\nis = '{is}'\n")
    };
    let last = last.replace("LAST", &format!("f{}(m)", length - 1));
    let rule = format!("[rule.go]\nusage = 'go <m:man>'\nafter = '{last}'\n");
    (0..length).map(define).collect::<String>() + &rule
}

/// Definitions of which each calls the next one and the one before it.
fn ring(length: usize) -> String {
    let define = |n: usize| {
        let (next, last) = ((n + 1) % length, (n + length - 1) % length);
        let is = format!(
            "if m.hits = {} then f{next}(m) else if m.hits = 9 then f{last}(m) else 1",
            n % 9
        );
        format!("[define.f{n}]\ntakes = 'm: man'\nis = '{is}'\n")
    };
    let rule = "[rule.go]\nusage = 'go <m:man>'\nafter = 'm.hits = f0(m)'\n";
    (0..length).map(define).collect::<String>() + rule
}

/// A chain of definitions, the last one first in the file.
fn reversed(chain: &str) -> String {
    let (definitions, rule) = chain.split_once("[rule.").unwrap();
    let mut definitions: Vec<&str> = definitions.split_inclusive("'\n[").collect();
    definitions.reverse();
    let definitions: Vec<&str> =
        definitions.iter().map(|d| d.trim_start_matches('[').trim_end_matches('[')).collect();
    format!("[{}[rule.{rule}", definitions.join("["))
}

#[test]
fn a_chain_that_loads_is_not_too_deep_in_play_in_whatever_order_it_is_written() {
    let head = HEAD.replace("[kind.man]", "[kind.man]\nhits = { from = 0, to = 9 }");
    let mut longest = 0;
    for length in (5..=60).step_by(5).chain(61..70) {
        let rules = chain(length, "m.hits", "LAST", "m.hits = LAST");
        let files = |rules: &str| {
            let text = format!("{head}{rules}");
            vec![FileText { name: "chain.toml".into(), text, scenario: None }]
        };
        let loaded = load(files(&rules)).is_ok();
        assert_eq!(load(files(&reversed(&rules))).is_ok(), loaded, "{length}");
        if loaded {
            longest = length;
            let mut session = begin_game("chain", &files(&rules), Seed::from_text("x"), Vec::new());
            type_line(&mut session, "go ann", 0).unwrap();
        }
    }
    assert!((55..65).contains(&longest), "{longest}");
}

/// A deck of ten thousand cards, filled `times` over by each of many decks.
fn decks(count: usize, times: usize) -> String {
    let mut rules = String::new();
    for set in ["x", "y"] {
        let words: Vec<String> = (0..100).map(|n| format!("'{set}q{n}'")).collect();
        rules.push_str(&format!("[words.{set}]\nvalues = [{}]\n", words.join(", ")));
    }
    rules.push_str("[list.card]\nevery = { first = 'x', second = 'y' }\n");
    for n in 0..count {
        let fill = format!("each c in cards {{ put {times} of c into p{n} }}");
        rules.push_str(&format!("[deck.p{n}]\nof = 'card'\nfill = '{fill}'\n"));
    }
    let shuffles: Vec<String> = (0..count).map(|n| format!("shuffle p{n}")).collect();
    rules + &format!("[rule.go]\nusage = 'go <m:man>'\nafter = '{}'\n", shuffles.join("; "))
}

/// Runs the program with a ruleset and lines; returns what it printed, errors last. It takes little time and memory.
fn within_limits(name: &str, arguments: &[&str], lines: &str) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("adjutant"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let reads = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut printed = String::new();
            from.read_to_string(&mut printed).unwrap();
            printed
        })
    };
    let printed = reads(Box::new(child.stdout.take().unwrap()));
    let errors = reads(Box::new(child.stderr.take().unwrap()));
    let status = format!("/proc/{}/status", child.id());
    while child.try_wait().unwrap().is_none() {
        // The most so far; where there is no such file, only the time is looked at.
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        assert!(peak.unwrap_or(0) <= MOST_MEMORY, "{name}: {peak:?} kB");
        assert!(began.elapsed() < MOST_TIME, "{name}: {:?}", began.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
    printed.join().unwrap() + &errors.join().unwrap()
}

#[test]
fn rulesets_that_double_with_each_line_load_or_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\"{LAST}{LAST}\"";
    let mut cases = vec![
        ("decks", decks(200, 9)),
        ("huge decks", decks(2, 1000)),
        ("dice", "[rule.go]\nusage = 'go <m:man>'\nroll = '10000d1000000'\nneeds = '> 3'\n".into()),
    ];
    for length in [20, 60, 900] {
        cases.push(("texts", chain(length, "\"a text of some length\"", text, "say \"{LAST}\"")));
        cases.push(("numbers", chain(length, "m.hits", "LAST + LAST", "m.hits = LAST")));
        cases.push((
            "flags",
            chain(length, "m.hits > 2", "LAST and LAST", "if LAST { m.hits = 1 }"),
        ));
        let all = "(x in men where x.hits < 9)";
        cases.push(("lists", chain(length, all, "LAST + LAST", "m.hits = size(LAST)")));
        cases
            .push(("choices", chain(length, "7", "if LAST > 3 then LAST else 0", "m.hits = LAST")));
        cases.push(("rings", ring(length)));
        let sums = format!("{}LAST", "1 + ".repeat(900));
        cases
            .push(("reversed", reversed(&chain(length, "m.hits", "LAST + LAST", "m.hits = LAST"))));
        // More of them are too long for a file.
        let count = length.min(60);
        cases.push(("long sums", reversed(&chain(count, "m.hits", &sums, "m.hits = LAST"))));
    }
    for (name, rules) in cases {
        let head =
            HEAD.replace("[kind.man]", "[kind.man]\nplural = 'men'\nhits = { from = 0, to = 9 }");
        let path = folder.path().join("game.toml");
        std::fs::write(&path, format!("{head}{rules}")).unwrap();
        let path = path.to_str().unwrap();
        let checked = within_limits(name, &["check", path], "");
        assert!(checked.contains("game: "), "{name}: {checked}");
        // To be shown as a page, too; and where it loads, to be played: the command ends, or is refused.
        within_limits(name, &["rules", path, "--format", "html"], "");
        within_limits(name, &["play", path, "--in-memory"], "go ann\n");
    }
}

/// Rules whose values can each be computed within the limit, although all of them together would take hours.
fn crowds() -> Vec<(&'static str, String)> {
    let men: String =
        (0..1_500).map(|n| format!("m{n} = {{ side = \"red\", at = \"a1\" }}\n")).collect();
    let rules = |attributes: &str, phase: &str, more: &str| {
        format!(
            "[game]\ntitle = 'Crowd'\n[words.side]\nvalues = ['red', 'blue']\n[sides]\nare = 'side'\n\
             [kind.area]\nplan = true\n[kind.man]\nplural = 'men'\nside = {{ one_of = 'side' }}\n\
             at = {{ of = 'area' }}\nhits = {{ from = 0, to = 9 }}\n{attributes}\n\
             [rule.go]\nusage = 'go <m:man>'\nafter = 'm.hits = 1'\n[[phase]]\nname = 'p'\n{phase}\n{more}\n\
             [scenario.s.legend]\n'o' = {{}}\n[[scenario.s.level]]\nplan = 'o o'\n[scenario.s.pieces.man]\n{men}"
        )
    };
    let many = "count c in men: (count d in men: d.hits = c.hits) > 2";
    let square = format!("({many}) < 0");
    let near = "near = { is = 'count c in men: c.hits = self.hits' }";
    let far = "far = { is = 'count c in men: c.near > 0' }";
    let seen = format!("seen_by = 'viewer = self.side or ({many}) < 0'");
    let ends: String =
        (0..200).map(|_| format!("[[end]]\nwhen = '{square}'\nsay = 'x'\n")).collect();
    let cube = format!("(count b in men: (b.hits = 3) = ({square})) < 0");
    let own_ends = format!(
        "[[scenario.s.end]]\nwhen = 'state.turn > 9'\nsay = 'x'\n[[scenario.s.end]]\nwhen = '{cube}'\nsay = 'x'\n"
    );
    let measures: String =
        (0..200).map(|n| format!("[measure.x{n}]\ntitle = 'X{n}'\nis = '{many}'\n")).collect();
    let left = format!("left = [{{ each = 'm in men where {square}', say = '{{m}}' }}]");
    vec![
        ("values", rules(&format!("{near}\n{far}"), "", "")),
        ("what is seen", rules(&format!("{near}\n{seen}"), "", "")),
        ("ends", rules("", "", &ends)),
        ("the second end of a scenario", rules("", "", &own_ends)),
        ("a phase", rules("", &format!("skip = '{cube}'"), "")),
        ("measures", rules("", "", &measures)),
        ("what is left", rules("", &left, "")),
    ]
}

/// Each line takes little time, whatever it computes beside the command: values of a view, ends, what each side sees. If
/// that takes too long, the line is refused, and the message names what it was and where.
#[test]
fn views_of_rules_that_would_take_hours_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.toml");
    let shown = |name: &str, line: &str| {
        let (_, rules) = crowds().into_iter().find(|(of, _)| *of == name).unwrap();
        std::fs::write(&path, rules).unwrap();
        let lines = format!("{line}\n");
        let printed = within_limits(name, &["play", path.to_str().unwrap(), "--in-memory"], &lines);
        printed.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let too_long = "this command or view takes more than 50000000 steps in all";
    for (name, line, what) in [
        ("values", "show", format!("`man.near` failed: {too_long}")),
        ("what is seen", "agree", format!("`man seen_by` failed: {too_long}")),
        ("ends", "next", format!(" when` failed: {too_long}")),
        (
            "the second end of a scenario",
            "next",
            format!("`scenario s end 2 when` failed: {too_long}"),
        ),
        ("a phase", "next", "`phase p skip` failed: this takes more than".to_owned()),
        ("what is left", "next\nleft", "failed: this takes more than".to_owned()),
    ] {
        let printed = shown(name, line);
        assert!(printed.contains(&what), "{name}: {printed}");
        assert!(printed.contains("crowd.toml:"), "{name}: {printed}");
    }
    // Where nothing can be refused, values are left out, and what might be a secret is hidden.
    let printed = shown("what is seen", "go m1");
    assert!(printed.contains("m1: hits 0 → 1"), "{printed}");
    let transcript = folder.path().join("log.html");
    let printed = shown("measures", &format!("log to {}", transcript.display()));
    assert!(printed.contains("written to"), "{printed}");
    let transcript = std::fs::read_to_string(&transcript).unwrap();
    assert!(transcript.contains("X0") && !transcript.contains("X199"), "{}", transcript.len());
}
