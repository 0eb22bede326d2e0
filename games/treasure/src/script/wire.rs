//! Plays scripts against a server, with XML over HTTP.

use std::{
    collections::{BTreeMap, VecDeque},
    io, thread,
    time::Duration,
};

use engine::{Message, arguments, from_arguments};
use script::{Call, GameError, ServedGame, WantedGame, Wire, WireError, WireGame};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use treasure_rules::{Setup, Standing};

use super::{
    messages::{Answer, Request, UNREGISTERED},
    seen::Seen,
};
use crate::{
    documents::y2022::answer::{self, GameIdentifier},
    players::http::{self, BaseUrl, Fault, HttpClient},
};

/// How much longer than the time to think a client waits.
const MARGIN: Duration = Duration::from_millis(100);

/// The wire of the protocol of 2022.
pub(super) struct Http;

impl Wire for Http {
    fn open(&self, wanted: &WantedGame<'_>) -> Result<Box<dyn WireGame>, WireError> {
        let options = Setup::new(wanted.scenario).map_err(|error| WireError::Unsendable(error.to_string()))?;
        let base: BaseUrl = format!("http://{}", wanted.address)
            .parse()
            .map_err(|error: http::BaseUrlError| WireError::Unsendable(error.to_string()))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(WireError::Away)?;
        let client = HttpClient::new(base, Duration::ZERO);
        let players = wanted.clients.iter().map(|client| (*client, Player::default())).collect();
        let mut game = HttpGame { runtime, client, patience: wanted.patience, game: String::new(), players };
        let path = format!("/games?enableDebugMode={}&enableDummyCompetition={}", options.debug, options.dummy);
        let body = game.ask(&path, None)?;
        game.game = GameIdentifier::read(&body).map_err(|problem| strange(&problem, &body))?.0;
        Ok(Box::new(game))
    }

    fn serve(&self, served: &ServedGame<'_>) -> Result<(), GameError> {
        crate::program::serve(served)
    }
}

/// A game on a server.
struct HttpGame {
    runtime: Runtime,
    client: HttpClient,
    patience: Duration,
    /// The id of the game.
    game: String,
    players: BTreeMap<u32, Player>,
}

#[derive(Default)]
struct Player {
    /// The id, once the client is registered.
    id: Option<String>,
    answers: VecDeque<Value>,
}

impl HttpGame {
    fn ask(&mut self, path: &str, body: Option<&str>) -> Result<Vec<u8>, WireError> {
        let request = http::Request { path, body, timeout: self.patience };
        let response = self.runtime.block_on(self.client.ask_once(request)).map_err(|fault| match fault {
            Fault::Lost(cause) if cause.kind() == io::ErrorKind::TimedOut => {
                WireError::Late(format!("an answer to {path}"))
            }
            Fault::Away(cause) | Fault::Lost(cause) => WireError::Away(cause),
        })?;
        match response.status {
            200 => Ok(response.body.to_vec()),
            status => Err(WireError::Protocol(format!("the server answers {path} with the status {status}, not 200"))),
        }
    }

    fn answer(&mut self, client: u32, request: &Request) -> Result<Answer, WireError> {
        let id = self.players.get(&client).and_then(|player| player.id.clone());
        let id = id.unwrap_or_else(|| UNREGISTERED.to_owned());
        let game = &self.game;
        let body = match request.posted(&id) {
            Some((place, body)) => self.ask(&format!("/games/{game}/{place}"), Some(&body))?,
            None => self.ask(&format!("/games/{game}/states/{id}"), None)?,
        };
        match answer::Answer::read(&body).map_err(|problem| strange(&problem, &body))? {
            answer::Answer::Okay => Ok(Answer::Okay {}),
            answer::Answer::Player(id) => {
                self.players.entry(client).or_default().id = Some(id);
                Ok(Answer::Registered {})
            }
            answer::Answer::State(state) => Ok(Answer::State { state: Seen::of(&state, &id), id: state.id.into() }),
            answer::Answer::Error { name, .. } => Ok(Answer::Refused { name: name.into() }),
        }
    }
}

impl WireGame for HttpGame {
    fn send(&mut self, client: u32, call: &Call) -> Result<(), WireError> {
        let request: Request = from_arguments(&call.name, &call.arguments)
            .map_err(|error| WireError::Unsendable(format!("{}: {error}", call.name)))?;
        let answer = self.answer(client, &request)?;
        let mut event = vec![Value::from(answer.kind().name)];
        event.extend(arguments(&answer));
        self.players.entry(client).or_default().answers.push_back(event.into());
        Ok(())
    }

    fn wait(&mut self, longest: Duration) -> Result<(), WireError> {
        thread::sleep(longest + MARGIN);
        Ok(())
    }

    fn next(&mut self, client: u32) -> Result<Option<Value>, WireError> {
        Ok(self.players.get_mut(&client).and_then(|player| player.answers.pop_front()))
    }

    fn is_over(&mut self) -> Result<bool, WireError> {
        let registered = self.players.values().find_map(|player| player.id.clone());
        let Some(id) = registered else { return Ok(false) };
        let body = self.ask(&format!("/games/{}/states/{id}", self.game), None)?;
        match answer::Answer::read(&body).map_err(|problem| strange(&problem, &body))? {
            answer::Answer::State(state) => {
                let is_decided = |standing| matches!(standing, Standing::Won | Standing::Lost);
                Ok(state.players.iter().any(|player| is_decided(player.standing)))
            }
            answer::Answer::Okay | answer::Answer::Player(_) | answer::Answer::Error { .. } => Ok(false),
        }
    }
}

fn strange(problem: &xml::Problem, body: &[u8]) -> WireError {
    let shown: String = String::from_utf8_lossy(body).chars().take(200).collect();
    WireError::Protocol(format!("the server sent a document that the protocol does not have: {problem}\n{shown:?}"))
}
