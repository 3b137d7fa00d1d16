//! Reads TOML with spans. The keys of tables are read by name, and each unknown key, missing key or
//! wrong value is reported as a fault.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Declaration, Diagnostic, Fault};
use crate::language::syntax::Name;
use crate::ruleset::format::{Form, KeyValue};
use crate::source::{FileId, Sources, Span, StringMap};

/// The maximum size of a file, in bytes.
pub const MAX_FILE: usize = 1024 * 1024;

/// A string in a file, with its span, which includes the quotes.
#[derive(Clone, Debug)]
pub struct RawText {
    /// The text, with its escapes resolved.
    pub value: String,
    /// The span of the string.
    pub span: Span,
    /// The map from the text to the file.
    pub map: StringMap,
}

/// A TOML value with its span.
#[derive(Clone, Copy, Debug)]
pub(super) struct TomlNode<'a> {
    /// The parsed TOML value.
    pub(super) value: &'a DeValue<'a>,
    /// The span of the value.
    pub(super) span: Span,
}

/// A reader of TOML values, with the files (for spans) and the faults so far.
pub(super) struct Reader<'s> {
    /// All files of the ruleset, for the spans.
    pub(super) sources: &'s Sources,
    /// The faults so far.
    pub(super) faults: Vec<Diagnostic>,
}

/// A table whose keys are read by name.
pub(super) struct Section<'a> {
    /// The name of the table in messages, such as "the kind `area`".
    pub(super) what: String,
    /// The span of the table.
    pub(super) span: Span,
    entries: Vec<(Name, TomlNode<'a>)>,
}

/// Parses a file. If the file is too large or has a syntax error, reports the fault and returns
/// `None`, because the rest of the file could be misread.
pub(super) fn parse<'a>(
    text: &'a str,
    file: FileId,
    faults: &mut Vec<Diagnostic>,
) -> Option<Spanned<DeTable<'a>>> {
    if text.len() > MAX_FILE {
        let message = format!("this file is larger than {MAX_FILE} bytes");
        let fault = Diagnostic::error("file-too-large", Span::new(file, 0..1), message);
        faults.push(fault.spoiling(Declaration::File));
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let Some(error) = errors.first() else { return Some(table) };
    let message = error.message().trim().replace('\n', "; ").to_lowercase();
    let fault = toml_fault(text, file, error.span().unwrap_or(0..0), &message);
    faults.push(fault.spoiling(Declaration::File));
    None
}

/// Returns true if a line of TOML begins a section.
fn is_header(line: &str) -> bool {
    line.trim().starts_with('[')
}

/// Returns the name of the section or key in a line of TOML.
fn key_name(line: &str) -> &str {
    if is_header(line) {
        line.trim().trim_matches(['[', ']']).trim()
    } else {
        line.split('=').next().unwrap_or_default().trim()
    }
}

/// Returns true if a line seems to be TOML, not rule text.
fn is_toml(line: &str) -> bool {
    line.contains(" = '") || line.starts_with('[')
}

