//! Parses sources, and expressions that begin with a word: names, calls, quantifiers, choices,
//! paths, dice, questions to the umpire, random picks and draws, and new pieces.

use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::syntax::{
    AllowedAnswers, Expr, ExprKind, MemberSource, Name, Quantifier, RESERVED, WrittenQuestion,
};
use crate::diagnostic::{Diagnostic, Fault};

impl Parser<'_> {
    pub(super) fn name_or_keyword(&mut self, word: &str) -> Parsed<Expr> {
        let start = self.span();
        let quantity = match word {
            "any" => Some(Quantifier::Any),
            "all" => Some(Quantifier::All),
            "no" => Some(Quantifier::No),
            "count" => Some(Quantifier::Count),
            "sum" => Some(Quantifier::Sum),
            "highest" => Some(Quantifier::Highest),
            "lowest" => Some(Quantifier::Lowest),
            "first" if self.following_token() != Some(TokenKind::Sign("(")) => {
                Some(Quantifier::First)
            }
            "best" => Some(Quantifier::Best),
            "nearest" => Some(Quantifier::Nearest),
            _ => None,
        };
        let kind = match quantity {
            Some(quantity) => {
                self.advance();
                if quantity == Quantifier::No && !matches!(self.peek(), TokenKind::Name(_)) {
                    let message = "`no` checks that there are none: `no x in …: …`";
                    let fault = Diagnostic::error("expected-name", start, message);
                    return Err(Box::new(fault.help("for a flag, write `false`")));
                }
                self.quantified(quantity)?
            }
            None => self.keyword(word)?,
        };
        Ok(Expr { kind, span: start.to(self.previous_span()) })
    }

    fn keyword(&mut self, word: &str) -> Parsed<ExprKind> {
        let start = self.next;
        let span = self.span();
        let is_path = self.following_token() == Some(TokenKind::Name("from"));
        self.advance();
        Ok(match word {
            "true" | "false" => ExprKind::Flag(word == "true"),
            "none" => ExprKind::Nothing,
            "if" => {
                let condition = self.expr()?;
                self.expect_word("then")?;
                let yes = self.expr()?;
                self.expect_word("else")?;
                let no = self.expr()?;
                ExprKind::Choice(Box::new(condition), Box::new(yes), Box::new(no))
            }
            "way" => self.way_expression(false)?,
            "path" if is_path => self.way_expression(true)?,
            "roll" => {
                let dice = self.sum()?;
                let label = matches!(self.peek(), TokenKind::Text(..));
                let label = if label { Some(self.quoted_text("a label")?) } else { None };
                ExprKind::Roll(Box::new(dice), label)
            }
            "ask" => ExprKind::Ask(Box::new(self.asked_question()?)),
            "pick" => {
                let name = self.name("a name for the picked member")?;
                self.expect_word("among")?;
                let over = self.sum()?;
                ExprKind::Pick(Box::new(self.filtered_source(name, over)?))
            }
            "draw" => {
                self.expect_word("from")?;
                ExprKind::Draw(self.name("the name of a deck")?)
            }
            "make" => self.make_expression()?,
            // `first(list)` is a call of a built-in function; `first x in s` is parsed above.
            "first" => {
                let name = Name { text: word.to_owned(), span };
                self.advance();
                ExprKind::Call(
                    name,
                    self.parse_nested(true, |p| p.comma_separated(")", Self::expr))?,
                )
            }
            _ => {
                self.next = start;
                let name = self.name("a value")?;
                if self.eat_sign("(") {
                    ExprKind::Call(
                        name,
                        self.parse_nested(true, |p| p.comma_separated(")", Self::expr))?,
                    )
                } else {
                    let first = Expr { kind: ExprKind::Name(name.text), span: name.span };
                    self.range_from(first, Self::sum)?.kind
                }
            }
        })
    }

    fn quantified(&mut self, quantity: Quantifier) -> Parsed<ExprKind> {
        let source = Box::new(self.member_source()?);
        let body = match quantity {
            Quantifier::First => None,
            Quantifier::Best | Quantifier::Nearest => {
                self.expect_word("by")?;
                Some(self.sum()?)
            }
            Quantifier::Count if !self.eat_sign(":") => None,
            Quantifier::Count => Some(self.expr()?),
            Quantifier::Sum | Quantifier::Highest | Quantifier::Lowest => {
                self.expect_sign(":")?;
                Some(self.sum()?)
            }
            Quantifier::Any | Quantifier::All | Quantifier::No => {
                self.expect_sign(":")?;
                Some(self.expr()?)
            }
        };
        Ok(ExprKind::Quantified(quantity, source, body.map(Box::new)))
    }

    fn way_expression(&mut self, places: bool) -> Parsed<ExprKind> {
        self.expect_word("from")?;
        let from = Box::new(self.sum()?);
        self.expect_word("to")?;
        let to = Box::new(self.sum()?);
        self.expect_word("along")?;
        let along = self.name("the list attribute to follow")?;
        let filter = if self.eat_word("where") {
            let name = self.name("a name for each area on the path")?;
            self.expect_sign(":")?;
            Some((name, Box::new(self.expr()?)))
        } else {
            None
        };
        Ok(ExprKind::Way { places, from, to, along, filter })
    }

    /// Reads the rest of a question, after `ask`.
    fn asked_question(&mut self) -> Parsed<WrittenQuestion> {
        let begins_side = match self.peek() {
            TokenKind::Name(word) => !RESERVED.contains(&word),
            token => token == TokenKind::Sign("("),
        };
        let side = if begins_side { Some(self.sum()?) } else { None };
        let text = self.quoted_text("the question as text")?;
        let answers = self.allowed_answers()?;
        let by = match (&answers, self.eat_word("by")) {
            (_, false) => None,
            (AllowedAnswers::Among(_), true) => Some(self.sum()?),
            (AllowedAnswers::Flag, true) => Some(self.expr()?),
            (AllowedAnswers::Between(..), true) => {
                let message = "`by` needs a name for the number";
                let fault = Diagnostic::error("expected-source", self.previous_span(), message);
                return Err(Box::new(fault.help("write `ask \"…\" among n in 1..5 by …`")));
            }
        };
        Ok(WrittenQuestion { side, text, answers, by })
    }

    fn allowed_answers(&mut self) -> Parsed<AllowedAnswers> {
        if self.eat_word("among") {
            let first = self.sum()?;
            let source = match first.kind {
                ExprKind::Name(ref name) if self.eat_word("in") => {
                    let name = Name { text: name.clone(), span: first.span };
                    let over = self.source_over()?;
                    self.filtered_source(name, over)?
                }
                _ => {
                    let name = Name { text: "_".into(), span: first.span };
                    MemberSource { name, over: first, filter: None }
                }
            };
            return Ok(AllowedAnswers::Among(Box::new(source)));
        }
        if self.eat_word("between") {
            let low = self.sum()?;
            self.expect_word("and")?;
            let high = self.sum()?;
            return Ok(AllowedAnswers::Between(Box::new(low), Box::new(high)));
        }
        Ok(AllowedAnswers::Flag)
    }

    fn make_expression(&mut self) -> Parsed<ExprKind> {
        let kind = self.name("the kind of piece to make")?;
        let value = |p: &mut Self| {
            let name = p.any_name("the name of an attribute")?;
            p.expect_sign("=")?;
            Ok((name, p.expr()?))
        };
        let values = if self.eat_sign("{") {
            self.parse_nested(true, |p| p.comma_separated("}", value))?
        } else {
            Vec::new()
        };
        let named =
            if self.eat_word("named") { Some(self.quoted_text("the name as text")?) } else { None };
        Ok(ExprKind::Make(kind, values, named))
    }

    /// Reads one or more sources, separated by commas.
    pub(super) fn member_sources(&mut self) -> Parsed<Vec<MemberSource>> {
        let mut sources = vec![self.member_source()?];
        while self.eat_sign(",") {
            sources.push(self.member_source()?);
        }
        Ok(sources)
    }

    fn member_source(&mut self) -> Parsed<MemberSource> {
        let name = self.name("a name for each member")?;
        self.expect_word("in").map_err(|fault| match self.peek() {
            TokenKind::Name(next) if next != "where" => fault,
            _ => Box::new(fault.help(format!("give each a name: `x in {}`", name.text))),
        })?;
        let over = self.source_over()?;
        self.filtered_source(name, over)
    }

    pub(super) fn source_over(&mut self) -> Parsed<Expr> {
        let first = self.sum()?;
        self.range_from(first, Self::sum)
    }

    /// Reads the rest of a range such as `1..3` after its first value. Returns that value unchanged
    /// if no `..` follows.
    pub(super) fn range_from(
        &mut self,
        first: Expr,
        last: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        if !self.eat_sign("..") {
            return Ok(first);
        }
        let last = last(self)?;
        let span = first.span.to(last.span);
        Ok(Expr { kind: ExprKind::Range(Box::new(first), Box::new(last)), span })
    }

    fn filtered_source(&mut self, name: Name, over: Expr) -> Parsed<MemberSource> {
        let filter = if self.eat_word("where") { Some(self.expr()?) } else { None };
        Ok(MemberSource { name, over, filter })
    }
}
