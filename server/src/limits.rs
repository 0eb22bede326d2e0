//! Limits for one client, and for all clients together.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use commlib::{Reason, Refused};
use tokio::time::{Instant, sleep};

use crate::{address_limits::AddressLimits, client_address::ClientAddress, metrics::Metrics, sync::lock};

/// The limits of a host. A client that exceeds a limit receives the reason; no other client is affected.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Sizes and time limits of messages.
    pub wire: commlib::Limits,
    /// The maximum number of client connections.
    pub connections: usize,
    /// The maximum number of client connections from one address.
    pub connections_per_address: usize,
    /// The maximum number of connections of the HTTP port; further ones wait.
    pub http_connections: usize,
    /// How long the HTTP port waits for the head of a request, including the next request of the same connection.
    pub http_head: Duration,
    /// The maximum number of HTTP connections that watch live games or play.
    pub watchers: usize,
    /// The maximum number of clients and requests that other hosts pass on to this one.
    pub forwarded: usize,
    /// The maximum number of open games.
    pub games: usize,
    /// The maximum number of games that one connection may create.
    pub games_per_connection: usize,
    /// Messages per second that the host takes from a connection. Bursts of up to one second's worth are allowed. A faster
    /// client is slowed down to this rate. A client that never waits for an answer is disconnected, see
    /// [`Self::messages_ahead`].
    pub messages_per_second: u32,
    /// How long a client may read nothing while the host sends to it.
    pub stall: Duration,
    /// The longest deadline of a game, in milliseconds.
    pub longest_timeout: u64,
    /// How long clients wait for a log that cannot be written, before they are disconnected. They can resume later.
    pub store_patience: Duration,
    /// The limits of chat.
    pub chat: ChatLimits,
    /// The limits for each address.
    pub per_address: AddressLimits,
    /// The limits for refused commands of clients without a seat. Each of them is an entry of the log.
    pub refusals: RefusalLimits,
    /// When a game ends by itself because all of its players have left.
    pub abandoned: AbandonedLimits,
}

/// How many refused commands of clients without a seat a log keeps. Further ones are refused without an entry.
#[derive(Clone, Copy, Debug)]
pub struct RefusalLimits {
    /// Of one client.
    pub per_client: u32,
    /// Of all such clients of a game.
    pub per_game: u32,
}

impl Default for RefusalLimits {
    fn default() -> Self {
        Self { per_client: 32, per_game: 256 }
    }
}

/// How long a game goes on without any of its players and without a command. `None` means without limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbandonedLimits {
    /// A game that waits for players.
    pub waiting: Option<Duration>,
    /// A game that has begun.
    pub running: Option<Duration>,
}

/// The limits of the chat of a game.
#[derive(Clone, Copy, Debug)]
pub struct ChatLimits {
    /// The maximum number of characters in a line.
    pub longest: usize,
    /// Lines per minute that a player may write. All spectators of a game together may write as many, and each of them half as many.
    pub per_minute: u32,
    /// Lines that may come at once.
    pub at_once: u32,
    /// How many lines of a game are kept. Older ones are deleted.
    pub kept: u32,
    /// How long a line waits to be stored before its writer is told that it was not, and how long a snapshot waits for the last lines.
    pub patience: Duration,
}

impl Default for ChatLimits {
    fn default() -> Self {
        Self { longest: 300, per_minute: 30, at_once: 5, kept: 500, patience: Duration::from_secs(3) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wire: commlib::Limits { command: 64 * 1024, ..commlib::Limits::default() },
            connections: 50_000,
            connections_per_address: 1_000,
            http_connections: 1_000,
            http_head: Duration::from_secs(10),
            watchers: 800,
            forwarded: 100_000,
            games: 100_000,
            games_per_connection: 100,
            messages_per_second: 200,
            stall: Duration::from_secs(20),
            longest_timeout: Duration::from_secs(7 * 24 * 3600).as_millis() as u64,
            store_patience: Duration::from_secs(60),
            chat: ChatLimits::default(),
            per_address: AddressLimits::default(),
            refusals: RefusalLimits::default(),
            abandoned: AbandonedLimits::default(),
        }
    }
}

impl Limits {
    /// Every client may send so many messages before it waits for an answer, whatever its rate.
    pub const FEWEST_AHEAD: u32 = 100;

    /// How many more messages a client may send before it waits for an answer, from the first message that is slowed down: one
    /// second's worth, and at least [`Self::FEWEST_AHEAD`]. A client that never waits is a flood, and is disconnected.
    ///
    /// A flood that is only slowed down costs no memory: the host reads no faster than the rate, so the buffers of the system
    /// fill up and stop the sender. But it would use its whole rate without end.
    pub fn messages_ahead(&self) -> u32 {
        self.messages_per_second.max(Self::FEWEST_AHEAD)
    }
}

/// Counts the open connections of a port, by address.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    open: Arc<Mutex<Counts>>,
    metrics: Arc<Metrics>,
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    by_address: HashMap<ClientAddress, usize>,
}

/// An open connection; counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    open: Arc<Mutex<Counts>>,
    metrics: Arc<Metrics>,
    address: Option<ClientAddress>,
}

impl Connections {
    pub(crate) fn new(metrics: Arc<Metrics>) -> Self {
        Self { open: Arc::default(), metrics }
    }

