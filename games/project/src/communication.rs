//! The Communication Server of the project game: passes messages between a Game Master and players, and knows no rules.
//!
//! - It reads envelopes only, and cuts what it passes on out of the bytes that came. What is bad is discarded and logged,
//!   and the connection lives on.
//! - It keeps nothing: messages for somebody who is not there are discarded. A Game Master that is lost is waited for; one
//!   that said [`GAME_OVER`](crate::documents::GAME_OVER) before it left is not, and then all is well and over.
//! - It tells the Game Master of players that are lost with [`CONNECTION_LOST`](crate::documents::CONNECTION_LOST).
//! - A player that reads too slowly for what the Game Master tells it is dropped. Players wait, before they are read any
//!   further, for a Game Master that is slow, and what they send to a slow player is discarded: nobody can have somebody
//!   else dropped.

mod handshake;
mod outbox;
mod peer;
mod routing;
mod socket;
mod table;
#[cfg(test)]
mod tests;

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
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
use table::Table;

/// How a server behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The only Game Master that is taken; anybody if there is none.
    pub gm_hash: Option<Guid>,
    /// How often, and how long each time, a lost Game Master is waited for.
    pub attempts: u32,
    pub interval: Duration,
    pub limits: Limits,
    /// Where copies go of what players tell each other, frames without their ends. Nobody waits for whoever reads them: what
    /// there is no room for is left out.
    pub copies: Option<mpsc::Sender<Box<[u8]>>>,
}

impl Default for Options {
    fn default() -> Self {
        let (attempts, interval) = (5, Duration::from_secs(20));
        Self { gm_hash: None, attempts, interval, limits: Limits::default(), copies: None }
    }
}

/// How much of everything there may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a frame without its end.
    pub frame: usize,
    /// The most bytes that wait for somebody; whoever has more to read is dropped.
    pub queue: usize,
    /// The most bytes that wait for somebody when a player sends: more wait with their sender, or are discarded.
    pub courtesy: usize,
    pub connections: usize,
    /// How long somebody may be connected without asking to take part.
    pub handshake: Duration,
    /// How long something of a player may wait for room with the Game Master.
    pub stall: Duration,
    /// How long somebody may send nothing at all, keep-alives included.
    pub silence: Option<Duration>,
    /// How long a connection that is being closed may take to read what is left.
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

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The Game Master said that the game is over, and left.
    Over,
    /// The Game Master was lost, and did not come back.
    MasterLost,
    /// Somebody stopped it.
    Stopped,
}

/// Where a server accepts connections.
#[derive(Debug)]
pub struct Listeners {
    tcp: TcpListener,
    /// For a Game Master of the same process.
    local: Option<LocalListener>,
}

impl From<TcpListener> for Listeners {
    fn from(tcp: TcpListener) -> Self {
        Self { tcp, local: None }
    }
}

impl Listeners {
    /// Over TCP, and from within the process.
    pub fn with_local(tcp: TcpListener, local: LocalListener) -> Self {
        Self { tcp, local: Some(local) }
    }

    async fn accept(&mut self) -> io::Result<Accepted> {
        let local = async {
            match &mut self.local {
                Some(local) => local.accept().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            accepted = self.tcp.accept() => accepted.map(|(stream, address)| Accepted::Tcp(stream, address)),
            connection = local => Ok(Accepted::Local(connection)),
        }
    }
}

/// A connection that nobody attends to yet.
enum Accepted {
    Tcp(TcpStream, SocketAddr),
    Local(LocalConnection),
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(_, address) => write!(f, "{address}"),
            Self::Local(_) => f.write_str("this process"),
        }
    }
}

/// Serves until the game is over, the Game Master is lost for good, or `stop` says true or is dropped. All connections are closed then.
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
            accepted = listeners.accept() => accepted,
            () = gone_for_good(now) => break if now == Presence::Over { Ended::Over } else { Ended::MasterLost },
            _ = presence.changed() => continue,
            _ = stop.wait_for(|stop| *stop) => break Ended::Stopped,
        };
        match accepted {
            Ok(accepted) => {
                while connections.try_join_next().is_some() {}
                if connections.len() >= switchboard.options.limits.connections {
                    let Some(oldest) = switchboard.table().oldest_stranger().cloned() else {
                        switchboard.trace.line(format_args!("{accepted} turned away: too many connections"));
                        continue;
                    };
                    oldest.evict("somebody else needs its place");
                    // It has no time to say goodbye, so that this is no wait.
                    connections.join_next().await;
                }
                number += 1;
                connections.spawn(attend(accepted, number, Arc::clone(&switchboard)));
            }
            Err(error) => {
                // Too many open files, most likely: others may end meanwhile.
                switchboard.trace.line(format_args!("a connection could not be taken: {error}"));
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
    // Each has its own, shorter limit; this one is for a promise of ours that is broken.
    let _ = timeout(3 * switchboard.options.limits.farewell, all).await;
    switchboard.trace.flush().await;
    ended
}

async fn gone_for_good(presence: Presence) {
    match presence {
        Presence::Over => {}
        Presence::Away { until } => sleep_until(until).await,
        Presence::Expected | Presence::Here => std::future::pending().await,
    }
}

async fn attend(accepted: Accepted, number: u64, switchboard: Arc<Switchboard>) {
    let name = accepted.to_string();
    let (incoming, outbox) = match accepted {
        Accepted::Tcp(stream, _) => {
            if let Err(error) = socket::prepare(&stream) {
                switchboard.trace.line(format_args!("{name} turned away: {error}"));
                return;
            }
            let (reader, writer) = stream.into_split();
            (Incoming::Socket(reader), Outbox::socket(writer))
        }
        Accepted::Local(LocalConnection { reader, writer }) => (Incoming::Local(reader), Outbox::Local(writer)),
    };
    switchboard.trace.line(format_args!("{name} connected"));
    let peer = Arc::new(Peer::new(number, name, outbox));
    switchboard.table().admit(Arc::clone(&peer));
    peer::attend(peer, incoming, switchboard).await;
}

/// What all connections share.
#[derive(Debug)]
struct Switchboard {
    options: Options,
    trace: TraceFile,
    table: Mutex<Table>,
    presence: watch::Sender<Presence>,
}

/// Whether there is a Game Master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// There was none yet.
    Expected,
    Here,
    Away {
        until: Instant,
    },
    /// It said that the game is over, and left.
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

    /// Something that somebody sent goes nowhere.
    fn discarded(&self, peer: &Peer, why: impl fmt::Display) {
        self.trace.line(format_args!("{peer} discarded: {why}"));
    }
}
