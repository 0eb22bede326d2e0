//! Routing: forwards messages to their receivers.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    Switchboard,
    outbox::{MAX_TALK_REST, Sent, Turn},
    peer::Peer,
    table::MASTER,
};
use crate::documents::{
    FRAME_END,
    envelope::{Batch, Routed, Scanner},
};

/// The cache of receivers is cleared when it has more entries than this.
const MAX_CACHED: usize = 64;

/// A larger buffer is freed after use.
const MAX_KEPT_BYTES: usize = 256 << 10;

/// Each player may have so large a part of [`Limits::courtesy`](super::Limits::courtesy) waiting for the Game Master.
const TURNS: usize = 4;

/// The kind of the message that ends a game.
const END: [&str; 2] = ["GameState", "End"];

/// Buffers and caches that a connection reuses for every document.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) scanner: Scanner,
    version: Arc<AtomicU64>,
    /// The receivers that were looked up, and the version of the table at that time.
    known: Vec<(i32, Option<Arc<Peer>>)>,
    known_in: u64,
    /// The receivers of a document as indices into `known`, each once, in the order of their first message.
    receivers: Vec<usize>,
    out: Vec<u8>,
}

impl Work {
    pub(super) fn new(switchboard: &Switchboard) -> Self {
        let version = switchboard.table().version();
        let known_in = version.load(Ordering::Acquire);
        let (known, receivers, out) = (Vec::new(), Vec::new(), Vec::new());
        Self { scanner: Scanner::default(), version, known, known_in, receivers, out }
    }

    /// Looks up the receivers of a document.
    fn look_up(&mut self, switchboard: &Switchboard) {
        let version = self.version.load(Ordering::Acquire);
        if version != self.known_in || self.known.len() > MAX_CACHED {
            self.known.clear();
            self.known_in = version;
        }
        self.receivers.clear();
        for message in self.scanner.routed() {
            let id = message.receiver;
            let place = self.known.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
                let there = switchboard.table().joined(id).cloned();
                self.known.push((id, there));
                self.known.len() - 1
            });
            if !self.receivers.contains(&place) {
                self.receivers.push(place);
            }
        }
    }
}

/// Forwards the messages of a document. The messages to one receiver keep their order.
pub(super) async fn forward(switchboard: &Switchboard, peer: &Arc<Peer>, frame: &[u8], batch: &Batch, work: &mut Work) {
    let Some(sender) = peer.id() else {
        return switchboard.discard(peer, "messages of a client that has not joined");
    };
    if let Some(claimed) = batch.sender_hash
        && !switchboard.table().hash(peer.number).is_some_and(|hash| hash.is_same(claimed.as_str()))
    {
        return switchboard.discard(peer, format_args!("senderHash is not that of {sender}"));
    }
    if let Some(forged) = work.scanner.routed().iter().find(|message| message.sender != sender) {
        return switchboard.discard(peer, format_args!("Sender is {} and not {sender}", forged.sender));
    }
    work.look_up(switchboard);

    let document = &frame[..frame.len() - 1];
    let routed = work.scanner.routed();
    let is_whole = work.receivers.len() == 1 && batch.sender_hash.is_none();
    for place in &work.receivers {
        let (receiver, there) = &work.known[*place];
        let sent = match there {
            None => Err(Undelivered::NoSuchId),
            Some(there) if is_whole => deliver(switchboard, peer, sender, *receiver, there, frame).await,
            Some(there) => {
                work.out.clear();
                batch.write(document, routed, *receiver, &mut work.out);
                work.out.push(FRAME_END);
                let sent = deliver(switchboard, peer, sender, *receiver, there, &work.out).await;
                if work.out.capacity() > MAX_KEPT_BYTES {
                    work.out = Vec::new();
                }
                sent
            }
        };
        if sender == MASTER
            && sent.is_ok()
            && let Some(there) = there
        {
            let last = routed.iter().rfind(|message| message.receiver == *receiver);
            let is_end = last.is_some_and(|last| last.kind(document).take(END.len()).eq(END));
            if there.hears_end(is_end) != is_end {
                switchboard.table().hears_end(*receiver, is_end);
            }
        }
        if switchboard.trace.is_on() {
            let messages = routed.iter().filter(|message| message.receiver == *receiver);
            messages.for_each(|message| trace(switchboard, peer, document, message, sent));
        }
    }
}

