//! Rules read again in the middle of a game: what stands stays, each command keeps the rules it was played by.

use std::cell::RefCell;
use std::sync::Arc;

use adjutant_engine::render::transcript::{Format, transcript};
use adjutant_engine::ruleset::{self, FileText};
use adjutant_engine::session::{ReloadError, Session};

use crate::kit::Table;
use crate::kit::session::{Stored, Unrecorded, begin, files, keep, open, plan, state, type_line};
use crate::session_fields::{Journal, sealed, verdict};

/// The ruleset with some of its text put otherwise.
fn edited(edits: &[(&str, &str)]) -> Vec<FileText> {
    let mut files = files();
    for (old, new) in edits {
        assert!(files[0].text.contains(old), "{old}");
        files[0].text = files[0].text.replace(old, new);
    }
    files
}

fn reload(stored: &mut impl Stored, edits: &[(&str, &str)]) -> Result<Vec<String>, ReloadError> {
    let files = edited(edits);
    let ruleset = match ruleset::load(files.clone()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(faulty) => panic!("{:?}", faulty.faults),
    };
    let reloaded = match stored.record(|session| session.reload(&files, ruleset, 7)) {
        Ok(reloaded) => reloaded,
        Err(Unrecorded::Refused(error)) => return Err(error),
        Err(Unrecorded::Store(error)) => panic!("{error}"),
    };
    let told = |c: &adjutant_engine::session::ChangedPart| {
        format!("{:?} {} {}", c.became, c.section, c.name).to_lowercase()
    };
    Ok(reloaded.changes.iter().map(told).collect())
}

fn play(session: &mut impl Stored, lines: &[&str]) {
    for line in lines {
        type_line(session, line, 5).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
}

/// Attributes and kinds before those there are, so that every number of the schema is another one.
const OTHERS: [(&str, &str); 4] = [
    (
        "[kind.area]\n",
        "[kind.crate]\nload = { from = 0, to = 9 }\n\n[kind.area]\nmud = { from = 2, to = 4 }\n",
    ),
    ("[rule.spread]\n", "[rule.wait]\nafter = 'say \"nothing\"'\n\n[rule.spread]\n"),
    ("roll  = '2d6'", "roll  = '3d6'"),
    ("on = \"6-12\"", "on = \"6-18\""),
];

const STORY: [&str; 11] = [
    "next",
    "strike c3",
    "add figure dora side=blue at=a1",
    "remove dora",
    "add figure dora side=red at=c1 orders=\"dig in\"",
    "shoot anna at clara twice",
    "scout anna",
    "deal boris",
    "move anna to b2",
    "add figure",
    "set f1.path a1,b1",
];

#[test]
fn the_table_stays_as_it_is() {
    let mut session = begin("candle");
    play(&mut session, &STORY);
    let before = state(&session);
    let told = reload(&mut session, &OTHERS).unwrap();
    assert_eq!(
        told,
        ["changed kind area", "added kind crate", "changed rule strike", "added rule wait"]
    );
    // Only what is new differs, and it is as it begins.
    let now = state(&session);
    assert!(before.iter().all(|line| now.contains(line)));
    let new: Vec<&String> = now.iter().filter(|line| !before.contains(line)).collect();
    assert!(new.len() == 9 && new.iter().all(|l| l.ends_with(".mud 2")), "{new:?}");
    // The next command is resolved by the new rules: three dice for a strike.
    play(&mut session, &["strike b2", "add figure"]);
    let dice: Vec<usize> = session.entries().iter().map(|e| e.outcome.face_count()).collect();
    assert_eq!((dice[1], dice[11]), (2, 3));
    assert!(session.table().find("f2").is_some());
    assert_eq!(session.verify().mismatch, None);
}

#[test]
fn the_same_rules_are_told_to_be_the_same() {
    let mut session = begin("candle");
    let remark = [("[state]", "# a remark\n[state]")];
    assert_eq!(reload(&mut session, &remark), Err(ReloadError::Same));
    assert_eq!(session.log().len(), 1);
}

#[test]
fn every_step_is_taken_back_and_done_again_across_it() {
    let mut session = begin("candle");
    let mut states = vec![state(&session)];
    for line in STORY {
        play(&mut session, &[line]);
        states.push(state(&session));
    }
    reload(&mut session, &OTHERS).unwrap();
    let at_reload = state(&session);
    play(&mut session, &["strike a2", "next", "add crate box load 3"]);
    let last = state(&session);
    assert_eq!(session.undo(3, 0).unwrap().len(), 3);
    assert_eq!(state(&session), at_reload);
    // Commands before it are taken back under the rules they were played by; the new rules stay.
    for expected in states[..STORY.len()].iter().rev() {
        assert_eq!(session.undo(1, 0).unwrap().len(), 1);
        let now = state(&session);
        assert!(expected.iter().all(|line| now.contains(line)));
        assert_eq!(now.len(), expected.len() + 9);
    }
    assert!(session.undo(1, 0).unwrap().is_empty());
    session.redo(99, 0).unwrap();
    assert_eq!(state(&session), last);
    assert_eq!(session.verify().mismatch, None);
    // What is played after everything was taken back is played by the new rules.
    session.undo_to(0, 0).unwrap();
    play(&mut session, &["strike c3"]);
    assert_eq!(session.entries()[0].outcome.face_count(), 3);
    assert_eq!(session.verify().mismatch, None);
}

#[test]
fn a_command_before_it_is_amended_by_its_own_rules() {
    let mut session = begin("candle");
    play(&mut session, &["next", "strike c3", "strike a2"]);
    reload(&mut session, &OTHERS).unwrap();
    play(&mut session, &["strike b2", "next"]);
    let before = state(&session);
    let same = plan(&session, 2, "strike c3", 0).unwrap();
    assert!(same.changes_nothing(), "{:?} {:?}", same.differences, same.table);
    let planned = plan(&session, 2, "set c3.heat 4", 0).unwrap();
    session.amend(&planned, 0).unwrap();
    let faces: Vec<usize> = session.entries().iter().map(|e| e.outcome.face_count()).collect();
    assert_eq!(faces[2..4], [2, 3]);
    assert!(state(&session).iter().any(|l| l.starts_with("c3.heat ")));
    assert_eq!(session.verify().mismatch, None);
    let amended = state(&session);
    session.undo(1, 0).unwrap();
    assert_eq!(state(&session), before);
    session.redo(1, 0).unwrap();
    assert_eq!(state(&session), amended);
}

#[test]
fn a_resumed_session_has_the_rules_it_was_left_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let session = begin("candle");
    let mut session = keep(session, &path);
    play(&mut session, &STORY);
    reload(&mut session, &OTHERS).unwrap();
    play(&mut session, &["strike b2", "undo", "strike a2"]);
    let mut further = OTHERS.to_vec();
    further.push(("roll  = '1d10'", "roll  = '1d20'"));
    assert_eq!(reload(&mut session, &further).unwrap(), ["changed rule shoot"]);
    play(&mut session, &["shoot boris at clara", "undo 3", "redo"]);
    let expected = state(&session);
    let text =
        transcript(&session, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire).unwrap();
    assert!(text.contains("the rules were read again:"), "{text}");
    drop(session);
    let mut again = open(&path, 1);
    assert_eq!(state(&again), expected);
    assert_eq!(again.verify().mismatch, None);
    assert!(
        transcript(&again, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire)
            .unwrap()
            .contains("play continued after a break")
    );
    again.redo(9, 0).unwrap();
    let last = again.entries().last().unwrap();
    assert_eq!(last.outcome.dice[0].0, 20);
    // The causes of before are told by the rules of now.
    let why = again.why("c1.wet").unwrap();
    assert!(why.threads[0].causes.is_empty());
    assert!(!again.why("boris.cards").unwrap().threads[0].causes.is_empty());
    assert!(again.luck().all.dice.is_some());
    play(&mut again, &["overrule clara was not there: the cat"]);
    assert_eq!(again.verify().mismatch, None);
}

