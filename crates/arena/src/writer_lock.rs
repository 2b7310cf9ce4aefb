//! The right to be the only writer of a file.

use std::fs::File;
use std::path::Path;

use tesuji_core::InputError;

/// Held by the only writer of a file. The operating system releases it when its holder ends, however that happens.
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the right to write to `path`, by a lock on the file of that name with `.lock` behind it. Errors call the file
    /// `what`; `taken` is the error where somebody else writes to it, and gets the path added.
    pub fn take(path: &Path, what: &str, taken: impl FnOnce() -> InputError) -> Result<WriterLock, InputError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        let file = File::create(&name)
            .map_err(|error| InputError::new(format!("cannot open {what}: {error}")).in_file(path.display()))?;
        file.try_lock().map_err(|_| taken().in_file(path.display()))?;
        Ok(WriterLock { _file: file })
    }
}
