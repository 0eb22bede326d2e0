//! Messages on their way.

use std::{fmt, sync::Arc};

use tokio::time::timeout;
use xml::project::{
    FRAME_END,
    envelope::{Batch, Routed},
};

use super::{Switchboard, outbox::Sent, peer::Peer, table::MASTER};

/// What a connection uses again for every document.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) routed: Vec<Routed>,
    /// Every receiver once, in the order in which they are first named.
    receivers: Vec<(i32, Option<Arc<Peer>>)>,
    out: Vec<u8>,
}

/// Passes the messages of a document on, each receiver's in their order.
pub(super) async fn pass(switchboard: &Switchboard, peer: &Arc<Peer>, frame: &[u8], batch: &Batch, work: &mut Work) {
    let document = &frame[..frame.len() - 1];
    let Work { routed, receivers, out } = work;
    receivers.clear();
    let sender = {
        let table = switchboard.table();
        let Some((id, hash)) = table.identity(peer.number) else {
            return switchboard.discarded(peer, "messages of somebody who has not joined");
        };
        if batch.sender_hash.is_some_and(|claimed| !claimed.is_same(hash.as_str())) {
            return switchboard.discarded(peer, format_args!("senderHash is not that of {id}"));
        }
        if let Some(forged) = routed.iter().find(|message| message.sender != id) {
            return switchboard.discarded(peer, format_args!("Sender is {} and not {id}", forged.sender));
        }
        for message in routed.iter() {
            if !receivers.iter().any(|(known, _)| *known == message.receiver) {
                receivers.push((message.receiver, table.joined(message.receiver).cloned()));
            }
        }
        id
    };
    let is_whole = receivers.len() == 1 && batch.sender_hash.is_none();
    for (receiver, there) in receivers.iter() {
        let sent = match there {
            None => Err("nobody has that id"),
            Some(there) if is_whole => deliver(switchboard, sender, *receiver, there, frame).await,
            Some(there) => {
                out.clear();
                batch.write(document, routed, *receiver, out);
                out.push(FRAME_END);
                deliver(switchboard, sender, *receiver, there, out).await
            }
        };
        tell(switchboard, peer, sender, document, routed.iter().filter(|message| message.receiver == *receiver), sent);
    }
    // Whoever was named must not be kept from being closed.
    receivers.clear();
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
    let sent = if sender == MASTER {
        there.outbox.send(frame, limits.queue)
    } else if receiver == MASTER {
        match there.outbox.send(frame, limits.courtesy) {
            // No further messages of this player are read until there is room.
            Sent::Full => match timeout(limits.stall, there.outbox.send_patiently(frame, limits.courtesy)).await {
                Ok(sent) => sent,
                Err(_) => Sent::Full,
            },
            sent @ (Sent::Taken | Sent::Gone) => sent,
        }
    } else {
        // Only what the Game Master says can fill a player's queue.
        match there.outbox.send(frame, limits.courtesy) {
            Sent::Full => return Err("too much waits for the receiver"),
            sent @ (Sent::Taken | Sent::Gone) => sent,
        }
    };
    match sent {
        Sent::Taken => Ok(()),
        Sent::Gone => Err("the receiver has left"),
        Sent::Full => {
            there.cut("it reads too slowly");
            Err("the receiver reads too slowly")
        }
    }
}

/// A line for every message.
fn tell<'r>(
    switchboard: &Switchboard,
    peer: &Peer,
    sender: i32,
    document: &[u8],
    messages: impl Iterator<Item = &'r Routed>,
    sent: Result<(), &str>,
) {
    if !switchboard.journal.is_kept() {
        return;
    }
    for message in messages {
        let (receiver, kind, id) = (message.receiver, Kind(message, document), message.id(document));
        match sent {
            Ok(()) => switchboard.journal.line(format_args!("{peer} {sender} -> {receiver} {kind} {id:?}")),
            Err(why) => {
                switchboard.discarded(peer, format_args!("{sender} -> {receiver} {kind} {id:?}: {why}"));
            }
        }
    }
}

/// `Action/Move/Request`
struct Kind<'r, 'd>(&'r Routed, &'d [u8]);

impl fmt::Display for Kind<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.kind(self.1).enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}