/// Why a message is not delivered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undelivered {
    NoSuchId,
    QueueFull,
    ReceiverLeft,
    ReceiverTooSlow,
}

impl fmt::Display for Undelivered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchId => "no client has that id",
            Self::QueueFull => "too much waits for the receiver",
            Self::ReceiverLeft => "the receiver has left",
            Self::ReceiverTooSlow => "the receiver reads too slowly",
        })
    }
}

/// Sends a frame to its receiver.
async fn deliver(
    switchboard: &Switchboard,
    peer: &Peer,
    sender: i32,
    receiver: i32,
    there: &Arc<Peer>,
    frame: &[u8],
) -> Result<(), Undelivered> {
    let limits = &switchboard.options.limits;
    if sender == MASTER {
        let sent = there.outbox.send(frame, limits.queue);
        if let Some(length) = there.outbox.take_discarded() {
            let why = "the Game Master's answers came before it again and again";
            switchboard.discard(there, format_args!("a player's message of {length} bytes to {receiver}: {why}"));
        }
        return check_sent(there, sent);
    }
    if receiver == MASTER {
        let turn = peer.turn().ok_or(Undelivered::NoSuchId)?;
        return to_master(switchboard, there, turn, frame).await;
    }
    match there.outbox.send_talk(frame, limits.courtesy) {
        Sent::Full => Err(Undelivered::QueueFull),
        Sent::Gone => check_sent(there, Sent::Gone),
        Sent::Taken => {
            if let Some(copies) = &switchboard.options.copies {
                let _no_room = copies.try_send(frame[..frame.len() - 1].into());
            }
            Ok(())
        }
    }
}

/// Sends a player's frame to the Game Master, in the player's turn. The server reads nothing more from that player until there is
/// room.
pub(super) async fn to_master(
    switchboard: &Switchboard,
    master: &Peer,
    turn: Turn,
    frame: &[u8],
) -> Result<(), Undelivered> {
    let limits = &switchboard.options.limits;
    if frame.len() > MAX_TALK_REST {
        // No request is that long. Other frames end it early, so it does not wait for room.
        return match master.outbox.send_talk(frame, limits.courtesy) {
            Sent::Full => Err(Undelivered::QueueFull),
            sent @ (Sent::Taken | Sent::Gone) => check_sent(master, sent),
        };
    }
    let sent = master.outbox.send_in_turn(turn, frame, limits.courtesy / TURNS, limits.stall).await;
    check_sent(master, sent)
}

/// Disconnects a receiver whose queue has no room for a frame that it must receive.
fn check_sent(there: &Peer, sent: Sent) -> Result<(), Undelivered> {
    match sent {
        Sent::Taken => Ok(()),
        Sent::Gone => Err(Undelivered::ReceiverLeft),
        Sent::Full => {
            there.cut("it reads too slowly");
            Err(Undelivered::ReceiverTooSlow)
        }
    }
}

/// Writes a line for a message: sender, receiver, kind and id.
fn trace(switchboard: &Switchboard, peer: &Peer, document: &[u8], message: &Routed, sent: Result<(), Undelivered>) {
    let (sender, receiver, kind, id) =
        (message.sender, message.receiver, Kind(message, document), message.id(document));
    match sent {
        Ok(()) => switchboard.trace.line(format_args!("{peer} {sender} -> {receiver} {kind} {id}")),
        Err(why) => switchboard.discard(peer, format_args!("{sender} -> {receiver} {kind} {id}: {why}")),
    }
}

/// The kind of a message, as in `Action/Move/Request`.
struct Kind<'r, 'd>(&'r Routed, &'d [u8]);

impl fmt::Display for Kind<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.kind(self.1).enumerate() {
            f.write_str(if index > 0 { "/" } else { "" })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}