/// Returns the fault for a file that is not valid TOML. If possible, the span is that of the cause:
/// for example, the parser notices a missing quote only later in the text.
fn toml_fault(text: &str, file: FileId, at: Range<usize>, message: &str) -> Diagnostic {
    let fault =
        |range: Range<usize>, words: &str| Diagnostic::error("toml", Span::new(file, range), words);
    let start = text[..at.start].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let end = start + line.trim_end().len();
    let before = &text[start..at.start];
    if message.starts_with("duplicate key") {
        let from = text[..start].rfind("\n[").filter(|_| !is_header(line)).unwrap_or(0);
        let mut lines = text[from..start].split_inclusive('\n').scan(from, |next, earlier| {
            *next += earlier.len();
            Some((*next - earlier.len(), earlier))
        });
        let first = lines.find(|(_, other)| {
            is_header(other) == is_header(line)
                && key_name(other) == key_name(line)
                && !key_name(line).is_empty()
        });
        let twice = format!("`{}` appears twice", text.get(at.clone()).unwrap_or_default());
        return match first {
            Some((offset, other)) => {
                let section_twice = format!("`{}` appears twice", key_name(line));
                let first_span = Span::new(file, offset..offset + other.trim_end().len());
                let fault = fault(start..end, &section_twice).other_span(first_span, "first here");
                if line.trim().starts_with("[[") == other.starts_with("[[") {
                    fault
                } else {
                    fault.help(format!("write `[[{}]]` for each", key_name(line)))
                }
            }
            None => fault(at, &twice),
        };
    }
    for long in ["'''", "\"\"\""] {
        let mut offsets = text[..at.start].match_indices(long).map(|(offset, _)| offset);
        while let Some(open) = offsets.next() {
            let close = offsets.next();
            let mut inner = text[open + 3..close.unwrap_or(at.start)].lines().skip(1);
            if close.is_none() || inner.any(is_toml) {
                return fault(open..open + 3, &format!("this text has no closing `{long}`"));
            }
        }
    }
    let quote = if message.starts_with("invalid basic") { '"' } else { '\'' };
    if message.ends_with(&format!("string, expected `{quote}`"))
        && let Some(open) = before.rfind(quote)
    {
        return fault(start + open..end, &format!("this text has no closing `{quote}`"));
    }
    let ended = before.trim_end();
    let rest = text.get(at.start..end).unwrap_or_default();
    let goes_on = !rest.starts_with(['\'', '"']) && rest.contains('\'');
    if goes_on && ended.ends_with('\'') && ended.matches('\'').count() > 1 {
        let offset = start + ended.len() - 1;
        return fault(offset..offset + 1, "this apostrophe ends the text")
            .help("write the text between `'''` and `'''`");
    }
    match (line.trim().starts_with("//"), message.starts_with("string values must")) {
        (true, _) => fault(start..end, "this is not TOML").help("comments begin with `#`"),
        (_, true) => match text.get(at.clone()).unwrap_or_default() {
            "yes" | "on" => fault(at, "this is not a value").help("write `true`"),
            "no" | "off" => fault(at, "this is not a value").help("write `false`"),
            _ => fault(at, "write text in straight quotes"),
        },
        _ if message.is_empty() => fault(at, "this is not TOML"),
        _ => fault(at, message),
    }
}

impl<'s> Reader<'s> {
    /// Returns a reader that has no faults yet.
    pub(super) fn new(sources: &'s Sources) -> Self {
        Reader { sources, faults: Vec::new() }
    }

