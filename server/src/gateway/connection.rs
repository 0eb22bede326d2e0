//! One connection: its hello, then messages between it and a room.

use std::{
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use commlib::{
    ConnectionId, Create, Dialect, FIRST_PROTOCOL, Form, GameInfo, Greeting, Hello, Incoming, PROTOCOL, ReadError,
    Reason, Refused, ToClient, Want,
};
use slog::{Logger, debug, info, o};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep, timeout},
};

use super::{
    Arrival, archive, forward,
    managing::{Managing, Place, answered},
    transport::{SendError, Transport},
};
use crate::{
    access::{GameAccess, code, hash_of, is_same, split_code},
    accounts::{AccountError, AccountId, account_required},
    address_limits::seconds,
    cluster::{PeerHost, link::Passed},
    handle::unavailable,
    host::{Host, Linked, Located, NewGameIsHidden},
    limits::Bucket,
    peer::Sink,
    room::{JoinKind, JoinRequest, ToRoom, game_logger, unknown_token},
    stream::Subscriber,
};

/// How often a client that joins may find that the room has just ended.
const ATTEMPTS: usize = 3;

/// The maximum time between a room's last message and its removal.
const ROOM_IS_LEAVING: Duration = Duration::from_secs(2);

/// A client that has waited for less does not give up.
const QUICK_ENTRY: Duration = Duration::from_millis(100);

/// The first protocol with offers, notices and managing.
const OFFERS_SINCE: u16 = 3;

/// The cost of a request for offers, in messages of the rate limit: the rules are asked about every command that a client may
/// think of.
const OFFERS_COST: u32 = 10;

/// The cost of a change of who may come in: it is stored.
const MANAGE_COST: u32 = 20;

/// One connection.
pub(super) struct Connection {
    id: ConnectionId,
    address: SocketAddr,
    transport: Transport,
    host: Arc<Host>,
    logger: Logger,
    bucket: Bucket,
    /// The number of messages since the client was slowed down, if it has not waited for an answer since.
    ahead: u32,
    created: usize,
    /// What the client understands, as far as it is known.
    dialect: Dialect,
    /// The secret of the invitation in the last hello.
    invitation: Option<String>,
    /// When the client sent its last hello, as far as the hosts know.
    greeted: Instant,
    /// The secret of an account.
    secret: Option<AccountSecret>,
    /// The account of the last hello.
    account: Option<AccountId>,
}

/// The secret of an account that a client has sent.
#[derive(Clone)]
pub(crate) enum AccountSecret {
    /// The session of a browser. If it is no longer valid, the client is a guest.
    Session(String),
    /// A token of a program. If it is not valid, hellos are refused.
    Token(String),
}

impl AccountSecret {
    fn text(&self) -> &str {
        match self {
            Self::Session(text) | Self::Token(text) => text,
        }
    }
}

/// A connection that has joined a room, of this host or of another.
pub(super) struct Seated {
    pub(super) inbox: mpsc::Sender<ToRoom>,
    pub(super) queue: mpsc::Receiver<Vec<u8>>,
    pub(super) farewell: Arc<OnceLock<Refused>>,
    /// The place in a room of this host.
    pub(super) place: Option<Place>,
}

/// The result of a hello.
enum Granted {
    Seat(Seated),
    List(Vec<GameInfo>),
}

impl Seated {
    /// Why the room has dropped the connection.
    fn why(&self) -> Refused {
        let gone = || Refused::new(Reason::Internal, "The room is gone; resume.");
        self.farewell.get().cloned().unwrap_or_else(gone)
    }
}

impl Connection {
    pub(super) fn new(arrival: Arrival, host: Arc<Host>, logger: Logger) -> Self {
        let Arrival { id, address, transport, secret } = arrival;
        // The host that took the client checks its rate.
        let rate = if transport.is_link() { u32::MAX } else { host.options.limits.messages_per_second };
        let bucket = Bucket::new(rate);
        Self {
            id,
            address,
            transport,
            host,
            logger,
            bucket,
            ahead: 0,
            created: 0,
            dialect: Dialect { protocol: PROTOCOL, knows_accounts: false },
            invitation: None,
            greeted: Instant::now(),
            secret,
            account: None,
        }
    }

