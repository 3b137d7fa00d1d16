//! Tests of requests at the console: which lines are offered, and which commands carry out a
//! request.

use super::orders_line;
use crate::console::{
    Console, Desk, Effect, Flow, PlayerWish, Prompt, Response, Step, WaitingRequest, WrittenOrders,
};
use crate::referee::{Action, Referee};
use crate::session::testing::TestGame;
use crate::session::{RecordedAction, TakenRequest};
use crate::tabletop::Tabletop;

const RULES: &str = r#"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.commander]
side = { one_of = "army" }
[players]
are = "commander"
[kind.man]
plural = "men"
side   = { one_of = "army" }
player = { of = "commander" }
hits   = { from = 0, to = 9 }
[rule.shoot]
usage = "shoot <who:man>"
roll  = '2d6'
[rule.volley]
usage  = "volley <who:man>"
before = 'shoot(who); shoot(who)'
[rule.ambush]
usage  = "ambush <who:man>"
secret = "side"
roll   = '2d6'
[rule.reckon]
usage = "reckon <who:man>"
after = 'who.hits = ask "How many?" between 1 and 5'
[scenario.one.pieces.commander]
ann = { side = "red" }
bob = { side = "red" }
cat = { side = "blue" }
[scenario.one.pieces.man]
rex = { side = "red", player = "ann" }
"#;

fn orders(who: &str, to: &str, until: &str, otherwise: &str) -> WrittenOrders {
    let [who, to, until, otherwise] = [who, to, until, otherwise].map(str::to_owned);
    WrittenOrders { who, to, until, otherwise }
}

fn waiting(id: &str, player: &str, wish: PlayerWish) -> WaitingRequest {
    let request = TakenRequest { id: id.to_owned(), player: player.to_owned() };
    WaitingRequest { request, wish }
}

/// An umpire who answers questions with these lines, and the waiting requests.
struct Umpire {
    console: Console,
    waiting: Vec<WaitingRequest>,
    answers: Vec<&'static str>,
    asked: Vec<Prompt>,
    sent_back: Vec<(String, String)>,
}

impl Umpire {
    fn new(waiting: Vec<WaitingRequest>) -> Umpire {
        let desk = Desk { is_interactive: true, ..Desk::default() };
        let console = Console::new(TestGame::of(RULES).session, desk);
        let (answers, asked, sent_back) = (Vec::new(), Vec::new(), Vec::new());
        Umpire { console, waiting, answers, asked, sent_back }
    }

