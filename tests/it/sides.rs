//! Sides: turns by order and in alternation, verbs that bind the side to move.

use adjutant_engine::command;

use crate::kit::{Table, adjutant, file};

/// A field where blue marches first.
fn field() -> Table {
    Table::of("field").lines("next 2")
}

#[test]
fn a_verb_is_for_the_side_to_move() {
    let mut table = field();
    let refused = "blue is to move, and `ann` is on the side of red";
    assert!(table.refuses("march ann").contains(refused));
    table.types("cheer ann");
    table.types("!march ann");
    table.types("march cleo\nnext");
    assert!(
        table.refuses("march cleo").contains("red is to move, and `cleo` is on the side of blue")
    );
    assert!(table.prompt().ends_with("1.2 march red> "), "{}", table.prompt());
    table.types("undo");
    assert!(table.prompt().ends_with("1.2 march blue> "), "{}", table.prompt());
    // A gun is on the side of its crew; one without crew on none.
    table.types("next 2\nbombard g2 at ann\nset state.side blue");
    assert!(table.refuses("bombard g1 at ann").contains("`g1` is on the side of red"));
}

/// "The turn" that players end is the turn of their side, if the sides have their turns one after another.
#[test]
fn the_end_of_a_turn_does_not_pass_over_the_other_side() {
    let text = std::fs::read_to_string(crate::kit::path("docs/examples/twelve-standards.toml"));
    let file = file("standards.toml", text.unwrap());
    for phrase in ["end turn", "end the turn", "turn over", "next side"] {
        let mut table = Table::by("standards", std::slice::from_ref(&file), "", "candle");
        table.types("next");
        assert!(table.prompt().ends_with("1.1 command hill-folk> "), "{}", table.prompt());
        table.types(phrase);
        assert!(table.prompt().ends_with("1.1 command city> "), "{phrase}: {}", table.prompt());
        table.types(phrase);
        assert!(
            table.prompt().ends_with("2.1 command hill-folk> "),
            "{phrase}: {}",
            table.prompt()
        );
    }
    let mut table = Table::by("standards", &[file], "", "candle");
    table.types("next\nnext turn");
    assert!(table.prompt().ends_with("2.1 command hill-folk> "), "{}", table.prompt());
}

#[test]
fn in_alternation_the_move_passes_on_when_a_piece_has_acted() {
    let mut table = field().lines("next 2");
    assert!(table.prompt().ends_with("1.3 volleys red> "), "{}", table.prompt());
    table.types("volley ann at cleo");
    assert!(table.prompt().ends_with("volleys blue> "));
    table.types("volley cleo at ann");
    assert!(table.prompt().ends_with("volleys red> "));
    assert!(table.refuses("volley cleo at ann").contains("red is to move"));
    // Nobody of blue is left, so red stays.
    table.types("volley bert at cleo");
    assert!(table.prompt().ends_with("volleys red> "));
    table.types("undo 2");
    assert!(table.prompt().ends_with("volleys blue> "));
    table.types("next");
    assert!(table.prompt().ends_with("1.4 drill-one> "), "{}", table.prompt());
}

#[test]
fn a_side_without_a_turn_is_passed_over() {
    let mut table = Table::of("field").lines("set cleo.men 0");
    let printed = table.types("next 2");
    assert!(printed.contains("skipped: 2 marching · blue"), "{printed}");
    assert!(table.prompt().ends_with("march red> "), "{}", table.prompt());
    // `next turn` goes through every side.
    table.types("next turn");
    assert!(table.prompt().ends_with(" 2.1 dawn> "), "{}", table.prompt());
}

#[test]
fn the_end_is_told_once_and_the_game_goes_on() {
    let mut table = field();
    let told = "the game ends: an army has left the field in turn 1; winner: red, by 5";
    assert!(table.types("set cleo.men 0").contains(told), "{}", table.printed);
    let printed = table.types("next 3\nset ann.men 2").to_owned();
    assert!(!printed.contains("the game ends"), "{printed}");
    table.types("undo 5");
    let printed = table.types("set ann.men 0\nset bert.men 0").to_owned();
    assert!(printed.contains("winner: blue, by 3"), "{printed}");
    // What is over in another way is not told again.
    assert!(!table.types("set state.turn 7").contains("it is dark"), "{}", table.printed);
}

#[test]
fn a_scenario_has_ends_of_its_own() {
    let mut ford = Table::at("field", "ford", "candle").lines("next turn\nnext turn");
    assert!(!ford.printed.contains("the game ends"), "{}", ford.printed);
    let told = "the game ends: the ford is held; winner: blue";
    assert!(ford.types("next turn").contains(told), "{}", ford.printed);
    // The hedge is another scenario; there the end of the game itself counts.
    let hedge = field().lines("next turn\nnext turn\nnext turn");
    assert!(!hedge.printed.contains("the game ends"), "{}", hedge.printed);
}

