//! An independent model of *MTB*: cards owed, clubs, fires and flooding by the rule book, and by the tables that were made
//! in place of its lost ones. Boats of every sort turn, change rings and fire at random, aircraft run in on them; the
//! model compares each card drawn and every marker.

use std::fmt::Write as _;

use adjutant_engine::ruleset::FileText;

use super::page::{Page, Wrong};
use crate::kit::file;
use crate::kit::typist::Typist;

const SECTORS: [&str; 8] = [
    "forward",
    "starboard-bow",
    "starboard-beam",
    "starboard-quarter",
    "aft",
    "port-quarter",
    "port-beam",
    "port-bow",
];
const SPEEDS: [&str; 5] = ["stopped", "d", "c", "b", "a"];
/// Cards of a gun near, far and against aircraft, by class from 1.
const GUNS: [[i64; 3]; 5] = [[1, 0, 1], [2, 1, 2], [3, 2, 3], [4, 3, 2], [6, 5, 3]];
/// Changes of facing, turns to serve in the inner and the outer ring, sectors slipped astern, by speed.
const RATINGS: [[i64; 4]; 5] =
    [[0, 0, 0, 0], [1, 2, 3, 1], [2, 2, 2, 2], [3, 1, 2, 3], [4, 1, 1, 4]];

/// A type: hull, speed, large, torpedoes, tubes, depth charges, guns by place, class and arc.
type Kind =
    (&'static str, i64, usize, bool, i64, i64, i64, &'static [(&'static str, usize, &'static str)]);

const BRITISH: [Kind; 4] = [
    (
        "mtb",
        8,
        4,
        false,
        2,
        2,
        1,
        &[("turret", 2, "all"), ("port", 1, "port"), ("starboard", 1, "starboard")],
    ),
    (
        "mgb",
        8,
        4,
        false,
        0,
        0,
        1,
        &[
            ("bow", 3, "fore"),
            ("stern", 2, "after"),
            ("port", 1, "port"),
            ("starboard", 1, "starboard"),
        ],
    ),
    (
        "fairmile-d",
        10,
        3,
        false,
        2,
        2,
        1,
        &[
            ("bow", 4, "fore"),
            ("stern", 4, "after"),
            ("turret", 2, "all"),
            ("port", 1, "port"),
            ("starboard", 1, "starboard"),
        ],
    ),
    (
        "motor-launch",
        9,
        2,
        false,
        0,
        0,
        3,
        &[("bow", 3, "fore"), ("stern", 2, "after"), ("bridge", 1, "all")],
    ),
];
const GERMAN: [Kind; 6] = [
    ("s-boot-early", 9, 4, false, 4, 2, 1, &[("bow", 2, "fore"), ("stern", 2, "after")]),
    (
        "s-boot-late",
        9,
        4,
        false,
        4,
        2,
        1,
        &[("bow", 2, "fore"), ("midships", 2, "all"), ("stern", 3, "after")],
    ),
    (
        "r-boot",
        9,
        2,
        false,
        0,
        0,
        2,
        &[("stern", 3, "after"), ("bow", 2, "fore"), ("midships", 2, "all")],
    ),
    (
        "m-boot",
        18,
        2,
        true,
        0,
        0,
        2,
        &[("bow", 5, "fore"), ("stern", 5, "after"), ("midships", 3, "all"), ("bridge", 2, "all")],
    ),
    (
        "torpedo-boat",
        19,
        3,
        true,
        6,
        6,
        2,
        &[("stern", 5, "after"), ("flak", 3, "all"), ("midships", 2, "all"), ("bridge", 2, "all")],
    ),
    (
        "f-lighter",
        16,
        1,
        true,
        0,
        0,
        0,
        &[("bow", 4, "fore"), ("stern", 4, "after"), ("flak", 3, "all"), ("bridge", 2, "all")],
    ),
];

