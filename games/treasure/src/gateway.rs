//! The port of the treasure game, with both protocols side by side. `y2022` and `y2017` answer requests; `games` finds the
//! games, `scenarios` has the profile of new ones, `owners` the games that another host plays, and `meeting` what several hosts agree on.

mod games;
mod meeting;
mod owners;
mod result;
mod scenarios;
pub(crate) mod status;
mod y2017;
mod y2022;

use std::{error::Error, fmt, io, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use commlib::{Reason, Refused};
use engine::{CommId, Emission, Rulebook};
use server::{
    Committed, GameHandle, Host, Http, RulebookPort, ServerTls,
    body::{self, BodyError},
    log::StoreError,
};
use tokio::sync::{Mutex, watch};
use treasure_rules::{Command, Game, Refusal};

use self::games::KnownGames;
pub use self::{result::GameResult, scenarios::ServedProfile};

/// The longest body of a request.
const LONGEST_BODY: usize = crate::documents::LONGEST;

/// The answer to unknown paths.
const ENDPOINTS: &str = "There is nothing here. The endpoints are:
  GET, POST /games[?enableDebugMode=true&enableDummyCompetition=true]   creates a game
  POST      /games/GAME/players                                         registers a player
  POST      /games/GAME/halfmaps                                        takes a player's half of the map
  POST      /games/GAME/moves                                           takes a player's move
  GET       /games/GAME/states/PLAYER                                   the state of the game for a player
  GET       /games/GAME/result                                          how many players there are, and who has won (JSON)
and for the protocol of 2017:
  POST      /NewPlayer, /MapCreation, /Updates, /Problem
";

/// A request for a dummy opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dummy {
    /// The id of the game to play in.
    pub game: String,
    /// The id under which the dummy played before the host was restarted.
    pub player: Option<String>,
}

/// The account of dummies. The host recognizes them by it after a restart.
pub const DUMMY_ACCOUNT: &str = "dummy";

/// The options of a gateway.
pub struct TreasureOptions {
    /// Starts a dummy. Must not block.
    pub dummy: Box<dyn Fn(Dummy) + Send + Sync>,
    /// Whether status requests that come too soon are delayed. Only benchmarks turn this off.
    pub polling_delay: bool,
    /// The profile of new games.
    pub profile: ServedProfile,
    /// Whether the nodes of a state come in another order each time, to find clients that rely on it.
    pub shuffle_nodes: bool,
}

impl fmt::Debug for TreasureOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreasureOptions").field("polling_delay", &self.polling_delay).finish_non_exhaustive()
    }
}

/// The port of the treasure game.
pub struct TreasureGateway {
    http: Http,
    treasure: Arc<Treasure>,
}

impl fmt::Debug for TreasureGateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreasureGateway").field("http", &self.http).finish_non_exhaustive()
    }
}

/// The state that all requests share.
struct Treasure {
    games: KnownGames,
    options: TreasureOptions,
    /// Held while a player of 2017 gets a game, so that two registrations do not create two games.
    pairing: Mutex<()>,
    /// A game of 2017 that this host created for a player who then got another one.
    spare: Mutex<Option<Arc<games::KnownGame>>>,
    /// Held while the games of all hosts are searched for a player of 2017.
    searching: Mutex<()>,
    held: y2017::Held,
}

impl Treasure {
    /// Finds the games of the host.
    async fn open(host: &Arc<Host>, options: TreasureOptions) -> Result<Arc<Self>, GatewayError> {
        let games = KnownGames::open(host.clone()).await?;
        Ok(Arc::new(Self {
            games,
            options,
            pairing: Mutex::default(),
            spare: Mutex::default(),
            searching: Mutex::default(),
            held: y2017::Held::default(),
        }))
    }
}

/// The reasons why the port cannot be opened.
#[derive(Debug)]
pub enum GatewayError {
    /// The address is in use, or does not belong to this machine.
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        cause: io::Error,
    },
    /// The games in the log cannot be read.
    Log(StoreError),
}

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, cause } => write!(f, "cannot listen on {address}: {cause}"),
            Self::Log(error) => error.fmt(f),
        }
    }
}

impl Error for GatewayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Listen { cause, .. } => Some(cause),
            Self::Log(error) => Some(error),
        }
    }
}

impl TreasureGateway {
    /// Opens the port, and finds the games of the host.
    ///
    /// # Errors
    ///
    /// The port cannot be opened, or the log cannot be read.
    pub async fn bind(address: SocketAddr, host: &Arc<Host>, options: TreasureOptions) -> Result<Self, GatewayError> {
        let bound = Http::bind(address).await;
        let http = bound.map_err(|cause| GatewayError::Listen { address, cause })?;
        let treasure = Treasure::open(host, options).await?;
        if let Ok(address) = http.local_addr() {
            host.opened_port(Game::NAME, address);
        }
        Ok(Self { http, treasure })
    }

    /// Encrypts all connections with this certificate, if there is one.
    #[must_use]
    pub fn with_tls(self, tls: Option<ServerTls>) -> Self {
        Self { http: self.http.with_tls(tls), ..self }
    }

