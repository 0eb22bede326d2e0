//! A player over the network: connects, plays, and reconnects when the connection is lost.

use std::{fmt, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use project_rules::Team;
use server::World;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::{
    Agent, AgentInput, End, Ids, Nature, Say, TraceTarget,
    link::{Link, Received},
    trace::PlayerTrace,
    wire,
};
use crate::{
    LinkError, TraceError,
    documents::{Connection, DO_NOT_TRY_AGAIN, Document, Guid, MAX_MESSAGES, Message, Messages, Role},
};

/// How long the server may take to answer the request to join.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The time after which the request to join is repeated.
const HANDSHAKE_REPEAT: Duration = Duration::from_secs(3);
/// The minimum time between two connections.
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);

/// The default interval of keep-alives.
pub const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Settings of a player.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address of the Communication Server.
    pub server: SocketAddr,
    /// The hash that identifies a returning player to the Game Master.
    pub hash: Guid,
    /// The properties of the player.
    pub nature: Nature,
    /// How many times the player tries to connect.
    pub attempts: u32,
    /// The time between two attempts.
    pub interval: Duration,
    /// The interval of keep-alives. A server that sends nothing for four intervals counts as lost.
    pub keep_alive: Duration,
    /// Where the player writes its trace.
    pub trace: TraceTarget,
    /// The wall clock, and the thread that writes the trace.
    pub world: Arc<dyn World>,
}

/// News of a player for its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The trace is written to this file. This is always the first news.
    Tracing {
        /// The file.
        file: PathBuf,
    },
    /// The player has joined.
    Joined {
        /// The number of the player.
        player: u32,
    },
    /// The player is in a team.
    Team {
        /// The team.
        team: Team,
        /// Whether the player leads the team.
        leader: bool,
    },
    /// The game begins.
    Started {
        /// The number of players.
        players: usize,
        /// Width of the board.
        width: i32,
        /// Height of the board.
        height: i32,
    },
    /// The connection is lost.
    Lost {
        /// The reason.
        error: LinkError,
    },
    /// The player is connected again.
    Back,
}

