//! Rules with too many paths to follow each of them, whose odds are known by arithmetic; and the limits beyond which odds
//! are sampled.

use std::collections::BTreeMap;

use adjutant_engine::command;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::Action;
use adjutant_engine::referee::odds::{Marginal, Odds, OddsMethod, OddsQuestion, OddsStep};
use adjutant_engine::render::chances::verb_text;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::compare::{Shares, agree, rational, set_up};

/// Returns a ruleset with this number of figures, and one verb, which runs `body`.
fn ruleset(figures: usize, body: &str) -> String {
    let pieces: String = (1..=figures).map(|n| format!("f{n} = {{}}\n")).collect();
    format!(
        r#"[game]
title = "Large"

[kind.figure]
prefix = "f"
marker = "figure"
hits   = {{ from = 0, to = 99, marker = "red die" }}
cover  = {{ flag = true, marker = "ring" }}
men    = {{ from = 0, to = 99, marker = "blue die" }}
rank   = {{ from = 0, to = 99, marker = "white die" }}

[list.card]
worth   = {{ from = 0, to = 9 }}
columns = ["title", "worth"]
[list.card.rows]
ace   = ["Ace", 1]
blank = ["Blank", 0]

[deck.pack]
of   = "card"
fill = 'put 4 of card.ace into pack; put 48 of card.blank into pack'

[state]
shots = {{ from = 0, to = 99999, marker = "clock" }}
level = {{ from = 0, to = 5, marker = "ladder" }}

[rule.run]
usage = "run"
after = """
{body}
"""

[scenario.start]
title = "Large"
[scenario.start.pieces.figure]
{pieces}"#
    )
}

/// Returns the odds of the verb of [`ruleset`], with this multiple of the usual effort.
fn odds_with_effort(figures: usize, body: &str, effort: u32) -> Result<Odds, Halt> {
    let (referee, table) = set_up(&ruleset(figures, body)).unwrap();
    let action = command::parse(&referee, &table, "run").unwrap().unwrap().action;
    let question = OddsQuestion { effort, ..OddsQuestion::of_action(&action, false) };
    referee.odds_of_question(&table, &question)
}

fn odds_of(figures: usize, body: &str) -> Odds {
    odds_with_effort(figures, body, 1).unwrap()
}

/// Returns the number of states of odds that must be exact.
fn states(odds: &Odds) -> usize {
    match odds.basis {
        OddsMethod::Exact(states) => states,
        OddsMethod::Sampled(runs) => panic!("the odds were sampled {runs} times"),
    }
}

/// Returns the number of tries of odds that must be sampled.
fn tries(odds: &Odds) -> u64 {
    match odds.basis {
        OddsMethod::Sampled(runs) => runs,
        OddsMethod::Exact(states) => panic!("the odds are exact, through {states} states"),
    }
}

fn fraction(n: u64, of: u64) -> BigRational {
    BigRational::new(n.into(), of.into())
}

/// Returns the distribution of the sum of independent numbers.
fn sum_of(numbers: &[Shares<i64>]) -> Shares<i64> {
    let mut sums = Shares::from([(0, BigRational::one())]);
    for number in numbers {
        let mut next = Shares::new();
        for (sum, p) in &sums {
            for (more, q) in number {
                *next.entry(sum + more).or_insert_with(BigRational::zero) += p * q;
            }
        }
        sums = next;
    }
    sums
}

fn die(sides: u32) -> Shares<i64> {
    (1..=i64::from(sides)).map(|face| (face, fraction(1, sides.into()))).collect()
}

/// Returns the distribution of a number that is 1 with this probability, and else 0.
fn coin(p: BigRational) -> Shares<i64> {
    Shares::from([(0, BigRational::one() - &p), (1, p)])
}

/// Checks the distribution of a part of the answer.
fn check_part(odds: &Odds, what: &str, expected: &Shares<i64>) {
    let part = odds.parts.iter().find(|part| part.what == what).expect("it may change");
    let found = part.values.iter().map(|(value, p)| (value.parse().unwrap(), rational(p)));
    agree(what, &found.collect(), expected).unwrap();
}

#[test]
fn pieces_that_roll_for_themselves_stay_apart() {
    let odds = odds_of(
        30,
        "each f in figures { f.hits = roll 1d6; if (roll 2d6) >= 9 { f.cover = true } }",
    );
    // Two dice show 9 or more in 10 of 36 ways.
    let cover = fraction(10, 36);
    for n in 1..=30 {
        check_part(&odds, &format!("f{n} hits"), &die(6));
        let what = format!("f{n} cover");
        let part = odds.parts.iter().find(|part| part.what == what).unwrap();
        let found = part.values.iter().map(|(value, p)| (value.as_str(), rational(p))).collect();
        let expected =
            BTreeMap::from([("yes", cover.clone()), ("no", BigRational::one() - &cover)]);
        agree(&what, &found, &expected).unwrap();
    }
    // All hits change.
    let covered = sum_of(&vec![coin(cover); 30]);
    let expected: Shares<i64> = covered.into_iter().map(|(n, p)| (n + 30, p)).collect();
    let found = odds.changed.iter().map(|(n, p)| (*n as i64, rational(p))).collect();
    agree("number of changes", &found, &expected).unwrap();
    assert!(states(&odds) < 1_000, "{} states", states(&odds));
}

