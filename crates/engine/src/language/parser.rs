//! Parses tokens into expressions. Statements are parsed in [`super::statements`].
//!
//! Parsing of a rule text ends at the first fault, so that one fault doesn't cause others.

use super::lexer::{self, RuleToken, TokenKind, find_closing};
use super::number::Number;
use super::syntax::{
    DiceLiteral, Expr, ExprKind, MemberSource, Name, Operator, RESERVED, TemplatePart,
    TextTemplate, replacement_for,
};
use crate::diagnostic::{Declaration, Diagnostic, Fault};
use crate::source::{Span, StringMap};

/// The maximum depth of nested expressions and blocks.
pub(crate) const MAX_DEPTH: usize = 64;

/// The maximum number of operators that one rule text may have.
pub(crate) const MAX_OPERATORS: usize = 1000;

const OR_OPERATORS: &[Operator] = &[Operator::Or];
const AND_OPERATORS: &[Operator] = &[Operator::And];
const COMPARISON_OPERATORS: &[Operator] = &[
    Operator::Equal,
    Operator::NotEqual,
    Operator::Less,
    Operator::AtMost,
    Operator::Greater,
    Operator::AtLeast,
];
const ADDITIVE_OPERATORS: &[Operator] = &[Operator::Add, Operator::Subtract];
const MULTIPLICATIVE_OPERATORS: &[Operator] =
    &[Operator::Multiply, Operator::Divide, Operator::Modulo];

/// A parsed item, or the fault that ended the parsing.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The parser of one rule text.
pub(crate) struct Parser<'a> {
    text: &'a str,
    map: &'a StringMap,
    pub(super) tokens: Vec<RuleToken<'a>>,
    pub(super) next: usize,
    depth: usize,
    operators: usize,
    /// The number of open brackets. Inside brackets, line ends are ignored.
    brackets: usize,
    /// The words that the parser would have accepted as the next token.
    expected: Vec<&'static str>,
}

/// Reads a whole text as one expression.
pub fn parse_expression(text: &str, map: &StringMap, faults: &mut Vec<Diagnostic>) -> Option<Expr> {
    parse(text, map, faults, |p| p.quoted_value())
}

