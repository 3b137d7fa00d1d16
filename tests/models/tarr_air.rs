//! A second independent model of *Lionel Tarr's rules*: minefields, first fire, flame-throwers, bombs and strafing from the
//! air, flak, parachutists and bombers hit, by the rule book alone. The model judges each throw and compares the markers;
//! who moves first, wind and weather are judged by the other model.

use std::fmt::Write as _;

use adjutant_engine::ruleset::FileText;

use super::page::{Page, Wrong};
use crate::kit::file;
use crate::kit::typist::Typist;

/// Type, defence, starred, inches across country.
const TANKS: [(&str, i64, bool, i64); 5] = [
    ("panzer-iii", 14, true, 10),
    ("panzer-v", 16, true, 8),
    ("t34-gun85", 16, true, 10),
    ("t60", 14, true, 18),
    ("lorry", 7, false, 18),
];
/// Type, strike, defence, moves over the table, strafes, is a bomber.
const PLANES: [(&str, i64, i64, i64, bool, bool); 3] = [
    ("fighter", 6, 22, 6, true, false),
    ("tactical-bomber", 6, 20, 5, true, true),
    ("heavy-bomber", 10, 22, 8, false, true),
];
const FIELDS: [(&str, bool); 2] = [("fieldt", true), ("fieldp", false)];

#[derive(Clone, Debug)]
struct Body {
    name: String,
    german: bool,
    men: i64,
    /// Men when morale was last thrown for.
    mark: i64,
    rifles: i64,
    flames: i64,
    place: &'static str,
    morale: &'static str,
    house: Option<usize>,
    carrier: Option<usize>,
    field: Option<usize>,
    moved: bool,
    fired: bool,
    dropping: bool,
}

#[derive(Clone, Debug)]
struct Tank {
    name: String,
    german: bool,
    defence: i64,
    starred: bool,
    inches: i64,
    field: Option<usize>,
    moved: bool,
    destroyed: bool,
}

#[derive(Clone, Debug)]
struct Plane {
    name: String,
    german: bool,
    strike: i64,
    defence: i64,
    left: i64,
    strafes: bool,
    bomber: bool,
    loaded: bool,
    transport: bool,
    aloft: bool,
    low: bool,
    fired: bool,
    destroyed: bool,
}

#[derive(Clone, Debug)]
struct Gun {
    name: String,
    german: bool,
    twin: bool,
    fired: bool,
}

struct Model {
    page: Page,
    typist: Typist,
    bodies: Vec<Body>,
    tanks: Vec<Tank>,
    planes: Vec<Plane>,
    guns: Vec<Gun>,
    /// Houses that burn, and that are destroyed.
    houses: Vec<(bool, bool)>,
    /// Who fires first, and at whom.
    meetings: Vec<(usize, usize)>,
    lines: usize,
}

fn army(german: bool) -> &'static str {
    if german { "german" } else { "russian" }
}

