//! The Communication Server of the project game. It forwards messages between a Game Master and players, and contains no rules.
//!
//! - It parses envelopes only and forwards the bytes that it received. It discards invalid documents, writes them to the
//!   trace, and keeps the connection open.
//! - It stores nothing, and discards messages to a player that is not connected. If it loses the Game Master, it waits for it
//!   to come back. If the Game Master has sent `End` to every player or [`GAME_OVER`](crate::documents::GAME_OVER) before it left,
//!   the server ends instead.
//! - It reports lost players to the Game Master with [`CONNECTION_LOST`](crate::documents::CONNECTION_LOST).
//! - It disconnects a player that reads the Game Master's messages too slowly. While the Game Master is slow, the server stops
//!   reading from the players that send to it. The server discards messages between players if the receiver is slow. So no
//!   client can cause the disconnection of another.
//! - It sends the Game Master's messages before those of players, so that no client can make the answers to another late.
//! - Players take turns on the Game Master's link, so that they share it by bytes.

mod handshake;
mod outbox;
mod peer;
mod routing;
mod socket;
mod stream;
mod table;
#[cfg(test)]
mod tests;

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use server::Stream;
use tokio::{
    io::split,
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

use crate::{
    TraceFile,
    documents::Guid,
    local::{LocalConnection, LocalListener},
};
use outbox::Outbox;
use peer::{Incoming, Peer};
use socket::SocketWriter;
use stream::StreamWriter;
use table::Table;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// If set, the server accepts only the Game Master with this hash.
    pub gm_hash: Option<Guid>,
    /// The number of intervals for which the server waits for a lost Game Master.
    pub attempts: u32,
    /// The length of an interval.
    pub interval: Duration,
    /// Limits on clients.
    pub limits: Limits,
    /// The server sends a copy of each message between players to this channel: frames without their end byte. Copies that do
    /// not fit into the channel are dropped.
    pub copies: Option<mpsc::Sender<Box<[u8]>>>,
}

impl Default for Options {
    fn default() -> Self {
        let (attempts, interval) = (5, Duration::from_secs(20));
        Self { gm_hash: None, attempts, interval, limits: Limits::default(), copies: None }
    }
}

/// Limits on clients and their messages.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest frame in bytes, without its end byte.
    pub frame: usize,
    /// How many bytes may wait for a client. The server disconnects a client that has more to read.
    pub queue: usize,
    /// How many bytes may wait for a client before the server holds back or discards messages of players to it.
    pub courtesy: usize,
    /// How many clients may be connected.
    pub connections: usize,
    /// How long a client may be connected before it sends a request to join.
    pub handshake: Duration,
    /// How long the Game Master may read nothing while a player's message waits for it.
    pub stall: Duration,
    /// How long a client may send nothing, not even a keep-alive.
    pub silence: Option<Duration>,
    /// How long a client may take to read the remaining data while its connection is being closed.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame: 1 << 20,
            queue: 4 << 20,
            courtesy: 128 << 10,
            connections: 256,
            handshake: Duration::from_secs(30),
            stall: Duration::from_secs(20),
            silence: None,
            farewell: Duration::from_secs(2),
        }
    }
}

/// Why a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The Game Master ended the game, and left.
    Over,
    /// The connection to the Game Master was lost, and the Game Master did not come back.
    MasterLost,
    /// The operator stopped the server.
    Stopped,
}

/// Where a server accepts connections.
#[derive(Debug)]
pub struct Listeners {
    network: Network,
    /// Connections of a Game Master in the same process.
    local: Option<LocalListener>,
}

/// A stream that another part of the program accepted, and the address of the client.
pub type AcceptedStream = (Box<dyn Stream>, SocketAddr);

/// Where clients of other processes come from.
enum Network {
    Tcp(TcpListener),
    Streams(mpsc::UnboundedReceiver<AcceptedStream>),
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(listener) => listener.fmt(f),
            Self::Streams(_) => f.write_str("Streams"),
        }
    }
}

impl Network {
    async fn accept(&mut self) -> io::Result<Accepted> {
        match self {
            Self::Tcp(listener) => listener.accept().await.map(|(stream, address)| Accepted::Tcp(stream, address)),
            Self::Streams(streams) => match streams.recv().await {
                Some((stream, address)) => Ok(Accepted::Stream(stream, address)),
                // All senders are dropped, so no client comes any more.
                None => std::future::pending().await,
            },
        }
    }
}

impl From<TcpListener> for Listeners {
    fn from(tcp: TcpListener) -> Self {
        Self { network: Network::Tcp(tcp), local: None }
    }
}

impl Listeners {
    /// Accepts connections over TCP and from within the process.
    pub fn with_local(tcp: TcpListener, local: LocalListener) -> Self {
        Self { network: Network::Tcp(tcp), local: Some(local) }
    }

    /// Serves streams that another part of the program accepts, without a port, and connections from within the process.
    pub fn from_streams(streams: mpsc::UnboundedReceiver<AcceptedStream>, local: Option<LocalListener>) -> Self {
        Self { network: Network::Streams(streams), local }
    }

