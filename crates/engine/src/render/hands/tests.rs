//! Tests of the tasks on the table, with a ruleset that has one marker of each kind.

use std::sync::Arc;

use super::{
    ChangeFilter, TableItem, Tasks, changes_in_words, corrected_instructions, group_same_changes,
    items, on_the_table, outcome_items, piece_instructions, pieces_by_tasks, replacement_changes,
    undo_changes,
};
use crate::referee::testing::Trial;
use crate::referee::{Action, Outcome};
use crate::render::document::Block;
use crate::render::view::View;
use crate::session::{Amendment, Entry, HistoryStep, UndoDirection};
use crate::tabletop::Change;

const RULES: &str = r#"
[words.army]
values = ["none", "red", "blue"]
[words.fatigue]
values = ["fresh", "tired", "spent"]
[list.arm]
columns = ["title"]
rows = { rifle = ["Rifle"], smg = ["Gun"] }
[state]
wind = { one_of = ["none", "west"], marker = "wind" }
[kind.area]
fire = { from = 0, to = 5, marker = "red die" }
damage = { from = 1, to = 3, marker = "black die", names = ["sound", "light", "heavy"] }
floor = { from = 1, to = 5, marker = "floor" }
embers = { flag = true, marker = "embers" }
score = { from = 0, to = 9 }
[kind.team]
marker = "stand"
at = { of = "area", marker = "stand" }
mood = { one_of = "fatigue", marker = "mood", unmarked = "fresh" }
colour = { one_of = ["none", "green"], marker = "dot" }
orders = { text = true, marker = "slip" }
arm = { of = "arm", marker = "arm" }
friend = { of = "team", marker = "string" }
marks = { of = "team", marker = "ball on" }
within = { of = "team", marker = "inside" }
ties = { of = "team", many = true, marker = "rope with" }
route = { of = "area", many = true, marker = "hose" }
reach = { from = 0, to = 9, fractions = true, marker = "rod" }
tally = { from = 0, to = 9 }
aims = { text = true }
tired = { flag = true }
[kind.smoke]
at = { of = "area", marker = "wool" }
thick = { from = 0, to = 9 }
[rule.flicker]
takes = "a: area"
after = 'let t = make team { at = a }; remove t'
[rule.raise]
takes = "a: area"
after = 'let t = make team { at = a, mood = tired } named "new"'
[rule.puff]
takes = "a: area"
after = 'let t = make smoke { at = a, thick = 2 } named "cloud"'
[rule.turns]
takes = "a: area"
after = 'a.fire = 3; a.fire = 1; a.embers = true; a.embers = false'
[rule.walk]
takes = "t: team, inches: number"
after = '''
t.at.embers = true
t.mood = spent
instruct "{t} moves {inches} in"
instruct "{t} halts"
instruct "lay the rope"
'''
[rule.march]
takes = "inches: number"
after = 'each t in teams { instruct "{t} moves {inches} in" }'
[rule.storm]
after = 'each a in areas { a.fire += 2 }; state.wind = west'
[scenario.one.pieces.area]
hill = {}
wood = { fire = 1 }
ford = {}
[scenario.one.pieces.team]
t1 = { at = "hill", route = ["hill"] }
t2 = { at = "hill", mood = "tired", orders = "stay" }
"#;

/// Returns the same ruleset with teams that only their own side sees.
fn secret() -> String {
    let rules = RULES.replace(
        "marker = \"stand\"\nat =",
        "marker = \"stand\"\nsecret = true\nside = { one_of = \"army\" }\nat =",
    );
    let rules = rules.replace("[list.arm]", "[sides]\nare = \"army\"\n[list.arm]");
    rules
        .replace("t1 = { at", "t1 = { side = \"red\", at")
        .replace("t2 = { at", "t2 = { side = \"blue\", at")
}

fn view(trial: &Trial) -> View<'_> {
    View::of("trial", &trial.referee, &trial.table, 80)
}

/// Returns the tasks after the last action: each piece, and the changes to make.
fn hands(trial: &Trial) -> Vec<String> {
    joined(piece_instructions(&view(trial), trial.outcome.changes()))
}

fn joined(items: Vec<(String, Vec<String>)>) -> Vec<String> {
    items.into_iter().map(|(piece, words)| format!("{piece}: {}", words.join(", "))).collect()
}

