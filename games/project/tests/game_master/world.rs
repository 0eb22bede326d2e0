//! A server, a Game Master and players.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use project::{
    Finished, GameMaster, LocalConnector, LocalListener, MasterError, MasterOptions, Project, TraceFile,
    communication::{self, Ended, Listeners},
};
use project_rules::{Direction, EndReason, Game, Player, Position, Setup, Team};
use server::{
    Erased, GameTable, Host, HostedGame, Limits, Options, RealWorld,
    log::{EventLog, MemoryLog, SqliteLog},
};
use slog::{Discard, Logger, o};
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};

use crate::wire::{LONG, Wire, action, id, request, team};

/// How long the host waits for its log before it gives no answer.
pub(crate) const STORE_PATIENCE: Duration = Duration::from_secs(2);

const RULEBOOKS: &[&dyn HostedGame] = &[&Erased::<Project>::NEW];

/// One against one, with pieces close to both players and short timeouts.
pub(crate) const SMALL: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 5, "shams_percentage": 40,
    "goals": [{"x": 0, "y": 0}, {"x": 3, "y": 1}], "reconnection_attempts": 40, "reconnection_interval": 1}"#;

/// Two against two.
pub(crate) const PAIRS: &str = r#"{"width": 4, "height": 8, "players_per_team": 2, "pieces": 5, "shams_percentage": 0,
    "goals": [{"x": 0, "y": 1}], "reconnection_attempts": 40, "reconnection_interval": 1}"#;

pub(crate) struct World {
    pub(crate) setup: Setup,
    pub(crate) address: SocketAddr,
    pub(crate) host: Arc<Host>,
    log: Arc<dyn EventLog>,
    master: JoinHandle<Result<Finished, MasterError>>,
    pub(crate) stop_master: watch::Sender<bool>,
    server: JoinHandle<Ended>,
    stop_server: watch::Sender<bool>,
    trace: PathBuf,
    file: Option<PathBuf>,
}

impl World {
    pub(crate) async fn new(scenario: &str) -> Self {
        Self::with(scenario, &[]).await
    }

    /// A world in which parts of the scenario are replaced.
    pub(crate) async fn with(scenario: &str, changes: &[(&str, &str)]) -> Self {
        Self::on(scenario, changes, Arc::new(MemoryLog::new()), None).await
    }

    /// A world with the server and the Game Master in one process, where the Game Master gets copies of the messages between
    /// players.
    pub(crate) async fn in_one_process(scenario: &str, changes: &[(&str, &str)]) -> Self {
        let file = scratch("log");
        Self::with_server(scenario, changes, open(&file), Some(file), true).await
    }

    /// A world with a log file, on which a Game Master can be restarted.
    pub(crate) async fn on_file(scenario: &str) -> Self {
        Self::on_file_with(scenario, &[]).await
    }

    pub(crate) async fn on_file_with(scenario: &str, changes: &[(&str, &str)]) -> Self {
        let file = scratch("log");
        Self::on(scenario, changes, open(&file), Some(file)).await
    }

    /// A world with this log.
    pub(crate) async fn on_log(scenario: &str, log: Arc<dyn EventLog>) -> Self {
        Self::on(scenario, &[], log, None).await
    }

    async fn on(scenario: &str, changes: &[(&str, &str)], log: Arc<dyn EventLog>, file: Option<PathBuf>) -> Self {
        Self::with_server(scenario, changes, log, file, false).await
    }

    async fn with_server(
        scenario: &str,
        changes: &[(&str, &str)],
        log: Arc<dyn EventLog>,
        file: Option<PathBuf>,
        is_local: bool,
    ) -> Self {
        let (at_server, at_master) = is_local.then(in_one_process).unzip();
        let mut text = scenario.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        let setup = Setup::new(&text).expect("a setup");
        let (address, server, stop_server) = serve((Ipv4Addr::LOCALHOST, 0).into(), at_server).await;
        let trace = scratch("txt");
        let (host, master, stop_master) = play(&setup, address, &log, &trace, at_master).await;
        Self { setup, address, host, log, master, stop_master, server, stop_server, trace, file }
    }

    /// The state of the game after the last durable entry.
    pub(crate) fn truth(&self) -> Game {
        self.host.handles::<Game>().pop().expect("one game").1.snapshot()
    }

    /// Waits until the game is in the wanted state.
    pub(crate) async fn until(&self, mut wanted: impl FnMut(&Game) -> bool) -> Game {
        let (_, handle) = self.host.handles::<Game>().pop().expect("one game");
        let found = handle.until(|game| wanted(game).then(|| game.clone()));
        timeout(LONG, found).await.expect("it comes").expect("the game")
    }