#[test]
fn equal_turns_are_counted() {
    let odds = odds_of(1, "repeat 60 times { state.shots += roll 1d6 }");
    check_part(&odds, "shots", &sum_of(&vec![die(6); 60]));
    let odds = odds_of(
        1,
        "let n = 0; let m = 0; repeat 80 times { let r = roll 1d6; if r >= 4 { n += 1; if (roll 1d6) >= 3 { m += 1 } } }; each f in figures { f.hits = n }; state.shots = m",
    );
    check_part(&odds, "f1 hits", &sum_of(&vec![coin(fraction(1, 2)); 80]));
    check_part(&odds, "shots", &sum_of(&vec![coin(fraction(1, 3)); 80]));
    // A turn of each kind, and again.
    let odds = odds_of(
        1,
        "let n = 0; repeat 30 times { if (roll 1d6) = 6 { n += 2 } }; repeat 30 times { if (roll 1d4) = 4 { n += 1 } }; state.shots = n",
    );
    let twos = Shares::from([(0, fraction(5, 6)), (2, fraction(1, 6))]);
    let both = [vec![twos; 30], vec![coin(fraction(1, 4)); 30]].concat();
    check_part(&odds, "shots", &sum_of(&both));
}

#[test]
fn turns_that_differ_are_followed() {
    // The n-th figure needs more than the one before it.
    let odds = odds_of(
        12,
        "let n = 0; each f in figures { n += 1; if (roll 1d20) > n { state.shots += 1 } }",
    );
    let coins: Vec<Shares<i64>> = (1..=12).map(|n| coin(fraction(20 - n, 20))).collect();
    check_part(&odds, "shots", &sum_of(&coins));
}

#[test]
fn a_walk_between_two_walls() {
    let odds = odds_of(
        1,
        "repeat 50 times { let r = roll 1d6; if r >= 5 { state.level = min(state.level + 1, 5) } else if r = 1 { state.level = max(state.level - 1, 0) } }",
    );
    let mut levels = Shares::from([(0, BigRational::one())]);
    for _ in 0..50 {
        let mut next = Shares::new();
        for (level, p) in &levels {
            for (to, q) in [((level + 1).min(5), 2), ((level - 1).max(0), 1), (*level, 3)] {
                *next.entry(to).or_insert_with(BigRational::zero) += p * fraction(q, 6);
            }
        }
        levels = next;
    }
    check_part(&odds, "level", &levels);
}

#[test]
fn aces_among_cards_drawn() {
    let draws = 7;
    let odds = odds_of(
        1,
        "shuffle pack; repeat 7 times { let c = draw from pack; state.shots += c.worth }",
    );
    let choose = |n: u64, k: u64| -> BigRational {
        (0..k).map(|i| BigRational::new((n - i).into(), (i + 1).into())).product()
    };
    let hands = |aces: u64| choose(4, aces) * choose(48, draws - aces) / choose(52, draws);
    let expected = (0..=4).map(|aces| (aces as i64, hands(aces))).collect();
    check_part(&odds, "shots", &expected);
}

#[test]
fn a_card_from_a_deck_of_any_height() {
    // An ace is as likely at any place. No rule asks which cards the others are.
    let odds = odds_of(
        1,
        "shuffle pack; let n = roll 1d51; repeat n times { let c = draw from pack }; if (roll 1d2) = 1 { state.shots += 1 }; let last = draw from pack",
    );
    assert!(states(&odds) > 0);
    let found = odds.words.iter().map(|(words, p)| (words.as_str(), rational(p))).collect();
    let expected = BTreeMap::from([("Blank", fraction(48, 52)), ("Ace", fraction(4, 52))]);
    agree("the last card", &found, &expected).unwrap();
}

#[test]
fn one_roll_has_at_most_5000_values() {
    for (dice, count) in [("1d5000", 5_000), ("10d501kh1", 501), ("999d6", 4_996)] {
        let odds = odds_of(1, &format!("state.shots = roll {dice}"));
        assert!(states(&odds) > 0);
        assert_eq!(odds.parts[0].values.len(), count, "{dice}");
    }
    for dice in ["1d5001", "1000d6"] {
        tries(&odds_of(1, &format!("state.shots = roll {dice}")));
    }
    for (most, is_exact) in [(5_000, true), (5_001, false)] {
        let odds = odds_of(1, &format!("state.shots = ask \"How many?\" between 1 and {most}"));
        assert_eq!(matches!(odds.basis, OddsMethod::Exact(_)), is_exact);
    }
}

/// The number of dice times the span of their total is counted for each pool, the square of the number of dice if some of
/// them don't count. Together it is at most 20 millions.
#[test]
fn the_dice_of_all_pools_are_counted() {
    // 999 * 4,995 is a little less than 5 millions.
    let pool = |dice: u32| format!("if (roll {dice}d6) > 3500 {{ n += 1 }}; ");
    let body = |pools: String| format!("let n = 0; {pools} state.shots = n");
    let pools = |count: u32| body((0..count).map(|less| pool(999 - less)).collect());
    assert!(states(&odds_of(1, &pools(4))) > 0);
    tries(&odds_of(1, &pools(5)));
    assert!(states(&odds_with_effort(1, &pools(5), 2).unwrap()) > 0);
    // The same pool is counted once.
    assert!(states(&odds_of(1, &body(pool(999).repeat(6)))) > 0);
    // 100 * 100 * 1,899 and 100 * 100 * 2,099.
    assert!(states(&odds_of(1, "state.shots = roll 100d1900kh1")) > 0);
    tries(&odds_of(1, "state.shots = roll 100d2100kh1"));
}

