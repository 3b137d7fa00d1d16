//! Tokens to statements.

use super::lexer::TokenKind;
use super::parser::{self, Parsed, Parser};
use super::syntax::{Assignment, Block, DeckStatement, Expr, ExprKind, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::source::StringMap;

/// Reads a whole text as statements.
pub fn block(text: &str, map: &StringMap, faults: &mut Vec<Diagnostic>) -> Option<Block> {
    parser::parse(text, map, faults, |p| p.statements(&TokenKind::End))
}

impl Parser<'_> {
    /// Statements up to `close`, which is not taken.
    fn statements(&mut self, close: &TokenKind) -> Parsed<Block> {
        let mut block = Vec::new();
        loop {
            self.skip_breaks();
            if self.peek() == close {
                return Ok(block);
            }
            let first = self.next;
            if *self.peek() == TokenKind::End {
                return Err(self.wrong("expected-sign", "`}`"));
            }
            let statement = self.statement()?;
            block.push(statement);
            let ended = self.peek() == close || *self.peek() == TokenKind::Break;
            // What ends in a block needs no line end after it.
            if *self.peek() == TokenKind::End && !ended {
                return Err(self.wrong("expected-sign", "`}`"));
            }
            if !ended && !self.before_is_brace() {
                let written = self.written(first, self.next).to_owned();
                let short: String = written.chars().take(40).collect();
                return Err(self.wrong("unexpected", &format!("a line end or `;` after `{short}`")));
            }
        }
    }

    fn before_is_brace(&mut self) -> bool {
        self.token_before() == Some(&TokenKind::Sign("}"))
    }

    /// `{ … }`
    fn braced(&mut self) -> Parsed<Block> {
        self.need_sign("{")?;
        let block = self.deeper(false, |p| p.statements(&TokenKind::Sign("}")))?;
        self.need_sign("}")?;
        Ok(block)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = match self.peek().clone() {
            TokenKind::Name(word) => self.statement_kind(&word)?,
            _ => return Err(self.wrong("expected-statement", "a statement")),
        };
        Ok(Statement { kind, span: start.to(self.before()) })
    }

    /// `1..3`, if a `..` follows; else what was read.
    fn range_from(&mut self, first: Expr) -> Parsed<Expr> {
        if !self.sign("..") {
            return Ok(first);
        }
        let last = self.expr()?;
        let span = first.span.to(last.span);
        Ok(Expr { kind: ExprKind::Range(Box::new(first), Box::new(last)), span })
    }

    fn statement_kind(&mut self, word: &str) -> Parsed<StatementKind> {
        Ok(match word {
            "let" => {
                self.advance();
                let name = self.name("a name")?;
                self.need_sign("=")?;
                let value = self.expr()?;
                // A range is no value; said where values are judged, not as a sign too many.
                StatementKind::Let(name, self.range_from(value)?)
            }
            "if" => {
                self.advance();
                self.condition()?
            }
            "each" => {
                self.advance();
                let sources = self.sources()?;
                StatementKind::Each(sources, self.braced()?)
            }
            "repeat" => {
                self.advance();
                let times = self.expr()?;
                self.need_word("times")?;
                StatementKind::Repeat(times, self.braced()?)
            }
            "say" => {
                self.advance();
                StatementKind::Say(self.text("what to say as a text")?)
            }
            "remind" => {
                self.advance();
                StatementKind::Remind(self.text("what to remind of as a text")?)
            }
            "refuse" => {
                self.advance();
                StatementKind::Refuse(self.text("the reason as a text")?)
            }
            "remove" => {
                self.advance();
                StatementKind::Remove(self.expr()?)
            }
            "add" => {
                self.advance();
                let item = self.expr()?;
                self.need_word("to")?;
                StatementKind::Add(item, self.expr()?)
            }
            "take" => {
                self.advance();
                let item = self.expr()?;
                self.need_word("from")?;
                StatementKind::Take(item, self.expr()?)
            }
            "clear" => {
                self.advance();
                StatementKind::Clear(self.expr()?)
            }
            "link" | "unlink" => {
                self.advance();
                let link = word == "link";
                let a = self.expr()?;
                self.need_word(if link { "to" } else { "from" })?;
                let b = self.expr()?;
                self.need_word("by")?;
                StatementKind::Link(link, a, b, self.name("a list attribute")?)
            }
            "put" => {
                self.advance();
                let first = self.expr()?;
                let (number, item) =
                    if self.word("of") { (Some(first), self.expr()?) } else { (None, first) };
                self.need_word("into")?;
                let put = DeckStatement::Put(number.map(Box::new), Box::new(item));
                StatementKind::Deck(put, self.name("the name of a deck")?)
            }
            "shuffle" => {
                self.advance();
                StatementKind::Deck(DeckStatement::Shuffle, self.name("the name of a deck")?)
            }
            "stop" => {
                self.advance();
                StatementKind::Stop
            }
            _ => return self.expression_statement(),
        })
    }

    fn condition(&mut self) -> Parsed<StatementKind> {
        let condition = self.expr()?;
        let yes = self.braced()?;
        let here = self.next;
        self.skip_breaks();
        if !self.word("else") {
            self.next = here;
            return Ok(StatementKind::If(condition, yes, Vec::new()));
        }
        let start = self.before();
        if !self.word("if") {
            return Ok(StatementKind::If(condition, yes, self.braced()?));
        }
        let kind = self.deeper(false, Self::condition)?;
        let other = Statement { kind, span: start.to(self.before()) };
        Ok(StatementKind::If(condition, yes, vec![other]))
    }

    /// An assignment, or something called for what it does.
    fn expression_statement(&mut self) -> Parsed<StatementKind> {
        let target = self.assignable()?;
        let assignment = match self.peek() {
            TokenKind::Sign("=") => Assignment::Set,
            TokenKind::Sign("+=") => Assignment::Raise,
            TokenKind::Sign("-=") => Assignment::Lower,
            _ => return self.done(target),
        };
        self.advance();
        Ok(StatementKind::Assign(target, assignment, self.expr()?))
    }

    /// Reads the left side of `=`, which is no comparison.
    fn assignable(&mut self) -> Parsed<Expr> {
        self.deeper(false, Self::unary_operand)
    }

    fn done(&mut self, expr: Expr) -> Parsed<StatementKind> {
        let acts = matches!(
            expr.kind,
            ExprKind::Call(..) | ExprKind::Make(..) | ExprKind::Draw(..) | ExprKind::Roll(..)
        );
        if acts {
            return Ok(StatementKind::Do(expr));
        }
        let message = "this states a value, but nothing is done with it";
        let fault = Diagnostic::error("no-effect", expr.span, message);
        Err(Box::new(match &expr.kind {
            ExprKind::Name(name) => fault.help(format!("to call a rule, write `{name}()`")),
            _ => fault,
        }))
    }
}
