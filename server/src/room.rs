//! A game that is being played: one task, one bounded inbox, the only writer of its game.
//!
//! An input is folded, its entry goes to the log, and what it caused waits here until the log says that it is durable. Only
//! then does anybody hear of it. Meanwhile the room takes further inputs.

mod clients;
mod door;
mod end;

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use commlib::{ConnectionId, Raw, Reason, Refused, ToClient};
use engine::{Cause, Chain, Emission, Input, Outbox};
use slog::{Logger, error, info, o};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::{
    clock::{Clock, Timers},
    desk::{Clerk, Durable, Request},
    host::{Host, lock},
    hosted::Hosted,
    log::{Acknowledge, EventLog, GameKey, Row, StoreError},
    metrics::Metrics,
    opponents::{Opponents, Taken},
    peer::Peer,
    stream::{Listener, Streams, encode_event},
};

pub(crate) use clients::Clients;
pub(crate) use door::{Entrance, How, Past, beyond, history, unknown_token};
pub use end::RoomEnd;
pub(crate) use end::{BROKEN, finish, mark_broken};

/// How many messages may wait for a room. Few: whoever floods a room is turned back often, and others get their turn.
pub(crate) const LONGEST_INBOX: usize = 16;

/// How many entries may be on their way to the disk before the room takes no more input.
const MOST_IN_FLIGHT: usize = 1024;

/// What reaches a room.
pub(crate) enum ToRoom {
    Enter {
        entrance: Entrance,
        how: How,
        /// As whom the connection is in; it has its welcome in its queue then.
        answer: oneshot::Sender<Result<Listener, Refused>>,
    },
    Command {
        connection: ConnectionId,
        raw: Raw<'static>,
    },
    Ping {
        connection: ConnectionId,
        number: u64,
    },
    Gone {
        connection: ConnectionId,
    },
    /// Somebody waits until everything so far is durable.
    Stored {
        answer: oneshot::Sender<()>,
    },
    /// The process ends; the game goes on another time.
    Stop,
}

/// The log's word for one game.
#[derive(Debug, Default)]
pub(crate) struct Watermark {
    /// How much is durable: the game itself, and then its entries.
    durable: AtomicU64,
    failed: std::sync::OnceLock<Arc<StoreError>>,
    changed: Notify,
}

impl Acknowledge for Watermark {
    fn durable(&self, through: u64) {
        self.durable.store(through + 1, Ordering::Release);
        self.changed.notify_one();
    }

    fn failed(&self, error: Arc<StoreError>) {
        let _first_counts = self.failed.set(error);
        self.changed.notify_one();
    }
}

/// A game with all that is needed to go on with it.
pub(crate) struct Room<R: Hosted> {
    pub(crate) name: Arc<str>,
    pub(crate) key: GameKey,
    pub(crate) setup: R::Setup,
    pub(crate) game: R,
    pub(crate) chain: Chain,
    pub(crate) clock: Clock,
    pub(crate) timers: Timers<R::Timer>,
    pub(crate) streams: Streams,
    pub(crate) clients: Clients,
    /// Names of the players, for lists of games.
    pub(crate) players: Arc<Mutex<Vec<String>>>,
    pub(crate) watermark: Arc<Watermark>,
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) logger: Logger,
    pub(crate) outbox: Outbox<R::Event, R::Timer>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) waiting: VecDeque<Waiting<R>>,
    /// The end of the game on its way to the disk.
    pub(crate) ending: Option<oneshot::Receiver<()>>,
    /// Everything up to here has been told.
    pub(crate) told: u64,
    /// Wakes whoever follows the game's log.
    pub(crate) progress: Arc<Notify>,
    pub(crate) opponents: Arc<Opponents>,
    /// The seats of its bots.
    pub(crate) bots: Option<Taken>,
    /// For gateways with a protocol of their own.
    pub(crate) clerk: Option<Clerk<R>>,
}

/// What waits for the log.
pub(crate) enum Waiting<R: Hosted> {
    Entry {
        sequence: u64,
        emissions: Vec<Emission<R::Event>>,
        arrived: Option<Instant>,
        at_desk: Option<AtDesk<R>>,
    },
    Pong {
        after: u64,
        connection: ConnectionId,
        number: u64,
    },
    Stored {
        after: u64,
        answer: oneshot::Sender<()>,
    },
    /// Somebody handed in something after the end. Without an answer the gateway looks at the game and finds that it is over, which
    /// it may not know before the end is durable.
    TooLate {
        after: u64,
        answer: oneshot::Sender<Durable<R>>,
    },
}

/// What a desk hears of an entry: the game after it, and who asked for it.
pub(crate) struct AtDesk<R: Hosted> {
    game: Arc<R>,
    answer: Option<oneshot::Sender<Durable<R>>>,
}