/// An aircraft's type, its guns and their class, bombs, rockets, torpedoes.
const AIRCRAFT: [(&str, i64, usize, i64, i64, i64); 4] = [
    ("fighter-bomber", 2, 2, 1, 0, 0),
    ("rocket-fighter", 2, 2, 0, 8, 0),
    ("bomber", 1, 1, 1, 0, 0),
    ("torpedo-bomber", 0, 1, 0, 0, 1),
];

#[derive(Clone, Debug)]
struct Plane {
    name: String,
    british: bool,
    guns: (i64, usize),
    bombs: i64,
    rockets: i64,
    torpedoes: i64,
    run: &'static str,
    target: usize,
    sector: usize,
    /// True if it has used a weapon in this run.
    used: bool,
    /// Cards for the fire at it that are still to be drawn, and clubs of this turn.
    owed: i64,
    clubs: i64,
    damaged: bool,
}

#[derive(Clone, Debug)]
struct Gun {
    name: String,
    class: usize,
    arc: &'static str,
    lost: bool,
    fired: bool,
    /// The turn in which it is silent.
    silent: i64,
}

#[derive(Clone, Debug)]
struct Ship {
    name: String,
    british: bool,
    large: bool,
    hull: i64,
    /// 0 in the centre, 1 inner, 2 outer.
    ring: usize,
    sector: usize,
    facing: usize,
    speed: usize,
    served: i64,
    moved: bool,
    turned: i64,
    to_port: bool,
    guns: Vec<Gun>,
    torpedoes: i64,
    tubes: i64,
    ready: i64,
    launched: i64,
    charges: i64,
    dropped: bool,
    hits: i64,
    fires: i64,
    flooding: i64,
    sunk: bool,
    gone: bool,
    /// The turns in which it can't turn, can't change rings, can't fire, and turns by a jammed rudder.
    no_turn: i64,
    no_ring: i64,
    no_fire: i64,
    jammed: i64,
    /// Cards owed by each attack, and those of its own depth charges.
    owed: Vec<i64>,
    own: i64,
}

impl Ship {
    fn is_here(&self) -> bool {
        !self.sunk && !self.gone
    }
}

struct Model {
    page: Page,
    typist: Typist,
    ships: Vec<Ship>,
    planes: Vec<Plane>,
    turn: i64,
    /// Cards left in the pack, and the aircraft for which it was shuffled last.
    left: usize,
    pack_of: Option<usize>,
    lines: usize,
}

/// Where a line falls from a ship's bow, in eighths clockwise.
fn bears(arc: &str, eighth: usize) -> bool {
    match arc {
        "fore" => [7, 0, 1, 2, 6].contains(&eighth),
        "after" => [4, 3, 5, 2, 6].contains(&eighth),
        "port" => [5, 6, 7].contains(&eighth),
        "starboard" => [1, 2, 3].contains(&eighth),
        "ahead" => eighth == 0,
        "beams" => [2, 6].contains(&eighth),
        _ => true,
    }
}

