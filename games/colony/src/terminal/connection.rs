//! A place in a game on a server. If the connection is lost, the place is resumed on a new one.

use std::{error::Error, fmt, time::Duration};

use cli::tls::account_token;
use clients::{notices::notice_lines, seats::Seat};
use colony_rules::{Command, Edition, Event};
use commlib::{
    ClientConnection, ClientError, ClientTls, Create, Form, GameInfo, Hello, Notice, NumberedEvent, PROTOCOL, Reason,
    ServerAddress, ToClient, Want,
};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{News, Said};

type Server = ClientConnection<Command, Event>;

/// The silence after which the server gets a ping, and after which the connection counts as lost.
const PULSE: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
/// The longest time for the server to grant a place.
const ENTRY: Duration = Duration::from_secs(10);
/// The pause between two attempts to connect.
const RETRY: Duration = Duration::from_millis(500);

/// The game that a person wants to join.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// A new game.
    New(Create),
    /// An existing game.
    Game {
        /// Its name; `None`: the only game of the server.
        game: Option<String>,
        /// The seat of a fork to claim.
        seat: Option<u16>,
    },
}

/// A place in a game.
#[derive(Debug)]
pub(crate) struct Place {
    seat: Seat,
    tls: Option<ClientTls>,
    server: Server,
    edition: Option<Edition>,
    /// The number of the last event.
    seen: u64,
    registered: bool,
    /// Whether to ask for presence and chat.
    wants_notices: bool,
}

impl Place {
    /// Joins a game for the first time.
    ///
    /// # Errors
    /// If the server cannot be reached, does not answer in time, or grants no place.
    pub(crate) async fn enter(
        address: &str,
        tls: Option<ClientTls>,
        wanted: Wanted,
        name: &str,
    ) -> Result<Self, EnterError> {
        within_limit(address, Self::try_enter(address, tls, wanted, name)).await
    }

    /// Resumes a saved seat. All events are sent again from the beginning.
    ///
    /// # Errors
    /// If the server cannot be reached, does not answer in time, or does not have the seat.
    pub(crate) async fn resume(seat: Seat, tls: Option<ClientTls>) -> Result<Self, EnterError> {
        let address = seat.address.clone();
        within_limit(&address, Self::try_resume(seat, tls)).await
    }

    /// The seat, with everything that is needed to resume it.
    pub(crate) fn seat(&self) -> &Seat {
        &self.seat
    }

    async fn try_enter(address: &str, tls: Option<ClientTls>, wanted: Wanted, name: &str) -> Result<Self, EnterError> {
        let problem = |error| EnterError::Client { address: address.into(), error };
        let mut server = connect(address, &tls).await.map_err(problem)?;
        let (want, game) = match wanted {
            Wanted::New(create) => (Want::Create(create), None),
            Wanted::Game { game: Some(game), seat } => (Want::Join { seat }, Some(game)),
            Wanted::Game { game: None, seat } => {
                let games = server.games().await.map_err(problem)?;
                let [only] = games.as_slice() else { return Err(EnterError::NotOneGame(games)) };
                (Want::Join { seat }, Some(only.game.clone()))
            }
        };
        let hello = Hello { protocol: PROTOCOL, want, game, board: true };
        let welcome = server.hello(hello).await.map_err(problem)?;
        let (Some(client), Some(token)) = (welcome.client, welcome.token) else {
            return Err(EnterError::NoPlace);
        };
        let seat = Seat { address: address.into(), game: welcome.game, client, name: name.into(), token };
        Ok(Self {
            seat,
            tls,
            server,
            edition: welcome.edition.parse().ok(),
            seen: 0,
            registered: false,
            wants_notices: true,
        })
    }

    async fn try_resume(seat: Seat, tls: Option<ClientTls>) -> Result<Self, EnterError> {
        let problem = |error| EnterError::Client { address: seat.address.clone(), error };
        let mut server = connect(&seat.address, &tls).await.map_err(problem)?;
        let welcome = server.hello(again(&seat, 0)).await.map_err(problem)?;
        Ok(Self {
            seat,
            tls,
            server,
            edition: welcome.edition.parse().ok(),
            seen: 0,
            registered: false,
            wants_notices: true,
        })
    }

