//! The rule language through the loader: a small ruleset, rules called, the table looked at.

use std::sync::Arc;

use adjutant_dice::ScriptedSource;
use adjutant_engine::command::{self, Command};
use adjutant_engine::diagnostic::Severity;
use adjutant_engine::language::machine::Halt;
use adjutant_engine::referee::{Dice, Event, Inputs, Outcome, Referee};
use adjutant_engine::ruleset::{FileText, load};
use adjutant_engine::tabletop::Tabletop;

const GAME: &str = r#"
[game]
title = "Trial"
author = "nobody"

[words.mood]
values = ["calm", "worried", "broken"]

[state]
storm = { flag = true }
limit = { from = 0, to = 10, start = 4 }

[kind.area]
plan = true
heat = { from = 0, to = 5 }
wet = { from = 0, to = 3 }
near = { is = 'self.beside + self.above + self.below' }
around = { is = 'sum n in self.near: n.heat' }

[kind.man]
plural = "men"
prefix = "m"
at = { of = "area" }
skill = { from = 0, to = 200 }
mood = { one_of = "mood" }
reach = { from = 0, to = 60, fractions = true }
friends = { of = "man", many = true }
gun = { of = "gun" }
chief = { of = "man" }
on_add = 'self.skill = 50'

[list.gun]
shots = { from = 1, to = 5 }
columns = ["title", "shots"]
[list.gun.rows]
musket = ["Musket", 1]
volley = ["Volley gun", 5]

[words.suit]
values = ["clubs", "hearts"]
[words.rank]
values = ["two", "three"]
[list.card]
every = { suit = "suit", rank = "rank" }
[deck.pack]
of = "card"

[chart.pace]
by = "distance: whole, who: mood"
columns = ["calm", "worried", "broken"]
rows = { "0-4" = [1, 2, 3], "5 or more" = [4, 5, 6] }

[define.twice]
takes = "n: whole"
is = 'n * 2'
[define.down-to]
takes = "n: whole"
is = 'if n <= 0 then 0 else n + down-to(n - 1)'

[rule.spread]
each = 'from in areas where from.heat > 0, into in from.beside where into.heat = 0'
roll = '1d6'
modifiers = [
  { by = 'into.wet', because = "wet" },
  { by = -1, when = 'state.storm', because = "storm" },
]
needs = '<= from.heat'
pass_say = "catches"
fail_say = "no"
pass = 'into.heat = 1'
fail = 'if into.wet > 0 { into.wet -= 1 }'

[rule.shoot]
usage = "shoot <target:man+> with <who:man> [range <range:0.0..30.0>] [hasty]"
default = { range = '7.5' }
require = [{ that = 'who.gun != none', because = "{who} has no gun" }]
times = 'who.gun.shots'
roll = '1d6'
modifiers = [{ by = 1, when = 'hasty', because = "hasty" }]
needs = '>= 4'
pass = 'state.limit += 1'
after = 'say "{who} at {target}, range {range}: {passes} of {throws}"'

[rule.result]
takes = "n: whole"
roll = '2d6'
table = [
  { on = "2-6", say = "low", do = 'state.limit = 0' },
  { on = "7", say = "seven" },
  { on = "8 or more", say = "high", do = 'state.limit = n' },
]

[rule.fraction]
usage = "fraction"
before = '''
let third = 1 / 3
let whole = 0 / 1
repeat 3 times { whole += third }
say "{whole} {2.5 * 2} {floor(7 / 2)} {ceil(7 / 2)} {round(7 / 2)} {7 mod 4}"
'''

[rule.sums]
usage = "sums"
before = '''
let hot = (a in areas where a.heat > 0)
say "{count a in areas: a.heat > 0} {sum a in areas: a.heat} {highest a in areas: a.heat} {lowest a in areas: a.heat} {size(hot)} {first(hot)} {last(hot)}"
say "{any a in areas: a.heat > 4} {all a in areas: a.heat < 5} {no a in areas: a.wet > 0}"
say "{best a in areas by a.heat} {nearest a in areas by a.heat} {first a in areas where a.heat = 2}"
say "{twice(4)} {down-to(4)} {pace(5, worried)} {pace(0, mood.broken)}"
say "{steps(first(areas), last(areas))} {direction(first(areas), last(areas))} {opposite(north)} {turned(north, 3)}"
say "{way from first(areas) to last(areas) along beside} {path from first(areas) to last(areas) along beside where x: x.heat = 0}"
'''

