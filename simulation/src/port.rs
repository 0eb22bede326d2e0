//! The ports and programs of games with a protocol of their own, as a host process has them.

use std::{pin::Pin, sync::Arc};

use server::Host;
use tokio::sync::watch;

use crate::link::End;

/// Work that a port does.
pub(crate) type Work<T = ()> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A port of a host process, with the program behind it. A crash drops it.
pub(crate) trait Port: Send + Sync {
    /// Serves one client until its connection ends.
    fn serve(&self, stream: End, stop: watch::Receiver<bool>) -> Work;

    /// Ends the program behind the port in good order. The host stops only then.
    fn stop(&self) -> Work;
}

/// Opens the port of one game. `None` if it cannot be opened.
pub(crate) type OpenPort = fn(Opened) -> Work<Option<Arc<dyn Port>>>;

/// The ports of a host, by the names of their rulebooks.
pub(crate) type Ports = Vec<(&'static str, Arc<dyn Port>)>;

/// Opens the ports of a host that has just started.
pub(crate) type OpenPorts = fn(Opened) -> Work<Ports>;

/// A host that has just started.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) host: Arc<Host>,
    pub(crate) seed: u64,
}