    pub(super) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let greeted = tokio::select! {
            biased;
            greeted = self.greet() => greeted,
            _ = stop.wait_for(|stop| *stop) => Err(Refused::new(Reason::ShuttingDown, "The server stops.")),
        };
        let ended = match greeted {
            Ok(Some(seated)) => {
                let ended = self.play(seated).await;
                ended.inspect_err(|refused| self.host.metrics.connections_closed.count(refused.reason))
            }
            Ok(None) => Ok(()),
            Err(refused) => {
                self.host.metrics.connections_refused.count(refused.reason);
                Err(refused)
            }
        };
        match ended {
            Ok(()) => {
                debug!(self.logger, "gone");
                self.transport.leave().await;
            }
            Err(refused) => {
                debug!(self.logger, "closed"; "why" => &refused.message);
                self.transport.turn_away(refused.in_dialect(self.dialect)).await;
            }
        }
    }

    /// The handshake. After a list or a refusal, the client may send another hello.
    async fn greet(&mut self) -> Result<Option<Seated>, Refused> {
        loop {
            let greeting = match self.transport.greeting().await {
                Ok(Some(greeting)) => greeting,
                Ok(None) => return Ok(None),
                Err(error) => return failed(error).map(|()| None),
            };
            let now = Instant::now();
            self.greeted = now.checked_sub(self.transport.waited()).unwrap_or(now);
            self.arrived().await?;
            self.bucket.wait(1).await;
            let hello = match greeting {
                Greeting::Hello(hello) => hello,
                Greeting::Account(token) => {
                    // The host that took the client of a link says what it knows, because it may have sent a session.
                    self.dialect.knows_accounts |= !self.transport.is_link();
                    self.secret = (!token.is_empty()).then_some(AccountSecret::Token(token));
                    continue;
                }
            };
            if !self.transport.is_link() {
                let wait = self.host.services.addresses.hello(self.address.ip())?;
                // Even the shortest sleep takes a millisecond.
                if !wait.is_zero() {
                    sleep(wait).await;
                }
                self.host.services.accounts.check_address(self.address.ip()).await?;
            }
            let answer = match self.wish(hello).await {
                Ok(Granted::Seat(seated)) => return Ok(Some(seated)),
                Ok(Granted::List(games)) => ToClient::Games(games),
                Err(refused) => {
                    let fatal = matches!(
                        refused.reason,
                        Reason::WrongProtocol | Reason::ShuttingDown | Reason::StoreUnavailable
                    );
                    if fatal {
                        return Err(refused);
                    }
                    self.host.metrics.messages_refused.count(refused.reason);
                    ToClient::Refused(refused.in_dialect(self.dialect))
                }
            };
            if !self.say(&answer).await? {
                return Ok(None);
            }
        }
    }

    async fn wish(&mut self, hello: Hello) -> Result<Granted, Refused> {
        if !(FIRST_PROTOCOL..=PROTOCOL).contains(&hello.protocol) {
            let message =
                format!("This server speaks protocol {FIRST_PROTOCOL} to {PROTOCOL}, not {}.", hello.protocol);
            return Err(Refused::new(Reason::WrongProtocol, message));
        }
        self.dialect.protocol = hello.protocol;
        self.dialect.knows_accounts |= self.transport.knows_accounts();
        let (named, invitation) = match hello.game.as_deref().map(split_code) {
            Some((game, invitation)) => (Some(game.to_owned()), invitation.map(Into::into)),
            None => (self.host.only_game(), None),
        };
        self.invitation = invitation;
        self.account = self.signed_in().await?;
        match &hello.want {
            Want::Create(_) | Want::Private { .. } | Want::Join { .. } => {
                if self.host.services.accounts.are_required() && self.account.is_none() {
                    return Err(account_required());
                }
            }
            Want::List | Want::Watch { .. } | Want::Resume { .. } => {}
        }
        // A new game is in no list before its creator is in it.
        let mut hidden = None;
        let is_new = matches!(hello.want, Want::Create(_) | Want::Private { .. });
        if self.transport.is_link() && (is_new || hello.want == Want::List) {
            return Err(Refused::new(Reason::BadMessage, "The server that took the client answers this."));
        }
        let (game, how) = match hello.want {
            Want::List => return Ok(Granted::List(self.host.list_all().await?)),
            Want::Create(_) | Want::Private { .. } if hello.game.is_some() => {
                let message = "The server names a new game; create without a name.";
                return Err(Refused::new(Reason::BadMessage, message));
            }
            Want::Create(create) => {
                let (game, new) = self.create(create).await?;
                hidden = Some(new);
                (game, JoinKind::Join { seat: None })
            }
            Want::Private { create, admission } => {
                let (game, new) = self.create(create).await?;
                hidden = Some(new);
                self.host.admit_some(&game, admission).await?;
                (game, JoinKind::Join { seat: None })
            }
            Want::Join { seat } => (self.named(named).await?, JoinKind::Join { seat }),
            Want::Watch { seen } => (self.named(named).await?, JoinKind::Watch { seen }),
            Want::Resume { token, seen } => (self.named(named).await?, JoinKind::Resume { token, seen }),
        };
        let seated = self.enter(&game, hello.board, how, is_new).await;
        drop(hidden);
        // The log has every game but one that was just created and could not be stored.
        let is_lost = |refused: &Refused| is_new && refused.reason == Reason::UnknownGame;
        let seated = seated.map_err(|refused| if is_lost(&refused) { unavailable() } else { refused })?;
        let is_resumed = matches!(how, JoinKind::Resume { .. }) && !self.transport.is_link();
        self.host.metrics.resumes.add(u64::from(is_resumed));
        Ok(Granted::Seat(seated))
    }

    /// The account that this connection plays for. Wrong tokens of an address are limited.
    async fn signed_in(&mut self) -> Result<Option<AccountId>, Refused> {
        let Some(secret) = self.secret.clone() else { return Ok(None) };
        let (services, address) = (&self.host.services, self.address.ip());
        // The host that took a client of a link has counted it.
        if !self.transport.is_link() {
            services.addresses.may_try_token(address).map_err(|wait| {
                let words = format!("Your address has sent too many wrong tokens; try again in {} s.", seconds(wait));
                Refused::new(Reason::TooMany, words)
            })?;
        }
        match (services.accounts.signed_in(secret.text()).await, &secret) {
            (Ok(signed_in), _) => Ok(Some(signed_in.id)),
            (Err(AccountError::UnknownSecret | AccountError::Off), AccountSecret::Session(_)) => Ok(None),
            (Err(error), _) => {
                if matches!(error, AccountError::UnknownSecret) && !self.transport.is_link() {
                    services.addresses.wrong_token(address);
                }
                Err(error.into())
            }
        }
    }

    /// The game that a client named.
    async fn named(&mut self, game: Option<String>) -> Result<String, Refused> {
        match game {
            Some(game) => Ok(game),
            None => Err(Refused::new(Reason::UnknownGame, format!("Name a game; {}.", self.host.open_games().await))),
        }
    }

    async fn create(&mut self, create: Create) -> Result<(String, NewGameIsHidden), Refused> {
        let limits = &self.host.options.limits;
        if self.created >= limits.games_per_connection {
            let message = format!("You have created {} games, which is all you may.", self.created);
            return Err(Refused::new(Reason::TooMany, message));
        }
        self.host.check(&create)?;
        self.created += 1;
        let by = self.address.ip();
        self.host.may_create(by)?;
        self.host.create_hidden(create, Some(by)).await
    }

    async fn enter(&mut self, game: &str, board: bool, how: JoinKind, is_creator: bool) -> Result<Seated, Refused> {
        let (form, mut deadline) = (self.transport.form(), self.host.entry_deadline());
        // A room may end while a client joins. As soon as the room is gone, the game is in the log, or it is opened again. Another
        // host may open it.
        let mut failed = Refused::new(Reason::ShuttingDown, "The game closes just now; resume.");
        let began = Instant::now();
        for _ in 0..ATTEMPTS {
            let (sink, queue, farewell) = Sink::new();
            self.host.certain(deadline).await?;
            let room = self.host.room(game);
            let head = match &room {
                Some(_) => None,
                None => match self.host.locate_by(game, deadline).await? {
                    Located::Open => continue,
                    Located::Over(head) => Some(head),
                    Located::Elsewhere(peer) => match self.forward(&peer, game, board, how).await? {
                        Some(seated) => return Ok(seated),
                        None => {
                            // The client may have waited until the owner was declared dead.
                            (failed, deadline) = (moves(), self.host.entry_deadline());
                            continue;
                        }
                    },
                },
            };
            let (access, reserved_name) = self.may_enter(game, how, is_creator).await?;
            // The seat may be that of a removed client, whose token in the log stays as it is.
            let claimed = match how {
                JoinKind::Join { seat: Some(seat) } if !access.removed.is_empty() => {
                    Some((seat, self.host.new_token()?))
                }
                JoinKind::Join { .. } | JoinKind::Watch { .. } | JoinKind::Resume { .. } => None,
            };
            let claim = claimed.map(|(_, token)| token);
            let greeted = self.greeted;
            let account = self.account.clone();
            let seats = self.host.account_seats(game).await?;
            let request = JoinRequest {
                connection: self.id,
                dialect: self.dialect,
                form,
                board,
                sink,
                access,
                reserved_name,
                claim,
                account: account.clone(),
                seats,
                greeted,
            };
            if let Some(head) = head {
                let found = archive::admit(&self.host, *head, request, how).await?;
                self.is_in(game, found);
                // This inbox has no reader: the queue ends after its last message.
                return Ok(Seated { inbox: mpsc::channel(1).0, queue, farewell, place: None });
            }
            let Some(room) = room else { continue };
            let may_have_left = self.transport.is_link() || began.elapsed() >= QUICK_ENTRY;
            if may_have_left && self.has_given_up(how).await {
                return Err(left());
            }
            let (answer, answered) = oneshot::channel();
            if room.inbox.send(ToRoom::Enter { request, how, answer }).await.is_ok()
                && let Ok(admitted) = answered.await
            {
                let admitted = admitted?;
                if let Some((seat, token)) = claimed {
                    self.host.claim(game, seat, token).await?;
                }
                if let Subscriber::Client { client, .. } = admitted {
                    let account = account.filter(|_| !is_resume(how));
                    if let Err(refused) = self.host.is_account_of(game, client, account).await {
                        let _room_is_gone = room.inbox.send(ToRoom::Gone { connection: self.id }).await;
                        return Err(refused);
                    }
                }
                self.is_in(game, admitted);
                let place = Some(Place::new(game, admitted));
                return Ok(Seated { inbox: room.inbox, queue, farewell, place });
            }
            if timeout(ROOM_IS_LEAVING, room.gone.cancelled()).await.is_err() {
                break;
            }
        }
        Err(failed)
    }

    /// Checks that a client may enter a game. Returns who else may, and the name that its invitation is for.
    async fn may_enter(
        &mut self,
        game: &str,
        how: JoinKind,
        is_creator: bool,
    ) -> Result<(Arc<GameAccess>, Option<String>), Refused> {
        let access = self.host.access(game).await?;
        let (secret, account) = (self.invitation.as_deref(), self.account.as_ref().map(AccountId::as_str));
        match how {
            JoinKind::Join { .. } if is_creator => {}
            JoinKind::Join { .. } => access.may_join(game, secret, account)?,
            JoinKind::Watch { .. } => access.may_watch(game, secret, account)?,
            JoinKind::Resume { token, .. } => {
                let hash = hash_of(token.bytes());
                if access.removed.iter().any(|removed| is_same(removed, &hash)) {
                    return Err(unknown_token());
                }
            }
        }
        let name = access.invitation(secret).and_then(|invitation| invitation.name.clone());
        Ok((access, name))
    }

    /// Passes this client on to the host that plays its game. Returns `None` if the game has another host by now.
    async fn forward(
        &mut self,
        peer: &PeerHost,
        game: &str,
        board: bool,
        how: JoinKind,
    ) -> Result<Option<Seated>, Refused> {
        if self.transport.is_link() {
            return Err(moves());
        }
        let want = match how {
            JoinKind::Join { seat } => Want::Join { seat },
            JoinKind::Watch { seen } => Want::Watch { seen },
            JoinKind::Resume { token, seen } => Want::Resume { token, seen },
        };
        let form = self.transport.form();
        let passed = match form {
            Form::Binary => Passed::Frames,
            Form::Json => Passed::Lines,
        };
        let (host, address, greeted) = (self.host.clone(), self.address, self.greeted);
        let entering = async {
            let link = match host.link(game, peer, address, passed).await? {
                Linked::To(link) => link,
                Linked::Moved => return Ok(None),
            };
            let Dialect { protocol, knows_accounts } = self.dialect;
            let hello = Hello { protocol, want, game: Some(code(game, self.invitation.as_deref())), board };
            let account = self.account.as_ref().and(self.secret.as_ref()).map(|secret| secret.text().to_owned());
            let seated = forward::enter(&host, link, form, account, (hello, knows_accounts, greeted)).await?;
            if seated.is_none() {
                host.open_after(game).await?;
            }
            Ok::<_, Refused>(seated)
        };
        // The owner may be out of reach for longer than the client waits.
        let entered = tokio::select! {
            biased;
            () = self.transport.left(), if is_resume(how) => return Err(left()),
            entered = entering => entered?,
        };
        let Some(seated) = entered else { return Ok(None) };
        self.logger = game_logger(&self.logger, game);
        info!(self.logger, "passed on"; "host" => &peer.name);
        Ok(Some(seated))
    }

    /// Whether the client of a resume has left. It may have resumed with another connection since, which this one would replace.
    async fn has_given_up(&mut self, how: JoinKind) -> bool {
        if !is_resume(how) {
            return false;
        }
        tokio::select! {
            biased;
            () = self.transport.left() => true,
            () = std::future::ready(()) => false,
        }
    }

    /// Adds the game, and the client if there is one, to the log lines of this connection.
    fn is_in(&mut self, game: &str, subscriber: Subscriber) {
        self.logger = game_logger(&self.logger, game);
        if let Subscriber::Client { client, .. } = subscriber {
            self.logger = self.logger.new(o!("client" => client.0));
        }
        info!(self.logger, "in a game");
    }

    /// Passes messages both ways until one side ends the connection.
    async fn play(&mut self, mut seated: Seated) -> Result<(), Refused> {
        let ended = self.exchange(&mut seated).await;
        let _room_is_gone = seated.inbox.send(ToRoom::Gone { connection: self.id }).await;
        ended
    }

    async fn exchange(&mut self, seated: &mut Seated) -> Result<(), Refused> {
        // A message that waits for the rate limit, then for the room. Until it is passed on, nothing more is read.
        let mut waiting = None;
        let mut is_paid = false;
        // A change of who may come in, which the host makes. Meanwhile nothing is read, but everything is sent.
        let mut managing: Option<Managing> = None;
        loop {
            tokio::select! {
                biased;
                bytes = seated.queue.recv() => match bytes {
                    Some(bytes) => {
                        if !self.send(bytes).await {
                            return Ok(());
                        }
                    }
                    None => return Err(seated.why()),
                },
                permit = passage(&mut self.bucket, cost(waiting.as_ref()), &mut is_paid, &seated.inbox), if waiting.is_some() => {
                    let Some(message) = waiting.take() else { continue };
                    is_paid = false;
                    if let Some(permit) = permit {
                        match (message, &seated.place) {
                            (ToRoom::Manage { change }, Some(place)) => {
                                managing = Some(place.manage(&self.host, self.dialect, change));
                            }
                            (message, _) => permit.send(message),
                        }
                        continue;
                    }
                    // The room has ended; its last messages are still in the queue.
                    while let Some(bytes) = seated.queue.recv().await {
                        if !self.send(bytes).await {
                            return Ok(());
                        }
                    }
                    return Err(seated.why());
                }
                answer = answered(&mut managing), if managing.is_some() => {
                    managing = None;
                    let mut bytes = Vec::new();
                    commlib::encode(self.transport.form(), &answer, &mut bytes)
                        .map_err(|error| Refused::new(Reason::Internal, error.to_string()))?;
                    if !self.send(bytes).await {
                        return Ok(());
                    }
                }
                incoming = self.transport.next_command(), if waiting.is_none() && managing.is_none() => {
                    waiting = Some(match incoming {
                        Ok(Some(Incoming::Command(raw))) => {
                            ToRoom::Command { connection: self.id, raw: raw.into_owned() }
                        }
                        Ok(Some(Incoming::Ping(number))) => ToRoom::Ping { connection: self.id, number },
                        Ok(Some(Incoming::Offers(_))) if self.dialect.protocol < OFFERS_SINCE => {
                            let words = format!("Offers exist from protocol {OFFERS_SINCE} on.");
                            return Err(Refused::new(Reason::BadMessage, words));
                        }
                        Ok(Some(Incoming::Offers(number))) => ToRoom::Offers { connection: self.id, number },
                        Ok(Some(
                            Incoming::Notices(_) | Incoming::Chat(_) | Incoming::Mute(_) | Incoming::Report(_),
                        )) if self.dialect.protocol < OFFERS_SINCE => {
                            let words = format!("Notices exist from protocol {OFFERS_SINCE} on.");
                            return Err(Refused::new(Reason::BadMessage, words));
                        }
                        Ok(Some(Incoming::Notices(wanted))) => ToRoom::Notices { connection: self.id, wanted },
                        Ok(Some(Incoming::Chat(text))) => ToRoom::Chat { connection: self.id, text },
                        Ok(Some(Incoming::Mute(mute))) => ToRoom::Mute { connection: self.id, mute },
                        Ok(Some(Incoming::Report(number))) => ToRoom::Report { connection: self.id, number },
                        Ok(Some(Incoming::Manage(_))) if self.dialect.protocol < OFFERS_SINCE => {
                            let words = format!("Games are managed from protocol {OFFERS_SINCE} on.");
                            return Err(Refused::new(Reason::BadMessage, words));
                        }
                        Ok(Some(Incoming::Manage(change))) => ToRoom::Manage { change },
                        Ok(Some(Incoming::Hello(_) | Incoming::Account(_))) => {
                            return Err(Refused::new(Reason::BadMessage, "You are in a game already."));
                        }
                        Ok(None) => return Ok(()),
                        Err(error) => return failed(error),
                    });
                    self.arrived().await?;
                }
            }
        }
    }

    /// Counts a message. At this moment its answer is still to come: if the next message has already arrived, the client does not
    /// wait for it. A client that is slowed down and never waits is a flood, and its connection ends.
    async fn arrived(&mut self) -> Result<(), Refused> {
        if self.ahead > 0 || self.bucket.is_empty() {
            self.ahead = if self.transport.has_more().await { self.ahead + 1 } else { 0 };
        }
        self.host.metrics.bytes_in.add(self.transport.take_received());
        let limits = &self.host.options.limits;
        if self.ahead <= limits.messages_ahead() {
            return Ok(());
        }
        let most = limits.messages_per_second;
        let words = format!("More than {most} messages a second without ever waiting for an answer; resume.");
        Err(Refused::new(Reason::TooFast, words))
    }

    /// Answers a hello. Returns false if the client is gone.
    async fn say(&mut self, message: &ToClient<()>) -> Result<bool, Refused> {
        if let (Transport::Link(link), ToClient::Refused(refused)) = (&mut self.transport, message) {
            return Ok(link.refuse(refused.clone(), self.host.options.limits.stall).await.is_ok());
        }
        let mut bytes = Vec::new();
        commlib::encode(self.transport.form(), message, &mut bytes)
            .map_err(|error| Refused::new(Reason::Internal, error.to_string()))?;
        Ok(self.send(bytes).await)
    }

    /// Sends to a client that keeps reading. Returns false if the client is gone.
    async fn send(&mut self, encoded: Vec<u8>) -> bool {
        let length = encoded.len() as u64;
        match self.transport.send(encoded, self.host.options.limits.stall).await {
            Ok(()) => {
                let is_for_client = !self.transport.is_link();
                self.host.metrics.bytes_out.add(if is_for_client { length } else { 0 });
                true
            }
            Err(SendError::Gone) => false,
            Err(SendError::Stalled) => {
                // Part of a message may already be sent: a reason would land in the middle of it.
                debug!(self.logger, "closed"; "why" => "it read nothing for too long");
                false
            }
        }
    }
}

