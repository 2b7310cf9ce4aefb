//! The right to be the only writer of a file.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tesuji_core::{ErrorKind, InputError};

/// Held by the only writer of a file. The operating system releases it when its holder ends, however that happens.
pub struct WriterLock {
    file: File,
}

impl WriterLock {
    /// Takes the right to write to `path`, by a lock on the file of that name with `.lock` behind it. Symbolic links
    /// are followed first, so every name of a file has the same lock. Errors call the file `what`; `taken` is the error
    /// where somebody else writes to it, and gets the path added.
    pub fn take(path: &Path, what: &str, taken: impl FnOnce() -> InputError) -> Result<WriterLock, InputError> {
        let wrong = |error| {
            let error = InputError::new(format!("cannot open {what}: {error}"));
            error.of_kind(ErrorKind::Unreadable).in_file(path.display())
        };
        // The lock file may hold a note of its last owner, which another writer must not erase.
        let open = File::options().create(true).write(true).truncate(false).open(lock_file(path));
        let file = open.map_err(wrong)?;
        file.try_lock().map_err(|_| taken().in_file(path.display()))?;
        Ok(WriterLock { file })
    }

    /// Replaces the note in the lock file, which readers can read while the lock is held.
    pub(crate) fn note(&mut self, text: &str) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(text.len() as u64)
    }
}

/// The lock file of a file.
pub(crate) fn lock_file(path: &Path) -> PathBuf {
    let mut name = resolved(path).into_os_string();
    name.push(".lock");
    name.into()
}

/// The path of the file itself, behind all symbolic links. The file need not exist.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    /// More links than any system follows.
    const MOST_LINKS: usize = 64;
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    // A link to a file that is not there yet.
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}