/// Why a player could not play to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The Game Master refuses the player, or the server at every attempt, with this description.
    Refused(String),
    /// The Communication Server cannot be reached.
    Unreachable {
        /// The address of the server.
        server: SocketAddr,
        /// The number of attempts to connect.
        attempts: u32,
        /// Why the last attempt failed.
        last: LinkError,
    },
    /// The trace cannot be written.
    Trace(TraceError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Unreachable { server, attempts, last } => {
                write!(f, "cannot reach the Communication Server at {server} in {attempts} attempts: {last}")
            }
            Self::Trace(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

/// Plays a game to its end.
///
/// # Errors
///
/// If the player is refused, the server cannot be reached, or the trace cannot be written.
pub async fn play(options: Options, mut news: impl FnMut(News) + Send) -> Result<End, Failure> {
    let trace = PlayerTrace::new(options.world.clone(), &options.trace).map_err(Failure::Trace)?;
    if let TraceTarget::File(file) = &options.trace {
        news(News::Tracing { file: file.clone() });
    }
    let mut player = Player {
        agent: Agent::new(options.nature.clone()),
        ids: options.nature.ids.other(),
        clock: Clock::new(options.world.now()),
        options,
        team: None,
        trace,
        news,
    };
    let ended = player.play().await;
    match &ended {
        Ok(end) => player.trace.line(format_args!("the game is over: {end}")),
        Err(failure) => player.trace.line(format_args!("{failure}")),
    }
    player.name_trace(None)?;
    player.trace.flush().await;
    ended
}

struct Player<N> {
    options: Options,
    agent: Agent,
    /// Generates ids for messages that are not requests.
    ids: Ids,
    /// The team in the last news, and whether the player leads it.
    team: Option<(Team, bool)>,
    trace: PlayerTrace,
    clock: Clock,
    news: N,
}

impl<N: FnMut(News) + Send> Player<N> {
    async fn play(&mut self) -> Result<End, Failure> {
        loop {
            let (mut link, number) = self.reach().await?;
            let since = Instant::now();
            match self.attend(&mut link, number).await {
                Ok(end) => return Ok(end),
                Err(error) => {
                    self.trace.line(format_args!("the connection is lost: {error}"));
                    self.input(AgentInput::Lost);
                    (self.news)(News::Lost { error });
                }
            }
            sleep_until(since + RECONNECT_INTERVAL).await;
        }
    }

    /// Connects and joins. Tries at once, and then once per interval.
    async fn reach(&mut self) -> Result<(Link, u32), Failure> {
        let Options { server, attempts, interval, .. } = self.options;
        let mut last = LinkError::NoAttempts;
        for attempt in 1..=attempts {
            let next = Instant::now() + interval;
            match timeout(HANDSHAKE.max(interval), self.shake_hands()).await {
                Ok(Ok((link, number))) => {
                    self.name_trace(Some(number))?;
                    return Ok((link, number));
                }
                // The refusals of the Game Master are final. A server that refuses because there is no Game Master may use any
                // words, so the player tries again unless it knows that the Game Master refuses. A player that has already
                // played always tries again.
                Ok(Err(LinkError::Refused { description }))
                    if self.agent.player().is_none() && description.ends_with(DO_NOT_TRY_AGAIN) =>
                {
                    return Err(Failure::Refused(description));
                }
                Ok(Err(error)) => last = error,
                Err(_) => last = LinkError::NoAnswer,
            }
            self.trace.line(format_args!("attempt {attempt} of {attempts} to reach {server}: {last}"));
            if attempt < attempts {
                sleep_until(next).await;
            }
        }
        Err(match last {
            LinkError::Refused { description } => Failure::Refused(description),
            last @ (LinkError::Io(_)
            | LinkError::Closed
            | LinkError::Broken
            | LinkError::Silent(_)
            | LinkError::NotReading
            | LinkError::NoAnswer
            | LinkError::NoAttempts) => Failure::Unreachable { server, attempts, last },
        })
    }

    /// Opens a trace file that is named after the player's number, and publishes its name as news.
    fn name_trace(&mut self, player: Option<u32>) -> Result<(), Failure> {
        if let Some(file) = self.trace.name(player).map_err(Failure::Trace)? {
            (self.news)(News::Tracing { file });
        }
        Ok(())
    }

    async fn shake_hands(&mut self) -> Result<(Link, u32), LinkError> {
        let (server, hash) = (self.options.server, self.options.hash);
        let mut link = Link::open(server, self.options.keep_alive).await?;
        self.trace.line(format_args!("connected to {server} from {}, hash {hash}", link.address()));
        let request = Connection::Request { hash, address: link.address().to_string(), role: Role::Player }.write();
        loop {
            self.send(&mut link, &request).await?;
            let Ok(answer) = timeout(HANDSHAKE_REPEAT, self.answer(&mut link)).await else { continue };
            return answer.map(|number| (link, number));
        }
    }

    /// Waits for the answer to the request to join, and returns the player's number.
    async fn answer(&mut self, link: &mut Link) -> Result<u32, LinkError> {
        loop {
            let document = self.next(link).await?;
            match document {
                Some(Document::Connection(Connection::Confirmation { hash, id }))
                    if self.options.hash.is_same(&hash) =>
                {
                    match u32::try_from(id) {
                        Ok(number @ 1..) => return Ok(number),
                        Ok(0) | Err(_) => self.discard("it has no number of a player"),
                    }
                }
                Some(Document::Connection(Connection::Refusal { hash, description }))
                    if self.options.hash.is_same(&hash) =>
                {
                    return Err(LinkError::Refused { description });
                }
                Some(_) => self.discard("before the handshake"),
                None => {}
            }
        }
    }

    /// Plays on a connection until the game is over.
    async fn attend(&mut self, link: &mut Link, player: u32) -> Result<End, LinkError> {
        let is_back = self.agent.player() == Some(player);
        (self.news)(if is_back { News::Back } else { News::Joined { player } });
        let said = self.input(AgentInput::Confirmed { player });
        self.say(link, said).await?;
        loop {
            if let Some(end) = self.agent.end() {
                return Ok(end);
            }
            let wake = self.agent.wakes_at().map(|at| self.clock.instant(at));
            let document = match wake {
                Some(wake) => timeout_at(wake, self.next(link)).await.ok(),
                None => Some(self.next(link).await),
            };
            let said = match document {
                Some(document) => self.read(document?),
                None => self.input(AgentInput::TimePassed),
            };
            self.say(link, said).await?;
        }
    }

    /// Handles a document, and returns the messages to send.
    fn read(&mut self, document: Option<Document>) -> Vec<Say> {
        match document {
            None => Vec::new(),
            Some(Document::Messages(Messages { messages, .. })) => {
                messages.into_iter().flat_map(|message| self.take(message)).collect()
            }
            // A Game Master that was away confirms its players again, to find out which of them are connected.
            Some(Document::Connection(Connection::Confirmation { hash, id }))
                if self.options.hash.is_same(&hash) && u32::try_from(id).ok() == self.agent.player() =>
            {
                let player = id.unsigned_abs();
                self.input(AgentInput::Confirmed { player })
            }
            Some(Document::Connection(_)) => {
                self.discard("after the handshake");
                Vec::new()
            }
        }
    }

    fn take(&mut self, message: Message) -> Vec<Say> {
        let Some(me) = self.agent.player() else { return Vec::new() };
        match wire::input(message, me, self.agent.position()) {
            Ok(input) => {
                self.publish(&input);
                self.input(input)
            }
            Err(ignored) => {
                self.discard(ignored);
                Vec::new()
            }
        }
    }

    fn input(&mut self, input: AgentInput) -> Vec<Say> {
        self.agent.handle(self.clock.now(), input)
    }

    /// Publishes the news of an input.
    fn publish(&mut self, input: &AgentInput) {
        match input {
            AgentInput::TeamGiven { team, leader } => {
                let given = Some((*team, *leader));
                // A Game Master that was away sends the team again.
                if std::mem::replace(&mut self.team, given) != given {
                    (self.news)(News::Team { team: *team, leader: *leader });
                }
            }
            AgentInput::Started { players, width, height, .. } if self.agent.position().is_none() => {
                (self.news)(News::Started { players: players.len(), width: *width, height: *height });
            }
            AgentInput::Started { .. }
            | AgentInput::Confirmed { .. }
            | AgentInput::Answered { .. }
            | AgentInput::Exchange { .. }
            | AgentInput::Ended(_)
            | AgentInput::TimePassed
            | AgentInput::Lost => {}
        }
    }

    /// Sends messages together in one document.
    async fn say(&mut self, link: &mut Link, said: Vec<Say>) -> Result<(), LinkError> {
        let Some(me) = self.agent.player() else { return Ok(()) };
        let mut messages: Vec<Message> =
            said.into_iter().filter_map(|say| wire::message(say, me, &mut self.ids)).collect();
        while !messages.is_empty() {
            let rest = messages.split_off(messages.len().min(MAX_MESSAGES));
            let document = Messages { sender_hash: None, messages }.write();
            self.send(link, &document).await?;
            messages = rest;
        }
        Ok(())
    }

    async fn send(&mut self, link: &mut Link, document: &str) -> Result<(), LinkError> {
        self.trace.line(format_args!("sent {document}"));
        link.send(document).await
    }

    /// Receives a document; `None` if the document is invalid.
    async fn next(&mut self, link: &mut Link) -> Result<Option<Document>, LinkError> {
        match link.next().await? {
            Received::Document(bytes) => {
                self.trace.line(format_args!("heard {}", String::from_utf8_lossy(&bytes)));
                let document = Document::read(&bytes, &Document::LIMITS);
                Ok(document.map_err(|problem| self.discard(problem)).ok())
            }
            Received::TooLong => {
                self.discard("it is too long");
                Ok(None)
            }
        }
    }

    fn discard(&mut self, why: impl fmt::Display) {
        self.trace.line(format_args!("discarded: {why}"));
    }
}

/// A clock that never goes back, even if the machine's clock does. Times are in milliseconds since 1970.
struct Clock {
    began: Instant,
    began_ms: u64,
}

impl Clock {
    fn new(now_ms: i64) -> Self {
        Self { began: Instant::now(), began_ms: u64::try_from(now_ms).unwrap_or(0) }
    }

    fn now(&self) -> u64 {
        self.began_ms + u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn instant(&self, at_ms: u64) -> Instant {
        self.began + Duration::from_millis(at_ms.saturating_sub(self.began_ms))
    }
}
