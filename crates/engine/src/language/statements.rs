//! Parses tokens into statements.

use super::decks::DECK_WORDS;
use super::lexer::TokenKind;
use super::parser::{self, Parsed, Parser};
use super::syntax::{
    Addressee, Assignment, Expr, ExprKind, Period, Statement, StatementKind, Statements,
    replacement_for,
};
use crate::diagnostic::{Diagnostic, Fault};
use crate::source::StringMap;

/// The words that begin a statement, in addition to [`DECK_WORDS`].
const STATEMENTS: [&str; 24] = [
    "let", "if", "each", "repeat", "say", "instruct", "remind", "refuse", "remove", "add", "take",
    "clear", "link", "unlink", "reveal", "stop", "continue", "break", "return", "end", "activate",
    "make", "draw", "roll",
];

/// Parses a whole text as statements. On error, adds a fault to `faults` and returns `None`.
pub fn parse_statements(
    text: &str,
    map: &StringMap,
    faults: &mut Vec<Diagnostic>,
) -> Option<Statements> {
    parser::parse(text, map, faults, |p| p.statements(TokenKind::End))
}

impl Parser<'_> {
    /// Parses statements up to `close`, without consuming it.
    fn statements(&mut self, close: TokenKind<'static>) -> Parsed<Statements> {
        let mut block = Vec::new();
        loop {
            self.skip_breaks();
            if self.peek() == close {
                return Ok(block);
            }
            let first = self.next;
            if self.peek() == TokenKind::End {
                return Err(self.unexpected_token("expected-sign", "`}`"));
            }
            let statement = self.statement()?;
            block.push(statement);
            let ended = self.peek() == close || self.peek() == TokenKind::Break;
            if self.peek() == TokenKind::End && !ended {
                return Err(self.unexpected_token("expected-sign", "`}`"));
            }
            // A statement that ends in a block needs no line end after it.
            if !ended && self.previous_token() != Some(TokenKind::Sign("}")) {
                let written = self.source_text(first, self.next).to_owned();
                let short: String = written.chars().take(40).collect();
                return Err(self.unexpected_token(
                    "unexpected",
                    &format!("a line end or `;` after `{short}`"),
                ));
            }
        }
    }

    /// Parses `{ … }`.
    fn braced_block(&mut self) -> Parsed<Statements> {
        self.expect_sign("{")?;
        let block = self.parse_nested(false, |p| p.statements(TokenKind::Sign("}")))?;
        self.expect_sign("}")?;
        Ok(block)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Name(word) => self.statement_kind(word)?,
            _ => return Err(self.unexpected_token("expected-statement", "a statement")),
        };
        Ok(Statement { kind, span: start.to(self.previous_span()) })
    }

    fn statement_kind(&mut self, word: &str) -> Parsed<StatementKind> {
        let start = self.next;
        self.advance();
        Ok(match word {
            "let" => {
                let mut names = vec![self.name("a name")?];
                while self.eat_sign(",") {
                    names.push(self.name("a name")?);
                }
                self.expect_sign("=")?;
                let value = self.expr()?;
                // A range is not a value, but the compiler explains that better than the parser,
                // which would only report an unexpected `..`.
                StatementKind::Let(names, self.range_from(value, Self::expr)?)
            }
            "if" => self.if_statement()?,
            "each" => StatementKind::Each(self.member_sources()?, self.braced_block()?),
            "repeat" => StatementKind::Repeat(self.expr_before("times")?, self.braced_block()?),
            "say" => {
                let text = self.quoted_text("the text to show")?;
                StatementKind::Say(text, self.addressee()?)
            }
            "instruct" => StatementKind::Instruct(self.quoted_text("the text of the instruction")?),
            "remind" => StatementKind::Remind(self.quoted_text("the text of the reminder")?),
            "refuse" => StatementKind::Refuse(self.quoted_text("the text of the reason")?),
            "remove" => StatementKind::Remove(self.expr()?),
            "add" => StatementKind::Add(self.expr_before("to")?, self.expr()?),
            "take" => StatementKind::Take(self.expr_before("from")?, self.expr()?),
            "clear" => StatementKind::Clear(self.expr()?),
            "link" | "unlink" => {
                let link = word == "link";
                let a = self.expr_before(if link { "to" } else { "from" })?;
                let b = self.expr_before("by")?;
                StatementKind::Link(link, a, b, self.name("a list attribute")?)
            }
            word if DECK_WORDS.contains(&word) => self.deck_statement(word)?,
            "reveal" => {
                let what = self.expr()?;
                let to = if self.eat_word("to") { Some(self.expr()?) } else { None };
                StatementKind::Reveal(what, to)
            }
            "return" if !self.is_name_used() => self.return_statement()?,
            "end" if matches!(self.peek(), TokenKind::Name(_)) => self.end_statement()?,
            "activate"
                if matches!(self.peek(), TokenKind::Name(_) | TokenKind::Sign("[" | "("))
                    && !self.is_name_used() =>
            {
                StatementKind::Activate(self.expr()?)
            }
            "stop" => StatementKind::Stop,
            "continue" => StatementKind::Continue,
            "break" => StatementKind::Break,
            _ => {
                self.next = start;
                self.expression_statement()?
            }
        })
    }

    fn expr_before(&mut self, word: &'static str) -> Parsed<Expr> {
        let expr = self.expr()?;
        self.expect_word(word)?;
        Ok(expr)
    }

    /// Reads the `to …` after the text of a line, if there is one.
    fn addressee(&mut self) -> Parsed<Option<Addressee>> {
        if !self.eat_word("to") {
            return Ok(None);
        }
        if matches!(self.peek(), TokenKind::Break | TokenKind::End | TokenKind::Sign("}")) {
            let wanted = "a side, `all` or `umpire` after `to`";
            return Err(self.unexpected_token("expected-value", wanted));
        }
        Ok(Some(if self.eat_word("all") {
            Addressee::All
        } else if self.eat_word("umpire") {
            Addressee::Umpire
        } else {
            Addressee::Sides(self.expr()?)
        }))
    }

    /// Returns true if the previous word is used as a name, as in `word(…)`, `word = …` or
    /// `word.attribute`. If a space comes before the bracket, the bracket begins a value instead.
    fn is_name_used(&mut self) -> bool {
        let word = self.previous_span();
        match self.peek() {
            TokenKind::Sign("(") => self.span().start == word.end,
            TokenKind::Sign(sign) => matches!(sign, "=" | "+=" | "-=" | "."),
            _ => false,
        }
    }

    fn return_statement(&mut self) -> Parsed<StatementKind> {
        if matches!(self.peek(), TokenKind::Break | TokenKind::End | TokenKind::Sign("}")) {
            let fault = self.unexpected_token("expected-value", "a value after `return`");
            return Err(Box::new((*fault).help("to end a rule without a value, write `stop`")));
        }
        let mut values = vec![self.expr()?];
        while self.eat_sign(",") {
            values.push(self.expr()?);
        }
        Ok(StatementKind::Return(values))
    }

    /// Parses `end activation`, `end phase` or `end turn`. The last two can also be followed by
    /// `for all`.
    fn end_statement(&mut self) -> Parsed<StatementKind> {
        if self.eat_word("activation") {
            return Ok(StatementKind::EndActivation);
        }
        let of_phase = self.eat_word("phase");
        if !of_phase && !self.eat_word("turn") {
            let wanted = "`phase`, `turn` or `activation` after `end`";
            return Err(self.unexpected_token("expected-word", wanted));
        }
        let for_all = self.eat_word("for");
        if for_all {
            self.expect_word("all")?;
        }
        Ok(StatementKind::End(match (of_phase, for_all) {
            (true, false) => Period::Phase,
            (true, true) => Period::PhaseOfAll,
            (false, false) => Period::Turn,
            (false, true) => Period::TurnOfAll,
        }))
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let condition = self.expr()?;
        let yes = self.braced_block()?;
        let here = self.next;
        self.skip_breaks();
        if !self.eat_word("else") {
            self.next = here;
            return Ok(StatementKind::If(condition, yes, Vec::new()));
        }
        let start = self.previous_span();
        if !self.eat_word("if") {
            return Ok(StatementKind::If(condition, yes, self.braced_block()?));
        }
        let kind = self.parse_nested(false, Self::if_statement)?;
        let other = Statement { kind, span: start.to(self.previous_span()) };
        Ok(StatementKind::If(condition, yes, vec![other]))
    }

    /// Parses an assignment, or an expression used as a statement, such as a call.
    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        // An expression would take `=` as a comparison, so the target is parsed without operators.
        let target = self.parse_nested(false, Self::unary)?;
        let assignment = match self.peek() {
            TokenKind::Sign("=") => Assignment::Set,
            TokenKind::Sign("+=") => Assignment::Raise,
            TokenKind::Sign("-=") => Assignment::Lower,
            _ => return self.call_statement(target),
        };
        self.advance();
        Ok(StatementKind::Assign(target, assignment, self.expr()?))
    }

    fn call_statement(&mut self, expr: Expr) -> Parsed<StatementKind> {
        let acts = matches!(
            expr.kind,
            ExprKind::Call(..) | ExprKind::Make(..) | ExprKind::Draw(..) | ExprKind::Roll(..)
        );
        if acts {
            return Ok(StatementKind::Do(expr));
        }
        let sign = self.peek();
        if let TokenKind::Sign(sign @ ("+" | "-")) = sign
            && self.following_token() == Some(TokenKind::Sign(sign))
        {
            let message = format!("`{sign}{sign}` means nothing in rule text");
            let fault = Diagnostic::error("unknown-sign", self.span(), message);
            return Err(Box::new(fault.help(format!("write `{sign}= 1`"))));
        }
        let ends = matches!(sign, TokenKind::Break | TokenKind::End | TokenKind::Sign(_));
        let message = "this value is not used";
        let fault = Diagnostic::error("no-effect", expr.span, message);
        Err(Box::new(match &expr.kind {
            ExprKind::Name(name) if !ends || replacement_for(name).is_some() => {
                let no_statement = format!("`{name}` cannot begin a statement");
                let error = Diagnostic::error("expected-statement", expr.span, no_statement);
                match replacement_for(name) {
                    Some(help) => error.help(help),
                    None => error.suggest(name, STATEMENTS.into_iter().chain(DECK_WORDS)),
                }
            }
            ExprKind::Name(name) => fault.help(format!("to call a rule, write `{name}()`")),
            _ => fault,
        }))
    }
}
