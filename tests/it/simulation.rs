//! Scenarios played many times: the figures are those of the rules, and the same whatever the number of threads.

use std::sync::Arc;

use adjutant_dice::Seed;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::Referee;
use adjutant_engine::referee::simulate::{Refusals, SimulationPlan, SimulationResult};
use adjutant_engine::render::simulation::{simulation_text as render, svg};
use adjutant_engine::ruleset::{FileText, load};

const GAME: &str = r#"
[game]
title = "Tally"
[kind.counter]
prefix = "c"
n = { from = 0, to = 1000 }
[state]
sums  = { from = 0 }
tries = { from = 0 }
[rule.tot-up]
each  = 'c in counters'
roll  = '1d6'
after = 'c.n += total; state.sums += total; let new = make counter { n = 1 }; remove new'
[rule.attempt]
after = 'state.tries += 1; if state.tries > 2 { refuse "enough" }'
[[phase]]
name   = "only"
do     = 'tot-up()'
orders = 'attempt()'
[measure.sums]
is = 'state.sums'
[measure.tries]
is = 'state.tries'
[measure.single]
each = 'c in counters'
is   = 'c.n'
[scenario.start]
title = "Two"
[scenario.start.pieces.counter]
a = {}
b = { n = 3 }
"#;

fn simulated(games: u64, threads: usize, orders: bool) -> SimulationResult {
    simulated_of(GAME.into(), games, threads, orders)
}

fn simulated_of(text: String, games: u64, threads: usize, orders: bool) -> SimulationResult {
    simulation_of(text, games, threads, orders).unwrap()
}

fn simulation_of(
    text: String,
    games: u64,
    threads: usize,
    orders: bool,
) -> Result<SimulationResult, Halt> {
    let file = FileText { name: "game.toml".into(), text, scenario: None };
    let ruleset = load(vec![file]).map_err(|f| f.faults).unwrap();
    let referee = Referee::new(Arc::new(ruleset));
    let plan = SimulationPlan {
        turns: 4,
        from: 0,
        games,
        seed: Seed::from_text("tally"),
        threads,
        orders,
    };
    let scenario = referee.ruleset().scenario("start").unwrap();
    referee.simulate(scenario, &plan, &|_| true)
}

#[test]
fn threads_change_nothing() {
    let one = simulated(333, 1, true);
    assert_eq!(one.games, 333);
    assert_eq!(one, simulated(333, 2, true));
    assert_eq!(one, simulated(333, 5, true));
}

#[test]
fn figures_are_those_of_the_dice() {
    let simulated = simulated(4_000, 2, false);
    let last = simulated.measures[0].turns.last().unwrap();
    // Eight dice: a mean of 28, a variance of 8 times 35/12.
    assert!((last.mean() - 28.0).abs() < 0.4, "{}", last.mean());
    assert!(
        (last.standard_deviation() - (8.0f64 * 35.0 / 12.0).sqrt()).abs() < 0.2,
        "{}",
        last.standard_deviation()
    );
    assert_eq!(simulated.measures[0].turns.len(), 5);
    let pieces: Vec<_> = simulated.measures.iter().filter_map(|m| m.piece.clone()).collect();
    assert_eq!(pieces, ["a", "b"]);
    assert_eq!(simulated.measures[3].turns[0].mean(), 3.0);
}

/// The recipe for a last turn in docs/cookbook.md: `next` doesn't stop in a skipped phase either.
#[test]
fn a_game_does_not_end_in_a_phase_that_is_skipped() {
    let dusk = "[[phase]]\nname = \"dusk\"\nskip = 'state.turn < 3'\n\
                [[end]]\nwhen = 'state.phase = dusk'\nsay = \"night has come\"\n[measure.sums]";
    let simulated = simulated_of(GAME.replace("[measure.sums]", dusk), 5, 1, false);
    let ends = simulated.ends.unwrap();
    assert_eq!(ends.iter().map(|end| (end.games, end.turns)).collect::<Vec<_>>(), [(5, 15)]);
}

