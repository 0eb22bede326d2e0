//! The Game Master: owns the state of one game, and answers the requests that the Communication Server forwards.
//!
//! [`GameMaster::run`] is one task. `requests` hands the requests of players to the game's [`GameHandle`]. `telling` sends
//! durable events to the players, in order. `reaching` connects to the server. The process can be killed at any time:
//! everything that was sent to a player is in the log, and a player repeats an unanswered request with the same id.
//! `overhearing` only provides data for the page.

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc, time::Duration};

use commlib::Create;
use engine::Rulebook;
use project_rules::{Game, Outcome, Setup};
use server::{GameHandle, Host, NamedHandle, World};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until, timeout},
};

use super::{
    delays::Delays,
    error::MasterError,
    link::{Link, Received},
    mail::{Ids, Mail, end_of},
    overhearing::Overhearing,
    reaching::HANDSHAKE,
    telling::{Notice, notices},
};
use crate::{
    LinkError, LocalConnector, Project, TraceFile,
    documents::{Connection, GAME_OVER, Guid, game_state::End},
};

/// The minimum time between two connections.
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);

/// How long the log may take to mark a game as ended.
const MARKING_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of a Game Master.
#[derive(Clone, Debug)]
pub struct MasterOptions {
    /// Address of the Communication Server.
    pub server: SocketAddr,
    /// The hash that identifies this Game Master to the server. If unset, it is computed from the log, so that it is the same
    /// after a restart with the same log.
    pub hash: Option<Guid>,
    /// The seed of a new game. If unset, it is random.
    pub seed: Option<i64>,
    /// The trace of messages and errors.
    pub trace: TraceFile,
}

/// How a Game Master ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finished {
    /// The game is over, and its players received the result.
    Over(Outcome),
    /// The operator stopped the Game Master. The game can continue later.
    Stopped,
}

/// Plays one game with players on the network.
#[expect(missing_debug_implementations, reason = "most of it is a host")]
pub struct GameMaster {
    /// The name of the game in the log.
    name: Arc<str>,
    pub(super) handle: GameHandle<Game>,
    pub(super) world: Arc<dyn World>,
    /// The connector of the server, if the server is in this process.
    pub(super) local: Option<LocalConnector>,
    pub(super) options: MasterOptions,
    pub(super) hash: Guid,
    pub(super) mail: Mail,
    pub(super) delays: Delays,
    /// The notices of entries that became durable. `None` after the room has ended.
    pub(super) durable: Option<mpsc::UnboundedReceiver<Vec<Notice>>>,
    pub(super) over: Option<Over>,
    /// Players whose loss was handed in while the log was silent. The game may still mark them as lost.
    pub(super) unsure: BTreeSet<u32>,
    /// Whether the server has not yet answered which players are connected.
    pub(super) probing: bool,
    pub(super) overhearing: Overhearing,
}

/// The end of the game, while some players have not received it.
pub(super) struct Over {
    pub(super) end: End,
    pub(super) result: Result<Outcome, MasterError>,
    /// Players that may still come back for the result.
    pub(super) owed: BTreeSet<u32>,
    /// Players that are not connected, as far as the server has reported.
    pub(super) absent: BTreeSet<u32>,
    pub(super) until: Instant,
    /// The number of players to which the result was sent.
    pub(super) informed: usize,
}

impl Over {
    pub(super) fn new(end: End, result: Result<Outcome, MasterError>) -> Self {
        Self { end, result, owed: BTreeSet::new(), absent: BTreeSet::new(), until: Instant::now(), informed: 0 }
    }
}

/// Why a connection to the server ended.
enum Parted {
    Over,
    Stopped,
    Lost(LinkError),
}

