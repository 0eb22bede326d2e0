//! One connection, from its beginning to its end.

use std::{
    fmt, io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    time::Duration,
};

use commlib::{Delimited, Frame};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::{Notify, watch},
    time::{sleep, timeout},
};

use super::{
    Switchboard, handshake,
    outbox::{Outbox, Sent, Turn},
    routing::{self, Work},
};
use crate::{
    documents::{FRAME_END, Guid, envelope::Envelope},
    local::PipeReader,
};

/// The value of `id` for a client that has not joined.
const NO_ID: i32 = i32::MIN;

/// A connected client.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) number: u64,
    /// The client's address, or another name for the trace.
    name: Box<str>,
    /// The client's id in the game, or [`NO_ID`].
    id: AtomicI32,
    /// The hash with which a player has joined.
    hash: OnceLock<Guid>,
    /// Whether the last message of the Game Master to this player was the end of the game.
    heard_end: AtomicBool,
    pub(super) outbox: Outbox,
    /// Why the server closes the connection.
    closing: watch::Sender<Option<&'static str>>,
    /// Whether the connection is closed without sending the queued data.
    evicted: AtomicBool,
    /// Notifies that data was received.
    received: Notify,
}

impl Peer {
    pub(super) fn new(number: u64, name: String, outbox: Outbox) -> Self {
        let closing = watch::Sender::new(None);
        Self {
            number,
            name: name.into(),
            id: AtomicI32::new(NO_ID),
            hash: OnceLock::new(),
            heard_end: AtomicBool::new(false),
            outbox,
            closing,
            evicted: AtomicBool::new(false),
            received: Notify::new(),
        }
    }

    pub(super) fn id(&self) -> Option<i32> {
        Some(self.id.load(Ordering::Acquire)).filter(|id| *id != NO_ID)
    }

    /// Sets the client's id in the game when the client joins; clears it when the client leaves.
    pub(super) fn set_id(&self, id: Option<i32>) {
        self.id.store(id.unwrap_or(NO_ID), Ordering::Release);
    }

    /// Sets the player's hash when the player joins. A connection joins under one hash only.
    pub(super) fn set_hash(&self, hash: Guid) {
        let _known_already = self.hash.set(hash);
    }

    /// The turn of the player's frames to the Game Master.
    pub(super) fn turn(&self) -> Option<Turn> {
        self.hash.get().copied().map(Turn::Player)
    }

    /// Notes whether the last message of the Game Master to this player was the end of the game. Returns whether the one before
    /// was.
    pub(super) fn hears_end(&self, is_end: bool) -> bool {
        self.heard_end.swap(is_end, Ordering::AcqRel)
    }

    /// Closes the connection after all queued data is written.
    pub(super) fn close(&self, why: &'static str) {
        self.closing.send_if_modified(|closing| closing.is_none() && closing.replace(why).is_none());
    }

    /// Closes the connection now.
    pub(super) fn cut(&self, why: &'static str) {
        self.close(why);
        self.outbox.close();
    }