fn yes(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// The first number in a question.
fn number_in(question: &str) -> i64 {
    let asked = question.split("the question was:").nth(1).unwrap_or(question);
    let digits = asked.chars().skip_while(|c| !c.is_ascii_digit());
    digits.take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(1)
}

impl Model {
    fn new(files: &[FileText], seed: u64) -> Model {
        let mut typist = Typist::new(seed + 1);
        let mut text = String::from(
            "title = \"A model's mines and aircraft\"\n[pieces.army]\ngerman = {}\nrussian = {}\n[pieces.minefield]\n\
             fieldt = { army = \"german\", mines = \"anti-tank\", width = 9 }\n\
             fieldp = { army = \"russian\", mines = \"anti-personnel\", width = 9 }\n\
             [pieces.model]\nhouse0 = { type = \"building\" }\nhouse1 = { type = \"building\" }\n",
        );
        let mut tanks = Vec::new();
        let mut planes = Vec::new();
        let mut guns = Vec::new();
        let mut bodies = Vec::new();
        for index in 0..4 {
            let german = index < 2;
            let (of, defence, starred, inches) = TANKS[typist.below(TANKS.len())];
            let name = format!("tank{index}");
            writeln!(text, "{name} = {{ army = \"{}\", type = \"{of}\" }}", army(german)).unwrap();
            tanks.push(Tank {
                name,
                german,
                defence,
                starred,
                inches,
                field: None,
                moved: false,
                destroyed: false,
            });
        }
        for index in 0..6 {
            let german = index % 2 == 0;
            let transport = index > 3;
            let (of, strike, defence, left, strafes, bomber) = if transport {
                ("transport-plane", 0, 0, 8, false, false)
            } else {
                PLANES[typist.below(PLANES.len())]
            };
            let name = format!("plane{index}");
            writeln!(text, "{name} = {{ army = \"{}\", type = \"{of}\" }}", army(german)).unwrap();
            planes.push(Plane {
                name,
                german,
                strike,
                defence,
                left,
                strafes,
                bomber,
                loaded: !transport,
                transport,
                aloft: false,
                low: false,
                fired: false,
                destroyed: false,
            });
        }
        for index in 0..4 {
            let german = index % 2 == 0;
            let twin = index > 1;
            let name = format!("flak{index}");
            let of = if twin { "anti-aircraft-twin" } else { "anti-aircraft88" };
            writeln!(text, "{name} = {{ army = \"{}\", type = \"{of}\" }}", army(german)).unwrap();
            guns.push(Gun { name, german, twin, fired: false });
        }
        text.push_str("[pieces.unit]\n");
        for index in 0..8 {
            let german = index % 2 == 0;
            let para = index > 5;
            let (rifles, flames) =
                if para { (18, 0) } else { (12 + typist.below(9), typist.below(5)) };
            let men = (rifles + flames) as i64;
            let name = if para { format!("para{index}") } else { format!("body{index}") };
            let place = ["open", "trench", "wood"][typist.below(3)];
            let place = if para || index > 3 { "open" } else { place };
            let carrier = para.then(|| index - 2);
            let house = (!para && index > 3).then(|| index - 4);
            let inside = match (carrier, house) {
                (Some(plane), _) => format!(", inside = \"plane{plane}\""),
                (_, Some(house)) => format!(", inside = \"house{house}\""),
                _ => String::new(),
            };
            writeln!(
                text,
                "{name} = {{ army = \"{}\", men = {men}, rifles = {rifles}, flame-throwers = {flames}, place = \"{place}\"{inside} }}",
                army(german)
            )
            .unwrap();
            bodies.push(Body {
                name,
                german,
                men,
                mark: men,
                rifles: rifles as i64,
                flames: flames as i64,
                place,
                morale: "steady",
                house,
                carrier,
                field: None,
                moved: false,
                fired: false,
                dropping: false,
            });
        }
        let mut files = files.to_vec();
        files.push(FileText { scenario: Some("air".into()), ..file("air.toml", &text) });
        let page = Page::new("tarr", &files, "air", seed);
        Model {
            page,
            typist,
            bodies,
            tanks,
            planes,
            guns,
            houses: vec![(false, false); 2],
            meetings: Vec::new(),
            lines: 0,
        }
    }

    fn compare(&mut self) -> Result<(), Wrong> {
        self.lines += 1;
        self.page.is_done()?;
        for body in &mut self.bodies {
            self.page.expect(&body.name, "men", body.men)?;
            if body.men == 0 {
                continue;
            }
            self.page.expect(&body.name, "morale", body.morale)?;
            self.page.expect(&body.name, "fired", yes(body.fired))?;
            self.page.expect(&body.name, "dropping", yes(body.dropping))?;
            let inside = match (body.house, body.carrier) {
                (Some(house), _) => format!("house{house}"),
                (_, Some(plane)) => format!("plane{plane}"),
                _ => "none".to_owned(),
            };
            self.page.expect(&body.name, "inside", inside)?;
            // Which weapons the fallen had the book doesn't say: never more than before.
            let now = ["rifles", "flame-throwers"].map(|arm| self.page.marker(&body.name, arm));
            let now = now.map(|number| number.parse::<i64>().unwrap());
            if now[0] > body.rifles || now[1] > body.flames || now[0] + now[1] > body.men {
                return Err(format!("{}: {now:?} are left of {} men", body.name, body.men));
            }
            [body.rifles, body.flames] = now;
        }
        for tank in &self.tanks {
            self.page.expect(&tank.name, "destroyed", yes(tank.destroyed))?;
        }
        for plane in &self.planes {
            self.page.expect(&plane.name, "destroyed", yes(plane.destroyed))?;
            self.page.expect(&plane.name, "aloft", yes(plane.aloft))?;
            self.page.expect(&plane.name, "moves-left", plane.left)?;
            self.page.expect(&plane.name, "loaded", yes(plane.loaded))?;
        }
        for (index, &(burns, destroyed)) in self.houses.iter().enumerate() {
            self.page.expect(&format!("house{index}"), "burning", yes(burns))?;
            self.page.expect(&format!("house{index}"), "destroyed", yes(destroyed))?;
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<(), Wrong> {
        self.page.types("next", &[])?;
        self.page.passes_over();
        for _ in 0..2 {
            self.page.types("next", &[])?;
            let german = self.page.marker("state", "side") == "german";
            for _ in 0..8 {
                self.moves(german)?;
            }
        }
        self.mines()?;
        for _ in 0..14 {
            match self.typist.below(6) {
                0 => self.meets()?,
                1 | 2 => self.fires()?,
                3 => self.flames()?,
                4 => self.flak(None)?,
                _ => self.strikes()?,
            }
        }
        self.page.types("next", &[])?;
        self.page.types("next", &[])?;
        for plane in self.planes.iter_mut().filter(|plane| plane.aloft) {
            plane.left -= 1;
            plane.aloft = plane.left > 0;
        }
        for plane in &mut self.planes {
            plane.fired = false;
            plane.low = false;
        }
        for body in &mut self.bodies {
            body.moved = false;
            body.fired = false;
            body.dropping = false;
        }
        self.tanks.iter_mut().for_each(|tank| tank.moved = false);
        self.guns.iter_mut().for_each(|gun| gun.fired = false);
        Ok(())
    }

    // ------------------------------------------------------------ moves

    fn moves(&mut self, german: bool) -> Result<(), Wrong> {
        match self.typist.below(6) {
            0 | 1 => self.moves_men(german),
            2 | 3 => self.moves_tank(german),
            4 => self.arrives(german),
            _ => self.flak(Some(true)),
        }
    }

    /// Men cross a minefield at half their four inches; who leaves it after a move throws at once.
    fn moves_men(&mut self, german: bool) -> Result<(), Wrong> {
        let at = self.typist.below(4);
        let body = self.bodies[at].clone();
        if body.german != german || body.men == 0 || body.morale != "steady" {
            return Ok(());
        }
        match body.field {
            None => {
                let field = self.typist.below(2);
                self.page.types(&format!("enter {} {}", body.name, FIELDS[field].0), &[])?;
                self.bodies[at].field = Some(field);
            }
            Some(_) if body.moved && self.typist.below(2) == 0 => {
                let mines = self.is_mined(at);
                let given = self.answers_of_mines(&format!("leave {}", body.name))?;
                if mines {
                    self.mines_under(at, &given)?;
                }
                self.bodies[at].field = None;
                self.bodies[at].place = "open";
            }
            Some(_) if body.moved => self.page.refuses(&format!("move {} 2", body.name))?,
            Some(_) => {
                self.page.refuses(&format!("move {} 3", body.name))?;
                self.page.types(&format!("move {} 2", body.name), &[])?;
                let body = &mut self.bodies[at];
                body.moved = true;
                if body.place == "trench" {
                    body.place = "open";
                }
            }
        }
        self.compare()
    }

    fn moves_tank(&mut self, german: bool) -> Result<(), Wrong> {
        let at = self.typist.below(4);
        let tank = self.tanks[at].clone();
        if tank.german != german || tank.destroyed {
            return Ok(());
        }
        let half = tank.inches / 2;
        match tank.field {
            None => {
                self.page.types(&format!("enter {} fieldt", tank.name), &[])?;
                self.tanks[at].field = Some(0);
            }
            Some(_) if tank.moved && self.typist.below(2) == 0 => {
                self.page.types(&format!("leave {}", tank.name), &[])?;
                self.mine_under_tank(at)?;
                self.tanks[at].field = None;
            }
            Some(_) if tank.moved => {
                self.page.refuses(&format!("move {} {half}", tank.name))?;
            }
            Some(_) => {
                self.page.refuses(&format!("move {} {}", tank.name, half + 1))?;
                self.page.types(&format!("move {} {half}", tank.name), &[])?;
                self.tanks[at].moved = true;
            }
        }
        self.compare()
    }

    /// An aircraft comes over the table, or parachutists drop from it.
    fn arrives(&mut self, german: bool) -> Result<(), Wrong> {
        let at = self.typist.below(6);
        let plane = self.planes[at].clone();
        if plane.german != german {
            return Ok(());
        }
        let on_board = self.bodies.iter().position(|body| body.carrier == Some(at));
        if let Some(body) = on_board.filter(|_| plane.aloft) {
            let who = self.bodies[body].name.clone();
            self.page.types(&format!("drop {who}"), &[])?;
            let body = &mut self.bodies[body];
            body.carrier = None;
            body.dropping = true;
            return self.compare();
        }
        let line = format!("arrive {}", plane.name);
        if plane.destroyed || plane.aloft || plane.left == 0 {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.planes[at].aloft = true;
        self.compare()
    }

    // ------------------------------------------------------------ mines

    fn is_mined(&self, at: usize) -> bool {
        let body = &self.bodies[at];
        body.moved && body.men > 0 && body.field.is_some_and(|field| !FIELDS[field].1)
    }

    /// Types a line in which mines may go up, and says of each how many men were near: a few more than there are mines.
    fn answers_of_mines(&mut self, line: &str) -> Result<Vec<String>, Wrong> {
        let bodies: Vec<(String, i64)> =
            self.bodies.iter().map(|body| (body.name.clone(), body.men)).collect();
        let more = self.typist.below(4) as i64;
        self.page.asks(line, |question| {
            let of = bodies.iter().find(|(name, _)| question.contains(name.as_str()));
            of.map_or_else(String::new, |(_, men)| {
                (number_in(question) + more).min(*men).to_string()
            })
        })
    }

    /// A die for each vehicle on a field, then one for each man who moved on it.
    fn mines(&mut self) -> Result<(), Wrong> {
        let given = self.answers_of_mines("next")?;
        for at in 0..4 {
            if self.tanks[at].field.is_some() && !self.tanks[at].destroyed {
                self.mine_under_tank(at)?;
            }
        }
        let mut given = given.as_slice();
        for at in 0..self.bodies.len() {
            if self.is_mined(at) {
                given = &given[self.mines_under(at, given)?..];
            }
        }
        self.compare()
    }

    /// On 5 or 6 a mine of strike 6, against the defence without the facing.
    fn mine_under_tank(&mut self, at: usize) -> Result<(), Wrong> {
        if self.page.judged((1, "1d6"), "the mine", |face| face >= 5)? > 0 {
            let needed = self.tanks[at].defence - 6;
            let hit = self.page.judged((1, "3d6"), "its points", |total| total >= needed)?;
            self.tanks[at].destroyed |= hit > 0;
        }
        Ok(())
    }

    /// Returns how many answers were used.
    fn mines_under(&mut self, at: usize, given: &[String]) -> Result<usize, Wrong> {
        let men = self.bodies[at].men;
        if self.page.judged((men as usize, "1d6"), "the mines", |face| face >= 5)? == 0 {
            return Ok(0);
        }
        let within = given.first().ok_or("nobody asks who is near the mines")?;
        self.loses(at, within.parse().unwrap())?;
        Ok(1)
    }

    // ------------------------------------------------------------ losses

    /// Half of the men attacked are killed: 1 or 2 stand, 3 or 4 withdraw, 5 or 6 run.
    fn loses(&mut self, at: usize, men: i64) -> Result<(), Wrong> {
        let body = &mut self.bodies[at];
        body.men = (body.men - men).max(0);
        if body.men > 0 && body.men * 2 <= body.mark {
            let face = self.page.throw("1d6", "the morale")?.faces[0];
            let body = &mut self.bodies[at];
            body.mark = body.men;
            body.morale = ["steady", "withdrawing", "routed"][(face as usize - 1) / 2];
        }
        Ok(())
    }

    fn rate(&self, at: usize) -> i64 {
        let body = &self.bodies[at];
        if body.place != "open" || body.house.is_some() { 4 } else { 1 }
    }

    fn sees(&self, range: i64) -> bool {
        let seen: i64 = self.page.marker("state", "visibility").parse().unwrap();
        seen == 0 || range <= seen
    }

    /// Two bodies of men of different sides that are on the ground.
    fn pair(&mut self) -> Option<(usize, usize)> {
        let one = self.typist.below(8);
        let other = self.typist.below(8);
        let a = &self.bodies[one];
        let b = &self.bodies[other];
        let ground = a.carrier.is_none() && b.carrier.is_none();
        (ground && a.german != b.german && a.men > 0 && b.men > 0).then_some((one, other))
    }

    /// Two bodies that have met and are still there, either of them first.
    fn pair_that_met(&mut self) -> Option<(usize, usize)> {
        let there = |at: usize| self.bodies[at].men > 0 && self.bodies[at].carrier.is_none();
        let still = |&&(first, second): &&(usize, usize)| there(first) && there(second);
        let met: Vec<(usize, usize)> = self.meetings.iter().filter(still).copied().collect();
        if met.is_empty() {
            return None;
        }
        let (first, second) = met[self.typist.below(met.len())];
        Some(if self.typist.below(2) == 0 { (first, second) } else { (second, first) })
    }

    // ------------------------------------------------------------ first fire

    /// Each throws a die, equal ones again; the higher fires first from now on.
    fn meets(&mut self) -> Result<(), Wrong> {
        let Some((one, other)) = self.pair() else { return Ok(()) };
        let line = format!("meet {} with {}", self.bodies[one].name, self.bodies[other].name);
        let pair = |&(a, b): &(usize, usize)| [(one, other), (other, one)].contains(&(a, b));
        if self.meetings.iter().any(pair) {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        loop {
            let ours = self.page.throw("1d6", "the throw to fire first")?.faces[0];
            let theirs = self.page.throw("1d6", "the throw to fire first")?.faces[0];
            if ours != theirs {
                self.meetings.push(if ours > theirs { (one, other) } else { (other, one) });
                return self.compare();
            }
        }
    }

    /// Who lost the throw waits while the other has not fired and could.
    fn waits(&self, who: usize, at: usize) -> bool {
        let first = &self.bodies[at];
        self.meetings.contains(&(at, who))
            && first.men > 0
            && !first.fired
            && !first.dropping
            && first.morale != "routed"
    }

    fn may_fire(&self, who: usize, at: usize) -> bool {
        let body = &self.bodies[who];
        !body.fired && !body.dropping && body.morale != "routed" && !self.waits(who, at)
    }

    /// Six rifles are a die at 12 inches, three flame-throwers at 3.
    fn fires(&mut self) -> Result<(), Wrong> {
        let pair = if self.typist.below(3) == 0 { self.pair() } else { self.pair_that_met() };
        let Some((who, at)) = pair else { return Ok(()) };
        let range = [2, 8, 12, 13][self.typist.below(4)];
        let firer = self.bodies[who].clone();
        let line = format!("fire {} at {} range {range}", firer.name, self.bodies[at].name);
        let rifles = if range <= 12 { firer.rifles / 6 } else { 0 };
        let dice = rifles + if range <= 3 { firer.flames / 3 } else { 0 };
        if dice == 0 || !self.may_fire(who, at) {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.bodies[who].fired = true;
        let thrown = self.page.throw(&format!("{dice}d6"), "the volley")?;
        let hits = thrown.faces.iter().sum::<i64>() / self.rate(at);
        self.loses(at, hits)?;
        self.compare()
    }

    // ------------------------------------------------------------ flame

    fn flames(&mut self) -> Result<(), Wrong> {
        let Some((who, at)) = self.pair() else { return Ok(()) };
        let firer = self.bodies[who].clone();
        let range = self.typist.below(4) as i64 + 1;
        let may = |model: &Model, at: Option<usize>| {
            let waits = at.is_some_and(|at| model.waits(who, at));
            firer.flames > 0 && range <= 3 && !waits && {
                let body = &model.bodies[who];
                !body.fired && !body.dropping && body.morale != "routed"
            }
        };
        match self.typist.below(3) {
            0 => {
                let line =
                    format!("flame {} at {} range {range}", firer.name, self.bodies[at].name);
                if !may(self, Some(at)) {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.bodies[who].fired = true;
                let rate = self.rate(at);
                self.burns(at, firer.flames, rate)?;
            }
            1 => {
                let tank = self.typist.below(4);
                let target = self.tanks[tank].clone();
                let facing = ["rear", "side", "front"][self.typist.below(3)];
                let line =
                    format!("flame {} at {} range {range} {facing}", firer.name, target.name);
                let enemy = target.german != firer.german && !target.destroyed;
                if !may(self, None) || !enemy || facing != "rear" {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.bodies[who].fired = true;
                let needed = target.defence - if target.starred { 3 } else { 0 } - 6;
                let hit = self.page.judged((1, "3d6"), "the flame", |total| total >= needed)?;
                self.tanks[tank].destroyed |= hit > 0;
            }
            _ => {
                let house = self.typist.below(2);
                let line = format!("flame {} at house{house} range {range}", firer.name);
                let inside: Vec<usize> =
                    (0..8).filter(|&b| self.bodies[b].house == Some(house)).collect();
                let inside: Vec<usize> =
                    inside.into_iter().filter(|&b| self.bodies[b].men > 0).collect();
                let friends = inside.iter().any(|&b| self.bodies[b].german == firer.german);
                if !may(self, None) || friends || self.houses[house].1 {
                    return self.page.refuses(&line);
                }
                // The way out is open to every second body.
                let out = self.typist.below(2) == 0;
                let given = self.page.asks(&line, |_| yes(out).to_owned())?;
                self.bodies[who].fired = true;
                self.houses[house].0 = true;
                for at in inside {
                    self.burns(at, firer.flames, 1)?;
                    let body = &mut self.bodies[at];
                    if body.men == 0 {
                        continue;
                    }
                    if given.is_empty() {
                        return Err(format!("`{line}` asks of no way out"));
                    }
                    if out {
                        body.house = None;
                    } else {
                        body.men = 0;
                    }
                }
            }
        }
        self.compare()
    }

    /// Three flame-throwers are three sub-machine guns: a die. Of the die of one a third counts, of two two thirds.
    fn burns(&mut self, at: usize, flames: i64, rate: i64) -> Result<(), Wrong> {
        let groups = flames / 3;
        let odd = flames % 3;
        let mut thirds = 0;
        if groups > 0 {
            let thrown = self.page.throw(&format!("{groups}d6"), "the flame")?;
            thirds += 3 * thrown.faces.iter().sum::<i64>();
        }
        if odd > 0 {
            thirds += odd * self.page.throw("1d6", "the odd flame")?.faces[0];
        }
        self.loses(at, thirds / (3 * rate))
    }

    // ------------------------------------------------------------ the air

    /// Twenty for every single target from the air: below it the bomb misses by six inches.
    fn strikes(&mut self) -> Result<(), Wrong> {
        let who = self.typist.below(4);
        let plane = self.planes[who].clone();
        let may = plane.aloft && !plane.destroyed && !plane.fired;
        let points = 20 - plane.strike;
        let body = self.typist.below(8);
        let tank = self.typist.below(4);
        let range = [10, 18, 19][self.typist.below(3)];
        match self.typist.below(5) {
            0 => {
                let target = self.bodies[body].clone();
                let line = format!("bomb {} on {}", plane.name, target.name);
                let open = target.house.is_none() && target.carrier.is_none() && target.men > 0;
                if !may || !plane.loaded || !open || target.german == plane.german {
                    return self.page.refuses(&line);
                }
                let within = self.typist.below(target.men.min(8) as usize + 1);
                let given = self.page.asks(&line, |_| within.to_string())?;
                self.strikes_low(who, plane.strafes);
                if self.page.judged((1, "3d6"), "the bomb", |total| total >= points)? == 0 {
                    self.page.throw("1d12", "where it falls")?;
                } else if given.is_empty() {
                    return Err(format!("`{line}` asks of nobody under the circle"));
                } else {
                    self.loses(body, within as i64)?;
                }
            }
            1 => {
                let target = self.tanks[tank].clone();
                let line = format!("bomb {} on {}", plane.name, target.name);
                if !may || !plane.loaded || target.destroyed || target.german == plane.german {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.strikes_low(who, plane.strafes);
                if self.page.judged((1, "3d6"), "the bomb", |total| total >= points)? == 0 {
                    self.page.throw("1d12", "where it falls")?;
                } else {
                    self.tanks[tank].destroyed = true;
                }
            }
            2 => {
                let house = self.typist.below(2);
                let last = self.typist.below(3) == 0;
                let line = format!("bomb {} on house{house}", plane.name);
                let line = if last { format!("{line} last") } else { line };
                if !may || !plane.loaded || self.houses[house].1 {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.strikes_low(who, plane.strafes);
                self.planes[who].loaded = !last;
                if self.page.judged((1, "3d6"), "the bomb", |total| total >= points)? == 0 {
                    self.page.throw("1d12", "where it falls")?;
                } else {
                    self.houses[house].1 = true;
                    // Troops inside buildings hit by bombs are killed.
                    for body in self.bodies.iter_mut().filter(|b| b.house == Some(house)) {
                        body.men = 0;
                    }
                }
            }
            3 => {
                let target = self.bodies[body].clone();
                let line = format!("strafe {} at {} range {range}", plane.name, target.name);
                let there = target.carrier.is_none() && target.men > 0;
                let enemy = target.german != plane.german;
                if !may || !plane.strafes || !there || !enemy || range > 18 {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.strikes_low(who, true);
                let scored = self.page.throw("1d6", "the strafing")?.faces[0];
                self.loses(body, scored / self.rate(body))?;
            }
            _ => {
                let target = self.tanks[tank].clone();
                let line = format!("strafe {} at {} range {range}", plane.name, target.name);
                let enemy = target.german != plane.german && !target.destroyed;
                if !may || !plane.strafes || !enemy || range > 18 {
                    return self.page.refuses(&line);
                }
                self.page.types(&line, &[])?;
                self.strikes_low(who, true);
                let hit = self.page.judged((1, "3d6"), "the strafing", |total| total >= points)?;
                self.tanks[tank].destroyed |= hit > 0;
            }
        }
        self.compare()
    }

    fn strikes_low(&mut self, who: usize, low: bool) {
        self.planes[who].fired = true;
        self.planes[who].low |= low;
    }

    /// Flak by the points; the twin cannon only at what comes low, and at transports, which are hit on 5 or 6.
    fn flak(&mut self, in_the_moves: Option<bool>) -> Result<(), Wrong> {
        let who = self.typist.below(4);
        let at = self.typist.below(6);
        let gun = self.guns[who].clone();
        let plane = self.planes[at].clone();
        let range = [12, 18, 19, 40, 41][self.typist.below(5)];
        let line = format!("flak {} at {} range {range}", gun.name, plane.name);
        let line = match in_the_moves {
            None if self.typist.below(2) == 0 => line.replacen("flak ", "fire ", 1),
            _ => line,
        };
        let reach = if gun.twin { 18 } else { 40 };
        let low = !gun.twin || plane.low || plane.transport;
        let enemy = gun.german != plane.german;
        if gun.fired || !plane.aloft || !low || !enemy || range > reach || !self.sees(range) {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.guns[who].fired = true;
        let hit = if plane.transport {
            self.page.judged((1, "1d6"), "the flak", |face| face >= 5)? > 0
        } else {
            let needed = plane.defence - if gun.twin { 4 } else { 5 };
            self.page.judged((1, "3d6"), "the flak", |total| total >= needed)? > 0
        };
        if hit {
            self.planes[at].destroyed = true;
            self.planes[at].aloft = false;
            // One die for six men aboard: the number thrown is unhurt.
            if let Some(body) = self.bodies.iter().position(|body| body.carrier == Some(at)) {
                let men = self.bodies[body].men;
                let thrown = self.page.throw(&format!("{}d6", men / 6), "the unhurt")?;
                let unhurt: i64 = thrown.faces.iter().sum();
                self.bodies[body].carrier = None;
                self.loses(body, men - unhurt)?;
            }
            if plane.bomber && plane.loaded {
                self.page.throw("1d6", "its load")?;
                self.planes[at].loaded = false;
            }
        }
        self.compare()
    }
}

/// Plays a battle. Returns how many lines were compared.
pub fn play(files: &[FileText], seed: u64) -> Result<usize, Wrong> {
    let mut model = Model::new(files, seed);
    for _ in 0..7 {
        model.turn()?;
    }
    Ok(model.lines)
}