    /// Resumes the place on a new connection.
    async fn reconnect(&mut self) -> Result<(), ClientError> {
        let mut server = connect(&self.seat.address, &self.tls).await?;
        server.hello(again(&self.seat, self.seen)).await?;
        self.server = server;
        Ok(())
    }
}

async fn connect(address: &str, tls: &Option<ClientTls>) -> Result<Server, ClientError> {
    let server = ServerAddress { address: address.into(), tls: tls.clone(), account: account_token() };
    Server::connect(server, Form::Binary).await
}

async fn within_limit(
    address: &str,
    entry: impl Future<Output = Result<Place, EnterError>>,
) -> Result<Place, EnterError> {
    timeout(ENTRY, entry).await.unwrap_or_else(|_| Err(EnterError::NoAnswer { address: address.into() }))
}

fn again(seat: &Seat, seen: u64) -> Hello {
    let want = Want::Resume { token: seat.token, seen };
    Hello { protocol: PROTOCOL, want, game: Some(seat.game.clone()), board: true }
}

/// Why a person got no place in a game.
#[derive(Debug)]
pub(crate) enum EnterError {
    /// The connection failed, or the server refused.
    Client {
        /// The address of the server.
        address: String,
        /// The error of the connection.
        error: ClientError,
    },
    /// The command line names no game, and the server does not have exactly one. These are its games.
    NotOneGame(Vec<GameInfo>),
    /// The server grants no place in this game.
    NoPlace,
    /// The server did not answer in time.
    NoAnswer {
        /// The address of the server.
        address: String,
    },
}

impl fmt::Display for EnterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client { address, error } => write!(f, "{address}: {error}"),
            Self::NotOneGame(games) if games.is_empty() => f.write_str("there is no game; --new SCENARIO creates one"),
            Self::NotOneGame(games) => {
                f.write_str("there are several games; --game ID chooses one:")?;
                games.iter().try_for_each(|GameInfo { game, edition, status, players, .. }| {
                    write!(f, "\n  {game} ({edition}, {status}): {}", players.join(", "))
                })
            }
            Self::NoPlace => f.write_str("the server gives no place in this game"),
            Self::NoAnswer { address } => write!(f, "{address}: no answer"),
        }
    }
}

impl Error for EnterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Client { error, .. } => Some(error),
            Self::NotOneGame(_) | Self::NoPlace | Self::NoAnswer { .. } => None,
        }
    }
}

/// Forwards the events of a place to `news` and the `commands` to the server, over as many connections as necessary. Returns
/// when the game sends nothing more, or when `news` is closed.
pub(crate) async fn keep_up(mut place: Place, mut commands: UnboundedReceiver<Said>, news: UnboundedSender<News>) {
    let entered = News::Entered { game: place.seat.game.clone(), edition: place.edition };
    if news.send(entered).is_err() {
        return;
    }
    loop {
        let why = match listen(&mut place, &mut commands, &news).await {
            Stop::Lost(why) => why,
            Stop::Ended { why, for_good } => {
                let _receiver_is_gone = news.send(News::Ended { why, for_good });
                return;
            }
            Stop::ReceiverGone => return,
        };
        if news.send(News::Lost(why)).is_err() {
            return;
        }
        loop {
            match timeout(ENTRY, place.reconnect()).await {
                Ok(Ok(())) => break,
                Ok(Err(ClientError::Refused(refused) | ClientError::Closing(refused))) if is_final(refused.reason) => {
                    let for_good = refused.reason == Reason::GameOver;
                    let _receiver_is_gone = news.send(News::Ended { why: refused.message, for_good });
                    return;
                }
                Ok(Err(_)) | Err(_) if news.is_closed() => return,
                Ok(Err(_)) | Err(_) => sleep(RETRY).await,
            }
        }
        // The server may or may not have accepted a command from the old connection. The next events show it, so the command is
        // not repeated.
        while commands.try_recv().is_ok() {}
    }
}

/// Whether another attempt would fail too.
fn is_final(reason: Reason) -> bool {
    match reason {
        Reason::WrongProtocol
        | Reason::UnknownGame
        | Reason::UnknownToken
        | Reason::GameOver
        | Reason::Replaced
        | Reason::AccountRequired
        | Reason::NameTaken
        | Reason::Denied => true,
        Reason::BadMessage
        | Reason::Full
        | Reason::BadScenario
        | Reason::TooLarge
        | Reason::TooSlow
        | Reason::TooFast
        | Reason::TooMany
        | Reason::Timeout
        | Reason::ShuttingDown
        | Reason::StoreFailed
        | Reason::StoreUnavailable
        | Reason::Damaged
        | Reason::Internal => false,
    }
}

