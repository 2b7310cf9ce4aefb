//! Numbers as text, rounded to their precision.

use crate::statistics::{EloDifference, SprtDecision, SprtReport};

/// A count with separated thousands: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in singular or plural.
pub(super) fn things(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A number with this many decimals; `None` unless it is finite. A number that rounds to 0 has no sign.
pub(super) fn decimals(number: f64, places: usize) -> Option<String> {
    let text = number.is_finite().then(|| format!("{number:.places$}"))?;
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    Some(if zero { text.replace('-', "") } else { text.replace('-', "−") })
}

/// A number with its sign, including `+`.
pub(super) fn signed(number: f64, places: usize) -> Option<String> {
    let text = decimals(number, places)?;
    let positive = text.contains(|c: char| matches!(c, '1'..='9')) && number > 0.0;
    Some(if positive { format!("+{text}") } else { text })
}

/// A rate from 0 to 1 in percent: `55.0 %`.
pub(super) fn percent(rate: f64) -> Option<String> {
    Some(format!("{} %", decimals(rate * 100.0, 1)?))
}

/// A probability in percent, never rounded to certainty: `>99.9 %`.
pub(super) fn probability(chance: f64) -> Option<String> {
    match chance * 100.0 {
        share if share > 99.9 => Some(">99.9 %".into()),
        share if share < 0.1 => Some("<0.1 %".into()),
        _ => percent(chance),
    }
}

/// An interval of rates: `51.2–58.8 %`.
pub(super) fn rates((low, high): (f64, f64)) -> Option<String> {
    Some(format!("{}–{} %", decimals(low * 100.0, 1)?, decimals(high * 100.0, 1)?))
}

/// A difference of rates, in points: `+3.5`.
pub(super) fn points(difference: f64) -> Option<String> {
    signed(difference * 100.0, 1)
}

/// An interval of signed numbers: `−3.1 to +4.2`.
pub(super) fn span((low, high): (f64, f64), places: usize) -> Option<String> {
    Some(format!("{} to {}", signed(low, places)?, signed(high, places)?))
}

/// The interval of an Elo difference is shown as `±` if its sides differ by at most this share.
const EVEN: f64 = 0.1;

/// An Elo difference: `+35 ± 20`, `+564 (+303 to +781)` if the interval is not even, or the bound if there is only one.
pub(super) fn elo(difference: EloDifference) -> Option<String> {
    let EloDifference { elo, low, high } = difference;
    match (elo, low, high) {
        (Some(elo), Some(low), Some(high)) => {
            let (below, above) = (elo - low, high - elo);
            if (above - below).abs() > EVEN * below.max(above) {
                return Some(format!("{} ({})", signed(elo, 0)?, span((low, high), 0)?));
            }
            Some(format!("{} ± {}", signed(elo, 0)?, decimals(difference.error()?, 0)?))
        }
        (Some(elo), Some(low), None) => Some(format!("{}, above {}", signed(elo, 0)?, signed(low, 0)?)),
        (Some(elo), None, Some(high)) => Some(format!("{}, below {}", signed(elo, 0)?, signed(high, 0)?)),
        (Some(elo), None, None) => signed(elo, 0),
        (None, Some(low), None) => Some(format!("above {}", signed(low, 0)?)),
        (None, None, Some(high)) => Some(format!("below {}", signed(high, 0)?)),
        (None, Some(low), Some(high)) => span((low, high), 0),
        (None, None, None) => None,
    }
}

/// The state of a sequential test: `H1 accepted (LLR +2.97)`.
pub(super) fn sprt(report: &SprtReport) -> Option<String> {
    let SprtReport { llr, lower, upper, decision } = report;
    let llr = signed(*llr, 2)?;
    Some(match decision {
        SprtDecision::AcceptH0 => format!("H0 accepted (LLR {llr})"),
        SprtDecision::AcceptH1 => format!("H1 accepted (LLR {llr})"),
        SprtDecision::Continue => format!("open (LLR {llr}, bounds {})", span((*lower, *upper), 2)?),
    })
}

/// A mean of any magnitude, with about three digits.
pub(super) fn mean(number: f64) -> Option<String> {
    if (10_000.0..1e15).contains(&number) {
        return Some(count(number.round() as u64));
    }
    match number.abs() {
        size if size >= 100.0 => decimals(number, 0),
        size if size >= 10.0 => decimals(number, 1),
        size if size >= 0.1 => decimals(number, 2),
        0.0 => Some("0".into()),
        _ => decimals(number, 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_and_signed() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([-0.04, 0.04, 3.25, -3.26].map(|x| signed(x, 1).unwrap()), ["0.0", "0.0", "+3.2", "−3.3"]);
        assert_eq!(signed(f64::NAN, 1), None);
        assert_eq!(decimals(f64::INFINITY, 1), None);
        assert_eq!(percent(0.55), Some("55.0 %".into()));
        assert_eq!(
            [1.0, 0.99951, 0.5, 0.0].map(|x| probability(x).unwrap()),
            [">99.9 %", ">99.9 %", "50.0 %", "<0.1 %"]
        );
        assert_eq!(
            [12.345, 1234.5, 12345.6, 0.5, 0.0].map(|x| mean(x).unwrap()),
            ["12.3", "1234", "12,346", "0.50", "0"]
        );
    }

    #[test]
    fn elo_differences_show_what_is_bounded() {
        let text = |elo, low, high| super::elo(EloDifference { elo, low, high });
        assert_eq!(text(Some(35.4), Some(10.0), Some(61.0)).unwrap(), "+35 ± 26");
        assert_eq!(text(Some(564.0), Some(303.0), Some(781.0)).unwrap(), "+564 (+303 to +781)");
        assert_eq!(text(None, Some(120.0), None).unwrap(), "above +120");
        assert_eq!(text(None, None, Some(-120.0)).unwrap(), "below −120");
        assert_eq!(text(Some(300.0), Some(120.0), None).unwrap(), "+300, above +120");
        assert_eq!(text(None, None, None), None);
    }
}
