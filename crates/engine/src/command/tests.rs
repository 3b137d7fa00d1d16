//! The choice between several readings of a line.

use super::parse;
use crate::referee::Action;
use crate::referee::testing::Trial;
use crate::tabletop::Argument;

/// Sets up a table with a few areas and men, and rules with similar usages.
fn table(rules: &str) -> Trial {
    Trial::set_up(&format!(
        r#"
[words.lift]
values = ["up", "down"]
[kind.place]
[kind.man]
plural = "men"
side = {{ one_of = "army" }}
[words.army]
values = ["none", "red", "blue"]
[sides]
are = "army"
{rules}
[scenario.one.pieces.place]
hill = {{}}
hut = {{}}
[scenario.one.pieces.man]
ann = {{ side = "red" }}
anton = {{ side = "blue" }}
bob = {{ side = "red" }}
"#
    ))
}

/// Returns the rule that a line is read as, or the error.
fn read(trial: &Trial, line: &str) -> Result<(String, Vec<Option<Argument>>), String> {
    let command = parse(&trial.referee, &trial.table, line).map_err(|e| e.with_help())?;
    match command.unwrap().action {
        Action::Rule { rule, arguments, .. } => {
            Ok((trial.table.schema().rules[rule.index()].name.clone(), arguments))
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the name of the rule that a line is read as.
fn rule(trial: &Trial, line: &str) -> String {
    read(trial, line).unwrap().0
}

fn rule_text(name: &str, usage: &str) -> String {
    format!("[rule.{name}]\nusage = \"{usage}\"\nafter = 'say \"{name}\"'\n")
}

/// Returns a table for each order of two rules with these usages.
fn either(one: (&str, &str), two: (&str, &str)) -> [Trial; 2] {
    let one = rule_text(one.0, one.1);
    let two = rule_text(two.0, two.1);
    [table(&format!("{one}{two}")), table(&format!("{two}{one}"))]
}

#[test]
fn words_in_full_come_before_parts_in_their_order() {
    // For `full`, the word is written in full but comes late; for `begun`, it comes first but is
    // abbreviated.
    let full = ("full", "go <to:place> [quick]");
    let begun = ("begun", "go [quickly] <to:place>");
    for trial in either(full, begun) {
        assert_eq!(rule(&trial, "go quick hill"), "full");
        assert_eq!(rule(&trial, "go quickl hill"), "begun");
    }
}

#[test]
fn words_in_full_come_before_little_words_that_are_written() {
    let full = ("full", "go <who:man> towards <lift:lift>");
    let begun = ("begun", "go <who:man> [upstairs]");
    for trial in either(full, begun) {
        assert_eq!(rule(&trial, "go ann up"), "full");
        assert_eq!(rule(&trial, "go ann ups"), "begun");
    }
}

#[test]
fn parts_in_their_order_come_before_little_words_that_are_written() {
    let ordered = ("ordered", "go [up] to <to:place>");
    let late = ("late", "go <to:place> [up]");
    for trial in either(ordered, late) {
        assert_eq!(rule(&trial, "go up hill"), "ordered");
        assert_eq!(rule(&trial, "go hill up"), "late");
    }
}

#[test]
fn the_reading_that_leaves_out_fewer_little_words_is_taken() {
    let plain = ("plain", "go <who:man> <to:place>");
    let long = ("long", "go <who:man> to <to:place>");
    for trial in either(plain, long) {
        assert_eq!(rule(&trial, "go ann hill"), "plain");
        assert_eq!(rule(&trial, "go ann to hill"), "long");
    }
}

#[test]
fn names_in_full_come_before_names_that_are_begun() {
    let man = ("man", "go <who:man>");
    let place = ("place", "go <to:place>");
    let names = "[scenario.one.pieces.place]\nann-hill = {}\n";
    let rules = [man, place].map(|(name, usage)| rule_text(name, usage)).concat();
    let text = format!(
        "[kind.man]\n[kind.place]\n{rules}{names}[scenario.one.pieces.man]\nann = {{}}\nbob = {{}}\n"
    );
    let trial = Trial::set_up(&text);
    assert_eq!(rule(&trial, "go ann"), "man");
    assert_eq!(rule(&trial, "go ann-"), "place");
    assert_eq!(rule(&trial, "go b"), "man");
    // `an` abbreviates two pieces.
    let error = read(&trial, "go an").unwrap_err();
    assert!(error.contains("`an` could be"), "{error}");
}

#[test]
fn the_verb_whose_words_fit_better_is_taken() {
    let march = ("march", "march <who:man> [fast]");
    let mark = ("mark", "mark <who:man> [faster]");
    for trial in either(march, mark) {
        assert_eq!(rule(&trial, "mar ann fast"), "march");
        assert_eq!(rule(&trial, "mar ann faster"), "mark");
        let error = read(&trial, "mar ann").unwrap_err();
        assert!(error.contains("`mar` could be"), "{error}");
    }
}

#[test]
fn two_readings_that_are_as_good_are_an_error() {
    for trial in either(("one", "go <who:man> [fast]"), ("two", "go <man:man>")) {
        assert_eq!(rule(&trial, "go ann fast"), "one");
        let error = read(&trial, "go ann").unwrap_err();
        assert!(error.starts_with("this could mean two things; write `go "), "{error}");
    }
    for trial in either(("one", "go <who:man> [fast]"), ("two", "go <man:man> [faint]")) {
        let error = read(&trial, "go ann fa").unwrap_err();
        assert!(error.starts_with("`fa` could be `fa"), "{error}");
        assert!(error.ends_with("write it in full"), "{error}");
    }
}

#[test]
fn lists_end_where_the_next_value_begins() {
    let one = table(&rule_text("one", "group <those:man+> <leader:man>"));
    let error = read(&one, "group ann anton bob").map(drop);
    // The list takes as many pieces as it can, and the last piece is the leader.
    assert_eq!(error, Ok(()));
    let two = table(&rule_text("two", "group <those:man+> <others:man+>"));
    let error = read(&two, "group ann anton bob").unwrap_err();
    assert!(error.starts_with("it is not clear where `those` ends and `others` begins"), "{error}");
}

#[test]
fn a_beginning_is_that_of_a_piece_of_the_side_to_move() {
    let mut trial = table(&rule_text("one", "go <who:man>"));
    let error = read(&trial, "go an").unwrap_err();
    assert!(error.contains("`an` could be"), "{error}");
    trial.set_attribute("state.side", "blue");
    let (_, anton) = trial.find_piece("anton");
    let (_, arguments) = read(&trial, "go an").unwrap();
    assert_eq!(arguments, [Some(Argument::Value(anton.into()))]);
    trial.set_attribute("state.side", "red");
    let (_, ann) = trial.find_piece("ann");
    assert_eq!(read(&trial, "go an").unwrap().1, [Some(Argument::Value(ann.into()))]);
}

#[test]
fn the_reading_that_got_furthest_says_what_is_wrong() {
    for trial in either(("one", "go <who:man> to <to:place>"), ("two", "go <to:place>")) {
        let error = read(&trial, "go ann to ann").unwrap_err();
        assert!(error.contains("`ann`") && error.contains("place"), "{error}");
        let error = read(&trial, "go nobody").unwrap_err();
        assert!(error.contains("`nobody`"), "{error}");
    }
}

#[test]
fn the_piece_that_acts_may_come_first() {
    let shoot = rule_text("shoot", "shoot <who:man> at <target:man> [range <range:0..40>]");
    let trial = table(&format!("{shoot}default = {{ range = '1' }}\n"));
    let plain = read(&trial, "shoot ann at anton 9");
    for line in [
        "ann shoots at anton 9",
        "ann shoots anton 9",
        "the ann shoots at the anton 9 inches",
        "Ann: shoots at anton, 9",
        "shoots ann anton 9",
        "shoot ann at anton 9 inches",
        "ann shoots on anton 9",
    ] {
        assert_eq!(read(&trial, line), plain, "{line}");
    }
    // The piece named in front of a verb in the third person acts, even if both pieces are on the
    // same side.
    assert_eq!(read(&trial, "ann shoots bob 9"), read(&trial, "shoot ann at bob 9"));
    // Otherwise, either piece could act.
    let error = read(&trial, "ann shoot bob 9").unwrap_err();
    assert!(error.contains("`shoot ann bob 9` or `shoot bob ann 9`"), "{error}");
    assert!(read(&trial, "ann shoots at bob 9").is_ok());
    // A word that changes the meaning isn't left out.
    for line in ["ann shoots from anton 9", "shoot on anton with ann", "ann shoots at anton not 9"]
    {
        assert!(read(&trial, line).is_err(), "{line}");
    }
}

#[test]
fn a_piece_that_acts_may_be_the_last_of_the_usage() {
    let lift = rule_text("lift", "lift <spot:place> with <who:man>");
    let trial = table(&lift);
    let plain = read(&trial, "lift hut with bob");
    assert_eq!(read(&trial, "bob lifts hut"), plain);
    assert_eq!(read(&trial, "bob lifts the hut"), plain);
}

#[test]
fn names_joined_by_and_are_a_list_and_nothing_else() {
    let list = rule_text("march", "march <who:man+> <far:0..40>");
    let one = rule_text("lift", "lift <who:man> [by <other:man>]");
    let trial = table(&format!("{list}{one}"));
    let plain = read(&trial, "march ann bob 4");
    assert_eq!(read(&trial, "march ann and bob 4"), plain);
    assert_eq!(read(&trial, "ann and bob march 4"), plain);
    assert!(read(&trial, "lift ann and bob").is_err());
}

#[test]
fn a_verb_goes_before_other_words_for_verbs() {
    let run = "[rule.run-out]\nusage = \"run-out <who:man>\"\nafter = 'say \"a\"'\n";
    let march = "[rule.march]\nusage = \"march <who:man>\"\nalso = [\"run\", \"set off\"]\n";
    let trial =
        table(&format!("{run}{march}after = 'say \"b\"'\n[rule.set]\ntakes = \"a: man\"\n"));
    assert_eq!(rule(&trial, "run-out ann"), "run-out");
    // Abbreviations still work.
    assert_eq!(rule(&trial, "run ann"), "run-out");
    assert_eq!(rule(&trial, "set off ann"), "march");
    assert_eq!(rule(&trial, "ann sets off"), "march");
    assert_eq!(
        parse(&trial.referee, &trial.table, "ann sets off").unwrap().unwrap().restated.unwrap(),
        "march ann"
    );
}

#[test]
fn inches_are_refused_where_only_another_unit_is_measured() {
    let march =
        |unit: &str| table(&rule_text("march", &format!("march <who:man> <{unit}:1..200>")));
    for line in ["march ann 4\"", "march ann 4in", "march ann 4 inches"] {
        let error = read(&march("paces"), line).unwrap_err();
        assert!(error.contains("measures in paces, not in inches"), "{line}: {error}");
        // The name `range` tells no unit.
        for unit in ["inches", "range"] {
            assert!(read(&march(unit), line).is_ok(), "{line} for {unit}");
        }
    }
    assert!(read(&march("paces"), "march ann 4").is_ok());
    let both = rule_text("crawl", "crawl <who:man> <inches:1..9>");
    let both = table(&[rule_text("march", "march <who:man> <paces:1..200>"), both].concat());
    assert!(read(&both, "crawl ann 4\"").is_ok());
}
