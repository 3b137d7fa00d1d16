//! Exact fractions in one machine word.
//!
//! A fraction is kept reduced, its numerator in the upper 48 bits, its denominator (1 to 32,767) in the
//! lower 16. Equal fractions are therefore equal words. Whatever does not fit is an error, never rounded.

use std::cmp::Ordering;
use std::fmt;

/// Largest denominator.
pub const MAX_DENOMINATOR: i64 = 32_767;
/// Largest numerator, either way.
pub const MAX_NUMERATOR: i64 = 1 << 46;
/// Largest whole number a rule may reach, either way.
pub const MAX_WHOLE: i64 = 1 << 53;

/// An exact fraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number(i64);

/// How a fraction becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Down, towards minus infinity.
    Floor,
    /// Up, towards plus infinity.
    Ceil,
    /// To the nearest, halves away from nought.
    Round,
}

impl Number {
    /// Nought.
    pub const ZERO: Number = Number(1);

    /// `numerator / denominator`, reduced; none if it does not fit or the denominator is nought.
    pub fn new(numerator: i128, denominator: i128) -> Option<Number> {
        if denominator == 0 {
            return None;
        }
        let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let sign = if denominator < 0 { -1 } else { 1 };
        let (n, d) = (sign * numerator / common, sign * denominator / common);
        let (n, d) = (i64::try_from(n).ok()?, i64::try_from(d).ok()?);
        (n.abs() <= MAX_NUMERATOR && d <= MAX_DENOMINATOR).then_some(Number((n << 16) | d))
    }

    /// A whole number as a fraction; none if it is too large.
    pub fn whole(n: i64) -> Option<Number> {
        (n.checked_abs()? <= MAX_NUMERATOR).then_some(Number((n << 16) | 1))
    }

    /// From a decimal such as `7`, `-7.5` or a fraction such as `1/3`.
    pub fn parse(text: &str) -> Option<Number> {
        if let Some((n, d)) = text.split_once('/') {
            return Number::new(i128::from(digits(n)?), i128::from(digits(d)?));
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        if part.len() > 4 || (text.contains('.') && part.is_empty()) || part.starts_with('-') {
            return None;
        }
        let scale = 10i128.pow(part.len() as u32);
        let negative = whole.starts_with('-');
        let fraction = if part.is_empty() { 0 } else { i128::from(digits(part)?) };
        let whole = i128::from(digits(whole)?) * scale;
        Number::new(if negative { whole - fraction } else { whole + fraction }, scale)
    }

    /// The word it is kept in.
    pub fn to_bits(self) -> i64 {
        self.0
    }

    /// From the word it is kept in; a word that is none counts as nought.
    pub fn from_bits(bits: i64) -> Number {
        if bits & 0xffff == 0 || bits & 0xffff > MAX_DENOMINATOR {
            Number::ZERO
        } else {
            Number(bits)
        }
    }

    /// Above the stroke.
    pub fn numerator(self) -> i64 {
        self.0 >> 16
    }

    /// Below the stroke, at least 1.
    pub fn denominator(self) -> i64 {
        self.0 & 0xffff
    }

    /// The sum, if it fits.
    pub fn checked_add(self, other: Number) -> Option<Number> {
        let (a, b, c, d) = self.parts(other);
        Number::new(a * d + c * b, b * d)
    }

    /// The difference, if it fits.
    pub fn checked_sub(self, other: Number) -> Option<Number> {
        let (a, b, c, d) = self.parts(other);
        Number::new(a * d - c * b, b * d)
    }

    /// The product, if it fits.
    pub fn checked_mul(self, other: Number) -> Option<Number> {
        let (a, b, c, d) = self.parts(other);
        Number::new(a * c, b * d)
    }

    /// The quotient, if it fits and `other` is not nought.
    pub fn checked_div(self, other: Number) -> Option<Number> {
        let (a, b, c, d) = self.parts(other);
        Number::new(a * d, b * c)
    }

    /// Minus this.
    #[must_use]
    pub fn negated(self) -> Number {
        Number((-self.numerator() << 16) | self.denominator())
    }

    /// The whole number by that rounding.
    pub fn round(self, how: Rounding) -> i64 {
        let (n, d) = (self.numerator(), self.denominator());
        match how {
            Rounding::Floor => n.div_euclid(d),
            Rounding::Ceil => -(-n).div_euclid(d),
            Rounding::Round => {
                let size = (2 * n.abs() + d).div_euclid(2 * d);
                if n < 0 { -size } else { size }
            }
        }
    }

    fn parts(self, other: Number) -> (i128, i128, i128, i128) {
        let wide = i128::from;
        (
            wide(self.numerator()),
            wide(self.denominator()),
            wide(other.numerator()),
            wide(other.denominator()),
        )
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let (a, b, c, d) = self.parts(*other);
        (a * d).cmp(&(c * b))
    }
}

impl fmt::Display for Number {
    /// Decimal where that is exact in four places (`7.5`), else mixed (`2 1/3`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, d) = (self.numerator(), self.denominator());
        if d == 1 {
            return write!(f, "{n}");
        }
        let sign = if n < 0 { "-" } else { "" };
        let (n, d) = (n.unsigned_abs(), d.unsigned_abs());
        if 10_000 % d == 0 {
            let part = format!("{:04}", n % d * (10_000 / d));
            return write!(f, "{sign}{}.{}", n / d, part.trim_end_matches('0'));
        }
        match n / d {
            0 => write!(f, "{sign}{n}/{d}"),
            w => write!(f, "{sign}{w} {}/{d}", n % d),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator(), self.denominator())
    }
}

