//! The Game Master: owns the truth of one game, and answers what comes from the Communication Server.
//!
//! [`GameMaster::run`] is one task. What players ask for goes to the game's [`GameHandle`]; whatever becomes durable there is told
//! to them, in its order: `requests` is the one way, `telling` the other, and `reaching` how it comes to a server. So it can
//! be killed at any time: what anybody was told is in the log, and what was not told is asked for again, under the same id.
//! `overhearing` is for its page alone.

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc, time::Duration};

use commlib::Create;
use engine::Rulebook;
use project_rules::{Game, Outcome, Setup};
use server::{GameHandle, Host, NamedHandle, World, log::GameRecord};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until, timeout},
};

use super::{
    delays::Delays,
    link::{Heard, Link},
    mail::{Ids, Mail, end_of},
    overhearing::Overhearing,
    reaching::HANDSHAKE,
    telling::{Tell, told},
};
use crate::{
    LocalConnector, Project, TraceFile,
    documents::{Connection, GAME_OVER, Guid, game_state::End},
};

/// How soon after a connection another one is made.
const APART: Duration = Duration::from_secs(1);

/// How long a game that is over may take to be marked so in the log.
const MARKING: Duration = Duration::from_secs(10);

/// What a Game Master is started with.
#[derive(Clone, Debug)]
pub struct MasterOptions {
    /// Where the Communication Server listens.
    pub server: SocketAddr,
    /// By which hash the server knows this Game Master again. Without one it is computed from the game, so that it is the
    /// same after a restart with the same log.
    pub hash: Option<Guid>,
    /// Of a new game; without one it is drawn.
    pub seed: Option<i64>,
    /// Its trace of messages and errors.
    pub trace: TraceFile,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finished {
    /// The game is over, and its players were told.
    Over(Outcome),
    /// Somebody stopped it; the game goes on another time.
    Stopped,
}

/// One game and its players on the wire.
#[expect(missing_debug_implementations, reason = "most of it is a host")]
pub struct GameMaster {
    /// What the game is called in the log.
    name: Arc<str>,
    pub(super) handle: GameHandle<Game>,
    pub(super) world: Arc<dyn World>,
    /// The server, if it is in this process.
    pub(super) local: Option<LocalConnector>,
    pub(super) options: MasterOptions,
    pub(super) hash: Guid,
    pub(super) mail: Mail,
    pub(super) delays: Delays,
    /// What to tell of everything that becomes durable, until the room is gone.
    pub(super) durable: Option<mpsc::UnboundedReceiver<Vec<Tell>>>,
    pub(super) over: Option<Over>,
    /// The server was asked who is there, and has not answered yet.
    pub(super) probing: bool,
    pub(super) overhearing: Overhearing,
}

/// The end, while not everybody has heard of it.
pub(super) struct Over {
    pub(super) end: End,
    pub(super) result: Result<Outcome, String>,
    /// Players that may still come back to hear it.
    pub(super) owed: BTreeSet<u32>,
    /// Who of them is not there, as far as the server has said.
    pub(super) absent: BTreeSet<u32>,
    pub(super) until: Instant,
    /// How many were told.
    pub(super) told: usize,
}

impl Over {
    pub(super) fn new(end: End, result: Result<Outcome, String>) -> Self {
        Self { end, result, owed: BTreeSet::new(), absent: BTreeSet::new(), until: Instant::now(), told: 0 }
    }
}

/// Why the Game Master no longer attends to a connection.
enum Parted {
    Over,
    Stopped,
    Lost(String),
}

impl GameMaster {
    /// Goes on with the unfinished game of the host's log, or makes one. Needs a runtime.
    pub async fn open(host: &Arc<Host>, setup: &Setup, options: MasterOptions) -> Result<Self, String> {
        mark_ended(host).await;
        let (name, handle) = match <[_; 1]>::try_from(host.handles::<Game>()) {
            Ok([(name, handle)]) => {
                same_game(host, &name, &handle, setup, options.seed).await?;
                options.trace.line(format_args!("goes on with the game {name} of the log"));
                (name, handle)
            }
            Err(several) if several.is_empty() => create(host, setup, options.seed).await?,
            Err(_) => return Err("the log holds several unfinished games".into()),
        };
        handle.stored().await.map_err(|refused| refused.message)?;
        let durable = handle.follow(told).await.map_err(|refused| refused.message)?;
        Self::new(host, name, handle, Some(durable), options).await
    }

