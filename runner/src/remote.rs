//! Plays scripts over TCP: on a new server process for each script, or on a running host.

mod game;
mod own_wire;

use std::{
    fmt,
    io::ErrorKind,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use script::{AUTO, ScriptedGame};
use serde_json::{Value, json};

use self::{game::RemoteGame, own_wire::OwnWireGame};
use crate::{
    connection::{Answer, Connection, connect},
    limits::Limits,
    play::Play,
    ports::PortRange,
    process::{Place, ServerProcess},
    target::{Failure, GameUnderTest, Outcome, Target},
};

/// How long a server that should refuse a scenario may run after it has opened its port, if nothing else is said.
pub const DEFAULT_REFUSAL_TIME: Duration = Duration::from_secs(2);

/// How long to sleep between two attempts.
const SHORTLY: Duration = Duration::from_millis(2);

/// The command that starts a server: a program and its arguments, with the placeholders `{config}`, `{port}`, `{seed}`,
/// `{timeout}` and `{edition}`.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    words: Vec<String>,
}

impl ServerCommand {
    /// Splits the command at white space.
    ///
    /// # Errors
    /// If the command is empty, has no `{port}`, or has an unknown placeholder.
    pub fn parse(text: &str) -> Result<Self, ServerCommandError> {
        let words: Vec<String> = text.split_whitespace().map(Into::into).collect();
        if words.is_empty() {
            return Err(ServerCommandError::Empty);
        }
        if !text.contains("{port}") {
            return Err(ServerCommandError::NoPort);
        }
        if let Some(unknown) = placeholders(text).find(|name| !PLACEHOLDERS.contains(name)) {
            return Err(ServerCommandError::UnknownPlaceholder(unknown.into()));
        }
        Ok(Self { words })
    }

    /// The command as it was given, with single spaces.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Whether the command has the placeholder `{edition}`.
    pub fn names_edition(&self) -> bool {
        self.words.iter().any(|word| word.contains("{edition}"))
    }
}

/// Why a text is not a server command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerCommandError {
    /// The command has no words.
    Empty,
    /// The command has no `{port}`.
    NoPort,
    /// The command has an unknown placeholder with this name.
    UnknownPlaceholder(String),
}

impl fmt::Display for ServerCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a server command is a program and its arguments"),
            Self::NoPort => f.write_str("a server command needs {port}, to which the clients connect"),
            Self::UnknownPlaceholder(unknown) => {
                let known = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ");
                write!(f, "{{{unknown}}} is not a placeholder; there are {known}")
            }
        }
    }
}

impl std::error::Error for ServerCommandError {}

const PLACEHOLDERS: [&str; 5] = ["config", "port", "seed", "timeout", "edition"];

/// The words in braces. Braces around other text, such as JSON, are part of the server's arguments.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside);
    inside.filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_'))
}

/// Starts a server process for every script.
#[derive(Debug)]
pub struct FreshServer {
    /// The command that starts the server.
    pub command: ServerCommand,
    /// How long a server may take to open its port, and to answer.
    pub patience: Duration,
    /// How long a server that should refuse a scenario may run after it has opened its port.
    pub refusal_time: Duration,
    /// Whether the words of a server that refuses a scenario do not matter.
    pub any_words: bool,
    /// The ports that servers get.
    pub ports: PortRange,
    /// The working directory of the servers; by default that of this process.
    pub folder: Option<PathBuf>,
    /// What each server may use.
    pub limits: Limits,
}

/// Creates a game for every script on a running host.
#[derive(Debug)]
pub struct RunningHost {
    /// The address of the host.
    pub address: SocketAddr,
    /// The host that creates the games, if it is another one of the same cluster.
    pub games_on: Option<SocketAddr>,
    /// How long the host may take to answer.
    pub patience: Duration,
}

impl FreshServer {
    /// Servers of this command, with the default ports and times and without limits.
    pub fn new(command: ServerCommand, patience: Duration) -> Self {
        Self {
            command,
            patience,
            refusal_time: DEFAULT_REFUSAL_TIME,
            any_words: false,
            ports: PortRange::default(),
            folder: None,
            limits: Limits::default(),
        }
    }

