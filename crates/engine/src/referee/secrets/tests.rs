//! The view of each viewer, on a table with a secret of every kind. The expected values follow from
//! the chapter on secrets in the reference of the rule language.

use super::{HiddenCells, SeenOutcome};
use crate::language::schema::RuleId;
use crate::referee::testing::{Trial, change_text, event_texts, parse_viewer};
use crate::referee::{Action, Event, Outcome, Viewer};
use crate::tabletop::{AttributePath, Change, Tabletop};

/// Two sides, with units that only their side sees, scouts that everyone sees except for some
/// attributes, mines that no one sees, and a flare that is visible while it burns.
const RULES: &str = r#"
[words.army]
values = ["none", "red", "blue"]
[sides]
are = "army"

[kind.area]
mined = { flag = true, secret = true }

[kind.unit]
prefix = "u"
secret = true
side   = { one_of = "army" }
at     = { of = "area" }
men    = { from = 0, to = 20, start = 9 }
moved  = { flag = true, bookkeeping = true }
eyes   = { of = "unit" }
band   = { of = "unit", many = true }
mines  = { of = "mine", many = true, seen_by = 'self.men > 9' }
twice  = { is = 'self.men * 2' }

[kind.scout]
side   = { one_of = "army" }
nerve  = { from = 0, to = 9, start = 3, secret = true }
goal   = { of = "area", seen_by = 'viewer = self.side' }
marks  = { of = "unit", many = true, secret = true }
target = { of = "unit" }
hits   = { from = 0, to = 9 }

[kind.mine]
secret = true
at     = { of = "area" }

[kind.flare]
seen_by = 'self.burns'
burns   = { flag = true }
glow    = { from = 0, to = 9 }
code    = { from = 0, to = 9, secret = true }

[list.card]
columns = ["title"]
rows = { ace = ["Ace"], king = ["King"] }
[deck.pack]
of = "card"

[rule.blink]
takes = "a: area"
after = 'let m = make mine { at = a }; remove m'

[rule.raise]
takes = "men: 0..20"
after = 'let u = make unit { men = men, side = red }; say "{u} is raised"'

[rule.shoot]
takes  = "who: unit, at: scout"
roll   = '1d6'
label  = "{who}"
needs  = '>= 4'
pass   = 'at.hits += 1; who.men -= 1'

[rule.whisper]
takes   = "who: scout"
seen_by = 'viewer = who.side'
after   = 'say "{who} whispers"; who.hits += 1'

[rule.plan]
secret = true
after  = 'say "the umpire plans"; shuffle pack'

[rule.shout]
takes = "who: scout"
after = 'say "{who} shouts"; whisper(who); say "{who} is done"'

[rule.parade]
each  = 'u in units'
after = 'say "{u} passes"; u.men -= 1'

[rule.ambush]
takes  = "mine: mine, who: scout"
before = 'reveal mine; say "{who} treads on {mine}"; remove mine'

[rule.show]
takes = "who: unit, to: army"
after = 'reveal who to to'

[rule.open]
takes = "who: scout"
after = 'reveal who.nerve; reveal who.goal to red'

[rule.burn]
takes = "f: flare, burns: flag"
after = 'f.burns = burns'

[rule.flash]
takes = "f: flare"
after = 'f.glow = 1; f.burns = true; f.glow = 2; f.burns = false; f.glow = 3'

[rule.ask-all]
takes   = "who: scout"
require = [{ that = 'who.hits > 5', because = "too few hits" }]
after   = 'remind "go on"; say "asked"'

[scenario.one.pieces.area]
hill = { mined = true }
wood = {}
[scenario.one.pieces.unit]
rex = { side = "red", at = "hill", band = ["rex"] }
bob = { side = "blue", at = "wood", men = 5 }
nob = {}
[scenario.one.pieces.scout]
ray = { side = "red", nerve = 5, goal = "hill", target = "bob", marks = ["rex", "bob"] }
ben = { side = "blue", nerve = 6, goal = "wood" }
[scenario.one.pieces.mine]
big = { at = "hill" }
[scenario.one.pieces.flare]
sun = { glow = 5, code = 7 }
"#;