    /// Reports an error; the caller can add details.
    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::error(code, span, message))
    }

    pub(super) fn push(&mut self, fault: Diagnostic) -> &mut Diagnostic {
        let index = self.faults.len();
        self.faults.push(fault);
        &mut self.faults[index]
    }

    /// Reports an error with advice on how to fix it.
    pub(super) fn error_with_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        let fault = self.error(code, span, message);
        fault.help = Some(help.into());
        fault
    }

    /// Reports an unknown name, and suggests a similar known name, if any. The fault is not shown
    /// if the declaration `cause` is faulty.
    pub(super) fn report_unknown<'k>(
        &mut self,
        code: &'static str,
        name: &Name,
        cause: Declaration,
        message: String,
        known: impl IntoIterator<Item = &'k str>,
    ) -> &mut Diagnostic {
        let fault = Diagnostic::error(code, name.span, message).derived_from(cause);
        self.push(fault.suggest(&name.text, known))
    }

    /// Reports that nothing of this kind has this name, and suggests a similar known name, if any.
    pub(super) fn report_no_such<'k>(
        &mut self,
        code: &'static str,
        sort: &str,
        name: &Name,
        known: impl IntoIterator<Item = &'k str>,
    ) -> &mut Diagnostic {
        let message = format!("there is no {sort} `{}`", name.text.escape_debug());
        self.report_unknown(code, name, Declaration::Name(name.text.clone()), message, known)
    }

    /// Reports a name that is already used, by another declaration or by the program itself.
    pub(super) fn report_duplicate(
        &mut self,
        name: &Name,
        message: String,
        first: Span,
        built_in: &str,
    ) {
        let fault = self.error("twice", name.span, message);
        if first == Span::default() {
            fault.help = Some(built_in.to_owned());
        } else {
            fault.other = Some((first, "first here".to_owned()));
        }
    }

    /// Returns true, and reports a fault, if the name is already used, that is, if there is a
    /// `first` span.
    pub(super) fn is_taken(&mut self, name: &Name, first: Option<Span>, built_in: &str) -> bool {
        if let Some(first) = first {
            let message = format!("the name `{}` is used twice", name.text);
            self.report_duplicate(name, message, first, built_in);
        }
        first.is_some()
    }

    /// Returns the entries of a table, with their spans in a file.
    pub(super) fn entries<'a>(
        &self,
        table: &'a DeTable<'a>,
        file: FileId,
    ) -> Vec<(Name, TomlNode<'a>)> {
        let entry = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let key: &Spanned<std::borrow::Cow<'a, str>> = key;
            let name = Name {
                text: key.get_ref().clone().into_owned(),
                span: Span::new(file, key.span()),
            };
            (name, TomlNode { value: value.get_ref(), span: Span::new(file, value.span()) })
        };
        table.iter().map(entry).collect()
    }

    /// Returns a table as a section. Returns `None` if there are already too many faults, or if the
    /// node isn't a table, which is reported.
    pub(super) fn section<'a>(
        &mut self,
        what: impl Into<String>,
        node: TomlNode<'a>,
    ) -> Option<Section<'a>> {
        let what = what.into();
        if self.faults.len() > crate::diagnostic::MAX_FAULTS {
            return None;
        }
        match node.value {
            DeValue::Table(table) => {
                let entries = self.entries(table, node.span.file);
                Some(Section::of(what, node.span, entries))
            }
            other => {
                self.report_wrong_type(node.span, "a table", other);
                None
            }
        }
    }

    /// Reports that a value of another type is expected.
    pub(super) fn report_wrong_type(&mut self, span: Span, wanted: &str, found: &DeValue<'_>) {
        self.error(
            "wrong-toml-type",
            span,
            format!("expected {wanted}, found {}", type_name(found)),
        );
    }

    /// Returns the text of a node, or reports a fault and returns `None`.
    pub(super) fn text(&mut self, node: TomlNode<'_>) -> Option<RawText> {
        match node.value {
            DeValue::String(value) => Some(RawText {
                value: value.clone().into_owned(),
                span: node.span,
                map: StringMap::new(self.sources, node.span),
            }),
            other => {
                self.report_wrong_type(node.span, "a text", other);
                None
            }
        }
    }

    /// Returns a text for people, trimmed, or reports a fault and returns `None`. The text may
    /// contain no control characters except line feeds.
    pub(super) fn prose(&mut self, node: TomlNode<'_>) -> Option<String> {
        if let DeValue::String(words) = node.value
            && !words.contains(|c: char| c.is_control() && c != '\n')
        {
            return Some(words.trim().to_owned());
        }
        let text = self.text(node)?;
        let at = text.value.find(|c: char| c.is_control() && c != '\n')?;
        let span = text.map.span(at..at + 1);
        self.error("control-character", span, "text cannot contain control characters");
        None
    }

    /// Returns a text for people with its span, such as a name, or reports a fault and returns
    /// `None`.
    pub(super) fn name(&mut self, node: TomlNode<'_>) -> Option<Name> {
        self.prose(node).map(|text| Name { text, span: node.span })
    }

    /// Returns a whole number, or reports a fault and returns `None`.
    pub(super) fn whole_number(&mut self, node: TomlNode<'_>) -> Option<i64> {
        if let DeValue::Integer(n) = node.value {
            let digits = n.as_str().replace('_', "");
            let value = i64::from_str_radix(&digits, n.radix()).ok();
            let value =
                value.filter(|v| v.unsigned_abs() <= crate::language::number::MAX_WHOLE as u64);
            if value.is_none() {
                self.error("number-too-large", node.span, "this number is too large");
            }
            return value;
        }
        if let DeValue::String(text) = node.value
            && adjutant_dice::parse_pool(&text.to_lowercase()).is_ok()
        {
            let help =
                "write `{ dice = true }` for an attribute that holds dice, without `from` and `to`";
            self.error_with_help(
                "wrong-toml-type",
                node.span,
                "expected a whole number, found dice",
                help,
            );
            return None;
        }
        self.report_wrong_type(node.span, "a whole number", node.value);
        None
    }

    /// Returns a flag, or reports a fault and returns `None`.
    pub(super) fn flag(&mut self, node: TomlNode<'_>) -> Option<bool> {
        if let DeValue::Boolean(b) = node.value {
            return Some(*b);
        }
        self.report_wrong_type(node.span, "`true` or `false`", node.value);
        None
    }

    /// Returns the members of an array, or reports a fault and returns `None`.
    pub(super) fn array<'a>(&mut self, node: TomlNode<'a>) -> Option<Vec<TomlNode<'a>>> {
        match node.value {
            DeValue::Array(array) => Some(
                array
                    .iter()
                    .map(|v| TomlNode {
                        value: v.get_ref(),
                        span: Span::new(node.span.file, v.span()),
                    })
                    .collect(),
            ),
            other => {
                self.report_wrong_type(node.span, "a list in brackets", other);
                None
            }
        }
    }

    /// Returns the texts for people in an array. Reports faulty texts and leaves them out. Returns
    /// `None` after reporting a node that isn't an array.
    pub(super) fn prose_list(&mut self, node: TomlNode<'_>) -> Option<Vec<String>> {
        let items = self.array(node)?;
        Some(items.into_iter().filter_map(|item| self.prose(item)).collect())
    }

    /// Returns true if a name has the form that [`is_name`] requires and is not a word of the rule
    /// language; otherwise, reports a fault and returns false. The names of attributes and measures
    /// may be such words.
    pub(super) fn check_name(&mut self, name: &Name, what: &str) -> bool {
        let text = &name.text;
        let good = is_name(text);
        if !good {
            let message = format!("`{}` cannot be the name of {what}", text.escape_debug());
            let help = match text.to_lowercase().replace(['_', ' '], "-") {
                near if is_name(&near) => format!("write `{near}`"),
                _ => "names consist of lower case letters, digits and hyphens, with a letter first and after each hyphen".to_owned(),
            };
            self.error_with_help("bad-name", name.span, message, help);
        } else if !matches!(what, "an attribute" | "a measure")
            && crate::language::syntax::RESERVED.contains(&text.as_str())
        {
            let message = format!("`{text}` is a word of the rule language");
            let fault = self.error_with_help("reserved-word", name.span, message, "choose another");
            fault.spoils.push(Declaration::Reserved(text.clone()));
            return false;
        }
        good
    }
}