/// Stores the faces of all coins in one number, so that no two paths meet.
fn ways(coins: u32) -> String {
    format!("let n = 1; repeat {coins} times {{ n = n * 2 + roll 1d2 }}; state.shots = n mod 2")
}

#[test]
fn at_most_60000_states_are_followed() {
    // One at the beginning, and one in front of each roll on each path: 1 + 1 + 458 + 458 * 130.
    let rolls = "let a = roll 1d458; let b = roll 1d130; let c = roll 1d2; if a + b + c > 300 { state.shots = 1 }";
    assert_eq!(states(&odds_of(1, rolls)), 60_000);
    tries(&odds_of(1, &format!("let unread = roll 1d2; {rolls}")));
    // 2^(n + 1) - 1 states in front of the coins and at the end.
    let exact = odds_of(1, &ways(14));
    check_part(&exact, "shots", &coin(fraction(1, 2)));
    assert!((16_000..34_000).contains(&states(&exact)), "{}", states(&exact));
    tries(&odds_of(1, &ways(16)));
    assert!((64_000..132_000).contains(&states(&odds_with_effort(1, &ways(16), 3).unwrap())));
}

#[test]
fn steps_are_counted_in_trees_and_in_tries() {
    // After each of 200 results, a loop of several 100,000 instructions. There are at most 60 millions for a tree, and 35
    // millions for all tries.
    let slow = |turns: u32| {
        format!(
            "let r = roll 1d200; let n = 0; repeat {turns} times {{ repeat 1000 times {{ n = n + r }} }}; if n > 0 {{ state.shots = r }}"
        )
    };
    let sampled = odds_of(1, &slow(250));
    let few = tries(&sampled);
    // A turn of the inner loop is one to ten instructions.
    assert!((35_000_000 / 2_500_000..=35_000_000 / 250_000).contains(&few), "{few} tries");
    check_margin(&sampled);
    let more = tries(&odds_with_effort(1, &slow(500), 2).unwrap());
    assert!(
        more.abs_diff(few) <= 1,
        "{few} tries, and {more} for twice the effort at twice the length"
    );
    let quicker = tries(&odds_of(1, &slow(125)));
    assert!(quicker.abs_diff(2 * few) <= 2, "{few} tries, and {quicker} of half the length");
    assert!(states(&odds_with_effort(1, &slow(250), 5).unwrap()) > 0);
}

#[test]
fn dice_and_changes_count_in_tries() {
    // 500 steps for each try, 2 for each die, 20 for each change, and the instructions.
    let tries_with = |dice: u64| tries(&odds_of(1, &format!("state.shots = roll {dice}d6")));
    let [some, many] = [2_000, 9_000].map(|dice| (dice, tries_with(dice)));
    for (dice, runs) in [some, many] {
        let most = 35_000_000 / (500 + 2 * dice);
        assert!(runs <= most + 1 && runs * 100 >= most.min(20_000) * 90, "{runs} of {most} tries");
    }
    // The same without the lowest.
    let runs = tries(&odds_of(1, "state.shots = roll 9000d6dl1"));
    assert!(runs.abs_diff(tries_with(9_000)) < 20, "{runs} tries");
    let body = "if (roll 1d5001) > 0 { each f in figures { f.hits = 1 } }";
    let runs = tries(&odds_of(99, body));
    // A change is some instructions more.
    let most = 35_000_000 / (500 + 99 * 20);
    assert!(runs < most && runs * 2 > most, "{runs} of {most} tries");
}

/// Two coins and whether they differ: each two of the three are independent.
#[test]
fn values_that_depend_on_each_other_only_all_together() {
    let body = "let a = roll 1d2; let b = roll 1d2; each f in figures { f.hits = a; f.men = b; f.rank = (a + b) mod 2 }; if (roll 1d3) = 3 { state.shots = 1 }; each f in figures { state.level = (f.hits + f.men + f.rank) mod 2 }";
    let odds = odds_of(1, body);
    assert!(states(&odds) > 0);
    assert_eq!(odds.parts.iter().find(|part| part.what == "level"), None);
    let one = odds.endings.iter().all(|ending| {
        let value = |name: &str| {
            let change = ending.changes.iter().find(|change| change.text.starts_with(name));
            change.map_or(0, |change| change.text.rsplit(' ').next().unwrap().parse().unwrap())
        };
        (value("f1 hits") + value("f1 men") + value("f1 rank")) % 2 == 0
    });
    assert!(one, "{:?}", odds.endings);
}

/// The rows of a column are looked up in words of 64 bits.
#[test]
fn figures_beyond_the_sixty_fourth() {
    let body = "let n = 0; each f in figures { n += 1; if n mod 20 = 3 { f.cover = (roll 1d2) = 1 } }; each f in figures where f.cover { f.hits = 1 }";
    let odds = odds_of(140, body);
    assert!(states(&odds) > 0);
    let hits: Vec<&Marginal> =
        odds.parts.iter().filter(|part| part.what.ends_with("hits")).collect();
    let figures: Vec<String> = (0..7).map(|n| format!("f{} hits", 20 * n + 3)).collect();
    agree("hits", &hits.iter().map(|part| part.what.clone()).collect(), &figures).unwrap();
    for part in hits {
        check_part(&odds, &part.what, &coin(fraction(1, 2)));
    }
}

