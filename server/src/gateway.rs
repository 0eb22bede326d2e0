//! Connections: the handshake, and then messages between a socket and a room.

use std::{
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use commlib::{
    ConnectionId, GameInfo, Hello, Incoming, PROTOCOL, ReadError, Reader, Reason, Refused, ServerConnection, ToClient,
    Want, Writer,
};
use engine::CommId;
use slog::{Logger, debug, info, o};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::timeout,
};

use crate::{
    host::Host,
    limits::{Bucket, Connections},
    log::GameRecord,
    peer::{Peer, Sink},
    room::{Entrance, How, ToRoom, beyond, game_logger, unknown_token},
    stream::Listener,
};

/// Takes connections until the host stops.
#[derive(Debug)]
pub struct Gateway {
    server: ServerConnection,
    connections: Connections,
}

impl Gateway {
    pub async fn bind(address: SocketAddr, host: &Host) -> std::io::Result<Self> {
        let server = ServerConnection::bind(address, host.options.limits.wire).await?;
        Ok(Self { server, connections: Connections::new(host.metrics.clone()) })
    }

    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.server.local_addr()
    }

    /// Serves until `stop` changes. Connections that are open then end when their rooms do.
    pub async fn serve(self, host: Arc<Host>, mut stop: watch::Receiver<bool>) -> OpenConnections {
        let logger = host.options.logger.clone();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return OpenConnections(self.connections),
                accepted = self.server.accept() => accepted,
            };
            let peer = match accepted {
                Ok(peer) => peer,
                Err(error) => {
                    // Too many open files, most likely: others may end meanwhile.
                    slog::warn!(logger, "a connection could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let logger = logger.new(o!("connection" => peer.id().0));
            debug!(logger, "connected"; "address" => %peer.address());
            match self.connections.admit(peer.address().ip(), &host.options.limits) {
                Ok(counted) => {
                    let (host, stop) = (host.clone(), stop.clone());
                    tokio::spawn(async move {
                        let id = peer.id();
                        let (reader, writer) = peer.split();
                        Connection::new(id, reader, writer, host, logger).run(stop).await;
                        drop(counted);
                    });
                }
                Err(refused) => {
                    debug!(logger, "closed"; "why" => &refused.message);
                    let (reader, writer) = peer.split();
                    tokio::spawn(commlib::turn_away(reader, writer, refused));
                }
            }
        }
    }
}

/// How many milliseconds a room may take from its last word until it is gone.
const ROOM_IS_LEAVING: usize = 2000;

/// Connections that were open when a gateway stopped.
#[derive(Debug)]
pub struct OpenConnections(Connections);

impl OpenConnections {
    /// Waits until all have heard the last word, for so long at most.
    pub async fn ended(self, patience: Duration) {
        let all_gone = async {
            while self.0.all() > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let _some_never_read = timeout(patience, all_gone).await;
    }
}

/// One socket.
struct Connection {
    id: ConnectionId,
    reader: Reader,
    writer: Writer,
    host: Arc<Host>,
    logger: Logger,
    bucket: Bucket,
    created: usize,
}

/// A connection that is in a room.
struct Seated {
    inbox: mpsc::Sender<ToRoom>,
    queue: mpsc::Receiver<Vec<u8>>,
    farewell: Arc<OnceLock<Refused>>,
}

/// What came of a hello.
enum Granted {
    Seat(Seated),
    List(Vec<GameInfo>),
}

impl Seated {
    /// Why the room has let go of the connection.
    fn why(&self) -> Refused {
        let gone = || Refused::new(Reason::Internal, "The room is gone; resume.");
        self.farewell.get().cloned().unwrap_or_else(gone)
    }
}

impl Connection {
    fn new(id: ConnectionId, reader: Reader, writer: Writer, host: Arc<Host>, logger: Logger) -> Self {
        let bucket = Bucket::new(host.options.limits.messages_per_second);
        Self { id, reader, writer, host, logger, bucket, created: 0 }
    }

    async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let greeted = tokio::select! {
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
            Ok(()) => debug!(self.logger, "gone"),
            Err(refused) => {
                debug!(self.logger, "closed"; "why" => &refused.message);
                commlib::turn_away(self.reader, self.writer, refused).await;
            }
        }
    }

    /// The handshake. Lists and refused wishes leave the connection open for another hello.
    async fn greet(&mut self) -> Result<Option<Seated>, Refused> {
        loop {
            let hello = match self.reader.hello().await {
                Ok(Some(hello)) => hello,
                Ok(None) => return Ok(None),
                Err(error) => return failed(error).map(|()| None),
            };
            self.rate()?;
            let answer = match self.wish(hello).await {
                Ok(Granted::Seat(seated)) => return Ok(Some(seated)),
                Ok(Granted::List(games)) => ToClient::Games(games),
                Err(refused) => {
                    let fatal = matches!(refused.reason, Reason::WrongProtocol | Reason::ShuttingDown);
                    if fatal {
                        return Err(refused);
                    }
                    self.host.metrics.messages_refused.count(refused.reason);
                    ToClient::Refused(refused)
                }
            };
            if !self.say(&answer).await? {
                return Ok(None);
            }
        }
    }

