//! An independent model of *Lionel Tarr's rules*: volleys, flanks, morale, hand-to-hand fighting, ranging, circles, strike
//! and defence by the rule book alone. Two armies fire at random; the model judges each throw and compares the markers.

use std::fmt::Write as _;

use adjutant_engine::ruleset::FileText;

use super::page::{Page, Wrong};
use crate::kit::file;
use crate::kit::typist::Typist;

/// Type, strike, defence, starred, range against armour, range against men, circle.
type Kind = (&'static str, i64, i64, bool, i64, i64, i64);
const KINDS: [Kind; 12] = [
    ("anti-tank-gun88", 5, 15, false, 36, 60, 4),
    ("field-gun72", 4, 13, false, 30, 60, 3),
    ("field-gun88", 5, 13, false, 36, 60, 4),
    ("self-propelled75", 4, 14, true, 30, 60, 3),
    ("panzer-iii", 4, 14, true, 30, 60, 3),
    ("panzer-v", 5, 16, true, 36, 60, 4),
    ("t34-gun76", 4, 15, true, 30, 60, 3),
    ("t34-gun85", 5, 16, true, 36, 60, 4),
    ("t60", 3, 14, true, 25, 25, 0),
    ("self-propelled88", 5, 15, true, 36, 60, 4),
    ("self-propelled122", 5, 15, true, 60, 100, 6),
    ("armoured-car", 3, 13, true, 22, 22, 0),
];

#[derive(Clone, Debug)]
struct Body {
    name: String,
    german: bool,
    men: i64,
    strength: i64,
    /// Men when morale was last thrown for.
    mark: i64,
    /// Rifles, sub-machine guns, light and heavy machine guns.
    arms: [i64; 4],
    place: &'static str,
    street: bool,
    morale: &'static str,
    fired: bool,
    /// Volleys from the flank still to come before a reply, and whether one came this move.
    volleys: i64,
    enfiladed: bool,
}

#[derive(Clone, Debug)]
struct Machine {
    name: String,
    german: bool,
    kind: Kind,
    observed: bool,
    ranged: bool,
    tried: bool,
    fired: bool,
    destroyed: bool,
}

struct Model {
    page: Page,
    typist: Typist,
    bodies: Vec<Body>,
    machines: Vec<Machine>,
    lines: usize,
}

const ARMS: [&str; 4] = ["rifles", "sub-machine-guns", "light-machine-guns", "heavy-machine-guns"];

fn army(german: bool) -> &'static str {
    if german { "german" } else { "russian" }
}

impl Model {
    fn new(files: &[FileText], seed: u64) -> Result<Model, Wrong> {
        let mut typist = Typist::new(seed + 1);
        let mut text = String::from(
            "title = \"A model's armies\"\n[pieces.army]\ngerman = {}\nrussian = {}\n[pieces.observer]\nauge = { army = \"german\" }\nsova = { army = \"russian\" }\n[pieces.unit]\n",
        );
        let mut bodies = Vec::new();
        for index in 0..6 {
            let german = index < 3;
            let arms = [12 + typist.below(14), typist.below(10), typist.below(3), typist.below(2)];
            let arms = arms.map(|number| number as i64);
            let men = arms[0] + arms[1] + 2 * arms[2] + 3 * arms[3];
            let place = ["open", "trench", "wood"][typist.below(3)];
            let name = format!("u{index}");
            write!(
                text,
                "{name} = {{ army = \"{}\", men = {men}, place = \"{place}\"",
                army(german)
            )
            .unwrap();
            for (arm, number) in ARMS.iter().zip(arms) {
                write!(text, ", {arm} = {number}").unwrap();
            }
            let street = typist.below(6) == 0;
            writeln!(text, ", street = {street} }}").unwrap();
            bodies.push(Body {
                name,
                german,
                men,
                strength: men,
                mark: men,
                arms,
                place,
                street,
                morale: "steady",
                fired: false,
                volleys: 0,
                enfiladed: false,
            });
        }
        text.push_str("[pieces.model]\n");
        let mut machines = Vec::new();
        for index in 0..8 {
            let german = index < 4;
            let kind = KINDS[typist.below(KINDS.len())];
            let observed = typist.below(3) == 0;
            let name = format!("m{index}");
            write!(text, "{name} = {{ army = \"{}\", type = \"{}\"", army(german), kind.0).unwrap();
            if observed {
                let eyes = if german { "auge" } else { "sova" };
                write!(text, ", observer = \"{eyes}\"").unwrap();
            }
            text.push_str(" }\n");
            let (ranged, tried, fired, destroyed) = (false, false, false, false);
            machines.push(Machine {
                name,
                german,
                kind,
                observed,
                ranged,
                tried,
                fired,
                destroyed,
            });
        }
        let mut files = files.to_vec();
        files.push(FileText { scenario: Some("armies".into()), ..file("armies.toml", &text) });
        let page = Page::new("tarr", &files, "armies", seed);
        Ok(Model { page, typist, bodies, machines, lines: 0 })
    }

