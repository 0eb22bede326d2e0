//! The log of a host, for tests that do not await, with or without a runtime.

use std::{path::Path, sync::Arc, thread};

use server::log::{LogReader, StoreError, open_reader};
use tokio::runtime::Builder;

/// Opens a log for reading, also while a host writes it.
pub(crate) fn open(log: &Path) -> Result<Arc<dyn LogReader>, StoreError> {
    wait(open_reader(log))
}

/// Waits for an answer of the log. It uses another thread, because a runtime cannot be started within another.
pub(crate) fn wait<T: Send>(answer: impl Future<Output = T> + Send) -> T {
    let answered = || Builder::new_current_thread().build().expect("a runtime").block_on(answer);
    thread::scope(|scope| scope.spawn(answered).join().expect("the log answers"))
}
