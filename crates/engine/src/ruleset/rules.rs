//! Reads the keys, usages and tables of rules.

use std::ops::Range;

use toml::de::DeValue;

use crate::diagnostic::Declaration;
use crate::language::parser;
use crate::language::rule::{
    Modifier, OpposingRoll, Requirement, RerollChoice, RuleText, TableRow, Usage, UsagePart,
};
use crate::language::schema::{CodeUnit, FunctionId, Param, RowRange, RuleId, SecretFor, Type};
use crate::language::syntax::{
    AllowedAnswers, Expr, ExprKind, MemberSource, Name, TemplatePart, TextTemplate, WrittenQuestion,
};
use crate::names::nearest;
use crate::ruleset::format::forms;
use crate::ruleset::loader::{Loader, NamedTable};
use crate::ruleset::raw::{RawText, Section, TomlNode};
use crate::source::Span;

/// The maximum length of a usage, in bytes.
const MAX_USAGE: usize = 1_000;
/// The maximum number of rules in a ruleset.
const MAX_RULES: usize = 5_000;

const NO_ROLL: &str = "write the dice to roll: `roll = '1d6'`";
const NO_TIMES: &str = "write `times`; for a single roll, `pass` and `after` can read `natural`";
const NO_NEEDS: &str = "write `needs`; `after` is for statements that always run";

/// Keys of a rule that have no effect without another key. Each is listed with the other key and
/// with advice.
const DEPENDENT_KEYS: [(&str, &str, &str); 17] = [
    ("also", "usage", "write `usage`; other words are allowed only for a verb"),
    ("modifiers", "roll", NO_ROLL),
    ("versus", "roll", NO_ROLL),
    ("needs", "roll", NO_ROLL),
    ("table", "roll", NO_ROLL),
    ("reroll", "roll", NO_ROLL),
    ("more", "roll", NO_ROLL),
    ("tally", "roll", NO_ROLL),
    ("more", "times", NO_TIMES),
    ("tally", "times", NO_TIMES),
    ("pass_say", "needs", NO_NEEDS),
    ("fail_say", "needs", NO_NEEDS),
    ("pass", "needs", NO_NEEDS),
    ("fail", "needs", NO_NEEDS),
    ("notable_many", "notable", "write `notable` for a single event"),
    ("notable_by", "notable", "write `notable` for events that no piece brought about"),
    ("notable_name", "notable", "write `notable` for a single event"),
];

/// Keys of a rule on which no other declaration depends. A fault in them doesn't make the rule's
/// name count as faulty.
const INDEPENDENT_KEYS: [&str; 21] = [
    "also",
    "title",
    "cite",
    "note",
    "reads",
    "phases",
    "actions",
    "require",
    "label",
    "pass_say",
    "pass",
    "fail_say",
    "fail",
    "after",
    "default",
    "secret",
    "seen_by",
    "notable",
    "notable_many",
    "notable_by",
    "notable_name",
];

/// Returns true if a key of a rule is valid, or is a misspelling of one of [`INDEPENDENT_KEYS`].
fn is_independent_key(key: &str) -> bool {
    let meant = || nearest(key, forms::RULE.keys.iter().map(|k| k.name));
    forms::RULE.has(key) || meant().is_some_and(|near| INDEPENDENT_KEYS.contains(&near))
}

/// Returns the first word of a rule's usage; `None` if there is no usage with a word.
fn read_verb(node: TomlNode<'_>) -> Option<String> {
    let DeValue::Table(table) = node.value else { return None };
    match table.get("usage")?.get_ref() {
        DeValue::String(usage) => usage.split_whitespace().next().map(str::to_owned),
        _ => None,
    }
}