#[test]
fn a_simulation_tells_who_wins() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/field");
    let run = adjutant(["simulate", folder, "--seed", "a", "--games", "200", "--turns", "9"]);
    let told = run.success();
    assert!(told.contains("winner red: ") && told.contains("in turn"), "{told}");
    // No player plans these games, and that is said.
    assert!(told.contains("played by the ruleset's standing orders"), "{told}");
    let idle = adjutant(["simulate", folder, "--games", "9", "--orders", "none"]).success();
    assert!(!idle.contains("winner") || idle.contains("played without orders"), "{idle}");
    assert!(!idle.contains("standing orders"), "{idle}");
    let threads = ["1", "3"].map(|n| {
        let run = adjutant(["simulate", folder, "--seed", "a", "--games", "200", "--turns", "9"]);
        let printed = run.args(["--threads", n, "--json"]).success();
        let data: serde_json::Value = serde_json::from_str(&printed).unwrap();
        data["ends"].clone()
    });
    assert_eq!(threads[0], threads[1]);
    let games = threads[0].as_array().unwrap().iter().map(|end| end["games"].as_u64().unwrap());
    assert_eq!(games.sum::<u64>(), 200, "{}", threads[0]);
}

#[test]
fn the_phases_of_the_games_are_written_once() {
    // Lines of all phases, reminders, what is left and all; each is to be as short as it can be.
    let most = [("tarr", 66), ("house-clearing", 32), ("mtb", 49), ("firefight", 21)];
    for (game, most) in most {
        let path = format!("{}/rulesets/{game}/game.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let sections = text.split("\n[");
        let phases = sections.filter(|section| section.starts_with("[phase]]"));
        // The sentence for the book isn't counted.
        let counts = |line: &&str| !line.trim().is_empty() && !line.starts_with("reads");
        let lines: usize = phases.map(|phase| phase.lines().filter(counts).count()).sum();
        assert!(lines <= most, "{game}: {lines} lines of phases");
        assert!(text.contains("\n[sides]\n"), "{game}");
    }
}

#[test]
fn a_side_may_be_an_army_or_a_player() {
    for name in ["army", "player"] {
        for sides in ["[words.who]\nvalues = [\"ann\", \"bob\"]\n[sides]\nare = \"who\"", ""] {
            let (side_attribute, values) = if sides.is_empty() {
                (format!("side_attribute = \"{name}\""), "text = true")
            } else {
                (String::new(), r#"one_of = "who""#)
            };
            let text = format!(
                r#"
[game]
title = "Tanks"
{sides}
[kind.tank]
{side_attribute}
{name} = {{ {values} }}
hits = {{ from = 0, to = 9 }}
[rule.shoot]
usage = "shoot <tank:tank>"
roll = '1d6'
label = "{{tank}} shoots"
needs = '>= 4'
pass = 'tank.hits += 1'
[scenario.one]
title = "One"
pieces.tank = {{ tiger = {{ {name} = "ann" }}, lion = {{ {name} = "bob" }} }}
"#
            );
            let mut table = Table::by("tanks", &[file("tanks.toml", text)], "", "candle");
            let shown = table.types("show ann").to_owned();
            assert!(shown.contains("tiger") && !shown.contains("lion"), "{name}: {shown}");
            let thrown = table.types("dice physical ann\nshoot tiger\n5\nshoot lion").to_owned();
            // Ann throws her own dice, and those alone.
            assert!(thrown.contains("tiger shoots  [5]*"), "{name}: {thrown}");
            assert!(thrown.contains("lion shoots") && thrown.matches('*').count() == 1, "{thrown}");
            let stats = table.types("stats").to_owned();
            assert!(
                stats.contains("\nann\n") && stats.contains("\nbob: shoot\n"),
                "{name}: {stats}"
            );
        }
    }
}

/// Returns whether the players roll the dice of a line.
fn is_real(table: &Table, line: &str) -> bool {
    let session = table.session();
    let read = command::parse(session.referee(), session.table(), line);
    let command = read.unwrap_or_else(|e| panic!("{line}: {e}")).unwrap();
    session.throws_real_dice(&command.verb, &command.action)
}

#[test]
fn real_dice_are_those_of_the_side_that_acts() {
    let mut table = Table::at("firefight", "the-crossroads", "candle");
    table.types("dice physical american");
    assert!(is_real(&table, "fire a1 at y1") && !is_real(&table, "fire y1 at a1"));
    assert!(is_real(&table, "group a1 a2") && !is_real(&table, "group y1 y2"));
    // Who stands near a burst does not throw for it.
    table.types("set state.side american");
    assert!(is_real(&table, "blast y1 1"));
    table.types("set state.side german");
    assert!(!is_real(&table, "blast a1 1"));
    // The others in the cone of a burst are hit by the dice of its firer.
    let mut table = Table::of("house-clearing");
    table.types("set hale.weapon smg\nnext\ndice physical attackers");
    table.types("burst hale at vogt range 8 seen 2\n99");
    assert!(is_real(&table, "also keller range 7 seen 3"), "{}", table.printed);
    table.types(
        "undo\ndice auto attackers\ndice physical defenders\nburst hale at vogt range 8 seen 2",
    );
    assert!(!is_real(&table, "also keller range 7 seen 3"));
    // Players who share everything have dice, too.
    let mut table = Table::at("blitz", "lamb-alley", "candle");
    table.types("dice physical ann");
    assert!(is_real(&table, "search with t1") && !is_real(&table, "search with t5"));
}
