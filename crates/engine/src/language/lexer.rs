//! Splits rule text into tokens.
//!
//! A hyphen is part of a name if a letter follows it. A dice literal is an optional number, `d`
//! with a digit, `%` or `F` after it, and all letters, digits, `!`, `%` and comparisons that follow
//! without a space.

use crate::diagnostic::{Diagnostic, Fault};
use crate::source::{Span, StringMap};

/// The maximum length of rule text, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

/// A token with its location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RuleToken<'t> {
    /// The kind of token.
    pub kind: TokenKind<'t>,
    /// The span of the token in the file.
    pub span: Span,
    /// The byte offset of the token in the rule text.
    pub at: usize,
}

impl RuleToken<'_> {
    /// Returns true if the token is a text of several lines.
    pub(super) fn is_long_text(&self) -> bool {
        matches!(&self.kind, TokenKind::Text(raw, _) if raw.contains('\n'))
    }
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind<'t> {
    /// A name or a word of the language.
    Name(&'t str),
    /// A whole number.
    Whole(i64),
    /// A number with a decimal point, as written.
    Decimal(&'t str),
    /// A dice literal such as `2d6kh1`, as written.
    Dice(&'t str),
    /// The raw text between double quotes, and its offset in the rule text.
    Text(&'t str, usize),
    /// An operator, a bracket or a punctuation mark.
    Sign(&'static str),
    /// A line end or `;`.
    Break,
    /// The end of the text.
    End,
}

impl TokenKind<'_> {
    /// Returns the name of the token in messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            TokenKind::Name(n) => format!("`{n}`"),
            TokenKind::Whole(n) => format!("`{n}`"),
            TokenKind::Decimal(n) | TokenKind::Dice(n) => format!("`{n}`"),
            TokenKind::Text(..) => "a text".into(),
            TokenKind::Sign(s) => format!("`{s}`"),
            TokenKind::Break => "the end of the line".into(),
            TokenKind::End => "the end".into(),
        }
    }
}

/// Operators, brackets and punctuation marks, the longer ones first, because the first match is
/// taken.
const SIGNS: [&str; 22] = [
    "<=", ">=", "!=", "+=", "-=", "..", "=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", "{",
    "}", ",", ":", ".",
];

/// Signs from other languages, and the suggestion for each.
const FOREIGN_SIGNS: &[(&str, &str)] = &[
    ("==", "write `=`"),
    ("=>", "write `>=`"),
    ("=<", "write `<=`"),
    ("<>", "write `!=`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("×", "write `*`"),
    (":=", "write `=`"),
    ("*=", "write `a = a * b`"),
    ("/=", "write `a = a / b`"),
    ("!", "write `not`"),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("%", "write `mod`"),
    ("?", "write `if … then … else …`"),
    ("//", "comments begin with `#`"),
    ("/*", "comments begin with `#`"),
    ("'", "text in rules is written in double quotes"),
    ("“", "text in rules is written in straight quotes, `\"`"),
];

/// Returns the fault for a text whose opening quote, at `at`, has no closing quote. The span of the
/// fault ends at the end of the line.
pub(super) fn unclosed_text_fault(text: &str, at: usize, map: &StringMap) -> Diagnostic {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    Diagnostic::error("open-text", map.span(at..end), "this text has no closing `\"`")
}

/// Returns the tokens of a rule text, ending with [`TokenKind::End`]. Faulty tokens are
/// reported in `faults` and skipped. So is the whole text if it is longer than [`MAX_TEXT`].
pub(crate) fn tokenize<'t>(
    text: &'t str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Vec<RuleToken<'t>> {
    let mut found = Vec::with_capacity(text.len() / 4);
    if text.len() > MAX_TEXT {
        let message = format!("this rule text is longer than {MAX_TEXT} bytes");
        faults.push(Diagnostic::error("text-too-long", map.span(0..1), message));
    } else {
        Lexer { text, map, at: 0, found: &mut found, faults }.scan_text();
    }
    let end = text.len();
    found.push(RuleToken { kind: TokenKind::End, span: map.span(end..end), at: end });
    found
}

struct Lexer<'t, 'a> {
    text: &'t str,
    map: &'a StringMap,
    at: usize,
    found: &'a mut Vec<RuleToken<'t>>,
    faults: &'a mut Vec<Diagnostic>,
}

impl<'t> Lexer<'t, '_> {
    fn scan_text(&mut self) {
        while let Some(c) = self.remaining_text().chars().next() {
            let start = self.at;
            match c {
                '\n' | ';' => {
                    self.at += 1;
                    self.push(start, TokenKind::Break);
                }
                '#' => {
                    self.at +=
                        self.remaining_text().find('\n').unwrap_or(self.remaining_text().len());
                }
                c if c.is_whitespace() => self.at += c.len_utf8(),
                '"' => self.scan_string(),
                c if c.is_ascii_digit() => self.scan_number(),
                c if c.is_ascii_alphabetic() || c == '_' => self.scan_word(),
                c => self.scan_sign(c),
            }
        }
    }

    fn remaining_text(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, start: usize, kind: TokenKind<'t>) {
        let span = self.map.span(start..self.at);
        self.found.push(RuleToken { kind, span, at: start });
    }

    fn report_fault(&mut self, start: usize, code: &'static str, message: String, help: &str) {
        let fault = Diagnostic::error(code, self.map.span(start..self.at), message);
        self.faults.push(if help.is_empty() { fault } else { fault.help(help) });
    }

    fn scan_string(&mut self) {
        let start = self.at;
        let inner = start + 1;
        let rest = &self.text[inner..];
        let Some(length) = find_closing(rest, b'"').or_else(|| rest.find('"')) else {
            // If an earlier text spans several lines, its closing quote is more likely to be missing.
            let before = self.found.iter().find(|token| token.is_long_text());
            let open = before.map_or(start, |token| token.at);
            self.at = self.text.len();
            return self.faults.push(unclosed_text_fault(self.text, open, self.map));
        };
        self.at = inner + length + 1;
        let raw = &self.text[inner..inner + length];
        self.push(start, TokenKind::Text(raw, inner));
    }

    fn scan_number(&mut self) {
        let start = self.at;
        let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits(self.remaining_text());
        if dice_follows(self.remaining_text()) {
            return self.scan_dice(start);
        }
        let fraction = self.remaining_text().strip_prefix('.').map_or(0, digits);
        if fraction > 0 {
            self.at += 1 + fraction;
            return self.push(start, TokenKind::Decimal(&self.text[start..self.at]));
        }
        match self.text[start..self.at].parse::<i64>() {
            Ok(n) if n <= super::number::MAX_WHOLE => self.push(start, TokenKind::Whole(n)),
            _ => {
                self.report_fault(start, "number-too-large", "this number is too large".into(), "");
            }
        }
    }

    fn scan_dice(&mut self, start: usize) {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '!' | '%');
        // After a dot, the token is a name, which cannot contain a comparison.
        let named = self.found.last().is_some_and(|token| token.kind == TokenKind::Sign("."));
        loop {
            self.at +=
                self.remaining_text().find(|c| !part(c)).unwrap_or(self.remaining_text().len());
            match comparison_length(self.remaining_text()) {
                Some(length) if !named => self.at += length,
                _ => break,
            }
        }
        self.push(start, TokenKind::Dice(&self.text[start..self.at]));
    }

    fn scan_word(&mut self) {
        let start = self.at;
        if dice_follows(self.remaining_text()) {
            return self.scan_dice(start);
        }
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            let hyphen = b == b'-' && bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphabetic);
            if !(b.is_ascii_alphanumeric() || b == b'_' || hyphen) {
                break;
            }
            self.at += 1;
        }
        self.push(start, TokenKind::Name(&self.text[start..self.at]));
    }

    fn scan_sign(&mut self, c: char) {
        let start = self.at;
        let rest = self.remaining_text();
        let sign = SIGNS.iter().find(|s| rest.starts_with(**s));
        let foreign = FOREIGN_SIGNS.iter().find(|(s, _)| rest.starts_with(s));
        if let Some(sign) = sign
            && foreign.is_none_or(|(foreign, _)| foreign.len() <= sign.len())
        {
            self.at += sign.len();
            return self.push(start, TokenKind::Sign(sign));
        }
        let (length, help) = foreign.map_or((c.len_utf8(), ""), |(s, help)| (s.len(), *help));
        let quote = match c {
            '“' => Some('”'),
            '\'' => Some('\''),
            _ => None,
        };
        let line = rest.lines().next().unwrap_or_default();
        let closing = quote.and_then(|quote| Some(line.rfind(quote)? + quote.len_utf8()));
        let message = format!("`{}` means nothing in rule text", &rest[..length].escape_debug());
        self.at += closing.unwrap_or(length);
        self.report_fault(start, "unknown-sign", message.replace('\\', ""), help);
    }
}