    async fn wish(&mut self, hello: Hello) -> Result<Granted, Refused> {
        if hello.protocol != PROTOCOL {
            let message = format!("This server speaks protocol {PROTOCOL}, not {}.", hello.protocol);
            return Err(Refused::new(Reason::WrongProtocol, message));
        }
        let named = hello.game.clone().or_else(|| self.host.only_game());
        let (game, how) = match hello.want {
            Want::List => return Ok(Granted::List(self.host.list())),
            Want::Create(create) => {
                let limits = &self.host.options.limits;
                if self.host.options.one_game {
                    return Err(Refused::new(Reason::TooMany, "This server serves one game; join it."));
                }
                if hello.game.is_some() {
                    return Err(Refused::new(
                        Reason::BadMessage,
                        "The server names a new game; create without a name.",
                    ));
                }
                if self.created >= limits.games_per_connection {
                    let message = format!("You have created {} games, which is all you may.", self.created);
                    return Err(Refused::new(Reason::TooMany, message));
                }
                if create.timeout.is_some_and(|timeout| timeout == 0 || timeout > limits.longest_timeout) {
                    let message = format!("A timeout is 1 to {} milliseconds.", limits.longest_timeout);
                    return Err(Refused::new(Reason::BadMessage, message));
                }
                self.created += 1;
                let host = self.host.clone();
                // Checking a scenario takes milliseconds; others do not wait for it.
                let made = tokio::task::spawn_blocking(move || {
                    let _inside = tokio::runtime::Handle::current().enter();
                    host.create(&create, None)
                });
                let name = made.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be made."))??;
                (name, How::Join)
            }
            Want::Join { seat: Some(_) } => {
                return Err(Refused::new(Reason::BadMessage, "This game gives its seats itself; join without one."));
            }
            Want::Join { seat: None } => (named.ok_or_else(no_game)?, How::Join),
            Want::Watch { seen } => (named.ok_or_else(no_game)?, How::Watch { seen }),
            Want::Resume { token, seen } => (named.ok_or_else(no_game)?, How::Resume { token, seen }),
        };
        let seated = self.enter(&game, hello.board, how).await?;
        self.host.metrics.resumes.add(u64::from(matches!(how, How::Resume { .. })));
        Ok(Granted::Seat(seated))
    }

