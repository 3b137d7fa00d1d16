//! Rule text in English, for proofreaders who cannot read the rule language. The English is
//! generated from the checked expressions and their types. Attributes, words and definitions supply
//! their own phrases (`says`).

mod clauses;
mod syntax;

use indexmap::IndexMap;
use syntax::{conjuncts, is_condition, is_name, is_sum};

use super::blocks::expression_source;
use super::grammar::{
    AUXILIARIES, deny_sentence, join_with, plural_conditions, possessive, sentence, without_article,
};
use crate::language::compile::{self, FUNCTIONS};
use crate::language::rule::RuleText;
use crate::language::schema::{
    Attribute, CodeUnit, Element, FunctionId, KindId, OPTION_KIND, Param, STATE_KIND, Schema, Type,
    WordsId,
};
use crate::language::syntax::{
    Expr, ExprKind, MemberSource, Name, Operator, Quantifier, TemplatePart, TextTemplate,
};
use crate::ruleset::Ruleset;
use crate::source::Span;

/// First words of names that don't read as nouns.
const NOT_NOUNS: [&str; 32] = [
    "who", "from", "into", "onto", "over", "behind", "under", "other", "others", "near", "through",
    "before", "after", "with", "this", "that", "one", "ones", "only", "some", "towards", "besides",
    "low", "high", "was", "now", "at", "by", "in", "of", "on", "to",
];

/// The maximum length in bytes of a call that is put into words. A longer call is printed as it is
/// written, because nested phrases could grow without limit.
const MAX_CALL_BYTES: usize = 2_000;

/// The names that a text can use, and the name that is written as `it`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    it: String,
    names: Vec<(String, Type)>,
    /// The value of `step`, if the text can use it.
    step: Option<i64>,
}

impl Scope {
    /// Returns a scope with one name, the subject of the text.
    pub(super) fn about(name: &str, ty: Type) -> Scope {
        Scope { it: name.to_owned(), names: vec![(name.to_owned(), ty)], step: None }
    }

    /// Returns a scope in which `step` is this number.
    pub(super) fn in_step(step: i64) -> Scope {
        Scope { step: Some(step), ..Scope::default() }
    }

    /// Returns a scope whose names are these parameters.
    pub(super) fn of(params: &[Param]) -> Scope {
        let names = params.iter().map(|p| (p.name.clone(), p.ty)).collect();
        Scope { names, ..Scope::default() }
    }

    fn with_name(&self, name: &str, ty: Type, it: bool) -> Scope {
        let mut names = self.names.clone();
        names.retain(|(n, _)| n != name);
        names.push((name.to_owned(), ty));
        Scope { it: if it { name.to_owned() } else { self.it.clone() }, names, ..*self }
    }

    fn ty(&self, name: &str) -> Option<Type> {
        Some(self.names.iter().find(|(n, _)| n == name)?.1)
    }
}

/// A translator of a ruleset's rule text into English.
pub(super) struct English<'r> {
    pub(super) ruleset: &'r Ruleset,
    types: IndexMap<Span, Type>,
}

impl<'r> English<'r> {
    pub(super) fn of(ruleset: &'r Ruleset) -> English<'r> {
        English { ruleset, types: compile::expression_types(&ruleset.schema) }
    }

    /// Returns the rule text of a function, if it has any.
    pub(super) fn unit(&self, function: FunctionId) -> Option<&'r CodeUnit> {
        self.schema().units.get(function.index())?.as_ref()
    }