impl GameMaster {
    /// Continues the unfinished game of the host's log, or creates a game. Must be called in a tokio runtime.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, it has another unfinished game, or the host refuses the game.
    pub async fn open(host: &Arc<Host>, setup: &Setup, options: MasterOptions) -> Result<Self, MasterError> {
        mark_ended(host).await;
        let (name, handle) = match <[_; 1]>::try_from(host.handles::<Game>()) {
            Ok([(name, handle)]) => {
                check_same_game(host, &name, &handle, setup, options.seed).await?;
                options.trace.line(format_args!("continues the game {name} of the log"));
                (name, handle)
            }
            Err(several) if several.is_empty() => create(host, setup, options.seed).await?,
            Err(_) => return Err(MasterError::SeveralGames),
        };
        handle.stored().await?;
        let durable = handle.follow(notices).await?;
        Self::new(host, name, handle, Some(durable), options).await
    }

    /// Sends the result of the log's last game to players that still wait for it. The previous Game Master may have been killed
    /// after the end of the game. Returns `None` if the game ended long ago, or no player waits.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub async fn tell_late(
        host: &Arc<Host>,
        setup: &Setup,
        options: MasterOptions,
    ) -> Result<Option<Finished>, MasterError> {
        mark_ended(host).await;
        let Some((name, handle)) = just_over(host, setup).await? else { return Ok(None) };
        let Some(outcome) = handle.look(|last| last.game.outcome()) else { return Ok(None) };
        let mut master = Self::new(host, name, handle, None, options).await?;
        let over = Over { until: Instant::now(), ..Over::new(end_of(&outcome), Ok(outcome)) };
        master.over = Some(over);
        let Ok(Ok(mut link)) = timeout(HANDSHAKE, master.shake_hands()).await else { return Ok(None) };
        let (_never_sent, mut never) = watch::channel(false);
        let parted = master.attend(&mut link, &mut never).await;
        let was_sent = master.over.as_ref().is_some_and(|over| over.informed > 0);
        match parted {
            Parted::Over if was_sent => master.part(link).await.map(Some),
            Parted::Over | Parted::Stopped | Parted::Lost(_) => {
                link.close().await;
                Ok(None)
            }
        }
    }

    async fn new(
        host: &Host,
        name: Arc<str>,
        handle: GameHandle<Game>,
        durable: Option<mpsc::UnboundedReceiver<Vec<Notice>>>,
        options: MasterOptions,
    ) -> Result<Self, MasterError> {
        let hash = match options.hash {
            Some(hash) => hash,
            None => hash_of(host).await?,
        };
        Ok(Self {
            mail: Mail::new(Ids::new(key_of(host, &name).await?, host.world().now())),
            name,
            handle,
            world: host.world().clone(),
            local: None,
            options,
            hash,
            delays: Delays::default(),
            durable,
            over: None,
            unsure: BTreeSet::new(),
            probing: false,
            overhearing: Overhearing::default(),
        })
    }

    /// The name of the game in the log and on its page.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the game runs already, because an earlier Game Master began it.
    pub fn has_begun(&self) -> bool {
        self.handle.look(|last| last.game.public().has_begun())
    }

    /// The hash that identifies this Game Master to the server.
    pub fn hash(&self) -> Guid {
        self.hash
    }

    /// Sets a server of this process to connect to, instead of the address in the options.
    pub fn connect_locally(&mut self, server: LocalConnector) {
        self.local = Some(server);
    }

    /// Plays until the game is over and the players have received the result, or until `stop` becomes true.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or the game fails.
    pub async fn run(self, stop: watch::Receiver<bool>) -> Result<Finished, MasterError> {
        let trace = self.options.trace.clone();
        let finished = self.play(stop).await;
        trace.flush().await;
        finished
    }

    async fn play(mut self, mut stop: watch::Receiver<bool>) -> Result<Finished, MasterError> {
        // Players that come back receive the whole state of the game, so old notices are not needed.
        if let Some(durable) = &mut self.durable {
            let _the_last = durable.recv().await;
        }
        let mut attempts = self.handle.look(|last| last.game.setup().reconnection_attempts).max(1);
        loop {
            let reached = tokio::select! {
                biased;
                reached = self.reach(attempts) => reached,
                () = asked_to_stop(&mut stop) => return Ok(Finished::Stopped),
            };
            let since = Instant::now();
            let mut link = reached.inspect_err(|error| self.options.trace.line(format_args!("gives up: {error}")))?;
            match self.attend(&mut link, &mut stop).await {
                Parted::Over => return self.part(link).await,
                // The connected players have received the result, so the server may end, too.
                Parted::Stopped if self.over.is_some() => return self.part(link).await,
                Parted::Stopped => {
                    self.options.trace.line(format_args!("stopped; the game can go on later"));
                    link.close().await;
                    return Ok(Finished::Stopped);
                }
                Parted::Lost(why) => self.options.trace.line(format_args!("the server is lost: {why}")),
            }
            // Do not flood a server that accepts and drops connections.
            tokio::select! {
                biased;
                () = sleep_until(since + RECONNECT_INTERVAL) => {}
                () = asked_to_stop(&mut stop) => return Ok(Finished::Stopped),
            }
            attempts = self.handle.look(|last| last.game.setup().reconnection_attempts);
        }
    }

    /// Serves a connection until it ends.
    async fn attend(&mut self, link: &mut Link, stop: &mut watch::Receiver<bool>) -> Parted {
        if let Err(why) = self.ask_who_is_there(link) {
            return Parted::Lost(why);
        }
        loop {
            let until = match &self.over {
                None => None,
                Some(_) if self.probing => None,
                Some(over) if over.owed.is_empty() => return Parted::Over,
                Some(over) => Some(over.until),
            };
            // Entries come from documents and timers, so they never keep documents waiting for long. Copies are only for the page.
            tokio::select! {
                biased;
                () = asked_to_stop(stop) => return Parted::Stopped,
                durable = next_durable(&mut self.durable) => match durable {
                    Some(notices) => self.send_notices(notices),
                    None => self.room_is_gone(),
                },
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    self.options.trace.line(format_args!("not all players came back for the result"));
                    return Parted::Over;
                }
                received = link.next() => match received {
                    Ok(Received::Document(bytes)) => self.handle(&bytes).await,
                    Ok(Received::Echo) if self.probing => self.all_are_here(),
                    Ok(Received::Echo) => {}
                    Ok(Received::TooLong) => self.discard("a document that is too long"),
                    Err(why) => return Parted::Lost(why),
                },
                copy = self.overhearing.next() => self.handle_copy(&copy).await,
            }
            if let Err(why) = self.send(link) {
                return Parted::Lost(why);
            }
        }
    }

    /// Sends all documents of the mail.
    pub(super) fn send(&mut self, link: &mut Link) -> Result<(), LinkError> {
        let documents = self.mail.take();
        for line in self.mail.lines.drain(..) {
            self.options.trace.line(format_args!("{line}"));
        }
        documents.into_iter().try_for_each(|document| link.send(document))
    }

    /// Leaves for good. Then the server closes all connections.
    async fn part(self, mut link: Link) -> Result<Finished, MasterError> {
        let over = Connection::Refusal { hash: self.hash.to_string(), description: GAME_OVER.into() };
        let _gone_already = link.send(over.write());
        link.close().await;
        self.options.trace.line(format_args!("response times beyond the costs: {}", self.delays));
        self.options.trace.flush().await;
        match self.over.map(|over| over.result) {
            Some(Ok(outcome)) => Ok(Finished::Over(outcome)),
            Some(Err(error)) => Err(error),
            None => Ok(Finished::Stopped),
        }
    }

    /// Writes to the trace that a document or message is discarded.
    pub(super) fn discard(&self, why: impl std::fmt::Display) {
        self.options.trace.line(format_args!("discarded: {why}"));
    }
}

