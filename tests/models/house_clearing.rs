//! An independent model of *House Clearing*: figures and their markers by the rule book alone. Six figures of every
//! weapon move, climb and fire at random; the model judges each throw of the program and compares every marker.

use adjutant_engine::ruleset::FileText;

use super::page::{Page, Wrong};
use crate::kit::typist::Typist;

/// The upper limits of the bands, in inches: the chance is divided by 1, 2, 4, 8 and 16.
const BANDS: [(&str, [i64; 5]); 6] = [
    ("pistol", [1, 2, 3, 4, 5]),
    ("smg", [2, 4, 6, 8, 10]),
    ("carbine", [4, 8, 12, 16, 20]),
    ("rifle", [5, 10, 15, 20, 25]),
    ("box-lmg", [4, 8, 12, 16, 20]),
    ("belt-lmg", [5, 10, 15, 20, 25]),
];

#[derive(Clone, Debug)]
struct Figure {
    name: &'static str,
    initiative: i64,
    skill: i64,
    weapon: &'static str,
    /// The second man of his gun.
    mate: Option<usize>,
    /// Inches of a whole move where he stands: 9 in the open, 6 on a tile, 3 in a building.
    ground: (&'static str, i64),
    /// Quarters of his move that are used.
    used: i64,
    ducked: bool,
    fired: bool,
    out: bool,
}

impl Figure {
    /// The number he acts by: a man who ducked counts as 0 until the turn ends.
    fn rating(&self) -> i64 {
        if self.ducked { 0 } else { self.initiative }
    }
}

struct Model {
    page: Page,
    typist: Typist,
    figures: Vec<Figure>,
    /// Whom the step lets act: moving in rising order, firing in falling order.
    acting: Vec<usize>,
    moving: bool,
    /// The number that moves or fires.
    step: i64,
    lines: usize,
}

/// Two sides of three, and a second man for the machine-gunner of the first.
const NAMES: [&str; 7] = ["hale", "doxey", "pike", "keller", "braun", "vogt", "mate"];

fn attacks(figure: usize) -> bool {
    figure < 3 || figure == 6
}

fn is_enemy(one: usize, other: usize) -> bool {
    attacks(one) != attacks(other)
}

impl Model {
    fn new(files: &[FileText], seed: u64) -> Result<Model, Wrong> {
        let mut page = Page::new("house-clearing", files, "window-and-doorway", seed);
        let mut typist = Typist::new(seed + 1);
        let mut figures = Vec::new();
        let crewed = typist.below(2) == 0;
        page.types("add figure mate\nset mate.side attackers", &[])?;
        for (index, name) in NAMES.into_iter().enumerate() {
            let machine_gun = crewed && index == 0;
            let weapon = if machine_gun { "belt-lmg" } else { BANDS[typist.below(6)].0 };
            figures.push(Figure {
                name,
                initiative: typist.below(3) as i64 + if index % 3 == 0 { 2 } else { 1 },
                skill: 10 * (typist.below(22) as i64 + 3),
                weapon,
                mate: machine_gun.then_some(6),
                ground: [("open", 9), ("tile", 6), ("inside", 3)][typist.below(3)],
                used: 0,
                ducked: false,
                fired: false,
                out: false,
            });
        }
        for figure in &figures {
            let name = figure.name;
            page.types(&format!("set {name}.initiative {}", figure.initiative), &[])?;
            page.types(&format!("set {name}.skill {}", figure.skill), &[])?;
            page.types(&format!("set {name}.weapon {}", figure.weapon), &[])?;
            page.types(&format!("set {name}.ground {}", figure.ground.0), &[])?;
        }
        if crewed {
            page.types("crew hale with mate", &[])?;
        }
        let acting = Vec::new();
        let model = Model { page, typist, figures, acting, moving: false, step: 0, lines: 0 };
        Ok(model)
    }

    fn one(&mut self, of: &[usize]) -> Option<usize> {
        if of.is_empty() { None } else { Some(of[self.typist.below(of.len())]) }
    }

