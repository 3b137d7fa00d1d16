//! Tests of requests on the disk: they are complete, stored once, and clean.

use std::path::Path;

use adjutant_engine::console::WrittenOrders;

use super::{
    DecisionLog, DecisionReader, MAX_TEXT, QueueError, QueueLock, REQUESTS_FILE, Request,
    RequestKind, RequestQueue, RequestReader, SentBack, is_id,
};

fn ready(id: &str, player: &str) -> Request {
    let kind = RequestKind::Ready { ready: true };
    Request { id: id.to_owned(), player: player.to_owned(), at: 7, turn: 1, kind }
}

fn orders(to: &str) -> RequestKind {
    RequestKind::Orders(WrittenOrders { to: to.to_owned(), ..WrittenOrders::default() })
}

fn ids(requests: &[Request]) -> Vec<&str> {
    requests.iter().map(|request| request.id.as_str()).collect()
}

fn read(folder: &Path) -> Vec<Request> {
    RequestReader::of(folder).catch_up()
}

#[test]
fn a_request_that_is_sent_again_is_stored_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    queue.add(ready("aaaaaaaa", "ann")).unwrap();
    queue.add(Request { at: 9, turn: 2, ..ready("aaaaaaaa", "ann") }).unwrap();
    let other = Request { kind: orders("hill"), ..ready("aaaaaaaa", "ann") };
    assert!(matches!(queue.add(other), Err(QueueError::OtherContent)));
    assert!(matches!(queue.add(ready("aaaaaaaa", "bob")), Err(QueueError::OtherContent)));
    assert_eq!(read(folder.path()), [ready("aaaaaaaa", "ann")]);
    drop(queue);
    // The same applies after the screen has been restarted.
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    queue.add(ready("aaaaaaaa", "ann")).unwrap();
    assert!(matches!(queue.add(ready("aaaaaaaa", "bob")), Err(QueueError::OtherContent)));
    assert_eq!(read(folder.path()).len(), 1);
}

#[test]
fn whatever_a_kill_leaves_of_the_file_whole_requests_stay_and_others_can_be_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(REQUESTS_FILE);
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    let all = ["aaaaaaaa", "bbbbbbbb", "cccccccc"];
    let mut ends = vec![0];
    for id in all {
        queue.add(ready(id, "ann")).unwrap();
        ends.push(std::fs::metadata(&path).unwrap().len() as usize);
    }
    drop(queue);
    let bytes = std::fs::read(&path).unwrap();
    for length in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let whole = ends.iter().filter(|end| **end <= length).count() - 1;
        assert_eq!(ids(&read(folder.path())), all[..whole], "{length}");
        let mut reader = RequestReader::of(folder.path());
        let mut seen = reader.catch_up();
        let mut opened = RequestQueue::open(folder.path()).unwrap();
        for id in all {
            opened.add(ready(id, "ann")).unwrap();
        }
        assert_eq!(ids(&read(folder.path())), all, "{length}");
        // A console that had read the file before the kill misses no request and reads none twice.
        seen.extend(reader.catch_up());
        assert_eq!(ids(&seen), all, "{length}");
    }
}

#[test]
fn a_file_that_is_no_file_of_requests_has_none() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read(folder.path()), []);
    let path = folder.path().join(REQUESTS_FILE);
    for bytes in [&b"\n\n"[..], b"{}\n", b"\xff\xfe\n", b"[1,2]\n{\"id\":1}\n"] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(read(folder.path()), []);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_eq!(read(folder.path()), []);
    assert!(RequestQueue::open(folder.path()).is_err());
}

#[test]
fn one_player_cannot_fill_the_file_for_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    let mut refused = 0;
    for number in 0..2_010 {
        refused += u32::from(queue.add(ready(&format!("id-{number:08}"), "ann")).is_err());
    }
    assert_eq!(refused, 10);
    queue.add(ready("bbbbbbbb", "bob")).unwrap();
    assert_eq!(queue.of_player("bob").count(), 1);
}

/// The longest text has 120 characters of four bytes each.
#[test]
fn long_requests_of_one_player_leave_room_for_fifteen_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    let long = "\u{1f3e0}".repeat(MAX_TEXT);
    let add = |queue: &mut RequestQueue, player: usize, number: usize| {
        let [who, to, until, otherwise] = [(); 4].map(|()| long.clone());
        let kind = RequestKind::Orders(WrittenOrders { who, to, until, otherwise });
        queue.add(Request {
            kind,
            ..ready(&format!("{player:04}-{number:06}"), &player.to_string())
        })
    };
    for player in 0..15 {
        let taken =
            (0..2_000).take_while(|number| add(&mut queue, player, *number).is_ok()).count();
        assert!((100..200).contains(&taken), "{taken}");
    }
    add(&mut queue, 15, 0).unwrap();
    drop(queue);
    // The limits are the same after the screen has been restarted.
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    assert!(matches!(add(&mut queue, 0, 1_999), Err(QueueError::Full)));
    add(&mut queue, 15, 1).unwrap();
}

#[test]
fn only_one_screen_takes_requests() {
    let folder = tempfile::tempdir().unwrap();
    let lock = QueueLock::take(folder.path()).unwrap();
    assert!(matches!(QueueLock::take(folder.path()), Err(QueueError::Busy)));
    drop(lock);
    assert!(QueueLock::take(folder.path()).is_ok());
}

