//! Programs beside the host that listen for connections, and those who connect to them. Hosts connect to each other, too.

use std::{
    collections::BTreeMap,
    fmt,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use server::{Stream, sync::lock};
use tokio::{sync::mpsc, time::Instant};

use crate::{
    freeze::Freeze,
    link::{Control, End, Quality, Stops, link, link_between},
    random::Random,
};

/// A connection that arrives at a program, and the address of its other end.
pub(crate) type Arrived = (Box<dyn Stream>, SocketAddr);

/// The programs that listen, and the connections to them.
#[derive(Default)]
pub(crate) struct Network {
    listeners: Mutex<BTreeMap<SocketAddr, mpsc::UnboundedSender<Arrived>>>,
    links: Mutex<Vec<Control>>,
    /// The cluster ports of hosts that run.
    hosts: Mutex<BTreeMap<usize, HostPort>>,
    /// For each pair of hosts whether bytes of the first one reach the second one.
    unreachable: Mutex<BTreeMap<(usize, usize), Arc<Freeze>>>,
}

/// The cluster port of a host.
struct HostPort {
    arrived: mpsc::UnboundedSender<ArrivedLink>,
    freeze: Arc<Freeze>,
}

/// A connection that arrives at a cluster port, and what breaks it.
pub(crate) type ArrivedLink = (End, Control);

/// The port that hosts have for each other.
const CLUSTER_PORT: u16 = 7701;

/// The address of a host for the others.
pub(crate) fn cluster_address(number: usize) -> SocketAddr {
    let last = u8::try_from(number + 1).unwrap_or(u8::MAX);
    (Ipv4Addr::new(10, 0, 0, last), CLUSTER_PORT).into()
}

/// The host with this address.
pub(crate) fn host_at(address: SocketAddr) -> Option<usize> {
    match address {
        SocketAddr::V4(v4) if v4.port() == CLUSTER_PORT => usize::from(v4.ip().octets()[3]).checked_sub(1),
        SocketAddr::V4(_) | SocketAddr::V6(_) => None,
    }
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

    /// Listens for other hosts, until the receiver is dropped.
    pub(crate) fn listen_for_hosts(&self, number: usize, freeze: Arc<Freeze>) -> mpsc::UnboundedReceiver<ArrivedLink> {
        let (arrived, arrivals) = mpsc::unbounded_channel();
        lock(&self.hosts).insert(number, HostPort { arrived, freeze });
        arrivals
    }

    /// Whether bytes of one host reach another.
    fn unreachable(&self, from: usize, to: usize) -> Arc<Freeze> {
        lock(&self.unreachable).entry((from, to)).or_default().clone()
    }

    /// No byte of one host reaches the other until this time.
    pub(crate) fn part(&self, from: usize, to: usize, until: Instant) {
        self.unreachable(from, to).freeze(until);
    }

    /// Connects a host to another. `None` if it does not listen.
    pub(crate) async fn dial_host(
        &self,
        [from, to]: [usize; 2],
        quality: Quality,
        random: Random,
        freeze: Arc<Freeze>,
    ) -> Option<(End, Control)> {
        let (there, back) = (self.unreachable(from, to), self.unreachable(to, from));
        // Both sides must reach each other to connect.
        while there.until().or(back.until()).is_some() {
            there.thawed().await;
            back.thawed().await;
        }
        let hosts = lock(&self.hosts);
        let port = hosts.get(&to)?;
        let here = Stops { freeze: Some(freeze), unreachable: Some(back) };
        let other = Stops { freeze: Some(port.freeze.clone()), unreachable: Some(there) };
        let (here, there, control) = link_between(quality, random, [here, other]);
        port.arrived.send((there, control.clone())).ok()?;
        Some((here, control))
    }

    /// The connections of clients that are open, in the order in which they came.
    pub(crate) fn links(&self) -> Vec<Control> {
        let mut links = lock(&self.links);
        links.retain(Control::is_open);
        links.clone()
    }
}
