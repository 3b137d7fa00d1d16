//! Rulesets made up at random: a table of a few kinds, and rules that use the whole language over them.
//!
//! Everything is chosen by a row of numbers; where the row ends, the plainest is chosen. A shorter row and
//! lower numbers make a plainer ruleset, so a failing one shrinks automatically.

use std::fmt::Write as _;

/// The parts that never differ: the kinds, the table, and three definitions that call themselves or give lists.
const BASE_RULES: &str = r#"
[game]
title = "Trial"
author = "nobody"
[words.mood]
values = ["calm", "worried", "broken"]
[state]
n = { from = 0, to = 9, start = 2 }
f = { flag = true }
who = { of = "man" }
open = { of = "card" }
[list.gun]
shots = { from = 0, to = 5 }
heavy = { flag = true }
columns = ["title", "shots", "heavy"]
[list.gun.rows]
musket = ["Musket", 1, false]
volley = ["Volley gun", 3, true]
[words.suit]
values = ["clubs", "hearts"]
[list.card]
every = { suit = "suit" }
[deck.pack]
of = "card"
[deck.hat]
of = "man"
fill = 'each m in men where m.skill > 1 { put m into hat }'
[chart.pace]
by = "distance: whole, who: mood"
columns = ["calm", "worried", "broken"]
rows = { "0 or less" = [0, 1, 2], "1-4" = [1, 2, 3], "5 or more" = [4, 5, 6] }
[define.some]
takes = "n: whole"
is = 'if n <= 0 then [7] else some(min(n, 3) - 1) + [min(n, 3)]'
[define.within]
takes = "n: 0..6"
is = 'n * 2'
[define.ahead]
takes = "a: area, n: whole"
is = 'if n <= 0 then [a] else [a] + (b in a.east where b.heat < 4) + ahead(a, min(n, 3) - 1)'
[kind.ghost]
at = { of = "area" }
power = { from = 0, to = 5 }
seen = { of = "man", many = true }
[kind.token]
worth = { from = 0, to = 9 }
of = { of = "man" }
"#;

const KINDS: &str = r#"
[kind.area]
plan = true
heat = { from = 0, to = 5 }
wet = { from = 0, to = 3 }
gate = { flag = true }
links = { of = "area", many = true }
near = { is = 'self.beside + self.above + self.below' }
[kind.man]
plural = "men"
prefix = "m"
at = { of = "area" }
skill = { from = 0, to = 20, start = 3 }
mood = { one_of = "mood" }
out = { flag = true }
friends = { of = "man", many = true }
route = { of = "area", many = true }
gun = { of = "gun" }
chief = { of = "man" }
reach = { from = 0, to = 60, fractions = true }
label = { text = true }
"#;

const SCENARIO: &str = r#"
[scenario.field]
[scenario.field.legend]
x = {}
[[scenario.field.level]]
plan = """
xxx
xxx"""
[[scenario.field.level]]
plan = """
.x."""
[scenario.field.pieces.man]
ann = { at = "a1", gun = "musket" }
bob = { at = "b2", gun = "volley" }
cat = { at = "c1" }
dan = { at = "b1" }
"#;