    fn start(&self, play: &Play<'_>) -> Result<(ServerProcess, SocketAddr), Failure> {
        /// A timeout that is long enough for a script without timeouts.
        const LONG_SECONDS: u32 = 60;
        let transcript = &play.script.transcript;
        let reserved = self.ports.reserve(self.patience).map_err(|error| server(error.to_string()))?;
        let port = reserved.number();
        let words = |config: &str| {
            let fill = |word: &String| {
                word.replace("{config}", config)
                    .replace("{port}", &port.to_string())
                    .replace("{seed}", &transcript.seed.to_string())
                    .replace("{timeout}", &transcript.timeout.unwrap_or(LONG_SECONDS).to_string())
                    .replace("{edition}", &transcript.edition)
            };
            self.command.words.iter().map(fill).collect()
        };
        let place = Place { port: reserved, folder: self.folder.as_deref(), limits: &self.limits };
        let started = ServerProcess::start(&play.script.scenario, place, words);
        let process = started.map_err(|error| server(error.to_string()))?;
        Ok((process, SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
    }

    /// Connects a client and joins the game.
    fn connect(
        &self,
        game: &'static dyn ScriptedGame,
        process: &mut ServerProcess,
        address: SocketAddr,
    ) -> Result<Connection, Failure> {
        let since = Instant::now();
        loop {
            let opened = Connection::open(game, address, self.patience);
            let was_open = opened.is_ok();
            match opened {
                Ok(mut connection) => match connection.hello(&join(None))? {
                    Answer::Welcome { .. } => return Ok(connection),
                    Answer::Refused(why) => return Err(server(format!("the server does not let a client in: {why}"))),
                    // The port may still belong to a process that is about to end, so try again.
                    Answer::Closed => {}
                },
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
                Err(error) => return Err(server(format!("no connection to the server: {error}"))),
            }
            if let Some(status) = process.status() {
                return Err(server(format!(
                    "the server ended before the game began: {}",
                    process.describe_end(status)
                )));
            }
            if since.elapsed() > self.patience {
                let what = if was_open {
                    "closes every connection without a welcome"
                } else {
                    "runs, but has not opened its port"
                };
                let port = process.port();
                let told = format!("the server {what}: port {port}, after {:?}", self.patience);
                return Err(server(format!("{told}\n{}", process.standard_error())));
            }
            thread::sleep(SHORTLY);
        }
    }
}

impl Target for FreshServer {
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn GameUnderTest + 'a>, Failure> {
        let (process, address) = self.start(play)?;
        if let Some(wire) = play.script.game.wire() {
            return Ok(Box::new(OwnWireGame::open(wire, play, Some(process), address, self.patience)?));
        }
        let mut game = RemoteGame::new(play, Some(process), self.patience);
        for client in &play.script.transcript.clients {
            let process = game.process.as_mut().expect("it was given");
            let connection = self.connect(play.script.game, process, address)?;
            game.clients.insert(client.number, connection);
        }
        Ok(Box::new(game))
    }

    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure> {
        let fail = |message: String| Err(Failure::new(Outcome::Fail, message));
        let (mut process, address) = self.start(play)?;
        let since = Instant::now();
        // A server may open its port before it reads the scenario.
        let mut opened: Option<Instant> = None;
        let status = loop {
            if let Some(status) = process.status() {
                break status;
            }
            match opened {
                None if connect(address, self.patience).is_ok() => opened = Some(Instant::now()),
                Some(opened) if opened.elapsed() > self.refusal_time => {
                    let time = self.refusal_time;
                    let what = "the server accepts the scenario and opens its port, and should refuse it";
                    return fail(format!("{what}: it still runs {time:?} after that"));
                }
                Some(_) | None => {}
            }
            if opened.is_none() && since.elapsed() > self.patience {
                let message = format!("the server neither opens its port nor ends, after {:?}", self.patience);
                return Err(Failure::new(Outcome::TimeOut, message));
            }
            thread::sleep(SHORTLY);
        };
        let ended = process.describe_end(status);
        match status.code() {
            None => Err(server(format!("the server crashed instead of refusing the scenario: {ended}"))),
            Some(0) => fail("the server refuses the scenario with exit code 0, which means success".into()),
            Some(came) if code.is_some_and(|code| code != came) => {
                fail(format!("the server should end with exit code {}: {ended}", code.unwrap_or_default()))
            }
            Some(_) if !self.any_words && !process.standard_error().contains(message) => {
                fail(format!("the server should say {message:?} (--any-words accepts other words): {ended}"))
            }
            Some(_) => Ok(()),
        }
    }
}

impl RunningHost {
    fn create(&self, play: &Play<'_>) -> Result<(Connection, Answer), Failure> {
        let transcript = &play.script.transcript;
        let mut first = self.connect(play.script.game, self.games_on.unwrap_or(self.address))?;
        let edition = Some(&transcript.edition).filter(|edition| edition.as_str() != AUTO);
        let mut create = json!({
            "scenario": play.script.scenario,
            "edition": edition,
            "seed": transcript.seed,
            "timeout": transcript.timeout.map(|seconds| u64::from(seconds) * 1000),
        });
        if let Some(rulebook) = &transcript.rulebook {
            create["rulebook"] = rulebook.as_str().into();
        }
        let answer = first.hello(&json!({"protocol": 1, "want": {"create": create}}))?;
        Ok((first, answer))
    }