[rule.draws]
usage = "draws"
before = '''
shuffle pack
let a = draw from pack
let b = draw from pack
say "{a} {b} {count c in pack} {a in pack}"
'''

[rule.lists]
usage = "lists <who:man>"
before = '''
each m in men where m != who { add m to who.friends }
say "{who.friends}"
take first(who.friends) from who.friends
say "{size(who.friends)}"
clear who.friends
say "{who.friends}"
let child = make man { at = who.at, gun = volley } named "young {who}"
say "{child} {child.skill} {child.gun}"
remove child
say "{any m in men: m = child}"
'''

[rule.ask-me]
usage = "ask-me"
before = '''
let place = ask "Where?" among a in areas where a.heat = 0
let how = ask "How many?" between 1 and 3
if ask "Sure?" { place.heat = how }
'''

[rule.pairs]
usage = "pairs"
before = '''
let turns = 0
each a in men, b in men where b != a {
  turns += 1
  remove a
}
say "{turns}"
'''

[rule.endless]
usage = "endless"
before = 'endless()'

[rule.divide]
usage = "divide <n:whole>"
before = 'say "{1 / n}"'

[rule.too-hot]
usage = "too-hot <n:whole>"
before = 'each a in areas { a.heat = n }'

[rule.moods]
usage = "moods <who:man>"
before = '''
who.mood = next(who.mood)
if who.mood >= worried { say "{who} is {who.mood}, {number(who.mood)}" }
who.mood = next(next(who.mood))
say "{who.mood} {previous(who.mood)} {who.mood in [calm, broken]} {who.skill in 1..49}"
'''

[words.die]
values = ["d4", "d6"]
[define.halves]
takes = "n: whole"
is = 'if n <= 0 then 1 / 2 else halves(n - 1) + 1'
[define.upwards]
takes = "n: whole"
is = 'if n <= 0 then [] else upwards(n - 1) + [n]'
[rule.hot-areas]
usage = "hot-areas <least:whole> [far]"
default = { far = 'false' }
gives = '(a in areas where a.heat >= least)'
[rule.heat-up]
takes = "by-how-much: whole"
default = { by-how-much = '1' }
each = 'a in areas'
after = 'a.heat += by-how-much'
[kind.coin]
worth = { from = 0, to = 9 }
quality = { one_of = "die" }
on_add = 'self.quality = d6'
[rule.careful]
usage = "careful"
before = '''
say "{halves(2)} {upwards(3)}"
let some = hot-areas(2)
let others = (a in areas where a.heat = 0)
say "{some} {size(others)}"
spread(first a in areas where a.heat > 4)
let c = make coin { worth = roll 1d6 "worth" }
say "{c.worth} {c.quality} {c.quality = d6} {5 / 2 in [1, 2.5]}"
let n = 0
repeat 3 times { if n > 0 { c.worth = n }; n += 1 }
say "{c.worth}"
'''

[rule.cut-short]
takes = "who: man"
before = '''
if who.skill > 100 { stop }
let found = first m in men where m != who
let shots = 4
let part = 5 / 2
let others = (m in men where m != who)
let feeling = broken
let sure = true
let called = name(who)
'''
gives = '"{found} {shots} {part} {size(others)} {feeling} {sure} [{called}]"'
[rule.cuts]
usage = "cuts"
before = 'each m in men where m.skill > 0 { let told = cut-short(m); say "{told}" }'

[rule.choose]
usage = "choose <how:whole>"
before = '''
let empty = (n in 1..3 where n > 9)
let moods = (m in mood where m > broken)
let nobody = (m in men where m.skill > 999)
if how = 1 { say "{first(empty)}" }
if how = 2 { say "{last(moods)}" }
if how = 3 { say "{nth(empty + [7], 2)}" }
if how = 4 { say "{best n in empty by n}" }
if how = 5 { say "{first m in mood where m > broken}" }
if how = 6 { say "{nearest m in moods by number(m)}" }
if how = 7 { say "{first(nobody)} {last(nobody)} {nth(men, 9)} {best m in nobody by m.skill}" }
'''

