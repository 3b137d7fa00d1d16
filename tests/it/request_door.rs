//! Requests of players on their way from a page to the file: through the door of the program as it runs, and on a disk
//! that fails.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant::files::Disk;
use adjutant::requests::{DecisionLog, Request, RequestKind, RequestQueue, SentBack};
use serde_json::Value;

use crate::kit::adjutant;
use crate::kit::disk::{Fault, Left, SimulatedDisk};
use crate::players_screen::{Hall, read, start, until};

const READY: &str = r#"{"ready":{"ready":true}}"#;
const ORDERS: &str = r#"{"orders":{"who":"panther","to":"the mill"}}"#;

/// An evening for six players on two sides, who may send requests.
fn evening() -> Hall {
    Hall::at(&["tarr", "--scenario", "olkhovka"], &["--requests"])
}

fn folder(hall: &Hall) -> PathBuf {
    hall.home.path().join("adjutant/sessions/evening")
}

/// Returns the key of a player's page.
fn key(hall: &mut Hall, player: &str) -> String {
    let said = hall.says(&format!("where {player}"));
    let url = said["data"]["addresses"][0].as_str().unwrap().to_owned();
    url.split_once("/player#").unwrap().1.to_owned()
}

/// Returns the beginning of a request of a page, without its length.
fn head(hall: &Hall, key: &str) -> String {
    let host = hall.host();
    format!(
        "POST /player/requests HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/json\r\nX-Adjutant-Key: {key}\r\n"
    )
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
}

fn body(id: &str, kind: &str) -> String {
    format!("{{\"id\":\"{id}\",\"kind\":{kind}}}")
}

/// Sends a request of a player, and returns the status of the answer.
fn ask(hall: &Hall, key: &str, id: &str, kind: &str) -> u16 {
    let body = body(id, kind);
    let length = body.len();
    status(&hall.sends(&format!("{}Content-Length: {length}\r\n\r\n{body}", head(hall, key))))
}