/// Returns the length of the comparison sign at the beginning of a text, including any minus after
/// it, if a number follows directly: 2 for `>=5` and for `=-1`. Returns `None` if there is no such
/// sign or number.
fn comparison_length(rest: &str) -> Option<usize> {
    let sign = [">=", "<=", ">", "<", "="].into_iter().find(|sign| rest.starts_with(sign))?;
    let number = &rest[sign.len()..];
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.starts_with(|c: char| c.is_ascii_digit()).then(|| rest.len() - digits.len())
}

/// Returns the index of the first `close` (`"`, `}` or `|`) that is outside nested texts and
/// braces. An expression in the braces of a text can itself contain texts.
pub(super) fn find_closing(text: &str, close: u8) -> Option<usize> {
    let mut open = vec![close];
    let bytes = text.as_bytes();
    let mut at = 0;
    while let (Some(&byte), Some(&innermost)) = (bytes.get(at), open.last()) {
        let in_text = innermost == b'"';
        match byte {
            b'{' | b'}' if in_text && bytes.get(at + 1) == Some(&byte) => at += 1,
            b'{' => open.push(b'}'),
            b'"' if !in_text => open.push(b'"'),
            byte if byte == innermost => {
                open.pop();
                if open.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns true if the text begins with a die, such as `d6`, `d%` or `dF`.
fn dice_follows(rest: &str) -> bool {
    let mut chars = rest.chars();
    let next = (chars.next(), chars.next());
    match next {
        (Some('d'), Some(c)) if c.is_ascii_digit() || c == '%' => true,
        (Some('d'), Some('F')) => !chars.next().is_some_and(|c| c.is_ascii_alphabetic()),
        _ => false,
    }
}