/// Returns the names of the pieces that a viewer sees.
fn visible_names(trial: &Trial, viewer: &str) -> String {
    let sight = trial.seen_table(viewer);
    let pieces = ["rex", "bob", "nob", "ray", "ben", "big", "sun", "hill"];
    let seen = pieces.into_iter().filter(|name| sight.table.find(name).is_some());
    seen.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_side_sees_its_own_pieces_and_all_players_what_every_side_sees() {
    let trial = Trial::set_up(RULES);
    assert_eq!(visible_names(&trial, "umpire"), "rex bob nob ray ben big sun hill");
    assert_eq!(visible_names(&trial, "red"), "rex ray ben hill");
    assert_eq!(visible_names(&trial, "blue"), "bob ray ben hill");
    assert_eq!(visible_names(&trial, "players"), "ray ben hill");
    // A viewer that is not a side sees no secrets, not even the secrets of a piece without a side.
    assert_eq!(visible_names(&trial, "green"), "ray ben hill");
}

#[test]
fn what_is_revealed_is_seen_by_all_or_by_the_side_it_was_revealed_to() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("show", &["bob", "red"]);
    assert_eq!(visible_names(&trial, "red"), "rex bob ray ben hill");
    assert_eq!(visible_names(&trial, "players"), "bob ray ben hill");
    trial.call_rule("show", &["nob", "blue"]);
    assert_eq!(visible_names(&trial, "red"), "rex bob ray ben hill");
    assert_eq!(visible_names(&trial, "blue"), "bob nob ray ben hill");
    trial.set_attribute("big.revealed", "yes");
    assert_eq!(visible_names(&trial, "players"), "bob ray ben big hill");
    // Rules may hide a revealed piece again.
    trial.set_attribute("big.revealed", "no");
    trial.set_attribute("bob.revealed-to", "");
    assert_eq!(visible_names(&trial, "players"), "ray ben hill");
}

#[test]
fn a_condition_decides_alone_and_is_asked_again_after_every_change() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("sun.burns", "yes");
    assert_eq!(visible_names(&trial, "players"), "ray ben sun hill");
    trial.set_attribute("sun.burns", "no");
    assert_eq!(visible_names(&trial, "players"), "ray ben hill");
    // Rex has 9 men, so even its side does not see its mines.
    trial.set_attribute("rex.mines", "big");
    trial.set_attribute("big.revealed", "yes");
    assert_eq!(trial.value_for("red", "rex.mines").unwrap(), "");
    trial.set_attribute("rex.men", "10");
    assert_eq!(trial.value_for("red", "rex.mines").unwrap(), "big");
}

#[test]
fn an_attribute_that_is_hidden_is_as_at_the_beginning() {
    let trial = Trial::set_up(RULES);
    assert_eq!(trial.value_for("red", "ray.nerve").unwrap(), "5");
    assert_eq!(trial.value_for("blue", "ray.nerve").unwrap(), "3");
    assert_eq!(trial.value_for("players", "ray.nerve").unwrap(), "3");
    assert_eq!(trial.value_for("red", "ray.goal").unwrap(), "hill");
    assert_eq!(trial.value_for("blue", "ray.goal").unwrap(), "none");
    assert_eq!(trial.value_for("blue", "ray.marks").unwrap(), "");
    assert_eq!(trial.value_for("umpire", "hill.mined").unwrap(), "yes");
    assert_eq!(trial.value_for("red", "hill.mined").unwrap(), "no");
    let (scout, ray) = trial.find_piece("ray");
    let sight = trial.seen_table("blue");
    let attributes = &trial.table.schema().kind(scout).attributes;
    let hidden =
        attributes.iter().enumerate().filter(|(at, _)| sight.hidden.hides_cell(scout, ray, *at));
    let hidden: Vec<&str> = hidden.map(|(_, attribute)| attribute.name.as_str()).collect();
    assert_eq!(hidden, ["nerve", "goal", "marks"]);
    assert!(!trial.seen_table("umpire").hidden.hides_cell(scout, ray, 1));
}

#[test]
fn nothing_points_to_a_piece_that_is_hidden() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("rex.band", "rex bob nob");
    trial.set_attribute("rex.eyes", "bob");
    assert_eq!(trial.value_for("red", "rex.band").unwrap(), "rex");
    assert_eq!(trial.value_for("red", "rex.eyes").unwrap(), "none");
    assert_eq!(trial.value_for("red", "ray.marks").unwrap(), "rex");
    assert_eq!(trial.value_for("red", "ray.target").unwrap(), "none");
    assert_eq!(trial.value_for("blue", "ray.target").unwrap(), "bob");
    // The table itself does not change.
    assert_eq!(trial.attribute_text("rex.band"), "rex bob nob");
}

#[test]
fn nothing_points_to_a_hidden_piece_of_which_all_attributes_are_open() {
    let rules = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.mine]
secret = true
[kind.man]
side = { one_of = "army" }
found = { of = "mine" }
[scenario.one.pieces.mine]
m1 = {}
[scenario.one.pieces.man]
ann = { side = "red", found = "m1" }
"#;
    let trial = Trial::set_up(rules);
    assert_eq!(trial.value_for("red", "ann.found").unwrap(), "none");
    assert_eq!(trial.attribute_text("ann.found"), "m1");
}