/// Values that depend on each other are kept in one table. A flag that depends on all those before it doubles the table.
#[test]
fn at_most_a_million_values_hang_together() {
    let body = "let n = 0; each f in figures { if (roll 1d6) + n >= 5 { f.cover = true; n = 1 } else { n = 0 } }";
    let odds = odds_of(12, body);
    assert!(states(&odds) > 0);
    let mut covered = BigRational::zero();
    for n in 1..=12 {
        // 3 in 6 after one in cover, else 2 in 6.
        covered = &covered * fraction(3, 6) + (BigRational::one() - &covered) * fraction(2, 6);
        let what = format!("f{n} cover");
        let part = odds.parts.iter().find(|part| part.what == what).unwrap();
        let found = part.values.iter().find(|(value, _)| value == "yes").unwrap();
        agree(&what, &rational(&found.1), &covered).unwrap();
    }
    let more = odds_with_effort(20, body, 8).unwrap();
    assert!(tries(&more) > 0);
}

/// Each pair of pieces is compared, at some steps for each value of the roll on which all depend.
#[test]
fn comparisons_count_in_trees() {
    let body = "let r = roll 1d5000; let n = 0; each f in figures { n += 1; f.hits = (r + n) mod 90 }; if (roll 1d2) = 1 { state.shots = 1 }";
    assert!(states(&odds_of(20, body)) > 0);
    tries(&odds_of(99, body));
}

/// Whatever has happened to a piece goes with it if it is removed, so that all of it hangs together.
#[test]
fn what_has_happened_to_a_piece_that_may_be_removed() {
    let body =
        |rolls: &str| format!("each f in figures {{ {rolls}; if (roll 1d2) = 1 {{ remove f }} }}");
    let few = odds_of(1, &body("f.hits = roll 1d90; f.cover = (roll 1d2) = 1"));
    assert!(states(&few) > 0);
    let part = few.parts.iter().find(|part| part.what == "f1").expect("it may be removed");
    agree("it is removed", &rational(&part.values[0].1), &fraction(1, 2)).unwrap();
    // 90 * 90 * 90 * 2 rows of four values.
    let many = "f.hits = roll 1d90; f.men = roll 1d90; f.rank = roll 1d90";
    tries(&odds_of(1, &body(many)));
}

#[test]
fn the_likeliest_endings_are_listed() {
    // 12 endings are all listed; of 13, the likeliest 11.
    let all = odds_of(1, "state.shots = roll 1d12");
    assert_eq!((all.endings.len(), &all.rest), (12, &None));
    let most = odds_of(1, "state.shots = roll 1d13");
    let (others, chance) = most.rest.unwrap();
    assert_eq!((most.endings.len(), others, rational(&chance)), (11, 2, fraction(2, 13)));
    // The more likely ones come first.
    let sums = odds_of(1, "state.shots = roll 3d6");
    let expected = sum_of(&vec![die(6); 3]);
    let mut chances: Vec<BigRational> = expected.values().cloned().collect();
    chances.sort_by(|a, b| b.cmp(a));
    let found: Vec<BigRational> = sums.endings.iter().map(|end| rational(&end.chance)).collect();
    agree("the likeliest sums", &found, &chances[..11].to_vec()).unwrap();
    agree("the other sums", &rational(&sums.rest.unwrap().1), &chances[11..].iter().sum()).unwrap();
}

#[test]
fn of_very_many_endings_the_likeliest_are_listed() {
    // The n-th figure is hit with a probability of (n + 1) in 40.
    let figures = 15;
    let body = "let n = 1; each f in figures { n += 1; if (roll 1d40) <= n { f.hits = 1 } }";
    let odds = odds_of(figures, body);
    let mut chances = vec![BigRational::one()];
    for n in 2..=figures as u64 + 1 {
        let hit = fraction(n, 40);
        let missed = BigRational::one() - &hit;
        chances = chances.iter().flat_map(|p| [p * &hit, p * &missed]).collect();
    }
    chances.sort_by(|a, b| b.cmp(a));
    let found: Vec<BigRational> = odds.endings.iter().map(|end| rational(&end.chance)).collect();
    agree("the likeliest", &found, &chances[..11].to_vec()).unwrap();
    let (others, chance) = odds.rest.unwrap();
    assert_eq!(others, (1 << figures) - 11);
    agree("the others", &rational(&chance), &chances[11..].iter().sum()).unwrap();
}

#[test]
fn of_many_pieces_the_first_sixty_are_listed() {
    for (figures, parts) in [(60, 60), (61, 60)] {
        let odds = odds_of(figures, "each f in figures { if (roll 1d6) = 6 { f.cover = true } }");
        assert_eq!(odds.parts.len(), parts);
        let last = odds.changed.last().unwrap();
        // All at once: 1 in 6^n.
        let all = BigRational::new(BigInt::one(), BigInt::from(6).pow(figures as u32));
        assert_eq!((last.0, rational(&last.1)), (figures, all));
    }
}

#[test]
fn words_that_change_nothing_are_told_by_what_they_have_in_common() {
    let body =
        "let r = roll 1d20; if r > 10 { state.shots = r } else { say \"Miss, by {11 - r}\" }";
    let odds = odds_of(1, body);
    let missed = odds.endings.iter().find(|end| end.words == "Miss").unwrap();
    assert_eq!(rational(&missed.chance), fraction(1, 2));
    assert_eq!((odds.endings.len(), &odds.rest), (11, &None));
    assert_eq!(odds.words.len(), 11);
    // A few are listed one by one.
    let body = "let r = roll 1d12; if r > 5 { state.shots = r } else { say \"Miss, by {6 - r}\" }";
    assert_eq!(odds_of(1, body).endings.len(), 12);
}

