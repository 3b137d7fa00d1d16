use super::battle_report::MAX_WORDS;
use super::{Report, ReportFormat};
use crate::referee::Viewer;
use crate::session::testing::TestGame;
use crate::session::{Photo, ReportItem};

/// Two armies. A shot kills on 5 or 6; the game ends when an army has nobody left.
const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.man]
plural = "men"
side = { one_of = "army" }
dead = { flag = true, marker = "dead" }
[rule.shoot]
usage = "shoot <who:man> at <whom:man>"
roll = '1d6'
label = "{who}"
needs = '>= 5'
pass = 'fall(whom)'
[rule.fall]
takes = "whom: man"
notable = "{whom} of the {whom.side} army falls"
notable_many = "{many} men fall: {names}"
after = 'whom.dead = true'
[rule.march]
usage = "march"
notable = 'the {if state.turn > 1 then "rear" else "van"} marches'
after = 'say "off"'
[rule.rest]
usage = "rest"
notable = '{if state.turn > 9 then "never" else ""}'
after = 'say "quiet"'
[measure.lost]
title = "Men lost"
score = "men lost"
is = 'count m in men: m.dead'
[[phase]]
name = "play"
[[end]]
when = '(count m in men: m.dead and m.side = red) = 2'
winner = 'army.blue'
say = "red has nobody left"
notable = "the last man of red fell, and the field was blue's"
[scenario.one]
title = "The ford"
background = "Two patrols meet at a ford."
[scenario.one.pieces.man]
ann = { side = "red" }
bob = { side = "red" }
cat = { side = "blue" }
"#;

fn game() -> TestGame {
    TestGame::of(RULES)
}

fn report(game: &TestGame) -> Report {
    Report::of(&game.session, &Viewer::Umpire).unwrap()
}

#[test]
fn each_turn_has_what_is_notable_in_it() {
    let mut game = game();
    game.types("next");
    game.types("march");
    game.types("rest");
    game.throws("shoot cat at ann", &[5]);
    game.throws("shoot cat at bob", &[4]);
    game.types("next");
    game.types("march");
    let report = report(&game);
    let turns: Vec<(i64, Vec<String>)> =
        report.turns.iter().map(|turn| (turn.number, turn.sentences.clone())).collect();
    let first = ["The van marches.", "Ann of the red army falls (by Cat).", "Men lost: 1."];
    let first = first.map(str::to_owned);
    let second = ["The rear marches."].map(str::to_owned);
    assert_eq!(turns, [(1, first.to_vec()), (2, second.to_vec())]);
    assert_eq!(
        report.ending,
        "Play stopped in turn 2, before an end under the rules. Men lost: 1."
    );
}

/// `next` is typed in one turn, but the events that it causes may belong to the next turn.
#[test]
fn what_begins_a_turn_is_told_in_that_turn() {
    let mut game = TestGame::of(
        r#"
        [rule.dawn]
        notable = "day {state.turn} breaks"
        after = 'say "light"'
        [[phase]]
        name = "dawn"
        do = 'dawn()'
        [scenario.one]
        title = "A morning"
        "#,
    );
    game.types("next");
    game.types("next");
    let turns = report(&game).turns;
    let told: Vec<(i64, &str)> =
        turns.iter().map(|turn| (turn.number, turn.sentences[0].as_str())).collect();
    assert_eq!(told, [(1, "Day 1 breaks."), (2, "Day 2 breaks.")]);
}

#[test]
fn several_calls_of_a_rule_in_a_turn_are_one_sentence() {
    let mut game = game();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    game.throws("shoot ann at cat", &[5]);
    let report = report(&game);
    let told = ["Two men fall: Ann (Red, by Cat) and Cat (Blue, by Ann).", "Men lost: 2."];
    assert_eq!(report.turns[0].sentences, told);
}

