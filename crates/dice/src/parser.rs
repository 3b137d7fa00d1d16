//! The parser of dice notation. Its grammar:
//!
//! ```text
//! expression = sum [ compare sum ]
//! sum        = [ "-" ] product { ( "+" | "-" ) product }
//! product    = atom { "*" atom | "/" number }
//! atom       = ( number | pool | [ function ] "(" expression ")" ) [ "[" label "]" ]
//! function   = "floor" | "ceil" | "round"
//! pool       = [ number ] "d" ( number | "%" | "F" | "66" ) { modifier } [ compare number ]
//! ```
//!
//! A comparison right after a pool belongs to the pool and counts dice. Such a count must be the
//! whole expression, be combined by `+` and `-` with nothing but other counts, or be in
//! parentheses. Anything else could be read in two ways and is refused.

pub(crate) mod modifier;
mod pool;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::bounds::scaled_bounds;
use crate::die::Comparison;
use crate::expression::{DiceNode, DiceRounding, Expression, Factor, Term};
use crate::notation::{MAX_LABEL, MAX_NESTING, MAX_NUMBER, MAX_TEXT, NotationError, nearest_word};
use crate::pool::Pool;

type NotationResult<T> = Result<T, NotationError>;

/// Parses an expression such as `4d6kh3 + 2`.
pub fn parse(text: &str) -> NotationResult<Expression> {
    DiceParser::new(text)?.whole_expression()
}

/// Parses a single pool such as `2d6kh1`, without arithmetic around it.
pub fn parse_pool(text: &str) -> NotationResult<Pool> {
    DiceParser::new(text)?.whole_pool()
}

/// A parsed part of an expression.
struct ParsedPart {
    node: DiceNode,
    /// True for a count of successes without parentheses around it.
    count: bool,
    span: Range<usize>,
}

struct DiceParser<'a> {
    text: &'a str,
    at: usize,
    nesting: u32,
    dice: u32,
    /// True if a product or a division was read.
    multiplied: bool,
}

impl<'a> DiceParser<'a> {
    fn new(text: &'a str) -> NotationResult<DiceParser<'a>> {
        if text.len() > MAX_TEXT {
            let message = format!("this text is longer than {MAX_TEXT} bytes");
            return Err(NotationError::new("dice-too-long", 0..text.len(), message));
        }
        Ok(DiceParser { text, at: 0, nesting: 0, dice: 0, multiplied: false })
    }

    fn whole_expression(mut self) -> NotationResult<Expression> {
        let part = self.expression()?;
        self.expect_end("an operator such as `+`, or the end")?;
        // Without products and divisions, no sum of the dice and numbers that fit into the text can
        // exceed the limits.
        if !self.multiplied {
            return Ok(Expression { root: part.node });
        }
        let shape = scaled_bounds(&part.node).map_err(|_| {
            NotationError::new("dice-too-large", part.span.clone(), "the numbers become too large")
        })?;
        if shape.scale != 1 {
            let message = "this can give a fraction";
            return Err(NotationError::new("dice-fraction", part.span, message)
                .with_help("choose how to round: `floor(…)`, `ceil(…)` or `round(…)`"));
        }
        Ok(Expression { root: part.node })
    }

    fn whole_pool(mut self) -> NotationResult<Pool> {
        self.skip_spaces();
        let start = self.at;
        let count = if self.peek().is_ascii_digit() { Some(self.number()?) } else { None };
        if !self.peek().eq_ignore_ascii_case(&b'd') {
            return Err(self.unexpected("dice such as `3d6`"));
        }
        let pool = self.pool(start, count)?;
        self.expect_end("the end of the dice expression")?;
        Ok(pool)
    }

    // Characters.

    /// Returns the next byte, or 0 at the end.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// Skips white space, and then this byte if it is next; returns true if the byte was skipped.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    /// Returns the letters at this position, without skipping them.
    fn peek_word(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|b| !b.is_ascii_alphabetic()).unwrap_or(rest.len());
        &rest[..end]
    }

    fn expect_end(&mut self, wanted: &str) -> NotationResult<()> {
        self.skip_spaces();
        if self.at < self.text.len() { Err(self.unexpected(wanted)) } else { Ok(()) }
    }

    fn unexpected(&self, wanted: &str) -> NotationError {
        let Some(found) = self.text[self.at..].chars().next() else {
            let message = format!("expected {wanted}, but the text ends here");
            return NotationError::new("dice-expected", self.at..self.at, message);
        };
        let span = self.at..self.at + found.len_utf8();
        let message = format!("expected {wanted}, found `{}`", found.escape_debug());
        let error = NotationError::new("dice-expected", span, message);
        match found {
            '−' | '–' => error.with_help("write `-`"),
            '×' | 'x' | '·' => error.with_help("write `*`"),
            '÷' | ':' => error.with_help("write `/`"),
            '≥' => error.with_help("write `>=`"),
            '≤' => error.with_help("write `<=`"),
            '.' | ',' => error.with_help("only whole numbers are allowed; write a half as `1/2`"),
            _ => error,
        }
    }

