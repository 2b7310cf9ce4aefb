//! Options of `store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Options of `store`.
#[derive(Args)]
pub(crate) struct StoreOptions {
    /// What to do.
    #[command(subcommand)]
    pub command: StoreCommand,
}

/// The commands of `store`.
#[derive(Subcommand)]
pub(crate) enum StoreCommand {
    /// Read every row of a store, compare the checksums, and list what is damaged or missing.
    ///
    /// The command fails if anything is damaged. It changes nothing.
    Verify(StoreVerifyOptions),
    /// Save what is whole into a new file, and play the damaged pairs again.
    ///
    /// The damaged file is kept beside the store, with `.damaged` behind its name.
    Repair(StoreRepairOptions),
}

/// Options of `store verify`.
#[derive(Args)]
pub(crate) struct StoreVerifyOptions {
    /// The stores.
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
}

/// Options of `store repair`.
#[derive(Args)]
pub(crate) struct StoreRepairOptions {
    /// The store.
    pub store: PathBuf,
    /// Number of threads; all cores if absent.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}
