//! A model of what bombs, falling walls, heat and work do to the people of BLITZ!, made from the rule book alone. It keeps
//! its own table, works out which dice were due after each line, and what came of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use adjutant_engine::referee::Event;
use adjutant_engine::session::Session;
use adjutant_engine::tabletop::{Value, inventory};

/// Column, row and level.
type Spot = (i32, i32, i32);

/// What a throw was for, whose it was, its natural face, and its total.
type Key = (&'static str, String);

/// The rules whose throws this model judges, and the names by which their throws are told apart.
const JUDGED: [(&str, &[&str]); 15] = [
    ("blast", &["place"]),
    ("blast-team", &["team"]),
    ("blast-vehicle", &["vehicle"]),
    ("blast-hose", &["hose", "place"]),
    ("blast-hydrant-hose", &["vehicle", "place"]),
    ("escape", &["team"]),
    ("escape-by-road", &["vehicle"]),
    ("face-heat", &["team"]),
    ("hold", &["team"]),
    ("search-for", &["casualty"]),
    ("dig-out", &["casualty"]),
    ("begin-digging", &["casualty"]),
    ("casualty-status", &["casualty"]),
    ("stirrup-pump", &["party"]),
    ("play", &["hose"]),
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Area {
    building: bool,
    stairs: bool,
    damage: i64,
    rubble: bool,
    crater: bool,
    fire: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Team {
    at: String,
    aboard: String,
    hose: String,
    kind: String,
    digging: String,
    fatigue: i64,
    activity: i64,
    rest: i64,
    empty: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Vehicle {
    at: String,
    kind: String,
    condition: String,
    water: i64,
    rations: i64,
    hydrant: String,
    hydrant_route: Vec<String>,
    hydrant_cut: BTreeSet<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Hose {
    pump: String,
    route: Vec<String>,
    cuts: BTreeSet<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Casualty {
    at: String,
    stage: String,
    state: String,
    dig_turns: i64,
}

/// Everything that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    areas: BTreeMap<String, Area>,
    teams: BTreeMap<String, Team>,
    vehicles: BTreeMap<String, Vehicle>,
    hoses: BTreeMap<String, Hose>,
    casualties: BTreeMap<String, Casualty>,
    all_clear: bool,
}

struct Throw {
    natural: i64,
    total: i64,
    verdict: String,
}

/// The table of the model, and the throws of the last line.
#[derive(Default)]
pub struct Model {
    pub ground: Ground,
    throws: BTreeMap<Key, VecDeque<Throw>>,
    /// Casualties that the last line made, who have no names yet.
    unnamed: Vec<Casualty>,
    active: BTreeSet<String>,
    /// Stands and the areas from which the heat has driven them this turn.
    pub driven: BTreeSet<(String, String)>,
    refilling: BTreeSet<String>,
    pub played: BTreeSet<String>,
    from_hydrant: BTreeMap<String, i64>,
    streams: BTreeMap<String, i64>,
    pub wrong: Vec<String>,
}

fn spot(name: &str) -> Spot {
    let (place, level) = name.split_once('.').unwrap_or((name, "0"));
    let column = i32::from(place.as_bytes()[0] - b'a') + 1;
    (column, place[1..].parse().unwrap(), level.parse().unwrap())
}

fn named((column, row, level): Spot) -> Option<String> {
    let letter = u8::try_from(column - 1).ok().filter(|c| *c < 26)? + b'a';
    let ground = format!("{}{row}", letter as char);
    Some(if level == 0 { ground } else { format!("{ground}.{level}") })
}

/// The areas between two, levels counted.
pub fn apart(one: &str, other: &str) -> i32 {
    let (one, other) = (spot(one), spot(other));
    (one.0 - other.0).abs() + (one.1 - other.1).abs() + (one.2 - other.2).abs()
}

fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) if text != "nothing" => text.split(' ').map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

impl Ground {
    pub fn of(session: &Session) -> Ground {
        let mut ground = Ground::default();
        let mut gone = BTreeSet::new();
        for (of, value) in inventory(session.table()) {
            let (kind, name) = (of.kind.as_str(), of.piece.clone());
            if of.attribute.is_empty() && value == Value::Flag(false) {
                gone.insert((kind.to_owned(), name.clone()));
            }
            if gone.contains(&(kind.to_owned(), name.clone())) {
                continue;
            }
            let text = || match &value {
                Value::Text(text) => text.clone(),
                _ => String::new(),
            };
            let number = || if let Value::Whole(n) = value { n } else { 0 };
            let flag = value == Value::Flag(true);
            match (kind, of.attribute.as_str()) {
                ("area", attribute) => {
                    let area = ground.areas.entry(name).or_default();
                    match attribute {
                        "surface" => area.building = text() == "building",
                        "stairs" => area.stairs = flag,
                        "damage" => area.damage = number(),
                        "rubble" => area.rubble = flag,
                        "crater" => area.crater = flag,
                        "fire" => area.fire = number(),
                        _ => {}
                    }
                }
                ("team", attribute) => {
                    let team = ground.teams.entry(name).or_default();
                    match attribute {
                        "at" => team.at = text(),
                        "aboard" => team.aboard = text(),
                        "hose" => team.hose = text(),
                        "type" => team.kind = text(),
                        "digging" => team.digging = text(),
                        "fatigue" => {
                            let states = ["fresh", "tired", "exhausted"];
                            let state = states.iter().position(|state| *state == text()).unwrap();
                            team.fatigue = i64::try_from(state).unwrap();
                        }
                        "activity" => team.activity = number(),
                        "rest-left" => team.rest = number(),
                        "empty" => team.empty = flag,
                        _ => {}
                    }
                }
                ("vehicle", attribute) => {
                    let vehicle = ground.vehicles.entry(name).or_default();
                    match attribute {
                        "at" => vehicle.at = text(),
                        "type" => vehicle.kind = text(),
                        "condition" => vehicle.condition = text(),
                        "water" => vehicle.water = number(),
                        "rations" => vehicle.rations = number(),
                        "hydrant" => vehicle.hydrant = text(),
                        "hydrant-route" => vehicle.hydrant_route = words(&value),
                        "hydrant-cut" => vehicle.hydrant_cut = words(&value).into_iter().collect(),
                        _ => {}
                    }
                }
                ("hose", attribute) => {
                    let hose = ground.hoses.entry(name).or_default();
                    match attribute {
                        "pump" => hose.pump = text(),
                        "route" => hose.route = words(&value),
                        "cuts" => hose.cuts = words(&value).into_iter().collect(),
                        _ => {}
                    }
                }
                ("casualty", attribute) => {
                    let casualty = ground.casualties.entry(name).or_default();
                    match attribute {
                        "at" => casualty.at = text(),
                        "stage" => casualty.stage = text(),
                        "state" => casualty.state = text(),
                        "dig-turns" => casualty.dig_turns = number(),
                        _ => {}
                    }
                }
                (_, "all-clear") => ground.all_clear = flag,
                _ => {}
            }
        }
        ground
    }

    fn exists(&self, at: Spot) -> Option<String> {
        named(at).filter(|name| self.areas.contains_key(name))
    }

    pub fn sides(&self, at: &str) -> Vec<String> {
        let (column, row, level) = spot(at);
        let sides = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        sides.iter().filter_map(|(x, y)| self.exists((column + x, row + y, level))).collect()
    }

    /// The four sides, above and below.
    pub fn near(&self, at: &str) -> Vec<String> {
        let (column, row, level) = spot(at);
        let levels = [1, -1].into_iter().filter_map(|up| self.exists((column, row, level + up)));
        self.sides(at).into_iter().chain(levels).collect()
    }

    /// On foot: sideways and by stairs.
    fn ways(&self, at: &str) -> Vec<String> {
        let (column, row, level) = spot(at);
        let up = self.exists((column, row, level + 1)).filter(|_| self.areas[at].stairs);
        let down = self.exists((column, row, level - 1)).filter(|low| self.areas[low].stairs);
        self.sides(at).into_iter().chain(up).chain(down).collect()
    }

    fn above(&self, at: &str) -> Vec<String> {
        let (column, row, level) = spot(at);
        (level + 1..9).filter_map(|level| self.exists((column, row, level))).collect()
    }

    /// A level of a building that has fallen away.
    fn gone(&self, at: &str) -> bool {
        let area = &self.areas[at];
        area.building && area.damage == 5 && !area.rubble
    }

    pub fn walkable(&self, at: &str) -> bool {
        self.areas[at].fire == 0 && !self.gone(at)
    }

    /// The levels of all the fires round an area.
    pub fn heat(&self, at: &str) -> i64 {
        self.near(at).iter().map(|next| self.areas[next].fire).sum()
    }

    fn teams_at(&self, at: &str) -> Vec<String> {
        self.teams.iter().filter(|(_, team)| team.at == at).map(|(name, _)| name.clone()).collect()
    }

    fn roof(&self, at: &str) -> String {
        let standing = |level: &String| self.areas[level].damage < 5;
        self.above(at).into_iter().take_while(standing).last().unwrap_or_else(|| at.to_owned())
    }
}

impl Model {
    pub fn of(session: &Session) -> Model {
        Model { ground: Ground::of(session), ..Model::default() }
    }

    fn fault(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Reads the throws of the last line, and where bombs fell.
    pub fn hear(&mut self, events: &[Event]) -> Vec<String> {
        self.throws.clear();
        let mut bound: BTreeMap<&str, String> = BTreeMap::new();
        let mut squares = Vec::new();
        for event in events {
            match event {
                Event::Call { bound: names, .. } | Event::Bound(names) => {
                    for of in names {
                        bound.insert(of.name.as_str(), of.value.to_string());
                    }
                }
                Event::Taken { what, .. } => squares.push(what.clone()),
                Event::Check(check) => {
                    let rule = check.rule.clone().unwrap_or_default();
                    let whole = |of: &str| of.parse::<i64>().unwrap();
                    let throw = &check.throws[0];
                    let throw = Throw {
                        natural: whole(&throw.natural.to_string()),
                        total: whole(&throw.total.to_string()),
                        verdict: check.verdict.clone().unwrap_or_default(),
                    };
                    let judged = JUDGED.iter().find(|(name, _)| *name == rule);
                    let others = ["rest", "bomb-run", "bomb-load"];
                    let other = others.into_iter().find(|name| *name == rule);
                    if let Some((rule, names)) = judged {
                        let of: Vec<&str> = names.iter().map(|n| bound[n].as_str()).collect();
                        self.throws.entry((rule, of.join(" "))).or_default().push_back(throw);
                    } else if let Some(rule) = other {
                        self.throws.entry((rule, String::new())).or_default().push_back(throw);
                    }
                }
                _ => {}
            }
        }
        squares
    }

    /// The throw that the book asks for now. Its total must be its face and these modifiers.
    fn takes(&mut self, rule: &'static str, whose: &str, modifiers: i64) -> (i64, String) {
        let found = self.throws.get_mut(&(rule, whose.to_owned())).and_then(VecDeque::pop_front);
        let Some(throw) = found else {
            self.fault(format!("{rule} {whose} is not thrown"));
            return (0, String::new());
        };
        if throw.total != throw.natural + modifiers {
            self.fault(format!("{rule} {whose}: {} comes to {}", throw.natural, throw.total));
        }
        (throw.natural + modifiers, throw.verdict)
    }

    // ------------------------------------------------------------------ who is lost

    fn lost(&mut self, team: &str, at: &str, stage: &str, state: &str) {
        self.ground.teams.remove(team);
        self.active.remove(team);
        self.unnamed.push(Casualty {
            at: at.to_owned(),
            stage: stage.to_owned(),
            state: state.to_owned(),
            dig_turns: 0,
        });
    }

    fn wrecked(&mut self, name: &str) {
        let vehicle = self.ground.vehicles.get_mut(name).unwrap();
        vehicle.condition = "destroyed".to_owned();
        Model::off_water(vehicle);
        for team in self.ground.teams.values_mut().filter(|team| team.aboard == name) {
            team.aboard.clear();
        }
    }

    fn off_water(vehicle: &mut Vehicle) {
        vehicle.hydrant.clear();
        vehicle.hydrant_route.clear();
        vehicle.hydrant_cut.clear();
    }

    /// Casualties that lie where a wall falls are buried again.
    fn buries(&mut self, at: &str, onto: &str) {
        let named = self.ground.casualties.values_mut();
        for casualty in named.chain(self.unnamed.iter_mut()).filter(|c| c.at == at) {
            casualty.at = onto.to_owned();
            if ["in-sight", "recovered"].contains(&casualty.stage.as_str()) {
                casualty.stage = "buried".to_owned();
                if casualty.state != "dead" {
                    casualty.state = "unknown".to_owned();
                }
            }
        }
    }

    fn cuts(&mut self, at: &str) {
        for hose in self.ground.hoses.values_mut().filter(|h| h.route.iter().any(|a| a == at)) {
            hose.cuts.insert(at.to_owned());
        }
        for vehicle in self.ground.vehicles.values_mut() {
            if vehicle.hydrant_route.iter().any(|area| area == at) {
                vehicle.hydrant_cut.insert(at.to_owned());
            }
        }
    }

    /// 3 to 6: the team escapes to an area next to it; if there is none, it cannot.
    fn runs(&mut self, team: &str, foot: &str, onto: &str) {
        let from = self.ground.teams[team].at.clone();
        let safe = |to: &String| {
            let area = &self.ground.areas[to];
            self.ground.walkable(to) && to != foot && !(area.building && area.damage == 5)
        };
        if !self.ground.ways(&from).iter().any(safe) {
            self.lost(team, onto, "buried", "unknown");
            return;
        }
        let (score, verdict) = self.takes("escape", team, 0);
        if score < 3 {
            self.lost(team, onto, "buried", "unknown");
            return;
        }
        let to = verdict.rsplit(' ').next().unwrap().to_owned();
        if !self.ground.ways(&from).contains(&to) || !self.ground.walkable(&to) || to == foot {
            self.fault(format!("{team} escapes from {from} to {to}"));
        }
        let runner = self.ground.teams.get_mut(team).unwrap();
        runner.at = to;
        runner.hose.clear();
        runner.aboard.clear();
    }

    /// Only on a 6 does a vehicle escape, with who is aboard, along a clear road.
    fn drives(&mut self, name: &str) {
        let from = self.ground.vehicles[name].at.clone();
        let clear = |to: &String| {
            let area = &self.ground.areas[to];
            !area.building && area.fire == 0 && !area.rubble && !area.crater
        };
        let roads: Vec<String> = self.ground.sides(&from).into_iter().filter(clear).collect();
        if roads.is_empty() {
            self.wrecked(name);
            return;
        }
        let (score, verdict) = self.takes("escape-by-road", name, 0);
        if score < 6 {
            self.wrecked(name);
            return;
        }
        let to = verdict.rsplit(' ').next().unwrap().to_owned();
        if !roads.contains(&to) {
            self.fault(format!("{name} drives from {from} to {to}"));
        }
        let vehicle = self.ground.vehicles.get_mut(name).unwrap();
        vehicle.at.clone_from(&to);
        Model::off_water(vehicle);
        for team in self.ground.teams.values_mut().filter(|team| team.aboard == name) {
            team.at.clone_from(&to);
        }
    }

    // ------------------------------------------------------------------ damage

    pub fn weakens(&mut self, at: &str) {
        let area = &self.ground.areas[at];
        if area.building && area.damage < 5 {
            self.damaged(at, area.damage + 1);
        }
    }

    /// Damage never gets less. At 4 all inside are casualties, at 5 the place comes down.
    fn damaged(&mut self, at: &str, level: i64) {
        let area = self.ground.areas.get_mut(at).unwrap();
        if level <= area.damage {
            return;
        }
        if level == 5 {
            self.comes_down(at);
            return;
        }
        area.damage = level;
        if level == 4 {
            for team in self.ground.teams_at(at) {
                self.lost(&team, at, "in-sight", "unknown");
            }
        }
    }

    /// An area is destroyed: a crater in a road; a building buries all inside, the levels above fall onto it, and rubble
    /// spreads to the ground round it.
    pub fn comes_down(&mut self, at: &str) {
        if !self.ground.areas[at].building {
            self.ground.areas.get_mut(at).unwrap().crater = true;
            return;
        }
        for team in self.ground.teams_at(at) {
            self.lost(&team, at, "buried", "unknown");
        }
        self.buries(at, at);
        let area = self.ground.areas.get_mut(at).unwrap();
        (area.damage, area.rubble) = (5, true);
        let above = self.ground.above(at);
        let intact = above.iter().any(|level| self.ground.areas[level].damage < 5);
        for level in &above {
            self.cuts(level);
            let fallen = self.ground.areas.get_mut(level).unwrap();
            let fire = fallen.fire;
            (fallen.damage, fallen.rubble, fallen.fire) = (5, false, 0);
            let heap = self.ground.areas.get_mut(at).unwrap();
            heap.fire = heap.fire.max(fire);
        }
        let (column, row, _) = spot(at);
        let foot = named((column, row, 0)).unwrap();
        for level in &above {
            for team in self.ground.teams_at(level) {
                self.runs(&team, &foot, at);
            }
            self.buries(level, at);
        }
        if !intact {
            return;
        }
        let around = self.ground.sides(&foot);
        for next in &around {
            self.rubble_runs(next, &foot);
        }
        for next in &around {
            self.weakens(next);
        }
    }

    fn rubble_runs(&mut self, at: &str, foot: &str) {
        let on_foot = |model: &Model| {
            let teams = model.ground.teams_at(at).into_iter();
            teams.filter(|t| model.ground.teams[t].aboard.is_empty()).collect::<Vec<_>>()
        };
        for team in on_foot(self) {
            self.runs(&team, foot, at);
        }
        let here = self.ground.vehicles.iter();
        let here = here.filter(|(_, v)| v.at == at && v.condition != "destroyed");
        let here: Vec<String> = here.map(|(name, _)| name.clone()).collect();
        for vehicle in here {
            self.drives(&vehicle);
        }
        for team in on_foot(self) {
            self.runs(&team, foot, at);
        }
        self.buries(at, at);
        let area = self.ground.areas.get_mut(at).unwrap();
        area.rubble |= !area.building;
    }

    // ------------------------------------------------------------------ bombs

    pub fn incendiary(&mut self, at: &str) {
        if !self.ground.gone(at) {
            let area = self.ground.areas.get_mut(at).unwrap();
            area.fire = area.fire.max(1);
        }
    }

    /// All in the area are lost, and it is destroyed; the areas and levels next to it roll for damage, and whoever stands
    /// there for himself.
    pub fn high_explosive(&mut self, at: &str) {
        let named = self.ground.casualties.values_mut();
        for casualty in named.chain(self.unnamed.iter_mut()).filter(|c| c.at == at) {
            casualty.state = "dead".to_owned();
        }
        for team in self.ground.teams_at(at) {
            self.lost(&team, at, "recovered", "dead");
        }
        let here = self.ground.vehicles.iter().filter(|(_, v)| v.at == at);
        let here: Vec<String> = here.map(|(name, _)| name.clone()).collect();
        self.cuts(at);
        for vehicle in here {
            self.wrecked(&vehicle);
        }
        self.comes_down(at);
        for next in self.ground.near(at) {
            if !self.ground.gone(&next) {
                self.blast(&next);
            }
        }
    }

    fn blast(&mut self, at: &str) {
        let (score, _) = self.takes("blast", at, 0);
        if self.ground.areas[at].building {
            self.damaged(at, score.min(5));
        } else if score >= 5 {
            self.ground.areas.get_mut(at).unwrap().crater = true;
        }
        for team in self.ground.teams_at(at) {
            if self.takes("blast-team", &team, 0).0 < 6 {
                self.lost(&team, at, "in-sight", "unknown");
            }
        }
        for name in self.ground.vehicles.keys().cloned().collect::<Vec<_>>() {
            let vehicle = &self.ground.vehicles[&name];
            let stands = vehicle.at == at && vehicle.condition == "working";
            if stands && self.takes("blast-vehicle", &name, 0).0 <= 3 {
                let vehicle = self.ground.vehicles.get_mut(&name).unwrap();
                "knocked-out".clone_into(&mut vehicle.condition);
            }
        }
        for name in self.ground.hoses.keys().cloned().collect::<Vec<_>>() {
            let hose = &self.ground.hoses[&name];
            let whole = hose.route.iter().any(|area| area == at) && !hose.cuts.contains(at);
            if whole && self.takes("blast-hose", &format!("{name} {at}"), 0).0 <= 3 {
                self.ground.hoses.get_mut(&name).unwrap().cuts.insert(at.to_owned());
            }
        }
        for name in self.ground.vehicles.keys().cloned().collect::<Vec<_>>() {
            let vehicle = &self.ground.vehicles[&name];
            let on_its_way = vehicle.hydrant_route.iter().any(|area| area == at);
            let whole = on_its_way && !vehicle.hydrant_cut.contains(at);
            if whole && self.takes("blast-hydrant-hose", &format!("{name} {at}"), 0).0 <= 3 {
                let vehicle = self.ground.vehicles.get_mut(&name).unwrap();
                vehicle.hydrant_cut.insert(at.to_owned());
            }
        }
    }

    /// 2 or 3: the All Clear. 12: bombs.
    pub fn bomb_run(&mut self, squares: &[String]) {
        let (score, _) = self.takes("bomb-run", "", 0);
        self.ground.all_clear |= score <= 3;
        if score == 12 {
            self.bomb_load(squares);
        }
    }

    pub fn bomb_load(&mut self, squares: &[String]) {
        let (score, _) = self.takes("bomb-load", "", 0);
        let (explosive, incendiary) = [(0, 2), (1, 0), (0, 4), (2, 0), (0, 6), (3, 6)]
            .get(usize::try_from(score - 1).unwrap_or(9))
            .copied()
            .unwrap_or_default();
        if squares.len() != explosive + incendiary {
            self.fault(format!("{score} drops {} bombs", squares.len()));
            return;
        }
        for (index, square) in squares.iter().enumerate() {
            let at = self.ground.roof(square);
            if index < explosive { self.high_explosive(&at) } else { self.incendiary(&at) }
        }
    }

    // ------------------------------------------------------------------ heat

    /// A stand walks into the next area.
    pub fn walks(&mut self, name: &str, to: &str) {
        let heat = self.ground.heat(to);
        self.active.insert(name.to_owned());
        if heat > 1 && self.takes("face-heat", name, 0).0 < heat {
            return;
        }
        let team = self.ground.teams.get_mut(name).unwrap();
        to.clone_into(&mut team.at);
        team.hose.clear();
        team.digging.clear();
    }

    /// Fires have grown from these levels: the stands beside them roll to stay.
    fn stands_heat(&mut self, before: &Ground, after: &Ground) {
        let grown: Vec<String> = after
            .areas
            .iter()
            .filter(|(name, area)| area.fire > before.areas[*name].fire)
            .map(|(name, _)| name.clone())
            .collect();
        for (name, area) in &after.areas {
            self.ground.areas.get_mut(name).unwrap().fire = area.fire;
        }
        for name in self.ground.teams.keys().cloned().collect::<Vec<_>>() {
            let team = &self.ground.teams[&name];
            let from = team.at.clone();
            let beside = self.ground.near(&from).iter().any(|next| grown.contains(next));
            if !team.aboard.is_empty() || !(beside || grown.contains(&from)) {
                continue;
            }
            let heat = self.ground.heat(&from);
            let burns = self.ground.areas[&from].fire > 0;
            if !burns && (heat <= 1 || self.takes("hold", &name, 0).0 >= heat) {
                continue;
            }
            if !burns {
                self.driven.insert((name.clone(), from.clone()));
            }
            let to = after.teams.get(&name).map(|t| t.at.clone()).unwrap_or_default();
            let ways = self.ground.ways(&from);
            let open = ways.iter().any(|way| self.ground.walkable(way));
            let fits =
                if open { ways.contains(&to) && self.ground.walkable(&to) } else { to == from };
            if !fits {
                self.fault(format!("{name} falls back from {from} to {to}"));
            }
            if to != from {
                let team = self.ground.teams.get_mut(&name).unwrap();
                team.at = to;
                team.hose.clear();
            }
        }
    }

    // ------------------------------------------------------------------ work

    /// A rest of 1d6 x 2 turns, or 1d6 at a canteen truck that has rations.
    pub fn rests(&mut self, name: &str) {
        let Some(throw) =
            self.throws.get_mut(&("rest", String::new())).and_then(VecDeque::pop_front)
        else {
            self.fault(format!("no rest is rolled for {name}"));
            return;
        };
        let at = self.ground.teams[name].at.clone();
        let canteen = self.canteen(&at).is_some();
        let team = self.ground.teams.get_mut(name).unwrap();
        team.hose.clear();
        team.rest = if canteen { throw.total / 2 } else { throw.total };
        if !(2..=12).contains(&throw.total) || throw.total % 2 == 1 {
            self.fault(format!("{name} rests for {}", throw.total));
        }
    }

    fn canteen(&self, at: &str) -> Option<String> {
        let found = self.ground.vehicles.iter().find(|(_, v)| {
            v.kind == "canteen-truck" && v.at == at && v.condition == "working" && v.rations > 0
        });
        found.map(|(name, _)| name.clone())
    }

    pub fn refills(&mut self, name: &str) {
        self.refilling.insert(name.to_owned());
        self.active.insert(name.to_owned());
    }

    /// A fire party: 4 or more, once.
    pub fn stirrup(&mut self, name: &str, at: &str) {
        let score = self.takes("stirrup-pump", name, 0).0;
        self.active.insert(name.to_owned());
        self.ground.teams.get_mut(name).unwrap().empty = true;
        if score >= 4 {
            self.ground.areas.get_mut(at).unwrap().fire -= 1;
        }
    }

    /// Whether a hose has water at its branch.
    pub fn has_water(&self, name: &str) -> bool {
        let hose = &self.ground.hoses[name];
        let pump = &self.ground.vehicles[&hose.pump];
        let pumps = if pump.kind == "heavy-unit" { 1 } else { 4 };
        let delivered = self.streams.get(&hose.pump).copied().unwrap_or_default();
        hose.cuts.is_empty()
            && pump.condition == "working"
            && pump.at == hose.route[0]
            && delivered < pumps
            && (pump.water > 0 || self.hydrant_gives(&hose.pump))
    }

    /// The hydrant of this ground gives one point a turn.
    fn hydrant_gives(&self, name: &str) -> bool {
        let pump = &self.ground.vehicles[name];
        let had = self.from_hydrant.get(name).copied().unwrap_or_default();
        !pump.hydrant.is_empty() && pump.hydrant_cut.is_empty() && had < 1
    }

    pub fn stream(&mut self, name: &str, at: &str) {
        let hose = self.ground.hoses[name].clone();
        let crews = self.ground.teams.values().filter(|team| team.hose == name);
        let (count, weariest) =
            crews.fold((0, 0), |(n, worst), team| (n + 1, team.fatigue.max(worst)));
        let range = 2 - i64::from(apart(hose.route.last().unwrap(), at));
        let crew = match count {
            0 => -2,
            1 => -weariest,
            _ => 1 - weariest,
        };
        if self.hydrant_gives(&hose.pump) {
            *self.from_hydrant.entry(hose.pump.clone()).or_default() += 1;
        } else {
            self.ground.vehicles.get_mut(&hose.pump).unwrap().water -= 1;
        }
        *self.streams.entry(hose.pump).or_default() += 1;
        self.played.insert(name.to_owned());
        let teams = self.ground.teams.iter().filter(|(_, team)| team.hose == name);
        self.active.extend(teams.map(|(name, _)| name.clone()));
        let area = self.ground.areas[at].clone();
        if self.takes("play", name, range + crew).0 >= area.fire {
            self.ground.areas.get_mut(at).unwrap().fire -= 1;
        }
    }

    fn found(&mut self, name: &str) {
        let casualty = self.ground.casualties[name].clone();
        let state = if casualty.state == "dead" {
            "dead"
        } else {
            let here = self.ground.teams.values();
            let mut doctors = here.filter(|team| team.kind == "doctor");
            let doctor = doctors.any(|team| team.at == casualty.at);
            match self.takes("casualty-status", name, i64::from(doctor)).0 {
                ..=4 => "dead",
                5 => "badly-injured",
                _ => "lightly-injured",
            }
        };
        let casualty = self.ground.casualties.get_mut(name).unwrap();
        casualty.state = state.to_owned();
        casualty.stage = "recovered".to_owned();
        casualty.dig_turns = 0;
    }

    pub fn attends(&mut self, name: &str) {
        self.found(name);
    }

    pub fn searches(&mut self, team: &str, name: &str) {
        self.works_for(team);
        let stage = match self.takes("search-for", name, 0).0 {
            4 => "traced",
            5 => "located",
            6 => "recovered",
            _ => return,
        };
        stage.clone_into(&mut self.ground.casualties.get_mut(name).unwrap().stage);
        if stage == "located" {
            self.digs_out(name);
        } else if stage == "recovered" {
            self.found(name);
        }
    }

    fn works_for(&mut self, team: &str) {
        self.active.insert(team.to_owned());
        self.ground.teams.get_mut(team).unwrap().hose.clear();
    }

    fn digs_out(&mut self, name: &str) {
        if self.takes("dig-out", name, 0).0 == 6 {
            self.found(name);
        }
    }

    pub fn digs(&mut self, team: &str, name: &str) {
        self.works_for(team);
        self.digs_out(name);
    }

    /// Heavy Rescue: 1d6 x 5 turns.
    pub fn begins_to_dig(&mut self, team: &str, name: &str) {
        let found = self.throws.get_mut(&("begin-digging", name.to_owned()));
        let turns = found.and_then(VecDeque::pop_front).map_or(0, |throw| throw.total);
        if turns % 5 != 0 || !(5..=30).contains(&turns) {
            self.fault(format!("Heavy Rescue digs for {turns} turns"));
        }
        self.active.insert(team.to_owned());
        name.clone_into(&mut self.ground.teams.get_mut(team).unwrap().digging);
        self.ground.casualties.get_mut(name).unwrap().dig_turns = turns;
    }

    // ------------------------------------------------------------------ the end of a turn, and the next up to step 6

    pub fn turn_passes(&mut self, after: &Ground) {
        let before = self.ground.clone();
        self.crews();
        self.driven.clear();
        self.played.clear();
        self.streams.clear();
        self.from_hydrant.clear();
        self.stands_heat(&before, after);
    }

    fn crews(&mut self) {
        for name in self.ground.casualties.keys().cloned().collect::<Vec<_>>() {
            let casualty = self.ground.casualties[&name].clone();
            let at_it = self.ground.teams.iter();
            let at_it = at_it.filter(|(_, t)| t.digging == name && t.at == casualty.at);
            let at_it: Vec<String> = at_it.map(|(team, _)| team.clone()).collect();
            let burns = self.ground.areas.get(&casualty.at).is_some_and(|area| area.fire > 0);
            if casualty.dig_turns == 0 || at_it.is_empty() || burns {
                continue;
            }
            self.active.extend(at_it);
            self.ground.casualties.get_mut(&name).unwrap().dig_turns -= 1;
            if casualty.dig_turns == 1 {
                for team in self.ground.teams.values_mut().filter(|team| team.digging == name) {
                    team.digging.clear();
                }
                self.found(&name);
            }
        }
        let active = std::mem::take(&mut self.active);
        for (name, team) in &mut self.ground.teams {
            if active.contains(name) {
                team.rest = 0;
                team.activity += 1;
                let worn = if team.activity >= 60 { 2 } else { i64::from(team.activity >= 30) };
                team.fatigue = team.fatigue.max(worn);
            }
        }
        for name in self.ground.teams.keys().cloned().collect::<Vec<_>>() {
            if self.ground.teams[&name].rest == 0 {
                continue;
            }
            if let Some(canteen) = self.canteen(&self.ground.teams[&name].at) {
                self.ground.vehicles.get_mut(&canteen).unwrap().rations -= 1;
            }
            let team = self.ground.teams.get_mut(&name).unwrap();
            team.rest -= 1;
            if team.rest == 0 {
                team.fatigue -= 1;
                team.activity = 30 * team.fatigue;
            }
        }
        for name in std::mem::take(&mut self.refilling) {
            if let Some(team) = self.ground.teams.get_mut(&name) {
                team.empty = false;
            }
        }
    }

    pub fn is_active(&self, name: &str) -> bool {
        self.active.contains(name)
    }

    // ------------------------------------------------------------------ comparison

    /// Compares the tables, and learns the names of new casualties.
    pub fn compare(&mut self, line: &str, theirs: &Ground) {
        let over: Vec<Key> = self
            .throws
            .iter()
            .filter(|(_, left)| !left.is_empty())
            .map(|(k, _)| k.clone())
            .collect();
        for (rule, whose) in over {
            self.fault(format!("{line}: {rule} {whose} is thrown, and not due"));
        }
        let names = self.ground.casualties.keys().cloned().collect::<BTreeSet<_>>();
        let new = theirs.casualties.iter().filter(|(name, _)| !names.contains(*name));
        let mut new: Vec<Casualty> = new.map(|(_, casualty)| casualty.clone()).collect();
        let mut ours = std::mem::take(&mut self.unnamed);
        new.sort();
        ours.sort();
        if new != ours {
            self.fault(format!("{line}: new casualties {new:?}, in the book {ours:?}"));
        }
        for (name, casualty) in &theirs.casualties {
            self.ground.casualties.entry(name.clone()).or_insert_with(|| casualty.clone());
        }
        let mut wrong = Vec::new();
        let mut differ = |what: &str, ours: String, theirs: String| {
            if ours != theirs {
                wrong.push(format!("{line}: {what}: {theirs}, in the book {ours}"));
            }
        };
        for (name, area) in &self.ground.areas {
            differ(name, format!("{area:?}"), format!("{:?}", theirs.areas[name]));
        }
        let (ours, other) = (&self.ground, theirs);
        for name in ours.teams.keys().chain(other.teams.keys()) {
            let (ours, theirs) = (ours.teams.get(name), other.teams.get(name));
            differ(name, format!("{ours:?}"), format!("{theirs:?}"));
        }
        for (name, vehicle) in &ours.vehicles {
            differ(name, format!("{vehicle:?}"), format!("{:?}", other.vehicles[name]));
        }
        for (name, hose) in &ours.hoses {
            differ(name, format!("{hose:?}"), format!("{:?}", other.hoses[name]));
        }
        for (name, casualty) in &ours.casualties {
            differ(name, format!("{casualty:?}"), format!("{:?}", other.casualties[name]));
        }
        differ("all clear", ours.all_clear.to_string(), other.all_clear.to_string());
        self.wrong.extend(wrong);
    }

    /// Fires and what the umpire sets are no business of this model: it reads them.
    pub fn reads(&mut self, session: &Session) {
        self.ground = Ground::of(session);
    }

    /// The areas that burn.
    pub fn burning(&self) -> Vec<String> {
        let areas = self.ground.areas.iter().filter(|(_, area)| area.fire > 0);
        areas.map(|(name, _)| name.clone()).collect()
    }

    pub fn is_building(&self, at: &str) -> bool {
        self.ground.areas[at].building
    }

    /// The areas that have not fallen away.
    pub fn standing(&self) -> Vec<String> {
        self.ground.areas.keys().filter(|name| !self.ground.gone(name)).cloned().collect()
    }

    /// Whether nobody and nothing is there that a fire would change.
    pub fn is_empty(&self, at: &str) -> bool {
        !self.ground.gone(at)
            && self.ground.teams_at(at).is_empty()
            && !self.ground.vehicles.values().any(|vehicle| vehicle.at == at)
    }

    /// Whether a stand is there, on foot, and neither rests nor has done something this turn.
    pub fn idle(&self, name: &str, spent: &BTreeSet<String>) -> bool {
        let able =
            |team: &Team| team.rest == 0 && team.aboard.is_empty() && team.digging.is_empty();
        !spent.contains(name) && self.ground.teams.get(name).is_some_and(able)
    }

    pub fn free(&self, spent: &BTreeSet<String>) -> Vec<String> {
        self.team_names().into_iter().filter(|name| self.idle(name, spent)).collect()
    }

    pub fn branch(&self, hose: &str) -> String {
        self.ground.hoses[hose].route.last().unwrap().clone()
    }

    pub fn has_empty_buckets(&self, name: &str) -> bool {
        self.ground.teams[name].empty
    }

    pub fn casualty_names(&self) -> Vec<String> {
        self.ground.casualties.keys().cloned().collect()
    }

    /// Where a casualty lies, in which stage, and the turns of digging left.
    pub fn casualty(&self, name: &str) -> (String, String, i64) {
        let casualty = &self.ground.casualties[name];
        (casualty.at.clone(), casualty.stage.clone(), casualty.dig_turns)
    }

    pub fn team_names(&self) -> Vec<String> {
        self.ground.teams.keys().cloned().collect()
    }

    pub fn place_of(&self, team: &str) -> String {
        self.ground.teams[team].at.clone()
    }
}
