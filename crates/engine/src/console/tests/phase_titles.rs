//! Tests of lines that name a phase by words of its title.

use super::conversation::played_with;

/// A turn of numbered steps, in which the last phase has a word of another in its title.
const RULES: &str = r#"
[kind.boat]
plural = "boats"
marker = "boat"
hits = { from = 0, to = 9 }
[rule.row]
title = "Row a boat"
usage = "row <who:boat>"
phases = ["row-one", "row-two"]
after = 'who.hits = 0'
[rule.fire]
title = "Cannonfire"
usage = "fire <who:boat>"
phases = ["fire"]
after = 'who.hits += 1'
[rule.quench]
title = "The crew puts a blaze out"
usage = "quench <who:boat>"
phases = ["blaze"]
after = 'who.hits = 0'
[[phase]]
name = "row-one"
title = "Oars 1 row"
[[phase]]
name = "row-two"
title = "Oars 2 row"
[[phase]]
name = "fire"
title = "All boats fire"
[[phase]]
name = "blaze"
title = "Damage: fire and leaks"
[scenario.one.pieces.boat]
gull = {}
tern = {}
"#;

fn played(lines: &[&str]) -> (Vec<String>, String) {
    played_with(RULES, &[&["row gull"], lines].concat())
}

#[test]
fn an_initial_with_a_number_is_a_phase() {
    for line in ["o2 row", "o2", "second oars row", "oars two"] {
        let (_, shown) = played(&[line]);
        assert!(shown.contains("next to row-two"), "{line}: {shown}");
    }
    // No phase is called after these.
    for line in ["o3 row", "x2 row"] {
        let (_, shown) = played(&[line]);
        assert!(!shown.contains("next to row"), "{line}: {shown}");
    }
}

#[test]
fn words_for_this_phase_go_on_to_no_other() {
    for line in ["cannonfire", "all boats fire", "fire"] {
        let (_, shown) = played(&["next to fire", line]);
        assert!(!shown.contains("1  next to blaze"), "{line}: {shown}");
    }
    // Before it, they go on to it.
    assert!(played(&["cannonfire"]).1.contains("next to fire"));
    assert!(played(&["next to fire", "on to the leaks"]).1.contains("next to blaze"));
}
