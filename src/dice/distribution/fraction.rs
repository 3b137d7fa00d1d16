//! An exact fraction, for probabilities and means.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// The fraction in lowest terms; a denominator of zero counts as one.
    pub fn new(numerator: BigInt, denominator: BigUint) -> Fraction {
        let one = BigUint::from(1u32);
        if denominator == BigUint::ZERO {
            return Fraction { numerator, denominator: one };
        }
        let common = numerator.magnitude().gcd(&denominator);
        if common == one {
            return Fraction { numerator, denominator };
        }
        let (sign, magnitude) = numerator.into_parts();
        let numerator = BigInt::from_biguint(sign, magnitude / &common);
        Fraction { numerator, denominator: denominator / common }
    }

    /// The upper number.
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// The lower number; never zero.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// The nearest floating-point number or one next to it; zero if it is too small for one.
    pub fn to_f64(&self) -> f64 {
        let magnitude = self.numerator.magnitude();
        if *magnitude == BigUint::ZERO {
            return 0.0;
        }
        // A quotient of about 64 bits holds more than the 53 that count.
        let bits = |n: &BigUint| i64::try_from(n.bits()).unwrap_or(i64::MAX);
        let shift = 64 + bits(&self.denominator) - bits(magnitude);
        let quotient = if shift >= 0 {
            (magnitude << shift.unsigned_abs()) / &self.denominator
        } else {
            magnitude / (&self.denominator << shift.unsigned_abs())
        };
        let mut value = quotient
            .iter_u64_digits()
            .rev()
            .fold(0.0, |v, d| v * 18_446_744_073_709_551_616.0 + d as f64);
        // Twice half the way, as the whole of it could pass the range of the exponent.
        let exponent = i32::try_from(-shift).unwrap_or(i32::MIN / 2).clamp(-2_000, 2_000);
        value *= 2f64.powi(exponent / 2);
        value *= 2f64.powi(exponent - exponent / 2);
        if self.numerator.sign() == Sign::Minus { -value } else { value }
    }

    /// Written with that many places after the point, correctly rounded, a half away from zero.
    pub fn decimal(&self, places: u32) -> String {
        let scaled = self.numerator.magnitude() * BigUint::from(10u32).pow(places);
        let twice = scaled * 2u32 + &self.denominator;
        let rounded = twice / (&self.denominator * 2u32);
        let mut digits = rounded.to_string();
        let places = places as usize;
        if digits.len() <= places {
            digits.insert_str(0, &"0".repeat(places + 1 - digits.len()));
        }
        if places > 0 {
            digits.insert(digits.len() - places, '.');
        }
        let negative = self.numerator.sign() == Sign::Minus && rounded != BigUint::ZERO;
        if negative { format!("-{digits}") } else { digits }
    }

    /// A hundred times the fraction, written as [`Fraction::decimal`] does, without the sign `%`.
    pub fn percent(&self, places: u32) -> String {
        Fraction::new(&self.numerator * 100, self.denominator.clone()).decimal(places)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == BigUint::from(1u32) {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: u64) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_rounded() {
        assert_eq!(fraction(1, 6).decimal(3), "0.167");
        assert_eq!(fraction(1, 6).percent(1), "16.7");
        assert_eq!(fraction(-7, 2).decimal(0), "-4");
        assert_eq!(fraction(-1, 1000).decimal(1), "0.0");
        assert_eq!(fraction(4, 8).to_string(), "1/2");
        assert_eq!(fraction(-4, 2).to_string(), "-2");
    }

    #[test]
    fn floats_are_near() {
        assert_eq!(fraction(1, 3).to_f64(), 1.0 / 3.0);
        assert_eq!(fraction(-7, 2).to_f64(), -3.5);
        let tiny = Fraction::new(1.into(), BigUint::from(6u32).pow(400));
        assert!((tiny.to_f64().log10() + 400.0 * 6f64.log10()).abs() < 1e-6);
    }
}