#[test]
fn what_has_no_place_is_refused_and_nothing_changes() {
    let mut session = begin("candle");
    play(&mut session, &STORY);
    let before = (state(&session), session.next_number(), session.log().len());
    let refused = |session: &mut Session, edits: &[(&str, &str)]| -> String {
        match reload(session, edits) {
            Err(ReloadError::NoPlace(lost)) => lost.join("\n"),
            other => panic!("{other:?}"),
        }
    };
    for (edits, told) in [
        (
            vec![
                ("values = [\"red\", \"blue\"]", "values = [\"green\", \"blue\"]"),
                ("side = \"red\"", "side = \"blue\""),
            ],
            "`anna.side`: there is no word `red`",
        ),
        (
            vec![
                (
                    "speed   = { from = 0, to = 9, fractions = true }",
                    "speed   = { from = 0, to = 9 }",
                ),
                ("on_add  = 'self.speed = 2.5'", ""),
                ("; who.speed -= 0.5", ""),
            ],
            "`anna.speed`",
        ),
        (
            vec![
                ("heat  = { from = 0, to = 5", "heat  = { from = 0, to = 1"),
                ("a1.heat = 2", "a1.heat = 1"),
                ("max(target.heat, 2)", "1"),
            ],
            "`a1.heat`: it is",
        ),
        (
            vec![("[[phase]]\nname  = \"fire\"", "[[phase]]\nname  = \"blaze\"")],
            "`state.phase`: there is no word `fire`",
        ),
    ] {
        let words = refused(&mut session, &edits);
        assert!(words.contains(told), "{words}");
        assert_eq!((state(&session), session.next_number(), session.log().len()), before);
    }
    play(&mut session, &["next"]);
    assert_eq!(session.verify().mismatch, None);
}

thread_local! {
    /// What the file of the game holds in [`at_the_prompt`].
    static FILE: RefCell<Vec<FileText>> = const { RefCell::new(Vec::new()) };
}

