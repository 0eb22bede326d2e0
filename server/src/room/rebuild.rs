//! Rebuilds games from their logs, to continue them or to query them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
};

use engine::{
    Audience, Cause, Chain, CommId, Digest, Emission, Entry, EntryOf, Header, Replay, Rulebook, TimerChange,
    decode_setup,
};

use super::{Begun, Clients, Refusals, Room, RoomServices, StartedRoom, Watermark, bots::marked_bot, finish};
use crate::{
    adapter::{Adapter, SetupOf, TimerOf},
    address_limits::Used,
    clock::{Clock, Timers},
    interner::SetupInterner,
    log::{GameKey, ReplayError, Row, StoredClient},
    stream::Streams,
    sync::lock,
};

/// A game that is being rebuilt from its log.
pub trait Rebuilding: Send {
    /// Adds a client of the game.
    fn client(&mut self, client: &StoredClient);

    /// Adds the next entry, which the log has verified.
    ///
    /// # Errors
    /// If the entry cannot be decoded, or the rules give another result.
    fn entry(&mut self, bytes: &[u8], digest: Digest) -> Result<(), ReplayError>;

    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// Continues the game, which has this key in the log. The clock goes on from the last entry, and timers start again with their
    /// full length. If another host handed the game over after that entry, the clock goes on from that time, and timers are due
    /// when they were.
    fn start(self: Box<Self>, services: &Arc<RoomServices>, key: GameKey, handed_over_ms: Option<u64>) -> StartedRoom;
}

/// A game of a known rulebook that is being rebuilt.
pub(crate) struct Rebuilt<A: Adapter> {
    name: Arc<str>,
    setup: SetupOf<A>,
    chain: Chain,
    replay: Replay<A::Rules>,
    streams: Streams,
    /// The changes of timers, each with the time of the game's clock.
    timers: Vec<(u64, TimerChange<TimerOf<A>>)>,
    clients: Clients,
    added_bots: Vec<(CommId, String)>,
    refusals: Refusals,
    elapsed: u64,
}

impl<A: Adapter> Rebuilt<A> {
    pub(crate) fn new(name: &str, header: &[u8], setups: &Mutex<SetupInterner>) -> Result<Self, ReplayError> {
        let (decoded, setup) = Header::split(header).map_err(ReplayError::Header)?;
        let setup = lock(setups).share(setup, || decode_setup(setup)).map_err(ReplayError::Header)?;
        let decoded: Header<SetupOf<A>> = decoded.with_setup(setup);
        let replay = Replay::new(&decoded)?;
        Ok(Self {
            name: name.into(),
            chain: Chain::new(header),
            timers: replay.outbox().timers().iter().map(|change| (0, change.clone())).collect(),
            replay,
            setup: decoded.setup,
            streams: Streams::default(),
            clients: Clients::default(),
            added_bots: Vec::new(),
            refusals: Refusals::default(),
            elapsed: 0,
        })
    }
}

impl<A: Adapter> Rebuilding for Rebuilt<A> {
    fn client(&mut self, client: &StoredClient) {
        match marked_bot(&client.token_hash) {
            Some(bot) => {
                self.clients.mention(client.client);
                self.added_bots.push((client.client, bot.to_owned()));
            }
            None => self.clients.add(client.client, blake3::Hash::from_bytes(client.token_hash)),
        }
    }

    fn entry(&mut self, bytes: &[u8], digest: Digest) -> Result<(), ReplayError> {
        let sequence = self.chain.sequence() + 1;
        let decoded = Entry::decode(bytes).map_err(|source| ReplayError::Entry { sequence, source });
        let entry: EntryOf<A::Rules> = decoded?;
        self.replay.step(&entry)?;
        self.chain = Chain::after(entry.sequence, digest);
        if let Cause::Command { client, .. } = &entry.input.cause
            && !self.streams.players().contains(client)
        {
            self.refusals.count(*client, &entry.emissions);
        }
        for emission in &entry.emissions {
            self.streams.follow(emission);
            if let Emission::Seated { client } | Emission::Event { audience: Audience::Only(client), .. } = emission {
                self.clients.mention(*client);
            }
        }
        let at = entry.input.elapsed_ms;
        match &entry.input.cause {
            Cause::Timer { timer } => self.timers.push((at, TimerChange::Cancelled { timer: timer.clone() })),
            Cause::Command { client, .. } => self.clients.said(*client),
        }
        self.timers.extend(self.replay.outbox().timers().iter().map(|change| (at, change.clone())));
        // Only the last change of each timer counts; the list must not grow with the length of the game.
        if self.timers.len() > 64 {
            let mut kept: Vec<(u64, TimerChange<TimerOf<A>>)> = Vec::new();
            for (at, change) in self.timers.drain(..) {
                kept.retain(|(_, earlier)| earlier.timer() != change.timer());
                kept.push((at, change));
            }
            self.timers = kept;
        }
        self.elapsed = at;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.replay.game().outcome().is_some()
    }

    fn start(self: Box<Self>, services: &Arc<RoomServices>, key: GameKey, handed_over_ms: Option<u64>) -> StartedRoom {
        let handed_over_ms = handed_over_ms.filter(|handed_over_ms| *handed_over_ms >= self.elapsed);
        // The clock starts before the timers, so that no timer is due earlier than the game's own clock says.
        let clock = Clock::from(handed_over_ms.unwrap_or(self.elapsed));
        let now = clock.elapsed();
        let mut timers = Timers::new();
        for (at, change) in self.timers {
            timers.change(&[change], if handed_over_ms.is_some() { at } else { now });
        }
        let watermark = Arc::new(Watermark::of_stored_game());
        services.log.resume(key, self.chain.sequence() + 1, watermark.clone());
        let game = self.replay.into_game();
        // The process may have ended after the last entry was stored, but before the end of the game was.
        let ending = finish(services, key, &game);
        // The store does not know for which addresses bots play.
        let bot_seats = Used::nothing();
        let begun = Begun { name: self.name, key, setup: self.setup, game, clock, watermark, bot_seats };
        let mut room = Room::<A>::new(services, begun, self.chain, timers);
        room.told = room.chain.sequence();
        room.seated = self.streams.players().to_vec();
        room.streams = self.streams;
        room.clients = self.clients;
        room.added_bots = self.added_bots;
        room.ending = ending;
        room.refusals = self.refusals;
        room.start()
    }
}

/// Folds all entries of a game.
pub(crate) fn folded<A: Adapter>(header: &[u8], rows: &[Row]) -> Result<A::Rules, ReplayError> {
    let header: Header<SetupOf<A>> = Header::decode(header).map_err(ReplayError::Header)?;
    let mut replay = Replay::<A::Rules>::new(&header)?;
    for row in rows {
        let decoded = Entry::decode(&row.bytes).map_err(|source| ReplayError::Entry { sequence: row.sequence, source });
        let entry: EntryOf<A::Rules> = decoded?;
        replay.step(&entry)?;
    }
    Ok(replay.into_game())
}

/// Turns a panic of the rules into an error of this game, so that other games are not affected.
pub(crate) fn caught<T>(rebuild: impl FnOnce() -> Result<T, ReplayError>) -> Result<T, ReplayError> {
    // The caller drops the game after a panic, so its state does not matter.
    catch_unwind(AssertUnwindSafe(rebuild)).unwrap_or(Err(ReplayError::Panicked))
}
