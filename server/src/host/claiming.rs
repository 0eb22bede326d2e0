//! Games move between hosts: claiming those that no host owns, and handing over the own ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use commlib::{Reason, Refused};
use slog::{info, warn};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::{Host, membership::Cluster};
use crate::{
    chronicle::unreadable,
    clock::Clock,
    cluster::{BEAT_EVERY, Claim, Claimed, HandOver, MembershipError, Owner, PeerHost},
    log::{GameKey, Selection, StoreError},
    recovery::{self, RecoveredGames},
    room::RoomEnd,
    sync::lock,
};

/// The maximum number of games that are claimed or handed over at once.
const BATCH: usize = 500;

/// The number of games that are opened before clients who ask for another game get their turn.
const OPENED_AT_ONCE: usize = 50;

/// How often two hosts may race for a game that a client asks for.
const ATTEMPTS: usize = 3;

/// A game to hand over, and who waits for it.
pub(super) type Release = (HandOver, oneshot::Sender<()>);

/// Games that wait for a room.
#[derive(Debug, Default)]
pub(super) struct Unopened {
    /// Games of this host.
    claimed: BTreeMap<String, Claimed>,
    /// Games that clients ask for.
    wanted: BTreeSet<String>,
}

impl Unopened {
    fn add(&mut self, claimed: Vec<Claimed>) {
        self.claimed.extend(claimed.into_iter().map(|game| (game.name.clone(), game)));
    }

    /// The next games of this host to open. Those that clients ask for come first.
    fn next(&mut self) -> Vec<Claimed> {
        let wanted = self.claimed.keys().filter(|name| self.wanted.contains(*name));
        let others = self.claimed.keys().filter(|name| !self.wanted.contains(*name));
        let names: Vec<String> = wanted.chain(others).take(OPENED_AT_ONCE).cloned().collect();
        names.iter().filter_map(|name| self.claimed.get(name).cloned()).collect()
    }

    /// Takes the games that clients ask for: this one, if it is still wanted, and others.
    fn take_wanted(&mut self, game: &str) -> Vec<String> {
        let Some(first) = self.wanted.take(game) else { return Vec::new() };
        let others: Vec<String> = self.wanted.iter().take(OPENED_AT_ONCE - 1).cloned().collect();
        others.iter().for_each(|name| _ = self.wanted.remove(name));
        std::iter::once(first).chain(others).collect()
    }
}

/// The owner of a game that a client asks for.
pub(super) enum Owned {
    /// This host.
    Here(Claimed),
    /// Another host.
    Elsewhere(PeerHost),
    /// It has no owner any more, because it is over.
    Over,
}

impl Host {
    /// Claims games after each beat.
    pub(super) async fn keep_claiming(self: Arc<Self>) {
        let Some(cluster) = &self.cluster else { return };
        // Whether this host may own games that have no room.
        let mut is_unsure = false;
        loop {
            let woken = async {
                tokio::select! {
                    biased;
                    () = self.services.stopping.cancelled() => false,
                    () = cluster.claims.notified() => true,
                }
            };
            if cluster.left.run_until_cancelled(woken).await != Some(true) {
                return;
            }
            if let Err(error) = self.claim_all(cluster, &mut is_unsure).await {
                is_unsure = true;
                self.metrics.membership_retries.add(1);
                warn!(self.options.logger, "games cannot be claimed now"; "cause" => %error);
            }
        }
    }

    async fn claim_all(self: &Arc<Self>, cluster: &Cluster, is_unsure: &mut bool) -> Result<(), MembershipError> {
        if *is_unsure {
            let owned = cluster.membership.owned().await?;
            lock(&cluster.unopened).add(owned);
            self.open_claimed(cluster).await?;
            *is_unsure = false;
        }
        loop {
            let claimed = cluster.membership.claim(Claim::Any, BATCH).await?;
            let count = claimed.len();
            if count > 0 {
                info!(self.options.logger, "games claimed"; "games" => count);
                self.metrics.games_taken_over.add(count as u64);
                lock(&cluster.unopened).add(claimed);
            }
            self.open_claimed(cluster).await?;
            if count < BATCH || self.is_stopping() {
                return Ok(());
            }
        }
    }