/// Returns the lines under the last action.
fn shown(trial: &Trial) -> Vec<String> {
    let text = on_the_table(&view(trial), &trial.outcome);
    text.blocks
        .iter()
        .map(|block| match block {
            Block::Line(line) => line.plain_text(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn a_marker_that_ends_with_a_preposition_reads_as_a_sentence() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("t1.marks", "t2");
    assert_eq!(hands(&trial), ["t1: ball on t2"]);
    trial.set_attribute("t1.marks", "none");
    assert_eq!(hands(&trial), ["t1: ball off"]);
    trial.set_attribute("t1.ties", "t1 t2");
    assert_eq!(hands(&trial), ["t1: rope with t1, t2"]);
    trial.set_attribute("t1.ties", "t2");
    assert_eq!(hands(&trial), ["t1: rope off t1"]);
    trial.set_attribute("t1.friend", "t2");
    assert_eq!(hands(&trial), ["t1: string to t2"]);
}

/// Returns the tasks after an attribute is set.
fn set(spot: &str, value: &str) -> Vec<String> {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute(spot, value);
    hands(&trial)
}

fn remove(trial: &mut Trial, name: &str) {
    let (kind, row) = trial.find_piece(name);
    trial.act(&Action::Remove(kind, row)).unwrap();
}

#[test]
fn a_number_is_a_die_and_nothing_of_it_is_off() {
    assert_eq!(set("hill.fire", "2"), ["hill: red die 2"]);
    assert_eq!(set("wood.fire", "0"), ["wood: red die off"]);
    assert_eq!(set("hill.damage", "2"), ["hill: black die 2 (light)"]);
    assert_eq!(set("hill.floor", "2"), ["hill: floor 2"]);
    assert_eq!(set("t1.reach", "7/2"), ["t1: rod 7/2"]);
    assert_eq!(set("hill.score", "2"), [""; 0]);
    // The attribute already has this value.
    assert_eq!(set("wood.fire", "1"), [""; 0]);
}

#[test]
fn a_lowest_number_that_is_not_nothing_stays() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("hill.floor", "3");
    trial.set_attribute("hill.floor", "1");
    assert_eq!(hands(&trial), ["hill: floor 1"]);
}

#[test]
fn flags_words_and_texts_are_put_on_and_taken_off() {
    assert_eq!(set("hill.embers", "yes"), ["hill: embers"]);
    assert_eq!(set("t1.mood", "spent"), ["t1: mood spent"]);
    // A fresh team has no marker.
    assert_eq!(set("t2.mood", "fresh"), ["t2: mood off"]);
    assert_eq!(set("t1.colour", "green"), ["t1: dot green"]);
    assert_eq!(set("t1.orders", "to the wood"), ["t1: slip “to the wood”"]);
    assert_eq!(set("t2.orders", ""), ["t2: slip off"]);
    assert_eq!(set("state.wind", "west"), [": wind west"]);
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("hill.embers", "yes");
    trial.set_attribute("hill.embers", "no");
    assert_eq!(hands(&trial), ["hill: embers off"]);
    trial.set_attribute("t1.colour", "green");
    trial.set_attribute("t1.colour", "none");
    assert_eq!(hands(&trial), ["t1: dot off"]);
}

#[test]
fn a_reference_is_a_place_a_piece_or_a_row() {
    assert_eq!(set("t1.at", "wood"), ["t1: to wood"]);
    assert_eq!(set("t1.at", "none"), ["t1: stand off"]);
    assert_eq!(set("t1.friend", "t2"), ["t1: string to t2"]);
    assert_eq!(set("t1.arm", "smg"), ["t1: arm smg"]);
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("t1.friend", "t2");
    trial.set_attribute("t1.friend", "none");
    assert_eq!(hands(&trial), ["t1: string off"]);
}

#[test]
fn of_a_list_what_came_and_what_went_is_said() {
    assert_eq!(set("t1.route", "hill wood"), ["t1: hose to wood"]);
    assert_eq!(set("t1.route", "wood ford"), ["t1: hose to wood, ford and off hill"]);
    assert_eq!(set("t1.route", ""), ["t1: hose off"]);
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("t1.route", "hill wood ford");
    trial.set_attribute("t1.route", "wood ford");
    assert_eq!(hands(&trial), ["t1: hose off hill"]);
    // The members are the same, but their order has changed.
    trial.set_attribute("t1.route", "ford wood");
    assert_eq!(hands(&trial), ["t1: hose ford, wood"]);
}

#[test]
fn a_piece_is_set_out_where_it_stands_with_its_markers() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("raise", &["wood"]);
    assert_eq!(hands(&trial), ["new: (stand) set out at wood, mood tired"]);
    let add = trial.add_action("team", "t9", &[]);
    trial.act(&add).unwrap();
    assert_eq!(hands(&trial), ["t9: (stand) set out"]);
    // A new piece of a kind without a marker is shown by the markers of its attributes.
    trial.call_rule("puff", &["wood"]);
    assert_eq!(hands(&trial), ["cloud: to wood"]);
}

#[test]
fn a_piece_is_taken_off_if_it_has_a_marker() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("puff", &["wood"]);
    remove(&mut trial, "cloud");
    assert_eq!(hands(&trial), [""; 0]);
    remove(&mut trial, "t1");
    assert_eq!(hands(&trial), ["t1: off"]);
}

