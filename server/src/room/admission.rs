//! Admission to a room: new clients, spectators, and clients that resume, with the events that they missed.

use std::sync::Arc;

use commlib::{ConnectionId, Dialect, Form, Reason, Refused, Token};
use engine::{Cause, CommId, Entry, EntryOf, Rulebook};
use slog::{Logger, warn};
use tokio::{sync::oneshot, time::Instant};

use super::Room;
use crate::{
    access::GameAccess,
    accounts::{AccountId, OpenSeats},
    adapter::{Adapter, SetupOf},
    handle::unavailable,
    log::{ReplayError, Row, StoredClient},
    peer::{Peer, Place, Sink},
    stream::{Streams, Subscriber, encode_event},
    world::World,
};

/// A connection that asks to join a room.
pub(crate) struct JoinRequest {
    pub(crate) connection: ConnectionId,
    /// What the client understands.
    pub(crate) dialect: Dialect,
    pub(crate) form: Form,
    pub(crate) board: bool,
    pub(crate) sink: Sink,
    /// Who may come in. The gateway has checked it.
    pub(crate) access: Arc<GameAccess>,
    /// The name that the invitation of the client is for.
    pub(crate) reserved_name: Option<String>,
    /// The token for a client that claims the seat of a removed one. The gateway stores it before the client hears of it.
    pub(crate) claim: Option<Token>,
    /// When the client sent its hello. A host that passes it on may have waited for this one.
    pub(crate) greeted: Instant,
    /// The account of the client.
    pub(crate) account: Option<AccountId>,
    /// The accounts of all clients of the game, as they are stored.
    pub(crate) seats: OpenSeats,
}

#[derive(Clone, Copy)]
pub(crate) enum JoinKind {
    /// A new client. With a number, it claims this seat.
    Join {
        seat: Option<u16>,
    },
    Watch {
        seen: u64,
    },
    Resume {
        token: Token,
        seen: u64,
    },
}

impl<A: Adapter> Room<A> {
    pub(super) async fn enter(
        &mut self,
        request: JoinRequest,
        how: JoinKind,
        answer: oneshot::Sender<Result<Subscriber, Refused>>,
    ) {
        let admitted = match self.admit(&request, how).await {
            Ok(peer) => {
                let subscriber = peer.subscriber;
                self.peers.push(peer);
                self.attendance.entered();
                self.notices.is_stale = true;
                Ok(subscriber)
            }
            Err(refused) => Err(refused),
        };
        let _gone_meanwhile = answer.send(admitted);
    }

    async fn admit(&mut self, request: &JoinRequest, how: JoinKind) -> Result<Peer, Refused> {
        let board = request.board;
        self.apply_access(request.access.clone());
        for (client, account) in &request.seats.clients {
            self.accounts.entry(CommId(*client)).or_insert_with(|| account.clone());
        }
        let (subscriber, token, seen) = match how {
            JoinKind::Join { seat } => {
                let client = seat.map_or_else(|| Ok(self.clients.next()), |seat| self.waiting_seat(seat))?;
                let token = match request.claim.filter(|_| self.clients.is_removed(client)) {
                    Some(token) => {
                        self.clients.add(client, blake3::hash(token.bytes()));
                        token
                    }
                    None => self.give_token(client).await?,
                };
                self.guests.extend(request.reserved_name.clone().map(|name| (client, name)));
                self.accounts.remove(&client);
                self.accounts.extend(request.account.clone().map(|account| (client, account)));
                (Subscriber::Client { client, board }, Some(token), 0)
            }
            JoinKind::Watch { seen } => (Subscriber::Watcher, None, seen),
            JoinKind::Resume { token, seen } => {
                let client = self.clients.of(token).ok_or_else(unknown_token)?;
                self.is_latest(client, request.greeted)?;
                (Subscriber::Client { client, board }, None, seen)
            }
        };
        let last = self.streams.last(subscriber);
        if seen > last {
            return Err(beyond(seen, last));
        }
        let mut peer = Peer::new(request.connection, (request.form, request.dialect), subscriber, request.sink.clone());
        peer.greeted = request.greeted;
        // This includes commands that are not yet durable, because their events will still be sent. No further commands of an
        // earlier connection follow, because its peer is removed before the next message.
        let commands = match subscriber {
            Subscriber::Client { client, .. } => self.clients.commands(client),
            Subscriber::Watcher => 0,
        };
        let (rulebook, edition, scenario) = (A::Rules::NAME, A::Rules::edition(&self.setup), A::scenario(&self.setup));
        let place = Place { game: &self.name, rulebook, edition, scenario, commands };
        peer.welcome(&place, token, seen);
        if seen < last {
            self.catch_up(&mut peer, seen).await?;
        }
        if let Subscriber::Client { .. } = subscriber {
            // A second connection of the same client closes the first.
            let same = |other: &Peer| same_client(other.subscriber, subscriber);
            self.peers.iter().filter(|other| same(other)).for_each(|other| {
                other.sink.close(Reason::Replaced, "Another connection has resumed with your token.");
            });
            self.peers.retain(|other| !same(other));
        }
        Ok(peer)
    }

    /// Refuses a resume that was overtaken: the client gave it up, and has resumed with another connection since.
    fn is_latest(&self, client: CommId, greeted: Instant) -> Result<(), Refused> {
        let is_later = |peer: &Peer| match peer.subscriber {
            Subscriber::Client { client: other, .. } => other == client && peer.greeted > greeted,
            Subscriber::Watcher => false,
        };
        if self.peers.iter().any(is_later) {
            return Err(Refused::new(Reason::Replaced, "A later connection has resumed with your token."));
        }
        Ok(())
    }

