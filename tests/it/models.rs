//! Models of the games, written from the rule books alone, judge what the program throws, adds and changes over random
//! turns. Faults planted in a ruleset are found by its model.

use std::collections::BTreeSet;

use adjutant::shipped;
use adjutant_engine::referee::Event;
use adjutant_engine::ruleset::FileText;

use crate::kit::typist::Typist;
use crate::kit::{Table, file};

#[path = "../models/blitz.rs"]
mod blitz;
#[path = "../models/blitz_people.rs"]
mod blitz_people;
#[path = "../models/house_clearing.rs"]
mod house_clearing;
#[path = "../models/mtb.rs"]
mod mtb;
#[path = "../models/page.rs"]
mod page;
#[path = "../models/tarr.rs"]
mod tarr;
#[path = "../models/tarr_air.rs"]
mod tarr_air;

/// Streets, stores and a house of three levels.
const BLOCK: &str = r##"
title = "A block to burn"
[legend]
"#" = { surface = "building" }
"S" = { surface = "building", stairs = true }
"B" = { surface = "building", store = "wood" }
"O" = { surface = "building", store = "oil" }
"T" = { surface = "open", store = "wood" }
"=" = { surface = "road" }
[[level]]
plan = """
S#B=##
##=O#S
==T===
#S=BT#
##==S#"""
[[level]]
plan = """
S##.B#
##..#S
......
#S.#.#
##..##"""
[[level]]
plan = """
##....
#...##
......
#....."""
"##;

/// Plays random turns of BLITZ! with these files. Returns what the model finds wrong, of the first game with a fault.
fn burn(files: &[FileText], games: u64) -> Vec<String> {
    let mut files = files.to_vec();
    files.push(FileText { scenario: Some("block".into()), ..file("block.toml", BLOCK) });
    for game in 0..games {
        let mut typist = Typist::new(game + 1);
        let mut table = Table::by("blitz", &files, "block", &format!("block {game}"));
        let winds =
            [None, Some(("west", (1, 0))), Some(("north", (0, 1))), Some(("east", (-1, 0)))];
        let wind = winds[typist.below(winds.len())];
        table.types("set state.all-clear on");
        if let Some((from, _)) = wind {
            table.types(&format!("set state.wind strong\nset state.wind-from {from}"));
        }
        let names = table.session().table().names();
        let areas: Vec<String> = names.map(|(name, ..)| name.to_owned()).collect();
        let bare = blitz::Model::of(table.session(), None);
        for area in areas.iter().filter(|area| bare.flammable(area)) {
            let line = match typist.below(8) {
                0 | 1 => format!("set {area}.fire {}", typist.below(5) + 1),
                2 => format!("set {area}.damp {}", typist.below(5) + 1),
                3 => format!("set {area}.embers on"),
                4 if area.len() > 2 => format!("set {area}.damage {}", typist.below(4) + 1),
                _ => continue,
            };
            table.types(&line);
        }
        let mut model = blitz::Model::of(table.session(), wind.map(|(_, towards)| towards));
        for _ in 0..40 {
            let lines = match typist.below(4) {
                0 => {
                    let area = areas[typist.below(areas.len())].as_str();
                    let crew =
                        ["", " tired", " exhausted", " two-crews", " unmanned"][typist.below(5)];
                    match model.dampness(area) {
                        None => format!("stream {area} range {}{crew}", typist.below(3) + 1),
                        Some(5) => continue,
                        Some(_) if typist.below(3) == 0 => format!("incendiary {area}"),
                        Some(_) => format!("soak {area}"),
                    }
                }
                _ => "next".to_owned(),
            };
            table.types(&lines);
            match lines.split_once(' ') {
                Some(("incendiary", area)) => model.incendiary(area),
                Some(("soak", area)) => model.soak(area),
                _ => {
                    let events = table.session().entries().last().unwrap().outcome.events.clone();
                    model.judge(&lines, &events);
                }
            }
            model.compare(&lines, table.session());
            if !model.wrong.is_empty() {
                return model.wrong;
            }
        }
    }
    Vec::new()
}

