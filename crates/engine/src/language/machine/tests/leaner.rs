//! Tests that what runs by fewer instructions comes out as what is written at length.

use super::hooks::reports_heard;

#[test]
fn a_condition_that_jumps_by_itself_is_the_flag_that_it_makes() {
    let sides = ["m.skill", "state.n", "3", "k", "(if m.gun = rifle then m.skill else 4)"];
    let mut conditions = vec!["m.tired".to_owned()];
    for (left, right) in sides.iter().flat_map(|left| sides.map(|right| (left, right))) {
        let compared = ["<", "<=", ">", ">=", "=", "!="].map(|op| format!("{left} {op} {right}"));
        conditions.extend(compared.into_iter().filter(|_| *left != right));
    }
    for condition in conditions {
        let go = format!(
            "let k = 2\n\
             each m in men, v in 0..5 {{\n\
             m.skill = v\nm.tired = v mod 2 = 1\nstate.n = 5 - v\nm.gun = if v < 3 then rifle else musket\n\
             let flag = {condition}\n\
             if {condition} {{ if not flag {{ say \"wrong\" }} }} else {{ if flag {{ say \"wrong\" }} }}\n\
             if not ({condition}) {{ if flag {{ say \"wrong\" }} }}\n\
             if {condition} and v > 1 or not ({condition}) and v < 2 {{\n\
             if flag != (v > 1) {{ say \"wrong\" }}\n}} else {{ if flag = (v > 1) {{ say \"wrong\" }} }}\n\
             say \"told\"\n}}"
        );
        let lines = reports_heard("", &go, true);
        assert!(!lines.contains(&"wrong".to_owned()), "{condition}");
        assert_eq!(lines.iter().filter(|line| *line == "told").count(), 12, "{condition}");
    }
}

#[test]
fn a_pick_among_all_is_a_pick_among_those_gathered() {
    let go = "let a = pick m among men\nsay \"{a}\"\nremove a\n\
              let b = pick m among men\nlet c = pick m among men where m.skill >= 0\nsay \"{b} {c}\"\n\
              remove b\nlet d = pick m among men\nif d = none { say \"nobody\" }";
    assert_eq!(reports_heard("", go, true), ["anna", "bert bert", "nobody"]);
}