[define.part]
takes = "n: 0.0..2.5"
is = 'n * 2'
[rule.strict]
takes = "n: 1..3"
after = 'state.limit = n'
[rule.strictly]
usage = "strictly <n:whole>"
before = 'strict(n)'
[rule.partly]
usage = "partly <n:whole>"
before = 'say "{part(n / 2)}"'
[rule.aim]
usage = "aim [range <range:1..6>]"
default = { range = '9' }
after = 'say "{range}"'

[deck.hat]
of = "man"
[rule.grave]
usage = "grave <who:man> <how:whole>"
before = '''
let other = first m in men where m != who
remove who
if how = 1 { other.chief = who }
if how = 2 { other.friends = [who] }
if how = 3 { add who to other.friends }
if how = 4 { put who into hat }
if how = 5 { make man { at = other.at, chief = who } }
'''

[[phase]]
name = "burning"
do = 'spread()'
[[phase]]
name = "acting"
skip = 'state.storm'
verbs = ["shoot"]
remind = [{ each = 'a in areas', when = 'a.heat > 1', say = "{a} is hot" }]
end = 'state.limit = 1'

[scenario.field]
[scenario.field.legend]
x = {}
h = { heat = 2 }
[[scenario.field.level]]
plan = """
xxx
xhx
xxx"""
[scenario.field.pieces.man]
ann = { at = "a1", gun = "musket" }
bob = { at = "c3", gun = "volley", skill = 120 }
cat = { at = "a3" }
"#;

struct Trial {
    referee: Referee,
    table: Tabletop,
}

impl Trial {
    fn new() -> Trial {
        let file = FileText { name: "trial.toml".into(), text: GAME.into(), scenario: None };
        let ruleset = load(vec![file]).unwrap_or_else(|faulty| {
            let shown: Vec<String> = faulty
                .faults
                .iter()
                .map(|f| {
                    adjutant_engine::render::diagnostic::diagnostic(f, &faulty.sources, false, 100)
                })
                .collect();
            panic!("{}", shown.join("\n"))
        });
        let referee = Referee::new(Arc::new(ruleset));
        let scenario = referee.ruleset().scenarios[0].clone();
        let inputs = Inputs::with_dice(Dice::Scripted(ScriptedSource::new([])));
        let (table, _) = referee.set_up(&scenario, &inputs).unwrap();
        Trial { referee, table }
    }

    fn try_line(&self, line: &str, dice: &[u32], answers: &[&str]) -> Result<Outcome, Halt> {
        let command = command::parse(&self.referee, &self.table, line).unwrap();
        let action = match command {
            Some(Command { action, .. }) => action,
            other => panic!("{other:?}"),
        };
        let mut inputs = Inputs::with_dice(Dice::Scripted(ScriptedSource::new(dice)));
        let mut answers = answers.iter();
        loop {
            match self.referee.resolve(&self.table, &action, &inputs) {
                Ok(outcome) => {
                    assert_eq!(outcome.face_count(), dice.len(), "dice left over");
                    return Ok(outcome);
                }
                Err(Halt::Question(question)) if answers.len() > 0 => {
                    let answer = command::parse_answer(&question, answers.next().unwrap()).unwrap();
                    inputs.answers.typed.push(answer);
                }
                Err(halt) => return Err(halt),
            }
        }
    }

    fn line(&mut self, line: &str, dice: &[u32]) -> Vec<String> {
        self.with_answers(line, dice, &[])
    }

    fn with_answers(&mut self, line: &str, dice: &[u32], answers: &[&str]) -> Vec<String> {
        let outcome = self.try_line(line, dice, answers).unwrap();
        outcome.apply(&mut self.table).unwrap();
        let said = |e: &Event| match e {
            Event::Said(text) | Event::Reminded(text) => Some(text.clone()),
            Event::Check(check) => Some(format!(
                "{} {} {}",
                check.label,
                check.rolls.iter().map(|r| r.shown.as_str()).collect::<Vec<_>>().join(" "),
                check.verdict.clone().unwrap_or_default()
            )),
            _ => None,
        };
        outcome.events.iter().filter_map(said).collect()
    }

