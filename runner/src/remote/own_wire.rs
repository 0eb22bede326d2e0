//! A game on a server that speaks the game's own protocol, with the clients of one script.

use std::{
    thread,
    time::{Duration, Instant},
};

use script::{ReceivedEvent, WantedGame, Wire, WireError, WireGame};

use super::{SHORTLY, server};
use crate::{
    connection::received_event,
    play::{Play, Sent},
    process::ServerProcess,
    target::{Failure, GameUnderTest, Outcome},
};

/// A game of one script.
pub(super) struct OwnWireGame<'a> {
    play: &'a Play<'a>,
    /// `None` for a running server, which other programs use, too.
    process: Option<ServerProcess>,
    game: Box<dyn WireGame>,
}

impl<'a> OwnWireGame<'a> {
    /// Opens a game as soon as the server has opened its port.
    pub(super) fn open(
        wire: &dyn Wire,
        play: &'a Play<'_>,
        mut process: Option<ServerProcess>,
        address: std::net::SocketAddr,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let clients: Vec<u32> = play.script.transcript.clients.iter().map(|client| client.number).collect();
        let wanted = WantedGame { address, patience, scenario: &play.script.scenario, clients: &clients };
        let since = Instant::now();
        loop {
            let error = match wire.open(&wanted) {
                Ok(game) => return Ok(Self { play, process, game }),
                Err(error) => error,
            };
            let Some(starting) = process.as_mut().filter(|_| matches!(error, WireError::Away(_))) else {
                return Err(failed(&error));
            };
            if let Some(status) = starting.status() {
                let ended = starting.describe_end(status);
                return Err(server(format!("the server ended before the game began: {ended}")));
            }
            if since.elapsed() > patience {
                let told = format!("the server runs, but does not answer after {patience:?}: {error}");
                return Err(server(format!("{told}\n{}", starting.standard_error())));
            }
            thread::sleep(SHORTLY);
        }
    }

    /// A crash explains all other failures.
    fn checked<T>(&mut self, done: Result<T, WireError>) -> Result<T, Failure> {
        const DYING: Duration = Duration::from_millis(500);
        done.map_err(|error| match self.process.as_mut() {
            Some(process) if matches!(error, WireError::Away(_)) => match process.status_within(DYING) {
                Some(status) if !status.success() => {
                    let ended = process.describe_end(status);
                    server(format!("the server crashed in the middle of the game: {ended}"))
                }
                Some(_) | None => failed(&error),
            },
            Some(_) | None => failed(&error),
        })
    }
}

impl GameUnderTest for OwnWireGame<'_> {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let done = self.game.send(client, sent.call);
        self.checked(done)
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        let timeout = Duration::from_secs(self.play.script.transcript.timeout.unwrap_or_default().into());
        let done = self.game.wait(timeout);
        self.checked(done)
    }

    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure> {
        let next = self.game.next(client);
        let Some(event) = self.checked(next)? else { return Ok(None) };
        let read = received_event(self.play.script.game, &event);
        read.map(Some)
            .map_err(|error| Failure::new(Outcome::ProtocolError, format!("the server sent {event}: {error}")))
    }

    fn ended(&mut self) -> Result<(), Failure> {
        let over = self.game.is_over();
        if self.checked(over)? { Ok(()) } else { Err(Failure::new(Outcome::Fail, "the game is not over")) }
    }
}

fn failed(error: &WireError) -> Failure {
    let outcome = match error {
        WireError::Away(_) => Outcome::ServerFail,
        WireError::Late(_) => Outcome::TimeOut,
        WireError::Protocol(_) => Outcome::ProtocolError,
        WireError::Unsendable(_) => Outcome::Fail,
    };
    Failure::new(outcome, error.to_string())
}
