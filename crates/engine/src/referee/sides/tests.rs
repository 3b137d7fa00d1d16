//! Sides, as the reference of the rule language describes them: the sides of pieces, of a phase,
//! and to move.

use crate::language::machine::World;
use crate::referee::UnfinishedBusiness;
use crate::referee::testing::Trial;

/// A crew and its equipment: a gun on the side of its gunner, a cart without a side attribute, and
/// a flag whose side is computed.
const RULES: &str = r#"
[words.army]
values = ["none", "red", "blue"]
[sides]
are = "army"
[state]
first = { one_of = "army" }
calm = { flag = true }
[kind.hill]
[kind.man]
plural = "men"
side = { one_of = "army" }
out = { flag = true }
[kind.gun]
side_attribute = "gunner"
gunner = { of = "man" }
[kind.cart]
on = { of = "hill" }
driver = { of = "man" }
guard = { of = "man" }
towed = { of = "gun" }
[kind.banner]
side_attribute = "whose"
bearer = { of = "man" }
whose = { is = 'if self.bearer = none then army.none else self.bearer.side' }
[rule.fire]
usage = "fire <who:man> at <whom:man>"
after = 'who.out = true'
[rule.salvo]
usage = "salvo <those:man+>"
after = 'each m in those { m.out = true }'
[rule.by-volley]
usage = "volley <who:man>"
after = 'say "{who} fires"'
[rule.call]
usage = "call <who:man>"
any_side = true
after = 'say "{who} is called"'
[rule.climb]
usage = "climb <hill:hill>"
after = 'say "{hill}"'
[rule.march]
usage = "march <who:man>"
phases = ["walk"]
after = 'say "{who} marches"'
[rule.idle]
usage = "idle <who:man>"
after = 'say "{who} idles"'
[[phase]]
name = "walk"
by = "side"
order = 'if state.side = state.first then 0 else 1'
[[phase]]
name = "shoot"
by = "side"
alternate = "out"
order = 'if state.side = state.first then 0 else 1'
verbs = ["fire", "salvo", "volley", "call", "climb"]
[[phase]]
name = "rest"
verbs = ["fire"]
[scenario.one.pieces.hill]
knoll = {}
[scenario.one.pieces.man]
ann = { side = "red" }
art = { side = "red" }
bob = { side = "blue" }
cat = {}
[scenario.one.pieces.gun]
big = { gunner = "bob" }
new = { gunner = "ann" }
old = {}
lost = { gunner = "cat" }
[scenario.one.pieces.cart]
dray = { on = "knoll", guard = "bob", driver = "ann" }
wain = { towed = "big" }
void = { on = "knoll" }
[scenario.one.pieces.banner]
lion = { bearer = "ann" }
bear = {}
"#;

fn side_of(trial: &Trial, piece: &str) -> Option<String> {
    let (kind, row) = trial.find_piece(piece);
    trial.referee.side_of_piece(&trial.table, kind, row)
}

fn to_move(trial: &Trial) -> String {
    trial.referee.side_to_move(&trial.table).unwrap_or_else(|| "nobody".to_owned())
}

/// Returns a game in the phase with this name.
fn in_phase(name: &str) -> Trial {
    let mut trial = Trial::set_up(RULES);
    while trial.referee.phase_name(&trial.table) != name {
        trial.next_phase();
    }
    trial
}

#[test]
fn a_piece_is_on_the_side_that_it_says() {
    let trial = Trial::set_up(RULES);
    assert_eq!(side_of(&trial, "ann").as_deref(), Some("red"));
    assert_eq!(side_of(&trial, "bob").as_deref(), Some("blue"));
    assert_eq!(side_of(&trial, "cat"), None);
    assert_eq!(side_of(&trial, "knoll"), None);
}

#[test]
fn a_piece_is_on_the_side_of_what_its_side_points_to() {
    let trial = Trial::set_up(RULES);
    assert_eq!(side_of(&trial, "big").as_deref(), Some("blue"));
    // The first man counts like the others.
    assert_eq!(side_of(&trial, "new").as_deref(), Some("red"));
    assert_eq!(side_of(&trial, "old"), None);
    assert_eq!(side_of(&trial, "lost"), None);
    assert_eq!(side_of(&trial, "lion").as_deref(), Some("red"));
    assert_eq!(side_of(&trial, "bear"), None);
}

