//! Messages on their way.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::time::timeout;

use super::{Switchboard, outbox::Sent, peer::Peer, table::MASTER};
use crate::documents::{
    FRAME_END,
    envelope::{Batch, Routed, Scanner},
};

/// What was looked up is forgotten when it is more than this.
const MOST_KNOWN: usize = 64;

/// A buffer that grew beyond this is given back.
const MOST_KEPT: usize = 256 << 10;

/// What a connection uses again for every document.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) scanner: Scanner,
    version: Arc<AtomicU64>,
    /// Who was looked up, and in which version of the table.
    known: Vec<(i32, Option<Arc<Peer>>)>,
    known_in: u64,
    /// Whom a document is for, each once, in the order in which they are first named; by their places in `known`.
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

    /// Finds out whom a document is for.
    fn look_up(&mut self, switchboard: &Switchboard) {
        let version = self.version.load(Ordering::Acquire);
        if version != self.known_in || self.known.len() > MOST_KNOWN {
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

/// Passes the messages of a document on, each receiver's in their order.
pub(super) async fn pass(switchboard: &Switchboard, peer: &Arc<Peer>, frame: &[u8], batch: &Batch, work: &mut Work) {
    let Some(sender) = peer.id() else {
        return switchboard.discarded(peer, "messages of somebody who has not joined");
    };
    if let Some(claimed) = batch.sender_hash
        && !switchboard.table().hash(peer.number).is_some_and(|hash| hash.is_same(claimed.as_str()))
    {
        return switchboard.discarded(peer, format_args!("senderHash is not that of {sender}"));
    }
    if let Some(forged) = work.scanner.routed().iter().find(|message| message.sender != sender) {
        return switchboard.discarded(peer, format_args!("Sender is {} and not {sender}", forged.sender));
    }
    work.look_up(switchboard);

    let document = &frame[..frame.len() - 1];
    let routed = work.scanner.routed();
    let is_whole = work.receivers.len() == 1 && batch.sender_hash.is_none();
    for place in &work.receivers {
        let (receiver, there) = &work.known[*place];
        let sent = match there {
            None => Err("nobody has that id"),
            Some(there) if is_whole => deliver(switchboard, sender, *receiver, there, frame).await,
            Some(there) => {
                work.out.clear();
                batch.write(document, routed, *receiver, &mut work.out);
                work.out.push(FRAME_END);
                let sent = deliver(switchboard, sender, *receiver, there, &work.out).await;
                if work.out.capacity() > MOST_KEPT {
                    work.out = Vec::new();
                }
                sent
            }
        };
        if switchboard.trace.is_on() {
            let messages = routed.iter().filter(|message| message.receiver == *receiver);
            messages.for_each(|message| tell(switchboard, peer, document, message, sent));
        }
    }
}

/// Brings a frame to somebody, or says why not.
async fn deliver(
    switchboard: &Switchboard,
    sender: i32,
    receiver: i32,
    there: &Arc<Peer>,
    frame: &[u8],
) -> Result<(), &'static str> {
    let limits = &switchboard.options.limits;
    if sender == MASTER {
        return arrived(there, there.outbox.send(frame, limits.queue));
    }
    if receiver == MASTER {
        return to_master(switchboard, there, frame).await;
    }
    // Only what the Game Master says can fill a player's queue.
    match there.outbox.send(frame, limits.courtesy) {
        Sent::Full => Err("too much waits for the receiver"),
        Sent::Gone => arrived(there, Sent::Gone),
        Sent::Taken => {
            if let Some(copies) = &switchboard.options.copies {
                let _no_room = copies.try_send(frame[..frame.len() - 1].into());
            }
            Ok(())
        }
    }
}

/// Brings something of a player to the Game Master. No more of that player is read until there is room.
pub(super) async fn to_master(switchboard: &Switchboard, master: &Peer, frame: &[u8]) -> Result<(), &'static str> {
    let limits = &switchboard.options.limits;
    let sent = match master.outbox.send(frame, limits.courtesy) {
        Sent::Full => timeout(limits.stall, master.outbox.send_patiently(frame, limits.courtesy)).await,
        sent @ (Sent::Taken | Sent::Gone) => Ok(sent),
    };
    arrived(master, sent.unwrap_or(Sent::Full))
}

/// Whoever has no room for what it must get is dropped.
fn arrived(there: &Peer, sent: Sent) -> Result<(), &'static str> {
    match sent {
        Sent::Taken => Ok(()),
        Sent::Gone => Err("the receiver has left"),
        Sent::Full => {
            there.cut("it reads too slowly");
            Err("the receiver reads too slowly")
        }
    }
}

/// A line for a message: from whom to whom, what kind, and its id.
fn tell(switchboard: &Switchboard, peer: &Peer, document: &[u8], message: &Routed, sent: Result<(), &str>) {
    let (sender, receiver, kind, id) =
        (message.sender, message.receiver, Kind(message, document), message.id(document));
    match sent {
        Ok(()) => switchboard.trace.line(format_args!("{peer} {sender} -> {receiver} {kind} {id}")),
        Err(why) => switchboard.discarded(peer, format_args!("{sender} -> {receiver} {kind} {id}: {why}")),
    }
}

/// `Action/Move/Request`
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