/// A question and a sum that has the same answer.
const ASKED: [[&str; 2]; 8] = [
    [
        "count a in areas where a.n > 1 and a.n < 5",
        "sum a in areas: if a.n > 1 and a.n < 5 then 1 else 0",
    ],
    ["count a in areas where a.lit", "sum a in areas: if a.lit then 1 else 0"],
    [
        "size((a in areas where not a.lit and a.n != 3))",
        "sum a in areas: if a.lit or a.n = 3 then 0 else 1",
    ],
    [
        "if any a in areas: a.n = 5 then 1 else 0",
        "min(1, sum a in areas: if a.n = 5 then 1 else 0)",
    ],
    [
        "if no a in areas where a.lit: a.n >= 2 then 1 else 0",
        "1 - min(1, sum a in areas: if a.lit and a.n > 1 then 1 else 0)",
    ],
    [
        "if all a in areas: a.n <= 4 then 1 else 0",
        "1 - min(1, sum a in areas: if a.n > 4 then 1 else 0)",
    ],
    [
        "sum a in areas: count b in a.beside where b.n < a.n",
        "sum a in areas: (sum b in a.beside: if b.n < a.n then 1 else 0)",
    ],
    [
        "sum a in areas: (if any b in a.beside where b.lit: b.n > 2 then 1 else 0)",
        "sum a in areas: min(1, sum b in a.beside: if b.lit and b.n > 2 then 1 else 0)",
    ],
];

#[test]
fn loops_that_ask_their_members_find_what_turns_would() {
    let mut text = r##"
[game]
title = "Lamps"
[kind.area]
plan = true
n    = { from = 0, to = 5 }
lit  = { flag = true }
[rule.flicker]
each = 'a in areas where a.n < 5 or a.lit, b in a.beside where b.n != a.n'
roll = '1d6'
needs = '>= 4'
pass = 'b.n += 1; b.lit = total > 4'
fail = 'a.n -= 1'
[rule.spark]
after = 'let a = pick a among areas; a.n = roll 1d6 - 1; a.lit = true'
[[phase]]
name = "only"
do   = 'repeat 3 times { spark() }; flicker()'
[scenario.start]
title = "Start"
[[scenario.start.level]]
plan = """
####
####
"""
[scenario.start.legend]
"#" = {}
"##
    .to_owned();
    for (i, [asked, summed]) in ASKED.iter().enumerate() {
        text += &format!("[measure.a{i}]\nis = '{asked}'\n[measure.b{i}]\nis = '{summed}'\n");
    }
    let simulated = simulated_of(text, 200, 1, false);
    for (pair, [asked, _]) in simulated.measures.chunks(2).zip(ASKED) {
        assert_eq!(pair[0].turns, pair[1].turns, "{asked}");
        assert!(pair[0].turns[4].lowest() < pair[0].turns[4].highest(), "{asked}");
    }
}

#[test]
fn a_turn_that_puts_others_out_keeps_them_from_theirs() {
    let text = r##"
[game]
title = "Candles"
[kind.area]
plan = true
lit  = { from = 0, to = 5 }
[state]
turns = { from = 0 }
alone = { from = 0 }
[rule.blow]
each  = 'a in areas where a.lit > 0'
after = 'state.turns += 1; each b in a.east { b.lit = 0 }'
[rule.burn]
each  = 'a in areas where a.lit > 0'
after = 'state.alone += 1; a.lit -= 1'
[[phase]]
name = "only"
do   = 'blow(); burn()'
[measure.turns]
is = 'state.turns'
[measure.alone]
is = 'state.alone'
[scenario.start]
title = "Start"
[[scenario.start.level]]
plan = """
######
"""
[scenario.start.legend]
"#" = { lit = 2 }
[scenario.start.pieces.area]
a1 = { lit = 1 }
"##;
    let simulated = simulated_of(text.into(), 1, 1, false);
    let mean = |measure: usize, turn: usize| simulated.measures[measure].turns[turn].mean();
    // Every other candle is blown out before its turn; the first burns down in the first turn, the third and fifth later.
    assert_eq!([1, 2, 3].map(|turn| mean(0, turn)), [3.0, 5.0, 5.0]);
    assert_eq!([1, 2, 3].map(|turn| mean(1, turn)), [3.0, 5.0, 5.0]);
}

