//! Conditions of rule text as English clauses.

use super::syntax::{conjuncts, flatten, is_condition, is_name};
use super::{English, Members, Scope, attribute_noun, name_as_words};
use crate::language::schema::{Attribute, OPTION_KIND, Type};
use crate::language::syntax::{Expr, ExprKind, MemberSource, Operator, Quantifier};
use crate::render::paper::grammar::{AUXILIARIES, join_with, sentence, with_article};

impl<'r> English<'r> {
    /// Returns the conditions on `it` as words that follow its name, such as ` with strength above
    /// 0 and that can move`.
    pub(super) fn relative_clause(&self, conditions: &[&Expr], s: &Scope) -> String {
        let said = conditions.iter().map(|e| {
            if let ExprKind::Binary(op, left, right) = &e.kind
                && op.is_comparison()
                && let ExprKind::Member(of, name) = &left.kind
                && is_name(of, &s.it)
                && let Some(attribute) = self.attribute(of, name, s)
                && (matches!(right.kind, ExprKind::Nothing)
                    || matches!(attribute.ty, Type::Whole | Type::Number))
            {
                return self.with_phrase(attribute, *op, right, s);
            }
            let clause = self.clause_operand(e, false, s);
            match (clause.strip_prefix("its "), clause.strip_prefix("it ")) {
                (Some(rest), _) if !rest.contains(" its ") => format!("whose {rest}"),
                (_, Some(rest)) => format!("that {rest}"),
                (_, None) => format!("where {clause}"),
            }
        });
        let said: Vec<String> = said.collect();
        if said.is_empty() { String::new() } else { format!(" {}", said.join(" and ")) }
    }

    /// Returns the comparison of an attribute with a value as a phrase, such as
    /// `with strength above 0` or `without a load`.
    fn with_phrase(&self, attribute: &Attribute, op: Operator, value: &Expr, s: &Scope) -> String {
        let noun = attribute_noun(attribute);
        if matches!(value.kind, ExprKind::Nothing) {
            let with = if op == Operator::Equal { "without" } else { "with" };
            return format!("{with} {}", with_article(&noun));
        }
        let than = operator_words(op).trim_start_matches("is").trim();
        format!("with {noun} {than} {}", self.value_phrase(value, s)).replace("  ", " ")
    }

    /// Returns a condition as a clause.
    pub(in crate::render::paper) fn condition_clause(&self, e: &Expr, s: &Scope) -> String {
        self.clause(e, false, s)
    }

    pub(super) fn clause(&self, e: &Expr, not: bool, s: &Scope) -> String {
        match &e.kind {
            ExprKind::Flag(flag) => if *flag != not { "always" } else { "never" }.to_owned(),
            ExprKind::Not(inner) => self.clause(inner, !not, s),
            ExprKind::Binary(op @ (Operator::And | Operator::Or), ..) => {
                let mut all = Vec::new();
                flatten(e, *op, &mut all);
                let said = all.iter().map(|part| self.clause_operand(part, not, s));
                let and = (*op == Operator::And) != not;
                said.collect::<Vec<_>>().join(if and { " and " } else { " or " })
            }
            ExprKind::Binary(op, left, right) if is_condition(*op) => self.comparison_clause(
                if not { opposite_operator(*op) } else { *op },
                left,
                right,
                s,
            ),
            ExprKind::Quantified(quantity, source, body) => {
                self.quantifier_clause(*quantity, source, body.as_deref(), not, s)
            }
            ExprKind::Choice(condition, yes, no) => {
                let condition = self.condition_clause(condition, s);
                let yes = self.clause(yes, not, s);
                let no = self.clause(no, not, s);
                format!("({yes} if {condition}, otherwise {no})")
            }
            ExprKind::Let(name, value, body) => {
                let inner = s.with_name(&name.text, self.ty(value, s), false);
                let name = self.name_in_words(&name.text, &inner);
                let value = self.value_phrase(value, s);
                format!("{}, where {name} is {value}", self.clause(body, not, &inner))
            }
            ExprKind::Member(of, name) => match self.attribute(of, name, s) {
                Some(_) if self.ty(of, s) == Type::Piece(OPTION_KIND) || is_name(of, "option") => {
                    let state = if not { "off" } else { "on" };
                    format!("the house rule ‘{}’ is {state}", name.text)
                }
                Some(a) if is_name(of, "state") => sentence("the game", &flag_predicate(a), not),
                Some(a) => sentence(&self.value_phrase(of, s), &flag_predicate(a), not),
                None => sentence(&self.value_phrase(of, s), &name_as_words(&name.text), not),
            },
            ExprKind::Call(name, args) => self.call(name, args, e, Some(not), s),
            ExprKind::Name(name) => match name.as_str() {
                "passed" => if not { "it fails" } else { "it passes" }.to_owned(),
                name => format!("‘{}’ is {}", name_as_words(name), if not { "no" } else { "yes" }),
            },
            _ => format!("{} is {}", self.value_phrase(e, s), if not { "no" } else { "yes" }),
        }
    }

