//! Small games with a secret that is revealed on purpose or by mistake. docs/who-hears-what.md
//! defines which of these are leaks: who sees a thing, and who may know the secrets on which it
//! depends.

use crate::ruleset::{FileText, load};

/// Two armies with patrols that only their own side sees, posts that everyone sees, and a mine that
/// only the umpire knows.
const GAME: &str = r#"
[game]
title = "Trial"
[words.army]
values = ["red", "blue"]
[sides]
are = "army"
[kind.area]
mined = { flag = true, secret = "umpire", title = "mined" }
[kind.patrol]
secret = "side"
side   = { one_of = "army" }
at     = { of = "area" }
noise  = { from = 0, to = 9, title = "noise" }
[kind.post]
side   = { one_of = "army" }
at     = { of = "area" }
alarms = { from = 0, to = 99, title = "alarms" }
papers = { from = 0, to = 9, title = "papers", secret = "side" }
heard  = { from = 0, to = 99, title = "heard", secret = "side" }
[kind.scout]
seen_by = 'self.side = viewer or not self.hidden'
side    = { one_of = "army" }
at      = { of = "area" }
hidden  = { flag = true, title = "hidden" }
"#;

/// Returns the subjects of the leaks in a ruleset.
fn leaks(rules: &str) -> Vec<String> {
    let text = format!("{GAME}{rules}");
    let file = FileText { name: "trial.toml".into(), text, scenario: None };
    let ruleset = load(vec![file]).unwrap_or_else(|faulty| panic!("{rules}: {:?}", faulty.faults));
    let mut found = super::Findings::default();
    super::lint(&ruleset, &mut found);
    found.0.into_iter().map(|(about, _)| about).collect()
}