#[test]
fn a_piece_that_is_made_and_removed_in_one_command_is_not_named() {
    let mut trial = Trial::set_up(RULES);
    let happened = trial.call_rule("flicker", &["wood"]);
    assert!(happened.iter().any(|line| line.starts_with("made team")), "{happened:?}");
    assert_eq!(hands(&trial), [""; 0]);
    assert_eq!(shown(&trial), [""; 0]);
}

#[test]
fn a_level_below_zero_does_not_read_as_a_loss() {
    let mut trial = Trial::set_up(
        &RULES.replace("floor = {", "depth = { from = -5, to = 9, marker = \"level\" }\nfloor = {"),
    );
    trial.set_attribute("hill.depth", "-3");
    assert_eq!(hands(&trial), ["hill: level at -3"]);
    trial.set_attribute("hill.depth", "3");
    assert_eq!(hands(&trial), ["hill: level 3"]);
}

#[test]
fn only_the_net_of_all_changes_counts() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("turns", &["hill"]);
    assert_eq!(hands(&trial), ["hill: red die 1"]);
    // The wood already has a 1, so nothing is left to do.
    trial.call_rule("turns", &["wood"]);
    assert_eq!(hands(&trial), [""; 0]);
}

#[test]
fn a_second_piece_of_a_name_is_called_as_people_call_it() {
    let mut trial = Trial::set_up(RULES);
    remove(&mut trial, "t1");
    let add = trial.add_action("team", "t1", &[("at", "wood")]);
    trial.act(&add).unwrap();
    assert_eq!(hands(&trial), ["t1: (stand) set out at wood"]);
    trial.set_attribute("t2.friend", "t1");
    assert_eq!(hands(&trial), ["t2: string to t1"]);
}

fn entry(number: u64, outcome: &Outcome) -> Arc<Entry> {
    Arc::new(Entry { number, outcome: outcome.clone().into(), ..Entry::default() })
}

#[test]
fn what_is_put_back_comes_with_all_that_stands_by_it() {
    let mut trial = Trial::set_up(RULES);
    remove(&mut trial, "t2");
    let back = undo_changes(&[HistoryStep::Command(entry(1, &trial.outcome))]);
    trial.outcome.revert(&mut trial.table).unwrap();
    let words = joined(piece_instructions(&view(&trial), back.iter()));
    assert_eq!(words, ["t2: (stand) set out at hill, mood tired, slip “stay”"]);
    // Removing a piece and putting it back leaves nothing to do.
    let both: Vec<Change> = trial.outcome.changes().cloned().chain(back).collect();
    assert_eq!(joined(piece_instructions(&view(&trial), both.iter())), [""; 0]);
}

/// A marker that is only a linking word needs no second linking word, and is named in full when it
/// is taken off.
#[test]
fn a_marker_of_one_linking_word_leads_to_the_name() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("t1.within", "t2");
    assert_eq!(hands(&trial), ["t1: inside t2"]);
    trial.set_attribute("t1.within", "none");
    assert_eq!(hands(&trial), ["t1: inside off"]);
}

#[test]
fn steps_are_taken_back_from_the_last_change() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("turns", &["hill"]);
    let one = entry(1, &trial.outcome);
    trial.set_attribute("hill.fire", "4");
    let two = entry(2, &trial.outcome);
    let fires = |changes: &[Change]| -> Vec<String> {
        let fire =
            changes.iter().filter(|c| c.attribute_path().is_some_and(|s| s.attribute == "fire"));
        fire.map(crate::referee::testing::change_text).collect()
    };
    let back =
        undo_changes(&[HistoryStep::Command(two.clone()), HistoryStep::Command(one.clone())]);
    let all = ["hill.fire 4 -> 1", "hill.fire 1 -> 3", "hill.fire 3 -> 0"];
    assert_eq!(fires(&back), all);
    let both = [one.clone(), two];
    assert_eq!(fires(&replacement_changes(&both, &[])), all);
    // Replace both commands with only the first.
    let instead = replacement_changes(&both, std::slice::from_ref(&one));
    assert_eq!(fires(&instead)[3..], ["hill.fire 0 -> 3", "hill.fire 3 -> 1"]);
    let amendment =
        Amendment { number: 1, before: both.to_vec(), now: vec![one], dropped: Vec::new() };
    // Undoing the amendment replaces the first command with both.
    let restored = fires(&undo_changes(&[HistoryStep::Amendment(Arc::new(amendment))]));
    let expected = [
        "hill.fire 1 -> 3",
        "hill.fire 3 -> 0",
        "hill.fire 0 -> 3",
        "hill.fire 3 -> 1",
        "hill.fire 1 -> 4",
    ];
    assert_eq!(restored, expected);
}