#[test]
fn words_without_a_change_are_combined_if_there_are_more_than_six() {
    let body = |last: u32| {
        format!(
            "let r = roll 1d13; if r > {last} {{ state.shots = r }} else {{ say \"Miss, by {{r}}\" }}"
        )
    };
    let six = odds_of(1, &body(6));
    let (others, chance) = six.rest.unwrap();
    assert_eq!((six.endings.len(), others, rational(&chance)), (11, 2, fraction(2, 13)));
    let seven = odds_of(1, &body(7));
    assert_eq!((seven.endings.len(), &seven.rest), (7, &None));
    let missed = seven.endings.iter().find(|end| end.words == "Miss").unwrap();
    assert_eq!(rational(&missed.chance), fraction(7, 13));
}

#[test]
fn words_without_a_change_and_with_nothing_in_common_are_not_listed() {
    let body = "let r = roll 1d20; if r > 10 { state.shots = r } else if r > 5 { say \"Miss, by {r}\" } else { say \"Jam {r}\" }";
    let odds = odds_of(1, body);
    assert_eq!((odds.endings.len(), &odds.rest), (11, &None));
    let unchanged = odds.endings.iter().find(|end| end.changes.is_empty()).unwrap();
    assert_eq!((unchanged.words.as_str(), rational(&unchanged.chance)), ("", fraction(1, 2)));
}

#[test]
fn up_to_20000_combinations_are_listed_by_what_they_change() {
    let body = |winds: u32| {
        format!(
            "state.shots = roll 1d20; each f in figures {{ f.hits = roll 1d20 }}; say \"Wind {{roll 1d{winds}}}\""
        )
    };
    // There are 20 * 20 different changes; 11 of them are listed.
    assert_eq!(odds_of(1, &body(50)).rest.unwrap().0, 389);
    // Of more than 20,000 combinations, only the likeliest are multiplied out.
    assert!(odds_of(1, &body(51)).rest.unwrap().0 > 389);
}

#[test]
fn the_first_twelve_numbers_of_lines_are_listed() {
    for (lines, listed) in [(12, 12), (13, 12)] {
        let body: Vec<String> = (b'a'..b'a' + lines)
            .map(|letter| format!("say \"{} {{roll 1d6}}\"", char::from(letter)))
            .collect();
        let odds = odds_of(1, &body.join("; "));
        assert_eq!(odds.numbers.len(), listed);
        for number in &odds.numbers {
            let chances: Vec<BigRational> =
                number.values.iter().map(|(_, chance)| rational(chance)).collect();
            assert_eq!(chances, vec![fraction(1, 6); 6]);
        }
    }
}

#[test]
fn numbers_of_a_line_that_is_said_twice_are_not_listed() {
    let once = odds_of(1, "let r = roll 1d6; say \"hit by {r}\"");
    assert_eq!(once.numbers.len(), 1);
    // The second time follows the first roll in the first program, and is said at once in the second. In the third, paths
    // on which it has been said meet others.
    for body in [
        "repeat 2 times { let r = roll 1d6; say \"hit by {r}\" }",
        "let r = roll 1d6; each n in [1, 2] { say \"hit by {r + n}\" }",
        "repeat 2 times { let r = roll 1d6; if r > 3 { say \"hit by {r}\" }; say \"next\" }",
    ] {
        assert_eq!(odds_of(1, body).numbers, []);
    }
}

/// Returns the probability that the last words are these.
fn chance_of_words(odds: &Odds, words: &str) -> BigRational {
    let with_words = odds.words.iter().filter(|(said, _)| said == words);
    with_words.map(|(_, chance)| rational(chance)).sum()
}

#[test]
fn words_of_an_abandoned_run_are_forgotten() {
    // That cards differ is known when the worth of one is asked for; until then, a run has said something.
    let odds = odds_of(
        1,
        "shuffle pack; let r = roll 1d3; if r = 3 { stop }\n\
         let a = draw from pack; say \"drawn\"; if a.worth = 1 { state.shots += 1 }",
    );
    states(&odds);
    assert_eq!(chance_of_words(&odds, "drawn"), fraction(2, 3));
}

#[test]
fn a_try_that_says_nothing_has_no_words() {
    // What a refused try said has not been said.
    let body = "let many = roll 6d1000; let r = roll 1d4; if r = 4 { say \"hit\"; refuse \"no\" }";
    let odds = odds_of(1, body);
    tries(&odds);
    assert_eq!(chance_of_words(&odds, "hit"), BigRational::zero());
}

#[test]
fn a_card_put_among_others_is_known_like_them() {
    let odds = odds_of(
        1,
        "shuffle pack; let a = draw from pack; put 1 of card.ace into pack; let b = draw from pack",
    );
    states(&odds);
    // One of 52 cards is drawn, an ace takes its place, and another is drawn.
    let aces = fraction(4 * 4 + 48 * 5, 52 * 52);
    assert_eq!(chance_of_words(&odds, "Ace"), aces);
}

#[test]
fn a_card_put_among_others_after_a_roll_is_known_like_them() {
    // Only one of the two cases changes the pack, whose cards nobody has looked at.
    let odds = odds_of(
        1,
        "shuffle pack; let a = draw from pack; if (roll 1d2) = 2 { put 1 of card.ace into pack }; let b = draw from pack",
    );
    states(&odds);
    let with_ace = fraction(4 * 4 + 48 * 5, 52 * 52);
    let aces = (fraction(1, 13) + with_ace) * fraction(1, 2);
    assert_eq!(chance_of_words(&odds, "Ace"), aces);
}

