//! A place in a game on a server, which is taken again whenever the connection is lost.

use std::time::Duration;

use colony::{Command, Edition, Event};
use commlib::{ClientConnection, ClientError, Create, Form, GameInfo, Hello, PROTOCOL, Reason, ToClient, Token, Want};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
    time::{Instant, sleep, sleep_until, timeout},
};

use super::News;

type Server = ClientConnection<Command, Event>;

/// How often a quiet server is asked whether it is still there, and how long it may take to say so.
const PULSE: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
/// How long a new connection may take to be granted a place.
const ENTRY: Duration = Duration::from_secs(10);
/// Between two attempts to connect.
const RETRY: Duration = Duration::from_millis(500);

/// Which game a person wants to be in.
#[derive(Clone, Debug)]
pub enum Wanted {
    New(Create),
    /// The one of this name.
    Game(String),
    /// The only one there is.
    Any,
}

/// A place in a game.
#[derive(Debug)]
pub struct Place {
    address: String,
    name: String,
    server: Server,
    game: String,
    edition: Option<Edition>,
    token: Token,
    /// The number of the last event that was told.
    seen: u64,
    registered: bool,
}

impl Place {
    /// Enters a game for the first time; what goes wrong now is for the person to decide about.
    pub async fn enter(address: &str, wanted: Wanted, name: &str) -> Result<Self, String> {
        let entered = timeout(ENTRY, Self::try_enter(address, wanted, name)).await;
        entered.unwrap_or_else(|_| Err(format!("{address}: no answer")))
    }

    async fn try_enter(address: &str, wanted: Wanted, name: &str) -> Result<Self, String> {
        let problem = |error: ClientError| format!("{address}: {error}");
        let mut server = Server::connect(address, Form::Binary).await.map_err(problem)?;
        let (want, game, edition) = match wanted {
            Wanted::New(create) => {
                let edition = create.edition.as_deref().and_then(|edition| edition.parse().ok());
                (Want::Create(create), None, edition)
            }
            Wanted::Game(game) => {
                let games = server.games().await.map_err(problem)?;
                let known = games.iter().find(|known| known.game == game);
                (Want::Join { seat: None }, Some(game), known.and_then(|known| known.edition.parse().ok()))
            }
            Wanted::Any => {
                let games = server.games().await.map_err(problem)?;
                let [only] = games.as_slice() else { return Err(which(&games)) };
                (Want::Join { seat: None }, Some(only.game.clone()), only.edition.parse().ok())
            }
        };
        let hello = Hello { protocol: PROTOCOL, want, game, board: true };
        let welcome = server.hello(hello).await.map_err(problem)?;
        let token = welcome.token.ok_or("the server gives no place in this game")?;
        let (address, name, game) = (address.into(), name.into(), welcome.game);
        Ok(Self { address, name, server, game, edition, token, seen: 0, registered: false })
    }

    /// Takes the place again, on a new connection.
    async fn resume(&mut self) -> Result<(), ClientError> {
        let mut server = Server::connect(self.address.as_str(), Form::Binary).await?;
        let want = Want::Resume { token: self.token, seen: self.seen };
        server.hello(Hello { protocol: PROTOCOL, want, game: Some(self.game.clone()), board: true }).await?;
        self.server = server;
        Ok(())
    }
}

/// Says which games there are, to somebody who named none.
fn which(games: &[GameInfo]) -> String {
    if games.is_empty() {
        return "there is no game; --new SCENARIO makes one".into();
    }
    let line =
        |info: &GameInfo| format!("  {} ({}, {}): {}", info.game, info.edition, info.status, info.players.join(", "));
    let lines: Vec<String> = games.iter().map(line).collect();
    format!("there are several games; --game ID names one:\n{}", lines.join("\n"))
}

/// Tells everything that happens at a place, and sends commands, over as many connections as it takes. Ends when nothing more
/// will come, or nobody listens any more.
pub async fn keep_up(mut place: Place, mut commands: UnboundedReceiver<Command>, news: UnboundedSender<News>) {
    let entered = News::Entered { game: place.game.clone(), edition: place.edition };
    if news.send(entered).is_err() {
        return;
    }
    loop {
        let why = match listen(&mut place, &mut commands, &news).await {
            Stop::Lost(why) => why,
            Stop::Ended(why) => {
                let _nobody_listens = news.send(News::Ended(why));
                return;
            }
            Stop::Unheard => return,
        };
        if news.send(News::Lost(why)).is_err() {
            return;
        }
        loop {
            match timeout(ENTRY, place.resume()).await {
                Ok(Ok(())) => break,
                Ok(Err(ClientError::Refused(refused) | ClientError::Closing(refused))) if is_final(refused.reason) => {
                    let _nobody_listens = news.send(News::Ended(refused.message));
                    return;
                }
                Ok(Err(_)) | Err(_) if news.is_closed() => return,
                Ok(Err(_)) | Err(_) => sleep(RETRY).await,
            }
        }
        // What was chosen on the old connection may have been taken or not: what is told now says which.
        while commands.try_recv().is_ok() {}
    }
}

/// Whether trying again cannot help.
fn is_final(reason: Reason) -> bool {
    match reason {
        Reason::WrongProtocol | Reason::UnknownGame | Reason::UnknownToken | Reason::GameOver | Reason::Replaced => {
            true
        }
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
        | Reason::Internal => false,
    }
}

/// Why a connection is not used any more.
enum Stop {
    Lost(String),
    Ended(String),
    /// The person has gone.
    Unheard,
}

impl From<ClientError> for Stop {
    fn from(error: ClientError) -> Self {
        Self::Lost(error.to_string())
    }
}

/// The pong behind everything that happened before the connection, and those that only show that it lives.
const CAUGHT_UP: u64 = 1;
const ALIVE: u64 = 2;

async fn listen(place: &mut Place, commands: &mut UnboundedReceiver<Command>, news: &UnboundedSender<News>) -> Stop {
    match try_listen(place, commands, news).await {
        Err(stop) => stop,
        Ok(never) => match never {},
    }
}

async fn try_listen(
    place: &mut Place,
    commands: &mut UnboundedReceiver<Command>,
    news: &UnboundedSender<News>,
) -> Result<std::convert::Infallible, Stop> {
    let say = |item| news.send(item).map_err(|_| Stop::Unheard);
    place.server.ping(CAUGHT_UP).await?;
    let mut heard = Instant::now();
    let mut pulse = heard + PULSE;
    let mut asked = false;
    loop {
        let message = tokio::select! {
            message = place.server.next() => message?,
            command = commands.recv() => {
                place.server.send(&command.ok_or(Stop::Unheard)?).await?;
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
            ToClient::Event(told) => {
                place.seen = told.number;
                place.registered |= matches!(told.event, Event::Config {});
                say(News::Told { event: told.event, text: told.text })?;
            }
            ToClient::Pong(CAUGHT_UP) if !place.registered && !asked => {
                // Either for the first time, or the server never heard of it.
                place.server.send(&Command::Register { name: place.name.as_str().into() }).await?;
                asked = true;
                place.server.ping(CAUGHT_UP).await?;
            }
            ToClient::Pong(CAUGHT_UP) => say(News::Current)?,
            ToClient::Pong(_) => {}
            ToClient::Refused(refused) => say(News::Refused(refused.message))?,
            ToClient::Closing(refused) if is_final(refused.reason) => return Err(Stop::Ended(refused.message)),
            ToClient::Closing(refused) => return Err(Stop::Lost(refused.message)),
            ToClient::Welcome(_) | ToClient::Games(_) => {
                return Err(Stop::Lost("the server says what nobody asked for".into()));
            }
        }
    }
}
