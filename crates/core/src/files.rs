//! The files that addresses name: maps, rule sheets, tables, networks.
//!
//! Everything that opens such a file reads it here. Usually it lies on this machine. An experiment that was sent from
//! another machine brings its files along: within [`with_only`], those are read and no others. [`recorded`] finds the
//! files that some work needs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Files by the path under which addresses name them.
pub type FileSet = BTreeMap<String, Vec<u8>>;

/// Where the files of a thread come from.
#[derive(Clone)]
enum Scope {
    /// From this machine.
    Machine,
    /// From this machine; what was read is remembered.
    Recorded(Arc<Mutex<FileSet>>),
    /// From this set.
    Only(Arc<FileSet>),
}

thread_local! {
    static SCOPE: RefCell<Scope> = const { RefCell::new(Scope::Machine) };
}

/// The bytes of a file.
pub fn read(path: &str) -> io::Result<Vec<u8>> {
    match SCOPE.with_borrow(Clone::clone) {
        Scope::Machine => std::fs::read(path),
        Scope::Recorded(files) => {
            let bytes = std::fs::read(path)?;
            files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes.clone());
            Ok(bytes)
        }
        Scope::Only(files) => files.get(path).cloned().ok_or_else(absent),
    }
}

/// The text of a file.
pub fn read_to_string(path: &str) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The length of a file; `None` for what is not a file.
pub fn length(path: &str) -> io::Result<Option<u64>> {
    if let Scope::Only(files) = SCOPE.with_borrow(Clone::clone) {
        return files.get(path).map(|bytes| Some(bytes.len() as u64)).ok_or_else(absent);
    }
    let about = std::fs::metadata(path)?;
    Ok(about.is_file().then_some(about.len()))
}

fn absent() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "it did not come with the experiment")
}

/// Runs `work` so that it reads `files` and no file of this machine.
///
/// ```
/// use std::sync::Arc;
/// use tesuji_core::files;
///
/// let set = Arc::new(files::FileSet::from([("maps/a.txt".to_owned(), b"..x".to_vec())]));
/// files::with_only(set, || {
///     assert_eq!(files::read_to_string("maps/a.txt").unwrap(), "..x");
///     assert!(files::read("/etc/hostname").is_err());
/// });
/// ```
pub fn with_only<T>(files: Arc<FileSet>, work: impl FnOnce() -> T) -> T {
    within(Scope::Only(files), work)
}

/// Runs `work` and returns the files that it read.
pub fn recorded<T>(work: impl FnOnce() -> T) -> (T, FileSet) {
    let files = Arc::new(Mutex::new(FileSet::new()));
    let result = within(Scope::Recorded(Arc::clone(&files)), work);
    let read = std::mem::take(&mut *files.lock().unwrap_or_else(PoisonError::into_inner));
    (result, read)
}

fn within<T>(scope: Scope, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(SCOPE.replace(scope));
    work()
}

/// Restores the previous scope, also when the work panics.
struct Restore(Scope);

impl Drop for Restore {
    fn drop(&mut self) {
        SCOPE.set(std::mem::replace(&mut self.0, Scope::Machine));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_remembered_and_can_be_read_elsewhere() {
        let path = std::env::temp_dir().join(format!("tesuji-files-{}", std::process::id())).display().to_string();
        std::fs::write(&path, "map").unwrap();
        let (text, set) = recorded(|| read_to_string(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert_eq!((text.as_str(), set.len()), ("map", 1));
        assert!(read(&path).is_err());
        with_only(Arc::new(set), || {
            assert_eq!(length(&path).unwrap(), Some(3));
            assert_eq!(read(&path).unwrap(), b"map");
            assert_eq!(read("Cargo.toml").unwrap_err().kind(), io::ErrorKind::NotFound);
        });
        assert!(read("Cargo.toml").is_ok());
    }
}