    /// The client of a seat that can be claimed. Seats are numbered from 0 in the order in which they were taken.
    fn waiting_seat(&self, number: u16) -> Result<CommId, Refused> {
        let waits = |client: CommId| self.streams.is_seated(client) && !self.clients.is_taken(client);
        let players = self.streams.players();
        let found = players.get(usize::from(number)).copied();
        if let Some(client) = found.filter(|client| waits(*client)) {
            return Ok(client);
        }
        let waiting = players.iter().enumerate().filter(|(_, client)| waits(**client));
        let waiting: Vec<String> = waiting.map(|(number, _)| number.to_string()).collect();
        let others = match waiting.as_slice() {
            [] => "none waits to be claimed, so join without one".into(),
            numbers => format!("these wait to be claimed: {}", numbers.join(", ")),
        };
        Err(match found {
            None => Refused::new(Reason::BadMessage, format!("There is no seat {number}; {others}.")),
            Some(client) if self.clients.is_taken(client) => {
                Refused::new(Reason::Full, format!("Seat {number} is taken; {others}."))
            }
            Some(_) => Refused::new(Reason::Full, format!("The player of seat {number} has left; {others}.")),
        })
    }

    /// Creates a token for a client, and stores it before it is sent.
    pub(super) async fn give_token(&mut self, client: CommId) -> Result<Token, Refused> {
        let token = new_token(&*self.services.world, &self.logger)?;
        let hash = blake3::hash(token.bytes());
        self.store_client(client, *hash.as_bytes()).await?;
        self.clients.add(client, hash);
        Ok(token)
    }

    /// Stores a client with the hash of its token.
    pub(super) async fn store_client(&mut self, client: CommId, token_hash: [u8; 32]) -> Result<(), Refused> {
        let (done, stored) = oneshot::channel();
        let stored_client = StoredClient { client, token_hash, name: String::new(), joined: self.services.world.now() };
        // The number is never given again, even if the client cannot be stored now: its row may still be written later.
        self.clients.mention(client);
        self.services.log.add_client(self.key, stored_client, Box::new(move |result| drop(done.send(result))));
        match self.wait_for_store(stored).await {
            Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(error))) => Err(match self.watermark.failed.get() {
                Some(failed) => self.store_failed(failed).to_refused(),
                // The log has stored the end of the game before.
                None if self.game.outcome().is_some() => {
                    Refused::new(Reason::GameOver, "This game is over; you can watch it.")
                }
                None => self.store_failed(&error).to_refused(),
            }),
            Some(Err(_)) | None => Err(unavailable()),
        }
    }

    /// Queues the events that a subscriber missed. They come from the log, up to the last entry that was sent to the others.
    async fn catch_up(&mut self, peer: &mut Peer, seen: u64) -> Result<(), Refused> {
        let (services, key) = (self.services.clone(), self.key);
        let rows = self.wait_for_store(services.log.rows(key, 1)).await;
        let rows = rows.and_then(Result::ok).ok_or_else(unavailable)?;
        let told = self.told;
        if rows.last().map_or(0, |row| row.sequence) < told {
            // The store answered from a server that is behind. The client tries again; it must not have a gap.
            return Err(unavailable());
        }
        history::<A>(rows.iter().take_while(|row| row.sequence <= told), &self.setup, peer, seen)
            .map(drop)
            .map_err(|_| Refused { reason: Reason::Internal, message: "The log of this game is damaged.".into() })
    }
}

pub(super) fn new_token(world: &dyn World, logger: &Logger) -> Result<Token, Refused> {
    let bytes = world.random_bytes().map_err(|refused| {
        warn!(logger, "the system gives no random bytes"; "cause" => refused.message);
        Refused { reason: Reason::Internal, message: "No token can be made now; try again.".into() }
    })?;
    Ok(Token::new(bytes))
}

/// The history of a subscriber in the log.
#[derive(Clone, Copy, Debug)]
pub struct Past {
    /// The number of the last event for the subscriber.
    pub(crate) last: u64,
    /// The number of commands that the subscriber sent.
    pub(crate) commands: u64,
}

/// Encodes the events for a subscriber after the event `seen`.
pub(crate) fn history<'r, A: Adapter>(
    rows: impl Iterator<Item = &'r Row>,
    setup: &SetupOf<A>,
    peer: &mut Peer,
    seen: u64,
) -> Result<Past, ReplayError> {
    let mut streams = Streams::default();
    let mut commands = 0;
    for row in rows {
        let decoded = Entry::decode(&row.bytes).map_err(|source| ReplayError::Entry { sequence: row.sequence, source });
        let entry: EntryOf<A::Rules> = decoded?;
        if let (Cause::Command { client, .. }, Subscriber::Client { client: own, .. }) =
            (&entry.input.cause, peer.subscriber)
        {
            commands += u64::from(*client == own);
        }
        for emission in &entry.emissions {
            if let Some((hearers, event)) = streams.follow(emission)
                && let Some(number) = hearers.number(peer.subscriber)
                && number > seen
            {
                encode_event::<A>(peer.form, setup, number, event, &mut peer.scratch);
            }
        }
    }
    Ok(Past { last: streams.last(peer.subscriber), commands })
}

fn same_client(one: Subscriber, other: Subscriber) -> bool {
    match (one, other) {
        (Subscriber::Client { client: one, .. }, Subscriber::Client { client: other, .. }) => one == other,
        (Subscriber::Watcher, _) | (_, Subscriber::Watcher) => false,
    }
}

pub(crate) fn beyond(seen: u64, last: u64) -> Refused {
    Refused::new(Reason::BadMessage, format!("You say that you saw event {seen}, but there are {last}."))
}

pub(crate) fn unknown_token() -> Refused {
    Refused { reason: Reason::UnknownToken, message: "No client of this game has this token.".into() }
}
