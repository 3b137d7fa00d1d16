//! The rulesets that come with Adjutant: they load, nothing in them is suspicious, and their examples hold.

use adjutant::shipped;
use adjutant_engine::console::hides_verb;
use adjutant_engine::language::schema::Type;
use adjutant_engine::ruleset::load;

use crate::kit::{faults, shown};

#[test]
fn shipped_rulesets_are_without_fault_and_their_examples_hold() {
    let names = shipped::names();
    assert!(!names.is_empty());
    for name in names {
        let files = shipped::files(&name).unwrap();
        let found = faults(files.clone());
        assert!(found.is_empty(), "{name}: {}", shown(&found));
        assert!(!load(files).unwrap().examples.is_empty(), "`{name}` has no examples");
    }
}

#[test]
fn no_word_of_the_console_is_a_verb_of_a_game() {
    for name in shipped::names() {
        let ruleset = load(shipped::files(&name).unwrap()).unwrap();
        for verb in ruleset.verbs() {
            let hidden = hides_verb(verb);
            assert!(!hidden, "`{verb}` is a verb of {name} and a word of the console");
        }
    }
}

#[test]
fn a_sign_means_the_same_on_the_map_and_in_the_plans() {
    let mut seen = 0;
    for name in shipped::names() {
        let files = shipped::files(&name).unwrap();
        let ruleset = load(files.clone()).unwrap();
        let schema = &ruleset.schema;
        let Some(plan) = schema.plan_kind() else { continue };
        for attribute in &schema.kind(plan).attributes {
            for (place, sign) in attribute.signs.iter().enumerate().filter(|s| !s.1.is_empty()) {
                let mut others = schema.kind(plan).attributes.iter();
                assert!(
                    others.all(|a| a.name == attribute.name || !a.signs.contains(sign)),
                    "{sign}"
                );
                // A letter of a legend that is a sign sets what the sign stands for.
                let letter = format!("\"{sign}\" = {{");
                let lines = files.iter().flat_map(|f| f.text.lines());
                for line in lines.filter(|l| l.starts_with(&letter)) {
                    let word = match attribute.ty {
                        Type::Word(set) => format!("\"{}\"", schema.word_set(set).values[place]),
                        _ => "true".to_owned(),
                    };
                    let sets = format!("{} = {word}", attribute.name);
                    assert!(line.contains(&sets), "{name}: {line}: {sign} is {sets}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 10);
}