    fn standing(&self, test: impl Fn(usize, &Figure) -> bool) -> Vec<usize> {
        let all = self.figures.iter().enumerate();
        all.filter(|(index, figure)| !figure.out && test(*index, figure)).map(|(i, _)| i).collect()
    }

    fn compare(&mut self) -> Result<(), Wrong> {
        self.lines += 1;
        self.page.is_done()?;
        for figure in &self.figures {
            let yes = |flag: bool| if flag { "yes" } else { "no" };
            self.page.expect(figure.name, "out", yes(figure.out))?;
            if !figure.out {
                self.page.expect(figure.name, "initiative", figure.initiative)?;
                self.page.expect(figure.name, "ducked", yes(figure.ducked))?;
                self.page.expect(figure.name, "fired", yes(figure.fired))?;
                self.page.expect(figure.name, "ground", figure.ground.0)?;
            }
        }
        Ok(())
    }

    /// The nine steps: moves of initiative 1 to 4, fire of initiative 4 to 0. A step for which nobody has the number is passed over,
    /// except the last, in which the turn ends.
    fn turn(&mut self) -> Result<(), Wrong> {
        for figure in &mut self.figures {
            (figure.used, figure.ducked, figure.fired) = (0, false, false);
        }
        let steps = (1..=4).map(|n| (true, n)).chain((0..=4).rev().map(|n| (false, n)));
        for (moving, number) in steps {
            let due = |_: usize, f: &Figure| f.rating() == number && (moving || !f.fired);
            self.acting = self.standing(due);
            (self.moving, self.step) = (moving, number);
            if self.acting.is_empty() && (moving || number > 0) {
                continue;
            }
            self.page.types("next", &[])?;
            let part = if moving { "moves" } else { "fire" };
            self.page.expect("state", "part", part)?;
            self.page.expect("state", "step", number)?;
            self.compare()?;
            for _ in 0..=self.acting.len() {
                match self.typist.below(6) {
                    0 | 1 if moving => self.moves()?,
                    2 if moving => self.climbs()?,
                    _ => self.fires()?,
                }
                if self.is_over() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.standing(|index, _| attacks(index)).is_empty()
            || self.standing(|index, _| !attacks(index)).is_empty()
    }

    fn moves(&mut self) -> Result<(), Wrong> {
        let movers = self.acting.clone();
        let Some(who) = self.one(&movers) else { return Ok(()) };
        let quarters = self.typist.below(5) as i64;
        let figure = &self.figures[who];
        let inches = figure.ground.1 as f64 * quarters as f64 / 4.0;
        let line = format!("move {} {inches}", figure.name);
        // Who fell or was brought down to 0 stays; nobody goes further than his whole move.
        let can = !figure.out && figure.rating() > 0 && figure.used + quarters <= 4;
        self.does(who, quarters, &line, can)
    }

    fn climbs(&mut self) -> Result<(), Wrong> {
        let movers = self.acting.clone();
        let Some(who) = self.one(&movers) else { return Ok(()) };
        let (wall, quarters) = [("chest-high", 2), ("tall", 4), ("sheer", 9)][self.typist.below(3)];
        let figure = &self.figures[who];
        let line = format!("climb {} over {wall}", figure.name);
        let can = !figure.out && figure.rating() > 0 && figure.used + quarters <= 4;
        self.does(who, quarters, &line, can)
    }

    fn does(&mut self, who: usize, quarters: i64, line: &str, can: bool) -> Result<(), Wrong> {
        if !can {
            return self.page.refuses(line);
        }
        if quarters == 0 {
            // Whoever has made his whole move has not another half inch.
            let figure = &self.figures[who];
            let further = format!("move {} 0.5", figure.name);
            return if figure.used == 4 { self.page.refuses(&further) } else { Ok(()) };
        }
        self.page.types(line, &[])?;
        self.figures[who].used += quarters;
        self.compare()
    }

    /// A shot: by those whose step it is, and in the moves by a higher number at a mover.
    fn fires(&mut self) -> Result<(), Wrong> {
        let firers = self.standing(|_, f| !f.fired);
        let firers = if self.moving { firers } else { self.acting.clone() };
        let Some(who) = self.one(&firers) else { return Ok(()) };
        let targets = self.standing(|index, _| is_enemy(index, who));
        let targets: Vec<usize> = if self.moving {
            targets.into_iter().filter(|target| self.acting.contains(target)).collect()
        } else {
            targets
        };
        let Some(target) = self.one(&targets) else { return Ok(()) };
        let firer = self.figures[who].clone();
        let automatic = ["smg", "box-lmg", "belt-lmg"].contains(&firer.weapon);
        let burst = automatic && self.typist.below(2) == 0;
        let range = self.typist.below(27) as i64 + 1;
        let seen = self.typist.below(5) as i64 + 1;
        let verb = if burst { "burst" } else { "fire" };
        let line = format!(
            "{verb} {} at {} range {range} seen {seen}",
            firer.name, self.figures[target].name
        );
        let quick = !self.moving || firer.rating() > self.step;
        let Some(chance) = self.chance(who, range, burst) else { return self.page.refuses(&line) };
        if firer.fired || !quick {
            return self.page.refuses(&line);
        }
        self.page.types(&line, &[])?;
        self.figures[who].fired = true;
        self.shot(who, target, chance, seen)?;
        self.compare()?;
        // Another figure in the cone, friend or foe, is attacked with the chance at its own range.
        let others = self.standing(|index, _| index != target && index != who);
        if let (true, Some(other)) = (burst, self.one(&others)) {
            let near = self.typist.below(range as usize) as i64 + 1;
            let Some(chance) = self.chance(who, near, true) else { return Ok(()) };
            self.page.types(
                &format!("also {} range {near} seen {seen}", self.figures[other].name),
                &[],
            )?;
            self.shot(who, other, chance, seen)?;
            self.compare()?;
        }
        Ok(())
    }

    /// The percentage, the cover and the effect.
    fn shot(&mut self, who: usize, target: usize, chance: f64, seen: i64) -> Result<(), Wrong> {
        let sure = (chance / 100.0).floor() as i64;
        let rest = chance - 100.0 * sure as f64;
        let mut scores = sure as usize;
        if rest >= 1.0 {
            scores +=
                self.page.judged((1, "1d100"), "the percentage", |face| face as f64 <= rest)?;
        }
        let hits = self.page.judged((scores, "1d6"), "the cover", |face| face <= seen)?;
        let missed = hits < scores;
        let mut lost = 0;
        for _ in 0..hits {
            lost += self.page.throw("1d3", "the effect")?.totals[0];
        }
        let quick = self.figures[who].rating() > self.figures[target].rating();
        let figure = &mut self.figures[target];
        figure.initiative -= lost;
        figure.out = figure.initiative < 0;
        if self.moving && missed && quick {
            figure.ducked = true;
        }
        Ok(())
    }

    /// The chance in per cent, `None` beyond the last band.
    fn chance(&self, who: usize, range: i64, burst: bool) -> Option<f64> {
        let firer = &self.figures[who];
        // A belt-fed gun without its second man fires as a box-fed one.
        let short = firer.weapon == "belt-lmg" && firer.mate.is_none_or(|m| self.figures[m].out);
        let weapon = if short { "box-lmg" } else { firer.weapon };
        let bands = BANDS.iter().find(|(name, _)| *name == weapon).unwrap().1;
        let band = bands.iter().position(|&limit| range <= limit)?;
        let single = firer.skill as f64 / f64::from(1 << band);
        Some(if burst { single / 2.0 } else { single })
    }
}

/// Plays a game. Returns how many lines were compared.
pub fn play(files: &[FileText], seed: u64) -> Result<usize, Wrong> {
    let mut model = Model::new(files, seed)?;
    for _ in 0..8 {
        if !model.is_over() {
            model.turn()?;
        }
    }
    Ok(model.lines)
}