#[test]
fn what_goes_wrong_is_named_with_its_place() {
    // The orders have been carried out twice when the third turn begins.
    let share = "[define.share]\ntakes = \"n: whole\"\nis = 'floor(6 / n)'\n";
    let text =
        GAME.replace("'tot-up()'", "'tot-up(); state.sums += share(2 - state.tries)'") + share;
    let Err(Halt::Fault(error)) = simulation_of(text.clone(), 40, 2, true) else {
        panic!("nothing is divided by zero")
    };
    assert_eq!(error.to_string(), "a number is divided by zero, in `share`");
    let (start, end) = (error.span.start as usize, error.span.end as usize);
    assert_eq!(text.get(start..end), Some("floor(6 / n)"));
}

#[test]
fn refused_orders_are_taken_back_and_counted() {
    let simulated = simulated(10, 1, true);
    let tries = simulated.measures[1].turns.last().unwrap();
    assert_eq!([tries.lowest(), tries.highest()].map(|n| n.to_string()), ["2", "2"]);
    let refusals = Refusals { count: 20, first: "enough".to_owned(), game: 0 };
    assert_eq!(simulated.refusals, Some(refusals));
}

#[test]
fn whoever_watches_can_stop_it() {
    let file = FileText { name: "game.toml".into(), text: GAME.into(), scenario: None };
    let referee = Referee::new(Arc::new(load(vec![file]).map_err(|f| f.faults).unwrap()));
    let seed = Seed::from_text("tally");
    let plan =
        SimulationPlan { turns: 1, from: 0, games: 1_000_000, seed, threads: 2, orders: false };
    let scenario = referee.ruleset().scenario("start").unwrap();
    let simulated = referee.simulate(scenario, &plan, &|_| false).unwrap();
    assert!(simulated.games < 1_000);
}

/// Whether every tag is closed in its turn, and nothing but tags and escaped words is there.
fn is_well_formed(picture: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = picture;
    while let Some(start) = rest.find('<') {
        let words = &rest[..start];
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
        let bare = entities.iter().fold(words.to_owned(), |text, entity| text.replace(entity, ""));
        if bare.contains(['&', '>']) {
            return false;
        }
        let Some(end) = rest[start..].find('>') else { return false };
        let tag = &rest[start + 1..start + end];
        if tag.contains('<') || tag.matches('"').count() % 2 == 1 {
            return false;
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            None if !tag.ends_with('/') => open.push(tag.split(' ').next().unwrap_or_default()),
            _ => {}
        }
        rest = &rest[start + end + 1..];
    }
    open.is_empty() && rest.trim().is_empty()
}

#[test]
fn a_picture_is_well_formed_and_its_words_escaped() {
    let simulated = simulated(40, 1, false);
    let picture = svg(&simulated, "Smith & \"Sons\" <b>");
    assert!(is_well_formed(&picture), "{picture}");
    assert!(picture.contains("Smith &amp; &quot;Sons&quot; &lt;b&gt;"));
    assert!(!is_well_formed("<svg><g></svg>") && !is_well_formed("<g>a & b</g>"));
    insta::assert_snapshot!(picture);
}

#[test]
fn a_measure_is_plotted_by_turn() {
    let text = render(&simulated(200, 1, false), "none", 80).plain(80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn players_choose_what_their_questions_say_is_best() {
    let text = r#"
[game]
title = "Choices"
[words.team]
values = ["red", "blue"]
[sides]
are = "team"
[state]
sum     = { from = 0 }
refused = { from = 0 }
[rule.choose]
after = '''
state.sum += ask red "How far?" among n in 1..9 by 0 - (n - 4) * (n - 4)
if ask blue "Refuse?" by state.sum mod 8 = 0 { state.refused += 1 }
'''
[[phase]]
name = "only"
do   = 'choose()'
[measure.sum]
is = 'state.sum'
[measure.refused]
is = 'state.refused'
[scenario.start]
title = "Start"
"#;
    let simulated = simulated_of(text.to_owned(), 50, 1, false);
    // 4 every turn, and a multiple of 8 every other turn.
    for (measure, totals) in simulated.measures.iter().zip([[0, 4, 8, 12, 16], [0, 0, 1, 1, 2]]) {
        for (turn, expected) in measure.turns.iter().zip(totals) {
            let found = [turn.lowest(), turn.highest()].map(|n| n.to_string());
            assert_eq!(found, [expected.to_string(), expected.to_string()]);
        }
    }
}