    /// Closes the connection now, and frees its place at once.
    pub(super) fn evict(&self, why: &'static str) {
        self.evicted.store(true, Ordering::Release);
        self.cut(why);
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The receiving half of a connection.
pub(super) enum Incoming {
    Socket(SocketReader),
    Local(PipeReader),
}

/// The receiving half of a connection to another process.
pub(super) type SocketReader = Box<dyn AsyncRead + Send + Unpin>;

impl Incoming {
    /// Reads and discards data until the connection ends.
    async fn drain(&mut self) {
        match self {
            Self::Socket(reader) => {
                let mut nowhere = [0; 4096];
                while reader.read(&mut nowhere).await.is_ok_and(|count| count > 0) {}
            }
            Self::Local(reader) => while reader.next().await.is_some() {},
        }
    }
}

/// Reads and writes until the connection ends.
pub(super) async fn attend(peer: Arc<Peer>, mut incoming: Incoming, switchboard: Arc<Switchboard>) {
    let limits = switchboard.options.limits;
    let mut closing = peer.closing.subscribe();
    let why = tokio::select! {
        biased;
        _ = closing.wait_for(Option::is_some) => String::new(),
        // The last frames of a client that has left are read before the server notices that it cannot write.
        why = read(&peer, &mut incoming, &switchboard) => why,
        error = peer.outbox.run() => error.to_string(),
        () = too_silent(&peer, limits.silence) => "it sends nothing".to_owned(),
        () = too_strange(&peer, &switchboard) => String::new(),
    };
    // If the server itself closed the connection, its reason takes precedence.
    let why = peer.closing.borrow().map_or(why, str::to_owned);
    handshake::remove(&switchboard, &peer, &why);
    if peer.evicted.load(Ordering::Acquire) {
        return;
    }

    // The client may still wait for the queued data. Closing a socket with unread data would destroy the queued data.
    let _ = timeout(limits.farewell, peer.outbox.flush()).await;
    peer.outbox.close();
    let _ = timeout(limits.farewell, incoming.drain()).await;
}

/// Reads frames until the connection ends, and returns the reason for the end.
async fn read(peer: &Arc<Peer>, incoming: &mut Incoming, switchboard: &Switchboard) -> String {
    match incoming {
        Incoming::Socket(reader) => read_socket(peer, reader, switchboard).await,
        Incoming::Local(reader) => read_pipe(peer, reader, switchboard).await,
    }
}

async fn read_pipe(peer: &Arc<Peer>, reader: &mut PipeReader, switchboard: &Switchboard) -> String {
    let mut work = Work::new(switchboard);
    while let Some(frame) = reader.next().await {
        peer.received.notify_one();
        match frame.len().saturating_sub(1) {
            0 => keep_alive(peer, switchboard),
            length if length > switchboard.options.limits.frame => too_long(peer, switchboard),
            _ => handle(peer, switchboard, &frame, &mut work).await,
        }
    }
    "the connection ended".to_owned()
}

async fn read_socket(peer: &Arc<Peer>, reader: &mut SocketReader, switchboard: &Switchboard) -> String {
    let mut frames = Delimited::new(FRAME_END, switchboard.options.limits.frame);
    let mut work = Work::new(switchboard);
    loop {
        match reader.read(frames.space()).await {
            Ok(0) => return "the connection ended".to_owned(),
            Ok(count) => frames.filled(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error.to_string(),
        }
        peer.received.notify_one();
        while let Some(frame) = frames.next_frame() {
            match frame {
                Frame::Whole(at) if at.is_empty() => keep_alive(peer, switchboard),
                Frame::Whole(at) => handle(peer, switchboard, frames.bytes(at.start..at.end + 1), &mut work).await,
                Frame::TooLong => too_long(peer, switchboard),
            }
        }
    }
}

/// Handles a frame with a document.
async fn handle(peer: &Arc<Peer>, switchboard: &Switchboard, frame: &[u8], work: &mut Work) {
    match work.scanner.scan(&frame[..frame.len() - 1]) {
        Ok(Envelope::Messages(batch)) => routing::forward(switchboard, peer, frame, &batch, work).await,
        Ok(Envelope::Connection(connection)) => handshake::handle(switchboard, peer, &connection, frame).await,
        Err(problem) => switchboard.discard(peer, problem),
    }
}

fn too_long(peer: &Peer, switchboard: &Switchboard) {
    let most = switchboard.options.limits.frame;
    switchboard.discard(peer, format_args!("a frame of more than {most} bytes"));
}

fn keep_alive(peer: &Peer, switchboard: &Switchboard) {
    // A client that sends keep-alives faster than it reads the answers misses some of the answers.
    let _: Sent = peer.outbox.send(&[FRAME_END], switchboard.options.limits.courtesy);
}

async fn too_silent(peer: &Peer, longest: Option<Duration>) {
    let Some(longest) = longest else {
        return std::future::pending().await;
    };
    while timeout(longest, peer.received.notified()).await.is_ok() {}
}

async fn too_strange(peer: &Peer, switchboard: &Switchboard) {
    let longest = switchboard.options.limits.handshake;
    loop {
        sleep(longest).await;
        if switchboard.table().is_strange_for(peer.number, longest) {
            peer.evict("it does not take part");
            return;
        }
    }
}