    /// Takes a connection. One without an address, from a trusted proxy, counts only among all.
    pub(crate) fn admit(&self, address: Option<ClientAddress>, limits: &Limits) -> Result<Counted, Refused> {
        let mut counts = lock(&self.open);
        let here = address.and_then(|address| counts.by_address.get(&address)).copied().unwrap_or_default();
        let refuse = |what: &str, most: usize| {
            self.metrics.connections_refused.count(Reason::TooMany);
            Err(Refused::new(Reason::TooMany, format!("There are {most} connections {what} already; try again later.")))
        };
        if counts.all >= limits.connections {
            return refuse("in all", limits.connections);
        }
        if here >= limits.connections_per_address {
            return refuse("from your address", limits.connections_per_address);
        }
        counts.all += 1;
        address.into_iter().for_each(|address| _ = counts.by_address.insert(address, here + 1));
        self.metrics.connections_accepted.add(1);
        self.metrics.connections_open.up();
        Ok(Counted { open: self.open.clone(), metrics: self.metrics.clone(), address })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = lock(&self.open);
        counts.all -= 1;
        self.metrics.connections_open.down();
        let Some(address) = self.address else { return };
        if let Some(here) = counts.by_address.get_mut(&address) {
            *here -= 1;
            if *here == 0 {
                counts.by_address.remove(&address);
            }
        }
    }
}

/// Whether a message may be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Go,
    /// The message must wait for this time.
    Wait(Duration),
}

/// A token bucket that gains `rate` tokens per second and holds at most one second's worth.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: f64,
    tokens: f64,
    since: Instant,
}

impl Bucket {
    pub(crate) fn new(per_second: u32) -> Self {
        let rate = f64::from(per_second);
        Self { rate, tokens: rate, since: Instant::now() }
    }

    /// Takes tokens, or returns the time until they are available. More than the bucket holds are as many as it holds.
    pub(crate) fn take(&mut self, tokens: u32) -> Pace {
        let tokens = f64::from(tokens).min(self.rate);
        self.gain();
        if self.tokens < tokens {
            // No timer is finer. A rounded wait could be zero, and then time would not pass.
            let wait = Duration::from_secs_f64((tokens - self.tokens) / self.rate).max(Duration::from_millis(1));
            return Pace::Wait(wait);
        }
        self.tokens -= tokens;
        Pace::Go
    }

    /// Waits for tokens and takes them. Cancel-safe.
    pub(crate) async fn wait(&mut self, tokens: u32) {
        while let Pace::Wait(wait) = self.take(tokens) {
            sleep(wait).await;
        }
    }

    /// Whether the next token is not available yet.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.gain();
        self.tokens < 1.0
    }

    fn gain(&mut self) {
        let now = Instant::now();
        let gained = (now - self.since).as_secs_f64() * self.rate;
        self.tokens = (self.tokens + gained).min(self.rate);
        self.since = now;
    }
}

/// Lines of chat that may still be written: a token bucket whose holder does not wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    lines: f64,
    since: Instant,
}

impl Allowance {
    pub(crate) fn new(at_once: u32) -> Self {
        Self { lines: f64::from(at_once), since: Instant::now() }
    }

    /// Takes a line, or returns the time until one may be written.
    pub(crate) fn take(&mut self, per_minute: u32, at_once: u32) -> Result<(), Duration> {
        let (now, rate) = (Instant::now(), f64::from(per_minute.max(1)) / 60.0);
        self.lines = (self.lines + (now - self.since).as_secs_f64() * rate).min(f64::from(at_once.max(1)));
        self.since = now;
        if self.lines < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.lines) / rate));
        }
        self.lines -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn connections_are_counted_until_they_end() {
        let limits = Limits { connections: 3, connections_per_address: 2, ..Limits::default() };
        let connections = Connections::new(Arc::new(Metrics::new()));
        let address = |last| Some(ClientAddress::from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last))));
        let (one, other) = (address(1), address(2));
        let first = connections.admit(one, &limits).expect("the first");
        let _second = connections.admit(one, &limits).expect("the second");
        let refused = connections.admit(one, &limits).expect_err("two from one address");
        assert_eq!(refused.message, "There are 2 connections from your address already; try again later.");
        let _third = connections.admit(other, &limits).expect("another address");
        let refused = connections.admit(other, &limits).expect_err("three in all");
        assert_eq!(refused.message, "There are 3 connections in all already; try again later.");
        drop(first);
        assert_eq!(lock(&connections.open).all, 2);
        assert!(connections.admit(one, &limits).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn an_allowance_says_how_long_to_wait() {
        let mut lines = Allowance::new(2);
        let mut take = || lines.take(30, 2).map_err(|wait| wait.as_millis());
        assert_eq!([take(), take(), take()], [Ok(()), Ok(()), Err(2000)]);
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(take(), Err(1500), "a refused line costs nothing");
        tokio::time::advance(Duration::from_secs(600)).await;
        assert_eq!([take(), take(), take()], [Ok(()), Ok(()), Err(2000)], "no more than at once");
    }

    #[tokio::test(start_paused = true)]
    async fn a_bucket_fills_again() {
        let mut bucket = Bucket::new(10);
        let goes = |bucket: &mut Bucket| (0..30).filter(|_| bucket.take(1) == Pace::Go).count();
        assert_eq!(goes(&mut bucket), 10, "a second's worth at once");
        assert_eq!(bucket.take(1), Pace::Wait(Duration::from_millis(100)));
        assert_eq!(bucket.take(5), Pace::Wait(Duration::from_millis(500)), "some messages cost more");
        assert_eq!(bucket.take(99), Pace::Wait(Duration::from_secs(1)), "but never more than the bucket holds");
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(goes(&mut bucket), 5);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(goes(&mut bucket), 10, "no more than a second's worth, however long it was not used");
    }
}