    fn is(&self, condition: &str) -> bool {
        let mut sources = adjutant_engine::source::Sources::new();
        let quoted = format!("'{condition}'");
        let length = quoted.len();
        let file = sources.add("condition", quoted.as_str());
        let span = adjutant_engine::source::Span::new(file, 0..length);
        let map = adjutant_engine::source::StringMap::new(&sources, span);
        let mut faults = Vec::new();
        let expr =
            adjutant_engine::language::parser::parse_expression(condition, &map, &mut faults)
                .unwrap();
        let flag = Some(adjutant_engine::language::schema::Type::Flag);
        let mut table = self.table.clone();
        self.referee.evaluate(&mut table, flag, &expr).unwrap().0 == 1
    }
}

#[test]
fn a_sweep_takes_the_pieces_that_pass_when_it_begins() {
    let mut t = Trial::new();
    let lines = t.line("spread", &[2, 3, 1, 6]);
    assert_eq!(
        lines,
        ["b2 → b1 [2] catches", "b2 → c2 [3] no", "b2 → b3 [1] catches", "b2 → a2 [6] no"]
    );
    assert!(t.is("b1.heat = 1 and c2.heat = 0 and b3.heat = 1"));
}

#[test]
fn a_sweep_can_be_narrowed_to_one_piece_or_a_pair() {
    let mut t = Trial::new();
    assert_eq!(t.line("spread b2 c2", &[2]), ["b2 → c2 [2] catches"]);
    assert_eq!(t.line("spread a1", &[]), Vec::<String>::new());
}

#[test]
fn modifiers_are_told_with_their_reasons() {
    let mut t = Trial::new();
    t.line("set c2.wet 2", &[]);
    t.line("set state.storm yes", &[]);
    let outcome = t.try_line("spread b2 c2", &[2], &[]).unwrap();
    let check = outcome.checks().next().unwrap();
    let reasons: Vec<String> =
        check.modifiers.iter().map(|(by, why)| format!("{by} {why}")).collect();
    assert_eq!(reasons, ["2 wet", "-1 storm"]);
    assert_eq!(check.throws[0].total.to_string(), "3");
    assert_eq!(check.throws[0].passed, Some(false));
    // Nothing has happened to the table yet.
    assert!(t.is("c2.wet = 2"));
}

#[test]
fn a_check_thrown_often_is_one_line() {
    let mut t = Trial::new();
    let lines = t.line("shoot ann cat with bob range 3.5 hasty", &[1, 3, 4, 6, 2]);
    assert_eq!(lines[1], "bob at ann, cat, range 3.5: 3 of 5");
    assert_eq!(lines.len(), 2);
    assert!(t.is("state.limit = 7"));
    // Little words and what has a default may be left out.
    assert_eq!(t.line("shoot bob ann", &[1])[1], "ann at bob, range 7.5: 0 of 1");
}

#[test]
fn requirements_refuse_and_the_umpire_may_insist() {
    let t = Trial::new();
    let refused = t.try_line("shoot ann with cat", &[], &[]).unwrap_err();
    assert_eq!(refused, Halt::Refused("cat has no gun".into()));
}