    /// Opens games of this host that have no room.
    async fn open_claimed(self: &Arc<Self>, cluster: &Cluster) -> Result<(), StoreError> {
        loop {
            // Clients who ask for a game wait for the same lock, and get it in turn.
            let _one_at_a_time = self.reopening.lock().await;
            let games = lock(&cluster.unopened).next();
            if games.is_empty() {
                return Ok(());
            }
            self.open_all(&games).await?;
        }
    }

    /// Opens a game that a client asks for, if it is known that this host owns it. Returns whether it has a room.
    pub(super) async fn open_if_claimed(self: &Arc<Self>, game: &str) -> Result<bool, Refused> {
        let Some(cluster) = &self.cluster else { return Ok(false) };
        if !lock(&cluster.unopened).claimed.contains_key(game) {
            return Ok(false);
        }
        self.open_wanted(cluster, game).await?;
        Ok(self.room(game).is_some())
    }

    /// Opens a game that a client asks for and that has no living owner, if this host can have it. After a host has died, all of its
    /// clients come at once; so this opens the games of the others, too, with the same statements.
    pub(super) async fn open_wanted(self: &Arc<Self>, cluster: &Cluster, game: &str) -> Result<(), Refused> {
        let _stop_waits = self.opening()?;
        let opened = self.services.until_stopped(self.claim_wanted(cluster, game)).await;
        opened.unwrap_or_else(|| Err(stopping()))
    }

    async fn claim_wanted(self: &Arc<Self>, cluster: &Cluster, game: &str) -> Result<(), Refused> {
        lock(&cluster.unopened).wanted.insert(game.to_owned());
        let _one_at_a_time = self.reopening.lock().await;
        let wanted = lock(&cluster.unopened).take_wanted(game);
        if wanted.is_empty() {
            // It was opened with others.
            return Ok(());
        }
        let is_free =
            |name: &&String| self.room(name).is_none() && !lock(&cluster.unopened).claimed.contains_key(*name);
        let free: Vec<String> = wanted.iter().filter(is_free).cloned().collect();
        if !free.is_empty() && !self.is_stopping() {
            let count = free.len();
            let claimed = cluster.membership.claim(Claim::Named(free), count).await.map_err(refused)?;
            self.metrics.games_taken_over.add(claimed.len() as u64);
            lock(&cluster.unopened).add(claimed);
        }
        let games: Vec<Claimed> = {
            let unopened = lock(&cluster.unopened);
            wanted.iter().filter_map(|name| unopened.claimed.get(name).cloned()).collect()
        };
        self.open_all(&games).await.map_err(unreadable)
    }

    /// Opens games of this host. The caller holds the lock for opening games.
    pub(super) async fn open_all(self: &Arc<Self>, games: &[Claimed]) -> Result<(), StoreError> {
        let is_closed =
            |game: &&Claimed| self.room(&game.name).is_none() && !lock(&self.stuck).contains_key(&game.name);
        let closed: Vec<&Claimed> = games.iter().filter(is_closed).collect();
        if closed.is_empty() {
            self.are_open(games);
            return Ok(());
        }
        let keys: Vec<GameKey> = closed.iter().map(|game| game.key).collect();
        let recovered = recovery::run(&self.services, &self.options.games, Selection::Keys(keys)).await?;
        let RecoveredGames { ready, stuck } = recovered;
        lock(&self.stuck).extend(stuck);
        for (key, game) in ready {
            let elapsed_ms = closed.iter().find(|game| game.key == key).and_then(|game| game.elapsed_ms);
            self.start(game.start(&self.services, key, elapsed_ms));
        }
        self.are_open(games);
        Ok(())
    }

    /// These games wait for a room no longer.
    fn are_open(&self, games: &[Claimed]) {
        let Some(cluster) = &self.cluster else { return };
        let mut unopened = lock(&cluster.unopened);
        games.iter().for_each(|game| _ = unopened.claimed.remove(&game.name));
    }