    /// Returns a clause as part of a longer one, in brackets if it would be unclear without them.
    fn clause_operand(&self, e: &Expr, not: bool, s: &Scope) -> String {
        let joins = match &e.kind {
            ExprKind::Binary(Operator::And | Operator::Or, ..) => true,
            ExprKind::Not(inner) => return self.clause_operand(inner, !not, s),
            ExprKind::Quantified(_, source, body) => {
                let all = conjuncts(source.filter.iter().chain(body.as_deref()));
                all.len() > 1
            }
            _ => false,
        };
        let clause = self.clause(e, not, s);
        if joins { format!("({clause})") } else { clause }
    }

    fn quantifier_clause(
        &self,
        quantity: Quantifier,
        source: &MemberSource,
        body: Option<&Expr>,
        not: bool,
        s: &Scope,
    ) -> String {
        if quantity == Quantifier::All {
            let (of, inner) = self.members(source, None, s);
            let every = of.each(if not { "not every" } else { "every" });
            let holds = body.map_or(String::new(), |body| self.condition_clause(body, &inner));
            return match holds.strip_prefix("it ") {
                Some(holds) => format!("{every} {holds}"),
                None => format!("for {every}, {holds}"),
            };
        }
        let (of, _) = self.members(source, body, s);
        let Members { one, many, which } = &of;
        let some = (quantity == Quantifier::No) == not;
        match (some, many, which.strip_prefix(" that ")) {
            (true, Some(_), _) => format!("there is {}{which}", with_article(one)),
            (true, None, _) => format!("there is at least one of {one}{which}"),
            (false, Some(_), _) => format!("there is no {one}{which}"),
            (false, None, Some(which)) => format!("none of {one} {which}"),
            (false, None, None) => format!("there are none of {one}{which}"),
        }
    }

    fn comparison_clause(&self, op: Operator, left: &Expr, right: &Expr, s: &Scope) -> String {
        let nothing = matches!(right.kind, ExprKind::Nothing);
        if let (true, ExprKind::Member(of, name)) = (nothing, &left.kind)
            && let Some(attribute) = self.attribute(of, name, s)
        {
            let noun = attribute_noun(attribute);
            let had =
                if op == Operator::Equal { format!("no {noun}") } else { with_article(&noun) };
            return if is_name(of, "state") {
                format!("there is {had}")
            } else {
                format!("{} has {had}", self.value_phrase(of, s))
            };
        }
        let value = self.value_phrase(left, s);
        if nothing {
            let equal = op == Operator::Equal;
            return match (&left.kind, value.strip_prefix("the ")) {
                (ExprKind::Call(..), Some(what)) if equal => format!("there is no {what}"),
                (ExprKind::Call(..), Some(what)) => format!("there is {}", with_article(what)),
                _ => sentence(&value, "given", equal),
            };
        }
        if let Some(phrase) = self.phrase_of_word(right, s)
            && let ExprKind::Member(of, _) = &left.kind
        {
            return sentence(&self.value_phrase(of, s), phrase, op != Operator::Equal);
        }
        let among = match &right.kind {
            ExprKind::Text(text) if text.parts.is_empty() => "empty".to_owned(),
            ExprKind::Range(a, b) => {
                format!("from {} to {}", self.value_phrase(a, s), self.value_phrase(b, s))
            }
            ExprKind::List(items) => {
                join_with(items.iter().map(|item| self.value_phrase(item, s)).collect(), "or")
            }
            _ if matches!(op, Operator::In | Operator::NotIn) => {
                format!("among {}", self.value_phrase(right, s))
            }
            _ => self.value_phrase(right, s),
        };
        let not = matches!(op, Operator::NotEqual | Operator::NotIn);
        sentence(&value, &format!("{} {among}", operator_words(op).trim_end_matches(" not")), not)
    }

    /// Returns the phrase for a word of a set, if the set declares one for it.
    fn phrase_of_word(&self, e: &Expr, s: &Scope) -> Option<&'r str> {
        let (ExprKind::Name(word), Type::Word(set)) = (&e.kind, self.ty(e, s)) else { return None };
        let index = self.word_index(set, word).filter(|_| s.ty(word).is_none())?;
        self.schema().word_set(set).says.get(index).map(String::as_str)
    }

    /// Returns a need in words, such as `at most the strength of ‘from’`.
    pub(in crate::render::paper) fn need_phrase(
        &self,
        op: Operator,
        value: &Expr,
        s: &Scope,
    ) -> String {
        let than = operator_words(op).trim_start_matches("is").trim();
        let than = if op == Operator::Equal { "exactly" } else { than };
        format!("{than} {}", self.value_phrase(value, s))
    }
}

fn opposite_operator(op: Operator) -> Operator {
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

fn operator_words(op: Operator) -> &'static str {
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
fn flag_predicate(attribute: &Attribute) -> String {
    let verb =
        |title: &&String| title.split(' ').next().is_some_and(|first| AUXILIARIES.contains(&first));
    let says = attribute.says.as_ref().or(attribute.title.as_ref().filter(verb));
    says.cloned().unwrap_or_else(|| name_as_words(&attribute.name))
}
