//! A host on a port, and players with short methods.

use std::{
    fmt, fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use commlib::{
    Access, AccessChange, ClientConnection, ClientError, Create, Form, Hello, PROTOCOL, Reason, ToClient, Token, Want,
    Welcome,
};
use server::{
    Erased, GameTable, Gateway, Host, HostedGame, Http, Limits, Options,
    log::{EventLog, MemoryLog, Report, SqliteLog, StoreError, open_reader, verify},
};
use slog::{Discard, Drain, Level, Logger, Never, OwnedKVList, Record, o};
use testkit::{Request, Response};
use tokio::{sync::watch, time::timeout};

use crate::counter::{Command, Counter, Event};

/// Verifies a log file.
pub(crate) async fn verified(path: &Path) -> Result<Report, StoreError> {
    verify(&*open_reader(path).await?, |_| {}).await
}

pub(crate) const COUNTER: &[&dyn HostedGame] = &[&Erased::<Counter>::NEW];

/// A timeout that only a hanging test reaches.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// Long enough to see that nothing arrives.
const SHORT: Duration = Duration::from_millis(80);

/// A host that listens on a free port.
pub(crate) struct Served {
    pub(crate) host: Arc<Host>,
    pub(crate) address: SocketAddr,
    stop: watch::Sender<bool>,
}

impl Served {
    pub(crate) async fn new() -> Self {
        Self::of(Arc::new(MemoryLog::new()), Limits::default()).await
    }

    pub(crate) async fn with(limits: Limits) -> Self {
        Self::of(Arc::new(MemoryLog::new()), limits).await
    }

    pub(crate) async fn on(log: Arc<dyn EventLog>) -> Self {
        Self::of(log, Limits::default()).await
    }

    async fn of(log: Arc<dyn EventLog>, limits: Limits) -> Self {
        Self::open(options(log, limits)).await
    }

    pub(crate) async fn open(options: Options) -> Self {
        Self::at(Host::open(options).await.expect("a host")).await
    }

    pub(crate) async fn another_port(&self) -> Self {
        Self::at(self.host.clone()).await
    }

    async fn at(host: Arc<Host>) -> Self {
        let gateway = Gateway::bind((Ipv4Addr::LOCALHOST, 0).into(), &host).await.expect("a port");
        let address = gateway.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(gateway.serve(host.clone(), stopped));
        Self { host, address, stop }
    }

    pub(crate) async fn stop(self) {
        self.stop.send_replace(true);
        timeout(LONG, self.host.stop()).await.expect("a host stops soon").expect("the log closes");
    }

    pub(crate) async fn connect(&self, form: Form) -> Connection {
        ClientConnection::connect(self.address, form).await.expect("a connection")
    }

    /// Connects and sends a hello. Returns the player after the welcome.
    pub(crate) async fn enter(&self, form: Form, hello: Hello) -> Result<Player, Rejection> {
        let mut connection = self.connect(form).await;
        let welcome = greet(&mut connection, hello).await?;
        Ok(Player { connection, welcome, pings: 0 })
    }

    /// The same for an account, with its token.
    pub(crate) async fn enter_as(&self, token: &str, form: Form, hello: Hello) -> Result<Player, Rejection> {
        let mut connection = self.connect(form).await;
        connection.account(token).await.expect("sent");
        let welcome = greet(&mut connection, hello).await?;
        Ok(Player { connection, welcome, pings: 0 })
    }

    /// Creates a game and takes a seat in it.
    pub(crate) async fn creator(&self, goal: &str) -> Player {
        let mut player = self.enter(Form::Binary, create(goal)).await.expect("a game");
        player.send(Command::Join { name: "Ana".into() }).await;
        assert_eq!(player.hears().await, "1 Greeted; 2 Joined Ana");
        player
    }
}

/// The HTTP port of a host.
pub(crate) struct Port {
    pub(crate) address: SocketAddr,
    pub(crate) stop: watch::Sender<bool>,
    pub(crate) serving: tokio::task::JoinHandle<()>,
}

impl Port {
    pub(crate) async fn of(served: &Served) -> Self {
        Self::on(served, Ipv4Addr::LOCALHOST).await
    }

    /// Listens on this address. The clients of the tests connect to loopback.
    pub(crate) async fn on(served: &Served, listen: Ipv4Addr) -> Self {
        let http = Http::bind((listen, 0).into()).await.expect("a port");
        let address = (Ipv4Addr::LOCALHOST, http.local_addr().expect("an address").port()).into();
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(http.serve(served.host.clone(), stopping));
        Self { address, stop, serving }
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        Request::get(path).send(self.address).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Response {
        Request::post_json(path, body).send(self.address).await
    }
}

pub(crate) fn options(log: Arc<dyn EventLog>, limits: Limits) -> Options {
    Options { limits, ..Options::new(GameTable::new(COUNTER.to_vec()), log, Logger::root(Discard, o!())) }
}

/// Keeps the warnings and errors that a host logs: `WARN the message`.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    pub(crate) fn logger(&self) -> Logger {
        Logger::root(self.clone(), o!())
    }

    /// The lines since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no test panicked"))
    }
}

