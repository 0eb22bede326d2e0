//! How somebody joins, and how somebody leaves.

use std::sync::Arc;

use tokio::time::Instant;

use super::{
    Presence, Switchboard,
    outbox::Sent,
    peer::Peer,
    routing,
    table::{MASTER, Standing, Table},
};
use crate::documents::{CONNECTION_LOST, Connection, FRAME_END, GAME_OVER, Guid, Role, TRY_AGAIN};

/// Somebody sent a document to shake hands.
pub(super) async fn hear(switchboard: &Switchboard, peer: &Arc<Peer>, connection: &Connection, frame: &[u8]) {
    match heard(switchboard, peer, connection, frame) {
        Ok(None) => {}
        Ok(Some(master)) => {
            // If it is gone, whoever asks is refused by whoever notices.
            let _: Result<(), &str> = routing::to_master(switchboard, &master, frame).await;
        }
        Err(why) => switchboard.discarded(peer, why),
    }
}

/// Says to which Game Master the document has to go, if it does, or why it is discarded.
fn heard(
    switchboard: &Switchboard,
    peer: &Arc<Peer>,
    connection: &Connection,
    frame: &[u8],
) -> Result<Option<Arc<Peer>>, String> {
    let table = &mut *switchboard.table();
    let Some(standing) = table.member(peer.number).map(|member| member.standing) else {
        return Ok(None);
    };
    let done = match (connection, standing) {
        (Connection::Request { hash, role: Role::GameMaster, .. }, Standing::Stranger { .. }) => {
            master_asks(switchboard, table, peer, *hash);
            Ok(())
        }
        (Connection::Request { hash, role: Role::GameMaster, .. }, Standing::Master { hash: known })
            if known.is_same(hash.as_str()) =>
        {
            confirm_master(switchboard, peer, *hash);
            Ok(())
        }
        (Connection::Request { role: Role::GameMaster, .. }, Standing::Player { .. } | Standing::Master { .. })
        | (Connection::Request { .. }, Standing::Master { .. }) => Err("it has joined as somebody else".to_owned()),
        (Connection::Request { hash, .. }, Standing::Player { hash: known, .. }) if !known.is_same(hash.as_str()) => {
            Err("it has joined under another hash".to_owned())
        }
        (Connection::Request { hash, .. }, Standing::Stranger { .. } | Standing::Player { .. }) => {
            return player_asks(switchboard, table, peer, *hash);
        }
        (Connection::Confirmation { hash, id }, Standing::Master { .. }) => {
            confirmed(switchboard, table, hash, *id, frame)
        }
        (Connection::Refusal { hash, description }, Standing::Master { hash: own }) if own.is_same(hash) => {
            farewell(switchboard, table, description)
        }
        (Connection::Refusal { hash, description }, Standing::Master { .. }) => {
            refused(switchboard, table, hash, description, frame)
        }
        (
            Connection::Confirmation { .. } | Connection::Refusal { .. },
            Standing::Stranger { .. } | Standing::Player { .. },
        ) => Err("only the Game Master confirms and refuses".to_owned()),
    };
    done.map(|()| None)
}

/// Somebody is not connected any more.
pub(super) fn left(switchboard: &Switchboard, peer: &Peer, why: &str) {
    let table = &mut *switchboard.table();
    switchboard.trace.line(format_args!("{peer} left: {why}"));
    let Some(member) = table.remove(peer.number) else {
        return;
    };
    match member.standing {
        Standing::Stranger { .. } => {}
        Standing::Player { hash, .. } => lost(switchboard, table, hash),
        Standing::Master { .. } => master_left(switchboard, table),
    }
}

fn master_asks(switchboard: &Switchboard, table: &mut Table, peer: &Arc<Peer>, hash: Guid) {
    if switchboard.options.gm_hash.is_some_and(|wanted| !wanted.is_same(hash.as_str())) {
        return refuse(switchboard, peer, hash, "this server is for another Game Master");
    }
    if table.master().is_some_and(|master| !master.hash.is_same(hash.as_str())) {
        return refuse(switchboard, peer, hash, "there is a Game Master already");
    }
    let (old, missed) = table.seat_master(peer.number, hash);
    if let Some(old) = old {
        old.peer.cut("the Game Master has come on another connection");
        refuse_all(switchboard, table, "the Game Master has come on another connection");
    }
    confirm_master(switchboard, peer, hash);
    switchboard.presence.send_replace(Presence::Here);
    for hash in missed {
        lost(switchboard, table, hash);
    }
}

fn confirm_master(switchboard: &Switchboard, peer: &Peer, hash: Guid) {
    switchboard.trace.line(format_args!("{peer} is the Game Master, hash {hash}"));
    say(switchboard, peer, &Connection::Confirmation { hash: hash.to_string(), id: MASTER });
}

