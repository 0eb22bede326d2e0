//! The place of the hosts: starts them, crashes them, stops them, and connects clients to them.

use std::{
    collections::BTreeSet,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use commlib::Limits as WireLimits;
use engine::CommId;
use server::{
    ClusterOptions, GameTable, Gateway, Host, HostError, Limits, Options, RefusalLimits, SetupInterner,
    cluster::{Addresses, ClusterSecret},
    host_store::MemoryHostStore,
    sync::lock,
};
use slog::{Discard, Logger, o};
use tokio::{
    sync::{Notify, watch},
    time::{Instant, sleep, timeout},
};

use crate::{
    coverage::Covered,
    freeze::Freeze,
    host_links::HostLinks,
    ledger::Ledger,
    link::{Control, End, Quality, link},
    network::{Network, cluster_address},
    observer::{Check, Observer},
    planted::Planted,
    port::{OpenPorts, Opened, Ports},
    random::Random,
    store::{Disk, OpenBook, SimStore},
    world::{Dialer, SimWorld},
};

/// The wall clock at the beginning of seed 0: November 2023.
const EPOCH_MS: i64 = 1_700_000_000_000;

/// How long clients wait in the queue of a port whose host is not ready.
const BACKLOG: Duration = Duration::from_secs(3);

/// In so many of a hundred seeds with several hosts, they pass clients on to each other.
const FORWARDING: u64 = 85;

/// What the games bring.
#[derive(Debug)]
pub(crate) struct Brought {
    pub(crate) games: GameTable,
    pub(crate) open_book: OpenBook,
    /// Whether the next client opens a game of a rulebook again that the store gave up.
    pub(crate) opens_again: fn(&str) -> bool,
    /// Opens the ports of games that have one.
    pub(crate) open_ports: OpenPorts,
}

/// The place of the hosts.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) seed: u64,
    brought: Brought,
    /// The programs beside the host.
    pub(crate) network: Arc<Network>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) observer: Arc<Observer>,
    base_ms: i64,
    began: Instant,
    /// The secret of hosts that pass clients on to each other.
    secret: Option<ClusterSecret>,
    /// The setups that all hosts of the seed read.
    setups: Arc<Mutex<SetupInterner>>,
    state: Mutex<State>,
    /// Wakes the clients that wait for a host, in the order in which they came.
    started: Notify,
    /// The clients that the host has made.
    clients: Mutex<BTreeSet<(String, u32)>>,
    /// What all hosts keep beside the log. It outlives them, and no fault reaches it.
    beside: Arc<MemoryHostStore>,
}

struct State {
    /// For each host its process, if it runs.
    running: Vec<Option<Running>>,
    random: Random,
    /// How often a host was started.
    starts: u64,
    /// The time of the last recovery.
    recovered: Option<Instant>,
}

/// A host that serves clients.
struct Running {
    host: Arc<Host>,
    store: Arc<SimStore>,
    freeze: Arc<Freeze>,
    partition: Arc<Freeze>,
    ports: Ports,
    /// The cluster port, if hosts pass clients on to each other.
    of_hosts: Option<HostLinks>,
    links: Vec<Control>,
    /// The connections that the host has opened.
    dialed: Arc<Mutex<Vec<Control>>>,
    /// One for each connection, so that they hear of the stop in the order in which they came.
    stops: Vec<watch::Sender<bool>>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("starts", &self.starts).finish_non_exhaustive()
    }
}