    fn schema(&self) -> &'r Schema {
        &self.ruleset.schema
    }

    fn ty(&self, e: &Expr, s: &Scope) -> Type {
        let named = match &e.kind {
            ExprKind::Name(name) => s.ty(name).or_else(|| {
                let kind = self.schema().plural_named(name)?;
                Some(Type::List(Element::Piece(kind)))
            }),
            ExprKind::Member(of, name) => self.attribute(of, name, s).map(|a| a.ty),
            _ => None,
        };
        named.or_else(|| self.types.get(&e.span).copied()).unwrap_or(Type::Unknown)
    }

    fn kind(&self, kind: KindId) -> String {
        name_as_words(&self.schema().kind(kind).name)
    }

    /// Returns a text whose values are described in words. Brackets mark the values that are filled
    /// in.
    pub(super) fn template(&self, template: &TextTemplate, s: &Scope) -> String {
        let told = template.parts.iter().map(|part| match part {
            TemplatePart::Text(words) => words.clone(),
            TemplatePart::Value(expr) => format!("[{}]", self.value_phrase(expr, s)),
            TemplatePart::Counted(number, _, several) => {
                format!("[{}] {several}", self.value_phrase(number, s))
            }
        });
        told.collect()
    }

    /// Returns sweeps in words, such as `each area with strength above 0, each of its neighbours`,
    /// and the scope within them.
    pub(super) fn sweeps(&self, sources: &[MemberSource], s: &Scope) -> (String, Scope) {
        let mut said = Vec::new();
        let mut scope = s.clone();
        for source in sources {
            let (of, inner) = self.members(source, None, &scope);
            scope = Scope { it: String::new(), ..inner };
            said.push((of.each("each"), &source.name.text, of.one));
        }
        // Add the name that later texts use for the member, unless it is obvious.
        let said = said.into_iter().map(|(words, name, one)| {
            let called = self.name_in_words(name, &scope);
            if called == format!("the {one}") { words } else { format!("{words} ({called})") }
        });
        let said: Vec<String> = said.collect();
        (said.join(", "), scope)
    }

    /// Returns the scope for the text of a rule, inside its sweeps.
    pub(super) fn scope(&self, rule: &RuleText) -> Scope {
        self.sweeps(&rule.each, &Scope::of(&rule.params)).1
    }

    /// Returns the members of a source, with an additional condition, in words. Also returns the
    /// scope in which the member is `it`.
    fn members(&self, source: &MemberSource, more: Option<&Expr>, s: &Scope) -> (Members, Scope) {
        let schema = self.schema();
        let called = &source.name.text;
        let named = match &source.over.kind {
            ExprKind::Name(name) if s.ty(name).is_none() => name.as_str(),
            _ => "",
        };
        let deck = schema.deck_named(named).map(|deck| schema.decks[deck.index()].of);
        let piece = |kind: KindId, from: &str| {
            let many = name_as_words(&schema.kind(kind).plural) + from;
            (self.kind(kind) + from, Some(many), Type::Piece(kind))
        };
        let (one, many, ty) = if let Some(kind) = schema.plural_named(named) {
            piece(kind, "")
        } else if let Some(kind) = deck {
            piece(kind, &format!(" in the {}", name_as_words(named)))
        } else if let Some(set) = schema.words_named(named) {
            (name_as_words(named), Some(name_as_words(named) + "s"), Type::Word(set))
        } else if let ExprKind::Range(a, b) = &source.over.kind {
            let range = format!(
                "‘{called}’ from {} to {}",
                self.value_phrase(a, s),
                self.value_phrase(b, s)
            );
            (format!("number {range}"), Some(format!("numbers {range}")), Type::Whole)
        } else {
            let ty = match self.ty(&source.over, s) {
                Type::List(element) => element.member_type(),
                _ => Type::Whole,
            };
            (self.value_phrase(&source.over, s), None, ty)
        };
        let inner = s.with_name(called, ty, !matches!(source.over.kind, ExprKind::Range(..)));
        let which = self.relative_clause(&conjuncts(source.filter.iter().chain(more)), &inner);
        (Members { one, many, which }, inner)
    }

    fn word_index(&self, set: WordsId, word: &str) -> Option<usize> {
        self.schema().word_set(set).values.iter().position(|w| w == word)
    }

    /// Returns the attribute that a name after a dot refers to, if it refers to an attribute.
    fn attribute(&self, of: &Expr, name: &Name, s: &Scope) -> Option<&'r Attribute> {
        let kind = match (&of.kind, self.ty(of, s)) {
            (ExprKind::Name(of), _) if of == "state" => STATE_KIND,
            (ExprKind::Name(of), _) if of == "option" => OPTION_KIND,
            (_, Type::Piece(kind)) => kind,
            _ => return None,
        };
        self.schema().kind(kind).attribute(&name.text)
    }

    fn name_in_words(&self, name: &str, s: &Scope) -> String {
        if name == s.it {
            return "it".to_owned();
        }
        if let ("step", Some(step)) = (name, s.step) {
            return step.to_string();
        }
        let first = name.split('-').next().unwrap_or(name);
        if name.len() > 2 && !NOT_NOUNS.contains(&first) && name != "self" {
            return format!("the {}", name_as_words(name));
        }
        let ty = s.ty(name);
        let alone = s.names.iter().filter(|(_, t)| Some(*t) == ty).count() == 1;
        match ty {
            Some(Type::Piece(kind)) if alone || name == "self" => {
                format!("the {}", self.kind(kind))
            }
            Some(Type::Piece(kind)) if s.ty(&s.it) == ty => format!("that {}", self.kind(kind)),
            _ => format!("‘{}’", name_as_words(name)),
        }
    }

    /// Returns the title of a list's row, if the expression names one.
    fn row_title(&self, e: &Expr, s: &Scope) -> Option<String> {
        let (
            Type::Piece(kind),
            ExprKind::Name(name) | ExprKind::Member(_, Name { text: name, .. }),
        ) = (self.ty(e, s), &e.kind)
        else {
            return None;
        };
        let row = self.schema().kind(kind).rows.named(name)?;
        Some(self.schema().row_title(kind, row)).filter(|_| s.ty(name).is_none())
    }

    /// Returns a value as a noun.
    pub(super) fn value_phrase(&self, e: &Expr, s: &Scope) -> String {
        let value = |expr: &Expr| self.value_phrase(expr, s);
        match &e.kind {
            ExprKind::Whole(n) => n.to_string().replace('-', "−"),
            ExprKind::Fraction(n) => n.to_string(),
            ExprKind::Text(template) => format!("“{}”", self.template(template, s)),
            ExprKind::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            ExprKind::Nothing => "none".to_owned(),
            ExprKind::Name(name) => self.named_value(name, e, s),
            ExprKind::List(items) if items.is_empty() => "nothing".to_owned(),
            ExprKind::List(items) => join_with(items.iter().map(value).collect(), "and"),
            ExprKind::Member(of, name) => match self.attribute(of, name, s) {
                _ if is_name(of, "option") => format!("the house rule ‘{}’", name.text),
                Some(a) if is_name(of, "state") => format!("the {}", attribute_noun(a)),
                Some(a) => {
                    let row = self.row_title(of, s).map(|title| format!("‘{title}’"));
                    possessive(&row.unwrap_or_else(|| value(of)), &attribute_noun(a))
                }
                // A word of a set, or a row of a list, after the name of the set or list.
                None => self.row_title(e, s).unwrap_or_else(|| name_as_words(&name.text)),
            },
            ExprKind::Call(name, args) => self.call(name, args, e, None, s),
            ExprKind::Negative(inner) => format!("−{}", value(inner)),
            ExprKind::Binary(op, left, right) if !is_condition(*op) => {
                let sign = match op {
                    Operator::Add => "+",
                    Operator::Subtract => "−",
                    Operator::Multiply => "×",
                    Operator::Divide => "÷",
                    _ => "divided by",
                };
                let first = match &left.kind {
                    ExprKind::Binary(inner, ..) if is_sum(*op) && *inner != Operator::Modulo => {
                        value(left)
                    }
                    ExprKind::Binary(..) => format!("({})", value(left)),
                    _ => self.operand(left, s),
                };
                let second = match &right.kind {
                    ExprKind::Binary(..) => format!("({})", value(right)),
                    _ => self.operand(right, s),
                };
                let said = format!("{first} {sign} {second}");
                if sign == "divided by" { format!("the remainder of {said}") } else { said }
            }
            ExprKind::Not(_) | ExprKind::Binary(..) => {
                format!("whether {}", self.condition_clause(e, s))
            }
            ExprKind::Choice(condition, yes, no) => {
                let mut first = value(yes);
                if matches!(yes.kind, ExprKind::Choice(..) | ExprKind::Let(..)) {
                    first = format!("({first})");
                }
                let said = format!("{first} if {}", self.condition_clause(condition, s));
                match &no.kind {
                    ExprKind::Text(nothing) if nothing.parts.is_empty() => said,
                    _ => format!("{said}, otherwise {}", value(no)),
                }
            }
            ExprKind::Let(name, is, body) => {
                let inner = s.with_name(&name.text, self.ty(is, s), false);
                let called = self.name_in_words(&name.text, &inner);
                format!("{}, where {called} is {}", self.value_phrase(body, &inner), value(is))
            }
            ExprKind::Quantified(quantity, source, body) => {
                self.quantity_phrase(*quantity, source, body.as_deref(), e, s)
            }
            ExprKind::Filtered(source, order) => {
                let (of, inner) = self.members(source, None, s);
                let all = of.all() + &plural_conditions(&of.which);
                match order {
                    Some(order) => format!("{all}, by {}", self.value_phrase(order, &inner)),
                    None => all,
                }
            }
            ExprKind::Range(a, b) => format!("{} to {}", value(a), value(b)),
            ExprKind::Way { places, from, to, along, filter } => {
                let what =
                    if *places { "the places along the route" } else { "the length of the route" };
                let mut kinds = self.schema().kinds.iter();
                let along = kinds.find_map(|kind| kind.attribute(&along.text).map(attribute_noun));
                let filter = filter.as_ref().map(|(name, condition)| {
                    let inner = s.with_name(&name.text, self.ty(from, s), true);
                    format!(", over places where {}", self.condition_clause(condition, &inner))
                });
                let from = value(from);
                let to = value(to);
                let along = along.unwrap_or_default();
                format!("{what} from {from} to {to} by {along}{}", filter.unwrap_or_default())
            }
            ExprKind::Dice(dice) => dice.text.clone(),
            // Expressions that do something, such as rolls, are printed as they are written.
            ExprKind::Roll(..)
            | ExprKind::Ask(..)
            | ExprKind::Pick(_)
            | ExprKind::Draw(_)
            | ExprKind::Make(..) => format!("‘{}’", expression_source(self.ruleset, e)),
        }
    }

    fn named_value(&self, name: &str, e: &Expr, s: &Scope) -> String {
        if name == s.it || s.ty(name).is_some() {
            return self.name_in_words(name, s);
        }
        match self.ty(e, s) {
            _ if name == "passed" => "whether it passes".to_owned(),
            Type::Word(set) if self.word_index(set, name).is_some() => name_as_words(name),
            Type::Piece(_) => self.row_title(e, s).unwrap_or_else(|| self.name_in_words(name, s)),
            _ => match self.schema().plural_named(name) {
                Some(kind) => format!("all {}", name_as_words(&self.schema().kind(kind).plural)),
                None => self.name_in_words(name, s),
            },
        }
    }

    fn quantity_phrase(
        &self,
        quantity: Quantifier,
        source: &MemberSource,
        body: Option<&Expr>,
        e: &Expr,
        s: &Scope,
    ) -> String {
        if matches!(quantity, Quantifier::Any | Quantifier::All | Quantifier::No) {
            return format!("whether {}", self.condition_clause(e, s));
        }
        let chosen = matches!(quantity, Quantifier::Count | Quantifier::First);
        let (of, inner) = self.members(source, body.filter(|_| chosen), s);
        let asked =
            body.filter(|_| !chosen).map_or(String::new(), |expr| self.value_phrase(expr, &inner));
        // The value of several members is written without `its` or `the`.
        let bare = asked.strip_prefix("its ").or(asked.strip_prefix("the ")).unwrap_or(&asked);
        let all = format!("{}{}", of.all(), of.which);
        match quantity {
            Quantifier::Count => {
                format!("the number of {}{}", of.many(), plural_conditions(&of.which))
            }
            Quantifier::Sum => format!("the sum of {bare} over {all}"),
            Quantifier::Highest => format!("the highest {bare} of {all}"),
            Quantifier::Lowest => format!("the lowest {bare} of {all}"),
            Quantifier::First => of.each("the first"),
            _ => {
                let end = if quantity == Quantifier::Best { "highest" } else { "lowest" };
                format!("{} for which {}", of.each("the"), sentence(&asked, end, false))
            }
        }
    }

    /// Returns a value as part of a longer expression, in brackets if it would be unclear without
    /// them.
    fn operand(&self, e: &Expr, s: &Scope) -> String {
        match &e.kind {
            ExprKind::Choice(..) => format!("({})", self.value_phrase(e, s)),
            ExprKind::Binary(op, ..) if is_sum(*op) => format!("({})", self.value_phrase(e, s)),
            _ => self.value_phrase(e, s),
        }
    }

    /// Returns a call as a noun or, if `denied` is given, as an affirmed or negated clause.
    fn call(
        &self,
        name: &Name,
        args: &[Expr],
        e: &Expr,
        denied: Option<bool>,
        s: &Scope,
    ) -> String {
        let schema = self.schema();
        let said: Vec<String> = args.iter().map(|arg| self.operand(arg, s)).collect();
        let is_defined = schema.define_named(&name.text).is_some()
            || schema.chart_named(&name.text).is_some()
            || schema.rule_named(&name.text).is_some();
        let built_in = FUNCTIONS.iter().find(|f| f.name() == name.text && !is_defined);
        let built_in = built_in
            .map(|f| (f.phrase, (0..args.len()).map(|n| n.to_string()).collect::<Vec<_>>()));
        let define = schema.define_named(&name.text).map(|d| &schema.defines[d.index()]);
        let named = define.and_then(|d| {
            Some((d.says.as_deref()?, d.params.iter().map(|p| p.name.clone()).collect()))
        });
        let phrase: Option<(&str, Vec<String>)> = built_in.or(named);
        if let Some((phrase, params)) = phrase {
            let places: Vec<String> = params.iter().map(|param| format!("{{{param}}}")).collect();
            // A phrase that begins with a parameter is a predicate of that parameter's argument.
            let mut given = places.iter().zip(&said);
            let subject = given.find_map(|(place, arg)| Some((arg, phrase.strip_prefix(place)?)));
            let told = match (subject, denied) {
                (Some((arg, rest)), Some(not)) if !rest.starts_with(" and") => {
                    fill_phrase(rest, &places, &said)
                        .map(|rest| sentence(arg, rest.trim_start(), not))
                }
                (_, Some(true)) => {
                    fill_phrase(phrase, &places, &said).map(|phrase| deny_sentence(&phrase))
                }
                _ => fill_phrase(phrase, &places, &said),
            };
            return told.unwrap_or_else(|| {
                let written = format!("‘{}’", expression_source(self.ruleset, e));
                denied.map_or(written.clone(), |not| sentence(&written, "so", not))
            });
        }
        if let Some(chart) = schema.chart_named(&name.text) {
            let title = &schema.charts[chart.index()].title;
            return format!("the value in the chart “{title}”{}", with_arguments("for", &said));
        }
        if let Some(rule) = schema.rule_named(&name.text) {
            return format!(
                "the result of “{}”{}",
                schema.rules[rule.index()].title,
                with_arguments("for", &said)
            );
        }
        let words = name_as_words(&name.text);
        let is_verb = AUXILIARIES.iter().any(|aux| words.split(' ').next() == Some(aux));
        match (denied, said.split_first()) {
            (Some(not), Some((first, rest))) if is_verb => {
                let rest = join_with(rest.to_vec(), "and");
                sentence(first, format!("{words} {rest}").trim_end(), not)
            }
            (Some(not), _) => {
                format!(
                    "‘{words}’ is {}{}",
                    if not { "no" } else { "yes" },
                    with_arguments("for", &said)
                )
            }
            (None, _) => format!("the ‘{words}’{}", with_arguments("of", &said)),
        }
    }

    /// Returns a text between quotation marks.
    pub(super) fn quoted(&self, said: &TextTemplate, s: &Scope) -> String {
        format!("“{}”", self.template(said, s))
    }

    /// Returns a value; for a flag, the condition under which it is true.
    pub(super) fn value_or_condition(&self, e: &Expr, ty: Type, s: &Scope) -> String {
        match ty {
            Type::Flag => format!("yes if {}", self.condition_clause(e, s)),
            _ => self.value_phrase(e, s),
        }
    }

    /// Returns the number that a modifier adds, with its sign, such as `− 1` or `+ its speed`.
    pub(super) fn modifier_phrase(&self, by: &Expr, s: &Scope) -> String {
        match &by.kind {
            ExprKind::Negative(inner) => format!("− {}", self.value_phrase(inner, s)),
            _ => format!("+ {}", self.value_phrase(by, s)),
        }
    }
}