#[test]
fn decks_and_those_to_whom_something_was_told_are_the_umpires_alone() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("plan", &[]);
    trial.call_rule("show", &["bob", "red"]);
    let cards = |table: &Tabletop| {
        let schema = table.schema();
        let deck = schema.deck_named("pack").unwrap();
        table.list_values(schema.decks[deck.index()].list, 0).len()
    };
    assert_eq!(cards(&trial.seen_table("umpire").table), 2);
    assert_eq!(cards(&trial.seen_table("red").table), 0);
    assert_eq!(trial.value_for("umpire", "bob.revealed-to").unwrap(), "red");
    assert_eq!(trial.value_for("red", "bob.revealed-to").unwrap(), "");
    assert_eq!(trial.value_for("blue", "bob.revealed-to").unwrap(), "");
}

#[test]
fn rules_that_hide_nothing_have_no_secrets() {
    let scenario = "[scenario.one.pieces.man]\nann = {}\n";
    let has = |rules: &str| Trial::set_up(&format!("{rules}\n{scenario}")).referee.has_secrets();
    let sides = "[words.army]\nvalues = [\"red\", \"blue\"]\n[sides]\nare = \"army\"\n";
    // A game with sides has written orders; they don't count as secrets of the ruleset.
    assert!(!has(&format!("{sides}[kind.man]\nside = {{ one_of = \"army\" }}")));
    assert!(has(&format!("{sides}[kind.man]\nsecret = true\nside = {{ one_of = \"army\" }}")));
    assert!(has("[kind.man]\nhits = { from = 0, secret = true }"));
    assert!(has("[kind.man]\n[rule.plot]\nsecret = true\nafter = 'say \"so\"'"));
    assert!(!has("[kind.man]\n[rule.plot]\nafter = 'say \"so\"'"));
}

#[test]
fn a_change_is_seen_where_the_thing_changed_is_seen() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("rex.men", "4");
    assert_eq!(trial.seen_events("umpire"), ["rex.men 9 -> 4"]);
    assert_eq!(trial.seen_events("red"), ["rex.men 9 -> 4"]);
    assert_eq!(trial.seen_events("blue"), [""; 0]);
    trial.set_attribute("ray.nerve", "1");
    assert_eq!(trial.seen_events("red"), ["ray.nerve 5 -> 1"]);
    assert_eq!(trial.seen_events("players"), [""; 0]);
    trial.set_attribute("ray.hits", "2");
    assert_eq!(trial.seen_events("players"), ["ray.hits 0 -> 2"]);
    trial.set_attribute("bob.revealed-to", "blue");
    assert_eq!(trial.seen_events("blue"), [""; 0]);
}

#[test]
fn a_piece_that_is_hidden_is_named_in_no_change() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("ray.target", "rex");
    // The old value was bob, which red does not see; blue does not see rex.
    assert_eq!(trial.seen_events("red"), ["ray.target none -> rex"]);
    assert_eq!(trial.seen_events("blue"), ["ray.target bob -> none"]);
    // If the old and the new value are hidden, a viewer sees no change.
    assert_eq!(trial.seen_events("players"), [""; 0]);
}

#[test]
fn a_piece_that_is_hidden_is_named_in_no_change_of_a_list() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("rex.band", "rex bob nob");
    assert_eq!(trial.seen_events("umpire"), ["rex.band rex -> rex bob nob"]);
    assert_eq!(trial.seen_events("red"), [""; 0]);
    trial.set_attribute("rex.band", "bob");
    assert_eq!(trial.seen_events("red"), ["rex.band rex -> nothing"]);
    trial.set_attribute("rex.band", "nob rex");
    assert_eq!(trial.seen_events("red"), ["rex.band nothing -> rex"]);
    assert_eq!(trial.seen_events("blue"), [""; 0]);
}

#[test]
fn a_hidden_piece_that_is_made_and_removed_in_one_command_is_not_seen() {
    let mut trial = Trial::set_up(RULES);
    let happened = trial.call_rule("blink", &["hill"]);
    assert!(happened.contains(&"made mine mine1".to_owned()), "{happened:?}");
    for viewer in ["red", "blue", "players"] {
        assert_eq!(trial.seen_events(viewer), ["call blink", "end"], "{viewer}");
    }
}

#[test]
fn a_piece_that_gets_its_side_last_does_not_flare_up() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("raise", &["7"]);
    let made = trial.outcome.changes().find_map(|change| match change {
        Change::Made { piece, .. } => Some(piece.clone()),
        _ => None,
    });
    let made = made.unwrap();
    let expected = [
        "call raise".to_owned(),
        format!("made unit {made}"),
        format!("{made}.men 9 -> 7"),
        format!("{made}.side none -> red"),
        format!("{made} is raised"),
        "end".to_owned(),
    ];
    assert_eq!(trial.seen_events("red"), expected);
    assert_eq!(trial.seen_events("blue"), ["call raise", &expected[4], "end"]);
}