#[test]
fn a_piece_without_a_side_is_on_that_of_its_first_reference_that_has_one() {
    let trial = Trial::set_up(RULES);
    // The driver comes before the guard.
    assert_eq!(side_of(&trial, "dray").as_deref(), Some("red"));
    // The gun has the side of its gunner.
    assert_eq!(side_of(&trial, "wain").as_deref(), Some("blue"));
    assert_eq!(side_of(&trial, "void"), None);
}

#[test]
fn the_sides_are_the_words_but_none() {
    let trial = Trial::set_up(RULES);
    let sides: Vec<String> = trial.referee.sides(&trial.table).into_iter().collect();
    assert_eq!(sides, ["blue", "red"]);
    let viewers: Vec<String> =
        trial.referee.viewers(&trial.table).into_iter().map(|(name, _)| name).collect();
    assert_eq!(viewers, ["blue", "red", "players", "umpire"]);
    let value = |name| trial.referee.side_value(&trial.table, name);
    assert_eq!([value("none"), value("red"), value("blue"), value("green")], [0, 1, 2, 0]);
}

#[test]
fn pieces_may_be_the_sides() {
    let mut trial = Trial::set_up(
        r#"
[kind.army]
plural = "armies"
[sides]
are = "army"
[kind.man]
plural = "men"
side = { of = "army" }
[[phase]]
name = "walk"
by = "side"
[scenario.one.pieces.army]
red = {}
blue = {}
[scenario.one.pieces.man]
ann = { side = "blue" }
cat = {}
"#,
    );
    assert_eq!(side_of(&trial, "ann").as_deref(), Some("blue"));
    assert_eq!(side_of(&trial, "cat"), None);
    assert_eq!(side_of(&trial, "red").as_deref(), Some("red"));
    let sides: Vec<String> = trial.referee.sides(&trial.table).into_iter().collect();
    assert_eq!(sides, ["blue", "red"]);
    let value = |name| trial.referee.side_value(&trial.table, name);
    assert_eq!([value("red"), value("blue"), value("green")], [0, 1, -1]);
    // The sides move in the order in which they were set up.
    assert_eq!(to_move(&trial), "nobody");
    trial.next_phase();
    assert_eq!(to_move(&trial), "red");
    trial.next_phase();
    assert_eq!(to_move(&trial), "blue");
    assert_eq!(trial.referee.steps_of_turn(&trial.table), 2);
    let (kind, row) = trial.find_piece("red");
    trial.act(&crate::referee::Action::Remove(kind, row)).unwrap();
    trial.next_phase();
    assert_eq!(to_move(&trial), "blue");
}

#[test]
fn without_sides_a_side_is_what_its_attribute_says() {
    let trial = Trial::set_up(
        r#"
[kind.team]
side = { text = true }
[kind.crew]
side = { one_of = ["none", "ann", "eve"] }
[kind.hill]
[kind.camp]
side = { of = "hill" }
[scenario.one.pieces.hill]
knoll = {}
[scenario.one.pieces.camp]
tents = { side = "knoll" }
[scenario.one.pieces.team]
t1 = { side = "dan" }
t2 = {}
[scenario.one.pieces.crew]
c1 = { side = "eve" }
c2 = {}
"#,
    );
    assert_eq!(side_of(&trial, "t1").as_deref(), Some("dan"));
    assert_eq!(side_of(&trial, "t2"), None);
    assert_eq!(side_of(&trial, "c1").as_deref(), Some("eve"));
    assert_eq!(side_of(&trial, "c2"), None);
    let sides: Vec<String> = trial.referee.sides(&trial.table).into_iter().collect();
    assert_eq!(side_of(&trial, "tents").as_deref(), Some("knoll"));
    assert_eq!(sides, ["dan", "eve", "knoll"]);
    assert_eq!(to_move(&trial), "nobody");
}

