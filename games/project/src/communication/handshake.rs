//! How clients join and leave.

use std::{fmt, sync::Arc};

use tokio::time::Instant;

use super::{
    Presence, Switchboard,
    outbox::{Sent, Turn},
    peer::Peer,
    routing::{self, Undelivered},
    table::{Ending, MASTER, Standing, Table},
};
use crate::documents::{CONNECTION_LOST, Connection, FRAME_END, GAME_OVER, Guid, Role, TRY_AGAIN};

/// Why a document of a handshake is discarded.
enum HandshakeError {
    OtherRole,
    OtherHash,
    NotGameMaster,
    AlreadyAsked,
    InvalidPlayerId(i32),
    NoRequest { hash: String },
    IdTaken { id: i32, holder: Arc<Peer> },
    RefusesItself { description: String },
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherRole => f.write_str("it has joined in another role"),
            Self::OtherHash => f.write_str("it has joined under another hash"),
            Self::NotGameMaster => f.write_str("only the Game Master confirms and refuses"),
            Self::AlreadyAsked => f.write_str("its request is with the Game Master already"),
            Self::InvalidPlayerId(id) => write!(f, "{id} is no id of a player"),
            Self::NoRequest { hash } => write!(f, "there is no request with the hash {hash:?}"),
            Self::IdTaken { id, holder } => write!(f, "{id} is the id of {holder}"),
            Self::RefusesItself { description } => write!(f, "the Game Master refuses itself: {description:?}"),
        }
    }
}

/// Handles a document of a handshake.
pub(super) async fn handle(switchboard: &Switchboard, peer: &Arc<Peer>, connection: &Connection, frame: &[u8]) {
    match try_handle(switchboard, peer, connection, frame) {
        Ok(None) => {}
        Ok(Some((master, hash))) => {
            // If the Game Master is gone, the server refuses the player when it notices that.
            let turn = peer.turn().unwrap_or(Turn::Stranger(hash));
            let _: Result<(), Undelivered> = routing::to_master(switchboard, &master, turn, frame).await;
        }
        Err(error) => switchboard.discard(peer, error),
    }
}

/// Returns the Game Master and the hash of the player if the document must be forwarded.
fn try_handle(
    switchboard: &Switchboard,
    peer: &Arc<Peer>,
    connection: &Connection,
    frame: &[u8],
) -> Result<Option<(Arc<Peer>, Guid)>, HandshakeError> {
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
        | (Connection::Request { .. }, Standing::Master { .. }) => Err(HandshakeError::OtherRole),
        (Connection::Request { hash, .. }, Standing::Player { hash: known, .. }) if !known.is_same(hash.as_str()) => {
            Err(HandshakeError::OtherHash)
        }
        (Connection::Request { hash, .. }, Standing::Stranger { .. } | Standing::Player { .. }) => {
            return Ok(player_asks(switchboard, table, peer, *hash)?.map(|master| (master, *hash)));
        }
        (Connection::Confirmation { hash, id }, Standing::Master { .. }) => {
            player_confirmed(switchboard, table, hash, *id, frame)
        }
        (Connection::Refusal { hash, description }, Standing::Master { hash: own }) if own.is_same(hash) => {
            farewell(switchboard, table, description)
        }
        (Connection::Refusal { hash, description }, Standing::Master { .. }) => {
            player_refused(switchboard, table, hash, description, frame)
        }
        (
            Connection::Confirmation { .. } | Connection::Refusal { .. },
            Standing::Stranger { .. } | Standing::Player { .. },
        ) => Err(HandshakeError::NotGameMaster),
    };
    done.map(|()| None)
}

/// Removes a client whose connection has ended.
pub(super) fn remove(switchboard: &Switchboard, peer: &Peer, why: &str) {
    let table = &mut *switchboard.table();
    switchboard.trace.line(format_args!("{peer} left: {why}"));
    let Some(member) = table.remove(peer.number) else {
        return;
    };
    match member.standing {
        Standing::Stranger { .. } => {}
        Standing::Player { hash, .. } => report_lost(table, hash),
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
        report_lost(table, hash);
    }
}

fn confirm_master(switchboard: &Switchboard, peer: &Peer, hash: Guid) {
    switchboard.trace.line(format_args!("{peer} is the Game Master, hash {hash}"));
    say(switchboard, peer, &Connection::Confirmation { hash: hash.to_string(), id: MASTER });
}

/// Returns the Game Master, to which the player's request is forwarded unchanged.
fn player_asks(
    switchboard: &Switchboard,
    table: &mut Table,
    peer: &Arc<Peer>,
    hash: Guid,
) -> Result<Option<Arc<Peer>>, HandshakeError> {
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
        return Err(HandshakeError::AlreadyAsked);
    }
    // A player may come back before the server notices that its old connection is lost. So the server reports the loss to the
    // Game Master first, and then forwards the request.
    for number in table.others_with(hash, peer.number) {
        if let Some(old) = table.remove(number) {
            old.peer.cut("the player has come on another connection");
            if matches!(old.standing, Standing::Player { .. }) {
                report_lost(table, hash);
            }
        }
    }
    if let Some(member) = table.member(peer.number) {
        member.asking = Some(hash);
    }
    switchboard.trace.line(format_args!("{peer} asks the Game Master to take part, hash {hash}"));
    Ok(Some(master_peer))
}