#[test]
fn what_comes_into_sight_comes_with_all_that_is_seen_of_it() {
    let mut trial = Trial::set_up(RULES);
    trial.set_attribute("bob.moved", "yes");
    trial.set_attribute("bob.band", "bob nob");
    trial.call_rule("show", &["bob", "red"]);
    // The band without its hidden members, no bookkeeping, and no attribute with its initial value.
    let seen = [
        "made unit bob",
        "bob.side none -> blue",
        "bob.at none -> wood",
        "bob.men 9 -> 5",
        "bob.band nothing -> bob",
    ];
    // When the rule was called, red did not see the piece it was called for.
    assert_eq!(trial.seen_events("red"), seen);
    assert_eq!(trial.seen_events("players"), seen);
    // Blue already saw the piece.
    assert_eq!(trial.seen_events("blue"), ["call show", "end"]);
}

#[test]
fn an_attribute_that_comes_into_sight_is_a_change_from_the_beginning() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("open", &["ben"]);
    let nerve = "ben.nerve 3 -> 6";
    let goal = "ben.goal none -> wood";
    let flag = "ben.nerve-revealed no -> yes";
    assert_eq!(trial.seen_events("red"), ["call open", flag, nerve, goal, "end"]);
    assert_eq!(trial.seen_events("blue"), ["call open", flag, "end"]);
}

#[test]
fn what_goes_out_of_sight_is_taken_off() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("burn", &["sun", "yes"]);
    let expected = ["made flare sun", "sun.burns no -> yes", "sun.glow 0 -> 5"];
    assert_eq!(trial.seen_events("red"), expected);
    trial.call_rule("burn", &["sun", "no"]);
    // The code of the flare was not visible while it burned, and is not visible now.
    assert_eq!(trial.seen_events("red"), ["call burn", "removed flare sun", "end"]);
}

#[test]
fn what_is_hidden_at_both_ends_is_hidden_in_between() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("flash", &["sun"]);
    assert_eq!(trial.seen_events("red"), [""; 0]);
}

#[test]
fn a_piece_that_is_revealed_and_then_removed_is_seen_in_between() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("ambush", &["big", "ray"]);
    let seen = trial.seen_events("red");
    let all = ["made mine big", "big.at none -> hill", "ray treads on big", "removed mine big"];
    assert_eq!(seen, all);
    assert!(trial.seen_events("umpire").contains(&"removed mine big".to_owned()));
}

#[test]
fn a_piece_that_is_seen_is_seen_to_go() {
    let mut trial = Trial::set_up(RULES);
    let remove = |of: &Trial, name: &str| {
        let (kind, row) = of.find_piece(name);
        Action::Remove(kind, row)
    };
    let rex = remove(&trial, "rex");
    trial.act(&rex).unwrap();
    assert_eq!(trial.seen_events("red").last().unwrap(), "removed unit rex");
    assert_eq!(trial.seen_events("blue"), [""; 0]);
    assert!(trial.line_is_seen("red") && !trial.line_is_seen("blue"));
    let ray = remove(&trial, "ray");
    trial.act(&ray).unwrap();
    assert_eq!(trial.seen_events("players"), ["removed scout ray"]);
}

#[test]
fn a_secret_rule_is_heard_by_those_it_is_for() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("whisper", &["ray"]);
    let all = ["call whisper", "ray whispers", "ray.hits 0 -> 1", "end"];
    assert_eq!(trial.seen_events("umpire"), all);
    assert_eq!(trial.seen_events("red"), all);
    // Everyone sees the changes.
    assert_eq!(trial.seen_events("blue"), ["ray.hits 0 -> 1"]);
    assert_eq!(trial.seen_events("players"), ["ray.hits 0 -> 1"]);
    assert!(trial.line_is_seen("umpire") && trial.line_is_seen("red"));
    assert!(!trial.line_is_seen("blue") && !trial.line_is_seen("players"));
    trial.call_rule("plan", &[]);
    assert_eq!(
        trial.seen_events("umpire"),
        ["call plan", "the umpire plans", "deck pack", "shuffled pack", "end"]
    );
    assert_eq!(trial.seen_events("red"), [""; 0]);
    assert!(!trial.line_is_seen("red"));
}

#[test]
fn a_secret_rule_within_an_open_one_leaves_the_open_one_heard() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("shout", &["ben"]);
    let seen = ["call shout", "ben shouts", "ben.hits 0 -> 1", "ben is done", "end"];
    assert_eq!(trial.seen_events("red"), seen);
    assert_eq!(trial.seen_events("blue").len(), 8);
    assert!(trial.line_is_seen("red"));
}