    /// Tells those who still wait for it how the last game of the log ended, if it ended just now: a Game Master may be killed
    /// between the end and its telling. Nothing if nobody is there who waits.
    pub async fn tell_late(
        host: &Arc<Host>,
        setup: &Setup,
        options: MasterOptions,
    ) -> Result<Option<Finished>, String> {
        mark_ended(host).await;
        let Some((name, handle)) = just_over(host, setup).await? else { return Ok(None) };
        let Some(outcome) = handle.look(|last| last.game.outcome()) else { return Ok(None) };
        let mut master = Self::new(host, name, handle, None, options).await?;
        let over = Over { until: Instant::now(), ..Over::new(end_of(&outcome), Ok(outcome)) };
        master.over = Some(over);
        let Ok(Ok(mut link)) = timeout(HANDSHAKE, master.shake_hands()).await else { return Ok(None) };
        let (_nobody_stops, mut never) = watch::channel(false);
        let parted = master.attend(&mut link, &mut never).await;
        let told = master.over.as_ref().is_some_and(|over| over.told > 0);
        match parted {
            Parted::Over if told => master.part(link).await.map(Some),
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
        durable: Option<mpsc::UnboundedReceiver<Vec<Tell>>>,
        options: MasterOptions,
    ) -> Result<Self, String> {
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
            probing: false,
            overhearing: Overhearing::default(),
        })
    }

    /// What the game is called in the log, and on its page.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn hash(&self) -> Guid {
        self.hash
    }

    /// From now on this Game Master connects to a server of its own process, whatever its options say.
    pub fn connect_locally(&mut self, server: LocalConnector) {
        self.local = Some(server);
    }

    /// Plays until the game is over and told, `stop` says true, or the server is lost for good.
    pub async fn run(self, stop: watch::Receiver<bool>) -> Result<Finished, String> {
        let trace = self.options.trace.clone();
        let finished = self.play(stop).await;
        trace.flush().await;
        finished
    }

    async fn play(mut self, mut stop: watch::Receiver<bool>) -> Result<Finished, String> {
        // What is durable already was told when it became so, or is told to those who come back.
        if let Some(durable) = &mut self.durable {
            let _the_last = durable.recv().await;
        }
        let mut attempts = self.handle.look(|last| last.game.setup().reconnection_attempts).max(1);
        loop {
            let reached = tokio::select! {
                reached = self.reach(attempts) => reached,
                () = asked_to_stop(&mut stop) => return Ok(Finished::Stopped),
            };
            let since = Instant::now();
            let mut link = reached.inspect_err(|why| self.options.trace.line(format_args!("gives up: {why}")))?;
            match self.attend(&mut link, &mut stop).await {
                Parted::Over => return self.part(link).await,
                // Whoever has not come back by now does not hear it; all others know, and the server may end too.
                Parted::Stopped if self.over.is_some() => return self.part(link).await,
                Parted::Stopped => {
                    self.options.trace.line(format_args!("stopped; the game goes on another time"));
                    link.close().await;
                    return Ok(Finished::Stopped);
                }
                Parted::Lost(why) => self.options.trace.line(format_args!("the server is lost: {why}")),
            }
            // A server that takes and drops it again and again is not kept busy with that.
            tokio::select! {
                () = sleep_until(since + APART) => {}
                () = asked_to_stop(&mut stop) => return Ok(Finished::Stopped),
            }
            attempts = self.handle.look(|last| last.game.setup().reconnection_attempts);
        }
    }

    /// Talks to the server until one of them has enough.
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
            tokio::select! {
                heard = link.next() => match heard {
                    Ok(Heard::Document(bytes)) => self.hear(&bytes).await,
                    Ok(Heard::Echo) if self.probing => self.all_are_here(),
                    Ok(Heard::Echo) => {}
                    Ok(Heard::TooLong) => self.discarded("a document that is too long"),
                    Err(why) => return Parted::Lost(why),
                },
                durable = next_durable(&mut self.durable) => match durable {
                    Some(tells) => self.tell_all(tells),
                    None => self.room_is_gone(),
                },
                copy = self.overhearing.next() => self.overheard(&copy).await,
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    self.options.trace.line(format_args!("not everybody came back to hear of the end"));
                    return Parted::Over;
                }
                () = asked_to_stop(stop) => return Parted::Stopped,
            }
            if let Err(why) = self.send(link) {
                return Parted::Lost(why);
            }
        }
    }

    /// Sends everything that was put into the mail.
    pub(super) fn send(&mut self, link: &mut Link) -> Result<(), String> {
        let documents = self.mail.take();
        for line in self.mail.lines.drain(..) {
            self.options.trace.line(format_args!("{line}"));
        }
        documents.into_iter().try_for_each(|document| link.send(document))
    }

    /// Leaves for good. The server closes all connections then.
    async fn part(self, mut link: Link) -> Result<Finished, String> {
        let over = Connection::Refusal { hash: self.hash.to_string(), description: GAME_OVER.into() };
        let _gone_already = link.send(over.write());
        link.close().await;
        self.options.trace.line(format_args!("response times beyond the costs: {}", self.delays));
        self.options.trace.flush().await;
        match self.over.map(|over| over.result) {
            Some(Ok(outcome)) => Ok(Finished::Over(outcome)),
            Some(Err(why)) => Err(why),
            None => Ok(Finished::Stopped),
        }
    }

    /// Something that came goes nowhere.
    pub(super) fn discarded(&self, why: impl std::fmt::Display) {
        self.options.trace.line(format_args!("discarded: {why}"));
    }
}

