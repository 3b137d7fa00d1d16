//! Exact fractions, for probabilities and means.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A fraction, in lowest terms unless [`Fraction::unreduced`] made it. The mean and the variance of
/// a distribution are not reduced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(BigRational);

impl Fraction {
    /// Returns the fraction in lowest terms; a denominator of zero counts as one.
    pub fn new(numerator: BigInt, denominator: BigUint) -> Fraction {
        let denominator = denominator.max(BigUint::from(1u32));
        Fraction(BigRational::new(numerator, denominator.into()))
    }

    /// Returns a fraction without reducing it, for values that are only shown or compared, because
    /// reducing large numbers is slow.
    pub fn unreduced(numerator: BigInt, denominator: BigUint) -> Fraction {
        Fraction(BigRational::new_raw(numerator, denominator.max(BigUint::from(1u32)).into()))
    }

    /// Returns the numerator.
    pub fn numerator(&self) -> &BigInt {
        self.0.numer()
    }

    /// Returns the denominator, which is never zero.
    pub fn denominator(&self) -> &BigUint {
        self.0.denom().magnitude()
    }

    /// Returns the nearest floating-point number, or zero if the fraction is too small for one.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(0.0)
    }

    /// Writes the fraction, correctly rounded to `places` decimals. Halves are rounded away from
    /// zero.
    pub fn decimal(&self, places: u32) -> String {
        let twice: BigInt = self.0.denom() * 2u32;
        let scaled = self.0.numer() * BigInt::from(10u32).pow(places) * 2u32;
        let half =
            if scaled.sign() == Sign::Minus { -self.0.denom() } else { self.0.denom().clone() };
        // Division truncates towards zero.
        let scaled = (scaled + half) / twice;
        let places = places as usize;
        let mut digits = format!("{:0>1$}", scaled.magnitude().to_string(), places + 1);
        if places > 0 {
            digits.insert(digits.len() - places, '.');
        }
        if scaled.sign() == Sign::Minus { format!("-{digits}") } else { digits }
    }

    /// Writes the fraction as a percentage, rounded like [`Fraction::decimal`], without the `%`
    /// sign.
    pub fn percent(&self, places: u32) -> String {
        Fraction(BigRational::new_raw(self.0.numer() * 100, self.0.denom().clone())).decimal(places)
    }
}

impl std::ops::Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        Fraction(&self.0 + &other.0)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.reduced().fmt(f)
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
