//! The log of a host, for tests that have no runtime of their own.

use std::{path::Path, sync::Arc};

use server::log::{LogReader, StoreError, open_reader};
use tokio::runtime::Builder;

/// Opens a log for reading, also while a host writes it.
pub(crate) fn open(log: &Path) -> Result<Arc<dyn LogReader>, StoreError> {
    wait(open_reader(log))
}

/// Waits for an answer of the log.
pub(crate) fn wait<T>(answer: impl Future<Output = T>) -> T {
    Builder::new_current_thread().build().expect("a runtime").block_on(answer)
}
