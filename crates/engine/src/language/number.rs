//! Exact fractions in one machine word.
//!
//! A fraction is reduced, with its numerator in the upper 48 bits and its denominator (1 to 32,767)
//! in the lower 16. Equal fractions are therefore equal words. A fraction that does not fit is an
//! error; it is never rounded. The crate `num-rational` is not used because its ratios take two
//! words.

use std::cmp::Ordering;
use std::fmt;

/// The largest denominator.
pub(crate) const MAX_DENOMINATOR: i64 = 32_767;
/// The largest absolute value of a numerator.
pub(crate) const MAX_NUMERATOR: i64 = 1 << 46;
/// The largest absolute value of a whole number in a rule.
pub(crate) const MAX_WHOLE: i64 = 1 << 53;

/// An exact fraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number(i64);

/// A way to round a fraction to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Down, towards minus infinity.
    Floor,
    /// Up, towards plus infinity.
    Ceil,
    /// To the nearest, with halves rounded away from zero.
    Round,
}

impl Rounding {
    /// Returns `n / d` rounded; `d` must be positive.
    pub(crate) fn quotient(self, n: i128, d: i128) -> i128 {
        match self {
            Rounding::Floor => n.div_euclid(d),
            Rounding::Ceil => -(-n).div_euclid(d),
            Rounding::Round => n.signum() * (2 * n.abs() + d).div_euclid(2 * d),
        }
    }
}

impl Number {
    /// Zero.
    pub(crate) const ZERO: Number = Number(1);
    /// One.
    pub(crate) const ONE: Number = Number(1 << 16 | 1);

    /// Returns `numerator / denominator`, or `None` if the reduced fraction does not fit or the
    /// denominator is zero.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Number> {
        if denominator == 0 {
            return None;
        }
        let common = num_integer::gcd(numerator, denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        let n = sign * numerator / common;
        let d = sign * denominator / common;
        let n = i64::try_from(n).ok()?;
        let d = i64::try_from(d).ok()?;
        (n.abs() <= MAX_NUMERATOR && d <= MAX_DENOMINATOR).then_some(Number((n << 16) | d))
    }

    /// Returns a whole number as a fraction, or `None` if it is too large.
    pub fn whole(n: i64) -> Option<Number> {
        (n.checked_abs()? <= MAX_NUMERATOR).then_some(Number((n << 16) | 1))
    }

    /// Returns a whole number as a fraction, limited to [`MAX_NUMERATOR`] in either direction.
    pub(crate) fn saturating(n: i64) -> Number {
        Number(n.clamp(-MAX_NUMERATOR, MAX_NUMERATOR) << 16 | 1)
    }

    /// Parses a decimal such as `7` or `-7.5`, with at most four decimal places, or a fraction such
    /// as `1/3`.
    pub(crate) fn parse(text: &str) -> Option<Number> {
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

    /// Returns the word that holds the fraction.
    pub fn to_bits(self) -> i64 {
        self.0
    }

    /// Returns the fraction held in a word, or zero if the word is invalid.
    pub(crate) fn from_bits(bits: i64) -> Number {
        if bits & 0xffff == 0 || bits & 0xffff > MAX_DENOMINATOR {
            Number::ZERO
        } else {
            Number(bits)
        }
    }

    /// Returns the numerator.
    pub(crate) fn numerator(self) -> i64 {
        self.0 >> 16
    }

    /// Returns the denominator, at least 1.
    pub(crate) fn denominator(self) -> i64 {
        self.0 & 0xffff
    }

    /// Returns the sum, if it fits.
    pub(crate) fn checked_add(self, other: Number) -> Option<Number> {
        let [a, b, c, d] = self.parts(other);
        Number::new(a * d + c * b, b * d)
    }

    /// Returns the difference, if it fits.
    pub(crate) fn checked_sub(self, other: Number) -> Option<Number> {
        let [a, b, c, d] = self.parts(other);
        Number::new(a * d - c * b, b * d)
    }

    /// Returns the product, if it fits.
    pub(crate) fn checked_mul(self, other: Number) -> Option<Number> {
        let [a, b, c, d] = self.parts(other);
        Number::new(a * c, b * d)
    }

    /// Returns the quotient, if it fits and `other` is not zero.
    pub(crate) fn checked_div(self, other: Number) -> Option<Number> {
        let [a, b, c, d] = self.parts(other);
        Number::new(a * d, b * c)
    }

    /// Returns the negative of the number.
    #[must_use]
    pub(crate) fn negated(self) -> Number {
        Number((-self.numerator() << 16) | self.denominator())
    }

    /// Returns the number rounded to a whole number.
    pub(crate) fn round(self, how: Rounding) -> i64 {
        how.quotient(i128::from(self.numerator()), i128::from(self.denominator())) as i64
    }

    /// Returns the nearest floating-point number.
    pub(crate) fn to_f64(self) -> f64 {
        self.numerator() as f64 / self.denominator() as f64
    }

    fn parts(self, other: Number) -> [i128; 4] {
        [self.numerator(), self.denominator(), other.numerator(), other.denominator()]
            .map(i128::from)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let [a, b, c, d] = self.parts(*other);
        (a * d).cmp(&(c * b))
    }
}

impl fmt::Display for Number {
    /// Writes a whole number, a decimal if four decimal places are enough for the exact value
    /// (`7.5`), or otherwise a fraction (`1/3`, `2 1/3`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.numerator();
        let d = self.denominator();
        if d == 1 {
            return write!(f, "{n}");
        }
        let sign = if n < 0 { "-" } else { "" };
        let n = n.unsigned_abs();
        let d = d.unsigned_abs();
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

/// Parses a whole number of at most fifteen digits, with an optional minus.
fn digits(text: &str) -> Option<i64> {
    let plain = text.strip_prefix('-').unwrap_or(text);
    let fits = (1..=15).contains(&plain.len()) && plain.bytes().all(|b| b.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Serializes a whole number as a number, and a fraction as text such as `"7/2"`.
impl serde::Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.denominator() {
            1 => to.serialize_i64(self.numerator()),
            d => to.collect_str(&format_args!("{}/{d}", self.numerator())),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Written {
            Whole(i64),
            Fraction(String),
        }
        let number = match Written::deserialize(from)? {
            Written::Whole(n) => Number::whole(n),
            Written::Fraction(text) => Number::parse(&text),
        };
        number.ok_or_else(|| serde::de::Error::custom("this number is too large or malformed"))
    }
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
        #![proptest_config(proptest::test_runner::Config { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..proptest::test_runner::Config::default() })]

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