#[test]
fn what_a_rule_does_with_a_hidden_piece_is_seen_by_those_who_see_the_piece() {
    let mut trial = Trial::set_up(RULES);
    trial.call_with_faces(&[5], "shoot", &["bob", "ray"]);
    let all = ["call shoot", "check bob", "ray.hits 0 -> 1", "bob.men 5 -> 4", "end"];
    assert_eq!(trial.seen_events("umpire"), all);
    assert_eq!(trial.seen_events("blue"), all);
    // A shot from a hidden piece still shows the piece that it hits.
    assert_eq!(trial.seen_events("red"), ["ray.hits 0 -> 1"]);
    assert!(!trial.line_is_seen("red") && trial.line_is_seen("blue"));
    // In the sweep, each side sees its own pieces.
    trial.call_rule("parade", &[]);
    let red = ["call parade", "rex passes", "rex.men 9 -> 8", "end"];
    assert_eq!(trial.seen_events("red"), red);
    let blue = ["call parade", "bob passes", "bob.men 4 -> 3", "end"];
    assert_eq!(trial.seen_events("blue"), blue);
    assert_eq!(trial.seen_events("players"), ["call parade", "end"]);
    assert!(trial.line_is_seen("players"));
}

#[test]
fn a_change_names_the_check_that_decided_it_among_what_was_seen() {
    let mut trial = Trial::set_up(RULES);
    trial.call_with_faces(&[5], "shoot", &["bob", "ray"]);
    let checks = |of_game: &Trial, viewer: &str| -> Vec<Option<usize>> {
        let seen =
            of_game.referee.seen_outcome(&of_game.table, &of_game.outcome, &parse_viewer(viewer));
        let of = |event: &Event| match event {
            Event::Changed { check, .. } => Some(*check),
            _ => None,
        };
        seen.outcome.events.iter().filter_map(of).collect()
    };
    // The check of the rule comes after its call.
    assert_eq!(checks(&trial, "blue"), [Some(1), Some(1)]);
    // Red did not see the check.
    assert_eq!(checks(&trial, "red"), [None]);
}

#[test]
fn reminders_and_reasons_are_for_the_umpire() {
    let mut trial = Trial::set_up(RULES);
    trial.insist = true;
    trial.call_rule("ask-all", &["ray"]);
    let all = trial.seen_events("umpire");
    assert!(all.contains(&"insisted too few hits".to_owned()), "{all:?}");
    assert!(all.contains(&"remember go on".to_owned()), "{all:?}");
    assert_eq!(trial.seen_events("red"), ["call ask-all", "asked", "end"]);
}

#[test]
fn reasons_are_told_where_there_are_no_secrets() {
    let mut trial = Trial::set_up(
        "[kind.man]\n[rule.go]\nrequire = [{ that = 'false', because = \"no\" }]\nafter = 'say \"gone\"'\n\
         [scenario.one.pieces.man]\nann = {}\n",
    );
    trial.insist = true;
    trial.call_rule("go", &[]);
    assert_eq!(trial.seen_events("players"), ["call go", "insisted no", "gone", "end"]);
}

#[test]
fn dice_in_secret_and_orders_are_for_those_they_are_meant_for() {
    let mut trial = Trial::set_up(RULES);
    let dice = vec![adjutant_dice::parse("1d6").unwrap()];
    trial.faces = vec![3];
    trial.act(&Action::Roll { dice: dice.clone(), secret: true }).unwrap();
    assert_eq!(trial.seen_events("umpire").len(), 1);
    assert_eq!(trial.seen_events("red"), [""; 0]);
    assert!(!trial.line_is_seen("red"));
    trial.faces = vec![3];
    trial.act(&Action::Roll { dice, secret: false }).unwrap();
    assert_eq!(trial.seen_events("red").len(), 1);
    trial.write_orders("red", "to the hill");
    assert_eq!(trial.seen_events("red").len(), 4);
    assert_eq!(trial.seen_events("blue"), [""; 0]);
    assert!(trial.line_is_seen("red") && !trial.line_is_seen("blue"));
    assert!(!trial.line_is_seen("players"));
    trial.act(&Action::Note("rain".to_owned())).unwrap();
    assert_eq!(trial.seen_events("players"), ["rain"]);
}

#[test]
fn the_order_in_which_orders_were_written_is_not_seen() {
    let read = |first: (&str, &str), second: (&str, &str)| {
        let mut trial =
            Trial::set_up(&format!("{RULES}\n[[phase]]\nname = \"go\"\nreveal_orders = true\n"));
        trial.write_orders(first.0, first.1);
        trial.write_orders(second.0, second.1);
        trial.next_phase();
        trial.seen_events("players")
    };
    let red = ("red", "hold the hill");
    let blue = ("blue", "go on");
    let expected = ["turn 1 go", "red: hold the hill", "blue: go on"];
    let both = [read(red, blue), read(blue, red)];
    for seen in &both {
        let heard: Vec<&String> = seen.iter().filter(|line| !line.contains("->")).collect();
        assert_eq!(heard, expected);
    }
    assert_eq!(both[0], both[1]);
}

