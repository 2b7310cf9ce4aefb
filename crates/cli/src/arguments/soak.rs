//! Options of `soak`.

use std::path::PathBuf;

use clap::Args;

/// Options of `soak`.
#[derive(Args)]
pub(crate) struct SoakOptions {
    /// Minutes after which no new round begins; 10 if neither this nor `--rounds` is given.
    #[arg(long, value_name = "N", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Rounds to run, at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
    /// The seed of the first round; every later round has the next number. A fault names the seed of its round.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Play only this game; may be given several times. All examples of the catalogue by default.
    #[arg(long, value_name = "GAME")]
    pub game: Vec<String>,
    /// The folder for files; those of a round with a fault stay there. A new temporary folder by default.
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("expected minutes above 0 and up to 1000000".to_owned()),
    }
}