    /// The routes of the port, for a server of streams that another part of the program accepts.
    ///
    /// # Errors
    ///
    /// The log cannot be read.
    pub async fn routes(host: &Arc<Host>, options: TreasureOptions) -> Result<RulebookPort, GatewayError> {
        Ok(port(Treasure::open(host, options).await?))
    }

    /// The address of the port.
    ///
    /// # Errors
    ///
    /// The system does not report the address.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.http.local_addr()
    }

    /// Answers requests until `stop` becomes true.
    pub async fn serve(self, stop: watch::Receiver<bool>) {
        let Self { http, treasure } = self;
        y2022::call_dummies(&treasure);
        let host = treasure.games.host().clone();
        http.answer(&host, port(treasure), stop).await;
    }
}

fn port(treasure: Arc<Treasure>) -> RulebookPort {
    let games = Arc::new(owners::Owners(treasure.clone()));
    let for_hosts = Router::new().route(meeting::REMOVAL, post(meeting::remove)).with_state(treasure.clone());
    RulebookPort { rulebook: Game::NAME, router: router(treasure), for_hosts, games }
}

fn router(treasure: Arc<Treasure>) -> Router {
    Router::new()
        .route("/games", get(y2022::create).post(y2022::create).head(refuse_head))
        .route("/games/", get(y2022::create).post(y2022::create).head(refuse_head))
        .route("/games/{game}/players", post(y2022::register))
        .route("/games/{game}/halfmaps", post(y2022::send_half))
        .route("/games/{game}/moves", post(y2022::make_move))
        .route("/games/{game}/states/{player}", get(y2022::status))
        .route("/games/{game}/result", get(result::tell))
        .route("/NewPlayer", post(y2017::new_player))
        .route("/MapCreation", post(y2017::new_map))
        .route("/Updates", post(y2017::update))
        .route("/Update", post(y2017::update))
        .route("/Problem", post(y2017::trouble))
        .fallback(|| async { (StatusCode::NOT_FOUND, ENDPOINTS) })
        .method_not_allowed_fallback(|| async { (StatusCode::METHOD_NOT_ALLOWED, ENDPOINTS) })
        .with_state(treasure)
}

/// A HEAD request creates no game.
async fn refuse_head() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}

/// An XML answer, regardless of the `Accept` header.
fn xml(body: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/xml"), (header::CACHE_CONTROL, "no-store")], body.into()).into_response()
}

/// Reads the document of a request, and returns it in UTF-8.
async fn read_document(headers: &HeaderMap, body: axum::body::Body) -> Result<Vec<u8>, RequestError> {
    let encoding = headers.get(header::CONTENT_ENCODING).filter(|encoding| *encoding != "identity");
    if let Some(encoding) = encoding {
        let encoding: String = String::from_utf8_lossy(encoding.as_bytes()).chars().take(40).collect();
        let words = format!("The Content-Encoding {encoding:?} is not supported; send the document as it is.");
        return Err(RequestError::new("ContentEncoding", words));
    }
    let bytes = body::read(body, LONGEST_BODY).await?;
    let document = xml::to_utf8(&bytes).map_err(|problem| RequestError::new("Unreadable", problem.to_string()))?;
    Ok(document.into_owned())
}

/// The name of a temporary error while the server is away. A client that retries has missed nothing.
const STOPPING: &str = "ServerStops";

/// The error answer of a request: a name for programs, and words for people.
struct RequestError {
    name: &'static str,
    words: String,
}

impl RequestError {
    fn new(name: &'static str, words: impl Into<String>) -> Self {
        Self { name, words: words.into() }
    }
}

impl From<&Refusal> for RequestError {
    fn from(refusal: &Refusal) -> Self {
        Self::new(refusal.name(), refusal.to_string())
    }
}

impl From<BodyError> for RequestError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLong => Self::new(
                "TooLarge",
                format!("The request has more than {LONGEST_BODY} bytes; no valid request is so long."),
            ),
            BodyError::TooSlow => Self::new("TooSlow", "The request took too long to arrive; send it in one go."),
            BodyError::Gone => Self::new("BrokenOff", "The request ended too early."),
        }
    }
}

impl From<Refused> for RequestError {
    fn from(refused: Refused) -> Self {
        let name = if refused.reason == Reason::GameOver {
            "GameOver"
        } else if refused.reason == Reason::UnknownGame {
            "UnknownGame"
        } else if matches!(refused.reason, Reason::ShuttingDown | Reason::StoreUnavailable) {
            STOPPING
        } else {
            "ServerFault"
        };
        Self::new(name, refused.message)
    }
}

/// Runs a future to its end, even if the client disconnects.
async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Refused> {
    tokio::spawn(work).await.map_err(|_| Refused::new(Reason::Internal, "The request failed."))
}

/// Logs an unreadable message, so that its sender can find it after the game. Finished games log no messages, and each player
/// has a limit, so that a client cannot fill the log.
async fn note(handle: &GameHandle<Game>, client: CommId, problem: &str) {
    if handle.look(|last| last.game.takes_notes_of(client)) {
        let _noted = handle.submit(client, Command::garbled(problem)).await;
    }
}

/// The refusal among the events of an entry.
fn refusal(entry: &Committed<Game>) -> Option<&Refusal> {
    entry.emissions.iter().find_map(|emission| match emission {
        Emission::Event { event, .. } => event.problem(),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    })
}
