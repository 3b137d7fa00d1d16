//! `check --secrets`: rules that let a side tell apart two tables that differ only in secrets are found, and what an author
//! shows on purpose is not reported. What is a leak follows from docs/who-hears-what.md.

use std::sync::Arc;

use adjutant::shipped;
use adjutant_dice::Seed;
use adjutant_engine::check::play::{PlayOptions, USUAL_LENGTH, play};
use adjutant_engine::ruleset::{FileText, load};

use crate::kit::{cases, file};

/// Red and blue squads among mines that only their own side sees.
const FIELD: &str = r#"
[game]
title = "The field"

[words.army]
values = ["red", "blue"]

[sides]
are = "army"

[kind.area]
searched = { flag = true, marker = "flag" }
noise    = { from = 0, to = 9, title = "noise" }

[kind.mine]
secret = "side"
army   = { one_of = "army" }
at     = { of = "area", marker = "mine" }

[kind.squad]
army   = { one_of = "army" }
at     = { of = "area", marker = "squad" }
ammo   = { from = 0, to = 6, secret = "side", title = "ammunition" }
found  = { from = 0, to = 9, secret = "side", title = "mines found" }

[state]
glass = { from = 0, to = 3, secret = "umpire", title = "the glass" }

[define.mined]
takes = "area: area"
is    = 'any m in mines: m.at = area'

[rule.set-glass]
usage  = "glass <n:0..3>"
secret = "umpire"
after  = 'state.glass = n'

[[phase]]
name  = "move"
title = "Move"
cite  = "p. 1"
verbs = ["search"]

[[phase]]
name  = "wind"
title = "Wind"
cite  = "p. 2"
PHASE

[rule.search]
title = "Search"
cite  = "p. 1"
usage = "search <area:area> with <squad:squad>"
RULE

[scenario.wood.pieces.area]
north = {}
south = {}
[scenario.wood.pieces.mine]
m1 = { army = "red", at = "north" }
m2 = { army = "blue", at = "south" }
[scenario.wood.pieces.squad]
fox  = { army = "red", at = "north", ammo = 2 }
hare = { army = "blue", at = "south", ammo = 3 }
"#;

/// Returns the messages about secrets after some games.
fn told(files: Vec<FileText>, games: u64) -> Vec<String> {
    let ruleset = load(files).unwrap_or_else(|faulty| panic!("{:?}", faulty.faults));
    let options = PlayOptions {
        games,
        length: USUAL_LENGTH,
        seed: Seed::from_text("check"),
        reports_unreached: false,
        compares_secrets: true,
    };
    let report = play(&Arc::new(ruleset), &options, &mut |_| true);
    let faults = report.faults.into_iter().filter(|fault| fault.code == "leak-at-play");
    faults.map(|fault| format!("{}\n{}", fault.message, fault.help.unwrap_or_default())).collect()
}

/// Returns the messages about the field with this text in its rule, and this in its phase.
fn told_of_field(rule: &str, phase: &str) -> Vec<String> {
    told(vec![file("field.toml", FIELD.replace("RULE", rule).replace("PHASE", phase))], 20)
}

/// Rules that tell a secret, and the secret.
const TELLING: [(&str, &str); 15] = [
    ("after = 'if mined(area) { say \"something is wrong here\" }'", "mine"),
    ("after = '''\nlet n = count m in mines: m.at = area\nsay \"{n} mines\" to all\n'''", "mine"),
    (
        "require = [{ that = 'not mined(area)', because = \"no\" }]\nafter = 'area.searched = true'",
        "mine",
    ),
    (
        "require = [{ that = 'area.noise = 0', because = \"{squad} has {squad.ammo} rounds\" }]\nafter = 'area.noise = 1'",
        "squad.ammo",
    ),
    ("after = 'if ask \"Dig?\" { area.searched = not mined(area) }'", "mine"),
    ("after = 'if mined(area) and ask \"Dig?\" { area.searched = true }'", "mine"),
    (
        "roll = '1d6'\nmodifiers = [{ by = '+1', when = 'squad.ammo > 1', because = \"shots\" }]\nneeds = '>= 4'",
        "squad.ammo",
    ),
    ("roll = '1d6'\nneeds = '>= 2 + state.glass'", "state.glass"),
    ("roll = '1d6'\ntimes = 'max(1, squad.ammo)'\nneeds = '>= 4'", "squad.ammo"),
    ("after = 'area.noise = count m in mines: m.at = area'", "mine"),
    ("after = 'if mined(area) { end phase }'", "mine"),
    ("after = 'reveal squad.found; say \"{squad.ammo} rounds left\"'", "squad.ammo"),
    ("after = 'reveal squad.ammo to squad.army; say \"{squad.ammo} rounds left\"'", "squad.ammo"),
    ("secret = \"side\"\nafter = 'if mined(area) { say \"a wire\" }'", "mine"),
    ("secret = \"side\"\nafter = 'refuse \"{count m in mines: m.at = area} wires\"'", "mine"),
];

