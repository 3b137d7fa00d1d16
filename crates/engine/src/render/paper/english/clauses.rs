//! Conditions of rule text as English clauses.

use super::syntax::{conjuncts, flatten, is_condition, is_name};
use super::{English, Members, Scope, noun, plain};
use crate::language::schema::{Attribute, OPTION, Type};
use crate::language::syntax::{Expr, ExprKind, MemberSource, Operator, Quantity};
use crate::render::paper::grammar::{AUXILIARIES, article, joined, predicate};

impl<'r> English<'r> {
    /// Returns conditions on `it`, to follow its name: ` with strength above 0 and that can move`.
    pub(super) fn relative(&self, conditions: &[&Expr], s: &Scope) -> String {
        let said = conditions.iter().map(|e| {
            if let ExprKind::Binary(op, left, right) = &e.kind
                && op.compares()
                && let ExprKind::Member(of, name) = &left.kind
                && is_name(of, &s.it)
                && let Some(attribute) = self.attribute(of, name, s)
                && (matches!(right.kind, ExprKind::Nothing)
                    || matches!(attribute.ty, Type::Whole | Type::Number))
            {
                return self.with(attribute, *op, right, s);
            }
            let clause = self.part(e, false, s);
            match (clause.strip_prefix("its "), clause.strip_prefix("it ")) {
                (Some(rest), _) if !rest.contains(" its ") => format!("whose {rest}"),
                (_, Some(rest)) => format!("that {rest}"),
                (_, None) => format!("where {clause}"),
            }
        });
        let said: Vec<String> = said.collect();
        if said.is_empty() { String::new() } else { format!(" {}", said.join(" and ")) }
    }

    /// Returns `with strength above 0`, `without a load`.
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
    pub(in crate::render::paper) fn holds(&self, e: &Expr, s: &Scope) -> String {
        self.clause(e, false, s)
    }

