//! A player over the network: connects, plays, comes back when the connection is lost, and tells how it ended.

use std::{fmt, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use project_rules::Team;
use server::World;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::{
    Agent, End, Heard, Ids, Nature, Say, TraceError, TraceTarget,
    link::{Came, Link},
    trace::PlayerTrace,
    wire,
};
use crate::documents::{Connection, Document, Guid, MOST_MESSAGES, Message, Messages, Role, TRY_AGAIN};

/// How long the server may take to shake hands, and after which time it is asked once more.
const HANDSHAKE: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_secs(3);
/// Two connections are at least so far apart, however quickly the first is lost.
const APART: Duration = Duration::from_secs(1);

/// How often a player is heard of when nobody says otherwise.
pub const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// What a player needs to know to play.
#[derive(Clone, Debug)]
pub struct Options {
    pub server: SocketAddr,
    /// By which the Game Master knows it when it comes back.
    pub hash: Guid,
    pub nature: Nature,
    /// How often a connection is tried, and how long after each other.
    pub attempts: u32,
    pub interval: Duration,
    /// How often the server hears from a player that has nothing to say. It answers, or is lost after four times as long.
    pub keep_alive: Duration,
    /// Where its trace is written.
    pub trace: TraceTarget,
    /// The wall clock, and the thread that writes the trace.
    pub world: Arc<dyn World>,
}

/// What somebody who looks on may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The trace is written to this file. Always the first news.
    Tracing {
        file: PathBuf,
    },
    Joined {
        player: u32,
    },
    Team {
        team: Team,
        leader: bool,
    },
    Started {
        players: usize,
        width: i32,
        height: i32,
    },
    Lost {
        why: String,
    },
    Back,
}

/// Why there was no end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It may not take part.
    Refused(String),
    /// There is no connection.
    Unreachable { server: SocketAddr, attempts: u32, why: String },
    /// The trace cannot be written.
    Trace(TraceError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Unreachable { server, attempts, why } => {
                write!(f, "the Communication Server at {server} could not be reached in {attempts} attempts: {why}")
            }
            Self::Trace(error) => error.fmt(f),
        }
    }
}

/// Bytes that nobody can guess, for names.
pub fn drawn<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Plays a game to its end.
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
    /// For messages that nobody answers.
    ids: Ids,
    /// Its team as it was told last, and whether it leads it.
    team: Option<(Team, bool)>,
    trace: PlayerTrace,
    clock: Clock,
    news: N,
}

/// Why a connection was not one.
enum Closed {
    Refused(String),
    Failed(String),
}

impl<N: FnMut(News) + Send> Player<N> {
    async fn play(&mut self) -> Result<End, Failure> {
        loop {
            let (mut link, number) = self.reach().await?;
            let since = Instant::now();
            match self.attend(&mut link, number).await {
                Ok(end) => return Ok(end),
                Err(why) => {
                    self.trace.line(format_args!("the connection is lost: {why}"));
                    self.hear(Heard::Lost);
                    (self.news)(News::Lost { why });
                }
            }
            sleep_until(since + APART).await;
        }
    }

    /// Connects and shakes hands: at once, and then once in each interval.
    async fn reach(&mut self) -> Result<(Link, u32), Failure> {
        let Options { server, attempts, interval, .. } = self.options;
        let mut last = "no attempt is allowed".to_owned();
        for attempt in 1..=attempts {
            let next = Instant::now() + interval;
            match timeout(HANDSHAKE.max(interval), self.shake_hands()).await {
                Ok(Ok((link, number))) => {
                    self.name_trace(Some(number))?;
                    return Ok((link, number));
                }
                // Who has played already, and whom the server itself refuses, may only have come too early: the Game Master
                // is away, or not there yet.
                Ok(Err(Closed::Refused(why))) if self.agent.player().is_none() && !why.ends_with(TRY_AGAIN) => {
                    return Err(Failure::Refused(why));
                }
                Ok(Err(Closed::Refused(why))) => last = format!("refused: {why}"),
                Ok(Err(Closed::Failed(why))) => last = why,
                Err(_) => last = "it does not answer".to_owned(),
            }
            self.trace.line(format_args!("attempt {attempt} of {attempts} to reach {server}: {last}"));
            if attempt < attempts {
                sleep_until(next).await;
            }
        }
        Err(Failure::Unreachable { server, attempts, why: last })
    }

    /// Opens a trace file that is named after the player's number, and says so.
    fn name_trace(&mut self, player: Option<u32>) -> Result<(), Failure> {
        if let Some(file) = self.trace.name(player).map_err(Failure::Trace)? {
            (self.news)(News::Tracing { file });
        }
        Ok(())
    }

    async fn shake_hands(&mut self) -> Result<(Link, u32), Closed> {
        let (server, hash) = (self.options.server, self.options.hash);
        let mut link =
            Link::open(server, self.options.keep_alive).await.map_err(|error| Closed::Failed(error.to_string()))?;
        self.trace.line(format_args!("connected to {server} from {}, hash {hash}", link.address()));
        let request = Connection::Request { hash, address: link.address().to_string(), role: Role::Player }.write();
        loop {
            self.send(&mut link, &request).await.map_err(Closed::Failed)?;
            let Ok(answer) = timeout(AGAIN, self.answer(&mut link)).await else { continue };
            return answer.map(|number| (link, number));
        }
    }

