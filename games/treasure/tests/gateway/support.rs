//! A host on a port, halves as pictures, and players with short methods.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    ops::Deref,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use server::{
    Erased, GameTable, Host, Options,
    log::{EventLog, MemoryLog, SqliteLog},
};
use slog::{Discard, Logger, o};
use testkit::{Request, Response};
use tokio::{sync::watch, time::timeout};
use treasure::{
    Dummy, ServedProfile, Treasure, TreasureGateway, TreasureOptions,
    documents::y2022::{
        answer::{Answer, GameIdentifier},
        request::{HalfMap, HalfNode, Move, Registration},
        state::GameState,
    },
};
use treasure_rules::{Direction, Terrain};

/// A timeout that only a hanging test reaches.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// A half that keeps all rules: 38 grass with the fort at (1, 1), 5 mountains, 7 water.
pub(crate) const HALF: [&str; 5] = ["GGGGMMGGGG", "GFGWWWGMGG", "GGGGWGGGMG", "GWWGGGGWGG", "GGGGMGGGGG"];

/// The half of the protocol's own example: the fort is in column 6 of row 1.
pub(crate) const HALF_2017: &str = "0101020301040201010201030201020301020101020203030102010201010101";

/// How a port answers.
pub(crate) struct Plan {
    pub(crate) polling_delay: bool,
    pub(crate) profile: ServedProfile,
    pub(crate) shuffle_nodes: bool,
}

/// A host with the port of the treasure game.
pub(crate) struct Served {
    pub(crate) host: Arc<Host>,
    pub(crate) address: SocketAddr,
    pub(crate) dummies: Arc<Mutex<Vec<Dummy>>>,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<()>,
}

impl Served {
    pub(crate) async fn new() -> Self {
        Self::on(Arc::new(MemoryLog::new()), false).await
    }

    /// A host that delays status requests that come too soon.
    pub(crate) async fn strict() -> Self {
        Self::on(Arc::new(MemoryLog::new()), true).await
    }

    pub(crate) async fn on(log: Arc<dyn EventLog>, polling_delay: bool) -> Self {
        Self::open(options(log), polling_delay).await
    }

    pub(crate) async fn open(options: Options, polling_delay: bool) -> Self {
        Self::with(options, Plan { polling_delay, profile: ServedProfile::default(), shuffle_nodes: false }).await
    }

    pub(crate) async fn with(options: Options, plan: Plan) -> Self {
        let Plan { polling_delay, profile, shuffle_nodes } = plan;
        let host = Host::open(options).await.expect("a host");
        let dummies: Arc<Mutex<Vec<Dummy>>> = Arc::default();
        let called = dummies.clone();
        let dummy = Box::new(move |dummy| called.lock().expect("no thread panicked").push(dummy));
        let options = TreasureOptions { dummy, polling_delay, profile, shuffle_nodes };
        let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let gateway = TreasureGateway::bind(address, &host, options).await.expect("a port");
        let address = gateway.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        let serving = tokio::spawn(gateway.serve(stopped));
        Self { host, address, dummies, stop, serving }
    }

    pub(crate) async fn stop(self) {
        timeout(LONG, self.host.stop()).await.expect("a host stops soon").expect("the log closes");
        self.stop.send_replace(true);
        timeout(LONG, self.serving).await.expect("its port closes").expect("without a panic");
    }

