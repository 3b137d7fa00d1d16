//! How fast the phases of BLITZ! run by themselves, beside the same model written by hand. See
//! `docs/performance.md`.

// Nothing is measured where something is wrong.
#![allow(clippy::expect_used)]

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use adjutant::shipped;
use adjutant_dice::{Seed, SeededSource, Source};
use adjutant_engine::referee::simulate::SimulationPlan;
use adjutant_engine::referee::{Action, Inputs, Referee};
use adjutant_engine::ruleset::{FileText, load};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const TURNS: u32 = 30;

/// A square of buildings, one level high, with six fires in its middle. No bombs fall, so that nothing but
/// the fire itself is compared.
fn scenario(side: usize) -> String {
    let mut text = String::from(
        "title = \"A square\"\n[option]\nbombs-in-play = false\n[legend]\n\"#\" = { surface = \"building\" }\n[[level]]\nplan = \"\"\"\n",
    );
    for _ in 0..side {
        text.push_str(&"#".repeat(side));
        text.push('\n');
    }
    text.push_str("\"\"\"\n[pieces.area]\n");
    for place in FIRES {
        let (column, row) = at(place, side);
        let name = adjutant_engine::tabletop::area_name(column, row, 0);
        let _ = writeln!(text, "{name} = {{ fire = 1 }}");
    }
    text
}

/// Where the fires are, from the corner of the middle ten by ten.
const FIRES: [(usize, usize); 6] = [(1, 1), (8, 2), (4, 4), (5, 5), (2, 7), (7, 8)];

fn at((column, row): (usize, usize), side: usize) -> (usize, usize) {
    let corner = (side - 10) / 2;
    (corner + column, corner + row)
}

fn referee(side: usize) -> Referee {
    let mut files = shipped::files("blitz").expect("it is shipped");
    let name = format!("square-{side}.toml");
    files.push(FileText { scenario: Some("square".into()), name, text: scenario(side) });
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).expect("it loads")))
}

fn plan(games: u64, threads: usize) -> SimulationPlan {
    SimulationPlan {
        turns: TURNS,
        from: 0,
        games,
        seed: Seed::from_text("bench"),
        threads,
        orders: false,
    }
}

/// The same model by hand: flat arrays, the same generator, nothing kept but what the figures need.
struct Native {
    side: usize,
    fire: Vec<u8>,
    damp: Vec<u8>,
    damage: Vec<u8>,
    new_fire: Vec<bool>,
    burning: Vec<u32>,
    start: Vec<u32>,
}

impl Native {
    fn new(side: usize) -> Native {
        let start = FIRES.map(|place| at(place, side)).map(|(c, r)| (r * side + c) as u32);
        let cells = side * side;
        Native {
            side,
            fire: vec![0; cells],
            damp: vec![0; cells],
            damage: vec![1; cells],
            new_fire: vec![false; cells],
            burning: Vec::new(),
            start: start.into(),
        }
    }

    /// North, east, south, west.
    fn beside(&self, area: usize) -> [Option<usize>; 4] {
        let (row, column) = (area / self.side, area % self.side);
        [
            (row > 0).then(|| area - self.side),
            (column + 1 < self.side).then(|| area + 1),
            (row + 1 < self.side).then(|| area + self.side),
            (column > 0).then(|| area - 1),
        ]
    }

    fn face(dice: &mut SeededSource) -> u8 {
        dice.face(6).unwrap_or(1) as u8
    }

    /// A game; how many areas burn at the end, and how many are destroyed.
    fn play(&mut self, dice: &mut SeededSource) -> (usize, usize) {
        for area in self.burning.drain(..) {
            self.fire[area as usize] = 0;
            self.damage[area as usize] = 1;
        }
        self.burning.extend(&self.start);
        for i in 0..self.start.len() {
            self.fire[self.start[i] as usize] = 1;
        }
        for _ in 0..TURNS {
            self.spread(dice);
            self.grow(dice);
            self.collapse(dice);
        }
        let destroyed = self.burning.iter().filter(|&&a| self.damage[a as usize] == 5).count();
        (self.burning.len(), destroyed)
    }

    fn can_burn(&self, area: usize) -> bool {
        // A building burns, and so does its rubble.
        self.damage[area] <= 5
    }

    fn catches(&mut self, area: usize, need: u8, dice: &mut SeededSource) {
        let damp = self.damp[area];
        let total = Self::face(dice) + damp;
        if total <= need {
            self.fire[area] = 1;
            self.damp[area] = 0;
            self.new_fire[area] = true;
            self.burning.push(area as u32);
        } else if damp > 0 && total - damp <= need {
            self.damp[area] -= 1;
        }
    }