/// Returns a turn with this many rolls that all add to the same counter.
fn turn_of_rolls(rolls: usize) -> String {
    format!(
        "let n = 0; repeat 20 times {{ {} }}; state.shots = n",
        ["n += roll 1d2"].repeat(rolls).join("; ")
    )
}

#[test]
fn turns_of_at_most_eight_rolls_are_counted() {
    for (rolls, is_counted) in [(8, true), (9, false)] {
        let odds = odds_of(1, &turn_of_rolls(rolls));
        check_part(&odds, "shots", &sum_of(&vec![die(2); 20 * rolls]));
        assert_eq!(states(&odds) < 1_000, is_counted, "{} states", states(&odds));
    }
    // Only the rolls of one path through the turn count.
    let odds = odds_of(
        1,
        "let n = 0; repeat 40 times { if (roll 1d20) >= 10 { if (roll 1d6) >= 3 { n += 1 } } }; state.shots = n",
    );
    check_part(&odds, "shots", &sum_of(&vec![coin(fraction(11 * 4, 20 * 6)); 40]));
    assert!(states(&odds) < 100, "{} states", states(&odds));
    // The values of a roll needn't be equally likely: 10 of 36 throws of two dice are 9 or more.
    let odds = odds_of(
        1,
        "let n = 0; repeat 40 times { if (roll 2d6) >= 9 { if (roll 2d6) >= 9 { n += 1 } } }; state.shots = n",
    );
    check_part(&odds, "shots", &sum_of(&vec![coin(fraction(10 * 10, 36 * 36)); 40]));
    assert!(states(&odds) < 200, "{} states", states(&odds));
}

#[test]
fn turns_have_at_most_20000_sums() {
    // Each turn changes one of three counters or none of them: `turns + 3` choose 3.
    let body = |turns: u32| {
        format!(
            "let a = 0; let b = 0; let c = 0; repeat {turns} times {{ let r = roll 1d4; if r = 1 {{ a += 1 }} else if r = 2 {{ b += 1 }} else if r = 3 {{ c += 1 }} }}; state.shots = a + 2 * b + 3 * c"
        )
    };
    // 19,600 and 20,825.
    let counted = odds_of(1, &body(47));
    check_part(&counted, "shots", &{
        let each = (0..4).map(|n| (n, fraction(1, 4))).collect();
        sum_of(&vec![each; 47])
    });
    // The first turn is followed, so that fewer sums are left.
    let followed = odds_of(1, &body(48));
    assert!(states(&counted) + 1 < states(&followed), "{} states", states(&followed));
}

#[test]
fn texts_take_at_most_8_mebibytes() {
    // Each of these lines is new, and somewhat longer than 2,000 bytes: there is room for 4,180.
    let body = |faces: u32| {
        format!("let r = roll 1d{faces}; if r > 0 {{ say \"{} {{r}}\" }}", "a".repeat(2_000))
    };
    assert!(states(&odds_of(1, &body(4_100))) > 0);
    // The n-th new line takes 5,000 / (5,000 - n) tries on average.
    let runs = tries(&odds_of(1, &body(5_000)));
    assert!((8_000..10_000).contains(&runs), "{runs} tries");
}

#[test]
fn lists_take_at_most_8_mebibytes() {
    // Four bytes for each card. Half of the 500 cases have more than 250 more cards.
    let body = |cards: u32| {
        format!(
            "let r = roll 1d500; repeat 4 times {{ put {cards} of card.blank into pack }}; put r of card.ace into pack"
        )
    };
    assert!(states(&odds_of(1, &body(875))) > 0);
    let runs = tries(&odds_of(1, &body(1_000)));
    assert!(runs < 10_000, "{runs} tries");
}

/// A man walks along a row of squares.
#[test]
fn a_walk_over_a_plan() {
    let text = r#"[game]
title = "Walk"

[kind.area]
plan = true

[kind.man]
plural = "men"
at     = { of = "area", marker = "model" }

[rule.run]
usage = "run"
after = """
repeat 6 times {
  each m in men {
    let r = roll 1d3
    let to = if r = 1 then first(step(m.at, east)) else if r = 2 then first(step(m.at, west)) else m.at
    if to != none { m.at = to }
  }
}
"""

[scenario.start.legend]
"~" = {}
[[scenario.start.level]]
plan = """
~~~~~"""
[scenario.start.pieces.man]
max = { at = "b1" }
"#;
    let (referee, table) = set_up(text).unwrap();
    let action = command::parse(&referee, &table, "run").unwrap().unwrap().action;
    let odds = referee.odds(&table, &action, false).unwrap();
    states(&odds);
    let mut squares = Shares::from([(1_i64, BigRational::one())]);
    for _ in 0..6 {
        let mut next = Shares::new();
        for (square, p) in &squares {
            for to in [(square + 1).min(4), (square - 1).max(0), *square] {
                *next.entry(to).or_insert_with(BigRational::zero) += p * fraction(1, 3);
            }
        }
        squares = next;
    }
    let part = &odds.parts[0];
    assert_eq!((part.what.as_str(), part.title.as_str()), ("max at", "max at"));
    let found: Shares<String> =
        part.values.iter().map(|(square, p)| (square.clone(), rational(p))).collect();
    let names = ["a1", "b1", "c1", "d1", "e1"].map(str::to_owned);
    let expected =
        squares.into_iter().map(|(square, p)| (names[square as usize].clone(), p)).collect();
    agree("where he is", &found, &expected).unwrap();
}

