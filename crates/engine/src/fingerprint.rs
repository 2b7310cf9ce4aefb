//! The files that a command names, and a hash of their contents: an edited program is another program.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::command::find;

/// The files that a command names and that a program is made of: the program itself, and every argument, also behind a
/// `=`, that is a script, a setting or a network. Other files, such as a log that the program writes, are not among
/// them.
///
/// Files that those files use, such as modules, are not known.
pub struct Files(Vec<PathBuf>);

impl Files {
    /// The files that exist.
    pub fn of(words: &[String]) -> Files {
        let mut files: Vec<PathBuf> = words.first().and_then(|name| find(name)).into_iter().collect();
        for word in words.iter().skip(1) {
            let value = word.split_once('=').map_or("", |(_, value)| value);
            let named = [word.as_str(), value].into_iter().map(Path::new).find(|path| path.is_file() && is_part(path));
            files.extend(named.map(Path::to_owned));
        }
        Files(files)
    }

    /// A line for each file: the hash of its contents.
    pub fn hashes(&self) -> io::Result<String> {
        self.0.iter().map(|path| Ok(hash(path)? + "\n")).collect()
    }
}

/// How the names of scripts, settings and networks end.
const PARTS: &[&str] = &[
    "bat",
    "bin",
    "class",
    "conf",
    "cfg",
    "cmd",
    "dll",
    "exe",
    "hs",
    "ini",
    "jar",
    "jl",
    "js",
    "json",
    "kt",
    "lisp",
    "lua",
    "mjs",
    "nnue",
    "onnx",
    "php",
    "pl",
    "ps1",
    "pt",
    "py",
    "pyc",
    "pyz",
    "r",
    "rb",
    "rkt",
    "safetensors",
    "scala",
    "scm",
    "sh",
    "so",
    "toml",
    "ts",
    "wasm",
    "weights",
    "yaml",
    "yml",
];

/// Is this file part of a program: can it be executed, does it begin like a script, or does its name end like one?
fn is_part(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| PARTS.contains(&ending.as_str())) || is_executable(path) || begins_like_a_script(path)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

fn begins_like_a_script(path: &Path) -> bool {
    let mut first = [0; 2];
    fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut first)).is_ok() && first == *b"#!"
}

/// What tells without reading a file that it is the same as before.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

/// The hashes of files that were read already: they are asked for again and again during a run.
static KNOWN: Mutex<BTreeMap<PathBuf, (Stamp, String)>> = Mutex::new(BTreeMap::new());

/// The age from which the time of a file tells its contents.
const SETTLED: Duration = Duration::from_secs(2);

fn hash(path: &Path) -> io::Result<String> {
    let about = fs::metadata(path)?;
    let stamp = Stamp { length: about.len(), modified: about.modified().ok() };
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((before, hash)) = known().get(path)
        && *before == stamp
    {
        return Ok(hash.clone());
    }
    let mut hasher = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => break,
            count => hasher.update(&buffer[..count]),
        }
    }
    let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    // A file that was just written may be written again without another time: clocks of file systems are coarse.
    let settled = |time: SystemTime| time.elapsed().is_ok_and(|age| age > SETTLED);
    if stamp.modified.is_some_and(settled) {
        known().insert(path.to_owned(), (stamp, hash.clone()));
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_script_has_another_hash() {
        let folder = std::env::temp_dir().join(format!("tesuji-fingerprint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let script = folder.join("bot.py");
        let words = |argument: String| ["sh".to_owned(), "-u".to_owned(), argument];
        let hashes = |argument: String| Files::of(&words(argument)).hashes().unwrap();
        let named = || [script.display().to_string(), format!("--script={}", script.display())];
        let mut seen = Vec::new();
        for text in ["play(1)", "play(2)", "play(1) # again"] {
            fs::write(&script, text).unwrap();
            let [plain, option] = named().map(hashes);
            assert_eq!(plain, option);
            assert_eq!(plain.lines().count(), 2, "the program and the script");
            assert!(!seen.contains(&plain), "{text}");
            seen.push(plain);
        }
        let log = folder.join("log.txt");
        fs::write(&log, "written by the program").unwrap();
        assert_eq!(hashes(log.display().to_string()).lines().count(), 1, "a log is no part of the program");
        fs::remove_dir_all(folder).unwrap();
    }
}