impl<R: Hosted> Room<R> {
    /// A game that nothing has happened in yet, or that is set to where it was by recovery.
    #[expect(clippy::too_many_arguments, reason = "two callers, and every part is made elsewhere")]
    pub(crate) fn new(
        name: Arc<str>,
        key: GameKey,
        setup: R::Setup,
        game: R,
        chain: Chain,
        clock: Clock,
        timers: Timers<R::Timer>,
        watermark: Arc<Watermark>,
        host: &Host,
        logger: Logger,
    ) -> Self {
        Self {
            name,
            key,
            setup,
            game,
            chain,
            clock,
            timers,
            streams: Streams::default(),
            clients: Clients::default(),
            players: Arc::default(),
            watermark,
            log: host.options.log.clone(),
            metrics: host.metrics.clone(),
            logger,
            outbox: Outbox::new(),
            peers: Vec::new(),
            waiting: VecDeque::new(),
            ending: None,
            told: 0,
            progress: Arc::default(),
            opponents: host.options.opponents.clone(),
            bots: None,
            clerk: None,
        }
    }

    /// Lets others see who plays.
    pub(crate) fn publish_players(&mut self) {
        *lock(&self.players) = R::players(&self.game.board());
    }

    /// Runs until the game is over and told, or the process ends.
    pub(crate) async fn run(&mut self, inbox: &mut mpsc::Receiver<ToRoom>) -> RoomEnd {
        self.call_bots();
        loop {
            if let Some(error) = self.watermark.failed.get() {
                error!(self.logger, "the log failed"; "cause" => %error);
                return RoomEnd::StoreFailed { cause: error.to_string() };
            }
            self.release();
            let over = self.game.outcome().is_some();
            if over && self.waiting.is_empty() {
                return self.end().await;
            }
            // After the end nothing is folded any more, also while its entry is still on its way to the disk.
            let due = if over { None } else { self.timers.next() };
            let full = self.waiting.len() >= MOST_IN_FLIGHT;
            let watermark = self.watermark.clone();
            tokio::select! {
                biased;
                () = watermark.changed.notified() => {}
                message = inbox.recv(), if !full => match message {
                    None | Some(ToRoom::Stop) => return self.stop().await,
                    Some(message) => {
                        if self.take(message).await.is_err() {
                            return self.break_off().await;
                        }
                    }
                },
                request = next_request(&mut self.clerk), if !full => {
                    if self.serve(request).await.is_err() {
                        return self.break_off().await;
                    }
                }
                () = sleep_until(due), if due.is_some() && !full => {
                    if let Some(timer) = self.timers.take_due()
                        && self.fold(Cause::Timer { timer }, None).is_err()
                    {
                        return self.break_off().await;
                    }
                }
            }
        }
    }

    async fn take(&mut self, message: ToRoom) -> Result<(), Broken> {
        match message {
            ToRoom::Enter { entrance, how, answer } => self.enter(entrance, how, answer).await,
            ToRoom::Command { connection, raw } => self.command(connection, &raw)?,
            ToRoom::Ping { connection, number } => {
                self.waiting.push_back(Waiting::Pong { after: self.chain.sequence(), connection, number });
            }
            ToRoom::Gone { connection } => self.peers.retain(|peer| peer.connection != connection),
            ToRoom::Stored { answer } => {
                self.waiting.push_back(Waiting::Stored { after: self.chain.sequence(), answer });
            }
            ToRoom::Stop => {}
        }
        Ok(())
    }

