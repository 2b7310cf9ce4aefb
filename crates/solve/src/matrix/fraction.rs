//! Fractions whose numerator and denominator fit 128 bits.
//!
//! Every operation that could overflow is checked and returns `None`; callers then fall back to floating point and say
//! so.

use std::cmp::Ordering;
use std::fmt;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, One, Zero};

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction(Ratio<i128>);

/// The greatest denominator that [`Fraction::near`] tries: enough for dice, cards and payoffs with six decimals.
const GREATEST_DENOMINATOR: i128 = 1_000_000;

impl Fraction {
    /// The fraction 0.
    pub const ZERO: Fraction = Fraction(Ratio::new_raw(0, 1));
    /// The fraction 1.
    pub const ONE: Fraction = Fraction(Ratio::new_raw(1, 1));

    /// `numerator` / `denominator`; `None` if the denominator is 0 or negation overflows.
    pub fn new(numerator: i128, denominator: i128) -> Option<Fraction> {
        let room = numerator != i128::MIN && denominator != i128::MIN;
        (denominator != 0 && room).then(|| Fraction(Ratio::new(numerator, denominator)))
    }

    /// The number that `value` stands for: the simplest fraction with a denominator up to a million that rounds to it
    /// (so 0.1 is 1/10); otherwise its exact binary value, if it fits. `None` if it is too large or too fine.
    pub fn near(value: f64) -> Option<Fraction> {
        if !value.is_finite() || value.abs() >= 1e15 {
            return None;
        }
        // Continued fractions: the best approximations with growing denominators.
        let (mut before, mut now) = ((0i128, 1i128), (1i128, 0i128));
        let mut rest = value;
        for _ in 0..40 {
            let whole = rest.floor();
            if whole.abs() > 1e15 {
                break;
            }
            let term = whole as i128;
            let next = (term * now.0 + before.0, term * now.1 + before.1);
            if next.1 > GREATEST_DENOMINATOR {
                break;
            }
            (before, now) = (now, next);
            if now.0 as f64 / now.1 as f64 == value {
                return Fraction::new(now.0, now.1);
            }
            rest = 1.0 / (rest - whole);
        }
        let scaled = value * (1u64 << 60) as f64;
        (scaled == scaled.floor()).then(|| Fraction::new(scaled as i128, 1 << 60)).flatten()
    }

    /// The numerator.
    pub fn numerator(&self) -> i128 {
        *self.0.numer()
    }

    /// The denominator.
    pub fn denominator(&self) -> i128 {
        *self.0.denom()
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.numerator() as f64 / self.denominator() as f64
    }

    /// Whether it is below 0.
    pub(crate) fn is_negative(&self) -> bool {
        self.numerator() < 0
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The sum; `None` on overflow.
    #[must_use]
    pub fn plus(&self, other: &Fraction) -> Option<Fraction> {
        self.0.checked_add(&other.0).map(Fraction)
    }

    /// The difference; `None` on overflow.
    #[must_use]
    pub fn minus(&self, other: &Fraction) -> Option<Fraction> {
        self.0.checked_sub(&other.0).map(Fraction)
    }

    /// The product; `None` on overflow.
    #[must_use]
    pub fn times(&self, other: &Fraction) -> Option<Fraction> {
        match () {
            () if self.is_zero() || other.is_zero() => Some(Fraction::ZERO),
            () if self.0.is_one() => Some(*other),
            () if other.0.is_one() => Some(*self),
            () => self.0.checked_mul(&other.0).map(Fraction),
        }
    }

    /// The quotient; `None` on overflow or if `other` is 0.
    #[must_use]
    pub fn over(&self, other: &Fraction) -> Option<Fraction> {
        self.0.checked_div(&other.0).map(Fraction)
    }

    /// The dot product of two lists; `None` on overflow.
    pub fn dot<'a>(pairs: impl Iterator<Item = (&'a Fraction, &'a Fraction)>) -> Option<Fraction> {
        let mut sum = Fraction::ZERO;
        for (one, two) in pairs {
            if !one.is_zero() && !two.is_zero() {
                sum = sum.plus(&one.times(two)?)?;
            }
        }
        Some(sum)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        // Never overflows: it compares whole parts and remainders.
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3/4`, or `2` for a whole number.
/// Reads what `Display` writes: `3/4`, `-1`.
impl std::str::FromStr for Fraction {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Fraction, &'static str> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let parts = numerator.parse().ok().zip(denominator.parse().ok());
        parts.and_then(|(numerator, denominator)| Fraction::new(numerator, denominator)).ok_or("expected a fraction")
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator() == 1 {
            write!(f, "{}", self.numerator())
        } else {
            write!(f, "{}/{}", self.numerator(), self.denominator())
        }
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
