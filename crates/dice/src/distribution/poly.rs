//! Polynomials with wide integer coefficients. Each exponent is a value, and its coefficient is the
//! value's weight.
//!
//! All coefficients of one polynomial have the same number of 64-bit words, lowest word first, and
//! are stored in a single row. The caller chooses the width so that every result fits.

use num_bigint::BigUint;

use super::Distribution;
use super::work::{OddsError, WorkBudget};

#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    /// The exponent of the first coefficient.
    low: i64,
    width: usize,
    words: Vec<u64>,
}

impl Polynomial {
    pub(crate) fn zero(width: usize) -> Polynomial {
        Polynomial { low: 0, width, words: Vec::new() }
    }

    /// Returns the constant polynomial 1.
    pub(crate) fn one(width: usize) -> Polynomial {
        let mut words = vec![0; width];
        words[0] = 1;
        Polynomial { low: 0, width, words }
    }

    pub(crate) fn from_distribution(
        from: &Distribution,
        width: usize,
        work: &WorkBudget,
    ) -> Result<Polynomial, OddsError> {
        let length = from.highest().abs_diff(from.lowest()) + 1;
        work.check_size(length, width)?;
        let mut poly =
            Polynomial { low: from.lowest(), width, words: vec![0; length as usize * width] };
        for (value, weight) in &from.entries {
            let start = value.abs_diff(poly.low) as usize * width;
            for (word, digit) in
                poly.words[start..start + width].iter_mut().zip(weight.iter_u64_digits())
            {
                *word = digit;
            }
        }
        Ok(poly)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the number of coefficients.
    fn length(&self) -> usize {
        self.words.len() / self.width
    }

    /// Returns the coefficients that are not zero, without leading zero words, and their exponents.
    fn terms(&self) -> impl Iterator<Item = (i64, &[u64])> {
        self.words
            .chunks_exact(self.width)
            .map(trim_leading_zeros)
            .zip(self.low..)
            .filter(|(c, _)| !c.is_empty())
            .map(|(c, e)| (e, c))
    }

    /// Returns the first exponent and the number of coefficients if all coefficients are 1;
    /// otherwise `None`.
    pub(crate) fn as_run(&self) -> Option<(i64, usize)> {
        let even = self.words.chunks_exact(self.width).all(|c| *trim_leading_zeros(c) == [1]);
        even.then_some((self.low, self.length()))
    }

    /// Makes room for `length` exponents starting at `low`.
    fn extend_range(
        &mut self,
        low: i64,
        length: usize,
        work: &WorkBudget,
    ) -> Result<(), OddsError> {
        if self.is_zero() {
            self.low = low;
        }
        if low < self.low {
            let more = self.low.abs_diff(low);
            work.check_size(more + self.length() as u64, self.width)?;
            self.words.splice(0..0, std::iter::repeat_n(0, more as usize * self.width));
            self.low = low;
        }
        let wanted = low.abs_diff(self.low) + length as u64;
        if wanted > self.length() as u64 {
            work.check_size(wanted, self.width)?;
            self.words.resize(wanted as usize * self.width, 0);
        }
        Ok(())
    }

    /// Adds `other * scalar * x^shift`.
    pub(crate) fn add_scaled(
        &mut self,
        other: &Polynomial,
        shift: i64,
        scalar: &[u64],
        work: &mut WorkBudget,
    ) -> Result<(), OddsError> {
        let scalar = trim_leading_zeros(scalar);
        if other.is_zero() || scalar.is_empty() {
            return Ok(());
        }
        work.spend((other.words.len() * scalar.len() + other.length()) as u64)?;
        let low = other.low + shift;
        self.extend_range(low, other.length(), work)?;
        let start = low.abs_diff(self.low) as usize * self.width;
        let rows = self.words[start..].chunks_exact_mut(self.width);
        for (slot, coefficient) in rows.zip(other.words.chunks_exact(other.width)) {
            if *scalar == [1] {
                add_words(slot, coefficient);
            } else {
                add_product_of_words(slot, trim_leading_zeros(coefficient), scalar);
            }
        }
        Ok(())
    }

    /// Adds `a * b * scalar`. This is fastest if `b` has fewer terms than `a`.
    pub(crate) fn add_product(
        &mut self,
        a: &Polynomial,
        b: &Polynomial,
        scalar: &[u64],
        work: &mut WorkBudget,
    ) -> Result<(), OddsError> {
        let mut scaled = vec![0; self.width];
        for (exponent, coefficient) in b.terms() {
            if *trim_leading_zeros(scalar) == [1] {
                self.add_scaled(a, exponent, coefficient, work)?;
            } else {
                scaled.fill(0);
                add_product_of_words(&mut scaled, coefficient, trim_leading_zeros(scalar));
                self.add_scaled(a, exponent, &scaled, work)?;
            }
        }
        Ok(())
    }

    /// Returns the product with `x^low + … + x^(low+length-1)`, using a sliding window: one
    /// addition and one subtraction per coefficient, however long the window is.
    pub(crate) fn multiply_by_run(
        &self,
        low: i64,
        length: usize,
        work: &mut WorkBudget,
    ) -> Result<Polynomial, OddsError> {
        if self.is_zero() || length == 0 {
            return Ok(Polynomial::zero(self.width));
        }
        let width = self.width;
        let old = self.length();
        let new = old + length - 1;
        work.check_size(new as u64, width)?;
        work.spend((new * width * 2) as u64)?;
        let mut words = vec![0; new * width];
        let mut window = vec![0; width];
        for (k, slot) in words.chunks_exact_mut(width).enumerate() {
            if k < old {
                add_words(&mut window, &self.words[k * width..(k + 1) * width]);
            }
            if k >= length {
                subtract_words(
                    &mut window,
                    &self.words[(k - length) * width..(k - length + 1) * width],
                );
            }
            slot.copy_from_slice(&window);
        }
        Ok(Polynomial { low: self.low + low, width, words })
    }

    /// Returns the weights as a distribution; `None` if all are zero.
    pub(crate) fn into_distribution(self) -> Option<Distribution> {
        let mut scratch = Vec::new();
        Distribution::from_sorted(
            self.terms().map(|(e, c)| (e, to_integer(c, &mut scratch))).collect(),
        )
    }
}

/// Returns the words up to the highest word that is not zero.
pub(crate) fn trim_leading_zeros(words: &[u64]) -> &[u64] {
    let used = words.iter().rposition(|&w| w != 0).map_or(0, |i| i + 1);
    &words[..used]
}

/// Returns the number that consists of these words, lowest first; `scratch` is memory to reuse.
pub(crate) fn to_integer(words: &[u64], scratch: &mut Vec<u32>) -> BigUint {
    match words {
        [] => BigUint::ZERO,
        [one] => BigUint::from(*one),
        words => {
            scratch.clear();
            for &word in words {
                scratch.extend([word as u32, (word >> 32) as u32]);
            }
            BigUint::from_slice(scratch)
        }
    }
}

/// Returns the words of a number, the lowest first.
pub(crate) fn to_words(n: &BigUint) -> Vec<u64> {
    n.to_u64_digits()
}

/// Computes `a += b` for numbers of the same width.
pub(crate) fn add_words(a: &mut [u64], b: &[u64]) {
    let mut carry = false;
    for (word, &other) in a.iter_mut().zip(b) {
        let (sum, first) = word.overflowing_add(other);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *word = sum;
        carry = first | second;
    }
}

/// Computes `a -= b` for numbers of the same width.
fn subtract_words(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (word, &other) in a.iter_mut().zip(b) {
        let (rest, first) = word.overflowing_sub(other);
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        *word = rest;
        borrow = first | second;
    }
}

/// Computes `a += b * c`, where `b` and `c` may be shorter than `a`.
pub(crate) fn add_product_of_words(a: &mut [u64], b: &[u64], c: &[u64]) {
    for (i, &factor) in c.iter().enumerate() {
        let Some(rest) = a.get_mut(i..) else { return };
        let mut carry = 0u64;
        let (low, high) = rest.split_at_mut(b.len().min(rest.len()));
        for (slot, &digit) in low.iter_mut().zip(b) {
            // (2^64-1)^2 + 2 (2^64-1) is just below 2^128.
            let sum =
                u128::from(*slot) + u128::from(digit) * u128::from(factor) + u128::from(carry);
            *slot = sum as u64;
            carry = (sum >> 64) as u64;
        }
        for slot in high {
            if carry == 0 {
                break;
            }
            let (sum, over) = slot.overflowing_add(carry);
            *slot = sum;
            carry = u64::from(over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Polynomial, WorkBudget};

    /// Returns a polynomial with these coefficients starting at `x^low`.
    fn poly(low: i64, coefficients: &[u64]) -> Polynomial {
        Polynomial { low, width: 1, words: coefficients.to_vec() }
    }

    #[test]
    fn a_product_with_a_run_of_ones_is_that_of_the_schoolbook() {
        for coefficients in [&[7][..], &[1, 2, 3], &[5, 0, 0, 2, 9]] {
            for length in [1, 2, 3, 8] {
                let mut product = vec![0; coefficients.len() + length - 1];
                for (i, coefficient) in coefficients.iter().enumerate() {
                    product[i..i + length].iter_mut().for_each(|sum| *sum += coefficient);
                }
                let of = poly(-2, coefficients)
                    .multiply_by_run(5, length, &mut WorkBudget::new())
                    .unwrap();
                assert_eq!((of.low, of.words), (3, product), "{coefficients:?} {length}");
            }
        }
        // Two words for each coefficient, the lowest word first.
        let wide = Polynomial { low: 0, width: 2, words: vec![u64::MAX, 0, 3, 1] };
        let of = wide.multiply_by_run(0, 2, &mut WorkBudget::new()).unwrap();
        assert_eq!(of.words, [u64::MAX, 0, 2, 2, 3, 1]);
        let none = poly(1, &[4]).multiply_by_run(5, 0, &mut WorkBudget::new()).unwrap();
        assert!(none.is_zero());
    }
}
