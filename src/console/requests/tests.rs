//! Tests of requests when answers are lost, requests are repeated or arrive in another order, and
//! either program is killed at any point. Each request is carried out at most once, none is lost,
//! and none is carried out without the umpire.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use adjutant_engine::console::{Prompt, Reply, WrittenOrders};
use proptest::test_runner::{RngAlgorithm, TestRng};
use rand::RngExt;

use super::{RequestDesk, SharedRequests, lock};
use crate::console::{Frontend, Game, PromptInput};
use crate::requests::{DecisionLog, Request, RequestKind, RequestQueue};
use crate::session_folder::{self, testing};

const PLAYERS: [&str; 6] = ["weber", "lang", "horn", "orlov", "belov", "chernov"];

/// An umpire who gives these answers, and remembers the lines that were offered.
#[derive(Default)]
struct Umpire {
    answers: VecDeque<PromptInput>,
    offered: Vec<String>,
}

impl Frontend for Umpire {
    fn show(&mut self, _: &Reply) {}

    fn ask(&mut self, prompt: &Prompt) -> PromptInput {
        self.offered.push(prompt.initial.clone());
        match self.answers.pop_front() {
            // Enter accepts the offered line.
            Some(PromptInput::Line(line)) if line == "\r" => {
                PromptInput::Line(prompt.initial.clone())
            }
            Some(answer) => answer,
            None => PromptInput::Cancelled,
        }
    }

    fn width(&self) -> usize {
        80
    }
}

/// Begins an evening for six players, and saves it.
fn begin(path: &Path) {
    drop(testing::begin(path, "tarr", "olkhovka"));
}

/// Opens the game as a restarted program does.
fn open(path: &Path) -> Game {
    let resumed = session_folder::open(path, 0).unwrap();
    let mut game = Game::new(resumed.session, Some(resumed.folder), true, false);
    let desk: SharedRequests = Arc::new(Mutex::new(RequestDesk::of(path)));
    lock(&desk).follow(game.console.session().unwrap(), 0);
    game.requests = Some(desk);
    game
}

/// Returns the ids of the requests that were carried out, with the number of times.
fn carried_out(game: &Game) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for request in game.console.session().unwrap().taken_requests() {
        *times.entry(request.id.clone()).or_default() += 1;
    }
    times
}

/// The programs, the phones and the umpire of an evening.
struct Evening {
    path: PathBuf,
    random: TestRng,
    game: Game,
    queue: RequestQueue,
    /// The requests that phones have sent or are sending, by number.
    sent: Vec<Request>,
    /// The ids of the requests that a phone knows to be stored.
    stored: BTreeSet<String>,
    /// The ids of the requests whose line was offered to the umpire and accepted with Enter.
    accepted: BTreeSet<String>,
    sent_back: BTreeSet<String>,
}

impl Evening {
    fn below(&mut self, most: usize) -> usize {
        self.random.random_range(0..most)
    }

    /// Sends a request from a phone, either a new one or an old one again. The answer may get lost.
    fn send(&mut self) {
        let is_new = self.sent.is_empty() || self.below(3) > 0;
        if is_new {
            let number = self.sent.len();
            let player = PLAYERS[self.below(6)];
            let to = format!("place {number}");
            let orders = WrittenOrders { to, ..WrittenOrders::default() };
            let id = format!("request-{number:06}");
            let kind = RequestKind::Orders(orders);
            self.sent.push(Request { id, player: player.into(), at: number as u64, turn: 0, kind });
        }
        let one = if is_new { self.sent.len() - 1 } else { self.below(self.sent.len()) };
        let request = self.sent[one].clone();
        self.queue.add(request.clone()).unwrap();
        if self.below(4) > 0 {
            self.stored.insert(request.id);
        }
    }

    /// Kills the screen, perhaps in the middle of a line, and restarts it.
    fn kill_screen(&mut self) {
        let file = self.path.join("requests.jsonl");
        let mut bytes = std::fs::read(&file).unwrap();
        let torn = br#"{"id":"request-999999","player":"weber","at":1,"turn":0,"kind":{"#;
        let length = self.below(torn.len());
        bytes.extend_from_slice(&torn[..length]);
        std::fs::write(&file, bytes).unwrap();
        self.queue = RequestQueue::open(&self.path).unwrap();
    }

    /// Kills the console after its last record, and restarts it.
    fn kill_console(&mut self) {
        let closed =
            Game::new(session_folder::read_session(&self.path).unwrap().session, None, true, false);
        // The lock is released first.
        drop(std::mem::replace(&mut self.game, closed));
        self.game = open(&self.path);
    }

