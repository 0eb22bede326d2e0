//! A place in a game on a server, which is taken again whenever the connection is lost.

use std::time::Duration;

use clients::seats::Seat;
use colony_rules::{Command, Edition, Event};
use commlib::{
    ClientConnection, ClientError, Create, Form, GameInfo, Hello, NumberedEvent, PROTOCOL, Reason, ToClient, Want,
};
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
    /// The one of this name, or the only one there is; with a number, the seat of a fork that waits to be claimed.
    Game {
        game: Option<String>,
        seat: Option<u16>,
    },
}

/// A place in a game.
#[derive(Debug)]
pub struct Place {
    seat: Seat,
    server: Server,
    edition: Option<Edition>,
    /// The number of the last event that was told.
    seen: u64,
    registered: bool,
}

impl Place {
    /// Enters a game for the first time; what goes wrong now is for the person to decide about.
    pub async fn enter(address: &str, wanted: Wanted, name: &str) -> Result<Self, String> {
        answered(address, Self::try_enter(address, wanted, name)).await
    }

    /// Comes back to a place, and hears everything from the beginning.
    pub async fn come_back(seat: Seat) -> Result<Self, String> {
        let address = seat.address.clone();
        answered(&address, Self::try_come_back(seat)).await
    }

    /// What it takes to come back.
    pub fn seat(&self) -> &Seat {
        &self.seat
    }

    async fn try_enter(address: &str, wanted: Wanted, name: &str) -> Result<Self, String> {
        let problem = |error: ClientError| format!("{address}: {error}");
        let mut server = Server::connect(address, Form::Binary).await.map_err(problem)?;
        let (want, game) = match wanted {
            Wanted::New(create) => (Want::Create(create), None),
            Wanted::Game { game: Some(game), seat } => (Want::Join { seat }, Some(game)),
            Wanted::Game { game: None, seat } => {
                let games = server.games().await.map_err(problem)?;
                let [only] = games.as_slice() else { return Err(which(&games)) };
                (Want::Join { seat }, Some(only.game.clone()))
            }
        };
        let hello = Hello { protocol: PROTOCOL, want, game, board: true };
        let welcome = server.hello(hello).await.map_err(problem)?;
        let (Some(client), Some(token)) = (welcome.client, welcome.token) else {
            return Err("the server gives no place in this game".into());
        };
        let seat = Seat { address: address.into(), game: welcome.game, client, name: name.into(), token };
        Ok(Self { seat, server, edition: welcome.edition.parse().ok(), seen: 0, registered: false })
    }

    async fn try_come_back(seat: Seat) -> Result<Self, String> {
        let problem = |error: ClientError| format!("{}: {error}", seat.address);
        let mut server = Server::connect(seat.address.as_str(), Form::Binary).await.map_err(problem)?;
        let welcome = server.hello(again(&seat, 0)).await.map_err(problem)?;
        Ok(Self { seat, server, edition: welcome.edition.parse().ok(), seen: 0, registered: false })
    }

    /// Takes the place again, on a new connection.
    async fn resume(&mut self) -> Result<(), ClientError> {
        let mut server = Server::connect(self.seat.address.as_str(), Form::Binary).await?;
        server.hello(again(&self.seat, self.seen)).await?;
        self.server = server;
        Ok(())
    }
}

async fn answered(address: &str, entry: impl Future<Output = Result<Place, String>>) -> Result<Place, String> {
    timeout(ENTRY, entry).await.unwrap_or_else(|_| Err(format!("{address}: no answer")))
}

fn again(seat: &Seat, seen: u64) -> Hello {
    let want = Want::Resume { token: seat.token, seen };
    Hello { protocol: PROTOCOL, want, game: Some(seat.game.clone()), board: true }
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
    let entered = News::Entered { game: place.seat.game.clone(), edition: place.edition };
    if news.send(entered).is_err() {
        return;
    }
    loop {
        let why = match listen(&mut place, &mut commands, &news).await {
            Stop::Lost(why) => why,
            Stop::Ended { why, for_good } => {
                let _nobody_listens = news.send(News::Ended { why, for_good });
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
                    let for_good = refused.reason == Reason::GameOver;
                    let _nobody_listens = news.send(News::Ended { why: refused.message, for_good });
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
    /// Nothing more will come; for good: to nobody who comes back either.
    Ended {
        why: String,
        for_good: bool,
    },
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
            ToClient::Event(NumberedEvent { event: Event::CommandFailed { .. }, text, .. }) if !place.registered => {
                let why = text.unwrap_or_default();
                let why = format!("You cannot join: {why}. A seat of a fork is claimed with its number (--seat N).");
                return Err(Stop::Ended { why, for_good: true });
            }
            ToClient::Event(told) => {
                place.seen = told.number;
                place.registered |= matches!(told.event, Event::Config {});
                say(News::Told { event: told.event, text: told.text })?;
            }
            ToClient::Pong(CAUGHT_UP) if !place.registered && !asked => {
                // Either for the first time, or the server never heard of it.
                place.server.send(&Command::Register { name: place.seat.name.as_str().into() }).await?;
                asked = true;
                place.server.ping(CAUGHT_UP).await?;
            }
            ToClient::Pong(CAUGHT_UP) => say(News::Current)?,
            ToClient::Pong(_) => {}
            ToClient::Refused(refused) => say(News::Refused(refused.message))?,
            ToClient::Closing(refused) if is_final(refused.reason) => {
                let for_good = refused.reason == Reason::GameOver;
                return Err(Stop::Ended { why: refused.message, for_good });
            }
            ToClient::Closing(refused) => return Err(Stop::Lost(refused.message)),
            ToClient::Welcome(_) | ToClient::Games(_) => {
                return Err(Stop::Lost("the server says what nobody asked for".into()));
            }
        }
    }
}
