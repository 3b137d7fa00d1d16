//! Rule text in English, for whoever proofreads a game and cannot read the rule language: made from the checked expressions
//! and their types. Attributes, words and definitions bring phrases of their own (`says`).

use std::collections::BTreeMap;

use crate::language::compile;
use crate::language::schema::{Attribute, KindId, OPTION, Param, STATE, Schema, Type, WordsId};
use crate::language::syntax::{
    Asked, Expr, ExprKind, Name, Operator, Quantity, Source, Template, TemplatePart,
};
use crate::ruleset::Ruleset;
use crate::source::Span;

/// Verbs that are denied by `not` behind them.
const AUXILIARIES: [&str; 20] = [
    "is", "are", "was", "were", "has", "have", "had", "can", "may", "must", "will", "would",
    "does", "do", "did", "should", "might", "could", "lies", "stands",
];
/// Participles behind `has` that do not end in -ed or -en.
const PARTICIPLES: [&str; 14] = [
    "shot", "lost", "run", "made", "done", "gone", "come", "met", "left", "hit", "spent", "fled",
    "held", "set",
];
/// Names that would not read as nouns.
const NO_NOUNS: [&str; 15] = [
    "who", "from", "into", "onto", "over", "behind", "under", "other", "near", "through", "before",
    "after", "with", "this", "that",
];
/// The built-in functions as phrases.
const FUNCTIONS: [(&str, &str); 24] = [
    ("name", "the name of {0}"),
    ("number", "{0} as a number"),
    ("word", "{0} in words"),
    ("floor", "{0} rounded down"),
    ("ceil", "{0} rounded up"),
    ("round", "{0} rounded"),
    ("min", "the lower of {0} and {1}"),
    ("max", "the higher of {0} and {1}"),
    ("abs", "{0} without its sign"),
    ("size", "the number of {0}"),
    ("first", "the first of {0}"),
    ("last", "the last of {0}"),
    ("nth", "number {1} of {0}"),
    ("steps", "the steps from {0} to {1}"),
    ("step", "what lies {1} of {0}"),
    ("direction", "the direction from {0} to {1}"),
    ("line", "{0} is in line with {1}"),
    ("sides-off", "the sides by which {2} lies off a heading {1} at {0}"),
    ("arc", "{2} is in the arc of {3} sides around a heading {1} at {0}"),
    ("next", "the one after {0}"),
    ("previous", "the one before {0}"),
    ("opposite", "the opposite of {0}"),
    ("turned", "{0} turned by {1}"),
    ("dice", "{0} × d{1}"),
];

/// The names that a text may use, and which of them is `it`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    it: String,
    names: Vec<(String, Type)>,
}

impl Scope {
    /// Returns a scope of one name that the text is about.
    pub(super) fn about(name: &str, ty: Type) -> Scope {
        Scope { it: name.to_owned(), names: vec![(name.to_owned(), ty)] }
    }

    /// Returns a scope of parameters.
    pub(super) fn of(params: &[Param]) -> Scope {
        let names = params.iter().map(|p| (p.name.clone(), p.ty)).collect();
        Scope { it: String::new(), names }
    }

    fn with(&self, name: &str, ty: Type, it: bool) -> Scope {
        let mut names = self.names.clone();
        names.retain(|(n, _)| n != name);
        names.push((name.to_owned(), ty));
        Scope { it: if it { name.to_owned() } else { self.it.clone() }, names }
    }

    fn ty(&self, name: &str) -> Option<Type> {
        Some(self.names.iter().find(|(n, _)| n == name)?.1)
    }
}

/// Says the texts of a ruleset.
pub(super) struct English<'r> {
    ruleset: &'r Ruleset,
    types: BTreeMap<Span, Type>,
}

impl<'r> English<'r> {
    pub(super) fn of(ruleset: &'r Ruleset) -> English<'r> {
        English { ruleset, types: compile::types(&ruleset.schema) }
    }

    fn schema(&self) -> &'r Schema {
        &self.ruleset.schema
    }