fn at_the_prompt(file: Vec<FileText>, lines: &str) -> (Session, String, Option<String>) {
    FILE.with(|f| *f.borrow_mut() = file);
    let mut table = Table::with(begin("candle"));
    table.game.reread = Some(|game| {
        assert_eq!(game, "skirmish");
        Ok(FILE.with(|f| f.borrow().clone()))
    });
    let failed = table.feed(lines);
    let printed = std::mem::take(&mut table.printed);
    (table.into_session(), printed, failed)
}

#[test]
fn at_the_prompt_it_says_what_changed() {
    let (session, out, failed) =
        at_the_prompt(edited(&OTHERS), "next\nreload\nstrike c3\nwait\nundo 3\n");
    assert_eq!(failed, None, "{out}");
    assert!(
        out.contains(
            "the rules were read again:\n  added: kind crate; rule wait\n  changed: kind area; rule strike\n\
             they apply from command 2 on\n"
        ),
        "{out}"
    );
    assert_eq!(session.entries().len(), 0);
    assert!(out.contains("undoes 1: next"), "{out}");
    assert!(out.ends_with("the rules that were read last stay in force\n"), "{out}");
}

#[test]
fn faults_are_shown_and_play_goes_on() {
    let broken = edited(&[("needs = '>= 5'", "needs = '>= a.haet'")]);
    let (session, _, failed) = at_the_prompt(broken, "next\nreload\n");
    let failed = failed.unwrap();
    assert!(failed.contains("haet") && failed.contains("did you mean `heat`"), "{failed}");
    assert!(failed.contains("play continues with the old rules"), "{failed}");
    assert_eq!(session.log().len(), 2);
    // At the table the first few are enough.
    let broken = edited(&[("heat", "hoat"), ("hoat  = {", "heat  = {")]);
    let (_, _, failed) = at_the_prompt(broken, "reload\n");
    let failed = failed.unwrap();
    assert_eq!(failed.matches("error[").count(), 4, "{failed}");
    assert!(failed.contains("more; `adjutant check skirmish` shows all"), "{failed}");
    let (_, _, failed) = at_the_prompt(files(), "reload\n");
    assert!(failed.unwrap().contains("nothing in the rules has changed"));
}

#[test]
fn a_game_may_have_a_verb_of_that_name() {
    let with_verb = edited(&[(
        "[rule.deal]",
        "[rule.reload]\nusage = \"reload <who:figure>\"\nafter = 'say \"{who} is loaded\"'\n\n[rule.deal]",
    )]);
    let (_, out, failed) = at_the_prompt(with_verb, "reload\nreload anna\n");
    assert_eq!(failed, None, "{out}");
    assert!(out.contains("added: rule reload") && out.contains("anna is loaded"), "{out}");
    // The console's word has another name then.
    let (_, out, failed) = at_the_prompt(edited(&OTHERS), "reread\n");
    assert_eq!(failed, None);
    assert!(out.contains("changed: kind area; rule strike"), "{out}");
}

/// Each undo or redo of a command before all of them transfers a table a hundred times.
#[test]
fn commands_before_many_reloads_are_undone_so_often_at_most() {
    let mut session = begin("candle");
    play(&mut session, &["next"]);
    let times: [&[(&str, &str)]; 2] = [&OTHERS, &[]];
    for number in 0..100 {
        reload(&mut session, times[number % 2]).unwrap();
    }
    let back_and_forth = |session: &mut Session| {
        session.undo(1, 5)?;
        session.redo(1, 5)
    };
    let refused = (0..=100).find_map(|_| back_and_forth(&mut session).err()).unwrap();
    assert!(refused.to_string().contains("undone, redone or amended too often"), "{refused}");
    let before = session.journal();
    back_and_forth(&mut session).unwrap_err();
    assert_eq!(session.journal(), before);
}

/// Each time the rules are loaded as a whole, so a journal from a stranger may not do it without end.
#[test]
fn rules_are_read_again_a_hundred_times_at_most() {
    let mut session = begin("candle");
    let times: [&[(&str, &str)]; 2] = [&OTHERS, &[]];
    for number in 0..100 {
        reload(&mut session, times[number % 2]).unwrap();
    }
    let before = session.journal();
    let refused = reload(&mut session, times[0]).unwrap_err();
    assert_eq!(refused, ReloadError::TooOften);
    assert!(refused.to_string().contains("`scenario write FILE`"), "{refused}");
    assert_eq!(session.journal(), before);
    assert_eq!(session.verify().mismatch, None);
    play(&mut session, &["next", "undo"]);
    // In a journal, too: its last reload again, at another number.
    let journal = Journal::of(&session);
    let mut lines = journal.lines();
    let last = lines.iter().rposition(|line| line.what.get("reload").is_some()).unwrap();
    let again = lines[last - 1].clone();
    lines.truncate(last + 1);
    lines.push(again);
    let why = verdict(&sealed(&lines).unwrap(), &journal.files).unwrap_err();
    assert!(why.contains("reloaded more than 100 times"), "{why}");
}
