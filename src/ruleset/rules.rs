//! Rules: their keys, usages and tables.

use super::prelude::*;
use crate::language::parser;
use crate::language::rule::{Modifier, Requirement, RuleText, TableRow, Usage, UsagePart};
use crate::language::schema::{RowRange, RuleId};
use crate::language::syntax::{ExprKind, Source, Template};
use crate::names::nearest;
use crate::ruleset::charts::row_range;

/// The longest usage, in bytes.
const MAX_USAGE: usize = 1_000;
/// The most rules a ruleset may have.
const MAX_RULES: usize = 5_000;

/// Keys of a rule on which no other key rests.
const ASIDE: [&str; 14] = [
    "title", "cite", "note", "phases", "require", "label", "pass_say", "pass", "fail_say", "fail",
    "after", "default", "secret", "seen_by",
];

/// Returns true if a key of a rule, or the key it was meant to be, has nothing resting on it.
fn rests_aside(key: &str) -> bool {
    let meant = || nearest(key, forms::RULE.keys.iter().map(|k| k.name));
    forms::RULE.has(key) || meant().is_some_and(|key| ASIDE.contains(&key))
}

/// Returns the first word of the usage of a rule.
fn verb_of(node: Node<'_>) -> Option<String> {
    let DeValue::Table(table) = node.value else { return None };
    match table.get("usage")?.get_ref() {
        DeValue::String(usage) => usage.split_whitespace().next().map(str::to_owned),
        _ => None,
    }
}