/// A ruleset of these parts, on the same ground.
pub(super) fn rules_with(parts: &str) -> String {
    [BASE_RULES, KINDS, parts, SCENARIO].concat()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DraftType {
    Whole,
    Flag,
    Number,
    Text,
    Mood,
    Man,
    Area,
    Token,
    Wholes,
    Moods,
    Men,
    Areas,
}

const TYPES: [DraftType; 12] = [
    DraftType::Whole,
    DraftType::Flag,
    DraftType::Men,
    DraftType::Areas,
    DraftType::Man,
    DraftType::Area,
    DraftType::Wholes,
    DraftType::Mood,
    DraftType::Number,
    DraftType::Moods,
    DraftType::Token,
    DraftType::Text,
];

/// Types that parameters may have, and how they are written.
const PARAMETER_TYPES: [(DraftType, &str); 7] = [
    (DraftType::Whole, "whole"),
    (DraftType::Man, "man"),
    (DraftType::Area, "area"),
    (DraftType::Men, "man+"),
    (DraftType::Areas, "area+"),
    (DraftType::Flag, "flag"),
    (DraftType::Mood, "mood"),
];

struct Local {
    name: String,
    ty: DraftType,
    fixed: bool,
}

/// Something that can be called: its name, what it takes, what it gives.
struct CallReport {
    name: String,
    takes: Vec<DraftType>,
    gives: Option<DraftType>,
}

/// A ruleset being made up.
struct Draft<'a> {
    choices: &'a [u16],
    locals: Vec<Local>,
    names: usize,
    defines: Vec<CallReport>,
    rules: Vec<CallReport>,
    derived: Vec<(&'static str, DraftType, DraftType)>,
    loops: usize,
    bold: bool,
}

/// The text of a ruleset, all of whose choices are made by these numbers. Its rules `go0` to `go2` take
/// nothing.
pub(super) fn rules_from_choices(choices: &[u16]) -> String {
    let mut draft = Draft {
        choices,
        locals: Vec::new(),
        names: 0,
        defines: Vec::new(),
        rules: Vec::new(),
        derived: Vec::new(),
        loops: 0,
        bold: false,
    };
    draft.write_rules()
}

impl Draft<'_> {
    fn next_choice(&mut self) -> usize {
        match self.choices.split_first() {
            Some((&first, rest)) => {
                self.choices = rest;
                usize::from(first)
            }
            None => 0,
        }
    }

    fn pick_index(&mut self, n: usize) -> usize {
        self.next_choice() % n.max(1)
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn write_rules(&mut self) -> String {
        // Whether pieces may be asked that can be `none`.
        self.bold = self.pick_index(2) == 1;
        let mut text = BASE_RULES.to_owned();
        let mut defines = String::new();
        let mut kinds = KINDS.to_owned();
        // Each may call those before it only.
        let planned = [
            ("worth", DraftType::Man, DraftType::Whole),
            ("spots", DraftType::Man, DraftType::Areas),
            ("foes", DraftType::Man, DraftType::Men),
            ("fit", DraftType::Man, DraftType::Flag),
        ];
        for (name, of, ty) in planned {
            if self.pick_index(3) == 0 && name != "worth" {
                continue;
            }
            let self_name = Local { name: "self".into(), ty: of, fixed: true };
            let value = self.in_own_scope(vec![self_name], |d| d.expr(ty, 3));
            writeln!(kinds, "{name} = {{ is = '{value}' }}").unwrap_or_default();
            self.derived.push((name, of, ty));
            if self.pick_index(2) == 1 {
                self.define(&mut defines);
            }
        }
        for _ in 0..self.pick_index(4) {
            self.define(&mut defines);
        }
        let on_add = self.in_own_scope(
            vec![Local { name: "self".into(), ty: DraftType::Man, fixed: true }],
            |d| d.statements(2, 1),
        );
        if self.pick_index(3) == 1 {
            writeln!(kinds, "on_add = '''\n{on_add}'''").unwrap_or_default();
        }
        text += &kinds;
        text += &defines;
        for _ in 0..1 + self.pick_index(4) {
            text += &self.rule();
        }
        for i in 0..3 {
            let body = self.in_own_scope(Vec::new(), |d| d.statements(3, 3));
            writeln!(text, "[rule.go{i}]\nusage = \"go{i}\"\nbefore = '''\n{body}'''")
                .unwrap_or_default();
        }
        text + SCENARIO
    }

    /// Something with names of its own.
    fn in_own_scope(
        &mut self,
        locals: Vec<Local>,
        make: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let outer = std::mem::replace(&mut self.locals, locals);
        let loops = std::mem::take(&mut self.loops);
        let made = make(self);
        self.locals = outer;
        self.loops = loops;
        made
    }

    fn parameters(&mut self) -> (Vec<DraftType>, Vec<Local>, String) {
        let mut takes = Vec::new();
        let mut locals = Vec::new();
        let mut words = Vec::new();
        for _ in 0..self.pick_index(3) {
            let (ty, written) = PARAMETER_TYPES[self.pick_index(PARAMETER_TYPES.len())];
            let name = self.name("p");
            words.push(format!("{name}: {written}"));
            takes.push(ty);
            locals.push(Local { name, ty, fixed: true });
        }
        (takes, locals, words.join(", "))
    }

    fn define(&mut self, text: &mut String) {
        let (takes, locals, words) = self.parameters();
        let ty = TYPES[self.pick_index(TYPES.len())];
        let value = self.in_own_scope(locals, |d| d.expr(ty, 3));
        let name = self.name("def");
        writeln!(text, "[define.{name}]\ntakes = \"{words}\"\nis = '{value}'").unwrap_or_default();
        if takes.is_empty() {
            let kept: Vec<&str> = text.lines().filter(|l| *l != "takes = \"\"").collect();
            *text = kept.join("\n") + "\n";
        }
        self.defines.push(CallReport { name, takes, gives: Some(ty) });
    }

    fn rule(&mut self) -> String {
        let (takes, locals, words) = self.parameters();
        let name = self.name("rule");
        let mut text = format!("[rule.{name}]\n");
        if !takes.is_empty() {
            writeln!(text, "takes = \"{words}\"").unwrap_or_default();
        }
        let gives = match self.pick_index(3) {
            0 => None,
            _ => Some(TYPES[self.pick_index(TYPES.len())]),
        };
        let takes_none = takes.is_empty();
        let body = self.in_own_scope(locals, |d| d.rule_parts(gives, takes_none));
        text += &body;
        self.rules.push(CallReport { name, takes, gives });
        text
    }

    fn rule_parts(&mut self, gives: Option<DraftType>, takes_none: bool) -> String {
        let mut text = String::new();
        let each = takes_none && gives.is_none() && self.pick_index(2) == 1;
        if each {
            let mut sources = Vec::new();
            for _ in 0..1 + self.pick_index(2) {
                let (source, _) = self.source("e", 2, true);
                sources.push(source);
            }
            writeln!(text, "each = '{}'", sources.join(", ")).unwrap_or_default();
            self.loops += 1;
        }
        if self.pick_index(4) == 3 {
            let that = self.expr(DraftType::Flag, 2);
            writeln!(text, "require = [{{ that = '{that} or true', because = \"no\" }}]")
                .unwrap_or_default();
        }
        let before = self.open_statements(2, 2);
        writeln!(text, "before = '''\n{before}'''").unwrap_or_default();
        if self.pick_index(2) == 1 {
            let mut often = false;
            if self.pick_index(3) == 2 {
                let times = self.expr(DraftType::Whole, 1);
                often = true;
                writeln!(text, "times = 'min(3, {times})'").unwrap_or_default();
            }
            let rolled = ["1d6", "2d6kh1", "dice(2, 6)", "1d6 * 2"][self.pick_index(4)];
            writeln!(text, "roll = '{rolled}'").unwrap_or_default();
            let mut modifiers = Vec::new();
            for _ in 0..self.pick_index(3) {
                let by = self.expr(DraftType::Whole, 1);
                let when = self.expr(DraftType::Flag, 2);
                modifiers.push(format!("{{ by = '{by}', when = '{when}', because = \"x\" }}"));
            }
            writeln!(text, "modifiers = [{}]", modifiers.join(", ")).unwrap_or_default();
            let mark = self.locals.len();
            for name in ["natural", "total"].into_iter().filter(|_| !often) {
                self.locals.push(Local { name: name.into(), ty: DraftType::Whole, fixed: true });
            }
            let one = self.statements(1, 2);
            let two = self.statements(1, 2);
            if self.pick_index(2) == 0 {
                self.locals.truncate(mark);
                let needs = self.expr(DraftType::Whole, 1);
                writeln!(text, "needs = '>= {needs}'\npass = '''\n{one}'''\nfail = '''\n{two}'''")
                    .unwrap_or_default();
            } else {
                self.locals.truncate(mark);
                writeln!(
                    text,
                    "table = [\n{{ on = \"3 or less\", say = \"low\", do = '''\n{one}''' }},\n\
                     {{ on = \"4 or more\", do = '''\n{two}''' }},\n]"
                )
                .unwrap_or_default();
            }
        }
        if self.pick_index(2) == 1 {
            let after = self.open_statements(1, 2);
            writeln!(text, "after = '''\n{after}'''").unwrap_or_default();
        }
        if let Some(ty) = gives {
            let value = self.expr(ty, 2);
            writeln!(text, "gives = '{value}'").unwrap_or_default();
        }
        text
    }

    fn statements(&mut self, most: usize, depth: usize) -> String {
        let mark = self.locals.len();
        let text = self.open_statements(most, depth);
        self.locals.truncate(mark);
        text
    }

    fn open_statements(&mut self, most: usize, depth: usize) -> String {
        let count = 1 + self.pick_index(most + 1);
        let all: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        all.join("\n") + "\n"
    }

    /// A name for a piece that is to be changed, and the statement that sets it.
    fn target(&mut self, ty: DraftType) -> (String, String) {
        let value = self.expr(ty, 2);
        if self.locals.iter().any(|l| l.name == value) {
            return (value, String::new());
        }
        let name = self.name("t");
        let set = format!("let {name} = {value}\n");
        self.locals.push(Local { name: name.clone(), ty, fixed: false });
        (name, set)
    }

    fn statement(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        match self.pick_index(if depth == 0 { 14 } else { 24 }) {
            0 => {
                let ty = TYPES[self.pick_index(TYPES.len())];
                let value = self.expr(ty, 2);
                match ty {
                    DraftType::Text | DraftType::Token => format!("say \"{{{value}}}\""),
                    _ => {
                        let shown = self.expr(DraftType::Whole, 1);
                        format!("say \"{{{value}}} {{{shown}}}\"")
                    }
                }
            }
            1 | 2 => {
                let ty = TYPES[self.pick_index(TYPES.len())];
                let value = self.expr(ty, 3);
                let name = self.name("v");
                self.locals.push(Local { name: name.clone(), ty, fixed: false });
                format!("let {name} = {value}")
            }
            3 | 4 => self.assignment(),
            5 => {
                let (man, set) = self.target(DraftType::Man);
                let value = self.expr(DraftType::Whole, 2);
                let how = ["+=", "-="][self.pick_index(2)];
                format!("{set}{man}.skill {how} {value}")
            }
            6 => {
                let (area, set) = self.target(DraftType::Area);
                let change = match self.pick_index(3) {
                    0 => format!("{area}.heat = {}", self.pick_index(6)),
                    1 => {
                        let value = self.expr(DraftType::Whole, 2);
                        format!("{area}.heat = max(0, min(5, {value}))")
                    }
                    _ => format!("{area}.wet += {}", self.expr(DraftType::Whole, 1)),
                };
                set + &change
            }
            7 => {
                let (man, set) = self.target(DraftType::Man);
                let change = match self.pick_index(7) {
                    0 => format!("{man}.mood = {}", self.expr(DraftType::Mood, 1)),
                    1 => format!("{man}.out = {}", self.expr(DraftType::Flag, 2)),
                    2 => format!("{man}.at = {}", self.expr(DraftType::Area, 2)),
                    3 => format!("{man}.chief = {}", self.expr(DraftType::Man, 2)),
                    4 => format!("{man}.label = {}", self.expr(DraftType::Text, 1)),
                    5 => format!("{man}.reach += {}", self.expr(DraftType::Number, 1)),
                    _ => {
                        format!("{man}.gun = {}", ["musket", "volley", "none"][self.pick_index(3)])
                    }
                };
                set + &change
            }
            8 => {
                let (man, set) = self.target(DraftType::Man);
                let word = ["add", "take"][self.pick_index(2)];
                let by = ["to", "from"][usize::from(word == "take")];
                match self.pick_index(3) {
                    0 => format!("{set}{word} {} {by} {man}.friends", self.expr(DraftType::Man, 1)),
                    1 => format!("{set}{word} {} {by} {man}.route", self.expr(DraftType::Area, 1)),
                    _ => format!("{set}{man}.friends = {}", self.expr(DraftType::Men, 2)),
                }
            }
            9 => match self.pick_index(4) {
                0 => "state.f = not state.f".into(),
                1 => format!("state.n += {}", self.expr(DraftType::Whole, 1)),
                2 => format!("state.who = {}", self.expr(DraftType::Man, 2)),
                _ => "state.open = draw from pack".into(),
            },
            10 => {
                let name = self.name("v");
                let (value, ty) = match self.pick_index(5) {
                    0 => ("roll 1d6 \"chance\"".to_owned(), DraftType::Whole),
                    1 => ("ask \"how many\" between 1 and 3".to_owned(), DraftType::Whole),
                    2 => (format!("pick m in {}", self.expr(DraftType::Men, 1)), DraftType::Man),
                    3 => (
                        format!("ask \"where\" among {}", self.expr(DraftType::Areas, 1)),
                        DraftType::Area,
                    ),
                    _ => ("draw from hat".to_owned(), DraftType::Man),
                };
                let value = value.replace("pick m in", "pick m among");
                let value = value.replace("among (", "among x in (");
                let value = value.replace("m among x in", "m among");
                self.locals.push(Local { name: name.clone(), ty, fixed: false });
                format!("let {name} = {value}")
            }
            11 => self.rule_call(),
            12 => match self.pick_index(4) {
                0 => "shuffle pack".into(),
                1 => "shuffle hat".into(),
                2 => format!("put {} into hat", self.expr(DraftType::Man, 1)),
                _ => format!("clear {}.friends", self.expr(DraftType::Man, 1)),
            },
            13 => match self.pick_index(5) {
                0 => format!("remove {}", self.expr(DraftType::Man, 1)),
                1 => {
                    let a = self.expr(DraftType::Area, 1);
                    let b = self.expr(DraftType::Area, 1);
                    format!("{} {a} to {b} by links", "link")
                }
                2 if self.loops > 0 => ["stop", "continue", "break"][self.pick_index(3)].into(),
                2 => "stop".into(),
                3 => format!("remind \"{{{}}}\"", self.expr(DraftType::Whole, 1)),
                _ => {
                    let name = self.name("v");
                    let worth = self.expr(DraftType::Whole, 1);
                    let of = self.expr(DraftType::Man, 1);
                    self.locals.push(Local {
                        name: name.clone(),
                        ty: DraftType::Token,
                        fixed: false,
                    });
                    format!(
                        "let {name} = make token {{ worth = max(0, min(9, {worth})), of = {of} }}"
                    )
                }
            },
            14..=17 => {
                let condition = self.expr(DraftType::Flag, 3);
                let yes = self.statements(2, inner);
                match self.pick_index(2) {
                    0 => format!("if {condition} {{\n{yes}}}"),
                    _ => {
                        let no = self.statements(2, inner);
                        format!("if {condition} {{\n{yes}}} else {{\n{no}}}")
                    }
                }
            }
            18..=21 if self.loops < 2 => {
                let mark = self.locals.len();
                self.loops += 1;
                let (source, _) = self.source("e", 2, true);
                let body = self.statements(2, inner);
                self.loops -= 1;
                self.locals.truncate(mark);
                format!("each {source} {{\n{body}}}")
            }
            22 if self.loops < 2 => {
                self.loops += 1;
                let times = self.expr(DraftType::Whole, 1);
                let body = self.statements(2, inner);
                self.loops -= 1;
                format!("repeat min(4, {times}) times {{\n{body}}}")
            }
            23 => {
                let name = self.name("v");
                let man = self.expr(DraftType::Area, 1);
                self.locals.push(Local { name: name.clone(), ty: DraftType::Man, fixed: false });
                format!("let {name} = make man {{ at = {man} }}")
            }
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> String {
        let free: Vec<(String, DraftType)> =
            self.locals.iter().filter(|l| !l.fixed).map(|l| (l.name.clone(), l.ty)).collect();
        if free.is_empty() {
            return "state.n += 1".into();
        }
        let (name, ty) = free[self.pick_index(free.len())].clone();
        let value = self.expr(ty, 2);
        match ty {
            DraftType::Whole | DraftType::Number => {
                let how = ["=", "+=", "-="][self.pick_index(3)];
                format!("{name} {how} {value}")
            }
            _ => format!("{name} = {value}"),
        }
    }

    fn rule_call(&mut self) -> String {
        if self.rules.is_empty() || self.loops > 1 {
            return "state.n += 1".into();
        }
        let at = self.pick_index(self.rules.len());
        let name = self.rules[at].name.clone();
        let takes = self.rules[at].takes.clone();
        let gives = self.rules[at].gives;
        let given: Vec<String> = takes.iter().map(|&ty| self.expr(ty, 1)).collect();
        let call = format!("{name}({})", given.join(", "));
        match gives {
            None => call,
            Some(ty) => {
                let variable = self.name("v");
                self.locals.push(Local { name: variable.clone(), ty, fixed: false });
                format!("let {variable} = {call}")
            }
        }
    }

    /// `x in men where …`; the name stays known.
    fn source(&mut self, stem: &str, fuel: usize, pieces: bool) -> (String, DraftType) {
        let name = self.name(stem);
        let (over, ty) = match self.pick_index(if pieces { 6 } else { 9 }) {
            0 => ("men".to_owned(), DraftType::Man),
            1 => ("areas".to_owned(), DraftType::Area),
            2 => (self.expr(DraftType::Men, fuel.saturating_sub(1)), DraftType::Man),
            3 => (self.expr(DraftType::Areas, fuel.saturating_sub(1)), DraftType::Area),
            4 => ("tokens".to_owned(), DraftType::Token),
            5 => {
                let area = self.expr(DraftType::Area, 1);
                (
                    format!("{area}.{}", ["beside", "links", "near"][self.pick_index(3)]),
                    DraftType::Area,
                )
            }
            6 => (self.expr(DraftType::Wholes, fuel.saturating_sub(1)), DraftType::Whole),
            7 => (self.expr(DraftType::Moods, fuel.saturating_sub(1)), DraftType::Mood),
            _ => ("1..3".to_owned(), DraftType::Whole),
        };
        self.locals.push(Local { name: name.clone(), ty, fixed: true });
        if fuel > 0 && self.pick_index(3) > 0 {
            let condition = self.expr(DraftType::Flag, fuel - 1);
            return (format!("{name} in {over} where {condition}"), ty);
        }
        (format!("{name} in {over}"), ty)
    }

    /// A question over many: a source without its own condition, then what is asked of each.
    fn question(&mut self, word: &str, ask: DraftType, join: &str, fuel: usize) -> String {
        let mark = self.locals.len();
        let (source, _) = self.source("x", fuel.saturating_sub(1), false);
        let asked = self.expr(ask, fuel.saturating_sub(1));
        self.locals.truncate(mark);
        format!("({word} {source}{join} {asked})")
    }

    /// Members of `over` that pass, or one of them.
    fn member_query(
        &mut self,
        head: &str,
        over: &str,
        of: DraftType,
        tail: Option<DraftType>,
        fuel: usize,
    ) -> String {
        let name = self.name("x");
        let mark = self.locals.len();
        self.locals.push(Local { name: name.clone(), ty: of, fixed: true });
        let condition = self.expr(DraftType::Flag, fuel.saturating_sub(1));
        let by = tail.map(|ty| format!(" by {}", self.expr(ty, fuel.saturating_sub(1))));
        self.locals.truncate(mark);
        let by = by.unwrap_or_default();
        format!("({head}{name} in {over} where {condition}{by})")
    }

    fn local(&mut self, ty: DraftType) -> Option<String> {
        let known: Vec<&Local> = self.locals.iter().filter(|l| l.ty == ty).collect();
        if known.is_empty() {
            return None;
        }
        let count = known.len();
        let names: Vec<String> = known.iter().rev().map(|l| l.name.clone()).collect();
        Some(names[self.pick_index(count)].clone())
    }

    fn call_expr(&mut self, ty: DraftType, fuel: usize) -> Option<String> {
        let fitting: Vec<usize> =
            (0..self.defines.len()).filter(|&i| self.defines[i].gives == Some(ty)).collect();
        let derived: Vec<(&str, DraftType)> =
            self.derived.iter().filter(|d| d.2 == ty).map(|d| (d.0, d.1)).collect();
        let index = self.pick_index((fitting.len() + derived.len()).max(1));
        if let Some(&(name, of)) = derived.get(index) {
            let piece = self.expr(of, fuel.saturating_sub(1));
            return Some(format!("{piece}.{name}"));
        }
        let at = *fitting.get(index - derived.len())?;
        let name = self.defines[at].name.clone();
        let takes = self.defines[at].takes.clone();
        let given: Vec<String> =
            takes.iter().map(|&taken| self.expr(taken, fuel.saturating_sub(1))).collect();
        Some(format!("{name}({})", given.join(", ")))
    }

    fn expr(&mut self, ty: DraftType, fuel: usize) -> String {
        if fuel == 0 {
            return self.leaf_expr(ty);
        }
        let less = fuel - 1;
        match self.pick_index(8) {
            0 => return self.leaf_expr(ty),
            1 | 2 => {
                if let Some(local) = self.local(ty) {
                    return local;
                }
            }
            3 => {
                if let Some(call) = self.call_expr(ty, fuel) {
                    return call;
                }
            }
            4 if ty != DraftType::Text => {
                let condition = self.expr(DraftType::Flag, less);
                let a = self.expr(ty, less);
                let b = self.expr(ty, less);
                return format!("(if {condition} then {a} else {b})");
            }
            _ => {}
        }
        match ty {
            DraftType::Whole => self.whole_expr(fuel),
            DraftType::Flag => self.flag_expr(fuel),
            DraftType::Number => {
                let a = self.expr(DraftType::Whole, less);
                let b = self.expr(DraftType::Number, less);
                match self.pick_index(4) {
                    0 => format!("({a} / 2)"),
                    1 => format!("({a} + {b})"),
                    2 => format!("({b} * 2 - 1)"),
                    _ => format!("max({b}, {}.reach)", self.expr(DraftType::Man, less)),
                }
            }
            DraftType::Mood => match self.pick_index(3) {
                0 => format!("{}.mood", self.expr(DraftType::Man, less)),
                1 => format!("next({})", self.expr(DraftType::Mood, less)),
                _ => format!("previous({})", self.expr(DraftType::Mood, less)),
            },
            DraftType::Text => match self.pick_index(2) {
                0 => format!("name({})", self.expr(DraftType::Man, less)),
                _ => format!("{}.label", self.expr(DraftType::Man, less)),
            },
            DraftType::Man => {
                if !self.bold {
                    return self.leaf_expr(ty);
                }
                match self.pick_index(5) {
                    0 => format!("{}.chief", self.expr(DraftType::Man, less)),
                    1 => format!("first({})", self.expr(DraftType::Men, less)),
                    2 => self.member_query("first ", "men", DraftType::Man, None, fuel),
                    3 => self.member_query(
                        "best ",
                        "men",
                        DraftType::Man,
                        Some(DraftType::Whole),
                        fuel,
                    ),
                    _ => "state.who".into(),
                }
            }
            DraftType::Area => match self.pick_index(if self.bold { 4 } else { 2 }) {
                0 => self.leaf_expr(ty),
                1 => format!("{}.at", self.expr(DraftType::Man, less)),
                2 => format!("last({})", self.expr(DraftType::Areas, less)),
                _ => self.member_query(
                    "nearest ",
                    "areas",
                    DraftType::Area,
                    Some(DraftType::Whole),
                    fuel,
                ),
            },
            DraftType::Token => self.leaf_expr(ty),
            DraftType::Men => match self.pick_index(6) {
                0 | 1 => format!("{}.friends", self.expr(DraftType::Man, less)),
                2 => self.member_query("", "men", DraftType::Man, None, fuel),
                3 => {
                    let over = self.expr(DraftType::Men, less);
                    self.member_query("", &over, DraftType::Man, None, fuel)
                }
                4 => format!("[{}]", self.leaf_expr(DraftType::Man)),
                _ => format!(
                    "({} + {})",
                    self.expr(DraftType::Men, less),
                    self.expr(DraftType::Men, less)
                ),
            },
            DraftType::Areas => match self.pick_index(9) {
                0 => format!("{}.beside", self.expr(DraftType::Area, less)),
                1 => format!("{}.near", self.expr(DraftType::Area, less)),
                2 => self.member_query("", "areas", DraftType::Area, None, fuel),
                3 => {
                    let over = self.expr(DraftType::Areas, less);
                    self.member_query("", &over, DraftType::Area, None, fuel)
                }
                4 => {
                    let way = ["north", "east", "south-west"][self.pick_index(3)];
                    format!(
                        "step({}, {way}, {})",
                        self.expr(DraftType::Area, less),
                        1 + self.pick_index(2)
                    )
                }
                5 => format!(
                    "({} + {})",
                    self.expr(DraftType::Areas, less),
                    self.expr(DraftType::Areas, less)
                ),
                6 => format!("ahead({}, {})", self.expr(DraftType::Area, less), self.pick_index(3)),
                7 => self.way_expr("path", fuel),
                _ => format!("{}.route", self.expr(DraftType::Man, less)),
            },
            DraftType::Wholes => match self.pick_index(5) {
                0 => format!("[max(0, {}), 2]", self.expr(DraftType::Whole, less)),
                1 => format!("some({})", self.expr(DraftType::Whole, less)),
                2 => self.member_query("", "1..4", DraftType::Whole, None, fuel),
                3 => {
                    let over = self.expr(DraftType::Wholes, less);
                    self.member_query("", &over, DraftType::Whole, None, fuel)
                }
                _ => format!(
                    "({} + {})",
                    self.expr(DraftType::Wholes, less),
                    self.expr(DraftType::Wholes, less)
                ),
            },
            DraftType::Moods => match self.pick_index(3) {
                0 => format!("[{}, mood.calm]", self.expr(DraftType::Mood, less)),
                1 => self.member_query("", "mood", DraftType::Mood, None, fuel),
                _ => format!(
                    "({} + {})",
                    self.expr(DraftType::Moods, less),
                    self.expr(DraftType::Moods, less)
                ),
            },
        }
    }

    fn way_expr(&mut self, word: &str, fuel: usize) -> String {
        let less = fuel.saturating_sub(1).min(1);
        let a = self.expr(DraftType::Area, less);
        let b = self.expr(DraftType::Area, less);
        let along = ["beside", "near", "links"][self.pick_index(3)];
        if self.pick_index(2) == 0 {
            return format!("({word} from {a} to {b} along {along})");
        }
        let name = self.name("w");
        let mark = self.locals.len();
        self.locals.push(Local { name: name.clone(), ty: DraftType::Area, fixed: true });
        let condition = self.expr(DraftType::Flag, less + 1);
        self.locals.truncate(mark);
        format!("({word} from {a} to {b} along {along} where {name}: {condition})")
    }

    fn whole_expr(&mut self, fuel: usize) -> String {
        let less = fuel - 1;
        let one = |d: &mut Self| d.expr(DraftType::Whole, less);
        match self.pick_index(20) {
            0 => format!("({} + {})", one(self), one(self)),
            1 => format!("({} - {})", one(self), one(self)),
            2 => format!("({} * {})", one(self), self.pick_index(3)),
            3 => format!("({} mod {})", one(self), self.pick_index(4)),
            4 => format!("floor({} / {})", one(self), one(self)),
            5 => format!("min({}, {})", one(self), one(self)),
            6 => format!("abs(-{})", one(self)),
            7 => format!("{}.skill", self.expr(DraftType::Man, less)),
            8 => format!("{}.heat", self.expr(DraftType::Area, less)),
            9 => self.question("count", DraftType::Flag, ":", fuel),
            10 => self.question("sum", DraftType::Whole, ":", fuel),
            11 => {
                let word = ["highest", "lowest"][self.pick_index(2)];
                self.question(word, DraftType::Whole, ":", fuel)
            }
            12 => format!("size({})", self.expr(DraftType::Areas, less)),
            13 => format!("size({})", self.expr(DraftType::Men, less)),
            14 => format!("pace({}, {})", one(self), self.expr(DraftType::Mood, less)),
            15 => {
                format!(
                    "steps({}, {})",
                    self.expr(DraftType::Area, less),
                    self.expr(DraftType::Area, less)
                )
            }
            16 => self.way_expr("way", fuel),
            17 => {
                format!("nth({}, {})", self.expr(DraftType::Wholes, less), 1 + self.pick_index(2))
            }
            18 => format!("within({})", one(self)),
            _ => format!("number({})", self.expr(DraftType::Mood, less)),
        }
    }

    fn flag_expr(&mut self, fuel: usize) -> String {
        let less = fuel - 1;
        match self.pick_index(20) {
            0 | 1 => {
                let op = ["<", ">=", "=", "!="][self.pick_index(4)];
                format!(
                    "({} {op} {})",
                    self.expr(DraftType::Whole, less),
                    self.expr(DraftType::Whole, less)
                )
            }
            2 => format!("({}.heat > {})", self.expr(DraftType::Area, less), self.pick_index(5)),
            3 => format!("({}.skill <= {})", self.expr(DraftType::Man, less), self.pick_index(7)),
            4 => format!(
                "({} and {})",
                self.expr(DraftType::Flag, less),
                self.expr(DraftType::Flag, less)
            ),
            5 => format!(
                "({} or {})",
                self.expr(DraftType::Flag, less),
                self.expr(DraftType::Flag, less)
            ),
            6 => format!("(not {})", self.expr(DraftType::Flag, less)),
            7 => {
                let word = ["any", "all", "no"][self.pick_index(3)];
                self.question(word, DraftType::Flag, ":", fuel)
            }
            8 => format!(
                "({} in {})",
                self.expr(DraftType::Area, less),
                self.expr(DraftType::Areas, less)
            ),
            9 => format!(
                "({} in {}.friends)",
                self.expr(DraftType::Man, less),
                self.expr(DraftType::Man, less)
            ),
            10 => format!(
                "({} = {})",
                self.expr(DraftType::Man, less),
                self.expr(DraftType::Man, less)
            ),
            11 => format!("({}.out)", self.expr(DraftType::Man, less)),
            12 => format!("({}.gate)", self.expr(DraftType::Area, less)),
            13 => format!(
                "({} = {})",
                self.expr(DraftType::Areas, less),
                self.expr(DraftType::Areas, less)
            ),
            14 => format!("({}.chief != none)", self.expr(DraftType::Man, less)),
            15 => format!("({} >= worried)", self.expr(DraftType::Mood, less)),
            16 => format!(
                "({} < {})",
                self.expr(DraftType::Number, less),
                self.expr(DraftType::Number, less)
            ),
            17 => {
                let man = self.expr(DraftType::Man, less);
                format!("({man}.gun != none and {man}.gun.shots > {})", self.pick_index(3))
            }
            18 => format!(
                "({} in {})",
                self.expr(DraftType::Whole, less),
                self.expr(DraftType::Wholes, less)
            ),
            _ => "state.f".into(),
        }
    }

    fn leaf_expr(&mut self, ty: DraftType) -> String {
        let local = |d: &mut Self| match d.pick_index(5) {
            0 => None,
            _ => d.local(ty),
        };
        match ty {
            DraftType::Whole => match self.pick_index(3) {
                0 => self.pick_index(7).to_string(),
                1 => local(self).unwrap_or_else(|| "1".into()),
                _ => "state.n".into(),
            },
            DraftType::Flag => match self.pick_index(4) {
                0 => "true".into(),
                1 => "false".into(),
                2 => "state.f".into(),
                _ => local(self).unwrap_or_else(|| "state.f".into()),
            },
            DraftType::Number => ["0.5", "1.5", "(1 / 3)"][self.pick_index(3)].into(),
            DraftType::Text => ["\"\"", "\"one\""][usize::from(self.pick_index(2) == 9)].into(),
            DraftType::Mood => {
                ["mood.calm", "mood.worried", "mood.broken"][self.pick_index(3)].into()
            }
            DraftType::Man => local(self).unwrap_or_else(|| "last(men)".into()),
            DraftType::Area => local(self).unwrap_or_else(|| "first(areas)".into()),
            DraftType::Token => local(self).unwrap_or_else(|| "first(tokens)".into()),
            DraftType::Wholes => local(self).unwrap_or_else(|| "[1, 2, 3]".into()),
            DraftType::Moods => "[mood.broken, mood.calm]".into(),
            DraftType::Men => match self.pick_index(3) {
                0 => "men".into(),
                1 => "(ghost1 in men where false)".into(),
                _ => local(self).unwrap_or_else(|| "last(men).friends".into()),
            },
            DraftType::Areas => match self.pick_index(2) {
                0 => "areas".into(),
                _ => local(self).unwrap_or_else(|| "first(areas).beside".into()),
            },
        }
    }
}