    async fn enter(&mut self, game: &str, board: bool, how: How) -> Result<Seated, Refused> {
        let form = self.reader.form();
        // A room may end while somebody is at its door. Then the game is in the log, as soon as the room is gone.
        for _ in 0..ROOM_IS_LEAVING {
            let (sink, queue, farewell) = Sink::new();
            let Some(inbox) = self.host.inbox(game) else {
                return self.archive(game, board, how, sink, queue, farewell).await;
            };
            let (answer, answered) = oneshot::channel();
            let entrance = Entrance { connection: self.id, form, board, sink, answer };
            if inbox.send(ToRoom::Enter { entrance, how }).await.is_ok()
                && let Ok(admitted) = answered.await
            {
                self.is_in(game, admitted?);
                return Ok(Seated { inbox, queue, farewell });
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Err(Refused::new(Reason::Internal, "The game ends just now; try again."))
    }

    /// A game that is over has no room; what was told in it is in the log.
    async fn archive(
        &mut self,
        game: &str,
        board: bool,
        how: How,
        sink: Sink,
        queue: mpsc::Receiver<Vec<u8>>,
        farewell: Arc<OnceLock<Refused>>,
    ) -> Result<Seated, Refused> {
        let (host, name, form, id) = (self.host.clone(), game.to_owned(), self.reader.form(), self.id);
        let found = tokio::task::spawn_blocking(move || {
            let log = &host.options.log;
            let failed = |_| Refused::new(Reason::StoreFailed, "The log cannot be read now.");
            let unknown = || Refused::new(Reason::UnknownGame, format!("There is no game {name}; List names them."));
            let record: GameRecord = log
                .list()
                .map_err(failed)?
                .into_iter()
                .find(|record| record.name == name && record.end.is_some())
                .ok_or_else(unknown)?;
            let (listener, seen) = match how {
                How::Join => return Err(Refused::new(Reason::GameOver, "This game is over; you can watch it.")),
                How::Watch { seen } => (Listener::Watcher, seen),
                How::Resume { token, seen } => {
                    let hash = blake3::hash(token.bytes());
                    let clients = log.clients(record.key).map_err(failed)?;
                    let known = clients.iter().find(|client| blake3::Hash::from_bytes(client.token_hash) == hash);
                    let CommId(client) = known.ok_or_else(unknown_token)?.client;
                    (Listener::Client { client: CommId(client), board }, seen)
                }
            };
            let head = log.head(record.key).map_err(failed)?;
            let rows = log.read(record.key, 1).map_err(failed)?;
            let rules = host.rulebook_named(&record.about.rulebook).ok_or_else(unknown)?;
            let mut peer = Peer::new(id, form, listener, sink);
            peer.welcome(&name, None, seen);
            let last = rules
                .replay(&head.header, &rows, &mut peer, seen)
                .map_err(|why| Refused::new(Reason::Internal, why))?;
            if seen > last {
                return Err(beyond(seen, last));
            }
            peer.flush();
            let outcome = record.end.map(|end| end.outcome).unwrap_or_default();
            peer.sink.close(Reason::GameOver, &format!("The game is over: {outcome}."));
            Ok(listener)
        });
        let found = found.await.map_err(|_| Refused::new(Reason::Internal, "The game could not be read."))?;
        self.is_in(game, found?);
        // Nobody reads this inbox: the queue ends after what is in it.
        Ok(Seated { inbox: mpsc::channel(1).0, queue, farewell })
    }

    /// From now on, lines about this connection name the game, and the client if it is one.
    fn is_in(&mut self, game: &str, listener: Listener) {
        self.logger = game_logger(&self.logger, game);
        if let Listener::Client { client, .. } = listener {
            self.logger = self.logger.new(o!("client" => client.0));
        }
        info!(self.logger, "in a game");
    }

    /// Messages both ways until one side ends it.
    async fn play(&mut self, mut seated: Seated) -> Result<(), Refused> {
        let ended = self.exchange(&mut seated).await;
        let _room_is_gone = seated.inbox.send(ToRoom::Gone { connection: self.id }).await;
        ended
    }

    async fn exchange(&mut self, seated: &mut Seated) -> Result<(), Refused> {
        loop {
            tokio::select! {
                biased;
                bytes = seated.queue.recv() => match bytes {
                    Some(bytes) => {
                        if !self.send(&bytes).await? {
                            return Ok(());
                        }
                    }
                    None => return Err(seated.why()),
                },
                incoming = self.reader.next_command() => {
                    let message = match incoming {
                        Ok(Some(Incoming::Command(raw))) => {
                            ToRoom::Command { connection: self.id, raw: raw.into_owned() }
                        }
                        Ok(Some(Incoming::Ping(number))) => ToRoom::Ping { connection: self.id, number },
                        Ok(Some(Incoming::Hello(_))) => {
                            return Err(Refused::new(Reason::BadMessage, "You are in a game already."));
                        }
                        Ok(None) => return Ok(()),
                        Err(error) => return failed(error),
                    };
                    self.rate()?;
                    if seated.inbox.send(message).await.is_err() {
                        // The room has ended; what it said last is still in the queue.
                        while let Some(bytes) = seated.queue.recv().await {
                            if !self.send(&bytes).await? {
                                return Ok(());
                            }
                        }
                        return Err(seated.why());
                    }
                }
            }
        }
    }

    fn rate(&mut self) -> Result<(), Refused> {
        self.host.metrics.bytes_in.add(self.reader.take_received());
        if self.bucket.take() {
            return Ok(());
        }
        let most = self.host.options.limits.messages_per_second;
        Err(Refused::new(Reason::TooFast, format!("More than {most} messages a second; send less, and resume.")))
    }

    /// Answers a hello. False: the client is gone.
    async fn say(&mut self, message: &ToClient<()>) -> Result<bool, Refused> {
        let mut bytes = Vec::new();
        commlib::encode(self.reader.form(), message, &mut bytes)
            .map_err(|error| Refused::new(Reason::Internal, error.to_string()))?;
        self.send(&bytes).await
    }

    /// Sends to a client that reads. False: it is gone.
    async fn send(&mut self, bytes: &[u8]) -> Result<bool, Refused> {
        match timeout(self.host.options.limits.stall, self.writer.send(bytes)).await {
            Ok(sent) => {
                self.host.metrics.bytes_out.add(if sent.is_ok() { bytes.len() as u64 } else { 0 });
                Ok(sent.is_ok())
            }
            Err(_) => {
                // Half a message may be on its way: words would land in the middle of it.
                debug!(self.logger, "closed"; "why" => "it read nothing for too long");
                Ok(false)
            }
        }
    }
}

fn no_game() -> Refused {
    Refused::new(Reason::UnknownGame, "Name a game; List names them.")
}

/// What a client sent was no message, or its connection failed: only the first is to be answered.
fn failed(error: ReadError) -> Result<(), Refused> {
    match error {
        ReadError::Refused(refused) => Err(refused),
        ReadError::Cut | ReadError::Io(_) => Ok(()),
    }
}
