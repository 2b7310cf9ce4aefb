//! The logistic function with the same result on every machine.
//!
//! It uses only operations that IEEE 754 defines exactly, like the arithmetic of searches.

/// 1 / (1 + e⁻ˣ), to about 1e-6.
#[inline(always)]
pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// eˣ for |x| ≤ 30; greater magnitudes count as 30.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-30.0, 30.0) * std::f32::consts::LOG2_E;
    // Adding and subtracting 1.5·2²³ rounds to the nearest integer.
    let doublings = (x + 12_582_912.0) - 12_582_912.0;
    let rest = (x - doublings) * std::f32::consts::LN_2;
    // |rest| < 0.35: seven terms of the power series.
    let series = 1.0
        + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    series * f32::from_bits(((doublings as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_agrees_with_the_platform() {
        for step in -400..=400 {
            let x = step as f32 / 20.0;
            let expected = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(logistic(x)) - expected).abs() < 1e-6, "{x}: {} {expected}", logistic(x));
        }
        assert!(logistic(1e30) <= 1.0 && logistic(-1e30) >= 0.0 && logistic(0.0) == 0.5);
    }
}
