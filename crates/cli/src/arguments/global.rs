//! Options of all commands, and values that several of them take.

use std::time::Duration;

use clap::{Args, ColorChoice};
use tesuji_arena::Budget;

/// Options of all commands.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// Print JSON for scripts instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads of commands that play, measure or check many things; all cores if absent.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print results only: no progress, no hints.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more: what runs where and how far it is, on standard error; in lists, every detail.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// When to use colours and bold type. `auto`: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "auto|always|never", value_enum,
        default_value_t = ColorChoice::Auto, hide_possible_values = true)]
    pub color: ColorChoice,
}

/// The form of a command's table.
#[derive(Args, Clone, Copy)]
pub(crate) struct TableOptions {
    /// Print the table as CSV: plain numbers, shares from 0 to 1.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// A time as people write it.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let budget: Option<Budget> = format!("time={text}").parse().ok();
    budget.and_then(|budget| budget.time).ok_or_else(|| "expected a time such as 250ms, 1.5s or 2min".to_owned())
}

/// The longest measurement.
const LONGEST: Duration = Duration::from_secs(3600);

/// The time of a measurement.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match duration(text) {
        Ok(time) if time <= LONGEST => Ok(time),
        _ => Err("expected a time above 0 and up to 60min, such as 250ms, 1.5s or 2min".to_owned()),
    }
}