/// Returns the game with a sentence that begins with the man who made another fall.
fn game_with_actors() -> TestGame {
    let many = "notable_many = \"{many} men fall: {names}\"\n";
    TestGame::of(
        &RULES.replace(many, &format!("{many}notable_by = \"{{actor}} shot {{names}}\"\n")),
    )
}

#[test]
fn who_did_it_comes_first_if_the_rule_says_so() {
    let mut game = game_with_actors();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    game.throws("shoot ann at cat", &[5]);
    game.throws("shoot cat at bob", &[5]);
    game.types("next");
    game.throws("shoot cat at ann", &[5]);
    // This event has no acting piece.
    game.types("fall bob");
    let turns = report(&game).turns;
    // The side is named once a turn, and the actions of one man are joined.
    assert_eq!(turns[0].sentences[0], "Cat (Blue) shot Ann and Bob (Red); Ann shot Cat.");
    assert_eq!(turns[1].sentences[0], "Cat (Blue) shot Ann (Red); Bob of the red army falls.");
}

#[test]
fn two_short_deeds_are_one_sentence() {
    let many = "[scenario.one.pieces.man]\n";
    let more = ["dot", "eve", "fay"].map(|name| format!("{name} = {{ side = \"blue\" }}\n"));
    let and_more = ["gus", "hal"].map(|name| format!("{name} = {{ side = \"red\" }}\n"));
    let pieces = [&more[..], &and_more].concat().concat();
    let after = "after = 'whom.dead = true'";
    let by = "notable_by = \"{actor} shot {names}\"\n";
    let rules = RULES.replace(many, &format!("{many}{pieces}"));
    let rules = rules.replace(after, &format!("{by}{after}")).replace("= 2'", "= 9'");
    let mut game = TestGame::of(&rules);
    game.types("next");
    for shot in ["cat at ann", "dot at bob", "eve at gus", "fay at hal", "dot at ann"] {
        game.throws(&format!("shoot {shot}"), &[6]);
    }
    let told = [
        "Cat (Blue) shot Ann (Red); Dot (Blue) shot Bob (Red).",
        "Eve (Blue) shot Gus (Red); Fay (Blue) shot Hal (Red).",
        "Men lost: 4.",
    ];
    assert_eq!(report(&game).turns[0].sentences, told);
}

/// An area is described by its place in the scenario. A place without a level applies to all
/// levels.
#[test]
fn areas_are_told_by_the_places_of_the_scenario() {
    let mut game = TestGame::of(
        r#"
        [kind.area]
        plan = true
        [rule.burn]
        usage = "burn <area:area>"
        notable = "{area} burned"
        notable_many = "{names} burned"
        after = 'say "it burns"'
        [scenario.one]
        title = "A village"
        legend.x = {}
        places = { "the mill" = "a1-b2", "the loft" = "c1.1", "the yard" = "c2" }
        [[scenario.one.level]]
        plan = "xxx\nxxx"
        [[scenario.one.level]]
        plan = "xxx"
        "#,
    );
    for area in ["b2", "c1.1", "a1.1", "c2"] {
        game.types(&format!("burn {area}"));
    }
    let told = "The mill (b2 and a1.1), the loft (c1.1) and the yard (c2) burned.";
    assert_eq!(report(&game).turns[0].sentences[0], told);
}

/// The losses of one man are added up: one sum for each man who caused them, and one for the
/// remaining losses.
#[test]
fn what_calls_cost_is_added_up() {
    let mut game = TestGame::of(
        r#"
        [kind.man]
        plural = "men"
        lost = { from = 0, to = 99 }
        [rule.shoot]
        usage = "shoot <who:man> at <whom:man> <n:0..9>"
        before = 'hurt(whom, n)'
        [rule.hurt]
        usage = "hurt <whom:man> <n:0..9>"
        notable = "{whom} lost {n drop|drops} of blood"
        notable_many = "{names} were lost"
        notable_by = "{actor} cost {names}"
        notable_name = "{n drop|drops} of {name}'s blood"
        after = 'whom.lost += n'
        [scenario.one]
        title = "A duel"
        pieces.man = { ann = {}, bob = {}, cat = {} }
        "#,
    );
    for line in [
        "shoot ann at bob 2",
        "shoot ann at bob 2",
        "shoot ann at cat 1",
        "hurt ann 3",
        "hurt ann 3",
        "hurt cat 1",
    ] {
        game.types(line);
    }
    let told = [
        "Ann cost 4 drops of Bob's blood and 1 drop of Cat's blood.",
        "Six drops of Ann's blood and 1 drop of Cat's blood were lost.",
    ];
    assert_eq!(report(&game).turns[0].sentences, told);
}

