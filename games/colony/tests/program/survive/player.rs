//! Two bots at a table. They play game after game, resume after every crash, and record all events that they receive.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use colony::strategy;
use colony_rules::{Asked, Command, Event, Setup, View};
use commlib::{ClientError, Create, Hello, PROTOCOL, Reason, ToClient, Token, Want, Welcome};
use engine::{CommId, JavaRandom, Projection};
use server::log::open_reader;
use tokio::runtime::Runtime;

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
}

/// A client that keeps its place across any number of connections.
struct Player {
    host: Addresses,
    token: Token,
    told: Told,
    view: View,
    random: JavaRandom,
    think: Duration,
    tables: Arc<Tables>,
}

/// Plays one game after the other until `stop` is set, and finishes the last one. Players wait for `think` before each command.
pub(crate) async fn keep_playing(table: usize, host: Addresses, wire: Wire, think: Duration, tables: Arc<Tables>) {
    let text = colony::scenario("winter").expect("winter is built in");
    let setup = Setup::new(text, None, None).expect("winter is sound");
    let mut seed = table as i64;
    loop {
        seed += 1000;
        // The game has no timeout, because players can be slow on a busy machine.
        let create =
            Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(seed), timeout: None };
        // A client that receives no welcome cannot know the name of its game, so that game is never played.
        let Ok((mut first, welcome)) = enter(host, wire, None, Want::Create(create)).await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let game = welcome.game.clone();
        let Ok((second, other)) = enter(host, wire, Some(&game), Want::Join { seat: None }).await else { continue };
        let player = |welcome: &Welcome, seed| Player {
            think,
            tables: tables.clone(),
            ..player(host, wire, welcome, &setup, seed)
        };
        let mut players = [player(&welcome, seed), player(&other, -seed)];
        let _lost_in_a_crash = first.send(&Command::Register { name: "Ana".into() }).await;
        let [ana, bo] = &mut players;
        tokio::join!(ana.play(Some(first)), bo.play(Some(second)));
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

/// Ends a game that is never played: a command from a client that is not a player aborts the registration.
async fn break_off(host: Addresses, game: &str) {
    let joined = enter(host, Wire::Binary, Some(game), Want::Join { seat: None }).await;
    let (mut connection, _) = joined.unwrap_or_else(|error| panic!("{game}: {error}"));
    connection.send(&Command::EndTurn {}).await.expect("sent");
    while connection.next().await.is_ok_and(|message| message.is_some()) {}
}

fn player(host: Addresses, wire: Wire, welcome: &Welcome, setup: &Setup, seed: i64) -> Player {
    Player {
        host,
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

impl Player {
    /// Plays to the end of the game, on as many connections as necessary.
    async fn play(&mut self, mut connection: Option<Connection>) {
        loop {
            if let Some(connection) = connection.take()
                && self.converse(connection).await == Some(Reason::GameOver)
            {
                return;
            }
            let want = Want::Resume { token: self.token, seen: self.told.events.len() as u64 };
            match enter(self.host, self.told.wire, Some(&self.told.game), want).await {
                Ok((resumed, welcome)) => {
                    assert_eq!(welcome.next, self.told.events.len() as u64 + 1);
                    self.told.resumed += 1;
                    self.tables.resumed.fetch_add(1, Ordering::Relaxed);
                    connection = Some(resumed);
                }
                // A refusal is a fault. Other errors mean that the host is down or not ready yet.
                Err(ClientError::Refused(refused)) => panic!("{} cannot resume: {refused}", self.told.game),
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }

    /// Plays on one connection until it ends. Returns the host's reason, if it sent one.
    async fn converse(&mut self, mut connection: Connection) -> Option<Reason> {
        // The pong follows all missed events. Only then is the view current enough to decide.
        connection.ping(1).await.ok()?;
        let mut caught_up = false;
        let mut sent: Option<Instant> = None;
        loop {
            assert!(
                self.told.events.len() < 20_000,
                "the bot is refused again and again: {:?}",
                self.told.events.last()
            );
            match connection.next().await.ok()?? {
                ToClient::Event(told) => {
                    assert_eq!(told.number, self.told.events.len() as u64 + 1, "no event twice, none missing");
                    self.view.apply(&told.event);
                    self.told.events.push(told.event);
                    self.tables.events.fetch_add(1, Ordering::Relaxed);
                }
                ToClient::Pong(_) => {
                    caught_up = true;
                    self.told.waited.extend(sent.take().map(|sent| sent.elapsed()));
                }
                ToClient::Closing(refused) => return Some(refused.reason),
                ToClient::Refused(refused) if refused.reason == Reason::GameOver => {}
                other @ (ToClient::Welcome(_) | ToClient::Games(_) | ToClient::Offers(_) | ToClient::Refused(_)) => {
                    panic!("{other:?}")
                }
            }
            if caught_up && let Some(command) = self.decide() {
                if !self.think.is_zero() {
                    tokio::time::sleep(self.think).await;
                }
                sent = Some(Instant::now());
                connection.send(&command).await.ok()?;
                // The next command waits for the answer.
                caught_up = false;
                connection.ping(2).await.ok()?;
            }
        }
    }

    fn decide(&mut self) -> Option<Command> {
        if self.view.player.is_none() {
            let name = if self.told.client == CommId(1) { "Ana" } else { "Bo" };
            return Some(Command::Register { name: name.into() });
        }
        if self.view.board.phase == colony_rules::Phase::Registration {
            let both = self.view.board.players.len() == 2;
            return both.then_some(Command::StartGame {});
        }
        let bot = strategy("sensible").expect("there is a sensible bot").bot;
        (self.view.asked != Asked::Nothing).then(|| bot.decide(&self.view, &mut self.random))
    }
}
