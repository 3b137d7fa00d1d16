//! A model of the fires of BLITZ!, made from the rule book alone: it keeps its own table, and says of every throw of the
//! program whether it was due, with which modifiers, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_engine::referee::{Check, Event};
use adjutant_engine::session::Session;
use adjutant_engine::tabletop::{Value, inventory};

/// Column, row and level.
type Spot = (i32, i32, i32);

/// An area of one level, as the book describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    building: bool,
    stairs: bool,
    wood: bool,
    oil: bool,
    fire: i64,
    embers: bool,
    damp: i64,
    damage: i64,
    rubble: bool,
    incendiary: i64,
}

impl Area {
    /// Wood, oil and buildings burn, and the rubble of buildings; a level that has fallen away doesn't.
    fn burns(&self) -> bool {
        let gone = self.building && self.damage == 5 && !self.rubble;
        !gone && (self.building || self.rubble || self.wood || self.oil)
    }
}

/// The table, and what the throws of the present step are judged by.
#[derive(Clone, Debug)]
pub struct Model {
    areas: BTreeMap<Spot, Area>,
    /// The column and row that a strong wind blows towards, if there is one.
    wind: Option<(i32, i32)>,
    /// The areas that burnt when the turn began: only they spread.
    old_fires: BTreeSet<Spot>,
    /// The step of the turn, and the single areas that must be thrown for in it.
    step: String,
    due: BTreeSet<Spot>,
    /// What has been thrown for in this step.
    thrown: BTreeSet<(String, Spot, Spot)>,
    /// What the program did otherwise.
    pub wrong: Vec<String>,
}

/// Reads the name of an area: `b3`, `b3.1`.
fn spot(name: &str) -> Spot {
    let (place, level) = name.split_once('.').unwrap_or((name, "0"));
    let column = i32::from(place.as_bytes()[0] - b'a') + 1;
    (column, place[1..].parse().unwrap(), level.parse().unwrap())
}

const SIDES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

fn ahead((column, row, level): Spot, side: (i32, i32), by: i32) -> Spot {
    (column + side.0 * by, row + side.1 * by, level)
}

impl Model {
    /// Reads the table once, when the game begins.
    pub fn of(session: &Session, wind: Option<(i32, i32)>) -> Model {
        let areas = Model::areas_of(session);
        let (old_fires, due, thrown) = Default::default();
        Model { areas, wind, old_fires, step: String::new(), due, thrown, wrong: Vec::new() }
    }

    fn areas_of(session: &Session) -> BTreeMap<Spot, Area> {
        let mut areas: BTreeMap<Spot, Area> = BTreeMap::new();
        for (of, value) in
            inventory(session.table()).into_iter().filter(|(of, _)| of.kind == "area")
        {
            let area = areas.entry(spot(&of.piece)).or_default();
            match (of.attribute.as_str(), value) {
                ("surface", Value::Text(word)) => area.building = word == "building",
                ("store", Value::Text(word)) => {
                    (area.wood, area.oil) = (word == "wood", word == "oil");
                }
                ("stairs", Value::Flag(flag)) => area.stairs = flag,
                ("embers", Value::Flag(flag)) => area.embers = flag,
                ("rubble", Value::Flag(flag)) => area.rubble = flag,
                ("fire", Value::Whole(n)) => area.fire = n,
                ("damp", Value::Whole(n)) => area.damp = n,
                ("damage", Value::Whole(n)) => area.damage = n,
                ("incendiary-turns", Value::Whole(n)) => area.incendiary = n,
                _ => {}
            }
        }
        areas
    }

    fn fire(&self, at: Spot) -> i64 {
        self.areas.get(&at).map_or(0, |area| area.fire)
    }

    fn can_burn(&self, at: Spot) -> bool {
        self.areas.get(&at).is_some_and(Area::burns)
    }

    /// The four sides, above and below.
    fn near(&self, at: Spot) -> Vec<Spot> {
        let sides = SIDES.iter().map(|&side| ahead(at, side, 1));
        let levels = [1, -1].map(|up| (at.0, at.1, at.2 + up));
        sides.chain(levels).filter(|spot| self.areas.contains_key(spot)).collect()
    }

