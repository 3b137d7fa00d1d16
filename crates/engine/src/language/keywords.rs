//! Expressions that begin with a word of the language: questions over many, choices, ways, dice, questions
//! to the umpire, pieces made; and sources.

use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::syntax::{AllowedAnswers, Expr, ExprKind, MemberSource, Name, Quantity};
use crate::diagnostic::{Diagnostic, Fault};

impl Parser<'_> {
    pub(super) fn named(&mut self, word: &str) -> Parsed<Expr> {
        let start = self.span();
        let quantity = match word {
            "any" => Some(Quantity::Any),
            "all" => Some(Quantity::All),
            "no" => Some(Quantity::No),
            "count" => Some(Quantity::Count),
            "sum" => Some(Quantity::Sum),
            "highest" => Some(Quantity::Highest),
            "lowest" => Some(Quantity::Lowest),
            "first" if self.following() != Some(TokenKind::Sign("(")) => Some(Quantity::First),
            "best" => Some(Quantity::Best),
            "nearest" => Some(Quantity::Nearest),
            _ => None,
        };
        let kind = match quantity {
            Some(quantity) => {
                self.advance();
                if quantity == Quantity::No && !matches!(self.peek(), TokenKind::Name(_)) {
                    let message = "`no` asks whether there is none: `no x in …: …`";
                    let fault = Diagnostic::error("expected-name", start, message);
                    return Err(Box::new(fault.help("for a flag, write `false`")));
                }
                self.quantified(quantity)?
            }
            None => self.keyword(word)?,
        };
        Ok(Expr { kind, span: start.to(self.before()) })
    }

    fn keyword(&mut self, word: &str) -> Parsed<ExprKind> {
        let start = self.next;
        let span = self.span();
        let is_path = self.following() == Some(TokenKind::Name("from"));
        self.advance();
        Ok(match word {
            "true" | "false" => ExprKind::Flag(word == "true"),
            "none" => ExprKind::Nothing,
            "if" => {
                let condition = self.expr()?;
                self.need_word("then")?;
                let yes = self.expr()?;
                self.need_word("else")?;
                let no = self.expr()?;
                ExprKind::Choice(Box::new(condition), Box::new(yes), Box::new(no))
            }
            "way" => self.way(false)?,
            "path" if is_path => self.way(true)?,
            "roll" => {
                let dice = self.sum()?;
                let label = matches!(self.peek(), TokenKind::Text(..));
                let label = if label { Some(self.text("a label")?) } else { None };
                ExprKind::Roll(Box::new(dice), label)
            }
            "ask" => ExprKind::Ask(self.text("the question as a text")?, self.asked()?),
            "pick" => {
                let name = self.name("a name for what is picked")?;
                self.need_word("among")?;
                let over = self.sum()?;
                ExprKind::Pick(Box::new(self.filter(name, over)?))
            }
            "draw" => {
                self.need_word("from")?;
                ExprKind::Draw(self.name("the name of a deck")?)
            }
            "make" => self.make()?,
            // A list is taken apart by `first(list)`, though `first x in s` is a question.
            "first" => {
                let name = Name { text: word.to_owned(), span };
                self.advance();
                ExprKind::Call(name, self.deeper(true, |p| p.items(")", Self::expr))?)
            }
            _ => {
                self.next = start;
                let name = self.name("a value")?;
                if self.sign("(") {
                    ExprKind::Call(name, self.deeper(true, |p| p.items(")", Self::expr))?)
                } else {
                    let first = Expr { kind: ExprKind::Name(name.text), span: name.span };
                    self.range_from(first, Self::sum)?.kind
                }
            }
        })
    }

    fn quantified(&mut self, quantity: Quantity) -> Parsed<ExprKind> {
        let source = Box::new(self.source()?);
        let body = match quantity {
            Quantity::First => None,
            Quantity::Best | Quantity::Nearest => {
                self.need_word("by")?;
                Some(self.sum()?)
            }
            Quantity::Count if !self.sign(":") => None,
            Quantity::Count => Some(self.expr()?),
            Quantity::Sum | Quantity::Highest | Quantity::Lowest => {
                self.need_sign(":")?;
                Some(self.sum()?)
            }
            Quantity::Any | Quantity::All | Quantity::No => {
                self.need_sign(":")?;
                Some(self.expr()?)
            }
        };
        Ok(ExprKind::Quantified(quantity, source, body.map(Box::new)))
    }

    fn way(&mut self, places: bool) -> Parsed<ExprKind> {
        self.need_word("from")?;
        let from = Box::new(self.sum()?);
        self.need_word("to")?;
        let to = Box::new(self.sum()?);
        self.need_word("along")?;
        let along = self.name("the list attribute that leads on")?;
        let filter = if self.word("where") {
            let name = self.name("a name for each place on the way")?;
            self.need_sign(":")?;
            Some((name, Box::new(self.expr()?)))
        } else {
            None
        };
        Ok(ExprKind::Way { places, from, to, along, filter })
    }

    fn asked(&mut self) -> Parsed<AllowedAnswers> {
        if self.word("among") {
            let over = self.sum()?;
            let source = match over.kind {
                ExprKind::Name(ref name) if self.word("in") => {
                    let name = Name { text: name.clone(), span: over.span };
                    let pieces = self.sum()?;
                    self.filter(name, pieces)?
                }
                _ => {
                    let name = Name { text: "_".into(), span: over.span };
                    MemberSource { name, over, filter: None }
                }
            };
            return Ok(AllowedAnswers::Among(Box::new(source)));
        }
        if self.word("between") {
            let low = self.sum()?;
            self.need_word("and")?;
            let high = self.sum()?;
            return Ok(AllowedAnswers::Between(Box::new(low), Box::new(high)));
        }
        Ok(AllowedAnswers::Flag)
    }

    fn make(&mut self) -> Parsed<ExprKind> {
        let kind = self.name("the kind of piece to make")?;
        let value = |p: &mut Self| {
            let name = p.any_name("the name of an attribute")?;
            p.need_sign("=")?;
            Ok((name, p.expr()?))
        };
        let values =
            if self.sign("{") { self.deeper(true, |p| p.items("}", value))? } else { Vec::new() };
        let named = if self.word("named") { Some(self.text("the name as a text")?) } else { None };
        Ok(ExprKind::Make(kind, values, named))
    }

    /// Reads one or more sources, separated by commas.
    pub(super) fn sources(&mut self) -> Parsed<Vec<MemberSource>> {
        let mut sources = vec![self.source()?];
        while self.sign(",") {
            sources.push(self.source()?);
        }
        Ok(sources)
    }

    fn source(&mut self) -> Parsed<MemberSource> {
        let name = self.name("a name for each member")?;
        self.need_word("in").map_err(|fault| match self.peek() {
            TokenKind::Name(next) if next != "where" => fault,
            _ => Box::new(fault.help(format!("give each a name: `x in {}`", name.text))),
        })?;
        let over = self.source_over()?;
        self.filter(name, over)
    }

    pub(super) fn source_over(&mut self) -> Parsed<Expr> {
        let first = self.sum()?;
        self.range_from(first, Self::sum)
    }

    /// Reads the rest of a range such as `1..3` if a `..` follows, else returns what was read.
    pub(super) fn range_from(
        &mut self,
        first: Expr,
        last: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        if !self.sign("..") {
            return Ok(first);
        }
        let last = last(self)?;
        let span = first.span.to(last.span);
        Ok(Expr { kind: ExprKind::Range(Box::new(first), Box::new(last)), span })
    }

    fn filter(&mut self, name: Name, over: Expr) -> Parsed<MemberSource> {
        let filter = if self.word("where") { Some(self.expr()?) } else { None };
        Ok(MemberSource { name, over, filter })
    }
}
