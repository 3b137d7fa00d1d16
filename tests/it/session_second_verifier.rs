//! A second verifier, written from the documents alone, agrees with `verify` on what needs no rules.

use adjutant_second_verifier::{check, head};
use serde_json::{Value, json};

use crate::kit::session::begin;
use crate::kit::{Table, cases, path};
use crate::session_fair_dice::{faces, sha};
use crate::session_fields::{Journal, JournalText, bits_and_pieces, played, sealed, verdict};

#[test]
fn it_accepts_the_written_evenings() {
    let mut dice = 0;
    let (mut drawn, mut linked) = (0, 0);
    for (name, script) in cases("tests/evenings", "txt") {
        let journal = played(&script);
        let checked = check(&journal.text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(checked.lines, journal.lines().len());
        dice += checked.dice;
        drawn += checked.drawn;
        linked += checked.linked_changes;
    }
    assert!(
        dice > 300 && drawn > 20 && linked > 500,
        "{dice} dice, {drawn} drawn, {linked} linked"
    );
}

#[test]
fn it_accepts_every_record_and_finds_the_same_heads() {
    let lines = "mix six will do\nstrike c3\nnext\nstrike b2\nundo\nredo\namend 1 strike b2\nundo\nredo\n\
                 set a1.heat 1\nadd figure zoe\nremove zoe\nundo 2\nstrike c1\namend 1 strike c3\nundo 3\n";
    let mut table = Table::with(begin("candle"));
    table.feed(lines);
    let session = table.into_session();
    let journal = Journal::of(&session);
    let checked = check(&journal.text).unwrap();
    assert!(checked.throws > 3 && checked.linked_changes > 10, "{checked:?}");
    assert_eq!(head(*checked.hashes.last().unwrap()), session.head().unwrap().to_string());
    check(&bits_and_pieces().text).unwrap();
}

/// Changes the journal of the sample in one place, with hashes that fit.
fn with(change: impl Fn(&mut Vec<Value>)) -> String {
    let journal = bits_and_pieces();
    let mut lines = journal.lines();
    let mut records: Vec<Value> = lines.iter().map(|line| line.what.clone()).collect();
    change(&mut records);
    lines.iter_mut().zip(records).for_each(|(line, record)| line.what = record);
    check(&sealed(&lines).unwrap()).expect_err("it was changed")
}

/// Returns the first record of a name, and its number among all.
fn first<'r>(records: &'r mut [Value], name: &str) -> &'r mut Value {
    records.iter_mut().find_map(|record| record.get_mut(name)).unwrap()
}

#[test]
fn it_refuses_what_needs_no_rules_to_be_wrong() {
    let die = with(|all| {
        let face = &mut first(all, "command")["out"]["dice"][0][1][0];
        *face = json!(face.as_u64().unwrap() % 6 + 1);
    });
    assert!(die.contains("follows"), "{die}");
    let throw = with(|all| first(all, "command")["throw"] = json!(2));
    assert!(throw.contains("throw Some(2) where Some(1) should be"), "{throw}");
    let number = with(|all| first(all, "command")["n"] = json!(5));
    assert!(number.contains("command 5 where 1 should be"), "{number}");
    let seal = with(|all| first(all, "start")["seal"] = json!("0".repeat(64)));
    assert!(seal.contains("the seal doesn't fit the seed"), "{seal}");
    let words = with(|all| *first(all, "words") = json!("seven will do"));
    assert!(words.contains("follows"), "{words}");
    let revealed = with(|all| *first(all, "reveal") = json!("0".repeat(64)));
    assert!(revealed.contains("another seed"), "{revealed}");
    let undone = with(|all| *first(all, "undo") = json!([{ "command": 1 }]));
    assert!(undone.contains("can't be undone here"), "{undone}");
    let amended = with(|all| first(all, "amend")["n"] = json!(9));
    assert!(amended.contains("nothing to amend"), "{amended}");
    // A change that begins with a value that was not there.
    let changed = with(|all| {
        let mut events = all.iter_mut().filter_map(|record| {
            record.pointer_mut("/command/out/events").and_then(Value::as_array_mut)
        });
        let set = events.find_map(|events| {
            let last = events.last().cloned()?;
            last.pointer("/changed/change/set")?;
            events.push(last);
            Some(())
        });
        set.unwrap();
    });
    assert!(changed.contains("it was"), "{changed}");
    // A line that is left out, and one whose checksum was not written again.
    let journal = bits_and_pieces().text;
    let (first_line, rest) = journal.split_once('\n').unwrap();
    let (_, later) = rest.split_once('\n').unwrap();
    let left_out = check(&format!("{first_line}\n{later}")).unwrap_err();
    assert_eq!(left_out, "line 2: its checksum doesn't fit");
    assert!(check(&journal.replacen("\"at\":", "\"at\":1", 1)).is_err());
    assert!(check(journal.trim_end()).is_err());
}

