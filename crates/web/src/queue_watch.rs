//! How the lab reads a queue of experiments on many machines, without knowing what kind of queue it is.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tesuji_arena::InputError;

/// Reads the state of a queue, as `tesuji queue status --json` prints it.
#[derive(Clone)]
pub struct QueueWatch(Arc<dyn Fn() -> Result<Value, InputError> + Send + Sync>);

impl QueueWatch {
    /// A queue whose state `read` returns. The function may take seconds: it is called on a thread that may block.
    pub fn new(read: impl Fn() -> Result<Value, InputError> + Send + Sync + 'static) -> QueueWatch {
        QueueWatch(Arc::new(read))
    }

    pub(crate) fn read(&self) -> Result<Value, InputError> {
        (self.0)()
    }
}

impl fmt::Debug for QueueWatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("QueueWatch").finish_non_exhaustive()
    }
}