#[test]
fn pieces_with_the_same_change_are_named_together_from_three_on() {
    let item = |name: &str, words: &str| (name.to_owned(), vec![words.to_owned()]);
    let two = [item("a", "die 1"), item("b", "die 1"), item("c", "die 2")];
    assert_eq!(group_same_changes(&two), two);
    let three = [item("a", "die 1"), item("c", "die 2"), item("b", "die 1"), item("d", "die 1")];
    assert_eq!(group_same_changes(&three), [item("a, b, d", "die 1 each"), item("c", "die 2")]);
    // The state has no name, and is never grouped.
    let nameless = [item("", "die 1"), item("a", "die 1"), item("b", "die 1")];
    assert_eq!(group_same_changes(&nameless), nameless);
}

#[test]
fn pieces_with_the_same_to_do_are_together_and_the_rest_is_listed_each_time() {
    let tasks = |words: &str| Tasks::of_changes(vec![words.to_owned()]);
    let item =
        |piece: &str, words: &str| TableItem { piece: piece.to_owned(), tasks: tasks(words) };
    let all = [item("", "die 1"), item("a", "die 1"), item("", "die 1"), item("b", "die 1")];
    let together: Vec<(Tasks, Vec<String>)> = pieces_by_tasks(all.to_vec());
    let names: Vec<String> = together.iter().map(|(_, pieces)| pieces.join(" ")).collect();
    assert_eq!(names, ["", "a b", ""]);
    assert!(together.iter().all(|(of, _)| *of == tasks("die 1")));
}

#[test]
fn the_line_names_all_pieces_in_their_order() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("storm", &[]);
    assert_eq!(
        shown(&trial),
        ["On the table:  hill red die 2; wood red die 3; ford red die 2; wind west"]
    );
    trial.set_attribute("hill.score", "1");
    assert_eq!(shown(&trial), [""; 0]);
    let mut unlit = Trial::set_up(&RULES.replace("wood = { fire = 1 }", "wood = {}"));
    unlit.call_rule("storm", &[]);
    assert_eq!(shown(&unlit), ["On the table:  hill, wood, ford red die 2 each; wind west"]);
}

#[test]
fn instructions_of_the_rules_come_with_the_changes_of_their_pieces() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("walk", &["t1", "6"]);
    assert_eq!(
        shown(&trial),
        ["On the table:  hill embers; t1 moves 6 in, halts, mood spent; lay the rope"]
    );
    // Two pieces have an item each, because they are too few to be grouped.
    trial.call_rule("march", &["4"]);
    assert_eq!(shown(&trial), ["On the table:  t1 moves 4 in; t2 moves 4 in"]);
    trial.call_rule("raise", &["ford"]);
    trial.call_rule("march", &["4"]);
    assert_eq!(shown(&trial), ["On the table:  t1, t2, new: each moves 4 in"]);
}

#[test]
fn instructions_about_hidden_pieces_are_for_their_own_side() {
    let mut trial = Trial::set_up(&secret());
    trial.set_attribute("t1.revealed", "yes");
    trial.call_rule("march", &["4"]);
    assert_eq!(shown(&trial), ["On the table:  t1 moves 4 in", "blue only:     t2 moves 4 in"]);
    assert_eq!(
        outcome_items(&view(&trial), &trial.outcome),
        [TableItem {
            piece: "t1".to_owned(),
            tasks: Tasks { instructions: vec!["moves 4 in".to_owned()], ..Tasks::default() }
        }]
    );
}

#[test]
fn an_instruction_is_taken_back_unless_it_is_given_again() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("march", &["6"]);
    let march = entry(1, &trial.outcome);
    trial.call_rule("walk", &["t1", "6"]);
    let walk = entry(2, &trial.outcome);
    let back = UndoDirection::Backward;
    let forward = UndoDirection::Forward;
    let words = |acts: [(UndoDirection, &Arc<Entry>); 2]| {
        let instructions = corrected_instructions(acts.into_iter());
        joined(
            items(&view(&trial), [].iter(), &instructions)
                .into_iter()
                .map(TableItem::into_pair)
                .collect(),
        )
    };
    assert_eq!(
        words([(back, &walk), (back, &march)]),
        [
            "t1: back (moves 6 in), back (moves 6 in), back (halts)",
            ": back: lay the rope",
            "t2: back (moves 6 in)"
        ]
    );
    assert_eq!(
        words([(back, &march), (forward, &walk)]),
        ["t2: back (moves 6 in)", "t1: halts", ": lay the rope"]
    );
}