    fn number(&mut self) -> NotationResult<u32> {
        let start = self.at;
        let mut value: u64 = 0;
        while self.peek().is_ascii_digit() {
            value = (value * 10 + u64::from(self.peek() - b'0')).min(u64::from(u32::MAX));
            self.at += 1;
        }
        if start == self.at {
            return Err(self.unexpected("a number"));
        }
        match u32::try_from(value) {
            Ok(value) if value <= MAX_NUMBER => Ok(value),
            _ => {
                let message = format!("the largest number allowed is {MAX_NUMBER}");
                Err(NotationError::new("dice-too-large", start..self.at, message))
            }
        }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        if !matches!(self.peek(), b'<' | b'=' | b'>') {
            return None;
        }
        let rest = &self.text[self.at..];
        let found = Comparison::ALL.into_iter().find(|c| rest.starts_with(c.sign()))?;
        self.at += found.sign().len();
        Some(found)
    }

    // Arithmetic.

    fn expression(&mut self) -> NotationResult<ParsedPart> {
        let left = self.sum()?;
        self.skip_spaces();
        let sign = self.at;
        let Some(comparison) = self.comparison() else { return Ok(left) };
        if let DiceNode::Label(inner, _) = &left.node
            && matches!(**inner, DiceNode::Pool(_))
        {
            return Err(ambiguity_error(
                sign..self.at,
                "after a label, this could count dice or compare the total",
            )
            .with_help(
                "write `3d6>=4 [label]` to count dice, or `(3d6)>=4` to compare the total",
            ));
        }
        let right = self.sum()?;
        for side in [&left, &right] {
            if side.count {
                return Err(ambiguity_error(
                    side.span.clone(),
                    "a count of dice is compared a second time",
                )
                .with_help("put the count in parentheses: `(5d10>=7)>=3`"));
            }
        }
        self.skip_spaces();
        let again = self.at;
        if self.comparison().is_some() {
            let message = "only two totals can be compared";
            return Err(NotationError::new("dice-chain", again..self.at, message));
        }
        let span = left.span.start..right.span.end;
        let node = DiceNode::Compare(comparison, Box::new([left.node, right.node]));
        Ok(ParsedPart { node, count: false, span })
    }

    fn sum(&mut self) -> NotationResult<ParsedPart> {
        let negative = self.eat(b'-');
        let first = self.product()?;
        self.skip_spaces();
        if !negative && !matches!(self.peek(), b'+' | b'-') {
            return Ok(first);
        }
        let start = first.span.start;
        let mut end = first.span.end;
        let mut counts = None;
        let mut others = false;
        let mut note = |part: &ParsedPart| {
            if part.count { counts = Some(part.span.clone()) } else { others = true }
        };
        note(&first);
        let mut terms = Vec::with_capacity(2);
        terms.push(Term { negative, node: first.node });
        loop {
            let subtracted = if self.eat(b'-') {
                true
            } else if self.eat(b'+') {
                false
            } else {
                break;
            };
            let part = self.product()?;
            note(&part);
            end = part.span.end;
            terms.push(Term { negative: subtracted, node: part.node });
        }
        if let (Some(count), true) = (counts.clone(), others) {
            let text = &self.text[count.clone()];
            return Err(ambiguity_error(count, "this could count dice or compare the whole sum")
                .with_help(format!(
                    "write `({text})` to count dice; to compare totals, put the sum in \
                     parentheses: `(5+3d6)>=9`"
                )));
        }
        Ok(ParsedPart { node: DiceNode::Sum(terms), count: counts.is_some(), span: start..end })
    }

    fn product(&mut self) -> NotationResult<ParsedPart> {
        let first = self.atom()?;
        self.skip_spaces();
        if !matches!(self.peek(), b'*' | b'/') {
            return Ok(first);
        }
        self.multiplied = true;
        let start = first.span.start;
        let mut count = first.count.then(|| first.span.clone());
        let mut rest = Vec::with_capacity(1);
        loop {
            if self.eat(b'*') {
                let part = self.atom()?;
                if part.count {
                    count = Some(part.span);
                }
                rest.push(Factor::Times(part.node));
            } else if self.eat(b'/') {
                rest.push(Factor::Over(self.divisor()?));
            } else {
                break;
            }
        }
        if let Some(span) = count {
            let help = format!("write `({})` to count dice", &self.text[span.clone()]);
            return Err(ambiguity_error(span, "this could count dice or compare the product")
                .with_help(help));
        }
        let node = DiceNode::Product(Box::new(first.node), rest);
        Ok(ParsedPart { node, count: false, span: start..self.at })
    }