#[test]
fn the_side_with_the_lowest_number_begins_and_of_equals_the_first() {
    let mut trial = Trial::set_up(RULES);
    trial.next_phase();
    assert_eq!(
        (to_move(&trial).as_str(), trial.attribute_text("state.sides-left").as_str()),
        ("red", "blue")
    );
    trial.next_phase();
    assert_eq!(
        (to_move(&trial).as_str(), trial.attribute_text("state.sides-left").as_str()),
        ("blue", "")
    );
    trial = Trial::set_up(RULES);
    trial.set_attribute("state.first", "blue");
    let told = trial.next_phase();
    assert_eq!(
        (to_move(&trial).as_str(), trial.attribute_text("state.sides-left").as_str()),
        ("blue", "red")
    );
    // While the sides are ranked, no side is to move.
    let moves: Vec<&String> = told.iter().filter(|line| line.starts_with("state.side ")).collect();
    assert_eq!(moves, ["state.side none -> blue"]);
}

#[test]
fn after_the_last_side_it_is_nobodys_move() {
    let mut trial = in_phase("rest");
    assert_eq!(to_move(&trial), "nobody");
    assert_eq!(trial.attribute_text("state.sides-left"), "");
    assert_eq!(trial.next_phase().last().unwrap(), "turn 2 walk red");
}

#[test]
fn in_alternation_the_move_passes_on_when_a_piece_has_acted() {
    let mut trial = in_phase("shoot");
    assert_eq!(to_move(&trial), "red");
    // All sides act in the phase together.
    assert_eq!(trial.attribute_text("state.sides-left"), "red blue");
    let left = |of: &Trial| of.referee.count_left_to_move(&of.table);
    assert_eq!(left(&trial), Some(2));
    trial.call_rule("fire", &["ann", "bob"]);
    assert_eq!((to_move(&trial).as_str(), left(&trial)), ("blue", Some(1)));
    // A command with which no piece acts does not pass the move.
    trial.call_rule("call", &["bob"]);
    assert_eq!(to_move(&trial), "blue");
    trial.call_rule("fire", &["bob", "ann"]);
    assert_eq!((to_move(&trial).as_str(), left(&trial)), ("red", Some(1)));
    trial.call_rule("fire", &["art", "ann"]);
    // No side has pieces left to act.
    assert_eq!((to_move(&trial).as_str(), left(&trial)), ("red", Some(0)));
    assert_eq!(trial.referee.next_side_to_act(&trial.table), None);
    assert_eq!(trial.next_phase().last().unwrap(), "turn 1 rest");
    assert_eq!(left(&trial), None);
}

#[test]
fn a_side_with_nobody_left_is_passed_over() {
    let mut trial = in_phase("shoot");
    trial.set_attribute("bob.out", "yes");
    trial.call_rule("fire", &["ann", "bob"]);
    assert_eq!(to_move(&trial), "red");
}

#[test]
fn the_side_after_the_one_to_move_is_the_next() {
    let mut trial = in_phase("shoot");
    let red = trial.referee.side_value(&trial.table, "red");
    let blue = trial.referee.side_value(&trial.table, "blue");
    let rows = |sides: [i64; 2]| sides.map(|side| u32::try_from(side).unwrap()).to_vec();
    assert_eq!(trial.referee.next_side_to_act(&trial.table), Some((blue, rows([blue, red]))));
    trial.set_attribute("state.side", "blue");
    assert_eq!(trial.referee.next_side_to_act(&trial.table), Some((red, rows([red, blue]))));
    trial.set_attribute("state.side", "none");
    assert_eq!(trial.referee.next_side_to_act(&trial.table), Some((red, rows([red, blue]))));
}