impl Drain for Lines {
    type Ok = ();
    type Err = Never;

    fn log(&self, record: &Record<'_>, _: &OwnedKVList) -> Result<(), Never> {
        if record.level().is_at_least(Level::Warning) {
            let line = format!("{} {}", record.level().as_short_str(), record.msg());
            self.0.lock().expect("no test panicked").push(line);
        }
        Ok(())
    }
}

pub(crate) type Connection = ClientConnection<Command, Event>;

/// A connection that has joined a game.
pub(crate) struct Player {
    pub(crate) connection: Connection,
    pub(crate) welcome: Welcome,
    pings: u64,
}

impl Player {
    pub(crate) fn game(&self) -> &str {
        &self.welcome.game
    }

    pub(crate) fn token(&self) -> Token {
        self.welcome.token.expect("a client that joined has a token")
    }

    pub(crate) async fn send(&mut self, command: Command) {
        self.connection.send(&command).await.expect("sent");
    }

    pub(crate) async fn add(&mut self, amount: u32) {
        self.send(Command::Add { amount }).await;
    }

    pub(crate) async fn ping(&mut self) {
        self.pings += 1;
        self.connection.ping(self.pings).await.expect("sent");
    }

    /// Asks for offers.
    pub(crate) async fn ask_offers(&mut self, number: u64) {
        self.connection.ask_offers(number).await.expect("sent");
    }

    /// Asks for notices, and returns the snapshot.
    pub(crate) async fn ask_notices(&mut self) -> String {
        self.connection.ask_notices(true).await.expect("sent");
        self.next().await
    }

    /// Asks for notices without waiting, or for no more of them.
    pub(crate) async fn want_notices(&mut self, wanted: bool) {
        self.connection.ask_notices(wanted).await.expect("sent");
    }

    /// Wants no lines of a writer, or wants them again.
    pub(crate) async fn mute(&mut self, by: &str, muted: bool) {
        self.connection.mute(by, muted).await.expect("sent");
    }

    /// Reports a line of chat.
    pub(crate) async fn report(&mut self, line: u64) {
        self.connection.report(line).await.expect("sent");
    }

    /// Changes who may come in.
    pub(crate) async fn manage(&mut self, change: AccessChange) {
        self.connection.manage(change).await.expect("sent");
    }

    pub(crate) async fn chat(&mut self, text: &str) {
        self.connection.chat(text).await.expect("sent");
    }

    /// The next message, in words.
    pub(crate) async fn next(&mut self) -> String {
        next(&mut self.connection).await
    }

    /// All messages up to now; sends a ping and waits for the pong.
    pub(crate) async fn hears(&mut self) -> String {
        self.ping().await;
        let pong = format!("pong {}", self.pings);
        let mut heard = Vec::new();
        loop {
            let message = self.next().await;
            if message == pong || message == "end" {
                return heard.join("; ");
            }
            heard.push(message);
        }
    }

    /// All messages until the connection ends.
    pub(crate) async fn rest(&mut self) -> String {
        let mut heard = Vec::new();
        loop {
            match self.next().await.as_str() {
                "end" => return heard.join("; "),
                "cut" => panic!("in the middle of a message, after {heard:?}"),
                message => heard.push(message.to_owned()),
            }
        }
    }

    /// Checks that nothing arrives for a while.
    pub(crate) async fn hears_nothing(&mut self) {
        let came = timeout(SHORT, self.connection.next()).await;
        assert!(came.is_err(), "something came: {came:?}");
    }
}

/// The next message of a connection in words; `end` at the end.
pub(crate) async fn next(connection: &mut Connection) -> String {
    match timeout(LONG, connection.next()).await.expect("something comes") {
        Ok(None) | Err(ClientError::Io(_)) => "end".into(),
        Ok(Some(message)) => words(&message),
        Err(ClientError::Cut) => "cut".into(),
        Err(error) => panic!("{error}"),
    }
}