impl Model {
    fn new(files: &[FileText], seed: u64) -> Result<Model, Wrong> {
        let mut typist = Typist::new(seed + 1);
        let mut text = String::from("title = \"A model's boats\"\n[pieces.ship]\n");
        let mut ships = Vec::new();
        for index in 0..6 {
            let british = index < 3;
            let kind =
                if british { BRITISH[typist.below(4)] } else { GERMAN[typist.below(GERMAN.len())] };
            let (of, hull, speed, large, torpedoes, tubes, charges, guns) = kind;
            let name = format!("{}{index}", if british { "friend" } else { "enemy" });
            let ring = if british { 0 } else { typist.below(2) + 1 };
            let sector = if british { 0 } else { typist.below(8) };
            let facing = typist.below(8);
            let rings = ["centre", "inner", "outer"];
            writeln!(
                text,
                "{name} = {{ type = \"{of}\", ring = \"{}\", sector = \"{}\", facing = \"{}\" }}",
                rings[ring], SECTORS[sector], SECTORS[facing]
            )
            .unwrap();
            let gun = |&(place, class, arc): &(&str, usize, &'static str)| Gun {
                name: format!("{name}-{place}"),
                class,
                arc,
                lost: false,
                fired: false,
                silent: 0,
            };
            ships.push(Ship {
                guns: guns.iter().map(gun).collect(),
                name,
                british,
                large,
                hull,
                ring,
                sector,
                facing,
                speed,
                served: 0,
                moved: false,
                turned: 0,
                to_port: false,
                torpedoes,
                tubes,
                ready: tubes.min(torpedoes),
                launched: 0,
                charges,
                dropped: false,
                hits: 0,
                fires: 0,
                flooding: 0,
                sunk: false,
                gone: false,
                no_turn: 0,
                no_ring: 0,
                no_fire: 0,
                jammed: 0,
                owed: Vec::new(),
                own: 0,
            });
        }
        text.push_str("[pieces.aircraft]\n");
        let mut planes = Vec::new();
        for index in 0..4 {
            let british = index < 2;
            let (of, guns, class, bombs, rockets, torpedoes) = AIRCRAFT[typist.below(4)];
            let name = format!("plane{index}");
            let side = if british { "friendly" } else { "hostile" };
            writeln!(text, "{name} = {{ type = \"{of}\", side = \"{side}\" }}").unwrap();
            planes.push(Plane {
                name,
                british,
                guns: (guns, class),
                bombs,
                rockets,
                torpedoes,
                run: "waiting",
                target: 0,
                sector: 0,
                used: false,
                owed: 0,
                clubs: 0,
                damaged: false,
            });
        }
        let mut files = files.to_vec();
        files.push(FileText { scenario: Some("boats".into()), ..file("boats.toml", &text) });
        let mut page = Page::new("mtb", &files, "boats", seed);
        page.types("option automatic-enemy off", &[])?;
        Ok(Model { page, typist, ships, planes, turn: 0, left: 52, pack_of: None, lines: 0 })
    }

    fn here(&self, british: bool) -> Vec<usize> {
        (0..6).filter(|&s| self.ships[s].british == british && self.ships[s].is_here()).collect()
    }

    /// A hostile vessel hit for more than half its hull is driven off, as far as the end is concerned.
    fn is_over(&self) -> bool {
        let fights = |&enemy: &usize| self.ships[enemy].hits * 2 <= self.ships[enemy].hull;
        self.here(true).is_empty() || !self.here(false).iter().any(fights)
    }