/// Returns the leaks of a verb for a post that runs these statements.
fn told_by_post(statements: &str) -> Vec<String> {
    leaks(&format!("[rule.look]\nusage = \"look <post:post>\"\nafter = '''\n{statements}\n'''\n"))
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_line_that_everyone_hears_must_not_depend_on_a_secret() {
    let patrol = ["look: patrol"];
    for statements in [
        r#"say "{count p in patrols: p.noise > 0} heard""#,
        r#"if any p in patrols: p.at = post.at { say "who goes there?" }"#,
        r#"if no p in patrols: p.at = post.at { say "all is quiet" }"#,
        r#"let near = first p in patrols where p.at = post.at
           if near != none { say "a patrol" } else { say "nobody" }"#,
        r#"let n = count p in patrols: p.side != post.side
           repeat n times { say "a branch breaks" }"#,
        r#"let n = 0
           each p in patrols where p.side != post.side { n += 1 }
           instruct "put {n} markers down""#,
    ] {
        assert_eq!(told_by_post(statements), patrol, "{statements}");
    }
    assert_eq!(told_by_post(r#"if post.at.mined { say "careful" }"#), ["look: area.mined"]);
    assert_eq!(told_by_post(r#"say "papers: {post.papers}""#), ["look: post.papers"]);
}

#[test]
fn a_line_for_those_who_know_or_about_nothing_secret_is_no_leak() {
    for statements in [
        r#"say "{post} looks""#,
        r#"if post.at.mined { say "careful" to umpire }"#,
        r#"say "papers: {post.papers}" to post.side"#,
        r#"let n = count p in patrols: p.side != post.side
           if n > 0 { say "somebody is out there" to post.side }"#,
        r#"say "{count p in patrols: p.side = post.side} of ours" to post.side"#,
        // Only the sides that see the patrol hear the line of its turn.
        r#"each p in patrols { say "{p} makes {p.noise}" }"#,
        r#"each p in patrols where p.at = post.at { reveal p; say "{p} is found" }"#,
        r#"each p in patrols where p.revealed { say "{p}" to all }"#,
    ] {
        assert_eq!(told_by_post(statements), NOTHING, "{statements}");
    }
}

#[test]
fn a_line_for_a_side_must_not_name_a_secret_of_the_other() {
    let near = "let near = nearest p in patrols where p.side != post.side by p.noise\n";
    let told = |line: &str| told_by_post(&format!("{near}{line}"));
    assert_eq!(told(r#"say "{near} is out there" to post.side"#), ["look: patrol"]);
    assert_eq!(
        told(r#"if near != none { say "noise {near.noise}" to post.side }"#),
        ["look: patrol"]
    );
    assert_eq!(told(r#"if near != none { say "a patrol" to post.side }"#), NOTHING);
    assert_eq!(
        told(r#"if near != none { reveal near to post.side; say "{near}" to post.side }"#),
        NOTHING
    );
    // Both sides hear a line to all.
    assert_eq!(told(r#"if near != none { say "noise {near.noise}" to all }"#), ["look: patrol"]);
    assert_eq!(
        told_by_post(r#"each p in patrols { say "a twig breaks" to all }"#),
        ["look: patrol"]
    );
    assert_eq!(
        told_by_post(r#"if any p in patrols: p.noise > 5 { say "a shout" to all }"#),
        NOTHING
    );
}

#[test]
fn refusals_and_questions_must_not_tell_secrets() {
    let mined = ["look: area.mined"];
    assert_eq!(told_by_post(r#"if post.at.mined { refuse "not there" }"#), mined);
    assert_eq!(told_by_post(r#"if post.at.mined { if ask "stay?" { post.alarms += 1 } }"#), mined);
    let patrol = ["look: patrol"];
    assert_eq!(
        told_by_post(
            "let n = ask \"how many?\" between 0 and (count p in patrols: p.at = post.at)"
        ),
        patrol
    );
    let papers = r#"if post.papers > 3 { refuse "too many papers" }"#;
    assert_eq!(told_by_post(papers), ["look: post.papers"]);
    let require = |secret: &str, that: &str| {
        leaks(&format!(
            "[rule.look]\n{secret}usage = \"look <post:post>\"\nrequire = [{{ that = '{that}', because = \"no\" }}]\n"
        ))
    };
    let own = "no p in patrols: p.at = post.at and p.side = post.side";
    let foreign = "no p in patrols: p.at = post.at and p.side != post.side";
    assert_eq!(require("", own), patrol);
    assert_eq!(require("", foreign), patrol);
    assert_eq!(require("", "not post.at.mined"), mined);
    assert_eq!(require("", "post.alarms < 3"), NOTHING);
    // The side that tries may know its own secrets.
    let side = "secret = \"side\"\n";
    assert_eq!(require(side, own), NOTHING);
    assert_eq!(require(side, foreign), patrol);
}

#[test]
fn dice_and_modifiers_are_seen_by_all() {
    let rule = |keys: &str| leaks(&format!("[rule.look]\nusage = \"look <post:post>\"\n{keys}\n"));
    let mined = ["look: area.mined"];
    assert_eq!(rule("roll = '1d6'"), NOTHING);
    assert_eq!(rule("roll = 'dice(if post.at.mined then 2 else 1, 6)'"), mined);
    assert_eq!(
        rule(
            "roll = '1d6'\nneeds = '>= 4'\nmodifiers = [{ by = '1', when = 'post.at.mined', because = \"mud\" }]"
        ),
        mined
    );
    assert_eq!(rule("roll = '1d6'\nneeds = '>= (if post.at.mined then 5 else 4)'"), mined);
    assert_eq!(
        rule(
            "roll = '1d6'\nneeds = '>= 4'\nmodifiers = [{ by = '1', when = 'post.at.mined', because = \"mud\" }]\nsecret = \"umpire\""
        ),
        NOTHING
    );
}

#[test]
fn a_value_stored_where_players_see_it_must_not_come_from_a_secret() {
    let n = "count p in patrols: p.noise > 0";
    assert_eq!(told_by_post(&format!("post.alarms = {n}")), ["look: patrol"]);
    // An attribute that is itself secret may contain anything that its owner has found out.
    assert_eq!(told_by_post(&format!("post.heard = {n}")), NOTHING);
    let found = "if any p in patrols: p.at = post.at { post.alarms += 1 }";
    assert_eq!(told_by_post(found), ["look: patrol"]);
    // Everyone sees the effect of a hidden piece on others, such as a shot out of the dark.
    let done = "each p in patrols where p.at = post.at { post.alarms += 1 }";
    assert_eq!(told_by_post(done), NOTHING);
    assert_eq!(told_by_post("post.heard = post.papers"), NOTHING);
}

#[test]
fn a_secret_is_followed_through_definitions_and_rules() {
    let define =
        "[define.heard-at]\ntakes = \"area: area\"\nis = 'count p in patrols: p.at = area'\n";
    let look = |after: &str| {
        leaks(&format!(
            "{define}[rule.look]\nusage = \"look <post:post>\"\nafter = '''\n{after}\n'''\n"
        ))
    };
    assert_eq!(look(r#"say "{heard-at(post.at)}""#), ["look: patrol"]);
    assert_eq!(
        look(
            "report(heard-at(post.at))\n'''\n[rule.report]\ntakes = \"n: 0..9\"\nafter = '''\nsay \"{n}\""
        ),
        ["report: patrol"]
    );
    assert_eq!(
        look("report(3)\n'''\n[rule.report]\ntakes = \"n: 0..9\"\nafter = '''\nsay \"{n}\""),
        NOTHING
    );
    // A rule that is called because of a secret reveals it with everything that it shows.
    assert_eq!(
        look(
            "if post.at.mined { alarm(post) }\n'''\n[rule.alarm]\ntakes = \"post: post\"\nafter = '''\nsay \"alarm\""
        ),
        ["alarm: area.mined"]
    );
    // A secret rule reveals nothing to players who don't hear it.
    assert_eq!(
        look(
            "if post.at.mined { alarm(post) }\n'''\n[rule.alarm]\nsecret = \"umpire\"\ntakes = \"post: post\"\nafter = '''\nsay \"alarm\""
        ),
        NOTHING
    );
}

#[test]
fn a_rule_for_a_side_may_tell_the_secrets_of_that_side() {
    let rule = |secret: &str, line: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\n{secret}\nafter = '''\n{line}\n'''\n"
        ))
    };
    let own = r#"say "{count p in patrols: p.side = post.side}""#;
    let all = r#"say "{count p in patrols: p.noise > 0}""#;
    for secret in ["secret = \"side\"", "seen_by = 'viewer = post.side'"] {
        assert_eq!(rule(secret, own), NOTHING, "{secret}");
        assert_eq!(rule(secret, all), ["look: patrol"], "{secret}");
        assert_eq!(rule(secret, r#"say "{post.papers}""#), NOTHING, "{secret}");
    }
    assert_eq!(rule("secret = \"umpire\"", all), NOTHING);
    assert_eq!(rule("seen_by = 'true'", own), ["look: patrol"]);
}

#[test]
fn of_what_is_usually_open_only_the_hiding_is_secret() {
    let told = |line: &str| told_by_post(line);
    assert_eq!(told(r#"say "{count s in scouts: s.at = post.at} scouts""#), NOTHING);
    assert_eq!(
        told(r#"say "{count s in scouts: not s.hidden and s.at = post.at} scouts""#),
        NOTHING
    );
    assert_eq!(told(r#"say "{count s in scouts: s.hidden} are hiding""#), ["look: scout"]);
    assert_eq!(
        told(r#"if any s in scouts: s.hidden and s.at = post.at { say "a rustle" }"#),
        ["look: scout"]
    );
}

#[test]
fn a_phase_that_is_skipped_because_of_a_secret_tells_it() {
    let phase = |skip: &str| {
        leaks(&format!("[[phase]]\nname = \"night\"\nskip = '{skip}'\n[[phase]]\nname = \"day\"\n"))
    };
    assert_eq!(phase("no p in patrols: p.noise > 0"), ["night: patrol"]);
    assert_eq!(phase("no p in posts: p.alarms > 0"), NOTHING);
}

#[test]
fn statements_after_a_stop_depend_on_what_led_to_it() {
    assert_eq!(told_by_post("if post.at.mined { stop }\nsay \"all clear\""), ["look: area.mined"]);
    assert_eq!(told_by_post("if post.alarms > 3 { stop }\nsay \"all clear\""), NOTHING);
    // A line after both paths have met again doesn't reveal the secret.
    let both = "let n = 0\nif post.at.mined { n = 1 }\nsay \"done\"";
    assert_eq!(told_by_post(both), NOTHING);
}

#[test]
fn a_line_that_is_typed_tells_what_it_stores() {
    let rule = |secret: &str| {
        leaks(&format!(
            "[rule.set]\nusage = \"set papers of <post:post> <n:0..9>\"\n{secret}\nafter = 'post.papers = n'\n"
        ))
    };
    assert_eq!(rule(""), ["set: post.papers"]);
    assert_eq!(rule("secret = \"side\""), NOTHING);
    assert_eq!(rule("secret = \"umpire\""), NOTHING);
    // The result of a die is not typed.
    assert_eq!(
        leaks(
            "[rule.set]\nusage = \"set <post:post>\"\nroll = '1d6'\nafter = 'post.papers = total'\n"
        ),
        NOTHING
    );
}

#[test]
fn a_value_that_a_secret_line_stores_in_secret_must_not_decide_what_all_see() {
    let rule = |after: &str| {
        leaks(&format!(
            "[rule.set]\nusage = \"set papers of <post:post> <n:0..9> at <area:area>\"\nsecret = \"side\"\nafter = '''\n{after}\n'''\n\
             [rule.keep]\ntakes = \"post: post, n: 0..9\"\nafter = 'post.papers = n'\n"
        ))
    };
    let papers = ["set: post.papers"];
    assert_eq!(rule("post.papers = n\npost.alarms += 1"), NOTHING);
    assert_eq!(rule("post.papers = n\nif n > 3 { post.alarms += 1 }"), papers);
    assert_eq!(rule("if n > 3 { post.alarms += 1 }\npost.papers = n"), papers);
    assert_eq!(rule("post.papers = 9 - n\npost.alarms = n"), papers);
    assert_eq!(rule("post.papers = n\nsay \"{n} papers\" to all"), papers);
    assert_eq!(rule("post.papers = n\nsay \"{n} papers\""), NOTHING);
    // Of what isn't stored in secret, the players may hear.
    assert_eq!(rule("post.papers = 3\npost.alarms = n"), NOTHING);
    assert_eq!(rule("post.papers = n\nreveal post.papers\npost.alarms = n"), NOTHING);
}

#[test]
fn the_end_of_a_phase_the_order_of_the_sides_and_the_size_of_a_deck_are_seen_by_all() {
    let noisy = "any p in patrols: p.noise > 3";
    let ended = |when: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\nafter = 'if {when} {{ end turn }}'\n[[phase]]\nname = \"night\"\n"
        ))
    };
    assert_eq!(ended(noisy), ["look: patrol"]);
    assert_eq!(ended("post.alarms > 3"), NOTHING);
    let phase = |order: &str| {
        leaks(&format!("[[phase]]\nname = \"night\"\nby = \"side\"\norder = '{order}'\n"))
    };
    assert_eq!(phase("count p in patrols: p.side = state.side"), ["night: patrol"]);
    assert_eq!(phase("if state.side = red then 1 else 2"), NOTHING);
    let deck = |fill: &str| {
        leaks(&format!(
            "[deck.pack]\nof = \"post\"\nfill = '''\neach p in posts {{ put p into pack }}\n{fill}\n'''\n[rule.mix]\nusage = \"mix\"\nafter = 'shuffle pack'\n"
        ))
    };
    assert_eq!(deck(""), NOTHING);
    assert_eq!(
        deck("each p in patrols { if p.noise > 3 { each q in posts { put q into pack } } }"),
        ["pack: patrol"]
    );
    let put = |after: &str| {
        leaks(&format!(
            "[deck.pack]\nof = \"post\"\nfill = 'each p in posts {{ put p into pack }}'\n\
             [rule.look]\nusage = \"look <post:post>\"\nafter = '{after}'\n"
        ))
    };
    assert_eq!(put("put post into pack"), NOTHING);
    assert_eq!(put("if any p in patrols: p.at = post.at { put post into pack }"), ["look: patrol"]);
    assert_eq!(put("each p in patrols where p.at = post.at { put post into pack }"), NOTHING);
}

#[test]
fn whoever_sees_a_piece_is_of_its_side_until_it_is_revealed() {
    let rule = |before: &str| {
        leaks(&format!(
            "[rule.march]\nusage = \"march <patrol:patrol>\"\nafter = '''\n{before}\nsay \"{{count p in patrols: p.side = patrol.side}} of us\"\n'''\n"
        ))
    };
    assert_eq!(rule(""), NOTHING);
    assert_eq!(rule("reveal patrol"), ["march: patrol"]);
}

#[test]
fn what_was_revealed_on_a_condition_is_known_on_the_same_condition() {
    let found = "let near = first p in patrols where p.at = post.at\nlet bold = ask \"bold?\"\n";
    let told = |rest: &str| told_by_post(&format!("{found}if near != none {{ {rest} }}"));
    let shown = "if bold { reveal near }";
    assert_eq!(told(&format!("{shown}\nif bold {{ say \"{{near}}\" to all }}")), NOTHING);
    assert_eq!(
        told(&format!("{shown}\nif not bold {{ say \"{{near}}\" to all }}")),
        ["look: patrol"]
    );
}

#[test]
fn what_scenarios_set_out_in_hiding_is_not_usually_open() {
    let rule = "[rule.look]\nusage = \"look <post:post>\"\nafter = 'say \"{count s in scouts: s.at = post.at}\"'\n";
    let scouts = |lines: &str| leaks(&format!("{rule}[scenario.wood.pieces.scout]\n{lines}\n"));
    assert_eq!(scouts("a = { side = \"red\" }"), NOTHING);
    assert_eq!(scouts("a = { side = \"red\", hidden = true }"), ["look: scout"]);
    assert_eq!(scouts("a = { side = \"red\", hidden = true }\nb = { side = \"blue\" }"), NOTHING);
}

#[test]
fn a_new_piece_has_its_first_values_until_they_change() {
    let made = |rest: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\nafter = '''\nlet s = make scout {{ side = post.side }}\n{rest}say \"{{s}}\"\n'''\n[scenario.wood.pieces.scout]\na = {{ side = \"red\", hidden = true }}\n"
        ))
    };
    assert_eq!(made(""), NOTHING);
    assert_eq!(made("s.hidden = true\n"), ["look: scout"]);
}

#[test]
fn an_entry_that_names_the_rule_or_the_secret_allows_a_leak() {
    let warned = |about: &str| -> Vec<&str> {
        let rule = "[rule.look]\nusage = \"look <post:post>\"\nafter = 'if post.at.mined { say \"mud\" }'\n";
        let allow = format!(
            "[[allow]]\ncode = \"leak\"\nabout = \"{about}\"\nbecause = \"they may guess\"\n"
        );
        let text = format!("{GAME}{rule}{allow}");
        let ruleset = load(vec![FileText { name: "trial.toml".into(), text, scenario: None }]);
        let all = crate::ruleset::lints::lint(&ruleset.unwrap(), None);
        all.iter().map(|w| w.code).filter(|c| ["leak", "idle-allow"].contains(c)).collect()
    };
    for about in ["look: area.mined", "look", "area.mined", ""] {
        assert_eq!(warned(about), NOTHING, "{about}");
    }
    assert_eq!(warned("hear"), ["leak", "idle-allow"]);
}

#[test]
fn a_value_that_was_read_before_a_cell_changed_is_not_the_new_value() {
    let told = |rest: &str| {
        told_by_post(&format!(
            "let n = post.alarms\npost.alarms += 1\nif {rest} {{ if post.at.mined {{ say \"mud\" }} }}"
        ))
    };
    assert_eq!(told("n != post.alarms"), ["look: area.mined"]);
    assert_eq!(told("n = post.alarms"), ["look: area.mined"]);
    let call = "bump(post)\nif n != post.alarms { if post.at.mined { say \"mud\" } }\n'''\n[rule.bump]\ntakes = \"post: post\"\nafter = '''\npost.alarms += 1";
    assert_eq!(told_by_post(&format!("let n = post.alarms\n{call}")), ["look: area.mined"]);
}

#[test]
fn a_scout_that_hides_again_is_hidden() {
    let hidden = "[scenario.wood.pieces.scout]\na = { side = \"red\", hidden = true }\n";
    let told = |statements: &str, more: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\nafter = '''\n{statements}\n'''\n{more}{hidden}"
        ))
    };
    let name = "say \"{s} at {s.at}\" to all";
    let open = |rest: &str| {
        format!(
            "let s = first t in scouts where t.at = post.at\nif s != none and not s.hidden {{ {rest} }}"
        )
    };
    assert_eq!(told(&open(name), ""), NOTHING);
    assert_eq!(told(&open(&format!("s.hidden = true\n{name}")), ""), ["look: scout"]);
    let ambush =
        format!("[rule.ambush]\ntakes = \"s: scout\"\nafter = '''\ns.hidden = true\n{name}\n'''\n");
    assert_eq!(told(&open("ambush(s)"), &ambush), ["ambush: scout"]);
    let both = format!(
        "let open = (t in scouts where not t.hidden)\neach s in open {{ s.hidden = true }}\neach s in open {{ {name} }}"
    );
    assert_eq!(told(&both, ""), ["look: scout"]);
}

#[test]
fn what_is_known_of_one_member_is_not_known_of_the_others() {
    let told = |when: &str, list: &str| {
        told_by_post(&format!(
            "let p = first t in patrols where t.at = post.at\nlet q = first t in patrols where t.revealed\nif {when} {{ each m in {list} {{ say \"{{m}}\" to all }} }}"
        ))
    };
    assert_eq!(told("p != none and q != none", "[p, q]"), ["look: patrol"]);
    assert_eq!(told("q != none", "[q]"), NOTHING);
}

#[test]
fn what_a_loop_reveals_of_every_piece_is_known_of_all() {
    let count = r#"say "{count p in patrols: p.noise > 0} heard""#;
    let told = |before: &str| told_by_post(&format!("{before}\n{count}"));
    for before in [
        "each p in patrols { reveal p }",
        "each p in patrols { if not p.revealed { reveal p } }",
        "let n = 0\neach p in patrols { reveal p; if p.noise > 3 { continue }\nn += 1 }",
        "each p in patrols { reveal p }\nmake post { at = post.at }",
    ] {
        assert_eq!(told(before), NOTHING, "{before}");
    }
    for before in [
        "each p in patrols where p.noise > 3 { reveal p }",
        "each p in patrols { reveal p; break }",
        "each p in patrols { if post.alarms > 3 { reveal p } }",
        "each p in patrols { each q in patrols { q.revealed = false }\nreveal p }",
        "each p in patrols { reveal p }\neach p in patrols { p.revealed = false }",
        "each p in patrols { reveal p }\nmake patrol { side = post.side, at = post.at }",
        "each p in patrols { reveal p; make patrol { side = post.side, at = post.at } }",
        "each p in [first(patrols)] { reveal p }",
    ] {
        assert_eq!(told(before), ["look: patrol"], "{before}");
    }
    let called = |statements: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\nafter = '''\neach p in patrols {{ found(p) }}\n{count}\n'''\n\
             [rule.found]\ntakes = \"p: patrol\"\nafter = '''\n{statements}\n'''\n"
        ))
    };
    assert_eq!(called("reveal p"), NOTHING);
    assert_eq!(called("reveal p\nmake patrol { side = p.side, at = p.at }"), ["look: patrol"]);
    assert_eq!(called("if p.at.mined { stop }\nreveal p"), ["look: patrol"]);
}

#[test]
fn a_range_and_a_total_tell_the_secrets_in_them() {
    let papers = ["look: post.papers"];
    assert_eq!(told_by_post("each n in post.papers..9 { say \"x\" }"), papers);
    assert_eq!(told_by_post("let n = roll 1d6 + post.papers\npost.alarms = 1"), papers);
    assert_eq!(told_by_post("repeat post.papers times { say \"x\" to all }"), papers);
}

#[test]
fn both_ways_of_a_branch_may_lead_to_the_same_place() {
    assert_eq!(
        told_by_post("if post.alarms > 3 { }\nif post.at.mined { say \"mud\" }"),
        ["look: area.mined"]
    );
}

#[test]
fn a_line_for_a_side_may_tell_what_only_the_umpire_knows() {
    let told = r#"if post.at.mined { say "{post.at}: mined is {post.at.mined}" to post.side }"#;
    assert_eq!(told_by_post(told), NOTHING);
}

/// The line of a called rule for everyone is judged by its words, not by the reason for the call.
#[test]
fn a_call_of_a_rule_that_announces_something_is_an_announcement() {
    let bang = |line: &str| {
        leaks(&format!(
            "[rule.look]\nusage = \"look <post:post>\"\n\
             after = 'if any p in patrols: p.at = post.at {{ bang(post, post.papers) }}'\n\
             [rule.bang]\ntakes = \"post: post, n: 0..9\"\nafter = '{line}'\n"
        ))
    };
    assert_eq!(bang(r#"say "a bang near {post}" to all"#), NOTHING);
    assert_eq!(bang(r#"say "a bang near {post}""#), ["bang: patrol"]);
    assert_eq!(bang(r#"say "a bang near {post}: {n}" to all"#), ["bang: post.papers"]);
    let founder = "[rule.look]\nusage = \"look <patrol:patrol>\"\nsecret = \"side\"\n\
                   after = 'if patrol.noise = 0 { gone(patrol) }'\n\
                   [rule.gone]\ntakes = \"patrol: patrol\"\nafter = 'LINE'\n";
    let told = |line: &str| leaks(&founder.replace("LINE", line));
    assert_eq!(told(r#"reveal patrol; say "{patrol} is gone" to all"#), NOTHING);
    assert_eq!(told(r#"say "{patrol} is gone" to all"#), ["gone: patrol"]);
}

#[test]
fn a_number_in_a_name_counts_the_pieces_of_one_side_only() {
    let made = |make: &str| told_by_post(&format!("let p = {make}\np.side = post.side"));
    assert_eq!(made("make patrol { at = post.at }"), ["look: patrol"]);
    assert_eq!(made("make patrol { side = post.side, at = post.at }"), NOTHING);
    assert_eq!(made(r#"make patrol { at = post.at } named "p-{post}""#), NOTHING);
    assert_eq!(told_by_post("make post { at = post.at }"), NOTHING);
}

/// A piece that is still acting is named in the refusal, which no author has written.
#[test]
fn the_refusals_of_an_activation_are_no_leaks() {
    let rules = "[rule.creep]\nusage = \"creep <patrol:patrol>\"\nafter = 'patrol.noise = 1'\n\
                 [[phase]]\nname = \"night\"\nby = \"side\"\nalternate = \"done\"\n\
                 activate = { of = \"patrol\", actions = 2 }\nverbs = [\"creep\"]\n";
    assert_eq!(leaks(rules), NOTHING);
    let refused = rules.replace("'patrol.noise = 1'", "'if patrol.at.mined { refuse \"no\" }'");
    assert_eq!(leaks(&refused), ["creep: area.mined"]);
    // But the number of actions must not depend on a secret.
    let actions = rules.replace("actions = 2", "actions = 'if self.at.mined then 1 else 2'");
    assert_eq!(leaks(&actions), ["creep: area.mined"]);
}

#[test]
fn the_name_of_an_open_piece_must_not_tell_a_secret() {
    let made = |name: &str| told_by_post(&format!("make post {{ at = post.at }} named \"{name}\""));
    assert_eq!(made("new-{post}"), NOTHING);
    assert_eq!(made("new-{post.papers}"), ["look: post.papers"]);
    assert_eq!(made("new-{count p in patrols: p.at = post.at}"), ["look: patrol"]);
    let typed = "[rule.set]\nusage = \"set <post:post> <n:0..9>\"\nsecret = \"side\"\n\
                 after = 'let p = make post { side = post.side, papers = n } named \"p{n}\"'\n";
    assert_eq!(leaks(typed), ["set: post.papers"]);
    let hidden = "make patrol { side = post.side, at = post.at } named \"n-{post.papers}\"";
    assert_eq!(told_by_post(hidden), NOTHING);
}