    fn command(&mut self, connection: ConnectionId, raw: &Raw<'_>) -> Result<(), Broken> {
        let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) else { return Ok(()) };
        let refused = match (peer.listener, R::command(raw)) {
            (Listener::Watcher, _) => {
                Refused { reason: Reason::BadMessage, message: "Watchers send no commands.".into() }
            }
            (Listener::Client { .. }, Err(message)) => Refused { reason: Reason::BadMessage, message },
            (Listener::Client { .. }, Ok(_)) if self.game.outcome().is_some() => {
                Refused { reason: Reason::GameOver, message: "The game is over.".into() }
            }
            (Listener::Client { client, .. }, Ok(command)) => {
                return self.fold(Cause::Command { client, command }, None);
            }
        };
        self.metrics.messages_refused.count(refused.reason);
        peer.tell(&ToClient::Refused(refused));
        Ok(())
    }

    /// Does what a gateway asks for.
    async fn serve(&mut self, request: Request<R>) -> Result<(), Broken> {
        match request {
            Request::Join { answer } => {
                let client = self.clients.next();
                let _gone_meanwhile = answer.send(self.give_token(client).await.map(|_| client));
            }
            Request::Follow { answer } => {
                let followed = self.clerk.as_mut().map(Clerk::follow);
                let _gone_meanwhile = followed.map(|followed| answer.send(followed));
            }
            Request::Stored { answer } => {
                self.waiting.push_back(Waiting::Stored { after: self.chain.sequence(), answer });
            }
            Request::Submit { answer, .. } if self.game.outcome().is_some() => {
                self.waiting.push_back(Waiting::TooLate { after: self.chain.sequence(), answer });
            }
            Request::Submit { client, command, answer } => {
                self.fold(Cause::Command { client, command }, Some(answer))?;
            }
        }
        Ok(())
    }

    fn fold(
        &mut self,
        cause: Cause<R::Command, R::Timer>,
        answer: Option<oneshot::Sender<Durable<R>>>,
    ) -> Result<(), Broken> {
        let arrived = self.metrics.arrived(&cause);
        let input = Input { elapsed: self.clock.elapsed(), cause };
        self.outbox.clear();
        let (game, outbox) = (&mut self.game, &mut self.outbox);
        // The game is not looked at again after a panic, so that it may be in any state.
        catch_unwind(AssertUnwindSafe(|| game.fold(&input, outbox))).map_err(|_| {
            error!(input_logger(&self.logger, &input), "the rules panicked"; "input" => ?input);
            Broken
        })?;
        self.timers.change(self.outbox.timers());
        let at = now();
        let link = self.chain.append(at, &input, self.outbox.emissions());
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        self.log.append_recorded(self.key, row, self.game.records(&input, self.outbox.emissions(), at));
        let sequence = link.sequence;
        self.metrics.log_entries.add(1);
        if let Cause::Command { client, .. } = input.cause {
            self.clients.said(client);
        }
        if self.outbox.emissions().iter().any(|emission| matches!(emission, Emission::Seated { .. })) {
            self.publish_players();
        }
        if let Some(outcome) = self.game.outcome() {
            info!(self.logger, "game over"; "outcome" => %outcome);
            self.ending = Some(finish(&*self.log, self.key, outcome.to_string(), R::players(&self.game.board())));
        }
        let at_desk = self.clerk.is_some().then(|| AtDesk { game: Arc::new(self.game.clone()), answer });
        self.waiting.push_back(Waiting::Entry { sequence, emissions: self.outbox.take_emissions(), arrived, at_desk });
        Ok(())
    }

    /// Tells everybody what the log has made durable.
    fn release(&mut self) {
        let durable = self.watermark.durable.load(Ordering::Acquire);
        while let Some(next) = self.waiting.front() {
            let (Waiting::Entry { sequence: needed, .. }
            | Waiting::Pong { after: needed, .. }
            | Waiting::Stored { after: needed, .. }
            | Waiting::TooLate { after: needed, .. }) = next;
            if *needed >= durable {
                break;
            }
            match self.waiting.pop_front() {
                Some(Waiting::Entry { sequence, emissions, arrived, at_desk }) => {
                    self.told = sequence;
                    emissions.iter().for_each(|emission| self.tell(emission));
                    self.tell_desk(sequence, &emissions, at_desk);
                    self.metrics.released(arrived);
                    self.outbox.give_back(emissions);
                    self.progress.notify_one();
                }
                Some(Waiting::Pong { connection, number, .. }) => {
                    if let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) {
                        peer.tell(&ToClient::Pong(number));
                    }
                }
                Some(Waiting::Stored { answer, .. }) => {
                    let _gone_meanwhile = answer.send(());
                }
                Some(Waiting::TooLate { answer, .. }) => drop(answer),
                None => {}
            }
        }
        self.peers.retain_mut(Peer::flush);
    }

    fn tell_desk(&mut self, sequence: u64, emissions: &[Emission<R::Event>], at_desk: Option<AtDesk<R>>) {
        let (Some(clerk), Some(AtDesk { game, answer })) = (&mut self.clerk, at_desk) else { return };
        let durable = Durable { sequence, emissions: emissions.into(), game };
        // Before the answer: whoever has it finds the game as it says.
        clerk.publish(durable.clone());
        let _gone_meanwhile = answer.map(|answer| answer.send(durable));
    }

    fn tell(&mut self, emission: &Emission<R::Event>) {
        let Self { streams, peers, setup, metrics, .. } = self;
        let Some((hearers, event)) = streams.follow(emission) else { return };
        let mut told = 0;
        for peer in peers {
            if let Some(number) = hearers.number(peer.listener) {
                encode_event::<R>(peer.form, setup, number, event, &mut peer.scratch);
                told += 1;
            }
        }
        metrics.events_told.add(told);
    }
}

/// The rules broke a promise.
struct Broken;

/// The next request at the desk of a game that has one.
async fn next_request<R: Hosted>(clerk: &mut Option<Clerk<R>>) -> Request<R> {
    if let Some(clerk) = clerk
        && let Some(request) = clerk.requests.recv().await
    {
        return request;
    }
    std::future::pending().await
}

async fn sleep_until(due: Option<tokio::time::Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Milliseconds since 1970, for people.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A logger whose lines name the game.
pub(crate) fn game_logger(logger: &Logger, name: &str) -> Logger {
    logger.new(o!("game" => name.to_owned()))
}

/// A logger whose lines name the client of an input, if it has one.
fn input_logger<C, T>(logger: &Logger, input: &Input<C, T>) -> Logger {
    match &input.cause {
        Cause::Command { client, .. } => logger.new(o!("client" => client.0)),
        Cause::Timer { .. } => logger.clone(),
    }
}