#[test]
fn a_line_that_names_what_is_hidden_is_not_seen() {
    let mut trial = Trial::set_up(RULES);
    let line = |of: &mut Trial, action: Action| {
        of.act(&action).unwrap();
        ["red", "blue", "players"].map(|viewer| of.line_is_seen(viewer))
    };
    let set = trial.set_action("rex.men", "3");
    assert_eq!(line(&mut trial, set), [true, false, false]);
    let nerve = trial.set_action("ray.nerve", "3");
    assert_eq!(line(&mut trial, nerve), [true, false, false]);
    let hits = trial.set_action("ray.hits", "3");
    assert_eq!(line(&mut trial, hits), [true, true, true]);
    // The value is a piece.
    let target = trial.set_action("ray.target", "bob");
    assert_eq!(line(&mut trial, target), [false, true, false]);
    let add = trial.add_action("scout", "rob", &[("side", "red"), ("target", "bob")]);
    assert_eq!(line(&mut trial, add), [false, true, false]);
    let unit = trial.add_action("unit", "ron", &[("side", "red")]);
    assert_eq!(line(&mut trial, unit), [true, false, false]);
    assert_eq!(line(&mut trial, Action::Note("rain".to_owned())), [true, true, true]);
}

#[test]
fn an_action_names_what_can_be_hidden() {
    let mut trial = Trial::set_up(RULES);
    let named = |of: &Trial, action: &Action| -> Vec<String> {
        let named = of.referee.paths_named_by(action, &of.table);
        named
            .iter()
            .map(|AttributePath { piece, attribute, .. }| format!("{piece}.{attribute}"))
            .collect()
    };
    let shoot = trial.rule_action("shoot", &["bob", "ray"]);
    assert_eq!(named(&trial, &shoot), ["bob."]);
    let parade = trial.referee.ruleset().schema.rule_named("parade").unwrap();
    let (_, rex) = trial.find_piece("rex");
    let narrowed = Action::Rule { rule: parade, arguments: Vec::new(), only: vec![rex] };
    assert_eq!(named(&trial, &narrowed), ["rex."]);
    let set = trial.set_action("ray.nerve", "2");
    assert_eq!(named(&trial, &set), ["ray.nerve"]);
    let band = trial.set_action("rex.band", "rex bob");
    assert_eq!(named(&trial, &band), ["rex.", "rex.", "bob."]);
    let hits = trial.set_action("ray.hits", "2");
    assert_eq!(named(&trial, &hits), [""; 0]);
    let add = trial.add_action("scout", "rob", &[("target", "bob")]);
    assert_eq!(named(&trial, &add), ["bob."]);
    let (kind, row) = trial.find_piece("big");
    assert_eq!(named(&trial, &Action::Remove(kind, row)), ["big."]);
    assert_eq!(named(&trial, &Action::Next), [""; 0]);
    // A piece that is named is looked up on the table.
    let show = Action::Rule {
        rule: RuleId::from_index(
            trial.referee.ruleset().schema.rule_named("show").unwrap().index(),
        ),
        arguments: vec![Some(crate::tabletop::Argument::Named(vec!["bob".to_owned()]))],
        only: Vec::new(),
    };
    assert_eq!(named(&trial, &show), ["bob."]);
}

#[test]
fn changes_are_seen_as_the_events_are() {
    let mut trial = Trial::set_up(RULES);
    trial.call_rule("show", &["bob", "red"]);
    let seen = |of: &Trial, viewer: &Viewer| {
        let changes = of.outcome.changes();
        let (sight, changes) = of.referee.seen_changes(&of.table, changes, viewer).unwrap();
        let table = sight.table.find("bob").is_some();
        (table, changes.iter().map(change_text).collect::<Vec<_>>())
    };
    let (there, changes) = seen(&trial, &Viewer::Players);
    assert!(there);
    assert_eq!(changes[0], "made unit bob");
    assert_eq!(seen(&trial, &parse_viewer("blue")), (true, Vec::new()));
    trial.set_attribute("rex.men", "1");
    assert_eq!(seen(&trial, &Viewer::Players).1, [""; 0]);
}

#[test]
fn a_table_that_does_not_fit_the_outcome_tells_nothing() {
    let mut trial = Trial::set_up(RULES);
    let (kind, row) = trial.find_piece("ray");
    trial.call_rule("whisper", &["ray"]);
    let Event::Changed { change: Change::Set { of, .. }, .. } = &mut trial.outcome.events[2] else {
        panic!("{:?}", event_texts(&trial.outcome));
    };
    of.piece = "nobody".to_owned();
    let seen = trial.referee.seen_outcome(&trial.table, &trial.outcome, &parse_viewer("red"));
    assert!(seen.outcome.events.is_empty() && !seen.line && seen.is_nothing());
    assert!(seen.sight.table.find("ray").is_some() && seen.sight.table.find("bob").is_none());
    assert!(
        seen.sight.hidden.hides_cell(kind, row + 1, 1)
            && !seen.sight.hidden.hides_cell(kind, row, 1)
    );
}