#[test]
fn the_fires_of_blitz_are_those_of_the_book() {
    let wrong = burn(&shipped::files("blitz").unwrap(), 20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "200 games of forty commands: a minute"]
fn the_fires_of_blitz_are_those_of_the_book_long() {
    let wrong = burn(&shipped::files("blitz").unwrap(), 200);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is written in the ruleset, and the fault that is planted in its place.
const PLANTED: [(&str, &str); 7] = [
    ("by = '+1', when = 'place.store = wood'", "by = '+2', when = 'place.store = wood'"),
    ("by = '-1', when = 'into.embers'", "by = '+1', when = 'into.embers'"),
    ("needs    = '<= 1'", "needs    = '<= 2'"),
    ("total - into.damp <= from.fire", "total <= from.fire"),
    ("needs    = '>= 12'", "needs    = '>= 11'"),
    ("where self.stairs or self.fire >= 4", "where self.stairs or self.fire >= 3"),
    ("by = '-1', when = 'range = 3'", "by = '-2', when = 'range = 3'"),
];

#[test]
fn faults_planted_in_blitz_are_found_by_its_model() {
    for (written, planted) in PLANTED {
        let mut files = shipped::files("blitz").unwrap();
        assert!(files.iter().any(|file| file.text.contains(written)), "{written}");
        for file in &mut files {
            file.text = file.text.replace(written, planted);
        }
        assert!(!burn(&files, 40).is_empty(), "`{planted}` is not found");
    }
}

/// Streets and houses of up to three levels, two appliances at work, and the services of rescue.
const QUARTER: &str = r##"
title = "A quarter to bomb"
[legend]
"#" = { surface = "building" }
"S" = { surface = "building", stairs = true }
"T" = { surface = "building", domestic-water = true }
"=" = { surface = "road" }
[[level]]
plan = """
S#=#S
##=#T
=====
S#=S#
##=##"""
[[level]]
plan = """
S#.#S
##.##
.....
S#.S#
##.##"""
[[level]]
plan = """
##.#.
#..##
.....
##.##
....."""
[pieces.area]
c3 = { hydrant = 1 }
[pieces.vehicle]
engine  = { type = "general-appliance", at = "c2", hydrant = "c3", hydrant-route = ["c2", "c3"], hydrant-hose = 1 }
heavy1  = { type = "heavy-unit", at = "b3", water = 4 }
canteen = { type = "canteen-truck", at = "d3" }
[pieces.hose]
h1 = { pump = "engine", route = ["c2", "b2", "b1"], lengths = 1 }
h2 = { pump = "engine", route = ["c2", "c3", "d3"], lengths = 1 }
h3 = { pump = "heavy1", route = ["b3", "a3", "a4"], lengths = 1 }
[pieces.team]
crew1     = { type = "fire-team", at = "b1", hose = "h1" }
crew2     = { type = "fire-team", at = "b1", hose = "h1" }
crew3     = { type = "fire-team", at = "d3", hose = "h2" }
crew4     = { type = "fire-team", at = "a4", hose = "h3" }
crew5     = { type = "fire-team", at = "b4.1" }
crew6     = { type = "fire-team", at = "e1.1" }
chief     = { type = "officer", at = "c4" }
searchers = { type = "rescue-team", at = "c5" }
diggers   = { type = "heavy-rescue-squad", at = "c5" }
doctor    = { type = "doctor", at = "c1" }
party     = { type = "fire-party", at = "e2" }
[pieces.casualty]
x1 = { who = "a lodger", at = "a1", stage = "buried" }
x2 = { who = "a cook", at = "e4", stage = "buried" }
x3 = { who = "a porter", at = "d4", stage = "buried" }
"##;

/// A game in the quarter, its model, and who has done something this turn.
struct Quarter {
    typist: Typist,
    table: Table,
    model: blitz_people::Model,
    spent: BTreeSet<String>,
}

impl Quarter {
    fn new(files: &[FileText], game: u64) -> Quarter {
        let mut files = files.to_vec();
        files.push(FileText { scenario: Some("quarter".into()), ..file("quarter.toml", QUARTER) });
        let mut table = Table::by("blitz", &files, "quarter", &format!("quarter {game}"));
        table.types("set state.all-clear on\noption bomb-fall even\nnext to move");
        let model = blitz_people::Model::of(table.session());
        Quarter { typist: Typist::new(game + 1), table, model, spent: BTreeSet::new() }
    }

    fn one(&mut self, of: &[String]) -> Option<String> {
        if of.is_empty() { None } else { Some(of[self.typist.below(of.len())].clone()) }
    }

    /// The umpire changes the table by hand, which the model reads.
    fn sets(&mut self, lines: &[String]) {
        if !lines.is_empty() && self.model.wrong.is_empty() {
            self.table.types(&lines.join("\n"));
            self.model.reads(self.table.session());
        }
    }

    fn puts_fires_out(&mut self) {
        let burning = self.model.burning();
        if burning.is_empty() {
            return;
        }
        // Nobody has to stand a heat that the umpire took away.
        let calm =
            self.model.team_names().into_iter().map(|team| format!("set {team}.must-hold off"));
        let out = burning.iter().map(|area| format!("set {area}.fire 0"));
        let lines: Vec<String> = out.chain(calm).collect();
        self.sets(&lines);
    }

    /// Lights fires where no vehicle stands.
    fn lights(&mut self, areas: &[String], count: usize) {
        let mut lines = Vec::new();
        for _ in 0..count {
            if let Some(area) = self.one(areas) {
                lines.push(format!("set {area}.fire {}", self.typist.below(4) + 1));
            }
        }
        self.sets(&lines);
    }

    /// Types a line; what the model makes of it follows.
    fn plays(&mut self, line: &str, judge: impl FnOnce(&mut blitz_people::Model, &[String])) {
        if let Some(error) = self.table.feed(line) {
            self.model.wrong.push(format!("`{line}` is refused: {error}"));
            return;
        }
        let session = self.table.session();
        let events = session.entries().last().unwrap().outcome.events.clone();
        let squares = self.model.hear(&events);
        judge(&mut self.model, &squares);
        let theirs = blitz_people::Ground::of(session);
        self.model.compare(line, &theirs);
    }

    fn refuses(&mut self, line: &str) {
        if self.table.feed(line).is_none() {
            self.model.wrong.push(format!("`{line}` is not refused"));
        }
    }

    /// Bombs, falling walls.
    fn bombs(&mut self) {
        let areas = self.model.standing();
        let Some(at) = self.one(&areas) else { return };
        match self.typist.below(6) {
            0 => self.plays("bomb-load", |model, squares| model.bomb_load(squares)),
            1 => {
                self.sets(&["set state.all-clear off".to_owned()]);
                self.plays("bomb-run", |model, squares| model.bomb_run(squares));
                self.sets(&["set state.all-clear on".to_owned()]);
            }
            2 if !self.model.is_building(&at) => self.refuses(&format!("worsen {at}")),
            2 => self.plays(&format!("worsen {at}"), |model, _| model.weakens(&at)),
            3 => self.plays(&format!("destroy {at}"), |model, _| model.comes_down(&at)),
            _ => self.plays(&format!("high-explosive {at}"), |model, _| model.high_explosive(&at)),
        }
        self.puts_fires_out();
    }

    /// A stand walks into the next area, beside fires or not.
    fn walk(&mut self) {
        let free = self.model.free(&self.spent);
        let Some(team) = self.one(&free) else { return };
        let from = self.model.place_of(&team);
        let mut next = self.model.ground.sides(&from);
        next.retain(|to| self.model.ground.walkable(to));
        let Some(to) = self.one(&next) else { return };
        let mut near = self.model.ground.near(&to);
        near.retain(|area| *area != from && self.model.is_empty(area));
        let fires = self.typist.below(4);
        self.lights(&near, fires);
        self.spent.insert(team.clone());
        let line = format!("move {team} to {to}");
        let driven = self.model.driven.contains(&(team.clone(), to.clone()));
        if driven || self.model.ground.heat(&to) > 6 {
            self.refuses(&line);
        } else {
            self.plays(&line, |model, _| model.walks(&team, &to));
        }
        self.puts_fires_out();
    }

    fn rest(&mut self) {
        let mut idle = self.model.free(&self.spent);
        idle.retain(|team| !self.model.is_active(team));
        let Some(team) = self.one(&idle) else { return };
        let (fatigue, activity) =
            [("tired", 30), ("tired", 47), ("exhausted", 60)][self.typist.below(3)];
        let mut lines = vec![
            format!("set {team}.fatigue {fatigue}"),
            format!("set {team}.activity {activity}"),
        ];
        if self.typist.below(2) == 0 {
            lines.push(format!("set {team}.at d3"));
            lines.push(format!("set {team}.hose none"));
        }
        self.sets(&lines);
        self.plays(&format!("rest {team}"), |model, _| model.rests(&team));
    }

    /// Somebody has worked for almost 30 or 60 turns, or the buckets of the party are filled.
    fn tires(&mut self) {
        let teams = self.model.team_names();
        let Some(team) = self.one(&teams) else { return };
        if team == "party" && self.model.idle(&team, &self.spent) {
            self.sets(&["set party.at e2".to_owned(), "set party.empty on".to_owned()]);
            if self.model.ground.walkable("e2") {
                self.spent.insert(team);
                self.plays("refill party", |model, _| model.refills("party"));
            }
        } else if self.model.idle(&team, &self.spent) {
            let turns = [28, 29, 58, 59][self.typist.below(4)];
            self.sets(&[format!("set {team}.activity {turns}")]);
        }
    }

    fn stream(&mut self) {
        let hoses = ["h1", "h2", "h3"].map(str::to_owned);
        let hose = self.one(&hoses).unwrap();
        let branch = self.model.branch(&hose);
        let mut targets = self.model.standing();
        targets.retain(|to| {
            (1..=3).contains(&blitz_people::apart(&branch, to)) && self.model.is_empty(to)
        });
        let Some(at) = self.one(&targets) else { return };
        self.lights(std::slice::from_ref(&at), 1);
        let line = format!("fight {at} with {hose}");
        if self.model.played.contains(&hose) || !self.model.has_water(&hose) {
            self.refuses(&line);
        } else {
            self.plays(&line, |model, _| model.stream(&hose, &at));
        }
        self.puts_fires_out();
    }

    fn stirrup(&mut self) {
        if !self.model.idle("party", &BTreeSet::new()) {
            return;
        }
        let from = self.model.place_of("party");
        let mut near = self.model.ground.near(&from);
        near.retain(|area| self.model.is_empty(area));
        let Some(at) = self.one(&near) else { return };
        let level = self.typist.below(3) + 1;
        self.sets(&[format!("set {at}.fire {}", level.min(2))]);
        let line = format!("fight {at} with party");
        if level >= 2 || self.model.has_empty_buckets("party") {
            self.refuses(&line);
        } else {
            self.plays(&line, |model, _| model.stirrup("party", &at));
        }
        self.puts_fires_out();
    }

    /// Searching, digging, attending, by a team that is put where the casualty lies.
    fn rescue(&mut self) {
        let casualties = self.model.casualty_names();
        let Some(name) = self.one(&casualties) else { return };
        let (at, stage, dig_turns) = self.model.casualty(&name);
        let team = ["searchers", "diggers"][self.typist.below(2)];
        if !self.model.idle(team, &self.spent) {
            return;
        }
        let mut lines = vec![format!("set {team}.at {at}")];
        if self.typist.below(2) == 0 && self.model.idle("doctor", &BTreeSet::new()) {
            lines.push(format!("set doctor.at {at}"));
        }
        self.sets(&lines);
        self.spent.insert(team.to_owned());
        match stage.as_str() {
            "buried" => self.plays(&format!("search with {team} for {name}"), |model, _| {
                model.searches(team, &name);
            }),
            "traced" | "located" if team == "diggers" && dig_turns == 0 => {
                self.plays(&format!("heavy-dig with {team} for {name}"), |model, _| {
                    model.begins_to_dig(team, &name);
                });
            }
            "located" => self
                .plays(&format!("dig with {team} for {name}"), |model, _| model.digs(team, &name)),
            "in-sight" => self.plays(&format!("attend {name}"), |model, _| model.attends(&name)),
            _ => {}
        }
    }

    fn turn_passes(&mut self) {
        let mut areas = self.model.standing();
        areas.retain(|area| self.model.is_empty(area));
        let fires = self.typist.below(4);
        self.lights(&areas, fires);
        let known = self.table.session().entries().len();
        self.table.types("next to move");
        let session = self.table.session();
        let theirs = blitz_people::Ground::of(session);
        // Each phase is a command of its own.
        let phases = &session.entries()[known..];
        let events: Vec<Event> =
            phases.iter().flat_map(|entry| entry.outcome.events.iter().cloned()).collect();
        self.model.hear(&events);
        self.model.turn_passes(&theirs);
        self.model.compare("next to move", &theirs);
        if self.model.wrong.is_empty() {
            self.spent.clear();
            self.puts_fires_out();
        }
    }

    /// Returns what the model finds wrong in a game, and what led to it; nothing if nothing is wrong.
    fn faults(&self, game: u64) -> Vec<String> {
        if self.model.wrong.is_empty() {
            return Vec::new();
        }
        let entries = self.table.session().entries();
        let lines =
            entries.iter().skip(entries.len().saturating_sub(30)).map(|entry| entry.line.clone());
        let lines = lines.collect::<Vec<_>>().join("\n");
        let told = format!("in game {game}, after\n{lines}\n{}", self.table.printed);
        self.model.wrong.iter().cloned().chain([told]).collect()
    }
}

/// Plays random turns in the quarter with these files. Returns what the model finds wrong, of the first game with a fault.
fn bomb(files: &[FileText], games: u64) -> Vec<String> {
    for game in 0..games {
        let mut quarter = Quarter::new(files, game);
        for _ in 0..12 {
            for _ in 0..quarter.typist.below(4) {
                match quarter.typist.below(8) {
                    0 | 1 => quarter.bombs(),
                    2 => quarter.rest(),
                    3 => quarter.tires(),
                    _ => quarter.walk(),
                }
                if !quarter.model.wrong.is_empty() {
                    return quarter.faults(game);
                }
            }
            quarter.table.types("next to fight");
            for _ in 0..quarter.typist.below(5) {
                match quarter.typist.below(8) {
                    0 => quarter.bombs(),
                    1 => quarter.stirrup(),
                    2..=4 => quarter.stream(),
                    _ => quarter.rescue(),
                }
                if !quarter.model.wrong.is_empty() {
                    return quarter.faults(game);
                }
            }
            quarter.turn_passes();
            if !quarter.model.wrong.is_empty() {
                return quarter.faults(game);
            }
        }
    }
    Vec::new()
}

#[test]
fn the_bombs_and_rescues_of_blitz_are_those_of_the_book() {
    let wrong = bomb(&shipped::files("blitz").unwrap(), 5);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "200 games of twelve turns: minutes"]
fn the_bombs_and_rescues_of_blitz_are_those_of_the_book_long() {
    let wrong = bomb(&shipped::files("blitz").unwrap(), 200);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Faults of the other chapters, each a text and what is planted in its place.
const PLANTED_AMONG_PEOPLE: [(&str, &str); 10] = [
    ("needs    = '>= 3'", "needs    = '>= 4'"),
    (
        "label = \"{vehicle} at {vehicle.at}\"\nneeds    = '>= 4'",
        "label = \"{vehicle} at {vehicle.at}\"\nneeds    = '>= 5'",
    ),
    ("if intact = 0 { stop }", "if intact > 0 { stop }"),
    ("needs = '>= place.heat'", "needs = '> place.heat'"),
    ("by = '+1', when = 'hose.crews >= 2'", "by = '+2', when = 'hose.crews >= 2'"),
    ("floor(total / 2)", "total"),
    ("team.activity >= 30", "team.activity >= 31"),
    ("by = '+1', when = 'doctor'", "by = '+2', when = 'doctor'"),
    ("roll  = '1d6 * 5'", "roll  = '1d6 * 4'"),
    ("drop(high-explosive, 3)", "drop(high-explosive, 2)"),
];

/// Plants each of these faults; the model must find it.
fn find(faults: &[(&str, &str)]) {
    for (written, planted) in faults {
        let mut files = shipped::files("blitz").unwrap();
        assert!(files.iter().any(|file| file.text.contains(written)), "{written}");
        for file in &mut files {
            file.text = file.text.replace(written, planted);
        }
        assert!(!bomb(&files, 200).is_empty(), "`{planted}` is not found");
    }
}

#[test]
#[ignore = "faults that show only now and then: minutes"]
fn faults_planted_among_the_people_of_blitz_are_found_long() {
    find(&PLANTED_AMONG_PEOPLE);
}

/// A model's game: with these files and this number, it returns how many lines were compared, or what is wrong.
type Play = fn(&[FileText], u64) -> Result<usize, page::Wrong>;

/// Plays games of a shipped ruleset. All of them must be as the book says.
fn agrees(game: &str, play: Play, games: u64, least: usize) {
    let files = shipped::files(game).unwrap();
    let lines = page::games(games, |number| play(&files, number)).unwrap();
    assert!(lines >= least, "{lines} lines");
}

/// Plants each fault, written once in the ruleset, and plays until the model finds it. Without the fault the same game
/// must be right, so that no fault of the model counts.
fn finds(game: &str, play: Play, faults: &[(&str, &str)]) {
    let shipped = shipped::files(game).unwrap();
    for (written, planted) in faults {
        let mut files = shipped.clone();
        let places: usize = files.iter().map(|file| file.text.matches(written).count()).sum();
        assert_eq!(places, 1, "`{written}` is written {places} times");
        for file in &mut files {
            file.text = file.text.replace(written, planted);
        }
        let found = (0..60).find_map(|number| Some((number, play(&files, number).err()?)));
        let Some((number, wrong)) = found else {
            panic!("`{planted}` in place of `{written}` is not found");
        };
        println!("`{planted}` in place of `{written}`, game {number}: {wrong}");
        play(&shipped, number).unwrap();
    }
}

#[test]
fn house_clearing_is_played_by_the_book() {
    agrees("house-clearing", house_clearing::play, 6, 300);
}

#[test]
#[ignore = "300 games: ten minutes"]
fn house_clearing_is_played_by_the_book_long() {
    agrees("house-clearing", house_clearing::play, 300, 20_000);
}

#[test]
fn faults_planted_in_house_clearing_are_found_by_its_model() {
    let faults = [
        (r#""quarter" = 4, "eighth" = 8"#, r#""quarter" = 4, "eighth" = 6"#),
        (r#""smg" = [2, 4, 6, 8, 10]"#, r#""smg" = [2, 4, 6, 8, 12]"#),
        ("needs    = '<= seen'", "needs    = '<= seen + 1'"),
        ("target.ducked = true", "target.ducked = false"),
        (r#""tile" = 6"#, r#""tile" = 7"#),
        ("let sure = floor(chance / 100)", "let sure = ceil(chance / 100)"),
    ];
    finds("house-clearing", house_clearing::play, &faults);
}

#[test]
fn mtb_is_played_by_the_book() {
    agrees("mtb", mtb::play, 6, 150);
}

#[test]
#[ignore = "300 games: ten minutes"]
fn mtb_is_played_by_the_book_long() {
    agrees("mtb", mtb::play, 300, 12_000);
}

#[test]
fn faults_planted_in_mtb_are_found_by_its_model() {
    let faults = [
        (r#""2" = "beam", "3-5" = "opposite""#, r#""2-3" = "beam", "4-5" = "opposite""#),
        ("beam     = [2, -2]", "beam     = [2, -1]"),
        ("own-depth-charge = [0, 10, 20, 30, 40]", "own-depth-charge = [0, 10, 20, 25, 40]"),
        (
            "a torpedo tube is lost, and its torpedo burns\"\n    set-fire(victim)",
            "a torpedo tube is lost, and its torpedo burns\"",
        ),
        (
            r#"nine  = ["heaviest-gun",  "heaviest-gun"]"#,
            r#"nine  = ["lightest-gun",  "heaviest-gun"]"#,
        ),
        (
            "if card.suit = hearts { victim.flooding -= 1;",
            "if card.suit = spades { victim.flooding -= 1;",
        ),
    ];
    finds("mtb", mtb::play, &faults);
}

#[test]
fn faults_planted_in_the_aircraft_of_mtb_are_found_by_its_model() {
    let faults = [
        (r#""1-2" = "abort", "3-4" = "home""#, r#""1" = "abort", "2-4" = "home""#),
        (
            "floor(speed-deduction(weapon, plane.target.speed) / 2)",
            "ceil(speed-deduction(weapon, plane.target.speed) / 2)",
        ),
        ("self.line in [forward, aft]", "self.line in [forward]"),
        (r#"plane-commits(plane, "rockets", max(0, 6 * salvo - off))"#, "plane.attacked = true"),
        ("owed = owed + gun-cards(g.class, aircraft)", "owed = owed + gun-cards(g.class, far)"),
        ("if card.suit = clubs { plane.clubs += 1 }", "plane.clubs = 1"),
    ];
    finds("mtb", mtb::play, &faults);
}

#[test]
fn tarr_is_played_by_the_book() {
    agrees("tarr", tarr::play, 6, 150);
}

#[test]
#[ignore = "300 battles: ten minutes"]
fn tarr_is_played_by_the_book_long() {
    agrees("tarr", tarr::play, 300, 10_000);
}

#[test]
fn faults_planted_in_tarr_are_found_by_its_model() {
    let faults = [
        (
            "else if facing = side then target.type.defence - 2",
            "else if facing = side then target.type.defence - 1",
        ),
        (
            r#"machine-gun-fire = [1,             "1/4",         "2/3"]"#,
            r#"machine-gun-fire = [1,             "1/4",         "1/2"]"#,
        ),
        ("unit.men * 2 <= unit.mark", "unit.men * 2 < unit.mark"),
        (
            "casualties(one, whole-men(by-other / 2), other)",
            "casualties(one, whole-men(by-other / 3))",
        ),
        (
            r#""T-34, 85 mm gun",                  5,      16"#,
            r#""T-34, 85 mm gun",                  5,      15"#,
        ),
        ("free -= unit.heavy-machine-guns", "free -= 0"),
    ];
    finds("tarr", tarr::play, &faults);
}

#[test]
fn air_mines_and_flame_of_tarr_are_those_of_the_book() {
    agrees("tarr", tarr_air::play, 6, 150);
}

#[test]
#[ignore = "300 battles: ten minutes"]
fn air_mines_and_flame_of_tarr_are_those_of_the_book_long() {
    agrees("tarr", tarr_air::play, 300, 10_000);
}

#[test]
fn faults_planted_in_air_mines_and_flame_of_tarr_are_found_by_its_model() {
    let faults = [
        (
            r#"pass     = 'strike-at("mine → {vehicle}", vehicle, 6,"#,
            r#"pass     = 'strike-at("mine → {vehicle}", vehicle, 5,"#,
        ),
        ("and unit.men > 0 and unit.moved > 0", "and unit.men > 0"),
        ("if target.type = town then target.type.defence else 20", "19"),
        ("scored += n * odd / 3", "scored += n"),
        (
            "by-one   = first-fire-throw(one)\n    by-other = first-fire-throw(other)",
            "by-one   = first-fire-throw(one)\n    by-other = 0",
        ),
        ("let ahead = by-one > by-other", "let ahead = by-one < by-other"),
        (
            "unit.coming = 0 and not unit.fired and unit.volleys-to-take = 0",
            "unit.coming = 0 and unit.volleys-to-take = 0",
        ),
        ("not unit.dropping and unit.morale != routed'", "not unit.dropping'"),
        ("(shared(men, m.losers) or shared-guns(guns, m.losing-guns))", "true"),
        ("(shared(at-men, m.winners) or shared-guns(at-guns, m.winning-guns))", "true"),
    ];
    finds("tarr", tarr_air::play, &faults);
}
