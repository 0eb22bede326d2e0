//! Two bots at a table. They play game after game, resume after every crash, and record all events that they receive.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use colony::strategy;
use colony_rules::{Asked, Command, Event, Phase, Setup, View};
use commlib::{ClientError, Create, Hello, PROTOCOL, Reason, ToClient, Token, Want, Welcome};
use engine::{CommId, JavaRandom, Projection};
use server::log::open_reader;
use tokio::{
    runtime::Runtime,
    time::{sleep_until, timeout},
};

use crate::wire::{self, Addresses, Wire};

type Connection = wire::Connection<Command, Event>;

/// All events that one client has received, in order.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) game: String,
    pub(crate) client: CommId,
    pub(crate) wire: Wire,
    pub(crate) events: Vec<Event>,
    pub(crate) resumed: usize,
    /// The times from sending a command to the pong after its answer.
    pub(crate) waited: Vec<Duration>,
}

/// The state that all tables of a test share.
#[derive(Default)]
pub(crate) struct Tables {
    /// The events of every client of a finished game.
    pub(crate) told: Mutex<Vec<Told>>,
    /// The number of resumed connections, in finished and running games.
    pub(crate) resumed: AtomicUsize,
    /// The number of events that clients have received, in all games.
    pub(crate) events: AtomicUsize,
    /// If true, no more games begin.
    pub(crate) stop: AtomicBool,
    /// The number of clients that have lost their connection and do not play on yet.
    pub(crate) away: AtomicUsize,
    /// When clients played on after they had lost their connection.
    pub(crate) back: Mutex<Vec<Instant>>,
    /// Why hosts refused to let clients resume, or ended their connections, and how often.
    pub(crate) reasons: Mutex<HashMap<Reason, usize>>,
}

/// The hosts that a client knows. It uses one until it loses the connection, then the next one.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    all: Arc<[Addresses]>,
    at: usize,
    /// How long a host may be silent after a ping before the client leaves it. A host that is alone is never left.
    patience: Option<Duration>,
    /// Whether every game begins at the same host, and its second player at the next one, which passes it on to the first.
    is_apart: bool,
}

impl From<Addresses> for Hosts {
    fn from(only: Addresses) -> Self {
        Self { all: [only].into(), at: 0, patience: None, is_apart: false }
    }
}

impl Hosts {
    /// One of several hosts, starting with the one at this index.
    pub(crate) fn several(all: impl IntoIterator<Item = Addresses>, at: usize) -> Self {
        Self { all: all.into_iter().collect(), at, patience: Some(SILENCE), is_apart: false }
    }

    /// The same, but every game begins at the same host, and its players use different ones.
    pub(crate) fn apart(self) -> Self {
        Self { is_apart: true, ..self }
    }

    fn current(&self) -> Addresses {
        self.all[self.at % self.all.len()]
    }

    fn go_to_next(&mut self) {
        self.at += 1;
    }
}

/// How long a client waits for something from one of several hosts before it pings it, and then for the pong.
const SILENCE: Duration = Duration::from_millis(1500);
/// How long a client waits for the welcome of one of several hosts: longer than the other hosts take to find a dead one.
const LONGEST_HELLO: Duration = Duration::from_secs(8);

/// The numbers of pings: the pong to the first one follows the missed events, the one to the second follows the answer to a
/// command, and the third only shows that the host lives.
const CAUGHT_UP: u64 = 1;
const ANSWERED: u64 = 2;
const ALIVE: u64 = 3;

/// A client that keeps its place across any number of connections.
struct Player {
    hosts: Hosts,
    token: Token,
    told: Told,
    view: View,
    random: JavaRandom,
    think: Duration,
    /// Whether it lost its connection, and has not played since.
    is_away: bool,
    tables: Arc<Tables>,
}

