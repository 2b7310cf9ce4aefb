//! Logarithm and exponential with the same result on every machine.
//!
//! The standard library uses the platform's functions, and platforms differ in the last bit, which can change a search.
//! This module uses only the operations that IEEE 754 defines exactly: + − × ÷.

const LN_2: f64 = std::f64::consts::LN_2;

/// ln `x` for a normal number `x` above 0, to within a few units in the last place.
pub(crate) const fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …) with |s| < 0.172: eleven terms reach the last bit.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    let mut divisor = 21;
    while divisor > 0 {
        sum = sum * square + 1.0 / divisor as f64;
        divisor -= 2;
    }
    2.0 * s * sum + exponent as f64 * LN_2
}

/// Logarithms of smaller visit counts are tabulated; most nodes of a tree have fewer.
const TABLE: usize = 2048;

static LN: [f64; TABLE] = {
    let mut table = [0.0; TABLE];
    let mut count = 1;
    while count < TABLE {
        table[count] = ln(count as f64);
        count += 1;
    }
    table
};

/// ln `count`, and 0 for 0.
#[inline]
pub(crate) fn ln_count(count: u32) -> f64 {
    match LN.get(count as usize) {
        Some(&known) => known,
        None => ln(f64::from(count)),
    }
}

/// eˣ for |x| ≤ 700; greater magnitudes count as 700.
pub(crate) fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let doublings = (x / LN_2).round();
    let rest = x - doublings * LN_2;
    // |rest| < 0.35: fifteen terms of the power series reach the last bit.
    let series = (1..=15).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((doublings as i64 + 1023) as u64) << 52)
}

/// `x` to the power of `exponent`, for a normal `x` above 0.
pub(crate) fn power(x: f64, exponent: f64) -> f64 {
    exp(exponent * ln(x))
}

/// The logistic function: 0 far below 0, 1/2 at 0, 1 far above.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_platform_up_to_the_last_bits() {
        for x in [1.0, 1.41, 1.42, 2.0, 3.0, 10.0, 2047.0, 2048.0, 123_456_789.0, 4e9, 0.001] {
            assert!((ln(x) - f64::ln(x)).abs() <= 4e-16 * (1.0 + f64::ln(x).abs()), "ln {x}");
        }
        for x in [0.0, 0.1, -0.1, 1.0, -1.0, 20.5, -300.25, 699.0, -699.0] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-12, "exp {x}");
        }
        assert_eq!((ln_count(0), ln_count(1), logistic(0.0)), (0.0, 0.0, 0.5));
        assert_eq!(ln_count(5000), ln(5000.0));
        assert!(logistic(1e300) > 0.999 && logistic(-1e300) < 0.001);
    }
}