    /// Types a line and answers its questions. Returns true if it was carried out.
    fn types(&mut self, line: &str, answers: &[&'static str]) -> bool {
        self.answers = answers.to_vec();
        let mut step = self.console.line(line, 0);
        loop {
            let response = match step {
                Step::Store(_) => Response::Stored(Ok(())),
                Step::Show(_) => Response::Shown,
                Step::Effect(Effect::ListRequests) => Response::Requests(self.waiting.clone()),
                Step::Effect(Effect::SendBack { id, reason }) => {
                    self.waiting.retain(|waiting| waiting.request.id != id);
                    self.sent_back.push((id, reason));
                    Response::SentBack(Ok(()))
                }
                Step::Ask(prompt) => {
                    self.asked.push(prompt);
                    if self.answers.is_empty() {
                        Response::Cancelled
                    } else {
                        Response::Answer(self.answers.remove(0).to_owned())
                    }
                }
                Step::Done(done) => return done == Ok(Flow::On),
                Step::Effect(other) => panic!("{other:?}"),
            };
            step = self.console.respond(response, 0);
        }
    }

    /// Returns the ids of the requests that the last command carried out, and its orders.
    fn last(&self) -> (Vec<&str>, String) {
        let session = self.console.session().unwrap();
        let entry = session.entries().last().unwrap();
        let text = match &entry.action {
            RecordedAction::Order { text, .. } => text.clone().unwrap_or_default(),
            _ => entry.line.clone(),
        };
        (entry.requests.iter().map(|request| request.id.as_str()).collect(), text)
    }

    fn commands(&self) -> usize {
        self.console.session().unwrap().entries().len()
    }
}

fn of_ann() -> WaitingRequest {
    waiting("r1", "ann", PlayerWish::Orders(orders("rex", "to the hill", "turn 4", "hold")))
}

#[test]
fn orders_are_offered_and_enter_accepts_them() {
    let mut umpire = Umpire::new(vec![of_ann()]);
    let line = "orders ann: rex: to the hill, until turn 4, otherwise hold";
    assert!(umpire.types("take", &[line]));
    assert_eq!(umpire.asked[0].initial, line);
    let text = "ann: rex: to the hill, until turn 4, otherwise hold".to_owned();
    assert_eq!(umpire.last(), (vec!["r1"], text));
    // The umpire's next command carries out no request.
    assert!(umpire.types("note so", &[]));
    assert_eq!(umpire.last().0, [""; 0]);
}

#[test]
fn what_the_umpire_edits_is_still_the_request() {
    let mut umpire = Umpire::new(vec![of_ann()]);
    assert!(umpire.types("requests take ann", &["orders ann: rex: to the mill"]));
    assert_eq!(umpire.last(), (vec!["r1"], "ann: rex: to the mill".to_owned()));
}

#[test]
fn an_answer_that_carries_out_nothing_takes_nothing() {
    let mut umpire = Umpire::new(vec![of_ann()]);
    assert!(umpire.types("take", &[""]));
    assert!(!umpire.types("take", &["orders dan: nowhere"]));
    // Words of the console are never accepted, whatever they do.
    for word in ["undo", "quit", "reveal", "requests off"] {
        umpire.types("take", &[word]);
    }
    // The umpire presses Ctrl-C.
    assert!(!umpire.types("take", &[]));
    assert_eq!((umpire.commands(), umpire.sent_back.len()), (0, 0));
    assert!(umpire.types("note so", &[]));
    assert_eq!(umpire.last().0, [""; 0]);
}

#[test]
fn a_request_is_sent_back_with_a_reason() {
    let mut umpire = Umpire::new(vec![of_ann()]);
    assert!(umpire.types("take", &["no, too late"]));
    assert_eq!(umpire.sent_back, [("r1".to_owned(), "too late".to_owned())]);
    assert_eq!(umpire.commands(), 0);
    umpire.waiting.push(of_ann());
    assert!(umpire.types("requests no not now", &[]));
    assert_eq!(umpire.sent_back[1], ("r1".to_owned(), "not now".to_owned()));
    assert!(umpire.types("take", &[]) && umpire.asked.len() == 1);
}

#[test]
fn the_first_request_comes_first_and_that_of_a_player_when_named() {
    let second = waiting("r2", "bob", PlayerWish::Orders(orders("", "wait", "", "")));
    let mut umpire = Umpire::new(vec![of_ann(), second]);
    umpire.types("take", &[""]);
    umpire.types("requests take bob", &[""]);
    umpire.types("requests take cat", &[""]);
    let offered: Vec<&str> = umpire.asked.iter().map(|prompt| prompt.initial.as_str()).collect();
    let of_ann = "orders ann: rex: to the hill, until turn 4, otherwise hold";
    assert_eq!(offered, [of_ann, "orders bob: wait"]);
}

#[test]
fn dice_of_a_player_answer_the_question_for_dice() {
    let faces = waiting("r3", "ann", PlayerWish::Faces(vec![3, 5]));
    let theirs = waiting("r0", "cat", PlayerWish::Faces(vec![1, 1]));
    let mut umpire = Umpire::new(vec![theirs, faces]);
    assert!(umpire.types("dice physical red", &[]));
    assert!(umpire.types("shoot rex", &["take", "3 5"]));
    assert_eq!(umpire.asked[1].initial, "3 5");
    assert_eq!(umpire.last().0, ["r3"]);
    // Dice that were rolled again at the table don't carry out a request.
    assert!(umpire.types("shoot rex", &["6 6"]));
    assert_eq!(umpire.last().0, [""; 0]);
    // The offer ends with another line.
    assert!(umpire.types("shoot rex", &["take", "no", "2 2"]));
    assert_eq!(umpire.last().0, [""; 0]);
    // Without a question for dice, there is nothing to answer.
    let before = umpire.commands();
    assert!(umpire.types("requests take ann", &[]));
    assert_eq!(umpire.commands(), before);
}

#[test]
fn nothing_is_taken_in_the_middle_of_a_command() {
    let mut umpire = Umpire::new(vec![of_ann()]);
    // No command begins inside another, neither at a question of the rules nor at a prompt for
    // dice.
    assert!(umpire.types("reckon rex", &["take", "requests take ann", "requests no so", "3"]));
    assert!(umpire.types("dice physical", &[]));
    assert!(umpire.types("shoot rex", &["requests take ann", "requests off", "1 2"]));
    assert_eq!((umpire.commands(), umpire.sent_back.len()), (2, 0));
    assert_eq!(umpire.last().0, [""; 0]);
}

#[test]
fn dice_that_are_taken_back_are_no_request_that_was_carried_out() {
    let faces = waiting("r3", "ann", PlayerWish::Faces(vec![3, 5]));
    let mut umpire = Umpire::new(vec![faces]);
    assert!(umpire.types("dice physical red", &[]));
    assert!(umpire.types("volley rex", &["take", "3 5", "undo", "1 1", "2 2"]));
    assert_eq!(umpire.last().0, [""; 0]);
    assert!(umpire.types("volley rex", &["take", "3 5", "2 2"]));
    assert_eq!(umpire.last().0, ["r3"]);
    // Other faces that are typed in their place don't carry out the request.
    umpire.waiting = vec![waiting("r4", "ann", PlayerWish::Faces(vec![3, 5]))];
    assert!(umpire.types("shoot rex", &["take", "6 6"]));
    assert_eq!(umpire.last().0, [""; 0]);
}

#[test]
fn players_are_asked_only_for_dice_of_which_they_may_know() {
    let mut umpire = Umpire::new(Vec::new());
    assert!(umpire.types("dice physical", &[]));
    for (line, is_public) in [("shoot rex", true), ("ambush rex", false)] {
        umpire.asked.clear();
        assert!(umpire.types(line, &["1 2"]));
        assert_eq!(umpire.asked[0].hand_dice.is_some(), is_public, "{line}");
    }
    // The side may know about its own dice.
    assert!(umpire.types("dice auto", &[]) && umpire.types("dice physical red", &[]));
    umpire.asked.clear();
    assert!(umpire.types("ambush rex", &["1 2"]));
    assert_eq!(umpire.asked[0].hand_dice.as_ref().unwrap().whose, "red");
}

fn referee_and_table(rules: &str) -> (Referee, Tabletop) {
    let session = TestGame::of(rules).session;
    (session.referee().clone(), session.table().clone())
}

#[test]
fn whatever_players_write_is_offered_as_their_own_orders_or_not_at_all() {
    let (referee, table) = referee_and_table(RULES);
    let hostile = [
        "!",
        "hill!",
        "! hill",
        "next",
        "undo",
        ": hill",
        "cat: hill",
        "hill # aside",
        "a;undo",
        "\"",
        "\"hill",
        "hill\\",
        "",
        " ",
        "hill\nundo",
        "\u{202e}hill",
        "bob:",
        "reveal blue",
    ];
    let mut offered = 0;
    for text in hostile {
        for place in 0..4 {
            let mut parts = ["rex", "hill", "", ""];
            parts[place] = text;
            let written = orders(parts[0], parts[1], parts[2], parts[3]);
            let Some(line) = orders_line(&referee, &table, "ann", &written) else { continue };
            offered += 1;
            let command = crate::command::parse(&referee, &table, &line).unwrap().unwrap();
            assert!(!command.insist, "{line}");
            let Action::Order { side, text } = command.action else { panic!("{line}") };
            assert_eq!(side, referee.side_value(&table, "red"), "{line}");
            assert_eq!(text.unwrap(), format!("ann: {}", written.text()), "{line}");
        }
    }
    assert!(offered > 10, "{offered}");
    assert_eq!(orders_line(&referee, &table, "dan", &orders("", "hill", "", "")), None);
}

/// A game without sides, in which a rule gives the orders.
const TOGETHER: &str = r#"
[players]
orders = "order {who} to {text} by {player}"
[kind.team]
side_attribute = "player"
player = { text = true }
orders = { text = true }
[rule.order]
usage = "order <team:team> to <orders:text> by <officer:team>"
after = 'team.orders = orders'
[scenario.one.pieces.team]
ann = { player = "Ann" }
t1  = { player = "Ann" }
bob = { player = "Bob" }
t2  = { player = "Bob" }
"#;

#[test]
fn without_sides_the_rule_for_orders_gives_them_to_pieces_of_the_player() {
    let (referee, table) = referee_and_table(TOGETHER);
    let line = |player: &str, who: &str, to: &str| {
        orders_line(&referee, &table, player, &orders(who, to, "", "hold"))
    };
    let ordered = line("Ann", "t1", "to the docks").unwrap();
    assert_eq!(ordered, "order t1 to \"to the docks, otherwise hold\" by ann");
    // Refused: another player's team, a text that names another player, a longer line, and another officer.
    assert_eq!(line("Ann", "t2", "to the docks"), None);
    assert_eq!(line("Ann", "t1", "x\" by bob"), None);
    assert_eq!(line("Ann", "t1 to y by ann #", "to the docks"), None);
    assert_eq!(line("Cyril", "t1", "to the docks"), None);
}
