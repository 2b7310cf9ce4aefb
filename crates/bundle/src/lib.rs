//! Folders of files inside the program, compressed.
//!
//! A build script packs a folder with [`pack`]. The crate includes the result and reads single files from it:
//!
//! ```ignore
//! static PAGES: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/pages")));
//! let page = PAGES.text("index.md");
//! ```
//!
//! Each file is compressed for itself, so reading one does not unpack the others. A bundle is a sequence of files, in
//! the order of their paths: the lengths of path and compressed contents (32 bits each, little-endian), then both.

use std::path::{Path, PathBuf};
use std::{env, fs};

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;

/// How well files are compressed, from 1 to 10: the customary middle.
const LEVEL: u8 = 6;

/// Packs all files below `folder` for the crate whose build script calls this, as `name` in the folder `OUT_DIR`.
///
/// # Panics
/// If a file cannot be read or written, which ends the build.
pub fn pack(folder: &str, name: &str) {
    println!("cargo::rerun-if-changed={folder}");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).expect("only a build script packs files");
    let packed = packed(Path::new(folder)).unwrap_or_else(|error| panic!("cannot pack `{folder}`: {error}"));
    fs::write(out.join(name), packed).unwrap_or_else(|error| panic!("cannot write `{name}`: {error}"));
}

fn packed(folder: &Path) -> std::io::Result<Vec<u8>> {
    let mut paths = Vec::new();
    collect(folder, "", &mut paths)?;
    paths.sort();
    let mut bundle = Vec::new();
    for path in paths {
        let contents = compress_to_vec(&fs::read(folder.join(&path))?, LEVEL);
        for length in [path.len(), contents.len()] {
            bundle.extend((length as u32).to_le_bytes());
        }
        bundle.extend(path.as_bytes());
        bundle.extend(contents);
    }
    Ok(bundle)
}

/// Adds the paths of all files below a folder; `prefix` is the path of this folder.
fn collect(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type()?.is_dir() {
            true => collect(&entry.path(), &format!("{prefix}{name}/"), paths)?,
            false => paths.push(format!("{prefix}{name}")),
        }
    }
    Ok(())
}

/// A packed folder.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    packed: &'static [u8],
}

impl Bundle {
    /// What [`pack`] has written.
    pub const fn new(packed: &'static [u8]) -> Bundle {
        Bundle { packed }
    }

    /// The contents of a file; `None` if there is no such file. Its path is relative to the folder, with slashes.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        let (_, contents) = self.files().find(|(known, _)| *known == path)?;
        decompress_to_vec(contents).ok()
    }

    /// The contents of a text file; `None` if there is no such file, or if it is not a text.
    pub fn text(&self, path: &str) -> Option<String> {
        String::from_utf8(self.get(path)?).ok()
    }

    /// The paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.files().map(|(path, _)| path)
    }

    /// The files, compressed.
    fn files(&self) -> impl Iterator<Item = (&'static str, &'static [u8])> + use<> {
        let mut rest = self.packed;
        std::iter::from_fn(move || {
            let path = length(&mut rest)?;
            let contents = length(&mut rest)?;
            let path = std::str::from_utf8(rest.split_off(..path)?).ok()?;
            Some((path, rest.split_off(..contents)?))
        })
    }
}

/// Takes a length from the front.
fn length(rest: &mut &'static [u8]) -> Option<usize> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_reads_back() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let bundle = Bundle::new(packed(folder).unwrap().leak());
        assert_eq!(bundle.paths().collect::<Vec<_>>(), ["Cargo.toml", "src/lib.rs"]);
        for path in bundle.paths() {
            assert_eq!(bundle.get(path), fs::read(folder.join(path)).ok(), "{path}");
        }
        assert_eq!(bundle.text("src/lib.rs").as_deref(), Some(include_str!("lib.rs")));
        assert_eq!((bundle.get("src"), bundle.get("lib.rs")), (None, None));
    }
}