    fn spread(&mut self, dice: &mut SeededSource) {
        self.burning.sort_unstable();
        let old = self.burning.len();
        for i in 0..old {
            let from = self.burning[i] as usize;
            for into in self.beside(from).into_iter().flatten() {
                if self.fire[into] == 0 && self.can_burn(into) {
                    self.catches(into, self.fire[from], dice);
                }
            }
        }
        for i in 0..old {
            let from = self.burning[i] as usize;
            if self.fire[from] == 5 {
                self.jump(from, dice);
            }
        }
        for i in old..self.burning.len() {
            self.new_fire[self.burning[i] as usize] = false;
        }
    }

    /// Over one area in which nothing can burn.
    fn jump(&mut self, from: usize, dice: &mut SeededSource) {
        let near = self.beside(from);
        for (direction, between) in near.into_iter().enumerate() {
            let Some(between) = between else { continue };
            let Some(into) = self.beside(between)[direction] else { continue };
            if !self.can_burn(between) && self.fire[into] == 0 && self.can_burn(into) {
                self.catches(into, 1, dice);
            }
        }
    }

    fn grow(&mut self, dice: &mut SeededSource) {
        self.burning.sort_unstable();
        for i in 0..self.burning.len() {
            let area = self.burning[i] as usize;
            if self.fire[area] < 5 {
                let next_to = self.beside(area).into_iter().flatten().any(|n| self.fire[n] > 0);
                if Self::face(dice) + u8::from(next_to) >= 6 {
                    self.fire[area] += 1;
                }
            }
        }
    }

    fn collapse(&mut self, dice: &mut SeededSource) {
        for i in 0..self.burning.len() {
            let area = self.burning[i] as usize;
            if self.fire[area] == 5 && self.damage[area] < 5 && Self::face(dice) >= 6 {
                self.damage[area] += 1;
            }
        }
    }
}

fn phases(c: &mut Criterion) {
    for side in [10, 100] {
        let referee = referee(side);
        let scenario = referee.ruleset().scenario("square").expect("written above").clone();
        // Both must tell the same story before they are timed.
        let games = if side == 10 { 200 } else { 10 };
        let simulated = referee.simulate(&scenario, &plan(games, 1), &|_| true).expect("it runs");
        let mut native = Native::new(side);
        let seed = Seed::from_text("bench");
        let (mut burning, mut destroyed) = (0, 0);
        for game in 0..games {
            let (b, d) = native.play(&mut SeededSource::new(&seed, 2 * game + 1));
            burning += b;
            destroyed += d;
        }
        let mean = |name: &str| {
            let course =
                simulated.measures.iter().find(|m| m.name == name).expect("it is measured");
            course.turns.last().expect("there are turns").mean()
        };
        assert_eq!(mean("areas-burning"), burning as f64 / games as f64);
        assert_eq!(mean("areas-destroyed"), destroyed as f64 / games as f64);

        let mut group = c.benchmark_group(format!("thirty turns of fire on {side} x {side}"));
        group.bench_function(format!("by hand, {games} games"), |b| {
            b.iter(|| {
                for game in 0..games {
                    black_box(native.play(&mut SeededSource::new(&seed, 2 * game + 1)));
                }
            });
        });
        // Each with the table set out, once.
        for (games, threads) in [(1, 1), (games, 1), (games, 2)] {
            group.bench_function(format!("games: {games}, threads: {threads}"), |b| {
                b.iter(|| referee.simulate(&scenario, &plan(games, threads), &|_| true).is_ok());
            });
        }
        group.finish();
    }
}

/// A turn's automatic phases at the table, with every line made, on ten thousand areas.
fn next(c: &mut Criterion) {
    let referee = referee(100);
    let scenario = referee.ruleset().scenario("square").expect("written above");
    let seed = Seed::from_text("bench");
    let (table, _) = referee.set_up(scenario, &Inputs::seeded(&seed, 0)).expect("it is set out");
    let mut group = c.benchmark_group("next on 100 x 100");
    group.bench_function("five phases", |b| {
        b.iter_batched(
            || table.clone(),
            |mut table| {
                for step in 1..=5 {
                    let inputs = Inputs { ask_random: true, ..Inputs::seeded(&seed, step) };
                    let outcome = referee.resolve(&table, &Action::Next, &inputs).expect("it runs");
                    // What was just resolved on this table fits it.
                    let _ = outcome.apply(&mut table);
                }
                table
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn settings() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10)
}

criterion_group! { name = benches; config = settings(); targets = phases, next }
criterion_main!(benches);
