//! A second verifier, written from the documents alone, agrees with `verify` on what needs no rules.

use adjutant_second_verifier::{check, head};
use serde_json::{Value, json};

use crate::kit::session::begin;
use crate::kit::{Table, cases};
use crate::session_fields::{Journal, bits_and_pieces, played, sealed};

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