/// Plays one game after the other until `stop` is set, and finishes the last one. Players wait for `think` before each command.
pub(crate) async fn keep_playing(
    table: usize,
    hosts: impl Into<Hosts>,
    wire: Wire,
    think: Duration,
    tables: Arc<Tables>,
) {
    let mut hosts = hosts.into();
    let home = hosts.at;
    let text = colony::scenario("winter").expect("winter is built in");
    let setup = Setup::new(text, None, None).expect("winter is sound");
    let mut seed = table as i64;
    loop {
        seed += 1000;
        // The game has no timeout, because players can be slow on a busy machine.
        let create =
            Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(seed), timeout: None };
        // A client that receives no welcome cannot know the name of its game, so that game is never played.
        let Ok((mut first, welcome)) = hosts.enter(wire, None, Want::Create(create)).await else {
            hosts.go_to_next();
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let game = welcome.game.clone();
        let mut hosts_of_second = hosts.clone();
        hosts_of_second.at += usize::from(hosts.is_apart);
        let joined = hosts_of_second.enter(wire, Some(&game), Want::Join { seat: None }).await;
        let Ok((second, other)) = joined else { continue };
        let player = |hosts: &Hosts, welcome: &Welcome, seed| Player {
            think,
            tables: tables.clone(),
            ..player(hosts.clone(), wire, welcome, &setup, seed)
        };
        let mut players = [player(&hosts, &welcome, seed), player(&hosts_of_second, &other, -seed)];
        let _lost_in_a_crash = first.send(&Command::Register { name: "Ana".into() }).await;
        let [ana, bo] = &mut players;
        tokio::join!(ana.play(Some(first)), bo.play(Some(second)));
        hosts.at = if hosts.is_apart { home } else { ana.hosts.at };
        tables.told.lock().expect("no thread has panicked").extend(players.map(|player| player.told));
        if tables.stop.load(Ordering::Acquire) {
            return;
        }
    }
}

/// Ends all games of a log that were never played.
pub(crate) fn break_off_all(runtime: &Runtime, host: Addresses, log: &Path) {
    runtime.block_on(async {
        let file = open_reader(log).await.expect("the log can be read");
        let games = file.list().await.expect("the games can be listed");
        for game in games.iter().filter(|game| game.end.is_none()) {
            break_off(host, &game.name).await;
        }
    });
}

/// Ends a game that is never played: a player whose first command is neither a registration nor a start aborts it.
async fn break_off(host: Addresses, game: &str) {
    let joined = enter(host, Wire::Binary, Some(game), Want::Join { seat: None }).await;
    let (mut connection, _) = joined.unwrap_or_else(|error| panic!("{game}: {error}"));
    connection.send(&Command::Register { name: "Breaker".into() }).await.expect("sent");
    connection.send(&Command::EndTurn {}).await.expect("sent");
    while connection.next().await.is_ok_and(|message| message.is_some()) {}
}

fn player(hosts: Hosts, wire: Wire, welcome: &Welcome, setup: &Setup, seed: i64) -> Player {
    Player {
        hosts,
        token: welcome.token.expect("a client that joins gets a token"),
        told: Told {
            game: welcome.game.clone(),
            client: CommId(welcome.client.expect("a client has a number")),
            wire,
            events: Vec::new(),
            resumed: 0,
            waited: Vec::new(),
        },
        view: View::new(setup),
        random: JavaRandom::new(seed),
        think: Duration::ZERO,
        is_away: false,
        tables: Arc::default(),
    }
}

pub(crate) async fn enter(
    host: Addresses,
    wire: Wire,
    game: Option<&str>,
    want: Want,
) -> Result<(Connection, Welcome), ClientError> {
    let mut connection = Connection::connect(host, wire).await?;
    let hello = Hello { protocol: PROTOCOL, want, game: game.map(Into::into), board: true };
    let welcome = connection.hello(hello).await?;
    Ok((connection, welcome))
}

impl Hosts {
    async fn enter(&self, wire: Wire, game: Option<&str>, want: Want) -> Result<(Connection, Welcome), ClientError> {
        let entering = enter(self.current(), wire, game, want);
        if self.patience.is_none() {
            return entering.await;
        }
        timeout(LONGEST_HELLO, entering).await.unwrap_or(Err(ClientError::Closed))
    }
}

