//! The view of each player. The expected values follow from the page "Who hears what".

use crate::command::parse;
use crate::referee::testing::Trial;
use crate::referee::{Action, Player};

/// Two armies, red with two commanders. Ann leads the tank and, through it, its crew; bob, the
/// lorry; cat, the gun, whose player is written on it as a text.
const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"

[kind.commander]
army   = { one_of = "army" }
brief  = { text = true, secret = "player" }
nerve  = { from = 0, to = 9, start = 5 }

[players]
are = "commander"

[kind.vehicle]
army   = { one_of = "army" }
player = { of = "commander" }
prey   = { of = "vehicle" }
route  = { from = 0, to = 9, secret = "player" }
fuel   = { from = 0, to = 9, secret = "side" }

[kind.man]
army    = { one_of = "army" }
friend  = { of = "man" }
vehicle = { of = "vehicle" }

[kind.gun]
army   = { one_of = "army" }
player = { text = true }

[kind.letter]
secret = "player"
to     = { of = "commander" }

[rule.briefing]
usage  = "briefing <who:commander>"
secret = "player"
after  = 'say "{who} knows: {who.brief}"'

[rule.drive]
usage = "drive <vehicle:vehicle>"
roll  = '1d6'
after = 'vehicle.route += 1; say "to {vehicle.army}" to vehicle.army; say "{vehicle} drives"'

[rule.each-route]
each   = 'v in vehicles'
usage  = "routes"
secret = "player"
after  = 'say "{v} is at {v.route}"'

[scenario.one.pieces.commander]
ann = { army = "red", brief = "take the hill" }
bob = { army = "red", brief = "watch ann" }
cat = { army = "blue", brief = "hold" }
[scenario.one.pieces.vehicle]
tank  = { army = "red", player = "ann", route = 4, fuel = 7 }
lorry = { army = "red", player = "bob", route = 2, fuel = 3, prey = "tank" }
cart  = { army = "blue" }
[scenario.one.pieces.man]
gus = { army = "red", vehicle = "tank" }
hal = { army = "red", friend = "gus", vehicle = "lorry" }
ian = { army = "blue" }
[scenario.one.pieces.gun]
pak = { army = "blue", player = "Cat" }
[scenario.one.pieces.letter]
note = { to = "bob" }
"#;

fn player_of(trial: &Trial, name: &str) -> Option<String> {
    let (kind, row) = trial.find_piece(name);
    trial.referee.player_of_piece(&trial.table, kind, row)
}

#[test]
fn a_piece_belongs_to_the_player_that_it_leads_to() {
    let trial = Trial::set_up(RULES);
    let of = |name: &str| player_of(&trial, name).unwrap_or_default();
    assert_eq!(["ann", "tank", "gus"].map(of), ["ann"; 3]);
    // The player attribute of the lorry counts, not the vehicle that it hunts; a man's vehicle
    // counts, not his friend.
    assert_eq!(["lorry", "hal", "note"].map(of), ["bob"; 3]);
    assert_eq!(of("pak"), "cat");
    assert_eq!(["cart", "ian"].map(of), ["", ""]);
    let player = |name: &str, side: &str| Player { name: name.into(), side: Some(side.into()) };
    let all = [player("ann", "red"), player("bob", "red"), player("cat", "blue")];
    assert_eq!(trial.referee.players(&trial.table), all);
}

#[test]
fn a_player_sees_what_the_side_sees_and_secrets_of_the_player() {
    let trial = Trial::set_up(RULES);
    let seen = |viewer: &str| {
        let spots = ["ann.brief", "bob.brief", "tank.route", "tank.fuel", "cart.fuel"];
        spots.map(|spot| trial.value_for(viewer, spot).unwrap()).join("|")
    };
    assert_eq!(seen("umpire"), "take the hill|watch ann|4|7|0");
    assert_eq!(seen("ann"), "take the hill||4|7|0");
    assert_eq!(seen("bob"), "|watch ann|0|7|0");
    assert_eq!(seen("red"), "||0|7|0");
    assert_eq!(seen("cat"), "||0|0|0");
    assert_eq!(seen("players"), "||0|0|0");
    let sees_letter = |viewer: &str| trial.seen_table(viewer).table.find("note").is_some();
    assert!(sees_letter("bob"));
    assert!(!["ann", "cat", "red", "players"].into_iter().any(sees_letter));
}