    fn ty(&self, e: &Expr, s: &Scope) -> Type {
        match &e.kind {
            ExprKind::Name(name) => match s.ty(name) {
                Some(ty) => ty,
                None => match self.schema().plural_named(name) {
                    Some(kind) => Type::List(crate::language::schema::Element::Piece(kind)),
                    None => self.types.get(&e.span).copied().unwrap_or(Type::Unknown),
                },
            },
            _ => self.types.get(&e.span).copied().unwrap_or(Type::Unknown),
        }
    }

    fn kind(&self, kind: KindId) -> String {
        plain(&self.schema().kind(kind).name)
    }

    /// Returns a text with the values in its braces in words.
    pub(super) fn template(&self, template: &Template, s: &Scope) -> String {
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(words) => words.clone(),
            TemplatePart::Value(expr) => self.value(expr, s),
            TemplatePart::Counted(number, _, several) => {
                format!("{} {several}", self.value(number, s))
            }
        };
        template.parts.iter().map(part).collect()
    }

    /// Returns sweeps: `each area with strength above 0, each of its neighbours`; and the scope within them.
    pub(super) fn each(&self, sources: &[Source], s: &Scope) -> (String, Scope) {
        let (mut said, mut scope) = (Vec::new(), s.clone());
        for source in sources {
            let (of, inner) = self.members(source, &scope);
            let filter: Vec<&Expr> = source.filter.iter().collect();
            let words = of.each("each") + &self.relative(&filter, &source.name.text, &inner);
            scope = Scope { it: String::new(), ..inner };
            said.push((words, &source.name.text, of.one));
        }
        // What the texts behind will call it by, where that is not plain.
        let said = said.into_iter().map(|(words, name, one)| {
            let called = self.name(name, &scope);
            if called == format!("the {one}") { words } else { format!("{words} ({called})") }
        });
        let said: Vec<String> = said.collect();
        (said.join(", "), scope)
    }

    /// Returns what a source goes through, and the scope in which its name is `it`.
    fn members(&self, source: &Source, s: &Scope) -> (Members, Scope) {
        let listed = self.ty(&source.over, s);
        let ty = match listed {
            Type::List(element) => element.member(),
            _ => Type::Whole,
        };
        let of = match (&source.over.kind, ty) {
            (ExprKind::Name(name), Type::Piece(kind)) if s.ty(name).is_none() => {
                let many = plain(&self.schema().kind(kind).plural);
                match self.schema().plural_named(name) {
                    Some(_) => Members { one: self.kind(kind), many: Some(many) },
                    None => Members { one: format!("the {}", plain(name)), many: None },
                }
            }
            (ExprKind::Range(a, b), _) => {
                let (a, b) = (self.value(a, s), self.value(b, s));
                Members { one: format!("the numbers from {a} to {b}"), many: None }
            }
            (ExprKind::Name(name), _) if s.ty(name).is_none() => {
                Members { one: format!("the {}", plain(name)), many: None }
            }
            _ => Members { one: self.value(&source.over, s), many: None },
        };
        (of, s.with(&source.name.text, ty, true))
    }

    /// Returns conditions on `it` behind what it is: ` with strength above 0 and that can move`.
    fn relative(&self, conditions: &[&Expr], it: &str, s: &Scope) -> String {
        let mut all = Vec::new();
        conditions.iter().for_each(|e| flatten(e, Operator::And, &mut all));
        let is_it = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name == it);
        let own = |e: &Expr| match &e.kind {
            ExprKind::Member(of, name) if is_it(of) => self.attribute(of, name, s),
            _ => None,
        };
        all.retain(|e| !matches!(e.kind, ExprKind::Flag(true)));
        let said = all.iter().map(|e| {
            if let ExprKind::Binary(op, left, right) = &e.kind
                && op.compares()
                && let Some(attribute) = own(left)
                && (matches!(right.kind, ExprKind::Nothing) || is_number(attribute.ty))
            {
                return self.with(attribute, *op, right, s);
            }
            let clause = self.holds(e, s);
            match (clause.strip_prefix("its "), clause.strip_prefix("it ")) {
                (Some(rest), _) => format!("whose {rest}"),
                (None, Some(rest)) => format!("that {rest}"),
                (None, None) => format!("where {clause}"),
            }
        });
        let said: Vec<String> = said.collect();
        if said.is_empty() { String::new() } else { format!(" {}", said.join(" and ")) }
    }

    /// Returns `with strength above 0`, `without a load`, `whose side is red`.
    fn with(&self, attribute: &Attribute, op: Operator, value: &Expr, s: &Scope) -> String {
        let noun = noun(attribute);
        if matches!(value.kind, ExprKind::Nothing) {
            let with = if op == Operator::Equal { "without" } else { "with" };
            return format!("{with} {}", article(&noun));
        }
        let than = operator(op).trim_start_matches("is").trim();
        format!("with {noun} {than} {}", self.value(value, s)).replace("  ", " ")
    }

    /// Returns a condition as a clause.
    pub(super) fn holds(&self, e: &Expr, s: &Scope) -> String {
        self.clause(e, false, s)
    }

    fn clause(&self, e: &Expr, not: bool, s: &Scope) -> String {
        match &e.kind {
            ExprKind::Flag(flag) => if *flag != not { "always" } else { "never" }.to_owned(),
            ExprKind::Not(inner) => self.clause(inner, !not, s),
            ExprKind::Binary(op @ (Operator::And | Operator::Or), ..) => {
                let mut all = Vec::new();
                flatten(e, *op, &mut all);
                let said = all.iter().map(|part| match &part.kind {
                    ExprKind::Binary(Operator::And | Operator::Or, ..) => {
                        format!("({})", self.clause(part, not, s))
                    }
                    _ => self.clause(part, not, s),
                });
                let and = (*op == Operator::And) != not;
                said.collect::<Vec<_>>().join(if and { " and " } else { " or " })
            }
            ExprKind::Binary(op, left, right) if is_condition(*op) => {
                self.compared(if not { opposite(*op) } else { *op }, left, right, s)
            }
            ExprKind::Quantified(quantity, source, body) => {
                self.question(*quantity, source, body.as_deref(), not, s)
            }
            ExprKind::Choice(condition, yes, no) => {
                let condition = self.holds(condition, s);
                let (yes, no) = (self.clause(yes, not, s), self.clause(no, not, s));
                format!("({yes} if {condition}, otherwise {no})")
            }
            ExprKind::Let(name, value, body) => {
                let inner = s.with(&name.text, self.ty(value, s), false);
                let (name, value) = (self.name(&name.text, &inner), self.value(value, s));
                format!("{}, where {name} is {value}", self.clause(body, not, &inner))
            }
            ExprKind::Member(of, name) => match self.attribute(of, name, s) {
                Some(_) if self.ty(of, s) == Type::Piece(OPTION) || is_name(of, "option") => {
                    let state = if not { "off" } else { "on" };
                    format!("the house rule ‘{}’ is {state}", name.text)
                }
                Some(a) if is_name(of, "state") => predicate("the game", &flag(a), not),
                Some(a) => predicate(&self.value(of, s), &flag(a), not),
                None => predicate(&self.value(of, s), &plain(&name.text), not),
            },
            ExprKind::Call(name, args) => self.call(name, args, Some(not), s),
            ExprKind::Name(name) => match name.as_str() {
                "passed" => if not { "it fails" } else { "it passes" }.to_owned(),
                name if s.ty(name).is_some() => {
                    predicate(&format!("‘{}’", plain(name)), "given", not)
                }
                name => predicate(&format!("‘{}’", plain(name)), "holds", not),
            },
            ExprKind::Ask(question, _) => {
                let answer = if not { "no" } else { "yes" };
                format!("the umpire answers {answer} to “{}”", self.template(question, s))
            }
            _ => format!("{} is {}", self.value(e, s), if not { "no" } else { "yes" }),
        }
    }

    fn question(
        &self,
        quantity: Quantity,
        source: &Source,
        body: Option<&Expr>,
        not: bool,
        s: &Scope,
    ) -> String {
        let (of, inner) = self.members(source, s);
        let it = &source.name.text;
        let filter: Vec<&Expr> = source.filter.iter().collect();
        let both: Vec<&Expr> = source.filter.iter().chain(body).collect();
        match (quantity, not) {
            (Quantity::Any, false) | (Quantity::No, true) => {
                format!("there is {}{}", of.a(), self.relative(&both, it, &inner))
            }
            (Quantity::Any, true) | (Quantity::No, false) => {
                format!("there is {}{}", of.no(), self.relative(&both, it, &inner))
            }
            (Quantity::All, _) => {
                let every = of.each(if not { "not every" } else { "every" });
                let holds = body.map_or(String::new(), |body| self.holds(body, &inner));
                let which = self.relative(&filter, it, &inner);
                match holds.strip_prefix("it ") {
                    Some(holds) => format!("{every}{which} {holds}"),
                    None => format!("for {every}{which}, {holds}"),
                }
            }
            _ => String::new(),
        }
    }

    fn compared(&self, op: Operator, left: &Expr, right: &Expr, s: &Scope) -> String {
        let nothing = matches!(right.kind, ExprKind::Nothing);
        if let (true, ExprKind::Member(of, name)) = (nothing, &left.kind)
            && let Some(attribute) = self.attribute(of, name, s)
        {
            let noun = noun(attribute);
            let had = if op == Operator::Equal { format!("no {noun}") } else { article(&noun) };
            return match is_name(of, "state") {
                true => format!("there is {had}"),
                false => format!("{} has {had}", self.value(of, s)),
            };
        }
        if matches!(left.kind, ExprKind::Not(_) | ExprKind::Binary(..))
            && self.ty(left, s) == Type::Flag
            || matches!(&left.kind, ExprKind::Binary(op, ..) if is_condition(*op))
        {
            let when = if op == Operator::Equal { "exactly when" } else { "only when not" };
            return format!("{} {when} {}", self.holds(left, s), self.holds(right, s));
        }
        let value = self.value(left, s);
        if nothing {
            let no = if op == Operator::Equal { "not given" } else { "given" };
            return format!("{value} is {no}");
        }
        if let Some(phrase) = self.word_phrase(right, s)
            && let ExprKind::Member(of, _) = &left.kind
        {
            return predicate(&self.value(of, s), phrase, op != Operator::Equal);
        }
        let among = match &right.kind {
            ExprKind::List(items) => {
                joined(items.iter().map(|item| self.value(item, s)).collect(), "or")
            }
            _ if matches!(op, Operator::In | Operator::NotIn) => {
                format!("among {}", self.value(right, s))
            }
            _ => self.value(right, s),
        };
        format!("{value} {} {among}", operator(op))
    }

    /// Returns the phrase of a word of a set, if it is one and has one.
    fn word_phrase(&self, e: &Expr, s: &Scope) -> Option<&'r str> {
        let (ExprKind::Name(word), Type::Word(set)) = (&e.kind, self.ty(e, s)) else { return None };
        let place = self.place(set, word).filter(|_| s.ty(word).is_none())?;
        self.schema().word_set(set).says.get(place).map(String::as_str)
    }

    fn place(&self, set: WordsId, word: &str) -> Option<usize> {
        self.schema().word_set(set).values.iter().position(|w| w == word)
    }

    /// Returns the attribute of a member, if it is one.
    fn attribute(&self, of: &Expr, name: &Name, s: &Scope) -> Option<&'r Attribute> {
        let kind = match (&of.kind, self.ty(of, s)) {
            (ExprKind::Name(of), _) if of == "state" => STATE,
            (ExprKind::Name(of), _) if of == "option" => OPTION,
            (_, Type::Piece(kind)) => kind,
            _ => return None,
        };
        self.schema().kind(kind).attribute(&name.text)
    }

    fn name(&self, name: &str, s: &Scope) -> String {
        if name == s.it {
            return "it".to_owned();
        }
        let ty = s.ty(name);
        let noun = name.len() > 2 && !NO_NOUNS.contains(&name) && name != "self";
        match ty {
            Some(Type::Piece(kind)) if !noun => {
                match s.names.iter().filter(|(_, t)| Some(*t) == ty).count() {
                    1 => format!("the {}", self.kind(kind)),
                    _ => format!("‘{name}’"),
                }
            }
            _ if noun => format!("the {}", plain(name)),
            _ => name.to_owned(),
        }
    }

    /// Returns a value as a noun.
    pub(super) fn value(&self, e: &Expr, s: &Scope) -> String {
        let value = |e: &Expr| self.value(e, s);
        match &e.kind {
            ExprKind::Whole(n) => n.to_string().replace('-', "−"),
            ExprKind::Fraction(n) => n.to_string(),
            ExprKind::Text(template) => format!("“{}”", self.template(template, s)),
            ExprKind::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            ExprKind::Nothing => "none".to_owned(),
            ExprKind::Name(name) => self.named(name, e, s),
            ExprKind::List(items) if items.is_empty() => "nothing".to_owned(),
            ExprKind::List(items) => joined(items.iter().map(value).collect(), "and"),
            ExprKind::Member(of, name) => match self.attribute(of, name, s) {
                _ if is_name(of, "option") => format!("the house rule ‘{}’", name.text),
                Some(a) if is_name(of, "state") => format!("the {}", noun(a)),
                Some(a) => possessive(&value(of), &noun(a)),
                // A word of a set, or a row of a list, with the name of that before it.
                None => plain(&name.text),
            },
            ExprKind::Call(name, args) => self.call(name, args, None, s),
            ExprKind::Negative(inner) => format!("−{}", value(inner)),
            ExprKind::Binary(op, left, right) if !is_condition(*op) && !is_junction(*op) => {
                let part = |e: &Expr| match &e.kind {
                    ExprKind::Binary(..) | ExprKind::Choice(..) => format!("({})", value(e)),
                    _ => value(e),
                };
                let additive = |e: &Expr| match (&e.kind, op) {
                    (ExprKind::Binary(Operator::Add | Operator::Subtract, ..), Operator::Add) => {
                        value(e)
                    }
                    _ => part(e),
                };
                match op {
                    Operator::Add => format!("{} + {}", additive(left), additive(right)),
                    Operator::Subtract => format!("{} − {}", value(left), part(right)),
                    Operator::Multiply => format!("{} × {}", part(left), part(right)),
                    Operator::Divide => format!("{} ÷ {}", part(left), part(right)),
                    _ => format!("the remainder of {} by {}", part(left), part(right)),
                }
            }
            ExprKind::Not(_) | ExprKind::Binary(..) => format!("whether {}", self.holds(e, s)),
            ExprKind::Choice(condition, yes, no) => {
                let condition = self.holds(condition, s);
                format!("{} if {condition}, otherwise {}", value(yes), value(no))
            }
            ExprKind::Let(name, is, body) => {
                let inner = s.with(&name.text, self.ty(is, s), false);
                let called = self.name(&name.text, &inner);
                format!("{}, where {called} is {}", self.value(body, &inner), value(is))
            }
            ExprKind::Quantified(quantity, source, body) => {
                self.counted(*quantity, source, body.as_deref(), e, s)
            }
            ExprKind::Filtered(source) => {
                let (of, inner) = self.members(source, s);
                let filter: Vec<&Expr> = source.filter.iter().collect();
                of.all() + &self.relative(&filter, &source.name.text, &inner)
            }
            ExprKind::Range(a, b) => format!("{} to {}", value(a), value(b)),
            ExprKind::Way { places, from, to, along, filter } => {
                let what = if *places { "the places on the way" } else { "the length of the way" };
                let (from, to, along) = (value(from), value(to), plain(&along.text));
                let filter = filter.as_ref().map(|(name, condition)| {
                    let ty = self.types.get(&from_span(e)).copied().unwrap_or(Type::Unknown);
                    let inner = s.with(&name.text, ty, true);
                    format!(", over places where {}", self.holds(condition, &inner))
                });
                format!("{what} from {from} to {to} by {along}{}", filter.unwrap_or_default())
            }
            ExprKind::Dice(dice) => dice.text.clone(),
            ExprKind::Roll(dice, _) => format!("a roll of {}", value(dice)),
            ExprKind::Ask(question, asked) => {
                let among = match asked {
                    Asked::Between(a, b) => format!(" (from {} to {})", value(a), value(b)),
                    Asked::Among(_) | Asked::Flag => String::new(),
                };
                format!("what the umpire answers to “{}”{among}", self.template(question, s))
            }
            ExprKind::Pick(source) => {
                let (of, inner) = self.members(source, s);
                let filter: Vec<&Expr> = source.filter.iter().collect();
                let which = self.relative(&filter, &source.name.text, &inner);
                format!("{}{which}, at random", of.a())
            }
            ExprKind::Draw(deck) => format!("what is drawn from the {}", plain(&deck.text)),
            ExprKind::Make(kind, ..) => format!("a new {}", plain(&kind.text)),
        }
    }

    fn named(&self, name: &str, e: &Expr, s: &Scope) -> String {
        if name == s.it || s.ty(name).is_some() {
            return self.name(name, s);
        }
        match self.ty(e, s) {
            Type::Word(set) if self.place(set, name).is_some() => plain(name),
            Type::Piece(kind) => {
                let rows = &self.schema().kind(kind).rows;
                match rows.iter().find(|row| row.name == name) {
                    Some(row) => self.schema().row_title(kind, row),
                    None => self.name(name, s),
                }
            }
            _ => match self.schema().plural_named(name) {
                Some(kind) => format!("all {}", plain(&self.schema().kind(kind).plural)),
                None => self.name(name, s),
            },
        }
    }

    fn counted(
        &self,
        quantity: Quantity,
        source: &Source,
        body: Option<&Expr>,
        e: &Expr,
        s: &Scope,
    ) -> String {
        let (of, inner) = self.members(source, s);
        let it = &source.name.text;
        let filter: Vec<&Expr> = source.filter.iter().collect();
        let both: Vec<&Expr> = source.filter.iter().chain(body).collect();
        let which = self.relative(&filter, it, &inner);
        // What is asked of each of many is asked of no `it`.
        let each = || {
            let of_each = body.map_or(String::new(), |body| self.value(body, &inner));
            of_each.strip_prefix("its ").map_or(of_each.clone(), str::to_owned)
        };
        match quantity {
            Quantity::Count => {
                let which = self.relative(&both, it, &inner);
                let which =
                    which.replace("that is ", "that are ").replace("that has ", "that have ");
                format!("the number of {}{which}", of.many())
            }
            Quantity::Sum => format!("the sum of {} over {}{which}", each(), of.all()),
            Quantity::Highest => format!("the highest {} of {}{which}", each(), of.all()),
            Quantity::Lowest => format!("the lowest {} of {}{which}", each(), of.all()),
            Quantity::First => {
                format!("{}{}", of.each("the first"), self.relative(&both, it, &inner))
            }
            Quantity::Best => format!("{}{which} with the highest {}", of.each("the"), each()),
            Quantity::Nearest => format!("{}{which} with the lowest {}", of.each("the"), each()),
            Quantity::Any | Quantity::All | Quantity::No => {
                format!("whether {}", self.holds(e, s))
            }
        }
    }

    /// Returns a call as a noun, or as a clause that is denied or not.
    fn call(&self, name: &Name, args: &[Expr], denied: Option<bool>, s: &Scope) -> String {
        let schema = self.schema();
        let args: Vec<String> = args.iter().map(|arg| self.value(arg, s)).collect();
        let filled = |phrase: &str, params: &[String]| {
            let fill = |said: String, (param, arg): (&String, &String)| {
                said.replace(&format!("{{{param}}}"), arg)
            };
            params.iter().zip(&args).fold(phrase.to_owned(), fill)
        };
        let clause = |phrase: &str| match denied {
            Some(true) => denial(phrase),
            _ => phrase.to_owned(),
        };
        let of_all = match args.is_empty() {
            true => String::new(),
            false => format!(" for {}", joined(args.clone(), "and")),
        };
        if let Some((_, phrase)) = FUNCTIONS.iter().find(|(function, _)| *function == name.text) {
            let numbers: Vec<String> = (0..args.len()).map(|n| n.to_string()).collect();
            return clause(&filled(phrase, &numbers));
        }
        if let Some(chart) = schema.chart_named(&name.text) {
            let title = &schema.charts[chart.index()].title;
            return clause(&format!("what the chart “{title}” gives{of_all}"));
        }
        if let Some(define) = schema.define_named(&name.text) {
            let define = &schema.defines[define.index()];
            let params: Vec<String> = define.params.iter().map(|p| p.name.clone()).collect();
            if let Some(says) = &define.says {
                return clause(&filled(says, &params));
            }
        } else if let Some(rule) = schema.rule_named(&name.text) {
            return format!("what “{}” gives{of_all}", schema.rules[rule.index()].title);
        }
        let words = plain(&name.text);
        let verb = AUXILIARIES.iter().any(|aux| words.split(' ').next() == Some(aux));
        match (denied, args.split_first()) {
            (Some(not), Some((first, rest))) if verb => {
                let rest = joined(rest.to_vec(), "and");
                predicate(first, format!("{words} {rest}").trim_end(), not)
            }
            (Some(not), _) => {
                format!("‘{words}’ {}{of_all}", if not { "does not hold" } else { "holds" })
            }
            (None, _) => format!("the {words}{of_all}"),
        }
    }

    /// Returns what a modifier adds, with its sign: `− 1`, `+ its speed`.
    pub(super) fn added(&self, by: &Expr, s: &Scope) -> String {
        match &by.kind {
            ExprKind::Negative(inner) => format!("− {}", self.value(inner, s)),
            _ => format!("+ {}", self.value(by, s)),
        }
    }

    /// Returns a need: `at most the strength of ‘from’`.
    pub(super) fn needed(&self, op: Operator, value: &Expr, s: &Scope) -> String {
        let than = operator(op).trim_start_matches("is").trim();
        let than = if op == Operator::Equal { "exactly" } else { than };
        format!("{than} {}", self.value(value, s))
    }
}