    pub(super) fn clause(&self, e: &Expr, not: bool, s: &Scope) -> String {
        match &e.kind {
            ExprKind::Flag(flag) => if *flag != not { "always" } else { "never" }.to_owned(),
            ExprKind::Not(inner) => self.clause(inner, !not, s),
            ExprKind::Binary(op @ (Operator::And | Operator::Or), ..) => {
                let mut all = Vec::new();
                flatten(e, *op, &mut all);
                let said = all.iter().map(|part| self.part(part, not, s));
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
                let yes = self.clause(yes, not, s);
                let no = self.clause(no, not, s);
                format!("({yes} if {condition}, otherwise {no})")
            }
            ExprKind::Let(name, value, body) => {
                let inner = s.with(&name.text, self.ty(value, s), false);
                let name = self.name(&name.text, &inner);
                let value = self.value(value, s);
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
            ExprKind::Call(name, args) => self.call(name, args, e, Some(not), s),
            ExprKind::Name(name) => match name.as_str() {
                "passed" => if not { "it fails" } else { "it passes" }.to_owned(),
                name => format!("‘{}’ is {}", plain(name), if not { "no" } else { "yes" }),
            },
            _ => format!("{} is {}", self.value(e, s), if not { "no" } else { "yes" }),
        }
    }

    /// Returns a clause among others, in brackets if it would run into them.
    fn part(&self, e: &Expr, not: bool, s: &Scope) -> String {
        let joins = match &e.kind {
            ExprKind::Binary(Operator::And | Operator::Or, ..) => true,
            ExprKind::Not(inner) => return self.part(inner, !not, s),
            ExprKind::Quantified(_, source, body) => {
                let all = conjuncts(source.filter.iter().chain(body.as_deref()));
                all.len() > 1
            }
            _ => false,
        };
        let clause = self.clause(e, not, s);
        if joins { format!("({clause})") } else { clause }
    }

    fn question(
        &self,
        quantity: Quantity,
        source: &MemberSource,
        body: Option<&Expr>,
        not: bool,
        s: &Scope,
    ) -> String {
        if quantity == Quantity::All {
            let (of, inner) = self.members(source, None, s);
            let every = of.each(if not { "not every" } else { "every" });
            let holds = body.map_or(String::new(), |body| self.holds(body, &inner));
            return match holds.strip_prefix("it ") {
                Some(holds) => format!("{every} {holds}"),
                None => format!("for {every}, {holds}"),
            };
        }
        let (of, _) = self.members(source, body, s);
        let Members { one, many, which } = &of;
        let some = (quantity == Quantity::No) == not;
        match (some, many, which.strip_prefix(" that ")) {
            (true, Some(_), _) => format!("there is {}{which}", article(one)),
            (true, None, _) => format!("there is one of {one}{which}"),
            (false, Some(_), _) => format!("there is no {one}{which}"),
            (false, None, Some(which)) => format!("none of {one} {which}"),
            (false, None, None) => format!("there is none of {one}{which}"),
        }
    }

    fn compared(&self, op: Operator, left: &Expr, right: &Expr, s: &Scope) -> String {
        let nothing = matches!(right.kind, ExprKind::Nothing);
        if let (true, ExprKind::Member(of, name)) = (nothing, &left.kind)
            && let Some(attribute) = self.attribute(of, name, s)
        {
            let noun = noun(attribute);
            let had = if op == Operator::Equal { format!("no {noun}") } else { article(&noun) };
            return if is_name(of, "state") {
                format!("there is {had}")
            } else {
                format!("{} has {had}", self.value(of, s))
            };
        }
        let value = self.value(left, s);
        if nothing {
            let equal = op == Operator::Equal;
            return match (&left.kind, value.strip_prefix("the ")) {
                (ExprKind::Call(..), Some(what)) if equal => format!("there is no {what}"),
                (ExprKind::Call(..), Some(what)) => format!("there is {}", article(what)),
                _ => predicate(&value, "given", equal),
            };
        }
        if let Some(phrase) = self.word_phrase(right, s)
            && let ExprKind::Member(of, _) = &left.kind
        {
            return predicate(&self.value(of, s), phrase, op != Operator::Equal);
        }
        let among = match &right.kind {
            ExprKind::Text(text) if text.parts.is_empty() => "empty".to_owned(),
            ExprKind::Range(a, b) => format!("from {} to {}", self.value(a, s), self.value(b, s)),
            ExprKind::List(items) => {
                joined(items.iter().map(|item| self.value(item, s)).collect(), "or")
            }
            _ if matches!(op, Operator::In | Operator::NotIn) => {
                format!("among {}", self.value(right, s))
            }
            _ => self.value(right, s),
        };
        let not = matches!(op, Operator::NotEqual | Operator::NotIn);
        predicate(&value, &format!("{} {among}", operator(op).trim_end_matches(" not")), not)
    }

    /// Returns the phrase of a word of a set, if it is one and has one.
    fn word_phrase(&self, e: &Expr, s: &Scope) -> Option<&'r str> {
        let (ExprKind::Name(word), Type::Word(set)) = (&e.kind, self.ty(e, s)) else { return None };
        let place = self.place(set, word).filter(|_| s.ty(word).is_none())?;
        self.schema().word_set(set).says.get(place).map(String::as_str)
    }

    /// Returns a need: `at most the strength of ‘from’`.
    pub(in crate::render::paper) fn needed(&self, op: Operator, value: &Expr, s: &Scope) -> String {
        let than = operator(op).trim_start_matches("is").trim();
        let than = if op == Operator::Equal { "exactly" } else { than };
        format!("{than} {}", self.value(value, s))
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

/// Returns the phrase of a flag as a predicate.
fn flag(attribute: &Attribute) -> String {
    let verb =
        |title: &&String| title.split(' ').next().is_some_and(|first| AUXILIARIES.contains(&first));
    let says = attribute.says.as_ref().or(attribute.title.as_ref().filter(verb));
    says.cloned().unwrap_or_else(|| plain(&attribute.name))
}
