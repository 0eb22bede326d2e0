//! The ports of the treasure game: both protocol years side by side. `y2022` and `y2017` answer; `tables` has the games.

mod status;
mod tables;
mod y2017;
mod y2022;

use std::{fmt, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use commlib::{Reason, Refused};
use engine::{CommId, Emission, Rulebook};
use server::{Committed, GameHandle, Host, Http, body::BodyError};
use tokio::sync::{Mutex, watch};
use treasure_rules::{Command, Game, Refusal};

use self::tables::Tables;

/// More than any request needs: fifty nodes are less than 10 kB.
const LONGEST_BODY: usize = 256 * 1024;

/// What there is, for whoever asks for something else.
const ENDPOINTS: &str = "There is nothing here. What there is:
  GET, POST /games[?enableDebugMode=true&enableDummyCompetition=true]   a new game
  POST      /games/GAME/players                                         a player registers
  POST      /games/GAME/halfmaps                                        a player sends its half of the map
  POST      /games/GAME/moves                                           a player moves
  GET       /games/GAME/states/PLAYER                                   how the game stands for a player
and of the protocol of 2017:
  POST      /NewPlayer, /MapCreation, /Updates, /Problem
";

/// Somebody is wanted who plays at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dummy {
    pub game: String,
    /// The id under which it played before the host was restarted.
    pub player: Option<String>,
}

/// The account of dummies, by which they are known again.
pub const DUMMY_ACCOUNT: &str = "dummy";

/// What a gateway is made with.
pub struct TreasureOptions {
    /// Starts a client that plays at random; must not wait itself.
    pub dummy: Box<dyn Fn(Dummy) + Send + Sync>,
    /// Whether status requests that come too soon wait. Only a benchmark says no.
    pub polling_delay: bool,
}

impl fmt::Debug for TreasureOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreasureOptions").field("polling_delay", &self.polling_delay).finish_non_exhaustive()
    }
}

/// A port on which the treasure game is played.
pub struct TreasureGateway {
    http: Http,
    treasure: Arc<Treasure>,
}

impl fmt::Debug for TreasureGateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreasureGateway").field("http", &self.http).finish_non_exhaustive()
    }
}

/// What requests are answered with.
struct Treasure {
    tables: Tables,
    options: TreasureOptions,
    /// Whoever looks for a game of 2017 or makes one: one at a time.
    pairing: Mutex<()>,
    held: y2017::Held,
}

impl TreasureGateway {
    /// Listens, and knows the games that the host has.
    pub async fn bind(address: SocketAddr, host: &Arc<Host>, options: TreasureOptions) -> Result<Self, String> {
        let http = Http::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
        let tables = Tables::open(host.clone()).await?;
        let (pairing, held) = (Mutex::default(), y2017::Held::default());
        if let Ok(address) = http.local_addr() {
            host.opened_port(Game::NAME, address);
        }
        Ok(Self { http, treasure: Arc::new(Treasure { tables, options, pairing, held }) })
    }

    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.http.local_addr()
    }

    /// Answers until `stop` becomes true.
    pub async fn serve(self, stop: watch::Receiver<bool>) {
        let Self { http, treasure } = self;
        y2022::call_dummies(&treasure);
        let host = treasure.tables.host().clone();
        http.answer(&host, router(treasure), stop).await;
    }
}

fn router(treasure: Arc<Treasure>) -> Router {
    Router::new()
        .route("/games", get(y2022::create).post(y2022::create).head(only_looks))
        .route("/games/", get(y2022::create).post(y2022::create).head(only_looks))
        .route("/games/{game}/players", post(y2022::register))
        .route("/games/{game}/halfmaps", post(y2022::send_half))
        .route("/games/{game}/moves", post(y2022::make_move))
        .route("/games/{game}/states/{player}", get(y2022::status))
        .route("/NewPlayer", post(y2017::new_player))
        .route("/MapCreation", post(y2017::new_map))
        .route("/Updates", post(y2017::update))
        .route("/Update", post(y2017::update))
        .route("/Problem", post(y2017::trouble))
        .fallback(|| async { (StatusCode::NOT_FOUND, ENDPOINTS) })
        .method_not_allowed_fallback(|| async { (StatusCode::METHOD_NOT_ALLOWED, ENDPOINTS) })
        .with_state(treasure)
}

/// Whoever asks for a head alone makes no game.
async fn only_looks() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}

/// XML, whatever somebody says to accept.
fn xml(body: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/xml"), (header::CACHE_CONTROL, "no-store")], body.into()).into_response()
}

/// The name of a trouble that ends when the server is back: who asks again then has missed nothing.
const STOPPING: &str = "ServerStops";

/// What is wrong with something that came to nothing: a name for programs, and words for people.
struct Trouble {
    name: &'static str,
    words: String,
}

impl Trouble {
    fn new(name: &'static str, words: impl Into<String>) -> Self {
        Self { name, words: words.into() }
    }
}

impl From<&Refusal> for Trouble {
    fn from(refusal: &Refusal) -> Self {
        Self::new(refusal.name(), refusal.to_string())
    }
}

impl From<BodyError> for Trouble {
    fn from(no_body: BodyError) -> Self {
        match no_body {
            BodyError::TooLong => Self::new(
                "TooLarge",
                format!("The request has more than {LONGEST_BODY} bytes; no message needs so many."),
            ),
            BodyError::TooSlow => Self::new("TooSlow", "The request took too long; send it in one go."),
            BodyError::Gone => Self::new("BrokenOff", "The request broke off."),
        }
    }
}

impl From<Refused> for Trouble {
    fn from(refused: Refused) -> Self {
        let name = if refused.reason == Reason::GameOver {
            "GameOver"
        } else if refused.reason == Reason::ShuttingDown {
            STOPPING
        } else {
            "ServerFault"
        };
        Self::new(name, refused.message)
    }
}

/// Does something to its end, also when whoever asked for it is gone meanwhile.
async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Refused> {
    tokio::spawn(work).await.map_err(|_| Refused::new(Reason::Internal, "The request could not be done."))
}

/// Notes what cannot be read, for whoever sent it to find after the game. A game that is over takes no notes, and none takes more
/// than it shows: nobody fills the log with them.
async fn note(handle: &GameHandle<Game>, client: CommId, problem: &str) {
    if handle.look(|last| last.game.takes_notes_of(client)) {
        let _noted = handle.submit(client, Command::garbled(problem)).await;
    }
}

/// Why a command came to nothing, by the events of its entry.
fn refusal(entry: &Committed<Game>) -> Option<&Refusal> {
    entry.emissions.iter().find_map(|emission| match emission {
        Emission::Event { event, .. } => event.problem(),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    })
}
