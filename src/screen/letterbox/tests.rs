//! Tests of players' requests at the door: which ones are accepted or refused, and who sees them.

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::rc::Rc;

use adjutant_engine::session::TakenRequest;
use tokio::net::UnixStream;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};

use crate::requests::{DecisionLog, RequestKind, RequestReader, SentBack};
use crate::screen::door;
use crate::screen::hall::{Hall, PLAYER_PATH};
use crate::screen::tests::{Saved, begun, do_line, do_requested_line};

type Pages = Rc<RefCell<Hall>>;

/// Begins an evening for six players on two sides.
fn evening(folder: &Path) -> (Pages, Saved) {
    begun(&folder.join("evening"), "tarr", "olkhovka", true)
}

fn key(hall: &Pages, player: &str) -> String {
    hall.borrow().keys.key_of_player(player).unwrap().to_owned()
}

/// Sends bytes to the door and returns the status of the answer; 0 if there is none.
fn send(hall: &Pages, bytes: &[u8]) -> u16 {
    let runtime = Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        let (page, door) = UnixStream::pair().unwrap();
        let from = IpAddr::V4(Ipv4Addr::new(192, 168, 0, 7));
        spawn_local(door::serve_connection(door, from, hall.clone()));
        page.writable().await.unwrap();
        assert_eq!(page.try_write(bytes).unwrap(), bytes.len());
        let mut answer = [0; 64];
        let read = loop {
            page.readable().await.unwrap();
            match page.try_read(&mut answer) {
                // There may be no bytes after all.
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                read => break read.unwrap_or_default(),
            }
        };
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    })
}

/// Returns the headers of a request from a page on this machine.
fn headers(key: &str) -> String {
    format!(
        "Host: 192.168.0.2:7373\r\nOrigin: http://192.168.0.2:7373\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/json\r\nX-Adjutant-Key: {key}\r\n"
    )
}

fn post(headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST /player/requests HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
        .into()
}

/// Sends a player's request, and returns the status of the answer.
fn ask(hall: &Pages, player: &str, id: &str, kind: &str) -> u16 {
    let headers = headers(&key(hall, player));
    send(hall, &post(&headers, &format!("{{\"id\":\"{id}\",\"kind\":{kind}}}")))
}

fn stored(folder: &Path) -> Vec<String> {
    let requests = RequestReader::of(&folder.join("evening")).catch_up();
    requests.into_iter().map(|request| format!("{} {}", request.player, request.id)).collect()
}

/// Returns everything that a player's page shows.
fn page(hall: &Pages, player: &str) -> String {
    let mut hall = hall.borrow_mut();
    hall.catch_up();
    let key = hall.keys.key_of_player(player).unwrap().to_owned();
    let page = hall.find_player_page(&key, false).unwrap();
    hall.page_state(&page).unwrap().0
}

const READY: &str = r#"{"ready":{"ready":true}}"#;
const ORDERS: &str = r#"{"orders":{"who":"panther","to":"the mill"}}"#;

#[test]
fn a_request_is_stored_and_only_its_player_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    let others = ["lang", "orlov"].map(|player| page(&hall, player));
    assert!(!page(&hall, "weber").contains("the mill"));
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", ORDERS), 202);
    assert_eq!(stored(folder.path()), ["weber aaaaaaaa"]);
    assert!(page(&hall, "weber").contains("the mill"));
    assert!(page(&hall, "weber").contains("waiting"));
    // The others don't even see that there is a request.
    assert_eq!(["lang", "orlov"].map(|player| page(&hall, player)), others);
    let back = SentBack { id: "aaaaaaaa".into(), at: 0, reason: "too late".into() };
    DecisionLog::append(&folder.path().join("evening"), &back).unwrap();
    assert!(page(&hall, "weber").contains("too late"));
    assert_eq!(["lang", "orlov"].map(|player| page(&hall, player)), others);
}

#[test]
fn a_request_that_is_sent_again_gets_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", ORDERS), 202);
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", ORDERS), 202);
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", READY), 409);
    assert_eq!(ask(&hall, "lang", "aaaaaaaa", ORDERS), 409);
    assert_eq!(stored(folder.path()), ["weber aaaaaaaa"]);
}