    /// Lets [`stop`](Self::stop) wait for rooms that will be started, as long as the token lives. Without it, a game that is stored or
    /// read late would get a room on a host that has stopped.
    ///
    /// # Errors
    /// If the host stops.
    pub(super) fn opening(&self) -> Result<TaskTrackerToken, Refused> {
        let opening = self.rooms.token();
        if self.is_stopping() { Err(stopping()) } else { Ok(opening) }
    }

    /// The owner of an unfinished game. If it has none, this host claims it.
    pub(super) async fn own(&self, cluster: &Cluster, game: &str) -> Result<Owned, Refused> {
        for _ in 0..ATTEMPTS {
            match cluster.membership.owner(game).await.map_err(refused)? {
                None => return Ok(Owned::Over),
                Some(Owner::ThisHost(claimed)) => return Ok(Owned::Here(claimed)),
                Some(Owner::Host(peer)) => return Ok(Owned::Elsewhere(peer)),
                Some(Owner::Free) => {}
            }
            if self.is_stopping() {
                return Err(Refused::new(Reason::ShuttingDown, "The server stops; resume with another one."));
            }
            let named = Claim::Named(vec![game.to_owned()]);
            let claimed = cluster.membership.claim(named, 1).await.map_err(refused)?;
            if let Some(claimed) = claimed.into_iter().next() {
                self.metrics.games_taken_over.add(1);
                return Ok(Owned::Here(claimed));
            }
        }
        let words = format!("This server cannot continue game {game}: it does not have these rules.");
        Err(Refused::new(Reason::StoreFailed, words))
    }

    /// Hands over the game of a room that was stopped, before its clients are told to resume elsewhere.
    pub(super) async fn release(&self, key: GameKey, end: &RoomEnd, clock: &Clock) {
        let Some(cluster) = &self.cluster else { return };
        if *end != RoomEnd::Stopped {
            return;
        }
        let (answer, released) = oneshot::channel();
        let release = (HandOver { key, elapsed_ms: clock.elapsed() }, answer);
        let releasing = async {
            if cluster.releases.send(release).await.is_ok() {
                let _gave_up = released.await;
            }
        };
        let _store_is_silent = self.services.until_stopped(releasing).await;
    }

    /// Hands over games in batches.
    pub(super) async fn keep_handing_over(self: Arc<Self>, mut releases: mpsc::Receiver<Release>) {
        let Some(cluster) = &self.cluster else { return };
        let mut batch = Vec::new();
        loop {
            let received = cluster.left.run_until_cancelled(releases.recv_many(&mut batch, BATCH)).await;
            if received.is_none_or(|count| count == 0) {
                return;
            }
            let (games, answers): (Vec<HandOver>, Vec<oneshot::Sender<()>>) = batch.drain(..).unzip();
            while let Err(error) = cluster.membership.hand_over(games.clone()).await {
                warn!(self.options.logger, "games cannot be handed over"; "games" => games.len(), "cause" => %error);
                let may_pass = matches!(&error, MembershipError::Store(error) if !matches!(error, StoreError::Closed));
                if !may_pass || cluster.left.run_until_cancelled(sleep(BEAT_EVERY / 10)).await.is_none() {
                    break;
                }
            }
            for answer in answers {
                let _gave_up = answer.send(());
            }
        }
    }

    /// Waits until no more games are claimed, so that every room hears that the host stops.
    pub(super) async fn stop_claiming(&self) {
        let Some(cluster) = &self.cluster else { return };
        cluster.claiming.close();
        let _store_is_silent = self.services.until_stopped(cluster.claiming.wait()).await;
    }
}

/// The refusal for clients of a game that this host would have opened.
pub(super) fn stopping() -> Refused {
    Refused::new(Reason::ShuttingDown, "The server stops; resume when it is back.")
}

/// The refusal for clients. The words of the error are for the operator.
pub(super) fn refused(error: MembershipError) -> Refused {
    match error {
        MembershipError::Store(error) => unreadable(error),
        MembershipError::NotRegistered | MembershipError::Buried { .. } | MembershipError::Replaced { .. } => {
            Refused::new(Reason::ShuttingDown, "This server is not one of the others now; resume with another one.")
        }
    }
}