#[test]
fn requests_are_in_the_order_in_which_they_arrived() {
    let folder = tempfile::tempdir().unwrap();
    let mut queue = RequestQueue::open(folder.path()).unwrap();
    let sent = [("bbbbbbbb", 9), ("aaaaaaaa", 9), ("cccccccc", 3)];
    for (id, at) in sent {
        queue.add(Request { at, ..ready(id, "ann") }).unwrap();
    }
    let ids = |queue: &RequestQueue| {
        queue.of_player("ann").map(|request| request.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&queue), sent.map(|(id, _)| id));
    drop(queue);
    assert_eq!(ids(&RequestQueue::open(folder.path()).unwrap()), sent.map(|(id, _)| id));
}

#[test]
fn requests_and_decisions_are_followed_whatever_becomes_of_the_folder_s_name() {
    let home = tempfile::tempdir().unwrap();
    let [night, dusk] = ["night", "dusk"].map(|name| home.path().join(name));
    std::fs::create_dir(&night).unwrap();
    let mut queue = RequestQueue::open(&night).unwrap();
    let mut requests = RequestReader::of(&night);
    let mut reader = DecisionReader::of(&night);
    assert!(!reader.catch_up());
    std::fs::rename(&night, &dusk).unwrap();
    queue.add(ready("aaaaaaaa", "ann")).unwrap();
    assert_eq!(requests.catch_up(), [ready("aaaaaaaa", "ann")]);
    assert_eq!(requests.catch_up(), []);
    let back = SentBack { id: "aaaaaaaa".into(), at: 7, reason: "too late".into() };
    DecisionLog::append(&dusk, &back).unwrap();
    assert!(reader.catch_up() && !reader.catch_up());
    assert_eq!(reader.get("aaaaaaaa"), Some(&back));
    assert_eq!(DecisionReader::of(&dusk).get("aaaaaaaa"), Some(&back));
}

#[test]
fn decisions_are_kept_in_order() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(DecisionLog::read(folder.path()), []);
    let decision =
        |id: &str, reason: &str| SentBack { id: id.into(), at: 7, reason: reason.into() };
    DecisionLog::append(folder.path(), &decision("aaaaaaaa", "too late")).unwrap();
    // The console is killed in the middle of a line.
    let path = folder.path().join(super::DECISIONS_FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(b"{\"id\":\"bbbb");
    std::fs::write(&path, bytes).unwrap();
    DecisionLog::append(folder.path(), &decision("cccccccc", "no\n\"way\"")).unwrap();
    let all = [decision("aaaaaaaa", "too late"), decision("cccccccc", "no\n\"way\"")];
    assert_eq!(DecisionLog::read(folder.path()), all);
}

#[test]
fn texts_are_one_line_without_what_means_something_when_typed() {
    let cleaned = |to: &str| match orders(to).cleaned() {
        Ok(RequestKind::Orders(orders)) => orders.to,
        Ok(_) => panic!("no orders"),
        Err(reason) => format!("refused: {reason}"),
    };
    assert_eq!(cleaned("  to\tthe\r\nhill! "), "to the hill");
    assert_eq!(cleaned("a \"b\" ; undo # c\\"), "a b undo c");
    assert_eq!(cleaned("x\u{202e}y\u{200b}z\u{1b}[31m"), "x y z [31m");
    assert_eq!(cleaned("zur Mühle, 'ganz' <b>vorn</b>"), "zur Mühle, 'ganz' <b>vorn</b>");
    assert_eq!(cleaned("! \n"), "refused: orders need a goal");
    assert_eq!(cleaned(&"ä".repeat(MAX_TEXT)), "ä".repeat(MAX_TEXT));
    assert!(cleaned(&"ä".repeat(MAX_TEXT + 1)).starts_with("refused"));
}

/// The engine shows invisible characters as codes. A request contains no such characters.
#[test]
fn no_character_of_a_request_is_shown_as_a_code() {
    for c in ('\0'..=char::MAX).filter(|c| !c.is_alphanumeric()) {
        let Ok(RequestKind::Orders(orders)) = orders(&format!("a{c}b")).cleaned() else {
            panic!("{c:?}")
        };
        assert_eq!(adjutant_engine::names::sanitize(&orders.to), orders.to, "{c:?}");
        let is_kept = orders.to.chars().nth(1) == Some(c);
        assert!(is_kept || orders.to == "a b", "{c:?} {}", orders.to);
    }
}

#[test]
fn faces_are_faces() {
    let faces = |faces: &[u32]| RequestKind::Faces { question: 1, faces: faces.to_vec() };
    assert!(faces(&[1, 6, 1000]).cleaned().is_ok());
    for wrong in [&[][..], &[0], &[1001], &[1; 101]] {
        assert!(faces(wrong).cleaned().is_err(), "{wrong:?}");
    }
}

#[test]
fn ids_are_short_and_plain() {
    for id in ["aaaaaaaa", "0-9-a-z-", &"x".repeat(40)] {
        assert!(is_id(id), "{id}");
    }
    for id in ["", "aaaaaaa", &"x".repeat(41), "aaaaaaaA", "aaaa aaaa", "aaaaaaa\n", "äääää"] {
        assert!(!is_id(id), "{id}");
    }
}
