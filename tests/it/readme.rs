//! The README is true: the lines under "At the prompt" are one session, whatever the dice.

use crate::kit::Table;

const README: &str = include_str!("../../README.md");

/// The lines of the block under a heading, without what is said of them.
fn lines_under(heading: &str) -> Vec<&'static str> {
    let (_, section) = README.split_once(heading).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| line.split("  ").next().unwrap()).collect()
}

#[test]
fn the_lines_at_the_prompt_are_a_session() {
    type_the_lines(1..=30);
}

#[test]
#[ignore = "a minute: the same with 200 seeds"]
fn the_lines_at_the_prompt_are_a_session_long() {
    type_the_lines(1..=200);
}

fn type_the_lines(seeds: std::ops::RangeInclusive<u32>) {
    let lines = lines_under("## At the prompt").join("\n");
    assert!(lines.lines().count() >= 20, "{lines}");
    for seed in seeds {
        let table = Table::at("blitz", "", &format!("{seed}")).lines(&lines);
        for part in ["odds of fight b1 with h1", "h1 on b1", "6 is amended", "tarpaulin", "fight <"]
        {
            assert!(table.printed.contains(part), "no `{part}` in:\n{}", table.printed);
        }
    }
}

#[test]
fn the_game_it_starts_is_the_one_it_plays() {
    assert!(README.contains("    cargo run --release -- play blitz\n"));
}