/// Returns the lines of the file of the requests.
fn stored(hall: &Hall) -> Vec<Value> {
    let text = std::fs::read_to_string(folder(hall).join("requests.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Follows a player's page.
fn follow(hall: &Hall, key: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(hall.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let host = hall.host();
    let head =
        format!("GET /player/updates HTTP/1.1\r\nHost: {host}\r\nX-Adjutant-Key: {key}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    BufReader::new(stream)
}

/// Reads messages until one has these words, and returns all of them.
fn messages_until(words: &str, page: &mut impl BufRead) -> Vec<Value> {
    let mut messages = Vec::new();
    loop {
        let mut line = String::new();
        assert!(page.read_line(&mut line).unwrap() > 0, "the stream has ended");
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let Ok(message) = serde_json::from_str::<Value>(data) else { continue };
        messages.push(message);
        if line.contains(words) {
            return messages;
        }
    }
}

#[test]
fn a_request_is_stored_once_even_if_the_screen_is_killed_before_the_phone_has_the_answer() {
    let mut hall = evening();
    let [weber, lang] = ["weber", "lang"].map(|player| key(&mut hall, player));
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", ORDERS), 202);
    let port = hall.host().rsplit_once(':').unwrap().1.to_owned();
    hall.screen.0.kill().unwrap();
    hall.screen.0.wait().unwrap();
    // It was killed in the middle of the next line.
    let file = folder(&hall).join("requests.jsonl");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend(b"{\"id\":\"bbbb");
    std::fs::write(&file, bytes).unwrap();
    let arguments = ["screen", "evening", "--beside", "--requests", "--port", &port];
    let (child, stdin, stdout) = start(hall.home.path(), &arguments);
    hall.screen = (child, stdin, BufReader::new(stdout));
    read(&mut hall.screen.2);
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", ORDERS), 202);
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", READY), 409);
    assert_eq!(ask(&hall, &lang, "aaaaaaaa", ORDERS), 409);
    assert_eq!(ask(&hall, &lang, "bbbbbbbb", READY), 202);
    let stored: Vec<String> =
        stored(&hall).iter().map(|one| format!("{} {}", one["player"], one["id"])).collect();
    assert_eq!(stored, ["\"weber\" \"aaaaaaaa\"", "\"lang\" \"bbbbbbbb\""]);
    // A second screen would not know what the first has stored.
    let second = ["screen", "evening", "--beside", "--requests", "--port", "0"];
    adjutant(second).home(hall.home.path()).stderr_has("another screen").failure();
}

#[test]
fn bodies_that_are_late_short_or_ambiguous_are_not_taken() {
    let mut hall = evening();
    let weber = key(&mut hall, "weber");
    let head = head(&hall, &weber);
    let sent = body("aaaaaaaa", READY);
    let length = sent.len();
    // The second half never comes.
    let late = format!("{head}Content-Length: {length}\r\n\r\n{}", &sent[..length / 2]);
    assert_eq!(status(&hall.sends(&late)), 408);
    // The page is gone in the middle.
    let mut gone = TcpStream::connect(hall.host()).unwrap();
    gone.write_all(late.as_bytes()).unwrap();
    drop(gone);
    let chunks = format!("{length:x}\r\n{sent}\r\n0\r\n\r\n");
    let deep = format!("{{\"id\":\"aaaaaaaa\",\"kind\":{}{}}}", "[".repeat(900), "]".repeat(900));
    let cases = [
        (format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunks}"), &[411][..]),
        (
            format!("{head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"),
            &[400, 411],
        ),
        (format!("{head}Content-Length: {length}\r\nContent-Length: 2\r\n\r\n{sent}"), &[400]),
        (format!("{head}Content-Length: -1\r\n\r\n{sent}"), &[400]),
        (format!("{head}Content-Length: 99999999999999999999\r\n\r\n{sent}"), &[400, 413]),
        (format!("{head}Content-Length: 4000000000\r\n\r\n{sent}"), &[413]),
        (format!("{head}Content-Length: 2049\r\n\r\n{sent}"), &[413]),
        (format!("{head}\r\n{sent}"), &[411]),
        (format!("{head}Content-Length: 0\r\n\r\n"), &[400]),
        (format!("{head}Content-Length: {}\r\n\r\n{deep}", deep.len()), &[400]),
    ];
    for (request, allowed) in cases {
        let answer = hall.sends(&request);
        assert!(allowed.contains(&status(&answer)), "{request}: {answer}");
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(stored(&hall).is_empty());
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", READY), 202);
}

#[test]
fn the_page_of_a_player_is_the_same_for_all_and_no_other_site_may_use_it() {
    let hall = evening();
    let other = Hall::at(&["tarr", "--scenario", "olkhovka"], &[]);
    for path in ["/player", "/player.js", "/player.css"] {
        let answer = hall.gets(path);
        assert_eq!(status(&answer), 200, "{path}");
        let without_date = |answer: &str| {
            answer.lines().filter(|l| !l.starts_with("date:")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(without_date(&answer), without_date(&other.gets(path)), "{path}");
        for outside in ["http:", "https:", "//cdn", "eval(", "<style", "onclick"] {
            let body = answer.split_once("\r\n\r\n").unwrap().1;
            assert!(!body.contains(outside), "{path}: {outside}");
        }
    }
    let host = hall.host();
    for request in [
        format!(
            "OPTIONS /player/requests HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-adjutant-key\r\n\r\n"
        ),
        format!("GET /player HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\r\n"),
        format!(
            "GET /player/updates HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\r\n"
        ),
    ] {
        let answer = hall.sends(&request).to_lowercase();
        assert!(!answer.contains("access-control"), "{answer}");
    }
}

#[test]
fn texts_of_a_request_stay_texts() {
    let mut hall = evening();
    let weber = key(&mut hall, "weber");
    let texts = [
        (r"undo\n\nquit\r\nnext !", "undo quit next"),
        (r"hold\u001b[2J\u0007\u202e\u2066x", "hold [2J x"),
        (r#"\" ! ; # \\ ` undo"#, "undo"),
        (
            r"</script><img src=x onerror=alert(1)> {{plan}}",
            "</script><img src=x onerror=alert(1)> {{plan}}",
        ),
        (r"\u2028\u2029data: x\u0085event: beat", "data: x event: beat"),
    ];
    for (number, (sent, _)) in texts.iter().enumerate() {
        let kind = format!("{{\"orders\":{{\"to\":\"{sent}\"}}}}");
        assert_eq!(ask(&hall, &weber, &format!("weber-{number:03}"), &kind), 202, "{sent}");
    }
    let stored: Vec<Value> =
        stored(&hall).iter().map(|one| one["kind"]["orders"]["to"].clone()).collect();
    assert_eq!(stored, texts.map(|(_, clean)| clean));
    // The page is sent them as data within data, on one line.
    let messages = messages_until("weber-004", &mut follow(&hall, &weber));
    let mine: Value = serde_json::from_str(messages[0]["mine"].as_str().unwrap()).unwrap();
    let shown: Vec<Value> = mine["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"]["orders"]["to"].clone())
        .collect();
    assert_eq!(shown, texts.map(|(_, clean)| clean));
}

/// While one player's forty requests never end, and as many more are refused, another sends his.
#[test]
fn a_flood_with_one_key_does_not_stop_requests_with_another() {
    let mut hall = evening();
    let [weber, lang] = ["weber", "lang"].map(|player| key(&mut hall, player));
    let open: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(hall.host()).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            write!(stream, "{}Content-Length: 99\r\n\r\n{{", head(&hall, &weber)).unwrap();
            stream
        })
        .collect();
    let flood: Vec<u16> =
        (0..40).map(|n| ask(&hall, &weber, &format!("flood-{n:04}"), READY)).collect();
    assert_eq!(
        (0..8).map(|n| ask(&hall, &lang, &format!("lang-{n:04}"), READY)).collect::<Vec<_>>(),
        [202; 8]
    );
    let refused = flood.iter().filter(|status| **status == 429).count();
    assert!(refused >= 20 && flood.iter().all(|status| [202, 429].contains(status)), "{flood:?}");
    let ends = open.into_iter().map(|mut stream| {
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        status(&answer)
    });
    let ends: Vec<u16> = ends.collect();
    assert!(ends.iter().all(|status| [408, 429].contains(status)), "{ends:?}");
}

#[test]
fn a_player_is_sent_the_same_messages_whatever_others_send() {
    let mut halls = [evening(), evening()];
    let keys = halls.each_mut().map(|hall| key(hall, "weber"));
    let mut pages = [0, 1].map(|index: usize| follow(&halls[index], &keys[index]));
    let first = pages.each_mut().map(|page| messages_until("place", page));
    assert_eq!(first[0], first[1]);
    // In the second evening, others send requests, are asked for dice, and get answers.
    let busy = &mut halls[1];
    let others = ["lang", "horn", "orlov"].map(|player| key(busy, player));
    for (number, other) in others.iter().enumerate() {
        assert_eq!(ask(busy, other, &format!("orders-{number:02}"), ORDERS), 202);
        assert_eq!(ask(busy, other, &format!("ready-{number:03}"), READY), 202);
    }
    let question = r#"question {"id":7,"whose":"orlov","asked":"roll 2d6","count":2,"sides":6}"#;
    writeln!(busy.screen.1, "{question}").unwrap();
    let faces = r#"{"faces":{"question":7,"faces":[1,2]}}"#;
    until("the dice are taken", || ask(busy, &others[2], "dice-orlov", faces) == 202);
    let back = SentBack { id: "orders-00".to_owned(), at: 1, reason: "too late".to_owned() };
    DecisionLog::append(&folder(busy), &back).unwrap();
    let mut lang = follow(busy, &others[0]);
    messages_until("too late", &mut lang);
    for hall in &mut halls {
        hall.types("note for all to read");
    }
    let after = pages.each_mut().map(|page| messages_until("for all to read", page));
    assert_eq!(after[0], after[1]);
    assert_eq!(after[0].len(), 1, "{after:?}");
}

#[test]
fn a_page_whose_key_was_renewed_is_closed_and_sends_nothing() {
    let mut hall = evening();
    let weber = key(&mut hall, "weber");
    let mut page = follow(&hall, &weber);
    messages_until("place", &mut page);
    hall.says("new weber");
    page.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", READY), 404);
    let renewed = key(&mut hall, "weber");
    assert_eq!(ask(&hall, &renewed, "aaaaaaaa", READY), 202);
}

#[test]
fn a_session_is_removed_with_the_requests() {
    let mut hall = evening();
    let weber = key(&mut hall, "weber");
    assert_eq!(ask(&hall, &weber, "aaaaaaaa", ORDERS), 202);
    let back = SentBack { id: "aaaaaaaa".to_owned(), at: 1, reason: "too late".to_owned() };
    DecisionLog::append(&folder(&hall), &back).unwrap();
    for name in ["requests.jsonl", "decisions.jsonl", "requests.lock"] {
        let path = folder(&hall).join(name);
        assert!(path.exists(), "{name}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
    }
    hall.types("quit");
    let remove = ["sessions", "remove", "evening"];
    let is_removed = || {
        drop(adjutant(remove).home(hall.home.path()).stdin("y\nevening\n").output());
        !folder(&hall).exists()
    };
    until("the game has ended", is_removed);
}

/// Returns a request of one of two players, longer each time.
fn request(number: usize) -> Request {
    let player = ["ann", "bob"][number % 2].to_owned();
    let kind = RequestKind::Ready { ready: number.is_multiple_of(3) };
    Request { id: format!("request-{}", "x".repeat(number)), player, at: 7, turn: 1, kind }
}

const NIGHT: &str = "/night";

fn ids(queue: &RequestQueue) -> Vec<String> {
    let both = ["ann", "bob"].into_iter().flat_map(|player| queue.of_player(player));
    let mut ids: Vec<String> = both.map(|request| request.id.clone()).collect();
    ids.sort_by_key(String::len);
    ids
}

/// Sends requests until each is stored or the power is off, and returns the ids of those that were. Also checks that
/// what another program has read of the file stays there.
fn fill(disk: &SimulatedDisk) -> Vec<String> {
    let mut stored = Vec::new();
    let Some(mut queue) = (0..3).find_map(|_| RequestQueue::open_on(disk, Path::new(NIGHT)).ok())
    else {
        return stored;
    };
    let mut before = Vec::new();
    for number in 0..6 {
        for _ in 0..3 {
            let added = queue.add(request(number));
            let bytes =
                disk.after_kill().read(&Path::new(NIGHT).join("requests.jsonl"), 1 << 20).unwrap();
            assert!(bytes.starts_with(&before), "what was read is there no longer");
            let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            before = bytes[..whole].to_vec();
            if added.is_ok() {
                stored.push(request(number).id);
                break;
            }
        }
    }
    stored
}

#[test]
fn every_call_to_the_disk_may_fail_or_be_the_last_before_a_request_is_stored() {
    let disk = || {
        let disk = SimulatedDisk::new();
        disk.create_folder(Path::new(NIGHT), true).unwrap();
        disk.sync_folder(Path::new("/")).unwrap();
        disk
    };
    let healthy = disk();
    let all = fill(&healthy);
    assert_eq!(all.len(), 6);
    let faults = [
        Fault::Refused(ErrorKind::Other),
        Fault::Refused(ErrorKind::StorageFull),
        Fault::Half,
        Fault::ReadOnly,
        Fault::Power,
    ];
    let mut failed = 0;
    for call in disk().calls()..healthy.calls() {
        for fault in faults {
            let disk = SimulatedDisk::failing(call, fault);
            disk.create_folder(Path::new(NIGHT), true).unwrap();
            disk.sync_folder(Path::new("/")).unwrap();
            let stored = fill(&disk);
            failed += usize::from(stored.len() < all.len());
            let mut disks = vec![disk.after_kill()];
            if fault == Fault::Power {
                let left = [Left::Synced, Left::All, Left::Half, Left::Hole];
                disks.extend(left.map(|left| disk.after_power_cut(left)));
            }
            for (number, disk) in disks.iter().enumerate() {
                let found = RequestQueue::open_on(disk, Path::new(NIGHT)).unwrap();
                let found = ids(&found);
                let lost: Vec<_> = stored.iter().filter(|id| !found.contains(id)).collect();
                assert!(lost.is_empty(), "call {call}, {fault:?}, disk {number}: {lost:?}");
                let mut once = found.clone();
                once.dedup();
                assert_eq!(once, found, "call {call}, {fault:?}, disk {number}");
                // Every phone sends again.
                assert_eq!(fill(&disk.unlocked()), all, "call {call}, {fault:?}, disk {number}");
            }
        }
    }
    assert!(failed > 20, "{failed}");
}