#[test]
fn nothing_was_seen_if_there_is_neither_a_line_nor_an_event_that_is_shown() {
    let seen = |line: bool, events: Vec<Event>| {
        let trial = Trial::set_up(RULES);
        let outcome = Outcome { events, ..Outcome::default() };
        SeenOutcome { outcome, line, sight: trial.seen_table("red") }
    };
    let call = Event::Call { rule: "shout".to_owned(), bound: Vec::new() };
    let change = Change::Made { kind: "unit".to_owned(), piece: "rex".to_owned() };
    assert!(seen(false, vec![call, Event::End]).is_nothing());
    assert!(!seen(true, Vec::new()).is_nothing());
    assert!(!seen(false, vec![Event::Said("so".to_owned())]).is_nothing());
    assert!(!seen(false, vec![Event::Changed { change, check: None }]).is_nothing());
}

#[test]
fn a_piece_that_is_hidden_shows_none_of_its_attributes() {
    let kind = crate::language::schema::STATE_KIND;
    let mut hidden = HiddenCells::default();
    assert!(hidden.shows_attribute((kind, 3), None) && hidden.shows_attribute((kind, 3), Some(1)));
    hidden.0.insert((kind, 3, 1));
    assert!(hidden.shows_attribute((kind, 3), None) && hidden.shows_attribute((kind, 3), Some(0)));
    assert!(!hidden.shows_attribute((kind, 3), Some(1)) && !hidden.hides_piece((kind, 3)));
    hidden.0.insert((kind, 3, crate::tabletop::WHOLE_PIECE));
    assert!(
        !hidden.shows_attribute((kind, 3), None) && !hidden.shows_attribute((kind, 3), Some(0))
    );
    assert!(hidden.shows_attribute((kind, 4), None));
}

#[test]
fn viewers_are_named_as_they_are_typed() {
    let names = ["umpire", "players", "red"].map(|name| parse_viewer(name).to_string());
    assert_eq!(names, ["umpire", "players", "red"]);
}

/// Rules that print lines for some viewers, and rules that a side sees in part.
const AUDIENCES: &str = r#"
[rule.report]
takes  = "who: unit"
secret = "umpire"
after  = 'say "engines" to who.side; say "{who} heard them" to umpire; say "a noise" to all'

[rule.listen]
takes = "who: scout"
after = 'say "{who} listens"; say "steps" to who.side; say "both hear" to [red, blue]; say "no one" to none'

[rule.muster]
each  = 'u in units'
after = 'say "{u.men} men" to u.side'

[rule.drill]
secret = "side"
takes  = "who: unit, teacher: scout"
after  = 'teacher.hits += 1; say "{teacher} drills {who}"'

[rule.survey]
each    = 's in scouts'
seen_by = 'viewer = s.side'
after   = 'say "{s} surveys"; s.hits += 1'

[rule.hoist]
each    = 'a in army'
seen_by = 'viewer = a'
after   = 'say "{a} hoists"'

[kind.plan]
secret = "umpire"
side   = { one_of = "army" }
text   = { text = true, secret = "side" }

[scenario.one.pieces.plan]
deep = { side = "red", text = "dive" }
"#;

fn with_audiences() -> Trial {
    Trial::set_up(
        &RULES.replace(
            "[scenario.one.pieces.area]",
            &format!("{AUDIENCES}\n[scenario.one.pieces.area]"),
        ),
    )
}

#[test]
fn an_addressed_line_reaches_its_audience_from_a_secret_rule() {
    let mut trial = with_audiences();
    trial.call_rule("report", &["rex"]);
    let all = [
        "call report",
        "to Sides([\"red\"]): engines",
        "to Umpire: rex heard them",
        "to All: a noise",
        "end",
    ];
    assert_eq!(trial.seen_events("umpire"), all);
    assert_eq!(trial.seen_events("red"), [all[1], all[3]]);
    assert_eq!(trial.seen_events("blue"), [all[3]]);
    assert_eq!(trial.seen_events("players"), [all[3]]);
    assert!(!trial.line_is_seen("red"));
}

#[test]
fn an_addressed_line_of_an_open_rule_reaches_no_one_else() {
    let mut trial = with_audiences();
    trial.call_rule("listen", &["ray"]);
    let red = [
        "call listen",
        "ray listens",
        "to Sides([\"red\"]): steps",
        "to Sides([\"red\", \"blue\"]): both hear",
        "end",
    ];
    assert_eq!(trial.seen_events("red"), red);
    assert_eq!(trial.seen_events("blue"), [red[0], red[1], red[3], red[4]]);
    assert_eq!(trial.seen_events("players"), [red[0], red[1], red[3], red[4]]);
    assert!(trial.line_is_seen("blue"));
}

#[test]
fn a_line_of_a_sweep_over_hidden_pieces_reaches_the_side_it_is_addressed_to() {
    let mut trial = with_audiences();
    trial.call_rule("muster", &[]);
    assert_eq!(trial.seen_events("red"), ["call muster", "to Sides([\"red\"]): 9 men", "end"]);
    assert_eq!(trial.seen_events("blue"), ["call muster", "to Sides([\"blue\"]): 5 men", "end"]);
    assert_eq!(trial.seen_events("players"), ["call muster", "end"]);
}

