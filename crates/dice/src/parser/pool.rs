//! Parses one pool: the dice, their modifiers, and the count of successes.

use super::{DiceParser, NotationResult, ambiguity_error};
use crate::die::{ComparePoint, Comparison, Die};
use crate::notation::{MAX_DICE, MAX_SIDES, NotationError};
use crate::pool::Pool;

impl DiceParser<'_> {
    /// Reads the rest of a pool from its `d` on. `start` is the offset at which the pool begins.
    pub(super) fn pool(&mut self, start: usize, count: Option<u32>) -> NotationResult<Pool> {
        let count = count.unwrap_or(1);
        if count == 0 || count > MAX_DICE - self.dice {
            let message = format!("1 to {MAX_DICE} dice can be rolled at once");
            return Err(NotationError::new("dice-count", start..self.at, message));
        }
        self.dice += count;
        self.at += 1;
        let die = self.die(start)?;
        let mut pool = Pool { count, die, modifiers: Vec::new(), successes: None };
        loop {
            let before = self.at;
            self.skip_spaces();
            let at = self.at;
            if let Some(modifier) = self.modifier(die)? {
                modifier.check(die, count, &pool.modifiers).map_err(|(code, message, help)| {
                    let error = NotationError::new(code, at..self.at, message);
                    if help.is_empty() { error } else { error.with_help(help) }
                })?;
                // Most pools have a single modifier, so no room is reserved for more.
                if pool.modifiers.is_empty() {
                    pool.modifiers = vec![modifier];
                } else {
                    pool.modifiers.push(modifier);
                }
            } else if let b'<' | b'>' | b'=' = self.peek() {
                pool.successes = self.success_point(&pool, start)?;
                return Ok(pool);
            } else {
                self.at = before;
                return Ok(pool);
            }
        }
    }

    fn die(&mut self, start: usize) -> NotationResult<Die> {
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
                    .with_help("write dice as `d6`, `3d10`, `d%`, `dF` or `d66`"))
            }
        }
    }

    /// Reads the faces that a modifier applies to, if they follow directly, such as `1`, `<=2` or
    /// `=-1`.
    pub(super) fn compare_point(&mut self) -> NotationResult<Option<ComparePoint>> {
        if self.peek().is_ascii_digit() {
            let value = self.compare_value()?;
            return Ok(Some(ComparePoint { comparison: Comparison::Equal, value }));
        }
        let Some(comparison) = self.comparison() else { return Ok(None) };
        self.skip_spaces();
        let negative = self.eat(b'-');
        let value = self.compare_value()?;
        Ok(Some(ComparePoint { comparison, value: if negative { -value } else { value } }))
    }

    pub(super) fn compare_value(&mut self) -> NotationResult<i32> {
        // `MAX_NUMBER` fits into an `i32`.
        Ok(i32::try_from(self.number()?).unwrap_or(i32::MAX))
    }

    /// Reads the comparison after a pool that makes it count successes, if there is one.
    fn success_point(&mut self, pool: &Pool, start: usize) -> NotationResult<Option<ComparePoint>> {
        let sign = self.at;
        let Some(comparison) = self.comparison() else { return Ok(None) };
        self.skip_spaces();
        let at = self.at;
        let negative = self.eat(b'-');
        if !self.peek().is_ascii_digit() {
            let message = "a comparison directly after a dice expression counts the dice that \
                           satisfy it, so it needs a plain number";
            return Err(NotationError::new("dice-ambiguous", sign..at, message)
                .with_help("to compare totals, write the dice in parentheses: `(3d6)>=(2d8)`"));
        }
        let value = self.compare_value()?;
        let after = self.peek_word();
        if after.as_bytes().first().is_some_and(|b| b.eq_ignore_ascii_case(&b'd')) {
            let message = "this could count dice or compare two totals";
            return Err(ambiguity_error(sign..self.at + after.len(), message)
                .with_help("to compare totals, write the dice in parentheses: `(3d6)>=(2d8)`"));
        }
        let point = ComparePoint { comparison, value: if negative { -value } else { value } };
        let reachable = (pool.die.lowest(), pool.die.highest());
        if !point.holds(reachable.0)
            && !point.holds(reachable.1)
            && !is_equal_within(point, reachable)
        {
            let message = format!("no {} can show `{point}`", pool.die);
            return Err(NotationError::new("dice-never", start..self.at, message).with_help(
                format!("this counts dice; to compare the total, write `({pool}){point}`"),
            ));
        }
        Ok(Some(point))
    }
}

/// Returns true if the comparison is `=` and its number is within these limits.
fn is_equal_within(point: ComparePoint, (lowest, highest): (i32, i32)) -> bool {
    point.comparison == Comparison::Equal && (lowest..=highest).contains(&point.value)
}