    async fn accept(&mut self) -> io::Result<Accepted> {
        let local = async {
            match &mut self.local {
                Some(local) => local.accept().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            connection = local => Ok(Accepted::Local(connection)),
            accepted = self.network.accept() => accepted,
        }
    }
}

/// A connection that was just accepted.
enum Accepted {
    Tcp(TcpStream, SocketAddr),
    Stream(Box<dyn Stream>, SocketAddr),
    Local(LocalConnection),
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(_, address) | Self::Stream(_, address) => write!(f, "{address}"),
            Self::Local(_) => f.write_str("this process"),
        }
    }
}

/// Runs the server until the game is over, the Game Master is lost for good, or `stop` becomes true or is dropped. Then closes
/// all connections.
pub async fn serve(
    listeners: impl Into<Listeners>,
    options: Options,
    trace: TraceFile,
    mut stop: watch::Receiver<bool>,
) -> Ended {
    let mut listeners = listeners.into();
    let switchboard = Arc::new(Switchboard::new(options, trace));
    let mut presence = switchboard.presence.subscribe();
    let mut connections = JoinSet::new();
    let mut number = 0;
    let ended = loop {
        let now = *presence.borrow_and_update();
        let accepted = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break Ended::Stopped,
            _ = presence.changed() => continue,
            ended = gone_for_good(now) => break ended,
            accepted = listeners.accept() => accepted,
        };
        match accepted {
            Ok(accepted) => {
                while connections.try_join_next().is_some() {}
                if connections.len() >= switchboard.options.limits.connections {
                    let Some(oldest) = switchboard.table().oldest_stranger().cloned() else {
                        switchboard.trace.line(format_args!("{accepted} rejected: too many connections"));
                        continue;
                    };
                    oldest.evict("another client needs its place");
                    // An evicted connection closes at once, so this does not wait.
                    connections.join_next().await;
                }
                number += 1;
                connections.spawn(attend(accepted, number, Arc::clone(&switchboard)));
            }
            Err(error) => {
                // Most likely the process has too many open files. Some of them may be closed soon.
                switchboard.trace.line(format_args!("cannot accept a connection: {error}"));
                sleep(Duration::from_millis(50)).await;
            }
        }
    };
    drop(listeners);
    switchboard.trace.line(format_args!(
        "{}",
        match ended {
            Ended::Over => "the game is over: all connections are closed",
            Ended::MasterLost => "the Game Master did not come back: all connections are closed",
            Ended::Stopped => "stopped: all connections are closed",
        }
    ));
    switchboard.table().close_all();
    let all = async { while connections.join_next().await.is_some() {} };
    // Each connection has its own, shorter limit. This limit guards against a bug.
    let _ = timeout(3 * switchboard.options.limits.farewell, all).await;
    switchboard.trace.flush().await;
    ended
}

async fn gone_for_good(presence: Presence) -> Ended {
    match presence {
        Presence::Over => Ended::Over,
        Presence::Away { until, has_ended } => {
            sleep_until(until).await;
            if has_ended { Ended::Over } else { Ended::MasterLost }
        }
        Presence::Expected | Presence::Here => std::future::pending().await,
    }
}

async fn attend(accepted: Accepted, number: u64, switchboard: Arc<Switchboard>) {
    let name = accepted.to_string();
    let (incoming, outbox) = match accepted {
        Accepted::Tcp(stream, _) => {
            if let Err(error) = socket::prepare(&stream) {
                switchboard.trace.line(format_args!("{name} rejected: {error}"));
                return;
            }
            let (reader, writer) = stream.into_split();
            (Incoming::Socket(Box::new(reader)), Outbox::socket(SocketWriter::Tcp(writer)))
        }
        Accepted::Stream(stream, _) => {
            let (reader, writer) = split(stream);
            (Incoming::Socket(Box::new(reader)), Outbox::socket(SocketWriter::Stream(StreamWriter::new(writer))))
        }
        Accepted::Local(LocalConnection { reader, writer }) => (Incoming::Local(reader), Outbox::Local(writer)),
    };
    switchboard.trace.line(format_args!("{name} connected"));
    let peer = Arc::new(Peer::new(number, name, outbox));
    switchboard.table().admit(Arc::clone(&peer));
    peer::attend(peer, incoming, switchboard).await;
}

/// State that all connections share.
#[derive(Debug)]
struct Switchboard {
    options: Options,
    trace: TraceFile,
    table: Mutex<Table>,
    presence: watch::Sender<Presence>,
}

/// Whether the Game Master is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// The Game Master has not connected yet.
    Expected,
    Here,
    Away {
        until: Instant,
        /// Whether it had begun to end the game.
        has_ended: bool,
    },
    /// The Game Master ended the game, and left.
    Over,
}

impl Switchboard {
    fn new(options: Options, trace: TraceFile) -> Self {
        let presence = watch::Sender::new(Presence::Expected);
        Self { options, trace, table: Mutex::new(Table::default()), presence }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes to the trace that the server discards a client's document.
    fn discard(&self, peer: &Peer, why: impl fmt::Display) {
        self.trace.line(format_args!("{peer} discarded: {why}"));
    }
}