#[test]
fn an_exclamation_mark_insists_but_not_in_a_note() {
    let t = Trial::new();
    for (line, insists) in [
        ("shoot ann with cat !", true),
        ("! shoot ann with cat", true),
        ("!shoot ann with cat", true),
        ("shoot ann with cat!", true),
        ("shoot ann with cat range 3!", true),
        ("note what a shot!", false),
        ("shoot ann with cat", false),
    ] {
        match command::parse(&t.referee, &t.table, line).unwrap() {
            Some(Command { insist, .. }) => assert_eq!(insist, insists, "{line}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn rows_of_a_table_do_what_they_say() {
    let mut t = Trial::new();
    assert_eq!(t.line("result 9", &[3, 3]), [" [3 3] low"]);
    assert!(t.is("state.limit = 0"));
    assert_eq!(t.line("result 9", &[6, 3]), [" [6 3] high"]);
    assert!(t.is("state.limit = 9"));
}

#[test]
fn numbers_are_exact() {
    assert_eq!(Trial::new().line("fraction", &[]), ["1 5 3 4 4 3"]);
}

#[test]
fn questions_over_many_pieces() {
    let mut t = Trial::new();
    t.line("set c3.heat 5", &[]);
    assert_eq!(
        t.line("sums", &[]),
        [
            "2 7 5 0 2 b2 c3",
            "yes no yes",
            "c3 a1 b2",
            "8 10 5 3",
            "4 south-east south south-east",
            "4 none"
        ]
    );
}

#[test]
fn what_calls_itself_or_leaves_words_out_keeps_its_type() {
    let mut t = Trial::new();
    // One die falls, though what is given is set again after the kind's own statements; a sweep called with
    // none goes over nothing.
    let lines = t.line("careful", &[4]);
    assert_eq!(lines, ["2.5 1, 2, 3", "b2 8", "worth [4] ", "4 d6 yes yes", "2"]);
}

#[test]
fn a_sweep_with_a_default_can_still_be_narrowed() {
    let mut t = Trial::new();
    t.line("heat-up 2 a1", &[]);
    assert!(t.is("a1.heat = 2 and a2.heat = 0"));
    t.line("heat-up 1", &[]);
    assert!(t.is("a1.heat = 3 and a2.heat = 1"));
}

#[test]
fn a_piece_taken_off_has_no_more_turns() {
    // Each of three men would meet two others; each leaves at his first meeting.
    assert_eq!(Trial::new().line("pairs", &[]), ["2"]);
}

#[test]
fn cards_are_drawn_without_replacement() {
    let mut t = Trial::new();
    assert_eq!(t.line("draws", &[4, 1]), ["three-hearts two-clubs 2 no"]);
}

#[test]
fn lists_and_pieces_made_by_rules() {
    let mut t = Trial::new();
    let lines = t.line("lists bob", &[]);
    assert_eq!(lines, ["ann, cat", "1", "none", "young-bob 50 volley", "no"]);
}

#[test]
fn what_a_scenario_gives_wins_over_on_add() {
    assert!(Trial::new().is("ann.skill = 50 and bob.skill = 120"));
}

#[test]
fn questions_stop_the_rule_until_they_are_answered() {
    let mut t = Trial::new();
    assert!(matches!(t.try_line("ask-me", &[], &["a1", "3"]), Err(Halt::Question(_))));
    t.with_answers("ask-me", &[], &["a1", "3", "yes"]);
    assert!(t.is("a1.heat = 3"));
    // A question may be left to chance: which of nine areas, then 1 to 3, then yes or no.
    t.with_answers("ask-me", &[2, 1, 2], &["?", "?", "?"]);
    assert!(t.is("c1.heat = 1"));
}

#[test]
fn what_fails_at_play_names_its_rule_and_changes_nothing() {
    let t = Trial::new();
    for (line, message) in [
        ("endless", "rules call each other more than 64 levels deep, in `endless`"),
        ("divide 0", "a number is divided by zero, in `divide`"),
        ("too-hot 6", "`heat` would become 6, but must be from 0 to 5, in `too-hot`"),
    ] {
        match t.try_line(line, &[], &[]) {
            Err(Halt::Fault(error)) => assert_eq!(error.to_string(), message),
            other => panic!("{other:?}"),
        }
    }
    assert!(t.is("(sum a in areas: a.heat) = 2"));
}

#[test]
fn what_is_given_after_stop_has_empty_values() {
    let mut t = Trial::new();
    let lines = t.line("cuts", &[]);
    assert_eq!(
        lines,
        ["bob 4 2.5 2 broken yes [ann]", "none 0 0 0 calm no []", "ann 4 2.5 2 broken yes [cat]"]
    );
}

/// The message with which a line goes wrong.
fn fault(t: &Trial, line: &str) -> String {
    match t.try_line(line, &[], &[]) {
        Err(Halt::Fault(error)) => error.to_string(),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn of_no_words_or_numbers_none_can_be_chosen() {
    let mut t = Trial::new();
    assert_eq!(fault(&t, "choose 1"), "there is no item 1 in a list of length 0, in `choose`");
    assert_eq!(fault(&t, "choose 2"), "there is no item -1 in a list of length 0, in `choose`");
    assert_eq!(fault(&t, "choose 3"), "there is no item 2 in a list of length 1, in `choose`");
    for how in 4..=6 {
        let message = "there is nothing to choose from, in `choose`";
        assert_eq!(fault(&t, &format!("choose {how}")), message);
    }
    assert_eq!(t.line("choose 7", &[]), ["none none none none"]);
}

#[test]
fn a_value_worked_out_lies_within_the_range_of_its_parameter() {
    let mut t = Trial::new();
    assert_eq!(fault(&t, "strictly 4"), "`n` would be 4, but must be from 1 to 3, in `strict`");
    assert_eq!(fault(&t, "strictly 0"), "`n` would be 0, but must be from 1 to 3, in `strict`");
    t.line("strictly 3", &[]);
    assert!(t.is("state.limit = 3"));
    let message = fault(&t, "partly 6");
    assert!(message.starts_with("`n` would be 3, but must be from 0 to 2.5"), "{message}");
    assert_eq!(t.line("partly 5", &[]), ["5"]);
}

#[test]
fn a_default_may_lie_outside_the_range_that_is_typed() {
    let mut t = Trial::new();
    assert_eq!(t.line("aim", &[]), ["9"]);
    assert_eq!(t.line("aim range 6", &[]), ["6"]);
    assert!(command::parse(&t.referee, &t.table, "aim range 9").is_err());
}

#[test]
fn nothing_can_point_to_a_piece_taken_off() {
    let mut t = Trial::new();
    for how in 1..=5 {
        let message = "`bob` has been removed, so nothing can point to it, in `grave`";
        assert_eq!(fault(&t, &format!("grave bob {how}")), message, "{how}");
    }
    t.line("grave bob 0", &[]);
    assert!(t.is("(count m in men) = 2"));
}

#[test]
fn words_are_in_order() {
    let mut t = Trial::new();
    assert_eq!(t.line("moods ann", &[]), ["ann is worried, 1", "broken worried yes no"]);
}

#[test]
fn phases_run_skip_and_remind() {
    let mut t = Trial::new();
    t.line("next", &[6, 6, 6, 6]);
    assert!(t.is("state.turn = 1 and state.phase = burning"));
    assert_eq!(t.line("next", &[]), ["b2 is hot"]);
    t.line("set state.storm yes", &[]);
    t.line("next", &[6, 6, 6, 6]);
    assert!(t.is("state.turn = 2 and state.limit = 1"));
    // The acting phase is passed over in a storm.
    t.line("next", &[6, 6, 6, 6]);
    assert!(t.is("state.turn = 3 and state.phase = burning"));
}

#[test]
fn a_name_leads_to_the_piece_that_is_on_the_table() {
    let mut t = Trial::new();
    t.line("add man dan at b1 skill 7", &[]);
    let gone = t.try_line("remove dan", &[], &[]).unwrap();
    gone.apply(&mut t.table).unwrap();
    let again = t.try_line("add man dan at b3 skill 9", &[], &[]).unwrap();
    again.apply(&mut t.table).unwrap();
    assert!(t.is("dan.skill = 9"));
    again.revert(&mut t.table).unwrap();
    gone.revert(&mut t.table).unwrap();
    assert!(t.is("dan.skill = 7"));
    assert!(t.is("(count m in men: m.at = b1 or m.at = b3) = 1"));
}

#[test]
fn an_outcome_can_be_taken_back_and_made_again() {
    let mut t = Trial::new();
    let before = format!("{:?}", t.table);
    let outcome = t.try_line("lists bob", &[], &[]).unwrap();
    for change in outcome.changes() {
        t.table.apply(change).unwrap();
    }
    for change in outcome.changes().rev() {
        t.table.revert(change).unwrap();
    }
    assert!(t.is("no m in men: m.skill = 0"));
    assert!(t.is("size(bob.friends) = 0"));
    let names = t.table.names().count();
    assert_eq!(names, 12, "{before}");
}

/// Bodies of a verb, with `X` for one of three words, and the sums that they come to: each is worked out by hand for
/// figures of ranks 1, 2 and 3, where the word is met at the second.
const LOOPS: [(&str, [(&str, i64); 3]); 6] = [
    (
        "each m in men { if m.rank = 2 { X }; state.sum += m.rank }; state.sum += 100",
        [("stop", 1), ("continue", 104), ("break", 101)],
    ),
    (
        "repeat 3 times { state.count += 1; if state.count = 2 { X }; state.sum += state.count }; state.sum += 100",
        [("stop", 1), ("continue", 104), ("break", 101)],
    ),
    (
        "each a in men, b in men { if b.rank = 2 { X }; state.sum += a.rank * b.rank }; state.sum += 100",
        [("stop", 1), ("continue", 124), ("break", 101)],
    ),
    (
        "each a in men { each b in men { if b.rank = 2 { X }; state.sum += b.rank }; state.sum += 10 }; state.sum += 100",
        [("stop", 1), ("continue", 142), ("break", 133)],
    ),
    ("sweep(); state.sum += 100", [("stop", 101), ("continue", 104), ("break", 101)]),
    ("throws(); state.sum += 1000", [("stop", 1001), ("continue", 1104), ("break", 1101)]),
];

#[test]
fn stop_continue_and_break_mean_the_same_in_every_kind_of_loop() {
    for (body, sums) in LOOPS {
        for (word, sum) in sums {
            let text = format!(
                r#"
[game]
title = "Loops"
[state]
sum = {{ from = 0 }}
count = {{ from = 0 }}
[kind.man]
plural = "men"
rank = {{ from = 0 }}
[rule.sweep]
each = 'm in men'
after = 'if m.rank = 2 {{ {word} }}; state.sum += m.rank'
[rule.throws]
times = '3'
roll = '1d6'
needs = '>= 4'
pass = 'state.count += 1; if state.count = 2 {{ {word} }}; state.sum += state.count'
after = 'state.sum += 100'
[rule.go]
usage = "go"
after = '{}'
[scenario.three]
pieces.man = {{ ann = {{ rank = 1 }}, bob = {{ rank = 2 }}, cat = {{ rank = 3 }} }}
[[example]]
run = ["go"]
dice = [{}]
expect = ['state.sum = {sum}']
"#,
                body.replace('X', word),
                if body.starts_with("throws") { "6, 6, 6" } else { "" },
            );
            let faults = crate::kit::faults(vec![crate::kit::file("loops.toml", text.as_str())]);
            let errors: Vec<_> =
                faults.into_iter().filter(|(fault, _)| fault.severity == Severity::Error).collect();
            assert!(errors.is_empty(), "{word} in {body}:\n{}", crate::kit::shown(&errors));
        }
    }
}

/// Statements and the line that they print, for men of ranks 1, 2 and 3 in the order cat, bob, ann.
const LISTS: [(&str, &str); 11] = [
    ("let l = []; each m in men { if size(l) < 2 { add m to l } }; say \"{l}\"", "cat, bob"),
    (
        "let l = []; each m in men { each k in l { k.rank += 1 }; add m to l }; say \"{first(men).rank}\"",
        "5",
    ),
    ("let l = upto(2); say \"{l} {size(l)}\"", "ann, bob 2"),
    ("let l = []; each m in men { add m to l }; say \"{l}\"", "cat, bob, ann"),
    ("let l = []; each m in men { add m.rank to l; add 7 to l }; say \"{l}\"", "3, 7, 2, 7, 1, 7"),
    ("let l = men; add first(men) to l; take first(men) from l; say \"{l}\"", "bob, ann, cat"),
    (
        "let l = men; let k = l; add first(men) to l; add last(men) to k; say \"{l} / {k}\"",
        "cat, bob, ann, cat / cat, bob, ann, ann",
    ),
    ("let l = []; add 4 to l; clear l; say \"{size(l)}\"", "0"),
    ("let l = []; add 1 to l; each n in l { if n < 9 { add n + 1 to l } }; say \"{l}\"", "1, 2"),
    ("let l = (m in men by m.rank); say \"{l}\"", "ann, bob, cat"),
    ("let l = (m in men where m.rank != 2 by 0 - m.rank); say \"{l}\"", "cat, ann"),
];

/// Values of a rule with `return`, for each rank.
#[test]
fn lists_grow_and_are_sorted_and_values_are_returned() {
    let mut cases: Vec<(String, &str)> = Vec::new();
    for (body, says) in LISTS {
        cases.push((body.to_owned(), says));
    }
    cases.push(("each m in men { let n = value(m); say \"{m} {n}\" }".to_owned(), "ann 1"));
    cases.push(("each m in men { let n = value(m); say \"{m} {n}\" }".to_owned(), "bob 2.5"));
    cases.push(("each m in men { let n = value(m); say \"{m} {n}\" }".to_owned(), "cat 30"));
    cases.push(("let a, b = pair(first(men)); say \"{a} {b}\"".to_owned(), "cat 3"));
    cases.push(("let a, b = pair(last(men)); say \"{a} {b}\"".to_owned(), "none 0"));
    for (body, says) in cases {
        let text = format!(
            r#"
[game]
title = "Lists"
[kind.man]
plural = "men"
rank = {{ from = 0 }}
[rule.value]
takes = "man: man"
before = '''
if man.rank = 2 {{ return 5 / 2 }}
each m in men where m = man {{ if m.rank = 1 {{ return 1 }} }}
'''
gives = 'man.rank * 10'
[rule.pair]
takes = "man: man"
after = 'each m in men {{ if m = man and m.rank > 1 {{ return m, m.rank }} }}'
gives = 'none, 0'
[rule.upto]
takes = "most: whole"
before = '''
let found = []
each m in (m in men by m.rank) {{
  if size(found) = most {{ return found }}
  add m to found
}}
'''
gives = 'found'
[rule.go]
usage = "go"
after = '''
{body}
'''
[scenario.three]
pieces.man = {{ cat = {{ rank = 3 }}, bob = {{ rank = 2 }}, ann = {{ rank = 1 }} }}
[[example]]
run = ["go"]
says = ["{says}"]
"#
        );
        let faults = crate::kit::faults(vec![crate::kit::file("lists.toml", text.as_str())]);
        let errors: Vec<_> =
            faults.into_iter().filter(|(fault, _)| fault.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{body}:\n{}", crate::kit::shown(&errors));
    }
}

#[test]
fn a_start_is_computed_from_other_attributes() {
    let text = r#"
[game]
title = "Starts"
[list.class]
hull    = { from = 0, to = 9 }
fast    = { flag = true }
columns = ["title", "hull", "fast"]
rows    = { sloop = ["Sloop", 3, true], frigate = ["Frigate", 6, false] }
[kind.ship]
class  = { of = "class", title = "class" }
fast   = { flag = true, start = 'self.class.fast', title = "fast" }
hull   = { from = 0, to = 9, start = 'self.class.hull', title = "hull" }
masts  = { from = 0, to = 9, start = 'self.hull - 1', title = "masts" }
on_add = 'if self.fast { self.masts += 1 }'
[rule.build]
usage = "build"
after = 'let s = make ship { class = frigate, hull = 2 }; say "{s.hull} {s.fast} {s.masts}"'
[scenario.one.pieces.ship]
kite = { class = "sloop" }
bear = { class = "frigate", masts = 8 }
worn = { class = "frigate", hull = 3 }
[[example]]
title  = "As the class, unless the scenario says otherwise"
run    = ["build"]
says   = ["2 no 1"]
expect = ['kite.hull = 3', 'kite.fast', 'kite.masts = 3', 'bear.hull = 6', 'bear.masts = 8', 'worn.hull = 3', 'worn.masts = 2']
"#;
    let faults = crate::kit::faults(vec![crate::kit::file("starts.toml", text)]);
    let errors: Vec<_> =
        faults.into_iter().filter(|(fault, _)| fault.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}", crate::kit::shown(&errors));
}