impl Player {
    /// Plays to the end of the game, on as many connections as necessary.
    async fn play(&mut self, mut connection: Option<Connection>) {
        loop {
            if let Some(connection) = connection.take() {
                let reason = self.converse(connection).await;
                self.count(reason);
                if reason == Some(Reason::GameOver) {
                    return self.is_back();
                }
                self.is_lost(reason);
            }
            let want = Want::Resume { token: self.token, seen: self.told.events.len() as u64 };
            match self.hosts.enter(self.told.wire, Some(&self.told.game), want).await {
                Ok((resumed, welcome)) => {
                    assert_eq!(welcome.next, self.told.events.len() as u64 + 1);
                    self.told.resumed += 1;
                    self.tables.resumed.fetch_add(1, Ordering::Relaxed);
                    connection = Some(resumed);
                    continue;
                }
                // One of several hosts may not be able to reach the owner of the game, or its store.
                Err(ClientError::Refused(refused) | ClientError::Closing(refused))
                    if self.hosts.patience.is_some()
                        && matches!(refused.reason, Reason::ShuttingDown | Reason::StoreUnavailable) =>
                {
                    self.count(Some(refused.reason));
                }
                // Another refusal is a fault. Other errors mean that the host is down or not ready yet.
                Err(ClientError::Refused(refused)) => panic!("{} cannot resume: {refused}", self.told.game),
                Err(_) => {}
            }
            self.hosts.go_to_next();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn count(&self, reason: Option<Reason>) {
        if let Some(reason) = reason {
            *self.tables.reasons.lock().expect("no thread has panicked").entry(reason).or_default() += 1;
        }
    }

    /// The client has no connection. A host that says farewell may only have lost the host that plays the game.
    fn is_lost(&mut self, reason: Option<Reason>) {
        if reason.is_none() {
            self.hosts.go_to_next();
        }
        if !std::mem::replace(&mut self.is_away, true) {
            self.tables.away.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// The client plays on.
    fn is_back(&mut self) {
        if std::mem::take(&mut self.is_away) {
            self.tables.back.lock().expect("no thread has panicked").push(Instant::now());
            self.tables.away.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// The next message of a host; `None` if there is no more, or one of several hosts does not answer a ping. Cancel safe.
    async fn hear(&self, connection: &mut Connection) -> Option<ToClient<Event>> {
        let Some(patience) = self.hosts.patience else { return connection.next().await.ok()? };
        if let Ok(heard) = timeout(patience, connection.next()).await {
            return heard.ok()?;
        }
        connection.ping(ALIVE).await.ok()?;
        timeout(patience, connection.next()).await.ok()?.ok()?
    }

    /// Plays on one connection until it ends. Returns the host's reason, if it sent one.
    async fn converse(&mut self, mut connection: Connection) -> Option<Reason> {
        // The pong follows all missed events. Only then is the view current enough to decide.
        connection.ping(CAUGHT_UP).await.ok()?;
        let mut caught_up = false;
        let mut sent: Option<Instant> = None;
        let mut acts_at: Option<Instant> = None;
        loop {
            assert!(
                self.told.events.len() < 20_000,
                "the bot is refused again and again: {:?}",
                self.told.events.last()
            );
            let heard = tokio::select! {
                biased;
                heard = self.hear(&mut connection) => Some(heard?),
                () = sleep_until(acts_at.unwrap_or_else(Instant::now).into()), if acts_at.is_some() => None,
            };
            match heard {
                None => {}
                Some(ToClient::Event(told)) => {
                    assert_eq!(told.number, self.told.events.len() as u64 + 1, "no event twice, none missing");
                    self.view.apply(&told.event);
                    self.told.events.push(told.event);
                    self.tables.events.fetch_add(1, Ordering::Relaxed);
                }
                Some(ToClient::Pong(ALIVE)) => {}
                Some(ToClient::Pong(_)) => {
                    caught_up = true;
                    if let Some(sent) = sent.take() {
                        self.told.waited.push(sent.elapsed());
                        self.is_back();
                    }
                }
                Some(ToClient::Closing(refused)) => return Some(refused.reason),
                Some(ToClient::Refused(refused)) if refused.reason == Reason::GameOver => {}
                Some(
                    other @ (ToClient::Welcome(_)
                    | ToClient::Games(_)
                    | ToClient::Offers(_)
                    | ToClient::Notice(_)
                    | ToClient::Managed(_)
                    | ToClient::Refused(_)),
                ) => panic!("{other:?}"),
            }
            if !caught_up || !self.is_asked() {
                if caught_up {
                    // It has been told everything, and another player's move is awaited.
                    self.is_back();
                }
                acts_at = None;
                continue;
            }
            // A player who was away has thought already. At the end of the test, players hurry.
            let hurries = self.is_away || self.tables.stop.load(Ordering::Acquire);
            let think = if hurries { Duration::ZERO } else { self.think };
            if *acts_at.get_or_insert_with(|| Instant::now() + think) > Instant::now() {
                continue;
            }
            acts_at = None;
            let command = self.decide();
            sent = Some(Instant::now());
            connection.send(&command).await.ok()?;
            // The next command waits for the answer.
            caught_up = false;
            connection.ping(ANSWERED).await.ok()?;
        }
    }

    /// Whether the game waits for this player.
    fn is_asked(&self) -> bool {
        if self.view.player.is_none() {
            return true;
        }
        if self.view.board.phase == Phase::Registration {
            return self.view.board.players.len() == 2;
        }
        self.view.asked != Asked::Nothing
    }

    /// The command of a player that the game waits for.
    fn decide(&mut self) -> Command {
        if self.view.player.is_none() {
            let name = if self.told.client == CommId(1) { "Ana" } else { "Bo" };
            return Command::Register { name: name.into() };
        }
        if self.view.board.phase == Phase::Registration {
            return Command::StartGame {};
        }
        let bot = strategy("sensible").expect("there is a sensible bot").bot;
        bot.decide(&self.view, &mut self.random)
    }
}
