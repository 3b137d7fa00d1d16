//! An independent model of *Firefight*: it follows the rule book by its own arithmetic and keeps its own markers.
//!
//! The model plays random moves and chooses every face. The program plays the same lines with these faces; if it wants
//! more or fewer dice, or a marker differs after any line, the test fails and names the line.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use adjutant::shipped;
use serde_json::Value;

use crate::kit::adjutant;

/// Numbers from a seed, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn d10(&mut self) -> u64 {
        self.below(10) + 1
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Cover {
    None,
    Taking,
    Full,
}

#[derive(Clone, Debug)]
struct Man {
    name: &'static str,
    american: bool,
    weapon: &'static str,
    set_up: bool,
    /// Open ground, cover, or something solid.
    ground: &'static str,
    cover: Cover,
    running: bool,
    suppressed: bool,
    stunned: bool,
    wounded: bool,
    out: bool,
    grenades: u64,
    moved_on_this_chit: bool,
}

impl Man {
    fn new(name: &'static str, american: bool, weapon: &'static str) -> Man {
        Man {
            name,
            american,
            weapon,
            set_up: weapon == "lmg",
            ground: if american { "cover" } else { "solid" },
            cover: Cover::None,
            running: false,
            suppressed: false,
            stunned: false,
            wounded: false,
            out: false,
            grenades: 1,
            moved_on_this_chit: false,
        }
    }

    /// The markers as the program names them.
    fn markers(&self) -> [(&'static str, String); 9] {
        let flag = |set: bool| if set { "yes" } else { "no" }.to_owned();
        let cover = match self.cover {
            Cover::None => "none",
            Cover::Taking => "taking-cover",
            Cover::Full => "full-cover",
        };
        [
            ("status", if self.out { "out" } else { "in-action" }.to_owned()),
            ("posture", cover.to_owned()),
            ("running", flag(self.running)),
            ("suppressed", flag(self.suppressed)),
            ("stunned", flag(self.stunned)),
            ("wounded", flag(self.wounded)),
            ("set-up", flag(self.set_up)),
            ("grenades", self.grenades.to_string()),
            ("weapon", self.weapon.to_owned()),
        ]
    }
}

const GUNNER: usize = 6;
const LOADER: usize = 7;

/// A game of the farm gate: five against five, three chits a side.
struct Model {
    numbers: Numbers,
    men: Vec<Man>,
    /// The loader's base is known to touch the gunner's.
    in_contact: bool,
    script: String,
    expected: Vec<(String, Vec<Man>)>,
}

impl Model {
    fn new(seed: u64) -> Model {
        let americans =
            [("smith", "smg"), ("jones", "bar"), ("brown", "m1"), ("clark", "m1"), ("davis", "m1")];
        let germans = [
            ("braun", "smg"),
            ("keller", "lmg"),
            ("vogel", "rifle"),
            ("richter", "rifle"),
            ("lang", "rifle"),
        ];
        let men = americans.map(|(name, weapon)| Man::new(name, true, weapon)).into_iter();
        let men = men.chain(germans.map(|(name, weapon)| Man::new(name, false, weapon)));
        let men = men.collect();
        Model {
            numbers: Numbers(seed),
            men,
            in_contact: true,
            script: String::new(),
            expected: Vec::new(),
        }
    }

    /// Types a line; faces and answers follow it, each in a line of its own.
    fn types(&mut self, line: &str, answers: &[String]) {
        writeln!(self.script, "{line}").unwrap();
        for answer in answers {
            writeln!(self.script, "{answer}").unwrap();
        }
        writeln!(self.script, "show soldiers").unwrap();
        self.expected.push((format!("{line} {answers:?}"), self.men.clone()));
    }

    fn standing(&self, american: bool) -> Vec<usize> {
        (0..10).filter(|&m| self.men[m].american == american && !self.men[m].out).collect()
    }

    fn goes_down(&mut self, man: usize) {
        if self.men[man].cover == Cover::None {
            self.men[man].cover = Cover::Taking;
        }
    }

    fn kill(&mut self, man: usize) {
        let (weapon, set_up) = (self.men[man].weapon, self.men[man].set_up);
        let dead = &mut self.men[man];
        dead.out = true;
        dead.cover = Cover::None;
        dead.running = false;
        dead.suppressed = false;
        dead.stunned = false;
        dead.wounded = false;
        // The loader takes over the machine gun.
        if man == GUNNER && !self.men[LOADER].out {
            self.men[LOADER].weapon = weapon;
            self.men[LOADER].set_up = set_up;
            self.men[man].set_up = false;
        }
    }