/// The members that a source goes through, in words.
struct Members {
    /// The name of one, or of all that it goes through.
    one: String,
    /// The name of many, if it goes through all of a kind.
    many: Option<String>,
}

impl Members {
    fn each(&self, word: &str) -> String {
        match (&self.many, word) {
            (Some(_), word) => format!("{word} {}", self.one),
            (None, "the") => format!("the one of {}", self.one),
            (None, "every" | "not every") => format!("{word} one of {}", self.one),
            (None, word) => format!("{word} of {}", self.one),
        }
    }

    fn a(&self) -> String {
        if self.many.is_some() { article(&self.one) } else { format!("one of {}", self.one) }
    }

    fn no(&self) -> String {
        let word = if self.many.is_some() { "no" } else { "none of" };
        format!("{word} {}", self.one)
    }

    fn many(&self) -> &str {
        self.many.as_deref().unwrap_or(&self.one)
    }

    fn all(&self) -> String {
        self.many.as_ref().map_or_else(|| self.one.clone(), |many| format!("all {many}"))
    }
}

fn from_span(e: &Expr) -> Span {
    match &e.kind {
        ExprKind::Way { from, .. } => from.span,
        _ => e.span,
    }
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Whole | Type::Number)
}

fn plain(name: &str) -> String {
    name.replace('-', " ")
}