/// The place of a card in its pack is the face of the die that drew it.
#[test]
fn it_refuses_a_card_from_another_place() {
    let journal = Journal::of(&Table::with(begin("candle")).lines("deal anna\n").into_session());
    check(&journal.text).unwrap();
    let mut lines = journal.lines();
    let events = lines[1].what["command"]["out"]["events"].as_array_mut().unwrap();
    let at = events.iter_mut().find_map(|event| event.pointer_mut("/changed/change/deck/at"));
    *at.unwrap() = json!(0);
    let why = check(&sealed(&lines).unwrap()).unwrap_err();
    assert!(why.contains("at another place"), "{why}");
}

/// Returns the journal of two cards and a roll, and its lines.
fn cards() -> (Journal, Vec<JournalText>) {
    let table = Table::with(begin("candle")).lines("deal anna\nroll 2d6\ndeal anna\nstrike c3\n");
    let journal = Journal::of(&table.into_session());
    check(&journal.text).unwrap();
    let lines = journal.lines();
    (journal, lines)
}

/// Consistent lies, which neither verifier may accept.
#[test]
fn both_refuse_lies_that_agree_with_themselves() {
    type Lie = fn(&mut Vec<JournalText>);
    let lies: [(&str, Lie); 7] = [
        ("a roll shows other faces than its dice", |lines| {
            let rolled = &mut lines[2].what["command"]["out"]["events"][0]["rolled"];
            assert!(rolled["shown"].is_string());
            rolled["shown"] = json!("[6 6]");
            rolled["total"] = json!(12);
        }),
        ("a check shows another face than its die", |lines| {
            let events = lines[4].what["command"]["out"]["events"].as_array_mut().unwrap();
            let roll = events.iter_mut().find_map(|e| e.pointer_mut("/check/rolls/0")).unwrap();
            let total = roll["total"].as_i64().unwrap() % 6 + 1;
            roll["shown"] = json!(format!("[{total}]"));
            roll["total"] = json!(total);
        }),
        ("a total is another than its faces give", |lines| {
            let rolled = &mut lines[2].what["command"]["out"]["events"][0]["rolled"];
            rolled["total"] = json!(rolled["total"].as_i64().unwrap() + 1);
        }),
        ("a card is drawn from fewer, so that the die is another", |lines| {
            draw_from_another_number(&mut lines[3]);
        }),
        ("two draws are exchanged", |lines| {
            let [first, second] =
                [1, 3].map(|at: usize| lines[at].what["command"]["out"]["events"].clone());
            lines[1].what["command"]["out"]["events"] = second;
            lines[3].what["command"]["out"]["events"] = first;
        }),
        ("the dice of two commands are exchanged, with their numbers", |lines| {
            let [first, second] =
                [1, 3].map(|at: usize| lines[at].what["command"]["throw"].clone());
            lines[1].what["command"]["throw"] = second;
            lines[3].what["command"]["throw"] = first;
        }),
        ("a line is left out, and all after it count one less", |lines| {
            lines.remove(2);
            for line in &mut lines[2..] {
                for key in ["n", "throw"] {
                    let number = &mut line.what["command"][key];
                    *number = json!(number.as_u64().unwrap() - 1);
                }
            }
        }),
    ];
    for (what, lie) in lies {
        let (journal, mut lines) = cards();
        lie(&mut lines);
        let text = sealed(&lines).unwrap();
        assert_ne!(text, journal.text, "{what}");
        assert!(check(&text).is_err(), "{what}: the second accepts it");
        assert!(verdict(&text, &journal.files).is_err(), "{what}: the first accepts it");
    }
}