fn is_resume(how: JoinKind) -> bool {
    match how {
        JoinKind::Resume { .. } => true,
        JoinKind::Join { .. } | JoinKind::Watch { .. } => false,
    }
}

/// The end of a connection whose client did not wait for its answer.
fn left() -> Refused {
    Refused::new(Reason::Timeout, "The client left before it was in the game.")
}

/// The refusal for a client whose game changes its host again and again.
fn moves() -> Refused {
    Refused::new(Reason::ShuttingDown, "The game moves to another server just now; resume.")
}

/// Waits until a message may be passed on: first for the rate limit, then for the room. Returns `None` if the room has ended.
/// Cancel-safe: `is_paid` says whether the rate limit has let the message through.
async fn passage<'i>(
    bucket: &mut Bucket,
    cost: u32,
    is_paid: &mut bool,
    inbox: &'i mpsc::Sender<ToRoom>,
) -> Option<mpsc::Permit<'i, ToRoom>> {
    if !*is_paid {
        bucket.wait(cost).await;
        *is_paid = true;
    }
    inbox.reserve().await.ok()
}

/// The cost of a message, in messages of the rate limit.
fn cost(message: Option<&ToRoom>) -> u32 {
    match message {
        Some(ToRoom::Offers { .. }) => OFFERS_COST,
        Some(ToRoom::Manage { .. }) => MANAGE_COST,
        Some(
            ToRoom::Enter { .. }
            | ToRoom::Command { .. }
            | ToRoom::Ping { .. }
            | ToRoom::Notices { .. }
            | ToRoom::Chat { .. }
            | ToRoom::Mute { .. }
            | ToRoom::Report { .. }
            | ToRoom::Turn { .. }
            | ToRoom::DeleteLine { .. }
            | ToRoom::Gone { .. }
            | ToRoom::Stored { .. }
            | ToRoom::AddBot { .. }
            | ToRoom::MayManage { .. }
            | ToRoom::Access { .. }
            | ToRoom::EndEarly { .. }
            | ToRoom::Stop,
        )
        | None => 1,
    }
}

/// Returns an error to send if the client sent an invalid message; a failed connection gets no answer.
fn failed(error: ReadError) -> Result<(), Refused> {
    match error {
        ReadError::Refused(refused) => Err(refused),
        ReadError::Cut | ReadError::Io(_) => Ok(()),
    }
}