    fn standing(&self, german: bool) -> Vec<usize> {
        (0..6).filter(|&u| self.bodies[u].german == german && self.bodies[u].men > 0).collect()
    }

    fn one(&mut self, of: &[usize]) -> Option<usize> {
        if of.is_empty() { None } else { Some(of[self.typist.below(of.len())]) }
    }

    fn compare(&mut self) -> Result<(), Wrong> {
        self.lines += 1;
        self.page.is_done()?;
        let yes = |flag: bool| if flag { "yes" } else { "no" };
        for body in &mut self.bodies {
            self.page.expect(&body.name, "men", body.men)?;
            if body.men == 0 {
                continue;
            }
            self.page.expect(&body.name, "morale", body.morale)?;
            self.page.expect(&body.name, "volleys-to-take", body.volleys)?;
            self.page.expect(&body.name, "fired", yes(body.fired))?;
            // Which weapons the fallen had the book doesn't say: never more than before, never more than there are men.
            let now = ARMS.map(|arm| self.page.marker(&body.name, arm).parse::<i64>().unwrap());
            let armed: i64 = now.iter().sum();
            if now.iter().zip(body.arms).any(|(&now, before)| now > before) || armed > body.men {
                return Err(format!("{}: {now:?} are left of {:?}", body.name, body.arms));
            }
            body.arms = now;
        }
        for machine in &self.machines {
            self.page.expect(&machine.name, "destroyed", yes(machine.destroyed))?;
            self.page.expect(&machine.name, "ranged", yes(machine.ranged))?;
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<(), Wrong> {
        for body in &mut self.bodies {
            // A whole move without the second volley ends the wait.
            if !body.enfiladed {
                body.volleys = 0;
            }
            (body.fired, body.enfiladed) = (false, false);
        }
        for machine in &mut self.machines {
            (machine.tried, machine.fired) = (false, false);
        }
        self.begins()?;
        self.until("fire")?;
        self.compare()?;
        for _ in 0..8 {
            match self.typist.below(6) {
                0 | 1 => self.volleys()?,
                2 => self.ranges()?,
                3 => self.shells()?,
                _ => self.strikes()?,
            }
        }
        self.until("melee")?;
        self.compare()?;
        self.fights()?;
        // The street has been crossed.
        self.bodies.iter_mut().for_each(|body| body.street = false);
        self.until("end")
    }

    /// Goes on to a phase without dice of its own.
    fn until(&mut self, phase: &str) -> Result<(), Wrong> {
        for _ in 0..6 {
            if self.page.marker("state", "phase") == phase {
                return Ok(());
            }
            self.page.types("next", &[])?;
        }
        Err(format!("`{phase}` doesn't come"))
    }

    /// Wind and weather at the beginning of the battle, then a throw of each side for the move, equal ones again.
    fn begins(&mut self) -> Result<(), Wrong> {
        let battle = self.page.marker("state", "turn") == "0";
        self.page.types("next", &[])?;
        if battle {
            let from = self.page.throw("1d6", "the wind")?.faces[0];
            let from = ["north", "north", "south", "east", "west", "west"][from as usize - 1];
            self.page.expect("state", "wind-from", from)?;
            let force = self.page.throw("1d6", "its strength")?.faces[0];
            self.page.expect(
                "state",
                "wind",
                ["slow", "medium", "fast"][(force as usize - 1) / 2],
            )?;
            let sky = self.page.throw("1d6", "the weather")?.faces[0];
            let mut seen = 0;
            if sky <= 2 {
                let rain = self.page.throw("1d6", "the visibility")?.faces[0];
                seen = [28, 34, 60][(rain as usize - 1) / 2];
            }
            self.page.expect("state", "visibility", seen)?;
        }
        loop {
            let german = self.page.throw("1d6", "the German throw")?.faces[0];
            let russian = self.page.throw("1d6", "the Russian throw")?.faces[0];
            if german != russian {
                return self.page.expect("state", "first", army(german > russian));
            }
        }
    }

    fn sees(&self, range: i64) -> bool {
        let seen: i64 = self.page.marker("state", "visibility").parse().unwrap();
        seen == 0 || range <= seen
    }

    /// Half of the men attacked are killed: 1 or 2 stand, 3 or 4 withdraw, 5 or 6 run.
    fn loses(&mut self, at: usize, men: i64, melee: bool) -> Result<(), Wrong> {
        let body = &mut self.bodies[at];
        body.men = (body.men - men).max(0);
        if !melee && body.men > 0 && men > 0 && body.men * 2 <= body.mark {
            self.morale(at)?;
        }
        Ok(())
    }

    fn morale(&mut self, at: usize) -> Result<(), Wrong> {
        let face = self.page.throw("1d6", "the morale")?.faces[0];
        let body = &mut self.bodies[at];
        body.mark = body.men;
        body.morale = ["steady", "withdrawing", "routed"][(face as usize - 1) / 2];
        Ok(())
    }

    fn volleys(&mut self) -> Result<(), Wrong> {
        let german = self.typist.below(2) == 0;
        let (ours, theirs) = (self.standing(german), self.standing(!german));
        let (Some(who), Some(at)) = (self.one(&ours), self.one(&theirs)) else { return Ok(()) };
        let range = self.typist.below(20) as i64 + 1;
        let flank = self.typist.below(3) == 0;
        let (firer, target) = (self.bodies[who].clone(), self.bodies[at].clone());
        let line = format!("fire {} at {} range {range}", firer.name, target.name);
        let line = if flank { format!("{line} enfilade") } else { line };
        let reach = |arm: usize, inches: i64| if range <= inches { firer.arms[arm] } else { 0 };
        let groups = reach(0, 12) / 6 + reach(1, 3) / 3;
        let machine_guns = reach(2, 15) + reach(3, 18);
        let again = flank && target.volleys > 0;
        if firer.morale == "routed"
            || firer.volleys > 0
            || (firer.fired && !again)
            || !self.sees(range)
            || groups + machine_guns == 0
        {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        let mut hits = 0.0;
        let cover = target.place != "open";
        for (dice, street) in [(groups, 1.0 / 2.0), (machine_guns, 2.0 / 3.0)] {
            if dice > 0 {
                let scored: i64 =
                    self.page.throw(&format!("{dice}d6"), "the volley")?.faces.iter().sum();
                let rate = if target.street {
                    street
                } else if cover {
                    0.25
                } else {
                    1.0
                };
                hits += scored as f64 * rate;
            }
        }
        self.loses(at, (hits + 1e-9).floor() as i64, false)?;
        self.bodies[who].fired = true;
        let target = &mut self.bodies[at];
        if flank && target.men > 0 {
            target.volleys = match (target.volleys, target.enfiladed) {
                (0, true) => 0,
                (0, false) => 1,
                (more, _) => more - 1,
            };
            target.enfiladed = true;
        }
        self.compare()
    }

    /// One die for each gun: a 5 or 6 of one of them finds the range for all guns of its observer.
    fn ranges(&mut self) -> Result<(), Wrong> {
        let german = self.typist.below(2) == 0;
        let free = |m: &Machine| m.german == german && m.observed && !m.destroyed && !m.ranged;
        let guns: Vec<usize> = (0..8).filter(|&m| free(&self.machines[m])).collect();
        if guns.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = guns.iter().map(|&m| self.machines[m].name.as_str()).collect();
        let line = format!("range {}", names.join(" "));
        if guns.iter().any(|&m| self.machines[m].tried) {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        let found = self.page.judged((guns.len(), "1d6"), "the range", |face| face >= 5)? > 0;
        for m in guns {
            (self.machines[m].tried, self.machines[m].ranged) = (true, found);
        }
        self.compare()
    }

    fn fires(&self, gun: &Machine, range: i64) -> bool {
        !gun.destroyed && !gun.fired && if gun.observed { gun.ranged } else { self.sees(range) }
    }

    /// A circle at men: everyone within is hit, under cover too.
    fn shells(&mut self) -> Result<(), Wrong> {
        let who = self.typist.below(8);
        let gun = self.machines[who].clone();
        let theirs = self.standing(!gun.german);
        let Some(at) = self.one(&theirs) else { return Ok(()) };
        let range = self.typist.below(70) as i64 + 1;
        let line = format!("fire {} at {} range {range}", gun.name, self.bodies[at].name);
        let (_, _, _, _, _, reach, circle) = gun.kind;
        if circle == 0 || range > reach || !self.fires(&gun, range) {
            return self.page.refuses(&line);
        }
        let within = self.typist.below(self.bodies[at].men.min(6) as usize + 1) as i64;
        self.page.types(&line, &[within])?;
        self.machines[who].fired = true;
        self.loses(at, within, false)?;
        self.compare()
    }

    /// Three dice and the strike value against the defence: 2 more in front, 2 less at the side, 3 less in the rear of armour.
    fn strikes(&mut self) -> Result<(), Wrong> {
        let (who, at) = (self.typist.below(8), self.typist.below(8));
        let (gun, target) = (self.machines[who].clone(), self.machines[at].clone());
        if gun.german == target.german || target.destroyed {
            return Ok(());
        }
        let range = self.typist.below(45) as i64 + 1;
        let (facing, more) = [("front", 2), ("side", -2), ("rear", -3)][self.typist.below(3)];
        let (_, _, defence, starred, ..) = target.kind;
        let line = format!("fire {} at {} range {range} {facing}", gun.name, target.name);
        // At what isn't armoured a gun reaches as far as with high explosive.
        let reach = if starred { gun.kind.4 } else { gun.kind.5 };
        if range > reach || !self.fires(&gun, range) {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.machines[who].fired = true;
        let needed = defence + if starred { more } else { 0 } - gun.kind.1;
        if gun.observed && self.page.judged((1, "1d6"), "the direct hit", |face| face >= 5)? == 0 {
            self.page.throw("1d12", "where it falls")?;
            return self.compare();
        }
        let hit = self.page.judged((1, "3d6"), "the points", |total| total >= needed)?;
        if hit > 0 {
            (self.machines[at].destroyed, self.machines[at].ranged) = (true, false);
        }
        self.compare()
    }

    /// One die for six men, half of it in casualties to the other; at half its strength a body throws for morale.
    fn fights(&mut self) -> Result<(), Wrong> {
        let (ours, theirs) = (self.standing(true), self.standing(false));
        let (Some(one), Some(other)) = (self.one(&ours), self.one(&theirs)) else { return Ok(()) };
        let (a, b) = (self.bodies[one].clone(), self.bodies[other].clone());
        let line = format!("melee {} with {}", a.name, b.name);
        if a.morale == "routed" || b.morale == "routed" {
            return Ok(());
        }
        self.page.types(&line, &[])?;
        let dice = |men: i64| format!("{}d6", (men / 6).max(1));
        let by_a: i64 = self.page.throw(&dice(a.men), "the fight")?.faces.iter().sum();
        let by_b: i64 = self.page.throw(&dice(b.men), "the fight")?.faces.iter().sum();
        self.loses(one, by_b / 2, true)?;
        self.loses(other, by_a / 2, true)?;
        for at in [one, other] {
            let body = &self.bodies[at];
            if body.men > 0 && body.men * 2 <= body.strength {
                self.morale(at)?;
            }
        }
        self.compare()
    }
}

/// Plays a battle. Returns how many lines were compared.
pub fn play(files: &[FileText], seed: u64) -> Result<usize, Wrong> {
    let mut model = Model::new(files, seed)?;
    for _ in 0..8 {
        model.turn()?;
    }
    Ok(model.lines)
}