/// A player's request goes to the Game Master as it is.
fn player_asks(
    switchboard: &Switchboard,
    table: &mut Table,
    peer: &Arc<Peer>,
    hash: Guid,
) -> Result<Option<Arc<Peer>>, String> {
    let Some(master) = table.master() else {
        refuse(switchboard, peer, hash, &format!("there is no Game Master yet: {TRY_AGAIN}"));
        return Ok(None);
    };
    let Some(master_peer) = master.here.clone() else {
        refuse(switchboard, peer, hash, &format!("the Game Master is away: {TRY_AGAIN}"));
        return Ok(None);
    };
    let asked = table.member(peer.number).and_then(|member| member.asking);
    if asked.is_some_and(|asked| asked.is_same(hash.as_str())) {
        return Err("its request is with the Game Master already".to_owned());
    }
    // A player that comes back may be here before its old connection is known to be lost. The Game Master hears of both
    // in the order in which they have to be.
    for number in table.others_with(hash, peer.number) {
        if let Some(old) = table.remove(number) {
            old.peer.cut("the player has come on another connection");
            if matches!(old.standing, Standing::Player { .. }) {
                lost(switchboard, table, hash);
            }
        }
    }
    if let Some(member) = table.member(peer.number) {
        member.asking = Some(hash);
    }
    switchboard.trace.line(format_args!("{peer} asks the Game Master to take part, hash {hash}"));
    Ok(Some(master_peer))
}

/// The Game Master takes somebody.
fn confirmed(switchboard: &Switchboard, table: &mut Table, hash: &str, id: i32, frame: &[u8]) -> Result<(), String> {
    if id <= MASTER {
        return Err(format!("{id} is no id of a player"));
    }
    let holder = table.joined(id).cloned();
    let is_seated = |holder: &Arc<Peer>| table.hash(holder.number).is_some_and(|known| known.is_same(hash));
    if let Some(holder) = holder.filter(is_seated)
        && table.asking(hash).is_none()
    {
        // So a Game Master that was away finds out who is still there.
        pass_on(switchboard, &holder, frame);
        return Ok(());
    }
    let Some((number, asked)) = table.asking(hash).and_then(|member| Some((member.peer.number, member.asking?))) else {
        // It has left meanwhile, and the Game Master thinks that it plays.
        if let Some(hash) = Guid::parse(hash) {
            lost(switchboard, table, hash);
        }
        return Err(format!("nobody waits under the hash {hash:?}"));
    };
    if let Some(holder) = table.joined(id).filter(|holder| holder.number != number) {
        return Err(format!("{id} is the id of {holder}"));
    }
    table.seat(number, id, asked);
    if let Some(member) = table.member(number) {
        switchboard.trace.line(format_args!("{} is player {id}, hash {hash}", member.peer));
        pass_on(switchboard, &member.peer, frame);
    }
    Ok(())
}

/// The Game Master does not take somebody.
fn refused(switchboard: &Switchboard, table: &mut Table, hash: &str, why: &str, frame: &[u8]) -> Result<(), String> {
    let Some(member) = table.asking(hash) else {
        return Err(format!("nobody waits under the hash {hash:?}"));
    };
    switchboard.trace.line(format_args!("{} is refused by the Game Master: {why}", member.peer));
    member.asking = None;
    pass_on(switchboard, &member.peer, frame);
    Ok(())
}

/// The Game Master leaves for good.
fn farewell(switchboard: &Switchboard, table: &mut Table, description: &str) -> Result<(), String> {
    if description != GAME_OVER {
        return Err(format!("the Game Master refuses itself: {description:?}"));
    }
    if let Some(master) = table.master() {
        master.said_over = true;
    }
    switchboard.trace.line(format_args!("the Game Master says that the game is over"));
    Ok(())
}

fn master_left(switchboard: &Switchboard, table: &mut Table) {
    if table.master().is_some_and(|master| master.said_over) {
        switchboard.presence.send_replace(Presence::Over);
        return;
    }
    let longest = switchboard.options.interval * switchboard.options.attempts;
    switchboard.trace.line(format_args!("the Game Master is lost, and waited for: {} s", longest.as_secs_f32()));
    switchboard.presence.send_replace(Presence::Away { until: Instant::now() + longest });
    refuse_all(switchboard, table, "the Game Master is away");
}

/// Nobody will answer those who have asked.
fn refuse_all(switchboard: &Switchboard, table: &mut Table, why: &str) {
    for member in table.members() {
        if let Some(hash) = member.asking.take() {
            refuse(switchboard, &member.peer, hash, &format!("{why}: {TRY_AGAIN}"));
        }
    }
}

/// Tells the Game Master that a player is not connected, as soon as it is.
fn lost(switchboard: &Switchboard, table: &mut Table, hash: Guid) {
    let Some(master) = table.master() else {
        return;
    };
    match &master.here {
        Some(peer) => {
            let refusal = Connection::Refusal { hash: hash.to_string(), description: CONNECTION_LOST.into() };
            say(switchboard, &peer.clone(), &refusal);
        }
        None => master.missed.push(hash),
    }
}

fn refuse(switchboard: &Switchboard, peer: &Peer, hash: Guid, why: &str) {
    switchboard.trace.line(format_args!("{peer} is refused: {why}"));
    say(switchboard, peer, &Connection::Refusal { hash: hash.to_string(), description: why.to_owned() });
}

/// A document of our own.
fn say(switchboard: &Switchboard, peer: &Peer, connection: &Connection) {
    let mut frame = connection.write().into_bytes();
    frame.push(FRAME_END);
    pass_on(switchboard, peer, &frame);
}

fn pass_on(switchboard: &Switchboard, peer: &Peer, frame: &[u8]) {
    if peer.outbox.send(frame, switchboard.options.limits.queue) == Sent::Full {
        peer.cut("it reads too slowly");
    }
}