    /// The neighbours to which a fire spreads: sideways, by stairs up and down, from level 4 through the ceiling.
    fn spreads_to(&self, from: Spot) -> Vec<Spot> {
        let by_stairs = |lower: Spot| self.areas.get(&lower).is_some_and(|area| area.stairs);
        let open = |into: &Spot| match into.2 - from.2 {
            0 => true,
            1 => by_stairs(from) || self.fire(from) >= 4,
            _ => by_stairs(*into),
        };
        self.near(from).into_iter().filter(open).collect()
    }

    /// The areas across a gap in which nothing can burn: one area, and two before a strong wind.
    fn jumps_to(&self, from: Spot) -> Vec<Spot> {
        let mut found = Vec::new();
        for side in SIDES {
            let gap = |by| !self.can_burn(ahead(from, side, by));
            if gap(1) {
                found.push(ahead(from, side, 2));
                if gap(2) && self.wind == Some(side) {
                    found.push(ahead(from, side, 3));
                }
            }
        }
        found.retain(|spot| self.areas.contains_key(spot));
        found
    }

    fn downwind(&self, from: Spot, into: Spot) -> bool {
        let towards = ((into.0 - from.0).signum(), (into.1 - from.1).signum());
        from.2 == into.2 && self.wind == Some(towards)
    }

    /// The modifiers of a spread or jump, dampness apart.
    fn spread_modifiers(&self, from: Spot, into: Spot) -> i64 {
        let area = &self.areas[&into];
        i64::from(area.oil) - i64::from(area.embers) - i64::from(self.downwind(from, into))
    }