/// Waits until the log marks finished games as ended. A Game Master may have been killed after the last entry and before the
/// mark. The room of such a game adds the mark when it is opened again.
async fn mark_ended(host: &Host) {
    let is_over = |(_, handle): &NamedHandle<Game>| handle.look(|last| last.game.outcome().is_some());
    let marking = async {
        for (_, handle) in host.handles::<Game>().iter().filter(|named| is_over(named)) {
            handle.closed().await;
        }
    };
    let _too_slow = timeout(MARKING_TIMEOUT, marking).await;
}

async fn create(host: &Arc<Host>, setup: &Setup, seed: Option<i64>) -> Result<NamedHandle<Game>, MasterError> {
    let scenario = serde_json::to_string(setup).expect("a setup has only keys of text");
    let create = Create { rulebook: Some(Game::NAME.into()), scenario, edition: None, seed, timeout: None };
    let name = host.create(&create, None).await?;
    let handle = host.handle(&name).ok_or(MasterError::NotInLog)?;
    Ok((name.into(), handle))
}

/// Checks that the unfinished game of a log has the wanted configuration and seed. The address of its server may differ.
async fn check_same_game(
    host: &Host,
    name: &Arc<str>,
    handle: &GameHandle<Game>,
    setup: &Setup,
    seed: Option<i64>,
) -> Result<(), MasterError> {
    if !handle.look(|last| is_same(last.game.setup(), setup)) {
        return Err(MasterError::OtherConfiguration { game: name.clone() });
    }
    let known = seed_of(host, name).await?.0;
    match seed {
        Some(seed) if seed != known => Err(MasterError::OtherSeed { game: name.clone() }),
        Some(_) | None => Ok(()),
    }
}

