//! Each record of a journal: it happens again when the session's script is fed back, and the transcript shows it.

use std::collections::BTreeSet;

use adjutant_engine::referee::Viewer;
use adjutant_engine::render::transcript::{Format, transcript};
use adjutant_engine::session::Session;

use crate::documents::record_names;
use crate::kit::Table;
use crate::kit::session::begin;

/// A session in which a record is made.
struct Sample {
    /// The name of the record, as the journal has it.
    record: &'static str,
    /// The lines typed.
    lines: &'static str,
    /// Makes the record, if no line does.
    act: fn(&mut Session),
    /// The words by which the transcript shows it; none if it doesn't.
    shown: Option<&'static str>,
    /// True if the session's script makes it again.
    is_repeated: bool,
}

impl Sample {
    /// Returns a sample that lines make, and that is shown and repeated.
    const fn of(record: &'static str, lines: &'static str, shown: &'static str) -> Sample {
        Sample { record, lines, act: |_| {}, shown: Some(shown), is_repeated: true }
    }

    fn session(&self) -> Session {
        let mut session = Table::with(begin("candle")).lines(self.lines).into_session();
        (self.act)(&mut session);
        session
    }
}

/// A sample of each record.
static SAMPLES: [Sample; 14] = [
    // The head of the transcript.
    Sample::of("start", "", "skirmish"),
    Sample::of("command", "strike c3\n", "strike c3"),
    Sample::of("undo", "strike c3\nundo\n", "undo"),
    Sample::of("redo", "strike c3\nundo\nredo\n", "redo"),
    Sample::of("amend", "strike c3\namend 1 strike b2\n", "amend 1 strike b2"),
    Sample::of("dice", "dice physical\n", "dice physical"),
    Sample::of("words", "mix six will do\n", "six will do"),
    Sample::of("players", "players Anna and Ben\n", "Anna and Ben"),
    Sample::of("report", "report The fog lifted.\n", "The fog lifted."),
    // The script is fed to the rules as they are now.
    Sample {
        act: |session| assert!(crate::kit::session::reload(&mut Unstored(session), 1)),
        is_repeated: false,
        ..Sample::of("reload", "strike c3\n", "the rules were read again")
    },
    // `--ask random` of whoever feeds the script.
    Sample {
        act: |session| session.set_ask_random(true, 0).unwrap(),
        is_repeated: false,
        ..Sample::of("ask-random", "", "answered by chance")
    },
    // Nothing happened but that somebody looked.
    Sample {
        act: |session| session.record_look(None, "strike c3", 0).map(drop).unwrap(),
        is_repeated: false,
        ..Sample::of("look", "", "strike c3")
    },
    // The seed would give the dice of the repeated game away.
    Sample { is_repeated: false, ..Sample::of("reveal", "reveal\n", "the seed was revealed") },
    Sample {
        act: |session| session.record_resume(0).unwrap(),
        is_repeated: false,
        ..Sample::of("resume", "", "play continued")
    },
];

/// A session that is stored nowhere.
struct Unstored<'s>(&'s mut Session);

impl crate::kit::session::Stored for Unstored<'_> {
    fn session(&self) -> &Session {
        self.0
    }

    fn record<T, E>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, crate::kit::session::Unrecorded<E>> {
        act(self.0).map_err(crate::kit::session::Unrecorded::Refused)
    }
}

/// Returns the records of a session, in order: their names and contents, without times.
fn records(session: &Session) -> Vec<(String, serde_json::Value)> {
    let records = session.log().iter().map(|logged| serde_json::to_value(&logged.what).unwrap());
    let pair = |record: serde_json::Value| {
        let object = record.as_object().unwrap();
        let (name, content) = object.iter().next().unwrap();
        (name.clone(), content.clone())
    };
    records.map(pair).collect()
}

#[test]
fn every_record_has_a_sample_that_makes_it() {
    let sampled: BTreeSet<String> = SAMPLES.iter().map(|s| s.record.to_owned()).collect();
    let names: BTreeSet<String> = record_names().into_iter().collect();
    assert_eq!(sampled, names, "each record has a sample in tests/it/session_records.rs");
    for sample in &SAMPLES {
        let records = records(&sample.session());
        let is_made = records.iter().any(|(name, _)| name == sample.record);
        assert!(is_made, "the sample of `{}` doesn't make it: {records:?}", sample.record);
    }
}

#[test]
fn the_script_of_a_session_makes_its_records_again() {
    for sample in &SAMPLES {
        let session = sample.session();
        let script = session.script().join("\n");
        let again = Table::with(begin("candle")).lines(&script).into_session();
        let of_interest = |session: &Session| -> Vec<(String, serde_json::Value)> {
            let all = records(session).into_iter();
            all.filter(|(name, _)| name == sample.record).collect()
        };
        let before = of_interest(&session);
        let after = of_interest(&again);
        if sample.is_repeated {
            assert_eq!(after, before, "`{}` from the script:\n{script}", sample.record);
        } else {
            assert!(after.is_empty(), "`{}` is repeated now: {after:?}", sample.record);
        }
    }
}

#[test]
fn the_transcript_shows_every_record() {
    let without = transcript(&begin("candle"), Format::TEXT, &Viewer::Umpire).unwrap();
    for sample in &SAMPLES {
        let text = transcript(&sample.session(), Format::TEXT, &Viewer::Umpire).unwrap();
        match sample.shown {
            Some(words) => {
                assert!(text.contains(words), "`{}` is not shown:\n{text}", sample.record);
                let is_new = sample.record == "start" || !without.contains(words);
                assert!(is_new, "`{words}` is in every transcript");
            }
            None => assert_eq!(text, without, "`{}`", sample.record),
        }
    }
}