/// Lets a card be drawn from one card less, with the die that follows from that, and at the place that it gives.
fn draw_from_another_number(line: &mut JournalText) {
    let command = &mut line.what["command"];
    let of = command["out"]["dice"][0][0].as_u64().unwrap();
    let throw = command["throw"].as_u64().unwrap();
    let face = faces(&sha(&[b"candle"]), throw, &[of - 1])[0];
    command["out"]["dice"] = json!([[of - 1, [face]]]);
    for event in command["out"]["events"].as_array_mut().unwrap() {
        if let Some(taken) = event.get_mut("taken") {
            taken["of"] = json!(of - 1);
        }
        if let Some(at) = event.pointer_mut("/changed/change/deck/at") {
            *at = json!(face - 1);
        }
    }
}

/// Returns a journal with one text replaced in each line, and with checksums and lengths that fit.
fn replaced(journal: &str, old: &str, new: &str) -> String {
    let mut sum = "adjutant journal".to_owned();
    let mut forged = String::new();
    for line in journal.lines() {
        let (_, body) = line.split_once("\"len\":").unwrap().1.split_once(',').unwrap();
        let body = body.replacen(old, new, 1);
        let rest = format!("\"len\":{},{body}", body.len());
        let digest = sha(&[format!("{sum}{rest}").as_bytes()]);
        sum = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        forged.push_str(&format!("{{\"sum\":\"{sum}\",{rest}\n"));
    }
    assert_ne!(forged, journal, "{old}");
    forged
}

/// Journals that would have it count for ever, fill the memory, or read a key in two ways.
#[test]
fn the_second_verifier_refuses_hostile_numbers_and_keys() {
    let (journal, _) = cards();
    for (old, new) in [
        ("\"dice\":[[6,", "\"dice\":[[8589934592,"),
        ("\"dice\":[[6,", "\"dice\":[[0,"),
        ("\"at\":2,\"old\"", "\"at\":1152921504606846976,\"old\""),
        ("\"at\":2,\"old\"", "\"at\":18446744073709551615,\"old\""),
    ] {
        assert!(check(&replaced(&journal.text, old, new)).is_err(), "{new}");
    }
    // Keys that one reader takes from their first place, and another from their last.
    for (old, new) in [
        ("\"do\":{\"command\":", "\"do\":{\"words\":\"a\",\"command\":"),
        ("\"total\":", "\"total\":12,\"total\":"),
        ("\"n\":2", "\"n\": 2"),
        ("\"line\":\"roll 2d6\"", "\"line\":\"roll 2d\\u0036\""),
    ] {
        let forged = replaced(&journal.text, old, new);
        assert!(check(&forged).is_err(), "the second accepts {new}");
        assert!(verdict(&forged, &journal.files).is_err(), "the first accepts {new}");
    }
    // Brackets without end.
    let deep = format!("{{\"sum\":\"0\",\"len\":1,\"do\":{}\n", "[".repeat(1_000_000));
    assert!(check(&deep).is_err());
}

/// Its packages are those of the notation and the hash of the journal, and its files read no file of the project.
#[test]
fn the_second_verifier_depends_on_nothing_of_the_project() {
    let folder = path("tests/second_verifier");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let tables = manifest.keys().filter(|key| key.contains("dependencies"));
    assert_eq!(tables.collect::<Vec<_>>(), ["dependencies"]);
    let packages: Vec<&String> = manifest["dependencies"].as_table().unwrap().keys().collect();
    assert_eq!(packages, ["serde_json", "sha2"]);
    let files: Vec<_> = std::fs::read_dir(folder.join("src")).unwrap().flatten().collect();
    assert!(files.len() >= 4);
    for file in files {
        let text = std::fs::read_to_string(file.path()).unwrap();
        for foreign in ["adjutant_dice", "adjutant_engine", "include!", "include_", "#[path", "../"]
        {
            assert!(!text.contains(foreign), "{foreign} in {}", file.path().display());
        }
    }
}