/// A Game Master that is killed between the last entry and its mark leaves a game that is over without the log saying so.
/// Its room does that as soon as it is open again.
async fn mark_ended(host: &Host) {
    let is_over = |(_, handle): &NamedHandle<Game>| handle.look(|last| last.game.outcome().is_some());
    let marking = async {
        for (_, handle) in host.handles::<Game>().iter().filter(|named| is_over(named)) {
            handle.closed().await;
        }
    };
    let _too_slow = timeout(MARKING, marking).await;
}

/// Makes a game.
async fn create(host: &Arc<Host>, setup: &Setup, seed: Option<i64>) -> Result<NamedHandle<Game>, String> {
    let scenario = serde_json::to_string(setup).map_err(|error| error.to_string())?;
    let create = Create { rulebook: Some(Game::NAME.into()), scenario, edition: None, seed, timeout: None };
    let name = host.create(&create, None).await.map_err(|refused| refused.message)?;
    let handle = host.handle(&name).ok_or("the game ended at once")?;
    Ok((name.into(), handle))
}

/// Whether the unfinished game of a log is the one that is asked for. Its server may have moved.
async fn same_game(
    host: &Host,
    name: &str,
    handle: &GameHandle<Game>,
    setup: &Setup,
    seed: Option<i64>,
) -> Result<(), String> {
    if !handle.look(|last| is_same(last.game.setup(), setup)) {
        return Err(format!("the log holds the unfinished game {name} of another configuration"));
    }
    let known = seed_of(host, name).await?.0;
    match seed {
        Some(seed) if seed != known => Err(format!("the log holds the unfinished game {name} with another seed")),
        Some(_) | None => Ok(()),
    }
}

/// The last game of the log, if it was asked for and has ended so lately that its players may wait to hear of it.
async fn just_over(host: &Host, setup: &Setup) -> Result<Option<NamedHandle<Game>>, String> {
    if !host.handles::<Game>().is_empty() {
        return Ok(None);
    }
    let last = host.log().page(None, 1).await.map_err(|error| error.to_string())?.pop();
    let lately = |ended: i64| u64::try_from(host.world().now() - ended).is_ok_and(|age| age < setup.patience());
    let ended = |record: &GameRecord| record.end.as_ref().is_some_and(|end| lately(end.at));
    let Some(record) = last.filter(|record| record.about.rulebook == Game::NAME && ended(record)) else {
        return Ok(None);
    };
    let found = host.past_handle::<Project>(&record).await.map_err(|error| error.to_string())?;
    Ok(found.filter(|(_, handle)| handle.look(|last| is_same(last.game.setup(), setup))))
}

/// What the ids of a game's messages are made from.
async fn key_of(host: &Host, name: &str) -> Result<[u8; 32], String> {
    let (seed, created) = seed_of(host, name).await?;
    let secret = format!("{name} {seed} {created}");
    Ok(blake3::derive_key("holdfast project 2026 ids of messages", secret.as_bytes()))
}

/// The hash of the Game Master of a log, made from its first game: only who has the log knows it.
async fn hash_of(host: &Host) -> Result<Guid, String> {
    let games = host.log().list().await.map_err(|error| error.to_string())?;
    let first = games.iter().min_by_key(|record| record.key).ok_or("the log has no game")?;
    let secret = format!("{} {} {}", first.name, first.about.seed, first.created);
    let hash = blake3::derive_key("holdfast project 2026 hash of the Game Master", secret.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Ok(Guid::of_random(bytes))
}

fn is_same(known: &Setup, setup: &Setup) -> bool {
    Setup { address: setup.address.clone(), ..known.clone() } == *setup
}

/// The seed of a game, and when it was made.
async fn seed_of(host: &Host, name: &str) -> Result<(i64, i64), String> {
    let head = host.log().find(name).await.map_err(|error| error.to_string())?;
    let record = head.ok_or("the game is not in the log")?.record;
    Ok((record.about.seed, record.created))
}

/// What has become durable; nothing once the room is gone.
async fn next_durable(durable: &mut Option<mpsc::UnboundedReceiver<Vec<Tell>>>) -> Option<Vec<Tell>> {
    match durable {
        Some(durable) => durable.recv().await,
        None => std::future::pending().await,
    }
}

/// Returns when somebody says so; never when nobody can any more.
async fn asked_to_stop(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending().await
    }
}
