//! A running game: one task with a bounded inbox, and the only writer of its game.
//!
//! The room folds an input, sends its entry to the log, and keeps the emissions until the log reports that the entry is
//! durable. Only then does it send them to clients. Meanwhile it accepts further inputs. If the log is silent for too long, the
//! clock of the game stands (`waiting`).

mod abandoned;
mod admission;
mod alarm;
mod bots;
mod chat;
mod clients;
mod end;
mod managing;
mod muting;
mod notices;
mod offers;
mod rebuild;
mod refusals;
mod services;
mod start;
mod waiting;

use std::{
    collections::BTreeMap,
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use commlib::{AccessChange, ConnectionId, Mute, Raw, Reason, Refused, ToClient, Token};
use engine::{Cause, Chain, CommId, Emission, Input, Outbox, Rulebook, Shown};
use slog::{Logger, error, info, o, warn};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::{
    access::{GameAccess, Manager},
    accounts::AccountId,
    adapter::{Adapter, CommandOf, EventOf, HostedRules, SetupOf, TimerOf},
    address_limits::Used,
    bots::Taken,
    clock::{Clock, Timers},
    handle::{Committed, GameMailbox, Request, unavailable},
    log::{Acknowledge, End, GameKey, Row, StoreError},
    peer::Peer,
    presence::CommandSender,
    stream::{Streams, Subscriber, encode_event},
    sync::lock,
};

use abandoned::Attendance;
pub(crate) use abandoned::EndsAt;
pub(crate) use admission::{JoinKind, JoinRequest, Past, beyond, history, unknown_token};
use alarm::Alarm;
use chat::chat_done;
pub(crate) use clients::Clients;
pub use end::RoomEnd;
pub(crate) use end::{finish, mark_broken};
use notices::Notices;
pub use rebuild::Rebuilding;
pub(crate) use rebuild::{Rebuilt, caught, folded};
pub(crate) use refusals::Refusals;
pub use services::RoomServices;
pub(crate) use start::Begun;
pub use start::StartedRoom;
pub(crate) use waiting::Waiting;
use waiting::{AtHandle, WaitingQueue};

/// The maximum number of messages that wait for a room. It is small, so that a flooding client is slowed down often and others
/// get their turn.
pub(crate) const LONGEST_INBOX: usize = 16;

/// The maximum number of entries that are not yet durable. With more, the room accepts no input.
const MOST_IN_FLIGHT: usize = 1024;

/// A message to a room.
pub(crate) enum ToRoom {
    Enter {
        request: JoinRequest,
        how: JoinKind,
        /// The role of the connection. Its welcome is in its queue by then.
        answer: oneshot::Sender<Result<Subscriber, Refused>>,
    },
    Command {
        connection: ConnectionId,
        raw: Raw<'static>,
    },
    Ping {
        connection: ConnectionId,
        number: u64,
    },
    Offers {
        connection: ConnectionId,
        number: u64,
    },
    Notices {
        connection: ConnectionId,
        wanted: bool,
    },
    Chat {
        connection: ConnectionId,
        text: String,
    },
    Mute {
        connection: ConnectionId,
        mute: Mute,
    },
    /// A connection reports a line of chat.
    Report {
        connection: ConnectionId,
        number: u64,
    },
    /// The operator has deleted a line of chat.
    DeleteLine {
        number: u64,
    },
    /// Whose turn it is, if it is that of one client.
    Turn {
        answer: oneshot::Sender<Option<CommId>>,
    },
    Gone {
        connection: ConnectionId,
    },
    /// Replies when everything so far is durable.
    Stored {
        answer: oneshot::Sender<()>,
    },
    /// Adds a bot of the host to a game that waits for players.
    AddBot {
        /// The token of a client of the game.
        token: Token,
        bot: String,
        /// The address of the client that asks.
        by: IpAddr,
        answer: oneshot::Sender<Result<(), Refused>>,
    },
    /// A client asks to change who comes in. Its connection asks the host, or passes the message on to the host of the game.
    Manage {
        change: AccessChange,
    },
    /// Whether a manager may change who comes in. Answers with the hash of the token of the client to remove.
    MayManage {
        by: Manager,
        /// The hash of the creator's secret, if it is not the token of the first client.
        creator: Option<String>,
        remove: Option<CommId>,
        answer: oneshot::Sender<Result<Option<String>, Refused>>,
    },
    /// Who may come in has changed.
    Access {
        access: Arc<GameAccess>,
    },
    /// The creator or the operator ends the game.
    EndEarly {
        outcome: String,
    },
    /// The process ends; the game can be continued later.
    Stop,
}

/// How much of a game is durable.
#[derive(Debug, Default)]
pub(crate) struct Watermark {
    /// How much is durable: the game itself, then its entries.
    durable: AtomicU64,
    failed: std::sync::OnceLock<Arc<StoreError>>,
    changed: Notify,
}

impl Watermark {
    /// The watermark of a game that the log has.
    pub(crate) fn of_stored_game() -> Self {
        Self { durable: AtomicU64::new(1), ..Self::default() }
    }

    /// Whether the log has the game itself.
    fn has_game(&self) -> bool {
        self.durable.load(Ordering::Acquire) > 0
    }

    /// Makes the room look at its store again.
    pub(crate) fn wake(&self) {
        self.changed.notify_one();
    }

    /// Waits until the game itself is stored. The room must not run yet, because it waits for the same signal.
    pub(crate) async fn stored(&self) -> Result<(), Arc<StoreError>> {
        loop {
            if let Some(error) = self.failed.get() {
                return Err(error.clone());
            }
            if self.has_game() {
                return Ok(());
            }
            self.changed.notified().await;
        }
    }
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

/// A game and everything that is needed to run it.
pub(crate) struct Room<A: Adapter> {
    pub(crate) name: Arc<str>,
    pub(crate) key: GameKey,
    pub(crate) setup: SetupOf<A>,
    pub(crate) game: A::Rules,
    pub(crate) chain: Chain,
    pub(crate) clock: Clock,
    /// The time of the last input, by the game's clock.
    pub(crate) last_elapsed: u64,
    pub(crate) timers: Timers<TimerOf<A>>,
    pub(crate) streams: Streams,
    /// All clients that ever took a seat, after the last input. Streams know them later, once the entry is durable.
    pub(crate) seated: Vec<CommId>,
    pub(crate) clients: Clients,
    /// Names of the players, for lists of games.
    pub(crate) players: Arc<Mutex<Vec<String>>>,
    pub(crate) watermark: Arc<Watermark>,
    pub(crate) services: Arc<RoomServices>,
    pub(crate) logger: Logger,
    pub(crate) outbox: Outbox<EventOf<A>, TimerOf<A>>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) waiting: WaitingQueue<A>,
    /// Whether the store has been silent for so long that clients are turned away.
    pub(crate) is_unavailable: bool,
    /// Resolves when the end of the game is stored.
    pub(crate) ending: Option<oneshot::Receiver<()>>,
    /// The last entry whose events were sent.
    pub(crate) told: u64,
    /// Wakes the followers of the game's log.
    pub(crate) progress: Arc<Notify>,
    /// The seats of its bots.
    pub(crate) bots: Vec<Taken>,
    /// The same seats, by the address that asked for them.
    pub(crate) bot_seats: Vec<Used>,
    /// The bots that players added, in order.
    pub(crate) added_bots: Vec<(CommId, String)>,
    /// The room's side of the handle, for gateways with another protocol.
    pub(crate) mailbox: Option<GameMailbox<A::Rules>>,
    pub(crate) notices: Notices,
    pub(crate) attendance: Attendance,
    /// Who may come in.
    pub(crate) access: Arc<GameAccess>,
    /// Clients that came with an invitation for a name.
    pub(crate) guests: Vec<(CommId, String)>,
    /// The accounts of clients.
    pub(crate) accounts: BTreeMap<CommId, AccountId>,
    /// The refused commands of clients without a seat in the log.
    pub(crate) refusals: Refusals,
}

impl<A: Adapter> Room<A> {
    /// Creates a room before its first entry. Recovery then sets its state.
    pub(crate) fn new(services: &Arc<RoomServices>, begun: Begun<A>, chain: Chain, timers: Timers<TimerOf<A>>) -> Self {
        let Begun { name, key, setup, game, clock, watermark, bot_seats } = begun;
        let mut waiting = WaitingQueue::default();
        if !watermark.has_game() {
            waiting.push(Waiting::Game);
        }
        Self {
            notices: Notices::new(services.limits.chat.at_once),
            logger: game_logger(&services.logger, &name),
            services: services.clone(),
            name,
            key,
            setup,
            game,
            chain,
            last_elapsed: clock.elapsed(),
            clock,
            timers,
            streams: Streams::default(),
            seated: Vec::new(),
            clients: Clients::default(),
            players: Arc::default(),
            watermark,
            outbox: Outbox::new(),
            peers: Vec::new(),
            waiting,
            is_unavailable: false,
            ending: None,
            told: 0,
            progress: Arc::default(),
            bots: Vec::new(),
            bot_seats: vec![bot_seats],
            added_bots: Vec::new(),
            mailbox: None,
            refusals: Refusals::default(),
            attendance: Attendance::default(),
            access: Arc::default(),
            guests: Vec::new(),
            accounts: BTreeMap::new(),
        }
    }

    /// Updates the public list of players.
    pub(crate) fn publish_players(&mut self) {
        *lock(&self.players) = A::Rules::players(&self.game.board());
    }

    /// Runs until the game is over and its events are sent, or the process ends.
    pub(crate) async fn run(&mut self, inbox: &mut mpsc::Receiver<ToRoom>) -> RoomEnd {
        self.call_bots();
        let (mut timer, mut store_timer, mut count_timer) = (Alarm::default(), Alarm::default(), Alarm::default());
        let mut abandoned_timer = Alarm::default();
        loop {
            if let Some(error) = self.watermark.failed.get() {
                if self.watermark.has_game() {
                    error!(self.logger, "the log takes no more of this game"; "cause" => %error);
                } else {
                    warn!(self.logger, "the log did not take the new game"; "cause" => %error);
                }
                return self.store_failed(error);
            }
            self.release();
            let store_check = self.watch_store();
            let over = self.game.outcome().is_some();
            if over && self.waiting.is_empty() {
                return self.end().await;
            }
            // After the end nothing more is folded, even while the last entry is not yet durable.
            let due = if over { None } else { self.timers.next().and_then(|due| self.clock.instant(due)) };
            let full = self.waiting.len() >= MOST_IN_FLIGHT;
            let abandoned = if over { None } else { self.abandoned_at() };
            let (watermark, count_due) = (self.watermark.clone(), self.notices.count_due());
            tokio::select! {
                biased;
                () = watermark.changed.notified() => {}
                done = chat_done(&mut self.notices.chat.under_way) => self.take_chat(done),
                message = inbox.recv(), if !full => match message {
                    None | Some(ToRoom::Stop) => return self.stop().await,
                    Some(ToRoom::EndEarly { outcome }) if !over => return self.end_early(outcome).await,
                    Some(message) => {
                        if self.take(message).await.is_err() {
                            return self.break_off().await;
                        }
                    }
                },
                request = next_request(&mut self.mailbox), if !full => {
                    if self.serve(request).await.is_err() {
                        return self.break_off().await;
                    }
                }
                () = timer.until(due), if !full => {
                    // A process that was frozen finds all its timers due at once.
                    self.watch_store();
                    if let Some(timer) = self.timers.take_due(self.clock.elapsed())
                        && self.fold(Cause::Timer { timer }, None).is_err()
                    {
                        return self.break_off().await;
                    }
                }
                () = store_timer.until(store_check) => {}
                () = count_timer.until(count_due) => {}
                () = abandoned_timer.until(abandoned) => return self.end_early(End::early("the host: no player came back")).await,
            }
        }
    }

    async fn take(&mut self, message: ToRoom) -> Result<(), Broken> {
        match message {
            ToRoom::Enter { answer, .. } if self.is_unavailable => {
                let _gone_meanwhile = answer.send(Err(unavailable()));
            }
            ToRoom::Stored { answer } if self.is_unavailable => drop(answer),
            ToRoom::AddBot { answer, .. } if self.is_unavailable => {
                let _gone_meanwhile = answer.send(Err(unavailable()));
            }
            ToRoom::AddBot { token, bot, by, answer } => {
                let _gone_meanwhile = answer.send(self.add_bot(token, bot, by).await);
            }
            ToRoom::Enter { request, how, answer } => self.enter(request, how, answer).await,
            ToRoom::Command { connection, raw } => self.command(connection, &raw)?,
            ToRoom::Ping { connection, number } => {
                self.waiting.push(Waiting::Pong { after: self.chain.sequence(), connection, number });
            }
            ToRoom::Offers { connection, number } => self.offer(connection, number),
            ToRoom::Notices { connection, wanted } => self.ask_notices(connection, wanted),
            ToRoom::Chat { connection, text } => self.chat(connection, &text),
            ToRoom::Mute { connection, mute } => self.mute(connection, mute),
            ToRoom::Report { connection, number } => self.report(connection, number),
            ToRoom::DeleteLine { number } => self.notices.chat.delete(number),
            ToRoom::Turn { answer } => {
                let turn = match self.game.waiting_for() {
                    engine::Waiting::One(client) => Some(client),
                    engine::Waiting::Anyone | engine::Waiting::GameOver => None,
                };
                let _gone_meanwhile = answer.send(turn);
            }
            ToRoom::Gone { connection } => self.peers.retain(|peer| peer.connection != connection),
            ToRoom::Stored { answer } => {
                self.waiting.push(Waiting::Stored { after: self.chain.sequence(), answer });
            }
            ToRoom::MayManage { by, creator, remove, answer } => {
                let _gone_meanwhile = answer.send(self.may_manage(by, creator.as_deref(), remove));
            }
            ToRoom::Access { access } => self.apply_access(access),
            // The game has ended by its rules. The host answers managers, not the room.
            ToRoom::EndEarly { .. } | ToRoom::Stop | ToRoom::Manage { .. } => {}
        }
        Ok(())
    }

    fn command(&mut self, connection: ConnectionId, raw: &Raw<'_>) -> Result<(), Broken> {
        let Some(at) = self.peers.iter().position(|peer| peer.connection == connection) else { return Ok(()) };
        let refused = match (self.peers[at].subscriber, A::command(raw)) {
            (Subscriber::Watcher, _) => {
                Refused { reason: Reason::BadMessage, message: "Watchers send no commands.".into() }
            }
            (Subscriber::Client { .. }, Err(error)) => {
                Refused { reason: Reason::BadMessage, message: error.to_string() }
            }
            (Subscriber::Client { .. }, Ok(_)) if self.game.outcome().is_some() => {
                Refused { reason: Reason::GameOver, message: "The game is over.".into() }
            }
            (Subscriber::Client { client, .. }, Ok(command)) => match self.admitted(client, &command) {
                Ok(()) => return self.fold(Cause::Command { client, command }, None),
                Err(refused) => refused,
            },
        };
        self.services.metrics.messages_refused.count(refused.reason);
        self.peers[at].refuse(refused);
        Ok(())
    }

    /// Asks the adapter whether the rules may see a command.
    fn admitted(&self, client: CommId, command: &CommandOf<A>) -> Result<(), Refused> {
        if self.services.one_game {
            return Ok(());
        }
        let is_player = self.seated.contains(&client);
        let sender = CommandSender { client, is_player, presence: &self.notices.presence };
        A::admits(&self.game, command, &sender).map_err(|error| Refused::new(Reason::BadMessage, error.to_string()))?;
        self.keeps_reservations(client, command)?;
        self.keeps_refusal(client, command)
    }

    /// Handles a request of a gateway.
    async fn serve(&mut self, request: Request<A::Rules>) -> Result<(), Broken> {
        if self.is_unavailable {
            // Without an answer, the gateway is told that the store is unavailable.
            return Ok(());
        }
        match request {
            Request::Join { answer } => {
                let client = self.clients.next();
                let _gone_meanwhile = answer.send(self.give_token(client).await.map(|_| client));
            }
            Request::Follow { follower, answer } => {
                if let Some(mailbox) = &mut self.mailbox {
                    mailbox.follow(follower);
                    let _gone_meanwhile = answer.send(());
                }
            }
            Request::Stored { answer } => {
                self.waiting.push(Waiting::Stored { after: self.chain.sequence(), answer });
            }
            Request::Submit { answer, .. } if self.game.outcome().is_some() => {
                self.waiting.push(Waiting::TooLate { after: self.chain.sequence(), answer });
            }
            Request::Submit { client, command, answer } => {
                self.fold(Cause::Command { client, command }, Some(answer))?;
            }
        }
        Ok(())
    }

    fn fold(
        &mut self,
        cause: Cause<CommandOf<A>, TimerOf<A>>,
        answer: Option<oneshot::Sender<Committed<A::Rules>>>,
    ) -> Result<(), Broken> {
        let arrived = self.services.metrics.arrived(&cause);
        let input = Input { elapsed_ms: self.clock.elapsed(), cause };
        self.last_elapsed = input.elapsed_ms;
        self.outbox.clear();
        let (game, outbox) = (&mut self.game, &mut self.outbox);
        // The game is not used after a panic, so its state does not matter.
        catch_unwind(AssertUnwindSafe(|| game.fold(&input, outbox))).map_err(|_| {
            error!(input_logger(&self.logger, &input), "the rules panicked"; "input" => ?input);
            Broken
        })?;
        self.timers.change(self.outbox.timers(), input.elapsed_ms);
        let at = self.services.world.now();
        let link = self.chain.append(at, &input, self.outbox.emissions());
        let row = Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest };
        self.services.log.append(self.key, row, A::records(&self.game, &input, self.outbox.emissions(), at));
        let sequence = link.sequence;
        self.services.metrics.log_entries.add(1);
        if let Cause::Command { client, .. } = &input.cause {
            self.clients.said(*client);
            self.attendance.came(*client);
            if !self.seated.contains(client) {
                self.refusals.count(*client, self.outbox.emissions());
            }
        }
        let before = self.seated.len();
        for emission in self.outbox.emissions() {
            if let Emission::Seated { client } = emission {
                self.seated.push(*client);
            }
        }
        if self.seated.len() > before {
            self.publish_players();
        }
        if let Some(outcome) = self.game.outcome() {
            info!(self.logger, "game over"; "outcome" => %outcome);
            self.ending = finish(&self.services, self.key, &self.game);
        }
        let at_handle = self.mailbox.is_some().then_some(AtHandle { input, answer });
        self.waiting.push(Waiting::Entry { sequence, emissions: self.outbox.take_emissions(), arrived, at_handle });
        Ok(())
    }

    /// Sends durable emissions to all clients.
    fn release(&mut self) {
        let durable = self.watermark.durable.load(Ordering::Acquire);
        while let Some(next) = self.waiting.pop_durable(durable) {
            match next {
                Waiting::Game => {}
                Waiting::Entry { sequence, emissions, arrived, at_handle } => {
                    self.told = sequence;
                    self.notices.has_moved = true;
                    emissions.iter().for_each(|emission| self.tell(emission));
                    self.tell_handle(sequence, &emissions, at_handle);
                    self.services.metrics.released(arrived);
                    self.outbox.give_back(emissions);
                    self.progress.notify_one();
                }
                Waiting::Pong { connection, number, .. } => {
                    if let Some(peer) = self.peers.iter_mut().find(|peer| peer.connection == connection) {
                        peer.tell(&ToClient::Pong(number));
                    }
                }
                Waiting::Offers { connection, number, offers, .. } => self.tell_offers(connection, number, offers),
                Waiting::Stored { answer, .. } => {
                    let _gone_meanwhile = answer.send(());
                }
                Waiting::TooLate { answer, .. } => drop(answer),
            }
        }
        self.peers.retain_mut(Peer::flush);
        while self.refresh_notices() {
            self.peers.retain_mut(Peer::flush);
        }
    }

    fn tell_handle(&mut self, sequence: u64, emissions: &[Emission<EventOf<A>>], at_handle: Option<AtHandle<A>>) {
        let (Some(mailbox), Some(AtHandle { input, answer })) = (&mut self.mailbox, at_handle) else { return };
        // This comes before the answer, so that the receiver already finds the game in this state.
        let committed = mailbox.publish(sequence, &input, emissions);
        let _gone_meanwhile = answer.map(|answer| answer.send(committed));
    }

    fn tell(&mut self, emission: &Emission<EventOf<A>>) {
        let Self { streams, peers, setup, services, .. } = self;
        let Some((hearers, event)) = streams.follow(emission) else {
            self.notices.is_stale = true;
            return;
        };
        let mut told = 0;
        for peer in peers {
            if let Some(number) = hearers.number(peer.subscriber) {
                encode_event::<A>(peer.form, setup, number, event, &mut peer.scratch);
                told += 1;
            }
        }
        services.metrics.events_told.add(told);
    }
}

/// The rules panicked.
struct Broken;

/// The next request from the handle, if the game has one.
async fn next_request<R: HostedRules>(mailbox: &mut Option<GameMailbox<R>>) -> Request<R> {
    if let Some(mailbox) = mailbox
        && let Some(request) = mailbox.requests.recv().await
    {
        return request;
    }
    std::future::pending().await
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