    fn divisor(&mut self) -> NotationResult<i64> {
        self.skip_spaces();
        let start = self.at;
        if !self.peek().is_ascii_digit() {
            return Err(self.unexpected("a plain number to divide by"));
        }
        let n = self.number()?;
        let span = start..self.at;
        if self.peek().eq_ignore_ascii_case(&b'd') {
            let message = "dice cannot be a divisor";
            return Err(NotationError::new("dice-divisor", start..self.at + 1, message)
                .with_help("divide by a plain number, such as `/2`"));
        }
        if n == 0 {
            return Err(NotationError::new("dice-divisor", span, "nothing can be divided by 0"));
        }
        Ok(n.into())
    }

    fn atom(&mut self) -> NotationResult<ParsedPart> {
        self.skip_spaces();
        let start = self.at;
        let (mut node, count) = match self.peek() {
            b'(' => (DiceNode::Group(Box::new(self.parenthesized()?)), false),
            b'0'..=b'9' => {
                let n = self.number()?;
                if self.peek().eq_ignore_ascii_case(&b'd') {
                    let pool = self.pool(start, Some(n))?;
                    let count = pool.successes.is_some();
                    (DiceNode::Pool(pool), count)
                } else {
                    (DiceNode::Number(n.into()), false)
                }
            }
            b if b.is_ascii_alphabetic() => self.rounding_or_pool(start)?,
            _ => return Err(self.unexpected("dice such as `3d6`, a number or `(`")),
        };
        let span = start..self.at;
        self.skip_spaces();
        if self.peek() == b'[' {
            node = DiceNode::Label(Box::new(node), self.label()?);
        }
        Ok(ParsedPart { node, count, span })
    }

    /// Reads a part that begins with a letter: dice without a count, or a function.
    fn rounding_or_pool(&mut self, start: usize) -> NotationResult<(DiceNode, bool)> {
        let word = self.peek_word();
        let rounding = [DiceRounding::Down, DiceRounding::Up, DiceRounding::Nearest]
            .into_iter()
            .find(|r| r.name().eq_ignore_ascii_case(word));
        if let Some(rounding) = rounding {
            self.at += word.len();
            self.skip_spaces();
            if self.peek() != b'(' {
                return Err(self.unexpected("`(`"));
            }
            return Ok((DiceNode::Rounded(rounding, Box::new(self.parenthesized()?)), false));
        }
        if word.as_bytes()[0].eq_ignore_ascii_case(&b'd') {
            let pool = self.pool(start, None)?;
            let count = pool.successes.is_some();
            return Ok((DiceNode::Pool(pool), count));
        }
        let span = start..start + word.len();
        let error = NotationError::new("dice-name", span, format!("unknown word `{word}`"));
        Err(match nearest_word(word, &["floor", "ceil", "round"]) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("available: `floor`, `ceil`, `round`, and dice such as `3d6`"),
        })
    }

    fn parenthesized(&mut self) -> NotationResult<DiceNode> {
        let open = self.at;
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("parentheses are nested more than {MAX_NESTING} levels deep");
            return Err(NotationError::new("dice-nesting", open..open + 1, message));
        }
        self.at += 1;
        let inner = self.expression()?;
        if !self.eat(b')') {
            let error = self.unexpected("`)`");
            return Err(if self.at == self.text.len() {
                NotationError { span: open..open + 1, ..error }
            } else {
                error
            });
        }
        self.nesting -= 1;
        Ok(inner.node)
    }

    fn label(&mut self) -> NotationResult<String> {
        let open = self.at;
        let rest = &self.text[open + 1..];
        let Some(length) = rest.find(']') else {
            let message = "this label has no `]`";
            return Err(NotationError::new("dice-label", open..self.text.len(), message));
        };
        let label = rest[..length].trim();
        self.at += length + 2;
        if label.is_empty()
            || label.contains('[')
            || label.chars().any(char::is_control)
            || label.chars().count() > MAX_LABEL
        {
            let message = format!(
                "a label must have 1 to {MAX_LABEL} characters, without brackets or control characters"
            );
            return Err(NotationError::new("dice-label", open..self.at, message));
        }
        Ok(label.to_owned())
    }
}

fn ambiguity_error(span: Range<usize>, message: &str) -> NotationError {
    NotationError::new("dice-ambiguous", span, message)
}
