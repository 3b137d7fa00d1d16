//! Fire on a grid, six fires laid by dice in `begin`: how fast whole games are played by rule text, beside the same
//! model written by hand. See `docs/performance.md`.
#![allow(clippy::expect_used, missing_docs, reason = "a bench fails by panicking")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use adjutant_dice::{Seed, SeededSource, Source};
use adjutant_engine::referee::Referee;
use adjutant_engine::referee::simulate::SimulationPlan;
use adjutant_engine::ruleset::{FileText, load};
use criterion::{Criterion, criterion_group, criterion_main};

const TURNS: u32 = 20;

const RULES: &str = r##"
[game]
title = "A grid"

[kind.cell]
plan   = true
fire   = { from = 0, to = 5 }
caught = { flag = true }

[rule.spread]
each  = 'from in cells where from.fire > 0 and not from.caught, into in from.beside where into.fire = 0'
roll  = '1d6'
needs = '<= from.fire'
pass  = '''
  into.fire = 1
  into.caught = true
  '''

[rule.settle]
after = 'each c in cells where c.caught { c.caught = false }'

[rule.grow]
each  = 'c in cells where c.fire > 0 and c.fire < 5'
roll  = '1d6'
modifiers = [{ by = '+1', when = 'any n in c.beside: n.fire > 0', because = "a fire beside it" }]
needs = '>= 6'
pass  = 'c.fire += 1'

[[phase]]
name = "spread"
do   = '''
  spread()
  settle()
  '''

[[phase]]
name = "growth"
do   = 'grow()'

[measure.burning]
is = 'count c in cells where c.fire > 0'
"##;

const BEGIN: &str = r##"
begin = '''
  repeat 6 times {
    let c = pick c among cells
    c.fire = 1
  }
  '''
[legend]
"#" = {}
[[level]]
plan = """
"##;

fn referee(side: usize) -> Referee {
    let rows = format!("{}\n", "#".repeat(side)).repeat(side);
    let scenario = format!("{BEGIN}{rows}\"\"\"\n");
    let files = vec![
        FileText { name: "game.toml".into(), text: RULES.into(), scenario: None },
        FileText { name: "six.toml".into(), text: scenario, scenario: Some("six".into()) },
    ];
    Referee::new(Arc::new(load(files).map_err(|f| f.faults).expect("it loads")))
}

/// The same model by hand: flat arrays, the same generator, nothing kept but what the figure needs.
struct Grid {
    side: usize,
    fire: Vec<u8>,
    caught: Vec<bool>,
    burning: Vec<u32>,
}

impl Grid {
    fn new(side: usize) -> Grid {
        let cells = side * side;
        Grid { side, fire: vec![0; cells], caught: vec![false; cells], burning: Vec::new() }
    }

    /// North, east, south, west.
    fn beside(&self, cell: usize) -> [Option<usize>; 4] {
        let (row, column) = (cell / self.side, cell % self.side);
        [
            (row > 0).then(|| cell - self.side),
            (column + 1 < self.side).then(|| cell + 1),
            (row + 1 < self.side).then(|| cell + self.side),
            (column > 0).then(|| cell - 1),
        ]
    }

    /// Plays a game and returns how many cells burn at its end.
    fn play(&mut self, seed: &Seed, game: u64) -> usize {
        for cell in self.burning.drain(..) {
            self.fire[cell as usize] = 0;
        }
        let mut dice = SeededSource::new(seed, 2 * game);
        for _ in 0..6 {
            let cell = dice.face((self.side * self.side) as u32).unwrap_or(1) - 1;
            if self.fire[cell as usize] == 0 {
                self.burning.push(cell);
            }
            self.fire[cell as usize] = 1;
        }
        let mut dice = SeededSource::new(seed, 2 * game + 1);
        for _ in 0..TURNS {
            self.spread(&mut dice);
            self.grow(&mut dice);
        }
        self.burning.len()
    }

    fn spread(&mut self, dice: &mut SeededSource) {
        self.burning.sort_unstable();
        let old = self.burning.len();
        for i in 0..old {
            let from = self.burning[i] as usize;
            for into in self.beside(from).into_iter().flatten() {
                let need = u32::from(self.fire[from]);
                if self.fire[into] == 0 && dice.face(6).unwrap_or(1) <= need {
                    self.fire[into] = 1;
                    self.caught[into] = true;
                    self.burning.push(into as u32);
                }
            }
        }
        for &cell in &self.burning[old..] {
            self.caught[cell as usize] = false;
        }
    }

    fn grow(&mut self, dice: &mut SeededSource) {
        self.burning.sort_unstable();
        for i in 0..self.burning.len() {
            let cell = self.burning[i] as usize;
            if self.fire[cell] < 5 {
                let near = self.beside(cell).into_iter().flatten().any(|n| self.fire[n] > 0);
                if dice.face(6).unwrap_or(1) + u32::from(near) >= 6 {
                    self.fire[cell] += 1;
                }
            }
        }
    }
}

fn grid(c: &mut Criterion) {
    let seed = Seed::from_text("bench");
    for side in [10, 100] {
        let referee = referee(side);
        let scenario = referee.ruleset().scenario("six").expect("written above").clone();
        let plan = |games| {
            let (turns, threads) = (TURNS, 1);
            SimulationPlan { turns, from: 0, games, seed: seed.clone(), threads, orders: false }
        };
        let mut by_hand = Grid::new(side);
        // Both must tell the same story before they are timed.
        let games = 100;
        let simulated = referee.simulate(&scenario, &plan(games), &|_| true).expect("it runs");
        let burning: usize = (0..games).map(|game| by_hand.play(&seed, game)).sum();
        let last = simulated.measures[0].turns.last().expect("there are turns").mean();
        assert_eq!(last, burning as f64 / games as f64);

        let mut group = c.benchmark_group(format!("six fires by dice, {side} x {side}, 100 games"));
        group.bench_function("by hand", |b| {
            b.iter(|| (0..games).for_each(|game| _ = black_box(by_hand.play(&seed, game))));
        });
        group.bench_function("by the rules", |b| {
            b.iter(|| referee.simulate(&scenario, &plan(games), &|_| true).is_ok());
        });
        group.finish();
    }
}

fn settings() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10)
}

criterion_group! { name = benches; config = settings(); targets = grid }
criterion_main!(benches);
