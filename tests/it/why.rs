//! `why` names the event that did it: the cases of `tests/why`, a file a game.
//!
//! Each case gives the whole chain of causes. Which rule, check and pieces are right was read from the rulesets.

use std::sync::Arc;

use adjutant_engine::ruleset;
use adjutant_engine::session::{Cause, Why};
use serde::Deserialize;

use crate::kit::session::fixture;
use crate::kit::{Table, cases};

/// The cases of one game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// Lines that are played, a target asked for, and what must be named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    title: String,
    /// The scenario; the first of the game if empty.
    #[serde(default)]
    scenario: String,
    #[serde(default)]
    lines: String,
    why: String,
    /// For a whole piece: the attributes that are told, in order.
    threads: Option<Vec<String>>,
    /// The chain of the first thread, the last cause first: the whole of it, or only its beginning.
    causes: Option<Vec<Expected>>,
    /// True if the scenario must be named as the origin of the first value, and false if it must not.
    set_out: Option<bool>,
    /// Only the beginning of the chain is given; where its last cause comes from may be left open.
    #[serde(default)]
    beginning: bool,
}

/// A cause that must be named. Without a rule, check or source there must be none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    of: String,
    to: String,
    number: u64,
    #[serde(default)]
    rule: String,
    /// The rule that threw, and behind a colon a part of the label.
    #[serde(default)]
    check: String,
    /// Some of the pieces and values bound: `unit g1, hits 3`.
    #[serde(default)]
    bound: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    reason: String,
}

/// A cause as cases write it.
fn shown(cause: &Cause) -> String {
    let of = match cause.attribute.as_str() {
        "" => cause.piece.clone(),
        attribute => format!("{}.{attribute}", cause.piece),
    };
    let mut text = format!("{{ of = \"{of}\", to = \"{}\", number = {}", cause.new, cause.number);
    let check = cause.check.as_ref().map_or(String::new(), |check| {
        format!("{}: {}", check.rule.as_deref().unwrap_or("-"), check.label)
    });
    let bound: Vec<String> =
        cause.bound.iter().map(|b| format!("{} {}", b.name, b.value)).collect();
    let all = [
        ("rule", cause.rule.clone().unwrap_or_default()),
        ("check", check),
        ("bound", bound.join(", ")),
        ("from", cause.from.clone().unwrap_or_default()),
        ("reason", cause.reason.clone().unwrap_or_default()),
    ];
    for (name, value) in all.into_iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!(", {name} = \"{value}\"");
    }
    text + " }"
}

/// Returns true if the cause names all that is expected, and nothing where nothing is.
fn names(cause: &Cause, expected: &Expected) -> bool {
    let of = format!("{}.{}", cause.piece, cause.attribute);
    let check = cause.check.as_ref();
    let (rule, label) = expected.check.split_once(": ").unwrap_or((&expected.check, ""));
    let is_bound =
        |words: &str| cause.bound.iter().any(|b| format!("{} {}", b.name, b.value) == words);
    of.trim_end_matches('.') == expected.of
        && cause.new == expected.to
        && cause.number == expected.number
        && cause.rule.as_deref().unwrap_or_default() == expected.rule
        && check.map_or("", |c| c.rule.as_deref().unwrap_or("-")) == rule
        && check.is_none_or(|c| c.label.contains(label))
        && expected.bound.split(", ").filter(|b| !b.is_empty()).all(is_bound)
        && cause.reason.as_deref().unwrap_or_default() == expected.reason
}

/// Returns what is wrong with the answer.
fn wrong(case: &Case, why: &Why) -> Option<String> {
    let threads: Vec<&str> = why.threads.iter().map(|t| t.attribute.as_str()).collect();
    if case.threads.as_ref().is_some_and(|expected| *expected != threads) {
        return Some(format!("threads = {threads:?}"));
    }
    let set_out = why.threads.first().is_some_and(|thread| thread.set_out);
    if case.set_out.is_some_and(|expected| expected != set_out) {
        return Some(format!("set_out = {set_out}"));
    }
    let expected = case.causes.as_ref()?;
    let last = expected.len().saturating_sub(1);
    let causes = why.threads.first().map_or(&[][..], |thread| &thread.causes);
    let long = causes.len() == expected.len() || case.beginning && causes.len() > expected.len();
    let right = causes.iter().zip(expected).enumerate().all(|(place, (cause, expected))| {
        let open = case.beginning && place == last && expected.from.is_empty();
        names(cause, expected)
            && (open || cause.from.as_deref().unwrap_or_default() == expected.from)
    });
    (!(long && right)).then(|| causes.iter().map(shown).collect::<Vec<_>>().join("\n"))
}

fn all() -> Vec<(String, Cases)> {
    let read = |(game, text): (String, String)| {
        let cases = toml::from_str(&text).unwrap_or_else(|e| panic!("{game}: {e}"));
        (game, cases)
    };
    cases("tests/why", "toml").into_iter().map(read).collect()
}

#[test]
fn why_names_the_event_that_did_it() {
    let mut faults = Vec::new();
    for (game, cases) in all() {
        for case in cases.case {
            let mut table = Table::at(&game, &case.scenario, "candle");
            let fault = match table.feed(&case.lines) {
                Some(error) => Some(format!("{error}\n{}", table.printed)),
                None => match table.session().why(&case.why) {
                    Ok(why) => wrong(&case, &why),
                    Err(error) => Some(error.to_string()),
                },
            };
            faults.extend(fault.map(|f| format!("{game}: {}: why {}\n{f}", case.title, case.why)));
        }
    }
    assert!(faults.is_empty(), "{} cases:\n\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn every_game_has_its_cases() {
    let all = all();
    let counts = ["blitz", "firefight", "house-clearing", "mtb", "tarr"].map(|game| {
        let found = all.iter().find(|(name, _)| name == game).map_or(0, |(_, c)| c.case.len());
        assert!(found >= 8, "{game} has {found} cases");
        found
    });
    assert!(counts.iter().sum::<usize>() >= 40, "{counts:?}");
}

#[test]
fn causes_are_the_same_after_the_rules_were_read_again() {
    let mut session =
        Table::of("labels").lines("dice physical\nshoot ann at bob\n5\n").into_session();
    let before = session.why("bob.hits").unwrap().threads.remove(0).causes;
    // Another kind and another rule come first, and give the others new numbers.
    let mut files = fixture("labels");
    let kinds = "[kind.hut]\nholds = { from = 0, to = 9 }\n\n[kind.man]";
    let rules = "[rule.wait]\nafter = 'say \"nothing\"'\n\n[rule.shoot]";
    files[0].text = files[0].text.replace("[kind.man]", kinds).replace("[rule.shoot]", rules);
    session.reload(&files, Arc::new(ruleset::load(files.clone()).unwrap()), 3).unwrap();
    let after = session.why("bob.hits").unwrap().threads.remove(0).causes;
    let shown = |causes: &[Cause]| causes.iter().map(shown).collect::<Vec<_>>();
    assert_eq!(shown(&after), shown(&before));
    assert_eq!(after[0].rule.as_deref(), Some("shoot"));
    assert_eq!((after.len(), after[0].number), (1, 1));
}