    fn ignite(&mut self, at: Spot) {
        let area = self.areas.get_mut(&at).unwrap();
        area.damp = 0;
        area.embers = false;
        area.fire = if area.oil { 5 } else { 1 };
        if area.oil {
            for next in self.near(at) {
                if self.fire(next) == 0 && self.can_burn(next) {
                    self.ignite(next);
                }
            }
        }
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(what());
        }
    }

    /// Judges a command by its events.
    pub fn judge(&mut self, line: &str, events: &[Event]) {
        let mut places: BTreeMap<&str, Spot> = BTreeMap::new();
        for event in events {
            match event {
                Event::Phase { phase, .. } => self.begin_phase(phase),
                Event::Bound(bound) | Event::Call { bound, .. } => {
                    for of in bound.iter().filter(|of| of.kind.as_deref() == Some("area")) {
                        if let Value::Text(name) = &of.value {
                            places.insert(of.name.as_str(), spot(name));
                        }
                    }
                }
                Event::Check(check) => self.judge_check(line, check, &places),
                _ => {}
            }
        }
        self.end_phase();
        self.step.clear();
        self.due.clear();
        let grown =
            |event: &Event| matches!(event, Event::Phase { phase, .. } if phase == "growth");
        if events.iter().any(grown) {
            self.burn_down();
        }
    }

    /// Closes the step before, of which every throw must have been made.
    fn begin_phase(&mut self, name: &str) {
        self.end_phase();
        self.thrown.clear();
        name.clone_into(&mut self.step);
        let all = || self.areas.keys().copied();
        if name == "spread" {
            self.old_fires = all().filter(|&at| self.fire(at) > 0).collect();
        }
        self.due = all().filter(|&at| self.is_due(at)).collect();
    }

    /// Whether an area must be thrown for in this step.
    fn is_due(&self, at: Spot) -> bool {
        let area = &self.areas[&at];
        match self.step.as_str() {
            "growth" => (1..5).contains(&area.fire) && (area.incendiary == 0 || area.burns()),
            "embers" => area.embers,
            "collapse" => area.building && area.fire == 5 && area.damage < 5,
            _ => false,
        }
    }

    fn end_phase(&mut self) {
        let mut missing = Vec::new();
        if self.step == "spread" {
            for &from in &self.old_fires {
                let spreads = self.spreads_to(from).into_iter().map(|into| ("spread", into));
                let leaps = self.jumps_to(from).into_iter().map(|into| ("jump", into));
                let leaps = leaps.filter(|_| self.fire(from) == 5);
                for (rule, into) in spreads.chain(leaps) {
                    let open = self.fire(into) == 0 && self.can_burn(into);
                    if open && !self.thrown.contains(&(rule.to_owned(), from, into)) {
                        missing.push(format!("{rule} {from:?} {into:?} is not thrown"));
                    }
                }
            }
        }
        for &at in &self.due {
            let thrown = self.thrown.contains(&(self.step.clone(), at, at));
            if !thrown && (self.step != "collapse" || self.is_due(at)) {
                missing.push(format!("{} {at:?} is not thrown", self.step));
            }
        }
        self.wrong.extend(missing);
    }

    fn judge_check(&mut self, line: &str, check: &Check, places: &BTreeMap<&str, Spot>) {
        let rule = check.rule.clone().unwrap_or_default();
        let throw = &check.throws[0];
        let natural: i64 = throw.natural.to_string().parse().unwrap();
        let total: i64 = throw.total.to_string().parse().unwrap();
        let passed = throw.passed.unwrap_or_default();
        let at = |name: &str| places.get(name).copied().unwrap_or_default();
        let (from, into, modifier, success) = match rule.as_str() {
            "spread" | "jump" => {
                let (from, into) = (at("from"), at("into"));
                let leap = rule == "jump";
                let due = if leap { self.jumps_to(from) } else { self.spreads_to(from) };
                let can = self.old_fires.contains(&from)
                    && due.contains(&into)
                    && self.fire(into) == 0
                    && self.can_burn(into)
                    && (!leap || self.fire(from) == 5);
                self.expect(can, || format!("{rule} {from:?} {into:?} is not due"));
                let dry = natural + self.spread_modifiers(from, into);
                let damp = self.areas[&into].damp;
                let need = if leap { 1 } else { self.fire(from) };
                let success = dry + damp <= need;
                if success {
                    self.ignite(into);
                } else if damp > 0 && dry <= need {
                    self.areas.get_mut(&into).unwrap().damp -= 1;
                }
                (from, into, dry - natural + damp, success)
            }
            "growth" => {
                let place = at("place");
                let area = self.areas[&place].clone();
                let beside = self.near(place).iter().any(|&next| self.fire(next) > 0);
                let due = area.fire > 0 && area.fire < 5 && (area.incendiary == 0 || area.burns());
                self.expect(due, || format!("growth {place:?} is not due"));
                let modifier = i64::from(beside) + i64::from(area.wood);
                let success = natural + modifier >= 6;
                self.areas.get_mut(&place).unwrap().fire += i64::from(success);
                (place, place, modifier, success)
            }
            "embers" => {
                let place = at("place");
                let success = natural >= 12;
                let area = self.areas.get_mut(&place).unwrap();
                let due = area.embers;
                if success {
                    (area.embers, area.fire, area.damp) = (false, 1, 0);
                }
                self.expect(due, || format!("embers {place:?} are none"));
                (place, place, 0, success)
            }
            "collapse" => {
                let place = at("place");
                let area = self.areas.get_mut(&place).unwrap();
                let due = area.building && area.fire == 5 && area.damage < 5;
                let success = natural >= 6;
                if success {
                    self.weaken(place);
                }
                self.expect(due, || format!("collapse {place:?} is not due"));
                (place, place, 0, success)
            }
            "stream" => {
                let place = at("target");
                let word = |word: &str| i64::from(line.split(' ').any(|typed| typed == word));
                let manned = 1 - word("unmanned");
                let range = if line.contains("range 1") { 1 } else { -word("3") };
                let fatigue = manned * (word("tired") + 2 * word("exhausted"));
                let modifier = range - fatigue + word("two-crews") - 2 * word("unmanned");
                let area = self.areas.get_mut(&place).unwrap();
                let success = natural + modifier >= area.fire;
                if success {
                    area.fire -= 1;
                    if area.fire == 0 {
                        area.incendiary = 0;
                        area.embers = area.burns();
                    }
                }
                (place, place, modifier, success)
            }
            _ => return,
        };
        let once = self.thrown.insert((rule.clone(), from, into)) || rule == "stream";
        self.expect(once, || format!("{rule} {from:?} {into:?} is thrown twice"));
        self.expect(total == natural + modifier, || {
            format!(
                "{rule} {from:?} {into:?}: {natural} comes to {total}, not {}",
                natural + modifier
            )
        });
        self.expect(passed == success, || {
            format!("{rule} {from:?} {into:?}: {total} passes: {passed}, in the book {success}")
        });
    }

    /// A building goes up a level of damage. At 5 it comes down, what stands above falls onto it, and rubble spreads.
    fn weaken(&mut self, at: Spot) {
        let area = self.areas.get_mut(&at).unwrap();
        if area.damage < 4 {
            area.damage += 1;
            return;
        }
        (area.damage, area.rubble, area.damp) = (5, true, 0);
        let above: Vec<Spot> = self
            .areas
            .keys()
            .copied()
            .filter(|s| (s.0, s.1) == (at.0, at.1) && s.2 > at.2)
            .collect();
        let intact = above.iter().any(|spot| self.areas[spot].damage < 5);
        for spot in above {
            let fallen = self.areas.get_mut(&spot).unwrap();
            let (fire, embers) = (fallen.fire, fallen.embers);
            (fallen.damage, fallen.rubble, fallen.fire) = (5, false, 0);
            (fallen.damp, fallen.embers) = (0, false);
            let heap = self.areas.get_mut(&at).unwrap();
            heap.fire = heap.fire.max(fire);
            heap.embers |= embers;
        }
        let heap = self.areas.get_mut(&at).unwrap();
        heap.embers &= heap.fire == 0;
        if !intact {
            return;
        }
        let foot = (at.0, at.1, 0);
        let around: Vec<Spot> = SIDES.iter().map(|&side| ahead(foot, side, 1)).collect();
        let around: Vec<Spot> = around.into_iter().filter(|s| self.areas.contains_key(s)).collect();
        for spot in &around {
            let area = self.areas.get_mut(spot).unwrap();
            if !area.building {
                if area.incendiary > 0 {
                    (area.incendiary, area.fire) = (0, 0);
                }
                area.rubble = true;
            }
        }
        for spot in around {
            if self.areas[&spot].building && self.areas[&spot].damage < 5 {
                self.weaken(spot);
            }
        }
    }

    /// An incendiary has fallen.
    pub fn incendiary(&mut self, name: &str) {
        let at = spot(name);
        let area = self.areas.get_mut(&at).unwrap();
        if area.fire > 0 {
            return;
        }
        if !area.building && !area.rubble && !area.wood && !area.oil {
            area.incendiary = 5;
        }
        if area.burns() {
            self.ignite(at);
        } else if !area.building {
            (area.fire, area.damp) = (1, 0);
        }
    }

    /// Water on an area that doesn't burn.
    pub fn soak(&mut self, name: &str) {
        self.areas.get_mut(&spot(name)).unwrap().damp += 1;
    }

    /// The incendiaries on the roadway burn down, after the growth of fires.
    fn burn_down(&mut self) {
        for area in self.areas.values_mut().filter(|area| area.incendiary > 0) {
            area.incendiary -= 1;
            if area.incendiary == 0 && !area.burns() {
                area.fire = 0;
            }
        }
    }

    /// Returns true if there is something to burn in an area.
    pub fn flammable(&self, name: &str) -> bool {
        self.can_burn(spot(name))
    }

    /// Returns the level of dampness of an area, `None` if it burns.
    pub fn dampness(&self, name: &str) -> Option<i64> {
        let area = &self.areas[&spot(name)];
        (area.fire == 0).then_some(area.damp)
    }

    /// Compares the tables.
    pub fn compare(&mut self, line: &str, session: &Session) {
        for (at, theirs) in Model::areas_of(session) {
            let ours = self.areas[&at].clone();
            self.expect(ours == theirs, || {
                format!("{line}: {at:?} is {theirs:?}, in the book {ours:?}")
            });
        }
    }
}
