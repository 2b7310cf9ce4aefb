//! What `tesuji --version` says.

use std::sync::LazyLock;

use tesuji_arena::{VERSION, gdl};

static SHORT: LazyLock<String> = LazyLock::new(|| format!("{VERSION} ({})", env!("TESUJI_COMMIT")));

static LONG: LazyLock<String> = LazyLock::new(|| {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{}\nbuild: {build}, {} {}\nengines of rule sheets: {}\nvector instructions: {}",
        *SHORT,
        std::env::consts::ARCH,
        std::env::consts::OS,
        gdl::ENGINES.join(", "),
        gdl::vectors()
    )
});

/// Version and commit, for `-V`.
pub(crate) fn short() -> &'static str {
    &SHORT
}

/// Also what the engines can use on this machine, for `--version`.
pub(crate) fn long() -> &'static str {
    &LONG
}