/// Returns true if a name consists of at most 60 lower case letters, digits and hyphens, with a
/// letter first and after each hyphen.
pub(super) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
    text.chars().all(fits) && text.split('-').all(begins) && text.len() <= 60
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a decimal point",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list in brackets",
        DeValue::Table(_) => "a table",
    }
}

impl<'a> Section<'a> {
    /// Returns a section of these entries.
    pub(super) fn of(
        what: impl Into<String>,
        span: Span,
        entries: Vec<(Name, TomlNode<'a>)>,
    ) -> Self {
        Section { what: what.into(), span, entries }
    }

    /// Returns all entries, in the order in which they are written.
    pub(super) fn entries(&self) -> &[(Name, TomlNode<'a>)] {
        &self.entries
    }

    /// Returns true if the section has this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.text == key)
    }

    /// Returns the value of a key; `None` if the key is missing.
    pub(super) fn get(&self, key: &str) -> Option<TomlNode<'a>> {
        self.entries.iter().find(|(name, _)| name.text == key).map(|(_, node)| *node)
    }

    /// Returns the span of a key, or of the section if the key is missing.
    pub(super) fn key_span(&self, key: &str) -> Span {
        self.entries.iter().find(|(name, _)| name.text == key).map_or(self.span, |(n, _)| n.span)
    }

    /// Returns a text with its span, or `None` if the key is missing or its value is faulty.
    pub(super) fn text(&self, key: &str, reader: &mut Reader<'_>) -> Option<RawText> {
        self.get(key).and_then(|node| reader.text(node))
    }

    /// Returns a text for people, or an empty text if the key is missing or its value is faulty.
    pub(super) fn prose(&self, key: &str, reader: &mut Reader<'_>) -> String {
        self.get(key).and_then(|node| reader.prose(node)).unwrap_or_default()
    }