#[test]
fn a_rule_secret_for_a_side_is_seen_by_the_side_of_its_first_piece() {
    let mut trial = with_audiences();
    trial.call_rule("drill", &["rex", "ben"]);
    let red = ["call drill", "ben.hits 0 -> 1", "ben drills rex", "end"];
    assert_eq!(trial.seen_events("red"), red);
    assert_eq!(trial.seen_events("blue"), ["ben.hits 0 -> 1"]);
    // Only the umpire sees the lines for a piece without a side.
    trial.call_rule("drill", &["nob", "ben"]);
    assert_eq!(trial.seen_events("red"), ["ben.hits 1 -> 2"]);
    assert_eq!(trial.seen_events("umpire").len(), 4);
}

#[test]
fn a_side_sees_those_turns_of_a_sweep_that_its_condition_allows() {
    let mut trial = with_audiences();
    trial.call_rule("survey", &[]);
    let all =
        ["call survey", "ray surveys", "ray.hits 0 -> 1", "ben surveys", "ben.hits 0 -> 1", "end"];
    assert_eq!(trial.seen_events("umpire"), all);
    assert_eq!(trial.seen_events("red"), [all[0], all[1], all[2], all[4], all[5]]);
    // For blue, the call begins with the first turn of the loop that it sees.
    assert_eq!(trial.seen_events("blue"), [all[2], all[0], all[3], all[4], all[5]]);
    assert_eq!(trial.seen_events("players"), [all[2], all[4]]);
    // The members may be words.
    trial.call_rule("hoist", &[]);
    assert_eq!(trial.seen_events("red"), ["call hoist", "red hoists", "end"]);
    assert_eq!(trial.seen_events("players"), [""; 0]);
}

#[test]
fn what_is_secret_for_the_umpire_is_seen_by_no_side() {
    let trial = with_audiences();
    for viewer in ["red", "blue", "players"] {
        assert!(trial.seen_table(viewer).table.find("deep").is_none(), "{viewer}");
    }
    assert!(trial.seen_table("umpire").table.find("deep").is_some());
}

#[test]
fn a_phase_is_typed_openly_whatever_its_rules_hide() {
    let phases = "[[phase]]\nname = \"one\"\nend = 'plan()'\n[[phase]]\nname = \"two\"\ndo = 'plan()'\n\n[scenario.one.pieces.area]";
    let mut trial = Trial::set_up(&RULES.replace("[scenario.one.pieces.area]", phases));
    for phase in ["turn 1 one", "turn 1 two"] {
        trial.act(&Action::Next).unwrap();
        let seen = trial.seen_events("red");
        assert_eq!(seen.last().map(String::as_str), Some(phase));
        assert!(!seen.iter().any(|event| event.contains("plan")), "{seen:?}");
        assert!(trial.line_is_seen("red"), "{phase}");
    }
}

/// Whoever doesn't see a verb must not see that its piece has an action less.
#[test]
fn the_actions_of_secret_verbs_are_hidden_with_them() {
    let rules = |secret: &str| {
        format!(
            "[words.army]\nvalues = [\"red\", \"blue\"]\n[sides]\nare = \"army\"\n\
             [kind.man]\nside = {{ one_of = \"army\" }}\nmood = {{ one_of = [\"calm\", \"angry\"], secret = \"side\" }}\n\
             [rule.brood]\nusage = \"brood <man:man>\"\n{secret}after = 'man.mood = angry'\n\
             [rule.shout]\nusage = \"shout <man:man>\"\nafter = 'say \"hey\"'\n\
             [[phase]]\nname = \"act\"\nactivate = {{ of = \"man\", actions = 2 }}\nverbs = [\"brood\", \"shout\"]\n\
             [scenario.one.pieces.man]\nann = {{ side = \"red\" }}\nbob = {{ side = \"blue\" }}\n"
        )
    };
    let mut trial = Trial::set_up(&rules("secret = \"side\"\n"));
    trial.act(&Action::Next).unwrap();
    trial.call_rule("brood", &["ann"]);
    assert_eq!(trial.attribute_text("ann.actions-left"), "1");
    assert_eq!(trial.seen_events("blue"), [""; 0]);
    assert_eq!(trial.value_for("blue", "ann.acted").unwrap(), "no");
    assert_eq!(trial.value_for("red", "ann.actions-left").unwrap(), "1");
    assert!(trial.seen_events("red").contains(&"call brood".to_owned()));
    // Of open verbs alone, everybody may know.
    let mut trial = Trial::set_up(&rules(""));
    trial.act(&Action::Next).unwrap();
    trial.call_rule("shout", &["ann"]);
    assert_eq!(trial.value_for("blue", "ann.actions-left").unwrap(), "1");
}
