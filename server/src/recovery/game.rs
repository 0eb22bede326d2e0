//! A game of a known rulebook that is being rebuilt.

use std::sync::{Arc, Mutex};

use engine::{Audience, Cause, Chain, Digest, Emission, Entry, EntryOf, Header, Replay, TimerChange, decode_setup};

use super::Recovering;
use crate::{
    clock::{Clock, Timers},
    host::{Host, lock},
    hosted::Hosted,
    log::{GameKey, StoredClient},
    room::{Clients, Room, Watermark, finish, game_logger},
    setups::Setups,
    stream::Streams,
};

pub(crate) struct Game<R: Hosted> {
    name: Arc<str>,
    setup: R::Setup,
    chain: Chain,
    replay: Replay<R>,
    streams: Streams,
    timers: Vec<TimerChange<R::Timer>>,
    clients: Clients,
    elapsed: u64,
}

impl<R: Hosted> Game<R> {
    pub(crate) fn new(name: &str, header: &[u8], setups: &Mutex<Setups>) -> Result<Self, String> {
        let (decoded, setup) = Header::split(header).map_err(|error| error.to_string())?;
        let setup = lock(setups).share(setup, || decode_setup(setup)).map_err(|error| error.to_string())?;
        let decoded: Header<R::Setup> = decoded.with_setup(setup);
        let replay = Replay::new(&decoded).map_err(|difference| difference.to_string())?;
        Ok(Self {
            name: name.into(),
            chain: Chain::new(header),
            timers: replay.outbox().timers().to_vec(),
            replay,
            setup: decoded.setup,
            streams: Streams::default(),
            clients: Clients::default(),
            elapsed: 0,
        })
    }
}

impl<R: Hosted> Recovering for Game<R> {
    fn client(&mut self, client: &StoredClient) {
        self.clients.add(client.client, blake3::Hash::from_bytes(client.token_hash));
    }

    fn entry(&mut self, bytes: &[u8], digest: Digest) -> Result<(), String> {
        let entry: EntryOf<R> = Entry::decode(bytes).map_err(|error| error.to_string())?;
        self.replay.step(&entry).map_err(|difference| difference.to_string())?;
        self.chain = Chain::after(entry.sequence, digest);
        for emission in &entry.emissions {
            self.streams.follow(emission);
            if let Emission::Seated { client } | Emission::Event { audience: Audience::Only(client), .. } = emission {
                self.clients.mention(*client);
            }
        }
        match &entry.input.cause {
            Cause::Timer { timer } => self.timers.push(TimerChange::Cancelled { timer: timer.clone() }),
            Cause::Command { client, .. } => self.clients.said(*client),
        }
        self.timers.extend_from_slice(self.replay.outbox().timers());
        // Only the last word on each timer counts; a long game must not keep them all.
        if self.timers.len() > 64 {
            let mut kept: Vec<TimerChange<R::Timer>> = Vec::new();
            for change in self.timers.drain(..) {
                kept.retain(|earlier| earlier.timer() != change.timer());
                kept.push(change);
            }
            self.timers = kept;
        }
        self.elapsed = entry.input.elapsed;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.replay.game().outcome().is_some()
    }

    fn start(self: Box<Self>, host: &Arc<Host>, key: GameKey) {
        // Before the timers: none of them may be due earlier than the game's own clock says.
        let clock = Clock::from(self.elapsed);
        let mut timers = Timers::new();
        timers.change(&self.timers);
        let watermark = Arc::new(Watermark::default());
        host.options.log.resume(key, self.chain.sequence() + 1, watermark.clone());
        let logger = game_logger(&host.options.logger, &self.name);
        let game = self.replay.into_game();
        // The process may have ended between the last entry and the word that it was the last.
        let ending = game.outcome().map(|outcome| {
            let players = R::players(&game.board());
            finish(&*host.options.log, key, outcome.to_string(), players)
        });
        let mut room = Room::new(self.name, key, self.setup, game, self.chain, clock, timers, watermark, host, logger);
        room.told = room.chain.sequence();
        room.streams = self.streams;
        room.clients = self.clients;
        room.ending = ending;
        host.start(room);
    }
}
