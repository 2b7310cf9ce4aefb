//! A lab of a test's own, in a folder that goes with it.

use std::path::Path;

use tesuji_web::{LabOptions, QueueWatch, RunningLab, start};

/// A running lab.
pub(crate) struct Lab {
    /// Where its page is.
    pub address: String,
    folder: tempfile::TempDir,
    _running: RunningLab,
}

impl Lab {
    /// Starts a lab on a free port.
    pub(crate) fn start() -> Lab {
        Lab::with_threads(2)
    }

    /// Starts a lab on a free port, with that many threads for searches.
    pub(crate) fn with_threads(threads: usize) -> Lab {
        Lab::with(threads, None)
    }

    /// Starts a lab that shows a queue.
    #[cfg(unix)]
    pub(crate) fn watching(queue: QueueWatch) -> Lab {
        Lab::with(2, Some(queue))
    }

    fn with(threads: usize, queue: Option<QueueWatch>) -> Lab {
        let folder = tempfile::tempdir().expect("a folder for the lab");
        let options = LabOptions {
            port: Some(0),
            threads: Some(threads),
            queue,
            ..LabOptions::new(tesuji_standard::catalogue(), folder.path().join("lab"))
        };
        let running = start(options).unwrap_or_else(|error| panic!("{error}"));
        Lab { address: running.url(), folder, _running: running }
    }

    /// A folder for the test's files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}