    /// Waits for a line in the Game Master's trace.
    pub(crate) async fn trace_has(&self, line: &str) {
        let looking = async {
            while !fs::read_to_string(&self.trace).expect("a trace file").contains(line) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if timeout(LONG, looking).await.is_err() {
            panic!("{line:?} is not in\n{}", fs::read_to_string(&self.trace).expect("a trace file"));
        }
    }

    /// A confirmed player with the hash of a number.
    pub(crate) async fn join(&self, hash: u32) -> Seat {
        // A player that comes back uses new ids for new requests.
        static COUNT: AtomicU32 = AtomicU32::new(100);
        loop {
            let mut wire = Wire::to(self.address).await;
            wire.say(&request(id(hash), "Player")).await;
            let answer = wire.next().await.expect("an answer");
            match answer.strip_prefix("Confirmation ") {
                Some(player) => {
                    return Seat {
                        wire,
                        id: player.parse().expect("an id"),
                        asked: 1000 * hash + 100 * COUNT.fetch_add(1, Ordering::Relaxed),
                    };
                }
                // Without a Game Master, the server refuses all players.
                None => assert!(answer.contains("Game Master") && answer.ends_with("try again later"), "{answer}"),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A player of Blue and a player of Red, in a running game.
    pub(crate) async fn begun(&self) -> [Seat; 2] {
        let (mut blue, mut red) = (self.join(1).await, self.join(2).await);
        blue.wire.ask(blue.id, 1, &team("Blue")).await;
        blue.wire.hears("Blue leader to #1").await;
        red.wire.ask(red.id, 2, &team("Red")).await;
        red.wire.hears("Red leader to #2").await;
        for seat in [&mut blue, &mut red] {
            let start = seat.wire.next().await.expect("the start");
            assert!(start.starts_with("Start 4 x 8, 1 Blue, 2 Red at ("), "{start}");
        }
        [blue, red]
    }

    /// Kills the Game Master, and starts another one on the same log.
    pub(crate) async fn begin_again(&mut self) {
        self.kill().await;
        self.reopen().await;
        (self.host, self.master, self.stop_master) =
            play(&self.setup, self.address, &self.log, &self.trace, None).await;
    }

    /// Kills the Game Master.
    pub(crate) async fn kill(&mut self) {
        if !self.master.is_finished() {
            self.master.abort();
            let _aborted = (&mut self.master).await;
        }
    }

    async fn reopen(&mut self) {
        self.host.stop().await.expect("the log closes");
        if let Some(file) = &self.file {
            self.log = open(file);
        }
    }

    /// Tries to start a Game Master on the same log with another setup or seed, and returns the error.
    pub(crate) async fn begin_otherwise(&mut self, setup: &Setup, seed: i64) -> MasterError {
        self.kill().await;
        self.reopen().await;
        self.host = host(&self.log).await;
        let options = MasterOptions { seed: Some(seed), ..options(self.address, &self.trace) };
        GameMaster::open(&self.host, setup, options).await.err().expect("it is refused")
    }

    /// Removes the mark of the end from the log.
    pub(crate) async fn unmark(&mut self) {
        self.host.stop().await.expect("the log closes");
        let file = rusqlite::Connection::open(self.file.as_ref().expect("a log on file")).expect("a file");
        let unmarked = file.execute("UPDATE games SET ended = NULL, outcome = NULL WHERE ended IS NOT NULL", ());
        assert_eq!(unmarked, Ok(1), "a game that is over");
    }

    /// Starts a Game Master that only sends the last result to players that wait for it.
    pub(crate) async fn tells_late(&mut self) -> Option<EndReason> {
        self.reopen().await;
        self.host = host(&self.log).await;
        let options = options(self.address, &self.trace);
        match GameMaster::tell_late(&self.host, &self.setup, options).await.expect("no failure")? {
            Finished::Over(outcome) => Some(outcome.reason),
            Finished::Stopped => None,
        }
    }

    /// Kills the server, and starts another one at the same address.
    pub(crate) async fn another_server(&mut self) {
        self.no_server().await;
        let address = self.address;
        (self.address, self.server, self.stop_server) = serve(address, None).await;
    }

    pub(crate) async fn no_server(&mut self) {
        if !self.server.is_finished() {
            self.server.abort();
            let _aborted = (&mut self.server).await;
        }
    }

    pub(crate) async fn master_ends(&mut self) -> Result<Finished, MasterError> {
        timeout(LONG, &mut self.master).await.expect("it ends").expect("without a panic")
    }

    pub(crate) async fn server_ends(&mut self) -> Ended {
        timeout(LONG, &mut self.server).await.expect("it ends").expect("without a panic")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.master.abort();
        self.server.abort();
        let _not_there = fs::remove_file(&self.trace);
        if let Some(file) = &self.file {
            for end in ["", "-wal", "-shm"] {
                let _not_there = fs::remove_file(format!("{}{end}", file.display()));
            }
        }
    }
}

/// A player on the wire.
pub(crate) struct Seat {
    pub(crate) wire: Wire,
    pub(crate) id: u32,
    /// The id of the last message.
    asked: u32,
}

impl Seat {
    /// Asks for an action, and returns the answer.
    pub(crate) async fn does(&mut self, words: &str) -> String {
        let message = self.asks(words).await;
        let answer = self.wire.next().await.expect("an answer");
        let context = format!(" to #{message}");
        answer.strip_suffix(&context).unwrap_or_else(|| panic!("{answer} is not{context}")).to_owned()
    }

    /// Asks for an action with a new id.
    pub(crate) async fn asks(&mut self, words: &str) -> u32 {
        self.asked += 1;
        self.wire.ask(self.id, self.asked, &action(words)).await;
        self.asked
    }

    pub(crate) fn pawn(&self, world: &World) -> Position {
        self.player(&world.truth()).position.expect("a pawn")
    }

    pub(crate) fn player<'g>(&self, game: &'g Game) -> &'g Player {
        game.all_players().iter().find(|player| player.id == self.id).expect("a player")
    }

    /// Goes to a tile, first up or down. No player may be in the way.
    pub(crate) async fn goes(&mut self, world: &World, to: Position) {
        loop {
            let at = self.pawn(world);
            let direction = match (to.x - at.x, to.y - at.y) {
                (0, 0) => return,
                (_, 1..) => Direction::Up,
                (_, ..=-1) => Direction::Down,
                (1.., 0) => Direction::Right,
                (..=-1, 0) => Direction::Left,
            };
            let words = format!("{direction}");
            let words = format!("{}{}", words[..1].to_uppercase(), &words[1..]);
            let moved = self.does(&format!("Move {words}")).await;
            assert!(moved.starts_with(&format!("Moved {}", at.toward(direction))), "{moved}");
        }
    }

    /// Picks up a piece: a sham if `sham` is set, otherwise a valid one.
    pub(crate) async fn fetches(&mut self, world: &World, sham: bool) {
        let truth = world.truth();
        let tasks: Vec<Position> = truth.ground().in_task_area().collect();
        let found = tasks.into_iter().find(|at| truth.ground().piece_at(*at).is_some_and(|piece| piece.sham == sham));
        self.goes(world, found.expect("such a piece")).await;
        assert_eq!(self.does("Pickup").await, "PickedUp true");
    }
}

/// The goals of a team that are not completed.
pub(crate) fn open_goals(game: &Game, team: Team) -> Vec<Position> {
    let mine: Vec<Position> = game.setup().goals_of(team).collect();
    mine.into_iter().filter(|goal| game.ground().goal_at(*goal) == Some(false)).collect()
}

fn scratch(ending: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("holdfast-gm-{}-{number}.{ending}", std::process::id()))
}

fn open(file: &Path) -> Arc<dyn EventLog> {
    Arc::new(SqliteLog::open(file, server::log::Options::default()).expect("a log"))
}

async fn serve(address: SocketAddr, local: Option<AtServer>) -> (SocketAddr, JoinHandle<Ended>, watch::Sender<bool>) {
    let listening = async {
        loop {
            match TcpListener::bind(address).await {
                Ok(listener) => return listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let listener = timeout(LONG, listening).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopping) = watch::channel(false);
    let limits = communication::Limits { farewell: Duration::from_millis(300), ..communication::Limits::default() };
    let (listeners, copies) = match local {
        None => (Listeners::from(listener), None),
        Some(AtServer { listener: local, copies }) => (Listeners::with_local(listener, local), Some(copies)),
    };
    let options = communication::Options { limits, copies, ..communication::Options::default() };
    (address, tokio::spawn(communication::serve(listeners, options, TraceFile::off(), stopping)), stop)
}

/// The server's ends of the channels to a Game Master in the same process.
struct AtServer {
    listener: LocalListener,
    copies: mpsc::Sender<Box<[u8]>>,
}

/// The Game Master's ends.
struct AtMaster {
    connector: LocalConnector,
    copied: mpsc::Receiver<Box<[u8]>>,
}

fn in_one_process() -> (AtServer, AtMaster) {
    let ((connector, listener), (copies, copied)) = (project::local(), mpsc::channel(64));
    (AtServer { listener, copies }, AtMaster { connector, copied })
}

async fn play(
    setup: &Setup,
    server: SocketAddr,
    log: &Arc<dyn EventLog>,
    trace: &Path,
    local: Option<AtMaster>,
) -> (Arc<Host>, JoinHandle<Result<Finished, MasterError>>, watch::Sender<bool>) {
    let host = host(log).await;
    let mut master = GameMaster::open(&host, setup, options(server, trace)).await.expect("a Game Master");
    if let Some(AtMaster { connector, copied }) = local {
        master.connect_locally(connector);
        master.overhear(copied);
    }
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn(master.run(stopping));
    (host, running, stop)
}

fn options(server: SocketAddr, trace: &Path) -> MasterOptions {
    let trace = TraceFile::open(Arc::new(RealWorld), trace, TraceFile::MAX_BYTES).expect("a trace file");
    MasterOptions { server, hash: None, seed: Some(5), trace }
}

async fn host(log: &Arc<dyn EventLog>) -> Arc<Host> {
    let host = Host::open(Options {
        one_game: true,
        shows_all: vec![<Game as engine::Rulebook>::NAME],
        limits: Limits { store_patience: STORE_PATIENCE, ..Limits::default() },
        ..Options::new(GameTable::new(RULEBOOKS.to_vec()), log.clone(), Logger::root(Discard, o!()))
    });
    host.await.expect("a host")
}