#[test]
fn what_goes_on_in_the_next_turn_is_no_news() {
    let mut game = game();
    game.types("next");
    game.types("next");
    game.types("march");
    game.throws("shoot cat at ann", &[6]);
    game.throws("shoot cat at ann", &[5]);
    game.types("next");
    game.types("march");
    game.throws("shoot cat at ann", &[6]);
    game.types("next");
    game.types("march");
    game.types("next");
    game.types("next");
    game.types("march");
    let report = report(&game);
    let turns: Vec<&[String]> = report.turns.iter().map(|turn| turn.sentences.as_slice()).collect();
    let falls = "Ann of the red army falls (by Cat).";
    assert_eq!(
        turns,
        [
            &["There is nothing to report."][..],
            // A man who falls twice in a turn is reported only once.
            &["The rear marches.", falls, "Men lost: 1."],
            // What happens to a man again is news. The score is reported only when it has changed.
            &[falls],
            &["There is nothing to report."],
            &["There is nothing to report."],
            &["The rear marches."],
        ]
    );
}

/// Only the parts of the score that have changed are news. The end states the whole score.
#[test]
fn a_part_of_the_score_that_stays_is_no_news() {
    let other = "[measure.left]\ntitle = \"Men left\"\nscore = \"men left\"\neach = 's in army'\n\
                 is = 'count m in men: m.side = s and not m.dead'\n[[phase]]";
    let mut game = TestGame::of(&RULES.replace("[[phase]]", other));
    game.types("next");
    game.throws("shoot ann at cat", &[5]);
    game.types("next");
    game.types("march");
    game.types("set cat.dead false");
    game.types("set ann.dead true");
    let report = report(&game);
    let last = |turn: usize| report.turns[turn].sentences.last().map(String::as_str);
    assert_eq!(last(0), Some("Men lost: 0; men left: Red 2, Blue 1."));
    assert_eq!(last(1), Some("Men lost: 1; men left: Red 2, Blue 0."));
    assert_eq!(last(2), Some("Men left: Red 1, Blue 1."));
    assert_eq!(
        report.ending,
        "Play stopped in turn 2, before an end under the rules. Men lost: 1; men left: Red 1, Blue 1."
    );
}

#[test]
fn a_sentence_that_names_no_side_gets_it() {
    let rules = RULES.replace("{whom} of the {whom.side} army falls", "{whom} falls");
    let mut game = TestGame::of(&rules);
    game.types("next");
    game.throws("shoot cat at ann", &[5]);
    assert_eq!(report(&game).turns[0].sentences[0], "Ann (Red) falls (by Cat).");
}

#[test]
fn undone_commands_are_not_reported() {
    let mut game = game();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    game.session.undo(1, 0).unwrap();
    assert!(report(&game).turns.is_empty());
}

#[test]
fn the_end_has_the_sentence_of_the_rules() {
    let mut game = game();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    game.throws("shoot cat at bob", &[6]);
    assert_eq!(report(&game).ending, "The last man of red fell, and the field was blue's.");
}