    fn compare(&mut self) -> Result<(), Wrong> {
        self.lines += 1;
        self.page.is_done()?;
        for ship in &self.ships {
            let fate = match (ship.sunk, ship.gone) {
                (true, _) => "sunk",
                (_, false) => "in-action",
                // What opens out of the outer ring is driven off, what slips astern of it is left behind.
                (_, true) if ship.speed == 0 => "left-behind",
                (_, true) => "driven-off",
            };
            self.page.expect(&ship.name, "fate", fate)?;
            self.page.expect(&ship.name, "hits", ship.hits)?;
            self.page.expect(&ship.name, "fires", ship.fires)?;
            self.page.expect(&ship.name, "flooding", ship.flooding)?;
            if !ship.is_here() {
                continue;
            }
            self.page.expect(&ship.name, "facing", SECTORS[ship.facing])?;
            self.page.expect(&ship.name, "ring", ["centre", "inner", "outer"][ship.ring])?;
            if ship.ring > 0 {
                self.page.expect(&ship.name, "sector", SECTORS[ship.sector])?;
            }
            self.page.expect(&ship.name, "speed", SPEEDS[ship.speed])?;
            self.page.expect(&ship.name, "torpedoes", ship.torpedoes)?;
            self.page.expect(&ship.name, "tubes", ship.tubes)?;
            self.page.expect(&ship.name, "depth-charges", ship.charges)?;
            for gun in &ship.guns {
                self.page.expect(&gun.name, "lost", if gun.lost { "yes" } else { "no" })?;
            }
        }
        for plane in &self.planes {
            self.page.expect(&plane.name, "run", plane.run)?;
            self.page.expect(&plane.name, "damaged", if plane.damaged { "yes" } else { "no" })?;
            self.page.expect(&plane.name, "bombs", plane.bombs)?;
            self.page.expect(&plane.name, "rockets", plane.rockets)?;
            self.page.expect(&plane.name, "torpedoes", plane.torpedoes)?;
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<(), Wrong> {
        self.turn += 1;
        self.page.types("next", &[])?;
        self.drift()?;
        for index in 0..6 {
            let ship = &mut self.ships[index];
            if ship.is_here() && ship.jammed == self.turn && ship.speed > 0 {
                let port = self.page.throw("1d6", "the jammed rudder")?.faces[0] <= 3;
                let eighths = RATINGS[ship.speed][0] as usize;
                ship.facing = (ship.facing + if port { 8 - eighths } else { eighths }) % 8;
                ship.no_turn = self.turn;
            }
        }
        self.compare()?;
        for _ in 0..5 {
            self.moves()?;
        }
        self.page.types("next", &[])?;
        self.compare()?;
        for number in 0..16 {
            // Ten times a boat fires, six times an aircraft does something.
            if number % 8 < 3 { self.flies()? } else { self.fires()? }
        }
        self.page.types("next", &[])?;
        // What was fired at an aircraft that used no weapon is drawn with all other damage.
        for index in 0..4 {
            self.flak(index)?;
        }
        // Who dropped depth charges comes after the others, and all that he takes is drawn from one shuffle.
        let (launchers, others): (Vec<_>, Vec<_>) =
            (0..6).partition(|&index| self.ships[index].own > 0);
        for index in others.into_iter().chain(launchers) {
            let ship = &mut self.ships[index];
            let owed: i64 = ship.owed.drain(..).sum();
            let own = std::mem::take(&mut ship.own);
            self.damage(index, owed + own)?;
        }
        self.compare()?;
        // The step of fires and leaks is passed over if there are none.
        let burns = |ship: &Ship| ship.is_here() && ship.fires + ship.flooding > 0;
        if self.ships.iter().any(burns) {
            self.page.types("next", &[])?;
            for index in 0..6 {
                self.burns(index)?;
            }
            self.compare()?;
        }
        self.page.types("next", &[])?;
        self.compare()?;
        for ship in &mut self.ships {
            ship.served += 1;
            (ship.moved, ship.turned, ship.dropped) = (false, 0, false);
            ship.ready = ship.tubes.min(ship.torpedoes);
            ship.launched = 0;
            ship.guns.iter_mut().for_each(|gun| gun.fired = false);
        }
        // Who aborted, or has made its run, may begin another next turn.
        for plane in &mut self.planes {
            if ["inbound", "aborted"].contains(&plane.run) {
                plane.run = "waiting";
            }
            plane.used = false;
            plane.clubs = 0;
        }
        Ok(())
    }

    /// Stopped vessels slip astern as fast as the slowest of the formation goes on.
    fn drift(&mut self) -> Result<(), Wrong> {
        let formation = self.ships.iter().filter(|s| s.is_here() && s.british && s.ring == 0);
        let slowest = formation.map(|s| s.speed).filter(|&speed| speed > 0).min();
        let slips = RATINGS[slowest.unwrap_or(0)][3] as usize;
        for ship in self.ships.iter_mut().filter(|s| s.is_here() && s.speed == 0) {
            if slips == 0 {
                continue;
            }
            let away = if ship.ring == 0 { 0 } else { ship.sector.abs_diff(4) };
            let steps = away.min(slips);
            // From right ahead both ways are as short.
            let port = match ship.sector {
                0 if ship.ring > 0 => self.page.throw("1d2", "the side")?.faces[0] == 2,
                sector => sector > 4,
            };
            ship.sector = match ship.sector {
                _ if ship.ring == 0 => 4,
                sector if port => (sector + 8 - steps) % 8,
                sector => sector + steps,
            };
            if slips > away {
                ship.gone = ship.ring == 2;
                ship.ring = (ship.ring + 1).min(2);
                ship.served = 0;
                ship.moved = true;
            }
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), Wrong> {
        let index = self.typist.below(6);
        let choice = self.typist.below(4);
        let (hand, eighths) = (self.typist.below(2) == 0, self.typist.below(4) as i64 + 1);
        let turn = self.turn;
        let ship = &mut self.ships[index];
        let name = ship.name.clone();
        if choice < 2 {
            let line = format!("turn {name} {} {eighths}", if hand { "port" } else { "starboard" });
            let other_way = ship.turned > 0 && ship.to_port != hand;
            let most = RATINGS[ship.speed][0];
            if !ship.is_here() || other_way || ship.turned + eighths > most || ship.no_turn == turn
            {
                return self.page.refuses(&line);
            }
            self.page.types(&line, &[])?;
            (ship.turned, ship.to_port) = (ship.turned + eighths, hand);
            ship.facing =
                (ship.facing as i64 + if hand { 8 - eighths } else { eighths }) as usize % 8;
            return self.compare();
        }
        if ship.british || !ship.is_here() {
            return Ok(());
        }
        let (line, ring) = match choice {
            2 => (format!("close {name}"), ship.ring as i64 - 1),
            _ => (format!("open {name}"), ship.ring as i64 + 1),
        };
        if ring == 0 {
            return Ok(());
        }
        let least = RATINGS[ship.speed][ship.ring];
        if ship.speed == 0 || ship.served < least || ship.moved || ship.no_ring == turn {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        // Who closes heads for the centre, who opens away from it.
        ship.facing = (ship.sector + if choice == 2 { 4 } else { 0 }) % 8;
        ship.gone = ring == 3;
        (ship.ring, ship.moved, ship.served) = (ring.min(2) as usize, true, 0);
        self.compare()
    }

    /// The line from one vessel to another, in eighths from the bow of the first.
    fn bearing(&self, from: usize, to: usize) -> usize {
        let (from, to) = (&self.ships[from], &self.ships[to]);
        let line = if from.ring == 0 { to.sector } else { (from.sector + 4) % 8 };
        (line + 8 - from.facing) % 8
    }

    fn fires(&mut self) -> Result<(), Wrong> {
        let index = self.typist.below(6);
        let firer = self.ships[index].clone();
        let targets = self.here(!firer.british);
        if !firer.is_here() || targets.is_empty() {
            return Ok(());
        }
        let at = targets[self.typist.below(targets.len())];
        let target = self.ships[at].clone();
        // What slipped astern lies out on the web like the enemy: the book has no line between two such.
        if firer.ring > 0 && target.ring > 0 {
            return Ok(());
        }
        let bearing = self.bearing(index, at);
        let far = firer.ring.max(target.ring) == 2;
        let may = firer.no_fire != self.turn;
        match self.typist.below(5) {
            0 => {
                let line = format!("torpedo {} at {}", firer.name, target.name);
                let bears = bears(if firer.large { "beams" } else { "ahead" }, bearing);
                let all = firer.ready.min(firer.tubes - firer.launched);
                if !may || !bears || all < 1 {
                    return self.page.refuses(&line);
                }
                let number = self.typist.below(all as usize) as i64 + 1;
                self.page.types(&format!("{line} {number}"), &[])?;
                let end_on = [0, 4].contains(&self.bearing(at, index));
                self.ships[at].owed.push(number * if end_on { 8 } else { 16 });
                let firer = &mut self.ships[index];
                firer.torpedoes -= number;
                firer.ready -= number;
                firer.launched += number;
            }
            1 => {
                let line = format!("drop {} on {}", firer.name, target.name);
                if !may || firer.charges == 0 || firer.dropped || far {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.ships[at].owed.push(36 - [0, 5, 15, 20, 25][target.speed]);
                let own: i64 = 36 - [0, 10, 20, 30, 40][firer.speed];
                let firer = &mut self.ships[index];
                firer.own = own.max(0);
                firer.charges -= 1;
                firer.dropped = true;
            }
            _ => {
                let line = format!("fire {} at {}", firer.name, target.name);
                // A gun with no card at this range doesn't reach.
                let ready = |gun: &&mut Gun| {
                    !gun.lost
                        && !gun.fired
                        && gun.silent != self.turn
                        && bears(gun.arc, bearing)
                        && GUNS[gun.class - 1][usize::from(far)] > 0
                };
                let faster = firer.speed as i64 - target.speed as i64;
                let course = (target.facing + 8 - firer.facing) % 8;
                let more = match course {
                    2 | 6 => 2 * faster,
                    0 | 1 | 7 => faster,
                    _ => 0,
                };
                let mut cards = 0;
                let mut guns = 0;
                for gun in self.ships[index].guns.iter_mut().filter(ready) {
                    if may {
                        gun.fired = true;
                        guns += 1;
                        cards += (GUNS[gun.class - 1][usize::from(far)] + more).max(0);
                    }
                }
                if guns == 0 {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.ships[at].owed.push(cards);
            }
        }
        self.compare()
    }

    /// An aircraft runs in, is fired at, or uses its weapon.
    fn flies(&mut self) -> Result<(), Wrong> {
        let index = self.typist.below(4);
        let plane = self.planes[index].clone();
        match plane.run {
            "inbound" if self.typist.below(2) == 0 => self.fires_at_plane(index),
            "inbound" => self.presses_home(index),
            _ => {
                let targets = self.here(!plane.british);
                if targets.is_empty() {
                    return Ok(());
                }
                let target = targets[self.typist.below(targets.len())];
                // Half of the runs come in over the bow or the stern, where speed counts half.
                let sector = match self.typist.below(4) {
                    0 => self.ships[target].facing,
                    1 => (self.ships[target].facing + 4) % 8,
                    _ => self.typist.below(8),
                };
                let to = &self.ships[target].name;
                let line = format!("approach {} {to} from {}", plane.name, SECTORS[sector]);
                if plane.run != "waiting" {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                let plane = &mut self.planes[index];
                plane.run = "inbound";
                plane.target = target;
                plane.sector = sector;
                self.compare()
            }
        }
    }

    /// Boats of the formation fire at it, as the sectors of the board lie round their own bows.
    fn fires_at_plane(&mut self, index: usize) -> Result<(), Wrong> {
        let plane = self.planes[index].clone();
        let mut firers = self.here(!plane.british);
        firers.retain(|&at| at == plane.target || self.ships[at].ring == 0);
        if firers.is_empty() {
            return Ok(());
        }
        let who = firers[self.typist.below(firers.len())];
        let turn = self.turn;
        let firer = &mut self.ships[who];
        let line = format!("fire {} at {}", firer.name, plane.name);
        let eighth = (plane.sector + 8 - firer.facing) % 8;
        let may = firer.no_fire != turn && !plane.used;
        let mut cards = 0;
        for gun in &mut firer.guns {
            if may && !gun.lost && !gun.fired && gun.silent != turn && bears(gun.arc, eighth) {
                gun.fired = true;
                cards += GUNS[gun.class - 1][2];
            }
        }
        if cards == 0 {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.planes[index].owed += cards;
        self.compare()
    }

    /// The fire at it is drawn first; if no club came, one weapon is used.
    fn presses_home(&mut self, index: usize) -> Result<(), Wrong> {
        let plane = self.planes[index].clone();
        let target = &self.ships[plane.target];
        let end_on = [0, 4].contains(&((plane.sector + 8 - target.facing) % 8));
        let less = |series: [i64; 5]| series[target.speed] / if end_on { 2 } else { 1 };
        let salvo = self.typist.below(8) as i64 + 1;
        let weapons = [
            ("bomb", plane.bombs > 0, 36 - less([0, 5, 15, 20, 25])),
            ("rockets", plane.rockets >= salvo, 6 * salvo - less([0, 5, 10, 15, 20])),
            ("torpedo", plane.torpedoes > 0, if end_on { 8 } else { 16 }),
            ("strafe", plane.guns.0 > 0, plane.guns.0 * GUNS[plane.guns.1 - 1][0]),
        ];
        // Mostly the first weapon it has, or else any.
        let first = weapons.iter().position(|&(_, has, _)| has).unwrap_or(0);
        let any = self.typist.below(4);
        let chosen = if self.typist.below(3) == 0 { any } else { first };
        let (word, has, cards) = weapons[chosen];
        let mut line = format!("{word} {}", plane.name);
        if word == "rockets" {
            write!(line, " {salvo}").unwrap();
        }
        if plane.used || !has {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.flak(index)?;
        let plane = &mut self.planes[index];
        if plane.run == "inbound" {
            plane.used = true;
            plane.bombs -= i64::from(word == "bomb");
            plane.torpedoes -= i64::from(word == "torpedo");
            plane.rockets -= if word == "rockets" { salvo } else { 0 };
            let target = plane.target;
            self.ships[target].owed.push(cards.max(0));
        }
        self.compare()
    }

    /// One or two clubs of a turn: it aborts. Three or four: it goes home. Five: it is destroyed.
    fn flak(&mut self, index: usize) -> Result<(), Wrong> {
        let owed = std::mem::take(&mut self.planes[index].owed);
        if owed == 0 {
            return Ok(());
        }
        if self.pack_of != Some(index) {
            self.shuffle()?;
            self.pack_of = Some(index);
        }
        for _ in 0..owed {
            let club = self.card()?.ends_with('♣');
            self.planes[index].clubs += i64::from(club);
        }
        let plane = &mut self.planes[index];
        // What is destroyed needs no marker for its damage.
        plane.damaged |= (1..5).contains(&plane.clubs);
        plane.run = match plane.clubs {
            0 => plane.run,
            1 | 2 => "aborted",
            3 | 4 => "gone-home",
            _ => "destroyed",
        };
        Ok(())
    }

    fn shuffle(&mut self) -> Result<(), Wrong> {
        self.left = 52;
        match self.page.cards.pop_front() {
            Some(card) if card.is_empty() => Ok(()),
            other => Err(format!("no shuffle in turn {}, but {other:?}", self.turn)),
        }
    }

    /// The next card of the pack, which is shuffled again when all 52 are used.
    fn card(&mut self) -> Result<String, Wrong> {
        if self.left == 0 {
            self.shuffle()?;
        }
        self.left -= 1;
        match self.page.cards.pop_front() {
            Some(card) if !card.is_empty() => Ok(card),
            other => Err(format!("no card in turn {}, but {other:?}", self.turn)),
        }
    }

    fn damage(&mut self, index: usize, mut owed: i64) -> Result<(), Wrong> {
        if owed == 0 || !self.ships[index].is_here() {
            return Ok(());
        }
        self.shuffle()?;
        self.pack_of = None;
        while owed > 0 && !self.ships[index].sunk {
            owed -= 1;
            let card = self.card()?;
            if let Some(rank) = card.strip_suffix('♣') {
                self.club(index, rank)?;
            }
        }
        Ok(())
    }

    /// The piece that chance picks.
    fn picked(&mut self) -> Result<String, Wrong> {
        self.page.cards.pop_front().ok_or_else(|| "nothing was picked".to_owned())
    }

    fn club(&mut self, index: usize, rank: &str) -> Result<(), Wrong> {
        let next = self.turn + 1;
        let large = self.ships[index].large;
        self.ships[index].hits += 1;
        match (rank, large) {
            ("A", false) => self.ships[index].sunk = true,
            ("A", true) => {
                self.ships[index].fires += 1;
                self.ships[index].flooding += 1;
                self.random_gun(index, true)?;
            }
            ("K", _) => {
                let ship = &mut self.ships[index];
                (ship.no_turn, ship.no_ring) = (next, next);
                if !large {
                    ship.no_fire = next;
                }
            }
            ("Q", _) => {
                let ship = &mut self.ships[index];
                ship.speed = ship.speed.saturating_sub(if large { 1 } else { 2 });
            }
            ("J", false) => self.ships[index].jammed = next,
            ("J", true) => self.ships[index].no_turn = next,
            ("10", _) if self.ships[index].tubes > 0 => {
                let ship = &mut self.ships[index];
                let set = if large { ship.tubes.min(3) } else { 1 };
                let loaded = ship.ready.min(set);
                ship.tubes -= set;
                ship.ready -= loaded;
                ship.torpedoes -= loaded;
                if !large && loaded > 0 {
                    ship.fires += 1;
                }
            }
            ("10" | "9", _) => self.class_gun(index, true),
            ("8", _) => self.class_gun(index, false),
            ("7", false) if self.ships[index].charges > 0 => self.ships[index].charges = 0,
            ("7", _) | ("3", false) => self.random_gun(index, false)?,
            ("6", _) => self.ships[index].fires += 1,
            ("5", _) | ("4", false) => self.ships[index].flooding += 1,
            _ => {}
        }
        self.sinks(index);
        Ok(())
    }

    fn sinks(&mut self, index: usize) {
        let ship = &mut self.ships[index];
        let most = if ship.large { 6 } else { 3 };
        ship.sunk |= ship.hits >= ship.hull || ship.fires >= most || ship.flooding >= most;
    }

    /// A gun at random is lost, or silent for a turn.
    fn random_gun(&mut self, index: usize, lost: bool) -> Result<(), Wrong> {
        let next = self.turn + 1;
        let working = self.ships[index].guns.iter().filter(|gun| !gun.lost).count();
        if working == 0 {
            return Ok(());
        }
        let name = if working == 1 && self.page.cards.front().is_none_or(|c| !c.contains('-')) {
            self.ships[index].guns.iter().find(|gun| !gun.lost).unwrap().name.clone()
        } else {
            self.picked()?
        };
        let gun = self.ships[index].guns.iter_mut().find(|gun| gun.name == name && !gun.lost);
        let gun = gun.ok_or_else(|| format!("{name} is no working gun"))?;
        if lost {
            gun.lost = true;
        } else {
            gun.silent = next;
        }
        Ok(())
    }

    /// The heaviest or lightest gun that works is lost, the first of them.
    fn class_gun(&mut self, index: usize, heaviest: bool) {
        let guns = &mut self.ships[index].guns;
        let working = guns.iter().filter(|gun| !gun.lost).map(|gun| gun.class);
        let class = if heaviest { working.max() } else { working.min() };
        if let Some(gun) = guns.iter_mut().find(|gun| !gun.lost && Some(gun.class) == class) {
            gun.lost = true;
        }
    }

    /// A card for each fire, then one for each leak: a club is one more, a heart one fewer.
    fn burns(&mut self, index: usize) -> Result<(), Wrong> {
        let (fires, leaks) = (self.ships[index].fires, self.ships[index].flooding);
        if !self.ships[index].is_here() || fires + leaks == 0 {
            return Ok(());
        }
        self.shuffle()?;
        self.pack_of = None;
        for number in 0..fires + leaks {
            let card = self.card()?;
            let change = i64::from(card.ends_with('♣')) - i64::from(card.ends_with('♥'));
            let ship = &mut self.ships[index];
            let marker = if number < fires { &mut ship.fires } else { &mut ship.flooding };
            *marker += change;
        }
        self.sinks(index);
        Ok(())
    }
}

/// Plays a game. Returns how many lines were compared.
pub fn play(files: &[FileText], seed: u64) -> Result<usize, Wrong> {
    let mut model = Model::new(files, seed)?;
    while model.turn < 10 && !model.is_over() {
        model.turn()?;
    }
    Ok(model.lines)
}
