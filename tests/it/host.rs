//! The library driven from outside, by the example: the game is kept by the host, each line opens it from bytes, and
//! questions come back.

#[allow(dead_code, reason = "the example's own `main` is not called here")]
#[path = "../../examples/host.rs"]
mod example;

use example::{Store, begin, line};

#[test]
fn a_host_keeps_the_game_and_hands_questions_on() {
    let store = Store::default();
    begin(&store, "house-clearing", "hall").unwrap();
    let shot = "fire keller at pike range 7";
    assert!(line(&store, "next", &[]).unwrap().contains("1 initiative 1 moves"));
    let asked = line(&store, shot, &[]).unwrap();
    assert_eq!(
        asked,
        "How many fifths of pike can be seen? 1 head, 2 chest, 3 stomach, 4 groin, 5 boots\n"
    );
    // Nothing has happened, and the same die falls.
    let done = line(&store, shot, &["4"]).unwrap();
    assert!(done.contains("[3]  ≤ 17  scores") && done.contains("On the table:"), "{done}");
    let refused = line(&store, shot, &[]).unwrap_err().to_string();
    assert_eq!(refused, "keller has already had his shot this turn");
    assert!(line(&store, "frob", &[]).is_err());
    let session = store.open().unwrap();
    assert_eq!(session.entries().len(), 2);
    assert_eq!(session.verify().mismatch, None);
}