/// A whole number of at most fifteen digits; words with anything else in them are none.
fn digits(text: &str) -> Option<i64> {
    let plain = text.strip_prefix('-').unwrap_or(text);
    let fits = (1..=15).contains(&plain.len()) && plain.bytes().all(|b| b.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn reads_and_shows() {
        for (text, shown) in
            [("7", "7"), ("-7.50", "-7.5"), ("1/3", "1/3"), ("7/3", "2 1/3"), ("-0.25", "-0.25")]
        {
            assert_eq!(number(text).to_string(), shown);
        }
        for bad in ["", ".", "1.", "1.-5", "a", "1/0", "9999999999999999", "--1"] {
            assert_eq!(Number::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn rounds_as_written() {
        for (text, floor, ceil, round) in [
            ("2.5", 2, 3, 3),
            ("-2.5", -3, -2, -3),
            ("7/3", 2, 3, 2),
            ("-7/3", -3, -2, -2),
            ("4", 4, 4, 4),
        ] {
            let n = number(text);
            assert_eq!(n.round(Rounding::Floor), floor);
            assert_eq!(n.round(Rounding::Ceil), ceil);
            assert_eq!(n.round(Rounding::Round), round);
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let tiny = Number::new(1, 32_767).unwrap();
        assert_eq!(tiny.checked_mul(tiny), None);
        assert_eq!(Number::whole(i64::MIN), None);
        assert_eq!(number("1").checked_div(Number::ZERO), None);
    }

    proptest::proptest! {
        #[test]
        fn arithmetic_is_exact(a in -500i64..500, b in 1i64..60, c in -500i64..500, d in 1i64..60) {
            let x = Number::new(a.into(), b.into()).unwrap();
            let y = Number::new(c.into(), d.into()).unwrap();
            let sum = x.checked_add(y).unwrap();
            proptest::prop_assert_eq!(sum.checked_sub(y).unwrap(), x);
            proptest::prop_assert_eq!(x < y, a * d < c * b);
            if c != 0 {
                proptest::prop_assert_eq!(x.checked_mul(y).unwrap().checked_div(y).unwrap(), x);
            }
        }
    }
}