    /// Returns a name with its span, or `None` if the key is missing or its value is faulty.
    pub(super) fn name(&self, key: &str, reader: &mut Reader<'_>) -> Option<Name> {
        self.get(key).and_then(|node| reader.name(node))
    }

    /// Returns a flag, or false if the key is missing or its value is faulty.
    pub(super) fn flag(&self, key: &str, reader: &mut Reader<'_>) -> bool {
        self.get(key).and_then(|node| reader.flag(node)).unwrap_or(false)
    }

    /// Returns a whole number, or `None` if the key is missing or its value is faulty.
    pub(super) fn whole_number(&self, key: &str, reader: &mut Reader<'_>) -> Option<i64> {
        self.get(key).and_then(|node| reader.whole_number(node))
    }

    /// Returns the members of an array, or an empty list if the key is missing or its value is
    /// faulty.
    pub(super) fn array(&self, key: &str, reader: &mut Reader<'_>) -> Vec<TomlNode<'a>> {
        self.get(key).and_then(|node| reader.array(node)).unwrap_or_default()
    }

    /// Returns the table of a key as a section, or `None` if the key is missing or its value is
    /// faulty.
    pub(super) fn table(&self, key: &str, reader: &mut Reader<'_>) -> Option<Section<'a>> {
        self.get(key).and_then(|node| reader.section(format!("`{key}`"), node))
    }

    /// Returns texts for people without those that are faulty, or an empty list if the key is
    /// missing or its value is not an array.
    pub(super) fn prose_list(&self, key: &str, reader: &mut Reader<'_>) -> Vec<String> {
        self.get(key).and_then(|node| reader.prose_list(node)).unwrap_or_default()
    }

    /// Returns texts for people with their spans, without those that are faulty, or an empty list
    /// if the key is missing or its value is not an array.
    pub(super) fn prose_lines(&self, key: &str, reader: &mut Reader<'_>) -> Vec<(String, Span)> {
        let nodes = self.array(key, reader).into_iter();
        nodes.filter_map(|node| Some((reader.prose(node)?, node.span))).collect()
    }

    /// Returns the title or, if it is missing or empty, the name with spaces instead of hyphens.
    pub(super) fn title(&self, name: &str, reader: &mut Reader<'_>) -> String {
        match self.prose("title", reader) {
            title if title.is_empty() => name.replace('-', " "),
            title => title,
        }
    }

    /// Reads the keys `title`, `cite` and `note` of a declaration only to report faults in their
    /// values.
    pub(super) fn read_unshown_keys(&self, reader: &mut Reader<'_>) {
        for key in ["title", "cite", "note"] {
            self.prose(key, reader);
        }
    }

    /// Returns the phrase that names the declaration in a sentence (`says`); `None` if it is
    /// missing or empty.
    pub(super) fn phrase(&self, reader: &mut Reader<'_>) -> Option<String> {
        Some(self.prose("says", reader)).filter(|says| !says.is_empty())
    }

    /// Reports every key that is not in the form of this section, and every required key that is
    /// missing or empty.
    pub(super) fn check_keys(&self, form: &Form, reader: &mut Reader<'_>) {
        let unknown = self.entries.iter().filter(|(name, _)| !form.has(&name.text));
        for (name, _) in unknown.take(crate::diagnostic::MAX_FAULTS + 1) {
            let message = format!("{} has no key `{}`", self.what, name.text.escape_debug());
            let mut known: Vec<&str> = form.keys.iter().map(|k| k.name).collect();
            known.sort_unstable();
            let fault = Diagnostic::error("unknown-key", name.span, message);
            reader.push(fault.suggest(&name.text, known));
        }
        for key in form.keys.iter().filter(|k| form.needed.contains(&k.name)) {
            let given = self.entries.iter().find(|(name, _)| name.text == key.name);
            let missing = given.is_none_or(|(_, node)| match (node.value, key.value) {
                (DeValue::String(text), KeyValue::Text) => text.trim().is_empty(),
                (DeValue::Array(items), KeyValue::List(_)) => items.is_empty(),
                _ => false,
            });
            if missing {
                let message = format!("{} has no `{}`", self.what, key.name);
                let help = format!("`{}`: {}", key.name, key.about);
                reader.error_with_help("missing-key", self.span, message, help);
            }
        }
    }
}
