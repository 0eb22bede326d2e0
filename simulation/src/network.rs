//! Programs beside the host that listen for connections, and those who connect to them.

use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use server::{Stream, sync::lock};
use tokio::sync::mpsc;

use crate::{
    freeze::Freeze,
    link::{Control, End, Quality, link},
    random::Random,
};

/// A connection that arrives at a program, and the address of its other end.
pub(crate) type Arrived = (Box<dyn Stream>, SocketAddr);

/// The programs that listen, and the connections to them.
#[derive(Default)]
pub(crate) struct Network {
    listeners: Mutex<BTreeMap<SocketAddr, mpsc::UnboundedSender<Arrived>>>,
    links: Mutex<Vec<Control>>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(lock(&self.listeners).keys()).finish()
    }
}

impl Network {
    /// Listens on an address, instead of an earlier program.
    pub(crate) fn listen(&self, address: SocketAddr) -> mpsc::UnboundedReceiver<Arrived> {
        let (arrived, arrivals) = mpsc::unbounded_channel();
        lock(&self.listeners).insert(address, arrived);
        arrivals
    }

    /// Connects a client to a program. `None` if none listens.
    pub(crate) fn connect(&self, address: SocketAddr, quality: Quality, random: Random) -> Option<End> {
        let (there, here, control) = link(quality, random, Arc::default());
        self.arrive(address, there)?;
        lock(&self.links).push(control);
        Some(here)
    }

    /// Connects a host to a program. The host may be frozen, and ends with its connections.
    pub(crate) fn dial(
        &self,
        address: SocketAddr,
        quality: Quality,
        random: Random,
        freeze: Arc<Freeze>,
    ) -> Option<(End, Control)> {
        let (here, there, control) = link(quality, random, freeze);
        self.arrive(address, there)?;
        control.watch();
        Some((here, control))
    }

    fn arrive(&self, address: SocketAddr, there: End) -> Option<()> {
        lock(&self.listeners).get(&address)?.send((Box::new(there), address)).ok()
    }

    /// The connections of clients that are open, in the order in which they came.
    pub(crate) fn links(&self) -> Vec<Control> {
        let mut links = lock(&self.links);
        links.retain(Control::is_open);
        links.clone()
    }
}