/// Reads a whole text as one or more expressions, separated by commas.
pub(crate) fn parse_expressions(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Option<Vec<Expr>> {
    parse(text, map, faults, |p| {
        let mut all = vec![p.quoted_value()?];
        while p.eat_sign(",") {
            all.push(p.expr()?);
        }
        Ok(all)
    })
}

/// Reads a whole text as an operator and an expression, such as `<= from.fire`. More conditions can
/// follow, joined by `and` and `or`. If there are any, the third result is the whole condition, in
/// which the name `passed` means the comparison.
pub fn parse_comparison(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Option<(Operator, Expr, Option<Expr>)> {
    parse(text, map, faults, |p| {
        p.brackets = 1;
        let Some(operator) = p.eat_operator(COMPARISON_OPERATORS) else {
            return Err(p.unexpected_token("expected-comparison", "a comparison such as `>= 4`"));
        };
        let needed = p.sum()?;
        let kind = ExprKind::Name("passed".into());
        let mut whole = Expr { kind, span: needed.span };
        while let Some(and) = p.eat_operator(AND_OPERATORS) {
            whole = whole.combined_with(and, p.negation()?);
        }
        while let Some(or) = p.eat_operator(OR_OPERATORS) {
            whole = whole.combined_with(or, p.binary_chain(AND_OPERATORS, Parser::negation)?);
        }
        let more = !matches!(whole.kind, ExprKind::Name(_));
        Ok((operator, needed, more.then_some(whole)))
    })
}

/// Reads a whole text as sources, such as `from in areas where from.fire > 0, into in from.beside`.
pub fn parse_sources(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Option<Vec<MemberSource>> {
    parse(text, map, faults, |p| {
        p.brackets = 1;
        p.member_sources()
    })
}

/// Reads a whole text as a template: a text with values in braces.
pub fn parse_template(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Option<TextTemplate> {
    match template_parts(text, 0, map, 0) {
        Ok(template) => Some(template),
        Err(fault) => {
            faults.push(*fault);
            None
        }
    }
}

/// Parses a whole text with `read`. On error, adds a fault to `faults` and returns `None`.
pub(super) fn parse<T>(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
    read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
) -> Option<T> {
    let before = faults.len();
    let tokens = lexer::tokenize(text, map, faults);
    if faults.len() > before {
        return None;
    }
    let mut parser = Parser::new(text, map, tokens, 0);
    let result = read(&mut parser).and_then(|value| {
        parser.skip_breaks();
        parser.expect_end().map(|()| value)
    });
    let told = |fault: Box<Diagnostic>| match parser.tokens.get(parser.next.saturating_sub(1)) {
        // If a text lacks its closing quote, the opening quote of the next text seems to close it.
        Some(token) if token.is_long_text() => lexer::unclosed_text_fault(text, token.at, map),
        _ => parser.with_cause(*fault),
    };
    result.map_err(|fault| faults.push(told(fault))).ok()
}

fn template_parts(text: &str, base: usize, map: &StringMap, depth: usize) -> Parsed<TextTemplate> {
    let span = map.span(base..base + text.len());
    let mut parts = Vec::new();
    let mut words = String::new();
    let mut at = 0;
    while let Some(plain) = text[at..].find(['{', '}']) {
        words.push_str(&text[at..at + plain]);
        at += plain + 1;
        let (brace, rest) = text[at - 1..].split_at(1);
        if brace == "}" || rest.starts_with('{') {
            words.push_str(brace);
            at += usize::from(rest.starts_with(brace));
            continue;
        }
        let Some(length) = find_closing(rest, b'}') else {
            let brace_span = map.span(base + at - 1..base + at);
            let fault = Diagnostic::error("open-brace", brace_span, "this `{` has no closing `}`");
            return Err(Box::new(fault.help("write `{{` for a literal brace")));
        };
        if !words.is_empty() {
            parts.push(TemplatePart::Text(std::mem::take(&mut words)));
        }
        let inner = &rest[..length];
        parts.push(match find_closing(inner, b'|') {
            Some(bar) => agreeing_words(inner, bar, base + at, map, depth)?,
            None => TemplatePart::Value(braced_value(inner, base + at, map, depth)?),
        });
        at += length + 1;
    }
    words.push_str(&text[at..]);
    if !words.is_empty() {
        parts.push(TemplatePart::Text(words));
    }
    Ok(TextTemplate { parts, span })
}

/// Reads a number and the words that agree with it, in the singular and in the plural, such as
/// `n model|models`. `bar` is the offset of the bar. The singular has the same number of words as
/// the plural, as in `n action point|action points`.
fn agreeing_words(
    text: &str,
    bar: usize,
    base: usize,
    map: &StringMap,
    depth: usize,
) -> Parsed<TemplatePart> {
    let span = map.span(base..base + text.len());
    let several = text[bar + 1..].trim();
    let head = text[..bar].trim_end();
    let behind = several.split_whitespace().count().max(1);
    let cut = head.rmatch_indices(char::is_whitespace).nth(behind - 1);
    let Some((number, one)) = cut.map(|(at, _)| (&head[..at], head[at..].trim_start())) else {
        let message = "a word that agrees with a number needs the number before it";
        let fault = Diagnostic::error("no-number", span, message);
        return Err(Box::new(fault.help(format!("write `{{n {head}|{several}}}`"))));
    };
    let number = braced_value(number, base, map, depth)?;
    Ok(TemplatePart::Counted(number, one.to_owned(), several.to_owned()))
}

/// Parses the text between two braces as an expression.
fn braced_value(text: &str, base: usize, map: &StringMap, depth: usize) -> Parsed<Expr> {
    let mut faults = Vec::new();
    let shifted = map.shifted(base);
    let tokens = lexer::tokenize(text, &shifted, &mut faults);
    if let Some(fault) = faults.pop() {
        return Err(Box::new(fault));
    }
    let mut parser = Parser::new(text, &shifted, tokens, depth + 1);
    parser.brackets = 1;
    let result = parser.expr().and_then(|expr| parser.expect_end().map(|()| expr));
    result.map_err(|fault| Box::new(parser.with_cause(*fault)))
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, map: &'a StringMap, tokens: Vec<RuleToken<'a>>, depth: usize) -> Self {
        Parser {
            text,
            map,
            tokens,
            next: 0,
            depth,
            operators: 0,
            brackets: 0,
            expected: Vec::new(),
        }
    }

    /// Adds a cause to a fault if, at or before it in the same statement, a word of the language is
    /// used like a name, as in `take(m)` or `first.hits`.
    fn with_cause(&self, fault: Diagnostic) -> Diagnostic {
        let is_operand = |kind: TokenKind<'_>| match kind {
            TokenKind::Name(word) => !RESERVED.contains(&word),
            TokenKind::Sign(sign) => sign == "[",
            TokenKind::Whole(_) | TokenKind::Decimal(_) | TokenKind::Dice(_) => true,
            TokenKind::Text(..) => true,
            TokenKind::Break | TokenKind::End => false,
        };
        for (index, token) in self.tokens.iter().enumerate().take(self.next + 1).rev() {
            match token.kind {
                TokenKind::Name(word)
                    if RESERVED.contains(&word)
                        && !self.tokens.get(index + 1).is_some_and(|t| is_operand(t.kind)) =>
                {
                    return fault.derived_from(Declaration::Reserved(word.to_owned()));
                }
                TokenKind::Break if index < self.next => break,
                _ => {}
            }
        }
        fault
    }

    /// Returns the current token. Inside brackets, line ends are skipped.
    pub(super) fn peek(&mut self) -> TokenKind<'a> {
        if self.brackets > 0 {
            self.skip_breaks();
        }
        self.tokens[self.next].kind
    }

    pub(super) fn span(&mut self) -> Span {
        self.peek();
        self.tokens[self.next].span
    }

    /// Returns the span of the previous token.
    pub(super) fn previous_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    /// Returns the token before the current one.
    pub(super) fn previous_token(&self) -> Option<TokenKind<'a>> {
        self.next.checked_sub(1).and_then(|i| self.tokens.get(i)).map(|t| t.kind)
    }

    /// Returns the token after the current one.
    pub(super) fn following_token(&self) -> Option<TokenKind<'a>> {
        self.tokens.get(self.next + 1).map(|t| t.kind)
    }

    pub(super) fn advance(&mut self) {
        self.expected.clear();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    pub(super) fn skip_breaks(&mut self) {
        while self.tokens[self.next].kind == TokenKind::Break {
            self.next += 1;
        }
    }

    fn expect_end(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::End {
            return Ok(());
        }
        if let Some(TokenKind::Name(word)) = self.previous_token()
            && let Some(help) = replacement_for(word)
        {
            let message = format!("`{word}` means nothing here");
            return Err(Box::new(
                Diagnostic::error("unexpected", self.previous_span(), message).help(help),
            ));
        }
        Err(self.unexpected_token("unexpected", "the end"))
    }

    /// Returns the fault for a current token that is not the `wanted` one.
    pub(super) fn unexpected_token(&mut self, code: &'static str, wanted: &str) -> Box<Diagnostic> {
        let found = self.peek().describe();
        let span = self.span();
        let mut fault = Diagnostic::error(code, span, format!("expected {wanted}, found {found}"));
        let mut known: Vec<&str> = std::mem::take(&mut self.expected);
        if let TokenKind::Name(word) = self.peek() {
            known.extend(["and", "or", "where", "then", "else"]);
            known.retain(|known| *known != word);
            match (replacement_for(word), crate::names::nearest(word, known)) {
                (Some(help), _) => fault = fault.help(help),
                (None, Some(near)) => fault = fault.help(format!("did you mean `{near}`?")),
                (None, None) => {}
            }
        }
        Box::new(fault.label(format!("expected {wanted}")))
    }

    /// Consumes the current token if it is this word. Returns true if a token was consumed.
    pub(super) fn eat_word(&mut self, word: &'static str) -> bool {
        let found = matches!(self.peek(), TokenKind::Name(n) if n == word);
        if found {
            self.advance();
        } else {
            self.expected.push(word);
        }
        found
    }

    /// Consumes a word that must follow, possibly on a later line.
    pub(super) fn expect_word(&mut self, word: &'static str) -> Parsed<()> {
        let here = self.next;
        self.skip_breaks();
        if self.eat_word(word) {
            return Ok(());
        }
        self.next = here;
        Err(self.unexpected_token("expected-word", &format!("`{word}`")))
    }

    /// Consumes the current token if it is this sign. Returns true if a token was consumed.
    pub(super) fn eat_sign(&mut self, sign: &'static str) -> bool {
        let found = self.peek() == TokenKind::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect_sign(&mut self, sign: &'static str) -> Parsed<()> {
        if self.eat_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected_token("expected-sign", &format!("`{sign}`")))
        }
    }

    /// Reads a name that is not a word of the language.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            TokenKind::Name(text) if RESERVED.contains(&text) => {
                let message = format!("`{text}` is a word of the rule language, not {what}");
                Err(Box::new(Diagnostic::error("reserved-word", self.span(), message)))
            }
            _ => self.any_name(what),
        }
    }

    /// Reads a name, even if it is a reserved word. This is for positions where only a name is
    /// possible, such as the name of an attribute after a dot.
    pub(super) fn any_name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        let TokenKind::Name(text) = self.peek() else {
            return Err(self.unexpected_token("expected-name", what));
        };
        self.advance();
        Ok(Name { text: text.to_owned(), span })
    }

    /// Runs `read` one nesting level deeper. If `bracketed` is set, line ends are ignored.
    pub(super) fn parse_nested<T>(
        &mut self,
        bracketed: bool,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested deeper than {MAX_DEPTH} levels");
            return Err(Box::new(Diagnostic::error("too-deep", self.span(), message)));
        }
        let brackets = self.brackets;
        self.depth += 1;
        self.brackets = if bracketed { brackets + 1 } else { 0 };
        let result = read(self);
        self.depth -= 1;
        self.brackets = brackets;
        result
    }

    /// Reads a text between double quotes.
    pub(super) fn quoted_text(&mut self, what: &str) -> Parsed<TextTemplate> {
        match self.peek() {
            TokenKind::Text(raw, base) => {
                self.advance();
                template_parts(raw, base, self.map, self.depth)
            }
            _ => Err(self.unexpected_token("expected-text", what)),
        }
    }

    /// Reads text that gives one value: an expression, optionally preceded by definitions of names
    /// (`let x = …`), one per line.
    fn quoted_value(&mut self) -> Parsed<Expr> {
        self.skip_breaks();
        let start = self.span();
        if !self.eat_word("let") {
            self.brackets = 1;
            return self.expr();
        }
        let name = self.name("a name")?;
        self.expect_sign("=")?;
        let value = self.expr()?;
        if self.peek() != TokenKind::Break {
            let fault = self.unexpected_token("unexpected", "a line end or `;`");
            return Err(Box::new(fault.help("put each `let` on its own line")));
        }
        let body = self.parse_nested(false, Self::quoted_value)?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Let(name, Box::new(value), Box::new(body)), span })
    }

    /// Reads an expression of any kind.
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        let brackets = self.brackets > 0;
        self.parse_nested(brackets, |p| p.disjunction())
    }

    /// Counts an operator, and fails if there are too many. Even without brackets, a chain of
    /// operators makes a tree that is as deep as the chain is long.
    fn count_operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Ok(());
        }
        let message = format!("this has more than {MAX_OPERATORS} operators");
        Err(Box::new(Diagnostic::error("too-deep", self.previous_span(), message)))
    }

    /// Consumes the current token if it is one of these operators.
    fn eat_operator(&mut self, among: &[Operator]) -> Option<Operator> {
        let found = match self.peek() {
            TokenKind::Sign(text) | TokenKind::Name(text) => Operator::from_symbol(text),
            _ => None,
        };
        let found = found.filter(|operator| among.contains(operator));
        if found.is_some() {
            self.advance();
        }
        found
    }

    /// Reads operands joined by operators of one precedence level, which associate to the left.
    fn binary_chain(
        &mut self,
        operators: &[Operator],
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        while let Some(operator) = self.eat_operator(operators) {
            self.count_operator()?;
            left = left.combined_with(operator, operand(self)?);
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        self.binary_chain(OR_OPERATORS, |p| p.binary_chain(AND_OPERATORS, Self::negation))
    }

    fn negation(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat_word("not") {
            let brackets = self.brackets > 0;
            let inner = self.parse_nested(brackets, Self::negation)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
        }
        self.comparison_expr()
    }

    fn comparison_expr(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        if self.eat_word("in") {
            let right = self.source_over()?;
            return Ok(left.combined_with(Operator::In, right));
        }
        if matches!(self.peek(), TokenKind::Name(n) if n == "not") {
            self.advance();
            self.expect_word("in")?;
            let right = self.source_over()?;
            return Ok(left.combined_with(Operator::NotIn, right));
        }
        let Some(operator) = self.eat_operator(COMPARISON_OPERATORS) else { return Ok(left) };
        let right = self.sum()?;
        let first = left.combined_with(operator, right);
        if self.eat_operator(COMPARISON_OPERATORS).is_some() {
            let fault = Diagnostic::error(
                "chained-comparison",
                self.previous_span(),
                "comparisons cannot be chained",
            );
            return Err(Box::new(fault.help("write `a <= b and b <= c`")));
        }
        Ok(first)
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.binary_chain(ADDITIVE_OPERATORS, |p| {
            p.binary_chain(MULTIPLICATIVE_OPERATORS, Self::unary)
        })
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat_sign("-") {
            let brackets = self.brackets > 0;
            let inner = self.parse_nested(brackets, Self::unary)?;
            let span = start.to(inner.span);
            return Ok(Expr { kind: ExprKind::Negative(Box::new(inner)), span });
        }
        // A plus before a number has no effect: it only shows that the number is added.
        let number =
            matches!(self.following_token(), Some(TokenKind::Whole(_) | TokenKind::Decimal(_)));
        if self.peek() == TokenKind::Sign("+") && number {
            self.advance();
        }
        let mut expr = self.primary()?;
        while self.peek() == TokenKind::Sign(".") {
            self.advance();
            self.count_operator()?;
            expr = self.member_access(expr)?;
        }
        Ok(expr)
    }

    /// Reads the part after a dot: an attribute, or the level in the name of an area (`b3.2`).
    fn member_access(&mut self, of: Expr) -> Parsed<Expr> {
        let member_span = self.span();
        let span = of.span.to(member_span);
        if let TokenKind::Whole(level) = self.peek()
            && let Some(name) = area_name_of(&of.kind)
        {
            let name = format!("{name}.{level}");
            self.advance();
            return Ok(Expr { kind: ExprKind::Name(name), span });
        }
        let of = match of.kind {
            ExprKind::Dice(dice) => Expr { kind: ExprKind::Name(dice.text), span: of.span },
            kind => Expr { kind, span: of.span },
        };
        let name = self.any_name("the name of an attribute")?;
        Ok(Expr { kind: ExprKind::Member(Box::new(of), name), span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            TokenKind::Whole(n) => {
                self.advance();
                ExprKind::Whole(n)
            }
            TokenKind::Decimal(text) => {
                self.advance();
                match Number::parse(text) {
                    Some(n) => ExprKind::Fraction(n),
                    None => {
                        let message = "this number has too many decimal places";
                        let fault = Diagnostic::error("number-too-fine", span, message);
                        return Err(Box::new(
                            fault.help("at most four decimal places are allowed"),
                        ));
                    }
                }
            }
            TokenKind::Dice(text) => {
                self.advance();
                let pool = adjutant_dice::parse_pool(text);
                ExprKind::Dice(Box::new(DiceLiteral { text: text.to_owned(), pool }))
            }
            TokenKind::Text(..) => ExprKind::Text(self.quoted_text("a text")?),
            TokenKind::Sign("(") => return self.bracketed(),
            TokenKind::Sign("[") => {
                self.advance();
                ExprKind::List(self.parse_nested(true, |p| p.comma_separated("]", Self::expr))?)
            }
            TokenKind::Name(word) => return self.name_or_keyword(word),
            _ => return Err(self.unexpected_token("expected-value", "a value")),
        };
        Ok(Expr { kind, span: span.to(self.previous_span()) })
    }

    /// Reads an expression in brackets, or a list of members such as `(x in s where c by e)`.
    fn bracketed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        let expr = self.parse_nested(true, |p| {
            let expr = p.expr()?;
            let filter = if p.eat_word("where") { Some(p.expr()?) } else { None };
            let order = if p.eat_word("by") { Some(p.expr()?) } else { None };
            if filter.is_some() || order.is_some() {
                return members_of(expr, filter, order);
            }
            Ok(expr)
        })?;
        self.expect_sign(")")?;
        Ok(Expr { kind: expr.kind, span: start.to(self.previous_span()) })
    }

    /// Parses items separated by commas, up to and including the closing sign.
    pub(super) fn comma_separated<T>(
        &mut self,
        close: &'static str,
        item: fn(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat_sign(close) {
            items.push(item(self)?);
            if !self.eat_sign(",") {
                self.expect_sign(close)?;
                break;
            }
        }
        Ok(items)
    }

    /// Returns the rule text from one token up to another, for messages. The second token, which is
    /// not included, may be past the end.
    pub(super) fn source_text(&self, from: usize, to: usize) -> &str {
        let at = |i: usize| self.tokens.get(i).map_or(self.text.len(), |t| t.at);
        self.text.get(at(from)..at(to)).unwrap_or("").trim()
    }
}

/// Converts `x in s`, which was parsed as an expression, into a source with a condition or an order.
/// Fails if the expression does not have this form.
fn members_of(expr: Expr, filter: Option<Expr>, order: Option<Expr>) -> Parsed<Expr> {
    let word = if filter.is_some() { "where" } else { "by" };
    let last = order.as_ref().or(filter.as_ref()).map_or(expr.span, |last| last.span);
    let span = expr.span.to(last);
    if let ExprKind::Binary(Operator::In, left, over) = expr.kind
        && let ExprKind::Name(name) = left.kind
    {
        let name = Name { text: name, span: left.span };
        let source = MemberSource { name, over: *over, filter };
        return Ok(Expr { kind: ExprKind::Filtered(Box::new(source), order.map(Box::new)), span });
    }
    let message = format!("`{word}` needs a source before it");
    let fault = Diagnostic::error("expected-source", expr.span, message);
    Err(Box::new(fault.help("write `(a in areas where a.fire > 0)`")))
}

/// Returns the text of an expression that may name an area, even if it looks like dice; `None` for
/// any other expression.
fn area_name_of(kind: &ExprKind) -> Option<&str> {
    match kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Dice(dice) => Some(&dice.text),
        _ => None,
    }
}