impl Loader<'_> {
    pub(super) fn rules(&mut self, entries: &[Entry<'_>]) {
        for (place, entry) in entries.iter().filter(|e| e.section == "rule").enumerate() {
            let name = &entry.name;
            if place >= MAX_RULES {
                let message = format!("a ruleset has at most {MAX_RULES} rules");
                self.r.error("too-large", name.span, message);
                return;
            }
            let verb = verb_of(entry.node).unwrap_or_else(|| name.text.clone());
            let verb = Cause::Callable(verb);
            let Some(section) = self.spoiling(&verb, |l| l.callable(entry, "rule")) else {
                continue;
            };
            let id = RuleId::from_index(self.schema.rules.len());
            let rule = self.rule(name, &verb, &section);
            let finish = |l: &mut Self| section.finish(&forms::RULE, &mut l.r);
            match section.all().iter().all(|(key, _)| rests_aside(&key.text)) {
                true => finish(self),
                false => self.spoiling(&Cause::Callable(name.text.clone()), finish),
            }
            self.schema.units[rule.function.index()] = Some(Unit::Rule(id));
            if let Some(entry) = rule.entry {
                self.schema.units[entry.index()] = Some(Unit::Entry(id));
            }
            self.schema.rules.push(rule);
        }
    }

    fn rule(&mut self, name: &Name, verb: &Cause, section: &Section<'_>) -> RuleText {
        // Other parts rest on these: what they name, what is thrown, what a caller gets.
        let cause = &Cause::Callable(name.text.clone());
        let mut optional = Vec::new();
        let (mut params, mut usage) = (Vec::new(), None);
        self.spoiling(verb, |l| {
            l.spoiling(cause, |l| match (section.text("usage", &mut l.r), section.get("takes")) {
                (Some(_), Some(node)) => {
                    let message = "a rule has either `usage` or `takes`, not both";
                    l.r.error("rule-parts", node.span, message);
                }
                (Some(text), None) => usage = l.usage(&text, &mut params, &mut optional),
                (None, Some(node)) => {
                    params = l.params(node);
                    optional = vec![false; params.len()];
                }
                (None, None) => {}
            });
        });
        let defaults = self.defaults(name, section, &params);
        self.check_optional(&params, &optional, section);
        let needs = self.spoiling(cause, |l| {
            let needs = section.text("needs", &mut l.r)?;
            parser::comparison(&needs.value, &needs.map, &mut l.r.faults)
        });
        let (needs, passes) = needs.map_or((None, None), |(op, needed, p)| (Some((op, needed)), p));
        let mut gives = self.spoiling(cause, |l| {
            let gives = section.text("gives", &mut l.r)?;
            parser::expressions(&gives.value, &gives.map, &mut l.r.faults)
        });
        let also_gives = gives.as_mut().map_or_else(Vec::new, |all| all.split_off(1));
        let secret = section.flag("secret", &mut self.r) || section.has("seen_by");
        let seen_by = self.seen_by(section, &params);
        let may_lack = defaults.iter().any(Option::is_some) || optional.contains(&true);
        let entry = may_lack.then(|| self.schema.new_function());
        RuleText {
            name: name.text.clone(),
            title: section.title(&name.text, &mut self.r),
            cite: section.words("cite", &mut self.r),
            note: section.words("note", &mut self.r),
            span: name.span,
            usage,
            params,
            defaults,
            optional,
            each: self.spoiling(cause, |l| l.each(section)),
            phases: section.lines("phases", &mut self.r),
            any_side: section.flag("any_side", &mut self.r),
            secret,
            seen_by,
            warns: section.flag("warns", &mut self.r),
            require: self.requirements(section),
            before: self.spoiling(cause, |l| l.block(section, "before")),
            times: self.spoiling(cause, |l| section.get("times").and_then(|n| l.expr_of(n))),
            roll: self.spoiling(cause, |l| l.expr_in(section, "roll")),
            label: self.template(section, "label"),
            modifiers: self.spoiling(cause, |l| l.modifiers(section)),
            needs,
            passes,
            reroll: self.spoiling(cause, |l| l.expr_in(section, "reroll")),
            more: self.spoiling(cause, |l| l.expr_in(section, "more")),
            tally: self.spoiling(cause, |l| l.tally(section)),
            pass_say: self.template(section, "pass_say"),
            pass: self.block(section, "pass"),
            fail_say: self.template(section, "fail_say"),
            fail: self.block(section, "fail"),
            table: self.spoiling(cause, |l| l.table_rows(section)),
            after: self.block(section, "after"),
            gives: gives.and_then(|mut all| all.pop()),
            also_gives,
            function: self.schema.new_function(),
            entry,
        }
    }

    pub(super) fn each(&mut self, section: &Section<'_>) -> Vec<Source> {
        let text = section.text("each", &mut self.r);
        text.and_then(|t| parser::sources(&t.value, &t.map, &mut self.r.faults)).unwrap_or_default()
    }

    pub(super) fn template(&mut self, section: &Section<'_>, key: &str) -> Option<Template> {
        let node = section.get(key)?;
        self.template_of(node)
    }

    pub(super) fn template_of(&mut self, node: Node<'_>) -> Option<Template> {
        self.r.words(node)?;
        let text = self.r.text(node)?;
        parser::template(&text.value, &text.map, &mut self.r.faults)
    }

    /// A number, or an expression in a text.
    fn expr_of(&mut self, node: Node<'_>) -> Option<Expr> {
        if let DeValue::Integer(_) = node.value {
            let kind = ExprKind::Whole(self.r.whole(node)?);
            return Some(Expr { kind, span: node.span });
        }
        let text = self.r.text(node)?;
        self.expr(&text)
    }

    pub(super) fn expr_in(&mut self, section: &Section<'_>, key: &str) -> Option<Expr> {
        let text = section.text(key, &mut self.r)?;
        self.expr(&text)
    }

    fn requirements(&mut self, section: &Section<'_>) -> Vec<Requirement> {
        let nodes = section.array("require", &mut self.r);
        self.parts(nodes, &forms::REQUIREMENT, |l, part| {
            let that = l.expr_in(part, "that");
            let because = l.template(part, "because");
            Some(Requirement { that: that?, because: because? })
        })
    }

    fn modifiers(&mut self, section: &Section<'_>) -> Vec<Modifier> {
        let nodes = section.array("modifiers", &mut self.r);
        self.parts(nodes, &forms::MODIFIER, |l, part| {
            let by = part.get("by").and_then(|n| l.expr_of(n));
            let when = l.expr_in(part, "when");
            let because = l.template(part, "because");
            Some(Modifier { by: by?, when, because: because? })
        })
    }

    /// Reads the names that add up over the dice.
    fn tally(&mut self, section: &Section<'_>) -> Vec<(Name, Expr)> {
        let Some(table) = section.table("tally", &mut self.r) else { return Vec::new() };
        let mut tally = Vec::new();
        for (name, node) in table.all() {
            self.r.good_name(name, "what is added up");
            tally.extend(self.expr_of(*node).map(|expr| (name.clone(), expr)));
        }
        tally
    }

    fn table_rows(&mut self, section: &Section<'_>) -> Vec<TableRow> {
        let nodes = section.array("table", &mut self.r);
        self.parts(nodes, &forms::ROW, |l, part| {
            let on = part.get("on").and_then(|n| Some((l.label(n)?, n.span)));
            let when = part.text("when", &mut l.r);
            let say = l.template(part, "say");
            let block = l.block(part, "do");
            let rest = RowRange { low: i64::MIN, high: i64::MAX };
            let (on, label, span) = match (on, &when) {
                (Some((_, span)), Some(_)) => {
                    let message = "a row has either `on` or `when`, not both";
                    l.r.error("rule-parts", span, message);
                    return None;
                }
                (Some((label, span)), None) => {
                    let on = row_range(&label);
                    if on.is_none() {
                        l.bad_row(&label, span);
                    }
                    (on?, label, span)
                }
                (None, Some(when)) => (rest, when.value.trim().to_owned(), when.span),
                (None, None) => (rest, "otherwise".to_owned(), part.span),
            };
            let when = match when {
                Some(when) => Some(l.expr(&when)?),
                None => None,
            };
            Some(TableRow { on, when, label, span, say, block })
        })
    }

    fn defaults(
        &mut self,
        rule: &Name,
        section: &Section<'_>,
        params: &[Param],
    ) -> Vec<Option<Expr>> {
        let cause = Cause::Callable(rule.text.clone());
        let mut defaults = vec![None; params.len()];
        let Some(table) = section.table("default", &mut self.r) else { return defaults };
        for (name, node) in table.all() {
            match params.iter().position(|p| p.name == name.text) {
                Some(i) => defaults[i] = self.spoiling(&cause, |l| l.expr_of(*node)),
                None => {
                    let message = format!("the usage has no `{}`", name.text.escape_debug());
                    let known = params.iter().map(|p| p.name.as_str());
                    let at = (name.text.as_str(), name.span);
                    self.r.unknown("unknown-key", at, cause.clone(), message, known);
                }
            }
        }
        defaults
    }

    /// Checks that a parameter that may be left out has a value then.
    fn check_optional(&mut self, params: &[Param], optional: &[bool], section: &Section<'_>) {
        for (i, param) in params.iter().enumerate() {
            let may_lack = matches!(
                param.ty,
                Type::Piece(_) | Type::Flag | Type::List(_) | Type::Text | Type::Unknown
            );
            let given = section.get("default").is_some_and(|n| match n.value {
                DeValue::Table(t) => t.contains_key(param.name.as_str()),
                _ => false,
            });
            if optional.get(i) == Some(&true) && !may_lack && !given {
                let message = format!("`{}` can be left out, but has no default", param.name);
                let help = format!("write `default = {{ {} = '…' }}`", param.name);
                self.r.advise("missing-default", param.span, message, help);
            }
        }
    }

    /// `fight <target:area> with <hose:hose> [range <range:1..3>]`
    fn usage(
        &mut self,
        text: &Text,
        params: &mut Vec<Param>,
        optional: &mut Vec<bool>,
    ) -> Option<Usage> {
        if text.value.len() > MAX_USAGE {
            let message = format!("this usage is longer than {MAX_USAGE} bytes");
            self.r.error("bad-usage", text.span, message);
            return None;
        }
        let mut reading = UsageText { text, at: 0, reported: false };
        let verb = match reading.next() {
            Some(Piece::Word(verb)) if verb.starts_with(char::is_alphabetic) => Some(verb),
            _ => {
                self.r.error("bad-usage", text.span, "a usage begins with its verb");
                (reading.at, reading.reported) = (0, true);
                None
            }
        };
        let parts = self.usage_parts(&mut reading, params, optional, false);
        Some(Usage { text: text.value.trim().to_owned(), verb: verb?, parts })
    }

    /// The parts up to the end, or the `]` of what may be left out. After a fault the rest is read all the
    /// same, so that the names of the usage are known to the rule.
    fn usage_parts(
        &mut self,
        reading: &mut UsageText<'_>,
        params: &mut Vec<Param>,
        optional: &mut Vec<bool>,
        inside: bool,
    ) -> Vec<UsagePart> {
        let mut parts = Vec::new();
        loop {
            let piece = reading.next();
            match piece {
                None if inside && !reading.reported => {
                    self.r.error("bad-usage", reading.text.span, "a `[` has no `]`");
                    return parts;
                }
                None => return parts,
                Some(Piece::Close) if inside => return parts,
                Some(Piece::Word(word)) => parts.push(UsagePart::Word(word)),
                Some(Piece::Open) if !inside => {
                    let first = params.len();
                    let start = reading.at;
                    let inner = self.usage_parts(reading, params, optional, true);
                    for o in &mut optional[first..] {
                        *o = true;
                    }
                    parts.push(match inner.as_slice() {
                        [UsagePart::Word(word)] => {
                            let span = reading.inner_span(start);
                            let name = Name { text: word.clone(), span };
                            let name = self.place(name, "a word that may be left out", params);
                            let (span, ty) = (reading.text.span, Type::Flag);
                            params.push(Param { name, ty, bounds: None, span });
                            optional.push(true);
                            UsagePart::Flag(word.clone(), params.len() - 1)
                        }
                        _ => UsagePart::Optional(inner),
                    });
                }
                Some(Piece::Fill(name, ty, span)) => {
                    let many = ty.ends_with('+');
                    let name = Name { text: name, span };
                    let name = self.place(name, "what is filled in", params);
                    let known = self.param_type(&ty, span);
                    let (ty, bounds) = known.unwrap_or((Type::Unknown, None));
                    params.push(Param { name, ty, bounds, span });
                    optional.push(false);
                    parts.push(UsagePart::Fill(params.len() - 1, many));
                }
                Some(_) if reading.reported => {}
                Some(Piece::Open | Piece::Close | Piece::Wrong(_)) => {
                    reading.reported = true;
                    let here = reading.text.map.span(reading.at.max(1) - 1..reading.at);
                    let (span, message) = match piece {
                        Some(Piece::Wrong(span)) => (span, "this usage cannot be read"),
                        Some(Piece::Open) => (here, "a `[` stands within another"),
                        _ => (here, "this `]` closes nothing"),
                    };
                    let help = "write words, `<name:type>`, and `[…]` for what may be left out";
                    self.r.advise("bad-usage", span, message, help);
                }
            }
        }
    }

    /// The name of a place of a usage; empty, after a fault, if one before it is called so.
    fn place(&mut self, name: Name, what: &str, params: &[Param]) -> String {
        if self.r.good_name(&name, what) && params.iter().any(|p| p.name == name.text) {
            self.r.error("twice", name.span, format!("two places are called `{}`", name.text));
            return String::new();
        }
        name.text
    }
}

