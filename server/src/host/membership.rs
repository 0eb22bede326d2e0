//! The life of one of several hosts: registering, beating, burying others, and being buried.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use commlib::{Reason, Refused};
use slog::{error, info, warn};
use tokio::{
    sync::{Notify, mpsc, watch},
    time::{Instant, MissedTickBehavior, interval, sleep, timeout_at},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Host, HostError, Located, OpenGame, Options,
    claiming::{Release, Unopened},
};
use crate::{
    cluster::{
        Addresses, BEAT_EVERY, Certainty, FoldedRules, HostInfo, HostState, Incarnation, Member, Membership,
        MembershipError, PeerWatch,
    },
    handle::unavailable,
    log::{Fault, GameKey, StoreError},
    sync::lock,
};

/// The pause after a failed registration.
const REGISTER_AGAIN: Duration = Duration::from_millis(500);

/// How long a host that starts tries to register.
const FIRST_REGISTRATION: Duration = Duration::from_secs(10);

/// How long a client waits at most for a host that is not certain to own its games. Another host may serve it sooner.
const LONGEST_ENTRY: Duration = Duration::from_secs(5);

/// The maximum number of hand-overs that wait for the store.
const WAITING_RELEASES: usize = 1024;

/// What one of several hosts knows of itself and of the others.
pub(super) struct Cluster {
    pub(super) membership: Arc<dyn Membership>,
    state: Mutex<State>,
    pub(super) certainty: Arc<Certainty>,
    /// Wakes the tasks that wait for the next table of hosts, in the order in which they came.
    pub(super) tables: Notify,
    /// Wakes the task that claims games.
    pub(super) claims: Notify,
    /// Games to open.
    pub(super) unopened: Mutex<Unopened>,
    /// Games to hand over.
    pub(super) releases: mpsc::Sender<Release>,
    released: Mutex<Option<mpsc::Receiver<Release>>>,
    /// Cancelled when this host has left, or another process has its name.
    pub(super) left: CancellationToken,
    /// Set when another process has the name of this host.
    replaced: watch::Sender<Option<Incarnation>>,
    /// The tasks of the membership.
    pub(super) tasks: TaskTracker,
    /// The task that claims games.
    pub(super) claiming: TaskTracker,
}

#[derive(Default)]
struct State {
    info: HostInfo,
    me: Option<Incarnation>,
    /// The table of hosts as this host saw it last. `None` before its first beat.
    members: Option<Vec<Member>>,
}

/// What the last table of hosts says of another host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// This host has no table yet.
    NoTable,
    Alive,
    Dead,
    /// It is dead and owns nothing, or it has registered after the table was read.
    Missing,
}

/// The cluster as this host sees it, for its operator.
#[derive(Clone, Debug)]
pub(crate) struct ClusterHealth {
    pub(crate) name: String,
    /// `None` while the host is not registered.
    pub(crate) incarnation: Option<Incarnation>,
    pub(crate) hosts_alive: usize,
    /// Whether the last beat was stored a short time ago.
    pub(crate) is_certain: bool,
    pub(crate) is_replaced: bool,
}

impl Cluster {
    pub(super) fn new(membership: Arc<dyn Membership>, certainty: Arc<Certainty>) -> Self {
        let (releases, released) = mpsc::channel(WAITING_RELEASES);
        Self {
            membership,
            state: Mutex::default(),
            tables: Notify::new(),
            certainty,
            claims: Notify::new(),
            unopened: Mutex::default(),
            releases,
            released: Mutex::new(Some(released)),
            left: CancellationToken::new(),
            replaced: watch::Sender::new(None),
            tasks: TaskTracker::new(),
            claiming: TaskTracker::new(),
        }
    }

    pub(super) fn is_registered(&self) -> bool {
        self.me().is_some()
    }

    /// The registration of this host.
    pub(super) fn me(&self) -> Option<Incarnation> {
        self.state().me
    }