    /// Sends a request and returns the whole answer.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let xml = "application/xml";
        self.send(Request::new(method, path).header("Content-Type", xml).header("Accept", xml).body(body)).await
    }

    pub(crate) async fn send(&self, request: Request) -> Reply {
        Reply(request.send(self.address).await)
    }

    /// Creates a game and returns its id.
    pub(crate) async fn create(&self, query: &str) -> String {
        let reply = self.ask("GET", &format!("/games{query}"), "").await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        GameIdentifier::read(reply.body.as_bytes()).expect("an id").0
    }

    pub(crate) async fn register(&self, game: &str, account: &str) -> Player {
        let reply = self.try_register(game, account).await;
        let Answer::Player(id) = reply.answer() else { panic!("{}", reply.body) };
        Player { game: game.into(), id }
    }

    /// The answer to a registration, which may be refused.
    pub(crate) async fn try_register(&self, game: &str, account: &str) -> Reply {
        let registration =
            Registration { first_name: "Ana".into(), last_name: account.to_uppercase(), account: account.into() };
        self.ask("POST", &format!("/games/{game}/players"), &registration.write()).await
    }

    /// Creates a game and registers two players. Returns the player who begins first.
    pub(crate) async fn two(&self, query: &str) -> (Player, Player) {
        let game = self.create(query).await;
        let (ana, bo) = (self.register(&game, "ana").await, self.register(&game, "bo").await);
        if ana.must_act(self).await { (ana, bo) } else { (bo, ana) }
    }

    /// Creates a game with a complete map. Returns the player whose turn it is first.
    pub(crate) async fn map(&self, query: &str) -> (Player, Player) {
        let (first, second) = self.two(query).await;
        assert_eq!(first.half(self, &HALF).await, "");
        assert_eq!(second.half(self, &HALF).await, "");
        (first, second)
    }
}

pub(crate) fn options(log: Arc<dyn EventLog>) -> Options {
    Options::new(GameTable::new(vec![&Erased::<Treasure>::NEW]), log, Logger::root(Discard, o!()))
}

/// An HTTP response whose body is a document of the game.
#[derive(Debug)]
pub(crate) struct Reply(Response);

impl Deref for Reply {
    type Target = Response;

    fn deref(&self) -> &Response {
        &self.0
    }
}

impl Reply {
    pub(crate) fn answer(&self) -> Answer {
        assert_eq!(self.status, 200, "{}", self.body);
        Answer::read(self.body.as_bytes()).unwrap_or_else(|problem| panic!("{problem}: {}", self.body))
    }

    /// `""` for an accepted request, otherwise the name of the rule and the words.
    pub(crate) fn outcome(&self) -> String {
        match self.answer() {
            Answer::Okay => String::new(),
            Answer::Error { name, message } => format!("{name}: {message}"),
            Answer::Player(_) | Answer::State(_) => panic!("{}", self.body),
        }
    }
}

/// A player of 2022.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) game: String,
    pub(crate) id: String,
}

impl Player {
    pub(crate) async fn state(&self, served: &Served) -> GameState {
        let reply = served.ask("GET", &format!("/games/{}/states/{}", self.game, self.id), "").await;
        let Answer::State(state) = reply.answer() else { panic!("{}", reply.body) };
        state
    }

    pub(crate) async fn standing(&self, served: &Served) -> String {
        let state = self.state(served).await;
        state.players.iter().find(|player| player.id == self.id).expect("oneself").standing.to_string()
    }

    pub(crate) async fn must_act(&self, served: &Served) -> bool {
        self.standing(served).await == "MustAct"
    }

    pub(crate) async fn half(&self, served: &Served, rows: &[&str]) -> String {
        let body = self.half_document(rows);
        served.ask("POST", &format!("/games/{}/halfmaps", self.game), &body).await.outcome()
    }

    pub(crate) fn half_document(&self, rows: &[&str]) -> String {
        HalfMap { player: self.id.clone(), nodes: nodes(rows) }.write()
    }

    pub(crate) async fn go(&self, served: &Served, direction: Direction) -> String {
        let body = Move { player: self.id.clone(), direction }.write();
        served.ask("POST", &format!("/games/{}/moves", self.game), &body).await.outcome()
    }
}

/// G grass, M mountain, W water, F a fort on grass.
pub(crate) fn nodes(rows: &[&str]) -> Vec<HalfNode> {
    let mut nodes = Vec::new();
    for (row, y) in rows.iter().zip(0..) {
        for (letter, x) in row.chars().zip(0..) {
            let terrain = match letter {
                'M' => Terrain::Mountain,
                'W' => Terrain::Water,
                _ => Terrain::Grass,
            };
            nodes.push(HalfNode { x, y, fort: letter == 'F', terrain });
        }
    }
    nodes
}

/// A folder that is removed when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("holdfast-treasure-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("games.db")
    }

    pub(crate) fn log(&self) -> Arc<SqliteLog> {
        Arc::new(SqliteLog::open(&self.file(), Default::default()).expect("a log"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}
