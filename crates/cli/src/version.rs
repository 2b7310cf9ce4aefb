//! What `tesuji --version` says.

use std::sync::LazyLock;

use tesuji_arena::{VERSION, gdl};

static SHORT: LazyLock<String> = LazyLock::new(|| format!("{VERSION} ({})", env!("TESUJI_COMMIT")));

static LONG: LazyLock<String> = LazyLock::new(|| {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{}\nbuild: {build}, {} {}\nfeatures: {}\nengines of rule sheets: {}\nvector instructions: {}",
        *SHORT,
        std::env::consts::ARCH,
        std::env::consts::OS,
        features(),
        gdl::ENGINES.join(", "),
        gdl::vectors()
    )
});

/// The optional parts of this build.
fn features() -> String {
    let optional = [("mcp", cfg!(feature = "mcp")), ("queue", cfg!(feature = "queue"))];
    let built: Vec<&str> = optional.iter().filter(|(_, built)| *built).map(|(name, _)| *name).collect();
    if built.is_empty() { "none".to_owned() } else { built.join(", ") }
}

/// Version and commit, for `-V`.
pub(crate) fn short() -> &'static str {
    &SHORT
}

/// Also what the engines can use on this machine, for `--version`.
pub(crate) fn long() -> &'static str {
    &LONG
}
