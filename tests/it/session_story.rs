//! What a session can tell of itself: why, transcript, luck, pace, amendments and overrulings in words.

use adjutant_dice::{Seed, parse_pool};
use adjutant_engine::render::transcript::{Format, transcript};
use adjutant_engine::session::{HistoryStep, Session};

use crate::kit::Table;
use crate::kit::session::{begin, begin_with, line, plan, state, type_line};

fn play(lines: &[&str]) -> Session {
    let mut session = begin("candle");
    for (salt, line) in lines.iter().enumerate() {
        type_line(&mut session, line, salt as u64).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
    session
}

/// A session in which the heat spreads at once.
fn lucky() -> Session {
    begin_with(Seed::from_text("candle"), vec!["we are here".to_owned()])
}

/// Feeds a script to the console as a pipe does.
fn feed(script: &str) -> Session {
    Table::with(begin("candle")).lines(script).into_session()
}

#[test]
fn a_transcript_fed_back_gives_the_same_game() {
    for game in 0..12u64 {
        let mut session = begin("candle");
        for place in 0..40u64 {
            let number = (game * 1000 + place).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 9;
            let _ = type_line(&mut session, &line(number), number);
            if place % 9 == 8 {
                session.undo(2, 0).unwrap();
                session.redo(1, 0).unwrap();
            }
        }
        let text =
            transcript(&session, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire).unwrap();
        let again = feed(&text);
        assert_eq!(state(&again), state(&session), "{text}");
        let lines = |s: &Session| -> Vec<String> {
            s.entries().iter().map(|e| format!("{} {:?}", e.line, e.outcome)).collect()
        };
        assert_eq!(lines(&again), lines(&session));
        // And so does the bare script.
        assert_eq!(state(&feed(&session.script().join("\n"))), state(&session));
    }
}

#[test]
fn an_amended_transcript_fed_back_gives_the_same_game() {
    let session = play(&["next", "strike c3", "shoot anna at clara", "amend 2 strike b2", "next"]);
    let again = feed(
        &transcript(&session, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire).unwrap(),
    );
    assert_eq!(state(&again), state(&session));
}

#[test]
fn an_amendment_with_real_dice_fed_back_gives_the_same_game() {
    // Other words with the same dice; the same words with other dice; other words with other dice; a question
    // that is asked only now.
    let script = "next\ndice physical\nshoot anna at clara\n7\n4\nroll 2d6\n1 2\nscout anna\nb2\n2\nno\n3\n\
                  amend 2 shoot boris at clara\namend 3 roll 2d6\n6 5\namend 3 roll 3d8\n8 7 6\n\
                  amend 2 scout boris\n?\n5\n4\nyes\n6\nundo\nredo\ndice auto\nroll 1d6\n";
    let session = feed(script);
    let faces: Vec<Vec<u32>> =
        session.entries().iter().map(|e| e.outcome.faces().collect()).collect();
    assert_eq!(faces[2], [8, 7, 6]);
    assert_eq!(faces[1].last(), Some(&6));
    let told = |s: &Session| -> Vec<String> {
        s.entries().iter().map(|e| format!("{} {:?}", e.line, e.outcome)).collect()
    };
    let again = feed(
        &transcript(&session, Format::TEXT, &adjutant_engine::referee::Viewer::Umpire).unwrap(),
    );
    assert_eq!(told(&again), told(&session));
    assert_eq!(state(&again), state(&session));
    assert_eq!(again.script(), session.script());
    assert_eq!(session.verify().mismatch, None);
}

#[test]
fn why_goes_back_to_the_first_cause() {
    let mut session = lucky();
    type_line(&mut session, "next", 0).unwrap();
    // b1 caught fire from a1, which the scenario lit.
    let why = session.why("b1.heat").unwrap();
    let causes: Vec<String> = why.threads[0]
        .causes
        .iter()
        .map(|c| format!("{} {} → {} {}", c.piece, c.old, c.new, c.rule.as_deref().unwrap_or("-")))
        .collect();
    let last = causes.last().unwrap();
    assert_eq!(last, "a1 0 → 2 -", "{causes:?}");
    let caught = causes.iter().find(|c| c.ends_with("spread")).unwrap();
    assert_eq!(caught, "b1 0 → 1 spread");
    let cause = why.threads[0].causes.iter().find(|c| c.from.is_some()).unwrap();
    assert_eq!(cause.from.as_deref(), Some("a1"));
    assert!(cause.check.as_ref().unwrap().label.contains("a1 (heat 2) → b1"));
    assert_eq!((cause.number, cause.turn), (1, 1));
    // Errors help.
    let error = session.why("b1.haet").unwrap_err().to_string();
    assert!(error.contains("did you mean `heat`"), "{error}");
    assert!(session.why("nobody").is_err());
    // What nothing has changed is unchanged since the set-up.
    assert!(session.why("c3.wet").unwrap().threads[0].causes.is_empty());
}

#[test]
fn overruling_is_on_record_and_can_be_undone() {
    let mut session = lucky();
    type_line(&mut session, "next", 0).unwrap();
    let before = state(&session);
    type_line(&mut session, "overrule b1 does not catch: tarpaulin soaked", 0).unwrap();
    let why = session.why("b1.heat").unwrap();
    assert_eq!(why.threads[0].value, "0");
    assert_eq!(why.threads[0].causes[0].reason.as_deref(), Some("tarpaulin soaked"));
    assert_eq!(session.entries().last().unwrap().reason.as_deref(), Some("tarpaulin soaked"));
    session.undo(1, 0).unwrap();
    assert_eq!(state(&session), before);
    for wrong in
        ["overrule b1", "overrule b1.heat 9: too much", "overrule : why", "overrule x.y 1: z"]
    {
        let error = type_line(&mut session, wrong, 0).unwrap_err();
        assert!(!error.is_empty());
        assert_eq!(state(&session), before);
    }
}

#[test]
fn amending_names_what_no_longer_holds() {
    let mut session =
        play(&["next", "add figure dora side=blue at=a1", "shoot anna at dora", "strike a2"]);
    let before = state(&session);
    let planned = plan(&session, 2, "add figure emil side=blue at=a1", 0).unwrap();
    let lost: Vec<(u64, String)> = planned
        .differences
        .iter()
        .filter_map(|d| d.now.as_ref().err().map(|e| (d.number, e.to_string())))
        .collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].0, 3);
    assert!(lost[0].1.contains("there is no figure `dora`"), "{lost:?}");
    session.amend(&planned, 0).unwrap();
    let numbers: Vec<u64> = session.entries().iter().map(|e| e.number).collect();
    assert_eq!(numbers, [1, 2, 4]);
    // A plan is good only for the moment it was made in.
    assert!(session.amend(&planned, 0).is_err());
    let taken = session.undo(1, 0).unwrap();
    assert!(matches!(taken[0], HistoryStep::Amendment(_)));
    assert_eq!(state(&session), before);
    // Taking back to a command leaves amendments before it alone.
    session.redo(1, 0).unwrap();
    session.undo_to(2, 0).unwrap();
    assert_eq!(session.entries().last().unwrap().line, "add figure emil side=blue at=a1");
    session.redo(1, 0).unwrap();
    assert_eq!(session.entries().last().unwrap().number, 4);
    assert!(plan(&session, 3, "next", 0).unwrap_err().contains("NoSuchCommand(3)"));
}