#[test]
fn what_the_players_do_not_see_is_for_the_umpires_map() {
    let mut trial = Trial::set_up(&secret());
    trial.set_attribute("t1.mood", "tired");
    assert_eq!(shown(&trial), ["red only:      t1 mood tired"]);
    assert_eq!(hands(&trial), [""; 0]);
    trial.set_attribute("hill.fire", "2");
    assert_eq!(shown(&trial), ["On the table:  hill red die 2"]);
    trial.set_attribute("t1.revealed", "yes");
    let out = "t1: (stand) set out at hill, mood tired, hose to hill";
    assert_eq!(hands(&trial), [out]);
    assert_eq!(shown(&trial)[0], format!("On the table:  {}", out.replace("t1:", "t1")));
    trial.set_attribute("t1.mood", "spent");
    assert_eq!(shown(&trial), ["On the table:  t1 mood spent"]);
}

#[test]
fn changes_in_words_go_from_value_to_value() {
    let words = |trial: &Trial, which| {
        joined(changes_in_words(&view(trial), trial.outcome.changes(), which))
    };
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("hill.fire", "2");
    assert_eq!(words(&trial, ChangeFilter::All), ["hill: fire 0 → 2"]);
    assert_eq!(words(&trial, ChangeFilter::Unmarked), [""; 0]);
    trial.set_attribute("t1.tally", "3");
    assert_eq!(words(&trial, ChangeFilter::Unmarked), ["t1: tally 0 → 3"]);
    trial.set_attribute("t1.aims", "run");
    assert_eq!(words(&trial, ChangeFilter::All), ["t1: aims “” → “run”"]);
    trial.set_attribute("t1.tired", "yes");
    assert_eq!(words(&trial, ChangeFilter::All), ["t1: tired"]);
    trial.set_attribute("t1.tired", "no");
    assert_eq!(words(&trial, ChangeFilter::All), ["t1: no longer tired"]);
    trial.set_attribute("hill.embers", "yes");
    assert_eq!(words(&trial, ChangeFilter::All), ["hill: embers"]);
    trial.set_attribute("t1.route", "wood ford");
    assert_eq!(words(&trial, ChangeFilter::All), ["t1: route hill → wood ford"]);
    trial.call_rule("puff", &["wood"]);
    assert_eq!(words(&trial, ChangeFilter::All), ["cloud: a new smoke, at wood, thick 2"]);
    assert_eq!(words(&trial, ChangeFilter::Unmarked), ["cloud: a new smoke, thick 2"]);
    trial.call_rule("raise", &["wood"]);
    assert_eq!(words(&trial, ChangeFilter::Unmarked), [""; 0]);
    remove(&mut trial, "new");
    assert_eq!(words(&trial, ChangeFilter::All), ["new: taken off"]);
    assert_eq!(words(&trial, ChangeFilter::Unmarked), [""; 0]);
    remove(&mut trial, "cloud");
    assert_eq!(words(&trial, ChangeFilter::Unmarked), ["cloud: taken off"]);
}

#[test]
fn what_is_revealed_is_said_so() {
    let rules = secret()
        .replace("tally = { from = 0, to = 9 }", "tally = { from = 0, to = 9, secret = true }");
    let mut trial = Trial::set_up(&rules);
    let words =
        |of: &Trial| joined(changes_in_words(&view(of), of.outcome.changes(), ChangeFilter::All));
    trial.set_attribute("t1.revealed", "yes");
    assert_eq!(words(&trial), ["t1: revealed to all"]);
    trial.set_attribute("t1.revealed", "no");
    assert_eq!(words(&trial), ["t1: no longer revealed to all"]);
    trial.set_attribute("t1.revealed-to", "blue");
    assert_eq!(words(&trial), ["t1: revealed to blue"]);
    trial.set_attribute("t1.revealed-to", "");
    assert_eq!(words(&trial), ["t1: no longer revealed to blue"]);
    trial.set_attribute("t1.tally-revealed", "yes");
    assert_eq!(words(&trial), ["t1: tally revealed to all"]);
    trial.set_attribute("t1.tally-revealed-to", "blue red");
    assert_eq!(words(&trial), ["t1: tally revealed to blue red"]);
}
