//! Games that are over: their events come from the log.

use commlib::{Reason, Refused};

use crate::{
    chronicle::unreadable,
    erased::HostedGame,
    handle::unavailable,
    host::Host,
    log::{End, GameHead, Row},
    peer::{Peer, Place},
    room::{JoinKind, JoinRequest, RoomServices, beyond, unknown_token},
    stream::Subscriber,
};

/// Queues the events of a finished game that a connection missed, and the outcome.
pub(super) async fn admit(
    host: &Host,
    head: GameHead,
    request: JoinRequest,
    how: JoinKind,
) -> Result<Subscriber, Refused> {
    let log = &host.options.log;
    let no_rules = || Refused::new(Reason::StoreFailed, "This server does not have the rulebook of the game.");
    let end = head.record.end.clone().ok_or_else(unavailable)?;
    let (subscriber, seen) = match how {
        JoinKind::Join { .. } => return Err(Refused::new(Reason::GameOver, "This game is over; you can watch it.")),
        JoinKind::Watch { seen } => (Subscriber::Watcher, seen),
        JoinKind::Resume { token, seen } => {
            let hash = blake3::hash(token.bytes());
            let clients = log.clients(head.record.key).await.map_err(unreadable)?;
            let known = clients.iter().find(|client| blake3::Hash::from_bytes(client.token_hash) == hash);
            let client = known.ok_or_else(unknown_token)?.client;
            (Subscriber::Client { client, board: request.board }, seen)
        }
    };
    let rows = log.rows(head.record.key, 1).await.map_err(unreadable)?;
    let rules = host.rulebook_named(&head.record.about.rulebook).ok_or_else(no_rules)?;
    let services = host.services.clone();
    let tell = move || tell(&services, rules, &head, &end, &rows, request, (subscriber, seen));
    let told = host.world().blocking(tell).await;
    told.map_err(|_| Refused::new(Reason::Internal, "The game could not be read."))??;
    Ok(subscriber)
}

/// Queues all events of a game that a subscriber has not seen.
fn tell(
    services: &RoomServices,
    rules: &dyn HostedGame,
    head: &GameHead,
    end: &End,
    rows: &[Row],
    request: JoinRequest,
    (subscriber, seen): (Subscriber, u64),
) -> Result<(), Refused> {
    let game = &head.record.name;
    let mut peer = Peer::new(request.connection, (request.form, request.dialect), subscriber, request.sink);
    let past = rules
        .replay(&head.header, &services.setups, rows, &mut peer, seen)
        .map_err(|error| Refused::new(Reason::Internal, error.to_string()))?;
    if seen > past.last {
        return Err(beyond(seen, past.last));
    }
    // The welcome comes first, but needs the number of commands, which is known only now.
    let told = std::mem::take(&mut peer.scratch);
    let about = &head.record.about;
    let (rulebook, edition, scenario) = (about.rulebook.as_str(), about.edition.as_str(), head.scenario.as_deref());
    peer.welcome(&Place { game, rulebook, edition, scenario, commands: past.commands }, None, seen);
    peer.scratch.extend(told);
    peer.flush();
    peer.sink.close(Reason::GameOver, &format!("The game is over: {}.", end.outcome));
    Ok(())
}