#[test]
fn those_who_have_not_acted_are_left() {
    let mut trial = in_phase("shoot");
    let names = |of: &Trial, side: &str| {
        let value = of.referee.side_value(&of.table, side);
        let left = of.referee.pieces_yet_to_act(&of.table, value).into_iter();
        left.map(|(kind, row)| of.table.name(kind, row).to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((names(&trial, "red").as_str(), names(&trial, "blue").as_str()), ("ann art", "bob"));
    trial.set_attribute("ann.out", "yes");
    assert_eq!(names(&trial, "red"), "art");
    let left = trial.referee.unfinished_business(&trial.table).unwrap();
    let words: Vec<String> = left.iter().map(UnfinishedBusiness::in_words).collect();
    assert_eq!(words, ["bob (still to act)", "art (still to act)"]);
    assert!(left.iter().all(|business| business.warns));
    // In a phase that is not played piece by piece, no pieces are left to act.
    assert_eq!(names(&in_phase("walk"), "red"), "");
    assert_eq!(names(&Trial::set_up(RULES), "red"), "");
}

#[test]
fn a_verb_of_the_phase_is_for_the_side_to_move() {
    let mut trial = in_phase("shoot");
    let reason = "red is to move, and `bob` is on the side of blue";
    assert_eq!(trial.refusal_reason("fire", &["bob", "ann"]), reason);
    assert_eq!(trial.refusal_reason("salvo", &["ann bob"]), reason);
    // A phase offers its verbs as they are typed.
    assert_eq!(trial.refusal_reason("by-volley", &["bob"]), reason);
    // The second piece may belong to any side. So may the piece in a rule for any side, or a piece
    // of no side.
    trial.call_rule("call", &["bob"]);
    trial.call_rule("climb", &["knoll"]);
    trial.call_rule("fire", &["cat", "ann"]);
    trial.insist = true;
    assert_eq!(trial.call_rule("fire", &["bob", "ann"])[0], format!("insisted {reason}"));
}

#[test]
fn other_verbs_are_for_any_side() {
    let mut trial = in_phase("shoot");
    // No phase offers the verb.
    trial.call_rule("idle", &["bob"]);
    trial = in_phase("walk");
    trial.call_rule("idle", &["bob"]);
    // Another phase offers firing, and marching belongs to this one.
    trial.call_rule("fire", &["bob", "ann"]);
    assert_eq!(
        trial.refusal_reason("march", &["bob"]),
        "red is to move, and `bob` is on the side of blue"
    );
    trial.call_rule("march", &["ann"]);
    // If no side is to move, any side may act.
    trial = in_phase("rest");
    trial.call_rule("fire", &["bob", "ann"]);
}

#[test]
fn orders_are_read_out_once_and_of_the_side_that_is_meant() {
    let mut trial = Trial::set_up(RULES);
    trial.write_orders("blue", "hold");
    assert_eq!(trial.outcome.events.len(), 4);
    trial.write_orders("red", "go on");
    trial.write_orders("blue", "no, run");
    let read = |of: &mut Trial, side: &str| {
        let side = of.referee.side_value(&of.table, side);
        let told = crate::referee::testing::event_texts(
            of.act(&crate::referee::Action::Order { side, text: None }).unwrap(),
        );
        told.into_iter().filter(|line| line.contains(": ")).collect::<Vec<_>>()
    };
    assert_eq!(read(&mut trial, "blue"), ["blue: hold", "blue: no, run"]);
    assert_eq!(read(&mut trial, "blue"), [""; 0]);
    assert_eq!(read(&mut trial, "red"), ["red: go on"]);
}

const ACTIVATION: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.man]
plural = "men"
side = { one_of = "army" }
quick = { flag = true }
down = { flag = true }
hits = { from = 0, to = 9 }
[rule.walk]
usage = "walk <who:man+>"
after = 'say "walks, {first(who).actions-left} left"'
[rule.shoot]
usage = "shoot <who:man> [twice]"
actions = 'if twice then 2 else 1'
after = 'who.hits += 1'
[rule.look]
usage = "look <who:man>"
actions = 0
after = 'say "looks"'
[rule.rest]
usage = "rest <who:man>"
actions = 'who.actions-left'
after = 'end activation; say "rests"'
[rule.wave]
usage = "wave <who:man>"
after = 'say "waves"'
[rule.rush]
usage = "rush"
after = 'activate first m in men where m.side = state.side and not m.done; say "rush"'
[[phase]]
name = "act"
by = "side"
activate = { of = "man", actions = 'if self.down then 0 else if self.quick then 3 else 2' }
verbs = ["walk", "shoot", "look", "rest"]
[[phase]]
name = "duel"
by = "side"
alternate = "done"
activate = { of = "man" , actions = 2 }
verbs = ["shoot", "rest"]
[[phase]]
name = "talk"
verbs = ["wave", "walk"]
[scenario.one.pieces.man]
ann = { side = "red", quick = true }
eve = { side = "red" }
dan = { side = "red", down = true }
bob = { side = "blue" }
kim = { side = "blue" }
"#;

fn acted(trial: &Trial) -> String {
    let kind = trial.referee.ruleset.schema.kind_named("man").unwrap();
    let text = |row, name: &str| {
        let index = trial.referee.ruleset.schema.kind(kind).attributes.index_of(name).unwrap();
        trial.referee.attribute_text(&trial.table, kind, row, index).unwrap()
    };
    let state = |row| {
        let name = trial.table.name(kind, row);
        format!("{name} {} {} {}", text(row, "acted"), text(row, "actions-left"), text(row, "done"))
    };
    trial.table.present_pieces(kind).map(state).collect::<Vec<_>>().join(", ")
}

#[test]
fn one_piece_acts_at_a_time_with_its_actions() {
    let mut trial = Trial::set_up(ACTIVATION);
    trial.next_phase();
    assert_eq!(acted(&trial), "ann no 0 no, eve no 0 no, dan no 0 yes, bob no 0 no, kim no 0 no");
    assert!(trial.call_rule("walk", &["ann"]).contains(&"walks, 2 left".to_owned()));
    trial.call_rule("look", &["ann"]);
    trial.call_rule("shoot", &["ann", "yes"]);
    assert!(acted(&trial).starts_with("ann yes 0 yes, eve no 0 no"), "{}", acted(&trial));
    assert_eq!(trial.refusal_reason("walk", &["ann"]), "ann has 0 actions left, and this takes 1");
    assert_eq!(trial.refusal_reason("walk", &["dan"]), "dan has no actions now");
    trial.call_rule("walk", &["eve"]);
    assert_eq!(
        trial.refusal_reason("shoot", &["eve", "yes"]),
        "eve has 1 action left, and this takes 2"
    );
    assert_eq!(trial.refusal_reason("look", &["ann"]), "ann has already acted");
    trial.call_rule("rest", &["eve"]);
    assert!(acted(&trial).starts_with("ann yes 0 yes, eve yes 0 yes, dan no 0 yes"));
    // The umpire may insist.
    trial.insist = true;
    trial.call_rule("shoot", &["eve"]);
    trial.insist = false;
    trial.next_phase();
    assert!(acted(&trial).starts_with("ann no 0 no, eve no 0 no"), "{}", acted(&trial));
}

#[test]
fn a_piece_that_has_begun_is_done_when_another_begins() {
    let mut trial = Trial::set_up(ACTIVATION);
    trial.next_phase();
    trial.call_rule("shoot", &["ann"]);
    assert!(acted(&trial).starts_with("ann yes 2 no"), "{}", acted(&trial));
    // A group acts together.
    trial.next_phase();
    trial.call_rule("walk", &["bob kim"]);
    assert!(acted(&trial).ends_with("bob yes 1 no, kim yes 1 no"), "{}", acted(&trial));
    trial.call_rule("shoot", &["kim"]);
    assert!(acted(&trial).ends_with("bob yes 1 no, kim yes 0 yes"), "{}", acted(&trial));
}

#[test]
fn the_move_passes_when_an_activation_ends() {
    let mut trial = Trial::set_up(ACTIVATION);
    for _ in 0..3 {
        trial.next_phase();
    }
    let side = |trial: &Trial| trial.referee.side_to_move(&trial.table).unwrap();
    assert_eq!(trial.referee.phase_name(&trial.table), "duel");
    trial.call_rule("shoot", &["ann"]);
    assert_eq!(side(&trial), "red");
    assert_eq!(trial.refusal_reason("shoot", &["eve"]), "ann is acting, and has 1 action left");
    trial.call_rule("shoot", &["ann"]);
    assert_eq!(side(&trial), "blue");
    trial.call_rule("shoot", &["bob"]);
    trial.call_rule("rest", &["bob"]);
    assert_eq!(side(&trial), "red");
    trial.call_rule("rush", &[]);
    assert!(acted(&trial).contains("eve yes 2 no"), "{}", acted(&trial));
}

#[test]
fn a_verb_costs_nothing_elsewhere() {
    let mut trial = Trial::set_up(ACTIVATION);
    for _ in 0..4 {
        trial.next_phase();
    }
    assert_eq!(trial.referee.phase_name(&trial.table), "talk");
    trial.call_rule("wave", &["ann"]);
    trial.call_rule("walk", &["ann"]);
    assert!(acted(&trial).starts_with("ann no 0"), "{}", acted(&trial));
}