/// The game itself keeps whose move it is, who has acted, and the like.
#[test]
fn the_side_to_move_is_shown_if_nothing_else_varies() {
    let text = r#"[game]
title = "Sides"

[words.side]
values = ["red", "blue"]

[sides]
are = "side"

[kind.figure]
prefix = "f"
marker = "figure"

[[phase]]
name = "zero"

[[phase]]
name     = "one"
by       = "side"
activate = { of = "figure", actions = '2' }

[rule.run]
usage = "run"
after = """
if (roll 1d2) = 1 { each f in figures { activate f } }
if (roll 1d4) = 1 { end phase }
"""

[scenario.start.pieces.figure]
f1 = {}
"#;
    let (referee, mut table) = set_up(text).unwrap();
    referee.put_into_phase(&mut table, "zero");
    let action = command::parse(&referee, &table, "run").unwrap().unwrap().action;
    let steps = [Action::Next, action].map(|action| OddsStep { action, insist: false }).into();
    let question = OddsQuestion { steps, ..OddsQuestion::default() };
    let odds = referee.odds_of_question(&table, &question).unwrap();
    states(&odds);
    let parts: Vec<&str> = odds.parts.iter().map(|part| part.what.as_str()).collect();
    assert_eq!(parts, ["side"]);
    let found: Vec<(&str, BigRational)> =
        odds.parts[0].values.iter().map(|(side, p)| (side.as_str(), rational(p))).collect();
    agree("side", &found, &vec![("red", fraction(3, 4)), ("blue", fraction(1, 4))]).unwrap();
    let always: Vec<&str> = odds.always.iter().map(|change| change.text.as_str()).collect();
    assert_eq!(always, ["phase one"]);
}

/// A loop over the pieces that have a value goes from one of them to the next, among many others.
#[test]
fn pieces_whose_values_are_uncertain_are_found_among_many() {
    let body = "each f in figures where f.rank = 1 { f.hits = (roll 1d2) - 1 }; each f in figures where f.hits > 0 { state.shots += 1 }";
    let mut text = ruleset(200, body);
    for (name, values) in [("f2", "rank = 1"), ("f66", "rank = 1"), ("f140", "rank = 1, hits = 2")]
    {
        text = text.replace(&format!("{name} = {{}}"), &format!("{name} = {{ {values} }}"));
    }
    let (referee, table) = set_up(&text).unwrap();
    let action = command::parse(&referee, &table, "run").unwrap().unwrap().action;
    let odds = referee.odds(&table, &action, false).unwrap();
    states(&odds);
    check_part(&odds, "shots", &sum_of(&vec![coin(fraction(1, 2)); 3]));
}

/// The numbers in a line are counted in samples, too.
#[test]
fn numbers_said_in_samples_have_their_shares() {
    let odds = odds_of(1, "let many = roll 6d1000; let r = roll 1d4; say \"case {r}\"");
    let runs = tries(&odds);
    let case = odds.numbers.iter().find(|number| number.what.contains("case")).unwrap();
    assert_eq!(case.values.len(), 4);
    for (value, p) in &case.values {
        // Six standard deviations of a quarter.
        let far = 6.0 * (0.25 * 0.75 / runs as f64).sqrt();
        assert!((p.to_f64() - 0.25).abs() < far, "{value}: {p:?}");
    }
}

/// Of several reasons for a refusal, the likeliest is reported, and of equally likely ones the first by its text.
#[test]
fn the_likeliest_refusal_is_reported() {
    let refusal = |body: &str| match odds_with_effort(1, body, 1) {
        Err(Halt::Refused(reason)) => reason,
        result => panic!("{result:?}"),
    };
    let by_die = |first: &str, second: &str, at_most: u32| {
        format!(
            "let r = roll 1d6; if r <= {at_most} {{ refuse \"{first}\" }} else {{ refuse \"{second}\" }}"
        )
    };
    assert_eq!(refusal(&by_die("rare", "usual", 2)), "usual");
    assert_eq!(refusal(&by_die("usual", "rare", 4)), "usual");
    assert_eq!(refusal(&by_die("b", "a", 3)), "a");
    assert_eq!(refusal(&by_die("a", "b", 3)), "a");
}

/// The cards of a pack that nobody looks at are one case, however many there are.
#[test]
fn equal_cards_make_no_states_of_their_own() {
    let body = "shuffle pack; repeat 7 times { let c = draw from pack; state.shots += c.worth }";
    let few = states(&odds_of(1, body));
    // Two kinds of cards, seven draws, and at most four aces.
    assert!(few <= 2 * 7 * 5, "{few} states");
}

/// Of more than twelve endings, only the changes are reported: each text belongs to one roll.
#[test]
fn thirteen_endings_have_no_texts() {
    for (sides, has_texts) in [(12, true), (13, false), (14, false)] {
        let odds =
            odds_of(1, &format!("let r = roll 1d{sides}; state.shots = r; say \"case {{r}}\""));
        states(&odds);
        let texts = odds.endings.iter().filter(|ending| !ending.words.is_empty()).count();
        assert_eq!(texts > 0, has_texts, "{sides} endings, {texts} texts");
    }
}