/// Why the client stops using a connection.
enum Stop {
    Lost(String),
    /// The server sends nothing more. `for_good`: the seat cannot be resumed either.
    Ended {
        why: String,
        for_good: bool,
    },
    /// The person has quit.
    ReceiverGone,
}

impl From<ClientError> for Stop {
    fn from(error: ClientError) -> Self {
        Self::Lost(error.to_string())
    }
}

/// The number of the ping whose pong follows all earlier events, and the number of pings that only keep the connection alive.
const CAUGHT_UP: u64 = 1;
const ALIVE: u64 = 2;

async fn listen(place: &mut Place, commands: &mut UnboundedReceiver<Said>, news: &UnboundedSender<News>) -> Stop {
    match try_listen(place, commands, news).await {
        Err(stop) => stop,
        Ok(never) => match never {},
    }
}

async fn try_listen(
    place: &mut Place,
    commands: &mut UnboundedReceiver<Said>,
    news: &UnboundedSender<News>,
) -> Result<std::convert::Infallible, Stop> {
    let say = |item| news.send(item).map_err(|_| Stop::ReceiverGone);
    if place.wants_notices {
        place.server.ask_notices(true).await?;
    }
    let mut has_notices = false;
    place.server.ping(CAUGHT_UP).await?;
    let mut heard = Instant::now();
    let mut pulse = heard + PULSE;
    let mut asked = false;
    loop {
        let message = tokio::select! {
            message = place.server.next() => message?,
            command = commands.recv() => {
                match command.ok_or(Stop::ReceiverGone)? {
                    Said::Command(command) => place.server.send(&command).await?,
                    Said::Chat(text) if has_notices => place.server.chat(&text).await?,
                    Said::Chat(_) => say(News::Notice(vec!["This server has no chat.".into()]))?,
                }
                continue;
            }
            () = sleep_until(pulse) => {
                if heard.elapsed() > SILENCE {
                    return Err(Stop::Lost("the server is silent".into()));
                }
                place.server.ping(ALIVE).await?;
                pulse += PULSE;
                continue;
            }
        };
        heard = Instant::now();
        match message.ok_or_else(|| Stop::Lost("the server is gone".into()))? {
            ToClient::Event(NumberedEvent { event: Event::CommandFailed { .. }, text, .. }) if !place.registered => {
                let why = text.unwrap_or_default();
                let why = format!("You cannot join: {why}. A seat of a fork is claimed with its number (--seat N).");
                return Err(Stop::Ended { why, for_good: true });
            }
            ToClient::Event(told) => {
                place.seen = told.number;
                place.registered |= matches!(told.event, Event::Config {});
                say(News::Event { event: told.event, text: told.text })?;
            }
            ToClient::Pong(CAUGHT_UP) if !place.registered && !asked => {
                // The client has never registered, or the registration was lost with the connection.
                place.server.send(&Command::Register { name: place.seat.name.as_str().into() }).await?;
                asked = true;
                place.server.ping(CAUGHT_UP).await?;
            }
            ToClient::Pong(CAUGHT_UP) => say(News::Current)?,
            ToClient::Pong(_) | ToClient::Offers(_) | ToClient::Managed(_) => {}
            ToClient::Notice(Notice::Refused(_)) if !has_notices => {}
            ToClient::Notice(notice) => {
                has_notices = true;
                say(News::Notice(notice_lines(&notice, Some(place.seat.client))))?;
            }
            ToClient::Refused(refused) => say(News::Refused(refused.message))?,
            ToClient::Closing(refused) if is_final(refused.reason) => {
                let for_good = refused.reason == Reason::GameOver;
                return Err(Stop::Ended { why: refused.message, for_good });
            }
            ToClient::Closing(refused) => {
                // An earlier version of the server does not know notices.
                place.wants_notices &= has_notices || refused.reason != Reason::BadMessage;
                return Err(Stop::Lost(refused.message));
            }
            ToClient::Welcome(_) | ToClient::Games(_) => {
                return Err(Stop::Lost("the server sent an unexpected message".into()));
            }
        }
    }
}