/// The last game of the rulebook in the log, if it has the wanted configuration and its players may still wait for the result.
async fn just_over(host: &Host, setup: &Setup) -> Result<Option<NamedHandle<Game>>, MasterError> {
    if !host.handles::<Game>().is_empty() {
        return Ok(None);
    }
    let patience = i64::try_from(setup.patience_ms()).unwrap_or(i64::MAX);
    let since = host.world().now().saturating_sub(patience).saturating_add(1);
    let Some(record) = host.log().ended_since(Game::NAME, since).await?.into_iter().next() else { return Ok(None) };
    let found = host.past_handle::<Project>(&record).await?;
    Ok(found.filter(|(_, handle)| handle.look(|last| is_same(last.game.setup(), setup))))
}

/// The key that generates the ids of a game's messages.
async fn key_of(host: &Host, name: &str) -> Result<[u8; 32], MasterError> {
    let (seed, created) = seed_of(host, name).await?;
    let secret = format!("{name} {seed} {created}");
    Ok(blake3::derive_key("holdfast project 2026 ids of messages", secret.as_bytes()))
}

/// The hash of a log's Game Master. It is computed from the first game, and cannot be guessed without the log.
async fn hash_of(host: &Host) -> Result<Guid, MasterError> {
    let first = host.log().first().await?.ok_or(MasterError::NotInLog)?;
    let secret = format!("{} {} {}", first.name, first.about.seed, first.created);
    let hash = blake3::derive_key("holdfast project 2026 hash of the Game Master", secret.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Ok(Guid::of_random(bytes))
}

fn is_same(known: &Setup, setup: &Setup) -> bool {
    Setup { address: setup.address.clone(), ..known.clone() } == *setup
}

/// The seed of a game, and its time of creation.
async fn seed_of(host: &Host, name: &str) -> Result<(i64, i64), MasterError> {
    let head = host.log().find(name).await?;
    let record = head.ok_or(MasterError::NotInLog)?.record;
    Ok((record.about.seed, record.created))
}

/// Waits for the notices of a durable entry; `None` after the room has ended.
async fn next_durable(durable: &mut Option<mpsc::UnboundedReceiver<Vec<Notice>>>) -> Option<Vec<Notice>> {
    match durable {
        Some(durable) => durable.recv().await,
        None => std::future::pending().await,
    }
}

/// Waits until `stop` becomes true. Never returns if the sender of `stop` is dropped.
async fn asked_to_stop(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending().await
    }
}