    /// Types a line as the umpire, and presses Enter.
    fn type_line(&mut self) {
        let waiting = lock(self.game.requests.as_ref().unwrap()).waiting();
        let first = waiting.first().map(|first| first.request.id.clone());
        let line = |text: &str| PromptInput::Line(text.to_owned());
        let before = carried_out(&self.game);
        let (typed, answers, wish) = match self.below(10) {
            0 => ("", vec![], ""),
            1 => ("note so", vec![], ""),
            2 => ("next !", vec![line("\r")], ""),
            3 => ("requests", vec![], ""),
            4 => ("requests take", vec![PromptInput::Cancelled], ""),
            5 => ("requests take", vec![line("")], ""),
            6 => ("requests take", vec![line("no thanks")], "no"),
            7 => ("requests take", vec![line("orders nobody: x")], ""),
            _ => ("requests take", vec![line("\r")], "yes"),
        };
        let mut umpire = Umpire { answers: answers.into(), ..Umpire::default() };
        let _ = self.game.line(typed, &mut umpire);
        let after = carried_out(&self.game);
        let new: Vec<&String> = after.keys().filter(|id| !before.contains_key(*id)).collect();
        match (wish, first) {
            ("yes", Some(first)) => {
                assert_eq!(new, [&first], "{typed}: {:?}", umpire.offered);
                self.accepted.insert(first);
            }
            ("no", Some(first)) => {
                assert!(new.is_empty(), "{new:?}");
                self.sent_back.insert(first);
            }
            _ => assert!(new.is_empty(), "`{typed}` carried out {new:?}"),
        }
    }

    fn step(&mut self) {
        match self.below(20) {
            0 => self.kill_screen(),
            1 => self.kill_console(),
            2..=10 => self.send(),
            _ => self.type_line(),
        }
    }

    /// Checks the conditions that must be true at any time.
    fn check(&mut self) {
        let times = carried_out(&self.game);
        assert!(times.values().all(|times| *times == 1), "{times:?}");
        let taken: BTreeSet<String> = times.into_keys().collect();
        assert_eq!(taken, self.accepted);
        let waiting = lock(self.game.requests.as_ref().unwrap()).waiting();
        let waiting: BTreeSet<String> = waiting.into_iter().map(|one| one.request.id).collect();
        assert!(waiting.is_disjoint(&taken) && waiting.is_disjoint(&self.sent_back));
        for id in &self.stored {
            let is_somewhere =
                taken.contains(id) || self.sent_back.contains(id) || waiting.contains(id);
            assert!(is_somewhere, "{id} is lost");
        }
    }
}

/// Plays until this many requests have been sent. Returns the number of accepted requests, and the
/// number of requests that were sent back.
fn play(seed: u8, requests: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening");
    begin(&path);
    let (game, queue) = (open(&path), RequestQueue::open(&path).unwrap());
    let mut evening = Evening {
        path,
        random: TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
        game,
        queue,
        sent: Vec::new(),
        stored: BTreeSet::new(),
        accepted: BTreeSet::new(),
        sent_back: BTreeSet::new(),
    };
    while evening.sent.len() < requests {
        evening.step();
        if evening.below(10) == 0 {
            evening.check();
        }
    }
    evening.kill_screen();
    evening.kill_console();
    evening.check();
    (evening.accepted.len(), evening.sent_back.len())
}

#[test]
fn requests_are_carried_out_once_by_enter_and_never_lost() {
    let (accepted, sent_back) = play(1, 150);
    assert!(accepted > 20 && sent_back > 5, "{accepted} {sent_back}");
}

#[test]
fn a_request_is_sent_back_after_the_session_was_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening");
    begin(&path);
    let (mut game, mut queue) = (open(&path), RequestQueue::open(&path).unwrap());
    game.root = Some(folder.path().to_owned());
    game.line("save other", &mut Umpire::default()).unwrap();
    let orders = WrittenOrders { to: "the mill".into(), ..WrittenOrders::default() };
    let kind = RequestKind::Orders(orders);
    let (id, player) = ("request-000001".to_owned(), "horn".to_owned());
    queue.add(Request { id: id.clone(), player, at: 1, turn: 0, kind }).unwrap();
    game.line("requests no too late", &mut Umpire::default()).unwrap();
    let back = DecisionLog::read(&folder.path().join("other"));
    assert_eq!((back[0].id.as_str(), back[0].reason.as_str()), (id.as_str(), "too late"));
    assert_eq!(lock(game.requests.as_ref().unwrap()).waiting(), []);
}

/// Plays with ten thousand requests.
#[test]
#[ignore = "takes minutes: ten thousand requests"]
fn requests_are_carried_out_once_by_enter_and_never_lost_long() {
    let mut all = (0, 0);
    for seed in 0..20 {
        let (accepted, sent_back) = play(seed, 500);
        all = (all.0 + accepted, all.1 + sent_back);
    }
    println!("10,000 requests: {} accepted, {} sent back", all.0, all.1);
}