    /// The Game Master's answer to the request to take part.
    async fn answer(&mut self, link: &mut Link) -> Result<u32, Closed> {
        loop {
            let document = self.next(link).await.map_err(Closed::Failed)?;
            match document {
                Some(Document::Connection(Connection::Confirmation { hash, id }))
                    if self.options.hash.is_same(&hash) =>
                {
                    match u32::try_from(id) {
                        Ok(number @ 1..) => return Ok(number),
                        Ok(0) | Err(_) => self.discarded("it has no number of a player"),
                    }
                }
                Some(Document::Connection(Connection::Refusal { hash, description }))
                    if self.options.hash.is_same(&hash) =>
                {
                    return Err(Closed::Refused(description));
                }
                Some(_) => self.discarded("before the handshake"),
                None => {}
            }
        }
    }

    /// Plays on a connection until the end of the game, or of the connection.
    async fn attend(&mut self, link: &mut Link, player: u32) -> Result<End, String> {
        let is_back = self.agent.player() == Some(player);
        (self.news)(if is_back { News::Back } else { News::Joined { player } });
        let said = self.hear(Heard::Confirmed { player });
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
                None => self.hear(Heard::TimePassed),
            };
            self.say(link, said).await?;
        }
    }

    /// What to say to a document.
    fn read(&mut self, document: Option<Document>) -> Vec<Say> {
        match document {
            None => Vec::new(),
            Some(Document::Messages(Messages { messages, .. })) => {
                messages.into_iter().flat_map(|message| self.take(message)).collect()
            }
            // The Game Master was away, and finds out who is there.
            Some(Document::Connection(Connection::Confirmation { hash, id }))
                if self.options.hash.is_same(&hash) && u32::try_from(id).ok() == self.agent.player() =>
            {
                let player = id.unsigned_abs();
                self.hear(Heard::Confirmed { player })
            }
            Some(Document::Connection(_)) => {
                self.discarded("after the handshake");
                Vec::new()
            }
        }
    }

    fn take(&mut self, message: Message) -> Vec<Say> {
        let Some(me) = self.agent.player() else { return Vec::new() };
        match wire::heard(message, me, self.agent.position()) {
            Ok(heard) => {
                self.tell(&heard);
                self.hear(heard)
            }
            Err(why) => {
                self.discarded(why);
                Vec::new()
            }
        }
    }

    fn hear(&mut self, heard: Heard) -> Vec<Say> {
        self.agent.hear(self.clock.now(), heard)
    }

    fn tell(&mut self, heard: &Heard) {
        match heard {
            Heard::TeamGiven { team, leader } => {
                let given = Some((*team, *leader));
                // A Game Master that was away tells it once more.
                if std::mem::replace(&mut self.team, given) != given {
                    (self.news)(News::Team { team: *team, leader: *leader });
                }
            }
            Heard::Started { players, width, height, .. } if self.agent.position().is_none() => {
                (self.news)(News::Started { players: players.len(), width: *width, height: *height });
            }
            Heard::Started { .. }
            | Heard::Confirmed { .. }
            | Heard::Answered { .. }
            | Heard::Told { .. }
            | Heard::Ended(_)
            | Heard::TimePassed
            | Heard::Lost => {}
        }
    }

    /// What is said at the same time goes in one document.
    async fn say(&mut self, link: &mut Link, said: Vec<Say>) -> Result<(), String> {
        let Some(me) = self.agent.player() else { return Ok(()) };
        let mut messages: Vec<Message> =
            said.into_iter().filter_map(|say| wire::message(say, me, &mut self.ids)).collect();
        while !messages.is_empty() {
            let rest = messages.split_off(messages.len().min(MOST_MESSAGES));
            let document = Messages { sender_hash: None, messages }.write();
            self.send(link, &document).await?;
            messages = rest;
        }
        Ok(())
    }

    async fn send(&mut self, link: &mut Link, document: &str) -> Result<(), String> {
        self.trace.line(format_args!("sent {document}"));
        link.send(document).await
    }

    /// The next document; nothing when it could not be read.
    async fn next(&mut self, link: &mut Link) -> Result<Option<Document>, String> {
        match link.next().await? {
            Came::Document(bytes) => {
                self.trace.line(format_args!("heard {}", String::from_utf8_lossy(&bytes)));
                let document = Document::read(&bytes, &Document::LIMITS);
                Ok(document.map_err(|problem| self.discarded(problem)).ok())
            }
            Came::TooLong => {
                self.discarded("it is too long");
                Ok(None)
            }
        }
    }

    fn discarded(&mut self, why: impl fmt::Display) {
        self.trace.line(format_args!("discarded what was heard: {why}"));
    }
}

/// Milliseconds since 1970 that never go back, whatever is done to the clock of the machine.
struct Clock {
    began: Instant,
    at: u64,
}

impl Clock {
    fn new(now: i64) -> Self {
        Self { began: Instant::now(), at: u64::try_from(now).unwrap_or(0) }
    }

    fn now(&self) -> u64 {
        self.at + u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn instant(&self, at: u64) -> Instant {
        self.began + Duration::from_millis(at.saturating_sub(self.at))
    }
}
