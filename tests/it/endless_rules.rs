//! Rules from a stranger that bring about more than a machine could hold.

use adjutant_dice::Seed;
use adjutant_engine::ruleset::FileText;

use crate::kit::session::{begin_game, type_line};

const HEAD: &str = r#"
[game]
title = "Endless"

[kind.man]

[scenario.s]
pieces.man = { ann = {} }

[[phase]]
name = "p"
"#;

/// What is said when the verb `go` is typed; the session must stand as it was.
fn refusal(rules: &str) -> String {
    let text = format!("{HEAD}{rules}");
    let files = [FileText { name: "endless.toml".into(), text, scenario: None }];
    let mut session = begin_game("endless", &files, Seed::from_text("x"), Vec::new());
    let error = type_line(&mut session, "go", 0).unwrap_err();
    assert_eq!(session.next_number(), 1);
    error
}

#[test]
fn rules_that_call_rules_without_end_fill_no_memory() {
    let mut rules = "[rule.r0]\nusage = 'go'\nafter = 'r1(); r1()'\n".to_owned();
    for n in 1..60 {
        let next = n + 1;
        rules.push_str(&format!("[rule.r{n}]\nafter = 'r{next}(); r{next}()'\n"));
    }
    rules.push_str("[rule.r60]\nafter = 'let x = 1'\n");
    let error = refusal(&rules);
    assert!(error.contains("TooMuch"), "{error}");
}

#[test]
fn a_million_dice_fall_in_no_command() {
    let rule =
        "[rule.go]\nusage = 'go'\nafter = 'repeat 1000 times { let x = roll 10000d1000000 }'\n";
    let error = refusal(rule);
    assert!(error.contains("TooMuch"), "{error}");
}