#[test]
fn a_secret_of_a_player_can_be_revealed_to_the_side_or_to_all() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("tank.route-revealed-to", "red");
    let route = |trial: &Trial, viewer: &str| trial.value_for(viewer, "tank.route").unwrap();
    assert_eq!(["bob", "red", "cat"].map(|viewer| route(&trial, viewer)), ["4", "4", "0"]);
    trial.set_attribute("tank.route-revealed", "yes");
    assert_eq!(["red", "cat", "players"].map(|viewer| route(&trial, viewer)), ["4", "4", "4"]);
}

#[test]
fn a_rule_that_is_secret_for_a_player_is_heard_by_that_player() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("briefing", &["ann"]);
    assert_eq!(trial.seen_events("ann"), ["call briefing", "ann knows: take the hill", "end"]);
    assert!(trial.line_is_seen("ann"));
    for other in ["bob", "cat", "red", "players"] {
        assert_eq!(trial.seen_events(other), [""; 0], "{other}");
        assert!(!trial.line_is_seen(other), "{other}");
    }
    // In a sweep, each player sees only the turns of the player's pieces.
    trial.call_rule("each-route", &[]);
    assert_eq!(trial.seen_events("ann"), ["call each-route", "tank is at 4", "end"]);
    assert_eq!(trial.seen_events("bob"), ["call each-route", "lorry is at 2", "end"]);
    assert_eq!(trial.seen_events("cat"), [""; 0]);
}

#[test]
fn a_player_hears_what_the_side_is_told() {
    let mut trial = Trial::set_up(RULES);
    trial.call_with_faces(&[3], "drive", &["tank"]);
    let heard = |viewer: &str| trial.seen_events(viewer).join(" / ");
    assert!(heard("bob").contains("to red"), "{}", heard("bob"));
    assert!(!heard("cat").contains("to red"), "{}", heard("cat"));
    assert!(heard("cat").contains("tank drives"), "{}", heard("cat"));
    let routes = |viewer: &str| heard(viewer).contains("route");
    assert!(routes("ann") && !routes("bob") && !routes("cat"), "{}", heard("bob"));
}

#[test]
fn orders_of_a_player_are_those_of_the_side_and_begin_with_the_name() {
    let trial = Trial::set_up(RULES);
    let written = |line: &str| {
        let command = parse(&trial.referee, &trial.table, line).unwrap().unwrap();
        let Action::Order { side, text } = command.action else { panic!("{line}") };
        (side, text.unwrap())
    };
    let red = trial.referee.side_value(&trial.table, "red");
    assert_eq!(written("orders red: to the hill"), (red, "to the hill".to_owned()));
    assert_eq!(written("orders ann: to the hill"), (red, "ann: to the hill".to_owned()));
    assert!(parse(&trial.referee, &trial.table, "orders dan: to the hill").is_err());
}

/// A game without sides, in which pieces have the names of their players.
const TOGETHER: &str = r#"
[kind.engine]
side_attribute = "driver"
driver = { text = true }
[kind.brief]
secret = "player"
side_attribute = "of"
of     = { of = "engine" }
[scenario.one.pieces.engine]
pump  = { driver = "Ann" }
ladder = { driver = "Bob" }
[scenario.one.pieces.brief]
page1 = { of = "pump" }
page2 = { of = "ladder" }
"#;

#[test]
fn without_sides_the_players_are_those_named_on_the_pieces() {
    let trial = Trial::set_up(TOGETHER);
    let names = trial.referee.players(&trial.table).into_iter().map(|player| player.name);
    assert_eq!(names.collect::<Vec<_>>(), ["Ann", "Bob"]);
    let sees = |viewer: &str, piece: &str| trial.seen_table(viewer).table.find(piece).is_some();
    assert!(sees("Ann", "page1") && !sees("Ann", "page2") && sees("Ann", "ladder"));
    assert!(sees("Bob", "page2") && !sees("Bob", "page1"));
    assert!(!sees("players", "page1") && !sees("players", "page2"));
}
