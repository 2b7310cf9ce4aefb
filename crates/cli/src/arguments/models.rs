//! Options of the commands for language models.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use tesuji_arena::Price;

/// Options of `mcp`.
#[derive(Args)]
pub(crate) struct McpOptions {
    /// Serve HTTP on this loopback address, such as `127.0.0.1:8765`, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// Never list legal actions: clients must know them from the rules.
    #[arg(long)]
    pub withhold_legal: bool,
    /// Do not analyse positions with agents.
    #[arg(long)]
    pub no_analysis: bool,
    /// Let clients name files of this machine: rule sheets, maps, networks.
    #[arg(long)]
    pub files: bool,
    /// The longest that an agent may think about a decision, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub seconds: f64,
}

/// Options of `models`.
#[derive(Args)]
pub(crate) struct ModelsOptions {
    /// The stores.
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
    /// Write a web page for each model into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub html: Option<PathBuf>,
    /// Write a Markdown page for each model into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub markdown: Option<PathBuf>,
    /// The price of a million tokens of requests and of answers, such as `my-model=0.15/0.60`; can be repeated.
    #[arg(long, value_name = "MODEL=IN/OUT")]
    pub price: Vec<Price>,
    /// Replay every match from its transcripts, and compare.
    #[arg(long)]
    pub check: bool,
}