/// A piece of a usage.
enum Piece {
    Word(String),
    Fill(String, String, Span),
    Open,
    Close,
    Wrong(Span),
}

struct UsageText<'a> {
    text: &'a Text,
    at: usize,
    /// True after the fault that the usage cannot be read.
    reported: bool,
}

impl UsageText<'_> {
    /// The place of what stands between the `[` before `start` and the `]` just read.
    fn inner_span(&self, start: usize) -> Span {
        let inner = self.text.value[start..self.at].trim_end_matches(']');
        let before = inner.len() - inner.trim_start().len();
        self.text.map.span(start + before..start + inner.trim_end().len())
    }

    fn next(&mut self) -> Option<Piece> {
        let all = &self.text.value;
        self.at += all[self.at..].len() - all[self.at..].trim_start().len();
        let rest = &all[self.at..];
        let start = self.at;
        let first = rest.chars().next()?;
        let span = |to: usize| self.text.map.span(start..to);
        match first {
            '[' | ']' => {
                self.at += 1;
                Some(if first == '[' { Piece::Open } else { Piece::Close })
            }
            '<' => {
                let Some(length) = rest.find('>') else {
                    self.at = all.len();
                    return Some(Piece::Wrong(span(all.len())));
                };
                self.at += length + 1;
                let inner = &rest[1..length];
                let (name, ty) = inner.split_once(':').unwrap_or((inner, inner));
                let (name, ty) = (name.trim().to_owned(), ty.trim().to_owned());
                Some(Piece::Fill(name, ty, span(start + length + 1)))
            }
            _ => {
                let length = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '<' | '>'))
                    .unwrap_or(rest.len());
                if length == 0 {
                    self.at += first.len_utf8();
                    return Some(Piece::Wrong(span(start + first.len_utf8())));
                }
                self.at += length;
                let word = rest[..length].to_owned();
                if word.chars().any(char::is_control) {
                    return Some(Piece::Wrong(span(start + length)));
                }
                Some(Piece::Word(word))
            }
        }
    }
}