#[test]
fn whoever_is_no_page_of_a_player_can_send_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    let good = headers(&key(&hall, "weber"));
    let body = format!("{{\"id\":\"aaaaaaaa\",\"kind\":{READY}}}");
    let side = hall.borrow().keys.key_of_side("german").unwrap().to_owned();
    let shared = hall.borrow().keys.shared_key().to_owned();
    let forged = "0".repeat(16);
    for key in [side.as_str(), &shared, &forged, "", &key(&hall, "weber")[1..]] {
        assert_eq!(send(&hall, &post(&headers(key), &body)), 404, "{key}");
    }
    let swapped = |from: &str, to: &str| post(&good.replace(from, to), &body);
    let cases = [
        (swapped("Origin: http://192.168.0.2:7373", "Origin: http://evil.example"), 403),
        (swapped("Origin: http://192.168.0.2:7373", "Origin: null"), 403),
        (swapped("Origin: http://192.168.0.2:7373", "Origin: https://192.168.0.2:7373"), 403),
        (swapped("same-origin", "cross-site"), 403),
        (swapped("same-origin", "none"), 403),
        (swapped("Host: 192.168.0.2:7373", "Host: evil.example"), 403),
        (swapped("application/json", "text/plain"), 415),
        (swapped("application/json", "application/x-www-form-urlencoded"), 415),
        (post(&good, &format!("{body}{}", " ".repeat(2_048))), 413),
        (post(&good, "{"), 400),
        (post(&good, "[]"), 400),
        (post(&good, &body.replace("aaaaaaaa", "../../a")), 400),
        (post(&good, &body.replace("\"id\"", "\"player\":\"lang\",\"id\"")), 400),
        (post(&good, &body.replace(READY, r#"{"undo":{}}"#)), 400),
        (post(&good, &body.replace(READY, r#"{"orders":{"to":"! \n ;"}}"#)), 400),
    ];
    for (bytes, status) in cases {
        assert_eq!(send(&hall, &bytes), status, "{}", String::from_utf8_lossy(&bytes));
    }
    let chunked = "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let chunked = format!("POST /player/requests HTTP/1.1\r\n{good}{chunked}");
    assert_eq!(send(&hall, chunked.as_bytes()), 411);
    for (line, status) in [
        ("POST /player/requests?key=1", 405),
        ("POST /", 405),
        ("POST /side/x", 405),
        ("PUT /player/requests", 405),
        ("OPTIONS /player/requests", 405),
        ("GET /player/requests", 404),
        ("DELETE /player/requests", 405),
    ] {
        let bytes = post(&good, &body);
        let bytes = String::from_utf8(bytes).unwrap().replace("POST /player/requests", line);
        assert_eq!(send(&hall, bytes.as_bytes()), status, "{line}");
    }
    // A key in the address doesn't count.
    let query = format!(
        "GET {PLAYER_PATH}?key={} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        key(&hall, "weber")
    );
    assert_eq!(send(&hall, query.as_bytes()), 404);
    assert_eq!(stored(folder.path()), [""; 0]);
    assert_eq!(send(&hall, &post(&good, &body)), 202);
}

#[test]
fn a_flood_of_one_player_is_no_trouble_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    let answers: Vec<u16> =
        (0..60).map(|n| ask(&hall, "weber", &format!("flood-{n:04}"), READY)).collect();
    let taken = answers.iter().filter(|status| **status == 202).count();
    assert!(answers.iter().all(|status| [202, 429].contains(status)), "{answers:?}");
    assert!((10..40).contains(&taken), "{answers:?}");
    assert_eq!(ask(&hall, "lang", "bbbbbbbb", READY), 202);
}

#[test]
fn nothing_is_taken_unless_the_umpire_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = begun(&folder.path().join("evening"), "tarr", "olkhovka", false);
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", READY), 503);
    assert!(page(&hall, "weber").contains(r#"\"open\":false"#));
    assert!(!folder.path().join("evening/requests.jsonl").exists());
}

#[test]
fn dice_are_taken_while_they_are_asked_for_from_those_who_roll_them() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    let faces = |question: u64, faces: &str| {
        format!("{{\"faces\":{{\"question\":{question},\"faces\":[{faces}]}}}}")
    };
    assert_eq!(ask(&hall, "horn", "aaaaaaa1", &faces(7, "3,5")), 409);
    let question = r#"question {"id":7,"whose":"german","asked":"roll 2d6","count":2,"sides":6}"#;
    assert!(hall.borrow_mut().command(question).is_none());
    let asks = |player: &str| page(&hall, player).contains(r#"\"count\":2"#);
    assert!(asks("horn") && asks("weber") && !asks("orlov"));
    for (faces, status) in [("3", 409), ("3,7", 409), ("0,3", 400), ("3,5", 202)] {
        let kind = format!("{{\"faces\":{{\"question\":7,\"faces\":[{faces}]}}}}");
        let id = format!("horn-{}", faces.replace(',', "-"));
        assert_eq!(ask(&hall, "horn", &format!("{id}-x"), &kind), status, "{faces}");
    }
    assert_eq!(ask(&hall, "orlov", "aaaaaaa2", &faces(7, "3,5")), 409);
    assert_eq!(ask(&hall, "weber", "aaaaaaa3", &faces(8, "3,5")), 409);
    hall.borrow_mut().command("question -");
    assert!(!asks("horn"));
    assert_eq!(ask(&hall, "weber", "aaaaaaa4", &faces(7, "3,5")), 409);
    // The answer was lost, and the phone sends the request again.
    assert_eq!(ask(&hall, "horn", "horn-3-5-x", &faces(7, "3,5")), 202);
    assert_eq!(stored(folder.path()), ["horn horn-3-5-x"]);
}

#[test]
fn pages_of_evenings_that_differ_in_what_another_player_knows_and_sends_are_the_same() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (quiet, mut calm) = evening(one.path());
    let (busy, mut lively) = evening(other.path());
    for number in 0..5 {
        assert_eq!(ask(&busy, "orlov", &format!("orlov-{number:03}"), ORDERS), 202);
        assert_eq!(ask(&busy, "lang", &format!("lang-{number:04}"), READY), 202);
    }
    let reason = "x".repeat(40);
    let back = SentBack { id: "orlov-000".into(), at: 0, reason };
    DecisionLog::append(&other.path().join("evening"), &back).unwrap();
    do_line(&mut lively, "set lang.wants \"home\"");
    do_line(&mut calm, "set orlov.wants \"home\"");
    for player in ["weber", "horn"] {
        let [one, other] = [&quiet, &busy].map(|hall| page(hall, player));
        assert_eq!(one, other, "{player}");
        assert!(one.contains("Your briefing") && one.contains("panther"), "{one}");
    }
    // The two players who have these secrets do see a difference.
    assert_ne!(page(&quiet, "lang"), page(&busy, "lang"));
    assert_ne!(page(&quiet, "orlov"), page(&busy, "orlov"));
    // Each player sees only his own briefing.
    let german = page(&quiet, "horn");
    assert!(german.contains("Stuka stays five moves"), "{german}");
    assert!(!german.contains("prisoners speak") && !german.contains("more than half"), "{german}");
}

#[test]
fn what_the_umpire_accepted_is_accepted_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, mut saved) = evening(folder.path());
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", ORDERS), 202);
    let journal = folder.path().join("evening/journal.jsonl");
    let taken = r#""requests":[{"id":"aaaaaaaa","player":"weber"}]"#;
    let request = TakenRequest { id: "aaaaaaaa".into(), player: "weber".into() };
    do_requested_line(&mut saved, "orders weber: hold", &[request]);
    let written = std::fs::read_to_string(&journal).unwrap();
    assert!(written.contains(taken), "{written}");
    assert!(page(&hall, "weber").contains("accepted"), "{}", page(&hall, "weber"));
    let requests = RequestReader::of(&folder.path().join("evening")).catch_up();
    assert!(matches!(requests[0].kind, RequestKind::Orders(_)));
}

#[test]
fn a_player_is_ready_until_the_phase_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, mut saved) = evening(folder.path());
    let is_ready = |player: &str| page(&hall, player).contains(r#"\"ready\":true"#);
    assert_eq!(ask(&hall, "weber", "aaaaaaaa", READY), 202);
    assert!(is_ready("weber") && !is_ready("lang"));
    assert_eq!(ask(&hall, "weber", "bbbbbbbb", r#"{"ready":{"ready":false}}"#), 202);
    assert!(!is_ready("weber"));
    for id in ["cccccccc", "dddddddd"] {
        assert_eq!(ask(&hall, "weber", id, READY), 202);
        assert!(is_ready("weber"), "{id}");
        do_line(&mut saved, "note it goes on");
        assert!(is_ready("weber"), "{id}");
        do_line(&mut saved, "next");
        assert!(!is_ready("weber"), "{id}");
    }
}

#[test]
fn only_twenty_orders_of_a_player_wait() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, mut saved) = evening(folder.path());
    let send = |id: &str, kind: &str| {
        let hall = &mut *hall.borrow_mut();
        let player = hall.players().into_iter().find(|player| player.name == "weber").unwrap();
        let body = format!("{{\"id\":\"{id}\",\"kind\":{kind}}}");
        hall.letterbox.take(hall.follower.session(), &player, body.as_bytes(), 1)
    };
    for number in 0..20 {
        send(&format!("weber-{number:04}"), ORDERS).unwrap();
    }
    assert_eq!(send("weber-0020", ORDERS).unwrap_err().0, 409);
    // The answer to the last request may have been lost, so it can be sent again. Marks don't wait
    // for the umpire.
    send("weber-0019", ORDERS).unwrap();
    send("weber-mark", READY).unwrap();
    let back = SentBack { id: "weber-0003".into(), at: 0, reason: String::new() };
    DecisionLog::append(&folder.path().join("evening"), &back).unwrap();
    hall.borrow_mut().catch_up();
    send("weber-0021", ORDERS).unwrap();
    assert!(send("weber-0022", ORDERS).is_err());
    let request = TakenRequest { id: "weber-0005".into(), player: "weber".into() };
    do_requested_line(&mut saved, "orders weber: hold", &[request]);
    hall.borrow_mut().catch_up();
    send("weber-0023", ORDERS).unwrap();
    assert!(send("weber-0024", ORDERS).is_err());
}

/// A command that asked for dice may ask for other dice before it ends.
#[test]
fn dice_that_the_command_did_not_use_do_not_wait_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, mut saved) = evening(folder.path());
    let ask_dice = |id: u64| {
        let line = format!(
            "question {{\"id\":{id},\"whose\":\"german\",\"asked\":\"roll\",\"count\":1,\"sides\":6}}"
        );
        hall.borrow_mut().command(&line);
    };
    let shows = |state: &str| page(&hall, "horn").contains(&format!(r#"\"state\":\"{state}\""#));
    ask_dice(7);
    let faces = r#"{"faces":{"question":7,"faces":[3]}}"#;
    assert_eq!(ask(&hall, "horn", "aaaaaaaa", faces), 202);
    hall.borrow_mut().command("question -");
    ask_dice(8);
    assert!(shows("waiting"));
    do_line(&mut saved, "note nothing of the sort");
    assert!(shows("not needed") && !shows("waiting"));
    let faces = r#"{"faces":{"question":8,"faces":[5]}}"#;
    assert_eq!(ask(&hall, "horn", "bbbbbbbb", faces), 202);
    assert!(shows("waiting"));
    hall.borrow_mut().command("question -");
    let request = TakenRequest { id: "bbbbbbbb".into(), player: "horn".into() };
    do_requested_line(&mut saved, "note five", &[request]);
    assert!(shows("accepted") && !shows("waiting"));
}

#[test]
fn dice_that_are_held_are_held_on_a_player_s_page() {
    const HELD: &str = "the umpire holds the dice";
    let folder = tempfile::tempdir().unwrap();
    let (hall, mut saved) = evening(folder.path());
    do_line(&mut saved, "note before");
    assert!(page(&hall, "weber").contains("before"));
    hall.borrow_mut().command("hold");
    do_line(&mut saved, "roll 3d6");
    // One of these pages was already open, and the other is opened now.
    for player in ["weber", "horn"] {
        let held = page(&hall, player);
        assert!(held.contains(HELD) && !held.contains("class=\\\"pips"), "{player}: {held}");
        assert!(held.contains("Your briefing"), "{player}: {held}");
    }
    hall.borrow_mut().command("show");
    assert!(!page(&hall, "weber").contains(HELD));
}

#[test]
fn a_player_s_key_is_renewed_and_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (hall, _saved) = evening(folder.path());
    let before = key(&hall, "weber");
    let where_is = hall.borrow_mut().command("where weber").unwrap();
    assert!(where_is.lines[0].ends_with(&format!("/player#{before}")), "{where_is:?}");
    hall.borrow_mut().command("new weber").unwrap();
    assert_ne!(key(&hall, "weber"), before);
    assert!(hall.borrow().find_player_page(&before, true).is_none());
    assert_eq!(send(&hall, &post(&headers(&before), "{}")), 404);
    for line in ["where lt green", "new lt green", "where nobody"] {
        let said = hall.borrow_mut().command(line).unwrap();
        assert!(said.lines[0].starts_with("there is no side or player `"), "{said:?}");
    }
}