    fn connect(&self, game: &'static dyn ScriptedGame, address: SocketAddr) -> Result<Connection, Failure> {
        Connection::open(game, address, self.patience).map_err(|error| {
            let refused = error.kind() == ErrorKind::ConnectionRefused;
            let help = if refused { "\nno host listens there; start one with `holdfast host`" } else { "" };
            server(format!("no connection to {address}: {error}{help}"))
        })
    }

    /// Connects a client, which joins or resumes a game.
    fn enter(&self, game: &'static dyn ScriptedGame, hello: &Value) -> Result<Connection, Failure> {
        let mut connection = self.connect(game, self.address)?;
        match connection.hello(hello)? {
            Answer::Welcome { .. } => Ok(connection),
            Answer::Refused(why) => Err(server(format!("the host does not let a client in: {why}"))),
            Answer::Closed => Err(server("the host closed a connection at once".into())),
        }
    }
}

impl Target for RunningHost {
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn GameUnderTest + 'a>, Failure> {
        if let Some(wire) = play.script.game.wire() {
            return Ok(Box::new(OwnWireGame::open(wire, play, None, self.address, self.patience)?));
        }
        let (first, answer) = self.create(play)?;
        let (name, token) = match answer {
            Answer::Welcome { game, token } => (game, token),
            Answer::Refused(why) => return Err(server(format!("the host does not create the game: {why}"))),
            Answer::Closed => return Err(server("the host closed the connection without a welcome".into())),
        };
        let mut game = RemoteGame::new(play, None, self.patience);
        // The first client has created the game. If another host has it, the client comes back through this one.
        let mut first = match self.games_on {
            None => Some(first),
            Some(_) => {
                let resume = json!({"token": token, "seen": 0});
                let hello = json!({"protocol": 1, "want": {"resume": resume}, "game": name});
                Some(self.enter(play.script.game, &hello)?)
            }
        };
        for client in &play.script.transcript.clients {
            let connection = match first.take() {
                Some(first) => first,
                None => self.enter(play.script.game, &join(Some(&name)))?,
            };
            game.clients.insert(client.number, connection);
        }
        Ok(Box::new(game))
    }

    fn refuses(&self, play: &Play<'_>, _code: Option<i32>, message: &str) -> Result<(), Failure> {
        let fail = |message: String| Err(Failure::new(Outcome::Fail, message));
        match self.create(play)?.1 {
            Answer::Welcome { .. } => fail("the host accepts the scenario, and should refuse it".into()),
            Answer::Refused(said) if said.contains(message) => Ok(()),
            Answer::Refused(said) => fail(format!("the host should say {message:?}, and says:\n{said}")),
            Answer::Closed => Err(server("the host closed the connection without an answer".into())),
        }
    }
}

fn join(game: Option<&str>) -> Value {
    json!({"protocol": 1, "want": {"join": {}}, "game": game})
}

fn server(message: String) -> Failure {
    Failure::new(Outcome::ServerFail, message)
}