    fn stun(&mut self, man: usize) {
        self.men[man].stunned = true;
        self.men[man].suppressed = false;
    }

    /// The Hit/Damage table.
    fn damage(&mut self, man: usize, faces: &mut Vec<String>) {
        let face = self.numbers.d10();
        faces.push(face.to_string());
        match face {
            1..=3 => self.kill(man),
            4..=6 if self.men[man].wounded => self.kill(man),
            4..=6 => {
                self.men[man].wounded = true;
                self.goes_down(man);
            }
            _ => {
                self.stun(man);
                self.goes_down(man);
            }
        }
    }

    fn suppress(&mut self, man: usize) {
        if !self.men[man].out && !self.men[man].stunned {
            self.men[man].suppressed = true;
        }
    }

    /// What is added to the die on account of the man who fires or throws.
    fn firer(&self, man: usize, besides: u64) -> u64 {
        u64::from(self.men[man].suppressed) + u64::from(self.men[man].wounded) + besides
    }

    fn fire(&mut self, man: usize, besides: u64) {
        let enemies = self.standing(!self.men[man].american);
        let target = self.numbers.one(&enemies);
        let (range, far) =
            self.numbers.one(&[("9", false), ("16", false), ("16.5", true), ("20", true)]);
        let crewed = man == GUNNER
            && besides == 0
            && !self.men[LOADER].out
            && !self.men[LOADER].stunned
            && !self.men[LOADER].moved_on_this_chit;
        let single = self.numbers.below(2) == 0;
        let (shots, needed, mode) = match self.men[man].weapon {
            "smg" => (3, 3, ""),
            "rifle" => (1, 4, ""),
            "m1" if single => (1, 4, " single"),
            "m1" => (2, 3, " rapid"),
            "lmg" if crewed => (3, 4, " mg"),
            _ if single => (1, 4, " single"),
            _ => (3, 3, " rapid"),
        };
        if crewed {
            self.men[LOADER].moved_on_this_chit = true;
        }
        let at = &self.men[target];
        let mut faces = Vec::new();
        // The umpire is asked once after the loader has moved.
        if crewed && !self.in_contact {
            self.in_contact = true;
            faces.push("yes".to_owned());
        }
        let line = format!("fire {} at {} range {range}{mode}", self.men[man].name, at.name);
        if at.cover != Cover::Full {
            let covered = at.ground != "open";
            let cover = match (at.cover, covered) {
                (Cover::None, false) => 0,
                (Cover::None, true) => 1,
                (_, false) => 2,
                (_, true) => 3,
            };
            let far = far && !matches!(self.men[man].weapon, "bar" | "lmg");
            let added = cover + u64::from(at.running) + u64::from(far) + self.firer(man, besides);
            let dice: Vec<u64> = (0..shots).map(|_| self.numbers.d10()).collect();
            faces.push(dice.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
            for _ in dice.iter().filter(|&&face| face + added <= needed) {
                if !self.men[target].out {
                    self.damage(target, &mut faces);
                }
            }
        }
        self.suppress(target);
        self.ends_move(man);
        self.types(&line, &faces);
    }

    fn throw(&mut self, man: usize, besides: u64) {
        let enemies = self.standing(!self.men[man].american);
        let target = self.numbers.one(&enemies);
        let (range, needed) = self.numbers.one(&[("3", 8), ("6", 8), ("6.5", 5), ("12", 5)]);
        let at = &self.men[target];
        let cover = u64::from(at.cover != Cover::None || at.ground != "open");
        let added = cover + u64::from(at.running) + self.firer(man, besides);
        let line = format!("throw {} at {} range {range}", self.men[man].name, at.name);
        let face = self.numbers.d10();
        let mut faces = vec![face.to_string()];
        self.men[man].grenades -= 1;
        let hit = face + added <= needed;
        if hit {
            self.burst(target, 5, &mut faces);
        } else {
            faces.extend(["7".to_owned(), "no".to_owned()]);
        }
        self.ends_move(man);
        self.types(&line, &faces);
        // Somebody else is near it, of either side.
        let near: Vec<usize> =
            (0..10).filter(|&m| !self.men[m].out && (!hit || m != target)).collect();
        let other = self.numbers.one(&near);
        let (inches, blast) = self.numbers.one(&[("1", 5), ("1.5", 3), ("2", 3)]);
        let line = format!("blast {} {inches}", self.men[other].name);
        let mut faces = Vec::new();
        self.burst(other, blast, &mut faces);
        self.types(&line, &faces);
    }

    /// A burst: a hit within an inch on 5, within two on 3; else Stunned or Suppressed.
    fn burst(&mut self, man: usize, needed: u64, faces: &mut Vec<String>) {
        let face = self.numbers.d10();
        faces.push(face.to_string());
        if face <= needed {
            self.damage(man, faces);
        } else if needed == 5 {
            self.stun(man);
        } else {
            self.suppress(man);
        }
    }

    fn fight(&mut self, man: usize, left: u64) {
        let enemies = self.standing(!self.men[man].american);
        let enemy = self.numbers.one(&enemies);
        let line = format!("fight {} with {}", self.men[man].name, self.men[enemy].name);
        let wounded = self.men[man].wounded;
        let mut faces = Vec::new();
        if self.men[enemy].stunned {
            self.kill(enemy);
        } else {
            let (ours, theirs) = (self.numbers.d10(), self.numbers.d10());
            faces.extend([ours.to_string(), theirs.to_string()]);
            let (ours, theirs) = (ours + self.firer(man, 0), theirs + self.firer(enemy, 0));
            match ours.cmp(&theirs) {
                std::cmp::Ordering::Less => self.damage(enemy, &mut faces),
                std::cmp::Ordering::Greater => self.damage(man, &mut faces),
                std::cmp::Ordering::Equal => {}
            }
        }
        // A wound costs him a point, and a move ends when none is left.
        let wounds = u64::from(self.men[man].wounded && !wounded);
        if left == 2 + wounds || self.men[man].stunned {
            self.ends_move(man);
        }
        self.types(&line, &faces);
        if !self.men[man].out {
            self.ends_move(man);
            let name = self.men[man].name;
            self.types(&format!("done {name}"), &[]);
        }
    }

    /// The Suppressed marker that he had when his move began comes off. (Nothing suppresses a man in his own move but his own grenade.)
    fn ends_move(&mut self, man: usize) {
        self.men[man].suppressed = false;
    }

    /// One soldier's move.
    fn moves(&mut self, man: usize) {
        self.men[man].moved_on_this_chit = true;
        let points = if self.men[man].wounded { 3 } else { 4 };
        self.men[man].running = false;
        let name = self.men[man].name;
        let mut besides = 0;
        match (self.men[man].cover, self.numbers.below(3)) {
            (Cover::None, 0) if !self.men[man].set_up => {
                self.men[man].ground = "open";
                self.in_contact &= man != LOADER;
                self.types(&format!("move {name} 2"), &[]);
                besides = 1;
            }
            (Cover::Taking, 0) => {
                self.men[man].cover = Cover::None;
                self.types(&format!("leave {name}"), &[]);
                besides = 1;
            }
            (Cover::Full, _) => {
                self.men[man].cover = Cover::None;
                self.types(&format!("leave {name}"), &[]);
                besides = 1;
            }
            _ => {}
        }
        match self.numbers.below(6) {
            0 | 1 => self.fire(man, besides),
            2 if self.men[man].grenades > 0 => self.throw(man, besides),
            3 => self.fight(man, points - besides),
            4 if besides == 0 && self.men[man].cover == Cover::None && !self.men[man].set_up => {
                let inches = self.numbers.one(&[2, 4, 6, 8]).min(2 * points);
                let place = self.numbers.one(&["open", "cover", "solid"]);
                self.men[man].ground = place;
                self.men[man].running = inches == 8;
                self.in_contact &= man != LOADER;
                if inches == 2 * points {
                    self.ends_move(man);
                }
                self.types(&format!("move {name} {inches} to {place}"), &[]);
                self.ends_move(man);
                self.types(&format!("done {name}"), &[]);
            }
            5 if self.men[man].cover == Cover::None => {
                let full = self.men[man].ground == "solid" && self.numbers.below(2) == 0;
                self.men[man].cover = if full { Cover::Full } else { Cover::Taking };
                self.types(&format!("cover {name}{}", if full { " full" } else { "" }), &[]);
                self.ends_move(man);
                self.types(&format!("done {name}"), &[]);
            }
            _ => {
                self.ends_move(man);
                self.types(&format!("done {name}"), &[]);
            }
        }
    }

    /// One chit: three Group Moves, one fewer for every two men lost; each here is one man.
    fn chit(&mut self, american: bool) {
        let squad = if american { "american-able" } else { "german-anton" };
        self.types("draw", &[squad.to_owned()]);
        for man in &mut self.men {
            man.moved_on_this_chit = false;
        }
        let group_moves = 3 - (5 - self.standing(american).len()) / 2;
        for _ in 0..group_moves {
            let standing = self.standing(american);
            let ready: Vec<usize> = standing
                .iter()
                .copied()
                .filter(|&m| !self.men[m].stunned && !self.men[m].moved_on_this_chit)
                .collect();
            if ready.is_empty() || self.over() {
                return;
            }
            let man = self.numbers.one(&ready);
            self.moves(man);
        }
    }

    fn over(&self) -> bool {
        self.standing(true).is_empty() || self.standing(false).is_empty()
    }

    fn turn(&mut self) {
        self.types("next", &[]);
        let mut cup = vec![true, true, true, false, false, false];
        while !cup.is_empty() && !self.over() {
            let drawn = self.numbers.below(cup.len() as u64) as usize;
            let american = cup.remove(drawn);
            self.chit(american);
        }
        if !self.over() {
            for man in self.men.iter_mut().filter(|m| m.stunned) {
                man.stunned = false;
                man.suppressed = true;
            }
            self.types("next", &[]);
        }
    }
}

/// The soldiers as each `show soldiers` printed them.
fn shown(json: &Value, found: &mut Vec<Value>) {
    match json {
        Value::Object(fields) => {
            if let Some(pieces) = fields.get("pieces") {
                found.push(pieces.clone());
            } else {
                fields.values().for_each(|value| shown(value, found));
            }
        }
        Value::Array(values) => values.iter().for_each(|value| shown(value, found)),
        _ => {}
    }
}

/// Plays a game of the model by the program. Returns how many lines were compared.
fn agrees(game: &str, seed: u64) -> Result<usize, String> {
    let mut model = Model::new(seed);
    for _ in 0..6 {
        if !model.over() {
            model.turn();
        }
    }
    let arguments = [
        "play",
        game,
        "--scenario",
        "the-farm-gate",
        "--dice",
        "physical",
        "--json",
        "--seed",
        "model",
    ];
    let printed = adjutant(arguments).stdin(model.script.as_str()).output();
    let json: Value = serde_json::from_str(&printed.stdout).map_err(|e| e.to_string())?;
    let mut tables = Vec::new();
    shown(&json, &mut tables);
    for (index, (line, men)) in model.expected.iter().enumerate() {
        let Some(table) = tables.get(index) else {
            return Err(format!("game {seed}: `{line}` was not played: {}", printed.stderr));
        };
        for man in men {
            let pieces = table.as_array().unwrap();
            let piece = pieces.iter().find(|p| p["name"] == man.name).unwrap();
            for (marker, value) in man.markers() {
                let found = &piece["attributes"][marker];
                if *found != value {
                    return Err(format!(
                        "game {seed}: after `{line}` {} {marker} is {found}, not {value}",
                        man.name
                    ));
                }
            }
        }
    }
    Ok(model.expected.len())
}

#[test]
fn the_model_of_firefight_agrees() {
    let lines: usize = (0..12).map(|seed| agrees("firefight", seed).unwrap()).sum();
    assert!(lines > 300, "{lines}");
}

/// Faults of a ruleset, each a text and what stands in its place.
const FAULTS: [(&str, &str); 5] = [
    ("when = 'far',  ", "when = 'smoke',"),
    (r#""0-6" = 8, "7-12" = 5"#, r#""0-6" = 7, "7-12" = 5"#),
    (r#""0-1" = 5, "2" = 3"#, r#""0-1" = 5, "2" = 4"#),
    (r#"["LMG",               1, 4, 3, 3, 3, 4,"#, r#"["LMG",               1, 4, 3, 3, 3, 3,"#),
    ("target.stunned = true\ntarget.suppressed = false", "target.stunned = true"),
];

/// Writes the ruleset to a folder, with one text in place of another. Returns how often that text was there.
fn write_rules(folder: &Path, right: &str, wrong: &str) -> usize {
    let mut planted = 0;
    for file in shipped::files("firefight").unwrap() {
        let path = folder.join(&file.name);
        planted += file.text.matches(right).count();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.text.replace(right, wrong)).unwrap();
    }
    planted
}

#[test]
fn the_model_of_firefight_finds_planted_faults() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules");
    let game = rules.join("firefight");
    let game = game.to_str().unwrap();
    for (right, wrong) in FAULTS {
        write_rules(&rules, right, right);
        agrees(game, 0).unwrap();
        assert_eq!(write_rules(&rules, right, wrong), 1, "`{right}` is not there once");
        let found = (0..40).any(|seed| agrees(game, seed).is_err());
        assert!(found, "`{wrong}` in place of `{right}` is not found");
    }
}

#[test]
#[ignore = "500 games: some minutes"]
fn the_model_of_firefight_agrees_long() {
    for seed in 0..500 {
        agrees("firefight", seed).unwrap();
    }
}
