//! Times and budgets as people write them.

use std::time::Duration;

use tesuji_arena::Budget;

/// A time with a unit that suits its length: `250ms`, `1.5s`, `2min 5s`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0 => "0s".to_owned(),
        s if s < 1e-3 => format!("{}µs", short(s * 1e6)),
        s if s < 0.9995 => format!("{}ms", short(s * 1e3)),
        s if s < 59.95 => format!("{}s", short(s)),
        s => {
            let whole = s.round() as u64;
            let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
            let parts = [(hours, "h"), (minutes, "min"), (seconds, "s")];
            let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}"));
            parts.collect::<Vec<_>>().join(" ")
        }
    }
}

/// A number of seconds, as [`time`] writes it.
pub(crate) fn seconds(seconds: f64) -> String {
    time(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// Three digits at most, without zeros at the end.
fn short(number: f64) -> String {
    let decimals = if number < 9.995 {
        2
    } else if number < 99.95 {
        1
    } else {
        0
    };
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A budget as an argument would write it: `playouts=2000`, `time=5s`.
pub(crate) fn budget(budget: &Budget) -> String {
    let playouts = budget.playouts.map(|count| format!("playouts={count}"));
    let nodes = budget.nodes.map(|count| format!("nodes={count}"));
    let limit = budget.time.map(|limit| format!("time={}", time(limit)));
    [playouts, nodes, limit].into_iter().flatten().collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_that_suit_them() {
        for (micros, expected) in [
            (0, "0s"),
            (250, "250µs"),
            (1_000, "1ms"),
            (250_000, "250ms"),
            (999_900, "1s"),
            (1_500_000, "1.5s"),
            (5_000_000, "5s"),
            (12_340_000, "12.3s"),
            (125_000_000, "2min 5s"),
            (3_600_000_000, "1h"),
        ] {
            assert_eq!(time(Duration::from_micros(micros)), expected);
        }
        let written: Budget = "playouts=2000,time=5s".parse().unwrap();
        assert_eq!(budget(&written), "playouts=2000,time=5s");
    }
}