/// The Game Master accepts a player.
fn player_confirmed(
    switchboard: &Switchboard,
    table: &mut Table,
    hash: &str,
    id: i32,
    frame: &[u8],
) -> Result<(), HandshakeError> {
    if id <= MASTER {
        return Err(HandshakeError::InvalidPlayerId(id));
    }
    let holder = table.joined(id).cloned();
    let is_seated = |holder: &Arc<Peer>| table.hash(holder.number).is_some_and(|known| known.is_same(hash));
    if let Some(holder) = holder.filter(is_seated)
        && table.asking(hash).is_none()
    {
        // A Game Master that was away confirms its players again, to find out which of them are still connected.
        pass_on(switchboard, &holder, frame);
        return Ok(());
    }
    let Some((number, asked)) = table.asking(hash).and_then(|member| Some((member.peer.number, member.asking?))) else {
        // The player has left. The server must report that to the Game Master.
        if let Some(hash) = Guid::parse(hash) {
            report_lost(table, hash);
        }
        return Err(HandshakeError::NoRequest { hash: hash.to_owned() });
    };
    if let Some(holder) = table.joined(id).filter(|holder| holder.number != number) {
        return Err(HandshakeError::IdTaken { id, holder: Arc::clone(holder) });
    }
    table.seat(number, id, asked);
    if let Some(member) = table.member(number) {
        switchboard.trace.line(format_args!("{} is player {id}, hash {hash}", member.peer));
        pass_on(switchboard, &member.peer, frame);
    }
    Ok(())
}

/// The Game Master refuses a player.
fn player_refused(
    switchboard: &Switchboard,
    table: &mut Table,
    hash: &str,
    why: &str,
    frame: &[u8],
) -> Result<(), HandshakeError> {
    let Some(member) = table.asking(hash) else {
        return Err(HandshakeError::NoRequest { hash: hash.to_owned() });
    };
    switchboard.trace.line(format_args!("{} is refused by the Game Master: {why}", member.peer));
    member.asking = None;
    pass_on(switchboard, &member.peer, frame);
    Ok(())
}

/// The Game Master leaves for good.
fn farewell(switchboard: &Switchboard, table: &mut Table, description: &str) -> Result<(), HandshakeError> {
    if description != GAME_OVER {
        return Err(HandshakeError::RefusesItself { description: description.to_owned() });
    }
    if let Some(master) = table.master() {
        master.said_over = true;
    }
    switchboard.trace.line(format_args!("the Game Master says that the game is over"));
    Ok(())
}

fn master_left(switchboard: &Switchboard, table: &mut Table) {
    let ending = table.master().map_or(Ending::None, |master| master.ending());
    if ending == Ending::Complete {
        switchboard.presence.send_replace(Presence::Over);
        return;
    }
    let longest = switchboard.options.interval * switchboard.options.attempts;
    switchboard.trace.line(format_args!("the Game Master is lost; waiting {} s for it", longest.as_secs_f32()));
    let has_ended = ending == Ending::Begun;
    switchboard.presence.send_replace(Presence::Away { until: Instant::now() + longest, has_ended });
    refuse_all(switchboard, table, "the Game Master is away");
}

/// Refuses all players with an open request, because the Game Master will not answer them.
fn refuse_all(switchboard: &Switchboard, table: &mut Table, why: &str) {
    for member in table.members() {
        if let Some(hash) = member.asking.take() {
            refuse(switchboard, &member.peer, hash, &format!("{why}: {TRY_AGAIN}"));
        }
    }
}

/// Reports to the Game Master that a player is not connected: now, or as soon as the Game Master is back.
fn report_lost(table: &mut Table, hash: Guid) {
    let Some(master) = table.master() else {
        return;
    };
    match &master.here {
        Some(peer) => {
            let refusal = Connection::Refusal { hash: hash.to_string(), description: CONNECTION_LOST.into() };
            let frame = framed(&refusal);
            // Behind the player's own frames, so that the Game Master does not get them from a player that is lost.
            let _gone: Sent = peer.outbox.send_news(Turn::Player(hash), &frame);
        }
        None => master.missed.push(hash),
    }
}

fn refuse(switchboard: &Switchboard, peer: &Peer, hash: Guid, why: &str) {
    switchboard.trace.line(format_args!("{peer} is refused: {why}"));
    say(switchboard, peer, &Connection::Refusal { hash: hash.to_string(), description: why.to_owned() });
}

/// Sends a document that the server itself writes.
fn say(switchboard: &Switchboard, peer: &Peer, connection: &Connection) {
    pass_on(switchboard, peer, &framed(connection));
}

fn framed(connection: &Connection) -> Vec<u8> {
    let mut frame = connection.write().into_bytes();
    frame.push(FRAME_END);
    frame
}

fn pass_on(switchboard: &Switchboard, peer: &Peer, frame: &[u8]) {
    if peer.outbox.send(frame, switchboard.options.limits.queue) == Sent::Full {
        peer.cut("it reads too slowly");
    }
}