/// Returns arguments after a word, or nothing if there are none.
fn with_arguments(word: &str, args: &[String]) -> String {
    if args.is_empty() {
        return String::new();
    }
    format!(" {word} {}", join_with(args.to_vec(), "and"))
}

/// Returns a phrase with its placeholders replaced by arguments; `None` if it grows too long.
fn fill_phrase(phrase: &str, places: &[String], args: &[String]) -> Option<String> {
    let mut words = phrase.to_owned();
    for (place, arg) in places.iter().zip(args) {
        if words.len() + words.matches(place.as_str()).count() * arg.len() > MAX_CALL_BYTES {
            return None;
        }
        words = words.replace(place, arg);
    }
    Some(words)
}

/// The members of a source, in words.
struct Members {
    /// The name of one member, or of all members.
    one: String,
    /// The plural, if the source is all pieces of a kind.
    many: Option<String>,
    /// The conditions for the members, such as ` that can move`.
    which: String,
}

impl Members {
    fn each(&self, word: &str) -> String {
        let of = match (&self.many, word) {
            (Some(_), _) => "",
            (None, "the" | "every" | "not every") => "one of ",
            (None, _) => "of ",
        };
        format!("{word} {of}{}{}", self.one, self.which)
    }

    fn many(&self) -> &str {
        self.many.as_deref().unwrap_or(&self.one)
    }

    fn all(&self) -> String {
        self.many.as_ref().map_or_else(|| self.one.clone(), |many| format!("all {many}"))
    }
}

fn name_as_words(name: &str) -> String {
    name.replace('-', " ")
}

/// Returns the phrase of an attribute as a noun.
fn attribute_noun(attribute: &Attribute) -> String {
    match (&attribute.says, &attribute.title, attribute.name.as_str()) {
        (Some(phrase), ..) | (None, Some(phrase), _) => without_article(phrase).to_owned(),
        (None, None, "at") => "place".to_owned(),
        (None, None, name) => name_as_words(name),
    }
}