    /// What this host knows of another.
    pub(super) fn known(&self, peer: Incarnation) -> Known {
        let state = self.state();
        let Some(members) = &state.members else { return Known::NoTable };
        match members.iter().find(|member| member.incarnation == peer) {
            Some(member) if member.alive => Known::Alive,
            Some(_) => Known::Dead,
            None => Known::Missing,
        }
    }

    pub(super) fn health(&self) -> ClusterHealth {
        let state = self.state();
        ClusterHealth {
            name: state.info.name.clone(),
            incarnation: state.me,
            hosts_alive: state.members.iter().flatten().filter(|member| member.alive).count(),
            is_certain: self.certainty.is_certain(),
            is_replaced: self.replaced.borrow().is_some(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Host {
    /// Makes this host one of several: it registers with these addresses, beats, and claims games that no host owns. A host whose
    /// options have no cluster ignores this. The ports must be open before, because other hosts send clients to them.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub async fn join(self: &Arc<Self>, addresses: Addresses) -> Result<(), HostError> {
        let (Some(cluster), Some(options)) = (&self.cluster, &self.options.cluster) else { return Ok(()) };
        let rules = self.options.games.iter();
        let rules =
            rules.map(|game| FoldedRules { rulebook: game.name().into(), versions: game.rules_versions().into() });
        let (name, version) = (options.name.clone(), options.version.clone());
        let info = HostInfo { name, addresses, version, rules: rules.collect() };
        cluster.state().info = info;
        self.register_first(cluster).await.map_err(HostError::Membership)?;
        cluster.tasks.spawn(self.clone().keep_beating());
        cluster.tasks.spawn(self.clone().keep_stopping_clocks());
        cluster.claiming.spawn(self.clone().keep_claiming());
        if let Some(released) = lock(&cluster.released).take() {
            cluster.tasks.spawn(self.clone().keep_handing_over(released));
        }
        Ok(())
    }

    /// Resolves when another process has registered with the name of this host, which then has no games any more. Never resolves
    /// for a host that is alone.
    pub async fn replaced(&self) -> HostError {
        let Some(cluster) = &self.cluster else { return std::future::pending().await };
        let mut replaced = cluster.replaced.subscribe();
        let Ok(by) = replaced.wait_for(Option::is_some).await.map(|by| *by) else {
            return std::future::pending().await;
        };
        let (name, by) = (cluster.state().info.name.clone(), by.unwrap_or(Incarnation(0)));
        HostError::Membership(MembershipError::Replaced { name, by })
    }

    /// Until when a client that enters a game may wait for the membership of this host. The room then waits for the store, too.
    pub(crate) fn entry_deadline(&self) -> Instant {
        Instant::now() + (self.options.limits.store_patience / 2).min(LONGEST_ENTRY)
    }

    /// Waits until this host is certain that it still owns its games. A host that was frozen, or that cannot reach its store, may
    /// have been buried without knowing it; then it must not admit clients to rooms that another host continues.
    pub(crate) async fn certain(&self, deadline: Instant) -> Result<(), Refused> {
        let Some(cluster) = &self.cluster else { return Ok(()) };
        timeout_at(deadline, cluster.certainty.certain()).await.map_err(|_| unavailable())
    }

    /// Finds a game that had no room a moment ago. See [`locate`](Self::locate). One of several hosts gives up at the deadline,
    /// because the client has gone elsewhere by then; the game is opened all the same.
    pub(crate) async fn locate_by(self: &Arc<Self>, game: &str, deadline: Instant) -> Result<Located, Refused> {
        if self.cluster.is_none() {
            return self.locate(game).await;
        }
        let (host, game) = (self.clone(), game.to_owned());
        // A claimed game must be opened, even if the caller is dropped.
        let locating = tokio::spawn(async move { host.locate(&game).await });
        let internal = |_| Refused::new(Reason::Internal, "The game could not be found.");
        timeout_at(deadline, locating).await.map_err(|_| unavailable())?.map_err(internal)?
    }

    /// Checks that this host may create games.
    pub(super) fn is_member(&self) -> Result<(), Refused> {
        if self.cluster.as_ref().is_none_or(Cluster::is_registered) {
            return Ok(());
        }
        Err(Refused::new(Reason::StoreUnavailable, "This server is joining the others; try again soon."))
    }

    /// Registers a host that starts. The store may be slow just then: if an earlier process with the same name was killed in the
    /// middle of a commit, the registration waits for that commit.
    async fn register_first(&self, cluster: &Cluster) -> Result<(), MembershipError> {
        let deadline = Instant::now() + FIRST_REGISTRATION;
        loop {
            match self.register(cluster).await {
                Ok(_) => return Ok(()),
                Err(error @ MembershipError::Store(StoreError::Closed)) => return Err(error),
                Err(MembershipError::Store(cause))
                    if cause.fault() == Fault::Passing && Instant::now() + REGISTER_AGAIN < deadline =>
                {
                    self.metrics.membership_retries.add(1);
                    warn!(self.options.logger, "cannot register yet"; "cause" => %cause);
                    sleep(REGISTER_AGAIN).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn register(&self, cluster: &Cluster) -> Result<Incarnation, MembershipError> {
        let info = cluster.state().info.clone();
        let name = info.name.clone();
        let began = Instant::now();
        let incarnation = cluster.membership.register(info).await?;
        cluster.state().me = Some(incarnation);
        self.certain_since(cluster, began);
        info!(self.options.logger, "registered"; "host" => name, "incarnation" => %incarnation);
        Ok(incarnation)
    }

    /// A beat or a registration that began at this instant is stored.
    fn certain_since(&self, cluster: &Cluster, began: Instant) {
        if cluster.certainty.since(began) {
            self.wake_rooms();
        }
    }

    /// Stops the clocks of all games while this host is not certain that it owns them.
    async fn keep_stopping_clocks(self: Arc<Self>) {
        let Some(cluster) = &self.cluster else { return };
        let watch = async {
            loop {
                cluster.certainty.certain().await;
                cluster.certainty.over().await;
                self.wake_rooms();
            }
        };
        cluster.left.run_until_cancelled(watch).await;
    }

    fn wake_rooms(&self) {
        self.games().values().for_each(|game| game.watermark.wake());
    }

    async fn keep_beating(self: Arc<Self>) {
        let Some(cluster) = &self.cluster else { return };
        self.beat_until_left(cluster).await;
        cluster.left.cancel();
    }

    async fn beat_until_left(&self, cluster: &Cluster) {
        let mut watch = PeerWatch::default();
        let mut ticks = interval(BEAT_EVERY);
        // A host that was frozen does not beat several times at once.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while cluster.left.run_until_cancelled(ticks.tick()).await.is_some() {
            let began = Instant::now();
            let state = HostState { draining: self.is_stopping(), games: self.games().len() as u64 };
            match cluster.membership.beat(state).await {
                Ok(members) => self.has_beaten(cluster, began, &mut watch, members).await,
                Err(MembershipError::NotRegistered) => return,
                Err(MembershipError::Buried { incarnation }) => {
                    warn!(self.options.logger, "this host was declared dead"; "incarnation" => %incarnation);
                    if !self.begin_again(cluster).await {
                        return;
                    }
                    watch = PeerWatch::default();
                    ticks.reset_immediately();
                }
                Err(MembershipError::Replaced { name, by }) => {
                    error!(self.options.logger, "another process has the name of this host"; "host" => name);
                    return self.give_way(cluster, by).await;
                }
                // The store of this host is gone for good.
                Err(MembershipError::Store(StoreError::Closed)) => return,
                Err(MembershipError::Store(cause)) => {
                    self.metrics.membership_retries.add(1);
                    warn!(self.options.logger, "no beat"; "cause" => %cause);
                }
            }
        }
    }

    /// The store has a beat of this host that began at this instant.
    async fn has_beaten(&self, cluster: &Cluster, began: Instant, watch: &mut PeerWatch, mut members: Vec<Member>) {
        self.certain_since(cluster, began);
        let Some(me) = cluster.state().me else { return };
        let dead = watch.observe(Instant::now(), me, &members);
        for seen in dead {
            let Some(peer) = members.iter_mut().find(|member| member.incarnation == seen.incarnation) else { continue };
            let name = &peer.info.name;
            match cluster.membership.bury(seen).await {
                Ok(true) => {
                    peer.alive = false;
                    self.metrics.takeovers.add(1);
                    warn!(self.options.logger, "a host is dead"; "host" => name, "incarnation" => %seen.incarnation);
                }
                // It has beaten meanwhile, or another host was quicker.
                Ok(false) => {}
                Err(error) => {
                    self.metrics.membership_retries.add(1);
                    warn!(self.options.logger, "a silent host cannot be declared dead"; "host" => name, "cause" => %error);
                }
            }
        }
        cluster.state().members = Some(members);
        cluster.tables.notify_waiters();
        self.publish(cluster).await;
        cluster.claims.notify_one();
    }

    /// Tells other hosts the players of games that have changed.
    async fn publish(&self, cluster: &Cluster) {
        let changed: Vec<(GameKey, Vec<String>)> = {
            let mut games = self.games();
            let changed = |game: &mut OpenGame| {
                let players = lock(&game.players).clone();
                (players != game.published).then(|| {
                    game.published.clone_from(&players);
                    (game.followed.key, players)
                })
            };
            games.values_mut().filter_map(changed).collect()
        };
        if changed.is_empty() {
            return;
        }
        let keys: BTreeSet<GameKey> = changed.iter().map(|(key, _)| *key).collect();
        if let Err(cause) = cluster.membership.publish(changed).await {
            self.metrics.membership_retries.add(1);
            warn!(self.options.logger, "the players of games are not published"; "cause" => %cause);
            // The next beat tries again.
            let mut games = self.games();
            let unpublished = games.values_mut().filter(|game| keys.contains(&game.followed.key));
            unpublished.for_each(|game| game.published.clear());
        }
    }

    /// Registers again after a burial. Registering ends all rooms, because their games are fenced. Returns false if the host stops.
    async fn begin_again(&self, cluster: &Cluster) -> bool {
        cluster.certainty.lose();
        cluster.state().me = None;
        self.metrics.burials.add(1);
        // The games of the dead incarnation belong to other hosts.
        *lock(&cluster.unopened) = Unopened::default();
        if self.is_stopping() {
            return false;
        }
        let ending: Vec<CancellationToken> = self.games().values().map(|game| game.followed.gone.clone()).collect();
        while let Err(error) = self.register(cluster).await {
            warn!(self.options.logger, "cannot register"; "cause" => %error);
            self.metrics.membership_retries.add(1);
            let is_closed = matches!(error, MembershipError::Store(StoreError::Closed));
            if is_closed || self.is_stopping() {
                return false;
            }
            sleep(REGISTER_AGAIN).await;
        }
        // A game gets a new room only after its old one has ended.
        for gone in ending {
            gone.cancelled().await;
        }
        true
    }

    /// Ends all rooms, because another process has the name of this host.
    async fn give_way(&self, cluster: &Cluster, by: Incarnation) {
        cluster.certainty.lose();
        cluster.state().me = None;
        let _buried_already = cluster.membership.leave().await;
        cluster.replaced.send_replace(Some(by));
    }

    /// Ends the membership, after all rooms have ended.
    pub(super) async fn leave(&self) {
        let Some(cluster) = &self.cluster else { return };
        // A registration may be under way, because another host buried this one.
        cluster.left.cancel();
        cluster.tasks.close();
        let _store_is_silent = self.services.until_stopped(cluster.tasks.wait()).await;
        cluster.certainty.lose();
        if cluster.state().me.take().is_none() {
            return;
        }
        if let Some(Err(error)) = self.services.until_stopped(cluster.membership.leave()).await {
            let Options { logger, .. } = &self.options;
            warn!(logger, "this host could not leave; the others declare it dead"; "cause" => %error);
        }
    }
}