/// The answer to a hello that the host rejects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    Refused(Reason),
    Closing(Reason),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => write!(f, "refused {reason:?}"),
            Self::Closing(reason) => write!(f, "closing {reason:?}"),
        }
    }
}

pub(crate) async fn greet(connection: &mut Connection, hello: Hello) -> Result<Welcome, Rejection> {
    timeout(LONG, connection.hello(hello)).await.expect("an answer").map_err(|error| match error {
        ClientError::Refused(refused) => Rejection::Refused(refused.reason),
        ClientError::Closing(refused) => Rejection::Closing(refused.reason),
        ClientError::Connect(_)
        | ClientError::Tls(_)
        | ClientError::Unexpected { .. }
        | ClientError::Malformed(_)
        | ClientError::Closed
        | ClientError::Cut
        | ClientError::Encode(_)
        | ClientError::Io(_) => panic!("{error}"),
    })
}

pub(crate) fn words(message: &ToClient<Event>) -> String {
    match message {
        ToClient::Welcome(welcome) => format!("welcome {}", welcome.next),
        ToClient::Games(games) => format!("games {}", games.len()),
        ToClient::Pong(number) => format!("pong {number}"),
        ToClient::Notice(notice) => format!("notice {}", serde_json::to_string(&notice).expect("JSON")),
        ToClient::Offers(offered) => format!("offers {} after {}: {}", offered.number, offered.after, offered.offers),
        ToClient::Managed(access) => {
            let Access { admission, closed, invitations, reserved, invitation } = access;
            let is_closed = if *closed { " closed" } else { "" };
            let code = invitation.as_ref().map(|code| format!(" invitation {code}")).unwrap_or_default();
            format!("managed {admission:?}{is_closed} {invitations} {reserved:?}{code}")
        }
        ToClient::Refused(refused) => format!("refused {:?}", refused.reason),
        ToClient::Closing(refused) => format!("closing {:?}", refused.reason),
        ToClient::Event(told) => {
            let event = match &told.event {
                Event::Greeted {} => "Greeted".into(),
                Event::Joined { name } => format!("Joined {name}"),
                Event::Counted { count } => format!("Counted {count}"),
                Event::Moved { client } => format!("Moved {client}"),
                Event::Nothing {} => format!("Nothing ({})", told.text.as_deref().unwrap_or_default()),
                Event::Shouted { text } => format!("Shouted {}", text.len()),
                Event::Rang { timer } => format!("Rang {timer}"),
                Event::Unspeakable {} => "Unspeakable".into(),
                Event::Done {} => "Done".into(),
            };
            format!("{} {event}", told.number)
        }
    }
}

pub(crate) fn create(goal: &str) -> Hello {
    let create = Create { rulebook: None, scenario: goal.into(), edition: None, seed: None, timeout: None };
    hello(Want::Create(create), None)
}

pub(crate) fn create_with_timeout(goal: &str, timeout: u64) -> Hello {
    let mut hello = create(goal);
    if let Want::Create(create) = &mut hello.want {
        create.timeout = Some(timeout);
    }
    hello
}

pub(crate) fn join(game: &str) -> Hello {
    hello(Want::Join { seat: None }, Some(game))
}

pub(crate) fn watch(game: &str, seen: u64) -> Hello {
    hello(Want::Watch { seen }, Some(game))
}

pub(crate) fn resume(game: &str, token: Token, seen: u64) -> Hello {
    hello(Want::Resume { token, seen }, Some(game))
}

pub(crate) fn with_board(hello: Hello) -> Hello {
    Hello { board: true, ..hello }
}

pub(crate) fn hello(want: Want, game: Option<&str>) -> Hello {
    Hello { protocol: PROTOCOL, want, game: game.map(Into::into), board: false }
}

/// A directory for one test, which is removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("holdfast-host-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a scratch directory");
        Self(path)
    }

    pub(crate) fn log(&self) -> Arc<SqliteLog> {
        Arc::new(SqliteLog::open(&self.path("games.db"), server::log::Options::default()).expect("a log"))
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// A copy of the files as a crash at this moment would leave them.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::new();
        for file in ["games.db", "games.db-wal"] {
            fs::copy(self.0.join(file), copy.0.join(file)).expect("a copy");
        }
        copy
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
