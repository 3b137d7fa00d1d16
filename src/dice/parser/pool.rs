//! Reading one pool: the dice, what is done with them, and which of them are counted.

use super::{Parser, Result, ambiguous};
use crate::dice::notation::{MAX_DICE, MAX_SIDES, NotationError};
use crate::dice::pool::{Comparison, Die, End, Modifier, Point, Pool};
use crate::dice::sense;

impl Parser<'_> {
    /// Reads a pool from its `d` on.
    pub(super) fn pool(&mut self, start: usize, count: Option<u32>) -> Result<Pool> {
        let count = count.unwrap_or(1);
        if count == 0 || count > MAX_DICE - self.dice {
            let message = format!("dice are thrown 1 to {MAX_DICE} at once");
            return Err(NotationError::new("dice-count", start..self.at, message));
        }
        self.dice += count;
        self.at += 1;
        let die = self.die(start)?;
        let mut pool = Pool { count, die, modifiers: Vec::new(), successes: None };
        loop {
            let before = self.at;
            self.space();
            let at = self.at;
            match self.peek() {
                b'!' => {
                    let modifier = self.explosion(die)?;
                    self.add(&mut pool, modifier, at)?;
                }
                b if b.is_ascii_alphabetic() => {
                    let modifier = self.modifier(at)?;
                    self.add(&mut pool, modifier, at)?;
                }
                b'<' | b'>' | b'=' => {
                    pool.successes = self.successes(&pool, start)?;
                    return Ok(pool);
                }
                _ => {
                    self.at = before;
                    return Ok(pool);
                }
            }
        }
    }

    fn die(&mut self, start: usize) -> Result<Die> {
        match self.peek() {
            b'%' => {
                self.at += 1;
                Ok(Die::Plain(100))
            }
            b'F' | b'f' => {
                self.at += 1;
                Ok(Die::Fudge)
            }
            b'0'..=b'9' => {
                let at = self.at;
                let sides = self.number()?;
                if sides == 0 || sides > MAX_SIDES {
                    let message = format!("a die has 1 to {MAX_SIDES} sides");
                    return Err(NotationError::new("dice-sides", at..self.at, message));
                }
                Ok(if sides == 66 { Die::Tens } else { Die::Plain(sides) })
            }
            _ => {
                let error = self.unexpected("the sides of the die, such as `d6`");
                Err(NotationError { span: start..error.span.end, ..error }
                    .help("dice are written `d6`, `3d10`, `d%`, `dF` or `d66`"))
            }
        }
    }

    /// Adds a modifier, if it makes sense after those before it.
    fn add(&self, pool: &mut Pool, modifier: Modifier, start: usize) -> Result<()> {
        pool.modifiers.push(modifier);
        sense::last_modifier(pool).map_err(|(code, message, help)| {
            let error = NotationError::new(code, start..self.at, message);
            if help.is_empty() { error } else { error.help(help) }
        })
    }

    fn explosion(&mut self, die: Die) -> Result<Modifier> {
        let start = self.at;
        self.at += 1;
        if self.peek() == b'!' || self.peek().eq_ignore_ascii_case(&b'p') {
            let span = start..self.at + 1;
            let message = "compounding and penetrating dice are not rolled";
            return Err(NotationError::new("dice-ambiguous", span, message)
                .help("write `!`: each extra die counts by itself"));
        }
        let point = self.point()?;
        Ok(Modifier::Explode(
            point.unwrap_or(Point { comparison: Comparison::Equal, value: die.highest() }),
        ))
    }

    /// The faces a modifier means, if they follow at once: `1`, `<=2`, `=-1`.
    fn point(&mut self) -> Result<Option<Point>> {
        if self.peek().is_ascii_digit() {
            let value = self.value()?;
            return Ok(Some(Point { comparison: Comparison::Equal, value }));
        }
        let Some(comparison) = self.comparison() else { return Ok(None) };
        self.space();
        let negative = self.eat(b'-');
        let value = self.value()?;
        Ok(Some(Point { comparison, value: if negative { -value } else { value } }))
    }

    fn value(&mut self) -> Result<i32> {
        // MAX_NUMBER fits.
        Ok(i32::try_from(self.number()?).unwrap_or(i32::MAX))
    }

    fn modifier(&mut self, start: usize) -> Result<Modifier> {
        let word = self.word();
        self.at += word.len();
        let span = start..self.at;
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let keep = [("kh", End::Highest), ("kl", End::Lowest)];
        let drop = [("dh", End::Highest), ("dl", End::Lowest)];
        if let Some(&(_, end)) = keep.iter().find(|(name, _)| is(name)) {
            return Ok(Modifier::Keep(end, self.how_many()?));
        }
        if let Some(&(_, end)) = drop.iter().find(|(name, _)| is(name)) {
            return Ok(Modifier::Drop(end, self.how_many()?));
        }
        if is("r") || is("ro") {
            let once = is("ro");
            return match self.point()? {
                Some(point) => Ok(Modifier::Reroll { point, once }),
                None => {
                    let message = "which faces are rerolled?";
                    Err(NotationError::new("dice-ambiguous", span, message)
                        .help(format!("write `{word}1` or `{word}<=2`")))
                }
            };
        }
        if is("min") {
            return Ok(Modifier::Minimum(self.value()?));
        }
        if is("max") {
            return Ok(Modifier::Maximum(self.value()?));
        }
        let ambiguous = |message: &str, help: &str| {
            Err(NotationError::new("dice-ambiguous", span.clone(), message).help(help))
        };
        match word.to_ascii_lowercase().as_str() {
            "k" => ambiguous(
                "`k` alone does not say which dice are kept",
                "write `kh1` for the highest, `kl1` for the lowest",
            ),
            "d" => ambiguous(
                "`d` alone does not say which dice are dropped",
                "write `dl1` for the lowest, `dh1` for the highest; dice are added with `+`",
            ),
            "e" | "x" => ambiguous("tools disagree on this letter", "an explosion is written `!`"),
            "s" | "cs" | "f" | "cf" => {
                ambiguous("tools disagree on these letters", "a count of dice is written `5d10>=7`")
            }
            "rr" => ambiguous("tools disagree on `rr`", "write `r1`, or `ro1` for once only"),
            _ => {
                let known = ["kh", "kl", "dh", "dl", "r", "ro", "min", "max"];
                let message = format!("`{word}` is no modifier of dice");
                let error = NotationError::new("dice-modifier", span, message);
                Err(match crate::diagnostic::nearest(word, known) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => {
                        error.help(format!("there is: {}, `!`", crate::diagnostic::list(&known)))
                    }
                })
            }
        }
    }

    fn how_many(&mut self) -> Result<u32> {
        if self.peek().is_ascii_digit() { self.number() } else { Ok(1) }
    }

    /// The count of successes behind a pool.
    fn successes(&mut self, pool: &Pool, start: usize) -> Result<Option<Point>> {
        let sign = self.at;
        let Some(comparison) = self.comparison() else { return Ok(None) };
        self.space();
        let at = self.at;
        let negative = self.eat(b'-');
        if !self.peek().is_ascii_digit() {
            let message = "behind dice this counts those that meet a plain number";
            return Err(NotationError::new("dice-ambiguous", sign..at, message)
                .help("to compare totals write the dice in parentheses: `(3d6)>=(2d8)`"));
        }
        let value = self.value()?;
        let after = self.word();
        if after.as_bytes().first().is_some_and(|b| b.eq_ignore_ascii_case(&b'd')) {
            let message = "this could count dice or compare two totals";
            return Err(ambiguous(sign..self.at + after.len(), message)
                .help("to compare totals write the dice in parentheses: `(3d6)>=(2d8)`"));
        }
        let point = Point { comparison, value: if negative { -value } else { value } };
        let reachable = (pool.die.lowest(), pool.die.highest());
        if !point.holds(reachable.0) && !point.holds(reachable.1) && !within(point, reachable) {
            let dice = Pool { successes: None, ..pool.clone() };
            let message = format!("no {} can be {point}", pool.die);
            return Err(NotationError::new("dice-never", start..self.at, message)
                .help(format!("this counts dice; to compare the total write `({dice}){point}`")));
        }
        Ok(Some(point))
    }
}

/// Whether the one value an `=` names lies between the two.
fn within(point: Point, (lowest, highest): (i32, i32)) -> bool {
    point.comparison == Comparison::Equal && (lowest..=highest).contains(&point.value)
}