fn is_name(e: &Expr, wanted: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(name) if name == wanted)
}

fn is_junction(op: Operator) -> bool {
    matches!(op, Operator::And | Operator::Or)
}

fn is_condition(op: Operator) -> bool {
    op.compares() || matches!(op, Operator::In | Operator::NotIn)
}

/// Gathers the parts that an operator joins.
fn flatten<'e>(e: &'e Expr, op: Operator, to: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(found, left, right) if *found == op => {
            flatten(left, op, to);
            flatten(right, op, to);
        }
        _ => to.push(e),
    }
}

fn opposite(op: Operator) -> Operator {
    use Operator::{AtLeast, AtMost, Equal, Greater, In, Less, NotEqual, NotIn};
    match op {
        Equal => NotEqual,
        NotEqual => Equal,
        Less => AtLeast,
        AtLeast => Less,
        Greater => AtMost,
        AtMost => Greater,
        In => NotIn,
        NotIn => In,
        other => other,
    }
}

fn operator(op: Operator) -> &'static str {
    match op {
        Operator::NotEqual | Operator::NotIn => "is not",
        Operator::Less => "is below",
        Operator::AtMost => "is at most",
        Operator::Greater => "is above",
        Operator::AtLeast => "is at least",
        _ => "is",
    }
}

