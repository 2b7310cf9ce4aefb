//! The networks that come with the games, compressed inside the program.

use std::sync::OnceLock;

use tesuji_bundle::Bundle;

static NETWORKS: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/networks")));

/// The text of a network, unpacked when it is first needed.
pub(crate) struct NetworkText {
    file: &'static str,
    text: OnceLock<String>,
}

impl NetworkText {
    /// The text of this file of `data/networks`.
    pub(crate) const fn of(file: &'static str) -> NetworkText {
        NetworkText { file, text: OnceLock::new() }
    }

    /// The text.
    pub(crate) fn get(&self) -> &str {
        let unpack = || NETWORKS.text(self.file).unwrap_or_else(|| panic!("no network `{}` was packed", self.file));
        self.text.get_or_init(unpack)
    }
}