/// The marker of a number names it, but where a piece is has no number.
#[test]
fn numbers_are_named_by_their_markers_and_places_are_not() {
    let text = r#"[game]
title = "Titles"

[kind.area]
plan = true

[kind.man]
plural = "men"
at     = { of = "area", marker = "model" }
hits   = { from = 0, to = 9, marker = "red die" }

[rule.run]
usage = "run"
after = """
each m in men {
  m.hits = roll 1d2
  if (roll 1d2) = 1 { m.at = first(step(m.at, east)) }
}
"""

[scenario.start.legend]
"~" = {}
[[scenario.start.level]]
plan = """
~~~~~"""
[scenario.start.pieces.man]
max = { at = "b1" }
"#;
    let (referee, table) = set_up(text).unwrap();
    let action = command::parse(&referee, &table, "run").unwrap().unwrap().action;
    let odds = referee.odds(&table, &action, false).unwrap();
    let titles: BTreeMap<&str, &str> =
        odds.parts.iter().map(|part| (part.what.as_str(), part.title.as_str())).collect();
    assert_eq!(titles, BTreeMap::from([("max at", "max at"), ("max hits", "max red die")]));
}

/// Returns the probability of each side being the one to move after these lines, and how it was found. Each side's
/// figures act in turn; one who is hit has had his turn.
fn side_to_move_after(lines: &[&str]) -> (BTreeMap<String, BigRational>, OddsMethod) {
    let text = r#"[game]
title = "Turn about"

[words.side]
values = ["none", "red", "blue"]

[sides]
are = "side"

[kind.figure]
prefix = "f"
side  = { one_of = "side" }
shot  = { flag = true }
hit   = { flag = true }
spent = { is = 'self.shot or self.hit' }

[[phase]]
name = "zero"

[[phase]]
name      = "one"
by        = "side"
alternate = "spent"

[rule.hurt]
usage = "hurt <whom:figure>"
any_side = true
after = 'if (roll 1d4) = 1 { whom.hit = true }'

[rule.shoot]
usage = "shoot <who:figure> at <whom:figure>"
after = """
if (roll 1d4) = 1 { whom.hit = true }
who.shot = true
"""

[rule.close]
usage = "close <who:figure>"
after = """
who.shot = true
end phase
"""

[rule.tell]
usage = "tell"
after = 'say "{state.side}"'

[scenario.start.pieces.figure]
ann = { side = "red" }
art = { side = "red" }
bob = { side = "blue" }
"#;
    let (referee, mut table) = set_up(text).unwrap();
    referee.put_into_phase(&mut table, "zero");
    let parsed = lines.iter().map(|line| match *line {
        "next" => Action::Next,
        line => command::parse(&referee, &table, line).unwrap().unwrap().action,
    });
    let steps = parsed.map(|action| OddsStep { action, insist: false }).collect();
    let question = OddsQuestion { steps, ..OddsQuestion::default() };
    let odds = referee.odds_of_question(&table, &question).unwrap();
    let words = odds.words.iter().map(|(side, p)| (side.clone(), rational(p))).collect();
    (words, odds.basis)
}

#[test]
fn the_move_passes_on_after_each_line_where_the_sides_alternate() {
    let after = |lines: &[&str]| side_to_move_after(lines).0;
    let red = || ("red".to_owned(), BigRational::one());
    let blue = || ("blue".to_owned(), BigRational::one());
    assert_eq!(after(&["next", "tell"]), [red()].into());
    assert_eq!(after(&["next", "shoot ann at art", "tell"]), [blue()].into());
    // A line with which no piece of the side acts passes nothing on.
    assert_eq!(after(&["next", "hurt bob", "tell"]), [red()].into());
    assert_eq!(after(&["next", "shoot ann at art", "shoot bob at bob", "tell"]).keys().len(), 2);
    // In one case of four nobody is left on the other side.
    let (words, method) = side_to_move_after(&["next", "shoot ann at bob", "tell"]);
    let expected = [("red".to_owned(), fraction(1, 4)), ("blue".to_owned(), fraction(3, 4))].into();
    assert_eq!(words, expected);
    assert!(matches!(method, OddsMethod::Exact(_)));
    // A line that ends the phase doesn't pass the move on.
    assert_eq!(
        after(&["next", "close ann", "tell"]),
        [("none".to_owned(), BigRational::one())].into()
    );
}

/// Whose move it is can depend on what came before the line. No run can branch between two lines.
#[test]
fn where_the_next_side_is_uncertain_the_lines_are_sampled() {
    let (words, method) = side_to_move_after(&["next", "hurt bob", "shoot ann at ann", "tell"]);
    assert!(matches!(method, OddsMethod::Sampled(_)));
    let red = words["red"].clone() - fraction(1, 4);
    assert!(red < fraction(1, 50) && -red < fraction(1, 50), "{words:?}");
}

/// Checks the margin in the first line: half the width of the interval of all probabilities that lie less than 1.96
/// standard deviations from one half (E. B. Wilson, 1927).
fn check_margin(odds: &Odds) {
    let runs = tries(odds) as f64;
    let is_near = |p: f64| (p - 0.5).abs() <= 1.96 * (p * (1.0 - p) / runs).sqrt();
    let (mut inside, mut outside) = (0.5, 1.0);
    for _ in 0..60 {
        let middle = (inside + outside) / 2.0;
        if is_near(middle) { inside = middle } else { outside = middle }
    }
    let margin = format!("±{:.1} points", 100.0 * (inside - 0.5));
    let text = format!("{:?}", verb_text("run", odds, false, 80));
    assert!(text.contains(&margin), "{margin} is expected in:\n{text}");
}