/// Returns the phrase of an attribute as a noun.
fn noun(attribute: &Attribute) -> String {
    match (&attribute.says, attribute.name.as_str()) {
        (Some(says), _) => says.clone(),
        (None, "at") => "place".to_owned(),
        (None, name) => plain(name),
    }
}

/// Returns the phrase of a flag as a predicate.
fn flag(attribute: &Attribute) -> String {
    let verb =
        |title: &&String| title.split(' ').next().is_some_and(|first| AUXILIARIES.contains(&first));
    let says = attribute.says.as_ref().or(attribute.title.as_ref().filter(verb));
    says.cloned().unwrap_or_else(|| plain(&attribute.name))
}

fn article(noun: &str) -> String {
    match noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => format!("an {noun}"),
        false => format!("a {noun}"),
    }
}

fn possessive(owner: &str, noun: &str) -> String {
    match owner {
        "it" => format!("its {noun}"),
        _ if owner.starts_with('‘') || owner.split(' ').count() > 3 => {
            format!("the {noun} of {owner}")
        }
        _ => format!("{owner}’s {noun}"),
    }
}

fn joined(mut all: Vec<String>, word: &str) -> String {
    match all.pop() {
        Some(last) if !all.is_empty() => format!("{} {word} {last}", all.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

/// Returns a sentence of a subject and a phrase: `on fire`, `can burn`, `carries a ladder`.
fn predicate(subject: &str, phrase: &str, not: bool) -> String {
    let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let verb = first.len() > 3 && first.ends_with('s') && !first.ends_with("ss");
    let said = match (first, not) {
        ("can", true) => format!("cannot {rest}"),
        ("has" | "have", true) => {
            let next = rest.split(' ').next().unwrap_or(rest);
            let done = next.ends_with("ed") || next.ends_with("en") || PARTICIPLES.contains(&next);
            match rest.strip_prefix("a ").or(rest.strip_prefix("an ")) {
                Some(rest) => format!("{first} no {rest}"),
                None if done => format!("{first} not {rest}"),
                None => format!("{first} no {rest}"),
            }
        }
        (first, _) if AUXILIARIES[..18].contains(&first) => {
            format!("{first}{} {rest}", if not { " not" } else { "" })
        }
        (_, false) if verb => phrase.to_owned(),
        (first, true) if verb => {
            let stem = match first.strip_suffix("ies") {
                Some(stem) => format!("{stem}y"),
                None => first.trim_end_matches('s').to_owned(),
            };
            format!("does not {stem} {rest}")
        }
        _ => format!("is{} {phrase}", if not { " not" } else { "" }),
    };
    format!("{subject} {}", said.trim_end())
}

/// Returns the denial of a sentence.
fn denial(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split(' ').collect();
    match words.iter().position(|word| AUXILIARIES.contains(word)) {
        Some(at) if at > 0 => predicate(&words[..at].join(" "), &words[at..].join(" "), true),
        _ => format!("it is not so that {sentence}"),
    }
}
