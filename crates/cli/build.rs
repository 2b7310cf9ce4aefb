//! Records the commit that is built, for `tesuji --version`.
//!
//! Without Git or outside of a repository, such as in a source archive, the commit is `TESUJI_COMMIT` of the
//! environment or unknown. The script runs again only when a commit or a checkout changed the head.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TESUJI_COMMIT");
    let given = env::var("TESUJI_COMMIT").ok();
    let commit = given.or_else(commit).unwrap_or_else(|| "unknown commit".to_owned());
    println!("cargo::rustc-env=TESUJI_COMMIT={commit}");
}

/// The commit of this repository and its day. A source archive that lies inside another repository has none.
fn commit() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let here = Path::new(&root).join("crates/cli/build.rs");
    let own = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("build.rs");
    if here.canonicalize().ok()? != own.canonicalize().ok()? {
        return None;
    }
    // A file that is not there would run the script on every build.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).is_file()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["log", "-1", "--format=%h, %cs", "--abbrev=10"])
}

/// What a Git command prints, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