#[test]
fn luck_is_exact() {
    let mut session = begin("candle");
    for n in 0..15 {
        type_line(&mut session, "strike c3", n).unwrap();
    }
    let luck = session.luck();
    let dice = luck.all.dice.unwrap();
    assert_eq!(dice.throws, 15);
    assert!((dice.expected - 105.0).abs() < 1e-9);
    let odds = parse_pool("30d6").unwrap().distribution().unwrap();
    let at_least = odds.probability(|v| v >= dice.actual).to_f64();
    let at_most = odds.probability(|v| v <= dice.actual).to_f64();
    assert!((dice.at_least - at_least).abs() < 1e-9);
    assert!((dice.at_most - at_most).abs() < 1e-9);
    assert!(!dice.has_too_few_throws());
    // A shot needs 6 or more on a d10: even chances.
    let mut session = begin("candle");
    for n in 0..4 {
        type_line(&mut session, "shoot anna at clara", n).unwrap();
        type_line(&mut session, "set clara.hits 0", n).unwrap();
    }
    let luck = session.luck();
    let shots = luck.verbs.iter().find(|g| g.verb.as_deref() == Some("Shooting")).unwrap();
    assert_eq!(shots.side.as_deref(), Some("red"));
    let passes = shots.passes.unwrap();
    assert!(passes.has_too_few_throws());
    assert!((passes.expected - 2.0).abs() < 1e-9);
    let ways = |k: i64| [1.0, 4.0, 6.0, 4.0, 1.0][k as usize] / 16.0;
    let at_least: f64 = (passes.actual..=4).map(ways).sum();
    assert!((passes.at_least - at_least).abs() < 1e-9);
}

#[test]
fn pace_knows_turns_waits_and_breaks() {
    let mut session = begin("candle");
    let mut at = 1_000_000;
    for (line, wait) in
        [("next", 60), ("strike c3", 300), ("next", 7_200), ("next", 30), ("next", 30)]
    {
        at += wait * 1000;
        let typed =
            adjutant_engine::session::read_command(session.referee(), session.table(), line)
                .unwrap();
        let found = Default::default();
        let outcome = session.attempt(&typed.verb, &typed.action, false, &found).outcome;
        session.accept(line, &typed, outcome, at).unwrap();
    }
    let pace = session.pace(2);
    assert_eq!(pace.breaks, 1);
    assert_eq!(pace.played, 420_000);
    assert_eq!(pace.waits[0].line, "strike c3");
    assert_eq!(pace.waits.len(), 2);
    let turns: Vec<(i64, u64)> = pace.turns.iter().map(|t| (t.turn, t.time)).collect();
    assert_eq!(turns, [(0, 60_000), (1, 360_000)]);
}

#[test]
fn markdown_and_html_hold_nothing_that_bites() {
    let session = play(&[
        "note <script>alert(1)</script> & \"more\" ~~~ `x` *y*",
        "command anna \"<b>&'\"",
        "next",
        "undo",
        "next",
    ]);
    let html =
        transcript(&session, Format::HTML, &adjutant_engine::referee::Viewer::Umpire).unwrap();
    assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"));
    assert!(html.contains("class=\"struck\"") && html.contains("the plan as turn 1 begins"));
    assert!(!html.contains("http"));
    let markdown =
        transcript(&session, Format::MARKDOWN, &adjutant_engine::referee::Viewer::Umpire).unwrap();
    assert!(markdown.contains("~~`next`~~ *(undone later)*"), "{markdown}");
    assert!(markdown.contains("\n~~~~\n"), "{markdown}");
    assert!(markdown.starts_with("# Skirmish on a chequered cloth: The chequered cloth\n"));
    // The seed stands in it only once it has been told.
    let secret = session.seed().to_hex();
    assert!(!html.contains(&secret) && html.contains(session.seal()));
    let mut session = session;
    session.reveal(0).unwrap();
    assert!(
        transcript(&session, Format::HTML, &adjutant_engine::referee::Viewer::Umpire)
            .unwrap()
            .contains(&secret)
    );
}