impl Loader<'_> {
    pub(super) fn read_rules(&mut self, entries: &[NamedTable<'_>]) {
        for (index, entry) in entries.iter().filter(|e| e.section == "rule").enumerate() {
            let name = &entry.name;
            if index >= MAX_RULES {
                let message = format!("a ruleset has at most {MAX_RULES} rules");
                self.r.error("too-large", name.span, message);
                return;
            }
            let verb = read_verb(entry.node).unwrap_or_else(|| name.text.clone());
            let verb = Declaration::Callable(verb);
            let Some(section) = self.with_spoiled(&verb, |l| l.callable_section(entry, "rule"))
            else {
                continue;
            };
            let id = RuleId::from_index(self.schema.rules.len());
            let rule = self.read_rule(name, &verb, &section);
            let finish = |l: &mut Self| section.check_keys(&forms::RULE, &mut l.r);
            if section.entries().iter().all(|(key, _)| is_independent_key(&key.text)) {
                finish(self);
            } else {
                self.with_spoiled(&Declaration::Callable(name.text.clone()), finish);
            }
            self.schema.units[rule.function.index()] = Some(CodeUnit::Rule(id));
            if let Some(function) = rule.entry {
                self.schema.units[function.index()] = Some(CodeUnit::Entry(id));
            }
            self.schema.rules.push(rule);
        }
    }

    fn read_rule(&mut self, name: &Name, verb: &Declaration, section: &Section<'_>) -> RuleText {
        // Other parts of the ruleset depend on these keys: on the names, the dice, and the value
        // for callers.
        let cause = &Declaration::Callable(name.text.clone());
        let mut params = Vec::new();
        let mut usage = None;
        self.with_spoiled(verb, |l| {
            l.with_spoiled(cause, |l| {
                match (section.text("usage", &mut l.r), section.get("takes")) {
                    (Some(_), Some(node)) => {
                        let message = "a rule has either `usage` or `takes`, not both";
                        l.r.error("rule-parts", node.span, message);
                    }
                    (Some(text), None) => usage = l.read_usage(&text, &mut params),
                    (None, Some(node)) => params = l.read_params(node),
                    (None, None) => {}
                }
            });
        });
        self.read_defaults(cause, section, &mut params);
        let needs =
            self.with_spoiled(cause, |l| l.parse_key(section, "needs", parser::parse_comparison));
        let (needs, passes) = needs.map_or((None, None), |(op, needed, p)| (Some((op, needed)), p));
        let gives =
            self.with_spoiled(cause, |l| l.parse_key(section, "gives", parser::parse_expressions));
        let mut gives = gives.unwrap_or_default().into_iter();
        let each = self.with_spoiled(cause, |l| l.read_each(section));
        let secret_for = self.read_secret_for(section, &params, &each, SecretFor::Umpire);
        let notable = self.read_notable(section, &params);
        let notable_name = self.read_notable_name(section, &params);
        self.check_keys(name, section);
        let reroll_choice =
            self.with_spoiled(cause, |l| l.read_reroll_choice(section, &params)).map(Box::new);
        let may_lack = params.iter().any(|p| p.optional || p.default.is_some());
        let entry = may_lack.then(|| self.schema.new_function());
        RuleText {
            name: name.text.clone(),
            title: section.title(&name.text, &mut self.r),
            cite: section.prose("cite", &mut self.r),
            note: section.prose("note", &mut self.r),
            reads: section.prose("reads", &mut self.r),
            span: name.span,
            usage,
            also: section.prose_lines("also", &mut self.r),
            params,
            each,
            phases: section.prose_lines("phases", &mut self.r),
            any_side: section.flag("any_side", &mut self.r),
            actions: section.get("actions").and_then(|node| self.read_expr(node)),
            activation: Vec::new(),
            secret_for,
            notable,
            notable_many: self.read_notable_many(section),
            notable_by: self.read_notable_by(section),
            notable_name,
            warns: section.flag("warns", &mut self.r),
            require: self.read_requirements(section),
            before: self.with_spoiled(cause, |l| l.read_statements(section, "before")),
            times: self.with_spoiled(cause, |l| section.get("times").and_then(|n| l.read_expr(n))),
            roll: self.with_spoiled(cause, |l| l.parse_expr_key(section, "roll")),
            label: self.read_template_key(section, "label"),
            modifiers: self.with_spoiled(cause, |l| l.read_modifiers(section)),
            versus: self.with_spoiled(cause, |l| l.read_versus(section)).map(Box::new),
            needs,
            passes,
            reroll: self.with_spoiled(cause, |l| l.read_reroll(section)),
            reroll_choice,
            more: self.with_spoiled(cause, |l| l.parse_expr_key(section, "more")),
            tally: self.with_spoiled(cause, |l| l.read_tally(section)),
            pass_say: self.read_template_key(section, "pass_say"),
            pass: self.read_statements(section, "pass"),
            fail_say: self.read_template_key(section, "fail_say"),
            fail: self.read_statements(section, "fail"),
            table: self.with_spoiled(cause, |l| l.read_table_rows(section)),
            after: self.read_statements(section, "after"),
            gives: gives.next(),
            also_gives: gives.collect(),
            function: self.schema.new_function(),
            entry,
        }
    }

    /// Reports keys of a rule that cannot be combined, and keys without another key that they need.
    fn check_keys(&mut self, rule: &Name, section: &Section<'_>) {
        let lone = |(key, on, _): &(&str, &str, &str)| section.has(key) && !section.has(on);
        let mut wrong: Vec<(&str, String, &str)> = DEPENDENT_KEYS
            .into_iter()
            .filter(lone)
            .map(|(key, on, help)| (key, format!("`{key}` needs `{on}`"), help))
            .collect();
        let double = ["needs", "tally"].into_iter().filter(|key| section.has(key));
        wrong.extend(double.filter(|_| section.has("table")).map(|key| {
            let message = format!("a rule has either `{key}` or `table`, not both");
            (key, message, "leave one out")
        }));
        if section.has("versus") && section.has("times") {
            let message = "`versus` is for a single roll, not for `times`".to_owned();
            wrong.push(("versus", message, "call a rule with `versus` in `repeat n times { … }`"));
        }
        for (key, message, help) in wrong {
            let fault = self.r.error_with_help("rule-parts", section.key_span(key), message, help);
            fault.derived_from.push(Declaration::Callable(rule.text.clone()));
        }
    }

    pub(super) fn read_each(&mut self, section: &Section<'_>) -> Vec<MemberSource> {
        self.parse_key(section, "each", parser::parse_sources).unwrap_or_default()
    }

    pub(super) fn read_template_key(
        &mut self,
        section: &Section<'_>,
        key: &str,
    ) -> Option<TextTemplate> {
        let node = section.get(key)?;
        self.read_template(node)
    }

    pub(super) fn read_template(&mut self, node: TomlNode<'_>) -> Option<TextTemplate> {
        self.r.prose(node)?;
        let text = self.r.text(node)?;
        parser::parse_template(&text.value, &text.map, &mut self.r.faults)
    }

    /// Reads a whole number, or an expression in a text, or reports a fault and returns `None`.
    pub(super) fn read_expr(&mut self, node: TomlNode<'_>) -> Option<Expr> {
        if let DeValue::Integer(_) = node.value {
            let kind = ExprKind::Whole(self.r.whole_number(node)?);
            return Some(Expr { kind, span: node.span });
        }
        let text = self.r.text(node)?;
        self.parse_expr(&text)
    }

    /// Reads `notable`, the template of the sentence for a call in the battle report. Returns
    /// `None` if it is missing or faulty.
    fn read_notable(&mut self, section: &Section<'_>, params: &[Param]) -> Option<FunctionId> {
        let template = self.read_template_key(section, "notable")?;
        let single = params.iter().filter(|param| !matches!(param.ty, Type::List(_))).cloned();
        Some(self.add_text_function(single.collect(), template))
    }

    /// Reads `notable_many`, the template of the sentence for several calls in a turn. Returns
    /// `None` if it is missing or faulty.
    fn read_notable_many(&mut self, section: &Section<'_>) -> Option<FunctionId> {
        let template = self.read_template_key(section, "notable_many")?;
        let many = Param::built_in("many", Type::Whole);
        let names = Param::built_in("names", Type::Text);
        Some(self.add_text_function(vec![many, names], template))
    }

    /// Reads `notable_by`, the template of the sentence for the calls that one piece caused.
    /// Returns `None` if it is missing or faulty.
    fn read_notable_by(&mut self, section: &Section<'_>) -> Option<FunctionId> {
        let template = self.read_template_key(section, "notable_by")?;
        let params = ["actor", "names"].map(|name| Param::built_in(name, Type::Text));
        Some(self.add_text_function(params.to_vec(), template))
    }

    /// Reads `notable_name`, the template for each name in the lists of `notable_many` and
    /// `notable_by`. Returns `None` if it is missing or faulty.
    fn read_notable_name(&mut self, section: &Section<'_>, params: &[Param]) -> Option<FunctionId> {
        let template = self.read_template_key(section, "notable_name")?;
        let name = Param::built_in("name", Type::Text);
        let summed = params.iter().filter(|param| param.ty == Type::Whole).cloned();
        Some(self.add_text_function([name].into_iter().chain(summed).collect(), template))
    }

    /// Adds a function that fills in a template and returns the text.
    pub(super) fn add_text_function(
        &mut self,
        params: Vec<Param>,
        template: TextTemplate,
    ) -> FunctionId {
        let span = template.span;
        let text = Expr { kind: ExprKind::Text(template), span };
        self.add_function(Some(CodeUnit::Value(params, Some(Type::Text), text)))
    }

    fn read_requirements(&mut self, section: &Section<'_>) -> Vec<Requirement> {
        let nodes = section.array("require", &mut self.r);
        self.read_tables(nodes, "the requirement", &forms::REQUIREMENT, |l, part| {
            let that = l.parse_expr_key(part, "that");
            let because = l.read_template_key(part, "because");
            Some(Requirement { that: that?, because: because? })
        })
    }

    fn read_modifiers(&mut self, section: &Section<'_>) -> Vec<Modifier> {
        let nodes = section.array("modifiers", &mut self.r);
        self.read_tables(nodes, "the modifier", &forms::MODIFIER, |l, part| {
            let by = part.get("by").and_then(|n| l.read_expr(n));
            let when = l.parse_expr_key(part, "when");
            let because = l.read_template_key(part, "because");
            Some(Modifier { by: by?, when, because: because? })
        })
    }

    /// Reads the roll of the other side. Returns `None` if there is none, or if it is faulty.
    fn read_versus(&mut self, section: &Section<'_>) -> Option<OpposingRoll> {
        let part = section.table("versus", &mut self.r)?;
        let roll = self.parse_expr_key(&part, "roll");
        let label = self.read_template_key(&part, "label");
        let modifiers = self.read_modifiers(&part);
        part.check_keys(&forms::VERSUS, &mut self.r);
        Some(OpposingRoll { roll: roll?, label: label?, modifiers })
    }

    /// Reads the condition for rerolling. Returns `None` if there is no reroll, if it is a choice,
    /// or if the condition is faulty.
    fn read_reroll(&mut self, section: &Section<'_>) -> Option<Expr> {
        let node = section.get("reroll")?;
        if matches!(node.value, DeValue::Table(_)) {
            return None;
        }
        self.parse_expr_key(section, "reroll")
    }

    /// Reads a reroll that someone may choose after seeing the dice. Returns `None` if there is
    /// none, or if it is faulty.
    fn read_reroll_choice(
        &mut self,
        section: &Section<'_>,
        params: &[Param],
    ) -> Option<RerollChoice> {
        let node = section.get("reroll")?;
        if !matches!(node.value, DeValue::Table(_)) {
            return None;
        }
        let part = self.r.section("`reroll`", node)?;
        let may = self.parse_expr_key(&part, "may");
        let side = self.parse_expr_key(&part, "side");
        let by = self.parse_expr_key(&part, "by");
        let cost = self.read_statements(&part, "cost");
        let text = match part.get("ask") {
            Some(written) => self.read_template(written),
            None => Some(self.default_reroll_text(section, params, part.span)),
        };
        part.check_keys(&forms::REROLL, &mut self.r);
        if section.has("times") {
            let message = "a reroll that someone chooses is for a single roll, not for `times`";
            let help = "write `reroll = 'CONDITION'`, or call a rule with a single roll";
            self.r.error_with_help("rule-parts", part.span, message, help);
            return None;
        }
        let question = WrittenQuestion { side, text: text?, answers: AllowedAnswers::Flag, by };
        Some(RerollChoice { may: may?, question, cost })
    }

    /// Returns the default question about a reroll: the label of the roll, or else the rule's first
    /// piece, if any, and the total.
    fn default_reroll_text(
        &mut self,
        section: &Section<'_>,
        params: &[Param],
        span: Span,
    ) -> TextTemplate {
        let value =
            |name: &str| TemplatePart::Value(Expr { kind: ExprKind::Name(name.to_owned()), span });
        let mut parts = match self.read_template_key(section, "label") {
            Some(label) => label.parts,
            None => {
                let piece = params.iter().find(|param| matches!(param.ty, Type::Piece(_)));
                piece.map(|param| value(&param.name)).into_iter().collect()
            }
        };
        let begins = if parts.is_empty() { "[" } else { " [" };
        parts.push(TemplatePart::Text(begins.to_owned()));
        parts.push(value("total"));
        parts.push(TemplatePart::Text("]: reroll?".to_owned()));
        TextTemplate { parts, span }
    }

    /// Reads the sums over the dice: their names and expressions.
    fn read_tally(&mut self, section: &Section<'_>) -> Vec<(Name, Expr)> {
        let Some(table) = section.table("tally", &mut self.r) else { return Vec::new() };
        let mut tally = Vec::new();
        for (name, node) in table.entries() {
            self.r.check_name(name, "a sum");
            tally.extend(self.read_expr(*node).map(|expr| (name.clone(), expr)));
        }
        tally
    }

    fn read_table_rows(&mut self, section: &Section<'_>) -> Vec<TableRow> {
        let nodes = section.array("table", &mut self.r);
        self.read_tables(nodes, "the row", &forms::ROW, |l, part| {
            let on = part.get("on").and_then(|n| l.read_label(n));
            let when = part.text("when", &mut l.r);
            let say = l.read_template_key(part, "say");
            let reads = part.prose("reads", &mut l.r);
            let block = l.read_statements(part, "do");
            let rest = RowRange { low: i64::MIN, high: i64::MAX };
            let (on, label, span) = match (on, &when) {
                (Some(label), Some(_)) => {
                    let message = "a row has either `on` or `when`, not both";
                    l.r.error("rule-parts", label.span, message);
                    return None;
                }
                (Some(label), None) => (l.read_totals(&label)?, label.text, label.span),
                (None, Some(when)) => (rest, when.value.trim().to_owned(), when.span),
                (None, None) => (rest, "otherwise".to_owned(), part.span),
            };
            let when = match when {
                Some(when) => Some(l.parse_expr(&when)?),
                None => None,
            };
            Some(TableRow { on, when, label, span, say, reads, block })
        })
    }

    /// Reads the default values of parameters. Reports every optional parameter for a number, dice
    /// or a word that has none.
    fn read_defaults(&mut self, cause: &Declaration, section: &Section<'_>, params: &mut [Param]) {
        let table = section.table("default", &mut self.r);
        for (name, node) in table.iter().flat_map(|table| table.entries()) {
            match params.iter_mut().find(|p| p.name == name.text) {
                Some(param) => param.default = self.with_spoiled(cause, |l| l.read_expr(*node)),
                None => {
                    let message = format!("the usage has no `{}`", name.text.escape_debug());
                    let known = params.iter().map(|p| p.name.as_str());
                    self.r.report_unknown("unknown-key", name, cause.clone(), message, known);
                }
            }
        }
        for param in params.iter().filter(|p| p.optional && p.default.is_none()) {
            if matches!(param.ty, Type::Whole | Type::Number | Type::Dice | Type::Word(_)) {
                let message = format!("`{}` can be left out, but has no default", param.name);
                let help = format!("write `default = {{ {} = '…' }}`", param.name);
                let fault = self.r.error_with_help("missing-default", param.span, message, help);
                fault.derived_from.push(cause.clone());
            }
        }
    }

    /// Reads a usage, such as `fight <target:area> with <hose:hose> [range <range:1..3>]`, and adds
    /// its parameters to `params`. Faults are reported. Returns `None` if the usage is too long or
    /// has no verb.
    fn read_usage(&mut self, text: &RawText, params: &mut Vec<Param>) -> Option<Usage> {
        if text.value.len() > MAX_USAGE {
            let message = format!("this usage is longer than {MAX_USAGE} bytes");
            self.r.error("bad-usage", text.span, message);
            return None;
        }
        let mut pieces = split_usage(&text.value).into_iter().peekable();
        let is_word = |piece: &Range<usize>| {
            let word = &text.value[piece.clone()];
            word.starts_with(char::is_alphabetic) && !word.contains(char::is_control)
        };
        let verb = pieces.next_if(is_word).map(|piece| text.value[piece].to_owned());
        let mut wrong = None;
        let mut parts = Vec::new();
        // The contents of brackets: the parts, the number of parameters before them, and the span
        // of the last word.
        let mut inner: Option<(Vec<UsagePart>, usize, Span)> = None;
        // After a fault, the rest is still read, so that the rule knows the names in the usage.
        for piece in pieces {
            let word = &text.value[piece.clone()];
            let span = text.map.span(piece);
            let fault = match (word, inner.take()) {
                ("[", None) => {
                    inner = Some((Vec::new(), params.len(), span));
                    None
                }
                ("[", outer) => {
                    inner = outer;
                    Some("one `[` is inside another")
                }
                ("]", None) => Some("this `]` has no `[`"),
                ("]", Some((within, first, word_span))) => {
                    params[first..].iter_mut().for_each(|param| param.optional = true);
                    parts.push(match within.as_slice() {
                        [UsagePart::Word(flag)] => {
                            let name = Name { text: flag.clone(), span: word_span };
                            let name = self.add_usage_param(name, "an optional word", params);
                            params.push(Param {
                                optional: true,
                                span: word_span,
                                ..Param::built_in(&name, Type::Flag)
                            });
                            UsagePart::Flag(flag.clone(), params.len() - 1)
                        }
                        _ => UsagePart::Optional(within),
                    });
                    None
                }
                (word, outer) => {
                    inner = outer;
                    let part = match word.strip_prefix('<') {
                        Some(fill) => fill.strip_suffix('>').map(|fill| {
                            let (name, ty) = fill.split_once(':').unwrap_or((fill, fill));
                            let [name, ty] =
                                [name, ty].map(|t| Name { text: t.trim().to_owned(), span });
                            let many = ty.text.ends_with('+');
                            let name = self.add_usage_param(name, "a value to fill in", params);
                            let (ty, bounds) =
                                self.read_param_type(&ty).unwrap_or((Type::Unknown, None));
                            params.push(Param { bounds, span, ..Param::built_in(&name, ty) });
                            UsagePart::Fill(params.len() - 1, many)
                        }),
                        None => (!word.contains(|c: char| c == '>' || c.is_control()))
                            .then(|| UsagePart::Word(word.to_owned())),
                    };
                    let fault = part.is_none().then_some("this usage cannot be read");
                    match &mut inner {
                        Some((within, _, word_span)) => {
                            within.extend(part);
                            *word_span = span;
                        }
                        None => parts.extend(part),
                    }
                    fault
                }
            };
            wrong = wrong.or(fault.map(|fault| (span, fault)));
        }
        let open = inner.map(|_| (text.span, "a `[` has no `]`"));
        let no_verb = verb.is_none().then_some((text.span, "a usage must begin with its verb"));
        if let Some((span, message)) = wrong.or(open).or(no_verb) {
            let help = "write words, `<name:type>`, and `[…]` for parts that may be left out";
            self.r.error_with_help("bad-usage", span, message, help);
        }
        Some(Usage { text: text.value.trim().to_owned(), verb: verb?, parts })
    }

    /// Returns the name of a parameter of a usage, and reports an invalid name. If an earlier
    /// parameter has the same name, reports a fault and returns an empty name.
    fn add_usage_param(&mut self, name: Name, what: &str, params: &[Param]) -> String {
        if self.r.check_name(&name, what) && params.iter().any(|p| p.name == name.text) {
            self.r.error("twice", name.span, format!("two parts are named `{}`", name.text));
            return String::new();
        }
        name.text
    }
}

/// Splits a usage into square brackets, parameters such as `<target:area>`, and words.
fn split_usage(text: &str) -> Vec<Range<usize>> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '<' | '>');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            '<' => rest.find('>').map_or(rest.len(), |end| end + 1),
            c if ends(c) => c.len_utf8(),
            _ => rest.find(ends).unwrap_or(rest.len()),
        };
        if !c.is_whitespace() {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}