/// A hit needs 5 or 6: one in three.
#[test]
fn key_moments_have_the_chance_of_their_dice() {
    let mut game = game();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    let moments = report(&game).moments;
    assert_eq!(moments.len(), 1);
    assert_eq!(moments[0].sentence, "Ann of the red army falls (by Cat).");
    assert_eq!(moments[0].change.as_deref(), Some("Men lost: 0 → 1"));
    assert!((moments[0].chance - 1.0 / 3.0).abs() < 1e-9);
}

#[test]
fn date_place_players_paragraphs_and_photos_are_the_umpires() {
    let mut game = game();
    let add = |game: &mut TestGame, item| game.session.add_to_report(item, 0).unwrap();
    add(&mut game, ReportItem::Venue("the hall".to_owned()));
    add(&mut game, ReportItem::Venue("the <b>attic</b>".to_owned()));
    game.session.set_players("Anna, Ben", 0).unwrap();
    game.types("next");
    add(&mut game, ReportItem::Paragraph("Rain & mud.".to_owned()));
    let photo = |file: &str| {
        ReportItem::Photo(Photo { file: file.to_owned(), caption: "a \"ford\"".to_owned() })
    };
    add(&mut game, photo("/tmp/ford 1.jpg"));
    add(&mut game, photo("other/ford 1.jpg"));
    let report = report(&game);
    let names: Vec<String> = report.photos().into_iter().map(|photo| photo.name).collect();
    assert_eq!(names, ["ford-1.jpg", "2-ford-1.jpg"]);
    let html = report.print(ReportFormat::Page);
    for part in [
        "<dt>Date</dt><dd>1 January 1970</dd>",
        "<dt>Venue</dt><dd>the &lt;b&gt;attic&lt;/b&gt;</dd>",
        "<dt>Players</dt><dd>Anna, Ben</dd>",
        "<p>Two patrols meet at a ford.</p>",
        "<p>Rain &amp; mud.</p>",
        "<img src=\"ford-1.jpg\" alt=\"a &quot;ford&quot;\">",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    let fragment = report.print(ReportFormat::Fragment);
    assert!(fragment.starts_with("<article") && !fragment.contains("<style"), "{fragment}");
    let markdown = report.print(ReportFormat::Markdown);
    assert!(markdown.contains("![a \"ford\"](ford-1.jpg)"), "{markdown}");
    assert!(markdown.starts_with("# The ford\n"), "{markdown}");
    // The umpire's own words may reveal secrets.
    let red = Report::of(&game.session, &Viewer::Side("red".to_owned())).unwrap();
    assert!(red.turns.is_empty());
    assert!(red.print(ReportFormat::Page).contains("attic"));
}

#[test]
fn the_order_of_battle_counts_what_each_side_lays_out() {
    let report = report(&game());
    let forces: Vec<(Option<&str>, &[String])> =
        report.forces.iter().map(|force| (force.side.as_deref(), force.lines.as_slice())).collect();
    let two = ["2 men".to_owned()];
    let one = ["1 man".to_owned()];
    assert_eq!(forces, [(Some("red"), two.as_slice()), (Some("blue"), one.as_slice())]);
    assert_eq!(report.ending, "The game was abandoned before its first turn.");
}

#[test]
fn the_order_of_battle_names_who_is_mentioned() {
    let mut game = game();
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    let lines: Vec<String> =
        report(&game).forces.into_iter().flat_map(|force| force.lines).collect();
    assert_eq!(lines, ["2 men: Ann", "1 man: Cat"]);
}

/// A long game gets fewer sentences per turn. The rarest sentences are preferred.
#[test]
fn a_long_report_is_shortened() {
    let mut rules = RULES.to_owned();
    for n in 0..7 {
        rules.push_str(&format!(
            "[rule.rule{n}]\nusage = \"rule{n}\"\nnotable = \"this is one of the seven long and rather dull \
             sentences of every turn, number {n}, and in turn {{state.turn}}\"\nafter = 'say \"so\"'\n"
        ));
    }
    let mut game = TestGame::of(&rules);
    for _ in 0..30 {
        game.types("next");
        for n in 0..7 {
            game.types(&format!("rule{n}"));
        }
    }
    game.types("march");
    let report = report(&game);
    assert!(report.word_count() <= MAX_WORDS, "{}", report.word_count());
    let last = report.turns.last().unwrap();
    assert!(last.sentences.contains(&"The rear marches.".to_owned()), "{last:?}");
}

/// Returns the game with a measure by side, and one for the table, that show who is doing well.
fn game_with_course(measure: &str) -> TestGame {
    let own = "[measure.lost]\ntitle = \"Men lost\"\nscore = \"men lost\"\nis = 'count m in men: m.dead'\n";
    assert!(RULES.contains(own));
    TestGame::of(&RULES.replace(own, measure))
}

const LOST_BY_ARMY: &str = r#"
[measure.lost]
title = "Men lost"
better = "fewer"
each = 'a in army'
is = 'count m in men: m.dead and m.side = a'
"#;

/// Returns the sentences about when the game turned; empty if there are none.
fn course_words(game: &TestGame) -> String {
    report(game).course.map_or(String::new(), |course| course.words)
}

#[test]
fn the_game_turns_when_another_side_does_better() {
    let mut game = game_with_course(LOST_BY_ARMY);
    game.types("next");
    assert_eq!(course_words(&game), "");
    game.throws("shoot ann at cat", &[5]);
    assert!(course_words(&game).starts_with(
        "The game never turned. The Red side led from turn 1 to the end (men lost: Red 0, Blue 1). Its lead grew most in turn 1, from Red 0, Blue 0 to Red 0, Blue 1. "
    ));
    game.types("next");
    game.throws("shoot cat at bob", &[6]);
    assert_eq!(
        course_words(&game),
        "The Red side led until turn 1, but the sides were level at the end (men lost: Red 1, Blue 1)."
    );
    game.types("next");
    game.throws("shoot cat at ann", &[6]);
    let course = course_words(&game);
    assert_eq!(
        course,
        "The game turned in turn 3: measured by men lost, the lead passed from the Red side to the Blue side. At the end \
         it was Red 2, Blue 1 (the fewer, the better). Ann of the red army falls (by Cat)."
    );
}

#[test]
fn a_number_for_the_whole_table_turns_at_its_extreme() {
    let fire = r#"
[measure.fires]
title = "Fires"
better = "fewer"
is = 'state.fires'
"#;
    let course = |numbers: &[&[i64]]| {
        let rules =
            RULES.replace("[kind.man]", "[state]\nfires = { from = 0, to = 99 }\n[kind.man]");
        let own = "[measure.lost]\ntitle = \"Men lost\"\nscore = \"men lost\"\nis = 'count m in men: m.dead'\n";
        let mut game = TestGame::of(&rules.replace(own, fire));
        for turn in numbers {
            game.types("next");
            for number in *turn {
                game.types(&format!("set state.fires {number}"));
            }
        }
        course_words(&game)
    };
    assert_eq!(course(&[&[]]), "");
    assert_eq!(
        course(&[&[4], &[9, 6], &[2]]),
        "The game turned in turn 2: fires rose to 9, the most of the game, but then fell to 6 by the end of the turn \
         and stood at 2 at the end of the game."
    );
    // Of equal peaks, the last one counts.
    assert_eq!(
        course(&[&[4], &[2, 4], &[3]]),
        "The game turned after turn 2: fires had risen to 4, the most of the game, but fell to 3 by the end."
    );
    assert_eq!(
        course(&[&[3], &[7], &[9]]),
        "The game never turned. Fires: 0 at the beginning and 9 at the end. The number changed most in turn 2, from 3 \
         to 7."
    );
    assert_eq!(
        course(&[&[1], &[3], &[4], &[6], &[8]]),
        "The game never turned. Fires: 0 at the beginning and 8 at the end. The number changed most in turn 2, \
         from 1 to 3; the change in turns 4 and 5 was as great."
    );
}