impl Site {
    pub(crate) fn new(
        seed: u64,
        hosts: usize,
        brought: Brought,
        observer: Arc<Observer>,
        planted: Option<Planted>,
    ) -> Self {
        let base_ms = EPOCH_MS + i64::try_from(seed % 1_000_000).unwrap_or_default() * 1000;
        let ledger = Arc::new(Ledger::default());
        let disk = Disk::new(
            Random::new(seed, 1),
            ledger.clone(),
            brought.open_book,
            observer.clone(),
            planted,
            base_ms,
            hosts,
        );
        let running = (0..hosts).map(|_| None).collect();
        let state = State { running, random: Random::new(seed, 2), starts: 0, recovered: None };
        let forwards = hosts > 1 && Random::new(seed, 8).chance(FORWARDING);
        let secret = ClusterSecret::new(b"the secret of all simulated hosts").ok().filter(|_| forwards);
        let (began, state, clients) = (Instant::now(), Mutex::new(state), Mutex::default());
        Self {
            seed,
            brought,
            network: Arc::default(),
            disk: Arc::new(disk),
            ledger,
            observer,
            base_ms,
            began,
            secret,
            setups: Arc::default(),
            state,
            started: Notify::new(),
            clients,
            beside: Arc::default(),
        }
    }

    /// Notes a new client of a game. False if there was one with its number.
    pub(crate) fn claim(&self, game: &str, client: CommId) -> bool {
        lock(&self.clients).insert((game.to_owned(), client.0))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The number of hosts.
    pub(crate) fn hosts(&self) -> usize {
        self.state().running.len()
    }

    /// Whether hosts pass clients on to each other.
    pub(crate) fn forwards(&self) -> bool {
        self.secret.is_some()
    }

    /// Starts a host on the disk. If it takes longer than `patience`, it crashes.
    pub(crate) async fn start(&self, number: usize, patience: Duration) -> bool {
        let starts = {
            let mut state = self.state();
            state.starts += 1;
            state.starts
        };
        let (freeze, partition) = (Arc::new(Freeze::default()), Arc::new(Freeze::default()));
        let store = SimStore::open(&self.disk, freeze.clone(), partition.clone(), self.observer.clone());
        let dialer = Dialer::new(number, self.network.clone(), freeze.clone(), Random::new(self.seed, 2000 + starts));
        let dialed = dialer.dialed.clone();
        let world = SimWorld::new(self.base_ms, self.began, Random::new(self.seed, 1000 + starts), dialer);
        let mut options = Options::new(self.brought.games.clone(), store.clone(), Logger::root(Discard, o!()));
        options.world = Arc::new(world);
        options.limits = limits();
        options.setups = self.setups.clone();
        options.host_store = self.beside.clone();
        if self.hosts() > 1 {
            let (membership, secret) = (store.clone(), self.secret.clone());
            let (name, version) = (name(number), "1".into());
            options.cluster = Some(ClusterOptions { membership, name, version, secret, tls: None });
        }
        let opening = async {
            let host = Host::open(options).await?;
            let opened = Opened { host: host.clone(), seed: self.seed };
            let ports = (self.brought.open_ports)(opened).await;
            let (of_hosts, cluster) = if self.forwards() {
                let arrivals = self.network.listen_for_hosts(number, freeze.clone());
                let served = HostLinks::serve(host.clone(), arrivals);
                (Some(served), Some(cluster_address(number).to_string()))
            } else {
                (None, None)
            };
            host.join(Addresses { cluster, ..Addresses::default() }).await?;
            Ok::<_, HostError>((host, ports, of_hosts))
        };
        let (host, ports, of_hosts) = match timeout(patience, opening).await {
            Ok(Ok(opened)) => opened,
            // The store may fail at this moment. The process ends, and is started again.
            Ok(Err(HostError::Membership(error))) => {
                self.observer.step(|| format!("the host cannot register: {error}"));
                store.crash(&mut self.state().random);
                return false;
            }
            Ok(Err(error)) => {
                self.observer.fail(Check::Progress, || format!("the host cannot start: {error}"));
                return false;
            }
            Err(_) => {
                self.observer.cover(Covered::CrashInRecovery);
                store.crash(&mut self.state().random);
                return false;
            }
        };
        if !host.list().is_empty() {
            self.observer.cover(Covered::Recovered);
        }
        self.observer.step(|| format!("host {starts} is up with {} games", host.list().len()));
        let mut state = self.state();
        state.recovered = Some(Instant::now());
        let (links, stops) = (Vec::new(), Vec::new());
        state.running[number] = Some(Running { host, store, freeze, partition, ports, of_hosts, links, dialed, stops });
        drop(state);
        self.started.notify_waiters();
        true
    }

    /// Ends the host at once: its memory is lost, and all its connections.
    pub(crate) fn crash(&self, number: usize) {
        let mut state = self.state();
        let Some(Running { store, links, dialed, .. }) = state.running[number].take() else { return };
        self.disturb(&store, None);
        self.observer.cover(Covered::Crash);
        links.iter().chain(&*lock(&dialed)).for_each(Control::cut);
        store.crash(&mut state.random);
    }

    /// Stops the host in good order.
    pub(crate) async fn stop(&self, number: usize) {
        let Some(Running { host, store, ports, of_hosts, links, stops, .. }) = self.state().running[number].take()
        else {
            return;
        };
        self.disturb(&store, None);
        self.observer.cover(Covered::Stop);
        if self.disk.is_in_trouble() {
            self.observer.cover(Covered::StopInStoreFault);
        }
        for stop in stops {
            stop.send_replace(true);
        }
        of_hosts.iter().for_each(HostLinks::stop);
        for (_, port) in ports {
            port.stop().await;
        }
        if let Err(error) = host.stop().await
            && !self.disk.is_in_trouble()
            && !store.is_cut_off()
        {
            self.observer.fail(Check::Durability, || format!("the host does not stop well: {error}"));
        }
        if !host.list().is_empty() {
            self.observer.fail(Check::Progress, || "the host has stopped, and its rooms have not".into());
        }
        // The program gives clients this time to read their last message.
        sleep(Duration::from_secs(2)).await;
        links.iter().for_each(Control::cut);
        drop(of_hosts);
        self.observer.step(|| "the host has stopped".into());
    }

    /// Makes the store give up one game.
    pub(crate) fn fail_game(&self) {
        let mut state = self.state();
        let State { running, random, .. } = &mut *state;
        let running: Vec<&Running> = running.iter().flatten().collect();
        let one = if running.len() > 1 { random.pick(&running) } else { running.first() };
        if one.is_some_and(|running| running.store.fail_one(random, self.brought.opens_again)) {
            self.observer.cover(Covered::GameFails);
        }
    }

    /// Freezes a host.
    pub(crate) fn freeze(&self, number: usize, time: Duration) {
        if let Some(running) = &self.state().running[number] {
            self.observer.cover(Covered::Freeze);
            self.disturb(&running.store, Some(time));
            running.freeze.freeze(Instant::now() + time);
        }
    }

    /// Cuts a host off from the store.
    pub(crate) fn cut_off(&self, number: usize, time: Duration) {
        if let Some(running) = &self.state().running[number] {
            self.observer.cover(Covered::Partition);
            self.disturb(&running.store, Some(time));
            running.partition.freeze(Instant::now() + time);
        }
    }

    /// Separates two hosts from each other, one way or both ways. Both reach the store.
    pub(crate) fn separate(&self, random: &mut Random, time: Duration) {
        let hosts = self.hosts() as u64;
        if !self.forwards() {
            return;
        }
        self.observer.cover(Covered::HostsApart);
        let (one, until) = (random.below(hosts), Instant::now() + time);
        let other = (one + random.within(1..=hosts - 1)) % hosts;
        self.network.part(one as usize, other as usize, until);
        if random.chance(60) {
            self.network.part(other as usize, one as usize, until);
        }
    }

    /// A host may count as dead for a while.
    fn disturb(&self, store: &SimStore, time: Option<Duration>) {
        store.incarnation().into_iter().for_each(|host| self.disk.disturb(host, time));
    }

    /// The connections that are open, in the order in which they came.
    pub(crate) fn links(&self) -> Vec<Control> {
        let mut state = self.state();
        let mut links = self.network.links();
        for running in state.running.iter_mut().flatten() {
            running.links.retain(Control::is_open);
            running.stops.retain(|stop| !stop.is_closed());
            links.extend(running.links.iter().chain(&*lock(&running.dialed)).cloned());
        }
        links
    }

    /// A host, if one is running.
    pub(crate) fn host(&self) -> Option<Arc<Host>> {
        self.state().running.iter().flatten().next().map(|running| running.host.clone())
    }

    /// The games of each host that is running.
    pub(crate) fn rooms(&self) -> Vec<String> {
        let state = self.state();
        state.running.iter().flatten().flat_map(|running| running.host.open_names()).collect()
    }

    /// The number of the host that owns a game and is alive.
    pub(crate) fn owner(&self, game: &str) -> Option<usize> {
        let owner = self.disk.owner(game)?;
        (0..self.hosts()).find(|number| name(*number) == owner)
    }

    /// The host that a client dials if it knows all of them. Without forwards, it is mostly the owner of its game.
    fn choose(&self, game: Option<&str>, random: &mut Random) -> usize {
        let hosts = self.hosts() as u64;
        if hosts == 1 {
            return 0;
        }
        let to_owner = if self.forwards() { 20 } else { 70 };
        let owner = game.and_then(|game| self.owner(game)).filter(|_| random.chance(to_owner));
        owner.unwrap_or_else(|| random.below(hosts) as usize)
    }

    /// Waits until a host is running.
    async fn is_up(&self, number: usize) {
        loop {
            let started = self.started.notified();
            if self.state().running[number].is_some() {
                return;
            }
            started.await;
        }
    }

    /// Connects a client of a game to the wire of a host. `None` if the host is not there. A client that knows one host always dials
    /// that one.
    pub(crate) async fn connect(
        &self,
        game: Option<&str>,
        known: Option<usize>,
        random: &mut Random,
    ) -> Option<(usize, End)> {
        self.connect_to(None, game, known, random).await
    }

    /// Connects a client to the port of a rulebook. `None` if no host is there.
    pub(crate) async fn connect_to_port(&self, rulebook: &str, random: &mut Random) -> Option<End> {
        self.connect_to(Some(rulebook), None, None, random).await.map(|(_, end)| end)
    }

    async fn connect_to(
        &self,
        rulebook: Option<&str>,
        game: Option<&str>,
        known: Option<usize>,
        random: &mut Random,
    ) -> Option<(usize, End)> {
        sleep(random.millis(1..=40)).await;
        let since = Instant::now();
        let number = known.unwrap_or_else(|| self.choose(game, random));
        let patience = if random.chance(50) { BACKLOG } else { Duration::ZERO };
        timeout(patience, self.is_up(number)).await.ok()?;
        let quality = Quality::draw(random);
        let link_random = Random::new(random.next(), 0);
        let mut state = self.state();
        if state.recovered.is_some_and(|at| at >= since) {
            self.observer.cover(Covered::ResumedAfterRecovery);
        }
        let running = state.running[number].as_mut()?;
        let (here, there, control) = link(quality, link_random, running.freeze.clone());
        let (stop, stopped) = watch::channel(false);
        running.links.push(control);
        running.stops.push(stop);
        let port = rulebook.and_then(|rulebook| running.ports.iter().find(|(name, _)| *name == rulebook));
        match (rulebook, port) {
            (None, _) => drop(tokio::spawn(Gateway::serve_stream(running.host.clone(), address(), here, stopped))),
            (Some(_), Some((_, port))) => drop(tokio::spawn(port.serve(here, stopped))),
            // The host does not listen there.
            (Some(_), None) => return None,
        }
        Some((number, there))
    }
}

/// The name of a host.
fn name(number: usize) -> String {
    format!("host {number}")
}

/// The address of every client.
pub(crate) fn address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 4000).into()
}

/// Short times, so that a minute is long enough to reach them.
fn limits() -> Limits {
    Limits {
        wire: WireLimits { command: 64 * 1024, handshake: Duration::from_secs(5), ..WireLimits::default() },
        stall: Duration::from_secs(4),
        store_patience: Duration::from_secs(4),
        // Each refused command has its event, by which its sender knows that it is stored.
        refusals: RefusalLimits { per_client: u32::MAX, per_game: u32::MAX },
        ..Limits::default()
    }
}