/// Rules that show something on purpose, or to nobody who may not know it.
const MEANT: [&str; 13] = [
    "after = 'if mined(area) { remove squad }'",
    "after = 'area.searched = true; say \"nothing stirs\"'",
    "after = 'if mined(area) { say \"a wire\" to squad.army }'",
    "after = 'if mined(area) { say \"a bang\" to all; area.noise += 1 }'",
    "after = 'squad.found = count m in mines: m.at = area'",
    "after = 'each m in mines where m.at = area { reveal m; say \"{m} is found\" }'",
    "after = 'each m in mines where m.at = area { say \"{m} is a dud\" }'",
    "after = 'each m in mines where m.at = area { area.noise += 1 }'",
    "after = 'reveal squad.ammo; say \"{squad.ammo} rounds left\"'",
    "secret = \"umpire\"\nroll = '1d6'\nneeds = '>= 2 + state.glass'",
    "secret = \"side\"\nafter = 'say \"{squad.ammo} rounds left\"'",
    "secret = \"side\"\nafter = 'refuse \"{squad.ammo} rounds are too few\"'",
    "after = 'if mined(area) { say \"we count the glass: {area}\" to umpire }'",
];

#[test]
fn rules_that_tell_a_secret_are_found() {
    for (rule, secret) in TELLING {
        let told = told_of_field(rule, "");
        let about = "`search` shows `";
        let is_about =
            |told: &String| told.starts_with(about) && told.contains(&format!("about `{secret}`,"));
        assert!(told.iter().any(is_about), "{rule}: {told:?}");
    }
}

#[test]
fn what_is_meant_to_be_shown_is_not_reported() {
    for rule in MEANT {
        let told = told_of_field(rule, "");
        assert!(told.is_empty(), "{rule}: {told:?}");
    }
}

/// Everyone sees the effects of a hidden piece that acts, but nothing before its turn may depend on it.
#[test]
fn a_hidden_piece_acts_from_its_turn_on() {
    let rule = "after = 'area.searched = true'";
    let bang = "each m in mines { m.at.noise += 1 }";
    assert!(told_of_field(rule, &format!("do    = '{bang}'")).is_empty());
    let first = format!("do    = 'if size(mines) > 1 {{ say \"a click\" }}; {bang}'");
    let told = told_of_field(rule, &first);
    assert!(told.iter().any(|told| told.contains("about `mine`")), "{told:?}");
}

#[test]
fn the_beginning_of_a_phase_can_tell_a_secret() {
    let rule = "after = 'area.searched = true'";
    let told = told_of_field(rule, "do    = 'if state.glass > 1 { say \"the wind rises\" }'");
    let about = "about `state.glass`, which only the umpire knows";
    assert!(
        told.iter().any(|told| told.starts_with("`wind` shows `") && told.contains(about)),
        "{told:?}"
    );
    assert!(told_of_field(rule, "do    = 'say \"the wind rises\"'").is_empty());
}

/// The message names a game that shows it, with the two tables and what is noticed on each.
#[test]
fn the_game_is_told_that_shows_the_leak() {
    let told = told_of_field("after = 'if mined(area) { say \"something is wrong here\" }'", "");
    let [told] = told.try_into().unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[1], "in `wood`");
    let typed = lines[2];
    assert!(typed.starts_with("search ") && typed.contains(" with "), "{told}");
    let notices = |line: &str| line.contains("notices: ");
    let wrong = |line: &str| line.contains("something is wrong here");
    assert!(lines.len() == 5 && notices(lines[3]) && notices(lines[4]), "{told}");
    assert!(wrong(lines[3]) != wrong(lines[4]), "{told}");
}

#[test]
fn an_allow_with_a_reason_silences_it() {
    let rule = "after = 'if mined(area) { say \"something is wrong here\" }'\n\
                [[allow]]\ncode = \"CODE\"\nabout = \"search: mine\"\nbecause = \"a rumour\"";
    for code in ["leak", "leak-at-play"] {
        assert!(told_of_field(&rule.replace("CODE", code), "").is_empty(), "{code}");
    }
}

/// In the games that come with the program, and in the examples, nobody can tell such tables apart.
#[test]
fn games_with_secrets_keep_them() {
    let examples = cases("docs/examples", "toml").into_iter();
    for (name, text) in
        examples.filter(|(_, text)| text.contains("secret = ") || text.contains("seen_by"))
    {
        let told = told(vec![file(&format!("{name}.toml"), text)], 20);
        assert!(told.is_empty(), "{name}: {told:?}");
    }
    for game in ["mtb", "tarr"] {
        let told = told(shipped::files(game).unwrap(), 12);
        assert!(told.is_empty(), "{game}: {told:?}");
    }
}
