//! Tests of questions about the rules, which are answered with the sentence or the rows that fit best.

use super::conversation::played_with;

const RULES: &str = r#"
[words.lamp]
values = ["lantern", "torch"]
[words.sign]
values = ["east", "west"]
[words.sign.also]
dawnwards = "east"
[chart.glow]
title = "How bright a lamp is, by its distance in paces"
by = "lamp: lamp, paces: 1..12"
columns = ["1-4", "5-8", "9-12"]
[chart.glow.rows]
lantern = [6, 4, 2]
torch = [9, 3, 1]
[kind.monk]
plural = "monks"
marker = "monk"
wet = { flag = true }
lamp = { one_of = "lamp" }
faces = { one_of = "sign" }
[rule.kindle]
title = "Light a lamp"
reads = "The monk lights his lamp with a taper. A lamp that is lit stays lit until the wind rises."
usage = "kindle <who:monk>"
phases = ["vigil"]
require = [{ that = 'not who.wet', because = "wet wicks never catch" }]
roll = '1d6'
modifiers = [{ by = '+2', because = "dry tinder" }]
needs = '>= 1'
pass = 'say "{who} sees the far side of the cloister"'
[rule.gust]
title = "The wind rises"
reads = "Every torch in the open is blown out on a 1. Lanterns are never blown out."
after = 'say "a torch is relit"'
[rule.chant]
title = "Sing the office"
reads = "The monks sing. Nobody may walk while they do."
usage = "chant <who:monk>"
phases = ["vigil"]
after = 'who.wet = false'
[[phase]]
name = "vigil"
verbs = ["kindle", "chant"]
[scenario.one.pieces.monk]
odo = {}
"#;

fn shown(lines: &[&str]) -> String {
    played_with(RULES, lines).1
}

#[test]
fn the_sentence_that_fits_best_is_quoted() {
    let answer = shown(&["when is a torch blown out"]);
    assert!(answer.contains("`rule gust` (The wind rises) has this:"), "{answer}");
    assert!(answer.contains("Every torch in the open is blown out on a 1."), "{answer}");
    assert!(!answer.contains("sing"), "{answer}");
}

#[test]
fn other_forms_of_the_words_are_understood() {
    let answer = shown(&["is walking while singing allowed"]);
    assert!(answer.contains("Nobody may walk while they do."), "{answer}");
}

#[test]
fn a_question_about_a_chart_is_answered_with_its_row_and_column() {
    let answer = shown(&["how bright is a torch at 7 paces"]);
    assert!(answer.contains("torch: 5-8 3"), "{answer}");
    assert!(!answer.contains('9') && !answer.contains("lantern"), "{answer}");
}

#[test]
fn a_reason_for_a_refusal_is_quoted() {
    let answer = shown(&["do wet wicks catch"]);
    assert!(answer.contains("Refused: wet wicks never catch"), "{answer}");
}

#[test]
fn nothing_is_quoted_if_little_of_the_question_fits() {
    for question in ["do dragons eat wind mills", "what is the capital of Peru"] {
        let answer = shown(&[question]);
        assert!(!answer.contains("has this"), "{question}: {answer}");
    }
}

#[test]
fn a_modifier_of_the_last_roll_is_explained_by_its_amount_or_label() {
    for question in ["why +2", "why the +2?", "why tinder"] {
        let answer = shown(&["kindle odo", question]);
        assert!(answer.contains("+2 is for “dry tinder”"), "{question}: {answer}");
        assert!(answer.contains("`rule kindle` shows when"), "{question}: {answer}");
    }
    let answer = shown(&["kindle odo", "why +3"]);
    assert!(!answer.contains("dry tinder”"), "{answer}");
}

#[test]
fn words_of_the_last_result_lead_to_it() {
    let answer = shown(&["kindle odo", "why cloister"]);
    assert!(answer.contains("`kindle odo` gave: odo sees the far side"), "{answer}");
}
